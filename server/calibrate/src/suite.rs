//! Parses the calibrators of `calibrators.pl` and `mixed.pl`, the control programs of `controls.pl`, and the targets of `targets.pl`.
//!
//! ```prolog
//! %% tests_#: @ for each element, which holds
//! %: each integer(X) | atomic(X)
//! %: setup from_to(1, 100, L)
//! %: goal tests_#(L)
//! %: size 100
//! :- entry tests_#(A) : list(A, int).
//! tests_#([]).
//! tests_#([X|T]) :- @, tests_#(T).
//! ```
//!
//! A block with `each` is a template: it produces one calibrator for each text between the bars, which replaces `@`; `#` is replaced by its
//! number. (The *synthetic benchmarks* of PPDP'08 §5 are also generated from templates.)

use std::collections::BTreeMap;

use costlens_events::{Event, Index, Met, Vocabulary};

const CALIBRATORS: &str = include_str!("../calibrators.pl");
const MIXED: &str = include_str!("../mixed.pl");
const CONTROLS: &str = include_str!("../controls.pl");
const TARGETS: &str = include_str!("../targets.pl");
/// The counts of the programs of the last three files, one line each: the name, then `event=count` for each event and `met=count` for heads
/// and goals, separated by tabs.
const RUNS: &str = include_str!("../runs.tsv");
/// The counts of these programs on a system that indexes only the first argument.
const RUNS_BY_FIRST_ARGUMENT: &str = include_str!("../runs_by_first_argument.tsv");

/// A program with known events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calibrator {
    /// The name, for reports.
    pub name: String,
    /// The events that the program distinguishes, in a few words.
    pub purpose: String,
    /// Its clauses, with a declaration of the call pattern.
    pub clauses: String,
    /// The goal that binds the inputs; it is not measured.
    pub setup: String,
    /// The measured goal. All its solutions are computed.
    pub goal: String,
    /// The sizes of the arguments, in order; `None` for an argument without a relevant size.
    pub sizes: Vec<Option<u64>>,
}

impl Calibrator {
    /// Returns the clauses without their declarations, in a form that any Prolog system reads.
    #[must_use]
    pub fn program(&self) -> String {
        let lines = self.clauses.lines().filter(|line| !line.starts_with(":- "));
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    /// Returns the variables that the setup binds for the goal.
    #[must_use]
    pub fn inputs(&self) -> Vec<String> {
        let of_goal = variables(&self.goal);
        let mut found: Vec<&str> = Vec::new();
        for variable in variables(&self.setup) {
            if of_goal.contains(&variable) && !found.contains(&variable) {
                found.push(variable);
            }
        }
        found.into_iter().map(str::to_owned).collect()
    }
}

/// Returns the variables of a goal, ignoring quoted text.
fn variables(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words
        .filter(|w| w.starts_with(|c: char| c.is_ascii_uppercase()))
        .collect()
}

/// The error that a block is not a calibrator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("calibrator `{name}`: {what}")]
pub struct MalformedBlock {
    /// The name of the block.
    pub name: String,
    /// The kind of flaw.
    pub what: &'static str,
}

/// Returns the clauses that setups call, and the calibrators in order.
///
/// # Errors
/// Returns an error if a block lacks its goal, or if a size is not a number.
pub fn calibrators() -> Result<(String, Vec<Calibrator>), MalformedBlock> {
    programs(CALIBRATORS)
}

/// Returns the clauses that setups of larger calibrators call, and these calibrators in order. They are realistic programs, and
/// [`counts_of_runs`] has their events.
///
/// # Errors
/// Returns an error if a block lacks its goal, or if a size is not a number.
pub fn mixed() -> Result<(String, Vec<Calibrator>), MalformedBlock> {
    programs(MIXED)
}

/// Returns the clauses that setups of control programs call, and these programs in order. They are never fitted, and [`counts_of_runs`] has
/// their events.
///
/// # Errors
/// Returns an error if a block lacks its goal, or if a size is not a number.
pub fn controls() -> Result<(String, Vec<Calibrator>), MalformedBlock> {
    programs(CONTROLS)
}

/// Returns the clauses that setups of targets call, and these targets in order: the programs of PPDP'08 Table 7. They are never fitted, and
/// [`counts_of_runs`] has their events.
///
/// # Errors
/// Returns an error if a block lacks its goal, or if a size is not a number.
pub fn targets() -> Result<(String, Vec<Calibrator>), MalformedBlock> {
    programs(TARGETS)
}

/// The counts of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunCounts {
    /// The events that follow from the text of clauses.
    pub events: BTreeMap<Event, f64>,
    /// The numbers of tried heads and started goals, from which instructions follow.
    pub met: Vec<(Met, f64)>,
}

impl RunCounts {
    /// Parses `event=count` and `met=count`.
    #[must_use]
    pub fn read<'a>(parts: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut run = RunCounts::default();
        for part in parts {
            let (what, count) = part.rsplit_once('=')?;
            let (what, count) = (what.trim_end(), count.parse().ok()?);
            match what.parse() {
                Ok(met) => run.met.push((met, count)),
                Err(_) => drop(run.events.insert(what.parse().ok()?, count)),
            }
        }
        run.met.sort_by(|a, b| a.0.cmp(&b.0));
        Some(run)
    }
}

/// Returns the counts of a run of each program of [`mixed`], [`controls`] and [`targets`], by name.
///
/// # Errors
/// Returns an error if a line is malformed.
pub fn counts_of_runs(
    vocabulary: Vocabulary,
) -> Result<BTreeMap<String, RunCounts>, MalformedBlock> {
    let runs = match vocabulary.index() {
        Index::FirstArgument => RUNS_BY_FIRST_ARGUMENT,
        Index::JustInTime => RUNS,
    };
    let line = |line: &str| {
        let mut parts = line.split('\t');
        let name = parts.next().unwrap_or_default().to_owned();
        match RunCounts::read(parts) {
            Some(run) => Ok((name, run)),
            None => Err(MalformedBlock {
                name,
                what: "a count is no event with a number",
            }),
        }
    };
    runs.lines().map(line).collect()
}

fn programs(text: &str) -> Result<(String, Vec<Calibrator>), MalformedBlock> {
    let mut all = Vec::new();
    let mut shared = String::new();
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("%% ") {
            Some(heading) => blocks.push((heading, Vec::new())),
            None => {
                if let Some((_, lines)) = blocks.last_mut() {
                    lines.push(line);
                }
            }
        }
    }
    for (heading, lines) in blocks {
        let block = Block::read(heading, &lines);
        if block.name == "prelude" {
            shared = block.clauses;
            continue;
        }
        match block.each.clone() {
            None => all.push(block.calibrator("", "")?),
            Some(each) => {
                for (i, text) in each.split(" | ").enumerate() {
                    all.push(block.calibrator(text.trim(), &(i + 1).to_string())?);
                }
            }
        }
    }
    Ok((shared, all))
}

/// A block as written.
#[derive(Default)]
struct Block {
    name: String,
    purpose: String,
    each: Option<String>,
    setup: Option<String>,
    goal: Option<String>,
    size: String,
    clauses: String,
}

impl Block {
    fn read(heading: &str, lines: &[&str]) -> Self {
        let (name, purpose) = heading.split_once(':').unwrap_or((heading, ""));
        let mut block = Block {
            name: name.trim().to_owned(),
            purpose: purpose.trim().to_owned(),
            ..Block::default()
        };
        for line in lines {
            let Some(said) = line.strip_prefix("%: ") else {
                block.clauses.push_str(line);
                block.clauses.push('\n');
                continue;
            };
            let (key, value) = said.split_once(' ').unwrap_or((said, ""));
            let value = value.trim().to_owned();
            match key {
                "each" => block.each = Some(value),
                "setup" => block.setup = Some(value),
                "goal" => block.goal = Some(value),
                _ => block.size = value,
            }
        }
        block
    }

    fn calibrator(&self, text: &str, number: &str) -> Result<Calibrator, MalformedBlock> {
        let fill = |t: &str| t.replace('@', text).replace('#', number);
        let name = fill(&self.name);
        let wrong = |what| MalformedBlock {
            name: name.clone(),
            what,
        };
        let size = |word: &str| match word {
            "_" => Ok(None),
            number => (number.parse().map(Some)).map_err(|_| wrong("a size is no number")),
        };
        let sizes = self
            .size
            .split_whitespace()
            .map(size)
            .collect::<Result<_, _>>()?;
        Ok(Calibrator {
            purpose: fill(&self.purpose),
            clauses: fill(self.clauses.trim()),
            setup: fill(self.setup.as_deref().unwrap_or("true")),
            goal: fill(
                self.goal
                    .as_deref()
                    .ok_or_else(|| wrong("it has no goal"))?,
            ),
            sizes,
            name,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_are_many_and_each_has_a_name_of_its_own() {
        let (shared, all) = calibrators().unwrap();
        assert!(shared.contains("from_to("));
        let names: BTreeSet<&str> = all.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.len() >= 60, "{}", all.len());
        for c in &all {
            // `@<` and `@=<` are operators.
            let written = ["@<", "@>", "@=<"]
                .iter()
                .fold(c.clauses.clone(), |t, o| t.replace(o, ""));
            assert!(!written.contains(['@', '#']), "{}", c.clauses);
            assert!(c.clauses.contains(":- entry "), "{}", c.name);
        }
    }

    #[test]
    fn programs_whose_runs_are_counted_have_counts() {
        let (_, controls) = controls().unwrap();
        let (_, targets) = targets().unwrap();
        let (_, mixed) = mixed().unwrap();
        let counts = counts_of_runs(Vocabulary::Swi).unwrap();
        let by_first_argument = counts_of_runs(Vocabulary::FirstArgument).unwrap();
        assert!(counts.keys().eq(by_first_argument.keys()));
        assert!(controls.len() >= 40, "{}", controls.len());
        assert_eq!(targets.len(), 15);
        assert_eq!(controls.len() + mixed.len() + targets.len(), counts.len());
        let (_, calibrators) = calibrators().unwrap();
        for c in controls.iter().chain(&mixed).chain(&targets) {
            assert!(counts[&c.name].events[&Event::Step] > 0.0, "{}", c.name);
            assert!(!calibrators.iter().any(|other| other.name == c.name));
        }
    }

    #[test]
    fn templates_are_filled_in() {
        let (_, all) = calibrators().unwrap();
        let c = all.iter().find(|c| c.name == "tests_2").unwrap();
        assert_eq!(c.goal, "tests_2(L)");
        assert_eq!(c.sizes, [Some(100)]);
        assert_eq!(c.inputs(), ["L"]);
        assert!(
            c.clauses.contains("atomic(X), tests_2(T)."),
            "{}",
            c.clauses
        );
    }
}
