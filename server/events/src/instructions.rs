//! The instructions of the Prolog systems whose code is known, as they are counted.

use costlens_syntax::term::TermId;

use crate::code::{ClauseText, Outcome};
use crate::{Counts, Vocabulary, gnu, swi};

/// The instructions of a clause.
#[derive(Clone, Debug)]
pub enum Instructions {
    /// Instructions of SWI-Prolog, and whether they are code of its flag `optimise`.
    Swi(swi::CountedClause, bool),
    /// Instructions of GNU Prolog.
    Gnu(gnu::CountedClause),
}

impl Instructions {
    /// The instructions that a vocabulary has; none for a clause that the system does not compile.
    #[must_use]
    pub fn of(clause: &ClauseText<'_>, vocabulary: Vocabulary) -> Option<Self> {
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

    /// Returns whether arguments are unified in another order than they are written in, so that the outcome of each has to be its own.
    #[must_use]
    pub fn reorders(&self) -> bool {
        matches!(self, Instructions::Gnu(_))
    }

    /// A head that is tried.
    #[must_use]
    pub fn tried(&self, outcomes: &[Outcome]) -> Counts {
        match self {
            Instructions::Swi(code, optimised) => code.tried(outcomes, *optimised),
            Instructions::Gnu(code) => code.tried(outcomes),
        }
    }

    /// A goal that is begun; nothing where it has no code of its own.
    #[must_use]
    pub fn begun(&self, goal: TermId) -> Counts {
        match self {
            Instructions::Swi(code, optimised) => code.begun(goal, *optimised),
            Instructions::Gnu(code) => code.begun(goal),
        }
    }
}
