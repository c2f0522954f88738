% Reads `row(Home, Name, Arity, [Argument, …])`, and calls each predicate with all combinations of some arguments. Prints the calls after whose
% success one of these arguments is not a proper list.

:- initialization(main, main).

main :-
    set_prolog_flag(autoload, true),
    repeat,
    read(Row),
    (   Row == end_of_file
    ->  !
    ;   checked(Row),
        fail
    ).

checked(row(Home, Name, Arity, Arguments)) :-
    (   Home == system
    ->  true
    ;   use_module(library(Home))
    ),
    length(Values, Arity),
    functor(General, Name, Arity),
    (   predicate_property(General, meta_predicate(Meta))
    ->  Meta =.. [_|Kinds]
    ;   findall(?, between(1, Arity, _), Kinds)
    ),
    forall(
        ( maplist(value, Kinds, Values), Goal =.. [Name|Values] ),
        ( copy_term(Goal, Shown),
          forall(
              limit(4, catch(call_with_inference_limit(Goal, 20000, R), _, fail)),
              ( R == inference_limit_exceeded
              ->  true
              ;   forall(
                      ( member(N, Arguments), nth1(N, Values, Value) ),
                      ( is_list(Value) -> true ; writeq(Shown-N), nl ))
              )))).

% A goal or closure that maps anything to anything.
value(Kind, Value) :-
    integer(Kind),
    !,
    (   Kind =:= 0
    ->  Value = member(_, [a,b])
    ;   Value = any
    ).
value(^, Value) :-
    !,
    Value = member(_, [a,b]).
value(_, Value) :-
    member(Value, [_, [], [a], [b,a|_], [x-y,z-w], [[a],[b]], "text", foo, 1, 2, @>=, t, [a|b], _{a: 1}]).

any(_).
any(_, _).
any(<, _, _).
any(_, a, _, _).
any(_, _, _, _, _).
