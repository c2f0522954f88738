% asks: Building a CSV line with format works well for short lines, but it explodes for long ones. What should I use?
% call: input_list(N, L), csv_line(L, _)
% predicate: csv_line/2
% sizes: 250 500 1000 2000 4000
% class: n^2
% cause: format
% constant: elements    the numbers keep their length

csv_line([], "").
csv_line([X|Xs], Line) :-
    csv_line(Xs, Rest),
    format(string(Line), "~w,~w", [X, Rest]).

input_list(N, L) :-
    length(L, N),
    maplist(=(123456), L).
