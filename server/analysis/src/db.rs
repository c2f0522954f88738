#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]
//! The database as this room sees it, and the keys of summaries.

use costlens_infer::report::Functor;
use costlens_infer::types::Pattern;
use costlens_infer::{Program, Summary};
use costlens_program::{Predicate, SourceFile};

use crate::memory::Memory;

/// How a summary is computed: [`costlens_infer::infer`], unless a test puts something simpler in its place.
pub type Inference = fn(&Functor, &Pattern, &dyn Program, u64) -> Summary;

/// The database of this room and of all rooms above it.
#[salsa::db]
pub trait Db: costlens_program::Db {
    /// How summaries are computed; the same for the whole life of a database.
    fn inference(&self) -> Inference;
    /// The memory of the driver between revisions. It is advice on the order of visits and never changes a result.
    fn memory(&self) -> &Memory;
}

/// A predicate under a call pattern. *Identity*: the values. Never reclaimed, because the driver remembers ids.
#[salsa::interned(revisions = usize::MAX)]
pub struct CallKey<'db> {
    /// The file that defines the predicate.
    #[returns(copy)]
    pub file: SourceFile,
    /// The predicate.
    pub functor: Functor,
    /// The types of the arguments at the call.
    pub pattern: Pattern,
}

/// The key of a predicate's summary.
pub(crate) fn key_of<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
    pattern: &Pattern,
) -> CallKey<'db> {
    CallKey::new(
        db,
        predicate.file(db),
        predicate.functor(db).clone(),
        pattern.clone(),
    )
}
