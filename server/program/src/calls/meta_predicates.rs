//! Closures that `:- meta_predicate` declares of the predicates that a file may call: calls of the clause that hands them over.
//!
//! ```prolog
//! :- meta_predicate each(1, ?).
//! p(Xs) :- each(q(a), Xs).        % calls each/2 and q/2
//! ```

use costlens_catalog::MetaArgument;
use rustc_hash::FxHashMap;

use crate::directives::facts;
use crate::language::{Functor, closures};
use crate::loading::{dependencies, unit};
use crate::workspace::{Db, SourceFile};

/// The closures of predicates that are declared in the file, in those that it is loaded together with, or in those that it loads. By the name at
/// home: who imports a predicate under another name has no closures of it.
///
/// *Invalidated* when a directive of one of these changes, or a file comes or goes.
#[salsa::tracked(returns(ref))]
pub fn declared_closures(db: &dyn Db, file: SourceFile) -> FxHashMap<Functor, Vec<MetaArgument>> {
    let mut found = FxHashMap::default();
    let others = unit(db, file).iter().copied();
    for home in std::iter::once(file)
        .chain(others)
        .chain(dependencies(db, file))
    {
        for (functor, modes) in &facts(db, home).meta {
            let closures = closures(modes);
            if !closures.is_empty() {
                found.entry(functor.clone()).or_insert(closures);
            }
        }
    }
    found
}
