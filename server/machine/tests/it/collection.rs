//! The garbage collector: long runs within a limit, and runs that do not depend on when it collects.

use costlens_machine::{Answer, Collection, Limits, Machine};
use proptest::prelude::*;

use crate::control;

const LIVE: &str = r#"
:- dynamic(fact/2).

loop(0) :- !.
loop(N) :- length(L, 2000), L = [N|_], M is N-1, loop(M).

floats(0, X, X) :- !.
floats(N, X, Y) :- Z is X*1.5-X/2, M is N-1, floats(M, Z, Y).

bigs(0, X, X) :- !.
bigs(N, X, Y) :- Z is (X*3+1) mod (1 << 200), M is N-1, bigs(M, Z, Y).

facts(0) :- !.
facts(N) :- fact(a, L), length(L, 100), M is N-1, facts(M).

globals(0) :- !.
globals(N) :- b_setval(key, f(N, _)), b_getval(key, f(N, _)), M is N-1, globals(M).

cuts(0, _) :- !.
cuts(N, L) :- member(X-Y, L), X == 3, !, Y = s(_), cuts_(N, L).
cuts_(N, _) :- M is N-1, cuts(M, [1-_, 2-_, 3-_, 4-_]).

keep(0, []) :- !.
keep(N, [f(N, "a string", X)|L]) :- X is 2**80+N, length(_, 20), M is N-1, keep(M, L).

deep(0, []) :- !.
deep(N, L) :- M is N-1, deep(M, K), L = [g(N, K)].

pick(X, L) :- member(X, L), length(_, 10).
pick(X, L) :- member(Y, L), X = n(Y).

count(0, T, T) :- !.
count(N, S, T) :- S = s(A, B), setarg(1, S, B), setarg(2, S, f(A)), ( N mod 3 =:= 0 -> U = s(N, x) ; U = S ), M is N-1, count(M, U, T).

nb(0, _) :- !.
nb(N, C) :- arg(1, C, V), W is V+1, nb_setarg(1, C, W), nb_setarg(2, C, g(W, _, "s")), M is N-1, nb(M, C).

thrown(0, []) :- !.
thrown(N, [B|Bs]) :- catch(inner(N), ball(B, _), true), M is N-1, thrown(M, Bs).
inner(N) :- X is N*1.5, length(L, 30), ( N mod 2 =:= 0 -> throw(ball(X, L)) ; throw(ball(N, [])) ).

branch(N, R) :- length(L, N), ( pick(X, [1,2,3]), X = n(_) *-> A = X ; A = none ), mark(L), R = A-B, ( B = 1, mark(L) ; mark(L), B = 2 ).
mark([]).
mark([x|L]) :- mark(L).
"#;

const QUERIES: &[&str] = &[
    "keep(60, L), length(L, N), deep(30, D), L = [F|_]",
    "pick(X, [a, \"s\", 2.5, f(Y)]), keep(5, L), member(f(_, S, B), L), B mod 2 =:= 0",
    "count(40, s(1, 2), T)",
    "C = c(0, none), nb(30, C), ( nb(5, C), fail ; true )",
    "b_setval(v, f(X, Y)), ( member(X, [1, 2]), b_setval(v, g(X)), loop(3), fail ; loop(3), b_getval(v, V) )",
    "nb_setval(k, h(_, 1.5)), loop(4), nb_getval(k, V), loop(3), b_setval(k, V), loop(4), b_getval(k, W)",
    "thrown(12, Bs)",
    "catch(inner(4), B, (loop(2), C = B))",
    "catch((member(X, [1, 2, 3]), loop(1), X >= 2, throw(found(X, _))), found(Y, Z), loop(2))",
    "findall(X-Z, (pick(X, [1, 2]), loop(2), Z = [X, _]), L), loop(3)",
    "findall(A, (member(M, [1, 2]), findall(M-B, (pick(B, [x]), loop(1)), A)), L)",
    "branch(20, R)",
    "forall(pick(X, [1, 2]), (loop(1), nonvar(X))), \\+ (pick(X, [1]), loop(1), X = 2)",
    "call((pick(X, [p, q]), loop(1), (X = p -> Y = 1 ; X = q, loop(2), Y = 2 ; Y = 3)))",
    "assertz(fact(k, [1, X, \"s\"])), loop(2), fact(k, L), loop(2), retract(fact(k, M)), loop(2)",
    "assertz((fact(N, L) :- length(L, 3), loop(N))), fact(2, A), fact(1, B), retractall(fact(_, _))",
    "X = f(X, Y), loop(3), Y = [X|Y], loop(3), X = f(_, Z)",
    "length(L, 4), loop(2), msort([b, L, a, X, 1.0, 1], M), loop(1), M = [_|_], A @< B",
    "atom_codes(A, \"abc\"), loop(2), sub_atom(A, B, 1, _, C), loop(1), atom_string(C, S)",
    "bigs(20, 3, X), floats(20, 1.0, Y), loop(2), Z is X+Y",
    "cuts(20, [3-_]), floats(5, 2.0, X)",
    "no_such(X, [1])",
    "call(1)",
];

/// The answers, the output and the counts of all queries.
fn transcript(mut machine: Machine, collection: Collection) -> (String, Machine) {
    machine.set_collection(collection);
    assert_eq!(machine.load(LIVE), []);
    machine.forget_counts();
    let mut said = String::new();
    for query in QUERIES {
        said.push_str(query);
        said.push('\n');
        said.push_str(&control::ours(&mut machine, query));
    }
    (said, machine)
}

#[test]
fn answers_and_counts_do_not_depend_on_collections() {
    for counting in [false, true] {
        let new = match counting {
            true => Machine::counting,
            false => Machine::new,
        };
        let (never, without) = transcript(new(Limits::default()), Collection::Never);
        let (eager, with) = transcript(new(Limits::default()), Collection::Eager);
        assert_eq!(never, eager);
        if counting {
            assert_eq!(without.events(), with.events());
        }
        assert!(without.collections() == 0 && with.collections() > 1000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Random control constructs, compiled and as terms.
    #[test]
    fn random_programs_do_not_depend_on_collections(seed in any::<u64>()) {
        let bodies = control::bodies(seed, 12);
        let text = control::program(&bodies);
        let run = |new: fn(Limits) -> Machine, collection| {
            let mut machine = new(Limits::default());
            machine.set_collection(collection);
            assert_eq!(machine.load(&text), []);
            machine.forget_counts();
            let mut said = String::new();
            for n in 0..bodies.len() {
                for query in control::queries(n) {
                    for called in ["s", "d"] {
                        let query = query.replace(&format!("c{n}("), &format!("{called}{n}("));
                        said.push_str(&control::ours(&mut machine, &query));
                    }
                }
            }
            (said, machine.events())
        };
        let (said, events) = run(Machine::counting, Collection::Never);
        let (eager, events_of_eager) = run(Machine::counting, Collection::Eager);
        let (fast, _) = run(Machine::new, Collection::Eager);
        prop_assert_eq!(&said, &eager);
        prop_assert_eq!(&said, &fast);
        prop_assert_eq!(events, events_of_eager);
    }
}

fn within(cells: usize, collection: Collection, query: &str) -> (Answer, Machine) {
    let mut machine = Machine::counting(Limits {
        cells,
        ..Limits::default()
    });
    machine.set_collection(collection);
    assert_eq!(machine.load(LIVE), []);
    machine.forget_counts();
    let (goal, _) = machine.read_goal(query).unwrap();
    machine.start(goal);
    (machine.next_answer(), machine)
}

/// 64 MB, in cells.
const MEMORY: usize = (64 << 20) / 8;

#[test]
fn a_gigabyte_of_garbage_needs_little_memory() {
    let (answer, machine) = within(MEMORY, Collection::WhenGrown, "loop(34000)");
    assert!(matches!(answer, Answer::Yes { .. }), "{answer:?}");
    let built = machine.events()["heap_cells"];
    assert!(built * 8 > 1 << 30, "{built} cells");
    assert!(machine.collections() > 10);
    let (answer, _) = within(MEMORY, Collection::Never, "loop(34000)");
    assert!(
        matches!(answer, Answer::Limit(costlens_machine::Limit::Memory)),
        "{answer:?}"
    );
}

#[test]
fn boxes_assignments_and_cut_choices_are_garbage() {
    // Each of these loops would use more than the limit of 8 MB.
    for query in [
        "floats(300000, 1.0, X)",
        "bigs(200000, 3, X)",
        "globals(200000)",
        "cuts(150000, [3-_])",
        "nb_setval(k, []), C = c(0, none), nb(200000, C)",
        "count(500000, s(1, 2), T)",
        "assertz(fact(a, _)), facts(30000)",
    ] {
        let (answer, machine) = within(1 << 20, Collection::WhenGrown, query);
        assert!(matches!(answer, Answer::Yes { .. }), "{query}: {answer:?}");
        assert!(machine.collections() > 0, "{query}");
        let (answer, _) = within(1 << 20, Collection::Never, query);
        assert!(matches!(answer, Answer::Limit(_)), "{query}: {answer:?}");
    }
}

#[test]
fn live_data_beyond_the_limit_end_the_run() {
    for query in ["keep(1000000, L)", "deep(1000000, L)"] {
        let (answer, _) = within(1 << 20, Collection::WhenGrown, query);
        let is_memory = matches!(answer, Answer::Limit(costlens_machine::Limit::Memory));
        assert!(is_memory, "{query}: {answer:?}");
    }
}
