//! Reads the paths of a command: named files, and the Prolog files in folders.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use costlens_ide::host::{File, Host};
use costlens_ide::sniff;

use super::output::Log;
use super::{CommandOutcome, ReadingOptions};
use crate::disk::encoding::{encoding_of, into_text};
use crate::disk::folders::prolog_files;
use crate::disk::kin;
use crate::disk::listing::Area;
use crate::disk::place::place_of;
use crate::disk::project::ProjectFile;
use crate::disk::reader::Reader;

/// A file that was read.
pub(super) struct Source {
    /// The file's name in messages.
    pub(super) name: String,
    /// The file's canonical path, which does not depend on the name in messages.
    pub(super) place: String,
    pub(super) text: String,
}

/// The paths of a command, after listing.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// The paths.
    pub(super) paths: Vec<PathBuf>,
    /// Folders at or below these paths that could not be listed.
    pub(super) unlisted: Vec<PathBuf>,
    /// True if some path, or some file in a folder, could not be used.
    pub(super) is_partial: bool,
}

impl Listed {
    /// Returns the outcome of a command that has processed the usable files.
    pub(super) fn outcome(&self, is_wrong: bool) -> CommandOutcome {
        match (self.is_partial, is_wrong) {
            (true, _) => CommandOutcome::Unusable,
            (false, true) => CommandOutcome::Wrong,
            (false, false) => CommandOutcome::Fine,
        }
    }
}

/// Reads the files at or below the given paths, each once, in a fixed order. Unreadable files are reported and skipped.
pub(super) fn read(paths: &[PathBuf], log: &Log) -> (Vec<Source>, Listed) {
    let mut listed = Listed {
        paths: paths.to_vec(),
        ..Listed::default()
    };
    let mut sources = Vec::new();
    let mut places = HashSet::new();
    for path in paths {
        let mut files = Vec::new();
        if path.is_dir() {
            let unlisted = walk(path, &mut files, log);
            if files.is_empty() && unlisted.is_empty() {
                let name = path.display();
                log.warning(&format!("no Prolog files in `{name}`"));
            }
            listed.is_partial |= !unlisted.is_empty();
            listed.unlisted.extend(unlisted);
        } else {
            files.push(path.clone());
        }
        for file in files {
            match read_file(&file, log) {
                Ok(source) => {
                    // In folders, files that are not Prolog are skipped; named files are always checked.
                    if let Some(language) = sniff::other_language(&source.text) {
                        let name = &source.name;
                        if *path != file {
                            log.detail(&format!("`{name}` is {language}: skipped"));
                            continue;
                        }
                        log.warning(&format!("`{name}` looks like {language}"));
                    }
                    if places.insert(source.place.clone()) {
                        sources.push(source);
                    } else {
                        log.detail(&format!("`{}` is named twice", source.name));
                    }
                }
                Err(error) => {
                    log.error(&format!("{error:#}"));
                    listed.is_partial = true;
                }
            }
        }
    }
    (sources, listed)
}

/// Returns the areas that the given paths belong to: for a folder, the folder itself; for a file, its repository or folder.
pub(super) fn areas(paths: &[PathBuf]) -> Vec<Area> {
    let mut areas = Vec::new();
    for path in paths {
        let area = match path.is_dir() {
            true => Area::Tree(path.clone()),
            false => Area::containing(path),
        };
        if !areas.contains(&area) {
            areas.push(area);
        }
    }
    areas
}

/// Opens files in a host, with the files that they load and the workspace files that belong to their program.
pub(super) fn open(
    host: &mut Host,
    sources: &[Source],
    areas: &[Area],
    reading: &ReadingOptions,
    project: &ProjectFile,
    log: &Log,
) -> Vec<File> {
    if let Some(store) = reading.cache.summaries(log) {
        host.set_store(store);
    }
    host.set_dialect(reading.dialect.or(project.dialect));
    host.set_expansions(project.expansions.unwrap_or(true));
    let (libraries, names) = reading
        .libraries(project)
        .find(&[PathBuf::new()], project.version);
    host.set_libraries(&libraries);
    for library in &reading.no_trust {
        if !host.distrust(library) {
            log.warning(&format!("nothing is stated of library({library})"));
        }
    }
    let files: Vec<File> = (sources.iter())
        .map(|source| host.open_at(&source.name, &source.place, &source.text))
        .collect();
    // Files are parsed on several threads; load directives are resolved on a single thread.
    let read = host.snapshot().read_clauses(&files, threads());
    debug_assert!(read.is_ok(), "nothing writes while a command reads");
    let mut reader = Reader::new(names);
    let mut count = reader.read(host, &files);
    count += kin::read(host, &files, areas, &mut reader);
    log.detail(&format!("{count} files read that belong to the program"));
    files
}

/// Returns the number of processors.
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads one file. Bytes that are invalid in its encoding are replaced, which does not change line numbers.
pub(super) fn read_file(path: &Path, log: &Log) -> anyhow::Result<Source> {
    let name = path.display().to_string();
    // Reading a pipe without a writer would block. The pipes of shells have a writer: `costlens check <(…)`.
    let is_of_shell = path.starts_with("/dev/fd") || path.starts_with("/dev/stdin");
    let is_special = |found: std::fs::Metadata| !found.is_file() && !found.is_dir();
    if !is_of_shell && std::fs::metadata(path).is_ok_and(is_special) {
        bail!("cannot read `{name}`: it is no regular file");
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{name}`"))?;
    let encoding = encoding_of(&bytes);
    let (text, replaced) = into_text(bytes);
    if replaced {
        log.warning(&format!(
            "`{name}` is not {}: the bytes that are not are replaced",
            encoding.name()
        ));
    }
    let place = place_of(path);
    Ok(Source { name, place, text })
}

/// Collects the Prolog files below a folder, sorted. Returns the subfolders that cannot be listed, which are also reported.
fn walk(folder: &Path, files: &mut Vec<PathBuf>, log: &Log) -> Vec<PathBuf> {
    let mut unlisted = Vec::new();
    for found in prolog_files(folder) {
        match found {
            Ok(file) => files.push(file),
            Err(error) => {
                let place = place_of_error(&error).unwrap_or(folder).to_owned();
                let cause = error
                    .io_error()
                    .map_or_else(|| error.to_string(), ToString::to_string);
                log.error(&format!("cannot list `{}`: {cause}", place.display()));
                unlisted.push(place);
            }
        }
    }
    files.sort();
    unlisted
}

/// Returns the folder that caused an error of a walk.
fn place_of_error(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            place_of_error(err)
        }
        _ => None,
    }
}
