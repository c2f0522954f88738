% Values of the types of call patterns, right ones and odd ones: negative and huge integers, floats that are no numbers, texts of all kinds,
% partial and improper lists, compound terms where something atomic is expected.
:- module(values, [value/2, type/1]).
:- use_module(library(random)).

% As they are written in a `:- pred`, the more often the more likely.
type(T) :- random_member(T, [var, var, any, any, nonvar, ground, ground, atm, atm, int, int, num, string, atom_or_string, list, list(int), list(atm), list(ground)]).

%! value(+Type, -Value) is det.
value(var, _).
value(any, V) :- random_between(0, 9, R), ( R < 2 -> V = _ ; R < 6 -> value(nonvar, V) ; value(ground, V) ).
value(nonvar, V) :- maybe, !, open(V).
value(nonvar, V) :- value(ground, V).
value(ground, V) :- random_member(T, [int, num, atm, string, list(int), list(atm), list(ground), [], compound, compound]), ground(T, V).
value(atm, V) :- random_member(V, [a, b, abc, '', 'X y', '\xe9\', '12', '-7', '1.5', '0x1F', '[]', foo_bar, end_of_file, 'a,b', +, alpha, error, '\n', '\x1F42A\',
    inf, nan, e, user_input, read, bytes, utf8, @<, @>=, 'f(X)', 'a(', ' 12', '12 ', '1e', '''', iso, max, to_lower]).
value(string, V) :- maybe, !, random_member(V, ["", " ", ",", "ab", "abc", "12", "-7", "1.5", "f(X,Y)", "a,b", "\xe9\", "a(", "[a]", "a"]).
value(string, V) :- value(atm, A), atom_string(A, V).
value(atom_or_string, V) :- ( maybe -> value(atm, V) ; value(string, V) ).
value(int, V) :- random_member(V, [0, 0, 1, 1, 2, 3, 5, -1, -2, 97, 65, 255, 1000, -1000, 128042, 1114112, 9223372036854775807, 9223372036854775808, -9223372036854775809, 100000000000000000000]).
value(num, V) :- maybe, !, random_member(V, [0.0, -0.0, 1.0, 1.5, -2.25, 1.0e10, 1.0e300, 0.1, 3.0]).
value(num, V) :- value(int, V).
value(list, V) :- value(list(any), V).
value(list(T), V) :- random_member(N, [0, 1, 1, 2, 2, 3, 4]), length(V, N), elements(V, T).

% Half of the lists have elements of one kind.
elements(V, T) :- memberchk(T, [any, ground]), maybe, !, random_member(K, [int, atm, string, pair, codes, num]), elements_of(V, K).
elements(V, T) :- elements_of(V, T).
elements_of([], _).
elements_of([X|Xs], T) :- element(T, X), elements_of(Xs, T).
element(pair, K-V) :- !, value(ground, K), value(ground, V).
element(codes, C) :- !, random_member(C, [97, 98, 0'1, 0' ]).
element(T, V) :- value(T, V).

ground([], []) :- !.
ground(compound, V) :- !, random_member(V, [f(a), f(1, "s"), a-1, [1|2], [a|b], 1+2, 1/0, a+1, {x}, foo:bar, f([]), "a"-b, -(1), '[]'(a), s(s(0)), (a:-b), (a,b), a/1, foo/2,
    atom(a), count, library(lists), point{x:1}, f(), [[a]], [a-b], 'C'(1, 2.0), tail(x), [f(a), b], 'foo bar'(x), - a, (:- x), 1 rdiv 3]).
ground(T, V) :- value(T, V).

open(V) :- random_member(V, [f(_), f(_, a), f(X, X), [a|_], [_|_], [97|_], [_, b], [a, _], [_], g(_, [_|b]), _-1, [k-_, j-a], _+1, "x"-_, [a, b|_], (_:-b), (_, a), _:foo, _/1, foo/_, [_-a|_], [1, _], atom(_), codes(_, _)]).
