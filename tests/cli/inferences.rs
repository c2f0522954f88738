//! Bounds on the inferences of SWI-Prolog: exact for textbook programs, in assertions, and unknown where a built-in is.

use crate::project::{folder, run};

/// Programs with the bounds on the inferences of their first predicate, as `statistics(inferences, I)` counts them.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "nrev([], []).\nnrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).\napp([], Ys, Ys).\napp([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).\n",
        "n²/2 + 3n/2 + 1",
    ),
    // `M is N+1` with a new variable is compiled in line, and so are unification and type tests.
    (
        "%! len(+Xs:list, +N:int, -L).\nlen([], N, N).\nlen([X|Xs], N, L) :- nonvar(X), Y = f(X), Y \\== X, M is N+1, len(Xs, M, L).\n",
        "1 to n + 1",
    ),
    (
        "%! sum(+Xs:list(int), -S).\nsum([], 0).\nsum([X|Xs], S) :- sum(Xs, S0), S is S0+X.\n",
        "2n + 1",
    ),
    // A branch counts if a call has failed before it, but not if a goal in line has.
    (
        "%! sign(+X:int, -S).\nsign(X, S) :- ( X > 0 -> S = 1 ; S = 0 ).\n",
        "2, except n ≤ 0",
    ),
    (
        "%! same(+X:int, -S).\nsame(X, S) :- ( X == 0 -> S = 1 ; S = 0 ).\n",
        "1",
    ),
    // The goals of a called term are not compiled in line.
    (
        "%! all(+Xs:list, -Ys).\nall(Xs, Ys) :- findall(X, X = a, Ys), Xs = Xs.\n",
        "13",
    ),
    (
        "%! doubles(+Xs:list(int), -Ys).\ndoubles(Xs, Ys) :- maplist(double, Xs, Ys).\ndouble(X, Y) :- Y is 2*X.\n",
        "3n + 3",
    ),
    (
        "%! upto(+N:nat, -Xs).\nupto(N, Xs) :- findall(X, between(1, N, X), Xs).\n",
        "2n + 11, except n = 0",
    ),
    (
        "%! at(+Xs:list, -X).\nat(Xs, X) :- nth0(0, Xs, X).\n",
        "4 to 5",
    ),
];

#[test]
fn textbook_programs_have_exact_bounds() {
    for (text, expected) in PROGRAMS {
        let folder = folder(&[("p.pl", text)]);
        let out = run(
            folder.path(),
            &["bounds", "--resource", "inferences", "p.pl"],
        );
        let printed = String::from_utf8_lossy(&out.stdout).into_owned();
        assert!(out.status.success(), "{text}\n{printed}");
        let row = printed.lines().nth(1).unwrap_or_default();
        assert!(
            row.contains(&format!("  {expected}  ")),
            "{text}\n{printed}"
        );
    }
}

#[test]
fn assertions_may_be_about_inferences() {
    let text = "
:- pred twice(+Xs, -Ys) : list(Xs) => list(Ys) + cost(ub, inferences, length(Xs)+1).
twice([], []).
twice([X|Xs], [Y|Ys]) :- Y = X-X, twice(Xs, Ys).
:- pred more(+Xs, -Ys) : list(Xs) => list(Ys) + cost(ub, inferences, length(Xs)).
more([], []).
more([X|Xs], [X|Ys]) :- more(Xs, Ys).
";
    let folder = folder(&[("p.pl", text)]);
    let out = run(folder.path(), &["check", "p.pl"]);
    let printed = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(!out.status.success(), "{printed}");
    assert!(printed.contains("1 false, 3 checked"), "{printed}");
    assert!(
        printed.contains("an assertion about `more/2` is false"),
        "{printed}"
    );
}

#[test]
fn inferences_of_some_built_ins_are_unknown() {
    let text = "%! free(+T:ground, -A, -B).\nfree(T, A, B) :- copy_term(T, A, B).\n";
    let folder = folder(&[("p.pl", text)]);
    let out = run(
        folder.path(),
        &["bounds", "--resource", "inferences", "p.pl"],
    );
    let printed = String::from_utf8_lossy(&out.stdout).into_owned();
    let reason = "how many inferences `copy_term/3` takes is not known";
    assert!(printed.contains(reason), "{printed}");
}
