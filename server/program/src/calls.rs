//! Calls as written: the predicates that clauses call by name, and the effects of these calls on loading, clauses and declarations.

mod alterations;
mod assertions;
mod called_names;
mod clause_calls;
mod meta_predicates;
mod missing;
mod opened;
mod running_loads;

pub use self::alterations::altered;
pub use self::assertions::assertions_left_out;
pub use self::called_names::called_in;
pub use self::clause_calls::{callees, calls_in};
pub use self::meta_predicates::declared_closures;
pub use self::missing::missing;
pub use self::opened::{changed_by, opened};
pub use self::running_loads::loads_while_running;

pub(crate) use self::called_names::called;
pub use self::clause_calls::BY_DATA;
pub(crate) use self::clause_calls::{called_by, goals_in};
pub(crate) use self::missing::autoload_targets;
