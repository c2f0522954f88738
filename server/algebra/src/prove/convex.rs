//! Supporting lines of `x·log x`: the step of Jensen's inequality for costs that are divided among parts.
//!
//! Let `k = ⌊log_b x⌋`. The function `c(x) = x·k - b/(b-1)·b^k` is convex on x >= 1: it is linear with slope k between `b^k` and `b^(k+1)`,
//! and continuous at these points. Therefore it lies above each of its lines, `c(x) >= x·t - b/(b-1)·b^t` for every integer t; for t < 0
//! the line is below c at 1 and decreases. With a logarithm rounded up, `x·k - 1/(b-1)·b^k` has the same property. In
//!
//! ```text
//! qs([X|Xs], S) :- part(Xs, X, L, G), qs(L, SL), qs(G, SG), app(SL, [X|SG], S).
//! ```
//!
//! the lower bound `f(n) = (n+1)·k - 2·2^k + …`, `k = ⌊log₂(n+1)⌋`, must satisfy `f(i) + f(j) + n + … >= f(n)` for all `i + j = n-1`. The
//! logarithms of i+1 and j+1 are unrelated to the logarithm of n+1; but with the lines for `t = k-1` on the left-hand side, everything
//! cancels.

use num_traits::{One, Signed, Zero};

use super::proof::{Proof, Search, only};
use super::purify::SmallLogarithms;
use super::{prove, purify, refuted, spend};
use crate::atom::{Atom, Rounding};
use crate::expr::{Expr, Monomial, Rat, rat};
use crate::linear::{Constraint, Region};

/// The maximum number of combinations of lines that are tried.
const LIMIT: usize = 10;

/// Returns true only if, at every point of the region, one of the lines is proved non-negative.
pub(super) fn above_lines(expr: &Expr, on: &Region, depth: u32, fuel: &mut Search) -> bool {
    let lines = lines(expr);
    let mut vars = on.variables();
    vars.extend(expr.variables());
    vars.sort_unstable();
    vars.dedup();
    let mark = fuel.mark();
    for (line, steps) in &lines {
        if !refuted(line, on, &vars) && prove(line, on, depth - 1, fuel) {
            return fuel.combine(mark, |parts| written(expr, on, steps, *only(parts)?));
        }
    }
    // Each line rules out the points at which it is non-negative. If the logarithm cancels, these points form a half-space. Atoms are
    // replaced by variables in order, so only lines with the same atoms, or without atoms, share variables.
    let with_atoms = lines
        .iter()
        .map(|(line, _)| line)
        .find(|line| line.has_atoms());
    let (mut left, named): (Vec<Region>, Vec<&Atom>) = match with_atoms {
        Some(line) => match purify::cases(line, on, SmallLogarithms::Together) {
            Some(cases) => (cases.into_iter().map(|(_, on)| on).collect(), line.atoms()),
            None => return false,
        },
        None => (vec![on.clone()], Vec::new()),
    };
    for (line, _) in &lines {
        if !spend(fuel) {
            return false;
        }
        let cases = if !line.has_atoms() {
            vec![line.clone(); left.len()]
        } else if line.atoms() == named
            && let Some(cases) = purify::cases(line, on, SmallLogarithms::Together)
            && cases.len() == left.len()
        {
            cases.into_iter().map(|(line, _)| line).collect()
        } else {
            continue;
        };
        for (open, line) in left.iter_mut().zip(&cases) {
            if let Some(negative) = Constraint::lt(line, &Expr::zero()) {
                *open = open.and(negative);
            }
        }
        if left.iter().all(Region::is_empty) {
            return fuel.done(|| one_of(expr, on, &lines));
        }
    }
    false
}

/// The replacement of a convex function by a line.
#[derive(Clone)]
struct LineStep {
    atom: Atom,
    /// The atom whose value plus `by` is the slope.
    reference: Atom,
    by: i64,
    /// The factor of the convex function.
    factor: Rat,
}

/// Returns the proof of an expression, given the proof of a line below it.
fn written(expr: &Expr, on: &Region, steps: &[LineStep], then: Proof) -> Option<Proof> {
    let mut before = Vec::new();
    let mut current = expr.clone();
    for step in steps {
        before.push(current.clone());
        current = on_line(&current, step)?;
    }
    steps
        .iter()
        .zip(&before)
        .rev()
        .try_fold(then, |then, (step, expr)| {
            let atoms = expr.atoms();
            let place = |atom: &Atom| atoms.iter().position(|a| *a == atom);
            Some(Proof::Line {
                atom: place(&step.atom)?,
                reference: place(&step.reference)?,
                by: step.by,
                factor: step.factor.clone(),
                defined: purify::why_defined(&[&step.atom, &step.reference], on)?,
                then: Box::new(then),
            })
        })
}

/// Proves that at each point one of several expressions is non-negative. Each expression is at most the given expression, by the steps
/// listed with it.
fn one_of(expr: &Expr, on: &Region, lines: &[(Expr, Vec<LineStep>)]) -> Option<Proof> {
    let (purified, _) = purify::purified(expr, on, SmallLogarithms::Together)?;
    let mut known = Vec::new();
    for (line, steps) in lines {
        let least = purified.replaced(line)?;
        if let Some(c) = Constraint::ge(&least, &Expr::zero()) {
            known.push((c, steps));
        }
    }
    let place = |atom: &Atom| purified.names.iter().position(|(a, _)| a == atom);
    purified.written(on, &mut |region| {
        let parts: Vec<Region> = (known.iter())
            .map(|(c, _)| Region::everything().and(c.clone()))
            .collect();
        let cover = region.cover(&parts)?;
        let then = known.iter().map(|(c, steps)| {
            let linear = Proof::Linear(region.and(c.clone()).implication(c)?);
            steps.iter().rev().try_fold(linear, |then, step| {
                Some(Proof::Line {
                    atom: place(&step.atom)?,
                    reference: place(&step.reference)?,
                    by: step.by,
                    factor: step.factor.clone(),
                    defined: Vec::new(),
                    then: Box::new(then),
                })
            })
        });
        let then = then.collect::<Option<_>>()?;
        Some(Proof::Cases { parts, cover, then })
    })
}

/// Returns expressions that are at most the given expression wherever its logarithms are defined, each with fewer logarithms, and the steps
/// that produced them.
fn lines(expr: &Expr) -> Vec<(Expr, Vec<LineStep>)> {
    let atoms = expr.atoms();
    let logs = || atoms.iter().filter(|a| matches!(a, Atom::Log { .. }));
    if logs().count() < 2 {
        return Vec::new();
    }
    let convex = logs().filter_map(|a| Some((*a, convex_factor(expr, a)?)));
    let convex: Vec<(&Atom, Rat)> = convex.collect();
    let Some(base) = convex.first().and_then(|(a, _)| base_of(a)) else {
        return Vec::new();
    };
    let reference =
        logs().find(|a| base_of(a) == Some(base) && convex.iter().all(|(b, _)| *a != b));
    let Some(&reference) = reference else {
        return Vec::new();
    };
    let convex: Vec<(&Atom, Rat)> = convex
        .into_iter()
        .filter(|(a, _)| base_of(a) == Some(base))
        .collect();
    slopes(convex.len())
        .into_iter()
        .filter_map(|slopes| {
            let mut expr = expr.clone();
            let mut steps = Vec::new();
            for ((atom, factor), by) in convex.iter().zip(slopes) {
                let step = LineStep {
                    atom: (*atom).clone(),
                    reference: reference.clone(),
                    by,
                    factor: factor.clone(),
                };
                expr = on_line(&expr, &step)?;
                steps.push(step);
            }
            Some((expr, steps))
        })
        .collect()
}

/// Returns distances of the slopes below the reference's logarithm. The most likely distances, for division into halves, come first.
fn slopes(count: usize) -> Vec<Vec<i64>> {
    const NEAR: [i64; 4] = [-1, 0, -2, 1];
    if count != 2 {
        return NEAR.iter().map(|&d| vec![d; count]).collect();
    }
    let mut all: Vec<Vec<i64>> = NEAR
        .iter()
        .flat_map(|&a| NEAR.iter().map(move |&b| vec![a, b]))
        .collect();
    all.sort_by_key(|pair| pair.iter().map(|d| (d + 1).abs()).sum::<i64>());
    all.truncate(LIMIT);
    all
}

fn base_of(atom: &Atom) -> Option<u32> {
    match atom {
        Atom::Log { base, .. } => Some(*base),
        _ => None,
    }
}

/// Returns the positive factor with which the convex function of a logarithm occurs, or `None` if the logarithm occurs in any other term.
fn convex_factor(expr: &Expr, atom: &Atom) -> Option<Rat> {
    let Atom::Log { base, rounding, of } = atom else {
        return None;
    };
    let (mut times, mut power) = (Expr::zero(), Rat::zero());
    for (m, c) in expr.terms() {
        let linear = m.atoms.get(atom).copied().unwrap_or(0);
        let exponential = m.atom_exponentials.get(atom);
        match (linear, exponential) {
            (0, None) => {}
            (1, None) => {
                let mut rest = m.clone();
                rest.atoms.remove(atom);
                times.add_monomial(rest, c.clone());
            }
            (0, Some(b)) if *b == rat((*base).into()) => {
                let mut rest = m.clone();
                rest.atom_exponentials.remove(atom);
                if !rest.is_one() {
                    return None;
                }
                power = c.clone();
            }
            _ => return None,
        }
    }
    // times = factor·of
    let (m, c) = of.terms().find(|(m, _)| !m.is_one())?;
    let factor = times.coefficient(m) / c;
    let b = rat((*base).into());
    let weight = match rounding {
        Rounding::Down => &b / (&b - Rat::one()),
        Rounding::Up => (&b - Rat::one()).recip(),
    };
    let is_convex =
        factor.is_positive() && times == of.scale(&factor) && power == -(&factor * weight);
    is_convex.then_some(factor)
}

/// Replaces the convex function of a logarithm by its line of slope `reference + by`.
fn on_line(expr: &Expr, step: &LineStep) -> Option<Expr> {
    let (atom, reference, by) = (&step.atom, &step.reference, step.by);
    let b = rat(base_of(atom)?.into());
    let slope = &Expr::atom(reference.clone()) + &Expr::int(by);
    let mut result = Expr::zero();
    for (m, c) in expr.terms() {
        let mut rest = m.clone();
        let linear = rest.atoms.remove(atom).is_some();
        let exponential = rest.atom_exponentials.remove(atom).is_some();
        let rest = Expr::monomial(rest, c.clone());
        if linear {
            result += &(&rest * &slope);
        } else if exponential {
            let mut power = Monomial::one();
            power.atom_exponentials.insert(reference.clone(), b.clone());
            let at = Expr::monomial(power, b.pow(i32::try_from(by).ok()?));
            result += &(&rest * &at);
        } else {
            result += &rest;
        }
    }
    Some(result)
}
