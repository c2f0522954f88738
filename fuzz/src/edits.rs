//! After any edits the tree and the terms must be those of the new text, regardless of the data kept from previous texts.

use costlens_syntax::assertions::assertions;
use costlens_syntax::{Parsed, ReadOptions, read};

use crate::input::edited;

/// Reads after each edit, incrementally and from scratch.
pub fn holds(bytes: &[u8]) {
    let (start, changes) = edited(bytes);
    let options = ReadOptions::default();
    let mut parsed = Parsed::new(start);
    // Data that is kept from one reading is available to the next.
    let _ = read(&parsed, &options);
    for change in changes {
        let range = change.range(&parsed.text);
        parsed = parsed.edit(range, &change.new);
        let fresh = Parsed::new(parsed.text.clone());
        assert_eq!(
            parsed.tree().root_node().to_sexp(),
            fresh.tree().root_node().to_sexp(),
            "the tree of {:?}",
            parsed.text
        );
        let (kept, read_afresh) = (read(&parsed, &options), read(&fresh, &options));
        assert_eq!(kept, read_afresh, "{:?}", parsed.text);
        assert_eq!(
            assertions(&parsed.text, &kept),
            assertions(&fresh.text, &read_afresh)
        );
    }
}
