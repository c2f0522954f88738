//! Lockfiles on disk ([`costlens_ide::reports::lock`]): names of files in them, reading and writing.

use std::path::Path;

use anyhow::Context as _;
use costlens_algebra::Rat;
use costlens_algebra::text::decimal;
use costlens_ide::host::{File, Host};
use costlens_ide::reports::changes::{Change, changes, with_new_names};
use costlens_ide::reports::lock::{self, LockRow, MeasuredPredicate};
use num_traits::One as _;

use super::files::{self, Source, threads};
use super::interrupted;
use super::output::Log;
use crate::disk::place::{folder_place, place_of};

/// The default name of a lockfile.
pub(super) const NAME: &str = "costlens.lock";

/// The predicates of each file, by the file's name in a lockfile.
pub(super) type LockedFiles = Vec<(String, Vec<MeasuredPredicate>)>;

/// The lines of a lockfile, with the current names of their files.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    rows: Vec<LockRow>,
    /// The missing files below the requested folders.
    gone: Vec<String>,
}

impl Before {
    /// Prepares the lines `rows` for the requested files. `names` are the names of these files in a lockfile in its folder.
    pub(super) fn new(
        rows: &[LockRow],
        host: &Host,
        files: &[File],
        names: &[String],
        folder: &str,
        listed: &files::Listed,
    ) -> anyhow::Result<Self> {
        let gone = gone(rows, folder, listed);
        let mut defined = Vec::new();
        for (&file, name) in files.iter().zip(names) {
            let all = host.snapshot().defined(file).map_err(interrupted)?;
            defined.push((name.clone(), all));
        }
        defined.extend(gone.iter().map(|file| (file.clone(), Vec::new())));
        Ok(Self {
            rows: with_new_names(rows, &defined),
            gone,
        })
    }

    /// Returns the lines for a file.
    pub(super) fn rows_of_file(&self, name: &str) -> Vec<&LockRow> {
        self.rows.iter().filter(|row| row.file == name).collect()
    }

    /// Returns the changes since the lockfile.
    pub(super) fn changes(&self, mut now: LockedFiles, tolerance: &Rat) -> Vec<Change> {
        now.extend(self.gone.iter().map(|file| (file.clone(), Vec::new())));
        changes(&self.rows, &now, tolerance)
    }
}

/// Returns the files that lines name, that are below the requested folders, and that no longer exist. Folders that cannot be listed are
/// ignored.
fn gone(rows: &[LockRow], folder: &str, listed: &files::Listed) -> Vec<String> {
    let below: Vec<String> = (listed.paths.iter().filter(|path| path.is_dir()))
        .map(|path| format!("{}/", folder_place(path).trim_end_matches('/')))
        .collect();
    let hidden: Vec<String> = (listed.unlisted.iter())
        .map(|path| format!("{}/", folder_place(path).trim_end_matches('/')))
        .collect();
    let is_in = |place: &str, folders: &[String]| {
        (folders.iter()).any(|folder| place.starts_with(folder.as_str()))
    };
    let mut gone: Vec<String> = (rows.iter().map(|row| row.file.clone()))
        .filter(|file| {
            let path = Path::new(folder).join(file);
            let place = place_of(&path);
            !path.exists() && is_in(&place, &below) && !is_in(&place, &hidden)
        })
        .collect();
    gone.dedup();
    gone
}

/// Returns the names of files in a lockfile in this folder.
pub(super) fn names(sources: &[Source], folder: &str) -> Vec<String> {
    let names = sources.iter();
    { names }
        .map(|source| seen_from(folder, &source.place))
        .collect()
}

/// Returns the predicates of files as a lockfile stores them. Patterns of an existing lockfile's lines are included.
pub(super) fn program(
    host: &Host,
    files: &[File],
    names: &[String],
    before: &Before,
) -> anyhow::Result<LockedFiles> {
    (host.snapshot())
        .prepare(files, threads())
        .map_err(interrupted)?;
    let measured = files.iter().zip(names).map(|(&file, name)| {
        let measured = host.snapshot().measured(file, &before.rows_of_file(name));
        Ok((name.clone(), measured.map_err(interrupted)?))
    });
    measured.collect()
}

/// Returns the lines of a lockfile.
pub(super) fn rows(program: &LockedFiles) -> Vec<LockRow> {
    let all = program.iter().flat_map(|(file, measured)| {
        let patterns = measured.iter().flat_map(|m| &m.patterns);
        patterns.map(|pattern| LockRow {
            file: file.clone(),
            ..pattern.row.clone()
        })
    });
    all.collect()
}

/// Returns the canonical path of a lockfile's folder.
pub(super) fn folder_of(path: &Path) -> String {
    folder_place(path.parent().unwrap_or(Path::new("")))
}

/// Reads a lockfile. Reports data that is missing in lockfiles of earlier versions.
///
/// # Errors
/// Fails if the file cannot be read or is not a lockfile.
pub(super) fn read(path: &Path, log: &Log) -> anyhow::Result<Vec<LockRow>> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read `{name}`; `costlens snapshot` writes it"))?;
    let found = lock::read(&text).with_context(|| format!("cannot use `{name}`"))?;
    if found.version < lock::VERSION {
        log.warning(&format!(
            "`{name}` is of version {}: of each predicate it has one call pattern and one region of sizes, and nothing of first solutions and exceptions, so these are not compared; write it again with `costlens snapshot`",
            found.version
        ));
    }
    Ok(found.rows)
}

/// Writes a lockfile atomically.
///
/// # Errors
/// Fails if the file cannot be written.
pub(super) fn write(path: &Path, rows: &[LockRow]) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let fresh = path.with_extension("lock.new");
    std::fs::write(&fresh, lock::to_lockfile(rows))
        .and_then(|()| std::fs::rename(&fresh, path))
        .with_context(|| format!("cannot write `{name}`"))
}

/// Returns the changes, each with the index of its file among the names; changes in deleted files get index 0.
pub(super) fn numbered(changes: Vec<Change>, names: &[String]) -> Vec<(usize, Change)> {
    let number = |change: &Change| names.iter().position(|name| *name == change.file);
    (changes.into_iter())
        .map(|change| (number(&change).unwrap_or_default(), change))
        .collect()
}

/// Returns a canonical path relative to a folder: `src/lists.pl`, `../lib/rows.pl`.
pub(super) fn seen_from(folder: &str, place: &str) -> String {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split('/').filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let (from, to) = (parts(folder), parts(place));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // The path is on another drive.
    if common == 0 && !from.is_empty() {
        return place.to_owned();
    }
    let up = from[common..].iter().map(|_| "..".to_owned());
    let all: Vec<String> = up.chain(to[common..].iter().cloned()).collect();
    all.join("/")
}

/// Parses a tolerance: `10%`, `0.1`.
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
    let share = Rat::new(number, unit * whole);
    if whole == 1 && share > Rat::one() {
        return Err(format!(
            "`{text}` is {}%; write `{text}%` for {text} in a hundred",
            decimal(&(share * Rat::from_integer(100.into())))
        ));
    }
    Ok(share)
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
        assert_eq!(tolerance("1"), Ok(Rat::one()));
        assert_eq!(tolerance("150%"), Ok(Rat::new(3.into(), 2.into())));
        for text in ["", "%", "ten", "-1%", "1/2", "1e3"] {
            assert!(tolerance(text).is_err(), "{text}");
        }
        // The user meant ten per cent.
        let told = tolerance("10").unwrap_err();
        assert_eq!(told, "`10` is 1000%; write `10%` for 10 in a hundred");
        assert!(tolerance("1.5").is_err());
    }
}
