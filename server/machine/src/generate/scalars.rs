//! Numbers and constants.

use costlens_syntax::term::{NIL, Term, TermId};
use num_bigint::BigInt;
use smol_str::SmolStr;

use super::Generator;
use super::family::Family;
use super::types::Type;

impl Generator<'_> {
    pub(super) fn push_integer(&mut self, value: impl Into<BigInt>) -> TermId {
        self.terms.push(Term::Integer(value.into().into()))
    }

    /// Generates an integer of the family's kind.
    pub(super) fn integer(&mut self) -> TermId {
        let value = match self.family {
            family if family.orders() => BigInt::from(self.random.below(3 * self.scale + 3)),
            Family::Negative => -BigInt::from(1 + self.random.below(3 * self.scale + 1)),
            Family::Zero => BigInt::from(0),
            Family::Extreme => self.extreme(),
            Family::NearConstants => match self.near_a_constant(2) {
                Some(near) => near,
                None => self.any_integer(),
            },
            _ => self.any_integer(),
        };
        self.push_integer(value)
    }

    /// Generates an integer of any kind, usually a small integer.
    fn any_integer(&mut self) -> BigInt {
        let scale = self.scale;
        match self.random.below(20) {
            0..2 => BigInt::from(0),
            2 => BigInt::from(1),
            3..5 => {
                let near = self.near_a_constant(1);
                near.unwrap_or_else(|| BigInt::from(self.random.below(scale + 2)))
            }
            5..8 => -BigInt::from(1 + self.random.below(4)),
            // Only these families include extreme numbers: in other families, `2**N` must be computable instantly.
            8 if matches!(self.family, Family::Mixed | Family::Foreign)
                && self.random.chance(80) =>
            {
                self.extreme()
            }
            8 => -BigInt::from(scale * 7),
            9..11 => BigInt::from(scale * 3),
            _ => BigInt::from(self.random.below(scale + 2)),
        }
    }

    /// Returns a number that is at most this distance from a number of the program.
    fn near_a_constant(&mut self, distance: usize) -> Option<BigInt> {
        let vocabulary = self.vocabulary;
        if vocabulary.integers.is_empty() {
            return None;
        }
        let near = self.random.below(2 * distance + 1);
        Some(self.random.pick(&vocabulary.integers) + near - distance)
    }

    /// Generates a number near the limits of cells and machine words, or tens of digits long.
    fn extreme(&mut self) -> BigInt {
        let value = if self.random.chance(50) {
            let bits = *self.random.pick(&[31_u32, 32, 53, 60, 61, 62, 63, 64]);
            BigInt::from(2).pow(bits) + self.random.below(3) - 1
        } else {
            let digits = 10 + u32::try_from(self.random.below(25)).unwrap_or(0);
            BigInt::from(10).pow(digits) + self.random.below(3)
        };
        if self.random.chance(50) {
            -value
        } else {
            value
        }
    }

    pub(super) fn float(&mut self) -> TermId {
        let all: &[f64] = match self.family {
            Family::Negative => &[-1.0, -0.25, -2.5, -1e10],
            Family::Zero => &[0.0],
            Family::Extreme => &[1e300, -1e300, 1e-300, 1e16, 9_007_199_254_740_993.0],
            _ => &[0.0, 1.0, 2.0, -1.0, 0.5, 2.5, -0.25, 3.0, 1e10, -1e300],
        };
        let value = *self.random.pick(all);
        self.terms.push(Term::Float(value.to_bits()))
    }

    /// Generates a number of any kind.
    pub(super) fn number(&mut self) -> TermId {
        let integers = if self.family.orders() { 95 } else { 70 };
        if self.random.chance(integers) {
            self.integer()
        } else {
            self.float()
        }
    }

    /// Generates an atom other than `[]`.
    pub(super) fn atom(&mut self) -> TermId {
        let own: &[SmolStr] = if self.family == Family::FromHeads {
            &self.vocabulary.head_atoms
        } else {
            &self.vocabulary.atoms
        };
        let percent = match self.family {
            Family::FromHeads => 90,
            Family::Foreign => 5,
            _ => 50,
        };
        if self.random.chance(percent) && !own.is_empty() {
            let name = self.random.pick(own).clone();
            if name != NIL {
                return self.terms.atom(name);
            }
        }
        let all: &[&str] = match self.family {
            Family::Foreign => &["", "hello world", "Z", "{}", "é", "-", "don't", "\\", "nil"],
            _ => &["a", "b", "c", "foo", "x", "hello world", "Z", "{}", "nil"],
        };
        let name = *self.random.pick(all);
        self.terms.atom(name)
    }

    /// Generates a string, or an atom if the type admits both.
    pub(super) fn text(&mut self, ty: &Type) -> TermId {
        if self.random.chance(30) {
            let term = if *ty == Type::String {
                self.string()
            } else {
                self.atom()
            };
            return term;
        }
        let length = self.random.below(self.scale + 2);
        self.text_of(ty, length)
    }

    /// Generates text with this number of characters.
    pub(super) fn text_of(&mut self, ty: &Type, length: usize) -> TermId {
        // Use the characters at which programs split texts, and many letters.
        let all: Vec<char> = match self.family {
            Family::Foreign => "aé,\n 'Ω\"".chars().collect(),
            Family::Zero => vec!['a'],
            _ => "aabbcdXYZ019 ,;\n-".chars().collect(),
        };
        let text: String = (0..length).map(|_| *self.random.pick(&all)).collect();
        let is_atom = match ty {
            Type::String => false,
            Type::Atom => true,
            _ => self.random.chance(50),
        };
        if is_atom && text != NIL {
            self.terms.atom(text)
        } else {
            self.terms.push(Term::String(SmolStr::new(text)))
        }
    }

    pub(super) fn string(&mut self) -> TermId {
        let text = *self.random.pick(&["", "ab", "foo"]);
        self.terms.push(Term::String(SmolStr::new(text)))
    }

    /// Generates an atomic term.
    pub(super) fn constant(&mut self) -> TermId {
        let strings = if self.family == Family::Foreign {
            40
        } else {
            5
        };
        match self.random.below(100) {
            n if n < strings => self.string(),
            n if n < 45 => self.atom(),
            n if n < 55 => self.terms.atom(NIL),
            n if n < 60 => self.float(),
            _ => self.integer(),
        }
    }
}
