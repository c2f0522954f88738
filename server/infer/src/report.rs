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
    /// Which predicate.
    pub predicate: Functor,
    /// One entry for each pattern, the one a user would expect first in front.
    pub patterns: Vec<PatternReport>,
}

impl PredicateReport {
    /// The pattern that a single line about the predicate speaks of: the first one. Where a declaration leaves types open
    /// (`%! len(+Xs, -N)`) and so much is known of its calls only that they have no upper bound, it is the guess that the
    /// clauses suggest within it, which is told to be one.
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

    /// The pattern that a statement about the predicate speaks of, where it does not say of which calls: the first one that is declared, else the
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

/// Where a pattern comes from.
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

/// How many solutions a call has.
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
    /// How it measures.
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
    /// Every such call runs for ever: proved.
    Infinite,
    /// Nothing proved; [`PatternReport::unknown`] says why. As a lower bound, 0 is always proved.
    Unknown,
}

/// Lower and upper bound of one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Never more than any run that does not end in an exception.
    pub lower: Bound,
    /// Never less than any run.
    pub upper: Bound,
}

/// The kind of bound on a region of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// The upper bound is finite.
    Bounded,
    /// The call fails without a clause being entered.
    Failure,
    /// The call runs for ever: proved.
    Diverges,
    /// No upper bound was proved.
    Unknown,
}

/// Bounds for the sizes of one region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The sizes, over the pattern's size variables.
    pub when: Region,
    /// Up to the first solution, the failure or the exception.
    pub first: Interval,
    /// Over all solutions.
    pub all: Interval,
    /// The number of solutions.
    pub solutions: Interval,
    /// In a word.
    pub kind: PieceKind,
}

/// Returns whether a size has an upper limit in a region and no lower one: `n` for n <= -1.
#[must_use]
pub fn falls(size: Var, when: &Region) -> bool {
    let (least, most) = when.bounds(&Expr::var(size));
    least.is_none() && most.is_some()
}

impl Piece {
    /// The safe envelope, whatever the caller does: `first.lower` to `all.upper`.
    #[must_use]
    pub fn envelope(&self) -> (&Bound, &Bound) {
        (&self.first.lower, &self.all.upper)
    }

    /// True if the upper bound is none, infinite, or grows with a size that has no upper limit in the region, or with how far below 0 an integer is
    /// that has no lower one: `2-n` for n <= -1.
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

    /// The upper bound as an expression that grows with its sizes: where an integer only goes down in the region, `n` is how far. `2-n` becomes `n+2`
    /// for n <= -1. `None` if there is none, or rounded parts depend on such an integer.
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

    /// The variables of an expression that have an upper limit in the region and no lower one, each with what stands for it.
    fn falling(&self, e: &Expr) -> BTreeMap<Var, Expr> {
        (e.variables().into_iter().filter(|&v| falls(v, &self.when)))
            .map(|v| (v, -&Expr::var(v)))
            .collect()
    }

    /// True where no call succeeds: proved.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.kind == PieceKind::Failure || self.solutions.upper == Bound::Finite(Expr::zero())
    }
}

/// Why nothing beside the lower bound shows the growth of an exponential upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyLoose {
    /// Runs on small inputs ended, and do not grow like that.
    NoGrowth,
    /// Runs on small inputs were cut off before they could show it.
    CutOff,
    /// There were no runs.
    NotRun,
}

/// The bounds that a single line states: they hold for every call of the pattern, except for what is named.
///
/// Its upper bound is missing, unknown or infinite, as soon as some region that the pattern admits has none. Then `bounded` has the bounds of the
/// other regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// True where they are those of the main piece, and are stated of its sizes alone.
    pub conditional: bool,
    /// The pieces that they do not hold on: some size is small there, or a negative integer, and the cost is finite.
    pub except: Vec<usize>,
    /// Why the upper bound may be loose, where it is exponential, the lower bound is not, and no run shows such growth. Only who can run the program
    /// says so.
    pub loose: Option<WhyLoose>,
    /// Up to the first solution, the failure or the exception.
    pub first: Interval,
    /// Over all solutions.
    pub all: Interval,
    /// The regions that have upper bounds, where others have none.
    pub bounded: Option<Box<BoundedRegions>>,
}

/// The regions of a pattern that have upper bounds, where others have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundedRegions {
    /// The pieces.
    pub pieces: Vec<usize>,
    /// True where the main piece is one of them.
    pub has_main: bool,
    /// The one of them whose bounds are stated where no bound holds on all of them.
    pub only: Option<usize>,
    /// Those of them that the bounds do not hold on, as for [`Headline::except`].
    pub except: Vec<usize>,
    /// Up to the first solution, the failure or the exception.
    pub first: Interval,
    /// Over all solutions. The upper bound is infinite where every call that succeeds diverges when it is asked for more.
    pub all: Interval,
}

impl Headline {
    /// The headline of calls of which nothing is known.
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

    /// The safe envelope, whatever the caller does: `first.lower` to `all.upper`.
    #[must_use]
    pub fn envelope(&self) -> (&Bound, &Bound) {
        (&self.first.lower, &self.all.upper)
    }

    /// Lower and upper bound in the normal case: of all calls, or if not all have an upper bound and the normal case has one, of those that have.
    #[must_use]
    pub fn where_bounded(&self) -> (&Bound, &Bound) {
        match &self.bounded {
            Some(regions) if regions.has_main => regions.envelope(),
            _ => self.envelope(),
        }
    }

    /// In a word.
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
    /// The safe envelope, whatever the caller does: `first.lower` to `all.upper`.
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
    /// Not more than the size, wherever the headline holds.
    pub lower: Option<Expr>,
    /// Not less than the size, wherever the headline holds.
    pub upper: Option<Expr>,
}

/// An assertion that is trusted, wherever it stands in its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TrustLine {
    /// The file that has it.
    pub home: SourceFile,
    /// The predicate that it is about, as that file calls it.
    pub predicate: Functor,
    /// Its number among the file's assertions about the predicate, from 0.
    pub ordinal: usize,
}

/// Which side of a bound is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The lower bound.
    Lower,
    /// The upper bound.
    Upper,
}

/// Why a bound is unknown: the root cause, not the last place that it reached.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unknown {
    /// Which side.
    pub side: Side,
    /// True if more fuel could help; else the reason is one of principle.
    pub fuel: bool,
    /// The reason, a sentence without the cause's name in front.
    pub reason: String,
    /// The predicate where it arises.
    pub cause: Functor,
    /// The file of that predicate; none for the file that the report is of.
    pub home: Option<SourceFile>,
    /// The clause and literal there: index of the clause in its predicate, id of the literal in the clause's terms.
    pub literal: Option<(usize, costlens_syntax::term::TermId)>,
    /// Advice for the user.
    pub help: String,
    /// True if narrower types of the arguments of the call would help.
    pub types_help: bool,
    /// The types to declare for the arguments of the predicate that the report is of, where that gives a bound or is likely to.
    pub declare: Option<Pattern>,
    /// The predicate of which nothing is known, where that is the reason.
    pub missing: Option<Functor>,
}

/// The beginning of the reason where text could not be read that may be a clause of the predicate.
const INCOMPLETE: &str = "incomplete: line ";

/// The reason where text could not be read that may be a clause of the predicate: `incomplete: line 14 could not be read`. Of another file, its
/// name stands behind the line.
#[must_use]
pub fn incomplete(line: usize, of: &str) -> String {
    format!("{INCOMPLETE}{line}{of} could not be read")
}

impl Unknown {
    /// True where a recursion is to blame, which only whoever wrote it can change.
    #[must_use]
    pub fn is_recursion(&self) -> bool {
        self.reason.contains("calls itself")
    }

    /// `incomplete: line 14 could not be read` where that is the reason, of this predicate or of one that it calls.
    #[must_use]
    pub fn incomplete(&self) -> Option<&str> {
        self.reason.get(self.reason.find(INCOMPLETE)?..)
    }
}

/// How a bound came about, as text for `explain` and hovers; sizes appear under their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The meaning of each size, and the origin of the pattern.
    pub pattern: Vec<String>,
    /// Which clauses run where, and what decides it.
    pub cases: Vec<String>,
    /// Output sizes and solutions.
    pub sizes: Vec<String>,
    /// The equations of the upper bound, in mathematical notation.
    pub equations: Vec<String>,
    /// Those of the lower bound, where the bounds differ.
    pub lower_equations: Vec<String>,
    /// The solution, or the reason why there is none.
    pub solution: Vec<String>,
    /// How the bounds were found; however that was, only the verification makes them bounds.
    pub method: Vec<String>,
    /// How the solution was verified.
    pub verification: Vec<String>,
}

/// How the bounds of a predicate under one pattern came about, and what the calls in its clauses contribute. Computed when asked
/// for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakdown {
    /// The calls of predicates, in the order of the clauses; a clause that never runs under the pattern has none.
    pub literals: Vec<LiteralCost>,
    /// An upper bound on the steps that enter clauses of the predicate itself and of those that it is recursive with.
    pub entries: Vec<(Region, Expr)>,
    /// An upper bound on the steps of what the other predicates of the recursion call outside of it.
    pub elsewhere: Vec<(Region, Expr)>,
    /// How the bounds came about.
    pub explanation: Explanation,
    /// Upper bounds at small sizes, where there is no closed form for some.
    pub evaluated: Option<Evaluated>,
}

/// Upper bounds at sizes that are numbers, from the equations alone: no function is claimed that they are the values of. They are proved
/// as every bound is, never counted in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluated {
    /// The sizes that the bound depends on.
    pub sizes: Vec<SizeVariable>,
    /// In ascending order.
    pub points: Vec<EvaluatedPoint>,
}

/// The upper bound at given sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatedPoint {
    /// One for each of [`Evaluated::sizes`].
    pub sizes: Vec<i64>,
    /// No call of these sizes takes more steps, over all solutions and up to the first.
    pub all: BigInt,
    /// No call of these sizes takes more steps to its first solution, its failure or its exception.
    pub first: BigInt,
}

/// A call in a body: what one such call costs, and how much of the predicate's bound is spent there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralCost {
    /// The index of the clause in its predicate.
    pub clause: usize,
    /// The goal in the clause's terms.
    pub literal: TermId,
    /// Whom it calls.
    pub callee: Functor,
    /// The types of the arguments there.
    pub pattern: Pattern,
    /// True if the callee calls back.
    pub recursive: bool,
    /// The cost of one call.
    pub cases: Vec<LiteralCase>,
    /// An upper bound on the steps of all calls that this literal makes while the predicate runs, recursion included; only for
    /// callees that do not call back.
    pub total: Vec<(Region, Expr)>,
}

/// One call for some sizes of the calling predicate; everything is in these sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralCase {
    /// Where it holds.
    pub when: Region,
    /// The sizes of the callee's arguments, those on which its cost may depend.
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
    /// Not more than the size.
    pub lower: Option<Expr>,
    /// Not less than the size.
    pub upper: Option<Expr>,
}

/// Bounds of a predicate under one call pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternReport {
    /// The types of the arguments.
    pub pattern: Pattern,
    /// The least integers that arguments are declared to be (`nat`: 0), from the first argument. All of the report is about such calls.
    pub least: Vec<Option<i64>>,
    /// Where the pattern comes from.
    pub origin: Origin,
    /// How many solutions.
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
    /// Why what is unknown is unknown.
    pub unknown: Vec<Unknown>,
    /// The condition under which the upper bounds hold.
    pub condition: Option<Condition>,
    /// The reason that a time may be further off than others.
    pub wider: Option<Wider>,
}

/// A condition on runs that bounds may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All integers fit a machine word: a time, where that is not proved. Arithmetic on larger ones takes longer the larger they are.
    Words,
}

impl Condition {
    /// The condition as it follows a bound: `for integers below 2⁶³`.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Condition::Words => "for integers below 2⁶³",
        }
    }

    /// Its name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Condition::Words => "integers < 2^63",
        }
    }

    /// The condition of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Condition::Words].into_iter().find(|c| c.name() == name)
    }
}

/// A reason that a time may be further off than nine in ten others are: a kind of program that no event tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wider {
    /// Clauses are tried one after the other with the first argument unbound.
    UnboundSearch,
    /// Three predicates or more take part, where code is native and its place in memory matters.
    SeveralPredicates,
}

impl Wider {
    /// The factor by which the error is greater, times 4.
    #[must_use]
    pub fn quarters(self) -> u32 {
        match self {
            Wider::UnboundSearch | Wider::SeveralPredicates => 5,
        }
    }

    /// The reason as it follows a time.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Wider::UnboundSearch => "wider since clauses are tried with argument 1 unbound",
            Wider::SeveralPredicates => "wider since several predicates take part",
        }
    }
}

impl PatternReport {
    /// The name of the type of an argument, from 0: `nat` for integers that are declared not to be negative.
    #[must_use]
    pub fn type_name(&self, argument: usize) -> String {
        let ty = self.pattern.0.get(argument);
        match (ty, self.least.get(argument).copied().flatten()) {
            (Some(Type::Int), Some(0)) => "nat".to_owned(),
            (Some(Type::Int), Some(1)) => "positive_integer".to_owned(),
            (ty, _) => ty.map_or_else(String::new, ToString::to_string),
        }
    }

    /// The main piece.
    #[must_use]
    pub fn main_piece(&self) -> Option<&Piece> {
        self.steps.get(self.main)
    }
}
