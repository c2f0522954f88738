//! Asserted functions that are only known to lie between two other functions, such as `n·log(n)`.

use num_bigint::BigInt;

use super::{Approx, Judged, JudgedInterval, Piece, Verdict, judge};
use crate::expr::Expr;
use crate::linear::Region;

/// Judges an assertion about a function between `low` and `high`. A proof for the harder side is a proof for the function: an upper bound
/// is checked against `low` and refuted against `high`. The pieces may depend on which of the two functions is used.
#[must_use]
pub fn judge_between(
    kind: Approx,
    low: &Expr,
    high: &Expr,
    pieces: &dyn Fn(&Expr) -> Vec<Piece>,
    domain: &Region,
) -> Judged {
    let by = |kind, e: &Expr| judge(kind, e, &pieces(e), domain);
    if low == high {
        return by(kind, high);
    }
    match kind {
        Approx::Ub => refuted_by(
            only(Verdict::Checked, by(Approx::Ub, low)),
            by(Approx::Ub, high),
        ),
        Approx::Lb => refuted_by(
            only(Verdict::Checked, by(Approx::Lb, high)),
            by(Approx::Lb, low),
        ),
        // `Exactly` is refuted if the cost is more than `at most` or less than `at least` allows.
        Approx::Eq => {
            let too_many = refuted_by(undecided(), by(Approx::Ub, high));
            refuted_by(too_many, by(Approx::Lb, low))
        }
        Approx::O | Approx::Oub | Approx::Olb => {
            let (by_low, by_high) = (by(kind, low), by(kind, high));
            match by_low.overall == by_high.overall {
                true => by_high,
                false => undecided(),
            }
        }
    }
}

/// The reason for undecided sizes.
const ROUNDED: &str = "the logarithm is only known up to rounding";

fn undecided() -> Judged {
    Judged {
        variable: None,
        intervals: Vec::new(),
        overall: Verdict::Check,
        witness: None,
        reason: why(Verdict::Check),
    }
}

fn why(verdict: Verdict) -> Option<String> {
    (verdict == Verdict::Check).then(|| ROUNDED.to_owned())
}

/// Returns the judgement with every verdict other than `wanted` replaced by undecided.
fn only(wanted: Verdict, mut judged: Judged) -> Judged {
    let keep = |verdict: &mut Verdict| {
        if *verdict != wanted {
            *verdict = Verdict::Check;
        }
    };
    keep(&mut judged.overall);
    judged
        .intervals
        .iter_mut()
        .for_each(|i| keep(&mut i.verdict));
    judged.witness = None;
    judged.reason = why(judged.overall);
    judged
}

/// Returns a judgement that is false at all points at which the other judgement is false.
fn refuted_by(proved: Judged, refutation: Judged) -> Judged {
    let refutation = only_false(refutation);
    let is_by_size = |judged: &Judged| judged.variable.is_some() && !judged.intervals.is_empty();
    let intervals = match (is_by_size(&proved), is_by_size(&refutation)) {
        (true, true) => met(&proved.intervals, &refutation.intervals),
        (false, true) if proved.overall == Verdict::Check => refutation.intervals,
        _ => {
            return match refutation.overall {
                Verdict::False => refutation,
                _ => proved,
            };
        }
    };
    let is = |verdict| move |i: &JudgedInterval| i.verdict == verdict;
    let overall = if intervals.iter().any(is(Verdict::False)) {
        Verdict::False
    } else if intervals.iter().all(is(Verdict::Checked)) {
        Verdict::Checked
    } else {
        Verdict::Check
    };
    Judged {
        variable: refutation.variable,
        intervals,
        overall,
        witness: refutation.witness.or(proved.witness),
        reason: why(overall),
    }
}

/// Keeps only refutations, and removes the asserted value from the witness, since it is only an approximation.
fn only_false(judged: Judged) -> Judged {
    let witness = judged.witness.clone().map(|mut witness| {
        witness.asserted = None;
        witness
    });
    Judged {
        witness,
        ..only(Verdict::False, judged)
    }
}

/// Merges the intervals of two judgements about the same sizes: false if either is false, otherwise checked if either is checked.
fn met(one: &[JudgedInterval], other: &[JudgedInterval]) -> Vec<JudgedInterval> {
    let mut all: Vec<JudgedInterval> = Vec::new();
    for a in one {
        for b in other {
            let from = greater(a.from.as_ref(), b.from.as_ref());
            let to = lesser(a.to.as_ref(), b.to.as_ref());
            if matches!((from, to), (Some(from), Some(to)) if from > to) {
                continue;
            }
            let verdict = match (a.verdict, b.verdict) {
                (Verdict::False, _) | (_, Verdict::False) => Verdict::False,
                (Verdict::Checked, _) | (_, Verdict::Checked) => Verdict::Checked,
                _ => Verdict::Check,
            };
            match all.last_mut() {
                Some(last) if last.verdict == verdict => last.to = to.cloned(),
                _ => all.push(JudgedInterval {
                    from: from.cloned(),
                    to: to.cloned(),
                    verdict,
                }),
            }
        }
    }
    all
}

fn greater<'a>(a: Option<&'a BigInt>, b: Option<&'a BigInt>) -> Option<&'a BigInt> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

fn lesser<'a>(a: Option<&'a BigInt>, b: Option<&'a BigInt>) -> Option<&'a BigInt> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
