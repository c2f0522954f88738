:- module(queries, [ask/1]).
:- use_module(entities).
:- use_module(asking).
