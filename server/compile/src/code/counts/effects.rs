//! Effects of instructions on the heap and the trail.
//!
//! An instruction of a head, or of `X = f(Y)`, either inspects an existing term (*read*) or builds one for a variable (*write*). The
//! arguments of the call determine the mode; if they are unknown, the counts are a range.

use std::collections::BTreeMap;

use costlens_syntax::term::TermId;

use super::super::instruction::{Instruction, Test};

/// The known state of the term with which the clause's term is unified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TermState {
    /// A bound term.
    Bound,
    /// An unbound variable.
    Unbound,
    /// An unbound variable created by the same unification, so that no choice point is newer.
    New,
    /// A bound term or an unbound variable.
    #[default]
    Either,
}

/// The known states of the terms with which the clause's terms are unified.
#[derive(Clone, Debug, Default)]
pub struct Modes {
    /// The state of the term with which each compound or constant of the clause is unified.
    pub terms: BTreeMap<TermId, TermState>,
    /// The maximum number of variables bound by a unification with a variable of the clause that has a value.
    pub bindings: BTreeMap<TermId, u64>,
    /// True if a choice point is newer than the unified terms, so that bindings are trailed.
    pub trails: bool,
}

impl Modes {
    /// Adds the state of a term. For a term that occurs several times, the states are combined.
    pub fn add(&mut self, term: TermId, mode: TermState) {
        (self.terms.entry(term))
            .and_modify(|known| {
                if *known != mode {
                    *known = TermState::Either;
                }
            })
            .or_insert(mode);
    }

    /// Adds the maximum number of variables bound at an occurrence of a variable.
    pub fn add_bindings(&mut self, term: TermId, most: u64) {
        (self.bindings.entry(term))
            .and_modify(|known| *known = most.max(*known))
            .or_insert(most);
    }

    pub(crate) fn mode(&self, term: Option<TermId>) -> TermState {
        (term.and_then(|t| self.terms.get(&t)))
            .copied()
            .unwrap_or_default()
    }

    fn bindings_at(&self, term: Option<TermId>) -> Amount {
        let known = term.and_then(|t| self.bindings.get(&t));
        Amount::range(0, known.copied().unwrap_or(u64::MAX))
    }

    /// Returns the trail entries for binding a term with this mode.
    fn trailed(&self, mode: TermState) -> Amount {
        match mode {
            TermState::Bound | TermState::New => Amount::default(),
            TermState::Unbound => Amount::range(u64::from(self.trails), 1),
            TermState::Either => Amount::range(0, 1),
        }
    }
}

/// A minimum and a maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) least: u64,
    pub(super) most: u64,
}

impl Amount {
    fn range(least: u64, most: u64) -> Self {
        Amount { least, most }
    }

    fn exactly(n: u64) -> Self {
        Amount { least: n, most: n }
    }
}

/// The allocations of an instruction that succeeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AllocationEffect {
    pub(super) cells: Amount,
    pub(super) trail: Amount,
}

/// Tracks the effects of consecutive instructions.
pub(super) struct Effects<'m> {
    modes: &'m Modes,
    /// The mode of the structure whose arguments follow.
    mode: TermState,
}

impl<'m> Effects<'m> {
    pub(super) fn new(modes: &'m Modes) -> Self {
        Effects {
            modes,
            mode: TermState::Either,
        }
    }

    /// Returns this number of cells if a structure is being built, or zero if it already exists.
    fn written(&self, cells: u64) -> Amount {
        match self.mode {
            TermState::Bound => Amount::default(),
            TermState::Unbound | TermState::New => Amount::exactly(cells),
            TermState::Either => Amount::range(0, cells),
        }
    }

    /// Returns the allocations of an instruction that unifies `term`.
    pub(super) fn effect(
        &mut self,
        instruction: &Instruction,
        term: Option<TermId>,
    ) -> AllocationEffect {
        use Instruction as I;
        let none = Amount::default();
        let (cells, trail) = match instruction {
            I::GetList(_) => {
                self.mode = self.modes.mode(term);
                (none, self.modes.trailed(self.mode))
            }
            I::GetStructure(..) => {
                self.mode = self.modes.mode(term);
                (self.written(1), self.modes.trailed(self.mode))
            }
            I::GetConstant(..) => (none, self.modes.trailed(self.modes.mode(term))),
            I::GetValue(..) => (none, self.modes.bindings_at(term)),
            I::UnifyVariable(_) => (self.written(1), none),
            I::UnifyVoid(n) => (self.written(u64::from(*n)), none),
            I::UnifyConstant(_) => (self.written(1), self.in_read_mode(term)),
            I::UnifyValue(_) => {
                let trail = match self.mode {
                    TermState::Unbound | TermState::New => none,
                    TermState::Bound | TermState::Either => self.modes.bindings_at(term),
                };
                (self.written(1), trail)
            }
            I::UnifyList => {
                let (cells, trail) = (self.written(1), self.in_read_mode(term));
                self.descend(term);
                (cells, trail)
            }
            I::UnifyStructure(_) => {
                let trail = self.in_read_mode(term);
                let reference = self.written(1);
                self.descend(term);
                // A structure that is built has a separate cell for its functor, even if it is nested.
                let functor = self.written(1);
                let cells = Amount::range(
                    reference.least + functor.least,
                    reference.most + functor.most,
                );
                (cells, trail)
            }
            I::PutVariable(..)
            | I::PutStructure(..)
            | I::SetVariable(_)
            | I::SetValue(_)
            | I::SetConstant(_)
            | I::SetList => (Amount::exactly(1), none),
            I::SetStructure(_) => (Amount::exactly(2), none),
            I::SetVoid(n) => (Amount::exactly(u64::from(*n)), none),
            I::Test(Test::Unify(..), _) => (none, self.modes.trailed(self.modes.mode(term))),
            _ => (none, none),
        };
        AllocationEffect { cells, trail }
    }

    /// Returns the trail entries of an instruction that binds a variable in read mode, and binds nothing in write mode.
    fn in_read_mode(&self, term: Option<TermId>) -> Amount {
        match self.mode {
            TermState::Unbound | TermState::New => Amount::default(),
            TermState::Bound => self.modes.trailed(self.modes.mode(term)),
            TermState::Either => Amount::range(0, 1),
        }
    }

    /// Continues in the last argument.
    fn descend(&mut self, term: Option<TermId>) {
        self.mode = match self.mode {
            TermState::Unbound | TermState::New => TermState::New,
            TermState::Bound => self.modes.mode(term),
            TermState::Either => TermState::Either,
        };
    }
}
