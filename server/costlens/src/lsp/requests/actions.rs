//! `textDocument/codeAction`.

use costlens_ide::host::Cancelled;
use tower_lsp::ls_types as lsp;

use super::Context;
use crate::lsp::to_proto;

pub(super) fn actions(
    c: &Context,
    range: lsp::Range,
) -> Result<Option<lsp::CodeActionResponse>, Cancelled> {
    if !c.session.settings.enable || !c.session.settings.code_actions {
        return Ok(None);
    }
    let found = c.snapshot.code_actions(c.file, c.view.bytes(range))?;
    let actions = found
        .into_iter()
        .map(|a| to_proto::action(&c.view, &c.session, a).into());
    Ok(Some(actions.collect()))
}
