%% What SWI-Prolog 10.1 has beside the predicates on lists of 9.0.

subseq(Xs, Ys, Zs), is_list(Xs) =>
    subseq_(Xs, Ys, Zs).
subseq(Xs, Ys, Zs), is_list(Ys), is_list(Zs) =>
    subseq_(Xs, Ys, Zs).
subseq(Xs, Ys, Zs) =>
    must_be(list_or_partial_list, Xs),
    must_be(list_or_partial_list, Ys),
    must_be(list_or_partial_list, Zs),
    instantiation_error(Xs).

subseq_([], [], []).
subseq_([X|Xs], Ys, [X|Zs]) :-
    subseq_(Xs, Ys, Zs).
subseq_([X|Xs], [X|Ys], Zs) :-
    subseq_(Xs, Ys, Zs).
