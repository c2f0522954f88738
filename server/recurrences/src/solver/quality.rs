//! The quality of a solution: where it is unknown, where it is not exact.

use costlens_algebra::Region;

use crate::system::{Cell, System};

/// The regions on which a solution is unknown or not exact.
#[derive(Default)]
pub(crate) struct Quality {
    pub(crate) unknown: Vec<(usize, Region)>,
    /// Bounded by a linear program.
    pub(crate) loose: Vec<(usize, Region)>,
}

impl Quality {
    pub(crate) fn is_exact(&self) -> bool {
        self.unknown.is_empty() && self.loose.is_empty()
    }

    /// The number of cells of a system that are unknown in part, and of those that are not exact; the less the better.
    pub(crate) fn of(&self, system: &System) -> (usize, usize) {
        let meets = |f: usize, cell: &Cell, all: &[(usize, Region)]| {
            all.iter()
                .any(|(g, r)| *g == f && !cell.region.and_all(r).is_empty())
        };
        let (mut unknown, mut loose) = (0, 0);
        for (f, function) in system.functions.iter().enumerate() {
            for cell in &function.cells {
                unknown += usize::from(meets(f, cell, &self.unknown));
                loose += usize::from(meets(f, cell, &self.loose));
            }
        }
        // Smaller parts of cells decide where cells do not.
        (unknown, loose)
    }
}
