% Clauses of all forms that GNU Prolog compiles in a way of its own, and some that it refuses.

:- style_check(-singleton).

% The examples of papers.
app([],L,L).
app([H|T],L,[H|R]) :- app(T,L,R).
nrev([],[]).
nrev([H|T],R) :- nrev(T,R1), app(R1,[H],R).
fact(0,1) :- !.
fact(N,F) :- N > 0, N1 is N-1, fact(N1,F1), F is N*F1.
p(X,Y) :- ( X > Y -> q(X) ; X = a, ! ; \+ r(X) ), s(Y).
q(a). q(b). q(f(_)). q(X) :- atom(X), call(X,1), X == b, functor(X,_,N), write(N).
r(f(X,g(X,Y),Y),_,[1,2,3|T],T,"abc",1.5,'$x').
r(X) :- catch(q(X),_,true), findall(Y,q(Y),L), r(L), X, X = Y.
s(A) :- r(f(A,B),g(B,[1,2])), !, t(A), \+ u(B).
t(A) :- q(B), A =.. B, arg(1,A,C), copy_term(C,D), s(D), fail.
v(A,B) :- w(B,A).
w(A,B,C) :- w(C,A,B).

% Goals.
a1(X) :- ( foo(X) -> true ; fail ), X = 1.
a2(X,Y) :- X = f(Y), b.
a3(X,Y) :- \+ foo(X), b(Y).
a4(X,Y) :- b(X), Y = g(X,Z), c(Z).
a5(X,Y) :- X = Y.
a6(X,Y) :- X == Y, !.
a7(X) :- foo(X), !, b ; c.
a8 :- a, b.
a9 :- a.
a10 :- !.
a11 :- !, a.
a12(X) :- var(X), !, foo(X).
a13(X,Y) :- Y is X + 1.
a14(X,Y) :- Y is X * 2 + 3 mod X, X =:= Y, X >= 2.5, Y =\= 3.
a15(X,Y) :- call(X,Y), call(X), G = foo(Y), call(G), foo:bar(X).
a16(L) :- length(L,N), N > 3, atom_length(L,N), assertz(foo(L)), retract(foo(_)), asserta((a:-b)), write(x), nl, fail.
a17(X,Y) :- (X = 1, Y = 2 ; X = 2, Y = 3).
a18(X,Y) :- (foo(X) -> Y = 1), b.
a19(X,Y) :- forall(foo(X),foo(Y)), once(foo(X)), ignore(foo(Y)), setof(X,foo(X),_).
a20(X,Y,Z) :- foo(X), once((b(Y), c(Z))), !.
a21(X,f(Y),g(X,Y),[Z|_],Z).
a22(_,_,_).
a23(f(g(h(X),Y),Z),X,Y,Z).
a24(X) :- X = f(g(h(A),B),C), p(A,B,C).
a25(X) :- p([a,b|X], [X], "str", 3, []).
a26(X,Y) :- X < Y, X =< Y.
a27(X) :- X = [], Y = X, Y = a.
a28(X,Y):- X=..Y, arg(1,X,Y), functor(X,Y,Z), Z @< X, X \== Y, X @>= Y, compare(X,Y,Z).
a29(X,Y) :- X \= Y, atom(X), integer(Y), callable(Y), is_list(X), ground(X), number(X), compound(X), nonvar(Y), float(Y), atomic(X), list(X).
a30(X,Y) :- (  X > 0 -> Y = 1 ; X < 0 -> Y = 2 ; Y = 3 ).
a31(X,Y) :- (  X > 0, Y = 1 ; true ), !, b.
a32(X) :- throw(X).
a33 :- repeat, a, !.
a34(X) :- foo(X), \+ (foo(X), bar(X)), a.
a35(X) :- foo(X), ( \+ foo(X) -> a ; b), (a->b;c).

% Order of arguments.
b1(X,Y,Z) :- q(f(X),a,Z,g(b),[Y],1,_,X), r.
b2(X,Y) :- q(X,f(X,Z),Z,g(Z,[Y])).
b3(f(X),a,Y,g(Y,b),[c],X,X,1.0,[]) :- r, s(X).
b4(A,B,C,D) :- q, r(A,C).
b5(A,B,C,D) :- q(D,B), r(A,C).
b6(A,B,C,D) :- q(B,D), r(A,C).
b7(A,B) :- q(A,f(B),g(A,h(B,C,D),C),[D|E],E).
b8(A) :- q(A,f(a,g(b))).
b9(A) :- A = f(a,g(b)), q([1,2|f(A)]).
b10(X) :- X = f(Y,Z), Y = g(Z).
b11(X,Y) :- f(X) = f(Y), g(Z) = Z, r(Z).
b12 :- X = f(Y), q(X,Y).
b13(X) :- q(X), Y = X, r(Y).
b14(X) :- q(Z), f(Z) = g(X), r(_,_,_).
b15(f(_,_,a,_,_,[_|_]),g(_)).
b16(f(X,X,Y),Y,Y).
b17(X,X,X).
b18(X,_,X) :- q(X), r(X,X).
b19(X) :- _ = X, _ = f(_), q(f(_,_),[_|_]).
b20(X,Y) :- X is Y+Z, q(Z,W), V is W, r(V,V).
b21(X) :- q(X) , true, r, fail, s.
b22(X) :- X = 1.5, X = "abc", X = 12345678901234567890, X = 1, X= -1, X = 100000000000, q(12345678901234567890,100000000000,-1).
b23(12345678901234567890).
b24(f(12345678901234567890, 1.5, "s", 99999999999999)).
b25(X) :- X = f(12345678901234567890, 1.5, "s", 99999999999999).

% Built-ins in line.
c1(X,Y) :- atom(Y).
c2(X,Y) :- q(Z), atom(Z), Y = f(Z).
c3(X,Y) :- functor(X,N,A), Y = f(N,A), r(N).
c4(X,Y) :- Z is X+1, Y = f(Z), r(Z).
c5(X,Y) :- Z is X+1, q, r(Z,Y).
c6(X,Y) :- Y is X+1+2*(X-1)/Y, r(Y).
c7(X,Y) :- X > 3+Y, r.
c8(X) :- Y is X, r(Y).
c9(X) :- Y is 3, r(Y).
c10(X) :- 3 is X, r(Y).
c11(X) :- f(Y) is X, r(Y).
c12(X) :- q(X), 3 is X, f(Y) is X, r(Y).
c13(X,Y) :- q(Y), Y is X, Z is Y, r(Z).
c16(X,Y) :- compare(C,X,Y), q(C,X,Y).
c17(X,Y) :- X = f(A,B), Y = g(B,A).
c18(X) :- X = f(A), A = g(B), B = h(C), r(C).
c19(X) :- f(A,b) = X, r(A).
c20(X,Y) :- X = Y, r(X,Y).
c21(X,Y) :- q, X = Y, r(X,Y).
c22(X,Y) :- q, Z = Y, r(X,Z).
c23(X,Y) :- Z = W, q(Z,W).
c24(X,Y) :- Z = W, q, r(Z,W).
c25(X,Y) :- q, f(X,Z) = f(a,Y), r(Z,W).
c26(X,Y) :- X == f(Y), Y \== a, f(X,Z) == g(Z), r(Z).
c27(X) :- Y = 1, Z = [], W = f(a), V = 1.5, r(Y,Z,W,V).
c28(X) :- Y = 1, Z = [], W = f(a), V = 1.5, q, r(Y,Z,W,V).
c29(f(X,g(A,b),h(B),i(A,B)),X).
c30(X,Y,Z) :- q(f(a,g(b),h(c),i(d)),Y,X).
c31(X) :- X = f(A,_,_), A = _.
c32(X,Y) :- var(X), nonvar(Y), Z = f(X,Y,W), var(W), X is W*2.

% Disjunctions.
d1(X,Y,Z) :- ( b(Y), c(X) ; d(Z), e(W), f(W) ; g(_) ).
d2(Z,Y,X) :- ( b(Y,V), c(X) ; d(Z), e(W), f(W) ), h(V).
d3(f(A),B) :- ( (a ; b(B)) ; c(A) ).
d4(A) :- ( a(A), ( b(A) -> c(A), ! ; d ) ; e ).
d5(A) :- ( a(A) *-> b(A) ; d ).
d6(A) :- ( a(A) *-> b(A) ), c.
d7(A) :- \+ ( a(A), ! ), b.
d8(A) :- ( a(A) -> b ; c, d -> e ; f ), !, g ; h.
d9(A) :- ( (a(A) -> b) , c ; d).
d10(A) :- ( a, ! -> b ; c), d.
d11(A) :- ( a(A) , (b(A) -> c ; d(A)) -> e ; f).
d12(A) :- a(A) -> b(A).
d13(A) :- a(A), (b ; true), (c(A,B) ; true, B = 1), d(B).
d14(A,X) :- ( A = f(X) ; A = g(X), ! ).
d15(A,B) :- ( A -> B ; call(A), \+ B ), call((A,!)), call((a;B)), findall(X,(A,B),_).
d16(X) :- (X == 1 -> ! ; fail), a.
d17(X) :- call((a(X),!,b)).
d19(X) :- (a, b), c(X).
d20(X) :- ( ( a, b ), c(X) ; fail ; true ).
d21(X) :- ( a(X) -> true ; true ).
d22(X) :- false, a.
d23(X) :- ( X > 1, X < 3 -> true ; X =< 5 ), X =.. [a|Y], b(Y).

% Indexes.
i1(a). i1(b). i1(a). i1(c).
i2(a). i2(1). i2(f(_)). i2([]). i2([_|_]). i2(1.5). i2(g). i2(f(a)). i2(f(_,_)).
i3(X) :- a(X). i3(b). i3(c). i3(Y) :- b(Y). i3(d).
i4(X,_). i4(Y,_).
i5(X,_) :- X = a. i5(X,_) :- X = b.
i6(X,_) :- a, X = a. i6(X,_) :- X = b.
i7(X,_) :- Y = a, X = a, b(Y). i7(X,_) :- X == c, X = b.
i8(1,a). i8(X,b). 
i9([],_). i9([_|_],_). i9([a|_],_).
i10(1.5). i10(2.5).
i11(f(1)). i11(f(2)). i11(g(3)).
i12(X,a):- X = 1. i12(X,b) :- X = 2.
i13(_,f(X),X). i13(a,_,X) :- foo(X,f(X)).
i14 :- a. i14 :- b.
i16([]). i16(X) :- X = [_|_].
i17([]) :- !. i17([X]) :- !, a. i17(Y) :- b.
i18(X,Y) :- q(Y), X = a. i18(b,_).
i19(X,Y) :- !, X = a. i19(b,_).
i20(X,b) :- X = a. i20(b,_).
i21(a,b,X,f(X)). i21(b,Y,Y,Y).
i22(X,X). i22(f(X),X).
k1(X,Y) :- X = a, q(Y,X). k1(X,Y) :- X = b, q(Y,X).
k2(X,Y) :- Y = Z, X = a, q(Y,Z). k2(X,Y) :- X = b, q(Y,X).
k3(X,f(X)) :- X = a. k3(b,_).
k4(X,f(X,Y)) :- q(X,Y). k4(b,_).
k5(X,Y) :- X = f(Y), q(Y,X). k5(X,Y) :- X = g(Y), q(Y,X).
k6(X,Y) :- f(a,Z) = f(X,Y), q(Y,Z). k6(b,Y) :- X = g(Y), q(Y,X).
k7(X,Y) :- (fail ; a), b(Y). 
k8(X,Y) :- (fail -> a ; b), b(Y). 
k9(X,Y) :- (true -> a ; b), b(Y). 
k10(X,Y) :- (a ; true ; fail), b(Y). 
k11(X,Y) :- (a -> fail ; true), b(Y). 
k12(X,Y) :- (a -> b -> c ; d). 
k13(X,Y) :- (a ; b -> c). 
k14(X,Y) :- ((a -> b ; c) -> d ; e). 
k15(X,Y) :- (a(Z) -> b(Z) ; c(W), d(W)), e(Z).
k16(X) :- X = f((a;b)), ( X = Y ; Y = 2 ), !, b(Y,_) , (var(X) ; var(Z)).
k17(X) :- a(X), b(X), \+ \+ X.
k18(X) :- a, fail, b(X).
k19(X) :- !, fail.
k20(X) :- a, !, fail.
k21(X) :- fail.
k22(X) :- q(X,Y), Y = [X|Z], r(Z), Y = W, s(W).
k23(X) :- (X = 1 -> true ; X = 2 -> true ; fail).
k24(X) :- (fail ; fail), a.
k25(X) :- (a(X) *-> true ; fail).
k26(X) :- (a(X) -> ! ; true).
k27(X) :- (a(X) ; ! , b), c.

% Variables of the environment.
m1(X,Y) :- q(X), call(X), call(Y,X,X), catch(X,_,fail), throw(Y).
m2(A,B,C) :- B = f(A), q(C,B,A), r.
m3(A,B,C) :- q(C), r(A,f(B),X,X), s(X,Y), t(Y,Y), u.
m4(A,B,C) :- q(X), r(X,X), s.
m5(A,B,C) :- q(X), r(X,f(X)).
m6(A,B,C) :- q(X), s, r(f(X),X).
m7(A,B,C) :- q(X), atom(X), r(f(X),X).
m8(A,B,C) :- q(X), X > 3, r(X).
m9(A,B,C) :- X is A+B, q(X), r(f(X),X).
m10(A,B,C) :- q(A), X is A+B, r(f(X),X), t(C).
m11(A,B,C) :- q(A), functor(A,N,M), r(f(N),N,M), t(M,N).
m12(A,B,C) :- functor(A,N,M), C = f(N,M).
m13(A,B,C) :- X = f(Y), Y = g(Z), q(X), r(Y,Z).
m14(A,B,C) :- q(f(X,Y),X,Y), r(X), s(Y).
m15(A,B,C) :- A = f(B,D), E = D, q(E), C = g(E), t(D).
m16(f(A),B,C) :- q(A), C = g(A,D), t(D), u(B).
m17(A,B,C) :- q(B), A = B, C = D, D = E, r(D,E).
m18(A,B,C) :- q(B), X = Y, r(X), s(Y).
m19(A) :- q(B), X = f(B), r(X), s(X).
m20(A) :- q(B), r(B,_,C), !, s(C,f(_,g(_,_),_)).
m21(A) :- atom_length(A,B), C is B - 1, sub_atom(A,0,C,_,D), write(D), nl.
m22(A) :- g_assign(foo,A), g_read(foo,B), q(B), g_inc(foo), var(C), C = 3.
m23([A,B|C],[B,A,_|C],f(C)).
m24(X) :- Y = Z, q(Y,Z), W = 3, r(W).
m25(X) :- q, Y = a, Z = f(Y), r(Z,Y), s.
m26(X) :- q(Y), X = Y.
m27(X,Z) :- q(Y), X == Y, Z = Y, X = Y, Y = Z.
m28(X,Z) :- q(Y,W), X = f(Y), Z = g(Y), Y = W.

% Unifications and terms.
n1(A,f(B)) :- q(A), A = C, r(A), C = D, s(C,D).
n2(f(A,B)) :- A = B, r(A), s.
n3(f(A,B)) :- B = A, r(A), s(A).
n4(f(A,B)) :- A = B, r(A), s(A).
n5(f(A,B)) :- C = B, r(A), s(C).
n6(f(A,B)) :- B = C, r(A), s(C).
n7 :- A = B, r(A), s(B).
n8 :- A = B, r(A,B), s(B).
n9 :- B = A, r(A,B), s(B).
n10 :- A = B, r(A,B), s(A).
n11(X) :- q(A), B = X, s(B), t(B).
n12(f(g(a(1),2),h(b(3),c(5),4),i(6),7)).
n13(X) :- q(f(g(a(1),2),h(b(3),c(5),4),i(6),7)).
n14(f(1.5,2.5,X),1.5) :- q(g(1.5,X,2.5)).
n15(X) :- q(f(a,g(h(1),i(2),j(3)))).
n16(f(a,g(h(1),i(2),j(3),4),[k(1),l(2),m(3)])).
n17(X) :- m:q(X), m:X, m:(a,b), foo:!, a.
n18(X) :- q(X), Y is X*2, Z = Y, r(Z,f(Z)).
n19(X) :- Z = X, q(f(Z,X)), s(f(Z)).
n20(X) :- Y = f(X), q(f(Y)).
n21(X,Y) :- X = Y, X = Z, q(f(Z)).
n22(X) :- q(X), _ is X+1, r(X).
n23(X) :- X = X, q(X).
n24(X,Y) :- q(X), (X == Y), Y == f(Y), 3 = 3, a = b.
n25 :- X = "abc", q(X), r("", 0'a, 'a b', {x}, -(1), - 1, 1 - 1).
n26(-, "x", {}, '\n').
n27(X) :- X == Y, q(Y).
n28(X) :- X == Y, q(Z), r(Y).
n29(X) :- Y == X, Z @< f(Z), q.

% Indexes with a key that several clauses have.
o1(a). o1(a).
o2(1,_). o2(1,_). o2(2,_).
o2b(1,_). o2b(1,_).
o3(f(_)). o3(f(_)).
o4(f(_)). o4(X) :- a. o4(f(X)) :- b.
o5([_|_]). o5([_]). o5(a).
o6(X,Y) :- (X = a, b ; Y = 2, X = 3 ; var(X)).
o7(X,Y) :- (X =:= 0 -> Y = 1 ; Y = 2).
o8(X,Y) :- (Y = 1 -> X = 1 ; Y = 2).
o9(X,Y) :- ( X = 1, Y = 2 ; X > 1, a).

% Types.
ty(any,_).
ty(atom,X) :- atom(X).
ty(between(L,U),X) :- ( integer(L), integer(U) -> integer(X), between(L,U,X) ; number(X), X >= L, X =< U).
ty(boolean,X) :- (X==true;X==false), !.
ty(bool,X) :- (X==true;X==false), !.
ty(codes,X) :- is_list(X).

% Disjunctions in disjunctions.
z1(1) :- ((a1,(b1;c1) ; d1), e1 ; (f1 ; g1),h1 ), (i1 ; j1).
z1(2) :- ((a2,(b2;c2) ; d2), e2 ; (f2 ; g2),h2 ), (i2 ; j2).

% Indexes over lists and structures.
w1(X,Y) :- X = Y, ( X = [a], b ; X = [b], c ; X = [c], d).
w2(X) :- ( X = f([Y]), q(Y) ; X = g(Z), q(Z) ; X = [_], r ).
w3(rdf(X,p:q,Y)) :- a. w3(rdf(X,p:r,Y)) :- b.
w4(f(X)) :- a. w4(f(Y)) :- b. w4([]).
w5('[|]'(X,Y)). w5('[|]'(X,Y)).
w6('.'(X,Y)). w6('.'(X,Y)).

% Arithmetic functions.
ar(X,Y) :- Y is -X, Y is +X, Y is abs(X)+sign(X), Y is min(X,3)*max(X,4), Y is X+1-1, Y is 1+X, Y is X-(-1).
ar(X,Y) :- Y is X//2, Y is X/2, Y is X mod 2, Y is X rem 2, Y is div(X,2), Y is gcd(X,2), Y is X>>1, Y is X<<1.
ar(X,Y) :- Y is X/\1, Y is X\/1, Y is \X, Y is xor(X,1), Y is X**2, Y is X^2, Y is msb(X), Y is log(2,X).
ar(X,Y) :- Y is sqrt(X), Y is exp(X)+log(X), Y is sin(X)+cos(X)*tan(X), Y is atan2(X,2), Y is pi, Y is e, Y is epsilon.
ar(X,Y) :- Y is float(X), Y is floor(X), Y is ceiling(X), Y is round(X), Y is truncate(X), Y is float_integer_part(X).
ar(X,Y) :- Y is [X], Y is "a", Y is 1.5, Y is 2+3, Y is -(3), Y is - 3, Y is 2*X+1, Y is foo.
ar(X,Y) :- Y is X+foo(1), Y =:= cputime.

% Modules.
mo(X) :- m:a(X), m:(b(X), c), m:(X is 1, X > 2), m:n:a(X).
mo(X) :- X:a.
mo(X,Y) :- m:(X > 1 -> b(X) ; Y is X), m:X, m:atom(X).
