//! Cached findings of `check` for files, which are reused by later runs.

use std::sync::Arc;

use costlens_ide::host::{File, Host};
use costlens_ide::reports::check::FileCheck;
use costlens_ide::reports::lock::LockRow;
use costlens_ide::resources::Prices;

use super::Options;
use super::kept::FileFindings;
use crate::cli::files::threads;
use crate::cli::interrupted;
use crate::cli::lockfile::Before;
use crate::cli::output::Log;
use crate::cli::remembered::{answers, fingerprints};
use crate::disk::project::ProjectFile;

/// The subject of a check.
pub(super) struct CheckSubject<'a> {
    pub(super) options: &'a Options,
    pub(super) host: &'a Host,
    pub(super) files: &'a [File],
    /// The names of the files in the lockfile.
    pub(super) names: &'a [String],
    /// The lines of the lockfile.
    pub(super) before: Option<&'a Before>,
    pub(super) project: &'a ProjectFile,
    pub(super) prices: Option<&'a Arc<Prices>>,
}

impl CheckSubject<'_> {
    /// Returns the findings for each file.
    pub(super) fn answers(&self, log: &Log) -> anyhow::Result<Vec<FileFindings>> {
        let Some(cache) = self
            .options
            .reading
            .cache
            .open("check", &self.options.paths)
        else {
            return self.anew(self.files);
        };
        let rest = [
            format!("{:?}", self.prices),
            format!("{:?}", self.options.reading.no_trust),
            format!("{:?}", self.options.against.is_some()),
        ];
        let lines: Vec<String> = (self.names.iter())
            .map(|name| format!("{:?}", self.rows(name)))
            .collect();
        let fingerprints = fingerprints(self.host, self.files, self.project, &rest, &lines)?;
        answers(
            &cache,
            self.files,
            fingerprints,
            |missing| self.anew(missing),
            log,
        )
    }

    /// Returns the lines of the lockfile for a file.
    fn rows(&self, name: &str) -> Vec<&LockRow> {
        self.before
            .map(|before| before.rows_of_file(name))
            .unwrap_or_default()
    }

    fn anew(&self, files: &[File]) -> anyhow::Result<Vec<FileFindings>> {
        let snapshot = self.host.snapshot();
        snapshot.prepare(files, threads()).map_err(interrupted)?;
        let of_file = |&file: &File| {
            let project = Some(&*self.project.project);
            let check: FileCheck =
                (snapshot.check(file, self.prices, project)).map_err(interrupted)?;
            let place = self.files.iter().position(|&other| other == file);
            let name = place.and_then(|place| self.names.get(place));
            let measured = match (self.before, name) {
                (Some(before), Some(name)) => {
                    let measured = snapshot.measured(file, &before.rows_of_file(name));
                    Some(measured.map_err(interrupted)?)
                }
                _ => None,
            };
            Ok(FileFindings { check, measured })
        };
        files.iter().map(of_file).collect()
    }
}
