% PADL'07 (Mera, López-García, Puebla, Carro, Hermenegildo), Table 4: append, 500 elements.
%! append(+Xs:list, +Ys:list, -Zs) is det.
append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
