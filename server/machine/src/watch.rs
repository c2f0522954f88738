//! The kinds of watching: what the loop records while it runs. Each kind has its own copy of the loop, so that a run does not pay for records
//! that were not requested.

/// A kind of watching.
pub(crate) trait Watch {
    /// Counts what runs, once for the whole run.
    const COUNT: bool;
    /// Follows cost centres: see [`crate::activations`].
    const CENTRES: bool;
    /// Records events in addition to the ports of centres.
    const EVENTS: bool;
    /// Records the outcomes of clause heads: see [`crate::heads`].
    const HEADS: bool;
}

/// Nothing is watched.
pub(crate) struct Plain;

impl Watch for Plain {
    const COUNT: bool = false;
    const CENTRES: bool = false;
    const EVENTS: bool = false;
    const HEADS: bool = false;
}

/// See [`Watch::COUNT`].
pub(crate) struct Counting;

impl Watch for Counting {
    const COUNT: bool = true;
    const CENTRES: bool = false;
    const EVENTS: bool = false;
    const HEADS: bool = false;
}

/// The ports and the times of cost centres.
pub(crate) struct Ports;

impl Watch for Ports {
    const COUNT: bool = false;
    const CENTRES: bool = true;
    const EVENTS: bool = false;
    const HEADS: bool = false;
}

/// Cost centres with all events.
pub(crate) struct Events;

impl Watch for Events {
    const COUNT: bool = false;
    const CENTRES: bool = true;
    const EVENTS: bool = true;
    const HEADS: bool = false;
}

/// Cost centres with all events, and the heads of clauses.
pub(crate) struct Heads;

impl Watch for Heads {
    const COUNT: bool = false;
    const CENTRES: bool = true;
    const EVENTS: bool = true;
    const HEADS: bool = true;
}
