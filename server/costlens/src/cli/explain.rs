//! `costlens explain`.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use clap::Args;
use costlens_analysis::report::{
    AllWork, Bound, Explanation, Functor, PatternReport, PredicateReport,
};
use costlens_events::Event;
use costlens_ide::attained;
use costlens_ide::costs::calls::CallCost;
use costlens_ide::costs::calls::case_sizes;
use costlens_ide::host::{File, Host};
use costlens_ide::plot::{plot, plot_time};
use costlens_ide::present::parameters::{assumptions_text, parameter_meaning};
use costlens_ide::present::reach::steps_reached;
use costlens_ide::present::regions::region_readable;
use costlens_ide::present::times::time_words;
use costlens_ide::present::{
    determinism_text, hint_text, indicator, interval_text, names_in, origin_sentence, report_head,
    size_meaning, work_by,
};
use costlens_ide::reports::derivation::Explained;
use costlens_ide::reports::overview::{Link, Own};
use costlens_ide::resources::{Resource, prices};
use costlens_platform::Platform;

use super::crossover::Compared;
use super::output::{Log, print};
use super::sizes::parse_indicator;
use super::{CommandOutcome, Format, ReadingOptions, files, interrupted, json};
use crate::lines::{Encoding, LineIndex};

#[derive(Args)]
pub(super) struct Options {
    /// The file that defines the predicate.
    file: PathBuf,
    /// The predicate.
    #[arg(value_name = "NAME/ARITY", value_parser = parse_indicator)]
    predicate: Functor,
    #[command(flatten)]
    reading: ReadingOptions,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Also show the time on this platform.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Also compare with another predicate of the file: show for which sizes each predicate costs no more than the other, in steps and, with a
    /// platform, in time.
    #[arg(long, value_name = "NAME/ARITY", value_parser = parse_indicator)]
    against: Option<Functor>,
    /// Also draw the lower and upper bounds of the first pattern as an SVG plot. With a platform, the plot shows time.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the code of the predicate's clauses instead: the instructions of the head and of each literal.
    #[arg(long, conflicts_with_all = ["platform", "svg", "against"])]
    code: bool,
    /// The compile model of the code.
    #[arg(long, value_enum, default_value = "machine", requires = "code")]
    model: super::code::Model,
    /// The arguments used for clause indexing in the machine's model.
    #[arg(long, value_enum, default_value = "first", requires = "code")]
    index: super::code::IndexOn,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let source = files::read_file(&options.file, log)?;
    let mut host = Host::unedited();
    let project = (options.reading).project(std::slice::from_ref(&options.file))?;
    let opened = files::open(
        &mut host,
        std::slice::from_ref(&source),
        &files::areas(std::slice::from_ref(&options.file)),
        &options.reading,
        &project,
        log,
    );
    let Some(&file) = opened.first() else {
        return Ok(CommandOutcome::Unusable);
    };
    if options.code {
        return print_code(options, &source.name, &host, file);
    }
    let found = (host.snapshot())
        .explain(file, &options.predicate)
        .map_err(interrupted)?;
    let found = found.ok_or_else(|| undefined(&source.name, &options.predicate))?;
    let question = ExplainedPredicate {
        options,
        host: &host,
        file,
        name: &source.name,
        platform: super::resources::platform(options.platform.as_deref())?,
    };
    question.answer(&found, &source.text)
}

/// The predicate to explain.
struct ExplainedPredicate<'q> {
    options: &'q Options,
    host: &'q Host,
    file: File,
    /// The name of the file.
    name: &'q str,
    platform: Option<Platform>,
}

/// The bounds on time on the platform.
type Estimate = Arc<PredicateReport>;

impl ExplainedPredicate<'_> {
    /// Prints the explanation and draws the bounds.
    fn answer(&self, found: &Explained, text: &str) -> anyhow::Result<CommandOutcome> {
        let predicate = &self.options.predicate;
        let index = LineIndex::new(text);
        let line_of = |offset: usize| index.position(text, offset, Encoding::Utf8).0 + 1;
        let estimate = self.time_of(predicate)?;
        let compared = self.compared(found, estimate.as_ref())?;
        let platform = self.platform.as_ref().map(|p| p.name.as_str());
        let times = platform.zip(estimate.as_deref());
        match self.options.format {
            Format::Text => {
                let mut text = as_text(found, times, &line_of);
                text.extend(compared.iter().map(Compared::text));
                print(&text)?;
            }
            Format::Json => {
                let document = json::explain::document(self.name, found, times, &line_of);
                let document = document.with_crossover(compared.as_ref());
                print(&json::lines(&document)?)?;
            }
        }
        if let Some(path) = &self.options.svg {
            let svg = drawing(found, times).with_context(|| {
                let what = indicator(predicate);
                format!(
                    "there is nothing to draw: no bound of `{what}` that depends on a size is known"
                )
            })?;
            std::fs::write(path, svg)
                .with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok(CommandOutcome::Fine)
    }

    /// Returns the bounds on the time of a predicate, if a platform was named.
    fn time_of(&self, predicate: &Functor) -> anyhow::Result<Option<Estimate>> {
        let Some(platform) = &self.platform else {
            return Ok(None);
        };
        let times = (self.host.snapshot()).time(self.file, predicate, &prices(platform));
        Ok(times.map_err(interrupted)?.map(|times| times.estimate))
    }

    /// Compares the predicate with the one given by `--against`.
    fn compared(
        &self,
        found: &Explained,
        estimate: Option<&Estimate>,
    ) -> anyhow::Result<Option<Compared>> {
        let Some(against) = &self.options.against else {
            return Ok(None);
        };
        let steps = Resource::Event(Event::Step);
        let all = (self.host.snapshot()).resource_bounds(self.file, &steps);
        let all = all.map_err(interrupted)?;
        let other = all.iter().find(|p| p.report.predicate == *against);
        let other = other.ok_or_else(|| undefined(self.name, against))?;
        let on_time = estimate.zip(self.time_of(against)?);
        let on_time = on_time.as_ref().map(|(a, b)| (&***a, &**b));
        let reports = (&*found.bounds.report, &*other.report);
        Ok(Some(Compared::new(reports, on_time)))
    }
}

fn undefined(file: &str, predicate: &Functor) -> anyhow::Error {
    anyhow!("`{file}` does not define `{}`", indicator(predicate))
}

/// Draws the bounds of the most informative pattern; bounds on time if a platform was named.
fn drawing(found: &Explained, times: PlatformTimes<'_>) -> Option<String> {
    let arguments = &found.bounds.arguments;
    let patterns = &found.bounds.report.patterns;
    let first = found.bounds.report.telling()?;
    match times {
        Some((_, times)) => {
            let same = times.patterns.iter().find(|p| p.pattern == first.pattern)?;
            plot_time(same, arguments)
        }
        None => {
            let place = patterns.iter().position(|p| std::ptr::eq(first, p));
            let evaluated = place.and_then(|place| found.evaluated.get(place)?.as_ref());
            plot(first, arguments, evaluated)
        }
    }
}

/// Prints the output of `--code`.
fn print_code(
    options: &Options,
    name: &str,
    host: &Host,
    file: File,
) -> anyhow::Result<CommandOutcome> {
    let what = indicator(&options.predicate);
    let listing = (host.snapshot())
        .code(
            file,
            &options.predicate,
            options.model.with_index(options.index),
        )
        .map_err(interrupted)?;
    let listing = listing.ok_or_else(|| undefined(name, &options.predicate))?;
    match options.format {
        Format::Text => print(&super::code::as_text(&what, &listing))?,
        Format::Json => print(&json::lines(&super::code::as_json(name, &what, &listing))?)?,
    }
    Ok(CommandOutcome::Fine)
}

/// Returns the parts of an explanation, each with its title.
fn parts(e: &Explanation) -> [(&'static str, &[String]); 8] {
    [
        ("pattern", &e.pattern),
        ("cases", &e.cases),
        ("sizes", &e.sizes),
        ("equations", &e.equations),
        ("lower_equations", &e.lower_equations),
        ("solution", &e.solution),
        ("method", &e.method),
        ("verification", &e.verification),
    ]
}

/// The named platform, and the bounds on time.
type PlatformTimes<'t> = Option<(&'t str, &'t PredicateReport)>;

fn as_text(
    found: &Explained,
    times: PlatformTimes<'_>,
    line_of: &dyn Fn(usize) -> usize,
) -> String {
    let p = &found.bounds;
    let mut out = format!("{}\n", indicator(&p.report.predicate));
    if p.report.patterns.is_empty() {
        out.push_str("\n  no call pattern is known\n");
    }
    for (i, report) in p.report.patterns.iter().enumerate() {
        let head = report_head(&p.report.predicate.name, report, &p.arguments);
        out.push_str(&format!(
            "\n{head} is {}\n  call pattern: {}\n",
            determinism_text(report.determinism),
            origin_sentence(report.origin)
        ));
        for s in &report.sizes {
            out.push_str(&format!("  {}\n", size_meaning(s, &p.arguments)));
        }
        for parameter in &report.parameters {
            let meaning = parameter_meaning(parameter, &p.arguments);
            out.push_str(&format!("  {meaning}\n"));
        }
        if let Some((_, label)) = hint_text(report) {
            out.push_str(&format!("  cost: {label}\n"));
        }
        if let Some(by) = work_by(report, "`") {
            out.push_str(&format!("  more work than steps, by {by}\n"));
        }
        if report.work == AllWork::Unknown
            && matches!(report.headline.where_bounded().1, Bound::Finite(_))
        {
            out.push_str("  no close bound on the work of its built-ins is known\n");
        }
        for assumption in assumptions_text(report, &p.arguments, "`") {
            out.push_str(&format!("  if {assumption}\n"));
        }
        for line in steps_reached(report) {
            out.push_str(&format!("  {line}\n"));
        }
        if let Some((platform, time)) = times
            && let Some(time) = time.patterns.get(i)
        {
            out.push_str(&format!("  time on {platform}: {}\n", time_words(time)));
        }
        let calls = found.calls.get(i).map(Vec::as_slice).unwrap_or_default();
        if !calls.is_empty() {
            out.push_str("\n  calls\n");
        }
        for call in calls {
            out.push_str(&call_text(call, report, line_of));
        }
        let explanation = found.explanations.get(i).cloned().unwrap_or_default();
        for (title, lines) in parts(&explanation) {
            if lines.is_empty() {
                continue;
            }
            out.push_str(&format!("\n  {}\n", title.replace('_', " ")));
            for line in lines.iter().flat_map(|l| l.lines()) {
                out.push_str(&format!("    {line}\n"));
            }
        }
        if let Some(Some(evaluated)) = found.evaluated.get(i) {
            out.push_str("\n  at given sizes\n");
            out.push_str(&format!(
                "    {}\n",
                costlens_ide::present::evaluated::words(evaluated)
            ));
        }
        if let Some(attained) = found.attained.get(i) {
            out.push_str("\n  runs on small inputs\n");
            for line in attained::lines(attained, report) {
                out.push_str(&format!("    {line}\n"));
            }
        }
        for (at, u) in report.unknown.iter().enumerate() {
            let cause = (found
                .bounds
                .cause_names
                .get(i)
                .and_then(|names| names.get(at)))
            .map_or_else(|| indicator(&u.cause), Clone::clone);
            let reason = u.reason.trim_end_matches('.');
            let text = format!("\n  unknown: in {cause}, {reason}. {}", u.help);
            out.push_str(text.trim_end());
            out.push('\n');
        }
        if i == 0 {
            out.push_str(&chain_text(&found.chain));
        }
        if !found.bounds.clauses_from.is_empty() {
            let files = found.bounds.clauses_from.join(", ");
            out.push_str(&format!("\n  clauses of {files}\n"));
        }
        for line in found.bounds.rests_on.get(i).into_iter().flatten() {
            out.push_str(&format!("\n  rests on trust: {line}\n"));
        }
    }
    out
}

/// Formats the predicates down the calls that contribute the largest part of a bound, if another predicate does.
fn chain_text(links: &[Link]) -> String {
    let mut out = String::new();
    if links.len() < 2 {
        return out;
    }
    out.push_str("\n  where most of the cost is made\n");
    for link in links {
        let most = match (&link.call, &link.own) {
            (Some((_, goal, share)), _) => {
                let share = share
                    .as_ref()
                    .map_or_else(String::new, |s| format!(", {s}"));
                format!("most in `{goal}`{share}")
            }
            (None, Own::Recursion(goal)) => format!("most in its recursion `{goal}`"),
            (None, Own::Clauses) => "most in its own clauses".to_owned(),
            (None, Own::Undivided) => "what each of its calls takes is not known".to_owned(),
        };
        let work = (link.work_by.as_ref())
            .map_or_else(String::new, |by| format!("; more work than steps, by {by}"));
        out.push_str(&format!(
            "    {}   {}: {most}{work}\n",
            link.predicate, link.cost
        ));
    }
    out
}

/// Formats a call, its cost at its place, and its share of the bound.
fn call_text(call: &CallCost, report: &PatternReport, line_of: &dyn Fn(usize) -> usize) -> String {
    let names = names_in(report);
    let place = (call.offset).map_or_else(String::new, |o| format!(", line {}", line_of(o)));
    let mark = if call.dominating { " (dominates)" } else { "" };
    let mut out = format!("    {}   clause {}{place}{mark}\n", call.goal, call.clause);
    for case in &call.cases {
        let when = if case.when.constraints().is_empty() {
            String::new()
        } else {
            format!(" for {}", region_readable(&case.when, &names))
        };
        let sizes = case_sizes(call, case, report);
        let sizes = if sizes.is_empty() {
            String::new()
        } else {
            format!("; {}", sizes.join(", "))
        };
        out.push_str(&format!(
            "      one call: {}{when}{sizes}\n",
            interval_text(&case.steps.lower, &case.steps.upper, &names)
        ));
    }
    let percents = call.share.as_ref().and_then(|s| s.text(report));
    let total = (call.total.as_ref()).map(|e| costlens_ide::present::formula(e, &names));
    match (total, percents) {
        (Some(total), Some(percents)) => {
            out.push_str(&format!(
                "      all its calls: at most {total}, {percents}\n"
            ));
        }
        (Some(total), None) => out.push_str(&format!("      all its calls: at most {total}\n")),
        (None, Some(percents)) => {
            out.push_str(&format!("      share of one call: {percents}\n"));
        }
        (None, None) => {}
    }
    out
}
