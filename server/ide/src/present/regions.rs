//! Formats regions of sizes: `n >= 2, m <= n`.

use costlens_algebra::display::display;
use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Constraint, Expr, Rat, Region, Relation, Var};
use costlens_analysis::{is_parameter, least_value};
use num_traits::{Signed, Zero};

/// Formats a region in machine-readable form: constraints separated by commas, or `true` for all sizes.
#[must_use]
pub fn region_text(region: &Region, names: &Names<'_>) -> String {
    let parts: Vec<String> = region
        .constraints()
        .iter()
        .filter(|c| !is_natural(c))
        .map(|c| constraint_text(c, &|e| to_text(e, names)))
        .collect();
    if parts.is_empty() {
        "true".to_owned()
    } else {
        parts.join(", ")
    }
}

/// Formats a region for display: `n ≥ 2, m ≤ n`.
#[must_use]
pub fn region_readable(region: &Region, names: &Names<'_>) -> String {
    let constraints: Vec<&Constraint> = (region.constraints().iter())
        .filter(|c| !is_natural(c))
        .collect();
    if constraints.is_empty() {
        return "every size".to_owned();
    }
    let lone = |c: &Constraint| {
        let left = c.expr();
        let mut terms = left.terms().filter(|(m, _)| !m.is_one());
        match (terms.next(), terms.next(), c.relation()) {
            (Some((m, k)), None, Relation::NonNegative) => Some((m.clone(), k.clone())),
            _ => None,
        }
    };
    let mut parts: Vec<String> = Vec::new();
    for (i, &c) in constraints.iter().enumerate() {
        // `n >= 0, n <= 4` is displayed as `0 ≤ n ≤ 4`.
        let other_side = |d: &&Constraint| match (lone(c), lone(d)) {
            (Some((m, a)), Some((n, b))) => m == n && a == -b,
            _ => false,
        };
        if constraints[..i].iter().any(other_side) {
            continue;
        }
        let text = |c: &Constraint| constraint_text(c, &|e| display(e, names));
        let bounds = constraints[i + 1..]
            .iter()
            .find(|d| other_side(d))
            .map(|d| {
                let (a, b) = (text(c), text(d));
                let split =
                    |t: &str, by: &str| t.split_once(by).map(|(l, r)| (l.to_owned(), r.to_owned()));
                let low = split(&a, " >= ").or_else(|| split(&b, " >= "));
                let high = split(&a, " <= ").or_else(|| split(&b, " <= "));
                match (low, high) {
                    (Some((size, low)), Some((same, high))) if size == same => {
                        format!("{low} <= {size} <= {high}")
                    }
                    _ => format!("{a}, {b}"),
                }
            });
        parts.push(bounds.unwrap_or_else(|| text(c)));
    }
    parts.join(", ").replace(">=", "≥").replace("<=", "≤")
}

/// Returns whether a constraint states that a parameter is not less than its least value.
fn is_natural(c: &Constraint) -> bool {
    let mut variables = c.variables();
    let least = |v: Var| Constraint::ge(&Expr::var(v), &Expr::int(least_value(v)));
    let natural = |v: Var| least(v).as_ref() == Some(c);
    variables.any(|v| is_parameter(v) && natural(v))
}

/// Formats a constraint with positive terms on the left and negative terms on the right. A single variable is placed on the left.
fn constraint_text(c: &Constraint, show: &dyn Fn(&Expr) -> String) -> String {
    let (mut left, mut right) = (Expr::zero(), Expr::zero());
    for (m, k) in c.expr().terms() {
        if m.is_one() {
            right.add_monomial(m.clone(), -k.clone());
        } else if k.is_positive() {
            left.add_monomial(m.clone(), k.clone());
        } else {
            right.add_monomial(m.clone(), -k.clone());
        }
    }
    let equal = c.relation() == Relation::Zero;
    if left.is_zero() {
        // `-n + 5 >= 0` is displayed as `n <= 5`, so the constant is moved back.
        let constant = right.coefficient(&costlens_algebra::Monomial::one());
        right.add_monomial(costlens_algebra::Monomial::one(), -constant.clone());
        if right.is_zero() {
            let holds = if equal {
                constant.is_zero()
            } else {
                constant <= Rat::zero()
            };
            return if holds { "true" } else { "false" }.to_owned();
        }
        let bound = show(&Expr::constant(-constant));
        let relation = if equal { "=" } else { "<=" };
        return format!("{} {relation} {bound}", show(&right));
    }
    let relation = if equal { "=" } else { ">=" };
    format!("{} {relation} {}", show(&left), show(&right))
}

#[cfg(test)]
mod tests {
    use costlens_algebra::Var;

    use super::*;

    #[test]
    fn constraints_read_as_they_are_written() {
        let (n, m) = (Expr::var(Var(0)), Expr::var(Var(1)));
        let names = Names::from_slice(&["n", "m"]);
        let text = |c: Option<Constraint>| constraint_text(&c.unwrap(), &|e| to_text(e, &names));
        assert_eq!(text(Constraint::ge(&n, &Expr::int(2))), "n >= 2");
        assert_eq!(text(Constraint::le(&n, &Expr::int(5))), "n <= 5");
        assert_eq!(text(Constraint::le(&n, &Expr::int(-1))), "n <= -1");
        assert_eq!(text(Constraint::eq(&n, &Expr::int(0))), "n = 0");
        assert_eq!(text(Constraint::ge(&n, &(&m + &Expr::int(1)))), "n >= m+1");
        assert_eq!(
            region_text(
                &Region::everything()
                    .and(Constraint::ge(&n, &Expr::int(2)).unwrap())
                    .and(Constraint::ge(&m, &Expr::int(0)).unwrap()),
                &names
            ),
            "n >= 2, m >= 0"
        );
    }

    #[test]
    fn two_ends_are_read_as_one_range() {
        let (n, m) = (Expr::var(Var(0)), Expr::var(Var(1)));
        let names = Names::from_slice(&["n", "m"]);
        let region = Region::everything()
            .and(Constraint::ge(&n, &Expr::int(0)).unwrap())
            .and(Constraint::ge(&m, &Expr::int(1)).unwrap())
            .and(Constraint::le(&n, &Expr::int(4)).unwrap());
        let text = region_readable(&region, &names);
        assert!(text.contains("0 ≤ n ≤ 4"), "{text}");
        assert!(text.contains("m ≥ 1"), "{text}");
        assert_eq!(text.matches('n').count(), 1, "{text}");
    }

    #[test]
    fn every_size_is_true() {
        assert_eq!(
            region_text(&Region::everything(), &Names::from_slice(&["n"])),
            "true"
        );
    }
}
