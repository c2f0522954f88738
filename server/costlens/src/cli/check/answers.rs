//! Answers about files: those of an earlier run where nothing that they rest on has changed, new ones elsewhere.

use std::path::PathBuf;
use std::sync::Arc;

use costlens_ide::host::{File, Host};
use costlens_ide::reports::check::FileCheck;
use costlens_ide::resources::Prices;

use super::Options;
use super::kept::{Found, Kept};
use crate::cli::files::threads;
use crate::cli::interrupted;
use crate::cli::output::Log;
use crate::disk::cache::{Answers, Cache, Fingerprint};
use crate::disk::place::folder_place;
use crate::disk::project::ProjectFile;

/// The place of kept answers.
#[derive(clap::Args)]
pub(super) struct CacheOptions {
    /// Keep nothing from one run to the next, and use nothing that was kept.
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
    /// Keep what was found in this folder. Without it: `costlens` in the user's cache folder.
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

impl CacheOptions {
    /// The answers of earlier runs over these paths.
    fn open(&self, paths: &[PathBuf]) -> Option<Cache> {
        if self.no_cache {
            return None;
        }
        let here = folder_place(&PathBuf::new());
        let paths = paths.iter().map(|path| path.as_os_str().as_encoded_bytes());
        let question = Fingerprint::of([here.as_bytes()].into_iter().chain(paths));
        Cache::open(self.cache.as_deref(), &question)
    }
}

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
        let Some(cache) = self.options.cache.open(&self.options.paths) else {
            return self.anew(self.files);
        };
        let fingerprints = self.fingerprints()?;
        let (mut kept, told) = cache.read::<Kept>();
        if let Some(told) = told {
            log.warning(&told);
        }
        let before = kept.len();
        kept.retain(|fingerprint, _| fingerprints.contains(fingerprint));
        let known: Vec<Option<Found>> = (fingerprints.iter())
            .map(|fingerprint| kept.get(fingerprint)?.found())
            .collect();
        let missing: Vec<File> = (self.files.iter().zip(&known))
            .filter(|(_, known)| known.is_none())
            .map(|(&file, _)| file)
            .collect();
        log.detail(&format!(
            "{} of {} files are as they were",
            self.files.len() - missing.len(),
            self.files.len()
        ));
        let is_same = missing.is_empty() && kept.len() == before;
        let mut fresh = self.anew(&missing)?.into_iter();
        let mut found = Vec::with_capacity(known.len());
        let mut answers: Answers<Kept> = kept;
        for (known, fingerprint) in known.into_iter().zip(fingerprints) {
            let answer = match known {
                Some(known) => known,
                None => {
                    let Some(fresh) = fresh.next() else { break };
                    if let Some(kept) = Kept::of(&fresh) {
                        answers.insert(fingerprint, kept);
                    }
                    fresh
                }
            };
            found.push(answer);
        }
        if !is_same && let Err(told) = cache.write(answers) {
            log.warning(&told);
        }
        Ok(found)
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

    /// The fingerprints of all that the answers about each file rest on.
    fn fingerprints(&self) -> anyhow::Result<Vec<Fingerprint>> {
        let snapshot = self.host.snapshot();
        let inputs = snapshot.inputs(self.files).map_err(interrupted)?;
        let shared = Fingerprint::of([
            inputs.shared.as_bytes(),
            self.project.text.as_bytes(),
            self.project.project.root.as_bytes(),
            format!("{:?}", self.prices).as_bytes(),
            format!("{:?}", self.options.reading.no_trust).as_bytes(),
            format!("{:?}", self.options.against.is_some()).as_bytes(),
        ]);
        let texts: Vec<Fingerprint> = (inputs.texts.iter())
            .map(|text| Fingerprint::of([text.as_bytes()]))
            .collect();
        let of_file = |(own, near): &(usize, Vec<usize>)| {
            let near = near.iter().map(|&number| texts[number].bytes());
            Fingerprint::of(
                [shared.bytes(), texts[*own].bytes()]
                    .into_iter()
                    .chain(near),
            )
        };
        Ok(inputs.of.iter().map(of_file).collect())
    }
}
