//! The headline of a report in words: the bounds, the condition under which they hold, and the sizes that are excluded.

use costlens_algebra::growth::{Growth, growth as growth_of, growth_within};
use costlens_algebra::prove::nonnegative;
use costlens_algebra::text::Names;
use costlens_algebra::{Constraint, Expr, Region, Relation, Var, rat};
use costlens_analysis::least_value;
use costlens_analysis::report::{
    Bound, BoundedRegions, Determinism, Interval, PatternReport, Piece, PieceKind, Side,
    SizeVariable,
};

use super::regions::{region_readable, region_text};
use super::{interval_text, names_in, outward, rank, readable};

/// The bounds that a text states first. They cover all calls or, if only some calls have an upper bound, the calls with an upper bound.
struct StatedBounds<'r> {
    /// The sizes for which the bounds are stated: `n >= m`. `None` if they are stated for all sizes.
    condition: Option<Region>,
    /// The pieces on which the bounds do not hold.
    except: &'r [usize],
    first: &'r Interval,
    all: &'r Interval,
}

/// Returns the headline's own bounds.
fn of_all(report: &PatternReport) -> StatedBounds<'_> {
    let headline = &report.headline;
    let condition = headline.conditional.then(|| report.main_piece());
    StatedBounds {
        condition: condition
            .flatten()
            .map(|main| plain(&main.when, &[], &report.sizes)),
        except: &headline.except,
        first: &headline.first,
        all: &headline.all,
    }
}

/// Returns the bounds of the regions that have upper bounds, for reports in which other regions have none.
fn of_bounded<'r>(report: &'r PatternReport, regions: &'r BoundedRegions) -> StatedBounds<'r> {
    let condition = match regions.only {
        Some(only) => report.steps.get(only).map(|piece| piece.when.clone()),
        None => {
            let stated: Vec<usize> = (regions.pieces.iter().copied())
                .filter(|piece| !regions.except.contains(piece))
                .collect();
            match joined(report, &stated).as_slice() {
                [one] => Some(one.clone()),
                // The text about the regions without a bound already states the condition.
                _ => None,
            }
        }
    };
    StatedBounds {
        condition: condition.map(|when| plain(&when, &[], &report.sizes)),
        except: &regions.except,
        first: &regions.first,
        all: &regions.all,
    }
}

/// Returns the bounds of the normal case. They cover all calls or, if only some calls, including the normal case, have an upper bound, the
/// calls with an upper bound.
fn normal(report: &PatternReport) -> StatedBounds<'_> {
    match &report.headline.bounded {
        Some(regions) if regions.has_main => of_bounded(report, regions),
        _ => of_all(report),
    }
}

/// Returns the regions without an upper bound, for reports in which other regions have an upper bound. Adjacent regions are joined.
fn unbounded(report: &PatternReport, regions: &BoundedRegions) -> Vec<Region> {
    let others: Vec<usize> = (0..report.steps.len())
        .filter(|piece| !regions.pieces.contains(piece))
        .collect();
    joined(report, &others)
}

/// Formats the sizes without an upper bound, for reports in which other sizes have an upper bound: ` for n = 1`. Returns an empty string if
/// no size has an upper bound.
#[must_use]
pub fn without_bound(report: &PatternReport, names: &Names<'_>) -> String {
    let regions = report.headline.bounded.as_ref();
    let regions = regions.and_then(|regions| {
        any_of(&unbounded(report, regions), |region| {
            region_readable(region, names)
        })
    });
    regions.map_or_else(String::new, |regions| format!(" for {regions}"))
}

/// Returns the bounds of the normal case, to the first solution and over all solutions.
#[must_use]
pub fn parts(report: &PatternReport) -> (&Interval, &Interval) {
    let stated = normal(report);
    (stated.first, stated.all)
}

/// Returns a region without redundant constraints: constraints that a length is nonnegative, and constraints that other regions in the same
/// text cover.
#[must_use]
pub fn plain(region: &Region, beside: &[Region], sizes: &[SizeVariable]) -> Region {
    let possible = sizes
        .iter()
        .filter_map(|size| Constraint::ge(&Expr::var(size.var), &Expr::int(size.metric.least()?)));
    // Parameters are natural numbers, most of them not 0.
    let is_size = |v: &Var| sizes.iter().any(|size| size.var == *v);
    let parameters = region.variables().into_iter().filter(|v| !is_size(v));
    let natural =
        parameters.filter_map(|v| Constraint::ge(&Expr::var(v), &Expr::int(least_value(v))));
    let possible = (possible.chain(natural)).fold(Region::everything(), |all, c| all.and(c));
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

/// Returns the growth class of a bound of the headline within the headline's region.
pub(crate) fn growth(report: &PatternReport, bound: &Expr) -> Growth {
    match of_all(report)
        .condition
        .or_else(|| normal(report).condition)
    {
        Some(when) => growth_within(bound, &when),
        None => growth_of(bound),
    }
}

/// Returns the growth class of the headline's upper bound. For a conditional headline, more expensive classes of other regions are included.
pub(crate) fn dearest_growth(report: &PatternReport, upper: &Expr) -> Growth {
    let own = growth(report, upper);
    if !report.headline.conditional {
        return own;
    }
    let others = report.steps.iter().filter(|piece| piece.grows());
    let others = others.filter_map(|piece| Some(growth_of(&piece.upper_in_magnitudes()?)));
    (others.filter(|other| rank(other) > rank(&own))).fold(own.clone(), |all, g| all.join(&g))
}

/// Formats the headline's condition in the syntax of regions.
#[must_use]
pub fn condition_text(report: &PatternReport, names: &Names<'_>) -> Option<String> {
    of_all(report)
        .condition
        .map(|when| region_text(&when, names))
}

/// Formats a region for inlay hints: `n≥m`.
fn short(region: &Region, names: &Names<'_>) -> String {
    let text = region_readable(region, names);
    text.replace(' ', "").replace(',', ", ")
}

/// Joins the regions of pieces into as few as possible.
fn joined(report: &PatternReport, pieces: &[usize]) -> Vec<Region> {
    let mut found: Vec<Region> = (pieces.iter())
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
    // A widened region may contain other regions, which are dropped.
    let mut kept: Vec<Region> = Vec::new();
    for region in found {
        if !kept.iter().any(|other| region.implies_all(other)) {
            kept.retain(|other| !other.implies_all(&region));
            kept.push(region);
        }
    }
    kept
}

/// Formats the sizes that the headline excludes in the syntax of regions: `n <= 0`, `n = 0 or m = 0`.
#[must_use]
pub fn except_text(report: &PatternReport, names: &Names<'_>) -> Option<String> {
    let except = joined(report, &report.headline.except);
    any_of(&except, |region| region_text(region, names))
}

/// Formats several regions, joined by `or`. Returns `None` if there is no region.
fn any_of(regions: &[Region], text: impl Fn(&Region) -> String) -> Option<String> {
    let parts: Vec<String> = regions.iter().map(text).collect();
    (!parts.is_empty()).then(|| parts.join(" or "))
}

/// Returns the exceptions that a hint must mention: exceptions that exceed the stated upper bound or, if only a lower bound is stated,
/// exceptions with infinitely many sizes.
fn telling_exceptions(report: &PatternReport, stated: &StatedBounds<'_>) -> Vec<usize> {
    let goes_without_saying = |piece: usize| {
        let is_lower = !matches!(stated.all.upper, Bound::Finite(_));
        let finite = || (report.steps.get(piece)).is_none_or(|p| is_finite(report, &p.when));
        match is_lower {
            true => finite(),
            false => costs_no_more(report, stated, piece),
        }
    };
    let mut except = stated.except.to_vec();
    except.retain(|&piece| !goes_without_saying(piece));
    except
}

/// Returns true if calls of infinitely many sizes cost less than an exact bound. A hint then displays it as an upper bound.
fn is_only_above(report: &PatternReport, stated: &StatedBounds<'_>) -> bool {
    stated.except.iter().any(|&piece| {
        costs_no_more(report, stated, piece)
            && (report.steps.get(piece)).is_some_and(|p| !is_finite(report, &p.when))
    })
}

/// Returns true if the stated upper bound also holds on a piece that is excepted.
fn costs_no_more(report: &PatternReport, stated: &StatedBounds<'_>, piece: usize) -> bool {
    report
        .steps
        .get(piece)
        .is_some_and(|piece| match (&piece.all.upper, &stated.all.upper) {
            (Bound::Finite(there), Bound::Finite(upper)) => {
                nonnegative(&(upper - there), &piece.when)
            }
            _ => false,
        })
}

/// Returns true for a region that contains finitely many values of the sizes on which the steps depend.
fn is_finite(report: &PatternReport, region: &Region) -> bool {
    let mentions = |var: Var| {
        report.steps.iter().any(|piece| {
            let bounds = [
                &piece.first.lower,
                &piece.first.upper,
                &piece.all.lower,
                &piece.all.upper,
            ];
            let in_bound =
                |bound: &&Bound| matches!(bound, Bound::Finite(e) if e.variables().contains(&var));
            piece.when.variables().contains(&var) || bounds.iter().any(in_bound)
        })
    };
    let mut sizes = report.sizes.iter().filter(|size| mentions(size.var));
    sizes.all(|size| {
        let (least, most) = region.bounds(&Expr::var(size.var));
        most.is_some() && (least.is_some() || size.metric.least().is_some())
    })
}

/// The maximum length of a headline in characters, and its maximum number of terms. A longer headline is replaced by its growth class.
const LONGEST: usize = 30;
const MOST_TERMS: usize = 3;

fn fits(text: &str) -> bool {
    text.chars().count() <= LONGEST
}

/// Formats the headline for hints, with its condition: `n²/2+3n/2+1`, `≤ m+1`, `n≥m: m+1`; or `n≥m: O(n)` if the formula is too long. A
/// region without an upper bound is mentioned: `n=1: cost ?`, `n≥0: n+1, else diverges`.
#[must_use]
pub fn display(report: &PatternReport, names: &Names<'_>) -> String {
    formula(report, names).unwrap_or_else(|| class_alone(report, names))
}

/// Formats the headline without a formula: `O(n²)`, `n≥m: O(n)`, `n≥0: O(2ⁿ), else diverges`, `cost ?`.
pub(crate) fn class_alone(report: &PatternReport, names: &Names<'_>) -> String {
    let headline = &report.headline;
    let stated = match &headline.bounded {
        Some(regions) if headline.all.upper == Bound::Infinite => of_bounded(report, regions),
        _ => of_all(report),
    };
    let class = |bound: &Bound| class_within(bound, stated.condition.as_ref(), names);
    let loose = if headline.loose.is_some() { "≤ " } else { "" };
    let text = match (&headline.all.upper, &stated.all.upper) {
        (Bound::Unknown, _) => return "cost ?".to_owned(),
        (_, Bound::Infinite) => match class(&stated.first.upper) {
            Some(class) => {
                return with_sizes(report, names, &stated, &class, Some(Ending::Redo));
            }
            None => return diverging(report, stated.first).to_owned(),
        },
        (_, upper) => class(upper).map_or_else(|| "cost ?".to_owned(), |c| format!("{loose}{c}")),
    };
    let text = match fails(report, &stated) {
        true => "fails".to_owned(),
        false => text,
    };
    let ending = (headline.all.upper == Bound::Infinite).then_some(Ending::Else);
    with_sizes(report, names, &stated, &text, ending)
}

/// The behaviour of calls outside the region of a headline, or after the first solution.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Calls with other sizes diverge.
    Else,
    /// All calls diverge on backtracking after the first solution.
    Redo,
}

const REDO: &str = "diverges on redo";
/// Labels for calls whose search never ends, although backtracking may give further solutions.
const NEVER_ENDS: &str = "search never ends";
const INFINITELY_MANY: &str = "infinitely many solutions";

/// Returns the label for calls that have a first solution but never terminate. It depends on the known number of solutions.
fn once_redone(report: &PatternReport) -> &'static str {
    let is_single = matches!(
        report.determinism,
        Determinism::Det | Determinism::Semidet | Determinism::Failure
    );
    match (is_single, &report.solutions.lower) {
        (true, _) => REDO,
        (false, Bound::Infinite) => INFINITELY_MANY,
        (false, _) => NEVER_ENDS,
    }
}

/// Like `once_redone`, for the calls of a piece.
#[must_use]
pub fn piece_redone(report: &PatternReport, piece: &Piece) -> &'static str {
    let is_single = matches!(&piece.solutions.upper, Bound::Finite(e) if e.as_constant().is_some_and(|c| c <= rat(1)));
    match is_single {
        true => REDO,
        false => once_redone(report),
    }
}

/// Label for calls that diverge before any solution.
const DIVERGES: &str = "diverges";
/// Label for calls whose search for all solutions diverges, if it is unknown whether a solution comes first.
pub(super) const EVENTUALLY: &str = "eventually diverges";

/// Returns the label for diverging calls, given bounds on the steps to the first solution.
fn diverging(report: &PatternReport, first: &Interval) -> &'static str {
    match first.lower == Bound::Infinite || !may_succeed(report.steps.iter()) {
        true => DIVERGES,
        false => EVENTUALLY,
    }
}

/// Returns the label for diverging calls with sizes that have no upper bound.
fn diverging_elsewhere(report: &PatternReport, regions: &BoundedRegions) -> &'static str {
    let others = (0..report.steps.len()).filter(|piece| !regions.pieces.contains(piece));
    match may_succeed(others.map(|piece| &report.steps[piece])) {
        true => EVENTUALLY,
        false => DIVERGES,
    }
}

/// Returns true unless calls of all these pieces diverge before the first solution.
fn may_succeed<'r>(mut pieces: impl Iterator<Item = &'r Piece>) -> bool {
    !pieces.all(|piece| piece.first.lower == Bound::Infinite)
}

/// Formats the growth class of a bound: `O(n²)`. Returns `None` if the class is unknown.
fn class_within(bound: &Bound, when: Option<&Region>, names: &Names<'_>) -> Option<String> {
    let Bound::Finite(e) = bound else { return None };
    let growth = match when {
        Some(when) => growth_within(e, when),
        None => growth_of(e),
    };
    Some(format!("O({})", growth.display(names)))
}

/// Adds to a text the sizes to which it applies and the behaviour for other sizes. If a part is too long, its existence is only mentioned.
fn with_sizes(
    report: &PatternReport,
    names: &Names<'_>,
    stated: &StatedBounds<'_>,
    text: &str,
    ending: Option<Ending>,
) -> String {
    whole(report, names, stated, text, ending).unwrap_or_else(|| {
        let except = !telling_exceptions(report, stated).is_empty();
        let others = match (ending, stated.condition.is_some(), except) {
            (Some(Ending::Redo), ..) if report.headline.bounded.is_none() => {
                format!(", {}", once_redone(report))
            }
            (Some(_), ..) => ", or diverges".to_owned(),
            (None, true, _) => ", for some sizes".to_owned(),
            (None, false, true) => ", with exceptions".to_owned(),
            (None, false, false) => String::new(),
        };
        format!("{text}{others}")
    })
}

/// Adds to a text the sizes to which it applies and the behaviour for other sizes. Returns `None` if the result is too long.
fn whole(
    report: &PatternReport,
    names: &Names<'_>,
    stated: &StatedBounds<'_>,
    text: &str,
    ending: Option<Ending>,
) -> Option<String> {
    let condition = stated.condition.as_ref().map(|when| short(when, names));
    let except = joined(report, &telling_exceptions(report, stated));
    let except = any_of(&except, |region| short(region, names));
    let except = except.map_or_else(String::new, |e| format!(", except {e}"));
    let text = match (ending, condition, &report.headline.bounded) {
        (None, None, _) => format!("{text}{except}"),
        (None, Some(condition), _) => format!("{condition}: {text}{except}"),
        (Some(Ending::Redo), None, None) => format!("{text}, {}", once_redone(report)),
        (Some(Ending::Redo), Some(condition), _) => {
            format!("{condition}: {text}, {}", once_redone(report))
        }
        // If there are several finite cases, `else` would be ambiguous.
        (Some(Ending::Else), Some(condition), Some(regions))
            if regions.only.is_none() && except.is_empty() =>
        {
            let diverges = diverging_elsewhere(report, regions);
            format!("{condition}: {text}, else {diverges}")
        }
        (Some(ending), condition, regions) => {
            let regions = regions.as_ref()?;
            let without = any_of(&unbounded(report, regions), |region| short(region, names))?;
            let condition = (condition.filter(|_| regions.only.is_some()))
                .map_or_else(String::new, |condition| format!("{condition}: "));
            let redo = match ending {
                Ending::Redo => format!(", {}", once_redone(report)),
                Ending::Else => String::new(),
            };
            let diverges = diverging_elsewhere(report, regions);
            format!("{condition}{text}{except}{redo}; {without}: {diverges}")
        }
    };
    fits(&text).then_some(text)
}

/// Formats the headline with its condition. Returns `None` if the formula is too long to be understood at a glance.
pub(crate) fn formula(report: &PatternReport, names: &Names<'_>) -> Option<String> {
    let headline = &report.headline;
    let terms = |bound: &Bound| match bound {
        Bound::Finite(e) => e.terms().count(),
        Bound::Infinite | Bound::Unknown => 0,
    };
    if headline.all.upper == Bound::Unknown {
        let text = interval_text(&headline.first.lower, &Bound::Unknown, names);
        let Some(regions) = &headline.bounded else {
            return whole(report, names, &of_all(report), &text, None);
        };
        if !regions.has_main || is_growing(&headline.first.lower) {
            return whole(report, names, &of_all(report), &text, None);
        }
        let where_unknown = unbounded(report, regions);
        return match where_unknown.as_slice() {
            [one] => {
                let text = format!("{}: cost ?", short(one, names));
                fits(&text).then_some(text)
            }
            _ => None,
        };
    }
    let stated = match &headline.bounded {
        Some(regions) => of_bounded(report, regions),
        None => of_all(report),
    };
    let (lower, upper) = (&stated.first.lower, &stated.all.upper);
    let is_redone = *upper == Bound::Infinite;
    let (lower, upper) = match is_redone {
        true => (&stated.first.lower, &stated.first.upper),
        false => (lower, upper),
    };
    if terms(upper) > MOST_TERMS {
        return None;
    }
    let Bound::Finite(_) = upper else {
        return Some(diverging(report, stated.first).to_owned());
    };
    let text = match fails(report, &stated) && headline.bounded.is_some() {
        true => "fails".to_owned(),
        false if is_only_above(report, &stated) => {
            interval_text(&Bound::Finite(Expr::zero()), upper, names)
        }
        false => interval_text(lower, upper, names),
    };
    let ending = match (is_redone, &headline.all.upper) {
        (true, _) => Some(Ending::Redo),
        (false, Bound::Infinite) => Some(Ending::Else),
        (false, _) => None,
    };
    whole(report, names, &stated, &text, ending)
}

/// Formats the bounds of the normal case without the sizes to which they apply, which [`only_for`] formats: `n²/2+3n/2+1`, or `O(n³)` if that
/// is too long.
pub(crate) fn bounds_alone(report: &PatternReport, names: &Names<'_>) -> String {
    let stated = normal(report);
    let (lower, upper) = (&stated.first.lower, &stated.all.upper);
    let text = interval_text(lower, upper, names);
    let is_short = matches!(upper, Bound::Finite(e) if e.terms().count() <= MOST_TERMS);
    match is_short && fits(&text) {
        true => text,
        false => class_within(upper, stated.condition.as_ref(), names).unwrap_or(text),
    }
}

fn is_growing(bound: &Bound) -> bool {
    matches!(bound, Bound::Finite(e) if e.as_constant().is_none())
}

/// Returns true if none of the calls to which the bounds apply enters a clause.
fn fails(report: &PatternReport, stated: &StatedBounds<'_>) -> bool {
    let Some(regions) = &report.headline.bounded else {
        return kind(report) == PieceKind::Failure;
    };
    let is_zero = matches!(&stated.all.upper, Bound::Finite(e) if e.is_zero());
    let mut pieces = (regions.pieces.iter()).filter_map(|&piece| report.steps.get(piece));
    is_zero && pieces.all(|piece| piece.kind == PieceKind::Failure)
}

/// Puts the condition before a class and the excluded sizes after it. A part that is too long is only mentioned.
pub(crate) fn under_condition(report: &PatternReport, names: &Names<'_>, text: &str) -> String {
    let stated = of_all(report);
    let is_plain = stated.condition.is_none() && telling_exceptions(report, &stated).is_empty();
    match is_plain {
        true => text.to_owned(),
        false => with_sizes(report, names, &stated, text, None),
    }
}

/// Classifies the bounds of a headline.
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

/// Formats condition, bounds and exception: `n ≥ m: m+1`, `2n, except n = 0`; for regions without an upper bound, `n ≥ 0: n + 1, else
/// diverges` and `at least 1; no upper bound for n = 1`. `words` formats the bounds.
#[must_use]
pub fn qualified(
    report: &PatternReport,
    names: &Names<'_>,
    words: &dyn Fn(PieceKind, &Bound, &Bound) -> String,
) -> String {
    let readable = |region: &Region| region_readable(region, names);
    let parts = |stated: &StatedBounds<'_>, text: &str| {
        let condition = stated.condition.as_ref().map(readable);
        let condition = condition.map_or_else(String::new, |c| format!("{c}: "));
        let except = any_of(&joined(report, stated.except), readable);
        let except = except.map_or_else(String::new, |e| format!(", except {e}"));
        format!("{condition}{text}{except}")
    };
    let headline = &report.headline;
    let (lower, upper) = headline.envelope();
    let Some(regions) = &headline.bounded else {
        let stated = of_all(report);
        if let (PieceKind::Diverges, Bound::Finite(_)) = (kind(report), &stated.first.upper) {
            let first = words(PieceKind::Bounded, lower, &stated.first.upper);
            return parts(
                &stated,
                &format!("{first} to the first solution, {}", once_redone(report)),
            );
        }
        return parts(&stated, &words(kind(report), lower, upper));
    };
    let without = any_of(&unbounded(report, regions), readable).unwrap_or_default();
    let diverges = diverging_elsewhere(report, regions);
    if *upper == Bound::Unknown {
        let text = parts(&of_all(report), &words(PieceKind::Unknown, lower, upper));
        return match regions.has_main {
            true => format!("{text}; no upper bound for {without}"),
            false => text,
        };
    }
    let stated = of_bounded(report, regions);
    let (lower, upper) = regions.envelope();
    if *upper == Bound::Infinite {
        let first = words(PieceKind::Bounded, lower, &regions.first.upper);
        let text = parts(
            &stated,
            &format!("{first} to the first solution, {}", once_redone(report)),
        );
        return match stated.condition.is_some() {
            true => format!("{text}; else {diverges}"),
            false => format!("{text}; {without}: {diverges}"),
        };
    }
    let kind = match fails(report, &stated) {
        true => PieceKind::Failure,
        false => PieceKind::Bounded,
    };
    let text = parts(&stated, &words(kind, lower, upper));
    match stated.condition.is_some() && regions.only.is_none() && regions.except.is_empty() {
        true => format!("{text}, else {diverges}"),
        false => format!("{text}; {without}: {diverges}"),
    }
}

/// Formats the headline as a sentence without its full stop: `Exactly n²/2 + 3n/2 + 1 steps`, `At most m + 1 steps for m ≥ n, except for n =
/// 0`, `Exactly n + 1 steps for n ≥ 0; diverges for n ≤ -1`.
#[must_use]
pub fn in_words(report: &PatternReport) -> String {
    let names = names_in(report);
    let headline = &report.headline;
    let (lower, upper) = headline.envelope();
    let without = headline.bounded.as_ref().map(|regions| {
        let readable = |region: &Region| region_readable(region, &names);
        any_of(&unbounded(report, regions), readable).unwrap_or_default()
    });
    match (upper, &headline.bounded, without) {
        (Bound::Unknown, regions, without) => {
            let is_partial = regions.as_ref().is_some_and(|regions| regions.has_main);
            let which = match without.filter(|_| is_partial) {
                Some(without) => format!(" for {without}"),
                None => String::new(),
            };
            match lower {
                Bound::Finite(e) if e.is_zero() && which.is_empty() => "No bound found".to_owned(),
                Bound::Finite(e) if e.is_zero() => format!("No upper bound found{which}"),
                lower => {
                    let least = steps(&outward(lower, &names, Side::Lower));
                    let only = only_of(report, &of_all(report), &names);
                    format!("At least {least}{only}; no upper bound found{which}")
                }
            }
        }
        (Bound::Infinite, Some(regions), Some(without)) => {
            let stated = of_bounded(report, regions);
            let text = match regions.all.upper {
                Bound::Finite(_) => bounds_in_words(report, &stated, &names),
                _ => redone_in_words(report, &stated, &names),
            };
            let diverges = diverging_elsewhere(report, regions);
            format!("{text}; {diverges} for {without}")
        }
        (Bound::Infinite, ..) => {
            let stated = of_all(report);
            match (lower, &stated.first.upper) {
                (_, Bound::Finite(_)) => redone_in_words(report, &stated, &names),
                (Bound::Finite(_), _) => "Eventually diverges".to_owned(),
                _ => format!("Diverges{}", only_of(report, &stated, &names)),
            }
        }
        (Bound::Finite(_), ..) => bounds_in_words(report, &of_all(report), &names),
    }
}

/// Formats the cost of calls that diverge on backtracking: `Exactly n + 1 steps to the first solution, then diverges on redo`, `Exactly 1
/// step to the first solution, but exploring all solutions never ends`.
fn redone_in_words(report: &PatternReport, stated: &StatedBounds<'_>, names: &Names<'_>) -> String {
    let first = amount(&stated.first.lower, &stated.first.upper, names);
    let only = only_of(report, stated, names);
    let then = match once_redone(report) {
        NEVER_ENDS => "but exploring all solutions never ends".to_owned(),
        INFINITELY_MANY => format!("of {INFINITELY_MANY}"),
        redone => format!("then {redone}"),
    };
    format!("{first} to the first solution{only}, {then}")
}

fn bounds_in_words(report: &PatternReport, stated: &StatedBounds<'_>, names: &Names<'_>) -> String {
    let text = match fails(report, stated) {
        true => "Fails without a step".to_owned(),
        false => amount(&stated.first.lower, &stated.all.upper, names),
    };
    format!("{text}{}", only_of(report, stated, names))
}

/// Formats a cost: `Exactly n + 1 steps`, `At most m + 1 steps`.
fn amount(lower: &Bound, upper: &Bound, names: &Names<'_>) -> String {
    match lower == upper {
        true => exactly(&readable(upper, names)),
        false => format!("At most {}", steps(&outward(upper, names, Side::Upper))),
    }
}

/// Formats an exact cost: `Exactly n + 1 steps`. For a rounded formula, `About` replaces `Exactly`.
fn exactly(formula: &str) -> String {
    match formula.contains(ROUNDED) {
        true => format!("About {}", steps(&formula.replace(ROUNDED, ""))),
        false => format!("Exactly {}", steps(formula)),
    }
}

/// The prefix of a rounded formula.
const ROUNDED: &str = "≈ ";

/// Formats a number of steps: `1 step`, `n + 1 steps`.
#[must_use]
pub fn steps(formula: &str) -> String {
    let noun = if formula == "1" { "step" } else { "steps" };
    format!("{formula} {noun}")
}

/// Formats the sizes to which the bounds of the normal case apply, as a suffix: ` for m ≥ n, except for n = 0`. Returns an empty string if
/// they apply to all sizes.
pub(crate) fn only_for(report: &PatternReport, names: &Names<'_>) -> String {
    only_of(report, &normal(report), names)
}

fn only_of(report: &PatternReport, stated: &StatedBounds<'_>, names: &Names<'_>) -> String {
    let readable = |region: &Region| region_readable(region, names);
    let condition = (stated.condition.as_ref()).map(|when| format!(" for {}", readable(when)));
    let except = joined(report, stated.except);
    let except = any_of(&except, readable).map(|which| match condition.is_some() {
        true => format!(", except for {which}"),
        false => format!(" except for {which}"),
    });
    format!(
        "{}{}",
        condition.unwrap_or_default(),
        except.unwrap_or_default()
    )
}

/// Returns true if the headline's bounds equal those of the main piece, which then need not be listed.
#[must_use]
pub fn is_main(report: &PatternReport) -> bool {
    // `at least n + 1; no upper bound for n ≤ -1` omits the upper bound of the main piece.
    let hides_upper = |main: &Piece| {
        let is_unknown = report.headline.all.upper == Bound::Unknown;
        is_unknown && matches!(main.all.upper, Bound::Finite(_))
    };
    (report.main_piece()).is_some_and(|main| {
        main.envelope() == report.headline.where_bounded() && !hides_upper(main)
    })
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
