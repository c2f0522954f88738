//! Places in files that a question is not about: their texts come from the snapshot.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use costlens_ide::host::{Cancelled, File, Snapshot};
use costlens_ide::navigate::Destination;
use tower_lsp::ls_types::{self as lsp, Uri};

use super::document::View;
use super::session::Session;
use crate::lines::LineIndex;

/// The scheme under which clients that said they can show it see the library that ships with Costlens.
pub(super) const LIBRARY_SCHEME: &str = "costlens-library";

/// The views of files, each made once.
pub(super) struct Views<'a> {
    snapshot: &'a Snapshot,
    session: &'a Session,
    known: Vec<(File, Option<Arc<View>>)>,
}

impl<'a> Views<'a> {
    /// The views of a snapshot; that of an open document may be there already.
    pub(super) fn new(
        snapshot: &'a Snapshot,
        session: &'a Session,
        open: Option<(File, Arc<View>)>,
    ) -> Self {
        let known = open.map(|(file, view)| (file, Some(view)));
        Views {
            snapshot,
            session,
            known: known.into_iter().collect(),
        }
    }

    /// The view of a file; none for a file that the client could not open.
    pub(super) fn of(&mut self, file: File) -> Result<Option<Arc<View>>, Cancelled> {
        if let Some((_, view)) = self.known.iter().find(|(known, _)| *known == file) {
            return Ok(view.clone());
        }
        let (name, text) = self.snapshot.document(file)?;
        let uri: Option<Uri> = if self.snapshot.is_library(file)? {
            let shown = format!("{LIBRARY_SCHEME}:/{name}.pl");
            shown
                .parse()
                .ok()
                .filter(|_| self.session.library_documents)
        } else {
            uri_of(&name)
        };
        let view = uri.map(|uri| {
            Arc::new(View {
                uri,
                version: 0,
                lines: LineIndex::new(&text),
                text: text.to_string(),
                encoding: self.session.encoding,
                serial: 0,
            })
        });
        self.known.push((file, view.clone()));
        Ok(view)
    }

    /// A destination, without what is around the name.
    pub(super) fn location(
        &mut self,
        destination: &Destination,
    ) -> Result<Option<lsp::Location>, Cancelled> {
        self.range(destination.file, &destination.selection)
    }

    /// Some bytes of a file.
    pub(super) fn range(
        &mut self,
        file: File,
        range: &Range<usize>,
    ) -> Result<Option<lsp::Location>, Cancelled> {
        let view = self.of(file)?;
        Ok(view.map(|view| lsp::Location::new(view.uri.clone(), view.range(range))))
    }
}

/// The URI of a file: what the client called it, or its path.
pub(super) fn uri_of(name: &str) -> Option<Uri> {
    let path = Path::new(name);
    if path.is_absolute() {
        Uri::from_file_path(path)
    } else {
        name.parse().ok()
    }
}

/// The text of a file of the library, by the name that [`Views`] gives it.
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
