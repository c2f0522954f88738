//! Literals that are no control constructs: unification, arithmetic, built-ins.

use costlens_algebra::Expr;
use costlens_catalog::{hooks_called, is_fixed};
use costlens_program::PERHAPS_ENTERED;
use costlens_syntax::term::{Term, TermId, Terms};

use super::Runner;
use super::point::{ClauseScope, Point};
use crate::builtins;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::state::arith::{self, Comparison};
use crate::state::{State, Value, remainders};
use crate::tree::{End, Exit, Generator, Step, Tree};
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    /// A literal that is no control construct: a test, a unification, a built-in or a call.
    pub(super) fn literal(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let Some((name, arity)) = terms.functor(goal) else {
            return Ok(Truth::Maybe);
        };
        let args = terms.args(goal);
        let predicate = Functor::new(name.clone(), arity);
        if let Some(truth) = self.test(&mut point.state, terms, goal)? {
            return Ok(truth);
        }
        if let Some(truth) = self.core_literal(scope, point, goal)? {
            return Ok(truth);
        }
        let locked = is_fixed(name, arity);
        if !locked && (self.program.is_defined(&predicate) || self.program.is_trusted(&predicate)) {
            return self.call(scope, point, goal, predicate);
        }
        if !locked && self.program.is_dynamic(&predicate) {
            let (reason, help) = match self.program.why_dynamic(&predicate) {
                Some(why) => (why.of(&predicate), why.help),
                None => (
                    format!("the clauses of `{predicate}` here do not tell how a call runs"),
                    "".into(),
                ),
            };
            return Ok(self.not_known(scope, point, goal, reason, &help));
        }
        if !locked && let Some(why) = self.program.why_unreached(&predicate) {
            self.errors.set(true);
            return Ok(self.not_known(scope, point, goal, why.reason, why.help));
        }
        match (name.as_str(), args) {
            ("length", &[list, length]) => return self.length(scope, point, goal, list, length),
            ("between", &[low, high, value]) => {
                return self.between(scope, point, goal, low, high, value);
            }
            _ => {}
        }
        if let Some(truth) = self.sized_builtin(point, terms, goal)? {
            return Ok(truth);
        }
        if let Some((reason, help)) = self.hooked(terms, &predicate, args) {
            return Ok(self.not_known(scope, point, goal, reason, help));
        }
        if builtins::is_shipped(name, arity)
            && let Some(truth) = self.builtin(point, terms, goal, &predicate)?
        {
            return Ok(truth);
        }
        self.errors.set(true);
        let (reason, help) = self.why_not_analysed(&predicate);
        Ok(self.not_known(scope, point, goal, reason, &help))
    }

    /// Unification, arithmetic and modules, which no program defines; none for any other literal.
    fn core_literal(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
    ) -> Result<Option<Truth>, Split> {
        let terms = scope.terms;
        let Some((name, _)) = terms.functor(goal) else {
            return Ok(None);
        };
        let args = terms.args(goal);
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        match (name.as_str(), args) {
            ("=", &[a, b]) => point.state.unify(&s, a, b).map(Some),
            ("\\=", &[a, b]) => {
                let truth = point.state.clone().unify(&s, a, b)?;
                Ok(Some(match truth {
                    Truth::True => Truth::False,
                    Truth::False => Truth::True,
                    Truth::Maybe => Truth::Maybe,
                }))
            }
            (PERHAPS_ENTERED, []) => {
                perhaps(point);
                Ok(Some(Truth::True))
            }
            ("is", &[left, right]) => {
                remainders::ask(&point.state, &s, right)?;
                remainders::ask_multiple(&point.state, &s, right, left)?;
                let value = arith::evaluate(&point.state, &s, right);
                if value.may_raise {
                    self.errors.set(true);
                }
                let (truth, _) = point.state.unify_datum(&s, &value.datum, left)?;
                Ok(Some(truth))
            }
            (":", &[_, _]) => {
                // What could be followed was rewritten before.
                let reason =
                    "what another module does (`Module:Goal`) is not followed here".to_owned();
                let help = "Import the predicate (`:- use_module`) and call it without its module.";
                Ok(Some(self.not_known(scope, point, goal, reason, help)))
            }
            _ => Ok(None),
        }
    }

    /// Notes a goal of which nothing is known: it may bind whatever it can reach.
    fn not_known(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        reason: String,
        help: &str,
    ) -> Truth {
        self.obstacle(scope, point, Some(goal), reason, help);
        point.state.expose(scope.terms, goal, &Type::Any);
        point.state.pure = false;
        Truth::True
    }

    /// Why a predicate that is none of the program's is not analysed, and what the user can do.
    fn why_not_analysed(&self, predicate: &Functor) -> (String, String) {
        match builtins::not_analysed(&predicate.name, predicate.arity) {
            Some((reason, help)) => (
                reason.replace("{}", predicate.to_string().trim_start_matches('$')),
                help.to_owned(),
            ),
            None => match self.program.why_undefined(predicate) {
                Some(why) => (why.reason, why.help.to_owned()),
                None => (
                    format!(
                        "`{predicate}` is not defined in this file, nor in a library that Costlens knows"
                    ),
                    format!(
                        "Define `{predicate}`, or import it from the file that does (`:- use_module`)."
                    ),
                ),
            },
        }
    }

    /// Why a built-in may run clauses of the program: `print(X)` calls `portray/1` if there is one, `format("~@", [G])` calls `G`.
    fn hooked(
        &self,
        terms: &Terms,
        predicate: &Functor,
        args: &[TermId],
    ) -> Option<(String, &'static str)> {
        let mut hooks = hooks_called(&predicate.name, predicate.arity)
            .map(|(name, arity)| Functor::new(smol_str::SmolStr::new_static(name), arity))
            .peekable();
        hooks.peek()?;
        if predicate.name == "format" {
            let text = args.get(args.len().saturating_sub(2)).or(args.first());
            let text = text.and_then(|&t| match terms.get(t) {
                Term::Atom(text) | Term::String(text) => Some(text.as_str()),
                _ => None,
            });
            // What is not to be seen is taken to call no goal (docs/builtins.md).
            let does = text.map(builtins::formatting);
            if does.is_some_and(|d| d.calls) {
                let reason = format!("`{predicate}` calls a goal (`~@`)");
                return Some((reason, "Call the goal before or after it."));
            }
            if does.is_some_and(|d| !d.prints) {
                return None;
            }
        }
        let (hook, by) =
            hooks.find_map(|hook| Some((hook.clone(), self.program.hooked_in(&hook)?)))?;
        Some((
            format!("`{predicate}` calls `{hook}`, which {by} defines"),
            match hook.name.as_str() {
                "portray" => "Write with `write/1` or `writeq/1`, which call no hook.",
                _ => "State what the caller costs in a `trust` assertion.",
            },
        ))
    }

    /// Records what is known of a term after a goal succeeded.
    pub(super) fn learn(&self, state: &mut State, terms: &Terms, t: TermId, after: &Datum) {
        let t = state.resolve(terms, t);
        if let Term::Var(v) = terms.get(t) {
            let slot = &mut state.values[*v as usize];
            match slot {
                Value::Unbound if after.ty != Type::Free => *slot = Value::Known(after.clone()),
                Value::Known(d) => {
                    let met = d.ty.meet(&after.ty);
                    let mut refined =
                        d.refined(if met == Type::None && !matches!(d.ty, Type::List(_)) {
                            d.ty.clone()
                        } else {
                            met
                        });
                    if d.ty.metric() != refined.ty.metric()
                        && refined.ty.metric() == after.ty.metric()
                    {
                        refined.size = after.size.clone();
                    }
                    *slot = Value::Known(refined);
                }
                _ => {}
            }
            return;
        }
        let inside = if after.ty.is_ground() {
            Type::Ground
        } else {
            Type::Any
        };
        state.expose(terms, t, &inside);
    }

    pub(super) fn length(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        list: TermId,
        length: TermId,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        let datum = point.state.datum(terms, list);
        if let Type::List(_) = datum.ty {
            let key = datum
                .key
                .as_ref()
                .map(|k| smol_str::format_smolstr!("length({k})"));
            let n = Datum::sized(Type::Int, datum.size.clone()).with_key(key);
            // A number that is no length is an error, even where the list is known.
            let given = point.state.datum(terms, length);
            let fine = match given.ty {
                Type::Free => true,
                Type::Int => given.size.is_nonnegative(self.world.region()),
                _ => false,
            };
            if !fine {
                self.errors.set(true);
            }
            return Ok(point.state.unify_datum(&s, &n, length)?.0);
        }
        let n = point.state.datum(terms, length);
        if datum.ty == Type::Free && n.ty == Type::Int {
            // length(-L, +N): a list of N unbound elements; fails for N < 0.
            let made = Datum::sized(Type::list(Type::Any), n.size.clone());
            let sure = n.size.is_nonnegative(self.world.region());
            if !sure {
                self.errors.set(true);
            }
            self.learn(&mut point.state, terms, list, &made);
            return Ok(if sure { Truth::True } else { Truth::Maybe });
        }
        self.errors.set(true);
        let reason = "`length/2` of a list that may be open has solutions without end".to_owned();
        self.obstacle(
            scope,
            point,
            Some(goal),
            reason,
            "Declare the list (`%! p(+Xs:list)`), or give its length first: `between(0, 9, N), length(Xs, N)`.",
        );
        self.learn(
            &mut point.state,
            terms,
            list,
            &Datum::of(Type::list(Type::Any)),
        );
        self.learn(&mut point.state, terms, length, &Datum::of(Type::Int));
        point.state.pure = false;
        Ok(Truth::True)
    }

    pub(super) fn between(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        low: TermId,
        high: TermId,
        value: TermId,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let data = [low, high, value].map(|t| point.state.datum(terms, t));
        let [l, h, v] = data;
        if l.ty != Type::Int || h.ty != Type::Int {
            if !(l.ty.is_ground() && h.ty.is_ground()) {
                self.errors.set(true);
            }
            return Ok(self.between_unknown(scope, point, goal, high, value));
        }
        if v.ty == Type::Int {
            return self.is_between(&point.state, terms, [low, value, high]);
        }
        let mut count = h.size.plus(&l.size.negated()).shifted(1);
        let empty = count
            .as_exact()
            .and_then(|e| costlens_algebra::linear::Constraint::ge(&Expr::zero(), e));
        let none = match (&empty, count.as_exact()) {
            (Some(c), Some(e)) => self.world.sizes(c, self.is_param(e))?,
            _ => Truth::Maybe,
        };
        if v.ty.is_bound() && v.ty != Type::Int {
            self.errors.set(true);
            self.learn(&mut point.state, terms, value, &Datum::of(Type::Int));
            point.state.pure = false;
            // Nothing lies between: an exception at the most.
            return Ok(if none == Truth::True {
                Truth::False
            } else {
                Truth::Maybe
            });
        }
        if v.ty != Type::Free {
            // Bound to an integer it is a test, unbound a generator, else an exception, also where nothing lies between.
            self.errors.set(true);
            point.state.pure = false;
        }
        match none {
            Truth::True => return Ok(Truth::False),
            Truth::False => {}
            Truth::Maybe => {
                if !count.is_nonnegative(self.world.region()) {
                    count.upper = None;
                }
                count.lower = Some(Expr::zero());
            }
        }
        if v.ty != Type::Free {
            count.lower = Some(Expr::zero());
        }
        point.sure &= none == Truth::False && v.ty == Type::Free;
        point
            .steps
            .push(Step::Solutions(count, generator(terms, goal)));
        let within = Datum::sized(
            Type::Int,
            Size {
                lower: l.size.lower,
                upper: h.size.upper,
            },
        );
        self.learn(&mut point.state, terms, value, &within);
        Ok(Truth::True)
    }

    /// `between/3` as a test: low =< value, value =< high.
    fn is_between(
        &self,
        state: &State,
        terms: &Terms,
        [low, value, high]: [TermId; 3],
    ) -> Result<Truth, Split> {
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        let no_more = Comparison::LessEqual;
        let (above, _) = arith::compare(state, &s, no_more, low, value)?;
        if above == Truth::False {
            return Ok(Truth::False);
        }
        let (below, _) = arith::compare(state, &s, no_more, value, high)?;
        Ok(above.and(below))
    }

    /// `between/3` with limits that are not known to be integers.
    fn between_unknown(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        high: TermId,
        value: TermId,
    ) -> Truth {
        let terms = scope.terms;
        let endless = |t: TermId| {
            let limit = terms.as_atom(point.state.resolve(terms, t));
            limit.is_some_and(|name| matches!(name.as_str(), "inf" | "infinite"))
        };
        let (reason, help) = match endless(high) {
            true => (
                "`between/3` without an upper limit has solutions without end",
                "Use as many of them as are needed: `once((between(N, inf, X), p(X)))`.",
            ),
            false => (
                "the limits of `between/3` are not known to be integers",
                "Test them first: `integer(Low), integer(High), between(Low, High, X)`.",
            ),
        };
        self.obstacle(scope, point, Some(goal), reason.to_owned(), help);
        self.learn(&mut point.state, terms, value, &Datum::of(Type::Int));
        Truth::True
    }
}

/// Makes all that was counted so far uncertain: it may not have run at all.
fn perhaps(point: &mut Point) {
    let state = point.state.clone();
    let way = |steps: Vec<Step>| Tree {
        steps,
        end: End::Success(Box::new(Exit {
            state: state.clone(),
            arguments: Vec::new(),
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

/// A goal that is written in the clause and may succeed more than once.
pub(super) fn generator(terms: &Terms, goal: TermId) -> Option<Box<Generator>> {
    let (name, arity) = terms.functor(goal)?;
    Some(Box::new(Generator {
        predicate: Functor::new(name.clone(), arity),
        literal: goal,
    }))
}
