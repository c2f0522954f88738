//! Past runs in hints: their files are polled, since no client watches them.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::Owner;
use crate::lsp::observed::{Stamp, file_of};

/// The polling interval.
const LOOK: Duration = Duration::from_secs(2);

impl Owner {
    /// Starts or stops polling, depending on the settings.
    pub(super) fn watch_observations(&mut self) {
        let settings = &self.session.settings;
        let wanted = settings.enable && settings.hints.enable && settings.hints.observed;
        self.observed_at = wanted.then(|| Instant::now() + LOOK);
        self.observed = self.observed_now();
    }

    /// Computes hints again if runs have been added since the last check.
    pub(super) fn look_at_observations(&mut self, now: Instant) {
        self.observed_at = Some(now + LOOK);
        let stamps = self.observed_now();
        if stamps != self.observed {
            self.observed = stamps;
            for document in self.documents.values_mut() {
                document.hints.elsewhere_edited(now);
            }
        }
    }

    /// Returns the states of the files of past runs of all open documents.
    fn observed_now(&self) -> Vec<Stamp> {
        if self.observed_at.is_none() {
            return Vec::new();
        }
        let files: BTreeSet<_> = self.documents.keys().filter_map(file_of).collect();
        files.iter().map(|file| Stamp::read(file)).collect()
    }
}
