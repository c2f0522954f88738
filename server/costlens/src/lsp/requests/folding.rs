//! `textDocument/foldingRange`.

use std::collections::BTreeSet;

use costlens_ide::folding::FoldKind;
use costlens_ide::host::Cancelled;
use tower_lsp::ls_types as lsp;

use super::Context;

/// Whole lines fold, and of what begins on one line only the longest, which comes first.
pub(super) fn folding(c: &Context) -> Result<Option<Vec<lsp::FoldingRange>>, Cancelled> {
    if !c.features().folding {
        return Ok(None);
    }
    let mut taken = BTreeSet::new();
    let folds = c.snapshot.folding(c.file)?.into_iter().filter_map(|fold| {
        let lines = c.view.range(&fold.range);
        let (start_line, end_line) = (lines.start.line, lines.end.line);
        let whole = start_line < end_line && taken.insert(start_line);
        whole.then(|| lsp::FoldingRange {
            start_line,
            end_line,
            kind: match fold.kind {
                FoldKind::Comment => Some(lsp::FoldingRangeKind::Comment),
                FoldKind::Imports => Some(lsp::FoldingRangeKind::Imports),
                FoldKind::Region => None,
            },
            ..Default::default()
        })
    });
    Ok(Some(folds.collect()))
}
