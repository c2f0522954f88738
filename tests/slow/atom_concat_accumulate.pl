% asks: Joining a long list of words to one atom takes longer and longer per word, why?
% call: input_words(N, Ws), join(Ws, _)
% predicate: join/2
% sizes: 500 1000 2000 4000 8000
% class: n^2
% cause: atom_concat
% constant: elements    the words keep their length

join(Words, Atom) :-
    join(Words, '', Atom).

join([], Atom, Atom).
join([W|Ws], Acc, Atom) :-
    atom_concat(Acc, W, Acc1),
    join(Ws, Acc1, Atom).

% N words of four letters
input_words(N, Ws) :-
    length(Ws, N),
    maplist(=(word), Ws).
