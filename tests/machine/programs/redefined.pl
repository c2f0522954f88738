% Predicates of the system and of libraries that a program defines itself: its own clauses run, in bodies, as leading tests, and where a
% goal is a term; what the system calls inside stays the system's.

is_list(list).
is_list(nil).

ignore(X) :- X = ignored.

not(X) :- X == 1.

plus(X, Y, plus(X, Y)).

succ(X, s(X)).

between(1, 2, here).

memberchk(X, Xs) :- Xs = [_, X|_].

append(own, own, own).

kind(X, list) :- is_list(X).
kind(X, ignored) :- ignore(X).

sort(own, own, own, own).

% ?- is_list([a]).
% ?- is_list(X).
% ?- kind(X, K).
% ?- kind([], K).
% ?- G = is_list(X), call(G).
% ?- ignore(X).
% ?- call(ignore, fail).
% ?- not(1).
% ?- not(fail).
% ?- plus(1, 2, X).
% ?- maplist(plus(1), [1,2], L).
% ?- succ(X, Y).
% ?- maplist(succ, [1,2], L).
% ?- between(1, 2, X).
% ?- findall(X, between(1, 3, X), L).
% ?- memberchk(b, [a,b]).
% ?- memberchk(a, [a,b]).
% ?- append(X, Y, own).
% ?- sort(X, own, own, own).
% ?- sort(0, @>=, [1,3,2], L).
% ?- length(L, 2).
% ?- aggregate_all(count, between(_, _, _), N).
% ?- assertz(string_length(own, 3)), string_length(X, Y).
% ?- assertz(nth0(own, own, own)), nth0(X, Y, Z).
% ?- assertz(is_list(other)).
% ?- assertz(length(other, 3)).
% ?- assertz(atom_length(other, 3)).
% ?- retract(plus(_, _, _)).
