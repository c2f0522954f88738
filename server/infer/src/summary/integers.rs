//! Proofs that the integers of a run fit into a machine word; without such a proof, the time of arithmetic on these integers is unknown.
//!
//! ```prolog
//! len([], 0).     len([_|T], N) :- len(T, M), N is M+1.      % at most the length of a list
//! sum([], 0).     sum([X|T], S) :- sum(T, R), S is R+X.      % nothing bounds the sum of the elements of a list
//! ```

use std::collections::BTreeSet;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Atom, Expr, Rat, Var, rat};
use costlens_recurrences::Value;
use num_bigint::BigInt;
use num_traits::Signed as _;

use super::Summary;
use crate::lattice::size::Size;
use crate::lattice::types::Metric;
use crate::report::SizeVariable;

/// The bounds on the integers that arithmetic reads and computes in the runs of a predicate with a call pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integers {
    /// Each integer lies within bounds that are linear in term sizes and in these integer arguments of the call (from 0).
    Bounded(BTreeSet<usize>),
    /// No such bound is proved for some integers.
    Unbounded,
}

impl Default for Integers {
    fn default() -> Self {
        Integers::Bounded(BTreeSet::new())
    }
}

impl Integers {
    /// Combines the bounds with those on the integers of another part of the run.
    pub(crate) fn join(&mut self, other: Integers) {
        match (&mut *self, other) {
            (Integers::Bounded(all), Integers::Bounded(more)) => all.extend(more),
            _ => *self = Integers::Unbounded,
        }
    }
}

/// The maximum degree in term sizes. Products of sizes may exceed a word: a machine with 2⁴⁰ bytes of memory holds lists of up to 2³⁵
/// elements.
const MOST_FACTORS: u32 = 1;

/// The largest factor of a size, and the largest increment per recursive call: a run of one year makes about 2⁵⁰ increments.
const LARGEST_FACTOR: i64 = 1 << 10;

/// Returns the quantity that a size variable measures.
pub(crate) type SizeOf<'a> = &'a dyn Fn(Var) -> Option<MeasuredQuantity>;

/// The quantity that a size variable measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeasuredQuantity {
    /// The value of an integer argument (from 0).
    Value(usize),
    /// A term: its length, or its number of characters, or of constants and functors.
    Term,
}

/// A linear bound in terms of sizes.
struct LinearBound {
    /// The integers of the call on which the bound depends.
    values: BTreeSet<usize>,
    /// The sum of the absolute values of these integers' factors.
    factors: Rat,
    /// True if term sizes occur.
    measures: bool,
    /// The constant term.
    constant: Rat,
}

impl LinearBound {
    /// Converts an expression. Returns `None` if it is not linear, or if a factor is greater than the proofs allow.
    fn from_expr(e: &Expr, size: SizeOf<'_>) -> Option<LinearBound> {
        let mut line = LinearBound {
            values: BTreeSet::new(),
            factors: rat(0),
            measures: false,
            constant: rat(0),
        };
        line.add(e, &rat(1), size)?;
        Some(line)
    }

    fn add(&mut self, e: &Expr, by: &Rat, size: SizeOf<'_>) -> Option<()> {
        for (monomial, factor) in e.terms() {
            let factor = (factor * by).abs();
            if monomial.is_one() {
                self.constant += factor;
                continue;
            }
            if factor > rat(LARGEST_FACTOR) {
                return None;
            }
            match monomial.single_atom() {
                Some(Atom::Floor(inner)) => self.add(inner, &factor, size)?,
                // If the operand is proved to be below 2⁶³, its logarithm is negligible.
                Some(Atom::Log { of, .. }) => self.add(of, &rat(0), size)?,
                Some(_) => return None,
                None if !monomial.is_plain() || !monomial.exponentials.is_empty() => return None,
                None if monomial.degree() > MOST_FACTORS => return None,
                None => {
                    for &v in monomial.powers.keys() {
                        match size(v)? {
                            MeasuredQuantity::Value(argument) => {
                                self.values.insert(argument);
                                self.factors += &factor;
                            }
                            MeasuredQuantity::Term => self.measures = true,
                        }
                    }
                }
            }
        }
        // The word must also hold the sizes themselves, which are far below 2⁶².
        let has_sizes = self.measures || !self.values.is_empty();
        let most = if has_sizes { i64::MAX / 2 } else { i64::MAX };
        let word = Rat::from_integer(BigInt::from(most));
        (self.constant <= word).then_some(())
    }
}

/// Returns the bounds on a value, if they are linear.
pub(crate) fn of_value(value: &Size, size: SizeOf<'_>) -> Integers {
    let side = |e: &Option<Expr>| Some(LinearBound::from_expr(e.as_ref()?, size)?.values);
    match (side(&value.lower), side(&value.upper)) {
        (Some(mut lower), Some(upper)) => {
            lower.extend(upper);
            Integers::Bounded(lower)
        }
        _ => Integers::Unbounded,
    }
}

/// Returns the bounds on an integer that a recursion passes on: it may be incremented, but not multiplied or increased by term sizes.
///
/// ```prolog
/// up(N, M) :- N < M, K is N+1, up(K, M).          % grows by 1 in each call
/// double([], N, N).  double([_|T], N, M) :- K is 2*N, double(T, K, M).
/// ```
pub(crate) fn of_handed_on(value: &Size, size: SizeOf<'_>) -> Integers {
    let stays = |e: &Option<Expr>| {
        let line = LinearBound::from_expr(e.as_ref()?, size)?;
        let counts =
            line.factors <= rat(1) && !line.measures && line.constant <= rat(LARGEST_FACTOR);
        (line.values.is_empty() || counts).then_some(line.values)
    };
    match (stays(&value.lower), stays(&value.upper)) {
        (Some(mut lower), Some(upper)) => {
            lower.extend(upper);
            Integers::Bounded(lower)
        }
        _ => Integers::Unbounded,
    }
}

/// Returns the quantity that a size measures, given the argument (from 0), its metric, and whether the size is that of an element. Returns
/// `None` for an upper bound on integer elements, since the elements may be arbitrarily far below 0.
pub(crate) fn measured(
    argument: usize,
    metric: Metric,
    of_element: bool,
) -> Option<MeasuredQuantity> {
    match (metric, of_element) {
        (Metric::Int, true) => None,
        (Metric::Int, false) => Some(MeasuredQuantity::Value(argument)),
        _ => Some(MeasuredQuantity::Term),
    }
}

/// Returns whether a run whose integers exceed a machine word would take years: the run itself counts up to each integer argument on which
/// other integers depend, in steps.
///
/// `integers` contains the bounds on the run's integers, `steps` the bounds on its resolution steps.
#[must_use]
pub fn are_words(integers: &Integers, steps: &Summary) -> bool {
    let Integers::Bounded(arguments) = integers else {
        return false;
    };
    let idle: Vec<Region> = (steps.all.upper.iter())
        .filter(|piece| matches!(&piece.value, Value::Known(e) if e.is_zero()))
        .map(|piece| piece.region.clone())
        .collect();
    let is_counted = |argument: usize| {
        let is_it = |p: &&SizeVariable| {
            measured(p.argument - 1, p.metric, p.element) == Some(MeasuredQuantity::Value(argument))
        };
        let Some(of) = steps.params.iter().find(is_it) else {
            return false;
        };
        let value = Expr::var(of.var);
        [value.clone(), -&value].iter().all(|value| {
            (steps.first.lower.iter()).all(|piece| {
                let Some(large) = Constraint::ge(value, &Expr::int(1 << 40)) else {
                    return false;
                };
                let there = piece.region.and(large);
                if there.is_empty() || there.covered_by(&idle) {
                    return true;
                }
                match &piece.value {
                    Value::Known(lower) => {
                        let tenth = value.scale(&Rat::new(1.into(), 10.into()));
                        nonnegative(&(lower - &tenth), &there)
                    }
                    Value::Diverges => true,
                    Value::Unknown(_) => false,
                }
            })
        })
    };
    arguments.iter().all(|&argument| is_counted(argument))
}
