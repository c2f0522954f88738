//! Tests the SWI-Prolog code produced by the model. `tests/whole/swi_code.rs` compares it with SWI-Prolog.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write as _;

use costlens_compile::code::ClauseText;
use costlens_compile::swi::{Operand, Refusal, Settings, compile};
use costlens_events::swi::Opcode;
use costlens_syntax::{Term, TermId, Terms, read_text};
use proptest::prelude::*;

fn clause(terms: &Terms, root: TermId) -> ClauseText<'_> {
    match terms.matches(root, ":-", 2) {
        Some(&[head, body]) => ClauseText::rule(terms, head, Some(body)),
        _ => ClauseText::rule(terms, root, None),
    }
}

fn settings(optimise: bool) -> Settings<'static> {
    Settings {
        optimise,
        ..Settings::of_module("user")
    }
}

/// Formats the code of every clause in a program, below the clause's text.
fn code(program: &str, optimise: bool) -> String {
    let mut out = String::new();
    for read in &read_text(program).clauses {
        let names = &read.spans.variables;
        let source = costlens_syntax::write_term(&read.terms, read.root, Some(names));
        writeln!(out, "{source}").unwrap();
        match compile(&clause(&read.terms, read.root), &settings(optimise)) {
            Ok(code) => {
                for line in code.instructions.chunks(6) {
                    let line: Vec<String> = line.iter().map(ToString::to_string).collect();
                    writeln!(out, "      {}", line.join(" ")).unwrap();
                }
            }
            Err(refusal) => writeln!(out, "      {refusal}").unwrap(),
        }
    }
    out
}

#[test]
fn lists_and_last_calls() {
    insta::assert_snapshot!(code(
        "
app([], L, L).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
part([X|Xs], P, [X|L], G) :- X =< P, !, part(Xs, P, L, G).
swap(X, Y) :- swap(Y, X).
moved(X, Y) :- X = f(Z), Y = g, q(Z).
",
        false
    ));
}

#[test]
fn control_and_arithmetic() {
    let program = "
fib(N, F) :- N > 1, N1 is N-1, fib(N1, F1), F is F1*2.
ite(X, Y) :- ( X == a -> Y = 1 ; X = f(Z) -> Y = Z ; \\+ p(Y, Z), true ), q(Z).
ite(X) :- ( p(A), p(B), p(C) ; true ), q(X, A, B, C).
bad(X) :- X is foo(1).
";
    insta::assert_snapshot!(code(program, false));
    insta::assert_snapshot!(code(program, true));
}

/// Terms nested so deeply that a recursive walk would end the process.
#[test]
fn deep_terms_get_code() {
    let mut terms = Terms::default();
    let head = terms.atom("p");
    let one = terms.push(Term::Integer(1.into()));
    let x = terms.push(Term::Var(0));
    let (mut left, mut right, mut sum) = (x, x, x);
    for _ in 0..100_000 {
        left = terms.compound("f", &[left, one]);
        right = terms.compound("f", &[one, right]);
        sum = terms.compound("+", &[one, sum]);
    }
    let head_of = |terms: &mut Terms, argument| terms.compound("p", &[argument]);
    for term in [left, right] {
        let deep = head_of(&mut terms, term);
        compile(&clause(&terms, deep), &settings(false)).unwrap();
        let call = terms.compound("q", &[term]);
        let unify = terms.compound("=", &[x, term]);
        for goal in [call, unify] {
            let rule = ClauseText::rule(&terms, head, Some(goal));
            compile(&rule, &settings(false)).unwrap();
        }
    }
    let known = head_of(&mut terms, x);
    let is = terms.compound("is", &[one, sum]);
    let rule = ClauseText::rule(&terms, known, Some(is));
    let code = compile(&rule, &settings(true)).unwrap();
    assert!(code.instructions.len() > 200_000);
}

#[test]
fn long_chains_get_code_and_deep_control_is_refused() {
    let mut terms = Terms::default();
    let head = terms.atom("p");
    let goals: Vec<TermId> = (0..1_000)
        .map(|v| {
            let variable = terms.push(Term::Var(v));
            terms.compound("q", &[variable])
        })
        .collect();
    for (name, deep) in [
        (",", "left"),
        (",", "right"),
        (";", "left"),
        (";", "right"),
        ("->", "right"),
    ] {
        let mut chain = goals[0];
        for &goal in &goals {
            let sides = if deep == "left" {
                [chain, goal]
            } else {
                [goal, chain]
            };
            chain = terms.compound(name, &sides);
        }
        for optimise in [false, true] {
            let rule = ClauseText::rule(&terms, head, Some(chain));
            let code = compile(&rule, &settings(optimise));
            let is_long = deep == "right" && name != "->";
            assert_eq!(code.is_ok(), is_long, "{name} {deep}");
            assert!(is_long || matches!(code, Err(Refusal::TooDeep(_))));
        }
    }
    let mut negated = goals[0];
    for _ in 0..100_000 {
        negated = terms.compound("\\+", &[negated]);
    }
    let rule = ClauseText::rule(&terms, head, Some(negated));
    assert!(matches!(
        compile(&rule, &settings(true)),
        Err(Refusal::TooDeep(_))
    ));
}

/// Compilation would be too expensive, because each disjunction examines all variables.
#[test]
fn many_branches_with_many_variables_are_refused() {
    let mut terms = Terms::default();
    let head = terms.atom("p");
    let mut chain = terms.atom("r");
    for v in 0..20_000 {
        let variable = terms.push(Term::Var(v));
        let goal = terms.compound("q", &[variable, variable]);
        chain = terms.compound(";", &[goal, chain]);
    }
    let rule = ClauseText::rule(&terms, head, Some(chain));
    assert!(matches!(
        compile(&rule, &settings(false)),
        Err(Refusal::TooDeep(_))
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Jumps must land inside the clause, which must end with a return.
    #[test]
    fn texts_by_chance_have_code_in_order(text in "p\\(([ABX]|f\\(A\\)|\\[B\\|X\\])\\) :- ((q\\([ABCX]\\)|[ABX] = [ABCX]|!|\\( q\\(A\\) -> B = a ; C = f\\(X\\) \\)|\\\\\\+ q\\(C, D\\)), ){0,6}q\\([ABCX], D\\)\\.") {
        let read = read_text(&text).clauses[0].clone();
        let code = compile(&clause(&read.terms, read.root), &settings(false)).unwrap().instructions;
        for (at, instruction) in code.iter().enumerate() {
            for operand in &instruction.operands {
                if let Operand::Skip(n) = operand {
                    prop_assert!(at + 1 + n < code.len());
                }
            }
        }
        prop_assert_eq!(code.last().unwrap().opcode, Opcode::IExit);
    }
}
