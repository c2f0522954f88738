//! Loading: the file that a directive loads, the module to which a file belongs, and the loading order of a program.
//!
//! ```prolog
//! :- module(report, [report/1]).
//! :- use_module(tables, [row/2]).        % row/2 of tables.pl, if its module exports it
//! :- use_module(library(lists)).         % libraries that ship with Costlens first, then the library folder
//! :- ensure_loaded(common).              % a file without a module: its clauses belong to this module
//! ```

mod home;
pub(crate) mod image;
mod load_graph;
mod load_target;
mod loaders;
mod modules_loaded;
mod one_module;
mod order;
mod plain_loads;

pub use self::home::home_module;
pub use self::load_target::{dependencies, names_unknown_folder, target};
pub use self::one_module::unit;
pub use self::order::load_order;
pub use self::plain_loads::is_loaded_by_nobody;

pub(crate) use self::home::{USER, is_home};
pub(crate) use self::load_target::{candidates_of, file_named, targets, unread_library};
pub(crate) use self::loaders::loaded_with;
pub(crate) use self::modules_loaded::{Home, loaded_modules};
pub(crate) use self::order::{LoadedProgram, program, roots};
pub(crate) use self::plain_loads::is_part;
