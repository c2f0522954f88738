//! Reports preconditions that no call satisfies, and unknown types.

use costlens_analysis::verdict::{contradictions, unknown_types};
use costlens_program::{SourceFile, file_assertions};
use costlens_syntax::assertions::words::TYPES;
use costlens_syntax::assertions::{Origin, Status};
use costlens_syntax::{Dialect, nearest};

use super::{Diagnostic, Severity, rules};
use crate::db::Db;

/// Returns both kinds of diagnostics for the assertions of a file.
pub(super) fn problems(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let assertions = file_assertions(db, file);
    let text = &file.parsed(db).text;
    let warning = |(from, to): (usize, usize), message: String| Diagnostic {
        range: from..to,
        severity: Severity::Warning,
        rule: &rules::ASSERTION_MALFORMED,
        message,
        related: Vec::new(),
    };
    let is_judged = |index: usize| {
        let assertion = assertions.list.get(index);
        assertion
            .is_some_and(|a| matches!(a.status, Status::Check | Status::Checked | Status::Trust))
    };
    let impossible = (contradictions(db, file).into_iter())
        .filter(|(index, _)| is_judged(*index))
        .filter_map(|(index, why)| {
            let place = assertions.places.get(index)?;
            let message = format!("no call satisfies the precondition: {why}");
            Some(warning(place.range, message))
        });
    // In Ciao, a module may import types.
    let may_be_imported = file.parsed(db).dialect() == Dialect::Ciao;
    let unknown = (unknown_types(db, file).into_iter())
        .filter(|(index, _)| is_judged(*index))
        .filter_map(|(index, name)| {
            let (assertion, place) = (assertions.list.get(index)?, assertions.places.get(index)?);
            // Unknown types in mode lines are reported when the mode line is parsed.
            if assertion.origin != Origin::Directive {
                return None;
            }
            let near = nearest(&name, &TYPES);
            if near.is_none() && may_be_imported {
                return None;
            }
            let message = match near {
                Some(near) => format!("`{name}` is no type; did you mean `{near}`?"),
                None => format!(
                    "`{name}` is no type that Costlens knows; define it by clauses of {name}/1 and `:- regtype {name}/1.`"
                ),
            };
            Some(warning(word(text, place.range, &name), message))
        });
    impossible.chain(unknown).collect()
}

/// Returns the place of a word in a range of a text, or the whole range if the word is not found.
fn word(text: &str, (from, to): (usize, usize), word: &str) -> (usize, usize) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let inside = text.get(from..to).unwrap_or_default();
    let mut all = inside.match_indices(word).map(|(at, _)| at);
    let whole = all.find(|&at| {
        let (before, behind) = (&inside[..at], &inside[at + word.len()..]);
        !before.ends_with(is_part) && !behind.starts_with(is_part)
    });
    whole.map_or((from, to), |at| (from + at, from + at + word.len()))
}
