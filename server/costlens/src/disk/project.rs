//! `costlens.toml`: settings for a whole project, in editors and on the command line.
//!
//! The nearest file is used, searching from a folder upwards to its repository. A mistake in the file is reported with its line, and the
//! whole file is ignored.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use costlens_ide::diagnostics::rules::RULES;
use costlens_ide::host::files::Version;
use costlens_ide::project::{Budget, CostLimit, Globs, Project, RuleLevel};
use costlens_ide::settings::Dialect;
use serde::Deserialize;
use toml::Spanned;

use super::place::folder_place;
use crate::lines::{Encoding, LineIndex};

/// The file's name.
pub(crate) const NAME: &str = "costlens.toml";

/// The checked contents of `costlens.toml`.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProjectFile {
    pub(crate) project: Arc<Project>,
    /// The dialect of the project's files.
    pub(crate) dialect: Option<Dialect>,
    /// False not to run expansion hooks of pure code.
    pub(crate) expansions: Option<bool>,
    /// The platform for times.
    pub(crate) platform: Option<String>,
    /// The folders of libraries.
    pub(crate) library: Vec<PathBuf>,
    /// The version of SWI-Prolog for which the files are written.
    pub(crate) version: Option<Version>,
    /// The text of `costlens.toml`.
    pub(crate) text: String,
}

/// The reason why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}:{column}: {message}")]
pub(crate) struct Mistake {
    path: String,
    line: usize,
    column: usize,
    message: String,
}

/// The file's contents.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Toml {
    /// The dialect of the files: `swi`, `gnu`, `scryer`, `trealla`, `ciao`. Without it, the dialect of each file is detected.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    dialect: Option<Spanned<String>>,
    /// False not to run expansion hooks of pure code, whose results are then unknown.
    expansions: Option<bool>,
    /// The platform for times; `costlens platforms` lists the platforms.
    platform: Option<String>,
    /// Folders to search for `library(…)`, relative to this file.
    #[serde(default)]
    library: Vec<PathBuf>,
    /// The version of SWI-Prolog whose library predicates are assumed: `9.0` or `10.1`. Without it: the version of an installed system,
    /// otherwise 9.0.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    version: Option<Spanned<String>>,
    /// The levels of rules: rule ids, each with `off`, `warning` or `error`.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, Level>"))]
    rules: BTreeMap<Spanned<String>, Level>,
    /// The budgets of predicates.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<BudgetTable>"))]
    budget: Vec<Spanned<BudgetTable>>,
}

/// The level of a rule.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum Level {
    /// Not reported.
    Off,
    /// Reported as a warning.
    Warning,
    /// Reported as an error.
    Error,
}

/// A limit on the cost of some predicates.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BudgetTable {
    /// The predicates, as `name/arity`: `["api_*/*"]`. Without it: all predicates.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    predicates: Option<Spanned<Vec<String>>>,
    /// The files of the predicates, relative to this file: `["src/api/**"]`. Without it: all files.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    files: Option<Spanned<Vec<String>>>,
    /// True if the budget applies only to exported predicates.
    #[serde(default)]
    exported: bool,
    /// The maximum number of resolution steps: `O(n log n)`, where `n` denotes every size; `polynomial`; `finite`. A budget has `steps` or
    /// `cost`, or both.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    steps: Option<Spanned<String>>,
    /// The maximum of all work: steps, calls of built-ins, and what built-ins do by their inputs. Written like `steps`.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    cost: Option<Spanned<String>>,
    /// The treatment of predicates for which neither keeping nor exceeding the budget is proved: `allow` or `deny`.
    #[serde(default)]
    unproved: Unproved,
}

/// The treatment of undecided budgets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum Unproved {
    /// As if the budget were kept.
    #[default]
    Allow,
    /// As if the budget were exceeded.
    Deny,
}

/// Returns the nearest file, searching from a folder upwards to the root of its repository.
pub(crate) fn nearest(folder: &Path) -> Option<PathBuf> {
    let folder = PathBuf::from(folder_place(folder));
    for above in folder.ancestors() {
        let file = above.join(NAME);
        if file.is_file() {
            return Some(file);
        }
        if above.join(".git").exists() {
            break;
        }
    }
    None
}

/// Reads a file.
///
/// # Errors
/// Fails if the file cannot be read or contains a mistake.
pub(crate) fn read(path: &Path) -> Result<ProjectFile, Mistake> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| Mistake {
        path: name.clone(),
        line: 1,
        column: 1,
        message: format!("cannot be read: {error}"),
    })?;
    let reader = Reader {
        lines: LineIndex::new(&text),
        name,
        text: &text,
    };
    let found: Toml = toml::from_str(&text).map_err(|error| {
        let message = error.message().trim().replace('\n', ", ");
        reader.mistake(error.span().unwrap_or_default(), message)
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let (levels, budgets) = (reader.levels(found.rules)?, reader.budgets(found.budget)?);
    Ok(ProjectFile {
        project: Arc::new(Project {
            root: folder_place(folder),
            name: NAME.to_owned(),
            budgets,
            levels,
        }),
        dialect: found.dialect.map(|d| reader.dialect(&d)).transpose()?,
        expansions: found.expansions,
        platform: found.platform,
        version: found.version.map(|v| reader.version(&v)).transpose()?,
        library: found.library.iter().map(|l| folder.join(l)).collect(),
        text,
    })
}

/// Reads a file, and reports mistakes with their positions.
struct Reader<'t> {
    name: String,
    text: &'t str,
    lines: LineIndex,
}

impl Reader<'_> {
    fn position(&self, offset: usize) -> (usize, usize) {
        let (line, column) = self.lines.position(self.text, offset, Encoding::Utf32);
        (line + 1, column + 1)
    }

    fn mistake(&self, span: Range<usize>, message: String) -> Mistake {
        let (line, column) = self.position(span.start);
        Mistake {
            path: self.name.clone(),
            line,
            column,
            message,
        }
    }

    fn dialect(&self, given: &Spanned<String>) -> Result<Dialect, Mistake> {
        let name = given.get_ref();
        Dialect::from_name(name).ok_or_else(|| {
            let names: Vec<&str> = Dialect::ALL.iter().map(|d| d.name()).collect();
            let message = format!("`{name}` is no dialect; there are {}", names.join(", "));
            self.mistake(given.span(), message)
        })
    }

    fn version(&self, given: &Spanned<String>) -> Result<Version, Mistake> {
        let name = given.get_ref();
        Version::compared(name).ok_or_else(|| {
            let names: Vec<String> = Version::COMPARED.iter().map(|v| v.short()).collect();
            let message = format!(
                "the libraries of `{name}` are not known here; there are {}",
                names.join(", ")
            );
            self.mistake(given.span(), message)
        })
    }

    fn levels(
        &self,
        rules: BTreeMap<Spanned<String>, Level>,
    ) -> Result<BTreeMap<String, RuleLevel>, Mistake> {
        let level = |(id, level): (Spanned<String>, Level)| {
            if !RULES.iter().any(|rule| rule.id() == id.get_ref()) {
                let ids: Vec<&str> = RULES.iter().map(|rule| rule.id()).collect();
                let message = format!(
                    "`{}` is no rule; there are {}",
                    id.get_ref(),
                    ids.join(", ")
                );
                return Err(self.mistake(id.span(), message));
            }
            let level = match level {
                Level::Off => RuleLevel::Off,
                Level::Warning => RuleLevel::Warning,
                Level::Error => RuleLevel::Error,
            };
            Ok((id.into_inner(), level))
        };
        rules.into_iter().map(level).collect()
    }

    fn budgets(&self, tables: Vec<Spanned<BudgetTable>>) -> Result<Vec<Budget>, Mistake> {
        let mut budgets = Vec::new();
        for table in tables {
            let span = table.span();
            let (line, _) = self.position(span.start);
            let table = table.into_inner();
            let limits = [(table.steps, false), (table.cost, true)];
            let limits: Vec<(Spanned<String>, bool)> = limits
                .into_iter()
                .filter_map(|(limit, of_work)| Some((limit?, of_work)))
                .collect();
            if limits.is_empty() {
                let message =
                    "this budget has no limit: add `steps = \"O(n)\"`, or `cost` for all work";
                return Err(self.mistake(span, message.to_owned()));
            }
            let (predicates, files) = (self.globs(table.predicates)?, self.globs(table.files)?);
            for (limit, of_work) in limits {
                budgets.push(Budget {
                    predicates: predicates.clone(),
                    files: files.clone(),
                    exported: table.exported,
                    limit: CostLimit::read(limit.get_ref())
                        .map_err(|message| self.mistake(limit.span(), message))?,
                    of_work,
                    is_strict: table.unproved == Unproved::Deny,
                    line,
                });
            }
        }
        Ok(budgets)
    }

    fn globs(&self, given: Option<Spanned<Vec<String>>>) -> Result<Option<Globs>, Mistake> {
        let read = |given: Spanned<Vec<String>>| {
            let span = given.span();
            Globs::new(given.into_inner()).map_err(|message| self.mistake(span, message))
        };
        given.map(read).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Result<ProjectFile, String> {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join(NAME);
        std::fs::write(&path, text).unwrap();
        read(&path)
            .map_err(|mistake| format!("{}:{}: {}", mistake.line, mistake.column, mistake.message))
    }

    #[test]
    fn a_file_says_what_holds_for_the_project() {
        let text = "dialect = \"gnu\"\nlibrary = [\"lib\"]\n\n[rules]\nhint = \"off\"\n\n\
                    [[budget]]\npredicates = [\"api_*/*\"]\nsteps = \"O(n log n)\"\n\n[[budget]]\nsteps = \"polynomial\"\nunproved = \"deny\"\n";
        let found = said(text).unwrap();
        assert_eq!(found.dialect, Some(Dialect::Gnu));
        assert_eq!(found.version, None);
        let found = said("version = \"10.1\"").unwrap();
        assert_eq!(
            found.version.map(|v| v.to_string()).as_deref(),
            Some("10.1.10")
        );
        let wrong = said("version = \"9.9\"").unwrap_err();
        assert!(wrong.contains("there are 9.0, 10.1"), "{wrong}");
        let found = said(text).unwrap();
        assert!(found.library[0].ends_with("lib"));
        assert_eq!(found.project.levels["hint"], RuleLevel::Off);
        let lines: Vec<usize> = found.project.budgets.iter().map(|b| b.line).collect();
        assert_eq!(lines, [7, 11]);
        assert!(found.project.budgets[1].is_strict);
        assert_eq!(said("").unwrap().project.budgets, []);
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        for (text, expected) in [
            ("dialect = \"sw\"\n", "1:11: `sw` is no dialect; there are "),
            ("a = 1\n", "1:1: unknown field `a`, expected one of"),
            (
                "[rules]\nhints = \"off\"\n",
                "2:1: `hints` is no rule; there are ",
            ),
            ("[rules]\nhint = \"loud\"\n", "2:8: unknown variant `loud`"),
            (
                "[[budget]]\nexported = true\n",
                "1:1: this budget has no limit",
            ),
            ("[[budget]]\nsteps = \"n^2\"\n", "2:9: `n^2` is no limit"),
            (
                "[[budget]]\nsteps = \"finite\"\nfiles = [\"a[\"]\n",
                "3:9: ",
            ),
            ("budget = \n", "1:10: "),
        ] {
            let error = said(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
