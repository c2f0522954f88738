//! The two available versions of SWI-Prolog: 9.0.4 is installed, and 10.1.10 runs in Node.

use std::path::Path;
use std::process::{Command, Stdio};

use super::root;

/// The output of a program that succeeded.
pub(super) struct Printed {
    pub(super) text: String,
    errors: String,
}

impl Printed {
    /// Returns the output of a program that wrote no messages.
    pub(super) fn without_messages(self) -> String {
        assert!(self.errors.is_empty(), "{}\n{}", self.text, self.errors);
        self.text
    }
}

/// Runs a program. Returns `None` if the engine is missing, which CI must have.
#[expect(clippy::print_stderr, reason = "reports a skipped test")]
fn printed(command: &mut Command, needs: &str, is_there: bool) -> Option<Printed> {
    command.stdin(Stdio::null());
    let out = match is_there {
        true => command.output().ok(),
        false => None,
    };
    let Some(out) = out else {
        assert!(std::env::var_os("CI").is_none(), "{needs}, and CI is set");
        eprintln!("skipped: {needs}");
        return None;
    };
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let errors = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{text}\n{errors}");
    Some(Printed { text, errors })
}

/// Runs a program of `tests/trust` with these arguments in the installed SWI-Prolog.
pub(super) fn installed<S: AsRef<std::ffi::OsStr>>(
    program: &str,
    arguments: &[S],
) -> Option<Printed> {
    let mut command = Command::new("swipl");
    command
        .arg(root().join("tests/trust").join(program))
        .arg("--")
        .args(arguments);
    printed(&mut command, "swipl is not installed", true)
}

/// Runs a goal of a program of `tests/trust` in SWI-Prolog 10.1, with paths for its places (`tests/trust/wasm/run.mjs`).
pub(super) fn in_node<P: AsRef<Path>>(program: &str, goal: &str, paths: &[P]) -> Option<Printed> {
    let folder = root().join("tests/trust/wasm");
    let is_there = folder.join("node_modules/swipl-wasm").is_dir();
    let mut command = Command::new("node");
    command
        .arg(folder.join("run.mjs"))
        .arg(root().join("tests/trust").join(program))
        .arg(goal)
        .args(paths.iter().map(AsRef::as_ref));
    let needs = "swipl-wasm is not installed (`npm ci` in tests/trust/wasm)";
    printed(&mut command, needs, is_there)
}

/// Returns whether SWI-Prolog is installed, which CI must have.
#[expect(clippy::print_stderr, reason = "reports a skipped test")]
pub(super) fn is_installed() -> bool {
    let found = Command::new("swipl").arg("--version").output().is_ok();
    if !found {
        assert!(
            std::env::var_os("CI").is_none(),
            "swipl is not installed, and CI is set"
        );
        eprintln!("skipped: swipl is not installed");
    }
    found
}
