/* a /* b */ %! p(+X) is det.
%
%  Text.
p(_). % end
/** q(-X)

More.
*/
q(1).
%