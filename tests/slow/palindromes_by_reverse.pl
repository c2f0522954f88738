% asks: Longest palindrome inside a list of letters: works, but a text of one page is too much for it. How do I make it usable?
% call: input_list(N, L), longest_pal(L, _)
% predicate: longest_pal/2
% sizes: 25 50 100 200 300
% class: n^3
% cause: reverse

longest_pal(List, Max) :-
    findall(Len, pal_length(List, Len), Lens),
    max_list(Lens, Max).

pal_length(List, Len) :-
    append(_, Suffix, List),
    append(Part, _, Suffix),
    Part \= [],
    reverse(Part, Part),
    length(Part, Len).

input_list(N, L) :-
    findall(X, (between(1, N, I), X is (I * I) mod 3), L).
