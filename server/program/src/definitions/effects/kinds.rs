//! Which part of a program a goal or a clause can change.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_body::{Goal, conjuncts};
use costlens_catalog::{Alteration, FlagEffect, alteration, flag_effect, opening};
use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::SmolStr;

use super::reading::{changes_reading, flag_set, is_any_flag, sets_flag_of_module, sets_quotes};
use crate::language::{Clause, Functor, qualified_head};

/// The part of a program that a goal can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ChangedPart {
    /// Everything.
    Program,
    /// The module of the text after the goal.
    Module,
    /// The text after the goal.
    Text(Mentioning),
    /// Predicates of these names, in any module.
    Predicates(BTreeSet<Functor>),
    /// Predicates with a name that the directive contains, or the clauses that it runs; that it changes no other predicate is an
    /// assumption.
    Named(EffectClaim),
    /// Calls of this built-in, and clauses for it.
    BuiltIn(Functor),
    /// The results of `/`, `^` and `**`.
    Division,
    /// Output by formats with `~` and this character, or with any character.
    Formats(Option<char>),
    /// Nothing, by assumption.
    Assumed(EffectClaim),
}

/// The clauses of a text that a goal can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mentioning {
    /// All clauses.
    Anything,
    /// Clauses with quoted text.
    Quotes,
    /// Clauses with one of these operators.
    Names(BTreeSet<SmolStr>),
}

impl Mentioning {
    /// Returns whether the goal can change a clause with this text.
    pub(super) fn concerns(&self, text: &str) -> bool {
        match self {
            Mentioning::Anything => true,
            Mentioning::Quotes => text.contains(['"', '`']),
            Mentioning::Names(names) => names.iter().any(|name| text.contains(&**name)),
        }
    }
}

/// The assumption that a goal does not change a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EffectClaim {
    /// A `dynamic` or `table` directive with a computed argument declares no predicate that has clauses.
    DeclaresNone,
    /// A hook that runs at exceptions does not run.
    DoesNotRun,
    /// `wrap_predicate/4` wraps none of the file's predicates.
    WrapsNone,
    /// `compile_aux_clauses/1` adds no clauses to the file's predicates.
    AddsNone,
    /// A goal loads no clauses of the file's predicates.
    LoadsNone,
    /// A flag whose name is not written in the goal changes no predicate.
    SetsNone,
    /// Autoloading is left on.
    KeepsAutoloading,
}

/// The hook that runs at every exception.
pub(super) const EXCEPTION_HOOK: &str = "prolog_exception_hook";

/// The place of a goal that may change a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Runner {
    Directive,
    Clause,
}

/// Returns the part of a program that a goal changes, in a directive or in the body of a clause. Returns `None` if it changes nothing.
pub(super) fn kind(terms: &Terms, goal: TermId, runner: Runner) -> Option<ChangedPart> {
    let in_directive = runner == Runner::Directive;
    let (name, arity) = terms.functor(goal)?;
    let args = terms.args(goal);
    let is_set = name != "create_prolog_flag";
    match flag_set(terms, goal) {
        Some(FlagEffect::Running) => {
            let is_autoload = terms.as_atom(args[0]).is_some_and(|f| f == "autoload");
            return match (is_autoload, is_set && in_directive) {
                // The effects of directives on autoloading are known (`directives::acts`).
                (true, true) => None,
                (true, false) => Some(ChangedPart::Assumed(EffectClaim::KeepsAutoloading)),
                _ => Some(ChangedPart::Program),
            };
        }
        Some(FlagEffect::Division) => return Some(ChangedPart::Division),
        Some(FlagEffect::Assertions) => return None,
        // A clause that runs later affects only text that is read after it runs.
        Some(FlagEffect::Reading) => {
            return in_directive.then_some(ChangedPart::Text(Mentioning::Anything));
        }
        Some(FlagEffect::Quotes) => {
            return (in_directive && !is_set).then_some(ChangedPart::Text(Mentioning::Quotes));
        }
        None => {}
    }
    if let Some(alteration) = alteration(name, arity) {
        return altered_by(terms, args, alteration).filter(|_| {
            // The module of the text that a clause reads when it runs is not that of this text.
            alteration != Alteration::Module || in_directive
        });
    }
    if !in_directive && is_any_flag(terms, goal) {
        return Some(ChangedPart::Assumed(EffectClaim::SetsNone));
    }
    if !in_directive || opening(name, arity).is_none() {
        return None;
    }
    args.iter().find_map(|&what| declared(terms, what))
}

/// Returns the part of a program that a call of a built-in with these arguments changes.
fn altered_by(terms: &Terms, args: &[TermId], alteration: Alteration) -> Option<ChangedPart> {
    let first = *args.first()?;
    Some(match alteration {
        // `'$set_source_module'(M, M)` is a query.
        Alteration::Module => {
            let is_query = args.len() == 2 && terms.get(first) == terms.get(args[1]);
            (!is_query).then_some(ChangedPart::Module)?
        }
        Alteration::Formats => ChangedPart::Formats(character(terms, first)),
        Alteration::BuiltIn => {
            head(terms, first).map_or(ChangedPart::Program, ChangedPart::BuiltIn)
        }
        Alteration::Calls => match head(terms, first) {
            Some(functor) => ChangedPart::Predicates([functor].into()),
            None => ChangedPart::Assumed(EffectClaim::WrapsNone),
        },
        Alteration::Clauses => added(terms, first),
        Alteration::Events => listened(terms, first),
        Alteration::Program => ChangedPart::Program,
    })
}

/// Returns the text that a goal changes in a way that the reader does not implement.
pub(super) fn text_changed(terms: &Terms, goal: TermId) -> ChangedPart {
    // The flag of another module changes text in other files.
    if sets_flag_of_module(terms, goal) || is_any_flag(terms, goal) {
        return ChangedPart::Program;
    }
    if sets_quotes(terms, goal) {
        return ChangedPart::Text(Mentioning::Quotes);
    }
    // A closure: `maplist(op(700, xfx), Os)`, `maplist(set_prolog_flag(double_quotes), Vs)`.
    let is_of_operators = |name: &str| matches!(name, "op" | "push_op" | "push_operators");
    let named = terms.functor(goal).map(|(name, _)| name.as_str());
    let flag = terms
        .args(goal)
        .first()
        .and_then(|&flag| terms.as_atom(flag));
    let is_of_quotes = flag.and_then(|flag| flag_effect(flag, None)) == Some(FlagEffect::Quotes);
    if changes_reading(terms, goal) || named.is_some_and(is_of_operators) {
        ChangedPart::Text(Mentioning::Names(BTreeSet::new()))
    } else if is_of_quotes {
        ChangedPart::Text(Mentioning::Quotes)
    } else {
        ChangedPart::Program
    }
}

/// Returns the functor of a clause's head, without a module.
pub(super) fn clause_functor(terms: &Arc<Terms>, root: TermId) -> Option<Functor> {
    match qualified_head(terms, root) {
        Some((_, functor)) => Some(functor),
        None => Clause::from_term(terms, root).map(|(functor, _)| functor),
    }
}

/// Returns the kinds of a clause's effects: a hook that runs at every exception, or a goal in its body.
pub(super) fn kind_of_clause(
    terms: &Arc<Terms>,
    root: TermId,
) -> Vec<(ChangedPart, Option<TermId>)> {
    let Some(functor) = clause_functor(terms, root) else {
        return Vec::new();
    };
    if functor.name == EXCEPTION_HOOK && matches!(functor.arity, 4 | 5) {
        return vec![(ChangedPart::Assumed(EffectClaim::DoesNotRun), None)];
    }
    let mut arrows = [":-", "-->", "=>"].iter();
    let body = arrows.find_map(|arrow| terms.matches(root, arrow, 2)?.last().copied());
    let below = body.map(|body| terms.subterms(body)).unwrap_or_default();
    (below.into_iter())
        .filter_map(|id| Some((kind(terms, id, Runner::Clause)?, Some(id))))
        .collect()
}

/// Returns true for a goal that sets the module of the text that is read.
pub(super) fn sets_module(terms: &Terms, goal: TermId) -> bool {
    let functor = terms.functor(goal);
    functor.is_some_and(|(name, arity)| alteration(name, arity) == Some(Alteration::Module))
}

/// Returns whether a clause sets the module of the text that is read, and restores it:
///
/// ```prolog
/// with(M, G) :- setup_call_cleanup('$set_source_module'(Old, M), G, '$set_source_module'(_, Old)).
/// ```
pub(super) fn restores_module(terms: &Terms, root: TermId) -> bool {
    let sets = |&id: &TermId| sets_module(terms, id).then(|| terms.args(id));
    let below = terms.subterms(root);
    let set: Vec<&[TermId]> = below.iter().filter_map(sets).collect();
    let old = set
        .iter()
        .filter(|args| args.len() == 2)
        .map(|args| terms.get(args[0]));
    let mut old = old.filter(|old| matches!(old, Term::Var(_)));
    old.any(|old| {
        set.iter()
            .any(|args| args.last().is_some_and(|&new| terms.get(new) == old))
    })
}

/// Returns whether a directive makes the system emulate SICStus Prolog, whose `block/1` suspends calls.
pub(super) fn emulates_sicstus(terms: &Terms, directive: TermId) -> bool {
    let mut below = terms.subterms(directive).into_iter();
    below.any(|id| {
        let dialect = terms.matches(id, "expects_dialect", 1);
        dialect
            .and_then(|args| terms.as_atom(args[0]))
            .is_some_and(|name| matches!(name.as_str(), "sicstus" | "sicstus4"))
    })
}

/// Returns the goal `block/1` in a directive, if any, with the predicates that it suspends.
pub(super) fn blocked(terms: &Terms, directive: TermId) -> Option<(ChangedPart, TermId)> {
    let mut below = terms.subterms(directive).into_iter();
    let goal = below.find(|&id| terms.matches(id, "block", 1).is_some())?;
    let specs = terms.chain(terms.args(goal)[0], ",").into_iter();
    let heads: Option<BTreeSet<Functor>> = specs.map(|spec| head(terms, spec)).collect();
    Some((
        heads.map_or(ChangedPart::Program, ChangedPart::Predicates),
        goal,
    ))
}

/// Returns a conjunct of a directive that throws a ball other than `error(_, _)`, at which SWI-Prolog stops reading the file.
pub(super) fn ball_thrown(terms: &Terms, directive: TermId) -> Option<TermId> {
    (conjuncts(terms, directive).into_iter()).find(|&goal| match Goal::lower(terms, goal) {
        Goal::Throw(ball) => throws(terms, ball),
        _ => false,
    })
}

/// Returns whether a ball ends the loading of a file: any term other than `error(_, _)`. `throw(_)` raises an instantiation error.
pub(super) fn throws(terms: &Terms, ball: TermId) -> bool {
    terms.matches(ball, "error", 2).is_none() && !matches!(terms.get(ball), Term::Var(_))
}

/// Returns the functor of a head with or without a module: `p/1` for `m:p(_)` and `_:p(_)`.
pub(super) fn head(terms: &Terms, mut head: TermId) -> Option<Functor> {
    while let Some(&[_, inner]) = terms.matches(head, ":", 2) {
        head = inner;
    }
    Functor::from_term(terms, head)
}

fn character(terms: &Terms, written: TermId) -> Option<char> {
    match terms.get(written) {
        Term::Integer(code) => u32::try_from(code).ok().and_then(char::from_u32),
        _ => {
            let mut chars = terms.as_atom(written)?.chars();
            chars.next().filter(|_| chars.next().is_none())
        }
    }
}

/// Returns the predicates to which `compile_aux_clauses/1` adds clauses.
fn added(terms: &Terms, clauses: TermId) -> ChangedPart {
    let (elements, rest) = terms.list(clauses);
    let is_list = terms.as_atom(rest).is_some_and(|nil| nil == "[]");
    let heads = elements.iter().map(|&clause| {
        let neck = terms.matches(clause, ":-", 2);
        head(terms, neck.map_or(clause, |args| args[0]))
    });
    match heads.collect::<Option<BTreeSet<Functor>>>() {
        Some(heads) if is_list => ChangedPart::Predicates(heads),
        _ => ChangedPart::Assumed(EffectClaim::AddsNone),
    }
}

/// Returns the predicates whose changes, or the events at which, `prolog_listen/2,3` runs a goal.
fn listened(terms: &Terms, channel: TermId) -> ChangedPart {
    let mut channel = channel;
    while let Some(&[_, inner]) = terms.matches(channel, ":", 2) {
        channel = inner;
    }
    match terms.matches(channel, "/", 2) {
        // The clauses of a predicate that does not change run no goal.
        Some(&[name, arity]) => match indicated(terms, name, arity) {
            Some(functor) => ChangedPart::Predicates([functor].into()),
            None => ChangedPart::Program,
        },
        _ => ChangedPart::Assumed(EffectClaim::DoesNotRun),
    }
}

fn indicated(terms: &Terms, name: TermId, arity: TermId) -> Option<Functor> {
    match terms.get(arity) {
        Term::Integer(arity) => {
            let arity = usize::try_from(arity).ok()?;
            Some(Functor::new(terms.as_atom(name)?.clone(), arity))
        }
        _ => None,
    }
}

/// Returns the predicates of a declaration with a computed part: `item/2` for `dynamic(M:item/2)`. Returns `None` if all is written out.
fn declared(terms: &Terms, what: TermId) -> Option<ChangedPart> {
    let (mut stack, mut known, mut in_any_module) = (vec![what], BTreeSet::new(), false);
    while let Some(top) = stack.pop() {
        match (terms.get(top), terms.functor(top)) {
            (Term::Var(_), _) => return Some(ChangedPart::Named(EffectClaim::DeclaresNone)),
            (_, Some((name, 2))) if name == ":" => {
                let args = terms.args(top);
                in_any_module |= matches!(terms.get(args[0]), Term::Var(_));
                stack.push(args[1]);
            }
            (_, Some((name, 2))) if matches!(name.as_str(), "/" | "//") => {
                let args = terms.args(top);
                let Some(functor) = indicated(terms, args[0], args[1]) else {
                    return Some(ChangedPart::Named(EffectClaim::DeclaresNone));
                };
                let added = if name == "//" { 2 } else { 0 };
                known.insert(Functor::new(functor.name.clone(), functor.arity + added));
            }
            (_, Some((name, 2))) if matches!(name.as_str(), "," | "[|]" | "as") => {
                stack.extend(terms.args(top));
            }
            _ => {}
        }
    }
    in_any_module.then_some(ChangedPart::Predicates(known))
}
