//! Dialects: their syntactic differences, as data, and detection of the dialect of a file.

mod ciao;
mod detect;
pub(crate) mod tables;

pub(crate) use ciao::operators_of as operators_of_package;
pub use detect::{dialect_of, is_gnu_built_in};

/// The Prolog system whose syntax a file uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// SWI-Prolog 7 and later: strings, dicts, quoted atoms that are not operators, `a()`.
    #[default]
    Swi,
    /// ISO/IEC 13211-1: `"…"` is a list of codes, quoted atoms may be operators. It is selected only in settings, never detected.
    Iso,
    /// GNU Prolog: standard syntax with operators for constraints, where `` `…` `` is an atom.
    Gnu,
    /// Scryer Prolog: standard syntax, where `"…"` is a list of characters.
    Scryer,
    /// Trealla Prolog: like Scryer Prolog, with more operators.
    Trealla,
    /// Ciao: `"…"` is a list of codes, `:` binds more tightly than comparison, packages define operators.
    Ciao,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 6] = [
        Self::Swi,
        Self::Iso,
        Self::Gnu,
        Self::Scryer,
        Self::Trealla,
        Self::Ciao,
    ];

    /// Returns the name used in settings and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Swi => "swi",
            Self::Iso => "iso",
            Self::Gnu => "gnu",
            Self::Scryer => "scryer",
            Self::Trealla => "trealla",
            Self::Ciao => "ciao",
        }
    }

    /// Returns the dialect with this name in settings.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.name() == name)
    }

    pub(crate) fn syntax(self) -> &'static Syntax {
        match self {
            Self::Swi => &SWI,
            Self::Gnu => &GNU,
            Self::Scryer | Self::Trealla => &CHARACTERS,
            Self::Iso | Self::Ciao => &STANDARD,
        }
    }
}

/// The kind of term that a quoted item denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuotedAs {
    /// A string object.
    String,
    /// An atom.
    Atom,
    /// A list of character codes.
    Codes,
    /// A list of characters.
    Chars,
}

/// The syntactic differences of a dialect other than its operators. If a dialect rejects text that another accepts, without giving it a
/// different meaning (digit groups, argument priorities), Costlens accepts it in every dialect, because the user's own system reports the
/// error.
#[derive(Debug)]
pub(crate) struct Syntax {
    /// The meaning of `"…"` until a flag changes it.
    pub(crate) double_quotes: QuotedAs,
    /// The meaning of `` `…` ``.
    pub(crate) back_quotes: QuotedAs,
    /// True if `a '=' b` is `a = b`. In SWI-Prolog, only atoms that must be quoted can be quoted operators.
    pub(crate) quoted_operators: bool,
    /// True if `_{a: 1}` is a dict and `'[]'` differs from `[]`; both were introduced in SWI-Prolog 7.
    pub(crate) dicts: bool,
    /// True if `f()` is a term.
    pub(crate) empty_arguments: bool,
    /// True if blanks after `\` and a newline in a quoted item are skipped.
    pub(crate) skips_indentation: bool,
    /// True if `- 1` is the same number as `-1` (ISO/IEC 13211-1, 6.3.4.1: layout may precede any token).
    pub(crate) minus_before_layout: bool,
    /// True if `/* /* */ */` is one comment.
    pub(crate) comments_nest: bool,
}

const SWI: Syntax = Syntax {
    double_quotes: QuotedAs::String,
    back_quotes: QuotedAs::Codes,
    quoted_operators: false,
    dicts: true,
    empty_arguments: true,
    skips_indentation: true,
    minus_before_layout: false,
    comments_nest: true,
};

const STANDARD: Syntax = Syntax {
    double_quotes: QuotedAs::Codes,
    back_quotes: QuotedAs::Codes,
    quoted_operators: true,
    dicts: false,
    empty_arguments: false,
    skips_indentation: false,
    minus_before_layout: true,
    comments_nest: false,
};

const GNU: Syntax = Syntax {
    back_quotes: QuotedAs::Atom,
    ..STANDARD
};

const CHARACTERS: Syntax = Syntax {
    double_quotes: QuotedAs::Chars,
    ..STANDARD
};
