//! Component by component: exact values, a form through them, the proof.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::fraction::Fraction;
use costlens_algebra::work::Meter;
use costlens_algebra::{Constraint, Expr, Monomial, Rat, rat};

use crate::forms::families::Families;
use crate::forms::fit::Sample;
use crate::forms::{fit, rates};
use crate::graph::{CellId, Graph, relevance};
use crate::induction::{Checker, measure};
use crate::solver::compose::Composed;
use crate::solver::quality::Quality;
use crate::solver::{compose, merge, projected, stuck, summed, template};
use crate::system::{Alternative, Direction, SolvedPiece, System, Value, Why};
use crate::values::evaluate::{Evaluator, Worth};

/// Unfoldings per cell while sampling.
const SAMPLE_FUEL: u64 = 3_000;

/// How much wider the window of points is where not every point occurs.
const STRETCH: i128 = 2;

/// So many functions are tried one by one when their merged pieces are not proved all together.
const MERGE_LIMIT: usize = 6;

/// How often a component is tried again without the cell that stood in the way.
const ATTEMPT_LIMIT: u32 = 8;

/// A cell is better solved in two parts.
pub(crate) struct Cut {
    pub(crate) cell: CellId,
    pub(crate) constraint: Constraint,
}

/// What is found with one choice of cells.
pub(crate) struct Solved {
    /// Pieces after merging, if the proof still goes through.
    pub(crate) merged: Vec<Vec<SolvedPiece>>,
    /// Pieces cell by cell.
    pub(crate) plain: Vec<Vec<SolvedPiece>>,
    pub(crate) proof: Vec<(usize, String)>,
    pub(crate) quality: Quality,
}

pub(crate) struct Solver<'a> {
    pub(crate) system: &'a System,
    pub(crate) graph: &'a Graph,
    measured: Vec<bool>,
    pub(crate) direction: Direction,
    /// Per function and parameter: whether anything depends on it.
    pub(crate) relevant: Vec<Vec<bool>>,
    pub(crate) values: BTreeMap<CellId, Value>,
    pub(crate) how: BTreeMap<CellId, String>,
    /// Cells with a bound that is not exact.
    pub(crate) loose: BTreeSet<CellId>,
    pub(crate) evaluator: Evaluator<'a>,
    /// What linear programs have looked up for the cells that are being solved.
    pub(crate) turns: template::Turns,
    pub(crate) fuel: u64,
    meter: Meter,
    pub(crate) may_cut: bool,
    /// Whether bounds may leave a size out of account ([`projected::search`]).
    pub(crate) may_leave_out: bool,
    /// Cells that were tried in all their sizes, in vain.
    pub(crate) tried: BTreeMap<CellId, Why>,
    pub(crate) cut: Option<Cut>,
}

impl<'a> Solver<'a> {
    /// Nothing is solved yet; what is measured at the start (lower bounds) is taken from the fuel.
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
            turns: template::Turns::default(),
            fuel: *fuel,
            meter,
            may_cut,
            may_leave_out: false,
            tried: BTreeMap::new(),
            cut: None,
        }
    }

    /// Charges the work that was done since the last time, where it is more than the steps that were counted.
    pub(crate) fn settle(&mut self) {
        self.meter.settle(&mut self.fuel);
    }

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

    /// Pieces cell by cell: what is solved, and `guesses` on top.
    fn table(&self, guesses: &BTreeMap<CellId, Value>) -> Vec<Vec<SolvedPiece>> {
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

    /// Whether the guesses, all together, are bounds.
    pub(crate) fn proved(
        &mut self,
        guesses: &BTreeMap<CellId, Value>,
    ) -> Result<BTreeMap<CellId, String>, (CellId, Why)> {
        let table = self.table(guesses);
        let mut lines = BTreeMap::new();
        for (&id, value) in guesses {
            let mut checker = Checker {
                system: self.system,
                graph: self.graph,
                measured: &self.measured,
                table: &table,
                direction: self.direction,
                fuel: &mut self.fuel,
            };
            let piece = SolvedPiece {
                region: self.system.functions[id.0].cells[id.1].region.clone(),
                value: value.clone(),
            };
            let proved = checker.piece(id.0, &piece);
            self.settle();
            match proved {
                Ok(line) => {
                    lines.insert(id, line);
                }
                Err(why) => return Err((id, why)),
            }
        }
        Ok(lines)
    }

    /// The greatest set of cells of which every alternative surely stays inside at a cost.
    pub(crate) fn divergence(&mut self) {
        let mut inside: BTreeSet<CellId> = BTreeSet::new();
        for component in &self.graph.components {
            for &(f, c) in component {
                // Only cells of which every usable alternative calls something can be meant.
                let usable: Vec<_> = self.graph.landings[f][c].iter().flatten().collect();
                let is_open = !self.values.contains_key(&(f, c));
                if is_open && !usable.is_empty() && usable.iter().all(|l| !l.is_empty()) {
                    inside.insert((f, c));
                }
            }
        }
        while !inside.is_empty() && self.fuel > 0 {
            let guesses = inside.iter().map(|&id| (id, Value::Diverges)).collect();
            match self.proved(&guesses) {
                Ok(lines) => {
                    for (id, line) in lines {
                        self.set(id, Value::Diverges, line);
                    }
                    return;
                }
                Err((id, _)) => {
                    inside.remove(&id);
                }
            }
        }
    }

    pub(crate) fn component(&mut self, cells: &[CellId]) {
        let mut open: Vec<CellId> = cells
            .iter()
            .copied()
            .filter(|id| !self.values.contains_key(id))
            .collect();
        if self.direction == Direction::Upper {
            self.drop_stuck(&mut open);
            self.drop_unbounded(&mut open);
        }
        let mut attempts = 0;
        while !open.is_empty() {
            attempts += 1;
            self.settle();
            if self.fuel == 0 || attempts > ATTEMPT_LIMIT {
                for id in open {
                    self.set(id, Value::Unknown(Why::Fuel), "no fuel left");
                }
                return;
            }
            let tried: Option<Vec<&Why>> = open.iter().map(|id| self.tried.get(id)).collect();
            let failed = if let Some(Some(&why)) = tried.as_ref().map(|t| t.first()) {
                (open[0], why.clone())
            } else if self.by_fewer_sizes(&open, projected::divided) {
                return;
            } else {
                let Err(failed) = self.attempt(&open) else {
                    return;
                };
                failed
            };
            let (id, why) = failed;
            if self.cut.is_some() {
                return;
            }
            if self.may_leave_out && self.by_fewer_sizes(&open, projected::search) {
                return;
            }
            // One cell is given up; for upper bounds its callers with it.
            self.set(id, Value::Unknown(why), "no bound found");
            open.retain(|&other| other != id);
            if self.direction == Direction::Upper {
                self.drop_unbounded(&mut open);
            }
        }
    }

    /// Whether all the cells have bounds that leave a size out of account.
    fn by_fewer_sizes(
        &mut self,
        open: &[CellId],
        search: fn(&mut Self, &[CellId]) -> Option<template::Found>,
    ) -> bool {
        let Some((guesses, lines)) = search(self, open) else {
            return false;
        };
        for (id, line) in lines {
            self.loose.insert(id);
            let how = format!("the equations in fewer sizes; {line}");
            self.set(id, guesses[&id].clone(), how);
        }
        true
    }

    fn drop_stuck(&mut self, open: &mut Vec<CellId>) {
        let found: Vec<CellId> = (open.iter().copied())
            .filter(|&id| stuck::is_stuck(self, id))
            .collect();
        for id in found {
            let how = "it calls itself for the same sizes";
            self.set(id, Value::Unknown(Why::NoForm), how);
            open.retain(|&other| other != id);
        }
    }

    /// Cells with an alternative without a value, or a call to what is not known, have no upper bound.
    fn drop_unbounded(&mut self, open: &mut Vec<CellId>) {
        loop {
            let found = open
                .iter()
                .copied()
                .find_map(|id| Some((id, self.no_upper(id)?)));
            let Some((id, why)) = found else { return };
            self.set(id, Value::Unknown(why), "an alternative has no bound");
            open.retain(|&other| other != id);
        }
    }

    fn no_upper(&self, id: CellId) -> Option<Why> {
        let cell = &self.system.functions[id.0].cells[id.1];
        let usable = cell
            .alternatives
            .iter()
            .zip(&self.graph.landings[id.0][id.1])
            .filter_map(|(a, l)| Some((a, l.as_ref()?)));
        for (alternative, landings) in usable {
            if alternative.value.is_none() {
                return Some(Why::Unbounded);
            }
            for landing in landings {
                let unknown = |id: &CellId| {
                    matches!(
                        self.values.get(id),
                        Some(Value::Unknown(_) | Value::Diverges)
                    )
                };
                if landing.outside || landing.cells.iter().any(unknown) {
                    return Some(Why::Callee);
                }
            }
        }
        None
    }

    /// Solves all the cells or names one that stands in the way.
    fn attempt(&mut self, open: &[CellId]) -> Result<(), (CellId, Why)> {
        self.turns.forget();
        let exponents = self.exponents(open);
        let mut samples: BTreeMap<CellId, Sample> = BTreeMap::new();
        for &id in open {
            let sample = self.sample(id);
            samples.insert(id, sample.ok_or((id, Why::NoForm))?);
        }
        let families = Families::of_cells(
            self.system,
            self.graph,
            open,
            &exponents,
            self.direction,
            &|id| match self.values.get(&id) {
                Some(Value::Known(e)) => Some(e.clone()),
                _ => None,
            },
        );
        if let Some(found) = template::depths(self, &samples, &families) {
            self.keep_loose(&samples, found);
            return Ok(());
        }
        let reason = match self.exactly(&samples, &families) {
            Ok(()) => return Ok(()),
            Err(reason) => reason,
        };
        if self.cut.is_some() {
            return Err(reason);
        }
        if let [id] = open[..] {
            match compose::cell(self, id) {
                Some(Composed::Value(e)) => {
                    let guesses = BTreeMap::from([(id, Value::Known(e))]);
                    if let Ok(lines) = self.proved(&guesses) {
                        for (id, line) in lines {
                            let how = format!("the bounds of its calls, put together; {line}");
                            self.set(id, guesses[&id].clone(), how);
                        }
                        return Ok(());
                    }
                }
                Some(Composed::Cut(constraint)) if self.may_cut => {
                    self.cut = Some(Cut {
                        cell: id,
                        constraint,
                    });
                    return Err(reason);
                }
                _ => {}
            }
        }
        let mut bases = rates::of_cells(self.system, self.graph, open, self.direction);
        bases.extend(exponents);
        bases.sort();
        bases.dedup();
        if let Some(found) = template::search(self, &samples, &bases, &families) {
            self.keep_loose(&samples, found);
            return Ok(());
        }
        if let ([id], Direction::Upper) = (open, self.direction) {
            for guess in summed::guesses(self, *id) {
                let guesses = BTreeMap::from([(*id, Value::Known(guess))]);
                if let Ok(lines) = self.proved(&guesses) {
                    self.loose.insert(*id);
                    for (id, line) in lines {
                        let how = format!("the most that a turn takes, times the turns; {line}");
                        self.set(id, guesses[&id].clone(), how);
                    }
                    return Ok(());
                }
            }
        }
        self.evaluator.forget();
        Err(reason)
    }

    /// Bounds from a linear program.
    fn keep_loose(
        &mut self,
        samples: &BTreeMap<CellId, Sample>,
        (guesses, lines): template::Found,
    ) {
        self.evaluator.forget();
        for (id, line) in lines {
            let value = guesses[&id].clone();
            let points = samples[&id].points.len();
            self.loose.insert(id);
            self.set(
                id,
                value,
                format!("linear program over {points} points; {line}"),
            );
        }
    }

    /// Points of a cell; where not every point occurs, those that do, from a wider window.
    fn sample(&mut self, id: CellId) -> Option<Sample> {
        let function = &self.system.functions[id.0];
        let (cell, params) = (&function.cells[id.1], &function.params);
        let sample = fit::sample(&cell.region, params, &self.relevant[id.0], 1)?;
        let whole = |a: &Alternative| cell.region.implies_all(&a.constraints);
        if !cell.exhaustive || cell.alternatives.iter().any(whole) {
            return Some(sample);
        }
        let mut occurring = self.occurring(id, sample.clone());
        if occurring.points.len() < sample.points.len() {
            let wider = fit::sample(&cell.region, params, &self.relevant[id.0], STRETCH)?;
            occurring = self.occurring(id, wider);
            occurring.points.truncate(sample.points.len());
        }
        (!occurring.points.is_empty()).then_some(occurring)
    }

    fn occurring(&mut self, id: CellId, mut sample: Sample) -> Sample {
        let budget = SAMPLE_FUEL.min(self.fuel);
        self.evaluator.fuel = budget;
        let evaluator = &mut self.evaluator;
        sample.retain(&self.system.functions[id.0].params, |p| {
            let point: Option<Vec<i64>> = p.iter().map(|&x| i64::try_from(x).ok()).collect();
            point.is_some_and(|p| evaluator.worth(id.0, &p) != Worth::Absent)
        });
        self.fuel -= (budget - self.evaluator.fuel) / 8;
        sample
    }

    /// Forms that go through the exact values.
    fn exactly(
        &mut self,
        samples: &BTreeMap<CellId, Sample>,
        families: &Families,
    ) -> Result<(), (CellId, Why)> {
        let mut guesses = BTreeMap::new();
        let mut misfit = None;
        for (&id, sample) in samples {
            if let Some(e) = self.read_off(id) {
                guesses.insert(id, Value::Known(e));
                continue;
            }
            let params = &self.system.functions[id.0].params;
            let values = self.sampled(id, sample);
            let far = self.far(id, sample, families);
            let mut form = values
                .as_ref()
                .and_then(|v| fit::exact(params, sample, v, families, &mut self.fuel));
            if let Some((far, values)) = &far {
                // Near points alone do not show a logarithm: it is constant there.
                form = form
                    .filter(|e| fit::agrees(params, far, values, e))
                    .or_else(|| fit::logarithmic(params, far, values, families, &mut self.fuel));
            }
            if form.is_none()
                && let (Some(values), [_]) = (&values, &sample.active[..])
                && let Some(families) = Families::from_values(values)
            {
                form = fit::exact(params, sample, values, &families, &mut self.fuel);
            }
            match form {
                Some(e) => {
                    guesses.insert(id, Value::Known(e));
                }
                None => {
                    misfit = misfit.or(Some(id));
                    if let Some(values) = values
                        && self.may_cut
                        && let Some(constraint) =
                            fit::cut(params, sample, &values, families, &mut self.fuel)
                    {
                        self.cut = Some(Cut {
                            cell: id,
                            constraint,
                        });
                        break;
                    }
                }
            }
        }
        self.evaluator.forget();
        if let Some(id) = misfit {
            return Err((id, Why::NoForm));
        }
        let lines = self.proved(&guesses)?;
        for (id, line) in lines {
            let value = guesses[&id].clone();
            let points = samples[&id].points.len();
            self.set(id, value, format!("exact at {points} points; {line}"));
        }
        Ok(())
    }

    /// Points further out, where logarithms may occur, and the values there.
    fn far(
        &mut self,
        id: CellId,
        sample: &Sample,
        families: &Families,
    ) -> Option<(Sample, Vec<Fraction>)> {
        let params = &self.system.functions[id.0].params;
        let base = families.logarithms.iter().map(|l| l.base).max()?;
        let mut sample = fit::far(sample, params, base)?;
        let values = self.sampled_as_far(id, &sample);
        // Fast growing values end early.
        if values.len() < 24.min(sample.points.len()) {
            return None;
        }
        sample.points.truncate(values.len());
        Some((sample, values))
    }

    /// The value of a cell with one alternative and no call (`app([], L, L).`).
    fn read_off(&self, (f, c): CellId) -> Option<Expr> {
        let function = &self.system.functions[f];
        let cell = &function.cells[c];
        let [alternative] = &cell.alternatives[..] else {
            return None;
        };
        let value = alternative.value.as_ref()?;
        (alternative.results.is_empty()
            && alternative.locals.is_empty()
            && cell.region.implies_all(&alternative.constraints)
            && value
                .variables()
                .iter()
                .all(|v| function.params.contains(v))
            && value.as_constant().is_none_or(|c| c >= rat(0)))
        .then(|| value.clone())
    }

    /// Exact values at the points of a cell; none if one of them has none.
    fn sampled(&mut self, id: CellId, sample: &Sample) -> Option<Vec<Fraction>> {
        let values = self.sampled_as_far(id, sample);
        (values.len() == sample.points.len()).then_some(values)
    }

    /// Exact values at the points of a cell, up to the first one that has none.
    fn sampled_as_far(&mut self, id: CellId, sample: &Sample) -> Vec<Fraction> {
        let budget = SAMPLE_FUEL.min(self.fuel);
        self.evaluator.fuel = budget;
        let mut values = Vec::with_capacity(sample.points.len());
        for point in &sample.points {
            let point: Option<Vec<i64>> = point.iter().map(|&x| i64::try_from(x).ok()).collect();
            let value = point.and_then(|p| self.evaluator.at(id.0, &p));
            match value {
                Some(v) => values.push(v),
                None => break,
            }
        }
        // An unfolding is cheaper than a proof step.
        self.fuel -= (budget - self.evaluator.fuel) / 8;
        values
    }

    /// Bases of exponentials that may occur: how often a clause calls its component, factors of arguments, what is there already.
    fn exponents(&self, cells: &[CellId]) -> Vec<Rat> {
        let mut found = BTreeSet::new();
        for &(f, c) in cells {
            let cell = &self.system.functions[f].cells[c];
            for (alternative, landings) in cell.alternatives.iter().zip(&self.graph.landings[f][c])
            {
                let (Some(landings), Some(value)) = (landings, &alternative.value) else {
                    continue;
                };
                let mut total = rat(0);
                for (call, landing) in alternative.results.iter().zip(landings) {
                    if landing.cells.iter().any(|id| cells.contains(id)) {
                        let mut m = Monomial::one();
                        m.powers.insert(call.var, 1);
                        let coefficient = value.coefficient(&m);
                        if coefficient > rat(1) {
                            found.insert(coefficient.clone());
                        }
                        total += coefficient;
                    }
                    for arg in &call.args {
                        found.extend(
                            arg.terms()
                                .filter(|(m, _)| !m.is_one())
                                .map(|(_, c)| c.clone()),
                        );
                    }
                    for id in &landing.cells {
                        if let Some(Value::Known(e)) = self.values.get(id) {
                            found.extend(bases_of(e));
                        }
                    }
                }
                found.insert(total);
                found.extend(bases_of(value));
            }
        }
        found.retain(|b| *b > rat(1) && *b <= rat(64));
        found.into_iter().take(3).collect()
    }

    /// The pieces, merged where the proof still goes through, and their proof lines.
    pub(crate) fn finish(&mut self, quality: Quality) -> Solved {
        let plain = self.table(&BTreeMap::new());
        let mut table = plain.clone();
        let mut changed = Vec::new();
        for f in 0..table.len() {
            let merged = merge::pieces(&plain[f]);
            if merged.len() < plain[f].len() {
                table[f] = merged;
                changed.push(f);
            }
        }
        let mut proof = Vec::new();
        let mut proved = !changed.is_empty() && self.checked(&table, &mut proof);
        if !proved && (2..=MERGE_LIMIT).contains(&changed.len()) {
            // Not all together: those that pass one after the other.
            let mut kept = plain.clone();
            for f in changed {
                let before = std::mem::replace(&mut kept[f], table[f].clone());
                let mut lines = Vec::new();
                if self.checked(&kept, &mut lines) {
                    proof = lines;
                    proved = true;
                } else {
                    kept[f] = before;
                }
            }
            table = kept;
        }
        if proved {
            return Solved {
                merged: table,
                plain,
                proof,
                quality,
            };
        }
        proof.clear();
        for (&(f, _), how) in &self.how {
            proof.push((f, how.clone()));
        }
        Solved {
            merged: plain.clone(),
            plain,
            proof,
            quality,
        }
    }

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

    fn checked(&mut self, table: &[Vec<SolvedPiece>], proof: &mut Vec<(usize, String)>) -> bool {
        for (f, pieces) in table.iter().enumerate() {
            for piece in pieces {
                // Untouched pieces over untouched callees would pass again; checking all of them is simple and quick.
                let mut checker = Checker {
                    system: self.system,
                    graph: self.graph,
                    measured: &self.measured,
                    table,
                    direction: self.direction,
                    fuel: &mut self.fuel,
                };
                let proved = checker.piece(f, piece);
                self.settle();
                match proved {
                    Ok(line) => {
                        // The cell with the most calls is the one that the form was found for; base cases fit any.
                        let how = self
                            .how
                            .iter()
                            .filter(|((g, c), _)| {
                                *g == f
                                    && self.system.functions[f].cells[*c]
                                        .region
                                        .implies_all(&piece.region)
                            })
                            .max_by_key(|((_, c), _)| {
                                let alternatives =
                                    self.system.functions[f].cells[*c].alternatives.iter();
                                alternatives.map(|a| a.results.len()).max()
                            })
                            .map(|(_, how)| how.split("; ").next().unwrap_or_default())
                            .unwrap_or_default();
                        proof.push((f, format!("{how}; {line}")));
                    }
                    Err(_) => return false,
                }
            }
        }
        true
    }
}

fn bases_of(e: &Expr) -> Vec<Rat> {
    e.terms()
        .flat_map(|(m, _)| m.exponentials.values().cloned())
        .collect()
}
