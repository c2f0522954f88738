:- module(m2, []).

% m4 inherits from itself: reading it ends with an error, and the rest of this file is read into m1.
:- m1:ensure_loaded(m4).
:- discontiguous ignore/1.
