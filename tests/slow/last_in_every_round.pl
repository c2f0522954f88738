% asks: Checking whether a list reads the same from both ends is slow, is there something wrong with my recursion?
% call: input_pal(N, L), pal(L)
% predicate: pal/1
% sizes: 250 500 1000 2000 4000
% class: n^2
% cause: last

pal([]).
pal([_]).
pal([First|Rest]) :-
    last(Rest, Last),
    First == Last,
    append(Middle, [Last], Rest), !,
    pal(Middle).

% a palindrome of length N in which the elements of each half differ
input_pal(N, L) :-
    H is N // 2,
    numlist(1, H, A),
    reverse(A, B),
    append(A, B, L).
