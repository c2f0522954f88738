//! Bounds for loops whose rounds have costs of many cases: the number of rounds, times the greatest cost of a round.
//!
//! ```prolog
//! sum(K, N, _, _, S, S) :- K > N, !.
//! sum(K, N, As, Bs, S0, S) :- nth1(K, As, A), nth1(K, Bs, B), S1 is S0 + A*B, K1 is K+1, sum(K1, N, As, Bs, S1, S).
//! ```
//!
//! The cost of `nth1/3` depends on which of K and the length of its list is greater, and so do the cases of `sum/6`. Each round costs at most
//! the lengths of both lists, and there are n - k + 1 rounds. The *price* of a round ([`price`]) must not rise from one round to the next. The
//! product is a guess, which is proved with the original equations, or with greater ones in which each round costs its price.

mod count;
mod price;

use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Region};
use costlens_recurrences::{
    Alternative, CallResult, Cell, Direction, Function, Solution, SolvedPiece, System, Value,
    verify,
};

use self::count::Counted;
use self::price::{factored, most_of};
use super::Component;
use super::forgotten::{filled, is_unknown, replaced};
use crate::summary::pieces::Pieces;

/// The fuel of the solver for the number of rounds.
const FUEL: u64 = 2_000;

/// The maximum number of alternatives of a function.
const MOST_ALTERNATIVES: usize = 300;

impl Component<'_> {
    /// Replaces unknown upper bounds by the number of rounds, times the price of a round. The result has the equations that prove it: those
    /// that are given, or greater ones.
    pub(crate) fn by_rounds(
        &self,
        system: &System,
        solution: &Solution,
    ) -> Option<(System, Solution)> {
        let n = self.nodes.len();
        let functions = system.functions.len();
        let mut best: Option<(System, Solution)> = None;
        // A function may call one that comes later.
        for f in (0..functions).chain(0..functions) {
            let (system, known) = best.as_ref().map_or((system, solution), |(s, k)| (s, k));
            let is_open = |f: usize| {
                let pieces = known.functions.get(f);
                pieces.is_some_and(|pieces| pieces.iter().any(is_unknown))
            };
            // A bound over all solutions also holds to the first.
            let is_less = |f: usize| (n..2 * n).contains(&f) && !is_open(f - n);
            if !is_open(f) || is_less(f) || system.functions[f].params.is_empty() {
                continue;
            }
            let proved = Loop::of(system, known, f).and_then(|of| {
                let parts = of.priced_parts()?;
                let guess = self.guess(&parts)?;
                of.proved(&parts, system, known, guess)
            });
            best = proved.or(best);
        }
        best
    }

    /// Returns the number of rounds, times the price of a round.
    fn guess(&self, parts: &[PricedLoop<'_>]) -> Option<Guess> {
        let mut guess = Guess::default();
        for PricedLoop { of, price } in parts {
            let domain = of.domain()?;
            let (pieces, counted) = self.count(of)?;
            guess.cells.extend(counted.at_price(price, of.index));
            for piece in pieces {
                let value = match piece.value {
                    Value::Known(rounds) => Value::Known(&rounds * price),
                    other => other,
                };
                let region = piece.region.and_all(&domain);
                if !region.is_empty() {
                    guess.pieces.push(SolvedPiece { region, value });
                }
            }
        }
        Some(guess)
    }

    /// Returns an upper bound on the number of rounds, and the function that it bounds.
    fn count(&self, of: &Loop<'_>) -> Option<(Pieces, Counted)> {
        of.counted()?.into_iter().find_map(|counted| {
            let left = self.shared.solver_fuel.replace(FUEL);
            let functions = vec![counted.shortened(&of.function.params)];
            let solution = self.run_solver(&System { functions }, Direction::Upper);
            self.shared.solver_fuel.set(left);
            let pieces = solution.functions.into_iter().next()?;
            (!pieces.iter().any(is_unknown)).then_some((pieces, counted))
        })
    }
}

/// A guessed bound.
#[derive(Default)]
struct Guess {
    pieces: Pieces,
    /// The cells of the function whose rounds cost their price and are as many as was counted.
    cells: Vec<Cell>,
}

/// A function that calls at most itself and functions with known bounds.
struct Loop<'a> {
    index: usize,
    function: &'a Function,
    /// The signs of sizes in this part of the loop.
    signs: Region,
    rounds: Vec<Round<'a>>,
}

/// A loop with the price of a round.
struct PricedLoop<'a> {
    of: Loop<'a>,
    price: Expr,
}

/// An alternative of a function.
#[derive(Clone)]
struct Round<'a> {
    /// The index of its cell.
    cell: usize,
    alternative: &'a Alternative,
    /// The constraints on its sizes and locals.
    known: Region,
    /// The cost without the calls of the function itself.
    cost: Expr,
    /// The calls of the function itself, each with its factor in the cost.
    again: Vec<(Vec<Expr>, Expr)>,
}

impl<'a> Loop<'a> {
    fn of(system: &'a System, solution: &Solution, f: usize) -> Option<Self> {
        let function = system.functions.get(f)?;
        let mut rounds = Vec::new();
        for (c, cell) in function.cells.iter().enumerate() {
            for alternative in &cell.alternatives {
                if rounds.len() >= MOST_ALTERNATIVES {
                    return None;
                }
                rounds.push(Round::of((system, solution), (f, c), cell, alternative)?);
            }
        }
        Some(Loop {
            index: f,
            function,
            signs: Region::everything(),
            rounds,
        })
    }

    /// Returns the loop with its price, or one part for each combination of signs of the sizes in the price.
    fn priced_parts(&self) -> Option<Vec<PricedLoop<'a>>> {
        let price = self.price()?;
        let apart = self.by_signs(&price);
        if apart.is_empty() {
            let of = self.within(&Region::everything());
            return Some(vec![PricedLoop { of, price }]);
        }
        apart
            .into_iter()
            .map(|of| {
                let price = of.price()?;
                Some(PricedLoop { of, price })
            })
            .collect()
    }

    /// Returns the solution with a guess in place of the unknown bounds of the function, and the equations for which it is proved.
    fn proved(
        &self,
        parts: &[PricedLoop<'_>],
        system: &System,
        known: &Solution,
        guess: Guess,
    ) -> Option<(System, Solution)> {
        let mut guessed = known.clone();
        *guessed.functions.get_mut(self.index)? = guess.pieces;
        let functions = filled(system, known, &guessed, &Expr::clone)?;
        if holds(system, &functions) {
            return Some((system.clone(), with(known, functions)));
        }
        let open: Vec<&Region> = (known.functions.get(self.index)?.iter())
            .filter(|p| is_unknown(p))
            .map(|p| &p.region)
            .collect();
        let is_open = |region: &Region| open.iter().any(|o| !o.and_all(region).is_empty());
        if let Some(priced) = self.at_prices(parts, &is_open) {
            let mut greater = system.clone();
            *greater.functions.get_mut(self.index)? = priced;
            if holds(&greater, &functions) {
                return Some((greater, with(known, functions)));
            }
        }
        // The equations have many cases, and the known bounds for a few sizes may exceed the guess.
        if !parts.iter().all(PricedLoop::is_price) {
            return None;
        }
        let mut greater = system.clone();
        greater.functions.get_mut(self.index)?.cells = guess.cells;
        let functions = replaced(known, &guessed);
        holds(&greater, &functions).then(|| (greater, with(known, functions)))
    }

    /// Returns the function with the price of a round in place of its cost, in cells that are to be priced. Returns `None` if a round is not
    /// proved to cost at most its price.
    fn at_prices(
        &self,
        parts: &[PricedLoop<'_>],
        is_priced: &dyn Fn(&Region) -> bool,
    ) -> Option<Function> {
        let mut cells = Vec::new();
        for (c, cell) in self.function.cells.iter().enumerate() {
            if !is_priced(&cell.region) {
                cells.push(cell.clone());
                continue;
            }
            for part in parts {
                let region = cell.region.and_all(&part.of.signs);
                if region.is_empty() {
                    continue;
                }
                let mut alternatives = Vec::new();
                for round in part.of.rounds.iter().filter(|round| round.cell == c) {
                    if !part.is_price_of(round) {
                        return None;
                    }
                    let again = round.at_price(self.index, &part.price);
                    if !alternatives.contains(&again) {
                        alternatives.push(again);
                    }
                }
                cells.push(Cell {
                    region,
                    alternatives,
                    exhaustive: cell.exhaustive,
                });
            }
        }
        Some(Function {
            params: self.function.params.clone(),
            cells,
        })
    }

    /// Returns the rounds that are possible with some signs of sizes.
    fn within(&self, signs: &Region) -> Self {
        let restricted = |round: &Round<'a>| Round {
            known: round.known.and_all(signs),
            ..round.clone()
        };
        Loop {
            index: self.index,
            function: self.function,
            signs: signs.clone(),
            rounds: (self.rounds.iter().map(restricted))
                .filter(|round| !round.known.is_empty())
                .collect(),
        }
    }
}

impl<'a> Round<'a> {
    fn of(
        (system, solution): (&System, &Solution),
        (f, c): (usize, usize),
        cell: &Cell,
        alternative: &'a Alternative,
    ) -> Option<Self> {
        let known = cell.region.and_all(&alternative.constraints);
        let mut cost = alternative.value.clone()?;
        let mut again = Vec::new();
        let results: Vec<_> = alternative.results.iter().map(|r| r.var).collect();
        for result in &alternative.results {
            let mut sizes = result.args.iter().flat_map(Expr::variables);
            if sizes.any(|v| results.contains(&v)) {
                return None;
            }
            let (factor, rest) = factored(&cost, result.var)?;
            if result.function != f {
                let most = most_of(system, solution, result, &known)?;
                nonnegative(&factor, &known).then_some(())?;
                cost = &rest + &(&factor * &most);
                continue;
            }
            factor
                .as_constant()
                .filter(|c| !num_traits::Signed::is_negative(c))?;
            cost = rest;
            again.push((result.args.clone(), factor));
        }
        Some(Round {
            cell: c,
            alternative,
            known,
            cost,
            again,
        })
    }

    /// Returns the alternative with a price in place of its cost.
    fn at_price(&self, f: usize, price: &Expr) -> Alternative {
        let results: Vec<CallResult> = (self.alternative.results.iter())
            .filter(|result| result.function == f)
            .cloned()
            .collect();
        let value = (results.iter().zip(&self.again))
            .fold(price.clone(), |sum, (result, (_, factor))| {
                &sum + &(&Expr::var(result.var) * factor)
            });
        Alternative {
            results,
            value: Some(value),
            ..self.alternative.clone()
        }
    }
}

impl PricedLoop<'_> {
    /// Returns whether every round is proved to cost at most its price.
    fn is_price(&self) -> bool {
        self.of.rounds.iter().all(|round| self.is_price_of(round))
    }

    fn is_price_of(&self, round: &Round<'_>) -> bool {
        nonnegative(&(&self.price - &round.highest_cost()), &round.known)
    }
}

/// Returns whether the bounds are proved for the equations.
fn holds(system: &System, functions: &[Pieces]) -> bool {
    verify(system, functions, Direction::Upper).is_ok()
}

fn with(solution: &Solution, functions: Vec<Pieces>) -> Solution {
    Solution {
        functions,
        ..solution.clone()
    }
}
