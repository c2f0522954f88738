//! Assumptions about expansion hooks.

use std::fmt;

use smol_str::SmolStr;

use crate::language::Functor;

/// An assumption about a hook whose results are not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unexpanded {
    /// The hook makes no clauses of predicates other than those of the expanded terms, and no directives that change other clauses.
    MakesNoOthers(SmolStr),
    /// The dynamic predicate, without which the hook fails, has no clauses while the file is read: its functor and its file.
    HasNoClauses(Functor, SmolStr),
    /// The hook, which takes every grammar rule, makes the clauses that SWI-Prolog makes of it.
    TranslatesGrammar(SmolStr),
    /// The hook, whose input is not known, leaves the clauses and goals of this file as they are.
    ChangesNothing(SmolStr),
    /// The goal, in the body of a clause of this file, does not add its hook before the file is read.
    IsNotAdded(SmolStr, SmolStr),
}

impl fmt::Display for Unexpanded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unexpanded::MakesNoOthers(hook) => {
                write!(
                    out,
                    "{hook} makes no clauses of other predicates, and no directives that affect them"
                )
            }
            Unexpanded::TranslatesGrammar(hook) => {
                write!(out, "{hook} translates grammar rules as SWI-Prolog does")
            }
            Unexpanded::ChangesNothing(hook) => {
                write!(
                    out,
                    "{hook} leaves the clauses and goals of this file as they are"
                )
            }
            Unexpanded::IsNotAdded(goal, path) => {
                write!(
                    out,
                    "`{goal}` in `{path}` does not run before this file is read"
                )
            }
            Unexpanded::HasNoClauses(guard, path) => {
                write!(
                    out,
                    "`{guard}` of `{path}` has no clauses while this file is read"
                )
            }
        }
    }
}
