//! Variables of a clause while it is walked through: what their values depend on.

use costlens_syntax::term::{TermId, Terms};

/// The knowledge of a variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It is unbound, and nobody else knows it.
    Free,
    /// Anything.
    Partial,
    /// It has no variables.
    Ground,
}

/// The state of all variables.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) deps: Vec<u64>,
    pub(super) known: Vec<Known>,
    /// Variables of one number may share.
    class: Vec<u32>,
}

impl State {
    pub(super) fn new(variables: u32) -> Self {
        State {
            deps: vec![0; variables as usize],
            known: vec![Known::Free; variables as usize],
            class: (0..variables).collect(),
        }
    }

    /// The inputs that a term depends on.
    pub(super) fn deps_of(&self, terms: &Terms, id: TermId) -> u64 {
        let variables = terms.variables_of(id).into_iter();
        variables.fold(0, |sum, v| sum | self.deps[v as usize])
    }

    pub(super) fn is_ground(&self, terms: &Terms, id: TermId) -> bool {
        let mut variables = terms.variables_of(id).into_iter();
        variables.all(|v| self.known[v as usize] == Known::Ground)
    }

    /// True for a variable that is unbound for sure.
    pub(super) fn is_free(&self, terms: &Terms, id: TermId) -> bool {
        match terms.get(id) {
            costlens_syntax::term::Term::Var(v) => self.known[*v as usize] == Known::Free,
            _ => false,
        }
    }

    /// A term may have got a value, that depends on these.
    pub(super) fn assign(&mut self, terms: &Terms, id: TermId, deps: u64, ground: bool) {
        for variable in terms.variables_of(id) {
            let v = variable as usize;
            if self.known[v] == Known::Ground {
                continue;
            }
            let class = self.class[v];
            for other in 0..self.class.len() {
                if self.class[other] == class && self.known[other] != Known::Ground {
                    self.deps[other] |= deps;
                }
            }
            self.known[v] = match ground {
                true => Known::Ground,
                false => Known::Partial,
            };
        }
    }

    /// The variables of terms that are not ground may share from now on.
    pub(super) fn share(&mut self, terms: &Terms, ids: &[TermId]) {
        let mut first: Option<u32> = None;
        for &id in ids {
            for v in terms.variables_of(id) {
                if self.known[v as usize] == Known::Ground {
                    continue;
                }
                let (own, into) = (
                    self.class[v as usize],
                    *first.get_or_insert(self.class[v as usize]),
                );
                if own != into {
                    for class in self.class.iter_mut().filter(|c| **c == own) {
                        *class = into;
                    }
                }
            }
        }
        // What shares depends on the same.
        if let Some(class) = first {
            let members: Vec<usize> = (0..self.class.len())
                .filter(|&v| self.class[v] == class && self.known[v] != Known::Ground)
                .collect();
            let all = members.iter().fold(0, |sum, &v| sum | self.deps[v]);
            for v in members {
                self.deps[v] = all;
            }
        }
    }

    /// Joins two states.
    pub(super) fn join(&mut self, other: &State) {
        for v in 0..self.deps.len() {
            self.deps[v] |= other.deps[v];
            if self.known[v] != other.known[v] {
                self.known[v] = Known::Partial;
            }
            // Sharing of either.
            let (own, theirs) = (self.class[v], other.class[v]);
            if own != theirs {
                for class in self.class.iter_mut().filter(|c| **c == theirs) {
                    *class = own;
                }
            }
        }
    }
}
