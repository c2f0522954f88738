% Collects all solutions only to test whether there is one.
%
% Neither version binds a variable. The variant does not search for further solutions, so their exceptions must not matter. `blanked(G, T)` is `G` with `_` in place of variables
% that otherwise occur only in `T`.

what("Stop at the first solution").
short_runs(not_dearer).
conditions("The list of solutions is used only for this test. No call raises an exception, because the variant does not search for further solutions.").

(   rewrite((findall(T, G, Xs), Xs == []), \+ blanked(G, T))
;   rewrite((findall(T, G, Xs), Xs \== []), \+ \+ blanked(G, T))
;   rewrite((findall(T, G, Xs), Xs = []), \+ blanked(G, T))
;   rewrite((findall(T, G, Xs), Xs \= []), \+ \+ blanked(G, T))
;   rewrite((findall(T, G, Xs), Xs = [_|_]), \+ \+ blanked(G, T))
;   rewrite((findall(T, G, Xs), Xs \= [_|_]), \+ blanked(G, T))
) :-
    callable(G),
    private(Xs),
    no_exception.

(   rewrite(findall(T, G, []), \+ blanked(G, T))
;   rewrite(findall(T, G, [_|_]), \+ \+ blanked(G, T))
) :-
    callable(G),
    no_exception.
