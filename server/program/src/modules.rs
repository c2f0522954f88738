//! Programs of several files: which files a directive loads, what they export, and what a name in one file reaches in another.
//!
//! ```prolog
//! :- module(report, [report/1]).
//! :- use_module(tables, [row/2]).        % row/2 of tables.pl, if its module exports it
//! :- use_module(library(lists)).         % what ships with Costlens first, then the library folder
//! :- ensure_loaded(common).              % a file without a module: its clauses belong to this module
//! ```
//!
//! Nothing here opens a file: [`Workspace`] is what is known, and [`candidates`] says which paths to try for what is not.

mod acts;
mod cycles;
mod folders;
mod gathered;
mod home;
mod hooks;
mod image;
mod load;
mod look;
mod multifile;
mod opened;
mod order;
mod pieces;
mod reach;
mod run;
mod stated;
mod visible;
mod workspace;

pub use cycles::{depends_on, group_order};
pub use folders::Folder;
pub use gathered::{
    Apart, Gathered, Given, all_clauses, clauses_in_order, gathered, gathered_from,
    loads_while_running, misunderstood, stands_in,
};
pub use home::home_module;
pub use hooks::hooked_in;
pub use load::{Imports, Load, LoadKind, Use, file_spec, loads, loads_of, option};
pub use look::{assumed, refused};
pub use multifile::{extended_in, given_elsewhere};
pub use opened::opened;
pub use order::load_order;
pub use pieces::called_in;
pub use reach::{
    Reach, Unsettled, also_defined_in, declared_in, given_in, in_programs_of, missing_include,
    named_by, names_of, reach, reach_listed,
};
pub use stated::{
    StatedLibraries, distrust, install_stated, stated_beside, stated_instead, stated_libraries,
    stated_loaded,
};
pub use visible::visible;
pub use workspace::{
    Workspace, candidates, dependencies, installed_as, is_installed, is_loaded_by_nobody, missing,
    names_unknown_folder, normal, place_of, target, trust_files,
};

pub(crate) use cycles::{files_of_group, is_cut, same_group};
pub(crate) use gathered::{called_elsewhere, hosted};
pub(crate) use home::{Home, is_home, module_in, reach_of_module, why_not_in_module};
pub(crate) use multifile::qualified_head;
pub(crate) use reach::{reach_written, unit};
pub(crate) use stated::is_stated_of;
pub(crate) use workspace::{known_files, unread_library};
