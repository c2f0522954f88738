//! The inputs of all queries: the known files, their places, and their clauses.
//!
//! Nothing in these modules opens a file: [`Workspace`] contains the known files, and [`candidates`] returns the paths to try for missing
//! files.

mod candidates;
mod db;
mod expansion_runner;
mod folder_names;
mod loaded_operators;
mod places;
mod reading;
mod said_of_files;
mod shipped;
mod source_file;
mod stated_libraries;
mod trust_folder;
mod version;

pub use self::candidates::candidates;
pub use self::db::Db;
pub use self::expansion_runner::{ExpansionRunner, HookResult, RunHooks};
pub use self::folder_names::Folder;
pub use self::loaded_operators::read_operators;
pub use self::places::{
    Workspace, files, installed_as, is_autoloaded, is_installed, normal, place_of,
};
pub use self::reading::terms;
pub use self::shipped::{
    FolderLibrary, Library, TEXTS, install_library, is_released, ruled_names, set_library,
    shipped_names, stated_names, texts,
};
pub use self::source_file::{Role, SourceFile, read_with_files, written_with_files};
pub use self::stated_libraries::{
    StatedLibraries, distrust, install_stated, is_edited, is_edited_library, set_edited,
    stated_libraries,
};
pub use self::trust_folder::trust_files;
pub use self::version::Version;

pub(crate) use self::candidates::OWN_LIBRARIES;
pub(crate) use self::folder_names::folders;
pub(crate) use self::places::{autoload, library_folders, workspace};
pub(crate) use self::said_of_files::module_names;
pub(crate) use self::shipped::shipped_library;
pub(crate) use self::stated_libraries::{file_of, is_stated};
