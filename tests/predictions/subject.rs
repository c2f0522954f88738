//! Programs whose calls are run on the embedded machine and predicted from such runs, in this process.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use costlens_analysis::call_modes::Modes;
use costlens_analysis::report::PatternReport;
use costlens_engines::thread_time;
use costlens_history::predict::{Prediction, ProgramKnowledge, With, predict};
use costlens_history::{
    Annotations, Blocks, InputName, Inputs, PastRun, Program, RunBlock, Runs, inputs_of, shape,
};
use costlens_ide::host::{File, Host};
use costlens_machine::{Answer, Limits, Machine};
use costlens_program::Functor;
use costlens_syntax::term::{TermId, Terms};
use costlens_syntax::{FileTerms, read_text};

/// A program.
pub(crate) struct Subject {
    host: Host,
    file: File,
    /// The machine that counts, and the same without counters.
    machine: Machine,
    plain: Machine,
    terms: FileTerms,
    program: Program,
    /// The modes of the calls that a call leads to, by its pattern.
    modes: RefCell<BTreeMap<String, Rc<Modes>>>,
    blocks: Vec<costlens_machine::Block>,
}

/// A run of a call: its inputs and its counts.
pub(crate) struct Counted {
    pub(crate) inputs: Inputs,
    pub(crate) past: PastRun,
    pub(crate) steps: f64,
}

/// The method of prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum How {
    /// Neighbours in all inputs, of a width or the best one: hybrid prediction §IV.
    Plain(Option<f64>),
    /// Neighbours in the inputs that annotations name: hybrid prediction §V.
    Annotated(Option<f64>),
    /// Neighbours in the inputs that inference finds.
    Inferred(Option<f64>),
    /// All of these methods.
    Full,
}

/// Random numbers, the same each time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % most
    }

    /// Returns a number between two, both included.
    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// Returns a list of numbers below another.
    pub(crate) fn list(&mut self, length: u64, most: u64) -> String {
        let all: Vec<String> = (0..length).map(|_| self.below(most).to_string()).collect();
        format!("[{}]", all.join(","))
    }
}

impl Subject {
    /// Loads the program of a file in `programs`.
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/predictions/programs");
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let mut host = Host::unedited();
        let file = host.open_at(name, &format!("/{name}"), &text);
        let mut machine = Machine::counting(Limits::default());
        assert_eq!(machine.load(&text), []);
        let mut plain = Machine::new(Limits::default());
        assert_eq!(plain.load(&text), []);
        let terms = read_text(&text);
        let program = Program::new(&[&terms], &[(0, 0..terms.clauses.len())]);
        Subject {
            blocks: machine.blocks(),
            modes: RefCell::default(),
            host,
            file,
            machine,
            plain,
            terms,
            program,
        }
    }

    /// Runs a goal to its first solution or its failure.
    pub(crate) fn run(&self, goal: &str) -> Counted {
        let mut machine = self.machine.fork();
        let (cell, terms, root) = read(&mut machine, goal);
        machine.forget_counts();
        let ns = timed(&mut machine, cell, goal);
        let inputs = inputs_of(&terms, root);
        #[allow(clippy::cast_precision_loss)]
        let steps = machine.steps() as f64;
        Counted {
            past: PastRun {
                at: 0,
                platform: "embedded".to_owned(),
                ns,
                inputs: inputs.clone(),
                // The goal's own variables come after the code.
                counts: { machine.block_counts().into_iter() }
                    .take(self.blocks.len())
                    .map(|c| (c.reached, c.failed))
                    .collect(),
                amounts: machine.amounts(),
            },
            inputs,
            steps,
        }
    }

    /// Returns the nanoseconds of a goal on the machine without counters.
    pub(crate) fn uncounted(&self, goal: &str) -> u64 {
        let mut machine = self.plain.fork();
        let (cell, ..) = read(&mut machine, goal);
        timed(&mut machine, cell, goal)
    }

    /// Returns the runs of goals.
    pub(crate) fn runs(&self, goals: &[String]) -> Runs {
        let runs: Vec<PastRun> = goals.iter().map(|goal| self.run(goal).past).collect();
        self.past(&runs)
    }

    /// Returns runs as if read from a file: with the blocks that any of them has reached.
    pub(crate) fn past(&self, runs: &[PastRun]) -> Runs {
        let reached: Vec<usize> = (0..self.blocks.len())
            .filter(|&b| runs.iter().any(|run| run.counts[b].0 > 0))
            .collect();
        let block = |&b: &usize| RunBlock {
            name: self.blocks[b].name.clone(),
            events: self.blocks[b].events.clone(),
            fails: self.blocks[b].fails.clone(),
        };
        Runs {
            blocks: reached.iter().map(block).collect(),
            runs: { runs.iter() }
                .map(|run| PastRun {
                    counts: reached.iter().map(|&b| run.counts[b]).collect(),
                    ..run.clone()
                })
                .collect(),
        }
    }

    /// Returns the number of times that a block was reached in a run.
    pub(crate) fn reached(&self, counted: &Counted, name: &str) -> f64 {
        let at = self.blocks.iter().position(|b| b.name == name).unwrap();
        #[allow(clippy::cast_precision_loss)]
        let count = counted.past.counts[at].0 as f64;
        count
    }

    /// Returns the arguments, from 1, that each block reached by runs is inferred to depend on in a call. The value is `None` if it depends
    /// on more than arguments.
    pub(crate) fn inferred(&self, runs: &Runs, goal: &str) -> Vec<(String, Option<Vec<usize>>)> {
        let (_, terms, root) = read(&mut self.machine.fork(), goal);
        let modes = self.modes((&terms, root));
        let blocks = Blocks::new(
            self.blocks.clone(),
            runs,
            &self.program,
            &terms,
            root,
            &modes,
            Annotations::read(&[&self.terms], &Functor::from_term(&terms, root).unwrap()),
        );
        let arity = terms.args(root).len();
        let of = |block: &RunBlock| {
            let set = blocks.depends(&block.name).map(|(set, _)| set);
            let own = set.filter(|set| set.is_closed());
            let own = own.map(|set| (0..arity).filter(|&j| set.has(j)).map(|j| j + 1).collect());
            (block.name.to_string(), own)
        };
        runs.blocks.iter().map(of).collect()
    }

    /// Returns the terms of the bounds of a call.
    pub(crate) fn shapes(&self, goal: &str) -> Vec<String> {
        let (_, terms, root) = read(&mut self.machine.fork(), goal);
        let pattern = self.pattern((&terms, root));
        let found = pattern.as_ref().map(shape).unwrap_or_default();
        found.into_iter().map(|term| term.text).collect()
    }

    fn pattern(&self, (terms, root): (&Terms, TermId)) -> Option<PatternReport> {
        let snapshot = self.host.snapshot();
        snapshot.fitting_pattern(self.file, terms, root).unwrap()
    }

    fn modes(&self, (terms, root): (&Terms, TermId)) -> Rc<Modes> {
        let pattern = self.pattern((terms, root)).map(|report| report.pattern);
        let key = format!("{} {pattern:?}", Functor::from_term(terms, root).unwrap());
        let infer = || {
            let named = self.program.named();
            let snapshot = self.host.snapshot();
            Rc::new(snapshot.modes(self.file, terms, root, &named).unwrap())
        };
        Rc::clone(self.modes.borrow_mut().entry(key).or_insert_with(infer))
    }

    /// Predicts a goal from runs, except for its time.
    pub(crate) fn predict(&self, runs: &Runs, goal: &str, how: How) -> Prediction {
        self.predict_with(runs, goal, how, false)
    }

    /// Predicts a goal from runs, and its time.
    pub(crate) fn predict_time(&self, runs: &Runs, goal: &str, how: How) -> Prediction {
        self.predict_with(runs, goal, how, true)
    }

    fn predict_with(&self, runs: &Runs, goal: &str, how: How, timed: bool) -> Prediction {
        let (_, terms, root) = read(&mut self.machine.fork(), goal);
        let inputs = inputs_of(&terms, root);
        let predicate = Functor::from_term(&terms, root).unwrap();
        let annotations = match how {
            How::Annotated(_) => {
                let folder =
                    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/predictions/programs");
                let said =
                    read_text(&std::fs::read_to_string(folder.join("annotated.pl")).unwrap());
                let found = Annotations::read(&[&said], &predicate);
                assert_eq!(found.malformed, Vec::<String>::new());
                found
            }
            _ => Annotations::read(&[&self.terms], &predicate),
        };
        let pattern = self.pattern((&terms, root));
        let modes = self.modes((&terms, root));
        let blocks = Blocks::new(
            self.blocks.clone(),
            runs,
            &self.program,
            &terms,
            root,
            &modes,
            annotations,
        );
        let knowledge = ProgramKnowledge {
            depends: &|block| match how {
                How::Plain(_) => None,
                _ => blocks.depends(block),
            },
            allows: &|input: &InputName| blocks.allows(input),
            sizes: blocks.sizes(pattern.as_ref()),
            shapes: pattern.as_ref().map(shape).unwrap_or_default(),
            timed,
            with: match how {
                How::Full => With::All,
                How::Plain(width) | How::Annotated(width) | How::Inferred(width) => {
                    With::Neighbours(width)
                }
            },
        };
        predict(runs, &inputs, &knowledge).unwrap()
    }

    /// Returns the mean relative error of the counts of blocks of new calls (hybrid prediction §IV.A), except for blocks that the calls do not reach.
    pub(crate) fn error(
        &self,
        runs: &Runs,
        goals: &[String],
        counted: &[Counted],
        how: How,
    ) -> f64 {
        let (mut sum, mut blocks) = (0.0, 0.0);
        for (goal, counted) in goals.iter().zip(counted) {
            for block in self.predict(runs, goal, how).blocks {
                let count = self.reached(counted, &block.name);
                if count > 0.0 {
                    sum += (block.reached - count).abs() / count;
                    blocks += 1.0;
                }
            }
        }
        sum / blocks
    }
}

/// Reads a goal; returns its cell and its term.
fn read(machine: &mut Machine, goal: &str) -> (costlens_machine::Cell, Terms, TermId) {
    let (cell, _) = machine.read_goal(goal).unwrap();
    let mut terms = Terms::default();
    let root = (machine.store).write_out(cell, &mut terms, &mut Vec::new());
    (cell, terms, root.unwrap())
}

/// Runs a goal to its first answer; returns nanoseconds of CPU time, which exclude other work on the machine.
fn timed(machine: &mut Machine, cell: costlens_machine::Cell, goal: &str) -> u64 {
    machine.start(cell);
    let begun = thread_time();
    let answer = machine.next_answer();
    let ns = u64::try_from((thread_time() - begun).as_nanos()).unwrap();
    assert!(
        matches!(answer, Answer::Yes { .. } | Answer::No),
        "{goal}: {answer:?}"
    );
    ns
}
