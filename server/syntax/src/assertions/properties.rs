//! The properties that an assertion may state.

use smol_str::SmolStr;

use super::cost::{CostTerm, read_cost};
use super::types::DeclaredType;
use super::words::{APPROXIMATIONS, COST_TYPES, Word, did_you_mean, listed};
use crate::term::{Term, TermId, Terms};

/// The side of the cost on which an expression lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Approximation {
    /// `ub`: an upper bound.
    Upper,
    /// `lb`: a lower bound.
    Lower,
    /// `eq`, `exact`: the exact value.
    Exact,
    /// `o`: the order of an upper bound.
    Order,
    /// `oub`: the same.
    OrderUpper,
    /// `olb`: the order of a lower bound.
    OrderLower,
}

impl Approximation {
    /// Returns the approximation with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "ub" => Approximation::Upper,
            "lb" => Approximation::Lower,
            "eq" | "exact" => Approximation::Exact,
            "o" => Approximation::Order,
            "oub" => Approximation::OrderUpper,
            "olb" => Approximation::OrderLower,
            _ => return None,
        })
    }

    /// Returns its short name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Approximation::Upper => "ub",
            Approximation::Lower => "lb",
            Approximation::Exact => "eq",
            Approximation::Order => "o",
            Approximation::OrderUpper => "oub",
            Approximation::OrderLower => "olb",
        }
    }
}

/// The part of a call to which a cost applies (Mera et al., cost types of the profiling paper).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CostType {
    /// `call`: to the first solution, the failure or the exception.
    Call,
    /// `sol(I)`: between solutions.
    Solution(u32),
    /// `allsols`: all solutions.
    AllSolutions,
    /// `call_exit`.
    CallExit,
    /// `call_fail`.
    CallFail,
    /// `redo`.
    Redo,
    /// `redo_exit`.
    RedoExit,
    /// `redo_fail`.
    RedoFail,
}

impl CostType {
    fn of(terms: &Terms, id: TermId) -> Option<Self> {
        if let Some(&[number]) = terms.matches(id, "sol", 1) {
            return match terms.get(number) {
                Term::Integer(n) => u32::try_from(n).ok().map(CostType::Solution),
                _ => None,
            };
        }
        Self::from_name(terms.as_atom(id)?)
    }

    /// Returns the cost type with a name as returned by [`CostType::name`].
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "call" => CostType::Call,
            "allsols" => CostType::AllSolutions,
            "call_exit" => CostType::CallExit,
            "call_fail" => CostType::CallFail,
            "redo" => CostType::Redo,
            "redo_exit" => CostType::RedoExit,
            "redo_fail" => CostType::RedoFail,
            _ => {
                let number = name.strip_prefix("sol(")?.strip_suffix(')')?;
                CostType::Solution(number.parse().ok()?)
            }
        })
    }

    /// Returns its written form.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            CostType::Call => "call".into(),
            CostType::Solution(i) => format!("sol({i})"),
            CostType::AllSolutions => "allsols".into(),
            CostType::CallExit => "call_exit".into(),
            CostType::CallFail => "call_fail".into(),
            CostType::Redo => "redo".into(),
            CostType::RedoExit => "redo_exit".into(),
            CostType::RedoFail => "redo_fail".into(),
        }
    }
}

/// `cost(Approx, Type, Resource, Expr)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CostProperty {
    /// The side of the bound.
    pub approximation: Approximation,
    /// The part of a call.
    pub cost_type: CostType,
    /// The resource that is counted; `exectime` and `exec_time` are `time`.
    pub resource: SmolStr,
    /// How much.
    pub expression: CostTerm,
}

/// `rel_cost(Approx, Type, Resource, Percent)`: a share of the whole run's use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RelativeCost {
    /// The side of the bound.
    pub approximation: Approximation,
    /// The ports of calls between which it applies; if missing, all ports.
    pub cost_type: Option<CostType>,
    /// The resource that is counted; `exectime` and `exec_time` are `time`.
    pub resource: SmolStr,
    /// The percentage, a number.
    pub percent: CostTerm,
}

/// A claim about the number of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// `is_det`, but not `no_choicepoint`: at most one solution.
    AtMostOne,
    /// `not_fails`: at least one solution.
    AtLeastOne,
    /// `det` of a mode line: exactly one solution.
    ExactlyOne,
    /// `fails`, `failure`: no solution.
    None,
    /// `nondet`, `non_det`, `possibly_fails`: any number; nothing to verify.
    Any,
}

/// A property of calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// A cost.
    Cost(CostProperty),
    /// A share of a run's cost.
    RelativeCost(RelativeCost),
    /// A number of solutions.
    Solutions(Claim),
    /// `solutions(E)`, `solutions(ub, E)`: the number of solutions.
    SolutionCount(Approximation, CostTerm),
    /// `size(A, E)`, `size(ub, A, E)`, `size_ub(A, E)`: the size of an argument (from 0) on success.
    Size(Approximation, usize, CostTerm),
    /// `=> int(B)`: the type of an argument (from 0) on success. The flag is true if the written type has fewer values: `boolean` is read as
    /// an atom.
    Success(usize, DeclaredType, bool),
    /// A property of the assertion language that Costlens does not verify yet.
    NotVerified(SmolStr),
    /// A property that Costlens does not know.
    Unknown(SmolStr, usize),
}

/// A malformed property.
pub(super) struct PropertyError {
    pub(super) at: TermId,
    pub(super) message: String,
}

/// Reads the properties that one term of a `+` field states: `costb(R,L,U)` states two.
///
/// Long because it is one `match` with an arm for each property.
pub(super) fn read_property(
    terms: &Terms,
    id: TermId,
    argument: &dyn Fn(u32) -> Option<usize>,
    name: &dyn Fn(u32) -> String,
) -> Result<Vec<Property>, PropertyError> {
    let fail = |at: TermId, message: String| Err(PropertyError { at, message });
    let Some((functor, arity)) = terms.functor(id) else {
        return fail(
            id,
            "a property is expected, such as cost(ub,steps,length(A)+1)".into(),
        );
    };
    let args = terms.args(id);
    let cost = |approximation, cost_type, resource: &str, expression: TermId| {
        let resource = canonical_resource(resource);
        let time = resource == "time";
        match read_cost(terms, expression, argument, name, time) {
            Ok(expression) => Ok(Property::Cost(CostProperty {
                approximation,
                cost_type,
                resource,
                expression,
            })),
            Err(e) => Err(PropertyError {
                at: e.at,
                message: e.message,
            }),
        }
    };
    let relative = |approximation, cost_type, of: &SmolStr, percent: TermId| {
        let no_argument = |_| None;
        let percent = read_cost(terms, percent, &no_argument, name, false);
        percent
            .map_err(|e| PropertyError {
                at: e.at,
                message: "the share of rel_cost is a percentage, such as 55".into(),
            })
            .map(|percent| {
                Property::RelativeCost(RelativeCost {
                    approximation,
                    cost_type,
                    resource: canonical_resource(of),
                    percent,
                })
            })
    };
    let near = |at: TermId, words: &[Word]| match terms.as_atom(at) {
        Some(written) => did_you_mean(written, words),
        None => String::new(),
    };
    let approximation = |at: TermId| {
        terms
            .as_atom(at)
            .and_then(|a| Approximation::from_name(a))
            .ok_or_else(|| PropertyError {
                at,
                message: format!(
                    "the first argument of {functor} is one of {}{}",
                    listed(&APPROXIMATIONS),
                    near(at, &APPROXIMATIONS)
                ),
            })
    };
    let cost_type = |at: TermId| {
        CostType::of(terms, at).ok_or_else(|| PropertyError {
            at,
            message: format!(
                "a cost type is one of {}{}",
                listed(&COST_TYPES).replace("sol,", "sol(I),"),
                near(at, &COST_TYPES)
            ),
        })
    };
    let resource = |at: TermId| {
        terms.as_atom(at).ok_or_else(|| PropertyError {
            at,
            message: "the resource of a cost is an atom, such as steps".into(),
        })
    };
    let measured = |e: TermId| {
        read_cost(terms, e, argument, name, false).map_err(|e| PropertyError {
            at: e.at,
            message: e.message,
        })
    };
    let sized = |of: TermId| {
        let found = match terms.get(of) {
            Term::Var(v) => argument(*v),
            _ => None,
        };
        found.ok_or_else(|| PropertyError {
            at: of,
            message: "size is of an argument of the predicate".into(),
        })
    };
    Ok(match (functor.as_str(), args) {
        ("cost", &[approx, of, expression]) => {
            vec![cost(
                approximation(approx)?,
                CostType::Call,
                resource(of)?,
                expression,
            )?]
        }
        ("cost", &[approx, part, of, expression]) => {
            let approx = approximation(approx)?;
            vec![cost(approx, cost_type(part)?, resource(of)?, expression)?]
        }
        ("cost", _) => {
            return fail(
                id,
                "cost takes three arguments (cost(ub,steps,E)) or four (with a cost type)".into(),
            );
        }
        ("rel_cost", &[approx, of, percent]) => {
            vec![relative(
                approximation(approx)?,
                None,
                resource(of)?,
                percent,
            )?]
        }
        ("rel_cost", &[approx, part, of, percent]) => {
            let approximation = approximation(approx)?;
            let part = cost_type(part)?;
            vec![relative(approximation, Some(part), resource(of)?, percent)?]
        }
        ("rel_cost", _) => {
            return fail(
                id,
                "rel_cost takes three arguments (rel_cost(ub,steps,55)) or four (with a cost type)"
                    .into(),
            );
        }
        ("costb", &[of, lower, upper]) => {
            let of = resource(of)?;
            vec![
                cost(Approximation::Lower, CostType::Call, of, lower)?,
                cost(Approximation::Upper, CostType::Call, of, upper)?,
            ]
        }
        ("steps_ub", &[e]) => vec![cost(Approximation::Upper, CostType::Call, "steps", e)?],
        ("steps_lb", &[e]) => vec![cost(Approximation::Lower, CostType::Call, "steps", e)?],
        ("steps", &[e]) => vec![cost(Approximation::Exact, CostType::Call, "steps", e)?],
        ("steps_o", &[e]) => vec![cost(Approximation::Order, CostType::Call, "steps", e)?],
        ("is_det" | "semidet", []) => vec![Property::Solutions(Claim::AtMostOne)],
        ("not_fails" | "multi", []) => vec![Property::Solutions(Claim::AtLeastOne)],
        ("det", []) => vec![Property::Solutions(Claim::ExactlyOne)],
        ("fails" | "failure", []) => vec![Property::Solutions(Claim::None)],
        ("size" | "size_ub" | "size_lb" | "size_o", &[of, e]) => {
            let approximation = match functor.as_str() {
                "size_ub" => Approximation::Upper,
                "size_lb" => Approximation::Lower,
                "size_o" => Approximation::Order,
                _ => Approximation::Exact,
            };
            vec![Property::Size(approximation, sized(of)?, measured(e)?)]
        }
        ("size", &[approx, of, e]) => {
            let approximation = approximation(approx)?;
            vec![Property::Size(approximation, sized(of)?, measured(e)?)]
        }
        ("solutions", &[e]) => vec![Property::SolutionCount(Approximation::Exact, measured(e)?)],
        ("solutions", &[approx, e]) => {
            vec![Property::SolutionCount(
                approximation(approx)?,
                measured(e)?,
            )]
        }
        ("exact", &[inner]) if terms.matches(inner, "solutions", 1).is_some() => {
            let e = terms.args(inner)[0];
            vec![Property::SolutionCount(Approximation::Exact, measured(e)?)]
        }
        ("non_det" | "nondet" | "possibly_fails" | "possibly_nondet", []) => {
            vec![Property::Solutions(Claim::Any)]
        }
        // Properties of Ciao's libraries and tools; they do not concern costs.
        ("iso" | "native" | "foreign" | "deprecated" | "no_rtcheck", [])
        | ("native" | "foreign" | "foreign_low" | "returns" | "user_output", [_])
        | ("size_of", [_, _]) => Vec::new(),
        (
            "size" | "size_metric" | "terminates" | "no_choicepoint" | "no_choicepoints" | "exact"
            | "solutions" | "relations" | "mut_exclusive" | "covered" | "not_covered"
            | "no_exception" | "no_exceptions" | "eval" | "sideff" | "native" | "is_pure" | "pure"
            | "erroneous",
            _,
        ) => vec![Property::NotVerified(functor.clone())],
        _ => vec![Property::Unknown(functor.clone(), arity)],
    })
}

/// Returns the canonical name of a resource.
pub(super) fn canonical_resource(name: &str) -> SmolStr {
    match name {
        "exectime" | "exec_time" => "time".into(),
        other => other.into(),
    }
}
