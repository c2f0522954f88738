//! Resources that programs declare, as combinations of events: such a resource counts entered clauses, called goals and trusted predicates
//! (Navas, Mera, López-García, Hermenegildo, ICLP'07).
//!
//! ```prolog
//! :- resource bits.
//! :- head_cost(ub, bits, 2).
//! :- literal_cost(exact, bits, 1).
//! :- trust pred send(X) : ground(X) + (cost(exact, bits, 8*size(X)), is_det).
//! ```
//! bounds `bits` by twice the number of entered clauses, plus the number of called goals, plus the stated cost of `send/1` in place of the
//! cost of its clauses. It is a price list of events, like that of a platform.

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::{Rat, rat};
use costlens_events::{Event, OwnPart};
use costlens_infer::asserted::{CostVariables, to_expr};
use costlens_infer::report::{Side, Unknown};
use costlens_infer::{Pieces, Summary, event_of};
use costlens_program::loading::dependencies;
use costlens_program::workspace::trust_files;
use costlens_program::{SourceFile, file_assertions};
use costlens_recurrences::{Value, Why};
use costlens_syntax::assertions::{Approximation, CostTerm, ResourceRule, ResourceStatement};
use num_traits::Zero as _;
use smol_str::SmolStr;

use crate::db::Db;
use crate::prices::{Price, Prices};

/// The maximum depth to which resources are defined by other resources.
const DEEPEST: usize = 20;

/// A resource that a program declares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OwnResource {
    /// The resource's name.
    pub name: SmolStr,
    /// The minimum and maximum that each event counts.
    pub prices: Arc<Prices>,
    /// False if a price is stated only as a lower bound.
    is_bounded: bool,
}

impl OwnResource {
    /// Removes the upper bounds if a price has none.
    pub(crate) fn forget_uppers(&self, costs: &mut Summary) {
        if self.is_bounded {
            return;
        }
        let forget = |pieces: &mut Pieces| {
            for piece in pieces {
                piece.value = Value::Unknown(Why::Unbounded);
            }
        };
        forget(&mut costs.first.upper);
        forget(&mut costs.all.upper);
        costs.unknown = vec![Unknown {
            home: None,
            side: Side::Upper,
            fuel: false,
            reason: format!(
                "what clauses or literals count of `{}` is stated from below alone",
                self.name
            ),
            cause: costs.predicate.clone(),
            literal: None,
            help: format!(
                "State `head_cost(ub, {0}, E)` and `literal_cost(ub, {0}, E)`.",
                self.name
            ),
            types_help: false,
            declare: None,
            missing: None,
        }];
    }
}

/// Returns the resource with a name, as declared in the files visible from a file: the file itself, the files that it loads, and those in
/// the folder `costlens`. The first file that mentions the resource defines it completely. Returns `None` if no file declares it.
///
/// *Invalidated* when an assertion of one of these files changes.
#[salsa::tracked(returns(clone))]
fn own_resource<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    name: OwnName<'db>,
) -> Option<Arc<OwnResource>> {
    let files = visible(db, file);
    let definition = definition(db, &files, name.name(db), DEEPEST)?;
    let prices = Prices {
        platform: name.name(db).to_string(),
        of: definition.of,
    };
    Some(Arc::new(OwnResource {
        name: name.name(db).clone(),
        prices: Arc::new(prices),
        is_bounded: definition.is_bounded,
    }))
}

/// The name of a resource as a key. *Identity*: the value. Never reclaimed: a program declares few resources.
#[salsa::interned(revisions = usize::MAX)]
struct OwnName<'db> {
    #[returns(ref)]
    name: SmolStr,
}

/// Returns the resource with a name that is visible from a file, or `None` if no file declares it.
pub(crate) fn declared(db: &dyn Db, file: SourceFile, name: &SmolStr) -> Option<Arc<OwnResource>> {
    own_resource(db, file, OwnName::new(db, name.clone()))
}

/// Returns the names of the resources that are visible from a file.
pub fn own_names(db: &dyn Db, file: SourceFile) -> Vec<SmolStr> {
    let mut found: Vec<SmolStr> = Vec::new();
    for file in visible(db, file) {
        let all = file_assertions(db, file);
        let new: Vec<SmolStr> = (all.own_resources())
            .filter(|name| !found.contains(name))
            .cloned()
            .collect();
        found.extend(new);
    }
    found.sort();
    found.dedup();
    found
}

/// Returns the file, all files that it loads, and the trust files.
fn visible(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut found = vec![file];
    let mut next = 0;
    while let Some(&file) = found.get(next) {
        next += 1;
        for other in dependencies(db, file) {
            if !found.contains(&other) {
                found.push(other);
            }
        }
    }
    found.extend(trust_files(db, file));
    found
}

/// A resource's definition: the number of units that each event counts.
struct ResourceDefinition {
    of: BTreeMap<Event, Price>,
    is_bounded: bool,
}

fn definition(
    db: &dyn Db,
    files: &[SourceFile],
    name: &SmolStr,
    depth: usize,
) -> Option<ResourceDefinition> {
    let depth = depth.checked_sub(1)?;
    if name == "steps" || name == "literals" {
        let of = BTreeMap::from([(name.parse().ok()?, exactly(rat(1)))]);
        return Some(ResourceDefinition {
            of,
            is_bounded: true,
        });
    }
    let of_file = |&file: &SourceFile| {
        let all = file_assertions(db, file);
        let is_named = all.own_resources().any(|own| own == name);
        is_named.then_some(all)
    };
    let home = files.iter().find_map(of_file)?;
    let mut found = ResourceDefinition {
        of: BTreeMap::new(),
        is_bounded: true,
    };
    let rules = || {
        home.resource_rules
            .iter()
            .filter(|rule| rule.resource == *name)
    };
    for (part, is_it) in [
        (OwnPart::Heads, is_head as fn(&ResourceRule) -> bool),
        (OwnPart::Literals, is_literal),
    ] {
        let (price, is_bounded) = each(rules().filter(|rule| is_it(rule)));
        found.is_bounded &= is_bounded;
        if !price.most.is_zero() {
            found.of.insert(Event::Own(name.clone(), part), price);
        }
    }
    let compounds = rules().filter_map(|rule| match &rule.says {
        ResourceStatement::Compound(parts) => Some(parts),
        _ => None,
    });
    let mut is_compound = false;
    for parts in compounds {
        is_compound = true;
        for (part, weight) in parts {
            let weight = constant(weight)?;
            let part = definition(db, files, part, depth)?;
            found.is_bounded &= part.is_bounded;
            for (event, price) in part.of {
                let sum = found
                    .of
                    .entry(event)
                    .or_insert_with(|| exactly(Rat::zero()));
                sum.least += price.least * &weight;
                sum.estimate += price.estimate * &weight;
                sum.most += price.most * &weight;
            }
        }
    }
    // A sum of other resources needs no stated cost.
    if !is_compound {
        found.of.insert(event_of(name)?, exactly(rat(1)));
    }
    Some(found)
}

fn is_head(rule: &ResourceRule) -> bool {
    matches!(rule.says, ResourceStatement::Head(..))
}

fn is_literal(rule: &ResourceRule) -> bool {
    matches!(rule.says, ResourceStatement::Literal(..))
}

/// Returns the price of each clause or literal, and whether the price has an upper bound. The price is zero if no rule states it.
fn each<'a>(rules: impl Iterator<Item = &'a ResourceRule>) -> (Price, bool) {
    let (mut least, mut most) = (None, None);
    for rule in rules {
        let (ResourceStatement::Head(side, value) | ResourceStatement::Literal(side, value)) =
            &rule.says
        else {
            continue;
        };
        let value = constant(value);
        if *side != Approximation::Upper {
            least = least.or_else(|| value.clone());
        }
        if *side != Approximation::Lower {
            most = most.or(value);
        }
    }
    let is_bounded = most.is_some() || least.is_none();
    let least = least.unwrap_or_default();
    let most = most.unwrap_or_else(|| least.clone());
    let price = Price {
        estimate: most.clone(),
        least: least.min(most.clone()),
        most,
    };
    (price, is_bounded)
}

fn exactly(price: Rat) -> Price {
    Price {
        estimate: price.clone(),
        least: price.clone(),
        most: price,
    }
}

/// Evaluates an expression without sizes.
fn constant(value: &CostTerm) -> Option<Rat> {
    let none = CostVariables {
        size: &|_, _| Err(String::new()),
        parameter: &|_| Err(String::new()),
    };
    let value = to_expr(value, none).ok()?;
    value.as_constant()
}
