//! Errors of the file of past runs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::ErrorCode;

/// The reason why past runs could not be read or stored.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// There is no file.
    #[error("there is no `{}`; `costlens run FILE --goal G --history` begins one", .0.display())]
    Missing(PathBuf),
    /// Another process has been writing for longer than the time limit.
    #[error("`{}` is locked: another program has been writing to it for {} seconds; try again later, or keep runs in another file with `--history=FILE`", .path.display(), .waited.as_secs())]
    Busy {
        /// The file.
        path: PathBuf,
        /// The time that this process waited.
        waited: Duration,
    },
    /// The disk is full, or a file size limit is reached.
    #[error("there is no room for `{}`: the disk is full or files may not grow larger; make room, or keep runs in another file with `--history=FILE`", .0.display())]
    Full(PathBuf),
    /// The file or its folder is not writable.
    #[error("`{}` cannot be written: {reason}; change the permissions of its folder, or keep runs in another file with `--history=FILE`", .path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// The system's error message.
        reason: String,
    },
    /// The file has a newer version.
    #[error("`{}` was written by a newer Costlens (format {found}, this one knows {known}); update Costlens, or keep runs in another file with `--history=FILE`", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The file's version.
        found: i64,
        /// The newest supported version.
        known: i64,
    },
    /// The file is damaged, or is not a file of past runs.
    #[error("`{}` holds no past runs that can be read: {reason}", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The kind of damage.
        reason: String,
    },
    /// Another error from SQLite.
    #[error("`{}`: {source}", .path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// The error.
        source: rusqlite::Error,
    },
}

/// The time that a writer waits for another writer.
pub(crate) const WAIT: Duration = Duration::from_secs(5);

/// `SQLITE_IOERR_WRITE`, `SQLITE_IOERR_TRUNCATE`, `SQLITE_IOERR_SHMSIZE`: the codes for a reached file size limit (`EFBIG`). A full disk is
/// reported as `SQLITE_FULL`.
const NO_GROWTH: [i32; 3] = [778, 1546, 4874];

impl HistoryError {
    /// Converts an error of SQLite.
    pub(crate) fn sqlite(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        let rusqlite::Error::SqliteFailure(error, _) = &source else {
            return HistoryError::Database { path, source };
        };
        let reason = source.to_string();
        match error.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
                HistoryError::Busy { path, waited: WAIT }
            }
            ErrorCode::DiskFull => HistoryError::Full(path),
            ErrorCode::SystemIoFailure if NO_GROWTH.contains(&error.extended_code) => {
                HistoryError::Full(path)
            }
            ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
                HistoryError::ReadOnly { path, reason }
            }
            ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt => {
                HistoryError::Unusable { path, reason }
            }
            _ => HistoryError::Database { path, source },
        }
    }

    /// Converts an error of the file system.
    pub(crate) fn io(path: &Path, error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::FileTooLarge => {
                HistoryError::Full(path.to_owned())
            }
            _ => HistoryError::ReadOnly {
                path: path.to_owned(),
                reason: error.to_string(),
            },
        }
    }
}
