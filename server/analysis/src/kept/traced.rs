//! The program whose answers are traced.

use costlens_infer::Program;
use costlens_infer::report::Functor;
use costlens_infer::types::Pattern;
use costlens_program::SourceFile;

use super::portable::Portable;
use crate::db::Db;

/// A program, and how its answers are found again in another process.
pub(crate) trait Traced: Program {
    /// Returns the database.
    fn db(&self) -> &dyn Db;

    /// Returns the analysed file.
    fn file(&self) -> SourceFile;

    /// Returns whether the file belongs to the user.
    fn is_of_user(&self) -> bool;

    /// Returns the file in which a name is defined.
    fn home_of(&self, predicate: &Functor) -> Option<SourceFile>;

    /// Returns what a trace keeps of the summary of a call that was requested before, and its file. Returns `None` if the summary does not
    /// follow from clauses.
    fn memo(&self, predicate: &Functor, pattern: &Pattern) -> Option<(&Portable, SourceFile)>;

    /// Returns whether the summary of a call follows from assertions or from facts, without inference.
    fn is_apart(&self, predicate: &Functor, pattern: &Pattern) -> bool;

    /// Returns how summaries of a file are seen from here: true if it is this file; if it is a library; if this file is one.
    fn seen_as(&self, home: SourceFile) -> (bool, bool, bool);
}
