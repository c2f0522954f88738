//! The result of compilation: the code of clauses, and the index that selects the clauses that may match a call.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use costlens_syntax::term::TermId;
use smol_str::SmolStr;

use super::constant::Constant;
use super::instruction::{Instruction, StructureName};

/// The code of one clause.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ClauseCode {
    /// The instructions; labels are indices into this list. The code starts with all arguments in `A0 …` and ends, on every path, in
    /// `proceed`, `execute` or `fail`.
    pub instructions: Vec<Instruction>,
    /// The part of the clause to which each instruction in `instructions` belongs.
    pub parts: Vec<ClausePart>,
    /// The literals of the body in text order, including those inside control constructs.
    pub literals: Vec<StructureName>,
    /// The goal of each literal, in the compiled clause. (Negations have an implicit literal `fail`.)
    pub goals: Vec<Option<TermId>>,
    /// The instructions of each head argument.
    pub arguments: Vec<Range<usize>>,
    /// The term that an instruction unifies with an existing term: the list for `get_list`, the variable for `unify_value`. As long as
    /// `instructions`.
    pub unified: Vec<Option<TermId>>,
    /// The extents of branches and conditions of control constructs. A section whose term occurs twice in the clause is left out.
    pub sections: BTreeMap<ConstructPart, Extent>,
    /// The number of registers that the code uses: `X0 … X(registers-1)`, including the arguments of the head and of calls.
    pub registers: u32,
    /// The number of slots of the clause's environment; `None` if the clause needs no environment.
    pub slots: Option<u32>,
    /// The arity of the head.
    pub arity: usize,
    /// The index key of the head's first argument.
    pub key: IndexKey,
    /// The index key of each argument.
    pub keys: Box<[IndexKey]>,
}

/// The part of a clause to which an instruction belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClausePart {
    /// Unification of the head, and the code needed to enter the clause.
    Head,
    /// A literal, by its index in [`ClauseCode::literals`]. Instructions that prepare arguments belong to the literal that they prepare;
    /// [`ClauseCode::segments`] counts them as PPDP'08 §2 does.
    Literal(u32),
    /// Control flow: jumps, choice points of disjunctions, `deallocate`, `proceed`.
    Control,
}

/// A part of a control construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConstructPart {
    /// This condition of `( C -> A ; B )`, `\+ C` or `once(C)`.
    Condition(TermId),
    /// The goals `C, \+ A` of this `forall(C, A)`.
    ForAll(TermId),
    /// The left side of this disjunction, which has no condition.
    Left(TermId),
    /// The goal of `call/1`, if it contains a cut.
    Scope(TermId),
}

/// The extent of the code of a [`ConstructPart`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The first instruction, after those that create the choice point.
    pub start: usize,
    /// The position after the last instruction; a jump to this position is inside the section.
    pub end: usize,
    /// The start of the code that runs if the section fails: the `else`, or the right side. `None` if the clause fails.
    pub next: Option<usize>,
}

impl ClauseCode {
    /// Returns the instructions from the beginning up to the first call, then from each call up to the next call: *E(C,H)*, *E(C,L₁)*, … of
    /// PPDP'08 §2. The preparation of arguments therefore counts once per success of the preceding literal, since it is not repeated when a
    /// call is retried. Applies only to clauses without control constructs.
    pub fn segments(&self) -> impl Iterator<Item = &[Instruction]> {
        let mut starts: Vec<usize> = vec![0];
        starts.extend(
            self.instructions
                .iter()
                .enumerate()
                .filter(|(_, i)| matches!(i, Instruction::Call(..) | Instruction::Execute(_)))
                .map(|(at, _)| at),
        );
        starts.push(self.instructions.len());
        let spans: Vec<(usize, usize)> = starts.windows(2).map(|w| (w[0], w[1])).collect();
        spans
            .into_iter()
            .map(|(start, end)| &self.instructions[start..end])
    }
}

/// Formats one instruction per line, numbered.
impl fmt::Display for ClauseCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, instruction) in self.instructions.iter().enumerate() {
            writeln!(f, "{at:>4}  {instruction}")?;
        }
        Ok(())
    }
}

/// The index key of a head argument: its requirement on a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub enum IndexKey {
    /// No requirement: a variable, or no argument.
    #[default]
    Any,
    /// This constant, or an unbound variable.
    Constant(Constant),
    /// A list cell, or an unbound variable.
    List,
    /// A compound of this name and arity, or an unbound variable.
    Structure(SmolStr, usize),
}

/// The clauses of a predicate and the index over their first arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateCode {
    /// Name and arity.
    pub functor: StructureName,
    /// The clauses in the order of the program.
    pub clauses: Vec<ClauseCode>,
    /// The index that determines which clauses a call tries.
    pub index: ClauseIndex,
    /// With [`Indexing::AllArguments`], if an argument other than the first is more selective: the arguments that a call checks in this
    /// order, up to the first bound argument, each with its index. If all of them are unbound, all clauses are tried. In all other cases,
    /// this list is empty and [`PredicateCode::index`] applies.
    pub arguments: Box<[ArgumentIndex]>,
    /// True if the clauses are single-sided rules (`=>`), so that a call that matches no clause throws an error.
    pub single_sided: bool,
}

/// The arguments of a call that select clauses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Indexing {
    /// The first argument, as in PPDP'08 §5.1 and in the analysis.
    #[default]
    FirstArgument,
    /// The bound argument that leaves the fewest clauses.
    AllArguments,
}

/// The index over one of the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentIndex {
    /// The argument's index, from 0.
    pub argument: usize,
    /// The clause index; never [`ClauseIndex::Linear`].
    pub index: ClauseIndex,
}

/// Clauses, by number, in order. A call tries them in this order: `try`, `retry`, …, `trust`. A chain with one clause needs no choice
/// point; an empty chain fails.
pub type Chain = Box<[u32]>;

/// The index over the first argument of a call: `switch_on_term`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClauseIndex {
    /// All clauses, regardless of the argument.
    Linear,
    /// Clauses by the kind of the (dereferenced) first argument.
    Switch {
        /// All clauses, for an unbound argument.
        variable: Chain,
        /// The clauses for a list cell.
        list: Chain,
        /// The clauses for each constant that occurs in the clauses, sorted: `switch_on_constant`.
        constants: Box<[(Constant, Chain)]>,
        /// The clauses for each functor that occurs in the clauses, sorted: `switch_on_structure`.
        structures: Box<[(StructureName, Chain)]>,
        /// The clauses for any other term: those that do not restrict the argument.
        other: Chain,
    },
}
