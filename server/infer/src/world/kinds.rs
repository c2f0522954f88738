//! Kinds of terms, used to check that the answers about a value are consistent.
//!
//! `ev(X, X) :- number(X).` queries whether the first argument is a number, and `ev(A+B, V) :- …` queries whether it is a sum. No call
//! belongs to a world in which both hold, or in which a value is an integer but not a number. Each answer excludes some kinds of terms; if
//! no kind remains, the world is empty.

use std::collections::BTreeMap;

use costlens_body::TypeTest;
use smol_str::SmolStr;

use super::questions::{Answer, Question};
use crate::lattice::regular::CELL_KEY;
use crate::lattice::types::Type;

const INTEGER: u16 = 1;
const RATIONAL: u16 = 1 << 1;
const FLOAT: u16 = 1 << 2;
const ATOM: u16 = 1 << 3;
const NIL: u16 = 1 << 4;
const STRING: u16 = 1 << 5;
/// Streams and similar values.
const BLOB: u16 = 1 << 6;
const CELL: u16 = 1 << 7;
const COMPOUND: u16 = 1 << 8;
const UNBOUND: u16 = 1 << 9;
const ALL: u16 = (1 << 10) - 1;

/// Returns whether some value is consistent with all answers about it.
pub(crate) fn are_consistent(answers: &BTreeMap<Question, Answer>) -> bool {
    let mut left: BTreeMap<&SmolStr, u16> = BTreeMap::new();
    for (question, answer) in answers {
        let Some((key, kinds)) = of_answer(question, answer) else {
            continue;
        };
        let kinds_left = left.entry(key).or_insert(ALL);
        *kinds_left &= kinds;
        if *kinds_left == 0 {
            return false;
        }
    }
    true
}

/// Decides a type test from the value's type and the answers about it, if possible.
pub(crate) fn decided(
    test: TypeTest,
    ty: &Type,
    key: &SmolStr,
    answers: &BTreeMap<Question, Answer>,
) -> Option<bool> {
    let mut kinds = of_type(ty);
    for (question, answer) in answers {
        if let Some((k, more)) = of_answer(question, answer)
            && k == key
        {
            kinds &= more;
        }
    }
    let (surely, possibly) = of_test(test);
    if kinds & !surely == 0 {
        Some(true)
    } else if kinds & possibly == 0 {
        Some(false)
    } else {
        None
    }
}

fn of_type(ty: &Type) -> u16 {
    match ty {
        Type::Int => INTEGER,
        Type::Number => INTEGER | RATIONAL | FLOAT,
        Type::List(_) => NIL | CELL,
        ty if ty.is_bound() => ALL & !UNBOUND,
        _ => ALL,
    }
}

/// Returns the value to which an answer refers, and the kinds that the answer allows.
fn of_answer<'q>(question: &'q Question, answer: &Answer) -> Option<(&'q SmolStr, u16)> {
    match (question, answer) {
        (Question::Shape { key }, answer) => Some((key, of_shape(answer))),
        (Question::Test { test, key }, answer) => {
            let (surely, possibly) = of_test(*test);
            match answer {
                Answer::Yes => Some((key, possibly)),
                Answer::No => Some((key, ALL & !surely)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the kinds whose values all pass the test, and the kinds with some values that may pass it.
fn of_test(test: TypeTest) -> (u16, u16) {
    let exactly = |kinds: u16| (kinds, kinds);
    match test {
        TypeTest::Integer => exactly(INTEGER),
        TypeTest::Float => exactly(FLOAT),
        TypeTest::Rational => exactly(INTEGER | RATIONAL),
        TypeTest::Number => exactly(INTEGER | RATIONAL | FLOAT),
        TypeTest::Atom => (ATOM, ATOM | BLOB),
        TypeTest::String => exactly(STRING),
        TypeTest::Atomic => exactly(ALL & !(CELL | COMPOUND | UNBOUND)),
        TypeTest::Compound => exactly(CELL | COMPOUND),
        TypeTest::Callable => (ATOM | CELL | COMPOUND, ATOM | BLOB | CELL | COMPOUND),
        TypeTest::IsList => (NIL, NIL | CELL),
        TypeTest::Var => exactly(UNBOUND),
        TypeTest::Nonvar => exactly(ALL & !UNBOUND),
        TypeTest::Ground => (0, ALL),
    }
}

fn of_shape(answer: &Answer) -> u16 {
    let functor = match answer {
        Answer::Unbound => return UNBOUND,
        Answer::Is(functor) => functor.as_str(),
        Answer::IsNot(others) if others.contains("[]") => return ALL & !(NIL | UNBOUND),
        Answer::IsNot(_) => return ALL & !UNBOUND,
        _ => return ALL,
    };
    match functor {
        "[]" => NIL,
        CELL_KEY => CELL,
        f if f.starts_with('"') => STRING,
        f if f.starts_with("float:") => FLOAT,
        f if f.starts_with('\'') && f.ends_with('\'') => ATOM,
        f if f.starts_with('\'') => COMPOUND,
        f if f.contains('r') => RATIONAL,
        _ => INTEGER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(functor: &str) -> (Question, Answer) {
        (
            Question::Shape { key: "a1".into() },
            Answer::Is(functor.into()),
        )
    }

    fn test(test: TypeTest, yes: bool) -> (Question, Answer) {
        let answer = if yes { Answer::Yes } else { Answer::No };
        (
            Question::Test {
                test,
                key: "a1".into(),
            },
            answer,
        )
    }

    #[test]
    fn a_sum_is_no_number_and_an_integer_is_one() {
        assert!(!are_consistent(
            &[shape("'+'/2"), test(TypeTest::Number, true)].into()
        ));
        assert!(are_consistent(
            &[shape("'+'/2"), test(TypeTest::Number, false)].into()
        ));
        assert!(!are_consistent(
            &[test(TypeTest::Integer, true), test(TypeTest::Number, false)].into()
        ));
        assert!(are_consistent(
            &[test(TypeTest::Integer, false), test(TypeTest::Number, true)].into()
        ));
        assert!(!are_consistent(
            &[shape("[]"), test(TypeTest::Atom, true)].into()
        ));
        assert!(are_consistent(
            &[shape(CELL_KEY), test(TypeTest::IsList, false)].into()
        ));
    }

    #[test]
    fn a_quote_inside_an_atom_makes_no_compound() {
        for (test, functor) in [
            (TypeTest::Atom, "'a'/2'"),
            (TypeTest::Compound, "'a'/2"),
            (TypeTest::Integer, "-3"),
            (TypeTest::Atomic, "float:4"),
        ] {
            let answers = [shape(functor)].into();
            assert_eq!(
                decided(test, &Type::Any, &"a1".into(), &answers),
                Some(true)
            );
        }
    }

    #[test]
    fn what_is_bound_is_atomic_or_compound() {
        let answers = [test(TypeTest::Atomic, false)].into();
        let of = |ty| decided(TypeTest::Compound, &ty, &"a1".into(), &answers);
        assert_eq!(of(Type::Ground), Some(true));
        assert_eq!(of(Type::Any), None);
    }
}
