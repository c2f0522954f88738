//! Determines argument types from the text of a goal, and the requirements that a clause passes on to its own arguments.

use costlens_analysis::types::{Pattern, Type};
use costlens_body::{Collector, Goal};
use costlens_catalog::{
    Relation, goal_arguments, is_control_construct, is_of_swi_prolog, relation,
};
use costlens_program::Clause;
use costlens_syntax::term::{CONS, Term, TermId, Terms};
use rustc_hash::FxHashMap;

/// The maximum nesting depth of lists that are examined.
const DEEPEST: usize = 3;

/// The context of a goal in the text.
#[derive(Clone, Copy)]
pub(super) struct GoalContext<'a> {
    /// The arena of the terms.
    pub(super) terms: &'a Terms,
    /// The head, with the types of its arguments in the call.
    pub(super) head: Option<(TermId, &'a Pattern)>,
    /// The bodies, in execution order.
    pub(super) bodies: &'a [TermId],
}

/// Returns the types of a goal's arguments that follow from the text alone. A variable whose first occurrence is in the goal is unbound. A
/// variable that otherwise occurs only in the head has its type there. Any other variable may be any term.
pub(super) fn pattern(around: GoalContext<'_>, goal: TermId, arity: usize) -> Pattern {
    let GoalContext {
        terms,
        head,
        bodies,
    } = around;
    let before = variables_before(terms, bodies, goal);
    let inside = variables(terms, goal);
    let in_head = head.map_or(Vec::new(), |(head, _)| variables(terms, head));
    let of = |&id: &TermId| match terms.get(id) {
        Term::Var(v) => {
            let many = |all: &[u32]| all.iter().filter(|w| *w == v).count();
            match (many(&inside), many(&before), many(&in_head)) {
                (1, 0, 0) => Type::Free,
                (of, 0, 1) => {
                    let place = head.and_then(|(head, pattern)| {
                        let at = terms
                            .args(head)
                            .iter()
                            .position(|&a| *terms.get(a) == Term::Var(*v))?;
                        pattern.0.get(at).cloned()
                    });
                    let known = place.unwrap_or(Type::Any);
                    match of == 1 || known.is_ground() {
                        true => known,
                        false => Type::Any,
                    }
                }
                _ => Type::Any,
            }
        }
        _ => type_of(terms, id, DEEPEST),
    };
    let mut types: Vec<Type> = terms.args(goal).iter().map(of).collect();
    if may_run_again(terms, bodies, goal) {
        // A variable that is unbound in the first run may be bound in later runs.
        for ty in types.iter_mut().filter(|ty| **ty == Type::Free) {
            *ty = Type::Any;
        }
    }
    // The arguments added to a closure do not appear in the text.
    types.resize(arity, Type::Any);
    Pattern(types)
}

/// Returns true for a goal that may run again with the bindings of its first run: a closure applied to the elements of a list, or a goal
/// passed to a predicate of the program.
fn may_run_again(terms: &Terms, bodies: &[TermId], goal: TermId) -> bool {
    let mut parents: FxHashMap<TermId, (TermId, usize)> = FxHashMap::default();
    for &body in bodies {
        for id in terms.subterms(body) {
            for (place, &argument) in terms.args(id).iter().enumerate() {
                parents.entry(argument).or_insert((id, place));
            }
        }
    }
    let mut at = goal;
    while let Some(&(parent, place)) = parents.get(&at) {
        let Some((name, arity)) = terms.functor(parent) else {
            return true;
        };
        let runs_it_once = match Goal::lower(terms, parent) {
            Goal::CallN { .. } => place == 0,
            Goal::Qualified { .. } | Goal::Quantified { .. } => place == 1,
            _ if relation(name, arity) == Some(Relation::Phrase) => place == 0,
            _ => {
                let mut goals = goal_arguments(name, arity);
                is_control_construct(name, arity)
                    || is_of_swi_prolog(name, arity) && goals.any(|argument| argument == place)
            }
        };
        if !runs_it_once {
            return true;
        }
        at = parent;
    }
    false
}

/// Returns the occurrences of variables in a term.
fn variables(terms: &Terms, of: TermId) -> Vec<u32> {
    let all = terms.subterms(of).into_iter();
    all.filter_map(|id| match terms.get(id) {
        Term::Var(v) => Some(*v),
        _ => None,
    })
    .collect()
}

/// Returns the variables that occur before a goal. Templates are excluded, because they bind nothing.
fn variables_before(terms: &Terms, parts: &[TermId], goal: TermId) -> Vec<u32> {
    let mut found = Vec::new();
    let mut waiting: Vec<TermId> = parts.iter().rev().copied().collect();
    while let Some(id) = waiting.pop() {
        if id == goal {
            return found;
        }
        if let Term::Var(v) = terms.get(id) {
            found.push(*v);
        }
        let args = terms.args(id);
        let is_template = terms.functor(id).is_some_and(|(name, arity)| {
            let is_quantified = matches!(Goal::lower(terms, id), Goal::Quantified { .. });
            is_quantified || Collector::from_functor(name, arity).is_some()
        });
        waiting.extend(args[usize::from(is_template)..].iter().rev());
    }
    // The goal does not occur in any of the parts.
    (0..terms.variables()).collect()
}

fn type_of(terms: &Terms, id: TermId, depth: usize) -> Type {
    match terms.get(id) {
        Term::Var(_) => Type::Any,
        Term::Integer(_) => Type::Int,
        Term::Float(_) => Type::Number,
        _ => {
            let (elements, rest) = terms.list(id);
            if terms.matches(rest, "[]", 0).is_some() && depth > 0 {
                let types = elements.iter().map(|&e| type_of(terms, e, depth - 1));
                return Type::list(types.fold(Type::None, |all, of| all.join(&of)));
            }
            match (terms.get(id), terms.variables_of(id).is_empty()) {
                (Term::Atom(_), _) => Type::Atom,
                (_, true) => Type::Ground,
                (_, false) => Type::Nonvar,
            }
        }
    }
}

/// Narrows the types of a head to the types that a goal of the clause requires for the arguments passed on to it:
/// `run(Xs, S) :- total(Xs, S).` If a list element must be unbound, the entire list must be unbound.
pub(super) fn hand_on(clause: &Clause, goal: TermId, asked: &[Type], head: &mut [Type]) {
    let terms = &clause.terms;
    for (&passed, of) in terms.args(goal).iter().zip(asked) {
        let Term::Var(v) = terms.get(passed) else {
            continue;
        };
        for (own, &argument) in head.iter_mut().zip(terms.args(clause.head)) {
            if let Some(asked) = asked_of(terms, argument, *v, of) {
                *own = narrowed(own, &asked);
            }
        }
    }
}

/// Returns the type that a head argument must have for one of its variables to have a given type.
fn asked_of(terms: &Terms, argument: TermId, v: u32, of: &Type) -> Option<Type> {
    let is_it = |id: TermId| *terms.get(id) == Term::Var(v);
    if is_it(argument) {
        return Some(of.clone());
    }
    let (mut at, mut is_element) = (argument, false);
    while let Some(&[first, rest]) = terms.matches(at, CONS, 2) {
        is_element |= is_it(first);
        at = rest;
    }
    match of {
        // The argument is a list that is constructed.
        Type::Free if is_element => Some(Type::Free),
        Type::Free if at != argument && is_it(at) => Some(Type::Free),
        Type::Free | Type::Any => None,
        of if is_element => Some(Type::list(of.clone())),
        Type::List(_) if at != argument && is_it(at) => Some(of.clone()),
        _ => None,
    }
}

/// Returns the meet of two types. If the meet is empty, there is no requirement.
fn narrowed(one: &Type, other: &Type) -> Type {
    match one.meet(other) {
        Type::None => Type::Any,
        both => both,
    }
}
