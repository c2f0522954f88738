% Clauses of dynamic predicates that are called so often that they are compiled: cuts, errors, control, the logical update view.
:- dynamic(fact/2).
:- dynamic(len/2).
:- dynamic(max/3).
:- dynamic(grow/1).
:- dynamic(shrink/1).
:- dynamic(err/1).
:- dynamic(lits/1).

fact(1, a).
fact(2, f(X, X)).
fact(3, [x|T]) :- T = [].

len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.

max(X, Y, X) :- X >= Y, !.
max(_, Y, Y).

% Each call adds a clause that it must not see itself.
grow(X) :- between(1, 2, X), assertz(grow(more)).

shrink(1) :- retract(shrink(2)).
shrink(2).
shrink(3).

err(X) :- X > 0, ( X > 5 -> throw(large(X)) ; true ).

lits(1.5).
lits("text").
lits(123456789012345678901234567890).
lits(X) :- G = true, call(G), X = [1.5|_].

again(0, _) :- !.
again(N, G) :- \+ \+ ignore(G), M is N-1, again(M, G).

% ?- again(30, fact(_, _)), fact(X, Y).
% ?- fact(2, f(1, Y)).
% ?- fact(2, f(1, 2)).
% ?- numlist(1, 40, L), len(L, N).
% ?- once(len(L, 2)).
% ?- findall(M, ( between(1, 20, X), max(X, 10, M) ), Ms).
% ?- max(3, 2, M).
% ?- findall(X, grow(X), Xs).
% ?- findall(X, grow(X), Xs), findall(Y, grow(Y), Ys), length(Ys, N).
% ?- again(20, \+ grow(none)), aggregate_all(count, clause(grow(_), _), N).
% ?- findall(X, shrink(X), Xs), findall(Y, shrink(Y), Ys).
% ?- again(20, shrink(3)), assertz(shrink(2)), findall(X, shrink(X), Xs).
% ?- again(20, err(3)), catch(err(7), E, true).
% ?- again(20, catch(err(_), _, true)), catch(err(a), error(E, _), true).
% ?- again(20, lits(_)), findall(X, lits(X), Xs).
% ?- again(20, lits(3)), lits(1.5).
% ?- assertz((r(N) :- N > 0, M is N-1, r(M))), assertz(r(0)), r(100), retract((r(_) :- _)), r(0).
% ?- r(1).
% ?- assertz((c(X) :- member(X, [1,2,3]), X > 1, !)), findall(X, ( between(1, 15, _), c(X) ), Xs).
% ?- assertz((v(G) :- G, true)), again(20, v(true)), v(X = 1).
% ?- asserta(fact(0, first)), fact(X, _).
% ?- assertz((w(X) :- ( X = 1 ; X = 2, ! ; X = 3 ))), again(20, w(_)), findall(X, w(X), Xs).
