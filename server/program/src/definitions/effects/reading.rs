//! Goals that change how the text after them is read, and those of them whose effect the reader does not implement.
//!
//! ```prolog
//! :- op(700, xfx, ===>).                                % the reader implements it
//! :- once(set_prolog_flag(double_quotes, codes)).       % and this
//! :- G = op(700, xfx, ===>), call(G).                   % but not this
//! ```

use costlens_body::conjuncts;
use costlens_catalog::{FlagEffect, flag_effect};
use costlens_syntax::operators::{is_assertion_kind, is_assertion_status, is_profiling_word};
use costlens_syntax::term::{Term, TermId, Terms};
use costlens_syntax::{OperatorGoal, OperatorType, Operators, ReadingGoal, reading_goal};
use smol_str::SmolStr;

use crate::language::{Functor, calls};

/// Returns a part of a directive that changes how the following text is read, but whose effect the reader does not implement.
pub(super) fn not_followed(
    terms: &Terms,
    directive: TermId,
    followed: &[TermId],
    is_home: &dyn Fn(&str) -> bool,
) -> Option<TermId> {
    let goals = conjuncts(terms, directive).into_iter();
    let mut others = goals.filter(|&goal| {
        let name = terms.functor(goal).map_or("", |(name, _)| name.as_str());
        let is_assertion =
            is_assertion_kind(name) || is_assertion_status(name) || is_profiling_word(name);
        !(is_assertion || followed.contains(&goal) && is_understood(terms, goal, is_home))
    });
    others.find_map(|goal| {
        let mut parts = outside_of_lists(terms, goal).into_iter();
        let written = parts.find(|&id| changes_reading(terms, id) || is_any_flag(terms, id));
        let closure = || {
            let mut called = calls(terms, goal).into_iter();
            called.find(|call| call.added > 0 && may_change_reading(&call.callee))
        };
        written.or_else(|| closure().map(|call| call.goal))
    })
}

/// Returns whether the reader implements the effect of a goal on how the following text is read.
fn is_understood(terms: &Terms, goal: TermId, is_home: &dyn Fn(&str) -> bool) -> bool {
    let is_flag_understood = |&(flag, value): &(TermId, TermId)| {
        let is_here = match terms.matches(flag, ":", 2) {
            Some(&[module, _]) => terms.as_atom(module).is_some_and(|m| is_home(m)),
            _ => true,
        };
        let is_known = terms
            .as_atom(value)
            .is_some_and(|v| matches!(v.as_str(), "atom" | "chars" | "codes" | "string"));
        effect_of(terms, flag, value) != Some(FlagEffect::Quotes) || is_here && is_known
    };
    match reading_goal(terms, run_now(terms, goal)) {
        Some(ReadingGoal::Flags(all)) => all.iter().all(is_flag_understood),
        Some(_) => true,
        None => declares_operators_for(terms, goal),
    }
}

/// Returns true for `m:op(P, T, N)`, which declares an operator for the module that is being read, as `op(P, T, N)` does.
fn declares_operators_for(terms: &Terms, goal: TermId) -> bool {
    let Some(&[module, inner]) = terms.matches(goal, ":", 2) else {
        return false;
    };
    let declares = matches!(reading_goal(terms, inner), Some(ReadingGoal::Declare(_)));
    declares && terms.as_atom(module).is_some()
}

/// Returns the subgoals outside export and import lists; the reader already knows the operators in these lists.
fn outside_of_lists(terms: &Terms, goal: TermId) -> Vec<TermId> {
    let (mut found, mut stack) = (Vec::new(), vec![goal]);
    while let Some(top) = stack.pop() {
        let name = terms.functor(top).map_or("", |(name, _)| name.as_str());
        if !matches!(
            name,
            "autoload" | "export" | "module" | "reexport" | "use_module"
        ) {
            found.push(top);
            stack.extend(terms.args(top).iter().rev());
        }
    }
    found
}

/// Returns `G` for `initialization(G, now)`, and any other goal unchanged.
pub(super) fn run_now(terms: &Terms, goal: TermId) -> TermId {
    match terms.matches(goal, "initialization", 2) {
        Some(&[inner, when]) if terms.as_atom(when).is_some_and(|w| w == "now") => inner,
        _ => goal,
    }
}

/// Returns whether a goal calls a predicate that changes how text is read.
fn may_change_reading(functor: &Functor) -> bool {
    matches!(
        (functor.name.as_str(), functor.arity),
        ("op" | "push_op" | "create_prolog_flag", 3)
            | ("set_prolog_flag" | "push_operators", 2)
            | ("push_operators", 1)
    )
}

/// Returns whether a goal sets a flag whose name is not written in the goal.
pub(super) fn is_any_flag(terms: &Terms, goal: TermId) -> bool {
    let args = terms.matches(goal, "set_prolog_flag", 2);
    args.is_some_and(|args| matches!(terms.get(without_module(terms, args[0])), Term::Var(_)))
}

/// Returns true for a goal that sets a flag of a named module: `set_prolog_flag(m:double_quotes, codes)`.
pub(super) fn sets_flag_of_module(terms: &Terms, goal: TermId) -> bool {
    match reading_goal(terms, goal) {
        Some(ReadingGoal::Flags(all)) => all
            .iter()
            .any(|&(flag, _)| terms.matches(flag, ":", 2).is_some()),
        _ => false,
    }
}

/// Returns the flag without its module: `double_quotes` for `user:double_quotes`.
pub(super) fn without_module(terms: &Terms, flag: TermId) -> TermId {
    match terms.matches(flag, ":", 2) {
        Some(&[_, inner]) => inner,
        _ => flag,
    }
}

/// Returns the goals of a directive whose effects the reader implements: the conjuncts up to the first that may fail.
pub(super) fn followed(terms: &Terms, directive: TermId) -> Vec<TermId> {
    // Loading may fail.
    const SUCCEED: [&str; 6] = [
        "discontiguous",
        "dynamic",
        "multifile",
        "op",
        "set_prolog_flag",
        "style_check",
    ];
    let mut found = Vec::new();
    for goal in conjuncts(terms, directive) {
        found.push(goal);
        let is_known =
            (terms.functor(goal)).is_some_and(|(name, _)| SUCCEED.contains(&name.as_str()));
        let is_reading = reading_goal(terms, run_now(terms, goal)).is_some()
            || declares_operators_for(terms, goal);
        if !is_known && !is_reading {
            break;
        }
    }
    found
}

/// Returns whether a goal declares an operator that SWI-Prolog already has: `op(700, xfx, =@=)`.
fn is_there_already(terms: &Terms, [priority, kind, name]: OperatorGoal) -> bool {
    let (Term::Integer(priority), Some(kind), Some(name)) = (
        terms.get(priority),
        terms.as_atom(kind),
        terms.as_atom(name),
    ) else {
        return false;
    };
    OperatorType::from_name(kind).is_some_and(|kind| {
        let known = Operators::swi().get(name, kind.position());
        known.is_some_and(|(p, k)| k == kind && *priority == p.into())
    })
}

/// Returns true for goals that change how the following text is read if the reader follows them.
pub(super) fn changes_reading(terms: &Terms, goal: TermId) -> bool {
    match reading_goal(terms, goal) {
        Some(ReadingGoal::Declare(all)) => !all.iter().all(|&op| is_there_already(terms, op)),
        Some(ReadingGoal::Push(..) | ReadingGoal::Pop) => true,
        Some(ReadingGoal::Flags(_)) => sets_quotes(terms, goal),
        // The reader does not follow some forms of the other goals.
        None => terms.matches(goal, "push_operators", 1).is_some(),
    }
}

/// Returns true for goals that change the meaning of quoted text.
pub(super) fn sets_quotes(terms: &Terms, goal: TermId) -> bool {
    let Some(ReadingGoal::Flags(all)) = reading_goal(terms, goal) else {
        return false;
    };
    let mut all = all.into_iter();
    all.any(|(flag, value)| effect_of(terms, flag, value) == Some(FlagEffect::Quotes))
}

/// Returns the effect of setting a flag to a value.
pub(super) fn effect_of(terms: &Terms, flag: TermId, value: TermId) -> Option<FlagEffect> {
    let value = terms.as_atom(value);
    let flag = terms.as_atom(without_module(terms, flag))?;
    flag_effect(flag, value.map(SmolStr::as_str))
}

/// Returns the effect of a goal that sets one or more flags.
pub(super) fn flag_set(terms: &Terms, goal: TermId) -> Option<FlagEffect> {
    if let Some(&[flag, value, _]) = terms.matches(goal, "create_prolog_flag", 3) {
        return effect_of(terms, flag, value);
    }
    let Some(ReadingGoal::Flags(all)) = reading_goal(terms, goal) else {
        return None;
    };
    all.into_iter()
        .find_map(|(flag, value)| effect_of(terms, flag, value))
}
