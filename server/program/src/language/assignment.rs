//! The built-ins that modify terms in place.

use costlens_catalog::assignment;

/// Returns whether a built-in of this name modifies terms in place.
pub(crate) fn is_assignment(name: &str) -> bool {
    assignment(name, 3).is_some()
}
