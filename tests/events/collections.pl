% Programs that build cells until SWI-Prolog collects garbage. `swipl collections.pl GOAL N` prints how often that was while GOAL ran with N.

:- initialization(main, main).

main([Name, Text]) :-
    atom_number(Text, N),
    Goal =.. [Name, N],
    collections(Before),
    call(Goal),
    collections(After),
    Count is After - Before,
    format("~d~n", [Count]).

collections(N) :- statistics(garbage_collection, [N|_]).

made(N) :- down(N, _).

appended(N) :- down(N, L), app(L, [], _).

reversed(N) :- down(N, L), rev(L, [], _).

naively(N) :- down(N, L), nrev(L, _).

doubled(N) :- down(N, L), double(L, _).

halves(N) :- down(N, L), half(L, _).

sorted(N) :- down(N, L), isort(L, _).

paired(N) :- down(N, L), pairs(L, L, _).

down(0, []).
down(N, [N|T]) :- N > 0, M is N-1, down(M, T).

app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).

rev([], R, R).
rev([X|Xs], A, R) :- rev(Xs, [X|A], R).

nrev([], []).
nrev([H|T], R) :- nrev(T, S), app(S, [H], R).

double([], []).
double([X|Xs], [Y|Ys]) :- Y is 2*X, double(Xs, Ys).

half([], []).
half([X|Xs], [half(X, Y)|Ys]) :- Y is X//2, half(Xs, Ys).

isort([], []).
isort([X|Xs], Ys) :- isort(Xs, Zs), insert(Zs, X, Ys).

insert([], X, [X]).
insert([Y|Ys], X, [X,Y|Ys]) :- X =< Y.
insert([Y|Ys], X, [Y|Zs]) :- X > Y, insert(Ys, X, Zs).

pairs([], _, []).
pairs([X|Xs], [Y|Ys], [X-Y|Zs]) :- pairs(Xs, Ys, Zs).
