//! Expressions as text: a parsed expression must print to a text that reads back as the same; every display must be a text; numbers must be
//! rounded in the right direction.

use costlens_algebra::display::{Outward, display, display_between, display_rounded};
use costlens_algebra::growth::growth;
use costlens_algebra::parse::parse;
use costlens_algebra::text::{Names, decimal, lower_f64, to_text, upper_f64};
use costlens_algebra::{Expr, Var};

/// Size variables with one letter and with several, which are displayed differently.
pub const NAMES: [&str; 4] = ["n", "m", "len", "q"];

/// Returns the expression of a text, over [`NAMES`].
#[must_use]
pub fn expression(text: &str) -> Option<Expr> {
    parse(text, &mut |name| {
        let place = NAMES.iter().position(|n| *n == name)?;
        Some(Var(u32::try_from(place).ok()?))
    })
    .ok()
}

/// Parses and prints an expression.
pub fn holds(bytes: &[u8]) {
    let text = crate::input::text(bytes);
    let Some(e) = expression(&text) else {
        return;
    };
    let names = Names::from_slice(&NAMES);
    let printed = to_text(&e, &names);
    assert_eq!(
        expression(&printed).as_ref(),
        Some(&e),
        "read back from {printed}"
    );
    assert!((&e - &e.clone()).is_zero(), "{printed}");
    assert_eq!(&-&(-&e), &e, "{printed}");

    assert!(!display(&e, &names).is_empty());
    assert!(!growth(&e).to_text(&names).is_empty());
    assert!(!growth(&e).display(&names).is_empty());
    let twice = &e + &e;
    let _ = display_between(Some(&e), Some(&twice), &names);
    for outward in [Outward::Down, Outward::Up] {
        assert!(!display_rounded(&e, &names, outward).is_empty());
    }
    for (_, coefficient) in e.terms() {
        let (low, high) = (lower_f64(coefficient), upper_f64(coefficient));
        assert!(low <= high, "{low} {high} for {coefficient}");
        assert!(!decimal(coefficient).is_empty());
    }
}
