//! Reports on predicates: plain data without positions, for `ide` to present.

use std::collections::BTreeMap;

use costlens_algebra::growth::growth;
use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_program::SourceFile;
use costlens_syntax::term::TermId;
use num_bigint::BigInt;

use crate::lattice::types::{Metric, Pattern, Type};

pub use costlens_program::Functor;

/// Everything known of one predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateReport {
    /// The predicate.
    pub predicate: Functor,
    /// One entry for each pattern, the most expected one first.
    pub patterns: Vec<PatternReport>,
}

impl PredicateReport {
    /// Returns the pattern that a single line about the predicate describes: the first one. If a declaration leaves types open (`%!
    /// len(+Xs, -N)`) and its calls have no upper bound, this is the guess from the clauses within that declaration, which is marked as a
    /// guess.
    #[must_use]
    pub fn telling(&self) -> Option<&PatternReport> {
        let first = self.patterns.first()?;
        let kind = |report: &PatternReport| report.main_piece().map(|piece| piece.kind);
        if first.origin != Origin::Declared || kind(first) != Some(PieceKind::Unknown) {
            return Some(first);
        }
        let guess = self.patterns.iter().find(|report| {
            report.origin == Origin::Inferred
                && report.pattern.is_within(&first.pattern)
                && kind(report) == Some(PieceKind::Bounded)
        });
        Some(guess.unwrap_or(first))
    }

    /// Returns the pattern that a statement about the predicate refers to if it does not specify calls: the first declared one, else the
    /// first one.
    #[must_use]
    pub fn stated(&self) -> Option<&PatternReport> {
        let declared = |report: &&PatternReport| report.origin == Origin::Declared;
        self.patterns
            .iter()
            .find(declared)
            .or_else(|| self.patterns.first())
    }
}

/// The origin of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// `:- pred` or PlDoc modes.
    Declared,
    /// `:- entry`.
    Entry,
    /// A call seen in the program.
    Called,
    /// Guessed from how the clauses use their arguments.
    Inferred,
}

/// The number of solutions of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Determinism {
    /// Exactly one.
    Det,
    /// At most one.
    Semidet,
    /// At least one.
    Multi,
    /// Any number.
    Nondet,
    /// None.
    Failure,
}

/// A size that bounds may mention.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SizeVariable {
    /// The variable in expressions and regions.
    pub var: Var,
    /// The argument that it measures, from 1.
    pub argument: usize,
    /// The metric.
    pub metric: Metric,
    /// True if it is the size of the largest element, not of the argument itself.
    pub element: bool,
    /// Its name in printed bounds: n, m, k, …
    pub name: String,
}

/// A bound on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Proved.
    Finite(Expr),
    /// Every such call is proved to run forever.
    Infinite,
    /// Nothing proved; [`PatternReport::unknown`] says why. As a lower bound, 0 is always proved.
    Unknown,
}

/// Lower and upper bound of one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// At most the cost of any run that does not end in an exception.
    pub lower: Bound,
    /// At least the cost of any run.
    pub upper: Bound,
}

/// The kind of bound on a region of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// The upper bound is finite.
    Bounded,
    /// The call fails without entering a clause.
    Failure,
    /// The call is proved to run forever.
    Diverges,
    /// No upper bound was proved.
    Unknown,
}

/// Bounds for the sizes of one region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The sizes, over the pattern's size variables.
    pub when: Region,
    /// Up to the first solution, failure or exception.
    pub first: Interval,
    /// Over all solutions.
    pub all: Interval,
    /// The number of solutions.
    pub solutions: Interval,
    /// The kind of bound.
    pub kind: PieceKind,
}

/// Returns whether a size has an upper limit in a region and no lower one: `n` for n <= -1.
#[must_use]
pub fn falls(size: Var, when: &Region) -> bool {
    let (least, most) = when.bounds(&Expr::var(size));
    least.is_none() && most.is_some()
}

impl Piece {
    /// Returns the safe envelope, however many solutions the caller requests: `first.lower` to `all.upper`.
    #[must_use]
    pub fn envelope(&self) -> (&Bound, &Bound) {
        (&self.first.lower, &self.all.upper)
    }

    /// Returns whether the upper bound is missing or infinite, or grows with a size that has no upper limit in the region, or grows as an
    /// integer without a lower limit decreases: `2-n` for n <= -1.
    #[must_use]
    pub fn grows(&self) -> bool {
        let Bound::Finite(upper) = &self.all.upper else {
            return true;
        };
        let is_limited = |var: &Var| self.when.bounds(&Expr::var(*var)).1.is_some();
        if !upper.variables().iter().all(is_limited) {
            return true;
        }
        let falling = self.falling(upper);
        !falling.is_empty()
            && self.upper_in_magnitudes().is_none_or(|upper| {
                let growth = growth(&upper);
                let mut monomials = growth.monomials().iter();
                monomials.any(|m| m.variables().any(|v| falling.contains_key(&v)))
            })
    }

    /// Returns the upper bound as an expression that grows with its sizes: if an integer only decreases in the region, `n` is its absolute
    /// value. `2-n` becomes `n+2` for n <= -1. Returns `None` if there is no upper bound, or if rounded parts depend on such an integer.
    #[must_use]
    pub fn upper_in_magnitudes(&self) -> Option<Expr> {
        let Bound::Finite(upper) = &self.all.upper else {
            return None;
        };
        let falling = self.falling(upper);
        let is_of_falling = |v: &Var| falling.contains_key(v);
        let mut atoms = upper.terms().flat_map(|(m, _)| m.all_atoms());
        if atoms.any(|atom| atom.argument().variables().iter().any(is_of_falling)) {
            return None;
        }
        upper.substitute(&falling)
    }

    /// Returns the variables of an expression that have an upper limit in the region and no lower one, each with its replacement.
    fn falling(&self, e: &Expr) -> BTreeMap<Var, Expr> {
        (e.variables().into_iter().filter(|&v| falls(v, &self.when)))
            .map(|v| (v, -&Expr::var(v)))
            .collect()
    }

    /// Returns whether it is proved that no call succeeds.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.kind == PieceKind::Failure || self.solutions.upper == Bound::Finite(Expr::zero())
    }
}

/// The reason why nothing except the lower bound shows the growth of an exponential upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyLoose {
    /// Runs on small inputs ended, and their cost does not grow exponentially.
    NoGrowth,
    /// Runs on small inputs were cut off before they could show it.
    CutOff,
    /// There were no runs.
    NotRun,
}

/// The bounds that a single line states: they hold for every call of the pattern, with named exceptions.
///
/// Its upper bound is missing, unknown or infinite, as soon as some region that the pattern admits has none. In that case `bounded` has the
/// bounds of the other regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// True if they are those of the main piece, and are stated for its sizes alone.
    pub conditional: bool,
    /// The pieces that they do not hold for: a size is small in them, or an integer negative, and the cost is finite.
    pub except: Vec<usize>,
    /// The reason why the upper bound may be loose: it is exponential, the lower bound is not, and no run shows such growth. It is only set
    /// by code that can run the program.
    pub loose: Option<WhyLoose>,
    /// Up to the first solution, failure or exception.
    pub first: Interval,
    /// Over all solutions.
    pub all: Interval,
    /// The regions that have upper bounds, if others have none.
    pub bounded: Option<Box<BoundedRegions>>,
}

/// The regions of a pattern that have upper bounds, if others have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundedRegions {
    /// The pieces.
    pub pieces: Vec<usize>,
    /// True if the main piece is one of them.
    pub has_main: bool,
    /// The one of them whose bounds are stated if no bound holds on all of them.
    pub only: Option<usize>,
    /// The exceptions among them, as for [`Headline::except`].
    pub except: Vec<usize>,
    /// Up to the first solution, failure or exception.
    pub first: Interval,
    /// Over all solutions. The upper bound is infinite if every successful call diverges when more solutions are requested.
    pub all: Interval,
}

impl Headline {
    /// Returns the headline of unknown calls.
    #[must_use]
    pub fn unknown() -> Self {
        let unknown = Interval {
            lower: Bound::Finite(Expr::zero()),
            upper: Bound::Unknown,
        };
        Self {
            conditional: false,
            except: Vec::new(),
            loose: None,
            first: unknown.clone(),
            all: unknown,
            bounded: None,
        }
    }

    /// Returns the safe envelope, however many solutions the caller requests: `first.lower` to `all.upper`.
    #[must_use]
    pub fn envelope(&self) -> (&Bound, &Bound) {
        (&self.first.lower, &self.all.upper)
    }

    /// Returns lower and upper bound in the normal case: of all calls, or of those with an upper bound if not all have one and the normal
    /// case is among them.
    #[must_use]
    pub fn where_bounded(&self) -> (&Bound, &Bound) {
        match &self.bounded {
            Some(regions) if regions.has_main => regions.envelope(),
            _ => self.envelope(),
        }
    }

    /// Returns the kind of bound.
    #[must_use]
    pub fn kind(&self) -> PieceKind {
        match self.envelope() {
            (Bound::Infinite, _) | (_, Bound::Infinite) => PieceKind::Diverges,
            (_, Bound::Unknown) => PieceKind::Unknown,
            (_, Bound::Finite(_)) => PieceKind::Bounded,
        }
    }
}

impl BoundedRegions {
    /// Returns the safe envelope, however many solutions the caller requests: `first.lower` to `all.upper`.
    #[must_use]
    pub fn envelope(&self) -> (&Bound, &Bound) {
        (&self.first.lower, &self.all.upper)
    }
}

/// The size of an argument on success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputSize {
    /// The argument, from 1.
    pub argument: usize,
    /// How it is measured.
    pub metric: Metric,
    /// At most the size, wherever the headline holds.
    pub lower: Option<Expr>,
    /// At least the size, wherever the headline holds.
    pub upper: Option<Expr>,
}

/// A trusted assertion, identified independently of its position in the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TrustLine {
    /// The file that contains it.
    pub home: SourceFile,
    /// The predicate that it is about, under its name in that file.
    pub predicate: Functor,
    /// Its number among the file's assertions about the predicate, from 0.
    pub ordinal: usize,
}

/// One side of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The lower bound.
    Lower,
    /// The upper bound.
    Upper,
}

/// The reason why a bound is unknown: the root cause, not the last place that it reached.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unknown {
    /// The side.
    pub side: Side,
    /// True if more fuel could help; otherwise more fuel cannot help.
    pub fuel: bool,
    /// The reason: a sentence without the name of the cause in front.
    pub reason: String,
    /// The predicate where it arises.
    pub cause: Functor,
    /// The file of that predicate; `None` for the file of the report.
    pub home: Option<SourceFile>,
    /// The clause and literal in it: index of the clause in its predicate, id of the literal in the clause's terms.
    pub literal: Option<(usize, costlens_syntax::term::TermId)>,
    /// Advice for the user.
    pub help: String,
    /// True if narrower types of the arguments of the call would help.
    pub types_help: bool,
    /// The types to declare for the arguments of the reported predicate, if they give a bound or are likely to.
    pub declare: Option<Pattern>,
    /// The unknown predicate, if that is the reason.
    pub missing: Option<Functor>,
}

/// The beginning of the reason if text that may be a clause of the predicate could not be read.
const INCOMPLETE: &str = "incomplete: line ";

/// Returns the reason if text that may be a clause of the predicate could not be read: `incomplete: line 14 could not be read`. For another
/// file, its name follows the line.
#[must_use]
pub fn incomplete(line: usize, of: &str) -> String {
    format!("{INCOMPLETE}{line}{of} could not be read")
}

impl Unknown {
    /// Returns whether a recursion is the cause, which only the author of the code can change.
    #[must_use]
    pub fn is_recursion(&self) -> bool {
        self.reason.contains("calls itself")
    }

    /// Returns `incomplete: line 14 could not be read` if that is the reason, for this predicate or one that it calls.
    #[must_use]
    pub fn incomplete(&self) -> Option<&str> {
        self.reason.get(self.reason.find(INCOMPLETE)?..)
    }
}

/// The derivation of a bound, as text for `explain` and hovers; sizes appear under their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The meaning of each size, and the origin of the pattern.
    pub pattern: Vec<String>,
    /// The clauses that run in each case, and the conditions of the cases.
    pub cases: Vec<String>,
    /// Output sizes and solutions.
    pub sizes: Vec<String>,
    /// The equations of the upper bound, in mathematical notation.
    pub equations: Vec<String>,
    /// The equations of the lower bound, if the bounds differ.
    pub lower_equations: Vec<String>,
    /// The solution, or the reason why there is none.
    pub solution: Vec<String>,
    /// How the bounds were found. Only the verification makes them bounds.
    pub method: Vec<String>,
    /// How the solution was verified.
    pub verification: Vec<String>,
}

/// The derivation of the bounds of a predicate under one pattern, and the contributions of the calls in its clauses. Computed on request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakdown {
    /// The calls of predicates, in the order of the clauses; a clause that never runs under the pattern has none.
    pub literals: Vec<LiteralCost>,
    /// An upper bound on the steps that enter clauses of the predicate itself and of those in its recursive component.
    pub entries: Vec<(Region, Expr)>,
    /// An upper bound on the steps of calls from the other predicates of the recursion to predicates outside of it.
    pub elsewhere: Vec<(Region, Expr)>,
    /// The derivation of the bounds.
    pub explanation: Explanation,
    /// Upper bounds at small sizes, if some have no closed form.
    pub evaluated: Option<Evaluated>,
}

/// Upper bounds at sizes that are numbers, from the equations alone: they are not claimed to be the values of a function. They are proved
/// like every bound, never counted in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluated {
    /// The sizes that the bound depends on.
    pub sizes: Vec<SizeVariable>,
    /// The points, in ascending order.
    pub points: Vec<EvaluatedPoint>,
}

/// The upper bound at given sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatedPoint {
    /// One for each of [`Evaluated::sizes`].
    pub sizes: Vec<i64>,
    /// The maximum number of steps of calls of these sizes, over all solutions and up to the first.
    pub all: BigInt,
    /// The maximum number of steps of calls of these sizes to the first solution, failure or exception.
    pub first: BigInt,
}

/// A call in a body: the cost of one such call, and how much of the predicate's bound is spent in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralCost {
    /// The index of the clause in its predicate.
    pub clause: usize,
    /// The goal in the clause's terms.
    pub literal: TermId,
    /// The callee.
    pub callee: Functor,
    /// The types of the arguments at the call.
    pub pattern: Pattern,
    /// True if the callee calls the predicate back.
    pub recursive: bool,
    /// The cost of one call.
    pub cases: Vec<LiteralCase>,
    /// An upper bound on the steps of all calls that this literal makes while the predicate runs, including recursion; only for callees
    /// that do not call back.
    pub total: Vec<(Region, Expr)>,
}

/// One call for some sizes of the calling predicate; everything is expressed in these sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralCase {
    /// The sizes for which it holds.
    pub when: Region,
    /// The sizes of the callee's arguments that its cost may depend on.
    pub sizes: Vec<ArgumentSize>,
    /// From the steps to the first solution to those over all solutions.
    pub steps: Interval,
}

/// The size of an argument of a call, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentSize {
    /// The argument, from 1.
    pub argument: usize,
    /// How it is measured.
    pub metric: Metric,
    /// At most the size.
    pub lower: Option<Expr>,
    /// At least the size.
    pub upper: Option<Expr>,
}

/// Bounds of a predicate under one call pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternReport {
    /// The types of the arguments.
    pub pattern: Pattern,
    /// The least integers that arguments are declared to be (`nat`: 0), from the first argument. The whole report is about such calls.
    pub least: Vec<Option<i64>>,
    /// The origin of the pattern.
    pub origin: Origin,
    /// The number of solutions.
    pub determinism: Determinism,
    /// True if an exception is possible for the pattern.
    pub errors_possible: bool,
    /// The sizes that bounds mention.
    pub sizes: Vec<SizeVariable>,
    /// Sizes on success.
    pub outputs: Vec<OutputSize>,
    /// The number of solutions, wherever the headline holds.
    pub solutions: Interval,
    /// The bounds that a single line states.
    pub headline: Headline,
    /// Resolution steps, on regions that cover every admitted size and do not overlap.
    pub steps: Vec<Piece>,
    /// The index of the piece that a user would call the normal case.
    pub main: usize,
    /// The trust lines that the bounds rest on.
    pub rests_on: Vec<TrustLine>,
    /// The reasons why bounds are unknown.
    pub unknown: Vec<Unknown>,
    /// The condition under which the upper bounds hold.
    pub condition: Option<Condition>,
    /// The reason why the error of a time may be larger than usual.
    pub wider: Option<Wider>,
}

/// A condition on runs that bounds may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All integers fit a machine word. This is a condition of a time if it is not proved: arithmetic on larger integers takes longer the
    /// larger they are.
    Words,
}

impl Condition {
    /// Returns the condition as it follows a bound: `for integers below 2⁶³`.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Condition::Words => "for integers below 2⁶³",
        }
    }

    /// Returns its name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Condition::Words => "integers < 2^63",
        }
    }

    /// Returns the condition of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Condition::Words].into_iter().find(|c| c.name() == name)
    }
}

/// A reason why the error of a time may exceed that of nine in ten others: a kind of program that no event distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wider {
    /// Clauses are tried one after the other with the first argument unbound.
    UnboundSearch,
    /// At least three predicates take part, and native code is sensitive to its placement in memory.
    SeveralPredicates,
}

impl Wider {
    /// Returns the factor by which the error is greater, times 4.
    #[must_use]
    pub fn quarters(self) -> u32 {
        match self {
            Wider::UnboundSearch | Wider::SeveralPredicates => 5,
        }
    }

    /// Returns the reason as it follows a time.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Wider::UnboundSearch => "wider since clauses are tried with argument 1 unbound",
            Wider::SeveralPredicates => "wider since several predicates take part",
        }
    }
}

impl PatternReport {
    /// Returns the name of the type of an argument, from 0: `nat` for integers that are declared nonnegative.
    #[must_use]
    pub fn type_name(&self, argument: usize) -> String {
        let ty = self.pattern.0.get(argument);
        match (ty, self.least.get(argument).copied().flatten()) {
            (Some(Type::Int), Some(0)) => "nat".to_owned(),
            (Some(Type::Int), Some(1)) => "positive_integer".to_owned(),
            (ty, _) => ty.map_or_else(String::new, ToString::to_string),
        }
    }

    /// Returns the main piece.
    #[must_use]
    pub fn main_piece(&self) -> Option<&Piece> {
        self.steps.get(self.main)
    }
}
