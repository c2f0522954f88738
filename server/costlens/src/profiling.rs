//! Profiles of goals by cost centres, for the command line and the language server: reading programs, engines, and the choice of centres.

pub(crate) mod engines;
pub(crate) mod marks;
pub(crate) mod page;
mod proved;
pub(crate) mod running;
mod tables;
pub(crate) mod text;

use anyhow::anyhow;
use costlens_ide::host::Cancelled;
use costlens_machine::{CentreName, Plan, Resource};
use costlens_profile::search::{Heuristic, Predicate, Tree, search, telling};
use costlens_profile::units::defined_without_tests;
use costlens_profile::{Profile, declared};
use costlens_syntax::FileTerms;

use self::engines::Profiler;

/// Returns the error for an interrupted analysis, which cannot occur: nothing is written while a command runs or a goal is profiled.
pub(crate) fn interrupted(_: Cancelled) -> anyhow::Error {
    anyhow!("the analysis was interrupted")
}

/// The user's request.
#[derive(Clone, Debug)]
pub(crate) struct ProfilingRequest {
    /// The centres, instead of those that the program declares.
    pub(crate) centres: Vec<Predicate>,
    /// False if only ports and time are measured.
    pub(crate) hooks: bool,
    /// True if the outcomes of clause heads are also measured.
    pub(crate) low_level: bool,
    /// The resource that guides a search.
    pub(crate) resource: Resource,
    /// True if the user has chosen the resource; otherwise the search uses the most informative one.
    pub(crate) is_chosen: bool,
    /// The heuristic of the search for a bottleneck, if centres are to be found by a search.
    pub(crate) search: Option<Heuristic>,
}

/// The centres of a profile.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    /// The centres for which only ports and time are shown.
    pub(crate) nohooks: Vec<CentreName>,
    /// The tree that a search has found.
    pub(crate) tree: Option<Tree>,
    /// The malformed parts of directives.
    pub(crate) malformed: Vec<String>,
    /// True if directives or the user determine the centres.
    pub(crate) named: bool,
}

impl Planned {
    /// Returns the objections to directives.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = String> {
        let malformed = self.malformed.iter();
        malformed.map(|text| format!("no cost centre: `{text}`"))
    }
}

/// Determines the centres: found by a search, named by the user, declared by the program, or all predicates.
///
/// # Errors
/// Returns the errors of the search's profiles.
pub(crate) fn planned(
    wanted: &ProfilingRequest,
    profiler: &dyn Profiler,
) -> anyhow::Result<Planned> {
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
        // The run need not record events if no centre shows any.
        plan.events &= planned.nohooks.is_empty() || planned.nohooks.len() < plan.predicates.len();
    }
    Ok(planned)
}
