//! Mode lines that lead to a bound for a predicate, with the predicate's own argument names.

use std::sync::Arc;

use costlens_analysis::report::{Functor, PatternReport, PredicateReport, Unknown};
use costlens_analysis::types::{Pattern, Type};
use costlens_program::SourceFile;

use super::arguments::argument_names;
use crate::db::Db;
use crate::present::quoted;

/// Adds the mode lines that the user can paste to the advice in a report.
pub(crate) fn proposed(
    db: &dyn Db,
    file: SourceFile,
    report: Arc<PredicateReport>,
) -> Arc<PredicateReport> {
    let whys = |p: &PatternReport| p.parameters.iter().any(|p| is_proposed(p.why.as_deref()));
    let is_about = |p: &PatternReport| p.unknown.iter().any(|u| is_proposed(Some(u))) || whys(p);
    if !report.patterns.iter().any(is_about) {
        return report;
    }
    let names = argument_names(db, file, &report.predicate);
    let mut proposed = PredicateReport::clone(&report);
    for unknown in (proposed.patterns.iter_mut()).flat_map(PatternReport::causes_mut) {
        if let Some(pattern) = &unknown.declare {
            let line = mode_line(&report.predicate, pattern, &names);
            unknown.help = format!("Declare what it is called with: `%! {line}`.");
        }
    }
    Arc::new(proposed)
}

fn is_proposed(cause: Option<&Unknown>) -> bool {
    cause.is_some_and(|cause| cause.declare.is_some())
}

/// Returns the mode line to declare for a predicate without a bound, if narrower types lead, or are likely to lead, to a bound.
pub(crate) fn to_declare(
    db: &dyn Db,
    file: SourceFile,
    report: &PredicateReport,
) -> Option<String> {
    let pattern = report.telling()?.first_cause()?.declare.as_ref()?;
    let names = argument_names(db, file, &report.predicate);
    Some(mode_line(&report.predicate, pattern, &names))
}

/// Formats a mode line: `in2(+F:int, +T:int, -X)`.
pub(crate) fn mode_line(
    predicate: &Functor,
    pattern: &Pattern,
    names: &[Option<String>],
) -> String {
    let arguments: Vec<String> = (pattern.0.iter().enumerate())
        .map(|(i, ty)| {
            let name = argument_or_letter(i, names);
            match ty {
                Type::Free => format!("-{name}"),
                Type::Any => format!("?{name}"),
                Type::Nonvar => format!("+{name}"),
                Type::List(element) if **element == Type::Any => format!("+{name}:list"),
                ty => format!("+{name}:{}", declarable(ty)),
            }
        })
        .collect();
    format!("{}({})", quoted(&predicate.name), arguments.join(", "))
}

/// Returns the name of an argument, with an index from 0. An unnamed argument gets a letter as its name.
pub(crate) fn argument_or_letter(argument: usize, names: &[Option<String>]) -> String {
    let name = names.get(argument).cloned().flatten();
    name.unwrap_or_else(|| other_name(argument, names))
}

/// Returns a name for an unnamed argument: a letter, unless another argument has this name.
fn other_name(argument: usize, names: &[Option<String>]) -> String {
    let letter = u8::try_from(argument).ok().filter(|i| *i < 26);
    let letter = letter.map(|i| char::from(b'A' + i).to_string());
    let is_free = |name: &String| names.iter().flatten().all(|other| other != name);
    letter
        .filter(is_free)
        .unwrap_or_else(|| format!("A{}", argument + 1))
}

/// Returns true for a type that has a name in declarations. A type derived from the functors in clauses has none.
pub(crate) fn is_declarable(ty: &Type) -> bool {
    let is_empty = matches!(ty, Type::Opaque(o) if o.key == Type::None);
    is_empty || declarable(ty) == ty.to_string()
}

pub(super) fn declarable(ty: &Type) -> String {
    match ty {
        Type::Tree(defined)
            if !defined
                .name
                .chars()
                .all(|c| c.is_alphanumeric() || c == '_') =>
        {
            "ground".to_owned()
        }
        Type::List(element) if **element != Type::None => format!("list({})", declarable(element)),
        Type::Opaque(o)
            if o.key == Type::None || (&o.key, &o.value) == (&Type::Any, &Type::Any) =>
        {
            o.name.name().to_owned()
        }
        Type::Opaque(o) => {
            let (key, value) = (declarable(&o.key), declarable(&o.value));
            format!("{}({key}, {value})", o.name.name())
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_line_can_be_pasted() {
        let p = Functor::new(smol_str::SmolStr::new("p"), 4);
        let pattern = Pattern(vec![
            Type::list(Type::Int),
            Type::Free,
            Type::Any,
            Type::Ground,
        ]);
        assert_eq!(
            mode_line(&p, &pattern, &[]),
            "p(+A:list(int), -B, ?C, +D:ground)"
        );
        let names = ["Xs", "A"].map(|name| Some(name.to_owned()));
        assert_eq!(
            mode_line(&p, &pattern, &names),
            "p(+Xs:list(int), -A, ?C, +D:ground)"
        );
    }
}
