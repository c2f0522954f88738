//! The server's capabilities: announced in the response to `initialize`, or, if the client allows it, registered and withdrawn later, so
//! that a disabled group of features does not exist for the client.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tower_lsp::ls_types as lsp;

use super::requests::{Registered, offers};
use super::session::Session;
use crate::disk::project;

/// Registrations that do not depend on features: notifications about changed settings and changed files.
const ALWAYS: [Registered; 2] = [
    Registered {
        method: "workspace/didChangeConfiguration",
        capability: "/workspace/didChangeConfiguration",
        options: || json!({ "section": "costlens" }),
    },
    Registered {
        method: "workspace/didChangeWatchedFiles",
        capability: "/workspace/didChangeWatchedFiles",
        options: || {
            let patterns = ["pl", "pro", "prolog", "plt"].map(|e| format!("**/*.{e}"));
            let project = format!("**/{}", project::NAME);
            let all = patterns.into_iter().chain([project]);
            let watchers: Vec<Value> = all.map(|glob| json!({ "globPattern": glob })).collect();
            json!({ "watchers": watchers })
        },
    },
];

/// Adds the capabilities that are not registered later.
pub(super) fn announce(session: &Session, capabilities: &mut lsp::ServerCapabilities) {
    for offer in offers().filter(|o| (o.wanted)(session)) {
        let later = offer.registered;
        if !later.is_some_and(|r| session.lets_register(r.capability)) {
            (offer.announce)(capabilities);
        }
    }
}

/// The currently registered methods.
#[derive(Default)]
pub(super) struct Registrations(BTreeMap<&'static str, Registered>);

/// The registrations to make and to withdraw.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) new: Vec<lsp::Registration>,
    pub(super) old: Vec<lsp::Unregistration>,
}

impl Registrations {
    /// Returns the changes that the settings of a session require, and records them as made.
    pub(super) fn update(&mut self, session: &Session) -> Changes {
        let on = offers().filter(|o| (o.wanted)(session));
        let wanted: BTreeMap<&'static str, Registered> = (on.filter_map(|o| o.registered))
            .chain(ALWAYS)
            .filter(|r| session.lets_register(r.capability))
            .map(|r| (r.method, r))
            .collect();
        let new = wanted.iter().filter(|(m, _)| !self.0.contains_key(*m));
        let old = self.0.keys().filter(|m| !wanted.contains_key(*m));
        let changes = Changes {
            new: new.map(|(_, r)| registration(r)).collect(),
            old: old
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

fn registration(of: &Registered) -> lsp::Registration {
    let mut options = (of.options)();
    if of.method.starts_with("textDocument/") {
        // Use the client's own document selector.
        options["documentSelector"] = Value::Null;
    }
    lsp::Registration {
        id: of.method.to_owned(),
        method: of.method.to_owned(),
        register_options: Some(options),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_switched_off_is_withdrawn_and_comes_back() {
        let client = json!({
            "textDocument": {"completion": {"dynamicRegistration": true}, "definition": {"dynamicRegistration": false}},
        });
        let mut session = Session {
            client: client.into(),
            ..Session::default()
        };
        let mut registered = Registrations::default();
        let changes = registered.update(&session);
        assert_eq!(changes.new.len(), 1);
        assert_eq!(changes.new[0].method, "textDocument/completion");
        let mut capabilities = lsp::ServerCapabilities::default();
        announce(&session, &mut capabilities);
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
