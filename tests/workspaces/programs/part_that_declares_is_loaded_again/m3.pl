:- discontiguous p/1.
