//! Floats as text.

/// A float as `writeq/1` writes it: the fewest digits that are read back as the same float, always with a point; an exponent
/// below 10⁻⁴, and from 10¹⁵ on where it has no digit behind the point.
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
    // Digits behind the point are shown as such however large the number is.
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

/// A float of Prolog's syntax: `1.0`, `1.5e10`, `1.0Inf`, `1.5NaN`, with a sign.
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
