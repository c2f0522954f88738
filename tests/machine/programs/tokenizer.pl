%% A tokenizer by character classes, with positions and errors.
:- op(200, xfx, @).
% ?- tokens("let x1 = 42;", Ts).
% ?- tokens("a<=b != c", Ts).
% ?- catch(tokens("a $ b", Ts), error(E, _), true).
% ?- tokens("", Ts).
% ?- tokens("\"str\" 'c'", Ts).

tokens(S, Ts) :- string_chars(S, Cs), scan(Cs, 0, Ts).

scan([], _, []).
scan([C|Cs], P, Ts) :- char_type(C, space), !, Q is P+1, scan(Cs, Q, Ts).
scan([C|Cs], P, [word(A) @ P|Ts]) :- char_type(C, csymf), !, take(Cs, csym, W, Rest), atom_chars(A, [C|W]), next(P, [C|W], Q), scan(Rest, Q, Ts).
scan([C|Cs], P, [number(N)@P|Ts]) :- char_type(C, digit(_)), !, take(Cs, digit(_), W, Rest), number_chars(N, [C|W]), next(P, [C|W], Q), scan(Rest, Q, Ts).
scan(['"'|Cs], P, [string(S)@P|Ts]) :- append(W, ['"'|Rest], Cs), !, string_chars(S, W), length(W, N), Q is P+N+2, scan(Rest, Q, Ts).
scan([A,B|Cs], P, [op(O)@P|Ts]) :- atom_chars(O, [A,B]), memberchk(O, [<=,>=,'!=',==]), !, Q is P+2, scan(Cs, Q, Ts).
scan([C|Cs], P, [op(C)@P|Ts]) :- memberchk(C, [=,<,>,;,+,-,'''',c]), !, Q is P+1, scan(Cs, Q, Ts).
scan([C|_], P, _) :- throw(error(unexpected(C, P), tokens/2)).

take([C|Cs], Type, [C|W], Rest) :- char_type(C, Type), !, take(Cs, Type, W, Rest).
take(Rest, _, [], Rest).

next(P, W, Q) :- length(W, N), Q is P+N.


