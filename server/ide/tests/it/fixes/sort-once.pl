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
%%% forbidden: nothing is known of the time that list_to_set/2 takes beside its steps
%! ordered(+Xs:list(int), -Ys) is det.
ordered(Xs, Ys) :- list_to_set(Xs, Set), sort(Set, Ys).
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
