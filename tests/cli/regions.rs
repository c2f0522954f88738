//! A region without an upper bound leaves the whole predicate without one, wherever its bounds are reported.

use std::path::Path;

use serde_json::Value;

use crate::project::{folder, run};

const SCRIPT: &str = "\
%! go(+Argv:list(int)) is semidet.
go(Argv) :- ( Argv = [N] -> true ; fail ), hanoi(N).

%! hanoi(+N:int) is semidet.
hanoi(0) :- !.
hanoi(N) :- N > 0, M is N-1, hanoi(M), hanoi(M).

%! sum(+N:int, -S) is det.
sum(0, 0) :- !.
sum(N, S) :- M is N-1, sum(M, T), S is T+N.

%! fac(+N:int, -F) is semidet.
fac(0, 1).
fac(N, F) :- M is N-1, fac(M, G), F is N*G.
";

const BUDGET: &str =
    "[[budget]]\nsteps = \"O(n)\"\npredicates = [\"go/1\", \"sum/2\"]\nunproved = \"deny\"\n";

fn text(folder: &Path, arguments: &[&str]) -> String {
    let out = run(folder, arguments);
    String::from_utf8(out.stdout).unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let out = run(folder, arguments);
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

#[test]
fn every_account_of_bounds_counts_a_region_without_an_upper_bound() {
    let folder = folder(&[("script.pl", SCRIPT), ("costlens.toml", BUDGET)]);
    let folder = folder.path();
    let bounds = json(folder, &["bounds", "script.pl", "--format", "json"]);
    let told: Vec<(&str, &Value, &str, &str, &Value)> = bounds["predicates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| {
            let steps = &p["patterns"][0]["bounds"]["steps"];
            (
                p["name"].as_str().unwrap(),
                &steps["upper"],
                steps["upper_class"].as_str().unwrap(),
                p["hint"].as_str().unwrap(),
                &steps["main"]["first"]["upper"],
            )
        })
        .collect();
    let infinite = Value::from("inf");
    assert_eq!(
        told,
        [
            (
                "go",
                &Value::from("hanoi+1"),
                "hanoi",
                "O(hanoi)  ≤ hanoi+1",
                &Value::from("1")
            ),
            (
                "hanoi",
                &Value::from("2*2^n-1"),
                "2^n",
                "O(2ⁿ)  2ⁿ⁺¹-1, except n≤-1",
                &Value::from("2*2^n-1")
            ),
            (
                "sum",
                &infinite,
                "diverges",
                "n≥0: n+1, else diverges",
                &Value::from("n+1")
            ),
            (
                "fac",
                &infinite,
                "diverges",
                "n≥0: O(n), diverges on redo",
                &Value::from("n+1")
            ),
        ]
    );
    let rows = text(folder, &["bounds", "script.pl"]);
    for row in [
        "for n = 1: 1 to hanoi + 1",
        "2ⁿ⁺¹ - 1, except n ≤ -1",
        "n ≥ 0: n + 1, else diverges",
        "n ≥ 0: n + 1 to the first solution, diverges on redo; else diverges",
    ] {
        assert!(rows.contains(row), "{row} in {rows}");
    }
    let summary = text(folder, &["bounds", ".", "--summary"]);
    for line in [
        "bounded above                 2  50%",
        "proved to run for ever        2  50%",
    ] {
        assert!(summary.contains(line), "{line} in {summary}");
    }
    text(folder, &["snapshot", "script.pl"]);
    let lock = std::fs::read_to_string(folder.join("costlens.lock")).unwrap();
    let of = |name: &str| lock.lines().find(|line| line.contains(name)).unwrap();
    assert!(of("\tgo/1\t").contains("\t1\thanoi+1\t"), "{lock}");
    assert!(of("\tsum/2\t").contains("\tn+1\tinf\t"), "{lock}");
    let check = json(folder, &["check", "script.pl", "--format", "json"]);
    let messages: Vec<&str> = (check["diagnostics"].as_array().unwrap().iter())
        .filter(|d| d["code"] == "budget")
        .map(|d| d["message"].as_str().unwrap())
        .collect();
    assert_eq!(
        messages,
        [
            "`go/1` is not proved to stay within O(n), as costlens.toml (line 1) asks: its bound is in terms of what hanoi/1 costs",
            "`sum/2` runs for ever for n ≤ -1, where costlens.toml (line 1) allows O(n)",
        ]
    );
}

#[test]
fn what_is_declared_a_natural_number_stays_one() {
    let program = "%! sum(+N:nat, -S) is det.\nsum(0, 0) :- !.\nsum(N, S) :- M is N-1, sum(M, T), S is T+N.\n";
    let folder = folder(&[("sum.pl", program)]);
    let rows = text(folder.path(), &["bounds", "sum.pl"]);
    assert!(rows.contains("sum(+N:nat, -S)  det"), "{rows}");
    assert!(!rows.contains("-1"), "{rows}");
    let found = json(folder.path(), &["bounds", "sum.pl", "--format", "json"]);
    let pattern = &found["predicates"][0]["patterns"][0];
    assert_eq!(pattern["types"][0], "nat");
    assert_eq!(pattern["bounds"]["steps"]["exact"], true);
    assert_eq!(pattern["determinism"], "det");
    let assertions = text(folder.path(), &["bounds", "sum.pl", "--assertions"]);
    assert_eq!(
        assertions,
        "% sum.pl\n:- true pred sum(N, S) : (nat(N), var(S))\n   + (cost(lb,steps,int(N)+1), cost(ub,steps,int(N)+1), is_det, not_fails).\n"
    );
}

#[test]
fn a_limit_on_sizes_makes_no_order_true() {
    let program = "\
%! slow(+Xs:list, -Ys:list) is det.
%  @sizes length(Xs) =< 100
%  @cost steps in O(1)
%  @cost steps in O(length(Xs)^2)
slow([], []).
slow([X|Xs], Zs) :- slow(Xs, Ys), joined(Ys, [X], Zs).

%! joined(+Xs:list, +Ys:list, -Zs:list) is det.
joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :- joined(Xs, Ys, Zs).
";
    let folder = folder(&[("slow.pl", program)]);
    let check = json(folder.path(), &["check", "slow.pl", "--format", "json"]);
    let rows = check["assertions"].as_array().unwrap();
    let verdicts: Vec<&str> = rows
        .iter()
        .map(|r| r["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["check", "checked"], "{check}");
    let reason = rows[0]["reason"].as_str().unwrap();
    assert!(reason.contains("about unbounded sizes"), "{reason}");
}

#[test]
fn called_patterns_admit_the_calls() {
    let folder = folder::<&str>(&[]);
    let folder = folder.path();
    let rows = |program: &str| {
        std::fs::write(folder.join("called.pl"), program).unwrap();
        text(folder, &["bounds", "called.pl"])
    };
    let fill = "fill([]). fill([B|Bs]) :- ( B = 0 ; B = 1 ), fill(Bs).\n";
    let rows_of_fill = [
        "main :- fill([A,B,C]), print(A-B-C).\n",
        "main :- Vs = [A,B], fill(Vs), print(A-B).\n",
        "main :- length(L, 3), fill(L), print(L).\n",
    ];
    for main in rows_of_fill {
        let shown = rows(&format!(":- initialization(main).\n{main}{fill}"));
        assert!(shown.contains("  fill(+list(any))  nondet"), "{shown}");
        assert!(!shown.contains("list(int)"), "{shown}");
    }
    // A partial list is no list: the guess is shown as one.
    let shown = rows(
        "main :- len([a|_], N), print(N).\nlen([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n",
    );
    assert!(shown.contains("  len(+nonvar, -N) "), "{shown}");
    assert!(shown.contains("  ~len(+list(any), -N) "), "{shown}");
    let shown = rows(
        "main :- ev(add(X, num(1)), V), print(X-V).\nev(num(N), N).\nev(add(A,B), V) :- ev(A, X), ev(B, Y), V is X+Y.\n",
    );
    assert!(shown.contains("  ~ev(+add/2|num/1, -N) "), "{shown}");
    // A call with ground arguments has the origin `called`.
    let shown = rows(
        "main :- numlist(1, 9, L), sum(L, S), print(S).\nsum([], 0).\nsum([X|Xs], S) :- sum(Xs, T), S is T+X.\n",
    );
    assert!(shown.contains("  sum(+list(int), -S) "), "{shown}");
}

#[test]
fn exceptions_hide_no_growth_below_zero() {
    let folder = folder::<&str>(&[]);
    let folder = folder.path();
    let program = "\
%! c3(+N:int) is semidet.
c3(N) :- N < 0, !, K is -N, h(K).
c3(_).
%! up(+N:int) is det.
up(N) :- N >= 0, !.
up(N) :- M is N+1, up(M).
%! h(+N:int) is nondet.
h(0).
h(N) :- N > 0, K is N-1, h(K), h(K).
%! pick(+M:nat, +N:nat) is det.
pick(0, N) :- !, h(N).
pick(_, _).
%! skip(+N:int) is semidet.
skip(0) :- !.
skip(N) :- get_char(_), M is N-1, skip(M).
";
    std::fs::write(folder.join("below.pl"), program).unwrap();
    let budget = "[[budget]]\nsteps = \"O(1)\"\nunproved = \"deny\"\n";
    std::fs::write(folder.join("costlens.toml"), budget).unwrap();
    let rows = text(folder, &["bounds", "below.pl"]);
    assert!(!rows.contains("O(1)  1, except"), "{rows}");
    assert!(rows.contains("n ≥ 0: 1"), "{rows}");
    // Regions need the exponential bound.
    assert!(!rows.contains("may be loose"), "{rows}");
    // The upper bound of the main region.
    assert!(rows.contains("for n ≥ 0: n + 1"), "{rows}");
    let check = json(folder, &["check", "below.pl", "--format", "json"]);
    let messages: Vec<&str> = (check["diagnostics"].as_array().unwrap().iter())
        .filter(|d| d["code"] == "budget")
        .map(|d| d["message"].as_str().unwrap())
        .collect();
    for predicate in ["`c3/1`", "`up/1`"] {
        let is_of = |m: &&str| m.starts_with(predicate);
        assert!(messages.iter().any(is_of), "{predicate} in {messages:?}");
    }
}

#[test]
fn a_generator_does_not_diverge_on_redo() {
    let folder = folder::<&str>(&[]);
    let folder = folder.path();
    let program = "n(0).\nn(N) :- n(M), N is M+1.\nrep(N, X) :- repeat, X = N.\n";
    std::fs::write(folder.join("nat.pl"), program).unwrap();
    let rows = text(folder, &["bounds", "nat.pl"]);
    assert!(!rows.contains("diverges on redo"), "{rows}");
    assert!(
        rows.contains("1 to the first solution, search never ends"),
        "{rows}"
    );
}

#[test]
fn a_lower_bound_of_the_headline_has_a_value_for_every_call() {
    let folder = folder::<&str>(&[]);
    let folder = folder.path();
    let program = "%! p(+N:nat) is nondet.\np(1).\np(N) :- N >= 0, M is N>>1, p(M).\n";
    std::fs::write(folder.join("log.pl"), program).unwrap();
    let found = json(folder, &["bounds", "log.pl", "--format", "json"]);
    let steps = &found["predicates"][0]["patterns"][0]["bounds"]["steps"];
    assert_eq!(steps["condition"], Value::Null, "{steps}");
    assert_eq!(steps["lower"], "1", "{steps}");
}
