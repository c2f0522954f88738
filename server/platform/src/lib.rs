//! Platforms: the cost of each event on a machine, in nanoseconds, and the origin of these constants.
//!
//! The time of a run is the product of a platform's vector of constants and the run's vector of counts: *K · I* (PADL'07 §2.2, equation 6).
//! Bounds on counts are inferred once; the platform is applied last.
//!
//! **Architecture invariant**: this crate contains only stored data and its parser. Constants are exact decimals; a file that deviates from
//! the documented format is rejected with the position of the error, and never read in part.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod read;
mod stored;
mod write;

use std::collections::BTreeMap;

use costlens_events::Event;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero as _;

pub use read::{Flaw, MalformedPlatform, measured, read};
pub use stored::{Missing, find, stored};
pub use write::{priced, write};

/// The cost of one event, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// The estimate.
    pub ns: BigRational,
    /// The lower end of its interval, with the confidence that the platform's origin states.
    pub low: BigRational,
    /// The upper end of its interval.
    pub high: BigRational,
}

/// A platform: a machine, an engine, and a cost model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Platform {
    /// The platform's name, as passed to `--platform`.
    pub name: String,
    /// The Prolog system.
    pub engine: String,
    /// The source: `shipped`, `user` or `paper`.
    pub source: String,
    /// The origin of the constants, in a sentence or two.
    pub origin: String,
    /// The time of measurement or publication.
    pub date: String,
    /// A description of the machine: properties and their values.
    pub machine: BTreeMap<String, String>,
    /// The constants. An event of [`Event::words`] without a constant is not part of the model and costs nothing by itself; a built-in or
    /// arithmetic function without a constant was not measured, so the time of runs that use it is unknown.
    pub constants: BTreeMap<Event, Constant>,
    /// The errors of the model on the data to which it was fitted, by kind.
    pub errors: BTreeMap<String, BigRational>,
    /// The programs to which the model was fitted; empty if unknown.
    pub programs: Vec<Measured>,
    /// The garbage collector; `None` if unknown.
    pub collection: Option<Collection>,
}

/// The parameters of a Prolog system's garbage collector.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Collection {
    /// The event that counts the built cells.
    pub cells: Event,
    /// The number of cells built before the first collection.
    pub first: BigRational,
    /// The nanoseconds of a collection without live cells.
    pub ns: BigRational,
    /// The nanoseconds for each live cell.
    pub ns_per_live_cell: BigRational,
}

impl Collection {
    /// Returns upper bounds on the number of collections while this many cells are built, and on their total time in nanoseconds.
    ///
    /// A collection runs when the heap has grown to three times what survived the previous collection. Therefore all collections except the
    /// last find at most half of the built cells alive; the last collection may find all built cells alive. Cells that the caller keeps
    /// alive are not included.
    #[must_use]
    pub fn of_cells(&self, cells: &BigRational) -> (BigInt, BigRational) {
        let times = (cells / &self.first).floor().to_integer();
        if times.is_zero() {
            return (times, BigRational::zero());
        }
        let most_alive = cells * BigRational::new(3.into(), 2.into());
        let ns = BigRational::from_integer(times.clone()) * &self.ns
            + most_alive * &self.ns_per_live_cell;
        (times, ns)
    }
}

/// The name under which [`Platform::factor`] is stored among the errors.
pub const FACTOR: &str = "factor_90";

impl Platform {
    /// Returns the factor within which nine out of ten predictions for held-out programs lie, in either direction: 1.2 for 20%. Returns
    /// `None` if it was not determined.
    #[must_use]
    pub fn factor(&self) -> Option<&BigRational> {
        self.errors.get(FACTOR)
    }
}

/// A program to which a platform was fitted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Measured {
    /// The program's name.
    pub name: String,
    /// The measured time, in nanoseconds.
    pub observed: BigRational,
    /// The predicted time, in nanoseconds.
    pub predicted: BigRational,
}
