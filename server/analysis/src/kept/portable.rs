//! What a trace keeps of a summary.

use std::sync::Arc;

use costlens_infer::Summary;
use costlens_program::SourceFile;
use costlens_program::workspace::written_with_files;

use super::fingerprint::Fingerprint;

/// The fingerprint of a summary, which is the same in all processes, and the files that it mentions.
#[derive(Clone, Debug)]
pub(crate) struct Portable {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) files: Arc<[SourceFile]>,
}

impl Portable {
    /// Returns `None` if the summary cannot be written.
    pub(crate) fn of(summary: &Summary) -> Option<Self> {
        let (bytes, files) = written_with_files(|| postcard::to_allocvec(summary));
        Some(Portable {
            fingerprint: Fingerprint::of(&bytes.ok()?),
            files: files.into(),
        })
    }
}
