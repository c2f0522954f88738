//! Proofs that an expression is non-negative at every integer point of a region.
//!
//! This module decides the induction step of every verified bound. The attempts, in order: constants and linear expressions are decided by
//! elimination; equalities of the region are substituted; expressions in a single variable are decided exactly; variables are replaced by
//! the slacks of constraints that span a corner of the region (`k >= 0, k <= n-1`: `n = t1 + t2 + 1, k = t1`), after which non-negative
//! coefficients are a proof; induction along one slack; a cut at a lower bound; products of constraints (Handelman 1988). Floors,
//! logarithms and sequences are first replaced by constrained variables (`purify`); factorials are bounded by their growth (`factorial`).
//! "False" only means that no proof was found.

mod cfinite;
mod convex;
mod factorial;
mod handelman;
mod proof;
mod purify;
mod strips;
mod univariate;

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::Signed;

use crate::atom::Rounding;
use crate::expr::{Expr, Rat, Var};
use crate::linear::fraction::{Fraction, FreeUnknowns, solve_all};
use crate::linear::{Constraint, Implied, Region, Relation, Row};

pub use proof::{Fact, Proof};
use proof::{Search, only};
use purify::SmallLogarithms;

/// The first identifier reserved for proofs; these identifiers must not occur in the expressions passed in.
pub const RESERVED_VARIABLES: u32 = 0xFFFF_0000;

/// The maximum number of steps of [`nonnegative`].
const DEFAULT_FUEL: u64 = 600;

/// The maximum depth to which a proof may split a region or descend by induction.
const DEPTH: u32 = 5;

/// The highest degree of an expression that is tried; substitutions would make expressions of higher degree too long.
const DEGREE_LIMIT: u32 = 10;

/// The maximum number of bases of constraints that are tried as corners.
const CORNER_LIMIT: usize = 24;

/// The maximum number of variables of an expression for which several corners are tried, in all ways.
const FEW_VARIABLES: usize = 5;

/// The maximum number of variables of an expression for which corners are tried: costs of loops with matrices have two sizes for each.
const MOST_VARIABLES: usize = 9;

/// Returns true only if `expr >= 0` is proved at every integer point of `on`.
#[must_use]
pub fn nonnegative(expr: &Expr, on: &Region) -> bool {
    nonnegative_within(expr, on, &mut DEFAULT_FUEL.clone())
}

/// Decides like [`nonnegative`], counting steps; without fuel nothing is proved.
#[must_use]
pub fn nonnegative_within(expr: &Expr, on: &Region, fuel: &mut u64) -> bool {
    let mut search = Search::silent(*fuel);
    let proved = prove(expr, on, DEPTH, &mut search);
    *fuel = search.fuel;
    proved
}

/// Decides like [`nonnegative_within`] and records the proof, which takes slightly longer; [`Proof::Missing`] represents unrecorded parts.
#[must_use]
pub fn nonnegative_proof(expr: &Expr, on: &Region, fuel: &mut u64) -> Option<Proof> {
    let mut search = Search::recorded(*fuel);
    let proved = prove(expr, on, DEPTH, &mut search);
    *fuel = search.fuel;
    proved.then(|| search.proof()).flatten()
}

/// Returns true only if `expr = 0` is proved at every integer point of `on`.
#[must_use]
pub fn zero(expr: &Expr, on: &Region) -> bool {
    if expr.is_zero() {
        return true;
    }
    match reduce(expr, on) {
        Reduced::Empty => true,
        Reduced::To(expr, region, _) if expr.has_atoms() => {
            expr.is_zero()
                || purify::cases(&expr, &region, SmallLogarithms::Together)
                    .is_some_and(|cases| cases.iter().all(|(e, region)| zero(e, region)))
                || (nonnegative(&expr, &region) && nonnegative(&-&expr, &region))
        }
        Reduced::To(expr, region, _) => {
            expr.is_zero()
                || (expr.is_linear()
                    && Constraint::eq(&expr, &Expr::zero()).is_some_and(|c| region.implies(&c)))
        }
    }
}

/// Returns true only if every logarithm and sequence in the expression is proved to have a value at every integer point of `on`.
#[must_use]
pub fn defined(expr: &Expr, on: &Region) -> bool {
    purify::defined(expr, on)
}

/// Proves that every atom of the expression has a value on the region. Returns one proof per atom; it is empty for a floor.
#[must_use]
pub fn why_defined(expr: &Expr, on: &Region) -> Option<Vec<Implied>> {
    purify::why_defined(&expr.atoms(), on)
}

/// Returns a linear expression that is an upper ([`Rounding::Up`]) or lower bound on the given expression at integer points, with floors
/// replaced by their arguments. Returns `None` if the expression is not linear apart from floors.
#[must_use]
pub fn linear_side(expr: &Expr, to: Rounding) -> Option<Expr> {
    if expr.is_linear() {
        return Some(expr.clone());
    }
    purify::relaxed(expr, to)
}

/// Replaces the floors in an otherwise linear expression by integer variables, and returns the constraints that make these variables equal
/// to the floors. Variables of the region that already equal such floors are reused. Returns `None` for other expressions.
#[must_use]
pub fn without_floors(expr: &Expr, on: &Region) -> Option<(Expr, Vec<Constraint>)> {
    purify::without_floors(expr, on)
}

/// Returns the variable of a region that equals the floor of a linear expression.
#[must_use]
pub fn floor_variable(of: &Expr, on: &Region) -> Option<Var> {
    purify::quotient(of, on)
}

/// Proves that a variable of a region equals the floor of a linear expression.
#[must_use]
pub fn why_floor(of: &Expr, v: Var, on: &Region) -> Option<[Implied; 2]> {
    purify::why_floor(of, v, on)
}

enum Reduced {
    Empty,
    /// The reduced expression and region, with the indices of the equalities that were used and the variables for which they were solved.
    To(Expr, Region, Vec<(usize, Var)>),
}

/// Substitutes the equalities that have a coefficient of 1 or -1.
fn reduce(expr: &Expr, on: &Region) -> Reduced {
    let mut expr = expr.clone();
    let mut region = on.clone();
    let mut steps = Vec::new();
    loop {
        if region
            .constraints()
            .iter()
            .any(Constraint::is_contradiction)
        {
            return Reduced::Empty;
        }
        let solved = region.constraints().iter().enumerate().find_map(|(i, c)| {
            if c.relation() != Relation::Zero {
                return None;
            }
            let row = c.row();
            let &(v, a) = row.coefficients.iter().find(|(_, a)| a.abs() == 1)?;
            // a·v + rest = 0
            let rest = &c.expr() - &Expr::var(v).scale(&Rat::from_integer(a.into()));
            Some((i, v, rest.scale(&Rat::from_integer((-a).into()))))
        });
        let Some((i, v, value)) = solved else {
            return Reduced::To(expr, region, steps);
        };
        let by = BTreeMap::from([(v, value)]);
        let (Some(e), Some(r)) = (expr.substitute(&by), region.substitute(&by)) else {
            return Reduced::To(expr, region, steps);
        };
        steps.push((i, v));
        expr = e;
        region = r;
    }
}

/// Returns whether the expression is defined and at least 0 with `n` in place of every variable.
fn holds_at(expr: &Expr, n: &BigInt) -> bool {
    let value = expr.eval(&|_| Some(n.clone()));
    value.is_some_and(|value| !value.is_negative())
}

fn spend(fuel: &mut Search) -> bool {
    match fuel.fuel.checked_sub(1) {
        Some(rest) => {
            fuel.fuel = rest;
            true
        }
        None => false,
    }
}

fn coefficients_nonnegative(expr: &Expr) -> bool {
    expr.terms()
        .all(|(m, c)| !c.is_negative() && factorial::natural(m))
}

fn prove(expr: &Expr, on: &Region, depth: u32, fuel: &mut Search) -> bool {
    let mark = fuel.mark();
    let proved = prove_as_it_is(expr, on, depth, fuel);
    fuel.settle(mark, proved)
}

/// Decides constants and linear expressions. Returns `None` for other expressions.
fn prove_linear(expr: &Expr, on: &Region, fuel: &mut Search) -> Option<bool> {
    if let Some(c) = expr.as_constant() {
        return Some(if !c.is_negative() {
            fuel.done(|| Some(Proof::Constant))
        } else {
            on.is_empty() && fuel.done(|| on.refutation().map(Proof::Empty))
        });
    }
    if !expr.is_linear() {
        return None;
    }
    let implied = Constraint::ge(expr, &Expr::zero()).filter(|c| on.implies(c));
    Some(implied.is_some_and(|c| fuel.done(|| on.implication(&c).map(Proof::Linear))))
}

fn prove_as_it_is(expr: &Expr, on: &Region, depth: u32, fuel: &mut Search) -> bool {
    if let Some(c) = expr.as_constant()
        && !c.is_negative()
    {
        return fuel.done(|| Some(Proof::Constant));
    }
    if expr.as_constant().is_none() && !spend(fuel) {
        return false;
    }
    if let Some(known) = prove_linear(expr, on, fuel) {
        return known;
    }
    let (expr, region, steps) = match reduce(expr, on) {
        Reduced::Empty => return fuel.done(|| on.refutation().map(Proof::Empty)),
        Reduced::To(expr, region, steps) => (expr, region, steps),
    };
    let mark = fuel.mark();
    let proved = prove_reduced(&expr, &region, depth, fuel);
    if proved && !steps.is_empty() {
        fuel.combine(mark, |parts| {
            let then = only(parts)?;
            Some(Proof::Solve { steps, then })
        });
    }
    proved
}

/// Proves an expression after substitution of equalities.
fn prove_reduced(expr: &Expr, region: &Region, depth: u32, fuel: &mut Search) -> bool {
    if !expr.has_atoms() {
        return prove_plain(expr, region, depth, fuel);
    }
    if !factorial::alone(expr, region) {
        return with_atoms(expr, region, depth, fuel);
    }
    if factorial::above_one(expr, region, fuel) {
        return true;
    }
    // Other proofs with factorials are not recorded.
    let mark = fuel.mark();
    let proved = prove_plain(expr, region, depth, fuel);
    fuel.undo(mark);
    proved && fuel.done(|| None)
}

/// Proves an expression without atoms, or with factorials that are defined.
fn prove_plain(expr: &Expr, region: &Region, depth: u32, fuel: &mut Search) -> bool {
    if let Some(known) = prove_linear(expr, region, fuel) {
        return known;
    }
    if expr.terms().any(|(m, _)| m.degree() > DEGREE_LIMIT) {
        return false;
    }
    let vars = expr.variables();
    // Variables that do not occur in the expression matter only through their consequences for the other variables.
    let others: Vec<Var> = region
        .variables()
        .into_iter()
        .filter(|v| !vars.contains(v))
        .collect();
    let mut shadow = region.clone();
    if !others.is_empty() {
        match region.project_out(&others) {
            Some(projected) => shadow = projected,
            None => return false,
        }
    }
    if shadow.is_empty() {
        return fuel.done(|| region.refutation().map(Proof::Empty));
    }
    if vars.len() > 1 && shadow.constraints().len() > vars.len() {
        shadow = shadow.simplified();
    }
    let mark = fuel.mark();
    let proved = if let [v] = vars[..]
        && expr.has_atoms()
    {
        factorial::decide(expr, v, &shadow, fuel)
    } else if let [v] = vars[..] {
        univariate::decide(expr, v, &shadow, fuel)
    } else {
        prove_projected(expr, &shadow, &vars, depth, fuel)
    };
    if proved && shadow != *region {
        fuel.combine(mark, |parts| only(parts)?.weakened(region, &shadow));
    }
    proved
}

/// Proves an expression with several variables on a region over these variables.
fn prove_projected(
    expr: &Expr,
    region: &Region,
    vars: &[Var],
    depth: u32,
    fuel: &mut Search,
) -> bool {
    if refuted(expr, region, vars) {
        return false;
    }
    let mark = fuel.mark();
    if depth > 0
        && let Some(parts) = strips::parts(region)
    {
        let proved = parts.iter().all(|part| {
            let on = region.and_all(part);
            prove(expr, &on, depth - 1, fuel)
        });
        return proved && fuel.combine(mark, |then| by_cases(region, parts, then));
    }
    let corners = corners(expr, region, vars);
    if let Some(corner) = corners.iter().find(|c| coefficients_nonnegative(&c.expr)) {
        return fuel.done(|| Some(corner.proof(Proof::Coefficients)));
    }
    for corner in corners.iter().filter(|_| vars.len() <= FEW_VARIABLES) {
        if along_a_slack(&corner.expr, depth, fuel) {
            return fuel.combine(mark, |parts| Some(corner.proof(*only(parts)?)));
        }
        fuel.undo(mark);
    }
    if handelman::certificate(expr, region, fuel) {
        return true;
    }
    depth > 0 && split(expr, region, vars, depth - 1, fuel)
}

/// Returns the proof by cases for parts that cover a region.
fn by_cases(region: &Region, parts: Vec<Region>, then: Vec<Proof>) -> Option<Proof> {
    let whole: Vec<Region> = parts.iter().map(|p| region.and_all(p)).collect();
    let cover = region.cover(&parts).or_else(|| region.cover(&whole))?;
    (then.len() == parts.len()).then_some(Proof::Cases { parts, cover, then })
}

/// Proves the expression on two parts: at a lower (or upper) bound of a variable, and beyond it.
fn split(expr: &Expr, region: &Region, vars: &[Var], depth: u32, fuel: &mut Search) -> bool {
    // First split a variable without any bound by its sign.
    let mut cut = None;
    for &v in vars {
        let (low, high) = region.bounds(&Expr::var(v));
        match (low, high) {
            (None, None) => {
                cut = Some((v, Rat::from_integer(BigInt::from(0)), true));
                break;
            }
            (Some(bound), _) if cut.is_none() => cut = Some((v, bound, true)),
            (None, Some(bound)) if cut.is_none() => cut = Some((v, bound, false)),
            _ => {}
        }
    }
    let Some((v, at, from_below)) = cut else {
        return false;
    };
    let (v, at) = (Expr::var(v), Expr::constant(at));
    let (first, second) = if from_below {
        (Constraint::le(&v, &at), Constraint::gt(&v, &at))
    } else {
        (Constraint::ge(&v, &at), Constraint::lt(&v, &at))
    };
    let (Some(first), Some(second)) = (first, second) else {
        return false;
    };
    let parts = [first, second].map(|c| Region::everything().and(c));
    let mark = fuel.mark();
    let proved = parts.iter().all(|part| {
        let both = region.and_all(part);
        let (on, mark) = (both.simplified(), fuel.mark());
        prove(expr, &on, depth, fuel)
            && fuel.combine(mark, |parts| only(parts)?.weakened(&both, &on))
    });
    proved && fuel.combine(mark, |then| by_cases(region, parts.to_vec(), then))
}

fn with_atoms(expr: &Expr, region: &Region, depth: u32, fuel: &mut Search) -> bool {
    if region.is_empty() {
        return fuel.done(|| region.refutation().map(Proof::Empty));
    }
    if depth == 0 || !purify::defined(expr, region) {
        return false;
    }
    let mark = fuel.mark();
    if let [v] = expr.variables()[..]
        && let Some(proved) = univariate::decide_with_atoms(expr, v, region, depth, fuel)
    {
        return fuel.settle(mark, proved);
    }
    fuel.undo(mark);
    // If this method applies, splitting into cases would only use up the fuel.
    if convex::above_lines(expr, region, depth, fuel) {
        return true;
    }
    fuel.undo(mark);
    let mut by_cases = |small| {
        let proved = purify::cases(expr, region, small).is_some_and(|cases| {
            cases
                .iter()
                .all(|(e, region)| prove(e, region, depth - 1, fuel))
        });
        if !proved {
            fuel.undo(mark);
        }
        proved && fuel.combine(mark, |then| purify::written(expr, region, small, then))
    };
    by_cases(SmallLogarithms::Together)
        || (purify::has_powers(expr) && by_cases(SmallLogarithms::Apart))
}

/// Returns whether the expression is negative at some integer point near the lower bounds, which makes the search for a proof unnecessary.
fn refuted(expr: &Expr, region: &Region, vars: &[Var]) -> bool {
    let start: Vec<i64> = vars
        .iter()
        .map(|&v| {
            let (low, high) = region.bounds(&Expr::var(v));
            low.or(high)
                .and_then(|r| i64::try_from(r.to_integer()).ok())
                .unwrap_or(0)
        })
        .collect();
    for offsets in SAMPLES {
        for sign in [1i64, -1] {
            let value = |v: Var| {
                let i = vars.iter().position(|&w| w == v)?;
                Some(BigInt::from(
                    start[i].saturating_add(sign * offsets[i % offsets.len()]),
                ))
            };
            if region.contains(&value) && expr.eval(&value).is_some_and(|r| r.is_negative()) {
                return true;
            }
        }
    }
    false
}

/// Offsets from the lower bounds at which refutations are tried.
const SAMPLES: [[i64; 3]; 8] = [
    [0, 0, 0],
    [1, 1, 1],
    [2, 1, 3],
    [1, 3, 2],
    [3, 2, 1],
    [7, 1, 0],
    [0, 6, 9],
    [20, 30, 25],
];

fn slack(i: usize) -> Var {
    Var(RESERVED_VARIABLES + u32::try_from(i).unwrap_or(0))
}

/// An expression in terms of the slacks of some constraints.
struct Corner {
    expr: Expr,
    /// The constraints, by their index in the region.
    rows: Vec<usize>,
    /// The variables in terms of the slacks.
    values: BTreeMap<Var, Expr>,
}

impl Corner {
    fn proof(&self, then: Proof) -> Proof {
        Proof::Corner {
            rows: self.rows.clone(),
            values: self.values.clone().into_iter().collect(),
            then: Box::new(then),
        }
    }
}

/// Returns the expression in terms of slacks, for each choice of as many independent constraints as there are variables.
fn corners(expr: &Expr, region: &Region, vars: &[Var]) -> Vec<Corner> {
    let k = vars.len();
    let rows = region.constraints().iter().map(Constraint::row);
    let mut rows: Vec<(usize, &Row)> = rows.enumerate().collect();
    rows.sort_by_key(|(_, r)| r.coefficients.len());
    let mut found: Vec<Corner> = Vec::new();
    if rows.len() < k || k > MOST_VARIABLES {
        return found;
    }
    let limit = match k > FEW_VARIABLES {
        true => FEW_VARIABLES,
        false => CORNER_LIMIT,
    };
    let mut chosen: Vec<usize> = (0..k).collect();
    for _ in 0..4 * limit {
        let picked: Vec<&Row> = chosen.iter().map(|&i| rows[i].1).collect();
        if let Some(values) = slacks(&picked, vars)
            && let Some(expr) = expr.substitute(&values)
        {
            let last = coefficients_nonnegative(&expr);
            found.push(Corner {
                expr,
                rows: chosen.iter().map(|&i| rows[i].0).collect(),
                values,
            });
            if found.len() >= limit || last {
                break;
            }
        }
        if !next_choice(&mut chosen, rows.len()) {
            break;
        }
    }
    found
}

/// Advances to the next k-element subset of 0..n in lexicographic order.
fn next_choice(chosen: &mut [usize], n: usize) -> bool {
    let k = chosen.len();
    for i in (0..k).rev() {
        if chosen[i] < n - k + i {
            chosen[i] += 1;
            for j in i + 1..k {
                chosen[j] = chosen[j - 1] + 1;
            }
            return true;
        }
    }
    false
}

/// Solves `rowⱼ(vars) = tⱼ` for the variables.
fn slacks(rows: &[&Row], vars: &[Var]) -> Option<BTreeMap<Var, Expr>> {
    let k = vars.len();
    // Column j of the inverse is the solution for the j-th unit vector; the last column is the solution for the negated constants.
    let solve = |right: &dyn Fn(usize) -> Fraction| {
        solve_all(
            rows.iter().enumerate().map(|(j, row)| {
                let lhs = vars
                    .iter()
                    .map(|&v| Fraction::int(row.coefficient(v)))
                    .collect();
                (lhs, right(j))
            }),
            k,
            FreeUnknowns::Refused,
        )
    };
    let offset = solve(&|j| Fraction::int(-rows[j].constant))?;
    let mut values: Vec<Expr> = offset.iter().map(|c| Expr::constant(c.rat())).collect();
    for t in 0..k {
        let column = solve(&|j| {
            if j == t {
                Fraction::ONE
            } else {
                Fraction::ZERO
            }
        })?;
        for (value, c) in values.iter_mut().zip(column) {
            *value += &Expr::var(slack(t)).scale(&c.rat());
        }
    }
    Some(vars.iter().copied().zip(values).collect())
}

/// Proves that an expression is non-negative for all non-negative integer values of the variables. It suffices that it is non-negative at
/// 0, and that each step multiplies the previous value by at least `rho >= 0`: `e(0) >= 0` and `e(t+1) - rho·e(t) >= 0`. With `rho = b` an
/// exponential `b^t` disappears, with 1 a power, with `t+1` a factorial.
fn along_a_slack(e: &Expr, depth: u32, fuel: &mut Search) -> bool {
    if coefficients_nonnegative(e) {
        return fuel.done(|| Some(Proof::Coefficients));
    }
    // Induction is not used if a factorial may be undefined.
    if depth == 0 || !spend(fuel) || !e.terms().all(|(m, _)| factorial::natural(m)) {
        return false;
    }
    if e.has_atoms() && !factorial::is_worth_a_step(e, fuel) {
        return false;
    }
    let depth = if e.has_atoms() {
        depth.min(factorial::SLACK_DEPTH)
    } else {
        depth
    };
    let vars = e.variables();
    let origin = |_| Some(BigInt::from(0));
    if e.eval(&origin).is_none_or(|r| r.is_negative()) {
        return false;
    }
    let mark = fuel.mark();
    for &v in &vars {
        let at_zero = BTreeMap::from([(v, Expr::zero())]);
        let next = BTreeMap::from([(v, &Expr::var(v) + &Expr::int(1))]);
        let (Some(first), Some(next)) = (e.substitute(&at_zero), e.substitute(&next)) else {
            continue;
        };
        let mut rates: Vec<Expr> = e
            .terms()
            .filter_map(|(m, _)| factorial::rate(m, v))
            .chain([Expr::int(1)])
            .collect();
        rates.sort();
        rates.dedup();
        for rate in rates {
            if along_a_slack(&(&next - &(e * &rate)), depth - 1, fuel)
                && along_a_slack(&first, depth - 1, fuel)
            {
                return fuel.combine(mark, |mut parts| {
                    let first = Box::new(parts.pop()?);
                    let step = only(parts)?;
                    Some(Proof::Induction {
                        var: v,
                        rate: rate.as_constant()?,
                        step,
                        first,
                    })
                });
            }
            fuel.undo(mark);
        }
    }
    false
}
