% Integers are written into a list, and taken out of it one after the other.
%
% Both return the same integers in the same order, and fail if there are none. A generator is the first goal of a row inside the next goal, as in `forall(member(N, Ns), p(N))`;
% without numbers the whole row fails.

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
