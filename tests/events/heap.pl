% Programs whose cells on the global stack of SWI-Prolog are compared with their bounds; `cells.pl` measures them.

% Exact, for any input.

app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).

nrev([], []).
nrev([H|T], R) :- nrev(T, S), app(S, [H], R).

rev([], R, R).
rev([X|Xs], A, R) :- rev(Xs, [X|A], R).

len([], 0).
len([_|T], N) :- len(T, M), N is M+1.

double([], []).
double([X|Xs], [Y|Ys]) :- Y is 2*X, double(Xs, Ys).

next([], []).
next([X|Xs], [Z|Ys]) :- Y is 1+X, Y = Z, next(Xs, Ys).

signs([], []).
signs([X|Xs], [S|Ss]) :- sign_of(X, S), signs(Xs, Ss).

sign_of(X, neg(X)) :- X < 0.
sign_of(X, pos(X)) :- X >= 0.

sum_pairs([], _, []).
sum_pairs([X|Xs], [Y|Ys], [p(X,Y,S)|Zs]) :- S is (X+Y)*2-1, sum_pairs(Xs, Ys, Zs).

constants([], []).
constants([_|Xs], [c(1.5, "abc", "abcdefg", "äbcdefgh", 72057594037927936, [a,f(b)])|Ys]) :- constants(Xs, Ys).

handed([]).
handed([_|Xs]) :- two(A, f(A)), two(f(B), B), two(_, C), two(C, 2.5), handed(Xs).

two(_, _).

unified([], []).
unified([X|Xs], [Y|Ys]) :- A = B, C = f(D, A), two(B, D), C = f(X, Y), unified(Xs, Ys).

given([]).
given([f(X, g(Y))|Xs]) :- X = h(Z), two(Y, Z), given(Xs).

pick([], []).
pick([X|Xs], [Y|Ys]) :- ( X > 3 -> Y = big(V), two(V, W), two(W, V) ; Y = small ), pick(Xs, Ys).

neither([]).
neither([X|Xs]) :- \+ X = f(_), ( X == zz -> two(A, X) ; true ), two(A, X), two(A, A), neither(Xs).

codes([], []).
codes([_|Xs], Ys) :- codes(Xs, Zs), two(Zs, Ws), two(Ws, Ys).

fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.

hanoi(0, _, _, _, []).
hanoi(N, A, B, C, Ms) :-
    N > 0, M is N-1, hanoi(M, A, C, B, M1), hanoi(M, C, B, A, M2), app(M1, [m(A,B)|M2], Ms).

tree(0, leaf).
tree(N, node(L, N, R)) :- N > 0, M is N-1, tree(M, L), tree(M, R).

% Between the bounds.

isort([], []).
isort([X|Xs], Ys) :- isort(Xs, Zs), insert(Zs, X, Ys).

insert([], X, [X]).
insert([Y|Ys], X, [X,Y|Ys]) :- X =< Y.
insert([Y|Ys], X, [Y|Zs]) :- X > Y, insert(Ys, X, Zs).

% The test that fails gives its expression back.
parity([], []).
parity([X|Xs], [P|Ps]) :- ( X mod 2 =:= 0 -> P = even(X) ; P = odd(X, "o") ), parity(Xs, Ps).

sorted([], []).
sorted([X|Xs], [Y|Ys]) :- msort([X,3,1,2,X], Y), sorted(Xs, Ys).

joined([]).
joined([X|Xs]) :- ( X > 3 -> two(A, X) ; two(X, X) ), two(A, B), ( X > 5, B = A ; X =< 5 ), !, two(B, A), joined(Xs).

twice([], []).
twice([X|Xs], [X,X,f(X,Y,Y,Z)|Ys]) :- two(Z, Y), twice(Xs, Ys).

texts([], []).
texts([_|Xs], [Y|Ys]) :- atom_codes(hello, Cs), two(Cs, Y), texts(Xs, Ys).

lengths([]).
lengths([X|Xs]) :- length([X,X], N), length(L, N), length(L, M), two(N, M), lengths(Xs).

%! cut(+Xs:list(int), -Ys)
cut([], []).
cut([X|Xs], Ys) :- X > 3, !, Ys = [big(X)|Zs], cut(Xs, Zs).
cut([X|Xs], [small(X, Y), Y|Zs]) :- cut(Xs, Zs).

through([], A, A).
through([X|Xs], A, R) :- A1 = [X|A], B = A1, through(Xs, B, R).

floats([], []).
floats([X|Xs], [Y|Ys]) :- Y is X*0.5+1, Y > 0.25, floats(Xs, Ys).

% Goals that are called, and closures.

id(_).
twice_as(X, Y) :- Y is 2*X.
plus_of(f(N), X, Y) :- Y is N+X.

called([], []).
called([X|Xs], [Y|Ys]) :- call((twice_as(X, Z), ( Z > 4 -> Y = big(Z) ; Y = [Z] ))), call(id(f(Y))), called(Xs, Ys).

%! closures(+Xs:list(int), -Ys)
closures([], []).
closures([X|Xs], [Y|Ys]) :- call(plus_of(f(1)), X, Z), G = twice_as(Z), call(G, Y), closures(Xs, Ys).

caught([], []).
caught([X|Xs], [Y|Ys]) :- catch(twice_as(X, Y), _, Y = 0), once(id(g(Y, X))), ignore(id(Y)), caught(Xs, Ys).

thrown([]).
thrown([X|Xs]) :- catch(( X > 2 -> throw(too(big, X)) ; true ), too(_, _), true), thrown(Xs).

mapped(Xs, Zs) :- maplist(twice_as, Xs, Ys), maplist(plus_of(f(3)), Ys, Zs).

all_mapped(Xs, Ys) :- maplist(maplist(twice_as), [Xs,Xs], Ys).

folded(Xs, S) :- foldl(weighed(p(1,2)), Xs, 0, S), exclude(among(Xs), [1,5,9], Ys), include(among(Ys), Xs, _).
weighed(_, X, A, B) :- B is A*2+X.
among(Ys, Y) :- memberchk(Y, Ys).

% Lists of solutions of goals that build nothing.
found(Xs, Ys-Zs) :- findall(f(X,[X|_],1.5,"s"), member(X, Xs), Ys, [end]), findall(X, ( member(X, Xs), X > 2 ), Zs).

each(Xs) :- forall(member(X, Xs), ( id(X), \+ X = f(_) )), setup_call_cleanup(true, id(h(Xs)), true).

counted(Xs, N) :- aggregate_all(count, member(_, Xs), M), aggregate_all(max(X), member(X, [M|Xs]), K), N is K+1.

%! copied(+Xs:list(int), -Ts)
copied([], []).
copied([X|Xs], [T|Ts]) :- copy_term(t(X, [X]), T), T =.. [_|As], length(As, _), copied(Xs, Ts).

:- meta_predicate each_of(2, ?, ?).
each_of(_, [], []).
each_of(G, [X|Xs], [Y|Ys]) :- call(G, X, Y), each_of(G, Xs, Ys).

own_closures(Xs, Ys) :- each_of(plus_of(f(1)), Xs, Ys).

% Of the library.
library([], []).
library([X|Xs], [Y,Z|Ys]) :-
    append([X,b], [c|Xs], Y), numlist(1, 3, Ns), last(Ns, Z), library(Xs, Ys).

% cell(Name/Arity, sizes by argument, goal, exact or between): what is run.
cell(P, S, G, How) :- member(N, [0,1,2,7,20]), numlist(1, N, L), of_list(L, P, S, G, How, N).
cell(P, [1=N], G, exact) :- member(N, [0,1,2,7]), of_integer(N, P, G).

of_list(L, app/3, [1=N], app(L, [], _), exact, N).
of_list(L, app/3, [1=N], app(L, L, _), exact, N).
of_list(L, nrev/2, [1=N], nrev(L, _), exact, N).
of_list(L, rev/3, [1=N], rev(L, [], _), exact, N).
of_list(L, len/2, [1=N], len(L, _), exact, N).
of_list(L, double/2, [1=N], double(L, _), exact, N).
of_list(L, next/2, [1=N], next(L, _), exact, N).
of_list(L, signs/2, [1=N], signs(L, _), exact, N).
of_list(L, sum_pairs/3, [1=N,2=N], sum_pairs(L, L, _), exact, N).
of_list(L, constants/2, [1=N], constants(L, _), exact, N).
of_list(L, handed/1, [1=N], handed(L), between, N).
of_list(L, joined/1, [1=N], joined(L), between, N).
of_list(L, twice/2, [1=N], twice(L, _), exact, N).
of_list(L, texts/2, [1=N], texts(L, _), between, N).
of_list(L, lengths/1, [1=N], lengths(L), between, N).
of_list(L, cut/2, [1=N], cut(L, _), between, N).
of_list(L, through/3, [1=N], through(L, [], _), exact, N).
of_list(L, library/2, [1=N], library(L, _), exact, N).
of_list(L, called/2, [1=N], called(L, _), between, N).
of_list(L, closures/2, [1=N], closures(L, _), between, N).
of_list(L, caught/2, [1=N], caught(L, _), between, N).
of_list(L, thrown/1, [1=N], thrown(L), between, N).
of_list(L, mapped/2, [1=N], mapped(L, _), between, N).
of_list(L, all_mapped/2, [1=N], all_mapped(L, _), between, N).
of_list(L, folded/2, [1=N], folded(L, _), between, N).
of_list(L, found/2, [1=N], found(L, _), between, N).
of_list(L, each/1, [1=N], each(L), between, N).
of_list(L, counted/2, [1=N], counted(L, _), between, N).
of_list(L, copied/2, [1=N], copied(L, _), between, N).
of_list(L, own_closures/2, [1=N], own_closures(L, _), between, N).
of_list(L, floats/2, [1=N], floats(L, _), between, N).
of_list(L, unified/2, [1=N], unified(L, _), between, N).
of_list(L, given/1, [1=N], given(T), between, N) :- findall(f(_, g(_)), member(_, L), T).
of_list(L, given/1, [1=N], given(T), between, N) :- findall(f(h(_), g(_)), member(_, L), T).
of_list(L, pick/2, [1=N], pick(L, _), between, N).
of_list(L, neither/1, [1=N], neither(L), between, N).
of_list(L, codes/2, [1=N], codes(L, _), exact, N).
of_list(L, isort/2, [1=N], isort(L, _), between, N).
of_list(L, isort/2, [1=N], isort(R, _), between, N) :- reverse(L, R).
of_list(L, parity/2, [1=N], parity(L, _), between, N).
of_list(L, sorted/2, [1=N], sorted(L, _), between, N).

of_integer(N, fib/2, fib(N, _)).
of_integer(N, hanoi/5, hanoi(N, a, b, c, _)).
of_integer(N, tree/2, tree(N, _)).
