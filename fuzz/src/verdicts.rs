//! Verdicts on random expressions: an assertion judged *checked* must hold at every small size, and one judged *false* must fail at its
//! witness.
//!
//! The input is three expressions separated by `;`: asserted, lower and upper bound. A missing one equals the previous one.

use costlens_algebra::compare::{Approx, Bound, Judged, Piece, Verdict, judge};
use costlens_algebra::{Constraint, Expr, Rat, Region, Var};
use num_bigint::BigInt;

use crate::expressions::expression;

/// The highest power. Expressions beyond this would test arithmetic, which has its own limits and its own target, instead of judgement.
const LARGEST_POWER: u32 = 6;
const LARGEST_BITS: u64 = 40;
const MOST_TERMS: usize = 6;

/// The number of sizes that are tried in each direction.
const SIZES: i64 = 9;

/// Judges the assertion with each approximation.
pub fn holds(bytes: &[u8]) {
    let text = crate::input::text(bytes);
    let mut parts = text.splitn(3, ';').map(expression);
    let Some(asserted) = parts.next().flatten() else {
        return;
    };
    let Some(lower) = parts.next().unwrap_or_else(|| Some(asserted.clone())) else {
        return;
    };
    let Some(upper) = parts.next().unwrap_or_else(|| Some(lower.clone())) else {
        return;
    };
    let all = [&asserted, &lower, &upper];
    if !all.iter().all(|e| is_moderate(e)) {
        return;
    }
    let mut variables: Vec<Var> = all.iter().flat_map(|e| e.variables()).collect();
    variables.sort_unstable();
    variables.dedup();
    if variables.len() > 2 {
        return;
    }
    let domain = (variables.iter())
        .filter_map(|&v| Constraint::ge(&Expr::var(v), &Expr::zero()))
        .fold(Region::everything(), |region, c| region.and(c));
    let pieces = [Piece {
        region: domain.clone(),
        lower: Bound::Finite(lower.clone()),
        upper: Bound::Finite(upper.clone()),
    }];
    for kind in [Approx::Ub, Approx::Lb, Approx::Eq] {
        let judged = judge(kind, &asserted, &pieces, &domain);
        let question = Question {
            kind,
            asserted: &asserted,
            lower: &lower,
            upper: &upper,
        };
        question.small_sizes_agree(&variables, &judged);
        question.witness_refutes(&judged);
    }
    for kind in [Approx::O, Approx::Oub, Approx::Olb] {
        let _ = judge(kind, &asserted, &pieces, &domain);
    }
}

fn is_moderate(e: &Expr) -> bool {
    let short = |r: &Rat| r.numer().bits().max(r.denom().bits()) <= LARGEST_BITS;
    e.terms().count() <= MOST_TERMS
        && e.terms().all(|(m, c)| {
            short(c)
                && m.powers.values().all(|k| *k <= LARGEST_POWER)
                && m.exponentials.values().all(short)
        })
}

struct Question<'a> {
    kind: Approx,
    asserted: &'a Expr,
    lower: &'a Expr,
    upper: &'a Expr,
}

impl Question<'_> {
    /// Returns whether the bounds prove the assertion at a point, and whether they refute it.
    fn at(&self, point: &dyn Fn(Var) -> Option<BigInt>) -> Option<(bool, bool)> {
        let (asserted, lower, upper) = (
            self.asserted.eval(point)?,
            self.lower.eval(point)?,
            self.upper.eval(point)?,
        );
        let (below, above) = (upper <= asserted, lower >= asserted);
        let (over, under) = (lower > asserted, upper < asserted);
        Some(match self.kind {
            Approx::Ub => (below, over),
            Approx::Lb => (above, under),
            _ => (below && above, over || under),
        })
    }

    fn small_sizes_agree(&self, variables: &[Var], judged: &Judged) {
        let second = if variables.len() > 1 { SIZES } else { 1 };
        for (a, b) in (0..SIZES).flat_map(|a| (0..second).map(move |b| (a, b))) {
            let point = |v: Var| match variables.iter().position(|w| *w == v)? {
                0 => Some(BigInt::from(a)),
                _ => Some(BigInt::from(b)),
            };
            let Some((proved, refuted)) = self.at(&point) else {
                continue;
            };
            let place = || format!("{:?} at {a}, {b}: {judged:?}", self.kind);
            if judged.overall == Verdict::Checked {
                assert!(proved, "{}", place());
            }
            let (Some(v), [_]) = (judged.variable, variables) else {
                continue;
            };
            let Some(size) = point(v) else { continue };
            let here = judged.intervals.iter().find(|i| {
                i.from.as_ref().is_none_or(|f| *f <= size)
                    && i.to.as_ref().is_none_or(|t| size <= *t)
            });
            match here.map(|i| i.verdict) {
                Some(Verdict::Checked) => assert!(proved, "{}", place()),
                Some(Verdict::False) => assert!(refuted, "{}", place()),
                _ => {}
            }
        }
    }

    fn witness_refutes(&self, judged: &Judged) {
        if judged.overall != Verdict::False {
            return;
        }
        let Some(witness) = &judged.witness else {
            panic!("false without a witness: {judged:?}");
        };
        let point = |v: Var| {
            let found = witness.sizes.iter().find(|(w, _)| *w == v);
            found.map(|(_, size)| size.clone())
        };
        if let Some((_, refuted)) = self.at(&point) {
            assert!(refuted, "{:?}: {judged:?}", self.kind);
        }
    }
}
