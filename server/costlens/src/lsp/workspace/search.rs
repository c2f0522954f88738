//! Searches the workspace for files that a question requires: for references, callers, symbols.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_ide::host::{Cancelled, Snapshot};
use tower_lsp::ls_types::Uri;

use super::unread::{Disk, DiskSymbol, RelatedFile};
use crate::disk::listing::Area;
use crate::lsp::question::{PendingQuestion, PendingSearch, SearchSubject};
use crate::lsp::session::Session;

/// A question, and the number of searches made for it.
pub(in crate::lsp) struct Wide {
    pub(in crate::lsp) what: What,
    pub(in crate::lsp) turn: usize,
}

/// A question that may require unread files.
pub(in crate::lsp) enum What {
    /// A question about a version of a document.
    About(Uri, i32, Box<dyn PendingQuestion>),
    /// A question about all files.
    All(Box<dyn PendingSearch>),
}

impl Wide {
    /// Returns whether the answer is still wanted.
    pub(in crate::lsp) fn is_wanted(&self) -> bool {
        match &self.what {
            What::About(_, _, question) => question.is_wanted(),
            What::All(search) => search.is_wanted(),
        }
    }
}

/// The files that a worker has found on disk.
#[derive(Default)]
pub(in crate::lsp) struct SearchResult {
    pub(in crate::lsp) related: Vec<RelatedFile>,
    /// Symbols of unread files, for a question about symbols.
    pub(in crate::lsp) symbols: Vec<Arc<[DiskSymbol]>>,
}

/// Searches for files that are related to a subject, excluding the `known` places.
///
/// # Errors
/// Fails if a write interrupts the search.
pub(in crate::lsp) fn look(
    subject: SearchSubject,
    snapshot: Snapshot,
    disk: &Disk,
    session: &Session,
    known: &BTreeSet<String>,
    is_wanted: &dyn Fn() -> bool,
) -> Result<SearchResult, Cancelled> {
    let areas: Vec<Area> = session.roots.iter().cloned().map(Area::Tree).collect();
    let sought = match subject {
        SearchSubject::Place(file, offset) => snapshot.sought(file, offset)?,
        SearchSubject::Predicate(file, predicate) => match snapshot.file(&file)? {
            Some(file) => snapshot.sought_of(file, &predicate)?,
            None => None,
        },
        SearchSubject::Everything => {
            // A write waits for all snapshots, so drop this one first.
            drop(snapshot);
            let encoding = session.encoding;
            return Ok(SearchResult {
                symbols: disk.symbols(&areas, known, encoding, is_wanted),
                ..SearchResult::default()
            });
        }
    };
    drop(snapshot);
    let related = sought.map(|sought| disk.related(&areas, &sought, known, is_wanted));
    Ok(SearchResult {
        related: related.unwrap_or_default(),
        ..SearchResult::default()
    })
}
