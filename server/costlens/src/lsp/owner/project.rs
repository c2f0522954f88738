//! `costlens.toml` of the workspace: read at the start, and again whenever it changes on the disk.

use std::sync::Arc;

use costlens_ide::settings::Settings;

use super::Owner;
use crate::disk::project::{self, ProjectFile};
use crate::lsp::from_proto;
use crate::lsp::outgoing::Outgoing;

impl Owner {
    /// Reads the file of the first folder of the workspace. One that has a mistake says nothing, and the user is told.
    pub(super) fn find_project(&mut self) {
        let file = self
            .session
            .roots
            .first()
            .and_then(|root| project::nearest(root));
        self.project = match file.as_deref().map(project::read) {
            None => ProjectFile::default(),
            Some(Ok(project)) => project,
            Some(Err(mistake)) => {
                self.send(Outgoing::Warning(mistake.to_string()));
                ProjectFile::default()
            }
        };
        let session = Arc::make_mut(&mut self.session);
        // A client that has said nothing yet has the settings of one that never says anything.
        session.settings = match session.said.is_null() {
            true => Settings {
                project: Some(Arc::clone(&self.project.project)),
                dialect: self.project.dialect,
                ..session.settings.clone()
            },
            false => from_proto::settings(&session.said, session.shows, &self.project),
        };
    }

    /// Reads it again, and looks at everything again that it may have changed.
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
