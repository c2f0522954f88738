%%% reverse-with-accumulator: the output is bound, in a negation
%! upto(+N:nonneg, -Xs:list(integer)) is det.
upto(0, []) :- !.
upto(N, Xs) :- M is N-1, upto(M, Ys), append(Ys, [N], Xs).

none :- \+ upto(3, [1]).
%%% reverse-with-accumulator: the output is a list of which the end is open
%! upto(+N:nonneg, -Xs:list(integer)) is det.
upto(0, []) :- !.
upto(N, Xs) :- M is N-1, upto(M, Ys), append(Ys, [N], Xs).

begins(N) :- atom_length(abc, N), upto(N, [x|_]).
%%% match-instead-of-length: a list whose end is open, among limited solutions
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

many(N) :- findall(x, limit(3, busy([_|_])), L), length(L, N).
%%% match-instead-of-length: the same in once/1
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

some(Xs) :- once(busy([_|Xs])).
%%% match-instead-of-length: the same in forall/2, of a member
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

all(Xss) :- forall(member(Xs, Xss), busy(Xs)).
%%% match-instead-of-length: the same in a recovery
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

late(X) :- catch(atom_length(X, _), _, busy([_|X])).
%%% match-instead-of-length: the same in a grammar rule
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

word(X) --> { busy([X|_]) }.
%%% accumulate: a closure is called with floats
%! total(+Xs:list(integer), -S:integer) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is X+T.

totals(S) :- maplist(total, [[0.1,0.2,0.3]], S).
%%% accumulate: a goal in a variable
%! total(+Xs:list(integer), -S:integer) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is X+T.

of_floats(S) :- G = total([0.1,0.2], S), call(G).
%%% accumulate: a lambda expression
%! total(+Xs:list(integer), -S:integer) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is X+T.

totals(S) :- maplist([L,Q]>>total(L, Q), [[0.1,0.2,0.3]], S).
%%% accumulate: a goal in a fact, which another one calls
%! total(+Xs:list(integer), -S:integer) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is X+T.

job(total([0.1,0.2,0.3], S), S).
work(S) :- job(G, S), call(G).
%%% accumulate: through a predicate that nothing is declared of
%! total(+Xs:list(integer), -S:integer) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is X+T.

report(Xs, S) :- total(Xs, S).
main(S) :- report([0.1,0.2,0.3], S).
%%% accumulate: through one that is declared for integers
%! total(+Xs:list(integer), -S:integer) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is X+T.

%! report(+Xs:list(integer), -S) is det.
report(Xs, S) :- total(Xs, S).
main(S) :- report([0.1,0.2,0.3], S).
%%% accumulate: a directive
%! total(+Xs:list(integer), -S:integer) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is X+T.

:- initialization((total([0.1,0.2,0.3], S), print(S))).
%%% needless-copy: terms with variables where there should be none
%! copied(+Xs:list(ground), -Ys) is det.
copied(Xs, Ys) :- findall(X, member(X, Xs), Ys).

both(L) :- T = f(_), copied([T,T], L).
%%% reverse-with-accumulator: clauses are looked at
%! turned(+Xs:list, -Ys:list) is det.
turned([], []).
turned([X|Xs], Ys) :- turned(Xs, Zs), append(Zs, [X], Ys).

heads(Hs) :- findall(H, clause(turned(H,_), _), Hs).
%%% match-instead-of-length: by a goal that is handed in
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

clause_of(H, B) :- clause(H, B).
%%% reverse-with-accumulator: clauses are counted
%! turned(+Xs:list, -Ys:list) is det.
turned([], []).
turned([X|Xs], Ys) :- turned(Xs, Zs), append(Zs, [X], Ys).

many(N) :- predicate_property(turned(_,_), number_of_clauses(N)).
%%% reverse-with-accumulator: the depth of calls is told
%! turned(+Xs:list, -Ys:list) is det.
turned([], []).
turned([X|Xs], Ys) :- turned(Xs, Zs), append(Zs, [X], Ys).

deep(D) :- call_with_depth_limit(turned([a,b,c], _), 100, D).
%%% list-grown-at-its-end: few elements behind a long list
%! un(+A:list(int), -B, +C:list(int), +I:int) is nondet.
un(_, O, O, 0).
un([N,H], O, Acc, I) :- I > 0, append(Acc, [H], Acc1), J is I-1, un([N,H], O, Acc1, J).
%%% accumulate: as many rounds as one number is in another one, perhaps none
%! div(+A:nat, +B:nat, -Q:int) is semidet.
div(A, B, 0) :- A < B, !.
div(A, B, Q) :- B > 0, C is A-B, div(C, B, P), Q is P+1.
%%% accumulate: the same, with a difference that may not shrink
%! coin(+A:nat, +C:nat, -N:int) is semidet.
coin(A, _, 0) :- A =< 0.
coin(A, C, N) :- C > 0, B is A-C, coin(B, C, M), N is M+1.
%%% member-of-both: a choice point that was not left
%! any(+As:list(int), +Bs:list(int), -X) is nondet.
any(As, Bs, X) :- append(As, Bs, Cs), member(X, Cs), X > 3.
%%% accumulate: a name in a variable
%! total(+Xs:list(integer), -S:integer) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is X+T.

of_floats(S) :- P = total, call(P, [0.1,0.2,0.3], S).
%%% accumulate: a rule that is made
%! total(+Xs:list(integer), -S:integer) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is X+T.

of_floats(S) :- assertz((sum_of(Xs, T) :- total(Xs, T))), sum_of([0.1,0.2,0.3], S).
%%% accumulate: a goal that another one stands for
%! total(+Xs:list(integer), -S:integer) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is X+T.

goal_expansion(of_floats(S), total([0.1,0.2,0.3], S)).
all(S) :- of_floats(S).
%%% accumulate: a goal that waits for a variable
%! total(+Xs:list(integer), -S:integer) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, T), S is X+T.

late(S) :- freeze(Xs, total(Xs, S)), Xs = [0.1,0.2,0.3].
%%% match-instead-of-length: goals in a list, which a library calls
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- maplist(call, [busy([a|b])]).
%%% match-instead-of-length: names in a list, which a library calls
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- maplist(call, [busy], [[a|b]]).
%%% match-instead-of-length: a lambda expression that calls a name
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- maplist([K]>>call(K, [a|b]), [busy]).
%%% match-instead-of-length: a lambda expression that makes a goal
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- maplist([K]>>(G =.. [K,[a|b]], call(G)), [busy]).
%%% match-instead-of-length: goals that are filtered by calling them
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t(L) :- include(call, [busy([a|b])], L).
%%% match-instead-of-length: goals that are folded over
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- foldl([G,S,S]>>call(G), [busy([a|b])], 0, _).
%%% match-instead-of-length: apply/2
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- apply(busy, [[a|b]]).
%%% match-instead-of-length: foreach/2
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- foreach(member(X, [[a|b]]), busy(X)).
%%% match-instead-of-length: aggregate/3
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t(X) :- aggregate(count, L^(member(L, [[a|b]]), busy(L)), X).
%%% match-instead-of-length: a thread
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- call_in_thread(_, busy([a|b])).
%%% match-instead-of-length: goals in several threads
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- concurrent(2, [busy([a|b])], []).
%%% match-instead-of-length: a list of goals in a fact
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

goals([busy([a|b])]).
t :- goals(Gs), maplist(call, Gs).
%%% match-instead-of-length: goals that are collected
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- findall(G, G = busy([a|b]), Gs), maplist(call, Gs).
%%% match-instead-of-length: a clause that a directive asserts
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

:- dynamic seen/1.
:- assertz((seen(X) :- busy(X))).
t :- seen([a|b]).
%%% match-instead-of-length: a clause that is asserted after loading
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

:- dynamic seen/0.
:- initialization(assertz((seen :- busy([a|b])))).
t :- seen.
%%% match-instead-of-length: a goal that is read from an atom
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- term_to_atom(G, 'busy([a|b])'), call(G).
%%% match-instead-of-length: a goal that is read from a string
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- term_string(G, "busy([a|b])"), call(G).
%%% match-instead-of-length: a name that is made of two parts
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- atom_concat(bu, sy, P), call(P, [a|b]).
%%% match-instead-of-length: a name that is made of codes
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- atom_codes(P, [0'b,0'u,0's,0'y]), call(P, [a|b]).
%%% match-instead-of-length: a name in other letters
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

t :- downcase_atom('BUSY', P), call(P, [a|b]).
%%% match-instead-of-length: options of a test
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

:- begin_tests(jobs).
test(a, [setup(busy([a|b]))]).
:- end_tests(jobs).
%%% match-instead-of-length: options of tests
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

:- begin_tests(jobs, [setup(busy([a|b]))]).
test(a).
:- end_tests(jobs).
%%% match-instead-of-length: a hook of attributed variables
%! busy(+Xs:list) is semidet.
busy(Xs) :- length(Xs, N), N > 0.

attr_unify_hook(_, V) :- busy(V).
t :- put_attr(X, user, 1), X = [a|b].
