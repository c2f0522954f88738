//! The forms that a term may have: as written, or according to the goals after it.
//!
//! ```prolog
//! term_expansion(T, Clauses) :- T = rows(N), findall(row(I), between(1, N, I), Clauses).
//! % T is a fact of rows/1, Clauses are facts of row/1
//! ```

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use costlens_body::{Collector, Comparison, Goal, conjuncts};
use costlens_catalog::{Relation, is_query, is_term_comparison, is_type_test, relation};
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use smol_str::SmolStr;

use crate::language::Functor;

/// The maximum depth to which called predicates are followed.
const DEEPEST: usize = 5;

/// The maximum number of terms examined for one hook.
const MOST_TERMS: usize = 2_000;

/// The form of a term in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TermForm {
    /// `p(a).`
    Fact(Functor),
    /// `p(X) :- q(X).`, `p --> q.`, `p(X) => q(X).`: the arrow, and the functor of the head as written, if known.
    Rule(SmolStr, Option<Functor>),
    /// `:- d(X).`
    Directive(Option<Functor>),
    /// A clause of another module: `m:p(X)`.
    Elsewhere(SmolStr, Functor),
}

impl TermForm {
    /// Returns the predicate to which a term of this form adds a clause.
    pub(crate) fn head(&self) -> Option<Functor> {
        match self {
            TermForm::Fact(functor) => Some(functor.clone()),
            TermForm::Rule(arrow, Some(head)) => {
                let hidden = if arrow == "-->" { 2 } else { 0 };
                Some(Functor::new(head.name.clone(), head.arity + hidden))
            }
            TermForm::Rule(_, None) | TermForm::Directive(_) | TermForm::Elsewhere(..) => None,
        }
    }

    /// Returns the functor of the term itself.
    pub(crate) fn principal(&self) -> Option<Functor> {
        match self {
            TermForm::Fact(functor) => Some(functor.clone()),
            TermForm::Rule(arrow, _) => Some(Functor::new(arrow.clone(), 2)),
            TermForm::Directive(_) => None,
            TermForm::Elsewhere(..) => Some(Functor::new(":", 2)),
        }
    }

    /// Returns whether a term of this form may be an instance of a hook's first argument.
    pub(crate) fn fits(&self, term: &TermForm) -> bool {
        match (self, term) {
            (TermForm::Rule(a, None), TermForm::Rule(b, _)) => a == b,
            // `m:p --> q`
            (TermForm::Rule(_, None), TermForm::Elsewhere(..)) => true,
            (TermForm::Directive(None), TermForm::Directive(_)) => true,
            _ => self == term,
        }
    }

    /// Returns true for forms that are expanded in every file, such as `end_of_file`.
    pub(crate) fn is_always_read(&self) -> bool {
        matches!(self, TermForm::Fact(f) if f.arity == 0 && matches!(f.name.as_str(), "end_of_file" | "begin_of_file"))
    }
}

/// Returns the form of a term as written. Returns `None` if the term is not a clause, or if its module is unknown.
pub(crate) fn form_of(
    terms: &Terms,
    root: TermId,
    is_own: &dyn Fn(&str) -> bool,
) -> Option<TermForm> {
    let (name, arity) = terms.functor(root)?;
    match (name.as_str(), terms.args(root)) {
        (":-" | "?-", &[goal]) => Some(TermForm::Directive(Functor::from_term(terms, goal))),
        (":-" | "-->" | "=>", &[head, _]) => {
            let mut head = head;
            if let (true, Some(&[first, _])) = (name != ":-", terms.matches(head, ",", 2)) {
                head = first;
            }
            match terms.matches(head, ":", 2) {
                Some(&[module, inner]) => {
                    let module = terms.as_atom(module)?;
                    let inner = Functor::from_term(terms, inner)?;
                    if is_own(module) {
                        Some(TermForm::Rule(name.clone(), Some(inner)))
                    } else {
                        Some(TermForm::Elsewhere(module.clone(), inner))
                    }
                }
                _ => Some(TermForm::Rule(
                    name.clone(),
                    Functor::from_term(terms, head),
                )),
            }
        }
        (":", &[module, inner]) => {
            let module = terms.as_atom(module)?;
            match form_unqualified(terms, inner)? {
                form if is_own(module) => Some(form),
                form => Some(TermForm::Elsewhere(module.clone(), form.head()?)),
            }
        }
        _ => Some(TermForm::Fact(Functor::new(name.clone(), arity))),
    }
}

/// Returns the form of a rule for any module: `M:H --> B`, `M:H, P --> B`.
fn of_any_module(terms: &Terms, root: TermId) -> Option<TermForm> {
    let (name, _) = terms.functor(root)?;
    let arrows = [":-", "-->", "=>"];
    let arrow = arrows.into_iter().find(|arrow| name == arrow)?;
    let &[head, _] = terms.matches(root, arrow, 2)? else {
        return None;
    };
    let head = match terms.matches(head, ",", 2) {
        Some(&[first, _]) if arrow != ":-" => first,
        _ => head,
    };
    let &[module, _] = terms.matches(head, ":", 2)? else {
        return None;
    };
    matches!(terms.get(module), Term::Var(_)).then(|| TermForm::Rule(arrow.into(), None))
}

/// Returns the form of a term whose module qualifier has been stripped. Returns `None` if the term has another qualifier.
fn form_unqualified(terms: &Terms, root: TermId) -> Option<TermForm> {
    match terms.functor(root)? {
        (name, 2) if name == ":" => None,
        _ => form_of(terms, root, &|_| false),
    }
}

/// A clause: its terms, the arguments of its head, and its body.
pub(super) struct Written<'a> {
    pub(super) terms: &'a Terms,
    pub(super) head: TermId,
    pub(super) body: Option<TermId>,
}

/// Provides the clauses of predicates that a hook's body calls.
pub(super) trait ClauseSource {
    /// Returns the clauses of a predicate. Returns `None` if further clauses may be added, or if there are none.
    fn clauses(&self, functor: &Functor) -> Option<Vec<Written<'_>>>;
    /// Returns whether the file declares a predicate to which clauses may be added, so that calls of it raise no existence error.
    fn is_open(&self, functor: &Functor) -> bool;
    /// Returns whether a module is the file's own module.
    fn is_own(&self, module: &str) -> bool;
}

/// Infers the forms of the terms of one hook.
pub(super) struct Finder<'a> {
    program: &'a dyn ClauseSource,
    budget: Cell<usize>,
    asked: RefCell<BTreeSet<Functor>>,
    /// True if the terms are those that the hook expands, not those that it makes.
    is_input: bool,
}

impl<'a> Finder<'a> {
    pub(super) fn new(program: &'a dyn ClauseSource, is_input: bool) -> Self {
        Finder {
            program,
            is_input,
            budget: Cell::new(MOST_TERMS),
            asked: RefCell::default(),
        }
    }

    /// Returns the predicates whose clauses were examined.
    pub(super) fn asked(self) -> BTreeSet<Functor> {
        self.asked.into_inner()
    }

    /// Returns the forms that a term of a clause may have after the body succeeds; for a list, those of its elements. Returns `None` if
    /// they are unknown.
    pub(super) fn forms(&self, clause: &Written<'_>, t: TermId) -> Option<Vec<TermForm>> {
        self.forms_at(clause, t, DEEPEST)
    }

    /// Returns the forms of the goals that a hook expands. For a conjunction, the forms of one conjunct are sufficient: a conjunction
    /// without this conjunct is not expanded.
    ///
    /// ```prolog
    /// goal_expansion((P, Q), R) :- P = ordered_by(K), ordered(K, Q, R).     % calls to ordered_by/1
    /// ```
    pub(super) fn forms_of_goal(&self, clause: &Written<'_>, t: TermId) -> Option<Vec<TermForm>> {
        let parts = conjuncts(clause.terms, t);
        match parts.len() {
            1 => self.forms(clause, t),
            _ => (parts.into_iter().find_map(|part| self.forms(clause, part)))
                .or_else(|| self.forms(clause, t)),
        }
    }

    fn forms_at(&self, clause: &Written<'_>, t: TermId, depth: usize) -> Option<Vec<TermForm>> {
        if !self.pay(depth) {
            return None;
        }
        let terms = clause.terms;
        match terms.get(t) {
            Term::Var(v) => self.bound(clause, *v, clause.body?, depth),
            Term::Atom(name) if name == NIL => Some(Vec::new()),
            Term::Compound(name, _) if name == CONS => {
                let (elements, tail) = terms.list(t);
                let mut found = Vec::new();
                for element in elements.into_iter().chain([tail]) {
                    found.extend(self.forms_at(clause, element, depth - 1)?);
                }
                Some(found)
            }
            Term::Atom(_) | Term::Compound(..) => {
                let is_own = |m: &str| self.program.is_own(m);
                let form = form_of(terms, t, &is_own).or_else(|| of_any_module(terms, t))?;
                Some(vec![form])
            }
            Term::Error => None,
            // Numbers and strings are not clauses.
            _ => Some(Vec::new()),
        }
    }

    /// Returns the forms of a variable that some goal of a body determines. All goals must succeed, so any one of them suffices, unless an
    /// earlier goal may raise an error: SWI-Prolog then skips the clause that it was expanding.
    fn bound(
        &self,
        clause: &Written<'_>,
        v: u32,
        body: TermId,
        depth: usize,
    ) -> Option<Vec<TermForm>> {
        let terms = clause.terms;
        for goal in conjuncts(terms, body) {
            let found = self.bound_by(clause, v, goal, depth);
            if found.is_some() {
                return found;
            }
            // The clause that is expanded is lost in either case.
            if self.is_input && self.may_raise(clause, goal, depth) {
                return None;
            }
        }
        None
    }

    /// Returns the forms of a variable after one goal of a body succeeds.
    fn bound_by(
        &self,
        clause: &Written<'_>,
        v: u32,
        goal: TermId,
        depth: usize,
    ) -> Option<Vec<TermForm>> {
        let terms = clause.terms;
        let is_it = |t: TermId| matches!(terms.get(t), Term::Var(w) if *w == v);
        if !self.pay(depth) {
            return None;
        }
        let (name, arity) = terms.functor(goal)?;
        let args = terms.args(goal);
        let relation = relation(name, arity);
        match (Goal::lower(terms, goal), relation, args) {
            (Goal::Unify(a, b) | Goal::CompareTerms(Comparison::Equal, a, b), ..)
                if is_it(a) || is_it(b) =>
            {
                self.forms_at(clause, if is_it(a) { b } else { a }, depth - 1)
            }
            (_, Some(Relation::Functor | Relation::CompoundFunctor), &[t, name, arity])
                if is_it(t) =>
            {
                let Term::Integer(arity) = terms.get(arity) else {
                    return None;
                };
                let name = terms.as_atom(name).filter(|n| !is_structural(n))?;
                let arity = usize::try_from(arity).ok()?;
                Some(vec![TermForm::Fact(Functor::new(name.clone(), arity))])
            }
            (_, Some(Relation::Parts), &[t, parts]) if is_it(t) => {
                let (parts, tail) = terms.list(parts);
                let (&name, arguments) = parts.split_first()?;
                of_parts(terms, name, arguments.len(), tail)
            }
            (_, Some(Relation::CompoundParts), &[t, name, arguments]) if is_it(t) => {
                let (arguments, tail) = terms.list(arguments);
                of_parts(terms, name, arguments.len(), tail)
            }
            (
                Goal::Collect {
                    collector: Collector::FindAll,
                    template,
                    result,
                    rest: None,
                    ..
                },
                ..,
            ) if is_it(result) => self.forms_at(clause, template, depth - 1),
            (_, Some(Relation::Maps), [closure, lists @ ..])
                if lists.last().is_some_and(|&l| is_it(l)) =>
            {
                let (name, given) = terms.functor(*closure)?;
                self.of_argument(
                    name,
                    given + lists.len(),
                    given + lists.len() - 1,
                    depth - 1,
                )
            }
            (Goal::Disjunction(..) | Goal::Bar(..) | Goal::IfThenElse { .. }, ..) => {
                let mut found = Vec::new();
                for &branch in args {
                    found.extend(self.bound(clause, v, branch, depth - 1)?);
                }
                Some(found)
            }
            (Goal::IfThen { .. }, _, &[condition, then]) => {
                (self.bound(clause, v, then, depth - 1))
                    .or_else(|| self.bound(clause, v, condition, depth - 1))
            }
            (Goal::Once(inner), ..) => self.bound(clause, v, inner, depth - 1),
            (Goal::Catch { goal, recovery, .. }, ..) => {
                let mut found = self.bound(clause, v, goal, depth - 1)?;
                // An error that is caught comes from a term of one of these forms, since earlier goals raise none.
                if !self.is_input {
                    found.extend(self.bound(clause, v, recovery, depth - 1)?);
                }
                Some(found)
            }
            (Goal::Qualified { .. }, ..) => None,
            _ => {
                let i = args.iter().position(|&a| is_it(a))?;
                self.of_argument(name, arity, i, depth - 1)
            }
        }
    }

    /// Returns whether a goal may raise an error. Unifications, tests of types, comparisons of terms, and predicates of the file whose
    /// clauses call nothing else do not; facts that are added at run time raise none either.
    fn may_raise(&self, clause: &Written<'_>, goal: TermId, depth: usize) -> bool {
        if !self.pay(depth) {
            return true;
        }
        let terms = clause.terms;
        let inner = |goal: TermId| self.may_raise(clause, goal, depth - 1);
        match Goal::lower(terms, goal) {
            Goal::True | Goal::Fail | Goal::False | Goal::Cut | Goal::Unify(..) => false,
            Goal::Not(goal) | Goal::Once(goal) | Goal::Ignore(goal) => inner(goal),
            Goal::Conjunction(..) => conjuncts(terms, goal).into_iter().any(inner),
            Goal::Disjunction(a, b) | Goal::Bar(a, b) => inner(a) || inner(b),
            Goal::IfThen { .. } | Goal::IfThenElse { .. } => {
                terms.args(goal).iter().any(|&goal| inner(goal))
            }
            _ => {
                let Some(of) = Functor::from_term(terms, goal) else {
                    return true;
                };
                let (name, arity) = (of.name.as_str(), of.arity);
                let is_quiet = is_type_test(name, arity)
                    || is_term_comparison(name, arity)
                    || is_query(name, arity);
                if is_quiet || self.program.is_open(&of) {
                    return false;
                }
                let clauses = self.clauses(&of);
                clauses.is_none_or(|clauses| {
                    let mut bodies = clauses.iter().filter_map(|c| Some((c, c.body?)));
                    bodies.any(|(c, body)| self.may_raise(c, body, depth - 1))
                })
            }
        }
    }

    /// Takes one unit of the budget. Returns false if none is left, or if the depth is.
    fn pay(&self, depth: usize) -> bool {
        let left = self.budget.get();
        self.budget.set(left.saturating_sub(1));
        left > 0 && depth > 0
    }

    fn clauses(&self, functor: &Functor) -> Option<Vec<Written<'_>>> {
        self.asked.borrow_mut().insert(functor.clone());
        self.program.clauses(functor)
    }

    /// Returns the forms that an argument may have after a predicate succeeds.
    fn of_argument(
        &self,
        name: &SmolStr,
        arity: usize,
        i: usize,
        depth: usize,
    ) -> Option<Vec<TermForm>> {
        let clauses = self.clauses(&Functor::new(name.clone(), arity))?;
        let mut found = Vec::new();
        for clause in &clauses {
            let &argument = clause.terms.args(clause.head).get(i)?;
            found.extend(self.forms_at(clause, argument, depth)?);
        }
        Some(found)
    }
}

/// Returns the forms of a term with this name and at least these arguments; more if the list of arguments is open.
fn of_parts(terms: &Terms, name: TermId, least: usize, tail: TermId) -> Option<Vec<TermForm>> {
    let name = terms.as_atom(name).filter(|name| !is_structural(name))?;
    let most = match terms.get(tail) {
        Term::Var(_) => MOST_ARGUMENTS,
        _ => least,
    };
    let of = |arity| TermForm::Fact(Functor::new(name.clone(), arity));
    Some((least..=most).map(of).collect())
}

/// The maximum number of arguments of a term whose number of arguments is not known.
const MOST_ARGUMENTS: usize = 64;

/// Returns true for the functors of clauses and lists that are not facts.
fn is_structural(name: &str) -> bool {
    matches!(name, ":-" | "?-" | "-->" | "=>" | ":" | "," | CONS)
}
