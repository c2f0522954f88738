//! The components on which the patterns of some predicates depend, so that a long file need not be searched as a whole.

use costlens_program::{
    Component, Functor, SourceFile, callees, callers_of, component_of, find, language,
    started_goals,
};
use rustc_hash::FxHashSet;

use crate::db::Db;

/// The components on which the patterns of some predicates of a file depend.
pub(crate) struct Near<'db> {
    /// The components of the predicates and of their direct and indirect callers: the arguments that callers pass determine the shown
    /// patterns.
    pub(crate) shown: FxHashSet<Component<'db>>,
    /// The components for which guesses are computed first: those in `shown`, those that directives call, and all components that either
    /// call directly or indirectly.
    pub(crate) guessed: FxHashSet<Component<'db>>,
}

impl<'db> Near<'db> {
    pub(crate) fn new(db: &'db dyn Db, file: SourceFile, some: &[Component<'db>]) -> Self {
        let component = |functor: &Functor| component_of(db, find(db, file, functor)?);
        let shown = reached(some.to_vec(), |of| {
            let members = of.members(db).iter();
            members.flat_map(|member| callers_of(db, file, member).iter().copied())
        });
        let started = started_goals(db, file).iter().flat_map(|started| {
            let calls = language::calls(&started.terms, started.goal);
            calls.into_iter().filter_map(|call| component(&call.callee))
        });
        let first = shown.iter().copied().chain(started).collect();
        let guessed = reached(first, |of| {
            let members = of.members(db).iter();
            let predicates = members.filter_map(|member| find(db, file, member));
            let called = predicates.flat_map(|predicate| callees(db, predicate));
            called.filter_map(component)
        });
        Near { shown, guessed }
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
