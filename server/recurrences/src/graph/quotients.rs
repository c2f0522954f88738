//! Arguments that are fractions of a parameter, and the logarithms that count such divisions.

use std::collections::BTreeSet;

use costlens_algebra::prove::linear_side;
use costlens_algebra::{Atom, Expr, Region, Rounding, Var, rat};
use num_traits::{Signed, ToPrimitive};

/// A rounded logarithm of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Logarithm {
    pub(crate) base: u32,
    pub(crate) rounding: Rounding,
    pub(crate) shift: i64,
    /// True for a logarithm of `-v`: the remainders of a negative number are negative.
    pub(crate) mirrored: bool,
}

impl Logarithm {
    /// Returns the variable, or its negation if mirrored.
    pub(crate) fn side(self, v: Var) -> Expr {
        side(v, self.mirrored)
    }
}

fn side(v: Var, mirrored: bool) -> Expr {
    match mirrored {
        true => -&Expr::var(v),
        false => Expr::var(v),
    }
}

/// Returns the quotients of a parameter that the constraints force an argument to equal: `n <= 2·h <= n+1` makes h half of n, rounded up.
/// If `at_most` is set, quotients that are upper bounds on the argument are included.
pub(crate) fn quotients(arg: &Expr, params: &[Var], on: &Region, at_most: bool) -> Vec<Logarithm> {
    let mut found = Vec::new();
    if params.contains(&only_variable(arg)) {
        return found;
    }
    let (Some(most), Some(least)) = (
        linear_side(arg, Rounding::Up),
        linear_side(arg, Rounding::Down),
    ) else {
        return found;
    };
    for &v in params {
        // For a non-positive number, the quotient is the mirror image below 0.
        let high = on.bounds(&Expr::var(v)).1;
        let mirrored = high.is_some_and(|high| !high.is_positive());
        let (most, least) = match mirrored {
            true => (-&least, -&most),
            false => (most.clone(), least.clone()),
        };
        let whole = side(v, mirrored);
        for base in divisors(arg, v, on) {
            let b = rat(base.into());
            let above = |e: &Expr| &e.scale(&b) - &whole;
            let Some(high) = on.bounds(&above(&most)).1 else {
                continue;
            };
            let low = match on.bounds(&above(&least)).0 {
                Some(low) => low,
                None if at_most => high.clone(),
                None => continue,
            };
            // If b·arg - v ranges from low to high and the range is narrower than b, the argument is determined: ⌊(v + high)/b⌋.
            let (Some(low), Some(high)) = (
                low.ceil().to_integer().to_i64(),
                high.floor().to_integer().to_i64(),
            ) else {
                continue;
            };
            let b = i64::from(base);
            if high - low > b - 1 && !at_most {
                continue;
            }
            if at_most && high <= 0 {
                found.push(Logarithm {
                    base,
                    rounding: Rounding::Down,
                    shift: 0,
                    mirrored,
                });
                continue;
            }
            let log = |rounding, shift| Logarithm {
                base,
                rounding,
                shift,
                mirrored,
            };
            if high == b - 1 {
                found.push(log(Rounding::Up, 0));
            } else if high.rem_euclid(b - 1) == 0 {
                // ⌊(n+c)/b⌋ is ⌊m/b⌋ for m = n - c/(b-1).
                found.push(log(Rounding::Down, high / (b - 1)));
            } else {
                found.push(log(Rounding::Down, 0));
            }
        }
    }
    found
}

/// Returns the variable if the expression consists of a single variable, or otherwise an unused variable.
fn only_variable(e: &Expr) -> Var {
    match e.variables()[..] {
        [v] if *e == Expr::var(v) => v,
        _ => Var(u32::MAX),
    }
}

/// Returns the numbers by which `v` may be divided to obtain the argument: factors in constraints, denominators in floors.
fn divisors(arg: &Expr, v: Var, on: &Region) -> BTreeSet<u32> {
    const LARGEST: u32 = 64;
    let mut found = BTreeSet::new();
    for atom in arg.atoms() {
        if let Atom::Floor(of) = atom
            && of.variables().contains(&v)
        {
            found.extend(of.common_denominator().to_u32());
        }
    }
    let locals: Vec<Var> = arg.variables().into_iter().filter(|&w| w != v).collect();
    if !locals.is_empty() {
        for c in on.constraints() {
            for &j in &locals {
                found.extend(u32::try_from(c.coefficient(j).abs()).ok());
            }
        }
        // Two parts of about equal size: 2·i <= i + j + 1.
        found.insert(2);
        found.insert(3);
    }
    found.retain(|b| (2..=LARGEST).contains(b));
    found
}
