//! A realistic program of about 2,000 lines, the same every time: list and number recursions, declared and not, drivers that call them,
//! comments, a few cuts, if-then-elses and meta-calls.

use std::fmt::Write as _;

/// The shapes of predicates; `§` becomes the number of the copy, `¶` that of the previous copy.
const SHAPES: [&str; 12] = [
    "\
%! len§(+Xs:list, -N:int) is det.
%
%  N is the length of Xs.
%  @cost steps =< length(Xs) + 1
len§([], 0).
len§([_|Xs], N) :-
    len§(Xs, M),
    N is M + 1.
",
    "\
%! app§(+Xs:list, +Ys:list, -Zs:list) is det.
app§([], Ys, Ys).
app§([X|Xs], Ys, [X|Zs]) :-
    app§(Xs, Ys, Zs).
",
    "\
%! nrev§(+Xs:list, -Ys:list) is det.
nrev§([], []).
nrev§([X|Xs], Ys) :-
    nrev§(Xs, Zs),
    app§(Zs, [X], Ys).
",
    "\
% Without a declaration, as most code is.
sum§([], 0).
sum§([X|Xs], S) :-
    sum§(Xs, T),
    S is X + T.
",
    "\
%! fib§(+N:nat, -F:int) is det.
fib§(0, 0).
fib§(1, 1).
fib§(N, F) :-
    N > 1,
    A is N - 1,
    B is N - 2,
    fib§(A, FA),
    fib§(B, FB),
    F is FA + FB.
",
    "\
%! loop§(+N:nat) is det.
loop§(0) :- !.
loop§(N) :-
    N > 0,
    M is N - 1,
    loop§(M).
",
    "\
/* A classifier with an if-then-else. */
classify§([], [], []).
classify§([X|Xs], Ps, Ns) :-
    (   X >= 0
    ->  Ps = [X|Ps1],
        Ns = Ns1
    ;   Ps = Ps1,
        Ns = [X|Ns1]
    ),
    classify§(Xs, Ps1, Ns1).
",
    "\
%! pairs§(+Xs:list, +Ys:list, -Zs:list) is det.
pairs§([], _, []).
pairs§([X|Xs], Ys, Zs) :-
    row§(Ys, X, Row),
    pairs§(Xs, Ys, Rest),
    app§(Row, Rest, Zs).

row§([], _, []).
row§([Y|Ys], X, [X-Y|Row]) :-
    row§(Ys, X, Row).
",
    "\
lookup§(K, [K-V|_], V) :- !.
lookup§(K, [_|Rest], V) :-
    lookup§(K, Rest, V).
",
    "\
double§(X, Y) :- Y is 2 * X.

%! doubled§(+Xs:list(int), -Ys:list(int)) is det.
doubled§(Xs, Ys) :-
    maplist(double§, Xs, Ys).
",
    "\
report§(Xs) :-
    len§(Xs, N),
    format(\"~w elements~n\", [N]),
    (   N > 10
    ->  format(\"many~n\")
    ;   true
    ).
",
    "\
%! main§(+Xs:list, -Ys:list) is det.
main§(Xs, Ys) :-
    nrev§(Xs, Zs),
    classify§(Zs, Ps, _),
    nrev¶(Ps, Ys).
",
];

/// Returns a text of at least this many lines.
pub(crate) fn program(lines: usize) -> String {
    let mut text = String::from(":- module(generated, []).\n:- use_module(library(lists)).\n\n");
    let mut copy = 0;
    while text.lines().count() < lines {
        for shape in SHAPES {
            let before = format!("{}", usize::max(copy, 1) - 1);
            let shape = shape.replace('§', &copy.to_string()).replace('¶', &before);
            let _ = writeln!(text, "{shape}");
        }
        copy += 1;
    }
    text
}
