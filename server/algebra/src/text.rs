//! Exact, machine-readable text for expressions, and numbers as text and as floating-point values.
//!
//! The text is a normal form: monomials appear in the order of [`crate::growth::printing_order`] (highest growth first), and each consists
//! of the coefficient, the powers, the atoms and the exponentials. Equal expressions have the same text, and [`crate::parse::parse`]
//! converts it back to the same expression.

pub(crate) mod sequence;

use std::borrow::Cow;
use std::fmt::Write as _;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::atom::{Atom, Rounding};
use crate::expr::{Expr, Monomial, Rat, Var};
use crate::growth::order::printing_order;
use sequence::{Sequence, Summand, summands};

/// The names of size variables.
pub struct Names<'a> {
    name: Box<dyn Fn(Var) -> Cow<'a, str> + 'a>,
}

impl<'a> Names<'a> {
    /// Creates names from a function.
    pub fn new(name: impl Fn(Var) -> String + 'a) -> Self {
        Self {
            name: Box::new(move |v| Cow::Owned(name(v))),
        }
    }

    /// Creates names from a slice: variable `i` gets the `i`-th string, or `vI` if the slice is too short.
    pub fn from_slice<S: AsRef<str>>(names: &'a [S]) -> Self {
        Self {
            name: Box::new(move |v| {
                usize::try_from(v.0)
                    .ok()
                    .and_then(|i| names.get(i))
                    .map_or_else(
                        || Cow::Owned(format!("v{}", v.0)),
                        |n| Cow::Borrowed(n.as_ref()),
                    )
            }),
        }
    }

    /// Returns the name of a variable.
    #[must_use]
    pub fn name(&self, v: Var) -> Cow<'a, str> {
        (self.name)(v)
    }
}

/// Returns the machine syntax: `1/2*n^2+3/2*n+1`, `2*2^n-1`, `(3/2)^n`, `n*flog(2,n)-2^flog(2,n)`, `cfinite([1,1],[2,2],n)-1`, `n*fact(n)`,
/// `0`.
#[must_use]
pub fn to_text(e: &Expr, names: &Names<'_>) -> String {
    let mut text = String::new();
    for part in summands(printing_order(e)) {
        let (negative, size, product) = match part {
            Summand::Plain(m, c) => (
                c.is_negative(),
                c.abs(),
                (!m.is_one()).then(|| monomial_text(&m, names)),
            ),
            Summand::Sequence(m, s) => {
                let negative = s.begins_negative();
                let s = if negative { s.negated() } else { s };
                let sequence = sequence_text(&s, names);
                let product = if m.is_one() {
                    sequence
                } else {
                    format!("{}*{sequence}", monomial_text(&m, names))
                };
                (negative, Rat::one(), Some(product))
            }
        };
        if negative {
            text.push('-');
        } else if !text.is_empty() {
            text.push('+');
        }
        match product {
            None => write_rational(&mut text, &size),
            Some(product) => {
                if !size.is_one() {
                    write_rational(&mut text, &size);
                    text.push('*');
                }
                text.push_str(&product);
            }
        }
    }
    if text.is_empty() {
        text.push('0');
    }
    text
}

pub(crate) fn sequence_text(s: &Sequence, names: &Names<'_>) -> String {
    let list = |values: &[Rat]| {
        let texts: Vec<String> = values.iter().map(Rat::to_string).collect();
        texts.join(",")
    };
    format!(
        "cfinite([{}],[{}],{})",
        list(&s.coefficients),
        list(&s.initial),
        to_text(&s.index, names)
    )
}

/// Returns the text of an atom: `floor((n+1)/2)`, `flog(2,n)`, `cfinite([1,1],[0,1],n)`.
pub(crate) fn atom_text(atom: &Atom, names: &Names<'_>) -> String {
    match atom {
        Atom::Floor(e) => format!("floor({})", quotient_text(e, |e| to_text(e, names))),
        Atom::Log { base, rounding, of } => {
            let name = match rounding {
                Rounding::Down => "flog",
                Rounding::Up => "clog",
            };
            format!("{name}({base},{})", to_text(of, names))
        }
        Atom::CFinite { .. } => to_text(&Expr::atom(atom.clone()), names),
        Atom::Factorial(of) => format!("fact({})", to_text(of, names)),
        Atom::Arrangements { base, of } => arrangements_text(base, of, names),
    }
}

/// Returns the text `sum(i,0,n,fact(n)/fact(i))`; with a base, `sum(i,0,n,fact(n)/fact(i)*2^i)`.
fn arrangements_text(base: &Rat, of: &Expr, names: &Names<'_>) -> String {
    let taken: Vec<Cow<'_, str>> = of.variables().into_iter().map(|v| names.name(v)).collect();
    let index = ["i", "j", "k"]
        .into_iter()
        .map(str::to_owned)
        .chain((0..).map(|i| format!("i{i}")))
        .find(|name| !taken.iter().any(|t| *t == name.as_str()))
        .unwrap_or_default();
    let power = if base.is_one() {
        String::new()
    } else if base.is_integer() {
        format!("*{base}^{index}")
    } else {
        format!("*({base})^{index}")
    };
    let of = to_text(of, names);
    format!("sum({index},0,{of},fact({of})/fact({index}){power})")
}

/// Returns the text of a linear expression over its common denominator.
pub(crate) fn quotient_text(e: &Expr, text: impl Fn(&Expr) -> String) -> String {
    let d = e.common_denominator();
    let above = e.scale(&Rat::from_integer(d.clone()));
    let shown = text(&above);
    if d.is_one() {
        shown
    } else if above.terms().count() == 1 && above.terms().all(|(_, c)| c.is_one()) {
        format!("{shown}/{d}")
    } else {
        format!("({shown})/{d}")
    }
}

/// Returns the text of a monomial without a coefficient: `n^2*m`, `n*2^n`, `n*flog(2,n)`, `1`.
#[must_use]
pub fn monomial_text(m: &Monomial, names: &Names<'_>) -> String {
    let power = |of: String, k: u32| if k == 1 { of } else { format!("{of}^{k}") };
    let exponential = |base: &Rat, of: &str| {
        if base.is_integer() {
            format!("{base}^{of}")
        } else {
            format!("({base})^{of}")
        }
    };
    let mut factors = Vec::new();
    for (&v, &k) in &m.powers {
        factors.push(power(names.name(v).into_owned(), k));
    }
    for (atom, &k) in &m.atoms {
        factors.push(power(atom_text(atom, names), k));
    }
    for (&v, base) in &m.exponentials {
        factors.push(exponential(base, &names.name(v)));
    }
    for (atom, base) in &m.atom_exponentials {
        factors.push(exponential(base, &atom_text(atom, names)));
    }
    if factors.is_empty() {
        "1".to_owned()
    } else {
        factors.join("*")
    }
}

fn write_rational(text: &mut String, value: &Rat) {
    // Writing to a string never fails.
    let _ = write!(text, "{value}");
}

/// Returns the exact value as an integer, as a decimal with at most eighteen places (`-0.375`), or otherwise as a fraction (`1/3`).
#[must_use]
pub fn decimal(value: &Rat) -> String {
    if value.is_integer() {
        return value.numer().to_string();
    }
    let mut rest = value.denom().clone();
    let mut places = [0u32; 2];
    for (count, prime) in places.iter_mut().zip([2, 5]) {
        let prime = BigInt::from(prime);
        while rest.is_multiple_of(&prime) && *count <= MAX_PLACES {
            rest /= &prime;
            *count += 1;
        }
    }
    let places = places[0].max(places[1]);
    if !rest.is_one() || places > MAX_PLACES {
        return value.to_string();
    }
    let scaled = (value * Rat::from_integer(BigInt::from(10).pow(places))).to_integer();
    let digits = scaled.abs().to_string();
    let width = places as usize;
    let padded = format!("{digits:0>fill$}", fill = width + 1);
    let (whole, fraction) = padded.split_at(padded.len() - width);
    let sign = if scaled.is_negative() { "-" } else { "" };
    format!("{sign}{whole}.{fraction}")
}

/// The maximum number of places that [`decimal`] writes.
const MAX_PLACES: u32 = 18;

/// Returns the largest floating-point number that does not exceed the value (`f64::MAX` and `f64::NEG_INFINITY` out of range).
#[must_use]
pub fn lower_f64(value: &Rat) -> f64 {
    if value.is_negative() {
        -magnitude_up(value)
    } else {
        magnitude_down(value).0
    }
}

/// Returns the smallest floating-point number that is not less than the value (`f64::INFINITY` and `f64::MIN` out of range).
#[must_use]
pub fn upper_f64(value: &Rat) -> f64 {
    if value.is_negative() {
        -magnitude_down(value).0
    } else {
        magnitude_up(value)
    }
}

fn magnitude_up(value: &Rat) -> f64 {
    match magnitude_down(value) {
        (down, true) => down,
        (down, false) => down.next_up(),
    }
}

/// Returns the absolute value rounded towards zero, and whether the result is exact.
fn magnitude_down(value: &Rat) -> (f64, bool) {
    const MANTISSA: i64 = 53;
    const LOWEST_EXPONENT: i64 = -1074;
    let (num, den) = (value.numer().magnitude(), value.denom().magnitude());
    if num.is_zero() {
        return (0.0, true);
    }
    let bits = |n: &BigUint| i64::try_from(n.bits()).unwrap_or(i64::MAX / 4);
    // value = quotient · 2^exponent, with 53 or 54 bits in the quotient, or fewer if the exponent is already the lowest possible exponent.
    let mut exponent = (bits(num) - bits(den) - MANTISSA).max(LOWEST_EXPONENT);
    let divide = |exponent: i64| {
        let shift = exponent.unsigned_abs();
        if exponent < 0 {
            (num << shift).div_rem(den)
        } else {
            num.div_rem(&(den << shift))
        }
    };
    let (mut quotient, mut rest) = divide(exponent);
    if bits(&quotient) > MANTISSA {
        exponent += 1;
        (quotient, rest) = divide(exponent);
    }
    let exact = rest.is_zero();
    let Some(quotient) = quotient.to_u64() else {
        return (f64::MAX, false);
    };
    if exponent > 971 {
        return (f64::MAX, false);
    }
    // A quotient below 2^52 is subnormal: the exponent is then the lowest possible, and its field is 0.
    let field = if quotient >> 52 == 0 {
        0
    } else {
        u64::try_from(exponent - LOWEST_EXPONENT + 1).unwrap_or(0)
    };
    let mantissa = quotient & ((1 << 52) - 1);
    (f64::from_bits(field << 52 | mantissa), exact)
}
