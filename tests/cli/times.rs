//! Times with the condition that they hold under, bottlenecks from one profile, and runs that neither names nor file size limits stop.

use std::process::Command;

use serde_json::{Value, json};

use crate::binary::in_empty_home;
use crate::printed::{json_of, text};
use crate::project::{folder, run};

/// States for each predicate whether its time holds only for integers below 2⁶³: `% words: yes` before its clauses.
const INTEGERS: &str = "\
%! len(+Xs:list, -N:int) is det.                   words: no
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
%! down(+N:int) is semidet.                        words: no
down(0) :- !.
down(N) :- N > 0, M is N-1, down(M).
%! positive(+Xs:list(int), -N:int) is det.         words: yes
positive([], 0).
positive([X|Xs], N) :- X > 0, !, positive(Xs, M), N is M+1.
positive([_|Xs], N) :- positive(Xs, N).
%! half(+X:list, -H) is det.                       words: no
half(Xs, H) :- len(Xs, N), H is N // 2 + 3.
%! ratio(+Xs:list, -R) is det.                     words: no
ratio(Xs, R) :- len(Xs, N), R is N * 1.5 + sqrt(2.0).
%! app(+Xs:list, +Ys:list, -Zs) is det.            words: no
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
%! rep(+N:int, +R:int, +S:int, -M:int) is semidet. words: yes
rep(0, R, _, R) :- !.
rep(N, R, S, M) :- N > 0, K is N-1, rep(K, R, S, M0), M is (M0 << S) + R.
%! fac(+N:int, -F:int) is semidet.                 words: yes
fac(0, 1) :- !.
fac(N, F) :- N > 0, M is N-1, fac(M, G), F is N*G.
%! total(+Xs:list(int), -S:int) is det.            words: yes
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is T+X.
%! double(+Xs:list, +A:int, -B:int) is det.        words: yes
double([], A, A).
double([_|Xs], A, B) :- C is 2*A, double(Xs, C, B).
%! next(+N:int, -M:int) is det.                    words: yes
next(N, M) :- M is N+1.
%! power(+N:int, -M:int) is det.                   words: yes
power(N, M) :- M is 3**N.
%! common(+A:int, +B:int, -G:int) is semidet.      words: yes
common(A, B, G) :- G is gcd(A, B).
%! calls(+Xs:list(int), -S:int) is det.            words: yes
calls(Xs, S) :- total(Xs, S).
%! written(-X:int) is det.                         words: yes
written(X) :- X is 2**100.
%! summed(+Xs:list(int), -S:int) is det.           words: yes
summed(Xs, S) :- aggregate_all(sum(X), member(X, Xs), S).
%! largest(+Xs:list(int), -S:int) is semidet.      words: yes
largest(Xs, S) :- aggregate_all(max(X), member(X, Xs), S).
%! square(+Xs:list(int), -S:int) is semidet.       words: yes
square(Xs, S) :- aggregate_all(max(X*X), member(X, Xs), S).
%! same(+N:int, +M:int) is semidet.                words: yes
same(N, M) :- N =:= M.
%! more(+Xs:list(int), +N:int) is semidet.         words: yes
more([X|_], N) :- X > N.
%! sign(+N:int) is semidet.                        words: no
sign(N) :- N > 0.
%! digits(+Cs:list(int), -N) is semidet.           words: yes
digits(Cs, N) :- number_codes(N, Cs).
%! near(+Xs:list, -N:int) is det.                  words: yes
near([], 9223372036854775807).
near([_|Xs], N) :- near(Xs, M), N is M+1.
";

fn bounds(program: &str, arguments: &[&str]) -> Value {
    let folder = folder(&[("p.pl", program)]);
    let of_time = ["bounds", "p.pl", "--resource", "time", "--format", "json"];
    json_of(&run(folder.path(), &[&of_time, arguments].concat()))
}

fn time<'v>(all: &'v Value, name: &str) -> &'v Value {
    let all = all["predicates"].as_array().unwrap();
    let predicate = all.iter().find(|p| p["name"] == name).unwrap();
    &predicate["patterns"][0]["bounds"]["time"]
}

#[test]
fn times_say_whether_they_are_for_integers_of_a_word() {
    let all = bounds(INTEGERS, &[]);
    let mut seen = 0;
    for line in INTEGERS.lines() {
        let Some((head, words)) = line.split_once("words: ") else {
            continue;
        };
        let name = head.trim_start_matches("%! ").split('(').next().unwrap();
        let time = time(&all, name);
        let assumed = match words {
            "yes" => json!(["integers < 2^63"]),
            _ => json!([]),
        };
        assert!(time["upper"].is_string(), "{name}: {time}");
        assert_eq!(time["assumes"], assumed, "{name}: {time}");
        let display = time["display"].as_str().unwrap();
        assert_eq!(
            display.ends_with("for integers below 2⁶³"),
            words == "yes",
            "{name}: {display}"
        );
        seen += 1;
    }
    assert_eq!(seen, 23);
    let folder = folder(&[("p.pl", INTEGERS)]);
    let out = text(&run(folder.path(), &["bounds", "p.pl", "--resource", "time"]).stdout);
    assert_eq!(out.matches(", for integers below 2⁶³").count(), 17, "{out}");
}

#[test]
fn every_vocabulary_has_the_condition() {
    for platform in ["padl07-intel-2", "gnu-1.4.5-x86_64-instructions"] {
        let all = bounds(INTEGERS, &["--platform", platform]);
        assert_eq!(time(&all, "app")["assumes"], json!([]), "{platform}");
        let power = time(&all, "rep");
        if power["upper"].is_string() {
            assert_eq!(power["assumes"], json!(["integers < 2^63"]), "{platform}");
        }
    }
}

#[test]
fn integers_that_recursion_replaces_leave_a_time() {
    let program = "\
%! cells(+L:list(atm), +D:int, +R:int, +U:list(int)).
cells([], _, _, _).
cells([_|Ys], _, Left, [Up|Ups]) :- C is min(Left, Up), cells(Ys, Up, C, Ups).
";
    let all = bounds(program, &[]);
    let time = time(&all, "cells");
    assert!(time["upper"].is_string(), "{time}");
    assert_eq!(time["upper_class"], "n", "{time}");
    assert_eq!(time["assumes"], json!(["integers < 2^63"]));
}

/// Backtracking into `between/3` takes time: the time of a call grows with its solutions.
#[test]
fn each_solution_of_between_takes_time() {
    let program = "\
%! loop(+N:int) is det.
loop(N) :- between(1, N, _), fail.
loop(_).
%! all(+N:int) is det.
all(N) :- forall(between(1, N, _), true).
%! one(+N:int, -X:int) is nondet.
one(N, X) :- between(1, N, X).
";
    let all = bounds(program, &[]);
    for name in ["loop", "all", "one"] {
        let time = time(&all, name);
        assert_eq!(time["upper_class"], "n", "{name}: {time}");
    }
}

#[test]
fn verdicts_on_time_say_their_condition() {
    let program = "\
:- check pred total(+A, -B) : list(int) * var + cost(ub, time, 1000*length(A)+1000).
:- check pred len(+A, -B) : list * var + cost(ub, time, 1000*length(A)+1000).
:- check pred least(+A, -B) : list(int) * var + cost(lb, time, 1).
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is T+X.
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
least([], 0).
least([X|Xs], S) :- least(Xs, T), S is T+X.
";
    let folder = folder(&[("p.pl", program)]);
    let arguments = [
        "check",
        "p.pl",
        "--platform",
        "swi-9.0.4-x86_64-instructions",
        "--format",
        "json",
    ];
    for _ in 0..2 {
        // The second time, the kept answers are used.
        let all = json_of(&run(folder.path(), &arguments));
        let rows = all["assertions"].as_array().unwrap();
        let told: Vec<(&str, bool, bool)> = rows
            .iter()
            .map(|row| {
                let message = row["message"].as_str().unwrap();
                (
                    row["verdict"].as_str().unwrap(),
                    row["assumes"] == json!(["integers < 2^63"]),
                    message.ends_with("for integers below 2⁶³"),
                )
            })
            .collect();
        let expected = [
            ("checked", true, true),
            ("checked", false, false),
            ("checked", false, false),
        ];
        assert_eq!(told, expected, "{rows:#?}");
    }
}

/// Names that library(dcg/basics) has as well, as atoms, type tests, operators and predicates of the program.
const NAMES: &str = "\
%! kind(?X, -K) is det.
kind(X, K) :- X == digit, !, K = digits.
kind(_, other).
%! ints(+Xs:list(int), -Ys:list(int)) is det.
ints([], []).
ints([X|Xs], Ys) :- ( integer(X), number(X), \\+ string(X) -> Ys = [X|Zs] ; Ys = Zs ), ints(Xs, Zs).
%! lex(+Cs:list(atom), -Ts) is det.
lex([], []).
lex([C|Cs], [T|Ts]) :- digits([C|Cs], Rest, T), lex(Rest, Ts).
digits([C|Cs], Cs, C).
%! halves(+N:int, -S:int) is det.
halves(N, 0) :- N =< 0, !.
halves(N, S) :- M is N >> 1, halves(M, T), S is T+1.
%! texts(+Xs:list(int), -Ss) is det.
texts([], []).
texts([X|Xs], [S|Ss]) :- format(string(S), \"~w\", [X]), texts(Xs, Ss).
%! outputs(+Xs:list(int), -Ss) is det.
outputs([], []).
outputs([X|Xs], [S|Ss]) :- with_output_to(atom(S), write(X)), outputs(Xs, Ss).
%! shifted(+Xs:list, -Ys) is det.
shifted([], []).
shifted([X|Xs], [X>>blank|Ys]) :- shifted(Xs, Ys).
%! state(+Xs:list, -Ys) is det.
state([], open).
state([_|Xs], Y) :- state(Xs, Y).
%! told(+Xs:list) is det.
told([]).
told([X|Xs]) :- format(\"~w\", [X]), told(Xs).
%! mapped(+Xs:list, -Ys) is det.
mapped(Xs, Ys) :- maplist([X,Y]>>(Y = f(X)), Xs, Ys).
";

#[test]
fn names_stop_no_run() {
    let folder = folder(&[("p.pl", NAMES)]);
    for name in [
        "kind/2",
        "ints/2",
        "lex/2",
        "halves/2",
        "texts/2",
        "outputs/2",
        "shifted/2",
        "state/2",
    ] {
        let arguments = ["validate", "p.pl", name, "--inputs", "3"];
        let out = run(folder.path(), &arguments);
        assert_eq!(out.status.code(), Some(0), "{name}: {out:?}");
    }
    for (name, reason) in [("told/1", "`format`"), ("mapped/2", "`>>`")] {
        let out = run(folder.path(), &["validate", "p.pl", name]);
        assert_eq!(out.status.code(), Some(2), "{name}: {out:?}");
        let said = text(&out.stderr);
        assert!(said.contains(reason), "{said}");
    }
}

/// One step of `divisible/1` is as many goals as its number is large.
const SIEVE: &str = "\
primes(N, Ps) :- findall(P, (between(2, N, P), prime(P)), Ps).
prime(N) :- \\+ divisible(N).
divisible(N) :- M is N-1, between(2, M, D), N mod D =:= 0.
";

fn bottleneck(arguments: &[&str]) -> (Value, Value) {
    let folder = folder(&[("p.pl", SIEVE)]);
    let goal = [
        "profile",
        "p.pl",
        "--goal",
        "primes(400, Ps)",
        "--auto",
        "--format",
        "json",
    ];
    let all = json_of(&run(folder.path(), &[&goal, arguments].concat()));
    (all["bottleneck"].clone(), all)
}

#[test]
fn the_bottleneck_is_what_takes_the_time() {
    let (found, _) = bottleneck(&[]);
    assert_eq!(found["name"], "divisible/1", "{found}");
    assert_ne!(found["resource"], "steps", "{found}");
    // Steps are used if requested.
    let (found, _) = bottleneck(&["--resource", "steps"]);
    assert_eq!(found["resource"], "steps");
}

#[test]
fn shares_of_time_are_of_one_profile() {
    for most in ["1", "3"] {
        let (found, all) = bottleneck(&["--resource", "time", "--most", most]);
        let total = found["total"].as_u64().unwrap();
        let tree = found["tree"].as_array().unwrap();
        for one in tree {
            let used = one["used"].as_u64().unwrap();
            let parent = one["parent"]
                .as_u64()
                .map(|p| &tree[usize::try_from(p).unwrap()]);
            let most = parent.map_or(total, |parent| parent["used"].as_u64().unwrap());
            assert!(used <= most, "{found:#}");
            assert!(one["own"].as_u64().unwrap() <= used, "{found:#}");
            // The table shows the same profile.
            let centres = all["centres"].as_array().unwrap();
            let row = centres.iter().find(|c| c["name"] == one["name"]).unwrap();
            assert_eq!(row["own"]["time"], one["own"], "{row:#}");
        }
    }
}

#[test]
fn a_chain_says_that_recursion_takes_most() {
    let program = "\
even(0).
even(N) :- N > 0, M is N-1, odd(M).
odd(N) :- N > 0, M is N-1, even(M).
only(N) :- even(N).
";
    let folder = folder(&[("src/p.pl", program)]);
    let out = run(
        folder.path(),
        &[
            "report",
            "src",
            "--format",
            "json",
            "--no-cache",
            "--fix-time",
            "0",
        ],
    );
    let all = json_of(&out);
    let chains = all["chains"].as_array().unwrap();
    let links: Vec<&Value> = chains
        .iter()
        .flat_map(|c| c["links"].as_array().unwrap())
        .collect();
    let of = |name: &str| *links.iter().find(|l| l["predicate"] == name).unwrap();
    assert_eq!(of("only/1")["call"]["goal"], "even(N)");
    assert_eq!(of("even/1")["recursion"], "odd(M)", "{links:#?}");
}

#[test]
fn limits_are_told_apart_from_failure_by_json() {
    let folder = folder(&[("p.pl", "p :- p.\nq(1).\n")]);
    for (goal, result) in [("q(2)", "failure"), ("q", "exception"), ("p", "limit")] {
        let arguments = [
            "run",
            "p.pl",
            "--goal",
            goal,
            "--limit-steps",
            "1000",
            "--format",
            "json",
        ];
        let out = run(folder.path(), &arguments);
        assert_eq!(out.status.code(), Some(1), "{goal}: {out:?}");
        let all = json_of(&out);
        assert_eq!(all["result"], result);
        assert_eq!(all["limit"].is_string(), result == "limit", "{all}");
    }
}

/// A history that does not fit within the limit on file sizes.
#[test]
#[cfg(unix)]
fn a_limit_on_file_sizes_leaves_the_answer() {
    let folder = folder(&[("p.pl", "q(1).\n")]);
    std::fs::create_dir(folder.path().join(".costlens")).unwrap();
    let binary = env!("CARGO_BIN_EXE_costlens");
    for limit in ["0", "1", "20"] {
        let mut shell = Command::new("sh");
        in_empty_home(&mut shell);
        let limited = format!("ulimit -f {limit}; exec \"$0\" run p.pl --goal 'q(X)'");
        let out = shell
            .args(["-c", &limited, binary])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(out.status.code(), Some(0), "{limit}: {out:?}");
        assert_eq!(text(&out.stdout), "X = 1\n", "{limit}");
    }
}

#[test]
fn long_bindings_are_cut_in_text_alone() {
    let folder = folder(&[("p.pl", "q(1).\n")]);
    let goal = ["run", "p.pl", "--goal", "numlist(1, 100000, L), q(X)"];
    let out = text(&run(folder.path(), &goal).stdout);
    assert!(out.len() < 5_000, "{}", out.len());
    assert!(out.starts_with("L = [1,2,3,"), "{out}");
    assert!(
        out.contains("of 588,896 characters; `--format json` has them all)"),
        "{out}"
    );
    assert!(out.ends_with("X = 1\n"), "{out}");
    let all = json_of(&run(
        folder.path(),
        &[&goal[..], &["--format", "json"]].concat(),
    ));
    assert_eq!(all["bindings"][0]["L"].as_str().unwrap().len(), 588_896);
}

#[test]
fn run_speaks_of_what_the_goal_calls() {
    let program = "\
%! app(+Xs:list, +Ys:list, -Zs) is det.
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
counted(Xs, N) :- aggregate_all(count, member(_, Xs), N).
add(nil, X, t(nil,X,nil)).
add(t(L,Y,R), X, T) :- ( X < Y -> add(L, X, L1), T = t(L1,Y,R) ; add(R, X, R1), T = t(L,Y,R1) ).
";
    let folder = folder(&[("p.pl", program)]);
    let bounds = |goal: &str| run(folder.path(), &["run", "p.pl", "--bounds", "--goal", goal]);
    let out = bounds("app([1], [2], X)");
    assert_eq!(
        text(&out.stderr),
        "",
        "what app/3 does not call is no matter"
    );
    let out = bounds("counted([1], N)");
    assert!(text(&out.stderr).contains("aggregate_all"), "{out:?}");
    // The output does not fit either.
    let out = bounds("add(t(nil,a,nil), 3, T)");
    let said = text(&out.stderr);
    assert!(
        said.contains("where nil|t/3 is nil or t(nil|t/3, int, nil|t/3)"),
        "{said}"
    );
}

#[test]
fn what_is_predicted_is_not_denied() {
    let folder = folder(&[(
        "p.pl",
        "%! app(+Xs:list, +Ys:list, -Zs) is det.\napp([], Ys, Ys).\napp([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).\n",
    )]);
    std::fs::create_dir(folder.path().join(".costlens")).unwrap();
    let out = run(
        folder.path(),
        &["predict", "p.pl", "--goal", "app([1,2], [3], X)"],
    );
    let said = text(&out.stdout);
    assert!(said.contains("proved bound"), "{said}");
    assert!(!said.contains("nothing is predicted"), "{said}");
    assert!(
        said.contains("past runs on the embedded machine predict nothing"),
        "{said}"
    );
}

/// As in SWI-Prolog 9.0: it cannot be caught, no cleanup runs, and its number becomes the exit code, mapped to success or failure.
#[test]
fn halt_ends_a_run() {
    let program = "\
main :- write(hello), nl, halt.
caught :- catch(halt, E, ( write(E), nl )), write(after).
cleaned :- setup_call_cleanup(true, halt, write(cleaned)).
bad :- halt(3).
";
    let folder = folder(&[("p.pl", program)]);
    let ended = |goal: &str| {
        let out = run(folder.path(), &["run", "p.pl", "--goal", goal]);
        (out.status.code(), text(&out.stdout))
    };
    assert_eq!(ended("main"), (Some(0), "hello\n".into()));
    assert_eq!(ended("caught"), (Some(0), String::new()));
    assert_eq!(ended("cleaned"), (Some(0), String::new()));
    assert_eq!(ended("bad"), (Some(1), "halted with exit code 3\n".into()));
    let out = run(
        folder.path(),
        &["run", "p.pl", "--goal", "bad", "--format", "json"],
    );
    let found: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(found["result"], "halt");
}
