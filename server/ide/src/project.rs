//! The contents of `costlens.toml`: budgets and severity levels of rules.
//!
//! ```toml
//! [[budget]]
//! files = ["src/api/**"]
//! exported = true
//! steps = "O(n log n)"
//! ```
//!
//! `steps` limits the resolution steps, `cost` all work: also the calls of built-ins, and what they do by their inputs.
//!
//! In a budget, `n` represents all sizes of a predicate: if all sizes of a call are at most n, it may cost the stated number, up
//! to a constant factor. A budget is *kept* if the upper bound belongs to the class, *exceeded* if the lower bound does not, and otherwise
//! undecided.

use std::collections::BTreeMap;

use costlens_algebra::Var;
use costlens_algebra::growth::{Growth, growth};
use costlens_algebra::parse::parse;
use costlens_algebra::text::Names;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// The size variable in budgets.
pub(crate) const SIZE: Var = Var(0);

/// The settings of a whole project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Project {
    /// The project folder.
    pub root: String,
    /// The path of `costlens.toml`, for messages.
    pub name: String,
    /// The budgets of predicates.
    pub budgets: Vec<Budget>,
    /// Severity levels that override the defaults, by rule id.
    pub levels: BTreeMap<String, RuleLevel>,
}

/// The severity level of a rule in a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleLevel {
    /// The rule is disabled.
    Off,
    /// The rule reports warnings.
    Warning,
    /// The rule reports errors.
    Error,
}

/// A limit on the cost of some predicates.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// The predicates, as `name/arity`. `None` for all.
    pub predicates: Option<Globs>,
    /// The files, relative to the project folder. `None` for all.
    pub files: Option<Globs>,
    /// True if the budget covers only exported predicates.
    pub exported: bool,
    /// The maximum cost.
    pub limit: CostLimit,
    /// True if the cost is all work, not only the steps.
    pub of_work: bool,
    /// True if an undecided budget is also an error.
    pub is_strict: bool,
    /// The line of the budget in `costlens.toml`, from 1.
    pub line: usize,
}

impl Budget {
    /// Returns whether the budget covers a predicate (`name/arity`). The budget must cover the predicate's file.
    #[must_use]
    pub fn is_of(&self, predicate: &str, is_exported: bool) -> bool {
        (is_exported || !self.exported)
            && (self.predicates.as_ref()).is_none_or(|globs| globs.has(predicate))
    }
}

/// The maximum cost of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CostLimit {
    /// Any finite upper bound.
    Finite,
    /// A polynomial upper bound.
    Polynomial,
    /// A growth class in the size variable of budgets.
    Class(Growth),
}

/// Glob patterns. `*` matches any part of a name; in paths, `**` matches folders.
#[derive(Clone, Debug)]
pub struct Globs {
    patterns: Vec<String>,
    set: GlobSet,
}

impl PartialEq for Globs {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl Globs {
    /// Parses patterns.
    ///
    /// # Errors
    /// Returns a message for the user if a pattern is malformed.
    pub fn new(patterns: Vec<String>) -> Result<Self, String> {
        let mut set = GlobSetBuilder::new();
        for pattern in &patterns {
            let glob = GlobBuilder::new(pattern).literal_separator(true).build();
            set.add(glob.map_err(|error| error.to_string())?);
        }
        let set = set.build().map_err(|error| error.to_string())?;
        Ok(Self { patterns, set })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.set.is_match(name)
    }
}

impl CostLimit {
    /// Parses a limit: `O(n log n)`, `O(n^2)`, `polynomial`, `finite`.
    ///
    /// # Errors
    /// Returns a message for the user if the limit is malformed.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        match text {
            "finite" => return Ok(CostLimit::Finite),
            "polynomial" => return Ok(CostLimit::Polynomial),
            _ => {}
        }
        let inner = text.strip_prefix("O(").and_then(|t| t.strip_suffix(')'));
        let Some(inner) = inner else {
            return Err(format!(
                "`{text}` is no limit: write a class as `O(n log n)`, or `polynomial`, or `finite`"
            ));
        };
        let mut other = None;
        let mut variable = |name: &str| {
            if name != "n" {
                other = Some(name.to_owned());
            }
            Some(SIZE)
        };
        let read = parse(&spelled_out(inner), &mut variable);
        match (read, other) {
            (_, Some(name)) => Err(format!(
                "`{name}` in `{text}`: the size in a budget is called `n`, and stands for all sizes of a predicate"
            )),
            (Err(error), None) => Err(format!("`{text}` is no class of growth: {}", error.message)),
            (Ok(e), None) => Ok(CostLimit::Class(growth(&e))),
        }
    }

    /// Formats the limit for display: `O(n·log n)`.
    pub(crate) fn readable(&self) -> String {
        match self {
            CostLimit::Finite => "a finite number of steps".to_owned(),
            CostLimit::Polynomial => "polynomially many steps".to_owned(),
            CostLimit::Class(class) => format!("O({})", class.display(&size_name())),
        }
    }
}

/// Returns the name of the size variable in budgets.
pub(crate) fn size_name() -> Names<'static> {
    Names::new(|_| "n".to_owned())
}

/// Rewrites a class in the expression language: `n log n` as `n*flog(2,n)`, `n²` as `n^2`.
fn spelled_out(class: &str) -> String {
    let class = class
        .replace('²', "^2")
        .replace('³', "^3")
        .replace('·', "*");
    let mut out = String::new();
    let mut words = class.split_whitespace();
    while let Some(word) = words.next() {
        let is_operator = |c: char| "+-*/^(,".contains(c);
        if !out.is_empty()
            && !out.ends_with(is_operator)
            && !word.starts_with(|c| "+-*/^),".contains(c))
        {
            out.push('*');
        }
        match word {
            "log" => out.push_str(&format!("log({})", words.next().unwrap_or_default())),
            word => out.push_str(word),
        }
    }
    out.replace("log(", "flog(2,")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(text: &str) -> String {
        match CostLimit::read(text) {
            Ok(limit) => limit.readable(),
            Err(error) => error,
        }
    }

    #[test]
    fn limits_are_read_as_people_write_them() {
        for (text, expected) in [
            ("O(1)", "O(1)"),
            ("O(n)", "O(n)"),
            ("O(n log n)", "O(n·log n)"),
            ("O(n*log(n))", "O(n·log n)"),
            ("O(log n)", "O(log n)"),
            ("O(n^2)", "O(n²)"),
            ("O(n² + n)", "O(n²)"),
            ("O(n^2 log n)", "O(n²·log n)"),
            ("O(2^n)", "O(2ⁿ)"),
            (" polynomial ", "polynomially many steps"),
        ] {
            assert_eq!(class(text), expected, "{text}");
        }
        assert!(class("n^2").contains("is no limit"));
        assert!(class("O(m)").contains("is called `n`"));
        assert!(class("O(n^)").contains("is no class of growth"));
    }

    #[test]
    fn patterns_name_predicates_and_files() {
        let globs = |pattern: &str| Globs::new(vec![pattern.to_owned()]).unwrap();
        for (pattern, name, expected) in [
            ("api_*/*", "api_get/2", true),
            ("api_*/2", "api_get/3", false),
            ("*/*", "'odd name'/0", true),
            ("src/api/**", "src/api/v1/a.pl", true),
            ("src/*.pl", "src/api/a.pl", false),
        ] {
            assert_eq!(globs(pattern).has(name), expected, "{pattern} {name}");
        }
        assert!(Globs::new(vec!["a[".to_owned()]).is_err());
    }
}
