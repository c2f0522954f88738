% Computes the length of a list only to compare it with a small number.
%
% A proper list has exactly one length, and the match binds no variables. Patterns with more elements are harder to read than a length.

what("Match the list instead of measuring it").
short_runs(local("does not walk it")).
conditions("The list is proper, and its length is used only for this test.").

(   rewrite(length(Xs, 0), Xs = [])
;   rewrite(length(Xs, 1), Xs = [_])
;   rewrite(length(Xs, 2), Xs = [_,_])
;   rewrite(length(Xs, 3), Xs = [_,_,_])
) :-
    variable(Xs),
    list(Xs).
(   rewrite((length(Xs, N), goals, N =:= 0), Xs = [])
;   rewrite((length(Xs, N), goals, N =:= 1), Xs = [_])
;   rewrite((length(Xs, N), goals, N =:= 2), Xs = [_,_])
;   rewrite((length(Xs, N), goals, N =:= 3), Xs = [_,_,_])
;   rewrite((length(Xs, N), goals, N =< 0), Xs = [])
;   rewrite((length(Xs, N), goals, N =\= 0), Xs = [_|_])
;   rewrite((length(Xs, N), goals, N >= 1), Xs = [_|_])
;   rewrite((length(Xs, N), goals, N >= 2), Xs = [_,_|_])
;   rewrite((length(Xs, N), goals, N >= 3), Xs = [_,_,_|_])
) :-
    variable(Xs),
    private(N),
    list(Xs).
