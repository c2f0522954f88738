//! Copies terms from one arena to another, iteratively and up to a size limit.

use std::sync::Arc;

use costlens_syntax::term::{Term, TermId, Terms};
use rustc_hash::FxHashMap;

use super::clause::{Clause, ClosureCalls};

/// The maximum size of clauses that are reordered.
const LARGEST_CLAUSE: usize = 100_000;

/// The maximum size of goals that are copied into the predicates that call them.
const LARGEST_GOAL: usize = 400;

/// Copies a term between arenas, iteratively. Returns `None` for a variable without an image, a part with a syntax error, or a term that is
/// too large.
pub(crate) fn copy(
    from: &Terms,
    root: TermId,
    into: &mut Terms,
    variable: &mut dyn FnMut(u32) -> Option<TermId>,
) -> Option<TermId> {
    let images = images(LARGEST_GOAL, from, root, into, variable)?;
    images.get(&root).copied()
}

/// Returns the copies of a term and of all its subterms.
fn images(
    largest: usize,
    from: &Terms,
    root: TermId,
    into: &mut Terms,
    variable: &mut dyn FnMut(u32) -> Option<TermId>,
) -> Option<FxHashMap<TermId, TermId>> {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![root];
    while let Some(&top) = stack.last() {
        if done.contains_key(&top) {
            stack.pop();
            continue;
        }
        if done.len() + stack.len() > largest {
            return None;
        }
        let arguments = from.args(top);
        let open: Vec<TermId> = (arguments.iter().rev().copied())
            .filter(|a| !done.contains_key(a))
            .collect();
        if !open.is_empty() {
            stack.extend(open);
            continue;
        }
        let copied = match from.get(top) {
            Term::Var(v) => variable(*v)?,
            Term::Error => return None,
            Term::Compound(name, _) => {
                let arguments: Vec<TermId> = arguments.iter().map(|a| done[a]).collect();
                into.compound(name.clone(), &arguments)
            }
            other => into.push(other.clone()),
        };
        done.insert(top, copied);
        stack.pop();
    }
    Some(done)
}

/// Returns the clause in a separate arena in which arguments precede the terms that contain them, as in a clause from the reader. A huge
/// clause is returned unchanged.
pub(crate) fn in_order(clause: Clause) -> Clause {
    let mut terms = Terms::default();
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut closures = ClosureCalls::clone(&clause.closures);
    let mut part = |root: TermId| {
        let mut image: FxHashMap<u32, TermId> = FxHashMap::default();
        for place in clause.terms.subterms(root) {
            if let Term::Var(v) = clause.terms.get(place) {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                let number = *numbers.entry(*v).or_insert(next);
                image
                    .entry(*v)
                    .or_insert_with(|| terms.push(Term::Var(number)));
            }
        }
        let mut variable = |v: u32| image.get(&v).copied();
        let from = &clause.terms;
        let images = images(LARGEST_CLAUSE, from, root, &mut terms, &mut variable)?;
        let called = clause.closures.called.iter();
        for ((before, _), (after, _)) in called.zip(&mut closures.called) {
            if let Some(image) = images.get(before) {
                *after = *image;
            }
        }
        images.get(&root).copied()
    };
    let Some(head) = part(clause.head) else {
        return clause;
    };
    let (guard, body) = (clause.guard.map(&mut part), clause.body.map(&mut part));
    if guard == Some(None) || body == Some(None) {
        return clause;
    }
    Clause {
        terms: Arc::new(terms),
        head,
        guard: guard.flatten(),
        body: body.flatten(),
        closures: closures.into(),
        ..clause
    }
}
