//! The strongly connected components of a file's call graph, bottom-up.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use std::sync::Arc;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;

use crate::calls::{called_by, callees};
use crate::definitions::{Predicate, all_predicates};
use crate::language::{Functor, FunctorKey};
use crate::rewriting::specialised;
use crate::workspace::{Db, SourceFile};

/// Mutually recursive predicates. *Identity*: the members, sorted by name, independent of the caller.
#[salsa::interned(debug)]
pub struct Component<'db> {
    /// The file that defines the members.
    #[returns(copy)]
    pub file: SourceFile,
    /// The members, sorted by name and arity, never by salsa id.
    pub members: Arc<[Functor]>,
}

/// The components of a file.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Components<'db> {
    /// The components, bottom-up: a component follows the components that it calls.
    pub order: Vec<Component<'db>>,
    of: FxHashMap<Functor, Component<'db>>,
}

/// Returns the calls of all predicates in a file, including those made by specialisation. This is one edge in salsa's dependency graph
/// instead of one for each predicate.
#[salsa::tracked(returns(deref))]
pub(super) fn file_calls(db: &dyn Db, file: SourceFile) -> Vec<(Functor, Arc<[Functor]>)> {
    let specialised = specialised(db, file);
    let of = |p: Predicate<'_>| match specialised.rewritten(p.functor(db)) {
        Some(clauses) => called_by(db, file, clauses).into(),
        None => callees(db, p).into(),
    };
    all_predicates(db, file)
        .chain(specialised.made.iter().copied())
        .map(|p| (p.functor(db).clone(), of(p)))
        .collect()
}

/// Returns the components of a file, bottom-up. *Invalidated* when a predicate is added or removed, or its calls change.
///
/// Uses `kosaraju_scc`, because `tarjan_scc` recurses and overflows on long chains of calls.
#[salsa::tracked]
pub fn components<'db>(db: &'db dyn Db, file: SourceFile) -> Components<'db> {
    let calls = file_calls(db, file);
    let mut graph = DiGraph::<usize, ()>::with_capacity(calls.len(), calls.len());
    let nodes: FxHashMap<&Functor, _> = calls
        .iter()
        .enumerate()
        .map(|(i, (functor, _))| (functor, graph.add_node(i)))
        .collect();
    for (caller, callees) in calls {
        for callee in callees.iter() {
            if let (Some(&from), Some(&to)) = (nodes.get(caller), nodes.get(callee)) {
                graph.add_edge(from, to, ());
            }
        }
    }
    let mut order = Vec::new();
    let mut of = FxHashMap::default();
    for component in kosaraju_scc(&graph) {
        let mut members: Vec<Functor> = component
            .into_iter()
            .map(|n| calls[graph[n]].0.clone())
            .collect();
        members.sort_unstable();
        let component = Component::new(db, file, Arc::<[Functor]>::from(members));
        for member in component.members(db).iter() {
            of.insert(member.clone(), component);
        }
        order.push(component);
    }
    Components { order, of }
}

/// Returns the component of one predicate, as a projection that stays equal when other components change.
#[salsa::tracked(returns(copy))]
fn component_in<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    key: FunctorKey<'db>,
) -> Option<Component<'db>> {
    components(db, file).of.get(key.functor(db)).copied()
}

/// Returns the component of a predicate.
pub fn component_of<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Component<'db>> {
    component_in(
        db,
        predicate.file(db),
        FunctorKey::new(db, predicate.functor(db).clone()),
    )
}

/// Returns the components that call each predicate of a file from outside its own component, according to the written clauses, including calls of
/// closures. *Invalidated* like [`components`].
///
/// The callers of a component are above it, so a traversal from callees to callers terminates.
#[salsa::tracked]
fn callers<'db>(db: &'db dyn Db, file: SourceFile) -> FxHashMap<Functor, Vec<Component<'db>>> {
    let components = components(db, file);
    let place: FxHashMap<Component<'db>, usize> = (components.order.iter().copied())
        .enumerate()
        .map(|(place, component)| (component, place))
        .collect();
    let mut calls: Vec<(usize, Functor)> = Vec::new();
    for caller in all_predicates(db, file) {
        let Some(&from) = components
            .of
            .get(caller.functor(db))
            .and_then(|c| place.get(c))
        else {
            continue;
        };
        for callee in callees(db, caller) {
            let to = components.of.get(callee).and_then(|c| place.get(c));
            if to.is_some_and(|&to| to < from) {
                calls.push((from, callee.clone()));
            }
        }
    }
    calls.sort_unstable();
    calls.dedup();
    let mut found: FxHashMap<Functor, Vec<Component<'db>>> = FxHashMap::default();
    for (from, callee) in calls {
        let callers = found.entry(callee).or_default();
        callers.push(components.order[from]);
    }
    found
}

/// Returns the components that call a predicate from outside its component.
#[salsa::tracked(returns(deref))]
fn callers_in<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> Vec<Component<'db>> {
    callers(db, file)
        .get(key.functor(db))
        .cloned()
        .unwrap_or_default()
}

/// Returns the components of a file that call one of its predicates, except the predicate's own. Use it only to choose the patterns to
/// show; summaries never depend on it.
pub fn callers_of<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> &'db [Component<'db>] {
    callers_in(db, file, FunctorKey::new(db, functor.clone()))
}

/// Returns the predicates that call each other in the written clauses but are in different components, because closures are specialised.
/// Each comes with the least predicate of its cycle.
///
/// An example is `trigger_disj([H|T], G) :- trigger(H, G), …` with `trigger(or(L), G) :- trigger_disj(L, check(L, G))`: the second
/// predicate calls a specialised copy of `trigger_disj/2`. A traversal of the written clauses would not terminate for such predicates.
///
/// *Invalidated* like [`components`].
#[salsa::tracked(returns(ref))]
fn circles(db: &dyn Db, file: SourceFile) -> FxHashMap<Functor, Functor> {
    let specialised = specialised(db, file);
    let mut found = FxHashMap::default();
    let components = components(db, file);
    let place: FxHashMap<Component<'_>, usize> = (components.order.iter().copied())
        .enumerate()
        .map(|(place, component)| (component, place))
        .collect();
    let of = |functor: &Functor| components.of.get(functor).and_then(|c| place.get(c));
    let mut graph = DiGraph::<usize, ()>::with_capacity(place.len(), place.len());
    let nodes: Vec<_> = (0..place.len()).map(|i| graph.add_node(i)).collect();
    let mut connect = |from: &Functor, to: &Functor| {
        if let (Some(&from), Some(&to)) = (of(from), of(to))
            && from != to
        {
            graph.add_edge(nodes[from], nodes[to], ());
        }
    };
    for (caller, followed) in file_calls(db, file) {
        followed.iter().for_each(|to| connect(caller, to));
    }
    for caller in all_predicates(db, file).chain(specialised.made.iter().copied()) {
        let functor = caller.functor(db);
        callees(db, caller)
            .iter()
            .for_each(|to| connect(functor, to));
    }
    for circle in kosaraju_scc(&graph).into_iter().filter(|c| c.len() > 1) {
        let members = || {
            circle
                .iter()
                .flat_map(|&n| components.order[graph[n]].members(db).iter())
        };
        let Some(least) = members().min() else {
            continue;
        };
        found.extend(members().map(|member| (member.clone(), least.clone())));
    }
    found
}

#[salsa::tracked(returns(clone))]
fn circle_in<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> Option<Functor> {
    circles(db, file).get(key.functor(db)).cloned()
}

/// Returns whether two predicates of a file call each other in the written clauses, but are in different components.
pub fn in_one_circle(db: &dyn Db, file: SourceFile, one: &Functor, other: &Functor) -> bool {
    let circle = |functor: &Functor| circle_in(db, file, FunctorKey::new(db, functor.clone()));
    circle(one).is_some_and(|of_one| circle(other) == Some(of_one))
}
