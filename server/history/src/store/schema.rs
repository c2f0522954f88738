//! The tables, and the upgrades from older versions.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::error::HistoryError;

/// The application id in the header of each file of past runs: `cost`.
const APPLICATION: i64 = 0x636f_7374;

/// The statements that upgrade to each version, starting with version 1.
const VERSIONS: [&str; 2] = [
    "CREATE TABLE code (
         id INTEGER PRIMARY KEY,
         predicate TEXT NOT NULL,
         hash TEXT NOT NULL,
         UNIQUE (predicate, hash)
     );
     CREATE TABLE block (
         id INTEGER PRIMARY KEY,
         code INTEGER NOT NULL REFERENCES code ON DELETE CASCADE,
         name TEXT NOT NULL,
         events TEXT NOT NULL,
         fails TEXT NOT NULL,
         UNIQUE (code, name)
     );
     CREATE TABLE run (
         id INTEGER PRIMARY KEY AUTOINCREMENT,
         code INTEGER NOT NULL REFERENCES code ON DELETE CASCADE,
         at INTEGER NOT NULL,
         every INTEGER NOT NULL,
         platform TEXT NOT NULL,
         ns INTEGER NOT NULL,
         inputs TEXT NOT NULL,
         counts BLOB NOT NULL,
         amounts TEXT NOT NULL
     );",
    "ALTER TABLE run ADD COLUMN source TEXT NOT NULL DEFAULT 'run';
     ALTER TABLE run ADD COLUMN succeeded INTEGER NOT NULL DEFAULT 1;
     CREATE INDEX run_of_code ON run (code, every, id);",
];

/// The newest version.
#[expect(clippy::cast_possible_wrap, reason = "a handful")]
pub(super) const NEWEST: i64 = VERSIONS.len() as i64;

/// Returns the version of a file, or 0 for a file without tables.
///
/// # Errors
/// Returns an error if the file belongs to another program, or was written by a newer version.
fn version(path: &Path, connection: &Connection) -> Result<i64, HistoryError> {
    let number = |sql: &str| -> Result<i64, HistoryError> {
        let number = connection.query_row(sql, [], |row| row.get(0));
        number.map_err(|error| HistoryError::sqlite(path, error))
    };
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    let application = number("PRAGMA application_id")?;
    let found = number("PRAGMA user_version")?;
    if tables == 0 && application == 0 && found == 0 {
        return Ok(0);
    }
    if application != APPLICATION {
        return Err(HistoryError::Unusable {
            path: path.to_owned(),
            reason: "it is a database of another program".to_owned(),
        });
    }
    if found > NEWEST {
        return Err(HistoryError::Newer {
            path: path.to_owned(),
            found,
            known: NEWEST,
        });
    }
    Ok(found)
}

/// Checks that a file is a file of past runs with a readable version.
pub(super) fn check(path: &Path, connection: &Connection) -> Result<(), HistoryError> {
    match version(path, connection)? {
        NEWEST => Ok(()),
        0 => Err(HistoryError::Unusable {
            path: path.to_owned(),
            reason: "it is empty".to_owned(),
        }),
        // Its columns differ from the current columns; the next writer upgrades it.
        older => Err(HistoryError::Unusable {
            path: path.to_owned(),
            reason: format!(
                "its format is an older one ({older}); the next run that is kept in it brings it up to date"
            ),
        }),
    }
}

/// Sets up a connection, and upgrades the file to the newest version.
pub(super) fn prepare(path: &Path, connection: &mut Connection) -> Result<(), HistoryError> {
    let wrong = |error| HistoryError::sqlite(path, error);
    let mut found = version(path, connection)?;
    if found == 0 {
        // This must be set before the first table is created.
        let set = connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL;");
        set.map_err(wrong)?;
    }
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL;
             PRAGMA synchronous = NORMAL;
             PRAGMA foreign_keys = ON;
             PRAGMA journal_size_limit = 1048576;",
        )
        .map_err(wrong)?;
    if found == NEWEST {
        return Ok(());
    }
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(wrong)?;
    // Another process may have upgraded the file first.
    found = version(path, &transaction)?;
    for (number, statements) in (1..).zip(VERSIONS) {
        if number > found {
            transaction.execute_batch(statements).map_err(wrong)?;
        }
    }
    transaction
        .execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {NEWEST};"
        ))
        .map_err(wrong)?;
    transaction.commit().map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_first_version_keeps_its_runs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.db");
        let old = Connection::open(&path).unwrap();
        old.execute_batch(VERSIONS[0]).unwrap();
        old.execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1;
             INSERT INTO code VALUES (1, 'p/1', 'abc');
             INSERT INTO run (code, at, every, platform, ns, inputs, counts, amounts)
                 VALUES (1, 5, 0, 'embedded', 7, '', x'', '');"
        ))
        .unwrap();
        let mut connection = Connection::open(&path).unwrap();
        assert!(matches!(
            check(&path, &connection),
            Err(HistoryError::Unusable { .. })
        ));
        prepare(&path, &mut connection).unwrap();
        check(&path, &connection).unwrap();
        let row: (i64, String, bool) = connection
            .query_row("SELECT ns, source, succeeded FROM run", [], |r| {
                Ok((r.get(0)?, r.get(1)?, r.get(2)?))
            })
            .unwrap();
        assert_eq!(row, (7, "run".to_owned(), true));
        // The second call changes nothing.
        prepare(&path, &mut connection).unwrap();
    }

    #[test]
    fn a_newer_file_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.db");
        let mut connection = Connection::open(&path).unwrap();
        prepare(&path, &mut connection).unwrap();
        connection
            .execute_batch(&format!("PRAGMA user_version = {};", NEWEST + 1))
            .unwrap();
        let error = prepare(&path, &mut connection).unwrap_err();
        assert!(matches!(error, HistoryError::Newer { .. }), "{error}");
        assert!(error.to_string().contains("update Costlens"), "{error}");
    }
}
