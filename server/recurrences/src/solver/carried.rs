//! Bounds that were inferred for one partition into cells and are reused for another.
//!
//! If a cell is cut in two, or all cells are cut along the invariants of a recursion, most components are unchanged: their cells are the
//! same, and so are the cells on which they depend. These components keep their bounds and are not solved again.

use std::collections::BTreeSet;
use std::rc::Rc;

use costlens_algebra::Region;
use rustc_hash::FxHashMap;

use crate::graph::{CellId, Graph};
use crate::solver::state::SolverState;
use crate::system::{System, Value, Why};

/// The bounds of a cell, stored by function and region: cutting other cells does not change its equations.
#[derive(Default)]
pub(crate) struct Carried {
    cells: FxHashMap<(usize, Region), SolvedCell>,
    /// The number of cells in each component.
    sizes: Vec<usize>,
    /// The previous system and its graph.
    graph: Option<(System, Rc<Graph>)>,
}

struct SolvedCell {
    value: Value,
    how: String,
    is_loose: bool,
    /// The component; cells that were solved together have the same component.
    component: usize,
    /// True if cutting cells would not improve the bound.
    is_settled: bool,
}

impl Carried {
    /// Returns the graph of a system, reusing the unchanged parts of the previous graph.
    pub(crate) fn graph(&mut self, system: &System) -> Rc<Graph> {
        if let Some((of, graph)) = &self.graph
            && of == system
        {
            return Rc::clone(graph);
        }
        let before = self.graph.as_ref().map(|(of, graph)| (of, &**graph));
        let graph = Rc::new(Graph::rebuilt(system, before));
        self.graph = Some((system.clone(), Rc::clone(&graph)));
        graph
    }

    /// Stores the bounds of solved components.
    pub(crate) fn keep(&mut self, state: &SolverState<'_>, components: &[Vec<CellId>]) {
        for cells in components {
            let component = self.sizes.len();
            self.sizes.push(cells.len());
            for &id in cells {
                let Some(value) = state.values.get(&id) else {
                    continue;
                };
                let is_loose = state.loose.contains(&id);
                let is_exact = !is_loose && !matches!(value, Value::Unknown(_));
                let known = SolvedCell {
                    value: value.clone(),
                    how: state.how.get(&id).cloned().unwrap_or_default(),
                    is_loose,
                    component,
                    is_settled: is_exact || state.may_cut,
                };
                self.cells.insert((id.0, region(state, id)), known);
            }
        }
    }

    /// Returns whether the fuel ran out before a cell was solved.
    pub(crate) fn lacks_fuel(&self) -> bool {
        let mut cells = self.cells.values();
        cells.any(|known| known.value == Value::Unknown(Why::Fuel))
    }

    /// Restores the bounds of unchanged components.
    pub(crate) fn give(&self, state: &mut SolverState<'_>) {
        let graph = state.graph;
        let mut given: BTreeSet<CellId> = BTreeSet::new();
        for component in &graph.components {
            let known: Option<Vec<&SolvedCell>> = component
                .iter()
                .map(|&id| self.cells.get(&(id.0, region(state, id))))
                .collect();
            let Some(known) = known else { continue };
            let together = known.iter().all(|k| k.component == known[0].component)
                && known.first().map(|k| self.sizes[k.component]) == Some(known.len());
            let usable = known
                .iter()
                .all(|k| k.value != Value::Unknown(Why::Fuel) && (k.is_settled || !state.may_cut));
            let below = component
                .iter()
                .flat_map(|&(f, c)| graph.landings[f][c].iter().flatten().flatten())
                .flat_map(|landing| &landing.cells);
            let mut below = below.filter(|id| !component.contains(id));
            if together && usable && below.all(|id| given.contains(id)) {
                for (&id, known) in component.iter().zip(known) {
                    if let (Value::Unknown(why), true) = (&known.value, state.may_leave_out) {
                        state.tried.insert(id, why.clone());
                        continue;
                    }
                    state.set(id, known.value.clone(), known.how.clone());
                    if known.is_loose {
                        state.loose.insert(id);
                    }
                    given.insert(id);
                }
            }
        }
    }
}

fn region(state: &SolverState<'_>, (f, c): CellId) -> Region {
    state.system.functions[f].cells[c].region.clone()
}
