:- module(intervals,
          [ interval/3, overlaps/2, normalize/2, covered/2,
            total_length/2, gaps/2 ]).

:- use_module(library(lists)).
:- use_module(library(apply)).

/** <module> Sets of intervals of integers

An interval From-To has all integers X with From =< X =< To. A set of
intervals is a list; it is _normal_ if the intervals are in order and
neither overlap nor touch.
*/

%!  interval(?Interval, ?From, ?To) is det.
%
%   Interval is the interval From-To.
interval(From-To, From, To).

%!  overlaps(+A, +B) is semidet.
%
%   True if A and B have an integer in common.
overlaps(F1-T1, F2-T2) :-
    F1 =< T2,
    F2 =< T1.

%!  normalize(+Intervals:list, -Normal:list) is det.
%
%   Normal is the normal form of Intervals.
normalize(Intervals, Normal) :-
    include(nonempty, Intervals, Full),
    msort(Full, Sorted),
    merge(Sorted, Normal).

nonempty(F-T) :- F =< T.

%!  merge(+Sorted, -Merged) is det.
merge([], []).
merge([I|Is], Merged) :-
    merge(Is, I, Merged).

merge([], I, [I]).
merge([F2-T2|Is], F1-T1, Merged) :-
    (   F2 =< T1 + 1
    ->  T is max(T1, T2),
        merge(Is, F1-T, Merged)
    ;   Merged = [F1-T1|Rest],
        merge(Is, F2-T2, Rest)
    ).

%!  covered(+X:integer, +Intervals:list) is semidet.
%
%   True if X is in one of the Intervals.
covered(X, Intervals) :-
    member(F-T, Intervals),
    between(F, T, X),
    !.

%!  total_length(+Intervals:list, -Length:integer) is det.
%
%   Length is the number of integers in the normal set Intervals.
total_length(Intervals, Length) :-
    foldl([F-T,L0,L]>>(L is L0 + T - F + 1), Intervals, 0, Length).

%!  gaps(+Normal:list(pair), -Gaps:list(pair)) is det.
%
%   Gaps are the intervals between those of Normal.
gaps([], []).
gaps([_-T|Is], Gaps) :-
    gaps(Is, T, Gaps).

gaps([], _, []).
gaps([F-T|Is], T0, [G-H|Gaps]) :-
    G is T0 + 1,
    H is F - 1,
    gaps(Is, T, Gaps).

:- begin_tests(intervals).

test(overlaps) :- overlaps(1-5, 5-9).
test(overlaps, [fail]) :- overlaps(1-5, 6-9).
test(normalize, N == [1-9, 20-20]) :-
    normalize([6-9, 20-20, 1-5, 8-3], N).
test(total_length, L =:= 10) :-
    normalize([1-5, 6-9, 20-20], N),
    total_length(N, L).
test(gaps, G == [10-19]) :- gaps([1-9, 20-20], G).

:- end_tests(intervals).
