//! Inverts bounds: computes the size up to which a budget is sufficient.

use std::collections::BTreeMap;

use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Constraint, Expr, Rat, Region, Var, rat};
use costlens_analysis::report::{Bound, PatternReport};
use num_bigint::BigInt;
use num_traits::{One, Signed};

use crate::present::headline::without_bound;
use crate::present::work_shown;
use crate::present::{finite, names_in};

/// The number of bits above which a size counts as arbitrarily large.
const MOST_BITS: u64 = 60;

/// The sizes for which a budget is sufficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BudgetReach {
    /// Sizes up to exactly this size.
    UpTo(BigInt),
    /// All sizes.
    Everywhere,
    /// Sizes beyond any that occur in practice: above 10¹⁷.
    Beyond,
    /// No size, not even the smallest.
    Nowhere,
}

/// Returns the sizes for which a bound stays within a budget.
///
/// All sizes in the expression are assumed to have the same value, `v`. Returns `None` if `v` has no minimum in the region, or if the bound
/// is not proved to be monotonic in `v`. Only a monotonic bound is within the budget for all smaller sizes.
///
/// `n²+n+1` is within 10⁶ up to n = 999.
#[must_use]
pub fn reach(e: &Expr, v: Var, on: &Region, budget: &Rat) -> Option<BudgetReach> {
    let same: BTreeMap<Var, Expr> = (e.variables().into_iter().chain(on.variables()))
        .map(|w| (w, Expr::var(v)))
        .collect();
    let (e, on) = (e.substitute(&same)?, on.substitute(&same)?);
    let size = Expr::var(v);
    let (least, most) = on.bounds(&size);
    let least = least?.ceil().to_integer();
    let at = |k: &BigInt| e.eval(&|_| Some(k.clone()));
    let within = |k: &BigInt| Some(at(k)? <= *budget);
    // The region that admits both a size and the next size.
    let next = e.substitute(&BTreeMap::from([(v, &size + &Expr::int(1))]))?;
    let from = on.and(Constraint::ge(
        &size,
        &Expr::constant(Rat::from_integer(least.clone())),
    )?);
    if !nonnegative(&(&next - &e), &from) {
        return None;
    }
    if !within(&least)? {
        return Some(BudgetReach::Nowhere);
    }
    let end = most.map(|m| m.floor().to_integer());
    if e.as_constant().is_some() {
        return Some(BudgetReach::Everywhere);
    }
    // Double until the budget is exceeded, then bisect.
    let (mut enough, mut width) = (least, BigInt::one());
    let too_much = loop {
        let candidate = &enough + &width;
        if end.as_ref().is_some_and(|end| candidate > *end) {
            let end = end.clone()?;
            if within(&end)? {
                return Some(BudgetReach::Everywhere);
            }
            break end;
        }
        if candidate.bits() > MOST_BITS {
            return Some(BudgetReach::Beyond);
        }
        if !within(&candidate)? {
            break candidate;
        }
        enough = candidate;
        width *= 2;
    };
    let mut too_much = too_much;
    while &too_much - &enough > BigInt::one() {
        let middle: BigInt = (&enough + &too_much) / 2;
        if within(&middle)? {
            enough = middle;
        } else {
            too_much = middle;
        }
    }
    Some(BudgetReach::UpTo(enough))
}

/// Formats the size up to which a budget is sufficient for the headline's upper bound: `10⁶ steps up to n ≈ 1,400`. Returns `None` if the
/// bound is constant or unknown.
#[must_use]
pub fn reach_text(report: &PatternReport, budget: &Rat, called: &str) -> Option<String> {
    let main = report.main_piece()?;
    let bound = finite(report.headline.where_bounded().1)?;
    let text = sentence(report, bound, &main.when, budget, called)?;
    let without = match report.headline.all.upper {
        Bound::Unknown => without_bound(report, &names_in(report)),
        Bound::Finite(_) | Bound::Infinite => String::new(),
    };
    Some(match without.is_empty() {
        true => text,
        false => format!("{text}, without a bound{without}"),
    })
}

/// Formats the size up to which a budget is sufficient for any bound in a report's sizes.
pub(crate) fn sentence(
    report: &PatternReport,
    bound: &Expr,
    on: &Region,
    budget: &Rat,
    called: &str,
) -> Option<String> {
    let (sizes, reach) = reach_in(report, bound, on, budget)?;
    Some(match reach {
        BudgetReach::UpTo(k) => format!("{called} up to {sizes} {}", rounded(&k)),
        BudgetReach::Everywhere => format!("{called} are enough for every {sizes}"),
        BudgetReach::Beyond => format!("{called} are enough for {sizes} beyond 10¹⁷"),
        BudgetReach::Nowhere => return None,
    })
}

/// Returns the sizes that a bound mentions, which are assumed to be equal, and the value up to which a budget is sufficient.
pub(super) fn reach_in(
    report: &PatternReport,
    bound: &Expr,
    on: &Region,
    budget: &Rat,
) -> Option<(String, BudgetReach)> {
    let variables = bound.variables();
    let first = *variables.first()?;
    let parameters = report.parameters.iter().map(|p| (p.var, p.name.as_str()));
    let sizes: Vec<&str> = (report.sizes.iter().map(|s| (s.var, s.name.as_str())))
        .chain(parameters)
        .filter(|(var, _)| variables.contains(var))
        .map(|(_, name)| name)
        .collect();
    let sizes = sizes.join(" = ");
    // Sizes that the bound does not mention must not restrict the region.
    let forget: Vec<Var> = (on.variables().into_iter())
        .filter(|v| !variables.contains(v))
        .collect();
    let on = on.project_out(&forget)?;
    Some((sizes, reach(bound, first, &on, budget)?))
}

/// Formats a size: `= 24`, `≈ 1,400`. Numbers of four digits or more are rounded down to two.
pub(super) fn rounded(k: &BigInt) -> String {
    let digits = k.abs().to_string();
    if digits.len() < 4 {
        return format!("= {k}");
    }
    let mut text: String = digits.chars().take(2).collect();
    text.extend(std::iter::repeat_n('0', digits.len() - 2));
    let sign = if k.is_negative() { "-" } else { "" };
    format!("≈ {sign}{}", thousands(&text))
}

/// Inserts thousands separators: `1,400,000` for `1400000`.
#[must_use]
pub fn thousands(digits: &str) -> String {
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// The budgets that `explain` reports.
const BUDGETS: [(i64, &str); 2] = [(1_000_000, "10⁶ steps"), (1_000_000_000, "10⁹ steps")];

/// The same for all work, if its class is shown.
const UNITS: [(i64, &str); 2] = [
    (1_000_000, "10⁶ units of work"),
    (1_000_000_000, "10⁹ units of work"),
];

/// Returns one line for each budget, with the sizes for which it is sufficient.
#[must_use]
pub fn steps_reached(report: &PatternReport) -> Vec<String> {
    let (of, budgets) = match work_shown(report) {
        Some(work) => (work, UNITS),
        None => (report, BUDGETS),
    };
    (budgets.iter())
        .filter_map(|(budget, called)| reach_text(of, &rat(*budget), called))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{N, at_least, n, nrev, nrev_steps};

    fn up_to(e: &Expr, budget: i64) -> Option<BudgetReach> {
        reach(e, N, &at_least(0), &rat(budget))
    }

    #[test]
    fn the_last_size_within_the_budget() {
        for budget in [1, 2, 3, 496, 497, 1_000_000] {
            let Some(BudgetReach::UpTo(k)) = up_to(&nrev_steps(), budget) else {
                panic!("{budget}");
            };
            let value = |k: BigInt| nrev_steps().eval(&|_| Some(k.clone())).unwrap();
            assert!(value(k.clone()) <= rat(budget), "{budget}: {k}");
            assert!(value(k.clone() + 1) > rat(budget), "{budget}: {k}");
        }
        let power = Expr::exponential(&rat(2), N).unwrap();
        assert_eq!(up_to(&power, 1_000_000), Some(BudgetReach::UpTo(19.into())));
    }

    #[test]
    fn what_may_fall_has_no_reach() {
        // The value of n² - 9n + 30 is 30 at 0 and 10 at 4.
        let e = &(&n().pow(2) - &n().scale(&rat(9))) + &Expr::int(30);
        assert_eq!(up_to(&e, 20), None);
    }

    #[test]
    fn budgets_may_be_enough_for_all_or_for_none() {
        assert_eq!(up_to(&Expr::int(3), 5), Some(BudgetReach::Everywhere));
        assert_eq!(
            up_to(&(&n() + &Expr::int(7)), 5),
            Some(BudgetReach::Nowhere)
        );
        let narrow = at_least(0).and(Constraint::le(&n(), &Expr::int(4)).unwrap());
        assert_eq!(
            reach(&n(), N, &narrow, &rat(9)),
            Some(BudgetReach::Everywhere)
        );
        assert_eq!(
            reach(&n(), N, &narrow, &rat(3)),
            Some(BudgetReach::UpTo(3.into()))
        );
    }

    #[test]
    fn several_sizes_grow_together() {
        let m = Var(1);
        let e = &n() * &Expr::var(m);
        let on = at_least(0).and(Constraint::ge(&Expr::var(m), &Expr::int(0)).unwrap());
        assert_eq!(
            reach(&e, N, &on, &rat(100)),
            Some(BudgetReach::UpTo(10.into()))
        );
    }

    #[test]
    fn texts_round_down() {
        assert_eq!(
            reach_text(&nrev(), &rat(1_000_000), "10⁶ steps").unwrap(),
            "10⁶ steps up to n ≈ 1,400"
        );
        assert_eq!(
            reach_text(&nrev(), &rat(500), "500 steps").unwrap(),
            "500 steps up to n = 30"
        );
        assert_eq!(rounded(&BigInt::from(2_999_999)), "≈ 2,900,000");
    }
}
