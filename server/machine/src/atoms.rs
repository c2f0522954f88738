//! The atom table.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// An atom: its index in [`Atoms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom(pub u32);

/// Atoms to which the machine refers by name, in the order of their numbers.
macro_rules! well_known {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)*) => {
        well_known!(@number 0u32; $($(#[$doc])* $name = $text;)*);
        const WELL_KNOWN: &[&str] = &[$($text),*];
    };
    (@number $n:expr; ) => {};
    (@number $n:expr; $(#[$doc:meta])* $name:ident = $text:expr; $($rest:tt)*) => {
        $(#[$doc])*
        #[doc = concat!("The atom of the text ", stringify!($text), ".")]
        pub const $name: Atom = Atom($n);
        well_known!(@number $n + 1u32; $($rest)*);
    };
}

well_known! {
    NIL = "[]";
    CONS = "[|]";
    COMMA = ",";
    SEMICOLON = ";";
    BAR = "|";
    ARROW = "->";
    SOFT_ARROW = "*->";
    NOT = "\\+";
    CUT = "!";
    NECK = ":-";
    TRUE = "true";
    FALSE = "false";
    FAIL = "fail";
    CALL = "call";
    COLON = ":";
    SLASH = "/";
    MINUS = "-";
    PLUS = "+";
    CURLY = "{}";
    EQUALS = "=";
    LESS = "<";
    GREATER = ">";
    ERROR = "error";
    CONTEXT = "context";
    SYSTEM = "system";
    USER = "user";
    TYPE_ERROR = "type_error";
    DOMAIN_ERROR = "domain_error";
    EXISTENCE_ERROR = "existence_error";
    PERMISSION_ERROR = "permission_error";
    REPRESENTATION_ERROR = "representation_error";
    EVALUATION_ERROR = "evaluation_error";
    RESOURCE_ERROR = "resource_error";
    SYNTAX_ERROR = "syntax_error";
    INSTANTIATION_ERROR = "instantiation_error";
    CALLABLE = "callable";
    PROCEDURE = "procedure";
    END_OF_FILE = "end_of_file";
    EMPTY = "";
    CARET = "^";
    CATCH = "catch";
    UNWIND = "unwind";
    HALT = "halt";
    FINDALL = "findall";
    DOLLAR_VAR = "$VAR";
    MODIFY = "modify";
    ACCESS = "access";
    STATIC_PROCEDURE = "static_procedure";
    PRIVATE_PROCEDURE = "private_procedure";
    EVALUABLE = "evaluable";
    ROUND_TOWARD = "roundtoward";
    /// The text of the atom that SWI-Prolog writes as `'[]'`, which differs from the empty list `[]`.
    QUOTED_NIL = "'[]'";
}

/// All atoms by number and by text. Atoms are never freed.
#[derive(Clone, Debug)]
pub struct Atoms {
    texts: Vec<SmolStr>,
    /// The total number of bytes of all texts.
    bytes: usize,
    numbers: FxHashMap<SmolStr, Atom>,
}

impl Default for Atoms {
    fn default() -> Self {
        let mut atoms = Self {
            texts: Vec::new(),
            bytes: 0,
            numbers: FxHashMap::default(),
        };
        for text in WELL_KNOWN {
            atoms.intern(text);
        }
        atoms
    }
}

impl Atoms {
    /// Returns the atom with this text. Creates it if it does not exist.
    pub fn intern(&mut self, text: &str) -> Atom {
        if let Some(&atom) = self.numbers.get(text) {
            return atom;
        }
        let atom = Atom(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        self.bytes += text.len();
        let text = SmolStr::new(text);
        self.texts.push(text.clone());
        self.numbers.insert(text, atom);
        atom
    }

    /// Returns the atom with this text if it already exists.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Atom> {
        self.numbers.get(text).copied()
    }

    /// Returns the text of an atom. For [`QUOTED_NIL`] this is `'[]'`, with its quotes, as in [`costlens_syntax::term::QUOTED_NIL`].
    #[must_use]
    pub fn text(&self, atom: Atom) -> &SmolStr {
        &self.texts[atom.0 as usize]
    }

    /// Returns the characters of an atom, as in `atom_length/2`: for [`QUOTED_NIL`] also `[]`.
    #[must_use]
    pub fn characters(&self, atom: Atom) -> &str {
        if atom == QUOTED_NIL {
            "[]"
        } else {
            self.text(atom)
        }
    }

    /// Returns the number of cells that the table takes.
    pub(crate) fn cells(&self) -> usize {
        self.bytes / 8 + 8 * self.texts.len()
    }

    /// Returns the number of atoms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns false, because there are always well-known atoms.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_where_they_say() {
        let mut atoms = Atoms::default();
        let count = atoms.len();
        assert_eq!(count, WELL_KNOWN.len(), "one text twice");
        assert_eq!(atoms.intern("[]"), NIL);
        assert_eq!(atoms.text(QUOTED_NIL), costlens_syntax::term::QUOTED_NIL);
        assert_eq!(atoms.characters(QUOTED_NIL), "[]");
        let new = atoms.intern("a new one");
        assert_eq!(new.0 as usize, count);
        assert_eq!(atoms.intern("a new one"), new);
    }
}
