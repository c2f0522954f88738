//! The vocabularies of events, and the clause indexing of the systems to which they apply.

/// The events of one cost model, which are counted together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vocabulary {
    /// The events of PADL'07, which follow from the text of clauses.
    #[default]
    HighLevel,
    /// The events of PADL'07, and further operations of a Prolog system that follow from the text of a clause, regardless of the
    /// instruction set.
    Portable,
    /// The events of [`Vocabulary::Portable`] for a system that indexes only the principal functor of the first argument.
    FirstArgument,
    /// The instructions of PPDP'08.
    Ppdp08,
    /// The instructions of Costlens' own machine.
    Machine,
    /// The cells that SWI-Prolog allocates on its global stack.
    Heap,
    /// The events of [`Vocabulary::Portable`], and the instructions of SWI-Prolog.
    Swi,
    /// The events of [`Vocabulary::Swi`] for code compiled with SWI-Prolog's flag `optimise` (`-O`).
    SwiOptimised,
    /// The events of [`Vocabulary::FirstArgument`], and the instructions of GNU Prolog.
    Gnu,
    /// The parts of resources that programs declare.
    Own,
    /// [`crate::Event::TotalWork`] alone.
    Work,
    /// [`crate::Event::Inference`] alone.
    Inferences,
}

impl Vocabulary {
    /// Returns true for vocabularies that count the operations of any Prolog system that follow from the text of a clause.
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

    /// Returns true for vocabularies that count the work of built-ins whose running time depends on their arguments.
    #[must_use]
    pub fn counts_work(self) -> bool {
        self.is_portable() || self == Vocabulary::Machine
    }

    /// Returns the kind of index in the systems to which the vocabulary applies.
    #[must_use]
    pub fn index(self) -> Index {
        match self {
            Vocabulary::FirstArgument | Vocabulary::Gnu => Index::FirstArgument,
            _ => Index::JustInTime,
        }
    }
}

/// The clause index of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// An index, built on demand, over the argument that distinguishes most clauses, and inside structures: SWI-Prolog's.
    JustInTime,
    /// An index over the principal functor of the first argument: GNU Prolog's.
    FirstArgument,
}
