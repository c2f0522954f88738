//! Adapts texts for a Prolog system that supports neither assertions nor cost centres.

use costlens_program::language::directive;
use costlens_syntax::operators::is_assertion_status;
use costlens_syntax::term::{TermId, Terms};
use costlens_syntax::{FileTerms, is_assertion_kind, is_profiling_word};

/// Replaces directives that are declarations for Costlens or Ciao by blanks in a file's text, so that lines and columns do not change.
/// Returns `None` if there is no such directive.
#[must_use]
pub fn portable(text: &str, file: &FileTerms) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut any = false;
    for clause in &file.clauses {
        let Some(goal) = directive(&clause.terms, clause.root) else {
            continue;
        };
        let (from, to) = clause.range;
        if let Some(range) = bytes.get_mut(from..to)
            && is_statement(&clause.terms, goal)
        {
            any = true;
            let written = range.iter_mut().filter(|b| !b.is_ascii_whitespace());
            written.for_each(|byte| *byte = b' ');
        }
    }
    any.then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns whether a directive has no effect on a run.
fn is_statement(terms: &Terms, goal: TermId) -> bool {
    let Some((name, _)) = terms.functor(goal) else {
        return false;
    };
    match (name.as_str(), terms.args(goal)) {
        ("use_package", &[_]) => true,
        // In Ciao this directive declares a module with the name of the file that exports everything.
        ("module", &[name, ..]) => terms.as_atom(name).is_none(),
        ("+", &[left, _]) => is_word(terms, left, "trust_default"),
        ("head_cost" | "literal_cost" | "compound_resource", [_, ..]) => true,
        (word, args) if is_profiling_word(word) => {
            args.len() <= 1 || matches!(word, "cost_center" | "cost_inputs" | "cost_depends")
        }
        (word, [_, ..]) => is_assertion_kind(word) || is_assertion_status(word),
        _ => false,
    }
}

fn is_word(terms: &Terms, id: TermId, word: &str) -> bool {
    terms.as_atom(id).is_some_and(|name| name == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_become_blanks() {
        let text = ":- use_module(library(lists)).\n:- check pred p(X) : int(X)\n   + steps(1).\n:- cost_center p/1.\n% é\n:- initialization(p(1)).\np(_).\n";
        let file = costlens_syntax::read_text(text);
        let said = portable(text, &file).unwrap();
        assert_eq!(said.len(), text.len());
        let left: Vec<&str> = said.lines().map(str::trim).collect();
        assert_eq!(
            left,
            [
                ":- use_module(library(lists)).",
                "",
                "",
                "",
                "% é",
                ":- initialization(p(1)).",
                "p(_)."
            ]
        );
        let plain = "p(_).\n";
        assert_eq!(portable(plain, &costlens_syntax::read_text(plain)), None);
    }
}
