//! The salsa database of the analysis.

use std::sync::Arc;

use costlens_infer::infer;
use costlens_program::workspace;

use crate::db::{Db, Inference};
use crate::kept::Store;
use crate::memory::Memory;

/// The salsa database of the analysis.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    inference: Inference,
    memory: Arc<Memory>,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl costlens_program::Db for Database {}

#[salsa::db]
impl Db for Database {
    fn inference(&self) -> Inference {
        self.inference
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }
}

impl Default for Database {
    fn default() -> Self {
        Self::new()
    }
}

/// The library files that ship with Costlens, as pairs of name and text.
pub const LIBRARY: &[(&str, &str)] = costlens_program::workspace::TEXTS;

/// A callback for salsa's events, which reports the executed queries.
pub type EventSink = Box<dyn Fn(salsa::Event) + Send + Sync + 'static>;

impl Database {
    /// Creates a database with the library files that ship with Costlens.
    #[must_use]
    pub fn new() -> Self {
        Self::with_library(infer, LIBRARY, None)
    }

    /// Sets where results of inference outlive the process. The first store is kept; set it before the first query.
    pub fn set_store(&self, store: Box<dyn Store>) {
        self.memory.set_store(store);
    }

    /// Creates a database with a given inference function, given library files, and optionally an observer of executed queries.
    #[must_use]
    pub fn with_library(
        inference: Inference,
        library: &[(&str, &str)],
        events: Option<EventSink>,
    ) -> Self {
        let mut db = Self {
            storage: salsa::Storage::new(events),
            inference,
            memory: Arc::default(),
        };
        costlens_program::install_library(&mut db, library);
        workspace::install_stated(&mut db, crate::trust::LIBRARIES);
        db
    }
}
