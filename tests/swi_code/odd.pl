% Clauses of all forms that SWI-Prolog compiles in a way of its own, and some that it refuses.

:- module(odd, []).
:- use_module(library(lists)).
:- style_check(-singleton).
:- discontiguous q/1, q/2, q/3, r/0, s/0, s/1, h/1, h/2, h/3, v/0, v/1, v/2, v/3, u/0, u/1, u/2, u/3, t/0, t/1, t/2, c/0, c/1, c/2, c/3.
:- discontiguous n/0, n/1, n/2, n/3, m/0, m/1, m/2, m/3, a/0, a/1, a/2, a/3, a/4, l/0, l/1, l/2, l/3, l/4, k/0, k/1, k/2, k/3.
:- discontiguous g/2, g/3, g/4, e/1, e/2, e/3, o/0, o/1, o/2.

q(_). q(_, _). q(_, _, _). r. s. s(_).

% Heads.
h(a).
h([]).
h('[]').
h({}).
h(1).
h(-1).
h(72057594037927935).
h(72057594037927936).
h(-72057594037927936).
h(-72057594037927937).
h(9223372036854775807).
h(9223372036854775808).
h(-9223372036854775808).
h(-9223372036854775809).
h(1r3).
h(-1r3).
h(1.5).
h(-0.0).
h("text").
h("").
h(`codes`).
h(0'a).
h([_|_]).
h([X|X]).
h([X,X]).
h([X|Y]) :- q(X, Y).
h([X|_]) :- q(X).
h([_|X]) :- q(X).
h([a,b,c]).
h([a,b|T]) :- q(T).
h([[X|Y]|Z]) :- q(X, Y, Z).
h([f(X),g(Y)|Z]) :- q(X, Y, Z).
h(f(_)).
h(f(_, _)).
h(f(_, a, _)).
h(f(a, _, _)).
h(f(g(_), _)).
h(f(_, g(_))).
h(f(g(h(X)), X)).
h(f(X, g(X, h(X, i(X))))).
h(f(g, h(_, _), i)).
h(f()).
h(f(g())).
h(f(g(), a)).
h(f(a, g())).
h([f(), g()]).
h(- 1).
h(-(1)).
h(- - 1).
h(1 - 1).
h({a, b}).
h((a :- b)).
h((a , b)).
h(_{}).
h(X, X).
h(f(X), X).
h(X, f(X)).
h(f(X), g(X)).
h(_, _).
h(_, a).
h(a, _).
h([X|Xs], [X|Xs]).
h([X|Xs], [Xs|X]).
h(X, _) :- q(X).
h(_, X) :- q(X).
h(_, _) :- r.
h(X, Y, Z) :- q(Z, Y, X).
h(_, _, _) :- r, s.
h(f(_), _, _).
h(_, f(_), _).
h(_, _, f(_)).
h(_, _, [_|_]).
h([X|Y], [Y|Z], [Z|X]).

% Unification.
v(X) :- X = a.
v(X) :- a = X.
v(X) :- X = f(a).
v(X) :- f(Y) = X, q(Y).
v(X) :- X = f(Y), q(Y).
v(X) :- X = [Y|Z], q(Y, Z).
v(X) :- X = "text".
v(X) :- X = 1.5, r.
v(X) :- X = f(X).
v(X) :- X = f(_), X = f(a).
v(X) :- true, X = f(a), r.
v(X) :- X = f(a), true.
v(X) :- r, X = f(a).
v(X) :- !, X = f(a).
v(X) :- ( X = f(a) ), ( X = g ; r ).
v(X) :- ( X = f(a) -> r ; s ).
v(X) :- ( X = f(a) ; r ).
v(X) :- \+ X = f(a).
v(X) :- odd:(X = f(a)), r.
v(X) :- G = r, G, X = a.
v(X) :- q(G), G, X = a.
v(f(X)) :- X = a.
v(f(X)) :- X = g(Y), q(Y).
v(X) :- Y = X, q(Y).
v(X) :- X = Y, q(Y).
v(X) :- X = X.
v(X) :- X = Y, Y = Z, q(Z).
v(_) :- X = X.
v(_) :- X = X, q(X).
v(_) :- X = Y, q(X, Y).
v(_) :- _ = _.
v(X) :- _ = X.
v(X) :- X = _, q(X).
v(_) :- X = _, q(X).
v(_) :- _ = f(X), q(X).
v(_) :- _ = f(X, X), r.
v(_) :- f(X) = f(Y), q(X, Y).
v(_) :- a = a.
v(_) :- a = b, r.
v(_) :- X = a, q(X).
v(_) :- X = [], q(X).
v(_) :- X = 16777215, q(X).
v(_) :- X = 16777216, q(X).
v(_) :- X = -16777216, q(X).
v(_) :- X = -16777217, q(X).
v(_) :- X = 1.0, q(X).
v(_) :- X = 1r3, q(X).
v(_) :- X = "a", q(X).
v(_) :- X = f(X), q(X).
v(_) :- X = f(Y, Y, _), q(X, Y).
v(_) :- q(X), X = f(_, Y), q(Y).
v(_) :- q(X), X = f(_), r.
v(_) :- q(X), X = [_|Y], q(Y).
v(_) :- q(X), X = [Y|Z], q(Y, Z).
v(_) :- q(X), X = [Y, Z|_], q(Y, Z).
v(_) :- q(X), X = 16777216.
v(_) :- q(X), X = 16777215.
v(_) :- q(X), X = "a".
v(_) :- q(X), f(Y) = X, q(Y).
v(_) :- q(X), q(Y), X = Y.
v(_) :- q(X), X = Y, q(Y).
v(_) :- q(X), Y = X, q(Y).
v(X, Y) :- X = f(Y).
v(X, Y) :- X = f(Y), Y = g.
v(X, Y) :- Y = f(X), X = g(Z), q(Z).
v(X, Y) :- X = Y.
v(X, Y) :- X = Y, X = f(Y).
v(X, Y) :- X = f(Z), Y = g(Z).
v(X, Y) :- X = f(Z), Y = g(Z), q(Z), X = f(1).
v(X, X) :- X = f(a).
v(X, f(X)) :- X = g.
v(f(X), X) :- X = g.
v(X, _) :- X = a.
v(_, X) :- X = [a].
v(X, Y, Z) :- X = a, Y = b, Z = c, q(X, Y, Z).
v(X, Y, Z) :- X = f(Y), Y = Z, Z = a.
v(X, Y, Z) :- X = f(A, B), Y = g(B, C), Z = h(C, A).
v(X, Y, Z) :- Z = f(X, Y).
v :- X = a, q(X).
v :- X = Y, q(X, Y).

% Control, and variables where paths meet.
u(X) :- ( r ; s ), q(X).
u(X) :- ( r ; s ; q(X) ).
u(X) :- ( r, s ; q(X), ! ).
u(X) :- ( X = a ; X = b ).
u(X) :- ( Y = a ; Y = b ), q(X, Y).
u(X) :- ( Y = a ; Z = b ), q(X, Y, Z).
u(X) :- ( q(Y) ; q(Z) ), q(X, Y, Z).
u(X) :- ( q(A), q(B), q(C), q(D), q(E) ; r ), q(X), q(A, B, C), q(D, E).
u(X) :- ( r ; q(A), q(B), q(C) ), q(X), q(A, B, C).
u(X) :- ( q(A), q(C) ; q(B), q(D) ), q(X), q(A, B, C), q(D).
u(X) :- ( q(Y) ; q(Y) ), q(X).
u(X) :- ( q(Y) ; q(Y, Y) ), q(X).
u(X) :- ( q(Y, Y) ; q(Y) ), q(X).
u(X) :- ( q(Y) ; ( q(Y) ; q(Y) ) ), q(X).
u(X) :- ( ( q(Y) ; r ) ; q(Y) ), q(X).
u(X) :- ( \+ q(Y) ; q(Y) ), q(X).
u(X) :- ( q(Y) ; \+ q(Y) ), q(X).
u(X) :- ( \+ q(Y) ; \+ q(Y) ), q(X).
u(X) :- ( ( \+ q(Y), r ; s ) ; q(Y) ), q(X).
u(X) :- \+ ( q(Y) ; q(Y) ), q(X).
u(X) :- \+ ( q(Y) ; q(Z) ), q(X, Y), q(Z).
u(X) :- \+ \+ q(X).
u(X) :- \+ q(Y), q(X, Y).
u(X) :- \+ ( q(Y), q(Y) ), q(X).
u(X) :- \+ ( q(Y), q(Z) ), q(X, Y, Z).
u(X) :- \+ !, q(X).
u(X) :- \+ ( q(X), ! ).
u(X) :- ( r -> s ; q(X) ).
u(X) :- ( r -> s ), q(X).
u(X) :- ( r *-> s ; q(X) ).
u(X) :- ( r *-> s ), q(X).
u(X) :- ( r, ! -> s, ! ; q(X), ! ).
u(X) :- ( r, ! -> s, ! ), q(X).
u(X) :- ( r, ! *-> s, ! ; q(X), ! ).
u(X) :- ( r, ! *-> s, ! ), q(X).
u(X) :- ( q(X) -> r ; s -> r ; fail ).
u(X) :- ( q(X) -> ( r -> s ) ; s ), !.
u(X) :- ( ( r -> s ) -> q(X) ; r ).
u(X) :- ( ( r -> s ), r ; q(X) ).
u(X) :- ( ( r ; s ) -> q(X) ; r ).
u(X) :- ( r -> Y = 1 ; true ), q(X, Y).
u(X) :- ( r -> true ; Y = 1 ), q(X, Y).
u(X) :- ( q(Y) -> q(Y) ; q(Z) ), q(X, Y, Z).
u(X) :- ( q(Y), q(Y) -> r ; s ), q(X).
u(X) :- ( q(Y) *-> q(Y) ; q(Y, Y) ), q(X, Y).
u(X) :- ( q(Y) -> q(Y) ), q(X, Y).
u(X) :- ( atom(X) -> r ; s ).
u(X) :- ( atom(X), \+ X == a -> r ; s ).
u(X) :- ( atom(X), X \== a -> r ; X == 1 -> s ; true ).
u(X) :- ( rational(X) -> r ; s ).
u(X) :- ( X == f(a) -> r ; s ).
u(X) :- ( X > 1 -> r ; s ).
u(X) :- ( X > 1, X =:= 2.5 -> r ; X < 1 -> s ; X =\= 3 -> r ; X >= 4, X =< 5 ).
u(X) :- ( X is 1 + 2 -> r ; s ).
u(X) :- ( var(X) ; nonvar(X) ), !.
u(X) :- ( true -> q(X) ; r ).
u(X) :- ( fail -> q(X) ; r ).
u(X) :- ( otherwise -> q(X) ; r ).
u(X) :- ( fail ; q(X) ).
u(X) :- ( q(X) ; fail ).
u(X) :- ( false ; q(X) ).
u(X) :- ( true, ( r -> s ) ; q(X) ).
u(X) :- ( ( true -> r ; s ) -> q(X) ; r ).
u(X) :- ( ( true ; r ) -> q(X) ; s ).
u(X) :- true, q(X), true.
u(X) :- true, true, q(X).
u(X) :- q(X), ( true, true ).
u(X) :- fail, q(X).
u(X) :- q(X), fail.
u(X) :- q(X), false.
u(X) :- \+ ( true, q(X) ).
u(X) :- \+ fail, q(X).
u(X) :- forall(( true, q(X) ), ( r, true )).
u(X) :- findall(Y, ( q(Y, X), true ), L), q(L).
u(X) :- once(( true, q(X) )), ignore(( q(X), true )).
u(X) :- call(( true, q(X) )).
u(X) :- call(( q(X), true ), 1).
u(X) :- catch(( true, q(X) ), _, ( true, r )).
u(X) :- $, q(X).
u(X) :- $(q(X)).
u(X) :- $(( q(Y), q(X, Y) )), q(Y).
u(X) :- $(( q(X), ! )), r.
u(X) :- X.
u(X) :- X, r.
u(X) :- r, X.
u(X) :- ( X ; r ).
u(X) :- ( X -> r ; s ).
u(X) :- \+ X.
u(_) :- X, q(X).
u(_) :- q(X), X, X.
u(_) :- a:b.
u(_) :- 'false'.
u((A, B)) :- u(A), u(B).
u(X) :- !, q(X).
u(X) :- q(X), !.
u(_) :- !.
u(_) :- true.
u(_) :- ( true ).
u(_) :- ( true, true ).
u(_) :- r, ( ! ; s ).
u(X) :- ( q(X) '|' r ).
u :- ( r ; s ), ( s ; r ).
u :- ( r ; ( s ; ( r ; s ) ) ).
u :- ( ( ( r ; s ) ; r ) ; s ).
u :- ( q(A), q(A) ; q(B), q(B) ), q(A, B).
u :- ( r, q(A) ; s ), ( q(A) ; q(B) ), q(B).
u(X, Y) :- ( X = Y ; r ), q(X).
u(X, Y, Z) :- ( X = Y -> Z = 1 ; X = Z ), !.

% Comparison of terms, and type tests.
t(X) :- X == a.
t(X) :- a == X.
t(X) :- X == 16777216.
t(X) :- X == 16777215.
t(X) :- X == "a".
t(X) :- X == f(a).
t(X) :- X == X.
t(X) :- X \== a.
t(X) :- a \== X.
t(X) :- X \== X.
t(X) :- X \== [].
t(X) :- X @< a, a @>= X.
t(X) :- var(X), nonvar(X).
t(X) :- integer(X), rational(X), float(X), number(X).
t(X) :- atomic(X), atom(X), string(X), compound(X), callable(X).
t(X) :- is_list(X), ground(X), blob(X, _), is_dict(X).
t(X) :- rational(X, _, _).
t(_) :- atom(a), atom(1), atom(f(_)), atom([]), atom('[]'), atom("a").
t(_) :- integer(1), integer(a), integer(1r3), integer(10000000000000000000000).
t(_) :- rational(1), rational(1r3), rational(1.0).
t(_) :- float(1.0), float(1), number(1), number(1r3), number(1.0), number(a).
t(_) :- atomic(a), atomic("a"), atomic(f(_)), atomic(1).
t(_) :- string("a"), string(a), compound(f(_)), compound(a), compound([_|_]), compound([]).
t(_) :- callable(a), callable(f(_)), callable(1), callable([]).
t(_) :- var(a), nonvar(a), var(f(_)), nonvar(f(_)).
t(_) :- var(_), nonvar(_), atom(_).
t(_) :- var(X), q(X).
t(_) :- nonvar(X), q(X).
t(_) :- atom(X), q(X).
t(_) :- X == Y, q(X, Y).
t(_) :- X == X, q(X).
t(_) :- X \== Y, q(X, Y).
t(_) :- X \== X, q(X).
t(_) :- X == a, q(X).
t(_) :- X \== a, q(X).
t(_) :- _ == a.
t(_) :- _ \== a.
t(_) :- f(X) == _, q(X).
t(_) :- X \== _, q(X).
t(_) :- a == b.
t(_) :- a \== b.
t(_) :- f(X) == f(Y), q(X, Y).
t(X) :- X == Y, q(Y).
t(X) :- Y \== X, q(Y).
t(X) :- ( X == Y -> q(Y) ; r ).
t(X, Y) :- X == Y, Y \== X.
t :- atom(X) -> q(X) ; r.
t(X) :- functor(X, _, _), arg(1, X, _).

% arg/3.
g(X, Y) :- arg(1, X, Y).
g(X, Y) :- arg(1, X, Z), q(Y, Z).
g(X, Y) :- arg(16777216, X, Z), q(Y, Z).
g(X, Y) :- arg(72057594037927936, X, Z), q(Y, Z).
g(X, Y) :- arg(Y, X, Z), q(Z).
g(X, Y) :- arg(N, X, Z), q(Y, N, Z).
g(X, Y) :- arg(1, X, a), q(Y).
g(X, Y) :- arg(1, X, _), q(Y).
g(X, Y) :- arg(1, f(X), Z), q(Y, Z).
g(X, Y) :- arg(a, X, Z), q(Y, Z).
g(X, Y) :- arg(Y, Z, Z), q(X).
g(X, Y) :- arg(1, X, f(Z)), q(Y, Z).
g(X, Y, Z) :- arg(X, Y, Z).

% Arithmetic.
a(X) :- X is 1.
a(X) :- X is 1 + 2.
a(X) :- Y is X + 1, q(Y).
a(X) :- Y is X - 1, q(Y).
a(X) :- Y is 1 + X, q(Y).
a(X) :- Y is 1 - X, q(Y).
a(X) :- Y is X + -1, q(Y).
a(X) :- Y is X - -1, q(Y).
a(X) :- Y is X + 16777215, q(Y).
a(X) :- Y is X + 16777216, q(Y).
a(X) :- Y is X - 16777216, q(Y).
a(X) :- Y is X - 16777215, q(Y).
a(X) :- Y is X + 1.0, q(Y).
a(X) :- Y is X + X, q(Y).
a(X) :- Y is X * 2, q(Y).
a(X) :- X is X + 1.
a(X) :- _ is X + 1.
a(X) :- f(_) is X + 1.
a(X) :- 3 is X + 1.
a(X) :- Y is X, q(Y).
a(X) :- Y is -X, q(Y).
a(X) :- Y is +X, q(Y).
a(X) :- Y is (X), q(Y), Z is Y + 1, q(Z).
a(X) :- Y is pi * X + e ** 2 - random(10) / cputime, q(Y).
a(X) :- Y is max(X, 1) mod 3 + min(X, 2) rem 4 - (X // 2) + (X div 2) + X rdiv 3, q(Y).
a(X) :- Y is (X >> 1) /\ (X << 2) \/ (X xor 3) + \ X + msb(X) + gcd(X, 4), q(Y).
a(X) :- Y is powm(X, 2, 3) + truncate(X) + sqrt(X) + atan2(X, 1) + atan(X, 1) + copysign(X, 1), q(Y).
a(X) :- Y is "a" + 0'b + [c], q(X, Y).
a(X) :- Y is [X], q(Y).
a(X) :- Y is "ab" + X, q(Y).
a(X) :- Y is foo(X), q(Y).
a(X) :- Y is foo + X, q(Y).
a(X) :- Y is X + Z, q(Y, Z).
a(X) :- Y is X + _, q(Y).
a(X) :- Y is Y + X, q(Y).
a(X) :- Y is 9223372036854775807 + X, q(Y).
a(X) :- Y is 9223372036854775808 + X, q(Y).
a(X) :- Y is 1r3 + X + 1.5, q(Y).
a(X) :- Y is roundtoward(X + 1, to_positive), q(Y).
a(X) :- Y is roundtoward(X + 1, up), q(Y).
a(X) :- Y is [] + X, q(Y).
a(X) :- Y is {X}, q(Y).
a(X) :- X < 1, X > 1.
a(X) :- X =< X + 1, X >= X * 2, X =:= X - 1, X =\= X.
a(X) :- 1 < 2, X < Y, q(Y).
a(X, Y) :- X is Y + 1.
a(X, Y) :- Z is X + Y, q(Z).
a(X, Y) :- roundtoward(X, Y), Z is roundtoward(1.0, X), q(Z).
a(X, Y, Z, W) :- V is X + Y + Z + W, q(V), V > W.
a(X, Y) :- succ(X, Y), plus(X, 1, Y).
a(X) :- ( X = f(Y) -> Z is Y + 1 ; Z = 0 ), q(Z).
a(X) :- ( Y is X + 1 ; Y is X + 2 ), q(Y).
a(X) :- \+ Y is X + 1, q(Y).
a(A, B, C) :- D is A + 1, D < B, D + C > 3, q(D).
a :- X is 1, Y is X + 1, q(Y).

% Last calls.
l(X) :- l(X).
l(_) :- l(_).
l(X) :- r, l(X).
l(X) :- l(X), l(X).
l(X, Y) :- l(X, Y).
l(X, Y) :- l(Y, X).
l(X, Y) :- l(X, X), l(Y, Y).
l(X, Y) :- l(Y, Y), r, l(X, X).
l(X, Y) :- q(Y).
l(X, _) :- q(X).
l(X, Y) :- q(Z), l(Z, X), q(Y).
l(X, Y) :- q(Z), l(X, Z), q(Y), l(Z, Y).
l(X, Y) :- q(Z), q(Y), l(Z, X).
l(X, Y) :- q(Z), q(X), l(Z, Y).
l(X, Y) :- l(a, []).
l(X, Y) :- l(1, Y).
l(X, Y) :- l(1.5, Y).
l(X, Y) :- l("s", Y).
l(X, Y) :- l(f(X), Y).
l(X, Y) :- l([X], Y).
l(X, Y) :- l(72057594037927936, Y).
l(X, Y) :- l(_, _).
l(X, Y) :- l(X, _).
l(X, Y) :- l(Z, Z).
l(X, Y) :- q(Z), l(Z, Z).
l(X, Y, Z) :- l(Y, Z, X).
l(X, Y, Z) :- l(X, Z, Z).
l(X, Y, Z) :- l(Z, Y, Z).
l(X, Y, Z, W) :- l(X, Y, Z, W).
l(X, Y, Z, W) :- l(W, W, W, W).
l(X, Y, Z, W) :- l(X).
l(X, Y, Z, W) :- q(V), l(Y, Z, W, V).
l([X|Xs], Y) :- l(Xs, Y).
l([X|Xs], Y) :- q(X), l(Y, Xs).
l :- l.
l :- r.
l :- r, l.
l :- q(a).
l :- !, l.
l(X) :- ( r -> l(X) ; l(X) ).
l(X) :- ( r ; l(X) ).
l(X) :- ( l(X) ; r ).
l(X) :- ( r -> l(X) ).
l(X) :- ( r *-> l(X) ; l(X) ).
l(X) :- \+ l(X).
l(X) :- ( r -> l(X) ; s ), r.
l(X) :- append(X, _, X).
l(X, Y, Z) :- length(X, Y), msort(Y, Z).

% Modules, and calls of terms.
m(X) :- lists:append(X, _, _).
m(X) :- odd:m(X).
m(X) :- odd:(r, m(X)).
m(X) :- other:(r, m(X)).
m(X) :- other:(r, odd:m(X)).
m(X) :- other:(odd:m(X), m(X)).
m(X) :- other:(X = a, X == b, atom(X), !).
m(X) :- other:(Y is X + 1), q(Y).
m(X) :- other:(X < 1 ; r -> s).
m(X) :- other:(\+ r), q(X).
m(X) :- other:X.
m(X) :- other:X, r.
m(X) :- X:r.
m(X) :- X:r, s.
m(X) :- X:q(a, X).
m(X) :- X:(r, s).
m(X) :- X:X.
m(X) :- X:atom(X).
m(X) :- X:(X = a).
m(X) :- X:call(X).
m(X) :- X:call(X, a).
m(X) :- X:other:r.
m(X) :- other:X:r.
m(X) :- Y:r, q(X, Y).
m(X) :- _:r, q(X).
m(X) :- 3:r, q(X).
m(X) :- other:3, q(X).
m(X) :- other:call(X).
m(X) :- other:call(X, a).
m(X) :- other:true, q(X).
m(X) :- call(X).
m(X) :- call(X), r.
m(X) :- r, call(X).
m(X) :- call(X, a).
m(X) :- call(X, a, _), r.
m(X) :- call(r), q(X).
m(X) :- call((r, !)), q(X).
m(X) :- call(f(X), X).
m(X) :- call(X, 1, 2, 3, 4, 5, 6, 7, 8).
m(X) :- r@other, q(X).
m(X) :- r@X.
m(X) :- q(X)@other.
m(X) :- (r, q(X))@other.
m(X) :- other:r@user, q(X).
m(X) :- @(other:q(X), user).
m(X) :- @(X, user).
m(X) :- @(other:X, user).
m(X) :- @(call(X), user).
m(X) :- X:r@user.
m(X, Y) :- X:r@Y.
m(X, Y) :- @(X:q(Y), Y).
m(X, Y) :- (X:Y)@X.
m(X, Y) :- X:Y, Y:X.
m :- once(r), ignore(s), forall(r, s), findall(X, q(X), _).
m :- m, other:m.

% Single-sided rules.
e(a) => r.
e([]) => true.
e(f(X)), X > 1 => q(X).
e(f(X)), true => q(X).
e(f(X)), ( true, true ) => q(X).
e(f(X)), ( true, q(X) ) => q(X).
e(X), X = f(Y) => q(Y).
e(X) => X = f(Y), q(Y).
e(X), atom(X), \+ X == a => true.
e([X|Xs]), q(X) => e(Xs).
e(X) => e(X).
e(_) => true.
e(X, Y), X = Y => r.
e(X, X) => r.
e(X, Y) => X = Y.
e(X, Y), q(Z), q(Y, Z) => e(X, Z).
e(X, f(X, _)) => true.
e(f(_), f(_)) => !, r.
e([X|Y], Z, _) => e(X, Y, Z).
e(_, _, _), r => s.

% Refused.
n(X) :- 3, q(X).
n(X) :- "s", q(X).
n(X) :- q(X), [].
n(X) :- _, q(X).
n(X) :- q(X), 1.5.
n(X) :- ( q(X) ; 3 ).
n(X) :- \+ 3, q(X).
3 :- r.
"s".

% Constants as arguments, and the many slots of a large clause.
k(X) :- q([], '[]', {}), q(X).
k(X) :- q(1, -1, 1.5), q(X).
k(X) :- q(72057594037927935, 72057594037927936, 9223372036854775808), q(X).
k(X) :- q(1r3, "s", ""), q(X).
k(X) :- q(f(X, Y), [Y|Z], g([], Z, [a])).
k(X) :- q([X, [X, Y], [[Y]]]), q(Y).
k(X) :- q(f(g(h(X))), f(), [f()]).
k(X) :- q(f(_, _), _, [_|_]), q(X).
k(X) :- q([a, b, c|X]).
k(X) :- q(f(Y), Y), q(X).
k(X) :- q(Y, f(Y)), q(X).
k(X) :- q(Y, Y), q(X).
k(X, Y) :- q(X, Y), q(A, B), q(C, D), q(E, F), q(A, C, E), q(B, D, F), k(A, F).
k(X, Y) :- q(f(X, Y, A, B, C, D), g(A, B, C, D, E, F, G), [E, F, G|X]), k(G, A).
k(X) :- ( q(A), q(B), q(C), q(D), q(E), q(F), q(G), q(H), q(I), q(J) ; q(K), q(L), q(M), q(N), q(O), q(P), q(Q), q(R), q(S), q(T) ),
    ( q(U), q(V), q(W) ; r ), q(f(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X)).
k(X) :- 'hello world'(X), [](X).
k(X) :- '$sig_atomic'(X), '$cut', q(X).
k(X) :- '$call_continuation'(X), '$shift'(X), '$shift_for_copy'(X).
k :- '$catch', '$reset', '$call_cleanup', '$yield'.
k(X) :- q(X), q(Y), '$call_continuation'(Y), '$shift'(Z), q(Z).

% Grammar rules.
o --> [].
o --> [a], o.
o --> "ab", o, !.
o --> { r }, \+ o, [X], { q(X) }.
o --> ( o ; [b] ), call(q, c).
o --> ( [a] -> [b] ; o ).
o, [a] --> [b].
o(X) --> o(X), [X, _].
o(X) --> X, other:o.
other:o(X) --> o(X).

% Other modules, and dynamic predicates.
:- multifile other:k/1, user:odd_hook/1.
other:k(X) :- X = f(a), k(X), other:k(X).
other:k(X) :- q(X).
other:k(a).
other:k(_) :- true.
user:odd_hook(X) :- X = [_|_], odd_hook(X), user:odd_hook(X).
other:(k(X) :- r, k(X)).
:- dynamic d/1, d/2.
d(X) :- X = f(Y), q(Y).
d(X, Y) :- X = a, Y = [b|X].
:- meta_predicate other:kk(0), w(0, ?).
other:kk(X) :- q(X), other:kk(X).
w(X, Y) :- Y = f(_), call(X), w(X, Y).
