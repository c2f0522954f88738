//! Whole programs on the machine: each query with all its answers, which agree with SWI-Prolog 9.

mod catalogue;

use crate::machine::{Limits, Machine};
use crate::solve::Answer;
use crate::testing::show;

/// Runs a query `Template :- Goal` and returns the template's instance for each solution, followed by `error: …` or the limit if the query
/// ends that way.
fn answers_of(mut machine: Machine, program: &str, query: &str) -> Vec<String> {
    let errors = machine.load(program);
    assert!(errors.is_empty(), "{errors:?}");
    let file = costlens_syntax::read_text(&format!("{query}."));
    let clause = &file.clauses[0];
    assert!(clause.error.is_none(), "{query}: {:?}", clause.error);
    let &[template, goal] = clause
        .terms
        .matches(clause.root, ":-", 2)
        .expect("Template :- Goal")
    else {
        unreachable!()
    };
    let mut variables = Vec::new();
    let template = machine
        .store
        .read_in(&clause.terms, template, &mut variables);
    let goal = machine.store.read_in(&clause.terms, goal, &mut variables);
    machine.start(goal);
    let mut found = Vec::new();
    loop {
        match machine.next_answer() {
            Answer::Yes { .. } => found.push(show(&machine, template)),
            Answer::No => break,
            Answer::Error(ball) => {
                found.push(format!("error: {}", show(&machine, ball)));
                break;
            }
            Answer::Limit(limit) => {
                found.push(limit.to_string());
                break;
            }
        }
        assert!(found.len() < 10_000, "{query}");
    }
    found
}

fn answers(program: &str, query: &str) -> Vec<String> {
    let fast = answers_of(Machine::new(Limits::default()), program, query);
    let counting = answers_of(Machine::counting(Limits::default()), program, query);
    assert_eq!(fast, counting, "counting changes nothing");
    fast
}

const LISTS: &str = "
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
mem(X, [X|_]).
mem(X, [_|Xs]) :- mem(X, Xs).
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
range(N, N, [N]) :- !.
range(M, N, [M|Ns]) :- M < N, M1 is M+1, range(M1, N, Ns).
";

#[test]
fn facts_and_rules() {
    assert_eq!(
        answers(LISTS, "Xs-Ys :- app(Xs, Ys, [1,2])"),
        ["[]-[1,2]", "[1]-[2]", "[1,2]-[]"]
    );
    assert_eq!(answers(LISTS, "Ys :- nrev([1,2,3,4], Ys)"), ["[4,3,2,1]"]);
    assert_eq!(answers(LISTS, "X :- mem(X, [a,b,c])"), ["a", "b", "c"]);
    assert_eq!(
        answers(LISTS, "N :- (range(1, 100, L), len(L, N))"),
        ["100"]
    );
    assert_eq!(answers(LISTS, "x :- mem(d, [a,b,c])"), [""; 0]);
}

#[test]
fn slots_live_as_long_as_a_choice_point_needs_them() {
    // The slot of L is trimmed at the call to use/1, but needed again after backtracking into times/1.
    let program = "
        times(N) :- N > 0.
        times(N) :- N > 1, M is N-1, times(M).
        use([]).
        use([_|Xs]) :- use(Xs), true(Xs).
        true(_).
        all(N, _) :- one(L), times(N), use(L), '$findall_add'(L), fail.
        all(_, Ls) :- '$findall_end'(Ls).
        one([a,b]).
    ";
    assert_eq!(
        answers(program, "L :- ('$findall_begin', all(4, L))"),
        ["[[a,b],[a,b],[a,b],[a,b]]"]
    );
}

#[test]
fn control_constructs() {
    let program = "
        p(1). p(2). p(3).
        first(X) :- p(X), !.
        q(X, Y) :- ( p(X), X > 1 -> Y = big ; Y = small ).
        r(X, Y) :- ( p(X), X > 1 *-> Y = big ; Y = small ).
        n(X) :- \\+ p(X).
        d(X) :- ( X = a ; X = b ; p(X) ).
        c(X) :- ( p(X), ! ; X = 9 ).
        c(10).
    ";
    assert_eq!(answers(program, "X :- first(X)"), ["1"]);
    assert_eq!(answers(program, "X-Y :- q(X, Y)"), ["2-big"]);
    assert_eq!(answers(program, "X-Y :- r(X, Y)"), ["2-big", "3-big"]);
    assert_eq!(answers(program, "y :- n(4)"), ["y"]);
    assert_eq!(answers(program, "y :- n(_)"), [""; 0]);
    assert_eq!(answers(program, "X :- d(X)"), ["a", "b", "1", "2", "3"]);
    assert_eq!(answers(program, "X :- c(X)"), ["1"]);
    // The same clauses as terms.
    assert_eq!(answers(program, "X :- call((p(X), !))"), ["1"]);
    assert_eq!(
        answers(program, "X-Y :- call((p(X), X > 1 -> Y = big ; Y = small))"),
        ["2-big"]
    );
    assert_eq!(
        answers(
            program,
            "X-Y :- call((p(X), X > 1 *-> Y = big ; Y = small))"
        ),
        ["2-big", "3-big"]
    );
    assert_eq!(
        answers(program, "X :- ((p(X), fail *-> true ; X = none))"),
        ["none"]
    );
    assert_eq!(answers(program, "X :- (p(X), call(!))"), ["1", "2", "3"]);
    assert_eq!(answers(program, "X :- (p(X), \\+ X = 2)"), ["1", "3"]);
    assert_eq!(answers(program, "X :- (call(',', p(X), X > 2))"), ["3"]);
    assert_eq!(answers(program, "X :- call(p, X)"), ["1", "2", "3"]);
    assert_eq!(answers(program, "X :- (G = p(X), G)"), ["1", "2", "3"]);
    assert_eq!(answers(program, "X :- (G = (p(X), !), G)"), ["1"]);
    assert_eq!(
        answers(program, "L :- findall(X-Y, (p(X), p(Y), X < Y), L)"),
        ["[1-2,1-3,2-3]"]
    );
    assert_eq!(answers(program, "X :- user:p(X)"), ["1", "2", "3"]);
}

#[test]
fn exceptions() {
    let program = "
        p(1). p(2).
        t(X) :- X > 1, throw(big(X)).
        t(X) :- X =< 1.
        deep(0) :- throw(bottom).
        deep(N) :- N > 0, M is N-1, deep(M), M >= 0.
        leaves :- catch(p(_), _, true).
    ";
    assert_eq!(
        answers(program, "X :- catch(throw(f(Y, b)), f(a, X), true)"),
        ["b"]
    );
    assert_eq!(
        answers(program, "X-E :- (p(X), catch(t(X), E, true))"),
        ["1-A", "2-big(2)"]
    );
    assert_eq!(
        answers(program, "E :- catch(deep(1000), E, true)"),
        ["bottom"]
    );
    assert_eq!(
        answers(program, "E :- catch(catch(throw(a), b, true), E, true)"),
        ["a"]
    );
    assert_eq!(
        answers(
            program,
            "E :- catch((catch(p(_), inner(_), true), throw(inner(1))), E, true)"
        ),
        ["inner(1)"]
    );
    assert_eq!(
        answers(program, "x :- (leaves, throw(late))"),
        ["error: late"]
    );
    assert_eq!(
        answers(program, "E :- catch(nothing(1), E, true)"),
        ["error(existence_error(procedure,nothing/1),nothing/1)"]
    );
    assert_eq!(
        answers(program, "E :- catch(X is foo+1, E, true)"),
        ["error(type_error(evaluable,foo/0),context(system:(is)/2,A))"]
    );
    assert_eq!(
        answers(program, "E :- catch(t(a), E, true)"),
        ["error(type_error(evaluable,a/0),context(system:(>)/2,A))"]
    );
    assert_eq!(
        answers(program, "E :- catch(call((fail, 1)), error(E, _), true)"),
        ["type_error(callable,(fail,1))"]
    );
    assert_eq!(
        answers(program, "E :- catch(call(_), error(E, _), true)"),
        ["instantiation_error"]
    );
    // Bindings made by the goal are in place, as in SWI-Prolog.
    assert_eq!(
        answers(
            program,
            "X :- catch(catch((X = 1, throw(2)), X, true), 2, true)"
        ),
        ["A"]
    );
    // Bindings made by the goal are undone, earlier bindings are not.
    assert_eq!(
        answers(program, "A-B :- (A = 1, catch((B = 2, throw(x)), x, true))"),
        ["1-A"]
    );
    // An exception ends the collection of findall/3.
    assert_eq!(
        answers(
            program,
            "L :- (catch(findall(X, (p(X), X > 1, throw(out)), _), out, true), findall(X, p(X), L))"
        ),
        ["[1,2]"]
    );
}

#[test]
fn dynamic_predicates() {
    let program = "
        :- dynamic f/1, counter/1.
        f(1). f(2). f(3).
        counter(0).
        next(N) :- retract(counter(N)), M is N+1, assertz(counter(M)).
        s(a, X) :- X = 1, !.
        s(b, 2).
    ";
    assert_eq!(answers(program, "X :- f(X)"), ["1", "2", "3"]);
    // The logical update view.
    assert_eq!(
        answers(program, "X :- (f(X), Y is X+10, assertz(f(Y)))"),
        ["1", "2", "3"]
    );
    assert_eq!(answers(program, "X :- (f(X), retract(f(2)))"), ["1"]);
    assert_eq!(
        answers(program, "L :- (retract(f(_)), !, findall(X, f(X), L))"),
        ["[2,3]"]
    );
    assert_eq!(
        answers(program, "X-L :- (retract(f(X)), findall(Y, f(Y), L))"),
        ["1-[2,3]", "2-[3]", "3-[]"]
    );
    assert_eq!(
        answers(
            program,
            "L :- (asserta(f(0)), retractall(f(2)), findall(X, f(X), L))"
        ),
        ["[0,1,3]"]
    );
    assert_eq!(
        answers(program, "A-B-C :- (next(A), next(B), next(C))"),
        ["0-1-2"]
    );
    assert_eq!(
        answers(program, "X :- (assertz((g(X) :- f(X), X > 1, !)), g(X))"),
        ["2"]
    );
    assert_eq!(answers(program, "B :- clause(s(a, X), B)"), ["A = 1,!"]);
    assert_eq!(
        answers(program, "E :- catch(assertz(s(c, 3)), error(E, _), true)"),
        ["permission_error(modify,static_procedure,s/2)"]
    );
    assert_eq!(
        answers(
            program,
            "E :- catch(assertz((foo :- 4)), error(E, _), true)"
        ),
        ["type_error(callable,4)"]
    );
    assert_eq!(
        answers(
            "count(N, N) :- !. count(I, N) :- assertz(item(I)), J is I+1, count(J, N).",
            "L :- (count(0, 2000), retractall(item(5)), item(1999), findall(X, (item(X), X < 7), L))"
        ),
        ["[0,1,2,3,4,6]"]
    );
}

#[test]
fn many_clauses_are_found_by_their_first_argument() {
    let program = "
        :- dynamic f/2.
        fill(0) :- !.
        fill(N) :- assertz(f(N, end)), asserta(f(N, front)), M is N-1, fill(M).
    ";
    assert_eq!(
        answers(
            program,
            "X :- (fill(50), assertz(f(_, any)), f(7, _), f(7, X))"
        )
        .len(),
        9
    );
    assert_eq!(
        answers(
            program,
            "L :- (fill(50), assertz(f(_, any)), f(3, _), !, asserta(f(3, first)), assertz(f(3, last)), retract(f(3, end)), findall(X, f(3, X), L))"
        ),
        ["[first,front,any,last]"]
    );
    // Removed clauses are freed during iterations over other clauses.
    assert_eq!(
        answers(
            program,
            "L :- (fill(100), f(1, _), !, retractall(f(_, end)), retractall(f(2, _)), findall(X-Y, (f(X, Y), X < 4), L))"
        ),
        ["[1-front,3-front]"]
    );
}

#[test]
fn conditions_choose_clauses() {
    let program = "
        :- if(true). p(1). :- if(fail). p(2). :- elif(1 < 2). p(3). :- elif(true). p(4). :- else. p(5). :- endif. :- else. p(6).
        :- if(true). p(7). :- endif. :- endif.
        :- if(fail). p(8). :- else. p(9). :- endif. p(10).
    ";
    assert_eq!(answers(program, "X :- p(X)"), ["1", "3", "9", "10"]);
}

#[test]
fn clauses_load_without_anything_running() {
    let program = "
        :- dynamic f/1.
        :- op(700, xfx, ===>).
        :- initialization(loop).
        loop :- loop.
        :- loop.
        :- assertz(f(1)).
        :- if(loop). g(1). :- else. g(2). :- endif.
        r(a ===> b).
    ";
    let mut machine = Machine::new(Limits::default());
    assert_eq!(machine.load_clauses(program), []);
    let mut holds = |goal: &str| {
        let (goal, _) = machine.read_goal(goal).unwrap();
        machine.start(goal);
        matches!(machine.next_answer(), Answer::Yes { .. })
    };
    assert!(holds("r(a ===> b)"));
    assert!(holds("g(2)"));
    assert!(!holds("f(_)"));
}

#[test]
fn forks_go_their_own_ways() {
    let mut machine = Machine::new(Limits::default());
    assert!(machine.load(":- dynamic f/1.\nf(1).").is_empty());
    let mut fork = machine.fork();
    let solutions = |machine: &mut Machine, goal: &str| {
        let (goal, _) = machine.read_goal(goal).unwrap();
        machine.start(goal);
        std::iter::from_fn(|| matches!(machine.next_answer(), Answer::Yes { .. }).then_some(()))
            .count()
    };
    assert_eq!(solutions(&mut fork, "assertz(f(2)), f(_)"), 2);
    assert_eq!(solutions(&mut machine, "f(_)"), 1);
    // The switch of one machine does not stop another machine.
    fork.interrupt()
        .store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(solutions(&mut machine, "f(_)"), 1);
    assert_eq!(solutions(&mut fork, "f(_)"), 0);
}

#[test]
fn limits() {
    let program = "
        loop :- loop.
        grow(X) :- grow([X|X]).
        deep(0).
        deep(N) :- N > 0, M is N-1, deep(M), M >= 0.
    ";
    let steps = Limits {
        steps: Some(100_000),
        ..Limits::default()
    };
    assert_eq!(
        answers_of(Machine::new(steps), program, "x :- loop"),
        ["step limit"]
    );
    let small = Limits {
        cells: 1 << 20,
        ..Limits::default()
    };
    for query in ["x :- grow(a)", "x :- deep(1000000)"] {
        assert_eq!(
            answers_of(Machine::new(small), program, query),
            ["memory limit"]
        );
        let caught = format!("{}, _, true)", query.replace(":- ", ":- catch("));
        assert_eq!(
            answers_of(Machine::new(small), program, &caught),
            ["memory limit"]
        );
    }
    assert_eq!(
        answers_of(
            Machine::new(Limits::default()),
            program,
            "x :- deep(1000000)"
        ),
        ["x"]
    );
    assert_eq!(answers(program, "x :- (X = f(X), Y = f(Y), X = Y)"), ["x"]);
}
