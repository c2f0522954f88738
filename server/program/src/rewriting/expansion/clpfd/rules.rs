//! Checks that the library's text contains the supported rules, which differ slightly between versions.

use crate::workspace::{Db, SourceFile};

/// The start of the library's rules, and the text after them.
const BEGINNING: &str = "expr_conds(E, E) ";
const END: &str = "linsum(X, S, S)";

/// The digests of the supported rules, without layout: SWI-Prolog 9.0.
const KNOWN: [u64; 1] = [0x5050_26be_f461_02ed];

/// Returns whether the rules in the library's text are supported.
///
/// *Invalidated* when the library's text changes.
#[salsa::tracked]
pub(super) fn are_known(db: &dyn Db, file: SourceFile) -> bool {
    digest_of_rules(&file.parsed(db).text).is_some_and(|digest| KNOWN.contains(&digest))
}

fn digest_of_rules(text: &str) -> Option<u64> {
    let from = text.find(BEGINNING)?;
    let rules = text.get(from..)?;
    let rules = rules.get(..rules.find(END)?)?;
    Some(digest(rules))
}

/// Computes the FNV-1a hash of a text without its blanks.
fn digest(text: &str) -> u64 {
    let bytes = text.bytes().filter(|b| !b.is_ascii_whitespace());
    bytes.fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_does_not_matter_and_a_rule_does() {
        assert_eq!(digest("a(X) -->\n  [X]."), digest("a(X) --> [X]."));
        assert_ne!(digest("a(X) --> [X]."), digest("a(X) --> [Y]."));
        assert_eq!(digest_of_rules("a. linsum(X, S, S)"), None);
    }
}
