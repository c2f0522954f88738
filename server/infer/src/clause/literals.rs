//! Literals that are not control constructs: unification, arithmetic, built-ins.

use std::sync::Arc;

use super::messages::Printing;
use costlens_algebra::Expr;
use costlens_body::{Call, Goal};
use costlens_catalog::{
    Effect, Relation, find, format_argument, hooks_called, is_control_construct, is_fixed, relation,
};
use costlens_program::calls::BY_DATA;
use costlens_program::language::nonterminals::is_nonterminal;
use costlens_program::{CONSTRAINS, NOT_ENTERED, PERHAPS_ENTERED, UNDECIDED};
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use super::Runner;
use super::point::{ClauseScope, Point};
use crate::builtins;
use crate::lattice::datum::Datum;
use crate::lattice::regular::functor_key;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::lattice::weight::TermWeight;
use crate::report::{Functor, Unknown};
use crate::state::Scope;
use crate::state::arith;
use crate::state::{Binding, State, cases, remainders};
use crate::summary::RunsLater;
use crate::tree::{End, Exit, Step, Tree};
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    /// Runs a literal that is not a control construct: a test, a unification, a built-in or a call.
    pub(super) fn literal(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        lowered: Goal<'_>,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let Some((name, arity)) = terms.functor(goal) else {
            return Ok(Truth::Maybe);
        };
        let args = terms.args(goal);
        let predicate = Functor::new(name.clone(), arity);
        if let Some(truth) = self.test(&mut point.state, terms, lowered)? {
            return Ok(truth);
        }
        if let Some(truth) = self.core_literal(scope, point, goal, lowered)? {
            return Ok(truth);
        }
        let locked = is_fixed(name, arity);
        if !locked
            && (self.program.is_defined(&predicate)
                || self.program.is_trusted(&predicate)
                || self.program.is_relative(&predicate))
        {
            return self.call(scope, point, goal, predicate);
        }
        // Other events of a call that fails are not followed.
        if !locked && scope.model.counts_steps_only() && self.program.has_no_clauses(&predicate) {
            return Ok(Truth::False);
        }
        if !locked && self.program.is_dynamic(&predicate) {
            let (reason, help) = match self.program.why_dynamic(&predicate) {
                Some(why) => (why.describe(&predicate), why.help),
                None => (
                    format!("the clauses of `{predicate}` here do not tell how a call runs"),
                    "".into(),
                ),
            };
            let why = self.cause(scope, goal, (reason.clone(), help.to_string()), None);
            if let Some(truth) = self.unknown(scope, point, &predicate, &why) {
                return Ok(truth);
            }
            if self.program.constrains(&predicate) {
                self.met.note_later(RunsLater::Yes);
            }
            return Ok(self.not_known(scope, point, goal, reason, &help));
        }
        if !locked && let Some(why) = self.program.why_unreached(&predicate) {
            self.errors.set(true);
            let said = (why.reason.clone(), why.help.to_owned());
            let cause = self.cause(scope, goal, said, None);
            if let Some(truth) = self.unknown(scope, point, &predicate, &cause) {
                return Ok(truth);
            }
            return Ok(self.not_known(scope, point, goal, why.reason, why.help));
        }
        self.adds_clause(scope, point, goal);
        if let Some(truth) = self.related(scope, point, goal)? {
            return Ok(truth);
        }
        if let Some(truth) = self.value_of_dict(scope, point, goal)? {
            return Ok(truth);
        }
        if let Some((reason, help)) = self.hooked(terms, &predicate, args) {
            let said = (reason.clone(), help.to_owned());
            let cause = self.cause(scope, goal, said, None);
            if let Some(truth) = self.by_its_cost(scope, point, &predicate, &cause) {
                return Ok(truth);
            }
            return Ok(self.not_known(scope, point, goal, reason, help));
        }
        if let Some(truth) = self.formatted(scope, point, &predicate, args)? {
            return Ok(truth);
        }
        if builtins::is_shipped(name, arity)
            && let Some(truth) = self.builtin(scope, point, goal, &predicate)?
        {
            return Ok(truth);
        }
        self.errors.set(true);
        if builtins::runs_later(name, arity) {
            self.met.note_later(RunsLater::Yes);
        }
        let ((reason, help), missing) = self.why_not_analysed(scope, goal, &predicate);
        let said = (reason.clone(), help.clone());
        let cause = self.cause(scope, goal, said, missing.clone());
        let in_terms = if missing.is_some() {
            self.unknown(scope, point, &predicate, &cause)
        } else if builtins::not_analysed(name.trim_start_matches('$'), arity).is_some() {
            // `library(apply_macros)` calls its own copy of `maplist/3` under another name.
            let called = Functor::new(name.trim_start_matches('$'), arity);
            self.by_its_cost(scope, point, &called, &cause)
        } else {
            None
        };
        if let Some(truth) = in_terms {
            return Ok(truth);
        }
        self.missing(scope, point, goal, reason, help, missing);
        self.forget_all(point, terms, goal);
        Ok(Truth::True)
    }

    /// Runs a goal that is not followed in terms of its cost, where costs of callees are parameters.
    pub(super) fn by_its_cost(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        called: &Functor,
        why: &Arc<Unknown>,
    ) -> Option<Truth> {
        self.program.cost_subject(called)?;
        self.unknown(scope, point, called, why)
    }

    /// Runs a call of a predicate about which nothing is known, in terms of its cost. Only steps are counted in such terms.
    fn unknown(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        predicate: &Functor,
        why: &Arc<Unknown>,
    ) -> Option<Truth> {
        // Text that cannot be read may be the definition.
        if !scope.model.counts_steps_only()
            || why.incomplete().is_some()
            || builtins::runs_later(plain_name(&predicate.name), predicate.arity)
        {
            return None;
        }
        let (_, goal) = why.literal?;
        let callee = self.program.unknown_callee(predicate)?;
        Some(self.unknown_called(scope, point, goal, predicate, &callee, Some(why)))
    }

    /// Runs unification, arithmetic and module qualification, which programs cannot redefine. Returns `None` for any other literal.
    fn core_literal(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        lowered: Goal<'_>,
    ) -> Result<Option<Truth>, Split> {
        Ok(match lowered {
            Goal::Unify(..) | Goal::NotUnifiable(..) | Goal::Is { .. } => {
                return self.equation(point, scope.terms, lowered);
            }
            Goal::Call(Call { name, args: [] }) if name == PERHAPS_ENTERED => {
                perhaps(point);
                Some(Truth::True)
            }
            Goal::Call(Call { name, args: [] }) if name == NOT_ENTERED => {
                point.steps.clear();
                Some(Truth::True)
            }
            Goal::Call(Call { name, args: [] }) if name == UNDECIDED => Some(Truth::Maybe),
            Goal::Call(Call { name, args: [_, _] }) if name == CONSTRAINS => {
                self.met.note_later(RunsLater::Yes);
                let reason = "a constraint of `library(clpfd)` is put on what may be no integer, and wakes when variables are bound later".to_owned();
                let help = format!(
                    "Declare integers in a mode line (`%! {}`), and put the constraint after the goals that compute them.",
                    self.mode_head()
                );
                Some(self.not_known(scope, point, goal, reason, &help))
            }
            Goal::Qualified {
                module,
                goal: inner,
            } => {
                // Earlier passes rewrite module-qualified goals that can be followed.
                let reason =
                    "what another module does (`Module:Goal`) is not followed here".to_owned();
                let help = "Import the predicate (`:- use_module`) and call it without its module.";
                let called = qualified(scope.terms, &point.state, module, inner);
                let said = (reason.clone(), help.to_owned());
                let cause = self.cause(scope, goal, said, None);
                let in_terms =
                    called.and_then(|called| self.by_its_cost(scope, point, &called, &cause));
                Some(match in_terms {
                    Some(truth) => truth,
                    None => self.not_known(scope, point, goal, reason, help),
                })
            }
            _ => None,
        })
    }

    /// Runs `A = B`, `A \= B` or `X is E`. Returns `None` for any other literal.
    fn equation(
        &self,
        point: &mut Point,
        terms: &Terms,
        lowered: Goal<'_>,
    ) -> Result<Option<Truth>, Split> {
        let is_param = |e: &Expr| self.is_param(e);
        let here = self.known_here(&point.state);
        let s = Scope {
            world: &here,
            ..self.scope(terms, &is_param)
        };
        Ok(Some(match lowered {
            Goal::Unify(a, b) => point.state.unify(&s, a, b)?,
            Goal::NotUnifiable(a, b) => {
                let truth = point.state.clone().unify(&s, a, b)?.negated();
                if truth != Truth::False {
                    point.state.passes_different(&s, a, b);
                }
                truth
            }
            Goal::Is { result, expression } => {
                cases::ask(&point.state, &s, expression)?;
                remainders::ask(&point.state, &s, expression)?;
                remainders::ask_multiple(&point.state, &s, expression, result)?;
                let value = arith::evaluate(&point.state, &s, expression);
                if value.may_raise {
                    self.errors.set(true);
                }
                point.state.unify_datum(&s, &value.datum, result)?.0
            }
            _ => return Ok(None),
        }))
    }

    /// Returns the start of a mode line for the predicate whose clause is running: `len(…)`.
    pub(super) fn mode_head(&self) -> String {
        let name = &self.nodes[self.node].name.name;
        let of = name.split_once('(').map_or(name.as_str(), |(of, _)| of);
        format!("{of}(…)")
    }

    /// Records an unknown goal, which may bind any variable that it can reach.
    pub(super) fn not_known(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        reason: String,
        help: &str,
    ) -> Truth {
        self.obstacle(scope, point, Some(goal), reason, help);
        self.forget_all(point, scope.terms, goal);
        Truth::True
    }

    /// Forgets the bindings of all variables that a goal can reach.
    fn forget_all(&self, point: &mut Point, terms: &Terms, goal: TermId) {
        point.state.expose(terms, goal, &Type::Any);
        point.state.pure = false;
    }

    /// Returns the reason why a predicate outside the program is not analysed, advice for the user, and the predicate if nothing is known
    /// about it.
    fn why_not_analysed(
        &self,
        scope: &ClauseScope<'_>,
        goal: TermId,
        predicate: &Functor,
    ) -> ((String, String), Option<Functor>) {
        if let Some((reason, help)) = builtins::not_analysed(&predicate.name, predicate.arity) {
            let reason = reason.replace("{}", predicate.to_string().trim_start_matches('$'));
            return ((reason, help.to_owned()), None);
        }
        // `maplist(G, Xs)` as `library(apply_macros)` may compile it, if the closure has no specialised copy.
        if let Some(name) = predicate.name.strip_prefix('$')
            && relation(name, predicate.arity) == Some(Relation::Maps)
        {
            let of = Functor::new(name, predicate.arity);
            let reason = format!(
                "`library(apply_macros)` may compile this call to `{of}`, and its closure is not followed"
            );
            let help = "Call a predicate that the program defines, or load `library(apply)` alone.";
            return ((reason, help.to_owned()), None);
        }
        let why = match self.program.why_undefined(predicate) {
            Some(why) => (why.reason, why.help.to_owned()),
            None => {
                let name = self.called_as(scope, goal, predicate);
                (
                    format!(
                        "`{name}` is not defined in this file, nor in a library that Costlens knows"
                    ),
                    format!(
                        "Define `{name}`, or import it from the file that does (`:- use_module`)."
                    ),
                )
            }
        };
        (why, Some(predicate.clone()))
    }

    /// Returns the name of a goal's predicate as written in the clause: `words//1` for a goal in a grammar rule.
    fn called_as(&self, scope: &ClauseScope<'_>, goal: TermId, predicate: &Functor) -> String {
        let clauses = self.program.clauses(&self.nodes[self.node].name);
        let clause = clauses.as_ref().and_then(|all| all.get(scope.clause));
        let is_nonterminal = clause.is_some_and(|clause| is_nonterminal(clause, goal));
        match predicate.arity.checked_sub(2).filter(|_| is_nonterminal) {
            Some(arity) => format!("{}//{arity}", predicate.name),
            None => predicate.to_string(),
        }
    }

    /// Returns the reason why a built-in may run clauses of the program: `print(X)` calls `portray/1` if it exists, and `format("~@", [G])`
    /// calls `G`.
    pub(super) fn hooked(
        &self,
        terms: &Terms,
        predicate: &Functor,
        args: &[TermId],
    ) -> Option<(String, &'static str)> {
        let mut hooks = hooks_called(&predicate.name, predicate.arity)
            .map(|(name, arity)| Functor::new(smol_str::SmolStr::new_static(name), arity))
            .peekable();
        hooks.peek()?;
        if let Some(format) = format_argument(&predicate.name, predicate.arity) {
            // A format that is not a literal is assumed not to call goals (docs/builtins.md).
            let does = args
                .get(format)
                .and_then(|&t| builtins::formatting(terms, t));
            if does.is_some_and(|d| d.calls) {
                let reason = format!("`{predicate}` calls a goal (`~@`)");
                return Some((reason, "Call the goal before or after it."));
            }
            if does.is_some_and(|d| !d.prints) {
                return None;
            }
        }
        let printing = Printing {
            terms,
            built_in: predicate,
            args,
        };
        let (hook, by) = hooks.find_map(|hook| {
            let may_match = |of: &Terms, head: TermId| printing.may_run(&hook, of, head);
            let by = self.program.hooked_in(&hook, &may_match)?;
            Some((hook, by))
        })?;
        Some((
            format!("`{predicate}` calls `{hook}`, which {by} defines"),
            match hook.name.as_str() {
                "portray" => "Write with `write/1` or `writeq/1`, which call no hook.",
                _ => "State what the caller costs in a `trust` assertion.",
            },
        ))
    }

    /// Records facts about a term and its subterms after a goal has succeeded: if the second argument of `p(M, [X|K])` is a list of
    /// integers on success, `X` is an integer and `K` is a list of integers.
    pub(super) fn learn(&self, state: &mut State, terms: &Terms, t: TermId, after: &Datum) {
        let mut open = vec![(t, after.clone())];
        while let Some((t, after)) = open.pop() {
            let t = state.resolve(terms, t);
            if let Term::Var(v) = terms.get(t) {
                learn_value(&mut state.values[*v as usize], after, self.counted);
                continue;
            }
            match parts_of(terms, t, &after) {
                Some(parts) => open.extend(parts),
                None => {
                    let inside = if after.ty.is_ground() {
                        Type::Ground
                    } else {
                        Type::Any
                    };
                    state.expose(terms, t, &inside);
                }
            }
        }
    }
}

/// Records facts about the value of a variable.
fn learn_value(slot: &mut Binding, after: Datum, counted: Option<&TermWeight>) {
    match slot {
        Binding::Unbound if after.ty != Type::Free => *slot = Binding::Known(after),
        Binding::Known(d) => {
            let met = d.ty.meet(&after.ty);
            let ty = if met == Type::None && !matches!(d.ty, Type::List(_)) {
                d.ty.clone()
            } else {
                met
            };
            let mut refined = d.narrowed(&ty, counted);
            if d.ty.metric() != refined.ty.metric()
                && refined.ty.metric() == after.ty.metric()
                && refined.size.as_exact().is_none()
            {
                refined.size = Size {
                    lower: after.size.lower,
                    upper: after.size.upper.or(refined.size.upper),
                };
            }
            *slot = Binding::Known(refined);
        }
        _ => {}
    }
}

/// Returns the arguments of a compound term, with the facts that the term's type implies about them. Returns `None` if the type implies
/// nothing about arguments.
fn parts_of(terms: &Terms, t: TermId, after: &Datum) -> Option<Vec<(TermId, Datum)>> {
    match &after.ty {
        Type::List(element) if **element != Type::None => {
            let &[head, tail] = terms.matches(t, CONS, 2)? else {
                return None;
            };
            let mut rest = Datum::sized(after.ty.clone(), after.size.shifted(-1));
            rest.element.clone_from(&after.element);
            Some(vec![
                (head, Datum::from_type(Type::clone(element))),
                (tail, rest),
            ])
        }
        of @ (Type::Tree(_) | Type::Opaque(_)) => {
            let types = of.shapes()?.arguments(&functor_key(terms, t)?)?;
            let parts = terms.args(t).iter().copied();
            Some(parts.zip(types.into_iter().map(Datum::from_type)).collect())
        }
        _ => None,
    }
}

/// Returns the name of the predicate that `Module:Goal` calls: `m:p/2`; `call/1` if the module or the goal is not known.
fn qualified(terms: &Terms, state: &State, module: TermId, goal: TermId) -> Option<Functor> {
    let (module, goal) = (state.resolve(terms, module), state.resolve(terms, goal));
    let Some((name, arity)) = terms.functor(goal) else {
        return Some(goal_from_data());
    };
    if is_control_construct(name, arity) {
        return None;
    }
    // Effects on the program, and goals that run later, are the same in any module.
    let is_plain = changes_nothing(name, arity) && !builtins::runs_later(name, arity);
    Some(match terms.as_atom(module) {
        Some(module) if is_plain => Functor::new(format!("{module}:{name}"), arity),
        None if is_plain => goal_from_data(),
        _ => return None,
    })
}

/// Returns the predicate whose cost is that of goals from data: `call/1`.
pub(super) fn goal_from_data() -> Functor {
    Functor::new(BY_DATA.0, BY_DATA.1)
}

/// Returns the name without its module.
fn plain_name(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, plain)| plain)
}

/// Returns whether a system predicate of this name, if there is one, changes neither the clauses nor the state of the program.
fn changes_nothing(name: &str, arity: usize) -> bool {
    find(name, arity).is_none_or(|p| {
        !p.loads_files && p.clause_change.is_none() && p.effect != Some(Effect::State)
    })
}

/// Makes all counts so far uncertain: the counted code may not have run.
fn perhaps(point: &mut Point) {
    let state = point.state.clone();
    let way = |steps: Vec<Step>| Tree {
        steps,
        end: End::Success(Box::new(Exit {
            state: state.clone(),
            arguments: Vec::new(),
            elements: Vec::new(),
        })),
        cut_inside: false,
    };
    let ways = vec![way(std::mem::take(&mut point.steps)), way(Vec::new())];
    point.steps.push(Step::PartOf(Box::new(Tree {
        steps: Vec::new(),
        end: End::Either(ways),
        cut_inside: false,
    })));
}
