//! Properties of clauses that do not require running them: their goals, and whether the answers of a predicate depend only on its
//! arguments.

pub mod membership;

use std::collections::BTreeSet;

use costlens_body::{Comparison, Goal};
use costlens_catalog::{Portable, names_changing_function, portable};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId, Terms};

use crate::lattice::functional::Functional;
use crate::program::Program;
use crate::report::Functor;

/// Returns the goals of a body in order, including goals inside control constructs, but not the values of variable goals.
pub(crate) fn goals(clause: &Clause) -> Vec<TermId> {
    all_goals(clause).0
}

/// Returns the goals of a body, and whether one of them is a variable.
fn all_goals(clause: &Clause) -> (Vec<TermId>, bool) {
    let terms = &*clause.terms;
    let (mut found, mut has_variables) = (Vec::new(), false);
    let mut open: Vec<TermId> = clause.body.into_iter().collect();
    while let Some(goal) = open.pop() {
        match Goal::lower(terms, goal) {
            Goal::Once(inner) | Goal::Ignore(inner) | Goal::Not(inner) => open.push(inner),
            Goal::CallN { closure, added: [] } => open.push(closure),
            Goal::Variable(_) | Goal::NotCallable | Goal::Unreadable => has_variables = true,
            lowered => {
                let branches = lowered.branches();
                if branches.is_empty() {
                    found.push(goal);
                }
                open.extend(branches.into_iter().rev());
            }
        }
    }
    (found, has_variables)
}

/// The maximum number of inspected predicates.
const MOST_PREDICATES: usize = 40;

/// Returns the restrictions under which calls to a predicate of the file with the same ground arguments always have the same answers,
/// because its clauses and its callees' clauses only unify, compare, compute and decompose terms. Returns `None` if that cannot be
/// determined.
pub(crate) fn functional(program: &dyn Program, predicate: &Functor) -> Option<Functional> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![predicate.clone()]);
    let (mut found, mut makes_names, mut is_plain_text) = (Functional::default(), false, true);
    while let Some(next) = open.pop() {
        if !seen.insert(next.clone()) {
            continue;
        }
        if seen.len() > MOST_PREDICATES
            || !program.is_at_home(&next)
            || !program.is_defined(&next)
            || program.is_dynamic(&next)
            || program.is_trusted(&next)
        {
            return None;
        }
        for clause in program.clauses(&next)?.iter() {
            let (goals, has_variables) = all_goals(clause);
            if has_variables || !matches!(clause.kind, ClauseKind::Fact | ClauseKind::Rule) {
                return None;
            }
            let terms = &*clause.terms;
            let parts = [Some(clause.head), clause.body];
            let mut parts = parts
                .iter()
                .flatten()
                .flat_map(|&part| terms.subterms(part));
            is_plain_text &= parts.all(|t| is_constant_where_computed(terms, t));
            for goal in goals {
                let (name, lowered) = (Functor::from_term(terms, goal)?, Goal::lower(terms, goal));
                if matches!(lowered, Goal::Is { .. } | Goal::Compare(..)) {
                    found.computes = true;
                    let mut parts = terms.args(goal).iter().flat_map(|&t| terms.subterms(t));
                    parts.all(|t| is_computed(terms, t)).then_some(())?;
                    continue;
                }
                match built_in(lowered).filter(|_| !program.may_redefine(&name)) {
                    Some(Portable::Order) => found.orders = true,
                    Some(Portable::Names) => makes_names = true,
                    Some(Portable::Plain) => {}
                    None => open.push(name),
                }
            }
        }
    }
    // If arithmetic is evaluated, an atom, whether written or constructed, may be the name of a function such as `random_float`.
    let matters = found.computes || found.orders;
    (!(found.computes && makes_names) && (is_plain_text || !matters)).then_some(found)
}

/// Returns the extent to which engines agree on a built-in that only inspects and builds terms. Built-ins that raise engine-dependent
/// exceptions are excluded.
fn built_in(goal: Goal<'_>) -> Option<Portable> {
    let call = match goal {
        Goal::True | Goal::Fail | Goal::False | Goal::Cut => return Some(Portable::Plain),
        Goal::Type(..) | Goal::Unify(..) | Goal::NotUnifiable(..) => return Some(Portable::Plain),
        Goal::CompareTerms(Comparison::Equal | Comparison::NotEqual, ..) => {
            return Some(Portable::Plain);
        }
        Goal::CompareTerms(..) => return Some(Portable::Order),
        Goal::Call(call) => call,
        _ => return None,
    };
    portable(call.name, call.args.len())
}

/// Returns whether a term in a clause evaluates to the same value each time. Floats, and functions whose value varies, do not.
fn is_constant_where_computed(terms: &Terms, t: TermId) -> bool {
    match terms.get(t) {
        Term::Float(_) | Term::Rational(_) | Term::String(_) | Term::Error => false,
        _ => (terms.functor(t)).is_none_or(|(name, _)| !names_changing_function(name)),
    }
}

/// Returns whether a subexpression has an integer value, regardless of flags, if its operands have integer values.
fn is_computed(terms: &Terms, t: TermId) -> bool {
    const KNOWN: [&str; 19] = [
        "+", "-", "*", "//", "mod", "rem", "div", "min", "max", "abs", "sign", "gcd", "msb", ">>",
        "<<", "/\\", "\\/", "xor", "\\",
    ];
    match terms.functor(t) {
        Some((name, arity)) => arity > 0 && KNOWN.contains(&name.as_str()),
        None => true,
    }
}
