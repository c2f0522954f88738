//! Clauses without positions.

use std::ops::Deref;
use std::sync::Arc;

use costlens_body::Goal;
use costlens_syntax::term::{NIL, Term, TermId, Terms};
use smol_str::SmolStr;

use super::functor::Functor;
use super::grammar_rule::translate;

/// The syntactic form of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseKind {
    /// `p(a).`
    Fact,
    /// `p(X) :- q(X).`
    Rule,
    /// A grammar rule without a translation (`p --> 17.`): [`Clause::head`] has two arguments less than the predicate. Translated rules are
    /// [`ClauseKind::Rule`] with [`Clause::grammar_rule`].
    Dcg,
    /// `p(X), Guard => q(X).`: the head is matched, not unified, and the guard commits.
    SingleSided,
}

/// A clause, equal to every clause that differs only in layout, comments and variable names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clause {
    /// The arena to which the ids below refer.
    pub terms: Arc<Terms>,
    /// The head: an atom or a compound.
    pub head: TermId,
    /// The guard of a single-sided rule.
    pub guard: Option<TermId>,
    /// The body; `None` for a fact.
    pub body: Option<TermId>,
    /// The syntactic form of the clause.
    pub kind: ClauseKind,
    /// True if the clause is the translation of a grammar rule: `p --> q.` is `p(S0, S) :- q(S0, S).`
    pub grammar_rule: bool,
    /// The clause's known closures, which are called without `call/N` in these terms.
    pub closures: Closures,
}

/// The [`ClosureCalls`] of a clause. Most clauses have none; they take one word, since tables have very many clauses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Closures(Option<Box<ClosureCalls>>);

impl Deref for Closures {
    type Target = ClosureCalls;

    fn deref(&self) -> &ClosureCalls {
        self.0.as_deref().unwrap_or(&NO_CLOSURES)
    }
}

impl From<ClosureCalls> for Closures {
    fn from(calls: ClosureCalls) -> Self {
        Closures((calls != NO_CLOSURES).then(|| Box::new(calls)))
    }
}

/// Closure calls that replace goals of the written clause, and the additional work that they cost the Prolog system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClosureCalls {
    /// The goals that are written as `call/N`: `add(N, X)` for `call(add(N), X)`, with the number of arguments that the closure already
    /// has.
    pub called: Vec<(TermId, usize)>,
    /// The goals whose closure is itself written as `call/N`, once for each of them: `call(call(add(N)), X)`.
    pub nested: Vec<TermId>,
    /// The lambda expression from which the clause was made, if the Prolog system copies and interprets it at each call.
    pub interpreted: Option<Interpreted>,
}

static NO_CLOSURES: ClosureCalls = ClosureCalls {
    called: Vec::new(),
    nested: Vec::new(),
    interpreted: None,
};

/// An uncompiled lambda expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interpreted {
    /// The number of its constants and functors, which each call copies.
    pub symbols: u64,
    /// The number of its parameters, or `None` for `{Free}/Closure`, which has none.
    pub parameters: Option<usize>,
    /// True if it names free variables: `{Free}/…`.
    pub has_free: bool,
    /// True if the lambda expression is certainly interpreted.
    pub certain: bool,
}

impl Clause {
    /// Converts a term read from a file to a clause, and returns the predicate to which it belongs. Returns `None` for directives, syntax
    /// errors, heads that are not callable, and clauses of another module (`user:portray(X) :- …`).
    #[must_use]
    pub fn from_term(terms: &Arc<Terms>, root: TermId) -> Option<(Functor, Self)> {
        Self::of_module(terms, root, &|_| false)
    }

    /// Converts a term to a clause like [`Clause::from_term`], given the modules that are the file's own: in `m`, a clause `m:p(X) :- …` belongs
    /// to `p/1`.
    #[must_use]
    pub fn of_module(
        terms: &Arc<Terms>,
        root: TermId,
        is_own: &dyn Fn(&str) -> bool,
    ) -> Option<(Functor, Self)> {
        Self::with_origin(terms, root, is_own).map(|(functor, clause, _)| (functor, clause))
    }

    /// Converts a term to a clause like [`Clause::of_module`]. Also returns, for each term of the clause that is not in the text, the term
    /// of the text that it represents.
    pub(crate) fn with_origin(
        terms: &Arc<Terms>,
        root: TermId,
        is_own: &dyn Fn(&str) -> bool,
    ) -> Option<(Functor, Self, Vec<Option<TermId>>)> {
        let root = in_own_module(terms, root, is_own);
        let (kind, head, body) = if let Some(&[head, body]) = terms.matches(root, ":-", 2) {
            (ClauseKind::Rule, head, Some(body))
        } else if let Some(&[head, body]) = terms.matches(root, "-->", 2) {
            (ClauseKind::Dcg, head, Some(body))
        } else if let Some(&[head, body]) = terms.matches(root, "=>", 2) {
            (ClauseKind::SingleSided, head, Some(body))
        } else if terms.matches(root, ":-", 1).is_some() || terms.matches(root, "?-", 1).is_some() {
            return None;
        } else {
            (ClauseKind::Fact, root, None)
        };
        let head = match kind {
            ClauseKind::Dcg => head,
            _ => in_own_module(terms, head, is_own),
        };
        // `p(X), Guard => …`; in a grammar rule, the second part is the pushback, which remains part of the head.
        let (callable, guard) = match (kind, terms.matches(head, ",", 2)) {
            (ClauseKind::SingleSided, Some(&[head, guard])) => (head, Some(guard)),
            (ClauseKind::Dcg, Some(&[nonterminal, _])) => (nonterminal, None),
            _ => (head, None),
        };
        let (name, arity) = terms.functor(callable)?;
        if matches!(
            (name.as_str(), arity),
            (":", 2) | ("," | ";" | "->" | "|", 2) | ("[|]", 2) | ("[]" | "{}", 0)
        ) {
            return None;
        }
        if matches!(terms.get(callable), Term::Error) {
            return None;
        }
        if let (ClauseKind::Dcg, Some(rule)) = (kind, body)
            && let Some(translated) = translate(terms, head, rule)
        {
            let functor = Functor::new(name.clone(), arity + 2);
            let clause = Self {
                terms: translated.terms,
                head: translated.head,
                guard: None,
                body: Some(translated.body),
                kind: ClauseKind::Rule,
                grammar_rule: true,
                closures: Closures::default(),
            };
            return Some((functor, clause, translated.origin));
        }
        let hidden = if kind == ClauseKind::Dcg { 2 } else { 0 };
        let clause = Self {
            terms: Arc::clone(terms),
            head: callable,
            guard,
            body,
            kind,
            grammar_rule: false,
            closures: Closures::default(),
        };
        Some((
            Functor::new(name.clone(), arity + hidden),
            clause,
            Vec::new(),
        ))
    }
}

/// Returns true for a clause that Prolog rejects because a number or string is in a goal position: `p(X) :- q(X), 1.` In a grammar rule
/// only braces are checked; a term in braces that is an argument may be data, and is then considered rejected although Prolog accepts it.
#[must_use]
pub fn is_refused(terms: &Terms, root: TermId) -> bool {
    if let Some(&[_, body]) = terms.matches(root, "-->", 2) {
        let goals = terms.subterms(body).into_iter();
        let mut inner = goals.filter_map(|t| terms.matches(t, "{}", 1));
        return inner.any(|goal| !is_goal(terms, goal[0]));
    }
    let (head, body) = match (terms.matches(root, ":-", 2), terms.matches(root, "=>", 2)) {
        (Some(&[head, body]), _) => (head, body),
        (_, Some(&[head, body])) => (head, body),
        _ => return false,
    };
    // The guard is part of the head term.
    let guard = terms.matches(head, ",", 2).map(|parts| parts[1]);
    let goals = guard.into_iter().chain([body]);
    goals.into_iter().any(|goal| !is_goal(terms, goal))
}

/// Returns true for a term that can be a goal: no number or string is in a goal position of a control construct, or after a module
/// qualifier.
#[must_use]
pub fn is_goal(terms: &Terms, goal: TermId) -> bool {
    let mut waiting = vec![goal];
    while let Some(goal) = waiting.pop() {
        match Goal::lower(terms, goal) {
            Goal::Qualified { module, goal } => {
                if !matches!(terms.get(module), Term::Var(_) | Term::Atom(_)) {
                    return false;
                }
                waiting.push(goal);
            }
            Goal::NotCallable => return false,
            Goal::Call(call) if call.name == NIL && call.args.is_empty() => return false,
            lowered => waiting.extend(lowered.operands()),
        }
    }
    true
}

/// Removes the qualifier from a term that is qualified with the file's own module.
fn in_own_module(terms: &Terms, id: TermId, is_own: &dyn Fn(&str) -> bool) -> TermId {
    match terms.matches(id, ":", 2) {
        Some(&[module, inner]) if terms.as_atom(module).is_some_and(|m| is_own(m)) => inner,
        _ => id,
    }
}

/// Returns the term inside `:- Directive.` or `?- Directive.`
#[must_use]
pub fn directive(terms: &Terms, root: TermId) -> Option<TermId> {
    match terms
        .matches(root, ":-", 1)
        .or_else(|| terms.matches(root, "?-", 1))
    {
        Some(&[inner]) => Some(inner),
        _ => None,
    }
}

/// Returns the module and predicate of `m:p(X)`, `m:p(X) :- q`, `m:(p(X) :- q)`, `m:p --> q`.
pub(crate) fn qualified_head(terms: &Terms, root: TermId) -> Option<(SmolStr, Functor)> {
    let mut module: Option<SmolStr> = None;
    let mut hidden = 0;
    let mut at = root;
    loop {
        let (name, arity) = terms.functor(at)?;
        at = match (name.as_str(), terms.args(at)) {
            (":", &[m, inner]) => {
                module = Some(terms.as_atom(m)?.clone());
                inner
            }
            (":-", &[head, _]) => head,
            (arrow @ ("-->" | "=>"), &[head, _]) => {
                hidden = if arrow == "-->" { 2 } else { 0 };
                match terms.matches(head, ",", 2) {
                    Some(&[first, _]) => first,
                    _ => head,
                }
            }
            _ => return Some((module?, Functor::new(name.clone(), arity + hidden))),
        };
    }
}
