:- module(other, []).
:- multifile prolog:message//1, prolog:error_message//1.
prolog:message(told(X)) --> { s, s }, ['~w'-[X]].
prolog:error_message(type_error(a, _)) --> { s, s, s }, [].
s.
