//! The properties that an assertion may state.

use smol_str::SmolStr;

use super::cost::{CostTerm, read_cost};
use super::types::DeclaredType;
use super::words::{APPROXIMATIONS, COST_TYPES, Word, did_you_mean, listed};
use crate::term::{Term, TermId, Terms};

/// The relation between a cost and the expression that bounds it.
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
    /// `oub`: the order of an upper bound, like `o`.
    OrderUpper,
    /// `olb`: the order of a lower bound.
    OrderLower,
}

impl Approximation {
    /// Returns the approximation with this name in assertions.
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

    /// Returns the short name of the approximation.
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
    /// `call`: up to the first solution, the failure or the exception.
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
    fn from_term(terms: &Terms, id: TermId) -> Option<Self> {
        if let Some(&[number]) = terms.matches(id, "sol", 1) {
            return match terms.get(number) {
                Term::Integer(n) => u32::try_from(n).ok().map(CostType::Solution),
                _ => None,
            };
        }
        Self::from_name(terms.as_atom(id)?)
    }

    /// Returns the cost type with a name returned by [`CostType::name`].
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

    /// Returns the cost type as written in assertions.
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
    /// The part of a call to which the cost applies.
    pub cost_type: CostType,
    /// The counted resource; `exectime` and `exec_time` are `time`.
    pub resource: SmolStr,
    /// The amount.
    pub expression: CostTerm,
}

/// `rel_cost(Approx, Type, Resource, Percent)`: a share of the whole run's cost.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RelativeCost {
    /// The side of the bound.
    pub approximation: Approximation,
    /// The ports of calls between which the share applies; `None` means all ports.
    pub cost_type: Option<CostType>,
    /// The counted resource; `exectime` and `exec_time` are `time`.
    pub resource: SmolStr,
    /// The percentage, a number.
    pub percent: CostTerm,
}

/// An assertion about the number of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolutionsClaim {
    /// `is_det`, but not `no_choicepoint`: at most one solution.
    AtMostOne,
    /// `not_fails`: at least one solution.
    AtLeastOne,
    /// `det` in a mode line: exactly one solution.
    ExactlyOne,
    /// `fails`, `failure`: no solution.
    None,
    /// `nondet`, `non_det`, `possibly_fails`: any number of solutions; nothing to verify.
    Any,
}

/// A property of calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// A cost.
    Cost(CostProperty),
    /// A share of a run's cost.
    RelativeCost(RelativeCost),
    /// A claim about the number of solutions.
    Solutions(SolutionsClaim),
    /// `solutions(E)`, `solutions(ub, E)`: the number of solutions.
    SolutionCount(Approximation, CostTerm),
    /// `size(A, E)`, `size(ub, A, E)`, `size_ub(A, E)`: the size of an argument (from 0) on success.
    Size(Approximation, usize, CostTerm),
    /// `=> int(B)`: the success type of an argument (from 0). The flag is true if the written type has fewer values than this type, such as
    /// `boolean`, which is read as an atom.
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

/// Parses the properties stated by one term of a `+` field: `costb(R,L,U)` states two.
pub(super) fn read_property(
    terms: &Terms,
    id: TermId,
    argument: &dyn Fn(u32) -> Option<usize>,
    name: &dyn Fn(u32) -> String,
) -> Result<Vec<Property>, PropertyError> {
    let Some((functor, arity)) = terms.functor(id) else {
        return Err(PropertyError {
            at: id,
            message: "a property is expected, such as cost(ub,steps,length(A)+1)".into(),
        });
    };
    let reader = Reader {
        terms,
        id,
        functor,
        argument,
        name,
    };
    if let Some(costs) = reader.costs()? {
        return Ok(costs);
    }
    let property = match reader.of_solutions()? {
        Some(solutions) => solutions,
        None => match reader.size()? {
            Some(size) => size,
            None if is_of_no_cost(functor, arity) => return Ok(Vec::new()),
            None if NOT_VERIFIED.contains(&functor.as_str()) => {
                Property::NotVerified(functor.clone())
            }
            None => Property::Unknown(functor.clone(), arity),
        },
    };
    Ok(vec![property])
}

/// The properties that Costlens does not verify, unless their arguments have the form of a verified property.
const NOT_VERIFIED: [&str; 19] = [
    "size",
    "size_metric",
    "terminates",
    "no_choicepoint",
    "no_choicepoints",
    "exact",
    "solutions",
    "relations",
    "mut_exclusive",
    "covered",
    "not_covered",
    "no_exception",
    "no_exceptions",
    "eval",
    "sideff",
    "native",
    "is_pure",
    "pure",
    "erroneous",
];

/// Returns true for properties of Ciao's libraries and tools that do not concern costs.
fn is_of_no_cost(name: &str, arity: usize) -> bool {
    matches!(
        (name, arity),
        (
            "iso" | "native" | "foreign" | "deprecated" | "no_rtcheck",
            0
        ) | (
            "native" | "foreign" | "foreign_low" | "returns" | "user_output",
            1
        ) | ("size_of", 2)
    )
}

/// A parser for one property.
struct Reader<'a> {
    terms: &'a Terms,
    id: TermId,
    functor: &'a SmolStr,
    /// Returns the index of the argument that a variable names.
    argument: &'a dyn Fn(u32) -> Option<usize>,
    /// Returns the name of a variable.
    name: &'a dyn Fn(u32) -> String,
}

impl Reader<'_> {
    fn fail<T>(at: TermId, message: impl Into<String>) -> Result<T, PropertyError> {
        Err(PropertyError {
            at,
            message: message.into(),
        })
    }

    /// Parses `cost`, `rel_cost`, `costb` and `steps`.
    fn costs(&self) -> Result<Option<Vec<Property>>, PropertyError> {
        let steps = |approximation, e| self.cost(approximation, CostType::Call, "steps", e);
        Ok(Some(
            match (self.functor.as_str(), self.terms.args(self.id)) {
                ("cost", &[approx, of, expression]) => {
                    let approximation = self.approximation(approx)?;
                    let of = self.resource(of)?;
                    vec![self.cost(approximation, CostType::Call, of, expression)?]
                }
                ("cost", &[approx, part, of, expression]) => {
                    let approximation = self.approximation(approx)?;
                    let part = self.cost_type(part)?;
                    vec![self.cost(approximation, part, self.resource(of)?, expression)?]
                }
                ("cost", _) => {
                    return Self::fail(
                        self.id,
                        "cost takes three arguments (cost(ub,steps,E)) or four (with a cost type)",
                    );
                }
                ("rel_cost", &[approx, of, percent]) => {
                    let approximation = self.approximation(approx)?;
                    vec![self.relative(approximation, None, self.resource(of)?, percent)?]
                }
                ("rel_cost", &[approx, part, of, percent]) => {
                    let approximation = self.approximation(approx)?;
                    let part = Some(self.cost_type(part)?);
                    vec![self.relative(approximation, part, self.resource(of)?, percent)?]
                }
                ("rel_cost", _) => {
                    return Self::fail(
                        self.id,
                        "rel_cost takes three arguments (rel_cost(ub,steps,55)) or four (with a cost type)",
                    );
                }
                ("costb", &[of, lower, upper]) => {
                    let of = self.resource(of)?;
                    vec![
                        self.cost(Approximation::Lower, CostType::Call, of, lower)?,
                        self.cost(Approximation::Upper, CostType::Call, of, upper)?,
                    ]
                }
                ("steps_ub", &[e]) => vec![steps(Approximation::Upper, e)?],
                ("steps_lb", &[e]) => vec![steps(Approximation::Lower, e)?],
                ("steps", &[e]) => vec![steps(Approximation::Exact, e)?],
                ("steps_o", &[e]) => vec![steps(Approximation::Order, e)?],
                _ => return Ok(None),
            },
        ))
    }

    /// Parses a claim about the number of solutions.
    fn of_solutions(&self) -> Result<Option<Property>, PropertyError> {
        let exactly = Approximation::Exact;
        Ok(Some(
            match (self.functor.as_str(), self.terms.args(self.id)) {
                ("is_det" | "semidet", []) => Property::Solutions(SolutionsClaim::AtMostOne),
                ("not_fails" | "multi", []) => Property::Solutions(SolutionsClaim::AtLeastOne),
                ("det", []) => Property::Solutions(SolutionsClaim::ExactlyOne),
                ("fails" | "failure", []) => Property::Solutions(SolutionsClaim::None),
                ("non_det" | "nondet" | "possibly_fails" | "possibly_nondet", []) => {
                    Property::Solutions(SolutionsClaim::Any)
                }
                ("solutions", &[e]) => Property::SolutionCount(exactly, self.measured(e)?),
                ("solutions", &[approx, e]) => {
                    Property::SolutionCount(self.approximation(approx)?, self.measured(e)?)
                }
                ("exact", &[inner]) => match self.terms.matches(inner, "solutions", 1) {
                    Some(&[e]) => Property::SolutionCount(exactly, self.measured(e)?),
                    _ => return Ok(None),
                },
                _ => return Ok(None),
            },
        ))
    }

    /// Parses the size of an argument on success.
    fn size(&self) -> Result<Option<Property>, PropertyError> {
        let (approximation, of, e) = match (self.functor.as_str(), self.terms.args(self.id)) {
            ("size_ub", &[of, e]) => (Approximation::Upper, of, e),
            ("size_lb", &[of, e]) => (Approximation::Lower, of, e),
            ("size_o", &[of, e]) => (Approximation::Order, of, e),
            ("size", &[of, e]) => (Approximation::Exact, of, e),
            ("size", &[approx, of, e]) => (self.approximation(approx)?, of, e),
            _ => return Ok(None),
        };
        let argument = match self.terms.get(of) {
            Term::Var(v) => (self.argument)(*v),
            _ => None,
        };
        match argument {
            Some(argument) => {
                let size = Property::Size(approximation, argument, self.measured(e)?);
                Ok(Some(size))
            }
            None => Self::fail(of, "size is of an argument of the predicate"),
        }
    }

    fn cost(
        &self,
        approximation: Approximation,
        cost_type: CostType,
        resource: &str,
        expression: TermId,
    ) -> Result<Property, PropertyError> {
        let resource = canonical_resource(resource);
        let expression = self.expression(expression, self.argument, resource == "time")?;
        Ok(Property::Cost(CostProperty {
            approximation,
            cost_type,
            resource,
            expression,
        }))
    }

    fn relative(
        &self,
        approximation: Approximation,
        cost_type: Option<CostType>,
        of: &SmolStr,
        percent: TermId,
    ) -> Result<Property, PropertyError> {
        let percent = self.expression(percent, &|_| None, false);
        let percent = percent.map_err(|e| PropertyError {
            message: "the share of rel_cost is a percentage, such as 55".into(),
            ..e
        })?;
        Ok(Property::RelativeCost(RelativeCost {
            approximation,
            cost_type,
            resource: canonical_resource(of),
            percent,
        }))
    }

    fn measured(&self, e: TermId) -> Result<CostTerm, PropertyError> {
        self.expression(e, self.argument, false)
    }

    /// Parses an expression over the sizes of arguments.
    fn expression(
        &self,
        e: TermId,
        argument: &dyn Fn(u32) -> Option<usize>,
        is_time: bool,
    ) -> Result<CostTerm, PropertyError> {
        read_cost(self.terms, e, argument, self.name, is_time).map_err(|e| PropertyError {
            at: e.at,
            message: e.message,
        })
    }

    fn approximation(&self, at: TermId) -> Result<Approximation, PropertyError> {
        let found = self
            .terms
            .as_atom(at)
            .and_then(|a| Approximation::from_name(a));
        found.ok_or_else(|| PropertyError {
            at,
            message: format!(
                "the first argument of {} is one of {}{}",
                self.functor,
                listed(&APPROXIMATIONS),
                self.suggestion(at, &APPROXIMATIONS)
            ),
        })
    }

    fn cost_type(&self, at: TermId) -> Result<CostType, PropertyError> {
        CostType::from_term(self.terms, at).ok_or_else(|| PropertyError {
            at,
            message: format!(
                "a cost type is one of {}{}",
                listed(&COST_TYPES).replace("sol,", "sol(I),"),
                self.suggestion(at, &COST_TYPES)
            ),
        })
    }

    fn resource(&self, at: TermId) -> Result<&SmolStr, PropertyError> {
        self.terms.as_atom(at).ok_or_else(|| PropertyError {
            at,
            message: "the resource of a cost is an atom, such as steps".into(),
        })
    }

    /// Returns the word that the user most likely meant.
    fn suggestion(&self, at: TermId, words: &[Word]) -> String {
        match self.terms.as_atom(at) {
            Some(written) => did_you_mean(written, words),
            None => String::new(),
        }
    }
}

/// Returns the canonical name of a resource.
pub(super) fn canonical_resource(name: &str) -> SmolStr {
    match name {
        "exectime" | "exec_time" => "time".into(),
        other => other.into(),
    }
}
