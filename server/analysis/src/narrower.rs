//! The mode line that gives a predicate a bound which it has not got, where narrower types of its arguments do.

use costlens_infer::report::{Functor, Origin, PatternReport, PieceKind};
use costlens_infer::types::{Pattern, Type};

/// Where calls of a pattern have no upper bound, but narrower ones have, tells how to declare these. `guess` is what the clauses
/// suggest that the arguments are.
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
                && other
                    .main_piece()
                    .is_some_and(|p| p.kind == PieceKind::Bounded)
        });
        let types_help = here.unknown.first().is_some_and(|u| u.types_help);
        let line = match narrower {
            Some(other) => Some(mode_line(predicate, &other.pattern)),
            // What is not tried is only suggested where it is the reason.
            None if types_help => {
                let guess = guess.filter(|g| **g != here.pattern && g.is_within(&here.pattern));
                let tried = |p: &Pattern| patterns.iter().any(|other| other.pattern == *p);
                without_floats(&here.pattern)
                    .or_else(|| guess.cloned())
                    .filter(|p| !tried(p))
                    .map(|p| mode_line(predicate, &p))
            }
            None => None,
        };
        if let (Some(line), Some(first)) = (line, patterns[i].unknown.first_mut()) {
            first.help = format!("Declare what it is called with: `%! {line}`.");
        }
    }
}

/// The pattern with integers for numbers of any kind; none where there are no such numbers.
fn without_floats(pattern: &Pattern) -> Option<Pattern> {
    let types = pattern.0.iter().map(|ty| match ty {
        Type::Number => Type::Int,
        other => other.clone(),
    });
    let narrowed = Pattern(types.collect());
    (narrowed != *pattern).then_some(narrowed)
}

/// `p(+A:list(int), -B)`.
fn mode_line(predicate: &Functor, pattern: &Pattern) -> String {
    let arguments: Vec<String> = (pattern.0.iter().enumerate())
        .map(|(i, ty)| {
            let name = u8::try_from(i).ok().filter(|i| *i < 26).map_or_else(
                || format!("A{}", i + 1),
                |i| char::from(b'A' + i).to_string(),
            );
            match ty {
                Type::Free => format!("-{name}"),
                Type::Any => format!("?{name}"),
                ty => format!("+{name}:{}", declarable(ty)),
            }
        })
        .collect();
    format!("{}({})", predicate.name, arguments.join(", "))
}

/// A type as a declaration can name it. A type that was made of the functors in clauses has no name there; its terms are ground where
/// their size matters.
fn declarable(ty: &Type) -> String {
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
        other => other.to_string(),
    }
}

/// Puts the calls that complete a mode line in front, where they have an upper bound that the declared ones have not: what use shows of an argument
/// is what the line is about, and of the calls that it leaves open besides nothing is known.
pub(crate) fn show_completed(patterns: &mut [PatternReport], completed: &Pattern) {
    let is_unbounded =
        |report: &PatternReport| report.main_piece().map(|p| p.kind) == Some(PieceKind::Unknown);
    if patterns
        .first()
        .is_none_or(|first| first.origin != Origin::Declared || !is_unbounded(first))
    {
        return;
    }
    let place = patterns.iter().position(|report| {
        report.origin == Origin::Inferred
            && report.pattern == *completed
            && report.main_piece().map(|p| p.kind) == Some(PieceKind::Bounded)
    });
    if let Some(place) = place {
        patterns[..=place].rotate_right(1);
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
            mode_line(&p, &pattern),
            "p(+A:list(int), -B, ?C, +D:ground)"
        );
    }

    #[test]
    fn numbers_become_integers() {
        let pattern = Pattern(vec![Type::Number, Type::Free]);
        let narrowed = Pattern(vec![Type::Int, Type::Free]);
        assert_eq!(without_floats(&pattern), Some(narrowed.clone()));
        assert_eq!(without_floats(&narrowed), None);
    }
}
