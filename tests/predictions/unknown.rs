//! The ten programs whose bounds are unknown or far away: their names, and their random calls.

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

/// Returns random sizes of a call of one of them: numbers, and lengths of lists.
pub(crate) fn sizes(program: usize, random: &mut Random) -> Vec<u64> {
    match program {
        0 | 1 => vec![random.between(2, 3000)],
        2 => vec![random.between(5, 2000), random.below(50)],
        3 => vec![random.between(3, 9), random.between(5, 90)],
        4 | 5 => vec![random.between(1, 60)],
        6 => vec![random.between(2, 2000)],
        7 => vec![random.between(5, 80)],
        8 => vec![random.between(1, 300), random.between(1, 300)],
        _ => {
            let from = random.between(1, 100);
            vec![from, from + random.below(30)]
        }
    }
}

/// Returns the sizes of a call that no smooth function of sizes distinguishes from that with these: the same lengths, and numbers that differ
/// by a hundredth or by one.
pub(crate) fn alike(program: usize, sizes: &[u64], random: &mut Random) -> Vec<u64> {
    if matches!(program, 3 | 4 | 5 | 7) {
        return sizes.to_vec();
    }
    let near = |&n: &u64| {
        let by = (n / 100).max(1);
        random.between(n.saturating_sub(by).max(1), n + by)
    };
    sizes.iter().map(near).collect()
}

/// Returns a call of one of them with these sizes; elements of lists are random.
pub(crate) fn call(program: usize, sizes: &[u64], random: &mut Random) -> String {
    match (program, sizes) {
        (0, [n]) => format!("collatz({n}, S)"),
        (1, [n]) => format!("factor({n}, F)"),
        (2, [n, seed]) => format!("cycle({n}, {seed}, L)"),
        (3, &[length, sum]) => format!("sums({}, {sum}, Ys)", random.list(length, 30)),
        (4, &[length]) => format!("quick({}, Ys)", random.list(length, 1000)),
        (5, &[length]) => format!("tree({}, T)", random.list(length, 1000)),
        (6, [n]) => format!("prime({n}, P)"),
        (7, &[length]) => format!(
            "place({}, {}, N)",
            random.list(3, 2),
            random.list(length, 2)
        ),
        (8, [a, b]) => format!("gcd({a}, {b}, G)"),
        (_, [from, to]) => format!("stretch({from}, {to}, S)"),
        _ => unreachable!("program {program} has other sizes"),
    }
}
