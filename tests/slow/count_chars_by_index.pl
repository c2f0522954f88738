% asks: I go through an atom by index with sub_atom and ask for the length each time. Should I use atom_chars instead?
% call: input_text(N, T), count_char(T, a, _)
% predicate: count_char/3
% sizes: 40000 80000 160000 320000 640000
% class: n
% cause: sub_atom

count_char(Text, Char, Count) :-
    count_char(0, Text, Char, 0, Count).

count_char(I, Text, _, Count, Count) :-
    atom_length(Text, Len),
    I >= Len, !.
count_char(I, Text, Char, Count0, Count) :-
    sub_atom(Text, I, 1, _, C),
    (   C == Char
    ->  Count1 is Count0 + 1
    ;   Count1 = Count0
    ),
    I1 is I + 1,
    count_char(I1, Text, Char, Count1, Count).

input_text(N, T) :-
    length(Cs, N),
    maplist(=(a), Cs),
    atom_chars(T, Cs).
