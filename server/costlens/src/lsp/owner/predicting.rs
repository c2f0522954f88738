//! Predictions requested by the user, each on a separate thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio::sync::oneshot;

use super::Owner;
use crate::lsp::document::DocumentView;
use crate::lsp::event::CommandResult;
use crate::lsp::predict::PredictParams;

impl Owner {
    /// Predicts from the current texts. The session does not depend on the result.
    pub(super) fn predict(&self, wish: PredictParams, reply: oneshot::Sender<CommandResult>) {
        let documents: Vec<Arc<DocumentView>> =
            self.documents.values().map(|d| d.view.clone()).collect();
        let session = self.session.clone();
        self.runtime.spawn_blocking(move || {
            let predict = || wish.predict(&documents, &session);
            let predicted = match catch_unwind(AssertUnwindSafe(predict)) {
                Ok(predicted) => predicted.map_err(|error| format!("{error:#}")),
                Err(_) => Err("a panic while the goal was predicted".to_owned()),
            };
            // The requester may no longer exist.
            let _ = reply.send(predicted);
        });
    }
}
