//! Clauses that write with a format directive.

use costlens_catalog::{format_argument, hooks_called};
use costlens_syntax::term::{Term, TermId, Terms};

use crate::definitions::{Predicate, all_clauses};
use crate::workspace::Db;

/// Returns whether a clause of a predicate may write with `~` and this character, or with any directive if the character is unknown:
/// `format("~v", [X])`, `format(F, [X])`, `maplist(format, Fs, Xs)`, or a message, whose format is not in the clause.
pub(crate) fn writes_with(db: &dyn Db, predicate: Predicate<'_>, character: Option<char>) -> bool {
    all_clauses(db, predicate).iter().any(|clause| {
        let terms = &clause.terms;
        let parts = clause.guard.iter().chain(&clause.body);
        (parts.flat_map(|&part| terms.subterms(part))).any(|t| may_write(terms, t, character))
    })
}

fn may_write(terms: &Terms, goal: TermId, character: Option<char>) -> bool {
    let Some((name, arity)) = terms.functor(goal) else {
        return false;
    };
    if hooks_called(name, arity).any(|(hook, _)| hook.starts_with("prolog:message")) {
        return true;
    }
    // The name as a closure: `maplist(format, Fs, Xs)`, `maplist(format("~w"), Xs)`.
    let place = (arity..=arity + 3).find_map(|arity| format_argument(name, arity));
    let Some(place) = place else {
        return false;
    };
    match (terms.args(goal).get(place), character) {
        (Some(&format), Some(character)) => may_contain(terms, format, character),
        _ => true,
    }
}

/// Returns whether a format may contain `~` and a character, with a column or an argument between them (`~30|`, `~*c`, `` ~`-t ``).
fn may_contain(terms: &Terms, format: TermId, character: char) -> bool {
    let text = match terms.get(format) {
        Term::String(text) => text.as_str(),
        _ => match terms.as_atom(format) {
            Some(text) => text.as_str(),
            None => return true,
        },
    };
    let mut chars = text.chars().peekable();
    while let Some(next) = chars.next() {
        if next != '~' {
            continue;
        }
        while chars
            .next_if(|c| c.is_ascii_digit() || *c == '*' || *c == ':')
            .is_some()
        {}
        match chars.next() {
            // The fill character, then the directive.
            Some('`') => {
                chars.next();
                if chars.next() == Some(character) {
                    return true;
                }
            }
            Some(directive) if directive == character => return true,
            _ => {}
        }
    }
    false
}
