//! `inlayHint/resolve`: what hovering a hint shows.

use costlens_analysis::report::PredicateName;
use costlens_ide::host::Cancelled;

use super::Context;

pub(super) fn tooltip(c: &Context, predicate: &PredicateName) -> Result<Option<String>, Cancelled> {
    c.snapshot.tooltip(c.file, predicate, &c.session.settings)
}
