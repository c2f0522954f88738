//! A cache of whether regions are empty.
//!
//! A clause runs in many worlds and a recurrence is unfolded at many calls. Each time, the same few conjunctions are tested for a
//! contradiction. Elimination costs a hundred times as much as a cache lookup.

use std::cell::RefCell;
use std::hash::Hasher as _;

use rustc_hash::{FxHashMap, FxHasher};

use super::Constraint;
use crate::work;

/// The maximum number of cached regions, which take a few megabytes; beyond it, the cache is cleared.
const MOST: usize = 16_384;

/// The maximum number of regions with the same hash, whether they collide at random or by construction.
const MOST_ALIKE: usize = 8;

thread_local! {
    /// The cache does not influence results: it affects only the time that a query takes, never its result or charge.
    static KNOWN: RefCell<FxHashMap<u64, Vec<CachedEmptiness>>> = RefCell::default();
}

/// The cached result for one of the regions with a hash.
struct CachedEmptiness {
    constraints: Box<[Constraint]>,
    is_empty: bool,
    /// The work of the elimination. It is charged on every query, so that fuel does not depend on previous queries.
    work: u64,
}

/// Returns whether a conjunction is empty, from the cache or by elimination.
pub(super) fn known_or(constraints: &[Constraint], eliminate: impl FnOnce() -> bool) -> bool {
    // Combine the precomputed hashes of the constraints.
    let mut hasher = FxHasher::default();
    constraints.iter().for_each(|c| hasher.write_u64(c.hash));
    let hash = hasher.finish();
    let known = KNOWN.with_borrow(|all| {
        let known = all.get(&hash)?.iter();
        let mut same = known.filter(|known| *known.constraints == *constraints);
        same.next().map(|known| (known.is_empty, known.work))
    });
    if let Some((is_empty, work)) = known {
        work::add_units(work);
        return is_empty;
    }
    let before = work::done();
    let is_empty = eliminate();
    let work = work::done().wrapping_sub(before);
    KNOWN.with_borrow_mut(|all| {
        if all.len() >= MOST {
            all.clear();
        }
        let same = all.entry(hash).or_default();
        if same.len() >= MOST_ALIKE {
            same.clear();
        }
        same.push(CachedEmptiness {
            constraints: constraints.into(),
            is_empty,
            work,
        });
    });
    is_empty
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Expr, Var, rat};

    /// The bytes that a constraint feeds to a hasher.
    #[derive(Default)]
    struct Bytes(Vec<u8>);

    impl std::hash::Hasher for Bytes {
        fn write(&mut self, bytes: &[u8]) {
            self.0.extend(bytes);
        }

        fn finish(&self) -> u64 {
            0
        }
    }

    #[test]
    fn fingerprints_are_made_of_all_of_a_constraint() {
        use std::hash::Hash as _;
        let line = &Expr::var(Var(0)).scale(&rat(3)) + &Expr::var(Var(1)).scale(&rat(5));
        let c = Constraint::ge(&line, &Expr::int(7)).unwrap();
        let mut told = Bytes::default();
        c.hash(&mut told);
        for number in [3_i128, 5, -7] {
            let bytes = number.to_ne_bytes();
            assert!(told.0.windows(16).any(|w| w == bytes), "{number}");
        }
    }

    #[test]
    fn regions_of_one_hash_are_told_apart() {
        let below = |n: i64| Constraint::le(&Expr::var(Var(0)), &Expr::int(n)).unwrap();
        let alike = |n: i64| {
            let mut c = below(n);
            c.hash = 1;
            c
        };
        for _ in 0..2 {
            for n in 0..20 {
                assert_eq!(known_or(&[alike(n)], || n % 2 == 0), n % 2 == 0, "{n}");
            }
        }
    }
}
