//! The experiments of hybrid prediction (Figs. 1 to 9), and intervals where nothing is proved. They take minutes: `cargo bench -p costlens --bench predictions`,
//! with `UPDATE_EXPECT=1` for the pictures of `docs/images`. An argument chooses one: `counts`, `times` or `intervals`.
// The tests use the rest of `subject`.
#![allow(dead_code)]
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod goals;
mod picture;
mod subject;

use std::path::Path;

use costlens_history::times::Solver;

use crate::goals::{filters, powers};
use crate::picture::{Chart, svg};
use crate::subject::{Counted, How, Random, Subject};

const WIDTHS: [f64; 9] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5];
const COUNTS: [usize; 6] = [50, 75, 100, 200, 350, 500];

fn main() {
    let experiments: [(&str, fn()); 3] = [
        ("counts", errors_of_counts),
        ("times", errors_of_times),
        ("intervals", intervals_of_unknown_programs),
    ];
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    for (name, experiment) in experiments {
        if asked.is_empty() || asked.iter().any(|a| a == name) {
            experiment();
        }
    }
}

/// Figs. 4 to 9: error of block counts against the width and the number of runs, with and without annotations and inferred dependences.
fn errors_of_counts() {
    let mut subject = Subject::new("filter.pl");
    let all = subject.runs(&filters(500, 11));
    let goals = filters(40, 12);
    let counted: Vec<Counted> = goals.iter().map(|g| subject.run(g)).collect();
    let ways = [
        ("all inputs", "#888888"),
        ("annotated", "#1f77b4"),
        ("inferred", "#2ca02c"),
        ("with fits", "#d62728"),
    ];
    let how = |way: usize, width| match way {
        0 => How::Plain(width),
        1 => How::Annotated(width),
        2 => How::Inferred(width),
        _ => How::Full,
    };
    let some = |count: usize| costlens_history::Runs {
        blocks: all.blocks.clone(),
        runs: all.runs[..count].to_vec(),
    };
    let mut by_width: Vec<_> = ways[..3]
        .iter()
        .map(|(n, c)| (*n, *c, Vec::new()))
        .collect();
    println!("width  {:?}", &ways[..3]);
    for width in WIDTHS {
        for (way, line) in by_width.iter_mut().enumerate() {
            let error = subject.error(&some(200), &goals, &counted, how(way, Some(width)));
            line.2.push((width, error));
        }
        println!(
            "{width}  {:?}",
            by_width
                .iter()
                .map(|l| l.2.last().unwrap().1)
                .collect::<Vec<_>>()
        );
    }
    let mut by_count: Vec<_> = ways.iter().map(|(n, c)| (*n, *c, Vec::new())).collect();
    println!("runs  {ways:?}");
    for count in COUNTS {
        for (way, line) in by_count.iter_mut().enumerate() {
            let error = subject.error(&some(count), &goals, &counted, how(way, None));
            #[allow(clippy::cast_precision_loss)]
            line.2.push((count as f64, error));
        }
        println!(
            "{count}  {:?}",
            by_count
                .iter()
                .map(|l| l.2.last().unwrap().1)
                .collect::<Vec<_>>()
        );
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let picture = svg(&[
            Chart {
                title: "Error of block counts, 200 runs",
                across: "width k of the Gaussian function",
                logarithmic: true,
                lines: by_width,
            },
            Chart {
                title: "Error of block counts, best width",
                across: "past runs",
                logarithmic: false,
                lines: by_count,
            },
        ]);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images/prediction.svg");
        std::fs::write(path, picture).unwrap();
    }
}

/// Figs. 1 and 3: how far times of the same call differ, and what times of unseen calls are off by, for each of the three methods.
fn errors_of_times() {
    for (name, goals, new) in [
        ("matrix.pl", powers(150, 21), powers(40, 22)),
        ("filter.pl", filters(150, 23), filters(40, 24)),
    ] {
        let mut subject = Subject::new(name);
        let deviations: Vec<f64> = (new.iter().take(10))
            .map(|goal| {
                #[allow(clippy::cast_precision_loss)]
                let times: Vec<f64> = (0..100).map(|_| subject.run(goal).past.ns as f64).collect();
                let mean = times.iter().sum::<f64>() / 100.0;
                let square = times.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / 99.0;
                square.sqrt() / mean
            })
            .collect();
        println!(
            "{name}: standard deviation of 100 times {:.2}%",
            10.0 * deviations.iter().sum::<f64>()
        );
        let runs = subject.runs(&goals);
        let found = subject.predict(&runs, &new[0], How::Full).times.unwrap();
        println!(
            "{name}: condition {:.0}, rank {}, chosen {}, seen {:.3}",
            found.condition,
            found.rank,
            found.solver.name(),
            found.residual
        );
        for (solver, off) in &found.compared {
            println!("  {}: unseen runs {:.1}%", solver.name(), off * 100.0);
        }
        assert_eq!(found.compared.len(), Solver::ALL.len());
        let mut off: Vec<f64> = (new.iter())
            .map(|goal| {
                #[allow(clippy::cast_precision_loss)]
                let ns = subject.run(goal).past.ns as f64;
                (subject.predict(&runs, goal, How::Full).time.unwrap().value / ns - 1.0).abs()
            })
            .collect();
        off.sort_by(f64::total_cmp);
        println!(
            "  new calls: median {:.1}%, mean {:.1}%",
            off[20] * 100.0,
            off.iter().sum::<f64>() / 40.0 * 100.0
        );
    }
}

/// The calls of the ten programs whose bounds are unknown or far away.
fn unknown(program: usize, random: &mut Random) -> String {
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

/// The least and the greatest of the middle 80% of the nearest runs: what intervals are compared with.
fn neighbours(
    runs: &costlens_history::Runs,
    steps: &[f64],
    asked: &costlens_history::Inputs,
) -> (f64, f64) {
    let numbers = |inputs: &costlens_history::Inputs| -> Vec<f64> {
        let own = inputs.iter().filter(|(n, _)| {
            let word = n.to_string();
            word.starts_with("int(") || word.starts_with("length(")
        });
        own.filter_map(|(_, v)| v.number()).collect()
    };
    let asked = numbers(asked);
    let rows: Vec<Vec<f64>> = runs.runs.iter().map(|r| numbers(&r.inputs)).collect();
    let range: Vec<f64> = (0..asked.len())
        .map(|i| {
            let column = || rows.iter().map(|r| r[i]);
            (column().fold(0.0, f64::max) - column().fold(f64::INFINITY, f64::min)).max(1.0)
        })
        .collect();
    let mut near: Vec<(f64, f64)> = (rows.iter().zip(steps))
        .map(|(row, steps)| {
            let square = |i: usize| ((row[i] - asked[i]) / range[i]).powi(2);
            ((0..asked.len()).map(square).sum(), *steps)
        })
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut near: Vec<f64> = near.iter().take(20).map(|n| n.1).collect();
    near.sort_by(f64::total_cmp);
    (near[1], near[18])
}

/// Ten programs: the share of new calls whose steps lie in the interval, and how wide it is, beside that of the nearest runs.
fn intervals_of_unknown_programs() {
    let mut subject = Subject::new("unknown.pl");
    let (mut held, mut asked, mut no_wider) = (0.0, 0.0, 0);
    let new: usize = std::env::var("NEW_RUNS")
        .ok()
        .map_or(200, |n| n.parse().unwrap());
    for program in 0..10 {
        let mut random = Random(100 + program as u64);
        let goals: Vec<String> = (0..150).map(|_| unknown(program, &mut random)).collect();
        let counted: Vec<Counted> = goals.iter().map(|g| subject.run(g)).collect();
        let steps: Vec<f64> = counted.iter().map(|c| c.steps).collect();
        let past: Vec<_> = counted.into_iter().map(|c| c.past).collect();
        let runs = subject.past(&past);
        let (mut inside, mut width, mut near_inside, mut near_width) = (0.0, 0.0, 0.0, 0.0);
        for _ in 0..new {
            let goal = unknown(program, &mut random);
            let counted = subject.run(&goal);
            let found = subject.predict(&runs, &goal, How::Full);
            let steps_of = found.events["steps"];
            let (low, high) = steps_of.interval.unwrap();
            let (near_low, near_high) = neighbours(&runs, &steps, &counted.inputs);
            let holds = |low: f64, high: f64| {
                f64::from(u8::from(
                    low <= counted.steps + 0.5 && counted.steps - 0.5 <= high,
                ))
            };
            inside += holds(low, high);
            near_inside += holds(near_low, near_high);
            width += high - low;
            near_width += near_high - near_low;
        }
        #[allow(clippy::cast_precision_loss)]
        let n = new as f64;
        println!(
            "{:<40} holds {:>4.0}% width {:>9.1}   nearest runs: holds {:>4.0}% width {:>9.1}",
            unknown(program, &mut Random(1))
                .chars()
                .take(38)
                .collect::<String>(),
            100.0 * inside / n,
            width / n,
            100.0 * near_inside / n,
            near_width / n
        );
        held += inside;
        asked += n;
        no_wider += u32::from(width <= near_width * 1.0001);
    }
    println!(
        "pooled: holds {:.1}%, no wider on {no_wider} of 10",
        100.0 * held / asked
    );
}
