//! Kept summaries: one database in the user's cache folder, for all runs of the command line and all editors.
//!
//! SQLite makes it safe for several processes, and for one that is killed while it writes. Each entry has a checksum, and its key depends on
//! the version of the program, so another version never reads it. An entry that cannot be read or written is left out, and its result is inferred again.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use costlens_analysis::kept::Store;
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, params};

use super::cache::{Fingerprint, program};
use super::user_cache;

/// The name of the database.
const FILE: &str = "summaries.db";
/// Identifies the database as ours: `Csum` in ASCII.
const APPLICATION: i64 = 0x4373_756d;
/// The size from which the entries that were written first are removed.
const MOST_BYTES: i64 = 512 << 20;
/// The share of the entries that is then removed.
const REMOVED: i64 = 4;
/// The number of entries that are written together.
const TOGETHER: usize = 512;
/// The time after which entries are written, however few there are.
const PAUSE: Duration = Duration::from_secs(2);
/// The time for which a process waits for another one that writes.
const PATIENCE: Duration = Duration::from_millis(500);

/// The database of kept summaries.
pub(crate) struct Summaries {
    path: PathBuf,
    program: String,
    connection: Mutex<Connection>,
    waiting: Mutex<Waiting>,
}

/// The entries that wait to be written.
struct Waiting {
    entries: BTreeMap<Fingerprint, Vec<u8>>,
    since: Instant,
}

impl fmt::Debug for Summaries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Summaries").field(&self.path).finish()
    }
}

impl Summaries {
    /// Opens the database in a folder, or in the user's cache folder. A file that is no such database is put aside. Returns `None` if there
    /// is no folder, or the database cannot be used, and a sentence about that if the user should know.
    pub(crate) fn open(folder: Option<&Path>) -> (Option<Self>, Option<String>) {
        let in_caches = || Some(user_cache()?.join("costlens"));
        let Some(folder) = folder.map(Path::to_owned).or_else(in_caches) else {
            return (None, None);
        };
        let path = folder.join(FILE);
        let Some(program) = program() else {
            return (None, None);
        };
        if let Err(error) = std::fs::create_dir_all(&folder) {
            let told = format!("cannot keep summaries in `{}`: {error}", folder.display());
            return (None, Some(told));
        }
        let (connection, told) = match connected(&path) {
            Ok(connection) => (Ok(connection), None),
            Err(Refused::Foreign(reason)) => {
                let told = put_aside(&path, &reason);
                (connected(&path), Some(told))
            }
            Err(refused) => (Err(refused), None),
        };
        match connection {
            Ok(connection) => {
                let waiting = Waiting {
                    entries: BTreeMap::new(),
                    since: Instant::now(),
                };
                let found = Summaries {
                    path,
                    program,
                    connection: Mutex::new(connection),
                    waiting: Mutex::new(waiting),
                };
                (Some(found), told)
            }
            Err(refused) => {
                let told = told.unwrap_or_else(|| {
                    format!("cannot keep summaries in `{}`: {refused}", path.display())
                });
                (None, Some(told))
            }
        }
    }

    /// Returns the key of an entry in the database.
    fn key(&self, key: u128) -> Fingerprint {
        Fingerprint::compute([self.program.as_bytes(), &key.to_le_bytes()[..]])
    }

    /// Writes the waiting entries, in one transaction: after a crash, all or none of them are there.
    fn flush(&self, entries: BTreeMap<Fingerprint, Vec<u8>>) {
        let mut connection = lock(&self.connection);
        // Best effort: what another process prevents us from writing is inferred again.
        let _ = written(&mut connection, &entries);
    }
}

impl Store for Summaries {
    fn read(&self, key: u128) -> Option<Vec<u8>> {
        let key = self.key(key);
        if let Some(bytes) = lock(&self.waiting).entries.get(&key) {
            return Some(bytes.clone());
        }
        let row: (i64, Vec<u8>) = {
            let connection = lock(&self.connection);
            let mut statement = connection
                .prepare_cached("SELECT checksum, bytes FROM kept WHERE key = ?1")
                .ok()?;
            let row =
                statement.query_row(params![key.bytes()], |row| Ok((row.get(0)?, row.get(1)?)));
            row.optional().ok().flatten()?
        };
        (row.0 == checksum(&row.1)).then_some(row.1)
    }

    fn write(&self, key: u128, bytes: Vec<u8>) {
        let key = self.key(key);
        let entries = {
            let mut waiting = lock(&self.waiting);
            waiting.entries.insert(key, bytes);
            let is_time = waiting.since.elapsed() > PAUSE;
            if waiting.entries.len() < TOGETHER && !is_time {
                return;
            }
            waiting.since = Instant::now();
            std::mem::take(&mut waiting.entries)
        };
        self.flush(entries);
    }
}

impl Drop for Summaries {
    fn drop(&mut self) {
        let entries = std::mem::take(&mut lock(&self.waiting).entries);
        if !entries.is_empty() {
            self.flush(entries);
        }
    }
}

/// The reason why a database cannot be used.
enum Refused {
    /// The file is no database of summaries.
    Foreign(String),
    Failed(rusqlite::Error),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Foreign(reason) => f.write_str(reason),
            Refused::Failed(error) => error.fmt(f),
        }
    }
}

impl From<rusqlite::Error> for Refused {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                Refused::Foreign("it is no database".to_owned())
            }
            _ => Refused::Failed(error),
        }
    }
}

fn connected(path: &Path) -> Result<Connection, Refused> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let is_new = number("SELECT count(*) FROM sqlite_schema")? == 0;
    if !is_new && number("PRAGMA application_id")? != APPLICATION {
        return Err(Refused::Foreign(
            "it is a database of another program".to_owned(),
        ));
    }
    if is_new {
        connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL;")?;
    }
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = NORMAL;
         PRAGMA journal_size_limit = 1048576;
         PRAGMA application_id = {APPLICATION};
         CREATE TABLE IF NOT EXISTS kept (
             key BLOB PRIMARY KEY, written INTEGER NOT NULL, checksum INTEGER NOT NULL, bytes BLOB NOT NULL
         ) WITHOUT ROWID;
         CREATE INDEX IF NOT EXISTS kept_by_time ON kept (written);"
    ))?;
    let used = number("PRAGMA page_count")? - number("PRAGMA freelist_count")?;
    if used * number("PRAGMA page_size")? > MOST_BYTES {
        connection.execute(
            "DELETE FROM kept WHERE key IN
                 (SELECT key FROM kept ORDER BY written LIMIT (SELECT count(*) / ?1 FROM kept))",
            params![REMOVED],
        )?;
        connection.execute_batch("PRAGMA incremental_vacuum;")?;
    }
    Ok(connection)
}

fn written(
    connection: &mut Connection,
    entries: &BTreeMap<Fingerprint, Vec<u8>>,
) -> rusqlite::Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = i64::try_from(now.unwrap_or_default().as_secs()).unwrap_or(i64::MAX);
    let transaction = connection.transaction()?;
    {
        let mut statement = transaction.prepare_cached(
            "INSERT OR REPLACE INTO kept (key, written, checksum, bytes) VALUES (?1, ?2, ?3, ?4)",
        )?;
        for (key, bytes) in entries {
            statement.execute(params![key.bytes(), now, checksum(bytes), bytes])?;
        }
    }
    transaction.commit()
}

fn checksum(bytes: &[u8]) -> i64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish().cast_signed()
}

/// Puts a file aside, with the files in which SQLite keeps what it has not yet written into it.
fn put_aside(path: &Path, reason: &str) -> String {
    let aside = path.with_extension("unreadable");
    let beside = |path: &Path, suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    for suffix in ["-wal", "-shm"] {
        // Usually there is none.
        let _ = std::fs::rename(beside(path, suffix), beside(&aside, suffix));
    }
    super::cache::put_aside(path, &format!("summaries ({reason})"))
}

fn lock<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(folder: &Path) -> Summaries {
        let (found, told) = Summaries::open(Some(folder));
        assert_eq!(told, None);
        found.unwrap()
    }

    #[test]
    fn entries_are_read_back_by_this_process_and_by_the_next() {
        let folder = tempfile::TempDir::new().unwrap();
        let first = opened(folder.path());
        first.write(1, b"one".to_vec());
        first.write(2, b"two".to_vec());
        first.write(1, b"one again".to_vec());
        assert_eq!(first.read(1).as_deref(), Some(&b"one again"[..]));
        assert_eq!(first.read(3), None);
        drop(first);
        let second = opened(folder.path());
        assert_eq!(second.read(1).as_deref(), Some(&b"one again"[..]));
        assert_eq!(second.read(2).as_deref(), Some(&b"two"[..]));
        let mut other = opened(folder.path());
        other.program = "another version".to_owned();
        assert_eq!(other.read(1), None);
    }

    #[test]
    fn an_entry_with_other_bytes_is_not_read() {
        let folder = tempfile::TempDir::new().unwrap();
        let first = opened(folder.path());
        first.write(1, b"one".to_vec());
        drop(first);
        let path = folder.path().join(FILE);
        let connection = Connection::open(&path).unwrap();
        let changed = connection.execute("UPDATE kept SET bytes = x'00'", []);
        assert_eq!(changed.unwrap(), 1);
        assert_eq!(opened(folder.path()).read(1), None);
    }

    #[test]
    fn a_file_that_is_no_database_of_summaries_is_put_aside() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join(FILE);
        std::fs::write(
            &path,
            "no database, but a text that is long enough to be looked at",
        )
        .unwrap();
        let (found, told) = Summaries::open(Some(folder.path()));
        let found = found.unwrap();
        assert!(told.unwrap().contains("put aside as"));
        found.write(1, b"one".to_vec());
        assert_eq!(found.read(1).as_deref(), Some(&b"one"[..]));
        drop(found);
        std::fs::remove_file(&path).unwrap();
        let foreign = Connection::open(&path).unwrap();
        foreign.execute_batch("CREATE TABLE t (x);").unwrap();
        drop(foreign);
        let (found, told) = Summaries::open(Some(folder.path()));
        assert!(found.is_some() && told.unwrap().contains("of another program"));
    }

    #[test]
    fn two_processes_write_at_once() {
        let folder = tempfile::TempDir::new().unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4u128 {
                let folder = folder.path();
                scope.spawn(move || {
                    let store = opened(folder);
                    for i in 0..200 {
                        store.write(thread << 32 | i, vec![u8::try_from(i).unwrap(); 10]);
                    }
                });
            }
        });
        let all = opened(folder.path());
        for (thread, i) in (0..4u128).flat_map(|t| (0..200u128).map(move |i| (t, i))) {
            assert_eq!(
                all.read(thread << 32 | i).map(|b| b[0]),
                u8::try_from(i).ok()
            );
        }
    }
}
