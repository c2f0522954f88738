//! The state of a search: the bounds so far, and all data needed to continue.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::Constraint;
use costlens_algebra::work::Meter;

use crate::graph::{CellId, Graph, relevance};
use crate::induction::{Checker, measure};
use crate::solver::quality::Quality;
use crate::solver::turns::Turns;
use crate::system::{Direction, SolvedPiece, System, Value, Why};
use crate::values::evaluate::Evaluator;

/// A cell that could not be solved, with the reason.
pub(crate) type Failure = (CellId, Why);

/// A cell that should be solved in two parts, and the constraint that separates them.
pub(crate) struct Cut {
    pub(crate) cell: CellId,
    pub(crate) constraint: Constraint,
}

/// Proved bounds for cells.
pub(crate) struct ProvedBounds {
    pub(crate) values: BTreeMap<CellId, Value>,
    /// A description of each cell's proof.
    pub(crate) lines: BTreeMap<CellId, String>,
}

/// A search in one direction for one choice of cells.
pub(crate) struct SolverState<'a> {
    pub(crate) system: &'a System,
    pub(crate) graph: &'a Graph,
    /// For each component, the result of [`measure`].
    measured: Vec<bool>,
    pub(crate) direction: Direction,
    /// By function and parameter: true if some value depends on the parameter.
    pub(crate) relevant: Vec<Vec<bool>>,
    pub(crate) values: BTreeMap<CellId, Value>,
    /// How each value was inferred.
    pub(crate) how: BTreeMap<CellId, String>,
    /// The cells with an inexact bound.
    pub(crate) loose: BTreeSet<CellId>,
    pub(crate) evaluator: Evaluator<'a>,
    /// The turns computed by linear programs for the cells that are being solved.
    pub(crate) turns: Turns,
    pub(crate) fuel: u64,
    meter: Meter,
    /// True if cells may be cut.
    pub(crate) may_cut: bool,
    /// True if bounds may leave out a size.
    pub(crate) may_leave_out: bool,
    /// The cells that were tried in all their sizes without success.
    pub(crate) tried: BTreeMap<CellId, Why>,
    /// A cut suggested by values; once it is set, no further cells are solved.
    pub(crate) cut: Option<Cut>,
}

impl<'a> SolverState<'a> {
    /// Creates a state with no solved cells. The search for measures of lower bounds uses the fuel.
    pub(crate) fn new(
        system: &'a System,
        graph: &'a Graph,
        direction: Direction,
        may_cut: bool,
        fuel: &mut u64,
    ) -> Self {
        let meter = Meter::start(*fuel);
        let measured = match direction {
            Direction::Lower => measure::components(system, graph, fuel),
            Direction::Upper => vec![true; graph.components.len()],
        };
        Self {
            system,
            graph,
            measured,
            direction,
            relevant: relevance::params(system),
            values: BTreeMap::new(),
            how: BTreeMap::new(),
            loose: BTreeSet::new(),
            evaluator: Evaluator::new(system, direction, 0),
            turns: Turns::default(),
            fuel: *fuel,
            meter,
            may_cut,
            may_leave_out: false,
            tried: BTreeMap::new(),
            cut: None,
        }
    }

    /// Charges the work since the last call, as far as it exceeds the counted steps.
    pub(crate) fn settle(&mut self) {
        self.meter.settle(&mut self.fuel);
    }

    /// Stores the value of a cell and how it was inferred.
    pub(crate) fn set(&mut self, id: CellId, value: Value, how: impl Into<String>) {
        let function = &self.system.functions[id.0];
        let piece = SolvedPiece {
            region: function.cells[id.1].region.clone(),
            value: value.clone(),
        };
        self.evaluator.solved(id.0, &function.params, &piece);
        self.values.insert(id, value);
        self.how.insert(id, how.into());
    }

    /// Returns one piece per cell: the solved cells, with `guesses` added.
    pub(crate) fn table(&self, guesses: &BTreeMap<CellId, Value>) -> Vec<Vec<SolvedPiece>> {
        let mut table: Vec<Vec<SolvedPiece>> = vec![Vec::new(); self.system.functions.len()];
        for (f, function) in self.system.functions.iter().enumerate() {
            for (c, cell) in function.cells.iter().enumerate() {
                if let Some(value) = guesses.get(&(f, c)).or_else(|| self.values.get(&(f, c))) {
                    table[f].push(SolvedPiece {
                        region: cell.region.clone(),
                        value: value.clone(),
                    });
                }
            }
        }
        table
    }

    /// Proves that the guesses together are bounds; otherwise returns a cell whose guess is not proved.
    pub(crate) fn proved(
        &mut self,
        guesses: &BTreeMap<CellId, Value>,
    ) -> Result<BTreeMap<CellId, String>, Failure> {
        let table = self.table(guesses);
        let mut lines = BTreeMap::new();
        for (&id, value) in guesses {
            let piece = SolvedPiece {
                region: self.system.functions[id.0].cells[id.1].region.clone(),
                value: value.clone(),
            };
            match self.check(&table, id.0, &piece) {
                Ok(line) => {
                    lines.insert(id, line);
                }
                Err(why) => return Err((id, why)),
            }
        }
        Ok(lines)
    }

    /// Proves that a piece is a bound, assuming that the pieces in the table are. Returns a description of the proof.
    pub(crate) fn check(
        &mut self,
        table: &[Vec<SolvedPiece>],
        function: usize,
        piece: &SolvedPiece,
    ) -> Result<String, Why> {
        let mut checker = Checker {
            system: self.system,
            graph: self.graph,
            measured: &self.measured,
            table,
            direction: self.direction,
            fuel: &mut self.fuel,
        };
        let proved = checker.piece(function, piece);
        self.settle();
        proved
    }

    /// Stores proved but inexact bounds.
    pub(crate) fn keep_loose(&mut self, found: ProvedBounds, how: &dyn Fn(CellId) -> String) {
        for (id, line) in found.lines {
            self.loose.insert(id);
            let how = format!("{}; {line}", how(id));
            self.set(id, found.values[&id].clone(), how);
        }
    }

    /// Returns the regions on which the solution is unknown or inexact.
    pub(crate) fn quality(&self) -> Quality {
        let region = |&(f, c): &CellId| (f, self.system.functions[f].cells[c].region.clone());
        let unknown = |(_, v): &(&CellId, &Value)| matches!(v, Value::Unknown(_));
        Quality {
            unknown: self
                .values
                .iter()
                .filter(unknown)
                .map(|(id, _)| region(id))
                .collect(),
            loose: self.loose.iter().map(region).collect(),
        }
    }
}
