//! A snapshot of the host's state, and the execution of queries on it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use costlens_program::SourceFile;
use salsa::Database as _;

use crate::advice::AdviceCache;
use crate::db::Database;
use crate::file::Cancelled;
use crate::fixes::Remembered;

/// The maximum number of times that a query is repeated because a thread that computed part of its result unwound.
const MOST_RETRIES: usize = 1_000;

/// A snapshot of the host's state. Drop it soon, because the next write waits for it.
pub struct Snapshot {
    pub(super) db: Database,
    /// The user's files, by name. Files of installed libraries are included only if they are open.
    pub(super) files: Box<[SourceFile]>,
    /// Cached quick fixes.
    pub(super) remembered: Arc<Remembered>,
    /// Cached results for separate texts.
    pub(super) known: Arc<AdviceCache>,
}

impl Snapshot {
    /// Creates another snapshot of the same state for another thread.
    pub(super) fn another(&self) -> Self {
        Snapshot {
            db: self.db.clone(),
            files: self.files.clone(),
            remembered: Arc::clone(&self.remembered),
            known: Arc::clone(&self.known),
        }
    }

    /// Runs a query. If a thread waits for a query of another thread and that thread unwinds, salsa reports a propagated panic regardless
    /// of the cause: a panic, the driver that must visit another predicate first, or a pending write. A panic of this thread itself would
    /// not reach this code. The function therefore checks for a pending write, and otherwise repeats the query. If a panic was the cause,
    /// the repeated query panics again.
    pub(super) fn read<T>(
        &self,
        question: &'static str,
        query: impl Fn(&Database) -> T,
    ) -> Result<T, Cancelled> {
        let _question = tracing::info_span!("question", name = question).entered();
        let read = |query: &dyn Fn(&Database) -> T| {
            salsa::Cancelled::catch(AssertUnwindSafe(|| query(&self.db)))
        };
        for _ in 0..MOST_RETRIES {
            match read(&query) {
                Ok(value) => return Ok(value),
                // A pending write waits until this snapshot is dropped, so the query must end.
                Err(salsa::Cancelled::PropagatedPanic) => {
                    let waiting = AssertUnwindSafe(|| self.db.unwind_if_revision_cancelled());
                    salsa::Cancelled::catch(waiting).map_err(|_| Cancelled)?;
                    std::thread::yield_now();
                }
                Err(_) => return Err(Cancelled),
            }
        }
        let panic = salsa::Cancelled::PropagatedPanic.to_string();
        std::panic::resume_unwind(Box::new(panic))
    }
}
