//! Ports of predicates: call, exit, redo, fail. Small programs whose ports can be counted by hand, and larger ones whose calls and exits are
//! also counted by wrappers around their predicates.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use costlens_machine::{Answer, Limits, Machine, Ports};

/// Runs a goal to its last solution.
fn ports_of(program: &str, goal: &str) -> (Machine, Vec<Ports>) {
    let mut machine = Machine::counting(Limits::default());
    machine.count_ports();
    let errors = machine.load(program);
    assert!(errors.is_empty(), "{errors:?}");
    let (goal, _) = machine.read_goal(goal).unwrap();
    machine.forget_counts();
    machine.start(goal);
    while let Answer::Yes { .. } = machine.next_answer() {}
    let ports = machine.ports();
    (machine, ports)
}

/// Formats ports as `p/1 2 3 1 2`: call, exit, redo, fail.
fn shown(program: &str, goal: &str) -> Vec<String> {
    let (_, ports) = ports_of(program, goal);
    let line = |p: &Ports| {
        format!(
            "{}/{} {} {} {} {}",
            p.name, p.arity, p.call, p.exit, p.redo, p.fail
        )
    };
    ports.iter().map(line).collect()
}

#[test]
fn facts_and_conjunctions() {
    let program = "p(X) :- q(X), r(X).\nq(1). q(2). q(3).\nr(2). r(3).\n";
    assert_eq!(
        shown(program, "p(X)"),
        // q exits three times; it is redone after 1, and after p's first solution.
        ["p/1 1 2 1 0", "q/1 1 3 2 0", "r/1 3 2 0 1"]
    );
    assert_eq!(shown(program, "p(4)"), ["p/1 1 0 0 1", "q/1 1 0 0 1"]);
}

#[test]
fn a_call_in_the_place_of_its_caller() {
    let program = "a :- b.\nb :- c.\nc. c.\nn(0). n(N) :- N > 0, M is N-1, n(M).\n";
    assert_eq!(
        shown(program, "a"),
        ["a/0 1 2 1 0", "b/0 1 2 1 0", "c/0 1 2 1 0"]
    );
    // n(0) leaves a choice point in which N > 0 fails: all four boxes are redone, and fail.
    assert_eq!(shown(program, "n(3)"), ["n/1 4 4 4 4"]);
    let rounds = "n(N) :- ( N =:= 0 -> true ; M is N-1, n(M) ).";
    assert_eq!(shown(rounds, "n(100000)"), ["n/1 100001 100001 0 0"]);
}

#[test]
fn cuts_and_conditions() {
    let program = "first(X) :- q(X), !.\nq(1). q(2).\nnone :- \\+ q(_).\nsoft(X) :- ( q(X) *-> true ; X = 0 ).\n";
    assert_eq!(
        shown(program, "first(X)"),
        ["first/1 1 1 0 0", "q/1 1 1 0 0"]
    );
    assert_eq!(shown(program, "none"), ["none/0 1 0 0 1", "q/1 1 1 0 0"]);
    assert_eq!(shown(program, "soft(X)"), ["q/1 1 2 1 0", "soft/1 1 2 1 0"]);
}

#[test]
fn dynamic_clauses_and_goals_that_are_terms() {
    let program = ":- dynamic(d/1).\nd(1).\nd(X) :- e(X).\ne(2). e(3).\nt(X) :- G = (d(X), X > 1), call(G).\n";
    assert_eq!(shown(program, "d(X)"), ["d/1 1 3 2 0", "e/1 1 2 1 0"]);
    assert_eq!(
        shown(program, "t(X)"),
        ["d/1 1 3 2 0", "e/1 1 2 1 0", "t/1 1 2 1 0"]
    );
}

#[test]
fn clauses_have_tries_entries_and_exits() {
    let (_, ports) = ports_of("p(X) :- X > 1, q.\np(_).\nq.\n", "( p(1) ; p(2) )");
    let clauses: Vec<_> = (ports[0].clauses.iter())
        .map(|c| (c.tried, c.entered, c.exit))
        .collect();
    assert_eq!(clauses, [(2, 1, 1), (2, 2, 2)]);
}

#[test]
fn exceptions_leave_boxes_without_a_port() {
    let program = "p :- q, r.\nq.\nr :- throw(ball).\n";
    assert_eq!(
        shown(program, "catch(p, _, true)"),
        ["p/0 1 0 0 0", "q/0 1 1 0 0", "r/0 1 0 0 0"]
    );
}

/// A program, its predicates, a goal.
type Wrapped = (&'static str, &'static [(&'static str, usize)], &'static str);

/// Programs without cuts and exceptions: each predicate also runs inside a wrapper that counts its calls and exits.
#[test]
fn calls_and_exits_are_those_that_wrappers_count() {
    let programs: &[Wrapped] = &[
        (
            "perm([], []).\nperm(Xs, [Y|Ys]) :- sel(Y, Xs, Zs), perm(Zs, Ys).\nsel(X, [X|Xs], Xs).\nsel(X, [Y|Xs], [Y|Ys]) :- sel(X, Xs, Ys).\n",
            &[("perm", 2), ("sel", 3)],
            "perm([1,2,3,4], _)",
        ),
        (
            "q(Qs) :- perm([1,2,3,4,5], Qs), safe(Qs).\nsafe([]).\nsafe([Q|Qs]) :- no(Q, Qs, 1), safe(Qs).\nno(_, [], _).\nno(Q, [R|Rs], D) :- Q =\\= R+D, Q =\\= R-D, E is D+1, no(Q, Rs, E).\nperm([], []).\nperm(Xs, [Y|Ys]) :- sel(Y, Xs, Zs), perm(Zs, Ys).\nsel(X, [X|Xs], Xs).\nsel(X, [Y|Xs], [Y|Ys]) :- sel(X, Xs, Ys).\n",
            &[("q", 1), ("safe", 1), ("no", 3), ("perm", 2), ("sel", 3)],
            "q(_)",
        ),
        (
            "even(z). even(s(X)) :- odd(X).\nodd(s(X)) :- even(X).\np(X) :- ( even(X) ; odd(X) ; \\+ even(X), X = s(_) ).\n",
            &[("even", 1), ("odd", 1), ("p", 1)],
            "p(s(s(s(z))))",
        ),
        (
            "path(X, X).\npath(X, Z) :- edge(X, Y), path(Y, Z).\nedge(a, b). edge(a, c). edge(b, d). edge(c, d). edge(d, e).\nr(X) :- ( path(a, X) *-> true ; X = none ).\nf(L) :- findall(X, r(X), L).\n",
            &[("path", 2), ("edge", 2), ("r", 1), ("f", 1)],
            "( f(_) ; r(_) ; path(X, e) )",
        ),
    ];
    for (program, predicates, goal) in programs {
        let (_, ports) = ports_of(program, goal);
        let counted = wrapped(program, predicates, goal);
        assert_eq!(ports.len(), predicates.len(), "{ports:?}");
        for p in &ports {
            let (call, exit) = counted[&format!("{}/{}", p.name, p.arity)];
            assert_eq!((p.call, p.exit), (call, exit), "{p:?}");
            assert_eq!(p.call + p.redo, p.exit + p.fail, "{p:?}");
        }
    }
}

/// Counts calls and exits of predicates with wrapper clauses.
fn wrapped(
    program: &str,
    predicates: &[(&str, usize)],
    goal: &str,
) -> BTreeMap<String, (u64, u64)> {
    let mut text = ":- dynamic(port/2).\nbump(P) :- port(P, N), !, retract(port(P, N)), M is N+1, assertz(port(P, M)).\nbump(P) :- assertz(port(P, 1)).\n".to_owned();
    for line in program.lines() {
        // Heads are renamed; calls are not.
        let mut line = line.to_owned();
        for (name, arity) in predicates {
            let arguments: Vec<String> = (0..*arity).map(|i| format!("A{i}")).collect();
            let arguments = arguments.join(",");
            if line.starts_with(&format!("{name}(")) {
                for clause in line.split_inclusive(". ") {
                    text.push_str("in_");
                    text.push_str(clause);
                }
                text.push('\n');
                line.clear();
            }
            let wrapper = format!(
                "{name}({arguments}) :- bump(call({name}/{arity})), in_{name}({arguments}), bump(exit({name}/{arity})).\n"
            );
            if !text.contains(&wrapper) {
                text.push_str(&wrapper);
            }
        }
    }
    let mut machine = Machine::new(Limits::default());
    let errors = machine.load(&text);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let (goal, _) = machine.read_goal(goal).unwrap();
    machine.start(goal);
    while let Answer::Yes { .. } = machine.next_answer() {}
    let mut count = |which: &str, indicator: &str| -> u64 {
        let (goal, variables) = machine
            .read_goal(&format!("port({which}({indicator}), N)"))
            .unwrap();
        machine.start(goal);
        match machine.next_answer() {
            Answer::Yes { .. } => machine.text_of(variables[0].1, &[]).parse().unwrap(),
            _ => 0,
        }
    };
    let of = |(name, arity): &(&str, usize)| {
        let indicator = format!("{name}/{arity}");
        let ports = (count("call", &indicator), count("exit", &indicator));
        (indicator, ports)
    };
    predicates.iter().map(of).collect()
}

/// When the condition of a soft cut has no further solution, its disjunction's choice point, which was created before the clause had an
/// environment, is used up, and the clause continues.
#[test]
fn conditions_of_soft_cuts_that_fail() {
    let program =
        "a(_) :- ( q(Y) *-> Y == 7 ; true ).\na(1).\nq(1). q(X) :- X = 2. q(_) :- fail.\n";
    assert_eq!(shown(program, "a(X)"), ["a/1 1 1 0 0", "q/1 1 2 2 1"]);
}
