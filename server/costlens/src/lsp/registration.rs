//! What the server offers: in the answer to `initialize`, or, where the client lets it, by registering and withdrawing later, so
//! that a group of features that is switched off is not there at all.

use std::collections::BTreeSet;

use costlens_ide::settings::Features;
use serde_json::{Value, json};
use tower_lsp::ls_types as lsp;

use super::requests::legend;
use super::session::Session;

/// A method that is offered as long as a group of features is on.
struct Offer {
    method: &'static str,
    /// Where the client says whether it can be registered, in `textDocument` or `workspace`.
    capability: &'static str,
    wanted: fn(&Features) -> bool,
    /// What registration says of it.
    options: fn() -> Value,
}

const OFFERS: [Offer; 9] = [
    Offer {
        method: "textDocument/definition",
        capability: "/textDocument/definition",
        wanted: |f| f.navigation,
        options: || json!({}),
    },
    Offer {
        method: "textDocument/references",
        capability: "/textDocument/references",
        wanted: |f| f.navigation,
        options: || json!({}),
    },
    Offer {
        method: "textDocument/documentHighlight",
        capability: "/textDocument/documentHighlight",
        wanted: |f| f.navigation,
        options: || json!({}),
    },
    Offer {
        method: "textDocument/documentSymbol",
        capability: "/textDocument/documentSymbol",
        wanted: |f| f.symbols,
        options: || json!({ "label": "Costlens" }),
    },
    Offer {
        method: "workspace/symbol",
        capability: "/workspace/symbol",
        wanted: |f| f.symbols,
        options: || json!({}),
    },
    Offer {
        method: "textDocument/prepareCallHierarchy",
        capability: "/textDocument/callHierarchy",
        wanted: |f| f.call_hierarchy,
        options: || json!({}),
    },
    Offer {
        method: "textDocument/foldingRange",
        capability: "/textDocument/foldingRange",
        wanted: |f| f.folding,
        options: || json!({}),
    },
    Offer {
        method: "textDocument/semanticTokens",
        capability: "/textDocument/semanticTokens",
        wanted: |f| f.semantic_tokens,
        options: || json!({ "legend": legend(), "full": true, "range": true }),
    },
    Offer {
        method: "textDocument/completion",
        capability: "/textDocument/completion",
        wanted: |f| f.completion,
        options: || json!({ "resolveProvider": true }),
    },
];

/// Of which no feature decides: settings that changed, files that changed.
const CONFIGURATION: &str = "workspace/didChangeConfiguration";
const FILES: &str = "workspace/didChangeWatchedFiles";

/// The methods that a client lets the server register.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Registers(BTreeSet<&'static str>);

impl Registers {
    pub(super) fn of(client: &lsp::ClientCapabilities) -> Self {
        let client = serde_json::to_value(client).unwrap_or_default();
        let can = |capability: &str| {
            client
                .pointer(capability)
                .is_some_and(|c| c["dynamicRegistration"] == true)
        };
        let offers = OFFERS.iter().map(|o| (o.method, o.capability));
        let others = [
            (CONFIGURATION, "/workspace/didChangeConfiguration"),
            (FILES, "/workspace/didChangeWatchedFiles"),
        ];
        let all = offers.chain(others);
        Registers(all.filter(|(_, c)| can(c)).map(|(m, _)| m).collect())
    }
}

/// Whether a method stands in the answer to `initialize`.
fn at_once(session: &Session, method: &str) -> bool {
    let mut offers = OFFERS.iter();
    let on = offers.any(|o| o.method == method && (o.wanted)(&session.features()));
    on && !session.registers.0.contains(method)
}

/// Adds to the server's capabilities what is not registered later.
pub(super) fn offer(session: &Session, capabilities: &mut lsp::ServerCapabilities) {
    let on = |method| at_once(session, method);
    capabilities.definition_provider =
        on("textDocument/definition").then_some(lsp::OneOf::Left(true));
    capabilities.references_provider =
        on("textDocument/references").then_some(lsp::OneOf::Left(true));
    capabilities.document_highlight_provider =
        on("textDocument/documentHighlight").then_some(lsp::OneOf::Left(true));
    capabilities.document_symbol_provider =
        on("textDocument/documentSymbol").then_some(lsp::OneOf::Left(true));
    capabilities.workspace_symbol_provider =
        on("workspace/symbol").then_some(lsp::OneOf::Left(true));
    capabilities.call_hierarchy_provider = on("textDocument/prepareCallHierarchy")
        .then_some(lsp::CallHierarchyServerCapability::Simple(true));
    capabilities.folding_range_provider = on("textDocument/foldingRange")
        .then_some(lsp::FoldingRangeProviderCapability::Simple(true));
    capabilities.semantic_tokens_provider = on("textDocument/semanticTokens").then(|| {
        lsp::SemanticTokensOptions {
            legend: legend(),
            range: Some(true),
            full: Some(lsp::SemanticTokensFullOptions::Bool(true)),
            ..Default::default()
        }
        .into()
    });
    capabilities.completion_provider =
        on("textDocument/completion").then(|| lsp::CompletionOptions {
            resolve_provider: Some(true),
            ..Default::default()
        });
}

/// What is registered at the moment.
#[derive(Debug, Default)]
pub(super) struct Registered(BTreeSet<&'static str>);

/// What has to be registered, and what withdrawn.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) new: Vec<lsp::Registration>,
    pub(super) old: Vec<lsp::Unregistration>,
}

impl Registered {
    /// The changes that the settings of a session ask for; they count as made.
    pub(super) fn update(&mut self, session: &Session) -> Changes {
        let features = session.features();
        let on = OFFERS.iter().filter(|o| (o.wanted)(&features));
        let wanted: BTreeSet<&'static str> = on
            .map(|o| o.method)
            .chain([CONFIGURATION, FILES])
            .filter(|method| session.registers.0.contains(method))
            .collect();
        let changes = Changes {
            new: wanted
                .difference(&self.0)
                .map(|m| registration(m))
                .collect(),
            old: (self.0.difference(&wanted))
                .map(|method| lsp::Unregistration {
                    id: (*method).to_owned(),
                    method: (*method).to_owned(),
                })
                .collect(),
        };
        self.0 = wanted;
        changes
    }
}

fn registration(method: &str) -> lsp::Registration {
    let mut offers = OFFERS.iter();
    let options = match offers.find(|o| o.method == method) {
        Some(offer) => {
            let mut options = (offer.options)();
            if offer.method.starts_with("textDocument/") {
                // The client's own selection of documents.
                options["documentSelector"] = Value::Null;
            }
            options
        }
        None if method == CONFIGURATION => json!({ "section": "costlens" }),
        None => {
            let patterns = ["pl", "pro", "prolog", "plt"].map(|e| format!("**/*.{e}"));
            let watchers = patterns.map(|glob| json!({ "globPattern": glob }));
            json!({ "watchers": watchers })
        }
    };
    lsp::Registration {
        id: method.to_owned(),
        method: method.to_owned(),
        register_options: Some(options),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_switched_off_is_withdrawn_and_comes_back() {
        let client: lsp::ClientCapabilities = serde_json::from_value(json!({
            "textDocument": {"completion": {"dynamicRegistration": true}, "definition": {"dynamicRegistration": false}},
        }))
        .unwrap();
        let mut session = Session {
            registers: Registers::of(&client),
            ..Session::default()
        };
        let mut registered = Registered::default();
        let changes = registered.update(&session);
        assert_eq!(changes.new.len(), 1);
        assert_eq!(changes.new[0].method, "textDocument/completion");
        let mut capabilities = lsp::ServerCapabilities::default();
        offer(&session, &mut capabilities);
        assert!(capabilities.completion_provider.is_none());
        assert!(capabilities.definition_provider.is_some());
        session.settings.features.completion = false;
        session.settings.features.navigation = false;
        let changes = registered.update(&session);
        assert!(changes.new.is_empty());
        assert_eq!(changes.old[0].method, "textDocument/completion");
        session.settings.features.completion = true;
        assert_eq!(registered.update(&session).new.len(), 1);
        session.settings.enable = false;
        assert_eq!(registered.update(&session).old.len(), 1);
    }
}
