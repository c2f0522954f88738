//! Profiles of goals by cost centres, for the command line and the language server alike: programs that are read, engines that run them, and
//! which predicates are centres.

pub(crate) mod engines;
pub(crate) mod marks;
mod proved;
pub(crate) mod running;
pub(crate) mod text;

use anyhow::anyhow;
use costlens_ide::host::Cancelled;
use costlens_machine::{CentreName, Plan, Resource};
use costlens_profile::search::{Heuristic, Predicate, Tree, search, telling};
use costlens_profile::units::defined_without_tests;
use costlens_profile::{Profile, declared};
use costlens_syntax::FileTerms;

use self::engines::Profiler;

/// The error of an analysis that was interrupted. Nothing writes while a command runs or a goal is profiled.
pub(crate) fn interrupted(_: Cancelled) -> anyhow::Error {
    anyhow!("the analysis was interrupted")
}

/// The wish of a user.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The centres, instead of those that the program declares.
    pub(crate) centres: Vec<Predicate>,
    /// False where only ports and time are to be measured.
    pub(crate) hooks: bool,
    /// True where the heads of clauses are to be followed, too.
    pub(crate) low_level: bool,
    /// The resource by which a search goes.
    pub(crate) resource: Resource,
    /// True where the user has chosen it: else the search goes by the one that tells most.
    pub(crate) is_chosen: bool,
    /// The search for a bottleneck, instead of centres.
    pub(crate) search: Option<Heuristic>,
}

/// The centres of a profile.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    /// The centres of which only ports and time are shown.
    pub(crate) nohooks: Vec<CentreName>,
    /// The tree that a search has found.
    pub(crate) tree: Option<Tree>,
    /// Parts of directives that name no predicate.
    pub(crate) malformed: Vec<String>,
    /// True where directives or the user say which predicates are centres.
    pub(crate) named: bool,
}

impl Planned {
    /// The objections to directives.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = String> {
        let malformed = self.malformed.iter();
        malformed.map(|text| format!("no cost centre: `{text}`"))
    }
}

/// Decides which predicates are centres: those that a search finds, those that the user names, those that the program declares, or all.
///
/// # Errors
/// The errors of the profiles that a search takes.
pub(crate) fn planned(wanted: &Wanted, profiler: &dyn Profiler) -> anyhow::Result<Planned> {
    let files: Vec<&FileTerms> = { profiler.program().parts.iter() }
        .map(|part| part.terms.as_ref())
        .collect();
    let predicates: Vec<Predicate> = files
        .iter()
        .flat_map(|file| defined_without_tests(file))
        .collect();
    let mut planned = Planned {
        plan: Plan {
            literals: true,
            events: wanted.hooks,
            low_level: wanted.low_level,
            ..Plan::default()
        },
        nohooks: Vec::new(),
        tree: None,
        malformed: Vec::new(),
        named: true,
    };
    let plan = &mut planned.plan;
    if let Some(heuristic) = wanted.search {
        let mut run = |centres: &[Predicate]| {
            let plan = Plan {
                predicates: centres.to_vec(),
                events: wanted.hooks && wanted.resource != Resource::Time,
                ..Plan::default()
            };
            anyhow::Ok(profiler.profile(&plan, &[])?.profile)
        };
        let by = |whole: &Profile| match wanted.is_chosen {
            true => wanted.resource,
            false => telling(whole),
        };
        let found = search(&predicates, &by, heuristic, &mut run)?;
        plan.predicates.clone_from(&found.centres);
        plan.literals = false;
        planned.tree = Some(found);
    } else if !wanted.centres.is_empty() {
        plan.predicates.clone_from(&wanted.centres);
    } else {
        let declared = declared(&files);
        planned.malformed = declared.malformed;
        planned.named = declared.any;
        plan.predicates = match declared.any {
            true => { declared.centres.iter() }
                .map(|c| (c.name.clone(), c.arity))
                .collect(),
            false => predicates,
        };
        planned.nohooks = { declared.centres.into_iter() }
            .filter(|centre| !centre.hooks)
            .map(|c| CentreName::Predicate(c.name, c.arity))
            .collect();
        // Where nobody wants events, the run need not note any.
        plan.events &= planned.nohooks.is_empty() || planned.nohooks.len() < plan.predicates.len();
    }
    Ok(planned)
}
