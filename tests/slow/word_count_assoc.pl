% asks: Are assoc lists really logarithmic? My word count takes seconds for 200000 words, is this normal?
% call: input_words(N, Ws), word_count(Ws, _)
% predicate: word_count/2
% sizes: 2000 4000 8000 16000 32000
% class: n log n
% cause: put_assoc

word_count(Words, Counts) :-
    empty_assoc(Empty),
    count_words(Words, Empty, Assoc),
    assoc_to_list(Assoc, Counts).

count_words([], Assoc, Assoc).
count_words([W|Ws], Assoc0, Assoc) :-
    (   get_assoc(W, Assoc0, C0)
    ->  C is C0 + 1
    ;   C = 1
    ),
    put_assoc(W, Assoc0, C, Assoc1),
    count_words(Ws, Assoc1, Assoc).

% nearly all words differ
input_words(N, Ws) :-
    findall(W, (between(1, N, I), X is (I * 7919) mod 100003, atom_number(W, X)), Ws).
