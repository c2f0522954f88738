% Builds or takes apart a term of known functor with `=../2`.
%
% `T =.. [f, A]` and `T = f(A)` have the same solutions, and bind the same variables, whatever `T` is. Names that are operators are left alone, because the result would be harder to
% read.

what("Write the term").
short_runs(local("no list and no call")).
conditions("The list is written with a name and at least one argument.").

rewrite(T =.. Parts, T = compound(Parts)) :-
    parts(Parts).
