% library(dif): between ground terms it is decided at once, and nothing is left waiting.

:- trust pred dif(+A:ground, +B:ground) + (is_det, no_exception, cost(exact, allsols, steps, 1)).
