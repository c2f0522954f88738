//! The runs of a node's clauses in all its worlds.

use costlens_algebra::linear::Region;

use super::ClauseRun;
use crate::world::World;

/// The clause runs in one world.
pub(crate) struct WorldRun {
    pub(crate) world: World,
    pub(crate) clauses: Vec<ClauseRun>,
}

/// The worlds of a region. The regions of a node are disjoint and cover its domain.
pub(crate) struct RegionRuns {
    pub(crate) region: Region,
    pub(crate) worlds: Vec<WorldRun>,
}
