//! Cells: the machine words that make up terms.
//!
//! A cell has 64 bits; the lowest three encode the kind. Terms are represented as in Aït-Kaci's tutorial on the WAM (1991, ch. 2). A
//! reference contains the address of a heap cell; a reference to itself is an unbound variable. A structure contains the address of its
//! functor cell, which is followed by the arguments. A list cell contains the address of its head, which is followed by the tail. Every
//! variable is on the heap, never in an environment or a register, so that removing an environment leaves no dangling reference and there
//! are no "unsafe" variables.

use std::fmt;

use crate::atoms::Atom;

/// The kind of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Tag {
    /// The address of a heap cell; an unbound variable if the cell refers to itself.
    Reference = 0,
    /// The address of a functor cell.
    Structure = 1,
    /// The address of the head of a list cell.
    List = 2,
    /// An atom.
    Atom = 3,
    /// An integer of 61 bits.
    Integer = 4,
    /// An index into the table of big integers, rationals, floats and strings.
    Boxed = 5,
    /// The name and arity at the start of a structure. Never a term.
    Functor = 6,
    /// The address of the copy of a variable or compound, used during copying. Never visible outside.
    Forward = 7,
}

const TAG_BITS: u32 = 3;
const TAG_MASK: u64 = (1 << TAG_BITS) - 1;
/// The number of bits for the arity in a functor cell.
const ARITY_BITS: u32 = 29;
/// The maximum arity of a compound.
pub const MAX_ARITY: usize = (1 << ARITY_BITS) - 1;
/// The smallest integer that needs no box.
pub const MIN_SMALL: i64 = -(1 << 60);
/// The largest integer that needs no box.
pub const MAX_SMALL: i64 = (1 << 60) - 1;

/// One word of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u64);

impl Cell {
    #[inline]
    const fn new(tag: Tag, value: u64) -> Self {
        Self(value << TAG_BITS | tag as u64)
    }

    /// Makes a reference to a heap cell.
    #[inline]
    #[must_use]
    pub const fn reference(address: usize) -> Self {
        Self::new(Tag::Reference, address as u64)
    }

    /// Makes a structure with the functor cell at this address.
    #[inline]
    #[must_use]
    pub const fn structure(address: usize) -> Self {
        Self::new(Tag::Structure, address as u64)
    }

    /// Makes a list cell with the head at this address.
    #[inline]
    #[must_use]
    pub const fn list(address: usize) -> Self {
        Self::new(Tag::List, address as u64)
    }

    /// Makes an atom.
    #[inline]
    #[must_use]
    pub const fn atom(atom: Atom) -> Self {
        Self::new(Tag::Atom, atom.0 as u64)
    }

    /// Makes a cell of an integer between [`MIN_SMALL`] and [`MAX_SMALL`]; the caller must check the range.
    #[inline]
    #[must_use]
    pub const fn small(value: i64) -> Self {
        Self(((value as u64) << TAG_BITS) | Tag::Integer as u64)
    }

    /// Makes a cell of an integer. Returns `None` if the integer needs a box.
    #[inline]
    #[must_use]
    pub const fn integer(value: i64) -> Option<Self> {
        if value >= MIN_SMALL && value <= MAX_SMALL {
            Some(Self::small(value))
        } else {
            None
        }
    }

    #[inline]
    pub(crate) const fn boxed(index: usize) -> Self {
        Self::new(Tag::Boxed, index as u64)
    }

    #[inline]
    pub(crate) const fn forward(address: usize) -> Self {
        Self::new(Tag::Forward, address as u64)
    }

    /// Makes the functor cell of a structure.
    #[inline]
    #[must_use]
    pub const fn functor(name: Atom, arity: usize) -> Self {
        Self((name.0 as u64) << 32 | (arity as u64) << TAG_BITS | Tag::Functor as u64)
    }

    /// Returns the kind.
    #[inline]
    #[must_use]
    pub const fn tag(self) -> Tag {
        match self.0 & TAG_MASK {
            0 => Tag::Reference,
            1 => Tag::Structure,
            2 => Tag::List,
            3 => Tag::Atom,
            4 => Tag::Integer,
            5 => Tag::Boxed,
            6 => Tag::Functor,
            _ => Tag::Forward,
        }
    }

    /// Returns the address in a reference, structure, list, or forward cell, or the index in a boxed cell.
    #[inline]
    #[must_use]
    pub const fn address(self) -> usize {
        (self.0 >> TAG_BITS) as usize
    }

    /// Returns the atom in an atom cell.
    #[inline]
    #[must_use]
    pub const fn as_atom(self) -> Atom {
        Atom((self.0 >> TAG_BITS) as u32)
    }

    /// Returns the value in an integer cell.
    #[inline]
    #[must_use]
    pub const fn as_small(self) -> i64 {
        (self.0 as i64) >> TAG_BITS
    }

    /// Returns the name in a functor cell.
    #[inline]
    #[must_use]
    pub const fn functor_name(self) -> Atom {
        Atom((self.0 >> 32) as u32)
    }

    /// Returns the arity in a functor cell.
    #[inline]
    #[must_use]
    pub const fn functor_arity(self) -> usize {
        ((self.0 as u32) >> TAG_BITS) as usize
    }

    /// Returns true for a reference.
    #[inline]
    #[must_use]
    pub const fn is_reference(self) -> bool {
        self.0 & TAG_MASK == Tag::Reference as u64
    }

    /// Returns true for an integer without a box.
    #[inline]
    #[must_use]
    pub const fn is_small(self) -> bool {
        self.0 & TAG_MASK == Tag::Integer as u64
    }

    /// Returns true if both cells are integers without a box.
    #[inline]
    #[must_use]
    pub const fn both_small(self, other: Self) -> bool {
        (self.0 ^ Tag::Integer as u64) & TAG_MASK == 0
            && (other.0 ^ Tag::Integer as u64) & TAG_MASK == 0
    }

    /// Makes a cell from the result of [`Cell::bits`].
    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the bits, for tables.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns a cell of the same kind whose address is increased by `base`; for references, structures, lists and boxes.
    #[inline]
    pub(crate) const fn moved(self, base: usize) -> Self {
        Self(self.0.wrapping_add((base as u64) << TAG_BITS))
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tag() {
            Tag::Integer => write!(f, "Integer({})", self.as_small()),
            Tag::Functor => write!(
                f,
                "Functor({}/{})",
                self.functor_name().0,
                self.functor_arity()
            ),
            tag => write!(f, "{tag:?}({})", self.address()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        for n in [0, 1, -1, MIN_SMALL, MAX_SMALL, 1 << 40, -(1 << 40)] {
            let cell = Cell::integer(n).unwrap();
            assert_eq!(
                (cell.tag(), cell.as_small(), cell.is_small()),
                (Tag::Integer, n, true)
            );
        }
        assert_eq!(Cell::integer(MAX_SMALL + 1), None);
        assert_eq!(Cell::integer(MIN_SMALL - 1), None);
        for (name, arity) in [(0, 0), (u32::MAX, MAX_ARITY), (7, 2)] {
            let cell = Cell::functor(Atom(name), arity);
            assert_eq!(cell.tag(), Tag::Functor);
            assert_eq!(
                (cell.functor_name(), cell.functor_arity()),
                (Atom(name), arity)
            );
        }
        let address = 1 << 48;
        assert_eq!(Cell::reference(address).address(), address);
        assert_eq!(Cell::list(address).moved(5), Cell::list(address + 5));
        assert!(Cell::small(-1).both_small(Cell::small(3)));
        assert!(!Cell::small(-1).both_small(Cell::atom(Atom(3))));
    }
}
