//! The headline of a report in words: its bounds, the condition under which they are stated, the sizes that they leave out.

use costlens_algebra::growth::{Growth, growth as growth_of, growth_within};
use costlens_algebra::text::Names;
use costlens_algebra::{Constraint, Expr, Region, Relation};
use costlens_analysis::report::{Bound, PatternReport, PieceKind, Side, SizeVariable};

use super::regions::{region_readable, region_text};
use super::{headline_class, interval_text, names, outward, readable};

/// The sizes that the headline is stated of, where it is not every size: `n >= m`.
fn condition(report: &PatternReport) -> Option<Region> {
    let conditional = report.headline.conditional;
    conditional.then(|| Some(plain(&report.main_piece()?.when, &[], &report.sizes)))?
}

/// A region without what goes without saying: that a length is not negative, and what other regions that are named beside it cover.
#[must_use]
pub fn plain(region: &Region, beside: &[Region], sizes: &[SizeVariable]) -> Region {
    let possible = sizes
        .iter()
        .filter_map(|size| Constraint::ge(&Expr::var(size.var), &Expr::int(size.metric.least()?)));
    let possible = possible.fold(Region::everything(), |all, c| all.and(c));
    let mut kept = region.constraints().to_vec();
    for constraint in region.constraints() {
        if constraint.relation() == Relation::Zero {
            continue;
        }
        let others = kept.iter().filter(|c| *c != constraint);
        let wider = others.fold(Region::everything(), |all, c| all.and(c.clone()));
        let gained =
            (constraint.negated().into_iter()).map(|outside| wider.and_all(&possible).and(outside));
        if gained.into_iter().all(|part| part.covered_by(beside)) {
            kept.retain(|c| c != constraint);
        }
    }
    kept.into_iter()
        .fold(Region::everything(), |all, c| all.and(c))
}

/// The class of a bound of the headline, where the headline holds.
pub(crate) fn growth(report: &PatternReport, bound: &Expr) -> Growth {
    match condition(report) {
        Some(when) => growth_within(bound, &when),
        None => growth_of(bound),
    }
}

/// The condition in the syntax of regions.
#[must_use]
pub fn condition_text(report: &PatternReport, names: &Names<'_>) -> Option<String> {
    condition(report).map(|when| region_text(&when, names))
}

/// The condition as a hint has it: `n≥m`.
fn condition_short(report: &PatternReport, names: &Names<'_>) -> Option<String> {
    let text = region_readable(&condition(report)?, names);
    Some(text.replace(' ', "").replace(',', ", "))
}

/// The sizes that the headline leaves out, in as few regions as they make.
fn left_out(report: &PatternReport) -> Vec<Region> {
    let pieces = report.headline.except.iter();
    let mut found: Vec<Region> = pieces
        .filter_map(|&i| Some(report.steps.get(i)?.when.clone()))
        .collect();
    'again: loop {
        for i in 0..found.len() {
            for j in i + 1..found.len() {
                if let Some(union) = found[i].union_if_convex(&found[j]) {
                    found[i] = union.simplified();
                    found.remove(j);
                    continue 'again;
                }
            }
        }
        break;
    }
    for i in 0..found.len() {
        let region = found.remove(i);
        found.insert(i, plain(&region, &found, &report.sizes));
    }
    // Regions that were made wider may hold others.
    let mut kept: Vec<Region> = Vec::new();
    for region in found {
        if !kept.iter().any(|other| region.implies_all(other)) {
            kept.retain(|other| !other.implies_all(&region));
            kept.push(region);
        }
    }
    kept
}

/// The sizes that the headline leaves out, in the syntax of regions: `n <= 0`, `n = 0 or m = 0`.
#[must_use]
pub fn except_text(report: &PatternReport, names: &Names<'_>) -> Option<String> {
    except(report, |region| region_text(region, names))
}

fn except(report: &PatternReport, text: impl Fn(&Region) -> String) -> Option<String> {
    let parts: Vec<String> = left_out(report).iter().map(text).collect();
    (!parts.is_empty()).then(|| parts.join(" or "))
}

/// The longest text of a headline in characters, and its most terms: what is longer stands as its class.
const LONGEST: usize = 30;
const MOST_TERMS: usize = 3;

/// The headline as hints show it, with its condition: `n²/2+3n/2+1`, `≤ m+1`, `n≥m: m+1`; `n≥m: O(n)` where that is too long.
#[must_use]
pub fn display(report: &PatternReport, names: &Names<'_>) -> String {
    formula(report, names).unwrap_or_else(|| {
        let short = match &report.headline.all.upper {
            Bound::Finite(_) => headline_class(report, names),
            Bound::Infinite => Some("diverges".to_owned()),
            Bound::Unknown => None,
        };
        under_condition(report, names, short.unwrap_or_else(|| "cost ?".to_owned()))
    })
}

/// The headline with its condition, where it is short enough to be taken in at a glance.
pub(crate) fn formula(report: &PatternReport, names: &Names<'_>) -> Option<String> {
    let (lower, upper) = report.headline.envelope();
    let terms = match upper {
        Bound::Finite(e) => e.terms().count(),
        Bound::Infinite | Bound::Unknown => 0,
    };
    let text = interval_text(lower, upper, names);
    let text = match condition_short(report, names) {
        Some(condition) => format!("{condition}: {text}"),
        None => text,
    };
    (text.chars().count() <= LONGEST && terms <= MOST_TERMS).then_some(text)
}

/// Puts the condition in front of a class; one that is too long is only mentioned.
pub(crate) fn under_condition(report: &PatternReport, names: &Names<'_>, text: String) -> String {
    let Some(condition) = condition_short(report, names) else {
        return text;
    };
    let whole = format!("{condition}: {text}");
    match whole.chars().count() <= LONGEST {
        true => whole,
        false => format!("{text}, for some sizes"),
    }
}

/// The word for the bounds of a headline.
#[must_use]
pub fn kind(report: &PatternReport) -> PieceKind {
    let fails = |bound: &Bound| matches!(bound, Bound::Finite(e) if e.is_zero());
    match report.main_piece() {
        Some(main) if main.kind == PieceKind::Failure && fails(&report.headline.all.upper) => {
            PieceKind::Failure
        }
        _ => report.headline.kind(),
    }
}

/// Condition, text and exception: `n ≥ m: m+1`, `2n, except n = 0`.
#[must_use]
pub fn qualified(report: &PatternReport, names: &Names<'_>, text: &str) -> String {
    let condition = condition(report).map(|when| region_readable(&when, names));
    let condition = condition.map_or_else(String::new, |c| format!("{c}: "));
    let except = except(report, |region| region_readable(region, names));
    let except = except.map_or_else(String::new, |e| format!(", except {e}"));
    format!("{condition}{text}{except}")
}

/// The headline in a sentence without its full stop: `Exactly n²/2 + 3n/2 + 1 steps`, `At most m + 1 steps for m ≥ n, except for n = 0`.
#[must_use]
pub fn in_words(report: &PatternReport) -> String {
    let names = names(&report.sizes);
    let (lower, upper) = report.headline.envelope();
    let (text, rest) = match (kind(report), lower, upper) {
        (PieceKind::Failure, ..) => ("Fails without a step".to_owned(), ""),
        (PieceKind::Diverges, Bound::Infinite, _) => ("Diverges".to_owned(), ""),
        (PieceKind::Diverges, ..) => ("Diverges on redo".to_owned(), ""),
        (_, Bound::Finite(e), Bound::Unknown) if e.is_zero() => {
            return "No bound found".to_owned();
        }
        (_, lower, Bound::Unknown) => (
            format!("At least {}", steps(&outward(lower, &names, Side::Lower))),
            "; no upper bound found",
        ),
        (_, lower, upper) if lower == upper => (exactly(&readable(upper, &names)), ""),
        (_, _, upper) => (
            format!("At most {}", steps(&outward(upper, &names, Side::Upper))),
            "",
        ),
    };
    format!("{text}{}{rest}", only_for(report, &names))
}

/// `Exactly n + 1 steps`; a formula that had to be rounded is none that is exact.
fn exactly(formula: &str) -> String {
    match formula.contains(ROUNDED) {
        true => format!("About {}", steps(&formula.replace(ROUNDED, ""))),
        false => format!("Exactly {}", steps(formula)),
    }
}

/// The mark of a formula that had to be rounded.
const ROUNDED: &str = "≈ ";

/// `1 step`, `n + 1 steps`.
#[must_use]
pub fn steps(formula: &str) -> String {
    let noun = if formula == "1" { "step" } else { "steps" };
    format!("{formula} {noun}")
}

/// The sizes that the headline is stated of, behind it: ` for m ≥ n, except for n = 0`; nothing where it is stated of all.
pub(crate) fn only_for(report: &PatternReport, names: &Names<'_>) -> String {
    let readable = |region: &Region| region_readable(region, names);
    let condition = condition(report).map(|when| format!(" for {}", readable(&when)));
    let except = except(report, readable).map(|which| match condition.is_some() {
        true => format!(", except for {which}"),
        false => format!(" except for {which}"),
    });
    format!(
        "{}{}",
        condition.unwrap_or_default(),
        except.unwrap_or_default()
    )
}

/// True where the bounds of the headline are those of the main piece, which then need not be listed.
#[must_use]
pub fn is_main(report: &PatternReport) -> bool {
    (report.main_piece()).is_some_and(|main| main.envelope() == report.headline.envelope())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{at_least, nrev, unknown};

    #[test]
    fn a_headline_is_a_sentence() {
        assert_eq!(in_words(&nrev()), "Exactly n²/2 + 3n/2 + 1 steps");
        assert_eq!(
            in_words(&unknown()),
            "At least 1 step; no upper bound found"
        );
        assert_eq!(
            exactly("≈ 1.447·1.618ⁿ - 1"),
            "About 1.447·1.618ⁿ - 1 steps"
        );
        let mut some = nrev();
        some.headline.conditional = true;
        some.steps[0].when = at_least(2);
        assert_eq!(in_words(&some), "Exactly n²/2 + 3n/2 + 1 steps for n ≥ 2");
    }
}
