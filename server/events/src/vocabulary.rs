//! The vocabularies, and the indexes of the systems whose events they are.

/// The events of one cost model, which are counted together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vocabulary {
    /// The events of PADL'07, which are derived from the text of clauses.
    #[default]
    HighLevel,
    /// The events of PADL'07, and whatever else a Prolog system does for the text of a clause, regardless of its instruction set.
    Portable,
    /// The same for a system whose index uses only the principal functor of the first argument.
    FirstArgument,
    /// The instructions of PPDP'08.
    Ppdp08,
    /// The instructions of Costlens' own machine.
    Machine,
    /// The cells that SWI-Prolog allocates on its global stack.
    Heap,
    /// The events of [`Vocabulary::Portable`], and the instructions of SWI-Prolog.
    Swi,
    /// The same for code compiled with its flag `optimise` (`-O`).
    SwiOptimised,
    /// The events of [`Vocabulary::FirstArgument`], and the instructions of GNU Prolog.
    Gnu,
    /// The parts of resources that programs declare.
    Own,
}

impl Vocabulary {
    /// Returns true if it counts what any Prolog system does for the text of a clause.
    #[must_use]
    pub fn is_portable(self) -> bool {
        matches!(
            self,
            Vocabulary::Portable
                | Vocabulary::FirstArgument
                | Vocabulary::Swi
                | Vocabulary::SwiOptimised
                | Vocabulary::Gnu
        )
    }

    /// Returns true if it counts the work of built-ins whose time grows with their arguments.
    #[must_use]
    pub fn counts_work(self) -> bool {
        self.is_portable() || self == Vocabulary::Machine
    }

    /// Returns the index of the systems to which the vocabulary applies.
    #[must_use]
    pub fn index(self) -> Index {
        match self {
            Vocabulary::FirstArgument | Vocabulary::Gnu => Index::FirstArgument,
            _ => Index::JustInTime,
        }
    }
}

/// A system's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// Over the argument that distinguishes most clauses, and inside structures, built on demand: SWI-Prolog's.
    JustInTime,
    /// Over the principal functor of the first argument: GNU Prolog's.
    FirstArgument,
}
