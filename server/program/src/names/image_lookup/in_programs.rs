//! Resolves a name in all programs that contain a file.

use super::Look;
use crate::loading::image::programs;
use crate::names::reach::Reach;
use crate::workspace::{Db, SourceFile};

/// Returns the result on which all programs that contain a file agree.
///
/// # Errors
///
/// Returns the root file of a program whose result differs from the previous results.
pub(super) fn in_all_programs<'db, T>(
    db: &'db dyn Db,
    file: SourceFile,
    ask: impl Fn(&Look<'db>) -> Option<T>,
    agreed: impl Fn(T, T) -> Option<T>,
) -> Option<Result<T, SourceFile>> {
    let mut found: Option<T> = None;
    for &root in programs(db, file) {
        let Some(here) = ask(&Look::new(db, root)) else {
            continue;
        };
        let both = match found {
            Some(before) => agreed(before, here),
            None => Some(here),
        };
        let Some(both) = both else {
            return Some(Err(root));
        };
        found = Some(both);
    }
    found.map(Ok)
}

/// Combines the results for a file in two programs. Returns `None` if the name refers to different predicates. If the name can be resolved
/// in neither program, returns the more informative reason: a missing file may also be the reason in the other program.
pub(super) fn agreed<'db>(one: Reach<'db>, two: Reach<'db>) -> Option<Reach<'db>> {
    if one == two {
        return Some(one);
    }
    let is_followed = one.predicate().is_some() || two.predicate().is_some();
    let says_more = |one: &Reach<'_>| match one {
        Reach::Missing(..) => 2,
        Reach::Nothing => 0,
        _ => 1,
    };
    let most = match says_more(&two) > says_more(&one) {
        true => two,
        false => one,
    };
    (!is_followed).then_some(most)
}
