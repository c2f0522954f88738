//! The literals of a body, in the order in which they run.

use costlens_catalog::{MetaArgument, counts_nothing, meta_arguments};
use costlens_program::Functor;
use costlens_syntax::term::{Term, TermId, Terms};

/// Literals beyond this number are not looked at.
pub(super) const MOST_LITERALS: usize = 200;

/// A part of a body in the order in which it runs.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Goal(TermId),
    /// The exception `E` of `catch(G, E, R)`. It is bound once `R` runs.
    Caught(TermId),
    Mark(Mark),
}

/// A place between goals at which what is bound changes.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    /// A variable is bound for the rest of this branch, whether or not it is in the others: `X` behind `nonvar(X) ->`, or `; E` of
    /// `( var(X) -> T ; E )`.
    Bound(u32),
    /// Here a disjunction begins,
    Either,
    /// here its other branch,
    Or,
    /// and here it ends.
    Joined,
    /// Goals begin whose bindings are undone: those of `\+ G`,
    Aside,
    /// and here they end.
    Undone,
}

/// The literals of a body in the order of the text, those inside control constructs and called closures included. `declared` gives the goals among the
/// arguments of predicates of the program.
pub(super) fn parts(
    terms: &Terms,
    body: TermId,
    declared: &dyn Fn(&Functor) -> Vec<MetaArgument>,
) -> Vec<Part> {
    let (mut found, mut stack) = (Vec::new(), vec![(Part::Goal(body), true)]);
    while let Some((part, open)) = stack.pop() {
        if found.len() >= MOST_LITERALS {
            break;
        }
        let (Part::Goal(goal), true) = (part, open) else {
            found.push(part);
            continue;
        };
        let Some((name, _)) = terms.functor(goal) else {
            found.push(part);
            continue;
        };
        match (name.as_str(), terms.args(goal)) {
            // Predicates of other modules are no callees under their plain names: what is guessed of one of that name here must not be asked for.
            (":", &[module, _]) if terms.as_atom(module).is_some() => {}
            (":" | "^", &[_, inner]) => stack.push((Part::Goal(inner), true)),
            (";", &[left, right]) => {
                let last = stack.len();
                stack.extend(branches(terms, left, right));
                stack[last..].reverse();
            }
            _ => inside(terms, goal, declared, &mut stack),
        }
    }
    found
}

/// The parts of a disjunction.
fn branches(terms: &Terms, left: TermId, right: TermId) -> Vec<(Part, bool)> {
    let mut found = vec![(Part::Mark(Mark::Either), true)];
    let tested = condition(terms, left).and_then(|(condition, then)| {
        let (variable, is_bound) = binding_test(terms, condition)?;
        Some((variable, is_bound, then))
    });
    match tested {
        Some((variable, true, then)) => {
            found.push((Part::Mark(Mark::Bound(variable)), true));
            found.push((Part::Goal(then), true));
        }
        Some((_, false, then)) => found.push((Part::Goal(then), true)),
        None => found.push((Part::Goal(left), true)),
    }
    found.push((Part::Mark(Mark::Or), true));
    if let Some((variable, false, _)) = tested {
        found.push((Part::Mark(Mark::Bound(variable)), true));
    }
    found.push((Part::Goal(right), true));
    found.push((Part::Mark(Mark::Joined), true));
    found
}

/// The condition of a branch, and what it runs then.
pub(super) fn condition(terms: &Terms, branch: TermId) -> Option<(TermId, TermId)> {
    let args = (terms.matches(branch, "->", 2)).or_else(|| terms.matches(branch, "*->", 2))?;
    match *args {
        [condition, then] => Some((condition, then)),
        _ => None,
    }
}

/// The variable that `nonvar(X)` or `var(X)` asks for, and whether it is the first of these.
pub(super) fn binding_test(terms: &Terms, goal: TermId) -> Option<(u32, bool)> {
    let is_bound = match (terms.functor(goal)?.0.as_str(), terms.args(goal)) {
        ("nonvar", [_]) => true,
        ("var", [_]) => false,
        _ => return None,
    };
    match terms.get(terms.args(goal)[0]) {
        Term::Var(v) => Some((*v, is_bound)),
        _ => None,
    }
}

/// A goal that is no disjunction, and before it the goals that it calls.
fn inside(
    terms: &Terms,
    goal: TermId,
    declared: &dyn Fn(&Functor) -> Vec<MetaArgument>,
    stack: &mut Vec<(Part, bool)>,
) {
    let Some((name, arity)) = terms.functor(goal) else {
        return;
    };
    let args = terms.args(goal);
    let mut meta: Vec<MetaArgument> = meta_arguments(name, arity).into_iter().collect();
    if meta.is_empty() && arity > 0 {
        meta = declared(&Functor::new(name.clone(), arity));
    }
    // What is called is a literal of its own.
    let undone = is_undone(name, arity);
    let control =
        undone && name != "assertion" || arity > 0 && name != "call" && counts_nothing(name, arity);
    if undone {
        stack.push((Part::Mark(Mark::Undone), true));
    }
    // In the order of the text; the goals of `findall/3` come before its result is there.
    if !control {
        stack.push((Part::Goal(goal), false));
    }
    let catcher = catcher(terms, goal);
    if catcher.is_some() {
        stack.push((Part::Mark(Mark::Joined), true));
    }
    for called in meta.into_iter().rev().filter(|m| m.added == 0) {
        let Some(&inner) = args.get(called.argument) else {
            continue;
        };
        stack.push((Part::Goal(inner), true));
        // What the goal has bound is unbound again when the recovery runs.
        if let Some(catcher) = catcher.filter(|_| called.argument == 2) {
            stack.push((Part::Caught(catcher), true));
            stack.push((Part::Mark(Mark::Or), true));
        }
    }
    if catcher.is_some() {
        stack.push((Part::Mark(Mark::Either), true));
    }
    if undone {
        stack.push((Part::Mark(Mark::Aside), true));
    }
}

/// Tells whether a predicate calls goals and undoes what they bind.
pub(super) fn is_undone(name: &str, arity: usize) -> bool {
    matches!(
        (name, arity),
        ("\\+" | "not" | "assertion", 1) | ("forall", 2)
    )
}

/// The term that an exception is unified with before the recovery goal runs.
pub(super) fn catcher(terms: &Terms, goal: TermId) -> Option<TermId> {
    match (terms.functor(goal)?, terms.args(goal)) {
        ((name, 3), &[_, catcher, _])
            if matches!(name.as_str(), "catch" | "catch_with_backtrace") =>
        {
            Some(catcher)
        }
        _ => None,
    }
}
