//! Detects nonterminals that write the terms that they decompose:
//!
//! ```prolog
//! inorder(nil) --> [].
//! inorder(t(L, X, R)) --> inorder(L), [X], inorder(R).
//! ```
//!
//! These nonterminals never inspect the text, so the text does not determine where a tree ends. A nonterminal that collects the text in a
//! list (`all([X|Xs]) --> [X], all(Xs)`) has the elements in the list itself.

use costlens_body::{Goal, conjuncts};
use costlens_program::{Clause, Functor};
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use super::Member;
use super::variables::variables;

/// Returns whether members are nonterminals that only write parts of their arguments.
pub(super) fn flatten(members: &[Member]) -> bool {
    let mut clauses = members.iter().flat_map(|m| m.clauses.iter());
    let mut written = 0;
    let mut calls = 0;
    let only_writes = clauses.all(|clause| match goals(clause, members) {
        Some(found) => {
            written += found.written;
            calls += found.calls;
            true
        }
        None => false,
    });
    only_writes && written > 0 && calls > 0
}

/// Returns whether some clause is a grammar rule that produces a line of a message: `deleted(File) --> ['~w has been deleted'-[File]].`
/// Such a line is never parsed.
pub(super) fn is_message(clauses: &[Clause]) -> bool {
    let is_line = |terms: &Terms, t: TermId| {
        let format = terms.matches(t, "-", 2).map(|args| terms.get(args[0]));
        matches!(format, Some(Term::Atom(text) | Term::String(text)) if text.contains('~'))
    };
    let rules = clauses.iter().filter(|clause| clause.grammar_rule);
    rules
        .filter_map(|clause| Some((&*clause.terms, clause.body?)))
        .any(|(terms, body)| {
            let goals = terms.subterms(body).into_iter();
            let mut texts = goals.filter_map(|goal| match Goal::lower(terms, goal) {
                Goal::Unify(_, text) => Some(text),
                _ => None,
            });
            texts.any(|text| terms.list(text).0.into_iter().any(|t| is_line(terms, t)))
        })
}

/// The numbers of terminals and of calls of members in a clause.
struct GoalCounts {
    written: usize,
    calls: usize,
}

/// Counts the terminals and calls of members in a clause. Returns `None` if the clause contains any other goal.
fn goals(clause: &Clause, members: &[Member]) -> Option<GoalCounts> {
    let (terms, mut found) = (
        &*clause.terms,
        GoalCounts {
            written: 0,
            calls: 0,
        },
    );
    let arguments = terms.args(clause.head);
    let own = &arguments[..arguments
        .len()
        .checked_sub(2)
        .filter(|_| clause.grammar_rule)?];
    let parts: Vec<u32> = own
        .iter()
        .flat_map(|&a| variables_inside(terms, a))
        .collect();
    for goal in clause.body.map(|b| conjuncts(terms, b)).unwrap_or_default() {
        let (name, arity) = terms.functor(goal)?;
        if members
            .iter()
            .any(|m| m.functor == Functor::new(name.clone(), arity))
        {
            found.calls += 1;
            continue;
        }
        let Goal::Unify(_, text) = Goal::lower(terms, goal) else {
            return None;
        };
        for terminal in terms.list(text).0 {
            match terms.get(terminal) {
                Term::Var(v) if parts.contains(v) => found.written += 1,
                _ => return None,
            }
        }
    }
    Some(found)
}

/// Returns the variables inside structures: those of `A-B` in `[A-B|T]`, and those of `t(L, X, R)`.
fn variables_inside(terms: &Terms, argument: TermId) -> Vec<u32> {
    let is_list = matches!(terms.get(argument), Term::Compound(name, _) if name == CONS);
    let structures = match is_list {
        true => terms.list(argument).0,
        false => vec![argument],
    };
    (structures.into_iter())
        .filter(|&t| matches!(terms.get(t), Term::Compound(..)))
        .flat_map(|t| variables(terms, t))
        .collect()
}
