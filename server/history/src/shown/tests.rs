use costlens_machine::{Answer, Limits, Machine};

use super::*;
use crate::program::tests::program;
use crate::run::{PastRun, RunBlock};

/// Returns the goals that succeeded once in runs of some goals: `loop/2 clause 2: loop(A,B)`.
fn shown(text: &str, goals: &[&str]) -> Vec<String> {
    let mut machine = Machine::counting(Limits::default());
    assert_eq!(machine.load(text), []);
    let blocks = machine.blocks();
    let run = |goal: &&str| {
        let mut machine = machine.fork();
        let (cell, _) = machine.read_goal(goal).unwrap();
        machine.forget_counts();
        machine.start(cell);
        let answer = machine.next_answer();
        assert!(matches!(answer, Answer::Yes { .. } | Answer::No), "{goal}");
        let counts = machine.block_counts().into_iter().take(blocks.len());
        PastRun {
            at: 0,
            platform: "embedded".to_owned(),
            ns: 1,
            inputs: Vec::new(),
            counts: counts.map(|c| (c.reached, c.failed)).collect(),
            amounts: Vec::new(),
        }
    };
    let all: Vec<PastRun> = goals.iter().map(run).collect();
    let reached: Vec<usize> = (0..blocks.len())
        .filter(|&b| all.iter().any(|run| run.counts[b].0 > 0))
        .collect();
    let runs = Runs {
        blocks: { reached.iter() }
            .map(|&b| RunBlock {
                name: blocks[b].name.clone(),
                events: Vec::new(),
                fails: Vec::new(),
            })
            .collect(),
        runs: { all.into_iter() }
            .map(|run| PastRun {
                counts: reached.iter().map(|&b| run.counts[b]).collect(),
                ..run
            })
            .collect(),
    };
    let program = program(text);
    let mut found: Vec<String> = once(&blocks, &runs, &program)
        .into_iter()
        // Exclude the loops of libraries.
        .filter(|(functor, ..)| program.clauses.contains_key(functor))
        .map(|(functor, clause, goal)| {
            let terms = &program.clauses[&functor][clause - 1].terms;
            let goal = costlens_syntax::write_term(terms, goal, None);
            format!("{functor} clause {clause}: {goal}")
        })
        .collect();
    found.sort();
    found
}

fn has(found: &[String], goal: &str) -> bool {
    found.iter().any(|f| f.starts_with(goal))
}

const LOOPS: &str = "
    both(N, M, L) :- up(N, Xs), down(M, Xs, L).
    up(0, []).
    up(N, [N|Ns]) :- N > 0, M is N-1, up(M, Ns).
    down(0, L, L).
    down(M, [_|Xs], L) :- M > 0, K is M-1, down(K, Xs, L).
    down(M, [], M) :- M > 0.
";

#[test]
fn the_last_goal_of_loops_that_have_ended_well_succeeds_once() {
    let found = shown(LOOPS, &["both(5, 3, L)", "both(7, 2, L)", "both(4, 0, L)"]);
    for goal in [
        "both/3 clause 1: up(",
        "both/3 clause 1: down(",
        "up/2 clause 2: up(",
        "up/2 clause 2: _1 > 0",
        "down/3 clause 2: down(",
    ] {
        assert!(has(&found, goal), "{goal}: {found:#?}");
    }
}

#[test]
fn one_run_that_fails_is_enough() {
    // The second goal has a list that is too short, and a wrong number.
    let found = shown(LOOPS, &["both(5, 3, L)", "both(2, 3, 7)"]);
    assert!(has(&found, "both/3 clause 1: up("), "{found:#?}");
    for goal in ["both/3 clause 1: down(", "down/3 clause 2: down("] {
        assert!(!has(&found, goal), "{goal}: {found:#?}");
    }
}

#[test]
fn what_backtracking_comes_back_to_succeeds_more_than_once() {
    let text = "
        pick(N, X) :- one(N, X), X < 3.
        one(N, N).
        one(N, X) :- N > 0, M is N-1, one(M, X).
        named(N, X) :- alias(N, X), X < 3.
        alias(N, X) :- between(0, N, M), X is N-M.
    ";
    let found = shown(text, &["pick(5, X)", "pick(4, X)", "pick(3, X)"]);
    for goal in ["pick/2 clause 1: one(", "one/2 clause 2: one("] {
        assert!(!has(&found, goal), "{goal}: {found:#?}");
    }
    let found = shown(text, &["named(5, X)", "named(9, X)"]);
    assert!(!has(&found, "alias/2 clause 1: between("), "{found:#?}");
    assert!(!has(&found, "named/2 clause 1: alias("), "{found:#?}");
}

#[test]
fn a_condition_is_left_as_often_as_it_is_come_to() {
    let text = "
        signs([], []).
        signs([X|Xs], [S|Ss]) :- ( X > 0 -> S = plus ; X < 0 -> S = minus ; S = none ), signs(Xs, Ss).
        kept([], []).
        kept([X|Xs], Ys) :- ( X > 0 -> Ys = [X|Zs] ; Ys = Zs ), kept(Xs, Zs).
        ends(X, Y) :- Z is X*2, ( Z > 4 -> loop(Z, Y) ; Y = Z ).
        loop(0, 0).
        loop(N, M) :- N > 0, K is N-1, loop(K, M).
    ";
    let found = shown(text, &["signs([1,-2,0,5], L)", "signs([3], L)"]);
    assert!(has(&found, "signs/2 clause 2: _1 > 0 ->"), "{found:#?}");
    let found = shown(text, &["kept([1,-2,0,5], L)", "kept([], L)"]);
    assert!(has(&found, "kept/2 clause 2: _1 > 0 ->"), "{found:#?}");
    assert!(has(&found, "kept/2 clause 2: kept("), "{found:#?}");
    let found = shown(text, &["ends(1, Y)", "ends(6, Y)"]);
    assert!(has(&found, "ends/2 clause 1: _3 > 4 ->"), "{found:#?}");
    // The loop gets a number that it never reaches.
    let found = shown(text, &["ends(1, Y)", "ends(2.5, Y)"]);
    assert!(!has(&found, "ends/2 clause 1: _3 > 4 ->"), "{found:#?}");
}

#[test]
fn of_what_no_run_has_come_to_nothing_is_shown() {
    let found = shown(LOOPS, &["up(3, L)"]);
    assert!(has(&found, "up/2 clause 2: up("), "{found:#?}");
    assert!(!has(&found, "both/3"), "{found:#?}");
    // Clauses of dynamic predicates are not part of the code.
    let text = ":- dynamic seen/1. seen(1). p(X) :- seen(X).";
    let found = shown(text, &["p(1)"]);
    assert!(!has(&found, "p/1 clause 1: seen("), "{found:#?}");
}
