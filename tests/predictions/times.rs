//! Figs. 1 to 3: the variation of times of the same call, the overhead of counting, and the errors of times of unseen calls, for each of the
//! three methods. Times are CPU times, which exclude other work on the machine.

use costlens_history::times::Solver;

use crate::goals::{long_filters, long_powers};
use crate::picture::{Axis, Chart, Line};
use crate::subject::{How, Subject};
use crate::{draw, head, percent, row};

/// Runs of the same call, as in Fig. 1.
const REPEATED: usize = 100;
/// The number of calls that are repeated.
const OFTEN: usize = 12;
/// Past runs.
const PAST: usize = 150;
/// New calls.
const NEW: usize = 40;

pub(crate) fn run() {
    let programs = [
        (
            "power of a matrix",
            Subject::new("matrix.pl"),
            long_powers(PAST, 21),
            long_powers(NEW, 22),
        ),
        (
            "particle filter",
            Subject::new("filter.pl"),
            long_filters(PAST, 23),
            long_filters(NEW, 24),
        ),
    ];
    println!("\nThe same call {REPEATED} times (Figs. 1 and 2)\n");
    head(&[
        "program",
        "standard deviation",
        "least",
        "most",
        "time while counting",
        "beyond that without",
    ]);
    let mut deviations: Vec<Line> = Vec::new();
    for ((name, subject, _, new), colour) in programs.iter().zip(COLOURS) {
        let points = repeated(name, subject, &new[..OFTEN]);
        deviations.push(((*name).to_owned(), colour, points));
    }
    println!("\n{PAST} past runs, {NEW} new calls (Fig. 3)\n");
    let methods = Solver::ALL.map(|solver| format!("unseen runs, {}", solver.name()));
    head(&[
        "program",
        "rank",
        "condition",
        &methods[0],
        &methods[1],
        &methods[2],
        "taken",
        "new calls, median",
        "new calls, mean",
    ]);
    let mut predicted: Vec<Line> = Vec::new();
    for ((name, subject, past, new), colour) in programs.iter().zip(COLOURS) {
        let points = unseen(name, subject, past, new);
        predicted.push(((*name).to_owned(), colour, points));
    }
    draw(
        "prediction-times.svg",
        &[
            Chart {
                title: "Standard deviation of 100 times (Fig. 1)".to_owned(),
                across: "mean time, µs",
                x: Axis::Logarithmic,
                y: Axis::Share,
                marks: true,
                lines: deviations,
            },
            Chart {
                title: "Predicted time, µs, by the one measured (Fig. 3)".to_owned(),
                across: "measured time, µs",
                x: Axis::Logarithmic,
                y: Axis::Logarithmic,
                marks: true,
                lines: predicted,
            },
        ],
    );
}

const COLOURS: [&str; 2] = ["#1f77b4", "#ff7f0e"];

/// Returns mean and standard deviation, the latter as a fraction of the mean.
fn spread(times: &[f64]) -> (f64, f64) {
    #[allow(clippy::cast_precision_loss)]
    let n = times.len() as f64;
    let mean = times.iter().sum::<f64>() / n;
    let square = times.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, square.sqrt() / mean)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns for each call the mean time and its deviation, and the overhead of counting. The two machines alternate, so that both run under
/// the same conditions.
#[allow(clippy::cast_precision_loss)]
fn repeated(name: &str, subject: &Subject, goals: &[String]) -> Vec<(f64, f64)> {
    let (mut points, mut dearer, mut whole) = (Vec::new(), Vec::new(), 0.0);
    for goal in goals {
        // The first run of each has cold caches.
        subject.run(goal);
        subject.uncounted(goal);
        let (mut counted, mut plain) = (Vec::new(), Vec::new());
        for _ in 0..REPEATED {
            counted.push(subject.run(goal).past.ns as f64);
            plain.push(subject.uncounted(goal) as f64);
        }
        let (mean, deviation) = spread(&counted);
        points.push((mean / 1e3, deviation));
        let (with, without) = (median(counted), median(plain));
        dearer.push(with / without - 1.0);
        whole += with;
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let of = |f: fn(f64, f64) -> f64, from: f64| points.iter().map(|p| p.1).fold(from, f);
    let n = points.len() as f64;
    row(&[
        name.to_owned(),
        percent(of(|a, b| a + b, 0.0) / n),
        percent(of(f64::min, f64::INFINITY)),
        percent(of(f64::max, 0.0)),
        format!("{:.0} µs", whole / n / 1e3),
        percent(dearer.iter().sum::<f64>() / n),
    ]);
    points
}

/// Returns for each new call its time, and the predicted one.
#[allow(clippy::cast_precision_loss)]
fn unseen(name: &str, subject: &Subject, past: &[String], new: &[String]) -> Vec<(f64, f64)> {
    let runs = subject.runs(past);
    let mut found = None;
    let points: Vec<(f64, f64)> = (new.iter())
        .map(|goal| {
            // A user has a single run, so its noise counts as error.
            let ns = subject.run(goal).past.ns as f64;
            let prediction = subject.predict_time(&runs, goal, How::Full);
            found = prediction.times;
            (ns / 1e3, prediction.time.unwrap().value / 1e3)
        })
        .collect();
    let found = found.unwrap();
    let off: Vec<f64> = { points.iter() }
        .map(|(ns, p)| (p / ns - 1.0).abs())
        .collect();
    let compared = |solver: Solver| {
        let of = found.compared.iter().find(|(s, _)| *s == solver).unwrap();
        percent(of.1)
    };
    row(&[
        name.to_owned(),
        found.rank.to_string(),
        format!("{:.0}", found.condition),
        compared(Solver::ALL[0]),
        compared(Solver::ALL[1]),
        compared(Solver::ALL[2]),
        found.solver.name().to_owned(),
        percent(median(off.clone())),
        percent(off.iter().sum::<f64>() / off.len() as f64),
    ]);
    points
}
