//! Verdicts on asserted cost functions, given inferred bounds.
//!
//! An assertion states that the cost of every call is at most (`ub`), at least (`lb`) or exactly (`eq`) a function of the sizes, or has an
//! order of growth (`o`, `oub`, `olb`). It is *checked* if an inferred bound proves it, *false* if the opposite bound refutes it (every
//! call of that size then violates the assertion), and *to check* otherwise (López-García, Darmawan, Bueno: A Framework for Verification
//! and Debugging of Resource Usage Properties, 2010). For a single size the verdicts are given on maximal integer intervals, computed by
//! exact signs ([`crate::sign`]); for several sizes they come from proofs over regions ([`crate::prove`]) and from a search for a refuting
//! point.

mod between;
mod line;
mod order;
mod points;
mod space;

use num_bigint::BigInt;

pub use between::judge_between;

use crate::expr::{Expr, Rat, Var};
use crate::linear::Region;
use crate::sign::Sign;

/// The kind of cost assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Approx {
    /// The cost is at most the function.
    Ub,
    /// The cost is at least the function.
    Lb,
    /// The cost is exactly the function.
    Eq,
    /// The cost is at most a constant multiple of the function.
    O,
    /// A synonym of `O`, which the literature uses for upper bounds.
    Oub,
    /// The cost is at least a positive constant multiple of the function.
    Olb,
}

/// A lower or upper bound on a cost, if known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The cost is bounded by this function.
    Finite(Expr),
    /// The call is proved to diverge, or its cost to be unbounded.
    Infinite,
    /// No bound is known.
    Unknown,
}

/// Bounds that hold at every integer point of a region.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The region on which the bounds hold.
    pub region: Region,
    /// The lower bound on the cost.
    pub lower: Bound,
    /// The upper bound on the cost.
    pub upper: Bound,
}

/// The verdict for some sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Proved.
    Checked,
    /// Refuted.
    False,
    /// Undecided.
    Check,
}

/// The verdict on an interval of the only relevant size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedInterval {
    /// The least size; `None` if the interval is unbounded below.
    pub from: Option<BigInt>,
    /// The greatest size; `None` if the interval is unbounded above.
    pub to: Option<BigInt>,
    /// The verdict for all sizes in the interval.
    pub verdict: Verdict,
}

/// Sizes at which an assertion is refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// A value for each size.
    pub sizes: Vec<(Var, BigInt)>,
    /// The value of the refuting bound; `None` if it is infinite.
    pub inferred: Option<Rat>,
    /// The value of the asserted function; `None` if it is too large to compute.
    pub asserted: Option<Rat>,
}

/// The judgement of an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The size over which the intervals range.
    pub variable: Option<Var>,
    /// Maximal intervals over the admitted sizes, ascending; empty for orders, for constants and if several sizes are relevant. A refuted
    /// interval means that the assertion is refuted at every point with such a size.
    pub intervals: Vec<JudgedInterval>,
    /// `False` if some admitted size refutes the assertion, `Checked` if it is proved for every admitted size, and `Check` otherwise.
    pub overall: Verdict,
    /// A point at which the assertion is refuted; always present for a false `ub`, `lb` or `eq`.
    pub witness: Option<Witness>,
    /// The reason why the assertion is undecided; `None` if it is checked or false.
    pub reason: Option<String>,
}

/// Judges an assertion on the sizes in `domain`. The bounds of a piece hold on its whole region; sizes that no piece covers have no known
/// bounds. For n >= 0, `ub 10·n+5` against exactly `1/2·n^2+3/2·n+1` is checked on 0..17 and false for n >= 18, where the cost is 190 and
/// the assertion allows 185.
#[must_use]
pub fn judge(kind: Approx, asserted: &Expr, pieces: &[Piece], domain: &Region) -> Judged {
    let pieces = clipped(pieces, domain);
    match kind {
        Approx::O | Approx::Oub | Approx::Olb => order::judge(kind, asserted, &pieces, domain),
        Approx::Ub | Approx::Lb | Approx::Eq => line::judge(kind, asserted, &pieces, domain)
            .unwrap_or_else(|| space::judge(kind, asserted, &pieces)),
    }
}

/// Once the part of the domain that no piece covers consists of more regions than this, no further pieces are subtracted from it.
const MAX_REST: usize = 64;

/// Returns the intersections of the pieces with the domain, except those proved empty, and pieces without bounds for the rest of the
/// domain.
fn clipped(pieces: &[Piece], domain: &Region) -> Vec<Piece> {
    let mut inside = Vec::new();
    let mut rest = vec![domain.clone()];
    for piece in pieces {
        let region = piece.region.and_all(domain);
        if region.is_empty() {
            continue;
        }
        if rest.len() <= MAX_REST {
            rest = rest
                .iter()
                .flat_map(|r| r.difference(&piece.region))
                .collect();
        }
        inside.push(Piece {
            region,
            lower: piece.lower.clone(),
            upper: piece.upper.clone(),
        });
    }
    inside.extend(
        rest.into_iter()
            .filter(|r| !r.is_empty())
            .map(|region| Piece {
                region,
                lower: Bound::Unknown,
                upper: Bound::Unknown,
            }),
    );
    inside
}

/// Returns the verdict, given the signs of the asserted function minus the lower bound and minus the upper bound.
fn verdict(kind: Approx, minus_lower: Option<Sign>, minus_upper: Option<Sign>) -> Verdict {
    use Sign::{Negative, Positive, Zero};
    let (checked, refuted) = match kind {
        Approx::Ub | Approx::O | Approx::Oub => (
            matches!(minus_upper, Some(Zero | Positive)),
            minus_lower == Some(Negative),
        ),
        Approx::Lb | Approx::Olb => (
            matches!(minus_lower, Some(Zero | Negative)),
            minus_upper == Some(Positive),
        ),
        Approx::Eq => (
            minus_lower == Some(Zero) && minus_upper == Some(Zero),
            minus_lower == Some(Negative) || minus_upper == Some(Positive),
        ),
    };
    if refuted {
        Verdict::False
    } else if checked {
        Verdict::Checked
    } else {
        Verdict::Check
    }
}

/// Returns the value of the bound that refutes an assertion at a point; the inner `None` represents infinity. Returns `None` if neither
/// bound refutes the assertion.
fn refuting_value(
    kind: Approx,
    asserted: &Rat,
    piece: &Piece,
    at: &dyn Fn(Var) -> Option<BigInt>,
) -> Option<Option<Rat>> {
    let from_below = matches!(kind, Approx::Ub | Approx::Eq | Approx::O | Approx::Oub);
    let from_above = matches!(kind, Approx::Lb | Approx::Eq | Approx::Olb);
    if from_below {
        match &piece.lower {
            Bound::Infinite => return Some(None),
            Bound::Finite(lower) => {
                if let Some(value) = lower.eval(at)
                    && value > *asserted
                {
                    return Some(Some(value));
                }
            }
            Bound::Unknown => {}
        }
    }
    if from_above
        && let Bound::Finite(upper) = &piece.upper
        && let Some(value) = upper.eval(at)
        && value < *asserted
    {
        return Some(Some(value));
    }
    None
}

/// Returns the reason why a piece does not prove an assertion.
fn shortcoming(kind: Approx, piece: &Piece) -> &'static str {
    let from_above = matches!(kind, Approx::Ub | Approx::Eq | Approx::O | Approx::Oub);
    let from_below = matches!(kind, Approx::Lb | Approx::Eq | Approx::Olb);
    match (&piece.lower, &piece.upper) {
        (Bound::Unknown, Bound::Unknown) => "no bound is known for some sizes",
        (_, Bound::Unknown) if from_above => "no upper bound is known for some sizes",
        (_, Bound::Infinite) if from_above => "the upper bound is infinite for some sizes",
        (Bound::Unknown, _) if from_below => "no lower bound is known for some sizes",
        _ => "the inferred bounds neither prove nor refute it for some sizes",
    }
}

/// Returns all variables in the bounds of a piece.
fn bound_variables(piece: &Piece) -> impl Iterator<Item = Var> + '_ {
    [&piece.lower, &piece.upper]
        .into_iter()
        .flat_map(|b| match b {
            Bound::Finite(e) => e.variables(),
            Bound::Infinite | Bound::Unknown => Vec::new(),
        })
}
