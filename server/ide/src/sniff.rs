//! Prolog or Perl? Both are called `.pl`.

/// The number of lines that are looked at.
const LINES: usize = 200;

/// Tells Perl from Prolog by how lines begin. In doubt a text is Prolog.
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
        // Only Prolog has these.
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
    fn prolog_stays_prolog() {
        assert!(!is_perl(""));
        assert!(!is_perl("#!/usr/bin/env swipl\n:- module(a, []).\n"));
        assert!(!is_perl("% my $x\np(X) :- q(X).\n"));
        assert!(!is_perl("sub(X) :-\n  a.\nmy(X).\n"));
        assert!(!is_perl("p.\n# use strict\n"));
    }
}
