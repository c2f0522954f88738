//! A state of the host, and how questions are put to it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use costlens_program::SourceFile;
use salsa::Database as _;

use crate::advice::Known;
use crate::db::Database;
use crate::file::Cancelled;
use crate::fixes::Remembered;

/// The most times that a question is asked again because a thread that computed part of its answer unwound.
const MOST_RETRIES: usize = 1_000;

/// A state of the host. To be dropped soon: the next write waits for it.
pub struct Snapshot {
    pub(super) db: Database,
    /// The user's files, by name; of installed libraries those that were opened.
    pub(super) files: Box<[SourceFile]>,
    /// Quick fixes that were found before.
    pub(super) remembered: Arc<Remembered>,
    /// Answers about texts of their own.
    pub(super) known: Arc<Known>,
}

impl Snapshot {
    /// Makes another one of the same state, for another thread.
    pub(super) fn another(&self) -> Self {
        Snapshot {
            db: self.db.clone(),
            files: self.files.clone(),
            remembered: Arc::clone(&self.remembered),
            known: Arc::clone(&self.known),
        }
    }

    /// Answers a question. salsa tells who waits for a query of another thread that it panicked there, whatever made it unwind: a panic, the
    /// driver that has to visit something else first, or a write that is pending. After a panic of its own this thread would not get here; so
    /// it looks which of the others it was, and finds the panic by itself if it was one.
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
                // A write that is pending stays so as long as this snapshot is there: then this is the end of it.
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
