//! Formats inferred bounds as assertions that both Costlens and Ciao can parse.
//!
//! ```prolog
//! :- true pred nrev(Xs, Ys) : (list(Xs), var(Ys))
//!    + (cost(lb,steps,1/2*length(Xs)^2+3/2*length(Xs)+1), cost(ub,steps,1/2*length(Xs)^2+3/2*length(Xs)+1), is_det, not_fails).
//! ```

use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Expr, Var};
use costlens_analysis::report::{Bound, Determinism, Functor, PatternReport, SizeVariable};
use costlens_analysis::types::{Metric, Type};

use super::mode_line::{argument_or_letter, declarable, is_declarable};
use crate::present::{finite, quoted};

/// Functions in bounds that assertions cannot express.
const NOT_WRITTEN: [&str; 8] = [
    "floor(", "ceil(", "mod(", "flog(", "clog(", "cfinite(", "sum(", "prod(",
];

/// Formats the assertion for the calls of a pattern, with the given status. Properties that the assertion language cannot express are
/// omitted. Returns `None` if a type has no name, since the facts about some terms do not apply to other terms.
#[must_use]
pub fn assertion(
    status: &str,
    predicate: &Functor,
    report: &PatternReport,
    names: &[Option<String>],
) -> Option<String> {
    if !report.pattern.0.iter().all(is_declarable) {
        return None;
    }
    let arguments: Vec<String> = (0..predicate.arity)
        .map(|i| argument_or_letter(i, names))
        .collect();
    let name = quoted(&predicate.name);
    let head = match arguments.as_slice() {
        [] => name,
        arguments => format!("{name}({})", arguments.join(", ")),
    };
    let types: Vec<String> = (report.pattern.0.iter().zip(&arguments).enumerate())
        .filter_map(
            |(i, (ty, argument))| match report.least.get(i).copied().flatten() {
                Some(_) => Some(format!("{}({argument})", report.type_name(i))),
                None => property(ty, argument),
            },
        )
        .collect();
    let mut text = format!(":- {status} pred {head}");
    if !types.is_empty() {
        text.push_str(&format!(" : ({})", types.join(", ")));
    }
    let mut properties = costs(report, &arguments);
    properties.extend(solutions(report).iter().map(|p| (*p).to_owned()));
    if !properties.is_empty() {
        text.push_str(&format!("\n   + ({})", properties.join(", ")));
    }
    text.push('.');
    Some(text)
}

/// Formats a bound on steps in the syntax of assertions, in terms of argument names. Returns `None` if the bound cannot be expressed.
pub(crate) fn expression(e: &Expr, sizes: &[SizeVariable], arguments: &[String]) -> Option<String> {
    let term = |v: Var| {
        let size = sizes
            .iter()
            .find(|size| size.var == v)
            .filter(|size| !size.element)?;
        let argument = arguments.get(size.argument.checked_sub(1)?)?;
        Some(match size.metric {
            Metric::Length => format!("length({argument})"),
            Metric::Int => format!("int({argument})"),
            Metric::Size => format!("size({argument})"),
            Metric::Chars => format!("chars({argument})"),
            Metric::Keys => format!("keys({argument})"),
        })
    };
    if e.variables().into_iter().any(|v| term(v).is_none()) {
        return None;
    }
    let text = to_text(e, &Names::new(|v| term(v).unwrap_or_default()));
    (!NOT_WRITTEN.iter().any(|function| text.contains(function))).then_some(text)
}

/// Formats the costs of a pattern whose headline covers all sizes.
fn costs(report: &PatternReport, arguments: &[String]) -> Vec<String> {
    let headline = &report.headline;
    if headline.conditional || !headline.except.is_empty() {
        return Vec::new();
    }
    let text = |bound: &Bound| finite(bound).and_then(|e| expression(e, &report.sizes, arguments));
    let mut found = Vec::new();
    if let Some(lower) = text(&headline.first.lower).filter(|lower| lower != "0") {
        found.push(format!("cost(lb,steps,{lower})"));
    }
    let (first, all) = (text(&headline.first.upper), text(&headline.all.upper));
    if let Some(first) = &first {
        found.push(format!("cost(ub,steps,{first})"));
    }
    if let Some(all) = all.filter(|all| first.as_ref() != Some(all)) {
        found.push(format!("cost(ub,allsols,steps,{all})"));
    }
    found
}

/// Formats a type as a property of an argument: `list(Xs, int)`. Returns `None` for the type of all terms.
fn property(ty: &Type, argument: &str) -> Option<String> {
    match ty {
        Type::Any => None,
        Type::Free => Some(format!("var({argument})")),
        ty => Some(match declarable(ty).as_str() {
            "list(any)" => format!("list({argument})"),
            text => match text.split_once('(') {
                Some((name, rest)) => format!("{name}({argument}, {rest}"),
                None => format!("{text}({argument})"),
            },
        }),
    }
}

fn solutions(report: &PatternReport) -> &'static [&'static str] {
    // A goal that diverges does not fail.
    let ends = || (report.steps.iter()).all(|piece| matches!(piece.all.upper, Bound::Finite(_)));
    match report.determinism {
        Determinism::Det => &["is_det", "not_fails"],
        Determinism::Semidet => &["is_det"],
        Determinism::Multi => &["not_fails"],
        Determinism::Nondet => &[],
        Determinism::Failure if ends() => &["fails"],
        Determinism::Failure => &["is_det"],
    }
}
