//! A prediction requested in an editor: made on its own thread, from a copy of the texts. No part of the program is run.

use std::sync::Arc;

use anyhow::anyhow;
use costlens_ide::settings::Chosen;
use serde_json::{Value, json};
use tower_lsp::ls_types::Uri;

use super::document::View;
use super::program::{path_of, read};
use super::session::Session;
use crate::disk;
use crate::prediction;

/// The user's request.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    /// The document whose program it is.
    pub(super) uri: Uri,
    /// The call.
    pub(super) goal: String,
    /// Every solution, not only the first.
    pub(super) all: bool,
}

impl Wish {
    /// Predicts from the program as in `documents`, or as on the disk if no document is open: the report of `costlens predict`, and
    /// objections to annotations.
    ///
    /// # Errors
    /// Fails if the document is not open or has no file, the goal is not a call of its program, or the past runs cannot be read.
    pub(super) fn predict(
        &self,
        documents: &[Arc<View>],
        session: &Session,
    ) -> anyhow::Result<Value> {
        let read = read(&self.uri, documents, session)?;
        let path = path_of(&self.uri).ok_or_else(|| {
            anyhow!("save the file first: past runs are looked for in the folder that it is in")
        })?;
        let prices = match &session.settings.platform {
            Some(Chosen::Stored(platform)) => Some(Arc::clone(&platform.prices)),
            _ => None,
        };
        let found = prediction::of(
            &read,
            &prediction::Wish {
                goal: &self.goal,
                all: self.all,
                history: disk::history::wanted(&path),
                named: false,
                prices,
            },
        )?;
        Ok(json!({
            "goal": self.goal,
            "text": prediction::text::of(&found.report),
            "warnings": found.warnings,
        }))
    }
}
