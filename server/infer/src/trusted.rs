//! Summaries from `trust` assertions, for predicates without visible clauses.
//!
//! ```prolog
//! :- trust pred rows(T, Rs) : (atm(T), var(Rs)) => list(Rs) + (cost(ub, steps, 3), is_det).
//! ```
//!
//! An assertion applies to a call if the call's types are within those of the precondition, and its sizes within the precondition's limits
//! (Hermenegildo, Puebla, Bueno, López-García 2005, §2: a `trust` assertion is an implication whose premise must hold for the call). Other
//! calls, and properties that the assertion does not mention, are unknown.

mod admitted;
pub mod asserted;
pub(crate) mod better;
pub(crate) mod events;
mod exact;
mod parameters;

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::linear::Constraint;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{SolvedPiece, Value, Why};
use costlens_syntax::assertions::{
    Approximation, Assertion, CostTerm, CostType, DeclaredType, Mode, Property, SizeMetric,
    SolutionsClaim,
};

use crate::lattice::regular::Regulars;
use crate::lattice::types::{Metric, Pattern, TextType, Type};
use crate::report::{Functor, Side, TrustLine, Unknown};
use crate::summary::names::named;
use crate::summary::node::{Called, Node};
use crate::summary::pieces::{Pieces, Sides, at_most, at_most_one};
use crate::summary::work::{Work, WorkBounds};
use crate::summary::{Added, RunsLater, Summary};
use crate::trusted::asserted::{CostVariables, cost_interval, to_expr};
use crate::trusted::parameters::TypeParameters;

/// A `trust` assertion, with the types that its file defines.
pub struct TrustedAssertion<'a> {
    /// The assertion's identity; `None` for assertions shipped with Costlens, which are part of the definition of a step and are tested.
    pub id: Option<TrustLine>,
    /// The assertion itself.
    pub assertion: &'a Assertion,
    /// The types that its file defines.
    pub types: &'a Regulars,
}

/// A line, with the sizes to which it applies.
struct Admitted<'a> {
    line: &'a TrustedAssertion<'a>,
    /// The limits on these sizes; if empty, all sizes that the pattern admits.
    limits: Vec<Constraint>,
}

/// A function, and the sizes for which it is asserted.
type TrustedFunction = (Vec<Constraint>, Expr);

/// Returns the summary that `trust` lines specify for calls of a pattern, or `None` if no line applies to such calls.
#[must_use]
pub fn trusted(
    name: &Functor,
    pattern: &Pattern,
    lines: &[TrustedAssertion<'_>],
) -> Option<Summary> {
    let node = node_alone(name, pattern);
    let admitted = admitted_of(lines, &node);
    if admitted.is_empty() {
        return None;
    }
    let reader = Reader {
        node: &node,
        admitted: &admitted,
        is_single: false,
        states_work: lines.iter().any(|line| line.states_cost("work")),
    };
    Some(reader.summary())
}

/// Returns the lines that apply to the calls of a node.
fn admitted_of<'a>(lines: &'a [TrustedAssertion<'a>], node: &Node) -> Vec<Admitted<'a>> {
    let admitted = |line: &'a TrustedAssertion<'a>| {
        let limits = admitted::limits(line, node)?;
        Some(Admitted { line, limits })
    };
    lines.iter().filter_map(admitted).collect()
}

/// Creates a node for calls of a pattern outside any component: its variables are numbered from 0.
pub(crate) fn node_alone(name: &Functor, pattern: &Pattern) -> Node {
    let mut next = 0;
    let calls = Called::matching(name.clone(), pattern.clone());
    Node::new(calls, None, &mut || {
        next += 1;
        Var(next - 1)
    })
}

/// Returns the summary for calls to which no line applies.
#[must_use]
pub fn untrusted(name: &Functor, pattern: &Pattern, is_own: bool) -> Summary {
    match is_own {
        true => nothing_known(
            name,
            pattern,
            format!("none of the `trust` assertions about `{name}` speaks of calls {pattern}"),
            "Add an assertion whose precondition admits these calls.",
        ),
        false => nothing_known(
            name,
            pattern,
            format!("the bounds of `{name}` are known for narrower types of arguments only"),
            "Declare the types of what is passed to it.",
        ),
    }
}

/// Returns the summary for calls that the analysis did not foresee, so that nothing was computed for them: they may do anything.
#[must_use]
pub fn unforeseen(name: &Functor, pattern: &Pattern) -> Summary {
    nothing_known(
        name,
        pattern,
        format!(
            "nothing was computed of calls {pattern} of `{name}` before its bounds were needed"
        ),
        "",
    )
}

fn nothing_known(name: &Functor, pattern: &Pattern, reason: String, help: &str) -> Summary {
    let node = node_alone(name, pattern);
    let reader = Reader {
        node: &node,
        admitted: &[],
        is_single: false,
        states_work: false,
    };
    let mut summary = reader.summary();
    if let Some(unknown) = summary.unknown.first_mut() {
        (unknown.reason, unknown.help) = (reason, help.to_owned());
    }
    summary
}

struct Reader<'a> {
    node: &'a Node,
    admitted: &'a [Admitted<'a>],
    /// True for a built-in with at most one solution, even if no line states this.
    is_single: bool,
    /// True if a line about the predicate, which may be about other calls, states its work.
    states_work: bool,
}

impl Reader<'_> {
    fn summary(&self) -> Summary {
        let node = self.node;
        let success = self.success();
        let (first, all) = self.cost_sides("steps");
        let solutions = Sides {
            lower: self.pieces(&self.solutions(Approximation::Lower), BoundDirection::Lower),
            upper: self.pieces(&self.solutions(Approximation::Upper), BoundDirection::Upper),
        };
        let outputs = self.outputs(success.as_deref());
        let errors_possible = !self
            .admitted
            .iter()
            .any(|a| a.limits.is_empty() && a.line.says("no_exception", "no_exceptions"));
        // If a predicate is trusted to have at most one solution, nothing runs after that solution.
        let raises_later = errors_possible && !at_most_one(&solutions);
        let mut summary = Summary {
            predicate: node.name.clone(),
            pattern: node.pattern.clone(),
            params: Vec::new(),
            parameters: Vec::new(),
            assumes: Vec::new(),
            domain: node.domain.clone(),
            success,
            outputs,
            elements: BTreeMap::new(),
            relation: node.relation.clone(),
            solutions,
            first,
            all,
            work: self.work(),
            added: Added::default(),
            amortised: None,
            errors_possible,
            raises_later,
            later: RunsLater::No,
            unknown: Vec::new(),
            rests_on: self
                .admitted
                .iter()
                .filter_map(|a| a.line.id.clone())
                .collect(),
        };
        summary.params = named(node, &summary);
        if (summary.all.upper.iter()).any(|p| matches!(p.value, Value::Unknown(_))) {
            summary.unknown.push(self.no_upper_bound("steps"));
            summary.later = RunsLater::Maybe;
        }
        summary
    }

    /// Returns the asserted work. A predicate whose work no line states runs a constant number of built-ins for each step.
    fn work(&self) -> Work {
        let costs = |line: &TrustedAssertion<'_>| line.states_cost("work");
        if self.admitted.iter().any(|a| costs(a.line)) {
            let (first, all) = self.cost_sides("work");
            let by = vec![self.node.name.clone()];
            return Work::Bounds(Arc::new(WorkBounds { first, all, by }));
        }
        match self.states_work {
            true => Work::Unknown,
            false => Work::default(),
        }
    }

    /// Returns the asserted bounds on a resource: up to the first solution, and over all solutions.
    fn cost_sides(&self, resource: &str) -> (Sides, Sides) {
        let costs = |side, over| self.costs(resource, side, over);
        let all = Sides {
            lower: self.pieces(
                &costs(Approximation::Lower, CostType::AllSolutions),
                BoundDirection::Lower,
            ),
            upper: self.pieces(
                &costs(Approximation::Upper, CostType::AllSolutions),
                BoundDirection::Upper,
            ),
        };
        let first_upper = self.pieces(
            &costs(Approximation::Upper, CostType::Call),
            BoundDirection::Upper,
        );
        let first = Sides {
            lower: self.pieces(
                &costs(Approximation::Lower, CostType::Call),
                BoundDirection::Lower,
            ),
            upper: at_most(first_upper, &all.upper),
        };
        (first, all)
    }

    fn no_upper_bound(&self, resource: &str) -> Unknown {
        let name = &self.node.name;
        Unknown {
            home: None,
            side: Side::Upper,
            fuel: false,
            reason: format!(
                "what is trusted of `{name}` bounds the {resource} of such calls nowhere or not for all sizes"
            ),
            cause: name.clone(),
            literal: None,
            help: format!(
                "State `cost(ub,allsols,{resource},E)`, or `cost(ub,{resource},E)` and `is_det`, in the `trust` assertion."
            ),
            types_help: false,
            declare: None,
            missing: None,
        }
    }

    /// Returns the asserted upper or lower bounds on a resource, over all solutions or (`CostType::Call`) up to the first solution. If `is_det` is trusted,
    /// nothing runs after the solution, so the two kinds of bounds are interchangeable.
    fn costs(&self, resource: &str, side: Approximation, over: CostType) -> Vec<TrustedFunction> {
        let mut found = Vec::new();
        for admitted in self.admitted {
            let is_det = self.is_single || admitted.line.at_most_one();
            for stated in &admitted.line.assertion.properties {
                let Property::Cost(cost) = &stated.property else {
                    continue;
                };
                let is_side =
                    cost.approximation == side || cost.approximation == Approximation::Exact;
                let upper = side == Approximation::Upper;
                let speaks = match (cost.cost_type, over, upper) {
                    (CostType::Call, CostType::Call, _) => true,
                    (CostType::AllSolutions, CostType::AllSolutions, _) => true,
                    // The cost over all solutions is at least the cost up to the first solution.
                    (CostType::Call, CostType::AllSolutions, false) => true,
                    (CostType::AllSolutions, CostType::Call, true) => true,
                    (CostType::Call, CostType::AllSolutions, true) => is_det,
                    (CostType::AllSolutions, CostType::Call, false) => is_det,
                    _ => false,
                };
                if cost.resource == resource
                    && is_side
                    && speaks
                    && let Some(e) = self.bound(&cost.expression, side)
                {
                    found.push((admitted.limits.clone(), e));
                }
            }
        }
        found
    }

    fn solutions(&self, side: Approximation) -> Vec<TrustedFunction> {
        let mut found = Vec::new();
        for admitted in self.admitted {
            for stated in &admitted.line.assertion.properties {
                let number = match (&stated.property, side) {
                    (Property::Solutions(SolutionsClaim::AtMostOne), Approximation::Upper)
                    | (Property::Solutions(SolutionsClaim::AtLeastOne), Approximation::Lower)
                    | (Property::Solutions(SolutionsClaim::ExactlyOne), _) => Some(Expr::int(1)),
                    (Property::Solutions(SolutionsClaim::None), _) => Some(Expr::zero()),
                    (Property::SolutionCount(approximation, e), _)
                        if *approximation == side || *approximation == Approximation::Exact =>
                    {
                        self.expression(e)
                    }
                    _ => None,
                };
                found.extend(number.map(|e| (admitted.limits.clone(), e)));
            }
        }
        found
    }

    /// Returns the types on success. If they are not asserted, the binding of an unbound argument is unknown.
    fn success(&self) -> Option<Vec<Type>> {
        let unlimited = || self.admitted.iter().filter(|a| a.limits.is_empty());
        let fails = |a: &Admitted<'_>| {
            let mut properties = a.line.assertion.properties.iter();
            properties.any(|p| p.property == Property::Solutions(SolutionsClaim::None))
        };
        if unlimited().any(fails) {
            return None;
        }
        let mut is_possible = true;
        let types = self.node.pattern.0.iter().enumerate().map(|(i, before)| {
            let mut after = match before {
                Type::Free => Type::Any,
                other => other.clone(),
            };
            let is_size = |p: &costlens_syntax::assertions::StatedProperty| matches!(p.property, Property::Size(_, of, _) if of == i);
            for admitted in unlimited() {
                let stated = admitted.line.success(i);
                let parameters = || TypeParameters::of(admitted.line, &self.node.pattern);
                let stated = stated.and_then(|t| parameters().instance(t, admitted.line));
                let Some(stated) = stated.filter(|t| *t != Type::Free) else {
                    continue;
                };
                // The value of a key of a tree without keys.
                is_possible &= stated != Type::None;
                let met = after.meet(&stated);
                if met != Type::None {
                    after = met;
                }
                if after == Type::Atom && admitted.line.assertion.properties.iter().any(is_size) {
                    after = Type::Text(TextType::Atom);
                }
            }
            after
        });
        let types = types.collect();
        is_possible.then_some(types)
    }

    /// Returns the success sizes of arguments that are unbound at the call.
    fn outputs(&self, success: Option<&[Type]>) -> BTreeMap<usize, Sides> {
        let mut found = BTreeMap::new();
        for (i, ty) in success.unwrap_or_default().iter().enumerate() {
            let Some(metric) = ty.metric().filter(|_| self.node.pattern.0[i] == Type::Free) else {
                continue;
            };
            let (mut lower, mut upper) = (Vec::new(), Vec::new());
            for admitted in self.admitted {
                let add = |side: &mut Vec<TrustedFunction>, e: &Expr| {
                    side.push((admitted.limits.clone(), e.clone()));
                };
                for stated in &admitted.line.assertion.properties {
                    let Property::Size(approximation, argument, e) = &stated.property else {
                        continue;
                    };
                    let Some(e) = self.expression(e).filter(|_| *argument == i) else {
                        continue;
                    };
                    match approximation {
                        Approximation::Upper => add(&mut upper, &e),
                        Approximation::Lower => add(&mut lower, &e),
                        Approximation::Exact => {
                            add(&mut lower, &e);
                            add(&mut upper, &e);
                        }
                        _ => {}
                    }
                }
                match admitted.line.success(i) {
                    Some(DeclaredType::NonNegative) => add(&mut lower, &Expr::zero()),
                    Some(DeclaredType::Positive) => add(&mut lower, &Expr::int(1)),
                    _ => {}
                }
            }
            if lower.is_empty() && upper.is_empty() {
                continue;
            }
            let mut sides = Sides {
                lower: self.whole(&lower),
                upper: self.whole(&upper),
            };
            if let Some(least) = metric.least() {
                for piece in &mut sides.lower {
                    if matches!(piece.value, Value::Unknown(_)) {
                        piece.value = Value::Known(Expr::int(least));
                    }
                }
            }
            found.insert(i, sides);
        }
        found
    }

    /// Returns the pieces of a non-negative quantity. An asserted function is used only where it is proved non-negative.
    fn pieces(&self, stated: &[TrustedFunction], side: BoundDirection) -> Pieces {
        let usable: Vec<TrustedFunction> = (stated.iter())
            .filter_map(|(limits, e)| {
                let region = limits
                    .iter()
                    .fold(self.node.domain.clone(), |r, c| r.and(c.clone()));
                if nonnegative(e, &region) {
                    return Some((limits.clone(), e.clone()));
                }
                let mut limits = limits.clone();
                limits.push(Constraint::ge(e, &Expr::zero())?);
                Some((limits, e.clone()))
            })
            .collect();
        let mut pieces = self.whole(&usable);
        if side == BoundDirection::Lower {
            for piece in &mut pieces {
                if matches!(piece.value, Value::Unknown(_)) {
                    piece.value = Value::Known(Expr::zero());
                }
            }
        }
        pieces
    }

    /// Returns, for each size, the first function that is asserted for it; unknown if there is none.
    fn whole(&self, stated: &[TrustedFunction]) -> Pieces {
        let mut pieces = Vec::new();
        let mut rest = vec![self.node.domain.clone()];
        for (limits, e) in stated {
            let mut outside = Vec::new();
            for region in rest {
                let mut inside = region;
                for c in limits {
                    for not in c.negated() {
                        outside.push(inside.and(not));
                    }
                    inside = inside.and(c.clone());
                }
                pieces.push(SolvedPiece {
                    region: inside,
                    value: Value::Known(e.clone()),
                });
            }
            rest = outside;
        }
        pieces.extend(rest.into_iter().map(|region| SolvedPiece {
            region,
            value: Value::Unknown(Why::Unbounded),
        }));
        pieces.retain(|p| !p.region.is_empty());
        pieces
    }

    /// Returns a cost, with logarithms of sizes rounded to the side of the bound.
    fn bound(&self, e: &CostTerm, side: Approximation) -> Option<Expr> {
        let variables = CostVariables {
            size: &|metric, argument| self.node.measure(metric, argument).ok_or_else(String::new),
            parameter: &|_| Err(String::new()),
        };
        let (low, high) = cost_interval(e, variables, &self.node.domain).ok()?;
        Some(match side {
            Approximation::Upper => high,
            _ => low,
        })
    }

    fn expression(&self, e: &CostTerm) -> Option<Expr> {
        let variables = CostVariables {
            size: &|metric, argument| self.node.measure(metric, argument).ok_or_else(String::new),
            parameter: &|_| Err(String::new()),
        };
        to_expr(e, variables).ok()
    }
}

/// The direction of a bound on a non-negative quantity.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BoundDirection {
    Lower,
    Upper,
}

impl TrustedAssertion<'_> {
    /// Returns whether the line contains a property with one of these names.
    fn says(&self, name: &str, or: &str) -> bool {
        let mut properties = self.assertion.properties.iter();
        properties.any(|p| matches!(&p.property, Property::NotVerified(n) if n == name || n == or))
    }

    /// Returns whether the line states a cost on a resource.
    fn states_cost(&self, resource: &str) -> bool {
        let mut properties = self.assertion.properties.iter();
        properties.any(|p| matches!(&p.property, Property::Cost(cost) if cost.resource == resource))
    }

    /// Returns whether there is at most one solution and nothing runs after it.
    fn at_most_one(&self) -> bool {
        let one = |p: &Property| {
            matches!(
                p,
                Property::Solutions(
                    SolutionsClaim::AtMostOne | SolutionsClaim::ExactlyOne | SolutionsClaim::None
                )
            )
        };
        (self.assertion.properties.iter()).any(|p| one(&p.property))
            || self.says("no_choicepoint", "no_choicepoints")
    }

    /// Returns the type of an argument (from 0) on success: `list` in `-Xs:list`.
    fn success(&self, argument: usize) -> Option<&DeclaredType> {
        let argument = self.assertion.arguments.get(argument)?;
        let written = || match argument.mode {
            Some(Mode::Out | Mode::Fresh) => argument.call.as_ref(),
            _ => None,
        };
        argument.success.as_ref().or_else(written)
    }
}

impl Node {
    /// Returns the variable for the size of an argument (from 0) in a metric, by default that of the argument's type.
    fn measure(&self, metric: Option<SizeMetric>, argument: usize) -> Option<Var> {
        let is_it = |of: Metric| match metric {
            None => true,
            Some(SizeMetric::Length) => of == Metric::Length,
            Some(SizeMetric::Int) => of == Metric::Int,
            Some(SizeMetric::Size) => of == Metric::Size,
            Some(SizeMetric::Chars) => of == Metric::Chars,
            Some(SizeMetric::Keys) => of == Metric::Keys,
            Some(SizeMetric::Depth) => false,
        };
        let mut params = self.params.iter();
        let found = params
            .find(|p| p.slot.argument == argument && !p.slot.element && is_it(p.slot.metric))?;
        Some(found.var)
    }
}
