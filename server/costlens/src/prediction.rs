//! Predictions of calls, for the command line and the language server: the proved bounds of a call, and an extrapolation from past runs of
//! the same code. No part of the program is run.

pub(crate) mod call;
pub(crate) mod report;
pub(crate) mod text;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use costlens_events::Event;
use costlens_history::predict::{FEWEST_RUNS, Prediction, ProgramKnowledge, With, predict};
use costlens_history::store::History;
use costlens_history::{Annotations, Blocks, HistoryError, Program, Runs, shape};
use costlens_ide::present::values::GivenSize;
use costlens_ide::reports::estimates::{Estimates, ParameterValues};
use costlens_ide::resources::Prices;
use costlens_machine::{Indexing, Limits, Machine};
use costlens_syntax::FileTerms;

use self::call::PredictedCall;
use self::report::Report;
use crate::profiling::interrupted;
use crate::profiling::running::Read;

/// The displayed events, in order, whose bounds are computed.
const EVENTS: [&str; 7] = [
    "steps",
    "head_unifications",
    "heap_cells",
    "choice_points",
    "environments",
    "trail_entries",
    "references",
];

/// The user's request.
pub(crate) struct PredictionRequest<'w> {
    /// The call, as at a prompt.
    pub(crate) goal: &'w str,
    /// True for all solutions, not only the first.
    pub(crate) all: bool,
    /// The file of past runs.
    pub(crate) history: PathBuf,
    /// True if the user has named the file; then a missing file is an error.
    pub(crate) named: bool,
    /// The values of parameters of the bounds. The number of facts of a predicate is otherwise that of the clauses in its file.
    pub(crate) at: &'w [GivenSize],
    /// The prices of a platform, for bounds on time.
    pub(crate) prices: Option<Arc<Prices>>,
}

/// The reason why a goal cannot be predicted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unpredictable {
    /// It cannot be read.
    #[error("the goal is not a term: {0}")]
    NoTerm(String),
    /// The goal is not a call to one of the program's predicates, but a built-in, a conjunction, or a variable, for example.
    #[error("the goal is no call of a predicate of the program")]
    NoCall,
    /// No bound depends on a parameter to which the user gives a value.
    #[error(
        "no bound of the call depends on a parameter `{0}`: `costlens bounds` shows those that there are"
    )]
    UnmetParameter(String),
}

/// A prediction, with objections to the program's annotations.
pub(crate) struct Predicted {
    pub(crate) report: Report,
    pub(crate) warnings: Vec<String>,
}

/// Returns the first given parameter on which no bound depends.
fn unmet(estimates: &Estimates, given: &[GivenSize]) -> Option<String> {
    let name = |given: &GivenSize| match &given.name {
        Some(name) => name.clone(),
        None => given.argument.to_string(),
    };
    let is_met = |name: &String| {
        let mut taken = estimates.taken.iter();
        taken.any(|taken| *name == taken.name || *name == taken.full_name)
    };
    given.iter().map(name).find(|name| !is_met(name))
}

/// Predicts a call.
///
/// # Errors
/// Returns [`Unpredictable`], or an error if the past runs in a file named by the user cannot be read.
pub(crate) fn predict_call(read: &Read, wish: &PredictionRequest<'_>) -> anyhow::Result<Predicted> {
    let mut machine = unloaded(read);
    let goal = match machine.read_goal(wish.goal) {
        Ok((goal, _)) => goal,
        Err(message) => return Err(Unpredictable::NoTerm(message).into()),
    };
    let program = call::program(&read.program);
    let call = PredictedCall::new(&machine, goal, &program, Indexing::FirstArgument);
    let call = call.ok_or(Unpredictable::NoCall)?;
    let events: Vec<Event> = EVENTS.iter().filter_map(|name| name.parse().ok()).collect();
    let bounds = (read.host.snapshot()).estimates(
        read.file,
        &call.terms,
        call.goal,
        &events,
        wish.prices.as_ref(),
        ParameterValues::Given(wish.at),
    );
    let bounds = bounds.map_err(interrupted)?;
    if let Some(unmet) = bounds.as_ref().ok().and_then(|found| unmet(found, wish.at)) {
        return Err(Unpredictable::UnmetParameter(unmet).into());
    }
    let past = match Past::read(wish, &call) {
        // A missing file is an error only if the user has named it.
        Err(error @ HistoryError::Missing(_)) if !wish.named => Past {
            here: Err(error.to_string()),
            elsewhere: BTreeMap::new(),
        },
        other => other?,
    };
    let mut warnings = Vec::new();
    let (prediction, elsewhere) = match past.is_empty() {
        true => (Err(past.here.err().unwrap_or_default()), Vec::new()),
        false => predicted(read, &machine, &program, &call, past, &mut warnings)?,
    };
    let report = Report {
        bounds,
        all: wish.all,
        call,
        prediction,
        elsewhere,
    };
    Ok(Predicted { report, warnings })
}

/// Returns a machine with the clauses of a program only: they determine the blocks, and the operators for reading goals. Clauses that
/// cannot be loaded are reported by `run`; predictions are based on its runs.
fn unloaded(read: &Read) -> Machine {
    let mut machine = Machine::counting(Limits::default());
    let texts: Vec<_> = { read.program.parts.iter() }
        .map(|part| (part.text.as_str(), part.terms.as_ref()))
        .collect();
    machine.load_clauses_in_order(&texts, &read.program.order);
    machine
}

/// The past runs of a call.
struct Past {
    /// The runs on the embedded machine, or the reason why there are too few.
    here: Result<Runs, String>,
    /// The runs on other engines that have as many runs as a prediction needs.
    elsewhere: BTreeMap<String, Runs>,
}

impl Past {
    fn read(wish: &PredictionRequest<'_>, call: &PredictedCall) -> Result<Self, HistoryError> {
        let history = History::read(&wish.history)?;
        let predicate = (call.predicate.name.clone(), call.predicate.arity);
        let runs = history.runs(&predicate, &call.code, wish.all)?;
        let mut elsewhere = history.elsewhere(&predicate, &call.code, wish.all)?;
        let there: usize = elsewhere.values().map(|runs| runs.runs.len()).sum();
        elsewhere.retain(|_, runs| runs.runs.len() >= FEWEST_RUNS);
        let (own, _) = history.known(&predicate)?;
        let count = runs.runs.len();
        let of_this = u64::try_from(count + there).unwrap_or(0);
        let here = match count >= FEWEST_RUNS {
            true => Ok(runs),
            false => Err(too_few(wish, call, count, own.saturating_sub(of_this))),
        };
        Ok(Past { here, elsewhere })
    }

    fn is_empty(&self) -> bool {
        self.here.is_err() && self.elsewhere.is_empty()
    }
}

/// Returns the message for a call with only `count` runs; `others` is the number of runs that cannot be used.
fn too_few(
    wish: &PredictionRequest<'_>,
    call: &PredictedCall,
    count: usize,
    others: u64,
) -> String {
    let others = match others {
        0 => String::new(),
        n => format!(
            "; {n} others are of other code (another program's, or before an edit), with `--index all`, or looked for {} solution",
            if wish.all { "the first" } else { "every" }
        ),
    };
    let has = match count {
        0 => "no run".to_owned(),
        1 => "one run".to_owned(),
        n => format!("{n} runs"),
    };
    format!(
        "`{}` has {has} of `{}` as it is now, and {FEWEST_RUNS} are needed{others}; `costlens run FILE --goal G --history{}` adds one",
        wish.history.display(),
        call.predicate,
        if wish.all { " --all" } else { "" }
    )
}

/// The prediction from runs on the embedded machine, or the reason why there is none; and the predictions from runs on other engines, by
/// name.
type FromPast = (Result<Prediction, String>, Vec<(String, Prediction)>);

/// Returns the prediction of a call from past runs.
fn predicted(
    read: &Read,
    machine: &Machine,
    program: &Program,
    call: &PredictedCall,
    past: Past,
    warnings: &mut Vec<String>,
) -> anyhow::Result<FromPast> {
    let files: Vec<&FileTerms> = { read.program.parts.iter() }
        .map(|part| part.terms.as_ref())
        .collect();
    let annotations = Annotations::read(&files, &call.predicate);
    let malformed = annotations.malformed.iter();
    warnings.extend(malformed.map(|text| format!("`{text}` is no annotation for predictions")));
    let pattern = { read.host.snapshot() }
        .fitting_pattern(read.file, &call.terms, call.goal)
        .map_err(interrupted)?;
    let modes = { read.host.snapshot() }
        .modes(read.file, &call.terms, call.goal, &program.named())
        .map_err(interrupted)?;
    let none = Runs::default();
    let blocks = Blocks::new(
        machine.blocks(),
        past.here.as_ref().unwrap_or(&none),
        program,
        &call.terms,
        call.goal,
        &modes,
        annotations,
    );
    let knowledge = ProgramKnowledge {
        depends: &|block| blocks.depends(block),
        allows: &|input| blocks.allows(input),
        sizes: blocks.sizes(pattern.as_ref()),
        shapes: pattern.as_ref().map(shape).unwrap_or_default(),
        with: With::All,
        timed: true,
    };
    let of = |runs: &Runs| predict(runs, &call.inputs, &knowledge);
    let here = past.here.and_then(|runs| {
        let found = of(&runs);
        found.ok_or_else(|| "there are too few past runs".to_owned())
    });
    let elsewhere = { past.elsewhere.into_iter() }
        .filter_map(|(engine, runs)| Some((engine, of(&runs)?)))
        .collect();
    Ok((here, elsewhere))
}
