//! The meaning of a name in all programs that a file is part of.

use super::Look;
use crate::loading::image::programs;
use crate::names::reach::Reach;
use crate::workspace::{Db, SourceFile};

/// Returns the common answer of all programs that a file is part of.
///
/// # Errors
///
/// The file that another program begins with, if its answer differs from previous ones.
pub(super) fn in_all_programs<'db, T>(
    db: &'db dyn Db,
    file: SourceFile,
    ask: impl Fn(&Look<'db>) -> Option<T>,
    agreed: impl Fn(T, T) -> Option<T>,
) -> Option<Result<T, SourceFile>> {
    let mut found: Option<T> = None;
    for &root in programs(db, file) {
        let Some(here) = ask(&Look::of(db, root)) else {
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

/// Returns the answer for a file that is part of two programs. Returns `None` if the name means different predicates in them. If it can be followed
/// in neither, returns the more informative reason: a file that was not found may also be the reason in the other program.
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
