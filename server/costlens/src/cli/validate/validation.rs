//! The runs of each call pattern of a predicate, compared with its bounds.

use std::cell::RefCell;
use std::time::Instant;

use anyhow::bail;
use costlens_analysis::report::{
    ParameterKind, ParameterVariable, PatternReport, SizeVariable, Subject,
};
use costlens_ide::attained::generated_types;
use costlens_ide::present::pattern_head;
use costlens_ide::present::values::GivenSize;
use costlens_machine::generate::{Input, Vocabulary};
use costlens_machine::{Answer, Machine};
use costlens_syntax::term::{Term, TermId, Terms};
use num_bigint::BigInt;

use super::axes::{AxesRequest, axes, base, series};
use super::compare::{AssertedBounds, Bounded, compare};
use super::engine::EngineClock;
use super::fit::fit;
use super::found::{OfPattern, Ran};
use super::inputs::Maker;
use super::kept::RunSample;
use super::observe::{ObservedPattern, ObservedRuns, Stopped, observe};
use super::resource::OfResource;
use super::runs::{self, Runner};
use super::sample::Sample;
use super::{Options, limits};
use crate::cli::output::Log;

/// The validation of a predicate.
pub(super) struct Validation<'v> {
    pub(super) options: &'v Options,
    pub(super) all: &'v [AssertedBounds],
    pub(super) clock: Option<&'v EngineClock>,
    /// True if the machine counts the same events as the bounds.
    pub(super) is_compared: bool,
    pub(super) log: &'v Log,
    pub(super) machine: &'v Machine,
    pub(super) vocabulary: &'v Vocabulary,
    pub(super) fresh: bool,
    pub(super) kept: Option<&'v RefCell<RunSample>>,
    pub(super) deadline: Instant,
}

impl Validation<'_> {
    /// Runs inputs for one of the patterns.
    pub(super) fn of_pattern(&self, index: usize) -> anyhow::Result<OfPattern> {
        let timed = self.clock.map(|clock| &clock.on);
        let reports: Vec<&PatternReport> = (self.all.iter().chain(timed))
            .filter_map(|on| on.bounds.report.patterns.get(index))
            .collect();
        let (Some(&report), Some(first)) = (reports.first(), self.all.first()) else {
            bail!("no resource is counted");
        };
        let name = &self.options.predicate.name;
        Ok(OfPattern {
            head: pattern_head(name, &report.pattern, &first.bounds.arguments),
            report: report.clone(),
            ran: self.ran(index, report, &reports)?,
        })
    }

    fn ran(
        &self,
        index: usize,
        report: &PatternReport,
        reports: &[&PatternReport],
    ) -> anyhow::Result<Result<Ran, String>> {
        let Some(types) = generated_types(&report.pattern) else {
            return Ok(Err("no inputs of its types can be made".to_owned()));
        };
        let axes = axes(reports, &types);
        let wish = self.wish();
        if let Some(unmet) = wish.unmet(&axes) {
            bail!(no_such_size(unmet, &axes));
        }
        let subject = ObservedPattern {
            report,
            axes: &axes,
            maker: Maker {
                predicate: &self.options.predicate.name,
                types: &types,
                axes: &axes,
                vocabulary: self.vocabulary,
                seed: self.options.seed,
            },
            inputs: self.options.inputs as usize,
        };
        let (observed, sample) = self.observe(&subject, &wish);
        if observed.runs == 0 {
            let why = match observed.stopped.contains(&Stopped::Time) {
                true => "the limit on time was reached before the first run",
                false => "no input of these sizes was found that is a call of the pattern",
            };
            return Ok(Err(why.to_owned()));
        }
        let resources = match self.is_compared {
            true => self.resources(index, &axes, &observed),
            false => Vec::new(),
        };
        let base = base(&axes, &wish);
        let time = self.clock.map(|clock| {
            let left_out = (sample.left_out, sample.long);
            let inputs = sample.chosen(&base, wish.values.is_some());
            clock.time(index, &axes, &inputs, left_out, self.log)
        });
        Ok(Ok(Ran {
            base,
            axes,
            observed,
            resources,
            time: time.transpose()?,
        }))
    }

    /// Returns the sizes that the user requested.
    fn wish(&self) -> AxesRequest {
        AxesRequest {
            values: self.options.sizes.clone(),
            fixed: self.options.at.clone().map(|at| at.0).unwrap_or_default(),
        }
    }

    /// Runs inputs of growing sizes, and selects the inputs that an engine will time.
    fn observe(&self, subject: &ObservedPattern<'_>, wish: &AxesRequest) -> (ObservedRuns, Sample) {
        let names: Vec<String> = self.all.iter().map(|on| on.name.clone()).collect();
        let limits = limits(self.options);
        let mut runner = Runner::new(
            self.machine,
            limits,
            self.fresh,
            self.deadline,
            &names,
            self.kept,
        );
        let mut sample = Sample::default();
        let mut note = |sizes: &[BigInt], run: &runs::Ran, input: &Input| {
            if self.clock.is_some() {
                sample.note(sizes, run, input);
            }
        };
        let series = series(subject.axes, wish);
        let observed = observe(subject, &series, &mut runner, &mut note);
        (observed, sample)
    }

    /// Compares the counts with the bounds on each resource.
    fn resources(
        &self,
        index: usize,
        axes: &[SizeVariable],
        observed: &ObservedRuns,
    ) -> Vec<OfResource> {
        let resources = self.all.iter().enumerate().filter_map(|(resource, on)| {
            let report = on.bounds.report.patterns.get(index)?;
            let facts = facts(self.machine, report);
            let bounded = Bounded {
                name: &on.name,
                report,
                parameters: &facts,
                asserted: on.asserted.get(index).map_or(&[], Vec::as_slice),
            };
            let compared = compare(&bounded, resource, axes, observed);
            // If all events are counted, most events never occur in the predicate's runs.
            let is_silent = compared.rows.iter().all(|row| row.most == 0) && resource > 0;
            (!is_silent || compared.violated > 0).then(|| OfResource {
                fitted: fit(report, axes, &compared.rows),
                report: report.clone(),
                compared,
            })
        });
        resources.collect()
    }
}

/// The greatest number of facts of a predicate that are counted.
const MOST_FACTS: usize = 1_000_000;

/// Returns the numbers of facts on which bounds depend, as the program has them when a run begins.
fn facts(machine: &Machine, report: &PatternReport) -> Vec<GivenSize> {
    let number = |parameter: &ParameterVariable| {
        let Subject::Predicate(_, functor) = &parameter.parameter.of else {
            return None;
        };
        if parameter.parameter.kind != ParameterKind::Facts {
            return None;
        }
        let mut machine = machine.fork();
        let mut terms = Terms::default();
        let unbound: Vec<TermId> = (0..u32::try_from(functor.arity).ok()?)
            .map(|v| terms.push(Term::Var(v)))
            .collect();
        let goal = terms.compound_or_atom(functor.name.clone(), &unbound);
        let goal = machine.store.read_in(&terms, goal, &mut Vec::new());
        machine.start(goal);
        let answers = std::iter::from_fn(|| match machine.next_answer() {
            Answer::Yes { .. } => Some(()),
            _ => None,
        });
        let value = answers.take(MOST_FACTS).count();
        (value < MOST_FACTS).then(|| GivenSize {
            argument: 0,
            element: false,
            name: Some(parameter.parameter.to_string()),
            metric: None,
            value: BigInt::from(value),
        })
    };
    report.parameters.iter().filter_map(number).collect()
}

/// Returns the message that no bound depends on a size given by the user.
fn no_such_size(unmet: &GivenSize, axes: &[SizeVariable]) -> String {
    let names: Vec<String> = (axes.iter())
        .map(|s| format!("{}, the {} of argument {}", s.name, s.metric, s.argument))
        .collect();
    let names = match names.is_empty() {
        true => "it depends on no size".to_owned(),
        false => format!("it depends on {}", names.join("; ")),
    };
    let which = match &unmet.name {
        Some(name) => format!("`{name}`"),
        None => format!("argument {}", unmet.argument),
    };
    format!("nothing that is counted depends on the size of {which}: {names}")
}
