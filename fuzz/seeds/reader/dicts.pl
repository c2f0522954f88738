p(_{a: 1, b: X}, point{x: 1}.x, Y.put(z)) :- X = {|html||<a>|}.
