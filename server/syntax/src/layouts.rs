//! Spans that facts share.
//!
//! The rows of a table often have the same layout: names, numbers and strings of the same lengths at the same places of each row. Their spans
//! are equal, since they count from the first byte of the clause.

use std::hash::BuildHasher as _;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::term::Spans;

/// The number of layouts that are remembered; a power of two. A table of four columns of up to six characters has about as many.
const LAYOUTS: usize = 2048;

/// The maximum number of terms of a clause whose layout is remembered.
const MOST_TERMS: usize = 64;

/// The layouts of clauses without variables that were read last, by their hashes.
#[derive(Default)]
pub(crate) struct Layouts(Vec<Option<Arc<Spans>>>);

impl Layouts {
    /// Returns these spans, or equal spans of another clause.
    pub(crate) fn shared(&mut self, mut spans: Spans) -> Arc<Spans> {
        if !spans.variables.is_empty() || spans.ranges.len() > MOST_TERMS {
            spans.shrink_to_fit();
            return Arc::new(spans);
        }
        if self.0.is_empty() {
            self.0.resize(LAYOUTS, None);
        }
        let hash = FxBuildHasher.hash_one(&spans.ranges);
        let slot = &mut self.0[(hash >> 32) as usize % LAYOUTS];
        match slot {
            Some(known) if **known == spans => Arc::clone(known),
            _ => {
                spans.shrink_to_fit();
                Arc::clone(slot.insert(Arc::new(spans)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_layouts_are_one() {
        let spans = |end| Spans {
            ranges: vec![(0, 1), (2, end)],
            variables: Vec::new(),
        };
        let mut layouts = Layouts::default();
        let first: Vec<_> = (3..500).map(|end| layouts.shared(spans(end))).collect();
        for (end, first) in (3..).zip(&first) {
            assert_eq!(**first, spans(end));
            let _ = layouts.shared(spans(end));
            let again = (layouts.shared(spans(end)), layouts.shared(spans(end)));
            assert!(Arc::ptr_eq(&again.0, &again.1));
        }
    }
}
