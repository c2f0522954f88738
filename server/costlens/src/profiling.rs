//! Profiles of goals by cost centres, for the command line and the language server alike: reading of programs, engines that run them, and the
//! choice of centres.

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

/// Returns the error of an interrupted analysis. Nothing writes while a command runs or a goal is profiled.
pub(crate) fn interrupted(_: Cancelled) -> anyhow::Error {
    anyhow!("the analysis was interrupted")
}

/// The user's request.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The centres, instead of those that the program declares.
    pub(crate) centres: Vec<Predicate>,
    /// False if only ports and time are to be measured.
    pub(crate) hooks: bool,
    /// True if the heads of clauses are also to be traced.
    pub(crate) low_level: bool,
    /// The resource that guides a search.
    pub(crate) resource: Resource,
    /// True if the user has chosen it; otherwise the search uses the most informative one.
    pub(crate) is_chosen: bool,
    /// The search for a bottleneck, instead of centres.
    pub(crate) search: Option<Heuristic>,
}

/// The centres of a profile.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    /// The centres for which only ports and time are shown.
    pub(crate) nohooks: Vec<CentreName>,
    /// The tree that a search has found.
    pub(crate) tree: Option<Tree>,
    /// Parts of directives that name no predicate.
    pub(crate) malformed: Vec<String>,
    /// True if directives or the user determine which predicates are centres.
    pub(crate) named: bool,
}

impl Planned {
    /// Returns the objections to directives.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = String> {
        let malformed = self.malformed.iter();
        malformed.map(|text| format!("no cost centre: `{text}`"))
    }
}

/// Determines the centres: those that a search finds, those that the user names, those that the program declares, or all predicates.
///
/// # Errors
/// Returns the errors of the profiles that a search takes.
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
        // If no centre needs events, the run need not record any.
        plan.events &= planned.nohooks.is_empty() || planned.nohooks.len() < plan.predicates.len();
    }
    Ok(planned)
}
