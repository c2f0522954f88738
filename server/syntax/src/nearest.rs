//! Suggestions for misspelled names: "Did you mean …?"

/// Returns the name that a word misspells: one letter is wrong, missing or extra, or two letters are swapped. Returns `None` for a word
/// that is itself in the list, or that is too short to be assigned to a single name.
#[must_use]
pub fn nearest<'n>(word: &str, names: &[&'n str]) -> Option<&'n str> {
    if word.len() < 3 || names.contains(&word) {
        return None;
    }
    let near = |name: &&&'n str| strsim::osa_distance(word, name) == 1;
    names.iter().find(near).copied()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn one_slip_is_near() {
        let names = ["det", "semidet", "list", "integer"];
        for (word, expected) in [
            ("dett", Some("det")),
            ("semidte", Some("semidet")),
            ("lst", Some("list")),
            ("interger", Some("integer")),
            ("det", None),
            ("words", None),
            ("ls", None),
        ] {
            assert_eq!(nearest(word, &names), expected, "{word}");
        }
    }
}
