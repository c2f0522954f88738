//! Random clauses: few variables, so that they occur together in all places, and the constructs with special code.

use crate::generate::Random;

/// Returns a file with that many clauses, each of its own predicate.
pub(crate) fn file(seed: u64, clauses: usize) -> String {
    let mut random = Random::new(seed);
    let mut text = ":- module(chance, []).\n:- style_check(-singleton).\n".to_owned();
    for number in 0..clauses {
        text += &clause(number, &mut random);
        text += ".\n";
    }
    text
}

fn clause(number: usize, random: &mut Random) -> String {
    let arity = random.below(5);
    let arguments: Vec<String> = (0..arity).map(|_| term(random, 2)).collect();
    let head = match arity {
        0 => format!("p{number}"),
        _ => format!("p{number}({})", arguments.join(", ")),
    };
    let name = format!("p{number}");
    match random.below(12) {
        0 => head,
        1 => format!("{head} => {}", goal(random, 3, &name, arity)),
        2 => format!(
            "{head}, {} => {}",
            goal(random, 1, &name, arity),
            goal(random, 2, &name, arity)
        ),
        _ => format!("{head} :- {}", goal(random, 4, &name, arity)),
    }
}

fn one_of<'a>(random: &mut Random, all: &[&'a str]) -> &'a str {
    all[random.below(all.len())]
}

fn variable(random: &mut Random) -> &'static str {
    one_of(random, &["A", "B", "C", "D", "E", "F", "_", "A", "B"])
}

fn term(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.chance(55) {
        return match random.below(5) {
            0 => {
                let constants = [
                    "a",
                    "[]",
                    "'[]'",
                    "1",
                    "-1",
                    "1.5",
                    "\"s\"",
                    "1r3",
                    "16777216",
                    "-16777217",
                    "72057594037927936",
                    "9223372036854775808",
                    "z()",
                ];
                one_of(random, &constants).to_owned()
            }
            _ => variable(random).to_owned(),
        };
    }
    let mut inner = || term(random, depth - 1);
    let (a, b, c) = (inner(), inner(), inner());
    match random.below(6) {
        0 => format!("f({a})"),
        1 => format!("g({a}, {b})"),
        2 => format!("[{a}|{b}]"),
        3 => format!("[{a}, {b}]"),
        4 => format!("h({a}, {b}, {c})"),
        _ => format!("{a}-{b}"),
    }
}

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.chance(50) {
        return match random.below(4) {
            0 => one_of(
                random,
                &[
                    "1", "2", "-3", "1.5", "pi", "16777216", "1r3", "\"a\"", "[b]",
                ],
            )
            .to_owned(),
            _ => variable(random).to_owned(),
        };
    }
    let (a, b) = (expression(random, depth - 1), expression(random, depth - 1));
    match random.below(7) {
        0 => format!("({a} - {b})"),
        1 => format!("({a} * {b})"),
        2 => format!("max({a}, {b})"),
        3 => format!("abs({a})"),
        4 => format!("{a} // {b}"),
        _ => format!("({a} + {b})"),
    }
}

fn goal(random: &mut Random, depth: usize, name: &str, arity: usize) -> String {
    if depth == 0 || random.chance(30) {
        return simple(random, name, arity);
    }
    let mut inner = || goal(random, depth - 1, name, arity);
    let (a, b, c) = (inner(), inner(), inner());
    match random.below(16) {
        0 => format!("( {a} ; {b} )"),
        1 => format!("( {a} -> {b} ; {c} )"),
        2 => format!("( {a} *-> {b} ; {c} )"),
        3 => format!("( {a} -> {b} )"),
        4 => format!("( {a} *-> {b} )"),
        5 => format!("\\+ ( {a} )"),
        6 => format!("( {a}, {b} ; {c} )"),
        7 => format!("chance:( {a}, {b} )"),
        8 => format!("other:( {a}, {b} )"),
        9 if random.chance(20) => format!("$(( {a}, {b} ))"),
        10 => format!("( ( {a} -> {b} ; {c} ) ; {a} )"),
        11 if random.chance(30) => format!("( {a} )@other, {b}"),
        12 => format!(
            "findall({}, ( {a}, {b} ), {})",
            term(random, 1),
            variable(random)
        ),
        _ => format!("{a}, {b}"),
    }
}

fn simple(random: &mut Random, name: &str, arity: usize) -> String {
    let mut argument = || term(random, 2);
    let (a, b, c) = (argument(), argument(), argument());
    let (v, w, x) = (variable(random), variable(random), variable(random));
    match random.below(34) {
        0 | 1 => format!("{v} = {a}"),
        2 => format!("{a} = {v}"),
        3 => format!("{a} = {b}"),
        4 => format!("{v} = {w}"),
        5 => format!("{v} == {w}"),
        6 => format!("{a} \\== {v}"),
        7 => format!("{v} == {a}"),
        8 => format!("arg({v}, {w}, {x})"),
        9 => format!("arg(1, {w}, {x})"),
        10 => {
            let test = one_of(
                random,
                &[
                    "atom", "var", "nonvar", "integer", "rational", "callable", "is_list",
                ],
            );
            format!("{test}({v})")
        }
        11 => format!("number({a})"),
        12 => format!("{v} is {w} + 1"),
        13 => format!("{v} is {}", expression(random, 2)),
        14 => format!("{} < {}", expression(random, 1), expression(random, 1)),
        15 => format!("{v} is 3 - {w}"),
        16 => one_of(
            random,
            &["!", "true", "fail", "!", "false", "otherwise", "$"],
        )
        .to_owned(),
        17 => v.trim_start_matches('_').to_owned() + if v == "_" { "q" } else { "" },
        18 => format!("call({v}, {a})"),
        19 => format!("call({v})"),
        20 => format!("{v}:q({a})"),
        21 => format!("{v}:{w}"),
        22 | 23 => {
            let arguments: Vec<&str> = (0..arity).map(|_| variable(random)).collect();
            match arity {
                0 => name.to_owned(),
                _ => format!("{name}({})", arguments.join(", ")),
            }
        }
        24 => "r".to_owned(),
        25 => format!("q({v})"),
        26 => format!("q({a}, {b})"),
        27 => format!("q({a}, {b}, {c})"),
        28 => format!("q({v}, {w}, a, {x}, [])"),
        _ => format!("q({v}, {w})"),
    }
}
