//! Runs small programs through everything that an editor shows, with little fuel. There must be no panic and no overflow, bounds must not
//! contradict each other, and after edits the answers must be the same as for a fresh file.

use std::fmt::Debug;

use costlens_algebra::Var;
use costlens_analysis::report::{Bound, Functor, PatternReport};
use costlens_analysis::types::Pattern;
use costlens_ide::host::{Cancelled, Edit, File, Host};
use costlens_ide::settings::Settings;
use costlens_infer::{Program, Summary, infer};
use num_bigint::BigInt;

use crate::input::edited;

/// The fuel of a component: enough for the fixtures' loops, and little enough for hundreds of programs in a second.
const FUEL: u64 = 1_500;

/// The sizes that are tried, from below zero on, in each direction.
const SIZES: std::ops::Range<i64> = -1..4;

fn frugal(entry: &Functor, pattern: &Pattern, program: &dyn Program, fuel: u64) -> Summary {
    infer(entry, pattern, program, fuel.min(FUEL))
}

/// Opens a file, requests everything, edits, and requests everything again.
pub fn holds(bytes: &[u8]) {
    let (mut text, changes) = edited(bytes);
    let mut host = Host::with_inference(frugal);
    let file = host.open("fuzz.pl", &text);
    let mut answers = asked(&host, file, &text);
    if changes.is_empty() {
        return;
    }
    for change in changes {
        let edit = Edit {
            range: change.range(&text),
            text: change.new.clone(),
        };
        text.replace_range(edit.range.clone(), &edit.text);
        host.edit(file, &[edit]);
        answers = asked(&host, file, &text);
    }
    let mut fresh = Host::with_inference(frugal);
    let file = fresh.open("fuzz.pl", &text);
    assert_eq!(answers, asked(&fresh, file, &text), "{text}");
}

/// Returns everything that an editor may request for a file, as text.
fn asked(host: &Host, file: File, text: &str) -> String {
    let snapshot = host.snapshot();
    let settings = Settings::default();
    let mut all = String::new();
    let bounds = told(snapshot.bounds(file));
    note(&mut all, &bounds);
    note(&mut all, &told(snapshot.hints(file, &settings)));
    note(&mut all, &told(snapshot.diagnostics(file, &settings)));
    note(&mut all, &told(snapshot.check(file, None, None)));
    note(&mut all, &told(snapshot.document_symbols(file)));
    note(
        &mut all,
        &told(snapshot.code_actions(file, 0..text.len(), None)),
    );
    for predicate in &bounds.predicates {
        assert!(text.is_char_boundary(predicate.offset));
        note(
            &mut all,
            &told(snapshot.hover(file, predicate.offset, &settings)),
        );
        let name = &predicate.report.predicate;
        note(&mut all, &told(snapshot.explain(file, name)));
        predicate.report.patterns.iter().for_each(bounds_agree);
    }
    for offset in 0..=text.len() {
        let _ = told(snapshot.hover(file, offset, &settings));
    }
    all
}

/// Unwraps an answer, which cannot be cancelled because nothing is written while it is computed.
fn told<T>(answer: Result<T, Cancelled>) -> T {
    match answer {
        Ok(value) => value,
        Err(Cancelled) => panic!("cancelled without a write"),
    }
}

fn note(all: &mut String, answer: &dyn Debug) {
    use std::fmt::Write as _;
    // Writing to a string cannot fail.
    let _ = writeln!(all, "{answer:?}");
}

/// Checks that, wherever both bounds are known, the lower one is not above the upper one, and that the first solution costs no more than
/// all.
fn bounds_agree(report: &PatternReport) {
    let variables: Vec<Var> = report.sizes.iter().map(|s| s.var).collect();
    let mut points: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in variables.iter().take(3) {
        points = (points.iter())
            .flat_map(|p| SIZES.map(move |size| p.iter().copied().chain([size]).collect()))
            .collect();
    }
    for point in points {
        // Sizes beyond the third are 1.
        let value = |v: Var| {
            let place = variables.iter().position(|w| *w == v)?;
            Some(BigInt::from(point.get(place).copied().unwrap_or(1)))
        };
        for piece in report.steps.iter().filter(|p| p.when.contains(&value)) {
            let sides = [
                (&piece.first.lower, &piece.first.upper),
                (&piece.all.lower, &piece.all.upper),
                (&piece.first.lower, &piece.all.upper),
            ];
            for (lower, upper) in sides {
                let (Bound::Finite(low), Bound::Finite(high)) = (lower, upper) else {
                    continue;
                };
                if let (Some(low), Some(high)) = (low.eval(&value), high.eval(&value)) {
                    assert!(low <= high, "{low} > {high} at {point:?} of {report:?}");
                }
            }
        }
    }
}
