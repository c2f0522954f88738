% Joins texts one after another.
%
% The joined text in between is used for nothing else, and the result is unbound: `atom_concat/3` would otherwise split it. Only SWI-Prolog has `atomic_list_concat/2`.

what("Join the texts at once").
short_runs(local("one text less")).
conditions("The text in between is used for nothing else, and the result is unbound. An argument that is no text raises another exception.").

(   rewrite((atom_concat(A, B, T), atom_concat(T, C, R)), atomic_list_concat([A,B,C], R))
;   rewrite((atom_concat(B, C, T), atom_concat(A, T, R)), atomic_list_concat([A,B,C], R))
) :-
    swi,
    in_row,
    variable(T),
    private(T),
    variable(R),
    at(2, unbound(R)).
