:- module(plain, [plain/1]).
plain(_) :- rule_p(_), rule_p(_).
rule_p(_).
