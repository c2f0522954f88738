% How the time of built-ins grows, next to what server/catalog/data/predicates.txt states: each call at a size and at 16 times that size.
%
%     swipl tests/bench/time_shapes.pl
%
% Prints the ratio of the times and that of the stated functions. A ratio far above the stated one would refute a line.
:- initialization(main, main).

main :-
    format("~w~t~34|~t~w~10+~t~w~12+~n", [call, measured, stated]),
    forall(shape(Name, Shape, N, Input, Goal), row(Name, Shape, N, Input, Goal)).

row(Name, Shape, N, Input, Goal) :-
    N16 is 16*N,
    time_of(N, Input, Goal, T1), time_of(N16, Input, Goal, T16),
    stated(Shape, N, S1), stated(Shape, N16, S16),
    Measured is T16/T1, Stated is S16/S1,
    format("~w~t~34|~t~1f~10+~t~1f~12+~n", [Name, Measured, Stated]).

stated(1, _, 1.0).
stated(n, N, N).
stated(nlogn, N, S) :- S is N*log(N).

% The least of some measurements, each of so many calls that it takes a while.
time_of(N, Input, Goal, T) :-
    copy_term(Input-Goal, (n(N, X, Make))-Call0), call(Make), Call0 = (X-Call),
    times(Call, 1, K),
    findall(S, ( between(1, 5, _), taken(K, Call, S) ), Ss), min_list(Ss, Least),
    T is max(Least, 1.0e-7)/K.

times(Call, K, Enough) :- taken(K, Call, S), ( S > 0.02 -> Enough = K ; K4 is K*4, times(Call, K4, Enough) ).

taken(K, Call, S) :-
    statistics(cputime, T0), ( between(1, K, _), \+ \+ Call, fail ; true ),
    statistics(cputime, T1), ( between(1, K, _), \+ \+ true, fail ; true ),
    statistics(cputime, T2), S is max(0.0, (T1-T0)-(T2-T1)).

numbers(N, L) :- findall(X, ( between(1, N, _), X is random(1000000) ), L).
text(N, A) :- length(L, N), maplist(=(0'a), L), atom_codes(A, L).
words(N, L) :- findall(ab, between(1, N, _), L).
pairs(N, L) :- findall(X-y, ( between(1, N, _), X is random(1000000) ), L).
term(N, T) :- length(L, N), T =.. [f|L].

shape('msort/2', nlogn, 2000, n(N, L, numbers(N, L)), L-msort(L, _)).
shape('sort/2', nlogn, 2000, n(N, L, numbers(N, L)), L-sort(L, _)).
shape('sort/4', nlogn, 2000, n(N, L, numbers(N, L)), L-sort(0, @>=, L, _)).
shape('keysort/2', nlogn, 2000, n(N, L, pairs(N, L)), L-keysort(L, _)).
shape('memberchk/2', n, 2000, n(N, L, numbers(N, L)), L-(memberchk(none, L) ; true)).
shape('=../2', n, 2000, n(N, T, term(N, T)), T-(T =.. _)).
shape('copy_term/2', n, 2000, n(N, T, term(N, T)), T-copy_term(T, _)).
shape('duplicate_term/2', n, 2000, n(N, L, numbers(N, L)), L-duplicate_term(L, _)).
shape('term_variables/2', n, 2000, n(N, T, term(N, T)), T-term_variables(T, _)).
shape('compare/3', n, 2000, n(N, L-M, ( numbers(N, L), copy_term(L, M0), duplicate_term(M0, M) )), (L-M)-compare(_, L, M)).
shape('=@=/2', n, 2000, n(N, T-U, ( term(N, T), copy_term(T, U) )), (T-U)-(T =@= U)).
shape('variant_hash/2', n, 2000, n(N, L, numbers(N, L)), L-variant_hash(L, _)).
shape('acyclic_term/1', n, 2000, n(N, T, term(N, T)), T-acyclic_term(T)).
shape('arg/3', 1, 2000, n(N, T, term(N, T)), T-arg(100, T, _)).
shape('functor/3 of a term', 1, 2000, n(N, T, term(N, T)), T-functor(T, _, _)).
shape('functor/3 makes a term', n, 2000, n(N, N, true), N-functor(_, f, N)).
shape('nb_setval/2', n, 2000, n(N, L, numbers(N, L)), L-nb_setval(key, L)).
shape('b_setval/2', 1, 2000, n(N, L, numbers(N, L)), L-b_setval(key2, L)).
shape('atom_length/2', 1, 2000, n(N, A, text(N, A)), A-atom_length(A, _)).
shape('atom_codes/2', n, 2000, n(N, A, text(N, A)), A-atom_codes(A, _)).
shape('atom_codes/2 makes an atom', n, 2000, n(N, L, ( text(N, A), atom_codes(A, L) )), L-atom_codes(_, L)).
shape('atom_string/2', n, 20000, n(N, A, text(N, A)), A-atom_string(A, _)).
shape('upcase_atom/2', n, 2000, n(N, A, text(N, A)), A-upcase_atom(A, _)).
shape('atom_concat/3', n, 20000, n(N, A, text(N, A)), A-atom_concat(A, b, _)).
shape('string_concat/3', n, 20000, n(N, A, text(N, A)), A-string_concat(A, b, _)).
shape('string_code/3', 1, 2000, n(N, A, text(N, A)), A-string_code(100, A, _)).
shape('sub_atom/5 by place', 1, 2000, n(N, A, text(N, A)), A-sub_atom(A, 50, 1, _, _)).
shape('sub_atom/5 searches', n, 2000, n(N, A, text(N, A)), A-(sub_atom(A, _, _, _, b) ; true)).
shape('split_string/4', n, 2000, n(N, A, text(N, A)), A-split_string(A, ",", "", _)).
shape('atomic_list_concat/2', n, 2000, n(N, L, words(N, L)), L-atomic_list_concat(L, _)).
shape('atomic_list_concat/3', n, 2000, n(N, L, words(N, L)), L-atomic_list_concat(L, ',', _)).
shape('term_to_atom/2', n, 2000, n(N, L, numbers(N, L)), L-term_to_atom(L, _)).
shape('assertz/1', n, 2000, n(N, L, numbers(N, L)), L-(assertz(kept(L)), retractall(kept(_)))).
shape('findall/3 copies', n, 2000, n(N, L, numbers(N, L)), L-findall(L, true, _)).
shape('length/2', n, 2000, n(N, L, numbers(N, L)), L-length(L, _)).
shape('ground/1', n, 2000, n(N, L, numbers(N, L)), L-ground(L)).
shape('is_list/1', n, 2000, n(N, L, numbers(N, L)), L-is_list(L)).

:- dynamic kept/1.
