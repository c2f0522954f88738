//! Names: the targets of calls from one file to another, and the resulting mutual dependencies of files.

mod assumptions;
mod callable;
mod groups;
mod image_lookup;
mod influences;
mod module_members;
mod reach;
mod resolved;

pub use self::assumptions::{Assumption, assumed};
pub use self::callable::visible;
pub use self::groups::{depends_on, files_of_group, group_order, in_programs_of};
pub use self::image_lookup::{is_in_a_circle, refused};
pub use self::influences::influences;
pub use self::reach::{
    Reach, Unsettled, also_defined_in, declared_in, defined_beside_file, given_in, missing_include,
    named_by, names_of, reach_listed,
};
pub use self::resolved::Resolved;

pub(crate) use self::groups::{is_cut, is_recursive_across, same_group};
pub(crate) use self::image_lookup::inherits;
pub(crate) use self::module_members::{module_in, reach_of_module, why_not_in_module};
pub(crate) use self::reach::reach_written;
pub(crate) use self::resolved::resolve_written;
