//! Cost expressions in assertions, in a flat arena.

use std::fmt;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use smol_str::SmolStr;

use super::types::SizeMetric;
use super::words::{FUNCTIONS, UNITS, did_you_mean};
use crate::term::{Term, TermId, Terms};

/// A function of a cost expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CostFunction {
    /// `A + B`.
    Add,
    /// `A - B`.
    Subtract,
    /// `- A`.
    Negate,
    /// `A * B`.
    Multiply,
    /// `A / B`, exact.
    Divide,
    /// `A ** B`, `A ^ B`, `exp(A, B)`.
    Power,
    /// `exp(A)`.
    Exponential,
    /// `log(A)`, natural.
    Logarithm,
    /// `log(B, A)`: the logarithm of A to the base B.
    LogarithmToBase,
    /// `log2(A)`.
    Logarithm2,
    /// `log10(A)`.
    Logarithm10,
    /// `sqrt(A)`.
    SquareRoot,
    /// `fact(A)`.
    Factorial,
    /// `max(A, B)`.
    Maximum,
    /// `min(A, B)`.
    Minimum,
    /// `sum(I, From, To, E)`; the first argument is [`CostNode::Index`].
    Sum,
    /// `prod(I, From, To, E)`.
    Product,
}

impl CostFunction {
    fn from_functor(name: &str, arity: usize) -> Option<Self> {
        use CostFunction as F;
        Some(match (name, arity) {
            ("+", 2) => F::Add,
            ("-", 2) => F::Subtract,
            ("-", 1) => F::Negate,
            ("*", 2) => F::Multiply,
            ("/", 2) => F::Divide,
            ("**" | "^" | "exp", 2) => F::Power,
            ("exp", 1) => F::Exponential,
            ("log" | "ln", 1) => F::Logarithm,
            ("log", 2) => F::LogarithmToBase,
            ("log2", 1) => F::Logarithm2,
            ("log10", 1) => F::Logarithm10,
            ("sqrt", 1) => F::SquareRoot,
            ("fact", 1) => F::Factorial,
            ("max", 2) => F::Maximum,
            ("min", 2) => F::Minimum,
            ("sum", 4) => F::Sum,
            ("prod", 4) => F::Product,
            _ => return None,
        })
    }
}

/// A quantity of something named that is no argument's size: `facts(par/2)`, `cost(P)`, `solutions(rule/2)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CostParameter {
    /// The quantity.
    pub quantity: NamedQuantity,
    /// Its subject.
    pub of: QuantityOf,
}

/// The quantity of a [`CostParameter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedQuantity {
    /// `facts(p/2)`: the number of clauses when the call begins.
    Facts,
    /// `cost(p/2)`, `cost(P)`: the most steps of any call that occurs.
    Cost,
    /// `solutions(p/2)`, `solutions(P)`: the most solutions of any call that occurs.
    Solutions,
}

/// The subject of a [`CostParameter`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum QuantityOf {
    /// A predicate: name and arity.
    Predicate(SmolStr, usize),
    /// The goal or closure in an argument (from 0) of the predicate.
    Argument(usize),
}

impl NamedQuantity {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "facts" => NamedQuantity::Facts,
            "cost" => NamedQuantity::Cost,
            "solutions" => NamedQuantity::Solutions,
            _ => return None,
        })
    }

    /// Returns the word of the quantity.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NamedQuantity::Facts => "facts",
            NamedQuantity::Cost => "cost",
            NamedQuantity::Solutions => "solutions",
        }
    }
}

/// The text that bounds use: `facts(par/2)`, and `cost(G1)` for the goal in the first argument.
impl fmt::Display for CostParameter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quantity = self.quantity.name();
        match &self.of {
            QuantityOf::Predicate(name, arity) => write!(out, "{quantity}({name}/{arity})"),
            QuantityOf::Argument(i) => write!(out, "{quantity}(G{})", i + 1),
        }
    }
}

/// A node of a cost expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CostNode {
    /// A rational number: numerator, positive denominator.
    Number(BigInt, BigInt),
    /// `inf`.
    Infinite,
    /// The size of an argument (from 0) in a metric. Without a metric, the analysis chooses it.
    Size(Option<SizeMetric>, usize),
    /// A quantity of something named.
    Parameter(CostParameter),
    /// The index variable of a sum or product, by its variable number in the term.
    Index(u32),
    /// A function applied to nodes with smaller indices.
    Apply(CostFunction, Vec<usize>),
}

/// A cost expression. Arguments precede the nodes that use them; the last node is the whole expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CostTerm {
    /// The nodes.
    pub nodes: Vec<CostNode>,
}

impl CostTerm {
    /// Returns the arguments (from 0) whose sizes the expression uses, each once.
    #[must_use]
    pub fn arguments(&self) -> Vec<usize> {
        let mut found: Vec<usize> = self
            .nodes
            .iter()
            .filter_map(|n| match n {
                CostNode::Size(_, argument) => Some(*argument),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// An error in a cost expression.
pub(super) struct CostError {
    pub(super) at: TermId,
    pub(super) message: String,
}

/// Parses a cost expression. `argument` returns the index of the predicate's argument that a variable names. `time` is true if units are
/// allowed.
///
/// Runs in one loop over the arena, in which arguments precede compounds, without recursion.
pub(super) fn read_cost(
    terms: &Terms,
    root: TermId,
    argument: &dyn Fn(u32) -> Option<usize>,
    name: &dyn Fn(u32) -> String,
    time: bool,
) -> Result<CostTerm, CostError> {
    let mut wanted = cost_terms(terms, root)?;
    wanted.sort_unstable();
    wanted.dedup();
    let indices = index_variables(terms, &wanted, argument);
    let fail = |at: TermId, message: String| Err(CostError { at, message });
    let variables = NamedVariables {
        terms,
        argument,
        name,
        indices: &indices,
    };

    let mut nodes: Vec<CostNode> = Vec::new();
    // The node of each term, by the term's index in `wanted`.
    let mut node_of: Vec<usize> = Vec::with_capacity(wanted.len());
    let place = |id: TermId| wanted.binary_search(&id).ok();
    for &id in &wanted {
        let node = match terms.get(id) {
            Term::Integer(n) => CostNode::Number(n.to_big(), BigInt::one()),
            Term::Rational(r) => CostNode::Number(r.0.clone(), r.1.clone()),
            Term::Float(bits) => match decimal(f64::from_bits(*bits)) {
                Some((n, d)) => CostNode::Number(n, d),
                None => {
                    return fail(
                        id,
                        "this number is not finite; for no bound at all, write inf".into(),
                    );
                }
            },
            Term::Atom(a) => match (a.as_str(), unit(a)) {
                ("inf" | "infinite" | "infinity", _) => CostNode::Infinite,
                (_, Some(ns)) if time => CostNode::Number(ns, BigInt::one()),
                (_, Some(_)) => {
                    return fail(id, format!("the unit {a} belongs to the resource time"));
                }
                _ => {
                    return fail(
                        id,
                        format!(
                            "{a} is no cost: expected a number, a size such as length(A), or inf{}",
                            did_you_mean(a, &UNITS)
                        ),
                    );
                }
            },
            Term::Var(v) => match argument(*v) {
                _ if indices.contains(v) => CostNode::Index(*v),
                Some(argument) => CostNode::Size(None, argument),
                None => {
                    return fail(
                        id,
                        format!("{} names no argument of the predicate", name(*v)),
                    );
                }
            },
            Term::String(_) => return fail(id, "a string is no cost".into()),
            Term::Error => return fail(id, "this could not be read".into()),
            Term::Compound(functor, _) => {
                let placed = |&a: &TermId| Some(node_of[place(a)?]);
                variables.compound(id, functor, &placed)?
            }
        };
        nodes.push(node);
        node_of.push(nodes.len() - 1);
    }
    Ok(CostTerm { nodes })
}

/// The variables that may occur in a cost expression.
struct NamedVariables<'a> {
    terms: &'a Terms,
    argument: &'a dyn Fn(u32) -> Option<usize>,
    name: &'a dyn Fn(u32) -> String,
    /// The variables bound by sums and products.
    indices: &'a [u32],
}

impl NamedVariables<'_> {
    /// Returns the node for a size (`length(A)`) or for a function of costs; `placed` contains the nodes of its arguments.
    fn compound(
        &self,
        id: TermId,
        functor: &str,
        placed: &dyn Fn(&TermId) -> Option<usize>,
    ) -> Result<CostNode, CostError> {
        let fail = |at: TermId, message: String| Err(CostError { at, message });
        let args = self.terms.args(id);
        if let (Some(metric), &[of]) = (SizeMetric::from_name(functor), args) {
            let Term::Var(v) = self.terms.get(of) else {
                return fail(of, format!("{functor} is of an argument of the predicate"));
            };
            return match (self.argument)(*v) {
                Some(argument) => Ok(CostNode::Size(Some(metric), argument)),
                None => fail(
                    of,
                    format!("{} names no argument of the predicate", (self.name)(*v)),
                ),
            };
        }
        if let (Some(quantity), &[of]) = (NamedQuantity::from_name(functor), args) {
            return self.parameter(quantity, of).map(CostNode::Parameter);
        }
        let Some(function) = CostFunction::from_functor(functor, args.len()) else {
            return Err(no_function(id, functor, args.len()));
        };
        if matches!(function, CostFunction::Sum | CostFunction::Product)
            && !matches!(self.terms.get(args[0]), Term::Var(v) if self.indices.contains(v))
        {
            return fail(
                args[0],
                format!("the index of {functor} is a variable of its own"),
            );
        }
        Ok(CostNode::Apply(
            function,
            args.iter().filter_map(placed).collect(),
        ))
    }

    /// Returns the quantity of a predicate indicator, or of an argument that holds a goal.
    fn parameter(&self, quantity: NamedQuantity, of: TermId) -> Result<CostParameter, CostError> {
        let name = quantity.name();
        let fail = |message: String| Err(CostError { at: of, message });
        if let Term::Var(v) = self.terms.get(of) {
            return match ((self.argument)(*v), quantity) {
                (_, NamedQuantity::Facts) => {
                    fail("facts is of a predicate: facts(par/2)".to_owned())
                }
                (Some(argument), _) => Ok(CostParameter {
                    quantity,
                    of: QuantityOf::Argument(argument),
                }),
                (None, _) => fail(format!(
                    "{} names no argument of the predicate",
                    (self.name)(*v)
                )),
            };
        }
        let indicator = self.terms.matches(of, "/", 2).and_then(|parts| {
            let &[functor, arity] = parts else {
                return None;
            };
            match (self.terms.get(functor), self.terms.get(arity)) {
                (Term::Atom(functor), Term::Integer(arity)) => {
                    Some((functor.clone(), usize::try_from(arity).ok()?))
                }
                _ => None,
            }
        });
        match indicator {
            Some((functor, arity)) => Ok(CostParameter {
                quantity,
                of: QuantityOf::Predicate(functor, arity),
            }),
            None => fail(format!("{name} is of a predicate: {name}(par/2)")),
        }
    }
}

/// Returns the subterms that are themselves costs. The argument of `length` or another metric is not a cost, nor is that of `facts`. Unknown functions are detected
/// here, starting with the outermost.
fn cost_terms(terms: &Terms, root: TermId) -> Result<Vec<TermId>, CostError> {
    let (mut found, mut stack) = (Vec::new(), vec![root]);
    while let Some(id) = stack.pop() {
        found.push(id);
        if let Term::Compound(functor, _) = terms.get(id) {
            let args = terms.args(id);
            let is_measured = SizeMetric::from_name(functor).is_some()
                || NamedQuantity::from_name(functor).is_some();
            if args.len() == 1 && is_measured {
                continue;
            }
            if CostFunction::from_functor(functor, args.len()).is_none() {
                return Err(no_function(id, functor, args.len()));
            }
            stack.extend(args.iter().rev());
        }
    }
    Ok(found)
}

/// Returns the error for a term whose functor is not a known function.
fn no_function(at: TermId, name: &str, arity: usize) -> CostError {
    let near = did_you_mean(name, &FUNCTIONS);
    let message = format!("{name}/{arity} is no function of costs{near}");
    CostError { at, message }
}

/// Returns the variables bound by sums and products: their first arguments, unless these name arguments of the predicate.
fn index_variables(
    terms: &Terms,
    wanted: &[TermId],
    argument: &dyn Fn(u32) -> Option<usize>,
) -> Vec<u32> {
    wanted
        .iter()
        .filter_map(|&id| {
            terms
                .matches(id, "sum", 4)
                .or_else(|| terms.matches(id, "prod", 4))
        })
        .filter_map(|args| match terms.get(args[0]) {
            Term::Var(v) if argument(*v).is_none() => Some(*v),
            _ => None,
        })
        .collect()
}

/// Returns a time unit in nanoseconds.
fn unit(name: &str) -> Option<BigInt> {
    Some(BigInt::from(match name {
        "ns" => 1_u64,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => return None,
    }))
}

/// Returns the decimal number that the user wrote as a float: the shortest decimal with that float value. `0.1` is 1/10.
fn decimal(value: f64) -> Option<(BigInt, BigInt)> {
    if !value.is_finite() {
        return None;
    }
    let written = format!("{value}");
    let (whole, fraction) = written.split_once('.').unwrap_or((&written, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
    let divisor = gcd(digits.abs(), scale.clone());
    Some((digits / &divisor, scale / divisor))
}

fn gcd(mut a: BigInt, mut b: BigInt) -> BigInt {
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    if a.is_zero() { BigInt::one() } else { a }
}
