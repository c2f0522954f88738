//! Runs that hints are compared with: runs with an explicit table, and runs that may leave choice points.

use costlens_machine::{Answer, Indexing, Limits, Machine};

use super::remarks;

fn limits() -> Limits {
    Limits {
        steps: Some(1_000_000),
        cells: 1 << 22,
        output: 1 << 16,
    }
}

/// Returns the first answer of a goal as text, with its bindings, and whether a choice point is left.
fn answer(machine: &mut Machine, goal: &str) -> (String, bool) {
    let (cell, names) = machine.read_goal(goal).unwrap();
    machine.start(cell);
    match machine.next_answer() {
        Answer::Yes { more } => (machine.text_of(cell, &names), more),
        other => panic!("{goal}: {other:?}"),
    }
}

/// Returns a program in which a predicate tables its answers. Heads at the beginning of a line are renamed, and the original name first looks
/// up known answers.
fn with_table(text: &str, name: &str, arity: usize) -> String {
    let own = format!("{name}(");
    let lines = text.lines().map(|line| match line.strip_prefix(&own) {
        Some(rest) => format!("computed_{own}{rest}\n"),
        None => format!("{line}\n"),
    });
    let arguments: Vec<String> = (0..arity).map(|i| format!("A{i}")).collect();
    let arguments = arguments.join(",");
    format!(
        "{}\n:- dynamic(known/1).\n:- dynamic(called/0).\n\
         {name}({arguments}) :- assertz(called), G = computed_{name}({arguments}), ( known(G) -> true ; call(G), assertz(known(G)) ).\n\
         count(N, C) :- findall(x, known(_), Xs), length(Xs, N), findall(x, called, Ys), length(Ys, C).\n",
        lines.collect::<String>()
    )
}

/// Runs a goal with a table. Returns the answer, the number of distinct calls, and the number of steps that enter clauses of the program.
fn tabled(text: &str, (name, arity): (&str, usize), goal: &str) -> (String, i64, i64) {
    let mut machine = Machine::counting(limits());
    let errors = machine.load(&with_table(text, name, arity));
    assert!(errors.is_empty(), "{errors:?}");
    machine.forget_counts();
    let (answer, _) = answer(&mut machine, goal);
    let steps = i64::try_from(machine.steps()).unwrap();
    let (counts, _) = self::answer(&mut machine, "count(N, C)");
    let numbers: Vec<i64> = (counts.split(|c: char| !c.is_ascii_digit()))
        .filter_map(|n| n.parse().ok())
        .collect();
    let [different, calls] = numbers[..] else {
        panic!("{counts}");
    };
    // Each call enters the clause that looks up answers, and each repeated call also enters the fact with its answer.
    (answer, different, steps - calls - (calls - different))
}

/// A program, its predicate, goals with the bounds on distinct calls and on steps, and the bound as in the hint.
type Case = (
    &'static str,
    (&'static str, usize),
    Vec<(String, i64, i64)>,
    &'static str,
);

fn cases() -> Vec<Case> {
    // No element of the second list occurs in the first.
    let list =
        |n: i64, from: i64| format!("{:?}", (0..n).map(|i| from + i * 7 % 5).collect::<Vec<_>>());
    let pairs = || (0..7).flat_map(|a| (0..7).map(move |b| (a, b)));
    vec![
        (
            "%! fib(+N:nat, -F:int) is det.\nfib(0, 0).\nfib(1, 1).\n\
             fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.\n",
            ("fib", 2),
            (0..20)
                .map(|n| (format!("fib({n}, F)"), n + 1, n + 1))
                .collect(),
            "≤ n + 1",
        ),
        (
            "%! paths(+X:nat, +Y:nat, -N:int) is det.\npaths(0, _, 1).\npaths(X, 0, 1) :- X > 0.\n\
             paths(X, Y, N) :- X > 0, Y > 0, A is X-1, B is Y-1, paths(A, Y, K), paths(X, B, L), N is K+L.\n",
            ("paths", 3),
            pairs()
                .map(|(a, b)| {
                    (
                        format!("paths({a}, {b}, N)"),
                        (a + 1) * (b + 1),
                        (a + 1) * (b + 1),
                    )
                })
                .collect(),
            "≤ n·m + n + m + 1",
        ),
        (
            "%! lcs(+Xs:list(int), +Ys:list(int), -N:int) is det.\nlcs([], _, 0).\nlcs([_|_], [], 0).\n\
             lcs([X|Xs], [Y|Ys], N) :- X =:= Y, lcs(Xs, Ys, M), N is M+1.\n\
             lcs([X|Xs], [Y|Ys], N) :- X =\\= Y, lcs(Xs, [Y|Ys], A), lcs([X|Xs], Ys, B), N is max(A, B).\n",
            ("lcs", 3),
            pairs()
                .map(|(a, b)| {
                    let goal = format!("lcs({}, {}, N)", list(a, 0), list(b, 100));
                    (goal, (a + 1) * (b + 1), (a + 1) * (b + 1))
                })
                .collect(),
            "≤ n·m + n + m + 1",
        ),
    ]
}

#[test]
fn runs_with_a_table_stay_below_the_bound_that_is_told() {
    for (text, of, goals, expected) in cases() {
        let told = remarks(text).into_iter().find_map(|remark| remark.cost);
        assert_eq!(
            told.map(|(_, with)| with).as_deref(),
            Some(expected),
            "{text}"
        );
        let mut attained = false;
        for (goal, most_calls, most_steps) in goals {
            let (answer, different, steps) = tabled(text, of, &goal);
            assert!(different <= most_calls, "{goal}: {different} calls");
            assert!(steps <= most_steps, "{goal}: {steps} steps");
            // No run reaches the call at both ends, so that one step may be missing.
            attained |= steps + 1 >= most_steps && steps > 5;
            let mut plain = Machine::counting(limits());
            plain.load(text);
            assert_eq!(answer, self::answer(&mut plain, &goal).0);
        }
        assert!(attained, "{text}: no run takes as many steps");
    }
}

#[test]
fn choice_points_are_left_where_it_is_said() {
    for (text, goal, left) in [
        (
            "%! down(+N:nat) is det.\ndown(0).\ndown(N) :- N > 0, M is N-1, down(M).\n",
            "down(4)",
            true,
        ),
        (
            "%! down(+N:nat) is det.\ndown(N) :- N > 0, M is N-1, down(M).\ndown(0).\n",
            "down(4)",
            false,
        ),
        (
            "%! small(+Xs:list(int), +K:int, -Ys) is det.\nsmall([], _, []).\n\
             small([X|Xs], K, [X|Ys]) :- X =< K, small(Xs, K, Ys).\nsmall([X|Xs], K, Ys) :- X > K, small(Xs, K, Ys).\n",
            "small([1,2,3], 2, Ys)",
            true,
        ),
        (
            "%! walk(+K:int, +Xs:list(int)) is det.\nwalk(_, []).\nwalk(K, [X|Xs]) :- M is K+X, walk(M, Xs).\n",
            "walk(0, [1,2])",
            false,
        ),
        (
            "%! sign(+X:int, -S:atom) is semidet.\nsign(X, pos) :- X > 0.\nsign(0, zero).\n",
            "sign(3, S)",
            false,
        ),
    ] {
        let said = remarks(text)
            .iter()
            .any(|r| r.rule.id() == "left-choice-point");
        let mut machine = Machine::new(limits());
        machine.set_indexing(Indexing::AllArguments);
        assert!(machine.load(text).is_empty());
        assert_eq!((said, answer(&mut machine, goal).1), (left, left), "{text}");
    }
}
