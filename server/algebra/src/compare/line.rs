//! Verdicts on maximal integer intervals, for assertions about a single size.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::points::{integer_range, point_with};
use super::{Approx, Bound, Judged, JudgedInterval, Piece, Verdict, Witness};
use super::{bound_variables, refuting_value, shortcoming, verdict};
use crate::expr::{Expr, Monomial, Var};
use crate::linear::{Constraint, Region};
use crate::sign::{Sign, SignInterval, sign_intervals};

/// Returns the judgement if the asserted function and the bounds depend on at most one size, and if the constraints between this size and
/// the other sizes are simple enough that the set of points with a given value of the size is known. Returns `None` otherwise. The pieces
/// are in the domain and cover it.
pub(super) fn judge(
    kind: Approx,
    asserted: &Expr,
    pieces: &[Piece],
    domain: &Region,
) -> Option<Judged> {
    let mut relevant: BTreeSet<Var> = asserted.variables().into_iter().collect();
    relevant.extend(pieces.iter().flat_map(bound_variables));
    if relevant.len() > 1 {
        return None;
    }
    let mut all = relevant.clone();
    all.extend(domain.variables());
    all.extend(pieces.iter().flat_map(|p| p.region.variables()));
    if all.is_empty() {
        return Some(constant(kind, asserted, pieces));
    }
    let candidates = if relevant.is_empty() { &all } else { &relevant };
    let v = *candidates.iter().find(|v| {
        pieces.iter().all(|p| {
            p.region
                .constraints()
                .iter()
                .all(|c| is_loosely_tied(c, **v))
        })
    })?;
    let is_alone = all.len() == 1;
    let segments = Segments::new(kind, asserted, pieces, v);
    let intervals = segments.intervals(is_alone);
    let refuted: Vec<&JudgedInterval> = intervals
        .iter()
        .filter(|i| i.verdict == Verdict::False)
        .collect();
    let mut witness = None;
    for interval in &refuted {
        let Some(found) = segments.witness(kind, asserted, pieces, interval, &all) else {
            continue;
        };
        let is_finite = found.inferred.is_some();
        if is_finite || witness.is_none() {
            witness = Some(found);
        }
        if is_finite {
            break;
        }
    }
    let overall = if refuted.is_empty() {
        let is_proved = intervals.iter().all(|i| i.verdict == Verdict::Checked);
        if is_proved {
            Verdict::Checked
        } else {
            Verdict::Check
        }
    } else {
        witness.as_ref()?;
        Verdict::False
    };
    let reason = (overall == Verdict::Check).then(|| segments.reason(kind, pieces));
    // If the verdict depends on other sizes, an interval of this size cannot describe the refuted calls.
    let (variable, intervals) = match is_alone || !segments.are_mixed(&intervals) {
        true => (Some(v), intervals),
        false => (None, Vec::new()),
    };
    Some(Judged {
        variable,
        intervals,
        overall,
        witness,
        reason,
    })
}

/// Returns whether at most one size other than `v` occurs and has coefficient 1 or -1, so that its elimination is exact over the integers.
fn is_loosely_tied(c: &Constraint, v: Var) -> bool {
    let mut others = c.variables().filter(|w| *w != v);
    let Some(other) = others.next() else {
        return true;
    };
    let mut m = Monomial::one();
    m.powers.insert(other, 1);
    others.next().is_none() && c.expr().coefficient(&m).abs() == crate::expr::rat(1)
}

/// Judges an assertion without sizes, for which there is a single verdict.
fn constant(kind: Approx, asserted: &Expr, pieces: &[Piece]) -> Judged {
    let value = asserted.as_constant().unwrap_or_else(Zero::zero);
    let mut verdicts = Vec::new();
    let mut witness = None;
    for piece in pieces {
        let sign = |bound: &Bound| match bound {
            Bound::Finite(e) => Some(Sign::from_integer((asserted - e).as_constant()?.numer())),
            Bound::Infinite => Some(Sign::Negative),
            Bound::Unknown => None,
        };
        verdicts.push(verdict(kind, sign(&piece.lower), sign(&piece.upper)));
        if let Some(inferred) = refuting_value(kind, &value, piece, &|_| None) {
            witness = Some(Witness {
                sizes: Vec::new(),
                inferred,
                asserted: Some(value.clone()),
            });
        }
    }
    let overall = if verdicts.contains(&Verdict::False) {
        Verdict::False
    } else if pieces.is_empty() || verdicts.contains(&Verdict::Checked) {
        Verdict::Checked
    } else {
        Verdict::Check
    };
    let reason = match pieces.first() {
        Some(piece) if overall == Verdict::Check => Some(shortcoming(kind, piece).to_owned()),
        _ => None,
    };
    Judged {
        variable: None,
        intervals: Vec::new(),
        overall,
        witness,
        reason,
    }
}

/// The intervals with verdicts for each piece, in the order of the pieces.
struct Segments {
    variable: Var,
    of_pieces: Vec<Vec<JudgedInterval>>,
}

impl Segments {
    fn new(kind: Approx, asserted: &Expr, pieces: &[Piece], v: Var) -> Self {
        let of_pieces = pieces
            .iter()
            .map(|piece| {
                let (from, to) = integer_range(&piece.region, v);
                let signs = |bound: &Bound| match bound {
                    Bound::Finite(e) => {
                        sign_intervals(&(asserted - e), v, from.clone(), to.clone())
                    }
                    Bound::Infinite => one(&from, &to, Some(Sign::Negative)),
                    Bound::Unknown => one(&from, &to, None),
                };
                overlay(
                    &signs(&piece.lower),
                    &signs(&piece.upper),
                    |lower, upper| verdict(kind, lower, upper),
                )
            })
            .collect();
        Self {
            variable: v,
            of_pieces,
        }
    }

    /// Merges the intervals of all pieces into one list. If several pieces contain a value, one refutation suffices to refute it. One proof
    /// suffices only if the value is the whole point (`is_alone`), since otherwise the pieces may cover different points.
    fn intervals(&self, is_alone: bool) -> Vec<JudgedInterval> {
        let all = || self.of_pieces.iter().flatten();
        // `None` represents minus infinity and sorts first.
        let mut starts: BTreeSet<Option<BigInt>> = all().map(|s| s.from.clone()).collect();
        starts.extend(all().filter_map(|s| s.to.as_ref()).map(|to| Some(to + 1)));
        let starts: Vec<Option<BigInt>> = starts.into_iter().collect();
        let mut joined: Vec<JudgedInterval> = Vec::new();
        for (i, start) in starts.iter().enumerate() {
            let covering: Vec<Verdict> = all()
                .filter(|s| s.from <= *start && !(s.to.is_some() && s.to < *start))
                .map(|s| s.verdict)
                .collect();
            let verdict = if covering.is_empty() {
                continue;
            } else if covering.contains(&Verdict::False) {
                Verdict::False
            } else if is_alone && covering.contains(&Verdict::Checked)
                || covering.iter().all(|v| *v == Verdict::Checked)
            {
                Verdict::Checked
            } else {
                Verdict::Check
            };
            let to = starts
                .get(i + 1)
                .and_then(Clone::clone)
                .map(|next| next - 1);
            match joined.last_mut() {
                Some(last)
                    if last.verdict == verdict && last.to.as_ref().map(|to| to + 1) == *start =>
                {
                    last.to = to;
                }
                _ => joined.push(JudgedInterval {
                    from: start.clone(),
                    to,
                    verdict,
                }),
            }
        }
        joined
    }

    /// Returns true if some value lies both in pieces that refute the assertion and in pieces that do not, so that the verdicts apply to
    /// different points.
    fn are_mixed(&self, joined: &[JudgedInterval]) -> bool {
        let reaches = |to: &Option<BigInt>, from: &Option<BigInt>| match (to, from) {
            (Some(to), Some(from)) => to >= from,
            _ => true,
        };
        let refuted = |i: &&JudgedInterval| i.verdict == Verdict::False;
        let others = (self.of_pieces.iter().flatten()).filter(|s| s.verdict != Verdict::False);
        let mut others = others.map(|s| (&s.from, &s.to));
        others.any(|(from, to)| {
            let mut all = joined.iter().filter(refuted);
            all.any(|i| reaches(&i.to, from) && reaches(to, &i.from))
        })
    }

    /// Returns the point of a refuted interval that is nearest to its finite end, with values for the other sizes.
    fn witness(
        &self,
        kind: Approx,
        asserted: &Expr,
        pieces: &[Piece],
        interval: &JudgedInterval,
        all: &BTreeSet<Var>,
    ) -> Option<Witness> {
        let value = match (&interval.from, &interval.to) {
            (Some(from), _) => from.clone(),
            (None, Some(to)) => to.clone(),
            (None, None) => BigInt::zero(),
        };
        let v = self.variable;
        for (piece, segments) in pieces.iter().zip(&self.of_pieces) {
            let is_refuted = segments.iter().any(|s| {
                s.verdict == Verdict::False
                    && s.from.as_ref().is_none_or(|from| *from <= value)
                    && s.to.as_ref().is_none_or(|to| value <= *to)
            });
            if !is_refuted {
                continue;
            }
            let Some(sizes) = point_with(&piece.region, v, &value, all) else {
                continue;
            };
            let at = |w: Var| sizes.iter().find(|(x, _)| *x == w).map(|(_, n)| n.clone());
            let asserted = asserted.eval(&at);
            let inferred = match &asserted {
                Some(asserted) => refuting_value(kind, asserted, piece, &at),
                None => None,
            };
            return Some(Witness {
                sizes,
                inferred: inferred.flatten(),
                asserted,
            });
        }
        None
    }

    fn reason(&self, kind: Approx, pieces: &[Piece]) -> String {
        pieces
            .iter()
            .zip(&self.of_pieces)
            .find(|(_, segments)| segments.iter().any(|s| s.verdict == Verdict::Check))
            .map_or("the inferred bounds do not decide it", |(piece, _)| {
                shortcoming(kind, piece)
            })
            .to_owned()
    }
}

fn one(from: &Option<BigInt>, to: &Option<BigInt>, sign: Option<Sign>) -> Vec<SignInterval> {
    if let (Some(from), Some(to)) = (from, to)
        && from > to
    {
        return Vec::new();
    }
    vec![SignInterval {
        from: from.clone(),
        to: to.clone(),
        sign,
    }]
}

/// Combines two partitions of a range into their common refinement.
fn overlay(
    lower: &[SignInterval],
    upper: &[SignInterval],
    verdict: impl Fn(Option<Sign>, Option<Sign>) -> Verdict,
) -> Vec<JudgedInterval> {
    let mut result: Vec<JudgedInterval> = Vec::new();
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (lower.get(i), upper.get(j)) {
        let from = a.from.clone().max(b.from.clone());
        let to = match (&a.to, &b.to) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (Some(to), None) | (None, Some(to)) => Some(to.clone()),
            (None, None) => None,
        };
        let verdict = verdict(a.sign, b.sign);
        if a.to == to {
            i += 1;
        }
        if b.to == to {
            j += 1;
        }
        match result.last_mut() {
            Some(last) if last.verdict == verdict => last.to = to,
            _ => result.push(JudgedInterval { from, to, verdict }),
        }
    }
    result
}
