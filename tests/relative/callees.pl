% Bounds in the cost of predicates about which nothing is known.

% unknown: authorised/2 render/1

% call: handle(int)
%! handle(+R:int)
handle(R) :- authorised(R, U), render(U).
% steps: authorised+render+1

% call: handle_all(list)
%! handle_all(+Rs:list(int))
handle_all([]).
handle_all([R|Rs]) :- handle(R), handle_all(Rs).
% steps: n*(authorised+render+2)+1

% call: first(int)
%! first(+R:int)
first(R) :- ( authorised(R, U) -> render(U) ; true ).
% steps: authorised+render+1

% call: guarded(list)
%! guarded(+Rs:list(int))
guarded(Rs) :- forall(member(R, Rs), \+ render(R)).
