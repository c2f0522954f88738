% The answers of goals, one line each, for tests/whole/callers.rs: at the most three, and how the search for them ends.

:- use_module(library(solution_sequences)).

ask(Name, Goal, Template) :-
    catch(answers(Goal, Template, Answers), Error, Answers = error(Error)),
    \+ \+ ( numbervars(Answers, 0, _), print_answers(Name, Answers) ).

answers(Goal, Template, Answers) :-
    call_with_inference_limit(findall(Template, limit(3, Goal), Found), 300000, Result),
    (   Result == inference_limit_exceeded
    ->  Answers = endless
    ;   Answers = Found
    ).

print_answers(Name, error(error(Formal, _))) :- !, format("~w ~q~n", [Name, error(Formal)]).
print_answers(Name, Answers) :- format("~w ~W~n", [Name, Answers, [quoted(true), numbervars(true)]]).
