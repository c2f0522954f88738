//! Computes the values of numbers and quoted items.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Zero as _};

use crate::digits;
use crate::term::Term;

/// The maximum number of digits of a number, because reading a number takes quadratic time.
const MAX_DIGITS: usize = 50_000;

/// The number of digits that always fit into 64 bits.
const SHORT: usize = 18;

/// Returns the value of a number token, negated if a minus sign belongs to it.
pub(crate) fn number(text: &str, negative: bool) -> Result<Term, &'static str> {
    if text.len() > MAX_DIGITS {
        return Err("number with too many digits");
    }
    if (1..=SHORT).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit()) {
        let value = text
            .bytes()
            .fold(0, |value, digit| 10 * value + i64::from(digit - b'0'));
        return Ok(Term::Integer(if negative { -value } else { value }.into()));
    }
    if text.starts_with(|c| digits::of_other_script(c).is_some()) {
        return number(&digits::in_ascii(text), negative);
    }
    if let Some(rest) = text.strip_prefix("0'") {
        return Ok(integer(BigInt::from(u32::from(character(rest)?)), negative));
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return radix_integer(digits, radix).map(|n| integer(n, negative));
        }
    }
    if let Some((radix, digits)) = text.split_once('\'') {
        let radix = radix.parse().map_err(|_| "illegal radix")?;
        return radix_integer(digits, radix).map(|n| integer(n, negative));
    }
    if let Some((numerator, denominator)) = text.split_once('r') {
        return rational(
            &radix_integer(numerator, 10)?,
            &radix_integer(denominator, 10)?,
            negative,
        );
    }
    if text.bytes().all(|b| b.is_ascii_digit()) || text.contains(['_', ' ', '\t', '\n', '\r']) {
        return radix_integer(text, 10).map(|n| integer(n, negative));
    }
    float(text, negative)
}

fn integer(n: BigInt, negative: bool) -> Term {
    Term::Integer(if negative { -n } else { n }.into())
}

fn rational(
    numerator: &BigInt,
    denominator: &BigInt,
    negative: bool,
) -> Result<Term, &'static str> {
    if denominator.is_zero() {
        return Err("rational number with denominator 0");
    }
    let common = numerator.gcd(denominator);
    let (mut n, d) = (numerator / &common, denominator / &common);
    if negative {
        n = -n;
    }
    Ok(if d.is_one() {
        Term::Integer(n.into())
    } else {
        Term::Rational(Box::new((n, d)))
    })
}

/// Parses digits of a radix. Digit groups are supported: underscores and layout are skipped.
fn radix_integer(digits: &str, radix: u32) -> Result<BigInt, &'static str> {
    let digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_alphanumeric).collect();
    BigInt::parse_bytes(&digits, radix).ok_or("illegal number")
}

fn float(text: &str, negative: bool) -> Result<Term, &'static str> {
    let value = if text.ends_with("Inf") {
        f64::INFINITY
    } else if let Some(payload) = text.strip_suffix("NaN") {
        // In `1.5NaN`, the bits of the fraction are the payload.
        let payload: f64 = payload.parse().map_err(|_| "illegal number")?;
        let fraction = payload.to_bits() & ((1 << 52) - 1);
        f64::from_bits(f64::INFINITY.to_bits() | if fraction == 0 { 1 << 51 } else { fraction })
    } else {
        let value: f64 = text.parse().map_err(|_| "illegal number")?;
        if value.is_infinite() {
            return Err("floating-point number too large");
        }
        value
    };
    Ok(Term::Float(if negative { -value } else { value }.to_bits()))
}

/// Returns the character after `0'`.
fn character(text: &str) -> Result<char, &'static str> {
    let mut chars = text.chars();
    match chars.next() {
        Some('\\') => match escape(&mut chars.as_str(), '\'', true)? {
            Some(c) => Ok(c),
            None => Err("illegal character code"),
        },
        Some(c) => Ok(c),
        None => Err("illegal character code"),
    }
}

/// Returns the text of a quoted item; `text` includes the quotes.
pub(crate) fn unquote(text: &str, iso: bool) -> Result<String, &'static str> {
    let mut chars = text.chars();
    let quote = chars.next().unwrap_or('\'');
    let mut rest = chars.as_str();
    rest = rest.strip_suffix(quote).unwrap_or(rest);
    let mut out = String::with_capacity(rest.len());
    while let Some(at) = rest.find([quote, '\\']) {
        out.push_str(&rest[..at]);
        let found = rest[at..].chars().next();
        rest = &rest[at + 1..];
        if found == Some('\\') {
            out.extend(escape(&mut rest, quote, iso)?);
        } else {
            // A doubled quote represents one quote.
            out.push(quote);
            rest = rest.strip_prefix(quote).unwrap_or(rest);
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// Consumes an escape sequence, whose backslash is already removed, from `rest`. Returns `None` for a sequence that denotes no character.
fn escape(rest: &mut &str, quote: char, iso: bool) -> Result<Option<char>, &'static str> {
    let mut chars = rest.chars();
    let Some(c) = chars.next() else {
        return Err("backslash at the end of a quoted item");
    };
    *rest = chars.as_str();
    Ok(Some(match c {
        'a' => '\x07',
        'b' => '\x08',
        'e' => '\x1b',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        's' => ' ',
        't' => '\t',
        'v' => '\x0b',
        '\\' | '\'' | '"' | '`' => c,
        _ if c == quote => c,
        'c' => {
            *rest = rest.trim_start();
            return Ok(None);
        }
        '\n' | '\r' => {
            if c == '\r' {
                *rest = rest.strip_prefix('\n').unwrap_or(rest);
            }
            // SWI-Prolog skips the blanks at the start of the next line (although it documents `\c` for this purpose).
            if !iso {
                *rest = rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
            }
            return Ok(None);
        }
        'x' => code(rest, 16, 1, usize::MAX, true)?,
        '0'..='7' => octal(rest, c)?,
        'u' => code(rest, 16, 4, 4, false)?,
        'U' => code(rest, 16, 8, 8, false)?,
        _ => return Err("undefined escape sequence"),
    }))
}

/// Parses the digits of a character code: `least` to `most` digits, followed by a backslash if `closed`.
fn code(
    rest: &mut &str,
    radix: u32,
    least: usize,
    most: usize,
    closed: bool,
) -> Result<char, &'static str> {
    let digits = rest
        .chars()
        .take(most)
        .take_while(|c| c.is_digit(radix))
        .count();
    if digits < least {
        return Err("illegal character code");
    }
    let value = u32::from_str_radix(&rest[..digits], radix)
        .ok()
        .and_then(char::from_u32);
    *rest = &rest[digits..];
    if closed {
        *rest = rest.strip_prefix('\\').unwrap_or(rest);
    }
    value.ok_or("illegal character code")
}

/// Parses `\101\`: the digits after the first, and an optional backslash.
fn octal(rest: &mut &str, first: char) -> Result<char, &'static str> {
    let more = rest.chars().take_while(|c| c.is_digit(8)).count();
    let digits = format!("{first}{}", &rest[..more]);
    *rest = &rest[more..];
    *rest = rest.strip_prefix('\\').unwrap_or(rest);
    u32::from_str_radix(&digits, 8)
        .ok()
        .and_then(char::from_u32)
        .ok_or("illegal character code")
}
