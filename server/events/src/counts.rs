//! Event counts.

use std::collections::BTreeMap;

use crate::Event;

/// The minimum and maximum number of occurrences of an event. They differ if the mode of an argument is unknown: each symbol of the
/// argument then counts as either of two events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Count {
    /// The minimum.
    pub least: u64,
    /// The maximum.
    pub most: u64,
}

/// The number of occurrences of each event; zero for events that are not listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Counts<E = Event>(BTreeMap<E, Count>);

impl<E> Default for Counts<E> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<E: Clone + Ord> Counts<E> {
    /// Returns a count of one for one event.
    #[must_use]
    pub fn once(event: E) -> Self {
        let mut counts = Self::default();
        counts.add(event, 1);
        counts
    }

    /// Adds a certain number of occurrences of an event.
    pub fn add(&mut self, event: E, times: u64) {
        self.add_between(event, times, times);
    }

    /// Adds between `least` and `most` occurrences of an event.
    pub fn add_between(&mut self, event: E, least: u64, most: u64) {
        if most == 0 {
            return;
        }
        let count = self.0.entry(event).or_default();
        count.least = count.least.saturating_add(least);
        count.most = count.most.saturating_add(most);
    }

    /// Adds all counts of another value.
    pub fn extend(&mut self, other: &Self) {
        for (event, count) in &other.0 {
            self.add_between(event.clone(), count.least, count.most);
        }
    }

    /// Returns the number of occurrences of an event.
    #[must_use]
    pub fn get(&self, event: &E) -> Count {
        self.0.get(event).copied().unwrap_or_default()
    }

    /// Returns the events that may occur.
    pub fn events(&self) -> impl Iterator<Item = &E> {
        self.0.keys()
    }

    /// Returns true if there are no counts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
