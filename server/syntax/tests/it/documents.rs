//! Tests documents as editors and people produce them: byte order marks, line ends, characters outside the basic plane, shell lines, and
//! operators imported from the files that directives name.

use crate::dump;

use std::fmt::Write as _;

use costlens_syntax::{
    Dialect, FileOperators, FileSpec, FileTerms, ImportKind, KnownFiles, Operator, OperatorType,
    Parsed, ReadOptions, read, read_directives, read_text,
};

fn forms(file: &FileTerms) -> Vec<String> {
    let form = |c: &costlens_syntax::ReadClause| match &c.error {
        Some(e) => format!("error: {}", e.message),
        None => dump::dump(&c.terms, c.root),
    };
    file.clauses.iter().map(form).collect()
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_program() {
    let file = read_text("\u{feff}p(a).\nq.\n");
    assert_eq!(forms(&file), ["'p'('a')", "'q'"]);
    assert_eq!(file.clauses[0].range, (3, 8));
    let file = read_text("\u{feff}#!/usr/bin/env swipl\np(a).\n");
    assert_eq!(forms(&file), ["'p'('a')"]);
    // A shell line elsewhere is not a comment.
    let file = read_text("% c\n\n#!/usr/bin/env swipl\np(a).\nq.\n");
    assert!(file.clauses[0].error.is_some(), "{:?}", forms(&file));
    assert_eq!(forms(&file)[1..], ["'q'"]);
    assert_eq!(forms(&read_text("\u{feff}")), [""; 0]);
    // A byte order mark elsewhere is an ordinary character.
    assert!(read_text("p(\u{feff}).").clauses[0].error.is_some());
}

#[test]
fn line_ends_of_each_kind_are_layout() {
    for end in ["\n", "\r\n", "\r"] {
        let comment = if end == "\r" { "/* c */" } else { "% c" };
        let text = ["p(X) :-", "    q(X). ", comment, "q('a\\", "b').", ""].join(end);
        let file = read_text(&text);
        assert_eq!(
            forms(&file),
            ["':-'('p'(_0),'q'(_0))", "'q'('ab')"],
            "{end:?}"
        );
        assert_eq!(file.comments.len(), 1, "{end:?}");
        assert!(!file.comments[0].text.ends_with('\n'));
    }
}

#[test]
fn characters_of_four_bytes_keep_places_right() {
    let text = "p('😀', \"𝒳𝒴\") :- 𝑥 = Y. % 🎉\nq(𐐀, 0'😀).\n";
    let file = read_text(text);
    // U+10400 is a capital letter, so it starts a variable.
    assert_eq!(forms(&file)[1], "'q'(_0,128512)");
    for clause in &file.clauses {
        assert!(clause.error.is_none());
        for &(from, to) in &clause.spans.ranges {
            let at = |offset: u32| clause.range.0 + offset as usize;
            assert!(text.get(at(from)..at(to)).is_some(), "inside a character");
        }
    }
    assert_eq!(file.comments[0].text, "% 🎉");
}

#[test]
fn a_nul_is_an_error_of_its_clause_and_a_character_in_quotes() {
    let file = read_text("p(a\0).\nq('a\0b').\n% \0\nr.\n");
    let forms = forms(&file);
    assert!(forms[0].starts_with("error"));
    assert_eq!(forms[1..], ["'q'('a\\0b')", "'r'"]);
}

/// `tests/bench/reader.rs` measures the reading time for several sizes.
#[test]
fn a_table_of_many_facts_is_read() {
    let mut text = String::new();
    for i in 0..200_000 {
        let _ = writeln!(text, "edge(n{i}, {}).", i + 1);
    }
    let file = read_text(&text);
    assert_eq!(file.clauses.len(), 200_000);
    assert!(file.clauses.iter().all(|c| c.error.is_none()));
}

fn operator(priority: u16, kind: OperatorType, name: &str) -> Operator {
    Operator {
        priority,
        kind,
        name: name.into(),
    }
}

fn spec(alias: Option<&str>, path: &str) -> FileSpec {
    FileSpec {
        alias: alias.map(Into::into),
        path: path.into(),
    }
}

/// Returns the operators of two modules and of a file that is not a module, which export and declare `===>` and `<~>`.
fn known() -> ReadOptions {
    let both = vec![
        operator(700, OperatorType::Xfx, "===>"),
        operator(700, OperatorType::Xfx, "<~>"),
    ];
    let module = FileOperators {
        module: true,
        exported: both.clone(),
        ..FileOperators::default()
    };
    let plain = FileOperators {
        declared: both,
        ..FileOperators::default()
    };
    let global = FileOperators {
        module: true,
        global: vec![operator(700, OperatorType::Xfx, "===>")],
        ..FileOperators::default()
    };
    ReadOptions {
        files: KnownFiles(
            [
                (spec(None, "tables"), module.clone()),
                (spec(Some("library"), "own/tables"), module),
                (spec(None, "parts.pl"), plain),
                (spec(None, "everywhere"), global),
            ]
            .into(),
        ),
        ..ReadOptions::default()
    }
}

#[test]
fn operators_of_other_files_are_in_force_behind_the_directive_that_names_them() {
    for (directive, arrow, tilde) in [
        (":- use_module(tables).", true, true),
        (":- use_module([lists, tables]).", true, true),
        (":- use_module(library(own/tables)).", true, true),
        (":- use_module(other).", false, false),
        (":- use_module(tables, [p/1]).", false, false),
        (":- use_module(tables, [p/1, op(_, _, ===>)]).", true, false),
        (":- use_module(tables, [op(_, xfx, _)]).", true, true),
        (":- use_module(tables, [op(_, xfy, _)]).", false, false),
        (":- use_module(tables, except([p/1])).", true, true),
        (
            ":- use_module(tables, except([op(_, _, ===>), p/1])).",
            false,
            true,
        ),
        (
            ":- use_module(tables, except([op(200, xfx, ===>)])).",
            true,
            true,
        ),
        (":- initialization(op(700, xfx, ===>), now).", true, false),
        (":- call(op(700, xfx), <~>).", false, true),
        (":- maplist(op(700, xfx), [===>, <~>]).", true, true),
        (
            ":- forall(member(O, [===>, <~>]), op(700, xfx, O)).",
            true,
            true,
        ),
        (
            ":- forall(member(F, ['parts.pl']), consult(F)).",
            true,
            true,
        ),
        (":- maplist(ensure_loaded, ['parts.pl']).", true, true),
        (":- push_op(700, xfx, ===>).", true, false),
        (
            ":- push_operators([op(700, xfx, ===>)]), push_op(700, xfx, <~>), pop_operators, op(700, xfx, <~>).",
            false,
            true,
        ),
        (":- reexport(tables).", true, true),
        (":- autoload(tables).", false, false),
        (":- autoload(tables, [op(_, _, _)]).", false, false),
        (":- ensure_loaded(tables).", true, true),
        (":- ensure_loaded('parts.pl').", true, true),
        (":- include('parts.pl').", true, true),
        (":- [lists, 'parts.pl'].", true, true),
        (":- use_module('parts.pl').", false, false),
        (":- use_module(everywhere, []).", true, false),
        (":- op(700, xfx, user:(===>)).", true, false),
    ] {
        let text = format!("p(a ===> b).\n{directive}\np(a ===> b).\np(a <~> b).\n");
        let parsed = Parsed::new(text.as_str());
        let file = read(&parsed, &known());
        let read_well: Vec<bool> = file.clauses.iter().map(|c| c.error.is_none()).collect();
        assert_eq!(read_well, [false, true, arrow, tilde], "{directive}");
    }
}

#[test]
fn the_directives_of_a_file_tell_what_it_exports_and_names() {
    let text = "#!/usr/bin/env swipl\n:- module(m, [p/1, op(700, xfx, ===>)]).\n:- use_module(library(lists), [append/3]).\n\
                p(X) :- a ===> X.\n:- reexport(tables).\n:- op(200, xfy, **>).\n:- op(200, xfy, user:(++>)).\n\
                :- include(\"parts.pl\").\nq.\nend_of_file.\n:- use_module(never).\n";
    let file = read_directives(&Parsed::new(text), &known());
    assert_eq!(file.clauses.len(), 6);
    assert!(file.comments.is_empty());
    let names =
        |list: &[Operator]| -> Vec<String> { list.iter().map(|o| o.name.to_string()).collect() };
    assert!(file.operators.module);
    assert_eq!(names(&file.operators.exported), ["===>", "===>", "<~>"]);
    assert_eq!(names(&file.operators.declared), ["**>", "===>", "<~>"]);
    assert_eq!(names(&file.operators.global), ["++>"]);
    let imports: Vec<(String, ImportKind, bool)> = file
        .imports
        .iter()
        .map(|i| (i.file.to_string(), i.kind, i.operators))
        .collect();
    assert_eq!(
        imports,
        [
            ("library(lists)".to_owned(), ImportKind::Module, false),
            ("tables".to_owned(), ImportKind::Reexport, true),
            ("parts.pl".to_owned(), ImportKind::Include, true),
        ]
    );
    // A full reading returns the same facts about other files, with its own clause indices.
    let whole = read(&Parsed::new(text), &known());
    assert_eq!(whole.operators, file.operators);
    assert_eq!(whole.imports[1].clause, 3);
}

#[test]
fn an_edit_that_changes_the_dialect_reads_the_whole_text_again() {
    let parsed = Parsed::new("p(\"ab\") :- q.\n/* a /* b */\nr.\n");
    assert_eq!(parsed.dialect(), Dialect::Swi);
    let edited = parsed.edit(0..0, ":- use_package(assertions).\n");
    assert_eq!(edited.dialect(), Dialect::Ciao);
    let file = read(&edited, &ReadOptions::default());
    assert_eq!(forms(&file)[1..], ["':-'('p'([97,98]),'q')", "'r'"]);
    let given = Parsed::in_dialect(&*parsed.text, Dialect::Swi).edit(0..0, "#!/usr/bin/tpl\n");
    assert_eq!(given.dialect(), Dialect::Swi);
}
