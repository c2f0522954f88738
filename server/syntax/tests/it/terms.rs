//! Tests texts and their terms. `swi_agreement.rs` compares the reader with SWI-Prolog's; this file contains the cases that must hold
//! without SWI-Prolog, and those that do not occur in its library.

use crate::dump;

use std::collections::BTreeSet;

use costlens_syntax::comments::structured_comments;
use costlens_syntax::{
    Dialect, Operator, OperatorType, Parsed, ReadClause, ReadOptions, Term, read, read_text,
    write_term,
};

/// Returns the canonical forms of the clauses in a text; `error: …` for a syntax error.
fn clauses(text: &str) -> Vec<String> {
    forms(&read_text(text).clauses)
}

fn forms(clauses: &[ReadClause]) -> Vec<String> {
    let form = |c: &ReadClause| match &c.error {
        Some(e) => format!("error: {}", e.message),
        None => dump::dump(&c.terms, c.root),
    };
    clauses.iter().map(form).collect()
}

#[track_caller]
fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(clauses(text), [*expected], "{text}");
    }
}

#[test]
fn operators_bind_by_priority_and_type() {
    check(&[
        (
            "a :- b, c ; d -> e.",
            "':-'('a',';'(','('b','c'),'->'('d','e')))",
        ),
        ("X is 1 + 2 * 3 - 4.", "'is'(_0,'-'('+'(1,'*'(2,3)),4))"),
        ("X = 2 ^ 3 ^ 4.", "'='(_0,'^'(2,'^'(3,4)))"),
        ("a:b:c.", "':'('a',':'('b','c'))"),
        ("\\+ a = b.", "'\\\\+'('='('a','b'))"),
        ("- - a.", "'-'('-'('a'))"),
        (
            ":- dynamic a/1, b/2.",
            "':-'('dynamic'(','('/'('a',1),'/'('b',2))))",
        ),
        ("p :- a | b.", "':-'('p','|'('a','b'))"),
        ("h, X > 1 => b.", "'=>'(','('h','>'(_0,1)),'b')"),
        ("f(a :- b, c).", "'f'(':-'('a','b'),'c')"),
    ]);
}

#[test]
fn operators_are_atoms_where_they_have_no_operands() {
    check(&[
        ("- = x.", "'='('-','x')"),
        ("X = [=, -, *].", "'='(_0,['=','-','*'])"),
        ("f(+, :- , -).", "'f'('+',':-','-')"),
        ("maplist(=, A, B).", "'maplist'('=',_0,_1)"),
        ("X = (:-).", "'='(_0,':-')"),
        ("* = * .", "'='('*','*')"),
        ("[-|-].", "['-'|'-']"),
        ("\\ - .", "'\\\\'('-')"),
    ]);
}

#[test]
fn minus_and_a_number_are_one_token_only_where_an_operand_is_due() {
    check(&[
        ("X = -1.", "'='(_0,-1)"),
        ("X = - 1.", "'='(_0,'-'(1))"),
        ("X = a-1.", "'='(_0,'-'('a',1))"),
        ("X = a - -1.", "'='(_0,'-'('a',-1))"),
        ("X = -(1).", "'='(_0,'-'(1))"),
        ("X = -(2)^2.", "'='(_0,'^'('-'(2),2))"),
        ("X = - (2)^2.", "'='(_0,'-'('^'(2,2)))"),
        ("X = -0.0.", "'='(_0,F0r1)"),
        ("X = +1.", "'='(_0,'+'(1))"),
    ]);
}

#[test]
fn numbers_have_their_values() {
    check(&[
        (
            "p(1_000_000, 1 000, 0x1F, 0o17, 0b101, 16'FF, 36'zZ).",
            "'p'(1000000,1000,31,15,5,255,1295)",
        ),
        (
            "p(0'a, 0''', 0'\\n, 0'\\x41\\, 0'\\\\, 0' ).",
            "'p'(97,39,10,65,92,32)",
        ),
        ("p(1r3, 2r4, 4r2, -1r3).", "'p'(1r3,1r2,2,-1r3)"),
        (
            "p(1.5, 1.0e10, 1e10, 1.0Inf, -1.0Inf, 1.5NaN).",
            "'p'(F3r2,F10000000000r1,F10000000000r1,Finf,F-inf,Fnan)",
        ),
        (
            "p(123456789012345678901234567890).",
            "'p'(123456789012345678901234567890)",
        ),
        ("p(1r0).", "error: rational number with denominator 0"),
        ("p(1.0e400).", "error: floating-point number too large"),
    ]);
}

#[test]
fn quoted_items_have_their_texts() {
    check(&[
        (
            "p('it''s', 'a\\\nb', 'a\\x41\\b', '\\e\\101\\').",
            "'p'('it\\'s','ab','aAb','\u{1b}A')",
        ),
        (
            "p(\"a\\\"b\", `ab`, \"\", ``).",
            "'p'(\"a\\\"b\",[97,98],\"\",[])",
        ),
        ("p('').", "'p'('')"),
        ("p('\\z').", "error: undefined escape sequence"),
        ("p('\\xd800\\').", "error: illegal character code"),
        ("x is 'mod' 3.", "error: operator expected before `3`"),
    ]);
}

#[test]
fn the_double_quotes_flag_holds_from_its_directive_on() {
    assert_eq!(
        clauses("p(\"a\"). :- set_prolog_flag(double_quotes, codes). p(\"a\"). :- set_prolog_flag(double_quotes, atom). p(\"a\").")
            .into_iter()
            .step_by(2)
            .collect::<Vec<_>>(),
        ["'p'(\"a\")", "'p'([97])", "'p'('a')"]
    );
}

#[test]
fn dicts_and_functional_notation_are_read() {
    check(&[
        ("X = _{b:1, a:Y}.", "'='(_0,'dict'(_1,'a'-_2,'b'-1))"),
        ("X = point{}.x.", "'='(_0,'.'('dict'('point'),'x'))"),
        (
            "X = Y.put(a, b).c.",
            "'='(_0,'.'('.'(_1,'put'('a','b')),'c'))",
        ),
        ("X = _{a:1, a:2}.", "error: a key stands twice in this dict"),
        (
            "p({a, b}, {}, [], f(), [](x)).",
            "'p'('{}'(','('a','b')),'{}',[],'f'(),'[]'('x'))",
        ),
    ]);
}

#[test]
fn operators_come_from_directives_and_export_lists() {
    assert_eq!(
        clauses(
            ":- module(m, [p/1, op(700, xfx, ===>)]).\n:- op(200, xfy, [&, v]), op(0, xfx, is).\na ===> b & c v d.\nX is 1."
        ),
        [
            "':-'('module'('m',['/'('p',1),'op'(700,'xfx','===>')]))",
            "':-'(','('op'(200,'xfy',['&','v']),'op'(0,'xfx','is')))",
            "'===>'('a','&'('b','v'('c','d')))",
            "error: operator expected: `is` is no operator here",
        ]
    );
    assert_eq!(
        clauses(":- use_module(library(clpfd)).\nX #= Y + 1.")[1],
        "'#='(_0,'+'(_1,1))"
    );
    let file = read_text(
        ":- module(m, [op(700, xfx, ===>)]). :- use_module(lib/tables). :- use_module(x, [p/1]).",
    );
    assert_eq!(
        file.operators.exported,
        [Operator {
            priority: 700,
            kind: OperatorType::Xfx,
            name: "===>".into()
        }]
    );
    let giving = |i: &&costlens_syntax::Import| i.operators;
    let names: Vec<String> = (file.imports.iter().filter(giving))
        .map(|i| i.file.to_string())
        .collect();
    assert_eq!(names, ["lib/tables"]);
    let options = ReadOptions {
        operators: file.operators.exported,
        ..ReadOptions::default()
    };
    assert_eq!(
        forms(&read(&Parsed::new("a ===> b."), &options).clauses),
        ["'===>'('a','b')"]
    );
}

#[test]
fn directives_in_branches_that_are_not_taken_change_nothing() {
    let text = ":- if(true).\n:- op(700, xfx, ===>).\n:- else.\n:- op(0, xfx, ===>).\na b.\nx :- y z.\n:- endif.\na ===> b.\n\
                :- if(unknown).\nc d.\n:- endif.";
    let errors: Vec<(usize, usize)> = (read_text(text).clauses.iter())
        .filter(|c| c.error.is_some())
        .map(|c| c.range)
        .collect();
    let at = text.find("c d").unwrap();
    assert_eq!(errors, [(at, at + 4)]);
    // The unreadable directive may have been meant to end the branch.
    let text = ":- if(fail).\n:- endif a.\np.\n";
    assert!(read_text(text).clauses[1].error.is_some());
}

#[test]
fn flags_of_quotes_may_name_the_module() {
    let quoted = |directives: &str| clauses(&format!("{directives}\n\"ab\".")).pop();
    let atom = Some("'ab'".to_owned());
    for directives in [
        ":- set_prolog_flag(user:double_quotes, atom).",
        ":- module(m, []).\n:- set_prolog_flag(m:double_quotes, atom).",
        ":- maplist(set_prolog_flag(double_quotes), [atom]).",
        ":- call(set_prolog_flag, double_quotes, atom).",
    ] {
        assert_eq!(quoted(directives), atom, "{directives}");
    }
    let other = ":- set_prolog_flag(other:double_quotes, atom).";
    assert_ne!(quoted(other), atom);
}

#[test]
fn assertions_are_read_in_every_dialect() {
    for dialect in Dialect::ALL {
        let options = ReadOptions::default();
        for (text, expected) in [
            (
                ":- entry nrev(A,B) : (list(A,int),var(B)).",
                "':-'('entry'(':'('nrev'(_0,_1),','('list'(_0,'int'),'var'(_1)))))",
            ),
            (
                ":- check pred nrev(A,B) : list(A) => list(B) + (cost(ub,steps,10*length(A)+5), is_det) # 'doc'.",
                "':-'('check'('pred'('#'('=>'(':'('nrev'(_0,_1),'list'(_0)),'+'('list'(_1),','('cost'('ub','steps','+'('*'(10,\
                 'length'(_0)),5)),'is_det'))),'doc'))))",
            ),
            (
                ":- pred p(+X, -Y) + steps_ub(length(X)+1).",
                "':-'('pred'('+'('p'('+'(_0),'-'(_1)),'steps_ub'('+'('length'(_0),1)))))",
            ),
            (
                ":- pred p(X) : length(X) =< 10 => q.",
                "':-'('pred'('=>'(':'('p'(_0),'=<'('length'(_0),10)),'q')))",
            ),
            (":- regtype colour/1.", "':-'('regtype'('/'('colour',1)))"),
            (":- true.", "':-'('true')"),
            (":- true, p.", "':-'(','('true','p'))"),
            (":- pred(x), p.", "':-'(','('pred'('x'),'p'))"),
            ("pred = entry.", "'='('pred','entry')"),
        ] {
            assert_eq!(
                forms(&read(&Parsed::in_dialect(text, dialect), &options).clauses),
                [expected],
                "{text}"
            );
        }
    }
}

#[test]
fn iso_files_have_quoted_operators_and_lists_of_codes() {
    let options = ReadOptions::default();
    let iso = |text: &str| forms(&read(&Parsed::in_dialect(text, Dialect::Iso), &options).clauses);
    assert_eq!(iso("a '=' b."), ["'='('a','b')"]);
    assert_eq!(iso("p(\"ab\")."), ["'p'([97,98])"]);
    assert_eq!(iso("- {a}. -{a}."), ["'-'('{}'('a'))", "'-'('{}'('a'))"]);
    assert_eq!(iso("p(f())."), ["error: an argument is missing"]);
    assert_eq!(iso("p('[]', [])."), ["'p'([],[])"]);
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_is_read() {
    for (text, message, at) in [
        ("p(a b).", "operator expected: `b` is no operator here", "b"),
        ("p(a, ).", "unexpected `)`: an operand is missing", ")"),
        ("p((a, b).", "unclosed `(`", "("),
        ("p([a, b).", "`)` closes no bracket", ")"),
        ("p(a)).", "`)` closes no bracket", ")"),
        ("p :- X = 'abc.", "unclosed quote '", "'"),
        ("p :- a, .", "an operand of `,` is missing", ","),
        (
            "a :- b :- c.",
            "operator priority clash: the operands of `:-` need parentheses",
            ":-",
        ),
        ("p :- \u{1}.", "illegal character", "\u{1}"),
        ("[a|b|c].", "`]` expected behind the tail of a list", "|"),
    ] {
        let whole = format!("first.\n{text}\nnext(one).\n");
        let file = read_text(&whole);
        let errors: Vec<_> = file
            .clauses
            .iter()
            .filter_map(|c| c.error.as_ref().map(|e| (c, e)))
            .collect();
        let [(clause, error)] = errors[..] else {
            panic!("{text}: {:?}", forms(&file.clauses))
        };
        assert_eq!(error.message, message, "{text}");
        let from = clause.range.0;
        assert_eq!(
            &whole[from + error.range.0 as usize..from + error.range.1 as usize],
            at,
            "{text}"
        );
        assert!(matches!(clause.terms.get(clause.root), Term::Error));
        assert_eq!(
            forms(&file.clauses).last().unwrap(),
            "'next'('one')",
            "{text}"
        );
    }
    assert_eq!(
        clauses("p. q"),
        ["'p'", "error: the clause has no end: `.` expected"]
    );
}

#[test]
fn an_unreadable_clause_tells_whose_it_may_be() {
    let heads = |text: &str| {
        let clause = read_text(text).clauses.remove(0);
        let heads = clause.error.unwrap().heads;
        heads
            .into_iter()
            .map(|h| (h.name.to_string(), h.arity))
            .collect::<Vec<_>>()
    };
    assert_eq!(heads("p(X, f(Y, Z)) :- a b."), [("p".to_string(), Some(2))]);
    assert_eq!(heads("p :- a b."), [("p".to_string(), Some(0))]);
    assert_eq!(heads("p([X, Y) :- a."), [("p".to_string(), None)]);
    assert_eq!(heads("p(X) --> a b."), [("p".to_string(), Some(3))]);
    assert_eq!(
        heads("p(X) :- a,\nq(Y)\n   b.\n"),
        [("p".to_string(), Some(1)), ("q".to_string(), Some(1))]
    );
    assert_eq!(heads("'P q'() :- a b."), [("P q".to_string(), Some(0))]);
    // A missing quote turns the following text into a quoted item.
    assert_eq!(
        heads("p('a) :- b\nq(Y) :- c.\nr('d') :- e f"),
        [("p".to_string(), None), ("q".to_string(), None)]
    );
}

#[test]
fn layout_comments_and_names_of_variables_do_not_change_the_terms() {
    let plain = read_text("p(X,Y,_,_):-q(X,[Y|T],-1,\"s\"),T=f(X).");
    let other = read_text(
        "%% c\np( Left , /* x */ Right, _, _) :-\n    q(Left, [Right|Rest], -1, \"s\"), % d\n\n    Rest = (f(Left)) .",
    );
    assert_eq!(plain.clauses[0].terms, other.clauses[0].terms);
    assert_eq!(plain.clauses[0].root, other.clauses[0].root);
    assert_ne!(plain.clauses[0].spans, other.clauses[0].spans);
    assert_eq!(
        other.clauses[0].spans.variables,
        ["Left", "Right", "_", "_", "Rest"]
    );
    assert_ne!(
        plain.clauses[0].terms,
        read_text("p(X,Y,Z,Z):-q(X,[Y|T],-1,\"s\"),T=f(X).").clauses[0].terms
    );
}

#[test]
fn spans_count_from_the_first_byte_of_the_clause() {
    let text = "% é\np(é, X) :- q(X), [a, b] = X.\n";
    let file = read_text(text);
    let clause = &file.clauses[0];
    assert_eq!(
        &text[clause.range.0..clause.range.1],
        "p(é, X) :- q(X), [a, b] = X."
    );
    let shown: Vec<&str> = clause
        .terms
        .subterms(clause.root)
        .into_iter()
        .map(|id| {
            let (from, to) = clause.spans.range(id);
            &text[clause.range.0 + from..clause.range.0 + to]
        })
        .collect();
    assert_eq!(
        shown,
        [
            "p(é, X) :- q(X), [a, b] = X",
            "p(é, X)",
            "é",
            "X",
            "q(X), [a, b] = X",
            "q(X)",
            "X",
            "[a, b] = X",
            "[a, b]",
            "a",
            "b]",
            "b",
            "]",
            "X",
        ]
    );
}

#[test]
fn terms_are_written_so_that_they_read_back() {
    for text in [
        "a:-b,c;d->e",
        "A is 1+2*(3-4)-5",
        "\\+a=b",
        "- (1)",
        "-(1)",
        "-1",
        "- a",
        "-(-(1))",
        "1-(-1)",
        "a-(b-c)",
        "(a,b)",
        "f((a,b),(c:-d))",
        "[a,b|C]",
        "[(a,b)]",
        "'It''s'(x)",
        "\"a\\\"b\\n\"",
        "{a,b}",
        "f(-)",
        "[-]",
        "-(-)",
        "- (a,b)",
        "\\+ (a,b)",
        "f(:-)",
        "(:-):-(:-)",
        "a= \\+",
        "1.5e300",
        "1.0",
        "0.1",
        "123456789012345678901234567890",
        "'\\n'",
        "''",
        "a:b:c",
        "(a:b):c",
        "X^Y^p(X,Y)",
        "2**3",
        "f(A,B,A)",
        "p-->q,{r},[s]",
        ":-dynamic a/1",
        "f(;)",
        "(a;b)",
        "f(',')",
        "f('|',(a|b))",
        "'[]'",
        "[]",
        "{}",
        "'{}'(x)",
        "1r3",
        "=..(a,b)",
        "a=..b",
        "f(dynamic)",
        "dynamic=dynamic",
        "- - a",
        "\\ (-)",
        "1 - (2 - 3)",
        "(a->b;c)",
        "(a:-b):-c",
        "@(a)",
        "$",
        "a= $",
        "f(!)",
        "!;!",
        "[a|b]",
        "é",
        "'É'",
        // Found by the fuzz target `reader`.
        "'.'('a b',p(X))",
        "'.'(a,'B')",
        "X.put(Y)",
        "X.(-)",
        ":- (a,b):c",
        "\\+ (a,b)-c",
        ":- {a},!,b is c",
        "-(1^2)",
        "(-1)^2",
        "- (1) + 2",
        "1.0Inf",
        "-1.0Inf",
        "1.5NaN",
        "(-)-(-)",
        "(dynamic):a",
        "'a'-'B'-\"c\"-\"d\"",
    ] {
        let file = read_text(&format!("{text} ."));
        let clause = &file.clauses[0];
        if clause.error.is_some() {
            continue;
        }
        let written = write_term(&clause.terms, clause.root, Some(&clause.spans.variables));
        let again = read_text(&format!("{written} ."));
        assert_eq!(
            forms(&again.clauses),
            forms(&file.clauses),
            "{text} was written as {written}"
        );
    }
    let shown = |text: &str| {
        let clause = read_text(text).clauses.remove(0);
        write_term(&clause.terms, clause.root, Some(&clause.spans.variables))
    };
    assert_eq!(
        shown("p(X,_) :- q( X ), \\+ r, Y is X+1*2."),
        "p(X,_2) :- q(X),\\+r,Y is X+1*2"
    );
    assert_eq!(shown("[a,'B'|\"c\"]."), "[a,'B'|\"c\"]");
}

#[test]
fn structured_comments_belong_to_the_clause_that_follows() {
    let text = "%! p(+X) is det.\n%\n%  Text.\n\n% plain\np(a).\n/** q(-Y)\n * text */\nq(b).\n% not one\nr.\n%% s is det.\ns.\n%! end.\n";
    let file = read_text(text);
    let found: Vec<_> = structured_comments(&file, text)
        .into_iter()
        .map(|c| (&text[c.range.0..c.range.1], c.clause))
        .collect();
    assert_eq!(
        found,
        [
            ("%! p(+X) is det.\n%\n%  Text.", Some(0)),
            ("/** q(-Y)\n * text */", Some(1)),
            ("%% s is det.", Some(3)),
            ("%! end.", None),
        ]
    );
}

#[test]
fn an_edit_in_five_thousand_lines_keeps_the_trees_of_the_other_clauses() {
    let text: String = (0..2500)
        .map(|i| format!("p{i}(X, Y) :- q(X, Z),\n    r(Z, [Y|_], 'text', \"more\").\n"))
        .collect();
    let parsed = Parsed::new(text.as_str());
    let before = parts_of_clauses(&parsed);
    assert_eq!(before.len(), 2500);
    for i in 1..40 {
        let at = text.len() / 40 * i;
        let after = parts_of_clauses(&parsed.edit(at..at, "x"));
        let made = after.difference(&before).count();
        assert!(
            made < 25,
            "{made} of {} clauses are parsed again for an edit at {at}",
            after.len()
        );
    }
    let fresh = parts_of_clauses(&Parsed::new(text.as_str()));
    assert!(fresh.is_disjoint(&before), "another tree has other nodes");
}

/// Returns the address of a node below each clause. In the tree of an edited text it is unchanged if that tree shares the clause.
fn parts_of_clauses(parsed: &Parsed) -> BTreeSet<usize> {
    let tree = parsed.tree();
    let mut cursor = tree.walk();
    tree.root_node()
        .named_children(&mut cursor)
        .filter_map(|clause| Some(clause.child(0)?.id()))
        .collect()
}

#[test]
fn nothing_is_read_behind_the_clause_end_of_file() {
    assert_eq!(
        clauses("a. end_of_file. b. c ("),
        ["'a'"],
        "as SWI-Prolog does"
    );
    assert_eq!(clauses("a :- end_of_file. b.").len(), 2);
}

/// Returns the clauses of a text; for a syntax error, the message and the text before the error.
fn with_errors(text: &str) -> Vec<String> {
    let form = |c: &ReadClause| match &c.error {
        None => text[c.range.0..c.range.1].to_owned(),
        Some(error) => {
            let at = c.range.0 + error.range.0 as usize;
            let line = text[..at].lines().last().unwrap_or_default();
            format!("{} | {line}", error.message)
        }
    };
    read_text(text).clauses.iter().map(form).collect()
}

#[test]
fn an_unfinished_clause_ends_where_a_head_begins_in_column_0() {
    let missing =
        |line: usize, at: &str| format!("a full stop is missing at the end of line {line} | {at}");
    assert_eq!(
        with_errors("p(X) :-\n    q(X)\n\n% r\nr([], _).\nr([X|Xs], Y) :- r(Xs, Y).\n"),
        [
            &missing(2, "    q(X)"),
            "r([], _).",
            "r([X|Xs], Y) :- r(Xs, Y)."
        ]
    );
    // Several missing full stops in a row, and other possible starts of a clause.
    for next in ["r --> s.", "'R'(X) => s.", "m:r(X) :- s.", "r."] {
        assert_eq!(
            with_errors(&format!("p(a)\r\np(b) \np :- !\n{next}")),
            [
                &missing(1, "p(a)"),
                &missing(2, "p(b)"),
                &missing(3, "p :- !"),
                next
            ]
        );
    }
    assert_eq!(
        with_errors("p :- q\n:- dynamic(r/1)\n:- s.\nt."),
        [
            &missing(1, "p :- q"),
            &missing(2, ":- dynamic(r/1)"),
            ":- s.",
            "t."
        ]
    );
    // Any other error takes precedence.
    assert_eq!(
        with_errors("p :- q(X\nr(Y) :- s."),
        ["unclosed `(` | p :- q", "r(Y) :- s."]
    );
    assert_eq!(
        with_errors("p :- q(X\nr(Y)."),
        ["unclosed `(` | p :- q", "r(Y)."]
    );
    assert_eq!(
        with_errors("p :- q r\ns(Y) :- t."),
        [
            "operator expected: `r` is no operator here | p :- q ",
            "s(Y) :- t."
        ]
    );
}

#[test]
fn what_goes_on_in_column_0_is_one_clause() {
    for text in [
        "p :-\nq,\nr(X) s.",
        "p :- q(a,\nb(c) d).",
        "p :- X =\nr(Y) s.",
        "p :- q\nr(X), s.",
        "p :- q(\n[a]\nr(X) :- s).",
        "p q\n:- r.",
        "p :- X is 1 mod\nr(X) a.",
        "p q\nis(X) :- r.",
    ] {
        assert_eq!(with_errors(text).len(), 1, "{text}");
    }
    assert_eq!(with_errors("p(X)\n:- q(X)."), ["p(X)\n:- q(X)."]);
    let own = ":- op(200, xfy, likes).\nX = a\nlikes(b) :- c.";
    assert_eq!(with_errors(own).len(), 2);
}

#[test]
fn ten_thousand_clauses_without_a_full_stop_are_read_in_no_time() {
    let text = "p(X) :-\n    q(X)\n".repeat(10_000);
    let begun = std::time::Instant::now();
    let clauses = read_text(&text).clauses;
    assert_eq!(clauses.len(), 10_000);
    assert!(begun.elapsed().as_secs() < 20);
}
