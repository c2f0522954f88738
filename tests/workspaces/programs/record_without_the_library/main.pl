% Without the library, the declaration is an unknown directive.
:- catch(record(point(x, y)), _, true).
t(_) :- catch(default_point(_), _, true).
