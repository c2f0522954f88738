//! Runs to store, and writers in separate processes.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;

use costlens_history::store::{History, Limits};
use costlens_history::{InputName, InputValue, Measure, Run, RunBlock};

/// The environment variable that names the file for a writing process.
pub(crate) const FILE: &str = "COSTLENS_HISTORY_TEST_FILE";

/// Returns a run that is identified by its number.
pub(crate) fn run(number: i64, code: &str) -> Run {
    let blocks = (0..30).map(|b| {
        let block = RunBlock {
            name: format!("p/1 clause {b}: head").into(),
            events: vec![("get_list".into(), 1), ("steps".into(), 1)],
            fails: vec!["get_list".into()],
        };
        (block, number.unsigned_abs() * 1000 + b, b)
    });
    Run {
        predicate: ("p".into(), 1),
        code: code.to_owned(),
        at: number,
        source: "run".to_owned(),
        all: false,
        succeeded: true,
        platform: "embedded".to_owned(),
        ns: number.unsigned_abs(),
        inputs: vec![(
            InputName {
                argument: 1,
                measure: Measure::Int,
            },
            InputValue::Number(f64::from(u32::try_from(number).unwrap())),
        )],
        counts: blocks.collect(),
        amounts: vec![("heap_cells".into(), 7)],
    }
}

pub(crate) fn open(path: &Path) -> History {
    History::open(path, &Limits::default(), SystemTime::now())
        .unwrap()
        .0
}

/// Returns the numbers of the runs of a code version.
pub(crate) fn numbers(path: &Path, code: &str) -> Vec<i64> {
    let history = History::read(path).unwrap();
    let runs = history.runs(&("p".into(), 1), code, false).unwrap();
    runs.runs.iter().map(|r| r.at).collect()
}

/// Returns a command that runs this test program as a writer of a file; the shell command must end with `exec`.
pub(crate) fn writer(path: &Path, shell: &str) -> Child {
    Command::new("sh")
        .arg("-c")
        .arg(format!("{shell} \"$0\" \"$@\""))
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "killed::a_writer",
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(FILE, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}
