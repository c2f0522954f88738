//! Prices of events: the constants of a platform, and the units that events count for a resource declared by a program.

use std::collections::BTreeMap;

use costlens_algebra::Rat;
use costlens_events::{Event, Vocabulary};

/// The price of one event: an estimate, and the limits around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Price {
    /// The best estimate.
    pub estimate: Rat,
    /// A lower limit.
    pub least: Rat,
    /// An upper limit.
    pub most: Rat,
}

/// The prices of events on a platform. A named event without a price costs nothing by itself. For a built-in or an arithmetic function
/// without a price, the cost is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prices {
    /// The platform's name, for messages.
    pub platform: String,
    /// The price of each event.
    pub of: BTreeMap<Event, Price>,
}

impl Prices {
    /// Returns the vocabulary of the events with prices.
    #[must_use]
    pub fn vocabulary(&self) -> Vocabulary {
        let vocabularies = self.of.keys().map(Event::vocabulary);
        vocabularies.max().unwrap_or_default()
    }
}
