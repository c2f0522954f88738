//! The questions that other rooms ask of a name and arity. A name that the catalogue does not have is no system predicate.

use crate::lookup::{all, altering, callers_of_names, effects, find, find_variadic};
use crate::predicate::{
    Answers, Assignment, ClauseChange, Control, Description, Effect, Endless, Home, Language,
    MetaArguments, Opening, Shown, SystemPredicate, Test, TextUse, Unfollowed,
};

fn holds(name: &str, arity: usize, property: impl Fn(&SystemPredicate) -> bool) -> bool {
    find(name, arity).is_some_and(property)
}

/// Clauses for it are refused: "No permission to modify static procedure `length/2`". The built-in runs then. Other built-ins can be
/// redefined (`msort/2`, `print/1`).
#[must_use]
pub fn is_locked(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.locked)
}

/// Calls of it never reach a program's clauses: it is locked, or compiled otherwise than as a call. SWI-Prolog accepts clauses for `(|)/2`,
/// `(*->)/2` and `call/9`, and never runs them.
#[must_use]
pub fn is_fixed(name: &str, arity: usize) -> bool {
    belongs_to_no_module(name, arity) || is_locked(name, arity)
}

/// A construct whose arguments are goals of the clause that it stands in, which takes no further arguments: `,`, `;`, `|`, `->`, `*->`
/// and `\+`.
#[must_use]
pub fn is_control_construct(name: &str, arity: usize) -> bool {
    holds(name, arity, SystemPredicate::is_control_construct)
}

/// A control construct in whose goals a cut cuts the clause, conditions apart: `,`, `;`, `|`, `->` and `*->`.
#[must_use]
pub fn is_transparent_to_cut(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.control == Some(Control::Transparent))
}

/// Control constructs, the cut, and `call/N`. A module before one of them is that of the goals inside; the name itself is looked up nowhere.
#[must_use]
pub fn belongs_to_no_module(name: &str, arity: usize) -> bool {
    let control = |p: &SystemPredicate| p.control.is_some();
    holds(name, arity, control) || name == "call" && arity > 0
}

/// Does the same in every module, so that a module before it makes no difference.
#[must_use]
pub fn ignores_module(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.ignores_module)
}

/// Counts nothing itself: what it costs is part of the clause's step. The goals inside are literals; `call/1` only puts a goal where it
/// stands.
#[must_use]
pub fn counts_nothing(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.counts_nothing)
}

/// The arguments of control constructs and meta-predicates that are called; empty for anything else.
#[must_use]
pub fn meta_arguments(name: &str, arity: usize) -> MetaArguments {
    match find_variadic(name, arity) {
        Some((predicate, further)) => predicate.meta_arguments(further),
        None => MetaArguments::new(),
    }
}

/// The arguments that are goals as they stand, from 0.
pub fn goal_arguments(name: &str, arity: usize) -> impl Iterator<Item = usize> {
    let called = meta_arguments(name, arity).into_iter();
    called.filter(|m| m.added == 0).map(|m| m.argument)
}

/// Comparisons of arithmetic values and of terms, and type tests: at the beginning of a body they belong to the selection of the clause,
/// which is entered when they hold (`abs(X, X) :- X >= 0.`).
#[must_use]
pub fn is_leading_test(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.test.is_some())
}

/// Tests the type of a term: `integer/1`.
#[must_use]
pub fn is_type_test(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.test == Some(Test::Type))
}

/// Compares the values of two expressions: `<`.
#[must_use]
pub fn is_arithmetic_comparison(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.test == Some(Test::Arithmetic))
}

/// Compares two terms in the standard order: `==`, `@<`.
#[must_use]
pub fn is_term_comparison(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.test == Some(Test::Order))
}

/// Built into SWI-Prolog.
#[must_use]
pub fn is_built_in(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.home == Home::System)
}

/// Built into SWI-Prolog, or one of its libraries has it.
#[must_use]
pub fn is_of_swi_prolog(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.home != Home::User)
}

/// Every SWI-Prolog 9 has it, whatever is loaded.
#[must_use]
pub fn is_in_every_version(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.in_every_version)
}

/// A predicate of the user that SWI-Prolog calls, and that libraries add clauses to: `portray/1`.
#[must_use]
pub fn is_system_hook(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.home == Home::User)
}

/// Calls of it are expanded where `library(apply_macros)` is loaded.
#[must_use]
pub fn is_expanded_by_apply_macros(name: &str, arity: usize) -> bool {
    find_variadic(name, arity).is_some_and(|(p, _)| p.expanded)
}

/// A built-in that calls no goal that it is given, no hook, and wakes none.
#[must_use]
pub fn calls_no_goals(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| {
        p.home == Home::System
            && !p
                .meta
                .contains(|c: char| c.is_ascii_digit() || c == '^' || c == '/')
            && p.hooks.is_empty()
            && p.unfollowed.is_none()
            && !p.loads_files
            && !p.alters
    })
}

/// The predicates that load files when they run.
pub fn loaders() -> impl Iterator<Item = &'static SystemPredicate> {
    all().iter().filter(|p| p.loads_files)
}

/// The predicates of the user that SWI-Prolog calls.
pub fn system_hooks() -> impl Iterator<Item = &'static SystemPredicate> {
    all().iter().filter(|p| p.home == Home::User)
}

/// The declaration that a call of it is: the clauses of the predicates that it names do not run as they are written.
#[must_use]
pub fn opening(name: &str, arity: usize) -> Option<Opening> {
    find(name, arity)?.opening
}

/// Its use of the clause that is its first argument.
#[must_use]
pub fn clause_change(name: &str, arity: usize) -> Option<ClauseChange> {
    find(name, arity)?.clause_change
}

/// The effect of a predicate of this name, whatever its arity; a change of state before input and output.
#[must_use]
pub fn named_effect(name: &str) -> Option<Effect> {
    effects().get(name).copied()
}

/// The way in which a predicate changes a term in place.
#[must_use]
pub fn assignment(name: &str, arity: usize) -> Option<Assignment> {
    find(name, arity)?.assignment
}

/// Gives what comes from a stream: `read/1`.
#[must_use]
pub fn reads_input(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.reads)
}

/// Changes what the clauses of a whole program mean, or what their calls cost.
#[must_use]
pub fn alters_programs(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.alters)
}

/// True for a name of such predicates, whatever the arity: a quick answer to whether a term needs to be looked into.
#[must_use]
pub fn names_alteration(name: &str) -> bool {
    altering().contains(name)
}

/// The predicates of the user that it may call: name and arity; a name with a module in front, where that is not `user`.
pub fn hooks_called(name: &str, arity: usize) -> impl Iterator<Item = (&'static str, usize)> {
    find(name, arity)
        .into_iter()
        .flat_map(|p| p.hooks.iter().copied())
}

/// The reason why inference does not follow a call of a predicate.
#[must_use]
pub fn unfollowed(name: &str, arity: usize) -> Option<Unfollowed> {
    find_variadic(name, arity)?.0.unfollowed
}

/// The text that completion and hovers show for it.
#[must_use]
pub fn described(name: &str, arity: usize) -> Option<&'static Description> {
    find(name, arity)?.description.as_ref()
}

/// The usual modes of a call: `-` computed, `l` a list, `i` an integer, `n` a number, `g` bound, `?` either.
#[must_use]
pub fn usual_modes(name: &str, arity: usize) -> Option<&'static str> {
    find(name, arity)?.usual_modes
}

/// Also runs with its outputs known and its inputs unknown.
#[must_use]
pub fn is_reversible(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.reversible)
}

/// Has solutions without end: whatever fails after it is run again, for ever.
#[must_use]
pub fn is_endless(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.endless == Some(Endless::Always))
}

/// A built-in in C that has finitely many solutions, whatever its arguments.
#[must_use]
pub fn ends(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| {
        p.language == Some(Language::C) && p.endless.is_none()
    })
}

/// What its solutions depend on; none where the catalogue does not say.
#[must_use]
pub fn answers(name: &str, arity: usize) -> Option<Answers> {
    find(name, arity)?.answers
}

/// Leaves variables in what it gives, whatever else is ground: `length(L, 3)`.
#[must_use]
pub fn leaves_variables(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.leaves_variables)
}

/// What it does with texts.
#[must_use]
pub fn text_use(name: &str, arity: usize) -> Option<TextUse> {
    find(name, arity)?.text
}

/// Gives terms or names that stand in no text of the program: `functor(T, N, A)`, `read(T)`.
#[must_use]
pub fn makes_terms(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.makes_terms || p.reads)
}

/// True for the name of a predicate that calls others by names that it finds in data, whatever the arity: `foreach/2`.
#[must_use]
pub fn names_caller_of_names(name: &str) -> bool {
    callers_of_names().contains(name)
}

/// What its answers show of the program: of the predicate that its first argument names, or of all where it has no argument.
#[must_use]
pub fn shows(name: &str, arity: usize) -> Option<Shown> {
    find(name, arity)?.shows
}

/// May wait for ever for something outside of the program: `thread_get_message/1`.
#[must_use]
pub fn may_wait(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.waits)
}
