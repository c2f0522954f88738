//! The analysed call graph: the targets of calls, including predicates made by specialisation; its components; and effects along calls.

mod component;
mod library_assertions;
mod multifile_of_libraries;
mod resolution;
mod spoilt;
mod unreached;

pub use self::component::{
    Component, Components, callers_of, component_of, components, in_one_circle,
};
pub use self::library_assertions::stated_instead;
pub use self::multifile_of_libraries::{
    is_multifile_of_library, library_multifile, multifile_without_clauses,
};
pub use self::resolution::{find, reach, resolve};
pub use self::spoilt::{
    Spoilt, assumes_no_assignment_by_data, gives_attributes, modifies_through, spoilt,
};
pub use self::unreached::{Unreached, is_newer, library_name, why_undefined, why_unreached};
