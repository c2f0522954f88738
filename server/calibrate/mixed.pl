% Calibrators as people write programs: several predicates, many events at once. Small calibrators alone make predictions too fast.
%
% Blocks are those of `calibrators.pl`, without sizes: the events of each run are in `runs.tsv`, counted by the meta-interpreter in `tests/events`. None of them is
% among the control programs, or like one.

%% prelude: inputs
ints(N, N, [N]) :- !.
ints(I, N, [I|L]) :- J is I+1, ints(J, N, L).
scattered(0, _, []) :- !.
scattered(N, S, [X|L]) :- M is N-1, T is (S*75+74) mod 65537, X is T mod 100, scattered(M, T, L).

%% takeuchi: Takeuchi's function
%: goal tak(9, 6, 3, _)
tak(X, Y, Z, A) :- X =< Y, !, A = Z.
tak(X, Y, Z, A) :- X1 is X-1, Y1 is Y-1, Z1 is Z-1, tak(X1, Y, Z, A1), tak(Y1, Z, X, A2), tak(Z1, X, Y, A3), tak(A1, A2, A3, A).

%% zebra: a puzzle of three houses, by choice of members
%: goal zebra(_)
zebra(W) :- H = [h(_, _, _), h(_, _, _), h(_, _, _)], one_of(h(red, english, _), H), one_of(h(green, _, snails), H), beside(h(_, spanish, _), h(blue, _, _), H), one_of(h(_, japanese, Z), H), one_of(h(_, W, zebra), H), Z = Z.
one_of(X, [X|_]).
one_of(X, [_|L]) :- one_of(X, L).
beside(X, Y, [X, Y|_]).
beside(X, Y, [_|L]) :- beside(X, Y, L).

%% avl: insertions into a balanced tree
%: setup scattered(24, 5, L)
%: goal avl_all(L, t, _)
avl_all([], T, T).
avl_all([K|Ks], T0, T) :- avl_put(T0, K, T1, _), avl_all(Ks, T1, T).
avl_put(t, K, t(K, <, t, t), yes).
avl_put(t(K0, B, L, R), K, T, Grown) :- compare(O, K, K0), avl_put(O, K0, B, L, R, K, T, Grown).
avl_put(=, K0, B, L, R, _, t(K0, B, L, R), no).
avl_put(<, K0, B, L, R, K, T, Grown) :- avl_put(L, K, L1, G), avl_fix(G, t(K0, B, L, R), B, T, L1, left, Grown).
avl_put(>, K0, B, L, R, K, T, Grown) :- avl_put(R, K, R1, G), avl_fix(G, t(K0, B, L, R), B, T, R1, right, Grown).
avl_fix(no, t(K, B, _, R), B, t(K, B, L1, R), L1, left, no) :- !.
avl_fix(no, t(K, B, L, _), B, t(K, B, L, R1), R1, right, no) :- !.
avl_fix(yes, t(K, _, L, R), B0, T, C, Side, Grown) :- avl_table(B0, Side, B1, Grown, Turn), avl_turn(Turn, K, B1, L, R, C, Side, T).
avl_table(<, left, l, yes, no).
avl_table(<, right, r, yes, no).
avl_table(l, left, <, no, left).
avl_table(l, right, <, no, no).
avl_table(r, left, <, no, no).
avl_table(r, right, <, no, right).
avl_turn(no, K, B, _, R, C, left, t(K, B, C, R)) :- !.
avl_turn(no, K, B, L, _, C, right, t(K, B, L, C)) :- !.
avl_turn(left, K, _, _, R, t(K1, _, A, B), _, t(K1, <, A, t(K, <, B, R))).
avl_turn(right, K, _, L, _, t(K1, _, A, B), _, t(K1, <, t(K, <, L, A), B)).

%% assembler: instructions run on registers
%: goal machine(1, r(0, 12, 1), _)
machine(P, R, Out) :- code(P, I), execute(I, P, R, Out).
execute(halt, _, R, R).
execute(add(X, Y, Z), P, R, Out) :- value(X, R, A), value(Y, R, B), C is A+B, set(Z, C, R, R1), Q is P+1, machine(Q, R1, Out).
execute(mul(X, Y, Z), P, R, Out) :- value(X, R, A), value(Y, R, B), C is (A*B) mod 9973, set(Z, C, R, R1), Q is P+1, machine(Q, R1, Out).
execute(zero(X, Q), P, R, Out) :- value(X, R, A), ( A =:= 0 -> N = Q ; N is P+1 ), machine(N, R, Out).
execute(goto(Q), _, R, Out) :- machine(Q, R, Out).
code(1, zero(2, 6)).
code(2, mul(3, 2, 3)).
code(3, add(1, 3, 1)).
code(4, add(2, m, 2)).
code(5, goto(1)).
code(6, halt).
value(1, r(A, _, _), A).
value(2, r(_, A, _), A).
value(3, r(_, _, A), A).
value(m, _, -1).
set(1, A, r(_, B, C), r(A, B, C)).
set(2, B, r(A, _, C), r(A, B, C)).
set(3, C, r(A, B, _), r(A, B, C)).

%% interpreter: expressions with variables in an environment
%: setup E = let(x, num(3), let(y, add(var(x), num(4)), if(less(var(x), var(y)), mul(var(y), let(z, sub(var(y), num(1)), add(var(z), var(x)))), num(0))))
%: goal evaluated(E, [], _)
evaluated(num(N), _, N).
evaluated(var(X), Env, V) :- bound_to(Env, X, V).
evaluated(add(A, B), Env, V) :- evaluated(A, Env, X), evaluated(B, Env, Y), V is X+Y.
evaluated(sub(A, B), Env, V) :- evaluated(A, Env, X), evaluated(B, Env, Y), V is X-Y.
evaluated(mul(A, B), Env, V) :- evaluated(A, Env, X), evaluated(B, Env, Y), V is X*Y.
evaluated(less(A, B), Env, V) :- evaluated(A, Env, X), evaluated(B, Env, Y), ( X < Y -> V = true ; V = false ).
evaluated(if(C, A, B), Env, V) :- evaluated(C, Env, T), decided(T, A, B, Env, V).
evaluated(let(X, A, B), Env, V) :- evaluated(A, Env, W), evaluated(B, [X-W|Env], V).
decided(true, A, _, Env, V) :- evaluated(A, Env, V).
decided(false, _, B, Env, V) :- evaluated(B, Env, V).
bound_to([X-V|_], X, V) :- !.
bound_to([_|Env], X, V) :- bound_to(Env, X, V).

%% bank: a simulated queue
%: setup scattered(40, 9, L)
%: goal bank(L, 0, 0, [], _)
bank([], _, W, _, W).
bank([A|As], T, W0, Q0, W) :- T1 is T+A, served(Q0, T1, Q1), queued(Q1, T1, A, Q2, D), W1 is W0+D, bank(As, T1, W1, Q2, W).
served([], _, []).
served([E|Es], T, Q) :- E =< T, !, served(Es, T, Q).
served([E|Es], T, [E|Q]) :- served(Es, T, Q).
queued([], T, A, [E], 0) :- E is T+A+20.
queued([E|Es], T, A, [E|Q], D) :- queued_behind(Es, E, T, A, Q, D).
queued_behind([], E, T, A, [F], D) :- D is E-T, F is E+A+20.
queued_behind([E|Es], _, T, A, [E|Q], D) :- queued_behind(Es, E, T, A, Q, D).

%% matrix: determinants by the first row
%: goal determinant([[2,1,3,4],[1,5,2,1],[3,2,4,1],[2,2,1,3]], _)
determinant([[X]], X) :- !.
determinant([R|Rs], D) :- expanded(R, Rs, 1, 0, 0, D).
expanded([], _, _, _, D, D).
expanded([X|Xs], Rs, S, I, D0, D) :- minor(Rs, I, M), determinant(M, E), D1 is D0+S*X*E, S1 is -S, J is I+1, expanded(Xs, Rs, S1, J, D1, D).
minor([], _, []).
minor([R|Rs], I, [Q|Qs]) :- struck_out(R, I, Q), minor(Rs, I, Qs).
struck_out([_|Xs], 0, Xs) :- !.
struck_out([X|Xs], I, [X|Ys]) :- J is I-1, struck_out(Xs, J, Ys).

%% crossed: a letter puzzle, digits chosen and a sum checked
%: setup ints(1, 7, L)
%: goal crossed(L, _, _, _, _)
crossed(L, A, B, C, D) :- pick(A, L, L1), pick(B, L1, L2), S is A+B, pick(C, L2, L3), S > C, pick(D, L3, _), S =:= C+D.
pick(X, [X|L], L).
pick(X, [Y|L], [Y|R]) :- pick(X, L, R).

%% knight: steps of a knight on a small board, places seen before left out
%: goal knight(3, [1-1], _)
knight(0, P, P).
knight(N, [X-Y|P], Q) :- N > 0, leap(A, B), X1 is X+A, X1 > 0, X1 < 6, Y1 is Y+B, Y1 > 0, Y1 < 6, new(P, X1, Y1), M is N-1, knight(M, [X1-Y1, X-Y|P], Q).
leap(1, 2).
leap(2, 1).
leap(2, -1).
leap(1, -2).
leap(-1, -2).
leap(-2, -1).
leap(-2, 1).
leap(-1, 2).
new([], _, _).
new([X-Y|P], A, B) :- ( X =\= A ; Y =\= B ), !, new(P, A, B).

%% lexer: numbers, names and signs
%: setup atom_codes('alpha1 = (beta + 42) * gamma - 7 / (delta2 + 128)', L)
%: goal lexer(L, _)
lexer([], []).
lexer([C|Cs], Ts) :- kind_of(C, K), lexed(K, C, Cs, Ts).
lexed(blank, _, Cs, Ts) :- lexer(Cs, Ts).
lexed(sign, C, Cs, [sign(C)|Ts]) :- lexer(Cs, Ts).
lexed(digit, C, Cs, [number(N)|Ts]) :- N0 is C-48, number_on(Cs, N0, N, Rest), lexer(Rest, Ts).
lexed(letter, C, Cs, [name([C|L])|Ts]) :- name_on(Cs, L, Rest), lexer(Rest, Ts).
kind_of(C, K) :- ( C =< 32 -> K = blank ; C >= 97, C =< 122 -> K = letter ; C >= 48, C =< 57 -> K = digit ; K = sign ).
number_on([C|Cs], N0, N, Rest) :- kind_of(C, digit), !, N1 is N0*10+C-48, number_on(Cs, N1, N, Rest).
number_on(Rest, N, N, Rest).
name_on([C|Cs], [C|L], Rest) :- kind_of(C, K), continues(K), !, name_on(Cs, L, Rest).
name_on(Rest, [], Rest).
continues(letter).
continues(digit).

%% sentence: a grammar with features, written with two arguments more
%: goal sentence(_, [the, old, man, sees, a, dog, with, the, telescope, in, the, park], [])
sentence(s(N, V), S0, S) :- noun_phrase(N, A, S0, S1), verb_phrase(V, A, S1, S).
noun_phrase(np(D, N), A, S0, S) :- article(D, A, S0, S1), nominal(N, A, S1, S).
noun_phrase(np(D, N, P), A, S0, S) :- article(D, A, S0, S1), nominal(N, A, S1, S2), with_phrase(P, S2, S).
nominal(n(J, N), A, S0, S) :- adjective(J, S0, S1), noun(N, A, S1, S).
nominal(n(N), A, S0, S) :- noun(N, A, S0, S).
verb_phrase(vp(V, N), A, S0, S) :- verb(V, A, S0, S1), noun_phrase(N, _, S1, S).
verb_phrase(vp(V, N, P), A, S0, S) :- verb(V, A, S0, S1), noun_phrase(N, _, S1, S2), with_phrase(P, S2, S).
with_phrase(pp(P, N), S0, S) :- preposition(P, S0, S1), noun_phrase(N, _, S1, S).
article(the, _, [the|S], S).
article(a, singular, [a|S], S).
adjective(old, [old|S], S).
adjective(red, [red|S], S).
noun(man, singular, [man|S], S).
noun(dog, singular, [dog|S], S).
noun(dogs, plural, [dogs|S], S).
noun(park, singular, [park|S], S).
noun(telescope, singular, [telescope|S], S).
verb(sees, singular, [sees|S], S).
verb(see, plural, [see|S], S).
preposition(with, [with|S], S).
preposition(in, [in|S], S).

%% normal: propositions to negation normal form and evaluated
%: setup P = imp(and(p, or(q, not(r))), or(and(not(p), r), not(imp(q, and(p, r)))))
%: goal normal(P, _, _)
normal(P, N, V) :- nnf(P, N), holds(N, V).
nnf(and(A, B), and(X, Y)) :- !, nnf(A, X), nnf(B, Y).
nnf(or(A, B), or(X, Y)) :- !, nnf(A, X), nnf(B, Y).
nnf(imp(A, B), or(X, Y)) :- !, nnf(not(A), X), nnf(B, Y).
nnf(not(and(A, B)), or(X, Y)) :- !, nnf(not(A), X), nnf(not(B), Y).
nnf(not(or(A, B)), and(X, Y)) :- !, nnf(not(A), X), nnf(not(B), Y).
nnf(not(imp(A, B)), and(X, Y)) :- !, nnf(A, X), nnf(not(B), Y).
nnf(not(not(A)), X) :- !, nnf(A, X).
nnf(A, A).
holds(and(A, B), V) :- holds(A, X), holds(B, Y), both(X, Y, V).
holds(or(A, B), V) :- holds(A, X), holds(B, Y), either(X, Y, V).
holds(not(A), V) :- holds(A, X), flipped(X, V).
holds(p, true).
holds(q, false).
holds(r, true).
both(true, true, true) :- !.
both(_, _, false).
either(false, false, false) :- !.
either(_, _, true).
flipped(true, false).
flipped(false, true).

%% nested: the depth and the number of brackets in a text
%: setup atom_codes('(()((()))(()()((()(())))))((())())', L)
%: goal nested(L, 0, 0, 0, _, _)
nested([], _, M, N, M, N).
nested([40|Cs], D0, M0, N0, M, N) :- !, D is D0+1, N1 is N0+1, ( D > M0 -> M1 = D ; M1 = M0 ), nested(Cs, D, M1, N1, M, N).
nested([41|Cs], D0, M0, N0, M, N) :- !, D is D0-1, nested(Cs, D, M0, N0, M, N).
nested([_|Cs], D, M0, N0, M, N) :- nested(Cs, D, M0, N0, M, N).

%% huffman: a code tree from weights, then a text coded
%: setup W = [3-a, 5-b, 7-c, 11-d, 13-e, 17-f], T = [a, b, c, f, f, e, d, c, b, a, e, f]
%: goal huffman(W, T, _)
huffman(W, T, Bits) :- grown_from(W, Tree), codes_of(Tree, [], Table, []), coded(T, Table, Bits).
grown_from([_-T], T) :- !.
grown_from([A-X, B-Y|W], T) :- C is A+B, weighed(W, C, n(X, Y), W1), grown_from(W1, T).
weighed([], C, T, [C-T]).
weighed([A-X|W], C, T, [C-T, A-X|W]) :- C =< A, !.
weighed([A-X|W], C, T, [A-X|R]) :- weighed(W, C, T, R).
codes_of(n(X, Y), P, C0, C) :- !, codes_of(X, [0|P], C0, C1), codes_of(Y, [1|P], C1, C).
codes_of(X, P, [X-B|C], C) :- turned_round(P, [], B).
turned_round([], L, L).
turned_round([X|Xs], L0, L) :- turned_round(Xs, [X|L0], L).
coded([], _, []).
coded([X|Xs], Table, Bits) :- entry_of(Table, X, B), put_on(B, Rest, Bits), coded(Xs, Table, Rest).
entry_of([X-B|_], X, B) :- !.
entry_of([_|T], X, B) :- entry_of(T, X, B).
put_on([], L, L).
put_on([B|Bs], L, [B|R]) :- put_on(Bs, L, R).

%% spread: a network, shortest ways by waves
%: goal spread([a-0], [], _)
spread([], D, D).
spread([X-N|Q], D0, D) :- settled(D0, X), !, spread(Q, D0, D).
spread([X-N|Q], D0, D) :- edges(X, Es), entered(Es, N, Q, Q1), spread(Q1, [X-N|D0], D).
settled([X-_|_], X) :- !.
settled([_|D], X) :- settled(D, X).
entered([], _, Q, Q).
entered([Y-W|Es], N, Q0, Q) :- M is N+W, in_order(Q0, M, Y, Q1), entered(Es, N, Q1, Q).
in_order([], M, Y, [Y-M]).
in_order([Z-K|Q], M, Y, [Y-M, Z-K|Q]) :- M < K, !.
in_order([E|Q], M, Y, [E|R]) :- in_order(Q, M, Y, R).
edges(a, [b-4, c-1]).
edges(b, [d-1]).
edges(c, [b-2, d-5]).
edges(d, [e-3]).
edges(e, [a-1, f-2]).
edges(f, []).

%% roman: numbers written in Roman digits and read back
%: setup scattered(12, 3, L)
%: goal roman_all(L, _)
roman_all([], []).
roman_all([N|Ns], [M|Ms]) :- roman(N, R), read_roman(R, M), roman_all(Ns, Ms).
roman(0, []) :- !.
roman(N, [D|R]) :- roman_digit(D, V), V =< N, !, M is N-V, roman(M, R).
roman_digit(xc, 90).
roman_digit(l, 50).
roman_digit(xl, 40).
roman_digit(x, 10).
roman_digit(ix, 9).
roman_digit(v, 5).
roman_digit(iv, 4).
roman_digit(i, 1).
read_roman([], 0).
read_roman([D|R], N) :- read_roman(R, M), roman_digit(D, V), !, N is M+V.

%% fractions: sums of fractions in lowest terms
%: goal harmonic(14, 0/1, _)
harmonic(0, F, F) :- !.
harmonic(N, A/B, F) :- C is A*N+B, D is B*N, common(C, D, G), E is C//G, H is D//G, M is N-1, harmonic(M, E/H, F).
common(A, B, G) :- ( B =:= 0 -> G = A ; C is A mod B, common(B, C, G) ).

%% strings: runs of equal neighbours in a list of lists
%: setup L = [[a,a,b],[b,b,b,c],[c],[],[a,b,c,c,c,a]]
%: goal squeezed_all(L, _)
squeezed_all([], []).
squeezed_all([L|Ls], [S|Ss]) :- squeezed(L, S), squeezed_all(Ls, Ss).
squeezed([], []).
squeezed([X], [X]) :- !.
squeezed([X, X|L], S) :- !, squeezed([X|L], S).
squeezed([X|L], [X|S]) :- squeezed(L, S).

%% knapsack: best value by taking or leaving
%: setup L = [i(12, 4), i(2, 2), i(1, 1), i(4, 10), i(1, 2), i(3, 5), i(5, 7)]
%: goal knapsack(L, 15, _)
knapsack([], _, 0).
knapsack([i(W, V)|Is], C, B) :- knapsack(Is, C, B0), ( W =< C -> D is C-W, knapsack(Is, D, B1), B2 is B1+V, better(B0, B2, B) ; B = B0 ).
better(A, B, C) :- ( A >= B -> C = A ; C = B ).

%% partitions: a number as sums in falling order
%: goal partition(9, 9, _)
partition(0, _, []) :- !.
partition(N, M, [K|P]) :- K = M, K =< N, R is N-K, partition(R, K, P).
partition(N, M, P) :- M > 1, L is M-1, partition(N, L, P).

%% tokens: keys looked up in facts, all at once
%: setup L = [if, x, then, while, y, do, begin, z, end, else, repeat, until, w, case, of]
%: goal keyed_all(L, _)
keyed_all([], []).
keyed_all([X|Xs], [K|Ks]) :- ( keyword(X, N) -> K = key(N) ; K = id(X) ), keyed_all(Xs, Ks).
keyword(if, 1).
keyword(then, 2).
keyword(else, 3).
keyword(while, 4).
keyword(do, 5).
keyword(begin, 6).
keyword(end, 7).
keyword(repeat, 8).
keyword(until, 9).
keyword(case, 10).
keyword(of, 11).

%% family: rules over facts, all answers
%: goal cousin(_, _)
cousin(X, Y) :- parent(A, X), sibling(A, B), parent(B, Y).
sibling(X, Y) :- parent(P, X), parent(P, Y), X \== Y.
parent(ann, bob).
parent(ann, cid).
parent(ann, dan).
parent(bob, eve).
parent(bob, fay).
parent(cid, gus).
parent(dan, hal).
parent(dan, ida).
parent(eve, jon).
parent(gus, kim).

%% closure: a relation closed by rounds until nothing is new
%: goal closed([1-2, 2-3, 3-4, 4-5], _)
closed(R, C) :- findall(X-Z, linked(R, X, Z), New), gained(New, R, R, S, no, G), closed_on(G, S, C).
closed_on(no, C, C).
closed_on(yes, S, C) :- closed(S, C).
linked(R, X, Z) :- one_pair(R, X, Y), one_pair(R, Y, Z).
one_pair([X-Y|_], X, Y).
one_pair([_|R], X, Y) :- one_pair(R, X, Y).
gained([], _, S, S, G, G).
gained([P|Ps], R, S0, S, G0, G) :- ( holds_pair(S0, P) -> gained(Ps, R, S0, S, G0, G) ; gained(Ps, R, [P|S0], S, yes, G) ).
holds_pair([P|_], P) :- !.
holds_pair([_|S], P) :- holds_pair(S, P).

%% rotated: a list rotated, split and put together
%: setup ints(1, 30, L)
%: goal rotations(12, L, _)
rotations(0, L, L) :- !.
rotations(N, L, R) :- cut_at(7, L, A, B), glued(B, A, L1), M is N-1, rotations(M, L1, R).
cut_at(0, L, [], L) :- !.
cut_at(N, [X|L], [X|A], B) :- M is N-1, cut_at(M, L, A, B).
glued([], L, L).
glued([X|A], L, [X|R]) :- glued(A, L, R).

%% maxima: least, greatest and mean of lists of lists
%: setup scattered(12, 1, A), scattered(15, 2, B), scattered(9, 3, C)
%: goal statistics_of([A, B, C], _)
statistics_of([], []).
statistics_of([[X|Xs]|Ls], [s(Min, Max, Mean)|Ss]) :- ranged(Xs, X, X, X, 1, Min, Max, Sum, N), Mean is Sum/N, statistics_of(Ls, Ss).
ranged([], Min, Max, Sum, N, Min, Max, Sum, N).
ranged([X|Xs], Min0, Max0, Sum0, N0, Min, Max, Sum, N) :- Min1 is min(X, Min0), Max1 is max(X, Max0), Sum1 is Sum0+X, N1 is N0+1, ranged(Xs, Min1, Max1, Sum1, N1, Min, Max, Sum, N).

%% prices: values looked up in a list of pairs, by its second argument
%: setup scattered(30, 9, L), listed(L, P)
%: goal prices(L, P, 0, _)
prices([], _, S, S).
prices([K|Ks], P, S0, S) :- price(K, P, V), S1 is S0+V, prices(Ks, P, S1, S).
price(K, [K-V|_], V) :- !.
price(K, [_|P], V) :- price(K, P, V).
listed([], []).
listed([K|Ks], [K-K|P]) :- listed(Ks, P).

%% dropped: every occurrence of some elements left out of a list
%: setup scattered(40, 3, L)
%: goal dropped([17, 4, 90, 33, 5], L, _)
dropped([], L, L).
dropped([X|Xs], L0, L) :- leave_out(L0, X, L1), dropped(Xs, L1, L).
leave_out([], _, []).
leave_out([X|L], X, R) :- !, leave_out(L, X, R).
leave_out([Y|L], X, [Y|R]) :- leave_out(L, X, R).

%% places: at which place of a list other elements stand
%: setup ints(1, 40, L)
%: goal places([40, 3, 27, 51, 18, 36], L, _)
places([], _, []).
places([X|Xs], L, [P|Ps]) :- ( place(L, X, 1, P) -> true ; P = none ), places(Xs, L, Ps).
place([X|_], X, N, N) :- !.
place([_|L], X, N0, N) :- N1 is N0+1, place(L, X, N1, N).

%% renamed: atoms in a term replaced, with a table of four
%: goal renamed(f(g(a, b, h(c, d)), f(g(d, c, x), f(h(b, a), f(g(x, y, a), e)))), _)
renamed(f(A, B), f(A1, B1)) :- !, renamed(A, A1), renamed(B, B1).
renamed(g(A, B, C), g(A1, B1, C1)) :- !, renamed(A, A1), renamed(B, B1), renamed(C, C1).
renamed(h(A, B), k(A1, B1)) :- !, renamed(A, A1), renamed(B, B1).
renamed(A, B) :- name_of(A, B), !.
renamed(A, A).
name_of(a, alpha).
name_of(b, beta).
name_of(c, gamma).
name_of(d, delta).

%% valued: expressions of seven kinds are evaluated
%: goal valued(sum(prod(num(3), num(4)), diff(neg(num(5)), half(sum(num(8), twice(num(9)))))), _)
valued(num(N), N).
valued(sum(A, B), N) :- valued(A, X), valued(B, Y), N is X+Y.
valued(diff(A, B), N) :- valued(A, X), valued(B, Y), N is X-Y.
valued(prod(A, B), N) :- valued(A, X), valued(B, Y), N is X*Y.
valued(neg(A), N) :- valued(A, X), N is -X.
valued(half(A), N) :- valued(A, X), N is X//2.
valued(twice(A), N) :- valued(A, X), N is X+X.

%% typed: types of terms of a small functional language
%: goal typed(lam(x, lam(y, app(app(plus, x), app(app(plus, y), lit(1))))), [plus-arrow(int, arrow(int, int))], _)
typed(lit(N), _, int) :- integer(N).
typed(lam(X, B), E, arrow(A, T)) :- typed(B, [X-A|E], T).
typed(app(F, X), E, T) :- typed(F, E, arrow(A, T)), typed(X, E, A).
typed(V, E, T) :- atom(V), declared(E, V, T).
declared([V-T0|_], V, T) :- !, T = T0.
declared([_|E], V, T) :- declared(E, V, T).

%% accepted: words through a finite automaton whose steps are facts
%: goal accepted([[a, b, a, b, b], [b, b, a, a, b, a], [a, a, a], [b, a, b, a, b, a, b]], _)
accepted([], []).
accepted([W|Ws], [A|As]) :- ( through(W, start) -> A = yes ; A = no ), accepted(Ws, As).
through([], S) :- final(S).
through([C|Cs], S) :- next_state(S, C, S1), through(Cs, S1).
next_state(start, a, even).
next_state(start, b, start).
next_state(even, a, odd).
next_state(even, b, even).
next_state(odd, a, even).
next_state(odd, b, dead).
next_state(dead, _, dead).
final(even).
final(start).

%% binomials: binomial coefficients by double recursion
%: goal binomials(8, 4, _)
binomials(_, 0, 1) :- !.
binomials(N, N, 1) :- !.
binomials(N, K, B) :- M is N-1, J is K-1, binomials(M, J, B1), binomials(M, K, B2), B is B1+B2.

%% climbed: ways up a staircase, by three calls
%: goal climbed(9, _)
climbed(N, 0) :- N < 0, !.
climbed(0, 1) :- !.
climbed(N, W) :- A is N-1, B is N-2, C is N-3, climbed(A, X), climbed(B, Y), climbed(C, Z), W is X+Y+Z.

%% leaves: the leaves of two trees compared, without the trees themselves
%: setup bushy(5, A), bushy(5, B)
%: goal leaves(A, B)
leaves(A, B) :- fringe(A, As, []), fringe(B, Bs, []), As == Bs.
fringe(leaf(X), [X|L], L).
fringe(fork(A, B), L0, L) :- fringe(A, L0, L1), fringe(B, L1, L).
bushy(0, leaf(x)) :- !.
bushy(N, fork(A, B)) :- M is N-1, bushy(M, A), bushy(M, B).

%% queue: breadth first through a tree, with two lists for the queue
%: setup bushier(4, T)
%: goal queue([T], [], _)
queue([], [], []) :- !.
queue([], Back, L) :- !, turned(Back, [], Front), queue(Front, [], L).
queue([n|Front], Back, L) :- !, queue(Front, Back, L).
queue([t(A, X, B)|Front], Back, [X|L]) :- queue(Front, [B, A|Back], L).
turned([], L, L).
turned([X|Xs], A, L) :- turned(Xs, [X|A], L).
bushier(0, n) :- !.
bushier(N, t(A, N, B)) :- M is N-1, bushier(M, A), bushier(M, B).

%% paths: all ways down a grid with some fields closed
%: goal paths(1-1)
paths(4-4) :- !.
paths(X-Y) :- X < 4, X1 is X+1, \+ fenced(X1, Y), paths(X1-Y).
paths(X-Y) :- Y < 4, Y1 is Y+1, \+ fenced(X, Y1), paths(X-Y1).
fenced(2, 3).
fenced(3, 1).

%% merged_lists: ordered lists of pairs added up, as polynomials are
%: setup terms(20, A), terms(14, B)
%: goal merged_lists(A, B, _)
merged_lists([], B, B).
merged_lists([A|As], [], [A|As]) :- !.
merged_lists([E-C|As], [F-D|Bs], R) :- compare(O, F, E), merged_by(O, E, C, As, F, D, Bs, R).
merged_by(<, E, C, As, F, D, Bs, [E-C|R]) :- merged_lists(As, [F-D|Bs], R).
merged_by(>, E, C, As, F, D, Bs, [F-D|R]) :- merged_lists([E-C|As], Bs, R).
merged_by(=, E, C, As, _, D, Bs, [E-S|R]) :- S is C+D, merged_lists(As, Bs, R).
terms(0, []) :- !.
terms(N, [E-N|T]) :- E is N*N mod 40+N*3, M is N-1, terms(M, T).

%% balanced_text: brackets of three kinds matched with a stack
%: goal balanced_text(['(', '[', x, ']', '{', '(', ')', y, '}', ')', '[', '(', z, ')', ']'], [])
balanced_text([], []).
balanced_text([C|Cs], S) :- opens(C, D), !, balanced_text(Cs, [D|S]).
balanced_text([C|Cs], [C|S]) :- closes(C), !, balanced_text(Cs, S).
balanced_text([C|Cs], S) :- \+ closes(C), balanced_text(Cs, S).
opens('(', ')').
opens('[', ']').
opens('{', '}').
closes(')').
closes(']').
closes('}').

%% hanged: letters of a word that were guessed, others hidden
%: goal hanged([p, r, o, g, r, a, m, m, i, n, g], [e, a, r, n, i, o], _)
hanged([], _, []).
hanged([C|Cs], Gs, [D|Ds]) :- ( guessed(C, Gs) -> D = C ; D = '_' ), hanged(Cs, Gs, Ds).
guessed(C, [C|_]) :- !.
guessed(C, [_|Gs]) :- guessed(C, Gs).

%% ranked: how many of a list are less than each
%: setup scattered(14, 2, L)
%: goal ranked(L, L, _)
ranked([], _, []).
ranked([X|Xs], L, [X-N|R]) :- lesser(L, X, 0, N), ranked(Xs, L, R).
lesser([], _, N, N).
lesser([Y|L], X, N0, N) :- ( Y < X -> N1 is N0+1 ; N1 = N0 ), lesser(L, X, N1, N).

%% windows: greatest sums of three neighbours
%: setup scattered(40, 8, L)
%: goal windows(L, 0, _)
windows([A, B, C|L], M0, M) :- !, S is A+B+C, M1 is max(S, M0), windows([B, C|L], M1, M).
windows(_, M, M).

%% converted: numbers to base 2 and back
%: setup scattered(6, 5, L)
%: goal converted(L, _)
converted([], []).
converted([N|Ns], [M|Ms]) :- binary(N, [], B), decimal(B, 0, M), converted(Ns, Ms).
binary(0, B, B) :- !.
binary(N, B0, B) :- D is N mod 2, M is N//2, binary(M, [D|B0], B).
decimal([], N, N).
decimal([D|Ds], N0, N) :- N1 is 2*N0+D, decimal(Ds, N1, N).

%% cells: a cellular counter with a ring of states
%: goal cells(40, red, _)
cells(0, S, S) :- !.
cells(N, S, T) :- lamp(S, S1), M is N-1, cells(M, S1, T).
lamp(red, yellow).
lamp(yellow, green).
lamp(green, blue).
lamp(blue, red).

%% split_pairs: pairs taken apart and joined in another order
%: setup ints(1, 30, A), ints(31, 60, B), paired(A, B, P)
%: goal split_pairs(P, _)
split_pairs(P, Q) :- apart(P, A, B), paired(B, A, Q).
apart([], [], []).
apart([A-B|P], [A|As], [B|Bs]) :- apart(P, As, Bs).
paired([], [], []).
paired([A|As], [B|Bs], [A-B|P]) :- paired(As, Bs, P).

%% decoded: run lengths written out
%: goal decoded([3-a, 1-b, 5-c, 2-d, 4-e, 6-a], _)
decoded([], []).
decoded([N-X|P], L) :- repeated(N, X, L, R), decoded(P, R).
repeated(0, _, L, L) :- !.
repeated(N, X, [X|L], R) :- M is N-1, repeated(M, X, L, R).

%% alternatives: all choices of three dishes under a sum
%: goal alternatives(_, _, _)
alternatives(A, B, C) :- dish(first, A, P), dish(second, B, Q), R is P+Q, R < 14, dish(third, C, S), T is R+S, T =< 17.
dish(first, soup, 4).
dish(first, salad, 5).
dish(first, bread, 2).
dish(second, fish, 11).
dish(second, pasta, 8).
dish(second, rice, 7).
dish(third, fruit, 3).
dish(third, cake, 5).
dish(third, cheese, 6).

%% ancestors: chains of facts followed upwards
%: goal ancestors([k, h, i, e], _)
ancestors([], []).
ancestors([X|Xs], [L|Ls]) :- upwards(X, L), ancestors(Xs, Ls).
upwards(X, [X|L]) :- child_of(X, Y), !, upwards(Y, L).
upwards(X, [X]).
child_of(b, a).
child_of(c, a).
child_of(d, b).
child_of(e, b).
child_of(f, c).
child_of(g, d).
child_of(h, d).
child_of(i, f).
child_of(j, g).
child_of(k, j).
child_of(l, e).
child_of(m, l).

%% collected: answers of facts for some keys, one by one
%: goal collected([ann, bob, cid, dan, eve, fay], _)
collected([], []).
collected([X|Xs], [N|Ns]) :- findall(Y, likes(X, Y), Ys), measured(Ys, 0, N), collected(Xs, Ns).
measured([], N, N).
measured([_|L], N0, N) :- N1 is N0+1, measured(L, N1, N).
likes(ann, tea).
likes(bob, tea).
likes(bob, coffee).
likes(cid, milk).
likes(eve, coffee).
likes(eve, cocoa).
likes(eve, tea).

%% asked: whether facts hold, by answers that are all gathered
%: goal asked([1, 2, 3, 4, 5, 6], _)
asked([], []).
asked([X|Xs], [L|Ls]) :- findall(X, odd_one(X), L), asked(Xs, Ls).
odd_one(1).
odd_one(3).
odd_one(5).

%% rewritten: sums normalised by rules until none applies
%: goal rewritten(plus(s(s(z)), plus(s(s(s(z))), times(s(s(z)), s(s(z))))), _)
rewritten(T, N) :- rule_for(T, U), !, rewritten(U, N).
rewritten(s(T), s(N)) :- !, rewritten(T, N).
rewritten(z, z).
rule_for(plus(z, Y), Y) :- !.
rule_for(plus(s(X), Y), s(plus(X, Y))) :- !.
rule_for(plus(X, Y), plus(X1, Y)) :- rule_for(X, X1), !.
rule_for(times(z, _), z) :- !.
rule_for(times(s(X), Y), plus(Y, times(X, Y))) :- !.

%% unified: terms made equal by hand, with a list of bindings
%: goal unified(f(v(1), g(v(2), a)), f(g(b, c), g(a, v(3))), [], _)
unified(A, B, S0, S) :- walked(A, S0, A1), walked(B, S0, B1), same_terms(A1, B1, S0, S).
same_terms(v(N), v(N), S, S) :- !.
same_terms(v(N), B, S, [N-B|S]) :- !.
same_terms(A, v(N), S, [N-A|S]) :- !.
same_terms(f(A, B), f(C, D), S0, S) :- !, unified(A, C, S0, S1), unified(B, D, S1, S).
same_terms(g(A, B), g(C, D), S0, S) :- !, unified(A, C, S0, S1), unified(B, D, S1, S).
same_terms(A, A, S, S).
walked(v(N), S, T) :- stands_for(S, N, T0), !, walked(T0, S, T).
walked(T, _, T).
stands_for([N-T|_], N, T) :- !.
stands_for([_|S], N, T) :- stands_for(S, N, T).

%% counted_down: three counters in one loop
%: goal counted_down(60, 0, 0, 0, _)
counted_down(0, A, B, C, A-B-C) :- !.
counted_down(N, A, B, C, R) :- A1 is A+N, B1 is B+A1 mod 7, C1 is max(C, B1), M is N-1, counted_down(M, A1, B1, C1, R).

%% distinct: neighbours that differ, by two clauses and a test
%: setup scattered(50, 7, L)
%: goal distinct(L, _)
distinct([X, Y|L], R) :- X =:= Y, !, distinct([Y|L], R).
distinct([X, Y|L], [X|R]) :- !, distinct([Y|L], R).
distinct(L, L).

%% voted: votes counted by three accumulators
%: goal voted([a, b, c, a, a, b, d, c, a, b, a, d, c, b, a], 0, 0, 0, _)
voted([], A, B, C, r(A, B, C)).
voted([a|L], A, B, C, R) :- A1 is A+1, voted(L, A1, B, C, R).
voted([b|L], A, B, C, R) :- B1 is B+1, voted(L, A, B1, C, R).
voted([c|L], A, B, C, R) :- C1 is C+1, voted(L, A, B, C1, R).
voted([d|L], A, B, C, R) :- voted(L, A, B, C, R).

%% shared_heads: longest common beginnings
%: setup ints(1, 30, A), ints(1, 25, B)
%: goal shared_heads([A, B, A, B], A, _)
shared_heads([], P, P).
shared_heads([L|Ls], P0, P) :- beginning(P0, L, P1), shared_heads(Ls, P1, P).
beginning([X|Xs], [X|Ys], [X|Zs]) :- !, beginning(Xs, Ys, Zs).
beginning(_, _, []).

%% nested_terms: sums over lists in lists, told apart by their clauses
%: goal nested_terms([1, [2, 3, [4]], [], [[5, 6], 7], 8], 0, _)
nested_terms([], S, S) :- !.
nested_terms([X|Xs], S0, S) :- !, nested_terms(X, S0, S1), nested_terms(Xs, S1, S).
nested_terms(N, S0, S) :- S is S0+N.

%% distances: squares of distances between points
%: setup scattered(12, 4, Xs), scattered(12, 6, Ys)
%: goal distances(Xs, Ys, 7, 9, _)
distances([], [], _, _, []).
distances([X|Xs], [Y|Ys], A, B, [D|Ds]) :- D is (X-A)*(X-A)+(Y-B)*(Y-B), distances(Xs, Ys, A, B, Ds).

%% areas: the area of a polygon by its corners
%: setup scattered(14, 3, Xs), scattered(14, 8, Ys)
%: goal areas(Xs, Ys, 0, _)
areas([X1, X2|Xs], [Y1, Y2|Ys], S0, S) :- !, S1 is S0+X1*Y2-X2*Y1, areas([X2|Xs], [Y2|Ys], S1, S).
areas(_, _, S, A) :- A is abs(S)//2.

%% compounded: interest by whole numbers, year by year
%: goal compounded(25, 100000, 37, _)
compounded(0, C, _, C) :- !.
compounded(N, C0, P, C) :- C1 is C0+C0*P//1000, M is N-1, compounded(M, C1, P, C).

%% checks: a check sum with weights that take turns
%: setup scattered(30, 11, L)
%: goal checks(L, 1, 0, _)
checks([], _, S, C) :- C is (97-S mod 97) mod 97.
checks([D|Ds], W, S0, S) :- S1 is S0+D*W, V is 4-W, checks(Ds, V, S1, S).

%% eithers: a class for each number, by a disjunction whose branches exclude each other
%: setup scattered(30, 5, L)
%: goal eithers(L, _)
eithers([], []).
eithers([X|Xs], [C|Cs]) :- ( X < 33, C = low ; X >= 33, X < 66, C = middle ; X >= 66, C = high ), !, eithers(Xs, Cs).

%% any_of: elements by a disjunction, all of them
%: setup ints(1, 40, L)
%: goal any_of(_, L)
any_of(X, [Y|L]) :- ( X = Y ; any_of(X, L) ).

%% signed: signs before numbers, so that their sum is nothing
%: goal signed([7, 3, 5, 9, 1, 4, 11], 0, _)
signed([], 0, []).
signed([X|Xs], S0, [p|R]) :- S is S0+X, signed(Xs, S, R).
signed([X|Xs], S0, [m|R]) :- S is S0-X, signed(Xs, S, R).

%% interleaved: all ways to deal two lists into one
%: goal interleaved([a, b, c, d], [1, 2, 3], _)
interleaved([], Ys, Ys).
interleaved([X|Xs], [], [X|Xs]).
interleaved([X|Xs], [Y|Ys], [X|Zs]) :- interleaved(Xs, [Y|Ys], Zs).
interleaved([X|Xs], [Y|Ys], [Y|Zs]) :- interleaved([X|Xs], Ys, Zs).

%% walks: all walks of four steps through facts
%: goal walks(4, p, _)
walks(0, X, [X]) :- !.
walks(N, X, [X|W]) :- street(X, Y), M is N-1, walks(M, Y, W).
street(p, q).
street(p, r).
street(q, r).
street(q, s).
street(r, p).
street(r, s).
street(s, p).

%% halved: all ways to cut a list in two with equal sums
%: setup ints(1, 15, L)
%: goal halved(L, _, _)
halved(L, A, B) :- front(L, A, B), total(A, 0, S), total(B, 0, T), S > T.
front(L, [], L).
front([X|L], [X|A], B) :- front(L, A, B).
total([], S, S).
total([X|L], S0, S) :- S1 is S0+X, total(L, S1, S).

%% measures_of: the divisors of a number, one after the other
%: goal measures_of(60, _)
measures_of(N, D) :- between(1, N, D), N mod D =:= 0.

%% typed_all: kinds of things, by nested conditions and tests of types
%: goal typed_all([a, 1, "s", f(x), 2.5, [], [b], g(1, 2), c, 7], _)
typed_all([], []).
typed_all([X|Xs], [K|Ks]) :- ( atom(X) -> K = atom ; integer(X) -> K = integer ; compound(X) -> functor(X, N, A), K = N/A ; number(X) -> K = number ; K = other ), typed_all(Xs, Ks).

%% chosen_first: the first element that two conditions let through
%: setup scattered(25, 12, L)
%: goal chosen_first(L, L, _)
chosen_first([], _, []).
chosen_first([X|Xs], L, [Y|Ys]) :- ( larger(L, X, Z), Z mod 3 =:= 0 -> Y = Z ; Y = X ), chosen_first(Xs, L, Ys).
larger([Z|_], X, Z) :- Z > X.
larger([_|L], X, Z) :- larger(L, X, Z).

%% stores_#: @ for each element
%: each assertz(stored_#(X)), retractall(stored_#(_)) | asserta(stored_#(X)), retractall(stored_#(_)) | assert(stored_#(X)), retractall(stored_#(_)) | assertz(stored_#(X)), retract(stored_#(X)) | assertz(stored_#(X)), retract(stored_#(_)) | retractall(stored_#(_)) | assertz(stored_#(X)), assertz(stored_#(a)), retract(stored_#(_)), retract(stored_#(_)) | assertz((stored_#(Y) :- Y > X, atom(Y))), retractall(stored_#(_))
%: setup ints(1, 30, L)
%: goal stores_#(L)
stores_#([]).
stores_#([X|T]) :- @, stores_#(T).

%% stores_long_#: @ for each element, T being long
%: each assertz(kept_#(T)), retractall(kept_#(_)) | asserta(kept_#(T)), retractall(kept_#(_)) | assert(kept_#(T)), retractall(kept_#(_)) | assertz(kept_#(T)), retract(kept_#(_))
%: setup ints(1, 10, L), scattered(100, 5, T)
%: goal stores_long_#(L, T)
stores_long_#([], _).
stores_long_#([_|R], T) :- @, stores_long_#(R, T).

%% tallied: a counter kept in a clause
%: setup ints(1, 25, L)
%: goal tallied(L, _)
tallied(L, N) :- assertz(tally(0)), tally_all(L), retract(tally(N)).
tally_all([]).
tally_all([_|L]) :- retract(tally(N)), M is N+1, assertz(tally(M)), tally_all(L).

%% stacked: a stack of clauses, filled and emptied
%: setup scattered(20, 9, L)
%: goal stacked(L, _)
stacked(L, R) :- push_all(L), pop_all(R).
push_all([]).
push_all([X|L]) :- asserta(pushed(X)), push_all(L).
pop_all(R) :- ( retract(pushed(X)) -> R = [X|T], pop_all(T) ; R = [] ).

%% gathered: clauses added, then taken back by backtracking
%: setup scattered(20, 4, L)
%: goal gathered(L, _)
gathered(L, R) :- put_all(L), findall(X-Y, retract(put(X, Y)), R).
put_all([]).
put_all([X|L]) :- Y is X*X, assertz(put(X, Y)), put_all(L).

%% maps_#: the closure @ for each element
%: each next_# | plus_#(3) | mix_#(1, 2, 3) | twice_#(X-Y)
%: setup ints(1, 100, L)
%: goal maps_#(L)
maps_#(L) :- map_#(L, @).
map_#([], _).
map_#([X|Xs], F) :- call(F, X, _), map_#(Xs, F).
next_#(_, _).
plus_#(_, _, _).
mix_#(_, _, _, _, _).
twice_#(_, _, _).

%% lambdas_#: the lambda expression @ for each element
%: each [A,B]>>seen_#(A, B) | [A,B]>>( seen_#(A, B), seen_#(B, A) ) | {Z}/[A,B]>>seen_#(A, B) | [A,B]>>seen_#(f(A, g(c, d)), [B, e]) | [A,B]>>( B is A+1 )
%: setup ints(1, 100, L)
%: goal lambdas_#(L)
lambdas_#(L) :- applied_#(L, @).
applied_#([], _).
applied_#([X|Xs], F) :- call(F, X, _), applied_#(Xs, F).
seen_#(_, _).
