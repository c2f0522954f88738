//! Attributes a bound to its parts: the share of one call in a body, and the literal that dominates the bound.

use std::collections::BTreeMap;

use costlens_algebra::growth::growth;
use costlens_algebra::{Expr, Rat, Region, Var, rat};
use costlens_analysis::report::{Breakdown, LiteralCost, PatternReport};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::present::{finite, rank};
use crate::settings::Threshold;

/// The sizes at which shares are reported. The second row is for exponential bounds.
const SAMPLES: [[i64; 2]; 2] = [[10, 100], [10, 20]];

/// A share of a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The percentage of the bound at each sample size, with all sizes equal.
    pub at: Vec<(i64, Rat)>,
    /// The limit of the percentage as the size grows. `None` if it is unknown, for example if there are several sizes.
    pub limit: Option<Rat>,
    /// True if the part has the same growth class as the bound.
    pub same_class: bool,
}

/// The literal that contributes most to a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Dominating<'b> {
    /// The literal.
    pub literal: &'b LiteralCost,
    /// The share of the bound that the literal contributes.
    pub share: Share,
    /// True if the predicate's own clause entries dominate. The literal is then the recursive call that causes most of these entries, and
    /// the share is that of a single such call.
    pub recursion: bool,
}

/// Returns the upper bound of the main piece, to which shares refer.
fn whole(report: &PatternReport) -> Option<(&Region, &Expr)> {
    let main = report.main_piece()?;
    Some((&main.when, finite(&main.all.upper)?))
}

/// Returns the share of all calls of a literal, over all levels of the recursion. Returns `None` for a recursive call, or if the share is
/// unknown.
#[must_use]
pub fn of_all_calls(report: &PatternReport, literal: &LiteralCost) -> Option<(Expr, Share)> {
    of_part(report, &literal.total)
}

/// Returns the share of a single call of a literal in a run of the predicate. Returns `None` if the cost of the call is unknown.
#[must_use]
pub fn of_one_call(report: &PatternReport, literal: &LiteralCost) -> Option<Share> {
    let costs: Vec<(Region, Expr)> = (literal.cases.iter())
        .filter_map(|case| Some((case.when.clone(), finite(&case.steps.upper)?.clone())))
        .collect();
    of_part(report, &costs).map(|(_, share)| share)
}

/// Returns the expression of a part that applies to large sizes, and its share.
fn of_part(report: &PatternReport, part: &[(Region, Expr)]) -> Option<(Expr, Share)> {
    let (region, bound) = whole(report)?;
    let sizes: Vec<Var> = report.sizes.iter().map(|s| s.var).collect();
    let at =
        |k: i64| -> BTreeMap<Var, BigInt> { sizes.iter().map(|&v| (v, BigInt::from(k))).collect() };
    let holds = |r: &Region, k: i64| {
        let point = at(k);
        r.contains(&|v| point.get(&v).cloned())
    };
    // Each part has its own regions; shares are reported for the region with large sizes.
    let far = |r: &Region| sizes.is_empty() || holds(r, 1_000) || region.implies_all(r);
    let (_, expression) = part.iter().find(|(r, _)| far(r))?;
    if !far(region) && !sizes.is_empty() {
        return None;
    }
    let exponential = rank(&growth(bound)) == Threshold::Exponential;
    let mut samples = Vec::new();
    for k in SAMPLES[usize::from(exponential)] {
        let point = at(k);
        let value = |e: &Expr| e.eval(&|v| point.get(&v).cloned());
        let spent = part.iter().find(|(r, _)| holds(r, k));
        if let (true, Some((_, spent))) = (holds(region, k), spent)
            && let (Some(spent), Some(all)) = (value(spent), value(bound))
            && all.is_positive()
        {
            samples.push((k, percent(&spent, &all)));
        }
        if sizes.is_empty() {
            break;
        }
    }
    let (own, class) = (growth(expression), growth(bound));
    let same_class = own == class;
    let limit = match (class.monomials(), sizes.len()) {
        ([m], 0 | 1) if same_class => {
            let all = bound.coefficient(m);
            all.is_positive()
                .then(|| percent(&expression.coefficient(m), &all))
        }
        ([_], 0 | 1) if own.is_in(&class) => Some(Rat::zero()),
        _ => None,
    };
    let share = Share {
        at: samples,
        limit,
        same_class,
    };
    Some((expression.clone(), share))
}

/// Returns a percentage. The bounds of parts are computed separately, and may exceed the bound of the whole. Since the bound of the whole
/// also bounds each part, percentages are capped.
fn percent(part: &Rat, all: &Rat) -> Rat {
    (part / all * rat(100)).clamp(Rat::zero(), rat(100))
}

impl Share {
    /// Returns the share at large sizes, which is used to compare literals.
    fn weight(&self) -> Option<Rat> {
        if !self.same_class {
            return None;
        }
        (self.limit.clone()).or_else(|| self.at.last().map(|(_, p)| p.clone()))
    }

    /// Returns true if the part contributes more than half of the bound.
    #[must_use]
    pub fn dominates(&self) -> bool {
        self.weight().is_some_and(|w| w > rat(50))
    }

    /// Formats the share, with the size names of the report: `83% at n = 10, 98% at n = 100, 100% in the limit`. Returns `None` if the share
    /// is unknown.
    #[must_use]
    pub fn text(&self, report: &PatternReport) -> Option<String> {
        let names: Vec<&str> = report.sizes.iter().map(|s| s.name.as_str()).collect();
        if names.is_empty() {
            return self.at.first().map(|(_, p)| percent_text(p));
        }
        let mut parts: Vec<String> = (self.at.iter())
            .map(|(k, p)| format!("{} at {} = {k}", percent_text(p), names.join(" = ")))
            .collect();
        if let Some(limit) = &self.limit {
            parts.push(format!("{} in the limit", percent_text(limit)));
        }
        // A percentage that is equal at all sizes is reported once.
        let percent = |part: &String| part.split_once('%').map(|(percent, _)| percent.to_owned());
        if let Some(first) = parts.first().and_then(percent)
            && parts.len() > 1
            && parts
                .iter()
                .all(|part| percent(part).as_ref() == Some(&first))
        {
            return Some(format!("{first}%"));
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Formats a percentage: `83%`. A part is never rounded up to 100%, and a nonzero part never down to 0%.
fn percent_text(p: &Rat) -> String {
    let rounded = p.round().to_integer().to_i64().unwrap_or(100);
    match rounded {
        0 if !p.is_zero() => "under 1%".to_owned(),
        100 if *p != rat(100) => "over 99%".to_owned(),
        n => format!("{n}%"),
    }
}

/// Returns the literal that contributes most to the bound at large sizes.
#[must_use]
pub fn dominating<'b>(report: &PatternReport, breakdown: &'b Breakdown) -> Option<Dominating<'b>> {
    let mut best: Option<(Rat, Dominating<'b>)> = None;
    for literal in breakdown.literals.iter().filter(|l| !l.recursive) {
        let Some((_, share)) = of_all_calls(report, literal) else {
            continue;
        };
        let Some(weight) = share.weight().filter(Signed::is_positive) else {
            continue;
        };
        if best.as_ref().is_none_or(|(w, _)| weight > *w) {
            let found = Dominating {
                literal,
                share,
                recursion: false,
            };
            best = Some((weight, found));
        }
    }
    // The remainder belongs to the recursion: to clause entries, and to the calls of other predicates in a mutual recursion.
    let weight = |part| of_part(report, part).and_then(|(_, share)| share.weight());
    let recursion = weight(&breakdown.entries).max(weight(&breakdown.elsewhere));
    let others = best.as_ref().map_or_else(Rat::zero, |(w, _)| w.clone());
    if recursion.is_none_or(|own| own <= others) {
        return best.map(|(_, d)| d);
    }
    let mut most: Option<(Rat, Dominating<'b>)> = None;
    for literal in breakdown.literals.iter().filter(|l| l.recursive) {
        let Some(share) = of_one_call(report, literal) else {
            continue;
        };
        let weight = share.weight().unwrap_or_else(Rat::zero);
        if most.as_ref().is_none_or(|(w, _)| weight > *w) {
            let found = Dominating {
                literal,
                share,
                recursion: true,
            };
            most = Some((weight, found));
        }
    }
    most.map(|(_, d)| d)
}

#[cfg(test)]
mod tests {
    use costlens_analysis::report::{Bound, Functor, Interval, LiteralCase};
    use costlens_analysis::types::{Pattern, Type};
    use costlens_syntax::term::TermId;

    use super::*;
    use crate::samples::{at_least, n, nrev};

    fn half() -> Rat {
        Rat::new(1.into(), 2.into())
    }

    fn literal(recursive: bool, one: Expr, total: Option<Expr>) -> LiteralCost {
        LiteralCost {
            clause: 1,
            literal: TermId(3),
            callee: Functor::new("app", 3),
            pattern: Pattern(vec![Type::Any; 3]),
            recursive,
            cases: vec![LiteralCase {
                when: at_least(1),
                sizes: Vec::new(),
                steps: Interval {
                    lower: Bound::Finite(one.clone()),
                    upper: Bound::Finite(one),
                },
            }],
            total: total.into_iter().map(|e| (at_least(0), e)).collect(),
        }
    }

    fn app() -> LiteralCost {
        let total = &n().pow(2).scale(&half()) + &n().scale(&half());
        literal(false, n(), Some(total))
    }

    #[test]
    fn all_calls_of_app_are_most_of_nrev() {
        let (part, share) = of_all_calls(&nrev(), &app()).unwrap();
        assert_eq!(part.terms().count(), 2);
        assert!(share.dominates());
        assert_eq!(
            share.text(&nrev()).unwrap(),
            "83% at n = 10, 98% at n = 100, 100% in the limit"
        );
        // The share of a single call vanishes in the limit.
        let one = of_one_call(&nrev(), &app()).unwrap();
        assert_eq!(one.limit, Some(Rat::zero()));
        assert!(!one.dominates());
    }

    #[test]
    fn the_literal_that_grows_as_the_bound_dominates() {
        let small = literal(false, Expr::int(1), Some(n()));
        let breakdown = Breakdown {
            literals: vec![small, app()],
            entries: vec![(at_least(0), n())],
            ..Breakdown::default()
        };
        let found = dominating(&nrev(), &breakdown).unwrap();
        assert_eq!(found.literal.total, app().total);
        assert!(!found.recursion);
    }

    #[test]
    fn where_clause_entries_dominate_the_recursion_is_named() {
        let breakdown = Breakdown {
            literals: vec![literal(true, n(), None)],
            entries: vec![(at_least(0), crate::samples::nrev_steps())],
            ..Breakdown::default()
        };
        assert!(dominating(&nrev(), &breakdown).unwrap().recursion);
    }

    #[test]
    fn what_is_the_same_everywhere_is_said_once() {
        let share = Share {
            at: vec![(10, rat(50)), (20, rat(50))],
            limit: Some(rat(50)),
            same_class: true,
        };
        assert_eq!(share.text(&nrev()).unwrap(), "50%");
    }

    #[test]
    fn shares_are_not_rounded_to_all_or_nothing() {
        assert_eq!(percent_text(&rat(100)), "100%");
        assert_eq!(percent_text(&Rat::new(999.into(), 10.into())), "over 99%");
        assert_eq!(percent_text(&Rat::new(1.into(), 10.into())), "under 1%");
        assert_eq!(percent_text(&Rat::zero()), "0%");
    }
}
