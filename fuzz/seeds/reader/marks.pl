#!/usr/bin/env scryer-prolog
p("a֧b́‍", '֧', 'ְְ', é́).
