#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]
//! The database interface of this crate, and the keys of summaries.

use costlens_infer::report::Functor;
use costlens_infer::types::Pattern;
use costlens_infer::{Program, Summary};
use costlens_program::{Predicate, SourceFile};

use crate::memory::Memory;

/// The function that computes a summary: [`costlens_infer::infer`], unless a test replaces it with a simpler function.
pub type Inference = fn(&Functor, &Pattern, &dyn Program, u64) -> Summary;

/// The database of this crate and of all crates that depend on it.
#[salsa::db]
pub trait Db: costlens_program::Db {
    /// Returns the function that computes summaries. It never changes during the lifetime of a database.
    fn inference(&self) -> Inference;
    /// Returns the driver's memory between revisions. It only affects the order of visits, never a result.
    fn memory(&self) -> &Memory;
}

/// A predicate under a call pattern. *Identity*: the values. Never reclaimed, because the driver stores ids.
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

/// Returns the key of a predicate's summary.
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
