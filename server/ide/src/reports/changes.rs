//! Differences between a lockfile and a program as it is now: which predicates became dearer, or cheaper, and why.
//!
//! Classes are compared first: `O(n)` before, `O(n²)` now. Within a class the functions are, over all sizes of the region in which sizes grow.

mod renamed;

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::compare::{self, Approx, JudgedInterval};
use costlens_algebra::growth::{Growth, growth};
use costlens_algebra::parse::parse;
use costlens_algebra::text::Names;
use costlens_algebra::{Constraint, Expr, Rat, Region, Var};
use costlens_analysis::report::Bound;
use num_traits::One as _;

use super::lock::{Measured, Pattern, Row};
use crate::present::{formula, names};

/// The way in which a predicate changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Of a greater class.
    Class,
    /// It had an upper bound and has none.
    BoundLost,
    /// More for some sizes, in the same class.
    Dearer,
    /// Its sizes are measured otherwise, so that the bounds cannot be compared.
    Incomparable,
    /// Defined since.
    New,
    /// No longer defined.
    Gone,
    /// It had no upper bound and has one.
    BoundFound,
    /// Less for some sizes and more for none.
    Cheaper,
}

impl Kind {
    /// True where a program with such a change costs more.
    #[must_use]
    pub fn is_dearer(self) -> bool {
        matches!(self, Kind::Class | Kind::BoundLost | Kind::Dearer)
    }

    /// The word in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Class => "class",
            Kind::BoundLost => "bound-lost",
            Kind::Dearer => "dearer",
            Kind::Incomparable => "incomparable",
            Kind::New => "new",
            Kind::Gone => "gone",
            Kind::BoundFound => "bound-found",
            Kind::Cheaper => "cheaper",
        }
    }
}

/// The cost of a predicate in one version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The upper bound in the exact syntax.
    pub upper: Option<String>,
    /// As a person reads it: `n²/2 + 3n/2 + 1`, `at least n`.
    pub readable: String,
    /// Its class: `n²`.
    pub class: Option<String>,
}

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file as the lockfile names it.
    pub file: String,
    /// Name and arity.
    pub predicate: String,
    /// The first byte of its first clause's head, in the version of now.
    pub offset: Option<usize>,
    /// In a word.
    pub kind: Kind,
    /// Before.
    pub before: Option<Cost>,
    /// Now.
    pub after: Option<Cost>,
    /// The sizes for which it is dearer or cheaper, where those are not all: `n >= 3`.
    pub when: Option<String>,
    /// True where a comment asks not to be told.
    pub is_suppressed: bool,
    /// The reason, where it shows: `the new call of append/3`; and the first byte of that call.
    pub because: Option<(String, Option<usize>)>,
}

impl Change {
    /// True where the program costs more, and no comment says that this is known.
    #[must_use]
    pub fn is_regression(&self) -> bool {
        self.kind.is_dearer() && !self.is_suppressed
    }

    /// A change in a sentence: "`rank/2` became dearer: O(n) → O(n²) (n + 1 → n² + 1 steps), because of the new call of append/3".
    #[must_use]
    pub fn sentence(&self) -> String {
        let predicate = &self.predicate;
        let class = |cost: &Cost| match &cost.class {
            Some(class) => format!("O({class})"),
            None => cost.readable.clone(),
        };
        let (Some(before), Some(after)) = (&self.before, &self.after) else {
            return match self.kind {
                Kind::Gone => format!("`{predicate}` is gone"),
                _ => format!("`{predicate}` is new"),
            };
        };
        let mut text = match self.kind {
            Kind::Class => {
                let steps = match (&before.class, &after.class) {
                    (Some(_), Some(_)) => {
                        format!(" ({} → {} steps)", before.readable, after.readable)
                    }
                    _ => String::new(),
                };
                format!(
                    "`{predicate}` became dearer: {} → {}{steps}",
                    class(before),
                    class(after)
                )
            }
            Kind::BoundLost => format!(
                "`{predicate}` lost its upper bound: {} steps before, {} now",
                before.readable, after.readable
            ),
            Kind::BoundFound => format!("`{predicate}` has an upper bound now: {}", after.readable),
            Kind::Incomparable => format!(
                "`{predicate}` is measured by other sizes: {} steps before, {} now",
                before.readable, after.readable
            ),
            Kind::Dearer | Kind::Cheaper | Kind::New | Kind::Gone => {
                let word = if self.kind == Kind::Dearer {
                    "dearer"
                } else {
                    "cheaper"
                };
                format!(
                    "`{predicate}` became {word}: {} → {} steps",
                    before.readable, after.readable
                )
            }
        };
        if let Some(when) = &self.when {
            text.push_str(&format!(" for {when}"));
        }
        if let Some((because, _)) = &self.because {
            text.push_str(&format!(", because of {because}"));
        }
        text
    }
}

/// The changes since a lockfile was written: those that make a program dearer first, greater classes before all. `now` has the predicates of
/// each file that was looked at, by the file's name in the lockfile; of other files nothing is said. A file that has none is gone, perhaps
/// because it is called otherwise now. A bound that is greater by
/// not more than `tolerance` (1/10 for a tenth) is no change.
#[must_use]
pub fn changes(before: &[Row], now: &[(String, Vec<Measured>)], tolerance: &Rat) -> Vec<Change> {
    let before = &renamed::with_new_names(before, now);
    let looked_at: BTreeSet<&str> = now.iter().map(|(file, _)| file.as_str()).collect();
    let mut old: BTreeMap<(&str, &str), &Row> = (before.iter())
        .filter(|row| looked_at.contains(row.file.as_str()))
        .map(|row| ((row.file.as_str(), row.predicate.as_str()), row))
        .collect();
    let mut found = Vec::new();
    for (file, measured) in now {
        for predicate in measured {
            let Some(first) = predicate.patterns.first() else {
                continue;
            };
            let change = match old.remove(&(file.as_str(), first.row.predicate.as_str())) {
                None => Some(Difference {
                    kind: Kind::New,
                    before: None,
                    after: Some(cost_now(first)),
                    when: None,
                }),
                Some(row) => {
                    let same = predicate
                        .patterns
                        .iter()
                        .find(|p| p.row.pattern == row.pattern);
                    difference(row, same.unwrap_or(first), tolerance)
                }
            };
            found.extend(change.map(|difference| Change {
                file: file.clone(),
                predicate: first.row.predicate.clone(),
                offset: Some(predicate.offset),
                kind: difference.kind,
                before: difference.before,
                after: difference.after,
                when: difference.when,
                is_suppressed: predicate.is_suppressed,
                because: None,
            }));
        }
    }
    found.extend(old.values().map(|row| Change {
        file: row.file.clone(),
        predicate: row.predicate.clone(),
        offset: None,
        kind: Kind::Gone,
        before: Some(cost_before(row)),
        after: None,
        when: None,
        is_suppressed: false,
        because: None,
    }));
    explain(&mut found, before, now);
    found.sort_by(|a, b| {
        let key = |c: &Change| (c.kind, c.file.clone(), c.offset, c.predicate.clone());
        key(a).cmp(&key(b))
    });
    found
}

struct Difference {
    kind: Kind,
    before: Option<Cost>,
    after: Option<Cost>,
    when: Option<String>,
}

/// The difference between a line of a lockfile and the bounds of now; none where they are the same or nothing can be said.
fn difference(row: &Row, now: &Pattern, tolerance: &Rat) -> Option<Difference> {
    if row.lower == now.row.lower && row.upper == now.row.upper && row.sizes == now.row.sizes {
        return None;
    }
    let Some(old) = Old::read(row, now) else {
        return Some(Difference {
            kind: Kind::Incomparable,
            before: Some(cost_before(row)),
            after: Some(cost_now(now)),
            when: None,
        });
    };
    let (kind, when) = match (&old.upper, &now.upper) {
        (Bound::Finite(a), Bound::Finite(b)) => compared(a, b, &old, tolerance)?,
        (Bound::Finite(_), Bound::Unknown) => (Kind::BoundLost, None),
        (Bound::Finite(_) | Bound::Unknown, Bound::Infinite) => (Kind::Class, None),
        (Bound::Unknown | Bound::Infinite, Bound::Finite(_)) => (Kind::BoundFound, None),
        // Nothing but what it costs at least.
        (Bound::Unknown, Bound::Unknown) => match (&old.lower, &now.lower) {
            (Bound::Finite(a), Bound::Finite(b)) if !growth(b).is_in(&growth(a)) => {
                (Kind::Class, None)
            }
            _ => return None,
        },
        (Bound::Infinite, Bound::Infinite | Bound::Unknown) => return None,
    };
    Some(Difference {
        kind,
        before: Some(cost(&old.lower, &old.upper, &old.names())),
        after: Some(cost_now(now)),
        when,
    })
}

/// A line of a lockfile in the size variables of now.
struct Old {
    lower: Bound,
    upper: Bound,
    /// The sizes that are compared.
    domain: Region,
    /// The name of each variable.
    variables: BTreeMap<Var, String>,
}

impl Old {
    /// None where it has a size of an argument that is measured otherwise now, or is no expression.
    fn read(row: &Row, now: &Pattern) -> Option<Self> {
        let current: BTreeMap<&str, Var> = (now.row.sizes.iter().zip(&now.sizes))
            .map(|((_, meaning), size)| (meaning.as_str(), size.var))
            .collect();
        let argument = |meaning: &str| meaning.split_once('(').map(|(_, rest)| rest.to_owned());
        let measured: BTreeSet<String> = current.keys().filter_map(|m| argument(m)).collect();
        let next = now.sizes.iter().map(|size| size.var.0 + 1).max();
        let mut next = next.unwrap_or(0);
        let mut domain = now.region.clone();
        let mut variables: BTreeMap<Var, String> = (now.sizes.iter())
            .map(|size| (size.var, size.name.clone()))
            .collect();
        let mut by_name: BTreeMap<&str, Var> = BTreeMap::new();
        for (name, meaning) in &row.sizes {
            let variable = match current.get(meaning.as_str()) {
                Some(&variable) => variable,
                None if measured.contains(&argument(meaning)?) => return None,
                // The bounds of now do not depend on it.
                None => {
                    let variable = Var(next);
                    next += 1;
                    domain = domain.and(Constraint::ge(&Expr::var(variable), &Expr::zero())?);
                    variables.insert(variable, name.clone());
                    variable
                }
            };
            by_name.insert(name, variable);
        }
        let bound = |text: &Option<String>| match text.as_deref() {
            None => Some(Bound::Unknown),
            Some("inf") => Some(Bound::Infinite),
            Some(text) => {
                let read = parse(text, &mut |name| by_name.get(name).copied());
                read.ok().map(Bound::Finite)
            }
        };
        Some(Self {
            lower: bound(&row.lower)?,
            upper: bound(&row.upper)?,
            domain,
            variables,
        })
    }

    fn names(&self) -> Names<'_> {
        Names::new(|v| self.variables.get(&v).cloned().unwrap_or_default())
    }
}

/// The comparison of two upper bounds; none where the one of now is nowhere greater by more than the tolerance, and nowhere less.
fn compared(
    before: &Expr,
    now: &Expr,
    old: &Old,
    tolerance: &Rat,
) -> Option<(Kind, Option<String>)> {
    let (a, b) = (growth(before), growth(now));
    if !b.is_in(&a) {
        return Some((Kind::Class, None));
    }
    if !a.is_in(&b) {
        return Some((Kind::Cheaper, None));
    }
    let allowed = before.scale(&(Rat::one() + tolerance));
    let less = exceeded(before, now, old);
    let is_less_in_the_end = less.as_ref().is_some_and(|less| less.is_endless);
    if let Some(more) = exceeded(now, &allowed, old)
        && (more.is_endless || !is_less_in_the_end)
    {
        return Some((Kind::Dearer, more.when));
    }
    let is_ever_dearer = exceeded(now, before, old).is_some_and(|more| more.is_endless);
    let less = less.filter(|_| !is_ever_dearer)?;
    Some((Kind::Cheaper, less.when))
}

/// The sizes at which a function is greater than another one.
struct Exceeded {
    /// In words; none where they are all or cannot be said.
    when: Option<String>,
    /// True where they have no end.
    is_endless: bool,
}

/// The sizes at which a function is greater than another one, if it is at some.
fn exceeded(function: &Expr, allowed: &Expr, old: &Old) -> Option<Exceeded> {
    let piece = compare::Piece {
        region: old.domain.clone(),
        lower: compare::Bound::Finite(function.clone()),
        upper: compare::Bound::Finite(function.clone()),
    };
    let judged = compare::judge(Approx::Ub, allowed, &[piece], &old.domain);
    if judged.overall != compare::Verdict::False {
        return None;
    }
    let is_false = |i: &&JudgedInterval| i.verdict == compare::Verdict::False;
    let parts: Vec<_> = judged.intervals.iter().filter(is_false).collect();
    let name = judged.variable.and_then(|v| old.variables.get(&v));
    let when = name
        .filter(|_| parts.len() < judged.intervals.len())
        .map(|name| {
            let parts: Vec<String> = parts.iter().map(|i| interval(name, i)).collect();
            parts.join(" or ")
        });
    Some(Exceeded {
        when: when.filter(|text| !text.is_empty()),
        // Of several sizes nothing more is known.
        is_endless: judged.intervals.is_empty() || parts.iter().any(|i| i.to.is_none()),
    })
}

fn interval(name: &str, interval: &JudgedInterval) -> String {
    match (&interval.from, &interval.to) {
        (Some(from), Some(to)) if from == to => format!("{name} = {from}"),
        (Some(from), Some(to)) => format!("{from} <= {name} <= {to}"),
        (Some(from), None) => format!("{name} >= {from}"),
        (None, Some(to)) => format!("{name} <= {to}"),
        (None, None) => format!("every {name}"),
    }
}

fn cost(lower: &Bound, upper: &Bound, names: &Names<'_>) -> Cost {
    let class = |e: &Expr| Growth::display(&growth(e), names);
    match (lower, upper) {
        (_, Bound::Finite(e)) => Cost {
            upper: Some(costlens_algebra::text::to_text(e, names)),
            readable: formula(e, names),
            class: Some(class(e)),
        },
        (_, Bound::Infinite) => Cost {
            upper: Some("inf".to_owned()),
            readable: "diverges".to_owned(),
            class: None,
        },
        (Bound::Finite(e), Bound::Unknown) => Cost {
            upper: None,
            readable: format!("at least {}", formula(e, names)),
            class: None,
        },
        (_, Bound::Unknown) => Cost {
            upper: None,
            readable: "unknown".to_owned(),
            class: None,
        },
    }
}

fn cost_now(now: &Pattern) -> Cost {
    cost(&now.lower, &now.upper, &names(&now.sizes))
}

/// The cost in a line of a lockfile, whatever its sizes mean now.
fn cost_before(row: &Row) -> Cost {
    let number = |name: &str| row.sizes.iter().position(|(n, _)| n == name);
    let bound = |text: &Option<String>| match text.as_deref() {
        None => Bound::Unknown,
        Some("inf") => Bound::Infinite,
        Some(text) => parse(text, &mut |name| {
            Some(Var(u32::try_from(number(name)?).ok()?))
        })
        .map_or(Bound::Unknown, Bound::Finite),
    };
    let names = Names::new(|v| {
        let size = row.sizes.get(v.0 as usize);
        size.map(|(name, _)| name.clone()).unwrap_or_default()
    });
    cost(&bound(&row.lower), &bound(&row.upper), &names)
}

/// Finds why predicates became dearer: a call that was not there, or a callee that became dearer itself.
fn explain(found: &mut [Change], before: &[Row], now: &[(String, Vec<Measured>)]) {
    let dearer: BTreeSet<String> = (found.iter())
        .filter(|change| change.kind.is_dearer())
        .map(|change| change.predicate.clone())
        .collect();
    let old: BTreeMap<(&str, &str), &Row> = (before.iter())
        .map(|row| ((row.file.as_str(), row.predicate.as_str()), row))
        .collect();
    let all = now.iter().flat_map(|(file, measured)| {
        measured.iter().filter_map(move |m| {
            let name = m.patterns.first()?.row.predicate.as_str();
            Some(((file.as_str(), name), m))
        })
    });
    let current: BTreeMap<(&str, &str), &Measured> = all.collect();
    for change in found.iter_mut().filter(|change| change.kind.is_dearer()) {
        let key = (change.file.as_str(), change.predicate.as_str());
        let (Some(old), Some(now)) = (old.get(&key), current.get(&key)) else {
            continue;
        };
        let is_new = |name: &String| !old.calls.contains(name);
        let calls: Vec<_> = now.calls.iter().collect();
        let new: Vec<_> = calls.iter().filter(|(name, _)| is_new(name)).collect();
        // Of several new calls the one that became dearer, too, says most.
        let telling = new.iter().find(|(name, _)| dearer.contains(name));
        change.because = match telling.or(new.first()) {
            Some((name, at)) => Some((format!("the new call of {name}"), Some(*at))),
            None => (calls.iter().find(|(name, _)| dearer.contains(name)))
                .map(|(name, at)| (format!("{name}, which became dearer"), Some(*at))),
        };
    }
}
