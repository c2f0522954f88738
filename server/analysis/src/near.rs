//! The components on which the patterns of some predicates depend, so that a long file need not be searched as a whole.

use costlens_program::{
    Component, Functor, Resolved, SourceFile, callees, callers_of, component_of, find, language,
    started_goals,
};
use rustc_hash::FxHashSet;

use crate::db::Db;
use crate::guesses::followed;

/// The components on which the patterns of some predicates of a file depend.
pub(crate) struct Near<'db> {
    /// The components of the predicates and of their direct and indirect callers: the arguments that callers pass determine the shown
    /// patterns.
    pub(crate) shown: FxHashSet<Component<'db>>,
    /// The components for which guesses are computed first.
    pub(crate) guessed: FxHashSet<Component<'db>>,
}

impl<'db> Near<'db> {
    pub(crate) fn new(db: &'db dyn Db, file: SourceFile, some: &[Component<'db>]) -> Self {
        let shown = reached(some.to_vec(), |of| {
            let members = of.members(db).iter();
            members.flat_map(|member| callers_of(db, file, member).iter().copied())
        });
        let guessed = guessed_for(db, file, shown.iter().copied());
        Near { shown, guessed }
    }
}

/// Returns the components whose guesses the patterns of some components of a file need: these components, those that directives call, and
/// all components that either call directly or indirectly, in any file. Components of libraries that ship with Costlens are left out.
pub(crate) fn guessed_for<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    some: impl Iterator<Item = Component<'db>>,
) -> FxHashSet<Component<'db>> {
    let started = started_goals(db, file).iter().flat_map(|started| {
        let calls = language::calls(&started.terms, started.goal);
        calls
            .into_iter()
            .filter_map(|call| followed_to(db, file, &call.callee))
    });
    reached(some.chain(started).collect(), |of| {
        let file = of.file(db);
        let members = of.members(db).iter();
        let predicates = members.filter_map(move |member| find(db, file, member));
        let called = predicates.flat_map(|predicate| callees(db, predicate));
        called.filter_map(move |callee| followed_to(db, file, callee))
    })
}

/// Returns the component of the predicate that a call reaches, unless the predicate's library ships with Costlens.
fn followed_to<'db>(db: &'db dyn Db, file: SourceFile, callee: &Functor) -> Option<Component<'db>> {
    match followed(db, file, callee)? {
        Resolved::Own(predicate) | Resolved::Other(predicate) => component_of(db, predicate),
        Resolved::Library(_) => None,
    }
}

/// Returns the given components and all components reachable from them.
fn reached<'db, I: Iterator<Item = Component<'db>>>(
    mut waiting: Vec<Component<'db>>,
    next: impl Fn(Component<'db>) -> I,
) -> FxHashSet<Component<'db>> {
    let mut found: FxHashSet<Component<'db>> = waiting.iter().copied().collect();
    while let Some(top) = waiting.pop() {
        let new = next(top).filter(|&component| found.insert(component));
        waiting.extend(new);
    }
    found
}
