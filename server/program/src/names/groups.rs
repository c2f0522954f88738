//! Mutually dependent files, and recursion between files.
//!
//! Queries about a whole file (the predicates that specialisation makes for it, the guessed patterns of its predicates) follow the loaded
//! files; they would not terminate if files load each other. Mutually dependent files therefore form groups, and within a group such
//! queries stay in their file. Recursion through two files is cut where it leaves a file: the call at this point is unknown, and is
//! reported as such.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxHashMap, FxHashSet};

use super::reach::{Reach, reach_written};
use crate::calls::{autoload_targets, called, callees};
use crate::definitions::{Predicate, all_predicates, contributors, find_written};
use crate::language::{Functor, split};
use crate::loading::{USER, dependencies, is_home, unit};
use crate::workspace::{Db, Role, SourceFile, Workspace, is_installed, place_of};

/// Returns the other files to which names in a file may refer, sorted by path.
///
/// *Invalidated* when a directive changes, or when the file calls other library predicates.
#[salsa::tracked(returns(deref))]
pub fn depends_on(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut found = dependencies(db, file);
    found.extend(unit(db, file).iter().copied());
    found.extend(autoload_targets(db, file));
    found.extend(contributors(db, file));
    found.extend(reached_from(db, file));
    found.retain(|&f| f != file);
    found.sort_by(|&a, &b| place_of(db, a).cmp(&place_of(db, b)));
    found.dedup();
    found
}

/// Returns the files whose predicates a file calls without loading them: files of the programs that contain it.
///
/// *Invalidated* when the calls of the file change, or when a name refers to another predicate.
#[salsa::tracked(returns(deref))]
fn reached_from(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    if file.role(db) == Role::Library || is_installed(db, file) {
        return Vec::new();
    }
    let mut found: Vec<SourceFile> = (called(db, file).iter())
        .filter_map(|callee| match reach_written(db, file, callee) {
            Reach::Other(p) => Some(p.file(db)),
            _ => None,
        })
        .collect();
    found.sort_by(|&a, &b| place_of(db, a).cmp(&place_of(db, b)));
    found.dedup();
    found
}

/// The groups of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Groups {
    /// The position of each file, bottom-up: files follow their dependencies.
    order: FxHashMap<SourceFile, usize>,
    /// The index of the group, for each file that shares its group with other files.
    group: FxHashMap<SourceFile, usize>,
    members: Vec<Vec<SourceFile>>,
}

/// *Invalidated* when the dependencies of a file change.
#[salsa::tracked(returns(ref))]
fn groups(db: &dyn Db, workspace: Workspace) -> Groups {
    let files: Vec<SourceFile> = workspace.files(db).values().copied().collect();
    let mut graph = DiGraph::<usize, ()>::with_capacity(files.len(), files.len());
    let nodes: FxHashMap<SourceFile, _> = (files.iter().enumerate())
        .map(|(i, &f)| (f, graph.add_node(i)))
        .collect();
    for &file in &files {
        for other in depends_on(db, file) {
            if let Some(&to) = nodes.get(other) {
                graph.add_edge(nodes[&file], to, ());
            }
        }
    }
    let mut groups = Groups::default();
    for component in kosaraju_scc(&graph) {
        let mut members: Vec<SourceFile> = component.iter().map(|n| files[graph[*n]]).collect();
        members.sort_by(|&a, &b| place_of(db, a).cmp(&place_of(db, b)));
        for &file in &members {
            let place = groups.order.len();
            groups.order.insert(file, place);
            if members.len() > 1 {
                groups.group.insert(file, groups.members.len());
            }
        }
        if members.len() > 1 {
            groups.members.push(members);
        }
    }
    groups
}

/// Returns whether two files depend on each other.
pub(crate) fn same_group(db: &dyn Db, a: SourceFile, b: SourceFile) -> bool {
    if a == b {
        return true;
    }
    let Some(workspace) = Workspace::try_get(db) else {
        return false;
    };
    let groups = groups(db, workspace);
    matches!((groups.group.get(&a), groups.group.get(&b)), (Some(x), Some(y)) if x == y)
}

/// Returns the files that are mutually dependent with a file, including the file itself, sorted by path.
pub fn files_of_group(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let members = Workspace::try_get(db).and_then(|workspace| {
        let groups = groups(db, workspace);
        groups.members.get(*groups.group.get(&file)?).cloned()
    });
    members.unwrap_or_else(|| vec![file])
}

/// Returns the files on which a file depends, directly or indirectly, callees first; without the file itself.
///
/// *Invalidated* like the groups.
#[salsa::tracked(returns(deref))]
pub fn group_order(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let Some(workspace) = Workspace::try_get(db) else {
        return Vec::new();
    };
    let (mut found, mut stack) = (FxHashSet::default(), vec![file]);
    while let Some(top) = stack.pop() {
        for &other in depends_on(db, top) {
            if found.insert(other) {
                stack.push(other);
            }
        }
    }
    found.remove(&file);
    let order = &groups(db, workspace).order;
    let mut files: Vec<SourceFile> = found.into_iter().collect();
    files.sort_by_key(|f| order.get(f));
    files
}

/// The index of the component, for each predicate that is recursive through another file.
type Across = FxHashMap<SourceFile, FxHashMap<Functor, usize>>;

/// Returns the recursive components that span several files of one group.
///
/// *Invalidated* when the calls of a predicate of the group change.
#[salsa::tracked(returns(ref))]
fn recursion_across(db: &dyn Db, workspace: Workspace, group: usize) -> Across {
    let Some(files) = groups(db, workspace).members.get(group) else {
        return Across::default();
    };
    let all: Vec<Predicate<'_>> = files.iter().flat_map(|&f| all_predicates(db, f)).collect();
    let mut graph = DiGraph::<usize, ()>::with_capacity(all.len(), all.len());
    let nodes: FxHashMap<Predicate<'_>, _> = (all.iter().enumerate())
        .map(|(i, &p)| (p, graph.add_node(i)))
        .collect();
    for &caller in &all {
        for callee in callees(db, caller) {
            let reached = reach_written(db, caller.file(db), callee).predicate();
            if let Some(&to) = reached.and_then(|p| nodes.get(&p)) {
                graph.add_edge(nodes[&caller], to, ());
            }
        }
    }
    let mut found = Across::default();
    for (number, component) in kosaraju_scc(&graph).into_iter().enumerate() {
        let members: Vec<Predicate<'_>> = component.iter().map(|n| all[graph[*n]]).collect();
        if members.iter().any(|p| p.file(db) != members[0].file(db)) {
            for p in members {
                found
                    .entry(p.file(db))
                    .or_default()
                    .insert(p.functor(db).clone(), number);
            }
        }
    }
    found
}

/// Returns whether some predicate of a file is recursive through another file.
pub(crate) fn is_recursive_across(db: &dyn Db, file: SourceFile) -> bool {
    Workspace::try_get(db).is_some_and(|workspace| {
        let group = groups(db, workspace).group.get(&file);
        group.is_some_and(|&group| recursion_across(db, workspace, group).contains_key(&file))
    })
}

/// Returns whether a call from a file to a predicate of another file may be part of a recursion through both files.
pub(crate) fn is_cut(db: &dyn Db, from: SourceFile, to: Predicate<'_>) -> bool {
    let home = to.file(db);
    if from == home || !same_group(db, from, home) {
        return false;
    }
    let Some(workspace) = Workspace::try_get(db) else {
        return false;
    };
    let Some(&group) = groups(db, workspace).group.get(&home) else {
        return false;
    };
    let across = recursion_across(db, workspace, group);
    let Some(number) = across.get(&home).and_then(|m| m.get(to.functor(db))) else {
        return false;
    };
    across
        .get(&from)
        .is_some_and(|m| m.values().any(|n| n == number))
}

/// Returns the predicate of `user` to which `user:p` refers in the file of a module: a predicate in a program that loads the file. These
/// programs are not known for certain, so the result is only used for navigation.
pub fn in_programs_of<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Predicate<'db>> {
    let (module, plain) = split(functor)?;
    if module != USER || is_home(db, file, USER) {
        return None;
    }
    let files = Workspace::try_get(db)?.files(db);
    let mut all = files.values().filter_map(|&f| find_written(db, f, &plain));
    all.find(|p| is_home(db, p.file(db), USER) && group_order(db, p.file(db)).contains(&file))
}
