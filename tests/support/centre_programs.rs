//! Random programs with everything that makes cost centres hard: cuts, exceptions, recursion, control constructs, literals that are centres.

#![allow(unreachable_pub, reason = "each test program includes what it needs")]

use proptest::prelude::*;

/// The number of predicates; each has one argument: `p0/1` and so on.
pub const PREDICATES: usize = 5;

fn goals() -> impl Strategy<Value = String> {
    let call = (
        0..PREDICATES,
        prop_oneof![Just("X"), Just("Y"), Just("a"), Just("b")],
    )
        .prop_map(|(p, argument)| format!("p{p}({argument})"));
    let leaf = prop_oneof![
        8 => call,
        1 => Just("!".to_owned()),
        1 => Just("fail".to_owned()),
        1 => Just("X = a".to_owned()),
        1 => Just("Y = b".to_owned()),
        1 => Just("X == Y".to_owned()),
        1 => Just("throw(ball)".to_owned()),
        1 => Just("member(Y, [a,b])".to_owned()),
        1 => Just("append(_, [Y|_], [a,b])".to_owned()),
        1 => Just("d(Y)".to_owned()),
        1 => Just("Z = g(X), arg(1, Z, Y)".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}, {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} ; {b})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a} -> {b} ; {c})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a} *-> {b} ; {c})")),
            inner.clone().prop_map(|a| format!("\\+ {a}")),
            inner.clone().prop_map(|a| format!("once({a})")),
            inner.clone().prop_map(|a| format!("G = ({a}), call(G)")),
            inner.clone().prop_map(|a| format!("findall(Y, {a}, _)")),
            inner.clone().prop_map(|a| format!("cost_center(one, {a})")),
            inner.clone().prop_map(|a| format!("cost_center(two, {a})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("catch({a}, ball, {b})")),
        ]
    })
}

/// Returns programs whose goal is `p0(X)`.
pub fn programs() -> impl Strategy<Value = String> {
    let head = prop_oneof![Just("X"), Just("a"), Just("b"), Just("f(X)")];
    let clause = (0..PREDICATES, head, prop::collection::vec(goals(), 0..4));
    prop::collection::vec(clause, 4..14).prop_map(|clauses| {
        let mut text = ":- dynamic(d/1).\nd(a). d(b).\n:- discontiguous(p0/1).\n".to_owned();
        for (p, head, body) in clauses {
            match body.len() {
                0 => text.push_str(&format!("p{p}({head}).\n")),
                _ => text.push_str(&format!("p{p}({head}) :- {}.\n", body.join(", "))),
            }
        }
        for p in 0..PREDICATES {
            text.push_str(&format!("p{p}(c).\n"));
        }
        text
    })
}
