//! The built-ins that modify terms destructively.

use costlens_catalog::assignment;

/// Returns whether a built-in with this name modifies terms destructively.
pub(crate) fn is_assignment(name: &str) -> bool {
    assignment(name, 3).is_some()
}
