%%% applies: the result may be anything
%! same(+Xs:list, ?Ys) is semidet.
same(Xs, Ys) :-
    reverse(Xs, Back),
    reverse(Back, Ys).
%%% to
%! same(+Xs:list, ?Ys) is semidet.
same(Xs, Ys) :-
    Ys = Xs.
%%% applies: in a condition, with a pattern
%! first(+Xs:list(int), -X) is det.
first(Xs, X) :- ( reverse(Xs, Zs), reverse(Zs, [Y|_]) -> X = Y ; X = 0 ).
%%% to
%! first(+Xs:list(int), -X) is det.
first(Xs, X) :- ( [Y|_] = Xs -> X = Y ; X = 0 ).
%%% forbidden: the list may be partial
%! same(?Xs, ?Ys) is nondet.
same(Xs, Ys) :- reverse(Xs, Zs), reverse(Zs, Ys).
%%% forbidden: the reversal is used
%! same(+Xs:list(int), -Ys, -N) is det.
same(Xs, Ys, N) :- reverse(Xs, Zs), reverse(Zs, Ys), length(Zs, N).
%%% forbidden: it is another list that is reversed
%! same(+Xs:list(int), +Ys:list(int), -Zs, -Us) is det.
same(Xs, Ys, Zs, Us) :- reverse(Xs, Zs), reverse(Ys, Us).
%%% forbidden: nothing is known of callers
same(Xs, Ys) :- reverse(Xs, Zs), reverse(Zs, Ys).
