//! The property on instructions: a run counts those of PPDP'08's machine clause by clause, and lower <= counted <= upper holds for each of
//! them, success and failure apart.
//!
//! The code of clauses is the compiler's own. The run determines when an instruction runs, how often, and whether it fails: all clauses are
//! tried in order, each up to the argument or goal that fails.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::rc::Rc;

use costlens_catalog::{counts_nothing, meta_arguments};
use costlens_compile::ppdp08::{self, Callee, ChainPosition, Code, Operation};
use costlens_events::Event;
use costlens_events::ppdp08::Instruction;
use costlens_syntax::TermId;
use serde_json::Value;

use crate::bounds::{self, Claim};
use crate::conditions::without_conditions;
use crate::generate::{Generator, Vocabulary};
use crate::machine::{Machine, Stop};
use crate::program::{Clause, Program};
use crate::property::{self, Report};

/// The counts of a run.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    counts: BTreeMap<Event, u64>,
    /// The code with its clause, which keeps the clause's address valid.
    codes: HashMap<*const Clause, (Rc<Clause>, Rc<Code>)>,
    /// The last instruction of the current goal.
    pub(crate) pending: Option<Operation>,
    /// An instruction that is counted that many times instead of once, to test that the comparison detects it.
    tampered: Option<(Instruction, u64)>,
}

impl Counter {
    /// Returns the code of the `index`-th of that many clauses. Its control constructs are separate predicates ([`without_conditions`]).
    pub(crate) fn code(
        &mut self,
        programs: [&Program; 2],
        clause: &Rc<Clause>,
        (index, count): (usize, usize),
    ) -> Result<Rc<Code>, Stop> {
        if let Some((_, code)) = self.codes.get(&Rc::as_ptr(clause)) {
            return Ok(Rc::clone(code));
        }
        let callee = |name: &str, arity: usize| {
            let key = (name.into(), arity);
            if counts_nothing(name, arity) {
                Callee::BuiltIn
            } else if !meta_arguments(name, arity).is_empty() {
                Callee::Meta
            } else if programs.iter().any(|p| p.predicates.contains_key(&key)) {
                Callee::Program
            } else {
                Callee::BuiltIn
            }
        };
        let goals = clause.goals_and_tests();
        let position = ChainPosition::new(index, count);
        let code = ppdp08::compile(&clause.terms, clause.head, &goals, position, &callee)
            .map_err(|unsupported| Stop::Unsupported(unsupported.to_string()))?;
        let code = Rc::new(code);
        let kept = (Rc::clone(clause), Rc::clone(&code));
        self.codes.insert(Rc::as_ptr(clause), kept);
        Ok(code)
    }

    pub(crate) fn count(&mut self, operations: &[Operation]) {
        for operation in operations {
            self.ended(operation, true);
        }
    }

    /// Counts an instruction that may fail, and whether it did.
    pub(crate) fn ended(&mut self, operation: &Operation, succeeded: bool) {
        let event = Event::Ppdp08(operation.instruction.clone(), !succeeded);
        let times = match &self.tampered {
            Some((instruction, times)) if *instruction == operation.instruction => *times,
            _ => 1,
        };
        *self.counts.entry(event).or_default() += times;
    }

    /// Counts the end of the current goal.
    pub(crate) fn goal_ended(&mut self, succeeded: bool) {
        if let Some(operation) = self.pending.take() {
            self.ended(&operation, succeeded);
        }
    }
}

/// Returns the instructions before a goal of a clause, and the one that may fail in it.
pub(crate) fn part(code: &Code, goal: TermId) -> (Vec<Operation>, Option<Operation>) {
    let part = code.goals.get(&goal).cloned().unwrap_or_default();
    (part.before, part.last)
}

/// Returns the events whose bounds are compared.
fn events() -> Vec<Event> {
    use Instruction::{
        Allocate, Call, Cut, Deallocate, Execute, GetConstantAtom, GetConstantInt, GetLevel,
        GetList, GetStruct, GetValue, GetVariable, Proceed, PutAConstantAtom, PutConstantInt,
        PutValue, RetryMeElse, SetConstantAtom, SetVariable, TrustMe, TryMeElse, UnifyVariable,
    };
    let compare = |name: &str| Instruction::parse(name).unwrap();
    let all = [
        Allocate,
        Deallocate,
        TryMeElse,
        RetryMeElse,
        TrustMe,
        Call,
        Execute,
        Proceed,
        GetLevel,
        Cut,
        GetVariable,
        GetValue,
        GetConstantAtom,
        GetConstantInt,
        GetList,
        GetStruct,
        UnifyVariable,
        SetVariable,
        SetConstantAtom,
        PutConstantInt,
        PutAConstantAtom,
        PutValue,
        compare("arith_add"),
        compare("arith_sub"),
        compare("less"),
        compare("greater"),
        compare("less_or_equal"),
        compare("unequal"),
        compare("equal"),
    ];
    let failing = [
        GetValue,
        GetConstantAtom,
        GetConstantInt,
        UnifyVariable,
        compare("less"),
        compare("greater"),
        compare("less_or_equal"),
        compare("unequal"),
        compare("equal"),
    ];
    let succeeded = all.into_iter().map(|i| Event::Ppdp08(i, false));
    succeeded
        .chain(failing.into_iter().map(|i| Event::Ppdp08(i, true)))
        .collect()
}

/// Checks the first pattern of every predicate in a file.
pub(crate) fn check_file(
    file: &Path,
    library: &Rc<Program>,
    per_pattern: usize,
    tampered: Option<(Instruction, u64)>,
) -> Result<Report, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let written = Program::read(&text);
    let vocabulary = Vocabulary::collect(&written);
    let program = Rc::new(without_conditions(&written));
    let library = &Rc::new(without_conditions(library));
    let events = events();
    let names: Vec<String> = events.iter().map(ToString::to_string).collect();
    let claims = {
        let plain = ["bounds", "--format", "json"].map(std::ffi::OsStr::new);
        let json = property::costlens(&[&plain[..], &[file.as_os_str()]].concat())?;
        let json: Value = serde_json::from_str(&json).map_err(|e| format!("not JSON: {e}"))?;
        bounds::claims(&json)?
    };
    let mut report = Report::default();
    let mut cases = Vec::new();
    for claim in claims.iter().filter(|c| c.pattern == 0) {
        let key = (claim.name.as_str().into(), claim.arity);
        let types = claim.input_types(&vocabulary.types);
        let (true, Some(types)) = (program.predicates.contains_key(&key), types) else {
            report
                .skipped
                .push(format!("{}/{}", claim.name, claim.arity));
            continue;
        };
        report.patterns += 1;
        for seed in 0..per_pattern as u64 {
            let generator = Generator::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d), &vocabulary);
            let goal = generator.goal(&claim.name, &types);
            let query = claim.query(&property::sizes(claim, &goal));
            cases.push((claim, goal, query));
        }
    }
    let queries = cases.iter().map(|(_, _, query)| query.as_str());
    let answers = property::at_sizes(file, queries, &names)?;
    for (claim, goal, query) in &cases {
        let at = &answers[query];
        let mut machine = Machine::new(&program, library, property::LIMITS);
        machine.counter = Some(Counter {
            tampered: tampered.clone(),
            ..Counter::default()
        });
        let found = violations(claim, at, machine, goal, &events, &mut report);
        if !found.is_empty() && report.violations.len() < 12 {
            report.violations.push(format!(
                "{}: {}/{}, goal {}\n    {}\n    sizes {query}",
                file.display(),
                claim.name,
                claim.arity,
                property::goal_text(goal),
                found.join("\n    "),
            ));
        }
    }
    Ok(report)
}

/// Runs a goal and compares its counts.
fn violations(
    claim: &Claim,
    at: &Value,
    mut machine: Machine,
    goal: &crate::heap::Record,
    events: &[Event],
    report: &mut Report,
) -> Vec<String> {
    let goal = machine.heap.restore(goal);
    let run = machine.count(goal, |_| {});
    let all = machine.counter.take().unwrap_or_default().counts;
    let first = std::mem::take(&mut machine.first_instructions);
    report.inputs += 1;
    let mut found = Vec::new();
    for event in events {
        let name = event.to_string();
        let bounds = &at[&name];
        let of = |counts: &BTreeMap<Event, u64>| counts.get(event).copied().unwrap_or(0);
        let (in_first, in_all) = (of(&first), of(&all));
        report.bounded += usize::from(bounds["all"]["upper"].is_number());
        claim.check(
            &bounds["first"],
            &format!("{name} first"),
            &run.first,
            in_first,
            &mut found,
        );
        claim.check(
            &bounds["all"],
            &format!("{name} all"),
            &run.all,
            in_all,
            &mut found,
        );
    }
    found
}

/// Checks that a wrong count is detected: one instruction dropped from the counts, and one counted twice.
pub(crate) fn wrong_counts_are_noticed() -> Result<(), String> {
    let file = property::root().join("tests/papers/ppdp08/palindro.pl");
    let library = property::library();
    let of = |tampered| check_file(&file, &library, 5, tampered);
    if !of(None)?.violations.is_empty() {
        return Err("the program itself has violations".into());
    }
    for instruction in [Instruction::SetVariable, Instruction::GetConstantAtom] {
        for times in [0, 2] {
            if of(Some((instruction.clone(), times)))?
                .violations
                .is_empty()
            {
                return Err(format!(
                    "{instruction} counted {times} times is not noticed"
                ));
            }
        }
    }
    Ok(())
}

impl Machine {
    /// Returns the counts so far.
    pub(crate) fn instructions_so_far(&self) -> BTreeMap<Event, u64> {
        self.counter
            .as_ref()
            .map(|c| c.counts.clone())
            .unwrap_or_default()
    }
}
