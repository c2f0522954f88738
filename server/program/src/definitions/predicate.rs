//! A predicate as a tracked value.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use std::sync::Arc;

use crate::language::{Clause, Functor};
use crate::workspace::{Db, SourceFile};

/// A predicate of a file.
///
/// *Identity*: the file, the name and the arity. Reordering predicates, or writing a clause of one between those of another,
/// keeps every identity. *Invalidated* field by field.
#[salsa::tracked(debug)]
pub struct Predicate<'db> {
    /// The file that defines it.
    #[returns(copy)]
    pub file: SourceFile,
    /// Name and arity.
    pub functor: Functor,
    /// Its clauses in the order of the file, without positions.
    #[tracked]
    pub clauses: Arc<[Clause]>,
    /// True if a clause stands between `:- if(…)` and `:- endif` and is not known to be there or not.
    #[tracked]
    #[returns(copy)]
    pub conditional: bool,
    /// True if clauses stand in a unit of tests and others elsewhere: a unit is a module of its own, and these are several predicates.
    #[tracked]
    #[returns(copy)]
    pub of_several_units: bool,
}

/// Predicates of a file that has no clauses of them.
pub(super) fn without_clauses<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functors: &[&Functor],
) -> Vec<Predicate<'db>> {
    let none: Arc<[Clause]> = Arc::new([]);
    (functors.iter())
        .map(|&f| Predicate::new(db, file, f.clone(), Arc::clone(&none), false, false))
        .collect()
}
