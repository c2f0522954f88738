//! Dialects: how their texts differ for a reader, as data, and how a file shows which one it is written in.

mod ciao;
mod detect;
pub(crate) mod tables;

pub(crate) use ciao::operators_of as operators_of_package;
pub use detect::{dialect_of, is_gnu_built_in};

/// Which Prolog's syntax a file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// SWI-Prolog 7 and later: strings, dicts, quoted atoms that are no operators, `a()`.
    #[default]
    Swi,
    /// ISO/IEC 13211-1: `"…"` is a list of codes, quoted atoms may be operators. No file says that it is; settings do.
    Iso,
    /// GNU Prolog: the standard with operators for constraints, and `` `…` `` is an atom.
    Gnu,
    /// Scryer Prolog: the standard, and `"…"` is a list of characters.
    Scryer,
    /// Trealla Prolog: as Scryer Prolog, with more operators.
    Trealla,
    /// Ciao: `"…"` is a list of codes, `:` binds more tightly than comparison, packages bring operators.
    Ciao,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Swi,
        Self::Iso,
        Self::Gnu,
        Self::Scryer,
        Self::Trealla,
        Self::Ciao,
    ];

    /// The name that settings and messages use.
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

    /// The dialect that settings call so.
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

/// The term that a quoted item stands for.
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

/// How a dialect's text differs, besides its operators. Where a dialect refuses what another accepts without meaning something
/// else by it (digit groups, the arguments' priorities), every dialect here accepts it: a file that its own system refuses is
/// told so by that system.
#[derive(Debug)]
pub(crate) struct Syntax {
    /// The meaning of `"…"` until a flag says otherwise.
    pub(crate) double_quotes: QuotedAs,
    /// The meaning of `` `…` ``.
    pub(crate) back_quotes: QuotedAs,
    /// `a '=' b` is `a = b`. In SWI-Prolog only atoms that must be quoted are operators in quotes.
    pub(crate) quoted_operators: bool,
    /// `_{a: 1}`, and `'[]'` differs from `[]`, as both came with SWI-Prolog 7.
    pub(crate) dicts: bool,
    /// `f()` is a term.
    pub(crate) empty_arguments: bool,
    /// Blanks behind `\` and a newline in a quoted item are skipped.
    pub(crate) skips_indentation: bool,
    /// `- 1` is the number, as `-1` is (ISO/IEC 13211-1, 6.3.4.1: layout may stand before any token).
    pub(crate) minus_before_layout: bool,
    /// `/* /* */ */` is one comment.
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
