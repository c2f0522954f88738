//! Decimal digits of other scripts, which SWI-Prolog accepts as digits: `X is ٣+४`.

/// The zeros of Unicode's decimal digits except ASCII's, each followed by the digits one to nine.
const ZEROS: [char; 65] = [
    '\u{660}',
    '\u{6f0}',
    '\u{7c0}',
    '\u{966}',
    '\u{9e6}',
    '\u{a66}',
    '\u{ae6}',
    '\u{b66}',
    '\u{be6}',
    '\u{c66}',
    '\u{ce6}',
    '\u{d66}',
    '\u{de6}',
    '\u{e50}',
    '\u{ed0}',
    '\u{f20}',
    '\u{1040}',
    '\u{1090}',
    '\u{17e0}',
    '\u{1810}',
    '\u{1946}',
    '\u{19d0}',
    '\u{1a80}',
    '\u{1a90}',
    '\u{1b50}',
    '\u{1bb0}',
    '\u{1c40}',
    '\u{1c50}',
    '\u{a620}',
    '\u{a8d0}',
    '\u{a900}',
    '\u{a9d0}',
    '\u{a9f0}',
    '\u{aa50}',
    '\u{abf0}',
    '\u{ff10}',
    '\u{104a0}',
    '\u{10d30}',
    '\u{11066}',
    '\u{110f0}',
    '\u{11136}',
    '\u{111d0}',
    '\u{112f0}',
    '\u{11450}',
    '\u{114d0}',
    '\u{11650}',
    '\u{116c0}',
    '\u{11730}',
    '\u{118e0}',
    '\u{11950}',
    '\u{11c50}',
    '\u{11d50}',
    '\u{11da0}',
    '\u{16a60}',
    '\u{16ac0}',
    '\u{16b50}',
    '\u{1d7ce}',
    '\u{1d7d8}',
    '\u{1d7e2}',
    '\u{1d7ec}',
    '\u{1d7f6}',
    '\u{1e140}',
    '\u{1e2f0}',
    '\u{1e950}',
    '\u{1fbf0}',
];

/// Returns the script's zero and the value of a decimal digit outside ASCII.
pub(crate) fn of_other_script(c: char) -> Option<(char, u8)> {
    if c.is_ascii() || !c.is_numeric() {
        return None;
    }
    let last = ZEROS.partition_point(|&zero| zero <= c).checked_sub(1)?;
    let zero = ZEROS[last];
    let value = u8::try_from(u32::from(c) - u32::from(zero)).ok()?;
    (value < 10).then_some((zero, value))
}

/// Returns whether a character is a number but neither a decimal digit nor a letter, such as `²` and `½`. In SWI-Prolog, a name ends before
/// such a character.
pub(crate) fn ends_name(c: char) -> bool {
    !c.is_ascii() && c.is_numeric() && !c.is_alphabetic() && of_other_script(c).is_none()
}

/// Converts a number to ASCII digits.
pub(crate) fn in_ascii(number: &str) -> String {
    let ascii = |c| of_other_script(c).map_or(c, |(_, value)| char::from(b'0' + value));
    number.chars().map(ascii).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_have_values_and_other_numbers_have_none() {
        assert_eq!(of_other_script('\u{663}'), Some(('\u{660}', 3)));
        assert_eq!(of_other_script('\u{ff19}'), Some(('\u{ff10}', 9)));
        for c in ['3', 'x', '\u{b2}', '\u{2167}'] {
            assert_eq!(of_other_script(c), None, "{c}");
        }
        assert!(ends_name('\u{b2}') && ends_name('\u{2081}') && ends_name('\u{bd}'));
        assert!(!ends_name('\u{2167}') && !ends_name('\u{663}') && !ends_name('\u{e9}'));
        assert_eq!(in_ascii("\u{661}\u{660}"), "10");
        assert!(ZEROS.is_sorted());
    }
}
