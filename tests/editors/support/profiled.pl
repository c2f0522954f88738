:- use_module(library(plunit)).

%! nrev(+Xs:list, -Ys:list) is det.
nrev([], []).
nrev([X|Xs], Ys) :-
    nrev(Xs, Zs),
    app(Zs, [X], Ys).

%! app(+Xs:list, +Ys:list, -Zs:list) is det.
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :-
    app(Xs, Ys, Zs).

:- begin_tests(lists).
test(joins) :- app([a], [b], [a,b]).
test(reverses) :- numlist(1, 100, Xs), nrev(Xs, _).
:- end_tests(lists).
