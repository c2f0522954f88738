//! The ten programs whose bounds are unknown or far away: their names, and their calls by chance.

use crate::subject::Random;

/// The names of the programs, in the order of the file.
pub(crate) const NAMES: [&str; 10] = [
    "Collatz",
    "smallest factor",
    "cycle of a generator",
    "subset with a sum",
    "quick sort",
    "search tree",
    "next prime",
    "place of a pattern",
    "Euclid by subtraction",
    "Collatz over a stretch",
];

/// A call of one of them.
pub(crate) fn call(program: usize, random: &mut Random) -> String {
    match program {
        0 => format!("collatz({}, S)", random.between(2, 3000)),
        1 => format!("factor({}, F)", random.between(2, 3000)),
        2 => format!(
            "cycle({}, {}, L)",
            random.between(5, 2000),
            random.below(50)
        ),
        3 => {
            let length = random.between(3, 9);
            format!(
                "sums({}, {}, Ys)",
                random.list(length, 30),
                random.between(5, 90)
            )
        }
        4 => {
            let length = random.between(1, 60);
            format!("quick({}, Ys)", random.list(length, 1000))
        }
        5 => {
            let length = random.between(1, 60);
            format!("tree({}, T)", random.list(length, 1000))
        }
        6 => format!("prime({}, P)", random.between(2, 2000)),
        7 => {
            let length = random.between(5, 80);
            format!(
                "place({}, {}, N)",
                random.list(3, 2),
                random.list(length, 2)
            )
        }
        8 => format!(
            "gcd({}, {}, G)",
            random.between(1, 300),
            random.between(1, 300)
        ),
        _ => {
            let from = random.between(1, 100);
            format!("stretch({from}, {}, S)", from + random.below(30))
        }
    }
}
