//! Views of files other than a question's document: their texts come from the snapshot.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use costlens_ide::host::{Cancelled, File, Snapshot};
use costlens_ide::navigate::Destination;
use costlens_ide::navigate::definition::first_head;
use tower_lsp::ls_types::{self as lsp, Uri};

use super::document::DocumentView;
use super::session::Session;
use crate::disk::text_of;
use crate::lines::LineIndex;

/// The scheme under which supporting clients show the shipped library.
pub(super) const LIBRARY_SCHEME: &str = "costlens-library";

/// A cache of views of files.
pub(super) struct Views<'a> {
    snapshot: &'a Snapshot,
    session: &'a Session,
    known: Vec<(File, Option<Arc<DocumentView>>)>,
}

impl<'a> Views<'a> {
    /// Creates the views for a snapshot, optionally with the existing view of an open document.
    pub(super) fn new(
        snapshot: &'a Snapshot,
        session: &'a Session,
        open: Option<(File, Arc<DocumentView>)>,
    ) -> Self {
        let known = open.map(|(file, view)| (file, Some(view)));
        Views {
            snapshot,
            session,
            known: known.into_iter().collect(),
        }
    }

    /// Returns the view of a file. Returns `None` for a file that the client could not open.
    pub(super) fn get(&mut self, file: File) -> Result<Option<Arc<DocumentView>>, Cancelled> {
        if let Some((_, view)) = self.known.iter().find(|(known, _)| *known == file) {
            return Ok(view.clone());
        }
        let (name, text) = self.snapshot.document(file)?;
        let place = self.snapshot.library_place(file)?;
        let uri: Option<Uri> = if let Some(place) = place {
            uri_of(&place)
        } else if self.snapshot.is_library(file)? {
            let shown = format!("{LIBRARY_SCHEME}:/{name}.pl");
            shown
                .parse()
                .ok()
                .filter(|_| self.session.library_documents)
        } else {
            uri_of(&name)
        };
        let view = uri.map(|uri| Arc::new(self.view(uri, &text)));
        self.known.push((file, view.clone()));
        Ok(view)
    }

    /// Returns the view of a text that no client has opened.
    fn view(&self, uri: Uri, text: &str) -> DocumentView {
        DocumentView {
            uri,
            version: 0,
            lines: LineIndex::new(text),
            text: text.to_owned(),
            encoding: self.session.encoding,
            serial: 0,
        }
    }

    /// Converts a destination, without the text around the name. Shipped predicates are shown in the installed SWI-Prolog, if there is one.
    pub(super) fn location(
        &mut self,
        destination: &Destination,
    ) -> Result<Option<lsp::Location>, Cancelled> {
        if let Some(installed) = self.installed(destination)? {
            return Ok(Some(installed));
        }
        self.range(destination.file, &destination.selection)
    }

    /// Returns the location of a shipped predicate in the installed library of the same name.
    fn installed(&self, destination: &Destination) -> Result<Option<lsp::Location>, Cancelled> {
        if !self.snapshot.is_library(destination.file)? {
            return Ok(None);
        }
        let Some(functor) = self.snapshot.defined_at(destination)? else {
            return Ok(None);
        };
        let (name, _) = self.snapshot.document(destination.file)?;
        for folder in self.snapshot.library_folders()? {
            let path = Path::new(&folder).join(format!("{name}.pl"));
            let found = text_of(&path).and_then(|text| {
                let head = first_head(&text, &functor)?;
                let uri = Uri::from_file_path(&path)?;
                let view = self.view(uri, &text);
                Some(lsp::Location::new(view.uri.clone(), view.range(&head)))
            });
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Converts a byte range of a file.
    pub(super) fn range(
        &mut self,
        file: File,
        range: &Range<usize>,
    ) -> Result<Option<lsp::Location>, Cancelled> {
        let view = self.get(file)?;
        Ok(view.map(|view| lsp::Location::new(view.uri.clone(), view.range(range))))
    }
}

/// Returns the URI of a file: the client's name for it, or its path.
pub(super) fn uri_of(name: &str) -> Option<Uri> {
    let path = Path::new(name);
    if path.is_absolute() {
        Uri::from_file_path(path)
    } else {
        name.parse().ok()
    }
}

/// Returns the text of a library document, identified by the name that [`Views`] gives it.
pub(super) fn library_text(uri: &str) -> Option<&'static str> {
    let name = uri
        .strip_prefix(LIBRARY_SCHEME)?
        .strip_prefix(':')?
        .trim_start_matches('/')
        .strip_suffix(".pl")?;
    let mut texts = costlens_program::workspace::TEXTS.iter();
    texts
        .find(|(known, _)| *known == name)
        .map(|&(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::library_text;

    #[test]
    fn files_are_called_by_uris() {
        let uri = |name| super::uri_of(name).map(|uri| uri.as_str().to_owned());
        assert_eq!(
            uri("untitled:Untitled-1").as_deref(),
            Some("untitled:Untitled-1")
        );
        assert_eq!(uri("/a b/%c.pl").as_deref(), Some("file:///a%20b/%25c.pl"));
    }

    #[test]
    fn the_library_is_found_by_its_names_alone() {
        assert!(library_text("costlens-library:/lists.pl").is_some_and(|t| t.contains("append")));
        assert!(library_text("costlens-library:///lists.pl").is_some());
        for odd in [
            "file:///lists.pl",
            "costlens-library:/../lists.pl",
            "costlens-library:/x.pl",
            "",
        ] {
            assert_eq!(library_text(odd), None, "{odd}");
        }
    }
}
