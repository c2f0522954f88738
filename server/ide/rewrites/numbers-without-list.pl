% Writes integers to a list only to enumerate them.
%
% Both versions return the same integers in the same order, and fail if there are none. A generator is the first goal of a conjunction inside the next goal, as in `forall(member(N,
% Ns), p(N))`. If there are no integers, the original fails as a whole.

what("Enumerate the numbers without a list").
short_runs(not_dearer).
layout(neighbours).
conditions("The bounds are integers, the list is used for nothing else, and the number is unbound.").

(   rewrite((numlist(L, H, Ns), member(N, Ns)), between(L, H, N))
;   rewrite((numlist(L, H, Ns), generator(member(N, Ns))), (L =< H, between(L, H, N)))
) :-
    private(Ns),
    variable(N),
    at(2, unbound(N)),
    integer(L),
    integer(H).
