//! Parses the file that the SWI-Prolog library writes: a JSON line for each run, and a JSON line for each process with its program.
//!
//! ```text
//! {"costlens":1,"process":"71-4604318","engine":"SWI-Prolog 9.0.4","files":[["/p.pl",1764216000123]]}
//! {"process":"71-4604318","at":1764216001,"predicate":"nrev","arity":2,"succeeded":true,"cpu":2737,"wall":2384,"inferences":1,"inputs":[[1,"length",0]]}
//! ```
//!
//! Times are in nanoseconds, file times in milliseconds since 1970.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use costlens_history::{InputName, InputValue, Inputs, Measure};
use serde::Deserialize;
use serde_json::Value;

/// The supported version of the lines.
const VERSION: u64 = 1;
/// The tolerance for file times, which are rounded to the millisecond.
const ROUNDED: u64 = 2;

/// A process and its program.
#[derive(Clone, Debug, Deserialize)]
struct Process {
    costlens: u64,
    process: String,
    engine: String,
    files: Vec<(PathBuf, u64)>,
}

/// A run.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct RunLine {
    process: String,
    pub(super) at: i64,
    pub(super) predicate: String,
    pub(super) arity: usize,
    pub(super) succeeded: bool,
    pub(super) cpu: u64,
    pub(super) inferences: u64,
    inputs: Vec<(usize, String, Value)>,
    /// The original line, which is written back if it is not imported.
    #[serde(skip)]
    text: String,
}

/// The lines of a file.
#[derive(Debug, Default)]
pub(super) struct FileLines {
    processes: BTreeMap<String, (Process, String)>,
    pub(super) runs: Vec<RunLine>,
    /// The number of lines that are malformed or have an unsupported version.
    pub(super) malformed: usize,
}

/// The state of a run's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramState<'l> {
    /// The program is unchanged. Contains the engine.
    Present(&'l str),
    /// A file of the program has changed since the run.
    Changed,
    /// The run belongs to another program.
    Other,
}

impl FileLines {
    pub(super) fn read(text: &str) -> Self {
        let mut lines = FileLines::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if let Ok(process) = serde_json::from_str::<Process>(line) {
                if process.costlens == VERSION {
                    let name = process.process.clone();
                    lines.processes.insert(name, (process, line.to_owned()));
                    continue;
                }
            } else if let Ok(run) = serde_json::from_str::<RunLine>(line)
                && lines.processes.contains_key(&run.process)
            {
                lines.runs.push(RunLine {
                    text: line.to_owned(),
                    ..run
                });
                continue;
            }
            lines.malformed += 1;
        }
        lines
    }

    /// Returns the state of a run's program; `files` are the program's current files.
    pub(super) fn state(&self, line: &RunLine, files: &[PathBuf]) -> ProgramState<'_> {
        let Some((process, _)) = self.processes.get(&line.process) else {
            return ProgramState::Other;
        };
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let own: Vec<(PathBuf, u64)> = { process.files.iter() }
            .map(|(file, time)| (real(file), *time))
            .filter(|(file, _)| files.contains(file))
            .collect();
        if own.is_empty() {
            return ProgramState::Other;
        }
        let is_same = |(file, time): &(PathBuf, u64)| {
            modified(file).is_some_and(|now| now.abs_diff(*time) <= ROUNDED)
        };
        match own.iter().all(is_same) {
            true => ProgramState::Present(&process.engine),
            false => ProgramState::Changed,
        }
    }

    /// Returns the original lines of runs, with the lines of their processes.
    pub(super) fn text_of(&self, runs: &[&RunLine]) -> String {
        let mut out = String::new();
        let mut last = None;
        for run in runs {
            if last != Some(&run.process) {
                let process = self.processes.get(&run.process);
                out.extend(process.map(|(_, line)| format!("{line}\n")));
                last = Some(&run.process);
            }
            out.push_str(&run.text);
            out.push('\n');
        }
        out
    }
}

/// Returns the modification time of a file.
fn modified(file: &Path) -> Option<u64> {
    let time = std::fs::metadata(file).ok()?.modified().ok()?;
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}

impl RunLine {
    /// Returns the inputs, ignoring unknown measures.
    pub(super) fn inputs(&self) -> Inputs {
        let input = |(argument, word, value): &(usize, String, Value)| {
            let name = InputName {
                argument: *argument,
                measure: Measure::from_word(word)?,
            };
            let value = match (value, name.measure) {
                (Value::String(text), Measure::Name) => InputValue::of_name(text),
                (value, Measure::Name) => InputValue::of_name(&value.to_string()),
                (value, _) => InputValue::Number(value.as_f64().filter(|v| v.is_finite())?),
            };
            Some((name, value))
        };
        self.inputs.iter().filter_map(input).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"costlens":1,"process":"a","engine":"SWI-Prolog 9.0.4","files":[["/nowhere/p.pl",5]]}
{"process":"a","at":1,"predicate":"p","arity":2,"succeeded":true,"cpu":10,"wall":12,"inferences":7,"inputs":[[1,"length",3],[2,"name","red"],[2,"odd",1]]}
{"process":"unknown","at":1,"predicate":"p","arity":2,"succeeded":true,"cpu":10,"wall":12,"inferences":7,"inputs":[]}
{"costlens":2,"process":"b","engine":"x","files":[]}
broken
"#;

    #[test]
    fn lines_are_read_and_put_back() {
        let lines = FileLines::read(TEXT);
        assert_eq!((lines.runs.len(), lines.malformed), (1, 3));
        let run = &lines.runs[0];
        let inputs: Vec<String> = run.inputs().iter().map(|(n, _)| n.to_string()).collect();
        assert_eq!(inputs, ["length(1)", "name(2)"]);
        let back = lines.text_of(&[run]);
        assert_eq!(
            back,
            TEXT.lines()
                .take(2)
                .fold(String::new(), |all, l| all + l + "\n")
        );
        assert_eq!(lines.state(run, &["/other.pl".into()]), ProgramState::Other);
        // A deleted file counts as changed.
        assert_eq!(
            lines.state(run, &["/nowhere/p.pl".into()]),
            ProgramState::Changed
        );
    }
}
