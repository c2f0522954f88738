//! Random numbers that depend only on a seed.

/// Splitmix64 (Steele, Lea, Flood, OOPSLA'14): a small generator whose numbers never change between versions, so that a recorded seed keeps
/// its meaning.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`, or 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let number = self.word() % (bound as u64).max(1);
        usize::try_from(number).unwrap_or(0)
    }

    /// Returns true with a probability of `percent` per cent.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Picks an element of a non-empty slice.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Shuffles a slice (Fisher and Yates).
    pub fn shuffle<T>(&mut self, these: &mut [T]) {
        for i in (1..these.len()).rev() {
            these.swap(i, self.below(i + 1));
        }
    }
}
