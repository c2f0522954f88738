//! Patterns declared in assertions and PlDoc comments.

use costlens_infer::regular::{Regulars, known_type};
use costlens_infer::report::Origin;
use costlens_infer::types::{Pattern, TextType, Type};
use costlens_syntax::assertions::{
    Argument, Assertion, AssertionKind, CostNode, DeclaredType, Mode, Property, SizeMetric, Status,
};

use super::MOST_PATTERNS;

/// Returns the patterns declared in the assertions of one predicate: those of `:- pred` and PlDoc before those of `:- entry`.
#[must_use]
pub fn declared_patterns(assertions: &[Assertion], types: &Regulars) -> Vec<(Pattern, Origin)> {
    let mut found: Vec<(Pattern, Origin)> = Vec::new();
    for origin in [Origin::Declared, Origin::Entry] {
        for assertion in assertions {
            let of = match assertion.kind {
                AssertionKind::Entry => Origin::Entry,
                _ => Origin::Declared,
            };
            if of != origin || !assertion.declares_calls() || assertion.status == Status::False {
                continue;
            }
            let pattern = assertion_pattern(assertion, types);
            if found.iter().any(|(p, _)| *p == pattern) {
                continue;
            }
            if let Some((last, _)) = found.get_mut(MOST_PATTERNS - 1) {
                *last = last.join(&pattern);
                continue;
            }
            // With `%! len(+Xs, -N)` and `@cost steps =< length(Xs)+1`, calls with lists are shown first.
            let place = found
                .iter()
                .position(|(p, o)| *o == of && refined(p, &pattern).as_ref() == Some(&pattern));
            found.insert(place.unwrap_or(found.len()), (pattern, of));
        }
    }
    found
}

/// Returns the declared minimum of each integer argument of a pattern, such as 0 for `nat`, if the pattern is that of an assertion or
/// completes it.
#[must_use]
pub fn declared_least(
    assertions: &[Assertion],
    types: &Regulars,
    pattern: &Pattern,
) -> Vec<Option<i64>> {
    let declaring: Vec<&Assertion> = (assertions.iter())
        .filter(|a| a.declares_calls() && a.status != Status::False)
        .collect();
    let is_meant = |assertion: &&&Assertion| {
        let own = assertion_pattern(assertion, types);
        let completes = declaring.len() == 1 && pattern.is_within(&own);
        completes || measured(&own, pattern) == *pattern
    };
    let least = |argument: &Argument| match argument.call {
        Some(DeclaredType::NonNegative) => Some(0),
        Some(DeclaredType::Positive) => Some(1),
        _ => None,
    };
    let mut found: Option<Vec<Option<i64>>> = None;
    // Further patterns are joined into a single pattern.
    if declaring.len() > MOST_PATTERNS {
        return Vec::new();
    }
    for assertion in declaring.iter().filter(is_meant) {
        let own = assertion.arguments.iter().map(least);
        found = Some(match found {
            None => own.collect(),
            Some(before) => (before.into_iter().zip(own))
                .map(|(a, b)| Some(a?.min(b?)))
                .collect(),
        });
    }
    found.unwrap_or_default()
}

/// Returns a declared pattern in which the types of another pattern replace those of arguments that are only declared as bound (`+Xs`).
/// Returns `None` if that changes nothing.
#[must_use]
pub fn refined(declared: &Pattern, by: &Pattern) -> Option<Pattern> {
    let types = declared.0.iter().zip(&by.0).map(|(d, b)| match d {
        Type::Nonvar if b.is_bound() => b.clone(),
        // The types have the same values, but `b` also measures their characters.
        _ if d != b && is_measured(d, b) => b.clone(),
        _ => d.clone(),
    });
    let refined = Pattern(types.collect());
    (refined != *declared).then_some(refined)
}

/// Returns the pattern of the calls that an assertion covers. An argument that a cost measures by `length` is a list, and an argument that
/// it measures by `int` is an integer: the cost does not apply to other calls.
#[must_use]
pub fn assertion_pattern(assertion: &Assertion, regulars: &Regulars) -> Pattern {
    let mut types: Vec<Type> = assertion
        .arguments
        .iter()
        .map(|a| argument_type(a, regulars))
        .collect();
    let nodes = assertion.properties.iter().flat_map(|p| match &p.property {
        Property::Cost(cost) => &cost.expression.nodes[..],
        _ => &[],
    });
    for node in nodes {
        let CostNode::Size(Some(metric), argument) = node else {
            continue;
        };
        let measured = match metric {
            SizeMetric::Length => Type::list(Type::Any),
            SizeMetric::Int => Type::Int,
            SizeMetric::Chars => Type::Text(TextType::Either),
            SizeMetric::Size | SizeMetric::Depth | SizeMetric::Keys => continue,
        };
        let (Some(of), Some(declared)) =
            (types.get_mut(*argument), assertion.arguments.get(*argument))
        else {
            continue;
        };
        let open = *of == Type::Nonvar || (*of == Type::Any && declared.mode.is_none());
        if open && declared.call.is_none() {
            *of = measured;
        }
    }
    Pattern(types)
}

/// Returns the type of an argument at the call. In Costlens, `-` is an unbound variable that occurs nowhere else; `+` without a known type
/// is any bound term; an argument without a mode and a type may be any term.
fn argument_type(argument: &Argument, types: &Regulars) -> Type {
    let declared = argument.call.as_ref().map(|t| known_type(t, types));
    match argument.mode {
        Some(Mode::Out | Mode::Fresh) => Type::Free,
        Some(Mode::Either | Mode::Unchanged) => match declared {
            // `@Xs:list` and Ciao's `?Xs` with a precondition determine whether the argument is bound.
            Some(Some(t)) if t.is_bound() => t,
            _ => Type::Any,
        },
        Some(Mode::GroundIn) => match declared {
            Some(Some(t)) => t.meet(&Type::Ground),
            _ => Type::Ground,
        },
        Some(Mode::In | Mode::Meta | Mode::Mutable) => match declared {
            Some(Some(t)) if t != Type::Any && t != Type::Free => t,
            _ => Type::Nonvar,
        },
        None => match declared {
            Some(Some(t)) => t,
            // The values of an unknown type are bound only if the declaration states it.
            _ => Type::Any,
        },
    }
}

/// Returns a declared pattern that measures atoms wherever another pattern does; the values are the same.
#[must_use]
pub fn measured(declared: &Pattern, by: &Pattern) -> Pattern {
    let types = declared.0.iter().zip(&by.0);
    Pattern(
        types
            .map(|(d, b)| if is_measured(d, b) { b } else { d })
            .cloned()
            .collect(),
    )
}

/// Returns whether a type has the same values as another type, but measures atoms.
fn is_measured(plain: &Type, by: &Type) -> bool {
    match (plain, by) {
        (Type::Atom, Type::Text(TextType::Atom)) => true,
        (Type::List(a), Type::List(b)) => is_measured(a, b),
        _ => false,
    }
}
