%% A renderer of small documents to text, with escapes and numbering.
% ?- render(doc([title("Notes"), p([text("a < b & "), b([text("bold")])]), list([one,two])])).
% ?- escape("<a&\"b\">", E).
% ?- roman(1994, R), roman(4, S).
% ?- maplist(roman, [1,9,40], L).
% ?- number_words(342, W).

render(doc(Blocks)) :- forall(nth1(I, Blocks, B), block(B, I)).

block(title(T), _) :- string_length(T, N), format("~s~n~`=t~*|~n", [T,N]).
block(p(Inlines), I) :- format("~d. ", [I]), maplist(inline, Inlines), nl.
block(list(Xs), _) :- forall(member(X, Xs), format("  * ~w~n", [X])).

inline(text(T)) :- escape(T, E), write(E).
inline(b(Is)) :- write('<b>'), maplist(inline, Is), write('</b>').

escape(S, E) :- string_chars(S, Cs), maplist(entity, Cs, Es), atomic_list_concat(Es, A), atom_string(A, E).
entity(<, '&lt;') :- !.
entity(>, '&gt;') :- !.
entity(&, '&amp;') :- !.
entity(C, C).

roman(0, '') :- !.
roman(N, R) :- digit(V, D), V =< N, !, M is N-V, roman(M, S), atom_concat(D, S, R).
digit(1000, 'M'). digit(900, 'CM'). digit(500, 'D'). digit(400, 'CD'). digit(100, 'C'). digit(90, 'XC').
digit(50, 'L'). digit(40, 'XL'). digit(10, 'X'). digit(9, 'IX'). digit(5, 'V'). digit(4, 'IV'). digit(1, 'I').

number_words(N, W) :- H is N//100, R is N mod 100, T is R//10, U is R mod 10,
    unit(H, A), ten(T, B), unit(U, C), atomic_list_concat([A,hundred,B,C], ' ', W).
unit(2, two). unit(3, three). unit(0, zero).
ten(4, forty).
