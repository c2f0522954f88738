//! Distinguishes Prolog from other languages with the same file extensions: Perl (`.pl`), IDL, ProGuard and Qt project files (`.pro`), and
//! gnuplot (`.plt`).

use costlens_syntax::{Term, read_text};

/// Returns the language of a text that is not Prolog. In case of doubt, a text is considered Prolog. It is in another language only if its
/// beginning looks like that language and no clause can be parsed.
#[must_use]
pub fn other_language(text: &str) -> Option<&'static str> {
    if is_perl(text) {
        return Some("Perl");
    }
    let language = looks_like(text)?;
    let is_clause = |clause: &costlens_syntax::ReadClause| {
        clause.error.is_none() && matches!(clause.terms.get(clause.root), Term::Compound(..))
    };
    let has_clauses = read_text(text).clauses.iter().any(is_clause);
    (!has_clauses).then_some(language)
}

/// Returns true if a text is not Prolog.
#[must_use]
pub fn is_no_prolog(text: &str) -> bool {
    other_language(text).is_some()
}

/// The number of nonblank lines that are examined.
const FIRST_LINES: usize = 40;

/// Returns the language that some line at the beginning indicates, provided that no line there is typical of Prolog.
fn looks_like(text: &str) -> Option<&'static str> {
    let mut found = None;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines.take(FIRST_LINES) {
        if line.contains(":-") || line.contains("-->") {
            return None;
        }
        found = found.or_else(|| language_of_line(line));
    }
    found
}

fn language_of_line(line: &str) -> Option<&'static str> {
    let begins = |words: &[&str]| {
        words.iter().any(|word| {
            let rest = line
                .get(..word.len())
                .filter(|b| b.eq_ignore_ascii_case(word));
            rest.is_some() && !line[word.len()..].starts_with(['(', '.', ','])
        })
    };
    // Recognises assignments in Qt project files: `QT += core`, `win32:LIBS += -lz`.
    let assigns = || {
        let (name, _) = line.split_once('=')?;
        let name = name
            .trim_end()
            .trim_end_matches(['+', '-', '*', '~'])
            .trim_end();
        let name = name.rsplit([':', '}', '{']).next()?.trim_start();
        let is_name = |c: char| c.is_ascii_uppercase() || matches!(c, '_' | '.');
        let first = name.split('.').next()?;
        (first.len() > 1 && first.chars().all(is_name)).then_some(())
    };
    if assigns().is_some() {
        return Some("a project file of Qt");
    }
    let is_rule = |word: &str| line.starts_with(word);
    if [
        "-keep",
        "-dont",
        "-optimi",
        "-assume",
        "-print",
        "-verbose",
        "-libraryjars",
        "-injars",
        "-outjars",
        "-renamesource",
        "-repackage",
        "-allowaccess",
        "-adapt",
        "-flatten",
        "-ignorewarnings",
        "-overload",
        "-target",
        "-basedir",
    ]
    .into_iter()
    .any(is_rule)
    {
        return Some("a configuration of ProGuard");
    }
    if begins(&["set ", "unset ", "plot ", "splot ", "replot", "reset"]) {
        return Some("gnuplot");
    }
    if begins(&["pro ", "function ", "compile_opt "]) || line.starts_with(";+") {
        return Some("IDL");
    }
    let is_perl = begins(&[
        "eval 'exec ",
        "require ",
        "use ",
        "package ",
        "sub ",
        "local(",
    ]) || line.starts_with('$') && line.contains('=')
        || (line.starts_with('%') || line.starts_with('@'))
            && line.contains('=')
            && line.ends_with(['(', ';']);
    is_perl.then_some("Perl")
}

/// The number of lines that are examined.
const LINES: usize = 200;

/// Distinguishes Perl from Prolog by the beginnings of lines. In case of doubt, a text is considered Prolog.
#[must_use]
pub fn is_perl(text: &str) -> bool {
    let mut perl = 0;
    for (i, line) in text.lines().take(LINES).enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim_end();
        if i == 0 && line.starts_with("#!") {
            if line.contains("perl") {
                return true;
            }
            continue;
        }
        // Such lines occur only in Prolog.
        if line.starts_with(":-") || line.starts_with('%') || line.ends_with(":-") {
            return false;
        }
        let begins = |words: &[&str]| words.iter().any(|w| line.trim_start().starts_with(w));
        let strong = begins(&[
            "use strict",
            "use warnings",
            "#!/usr/bin/perl",
            "my $",
            "my @",
            "my %",
            "my (",
        ]) || line.starts_with("=head")
            || line.starts_with("=pod")
            || (line.starts_with("package ") && line.ends_with(';'))
            || (line.starts_with("sub ") && line.contains('{'));
        perl += usize::from(strong);
    }
    perl >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perl_is_told_by_its_shebang_or_its_declarations() {
        assert!(is_perl("#!/usr/bin/env perl\nprint 1;\n"));
        assert!(is_perl("package A;\nuse strict;\n\nmy $x = 1;\n"));
        assert!(is_perl("use warnings;\nsub f {\n  1;\n}\n"));
    }

    #[test]
    fn other_languages_are_told_where_no_clause_can_be_read() {
        for (text, language) in [
            (
                "QT += core gui\n\nTARGET = app\nSOURCES += main.cpp \\\n    b.cpp\n",
                "Qt",
            ),
            ("# Project.\nwin32:LIBS += -lz\n", "Qt"),
            ("-keep class a.b.** { *; }\n-dontwarn a.b.**\n", "ProGuard"),
            ("# rules\n-keepattributes Signature\n", "ProGuard"),
            (
                "set terminal png\nplot \"a.dat\" using 1:2 with lines\n",
                "gnuplot",
            ),
            ("; docs. More.\npro draw, x, y\n  plot, x, y\nend\n", "IDL"),
            ("FUNCTION area, x\n  return, x*x\nEND\n", "IDL"),
            ("eval 'exec perl -S $0 ${1+\"$@\"}'\n  if 0;\n", "Perl"),
            ("require 'ctime.pl';\n%conf = (\n 'a', 1,\n);\n1;\n", "Perl"),
        ] {
            let found = other_language(text);
            assert!(
                found.is_some_and(|l| l.contains(language)),
                "{text}: {found:?}"
            );
        }
        for text in [
            "set(a).\nplot(b).\n",
            "set X to Y.\nset(a, b).\n",
            "function(F) :- f(F).\n",
            "QT = 1.\nq(QT).\n",
            "require (a :- b",
            "p(a",
            "",
        ] {
            assert_eq!(other_language(text), None, "{text}");
        }
    }

    #[test]
    fn prolog_stays_prolog() {
        assert!(!is_perl(""));
        assert!(!is_perl("#!/usr/bin/env swipl\n:- module(a, []).\n"));
        assert!(!is_perl("% my $x\np(X) :- q(X).\n"));
        assert!(!is_perl("sub(X) :-\n  a.\nmy(X).\n"));
        assert!(!is_perl("p.\n# use strict\n"));
    }
}
