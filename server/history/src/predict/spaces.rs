//! Selects the inputs for predictions, and the spaces of inputs in which columns are estimated.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::column::{Estimate, Space};
use super::counts::CountColumn;
use super::table::Feature;
use super::{ProgramKnowledge, With};
use crate::depends::ArgumentSet;
use crate::run::{InputName, Inputs, Measure};
use crate::shape::ShapeTerm;

/// The usual measures of an argument, in order of preference. The first measure that the call has is used.
const USUAL: [Measure; 6] = [
    Measure::Int,
    Measure::Length,
    Measure::Value,
    Measure::Name,
    Measure::Chars,
    Measure::Size,
];
/// Additional measures that may be more informative.
const MORE: [Measure; 5] = [
    Measure::ElementInt,
    Measure::Sum,
    Measure::Total,
    Measure::ElementLength,
    Measure::Size,
];

/// Returns the preferred inputs of a call, and additional inputs that may be more informative. An argument without inputs in the call
/// counts as different from runs in which it has some.
pub(super) fn chosen(
    asked: &Inputs,
    rows: &[&Inputs],
    sizes: &[InputName],
    allows: &dyn Fn(&InputName) -> bool,
) -> (Vec<InputName>, Vec<InputName>) {
    let (mut first, mut more) = (Vec::new(), Vec::new());
    let of_call: BTreeSet<usize> = asked.iter().map(|(name, _)| name.argument).collect();
    let missing = { rows.iter().copied().flatten() }
        .map(|(name, _)| *name)
        .filter(|name| !of_call.contains(&name.argument));
    let mut names: Vec<InputName> = asked.iter().map(|(name, _)| *name).chain(missing).collect();
    names.sort();
    names.dedup();
    let arguments: BTreeSet<usize> = names.iter().map(|name| name.argument).collect();
    for argument in arguments {
        let allowed = || {
            let names = names.iter().copied().filter(|n| n.argument == argument);
            names.filter(|n| allows(n))
        };
        let mut named: Vec<InputName> = allowed().filter(|n| sizes.contains(n)).collect();
        if named.is_empty() {
            let usual = USUAL
                .iter()
                .find_map(|m| allowed().find(|n| n.measure == *m));
            named.extend(usual);
        }
        more.extend(allowed().filter(|n| MORE.contains(&n.measure) && !named.contains(n)));
        first.extend(named);
    }
    (first, more)
}

/// The inputs that vary between runs.
pub(super) struct Features {
    all: Vec<Feature>,
    /// The number of preferred inputs, at the beginning of `all`. The remaining inputs are used only if they reduce the error sufficiently.
    first: usize,
}

impl Features {
    pub(super) fn new(asked: &Inputs, rows: &[&Inputs], knowledge: &ProgramKnowledge<'_>) -> Self {
        let (first, more) = chosen(asked, rows, &knowledge.sizes, knowledge.allows);
        let varying = |names: &[InputName]| -> Vec<Feature> {
            let features = names.iter().map(|name| Feature::new(*name, rows, asked));
            features.filter(|f| !f.is_constant()).collect()
        };
        let mut all = varying(&first);
        let first = all.len();
        all.extend(varying(&more));
        Features { all, first }
    }

    /// Returns the preferred inputs.
    pub(super) fn first(&self) -> &[Feature] {
        &self.all[..self.first]
    }

    pub(super) fn names(&self, inputs: &[usize]) -> Vec<InputName> {
        inputs.iter().map(|&i| self.all[i].name).collect()
    }
}

/// If all inputs reduce the error to less than this factor, they replace an inferred set, which must have been too small.
const LEFT_FOR_ALL: f64 = 0.7;
/// Additional measures of an argument are used if they reduce the error to less than this factor.
const LEFT_FOR_MORE: f64 = 0.9;

/// A column of counts, as bits, and the inputs on which it depends.
type ColumnKey = (Vec<u64>, Option<(ArgumentSet, bool)>);

/// The estimate of a column, and the inputs that it used.
pub(super) type Estimated = (Estimate, Vec<usize>);

/// The spaces of inputs created so far.
pub(super) struct Spaces<'f> {
    features: &'f Features,
    shapes: Vec<(&'f ShapeTerm, Vec<f64>)>,
    runs: usize,
    known: FxHashMap<Vec<usize>, Space<'f>>,
}

impl<'f> Spaces<'f> {
    /// Prepares spaces for runs with the inputs `rows` and a call with the inputs `asked`.
    pub(super) fn new(
        features: &'f Features,
        shapes: &'f [ShapeTerm],
        asked: &Inputs,
        rows: &[&Inputs],
    ) -> Self {
        let shapes = shapes.iter().filter_map(|term| {
            let inputs = rows.iter().copied().chain([asked]);
            let values: Option<Vec<f64>> = inputs.map(|inputs| term.value(inputs)).collect();
            Some((term, values?))
        });
        Spaces {
            shapes: shapes.collect(),
            features,
            runs: rows.len(),
            known: FxHashMap::default(),
        }
    }

    /// Returns the inputs that belong to the given arguments, among the first `until` inputs.
    fn inputs(&self, arguments: ArgumentSet, until: usize) -> Vec<usize> {
        let features = self.features.all[..until].iter().enumerate();
        features
            .filter(|(_, feature)| arguments.has(feature.name.argument - 1))
            .map(|(i, _)| i)
            .collect()
    }

    fn space(&mut self, inputs: &[usize]) -> &Space<'f> {
        let (features, shapes, runs) = (self.features, &self.shapes, self.runs);
        self.known.entry(inputs.to_vec()).or_insert_with(|| {
            let features: Vec<&Feature> = inputs.iter().map(|&i| &features.all[i]).collect();
            let has = |name: &InputName| features.iter().any(|f| f.name == *name);
            let shapes = shapes.iter().filter(|(term, _)| term.inputs().all(has));
            let values = shapes.map(|(_, values)| values.clone()).collect();
            Space::new(features, values, runs)
        })
    }

    /// Returns the weights of runs for each other and for the call, in the space of all inputs.
    pub(super) fn nearness(&mut self) -> Vec<Vec<f64>> {
        let inputs = self.inputs(ArgumentSet::ALL, self.features.first);
        self.space(&inputs).nearness()
    }

    /// Estimates columns. Equal columns share an estimate.
    pub(super) fn estimates(&mut self, columns: &[CountColumn], with: With) -> Vec<Estimated> {
        let mut known: FxHashMap<ColumnKey, Estimated> = FxHashMap::default();
        let estimates = columns.iter().map(|column| {
            let bits: Vec<u64> = column.counts.iter().map(|c| c.to_bits()).collect();
            let estimate = known.entry((bits, column.depends));
            { estimate.or_insert_with(|| self.estimate(column, with)) }.clone()
        });
        estimates.collect()
    }

    /// Estimates a column.
    pub(super) fn estimate(&mut self, column: &CountColumn, with: With) -> Estimated {
        let (arguments, annotated) = column.depends.unwrap_or((ArgumentSet::ALL, false));
        let (first, last) = (self.features.first, self.features.all.len());
        let inputs = self.inputs(arguments, first);
        let mut best = (self.estimate_in(&inputs, column, with), inputs);
        if best.0.error() == 0.0 || with != With::All {
            return best;
        }
        let mut others = vec![(self.inputs(arguments, last), LEFT_FOR_MORE)];
        if !annotated {
            others.push((self.inputs(ArgumentSet::ALL, first), LEFT_FOR_ALL));
        }
        for (inputs, factor) in others {
            if inputs == best.1 {
                continue;
            }
            let estimate = self.estimate_in(&inputs, column, with);
            if estimate.error() < best.0.error() * factor {
                best = (estimate, inputs);
            }
        }
        best
    }

    fn estimate_in(&mut self, inputs: &[usize], column: &CountColumn, with: With) -> Estimate {
        let space = self.space(inputs);
        match with {
            With::All => space.estimate(&column.counts),
            With::Neighbours(None) => space.neighbours(&column.counts),
            With::Neighbours(Some(width)) => space.neighbours_of(&column.counts, width),
        }
    }
}
