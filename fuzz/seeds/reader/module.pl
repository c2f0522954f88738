#!/usr/bin/env swipl
:- module(m, [p/1, op(700, xfx, =>)]).
:- use_module(library(lists)).
:- if(a).
p(X) => q(X).
:- else.
p.
:- endif.
