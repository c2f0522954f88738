//! Facts about a single file from its directives, conditions and assertions, independent of other files.

pub(crate) mod acts;
mod ambiguous;
mod answers;
mod asserted;
mod conditions;
mod file_facts;
mod load;
mod started;

pub use self::acts::modules_changed;
pub use self::asserted::{assertions_about, file_assertions, stated};
pub use self::conditions::{Conditions, decided_in_swi};

pub use self::file_facts::{Declared, FileFacts, facts, is_declaration};
pub use self::load::{Imports, Load, LoadKind, Use, loads, loads_of, stated_loaded};
pub use self::started::{StartedGoal, queries, started_goals};

pub(crate) use self::ambiguous::is_ambiguous_in;
pub(crate) use self::answers::{answers_assumed, files_naming};
pub(crate) use self::asserted::{is_stated_at, is_stated_in, is_stated_of, stated_by_functor};
pub(crate) use self::conditions::Presence;
pub(crate) use self::load::number_of_loads;
