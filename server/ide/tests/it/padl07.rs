//! Reproduces Table 4 of *Combining Static Analysis and Profiling for Estimating Execution Times* (PADL'07): 48 estimates of times, computed
//! from inferred event vectors and the constants of Table 2.
//!
//! The programs are reconstructions (`tests/papers/padl07`), because the paper prints neither the programs nor their sizes. `docs/papers.md`
//! explains how both follow from the table.

use std::path::Path;

use costlens_algebra::{Rat, rat};
use costlens_ide::host::{File, Host};
use costlens_ide::present::values::{BoundValue, GivenSize, steps_at};
use costlens_ide::resources::{Resource, prices};
use costlens_platform::{find, stored};
use num_traits::Signed as _;

/// The predicate, the size of argument 1, and the printed estimates of models 1 to 4 in microseconds on Intel and on PPC.
type Row = (&'static str, i64, [f64; 4], [f64; 4]);

const TABLE_4: [Row; 6] = [
    (
        "evpol",
        200,
        [89.72, 85.06, 82.0, 90.12],
        [77.4, 74.96, 70.28, 85.07],
    ),
    (
        "hanoi",
        8,
        [319.0, 243.3, 205.6, 340.7],
        [398.5, 358.8, 301.3, 538.6],
    ),
    (
        "nrev",
        50,
        [131.3, 101.1, 82.51, 144.4],
        [179.4, 163.6, 135.2, 243.8],
    ),
    (
        "palind",
        8,
        [131.8, 101.0, 86.91, 167.2],
        [179.8, 163.7, 142.1, 282.2],
    ),
    (
        "powset",
        12,
        [537.5, 404.5, 323.8, 448.7],
        [727.9, 658.3, 534.9, 757.4],
    ),
    (
        "append",
        500,
        [50.29, 38.69, 31.36, 54.56],
        [68.72, 62.65, 51.45, 92.1],
    ),
];

/// The event vectors that the table implies: steps, nargs, giunif, gounif, viunif, vounif.
const VECTORS: [(&str, [i64; 6]); 6] = [
    ("evpol", [201, 603, 601, 1, 601, 200]),
    ("hanoi", [2814, 9464, 3834, 2049, 7677, 4351]),
    ("nrev", [1326, 3927, 1426, 1226, 3825, 2550]),
    ("palind", [1535, 4094, 1790, 1025, 3072, 2048]),
    ("powset", [4120, 16454, 4120, 8193, 16428, 12309]),
    ("append", [501, 1503, 501, 500, 1501, 1001]),
];

const EVENTS: [&str; 6] = ["steps", "nargs", "giunif", "gounif", "viunif", "vounif"];

/// A program in its own host, and the size from the table.
struct Program {
    name: &'static str,
    host: Host,
    file: File,
    size: GivenSize,
}

impl Program {
    fn new(name: &'static str, size: i64) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/papers/padl07")
            .join(format!("{name}.pl"));
        let mut host = Host::new();
        let file = host.open(name, &std::fs::read_to_string(path).unwrap());
        let size = GivenSize {
            argument: 1,
            element: false,
            name: None,
            metric: None,
            value: size.into(),
        };
        Program {
            name,
            host,
            file,
            size,
        }
    }

    /// Returns the exact bound on a resource at the size. Lower and upper bound must be equal.
    fn exactly(&self, resource: &Resource) -> Rat {
        let bounds = self.host.snapshot().resource_bounds(self.file, resource);
        let bounds = bounds.unwrap();
        let mut all = bounds.iter().map(|p| &p.report);
        let report = all.find(|r| r.predicate.name == self.name).unwrap();
        let pattern = &report.patterns[0];
        let at = steps_at(pattern, std::slice::from_ref(&self.size));
        let (lower, upper) = (at.first.lower, at.all.upper);
        match (&lower, &upper) {
            (BoundValue::Exact(a), BoundValue::Exact(b)) if a == b => a.clone(),
            _ => panic!(
                "{}, {resource:?}: {lower:?} to {upper:?}, {:#?}",
                self.name, pattern.unknown
            ),
        }
    }
}

#[test]
fn the_vectors_of_all_programs_are_inferred_exactly() {
    for (name, size, ..) in TABLE_4 {
        let program = Program::new(name, size);
        let vector = VECTORS.iter().find(|v| v.0 == name).unwrap().1;
        for (event, count) in EVENTS.iter().zip(vector) {
            let value = program.exactly(&Resource::Event(event.parse().unwrap()));
            assert_eq!(value, rat(count), "{name}, {event}");
        }
    }
}

#[test]
fn all_estimates_are_within_a_tenth_of_a_microsecond_of_the_printed_ones() {
    let platforms = stored().unwrap();
    let tenth = Rat::new(1.into(), 10.into());
    let mut compared = 0;
    for (program, size, intel, ppc) in TABLE_4 {
        let inferred = Program::new(program, size);
        for (machine, printed) in [("intel", intel), ("ppc", ppc)] {
            for (model, printed) in printed.iter().enumerate() {
                let name = format!("padl07-{machine}-{}", model + 1);
                let platform = find(&platforms, &name).unwrap();
                let ns = inferred.exactly(&Resource::Time(prices(&platform)));
                let estimate = ns / rat(1000);
                // The printed number as an exact fraction in hundredths.
                let printed = Rat::new(((printed * 100.0).round() as i64).into(), 100.into());
                assert!(
                    (&estimate - &printed).abs() <= tenth,
                    "{program} on {name}: {estimate} µs, printed {printed}"
                );
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 48);
}
