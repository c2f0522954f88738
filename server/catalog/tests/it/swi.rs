//! Runs scripts in an installed SWI-Prolog.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns what a script of this folder prints for a text on its standard input. Without `swipl`, prints a note and returns `None`, unless
/// `CI` is set.
#[expect(clippy::print_stderr, reason = "reports a skipped test")]
pub(crate) fn printed(script: &str, input: &str) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it")
        .join(script);
    let child = Command::new("swipl")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        assert!(
            std::env::var_os("CI").is_none(),
            "swipl is not installed, and CI is set"
        );
        eprintln!("skipped: swipl is not installed");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let out = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let (text, errors) = (
        String::from_utf8_lossy(&out.stdout).into_owned(),
        String::from_utf8_lossy(&out.stderr),
    );
    assert!(
        out.status.success() && errors.is_empty(),
        "{text}\n{errors}"
    );
    Some(text)
}

/// Returns the library that defines a predicate, or `system`.
pub(crate) fn home(home: costlens_catalog::Home) -> &'static str {
    use costlens_catalog::Home;
    match home {
        Home::System => "system",
        Home::Library(name) => name,
        Home::User => "user",
    }
}
