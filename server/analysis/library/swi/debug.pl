% library(debug). The number of topics is not a size of an argument, so only the cost up to the first solution is bounded. The cost of
% assertion/1 depends on its goal.

:- trust pred debugging(?A) + cost(ub, steps, 2).
:- trust pred debugging(?A, ?B) + cost(ub, steps, 2).
:- trust pred debug(+A:atm) + det.
:- trust pred nodebug(+A:atm) + det.
