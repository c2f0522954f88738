digits([D|T]) --> digit(D), digits(T).
digits([]) --> [].
digit(D) --> [D], { D >= 0'0 }.
