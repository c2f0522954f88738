//! Suggests narrower types of arguments if they would give a predicate a bound that it lacks.

use costlens_infer::report::{Functor, Origin, PatternReport, PieceKind, Unknown};
use costlens_infer::types::{Pattern, Type};

/// If calls of a pattern have no upper bound but calls of a narrower pattern do, suggests a declaration of the narrower pattern. `guess`
/// contains the types that the clauses suggest for the arguments. If the arguments of another predicate are the cause, the suggestion
/// concerns `predicate`, which passes these arguments.
pub(crate) fn suggest(
    predicate: &Functor,
    patterns: &mut [PatternReport],
    guess: Option<&Pattern>,
) {
    for i in 0..patterns.len() {
        let here = &patterns[i];
        let narrower = patterns.iter().find(|other| {
            other.pattern != here.pattern
                && other.pattern.is_within(&here.pattern)
                && other.unknown.is_empty()
                && !other.lacks_bound()
                && other
                    .main_piece()
                    .is_some_and(|p| p.kind == PieceKind::Bounded)
        });
        let types_help = here.first_cause().is_some_and(|u| u.types_help);
        let declare = match narrower {
            Some(other) => Some(other.pattern.clone()),
            // A pattern that has not been analysed is suggested only if types are the cause.
            None if types_help => {
                let guess = guess.filter(|g| **g != here.pattern && g.is_within(&here.pattern));
                let tried = |p: &Pattern| patterns.iter().any(|other| other.pattern == *p);
                without_floats(&here.pattern)
                    .or_else(|| guess.cloned())
                    .filter(|p| !tried(p))
            }
            None => None,
        };
        let is_nothing = |ty: &Type| matches!(ty, Type::Any | Type::Nonvar | Type::Number);
        let is_open = |ty: &Type| match ty {
            Type::List(element) => is_nothing(element),
            ty => is_nothing(ty),
        };
        let passes_on = patterns[i].pattern.0.iter().any(is_open);
        if let (Some(pattern), Some(first)) = (declare, patterns[i].causes_mut().next()) {
            first.help = "Declare what it is called with.".to_owned();
            first.declare = Some(pattern);
        }
        let own = format!("%! {}(", predicate.name);
        // The cause may be a call to another predicate to which this predicate passes its arguments.
        let is_of_other =
            |u: &Unknown| u.cause != *predicate || u.help.contains("%! ") && !u.help.contains(&own);
        let from_here = |u: &&mut Unknown| u.types_help && u.declare.is_none() && is_of_other(u);
        for cause in patterns[i].causes_mut().filter(from_here) {
            cause.help = match passes_on {
                true => format!(
                    "Declare what `{predicate}` is called with, in a line `%! {}(…)` above it.",
                    predicate.name
                ),
                false => {
                    "Test what is passed on before the call (`is_list/1`, `integer/1`, `ground/1`)."
                        .to_owned()
                }
            };
        }
    }
}

/// Returns the pattern with integers in place of numbers, or `None` if it contains no numbers.
pub(crate) fn without_floats(pattern: &Pattern) -> Option<Pattern> {
    let types = pattern.0.iter().map(|ty| match ty {
        Type::Number => Type::Int,
        other => other.clone(),
    });
    let narrowed = Pattern(types.collect());
    (narrowed != *pattern).then_some(narrowed)
}

/// Removes the patterns for integers if the pattern for all numbers also has bounds.
pub(crate) fn drop_needless(patterns: &mut Vec<PatternReport>) {
    let bounded: Vec<Pattern> = (patterns.iter())
        .filter(|report| report.unknown.is_empty())
        .filter_map(|report| without_floats(&report.pattern))
        .collect();
    patterns.retain(|p| p.origin != Origin::Inferred || !bounded.contains(&p.pattern));
}

/// Moves the pattern that completes a mode line to the front if it has an upper bound and the declared pattern has none. The mode line is
/// assumed to refer to the types that follow from the use of the arguments; no bound is known for other calls that it covers.
pub(crate) fn show_completed(patterns: &mut [PatternReport], completed: &Pattern) {
    let Some(first) = patterns.first() else {
        return;
    };
    if first.origin != Origin::Declared || !first.lacks_bound() {
        return;
    }
    let kind = |report: &PatternReport| report.main_piece().map(|p| p.kind);
    let needs_any = kind(first) == Some(PieceKind::Unknown);
    let place = patterns.iter().position(|report| {
        report.origin == Origin::Inferred
            && report.pattern == *completed
            && kind(report) == Some(PieceKind::Bounded)
            && (needs_any || !report.lacks_bound())
    });
    if let Some(place) = place {
        patterns[..=place].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_integers() {
        let pattern = Pattern(vec![Type::Number, Type::Free]);
        let narrowed = Pattern(vec![Type::Int, Type::Free]);
        assert_eq!(without_floats(&pattern), Some(narrowed.clone()));
        assert_eq!(without_floats(&narrowed), None);
    }
}
