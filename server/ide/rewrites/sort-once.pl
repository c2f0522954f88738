% Sorts a list, or removes its duplicates, twice.
%
% Both goals remove only elements that are `==` to a remaining one, and terms that compare as equal are `==`. `sort(0, @=<, Xs, Ys)` matches as `msort(Xs, Ys)`, and `sort(0, @<,
% Xs, Ys)` as `sort(Xs, Ys)`.

what("Sort once").
short_runs(local("one sort less")).
layout(neighbours).
conditions("The list is proper, and the result of the first goal is used for nothing else.").

(   rewrite((list_to_set(Xs, Ys), sort(Ys, Zs)), sort(Xs, Zs))
;   rewrite((msort(Xs, Ys), sort(Ys, Zs)), sort(Xs, Zs))
;   rewrite((sort(Xs, Ys), sort(Ys, Zs)), sort(Xs, Zs))
;   rewrite((list_to_set(Xs, Ys), msort(Ys, Zs)), sort(Xs, Zs))
;   rewrite((sort(Xs, Ys), msort(Ys, Zs)), sort(Xs, Zs))
;   rewrite((msort(Xs, Ys), msort(Ys, Zs)), msort(Xs, Zs))
) :-
    private(Ys),
    list(Xs).
