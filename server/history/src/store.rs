//! The file of past runs.
//!
//! Each workspace has one SQLite file, with a write-ahead log: readers never wait, and a killed writer leaves its committed runs.
//!
//! - Each run is stored in one *immediate* transaction, so that two writers wait for each other instead of failing halfway. A writer that
//!   waits longer than five seconds gives up.
//! - With `synchronous=NORMAL`, a killed process loses no committed data. A power failure may lose the newest runs, but damages nothing.
//! - A file that is damaged or belongs to another program is renamed and never changed (`aside`).
//! - The file has a version; older versions are upgraded to the newest (`schema`).
//! - The file does not grow without bound (`policy`).

mod aside;
mod encode;
mod policy;
mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, TransactionBehavior, params};
use rustc_hash::FxHashMap;

use crate::error::{HistoryError, WAIT};
use crate::run::{PastRun, Run, RunBlock, Runs};

pub use aside::SetAside;
pub use policy::Limits;

/// The platform of runs on the embedded machine, which counts blocks.
pub const EMBEDDED: &str = "embedded";
/// The usual name of the file.
pub const FILE_NAME: &str = "history.db";

/// The file of past runs.
#[derive(Debug)]
pub struct History {
    path: PathBuf,
    connection: Connection,
    limits: Limits,
}

/// Stores a run in a file, which is created if it does not exist. Returns the file that was set aside, if any.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn keep(
    path: &Path,
    run: &Run,
    limits: &Limits,
    now: SystemTime,
) -> Result<Option<SetAside>, HistoryError> {
    keep_all(path, std::slice::from_ref(run), limits, now)
}

/// Stores all runs or none in a file, which is created if it does not exist. Returns the file that was set aside, if any.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn keep_all(
    path: &Path,
    runs: &[Run],
    limits: &Limits,
    now: SystemTime,
) -> Result<Option<SetAside>, HistoryError> {
    let (mut history, aside) = History::open(path, limits, now)?;
    match history.record_all(runs) {
        // The damage was detected only on access.
        Err(HistoryError::Unusable { .. }) if is_usual(path) => {
            drop(history);
            let aside = aside::set_aside(path, now, &|| damaged(path))?;
            History::open(path, limits, now)?.0.record_all(runs)?;
            Ok(aside)
        }
        other => other.map(|_| aside),
    }
}

/// Returns whether a file has the usual name. A file with another name may be any file of the user, and is not touched.
fn is_usual(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == FILE_NAME)
}

/// Returns whether any part of a file is damaged.
fn damaged(path: &Path) -> bool {
    let check = || -> Result<String, HistoryError> {
        let connection = opened(path)?;
        let checked = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
        checked.map_err(|error| HistoryError::sqlite(path, error))
    };
    !matches!(check(), Ok(said) if said == "ok")
}

/// Opens a connection to a new file or a file of past runs, with the newest schema.
fn opened(path: &Path) -> Result<Connection, HistoryError> {
    let wrong = |error| HistoryError::sqlite(path, error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    // Open without URIs: an absolute path cannot name a database in memory.
    let file = std::path::absolute(path).map_err(|e| HistoryError::io(path, &e))?;
    let mut connection = Connection::open_with_flags(file, flags).map_err(wrong)?;
    connection.busy_timeout(WAIT).map_err(wrong)?;
    schema::prepare(path, &mut connection)?;
    Ok(connection)
}

/// Opens a read-only connection to a file given by a name or a URI.
fn reading(path: &Path, name: &str, uri: bool) -> Result<Connection, HistoryError> {
    let wrong = |error| HistoryError::sqlite(path, error);
    let mut flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_URI, uri);
    let connection = Connection::open_with_flags(name, flags).map_err(wrong)?;
    connection.busy_timeout(WAIT).map_err(wrong)?;
    schema::check(path, &connection)?;
    Ok(connection)
}

impl History {
    /// Opens a file for writing. The file and its folder are created if they do not exist. A file with the usual name that is not a file of
    /// past runs is set aside; a file with another name may be any file of the user.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, if it has a newer version, or if it has an unusual name and is not a file of past
    /// runs.
    pub fn open(
        path: &Path,
        limits: &Limits,
        now: SystemTime,
    ) -> Result<(Self, Option<SetAside>), HistoryError> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|e| HistoryError::io(path, &e))?;
        }
        let mut aside = None;
        let connection = match opened(path) {
            Err(HistoryError::Unusable { .. }) if is_usual(path) => {
                let unusable = || matches!(opened(path), Err(HistoryError::Unusable { .. }));
                aside = aside::set_aside(path, now, &unusable)?;
                opened(path)?
            }
            other => other?,
        };
        let history = History {
            path: path.to_owned(),
            connection,
            limits: *limits,
        };
        Ok((history, aside))
    }

    /// Opens a file for reading, without changing it.
    ///
    /// # Errors
    /// Returns an error if there is no file, or if it is not a file of past runs.
    pub fn read(path: &Path) -> Result<Self, HistoryError> {
        if !path.try_exists().unwrap_or(false) {
            return Err(HistoryError::Missing(path.to_owned()));
        }
        let connection = match reading(path, &path.to_string_lossy(), false) {
            // A log cannot be created in a read-only folder, but no process can write there either.
            Err(HistoryError::ReadOnly { .. }) => {
                let name = path.to_string_lossy();
                let name = name
                    .replace('%', "%25")
                    .replace('?', "%3f")
                    .replace('#', "%23");
                reading(path, &format!("file:{name}?immutable=1"), true)?
            }
            other => other?,
        };
        Ok(History {
            path: path.to_owned(),
            connection,
            limits: Limits::default(),
        })
    }

    fn wrong(&self) -> impl Fn(rusqlite::Error) -> HistoryError + use<> {
        let path = self.path.clone();
        move |error| HistoryError::sqlite(&path, error)
    }

    /// Stores a run and returns its number. The oldest runs beyond the limits are removed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. The file is then unchanged.
    pub fn record(&mut self, run: &Run) -> Result<i64, HistoryError> {
        self.record_all(std::slice::from_ref(run))
    }

    /// Stores all runs or none, and returns the number of the last run. The oldest runs beyond the limits are removed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. The file is then unchanged.
    pub fn record_all(&mut self, runs: &[Run]) -> Result<i64, HistoryError> {
        let wrong = self.wrong();
        let limits = self.limits;
        let mut write = || -> rusqlite::Result<i64> {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut number = 0;
            for run in runs {
                number = insert(&transaction, run)?;
                policy::apply(&transaction, &limits)?;
            }
            transaction.commit()?;
            Ok(number)
        };
        let number = write().map_err(wrong)?;
        policy::give_back(&self.connection);
        Ok(number)
    }

    /// Returns the runs of a version of a predicate's code on the embedded machine, either for all solutions or for the first solution.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn runs(
        &self,
        predicate: &(smol_str::SmolStr, usize),
        code: &str,
        all: bool,
    ) -> Result<Runs, HistoryError> {
        let mut runs = self.select(predicate, code, all).map_err(self.wrong())?;
        runs.runs.retain(|run| run.platform == EMBEDDED);
        Ok(runs)
    }

    /// Returns the runs on other engines, which do not count blocks, by engine.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn elsewhere(
        &self,
        predicate: &(smol_str::SmolStr, usize),
        code: &str,
        all: bool,
    ) -> Result<BTreeMap<String, Runs>, HistoryError> {
        let runs = self.select(predicate, code, all).map_err(self.wrong())?;
        let mut found: BTreeMap<String, Runs> = BTreeMap::new();
        for run in runs.runs {
            if run.platform != EMBEDDED {
                let of = found.entry(run.platform.clone()).or_default();
                of.runs.push(PastRun {
                    counts: Vec::new(),
                    ..run
                });
            }
        }
        Ok(found)
    }

    fn select(
        &self,
        (name, arity): &(smol_str::SmolStr, usize),
        code: &str,
        all: bool,
    ) -> rusqlite::Result<Runs> {
        let id: Option<i64> = self
            .connection
            .query_row(
                "SELECT id FROM code WHERE predicate = ?1 AND hash = ?2",
                params![format!("{name}/{arity}"), code],
                |row| row.get(0),
            )
            .optional()?;
        let Some(id) = id else {
            return Ok(Runs::default());
        };
        let mut runs = Runs::default();
        let mut places: FxHashMap<u64, usize> = FxHashMap::default();
        let mut statement = self
            .connection
            .prepare("SELECT id, name, events, fails FROM block WHERE code = ?1 ORDER BY id")?;
        let mut rows = statement.query([id])?;
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(0)?;
            places.insert(number.unsigned_abs(), runs.blocks.len());
            let (name, events, fails): (String, String, String) =
                (row.get(1)?, row.get(2)?, row.get(3)?);
            runs.blocks.push(RunBlock {
                name: name.into(),
                events: encode::read_amounts(&events),
                fails: fails.lines().map(Into::into).collect(),
            });
        }
        let mut statement = self.connection.prepare(
            "SELECT at, platform, ns, inputs, counts, amounts FROM run WHERE code = ?1 AND every = ?2 ORDER BY id",
        )?;
        let mut rows = statement.query(params![id, all])?;
        while let Some(row) = rows.next()? {
            let (inputs, counts, amounts): (String, Vec<u8>, String) =
                (row.get(3)?, row.get(4)?, row.get(5)?);
            let mut of_blocks = vec![(0, 0); runs.blocks.len()];
            for (block, reached, failed) in encode::read_counts(&counts) {
                if let Some(&place) = places.get(&block) {
                    of_blocks[place] = (reached, failed);
                }
            }
            let ns: i64 = row.get(2)?;
            runs.runs.push(PastRun {
                at: row.get(0)?,
                platform: row.get(1)?,
                ns: ns.unsigned_abs(),
                inputs: encode::read_inputs(&inputs),
                counts: of_blocks,
                amounts: encode::read_amounts(&amounts),
            });
        }
        Ok(runs)
    }

    /// Returns the predicates that have runs: `nrev/2`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn predicates(&self) -> Result<BTreeSet<String>, HistoryError> {
        let select = || -> rusqlite::Result<BTreeSet<String>> {
            let mut statement = (self.connection).prepare("SELECT DISTINCT predicate FROM code")?;
            statement.query_map([], |row| row.get(0))?.collect()
        };
        select().map_err(self.wrong())
    }

    /// Returns the number of runs of a predicate, with any code, and the number of all runs.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn known(
        &self,
        (name, arity): &(smol_str::SmolStr, usize),
    ) -> Result<(u64, u64), HistoryError> {
        let count = |sql: &str, of: &str| -> rusqlite::Result<u64> {
            let count: i64 = self.connection.query_row(sql, [of], |row| row.get(0))?;
            Ok(count.unsigned_abs())
        };
        let own =
            "SELECT count(*) FROM run JOIN code ON code.id = run.code WHERE code.predicate = ?1";
        let all = "SELECT count(*) FROM run WHERE ?1 = ?1";
        let predicate = format!("{name}/{arity}");
        let own = count(own, &predicate).map_err(self.wrong())?;
        Ok((own, count(all, &predicate).map_err(self.wrong())?))
    }
}

/// Inserts a run and returns its number.
fn insert(connection: &Connection, run: &Run) -> rusqlite::Result<i64> {
    let (name, arity) = &run.predicate;
    let predicate = format!("{name}/{arity}");
    connection.execute(
        "INSERT OR IGNORE INTO code (predicate, hash) VALUES (?1, ?2)",
        params![predicate, run.code],
    )?;
    let code: i64 = connection.query_row(
        "SELECT id FROM code WHERE predicate = ?1 AND hash = ?2",
        params![predicate, run.code],
        |row| row.get(0),
    )?;
    let mut known =
        connection.prepare_cached("SELECT id FROM block WHERE code = ?1 AND name = ?2")?;
    let mut new = connection
        .prepare_cached("INSERT INTO block (code, name, events, fails) VALUES (?1, ?2, ?3, ?4)")?;
    let mut counts = Vec::new();
    for (block, reached, failed) in &run.counts {
        let id: Option<i64> = known
            .query_row(params![code, block.name.as_str()], |row| row.get(0))
            .optional()?;
        let id = match id {
            Some(id) => id,
            None => {
                let fails: Vec<&str> = block.fails.iter().map(AsRef::as_ref).collect();
                let events = encode::amounts(&block.events);
                new.insert(params![code, block.name.as_str(), events, fails.join("\n")])?
            }
        };
        encode::push_count(&mut counts, id.unsigned_abs(), *reached, *failed);
    }
    connection.execute(
        "INSERT INTO run (code, at, source, every, succeeded, platform, ns, inputs, counts, amounts)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            code,
            run.at,
            run.source,
            run.all,
            run.succeeded,
            run.platform,
            i64::try_from(run.ns).unwrap_or(i64::MAX),
            encode::inputs(&run.inputs),
            counts,
            encode::amounts(&run.amounts),
        ],
    )?;
    Ok(connection.last_insert_rowid())
}
