//! Ten programs whose bounds are unknown: the share of new calls whose steps lie in the interval, and its width, compared with those of the
//! nearest runs.

use costlens_history::{Inputs, Runs};

use crate::picture::{Axis, Chart};
use crate::subject::{Counted, How, Random, Subject};
use crate::unknown::{NAMES, alike, call, sizes};
use crate::{draw, head, percent, row};

/// Past runs of each program.
const PAST: usize = 150;
/// New calls of each.
const NEW: usize = 200;
/// The number of runs that the interval is compared with: the middle eighteen of twenty, which enclose 17/21 of new ones.
const NEAREST: usize = 20;
/// Calls similar to each new one, for the narrowest interval that contains four fifths of them at these sizes.
const ALIKE: usize = 100;

/// Sums over new calls.
#[derive(Default)]
struct Sums {
    held: f64,
    width: f64,
}

impl Sums {
    fn add(&mut self, (low, high): (f64, f64), steps: f64) {
        // Steps are integers: a half is rounding.
        let holds = low <= steps + 0.5 && steps - 0.5 <= high;
        self.held += f64::from(u8::from(holds));
        self.width += high - low;
    }
}

pub(crate) fn run() {
    let new: usize = std::env::var("NEW_RUNS")
        .ok()
        .map_or(NEW, |n| n.parse().unwrap());
    #[allow(clippy::cast_precision_loss)]
    let n = new as f64;
    let subject = Subject::new("unknown.pl");
    println!("\nTen programs, {PAST} past runs, {new} new calls each: intervals of steps\n");
    head(&[
        "program",
        "terms of a bound",
        "holds",
        "width",
        "nearest runs hold",
        "their width",
        "ratio",
        "narrowest",
    ]);
    let (mut held, mut near_held, mut no_wider, mut half) = (0.0, 0.0, 0, 0);
    let mut ratios = Vec::new();
    for (program, name) in NAMES.iter().enumerate() {
        let mut random = Random(100 + program as u64);
        let mut goal = |sizes: &dyn Fn(&mut Random) -> Vec<u64>| {
            let sizes = sizes(&mut random);
            (call(program, &sizes, &mut random), sizes)
        };
        let any = |random: &mut Random| sizes(program, random);
        let goals: Vec<String> = (0..PAST).map(|_| goal(&any).0).collect();
        let counted: Vec<Counted> = goals.iter().map(|g| subject.run(g)).collect();
        let steps: Vec<f64> = counted.iter().map(|c| c.steps).collect();
        let past: Vec<_> = counted.into_iter().map(|c| c.past).collect();
        let runs = subject.past(&past);
        let (mut own, mut near, mut narrowest) = (Sums::default(), Sums::default(), 0.0);
        for _ in 0..new {
            let (asked, sizes) = goal(&any);
            let counted = subject.run(&asked);
            let found = subject.predict(&runs, &asked, How::Full);
            own.add(found.events["steps"].interval.unwrap(), counted.steps);
            near.add(nearest(&runs, &steps, &counted.inputs), counted.steps);
            let like = |random: &mut Random| alike(program, &sizes, random);
            let others = (0..ALIKE).map(|_| subject.run(&goal(&like).0).steps);
            narrowest += shortest(others.collect());
        }
        let ratio = own.width / near.width;
        let shapes = subject.shapes(&goals[0]);
        row(&[
            (*name).to_owned(),
            if shapes.is_empty() {
                "-".to_owned()
            } else {
                shapes.join(", ")
            },
            percent(own.held / n),
            format!("{:.1}", own.width / n),
            percent(near.held / n),
            format!("{:.1}", near.width / n),
            format!("{ratio:.2}"),
            format!("{:.2}", narrowest / near.width),
        ]);
        held += own.held;
        near_held += near.held;
        no_wider += u32::from(ratio <= 1.0);
        half += u32::from(ratio <= 0.5);
        #[allow(clippy::cast_precision_loss)]
        ratios.push((program as f64 + 1.0, ratio));
    }
    println!(
        "\npooled: {} lie in the interval ({} in that of the nearest runs); no wider on {no_wider} of 10, at most half as wide on {half}",
        percent(held / (10.0 * n)),
        percent(near_held / (10.0 * n))
    );
    draw(
        "prediction-intervals.svg",
        &[Chart {
            title: "Width of intervals, as a part of the nearest runs'".to_owned(),
            across: "program",
            x: Axis::Plain,
            y: Axis::Share,
            marks: true,
            lines: vec![("ten programs".to_owned(), "#1f77b4", ratios)],
        }],
    );
}

/// Returns the width of the shortest interval that contains four fifths of them.
fn shortest(mut steps: Vec<f64>) -> f64 {
    steps.sort_by(f64::total_cmp);
    let held = steps.len() * 4 / 5;
    let widths = steps
        .windows(held)
        .map(|held| held[held.len() - 1] - held[0]);
    widths.fold(f64::INFINITY, f64::min)
}

/// Returns the least and the greatest of the middle of the nearest runs, which intervals are compared with.
fn nearest(runs: &Runs, steps: &[f64], asked: &Inputs) -> (f64, f64) {
    let numbers = |inputs: &Inputs| -> Vec<f64> {
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
    let mut near: Vec<f64> = near.iter().take(NEAREST).map(|n| n.1).collect();
    near.sort_by(f64::total_cmp);
    (near[1], near[NEAREST - 2])
}
