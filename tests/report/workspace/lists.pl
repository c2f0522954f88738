:- module(lists_of_words, [reversed/2, sorted/2, longest/2, subsets/2, total/2]).

%! reversed(+Words:list, -Reversed) is det.
%  @cost steps =< 10*length(Words) + 5
%  @cost steps >= length(Words)
reversed([], []).
reversed([Word|Words], Reversed) :-
    reversed(Words, Before),
    joined(Before, [Word], Reversed).

joined([], Words, Words).
joined([Word|Words], More, [Word|Joined]) :-
    joined(Words, More, Joined).

%! sorted(+Numbers:list(int), -Sorted:list(int)) is det.
sorted(Numbers, Sorted) :-
    split(Numbers, Half, Rest),
    !,
    sorted(Half, A),
    sorted(Rest, B),
    merged(A, B, Sorted).
sorted(Numbers, Numbers).

split([A, B|Numbers], [A|As], [B|Bs]) :-
    halves(Numbers, As, Bs).

halves([], [], []).
halves([A], [A], []).
halves([A, B|Numbers], [A|As], [B|Bs]) :-
    halves(Numbers, As, Bs).

merged([], B, B) :- !.
merged(A, [], A) :- !.
merged([A|As], [B|Bs], [A|Merged]) :-
    A =< B,
    !,
    merged(As, [B|Bs], Merged).
merged(As, [B|Bs], [B|Merged]) :-
    merged(As, Bs, Merged).

%! longest(+Words:list(atom), -Length:int) is det.
longest(Words, Length) :-
    longest(Words, 0, Length).

longest([], Length, Length).
longest([Word|Words], Before, Length) :-
    atom_length(Word, Here),
    After is max(Here, Before),
    longest(Words, After, Length).

%! subsets(+Words:list, -Subset:list) is multi.
subsets([], []).
subsets([Word|Words], [Word|Subset]) :-
    subsets(Words, Subset).
subsets([_|Words], Subset) :-
    subsets(Words, Subset).

%! total(+Numbers:list(int), -Sum:int) is det.
%  @cost steps == length(Numbers) + 1
total([], 0).
total([Number|Numbers], Sum) :-
    total(Numbers, Rest),
    Sum is Number + Rest.
