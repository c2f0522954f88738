//! A state of the host, and the answering of questions.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use costlens_program::SourceFile;
use salsa::Database as _;

use crate::advice::Known;
use crate::db::Database;
use crate::file::Cancelled;
use crate::fixes::Remembered;

/// The maximum number of times that a question is asked again because a thread that computed part of its answer unwound.
const MOST_RETRIES: usize = 1_000;

/// A state of the host. Drop it soon: the next write waits for it.
pub struct Snapshot {
    pub(super) db: Database,
    /// The user's files, by name; of installed libraries only the opened ones.
    pub(super) files: Box<[SourceFile]>,
    /// Quick fixes that were found before.
    pub(super) remembered: Arc<Remembered>,
    /// Answers about separate texts.
    pub(super) known: Arc<Known>,
}

impl Snapshot {
    /// Makes another snapshot of the same state, for another thread.
    pub(super) fn another(&self) -> Self {
        Snapshot {
            db: self.db.clone(),
            files: self.files.clone(),
            remembered: Arc::clone(&self.remembered),
            known: Arc::clone(&self.known),
        }
    }

    /// Answers a question. If a thread waits for a query of another one and that one unwinds, salsa reports a panic, whatever the cause: a
    /// panic, the driver that has to visit something else first, or a pending write. After a panic of its own, this thread would not get
    /// here. It therefore determines which of the other causes it was, and repeats the query, which panics here if it panicked there.
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
                // A pending write stays pending as long as this snapshot exists, so this ends the question.
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
