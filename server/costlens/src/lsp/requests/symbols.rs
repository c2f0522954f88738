//! `textDocument/documentSymbol`.

use costlens_ide::host::Cancelled;
use tower_lsp::ls_types as lsp;

use super::Context;
use crate::lsp::to_proto;

pub(super) fn symbols(c: &Context) -> Result<Option<lsp::DocumentSymbolResponse>, Cancelled> {
    if !c.features().symbols {
        return Ok(None);
    }
    let symbols = c.snapshot.document_symbols(c.file)?.into_iter();
    Ok(Some(if c.session.nested_symbols {
        lsp::DocumentSymbolResponse::Nested(symbols.map(|s| to_proto::symbol(&c.view, s)).collect())
    } else {
        let flat = symbols.map(|s| to_proto::flat_symbol(&c.view, s));
        lsp::DocumentSymbolResponse::Flat(flat.collect())
    }))
}
