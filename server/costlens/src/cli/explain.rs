//! `costlens explain`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use costlens_analysis::report::{Explanation, Functor, PatternReport, PredicateReport};
use costlens_events::Event;
use costlens_ide::attained;
use costlens_ide::costs::calls::CallCost;
use costlens_ide::costs::calls::case_sizes;
use costlens_ide::host::Host;
use costlens_ide::plot::{plot, plot_time};
use costlens_ide::present::reach::steps_reached;
use costlens_ide::present::regions::region_readable;
use costlens_ide::present::times::time_words;
use costlens_ide::present::{
    determinism_text, hint_text, indicator, interval_text, names, origin_sentence, report_head,
    size_meaning,
};
use costlens_ide::reports::derivation::Explained;
use costlens_ide::resources::{Resource, prices};

use super::crossover::Compared;
use super::output::{Log, print};
use super::sizes::parse_indicator;
use super::{Format, Outcome, ReadingOptions, files, interrupted, json};
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
    /// Also say how long it takes on this platform.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Also compare with another predicate of the file: from which sizes on one of them takes no more than the other, in steps, and in time with a
    /// platform.
    #[arg(long, value_name = "NAME/ARITY", value_parser = parse_indicator)]
    against: Option<Functor>,
    /// Also draw lower and upper bound of the first pattern: an SVG picture. With a platform it is of the time.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the code of its clauses instead: the instructions of the head and of each literal.
    #[arg(long, conflicts_with_all = ["platform", "svg", "against"])]
    code: bool,
    /// The compile model of the code.
    #[arg(long, value_enum, default_value = "machine", requires = "code")]
    model: super::code::Model,
    /// Which arguments choose clauses in the machine's model.
    #[arg(long, value_enum, default_value = "first", requires = "code")]
    index: super::code::IndexOn,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let source = files::read_file(&options.file, log)?;
    let mut host = Host::unedited();
    let project = (options.reading).project(std::slice::from_ref(&options.file))?;
    let opened = files::open(
        &mut host,
        std::slice::from_ref(&source),
        &files::areas(std::slice::from_ref(&options.file)),
        (&options.reading, &project),
        log,
    );
    let Some(&file) = opened.first() else {
        return Ok(Outcome::Unusable);
    };
    if options.code {
        return print_code(options, &source.name, &host, file, log);
    }
    let found = (host.snapshot())
        .explain(file, &options.predicate)
        .map_err(interrupted)?;
    let Some(found) = found else {
        let what = indicator(&options.predicate);
        log.error(&format!("`{}` does not define `{what}`", source.name));
        return Ok(Outcome::Unusable);
    };
    let index = LineIndex::new(&source.text);
    let line_of = |offset: usize| index.position(&source.text, offset, Encoding::Utf8).0 + 1;
    let platform = super::resources::platform(options.platform.as_deref())?;
    let time_of = |predicate: &Functor| match &platform {
        None => Ok(None),
        Some(platform) => {
            let times = (host.snapshot()).time(file, predicate, &prices(platform));
            let times = times.map_err(interrupted)?;
            Ok::<_, anyhow::Error>(times.map(|t| (platform.name.clone(), t.estimate)))
        }
    };
    let times = time_of(&options.predicate)?;
    let compared = match &options.against {
        None => None,
        Some(against) => {
            let all = (host.snapshot()).resource_bounds(file, &Resource::Event(Event::Step));
            let all = all.map_err(interrupted)?;
            let Some(other) = all.iter().find(|p| p.report.predicate == *against) else {
                let what = indicator(against);
                log.error(&format!("`{}` does not define `{what}`", source.name));
                return Ok(Outcome::Unusable);
            };
            let on_time = times.as_ref().zip(time_of(against)?);
            let on_time = on_time.as_ref().map(|((_, a), (_, b))| (&**a, &**b));
            let of = &found.bounds.report;
            Some(Compared::new((of, &other.report), on_time))
        }
    };
    let times = times.as_ref().map(|(name, t)| (name.as_str(), &**t));
    match options.format {
        Format::Text => {
            let mut text = as_text(&found, times, &line_of);
            text.extend(compared.iter().map(Compared::text));
            print(&text)?;
        }
        Format::Json => {
            let document = json::explain::document(&source.name, &found, times, &line_of);
            let document = document.with_crossover(compared.as_ref());
            print(&json::lines(&document)?)?;
        }
    }
    if let Some(path) = &options.svg {
        let arguments = &found.bounds.arguments;
        let first = found.bounds.report.telling();
        let place = first.and_then(|p| {
            let mut all = found.bounds.report.patterns.iter();
            all.position(|q| std::ptr::eq(p, q))
        });
        let evaluated = place.and_then(|i| found.evaluated.get(i)?.as_ref());
        let of_time = |(_, times): (&str, &PredicateReport)| {
            let all = times.patterns.iter();
            let same = all.filter(|p| first.is_some_and(|f| f.pattern == p.pattern));
            same.map(|p| plot_time(p, arguments)).next()?
        };
        let drawn = match times {
            Some(times) => of_time(times),
            None => first.and_then(|p| plot(p, arguments, evaluated)),
        };
        let Some(svg) = drawn else {
            let what = indicator(&options.predicate);
            log.error(&format!(
                "there is nothing to draw: no bound of `{what}` that depends on a size is known"
            ));
            return Ok(Outcome::Unusable);
        };
        std::fs::write(path, svg).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    Ok(Outcome::Fine)
}

/// Prints the output of `--code`.
fn print_code(
    options: &Options,
    name: &str,
    host: &Host,
    file: costlens_ide::host::File,
    log: &Log,
) -> anyhow::Result<Outcome> {
    let what = indicator(&options.predicate);
    let listing = (host.snapshot())
        .code(file, &options.predicate, options.model.with(options.index))
        .map_err(interrupted)?;
    let Some(listing) = listing else {
        log.error(&format!("`{name}` does not define `{what}`"));
        return Ok(Outcome::Unusable);
    };
    match options.format {
        Format::Text => print(&super::code::as_text(&what, &listing))?,
        Format::Json => print(&json::lines(&super::code::as_json(name, &what, &listing))?)?,
    }
    Ok(Outcome::Fine)
}

/// Returns the parts of an explanation under their titles.
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

/// The platform that was named, and the bounds on time there.
type Times<'t> = Option<(&'t str, &'t PredicateReport)>;

fn as_text(found: &Explained, times: Times<'_>, line_of: &dyn Fn(usize) -> usize) -> String {
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
        if let Some((_, label)) = hint_text(report) {
            out.push_str(&format!("  cost: {label}\n"));
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

/// Formats a call, its cost in its place, and its share of the bound.
fn call_text(call: &CallCost, report: &PatternReport, line_of: &dyn Fn(usize) -> usize) -> String {
    let names = names(&report.sizes);
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
