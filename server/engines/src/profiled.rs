//! Profiles goals on SWI-Prolog by cost centres: the transformation and its support code are in `profiler/*.pl`.
//!
//! The process reads its request as terms from one file and writes its answer as lines to another file, so that the goal can use standard
//! output. Fields are separated by tabs. In names, `%9%` is the character with code 9, and terms are quoted:
//!
//! ```text
//! refused Name Arity                       a predicate that cannot be a centre
//! instrumented Name Arity plain|nc|nconf   a centre, and the instrumentation of Fig. 5 that it is spared (names of the paper)
//! unbalanced Name Arity                    a predicate that was entered more often than it was left
//! malformed Error                          the goal is not a term
//! solution, binding Name Term              for each answer
//! exception Term, elapsed Nanoseconds, result success|failure|exception|memory|time|halt
//! centre Number Arity|literal|'' Name, then the accumulated use of each resource
//! edge From To, then the pairs of ports: eight counts, and eight amounts of each resource
//! node Number Parent Centre, then amounts of each resource
//! look, then the run's use of each resource so far
//! at Centre, then the pairs of ports as above, for each observed centre
//! end
//! ```

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::child::{self, ChildCommand, ChildLimit, End, Limits};
use crate::engine::Error;
use crate::runner::last_words;
use crate::swi::SwiProlog;

/// The support code.
const SUPPORT: &str = concat!(
    include_str!("profiler/events.pl"),
    include_str!("profiler/cuts.pl"),
    include_str!("profiler/paths.pl"),
    include_str!("profiler/measuring.pl"),
    include_str!("profiler/looks.pl"),
    include_str!("profiler/transformation.pl"),
    include_str!("profiler/choices.pl"),
    include_str!("profiler/run.pl"),
    include_str!("profiler/answer.pl"),
);

/// The time limit for loading the program and writing the answer, in addition to the limit for the goal.
const BESIDE: Duration = Duration::from_secs(20);

/// The number of resources: time, cuts, useless cuts, skips.
pub const RESOURCES: usize = 4;

/// A request to profile a goal.
#[derive(Clone, Debug, Default)]
pub struct ProfileRequest {
    /// The program's file.
    pub file: PathBuf,
    /// The goal's text.
    pub goal: String,
    /// Calls to run instead of the goal, in order, as texts that need only the standard operators.
    pub calls: Vec<String>,
    /// Set if all solutions are requested instead of only the first.
    pub all: bool,
    /// The predicates to be centres.
    pub centres: Vec<(String, usize)>,
    /// Set if literals in `cost_center/2` are also centres.
    pub literals: bool,
    /// Set if cuts are also recorded.
    pub events: bool,
    /// Set if known properties of predicates may be used to omit part of the instrumentation.
    pub optimise: bool,
    /// Facts about predicates: that they leave no choice point, that they do not fail, or that their first argument is bound.
    pub known: Vec<KnownFact>,
    /// Set if all calls of the run have been followed, so that no goal waits for a variable to be bound.
    pub followed: bool,
    /// The predicates that are tests; conditions that consist only of tests do not count as choices.
    pub tests: Vec<(String, usize)>,
    /// The interval between two snapshots of the measurements during the run; `None` for no snapshots.
    pub every: Option<Pause>,
    /// The centres in the snapshots.
    pub looked: Vec<(String, usize)>,
    /// The time limit of the goal, in seconds.
    pub seconds: f64,
    /// The limit on the goal's stacks, in megabytes.
    pub megabytes: usize,
    /// Files of the program to be replaced by other texts.
    pub texts: Vec<(PathBuf, String)>,
}

/// The interval between two snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// A number of calls of centres.
    Calls(u64),
    /// A time in nanoseconds.
    Nanoseconds(u64),
}

/// A snapshot of the measurements so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The run's use of each resource.
    pub total: [u64; RESOURCES],
    /// The observed centres: for each, the measurements between the ports of each pair, summed over all callers.
    pub centres: Vec<EngineEdge>,
}

/// A fact about all calls of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFact {
    /// The predicate's name.
    pub name: String,
    /// The predicate's arity.
    pub arity: usize,
    /// The fact: `no_choicepoint`, `not_fails` or `binds_first`.
    pub fact: &'static str,
}

/// The outcome of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalOutcome {
    /// The goal has solutions.
    Success,
    /// The goal has no solution.
    Failure,
    /// The goal threw this term.
    Exception(String),
    /// The goal exceeded the time limit.
    Time,
    /// The goal exceeded the memory limit.
    Memory,
    /// The goal ended the process.
    Halt,
}

/// A cost centre.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Centre {
    /// The number that identifies it in edges and nodes.
    pub number: usize,
    /// The centre's name.
    pub name: String,
    /// Its arity; `None` for a literal and for the remainder, which is number 0.
    pub arity: Option<usize>,
    /// The use of each resource by the centre and its callees.
    pub accumulated: [u64; RESOURCES],
}

/// Entries into a centre from another centre. Port pairs are in the order call-exit, call-fail, call-exception, call-open, redo-exit etc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineEdge {
    /// The previously active centre.
    pub from: usize,
    /// The centre that was entered.
    pub to: usize,
    /// The number of visits for each port pair.
    pub counts: [u64; 8],
    /// The use of each resource between the ports of each pair.
    pub used: [[u64; 8]; RESOURCES],
}

/// A path of centres.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathNode {
    /// The path without its last centre.
    pub parent: usize,
    /// The last centre.
    pub centre: usize,
    /// The use of each resource by the last centre on this path.
    pub used: [u64; RESOURCES],
}

/// The extent of a centre's instrumentation (Fig. 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instrumented {
    /// The full instrumentation.
    InFull,
    /// Everything except the check for choice points, since the predicate leaves none.
    NoChoicePoint,
    /// Only calls and exits, since the predicate leaves no choice point and does not fail.
    NoChoicePointNorFailure,
}

/// The profile of a goal.
#[derive(Clone, Debug)]
pub struct EngineProfile {
    /// The outcome of the goal.
    pub ended: GoalOutcome,
    /// For each solution, the variables of the goal and their values.
    pub solutions: Vec<Vec<(String, String)>>,
    /// The wall time in nanoseconds.
    pub elapsed: u64,
    /// The output of the goal.
    pub output: String,
    /// The text on standard error: SWI-Prolog's warnings and errors about the program.
    pub said: String,
    /// Predicates that cannot be centres.
    pub refused: Vec<(String, usize)>,
    /// The centres that are predicates.
    pub instrumented: Vec<(String, usize, Instrumented)>,
    /// Predicates that were entered more often than they were left, which contradicts a trusted fact about them.
    pub unbalanced: Vec<(String, usize)>,
    /// The centres; the first is the remainder.
    pub centres: Vec<Centre>,
    /// The edges, in the order of their first entry.
    pub edges: Vec<EngineEdge>,
    /// The paths of centres, by number.
    pub nodes: Vec<PathNode>,
    /// The snapshots taken during the run.
    pub looks: Vec<Look>,
}

/// The reason why there is no profile.
#[derive(Debug, thiserror::Error)]
pub enum Unprofiled {
    /// The engine is missing or unusable.
    #[error(transparent)]
    Engine(#[from] Error),
    /// The goal is not a term.
    #[error("the goal is not a term: {0}")]
    Malformed(String),
    /// The process ended, or was ended, before it could report its measurements.
    #[error("SWI-Prolog ended before it could say what was measured: {0}")]
    Lost(String),
}

impl SwiProlog {
    /// Profiles a goal by cost centres, in a separate process.
    ///
    /// # Errors
    /// Returns an error if SWI-Prolog is missing, if the goal is not a term, or if the process ended before it wrote its answer.
    pub fn profile(
        &self,
        wish: &ProfileRequest,
        cancel: &AtomicBool,
    ) -> Result<EngineProfile, Unprofiled> {
        let folder = tempfile::Builder::new()
            .prefix("costlens-profile-")
            .tempdir()
            .map_err(Error::from)?;
        let at = |name: &str| folder.path().join(name);
        let (support, wishes, answer) = (at("profiler.pl"), at("wishes.pl"), at("answer"));
        std::fs::write(&support, SUPPORT).map_err(Error::from)?;
        let mut texts = Vec::new();
        for (number, (file, text)) in wish.texts.iter().enumerate() {
            let copy = at(&format!("text{number}.pl"));
            std::fs::write(&copy, text).map_err(Error::from)?;
            texts.push((file.as_path(), copy));
        }
        std::fs::write(&wishes, wish.text(&answer, &texts)).map_err(Error::from)?;
        let call = self.profiling(wish, &support, &wishes);
        let limits = Limits {
            wall: Duration::from_secs_f64(wish.seconds.clamp(0.0, 1e9)) + BESIDE,
            cpu: None,
            memory: (wish.megabytes as u64).saturating_add(1 << 10) << 20,
            ..Limits::default()
        };
        let ended = child::run(&call, &limits, cancel, &mut |_| {}).map_err(Error::from)?;
        let text = read(&answer);
        let mut observed = Reader::default().read(&text)?.ok_or_else(|| {
            Unprofiled::Lost(match ended.end {
                End::Cancelled => "cancelled".to_owned(),
                End::Limit(ChildLimit::Output) => "it has written too much".to_owned(),
                _ => last_words(&ended),
            })
        })?;
        observed.output = String::from_utf8_lossy(&ended.stdout).into_owned();
        observed.said = String::from_utf8_lossy(&ended.stderr).into_owned();
        Ok(observed)
    }

    fn profiling(&self, wish: &ProfileRequest, support: &Path, wishes: &Path) -> ChildCommand {
        let mut call = ChildCommand::new(&self.program, self.flags());
        let options = ["-f", "none", "-F", "none", "--no-packs", "--no-tty", "-q"];
        call.arguments.extend(options.map(OsString::from));
        call.arguments
            .push(format!("--stack-limit={}m", wish.megabytes.max(16)).into());
        call.arguments
            .extend(["-g", "hcc:hcc_main", "-t", "halt(1)"].map(OsString::from));
        call.arguments.push(support.into());
        call.environment
            .push(("COSTLENS_WISHES".into(), wishes.into()));
        call
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the answer of a process, in our own folder"
)]
fn read(answer: &Path) -> String {
    let bytes = std::fs::read(answer).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

impl ProfileRequest {
    /// Returns the request as terms.
    fn text(&self, answer: &Path, texts: &[(&Path, PathBuf)]) -> String {
        let mut out = format!(
            "file({}).\nanswer({}).\ngoal({}).\nseconds({}).\n",
            quoted(&self.file.to_string_lossy()),
            quoted(&answer.to_string_lossy()),
            quoted(&self.goal),
            float(self.seconds)
        );
        for (name, arity) in &self.centres {
            out.push_str(&format!("centre({}, {arity}).\n", quoted(name)));
        }
        for call in &self.calls {
            out.push_str(&format!("call({call}).\n"));
        }
        for (name, arity) in &self.looked {
            out.push_str(&format!("looked({}, {arity}).\n", quoted(name)));
        }
        match self.every {
            Some(Pause::Calls(calls)) => out.push_str(&format!("every(calls, {calls}).\n")),
            Some(Pause::Nanoseconds(time)) => {
                out.push_str(&format!("every(nanoseconds, {time}).\n"));
            }
            None => {}
        }
        for KnownFact { name, arity, fact } in &self.known {
            out.push_str(&format!("proved({}, {arity}, {fact}).\n", quoted(name)));
        }
        for (name, arity) in &self.tests {
            out.push_str(&format!("test({}, {arity}).\n", quoted(name)));
        }
        for (file, text) in texts {
            let (file, text) = (file.to_string_lossy(), text.to_string_lossy());
            out.push_str(&format!("text({}, {}).\n", quoted(&file), quoted(&text)));
        }
        for (wanted, word) in [
            (self.all, "all"),
            (self.literals, "literals"),
            (self.events, "events"),
            (self.optimise, "optimise"),
            (self.followed, "followed"),
        ] {
            if wanted {
                out.push_str(&format!("{word}.\n"));
            }
        }
        out
    }
}

fn float(seconds: f64) -> String {
    format!("{:.3}", seconds.clamp(0.0, 1e9))
}

/// Returns the quoted atom with this text.
fn quoted(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\x{:x}\\", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

/// Decodes a field.
fn field(text: &str) -> String {
    let mut out = String::new();
    for (number, part) in text.split('%').enumerate() {
        // The character code is between two percent signs.
        match number % 2 {
            0 => out.push_str(part),
            _ => out.extend(part.parse().ok().and_then(char::from_u32)),
        }
    }
    out
}

/// A reader of the lines of an answer.
#[derive(Default)]
struct Reader {
    ended: Option<GoalOutcome>,
    exception: String,
    solutions: Vec<Vec<(String, String)>>,
    elapsed: u64,
    refused: Vec<(String, usize)>,
    instrumented: Vec<(String, usize, Instrumented)>,
    unbalanced: Vec<(String, usize)>,
    centres: Vec<Centre>,
    edges: Vec<EngineEdge>,
    nodes: Vec<PathNode>,
    looks: Vec<Look>,
    malformed: Option<String>,
    complete: bool,
}

impl Reader {
    /// Reads an answer. Returns `None` if it is incomplete.
    fn read(mut self, text: &str) -> Result<Option<EngineProfile>, Unprofiled> {
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            // A malformed line was cut off, so the answer is incomplete.
            let _ = self.line(&fields);
        }
        if let Some(error) = self.malformed {
            return Err(Unprofiled::Malformed(error));
        }
        let Some(ended) = self.ended.filter(|_| self.complete) else {
            return Ok(None);
        };
        Ok(Some(EngineProfile {
            ended,
            solutions: self.solutions,
            elapsed: self.elapsed,
            output: String::new(),
            said: String::new(),
            refused: self.refused,
            instrumented: self.instrumented,
            unbalanced: self.unbalanced,
            centres: self.centres,
            edges: self.edges,
            nodes: self.nodes,
            looks: self.looks,
        }))
    }

    fn line(&mut self, fields: &[&str]) -> Option<()> {
        let numbers = |from: usize| fields.get(from..).map(amounts);
        match *fields.first()? {
            "refused" => {
                let arity = fields.get(2)?.parse().ok()?;
                self.refused.push((field(fields.get(1)?), arity));
            }
            "instrumented" => {
                let arity = fields.get(2)?.parse().ok()?;
                let parts = match *fields.get(3)? {
                    "nc" => Instrumented::NoChoicePoint,
                    "nconf" => Instrumented::NoChoicePointNorFailure,
                    _ => Instrumented::InFull,
                };
                self.instrumented
                    .push((field(fields.get(1)?), arity, parts));
            }
            "unbalanced" => {
                let arity = fields.get(2)?.parse().ok()?;
                self.unbalanced.push((field(fields.get(1)?), arity));
            }
            "malformed" => self.malformed = Some((*fields.get(1)?).to_owned()),
            "solution" => self.solutions.push(Vec::new()),
            "binding" => {
                let bound = ((*fields.get(1)?).to_owned(), (*fields.get(2)?).to_owned());
                self.solutions.last_mut()?.push(bound);
            }
            "exception" => (*fields.get(1)?).clone_into(&mut self.exception),
            "elapsed" => self.elapsed = fields.get(1)?.parse().ok()?,
            "result" => {
                self.ended = Some(match *fields.get(1)? {
                    "success" => GoalOutcome::Success,
                    "failure" => GoalOutcome::Failure,
                    "exception" => GoalOutcome::Exception(std::mem::take(&mut self.exception)),
                    "memory" => GoalOutcome::Memory,
                    "time" => GoalOutcome::Time,
                    _ => GoalOutcome::Halt,
                });
            }
            "centre" => self.centres.push(Centre {
                number: fields.get(1)?.parse().ok()?,
                arity: fields.get(2)?.parse().ok(),
                name: field(fields.get(3)?),
                accumulated: numbers(4)?.try_into().ok()?,
            }),
            "edge" => {
                let (from, to) = (fields.get(1)?.parse().ok()?, fields.get(2)?.parse().ok()?);
                self.edges.push(edge(from, to, &numbers(3)?)?);
            }
            "look" => self.looks.push(Look {
                total: numbers(1)?.try_into().ok()?,
                centres: Vec::new(),
            }),
            "at" => {
                let to = fields.get(1)?.parse().ok()?;
                let centres = &mut self.looks.last_mut()?.centres;
                centres.push(edge(0, to, &numbers(2)?)?);
            }
            "node" => self.nodes.push(PathNode {
                parent: fields.get(2)?.parse().ok()?,
                centre: fields.get(3)?.parse().ok()?,
                used: numbers(4)?.try_into().ok()?,
            }),
            "end" => self.complete = true,
            _ => {}
        }
        Some(())
    }
}

fn edge(from: usize, to: usize, numbers: &[u64]) -> Option<EngineEdge> {
    let mut pairs = numbers.as_chunks::<8>().0.iter().copied();
    Some(EngineEdge {
        from,
        to,
        counts: pairs.next()?,
        used: pairs.collect::<Vec<_>>().try_into().ok()?,
    })
}

fn amounts(fields: &[&str]) -> Vec<u64> {
    fields.iter().map(|f| f.parse().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_what_they_were() {
        assert_eq!(field("a%9%b%37%c"), "a\tb%c");
        assert_eq!(quoted("it's\n\\"), "'it\\'s\\xa\\\\\\'");
    }

    #[test]
    fn an_answer_without_an_end_is_none() {
        let text = "solution\nbinding\tX\tf(a)\nelapsed\t5\nresult\tsuccess\n";
        assert!(Reader::default().read(text).unwrap().is_none());
        let whole = Reader::default().read(&format!("{text}end\n")).unwrap();
        let whole = whole.unwrap();
        assert_eq!(whole.ended, GoalOutcome::Success);
        assert_eq!(whole.solutions, [[("X".to_owned(), "f(a)".to_owned())]]);
        let wrong = Reader::default().read("malformed\tsyntax\n");
        assert!(matches!(wrong, Err(Unprofiled::Malformed(_))));
    }
}
