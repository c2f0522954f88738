//! Files: texts with their syntax trees, and their roles.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use costlens_syntax::Parsed;

/// The role of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A file of the workspace.
    User,
    /// A file that ships with Costlens.
    Library,
}

/// A file.
///
/// *Identity*: assigned at creation; one for each path. *Invalidated* by `set_parsed`.
#[salsa::input(debug)]
pub struct SourceFile {
    /// The file's name in messages; never used to open it.
    #[returns(deref)]
    pub path: String,
    /// The text with its syntax tree, which the editor keeps up to date incrementally.
    pub parsed: Parsed,
    /// The role of the file.
    #[returns(copy)]
    pub role: Role,
}
