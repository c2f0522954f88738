:- use_module(point).
dict(_{a: 1, b: _{c: x}, l: [_{d: 2}]}).
keys :- dict(D), q(D.a), q(D.b.c), w.
arithmetic :- dict(D), X is D.a + D.a, q(X), w.
in_terms :- dict(D), q(f([D.a, D.b], D.b.c)), w.
put_and_get :- dict(D), q(D.put(a, 2).a), E = D.put(b/c, y), q(E.b.c), q(D.put(_{z: D.a}).z).
with_default :- q(_{}.get(a, d)), w.
fails :- dict(D), q(D.get(z)), w.
raises :- dict(D), q(D.z), w.
unbound(D) :- q(D.z), w.
many :- dict(D), q(D.get(_)), w.
chosen(K) :- dict(D), q(D.K), w.
key_first :- K = a, dict(D), q(D.K), w.
own_function :- P = point{x: 1, y: 2}, q(P.twice()), w.
own_again :- P = point{x: 1, y: 2}, q(P.moved(1).x), w.
of_grammar :- dict(D), g(D, [x], _), w.
g(D) --> h(D.a), [x], h(f(D.b.c, D.a)).
h(_) --> [].
in_module :- dict(D), point:moved(D.a, D.b), w.
of_module :- dict(D), point:r(D.a, D.b.c), w.
test(D) :- D.a > 0, w.
head(_{a: 1}.a).
q(_) :- w.
w.
