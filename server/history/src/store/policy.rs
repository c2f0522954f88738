//! The size of the file: what is forgotten, and when.
//!
//! Keeps the newest [`Limits::runs_of_code`] runs of a predicate with one code. Predictions get little from more. Where the file is larger than
//! [`Limits::bytes`] all the same, a tenth of all runs is forgotten, the oldest first, until it is not; runs of code that has been changed since
//! are the oldest before long. A code without runs is forgotten with its blocks.

use rusqlite::{Connection, params};

/// The limits on what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Runs of a predicate with one code.
    pub runs_of_code: u32,
    /// Bytes of the file.
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

/// Rounds of forgetting, each of a tenth: what is left then is a single large run.
const ROUNDS: usize = 200;

/// The pages that a file needs, in bytes.
fn bytes(connection: &Connection) -> rusqlite::Result<u64> {
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let used = number("PRAGMA page_count")? - number("PRAGMA freelist_count")?;
    Ok(used.unsigned_abs() * number("PRAGMA page_size")?.unsigned_abs())
}

/// Forgets what is beyond the limits.
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

/// Gives free pages back to the file system. That it cannot be done now is no harm.
pub(super) fn give_back(connection: &Connection) {
    let free = connection.query_row("PRAGMA freelist_count", [], |row| row.get::<_, i64>(0));
    if matches!(free, Ok(pages) if pages > 256) {
        let _ = connection.execute_batch("PRAGMA incremental_vacuum;");
    }
}
