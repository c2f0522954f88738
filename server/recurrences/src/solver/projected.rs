//! Bounds that ignore a size, or depend on two sizes only through their difference.
//!
//! `comb(K, [X|T], [X|C]) :- K > 0, K1 is K-1, comb(K1, T, C).  comb(K, [_|T], C) :- comb(K, T, C).` costs sums of binomial coefficients,
//! for which there is no closed form in this crate. The maximum over all K, `F(m) = max over K of T(K, m)`, satisfies
//! `F(m) = max(2·F(m-1) + 2, 1)`, in which K is a local and is eliminated. Binary search between two limits,
//! `T(n, m) = max(T(i+1, m), T(n, i-1)) + 1` with `n+m-1 <= 2·i <= n+m`, depends on the distance between them: with `m = d+n-1` and
//! `i = j+n`, every `n` disappears from the calls.
//!
//! Both transformations produce equations in fewer sizes, whose solution is an upper bound on the solution of the original equations. They
//! only suggest a bound, which must be proved for the original equations like any other bound.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::{Expr, Rat, Region, Var};
use num_traits::ToPrimitive;

use crate::graph::quotients::quotients;
use crate::graph::{CellId, Graph, enabled};
use crate::solver::state::{ProvedBounds, SolverState};
use crate::system::{Alternative, CallResult, Cell, Direction, Function, System, Value};

/// The maximum number of sizes of a function.
const SIZE_LIMIT: usize = 4;

/// The maximum number of locals of an alternative that is shifted.
const LOCAL_LIMIT: usize = 4;

/// The divisor of the fuel that limits one attempt.
const SHARE: u64 = 4;

/// The function that solves a component; it is passed as a parameter because it calls this module for bounds in fewer sizes.
pub(crate) type SolveComponent = fn(&mut SolverState<'_>, &[CellId]);

/// The way in which a size is eliminated.
#[derive(Clone, Copy)]
enum Elimination {
    /// Takes the maximum over all values of the size.
    Greatest,
    /// Replaces another size (by index) by its difference from this size plus a constant.
    Apart(usize, i64),
}

/// Returns bounds for the open cells of a function that ignore one of its sizes.
pub(crate) fn search(
    state: &mut SolverState<'_>,
    open: &[CellId],
    solve: SolveComponent,
) -> Option<ProvedBounds> {
    let active = active(state, open)?;
    let pairs = differences(&active);
    let single = active.iter().map(|&i| (i, Elimination::Greatest));
    single.chain(pairs).find_map(|(i, way)| {
        let coarse = Coarse::normalised(state, open, i, way)?;
        coarse.solve(&Graph::new(&coarse.system), state, open, solve)
    })
}

/// Returns bounds in terms of differences, if the recursion divides the differences but not the sizes. In terms of the sizes, such a
/// function would look linear.
pub(crate) fn divided(
    state: &mut SolverState<'_>,
    open: &[CellId],
    solve: SolveComponent,
) -> Option<ProvedBounds> {
    let active = active(state, open)?;
    let system = state.system;
    let apart = differences(&active).filter(|(i, way)| match way {
        Elimination::Apart(j, _) => jumps(system, open, *i, *j),
        Elimination::Greatest => false,
    });
    first_that_divides(state, open, solve, apart)
}

/// Returns bounds in terms of the other sizes, if the recursion divides these sizes. With one size too many, such a function would look
/// quadratic.
pub(crate) fn divided_beside(
    state: &mut SolverState<'_>,
    open: &[CellId],
    solve: SolveComponent,
) -> Option<ProvedBounds> {
    let active = active(state, open)?;
    // If a size has only a few values, any smaller value may look like a half.
    let function = &state.system.functions[open.first()?.0];
    let is_open = |&i: &usize| {
        let size = Expr::var(function.params[i]);
        let mut cells = open.iter().map(|&(_, c)| &function.cells[c].region);
        cells.any(|region| region.bounds(&size).1.is_none())
    };
    let single = (active.iter())
        .filter(|&i| active.iter().filter(|&j| j != i).any(is_open))
        .map(|&i| (i, Elimination::Greatest));
    first_that_divides(state, open, solve, single)
}

fn first_that_divides(
    state: &mut SolverState<'_>,
    open: &[CellId],
    solve: SolveComponent,
    mut ways: impl Iterator<Item = (usize, Elimination)>,
) -> Option<ProvedBounds> {
    ways.find_map(|(i, way)| {
        let coarse = Coarse::normalised(state, open, i, way)?;
        let graph = Graph::new(&coarse.system);
        if !coarse.divides(&graph) {
            return None;
        }
        coarse.solve(&graph, state, open, solve)
    })
}

/// Returns the indices of the relevant sizes of the single function to which the cells belong, or `None` if no size can be ignored.
fn active(state: &SolverState<'_>, open: &[CellId]) -> Option<Vec<usize>> {
    let f = open.first()?.0;
    let relevant = &state.relevant[f];
    let active: Vec<usize> = (0..relevant.len()).filter(|&i| relevant[i]).collect();
    let one = state.direction == Direction::Upper && open.iter().all(|id| id.0 == f);
    (one && (2..=SIZE_LIMIT).contains(&active.len())).then_some(active)
}

fn differences(active: &[usize]) -> impl Iterator<Item = (usize, Elimination)> + use<'_> {
    active.iter().flat_map(move |&i| {
        let others = active.iter().filter(move |&&j| j != i);
        others.map(move |&j| (i, Elimination::Apart(j, 0)))
    })
}

/// Returns whether each call from the cells to their function changes the difference of two sizes by an amount that depends on a local.
fn jumps(system: &System, open: &[CellId], i: usize, j: usize) -> bool {
    let mut calls = 0;
    let all = open.iter().all(|&(f, c)| {
        let alternatives = &system.functions[f].cells[c].alternatives;
        alternatives.iter().all(|a| {
            let mut own = a.results.iter().filter(|r| r.function == f);
            own.all(|r| {
                calls += 1;
                let apart = &r.args[j] - &r.args[i];
                apart.variables().iter().any(|v| a.locals.contains(v))
            })
        })
    });
    all && calls > 0
}

/// The greatest initial value of a difference that is tried.
const SHIFT_LIMIT: i64 = 8;

/// Equations in fewer sizes.
struct Coarse {
    system: System,
    function: usize,
    /// The region of the cells to be solved, in terms of the remaining sizes.
    hull: Region,
    /// The remaining sizes in terms of the original sizes.
    back: BTreeMap<Var, Expr>,
}

/// The substitution that eliminates a variable from expressions.
struct SizeSubstitution<'a> {
    function: usize,
    at: usize,
    forgotten: Var,
    way: Elimination,
    params: &'a [Var],
}

impl Coarse {
    /// Returns the equations without one size. Differences of sizes are shifted to start at 1, where logarithms are first defined.
    fn normalised(
        state: &SolverState<'_>,
        open: &[CellId],
        forgotten: usize,
        way: Elimination,
    ) -> Option<Self> {
        let coarse = Self::new(state, open, forgotten, way)?;
        let Elimination::Apart(other, 0) = way else {
            return Some(coarse);
        };
        let kept = Expr::var(state.system.functions[coarse.function].params[other]);
        let least = coarse.hull.bounds(&kept).0?.ceil().to_integer().to_i64()?;
        if !(-SHIFT_LIMIT..=SHIFT_LIMIT).contains(&least) {
            return None;
        }
        if least == 1 {
            return Some(coarse);
        }
        Self::new(state, open, forgotten, Elimination::Apart(other, 1 - least))
    }

    /// Solves these equations, and proves the bound for the original equations.
    fn solve(
        &self,
        graph: &Graph,
        state: &mut SolverState<'_>,
        open: &[CellId],
        solve: SolveComponent,
    ) -> Option<ProvedBounds> {
        let budget = state.fuel / SHARE;
        let mut fuel = budget;
        let mut inner = SolverState::new(&self.system, graph, Direction::Upper, false, &mut fuel);
        inner.may_leave_out = state.may_leave_out;
        for component in &graph.components {
            solve(&mut inner, component);
        }
        let found = inner.values.get(&(self.function, 0)).cloned();
        let left = inner.fuel;
        state.fuel -= budget.saturating_sub(left);
        let Some(Value::Known(bound)) = found else {
            return None;
        };
        let bound = bound.substitute(&self.back)?;
        let values: BTreeMap<CellId, Value> = (open.iter())
            .map(|&id| (id, Value::Known(bound.clone())))
            .collect();
        let lines = state.proved(&values).ok()?;
        Some(ProvedBounds { values, lines })
    }

    fn new(state: &SolverState<'_>, open: &[CellId], at: usize, way: Elimination) -> Option<Self> {
        let function = open.first()?.0;
        let original = &state.system.functions[function];
        let change = SizeSubstitution {
            function,
            at,
            forgotten: original.params[at],
            way,
            params: &original.params,
        };
        let mut system = System {
            functions: vec![Function::default(); state.system.functions.len()],
        };
        let (mut alternatives, mut regions) = (Vec::new(), Vec::new());
        let mut below: BTreeSet<CellId> = BTreeSet::new();
        for &(f, c) in open {
            let cell = &original.cells[c];
            regions.push(change.region(&cell.region)?);
            let all = cell.alternatives.iter().zip(&state.graph.landings[f][c]);
            for (alternative, landings) in all {
                let Some(landings) = landings else { continue };
                let cells = landings.iter().flat_map(|l| &l.cells);
                below.extend(cells.filter(|id| !open.contains(id)));
                alternatives.push(change.alternative(&cell.region, alternative)?);
            }
        }
        let hull = hull(&regions);
        for &id in &below {
            let Some(Value::Known(bound)) = state.values.get(&id) else {
                return None;
            };
            let cell = &state.system.functions[id.0].cells[id.1];
            let known = Alternative {
                value: Some(bound.clone()),
                ..Alternative::default()
            };
            if id.0 == function {
                let known = change.alternative(&cell.region, &known)?;
                regions.push(change.region(&cell.region)?);
                alternatives.push(known);
            } else {
                let callee = &mut system.functions[id.0];
                callee.params = state.system.functions[id.0].params.clone();
                callee.cells.push(Cell {
                    region: cell.region.clone(),
                    alternatives: vec![known],
                    exhaustive: true,
                });
            }
        }
        let whole = self::hull(&regions);
        let mut cells = vec![hull.clone()];
        cells.extend(whole.difference(&hull));
        let mut params = original.params.clone();
        params.remove(at);
        system.functions[function] = Function {
            params,
            cells: (cells.into_iter())
                .map(|region| Cell {
                    region,
                    alternatives: alternatives.clone(),
                    exhaustive: true,
                })
                .collect(),
        };
        Some(Self {
            system,
            function,
            hull,
            back: change.back(),
        })
    }

    /// Returns whether every recursive call of the function is at a quotient of the same size.
    fn divides(&self, graph: &Graph) -> bool {
        let function = &self.system.functions[self.function];
        let Some(cell) = function.cells.first() else {
            return false;
        };
        let mut calls = 0;
        let mut positions: Vec<usize> = (0..function.params.len()).collect();
        let all = cell.alternatives.iter();
        for (alternative, landings) in all.zip(&graph.landings[self.function][0]) {
            if landings.is_none() {
                continue;
            }
            let on = enabled(&cell.region, alternative);
            for call in &alternative.results {
                if call.function != self.function {
                    continue;
                }
                calls += 1;
                positions.retain(|&i| {
                    !quotients(&call.args[i], &function.params[i..=i], &on, true).is_empty()
                });
            }
        }
        calls > 0 && !positions.is_empty()
    }
}

impl SizeSubstitution<'_> {
    /// Returns the replacement for the remaining size in terms of the difference and the eliminated size.
    fn substitution(&self) -> BTreeMap<Var, Expr> {
        match self.way {
            Elimination::Greatest => BTreeMap::new(),
            Elimination::Apart(kept, more) => {
                let kept = self.params[kept];
                let sum = &Expr::var(kept) + &Expr::var(self.forgotten);
                BTreeMap::from([(kept, &sum - &Expr::int(more))])
            }
        }
    }

    fn back(&self) -> BTreeMap<Var, Expr> {
        match self.way {
            Elimination::Greatest => BTreeMap::new(),
            Elimination::Apart(kept, more) => {
                let kept = self.params[kept];
                let apart = &Expr::var(kept) - &Expr::var(self.forgotten);
                BTreeMap::from([(kept, &apart + &Expr::int(more))])
            }
        }
    }

    fn region(&self, region: &Region) -> Option<Region> {
        region
            .substitute(&self.substitution())?
            .project_out(&[self.forgotten])
    }

    /// Returns an alternative in terms of the remaining sizes, or `None` if the eliminated size cannot be removed.
    fn alternative(&self, cell: &Region, alternative: &Alternative) -> Option<Alternative> {
        let whole = Alternative {
            constraints: cell.and_all(&alternative.constraints),
            ..alternative.clone()
        };
        let whole = match (self.way, constant(self.forgotten, &whole.constraints)) {
            // If the size is a constant, values that depend on it are evaluated at this constant.
            (Elimination::Greatest, Some(constant)) => {
                let by = BTreeMap::from([(self.forgotten, Expr::constant(constant))]);
                substitute(&whole, &by)?
            }
            _ => whole,
        };
        let mut changed = substitute(&whole, &self.substitution())?;
        for call in &mut changed.results {
            if call.function == self.function {
                if let Elimination::Apart(kept, more) = self.way {
                    let apart = &call.args[kept] - &call.args[self.at];
                    call.args[kept] = &apart + &Expr::int(more);
                }
                call.args.remove(self.at);
            }
        }
        let mut free = self.shifted(changed)?;
        free.constraints = free.constraints.project_out(&[self.forgotten])?;
        Some(free)
    }

    /// Returns the alternative with its locals expressed relative to the eliminated size (`i = j+n`), if that size then occurs only in
    /// constraints.
    fn shifted(&self, alternative: Alternative) -> Option<Alternative> {
        let mentions = |e: &Expr| e.variables().contains(&self.forgotten);
        let is_free = |a: &Alternative| {
            !a.value.iter().any(mentions) && !a.results.iter().flat_map(|r| &r.args).any(mentions)
        };
        if is_free(&alternative) {
            return Some(alternative);
        }
        if matches!(self.way, Elimination::Greatest) || alternative.locals.len() > LOCAL_LIMIT {
            return None;
        }
        let locals = alternative.locals.clone();
        (1..1usize << locals.len()).find_map(|chosen| {
            let by = (locals.iter().enumerate())
                .filter(|(i, _)| chosen & (1 << i) != 0)
                .map(|(_, &v)| (v, &Expr::var(v) + &Expr::var(self.forgotten)))
                .collect();
            substitute(&alternative, &by).filter(is_free)
        })
    }
}

/// Returns the value of a size that the constraints on this size alone make a constant. Constraints with other sizes are not eliminated, which
/// would take longer than the solution of most equations.
fn constant(size: Var, constraints: &Region) -> Option<Rat> {
    let alone = (constraints.constraints().iter())
        .filter(|c| c.variables().all(|v| v == size))
        .fold(Region::everything(), |all, c| all.and(c.clone()));
    let (low, high) = alone.bounds(&Expr::var(size));
    low.filter(|low| high.as_ref() == Some(low))
}

/// Substitutes variables in an alternative, including its own locals.
fn substitute(alternative: &Alternative, by: &BTreeMap<Var, Expr>) -> Option<Alternative> {
    if by.is_empty() {
        return Some(alternative.clone());
    }
    let results: Option<Vec<CallResult>> = (alternative.results.iter())
        .map(|r| {
            let args: Option<Vec<Expr>> = r.args.iter().map(|e| e.substitute(by)).collect();
            Some(CallResult {
                args: args?,
                ..r.clone()
            })
        })
        .collect();
    Some(Alternative {
        locals: alternative.locals.clone(),
        constraints: alternative.constraints.substitute(by)?,
        results: results?,
        value: match &alternative.value {
            Some(value) => Some(value.substitute(by)?),
            None => None,
        },
    })
}

/// Returns those constraints of the regions that hold in all regions.
fn hull(regions: &[Region]) -> Region {
    let mut hull: Option<Region> = None;
    for region in regions {
        let Some(so_far) = hull else {
            hull = Some(region.clone());
            continue;
        };
        hull = Some(so_far.union_if_convex(region).unwrap_or_else(|| {
            let half = |of: &Region, on: &Region| {
                let kept = of.constraints().iter().filter(|c| on.implies(c)).cloned();
                kept.collect::<Vec<_>>()
            };
            let both = half(&so_far, region).into_iter();
            both.chain(half(region, &so_far)).collect()
        }));
    }
    hull.unwrap_or_default()
}
