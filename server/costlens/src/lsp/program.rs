//! Reads the program of a document, as shown in the editor, into a separate host, so that editing can continue.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use costlens_ide::host::Host;
use tower_lsp::ls_types::Uri;

use super::document::DocumentView;
use super::session::Session;
use crate::disk::place::place_of;
use crate::disk::reader::Reader;
use crate::profiling::interrupted;
use crate::profiling::running::Read;

/// Returns the file of a document. Returns `None` if the document was never saved.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().as_str().eq_ignore_ascii_case("file");
    uri.to_file_path().filter(|_| is_file).map(PathBuf::from)
}

/// Reads a program: open documents from the editor, and the files that they load.
///
/// # Errors
/// Fails if the document is not open.
pub(super) fn read(
    uri: &Uri,
    documents: &[Arc<DocumentView>],
    session: &Session,
) -> anyhow::Result<Read> {
    let mut host = Host::unedited();
    host.set_dialect(session.settings.dialect);
    host.set_expansions(session.settings.expansions);
    let mut found = None;
    for view in documents {
        let (name, text) = (view.uri.as_str(), view.text.as_str());
        let file = match view.uri.to_file_path() {
            Some(path) => host.open_at(name, &place_of(&path), text),
            None => host.open(name, text),
        };
        if view.uri == *uri {
            found = Some(file);
        }
    }
    let Some(file) = found else {
        bail!("`{}` is not open", uri.as_str());
    };
    Reader::default().read(&mut host, &[file]);
    let program = host.snapshot().program(file).map_err(interrupted)?;
    Ok(Read {
        file,
        program,
        host,
        name: uri.as_str().to_owned(),
        edited: documents
            .iter()
            .map(|view| view.uri.as_str().to_owned())
            .collect(),
    })
}
