//! When the heap is collected, and what collections keep from one to the next.

use crate::collect::heap::Floor;
use crate::collect::slots::NeedsByAddress;

/// When the heap is collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collection {
    /// When it has grown by as much as the previous collection visited: the terms that survived, and the stacks.
    #[default]
    WhenGrown,
    /// At every call of a predicate while the query uses a few hundred cells, more rarely if it uses more. For tests.
    Eager,
    /// Never.
    Never,
}

/// The state of the collector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collector {
    pub(crate) collection: Collection,
    pub(crate) floor: Floor,
    /// The size of the store, in cells, at which the next collection runs.
    pub(crate) collect_at: usize,
    pub(crate) needs: NeedsByAddress,
    /// The number of collections so far.
    pub(crate) collections: u64,
}
