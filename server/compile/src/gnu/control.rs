//! Control constructs: a disjunction is a call of a separate predicate with a clause for each alternative.

use std::collections::BTreeSet;

use costlens_body::{Arrow, Comparison, Goal, TypeTest, conjuncts, semicolon};
use costlens_events::gnu::{Function, FunctionUse};
use costlens_syntax::term::{Term, TermId, Terms};

use super::refusal::Refusal;
use super::source::{
    Argument, Clause, CompiledPredicate, GoalStep, StepKind, Variable, caller, takes_caller,
};
use super::term::is_cons;
use crate::occurrences::Occurrences;

/// The maximum nesting depth of control constructs.
const DEEPEST: usize = 200;

/// Returns the clause, and the predicates that implement the clause's disjunctions.
pub(super) fn flat(
    terms: &Terms,
    head: TermId,
    body: Option<TermId>,
) -> Result<Vec<CompiledPredicate>, Refusal> {
    let mut flattener = Flattener {
        terms,
        variables: terms.variables(),
        made: Vec::new(),
    };
    let arguments: Vec<Argument> = (terms.args(head).iter())
        .map(|&t| Argument::Term(t))
        .collect();
    let choice = flattener.variable();
    let mut around = ClauseDraft {
        occurrences: Occurrences::count(terms, terms.args(head).iter().copied().chain(body)),
        cut: choice,
        is_qualified: false,
        cuts: false,
        steps: Vec::new(),
    };
    if let Some(body) = body {
        flattener.goal(body, &mut around, 0)?;
    }
    let own = CompiledPredicate {
        arity: arguments.len(),
        choice: around.cuts.then_some(choice),
        clauses: vec![Clause {
            head: arguments,
            steps: around.steps,
        }],
    };
    let mut all = vec![own];
    all.append(&mut flattener.made);
    Ok(all)
}

struct Flattener<'t> {
    terms: &'t Terms,
    /// The number of variables so far.
    variables: Variable,
    made: Vec<CompiledPredicate>,
}

/// A clause under construction.
struct ClauseDraft {
    /// The occurrences of the text's variables in the clause.
    occurrences: Occurrences,
    /// The choice point to which `!` cuts back.
    cut: Variable,
    /// True inside a module qualification.
    is_qualified: bool,
    /// True once the clause contains a cut to that choice point.
    cuts: bool,
    steps: Vec<GoalStep>,
}

impl ClauseDraft {
    fn push(&mut self, kind: StepKind, goal: Option<TermId>) {
        self.steps.push(GoalStep { kind, goal });
    }

    fn tells_name(&mut self, goal: TermId) {
        if !self.is_qualified {
            self.push(StepKind::TellsName, Some(goal));
        }
    }
}

impl Flattener<'_> {
    fn variable(&mut self) -> Variable {
        self.variables += 1;
        self.variables - 1
    }

    fn goal(
        &mut self,
        goal: TermId,
        around: &mut ClauseDraft,
        depth: usize,
    ) -> Result<(), Refusal> {
        if depth > DEEPEST {
            return Err(Refusal::TooDeep(goal));
        }
        let terms = self.terms;
        if is_disjunction(terms, goal) {
            return self.disjunction(goal, around, depth);
        }
        let lowered = Goal::lower(terms, goal);
        match lowered {
            Goal::NotCallable | Goal::Unreadable => return Err(Refusal::NotCallable(goal)),
            Goal::Variable(_) => {
                around.push(StepKind::Call(called(&[goal], true)), Some(goal));
            }
            Goal::True => {}
            Goal::Cut => {
                around.cuts = true;
                around.push(StepKind::Cut(around.cut), Some(goal));
            }
            Goal::Fail => around.push(StepKind::Fail, Some(goal)),
            Goal::Conjunction(..) => {
                for part in conjuncts(terms, goal) {
                    self.goal(part, around, depth + 1)?;
                }
            }
            Goal::IfThen {
                arrow,
                condition,
                then,
            } => {
                match arrow {
                    Arrow::Hard => {
                        let choice = self.variable();
                        around.push(StepKind::Choice(choice), None);
                        self.condition(condition, choice, around, depth)?;
                        around.push(StepKind::Cut(choice), None);
                    }
                    Arrow::Soft => self.locally(condition, around, depth)?,
                }
                self.goal(then, around, depth + 1)?;
            }
            // Since GNU Prolog has no modules, a qualification of a goal changes only the called name.
            Goal::Qualified {
                module,
                goal: inner,
            } if terms.as_atom(module).is_some() => self.qualified(goal, inner, around, depth)?,
            Goal::Qualified { goal: inner, .. } if is_opaque(terms, inner) => {
                return Err(Refusal::Module(goal));
            }
            Goal::Qualified { .. } => {
                around.push(StepKind::Call(called(&[goal], true)), Some(goal));
            }
            Goal::Unify(left, right) => self.equal(goal, [left, right], around)?,
            Goal::Is { result, expression } => {
                around.tells_name(goal);
                around.push(StepKind::Evaluate(result, expression), Some(goal));
            }
            Goal::Compare(comparison, left, right) => {
                around.tells_name(goal);
                let function = comparing(comparison);
                around.push(StepKind::Compare(function, [left, right]), Some(goal));
            }
            _ => {
                let args = terms.args(goal);
                let kind = match inline(terms, goal, &lowered) {
                    Some(function) => StepKind::Inline(function, args.to_vec()),
                    None => StepKind::Call(called(args, takes_caller(&lowered))),
                };
                around.push(kind, Some(goal));
            }
        }
        Ok(())
    }

    /// Compiles `Module:Inner`.
    fn qualified(
        &mut self,
        goal: TermId,
        inner: TermId,
        around: &mut ClauseDraft,
        depth: usize,
    ) -> Result<(), Refusal> {
        let before = around.steps.len();
        let was_qualified = std::mem::replace(&mut around.is_qualified, true);
        self.goal(inner, around, depth + 1)?;
        around.is_qualified = was_qualified;
        if let [step] = &mut around.steps[before..] {
            step.goal = step.goal.and(Some(goal));
        }
        Ok(())
    }

    /// Compiles a condition, in which cuts are local.
    fn condition(
        &mut self,
        condition: TermId,
        choice: Variable,
        around: &mut ClauseDraft,
        depth: usize,
    ) -> Result<(), Refusal> {
        let outer = (around.cut, around.cuts);
        around.cut = choice;
        let done = self.goal(condition, around, depth + 1);
        (around.cut, around.cuts) = outer;
        done
    }

    /// Compiles a condition if nothing else needs the choice point.
    fn locally(
        &mut self,
        condition: TermId,
        around: &mut ClauseDraft,
        depth: usize,
    ) -> Result<(), Refusal> {
        let choice = self.variable();
        if self.cuts(condition) {
            around.push(StepKind::Choice(choice), None);
        }
        self.condition(condition, choice, around, depth)
    }

    fn disjunction(
        &mut self,
        goal: TermId,
        around: &mut ClauseDraft,
        depth: usize,
    ) -> Result<(), Refusal> {
        let alternatives = self.alternatives(goal);
        match alternatives[..] {
            [] => {
                around.push(StepKind::Fail, None);
                return Ok(());
            }
            [only] => return self.goal(only, around, depth + 1),
            _ => {}
        }
        let inside = Occurrences::count(self.terms, alternatives.iter().copied());
        let mut passed: Vec<Argument> = Vec::new();
        let (mut seen, mut cuts) = (BTreeSet::new(), false);
        for part in alternatives
            .iter()
            .flat_map(|&a| self.variables_and_cuts(a))
        {
            match part {
                Some(variable) => {
                    let is_outside = around.occurrences.is_outside(variable, &inside);
                    if is_outside && seen.insert(variable) {
                        passed.push(Argument::Variable(variable));
                    }
                }
                None if cuts => {}
                None => {
                    cuts = true;
                    passed.push(Argument::Variable(around.cut));
                }
            }
        }
        around.cuts |= cuts;
        let choice = self.variable();
        let (mut clauses, mut needs_choice) = (Vec::new(), false);
        let last = alternatives.len() - 1;
        let place = self.made.len();
        for (at, &alternative) in alternatives.iter().enumerate() {
            let mut occurrences = Occurrences::count(self.terms, [alternative]);
            for &variable in &seen {
                occurrences.meet(variable, ());
            }
            let mut clause = ClauseDraft {
                occurrences,
                cut: around.cut,
                is_qualified: around.is_qualified,
                cuts: false,
                steps: Vec::new(),
            };
            needs_choice |=
                self.alternative(alternative, at == last, choice, &mut clause, depth)?;
            clauses.push(Clause {
                head: passed.clone(),
                steps: clause.steps,
            });
        }
        let made = CompiledPredicate {
            arity: passed.len(),
            choice: needs_choice.then_some(choice),
            clauses,
        };
        self.made.insert(place, made);
        around.push(StepKind::Call(passed), None);
        Ok(())
    }

    /// Builds the clause for an alternative. A condition before other alternatives cuts back to the call of the predicate. Returns whether
    /// the alternative has such a condition.
    fn alternative(
        &mut self,
        alternative: TermId,
        is_last: bool,
        choice: Variable,
        clause: &mut ClauseDraft,
        depth: usize,
    ) -> Result<bool, Refusal> {
        let (arrow, condition, then) = match Goal::lower(self.terms, alternative) {
            Goal::IfThen {
                arrow,
                condition,
                then,
            } if !is_last => (arrow, condition, then),
            _ => {
                self.goal(alternative, clause, depth + 1)?;
                return Ok(false);
            }
        };
        let own = (arrow.is_soft() || self.cuts(condition)).then(|| self.variable());
        if let Some(own) = own {
            clause.push(StepKind::Choice(own), None);
        }
        self.condition(condition, own.unwrap_or(choice), clause, depth)?;
        clause.push(
            match own {
                Some(own) if arrow.is_soft() => StepKind::SoftCut(own),
                _ => StepKind::Cut(choice),
            },
            None,
        );
        self.goal(then, clause, depth + 1)?;
        Ok(arrow == Arrow::Hard)
    }

    /// Returns the alternatives of a disjunction, omitting alternatives that are `fail`.
    fn alternatives(&self, goal: TermId) -> Vec<TermId> {
        let (mut all, mut rest) = (Vec::new(), goal);
        while let Some((left, right)) = semicolon(self.terms, rest) {
            all.push(left);
            rest = right;
        }
        all.push(rest);
        all.retain(|&a| Goal::lower(self.terms, a) != Goal::Fail);
        all
    }

    /// Returns whether a goal cuts the clause that contains it.
    fn cuts(&self, goal: TermId) -> bool {
        self.variables_and_cuts(goal).contains(&None)
    }

    /// Returns the variables of a goal, in order, with `None` for each cut that cuts the clause.
    fn variables_and_cuts(&self, goal: TermId) -> Vec<Option<u32>> {
        let (mut found, mut waiting) = (Vec::new(), vec![(goal, true)]);
        while let Some((term, is_goal)) = waiting.pop() {
            if let Term::Var(v) = self.terms.get(term) {
                found.push(Some(*v));
                continue;
            }
            // From this index onwards, the arguments are goals.
            let goals = match is_goal.then(|| Goal::lower(self.terms, term)) {
                Some(Goal::Cut) => {
                    found.push(None);
                    continue;
                }
                Some(Goal::Conjunction(..)) => 0,
                Some(Goal::IfThen { .. } | Goal::Qualified { .. }) => 1,
                Some(_) if is_disjunction(self.terms, term) => 0,
                _ => usize::MAX,
            };
            let args = self.terms.args(term).iter().enumerate().rev();
            waiting.extend(args.map(|(i, &a)| (a, i >= goals)));
        }
        found
    }

    /// Compiles a unification, which is decomposed as far as both sides are known.
    fn equal(
        &self,
        goal: TermId,
        sides: [TermId; 2],
        around: &mut ClauseDraft,
    ) -> Result<(), Refusal> {
        let terms = self.terms;
        let mut waiting = vec![sides];
        while let Some([left, right]) = waiting.pop() {
            let kind = match [left, right].map(|t| terms.get(t)) {
                [Term::Var(_), Term::Var(_)] => StepKind::Bind(left, right),
                [Term::Var(_), _] | [_, Term::Var(_)] => {
                    let (variable, other) = match terms.get(left) {
                        Term::Var(_) => (left, right),
                        _ => (right, left),
                    };
                    StepKind::Bind(variable, other)
                }
                [Term::Compound(f, _), Term::Compound(g, _)]
                    if terms.args(left).len() == terms.args(right).len()
                        && (f == g
                            || is_cons(f, terms.args(left)) && is_cons(g, terms.args(right))) =>
                {
                    let pairs = terms.args(left).iter().zip(terms.args(right));
                    waiting.extend(pairs.map(|(&l, &r)| [l, r]).rev());
                    continue;
                }
                [l, r] if l == r && !matches!(l, Term::Compound(..)) => continue,
                _ => StepKind::Clash(left, right),
            };
            around.push(kind, Some(goal));
        }
        Ok(())
    }
}

/// Returns whether the compilation of a goal with a variable module qualifier is unknown: the goal is a variable or a control construct.
fn is_opaque(terms: &Terms, goal: TermId) -> bool {
    is_disjunction(terms, goal)
        || matches!(
            Goal::lower(terms, goal),
            Goal::Variable(_)
                | Goal::NotCallable
                | Goal::Unreadable
                | Goal::Cut
                | Goal::Conjunction(..)
                | Goal::IfThen { .. }
                | Goal::Qualified { .. }
        )
}

/// Returns true for `A ; B`, with or without a condition. `A | B` is a call.
fn is_disjunction(terms: &Terms, goal: TermId) -> bool {
    semicolon(terms, goal).is_some()
}

/// Returns the function that is called inline instead of a goal.
fn inline(terms: &Terms, goal: TermId, lowered: &Goal<'_>) -> Option<Function> {
    if let Goal::Type(TypeTest::IsList, _) = lowered {
        return Some(Function::List);
    }
    let (name, arity) = terms.functor(goal)?;
    Function::replacing(name, arity, FunctionUse::Goal)
}

/// Returns the arguments of a call instruction.
fn called(arguments: &[TermId], takes_caller: bool) -> Vec<Argument> {
    let mut all: Vec<Argument> = arguments.iter().map(|&t| Argument::Term(t)).collect();
    if takes_caller {
        all.extend(caller());
    }
    all
}

/// Returns the function that compares two evaluated numbers.
fn comparing(comparison: Comparison) -> Function {
    match comparison {
        Comparison::Equal => Function::Eq,
        Comparison::NotEqual => Function::Neq,
        Comparison::Less => Function::Lt,
        Comparison::LessOrEqual => Function::Lte,
        Comparison::Greater => Function::Gt,
        Comparison::GreaterOrEqual => Function::Gte,
    }
}
