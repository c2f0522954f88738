//! `textDocument/codeAction`.

use std::time::Duration;

use costlens_ide::fixes::Action;
use costlens_ide::host::Cancelled;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};
use crate::lsp::to_proto;

/// The quick fixes for a range.
pub(in crate::lsp) struct CodeActions {
    range: lsp::Range,
    /// The requested kinds; all if `None`.
    only: Option<Vec<lsp::CodeActionKind>>,
    /// The quick fixes that are wanted.
    which: Which,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// All.
    All,
    /// Those that earlier requests have found.
    Found,
}

/// The question whether a range touches several predicates.
pub(in crate::lsp) struct TouchesSeveral {
    range: lsp::Range,
}

/// The time for which a request about several predicates waits before it gets the quick fixes that have been found. The search continues for
/// later requests.
const PATIENCE: Duration = Duration::from_millis(250);

/// The kinds that the server offers.
const KINDS: [lsp::CodeActionKind; 2] =
    [lsp::CodeActionKind::QUICKFIX, lsp::CodeActionKind::REFACTOR];

fn is_wanted(kind: &lsp::CodeActionKind, only: Option<&[lsp::CodeActionKind]>) -> bool {
    let fits = |wanted: &lsp::CodeActionKind| wanted.as_str().is_empty() || wanted == kind;
    only.is_none_or(|only| only.iter().any(fits))
}

impl Request for CodeActions {
    type Method = lsp::request::CodeActionRequest;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |_| true,
        announce: |c| {
            let options = lsp::CodeActionOptions {
                code_action_kinds: Some(KINDS.to_vec()),
                ..Default::default()
            };
            c.code_action_provider = Some(lsp::CodeActionProviderCapability::Options(options));
        },
        registered: None,
    });

    async fn handle(
        asker: &Asker,
        params: lsp::CodeActionParams,
    ) -> jsonrpc::Result<Option<lsp::CodeActionResponse>> {
        let only = params.context.only;
        // A client that requests only other kinds gets no actions.
        if KINDS.iter().all(|kind| !is_wanted(kind, only.as_deref())) {
            return Ok(None);
        }
        let range = params.range;
        let uri = params.text_document.uri;
        let question = |which| CodeActions {
            range,
            only: only.clone(),
            which,
        };
        let all = asker.ask(uri.clone(), question(Which::All));
        let is_cursor = range.start == range.end;
        if is_cursor || !asker.ask(uri.clone(), TouchesSeveral { range }).await? {
            return all.await;
        }
        match tokio::time::timeout(PATIENCE, all).await {
            Ok(all) => all,
            Err(_) => asker.ask(uri, question(Which::Found)).await,
        }
    }
}

impl Question for TouchesSeveral {
    type Answer = bool;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        c.snapshot
            .touches_several(c.file, &c.view.bytes(self.range))
    }
}

impl Question for CodeActions {
    type Answer = Option<lsp::CodeActionResponse>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        if !c.session.settings.enable || !c.session.settings.code_actions {
            return Ok(None);
        }
        let on = c.session.settings.platform.as_ref();
        let range = c.view.bytes(self.range);
        let found = match self.which {
            Which::All => c.snapshot.code_actions(c.file, range, on)?,
            Which::Found => c.snapshot.found_actions(c.file, range, on)?,
        };
        let is_shown = |a: &Action| !a.edits.is_empty() || c.session.disabled_actions;
        let actions = (found.into_iter().filter(is_shown))
            .map(|a| to_proto::action(&c.view, &c.session, a))
            .filter(|a| {
                let is_wanted = |kind| is_wanted(kind, self.only.as_deref());
                a.kind.as_ref().is_none_or(is_wanted)
            });
        Ok(Some(actions.map(Into::into).collect()))
    }
}
