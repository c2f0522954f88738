//! Detects the dialect of a text from its first line, its directives, and names that are unique to one system.
//!
//! SWI-Prolog is the default, and text that several systems can read is assigned to SWI-Prolog: another dialect needs evidence that does
//! not occur in SWI-Prolog's own files. A file that tests which system runs it is written for several systems, and is read like a
//! SWI-Prolog file.

use super::Dialect;

/// The number of bytes examined. Evidence for a dialect occurs at the beginning of a file.
const HEAD: usize = 16 * 1024;

/// Libraries that exist in Scryer and Trealla but not in SWI-Prolog.
const SCRYER: [&str; 8] = [
    "clpz", "iso_ext", "dcgs", "si", "atts", "builtins", "cont", "tls",
];

/// Libraries that exist only in Trealla.
const TREALLA: [&str; 6] = ["concurrent", "linda", "curl", "raylib", "sqlite3", "abnf"];

/// Built-in predicates that exist only in GNU Prolog.
const GNU: [&str; 25] = [
    "fd_all_different(",
    "fd_at_least_one(",
    "fd_at_most_one(",
    "fd_atleast(",
    "fd_atmost(",
    "fd_cardinality(",
    "fd_domain(",
    "fd_domain_bool(",
    "fd_element(",
    "fd_element_var(",
    "fd_exactly(",
    "fd_labeling(",
    "fd_labelingff(",
    "fd_max(",
    "fd_maximize(",
    "fd_min(",
    "fd_minimize(",
    "fd_only_one(",
    "fd_prop(",
    "fd_relation(",
    "fd_set_vector_max(",
    "g_assign(",
    "g_assignb(",
    "g_link(",
    "g_read(",
];

/// Returns whether a predicate with this name is built into GNU Prolog only.
#[must_use]
pub fn is_gnu_built_in(name: &str) -> bool {
    GNU.iter()
        .any(|known| known.strip_suffix('(') == Some(name))
}

/// Detects the dialect in which a file is written.
///
/// `#!/usr/bin/env scryer-prolog` names the dialect. Other evidence: `:- module(m, [p/1], [assertions])`, `:- use_package(regtypes)`
/// (Ciao), `:- use_module(library(clpz))` (Scryer), `:- ensure_linked(p/1)` (GNU).
#[must_use]
pub fn dialect_of(text: &str) -> Dialect {
    let head = &text[..text.floor_char_boundary(HEAD)];
    let head = head.strip_prefix('\u{feff}').unwrap_or(head);
    if let Some(named) = first_line(head) {
        return named;
    }
    let code = without_comments(head);
    if code.contains("current_prolog_flag(dialect") || code.contains("expects_dialect(") {
        return Dialect::Swi;
    }
    let (mut found, mut modules) = (None, false);
    for directive in directives(&code) {
        let text: String = directive.chars().filter(|c| !c.is_whitespace()).collect();
        match of_directive(&text) {
            Some(Dialect::Scryer) if found.is_none() => found = Some(Dialect::Scryer),
            Some(Dialect::Scryer) | None => {}
            certain => return certain.unwrap_or_default(),
        }
        modules |= text.starts_with("use_module(") || text.starts_with("module(");
    }
    // GNU Prolog has no modules.
    let gnu = || !modules && GNU.iter().any(|name| calls(&code, name));
    found.unwrap_or(if gnu() { Dialect::Gnu } else { Dialect::Swi })
}

/// Returns whether the code calls `name` (with its bracket). A longer name with the same ending is not a call, nor is a head: the file then
/// defines the predicate.
fn calls(code: &str, name: &str) -> bool {
    let head = code.starts_with(name) || code.contains(&format!("\n{name}"));
    !head
        && code.match_indices(name).any(|(at, _)| {
            !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '\'')
        })
}

/// Returns the dialect named by `#!…` or an editor's mode line.
fn first_line(head: &str) -> Option<Dialect> {
    let line = head.lines().next()?;
    if line.starts_with("#!") {
        return line
            .split(|c: char| c.is_whitespace() || c == '/')
            .find_map(|word| {
                Some(match word {
                    "swipl" | "swipl-win" | "swi-prolog" => Dialect::Swi,
                    "gprolog" => Dialect::Gnu,
                    "scryer-prolog" => Dialect::Scryer,
                    "tpl" => Dialect::Trealla,
                    "ciao" | "ciaosh" | "ciao-shell" => Dialect::Ciao,
                    _ => return None,
                })
            });
    }
    // `-*- ciao -*-`, or variables with their values: `-*- coding: utf-8; mode: ciao -*-`.
    let (_, rest) = line.split_once("-*-")?;
    let (variables, _) = rest.split_once("-*-")?;
    let variables = variables.to_ascii_lowercase();
    let mode = match variables.contains(':') {
        true => variables.split(';').find_map(|variable| {
            let (name, value) = variable.split_once(':')?;
            (name.trim() == "mode").then(|| value.trim())
        })?,
        false => variables.trim(),
    };
    (mode == "ciao").then_some(Dialect::Ciao)
}

/// Returns the dialect to which a directive, given without layout, is specific.
fn of_directive(directive: &str) -> Option<Dialect> {
    let (name, arguments) = match directive.split_once('(') {
        Some((name, rest)) => (name, rest.strip_suffix(')').unwrap_or(rest)),
        None => (directive, ""),
    };
    match name {
        "use_package"
        | "package"
        | "new_declaration"
        | "load_compilation_module"
        | "add_sentence_trans" => Some(Dialect::Ciao),
        // The third argument is the list of packages. (In SICStus Prolog it holds options, such as `hidden(true)`.)
        "module" => {
            let packages = nth_argument(arguments, 2)?;
            let names = packages.strip_prefix('[')?.strip_suffix(']')?;
            // SWI-Prolog also supports `module/3`, but not with a variable as export list.
            if names.is_empty() && nth_argument(arguments, 1)?.starts_with('[') {
                return None;
            }
            (!names.contains('(') || names.contains("library(")).then_some(Dialect::Ciao)
        }
        "ensure_linked" | "built_in" | "built_in_fd" => Some(Dialect::Gnu),
        // `foreign(p(+string, -integer), [fct_name(q)])`.
        "foreign" if nth_argument(arguments, 0)?.contains('(') => Some(Dialect::Gnu),
        "use_module" => {
            let file = nth_argument(arguments, 0)?;
            if file.starts_with("engine(") {
                return Some(Dialect::Ciao);
            }
            let library = file.strip_prefix("library(")?.strip_suffix(')')?;
            if TREALLA.contains(&library) {
                Some(Dialect::Trealla)
            } else if SCRYER.contains(&library) {
                Some(Dialect::Scryer)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Returns the n-th argument, where arguments are separated by commas outside brackets.
fn nth_argument(arguments: &str, n: usize) -> Option<&str> {
    let (mut depth, mut from, mut number) = (0usize, 0, 0);
    for (at, c) in arguments.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                if number == n {
                    return arguments.get(from..at);
                }
                number += 1;
                from = at + 1;
            }
            _ => {}
        }
    }
    (number == n).then(|| arguments.get(from..)).flatten()
}

/// Returns the goals of directives that start at the beginning of a line.
fn directives(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices(":-").filter_map(|(at, _)| {
        let starts = code[..at].trim_end_matches([' ', '\t']);
        if !(starts.is_empty() || starts.ends_with(['\n', '.'])) {
            return None;
        }
        let rest = &code[at + 2..];
        let end = rest.match_indices('.').find(|(dot, _)| {
            rest[dot + 1..]
                .chars()
                .next()
                .is_none_or(char::is_whitespace)
        })?;
        Some(&rest[..end.0])
    })
}

/// Returns the text without comments and without the content of quoted items, so that neither counts as evidence.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['%', '/', '\'', '"', '`', '0']) {
        out.push_str(&rest[..at]);
        let found = &rest[at..];
        let first = found.chars().next().unwrap_or_default();
        rest = match first {
            '%' => &found[found.find('\n').unwrap_or(found.len())..],
            '/' if found.starts_with("/*") => {
                out.push(' ');
                found[2..].find("*/").map_or("", |end| &found[end + 4..])
            }
            // `0'c` and `0'\n` do not start a quoted item.
            '0' if found.starts_with("0'") => {
                let mut code = found[2..].chars();
                if code.next() == Some('\\') {
                    code.next();
                }
                code.as_str()
            }
            '/' | '0' => {
                out.push(first);
                &found[1..]
            }
            quote => {
                out.push_str("''");
                behind_quote(&found[1..], quote)
            }
        };
    }
    out.push_str(rest);
    out
}

/// Returns the text after the closing quote; empty if the quote is missing.
fn behind_quote(text: &str, quote: char) -> &str {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !escaped {
            return &text[at + 1..];
        }
        escaped = c == '\\' && !escaped;
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_needs_evidence() {
        for (text, expected) in [
            ("", Dialect::Swi),
            ("#!/usr/bin/env swipl\n:- use_package(x).\n", Dialect::Swi),
            ("#!/usr/bin/env -S gprolog --consult-file\n", Dialect::Gnu),
            ("#!/usr/bin/env scryer-prolog\n", Dialect::Scryer),
            ("#!/usr/bin/tpl\n", Dialect::Trealla),
            ("#!/usr/bin/env ciao-shell\n", Dialect::Ciao),
            ("\u{feff}#!/usr/bin/tpl\n", Dialect::Trealla),
            ("#!/bin/sh\np.\n", Dialect::Swi),
            ("% -*- mode: ciao; -*-\np.\n", Dialect::Ciao),
            ("% -*- mode: prolog; coding: utf-8 -*-\np.\n", Dialect::Swi),
            ("% -*- coding: utf-8; mode: ciao -*-\np.\n", Dialect::Ciao),
            ("% -*- mode: ciao\np.\n", Dialect::Swi),
            (":- module(_, _, [assertions, regtypes]).\n", Dialect::Ciao),
            (
                ":- module(m,\n  [p/1, 'q.r'/2],\n  [ assertions ]).\n",
                Dialect::Ciao,
            ),
            (":- module(m, [p/1], []).\n", Dialect::Swi),
            (":- module(_, _, []).\n", Dialect::Ciao),
            (":- module(m, [p/1], [hidden(true)]).\n", Dialect::Swi),
            (":- module(m, [p/1]).\n", Dialect::Swi),
            (":- module(m, [p/1, op(700, xfx, =>>)]).\n", Dialect::Swi),
            ("/* x */ :- use_package(fsyntax).\n", Dialect::Ciao),
            (":- use_module(engine(io_basic)).\n", Dialect::Ciao),
            ("% :- use_package(fsyntax).\n", Dialect::Swi),
            ("/*\n:- use_package(fsyntax).\n*/\n", Dialect::Swi),
            ("p('\n:- use_package(fsyntax).\n').\n", Dialect::Swi),
            ("p(0'').\n:- use_package(fsyntax).\n", Dialect::Ciao),
            ("p(X) :- use_package(X).\n", Dialect::Swi),
            (":- use_module(library(clpz)).\n", Dialect::Scryer),
            (
                ":- use_module(library(clpz)).\n:- use_module(library(linda)).\n",
                Dialect::Trealla,
            ),
            (":- use_module(library(clpfd)).\n", Dialect::Swi),
            (":- ensure_linked([p/1]).\n", Dialect::Gnu),
            (
                "q(L) :- fd_domain(L, 1, 8), fd_labeling(L).\n",
                Dialect::Gnu,
            ),
            (
                ":- foreign(p(+string, -integer), [fct_name(q)]).\n",
                Dialect::Gnu,
            ),
            (":- foreign(resource, [p/1]).\n", Dialect::Swi),
            (
                ":- use_module(fd).\nq(L) :- fd_domain(L, 1, 8).\n",
                Dialect::Swi,
            ),
            (
                "fd_domain(L, A, B) :- L ins A..B.\nq(L) :- fd_domain(L, 1, 8).\n",
                Dialect::Swi,
            ),
            ("q(L) :- my_fd_domain(L, 1, 8).\n", Dialect::Swi),
            // Assertions are also Costlens' own language, so they are no evidence.
            (":- entry p(A) : list(A).\n:- pred p(A).\n", Dialect::Swi),
            (
                ":- if(current_prolog_flag(dialect, ciao)).\n:- use_package(fsyntax).\n:- endif.\n",
                Dialect::Swi,
            ),
        ] {
            assert_eq!(dialect_of(text), expected, "{text}");
        }
    }

    #[test]
    fn every_dialect_is_found_by_its_name() {
        for dialect in Dialect::ALL {
            assert_eq!(Dialect::from_name(dialect.name()), Some(dialect));
        }
        assert_eq!(Dialect::from_name("basic"), None);
    }
}
