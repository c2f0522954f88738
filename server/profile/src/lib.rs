//! Profiles of runs by cost centres, after Mera, Trigo, López-García and Hermenegildo (2010).
//!
//! [`declared`] reads the predicates that a program declares as centres, [`Profile`] contains the machine's measurements of a run,
//! [`search`] searches for the bottleneck, and [`draw`] and [`stacks`] export the results for other programs.
//!
//! **Architecture invariant**: this crate runs nothing and reads no clock: the machine and the clock come from the binary. All numbers of a
//! profile are sums of the machine's measurements for edges. The use outside all centres is assigned to the remainder, so that the numbers
//! add up to the run's total.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod checks;
mod directives;
pub mod draw;
mod heat;
pub mod judging;
mod known;
mod portable;
mod profile;
pub mod search;
pub mod single;
pub mod stacks;
pub mod units;

pub use directives::{Declared, DeclaredCentre, declared, defined};
pub use heat::Heat;
pub use known::{Fact, known};
pub use portable::portable;
pub use profile::{
    CentreRow, Profile, amount_text, count, enter_name, leave_name, name_of, ratio, resource_name,
    resource_of,
};
