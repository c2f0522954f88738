//! Figs. 4 to 9: error of block counts against the width of the Gaussian function and the number of runs, with and without annotations and
//! inferred dependences.

use costlens_history::Runs;

use crate::goals::{filters, powers};
use crate::picture::{Axis, Chart, Line};
use crate::subject::{Counted, How, Subject};
use crate::{draw, head, percent, row};

const WIDTHS: [f64; 9] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5];
/// The most of them come last.
const COUNTS: [usize; 6] = [50, 75, 100, 200, 350, 500];
/// The numbers of runs that have a curve over widths.
const CURVES: [(usize, &str); 4] = [
    (50, "#d62728"),
    (75, "#ff7f0e"),
    (200, "#1f77b4"),
    (500, "#2ca02c"),
];
/// The paper's width for Fig. 6(b).
const PAPER: f64 = 0.02;
/// The number of new calls that the error is averaged over.
const ASKED: usize = 40;

/// Past runs of a program, and new calls with their counts.
struct Trial {
    subject: Subject,
    all: Runs,
    goals: Vec<String>,
    counted: Vec<Counted>,
}

impl Trial {
    fn new(name: &str, past: &[String], goals: Vec<String>) -> Self {
        let subject = Subject::new(name);
        Trial {
            all: subject.runs(past),
            counted: goals.iter().map(|g| subject.run(g)).collect(),
            subject,
            goals,
        }
    }

    /// Returns the error with the first `count` runs.
    fn error(&self, count: usize, how: How) -> f64 {
        let some = self.some(count);
        self.subject.error(&some, &self.goals, &self.counted, how)
    }

    fn some(&self, count: usize) -> Runs {
        Runs {
            blocks: self.all.blocks.clone(),
            runs: self.all.runs[..count].to_vec(),
        }
    }
}

/// A way to predict: its name, its colour, and its method for a width.
type Way = (&'static str, &'static str, fn(Option<f64>) -> How);

const WAYS: [Way; 4] = [
    ("all inputs", "#888888", How::Plain),
    ("annotated", "#1f77b4", How::Annotated),
    ("inferred", "#ff7f0e", How::Inferred),
    ("inferred, with fits", "#2ca02c", |_| How::Full),
];

pub(crate) fn run() {
    let most = COUNTS[COUNTS.len() - 1];
    let filter = Trial::new("filter.pl", &filters(most, 11), filters(ASKED, 12));
    let mut charts = charts("Particle filter", &filter, &WAYS);
    charts.push(blocks(&filter));
    let power = Trial::new("matrix.pl", &powers(most, 13), powers(ASKED, 14));
    // It has no annotations.
    let ways = [WAYS[0], WAYS[2], WAYS[3]];
    charts.extend(self::charts("Power of a matrix", &power, &ways));
    charts.push(blocks(&power));
    draw("prediction-counts.svg", &charts);
}

/// Prints the tables of a program, and returns their charts.
fn charts(name: &str, trial: &Trial, ways: &[Way]) -> Vec<Chart> {
    println!("\n{name}, neighbours in all inputs: error by width k and runs\n");
    let curves = by_width(name, trial);
    println!("\n{name}, 200 runs: error by width k and inputs\n");
    // Fits have no width.
    let inputs = by_width_and_inputs(name, trial, &ways[..ways.len() - 1]);
    println!("\n{name}, best widths: error by runs and inputs\n");
    let runs = by_runs(name, trial, ways);
    vec![curves, inputs, runs]
}

/// Draws Figs. 5, 6(a), 7 and 8: for each number of runs a curve over the widths.
fn by_width(name: &str, trial: &Trial) -> Chart {
    let mut cells = vec!["runs".to_owned()];
    cells.extend(WIDTHS.map(|w| format!("k={w}")));
    cells.push("best k".to_owned());
    head(&cells.iter().map(String::as_str).collect::<Vec<_>>());
    let mut lines: Vec<Line> = Vec::new();
    for count in COUNTS {
        let points: Vec<(f64, f64)> = (WIDTHS.iter())
            .map(|&w| (w, trial.error(count, How::Plain(Some(w)))))
            .collect();
        let best = points.iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        let mut cells = vec![count.to_string()];
        cells.extend(points.iter().map(|(_, error)| percent(*error)));
        cells.push(best.0.to_string());
        row(&cells);
        if let Some((_, colour)) = CURVES.iter().find(|(of, _)| *of == count) {
            lines.push((format!("{count} runs"), colour, points));
        }
    }
    Chart {
        title: format!("{name}: error by k, all inputs (Figs. 5 to 8)"),
        across: "width k of the Gaussian function",
        x: Axis::Logarithmic,
        y: Axis::Share,
        marks: false,
        lines,
    }
}

/// Draws Fig. 9 over the widths.
fn by_width_and_inputs(name: &str, trial: &Trial, ways: &[Way]) -> Chart {
    let mut cells = vec!["k"];
    cells.extend(ways.iter().map(|way| way.0));
    head(&cells);
    let mut lines: Vec<Line> = { ways.iter() }
        .map(|(name, colour, _)| ((*name).to_owned(), *colour, Vec::new()))
        .collect();
    for width in WIDTHS {
        let mut cells = vec![width.to_string()];
        for ((.., how), line) in ways.iter().zip(&mut lines) {
            let error = trial.error(200, how(Some(width)));
            cells.push(percent(error));
            line.2.push((width, error));
        }
        row(&cells);
    }
    Chart {
        title: format!("{name}: error by k and inputs, 200 runs (Fig. 9)"),
        across: "width k of the Gaussian function",
        x: Axis::Logarithmic,
        y: Axis::Share,
        marks: false,
        lines,
    }
}

/// Draws Figs. 6(b) and 9 over the number of runs.
fn by_runs(name: &str, trial: &Trial, ways: &[Way]) -> Chart {
    let mut cells = vec!["runs", "all inputs, k=0.02"];
    cells.extend(ways.iter().map(|way| way.0));
    head(&cells);
    let mut lines: Vec<Line> = vec![("k=0.02".to_owned(), "#d62728", Vec::new())];
    lines
        .extend({ ways.iter() }.map(|(name, colour, _)| ((*name).to_owned(), *colour, Vec::new())));
    for count in COUNTS {
        let mut cells = vec![count.to_string()];
        let all = [How::Plain(Some(PAPER))].into_iter();
        let hows = all.chain(ways.iter().map(|(.., how)| how(None)));
        for (how, line) in hows.zip(&mut lines) {
            let error = trial.error(count, how);
            cells.push(percent(error));
            #[allow(clippy::cast_precision_loss)]
            line.2.push((count as f64, error));
        }
        row(&cells);
    }
    Chart {
        title: format!("{name}: error by runs and inputs (Figs. 6b, 9)"),
        across: "past runs",
        x: Axis::Plain,
        y: Axis::Share,
        marks: false,
        lines,
    }
}

/// Draws Fig. 4: the counts of each block of one call, as predicted by neighbours in all inputs, and the actual ones.
fn blocks(trial: &Trial) -> Chart {
    let (goal, counted) = (&trial.goals[0], &trial.counted[0]);
    let runs = trial.some(200);
    let mut lines: Vec<Line> = Vec::new();
    let ways = [
        ("all inputs", "#888888", How::Plain(None)),
        ("inferred, with fits", "#2ca02c", How::Full),
    ];
    for (name, colour, how) in ways {
        let blocks = trial.subject.predict(&runs, goal, how).blocks;
        #[allow(clippy::cast_precision_loss)]
        let points =
            { blocks.iter().enumerate() }.map(|(at, b)| (at as f64 + 1.0, b.reached.max(1.0)));
        lines.push((name.to_owned(), colour, points.collect()));
        if lines.len() == 1 {
            #[allow(clippy::cast_precision_loss)]
            let real = { blocks.iter().enumerate() }.map(|(at, b)| {
                let count = trial.subject.reached(counted, &b.name);
                (at as f64 + 1.0, count.max(1.0))
            });
            lines.insert(0, ("counted".to_owned(), "#d62728", real.collect()));
        }
    }
    Chart {
        title: format!("Counts of the blocks of {goal} (Fig. 4)"),
        across: "block",
        x: Axis::Plain,
        y: Axis::Logarithmic,
        marks: false,
        lines,
    }
}
