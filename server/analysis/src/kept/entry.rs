//! A kept result: the questions on which it depends, with fingerprints of the answers.

use costlens_infer::types::Pattern;
use costlens_program::Functor;
use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;

/// A kind of result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// The summary of a call.
    Summary,
    /// The summaries of the calls of a component that are solved together.
    Together,
    /// Bounds at numbers.
    AtNumbers,
}

/// Defines the questions about a predicate, and the list of all: a question that the list lacked would be in no trace.
macro_rules! questions {
    ($($name:ident,)*) => {
        /// A question about a predicate that has no other arguments.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum About {
            $($name,)*
        }

        impl About {
            /// All questions, in the order in which their answers are kept.
            pub(crate) const ALL: &'static [About] = &[$(About::$name,)*];
        }
    };
}

questions! {
    Clauses,
    Defined,
    AtHome,
    Dynamic,
    NoClauses,
    Hooked,
    Qualified,
    DeclaredDet,
    UnknownCallee,
    Assumed,
    Constrains,
    CostSubject,
    Relative,
    Trusted,
    WhyDynamic,
    Rewritten,
    Written,
    WhyUnreached,
    WhyUndefined,
    Membership,
    Suggested,
}

impl About {
    /// Returns the bit of the question in a set.
    pub(crate) fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The questions that were asked about the predicates and the file, and the fingerprints of the answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trace {
    /// For each predicate, the set of questions about it, and the fingerprint of all their answers.
    pub(crate) about: Vec<(Functor, u32, Fingerprint)>,
    /// Two predicates, and true if they are in one component.
    pub(crate) components: Vec<(Functor, Functor, bool)>,
    /// The types of the file, and other facts about it.
    pub(crate) of_file: Option<Fingerprint>,
    /// The assertions about built-in predicates.
    pub(crate) stated: Vec<Answered>,
    /// The summaries of calls in other components.
    pub(crate) summaries: Vec<Answered>,
    /// The calls in the same component that were solved before.
    pub(crate) solved: Vec<Answered>,
    /// Bounds of calls at numbers.
    pub(crate) at_numbers: Vec<(Functor, Pattern, Vec<i64>, Fingerprint)>,
}

/// A question about a call, with the fingerprint of the answer.
pub(crate) type Answered = (Functor, Pattern, Fingerprint);

/// A kept result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) trace: Trace,
    /// The names of the files that the result mentions.
    pub(crate) files: Vec<String>,
    /// The result, as bytes.
    pub(crate) result: Vec<u8>,
}
