//! Predictions requested in an editor: computed on a separate thread, from a copy of the texts. No part of the program is run.

use std::sync::Arc;

use anyhow::anyhow;
use costlens_ide::settings::Chosen;
use serde_json::{Value, json};
use tower_lsp::ls_types::Uri;

use super::document::DocumentView;
use super::program::{path_of, read};
use super::session::Session;
use crate::disk;
use crate::prediction;

/// The user's request.
#[derive(Clone, Debug)]
pub(super) struct PredictParams {
    /// The document whose program contains the predicate.
    pub(super) uri: Uri,
    /// The call to predict.
    pub(super) goal: String,
    /// True for all solutions, not only the first.
    pub(super) all: bool,
}

impl PredictParams {
    /// Predicts a call of the program in `documents`, or on disk if no document is open. Returns the report of `costlens predict`, and
    /// objections to annotations.
    ///
    /// # Errors
    /// Fails if the document is not open or has no file, if the goal is not a call of its program, or if the past runs cannot be read.
    pub(super) fn predict(
        &self,
        documents: &[Arc<DocumentView>],
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
        let found = prediction::predict_call(
            &read,
            &prediction::PredictionRequest {
                goal: &self.goal,
                all: self.all,
                history: disk::history::wanted(&path),
                named: false,
                at: &[],
                prices,
            },
        )?;
        Ok(json!({
            "goal": self.goal,
            "text": prediction::text::format_report(&found.report),
            "warnings": found.warnings,
        }))
    }
}
