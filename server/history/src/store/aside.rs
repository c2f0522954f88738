//! Sets aside an unusable file: renames it, adding the date, so that a new file can be created.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::HistoryError;

/// A file that was set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// The file's previous name.
    pub path: PathBuf,
    /// The file's new name.
    pub now: PathBuf,
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is damaged or another program's: it is now `{}`, and a new history is begun",
            self.path.display(),
            self.now.display()
        )
    }
}

fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(OsString::from(suffix));
    PathBuf::from(name)
}

/// Renames a file and its SQLite logs. If several processes find the file unusable, one of them renames it; the other processes find a new
/// file.
pub(super) fn set_aside(
    path: &Path,
    now: SystemTime,
    unusable: &dyn Fn() -> bool,
) -> Result<Option<SetAside>, HistoryError> {
    let wrong = |error: std::io::Error| HistoryError::io(path, &error);
    let lock = std::fs::OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(sibling(path, "-lock"))
        .map_err(wrong)?;
    // The lock is held until the end of this function, or of the process.
    lock.lock().map_err(wrong)?;
    if !unusable() {
        return Ok(None);
    }
    let date = humantime::format_rfc3339_seconds(now).to_string();
    let date = date.trim_end_matches('Z').replace(':', "-");
    let names = std::iter::once(format!(".{date}")).chain((2..).map(|n| format!(".{date}-{n}")));
    let free = names
        .map(|suffix| sibling(path, &suffix))
        .find(|name| !name.try_exists().unwrap_or(false));
    let Some(fresh) = free else {
        return Ok(None);
    };
    // Rename the log first: otherwise a new file would use the old log.
    for log in ["-wal", "-shm"] {
        let own = sibling(path, log);
        if own.try_exists().unwrap_or(false) {
            std::fs::rename(&own, sibling(&fresh, log)).map_err(wrong)?;
        }
    }
    std::fs::rename(path, &fresh).map_err(wrong)?;
    Ok(Some(SetAside {
        path: path.to_owned(),
        now: fresh,
    }))
}
