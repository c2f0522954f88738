//! The counted events and their names.

use std::fmt;
use std::str::FromStr;

use smol_str::SmolStr;

use crate::Vocabulary;
use crate::gnu::Opcode as GnuOpcode;
use crate::machine::is_counted;
use crate::ppdp08::Instruction;
use crate::swi::Opcode;

/// The parts of a resource that a program declares. A call to a predicate with a stated cost counts only that cost, not clauses or
/// literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OwnPart {
    /// The costs that `trust` assertions state.
    Stated,
    /// The clauses entered in all other predicates.
    Heads,
    /// The goals called in all other predicates.
    Literals,
}

impl OwnPart {
    /// All parts.
    pub const ALL: [OwnPart; 3] = [OwnPart::Stated, OwnPart::Heads, OwnPart::Literals];

    fn suffix(self) -> &'static str {
        match self {
            OwnPart::Stated => "",
            OwnPart::Heads => ",heads",
            OwnPart::Literals => ",literals",
        }
    }
}

/// The counted events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A resolution step: a clause is entered (*step* of PADL'07 §2.2).
    Step,
    /// A head is unified with a goal, whether or not the leading tests of the body hold.
    HeadUnification,
    /// The arguments of an entered head: its arity.
    Nargs,
    /// A function symbol or constant of an entered head, in an argument that is bound at the call; or a function symbol or constant that a
    /// body literal builds.
    Giunif,
    /// A function symbol or constant of an entered head, in an argument that is unbound at the call.
    Gounif,
    /// An occurrence of a variable of an entered head, in an argument that is bound at the call.
    Viunif,
    /// An occurrence of a variable of an entered head, in an argument that is unbound at the call.
    Vounif,
    /// A call that selects its clauses by a constant or structure, not only by whether its first argument is a list cell or `[]`.
    Switch,
    /// A call to a predicate with one clause.
    SingleCall,
    /// A call to a predicate with one clause for `[]` and one clause for list cells, selected by the first argument.
    ListCall,
    /// A call to any other predicate with a bound argument: its clauses are searched.
    Search,
    /// A call to any other predicate, in [`Vocabulary::FirstArgument`], where this event replaces `Search`.
    FirstSearch,
    /// A search in a hash table: several clauses have the same key, there are more than ten clauses, or the first argument is unbound and
    /// another argument is bound.
    Lookup,
    /// A clause is tried while later clauses may match, which creates a choice point.
    Try,
    /// A clause is tried after an earlier clause.
    Retry,
    /// A tried clause whose head does not unify with the goal.
    Mismatch,
    /// An unbound argument of the call is bound by a head that is tried while later clauses may match: the binding is trailed, and undone
    /// if the clause fails.
    Trailed,
    /// An argument of an entered head that is a variable and also occurs in an earlier argument: `p(X, X)`. [`Vocabulary::FirstArgument`]
    /// does not distinguish these arguments from other arguments.
    SharedArgument,
    /// A clause is entered while later clauses may match: its choice point survives the head.
    KeptChoice,
    /// The last call of a clause is made while other clauses or branches remain, so that the clause keeps its frame.
    KeptFrame,
    /// A `!` runs.
    Cut,
    /// A condition or negation that calls a predicate of the program begins.
    Condition,
    /// A condition or negation that calls only built-ins begins.
    TestCondition,
    /// A negation begins. It also counts as a condition, because some systems call the negated goal.
    Negation,
    /// A disjunction without a condition begins.
    Disjunction,
    /// A call to a predicate that is not the last goal of its clause, so that the clause continues after the call.
    Continuation,
    /// The arguments of a called literal.
    BodyArguments,
    /// A function symbol or constant in the arguments of a called literal.
    BodySymbols,
    /// An occurrence of a variable in the arguments of a called literal.
    BodyVariables,
    /// `Y is X+1`, `Y is X-1`: an integer is added to a variable, and the result variable is new. In [`Vocabulary::Portable`] this replaces
    /// `is/2` and the function: most systems have an instruction for it.
    Increment,
    /// A closure is called: the call is written as `call/N`, and the callee is known.
    Closure,
    /// An argument that a called closure already has: one for `call(add(N), X)`.
    Captured,
    /// A lambda expression of `library(yall)` that is not compiled is called: it is copied, and its parameters are bound.
    Lambda,
    /// A constant or functor in an uncompiled lambda expression, which is copied at each call.
    LambdaSymbol,
    /// A call to a built-in predicate: `is/2`.
    Builtin(SmolStr, usize),
    /// The work of a built-in whose running time depends on its arguments, in units of the relevant size: `work(length/2)` is the length of
    /// the list, summed over the calls.
    Work(SmolStr, usize),
    /// Work: a resolution step, a call of a built-in, an evaluation of an arithmetic function, or a unit of the work of a built-in. The work
    /// of all built-ins is one event, and a term or text of unknown size counts as one unit.
    TotalWork,
    /// An inference, as `statistics(inferences, I)` of SWI-Prolog counts them without its flag `optimise`: a call of a predicate or built-in
    /// that is not compiled in line, another solution of a built-in in C, or a branch that is tried after a call in another one has failed.
    Inference,
    /// An evaluation of an arithmetic function: `op(+/2)` (*I(⊕/n)* of PADL'07 §2.3).
    Operator(SmolStr, usize),
    /// An instruction of the PPDP'08 machine, with a flag for failure: `ppdp08:get_list`, `ppdp08:get_value(fail)`.
    Ppdp08(Instruction, bool),
    /// An instruction of Costlens' own machine, with a flag for failure: `get_list`, `get_list(fail)` (named `get_list!` in counts of
    /// runs); also `environments` and `choice_points`.
    Machine(SmolStr, bool),
    /// A cell of the global stack of SWI-Prolog, 8 bytes.
    GlobalCells {
        /// True for programs loaded with the flag `optimise`.
        optimised: bool,
    },
    /// A body goal is called: a predicate or a built-in, not a control construct.
    Literal,
    /// A part of a resource that a program declares: `own(bits)`, `own(bits,heads)`.
    Own(SmolStr, OwnPart),
    /// An instruction of SWI-Prolog, in the code of a tried head up to the first mismatching argument, or of a goal that begins. The flag
    /// is true for code compiled with `optimise`: `swi:H_LIST`, `swi-O:A_ADD`.
    Swi(Opcode, bool),
    /// An instruction of GNU Prolog, counted in the same way: `gnu:get_list`, `gnu:call_c(Pl_Fct_Add)`.
    Gnu(GnuOpcode),
}

impl Event {
    /// The events whose names are words, in the order of the papers.
    pub const NAMED: [Event; 7] = [
        Event::Step,
        Event::HeadUnification,
        Event::Nargs,
        Event::Giunif,
        Event::Gounif,
        Event::Viunif,
        Event::Vounif,
    ];

    /// The events that only [`Vocabulary::Portable`] has.
    pub const PORTABLE: [Event; 27] = [
        Event::SingleCall,
        Event::ListCall,
        Event::Search,
        Event::FirstSearch,
        Event::Lookup,
        Event::Switch,
        Event::Try,
        Event::Retry,
        Event::Mismatch,
        Event::Trailed,
        Event::SharedArgument,
        Event::KeptChoice,
        Event::KeptFrame,
        Event::Cut,
        Event::Condition,
        Event::TestCondition,
        Event::Negation,
        Event::Disjunction,
        Event::Continuation,
        Event::BodyArguments,
        Event::BodySymbols,
        Event::BodyVariables,
        Event::Increment,
        Event::Closure,
        Event::Captured,
        Event::Lambda,
        Event::LambdaSymbol,
    ];

    /// The events of [`Vocabulary::Heap`].
    pub const HEAP: [Event; 2] = [
        Event::GlobalCells { optimised: false },
        Event::GlobalCells { optimised: true },
    ];

    /// Returns the events whose names are words.
    pub fn words() -> impl Iterator<Item = &'static Event> {
        const ALL: [&[Event]; 4] = [
            &Event::NAMED,
            &Event::PORTABLE,
            &Event::HEAP,
            &[Event::Literal, Event::TotalWork, Event::Inference],
        ];
        ALL.into_iter().flatten()
    }

    /// Returns the event's name if it is a word; `None` for built-ins and arithmetic functions.
    #[must_use]
    pub fn word(&self) -> Option<&'static str> {
        Some(match self {
            Event::Step => "steps",
            Event::HeadUnification => "head_unifications",
            Event::Nargs => "nargs",
            Event::Giunif => "giunif",
            Event::Gounif => "gounif",
            Event::Viunif => "viunif",
            Event::Vounif => "vounif",
            Event::SingleCall => "single_calls",
            Event::ListCall => "list_calls",
            Event::Search => "searches",
            Event::FirstSearch => "first_searches",
            Event::Lookup => "lookups",
            Event::Switch => "switches",
            Event::Try => "tries",
            Event::Retry => "retries",
            Event::Mismatch => "mismatches",
            Event::Trailed => "trailed",
            Event::SharedArgument => "shared_arguments",
            Event::KeptChoice => "kept_choices",
            Event::KeptFrame => "kept_frames",
            Event::Cut => "cuts",
            Event::Condition => "conditions",
            Event::TestCondition => "test_conditions",
            Event::Negation => "negations",
            Event::Disjunction => "disjunctions",
            Event::Continuation => "continuations",
            Event::BodyArguments => "body_arguments",
            Event::BodySymbols => "body_symbols",
            Event::BodyVariables => "body_variables",
            Event::Increment => "increments",
            Event::Closure => "closures",
            Event::Captured => "captured",
            Event::Lambda => "lambdas",
            Event::LambdaSymbol => "lambda_symbols",
            Event::Literal => "literals",
            Event::TotalWork => "work",
            Event::Inference => "inferences",
            Event::GlobalCells { optimised: false } => "global_cells",
            Event::GlobalCells { optimised: true } => "global_cells(-O)",
            Event::Builtin(..)
            | Event::Work(..)
            | Event::Operator(..)
            | Event::Ppdp08(..)
            | Event::Machine(..)
            | Event::Own(..)
            | Event::Swi(..)
            | Event::Gnu(..) => {
                return None;
            }
        })
    }

    /// Returns true if a platform without a price for the event does not model it, so that its cost is zero. A built-in without a price has
    /// an unknown cost instead.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.word().is_some() || matches!(self, Event::Swi(..) | Event::Gnu(..) | Event::Own(..))
    }

    /// Returns the vocabulary that counts the event. Built-ins are counted in every vocabulary.
    #[must_use]
    pub fn vocabulary(&self) -> Vocabulary {
        match self {
            Event::Ppdp08(..) => Vocabulary::Ppdp08,
            Event::Machine(..) => Vocabulary::Machine,
            Event::GlobalCells { .. } => Vocabulary::Heap,
            Event::Swi(_, false) => Vocabulary::Swi,
            Event::Swi(_, true) => Vocabulary::SwiOptimised,
            Event::Gnu(_) => Vocabulary::Gnu,
            Event::FirstSearch => Vocabulary::FirstArgument,
            Event::Literal | Event::Own(..) => Vocabulary::Own,
            Event::TotalWork => Vocabulary::Work,
            Event::Inference => Vocabulary::Inferences,
            Event::Work(..) => Vocabulary::Portable,
            event if Event::PORTABLE.contains(event) => Vocabulary::Portable,
            _ => Vocabulary::HighLevel,
        }
    }
}

/// Prints `steps`, `giunif`, `is/2`, `op(+/2)`.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Builtin(name, arity) => write!(f, "{name}/{arity}"),
            Event::Work(name, arity) => write!(f, "work({name}/{arity})"),
            Event::Operator(name, arity) => write!(f, "op({name}/{arity})"),
            Event::Ppdp08(instruction, false) => write!(f, "{PPDP08}{instruction}"),
            Event::Ppdp08(instruction, true) => write!(f, "{PPDP08}{instruction}{FAILED}"),
            Event::Machine(name, false) => f.write_str(name),
            Event::Machine(name, true) => write!(f, "{name}{FAILED}"),
            Event::Swi(opcode, false) => write!(f, "{SWI}{}", opcode.name()),
            Event::Swi(opcode, true) => write!(f, "{SWI_OPTIMISED}{}", opcode.name()),
            Event::Gnu(opcode) => write!(f, "{GNU}{opcode}"),
            Event::Own(name, part) => write!(f, "own({name}{})", part.suffix()),
            named => f.write_str(named.word().unwrap_or_default()),
        }
    }
}

/// The prefix of PPDP'08 instruction names.
const PPDP08: &str = "ppdp08:";
/// The prefixes of SWI-Prolog instruction names, without and with the flag `optimise`.
const SWI: &str = "swi:";
const SWI_OPTIMISED: &str = "swi-O:";
/// The prefix of GNU Prolog instruction names.
const GNU: &str = "gnu:";
/// The suffix of the names of failed instructions.
const FAILED: &str = "(fail)";

/// The error for a name that denotes no event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no event: expected `steps`, `head_unifications`, `nargs`, `giunif`, `gounif`, `viunif`, `vounif`, `single_calls`, `list_calls`, `searches`, `first_searches`, `lookups`, `switches`, `tries`, `retries`, `mismatches`, `trailed`, `cuts`, `conditions`, `test_conditions`, `negations`, `disjunctions`, `continuations`, `body_arguments`, `body_symbols`, `body_variables`, `increments`, `closures`, `captured`, `lambdas`, `lambda_symbols`, `global_cells`, `literals`, `work`, `inferences`, a built-in such as `is/2`, an arithmetic function such as `op(+/2)`, or an instruction such as `get_list`, of PPDP'08 such as `ppdp08:get_list` or `ppdp08:get_value(fail)`, of SWI-Prolog such as `swi:H_LIST` or, with its flag `-O`, `swi-O:A_ADD`, or of GNU Prolog such as `gnu:get_list`"
)]
pub struct NoEvent(pub String);

impl FromStr for Event {
    type Err = NoEvent;

    fn from_str(text: &str) -> Result<Self, NoEvent> {
        let text = text.trim();
        if let Some(event) = Event::words().find(|e| e.word() == Some(text)) {
            return Ok(event.clone());
        }
        if let Some(name) = text.strip_prefix(PPDP08) {
            let (name, failed) = match name.strip_suffix(FAILED) {
                Some(name) => (name, true),
                None => (name, false),
            };
            return Instruction::parse(name)
                .map(|i| Event::Ppdp08(i, failed))
                .ok_or_else(|| NoEvent(text.to_owned()));
        }
        for (prefix, optimised) in [(SWI, false), (SWI_OPTIMISED, true)] {
            if let Some(name) = text.strip_prefix(prefix) {
                let opcode = Opcode::ALL.iter().find(|o| o.name() == name);
                return opcode
                    .map(|&opcode| Event::Swi(opcode, optimised))
                    .ok_or_else(|| NoEvent(text.to_owned()));
            }
        }
        if let Some(name) = text.strip_prefix(GNU) {
            let opcode = GnuOpcode::parse(name).map(Event::Gnu);
            return opcode.ok_or_else(|| NoEvent(text.to_owned()));
        }
        let (name, failed) = match text.strip_suffix(FAILED) {
            Some(name) => (name, true),
            None => (text, false),
        };
        if is_counted(name, failed) {
            return Ok(Event::Machine(name.into(), failed));
        }
        let indicator = |text: &str| -> Option<(SmolStr, usize)> {
            let (name, arity) = text.rsplit_once('/')?;
            let arity = arity.parse().ok()?;
            (!name.is_empty()).then(|| (name.into(), arity))
        };
        let inside = |of: &str| text.strip_prefix(of).and_then(|t| t.strip_suffix(')'));
        if let Some(inner) = inside("own(") {
            let of = |part: OwnPart| Some((inner.strip_suffix(part.suffix())?, part));
            let [stated, others @ ..] = OwnPart::ALL;
            let named = others.into_iter().find_map(of).or_else(|| of(stated));
            return match named {
                Some((name, part)) if !name.is_empty() => Ok(Event::Own(name.into(), part)),
                _ => Err(NoEvent(text.to_owned())),
            };
        }
        let operator = inside("op(").and_then(indicator);
        let work = inside("work(").and_then(indicator);
        operator
            .map(|(name, arity)| Event::Operator(name, arity))
            .or_else(|| work.map(|(name, arity)| Event::Work(name, arity)))
            .or_else(|| indicator(text).map(|(name, arity)| Event::Builtin(name, arity)))
            .ok_or_else(|| NoEvent(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        let more = [
            "is/2",
            "get_list",
            "get_list(fail)",
            "unify_value(fail)",
            "arith(sqrt/1)",
            "choice_points",
            "op(+/2)",
            "=../2",
            "op(///2)",
            "work(=../2)",
            "//2",
            "op(-/1)",
            "=</2",
            "ppdp08:get_list",
            "ppdp08:get_value(fail)",
            "swi:H_LIST",
            "swi-O:A_ADD",
            "gnu:get_list",
            "gnu:call_c(Pl_Fct_Add)",
            "own(bits)",
            "own(bits,heads)",
            "own(bits,literals)",
        ];
        for text in Event::words().filter_map(Event::word).chain(more) {
            let event: Event = text.parse().unwrap();
            assert_eq!(event.to_string(), text);
        }
        assert_eq!(
            "op(///2)".parse(),
            Ok(Event::Operator("//".into(), 2)),
            "a slash in a name"
        );
        for wrong in [
            "",
            "step",
            "op(+)",
            "is",
            "is/x",
            "/2",
            "op(/2)",
            "ppdp08:get",
            "swi:H_GET",
            "gnu:get",
            "gnu:call_c",
        ] {
            assert!(Event::from_str(wrong).is_err(), "{wrong}");
        }
    }
}
