even([]).
even([_|T]) :- odd(T).
odd([_|T]) :- even(T).
