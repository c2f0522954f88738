//! What the program's files ask to be trusted: which assertions speak of a call, and the summaries that they give.
//!
//! `:- trust pred row(T, R) : (atm(T), var(R)) + (cost(ub, steps, 0), is_det).` is about the predicate of its own file, or about a call there
//! that nothing defines; in a file of the project's folder `costlens`, about every call below the folder that reaches no clauses.

use std::sync::Arc;

use costlens_program::modules::{Reach, reach, trust_files};
use costlens_program::{FunctorKey, SourceFile, about};
use costlens_syntax::assertions::{Kind, Status};

use crate::infer::{Line, Summary, better, trusted, untrusted};
use crate::open::is_open;
use crate::queries::{CallKey, Db, regulars};
use crate::report::{PredicateName, TrustLine};

/// The assertions that are trusted about what a name means in a file, in the order in which they are asked.
///
/// *Invalidated* when what the name reaches changes, or an assertion about it.
#[salsa::tracked(returns(deref))]
fn lines<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> Vec<TrustLine> {
    let functor = key.functor(db);
    let (homes, name) = match reach(db, file, functor) {
        Reach::Own(found) | Reach::Other(found) => {
            let home = found.file(db);
            let mut homes = vec![home];
            if is_open(db, found) {
                homes.extend(trust_files(db, home));
            }
            (homes, found.functor(db).clone())
        }
        Reach::Shipped(_) => return Vec::new(),
        Reach::Ambiguous(..) | Reach::Missing(..) | Reach::Conditional(..) | Reach::Nothing => {
            let mut homes = vec![file];
            homes.extend(trust_files(db, file));
            (homes, functor.clone())
        }
    };
    let mut found: Vec<TrustLine> = Vec::new();
    for home in homes {
        let all = about(db, home, FunctorKey::new(db, name.clone()));
        for (ordinal, assertion) in all.iter().enumerate() {
            let line = TrustLine {
                home,
                predicate: name.clone(),
                ordinal,
            };
            if assertion.status == Status::Trust
                && matches!(assertion.kind, Kind::Pred | Kind::Success | Kind::Comp)
                && !found.contains(&line)
            {
                found.push(line);
            }
        }
    }
    found
}

/// Whether something is trusted of what a name means in a file.
pub(crate) fn is_trusted(db: &dyn Db, file: SourceFile, predicate: &PredicateName) -> bool {
    !lines(db, file, FunctorKey::new(db, predicate.clone())).is_empty()
}

/// What is trusted of a predicate under a pattern, whatever its clauses say; none where no assertion is about it.
///
/// *Invalidated* as [`lines`] are. It reads no clause.
#[salsa::tracked(returns(clone))]
pub(crate) fn trusted_summary<'db>(db: &'db dyn Db, key: CallKey<'db>) -> Option<Arc<Summary>> {
    let (file, name, pattern) = (key.file(db), key.functor(db), key.pattern(db));
    let ids = lines(db, file, FunctorKey::new(db, name.clone()));
    if ids.is_empty() {
        return None;
    }
    let lines: Vec<Line<'_>> = (ids.iter())
        .filter_map(|id| {
            let key = FunctorKey::new(db, id.predicate.clone());
            Some(Line {
                id: Some(id.clone()),
                assertion: about(db, id.home, key).get(id.ordinal)?,
                types: regulars(db, id.home),
            })
        })
        .collect();
    let found = trusted(name, pattern, &lines);
    Some(Arc::new(found.unwrap_or_else(|| untrusted(name, pattern))))
}

/// What clauses say, with what is trusted of the same calls where that is better.
pub(crate) fn with_trust(db: &dyn Db, key: CallKey<'_>, inferred: &Arc<Summary>) -> Arc<Summary> {
    let trusted = trusted_summary(db, key);
    let both = trusted.and_then(|trusted| better(inferred, &trusted));
    both.map_or_else(|| Arc::clone(inferred), Arc::new)
}
