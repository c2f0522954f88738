//! Answers about files: what `check` finds, remembered from one run to the next.

use std::sync::Arc;

use costlens_ide::host::{File, Host};
use costlens_ide::reports::check::FileCheck;
use costlens_ide::resources::Prices;

use super::Options;
use super::kept::{Found, Kept};
use crate::cli::files::threads;
use crate::cli::interrupted;
use crate::cli::output::Log;
use crate::cli::remembered::{answers, fingerprints};
use crate::disk::project::ProjectFile;

/// The subject of a check.
pub(super) struct Question<'a> {
    pub(super) options: &'a Options,
    pub(super) host: &'a Host,
    pub(super) files: &'a [File],
    pub(super) project: &'a ProjectFile,
    pub(super) prices: Option<&'a Arc<Prices>>,
}

impl Question<'_> {
    /// The answer about each of the files.
    pub(super) fn answers(&self, log: &Log) -> anyhow::Result<Vec<Found>> {
        let Some(cache) = self.options.cache.open("check", &self.options.paths) else {
            return self.anew(self.files);
        };
        let rest = [
            format!("{:?}", self.prices),
            format!("{:?}", self.options.reading.no_trust),
            format!("{:?}", self.options.against.is_some()),
        ];
        let fingerprints = fingerprints(self.host, self.files, self.project, &rest)?;
        answers::<Kept>(
            &cache,
            self.files,
            fingerprints,
            |missing| self.anew(missing),
            log,
        )
    }

    fn anew(&self, files: &[File]) -> anyhow::Result<Vec<Found>> {
        let snapshot = self.host.snapshot();
        snapshot.prepare(files, threads()).map_err(interrupted)?;
        let of_file = |&file: &File| {
            let project = Some(&*self.project.project);
            let check: FileCheck =
                (snapshot.check(file, self.prices, project)).map_err(interrupted)?;
            let measured = match self.options.against {
                Some(_) => Some(snapshot.measured(file).map_err(interrupted)?),
                None => None,
            };
            Ok(Found { check, measured })
        };
        files.iter().map(of_file).collect()
    }
}
