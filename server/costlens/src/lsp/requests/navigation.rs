//! `textDocument/definition`, `textDocument/references`, `textDocument/documentHighlight`.

use costlens_ide::host::Cancelled;
use tower_lsp::ls_types as lsp;

use super::Context;

pub(super) fn definition(
    c: &Context,
    at: lsp::Position,
) -> Result<Option<lsp::GotoDefinitionResponse>, Cancelled> {
    if !c.features().navigation {
        return Ok(None);
    }
    let (mut views, mut found) = (c.views(), Vec::new());
    for place in c.snapshot.definition(c.file, c.view.offset(at))? {
        found.extend(views.location(&place)?);
    }
    Ok(match found.len() {
        0 => None,
        1 => found.pop().map(lsp::GotoDefinitionResponse::Scalar),
        _ => Some(lsp::GotoDefinitionResponse::Array(found)),
    })
}

pub(super) fn references(
    c: &Context,
    at: lsp::Position,
    declarations: bool,
) -> Result<Option<Vec<lsp::Location>>, Cancelled> {
    if !c.features().navigation {
        return Ok(None);
    }
    let mut views = c.views();
    let mut found = Vec::new();
    for place in c
        .snapshot
        .references(c.file, c.view.offset(at), declarations)?
    {
        found.extend(views.location(&place)?);
    }
    Ok(Some(found))
}

pub(super) fn highlights(
    c: &Context,
    at: lsp::Position,
) -> Result<Option<Vec<lsp::DocumentHighlight>>, Cancelled> {
    if !c.features().navigation {
        return Ok(None);
    }
    let found = c.snapshot.highlights(c.file, c.view.offset(at))?;
    let shown = found.into_iter().map(|h| lsp::DocumentHighlight {
        range: c.view.range(&h.range),
        kind: Some(if h.defines {
            lsp::DocumentHighlightKind::WRITE
        } else {
            lsp::DocumentHighlightKind::READ
        }),
    });
    Ok(Some(shown.collect()))
}
