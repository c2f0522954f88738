//! The kinds of watching, which determine the records that the loop makes while it runs. Each kind has its own copy of the loop, so that a
//! run does not pay for records that were not requested.

/// A kind of watching.
pub(crate) trait Watch {
    /// True if events are counted for the whole run.
    const COUNT: bool;
    /// True if cost centres are measured: see [`crate::activations`].
    const CENTRES: bool;
    /// True if events are recorded in addition to the ports of centres.
    const EVENTS: bool;
    /// True if the outcomes of clause heads are recorded: see [`crate::heads`].
    const HEADS: bool;
    /// True if nothing is recorded for single instructions, so that an instruction may run the next one itself.
    const RUNS_ON: bool = !Self::COUNT && !Self::EVENTS;
}

/// No watching.
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
