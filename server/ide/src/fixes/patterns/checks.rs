//! The named conditions that data-driven rewrites can use.

use costlens_body::{Goal, conjuncts};
use costlens_program::{ClauseKind, Functor, Resolved, find, resolve};
use costlens_syntax::Dialect;
use costlens_syntax::term::{NIL, Term, TermId, Terms};

use super::matching::Matched;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{collected, rows, variable};
use crate::fixes::known::LibraryPredicate;
use crate::fixes::site::is_closed;

/// The context of a condition: a match, one of its goals, and the condition's arguments.
pub(super) struct About<'m> {
    pub(super) matched: &'m Matched<'m>,
    /// The goal before which the condition must hold.
    pub(super) goal: TermId,
    /// The arguments of the condition, as variables of the pattern.
    pub(super) patterns: &'m [TermId],
}

/// Checks a condition. Returns the conditions that remain to be proved, or `None` if the condition does not hold.
pub(super) type ConditionCheck = fn(&About<'_>) -> Option<Vec<Condition>>;

/// The conditions, with their names and arities.
const CHECKS: &[(&str, usize, ConditionCheck)] = &[
    // Conditions on the variables of the clause.
    ("private", 1, |of| of.if_holds(of.is_private()?)),
    ("private", 2, |of| of.if_holds(of.is_private_with_goal()?)),
    ("variable", 1, |of| of.if_holds(of.variable(0).is_some())),
    ("outside", 2, |of| of.if_holds(of.is_outside()?)),
    // Conditions on the form of terms.
    ("callable", 1, |of| {
        // A goal that is a variable may contain a cut or anything else.
        of.if_holds(of.terms().functor(of.term(0)?).is_some())
    }),
    ("written", 1, |of| {
        let (elements, end) = of.terms().list(of.term(0)?);
        of.if_holds(!elements.is_empty() && is_nil(of.terms(), end))
    }),
    ("parts", 1, |of| of.if_holds(of.is_name_with_arguments()?)),
    ("appends", 1, |of| of.if_holds(of.appends()?)),
    // Conditions on the values of terms.
    ("list", 1, |of| of.shaped(Shape::List)),
    ("ground_list", 1, |of| of.shaped(Shape::GroundList)),
    ("integers", 1, |of| of.shaped(Shape::Integers)),
    ("lists", 1, |of| of.shaped(Shape::Lists)),
    ("ground", 1, |of| of.shaped(Shape::Ground)),
    ("ends_in_list", 1, |of| {
        let (site, clause) = (of.matched.site, of.matched.clause);
        let list = Condition::list(site, clause, of.goal, of.term(0)?);
        Some(list.into_iter().collect())
    }),
    ("integer", 1, |of| of.integer()),
    ("unbound", 1, |of| of.unbound()),
    ("unbound_or_ground", 2, |of| {
        match of.open_elements(1)?.is_empty() {
            true => Some(Vec::new()),
            false => of.unbound(),
        }
    }),
    ("ground_elements", 1, |of| of.ground_elements()),
    // Conditions on the context of the goals.
    ("first_solution", 0, |of| of.if_holds(of.ends_in_once()?)),
    ("all_solutions", 0, |of| of.if_holds(!of.ends_in_once()?)),
    ("settled", 0, |of| of.if_holds(of.is_settled())),
    ("in_row", 0, |of| {
        let mut goals = of.matched.goals.iter();
        of.if_holds(goals.all(|goal| goal.place.is_some()))
    }),
    ("same_predicate", 0, |of| {
        let functor = |goal| of.terms().functor(goal);
        let first = of.matched.goals.first().map(|first| functor(first.goal));
        let mut goals = of.matched.goals.iter();
        of.if_holds(goals.all(|goal| Some(functor(goal.goal)) == first))
    }),
    ("no_exception", 0, |_| Some(vec![Condition::NoException])),
    ("swi", 0, |of| {
        let site = of.matched.site;
        of.if_holds(site.file.parsed(site.db).dialect() == Dialect::Swi)
    }),
    ("not_gnu", 0, |of| {
        let site = of.matched.site;
        of.if_holds(site.file.parsed(site.db).dialect() != Dialect::Gnu)
    }),
];

/// Returns the condition with this name and arity.
pub(super) fn check_named(name: &str, arity: usize) -> Option<ConditionCheck> {
    let mut checks = CHECKS.iter();
    let check = checks.find(|(its, arguments, _)| *its == name && *arguments == arity);
    check.map(|(_, _, check)| *check)
}

fn is_nil(terms: &Terms, id: TermId) -> bool {
    terms.as_atom(id).is_some_and(|name| name == NIL)
}

impl<'m> About<'m> {
    fn if_holds(&self, holds: bool) -> Option<Vec<Condition>> {
        holds.then(Vec::new)
    }

    fn terms(&self) -> &'m Terms {
        self.matched.terms
    }

    fn term(&self, argument: usize) -> Option<TermId> {
        self.matched.value(*self.patterns.get(argument)?)
    }

    fn variable(&self, argument: usize) -> Option<u32> {
        self.matched.variable(*self.patterns.get(argument)?)
    }

    fn condition_before(&self, term: TermId, is: Shape) -> Condition {
        Condition::before_goal(self.matched.clause, self.goal, term, is)
    }

    fn shaped(&self, is: Shape) -> Option<Vec<Condition>> {
        Some(vec![self.condition_before(self.term(0)?, is)])
    }

    /// Returns true for a variable that occurs only in the pattern's goals.
    fn is_private(&self) -> Option<bool> {
        Some(self.occurrences()? == self.places()?)
    }

    /// Returns true for a variable that occurs in a given goal and otherwise only in the pattern's goals.
    fn is_private_with_goal(&self) -> Option<bool> {
        let v = self.variable(0)?;
        let inside = self.terms().variables_of(self.term(1)?);
        let inside = inside.into_iter().filter(|&w| w == v).count();
        Some(inside > 0 && self.occurrences()? == self.places()? + inside)
    }

    fn occurrences(&self) -> Option<usize> {
        Some((self.matched.site).occurrences(self.matched.clause, self.variable(0)?))
    }

    /// Returns the number of occurrences of a variable in the goals of the pattern.
    fn places(&self) -> Option<usize> {
        let alternative = self.matched.alternative;
        let v = variable(&alternative.terms, *self.patterns.first()?)?;
        let goals = alternative.before.iter();
        let all = goals.flat_map(|step| alternative.terms.variables_of(step.goal));
        Some(all.filter(|&w| w == v).count())
    }

    /// Returns true for a list literal of a name and at least one argument: `[point, X, Y]`.
    fn is_name_with_arguments(&self) -> Option<bool> {
        let (elements, end) = self.terms().list(self.term(0)?);
        let name = self.terms().as_atom(*elements.first()?)?;
        let is_plain = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        Some(is_plain && elements.len() > 1 && is_nil(self.terms(), end))
    }

    /// Returns true for a variable that does not occur in another term.
    fn is_outside(&self) -> Option<bool> {
        let v = self.variable(0)?;
        Some(!self.terms().variables_of(self.term(1)?).contains(&v))
    }

    fn integer(&self) -> Option<Vec<Condition>> {
        let bound = self.term(0)?;
        match self.terms().get(bound) {
            Term::Integer(_) => Some(Vec::new()),
            Term::Var(_) => Some(vec![self.condition_before(bound, Shape::Integer)]),
            _ => None,
        }
    }

    fn unbound(&self) -> Option<Vec<Condition>> {
        let (site, clause, term) = (self.matched.site, self.matched.clause, self.term(0)?);
        let is_new = variable(self.terms(), term).is_some_and(|v| self.is_new_inside(v));
        let condition = (!is_new).then(|| Condition::unbound(site, clause, self.goal, term));
        Some(condition.flatten().into_iter().collect())
    }

    /// Returns true for a variable whose first occurrence is in a `findall/3` whose inner goal begins with this goal.
    fn is_new_inside(&self, v: u32) -> bool {
        let begins = |around: TermId| {
            let [_, inner, _] = collected(self.terms(), around)?;
            Some(conjuncts(self.terms(), inner).first() == Some(&self.goal))
        };
        self.matched.around.is_some_and(|around| {
            begins(around) == Some(true)
                && self.matched.site.is_fresh(self.matched.clause, v, around)
        })
    }

    /// Returns the elements of a list literal that contain variables.
    fn open_elements(&self, argument: usize) -> Option<Vec<TermId>> {
        let terms = self.terms();
        let (elements, _) = terms.list(self.term(argument)?);
        let has_variables = |&e: &TermId| !terms.variables_of(e).is_empty();
        Some(elements.into_iter().filter(has_variables).collect())
    }

    /// Returns conditions that require the elements with variables to be ground. Returns `None` if no element contains variables.
    fn ground_elements(&self) -> Option<Vec<Condition>> {
        let open = self.open_elements(0)?.into_iter();
        let conditions: Vec<_> = open
            .map(|e| self.condition_before(e, Shape::Ground))
            .collect();
        (!conditions.is_empty()).then_some(conditions)
    }

    /// Returns true if only the first solution of the goals matters: the goals are at the end of a condition or negation, or a cut follows.
    fn ends_in_once(&self) -> Option<bool> {
        let row = self.matched.row;
        let last = self.matched.goals.last()?.place?;
        Some(match row.goals.get(last + 1) {
            None => row.once,
            Some(&next) => Goal::lower(self.terms(), next) == Goal::Cut,
        })
    }

    /// Returns true if callers cannot observe the choice points of the last goal: they are cut, or all solutions are collected.
    fn is_settled(&self) -> bool {
        let clause = &self.matched.site.clauses[self.matched.clause];
        let terms = self.terms();
        let Some(goal) = self.matched.goals.last().map(|last| last.goal) else {
            return false;
        };
        let is_cut = rows(clause).iter().any(|row| {
            let place = row.goals.iter().position(|&g| g == goal);
            let cuts = |&g: &TermId| Goal::lower(terms, g) == Goal::Cut;
            place.is_some_and(|at| row.once || row.goals[at..].iter().any(cuts))
        });
        let body = clause.body.map_or(Vec::new(), |body| terms.subterms(body));
        let looks_for_all = |&id: &TermId| match Goal::lower(terms, id) {
            Goal::Forall { condition, .. } => Some(condition),
            _ => collected(terms, id).map(|[_, inner, _]| inner),
        };
        let mut all = body.iter().filter_map(looks_for_all);
        is_cut || all.any(|inner| terms.subterms(inner).contains(&goal))
    }

    /// Returns true for a closure that is equivalent to `append(A, L, B)` when called with `L`, `A`, `B`.
    fn appends(&self) -> Option<bool> {
        let closure = self.term(0)?;
        Some(
            self.is_appending_lambda(closure) == Some(true)
                || self.is_appending_name(closure) == Some(true),
        )
    }

    /// Returns true for the lambda expression `[L, A, B]>>append(A, L, B)` with local variables.
    fn is_appending_lambda(&self, closure: TermId) -> Option<bool> {
        let (site, clause, terms) = (self.matched.site, self.matched.clause, self.terms());
        let &[parameters, goal] = terms.matches(closure, ">>", 2)? else {
            return None;
        };
        let (parameters, end) = terms.list(parameters);
        let is_own =
            |&id: &TermId| variable(terms, id).is_some_and(|v| site.occurrences(clause, v) == 2);
        let fits = is_nil(terms, end)
            && parameters.iter().all(is_own)
            && appends(terms, &parameters, goal);
        Some(fits && site.known_goal(clause, goal)? == LibraryPredicate::Append)
    }

    /// Returns true for the name of a predicate that consists of the clause `p(L, A, B) :- append(A, L, B).`
    fn is_appending_name(&self, closure: TermId) -> Option<bool> {
        let site = self.matched.site;
        let functor = Functor::new(self.terms().as_atom(closure)?.clone(), 3);
        let Some(Resolved::Own(_)) = resolve(site.db, site.file, &functor) else {
            return None;
        };
        let predicate = find(site.db, site.file, &functor)?;
        let [clause] = &predicate.clauses(site.db)[..] else {
            return None;
        };
        let (terms, goal) = (&clause.terms, clause.body?);
        let fits = clause.kind == ClauseKind::Rule
            && clause.guard.is_none()
            && is_closed(site.db, predicate)
            && appends(terms, terms.args(clause.head), goal);
        Some(fits && site.known(&Functor::from_term(terms, goal)?)? == LibraryPredicate::Append)
    }
}

/// Returns true for the goal `append(A, L, B)` if the parameters are `L`, `A`, `B`.
fn appends(terms: &Terms, parameters: &[TermId], goal: TermId) -> bool {
    let variables = |ids: &[TermId]| -> Option<Vec<u32>> {
        ids.iter().map(|&id| variable(terms, id)).collect()
    };
    let (Some(parameters), Some(arguments)) = (variables(parameters), variables(terms.args(goal)))
    else {
        return false;
    };
    let [l, a, b] = parameters[..] else {
        return false;
    };
    l != a && l != b && a != b && arguments == [a, l, b]
}
