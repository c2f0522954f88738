//! Profiles requested by the user: one at a time, in the background. Their marks are shown until a text of the program changes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::oneshot;
use tower_lsp::ls_types::{InlayHint, Range, Uri};

use super::Owner;
use crate::lsp::document::DocumentView;
use crate::lsp::event::{CommandResult, Event};
use crate::lsp::outgoing::{CancellableWork, Outgoing, Share};
use crate::lsp::profile::{Heated, ProfileParams, TakenProfile};

/// The marks of a profile, and the files for which they are valid.
pub(super) struct Shown {
    marks: BTreeMap<Uri, Vec<InlayHint>>,
    heat: BTreeMap<Uri, Vec<Heated>>,
    program: Vec<Uri>,
}

impl Shown {
    /// Returns the marks in a range.
    pub(super) fn marks_in(&self, uri: &Uri, range: Range) -> impl Iterator<Item = InlayHint> {
        let marks = self.marks.get(uri).into_iter().flatten();
        let inside = move |m: &&InlayHint| range.start <= m.position && m.position <= range.end;
        marks.filter(inside).cloned()
    }
}

impl Owner {
    /// Profiles a goal on a separate thread.
    pub(super) fn profile(&mut self, wish: ProfileParams, reply: oneshot::Sender<CommandResult>) {
        if self.profiling.is_some() {
            // The requester may no longer exist.
            let _ = reply.send(Err("another goal is being profiled".to_owned()));
            return;
        }
        let cancel = Arc::new(AtomicBool::new(false));
        self.profiling = Some(Arc::clone(&cancel));
        let (shares, shown) = unbounded_channel();
        if self.session.shows_progress {
            self.send(Outgoing::Progress(CancellableWork::Profile, shown));
        }
        let documents: Vec<Arc<DocumentView>> =
            self.documents.values().map(|d| d.view.clone()).collect();
        let versions = { documents.iter() }
            .map(|view| (view.uri.clone(), view.version))
            .collect();
        let (session, sender) = (self.session.clone(), self.sender.clone());
        self.runtime.spawn_blocking(move || {
            let tell = |done: &str, percent| {
                let done = done.to_owned();
                // The receiver has been dropped if no progress is shown.
                let _ = shares.send(Share { done, percent });
            };
            let take = || wish.take(&documents, &session, &tell, &cancel);
            // A panic in the machine caused by a program must not end the session.
            let taken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(take));
            let taken = match taken {
                Ok(taken) => taken.map_err(|error| format!("{error:#}")),
                Err(_) => Err("a panic while the goal was profiled".to_owned()),
            };
            let _ = sender.send(Event::Profiled {
                taken,
                versions,
                reply,
            });
        });
    }

    /// Shows the marks, unless a text of the program has changed in the meantime.
    pub(super) fn profiled(
        &mut self,
        taken: Result<TakenProfile, String>,
        versions: &[(Uri, i32)],
        reply: oneshot::Sender<CommandResult>,
    ) {
        self.profiling = None;
        let ended = taken.map(|taken| {
            let TakenProfile {
                mut answer,
                marks,
                heat,
                program,
            } = taken;
            let was = |uri: &Uri| versions.iter().find(|(of, _)| of == uri).map(|(_, v)| *v);
            let is = |uri: &Uri| self.documents.get(uri).map(|d| d.view.version);
            let is_current = program.iter().all(|uri| was(uri) == is(uri));
            answer["outdated"] = (!is_current).into();
            self.shown = is_current.then_some(Shown {
                marks,
                heat,
                program,
            });
            self.show_profile();
            answer
        });
        let _ = reply.send(ended);
    }

    /// Ends the current profile; its engine ends within 50 ms.
    pub(super) fn cancel_profile(&self) {
        if let Some(cancel) = &self.profiling {
            cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Removes the marks if a changed text belongs to the profiled program.
    pub(super) fn outdate_profile(&mut self, uri: &Uri) {
        if self
            .shown
            .as_ref()
            .is_some_and(|shown| shown.program.contains(uri))
        {
            self.shown = None;
            self.show_profile();
        }
    }

    /// Asks the client to refresh the marks, and sends the heat of all documents, which is empty if there is no profile.
    fn show_profile(&mut self) {
        self.refresh_hints_in(Duration::ZERO);
        if self.session.shows_heat {
            let heat = self.shown.as_ref().map(|shown| &shown.heat);
            let files: Vec<Value> = { heat.into_iter().flatten() }
                .map(|(uri, marks)| json!({ "uri": uri, "marks": marks }))
                .collect();
            self.send(Outgoing::Heat(json!({ "files": files })));
        }
    }
}
