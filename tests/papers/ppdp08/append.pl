% PPDP'08 (Mera, López-García, Carro, Hermenegildo), Table 7: append, 150 elements. Table 1 prints this program.
%! append(+Xs:list, +Ys:list, -Zs) is det.
append([], X, X).
append([X|Xs], Y, [X|Zs]) :- append(Xs, Y, Zs).
