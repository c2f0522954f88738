//! Support for tests: constructing systems, evaluating them exactly, and comparing bounds with the values.
#![cfg(test)]
#![allow(dead_code, reason = "each test file uses a part of these")]

use std::collections::BTreeMap;

use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Constraint, Expr, Monomial, Rat, Region, Relation, Var, rat};
use costlens_recurrences::{
    Alternative, CallResult, Cell, Direction, Function, SolvedPiece, System, Value, solve, verify,
};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

pub(crate) const FUEL: u64 = 20_000;
pub(crate) const N: Var = Var(0);
pub(crate) const M: Var = Var(1);
pub(crate) const P: Var = Var(2);
pub(crate) const Q: Var = Var(3);
pub(crate) const K: Var = Var(10);
pub(crate) const L: Var = Var(11);

pub(crate) fn result_var(i: usize) -> Var {
    Var(20 + i as u32)
}

fn named(name: &str) -> Var {
    match name {
        "n" => N,
        "m" => M,
        "p" => P,
        "q" => Q,
        "k" => K,
        "l" => L,
        _ => result_var(name.strip_prefix('r').unwrap().parse().unwrap()),
    }
}

fn name(v: Var) -> String {
    match v {
        N => "n".into(),
        M => "m".into(),
        P => "p".into(),
        Q => "q".into(),
        K => "k".into(),
        L => "l".into(),
        Var(i) => format!("r{}", i - 20),
    }
}

/// Parses sums of products of numbers, variables, powers `v^2`, exponentials `2^v`, and `h` for `⌊n/2⌋`.
pub(crate) fn expr(text: &str) -> Expr {
    let mut sum = Expr::zero();
    let text = text.replace('-', "+-");
    for term in text.split('+').map(str::trim).filter(|t| !t.is_empty()) {
        let (sign, term) = match term.strip_prefix('-') {
            Some(rest) => (-1, rest.trim()),
            None => (1, term),
        };
        let mut product = Expr::int(sign);
        for factor in term.split('*').map(str::trim) {
            let factor = match factor.split_once('^') {
                Some((base, exponent)) if base.parse::<i64>().is_ok() => {
                    Expr::exponential(&rat(base.parse().unwrap()), named(exponent)).unwrap()
                }
                Some((base, exponent)) => Expr::var(named(base)).pow(exponent.parse().unwrap()),
                None => match factor.split_once('/') {
                    Some((p, q)) => {
                        Expr::constant(Rat::new(p.parse().unwrap(), q.parse().unwrap()))
                    }
                    None if factor == "h" => {
                        Expr::floor(&Expr::var(N).scale(&Rat::new(1.into(), 2.into()))).unwrap()
                    }
                    None => match factor.parse::<i64>() {
                        Ok(number) => Expr::int(number),
                        Err(_) => Expr::var(named(factor)),
                    },
                },
            };
            product = &product * &factor;
        }
        sum += &product;
    }
    sum
}

pub(crate) fn constraint(text: &str) -> Constraint {
    for (op, make) in [
        (
            ">=",
            Constraint::ge as fn(&Expr, &Expr) -> Option<Constraint>,
        ),
        ("<=", Constraint::le),
        (">", Constraint::gt),
        ("<", Constraint::lt),
        ("=", Constraint::eq),
    ] {
        if let Some((a, b)) = text.split_once(op) {
            return make(&expr(a), &expr(b)).unwrap();
        }
    }
    panic!("{text}")
}

pub(crate) fn region(texts: &[&str]) -> Region {
    texts.iter().map(|t| constraint(t)).collect()
}

pub(crate) fn system(functions: Vec<Function>) -> System {
    System { functions }
}

pub(crate) fn function(arity: usize, cells: Vec<Cell>) -> Function {
    Function {
        params: [N, M, P][..arity].to_vec(),
        cells,
    }
}

pub(crate) fn cell(constraints: &[&str], alternatives: Vec<Alternative>) -> Cell {
    Cell {
        region: region(constraints),
        alternatives,
        exhaustive: false,
    }
}

pub(crate) fn leaf(value: &str) -> Alternative {
    alternative(value, &[])
}

/// Creates an alternative in which `r0`, `r1`, … are the calls in order.
pub(crate) fn alternative(value: &str, calls: &[(usize, &[&str])]) -> Alternative {
    Alternative {
        locals: Vec::new(),
        constraints: Region::everything(),
        results: calls
            .iter()
            .enumerate()
            .map(|(i, (function, args))| CallResult {
                var: result_var(i),
                function: *function,
                args: args.iter().map(|a| expr(a)).collect(),
            })
            .collect(),
        value: Some(expr(value)),
    }
}

pub(crate) fn append() -> Function {
    function(
        1,
        vec![
            cell(&["n=0"], vec![leaf("1")]),
            cell(&["n>=1"], vec![alternative("1+r0", &[(0, &["n-1"])])]),
        ],
    )
}

pub(crate) fn naive_reverse() -> System {
    system(vec![
        append(),
        function(
            1,
            vec![
                cell(&["n=0"], vec![leaf("1")]),
                cell(
                    &["n>=1"],
                    vec![alternative("1+r0+r1", &[(1, &["n-1"]), (0, &["n-1"])])],
                ),
            ],
        ),
    ])
}

pub(crate) fn show_expr(e: &Expr) -> String {
    if e.has_atoms() {
        return to_text(e, &Names::new(name));
    }
    let mut terms: Vec<(&Monomial, &Rat)> = e.terms().collect();
    terms.sort_by_key(|(m, _)| {
        (
            std::cmp::Reverse(m.exponentials.len()),
            std::cmp::Reverse(m.degree()),
            (*m).clone(),
        )
    });
    // Higher degrees come first, and n before m.
    let mut text = String::new();
    for (m, c) in terms {
        let mut factors = Vec::new();
        for (&v, &k) in &m.powers {
            factors.push(if k == 1 {
                name(v)
            } else {
                format!("{}^{k}", name(v))
            });
        }
        for (&v, b) in &m.exponentials {
            factors.push(format!("{b}^{}", name(v)));
        }
        let size = c.abs();
        if !size.is_one() || factors.is_empty() {
            factors.insert(0, size.to_string());
        }
        if c.is_negative() {
            text.push('-');
        } else if !text.is_empty() {
            text.push('+');
        }
        text.push_str(&factors.join("*"));
    }
    if text.is_empty() { "0".into() } else { text }
}

/// Displays a region with a single variable on the left of each constraint.
pub(crate) fn show_region(r: &Region) -> String {
    let shown = |c: &Constraint| {
        let v = c.variables().next()?;
        let a = c
            .expr()
            .terms()
            .find(|(m, _)| m.powers.contains_key(&v))
            .map(|(_, c)| c.clone())?;
        let rest = &c.expr() - &Expr::var(v).scale(&a);
        let right = rest.scale(&(-Rat::one() / &a));
        let op = match c.relation() {
            Relation::Zero => "=",
            Relation::NonNegative if a.is_positive() => ">=",
            Relation::NonNegative => "<=",
        };
        Some(format!("{}{op}{}", name(v), show_expr(&right)))
    };
    let mut parts: Vec<(usize, String)> = r
        .constraints()
        .iter()
        .map(|c| (c.variables().count(), shown(c).unwrap_or("never".into())))
        .collect();
    parts.sort_by_key(|p| p.0);
    parts
        .into_iter()
        .map(|p| p.1)
        .collect::<Vec<_>>()
        .join(", ")
}

pub(crate) fn show_piece(p: &SolvedPiece) -> String {
    let value = match &p.value {
        Value::Known(e) => show_expr(e),
        Value::Diverges => "diverges".into(),
        Value::Unknown(why) => format!("unknown ({why:?})"),
    };
    format!("{}: {value}", show_region(&p.region))
}

/// Returns the pieces of a function in the solution as text.
pub(crate) fn shown(s: &System, direction: Direction, function: usize) -> Vec<String> {
    let solution = solve(s, direction, FUEL);
    assert!(verify(s, &solution.functions, direction).is_ok());
    solution.functions[function]
        .iter()
        .map(show_piece)
        .collect()
}

/// An independent oracle that evaluates the least solution by plain recursion. The result is `None` if it needs more than `depth` nested
/// calls.
pub(crate) struct Oracle<'a> {
    system: &'a System,
    direction: Direction,
    memory: BTreeMap<(usize, Vec<i64>, u32), Option<Rat>>,
    pub(crate) steps: u32,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(system: &'a System, direction: Direction) -> Self {
        Self {
            system,
            direction,
            memory: BTreeMap::new(),
            steps: 0,
        }
    }

    /// Returns a lower bound on the least solution after `depth` unfoldings: Φ^depth(0) for both directions. Returns `None` if it is
    /// unknown (an alternative without a value, a call outside every cell, or the step limit).
    pub(crate) fn iterate(&mut self, f: usize, point: &[i64], depth: u32) -> Option<Rat> {
        if depth == 0 {
            return Some(Rat::zero());
        }
        let key = (f, point.to_vec(), depth);
        if let Some(known) = self.memory.get(&key) {
            return known.clone();
        }
        self.steps += 1;
        if self.steps > 400 {
            return None;
        }
        let value = self.unfold(f, point, depth);
        self.memory.insert(key, value.clone());
        value
    }

    fn unfold(&mut self, f: usize, point: &[i64], depth: u32) -> Option<Rat> {
        let function = &self.system.functions[f];
        let at: BTreeMap<Var, BigInt> = function
            .params
            .iter()
            .zip(point)
            .map(|(&v, &x)| (v, BigInt::from(x)))
            .collect();
        let cell = function
            .cells
            .iter()
            .find(|c| c.region.contains(&|v| at.get(&v).cloned()))?;
        let mut best: Option<Rat> = None;
        for a in &cell.alternatives {
            let mut choices = vec![at.clone()];
            for &v in &a.locals {
                choices = choices
                    .into_iter()
                    .flat_map(|c| {
                        (-1..=9).map(move |x: i64| {
                            let mut c = c.clone();
                            c.insert(v, BigInt::from(x));
                            c
                        })
                    })
                    .collect();
            }
            for mut values in choices {
                self.steps += 1;
                if !a.constraints.contains(&|v| values.get(&v).cloned()) {
                    continue;
                }
                for r in &a.results {
                    let args: Option<Vec<i64>> = r
                        .args
                        .iter()
                        .map(|e| e.eval(&|v| values.get(&v).cloned())?.to_integer().to_i64())
                        .collect();
                    let value = self.iterate(r.function, &args?, depth - 1)?;
                    assert!(value.is_integer(), "the oracle is for integers");
                    if value.to_integer().bits() > 200 {
                        return None; // squares of squares are not supported
                    }
                    values.insert(r.var, value.to_integer());
                }
                let value = a
                    .value
                    .as_ref()?
                    .eval(&|v| values.get(&v).cloned())?
                    .max(Rat::zero());
                best = Some(match best {
                    None => value,
                    Some(b) if self.direction == Direction::Upper => b.max(value),
                    Some(b) => b.min(value),
                });
            }
        }
        Some(best.unwrap_or_else(Rat::zero))
    }
}

pub(crate) fn points(arity: usize, reach: i64) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..arity {
        all = all
            .into_iter()
            .flat_map(|p| {
                (-3..=reach).map(move |x| {
                    let mut p = p.clone();
                    p.push(x);
                    p
                })
            })
            .collect();
    }
    all
}

/// Checks that every known bound holds at every point up to `reach`. Upper bounds are compared with every iterate; lower bounds and
/// divergence are compared with an iterate on which two depths agree, or that is already larger.
pub(crate) fn sound(s: &System, direction: Direction, reach: i64) {
    let solution = solve(s, direction, FUEL);
    let verified = verify(s, &solution.functions, direction);
    assert!(verified.is_ok(), "{verified:?} in\n{}", show_system(s));
    sound_table(s, &solution.functions, direction, reach);
}

pub(crate) fn sound_table(
    s: &System,
    table: &[Vec<SolvedPiece>],
    direction: Direction,
    reach: i64,
) {
    let mut oracle = Oracle::new(s, direction);
    let mut left = 8_000u32;
    for (f, function) in s.functions.iter().enumerate() {
        for point in points(function.params.len(), reach) {
            let at = |v: Var| {
                let i = function.params.iter().position(|&p| p == v)?;
                Some(BigInt::from(point[i]))
            };
            for piece in table[f].iter().filter(|p| p.region.contains(&at)) {
                left = left.saturating_sub(oracle.steps);
                if left == 0 {
                    return;
                }
                oracle.steps = 0;
                let depth = 24;
                let Some(value) = oracle.iterate(f, &point, depth) else {
                    continue;
                };
                match (&piece.value, direction) {
                    (Value::Known(e), Direction::Upper) => {
                        let bound = e.eval(&at).unwrap();
                        assert!(
                            bound >= value,
                            "{f} {point:?}: {value} above {} in\n{}",
                            show_piece(piece),
                            show_system(s)
                        );
                    }
                    (Value::Known(e), Direction::Lower) => {
                        let bound = e.eval(&at).unwrap();
                        if bound > value {
                            // Check whether the value is still growing.
                            let before = oracle.iterate(f, &point, depth - 5);
                            assert!(
                                before.is_none_or(|b| b < value),
                                "{f} {point:?}: {value} below {} in\n{}",
                                show_piece(piece),
                                show_system(s)
                            );
                        }
                    }
                    (Value::Diverges, _) => {
                        assert_eq!(direction, Direction::Lower);
                        assert!(
                            value >= rat(i64::from(depth)),
                            "{f} {point:?} {value} in\n{}",
                            show_system(s)
                        );
                    }
                    (Value::Unknown(_), _) => {}
                }
            }
        }
    }
}

/// Checks that VERIFY rejects a bound.
pub(crate) fn refuses(s: &System, direction: Direction, function: usize, on: &str, value: &str) {
    let mut table = solve(s, direction, FUEL).functions;
    table[function] = vec![SolvedPiece {
        region: region(&[on]),
        value: Value::Known(expr(value)),
    }];
    assert!(verify(s, &table, direction).is_err());
}

/// Displays a system on a few lines.
pub(crate) fn show_system(s: &System) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for (f, function) in s.functions.iter().enumerate() {
        for cell in &function.cells {
            let _ = writeln!(text, "f{f} [{}]", show_region(&cell.region));
            for a in &cell.alternatives {
                let _ = write!(
                    text,
                    "    {}",
                    a.value.as_ref().map_or("?".into(), show_expr)
                );
                for r in &a.results {
                    let args: Vec<String> = r.args.iter().map(show_expr).collect();
                    let _ = write!(
                        text,
                        "; {} = f{}({})",
                        name(r.var),
                        r.function,
                        args.join(", ")
                    );
                }
                let _ = writeln!(text, " if {}", show_region(&a.constraints));
            }
        }
    }
    text
}
