//! The user's settings.

use std::sync::Arc;

pub use costlens_syntax::Dialect;

use crate::project::Project;
use crate::resources::Calibrated;

/// All settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The master switch: off shows nothing at all.
    pub enable: bool,
    /// Hints at clause heads.
    pub hints: HintSettings,
    /// Problems are reported.
    pub diagnostics: bool,
    /// The ids of rules whose problems are not reported.
    pub disabled_rules: Vec<String>,
    /// Hovering a predicate explains its cost.
    pub hover: bool,
    /// A hover draws the bounds: only for clients that show images in Markdown.
    pub hover_plot: bool,
    /// Tables are columns of text: for clients that do not render tables in Markdown.
    pub plain_tables: bool,
    /// A hover runs small inputs on the embedded machine, to show where a bound is attained.
    pub hover_runs: bool,
    /// A hover includes the text of a predicate's comment.
    pub hover_documentation: bool,
    /// The platform that bounds on time are for; `None` if no times are wanted.
    pub platform: Option<Chosen>,
    /// Cheaper variants are offered.
    pub code_actions: bool,
    /// Features that other Prolog servers also offer.
    pub features: Features,
    /// The place of `library(…)`: `installed` (that of an installed SWI-Prolog), `none`, or a folder.
    pub library: String,
    /// The dialect of the user's files; `None` if it is detected for each file.
    pub dialect: Option<Dialect>,
    /// The project that the files belong to, as its `costlens.toml` describes it.
    pub project: Option<Arc<Project>>,
}

/// Groups of features that go beyond costs; users of another Prolog server may switch them off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    /// Definition, references, highlights.
    pub navigation: bool,
    /// The outline of a file, and symbols of all files.
    pub symbols: bool,
    /// Callers and callees.
    pub call_hierarchy: bool,
    /// Folding.
    pub folding: bool,
    /// Colours by name resolution.
    pub semantic_tokens: bool,
    /// Proposals of names and snippets.
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

/// The platform that the user chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The platform of this name.
    Stored(Calibrated),
    /// No platform has this name.
    Missing(String),
    /// None by name: that of each file's dialect. Times are not shown for a dialect without one.
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

/// The settings of hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HintSettings {
    /// False to show no hints.
    pub enable: bool,
    /// Hints of resolution steps.
    pub steps: bool,
    /// A time after the steps, on the platform of [`Settings::platform`].
    pub time: bool,
    /// `cost ?` if no bound is known.
    pub unknown: bool,
    /// Past runs if no upper bound is known: such a hint is produced whatever [`HintSettings::unknown`] says, and the observation is put after it.
    pub observed: bool,
    /// At the end of the head, not of its line.
    pub behind_head: bool,
    /// Only costs of at least this class; divergence and unknown cost are above every class.
    pub threshold: Threshold,
}

/// Classes of cost in one size, by growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Threshold {
    /// `1`: everything is shown.
    Constant,
    /// `log(n)`.
    Logarithmic,
    /// `n`.
    Linear,
    /// `n*log(n)`.
    Linearithmic,
    /// `n^2`, `n*m` and more.
    Quadratic,
    /// `2^n`: exponentials of any base.
    Exponential,
}

impl Threshold {
    /// Returns the threshold of a setting's text. Returns `None` if the text names no class.
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
            dialect: None,
            project: None,
        }
    }
}
