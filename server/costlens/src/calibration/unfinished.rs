//! Resumption of a calibration that was cancelled or killed: complete processes are stored until the whole run is complete.

use std::path::Path;
use std::time::{Duration, SystemTime};

use costlens_engines::{Plan, Process, Version, Workload};
use serde::{Deserialize, Serialize};

use crate::disk::cache::{Answers, Cache, Fingerprint};
use crate::disk::platforms::processor;

/// The age beyond which measurements are not used, since the system or the engine may have changed.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The complete processes of an unfinished run.
pub(super) struct Unfinished {
    key: Fingerprint,
    /// `None` if there is no folder for the cache.
    cache: Option<Cache>,
    kept: StoredProcesses,
}

#[derive(Clone, Serialize, Deserialize)]
struct StoredProcesses {
    /// The time at which the first process was completed.
    begun: SystemTime,
    processes: Vec<Process>,
}

impl Unfinished {
    /// Opens the stored run of these workloads with this plan on this engine and processor; `fresh` discards it.
    pub(super) fn open(
        folder: Option<&Path>,
        version: &Version,
        plan: &Plan,
        workloads: &[Workload],
        fresh: bool,
    ) -> Self {
        let of = format!("calibration {version:?} {plan:?} {:?}", processor());
        let texts = workloads.iter().flat_map(|w| {
            let inputs = w.inputs.iter().map(String::as_bytes);
            let own = [&w.name, &w.clauses, &w.goal, &w.setup].map(|t| t.as_bytes());
            own.into_iter().chain(inputs)
        });
        let key = Fingerprint::compute(std::iter::once(of.as_bytes()).chain(texts));
        let cache = Cache::open(folder, &key);
        // A file in another format is set aside.
        let (mut answers, _): (Answers<StoredProcesses>, _) = match &cache {
            Some(cache) if !fresh => cache.read(),
            _ => Default::default(),
        };
        let is_young = |kept: &StoredProcesses| kept.begun.elapsed().is_ok_and(|age| age < LONGEST);
        let is_whole = |p: &Process| p.len() == workloads.len();
        let kept = (answers.remove(&key).filter(is_young))
            .filter(|kept| kept.processes.iter().all(is_whole));
        let nothing = || StoredProcesses {
            begun: SystemTime::now(),
            processes: Vec::new(),
        };
        Unfinished {
            key,
            cache,
            kept: kept.unwrap_or_else(nothing),
        }
    }

    /// Returns the complete processes.
    pub(super) fn processes(&self) -> &[Process] {
        &self.kept.processes
    }

    /// Stores a complete process. Returns false if it cannot be stored; a cancelled run then has to start over.
    pub(super) fn add(&mut self, process: &Process) -> bool {
        self.kept.processes.push(process.clone());
        let answers = Answers::from([(self.key.clone(), self.kept.clone())]);
        (self.cache.as_ref()).is_some_and(|cache| cache.write(answers).is_ok())
    }

    /// Ends the run and discards the stored processes.
    pub(super) fn finish(&self) {
        if let Some(cache) = &self.cache {
            cache.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &Path, seed: u64, fresh: bool) -> Unfinished {
        let version = Version {
            engine: "E".into(),
            version: "1".into(),
            build: String::new(),
            flags: String::new(),
        };
        let plan = Plan {
            seed,
            ..Plan::quick()
        };
        let workload = Workload {
            name: "w".into(),
            clauses: "p.".into(),
            goal: "p".into(),
            setup: "true".into(),
            inputs: Vec::new(),
        };
        Unfinished::open(Some(folder), &version, &plan, &[workload], fresh)
    }

    #[test]
    fn complete_processes_are_found_again_by_the_same_run_alone() {
        let folder = tempfile::tempdir().unwrap();
        let process = vec![Some((12.5, 2.25, 1000))];
        assert!(open(folder.path(), 1, false).add(&process));
        let again = open(folder.path(), 1, false);
        assert_eq!(again.processes(), std::slice::from_ref(&process));
        assert!(open(folder.path(), 2, false).processes().is_empty());
        assert!(open(folder.path(), 1, true).processes().is_empty());
        again.finish();
        assert!(open(folder.path(), 1, false).processes().is_empty());
    }

    #[test]
    fn old_and_incomplete_ones_are_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = open(folder.path(), 1, false);
        assert!(run.add(&Vec::new()));
        assert!(open(folder.path(), 1, false).processes().is_empty());
        run = open(folder.path(), 1, true);
        run.kept.begun = SystemTime::now() - LONGEST;
        assert!(run.add(&vec![None]));
        assert!(open(folder.path(), 1, false).processes().is_empty());
    }
}
