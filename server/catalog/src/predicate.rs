//! An entry of the catalogue.

use smallvec::SmallVec;

use crate::signature::{Atoms, Brought, Cells, GlobalUse, Integers, Portable, Signature};

/// A control construct, a built-in, a library predicate, or a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemPredicate {
    /// Its name.
    pub name: &'static str,
    /// The number of its arguments.
    pub arity: usize,
    /// The origin of the predicate.
    pub home: Home,
    /// The language in which SWI-Prolog implements it; `None` for hooks, which users define.
    pub language: Option<Language>,
    /// True if programs may not define clauses for it.
    pub locked: bool,
    /// Its arguments as `meta_predicate/1` declares them, one character each; empty if no argument is special.
    pub meta: &'static str,
    /// Its role in the control flow of the clause that contains it.
    pub control: Option<Control>,
    /// True if it counts nothing itself: its cost is part of the clause's step.
    pub counts_nothing: bool,
    /// The kind of leading test that it is at the start of a body.
    pub test: Option<Test>,
    /// True if `library(apply_macros)` expands calls of it.
    pub expanded: bool,
    /// True if it does the same in every module.
    pub ignores_module: bool,
    /// True if every SWI-Prolog 9 has it.
    pub in_every_version: bool,
    /// True if SWI-Prolog 9.0 lacks it and later versions have it.
    pub newer: bool,
    /// True if it also takes more arguments, which are passed to the closure.
    pub variadic: bool,
    /// Loads files.
    pub loads_files: bool,
    /// The declaration that it makes for the predicates named in its argument.
    pub opening: Option<Opening>,
    /// The way in which it uses the clause in its argument.
    pub clause_change: Option<ClauseChange>,
    /// The way in which it changes a term in place.
    pub assignment: Option<Assignment>,
    /// Its side effect.
    pub effect: Option<Effect>,
    /// True if its result comes from a stream.
    pub reads: bool,
    /// True if it changes the meaning or the call costs of clauses of a whole program: `wrap_predicate/4`.
    pub alters: bool,
    /// The user-defined predicates that it may call: `portray/1`, `prolog:message/3`.
    pub hooks: SmallVec<[(&'static str, usize); 1]>,
    /// The reason why inference does not follow a call of it.
    pub unfollowed: Option<Unfollowed>,
    /// True if inference has rules for it although no assertion describes it.
    pub has_rules: bool,
    /// True if the machine runs it.
    pub on_machine: bool,
    /// True if it is a single step of the machine: no environment, no choice point.
    pub is_one_step: bool,
    /// The maximum number of variables that it binds, if it builds nothing on the machine.
    pub most_bindings: Option<u64>,
    /// The usual modes of a call, one character for each argument.
    pub usual_modes: Option<&'static str>,
    /// True if it also runs with known outputs and unknown inputs.
    pub reversible: bool,
    /// The cases, if any, in which it has infinitely many solutions.
    pub endless: Option<Endless>,
    /// The dependencies of its solutions; `None` if they are not stated.
    pub answers: Option<Answers>,
    /// True if it may leave variables in its results even when all else is ground: `length(L, 3)`.
    pub leaves_variables: bool,
    /// The way in which it uses texts.
    pub text: Option<TextUse>,
    /// True if it creates terms or names that do not occur in the program text: `functor(T, N, A)`.
    pub makes_terms: bool,
    /// True if it calls predicates by names found in data: `foreach/2`.
    pub calls_names: bool,
    /// The part of the program that its answers reveal.
    pub shows: Option<Shown>,
    /// True if it may wait forever for something outside the program: `thread_get_message/1`.
    pub waits: bool,
    /// The meaning of its arguments.
    pub signature: Option<Signature>,
    /// The values that it passes around, one type for each argument: `list(A),list(A),list(A)`. For guesses only.
    pub values: Option<&'static str>,
    /// The cells that it builds inside; `None` if they are not known.
    pub cells: Option<Cells>,
    /// The agreement of Prolog systems on it, for built-ins that only inspect and build terms.
    pub portable: Option<Portable>,
    /// The integers that it computes with.
    pub integers: Option<Integers>,
    /// The atoms that it gives; `None` if they may be any.
    pub atoms: Option<Atoms>,
    /// The way in which it uses a global variable.
    pub global_use: Option<GlobalUse>,
    /// The value that it brings from outside the program.
    pub brought: Option<Brought>,
    /// The argument, from 0, that is a format.
    pub format: Option<usize>,
    /// The solutions, types, sizes and exceptions of calls, most specific first: `(+A:ground, -B:nat) + det`.
    pub statements: Vec<&'static str>,
    /// The orders of the times of calls: `(?A, ?B) = length(A)`.
    pub times: Vec<&'static str>,
    /// The description of a call, in words; `None` if completion does not propose it.
    pub description: Option<Description>,
}

/// The cases in which a predicate has infinitely many solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// For all arguments: `repeat/0`.
    Always,
    /// For some arguments: `between(1, inf, X)`, `length(L, N)`.
    Perhaps,
}

/// The dependencies of a predicate's solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Only its arguments: `msort/2`.
    Arguments,
    /// Also state, chance, time or input: `nb_getval/2`.
    World,
}

/// The use of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUse {
    /// Reads it as a term: `term_to_atom/2`.
    Reads,
    /// Builds texts and names from parts: `atom_concat/3`.
    Makes,
}

/// A part of the program that a predicate's answers reveal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The clauses of the predicate that its first argument names, or of any predicate if it has no argument: `clause/2`.
    Clauses,
    /// The depth or number of calls of its goal: `call_with_depth_limit/3`.
    Calls,
}

/// The text that completion and hovers show for a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The template of a call: `atom_length(+Atom, -Length) is det`.
    pub template: &'static str,
    /// The names of its arguments; empty for operators.
    pub arguments: Vec<&'static str>,
    /// Its purpose, in one line.
    pub text: &'static str,
}

/// The origin of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Home {
    /// Built in.
    System,
    /// A library, with its name: `lists`.
    Library(&'static str),
    /// The user's module: a predicate that SWI-Prolog calls.
    User,
}

/// The language in which SWI-Prolog implements a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// Prolog.
    Prolog,
}

/// A control construct's treatment of cuts. Control constructs are compiled as parts of the clause that contains them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// A cut in its goals, except in a condition, cuts the clause: `A, B`.
    Transparent,
    /// A cut in its goals is local: `\+ A`.
    Opaque,
    /// The cut.
    Cut,
}

/// A kind of leading test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Compares the values of expressions: `<`.
    Arithmetic,
    /// Compares terms: `@<`, `==`.
    Order,
    /// Tests the type of a term: `integer/1`.
    Type,
}

/// A declaration that makes clauses run differently from how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Clauses may be added and removed.
    Dynamic,
    /// Answers are remembered.
    Tabled,
}

/// A change of the clauses of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseChange {
    /// Adds a clause.
    Add,
    /// Removes clauses.
    Remove,
}

/// A destructive assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// The changed term shares with the new value.
    Shares,
    /// The changed term holds a copy of the new value.
    Copies,
}

/// A side effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Changes state that outlives the goal.
    State,
    /// Reads or writes.
    Io,
}

/// A reason for which inference does not follow a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfollowed {
    /// It runs its goal differently from a call.
    Altered,
    /// It gives a variable an attribute; the module's hook runs when the variable is bound.
    Attributes,
    /// It turns the rest of a goal into a term that is called elsewhere.
    Continues,
    /// Its goal comes from data.
    Data,
    /// Its goal is not known statically.
    Goal,
    /// It runs its goal in another module.
    Module,
    /// The type that it tests is not known statically.
    Type,
    /// It wakes its goal later.
    Wakes,
}

/// A goal or closure among the arguments of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetaArgument {
    /// The argument, from 0.
    pub argument: usize,
    /// The number of arguments that are added to it when it is called.
    pub added: usize,
}

/// The goals and closures among the arguments of a predicate.
pub type MetaArguments = SmallVec<[MetaArgument; 3]>;

impl SystemPredicate {
    /// Returns the goals and closures among its arguments. The closure of a variadic predicate gets `further` more arguments.
    #[must_use]
    pub fn meta_arguments(&self, further: usize) -> MetaArguments {
        let called = self.meta.chars().enumerate();
        called
            .filter_map(|(argument, spec)| {
                let added = match spec {
                    '^' => 0,
                    '/' => 2,
                    _ => spec.to_digit(10)? as usize + further,
                };
                Some(MetaArgument { argument, added })
            })
            .collect()
    }

    /// Returns the library that defines it; `None` for built-ins.
    #[must_use]
    pub fn library(&self) -> Option<&'static str> {
        match self.home {
            Home::Library(name) => Some(name),
            Home::System | Home::User => None,
        }
    }

    /// Returns true if it is part of the clause's control flow: a cut, or a control construct with goals.
    #[must_use]
    pub fn is_control_construct(&self) -> bool {
        matches!(self.control, Some(Control::Transparent | Control::Opaque))
    }
}
