//! The search for bottlenecks (Mera et al. 2010, Fig. 6): successive profiles of one goal, each with the callees of the current predicate
//! as centres; the search descends into callees that a heuristic selects.

use std::collections::{BTreeMap, BTreeSet};

use costlens_machine::{CentreName, Resource};
use smol_str::SmolStr;

use crate::profile::{Profile, ratio};

/// The name and the arity of a predicate.
pub type Predicate = (SmolStr, usize);

/// The ways to select the centres to descend into, among the callees of the current centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Heuristic {
    /// This number of centres, namely those with the highest use.
    Most(usize),
    /// The centres that use more than a percentage of the run's total.
    Above(f64),
    /// The fewest centres that together use more than a percentage of the total, if they are at most a percentage of the program's
    /// predicates; otherwise none.
    Together {
        /// The percentage of predicates.
        predicates: f64,
        /// The percentage of the total.
        total: f64,
    },
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// The predicate; `None` for the goal, unless the goal is a call of a single predicate.
    pub predicate: Option<Predicate>,
    /// The index of the node's caller.
    pub parent: Option<usize>,
    /// The use of the resource, including callees. Initially this is the use at the time of selection, excluding previously selected
    /// centres; [`Tree::measure`] replaces all amounts by those of one profile.
    pub used: u64,
    /// The own use, measured with all callees as centres; `None` if the search did not descend to this node.
    pub own: Option<u64>,
}

/// The tree that a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The nodes: the first is the goal, and each other node comes after its caller.
    pub found: Vec<TreeNode>,
    /// The use of the whole run.
    pub total: u64,
    /// The number of profiles taken, excluding the profile for the call graph.
    pub iterations: usize,
    /// The resource of the search.
    pub resource: Resource,
    /// The tree's predicates and all their callees: a profile with these centres shows the own use of each predicate in the tree.
    pub centres: Vec<Predicate>,
}

impl Tree {
    /// Replaces all amounts by those of a single profile with [`Tree::centres`], since times differ from profile to profile. The use of a
    /// predicate that also has other callers is limited to its parent's use.
    pub fn measure(&mut self, profile: &Profile) {
        self.total = profile.measured.total.amount(self.resource);
        for n in 0..self.found.len() {
            let centre = profile.centre(&centre_of(self.found[n].predicate.as_ref()));
            let amounts = centre.map(|c| {
                let accumulated = &profile.measured.centres[c].accumulated;
                (
                    profile.rows[c].own.amount(self.resource),
                    accumulated.amount(self.resource),
                )
            });
            let (own, used) = amounts.unwrap_or_default();
            let most = match self.found[n].parent {
                Some(parent) => self.found[parent].used,
                None => self.total,
            };
            self.found[n].own = Some(own);
            self.found[n].used = match n {
                0 => self.total,
                _ => used.min(most),
            };
        }
    }

    /// Returns the index of the node with the highest own use.
    #[must_use]
    pub fn bottleneck(&self) -> Option<usize> {
        let own = |n: &usize| (self.found[*n].own, std::cmp::Reverse(*n));
        (0..self.found.len()).max_by_key(own)
    }

    /// Returns an amount as a share of the total.
    #[must_use]
    pub fn share(&self, amount: u64) -> f64 {
        ratio(amount, self.total)
    }
}

impl Tree {
    /// Returns the nodes in depth-first order, each with its depth.
    pub fn walk(&self) -> impl Iterator<Item = (usize, &TreeNode)> {
        let mut called: Vec<Vec<usize>> = vec![Vec::new(); self.found.len()];
        for (n, found) in self.found.iter().enumerate() {
            if let Some(calls) = found.parent.and_then(|parent| called.get_mut(parent)) {
                calls.push(n);
            }
        }
        let mut open = vec![(0, 0)];
        std::iter::from_fn(move || {
            let (depth, n) = open.pop()?;
            let found = self.found.get(n)?;
            open.extend(called[n].iter().rev().map(|&c| (depth + 1, c)));
            Some((depth, found))
        })
    }
}

/// The factor between the times of two predicates above which they clearly differ.
const CLEARLY_MORE: u64 = 2;

/// Chooses the resource that reveals the most expensive predicate: steps, unless the predicate with the most steps takes clearly less time
/// than another predicate. In that case it is goals, which include calls of built-ins, if the predicate with the most goals also takes the
/// most time, and otherwise time.
///
/// ```prolog
/// divisible(N) :- M is N-1, between(2, M, D), N mod D =:= 0.    % one step, and arbitrarily many goals
/// ```
#[must_use]
pub fn telling(profile: &Profile) -> Resource {
    let first = |resource: Resource| {
        let mut order = profile.by_share(resource).into_iter();
        order.find(|&n| predicate(&profile.measured.centres[n].name).is_some())
    };
    let is_measured = |resource| profile.measured.has(resource);
    if !is_measured(Resource::Steps) {
        return Resource::Time;
    }
    let (Some(by_steps), Some(by_time)) = (first(Resource::Steps), first(Resource::Time)) else {
        return Resource::Steps;
    };
    let time = |n: usize| profile.rows[n].own.amount(Resource::Time);
    if time(by_time) < time(by_steps).saturating_mul(CLEARLY_MORE) {
        return Resource::Steps;
    }
    match is_measured(Resource::Goals) && first(Resource::Goals) == Some(by_time) {
        true => Resource::Goals,
        false => Resource::Time,
    }
}

fn centre_of(predicate: Option<&Predicate>) -> CentreName {
    predicate.map_or(CentreName::Remainder, |(name, arity)| {
        CentreName::Predicate(name.clone(), *arity)
    })
}

/// The call graph of a run, from a profile with all predicates as centres.
struct CallGraph(BTreeMap<Option<Predicate>, Vec<Predicate>>);

fn predicate(name: &CentreName) -> Option<Predicate> {
    match name {
        CentreName::Predicate(name, arity) => Some((name.clone(), *arity)),
        CentreName::Remainder | CentreName::Literal(_) => None,
    }
}

impl CallGraph {
    fn new(profile: &Profile) -> Self {
        let name = |centre: usize| predicate(&profile.measured.centres[centre].name);
        let mut called: BTreeMap<Option<Predicate>, Vec<Predicate>> = BTreeMap::new();
        for edge in &profile.measured.edges {
            if let Some(to) = name(edge.to) {
                called.entry(name(edge.from)).or_default().push(to);
            }
        }
        CallGraph(called)
    }

    fn called_from(&self, predicate: Option<&Predicate>) -> &[Predicate] {
        self.0.get(&predicate.cloned()).map_or(&[], Vec::as_slice)
    }
}

/// Searches for the bottleneck. `run` takes a profile of the goal with the given predicates as centres; `predicates` are all predicates of
/// the program. A profile with all predicates determines the `resource` of the search.
///
/// # Errors
/// Returns the errors of `run`.
pub fn search<E>(
    predicates: &[Predicate],
    resource: &dyn Fn(&Profile) -> Resource,
    heuristic: Heuristic,
    run: &mut dyn FnMut(&[Predicate]) -> Result<Profile, E>,
) -> Result<Tree, E> {
    let whole = run(predicates)?;
    let resource = resource(&whole);
    let graph = CallGraph::new(&whole);
    let mut tree = Tree {
        found: Vec::new(),
        total: whole.measured.total.amount(resource),
        iterations: 0,
        resource,
        centres: Vec::new(),
    };
    // If the goal is a call of a single predicate, start with that predicate.
    let first = match graph.called_from(None) {
        [only] if whole.rows[0].own.amount(Resource::Steps) == 0 => Some(only.clone()),
        _ => None,
    };
    tree.found.push(TreeNode {
        predicate: first.clone(),
        parent: None,
        used: tree.total,
        own: None,
    });
    let mut chosen: BTreeSet<Predicate> = first.into_iter().collect();
    let mut open = vec![0];
    while let Some(current) = open.pop() {
        let at = tree.found[current].predicate.clone();
        let called = graph.called_from(at.as_ref());
        let mut centres: Vec<Predicate> = chosen.iter().cloned().collect();
        centres.extend(called.iter().filter(|p| !chosen.contains(*p)).cloned());
        let profile = run(&centres)?;
        tree.iterations += 1;
        let used = |predicate: Option<&Predicate>| {
            (profile.centre(&centre_of(predicate)))
                .map_or(0, |n| profile.rows[n].own.amount(resource))
        };
        tree.found[current].own = Some(used(at.as_ref()));
        let mut candidates: Vec<(Predicate, u64)> = (called.iter())
            .filter(|p| !chosen.contains(*p))
            .map(|p| (p.clone(), used(Some(p))))
            .filter(|&(_, used)| used > 0)
            .collect();
        candidates.sort_by_key(|&(_, used)| std::cmp::Reverse(used));
        let total = profile.measured.total.amount(resource);
        let selected = select(&candidates, total, predicates.len(), heuristic);
        for (predicate, used) in candidates.into_iter().take(selected) {
            chosen.insert(predicate.clone());
            tree.found.push(TreeNode {
                predicate: Some(predicate),
                parent: Some(current),
                used,
                own: None,
            });
        }
        // Descend into the node with the highest use, including its callees, before the next node.
        open.extend((tree.found.len() - selected..tree.found.len()).rev());
    }
    let mut centres: BTreeSet<Predicate> = chosen;
    for found in &tree.found {
        centres.extend(graph.called_from(found.predicate.as_ref()).iter().cloned());
    }
    tree.centres = centres.into_iter().collect();
    Ok(tree)
}

/// Returns the number of centres, sorted by use, that a heuristic selects.
fn select(
    sorted: &[(Predicate, u64)],
    total: u64,
    predicates: usize,
    heuristic: Heuristic,
) -> usize {
    match heuristic {
        Heuristic::Most(most) => most.min(sorted.len()),
        Heuristic::Above(percent) => {
            let is_above = |&&(_, used): &&(Predicate, u64)| 100.0 * ratio(used, total) > percent;
            sorted.iter().take_while(is_above).count()
        }
        Heuristic::Together {
            predicates: most,
            total: least,
        } => {
            let mut sum = 0;
            for (number, (_, used)) in (1_u64..).zip(sorted) {
                sum += used;
                let of_all = 100.0 * ratio(number, predicates as u64);
                if of_all > most {
                    return 0;
                }
                if 100.0 * ratio(sum, total) > least {
                    return usize::try_from(number).unwrap_or(0);
                }
            }
            0
        }
    }
}
