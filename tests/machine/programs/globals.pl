%% Global variables.
% ?- nb_setval(k, f(X)), nb_getval(k, V).
% ?- b_setval(k, 1), b_getval(k, V).
% ?- nb_setval(c, 0), forall(member(_, [a,b,c]), ( nb_getval(c, N), M is N+1, nb_setval(c, M) )), nb_getval(c, R).
% ?- nb_setval(v, old), ( b_setval(v, new), fail ; nb_getval(v, X) ).
% ?- nb_getval(no_such_key, X).
% ?- nb_setval(X, 1).
% ?- nb_setval(f(x), 1).
% ?- gensym_own(G1), gensym_own(G2).

gensym_own(G) :-
    catch(nb_getval(gensym, N0), _, N0 = 0),
    N is N0+1,
    nb_setval(gensym, N),
    atom_concat(g, N, G).
