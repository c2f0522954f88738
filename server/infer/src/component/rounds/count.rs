//! The number of rounds of a loop, as a function of its own.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::{Constraint, Region, Relation};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Alternative, CallResult, Cell, Function};

use super::{Loop, Round};
use crate::tree::locals::NUMBERED;

/// The maximum number of ways in which rounds call.
const MOST_SHAPES: usize = 6;

impl Loop<'_> {
    /// Returns functions whose values are at least the number of rounds: every round costs one, and rounds that call alike are one
    /// alternative. The first continues while all tests hold that hold in every round, the others while one of these does: there is no closed
    /// form for the least of three sizes.
    pub(super) fn counted(&self) -> Option<Vec<Counted>> {
        let domain = self.domain()?;
        if self.rounds.iter().all(|round| round.again.is_empty()) {
            return Some(vec![Counted {
                cells: vec![ending(domain)],
                kept: Vec::new(),
            }]);
        }
        let repeated: Vec<&Round> = (self.rounds.iter())
            .filter(|round| !round.again.is_empty())
            .collect();
        let params = &self.function.params;
        let inside = common(repeated.iter().map(|round| round.of_sizes(params)))?;
        // Without a test that ends it, the loop has no number of rounds.
        if domain.implies_all(&inside) {
            return None;
        }
        let mut alternatives: Vec<(Shape, Region)> = Vec::new();
        for round in repeated {
            let (shape, known) = round.shape(params)?;
            match alternatives.iter_mut().find(|(other, _)| *other == shape) {
                Some((_, all)) => *all = common([Some(all.clone()), Some(known)])?,
                None => alternatives.push((shape, known)),
            }
            if alternatives.len() > MOST_SHAPES {
                return None;
            }
        }
        let rounds: Vec<Alternative> = (alternatives.into_iter())
            .map(|(shape, known)| shape.alternative(known))
            .collect();
        let guards: Vec<&Constraint> = (inside.constraints().iter())
            .filter(|c| !domain.implies(c))
            .collect();
        let single = (guards.iter().filter(|_| guards.len() > 1))
            .map(|&c| Region::everything().and(c.clone()));
        let regions = std::iter::once(inside.clone()).chain(single);
        Some(
            regions
                .map(|inside| self.continuing(&domain, &inside, &rounds))
                .collect(),
        )
    }

    /// Returns the function that continues in a region, and costs one outside.
    fn continuing(&self, domain: &Region, inside: &Region, rounds: &[Alternative]) -> Counted {
        let mut cells = vec![Cell {
            region: domain.and_all(inside).simplified(),
            alternatives: rounds.to_vec(),
            exhaustive: false,
        }];
        for region in domain.difference(inside) {
            cells.push(ending(domain.and_all(&region).simplified()));
        }
        Counted {
            cells,
            kept: self.steering(domain, inside),
        }
    }

    /// Returns the sizes that the tests of a region compare, and those from which they are computed in the next round.
    fn steering(&self, domain: &Region, inside: &Region) -> Vec<Var> {
        let params = &self.function.params;
        let tests = (inside.constraints().iter()).filter(|c| !domain.implies(c));
        let mut kept: BTreeSet<Var> = tests.flat_map(Constraint::variables).collect();
        loop {
            let again = self.rounds.iter().flat_map(|round| &round.again);
            let next: BTreeSet<Var> = again
                .flat_map(|(args, _)| args.iter().zip(params))
                .filter(|(_, param)| kept.contains(param))
                .flat_map(|(arg, _)| arg.variables())
                .filter(|v| params.contains(v) && !kept.contains(v))
                .collect();
            if next.is_empty() {
                return (params.iter().copied())
                    .filter(|v| kept.contains(v))
                    .collect();
            }
            kept.extend(next);
        }
    }
}

/// A function whose value is the number of rounds.
pub(super) struct Counted {
    cells: Vec<Cell>,
    /// The sizes on which the number depends.
    kept: Vec<Var>,
}

impl Counted {
    /// Returns the function of the sizes on which the number of rounds depends.
    pub(super) fn shortened(&self, params: &[Var]) -> Function {
        let is_kept = |v: &Var| self.kept.contains(v) || !params.contains(v);
        let of_kept = |region: &Region| {
            let own = region.constraints().iter();
            let own = own.filter(|c| c.variables().all(|v| is_kept(&v)));
            own.fold(Region::everything(), |all, c| all.and(c.clone()))
        };
        let mut cells = self.cells.clone();
        for cell in &mut cells {
            cell.region = of_kept(&cell.region);
            for round in &mut cell.alternatives {
                round.constraints = of_kept(&round.constraints);
                for result in &mut round.results {
                    let args = std::mem::take(&mut result.args).into_iter().zip(params);
                    result.args = (args.filter(|(_, v)| self.kept.contains(v)))
                        .map(|(arg, _)| arg)
                        .collect();
                }
            }
        }
        Function {
            params: self.kept.clone(),
            cells,
        }
    }

    /// Returns the cells of a function of all sizes in which each round costs a price. `index` is the function's.
    pub(super) fn at_price(&self, price: &Expr, index: usize) -> Vec<Cell> {
        let more = price - &Expr::int(1);
        let mut cells = self.cells.clone();
        for cell in &mut cells {
            // The last round may be anywhere, also where no round that continues is possible.
            if cell
                .alternatives
                .iter()
                .any(|round| !round.results.is_empty())
            {
                cell.alternatives.push(last_round());
            }
            for round in &mut cell.alternatives {
                round.value = round.value.take().map(|one| &one + &more);
                for result in &mut round.results {
                    result.function = index;
                }
            }
        }
        cells
    }
}

/// Returns a cell in which no round follows.
fn ending(region: Region) -> Cell {
    Cell {
        region,
        alternatives: vec![last_round()],
        exhaustive: false,
    }
}

fn last_round() -> Alternative {
    Alternative {
        value: Some(Expr::int(1)),
        ..Alternative::default()
    }
}

/// The calls of a round, with its locals renamed.
#[derive(PartialEq)]
struct Shape {
    locals: Vec<Var>,
    again: Vec<(Vec<Expr>, Expr)>,
}

impl Shape {
    fn alternative(self, constraints: Region) -> Alternative {
        let first = NUMBERED.saturating_add(u32::try_from(self.locals.len()).unwrap_or(u32::MAX));
        let results = (first..).zip(&self.again);
        let results: Vec<CallResult> = results
            .map(|(v, (args, _))| CallResult {
                var: Var(v),
                function: 0,
                args: args.clone(),
            })
            .collect();
        let value = (results.iter().zip(&self.again))
            .fold(Expr::int(1), |sum, (result, (_, factor))| {
                &sum + &(&Expr::var(result.var) * factor)
            });
        Alternative {
            locals: self.locals,
            constraints,
            results,
            value: Some(value),
        }
    }
}

impl Round<'_> {
    /// Returns what is known of the sizes at the call.
    fn of_sizes(&self, params: &[Var]) -> Option<Region> {
        self.without(|v| !params.contains(v))
    }

    pub(super) fn without(&self, forget: impl Fn(&Var) -> bool) -> Option<Region> {
        let forgotten: Vec<Var> = self.known.variables().into_iter().filter(forget).collect();
        Some(self.known.project_out(&forgotten)?.simplified())
    }

    /// Returns the calls with renamed locals, and what is known of these and the sizes.
    fn shape(&self, params: &[Var]) -> Option<(Shape, Region)> {
        let mut by: BTreeMap<Var, Expr> = BTreeMap::new();
        let mut locals = Vec::new();
        for v in (self.again.iter()).flat_map(|(args, _)| args.iter().flat_map(Expr::variables)) {
            if self.alternative.locals.contains(&v) && !by.contains_key(&v) {
                let local = Var(NUMBERED + u32::try_from(locals.len()).ok()?);
                locals.push(local);
                by.insert(v, Expr::var(local));
            }
        }
        let known = self.without(|v| !params.contains(v) && !by.contains_key(v))?;
        let known = match locals.is_empty() {
            true => Region::everything(),
            false => known.substitute(&by)?,
        };
        let renamed = |(args, factor): &(Vec<Expr>, Expr)| {
            let args = args.iter().map(|arg| arg.substitute(&by));
            Some((args.collect::<Option<_>>()?, factor.clone()))
        };
        let again = self.again.iter().map(renamed).collect::<Option<_>>()?;
        Some((Shape { locals, again }, known))
    }
}

/// Returns the constraints that hold in all regions, as far as some region has them.
pub(super) fn common(regions: impl IntoIterator<Item = Option<Region>>) -> Option<Region> {
    let regions: Vec<Region> = regions.into_iter().collect::<Option<_>>()?;
    let mut found = Region::everything();
    if regions.is_empty() {
        return None;
    }
    for c in regions.iter().flat_map(Region::constraints) {
        let sides = match c.relation() {
            Relation::Zero => vec![
                Constraint::ge(&c.expr(), &Expr::zero())?,
                Constraint::le(&c.expr(), &Expr::zero())?,
            ],
            _ => vec![c.clone()],
        };
        for side in sides {
            if !found.implies(&side) && regions.iter().all(|region| region.implies(&side)) {
                found = found.and(side);
            }
        }
    }
    Some(found)
}
