//! A cache of solved equation systems.
//!
//! The same system occurs repeatedly: for patterns of a predicate that differ only in arguments on which its cost does not depend; when a
//! query that unwound starts again; in the explanation of a known bound; and for two files with the same clauses. In SWI-Prolog's library,
//! four out of five systems have been solved before. The solution of a system depends only on the system and the fuel, so cached solutions
//! are never out of date and do not change any result.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, PoisonError};

use costlens_algebra::work;
use costlens_recurrences::{Direction, Solution, System, by_parts, solve_part};
use rustc_hash::FxHashMap;

/// The maximum number of solutions in a generation, so that at most twice as many are cached. A solution takes a few kilobytes.
const KEPT: usize = 6_000;

/// Solved systems, shared by all threads.
#[derive(Debug, Default)]
pub(crate) struct Systems {
    fingerprints: Fingerprints,
    generations: Mutex<Generations>,
}

/// Hash functions with keys chosen by this process, so that an adversary cannot construct two systems with the same hashes.
#[derive(Debug, Default)]
struct Fingerprints(RandomState, RandomState);

/// The fingerprint of a system, its direction and its fuel: 128 bits. Storing the systems themselves would take hundreds of megabytes for
/// a large library. The probability that any two of a million different systems have the same fingerprint is below 10⁻²⁶.
type Fingerprint = (u64, u64);

/// Two generations of solutions. The young generation contains the solutions added since the old generation was last dropped. A solution
/// found in the old generation moves to the young generation.
#[derive(Debug, Default)]
struct Generations {
    young: FxHashMap<Fingerprint, CachedSolution>,
    old: FxHashMap<Fingerprint, CachedSolution>,
}

#[derive(Clone, Debug)]
struct CachedSolution {
    solution: Solution,
    /// The work units of the solution. They are charged again on reuse, so that fuel does not depend on earlier solutions.
    units: u64,
}

impl Systems {
    /// Solves a system like [`costlens_recurrences::solve`], using the cache.
    pub(crate) fn solve(&self, system: &System, direction: Direction, fuel: u64) -> Solution {
        by_parts(system, direction, fuel, &mut |part| {
            self.solve_part(part, direction, fuel)
        })
    }

    fn solve_part(&self, system: &System, direction: Direction, fuel: u64) -> Solution {
        let question = (system, direction == Direction::Upper, fuel);
        let Fingerprints(one, other) = &self.fingerprints;
        let fingerprint = (one.hash_one(question), other.hash_one(question));
        if let Some(known) = self.known(fingerprint) {
            work::add_units(known.units);
            return known.solution;
        }
        let before = work::done();
        let solution = solve_part(system, direction, fuel);
        let units = work::done().wrapping_sub(before);
        let cached = CachedSolution {
            solution: solution.clone(),
            units,
        };
        self.with_generations(|generations| generations.keep(fingerprint, cached));
        solution
    }

    fn known(&self, fingerprint: Fingerprint) -> Option<CachedSolution> {
        self.with_generations(|generations| generations.known(fingerprint))
    }

    fn with_generations<T>(&self, f: impl FnOnce(&mut Generations) -> T) -> T {
        f(&mut self
            .generations
            .lock()
            .unwrap_or_else(PoisonError::into_inner))
    }
}

impl Generations {
    fn known(&mut self, fingerprint: Fingerprint) -> Option<CachedSolution> {
        if let Some(known) = self.young.get(&fingerprint) {
            return Some(known.clone());
        }
        let known = self.old.remove(&fingerprint)?;
        self.keep(fingerprint, known.clone());
        Some(known)
    }

    fn keep(&mut self, fingerprint: Fingerprint, cached: CachedSolution) {
        if self.young.len() >= KEPT {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(fingerprint, cached);
    }
}

#[cfg(test)]
mod tests {
    use costlens_algebra::{Expr, Region, Var};
    use costlens_recurrences::{Alternative, Cell, Function, Value, solve};

    use super::*;

    /// Returns the system of a constant function.
    fn constant(value: i64) -> System {
        System {
            functions: vec![Function {
                params: vec![Var(0)],
                cells: vec![Cell {
                    region: Region::everything(),
                    alternatives: vec![Alternative {
                        value: Some(Expr::int(value)),
                        ..Alternative::default()
                    }],
                    exhaustive: true,
                }],
            }],
        }
    }

    #[test]
    fn what_is_kept_is_what_was_solved() {
        let systems = Systems::default();
        for value in [1, 2, 1, 2] {
            let found = systems.solve(&constant(value), Direction::Upper, 100);
            assert_eq!(found, solve(&constant(value), Direction::Upper, 100));
            assert_eq!(
                found.functions[0][0].value,
                Value::Known(Expr::int(value)),
                "{value}"
            );
        }
        let kept = systems.generations.lock().unwrap().young.len();
        assert_eq!(kept, 2, "each is solved once");
    }

    #[test]
    fn another_direction_and_other_fuel_are_other_questions() {
        let systems = Systems::default();
        for (direction, fuel) in [
            (Direction::Upper, 100),
            (Direction::Lower, 100),
            (Direction::Upper, 0),
        ] {
            let found = systems.solve(&constant(3), direction, fuel);
            assert_eq!(found, solve(&constant(3), direction, fuel));
        }
        let kept = systems.generations.lock().unwrap().young.len();
        assert_eq!(kept, 3);
    }

    #[test]
    fn work_is_charged_again() {
        let systems = Systems::default();
        let units = || {
            let before = work::done();
            systems.solve(&constant(5), Direction::Upper, 100);
            work::done().wrapping_sub(before)
        };
        assert_eq!(units(), units());
    }

    #[test]
    fn what_is_asked_for_again_stays() {
        let cached = CachedSolution {
            solution: Solution::default(),
            units: 0,
        };
        let mut generations = Generations::default();
        for i in 0..10 * KEPT as u64 {
            generations.keep((i, i), cached.clone());
            assert!(generations.known((0, 0)).is_some(), "after {i}");
        }
        assert!(generations.young.len() + generations.old.len() <= 2 * KEPT);
        assert!(generations.known((1, 1)).is_none());
    }
}
