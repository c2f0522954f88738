//! Cyclic terms: `@(S_1,[S_1=f(S_1)])`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cell::Cell;

use super::{Step, Writer};

enum Visit {
    Enter(Cell),
    Leave(Cell),
}

impl Writer<'_> {
    /// Names the compounds that contain themselves, in the order in which the traversal leaves them, and queues the term with its
    /// substitutions.
    pub(super) fn factorized(&mut self, term: Cell) {
        let mut order = Vec::new();
        // True for a compound that is still on the path; finished compounds need no second visit.
        let mut open: FxHashMap<Cell, bool> = FxHashMap::default();
        let mut again = FxHashSet::default();
        let mut visits = vec![Visit::Enter(term)];
        while let Some(visit) = visits.pop() {
            match visit {
                Visit::Enter(cell) => {
                    let cell = self.store.deref(cell);
                    let Some((first, arity)) = self.store.arguments(cell) else {
                        continue;
                    };
                    match open.get(&cell) {
                        Some(true) => {
                            again.insert(cell);
                        }
                        Some(false) => {}
                        None => {
                            open.insert(cell, true);
                            visits.push(Visit::Leave(cell));
                            visits.extend(
                                (first..first + arity)
                                    .rev()
                                    .map(|i| Visit::Enter(self.store.cell(i))),
                            );
                        }
                    }
                }
                Visit::Leave(cell) => {
                    open.insert(cell, false);
                    if again.contains(&cell) {
                        order.push(cell);
                    }
                }
            }
        }
        self.labels = order
            .iter()
            .enumerate()
            .map(|(i, &cell)| (cell, i + 1))
            .collect();
        self.steps.push(Step::Raw("])"));
        for (i, &cell) in order.iter().enumerate().rev() {
            self.steps.push(Step::Label(cell, i + 1));
            if i > 0 {
                self.steps.push(Step::Raw(","));
            }
        }
        self.steps.push(Step::Raw(",["));
        self.steps.push(Step::Argument(term, 1));
        self.steps.push(Step::Raw("@("));
    }
}
