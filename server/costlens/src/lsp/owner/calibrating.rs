//! Calibration of an engine in the background: one at a time, with a progress display, cancellable by the user.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use costlens_engines::Progress;
use serde_json::json;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::Owner;
use crate::calibration::{CalibrationRequest, Stage, calibrate};
use crate::lsp::event::{CommandResult, Event};
use crate::lsp::from_proto;
use crate::lsp::outgoing::{CancellableWork, Outgoing, Share};

impl Owner {
    /// Calibrates on a separate thread, and stores the platform for the user.
    pub(super) fn calibrate(
        &mut self,
        wish: CalibrationRequest,
        reply: oneshot::Sender<CommandResult>,
    ) {
        if self.calibrating.is_some() {
            // The requester may no longer exist.
            let _ = reply.send(Err("an engine is being calibrated already".to_owned()));
            return;
        }
        let cancel = Arc::new(AtomicBool::new(false));
        self.calibrating = Some(Arc::clone(&cancel));
        let (shares, shown) = unbounded_channel();
        if self.session.shows_progress {
            self.send(Outgoing::Progress(CancellableWork::Calibration, shown));
        }
        let sender = self.sender.clone();
        self.runtime.spawn_blocking(move || {
            let calibrated = stored(&wish, &shares, &cancel);
            let _ = sender.send(Event::Calibrated(calibrated, reply));
        });
    }

    /// Starts using the new platform.
    pub(super) fn calibrated(
        &mut self,
        calibrated: CommandResult,
        reply: oneshot::Sender<CommandResult>,
    ) {
        self.calibrating = None;
        if calibrated.is_ok() {
            let settings =
                from_proto::settings(&self.session.said, self.session.shows, &self.project);
            self.configure(settings);
        }
        let _ = reply.send(calibrated);
    }

    /// Ends the current calibration; its engine ends within 50 ms.
    pub(super) fn cancel_calibration(&self) {
        if let Some(cancel) = &self.calibrating {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}

fn stored(
    wish: &CalibrationRequest,
    shares: &UnboundedSender<Share>,
    cancel: &AtomicBool,
) -> CommandResult {
    let mut tell = |stage: Stage<'_>| {
        if let Stage::Measuring(engine, Progress::Process { number, of }) = stage {
            // The receiver has been dropped if no progress is shown.
            let _ = shares.send(Share {
                done: format!("{engine}: process {} of {of}", number + 1),
                percent: 100 * number / of.max(1),
            });
        }
    };
    let sentence = |error: anyhow::Error| format!("{error:#}");
    let found = calibrate(wish, &mut tell, cancel).map_err(sentence)?;
    let path = found.store(None).map_err(sentence)?;
    Ok(json!({
        "platform": found.platform.name,
        "engine": found.platform.engine,
        "programs": found.fit.rows.len(),
        "rms": found.errors.root_mean_square,
        "file": path.to_string_lossy(),
    }))
}
