//! Formats bounds. This is the only module that turns a [`PatternReport`] into text; hints, hovers and the command line all use it.

pub mod collected;
pub mod evaluated;
pub mod headline;
pub mod markup;
pub mod parameters;
pub mod reach;
pub mod regions;
pub mod times;
pub mod values;

use costlens_algebra::Atom;
use costlens_algebra::display::{Outward, display, display_outward, spaced};
use costlens_algebra::growth::{Growth, growth};
use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Expr, Var};
use costlens_analysis::report::{
    AllWork, Bound, Determinism, Functor, Interval, Origin, ParameterVariable, PatternReport,
    PieceKind, PredicateReport, Side, SizeVariable, Unknown, WhyLoose,
};
use costlens_analysis::types::{Pattern, Type};
use costlens_analysis::verdict::Verdict;
use costlens_program::CopyName;

use crate::settings::Threshold;

/// Returns the names of a pattern's size variables.
#[must_use]
pub fn names(sizes: &[SizeVariable]) -> Names<'_> {
    Names::new(|v| size_name(sizes, v))
}

/// Returns the names of a pattern's size variables and parameters.
#[must_use]
pub fn names_in(report: &PatternReport) -> Names<'_> {
    names_with(&report.sizes, &report.parameters)
}

/// Returns the names of sizes and parameters.
#[must_use]
pub fn names_with<'a>(sizes: &'a [SizeVariable], parameters: &'a [ParameterVariable]) -> Names<'a> {
    Names::new(|v| {
        let parameter = parameters.iter().find(|p| p.var == v);
        parameter.map_or_else(|| size_name(sizes, v), |p| p.name.clone())
    })
}

fn size_name(sizes: &[SizeVariable], v: Var) -> String {
    sizes
        .iter()
        .find(|s| s.var == v)
        .map_or_else(|| format!("v{}", v.0), |s| s.name.clone())
}

/// Formats a bound in the exact, machine-readable syntax: `1/2*n^2+3/2*n+1`, `inf` for proved divergence. Returns `None` for an unknown
/// bound.
#[must_use]
pub fn exact_text(bound: &Bound, names: &Names<'_>) -> Option<String> {
    match bound {
        Bound::Finite(e) => Some(to_text(e, names)),
        Bound::Infinite => Some("inf".to_owned()),
        Bound::Unknown => None,
    }
}

/// Formats a formula for display: `n²/2 + 3n/2 + 1`.
#[must_use]
pub fn formula(e: &Expr, names: &Names<'_>) -> String {
    spaced(&display(e, names))
}

/// Formats a bound for display: `n²/2 + 3n/2 + 1`, `diverges`, `?`.
#[must_use]
pub fn readable(bound: &Bound, names: &Names<'_>) -> String {
    match bound {
        Bound::Finite(e) => formula(e, names),
        Bound::Infinite => "diverges".to_owned(),
        Bound::Unknown => "?".to_owned(),
    }
}

/// Formats one end of an interval whose ends differ. If the bound must be rounded, it is rounded outward.
pub(crate) fn outward(bound: &Bound, names: &Names<'_>, side: Side) -> String {
    let way = match side {
        Side::Lower => Outward::Down,
        Side::Upper => Outward::Up,
    };
    match bound {
        Bound::Finite(e) => spaced(&display_outward(e, names, way)),
        other => readable(other, names),
    }
}

/// Formats the growth class of a bound of the headline in machine-readable form: `n^2`, `diverges`, `unknown`.
#[must_use]
pub fn class_text(report: &PatternReport, bound: &Bound, names: &Names<'_>) -> String {
    match bound {
        Bound::Finite(e) => headline::growth(report, e).to_text(names),
        Bound::Infinite => "diverges".to_owned(),
        Bound::Unknown => "unknown".to_owned(),
    }
}

/// Formats the growth class of the headline's upper bound in machine-readable form. More expensive classes of regions outside the headline's
/// condition are included.
#[must_use]
pub fn upper_class_text(report: &PatternReport, names: &Names<'_>) -> String {
    match &report.headline.all.upper {
        Bound::Finite(e) => headline::dearest_growth(report, e).to_text(names),
        bound => class_text(report, bound, names),
    }
}

/// Formats the growth class of a bound of the headline for display: `O(n²)`. Returns `None` if the bound is not finite.
#[must_use]
pub fn class_readable(report: &PatternReport, bound: &Bound, names: &Names<'_>) -> Option<String> {
    finite(bound).map(|e| format!("O({})", headline::growth(report, e).display(names)))
}

/// Returns true for a finite bound that grows exponentially or like a factorial.
pub(crate) fn is_exponential(bound: &Bound) -> bool {
    finite(bound).is_some_and(|e| rank(&growth(e)) == Threshold::Exponential)
}

/// Formats the growth class of a headline: `O(n²)`, or `≤ O(2ⁿ)` for an exponential bound that may be loose. Returns `None` if the upper
/// bound is not finite.
#[must_use]
pub fn headline_class(report: &PatternReport, names: &Names<'_>) -> Option<String> {
    let upper = finite(&report.headline.all.upper)?;
    let growth = headline::dearest_growth(report, upper);
    let class = format!("O({})", growth.display(names));
    Some(match report.headline.loose {
        Some(_) => format!("≤ {class}"),
        None => class,
    })
}

/// Explains why an exponential bound may be loose.
#[must_use]
pub const fn why_loose(why: WhyLoose) -> &'static str {
    match why {
        WhyLoose::NoGrowth => {
            "neither the lower bound nor a run on small inputs shows exponential growth"
        }
        WhyLoose::CutOff => {
            "the lower bound does not show exponential growth, and runs on small inputs were cut off before they could"
        }
        WhyLoose::NotRun => {
            "the lower bound does not show exponential growth, and no input was run"
        }
    }
}

/// Formats a lower and an upper bound together, as in hints: `n²/2+3n/2+1` if they coincide, otherwise `≤ n²+3n+1`. If only a lower bound
/// is known, the text is `≥ n+1`, provided that the bound states more than that the call enters a clause; otherwise it is `cost ?`.
#[must_use]
pub fn interval_text(lower: &Bound, upper: &Bound, names: &Names<'_>) -> String {
    match upper {
        Bound::Finite(e) if lower == upper => display(e, names),
        Bound::Finite(e) => format!("≤ {}", display_outward(e, names, Outward::Up)),
        Bound::Infinite => "diverges".to_owned(),
        Bound::Unknown => match telling(lower) {
            Some(least) => format!("≥ {}", display_outward(least, names, Outward::Down)),
            None => "cost ?".to_owned(),
        },
    }
}

/// Formats an upper bound on steps for display: `≤ n²/2 + 3n/2 + 1`, `diverges`, `?`.
#[must_use]
pub fn steps_text(upper: &Bound, names: &Names<'_>) -> String {
    match upper {
        Bound::Finite(_) => format!("≤ {}", outward(upper, names, Side::Upper)),
        other => readable(other, names),
    }
}

/// Formats a lower and an upper bound for tables: `n²/2 + 3n/2 + 1`, `n to 2n + 1`, `at least n`, `diverges`. A finite lower bound with an
/// infinite upper bound describes the search for all solutions of a call that may or may not have a solution.
#[must_use]
pub fn describe(kind: PieceKind, lower: &Bound, upper: &Bound, names: &Names<'_>) -> String {
    match (lower, upper) {
        _ if kind == PieceKind::Failure => "fails without a step".to_owned(),
        (Bound::Infinite, _) => "diverges".to_owned(),
        (_, Bound::Infinite) => headline::EVENTUALLY.to_owned(),
        (_, Bound::Unknown) => format!("at least {}", outward(lower, names, Side::Lower)),
        (a, b) if a == b => readable(upper, names),
        _ => format!(
            "{} to {}",
            outward(lower, names, Side::Lower),
            outward(upper, names, Side::Upper)
        ),
    }
}

/// The kind of a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    /// Bounds on steps.
    Steps,
    /// No upper bound is known.
    Unknown,
}

/// Formats the hint for a pattern. Returns `None` if there is nothing to report.
///
/// The class is that of all work. If it is greater than that of the steps, the formula bounds the work: `O(n²) work  ≤ 5n²+3`. If no bound on
/// the work is known, the class is that of the steps: `O(n) steps  n+1`.
#[must_use]
pub fn hint_text(report: &PatternReport) -> Option<(HintKind, String)> {
    full_hint(report).map(|(kind, text)| (kind, shortened(text)))
}

/// The maximum number of characters in a hint that has a shorter form.
const LONGEST_HINT: usize = 80;

/// Returns a hint without its formula if it is long, and with the first summands of its class if that is not enough:
/// `O(parse+n·eval+…) steps`.
fn shortened(text: String) -> String {
    let is_short = |text: &str| text.chars().count() <= LONGEST_HINT;
    if is_short(&text) {
        return text;
    }
    let class = text.split("  ").next().unwrap_or_default();
    if is_short(class) && !class.is_empty() {
        return class.to_owned();
    }
    let ending = class.rsplit_once(')').map_or("", |(_, ending)| ending);
    let mut kept = String::new();
    for summand in class.split_inclusive('+') {
        if kept.chars().count() + summand.chars().count() > LONGEST_HINT - ending.len() {
            break;
        }
        kept.push_str(summand);
    }
    match kept.is_empty() {
        true => text,
        false => format!("{kept}…){ending}"),
    }
}

fn full_hint(report: &PatternReport) -> Option<(HintKind, String)> {
    if let Some(work) = work_shown(report)
        && let Some((HintKind::Steps, text)) = own_hint(work)
    {
        let class = headline_class(work, &names_in(work))?;
        let text = text.replacen(&class, &format!("{class} work"), 1);
        return Some((HintKind::Steps, text));
    }
    let (kind, text) = own_hint(report)?;
    if report.work == AllWork::Unknown
        && kind == HintKind::Steps
        && let Some(class) = headline_class(report, &names_in(report))
    {
        return Some((kind, text.replacen(&class, &format!("{class} steps"), 1)));
    }
    Some((kind, text))
}

/// Returns the report on all work if it is shown instead of the steps: its class is greater, and the bound on steps is not known to be loose.
#[must_use]
pub fn work_shown(report: &PatternReport) -> Option<&PatternReport> {
    match &report.work {
        AllWork::More(work) if report.headline.loose.is_none() => Some(&work.report),
        _ => None,
    }
}

/// Names the goals that make all work more than the steps: `between/3, findall/3`. `None` if the steps are shown.
#[must_use]
pub fn work_by(report: &PatternReport, quote: &str) -> Option<String> {
    work_shown(report)?;
    let AllWork::More(work) = &report.work else {
        return None;
    };
    let names = work
        .by
        .iter()
        .map(|by| format!("{quote}{}{quote}", indicator(by)));
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Returns the hint for the costs of a report itself.
fn own_hint(report: &PatternReport) -> Option<(HintKind, String)> {
    report.main_piece()?;
    let names = names_in(report);
    let headline = &report.headline;
    let (shown, text) = match (headline::kind(report), &headline.all.upper) {
        (PieceKind::Failure, _) => (
            HintKind::Steps,
            headline::under_condition(report, &names, "fails"),
        ),
        // With `p(0). p(N) :- M is N-1, p(M).`, `p(3)` has a first solution, but the search for further solutions never ends.
        (_, Bound::Infinite) if headline.where_bounded().1 == &Bound::Infinite => {
            let text = match &headline.bounded {
                Some(regions) if !regions.has_main => headline::display(report, &names),
                _ => headline::class_alone(report, &names),
            };
            (HintKind::Steps, text)
        }
        (_, Bound::Infinite) if headline.loose.is_some() => {
            (HintKind::Steps, headline::class_alone(report, &names))
        }
        (_, Bound::Infinite) => (HintKind::Steps, headline::display(report, &names)),
        // `≤ 3·2ⁿ-2` would suggest more precision than is proved.
        (_, Bound::Finite(_)) if headline.loose.is_some() => {
            let class = headline_class(report, &names)?;
            let text = format!("{class}, may be loose");
            (
                HintKind::Steps,
                headline::under_condition(report, &names, &text),
            )
        }
        (_, Bound::Finite(_)) => {
            let class = headline_class(report, &names)?;
            let text = match headline::formula(report, &names) {
                // Where the formula is too long, it is the class.
                Some(formula) if formula.starts_with(&class) => formula,
                Some(formula) => format!("{class}  {formula}"),
                None => headline::class_alone(report, &names),
            };
            (HintKind::Steps, text)
        }
        (_, Bound::Unknown) => {
            let is_constant =
                finite(&headline.first.lower).is_none_or(|e| e.as_constant().is_some());
            let is_partial = (headline.bounded.as_ref()).is_some_and(|regions| regions.has_main);
            return Some(match headline::formula(report, &names) {
                Some(formula) if is_partial || !is_constant => {
                    (HintKind::Unknown, marked(report, formula))
                }
                _ => (HintKind::Unknown, "cost ?".to_owned()),
            });
        }
    };
    Some((shown, marked(report, text)))
}

/// The end of a hint without a bound.
pub(crate) const UNKNOWN: &str = "cost ?";

/// Returns the hint for a predicate: that of its most informative pattern. If another predicate is the only reason for an unknown bound, the
/// hint names it: `cost ? ← render/2`.
#[must_use]
pub fn predicate_hint(report: &PredicateReport) -> Option<(HintKind, String)> {
    let pattern = report.telling()?;
    let (kind, text) = hint_text(pattern)?;
    let is_unread = pattern.unknown.iter().any(|u| u.incomplete().is_some());
    let callee = unknown_callee(&report.predicate, &pattern.unknown);
    let callee = callee.filter(|_| text.ends_with(UNKNOWN) && !is_unread);
    Some(match callee {
        Some(callee) => (kind, format!("{text} ← {callee}")),
        None => (kind, text),
    })
}

/// Returns the predicate that all reasons for an unknown upper bound name, if it is another one: an undefined callee, or the predicate in
/// whose clauses the causes are.
fn unknown_callee<'r>(own: &Functor, reasons: &'r [Unknown]) -> Option<&'r Functor> {
    let mut named = (reasons.iter())
        .filter(|unknown| unknown.side != Side::Lower)
        .map(|unknown| unknown.missing.as_ref().unwrap_or(&unknown.cause));
    let first = named.next()?;
    // The name of a specialised copy means nothing to users.
    let is_plain = !first.name.contains('(');
    (first != own && is_plain && named.all(|other| other == first)).then_some(first)
}

/// Adds a prefix to a hint if its pattern is inferred.
fn marked(report: &PatternReport, text: String) -> String {
    match report.origin {
        Origin::Inferred => format!("~{text}"),
        _ => text,
    }
}

/// Returns a lower bound that is informative on its own, because it states more than that the call enters a clause.
fn telling(lower: &Bound) -> Option<&Expr> {
    finite(lower).filter(|e| (e.as_constant()).is_none_or(|c| c > costlens_algebra::rat(1)))
}

/// Returns the highest threshold at which a pattern's hint is still displayed. Unknown cost and divergence, even for only some sizes, rank
/// above every class.
pub(crate) fn threshold(report: &PatternReport) -> Threshold {
    let report = work_shown(report).unwrap_or(report);
    match &report.headline.all.upper {
        Bound::Finite(e) => rank(&headline::dearest_growth(report, e)),
        missing => threshold_of(missing),
    }
}

/// Returns the highest threshold at which a bound is still displayed.
pub(crate) fn threshold_of(bound: &Bound) -> Threshold {
    match bound {
        Bound::Finite(e) => rank(&growth(e)),
        _ => Threshold::Exponential,
    }
}

/// Returns the threshold for a growth class.
pub(crate) fn rank(class: &Growth) -> Threshold {
    class
        .monomials()
        .iter()
        .map(|m| {
            let is_sequence = |a: &Atom| matches!(a, Atom::CFinite { .. }) || a.is_factorial();
            let is_log = |a: &Atom| matches!(a, Atom::Log { .. });
            // An exponential in a logarithm is a power: `3^⌊log₂ n⌋` is n^1.585.
            let powers = m.atom_exponentials.keys().filter(|&a| is_log(a)).count();
            let exponential = !m.exponentials.is_empty()
                || m.atoms.keys().any(is_sequence)
                || powers < m.atom_exponentials.len();
            let logarithmic = m.atoms.keys().any(is_log);
            match (m.degree(), powers) {
                _ if exponential => Threshold::Exponential,
                (0, 0) if logarithmic => Threshold::Logarithmic,
                (0, 0) => Threshold::Constant,
                (1, 0) if logarithmic => Threshold::Linearithmic,
                (1, 0) => Threshold::Linear,
                _ => Threshold::Quadratic,
            }
        })
        .max()
        .unwrap_or(Threshold::Constant)
}

/// Returns the PlDoc name of a determinism.
#[must_use]
pub fn determinism_text(d: Determinism) -> &'static str {
    match d {
        Determinism::Det => "det",
        Determinism::Semidet => "semidet",
        Determinism::Multi => "multi",
        Determinism::Nondet => "nondet",
        Determinism::Failure => "failure",
    }
}

/// Returns the keyword for a verdict in assertions.
#[must_use]
pub fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Checked => "checked",
        Verdict::False => "false",
        Verdict::Check => "check",
    }
}

/// Returns the identifier of a pattern's origin in JSON.
#[must_use]
pub fn origin_text(origin: Origin) -> &'static str {
    match origin {
        Origin::Declared => "declared",
        Origin::Entry => "entry",
        Origin::Called => "called",
        Origin::Inferred => "inferred",
    }
}

/// Describes the origin of a pattern in a phrase.
#[must_use]
pub fn origin_sentence(origin: Origin) -> &'static str {
    match origin {
        Origin::Declared => "declared",
        Origin::Entry => "declared as an entry point",
        Origin::Called => "as it is called in this program",
        Origin::Inferred => "inferred from how the clauses use their arguments, not declared",
    }
}

/// Returns the identifier of a piece's kind in JSON.
#[must_use]
pub fn kind_text(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Bounded => "bounded",
        PieceKind::Failure => "failure",
        PieceKind::Diverges => "diverges",
        PieceKind::Unknown => "unknown",
    }
}

/// Formats a call pattern as a head: `nrev(+list(any), -)`, or `nrev(+Xs:list(any), -Ys)` if the arguments have names.
#[must_use]
pub fn pattern_head(name: &str, pattern: &Pattern, arguments: &[Option<String>]) -> String {
    let types: Vec<String> = pattern.0.iter().map(ToString::to_string).collect();
    head_of(name, pattern, &types, arguments)
}

fn head_of(
    name: &str,
    pattern: &Pattern,
    types: &[String],
    arguments: &[Option<String>],
) -> String {
    let name = quoted(name);
    if pattern.0.is_empty() {
        return name;
    }
    let modes = pattern.modes();
    let arguments: Vec<String> = (pattern.0.iter().zip(types).zip(modes).enumerate())
        .map(|(i, ((ty, t), mode))| {
            let called = arguments.get(i).and_then(|n| n.as_deref());
            match (ty, called) {
                (Type::Free | Type::Any, None) => mode.to_owned(),
                (Type::Free | Type::Any, Some(called)) => format!("{mode}{called}"),
                (_, None) => format!("{mode}{t}"),
                (_, Some(called)) => format!("{mode}{called}:{t}"),
            }
        })
        .collect();
    format!("{name}({})", arguments.join(", "))
}

/// Formats the head of a report: `sum(+N:nat, -S)`.
#[must_use]
pub fn report_head(name: &str, report: &PatternReport, arguments: &[Option<String>]) -> String {
    let types: Vec<String> = (0..report.pattern.0.len())
        .map(|argument| report.type_name(argument))
        .collect();
    head_of(name, &report.pattern, &types, arguments)
}

/// Describes the types in patterns whose names are not self-explanatory: `nil|t/3 is nil or t(nil|t/3, int, nil|t/3)`.
#[must_use]
pub fn type_meanings<'t>(types: impl Iterator<Item = &'t Type>) -> Vec<String> {
    let mut meanings: Vec<String> = Vec::new();
    let parts = types.flat_map(|ty| match ty {
        Type::Opaque(o) => vec![&o.key, &o.value],
        other => vec![other],
    });
    for ty in parts {
        let mut inner = ty;
        while let Type::List(element) = inner {
            inner = element;
        }
        let Type::Tree(regular) = inner else {
            continue;
        };
        let own = regular.name.as_str();
        let argument = |t: &Type| t.to_string().replace("itself", own);
        let shapes = regular.shapes.iter().map(|shape| {
            // `'t'/3` names a compound term, `'l'` a constant.
            let name = match (shape.args.is_empty(), shape.functor.rsplit_once('/')) {
                (false, Some((name, _))) => name,
                _ => shape.functor.as_str(),
            };
            let name = name
                .strip_prefix('\'')
                .and_then(|n| n.strip_suffix('\''))
                .unwrap_or(name);
            match shape.args.is_empty() {
                true => name.to_owned(),
                false => {
                    let arguments: Vec<String> = shape.args.iter().map(argument).collect();
                    format!("{}({})", quoted(name), arguments.join(", "))
                }
            }
        });
        let mut all: Vec<String> = shapes.collect();
        if regular.leaf != Type::None {
            all.push(regular.leaf.to_string());
        }
        let meaning = format!("{own} is {}", all.join(" or "));
        if !meanings.contains(&meaning) {
            meanings.push(meaning);
        }
    }
    meanings
}

/// Formats an atom as in a program, quoted if necessary.
#[must_use]
pub fn quoted(atom: &str) -> String {
    let mut chars = atom.chars();
    let plain = chars.next().is_some_and(char::is_lowercase)
        && chars.all(|c| c.is_alphanumeric() || c == '_');
    let symbols = !atom.is_empty() && atom.chars().all(|c| "+-*/\\^<>=~:.?@#&$".contains(c));
    if plain || symbols || matches!(atom, "[]" | "!" | "{}" | ";" | ",") {
        atom.to_owned()
    } else {
        format!("'{}'", atom.replace('\\', "\\\\").replace('\'', "\\'"))
    }
}

/// Formats name and arity, with the name quoted if necessary. Names of specialised copies, such as `maplist(double)/2`, are not quoted,
/// because they do not occur in programs.
#[must_use]
pub fn indicator(predicate: &Functor) -> String {
    if let Some(copy) = CopyName::read(predicate) {
        return copy.told();
    }
    format!("{}/{}", quoted(&predicate.name), predicate.arity)
}

/// Describes a size: `n = length(Xs)`, or `n = length(argument 1)` if the argument has no name.
#[must_use]
pub fn size_meaning(size: &SizeVariable, arguments: &[Option<String>]) -> String {
    let argument = argument_name(size.argument, arguments);
    if size.element {
        format!("{} = largest {} in {argument}", size.name, size.metric)
    } else {
        format!("{} = {}({argument})", size.name, size.metric)
    }
}

/// Returns the name of an argument, whose index starts at 1; `argument 1` if it has no name.
#[must_use]
pub fn argument_name(argument: usize, arguments: &[Option<String>]) -> String {
    (argument.checked_sub(1))
        .and_then(|i| arguments.get(i)?.clone())
        .unwrap_or_else(|| format!("argument {argument}"))
}

/// Returns true if the bounds to the first solution and over all solutions coincide on every piece.
#[must_use]
pub fn first_is_all(report: &PatternReport) -> bool {
    report.steps.iter().all(|p| p.first == p.all)
}

/// Returns the expression of a finite bound.
#[must_use]
pub fn finite(bound: &Bound) -> Option<&Expr> {
    match bound {
        Bound::Finite(e) => Some(e),
        _ => None,
    }
}

/// Formats a number of solutions: `1`, `0..n`.
#[must_use]
pub fn solutions_text(solutions: &Interval, names: &Names<'_>) -> String {
    if solutions.lower == solutions.upper {
        readable(&solutions.upper, names)
    } else {
        format!(
            "{} to {}",
            readable(&solutions.lower, names),
            readable(&solutions.upper, names)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{
        at_least, exact, interval, n, nrev, nrev_steps, piece, unknown, with_pieces,
    };

    fn hint(report: &PatternReport) -> String {
        hint_text(report).unwrap().1
    }

    #[test]
    fn an_exact_bound_shows_its_class_and_itself() {
        assert_eq!(hint(&nrev()), "O(n²)  n²/2+3n/2+1");
    }

    #[test]
    fn a_proper_upper_bound_is_marked() {
        let upper = &(&n().pow(2) + &n().scale(&costlens_algebra::rat(3))) + &Expr::int(1);
        let steps = interval(Bound::Finite(n()), Bound::Finite(upper));
        let report = with_pieces(nrev(), vec![piece(at_least(0), steps, PieceKind::Bounded)]);
        assert_eq!(hint(&report), "O(n²)  ≤ n²+3n+1");
    }

    #[test]
    fn a_long_bound_shows_its_class_alone() {
        let long = &(&n().pow(3).scale(&costlens_algebra::rat(1234)) + &nrev_steps())
            + &n().scale(&costlens_algebra::rat(100_000));
        let report = with_pieces(
            nrev(),
            vec![piece(at_least(0), exact(&long), PieceKind::Bounded)],
        );
        assert_eq!(hint(&report), "O(n³)");
    }

    #[test]
    fn unknown_and_divergence_are_different_answers() {
        assert_eq!(
            hint_text(&unknown()).unwrap(),
            (HintKind::Unknown, "cost ?".to_owned())
        );
        let forever = interval(Bound::Infinite, Bound::Infinite);
        let mut endless = piece(at_least(0), forever, PieceKind::Diverges);
        let report = with_pieces(nrev(), vec![endless.clone()]);
        assert_eq!(hint(&report), "diverges");
        endless.first = exact(&n());
        let report = with_pieces(nrev(), vec![endless]);
        assert_eq!(hint(&report), "O(n), diverges on redo");
    }

    #[test]
    fn an_inferred_pattern_is_marked() {
        let mut report = nrev();
        report.origin = Origin::Inferred;
        assert_eq!(hint(&report), "~O(n²)  n²/2+3n/2+1");
    }

    #[test]
    fn a_threshold_hides_what_grows_less() {
        assert_eq!(threshold(&nrev()), Threshold::Quadratic);
        assert_eq!(threshold(&unknown()), Threshold::Exponential);
    }

    #[test]
    fn heads_show_modes_types_and_names() {
        let p = nrev().pattern;
        assert_eq!(pattern_head("nrev", &p, &[]), "nrev(+list(any), -)");
        let names = [Some("Xs".to_owned()), Some("Ys".to_owned())];
        assert_eq!(
            pattern_head("my rev", &p, &names),
            "'my rev'(+Xs:list(any), -Ys)"
        );
    }
}
