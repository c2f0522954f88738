//! The user's settings.

use std::sync::Arc;

pub use costlens_syntax::Dialect;

use crate::project::Project;
use crate::resources::Calibrated;

/// Everything that can be switched.
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
    /// A hover draws the bounds: only for clients that show pictures in Markdown.
    pub hover_plot: bool,
    /// Tables are columns of text: for clients that show none in Markdown.
    pub plain_tables: bool,
    /// A hover tries small inputs on the embedded machine, to say where a bound is attained.
    pub hover_runs: bool,
    /// A hover has the text of a predicate's comment.
    pub hover_documentation: bool,
    /// The platform that bounds on time are for; none where no times are wanted.
    pub platform: Option<Chosen>,
    /// Cheaper variants are offered.
    pub code_actions: bool,
    /// Features that other servers for Prolog offer, too.
    pub features: Features,
    /// The place of `library(…)`: `installed` (where an installed SWI-Prolog has it), `none`, or a folder.
    pub library: String,
    /// The dialect of the user's files; none where each shows its own.
    pub dialect: Option<Dialect>,
    /// The project that the files belong to, as its `costlens.toml` describes it.
    pub project: Option<Arc<Project>>,
}

/// Groups of features that speak of more than costs; who runs another server for Prolog beside this one may switch them off.
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
    /// Colours by what names reach.
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
    /// The one of a name.
    Stored(Calibrated),
    /// There is none of this name.
    Missing(String),
    /// None by name: that of each file's dialect. Times of a dialect without one are not shown.
    OfDialect(Vec<(Dialect, Calibrated)>),
}

impl Chosen {
    /// The platform for a file in a dialect.
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

/// Switches of hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HintSettings {
    /// Hints at all.
    pub enable: bool,
    /// Hints of resolution steps.
    pub steps: bool,
    /// A time behind the steps, on the platform of [`Settings::platform`].
    pub time: bool,
    /// `cost ?` where no bound is known.
    pub unknown: bool,
    /// Past runs where no upper bound is known: a hint is made there whatever [`HintSettings::unknown`] says, and what was observed put behind it.
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
    /// The threshold of a setting's text; none if the text names no class.
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
