//! The workspace's `costlens.toml`: read at the start, and again when the client or the server notices a change on disk.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use costlens_ide::settings::Settings;

use super::Owner;
use super::gathering::place_of_uri;
use crate::disk::project::{self, ProjectFile};
use crate::lsp::from_proto;
use crate::lsp::outgoing::Outgoing;

/// The polling interval for clients that do not report changes on disk.
const LOOK: Duration = Duration::from_secs(2);

/// The state of a file when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    path: PathBuf,
    modified: Option<SystemTime>,
    length: u64,
}

impl Stamp {
    fn read(path: PathBuf) -> Option<Self> {
        let about = std::fs::metadata(&path).ok()?;
        Some(Stamp {
            modified: about.modified().ok(),
            length: about.len(),
            path,
        })
    }
}

impl Owner {
    /// Returns the project file for the first folder of the workspace; without a folder, for the folder of a document.
    fn project_on_disk(&self) -> Option<PathBuf> {
        if let Some(root) = self.session.roots.first() {
            return project::nearest(root);
        }
        let places = self.documents.keys().filter_map(place_of_uri);
        let mut paths = places.map(PathBuf::from);
        paths.find_map(|path| project::nearest(path.parent()?))
    }

    /// Starts polling the file if the client does not watch it, like Neovim on Linux.
    pub(super) fn watch_project(&mut self) {
        let is_watched = self
            .session
            .lets_register("/workspace/didChangeWatchedFiles");
        let looks = !is_watched || self.session.roots.is_empty();
        self.project_at = looks.then(|| Instant::now() + LOOK);
    }

    /// Reads the file again if it has changed.
    pub(super) fn look_at_project(&mut self, now: Instant) {
        self.project_at = Some(now + LOOK);
        if self.project_on_disk().and_then(Stamp::read) != self.project_stamp {
            self.project_changed();
        }
    }

    /// Reads the project file. A file with a mistake is ignored, and the mistake is reported to the user.
    pub(super) fn find_project(&mut self) {
        let file = self.project_on_disk();
        self.project_stamp = file.clone().and_then(Stamp::read);
        self.project = match file.as_deref().map(project::read) {
            None => ProjectFile::default(),
            Some(Ok(project)) => project,
            Some(Err(mistake)) => {
                self.send(Outgoing::Warning(mistake.to_string()));
                ProjectFile::default()
            }
        };
        let session = Arc::make_mut(&mut self.session);
        // Until a client sends settings, the defaults apply.
        session.settings = match session.said.is_null() {
            true => Settings {
                project: Some(Arc::clone(&self.project.project)),
                dialect: self.project.dialect,
                ..session.settings.clone()
            },
            false => from_proto::settings(&session.said, session.shows, &self.project),
        };
    }

    /// Reads the file again, and recomputes all results that it may have changed.
    pub(super) fn project_changed(&mut self) {
        let before = self.session.settings.clone();
        let libraries = std::mem::take(&mut self.project.library);
        self.find_project();
        let settings = std::mem::replace(&mut Arc::make_mut(&mut self.session).settings, before);
        if libraries != self.project.library {
            self.find_libraries();
            self.gather_all();
        }
        self.configure(settings);
    }
}
