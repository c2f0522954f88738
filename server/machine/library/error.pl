%% Checks of arguments, and the errors that they throw.

must_be(Type, X) :-
    (   var(Type)
    ->  throw(error(instantiation_error, _))
    ;   '$has_type'(Type, X)
    ->  true
    ;   '$is_not'(Type, X)
    ).

is_of_type(Type, X) :-
    '$known_type'(Type),
    !,
    '$has_type'(Type, X).

'$known_type'(any).
'$known_type'(atom).
'$known_type'(atomic).
'$known_type'(callable).
'$known_type'(char).
'$known_type'(chars).
'$known_type'(code).
'$known_type'(codes).
'$known_type'(text).
'$known_type'(compound).
'$known_type'(constant).
'$known_type'(float).
'$known_type'(ground).
'$known_type'(cyclic).
'$known_type'(acyclic).
'$known_type'(integer).
'$known_type'(nonneg).
'$known_type'(positive_integer).
'$known_type'(negative_integer).
'$known_type'(nonvar).
'$known_type'(number).
'$known_type'(rational).
'$known_type'(var).
'$known_type'(boolean).
'$known_type'(oneof(_)).
'$known_type'(list).
'$known_type'(proper_list).
'$known_type'(symbol).
'$known_type'(string).
'$known_type'(pair).
'$known_type'(list(_)).
'$known_type'(between(_, _)).

'$has_type'(any, _).
'$has_type'(atom, X) :- atom(X).
'$has_type'(atomic, X) :- atomic(X).
'$has_type'(callable, X) :- callable(X).
'$has_type'(char, X) :- atom(X), atom_length(X, 1).
'$has_type'(chars, X) :- '$all'(X, char).
'$has_type'(code, X) :- integer(X), X >= 0, X =< 1114111.
'$has_type'(codes, X) :- '$all'(X, code).
'$has_type'(text, X) :- ( atom(X) ; string(X) ; '$all'(X, char) ; '$all'(X, code) ), !.
'$has_type'(compound, X) :- compound(X).
'$has_type'(constant, X) :- atomic(X).
'$has_type'(float, X) :- float(X).
'$has_type'(ground, X) :- ground(X).
'$has_type'(cyclic, X) :- cyclic_term(X).
'$has_type'(acyclic, X) :- acyclic_term(X).
'$has_type'(integer, X) :- integer(X).
'$has_type'(nonneg, X) :- integer(X), X >= 0.
'$has_type'(positive_integer, X) :- integer(X), X >= 1.
'$has_type'(negative_integer, X) :- integer(X), X < 0.
'$has_type'(nonvar, X) :- nonvar(X).
'$has_type'(number, X) :- number(X).
'$has_type'(rational, X) :- rational(X).
'$has_type'(var, X) :- var(X).
'$has_type'(boolean, X) :- '$boolean'(X).
'$has_type'(oneof(Xs), X) :- ground(X), memberchk(X, Xs).
'$has_type'(list, X) :- is_list(X).
'$has_type'(proper_list, X) :- is_list(X).
'$has_type'(symbol, X) :- atom(X).
'$has_type'(string, X) :- string(X).
'$has_type'(pair, X) :- nonvar(X), X = _-_.
'$has_type'(list(Type), X) :- '$all'(X, Type).
'$has_type'(between(L, U), X) :-
    (   integer(L), integer(U)
    ->  integer(X),
        X >= L,
        X =< U
    ;   number(X),
        X >= L,
        X =< U
    ).

'$boolean'(X) :-
    (   X == true
    ->  true
    ;   X == false
    ).

'$all'(Xs, Type) :-
    is_list(Xs),
    '$all_of'(Xs, Type).

'$all_of'([], _).
'$all_of'([X|Xs], Type) :-
    '$has_type'(Type, X),
    '$all_of'(Xs, Type).

'$is_not'(Type, X) :-
    (   '$elements'(Type, Of)
    ->  '$is_no_list'(Of, X)
    ;   Type == list
    ->  '$no_list'(X)
    ;   Type == var
    ->  throw(error(uninstantiation_error(X), _))
    ;   Type == cyclic
    ->  throw(error(domain_error(cyclic_term, X), _))
    ;   Type == acyclic
    ->  throw(error(domain_error(acyclic_term, X), _))
    ;   \+ '$known_type'(Type)
    ->  throw(error(existence_error(type, Type), _))
    ;   var(X)
    ->  throw(error(instantiation_error, _))
    ;   Type == ground
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(Type, X), _))
    ).

'$elements'(list(Of), Of).
'$elements'(chars, char).
'$elements'(codes, code).

'$no_list'(X) :-
    '$list_end'(X, End),
    (   var(End)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(list, X), _))
    ).

'$is_no_list'(Of, X) :-
    (   is_list(X)
    ->  '$member'(X, Y),
        \+ '$has_type'(Of, Y),
        !,
        '$is_not'(Of, Y)
    ;   var(X)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(list(Of), X), _))
    ).

type_error(Type, X) :-
    throw(error(type_error(Type, X), _)).
domain_error(Domain, X) :-
    throw(error(domain_error(Domain, X), _)).
existence_error(Kind, X) :-
    throw(error(existence_error(Kind, X), _)).
existence_error(Kind, X, In) :-
    throw(error(existence_error(Kind, X, In), _)).
permission_error(Action, Type, X) :-
    throw(error(permission_error(Action, Type, X), _)).
instantiation_error(_) :-
    throw(error(instantiation_error, _)).
uninstantiation_error(X) :-
    throw(error(uninstantiation_error(X), _)).
representation_error(What) :-
    throw(error(representation_error(What), _)).
resource_error(What) :-
    throw(error(resource_error(What), _)).
syntax_error(What) :-
    throw(error(syntax_error(What), _)).

assertion(G) :-
    (   \+ \+ catch(G, _, fail)
    ->  true
    ;   throw(assertion_failed(user:G))
    ).
