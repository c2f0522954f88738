//! The user's settings.

use std::sync::Arc;

pub use costlens_syntax::Dialect;

use crate::project::Project;
use crate::resources::Calibrated;

/// All settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Master switch. If false, nothing is displayed.
    pub enable: bool,
    /// Settings of inlay hints at clause heads.
    pub hints: HintSettings,
    /// True to report problems.
    pub diagnostics: bool,
    /// The ids of rules whose problems are suppressed.
    pub disabled_rules: Vec<String>,
    /// True to explain the cost of a predicate on hover.
    pub hover: bool,
    /// True to draw the bounds in hovers, for clients that display images in Markdown.
    pub hover_plot: bool,
    /// True to format tables as aligned text, for clients that do not render tables in Markdown.
    pub plain_tables: bool,
    /// True to run small inputs on the embedded machine for a hover, which then reports where a bound is attained.
    pub hover_runs: bool,
    /// True to include the predicate's comment in hovers.
    pub hover_documentation: bool,
    /// The platform for bounds on time. `None` to show no times.
    pub platform: Option<Chosen>,
    /// True to offer cheaper variants.
    pub code_actions: bool,
    /// Features that other Prolog servers also offer.
    pub features: Features,
    /// The source of `library(…)`: `installed` (an installed SWI-Prolog), `none`, or a folder.
    pub library: String,
    /// True to run expansion hooks of pure code on the embedded machine.
    pub expansions: bool,
    /// The dialect of the user's files. `None` to detect it for each file.
    pub dialect: Option<Dialect>,
    /// The project of the files, as described in its `costlens.toml`.
    pub project: Option<Arc<Project>>,
}

/// Feature groups unrelated to costs. Users of another Prolog server may switch them off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    /// Definitions, references and highlights.
    pub navigation: bool,
    /// The outline of a file, and workspace symbols.
    pub symbols: bool,
    /// Callers and callees.
    pub call_hierarchy: bool,
    /// Folding ranges.
    pub folding: bool,
    /// Semantic tokens, coloured by name resolution.
    pub semantic_tokens: bool,
    /// Completion of names and snippets.
    pub completion: bool,
}

impl Default for Features {
    fn default() -> Self {
        Features {
            navigation: true,
            symbols: true,
            call_hierarchy: true,
            folding: true,
            semantic_tokens: true,
            completion: true,
        }
    }
}

/// The platform chosen by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The platform with the chosen name.
    Stored(Calibrated),
    /// The chosen name does not match any platform.
    Missing(String),
    /// No name was chosen, so each file uses the platform of its dialect. Times are not displayed for a dialect without a platform.
    OfDialect(Vec<(Dialect, Calibrated)>),
}

impl Chosen {
    /// Returns the platform for a file in a dialect.
    #[must_use]
    pub fn for_dialect(&self, dialect: Dialect) -> Option<&Calibrated> {
        match self {
            Chosen::Stored(platform) => Some(platform),
            Chosen::Missing(_) => None,
            Chosen::OfDialect(all) => {
                let of = all.iter().find(|(of, _)| *of == dialect);
                of.map(|(_, platform)| platform)
            }
        }
    }
}

/// Settings of inlay hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HintSettings {
    /// False to display no hints.
    pub enable: bool,
    /// True to display resolution steps.
    pub steps: bool,
    /// True to append the time on the platform of [`Settings::platform`].
    pub time: bool,
    /// True to display `cost ?` if no bound is known.
    pub unknown: bool,
    /// True to display `cost ?` also next to facts and clauses of hooks.
    pub data: bool,
    /// True to display past runs of predicates without an upper bound. Such a hint appears regardless of [`HintSettings::unknown`], with the
    /// observation appended.
    pub observed: bool,
    /// True to place hints after the head instead of at the end of the line.
    pub behind_head: bool,
    /// The minimum class to display. Divergence and unknown cost rank above every class.
    pub threshold: Threshold,
}

/// Growth classes of costs in one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Threshold {
    /// `1`: every hint is displayed.
    Constant,
    /// `log(n)`.
    Logarithmic,
    /// `n`.
    Linear,
    /// `n*log(n)`.
    Linearithmic,
    /// `n^2`, `n*m` and greater powers.
    Quadratic,
    /// `2^n`: exponentials of any base.
    Exponential,
}

impl Threshold {
    /// Parses a threshold. Returns `None` if the text is not a known class.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "1" => Self::Constant,
            "log(n)" => Self::Logarithmic,
            "n" => Self::Linear,
            "n*log(n)" => Self::Linearithmic,
            "n^2" => Self::Quadratic,
            "2^n" => Self::Exponential,
            _ => return None,
        })
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            enable: true,
            hints: HintSettings {
                enable: true,
                steps: true,
                time: false,
                unknown: true,
                data: false,
                observed: false,
                behind_head: false,
                threshold: Threshold::Constant,
            },
            diagnostics: true,
            disabled_rules: Vec::new(),
            hover: true,
            hover_plot: false,
            plain_tables: false,
            hover_runs: true,
            hover_documentation: true,
            platform: None,
            code_actions: true,
            features: Features::default(),
            library: "installed".to_owned(),
            expansions: true,
            dialect: None,
            project: None,
        }
    }
}
