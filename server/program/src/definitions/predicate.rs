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
/// *Identity*: the file, the name and the arity. Reordering predicates, or writing a clause of one between those of another, preserves
/// every identity. *Invalidated* field by field.
#[salsa::tracked(debug)]
pub struct Predicate<'db> {
    /// The file that defines the predicate.
    #[returns(copy)]
    pub file: SourceFile,
    /// The name and arity.
    pub functor: Functor,
    /// The clauses in the order of the file, without positions.
    #[tracked]
    pub clauses: Arc<[Clause]>,
    /// True if a clause is between `:- if(…)` and `:- endif` and the condition is undecided.
    #[tracked]
    #[returns(copy)]
    pub conditional: bool,
    /// True if some clauses are in a test unit and others elsewhere. A unit is a separate module, so these are several predicates.
    #[tracked]
    #[returns(copy)]
    pub of_several_units: bool,
}

/// Returns predicates without clauses in a file.
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
