% The calibrators: programs of which every count is known exactly, and which together tell apart what each event costs.
%
% A block begins with `%% NAME: what it is for`. `%: setup` binds the inputs and is not measured, `%: goal` is what is measured, over all of its
% solutions, and `%: size` gives the size of each input in the order of its arguments (`_` where there is none to measure).
% The first block has what setups call.

%% prelude: inputs
from_to(N, N, [N]) :- !.
from_to(I, N, [I|L]) :- J is I+1, from_to(J, N, L).
same(0, _, []) :- !.
same(N, X, [X|L]) :- M is N-1, same(M, X, L).
pairs(0, []) :- !.
pairs(N, [N-a|L]) :- M is N-1, pairs(M, L).
% The numbers below N, 0 last, the others not in order.
mixed(N, L) :- M is N-1, mixed(M, N, L).
mixed(0, _, [0]) :- !.
mixed(I, N, [X|L]) :- X is I*(N+1) mod 7*N+I, J is I-1, mixed(J, N, L).
spelt(N, A) :- same(N, 97, L), atom_codes(A, L).
peano(0, z) :- !.
peano(N, s(P)) :- M is N-1, peano(M, P).
balanced(0, e) :- !.
balanced(N, t(L, N, R)) :- M is N-1, balanced(M, L), balanced(M, R).

%% walk: cells in the first argument, a last call
%: setup from_to(1, 100, L)
%: goal walk(L)
%: size 100
:- entry walk(A) : list(A, int).
walk([]).
walk([_|T]) :- walk(T).

%% walk2: one more argument handed on
%: setup from_to(1, 100, L)
%: goal walk2(L, x)
%: size 100
:- entry walk2(A, B) : (list(A, int), atm(B)).
walk2([], _).
walk2([_|T], X) :- walk2(T, X).

%% walk4: three more arguments handed on
%: setup from_to(1, 100, L)
%: goal walk4(L, x, y, z)
%: size 100
:- entry walk4(A, B, C, D) : (list(A, int), atm(B), atm(C), atm(D)).
walk4([], _, _, _).
walk4([_|T], X, Y, Z) :- walk4(T, X, Y, Z).

%% walk8: seven more arguments handed on
%: setup from_to(1, 100, L)
%: goal walk8(L, a, b, c, d, e, f, g)
%: size 100
:- entry walk8(A, B, C, D, E, F, G, H) : (list(A, int), atm(B), atm(C), atm(D), atm(E), atm(F), atm(G), atm(H)).
walk8([], _, _, _, _, _, _, _).
walk8([_|T], A, B, C, D, E, F, G) :- walk8(T, A, B, C, D, E, F, G).

%% opens_#: a term with new variables that are handed on, @
%: each p(Y, Y) | p(Y, Z, Y, Z) | p(Y, Y, Y, Y)
%: setup from_to(1, 100, L)
%: goal opens_#(L, x)
%: size 100
:- entry opens_#(A, B) : (list(A, int), nonvar(B)).
opens_#([], _).
opens_#([_|T], _) :- opens_#(T, @).

%% shuffle: arguments that change places
%: setup from_to(1, 100, L)
%: goal shuffle(L, a, b, c)
%: size 100
:- entry shuffle(A, B, C, D) : (list(A, int), atm(B), atm(C), atm(D)).
shuffle([], _, _, _).
shuffle([_|T], X, Y, Z) :- shuffle(T, Y, Z, X).

%% atoms: constants as arguments of a call
%: setup from_to(1, 100, L)
%: goal atoms(L, a, b)
%: size 100
:- entry atoms(A, B, C) : (list(A, int), atm(B), atm(C)).
atoms([], _, _).
atoms([_|T], _, _) :- atoms(T, a, b).

%% copy: a list is written beside the one that is read
%: setup from_to(1, 100, L)
%: goal copy(L, _)
%: size 100
:- entry copy(A, B) : (list(A, int), var(B)).
copy([], []).
copy([X|T], [X|R]) :- copy(T, R).

%% conc: append
%: setup from_to(1, 100, L)
%: goal conc(L, [], _)
%: size 100 0
:- entry conc(A, B, C) : (list(A, int), list(B, int), var(C)).
conc([], L, L).
conc([X|T], L, [X|R]) :- conc(T, L, R).

%% writes: a structure for each element
%: setup from_to(1, 100, L)
%: goal writes(L, _)
%: size 100
:- entry writes(A, B) : (list(A, int), var(B)).
writes([], []).
writes([X|T], [p(X, X)|R]) :- writes(T, R).

%% writes4: a structure of four parts for each element
%: setup from_to(1, 100, L)
%: goal writes4(L, _)
%: size 100
:- entry writes4(A, B) : (list(A, int), var(B)).
writes4([], []).
writes4([X|T], [p(X, X, a, 1)|R]) :- writes4(T, R).

%% twofold: two lists are written
%: setup from_to(1, 100, L)
%: goal twofold(L, _, _)
%: size 100
:- entry twofold(A, B, C) : (list(A, int), var(B), var(C)).
twofold([], [], []).
twofold([X|T], [X|R], [X|S]) :- twofold(T, R, S).

%% accumulate: a list is built in the body
%: setup from_to(1, 100, L)
%: goal accumulate(L, [], _)
%: size 100 0
:- entry accumulate(A, B, C) : (list(A, int), list(B, int), var(C)).
accumulate([], L, L).
accumulate([X|T], L, R) :- accumulate(T, [X|L], R).

%% wraps: a structure is built in the body
%: setup from_to(1, 100, L)
%: goal wraps(L, z, _)
%: size 100 _
:- entry wraps(A, B, C) : (list(A, int), ground(B), var(C)).
wraps([], P, P).
wraps([_|T], P, R) :- wraps(T, s(P), R).

%% wraps3: a larger structure is built in the body
%: setup from_to(1, 100, L)
%: goal wraps3(L, z, _)
%: size 100 _
:- entry wraps3(A, B, C) : (list(A, int), ground(B), var(C)).
wraps3([], P, P).
wraps3([X|T], P, R) :- wraps3(T, f(P, X, b, 3), R).

%% peels: structures in the first argument
%: setup peano(100, P)
%: goal peels(P)
%: size 101
:- entry peels(A) : peano(A).
:- regtype peano/1.
peano(z).
peano(s(P)) :- peano(P).
peels(z).
peels(s(P)) :- peels(P).

%% second: a list in the second argument, so that no index helps
%: setup from_to(1, 100, L)
%: goal second(a, L)
%: size _ 100
:- entry second(A, B) : (atm(A), list(B, int)).
second(X, [_|T]) :- second(X, T).
second(_, []).

%% keyed: pairs in a list are taken apart
%: setup pairs(100, L)
%: goal keyed(L)
%: size 100
:- entry keyed(A) : list(A, pair_).
:- regtype pair_/1.
pair_(K-V) :- integer(K), atom(V).
keyed([]).
keyed([P|T]) :- pair1(P), keyed(T).
pair1(_-_).

%% chosen: constants in the elements, by a call
%: setup same(100, b, L)
%: goal chosen(L)
%: size 100
:- entry chosen(A) : list(A, only_b).
:- regtype only_b/1.
only_b(b).
chosen([]).
chosen([X|T]) :- is_b(X), chosen(T).
is_b(b).

%% rare: one call that is not the last, of a fact
%: setup from_to(1, 100, L)
%: goal rare(L)
%: size 100
:- entry rare(A) : list(A, int).
rare([]).
rare([X|T]) :- fact1(X), rare(T).
fact1(_).

%% facts2: two calls of facts
%: setup from_to(1, 100, L)
%: goal facts2(L)
%: size 100
:- entry facts2(A) : list(A, int).
facts2([]).
facts2([X|T]) :- fact2(X, X), fact2(X, T), facts2(T).
fact2(_, _).

%% facts4: four calls of facts
%: setup from_to(1, 100, L)
%: goal facts4(L)
%: size 100
:- entry facts4(A) : list(A, int).
facts4([]).
facts4([X|T]) :- fact3(X), fact3(X), fact3(X), fact3(X), facts4(T).
fact3(_).

%% nullary: calls without arguments
%: setup from_to(1, 100, L)
%: goal nullary(L)
%: size 100
:- entry nullary(A) : list(A, int).
nullary([]).
nullary([_|T]) :- yes, yes, yes, nullary(T).
yes.

%% deep: recursion that is not last
%: setup from_to(1, 100, L)
%: goal deep(L)
%: size 100
:- entry deep(A) : list(A, int).
deep([]).
deep([X|T]) :- deep(T), fact4(X).
fact4(_).

%% chain: calls of rules
%: setup from_to(1, 100, L)
%: goal chain(L)
%: size 100
:- entry chain(A) : list(A, int).
chain([]).
chain([X|T]) :- chain1(X), chain(T).
chain1(X) :- chain2(X).
chain2(X) :- chain3(X).
chain3(_).

%% double: double recursion over a tree
%: setup balanced(6, T)
%: goal double(T)
%: size 190
:- entry double(A) : tree_(A).
:- regtype tree_/1.
tree_(e).
tree_(t(L, N, R)) :- tree_(L), integer(N), tree_(R).
double(e).
double(t(L, _, R)) :- double(L), double(R).

%% doubling: double recursion over a list
%: setup from_to(1, 6, L)
%: goal doubling(L)
%: size 6
:- entry doubling(A) : list(A, int).
doubling([]).
doubling([_|T]) :- doubling(T), doubling(T).

%% naive: naive reverse
%: setup from_to(1, 12, L)
%: goal naive(L, _)
%: size 12
:- entry naive(A, B) : (list(A, int), var(B)).
naive([], []).
naive([X|T], R) :- naive(T, S), naive_conc(S, [X], R).
naive_conc([], L, L).
naive_conc([X|T], L, [X|R]) :- naive_conc(T, L, R).

%% members: all solutions, a choice point each
%: setup from_to(1, 100, L)
%: goal members(_, L)
%: size _ 100
:- entry members(A, B) : (var(A), list(B, int)).
members(X, [X|_]).
members(X, [_|T]) :- members(X, T).

%% scans: a search that fails, by clauses that do not match
%: setup same(100, a, L)
%: goal scans(L)
%: size 100
:- entry scans(A) : list(A, only_a).
:- regtype only_a/1.
only_a(a).
scans([]).
scans([X|T]) :- scan1(X, 1), scans(T).
scan1(_, 3).
scan1(_, 2).
scan1(_, 1).

%% prefixes: a list is written anew for each solution
%: setup from_to(1, 12, L)
%: goal prefixes(L, _)
%: size 12
:- entry prefixes(A, B) : (list(A, int), var(B)).
prefixes(_, []).
prefixes([X|T], [X|P]) :- prefixes(T, P).

%% subsets: backtracking over a list
%: setup from_to(1, 6, L)
%: goal subsets(L, _)
%: size 6
:- entry subsets(A, B) : (list(A, int), var(B)).
subsets([], []).
subsets([X|T], [X|S]) :- subsets(T, S).
subsets([_|T], S) :- subsets(T, S).

%% redo: a generator that a failure comes back to
%: setup from_to(1, 40, L)
%: goal redo(L)
%: size 40
:- entry redo(A) : list(A, int).
redo([]).
redo([_|T]) :- three(_), redo1(T).
redo1(_).
three(1).
three(2).
three(3).

%% necks: a cut at the neck of clauses that an index cannot tell apart
%: setup from_to(1, 100, L)
%: goal necks(L, x)
%: size 100
:- entry necks(A, B) : (list(A, int), atm(B)).
necks([], _).
necks([X|T], Y) :- neck(X, Y), necks(T, Y).
neck(_, _) :- !.
neck(_, _).

%% cuts: a cut behind a call
%: setup from_to(1, 100, L)
%: goal cuts(L)
%: size 100
:- entry cuts(A) : list(A, int).
cuts([]).
cuts([X|T]) :- cut1(X), !, cuts(T).
cut1(_).

%% commits: a cut that drops a choice point of a call
%: setup from_to(1, 100, L)
%: goal commits(L)
%: size 100
:- entry commits(A) : list(A, int).
commits([]).
commits([_|T]) :- commit(_), !, commits(T).
commit(a).
commit(b).

%% counts_down: subtraction and a comparison
%: setup N = 100
%: goal counts_down(N)
%: size 100
:- entry counts_down(A) : int(A).
counts_down(0).
counts_down(N) :- N > 0, M is N-1, counts_down(M).

%% counts_cut: subtraction, and a cut in place of the comparison
%: setup N = 100
%: goal counts_cut(N)
%: size 100
:- entry counts_cut(A) : int(A).
counts_cut(0) :- !.
counts_cut(N) :- M is N-1, counts_cut(M).

%% lengths: addition behind the recursion
%: setup from_to(1, 100, L)
%: goal lengths(L, _)
%: size 100
:- entry lengths(A, B) : (list(A, int), var(B)).
lengths([], 0).
lengths([_|T], N) :- lengths(T, M), N is M+1.

%% sums: addition of elements, with an accumulator
%: setup from_to(1, 100, L)
%: goal sums(L, 0, _)
%: size 100 0
:- entry sums(A, B, C) : (list(A, int), int(B), var(C)).
sums([], S, S).
sums([X|T], S, R) :- Q is S+X, sums(T, Q, R).

%% evaluates_#: @ for each element
%: each X+3 | X-3 | X*3 | X//3 | X mod 3 | X rem 3 | X div 3 | X/\3 | X\/3 | X xor 3 | X>>1 | X<<1 | min(X,3) | max(X,3) | abs(X) | -X | sign(X) | X*1.5 | X+0.5 | X/2.5 | sqrt(X) | X**2 | X^2 | X+1-1 | X*3+1 | msb(X) | floor(X+0.5) | ceiling(X+0.5) | integer(X+0.5) | truncate(X+0.5) | round(X+0.5) | gcd(X,12) | float(X) | random(X)
%: setup from_to(1, 100, L)
%: goal evaluates_#(L, 0)
%: size 100 _
:- entry evaluates_#(A, B) : (list(A, int), num(B)).
evaluates_#([], _).
evaluates_#([X|T], _) :- Y is @, evaluates_#(T, Y).

%% compares_#: @ for each element, which holds
%: each X > 0 | X >= 0 | X < 1000 | X =< 1000 | X =\= 0 | X =:= X
%: setup from_to(1, 100, L)
%: goal compares_#(L)
%: size 100
:- entry compares_#(A) : list(A, int).
compares_#([]).
compares_#([X|T]) :- fact5_#(X), @, compares_#(T).
fact5_#(_).

%% tests_#: @ for each element, which holds
%: each integer(X) | atomic(X) | nonvar(X) | number(X) | X == X | X \== a | atom(a) | X \= a | X @< a | callable(a) | compound(f(X))
%: setup from_to(1, 100, L)
%: goal tests_#(L)
%: size 100
:- entry tests_#(A) : list(A, int).
tests_#([]).
tests_#([X|T]) :- fact6_#(X), @, tests_#(T).
fact6_#(_).

%% unifies_#: @ for each element
%: each X = Y, fact7_#(Y) | Y = p(X), fact7_#(Y) | Y = [X], fact7_#(Y) | X = X
%: setup from_to(1, 100, L)
%: goal unifies_#(L)
%: size 100
:- entry unifies_#(A) : list(A, int).
unifies_#([]).
unifies_#([X|T]) :- @, unifies_#(T).
fact7_#(_).

%% uses_#: the built-in @ for each element
%: each functor(p(X,X), F, N), fact8_#(F, N) | arg(1, p(X,X), A), fact8_#(A, X) | compare(O, X, 3), fact8_#(O, X) | succ(X, S), fact8_#(S, X) | var(Y), fact8_#(Y, X) | plus(X, 1, S), fact8_#(S, X) | ground(X) | \+ float(X) | \+ string(X) | nb_setval(costlens_key, X) | b_setval(costlens_key, X) | nb_setval(costlens_key, X), nb_getval(costlens_key, _) | b_setval(costlens_key, X), b_getval(costlens_key, _) | char_code(C, X), fact8_#(C, X) | string_code(1, "abc", C), fact8_#(C, X) | flag(costlens_flag, N, X), fact8_#(N, X) | Y = f(a), setarg(1, Y, b) | Y = f(a), nb_setarg(1, Y, b) | catch(fact8_#(X, X), _, true) | catch(throw(X), _, true) | must_be(integer, X) | repeat, ! | setup_call_cleanup(true, fact8_#(X, X), true) | call_cleanup(fact8_#(X, X), true) | with_mutex(costlens_mutex, fact8_#(X, X)) | assertion(integer(X)) | nb_setval(costlens_key, X), nb_current(costlens_key, _) | char_type(a, alpha) | with_output_to(string(_), fact8_#(X, X))
%: setup from_to(1, 100, L)
%: goal uses_#(L)
%: size 100
:- entry uses_#(A) : list(A, int).
uses_#([]).
uses_#([X|T]) :- @, uses_#(T).
fact8_#(_, _).

%% measures_#: @ for each element, the lists T and U being long
%: each length(T, N), fact10_#(N, X) | is_list(T) | memberchk(0, T) | copy_term(T, S), fact10_#(S, X) | S =.. [f|T] | T = U | T == U | compare(O, T, U), fact10_#(O, X) | findall(Y, element_#(Y, T), S), fact10_#(S, X) | \+ T \= U | \+ T \== U | T @=< U | ground(T) | nb_setval(costlens_list, T) | \+ T @< U | ?=(T, U) | catch(throw(T), _, true) | term_variables(T, S), fact10_#(S, X) | findall(Y, element_#(Y, T), S, []), fact10_#(S, X) | bagof(Y, element_#(Y, T), S), fact10_#(S, X) | aggregate_all(count, element_#(_, T), N), fact10_#(N, X) | aggregate_all(sum(Y), element_#(Y, T), N), fact10_#(N, X) | aggregate_all(max(Y), element_#(Y, T), N), fact10_#(N, X) | aggregate_all(bag(Y), element_#(Y, T), S), fact10_#(S, X) | functor(Y, f, 100), fact10_#(X, X)
%: setup from_to(1, 20, L), mixed(100, T), mixed(100, U)
%: goal measures_#(L, T, U)
%: size 20 100 100
:- entry measures_#(A, B, C) : (list(A, int), list(B, int), list(C, int)).
measures_#([], _, _).
measures_#([X|R], T, U) :- @, measures_#(R, T, U).
fact10_#(_, _).
element_#(X, [X|_]).
element_#(X, [_|T]) :- element_#(X, T).
%% glances_#: @ for each element, the lists T and U being short
%: each length(T, N), fact12_#(N, X) | is_list(T) | memberchk(0, T) | copy_term(T, S), fact12_#(S, X) | S =.. [f|T] | T = U | T == U | compare(O, T, U), fact12_#(O, X) | findall(Y, either_#(Y, T), S), fact12_#(S, X) | \+ T \= U | \+ T \== U | T @=< U | ground(T) | nb_setval(costlens_list, T) | \+ T @< U | ?=(T, U) | catch(throw(T), _, true) | term_variables(T, S), fact12_#(S, X) | findall(Y, either_#(Y, T), S, []), fact12_#(S, X) | bagof(Y, either_#(Y, T), S), fact12_#(S, X) | aggregate_all(count, either_#(_, T), N), fact12_#(N, X) | aggregate_all(sum(Y), either_#(Y, T), N), fact12_#(N, X) | aggregate_all(max(Y), either_#(Y, T), N), fact12_#(N, X) | aggregate_all(bag(Y), either_#(Y, T), S), fact12_#(S, X) | functor(Y, f, 6), fact12_#(X, X)
%: setup from_to(1, 20, L), mixed(6, T), mixed(6, U)
%: goal glances_#(L, T, U)
%: size 20 6 6
:- entry glances_#(A, B, C) : (list(A, int), list(B, int), list(C, int)).
glances_#([], _, _).
glances_#([X|R], T, U) :- @, glances_#(R, T, U).
fact12_#(_, _).
either_#(X, [X|_]).
either_#(X, [_|T]) :- either_#(X, T).
%% spells_#: @ for each element, the atom A being long
%: each atom_codes(A, S), fact11_#(S, X) | atom_chars(A, S), fact11_#(S, X) | atom_length(A, N), fact11_#(N, X) | atom_string(A, S), fact11_#(S, X) | atom_concat(A, A, S), fact11_#(S, X) | upcase_atom(A, S), fact11_#(S, X) | sub_atom(A, 1, 80, _, S), fact11_#(S, X)
%: setup from_to(1, 20, L), spelt(100, A)
%: goal spells_#(L, A)
%: size 20 100
:- entry spells_#(A, B) : (list(A, int), atm(B)).
spells_#([], _).
spells_#([X|R], A) :- @, spells_#(R, A).
fact11_#(_, _).
%% reads_#: @ for each element, the atom A being short
%: each atom_codes(A, S), fact13_#(S, X) | atom_chars(A, S), fact13_#(S, X) | atom_length(A, N), fact13_#(N, X) | atom_string(A, S), fact13_#(S, X) | atom_concat(A, A, S), fact13_#(S, X) | upcase_atom(A, S), fact13_#(S, X) | sub_atom(A, 1, 4, _, S), fact13_#(S, X)
%: setup from_to(1, 20, L), spelt(6, A)
%: goal reads_#(L, A)
%: size 20 6
:- entry reads_#(A, B) : (list(A, int), atm(B)).
reads_#([], _).
reads_#([X|R], A) :- @, reads_#(R, A).
fact13_#(_, _).

%% reads_number: the codes of a large number are read
%: setup from_to(1, 20, L), same(100, 49, C)
%: goal reads_number(L, C)
%: size 20 100
:- entry reads_number(A, B) : (list(A, int), list(B, int)).
reads_number([], _).
reads_number([X|R], A) :- number_codes(S, A), fact28(S, X), reads_number(R, A).
fact28(_, _).
%% reads_digits: the codes of a small number are read
%: setup from_to(1, 20, L), same(6, 49, C)
%: goal reads_digits(L, C)
%: size 20 6
:- entry reads_digits(A, B) : (list(A, int), list(B, int)).
reads_digits([], _).
reads_digits([X|R], A) :- number_codes(S, A), fact29(S, X), reads_digits(R, A).
fact29(_, _).
%% splits: an atom of 100 commas is split
%: setup from_to(1, 20, L), same(100, 44, C), atom_codes(A, C)
%: goal splits(L, A)
%: size 20 100
:- entry splits(A, B) : (list(A, int), atm(B)).
splits([], _).
splits([X|R], A) :- atomic_list_concat(S, ',', A), fact33(S, X), splits(R, A).
fact33(_, _).
%% splits_few: an atom of 6 commas is split
%: setup from_to(1, 20, L), same(6, 44, C), atom_codes(A, C)
%: goal splits_few(L, A)
%: size 20 6
:- entry splits_few(A, B) : (list(A, int), atm(B)).
splits_few([], _).
splits_few([X|R], A) :- atomic_list_concat(S, ',', A), fact34(S, X), splits_few(R, A).
fact34(_, _).

%% strings_#: @ for each element, the string A being long
%: each string_codes(A, S), fact14_#(S, X) | string_chars(A, S), fact14_#(S, X) | string_length(A, N), fact14_#(N, X) | string_concat(A, A, S), fact14_#(S, X) | string_lower(A, S), fact14_#(S, X) | sub_string(A, 1, 80, _, S), fact14_#(S, X) | split_string(A, ",", " ", S), fact14_#(S, X)
%: setup from_to(1, 20, L), spelt(100, B), atom_string(B, A)
%: goal strings_#(L, A)
%: size 20 100
:- entry strings_#(A, B) : (list(A, int), string(B)).
strings_#([], _).
strings_#([X|R], A) :- @, strings_#(R, A).
fact14_#(_, _).

%% words_#: @ for each element, the string A being short
%: each string_codes(A, S), fact15_#(S, X) | string_chars(A, S), fact15_#(S, X) | string_length(A, N), fact15_#(N, X) | string_concat(A, A, S), fact15_#(S, X) | string_lower(A, S), fact15_#(S, X) | sub_string(A, 1, 4, _, S), fact15_#(S, X) | split_string(A, ",", " ", S), fact15_#(S, X)
%: setup from_to(1, 20, L), spelt(6, B), atom_string(B, A)
%: goal words_#(L, A)
%: size 20 6
:- entry words_#(A, B) : (list(A, int), string(B)).
words_#([], _).
words_#([X|R], A) :- @, words_#(R, A).
fact15_#(_, _).
%% loops: many solutions of between/3
%: goal loops(100)
%: size 100
:- entry loops(A) : int(A).
loops(N) :- between(1, N, _), fail.
loops(_).

%% loops_few: few of them
%: goal loops_few(6)
%: size 6
:- entry loops_few(A) : int(A).
loops_few(N) :- between(1, N, _), fail.
loops_few(_).

%% sorts_#: @, T being a list of 100
%: each msort(T, S), fact14_#(S) | sort(T, S), fact14_#(S) | sort(0, @>=, T, S), fact14_#(S)
%: setup mixed(100, T)
%: goal sorts_#(T)
%: size 100
:- entry sorts_#(A) : list(A, int).
sorts_#(T) :- @.
fact14_#(_).

%% sorts_few_#: @, T being a list of 6
%: each msort(T, S), fact15_#(S) | sort(T, S), fact15_#(S) | sort(0, @>=, T, S), fact15_#(S)
%: setup mixed(6, T)
%: goal sorts_few_#(T)
%: size 6
:- entry sorts_few_#(A) : list(A, int).
sorts_few_#(T) :- @.
fact15_#(_).

%% distinct_#: @, T being a list of 100
%: each setof(Y, member_of_#(Y, T), S), fact31_#(S) | aggregate_all(set(Y), member_of_#(Y, T), S), fact31_#(S) | aggregate_all(count, Y, member_of_#(Y, T), N), fact31_#(N)
%: setup mixed(100, T)
%: goal distinct_#(T)
%: size 100
:- entry distinct_#(A) : list(A, int).
distinct_#(T) :- @.
fact31_#(_).
member_of_#(X, [X|_]).
member_of_#(X, [_|T]) :- member_of_#(X, T).

%% distinct_few_#: @, T being a list of 6
%: each setof(Y, one_of_#(Y, T), S), fact32_#(S) | aggregate_all(set(Y), one_of_#(Y, T), S), fact32_#(S) | aggregate_all(count, Y, one_of_#(Y, T), N), fact32_#(N)
%: setup mixed(6, T)
%: goal distinct_few_#(T)
%: size 6
:- entry distinct_few_#(A) : list(A, int).
distinct_few_#(T) :- @.
fact32_#(_).
one_of_#(X, [X|_]).
one_of_#(X, [_|T]) :- one_of_#(X, T).

%% orders: keysort, T being a list of 100 pairs
%: setup pairs(100, T)
%: goal orders(T)
%: size 100
:- entry orders(A) : list(A, pair_).
orders(T) :- keysort(T, S), fact16(S).
fact16(_).

%% phrases: a grammar is called for each element
%: setup from_to(1, 100, L)
%: goal phrases(L)
%: size 100
:- entry phrases(A) : list(A, int).
phrases([]).
phrases([X|T]) :- phrase(word17, [X], _), phrases(T).
word17([_|R], R).

%% prints_#: @ for each element, to a file that keeps nothing
%: each nl | write(X) | writeq(X) | put_char(a) | tab(3) | tab(80) | writeln(X) | write_canonical(X) | format('~n') | format('~w~n', [X]) | format('~w and ~a: ~d~n', [X, b, X]) | format('~t~w~10+~q~n', [X, 'B']) | format('one more of those that have been counted: ~w~n', [X])
%: setup from_to(1, 100, L), open('/dev/null', write, N), current_output(S)
%: goal prints_#(L, N, S)
%: size 100 _ _
:- entry prints_#(A, B, C) : (list(A, int), ground(B), ground(C)).
prints_#(L, N, S) :- set_output(N), written_#(L), set_output(S).
written_#([]).
written_#([X|T]) :- @, written_#(T).

%% fills_#: @ for each element
%: each format(atom(A), '~w', [X]), fact20_#(A) | format(atom(A), '~w-~a~d', [X, b, X]), fact20_#(A) | format(atom(A), 'the one that is next is ~w', [X]), fact20_#(A)
%: setup from_to(1, 100, L)
%: goal fills_#(L)
%: size 100
:- entry fills_#(A) : list(A, int).
fills_#([]).
fills_#([X|T]) :- @, fills_#(T).
fact20_#(_).

%% prints_long_#: @ for each element, T being long
%: each write(T) | writeq(T) | writeln(T) | write_canonical(T) | format('~w~n', [T]) | format(atom(_), '~w', [T])
%: setup from_to(1, 5, L), mixed(100, T), open('/dev/null', write, N), current_output(S)
%: goal prints_long_#(L, T, N, S)
%: size 5 100 _ _
:- entry prints_long_#(A, B, C, D) : (list(A, int), list(B, int), ground(C), ground(D)).
prints_long_#(L, T, N, S) :- set_output(N), written_long_#(L, T), set_output(S).
written_long_#([], _).
written_long_#([_|R], T) :- @, written_long_#(R, T).

%% undoes_#: outputs bound to @ before a choice is taken back
%: each a, b | f(_), g(_) | [_], _ | Y, Y | f(a, b), 1
%: setup from_to(1, 100, L)
%: goal undoes_#(L)
%: size 100
:- entry undoes_#(A) : list(A, int).
undoes_#([]).
undoes_#([X|T]) :- undone_#(X, Y, Z), fact18_#(Y, Z), undoes_#(T).
undone_#(_, @) :- fail.
undone_#(_, c, d).
fact18_#(_, _).

%% undoes_twice: the same by two clauses
%: setup from_to(1, 100, L)
%: goal undoes_twice(L)
%: size 100
:- entry undoes_twice(A) : list(A, int).
undoes_twice([]).
undoes_twice([X|T]) :- undone_twice(X, Y, Z), fact19(Y, Z), undoes_twice(T).
undone_twice(_, a, [b]) :- fail.
undone_twice(_, f(_), b) :- fail.
undone_twice(_, c, d).
fact19(_, _).

%% branches: if-then-else with a test of a number
%: setup from_to(1, 100, L)
%: goal branches(L)
%: size 100
:- entry branches(A) : list(A, int).
branches([]).
branches([X|T]) :- ( X > 50 -> fact9(X) ; fact9(X) ), branches(T).
fact9(_).

%% negates: negation of a call that fails
%: setup same(100, a, L)
%: goal negates(L)
%: size 100
:- entry negates(A) : list(A, only_a).
negates([]).
negates([X|T]) :- \+ no(X), negates(T).
no(b).

%% negates_true: negation of a call that succeeds, then the next clause
%: setup same(100, b, L)
%: goal negates_true(L)
%: size 100
:- entry negates_true(A) : list(A, only_b).
negates_true([]).
negates_true([X|_]) :- \+ not_so(X), !.
negates_true([_|T]) :- negates_true(T).
not_so(b).

%% negates_tests: negation of a comparison that fails
%: setup from_to(1, 100, L)
%: goal negates_tests(L)
%: size 100
:- entry negates_tests(A) : list(A, int).
negates_tests([]).
negates_tests([X|T]) :- \+ X < 0, negates_tests(T).

%% conditions: if-then-else with a call
%: setup from_to(1, 100, L)
%: goal conditions(L)
%: size 100
:- entry conditions(A) : list(A, int).
conditions([]).
conditions([X|T]) :- ( yes1(X) -> yes2(X) ; yes2(T) ), conditions(T).
yes1(_).
yes2(_).

%% towers: towers of Hanoi without their moves
%: setup N = 6
%: goal towers(N, a, b, c)
%: size 6 _ _ _
:- entry towers(A, B, C, D) : (int(A), atm(B), atm(C), atm(D)).
towers(0, _, _, _) :- !.
towers(N, A, B, C) :- M is N-1, towers(M, A, C, B), towers(M, C, B, A).

%% calls3: comparison, then three calls
%: setup N = 8
%: goal calls3(N, _)
%: size 8
:- entry calls3(A, B) : (int(A), var(B)).
calls3(N, R) :- N < 1, !, R = 1.
calls3(N, R) :- M is N-2, K is N-3, calls3(M, A), calls3(K, B), R is A+B.

%% evens: two predicates that call each other
%: setup from_to(1, 100, L)
%: goal evens(L)
%: size 100
:- entry evens(A) : list(A, int).
evens([]).
evens([_|T]) :- odds(T).
odds([]).
odds([_|T]) :- evens(T).

%% longer: a clause with many variables that live across calls
%: setup from_to(1, 100, L)
%: goal longer(L, a, b, c)
%: size 100
:- entry longer(A, B, C, D) : (list(A, int), atm(B), atm(C), atm(D)).
longer([], _, _, _).
longer([X|T], A, B, C) :- f3(X, A, B), f3(B, C, X), f3(A, B, C), longer(T, A, B, C).
f3(_, _, _).

%% fresh: new variables that calls bind
%: setup from_to(1, 100, L)
%: goal fresh(L)
%: size 100
:- entry fresh(A) : list(A, int).
fresh([]).
fresh([X|T]) :- give(X, Y), give(Y, Z), take(Z), fresh(T).
give(X, X).
take(_).

%% gives_atom: calls that bind a variable to a constant
%: setup from_to(1, 100, L)
%: goal gives_atom(L)
%: size 100
:- entry gives_atom(A) : list(A, int).
gives_atom([]).
gives_atom([_|T]) :- atom1(Y), atom2(Y), gives_atom(T).
atom1(a).
atom2(_).

%% gives_list: calls that bind a variable to a list, and take it apart
%: setup from_to(1, 100, L)
%: goal gives_list(L)
%: size 100
:- entry gives_list(A) : list(A, int).
gives_list([]).
gives_list([X|T]) :- list1(X, Y), list2(Y), gives_list(T).
list1(X, [X, X]).
list2([_, _]).

%% dispatch: a clause out of eight by a constant
%: setup same(100, e, L)
%: goal dispatch(L)
%: size 100
:- entry dispatch(A) : list(A, only_e).
:- regtype only_e/1.
only_e(e).
dispatch([]).
dispatch([X|T]) :- key8(X), dispatch(T).
key8(a).
key8(b).
key8(c).
key8(d).
key8(e).
key8(f).
key8(g).
key8(h).

%% dispatch_term: a clause out of five by a structure
%: setup same(100, p4(1,2), L)
%: goal dispatch_term(L)
%: size 100
:- entry dispatch_term(A) : list(A, only_p4).
:- regtype only_p4/1.
only_p4(p4(X, Y)) :- integer(X), integer(Y).
dispatch_term([]).
dispatch_term([X|T]) :- term5(X), dispatch_term(T).
term5(p1(_, _)).
term5(p2(_, _)).
term5(p3(_, _)).
term5(p4(_, _)).
term5(p5(_, _)).

%% zips: two lists that are walked in turn
%: setup from_to(1, 60, L)
%: goal zips(L, L, _)
%: size 60 60
:- entry zips(A, B, C) : (list(A, int), list(B, int), var(C)).
zips([], _, []).
zips([X|Xs], [Y|Ys], [X-Y|Zs]) :- zips(Xs, Ys, Zs).
