% The same loop by a last call, and by a call behind which something is left to do (§5 of the paper).

last(0).
last(N) :- N > 0, M is N-1, last(M).

inner(0).
inner(N) :- N > 0, M is N-1, inner(M), done.

done.
