//! One predicate of the catalogue.

use smallvec::SmallVec;

/// A control construct, a built-in, a predicate of a library, or a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemPredicate {
    /// Its name.
    pub name: &'static str,
    /// The number of its arguments.
    pub arity: usize,
    /// The origin of the predicate.
    pub home: Home,
    /// The language that SWI-Prolog has it in; none for hooks, which the user writes.
    pub language: Option<Language>,
    /// A program may not give it clauses.
    pub locked: bool,
    /// Its arguments as `meta_predicate/1` declares them, one character each; empty where none is special.
    pub meta: &'static str,
    /// Its part in the control of the clause that it stands in.
    pub control: Option<Control>,
    /// Counts nothing itself: what it costs is part of the clause's step.
    pub counts_nothing: bool,
    /// The kind of test that it is where it stands first in a body.
    pub test: Option<Test>,
    /// `library(apply_macros)` expands calls of it.
    pub expanded: bool,
    /// Does the same in every module.
    pub ignores_module: bool,
    /// Every SWI-Prolog 9 has it.
    pub in_every_version: bool,
    /// SWI-Prolog 9.0 does not have it, later versions do.
    pub newer: bool,
    /// Also takes more arguments, which are handed to the closure.
    pub variadic: bool,
    /// Loads files.
    pub loads_files: bool,
    /// The state that it puts the predicates in that it names.
    pub opening: Option<Opening>,
    /// Its use of the clause that is its argument.
    pub clause_change: Option<ClauseChange>,
    /// The way in which it changes a term in place.
    pub assignment: Option<Assignment>,
    /// Its side effect.
    pub effect: Option<Effect>,
    /// Gives what comes from a stream.
    pub reads: bool,
    /// Changes what the clauses of a whole program mean, or what their calls cost: `wrap_predicate/4`.
    pub alters: bool,
    /// The predicates of the user that it may call: `portray/1`, `prolog:message/3`.
    pub hooks: SmallVec<[(&'static str, usize); 1]>,
    /// The reason why inference does not follow a call of it.
    pub unfollowed: Option<Unfollowed>,
    /// Inference has rules for it although no assertion states anything.
    pub has_rules: bool,
    /// The machine runs it.
    pub on_machine: bool,
    /// True where it is one step of the machine: no environment, no choice point.
    pub is_one_step: bool,
    /// The number of variables that it binds at most, where it builds nothing on the machine.
    pub most_bindings: Option<u64>,
    /// The usual modes of a call, one character for each argument.
    pub usual_modes: Option<&'static str>,
    /// Also runs with its outputs known and its inputs unknown.
    pub reversible: bool,
    /// It may have solutions without end.
    pub endless: Option<Endless>,
    /// What its solutions depend on; none where nobody has said.
    pub answers: Option<Answers>,
    /// Leaves variables in what it gives, whatever else is ground: `length(L, 3)`.
    pub leaves_variables: bool,
    /// What it does with texts.
    pub text: Option<TextUse>,
    /// Gives terms or names that stand in no text of the program: `functor(T, N, A)`.
    pub makes_terms: bool,
    /// Calls predicates by names that it finds in data: `foreach/2`.
    pub calls_names: bool,
    /// What its answers show of the program.
    pub shows: Option<Shown>,
    /// May wait for ever for something outside of the program: `thread_get_message/1`.
    pub waits: bool,
    /// The description of a call, in words; none for what completion does not propose.
    pub description: Option<Description>,
}

/// When a predicate has solutions without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// Whatever its arguments: `repeat/0`.
    Always,
    /// For some arguments: `between(1, inf, X)`, `length(L, N)`.
    Perhaps,
}

/// What the solutions of a predicate depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Its arguments alone: `msort/2`.
    Arguments,
    /// State, chance, time or input, too: `nb_getval/2`.
    World,
}

/// The use of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUse {
    /// Reads it as a term: `term_to_atom/2`.
    Reads,
    /// Makes texts and names of parts: `atom_concat/3`.
    Makes,
}

/// A part of the program that the answers of a predicate show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The clauses of the predicate that its first argument names; of any predicate where it has no argument: `clause/2`.
    Clauses,
    /// How deep or how many the calls of its goal are: `call_with_depth_limit/3`.
    Calls,
}

/// The text that completion and hovers show for a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The template of a call: `atom_length(+Atom, -Length) is det`.
    pub template: &'static str,
    /// The names of its arguments, none for operators.
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
    /// The user's module, whose predicate SWI-Prolog calls.
    User,
}

/// The language that SWI-Prolog has a predicate in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// Prolog.
    Prolog,
}

/// A control construct's treatment of cuts. Control constructs are compiled as parts of the clause that they stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// A cut in its goals cuts the clause, conditions apart: `A, B`.
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

/// A declaration that makes clauses run otherwise than they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Clauses may come and go.
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

/// A reason why inference does not follow a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfollowed {
    /// Its goal is run otherwise than a call would.
    Altered,
    /// A variable gets an attribute, of which the module's hook runs when the variable is bound.
    Attributes,
    /// The rest of a goal becomes a term that is called elsewhere.
    Continues,
    /// Its goal comes from data.
    Data,
    /// Its goal is not to be seen.
    Goal,
    /// It runs its goal in another module.
    Module,
    /// The type that it tests is not to be seen.
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
    /// The goals and closures among its arguments; `further` arguments that a variadic predicate takes are handed to the closure.
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

    /// The library that it is of; none for what is built in.
    #[must_use]
    pub fn library(&self) -> Option<&'static str> {
        match self.home {
            Home::Library(name) => Some(name),
            Home::System | Home::User => None,
        }
    }

    /// Belongs to a clause as a part of it: a cut, or a control construct with goals.
    #[must_use]
    pub fn is_control_construct(&self) -> bool {
        matches!(self.control, Some(Control::Transparent | Control::Opaque))
    }
}
