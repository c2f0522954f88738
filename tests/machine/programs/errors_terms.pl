%% Errors of each ISO class from term built-ins.
% ?- functor(T, foo, -1).
% ?- functor(T, foo, N).
% ?- functor(T, foo(a), 1).
% ?- arg(x, f(a), A).
% ?- arg(1, a, A).
% ?- T =.. [].
% ?- T =.. [f|X].
% ?- T =.. [f(a),b].
% ?- atom_length(X, L).
% ?- atom_length(f(x), L).
% ?- atom_length(abc, foo).
% ?- atom_codes(X, Y).
% ?- char_code(X, Y).
% ?- number_codes(N, "a").
% ?- atom_chars(X, [a|Y]).
% ?- sub_atom(X, B, L, A, S).
% ?- call(1).
% ?- call((foo:-bar)).
% ?- call((fail,1)).
% ?- call(X).
% ?- undefined_here.
% ?- undefined_here(1, 2).
% ?- assertz((foo:-4)).
% ?- assertz((atom(X):-true)).
% ?- copy_term(X, X).
% ?- length(L, -1).
% ?- length(a, N).
% ?- length([a|b], N).
% ?- msort(a, X).
% ?- sort(X, Y).
% ?- keysort([a], X).
% ?- op(1201, xfx, foo).
% ?- op(200, foo, bar).
% ?- op(200, xfx, ',').
% ?- throw(X).
% ?- number_vars(X, 1, Y).
% ?- must_be(integer, a).
% ?- must_be(integer, X).
% ?- must_be(positive_integer, 0).
% ?- must_be(list, [a|b]).
% ?- must_be(boolean, 1).
% ?- must_be(foo, 1).
% ?- must_be(between(1,3), 5).
% ?- must_be(oneof([a,b]), c).
% ?- type_error(integer, x).
% ?- is_list([a|X]), true.
% ?- nth0(a, [1], X).
% ?- numlist(a, 2, L).
% ?- between(a, 2, L).
% ?- between(1, X, L).
% ?- findall(X, Y, L).
% ?- arg(N, f(a,b), A).
