//! `textDocument/codeLens`: lenses for profiling plunit tests, for clients that announce the command `costlens.profile`.

use costlens_ide::host::Cancelled;
use costlens_profile::units::units;
use serde_json::json;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};

/// The client's command. It takes the argument of [`super::execute_command`], without trust and engine.
const PROFILE: &str = "costlens.profile";

/// The lenses of a document.
pub(in crate::lsp) struct Lenses;

impl Request for Lenses {
    type Method = lsp::request::CodeLensRequest;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.settings.enable && session.profile_lenses,
        announce: |c| {
            c.code_lens_provider = Some(lsp::CodeLensOptions {
                resolve_provider: Some(false),
            });
        },
        registered: None,
    });

    async fn handle(
        asker: &Asker,
        params: lsp::CodeLensParams,
    ) -> jsonrpc::Result<Option<Vec<lsp::CodeLens>>> {
        asker.ask(params.text_document.uri, Lenses).await
    }
}

impl Question for Lenses {
    type Answer = Option<Vec<lsp::CodeLens>>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        if !c.session.settings.enable || !c.view.text.contains("begin_tests") {
            return Ok(None);
        }
        let mut lenses = Vec::new();
        let mut add = |offset: usize, goal: String| {
            let range = c.view.range(&(offset..offset));
            for (title, search) in [("Profile", false), ("Find bottleneck", true)] {
                let argument = json!({"uri": c.view.uri.as_str(), "goal": goal, "search": search});
                lenses.push(lsp::CodeLens {
                    range,
                    command: Some(lsp::Command {
                        title: title.to_owned(),
                        command: PROFILE.to_owned(),
                        arguments: Some(vec![argument]),
                    }),
                    data: None,
                });
            }
        };
        let terms = c.snapshot.terms(c.file)?;
        for unit in units(&terms) {
            if !unit.tests.is_empty() {
                add(unit.offset, unit.goal());
            }
            for test in &unit.tests {
                add(test.offset, unit.goal_of(test));
            }
        }
        Ok(Some(lenses))
    }
}
