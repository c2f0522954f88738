//! Display of expressions in hints and hovers: `n²/2+3n/2+1`, `n·m+2n+1`, `2ⁿ⁺¹-1`.
//!
//! The text is exact and contains no blanks; [`spaced`] adds blanks around `+` and `-`. A denominator follows its term (`3n/2`), and a
//! positive term comes first (`m-n+2`). Numbers with five or more digits are grouped. A coefficient that is a power of the only
//! exponential's base is merged into the exponent (`4·2ⁿ` becomes `2ⁿ⁺²`).
//!
//! Floors and logarithms are displayed as `⌊n/2⌋` and `⌊log₂ n⌋`. A sequence is displayed only by its growth, prefixed by `≈`, since the
//! exact radicals are unreadable: `≈ 1.447·1.618ⁿ-1`. The same applies to numbers of arrangements: `≈ 8.155·n!-2`.

pub(crate) mod factorial;
pub(crate) mod raised;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::atom::{Atom, Rounding};
use crate::enclosure::Enclosure;
use crate::expr::{Expr, Monomial, Rat};
use crate::growth::order::printing_order;
use crate::growth::rate::dominant_root;
use crate::text::Names;
use crate::text::sequence::{Sequence, Summand, summands};
use raised::{subscript_number, superscript_name, superscript_number};

/// Displays an expression; the text is exact except for sequences.
#[must_use]
pub fn display(e: &Expr, names: &Names<'_>) -> String {
    joined(e, names, None)
}

/// Joins the terms. Sequences are rounded to the nearest value, or outward if `outward` is given; in that case coefficients are also
/// rounded unless their denominators are at most the given number.
fn joined(e: &Expr, names: &Names<'_>, outward: Option<(Outward, u32)>) -> String {
    let mut parts: Vec<String> = Vec::new();
    let level = outward.and_then(|(outward, _)| without_periods(e, outward));
    let e = level.as_ref().unwrap_or(e);
    let approximation = factorial::approximation(e, outward.map(|(o, _)| o));
    let mut is_rounded = approximation.is_some();
    let e = approximation.as_ref().map_or(e, |a| &a.expr);
    let is_decimal = |m: &Monomial| {
        approximation
            .as_ref()
            .is_some_and(|a| a.rounded.contains(m))
    };
    for part in summands(printing_order(e)) {
        let shown = match part {
            Summand::Plain(m, c) if is_decimal(&m) => decimal_term(&c, &m, names, 1),
            Summand::Plain(m, c) => match outward {
                None => monomial_display(&c, &m, names),
                Some((_, fraction)) if *c.denom() <= BigInt::from(fraction) => {
                    monomial_display(&c, &m, names)
                }
                Some((outward, fraction)) => {
                    let rounded = round_outward(&c, outward);
                    is_rounded |= rounded != c;
                    decimal_term(&rounded, &m, names, fraction)
                }
            },
            Summand::Sequence(m, s) => match approximate(&s, names, outward.map(|(o, _)| o)) {
                Some(shown) => {
                    is_rounded = true;
                    if m.is_one() {
                        shown
                    } else {
                        let sign = shown.starts_with('-');
                        let rest = shown.trim_start_matches('-');
                        let m = monomial_display(&Rat::one(), &m, names);
                        format!("{}{m}·{rest}", if sign { "-" } else { "" })
                    }
                }
                None => {
                    let negative = s.begins_negative();
                    let s = if negative { s.negated() } else { s };
                    let m = monomial_display(&Rat::one(), &m, names);
                    let m = if m == "1" { String::new() } else { m + "·" };
                    let sign = if negative { "-" } else { "" };
                    format!("{sign}{m}{}", crate::text::sequence_text(&s, names))
                }
            },
        };
        parts.push(shown);
    }
    let text = sum(parts);
    match is_rounded {
        true => format!("≈ {text}"),
        false => text,
    }
}

/// Replaces each periodic sequence by its largest or smallest value: n/3 plus 0, 2/3, 1/3, … is at most n/3+2/3. Returns `None` if there is
/// no such sequence.
fn without_periods(e: &Expr, outward: Outward) -> Option<Expr> {
    let mut sum = Expr::zero();
    let mut found = false;
    for part in summands(printing_order(e)) {
        match part {
            Summand::Plain(m, c) => sum += &Expr::monomial(m, c),
            Summand::Sequence(m, s) => {
                let (last, others) = s.coefficients.split_last()?;
                if !m.is_one() || !last.is_one() || !others.iter().all(Zero::is_zero) {
                    return None;
                }
                let extreme = match outward {
                    Outward::Up => s.initial.iter().max()?,
                    Outward::Down => s.initial.iter().min()?,
                };
                sum += &Expr::constant(extreme.clone());
                found = true;
            }
        }
    }
    found.then_some(sum)
}

/// Joins terms with their signs; if the first term is negative, the first positive term is moved to the front.
fn sum(mut terms: Vec<String>) -> String {
    if let Some(place) = terms.iter().position(|term| !term.starts_with('-')) {
        terms[..=place].rotate_right(1);
    }
    let mut text = String::new();
    for term in terms {
        if !term.starts_with('-') && !text.is_empty() {
            text.push('+');
        }
        text.push_str(&term);
    }
    if text.is_empty() {
        text.push('0');
    }
    text
}

/// Displays an inexact bound: numbers that need rounding are rounded outward, without `≈`.
#[must_use]
pub fn display_outward(e: &Expr, names: &Names<'_>, outward: Outward) -> String {
    let text = joined(e, names, Some((outward, u32::MAX)));
    text.trim_start_matches("≈ ").to_owned()
}

/// Adds blanks around the signs between the terms of a display: `n²/2 + 3n/2 + 1`.
#[must_use]
pub fn spaced(display: &str) -> String {
    let mut text = String::with_capacity(display.len() + 8);
    let mut depth = 0;
    for c in display.chars() {
        match c {
            '(' | '⌊' | '⌈' => depth += 1,
            ')' | '⌋' | '⌉' => depth -= 1,
            _ => {}
        }
        // A sign at the start belongs to its term.
        let is_between = matches!(c, '+' | '-')
            && depth == 0
            && text.chars().last().is_some_and(|before| before != ' ');
        if is_between {
            text.extend([' ', c, ' ']);
        } else {
            text.push(c);
        }
    }
    text
}

/// Displays a sequence as `1.447·1.618ⁿ`: the dominant root of the characteristic polynomial and its asymptotic factor, rounded to four
/// digits. If `outward` is given, both are rounded in that direction, so that the result is eventually a bound.
fn approximate(s: &Sequence, names: &Names<'_>, outward: Option<Outward>) -> Option<String> {
    let root = dominant_root(&s.coefficients)?;
    let factor = s.limit(&root)?;
    let three = |e: &Enclosure| {
        let thousand = Rat::from_integer(BigInt::from(1000));
        let scaled = match outward {
            None => (e.middle() * &thousand).round(),
            Some(Outward::Down) => (&e.low * &thousand).floor(),
            Some(Outward::Up) => (&e.high * &thousand).ceil(),
        };
        scaled / thousand
    };
    let (root, factor) = (three(&root), three(&factor));
    if factor.numer() == &BigInt::from(0) {
        return None;
    }
    let mut exponent = Vec::new();
    for (m, c) in s.index.terms() {
        exponent.push((names.name(*m.powers.keys().next()?).into_owned(), c.clone()));
    }
    let base = crate::text::decimal(&root);
    let power = match &exponent[..] {
        [(name, c)] if c.is_one() => match superscript_name(name) {
            Some(raised) => format!("{base}{raised}"),
            None => format!("{base}^{name}"),
        },
        _ => format!("{base}^({})", crate::display::display(&s.index, names)),
    };
    Some(if factor.is_one() {
        power
    } else if (-&factor).is_one() {
        format!("-{power}")
    } else {
        format!("{}·{power}", crate::text::decimal(&factor))
    })
}

/// Displays a pair of bounds: the function if they are equal, `≤ n²+3n+1` if only the upper bound is informative, `≥ n+1` if only the lower
/// bound is informative, and otherwise both as `n+1…n²+3n+1`. Returns `None` if neither is known.
#[must_use]
pub fn display_between(
    lower: Option<&Expr>,
    upper: Option<&Expr>,
    names: &Names<'_>,
) -> Option<String> {
    match (lower, upper) {
        (Some(lower), Some(upper)) if lower == upper => Some(display(upper, names)),
        // A lower bound of 0 is trivial.
        (Some(lower), Some(upper)) if !lower.is_zero() => Some(format!(
            "{}…{}",
            display(lower, names),
            display(upper, names)
        )),
        (_, Some(upper)) => Some(format!("≤ {}", display(upper, names))),
        (Some(lower), None) => Some(format!("≥ {}", display(lower, names))),
        (None, None) => None,
    }
}

/// The direction in which a displayed value is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outward {
    /// For lower bounds: every coefficient is at most the exact coefficient.
    Down,
    /// For upper bounds: every coefficient is at least the exact coefficient.
    Up,
}

/// Displays an expression whose unwieldy fractions (denominators above 100, as in a platform's constants) are rounded outward to four
/// significant digits, prefixed by `≈` if any number was rounded. The result is a bound if the sizes are non-negative.
#[must_use]
pub fn display_rounded(e: &Expr, names: &Names<'_>, outward: Outward) -> String {
    let mut rounded = Expr::zero();
    for (m, c) in e.terms() {
        let short = *c.denom() <= BigInt::from(100);
        let c = if short {
            c.clone()
        } else {
            round_outward(c, outward)
        };
        rounded.add_monomial(m.clone(), c);
    }
    if rounded == *e || e.has_atoms() {
        return joined(&rounded, names, Some((outward, 100)));
    }
    // Rounded coefficients have a finite decimal expansion; the other coefficients keep their fractions.
    format!("≈{}", decimals(&rounded, names, 4))
}

/// Displays an expression of measured numbers such as times: coefficients are decimals with four significant digits, rounded outward and
/// prefixed by `≈` if any number was rounded. The result is a bound if the sizes are non-negative.
#[must_use]
pub fn display_decimal(e: &Expr, names: &Names<'_>, outward: Outward) -> String {
    if e.has_atoms() {
        return joined(e, names, Some((outward, 1)));
    }
    let mut rounded = Expr::zero();
    for (m, c) in e.terms() {
        rounded.add_monomial(m.clone(), round_outward(c, outward));
    }
    let mark = if rounded == *e { "" } else { "≈" };
    format!("{mark}{}", decimals(&rounded, names, 1))
}

/// Displays coefficients as decimals, except those with denominators of at most `fraction`, which are displayed as in [`display`].
fn decimals(rounded: &Expr, names: &Names<'_>, fraction: u32) -> String {
    let terms = printing_order(rounded).into_iter();
    sum(terms
        .map(|(m, c)| decimal_term(c, m, names, fraction))
        .collect())
}

/// Displays a term with its coefficient as a decimal, unless the denominator is at most `fraction`.
fn decimal_term(c: &Rat, m: &Monomial, names: &Names<'_>, fraction: u32) -> String {
    if *c.denom() <= BigInt::from(fraction) {
        return monomial_display(c, m, names);
    }
    let number = crate::text::decimal(c);
    if m.is_one() {
        return number;
    }
    let times = if m.powers.is_empty() { "·" } else { "" };
    format!("{number}{times}{}", monomial_display(&Rat::one(), m, names))
}

fn round_outward(value: &Rat, outward: Outward) -> Rat {
    const DIGITS: i32 = 4;
    let ten = Rat::from_integer(BigInt::from(10));
    // The exponent of ten of the leading digit, underestimated by at most two: the number of bits times log10(2).
    let bits = |n: &BigInt| i32::try_from(n.bits()).unwrap_or(i32::MAX / 8);
    let magnitude = (bits(value.numer()) - bits(value.denom())) * 30_103 / 100_000;
    let mut unit = ten.pow(magnitude - DIGITS - 1);
    while value.abs() / &unit >= ten.pow(DIGITS) {
        unit *= &ten;
    }
    let scaled = value / &unit;
    let whole = match outward {
        Outward::Down => scaled.floor(),
        Outward::Up => scaled.ceil(),
    };
    whole * unit
}

/// Displays one monomial with its coefficient: `-n²/2`, `3n/2`, `2·3ⁿ`, `1`.
#[must_use]
pub(crate) fn monomial_display(coefficient: &Rat, m: &Monomial, names: &Names<'_>) -> String {
    let mut text = String::new();
    let mut size = coefficient.abs();
    if coefficient.is_negative() {
        text.push('-');
    }
    let mut shift = 0;
    if let (true, Some((_, base)), 1) = (
        m.powers.is_empty() && m.is_plain(),
        m.exponentials.iter().next(),
        m.exponentials.len(),
    ) && let Some(k) = exact_logarithm(&size, base)
    {
        shift = k;
        size = Rat::one();
    }
    let mut factors: Vec<String> = Vec::new();
    for (&v, &k) in &m.powers {
        factors.push(format!(
            "{}{}",
            names.name(v),
            if k == 1 {
                String::new()
            } else {
                superscript_number(i64::from(k))
            }
        ));
    }
    for (atom, &k) in &m.atoms {
        let shown = atom_display(atom, names);
        factors.push(if let Atom::Factorial(of) = atom {
            factorial::display(of, &joined(of, names, None), k)
        } else if k == 1 {
            shown
        } else {
            format!("{shown}{}", superscript_number(i64::from(k)))
        });
    }
    for (&v, base) in &m.exponentials {
        factors.push(exponential_display(base, &names.name(v), shift));
    }
    for (atom, base) in &m.atom_exponentials {
        let base = if base.is_integer() {
            base.to_string()
        } else {
            format!("({base})")
        };
        factors.push(format!("{base}^{}", atom_display(atom, names)));
    }
    if factors.is_empty() {
        text.push_str(&grouped(size.numer()));
    } else if !size.numer().is_one() {
        text.push_str(&grouped(size.numer()));
        // A number before an atom needs no multiplication sign (`2⌊n/2⌋`), but a number before a power or a factorial does (`2·3ⁿ`,
        // `2·n!`).
        if m.powers.is_empty() && m.atoms.keys().next().is_none_or(Atom::is_factorial) {
            text.push('·');
        }
    }
    text.push_str(&factors.join("·"));
    if !size.is_integer() {
        text.push('/');
        text.push_str(&grouped(size.denom()));
    }
    text
}

/// Displays an atom: `⌊n/2⌋`, `⌊log₂ n⌋`.
fn atom_display(atom: &Atom, names: &Names<'_>) -> String {
    match atom {
        Atom::Floor(e) => format!(
            "⌊{}⌋",
            crate::text::quotient_text(e, |e| joined(e, names, None))
        ),
        Atom::Log { base, rounding, of } => {
            let of_text = joined(of, names, None);
            let of_text = if of.terms().count() == 1 {
                of_text
            } else {
                format!("({of_text})")
            };
            let log = format!("log{} {of_text}", subscript_number(*base));
            match rounding {
                Rounding::Down => format!("⌊{log}⌋"),
                Rounding::Up => format!("⌈{log}⌉"),
            }
        }
        Atom::Factorial(of) => factorial::display(of, &joined(of, names, None), 1),
        Atom::CFinite { .. } | Atom::Arrangements { .. } => crate::text::atom_text(atom, names),
    }
}

fn exponential_display(base: &Rat, name: &str, shift: i64) -> String {
    let base = if base.is_integer() {
        base.to_string()
    } else {
        format!("({base})")
    };
    match superscript_name(name) {
        Some(raised) if shift == 0 => format!("{base}{raised}"),
        Some(raised) => {
            let sign = if shift > 0 { "⁺" } else { "" };
            format!("{base}{raised}{sign}{}", superscript_number(shift))
        }
        None if shift == 0 => format!("{base}^{name}"),
        None => format!("{base}^({name}{shift:+})"),
    }
}

/// Returns the `k != 0` with `base^k = value`, if its absolute value is at most nine.
fn exact_logarithm(value: &Rat, base: &Rat) -> Option<i64> {
    (1..=9i32)
        .flat_map(|k| [k, -k])
        .find(|&k| base.pow(k) == *value)
        .map(i64::from)
}

/// The non-breaking blank between groups of digits.
const GROUP: char = '\u{202f}';

/// Returns the decimal digits of a non-negative number, grouped in threes if there are at least five: `10 000`.
fn grouped(value: &BigInt) -> String {
    let digits = value.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(GROUP);
        }
        text.push(digit);
    }
    text
}
