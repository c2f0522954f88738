//! Closures that `:- meta_predicate` declares for the predicates that a file may call. They count as calls of the clause that passes them.
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

/// Returns the closures of predicates that are declared in the file, in files loaded together with it, or in files that it loads. The keys
/// are the original names, so a predicate that is imported under another name has none.
///
/// *Invalidated* when a directive in one of these files changes, or when a file is added or removed.
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
