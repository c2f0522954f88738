//! The quality of a solution: the regions on which it is unknown or inexact.

use costlens_algebra::Region;

use crate::system::{Cell, System};

/// The regions on which a solution is unknown or inexact.
#[derive(Default)]
pub(crate) struct Quality {
    pub(crate) unknown: Vec<(usize, Region)>,
    /// The regions with a bound from a linear program.
    pub(crate) loose: Vec<(usize, Region)>,
}

impl Quality {
    pub(crate) fn is_exact(&self) -> bool {
        self.unknown.is_empty() && self.loose.is_empty()
    }

    /// Returns the number of partly unknown cells of a system, and the number of inexact cells; fewer is better.
    pub(crate) fn count_cells(&self, system: &System) -> (usize, usize) {
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
        // If the numbers of cells are equal, smaller parts of cells decide.
        (unknown, loose)
    }
}
