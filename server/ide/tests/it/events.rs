//! Compares bounds on events with counts of runs in SWI-Prolog: lower ≤ counted ≤ upper, and usually equality. Skipped if `swipl` is missing.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use costlens_algebra::rat;
use costlens_compile::code::ClauseText;
use costlens_compile::instructions;
use costlens_events::{Event, Index, Met, Vocabulary};
use costlens_ide::host::Host;
use costlens_ide::present::values::{BoundValue, GivenSize, steps_at};
use costlens_ide::reports::bounds::PredicateBounds;
use costlens_ide::resources::Resource;
use costlens_syntax::read_text;

/// A run: the predicate, the size of its first argument, whether all solutions were requested, and the number of each event.
struct Run {
    predicate: String,
    size: i64,
    all: bool,
    counts: BTreeMap<Event, i64>,
}

/// Parses a line of counts. If requested, the kinds of heads and goals in it are converted to instructions.
fn run(line: &str, instructions: impl Fn(&[(Met, f64)]) -> BTreeMap<Event, f64>) -> Run {
    let parts: Vec<&str> = line.split('|').collect();
    let (mut counts, mut met) = (BTreeMap::new(), Vec::new());
    let pairs = parts[3].trim_matches(['[', ']']).split(',');
    for pair in pairs.filter(|c| !c.is_empty()) {
        let (what, n) = pair.rsplit_once('=').unwrap();
        match what.parse() {
            Ok(what) => met.push((what, n.parse().unwrap())),
            Err(_) => drop(counts.insert(what.parse().unwrap(), n.parse().unwrap())),
        }
    }
    let of_met = instructions(&met).into_iter();
    counts.extend(of_met.map(|(event, n)| (event, n as i64)));
    Run {
        predicate: parts[0].to_owned(),
        size: parts[1].parse().unwrap(),
        all: parts[2] == "all",
        counts,
    }
}

#[test]
fn counted_events_lie_between_their_bounds() {
    lie_between_their_bounds(Vocabulary::HighLevel);
}

#[test]
fn portable_events_lie_between_their_bounds() {
    lie_between_their_bounds(Vocabulary::Portable);
    lie_between_their_bounds(Vocabulary::FirstArgument);
}

#[test]
fn instructions_of_swi_prolog_lie_between_their_bounds() {
    lie_between_their_bounds(Vocabulary::Swi);
    lie_between_their_bounds(Vocabulary::SwiOptimised);
}

#[test]
fn instructions_of_gnu_prolog_lie_between_their_bounds() {
    lie_between_their_bounds(Vocabulary::Gnu);
}

fn lie_between_their_bounds(vocabulary: Vocabulary) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/events");
    let mut command = Command::new("swipl");
    command.args(["count.pl", "--", "programs.pl"]);
    if vocabulary.is_portable() {
        command.arg("profile");
    }
    if vocabulary.index() == Index::FirstArgument {
        command.arg("first");
    }
    let Ok(output) = command.current_dir(&folder).output() else {
        return;
    };
    let programs = std::fs::read_to_string(folder.join("programs.pl")).unwrap();
    let read = read_text(&programs);
    let clauses: Vec<ClauseText<'_>> = (read.clauses.iter())
        .map(|c| match c.terms.matches(c.root, ":-", 2) {
            Some(&[head, body]) => ClauseText::rule(&c.terms, head, Some(body)),
            _ => ClauseText::rule(&c.terms, c.root, None),
        })
        .collect();
    let of_met = |met: &[(Met, f64)]| instructions(met, &clauses, vocabulary);
    let text = String::from_utf8(output.stdout).unwrap();
    let runs: Vec<Run> = text.lines().map(|l| run(l, of_met)).collect();
    assert!(runs.len() > 400, "{}", runs.len());

    let mut host = Host::new();
    let file = host.open("programs.pl", &programs);
    let snapshot = host.snapshot();
    let mut bounds: BTreeMap<Event, Vec<PredicateBounds>> = BTreeMap::new();
    for event in runs.iter().flat_map(|r| r.counts.keys()) {
        bounds.entry(event.clone()).or_insert_with(|| {
            let resource = match vocabulary.is_portable() && *event != Event::Step {
                true => Resource::Among(event.clone(), vocabulary),
                false => Resource::Event(event.clone()),
            };
            snapshot.resource_bounds(file, &resource).unwrap()
        });
    }
    let (mut compared, mut exact) = (0, 0);
    for run in &runs {
        let given = GivenSize {
            argument: 1,
            element: false,
            name: None,
            metric: None,
            value: run.size.into(),
        };
        // Events that occur only in other programs must have a count of zero.
        for (event, bounds) in &bounds {
            let found = bounds
                .iter()
                .find(|p| p.report.predicate.to_string() == run.predicate);
            let pattern = &found.unwrap().report.patterns[0];
            let at = steps_at(pattern, std::slice::from_ref(&given));
            let values = if run.all { at.all } else { at.first };
            let counted = rat(run.counts.get(event).copied().unwrap_or(0));
            let wrong = format!(
                "{} of size {}, all: {}: {event} {counted}, bounds {values:?}",
                run.predicate, run.size, run.all
            );
            match &values.lower {
                BoundValue::Exact(lower) => assert!(*lower <= counted, "{wrong}"),
                BoundValue::Infinite => panic!("{wrong}"),
                BoundValue::Unknown => {}
            }
            if let BoundValue::Exact(upper) = &values.upper {
                assert!(counted <= *upper, "{wrong}");
            }
            compared += 1;
            exact += i32::from(values.lower == values.upper);
        }
    }
    // Without this check, the test would pass if nothing was compared.
    assert!(
        compared > 5_000 && exact * 10 > compared * 7,
        "{exact} of {compared}"
    );
}
