//! Paths to texts: files as named, folders for the Prolog files inside.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use costlens_ide::host::{File, Host};
use costlens_ide::sniff;

use super::ReadingOptions;
use super::output::Log;
use crate::disk::encoding::{decoded, encoding_of};
use crate::disk::folders::prolog_files;
use crate::disk::kin;
use crate::disk::listing::Area;
use crate::disk::place::place_of;
use crate::disk::project::ProjectFile;
use crate::disk::reader::Reader;

/// A file that was read.
pub(super) struct Source {
    /// Its name in messages.
    pub(super) name: String,
    /// Its place, whatever it is called.
    pub(super) place: String,
    pub(super) text: String,
}

/// The files of the paths, in a fixed order and each once, and whether every path could be used.
pub(super) fn read(paths: &[PathBuf], log: &Log) -> (Vec<Source>, bool) {
    let (mut sources, mut usable) = (Vec::new(), true);
    let mut places = HashSet::new();
    for path in paths {
        let mut files = Vec::new();
        if path.is_dir() {
            if let Err(error) = walk(path, &mut files) {
                log.error(&format!("{error:#}"));
                usable = false;
            } else if files.is_empty() {
                let name = path.display();
                log.warning(&format!("no Prolog files in `{name}`"));
            }
        } else {
            files.push(path.clone());
        }
        for file in files {
            match read_file(&file, log) {
                Ok(source) => {
                    // What is no Prolog in a folder is left out; a file that is named is what the user asks about.
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
                    usable = false;
                }
            }
        }
    }
    (sources, usable)
}

/// The workspace of paths: folders as they are, of a file its repository or folder.
pub(super) fn areas(paths: &[PathBuf]) -> Vec<Area> {
    let mut areas = Vec::new();
    for path in paths {
        let area = match path.is_dir() {
            true => Area::Tree(path.clone()),
            false => Area::of(path),
        };
        if !areas.contains(&area) {
            areas.push(area);
        }
    }
    areas
}

/// Opens files in a host, and reads what they load and what of their workspace belongs to their program.
pub(super) fn open(
    host: &mut Host,
    sources: &[Source],
    areas: &[Area],
    (reading, project): (&ReadingOptions, &ProjectFile),
    log: &Log,
) -> Vec<File> {
    host.set_dialect(reading.dialect.or(project.dialect));
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
    // On several threads; what loads what is looked up on one.
    let read = host.snapshot().read_clauses(&files, threads());
    debug_assert!(read.is_ok(), "nothing writes while a command reads");
    let mut reader = Reader::new(names);
    let mut count = reader.read(host, &files);
    count += kin::read(host, &files, areas, &mut reader);
    log.detail(&format!("{count} files read that belong to the program"));
    files
}

/// The number of processors.
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads one file. Bytes that are no text in its encoding are replaced, which changes no line number.
pub(super) fn read_file(path: &Path, log: &Log) -> anyhow::Result<Source> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{name}`"))?;
    let (text, replaced) = decoded(&bytes);
    if replaced {
        log.warning(&format!(
            "`{name}` is not {}: the bytes that are not are replaced",
            encoding_of(&bytes).name()
        ));
    }
    let place = place_of(path);
    Ok(Source { name, place, text })
}

/// The Prolog files below a folder, sorted.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for found in prolog_files(folder) {
        files.push(found.with_context(|| format!("cannot list `{}`", folder.display()))?);
    }
    files.sort();
    Ok(())
}
