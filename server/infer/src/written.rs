//! Clauses as they are written, without running them: their goals, and whether what a predicate answers follows from its arguments alone.

use std::collections::BTreeSet;

use costlens_catalog::{is_arithmetic_comparison, is_term_comparison, is_type_test};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{TermId, Terms};

use crate::lattice::types::Type;
use crate::program::Program;
use crate::report::Functor;

/// The goals of a body in order, inside control constructs too.
pub(crate) fn goals(clause: &Clause) -> Vec<TermId> {
    let terms = &*clause.terms;
    let mut found = Vec::new();
    let mut open: Vec<TermId> = clause.body.into_iter().collect();
    while let Some(goal) = open.pop() {
        match terms
            .functor(goal)
            .map(|(name, arity)| (name.as_str(), arity))
        {
            Some(("," | ";" | "->" | "*->" | "|", 2) | ("once" | "ignore" | "call", 1)) => {
                open.extend(terms.args(goal).iter().rev());
            }
            Some(_) => found.push(goal),
            None => {}
        }
    }
    found
}

pub(crate) fn name_of(terms: &Terms, goal: TermId) -> Option<Functor> {
    let (name, arity) = terms.functor(goal)?;
    Some(Functor::new(name.clone(), arity))
}

/// Calls with these arguments are answered alike whenever they are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Functional {
    /// Whatever ground terms they pass.
    Always,
    /// Where they pass numbers and lists of numbers: other terms may be expressions, as `random(6)` is.
    OfNumbers,
}

impl Functional {
    /// Tells whether an argument of a type is one of those.
    pub(crate) fn admits(self, ty: &Type) -> bool {
        match ty {
            Type::Int | Type::Number | Type::None => true,
            Type::List(element) => self.admits(element),
            ty => self == Functional::Always && ty.is_ground(),
        }
    }
}

/// Predicates that are looked through.
const MOST_PREDICATES: usize = 40;

/// Tells whether calls of a predicate of the file with the same ground arguments always have the same answers: its clauses, and those that they
/// call, do nothing but unify, compare, compute and take terms apart. None where that is not to be seen.
pub(crate) fn functional(program: &dyn Program, predicate: &Functor) -> Option<Functional> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![predicate.clone()]);
    let mut found = Functional::Always;
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
            if !matches!(clause.kind, ClauseKind::Fact | ClauseKind::Rule) {
                return None;
            }
            let terms = &*clause.terms;
            let mut goals = goals(clause);
            while let Some(goal) = goals.pop() {
                if let Some(&[inner]) = terms.matches(goal, "\\+", 1) {
                    goals.push(inner);
                    continue;
                }
                let name = name_of(terms, goal)?;
                let computes = is_arithmetic_comparison(&name.name, name.arity)
                    || (name.name == "is" && name.arity == 2);
                if computes {
                    found = Functional::OfNumbers;
                    terms
                        .subterms(goal)
                        .into_iter()
                        .all(|t| is_computed(terms, t))
                        .then_some(())?;
                } else if !is_plain(&name) || program.may_redefine(&name) {
                    open.push(name);
                }
            }
        }
    }
    Some(found)
}

/// Built-ins that do nothing but look at terms and build some. They raise no exceptions or the same ones.
fn is_plain(name: &Functor) -> bool {
    is_type_test(&name.name, name.arity)
        || is_term_comparison(&name.name, name.arity)
        || matches!(
            (name.name.as_str(), name.arity),
            ("true" | "fail" | "false" | "!", 0)
                | (
                    "=" | "\\=" | "==" | "\\==" | "=.." | "length" | "msort" | "sort" | "keysort",
                    2
                )
                | (
                    "succ" | "atom_codes" | "atom_chars" | "char_code" | "atom_length",
                    2
                )
                | ("functor" | "arg" | "compare" | "plus", 3)
        )
}

/// Tells whether a part of an arithmetic goal has a value that is always the same: no `random`, no `cputime`.
fn is_computed(terms: &Terms, t: TermId) -> bool {
    const KNOWN: [&str; 34] = [
        "is", "=:=", "=\\=", "<", "=<", ">", ">=", "+", "-", "*", "/", "//", "mod", "rem", "div",
        "min", "max", "abs", "sign", "gcd", "msb", ">>", "<<", "/\\", "\\/", "xor", "\\", "^",
        "**", "sqrt", "truncate", "round", "floor", "ceiling",
    ];
    match terms.functor(t) {
        Some((name, arity)) => arity > 0 && KNOWN.contains(&name.as_str()),
        None => true,
    }
}
