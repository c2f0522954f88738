//! Upper bounds at given sizes, for predicates without a known closed form.
//!
//! The clauses run again with numbers for sizes, and each resulting call within the component becomes a cell of a table:
//!
//! ```text
//! ack(M, N, R) :- M > 0, N > 0, M1 is M-1, N1 is N-1, ack(M, N1, K), ack(M1, K, R).
//!
//! cell (1, 2): needs cell (1, 1), where K is 3 and which takes 4 steps, and then cell (0, 3)
//! ```
//!
//! A cell contains an upper bound on the steps of a call with its sizes, and lower and upper bounds on its solutions and output sizes. It
//! is computed once all cells on which it depends are known. A cell that depends on itself has no values. The contents of the table are
//! therefore proved by induction on the calls, which end, and may be negative (unlike the least solution of a system in [0, ∞]). The
//! implementation does not recur: waiting cells are on a stack, and the number of clause runs is limited.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Rat, Var};
use costlens_recurrences::{Alternative, Direction, Function, SolvedPiece, Value, Why};
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

use crate::component::Component;
use crate::component::costs::Costs;
use crate::equations::quantity::Quantity;
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::report::{Evaluated, EvaluatedPoint, SizeVariable};
use crate::summary::node::{Node, Output};
use crate::summary::pieces::{Pieces, Sides};
use crate::summary::{Summary, diverges_on};
use crate::tree::runs::RegionRuns;
use crate::tree::{Callee, Step, for_each_step};

/// The maximum number of turns per table; in a turn, the clauses run once for a cell.
const MOST_TURNS: u64 = 600;

/// The maximum number of goals that are run per table.
const MOST_GOALS: u64 = 30_000;

/// The maximum number of cells waiting for each other.
const MOST_WAITING: usize = 300;

/// The maximum number of other cells whose outputs the run of a cell may use.
const MOST_USED: usize = 12;

/// The maximum number of combinations of sizes of subterms per turn.
const MOST_CHOICES: u64 = 3_000;

/// The maximum number of binary digits of a value. Longer numbers are unreadable, and computing with them takes longer than the runs.
const MOST_BITS: u64 = 512;

/// The sizes in a displayed table, in which all sizes of a predicate have the same value.
const SHOWN: [i64; 14] = [0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48];

/// A node, with the sizes on which its quantities depend.
type NodeAtSizes = (usize, Vec<Option<i64>>);

/// Values for calls with given sizes.
#[derive(Clone, Debug, Default)]
struct TableRow {
    /// Upper bounds on the steps over all solutions, and up to the first solution.
    all: Option<Rat>,
    first: Option<Rat>,
    /// Lower and upper bounds on the number of solutions.
    solutions: (Option<Rat>, Option<Rat>),
    /// Lower and upper bounds on output sizes.
    outputs: BTreeMap<usize, (Option<Rat>, Option<Rat>)>,
    /// True if no call has these sizes (no tree with leaves `l` and nodes `t(L, R)` has size 2).
    absent: bool,
}

#[derive(Clone, Debug)]
enum Cell {
    /// The cell is waiting for other cells. The list contains the cells whose outputs its run uses.
    Open(Vec<NodeAtSizes>),
    Done(Box<TableRow>),
}

enum Turn {
    Done(Box<TableRow>),
    Waits(Vec<NodeAtSizes>, Vec<NodeAtSizes>),
}

/// The table for a component whose phases are all complete.
struct Table<'c, 'a> {
    component: &'c mut Component<'a>,
    /// For each node, the sizes on which its costs depend.
    relevant: Vec<Vec<bool>>,
    cells: BTreeMap<NodeAtSizes, Cell>,
    turns: u64,
}

/// Returns the bounds at small sizes for a predicate that lacks an upper bound in some region.
pub(crate) fn evaluated(
    component: &mut Component<'_>,
    costs: &Costs,
    summary: &Summary,
) -> Option<Evaluated> {
    let open = summary
        .all
        .upper
        .iter()
        .any(|p| matches!(p.value, Value::Unknown(_)) && !diverges_on(summary, &p.region));
    if !open {
        return None;
    }
    let mut table = Table::new(component, costs);
    let sizes = table.sizes(summary);
    let mut points = Vec::new();
    for k in SHOWN {
        let at: Vec<i64> = sizes.iter().map(|_| k).collect();
        points.extend(table.point(&at));
        if sizes.is_empty() || table.turns == 0 {
            break;
        }
    }
    let news = |point: &EvaluatedPoint| {
        let of: BTreeMap<Var, i64> = (sizes.iter().map(|s| s.var))
            .zip(point.sizes.iter().copied())
            .collect();
        let mut pieces = summary.all.upper.iter();
        let piece = pieces.find(|p| p.region.contains(&|v| of.get(&v).map(|&k| k.into())));
        piece.is_none_or(|p| matches!(p.value, Value::Unknown(_)))
    };
    // If the table adds no bounds to the closed forms, no table is returned.
    (points.iter().any(news)).then_some(Evaluated { sizes, points })
}

/// Returns the bounds at points that are chosen once the relevant sizes are known; points without a bound are left out.
pub(crate) fn evaluated_at(
    component: &mut Component<'_>,
    costs: &Costs,
    summary: &Summary,
    choose: &dyn Fn(&[SizeVariable]) -> Vec<Vec<i64>>,
) -> Evaluated {
    let mut table = Table::new(component, costs);
    let sizes = table.sizes(summary);
    let mut points = Vec::new();
    for at in choose(&sizes) {
        table.refuel();
        if at.len() == sizes.len() {
            points.extend(table.point(&at));
        }
    }
    Evaluated { sizes, points }
}

impl<'c, 'a> Table<'c, 'a> {
    fn new(component: &'c mut Component<'a>, costs: &Costs) -> Self {
        let n = component.nodes.len();
        let functions = &costs.upper.functions;
        let relevant = (component.nodes.iter().enumerate())
            .map(|(i, node)| {
                let used = |v: &Var| [i, n + i].iter().any(|&f| functions[f].params.contains(v));
                node.params.iter().map(|p| used(&p.var)).collect()
            })
            .collect();
        let mut table = Table {
            component,
            relevant,
            cells: BTreeMap::new(),
            turns: 0,
        };
        table.refuel();
        table
    }

    fn refuel(&mut self) {
        self.turns = MOST_TURNS;
        self.component.shared.fuel.set(MOST_GOALS);
        // Cells that were waiting when the fuel ran out are removed.
        self.cells.retain(|_, cell| matches!(cell, Cell::Done(_)));
    }

    /// Returns the sizes on which the entry's costs depend.
    fn sizes(&self, summary: &Summary) -> Vec<SizeVariable> {
        (summary.params.iter().zip(&self.relevant[0]))
            .filter(|(_, relevant)| **relevant)
            .map(|(size, _)| size.clone())
            .collect()
    }

    fn point(&mut self, at: &[i64]) -> Option<EvaluatedPoint> {
        let mut values = at.iter().copied();
        let key: Vec<Option<i64>> = (self.relevant[0].iter())
            .map(|&relevant| if relevant { values.next() } else { None })
            .collect();
        let row = self.row((0, key))?;
        if row.absent {
            return None;
        }
        // The number of steps is an integer.
        let all = row.all?.floor().to_integer();
        let first = row.first.map(|f| f.floor().to_integer());
        Some(EvaluatedPoint {
            sizes: at.to_vec(),
            first: first.filter(|f| *f < all).unwrap_or_else(|| all.clone()),
            all,
        })
    }

    fn row(&mut self, key: NodeAtSizes) -> Option<TableRow> {
        let mut stack = vec![key.clone()];
        while let Some(top) = stack.last().cloned() {
            if let Some(Cell::Done(_)) = self.cells.get(&top) {
                stack.pop();
                continue;
            }
            if stack.len() > MOST_WAITING {
                self.turns = 0;
            }
            match self.turn(&top)? {
                Turn::Done(row) => {
                    self.cells.insert(top, Cell::Done(row));
                    stack.pop();
                }
                Turn::Waits(used, missing) => {
                    self.cells.insert(top, Cell::Open(used));
                    stack.extend(missing);
                }
            }
        }
        match self.cells.get(&key) {
            Some(Cell::Done(row)) => Some(TableRow::clone(row)),
            _ => None,
        }
    }

    /// Runs the clauses for a cell. Returns `None` if the limit on turns is reached.
    fn turn(&mut self, key: &NodeAtSizes) -> Option<Turn> {
        let mut used = match self.cells.get(key) {
            Some(Cell::Open(used)) => used.clone(),
            _ => Vec::new(),
        };
        // The entry is marked open, so that a cell that depends on itself is detected.
        self.cells.insert(key.clone(), Cell::Open(used.clone()));
        loop {
            self.turns = self.turns.checked_sub(1)?;
            if self.component.shared.fuel.get() == 0 {
                self.turns = 0;
                return None;
            }
            let nodes = self.nodes(key, &used);
            let general = std::mem::replace(&mut self.component.nodes, nodes);
            let (runs, _) = self.component.explore(key.0);
            let new: Vec<NodeAtSizes> = (self.calls(&runs).into_iter())
                .filter(|call| !used.contains(call))
                .collect();
            if !new.is_empty() && used.len() + new.len() <= MOST_USED {
                self.component.nodes = general;
                used.extend(new.iter().cloned());
                let missing: Vec<NodeAtSizes> = (new.into_iter())
                    .filter(|call| !self.cells.contains_key(call))
                    .collect();
                if missing.is_empty() {
                    continue;
                }
                return Some(Turn::Waits(used, missing));
            }
            let mut missing = Vec::new();
            let row = self.values(key, &runs, &mut missing);
            self.component.nodes = general;
            return Some(if missing.is_empty() {
                Turn::Done(Box::new(row))
            } else {
                missing.sort();
                missing.dedup();
                Turn::Waits(used, missing)
            });
        }
    }

    /// Returns the nodes for the run of a cell: its sizes, and the outputs and solutions of the cells that it uses, are numbers.
    fn nodes(&self, key: &NodeAtSizes, used: &[NodeAtSizes]) -> Vec<Node> {
        let mut nodes = self.component.nodes.clone();
        for callee in used {
            if let Some(Cell::Done(row)) = self.cells.get(callee) {
                let at = self.region(callee);
                install(&mut nodes[callee.0], &at, row);
            }
        }
        let at = self.region(key);
        let node = &mut nodes[key.0];
        node.domain = node.domain.and_all(&at);
        let values = node.params.iter().zip(&key.1);
        node.given = values.filter_map(|(p, v)| Some((p.var, (*v)?))).collect();
        nodes
    }

    fn region(&self, (node, values): &NodeAtSizes) -> Region {
        let params = &self.component.nodes[*node].params;
        (params.iter().zip(values))
            .filter_map(|(p, value)| Constraint::eq(&Expr::var(p.var), &Expr::int((*value)?)))
            .fold(Region::default(), |r, c| r.and(c))
    }

    /// Returns the calls within the component whose sizes are numbers.
    fn calls(&self, runs: &[RegionRuns]) -> BTreeSet<NodeAtSizes> {
        let mut found = BTreeSet::new();
        let clauses = (runs.iter().flat_map(|r| &r.worlds)).flat_map(|w| &w.clauses);
        for run in clauses {
            for_each_step(&run.tree, &mut |step| {
                if let Step::Call(call) = step
                    && let Callee::Inside(node) = call.callee
                    && let Some(key) = self.key(node, call.args.iter().map(number))
                {
                    found.insert(key);
                }
            });
        }
        found
    }

    /// Returns the cell for a call, or `None` if a relevant size is not a number.
    fn key(&self, node: usize, sizes: impl Iterator<Item = Option<i64>>) -> Option<NodeAtSizes> {
        let values: Option<Vec<Option<i64>>> = (sizes.zip(&self.relevant[node]))
            .map(|(size, &relevant)| if relevant { size.map(Some) } else { Some(None) })
            .collect();
        values
            .filter(|v| v.len() == self.relevant[node].len())
            .map(|v| (node, v))
    }

    /// Computes the values from the runs of a cell. Calls whose cells are not yet known are added to `missing`; the result is meaningless
    /// in that case.
    fn values(
        &self,
        key: &NodeAtSizes,
        runs: &[RegionRuns],
        missing: &mut Vec<NodeAtSizes>,
    ) -> TableRow {
        let node = &self.component.nodes[key.0];
        let mut choices = MOST_CHOICES;
        let mut of = |quantity, direction, missing: &mut Vec<NodeAtSizes>| {
            let function = (self.component).function(key.0, runs, direction, true, &|q, run| {
                q.clauses(quantity, run)
            });
            self.value(
                key,
                &function,
                direction,
                Some(Rat::zero()),
                &mut choices,
                missing,
            )
        };
        let mut row = TableRow {
            all: of(Quantity::All, Direction::Upper, missing),
            first: of(Quantity::First, Direction::Upper, missing),
            solutions: (
                of(Quantity::Solutions, Direction::Lower, missing),
                of(Quantity::Solutions, Direction::Upper, missing),
            ),
            outputs: BTreeMap::new(),
            absent: runs.iter().all(|r| r.worlds.is_empty()),
        };
        for (argument, metric) in outputs(node) {
            let mut side = |direction| {
                let function = self
                    .component
                    .function(key.0, runs, direction, false, &|q, run| {
                        q.output(argument, metric, run, &|_, _| None)
                    });
                self.value(key, &function, direction, None, &mut choices, missing)
            };
            let sides = (side(Direction::Lower), side(Direction::Upper));
            row.outputs.insert(argument, sides);
        }
        row
    }

    /// Returns the greatest or least value of a function at the sizes of a cell, or `otherwise` if no clause applies.
    fn value(
        &self,
        key: &NodeAtSizes,
        function: &Function,
        direction: Direction,
        otherwise: Option<Rat>,
        choices: &mut u64,
        missing: &mut Vec<NodeAtSizes>,
    ) -> Option<Rat> {
        let mut best: Option<Rat> = None;
        let mut add = |value: Rat| {
            let better = best.as_ref().is_none_or(|b| match direction {
                Direction::Upper => value > *b,
                Direction::Lower => value < *b,
            });
            if better {
                best = Some(value);
            }
        };
        for cell in &function.cells {
            if cell.alternatives.is_empty() {
                // A region without a world contains no calls.
                if let Some(value) = &otherwise {
                    add(value.clone());
                }
            }
            for alternative in &cell.alternatives {
                let on = cell.region.and_all(&alternative.constraints);
                for value in self.alternative(key, alternative, &on, choices, missing)? {
                    add(if otherwise.is_some() && value.is_negative() {
                        Rat::zero()
                    } else {
                        value
                    });
                }
            }
        }
        best.or(otherwise)
    }

    /// Returns the values of an alternative, one for each choice of its locals, or `None` if some value is unknown.
    fn alternative(
        &self,
        key: &NodeAtSizes,
        alternative: &Alternative,
        on: &Region,
        choices: &mut u64,
        missing: &mut Vec<NodeAtSizes>,
    ) -> Option<Vec<Rat>> {
        let params = &self.component.nodes[key.0].params;
        let own: BTreeMap<Var, Option<i64>> = params
            .iter()
            .map(|p| p.var)
            .zip(key.1.iter().copied())
            .collect();
        let given: BTreeMap<Var, Expr> = (own.iter())
            .filter_map(|(&v, k)| Some((v, Expr::int((*k)?))))
            .collect();
        // Constraints on irrelevant sizes are dropped, which results in more choices, not fewer.
        let on: Region = (on.constraints().iter())
            .filter(|c| !c.variables().any(|v| own.get(&v) == Some(&None)))
            .cloned()
            .collect();
        let mut mentioned: BTreeSet<Var> =
            alternative.value.iter().flat_map(Expr::variables).collect();
        for result in &alternative.results {
            mentioned.extend(result.args.iter().flat_map(Expr::variables));
        }
        let locals: Vec<Var> = (alternative.locals.iter().copied())
            .filter(|v| mentioned.contains(v))
            .collect();
        let mut values = Vec::new();
        let mut open = vec![(on.substitute(&given)?, given, 0)];
        while let Some((on, known, next)) = open.pop() {
            *choices = choices.checked_sub(1)?;
            if on.is_empty() {
                continue;
            }
            let Some(&local) = locals.get(next) else {
                values.push(self.chosen(alternative, &known, missing)?);
                continue;
            };
            let (low, high) = on.bounds(&Expr::var(local));
            let (low, high) = (low?.ceil().to_i64()?, high?.floor().to_i64()?);
            if u64::try_from(high.checked_sub(low)?).is_ok_and(|more| more > *choices) {
                return None;
            }
            for value in low..=high {
                let mut known = known.clone();
                known.insert(local, Expr::int(value));
                let this = BTreeMap::from([(local, Expr::int(value))]);
                open.push((on.substitute(&this)?, known, next + 1));
            }
        }
        Some(values)
    }

    /// Returns the value of an alternative for one choice of locals.
    fn chosen(
        &self,
        alternative: &Alternative,
        known: &BTreeMap<Var, Expr>,
        missing: &mut Vec<NodeAtSizes>,
    ) -> Option<Rat> {
        let value = alternative.value.as_ref()?.substitute(known)?;
        let results: BTreeSet<Var> = alternative.results.iter().map(|r| r.var).collect();
        if !grows_in(&value, &results) {
            return None;
        }
        let n = self.component.nodes.len();
        let mut by: BTreeMap<Var, Expr> = BTreeMap::new();
        for result in &alternative.results {
            if !value.variables().contains(&result.var) {
                continue;
            }
            let node = Some(result.function % n).filter(|_| result.function < 2 * n)?;
            let sizes = (result.args.iter()).map(|a| integer(&a.substitute(known)?.as_constant()?));
            let key = self.key(node, sizes)?;
            let cost = match self.cells.get(&key) {
                Some(Cell::Done(row)) if result.function < n => row.all.clone()?,
                Some(Cell::Done(row)) => row.first.clone()?,
                // The cell depends on its own value.
                Some(Cell::Open(_)) => return None,
                None => {
                    missing.push(key);
                    Rat::zero()
                }
            };
            by.insert(result.var, Expr::constant(cost));
        }
        let value = value.substitute(&by)?.as_constant()?;
        (value.numer().bits() <= MOST_BITS).then_some(value)
    }
}

/// Returns whether an expression is a sum of products of results with positive factors. Such an expression is monotone in the results.
fn grows_in(e: &Expr, results: &BTreeSet<Var>) -> bool {
    e.terms().all(|(m, c)| {
        m.exponentials.is_empty()
            && m.all_atoms().next().is_none()
            && m.powers.keys().all(|v| results.contains(v))
            && (m.is_one() || !c.is_negative())
    })
}

/// Returns the arguments of a node whose sizes on success are computed.
fn outputs(node: &Node) -> Vec<(usize, Metric)> {
    let success = node.success.iter().flatten().enumerate();
    success
        .filter(|(argument, _)| node.pattern.0[*argument] == Type::Free)
        .filter_map(|(argument, ty)| Some((argument, ty.metric()?)))
        .collect()
}

/// Returns the value of a size if it is a number.
fn number(size: &Size) -> Option<i64> {
    integer(&size.as_exact()?.as_constant()?)
}

fn integer(value: &Rat) -> Option<i64> {
    value.is_integer().then(|| value.to_integer().to_i64())?
}

/// Records in a node the facts about calls with the sizes of a region, for the node's callers.
fn install(node: &mut Node, at: &Region, row: &TableRow) {
    for (&argument, sides) in &row.outputs {
        let mut known = match &node.outputs[argument] {
            Output::Solved(sides) => sides.clone(),
            _ => Sides::default(),
        };
        known.lower = with_value(&known.lower, at, sides.0.as_ref());
        known.upper = with_value(&known.upper, at, sides.1.as_ref());
        node.outputs[argument] = Output::Solved(known);
    }
    if let Some(solutions) = &mut node.solutions {
        solutions.lower = with_value(&solutions.lower, at, row.solutions.0.as_ref());
        solutions.upper = with_value(&solutions.upper, at, row.solutions.1.as_ref());
    }
}

/// Returns the function after replacing its value on a region.
fn with_value(pieces: &Pieces, at: &Region, value: Option<&Rat>) -> Pieces {
    let everywhere = || SolvedPiece {
        region: Region::everything(),
        value: Value::Unknown(Why::NoForm),
    };
    let mut before = pieces.clone();
    if before.is_empty() {
        before.push(everywhere());
    }
    let Some(value) = value else {
        return before;
    };
    let mut changed = vec![SolvedPiece {
        region: at.clone(),
        value: Value::Known(Expr::constant(value.clone())),
    }];
    for piece in before {
        let rest = piece.region.difference(at).into_iter();
        changed.extend(rest.map(|region| SolvedPiece {
            region,
            value: piece.value.clone(),
        }));
    }
    changed
}
