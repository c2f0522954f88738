//! Writing and reading numbers as text.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use super::Number;

/// Formats a float like `writeq/1`: the fewest digits that read back as the same float, always with a decimal point. Uses an exponent for
/// values below 10⁻⁴, and for values of at least 10¹⁵ if there is no digit after the point.
///
/// `0.1`, `100000000000000.0`, `1.0e+15`, `1.0e-5`, `1.0Inf`, `-1.0Inf`, `1.5NaN`.
#[must_use]
pub fn float_text(x: f64) -> String {
    if x.is_nan() {
        return "1.5NaN".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "1.0Inf" } else { "-1.0Inf" }.to_owned();
    }
    // The shortest digits, as `d.ddd…e±x`.
    let scientific = format!("{x:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count() as i64;
    // Write digits after the point in full, regardless of the number's size.
    if (-4..15).contains(&exponent) || (exponent >= 0 && digits > i64::from(exponent) + 1) {
        let plain = format!("{x}");
        return if plain.contains('.') {
            plain
        } else {
            plain + ".0"
        };
    }
    let point = if mantissa.contains('.') { "" } else { ".0" };
    format!("{mantissa}{point}e{exponent:+}")
}

/// Parses a float in Prolog syntax: `1.0`, `1.5e10`, `1.0Inf`, `1.5NaN`, with an optional sign.
#[must_use]
pub fn parse_float(text: &str) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    if digits.ends_with("Inf") {
        return Some(sign * f64::INFINITY);
    }
    if digits.ends_with("NaN") {
        return Some(f64::NAN);
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || !digits.contains('.') {
        return None;
    }
    digits.parse::<f64>().ok().map(|x| sign * x)
}

/// Parses a number in Prolog syntax. A sign must be adjacent to the digits, and no text may follow: `12`, `-1_000`, `1 000 000`, `0x1F`,
/// `16'FF`, `0'a`, `1r3`, `1.5e10`, `1e10`, `1.0Inf`.
#[must_use]
pub fn parse_number(text: &str) -> Option<Number> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let number = parse_unsigned(digits)?;
    Some(if negative {
        super::negate(&number)
    } else {
        number
    })
}

fn parse_unsigned(text: &str) -> Option<Number> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if let Some(rest) = text.strip_prefix('0') {
        for (mark, radix) in [('x', 16), ('o', 8), ('b', 2)] {
            if let Some(digits) = rest.strip_prefix(mark) {
                return integer(digits, radix);
            }
        }
        if let Some(quoted) = rest.strip_prefix('\'') {
            return character_code(quoted);
        }
    }
    if let Some((radix, digits)) = text.split_once('\'') {
        let radix: u32 = radix.parse().ok().filter(|r| (2..=36).contains(r))?;
        return integer(digits, radix);
    }
    if let Some((numerator, denominator)) = text.split_once('r') {
        let denominator = whole(denominator, 10)?;
        return (!denominator.is_zero()).then(|| {
            Some(Number::from(BigRational::new(
                whole(numerator, 10)?,
                denominator,
            )))
        })?;
    }
    if text.contains(['.', 'e', 'E']) {
        return float(text);
    }
    integer(text, 10)
}

fn integer(digits: &str, radix: u32) -> Option<Number> {
    whole(digits, radix).map(Number::from)
}

/// Parses digits. Decimal digits may have single `_` or blanks between groups.
fn whole(digits: &str, radix: u32) -> Option<BigInt> {
    let grouped = |c| c == '_' || c == ' ' && radix == 10;
    if digits.split(grouped).any(str::is_empty) {
        return None;
    }
    let plain: String = digits.chars().filter(|&c| !grouped(c)).collect();
    if !plain.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    BigInt::parse_bytes(plain.as_bytes(), radix)
}

fn float(text: &str) -> Option<Number> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((m, e)) => (m, Some(e)),
        None => (text, None),
    };
    let all_digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    match mantissa.split_once('.') {
        Some((before, after)) => {
            if exponent.is_none() && (after.ends_with("Inf") || after.ends_with("NaN")) {
                return parse_float(text).map(Number::Float);
            }
            if !all_digits(before) || !all_digits(after) {
                return None;
            }
        }
        None if !all_digits(mantissa) => return None,
        None => {}
    }
    if let Some(exponent) = exponent
        && !all_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))
    {
        return None;
    }
    text.parse()
        .ok()
        .filter(|x: &f64| x.is_finite())
        .map(Number::Float)
}

/// Returns the code of the character after `0'`, written literally, as `''`, or as an escape.
fn character_code(quoted: &str) -> Option<Number> {
    let mut characters = quoted.chars();
    let code = match characters.next()? {
        '\'' => characters.next().filter(|&c| c == '\'')?,
        '\\' => match characters.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'v' => '\x0b',
            'e' => '\x1b',
            's' => ' ',
            '0' => '\0',
            c @ ('\\' | '\'' | '"' | '`') => c,
            _ => return None,
        },
        c => c,
    };
    characters
        .next()
        .is_none()
        .then(|| Number::from(u64::from(u32::from(code))))
}
