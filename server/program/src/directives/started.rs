//! The goals that run when a file is loaded.

use std::sync::Arc;

use costlens_syntax::term::{CONS, TermId, Terms};

use super::file_facts::is_declaration;
use crate::language::directive;
use crate::workspace::{Db, SourceFile, terms};

/// The most goals that are collected: further ones say nothing new about how predicates are called.
const MOST_GOALS: usize = 500;

/// A goal outside of all clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartedGoal {
    /// The arena of the goal.
    pub terms: Arc<Terms>,
    /// The goal.
    pub goal: TermId,
}

/// The goals of `:- initialization(G).`, `:- G.` and `?- G.`, in the order of the file.
///
/// *Invalidated* by every edit, unchanged by those that leave the directives alone.
#[salsa::tracked(returns(deref))]
pub fn started_goals(db: &dyn Db, file: SourceFile) -> Vec<StartedGoal> {
    let mut found = Vec::new();
    for clause in &terms(db, file).clauses {
        let Some(root) = directive(&clause.terms, clause.root) else {
            continue;
        };
        for goal in clause.terms.chain(root, ",") {
            if found.len() >= MOST_GOALS {
                return found;
            }
            let Some((name, arity)) = clause.terms.functor(goal) else {
                continue;
            };
            let goal = match (name.as_str(), clause.terms.args(goal)) {
                ("initialization", &[inner] | &[inner, _]) => inner,
                (CONS, _) => continue,
                (name, _) if is_declaration(name, arity) => continue,
                _ => goal,
            };
            found.push(StartedGoal {
                terms: Arc::clone(&clause.terms),
                goal,
            });
        }
    }
    found
}
