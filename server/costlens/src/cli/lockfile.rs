//! Lockfiles on the disk ([`costlens_ide::reports::lock`]): what files are called in them, and reading and writing.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use costlens_algebra::Rat;
use costlens_ide::host::{File, Host};
use costlens_ide::reports::changes::{Change, changes};
use costlens_ide::reports::lock::{self, Measured, Row};

use super::files::{Source, threads};
use super::interrupted;
use crate::disk::place::{folder_place, place_of};

/// The name of a lockfile that nobody named.
pub(super) const NAME: &str = "costlens.lock";

/// The predicates of each file, by the file's name in a lockfile.
pub(super) type Program = Vec<(String, Vec<Measured>)>;

/// The predicates of files as a lockfile in a folder has them.
pub(super) fn program(
    host: &Host,
    sources: &[Source],
    files: &[File],
    folder: &str,
) -> anyhow::Result<Program> {
    (host.snapshot())
        .prepare(files, threads())
        .map_err(interrupted)?;
    let measured = files.iter().map(|&file| {
        let measured = host.snapshot().measured(file);
        measured.map_err(interrupted)
    });
    let measured: Vec<Vec<Measured>> = measured.collect::<anyhow::Result<_>>()?;
    Ok(named(sources, measured, folder))
}

/// The predicates of files by the names that the files have in a lockfile in a folder.
pub(super) fn named(
    sources: &[Source],
    measured: impl IntoIterator<Item = Vec<Measured>>,
    folder: &str,
) -> Program {
    let names = (sources.iter()).map(|source| seen_from(folder, &source.place));
    names.zip(measured).collect()
}

/// The lines of a lockfile: the first call pattern of each predicate.
pub(super) fn rows(program: &Program) -> Vec<Row> {
    let all = program.iter().flat_map(|(file, measured)| {
        let first = measured.iter().filter_map(|m| m.patterns.first());
        first.map(|pattern| Row {
            file: file.clone(),
            ..pattern.row.clone()
        })
    });
    all.collect()
}

/// The place of the folder that a lockfile is in.
pub(super) fn folder_of(path: &Path) -> String {
    folder_place(path.parent().unwrap_or(Path::new("")))
}

/// Reads a lockfile.
///
/// # Errors
/// It cannot be read, or is none.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Row>> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read `{name}`; `costlens snapshot` writes it"))?;
    lock::read(&text).with_context(|| format!("cannot use `{name}`"))
}

/// Writes one, in whole or not at all.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let fresh = path.with_extension("lock.new");
    std::fs::write(&fresh, lock::to_text(rows))
        .and_then(|()| std::fs::rename(&fresh, path))
        .with_context(|| format!("cannot write `{name}`"))
}

/// The changes since a lockfile was written. Files of the lockfile that were below the folders that are looked at and exist no longer
/// count as empty.
pub(super) fn compare(
    before: &[Row],
    mut now: Program,
    (folder, paths): (&str, &[PathBuf]),
    tolerance: &Rat,
) -> Vec<Change> {
    let below: Vec<String> = (paths.iter().filter(|path| path.is_dir()))
        .map(|path| format!("{}/", folder_place(path).trim_end_matches('/')))
        .collect();
    let mut gone: Vec<&String> = (before.iter().map(|row| &row.file))
        .filter(|file| {
            let path = Path::new(folder).join(file);
            let place = place_of(&path);
            !path.exists()
                && below
                    .iter()
                    .any(|folder| place.starts_with(folder.as_str()))
        })
        .collect();
    gone.dedup();
    now.extend(gone.into_iter().map(|file| (file.clone(), Vec::new())));
    changes(before, &now, tolerance)
}

/// Changes, each with the number of its file among the names; files that are gone count as the first.
pub(super) fn numbered(changes: Vec<Change>, names: &[String]) -> Vec<(usize, Change)> {
    let number = |change: &Change| names.iter().position(|name| *name == change.file);
    (changes.into_iter())
        .map(|change| (number(&change).unwrap_or_default(), change))
        .collect()
}

/// A place as seen from a folder: `src/lists.pl`, `../lib/rows.pl`.
pub(super) fn seen_from(folder: &str, place: &str) -> String {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split('/').filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let (from, to) = (parts(folder), parts(place));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // Another drive.
    if common == 0 && !from.is_empty() {
        return place.to_owned();
    }
    let up = from[common..].iter().map(|_| "..".to_owned());
    let all: Vec<String> = up.chain(to[common..].iter().cloned()).collect();
    all.join("/")
}

/// A share: `10%`, `0.1`.
pub(super) fn tolerance(text: &str) -> Result<Rat, String> {
    let malformed = || format!("`{text}` is no share, as `10%` is");
    let (digits, whole) = match text.strip_suffix('%') {
        Some(digits) => (digits, 100),
        None => (text, 1),
    };
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number =
        !digits.is_empty() && (before.bytes().chain(after.bytes())).all(|b| b.is_ascii_digit());
    if !is_number || digits.len() > 20 {
        return Err(malformed());
    }
    let number: num_bigint::BigInt = format!("{before}{after}")
        .parse()
        .map_err(|_| malformed())?;
    let unit = num_bigint::BigInt::from(10).pow(u32::try_from(after.len()).unwrap_or(0));
    Ok(Rat::new(number, unit * whole))
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn places_are_seen_from_the_lockfile() {
        for (folder, place, expected) in [
            ("/w", "/w/src/a.pl", "src/a.pl"),
            ("/w/ci", "/w/src/a.pl", "../src/a.pl"),
            ("/", "/a.pl", "a.pl"),
            ("C:/w", "D:/a.pl", "D:/a.pl"),
        ] {
            assert_eq!(seen_from(folder, place), expected, "{place} from {folder}");
        }
    }

    #[test]
    fn shares_are_percentages_or_numbers() {
        assert_eq!(tolerance("10%"), Ok(Rat::new(1.into(), 10.into())));
        assert_eq!(tolerance("2.5%"), Ok(Rat::new(1.into(), 40.into())));
        assert_eq!(tolerance("0.1"), Ok(Rat::new(1.into(), 10.into())));
        for text in ["", "%", "ten", "-1%", "1/2", "1e3"] {
            assert!(tolerance(text).is_err(), "{text}");
        }
    }
}
