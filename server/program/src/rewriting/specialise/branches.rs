//! Predicates whose clauses depend on undecided conditions: each alternative becomes a copy, and the predicate calls one of them.
//!
//! ```prolog
//! quota(U, N) :- '$not_entered', ( '$undecided' -> 'quota(if 1)'(U, N) ; 'quota(if 2)'(U, N) ).
//! ```
//!
//! The clause counts no entry, and the bounds are those of the worse alternative at each call.

use std::sync::Arc;

use costlens_body::{Arrow, build};
use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::format_smolstr;

use super::{FileScope, Making};
use crate::definitions::{Alternatives, Predicate, all_clauses, alternatives};
use crate::language::{ALTERNATIVE, Clause, ClauseKind, Closures, Functor};
use crate::rewriting::expansion::expanded_clauses;
use crate::workspace::Db;

/// The first goal of a clause whose entries do not count.
pub const NOT_ENTERED: &str = "$not_entered";

/// A goal without cost that succeeds in some programs and fails in others.
pub const UNDECIDED: &str = "$undecided";

/// Returns whether the clauses of a predicate that depends on undecided conditions determine its calls under each of them.
#[must_use]
pub fn has_alternatives(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    clauses_of_alternatives(db, predicate).is_some()
}

/// Returns the clauses of a predicate, and the alternatives among them.
fn clauses_of_alternatives<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
) -> Option<(Arc<[Clause]>, Alternatives)> {
    let alternatives = alternatives(db, predicate)?;
    let own = predicate.clauses(db).len();
    let clauses = expanded_clauses(db, predicate).unwrap_or_else(|| all_clauses(db, predicate));
    (clauses.len() == own && all_clauses(db, predicate).len() == own)
        .then_some((clauses, alternatives))
}

impl Making {
    /// Makes the alternatives of a predicate. Returns its clauses: one that calls the alternatives, or those of the only alternative.
    pub(super) fn alternatives<'db>(
        &mut self,
        scope: &FileScope<'db>,
        predicate: Predicate<'db>,
    ) -> Option<Arc<[Clause]>> {
        let (clauses, alternatives) = clauses_of_alternatives(scope.db, predicate)?;
        let functor = predicate.functor(scope.db);
        let mut names = Vec::new();
        for (number, present) in alternatives.iter().enumerate() {
            let present: Arc<[Clause]> = present.iter().map(|&i| clauses[i].clone()).collect();
            let present = self.rewritten(scope, &present).unwrap_or(present);
            if alternatives.len() == 1 {
                return Some(present);
            }
            let name = format_smolstr!("{}({ALTERNATIVE}{})", functor.name, number + 1);
            let made = Functor::new(name, functor.arity);
            let present = present
                .iter()
                .map(|clause| renamed(clause, &made))
                .collect();
            names.push(made.clone());
            self.made.insert(made, present);
        }
        Some(Arc::from([calling(functor, &names)]))
    }
}

/// Returns a clause under the name of an alternative.
fn renamed(clause: &Clause, made: &Functor) -> Clause {
    let mut terms = Terms::clone(&clause.terms);
    let arguments = terms.args(clause.head).to_vec();
    terms.replace(clause.head, made.name.clone(), &arguments);
    Clause {
        terms: Arc::new(terms),
        ..clause.clone()
    }
}

/// Returns the clause that calls one of the alternatives.
fn calling(functor: &Functor, alternatives: &[Functor]) -> Clause {
    let mut terms = Terms::default();
    let arguments: Vec<TermId> = (0..functor.arity)
        .map(|_| {
            let number = terms.variables();
            terms.push(Term::Var(number))
        })
        .collect();
    let head = terms.compound_or_atom(functor.name.clone(), &arguments);
    let mut body: Option<TermId> = None;
    for alternative in alternatives.iter().rev() {
        let call = terms.compound_or_atom(alternative.name.clone(), &arguments);
        body = Some(match body {
            None => call,
            Some(others) => {
                let condition = terms.atom(UNDECIDED);
                let then = build::if_then(&mut terms, Arrow::Hard, condition, call);
                build::disjunction(&mut terms, then, others)
            }
        });
    }
    let mark = terms.atom(NOT_ENTERED);
    let body = body.map_or(mark, |body| build::conjunction(&mut terms, mark, body));
    Clause {
        terms: Arc::new(terms),
        head,
        guard: None,
        body: Some(body),
        kind: ClauseKind::Rule,
        grammar_rule: false,
        closures: Closures::default(),
    }
}
