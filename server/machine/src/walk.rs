//! Traversals of whole terms that neither recurse nor loop on cyclic terms.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cell::Cell;
use crate::store::Store;

impl Store {
    /// Visits every subterm from left to right, dereferenced, compounds before their arguments, until `visit` returns false. Shared
    /// compounds may be visited only once.
    fn visit(&self, term: Cell, mut visit: impl FnMut(Cell) -> bool) {
        let mut stack = vec![term];
        let mut budget = self.used();
        let mut seen = FxHashSet::default();
        while let Some(top) = stack.pop() {
            let top = self.deref(top);
            if !visit(top) {
                return;
            }
            if let Some((first, arity)) = self.arguments(top) {
                // There were more visits than heap cells: a subterm is shared, or contains itself.
                if budget == 0 && !seen.insert(top) {
                    continue;
                }
                budget = budget.saturating_sub(1);
                stack.extend((first..first + arity).rev().map(|i| self.cell(i)));
            }
        }
    }

    /// Returns the variables of a term, in the order of `term_variables/2`.
    #[must_use]
    pub fn variables(&self, term: Cell) -> Vec<Cell> {
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        self.visit(term, |t| {
            if t.is_reference() && seen.insert(t) {
                found.push(t);
            }
            true
        });
        found
    }

    /// Returns whether a term is ground.
    #[must_use]
    pub fn is_ground(&self, term: Cell) -> bool {
        let mut ground = true;
        self.visit(term, |t| {
            ground = !t.is_reference();
            ground
        });
        ground
    }

    /// Returns whether a variable occurs in a term.
    #[must_use]
    pub fn occurs(&self, variable: Cell, term: Cell) -> bool {
        let variable = self.deref(variable);
        let mut found = false;
        self.visit(term, |t| {
            found = t == variable;
            !found
        });
        found
    }

    /// Returns whether a term is acyclic: no compound in it contains itself.
    #[must_use]
    pub fn is_acyclic(&self, term: Cell) -> bool {
        let mut budget = self.used();
        let mut stack = vec![term];
        while let Some(top) = stack.pop() {
            let top = self.deref(top);
            if let Some((first, arity)) = self.arguments(top) {
                if budget == 0 {
                    return self.is_acyclic_marking(term);
                }
                budget -= 1;
                stack.extend((first..first + arity).map(|i| self.cell(i)));
            }
        }
        true
    }

    /// Returns whether a term is acyclic, with one visit per compound; `false` in the table marks compounds on the path from the root.
    fn is_acyclic_marking(&self, term: Cell) -> bool {
        enum Step {
            Enter(Cell),
            Leave(Cell),
        }
        let mut done: FxHashMap<Cell, bool> = FxHashMap::default();
        let mut stack = vec![Step::Enter(term)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Leave(cell) => {
                    done.insert(cell, true);
                }
                Step::Enter(cell) => {
                    let cell = self.deref(cell);
                    let Some((first, arity)) = self.arguments(cell) else {
                        continue;
                    };
                    match done.get(&cell) {
                        Some(true) => {}
                        Some(false) => return false,
                        None => {
                            done.insert(cell, false);
                            stack.push(Step::Leave(cell));
                            stack.extend((first..first + arity).map(|i| Step::Enter(self.cell(i))));
                        }
                    }
                }
            }
        }
        true
    }
}
