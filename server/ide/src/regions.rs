//! Regions of sizes in words: `n >= 2, m <= n`.

use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Constraint, Expr, Rat, Region, Relation};
use num_traits::{Signed, Zero};

/// The machine-readable text: constraints joined by commas, `true` for every size.
#[must_use]
pub fn region_text(region: &Region, names: &Names<'_>) -> String {
    let parts: Vec<String> = region
        .constraints()
        .iter()
        .map(|c| constraint_text(c, names))
        .collect();
    if parts.is_empty() {
        "true".to_owned()
    } else {
        parts.join(", ")
    }
}

/// The text for a person: `n ≥ 2, m ≤ n`.
#[must_use]
pub fn region_readable(region: &Region, names: &Names<'_>) -> String {
    if region.constraints().is_empty() {
        return "every size".to_owned();
    }
    region_text(region, names)
        .replace(">=", "≥")
        .replace("<=", "≤")
}

/// What is positive goes to the left, what is negative to the right; a lone variable stands on the left.
fn constraint_text(c: &Constraint, names: &Names<'_>) -> String {
    let (mut left, mut right) = (Expr::zero(), Expr::zero());
    for (m, k) in c.expr.terms() {
        if m.is_one() {
            right.add_monomial(m.clone(), -k.clone());
        } else if k.is_positive() {
            left.add_monomial(m.clone(), k.clone());
        } else {
            right.add_monomial(m.clone(), -k.clone());
        }
    }
    let equal = c.relation == Relation::Zero;
    if left.is_zero() {
        // `-n + 5 >= 0` is `n <= 5`: the constant goes back.
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
        let bound = to_text(&Expr::constant(-constant), names);
        let relation = if equal { "=" } else { "<=" };
        return format!("{} {relation} {bound}", to_text(&right, names));
    }
    let relation = if equal { "=" } else { ">=" };
    format!(
        "{} {relation} {}",
        to_text(&left, names),
        to_text(&right, names)
    )
}

#[cfg(test)]
mod tests {
    use costlens_algebra::Var;

    use super::*;

    #[test]
    fn constraints_read_as_they_are_written() {
        let (n, m) = (Expr::var(Var(0)), Expr::var(Var(1)));
        let names = Names::from_slice(&["n", "m"]);
        let text = |c: Option<Constraint>| constraint_text(&c.unwrap(), &names);
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
    fn every_size_is_true() {
        assert_eq!(
            region_text(&Region::everything(), &Names::from_slice(&["n"])),
            "true"
        );
    }
}
