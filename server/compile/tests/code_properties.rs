//! Tests that the code of random clauses is valid on every path, and that adversarial clauses are compiled at all.
#![allow(clippy::unwrap_used, missing_docs)]

use costlens_compile::code::{
    ClauseCode, ClauseText, CompileError, Instruction, compile_clause, verify,
};
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use proptest::prelude::*;

fn compile(terms: &Terms, head: TermId, body: Option<TermId>) -> Result<ClauseCode, CompileError> {
    let code = compile_clause(&ClauseText::rule(terms, head, body))?;
    assert_eq!(verify(&code), Ok(()), "{code}");
    Ok(code)
}

/// A term, as a tree.
#[derive(Clone, Debug)]
enum Tree {
    Var(u32),
    Int(i64),
    Node(&'static str, Vec<Tree>),
}

fn build(terms: &mut Terms, tree: &Tree) -> TermId {
    match tree {
        Tree::Var(v) => terms.push(Term::Var(*v)),
        Tree::Int(n) => terms.push(Term::Integer((*n).into())),
        Tree::Node(name, arguments) => {
            let arguments: Vec<TermId> = arguments.iter().map(|a| build(terms, a)).collect();
            terms.compound_or_atom(*name, &arguments)
        }
    }
}

fn term() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        4 => (0..8_u32).prop_map(Tree::Var),
        1 => (-3..9_i64).prop_map(Tree::Int),
        1 => prop_oneof![Just("a"), Just(NIL)].prop_map(|name| Tree::Node(name, Vec::new())),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2).prop_map(|a| Tree::Node(CONS, a)),
            prop::collection::vec(inner, 1..4).prop_map(|a| Tree::Node("f", a)),
        ]
    })
}

fn expression() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        3 => (0..8_u32).prop_map(Tree::Var),
        2 => (-3..9_i64).prop_map(Tree::Int),
        1 => Just(Tree::Node("pi", Vec::new())),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        (
            prop_oneof![Just("+"), Just("*"), Just("nothing")],
            prop::collection::vec(inner, 1..3),
        )
            .prop_map(|(name, a)| Tree::Node(name, a))
    })
}

fn goal() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        4 => prop::collection::vec(term(), 0..6).prop_map(|a| Tree::Node("p", a)),
        2 => (term(), term()).prop_map(|(a, b)| Tree::Node("=", vec![a, b])),
        1 => (term(), term()).prop_map(|(a, b)| Tree::Node("@<", vec![a, b])),
        1 => (term(), term()).prop_map(|(a, b)| Tree::Node("\\=", vec![a, b])),
        2 => (expression(), expression()).prop_map(|(a, b)| Tree::Node("<", vec![a, b])),
        2 => (term(), expression()).prop_map(|(a, b)| Tree::Node("is", vec![a, b])),
        1 => term().prop_map(|a| Tree::Node("atom", vec![a])),
        2 => Just(Tree::Node("!", Vec::new())),
        1 => prop_oneof![Just("true"), Just("fail")].prop_map(|n| Tree::Node(n, Vec::new())),
        1 => (0..8_u32).prop_map(Tree::Var),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            5 => two.clone().prop_map(|(a, b)| Tree::Node(",", vec![a, b])),
            3 => two.clone().prop_map(|(a, b)| Tree::Node(";", vec![a, b])),
            3 => two.clone().prop_map(|(a, b)| Tree::Node("->", vec![a, b])),
            1 => two.clone().prop_map(|(a, b)| Tree::Node("*->", vec![a, b])),
            1 => two.prop_map(|(a, b)| Tree::Node("forall", vec![a, b])),
            3 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, t, e)| {
                Tree::Node(";", vec![Tree::Node("->", vec![c, t]), e])
            }),
            2 => (prop_oneof![Just("\\+"), Just("once"), Just("ignore"), Just("call")], inner)
                .prop_map(|(name, a)| Tree::Node(name, vec![a])),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn clauses_by_chance_are_in_order(
        head in prop::collection::vec(term(), 0..6),
        body in goal(),
    ) {
        let mut terms = Terms::default();
        let head = build(&mut terms, &Tree::Node("h", head));
        let body = build(&mut terms, &body);
        compile(&terms, head, Some(body)).unwrap();
    }

    /// `p(X0, …) :- q(…)` with the arguments in any order, some twice, some inside structures: no argument may be lost.
    #[test]
    fn arguments_in_any_order_arrive(
        arity in 1..7_u32,
        picks in prop::collection::vec((0..7_u32, 0..4_u32), 1..7),
    ) {
        let mut terms = Terms::default();
        let variables: Vec<TermId> = (0..arity).map(|v| terms.push(Term::Var(v))).collect();
        let head = terms.compound("p", &variables);
        let mut expected = Vec::new();
        let arguments: Vec<TermId> = picks.iter().map(|&(v, depth)| {
            let v = v % arity;
            let mut argument = terms.push(Term::Var(v));
            let mut text = format!("v{v}");
            for _ in 0..depth {
                argument = terms.compound("f", &[argument]);
                text = format!("f({text})");
            }
            expected.push(text);
            argument
        }).collect();
        let body = terms.compound("q", &arguments);
        let code = compile(&terms, head, Some(body)).unwrap();
        prop_assert_eq!(run(&code, arity), expected, "{}", code);
    }
}

/// Returns the arguments of the last call, for code that consists only of moves and constructions.
fn run(code: &ClauseCode, arity: u32) -> Vec<String> {
    use costlens_compile::code::Location;
    let mut registers: Vec<String> = (0..code.registers)
        .map(|r| {
            if r < arity {
                format!("v{r}")
            } else {
                String::new()
            }
        })
        .collect();
    // A structure is complete when an instruction follows that does not belong to it; chains have only one argument.
    let mut open: Option<(usize, usize)> = None;
    for instruction in &code.instructions {
        match instruction {
            Instruction::PutValue(Location::X(from), to) => {
                registers[*to as usize] = registers[*from as usize].clone();
            }
            Instruction::PutStructure(_, to) => open = Some((*to as usize, 1)),
            Instruction::SetStructure(_) => open = open.map(|(to, depth)| (to, depth + 1)),
            Instruction::SetValue(Location::X(from)) => {
                let (to, depth) = open.take().unwrap();
                let inner = &registers[*from as usize];
                registers[to] = format!("{}{inner}{}", "f(".repeat(depth), ")".repeat(depth));
            }
            Instruction::Execute((_, n)) => return registers[..*n].to_vec(),
            other => panic!("{other}"),
        }
    }
    panic!("no call");
}

/// Builds `f(f(…f(a)…))` with the nesting in the first or the last of `width` arguments.
fn deep(terms: &mut Terms, depth: usize, width: usize, last: bool) -> TermId {
    let mut term = terms.atom("a");
    for i in 0..depth {
        let mut arguments: Vec<TermId> = (1..width)
            .map(|j| {
                let leaf = terms.push(Term::Integer(((i + j) % 7).into()));
                terms.compound("g", &[leaf])
            })
            .collect();
        arguments.insert(if last { width - 1 } else { 0 }, term);
        term = terms.compound("f", &arguments);
    }
    term
}

#[test]
fn deep_terms_take_few_registers() {
    for (width, last) in [(1, true), (2, true), (2, false), (3, false)] {
        let mut terms = Terms::default();
        let term = deep(&mut terms, 100_000, width, last);
        let head = terms.compound("p", &[term]);
        let body = terms.compound("q", &[term]);
        let code = compile(&terms, head, Some(body)).unwrap();
        assert!(code.registers < 12, "{} registers", code.registers);
    }
}

#[test]
fn deep_goals_and_expressions_get_code() {
    let mut terms = Terms::default();
    let head = terms.atom("p");
    let mut expression = terms.push(Term::Integer(1.into()));
    let one = expression;
    let mut goal = terms.atom("q");
    let mut negated = goal;
    let q = goal;
    for i in 0..100_000 {
        expression = terms.compound("+", &[expression, one]);
        goal = if i % 2 == 0 {
            terms.compound(",", &[goal, q])
        } else {
            terms.compound(",", &[q, goal])
        };
        negated = terms.compound("\\+", &[negated]);
    }
    let is = terms.compound("is", &[one, expression]);
    let code = compile(&terms, head, Some(is)).unwrap();
    assert!(code.registers < 5);
    let code = compile(&terms, head, Some(goal)).unwrap();
    assert!(code.instructions.len() > 100_000);
    compile(&terms, head, Some(negated)).unwrap();
    let cut = terms.atom("!");
    let mut with_cut = terms.compound(";", &[cut, q]);
    for _ in 0..1000 {
        let then = terms.compound("->", &[q, with_cut]);
        with_cut = terms.compound(";", &[then, q]);
    }
    assert!(matches!(
        compile(&terms, head, Some(with_cut)),
        Err(CompileError::TooDeep(_))
    ));
    // A chain of else branches is not deep.
    let mut chain = q;
    for _ in 0..5_000 {
        let then = terms.compound("->", &[q, cut]);
        chain = terms.compound(";", &[then, chain]);
    }
    compile(&terms, head, Some(chain)).unwrap();
}

#[test]
fn heads_with_many_arguments() {
    let mut terms = Terms::default();
    let variables: Vec<TermId> = (0..300).map(|v| terms.push(Term::Var(v))).collect();
    let head = terms.compound("p", &variables);
    let reversed: Vec<TermId> = variables.iter().rev().copied().collect();
    let first = terms.compound("q", &reversed);
    let second = terms.compound("p", &variables);
    let code = compile(&terms, head, Some(first)).unwrap();
    assert_eq!(code.registers, 301, "one register beside the arguments");
    let body = terms.compound(",", &[first, second]);
    let code = compile(&terms, head, Some(body)).unwrap();
    assert_eq!(code.slots, Some(300));
}
