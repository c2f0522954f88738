%% Patterns against property lists, in the manner of the Lisp benchmark.
% ?- match([a,star(S),d], [a,b,c,d]).
% ?- findall(X-Y, match([star(X),star(Y)], [1,2]), L).
% ?- match([f([star(_)]),X], [f([a,b]),c]).
% ?- match([X,b,X], [a,b,a]).
% ?- units(4, Us), tries(Us, [[star(A),b,star(B)],[a,star(_)],[star(_)]], Hits).

match([], []).
match([star(Xs)|Ps], Data) :- !, append(Xs, Rest, Data), match(Ps, Rest).
match([P|Ps], [D|Ds]) :- compound(P), !, compound(D), P =.. [F,Inner], D =.. [F,Items], match(Inner, Items), match(Ps, Ds).
match([P|Ps], [P|Ds]) :- match(Ps, Ds).

units(0, []) :- !.
units(N, [U|Us]) :- M is N-1, unit(N, U), units(M, Us).

unit(N, U) :- N mod 2 =:= 0, !, U = [a,b,c].
unit(_, [x,b]).

tries([], _, []).
tries([U|Us], Ps, [N|Ns]) :-
    findall(P, ( member(P, Ps), \+ \+ match(P, U) ), Found),
    length(Found, N),
    tries(Us, Ps, Ns).
