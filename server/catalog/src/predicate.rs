//! An entry of the catalogue.

use smallvec::SmallVec;

use crate::signature::{
    Atoms, Brought, Cells, GlobalUse, Inferences, Integers, Portable, Signature,
};

/// A control construct, a built-in, a library predicate, or a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemPredicate {
    /// The predicate's name.
    pub name: &'static str,
    /// The number of its arguments.
    pub arity: usize,
    /// The origin of the predicate.
    pub home: Home,
    /// The language in which SWI-Prolog implements the predicate; `None` for hooks, which users define.
    pub language: Option<Language>,
    /// True if programs may not define clauses for it.
    pub locked: bool,
    /// The arguments as declared by `meta_predicate/1`, one character each; empty if no argument is special.
    pub meta: &'static str,
    /// The role in the control flow of the clause that contains the goal.
    pub control: Option<Control>,
    /// True if a call counts no events: its cost is part of the clause's step.
    pub counts_nothing: bool,
    /// The kind of leading test that the goal is at the start of a body.
    pub test: Option<LeadingTest>,
    /// True if `library(apply_macros)` expands calls of the predicate.
    pub expanded: bool,
    /// True if the predicate behaves the same in every module.
    pub ignores_module: bool,
    /// True if every SWI-Prolog 9 includes the predicate.
    pub in_every_version: bool,
    /// True if versions later than SWI-Prolog 9.0 have the predicate but 9.0 does not.
    pub newer: bool,
    /// True if the predicate accepts further arguments, which are passed to the closure.
    pub variadic: bool,
    /// True if the predicate loads files.
    pub loads_files: bool,
    /// The declaration that a call makes for the predicates named in its argument.
    pub opening: Option<Opening>,
    /// The change that a call makes to the program, with the clause in its argument.
    pub clause_change: Option<ClauseChange>,
    /// The destructive assignment that a call performs.
    pub assignment: Option<Assignment>,
    /// The side effect.
    pub effect: Option<Effect>,
    /// True if the result comes from a stream.
    pub reads: bool,
    /// True if a call queries a property of the program, of the system, or of the text that is read, and raises no error.
    pub is_query: bool,
    /// The change that a call makes to the meaning or the call costs of clauses.
    pub alteration: Option<Alteration>,
    /// The user-defined predicates that a call may run: `portray/1`, `prolog:message/3`.
    pub hooks: SmallVec<[(&'static str, usize); 1]>,
    /// The message that a built-in prints, or that a hook gets.
    pub message: Option<Message>,
    /// The reason why inference does not follow a call.
    pub unfollowed: Option<Unfollowed>,
    /// True if inference has special rules for the predicate, although no assertion describes it.
    pub has_rules: bool,
    /// True if the abstract machine implements the predicate.
    pub on_machine: bool,
    /// True if a call is a single machine step: no environment, no choice point.
    pub is_one_step: bool,
    /// The maximum number of variables that a call binds, if it builds nothing on the machine.
    pub most_bindings: Option<u64>,
    /// The usual modes of a call, one character for each argument.
    pub usual_modes: Option<&'static str>,
    /// True if the predicate also runs with known outputs and unknown inputs.
    pub reversible: bool,
    /// The cases, if any, in which a call has infinitely many solutions.
    pub endless: Option<Endless>,
    /// The inputs that determine the solutions; `None` if unknown.
    pub answers: Option<Answers>,
    /// True if a call may leave variables in its results although all its inputs are ground: `length(L, 3)`.
    pub leaves_variables: bool,
    /// The use of texts.
    pub text: Option<TextUse>,
    /// True if a call creates terms or names that do not occur in the program text: `functor(T, N, A)`.
    pub makes_terms: bool,
    /// True if a call runs predicates whose names come from data: `foreach/2`.
    pub calls_names: bool,
    /// The part of the program that the solutions reveal.
    pub shows: Option<Shown>,
    /// True if a call may wait forever for something outside the program: `thread_get_message/1`.
    pub waits: bool,
    /// The meaning of the arguments.
    pub signature: Option<Signature>,
    /// The types of the values passed through, one for each argument: `list(A),list(A),list(A)`. Used only for guesses.
    pub values: Option<&'static str>,
    /// The indices (from 0) of arguments that are proper lists when a call has succeeded.
    pub proper_lists: SmallVec<[u8; 4]>,
    /// The cells that a call builds internally; `None` if unknown.
    pub cells: Option<Cells>,
    /// The inferences of a call, apart from those of its goals; `None` for one inference of a predicate in C, and an unknown number of a
    /// predicate in Prolog.
    pub inferences: Option<Inferences>,
    /// The extent to which Prolog systems agree, for built-ins that only inspect and build terms.
    pub portable: Option<Portable>,
    /// The integers with which a call computes.
    pub integers: Option<Integers>,
    /// The atoms that a call may return; `None` if any atom is possible.
    pub atoms: Option<Atoms>,
    /// The use of a global variable.
    pub global_use: Option<GlobalUse>,
    /// The kind of value that a call obtains from outside the program.
    pub brought: Option<Brought>,
    /// The index (from 0) of the argument that is a format.
    pub format: Option<usize>,
    /// The solutions, types, sizes and exceptions of calls, most specific statement first: `(+A:ground, -B:nat) + det`.
    pub statements: Vec<&'static str>,
    /// The orders of the running times of calls: `(?A, ?B) = length(A)`.
    pub times: Vec<&'static str>,
    /// The text that describes a call; `None` if completion does not propose the predicate.
    pub description: Option<Description>,
}

/// A change to the meaning or the call costs of clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alteration {
    /// A built-in, named by the argument, gets other clauses: `redefine_system_predicate/1`.
    BuiltIn,
    /// Calls that match the head in the first argument run other goals: `wrap_predicate/4`.
    Calls,
    /// The clauses listed in the argument are added: `compile_aux_clauses/1`.
    Clauses,
    /// A goal runs at events: `prolog_listen/2`.
    Events,
    /// Output with a format directive changes: `format_predicate/2`.
    Formats,
    /// The following text belongs to another module: `'$set_source_module'/2`.
    Module,
    /// The whole program changes.
    Program,
}

/// The message that a built-in prints, or that a hook gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// The argument with this index (from 0): `print_message(Kind, Message)`, `message_hook(Message, Kind, Lines)`.
    Argument(usize),
    /// A message with this functor: `debug/3` prints `debug(Format, Arguments)`, and only messages `error(Formal, Context)` reach
    /// `prolog:error_message//1`.
    Functor(&'static str, usize),
}

/// The cases in which a predicate has infinitely many solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// For all arguments: `repeat/0`.
    Always,
    /// For some arguments: `between(1, inf, X)`, `length(L, N)`.
    Perhaps,
}

/// The inputs that determine a predicate's solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Only the arguments: `msort/2`.
    Arguments,
    /// Also state, randomness, time or input: `nb_getval/2`.
    World,
}

/// The use of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUse {
    /// Parses text as a term: `term_to_atom/2`.
    Reads,
    /// Builds texts and names from parts: `atom_concat/3`.
    Makes,
}

/// A part of the program that a predicate's solutions reveal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The clauses of the predicate named by the first argument, or of any predicate if there is no argument: `clause/2`.
    Clauses,
    /// The depth or number of the calls made by the goal: `call_with_depth_limit/3`.
    Calls,
}

/// The text that completion and hovers show for a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The template of a call: `atom_length(+Atom, -Length) is det`.
    pub template: &'static str,
    /// The names of the arguments; empty for operators.
    pub arguments: Vec<&'static str>,
    /// The predicate's purpose, in one line.
    pub text: &'static str,
}

/// The origin of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Home {
    /// Built in.
    System,
    /// A library, by its name: `lists`.
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

/// The treatment of cuts by a control construct. Control constructs are compiled as parts of the clause that contains them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// A cut in one of the goals, except in a condition, cuts the clause: `A, B`.
    Transparent,
    /// A cut in one of the goals is local: `\+ A`.
    Opaque,
    /// The cut.
    Cut,
}

/// A kind of leading test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadingTest {
    /// Compares the values of expressions: `<`.
    Arithmetic,
    /// Compares terms: `@<`, `==`.
    Order,
    /// Tests the type of a term: `integer/1`.
    Type,
}

/// A declaration that changes how a predicate's clauses run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Clauses may be added and removed.
    Dynamic,
    /// Answers are tabled.
    Tabled,
}

/// A change to the clauses of a program.
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
    /// The changed term shares structure with the new value.
    Shares,
    /// The changed term contains a copy of the new value.
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

/// A reason why inference does not follow a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfollowed {
    /// The predicate runs its goal differently from a plain call.
    Altered,
    /// The predicate attaches an attribute to a variable; the module's hook runs when the variable is bound.
    Attributes,
    /// The predicate captures the rest of a goal as a term that is called elsewhere.
    Continues,
    /// The goal comes from data.
    Data,
    /// The goal is not known statically.
    Goal,
    /// The predicate runs its goal in another module.
    Module,
    /// The tested type is not known statically.
    Type,
    /// The predicate delays a goal until variables are bound.
    Wakes,
}

/// A goal or closure among the arguments of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetaArgument {
    /// The argument's index, from 0.
    pub argument: usize,
    /// The number of arguments that a call appends to the closure.
    pub added: usize,
}

/// The goals and closures among the arguments of a predicate.
pub type MetaArguments = SmallVec<[MetaArgument; 3]>;

impl SystemPredicate {
    /// Returns the goals and closures among the arguments. The closure of a variadic predicate receives `further` additional arguments.
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

    /// Returns the library that defines the predicate; `None` for built-ins.
    #[must_use]
    pub fn library(&self) -> Option<&'static str> {
        match self.home {
            Home::Library(name) => Some(name),
            Home::System | Home::User => None,
        }
    }

    /// Returns true if a goal is part of the clause's control flow: a cut, or a control construct with goals.
    #[must_use]
    pub fn is_control_construct(&self) -> bool {
        matches!(self.control, Some(Control::Transparent | Control::Opaque))
    }
}
