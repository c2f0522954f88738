//! The hooks that a file defines.

use std::collections::BTreeSet;

use costlens_body::{Goal, conjuncts};
use costlens_catalog::{ClauseChange, clause_change, is_fixed, is_query};
use costlens_syntax::term::{Term, TermId, Terms};
use costlens_syntax::write_term;
use smol_str::SmolStr;

use super::damage::damaged;
use super::find::find_written;
use super::hook_clause::hook_clauses;
use super::term_form::{ClauseSource, Finder, TermForm, Written, form_of};
use crate::directives::{Conditions, facts};
use crate::language::{EXPANSION_HOOKS, Functor, directive, is_expansion_hook};
use crate::loading::image::SYSTEM;
use crate::loading::{USER, home_module, is_home};
use crate::workspace::{Db, Role, SourceFile, terms};

/// A clause of `term_expansion` or `goal_expansion`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hook {
    pub(crate) of: Functor,
    /// The hook's number among the clauses for the same hook in the file, from 1.
    pub(crate) number: usize,
    pub(crate) is_of_terms: bool,
    /// The module to which the hook applies, together with modules that inherit from it; `None` if it applies to all modules.
    pub(crate) module: Option<SmolStr>,
    /// The forms of terms or goals for which the hook succeeds; `None` if unknown.
    pub(crate) keys: Option<Vec<TermForm>>,
    /// The forms of the replacements.
    pub(crate) outputs: Option<Vec<TermForm>>,
    /// The predicates of the file on whose clauses `keys` depends.
    pub(crate) asked: BTreeSet<Functor>,
    /// The guard of a hook whose `keys` are unknown.
    pub(crate) guard: Option<Guard>,
    /// A predicate that the hook calls before it expands a term, if `keys` are unknown. The hook fails where the call fails.
    pub(crate) may_fail_in: Option<Functor>,
    /// True if the hook takes every grammar rule and does not make a clause with the same head.
    pub(crate) is_of_grammar: bool,
    /// The dialect other than SWI-Prolog's in which a file must be read for the hook to apply, if any.
    pub(crate) dialect: Option<SmolStr>,
    /// The goal in the body of a clause that adds the hook, if any.
    pub(crate) added_by: Option<SmolStr>,
}

/// A dynamic predicate without clauses that a hook calls before it expands a term.
///
/// ```prolog
/// term_expansion((:- rules), []) :- prolog_load_context(source, F), assertz(rule_file(F)).
/// term_expansion(T, R) :- rule_file(F), prolog_load_context(source, F), rule(T, R).      % nothing, without `:- rules`
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guard {
    pub(crate) of: Functor,
    /// The terms for which other hooks of the file may add clauses to it.
    pub(crate) triggers: Vec<TermForm>,
    /// True if the hook calls it with the file that is read.
    pub(crate) is_of_file: bool,
}

/// *Invalidated* by every edit; equal as long as the hooks and their callees are unchanged.
#[salsa::tracked(returns(deref))]
pub(crate) fn hooks_of(db: &dyn Db, file: SourceFile) -> Vec<Hook> {
    let mut found: Vec<Hook> = Vec::new();
    if file.role(db) == Role::Library {
        return found;
    }
    let clauses = &terms(db, file).clauses;
    let mut conditions = Conditions::for_file(db, file);
    let mut absent: Vec<bool> = Vec::new();
    for read in clauses {
        if let Some(goal) = directive(&read.terms, read.root) {
            conditions.read(read, goal);
            if !conditions.is_absent() {
                found.extend(installed_by(&read.terms, goal));
            }
        } else if !conditions.is_absent() {
            found.extend(installed_when_called(&read.terms, read.root));
        }
        absent.push(conditions.is_absent());
    }
    let mut named: Vec<&Terms> = Vec::new();
    for hook in hook_clauses(clauses) {
        if absent.get(hook.clause) == Some(&true) {
            continue;
        }
        let terms = hook.terms;
        // `term_expansion(end_of_file, _) :- check_that_all_is_closed, fail.`
        if hook.body.is_some_and(|body| never_succeeds(terms, body)) {
            continue;
        }
        let program = FileClauses { db, file };
        let clause = Written {
            terms,
            head: hook.head,
            body: hook.body,
        };
        let args = terms.args(hook.head);
        // With four arguments, the second and the fourth are positions.
        let output = args[if hook.of.arity == 4 { 2 } else { 1 }];
        let is_of_terms = hook.of.name == "term_expansion";
        let finder = Finder::new(&program, true);
        let keys = match is_of_terms {
            // Module-qualified terms can be written in many ways.
            true => (finder.forms(&clause, args[0]))
                .filter(|keys| !keys.iter().any(|k| matches!(k, TermForm::Elsewhere(..)))),
            false => finder.forms_of_goal(&clause, args[0]),
        };
        found.push(Hook {
            guard: (keys.is_none())
                .then(|| guard(db, file, terms, hook.body?))
                .flatten(),
            may_fail_in: (keys.is_none())
                .then(|| first_call(db, file, terms, hook.body?))
                .flatten(),
            is_of_grammar: is_of_terms
                && keys.as_deref().is_some_and(are_grammar_rules)
                && !has_same_head(terms, args[0], output),
            keys,
            asked: finder.asked(),
            dialect: context(terms, hook.body, "dialect").filter(|dialect| dialect != "swi"),
            added_by: None,
            number: hook.number,
            is_of_terms,
            module: context(terms, hook.body, "module")
                .or_else(|| match hook.module {
                    None => home_module(db, file).clone(),
                    Some(written) => written,
                })
                .filter(|m| !matches!(m.as_str(), USER | SYSTEM)),
            outputs: if keeps_head(terms, args[0], output) || !is_of_terms {
                Some(Vec::new())
            } else {
                Finder::new(&program, false).forms(&clause, output)
            },
            of: hook.of,
        });
        named.push(terms);
    }
    add_triggers(&mut found, &named);
    found
}

/// Returns the value of a key that the first goal of a hook asks for: `swish` for `prolog_load_context(module, swish)`.
fn context(terms: &Terms, body: Option<TermId>, key: &str) -> Option<SmolStr> {
    let first = *conjuncts(terms, body?).first()?;
    let &[asked, value] = terms.args(first) else {
        return None;
    };
    let is_asked = terms
        .functor(first)
        .is_some_and(|(name, arity)| is_query(name, arity));
    if !is_asked || terms.as_atom(value).is_none() {
        return None;
    }
    (terms.as_atom(asked)? == key).then(|| terms.as_atom(value).cloned())?
}

/// Returns whether directives of a file choose a dialect other than SWI-Prolog's.
///
/// *Invalidated* by every edit; the result is nearly always equal.
#[salsa::tracked(returns(copy))]
pub(crate) fn chooses_dialect(db: &dyn Db, file: SourceFile) -> bool {
    terms(db, file).clauses.iter().any(|read| {
        let goal = directive(&read.terms, read.root);
        let parts = goal
            .map(|goal| read.terms.subterms(goal))
            .unwrap_or_default();
        parts
            .into_iter()
            .any(|t| read.terms.matches(t, EXPECTS_DIALECT, 1).is_some())
    })
}

/// The directive that chooses a dialect.
const EXPECTS_DIALECT: &str = "expects_dialect";

/// Returns the first predicate, neither built in nor dynamic, that a body calls outside every control construct but `catch/3` and `once/1`.
fn first_call(db: &dyn Db, file: SourceFile, terms: &Terms, body: TermId) -> Option<Functor> {
    let called = |goal: TermId| {
        let goal = match Goal::lower(terms, goal) {
            Goal::Catch { goal, .. } | Goal::Once(goal) => goal,
            _ => goal,
        };
        let is_call = matches!(Goal::lower(terms, goal), Goal::Call(_));
        Functor::from_term(terms, goal).filter(|of| {
            let is_known = is_fixed(&of.name, of.arity) || is_query(&of.name, of.arity);
            is_call && !is_known && !facts(db, file).is_open(of)
        })
    };
    conjuncts(terms, body).into_iter().find_map(called)
}

/// Returns whether a hook takes every grammar rule, and nothing else.
fn are_grammar_rules(keys: &[TermForm]) -> bool {
    let is_any_rule = |key: &TermForm| matches!(key, TermForm::Rule(arrow, None) if arrow == "-->");
    !keys.is_empty() && keys.iter().all(is_any_rule)
}

/// Returns the first dynamic predicate without clauses that a body calls.
fn guard(db: &dyn Db, file: SourceFile, terms: &Terms, body: TermId) -> Option<Guard> {
    let goals = conjuncts(terms, body);
    let (guard, of) = goals.iter().find_map(|&goal| {
        let of = Functor::from_term(terms, goal)?;
        let is_empty = find_written(db, file, &of).is_none_or(|p| p.clauses(db).is_empty());
        (is_empty && facts(db, file).dynamic.contains(&of)).then_some((goal, of))
    })?;
    // `prolog_load_context(source, File)`
    let is_file_that_is_read = |&goal: &TermId| match (terms.functor(goal), terms.args(goal)) {
        (Some((name, 2)), &[key, value]) if is_query(name, 2) => {
            let key = terms.as_atom(key).map(SmolStr::as_str);
            let mut given = terms.args(guard).iter();
            matches!(key, Some("source" | "file"))
                && given.any(|&given| terms.get(given) == terms.get(value))
        }
        _ => false,
    };
    Some(Guard {
        is_of_file: goals.iter().any(is_file_that_is_read),
        of,
        triggers: Vec::new(),
    })
}

/// Adds the terms for which hooks of the same file mention a guard. `clauses` contains the terms of the clauses of the last hooks.
fn add_triggers(hooks: &mut [Hook], clauses: &[&Terms]) {
    let first = hooks.len() - clauses.len();
    for at in first..hooks.len() {
        let Some(guard) = hooks[at].guard.clone() else {
            continue;
        };
        let mut triggers = Vec::new();
        for (hook, terms) in hooks[first..].iter().zip(clauses) {
            let is_named =
                |t: TermId| Functor::from_term(terms, t).is_some_and(|of| of == guard.of);
            let is_changed = terms.ids().any(is_named);
            let keys = hook.keys.iter().flatten();
            if is_changed {
                triggers.extend(keys.filter(|key| !key.is_always_read()).cloned());
            }
        }
        hooks[at].guard = Some(Guard { triggers, ..guard });
    }
}

/// Returns whether one of the goals of a body is `fail`.
fn never_succeeds(terms: &Terms, body: TermId) -> bool {
    let mut goals = conjuncts(terms, body).into_iter();
    goals.any(|goal| matches!(Goal::lower(terms, goal), Goal::Fail | Goal::False))
}

/// Returns true for expansions such as `term_expansion((H --> B), (H --> C))`, which keep the predicate to which the clause belongs.
fn keeps_head(terms: &Terms, from: TermId, to: TermId) -> bool {
    let arrow = |t: TermId| terms.functor(t).map(|(arrow, _)| arrow);
    has_same_head(terms, from, to) && arrow(from) == arrow(to)
}

/// Returns true for expansions such as `term_expansion((H --> B), (H :- C))`: the heads are the same variable.
fn has_same_head(terms: &Terms, from: TermId, to: TermId) -> bool {
    let head = |t: TermId| match (terms.functor(t)?, terms.args(t)) {
        ((arrow, 2), &[head, _]) if matches!(arrow.as_str(), ":-" | "-->" | "=>") => {
            Some(terms.get(head))
        }
        _ => None,
    };
    matches!((head(from), head(to)), (Some(Term::Var(v)), Some(Term::Var(w))) if v == w)
}

/// Returns the hooks that the body of a clause adds: `start :- asserta(user:goal_expansion(p(X), q(X)))`.
fn installed_when_called(terms: &Terms, root: TermId) -> Vec<Hook> {
    let Some(&[_, body]) = terms.matches(root, ":-", 2) else {
        return Vec::new();
    };
    let added = |t: TermId| {
        let (name, arity) = terms.functor(t)?;
        let is_added = clause_change(name, arity) == Some(ClauseChange::Add);
        let clause = *terms.args(t).first().filter(|_| is_added)?;
        let neck = terms.matches(clause, ":-", 2);
        let mut head = neck.map_or(clause, |args| args[0]);
        while let Some(&[_, inner]) = terms.matches(head, ":", 2) {
            head = inner;
        }
        let of = Functor::from_term(terms, head)?;
        is_expansion_hook(&of).then(|| (t, of, terms.args(head)[0]))
    };
    let below = terms.subterms(body).into_iter().filter_map(added);
    below
        .map(|(goal, of, input)| {
            let is_known = !matches!(terms.get(input), Term::Var(_));
            let keys = is_known.then(|| form_of(terms, input, &|_| false));
            Hook {
                is_of_terms: of.name == "term_expansion",
                of,
                number: 0,
                module: None,
                keys: keys.flatten().map(|form| vec![form]),
                outputs: None,
                asked: BTreeSet::new(),
                guard: None,
                may_fail_in: None,
                is_of_grammar: false,
                dialect: None,
                added_by: Some(write_term(terms, goal, None).into()),
            }
        })
        .collect()
}

/// Returns a hook that a directive adds: `:- asserta(user:term_expansion(…))`.
fn installed_by(terms: &Terms, goal: TermId) -> Option<Hook> {
    let parts = terms.subterms(goal);
    let of = parts.iter().find_map(|&t| {
        let (name, arity) = terms.functor(t)?;
        EXPANSION_HOOKS
            .contains(&(name.as_str(), arity))
            .then(|| Functor::new(name.clone(), arity))
    })?;
    Some(Hook {
        is_of_terms: of.name == "term_expansion",
        of,
        number: 0,
        module: None,
        keys: None,
        outputs: None,
        asked: BTreeSet::new(),
        guard: None,
        may_fail_in: None,
        is_of_grammar: false,
        dialect: None,
        added_by: None,
    })
}

/// The clauses of a file, unless further clauses can be added.
struct FileClauses<'db> {
    db: &'db dyn Db,
    file: SourceFile,
}

impl ClauseSource for FileClauses<'_> {
    fn clauses(&self, functor: &Functor) -> Option<Vec<Written<'_>>> {
        let predicate = find_written(self.db, self.file, functor)?;
        let is_open = self.is_open(functor) || damaged(self.db, predicate).is_some();
        let clauses = predicate.clauses(self.db).iter();
        (!is_open).then(|| {
            (clauses.map(|c| Written {
                terms: &c.terms,
                head: c.head,
                body: c.body,
            }))
            .collect()
        })
    }

    fn is_open(&self, functor: &Functor) -> bool {
        facts(self.db, self.file).is_open(functor)
    }

    fn is_own(&self, module: &str) -> bool {
        is_home(self.db, self.file, module)
    }
}
