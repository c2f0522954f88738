//! Built-ins on deep, long, cyclic or huge terms: every goal has a clear result within the limits.

#![allow(clippy::unwrap_used)]

use costlens_machine::{Answer, Limit, Limits, Machine};

const PROGRAM: &str = "
deep(0, z) :- !.
deep(N, s(T)) :- M is N-1, deep(M, T).
double(0, A, A) :- !.
double(N, A, B) :- atom_concat(A, A, C), M is N-1, double(M, C, B).
double_string(0, A, A) :- !.
double_string(N, A, B) :- string_concat(A, A, C), M is N-1, double_string(M, C, B).
square(0, N, N) :- !.
square(K, N0, N) :- N1 is N0*N0, M is K-1, square(M, N1, N).
numbers(0, []) :- !.
numbers(N, [X|Xs]) :- X is 2**4000000+N, M is N-1, numbers(M, Xs).
shared(0, 1) :- !.
shared(N, T+T) :- M is N-1, shared(M, T).
";

/// Returns the outcome of a goal: its first answer, or the formal term of an exception.
fn outcome(limits: Limits, goal: &str) -> String {
    let mut machine = Machine::new(limits);
    assert!(machine.load(PROGRAM).is_empty());
    let read = machine.read_term(goal).unwrap_or_else(|_| panic!("{goal}"));
    machine.start(read.term);
    match machine.next_answer() {
        Answer::Yes { .. } => "yes".to_owned(),
        Answer::No => "no".to_owned(),
        Answer::Error(ball) => machine.quoted_text(ball).unwrap(),
        Answer::Limit(limit) => format!("{limit:?}"),
    }
}

fn small() -> Limits {
    Limits {
        cells: 1 << 23,
        output: 1 << 20,
        ..Limits::default()
    }
}

#[test]
fn deep_and_long_terms() {
    for goal in [
        "deep(200000, T), write_length(T, N, []), N =:= 600001",
        "deep(200000, T), copy_term(T, U), T == U, U = T, ground(T)",
        "deep(200000, T), term_to_atom(T, A), term_to_atom(U, A), T == U",
        "numlist(1, 100000, L), atomic_list_concat(L, ',', A), atomic_list_concat(P, ',', A), length(P, 100000)",
        "numlist(1, 100000, L), reverse(L, R), msort(R, L), sort(0, @>=, L, R), length(R, N)",
        "numlist(1, 100000, L), T =.. [f|L], functor(T, f, 100000), arg(100000, T, X)",
        "findall(X, between(1, 200000, X), L), sum_list(L, S)",
        "length(L, 100000), maplist(=(x), L), atom_chars(A, L), atom_length(A, 100000)",
        // 2^60 nodes, but 60 compounds.
        "shared(60, T), X is T, X =:= 2**60",
        "shared(60, T), copy_term(T, U), T == U, ground(T), T = U",
    ] {
        let limits = Limits {
            output: 1 << 22,
            ..Limits::default()
        };
        assert_eq!(outcome(limits, goal), "yes", "{goal}");
    }
}

#[test]
fn terms_that_contain_themselves() {
    for (goal, expected) in [
        (
            "X = f(X), format(atom(A), \"~q\", [X]), A == '@(S_1,[S_1=f(S_1)])'",
            "yes",
        ),
        (
            "X = [a|X], catch(atom_codes(A, X), error(type_error(list, _), _), true)",
            "yes",
        ),
        (
            "X = [a|X], catch(sort(X, L), error(type_error(list, _), _), true)",
            "yes",
        ),
        (
            "X = [a|X], catch(length(X, N), error(type_error(list, _), _), true)",
            "yes",
        ),
        (
            "X = [X], catch(atomic_list_concat(X, A), error(type_error(_, _), _), true)",
            "yes",
        ),
        (
            "X = 1+X, catch(Y is X, error(type_error(expression, _), _), true)",
            "yes",
        ),
        ("X = f(X), copy_term(X, Y), X == Y, X = Y", "yes"),
        (
            "X = f(X, A), term_variables(X, [B]), A == B, \\+ ground(X), numbervars(X, 0, 1)",
            "yes",
        ),
        ("X = f(X), X =.. [f,Y], Y == X, cyclic_term(X)", "yes"),
        ("X = f(X), Y = f(f(Y)), compare(=, X, Y)", "yes"),
        ("X = f(X), findall(X, true, [Y]), X = Y", "yes"),
    ] {
        let got = outcome(Limits::default(), goal);
        assert_eq!(got, expected, "{goal}");
    }
}

#[test]
fn what_is_too_much_is_a_limit_or_an_error() {
    for (goal, expected) in [
        ("double(40, a, A)", "Memory"),
        ("double_string(60, \"a\", A)", "Memory"),
        ("numbers(1000, L)", "Memory"),
        ("length(L, 4000000)", "Memory"),
        ("length(L, 3000000000)", "resource_error"),
        ("functor(T, f, 100000000)", "Memory"),
        ("findall(X, repeat, L)", "Memory"),
        ("square(60, 2, N)", "resource_error"),
        ("X is 1 << 100000000000", "resource_error"),
        ("X is 123456789 ** 123456789", "resource_error"),
        ("X is 7 rdiv 3 ** 10000000", "resource_error"),
        ("X is gcd(2 ** 4000000, 3 ** 2000000)", "resource_error"),
        ("format(\"~100000000c\", [0'x])", "Output"),
        ("format(\"~t~w~100000000|\", [a])", "Output"),
        ("format(\"~100000000f\", [1])", "Output"),
        ("format(\"~100000000d\", [1])", "Output"),
        ("tab(100000000)", "Output"),
        ("repeat, write(abcdefgh), fail", "Output"),
    ] {
        let got = outcome(small(), goal);
        assert!(got.contains(expected), "{goal}: {got}, and not {expected}");
    }
    let limits = Limits {
        steps: Some(100_000),
        ..small()
    };
    assert_eq!(
        outcome(limits, "between(1, inf, X), fail"),
        format!("{:?}", Limit::Steps)
    );
    assert_eq!(
        outcome(limits, "length(L, N), fail"),
        format!("{:?}", Limit::Steps)
    );
}
