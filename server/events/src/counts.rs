//! Vectors of counts.

use std::collections::BTreeMap;

use crate::Event;

/// A number of events, with a minimum and a maximum: if the mode of an argument is not known, each of its symbols counts for one event or the
/// other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Count {
    /// The minimum.
    pub least: u64,
    /// The maximum.
    pub most: u64,
}

/// The number of times that each event happens; events that are not listed do not happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Counts<E = Event>(BTreeMap<E, Count>);

impl<E> Default for Counts<E> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<E: Clone + Ord> Counts<E> {
    /// Counts one event once.
    #[must_use]
    pub fn once(event: E) -> Self {
        let mut counts = Self::default();
        counts.add(event, 1);
        counts
    }

    /// Counts an event that certainly happens.
    pub fn add(&mut self, event: E, times: u64) {
        self.add_between(event, times, times);
    }

    /// Counts an event that happens between `least` and `most` times.
    pub fn add_between(&mut self, event: E, least: u64, most: u64) {
        if most == 0 {
            return;
        }
        let count = self.0.entry(event).or_default();
        count.least = count.least.saturating_add(least);
        count.most = count.most.saturating_add(most);
    }

    /// Adds the other's counts.
    pub fn extend(&mut self, other: &Self) {
        for (event, count) in &other.0 {
            self.add_between(event.clone(), count.least, count.most);
        }
    }

    /// Returns the number of times that an event happens.
    #[must_use]
    pub fn of(&self, event: &E) -> Count {
        self.0.get(event).copied().unwrap_or_default()
    }

    /// Returns the events that may happen.
    pub fn events(&self) -> impl Iterator<Item = &E> {
        self.0.keys()
    }

    /// Returns true if nothing is counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
