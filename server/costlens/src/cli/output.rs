//! Destinations of text: results are written to standard output, all other text to standard error or the log file.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;

use anyhow::Context as _;

use super::traces;

/// The log: messages in addition to the results.
pub(super) struct Log {
    quiet: bool,
    verbose: u8,
    file: Option<Mutex<File>>,
}

impl Log {
    pub(super) fn new(quiet: bool, verbose: u8, file: Option<&Path>) -> anyhow::Result<Self> {
        let file = file
            .map(|path| {
                let file = File::create(path)
                    .with_context(|| format!("cannot write the log file `{}`", path.display()))?;
                // Both handles append to the same file, so that their lines are in order.
                traces::write_to(file.try_clone()?)?;
                anyhow::Ok(file)
            })
            .transpose()?;
        Ok(Log {
            quiet,
            verbose,
            file: file.map(Mutex::new),
        })
    }

    /// Reports an error that makes the exit code 2.
    pub(super) fn error(&self, message: &str) {
        self.line("error", message);
    }

    /// Prints a warning, unless `-q` is given.
    pub(super) fn warning(&self, message: &str) {
        if !self.quiet {
            self.line("warning", message);
        }
    }

    /// Reports the progress of long work, unless `-q` is given.
    pub(super) fn progress(&self, message: &str) {
        if !self.quiet {
            self.line("info", message);
        }
    }

    /// Reports the current activity, only with `-v`.
    pub(super) fn detail(&self, message: &str) {
        if self.verbose > 0 {
            self.line("info", message);
        }
    }

    fn line(&self, level: &str, message: &str) {
        // A failure to write to the log cannot be reported anywhere.
        let _ = match &self.file {
            None => writeln!(std::io::stderr(), "costlens: {level}: {message}"),
            Some(file) => match file.lock() {
                Ok(mut file) => writeln!(file, "{level}: {message}"),
                Err(_) => Ok(()),
            },
        };
    }
}

/// Reports an error that occurs before the log exists.
pub(super) fn complain(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr(), "costlens: error: {error:#}");
}

/// Prints a result.
///
/// # Errors
/// Fails if standard output cannot be written, because of a broken pipe, for example.
pub(super) fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Returns whether to colour results: as `--color` says or, by default, if standard output is a terminal that supports colours and
/// `NO_COLOR` is not set.
pub(super) fn coloured() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}
