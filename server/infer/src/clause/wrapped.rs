//! Goals that built-ins run once with actions before or after them: `setup_call_cleanup/3`, `with_output_to/2`, `with_mutex/2`,
//! `assertion/1`.
//!
//! ```prolog
//! lines(F, Ls) :- setup_call_cleanup(open(F, read, S), lines_of(S, Ls), close(S)).
//! shown(T, A) :- with_output_to(atom(A), print_tree(T)).
//! ```

use costlens_algebra::Expr;
use costlens_catalog::{Relation, relation};
use costlens_syntax::term::{TermId, Terms};

use super::Runner;
use super::formats;
use super::point::{BodyPart, ClauseScope, PendingGoal, Point};
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::{TextType, Type};
use crate::report::Functor;
use crate::tree::{End, Exit, Step, Tree};
use crate::world::questions::{Split, Truth};

/// Returns true for a goal that runs its last argument as `once/1` does and has no cost of its own: `with_mutex(M, G)`.
pub(super) fn runs_once(name: &str, arity: usize) -> bool {
    matches!(
        relation(name, arity),
        Some(Relation::Once | Relation::OnceLocked)
    )
}

impl Runner<'_> {
    /// Records that `with_mutex(M, G)` raises an exception if `M` is neither a mutex nor an atom; an atom becomes a mutex.
    pub(super) fn locks(&self, point: &Point, terms: &Terms, args: &[TermId]) {
        if let &[mutex, _] = args
            && point.state.datum(terms, mutex).ty != Type::Atom
        {
            self.errors.set(true);
        }
    }

    /// Runs the cleanup goal of `setup_call_cleanup/3`, once, after the called goal has ended: immediately if the goal leaves no choice
    /// point, otherwise when it is cut or has no more solutions. By then shared variables may be bound. At the first solution, the cleanup
    /// has not necessarily run.
    pub(super) fn cleanup(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        goal: TermId,
    ) -> Result<(), Split> {
        let variables = point.state.variables_inside(scope.terms, goal).into_iter();
        let mut data = variables.map(|(_, at)| point.state.datum(scope.terms, at));
        point.state.pure &= data.all(|d| d.ty.is_ground());
        point.state.expose(scope.terms, goal, &Type::Any);
        match self.inner(scope, point, part, vec![PendingGoal::Once(goal)], None)? {
            Some(tree) => {
                let not_yet = Tree {
                    steps: Vec::new(),
                    end: End::Success(Box::new(Exit {
                        state: point.state.clone(),
                        arguments: Vec::new(),
                        elements: Vec::new(),
                    })),
                    cut_inside: false,
                };
                point.steps.push(Step::PartOf(Box::new(Tree {
                    steps: Vec::new(),
                    end: End::Either(vec![tree, not_yet]),
                    cut_inside: false,
                })));
            }
            None => self.too_deep(scope, point, goal),
        }
        Ok(())
    }

    /// Returns the value for the text written by a goal: `atom(A)`, `string(S)`, `codes(Cs)`, `chars(Cs)`, and difference lists for codes
    /// and characters. `size` is the number of its characters.
    pub(super) fn caught_text(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        sink: TermId,
        size: Size,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let sink = point.state.resolve(terms, sink);
        let text = match terms
            .functor(sink)
            .map(|(name, arity)| (name.as_str(), arity))
        {
            Some(("atom", 1)) => Type::Atom,
            Some(("string", 1)) => Type::Text(TextType::String),
            Some(("codes", 1)) => Type::list(Type::Int),
            Some(("chars", 1)) => Type::list(Type::Atom),
            _ => {
                // A difference list, or an exception.
                self.errors.set(true);
                point.state.expose(terms, sink, &Type::Any);
                point.state.pure = false;
                return Ok(Truth::Maybe);
            }
        };
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        let argument = terms.args(sink)[0];
        Ok(point
            .state
            .unify_datum(&s, &Datum::sized(text, size), argument)?
            .0)
    }

    /// Runs `format(atom(A), "~w-~w", [X, Y])`, which creates a text and fails if `A` is bound to a different one. Returns `None` if the
    /// output is not such a term.
    pub(super) fn formatted(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        predicate: &Functor,
        args: &[TermId],
    ) -> Result<Option<Truth>, Split> {
        let sink = match (relation(&predicate.name, predicate.arity), args) {
            (Some(Relation::Written), &[sink, ..]) => sink,
            _ => return Ok(None),
        };
        let terms = scope.terms;
        let sink = point.state.resolve(terms, sink);
        let parts = terms.args(sink).to_vec();
        if !(1..=2).contains(&parts.len()) {
            return Ok(None);
        }
        // The arguments may not fit the format, and unbound variables are written with system-generated names.
        self.errors.set(true);
        let ground = |&t: &TermId| point.state.datum(terms, t).ty.is_ground();
        let is_pure = args[1..].iter().all(ground);
        point.state.pure &= is_pure;
        for &written in &args[1..] {
            point.state.expose(terms, written, &Type::Any);
        }
        let before = point.state.datum(terms, parts[0]).ty;
        point.state.pure &= before.is_ground() || before == Type::Free;
        let size = match args[1..] {
            [format, arguments] => formats::written(&point.state, terms, format, arguments),
            _ => Size::at_least(0),
        };
        let truth = self.caught_text(scope, point, sink, size)?;
        // `codes(Cs, Rest)`: the text is followed by an arbitrary term.
        let is_difference =
            matches!(terms.functor(sink), Some((name, 2)) if name == "codes" || name == "chars");
        Ok(Some(match truth {
            Truth::Maybe if is_difference && before == Type::Free => Truth::True,
            truth => truth,
        }))
    }

    /// Runs `assertion(G)`: `\+ \+ G`, or an exception.
    pub(super) fn asserted(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        goal: TermId,
    ) -> Result<Truth, Split> {
        let Some(tree) = self.inner(scope, point, part, vec![PendingGoal::Opaque(goal)], None)?
        else {
            self.too_deep(scope, point, goal);
            return Ok(Truth::True);
        };
        if !tree.cannot_fail() {
            self.errors.set(true);
            let hooked = self.hooked(scope.terms, &Functor::new("assertion", 1), &[goal]);
            if let Some((reason, help)) = hooked {
                return Ok(self.not_known(scope, point, goal, reason, help));
            }
        }
        if tree.exits().is_empty() {
            point.steps.push(Step::Failed(Box::new(tree)));
            return Ok(Truth::False);
        }
        point.steps.push(Step::Once(Box::new(tree), true));
        Ok(Truth::True)
    }
}
