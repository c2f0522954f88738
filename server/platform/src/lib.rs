//! Platforms: what each event costs on a machine, in nanoseconds, and where that is known from.
//!
//! The time of a run is the vector of a platform's constants times the vector of the run's counts: *K · I* (PADL'07 §2.2,
//! equation 6). Bounds on counts are inferred once; a platform comes last.
//!
//! **Architecture invariant**: stored data and its reader, nothing else. Constants are exact decimals; a file that says
//! something else than is documented is refused, with the place, and never read in part.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod read;
mod stored;
mod write;

use std::collections::BTreeMap;

use costlens_events::Event;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero as _;

pub use read::{Flaw, Malformed, measured, read};
pub use stored::{Missing, find, stored};
pub use write::{priced, write};

/// The cost of one event, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// The estimate.
    pub ns: BigRational,
    /// The least that it may be, with the confidence that the platform's origin states.
    pub low: BigRational,
    /// The most that it may be.
    pub high: BigRational,
}

/// A platform: a machine, an engine, and a model of what costs time there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Platform {
    /// The platform's name, as `--platform` takes it.
    pub name: String,
    /// The Prolog system.
    pub engine: String,
    /// `shipped`, `user` or `paper`.
    pub source: String,
    /// The origin of the constants, in a sentence or two.
    pub origin: String,
    /// The time of measurement or publication.
    pub date: String,
    /// The machine: what is described, and how.
    pub machine: BTreeMap<String, String>,
    /// The constants. A word of [`Event::words`] without one is no part of the model and costs nothing by itself; a built-in or
    /// an arithmetic function without one was not measured, and no time is known where it runs.
    pub constants: BTreeMap<Event, Constant>,
    /// The errors of the model where it was fitted: what was measured, and the number.
    pub errors: BTreeMap<String, BigRational>,
    /// The programs that it was fitted to; none where they are not known.
    pub programs: Vec<Measured>,
    /// The garbage collector; none where nothing is known of it.
    pub collection: Option<Collection>,
}

/// When a Prolog system collects garbage, and what that takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Collection {
    /// The event that counts the cells that a program builds.
    pub cells: Event,
    /// The cells that a program builds before its first collection.
    pub first: BigRational,
    /// The nanoseconds of a collection that finds nothing alive.
    pub ns: BigRational,
    /// The nanoseconds for each cell that is alive.
    pub ns_per_live_cell: BigRational,
}

impl Collection {
    /// How often cells of this number are collected, and the nanoseconds that this takes at most.
    ///
    /// A collection comes when there is three times as much as the one before has left alive. So all but the last one find at most half of
    /// what is built, and the last one at most all of it. What the caller keeps alive is left out of account.
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

/// The name of the error that [`Platform::factor`] is.
pub const FACTOR: &str = "factor_90";

impl Platform {
    /// The factor that nine in ten predictions of programs left out of the fit are off by at most, up or down: 1.2 for a fifth. None where
    /// that was not found out.
    #[must_use]
    pub fn factor(&self) -> Option<&BigRational> {
        self.errors.get(FACTOR)
    }
}

/// A program that a platform was fitted to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// The time that it took, in nanoseconds.
    pub observed: BigRational,
    /// The time that the constants give.
    pub predicted: BigRational,
}
