% asks: Edit distance of two words with 12 letters takes minutes, is my recursion bad or is Prolog the wrong language?
% call: input_words(N, A, B), distance(A, B, _)
% predicate: distance/3
% sizes: 5 6 7 8 9
% class: 5.828^n
% cause: distance

distance([], Ys, D) :- !, length(Ys, D).
distance(Xs, [], D) :- !, length(Xs, D).
distance([X|Xs], [X|Ys], D) :- !,
    distance(Xs, Ys, D).
distance([X|Xs], [Y|Ys], D) :-
    distance(Xs, [Y|Ys], D1),
    distance([X|Xs], Ys, D2),
    distance(Xs, Ys, D3),
    D is 1 + min(D1, min(D2, D3)).

% two words of N letters with no letter in common; both sizes grow
input_words(N, A, B) :-
    numlist(1, N, A),
    maplist([I,b(I)]>>true, A, B).
