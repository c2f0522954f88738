//! The order in which lower bounds depend on each other, and the reason why this recursion terminates: each call within a level has a cost
//! or decreases a measure.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::{Constraint, Expr, Region, Var, prove, rat};

use super::{Level, PieceId, Writer};
use crate::graph::{RESULT_LIMIT, arguments, components, enabled, integer_valued, own_cost};
use crate::system::{Alternative, Value};

/// A call from one piece to another.
struct PieceCall<'a> {
    from: PieceId,
    to: PieceId,
    alternative: &'a Alternative,
    /// The index among the calls of the alternative.
    position: usize,
    /// The region on which the alternative is feasible.
    on: Region,
}

impl Writer<'_> {
    /// Sorts lower-bound pieces topologically: a piece follows the pieces on which it depends.
    pub(crate) fn order(&mut self) {
        let ids: Vec<PieceId> = (self.table.iter().enumerate())
            .flat_map(|(f, pieces)| (0..pieces.len()).map(move |p| (f, p)))
            .collect();
        let number: BTreeMap<PieceId, usize> =
            ids.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        let mut calls: Vec<PieceCall<'_>> = Vec::new();
        for &id in &ids {
            let region = &self.table[id.0][id.1].region;
            for cell in &self.system.functions[id.0].cells {
                let both = region.and_all(&cell.region);
                if both.is_empty() || self.bound(id).is_none() {
                    continue;
                }
                for a in &cell.alternatives {
                    let on = enabled(&both, a);
                    if on.is_empty() || a.results.len() > RESULT_LIMIT {
                        continue;
                    }
                    for (i, call) in a.results.iter().enumerate() {
                        for target in self.landings(a, i, &on) {
                            calls.push(PieceCall {
                                from: id,
                                to: (call.function, target),
                                alternative: a,
                                position: i,
                                on: on.clone(),
                            });
                        }
                    }
                }
            }
        }
        let mut edges: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); ids.len()];
        for call in &calls {
            edges[number[&call.from]].insert(number[&call.to]);
        }
        let edges: Vec<Vec<usize>> = edges.into_iter().map(|e| e.into_iter().collect()).collect();
        let mut levels = Vec::new();
        let mut level_of = BTreeMap::new();
        for component in components(&edges) {
            for &i in &component {
                level_of.insert(ids[i], levels.len());
            }
            levels.push(Level::default());
        }
        for (k, level) in levels.iter_mut().enumerate() {
            let inside: Vec<_> = (calls.iter())
                .filter(|call| {
                    [call.from, call.to]
                        .iter()
                        .all(|id| level_of.get(id) == Some(&k))
                })
                .collect();
            if !inside.is_empty() {
                *level = self.measured(&inside);
            }
        }
        self.levels = levels;
        self.level_of = level_of;
    }

    /// Returns the pieces with a bound in which a call may land.
    fn landings(&self, a: &Alternative, position: usize, on: &Region) -> Vec<usize> {
        let call = &a.results[position];
        let Some(callee) = self.system.functions.get(call.function) else {
            return Vec::new();
        };
        let Some(args) = arguments(call, position, callee, on) else {
            return Vec::new();
        };
        let here = (args.facts.iter()).fold(on.clone(), |r, c| r.and(c.clone()));
        let pieces = self.table[call.function].iter().enumerate();
        pieces
            .filter(|(_, p)| matches!(p.value, Value::Known(_)))
            .filter(|(_, p)| {
                let target = p.region.substitute(&args.linear);
                target.is_none_or(|t| !here.and_all(&t).is_empty())
            })
            .map(|(p, _)| p)
            .collect()
    }

    /// Returns a level with a measure that decreases in all calls, or in the calls of clauses that have no cost themselves.
    fn measured(&self, calls: &[&PieceCall<'_>]) -> Level {
        let costs = |call: &PieceCall<'_>| {
            let (a, on) = (call.alternative, &call.on);
            let results: Vec<Var> = a.results.iter().map(|r| r.var).collect();
            a.value.as_ref().is_some_and(|value| {
                prove::nonnegative(&(&own_cost(value, &results) - &Expr::int(1)), on)
            })
        };
        let integral = calls.iter().all(|call| {
            let (a, on) = (call.alternative, &call.on);
            let natural = a.results.iter().fold(on.clone(), |r, call| {
                let c = Constraint::ge(&Expr::var(call.var), &Expr::zero());
                c.into_iter().fold(r, |r, c| r.and(c))
            });
            (a.value.as_ref()).is_some_and(|value| integer_valued(value, &natural))
        });
        let free: Vec<_> = calls.iter().copied().filter(|call| !costs(call)).collect();
        let functions = self.system.functions.len();
        if integral && free.is_empty() {
            return Level {
                measures: vec![None; functions],
                always: false,
            };
        }
        let some = |measures: Option<Vec<Option<Expr>>>, always| {
            measures.map(|measures| Level { measures, always })
        };
        (integral.then(|| some(self.measure(&free), false)).flatten())
            .or_else(|| some(self.measure(calls), true))
            .unwrap_or_else(|| Level {
                measures: vec![None; functions],
                always: false,
            })
    }

    /// Returns a measure `Σ λᵢ·paramᵢ` with λ in {-1, 0, 1}, with the same λ for all functions of the level.
    fn measure(&self, calls: &[&PieceCall<'_>]) -> Option<Vec<Option<Expr>>> {
        let arity = self.system.functions[calls.first()?.from.0].params.len();
        let arities = calls.iter().flat_map(|call| [call.from.0, call.to.0]);
        let functions: BTreeSet<usize> = arities.collect();
        if arity > 4 || (functions.iter()).any(|&f| self.system.functions[f].params.len() != arity)
        {
            return None;
        }
        let choices = 3usize.pow(u32::try_from(arity).ok()?);
        (1..choices).find_map(|code| {
            let mut rest = code;
            let weights: Vec<i64> = (0..arity)
                .map(|_| {
                    let w = [0, 1, -1][rest % 3];
                    rest /= 3;
                    w
                })
                .collect();
            let weigh = |f: usize| {
                let params = self.system.functions[f].params.iter();
                params.zip(&weights).fold(Expr::zero(), |sum, (&p, &w)| {
                    &sum + &Expr::var(p).scale(&rat(w))
                })
            };
            let mut measures = vec![None; self.system.functions.len()];
            for &f in &functions {
                measures[f] = Some(weigh(f));
            }
            let level = Level {
                measures,
                always: true,
            };
            let descends = calls.iter().all(|call| {
                let (result, on) = (&call.alternative.results[call.position], &call.on);
                let before = weigh(call.from.0);
                on.bounds(&before).0.is_some()
                    && self.callee_measure(result, &level).is_some_and(|after| {
                        prove::nonnegative(&(&(&before - &after) - &Expr::int(1)), on)
                    })
            });
            descends.then_some(level.measures)
        })
    }
}
