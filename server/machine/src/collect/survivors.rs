//! A set of addresses that survive a collection, and their addresses after it.

/// The addresses that survive. They keep their order and move together, towards lower addresses.
#[derive(Debug)]
pub(super) struct Survivors {
    /// All addresses below it survive, and do not move.
    floor: usize,
    /// One bit for each address at or above the floor.
    bits: Vec<u64>,
    /// The number of survivors before each word of `bits`.
    ranks: Vec<u32>,
}

impl Survivors {
    /// Creates a set of the addresses below a floor, for addresses up to `len`.
    pub(super) fn new(floor: usize, len: usize) -> Self {
        Survivors {
            floor,
            bits: vec![0; len.saturating_sub(floor) / 64 + 1],
            ranks: Vec::new(),
        }
    }

    /// Adds an address. Returns true if it was not in the set.
    #[inline]
    pub(super) fn insert(&mut self, address: usize) -> bool {
        let Some(index) = address.checked_sub(self.floor) else {
            return false;
        };
        let (word, bit) = (&mut self.bits[index / 64], 1 << (index % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    #[inline]
    pub(super) fn contains(&self, address: usize) -> bool {
        address.checked_sub(self.floor).is_none_or(|index| {
            (self.bits.get(index / 64)).is_some_and(|word| word >> (index % 64) & 1 == 1)
        })
    }

    /// Computes the new addresses of the set, which is complete.
    pub(super) fn rank(&mut self) {
        let mut before = 0;
        let rank = |word: &u64| {
            let rank = before;
            before += word.count_ones();
            rank
        };
        self.ranks = self.bits.iter().map(rank).collect();
    }

    /// Returns the new address of a survivor; for any other address, the new address of the next survivor.
    #[inline]
    pub(super) fn moved(&self, address: usize) -> usize {
        let Some(index) = address.checked_sub(self.floor) else {
            return address;
        };
        let below = self.bits[index / 64] & ((1 << (index % 64)) - 1);
        self.floor + (self.ranks[index / 64] + below.count_ones()) as usize
    }

    /// Returns the survivors at or above the floor, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.bits.iter().enumerate().flat_map(|(number, &word)| {
            let first = self.floor + number * 64;
            let rest = |left: &u64| Some(left & left.wrapping_sub(1)).filter(|&left| left != 0);
            std::iter::successors(Some(word).filter(|&word| word != 0), rest)
                .map(move |left| first + left.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survivors_move_together_and_keep_their_order() {
        let mut survivors = Survivors::new(10, 300);
        for address in [9, 10, 73, 74, 299] {
            assert_eq!(survivors.insert(address), address >= 10);
        }
        assert!(!survivors.insert(74));
        assert!(survivors.contains(3) && survivors.contains(73) && !survivors.contains(75));
        survivors.rank();
        assert_eq!(survivors.iter().collect::<Vec<_>>(), [10, 73, 74, 299]);
        let moved = |address| survivors.moved(address);
        assert_eq!(
            [3, 9, 10, 11, 73, 74, 75, 299, 300].map(moved),
            [3, 9, 10, 11, 11, 12, 13, 13, 14]
        );
    }
}
