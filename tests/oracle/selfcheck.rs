//! The oracle's own tests: counts known from theory, control constructs, exceptions, generators, and the checking of bounds.

use std::rc::Rc;

use num_bigint::BigInt;
use serde_json::{Value, json};

use crate::bounds::{Claim, Size, claims};
use crate::generate::{self, Generator, Type, Vocabulary};
use crate::heap::Heap;
use crate::machine::{Count, Limits, Machine, Outcome};
use crate::program::Program;
use crate::write;

/// A named test.
pub(crate) type Test = (&'static str, fn());

/// Every test of this file.
pub(crate) const TESTS: &[Test] = &[
    ("a_false_promise_in_a_fixture_is_found", false_promise),
    (
        "steps_of_textbook_programs_follow_their_formulas",
        textbook_formulas,
    ),
    ("a_leading_test_that_fails_is_no_step", leading_tests),
    (
        "single_sided_rules_bind_nothing_of_the_goal",
        single_sided_rules,
    ),
    ("cuts_have_the_right_scope", cuts),
    ("negation_and_findall_are_opaque_to_cut", opaque),
    ("exceptions_reach_the_innermost_active_catch", exceptions),
    (
        "a_type_error_of_a_leading_test_ends_the_run_before_the_step",
        errors_in_tests,
    ),
    ("arithmetic_is_that_of_swi_prolog", arithmetic),
    ("retract_has_a_solution_for_each_clause", retract),
    ("terms_are_ordered_as_in_swi_prolog", standard_order),
    ("first_and_all_are_counted_apart", first_and_all),
    ("an_endless_run_ends_at_the_limit", limits),
    ("a_long_list_and_a_deep_term_need_no_stack", deep_terms),
    ("a_cyclic_term_ends_at_the_work_limit", cyclic),
    ("generated_inputs_have_their_types", generated_types),
    (
        "output_arguments_are_fresh_and_distinct_variables",
        fresh_outputs,
    ),
    ("generated_inputs_reach_the_awkward_cases", awkward_inputs),
    ("a_bound_that_is_off_by_one_is_found", off_by_one),
    ("a_divergence_that_ends_is_found", false_divergence),
    (
        "a_wrong_determinism_or_excluded_error_is_found",
        wrong_determinism,
    ),
    ("bounds_are_read_from_the_contract_json", contract_json),
];

/// Programs that several tests run.
pub(crate) const LISTS: &str = "
app([], L, L).
app([X|Xs], L, [X|Ys]) :- app(Xs, L, Ys).
nrev([], []).
nrev([X|Xs], R) :- nrev(Xs, R0), app(R0, [X], R).
mem(X, [X|_]).
mem(X, [_|T]) :- mem(X, T).
sub([], []).
sub([X|Xs], [X|Ys]) :- sub(Xs, Ys).
sub([_|Xs], Ys) :- sub(Xs, Ys).
sel(X, [X|T], T).
sel(X, [Y|T], [Y|R]) :- sel(X, T, R).
perm([], []).
perm(L, [X|P]) :- sel(X, L, R), perm(R, P).
fib(0, 1).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
hanoi(0, _, _, _).
hanoi(N, A, B, C) :- N > 0, M is N-1, hanoi(M, A, C, B), hanoi(M, C, B, A).
upto(N, N, [N]).
upto(I, N, [I|T]) :- I < N, J is I+1, upto(J, N, T).
";

/// Reads the terms of a goal text onto a machine's heap.
pub(crate) fn parse_goal(heap: &mut Heap, text: &str) -> usize {
    let file = costlens_syntax::read_text(&format!("{text}."));
    let clause = &file.clauses[0];
    assert!(clause.error.is_none(), "{text}: {:?}", clause.error);
    let mut bindings = vec![None; clause.terms.variables() as usize];
    heap.instantiate(&clause.terms, clause.root, &mut bindings)
        .unwrap()
}

/// Runs a goal text on a program text with limits that tests do not reach.
pub(crate) fn run(program: &str, goal: &str) -> Count {
    let mut machine = Machine::new(
        &Rc::new(Program::read(program)),
        &Rc::default(),
        Limits::default(),
    );
    let goal = parse_goal(&mut machine.heap, goal);
    machine.count(goal, |_| {})
}

/// Returns the printed instance of `goal` at its first solution.
fn answer(program: &str, goal: &str) -> Option<String> {
    let mut machine = Machine::new(
        &Rc::new(Program::read(program)),
        &Rc::default(),
        Limits::default(),
    );
    let goal = parse_goal(&mut machine.heap, goal);
    let mut found = None;
    machine.count(goal, |m| {
        found.get_or_insert_with(|| write::text(&mut m.heap, goal));
    });
    found
}

fn ints(n: usize) -> String {
    let numbers: Vec<String> = (1..=n).map(|i| i.to_string()).collect();
    format!("[{}]", numbers.join(","))
}

fn textbook_formulas() {
    for n in 0..9_u64 {
        let list = ints(usize::try_from(n).unwrap());
        let nrev = run(LISTS, &format!("nrev({list}, _)"));
        assert_eq!(
            (nrev.first_steps, nrev.all_steps),
            ((n * n + 3 * n + 2) / 2, (n * n + 3 * n + 2) / 2)
        );
        let member = run(LISTS, &format!("mem(_, {list})"));
        assert_eq!((member.all_steps, member.solutions), (2 * n, n));
        assert_eq!(member.first_steps, n.min(1));
        let subsets = run(LISTS, &format!("sub({list}, _)"));
        assert_eq!(
            (subsets.all_steps, subsets.solutions),
            (3 * (1 << n) - 2, 1 << n)
        );
        let split = run(LISTS, &format!("app(_, _, {list})"));
        assert_eq!((split.all_steps, split.solutions), (2 * n + 1, n + 1));
        let hanoi = run(LISTS, &format!("hanoi({n}, a, b, c)"));
        assert_eq!(hanoi.all_steps, (1 << (n + 1)) - 1);
    }
    let mut fibonacci = vec![1_u64, 1];
    for n in 0..14 {
        fibonacci.push(fibonacci[n] + fibonacci[n + 1]);
        assert_eq!(
            run(LISTS, &format!("fib({n}, _)")).all_steps,
            2 * fibonacci[n] - 1
        );
    }
    // perm: T(0) = 1, T(n) = 1 + 2n + n·T(n-1); the clause for [] does not match, `sel` on [] finds nothing.
    let mut steps = 2;
    for n in 1..6_u64 {
        let list = ints(usize::try_from(n).unwrap());
        steps = 1 + 2 * n + n * steps;
        assert_eq!(
            run(LISTS, &format!("perm({list}, _)")).all_steps,
            steps,
            "perm of {n}"
        );
    }
}

fn leading_tests() {
    let program = "
p(X) :- X > 0, X < 10.
p(X) :- X < 0, q, X > 5.
q.
r(X) :- Y is X, Y > 0.
s(X) :- integer(X), X == 3, true, X > 5.
";
    assert_eq!(run(program, "p(5)").all_steps, 1);
    assert_eq!(run(program, "p(0)").all_steps, 0);
    assert_eq!(run(program, "p(11)").all_steps, 0);
    assert_eq!(run(program, "p(-1)").all_steps, 2);
    assert_eq!(run(program, "r(-1)").all_steps, 1, "is/2 is no test");
    assert_eq!(run(program, "s(4)").all_steps, 0);
    let entered = run(program, "s(3)");
    assert_eq!((entered.all_steps, entered.first), (1, Outcome::Failure));
}

/// As in SWI-Prolog.
fn single_sided_rules() {
    let program = "
len([], N) => N = 0.
len([_|Xs], N) => len(Xs, M), N is M+1.
same(X, X) => true.
same(_, _) => fail.
mem(X, [X|_]).
mem(X, [_|L]) :- mem(X, L).
pick(X, L), mem(X, L) => true.
";
    let counted = run(program, "len([a,b], N)");
    assert_eq!((counted.first_steps, counted.solutions), (3, 1));
    let error = |goal: &str| {
        let counted = run(program, goal);
        match counted.all {
            Outcome::Exception(ball) => assert!(ball.contains("matching_rule"), "{ball}"),
            other => panic!("{goal}: {other:?}"),
        }
        counted.all_steps
    };
    assert_eq!(error("len(_, N)"), 0);
    assert_eq!(error("len([a|X], N)"), 1, "len");
    assert_eq!(run(program, "same(f(a), f(a))").first, Outcome::Success);
    let distinct = run(program, "same(f(X, Y), f(Y, X))");
    assert_eq!((distinct.all_steps, distinct.first), (1, Outcome::Failure));
    // The cut after the guard leaves one solution; a failing guard leads to the error.
    assert_eq!(run(program, "pick(X, [a,b])").solutions, 1);
    error("pick(c, [a,b])");
}

fn cuts() {
    let program = "
a(1). a(2). a(3).
c1(X) :- a(X), !.
c1(9).
c2(X) :- ( a(X), ! ; X = 8 ).
c2(9).
c3(X) :- ( a(X), X > 1 -> true ; X = 8 ).
c3(9).
c4(X) :- ( (a(X), !) -> true ; X = 8 ).
c4(9).
c5(X) :- ( true -> a(X), ! ; true ).
c5(9).
c6(X) :- call((a(X), !)).
c6(9).
c7(X) :- once(a(X)).
c7(9).
c8(X) :- a(X), \\+ (X > 1, !).
c8(9).
c9(X) :- findall(Y, (a(Y), !), L), mem(X, L).
c9(9).
c10(X) :- catch((a(X), !), _, true).
c10(9).
c11(X) :- a(X), ( X < 2 *-> true ; true ).
c12(X) :- ( a(X), X > 1 *-> true ; X = 8 ).
c13(X) :- ( fail *-> true ; X = 8 ).
c14(X) :- G = !, a(X), G.
c14(9).
c15(X) :- G = (a(X), !), call(G).
c15(9).
c16(X) :- forall(a(Y), Y > 0), !, X = 1.
c16(9).
mem(X, [X|_]).
mem(X, [_|T]) :- mem(X, T).
";
    for (goal, solutions) in [
        ("c1(_)", 1),
        ("c2(_)", 1),
        ("c3(_)", 2),
        ("c4(_)", 2),
        ("c5(_)", 1),
        ("c6(_)", 2),
        ("c7(_)", 2),
        ("c8(_)", 2),
        ("c9(_)", 2),
        ("c10(_)", 2),
        ("c11(_)", 3),
        ("c12(_)", 2),
        ("c13(_)", 1),
        ("c14(_)", 4),
        ("c15(_)", 2),
        ("c16(_)", 1),
    ] {
        assert_eq!(run(program, goal).solutions, solutions, "{goal}");
    }
    assert_eq!(run(program, "c1(_)").all_steps, 2);
    assert_eq!(run(program, "c3(_)").all_steps, 4);
}

fn opaque() {
    let program = "
a(1). a(2). a(3).
n(X) :- \\+ a(X).
all(L) :- findall(X, a(X), L).
every :- forall(a(X), integer(X)).
";
    let not = run(program, "n(4)");
    assert_eq!((not.first, not.all_steps), (Outcome::Success, 1));
    let not = run(program, "n(1)");
    assert_eq!((not.first, not.all_steps), (Outcome::Failure, 2));
    assert_eq!(answer(program, "all(_)").unwrap(), "all([1,2,3])");
    assert_eq!(run(program, "all(_)").all_steps, 4);
    assert_eq!(run(program, "every").all_steps, 4);
}

fn exceptions() {
    let program = "
t(X) :- throw(X).
p(X) :- catch(t(X), a, q).
q.
r :- catch(s, _, fail), throw(late).
s.
u(X) :- catch(p(X), Y, (Y = b, q)).
a(1). a(2).
v(X) :- catch(a(X), _, true), X > 1, throw(stop).
";
    let caught = run(program, "p(a)");
    assert_eq!((caught.first, caught.all_steps), (Outcome::Success, 3));
    let passed = run(program, "p(b)");
    assert_eq!(
        (passed.first, passed.all_steps),
        (Outcome::Exception("b".into()), 2)
    );
    // The catch has been exited: later exceptions bypass it, although its choice point may still exist.
    assert_eq!(run(program, "r").first, Outcome::Exception("late".into()));
    assert_eq!(
        run(program, "v(_)").first,
        Outcome::Exception("stop".into())
    );
    assert_eq!(run(program, "u(b)").all_steps, 4);
    let missing = run(program, "nowhere(1)");
    assert!(
        matches!(missing.first, Outcome::Exception(e) if e.starts_with("error(existence_error(procedure,/(nowhere,1))"))
    );
}

fn errors_in_tests() {
    let program = "
p([]).
p([X|Xs]) :- X > 0, p(Xs).
p([X|Xs]) :- X =< 0, p(Xs).
";
    let run = run(program, "p([1, -1, foo, 2])");
    assert!(
        matches!(run.first, Outcome::Exception(e) if e.starts_with("error(type_error(evaluable,/(foo,0))"))
    );
    assert_eq!(run.first_steps, 2);
}

fn arithmetic() {
    for (expression, value) in [
        ("7/2", "3.5"),
        ("6/2", "3"),
        ("-7//2", "-3"),
        ("-7 mod 2", "1"),
        ("7 mod -2", "-1"),
        ("-7 rem 2", "-1"),
        ("-7 div 2", "-4"),
        ("2** -1", "0.5"),
        ("2**3", "8"),
        ("2^100", "1267650600228229401496703205376"),
        ("2**3.0", "8.0"),
        ("max(1, 1.0)", "1.0"),
        ("min(2, 2.0)", "2.0"),
        ("3^(-4)", "0.012345679012345678"),
        ("[a]", "97"),
        ("1<<70", "1180591620717411303424"),
        ("-1>>1", "-1"),
        ("integer(-2.5)", "-3"),
        ("truncate(2.5)", "2"),
        ("msb(8)", "3"),
        ("gcd(12, 18)", "6"),
        ("0.1+0.2", "0.30000000000000004"),
        ("[5]", "5"),
    ] {
        assert!(
            answer("", &format!("X is {expression}, X = {value}")).is_some(),
            "{expression}"
        );
    }
    for (expression, error) in [
        ("1/0", "evaluation_error(zero_divisor)"),
        ("1 mod 0", "evaluation_error(zero_divisor)"),
        ("foo", "type_error(evaluable,/(foo,0))"),
        ("[0.5]", "type_error(character,0.5)"),
        ("[1, 2]", "type_error([],[1,2])"),
        ("foo+_", "instantiation_error"),
        ("1+_", "instantiation_error"),
        ("sqrt(-1)", "evaluation_error(undefined)"),
    ] {
        let Outcome::Exception(thrown) = run("", &format!("_ is {expression}")).first else {
            panic!("{expression} throws nothing")
        };
        assert!(
            thrown.starts_with(&format!("error({error},")),
            "{expression}: {thrown}"
        );
    }
    assert_eq!(run("", "1 =:= 1.0").first, Outcome::Success);
    assert_eq!(
        run("", "9007199254740993 =:= 9007199254740992.0").first,
        Outcome::Failure
    );
}

fn retract() {
    let program = "
:- dynamic f/1.
f(1). f(2). f(3).
all :- retract(f(_)), fail.
all.
clear(L) :- findall(X, retract(f(X)), L).
twice :- retract(f(X)), retractall(f(2)), assertz(f(9)), X > 1.
";
    assert_eq!(run(program, "retract(f(_))").solutions, 3);
    assert_eq!(run(program, "(all, f(_))").first, Outcome::Failure);
    assert_eq!(answer(program, "clear(_)").unwrap(), "clear([1,2,3])");
    // The clauses are those at the time of the call: later ones are not included, removed ones are skipped.
    assert_eq!(answer(program, "(twice, f(X))").unwrap(), "','(twice,f(9))");
    assert_eq!(run(program, "retract((f(X) :- X > 1))").solutions, 0);
}

fn standard_order() {
    let sorted = answer(
        "",
        "msort([f(b), \"s\", b, 1, 1.0, _, f(a), 0.5, g(a, b), [a], a], L)",
    )
    .unwrap();
    let list = sorted.split_once("],").unwrap().1;
    assert!(
        list.contains(",0.5,1.0,1,\"s\",a,b,f(a),f(b),[a],g(a,b)]"),
        "{list}"
    );
    assert!(answer("", "sort(0, @>=, [1, 3, 2, 3], [3, 3, 2, 1])").is_some());
    assert!(answer("", "sort([b, a, b], [a, b])").is_some());
}

fn first_and_all() {
    let program = "
p(0).
p(N) :- M is N-1, p(M).
";
    let count = run(program, "p(3)");
    assert_eq!((count.first, count.first_steps), (Outcome::Success, 4));
    assert_eq!((count.all, count.solutions), (Outcome::Limit, 1));
    let none = run(LISTS, "mem(z, [a, b, c])");
    assert_eq!(
        (none.first, none.first_steps, none.all, none.solutions),
        (Outcome::Failure, 3, Outcome::Failure, 0)
    );
}

fn limits() {
    let count = run("l :- l.", "l");
    assert_eq!(
        (count.first, count.all.clone(), count.all),
        (Outcome::Limit, Outcome::Limit, Outcome::Limit)
    );
    assert_eq!(run("g :- repeat, fail.", "g").first, Outcome::Limit);
    assert_eq!(
        run("g :- between(1, inf, _), fail.", "g").first,
        Outcome::Limit
    );
    assert_eq!(run("g(X) :- g(f(X, X)).", "g(a)").first, Outcome::Limit);
}

fn deep_terms() {
    let program = "
deep(0, z).
deep(N, s(T)) :- N > 0, M is N-1, deep(M, T).
same(X, X).
";
    let count = run(
        program,
        "(deep(30000, T), deep(30000, U), same(T, U), copy_term(T, V), V == U, ground(V))",
    );
    assert_eq!((count.first, count.all_steps), (Outcome::Success, 60003));
}

fn cyclic() {
    let count = run("p :- X = f(X), Y = f(Y), X = Y.", "p");
    assert_eq!(count.first, Outcome::Limit);
}

fn all_types() -> Vec<Type> {
    [
        "int",
        "num",
        "atm",
        "list",
        "list(any)",
        "list(int)",
        "list(list(int))",
        "ground",
        "nonvar",
        "any",
    ]
    .iter()
    .map(|t| Type::read(t, &Default::default()).unwrap())
    .collect()
}

fn generated_types() {
    let vocabulary = Vocabulary::collect(&Program::read(LISTS));
    let types = all_types();
    for seed in 0..400 {
        let generator = Generator::new(seed, &vocabulary);
        let goal = generator.goal("p", &types);
        let mut heap = Heap {
            work: u64::MAX,
            ..Heap::default()
        };
        let at = heap.restore(&goal);
        let (_, start, _) = heap.callable(at).unwrap();
        for (i, ty) in types.iter().enumerate() {
            assert!(
                generate::fits(&mut heap, ty, start + i),
                "seed {seed}: {ty:?}"
            );
        }
    }
    assert_eq!(Type::read("list(list(int)", &Default::default()), None);
    assert_eq!(Type::read("tree", &Default::default()), None);
}

fn fresh_outputs() {
    let vocabulary = Vocabulary::default();
    let types = [
        Type::Free,
        Type::Any,
        Type::Free,
        Type::List(Box::new(Type::Any)),
    ];
    for seed in 0..200 {
        let goal = Generator::new(seed, &vocabulary).goal("p", &types);
        let mut heap = Heap {
            work: u64::MAX,
            ..Heap::default()
        };
        let at = heap.restore(&goal);
        let (_, start, _) = heap.callable(at).unwrap();
        let (first, third) = (heap.deref(start), heap.deref(start + 2));
        assert!(heap.is_unbound(first) && heap.is_unbound(third) && first != third);
        for other in [start + 1, start + 3] {
            let inside = heap.variables(other).unwrap();
            assert!(
                !inside.contains(&first) && !inside.contains(&third),
                "seed {seed}"
            );
        }
    }
}

fn awkward_inputs() {
    let vocabulary = Vocabulary::collect(&Program::read(LISTS));
    let (mut negative, mut huge, mut shared, mut ragged, mut unequal) = (0, 0, 0, 0, 0);
    for seed in 0..400 {
        let types = ["int", "list(any)", "list(list(int))", "list(int)"]
            .map(|t| Type::read(t, &Default::default()).unwrap());
        let goal = Generator::new(seed, &vocabulary).goal("p", &types);
        let mut heap = Heap {
            work: u64::MAX,
            ..Heap::default()
        };
        let at = heap.restore(&goal);
        let (_, start, _) = heap.callable(at).unwrap();
        let int = generate::size(&mut heap, "int", start).unwrap();
        negative += u32::from(int < BigInt::from(0));
        huge += u32::from(int.bits() > 64);
        let (elements, _) = heap.elements(start + 1).unwrap();
        let unbound: Vec<usize> = elements
            .iter()
            .filter(|e| heap.is_unbound(**e))
            .map(|e| heap.deref(*e))
            .collect();
        shared += u32::from(
            unbound
                .iter()
                .enumerate()
                .any(|(i, v)| unbound[..i].contains(v)),
        );
        let (rows, _) = heap.elements(start + 2).unwrap();
        let lengths: Vec<_> = rows
            .iter()
            .map(|r| generate::size(&mut heap, "length", *r))
            .collect();
        ragged += u32::from(lengths.windows(2).any(|w| w[0] != w[1]));
        let (a, b) = (
            generate::size(&mut heap, "length", start + 1),
            generate::size(&mut heap, "length", start + 3),
        );
        unequal += u32::from(a != b);
    }
    let found = (negative, huge, shared, ragged, unequal);
    assert!(
        negative > 50 && huge > 3 && shared > 10 && ragged > 50 && unequal > 50,
        "{found:?}"
    );
}

fn claim(determinism: &str, errors_excluded: bool) -> Claim {
    Claim {
        name: "p".into(),
        arity: 1,
        pattern: 0,
        types: vec!["list(any)".into()],
        modes: vec!["+".into()],
        determinism: determinism.into(),
        errors_excluded,
        assumes_single: false,
        ends: true,
        sizes: vec![Size {
            argument: 1,
            element: false,
            metric: "length".into(),
        }],
    }
}

fn at(first: (Value, Value), all: (Value, Value)) -> Value {
    json!({"steps": {"first": {"lower": first.0, "upper": first.1}, "all": {"lower": all.0, "upper": all.1}}})
}

fn counted(
    first: Outcome,
    first_steps: u64,
    all: Outcome,
    all_steps: u64,
    solutions: u64,
) -> Count {
    Count {
        first,
        first_steps,
        all,
        all_steps,
        solutions,
    }
}

fn off_by_one() {
    let claim = claim("nondet", false);
    let run = counted(Outcome::Success, 3, Outcome::Success, 7, 2);
    let exact = at((json!(3.0), json!(3.0)), (json!(7.0), json!(7.0)));
    assert!(claim.violations(&exact, &run).is_empty());
    for wrong in [
        at((json!(4.0), json!(4.0)), (json!(7.0), json!(7.0))),
        at((json!(2.0), json!(2.0)), (json!(7.0), json!(7.0))),
        at((json!(3.0), json!(3.0)), (json!(8), json!(9))),
        at((json!(3.0), json!(3.0)), (json!(5), json!(6.9))),
        at((json!("3"), json!(3.0)), (json!(7), json!(7))),
        json!({"steps": {"first": {"lower": 3.0, "upper": 3.0}}}),
    ] {
        assert_eq!(claim.violations(&wrong, &run).len(), 1, "{wrong}");
    }
    // A run that is cut short, or ends in an exception, cannot refute a lower bound, but it can refute an upper one.
    for end in [Outcome::Limit, Outcome::Exception("x".into())] {
        let run = counted(end.clone(), 3, end, 3, 0);
        assert!(
            claim
                .violations(&at((json!(9), json!(9)), (json!(9), json!(9))), &run)
                .is_empty()
        );
        let low = at((json!(1), json!(2)), (json!(1), json!(2)));
        assert_eq!(claim.violations(&low, &run).len(), 2);
    }
    let unknown = at((json!(0), Value::Null), (json!(0), Value::Null));
    assert!(claim.violations(&unknown, &run).is_empty());
}

fn false_divergence() {
    let claim = claim("nondet", false);
    let diverges = at((json!("inf"), json!("inf")), (json!("inf"), json!("inf")));
    assert_eq!(
        claim
            .violations(
                &diverges,
                &counted(Outcome::Success, 3, Outcome::Success, 3, 1)
            )
            .len(),
        2
    );
    assert_eq!(
        claim
            .violations(
                &diverges,
                &counted(Outcome::Failure, 0, Outcome::Failure, 0, 0)
            )
            .len(),
        2
    );
    assert_eq!(
        claim
            .violations(
                &diverges,
                &counted(Outcome::Success, 3, Outcome::Limit, 900, 1)
            )
            .len(),
        1
    );
    assert!(
        claim
            .violations(
                &diverges,
                &counted(Outcome::Limit, 900, Outcome::Limit, 900, 0)
            )
            .is_empty()
    );
}

fn wrong_determinism() {
    let fine = at((json!(0), Value::Null), (json!(0), Value::Null));
    let one = counted(Outcome::Success, 1, Outcome::Success, 1, 1);
    let two = counted(Outcome::Success, 1, Outcome::Success, 2, 2);
    let none = counted(Outcome::Failure, 0, Outcome::Failure, 0, 0);
    let thrown = counted(
        Outcome::Exception("x".into()),
        0,
        Outcome::Exception("x".into()),
        0,
        0,
    );
    for (determinism, allowed) in [
        ("det", [true, false, false]),
        ("semidet", [true, false, true]),
        ("multi", [true, true, false]),
        ("nondet", [true, true, true]),
        ("failure", [false, false, true]),
    ] {
        let claim = claim(determinism, false);
        for (run, allowed) in [&one, &two, &none].into_iter().zip(allowed) {
            assert_eq!(
                claim.violations(&fine, run).is_empty(),
                allowed,
                "{determinism} {run:?}"
            );
        }
        assert!(
            claim.violations(&fine, &thrown).is_empty(),
            "{determinism} with an exception"
        );
    }
    assert_eq!(claim("nondet", true).violations(&fine, &thrown).len(), 1);
}

fn contract_json() {
    let json = json!({"schema": 1, "predicates": [
        {"name": "nrev", "arity": 2, "patterns": [{
            "modes": ["+", "-"], "types": ["list(any)", "var"], "determinism": "det", "errors": "excluded",
            "sizes": [{"argument": 1, "metric": "length", "name": "n"},
                      {"argument": 1, "element": true, "metric": "int", "name": "m"}]},
            {"modes": ["?"], "types": ["any"], "determinism": "nondet", "errors": "possible", "sizes": []}]},
        {"name": "no_pattern", "arity": 0, "patterns": []}]});
    let found = claims(&json).unwrap();
    assert_eq!(found.iter().map(|c| c.pattern).collect::<Vec<_>>(), [0, 1]);
    assert!(found[0].errors_excluded && !found[1].errors_excluded);
    assert_eq!(found[0].at_option(&[Some(BigInt::from(30)), None]), "1=30");
    assert_eq!(found[1].at_option(&[]), "99=0");
    let sizes = [Some(BigInt::from(30)), Some(BigInt::from(-2))];
    assert_eq!(
        found[0].query(&sizes),
        r#"{"pred":"nrev/2","sizes":{"1":30,"1.e":-2}}"#
    );
    assert_eq!(
        found[0].query(&[None, None]),
        r#"{"pred":"nrev/2","sizes":{}}"#
    );
    assert_eq!(
        found[0].input_types(&Default::default()).unwrap()[1],
        Type::Free
    );
    assert!(claims(&json!({})).is_err());
}

fn false_promise() {
    let file = tempfile::NamedTempFile::with_suffix(".pl").unwrap();
    for (annotation, true_) in [
        ("% steps: lower=n+1 upper=n+1", true),
        ("% steps: upper=n", false),
        ("% steps: lower=n+2", false),
        ("% at 1=3,2=9: lower=4 upper=4", true),
        ("% at 1=3,2=9: upper=3", false),
        ("% at 1=3: lower=inf", false),
        ("% determinism: det", true),
        ("% determinism: failure", false),
        ("% errors: excluded", true),
    ] {
        let text = format!(
            "%! app(+Xs:list, +Ys:list, -Zs) is det.\napp([], Ys, Ys).\n{annotation}\n\
             app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).\n"
        );
        std::fs::write(file.path(), text).unwrap();
        let (runs, violations) = crate::promises::check(file.path(), &Rc::default(), 40).unwrap();
        assert!(runs >= 1);
        assert_eq!(violations.is_empty(), true_, "{annotation}: {violations:?}");
    }
}
