//! Reports on predicates: plain data without positions, displayed by `ide`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use costlens_algebra::growth::growth;
use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_program::SourceFile;
use costlens_syntax::term::TermId;
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

use crate::lattice::types::{Metric, Pattern, Type};

pub use costlens_program::Functor;

/// All results for one predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateReport {
    /// The predicate.
    pub predicate: Functor,
    /// One report per pattern, the most expected pattern first.
    pub patterns: Vec<PatternReport>,
}

impl PredicateReport {
    /// Returns the pattern that represents the predicate on a single line, which is normally the first. If a declaration leaves types open
    /// (`%! len(+Xs, -N)`) and its calls have no upper bound, it is instead the pattern inferred from the clauses within that declaration,
    /// marked as inferred.
    #[must_use]
    pub fn telling(&self) -> Option<&PatternReport> {
        let first = self.patterns.first()?;
        if first.origin != Origin::Declared || !first.lacks_bound() {
            return Some(first);
        }
        let guesses = || {
            let all = self.patterns.iter();
            all.filter(|report| {
                report.origin == Origin::Inferred && report.pattern.is_within(&first.pattern)
            })
        };
        let mut unknown = first.main_piece().into_iter().map(|piece| piece.kind);
        let needs_any = unknown.any(|kind| kind == PieceKind::Unknown);
        let of_any = |report: &&PatternReport| {
            (report.main_piece()).is_some_and(|piece| piece.kind == PieceKind::Bounded)
        };
        let guess = guesses().find(|report| !report.lacks_bound());
        let guess = guess.or_else(|| guesses().filter(|_| needs_any).find(of_any));
        Some(guess.unwrap_or(first))
    }

    /// Returns the pattern to which an assertion refers if it does not specify calls: the first declared pattern, or the first pattern if
    /// none is declared.
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
    /// Declared by `:- pred` or PlDoc modes.
    Declared,
    /// Declared by `:- entry`.
    Entry,
    /// A call in the program.
    Called,
    /// Inferred from how the clauses use their arguments.
    Inferred,
}

/// The number of solutions of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Determinism {
    /// Exactly one solution.
    Det,
    /// At most one solution.
    Semidet,
    /// At least one solution.
    Multi,
    /// Any number of solutions.
    Nondet,
    /// No solution.
    Failure,
}

/// A size that may occur in bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SizeVariable {
    /// The variable used in expressions and regions.
    pub var: Var,
    /// The number of the measured argument, from 1.
    pub argument: usize,
    /// The metric.
    pub metric: Metric,
    /// True if the size is that of the largest element, not of the argument itself.
    pub element: bool,
    /// The name in displayed bounds: n, m, k, …
    pub name: String,
}

/// The quantity that a parameter bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ParameterKind {
    /// The number of clauses of a predicate that has only facts.
    Facts,
    /// The resolution steps of one call, as far as it runs.
    Cost,
    /// The number of solutions of one call.
    Solutions,
}

/// The predicate or argument that a parameter or an assumption is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Subject {
    /// A predicate, by its name in a file.
    Predicate(SourceFile, Functor),
    /// The goal or closure that an argument (from 0) of the bounded predicate holds.
    Argument(usize),
    /// The goals or closures passed as an argument (from 0) to a predicate by its callers.
    Passed(Functor, usize),
}

/// A quantity of something named on which a bound depends.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Parameter {
    /// The quantity.
    pub kind: ParameterKind,
    /// The subject of the quantity.
    pub of: Subject,
}

impl Parameter {
    /// Returns whether the parameter may have the name of its subject: costs and facts, but not solutions.
    pub(crate) fn has_short_name(&self) -> bool {
        self.kind != ParameterKind::Solutions
    }

    /// Returns the name that texts use where it names nothing else: `par` for the facts of `par/2`.
    #[must_use]
    pub fn short_name(&self) -> String {
        match &self.of {
            Subject::Predicate(_, functor) => functor.name.to_string(),
            Subject::Argument(i) | Subject::Passed(_, i) => format!("G{}", i + 1),
        }
    }
}

/// The unambiguous name: `facts(par/2)`, `cost(G1)` for the goal that the first argument holds.
impl fmt::Display for Parameter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            ParameterKind::Facts => "facts",
            ParameterKind::Cost => "cost",
            ParameterKind::Solutions => "solutions",
        };
        match &self.of {
            Subject::Predicate(_, functor) => write!(out, "{kind}({functor})"),
            Subject::Argument(_) | Subject::Passed(..) => {
                write!(out, "{kind}({})", self.short_name())
            }
        }
    }
}

/// A parameter, with its variable in expressions and its name in texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ParameterVariable {
    /// The variable used in expressions and regions.
    pub var: Var,
    /// The parameter.
    pub parameter: Parameter,
    /// The name in displayed bounds: `par`, or `facts(par/2)` if another parameter or a size has that name.
    pub name: String,
    /// The goal for which the parameter was introduced, and the reason why nothing else is known about its cost; `None` for goals that
    /// arguments hold.
    pub why: Option<Arc<Unknown>>,
}

/// The assumed property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Claim {
    /// A call has at most one solution.
    AtMostOneSolution,
    /// A call ends, changes no term in place, and adds no clauses.
    ChangesNothing,
    /// A call changes no term in place that its caller uses.
    KeepsTerms,
    /// The assumptions of the predicate's own bounds hold.
    OwnAssumptions,
    /// The clauses run as they are written: no hook of the program expands them.
    AsWritten,
    /// Only goals in which they are written add clauses: `assertz(par(X, Y))` in a known file.
    NoOtherClauses,
}

/// An assumption on which bounds in terms of parameters rest.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ParameterAssumption {
    /// The property.
    pub claim: Claim,
    /// The subject that is assumed to have it.
    pub of: Subject,
}

/// A lower or upper bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A proved bound.
    Finite(Expr),
    /// Infinity: every such call is proved to run forever.
    Infinite,
    /// No bound is proved; [`PatternReport::unknown`] contains the reason. For lower bounds, 0 is always proved.
    Unknown,
}

/// The lower and upper bounds on a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The lower bound on the cost of every run that does not end in an exception.
    pub lower: Bound,
    /// The upper bound on the cost of every run.
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

/// Bounds for a region of sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The region, over the pattern's size variables.
    pub when: Region,
    /// The cost up to the first solution, failure or exception.
    pub first: Interval,
    /// The cost over all solutions.
    pub all: Interval,
    /// The number of solutions.
    pub solutions: Interval,
    /// The kind of bound.
    pub kind: PieceKind,
}

/// Returns whether a size has an upper limit but no lower limit in a region: `n` for n <= -1.
#[must_use]
pub fn falls(size: Var, when: &Region) -> bool {
    let (least, most) = when.bounds(&Expr::var(size));
    least.is_none() && most.is_some()
}

impl Piece {
    /// Returns the bounds that hold however many solutions the caller requests: `first.lower` to `all.upper`.
    #[must_use]
    pub fn envelope(&self) -> (&Bound, &Bound) {
        (&self.first.lower, &self.all.upper)
    }

    /// Returns whether the upper bound is missing or infinite, grows with a size that has no upper limit in the region, or grows as an
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

    /// Returns the upper bound as an expression that increases with its sizes. For an integer that only decreases in the region, `n`
    /// denotes the absolute value, so `2-n` becomes `n+2` for n <= -1. Returns `None` if there is no upper bound, or if rounded terms
    /// depend on such an integer.
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

    /// Returns the variables of an expression that have an upper but no lower limit in the region, each with its replacement.
    fn falling(&self, e: &Expr) -> BTreeMap<Var, Expr> {
        (e.variables().into_iter().filter(|&v| falls(v, &self.when)))
            .map(|v| (v, -&Expr::var(v)))
            .collect()
    }

    /// Returns whether all calls are proved to fail.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.kind == PieceKind::Failure || self.solutions.upper == Bound::Finite(Expr::zero())
    }
}

/// The reason why no evidence confirms an exponential upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyLoose {
    /// Runs on small inputs ended, and their cost does not grow exponentially.
    NoGrowth,
    /// Runs on small inputs were aborted before exponential growth could show.
    CutOff,
    /// No inputs were run.
    NotRun,
}

/// The bounds displayed on a single line: they hold for every call of the pattern, with named exceptions.
///
/// If any region admitted by the pattern lacks an upper bound, the headline's upper bound is unknown or infinite. In that case `bounded`
/// contains the bounds for the other regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// True if the bounds are those of the main piece and apply only to its sizes.
    pub conditional: bool,
    /// The pieces for which the bounds do not hold: some size in them is small, or an integer negative, and the cost is finite.
    pub except: Vec<usize>,
    /// The reason why the upper bound may be loose: it is exponential, the lower bound is not, and no run shows exponential growth. Only
    /// code that can run the program sets this field.
    pub loose: Option<WhyLoose>,
    /// The cost up to the first solution, failure or exception.
    pub first: Interval,
    /// The cost over all solutions.
    pub all: Interval,
    /// The bounds for regions that have upper bounds, if other regions have none.
    pub bounded: Option<Box<BoundedRegions>>,
}

/// The bounds for regions of a pattern that have upper bounds, if other regions have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundedRegions {
    /// The indices of the pieces.
    pub pieces: Vec<usize>,
    /// True if the main piece is among them.
    pub has_main: bool,
    /// The piece whose bounds are displayed if no bound holds on all pieces.
    pub only: Option<usize>,
    /// The exceptions among the pieces, as in [`Headline::except`].
    pub except: Vec<usize>,
    /// The cost up to the first solution, failure or exception.
    pub first: Interval,
    /// The cost over all solutions. The upper bound is infinite if every successful call diverges when more solutions are requested.
    pub all: Interval,
}

impl Headline {
    /// Returns the headline for unknown calls.
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

    /// Returns the bounds that hold however many solutions the caller requests: `first.lower` to `all.upper`.
    #[must_use]
    pub fn envelope(&self) -> (&Bound, &Bound) {
        (&self.first.lower, &self.all.upper)
    }

    /// Returns the lower and upper bounds for the normal case. They cover all calls or, if only some calls have an upper bound and the
    /// normal case is among these, the calls with an upper bound.
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
    /// Returns the bounds that hold however many solutions the caller requests: `first.lower` to `all.upper`.
    #[must_use]
    pub fn envelope(&self) -> (&Bound, &Bound) {
        (&self.first.lower, &self.all.upper)
    }
}

/// The size of an argument on success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputSize {
    /// The number of the argument, from 1.
    pub argument: usize,
    /// The metric of the size.
    pub metric: Metric,
    /// The lower bound, valid for calls that the headline covers.
    pub lower: Option<Expr>,
    /// The upper bound, valid for calls that the headline covers.
    pub upper: Option<Expr>,
}

/// A trusted assertion, identified independently of its position in the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TrustLine {
    /// The file that contains it.
    pub home: SourceFile,
    /// The asserted predicate, by its name in that file.
    pub predicate: Functor,
    /// The index of the assertion among the file's assertions about the predicate, from 0.
    pub ordinal: usize,
}

/// The direction of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// The lower bound.
    Lower,
    /// The upper bound.
    Upper,
}

/// The reason why a bound is unknown: the root cause, not the last place to which it propagated.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Unknown {
    /// The direction of the unknown bound.
    pub side: Side,
    /// True if more fuel might help.
    pub fuel: bool,
    /// The reason, as a sentence that does not start with the name of the cause.
    pub reason: String,
    /// The predicate that contains the cause.
    pub cause: Functor,
    /// The file of that predicate; `None` for the reported predicate's file.
    pub home: Option<SourceFile>,
    /// The clause and literal of the cause: the clause index within its predicate, and the literal's id in the clause's terms.
    pub literal: Option<(usize, costlens_syntax::term::TermId)>,
    /// Advice for the user.
    pub help: String,
    /// True if narrower argument types for the call would help.
    pub types_help: bool,
    /// The types to declare for the reported predicate's arguments, if they yield, or are likely to yield, a bound.
    pub declare: Option<Pattern>,
    /// The unknown predicate, if an unknown predicate is the reason.
    pub missing: Option<Functor>,
}

/// The start of the reason if text that may be a clause of the predicate has a syntax error.
const INCOMPLETE: &str = "incomplete: line ";

/// Returns the reason for a syntax error in text that may be a clause of the predicate: `incomplete: line 14 could not be read`. For
/// another file, the file name follows the line number.
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

    /// Returns `incomplete: line 14 could not be read` if that is the reason, for this predicate or one of its callees.
    #[must_use]
    pub fn incomplete(&self) -> Option<&str> {
        self.reason.get(self.reason.find(INCOMPLETE)?..)
    }
}

/// The derivation of a bound, as text for `explain` and hovers; sizes appear by name.
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
    /// The methods by which the solver inferred the bounds. Only the verification makes them valid.
    pub method: Vec<String>,
    /// The verification of the solution.
    pub verification: Vec<String>,
}

/// The derivation of a predicate's bounds for one pattern, and the contributions of the calls in its clauses. It is computed on request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakdown {
    /// The calls to predicates, in clause order; clauses that never run under the pattern have none.
    pub literals: Vec<LiteralCost>,
    /// An upper bound on the steps that enter clauses of the predicate and of the predicates in its recursive component.
    pub entries: Vec<(Region, Expr)>,
    /// An upper bound on the steps of calls from the component's other predicates to predicates outside it.
    pub elsewhere: Vec<(Region, Expr)>,
    /// The derivation of the bounds.
    pub explanation: Explanation,
    /// Upper bounds at small sizes, if some have no closed form.
    pub evaluated: Option<Evaluated>,
}

/// Upper bounds at numeric sizes, computed directly from the equations without a closed form. They are proved like every bound, never
/// counted in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluated {
    /// The sizes on which the bound depends.
    pub sizes: Vec<SizeVariable>,
    /// The points, in ascending order.
    pub points: Vec<EvaluatedPoint>,
}

/// The upper bound at given sizes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvaluatedPoint {
    /// The values of [`Evaluated::sizes`], in the same order.
    pub sizes: Vec<i64>,
    /// The maximum number of steps of calls with these sizes, over all solutions.
    pub all: BigInt,
    /// The maximum number of steps of calls with these sizes, up to the first solution, failure or exception.
    pub first: BigInt,
}

/// A call in a body: the cost of one call, and its contribution to the predicate's bound.
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
    /// True if the callee is mutually recursive with the predicate.
    pub recursive: bool,
    /// The cost of one call, by case.
    pub cases: Vec<LiteralCase>,
    /// An upper bound on the steps of all calls that this literal makes while the predicate runs, including recursion; only for callees
    /// outside the recursion.
    pub total: Vec<(Region, Expr)>,
}

/// The cost of one call for some sizes of the calling predicate, in terms of these sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralCase {
    /// The sizes to which the case applies.
    pub when: Region,
    /// The sizes of the callee's arguments on which its cost may depend.
    pub sizes: Vec<ArgumentSize>,
    /// The steps: the lower bound is up to the first solution, the upper bound over all solutions.
    pub steps: Interval,
}

/// The size of a call's argument, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentSize {
    /// The number of the argument, from 1.
    pub argument: usize,
    /// The metric of the size.
    pub metric: Metric,
    /// The lower bound.
    pub lower: Option<Expr>,
    /// The upper bound.
    pub upper: Option<Expr>,
}

/// The bounds of a predicate for one call pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternReport {
    /// The types of the arguments.
    pub pattern: Pattern,
    /// The declared lower limits of integer arguments (`nat`: 0), by argument. The whole report covers only calls within these limits.
    pub least: Vec<Option<i64>>,
    /// The origin of the pattern.
    pub origin: Origin,
    /// The number of solutions.
    pub determinism: Determinism,
    /// True if an exception is possible for the pattern.
    pub errors_possible: bool,
    /// The sizes that may occur in bounds.
    pub sizes: Vec<SizeVariable>,
    /// The parameters that occur in bounds.
    pub parameters: Vec<ParameterVariable>,
    /// The assumptions on which bounds in terms of parameters rest.
    pub assumes: Vec<ParameterAssumption>,
    /// The output sizes on success.
    pub outputs: Vec<OutputSize>,
    /// The number of solutions, valid for calls that the headline covers.
    pub solutions: Interval,
    /// The bounds displayed on a single line.
    pub headline: Headline,
    /// Resolution steps, on disjoint regions that cover every admitted size.
    pub steps: Vec<Piece>,
    /// The index of the piece that a user would regard as the normal case.
    pub main: usize,
    /// The trust lines on which the bounds depend.
    pub rests_on: Vec<TrustLine>,
    /// The reasons why bounds are unknown.
    pub unknown: Vec<Unknown>,
    /// The condition under which the upper bounds hold.
    pub condition: Option<Condition>,
    /// The reason why the error of a time estimate may be larger than usual.
    pub wider: Option<Wider>,
    /// All work in comparison with the steps.
    pub work: AllWork,
}

impl PatternReport {
    /// Returns whether the pattern has no upper bound, or only one in terms of the costs of its callees.
    #[must_use]
    pub fn lacks_bound(&self) -> bool {
        let is_unknown = (self.main_piece()).is_some_and(|piece| piece.kind == PieceKind::Unknown);
        let is_cost = |p: &ParameterVariable| {
            p.parameter.kind == ParameterKind::Cost
                && matches!(p.parameter.of, Subject::Predicate(..))
        };
        is_unknown || self.parameters.iter().any(is_cost)
    }

    /// Returns the first reason why a bound is missing, or why the cost of a callee is a parameter.
    #[must_use]
    pub fn first_cause(&self) -> Option<&Unknown> {
        let mut whys = self.parameters.iter().filter_map(|p| p.why.as_deref());
        self.unknown.first().or_else(|| whys.next())
    }

    /// Returns all reasons why bounds are missing and why costs of callees are parameters, for changing their advice.
    pub fn causes_mut(&mut self) -> impl Iterator<Item = &mut Unknown> {
        let whys = self.parameters.iter_mut().filter_map(|p| p.why.as_mut());
        (self.unknown.iter_mut()).chain(whys.map(Arc::make_mut))
    }

    /// Returns the report whose class is shown: that on all work, if its class is greater than that of the steps.
    #[must_use]
    pub fn shown(&self) -> &PatternReport {
        match &self.work {
            AllWork::More(work) => &work.report,
            AllWork::OfSteps | AllWork::Unknown => self,
        }
    }
}

/// Work of a greater class than the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoreWork {
    /// The report on all work. Its `steps` are units of work.
    pub report: PatternReport,
    /// The goals that make it more: built-ins, and called predicates.
    pub by: Vec<Functor>,
}

/// All work of calls, in comparison with their steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AllWork {
    /// Work and steps have the same class.
    #[default]
    OfSteps,
    /// The work has a greater class.
    More(Arc<MoreWork>),
    /// No upper bound on the work is known.
    Unknown,
}

/// A condition on runs under which bounds hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All integers fit into a machine word. If this is not proved, a time bound has this condition, because arithmetic on larger integers
    /// takes longer.
    Words,
}

impl Condition {
    /// Returns the condition as displayed after a bound: `for integers below 2⁶³`.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Condition::Words => "for integers below 2⁶³",
        }
    }

    /// Returns the name of the condition in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Condition::Words => "integers < 2^63",
        }
    }

    /// Returns the condition with the given name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Condition::Words].into_iter().find(|c| c.name() == name)
    }
}

/// A reason why the error of a time estimate may exceed the usual error, within which nine out of ten estimates lie. Each reason is a
/// property of the program that no event reflects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wider {
    /// Clauses are tried one after another with an unbound first argument.
    UnboundSearch,
    /// At least three predicates take part. The speed of native code depends on its placement in memory.
    SeveralPredicates,
}

impl Wider {
    /// Returns the factor by which the error is larger, in quarters.
    #[must_use]
    pub fn quarters(self) -> u32 {
        match self {
            Wider::UnboundSearch | Wider::SeveralPredicates => 5,
        }
    }

    /// Returns the reason as displayed after a time.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Wider::UnboundSearch => "wider since clauses are tried with argument 1 unbound",
            Wider::SeveralPredicates => "wider since several predicates take part",
        }
    }
}

impl PatternReport {
    /// Returns the name of an argument's type, where the index starts at 0: `nat` for integers that are declared non-negative.
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
