//! Tables: predicates with very many facts. Their facts are counted, not analysed clause by clause.
//!
//! ```prolog
//! city(1, vienna, "Wien").      % and 400,000 more
//! ```
//!
//! A call only enters clauses with whose head it unifies, so it takes at most as many steps as there are facts. If an argument is bound and
//! all facts have constants in this position, the number of steps is at most the number of facts with the same constant. Each entered fact
//! is a solution. If all arguments are distinct unbound variables, every fact is a solution.

use std::fmt::Write as _;
use std::sync::Arc;

use costlens_algebra::work::apart;
use costlens_infer::regular::Regulars;
use costlens_infer::report::Functor;
use costlens_infer::types::{Pattern, Type};
use costlens_infer::{Summary, TrustedAssertion, trusted};
use costlens_program::definitions;
use costlens_program::{ClauseKind, Predicate, SourceFile, facts, find};
use costlens_syntax::Integer;
use costlens_syntax::assertions::assertions;
use costlens_syntax::read_text;
use costlens_syntax::term::Term;
use rustc_hash::FxHashMap;

use crate::db::Db;
use crate::open::is_open;

/// The minimum number of facts in a table. In smaller predicates, clauses are distinguished by their arguments.
const FEWEST: usize = 4_000;

/// The counts for a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    facts: usize,
    columns: Box<[ArgumentColumn]>,
}

/// The counts for an argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ArgumentColumn {
    /// The maximum number of facts with the same constant in this position, or `None` if some fact has no constant.
    most_alike: Option<usize>,
    /// The common type of all constants, if any.
    ty: Option<&'static str>,
    /// The minimum and maximum constant, if all are integers.
    range: Option<(Integer, Integer)>,
}

/// Counts a predicate, if it is a table.
///
/// *Invalidated* when a clause of the predicate changes.
#[salsa::tracked(returns(clone))]
fn table_of<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Arc<Table>> {
    apart(|| {
        let clauses = definitions::all_clauses(db, predicate);
        if clauses.len() < FEWEST || clauses.iter().any(|c| c.kind != ClauseKind::Fact) {
            return None;
        }
        // A predicate declared `:- det` may raise exceptions, and an argument qualified with the caller's module equals none of the
        // constants.
        let (facts, functor) = (facts(db, predicate.file(db)), predicate.functor(db));
        if facts.det.contains(functor) || facts.meta.contains_key(functor) {
            return None;
        }
        let column = |i: usize| {
            let constants = clauses.iter().map(|c| {
                let &argument = c.terms.args(c.head).get(i)?;
                Some(c.terms.get(argument)).filter(|t| is_constant(t))
            });
            ArgumentColumn::from_constants(constants.collect::<Option<Vec<&Term>>>())
        };
        Some(Arc::new(Table {
            facts: clauses.len(),
            columns: (0..predicate.functor(db).arity).map(column).collect(),
        }))
    })
}

fn is_constant(term: &Term) -> bool {
    match term {
        Term::Atom(_) | Term::Integer(_) | Term::Rational(_) | Term::Float(_) | Term::String(_) => {
            true
        }
        Term::Var(_) | Term::Compound(..) | Term::Error => false,
    }
}

impl ArgumentColumn {
    fn from_constants(constants: Option<Vec<&Term>>) -> Self {
        let Some(constants) = constants else {
            return ArgumentColumn::default();
        };
        let range = Self::range(&constants);
        // `[]` is not an atom.
        let is_atom =
            |term: &&Term| matches!(term, Term::Atom(name) if name != "[]" && name != "{}");
        ArgumentColumn {
            most_alike: most_alike(&constants),
            ty: Some(if range.is_some() {
                "int"
            } else if constants.iter().all(is_atom) {
                "atm"
            } else {
                "ground"
            }),
            range: range.map(|(least, greatest)| (least.clone(), greatest.clone())),
        }
    }

    fn range<'a>(constants: &[&'a Term]) -> Option<(&'a Integer, &'a Integer)> {
        let mut range: Option<(&Integer, &Integer)> = None;
        for &constant in constants {
            let Term::Integer(n) = constant else {
                return None;
            };
            range = Some(match range {
                None => (n, n),
                Some((least, greatest)) => (n.min(least), n.max(greatest)),
            });
        }
        range
    }
}

/// Returns the number of occurrences of the most frequent constant.
fn most_alike(constants: &[&Term]) -> Option<usize> {
    let ascend = |pair: &[&Term]| matches!(pair, [Term::Integer(a), Term::Integer(b)] if a < b);
    if constants.len() > 1 && constants.windows(2).all(ascend) {
        return Some(1);
    }
    let mut alike: FxHashMap<&Term, usize> = FxHashMap::default();
    for (i, &constant) in constants.iter().enumerate() {
        *alike.entry(constant).or_default() += 1;
        // If the first constants differ, later constants usually differ as well. Growing the map step by step would take twice as long.
        if i == FEWEST / 2 && alike.len() > i / 2 {
            alike.reserve(constants.len() - i);
        }
    }
    alike.values().copied().max()
}

impl Table {
    /// Formats the counts as an assertion about the calls of a pattern.
    fn stated(&self, pattern: &Pattern) -> String {
        let variables: Vec<String> = (0..self.columns.len()).map(|i| format!("A{i}")).collect();
        let bound = pattern.0.iter().zip(&*self.columns);
        let bound = bound.filter(|(ty, _)| ty.is_bound());
        let most = bound.filter_map(|(_, column)| column.most_alike);
        let most = most.min().unwrap_or(self.facts);
        let mut text = String::from(":- trust pred p");
        if !variables.is_empty() {
            let _ = write!(text, "({})", variables.join(", "));
        }
        let types = (self.columns.iter().zip(&variables))
            .filter_map(|(column, v)| Some(format!("{}({v})", column.ty?)));
        let types: Vec<String> = types.collect();
        if !types.is_empty() {
            let _ = write!(text, " => ({})", types.join(", "));
        }
        let _ = write!(
            text,
            " + (no_exception, cost(ub, allsols, steps, {most}), cost(ub, steps, 1)"
        );
        if most == 1 {
            text.push_str(", is_det");
        }
        match pattern.0.iter().all(|ty| *ty == Type::Free) {
            true => {
                let facts = self.facts;
                let _ = write!(
                    text,
                    ", solutions({facts}), cost(lb, allsols, steps, {facts}), cost(lb, steps, 1)"
                );
            }
            false => {
                let _ = write!(text, ", solutions(ub, {most})");
            }
        }
        for (column, v) in self.columns.iter().zip(&variables) {
            if let Some((least, greatest)) = &column.range {
                let _ = write!(text, ", size_lb({v}, {least}), size_ub({v}, {greatest})");
            }
        }
        text.push_str(").\n");
        text
    }
}

/// Returns whether a predicate is a table.
pub(crate) fn is_table(db: &dyn Db, file: SourceFile, name: &Functor) -> bool {
    find(db, file, name).is_some_and(|p| !is_open(db, p) && table_of(db, p).is_some())
}

/// Returns the summary for calls to a table, or `None` for other predicates.
pub(crate) fn summary(
    db: &dyn Db,
    file: SourceFile,
    name: &Functor,
    pattern: &Pattern,
) -> Option<Summary> {
    let predicate = find(db, file, name).filter(|&p| !is_open(db, p))?;
    let text = table_of(db, predicate)?.stated(pattern);
    let read = assertions(&text, &read_text(&text));
    let types = Regulars::default();
    let lines: Vec<TrustedAssertion<'_>> = (read.list.iter())
        .map(|assertion| TrustedAssertion {
            id: None,
            assertion,
            types: &types,
        })
        .collect();
    trusted(name, pattern, &lines)
}
