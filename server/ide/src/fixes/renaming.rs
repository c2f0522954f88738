//! Equality of terms in two clauses up to the renaming of variables.

use std::collections::BTreeMap;

use costlens_program::Clause;
use costlens_syntax::term::{Term, TermId};
use smol_str::SmolStr;

/// A bijection between variables of a second clause and variables of a first clause.
#[derive(Clone, Default)]
pub(super) struct Renaming {
    /// The mapping from the second clause to the first.
    pub(super) back: BTreeMap<u32, u32>,
    there: BTreeMap<u32, u32>,
}

impl Renaming {
    /// Returns true for terms that are equal up to a renaming of variables, and records the renaming.
    pub(super) fn unite(&mut self, first: &Clause, a: TermId, second: &Clause, b: TermId) -> bool {
        self.unite_named(first, a, second, b, &|f, g| f == g)
    }

    /// Like [`Self::unite`], but with a custom comparison for the names of compound terms.
    pub(super) fn unite_named(
        &mut self,
        first: &Clause,
        a: TermId,
        second: &Clause,
        b: TermId,
        is_same: &dyn Fn(&SmolStr, &SmolStr) -> bool,
    ) -> bool {
        let mut tried = self.clone();
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            match (first.terms.get(a), second.terms.get(b)) {
                (Term::Var(x), Term::Var(y)) => {
                    let same = *tried.back.entry(*y).or_insert(*x) == *x
                        && *tried.there.entry(*x).or_insert(*y) == *y;
                    if !same {
                        return false;
                    }
                }
                (Term::Compound(f, _), Term::Compound(g, _)) => {
                    let (xs, ys) = (first.terms.args(a), second.terms.args(b));
                    if !is_same(f, g) || xs.len() != ys.len() {
                        return false;
                    }
                    pairs.extend(xs.iter().copied().zip(ys.iter().copied()));
                }
                (x, y) if x != y => return false,
                _ => {}
            }
        }
        *self = tried;
        true
    }
}
