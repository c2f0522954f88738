//! Builders for goals made by grammar-rule translation, expansion and simplification.

use costlens_syntax::term::{TermId, Terms};

use crate::comparison::Comparison;
use crate::goal::Arrow;
use crate::type_test::TypeTest;

/// Builds `A, B`.
pub fn conjunction(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    terms.compound(",", &[a, b])
}

/// Builds `A, B, C` from goals in order; `true` if there are none.
pub fn conjunction_of(terms: &mut Terms, goals: &[TermId]) -> TermId {
    let Some((&last, before)) = goals.split_last() else {
        return success(terms);
    };
    (before.iter().rev()).fold(last, |rest, &goal| conjunction(terms, goal, rest))
}

/// Builds `A ; B`.
pub fn disjunction(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    terms.compound(";", &[a, b])
}

/// Builds `C -> T` or `C *-> T`.
pub fn if_then(terms: &mut Terms, arrow: Arrow, condition: TermId, then: TermId) -> TermId {
    let name = match arrow {
        Arrow::Hard => "->",
        Arrow::Soft => "*->",
    };
    terms.compound(name, &[condition, then])
}

/// Builds `\+ G`.
pub fn not(terms: &mut Terms, goal: TermId) -> TermId {
    terms.compound("\\+", &[goal])
}

/// Builds `M:G`.
pub fn qualified(terms: &mut Terms, module: TermId, goal: TermId) -> TermId {
    terms.compound(":", &[module, goal])
}

/// Builds `true`.
pub fn success(terms: &mut Terms) -> TermId {
    terms.atom("true")
}

/// Builds `fail`.
pub fn failure(terms: &mut Terms) -> TermId {
    terms.atom("fail")
}

/// Builds `!`.
pub fn cut(terms: &mut Terms) -> TermId {
    terms.atom("!")
}

/// Builds `A = B`.
pub fn unify(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    terms.compound("=", &[a, b])
}

/// Builds `between(L, H, X)`.
pub fn between(terms: &mut Terms, low: TermId, high: TermId, value: TermId) -> TermId {
    terms.compound("between", &[low, high, value])
}

/// Builds `copy_term(T, C)`.
pub fn copy_term(terms: &mut Terms, term: TermId, copy: TermId) -> TermId {
    terms.compound("copy_term", &[term, copy])
}

/// Builds `X is E`.
pub fn is(terms: &mut Terms, result: TermId, expression: TermId) -> TermId {
    terms.compound("is", &[result, expression])
}

/// Builds `A < B`.
pub fn compare(terms: &mut Terms, comparison: Comparison, a: TermId, b: TermId) -> TermId {
    terms.compound(comparison.arithmetic_predicate(), &[a, b])
}

/// Builds `integer(X)`.
pub fn test(terms: &mut Terms, test: TypeTest, tested: TermId) -> TermId {
    terms.compound(test.predicate(), &[tested])
}

/// Builds `call(G, A, …)`.
pub fn call_n(terms: &mut Terms, closure: TermId, added: &[TermId]) -> TermId {
    let args: Vec<TermId> = std::iter::once(closure)
        .chain(added.iter().copied())
        .collect();
    terms.compound("call", &args)
}

/// Replaces a goal with `A, B`.
pub fn put_conjunction(terms: &mut Terms, place: TermId, a: TermId, b: TermId) {
    terms.replace(place, ",", &[a, b]);
}

/// Replaces a goal with `M:G`.
pub fn put_qualified(terms: &mut Terms, place: TermId, module: TermId, goal: TermId) {
    terms.replace(place, ":", &[module, goal]);
}

/// Replaces a goal with `call(G)`.
pub fn put_call(terms: &mut Terms, place: TermId, goal: TermId) {
    terms.replace(place, "call", &[goal]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;

    #[test]
    fn what_is_built_is_lowered_to_the_same() {
        let terms = &mut Terms::default();
        let (a, b) = (terms.atom("a"), terms.atom("b"));
        let both = conjunction(terms, a, b);
        assert_eq!(Goal::lower(terms, both), Goal::Conjunction(a, b));
        let of = conjunction_of(terms, &[a, b]);
        assert_eq!(Goal::lower(terms, of), Goal::Conjunction(a, b));
        let either = disjunction(terms, a, b);
        assert_eq!(Goal::lower(terms, either), Goal::Disjunction(a, b));
        for arrow in [Arrow::Hard, Arrow::Soft] {
            let then = if_then(terms, arrow, a, b);
            let condition = a;
            let expected = Goal::IfThen {
                arrow,
                condition,
                then: b,
            };
            assert_eq!(Goal::lower(terms, then), expected);
        }
        let not = not(terms, a);
        assert_eq!(Goal::lower(terms, not), Goal::Not(a));
        let qualified = qualified(terms, a, b);
        assert_eq!(
            Goal::lower(terms, qualified),
            Goal::Qualified { module: a, goal: b }
        );
        let (yes, no, cut) = (success(terms), failure(terms), cut(terms));
        assert_eq!(Goal::lower(terms, yes), Goal::True);
        assert_eq!(Goal::lower(terms, no), Goal::Fail);
        assert_eq!(Goal::lower(terms, cut), Goal::Cut);
        let unify = unify(terms, a, b);
        assert_eq!(Goal::lower(terms, unify), Goal::Unify(a, b));
        let value = is(terms, a, b);
        assert!(matches!(Goal::lower(terms, value), Goal::Is { .. }));
        let less = compare(terms, Comparison::Less, a, b);
        assert_eq!(
            Goal::lower(terms, less),
            Goal::Compare(Comparison::Less, a, b)
        );
        let tested = test(terms, TypeTest::Integer, a);
        assert_eq!(Goal::lower(terms, tested), Goal::Type(TypeTest::Integer, a));
        let called = call_n(terms, a, &[b]);
        assert!(matches!(Goal::lower(terms, called), Goal::CallN { added, .. } if added == [b]));
        let place = terms.atom("place");
        put_conjunction(terms, place, a, b);
        assert_eq!(Goal::lower(terms, place), Goal::Conjunction(a, b));
        put_qualified(terms, place, a, b);
        assert_eq!(
            Goal::lower(terms, place),
            Goal::Qualified { module: a, goal: b }
        );
        put_call(terms, place, a);
        assert!(
            matches!(Goal::lower(terms, place), Goal::CallN { closure, added: [] } if closure == a)
        );
    }
}
