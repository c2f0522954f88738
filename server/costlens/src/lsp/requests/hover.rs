//! `textDocument/hover`.

use costlens_ide::host::Cancelled;
use tower_lsp::ls_types as lsp;

use super::Context;
use crate::lsp::to_proto;

pub(super) fn hover(c: &Context, at: lsp::Position) -> Result<Option<lsp::Hover>, Cancelled> {
    if !c.session.settings.enable || !c.session.settings.hover {
        return Ok(None);
    }
    let hover = c
        .snapshot
        .hover(c.file, c.view.offset(at), &c.session.settings)?;
    Ok(hover.map(|h| to_proto::hover(&c.view, h)))
}
