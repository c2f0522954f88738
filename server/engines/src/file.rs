//! Generates the program that an engine runs: its prelude, the driver, and the workloads with their loops.

use std::fmt::Write;

use crate::random::Random;
use crate::text::Renamed;
use crate::timed::Plan;

/// The driver, which is the same for all engines.
const DRIVER: &str = include_str!("driver.pl");

/// The number of windows in a round.
const ROUND: u32 = 5;

/// The engine-specific parts of a program's text.
#[derive(Clone, Debug)]
pub(crate) struct Dialect {
    /// The beginning of the file, which defines `cl_clock/1` in seconds.
    pub(crate) prelude: String,
    /// The generator of the loop: a goal that succeeds `{n}` times.
    pub(crate) count: &'static str,
    /// The end of the file.
    pub(crate) start: &'static str,
}

/// A workload in a program.
pub(crate) struct WorkloadText<'a> {
    pub(crate) number: usize,
    pub(crate) inputs: &'a [String],
    pub(crate) text: &'a Renamed,
    /// The number of repetitions, as determined by an earlier process.
    pub(crate) repetitions: Option<u64>,
}

/// Returns the prefix of a workload's predicates.
pub(crate) fn prefix(number: usize) -> String {
    format!("w{number}_")
}

/// Returns the number of rounds of a plan.
pub(crate) fn rounds(plan: &Plan) -> u32 {
    plan.windows.div_ceil(windows(plan)).max(1)
}

/// Returns the number of windows of a workload in a round.
fn windows(plan: &Plan) -> u32 {
    plan.windows.clamp(1, ROUND)
}

/// Returns the program of one process, with its own order of workloads for both clauses and rounds. A program without rounds only loads,
/// and then ends.
pub(crate) fn program(
    dialect: &Dialect,
    works: &[WorkloadText],
    plan: &Plan,
    rounds: u32,
    random: &mut Random,
) -> String {
    let mut order: Vec<&WorkloadText> = works.iter().collect();
    random.shuffle(&mut order);
    let mut empties: Vec<usize> = works.iter().map(|work| work.inputs.len()).collect();
    empties.sort_unstable();
    empties.dedup();
    let mut turns: Vec<String> = (order.iter().map(|work| format!("goal({})", work.number)))
        .chain(empties.iter().map(|k| format!("empty({k})")))
        .collect();
    random.shuffle(&mut turns);

    let windows = windows(plan);
    let mut to = format!("{}\n{DRIVER}\n", dialect.prelude);
    // Writing to a string cannot fail.
    let _ = writeln!(
        to,
        "cl_plan({rounds}, {windows}, {:?}).",
        plan.window.as_secs_f64()
    );
    // A single clause that lists all turns would need more registers than GNU Prolog has, and GNU Prolog would not report this.
    for turn in &turns {
        let _ = writeln!(to, "cl_turn({turn}).");
    }
    // The driver calls these predicates even without workloads.
    if turns.is_empty() {
        to.push_str("cl_turn(_) :- fail.\ncl_setup(_, _) :- fail.\ncl_run(_, _, _) :- fail.\n");
    }
    let _ = writeln!(to, "cl_known(none, 0).");
    for work in &order {
        if let Some(n) = work.repetitions {
            let _ = writeln!(to, "cl_known(goal({}), {n}).", work.number);
        }
    }
    for work in &order {
        let _ = writeln!(to, "{}", work.text.clauses);
    }
    loops(&mut to, dialect, &order, &empties);
    to.push_str(dialect.start);
    to.push('\n');
    to
}

/// Writes the loops. Each text of a workload is followed by a line break, since it may end with a comment.
fn loops(to: &mut String, dialect: &Dialect, order: &[&WorkloadText], empties: &[usize]) {
    let count = dialect.count;
    for work in order {
        let (name, arguments) = (looped(work.number), arguments(work.inputs));
        let goal = &work.text.goal;
        let _ = writeln!(to, "{name}(Cl_N{arguments}) :- {count}, ({goal}\n), fail.");
        let _ = writeln!(to, "{name}(_{}).", ", _".repeat(work.inputs.len()));
    }
    for &k in empties {
        let arguments = ", _".repeat(k);
        let _ = writeln!(to, "cl_empty_{k}(Cl_N{arguments}) :- {count}, true, fail.");
        let _ = writeln!(to, "cl_empty_{k}(_{arguments}).");
    }
    for work in order {
        let (number, setup) = (work.number, &work.text.setup);
        let _ = writeln!(
            to,
            "cl_setup(goal({number}), i{}) :- ({setup}\n).",
            packed(work.inputs)
        );
    }
    for &k in empties {
        let _ = writeln!(
            to,
            "cl_setup(empty({k}), i{}).",
            packed(&vec!["none".to_owned(); k])
        );
    }
    for work in order {
        let (number, name, packed) = (work.number, looped(work.number), packed(work.inputs));
        let _ = writeln!(
            to,
            "cl_run(goal({number}), Cl_N, i{packed}) :- {name}(Cl_N{}).",
            arguments(work.inputs)
        );
    }
    for &k in empties {
        let inputs: Vec<String> = (0..k).map(|i| format!("I{i}")).collect();
        let _ = writeln!(
            to,
            "cl_run(empty({k}), Cl_N, i{}) :- cl_empty_{k}(Cl_N{}).",
            packed(&inputs),
            arguments(&inputs)
        );
    }
}

/// Returns the name of the predicate that repeats a goal. It cannot clash with predicates of workloads, which begin with a workload's
/// prefix.
fn looped(number: usize) -> String {
    format!("cl_loop_{number}")
}

fn arguments(inputs: &[String]) -> String {
    inputs.iter().map(|input| format!(", {input}")).collect()
}

fn packed(inputs: &[String]) -> String {
    if inputs.is_empty() {
        String::new()
    } else {
        format!("({})", inputs.join(", "))
    }
}
