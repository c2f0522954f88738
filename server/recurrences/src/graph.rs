//! The graph of cells: the cells in which calls land, and the strongly connected components.

mod arguments;
mod components;
pub(crate) mod quotients;
pub(crate) mod relevance;
mod results;

use std::collections::BTreeMap;

use costlens_algebra::Region;
use costlens_algebra::linear::Substitution;

pub(crate) use crate::graph::arguments::{Arguments, arguments, integer_valued};
pub(crate) use crate::graph::components::components;
pub(crate) use crate::graph::results::{
    RESULT_LIMIT, degree_in_results, enabled, factors_of_results, linear_coefficient, monotone,
    nested_results, own_cost,
};
use crate::system::{Alternative, Cell, System};

/// A cell, by function and index.
pub(crate) type CellId = (usize, usize);

/// The cells in which a call may land.
#[derive(Clone, Debug)]
pub(crate) struct Landing {
    /// The cells that may contain the arguments.
    pub(crate) cells: Vec<CellId>,
    /// True if the arguments may lie outside every cell.
    pub(crate) outside: bool,
}

/// The graph of cells.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// The landings of the calls, by function, cell and alternative; `None` if the alternative is infeasible.
    pub(crate) landings: Vec<Vec<Vec<Option<Vec<Landing>>>>>,
    /// The components; callees come first.
    pub(crate) components: Vec<Vec<CellId>>,
    /// The component of each cell.
    pub(crate) component_of: BTreeMap<CellId, usize>,
}

impl Graph {
    pub(crate) fn new(system: &System) -> Self {
        Self::rebuilt(system, None)
    }

    /// Builds the graph of a system that results from cutting some cells of another system. The landings of calls in the other cells are
    /// reused.
    pub(crate) fn rebuilt(system: &System, before: Option<(&System, &Self)>) -> Self {
        let is_same: Vec<bool> = (0..system.functions.len())
            .map(|f| before.is_some_and(|(s, _)| s.functions.get(f) == system.functions.get(f)))
            .collect();
        let known = |f: usize, c: usize| {
            let (other, graph) = before?;
            let cell = &system.functions[f].cells[c];
            let mut calls = cell.alternatives.iter().flat_map(|a| &a.results);
            let stays = other.functions.get(f)?.cells.get(c) == Some(cell)
                && calls.all(|call| is_same.get(call.function).is_some_and(|&same| same));
            stays.then(|| graph.landings[f][c].clone())
        };
        let landings: Vec<Vec<Vec<Option<Vec<Landing>>>>> = (system.functions.iter().enumerate())
            .map(|(f, function)| {
                let cells = function.cells.iter().enumerate();
                let landings = |(c, cell): (usize, &Cell)| {
                    let found = || {
                        cell.alternatives
                            .iter()
                            .map(|a| landings_of(system, cell, a))
                    };
                    known(f, c).unwrap_or_else(|| found().collect())
                };
                cells.map(landings).collect()
            })
            .collect();
        let nodes: Vec<CellId> = system
            .functions
            .iter()
            .enumerate()
            .flat_map(|(f, function)| (0..function.cells.len()).map(move |c| (f, c)))
            .collect();
        let number: BTreeMap<CellId, usize> =
            nodes.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        let edges: Vec<Vec<usize>> = nodes
            .iter()
            .map(|&(f, c)| {
                let mut targets: Vec<usize> = landings[f][c]
                    .iter()
                    .flatten()
                    .flatten()
                    .flat_map(|l| l.cells.iter().map(|id| number[id]))
                    .collect();
                targets.sort_unstable();
                targets.dedup();
                targets
            })
            .collect();
        let components: Vec<Vec<CellId>> = components(&edges)
            .into_iter()
            .map(|c| {
                let mut ids: Vec<CellId> = c.into_iter().map(|i| nodes[i]).collect();
                ids.sort_unstable();
                ids
            })
            .collect();
        let component_of = components
            .iter()
            .enumerate()
            .flat_map(|(i, c)| c.iter().map(move |&id| (id, i)))
            .collect();
        Self {
            landings,
            components,
            component_of,
        }
    }
}

fn landings_of(system: &System, cell: &Cell, alternative: &Alternative) -> Option<Vec<Landing>> {
    let on = enabled(&cell.region, alternative);
    if on.is_empty() {
        return None;
    }
    if alternative.results.len() > RESULT_LIMIT {
        return Some(vec![Landing {
            cells: Vec::new(),
            outside: true,
        }]);
    }
    let landings = alternative
        .results
        .iter()
        .enumerate()
        .map(|(position, call)| {
            let nowhere = Landing {
                cells: Vec::new(),
                outside: true,
            };
            let Some(callee) = system.functions.get(call.function) else {
                return nowhere;
            };
            let Some(args) = arguments(call, position, callee, &on) else {
                return nowhere;
            };
            let on: Region = args.facts.iter().fold(on.clone(), |r, c| r.and(c.clone()));
            let mut landing = Landing {
                cells: Vec::new(),
                outside: false,
            };
            let mut targets = Vec::new();
            let by = Substitution::new(args.linear);
            for (i, target) in callee.cells.iter().enumerate() {
                let Some(target) = by.region(&target.region) else {
                    landing.cells.push((call.function, i));
                    landing.outside = true;
                    continue;
                };
                if !on.and_all(&target).is_empty() {
                    landing.cells.push((call.function, i));
                    targets.push(target);
                }
            }
            landing.outside = landing.outside || !on.covered_by(&targets);
            landing
        })
        .collect();
    Some(landings)
}
