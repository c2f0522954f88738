//! Engines that a user describes in a file:
//!
//! ```toml
//! name = "Trealla Prolog"
//! command = ["tpl", "-g", "true", "{file}"]        # {file}: where the program is; it ends by itself
//! version = ["tpl", "--version"]                   # the first line that it writes
//! clock = "statistics(cputime, T)"                 # binds T to the CPU time so far
//! unit = 1.0                                       # seconds in 1 of the clock
//! prelude = ":- use_module(library(lists))."       # what clock and programs need
//! ```

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use costlens_engines::Template;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    name: String,
    command: Vec<String>,
    #[serde(default)]
    version: Vec<String>,
    clock: String,
    #[serde(default = "one")]
    unit: f64,
    #[serde(default)]
    prelude: String,
}

fn one() -> f64 {
    1.0
}

/// Returns Scryer Prolog, started as the given program or by its usual name.
///
/// Scryer has no instruction model: its times are explained by portable events. The output of `--version` is a number after a word:
/// `cargo:0.10.0`.
pub(super) fn scryer(program: Option<&PathBuf>) -> Template {
    let program = program.map_or_else(
        || "scryer-prolog".to_owned(),
        |path| path.display().to_string(),
    );
    Template {
        name: "Scryer Prolog".to_owned(),
        command: vec![program.clone(), "-f".to_owned(), "{file}".to_owned()],
        version: vec![program, "--version".to_owned()],
        clock: "'$cpu_now'(T)".to_owned(),
        unit: 1.0,
        prelude: ["lists", "between", "format", "iso_ext", "arithmetic"]
            .map(|library| format!(":- use_module(library({library})).\n"))
            .concat(),
    }
}

/// Returns the engine for a description.
///
/// # Errors
/// Fails if the file cannot be read, is malformed, or describes an engine that cannot run.
pub(super) fn described(path: &Path) -> anyhow::Result<Template> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("`{name}` cannot be read"))?;
    let d: Description =
        toml::from_str(&text).with_context(|| format!("`{name}` describes no engine"))?;
    if d.name.trim().is_empty() {
        bail!("`{name}`: `name` is empty; it is part of the platform's name");
    }
    if !d.command.iter().any(|word| word == "{file}") {
        bail!("`{name}`: `command` has no word `{{file}}`, which stands for the program");
    }
    if !(d.unit.is_finite() && d.unit > 0.0) {
        bail!("`{name}`: `unit` is no positive number of seconds");
    }
    Ok(Template {
        name: d.name,
        command: d.command,
        version: d.version,
        clock: d.clock,
        unit: d.unit,
        prelude: d.prelude,
    })
}

/// Returns the first part of a platform's name, from name and version: `trealla-prolog-2.30.1`. Only the number in the version text is
/// used.
pub(super) fn short(name: &str, version: &str) -> String {
    let all = [name, number(version).unwrap_or_default()]
        .join(" ")
        .to_lowercase();
    let words = all.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    let words: Vec<&str> = words.filter(|w| !w.is_empty()).collect();
    words.join("-")
}

/// Returns the number in an engine's version text: `9.0.4` for `SWI-Prolog version 9.0.4 for x86_64-linux`, `0.10.0` for `cargo:0.10.0`.
pub(super) fn number(version: &str) -> Option<&str> {
    let mut words = version.split(|c: char| c.is_whitespace() || c == ':');
    words.find(|word| word.contains('.') && word.contains(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Template, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine.toml");
        std::fs::write(&path, text).unwrap();
        described(&path).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn a_description_is_read_and_what_is_wrong_with_one_is_told() {
        let good = "name = 'T'\ncommand = ['tpl', '{file}']\nclock = 'statistics(cputime, T)'\n";
        let engine = read(good).unwrap();
        assert_eq!((engine.unit, engine.version.len()), (1.0, 0));
        let fails = |text: &str, part: &str| {
            let said = read(text).unwrap_err();
            assert!(said.contains(part), "{said}");
        };
        fails(&good.replace("'{file}'", "'x'"), "no word `{file}`");
        fails(&format!("{good}unit = 0.0\n"), "no positive number");
        fails(&format!("{good}speed = 1\n"), "unknown field `speed`");
        fails(&good.replace("'T'", "' '"), "`name` is empty");
        fails("name = 1", "describes no engine");
    }

    #[test]
    fn scryer_prolog_is_started_with_the_program_that_is_named() {
        let own = PathBuf::from("/opt/scryer");
        let engine = scryer(Some(&own));
        assert_eq!(engine.command, ["/opt/scryer", "-f", "{file}"]);
        assert_eq!(scryer(None).version, ["scryer-prolog", "--version"]);
    }

    #[test]
    fn names_of_platforms_have_no_spaces() {
        let version = "SWI-Prolog version 9.0.4 for x86_64-linux";
        assert_eq!(short("My SWI", version), "my-swi-9.0.4");
        assert_eq!(short("  T!  ", "unknown"), "t");
        assert_eq!(
            short("Scryer Prolog", "cargo:0.10.0"),
            "scryer-prolog-0.10.0"
        );
    }
}
