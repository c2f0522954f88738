//! The number of characters that a format writes.
//!
//! ```prolog
//! row([], "").
//! row([X|Xs], Row) :- row(Xs, Rest), format(string(Row), "~w,~w", [X, Rest]).      % Row: the characters of X and Rest, and one more
//! ```

use costlens_algebra::Expr;
use costlens_syntax::term::{NIL, Term, TermId, Terms};

use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::state::State;

/// Returns the number of characters that a format writes with its arguments; unknown for directives other than `~w`, `~a`, `~s`, `~n` and
/// `~~`, and for arguments that are not texts.
pub(super) fn written(state: &State, terms: &Terms, format: TermId, arguments: TermId) -> Size {
    sized(state, terms, format, arguments).unwrap_or_else(|| Size::at_least(0))
}

fn sized(state: &State, terms: &Terms, format: TermId, arguments: TermId) -> Option<Size> {
    let (Term::String(text) | Term::Atom(text)) = terms.get(state.resolve(terms, format)) else {
        return None;
    };
    let arguments = state.resolve(terms, arguments);
    let (elements, rest) = terms.list(arguments);
    let mut given = match terms.as_atom(rest) {
        Some(name) if name == NIL => elements.into_iter(),
        // A single argument that is no list needs none.
        _ if state.datum(terms, arguments).ty.text().is_some() => vec![arguments].into_iter(),
        _ => return None,
    };
    let mut size = Size::exact(Expr::zero());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let part = match c {
            '~' => match chars.next()? {
                'w' | 'a' => characters(&state.datum(terms, given.next()?))?,
                's' => {
                    let datum = state.datum(terms, given.next()?);
                    match &datum.ty {
                        Type::List(_) => datum.measured(Metric::Length),
                        _ => characters(&datum)?,
                    }
                }
                'n' | '~' => Size::exact(Expr::int(1)),
                _ => return None,
            },
            _ => Size::exact(Expr::int(1)),
        };
        size = size.plus(&part);
    }
    Some(size)
}

/// Returns the number of characters of a text, as it is written without quotes.
fn characters(datum: &Datum) -> Option<Size> {
    datum.ty.text()?;
    let size = datum.measured(Metric::Chars);
    size.upper.is_some().then_some(size)
}
