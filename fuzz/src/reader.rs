//! Any bytes as the text of a file: everything in the result must have its place, and written terms must read back.

use costlens_syntax::comments::structured_comments;
use costlens_syntax::{Dialect, FileTerms, Parsed, ReadOptions, Term, Terms, read, write_term};

/// Reads the text in every dialect.
pub fn holds(bytes: &[u8]) {
    let text = crate::input::text(bytes);
    for dialect in Dialect::ALL {
        let parsed = Parsed::in_dialect(text.as_str(), dialect);
        let file = read(&parsed, &ReadOptions::default());
        everything_has_a_place(&text, &file);
        let _ = structured_comments(&file, &text);
        terms_read_back(&file);
    }
}

/// Checks that clauses and comments are in order, terms and errors are inside their clause, and all of them are between characters.
///
/// # Panics
/// Panics if that is not the case.
pub fn everything_has_a_place(text: &str, file: &FileTerms) {
    let mut end = 0;
    for clause in &file.clauses {
        let (from, to) = clause.range;
        assert!(
            end <= from && text.get(from..to).is_some(),
            "a clause at {from}..{to} after {end}"
        );
        end = to;
        let inside = |(a, b): (u32, u32)| text.get(from + a as usize..from + b as usize).is_some();
        assert_eq!(clause.spans.ranges.len(), clause.terms.len());
        assert_eq!(
            clause.spans.variables.len(),
            clause.terms.variables() as usize
        );
        for &(a, b) in &clause.spans.ranges {
            assert!(
                inside((a, b)) && b as usize <= to - from,
                "a term at {a}..{b} of {from}..{to}"
            );
        }
        if let Some(error) = &clause.error {
            assert!(
                inside(error.range) && error.range.1 as usize <= to - from,
                "{error:?} of {from}..{to}"
            );
        }
    }
    let mut end = 0;
    for comment in &file.comments {
        let (from, to) = comment.range;
        assert!(end <= from, "a comment at {from} after {end}");
        end = to;
        assert_eq!(text.get(from..to), Some(comment.text.as_str()));
    }
}

/// Checks that a written term reads back as one clause, with the same term, under the operators of SWI-Prolog, regardless of the file's
/// declarations.
fn terms_read_back(file: &FileTerms) {
    for clause in file.clauses.iter().filter(|c| c.error.is_none()) {
        let written = write_term(&clause.terms, clause.root, None);
        if written.ends_with('…') || is_damaged(&clause.terms) {
            continue;
        }
        // Do not guess the dialect: `-fd_prop()` looks like GNU Prolog's, and has too few arguments there.
        let text = format!("{written} .\n");
        let again = read(
            &Parsed::in_dialect(text.as_str(), Dialect::Swi),
            &ReadOptions::default(),
        );
        let [one] = again.clauses.as_slice() else {
            panic!("{} clauses: {written}", again.clauses.len());
        };
        assert_eq!(one.error, None, "{written}");
        let twice = write_term(&one.terms, one.root, None);
        assert_eq!(written, twice, "read back from {written}");
    }
}

fn is_damaged(terms: &Terms) -> bool {
    (0..terms.len())
        .filter_map(|i| u32::try_from(i).ok())
        .any(|i| matches!(terms.get(costlens_syntax::TermId(i)), Term::Error))
}
