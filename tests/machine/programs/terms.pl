%% Terms taken apart, compared, copied, numbered.
% ?- functor(f(a,b), N, A), arg(2, f(a,b), X), f(a,b) =.. L.
% ?- copy_term(f(X,Y,X), C), C = f(1,2,Z).
% ?- term_variables(f(X,g(Y,X),_), Vs), length(Vs, N).
% ?- size(f(a,g(b,[1,2])), S).
% ?- subterms(f(a,g(b)), Ss).
% ?- replace(a, z, f(a,g(a,b)), T).
% ?- f(X,Y) = f(Y,1).
% ?- X = f(X0), X0 = 1, X == f(1).
% ?- f(A,B) =@= f(C,D), \+ f(A,A) =@= f(C,D).
% ?- unify_with_occurs_check(X, f(X)).
% ?- X = f(_), setarg(1, X, b).
% ?- T = f(a,b), setarg(1, T, c), T = f(X, _).
% ?- T = f(a), ( setarg(1, T, b), fail ; true ).
% ?- numbervars(f(X,Y), 0, E), print(f(X,Y)).
% ?- sort([f(b),a,1,"s",2.0,Z,g(a,b),[x],f(a)], L).
% ?- compare(O, f(a,b), g(a)), compare(P, a, "a"), compare(Q, 1, 1.0).
% ?- ground(f(a)), \+ ground(f(_)), callable(foo), is_list([a]), atomic("s").
% ?- X = "abc", string(X), \+ atom(X).
% ?- tab(2), print(f(x)).
% ?- subsumes_term(f(_), f(a)), \+ subsumes_term(f(a), f(_)).
% ?- depth(a, D1), depth(f(g(h(x)),y), D2).
% ?- X @< Y, Y @> X, f(X) \== f(Y).
% ?- term_to_atom(f(X,'A',"s",[1,2]), A), term_to_atom(T, 'g(Y,Z,Y)').
% ?- A = f(B), B = g(C), C = A0, A0 = x.

size(T, 1) :- \+ compound(T), !.
size(T, S) :- T =.. [_|As], foldl([A,S0,S1]>>( size(A, N), S1 is S0+N ), As, 1, S).

depth(T, 0) :- \+ compound(T), !.
depth(T, D) :- T =.. [_|As], maplist(depth, As, Ds), max_list(Ds, M), D is M+1.

subterms(T, [T|Ss]) :- compound(T), !, T =.. [_|As], maplist(subterms, As, Sss), append(Sss, Ss).
subterms(T, [T]).

replace(X, Y, X, Y) :- !.
replace(X, Y, T, U) :- compound(T), !, T =.. [F|As], maplist(replace(X, Y), As, Bs), U =.. [F|Bs].
replace(_, _, T, T).
