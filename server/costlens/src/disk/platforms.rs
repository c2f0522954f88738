//! The platforms that the user has measured, in the user's data folder, in addition to the shipped platforms.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use costlens_ide::resources::{Calibrated, preferred};
use costlens_ide::settings::Dialect;
use costlens_platform::{Missing, Platform, find, read, stored};

use super::user_data;

/// Returns the folder of the user's platforms, one file each: `costlens/platforms` in the data folder.
fn folder() -> Option<PathBuf> {
    Some(user_data()?.join("costlens/platforms"))
}

/// Returns all platforms, the user's own platforms first, and a sentence for each unusable file.
pub(crate) fn list() -> (Vec<Platform>, Vec<String>) {
    let (mut found, mut unusable) = user_platforms();
    match stored() {
        Ok(shipped) => {
            let new = |p: &Platform| found.iter().all(|own: &Platform| own.name != p.name);
            let new: Vec<Platform> = shipped.into_iter().filter(new).collect();
            found.extend(new);
        }
        Err(error) => unusable.push(error.to_string()),
    }
    (found, unusable)
}

/// Returns the platform with a name.
pub(crate) fn named(name: &str) -> Result<Platform, Missing> {
    find(&list().0, name)
}

/// Returns the platform for programs in a dialect, if none is named.
pub(crate) fn of_dialect(all: &[Platform], dialect: Dialect) -> Option<&Platform> {
    preferred(all, dialect, is_here)
}

/// Returns the platform for an engine, which `is_of` recognises: a platform measured on this machine, otherwise another platform of the
/// user, otherwise a shipped platform. If there are several, returns the newest.
pub(crate) fn of_engine(all: &[Platform], is_of: impl Fn(&Platform) -> bool) -> Option<&Platform> {
    let own = |p: &Platform| p.source == "user";
    let fitting = all.iter().filter(|p| is_of(p));
    fitting.max_by_key(|p| (is_here(p), own(p), p.date.clone()))
}

/// Returns a platform with the information that is shown with its times.
pub(crate) fn calibrated(platform: &Platform) -> Calibrated {
    Calibrated::new(platform, is_here(platform))
}

/// Returns whether the user has measured a platform on the same type of processor as this machine's.
fn is_here(platform: &Platform) -> bool {
    platform.source == "user" && platform.machine.get("cpu") == processor().as_ref()
}

/// Returns the name of this machine's processor, if the system reports it.
pub(crate) fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn user_platforms() -> (Vec<Platform>, Vec<String>) {
    let (mut found, mut unusable) = (Vec::new(), Vec::new());
    let entries = folder().and_then(|f| std::fs::read_dir(f).ok());
    let mut files: Vec<PathBuf> = (entries.into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    for path in files {
        let name = path.display().to_string();
        match std::fs::read_to_string(&path) {
            Ok(text) => match read(&name, &text) {
                Ok(platforms) => found.extend(platforms),
                Err(error) => unusable.push(format!(
                    "{error}; it is left out. Calibrate again, or remove it."
                )),
            },
            Err(error) => unusable.push(format!("`{name}` cannot be read: {error}")),
        }
    }
    (found, unusable)
}

/// Stores a platform's file for the user. An older file is replaced atomically.
pub(crate) fn store(name: &str, text: &str, to: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    let path = match to {
        Some(path) => path,
        None => folder()
            .context("no data folder is known: set HOME, or name a file with `--out`")?
            .join(format!("{name}.json")),
    };
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    if let Some(parent) = parent {
        std::fs::create_dir_all(parent)
            .with_context(|| format!("`{}` cannot be made", parent.display()))?;
    }
    let unfinished = path.with_extension("json.new");
    let written = std::fs::File::create(&unfinished)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())
                .and_then(|()| file.sync_all())
        })
        .and_then(|()| std::fs::rename(&unfinished, &path));
    written.with_context(|| format!("`{}` cannot be written", path.display()))?;
    Ok(path)
}
