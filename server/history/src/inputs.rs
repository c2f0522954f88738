//! The inputs of a call: all measures of its arguments.
//!
//! The call `rank([3,1,2], up, R)` has `length(1)=3`, `size(1)=7`, `depth(1)=3`, `e.int(1)=3`, `sum(1)=6`, `chars(2)=2` and `name(2)=up`.
//! Predictions compare runs by some of these inputs ([`crate::predict`]).

use costlens_analysis::fits::size_of;
use costlens_analysis::types::Metric;
use costlens_syntax::term::{NIL, Term, TermId, Terms};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::run::{InputName, InputValue, Inputs, Measure};

/// Returns the inputs of a call. Unbound arguments have none.
#[must_use]
pub fn inputs_of(terms: &Terms, goal: TermId) -> Inputs {
    let mut inputs = Inputs::new();
    for (number, &argument) in terms.args(goal).iter().enumerate() {
        let mut put = |measure, value: Option<InputValue>| {
            let name = InputName {
                argument: number + 1,
                measure,
            };
            inputs.extend(value.map(|value| (name, value)));
        };
        match terms.get(argument) {
            Term::Var(_) | Term::Error => {}
            Term::Integer(n) => put(Measure::Int, of_integer(n)),
            Term::Float(bits) => put(Measure::Value, finite(f64::from_bits(*bits))),
            Term::Rational(q) => {
                let value =
                    q.0.to_f64()
                        .zip(q.1.to_f64())
                        .and_then(|(a, b)| finite(a / b));
                put(Measure::Value, value);
            }
            Term::Atom(name) if name != NIL => {
                put(Measure::Chars, measured(Metric::Chars, terms, argument));
                put(Measure::Name, Some(InputValue::of_name(name)));
            }
            Term::String(_) => put(Measure::Chars, measured(Metric::Chars, terms, argument)),
            Term::Atom(_) | Term::Compound(..) => {
                put(Measure::Size, measured(Metric::Size, terms, argument));
                put(Measure::Keys, measured(Metric::Keys, terms, argument));
                put(Measure::Depth, number_of(depth(terms, argument)));
                if let Some(length) = measured(Metric::Length, terms, argument) {
                    put(Measure::Length, Some(length));
                    for (measure, value) in of_elements(terms, argument) {
                        put(measure, value);
                    }
                }
            }
        }
    }
    inputs
}

fn finite(value: f64) -> Option<InputValue> {
    value.is_finite().then_some(InputValue::Number(value))
}

fn of_integer(n: &impl ToPrimitive) -> Option<InputValue> {
    n.to_f64().and_then(finite)
}

#[expect(clippy::cast_precision_loss, reason = "sizes of terms in memory")]
fn number_of(n: usize) -> Option<InputValue> {
    Some(InputValue::Number(n as f64))
}

fn measured(metric: Metric, terms: &Terms, id: TermId) -> Option<InputValue> {
    of_integer(&size_of(metric, terms, id)?)
}

/// Returns the depth of a term, without recursion.
fn depth(terms: &Terms, id: TermId) -> usize {
    let (mut deepest, mut stack) = (0, vec![(id, 0)]);
    while let Some((top, at)) = stack.pop() {
        deepest = deepest.max(at);
        stack.extend(terms.args(top).iter().map(|&argument| (argument, at + 1)));
    }
    deepest
}

/// Returns the measures of the elements of a proper list, for each metric that applies to all elements.
fn of_elements(terms: &Terms, list: TermId) -> Vec<(Measure, Option<InputValue>)> {
    let (elements, _) = terms.list(list);
    let all = |metric: Metric| -> Option<Vec<BigInt>> {
        elements
            .iter()
            .map(|&e| size_of(metric, terms, e))
            .collect()
    };
    let mut found = Vec::new();
    if let Some(values) = all(Metric::Int) {
        found.push((
            Measure::ElementInt,
            values.iter().max().and_then(of_integer),
        ));
        found.push((Measure::Sum, of_integer(&values.iter().sum::<BigInt>())));
    }
    if let Some(values) = all(Metric::Length) {
        found.push((
            Measure::ElementLength,
            values.iter().max().and_then(of_integer),
        ));
        found.push((Measure::Total, of_integer(&values.iter().sum::<BigInt>())));
    }
    if let Some(values) = all(Metric::Size) {
        found.push((
            Measure::ElementSize,
            values.iter().max().and_then(of_integer),
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    fn input_texts(goal: &str) -> Vec<String> {
        let clause = read_text(&format!("{goal}.")).clauses[0].clone();
        let inputs = inputs_of(&clause.terms, clause.root);
        let text = |(name, value): (InputName, InputValue)| match value {
            InputValue::Number(n) => format!("{name}={n}"),
            InputValue::Name(n) => format!("{name}={n}"),
        };
        inputs.into_iter().map(text).collect()
    }

    #[test]
    fn every_measure_that_applies_is_taken() {
        assert_eq!(
            input_texts("rank([3,1,2], up, 7, R)"),
            [
                "size(1)=7",
                "depth(1)=3",
                "length(1)=3",
                "e.int(1)=3",
                "sum(1)=6",
                "e.size(1)=1",
                "chars(2)=2",
                "name(2)=up",
                "int(3)=7"
            ]
        );
        assert_eq!(
            input_texts("p([[a],[b,c]], f(g(x)), 1.5)"),
            [
                "size(1)=11",
                "depth(1)=4",
                "length(1)=2",
                "e.length(1)=2",
                "total(1)=3",
                "e.size(1)=5",
                "size(2)=3",
                "depth(2)=2",
                "value(3)=1.5"
            ]
        );
        // An empty list has sums over its elements, but no largest element.
        assert_eq!(
            input_texts("p([], X)"),
            [
                "size(1)=1",
                "depth(1)=0",
                "length(1)=0",
                "sum(1)=0",
                "total(1)=0"
            ]
        );
        assert_eq!(input_texts("p([a|_])"), ["size(1)=3", "depth(1)=1"]);
    }

    #[test]
    fn deep_terms_are_measured() {
        let mut terms = Terms::default();
        let mut top = terms.atom("a");
        for _ in 0..100_000 {
            top = terms.compound("s", &[top]);
        }
        let goal = terms.compound("p", &[top]);
        let inputs = inputs_of(&terms, goal);
        assert_eq!(inputs[1].1, InputValue::Number(100_000.0));
    }
}
