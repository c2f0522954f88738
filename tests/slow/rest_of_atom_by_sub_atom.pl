% asks: I count the commas in a big atom by taking off the first character each time, why is this not linear?
% call: input_text(N, T), commas(T, _)
% predicate: commas/2
% sizes: 2000 4000 8000 16000 32000
% class: n^2
% cause: sub_atom

commas(Text, Count) :-
    commas(Text, 0, Count).

commas('', Count, Count) :- !.
commas(Text, Count0, Count) :-
    sub_atom(Text, 0, 1, _, Char),
    sub_atom(Text, 1, _, 0, Rest),
    (   Char == ','
    ->  Count1 is Count0 + 1
    ;   Count1 = Count0
    ),
    commas(Rest, Count1, Count).

input_text(N, T) :-
    length(Cs, N),
    input_chars(Cs),
    atom_chars(T, Cs).

input_chars([]).
input_chars([a]) :- !.
input_chars([b,','|Cs]) :- input_chars(Cs).
