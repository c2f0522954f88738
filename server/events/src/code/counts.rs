//! What running a clause counts in instructions of the machine: every instruction, its successes and failures apart.
//!
//! Of clauses whose code is one straight run: without control constructs, each instruction is reached once for each success of
//! what stands before it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::SmolStr;

use super::instruction::Instruction;
use super::shape::{ClauseCode, Key, Part};
use crate::{Counts, Event};

/// What is known of how something ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeds.
    Succeeds,
    /// It is not known.
    Either,
    /// It fails.
    Fails,
}

/// A clause whose instructions are counted.
#[derive(Clone, Debug)]
pub struct CountedClause {
    code: ClauseCode,
    /// Instructions before the head.
    entry: Range<usize>,
    /// The instructions of each literal.
    goals: BTreeMap<TermId, Range<usize>>,
    /// The instructions behind the last literal.
    leave: Range<usize>,
    /// Whether no variable occurs twice in the head, so that arguments fail each for itself.
    is_linear: bool,
    /// Whether a first argument fails only where the index does not find the clause.
    is_flat: bool,
}

impl CountedClause {
    /// None if the code is no straight run, or a goal stands twice in the arena's terms.
    #[must_use]
    pub fn new(code: ClauseCode, terms: &Terms, head: TermId) -> Option<Self> {
        let branches = |i: &Instruction| {
            matches!(
                i,
                Instruction::TryElse(_)
                    | Instruction::RetryElse(_)
                    | Instruction::TrustElse
                    | Instruction::Jump(_)
                    | Instruction::GetChoice(_)
                    | Instruction::SoftCut(_)
                    | Instruction::Test(_, Some(_))
            )
        };
        if code.instructions.iter().any(branches) {
            return None;
        }
        let count = code.instructions.len();
        let heads = code.arguments.iter().filter(|a| !a.is_empty());
        let first = heads.clone().map(|a| a.start).min();
        let body = heads.map(|a| a.end).max();
        let is_literal = |p: &Part| matches!(p, Part::Literal(_));
        // Without instructions in the head, what stands first belongs to the first literal.
        let entry = 0..first.unwrap_or(0);
        let body = body.unwrap_or(0);
        let end = code
            .parts
            .iter()
            .rposition(is_literal)
            .map_or(body, |i| i + 1);
        let mut goals = BTreeMap::new();
        let mut start = body;
        while start < end {
            // Control in front of a literal (`allocate`) belongs to it.
            let at = (start..end).find(|&i| is_literal(&code.parts[i]))?;
            let Part::Literal(number) = code.parts[at] else {
                return None;
            };
            let goal = (*code.goals.get(number as usize)?)?;
            let same = |i: &usize| match code.parts[*i] {
                Part::Literal(n) => n == number,
                // `allocate` in the middle of a call.
                Part::Control => true,
                Part::Head => false,
            };
            let mut next = (at..end).find(|i| !same(i)).unwrap_or(end);
            // Control behind the last instruction of a literal is in front of the next one.
            while next > at && !is_literal(&code.parts[next - 1]) {
                next -= 1;
            }
            if goals.insert(goal, start..next).is_some() {
                return None;
            }
            start = next;
        }
        let mut seen = BTreeSet::new();
        let is_linear = terms
            .subterms(head)
            .into_iter()
            .all(|t| !matches!(terms.get(t), Term::Var(v) if !seen.insert(*v)));
        let is_flat = terms.args(head).first().is_none_or(|&a| {
            let mut own = BTreeSet::new();
            terms
                .args(a)
                .iter()
                .all(|&t| matches!(terms.get(t), Term::Var(v) if own.insert(*v)))
        });
        Some(CountedClause {
            entry,
            goals,
            leave: end..count,
            is_linear,
            is_flat,
            code,
        })
    }

    /// What the first argument asks of a call.
    #[must_use]
    pub fn key(&self) -> &Key {
        &self.code.key
    }

    /// Whether unifying the first argument fails only where the index does not find the clause.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.is_flat
    }

    /// Whether a goal of the clause is a call; none if it has no code here.
    #[must_use]
    pub fn calls(&self, goal: TermId) -> Option<bool> {
        let range = self.goals.get(&goal)?.clone();
        let last = self.code.instructions[range].last()?;
        Some(matches!(
            last,
            Instruction::Call(..) | Instruction::Execute(_)
        ))
    }

    /// The head, up to the argument that fails if one does. Arguments without an outcome may do either.
    #[must_use]
    pub fn head(&self, outcomes: &[Outcome]) -> Counts {
        let of = |i: usize| outcomes.get(i).copied().unwrap_or(Outcome::Either);
        let arguments = self.code.arguments.len();
        let sure = (0..arguments).all(|i| of(i) == Outcome::Succeeds);
        let mut parts = vec![(self.entry.clone(), Outcome::Succeeds)];
        for (i, range) in self.code.arguments.iter().enumerate() {
            let outcome = match of(i) {
                // Which argument finds that a variable has two values is another matter than which one has it.
                _ if !self.is_linear && !sure => Outcome::Either,
                outcome => outcome,
            };
            parts.push((range.clone(), outcome));
        }
        self.count(&parts)
    }

    /// A literal: preparing its arguments and calling it, or running it in place.
    #[must_use]
    pub fn literal(&self, goal: TermId, outcome: Outcome) -> Counts {
        match self.goals.get(&goal) {
            Some(range) => self.count(&[(range.clone(), outcome)]),
            None => Counts::default(),
        }
    }

    /// The return from the clause.
    #[must_use]
    pub fn leave(&self) -> Counts {
        self.count(&[(self.leave.clone(), Outcome::Succeeds)])
    }

    /// Instructions that run one after the other, up to the one that fails.
    fn count(&self, parts: &[(Range<usize>, Outcome)]) -> Counts {
        // The instructions that may fail and the ones before, in order.
        let mut run: Vec<(SmolStr, bool)> = Vec::new();
        let mut fails = false;
        for (range, outcome) in parts {
            for instruction in &self.code.instructions[range.clone()] {
                let may = instruction.may_fail() && *outcome != Outcome::Succeeds;
                run.push((instruction.name(), may));
                if matches!(instruction, Instruction::Fail) {
                    // Nothing comes behind it.
                    fails = true;
                    break;
                }
            }
            fails |= *outcome == Outcome::Fails;
            if fails {
                break;
            }
        }
        let points: Vec<usize> = (0..run.len()).filter(|&i| run[i].1).collect();
        // A part that fails without an instruction that may: something else is wrong with it, and all of it may run.
        let fails = fails && !points.is_empty();
        let mut counts = Counts::default();
        let surely = points.first().copied().unwrap_or(run.len());
        let perhaps = match (fails, points.last()) {
            (true, Some(&last)) => last,
            _ => run.len(),
        };
        for (i, (name, _)) in run.iter().enumerate().take(perhaps) {
            add(&mut counts, name, false, u64::from(i < surely));
        }
        let names: BTreeSet<&SmolStr> = points.iter().map(|&i| &run[i].0).collect();
        for name in &names {
            let surely = fails && names.len() == 1;
            add(&mut counts, name, true, u64::from(surely));
        }
        counts
    }
}

/// Counts an instruction at most once, and at least so often.
fn add(counts: &mut Counts, name: &SmolStr, fails: bool, least: u64) {
    counts.add_between(Event::Machine(name.clone(), fails), least, 1);
    if name == "allocate" {
        counts.add_between(Event::Machine("environments".into(), false), least, 1);
    }
}

/// Names of instructions that may fail.
const FAILING: [&str; 40] = [
    "arith_equal",
    "arith_greater",
    "arith_greater_equal",
    "arith_less",
    "arith_less_equal",
    "arith_unequal",
    "fail",
    "get_constant_atom",
    "get_constant_int",
    "get_constant_value",
    "get_list",
    "get_nil",
    "get_structure",
    "get_value",
    "not_unifiable",
    "term_equal",
    "term_greater",
    "term_greater_equal",
    "term_less",
    "term_less_equal",
    "term_unequal",
    "test_atom",
    "test_atomic",
    "test_callable",
    "test_compound",
    "test_float",
    "test_ground",
    "test_integer",
    "test_is_list",
    "test_nonvar",
    "test_number",
    "test_rational",
    "test_string",
    "test_var",
    "unify_constant_atom",
    "unify_constant_int",
    "unify_constant_value",
    "unify_list",
    "unify_nil",
    "unify_structure",
];

/// The other names, and `unify_value`, which may fail as well.
const OTHERS: [&str; 58] = [
    "allocate",
    "arith_abs",
    "arith_add",
    "arith_and",
    "arith_div",
    "arith_divide",
    "arith_eval",
    "arith_floor_div",
    "arith_gcd",
    "arith_int_power",
    "arith_max",
    "arith_min",
    "arith_mod",
    "arith_mul",
    "arith_neg",
    "arith_not",
    "arith_or",
    "arith_plus",
    "arith_power",
    "arith_rem",
    "arith_shift_left",
    "arith_shift_right",
    "arith_sign",
    "arith_sub",
    "arith_xor",
    "call",
    "choice_points",
    "cut",
    "deallocate",
    "environments",
    "execute",
    "get_level",
    "get_variable",
    "neck_cut",
    "proceed",
    "put_constant_atom",
    "put_constant_int",
    "put_constant_value",
    "put_list",
    "put_nil",
    "put_structure",
    "put_value",
    "put_variable",
    "retry",
    "set_constant_atom",
    "set_constant_int",
    "set_constant_value",
    "set_list",
    "set_nil",
    "set_structure",
    "set_value",
    "set_variable",
    "set_void",
    "switch_on_term",
    "trust",
    "try",
    "unify_variable",
    "unify_void",
];

/// Whether an instruction (or what is counted with them: `environments`, `choice_points`) is called so, and may fail where it is
/// said to.
#[must_use]
pub fn is_counted(name: &str, fails: bool) -> bool {
    let is_function = || {
        let of = name.strip_prefix("arith(")?.strip_suffix(')')?;
        let (function, arity) = of.rsplit_once('/')?;
        (!function.is_empty() && arity.parse::<usize>().is_ok()).then_some(())
    };
    name == "unify_value"
        || FAILING.contains(&name)
        || !fails && (OTHERS.contains(&name) || is_function().is_some())
}

/// The names of [`is_counted`], and whether what is called so may fail; arithmetic functions without a name of their own are
/// `arith(f/n)`.
pub fn counted_names() -> impl Iterator<Item = (&'static str, bool)> {
    let failing = FAILING.into_iter().chain(["unify_value"]);
    let failing = failing.map(|name| (name, true));
    failing.chain(OTHERS.into_iter().map(|name| (name, false)))
}

/// How clauses are chosen: what a clause that is tried counts before its head (`try`, `retry`, `trust`), and the call itself
/// (`switch_on_term`).
///
/// For each clause, whether the index finds it: it does, it does not, or that is not known.
#[derive(Clone, Debug)]
pub struct Chosen {
    found: Vec<Outcome>,
    switches: bool,
}

impl Chosen {
    /// Of a predicate whose clauses have these keys.
    #[must_use]
    pub fn new(found: Vec<Outcome>, switches: bool) -> Self {
        Chosen { found, switches }
    }

    /// Whether a clause is tried.
    #[must_use]
    pub fn found(&self, index: usize) -> Outcome {
        self.found.get(index).copied().unwrap_or(Outcome::Either)
    }

    /// What a call counts before any clause: `switch_on_term`, also where it finds none.
    #[must_use]
    pub fn call(&self) -> Counts {
        let mut counts = Counts::default();
        if self.switches {
            add(
                &mut counts,
                &SmolStr::new_static("switch_on_term"),
                false,
                1,
            );
        }
        counts
    }

    /// What a clause that is tried counts before its head.
    #[must_use]
    pub fn clause(&self, index: usize) -> Counts {
        let others = |range: &[Outcome]| {
            let sure = range.contains(&Outcome::Succeeds);
            let perhaps = range.iter().any(|&f| f != Outcome::Fails);
            (sure, perhaps)
        };
        let (before_sure, before) = others(&self.found[..index.min(self.found.len())]);
        let (after_sure, after) = others(self.found.get(index + 1..).unwrap_or_default());
        let own = self.found(index) == Outcome::Succeeds;
        let mut counts = Counts::default();
        // Each holds for certain, or perhaps.
        for (name, perhaps, sure) in [
            ("try", !before_sure && after, !before && after_sure),
            ("retry", before && after, before_sure && after_sure),
            ("trust", before && !after_sure, before_sure && !after),
        ] {
            if perhaps {
                let least = u64::from(own && sure);
                add(&mut counts, &name.into(), false, least);
                if name == "try" {
                    counts.add_between(Event::Machine("choice_points".into(), false), least, 1);
                }
            }
        }
        counts
    }
}

/// The counts of something that may not happen.
#[must_use]
pub fn perhaps(counts: &Counts) -> Counts {
    let mut all = Counts::default();
    for event in counts.events() {
        all.add_between(event.clone(), 0, counts.of(event).most);
    }
    all
}
