//! Prices of events: constants of a platform, and what events count of a resource that a program declares.

use std::collections::BTreeMap;

use costlens_algebra::Rat;
use costlens_events::{Event, Vocabulary};

/// The price of one event: an estimate, and what it lies between.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Price {
    /// The best guess.
    pub estimate: Rat,
    /// Not more than it.
    pub least: Rat,
    /// Not less than it.
    pub most: Rat,
}

/// Prices of events on a platform. An event that is a word of its own and has no price costs nothing by itself; of a built-in or
/// an arithmetic function without a price nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prices {
    /// The platform's name, for messages.
    pub platform: String,
    /// The price of each event.
    pub of: BTreeMap<Event, Price>,
}

impl Prices {
    /// The events that have prices.
    #[must_use]
    pub fn vocabulary(&self) -> Vocabulary {
        let vocabularies = self.of.keys().map(Event::vocabulary);
        vocabularies.max().unwrap_or_default()
    }
}
