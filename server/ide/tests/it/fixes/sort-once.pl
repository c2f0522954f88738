%%% applies: duplicates go last
%! ordered(+Xs:list(any), -Ys) is det.
ordered(Xs, Ys) :-
    msort(Xs, Zs),
    sort(Zs, Ys).
%%% to
%! ordered(+Xs:list(any), -Ys) is det.
ordered(Xs, Ys) :-
    sort(Xs, Ys).
%%% applies: an expected result, without duplicates first
%! is_ordered(+Xs:list(int), +Ys:list(int)) is semidet.
is_ordered(Xs, Ys) :- sort(Xs, Set), msort(Set, Ys).
%%% to
%! is_ordered(+Xs:list(int), +Ys:list(int)) is semidet.
is_ordered(Xs, Ys) :- sort(Xs, Ys).
%%% applies: the first ones of equal elements, and then in order
%! ordered(+Xs:list(int), -Ys) is det.
ordered(Xs, Ys) :- list_to_set(Xs, Set), sort(Set, Ys).
%%% to
%! ordered(+Xs:list(int), -Ys) is det.
ordered(Xs, Ys) :- sort(Xs, Ys).
%%% forbidden: the set is used
%! ordered(+Xs:list(int), -Set, -Ys) is det.
ordered(Xs, Set, Ys) :- list_to_set(Xs, Set), sort(Set, Ys).
%%% forbidden: duplicates stay
%! ordered(+Xs:list(int), -Ys) is det.
ordered(Xs, Ys) :- msort(Xs, Zs), reverse(Zs, Ys).
%%% forbidden: it may be no list
%! ordered(?Xs, -Ys) is det.
ordered(Xs, Ys) :- msort(Xs, Zs), sort(Zs, Ys).
%%% forbidden: by another order
%! ordered(+Xs:list(int), -Ys) is det.
ordered(Xs, Ys) :- msort(Xs, Zs), sort(0, @>=, Zs, Ys).
%%% applies: by sort/4, of a whole list
%! ordered(+Xs:list(atom), -Ys) is det.
ordered(Xs, Ys) :- msort(Xs, Zs), sort(0, @<, Zs, Ys).
%%% to
%! ordered(+Xs:list(atom), -Ys) is det.
ordered(Xs, Ys) :- sort(Xs, Ys).
%%% applies: both by sort/4
%! ordered(+Xs:list(any), -Ys) is det.
ordered(Xs, Ys) :- sort(0, @=<, Xs, Zs), sort(0, @=<, Zs, Ys).
%%% to
%! ordered(+Xs:list(any), -Ys) is det.
ordered(Xs, Ys) :- msort(Xs, Ys).
%%% forbidden: by an argument
%! ordered(+Xs:list(any), -Ys) is det.
ordered(Xs, Ys) :- msort(Xs, Zs), sort(1, @<, Zs, Ys).
%%% forbidden: by an order that is not written
%! ordered(+Xs:list(any), +O:atom, -Ys) is det.
ordered(Xs, O, Ys) :- msort(Xs, Zs), sort(0, O, Zs, Ys).
%%% forbidden: first by an argument
%! ordered(+Xs:list(any), -Ys) is det.
ordered(Xs, Ys) :- sort(1, @<, Xs, Zs), msort(Zs, Ys).
%%% applies: duplicates go first, and then by sort/4 with the result in front
%! names(-Sorted, +Names:list(atom)) is det.
names(Sorted, Names) :-
    list_to_set(Names, Set),
    sort(0, @=<, Set, Sorted).
%%% to
%! names(-Sorted, +Names:list(atom)) is det.
names(Sorted, Names) :-
    sort(Names, Sorted).
%%% forbidden: descending
%! names(+Names:list(atom), -Sorted) is det.
names(Names, Sorted) :- list_to_set(Names, Set), sort(0, @>=, Set, Sorted).
