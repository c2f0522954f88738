%! p(+Xs:list, +N:int) is det.
%  @cost steps =< length(Xs)+N  when length(Xs) >= 3
%  @cost time =< 3 us
p([],_).
