% Control programs: of the kinds that people write, never part of a fit (PADL'08 §5 has such a set). What constants predict for them is compared with what
% they take.
%
% Blocks are those of `calibrators.pl`. The events of each run are in `runs.tsv`, counted by the meta-interpreter in `tests/events`; a test compares
% them, and UPDATE_EXPECT=1 writes them anew. Where `%: size` gives sizes, inference has exact bounds there, which the test compares, too.

%% prelude: inputs
upto(N, N, [N]) :- !.
upto(I, N, [I|L]) :- J is I+1, upto(J, N, L).
% Numbers in no order, by a linear congruence.
jumbled(0, _, []) :- !.
jumbled(N, S, [X|L]) :- M is N-1, T is (S*1103+12345) mod 65536, X is T//16, jumbled(M, T, L).
written(0, _, []) :- !.
written(N, S, [C|L]) :- M is N-1, T is (S*1103+12345) mod 65536, K is T mod 7, ( K =:= 0 -> C = 32 ; C is 97+T mod 26 ), written(M, T, L).

%% quicksort: pivot, two parts, append
%: setup jumbled(80, 1, L)
%: goal quicksort(L, _)
quicksort([], []).
quicksort([X|Xs], S) :- parted(Xs, X, Ls, Gs), quicksort(Ls, A), quicksort(Gs, B), joined(A, [X|B], S).
parted([], _, [], []).
parted([Y|Ys], X, [Y|Ls], Gs) :- Y =< X, !, parted(Ys, X, Ls, Gs).
parted([Y|Ys], X, Ls, [Y|Gs]) :- parted(Ys, X, Ls, Gs).
joined([], L, L).
joined([X|Xs], L, [X|R]) :- joined(Xs, L, R).

%% mergesort: halves by turns, ordered lists merged
%: setup jumbled(64, 2, L)
%: goal mergesort(L, _)
mergesort([], []) :- !.
mergesort([X], [X]) :- !.
mergesort(L, S) :- dealt(L, A, B), mergesort(A, SA), mergesort(B, SB), merged(SA, SB, S).
dealt([], [], []).
dealt([X], [X], []).
dealt([X, Y|L], [X|A], [Y|B]) :- dealt(L, A, B).
merged([], L, L) :- !.
merged(L, [], L) :- !.
merged([X|A], [Y|B], [X|S]) :- X =< Y, !, merged(A, [Y|B], S).
merged(A, [Y|B], [Y|S]) :- merged(A, B, S).

%% insertion: insertion sort with if-then-else
%: setup jumbled(30, 3, L)
%: goal insertion(L, _)
insertion([], []).
insertion([X|Xs], S) :- insertion(Xs, S0), put_in(S0, X, S).
put_in([], X, [X]).
put_in([Y|Ys], X, S) :- ( X =< Y -> S = [X, Y|Ys] ; S = [Y|Zs], put_in(Ys, X, Zs) ).

%% selection: least element taken out, again and again
%: setup jumbled(25, 4, L)
%: goal selection(L, _)
selection([], []).
selection([X|Xs], [M|S]) :- least_of(Xs, X, M), without(M, [X|Xs], R), selection(R, S).
least_of([], M, M).
least_of([X|Xs], M0, M) :- X < M0, !, least_of(Xs, X, M).
least_of([_|Xs], M0, M) :- least_of(Xs, M0, M).
without(X, [X|L], L) :- !.
without(X, [Y|L], [Y|R]) :- without(X, L, R).

%% bubbles: passes until nothing changes
%: setup jumbled(16, 5, L)
%: goal bubbles(L, _)
bubbles(L, S) :- pass(L, L1, no, Changed), bubbles_on(Changed, L1, S).
bubbles_on(no, S, S).
bubbles_on(yes, L, S) :- bubbles(L, S).
pass([], [], C, C).
pass([X], [X], C, C) :- !.
pass([X, Y|L], [Y|R], _, C) :- X > Y, !, pass([X|L], R, yes, C).
pass([X|L], [X|R], C0, C) :- pass(L, R, C0, C).

%% permutations: all orders of six elements
%: setup upto(1, 6, L)
%: goal orders(L, _)
orders([], []).
orders(L, [X|P]) :- taken(X, L, R), orders(R, P).
taken(X, [X|L], L).
taken(X, [Y|L], [Y|R]) :- taken(X, L, R).

%% combinations: four out of nine
%: setup upto(1, 9, L)
%: goal chosen_of(4, L, _)
chosen_of(0, _, []) :- !.
chosen_of(N, [X|L], [X|C]) :- M is N-1, chosen_of(M, L, C).
chosen_of(N, [_|L], C) :- chosen_of(N, L, C).

%% uniques: elements that were not seen before
%: setup jumbled(40, 6, L)
%: goal uniques(L, [], _)
uniques([], _, []).
uniques([X|Xs], Seen, U) :- ( known(X, Seen) -> U = U1 ; U = [X|U1] ), uniques(Xs, [X|Seen], U1).
known(X, [X|_]) :- !.
known(X, [_|L]) :- known(X, L).

%% runs: run-length encoding of an ordered list with repetitions
%: setup L = [a,a,a,b,c,c,a,a,d,d,d,d,e,a,a,a,b,b,c,d,e,e,e,e,e,a,b,b,b,c]
%: goal runs(L, _)
runs([], []).
runs([X|Xs], [N-X|R]) :- run(Xs, X, 1, N, Rest), runs(Rest, R).
run([X|Xs], X, N0, N, Rest) :- !, N1 is N0+1, run(Xs, X, N1, N, Rest).
run(Rest, _, N, N, Rest).

%% flattened: nested lists, told apart by a test
%: setup T = [1,[2,[3,4],5],[],[[6],[[7,8]]],9,[10,[11,[12,[13]]]],[14,15,[16]]]
%: goal flattened(T, _)
flattened(T, L) :- flat(T, L, []).
flat([], L, L) :- !.
flat([X|Xs], L0, L) :- !, flat(X, L0, L1), flat(Xs, L1, L).
flat(X, [X|L], L).

%% unions: two ordered lists, three cases by comparison
%: setup upto(1, 40, A), upto(20, 60, B)
%: goal unions(A, B, _)
unions([], B, B) :- !.
unions(A, [], A) :- !.
unions([X|A], [Y|B], U) :- compare(O, X, Y), unions_by(O, X, A, Y, B, U).
unions_by(<, X, A, Y, B, [X|U]) :- unions(A, [Y|B], U).
unions_by(>, X, A, Y, B, [Y|U]) :- unions([X|A], B, U).
unions_by(=, X, A, _, B, [X|U]) :- unions(A, B, U).

%% found_in: every place of a part in a list
%: setup L = [a,b,a,b,c,a,b,c,a,a,b,c,d,a,b,c,a,b,a,b,c,c,a,b,c]
%: goal found_in([a,b,c], L, _)
found_in(P, L, 0) :- leads(P, L).
found_in(P, [_|L], N) :- found_in(P, L, M), N is M+1.
leads([], _).
leads([X|P], [X|L]) :- leads(P, L).

%% transposed: a matrix of eight rows
%: setup upto(1, 8, R), M = [R,R,R,R,R,R,R,R]
%: goal transposed(M, _)
transposed([[]|_], []) :- !.
transposed(M, [C|T]) :- firsts(M, C, R), transposed(R, T).
firsts([], [], []).
firsts([[X|Xs]|M], [X|C], [Xs|R]) :- firsts(M, C, R).

%% product: matrices of six rows and columns
%: setup upto(1, 6, R), M = [R,R,R,R,R,R]
%: goal product(M, M, _)
product([], _, []).
product([R|Rs], Cs, [P|Ps]) :- row_by(Cs, R, P), product(Rs, Cs, Ps).
row_by([], _, []).
row_by([C|Cs], R, [D|Ds]) :- dotted(R, C, 0, D), row_by(Cs, R, Ds).
dotted([], [], D, D).
dotted([X|Xs], [Y|Ys], D0, D) :- D1 is D0+X*Y, dotted(Xs, Ys, D1, D).

%% sieved: primes up to 80
%: setup upto(2, 80, L)
%: goal sieved(L, _)
sieved([], []).
sieved([P|Xs], [P|Ps]) :- struck(Xs, P, Ys), sieved(Ys, Ps).
struck([], _, []).
struck([X|Xs], P, Ys) :- X mod P =:= 0, !, struck(Xs, P, Ys).
struck([X|Xs], P, [X|Ys]) :- struck(Xs, P, Ys).

%% divided: primes by trial division
%: goal divided(2, 60, _)
divided(N, Max, []) :- N > Max, !.
divided(N, Max, Ps) :- ( undivided(N, 2) -> Ps = [N|Qs] ; Ps = Qs ), M is N+1, divided(M, Max, Qs).
undivided(N, D) :- D*D > N, !.
undivided(N, D) :- N mod D =\= 0, E is D+1, undivided(N, E).

%% euclid: greatest common divisors of pairs
%: setup jumbled(30, 7, A), jumbled(30, 8, B)
%: goal divisors(A, B, _)
divisors([], [], []).
divisors([X|Xs], [Y|Ys], [D|Ds]) :- euclid(X, Y, D), divisors(Xs, Ys, Ds).
euclid(X, 0, X) :- !.
euclid(X, Y, D) :- Z is X mod Y, euclid(Y, Z, D).

%% ackermann: Ackermann's function of 2 and 5
%: goal ackermann(2, 5, _)
ackermann(0, N, R) :- !, R is N+1.
ackermann(M, 0, R) :- !, K is M-1, ackermann(K, 1, R).
ackermann(M, N, R) :- N1 is N-1, ackermann(M, N1, R1), M1 is M-1, ackermann(M1, R1, R).

%% collatz: lengths of 3n+1 sequences
%: goal collatz_all(20, _)
collatz_all(0, []) :- !.
collatz_all(N, [S|Ss]) :- collatz(N, 0, S), M is N-1, collatz_all(M, Ss).
collatz(1, S, S) :- !.
collatz(N, S0, S) :- 0 =:= N mod 2, !, M is N//2, S1 is S0+1, collatz(M, S1, S).
collatz(N, S0, S) :- M is 3*N+1, S1 is S0+1, collatz(M, S1, S).

%% powers: powers modulo a number, by squares
%: setup jumbled(20, 9, L)
%: goal powers(L, _)
powers([], []).
powers([X|Xs], [P|Ps]) :- power(X, 117, 1, P), powers(Xs, Ps).
power(_, 0, P, P) :- !.
power(B, N, P0, P) :- ( N /\ 1 =:= 1 -> P1 is P0*B mod 1009 ; P1 = P0 ), C is B*B mod 1009, M is N>>1, power(C, M, P1, P).

%% horner: a polynomial at some places
%: setup upto(1, 12, P)
%: goal tabulated(10, P, _)
%: size 10 12
:- entry tabulated(A, B, C) : (int(A), list(B, int), var(C)).
tabulated(0, _, []) :- !.
tabulated(X, P, [Y|Ys]) :- horner(P, X, 0, Y), X1 is X-1, tabulated(X1, P, Ys).
horner([], _, Y, Y).
horner([C|Cs], X, Y0, Y) :- Y1 is (Y0*X+C) mod 10007, horner(Cs, X, Y1, Y).

%% digits: numbers taken apart and put together backwards
%: setup jumbled(25, 10, L)
%: goal mirrored(L, _)
mirrored([], []).
mirrored([X|Xs], [Y|Ys]) :- reversed_digits(X, 0, Y), mirrored(Xs, Ys).
reversed_digits(0, Y, Y) :- !.
reversed_digits(X, Y0, Y) :- D is X mod 10, Z is X//10, Y1 is Y0*10+D, reversed_digits(Z, Y1, Y).

%% triples: Pythagorean triples below sixteen
%: goal triple(15, _, _, _)
triple(N, A, B, C) :- any_of(1, N, A), any_of(A, N, B), S is A*A+B*B, any_of(B, N, C), S =:= C*C.
any_of(L, H, L) :- L =< H.
any_of(L, H, X) :- L < H, M is L+1, any_of(M, H, X).

%% planted: a search tree from numbers, then all of them found
%: setup jumbled(40, 11, L)
%: goal planted(L, _)
planted(L, N) :- grown(L, nil, T), looked_up(L, T, 0, N).
grown([], T, T).
grown([X|Xs], T0, T) :- planted_in(T0, X, T1), grown(Xs, T1, T).
planted_in(nil, X, t(nil, X, nil)).
planted_in(t(L, Y, R), X, T) :- compare(O, X, Y), planted_by(O, L, Y, R, X, T).
planted_by(=, L, Y, R, _, t(L, Y, R)).
planted_by(<, L, Y, R, X, t(L1, Y, R)) :- planted_in(L, X, L1).
planted_by(>, L, Y, R, X, t(L, Y, R1)) :- planted_in(R, X, R1).
looked_up([], _, N, N).
looked_up([X|Xs], T, N0, N) :- depth_of(X, T, 1, D), N1 is N0+D, looked_up(Xs, T, N1, N).
depth_of(X, t(_, X, _), D, D) :- !.
depth_of(X, t(L, Y, _), D0, D) :- X < Y, !, D1 is D0+1, depth_of(X, L, D1, D).
depth_of(X, t(_, _, R), D0, D) :- D1 is D0+1, depth_of(X, R, D1, D).

%% inorder: a full tree to a list, by a difference list
%: setup full(6, T)
%: goal inorder(T, _)
inorder(T, L) :- inorder(T, L, []).
inorder(leaf, L, L).
inorder(node(A, X, B), L0, L) :- inorder(A, L0, [X|L1]), inorder(B, L1, L).
full(0, leaf) :- !.
full(N, node(A, N, B)) :- M is N-1, full(M, A), full(M, B).

%% mirror: a full tree turned round, its height and its sum
%: setup grove(6, T)
%: goal turned(T, _, _, _)
turned(T, M, H, S) :- turn(T, M), tall(M, H), summed(M, S).
turn(leaf, leaf).
turn(node(A, X, B), node(C, X, D)) :- turn(B, C), turn(A, D).
tall(leaf, 0).
tall(node(A, _, B), H) :- tall(A, HA), tall(B, HB), H is max(HA, HB)+1.
summed(leaf, 0).
summed(node(A, X, B), S) :- summed(A, SA), summed(B, SB), S is SA+X+SB.
grove(0, leaf) :- !.
grove(N, node(A, N, B)) :- M is N-1, grove(M, A), grove(M, B).

%% heaps: a leftist heap, filled and emptied
%: setup jumbled(30, 12, L)
%: goal heaps(L, _)
heaps(L, S) :- heaped(L, nil, H), emptied(H, S).
heaped([], H, H).
heaped([X|Xs], H0, H) :- melded(h(1, X, nil, nil), H0, H1), heaped(Xs, H1, H).
emptied(nil, []).
emptied(h(_, X, L, R), [X|S]) :- melded(L, R, H), emptied(H, S).
melded(nil, H, H) :- !.
melded(H, nil, H) :- !.
melded(h(N, X, L, R), h(M, Y, P, Q), H) :-
    ( X =< Y -> melded(R, h(M, Y, P, Q), S), balanced_heap(X, L, S, H) ; melded(h(N, X, L, R), Q, S), balanced_heap(Y, P, S, H) ).
balanced_heap(X, A, B, H) :- rank(A, I), rank(B, J), ( I >= J -> N is J+1, H = h(N, X, A, B) ; N is I+1, H = h(N, X, B, A) ).
rank(nil, 0).
rank(h(N, _, _, _), N).

%% simplified: rules on expressions
%: setup E = (0+x)*(1*y+0*(z+1))+(x-0)*(y/1)+((1*(0+(1*x)))+0)*((z+0)*(1*1))
%: goal simplified(E, _)
simplified(A+B, S) :- !, simplified(A, X), simplified(B, Y), sum_of(X, Y, S).
simplified(A-B, S) :- !, simplified(A, X), simplified(B, Y), difference_of(X, Y, S).
simplified(A*B, S) :- !, simplified(A, X), simplified(B, Y), product_of(X, Y, S).
simplified(A/B, S) :- !, simplified(A, X), simplified(B, Y), quotient_of(X, Y, S).
simplified(A, A).
sum_of(0, Y, Y) :- !.
sum_of(X, 0, X) :- !.
sum_of(X, Y, X+Y).
difference_of(X, 0, X) :- !.
difference_of(X, Y, X-Y).
product_of(0, _, 0) :- !.
product_of(_, 0, 0) :- !.
product_of(1, Y, Y) :- !.
product_of(X, 1, X) :- !.
product_of(X, Y, X*Y).
quotient_of(X, 1, X) :- !.
quotient_of(X, Y, X/Y).

%% words: a text of codes cut into words
%: setup written(120, 13, L)
%: goal words(L, _)
words([], []).
words([32|Cs], Ws) :- !, words(Cs, Ws).
words([C|Cs], [[C|W]|Ws]) :- word(Cs, W, Rest), words(Rest, Ws).
word([C|Cs], [C|W], Rest) :- C =\= 32, !, word(Cs, W, Rest).
word(Rest, [], Rest).

%% letters: classes of characters counted
%: setup written(100, 14, L)
%: goal letters(L, 0, 0, 0, _)
letters([], V, C, S, n(V, C, S)).
letters([X|Xs], V, C, S, N) :- class(X, K), counted_as(K, V, C, S, V1, C1, S1), letters(Xs, V1, C1, S1, N).
class(32, space) :- !.
class(97, vowel) :- !.
class(101, vowel) :- !.
class(105, vowel) :- !.
class(111, vowel) :- !.
class(117, vowel) :- !.
class(_, consonant).
counted_as(vowel, V, C, S, V1, C, S) :- V1 is V+1.
counted_as(consonant, V, C, S, V, C1, S) :- C1 is C+1.
counted_as(space, V, C, S, V, C, S1) :- S1 is S+1.

%% shifted: atoms through their codes and back
%: setup L = [alpha, bravo, charlie, delta, echo, foxtrot, golf, hotel, india, juliett]
%: goal shifted(L, _)
shifted([], []).
shifted([A|As], [B|Bs]) :- atom_codes(A, Cs), moved(Cs, Ds), atom_codes(B, Ds), shifted(As, Bs).
moved([], []).
moved([C|Cs], [D|Ds]) :- D is (C-97+13) mod 26+97, moved(Cs, Ds).

%% parsed: sums and products of tokens, with brackets
%: setup T = [n(1),+,n(2),*,'(',n(3),+,n(4),*,n(5),')',+,n(6),*,n(7),+,'(',n(8),+,n(9),')',*,'(',n(10),+,n(11),')']
%: goal parsed(T, _)
parsed(T, V) :- p_sum(T, V, []).
p_sum(T0, V, T) :- p_product(T0, V1, T1), p_more_sum(T1, V1, V, T).
p_more_sum([+|T0], V0, V, T) :- !, p_product(T0, V1, T1), V2 is V0+V1, p_more_sum(T1, V2, V, T).
p_more_sum(T, V, V, T).
p_product(T0, V, T) :- p_factor(T0, V1, T1), p_more_product(T1, V1, V, T).
p_more_product([*|T0], V0, V, T) :- !, p_factor(T0, V1, T1), V2 is V0*V1, p_more_product(T1, V2, V, T).
p_more_product(T, V, V, T).
p_factor([n(V)|T], V, T).
p_factor(['('|T0], V, T) :- p_sum(T0, V, [')'|T]).

%% queens: all solutions for five queens
%: setup upto(1, 5, L)
%: goal queens(L, [], _)
queens([], Qs, Qs).
queens(L, Qs0, Qs) :- placed(Q, L, R), unattacked(Qs0, Q, 1), queens(R, [Q|Qs0], Qs).
placed(X, [X|L], L).
placed(X, [Y|L], [Y|R]) :- placed(X, L, R).
unattacked([], _, _).
unattacked([Q|Qs], X, D) :- X =\= Q+D, X =\= Q-D, E is D+1, unattacked(Qs, X, E).

%% colours: a map of six countries in three colours
%: goal colours(_, _, _, _, _, _)
colours(A, B, C, D, E, F) :- next_to(A, B), next_to(A, C), next_to(B, C), next_to(B, D), next_to(C, D), next_to(C, E), next_to(D, E), next_to(D, F), next_to(E, F).
next_to(red, green).
next_to(red, blue).
next_to(green, red).
next_to(green, blue).
next_to(blue, red).
next_to(blue, green).

%% routes: all ways through a graph without circles
%: goal route(a, j, _)
route(X, X, [X]).
route(X, Z, [X|P]) :- arc(X, Y), route(Y, Z, P).
arc(a, b).
arc(a, c).
arc(b, d).
arc(b, e).
arc(c, e).
arc(c, f).
arc(d, g).
arc(e, g).
arc(e, h).
arc(f, h).
arc(g, i).
arc(h, i).
arc(h, j).
arc(i, j).

%% reached: a graph with circles, nodes seen before left out
%: goal reached([a], [], _)
reached([], Seen, Seen).
reached([X|Xs], Seen, R) :- seen(X, Seen), !, reached(Xs, Seen, R).
reached([X|Xs], Seen, R) :- findall(Y, leads_to(X, Y), Ys), put_before(Ys, Xs, Zs), reached(Zs, [X|Seen], R).
seen(X, [X|_]) :- !.
seen(X, [_|L]) :- seen(X, L).
put_before([], L, L).
put_before([X|Xs], L, [X|R]) :- put_before(Xs, L, R).
leads_to(a, b).
leads_to(a, c).
leads_to(b, a).
leads_to(b, d).
leads_to(c, e).
leads_to(d, f).
leads_to(e, f).
leads_to(e, c).
leads_to(f, g).
leads_to(g, h).
leads_to(h, a).

%% subset_sums: parts of a list with a given sum
%: setup L = [31, 27, 22, 19, 14, 11, 7, 3]
%: goal subset_sum(L, 50, _)
subset_sum(_, 0, []) :- !.
subset_sum([X|Xs], S, [X|R]) :- X =< S, T is S-X, subset_sum(Xs, T, R).
subset_sum([_|Xs], S, R) :- subset_sum(Xs, S, R).

%% change: the number of ways to pay an amount
%: goal change(30, [20, 10, 5, 2, 1], _)
change(0, _, 1) :- !.
change(A, Cs, N) :- ( A < 0 -> N = 0 ; change_by(Cs, A, N) ).
change_by([], _, 0).
change_by([C|Cs], A, N) :- B is A-C, change(B, [C|Cs], N1), change(A, Cs, N2), N is N1+N2.

%% proved: a meta-interpreter on naive reverse
%: setup upto(1, 12, L)
%: goal proved(rev(L, _))
proved(true) :- !.
proved((A, B)) :- !, proved(A), proved(B).
proved(A) :- rule(A, B), proved(B).
rule(rev([], []), true).
rule(rev([X|Xs], R), (rev(Xs, S), app(S, [X], R))).
rule(app([], L, L), true).
rule(app([X|Xs], L, [X|R]), app(Xs, L, R)).

%% moves: towers of Hanoi with the list of moves
%: goal moves(6, a, b, c, _, [])
moves(0, _, _, _, M, M) :- !.
moves(N, A, B, C, M0, M) :- K is N-1, moves(K, A, C, B, M0, [m(A, B)|M1]), moves(K, C, B, A, M1, M).

%% turing: a machine that adds one to a binary number on a tape
%: setup same_bit(20, 1, T)
%: goal turing(right, [], T, _)
turing(done, L, R, t(L, R)).
turing(S, L, R, T) :- under(R, X, R1), instruction(S, X, S1, Y, M), shifted_to(M, L, Y, R1, L1, R2), turing(S1, L1, R2, T).
under([], b, []).
under([X|R], X, R).
instruction(right, 0, right, 0, r).
instruction(right, 1, right, 1, r).
instruction(right, b, carry, b, l).
instruction(carry, 1, carry, 0, l).
instruction(carry, 0, done, 1, l).
instruction(carry, b, done, 1, l).
shifted_to(r, L, Y, R, [Y|L], R).
shifted_to(l, [], Y, R, [], [b, Y|R]).
shifted_to(l, [X|L], Y, R, L, [X, Y|R]).
same_bit(0, _, []) :- !.
same_bit(N, B, [B|T]) :- M is N-1, same_bit(M, B, T).

%% life: one generation of cells in a row
%: setup jumbled(60, 15, L0), bits(L0, L)
%: goal generations(8, L, _)
generations(0, L, L) :- !.
generations(N, L0, L) :- generation([0|L0], L1), M is N-1, generations(M, L1, L).
generation([_], []) :- !.
generation([A, B], [C]) :- !, born(A, B, 0, C).
generation([A, B, D|L], [C|R]) :- born(A, B, D, C), generation([B, D|L], R).
born(A, B, C, X) :- S is A+B+C, ( S =:= 1 -> X = 1 ; S =:= 2 -> X = 1 ; X = 0 ).
bits([], []).
bits([X|Xs], [B|Bs]) :- B is X mod 2, bits(Xs, Bs).

%% grouped: keys and values gathered
%: setup L = [a-1,b-2,a-3,c-4,b-5,a-6,d-7,c-8,a-9,b-10,d-11,c-12,a-13,d-14,b-15]
%: goal grouped(L, _)
grouped([], []).
grouped([K-V|Ps], [K-[V|Vs]|Gs]) :- of_key(Ps, K, Vs, Rest), grouped(Rest, Gs).
of_key([], _, [], []).
of_key([K-V|Ps], K, [V|Vs], Rest) :- !, of_key(Ps, K, Vs, Rest).
of_key([P|Ps], K, Vs, [P|Rest]) :- of_key(Ps, K, Vs, Rest).
