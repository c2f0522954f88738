//! Cached results for files: a cached result is reused if none of its dependencies has changed.

use std::path::PathBuf;

use costlens_analysis::kept::Store;
use costlens_ide::host::{File, Host};
use serde::{Deserialize, Serialize};

use super::interrupted;
use super::output::Log;
use crate::disk::cache::{Answers, Cache, Fingerprint};
use crate::disk::place::folder_place;
use crate::disk::project::ProjectFile;
use crate::disk::summaries::Summaries;

/// Options for cached results.
#[derive(clap::Args)]
pub(super) struct CacheOptions {
    /// Neither read nor write cached results.
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
    /// The folder for cached results. Default: `costlens` in the user's cache folder.
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

impl CacheOptions {
    /// Opens the cached results of a command for these paths.
    pub(super) fn open(&self, command: &str, paths: &[PathBuf]) -> Option<Cache> {
        if self.no_cache {
            return None;
        }
        let here = folder_place(&PathBuf::new());
        let paths = paths.iter().map(|path| path.as_os_str().as_encoded_bytes());
        let question = [command.as_bytes(), here.as_bytes()];
        let question = Fingerprint::compute(question.into_iter().chain(paths));
        Cache::open(self.cache.as_deref(), &question)
    }
}

impl CacheOptions {
    /// Opens the kept summaries of earlier runs.
    pub(super) fn summaries(&self, log: &Log) -> Option<Box<dyn Store>> {
        if self.no_cache {
            return None;
        }
        let (found, told) = Summaries::open(self.cache.as_deref());
        if let Some(told) = told {
            log.warning(&told);
        }
        Some(Box::new(found?))
    }
}

/// A result that can be cached.
pub(super) trait Cacheable: Serialize + for<'de> Deserialize<'de> + Clone {
    /// Returns the result as a later run reads it, or `None` if it would differ.
    fn read_back(&self) -> Option<Self>;
}

/// Returns the result for each file: a cached result if the fingerprint of all its dependencies is the same, otherwise a new result.
pub(super) fn answers<K: Cacheable>(
    cache: &Cache,
    files: &[File],
    fingerprints: Vec<Fingerprint>,
    anew: impl FnOnce(&[File]) -> anyhow::Result<Vec<K>>,
    log: &Log,
) -> anyhow::Result<Vec<K>> {
    let (mut kept, told) = cache.read::<K>();
    if let Some(told) = told {
        log.warning(&told);
    }
    let before = kept.len();
    kept.retain(|fingerprint, _| fingerprints.contains(fingerprint));
    let known: Vec<Option<K>> = (fingerprints.iter())
        .map(|fingerprint| kept.get(fingerprint).cloned())
        .collect();
    let missing: Vec<File> = (files.iter().zip(&known))
        .filter(|(_, known)| known.is_none())
        .map(|(&file, _)| file)
        .collect();
    log.detail(&format!(
        "{} of {} files are as they were",
        files.len() - missing.len(),
        files.len()
    ));
    let is_same = missing.is_empty() && kept.len() == before;
    let mut fresh = anew(&missing)?.into_iter();
    let mut found = Vec::with_capacity(known.len());
    let mut answers: Answers<K> = kept;
    for (known, fingerprint) in known.into_iter().zip(fingerprints) {
        let answer = match known {
            Some(known) => known,
            None => {
                let Some(fresh) = fresh.next() else { break };
                if let Some(kept) = fresh.read_back() {
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

/// Returns the fingerprint of all dependencies of each file's result. Like texts and project, `rest` is part of all fingerprints; `own` is
/// specific to each file.
pub(super) fn fingerprints(
    host: &Host,
    files: &[File],
    project: &ProjectFile,
    rest: &[String],
    own: &[String],
) -> anyhow::Result<Vec<Fingerprint>> {
    let inputs = host.snapshot().inputs(files).map_err(interrupted)?;
    let common = [
        inputs.shared.as_bytes(),
        project.text.as_bytes(),
        project.project.root.as_bytes(),
    ];
    let rest = rest.iter().map(String::as_bytes);
    let shared = Fingerprint::compute(common.into_iter().chain(rest));
    let texts: Vec<Fingerprint> = (inputs.texts.iter())
        .map(|text| Fingerprint::compute([text.as_bytes()]))
        .collect();
    let of_file = |(place, (text, near)): (usize, &(usize, Vec<usize>))| {
        let near = near.iter().map(|&number| texts[number].bytes());
        let asked = own.get(place).map(String::as_bytes);
        Fingerprint::compute(
            [shared.bytes(), texts[*text].bytes()]
                .into_iter()
                .chain(near)
                .chain(asked),
        )
    };
    Ok(inputs.of.iter().enumerate().map(of_file).collect())
}
