% Measures the cells that goals leave on SWI-Prolog's global stack. Prints one line `Predicate|[Argument=Size, …]|Cells|exact or between` for
% each goal of `heap.pl`.
%
%   swipl cells.pl            swipl -O cells.pl

:- set_prolog_flag(gc, false).
:- style_check(-singleton).
:- initialization((main, halt)).
:- load_files(heap, []).


main :-
    forall(( cell(Predicate, Sizes, Goal, How), cells(Goal, Cells) ),
           format("~w|~w|~w|~w~n", [Predicate, Sizes, Cells, How])).

% What a goal leaves, less than what `true` does.
cells(Goal, Cells) :-
    \+ \+ Goal,                 % loads libraries
    left(true, Nothing),
    left(Goal, Bytes),
    Cells is (Bytes - Nothing) // 8.

left(Goal, Bytes) :-
    statistics(globalused, Before),
    call(Goal),
    statistics(globalused, After),
    !,
    Bytes is After - Before.
