//! Turns: a turn is the cost of one unfolding at a point, together with its calls.
//!
//! Turns determine the inequality for any form at a point: `T(n) = T(i) + T(n-1-i) + n` requires `f(4) - f(1) - f(2) >= 4` at n = 4, i = 1.
//! They are therefore computed once and used for all forms that are tried.

use std::rc::Rc;

use costlens_algebra::linear::fraction::Fraction;
use rustc_hash::FxHashMap;

use crate::graph::{CellId, components};

/// An alternative with one choice of its locals.
pub(crate) struct Turn {
    /// The cost, excluding the calls below.
    pub(crate) cost: Fraction,
    pub(crate) calls: Vec<TurnCall>,
}

/// A call to an unsolved cell: its coefficient, the cell, and the arguments.
pub(crate) type TurnCall = (Fraction, CellId, Vec<i128>);

/// A cell, a point in it, and whether every choice of the locals is included.
pub(crate) type TurnKey = (CellId, Vec<i128>, bool);

/// The computed turns for one set of open cells.
#[derive(Default)]
pub(crate) struct Turns {
    pub(crate) known: FxHashMap<TurnKey, Rc<[Turn]>>,
}

impl Turns {
    /// Clears all turns, because other cells are being solved.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }

    /// Returns whether the value at some computed point depends on itself plus a cost, so that no form is a bound. This is the case if
    /// predicates call each other with unchanged sizes.
    pub(crate) fn are_circular(&self) -> bool {
        let all: Vec<(&TurnKey, &Rc<[Turn]>)> = self.known.iter().collect();
        let mut numbers: FxHashMap<(CellId, &[i128]), Vec<usize>> = FxHashMap::default();
        for (number, ((cell, point, _), _)) in all.iter().enumerate() {
            numbers.entry((*cell, point)).or_default().push(number);
        }
        let nothing = Vec::new();
        let whole = |(factor, ..): &&TurnCall| factor.less(Fraction::ONE) == Some(false);
        let calls = |turn: &Turn| -> Vec<usize> {
            let calls = turn.calls.iter().filter(whole);
            let to = calls
                .flat_map(|(_, cell, args)| numbers.get(&(*cell, &args[..])).unwrap_or(&nothing));
            to.copied().collect()
        };
        let edges: Vec<Vec<usize>> = all
            .iter()
            .map(|(_, turns)| turns.iter().flat_map(&calls).collect())
            .collect();
        let mut circle = vec![0; all.len()];
        for (i, members) in components(&edges).iter().enumerate() {
            for &member in members {
                circle[member] = i;
            }
        }
        all.iter().enumerate().any(|(from, (_, turns))| {
            let costly = turns.iter().filter(|turn| turn.cost.is_positive());
            costly.flat_map(&calls).any(|to| circle[to] == circle[from])
        })
    }
}
