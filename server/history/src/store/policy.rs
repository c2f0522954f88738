//! Limits the size of the file by removing runs.
//!
//! The newest [`Limits::runs_of_code`] runs of each version of a predicate's code are kept, since more runs hardly improve predictions.
//! While the file is larger than [`Limits::bytes`], the oldest tenth of all runs is removed; runs of outdated code soon become the oldest.
//! A code version without runs is removed with its blocks.

use rusqlite::{Connection, params};

/// The limits of the stored data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of runs for each version of a predicate's code.
    pub runs_of_code: u32,
    /// The maximum size of the file in bytes.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            runs_of_code: 2000,
            bytes: 64 << 20,
        }
    }
}

/// The maximum number of rounds. Each round removes a tenth, so at most a single large run remains afterwards.
const ROUNDS: usize = 200;

/// Returns the size of the used pages of a file, in bytes.
fn bytes(connection: &Connection) -> rusqlite::Result<u64> {
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let used = number("PRAGMA page_count")? - number("PRAGMA freelist_count")?;
    Ok(used.unsigned_abs() * number("PRAGMA page_size")?.unsigned_abs())
}

/// Removes the runs beyond the limits.
pub(super) fn apply(connection: &Connection, limits: &Limits) -> rusqlite::Result<()> {
    let mut forgotten = connection.execute(
        "DELETE FROM run WHERE code = (SELECT code FROM run ORDER BY id DESC LIMIT 1) AND id <= (
             SELECT id FROM run WHERE code = (SELECT code FROM run ORDER BY id DESC LIMIT 1)
             ORDER BY id DESC LIMIT 1 OFFSET ?1)",
        params![limits.runs_of_code],
    )?;
    for _ in 0..ROUNDS {
        if bytes(connection)? <= limits.bytes {
            break;
        }
        let some = connection.execute(
            "DELETE FROM run WHERE id IN (
                 SELECT id FROM run ORDER BY id LIMIT max(1, (SELECT count(*) / 10 FROM run)))
             AND id < (SELECT max(id) FROM run)",
            [],
        )?;
        forgotten += some;
        if some == 0 {
            break;
        }
        forget_codes(connection)?;
    }
    if forgotten > 0 {
        forget_codes(connection)?;
    }
    Ok(())
}

fn forget_codes(connection: &Connection) -> rusqlite::Result<usize> {
    connection.execute(
        "DELETE FROM code WHERE id NOT IN (SELECT code FROM run)",
        [],
    )
}

/// Returns free pages to the file system. A failure is harmless.
pub(super) fn give_back(connection: &Connection) {
    let free = connection.query_row("PRAGMA freelist_count", [], |row| row.get::<_, i64>(0));
    if matches!(free, Ok(pages) if pages > 256) {
        let _ = connection.execute_batch("PRAGMA incremental_vacuum;");
    }
}
