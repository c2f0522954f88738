//! Superscript and subscript digits and letters.

/// Returns a number in subscript digits: `₁₂`.
pub(super) fn subscript_number(value: u32) -> String {
    value
        .to_string()
        .chars()
        .filter_map(|c| char::from_u32('₀' as u32 + c.to_digit(10)?))
        .collect()
}

/// Returns a number in superscript digits: `⁻¹²`.
pub(crate) fn superscript_number(value: i64) -> String {
    value
        .to_string()
        .chars()
        .map(|c| match c {
            '0' => '⁰',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '4' => '⁴',
            '5' => '⁵',
            '6' => '⁶',
            '7' => '⁷',
            '8' => '⁸',
            '9' => '⁹',
            _ => '⁻',
        })
        .collect()
}

/// Returns the superscript form of a single-letter name; Unicode has none for `q`.
pub(crate) fn superscript_name(name: &str) -> Option<char> {
    const RAISED: [(char, char); 25] = [
        ('a', 'ᵃ'),
        ('b', 'ᵇ'),
        ('c', 'ᶜ'),
        ('d', 'ᵈ'),
        ('e', 'ᵉ'),
        ('f', 'ᶠ'),
        ('g', 'ᵍ'),
        ('h', 'ʰ'),
        ('i', 'ⁱ'),
        ('j', 'ʲ'),
        ('k', 'ᵏ'),
        ('l', 'ˡ'),
        ('m', 'ᵐ'),
        ('n', 'ⁿ'),
        ('o', 'ᵒ'),
        ('p', 'ᵖ'),
        ('r', 'ʳ'),
        ('s', 'ˢ'),
        ('t', 'ᵗ'),
        ('u', 'ᵘ'),
        ('v', 'ᵛ'),
        ('w', 'ʷ'),
        ('x', 'ˣ'),
        ('y', 'ʸ'),
        ('z', 'ᶻ'),
    ];
    let mut letters = name.chars();
    let letter = letters.next()?;
    if letters.next().is_some() {
        return None;
    }
    RAISED
        .iter()
        .find(|(plain, _)| *plain == letter)
        .map(|(_, raised)| *raised)
}
