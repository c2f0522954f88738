//! Counted instructions of the Prolog systems for which Costlens has compilers.

use costlens_events::{Counts, Vocabulary};
use costlens_syntax::term::TermId;

use crate::code::{ClauseText, Outcome};
use crate::{gnu, swi};

/// The instructions of a clause.
#[derive(Clone, Debug)]
pub enum Instructions {
    /// Instructions of SWI-Prolog; true for code compiled with its flag `optimise`.
    Swi(swi::CountedClause, bool),
    /// Instructions of GNU Prolog.
    Gnu(gnu::CountedClause),
}

impl Instructions {
    /// Compiles a clause to the instructions of a vocabulary. Returns `None` if the system does not compile the clause.
    #[must_use]
    pub fn compile(clause: &ClauseText<'_>, vocabulary: Vocabulary) -> Option<Self> {
        let optimise = match vocabulary {
            Vocabulary::Gnu => {
                let code = gnu::CountedClause::new(clause).ok()?;
                return Some(Instructions::Gnu(code));
            }
            Vocabulary::Swi => false,
            Vocabulary::SwiOptimised => true,
            _ => return None,
        };
        let settings = swi::Settings {
            optimise,
            ..swi::Settings::of_module("user")
        };
        let code = swi::CountedClause::new(clause, &settings).ok()?;
        Some(Instructions::Swi(code, optimise))
    }

    /// Returns whether arguments are unified in an order other than the written order, so that each needs a separate outcome.
    #[must_use]
    pub fn reorders(&self) -> bool {
        matches!(self, Instructions::Gnu(_))
    }

    /// Counts a tried head.
    #[must_use]
    pub fn tried(&self, outcomes: &[Outcome]) -> Counts {
        match self {
            Instructions::Swi(code, optimised) => code.tried(outcomes, *optimised),
            Instructions::Gnu(code) => code.tried(outcomes),
        }
    }

    /// Counts a goal that begins; zero if the goal has no code of its own.
    #[must_use]
    pub fn begun(&self, goal: TermId) -> Counts {
        match self {
            Instructions::Swi(code, optimised) => code.begun(goal, *optimised),
            Instructions::Gnu(code) => code.begun(goal),
        }
    }

    /// Returns whether the code of a goal of the clause calls a predicate; not for `call/N`, which calls a term.
    #[must_use]
    pub fn is_call(&self, goal: TermId) -> bool {
        match self {
            Instructions::Swi(code, _) => code.is_call(goal),
            Instructions::Gnu(_) => true,
        }
    }
}
