//! Queries of the catalogue by name and arity. A name missing from the catalogue is not a system predicate.

use crate::lookup::{
    altering, callers_of_names, effects, find, find_variadic, libraries, system_predicates,
};
use crate::predicate::{
    Alteration, Answers, Assignment, ClauseChange, Control, Description, Effect, Endless, Home,
    Language, LeadingTest, Message, MetaArguments, Opening, Shown, SystemPredicate, TextUse,
    Unfollowed,
};
use crate::signature::{
    Atoms, Brought, Cells, GlobalUse, Inferences, Integers, Portable, Relation, Signature,
};

fn holds(name: &str, arity: usize, property: impl Fn(&SystemPredicate) -> bool) -> bool {
    find(name, arity).is_some_and(property)
}

/// Returns true for a built-in that a program cannot redefine: "No permission to modify static procedure `length/2`". Calls always run the
/// built-in. Other built-ins can be redefined (`msort/2`, `print/1`).
#[must_use]
pub fn is_locked(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.locked)
}

/// Returns true for a predicate whose calls never reach a program's clauses, because it is locked or not compiled as a call. SWI-Prolog
/// accepts clauses for `(|)/2`, `(*->)/2` and `call/9`, but never runs them.
#[must_use]
pub fn is_fixed(name: &str, arity: usize) -> bool {
    belongs_to_no_module(name, arity) || is_locked(name, arity)
}

/// Returns true for a construct with a fixed number of arguments that are goals of the containing clause: `,`, `;`, `|`, `->`, `*->` and
/// `\+`.
#[must_use]
pub fn is_control_construct(name: &str, arity: usize) -> bool {
    holds(name, arity, SystemPredicate::is_control_construct)
}

/// Returns true for a control construct in whose goals, except a condition, a cut cuts the clause: `,`, `;`, `|`, `->` and `*->`.
#[must_use]
pub fn is_transparent_to_cut(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.control == Some(Control::Transparent))
}

/// Returns true for control constructs, the cut, and `call/N`. A module qualifier on such a goal applies to its subgoals; the name itself
/// is not looked up in a module.
#[must_use]
pub fn belongs_to_no_module(name: &str, arity: usize) -> bool {
    let control = |p: &SystemPredicate| p.control.is_some();
    holds(name, arity, control) || name == "call" && arity > 0
}

/// Returns true for a predicate that behaves the same in every module, so that a module qualifier makes no difference.
#[must_use]
pub fn ignores_module(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.ignores_module)
}

/// Returns true for a predicate whose calls are not counted as events: its cost is part of the clause's step. Its subgoals are literals;
/// `call/1` merely runs its goal in its own place.
#[must_use]
pub fn counts_nothing(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.counts_nothing)
}

/// Returns the goals and closures among the arguments of a control construct or meta-predicate; empty for all other predicates.
#[must_use]
pub fn meta_arguments(name: &str, arity: usize) -> MetaArguments {
    match find_variadic(name, arity) {
        Some((predicate, further)) => predicate.meta_arguments(further),
        None => MetaArguments::new(),
    }
}

/// Returns the indices (from 0) of the arguments that are called without added arguments.
pub fn goal_arguments(name: &str, arity: usize) -> impl Iterator<Item = usize> {
    let called = meta_arguments(name, arity).into_iter();
    called.filter(|m| m.added == 0).map(|m| m.argument)
}

/// Returns true for arithmetic comparisons, term comparisons and type tests. At the beginning of a body they take part in clause selection:
/// the clause is entered if they hold (`abs(X, X) :- X >= 0.`).
#[must_use]
pub fn is_leading_test(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.test.is_some())
}

/// Returns true for a type test, such as `integer/1`.
#[must_use]
pub fn is_type_test(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.test == Some(LeadingTest::Type))
}

/// Returns true for a comparison of the values of two expressions, such as `<`.
#[must_use]
pub fn is_arithmetic_comparison(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.test == Some(LeadingTest::Arithmetic))
}

/// Returns true for a comparison of two terms in the standard order, such as `==` and `@<`.
#[must_use]
pub fn is_term_comparison(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.test == Some(LeadingTest::Order))
}

/// Returns true for a predicate that is built into SWI-Prolog.
#[must_use]
pub fn is_built_in(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.home == Home::System)
}

/// Returns true for a predicate that is built into SWI-Prolog or defined by one of its libraries.
#[must_use]
pub fn is_of_swi_prolog(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.home != Home::User)
}

/// Returns true for a predicate that every SWI-Prolog 9 provides, regardless of the loaded libraries.
#[must_use]
pub fn is_in_every_version(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.in_every_version)
}

/// Returns true for a user-defined predicate that SWI-Prolog calls and to which libraries add clauses: `portray/1`.
#[must_use]
pub fn is_system_hook(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.home == Home::User)
}

/// Returns true for a predicate whose calls are expanded when `library(apply_macros)` is loaded.
#[must_use]
pub fn is_expanded_by_apply_macros(name: &str, arity: usize) -> bool {
    find_variadic(name, arity).is_some_and(|(p, _)| p.expanded)
}

/// Returns true for a built-in that calls neither goal arguments nor hooks, and wakes no goals.
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
            && p.alteration.is_none()
    })
}

/// Returns the predicates that load files when they run.
pub fn loaders() -> impl Iterator<Item = &'static SystemPredicate> {
    system_predicates().iter().filter(|p| p.loads_files)
}

/// Returns the user-defined predicates that SWI-Prolog calls.
pub fn system_hooks() -> impl Iterator<Item = &'static SystemPredicate> {
    system_predicates().iter().filter(|p| p.home == Home::User)
}

/// Returns the declaration that a call makes: clauses of the declared predicates do not run as written.
#[must_use]
pub fn opening(name: &str, arity: usize) -> Option<Opening> {
    find(name, arity)?.opening
}

/// Returns the change that a call makes to the program, with the clause in its first argument.
#[must_use]
pub fn clause_change(name: &str, arity: usize) -> Option<ClauseChange> {
    find(name, arity)?.clause_change
}

/// Returns the effect of the predicates with this name, regardless of arity; a change of state takes precedence over input and output.
#[must_use]
pub fn named_effect(name: &str) -> Option<Effect> {
    effects().get(name).copied()
}

/// Returns the destructive assignment that a call performs, if any.
#[must_use]
pub fn assignment(name: &str, arity: usize) -> Option<Assignment> {
    find(name, arity)?.assignment
}

/// Returns true for a predicate whose result comes from a stream, such as `read/1`.
#[must_use]
pub fn reads_input(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.reads)
}

/// Returns the change that a call makes to the meaning or the call costs of clauses.
#[must_use]
pub fn alteration(name: &str, arity: usize) -> Option<Alteration> {
    find(name, arity)?.alteration
}

/// Returns true if a predicate with this name changes clauses, regardless of arity. This quick check spares callers a closer look at the
/// term.
#[must_use]
pub fn names_alteration(name: &str) -> bool {
    altering().contains(name)
}

/// Returns the user-defined predicates that a call may run, by name and arity. A name is module-qualified unless the module is `user`.
pub fn hooks_called(name: &str, arity: usize) -> impl Iterator<Item = (&'static str, usize)> {
    find(name, arity)
        .into_iter()
        .flat_map(|p| p.hooks.iter().copied())
}

/// Returns true for queries of the program, the system, or the text that is read, which raise no error: `prolog_load_context/2`.
#[must_use]
pub fn is_query(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.is_query)
}

/// Returns the message that a built-in prints, or that a hook gets.
#[must_use]
pub fn message(name: &str, arity: usize) -> Option<Message> {
    find(name, arity)?.message
}

/// Returns the reason why inference does not follow a call, if any.
#[must_use]
pub fn unfollowed(name: &str, arity: usize) -> Option<Unfollowed> {
    find_variadic(name, arity)?.0.unfollowed
}

/// Returns the text that completion and hovers show for a predicate.
#[must_use]
pub fn described(name: &str, arity: usize) -> Option<&'static Description> {
    find(name, arity)?.description.as_ref()
}

/// Returns the usual modes of a call: `-` computed, `l` a list, `i` an integer, `n` a number, `g` bound, `?` bound or unbound.
#[must_use]
pub fn usual_modes(name: &str, arity: usize) -> Option<&'static str> {
    find(name, arity)?.usual_modes
}

/// Returns true for a predicate that also runs with known outputs and unknown inputs.
#[must_use]
pub fn is_reversible(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.reversible)
}

/// Returns true for a predicate with infinitely many solutions, so that a failing continuation is retried forever.
#[must_use]
pub fn is_endless(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.endless == Some(Endless::Always))
}

/// Returns true for a built-in in C that has finitely many solutions, regardless of its arguments.
#[must_use]
pub fn ends(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| {
        p.language == Some(Language::C) && p.endless.is_none()
    })
}

/// Returns the inputs that determine a predicate's solutions; `None` if the catalogue does not state them.
#[must_use]
pub fn answers(name: &str, arity: usize) -> Option<Answers> {
    find(name, arity)?.answers
}

/// Returns true for a predicate that may leave variables in its results although all its inputs are ground: `length(L, 3)`.
#[must_use]
pub fn leaves_variables(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.leaves_variables)
}

/// Returns how a predicate uses texts.
#[must_use]
pub fn text_use(name: &str, arity: usize) -> Option<TextUse> {
    find(name, arity)?.text
}

/// Returns true for a predicate that creates terms or names that do not occur in the program text: `functor(T, N, A)`, `read(T)`.
#[must_use]
pub fn makes_terms(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.makes_terms || p.reads)
}

/// Returns true if a predicate with this name, regardless of arity, calls predicates whose names come from data: `foreach/2`.
#[must_use]
pub fn names_caller_of_names(name: &str) -> bool {
    callers_of_names().contains(name)
}

/// Returns the part of the program that the solutions reveal, for the predicate named by the first argument, or for all predicates if there
/// is no argument.
#[must_use]
pub fn shows(name: &str, arity: usize) -> Option<Shown> {
    find(name, arity)?.shows
}

/// Returns true for a predicate that may wait forever for something outside the program: `thread_get_message/1`.
#[must_use]
pub fn may_wait(name: &str, arity: usize) -> bool {
    holds(name, arity, |p| p.waits)
}

/// Returns the meaning of a predicate's arguments.
#[must_use]
pub fn signature(name: &str, arity: usize) -> Option<&'static Signature> {
    find_variadic(name, arity)?.0.signature.as_ref()
}

/// Returns the relation between a predicate's arguments.
#[must_use]
pub fn relation(name: &str, arity: usize) -> Option<Relation> {
    signature(name, arity).map(|signature| signature.relation)
}

/// Returns the cells that a call builds internally; `None` if unknown.
#[must_use]
pub fn cells(name: &str, arity: usize) -> Option<Cells> {
    let predicate = find(name, arity)?;
    let nothing = (predicate.most_bindings == Some(0)).then_some(Cells::None);
    predicate.cells.or(nothing)
}

/// Returns the inferences of a call, as SWI-Prolog counts them, except for those of the goals that it calls: one for a predicate in C unless
/// its record states another number.
#[must_use]
pub fn inferences(name: &str, arity: usize) -> Inferences {
    let Some(predicate) = find(name, arity) else {
        return Inferences::Unknown;
    };
    let in_c = (predicate.language == Some(Language::C)).then_some(Inferences::CALL);
    predicate.inferences.or(in_c).unwrap_or(Inferences::Unknown)
}

/// Returns the extent to which Prolog systems agree on a built-in that only inspects and builds terms.
#[must_use]
pub fn portable(name: &str, arity: usize) -> Option<Portable> {
    find(name, arity)?.portable
}

/// Returns the atoms that a call may return; `None` if any atom is possible.
#[must_use]
pub fn atoms(name: &str, arity: usize) -> Option<Atoms> {
    find(name, arity)?.atoms
}

/// Returns how a predicate uses a global variable.
#[must_use]
pub fn global_use(name: &str, arity: usize) -> Option<GlobalUse> {
    find(name, arity)?.global_use
}

/// Returns the kind of value that a predicate obtains from outside the program.
#[must_use]
pub fn brought(name: &str, arity: usize) -> Option<Brought> {
    find(name, arity)?.brought
}

/// Returns the integers with which a built-in computes.
#[must_use]
pub fn integers(name: &str, arity: usize) -> Option<Integers> {
    find(name, arity)?.integers
}

/// Returns the index (from 0) of the argument that is a format.
#[must_use]
pub fn format_argument(name: &str, arity: usize) -> Option<usize> {
    find(name, arity)?.format
}

/// Returns true for a library with records: `lists`, `semweb/rdf_db`.
#[must_use]
pub fn is_library(name: &str) -> bool {
    libraries().contains(name)
}
