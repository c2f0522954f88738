//! The events of calibrators, as proved by inference, and of larger programs, as counted in runs.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail};
use costlens_analysis::report::Functor;
use costlens_calibrate::{Calibrator, RunCounts};
use costlens_compile::code::ClauseText;
use costlens_compile::instructions;
use costlens_engines::Workload;
use costlens_events::{Event, Vocabulary};
use costlens_ide::host::Host;
use costlens_ide::present::values::{GivenSize, StepsAt};
use costlens_syntax::read_text;

use super::embedded;
use crate::cli::interrupted;

/// Returns a program as a workload.
pub(super) fn workload(shared: &str, program: &Calibrator) -> Workload {
    Workload {
        name: program.name.clone(),
        clauses: format!("{shared}\n{}", program.program()),
        goal: program.goal.clone(),
        setup: program.setup.clone(),
        inputs: program.inputs(),
    }
}

/// Counts the events of each calibrator over all solutions of its goal. Inputs are chosen so that upper bounds are attained; a test
/// compares the bounds with counted runs.
pub(super) fn counted(
    shared: &str,
    calibrators: &[Calibrator],
    vocabulary: Vocabulary,
) -> anyhow::Result<Vec<BTreeMap<Event, f64>>> {
    let mut all = Vec::new();
    for (calibrator, found) in calibrators
        .iter()
        .zip(bounds(shared, calibrators, vocabulary)?)
    {
        if found.is_empty() {
            bail!(
                "calibrator `{}`: nothing of its events is known",
                calibrator.name
            );
        }
        let mut counts = BTreeMap::new();
        for (event, at) in found {
            let Some(count) = at.all.upper.at_least() else {
                bail!(
                    "calibrator `{}`: no bound on `{event}` is known",
                    calibrator.name
                );
            };
            if count > 0.0 {
                counts.insert(event, count);
            }
        }
        all.push(counts);
    }
    Ok(all)
}

/// Returns the bounds on the events of each calibrator's goal, evaluated at its sizes.
fn bounds(
    shared: &str,
    calibrators: &[Calibrator],
    vocabulary: Vocabulary,
) -> anyhow::Result<Vec<Vec<(Event, StepsAt)>>> {
    let clauses: Vec<&str> = calibrators.iter().map(|c| c.clauses.as_str()).collect();
    let mut host = Host::new();
    let file = host.open(
        "calibrators.pl",
        &format!("{shared}\n{}", clauses.join("\n")),
    );
    let snapshot = host.snapshot();
    let of = |calibrator: &Calibrator| {
        let predicate = called(calibrator)?;
        let sizes: Vec<GivenSize> = (calibrator.sizes.iter().enumerate())
            .filter_map(|(i, size)| {
                Some(GivenSize {
                    argument: i + 1,
                    element: false,
                    name: None,
                    metric: None,
                    value: (*size)?.into(),
                })
            })
            .collect();
        (snapshot.counts(file, &predicate, vocabulary, &sizes))
            .map_err(interrupted)?
            .with_context(|| format!("calibrator `{}`: no `{predicate}`", calibrator.name))
    };
    calibrators.iter().map(of).collect()
}

/// Counts the events of calibrators on the embedded machine, which counts its own instructions. The work of built-ins is taken from
/// inference. A program that the machine cannot run (it opens no files) has no counts.
pub(super) fn on_machine(
    shared: &str,
    calibrators: &[Calibrator],
) -> anyhow::Result<Vec<BTreeMap<Event, f64>>> {
    let all = counted(shared, calibrators, Vocabulary::Portable)?;
    let of =
        |(calibrator, counts)| counts_on_machine(shared, calibrator, counts).unwrap_or_default();
    Ok(calibrators.iter().zip(all).map(of).collect())
}

/// Returns the events of a run on the embedded machine, including the counted work of built-ins.
fn counts_on_machine(
    shared: &str,
    program: &Calibrator,
    mut counted: BTreeMap<Event, f64>,
) -> anyhow::Result<BTreeMap<Event, f64>> {
    counted.retain(|event, _| matches!(event, Event::Work(..)));
    let run = embedded::counts(&workload(shared, program));
    counted.extend(run.with_context(|| format!("calibrator `{}`", program.name))?);
    Ok(counted)
}

/// Returns the events of a program's run, with instructions if the vocabulary has them.
pub(super) fn of_run(
    shared: &str,
    program: &Calibrator,
    run: &RunCounts,
    vocabulary: Vocabulary,
) -> BTreeMap<Event, f64> {
    let mut counts = run.events.clone();
    if vocabulary == Vocabulary::Machine {
        // A program that the machine cannot run has no time either.
        return counts_on_machine(shared, program, counts).unwrap_or_default();
    }
    let read = read_text(&format!("{shared}\n{}", program.program()));
    let clauses: Vec<ClauseText<'_>> = (read.clauses.iter())
        .map(|c| match c.terms.matches(c.root, ":-", 2) {
            Some(&[head, body]) => ClauseText::rule(&c.terms, head, Some(body)),
            _ => ClauseText::rule(&c.terms, c.root, None),
        })
        .collect();
    counts.extend(instructions(&run.met, &clauses, vocabulary));
    counts
}

/// Returns the predicate that a calibrator's goal calls.
fn called(calibrator: &Calibrator) -> anyhow::Result<Functor> {
    let read = read_text(&format!("{}.", calibrator.goal));
    let goal = read.clauses.first();
    let functor = goal.and_then(|g| {
        g.terms
            .functor(g.root)
            .map(|(n, a)| Functor::new(n.clone(), a))
    });
    functor.with_context(|| format!("calibrator `{}`: its goal is no call", calibrator.name))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use costlens_calibrate::{calibrators, controls, counts_of_runs, mixed, targets};
    use costlens_events::Index;

    use super::*;

    /// Returns the counts of the meta-interpreter in `tests/events`, by program name, with the given options of the event counter. Returns
    /// `None` if `swipl` is missing, except in CI.
    fn counted_in_runs(
        shared: &str,
        all: &[Calibrator],
        options: &[&str],
    ) -> Option<BTreeMap<String, RunCounts>> {
        let folder = tempfile::tempdir().unwrap();
        let programs: Vec<String> = all.iter().map(Calibrator::program).collect();
        let goals: Vec<String> = (all.iter())
            .map(|c| format!("goal({}, ({}), ({})).", c.name, c.setup, c.goal))
            .collect();
        let write = |name: &str, lines: &[String]| {
            let path = folder.path().join(name);
            std::fs::write(&path, lines.join("\n")).unwrap();
            path
        };
        let programs = write("programs.pl", &[vec![shared.to_owned()], programs].concat());
        let goals = write("goals.pl", &goals);
        let counter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/events/count.pl");
        let Ok(output) = (Command::new("swipl").arg(counter).arg("--"))
            .args([programs, goals])
            .args(options)
            .output()
        else {
            assert!(std::env::var_os("CI").is_none(), "swipl is not installed");
            return None;
        };
        let text = String::from_utf8(output.stdout).unwrap();
        let line = |line: &str| {
            let parts: Vec<&str> = line.splitn(4, '|').collect();
            let pairs = parts[3].trim_matches(['[', ']']).split(',');
            (parts[0].to_owned(), RunCounts::read(pairs).unwrap())
        };
        let found: BTreeMap<_, _> = text.lines().map(line).collect();
        assert_eq!(found.len(), all.len());
        Some(found)
    }

    /// Returns the event counter's options for a vocabulary.
    fn option(vocabulary: Vocabulary) -> &'static [&'static str] {
        match vocabulary.index() {
            Index::FirstArgument => &["profile", "first"],
            Index::JustInTime => &["profile"],
        }
    }

    #[test]
    fn counts_of_calibrators_are_those_of_runs() {
        let (shared, all) = calibrators().unwrap();
        for of in [
            &[
                Vocabulary::Portable,
                Vocabulary::Swi,
                Vocabulary::SwiOptimised,
            ][..],
            &[Vocabulary::FirstArgument, Vocabulary::Gnu],
        ] {
            let Some(runs) = counted_in_runs(&shared, &all, option(of[0])) else {
                return;
            };
            for &vocabulary in of {
                let counts = counted(&shared, &all, vocabulary).unwrap();
                let mut wrong = Vec::new();
                for (calibrator, counts) in all.iter().zip(counts) {
                    let run = of_run(&shared, calibrator, &runs[&calibrator.name], vocabulary);
                    // Inference follows the goals that `phrase/3` calls, but the code of SWI-Prolog and GNU Prolog calls `phrase/3`.
                    let is_rewritten = calibrator.clauses.contains("phrase(");
                    let is_compared = |event: &&Event| {
                        !(is_rewritten && matches!(event, Event::Swi(..) | Event::Gnu(..)))
                    };
                    for event in run.keys().chain(counts.keys()).filter(is_compared) {
                        let at = |of: &BTreeMap<Event, f64>| of.get(event).copied().unwrap_or(0.0);
                        if at(&run) != at(&counts) {
                            let pair = (at(&run), at(&counts));
                            wrong.push(format!("{} {event} {pair:?}", calibrator.name));
                        }
                    }
                }
                assert!(wrong.is_empty(), "{vocabulary:?}: {wrong:#?}");
            }
        }
    }

    #[test]
    fn a_calibrator_of_which_nothing_is_known_is_refused() {
        let unknown = Calibrator {
            name: "changes".into(),
            purpose: String::new(),
            clauses: ":- entry changes(A) : list(A, int).\nchanges([]).\nchanges([X|T]) :- Y = f(a), setarg(1, Y, X), changes(T).".into(),
            setup: "true".into(),
            goal: "changes(L)".into(),
            sizes: vec![Some(10)],
        };
        let error = counted("", &[unknown], Vocabulary::Portable).unwrap_err();
        assert!(error.to_string().contains("`changes`"), "{error}");
    }

    #[test]
    fn counts_on_the_machine_lie_within_their_bounds() {
        // Runs also count the call of the goal in the surrounding loop.
        const OF_THE_CALL: f64 = 10.0;
        let (shared, all) = calibrators().unwrap();
        let found = bounds(&shared, &all, Vocabulary::Machine).unwrap();
        let runs = on_machine(&shared, &all).unwrap();
        let (mut exact, mut left_out) = (0, 0);
        for ((calibrator, found), run) in all.iter().zip(found).zip(runs) {
            if run.is_empty() {
                // The machine cannot run this program.
                left_out += 1;
                continue;
            }
            let mut is_exact = true;
            let of_machine = |e: &Event| matches!(e, Event::Machine(..) | Event::Builtin(..));
            for (event, at) in found.into_iter().filter(|(e, _)| of_machine(e)) {
                let (lower, upper) = (at.all.lower.at_most(), at.all.upper.at_least());
                let run = run.get(&event).copied().unwrap_or(0.0);
                let what = format!("{} {event}: {run}, {lower:?} to {upper:?}", calibrator.name);
                assert!(lower.is_none_or(|lower| lower <= run), "{what}");
                assert!(
                    upper.is_none_or(|upper| run <= upper + OF_THE_CALL),
                    "{what}"
                );
                is_exact &= upper.is_some_and(|upper| upper <= run + OF_THE_CALL);
            }
            exact += usize::from(is_exact);
        }
        // Inference does not follow the inner work of built-ins, including those that collect solutions or clean up. The number of exact
        // bounds must not decrease.
        assert!(exact >= 112, "{exact} of {}", all.len());
        assert!(20 * left_out < 2 * all.len(), "{left_out} do not run");
    }

    #[test]
    fn counts_of_larger_programs_are_those_of_runs() {
        for vocabulary in [Vocabulary::Swi, Vocabulary::Gnu] {
            larger_programs_run_as_stored(vocabulary);
        }
    }

    /// Asserts that the stored file agrees with the counts of runs, and that inference agrees if a control program has sizes.
    /// UPDATE_EXPECT=1 writes the file.
    fn larger_programs_run_as_stored(vocabulary: Vocabulary) {
        let (shared, controls) = controls().unwrap();
        let (shared_by_mixed, mixed) = mixed().unwrap();
        let Some(mut runs) = counted_in_runs(&shared, &controls, option(vocabulary)) else {
            return;
        };
        let of_mixed = counted_in_runs(&shared_by_mixed, &mixed, option(vocabulary));
        runs.extend(of_mixed.unwrap());
        let (shared_by_targets, targets) = targets().unwrap();
        let of_targets = counted_in_runs(&shared_by_targets, &targets, option(vocabulary));
        runs.extend(of_targets.unwrap());
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            let line = |c: &Calibrator| {
                let RunCounts { events, met } = &runs[&c.name];
                let events = events.iter().map(|(e, n)| format!("\t{e}={n}"));
                let met = met.iter().map(|(m, n)| format!("\t{m}={n}"));
                format!("{}{}\n", c.name, events.chain(met).collect::<String>())
            };
            let text: String = (mixed.iter().chain(&controls).chain(&targets))
                .map(line)
                .collect();
            let name = match vocabulary.index() {
                Index::FirstArgument => "runs_by_first_argument.tsv",
                Index::JustInTime => "runs.tsv",
            };
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../calibrate");
            std::fs::write(folder.join(name), text).unwrap();
            return;
        }
        assert_eq!(counts_of_runs(vocabulary).unwrap(), runs);
        let exact: Vec<Calibrator> = controls
            .into_iter()
            .filter(|c| !c.sizes.is_empty())
            .collect();
        assert!(!exact.is_empty());
        let counts = counted(&shared, &exact, vocabulary).unwrap();
        for (control, counts) in exact.iter().zip(counts) {
            let run = of_run(&shared, control, &runs[&control.name], vocabulary);
            assert_eq!(run, counts, "{}", control.name);
        }
    }
}
