//! Files: texts with their syntax trees, and whose they are.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use costlens_syntax::Parsed;

/// True if the user owns a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A file of the workspace.
    User,
    /// A file that ships with Costlens.
    Library,
}

/// A file.
///
/// *Identity*: given by whoever creates it; one for each path. *Invalidated* by `set_parsed`.
#[salsa::input(debug)]
pub struct SourceFile {
    /// How the file is called in messages; never opened from here.
    #[returns(deref)]
    pub path: String,
    /// The text with its syntax tree, which the editor keeps up to date incrementally.
    pub parsed: Parsed,
    /// Whose file it is.
    #[returns(copy)]
    pub role: Role,
}
