//! Goals that change the meaning of a whole program's clauses, or the cost of their calls.
//!
//! ```prolog
//! :- set_prolog_flag(occurs_check, error).              % every unification may raise
//! :- wrap_predicate(p(_), log, W, (note, W)).           % p/1 runs more than its clauses
//! :- once(set_prolog_flag(double_quotes, codes)).       % the following text changes its meaning, which the reader does not see
//! :- G = op(700, xfx, ===>), call(G).                   % nor does it see this
//! :- forall(member(N, [p]), dynamic(N/1)).              % the dynamic predicates are not given explicitly
//! prolog_exception_hook(_, _, _, _) :- note, fail.      % runs at every exception
//! ```
//!
//! Such a goal also counts if it is in a clause that a directive calls: `quiet :- set_prolog_flag(double_quotes, atom).` before `:- quiet.`
//!
//! In SWI-Prolog 9.0.4, two further directives end or redirect the loading of a file:
//!
//! ```prolog
//! :- throw(stop).           % not an error(_, _): the rest of the file is not read
//! :- m:use_module(part).    % part.pl is not a module: the following clauses belong to m
//! ```
//!
//! These goals are rare but have wide effects. No bounds are therefore reported for a program that contains one, and the goal is reported
//! to the user.

use std::cell::OnceCell;
use std::sync::Arc;

use costlens_body::{Goal, conjuncts};
use costlens_catalog::{FlagEffect, alters_programs, flag_effect, names_alteration, opening};
use costlens_syntax::operators::{is_assertion_kind, is_assertion_status, is_profiling_word};
use costlens_syntax::term::{Term, TermId, Terms};
use costlens_syntax::{
    OperatorGoal, OperatorType, Operators, ReadClause, ReadingGoal, reading_goal, write_term,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

use crate::directives::{Conditions, Presence, facts, loads};
use crate::language::{
    Clause, Functor, UnitMark, calls, directive, goals_run, qualified_head, unit_mark,
};
use crate::loading::image::programs;
use crate::loading::{is_home, program, target, unit};
use crate::workspace::{Db, Role, SourceFile, is_installed, terms};

/// A goal or clause that alters a program, as text: `set_prolog_flag(occurs_check, error)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alteration {
    /// The file that contains it.
    pub file: SourceFile,
    /// The goal, or the name of the clause's predicate.
    pub by: SmolStr,
    /// True if adding the directive to the other file as well would resolve the problem.
    pub of_quotes: bool,
}

/// The alterations in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Altered {
    /// The first alteration that affects all files of the program.
    program: Option<SmolStr>,
    /// The first plain directive that changes how quoted text is read in all files of its module.
    quotes: Option<SmolStr>,
    /// The first alteration that removes the goals of `assertion/1`.
    assertions: Option<SmolStr>,
}

/// Returns a goal or clause that alters a program to which the file belongs.
///
/// *Invalidated* when a goal that alters a program is added or removed, a directive changes, or a file is added or removed.
#[salsa::tracked(returns(ref))]
pub fn altered(db: &dyn Db, file: SourceFile) -> Option<Alteration> {
    if file.role(db) == Role::Library || is_installed(db, file) {
        return None;
    }
    let of_program = || (programs(db, file).iter()).find_map(|&root| in_program(db, root).clone());
    in_file(db, file)
        .or_else(of_program)
        .or_else(|| quotes_of_another(db, file))
}

fn in_file(db: &dyn Db, file: SourceFile) -> Option<Alteration> {
    let by = (alterations(db, file).program.clone()).or_else(|| diverted(db, file))?;
    Some(Alteration {
        file,
        by,
        of_quotes: false,
    })
}

/// Returns the directive that removes goals of `assertion/1` in the programs of a file: `:- set_prolog_flag(optimise, true).`
///
/// *Invalidated* like [`altered`].
#[salsa::tracked(returns(ref))]
pub(crate) fn leaving_out_assertions(db: &dyn Db, file: SourceFile) -> Option<Alteration> {
    if file.role(db) == Role::Library || is_installed(db, file) {
        return None;
    }
    let roots = programs(db, file).iter();
    let mut all = roots.flat_map(|&root| files_of(db, root)).chain([file]);
    all.find_map(|other| {
        let by = alterations(db, other).assertions.clone()?;
        Some(Alteration {
            file: other,
            by,
            of_quotes: false,
        })
    })
}

/// Returns a directive that makes another module import a file that is not a module: SWI-Prolog raises an error and remains in that module.
fn diverted(db: &dyn Db, file: SourceFile) -> Option<SmolStr> {
    (loads(db, file).loads.iter().enumerate()).find_map(|(number, load)| {
        let into = load.into.as_ref().filter(|_| load.must_be_module)?;
        let other = target(db, file, number)?;
        let is_diverted = facts(db, other).module.is_none() && !is_home(db, file, into);
        is_diverted.then(|| format_smolstr!("{into}:use_module({})", load.spec))
    })
}

/// Returns the user's files in the program with this root file.
fn files_of(db: &dyn Db, root: SourceFile) -> impl Iterator<Item = SourceFile> {
    let program = program(db, root);
    let files = program.stretches.iter().map(|stretch| stretch.file);
    let all = files.chain(program.later.iter().copied());
    all.filter(move |&f| !is_installed(db, f))
}

/// *Invalidated* like [`altered`].
#[salsa::tracked(returns(ref))]
fn in_program(db: &dyn Db, root: SourceFile) -> Option<Alteration> {
    files_of(db, root).find_map(|file| in_file(db, file))
}

/// Returns an alteration by another file of the module that changes how quoted text is read, if this file contains quoted text but not the
/// directive.
fn quotes_of_another(db: &dyn Db, file: SourceFile) -> Option<Alteration> {
    let parts = unit(db, file);
    if parts.is_empty() || !file.parsed(db).text.contains(['"', '`']) {
        return None;
    }
    let own = &alterations(db, file).quotes;
    parts.iter().find_map(|&part| {
        let quotes = &alterations(db, part).quotes;
        let by = quotes.clone().filter(|_| quotes != own)?;
        Some(Alteration {
            file: part,
            by,
            of_quotes: true,
        })
    })
}

/// *Invalidated* by every edit; equal as long as the same goals alter the program.
#[salsa::tracked(returns(ref))]
fn alterations(db: &dyn Db, file: SourceFile) -> Altered {
    let mut found = Altered::default();
    let mut conditions = Conditions::of(db, file);
    let mut for_reader = costlens_syntax::Conditions::of_reader(file.parsed(db).dialect());
    let (mut in_unit, mut emulates) = (false, false);
    let clauses = &terms(db, file).clauses;
    let bodies = OnceCell::new();
    for read in clauses {
        let terms = &read.terms;
        let goal = directive(terms, read.root);
        if goal.is_none() && !may_alter(terms) {
            debug_assert!(leaves_out_assertions(terms, read.root).is_none());
            debug_assert!(in_clause(terms, read.root).is_none());
            continue;
        }
        let leaves_out = || leaves_out_assertions(terms, read.root);
        found.assertions = found.assertions.or_else(leaves_out);
        let Some(goal) = goal else {
            let by = in_clause(terms, read.root);
            found.program = found.program.or(by);
            continue;
        };
        conditions.read(read, goal);
        for_reader.read(terms, goal);
        // The reader also skips this directive.
        if for_reader.presence() == Presence::Absent {
            continue;
        }
        if let Some(mark) = unit_mark(terms, goal) {
            in_unit = mark == UnitMark::Begin;
        }
        let is_run = conditions.presence() == Presence::There && !in_unit;
        let followed = match is_run {
            true => followed(terms, goal),
            false => Vec::new(),
        };
        for &goal in &followed {
            if sets_quotes(terms, run_now(terms, goal)) {
                found.quotes = found.quotes.or_else(|| Some(text(terms, goal)));
            }
        }
        for run in goals_run(terms, goal) {
            if !run.at_end && found.program.is_none() {
                let bodies = bodies.get_or_init(|| bodies_of(clauses));
                found.program = called(terms, run.goal, bodies);
            }
        }
        let by = not_followed(terms, goal, &followed, &|m: &str| is_home(db, file, m));
        let mut below = terms.subterms(goal).into_iter();
        let by = by.or_else(|| below.find(|&id| alters(terms, id, true)));
        let by = by.or_else(|| is_run.then(|| ball_thrown(terms, goal)).flatten());
        let by = by.or_else(|| emulates.then(|| block_declared(terms, goal)).flatten());
        emulates |= emulates_sicstus(terms, goal);
        found.program = found.program.or_else(|| Some(text(terms, by?)));
    }
    found
}

/// Returns a part of a directive that changes how the following text is read, but whose effect the reader does not implement.
fn not_followed(
    terms: &Terms,
    directive: TermId,
    followed: &[TermId],
    is_home: &dyn Fn(&str) -> bool,
) -> Option<TermId> {
    let goals = conjuncts(terms, directive).into_iter();
    let mut others = goals.filter(|&goal| {
        let name = terms.functor(goal).map_or("", |(name, _)| name.as_str());
        let is_assertion =
            is_assertion_kind(name) || is_assertion_status(name) || is_profiling_word(name);
        !(is_assertion || followed.contains(&goal) && is_understood(terms, goal, is_home))
    });
    others.find_map(|goal| {
        let mut parts = outside_of_lists(terms, goal).into_iter();
        let written = parts.find(|&id| changes_reading(terms, id) || is_any_flag(terms, id));
        let closure = || {
            let mut called = calls(terms, goal).into_iter();
            called.find(|call| call.added > 0 && may_change_reading(&call.callee))
        };
        written.or_else(|| closure().map(|call| call.goal))
    })
}

/// Returns whether the reader implements the effect of a goal on how the following text is read.
fn is_understood(terms: &Terms, goal: TermId, is_home: &dyn Fn(&str) -> bool) -> bool {
    let is_flag_understood = |&(flag, value): &(TermId, TermId)| {
        let is_here = match terms.matches(flag, ":", 2) {
            Some(&[module, _]) => terms.as_atom(module).is_some_and(|m| is_home(m)),
            _ => true,
        };
        let is_known = terms
            .as_atom(value)
            .is_some_and(|v| matches!(v.as_str(), "atom" | "chars" | "codes" | "string"));
        effect_of(terms, flag, value) != Some(FlagEffect::Quotes) || is_here && is_known
    };
    match reading_goal(terms, run_now(terms, goal)) {
        Some(ReadingGoal::Flags(all)) => all.iter().all(is_flag_understood),
        Some(_) => true,
        None => false,
    }
}

/// Returns the subgoals outside export and import lists; the reader already knows the operators in these lists.
fn outside_of_lists(terms: &Terms, goal: TermId) -> Vec<TermId> {
    let (mut found, mut stack) = (Vec::new(), vec![goal]);
    while let Some(top) = stack.pop() {
        let name = terms.functor(top).map_or("", |(name, _)| name.as_str());
        if !matches!(
            name,
            "autoload" | "export" | "module" | "reexport" | "use_module"
        ) {
            found.push(top);
            stack.extend(terms.args(top).iter().rev());
        }
    }
    found
}

/// Returns `G` for `initialization(G, now)`, and any other goal unchanged.
fn run_now(terms: &Terms, goal: TermId) -> TermId {
    match terms.matches(goal, "initialization", 2) {
        Some(&[inner, when]) if terms.as_atom(when).is_some_and(|w| w == "now") => inner,
        _ => goal,
    }
}

/// Returns whether a goal calls a predicate that changes how text is read.
fn may_change_reading(functor: &Functor) -> bool {
    matches!(
        (functor.name.as_str(), functor.arity),
        ("op" | "push_op" | "create_prolog_flag", 3)
            | ("set_prolog_flag" | "push_operators", 2)
            | ("push_operators", 1)
    )
}

/// Returns whether a goal sets a flag whose name is not written in the goal.
fn is_any_flag(terms: &Terms, goal: TermId) -> bool {
    let args = terms.matches(goal, "set_prolog_flag", 2);
    args.is_some_and(|args| matches!(terms.get(without_module(terms, args[0])), Term::Var(_)))
}

/// Returns the flag without its module: `double_quotes` for `user:double_quotes`.
fn without_module(terms: &Terms, flag: TermId) -> TermId {
    match terms.matches(flag, ":", 2) {
        Some(&[_, inner]) => inner,
        _ => flag,
    }
}

/// Returns whether a directive makes the system emulate SICStus Prolog, whose `block/1` suspends calls.
fn emulates_sicstus(terms: &Terms, directive: TermId) -> bool {
    let mut below = terms.subterms(directive).into_iter();
    below.any(|id| {
        let dialect = terms.matches(id, "expects_dialect", 1);
        dialect
            .and_then(|args| terms.as_atom(args[0]))
            .is_some_and(|name| matches!(name.as_str(), "sicstus" | "sicstus4"))
    })
}

/// Returns the goal `block/1` in a directive, if any.
fn block_declared(terms: &Terms, directive: TermId) -> Option<TermId> {
    let mut below = terms.subterms(directive).into_iter();
    below.find(|&id| terms.matches(id, "block", 1).is_some())
}

/// Returns a conjunct of a directive that throws a ball other than `error(_, _)`, at which SWI-Prolog stops reading the file.
fn ball_thrown(terms: &Terms, directive: TermId) -> Option<TermId> {
    (conjuncts(terms, directive).into_iter()).find(|&goal| match Goal::of(terms, goal) {
        // `throw(_)` raises an instantiation error.
        Goal::Throw(ball) => {
            terms.matches(ball, "error", 2).is_none() && !matches!(terms.get(ball), Term::Var(_))
        }
        _ => false,
    })
}

/// Returns the goals of a directive whose effects the reader implements: the conjuncts up to the first that may fail.
fn followed(terms: &Terms, directive: TermId) -> Vec<TermId> {
    // Loading may fail.
    const SUCCEED: [&str; 6] = [
        "discontiguous",
        "dynamic",
        "multifile",
        "op",
        "set_prolog_flag",
        "style_check",
    ];
    let mut found = Vec::new();
    for goal in conjuncts(terms, directive) {
        found.push(goal);
        let is_known =
            (terms.functor(goal)).is_some_and(|(name, _)| SUCCEED.contains(&name.as_str()));
        if !is_known && reading_goal(terms, run_now(terms, goal)).is_none() {
            break;
        }
    }
    found
}

/// The bodies of a file's clauses, by predicate.
type Bodies<'a> = FxHashMap<Functor, Vec<(&'a Terms, TermId)>>;

fn bodies_of(clauses: &[ReadClause]) -> Bodies<'_> {
    let mut found = Bodies::default();
    for read in clauses {
        if let Some(&[head, body]) = read.terms.matches(read.root, ":-", 2)
            && let Some(functor) = Functor::of(&read.terms, head)
        {
            found.entry(functor).or_default().push((&read.terms, body));
        }
    }
    found
}

/// Returns a goal that alters the program or changes how the following text is read, from the clauses in the file that a directive's goal
/// calls.
fn called(terms: &Terms, goal: TermId, bodies: &Bodies<'_>) -> Option<SmolStr> {
    let (mut seen, mut open) = (FxHashSet::default(), vec![Functor::of(terms, goal)?]);
    while let Some(callee) = open.pop() {
        let Some(of_callee) = bodies.get(&callee) else {
            continue;
        };
        if !seen.insert(callee) {
            continue;
        }
        for &(terms, body) in of_callee {
            for id in terms.subterms(body) {
                if alters(terms, id, true) || changes_reading(terms, id) {
                    return Some(text(terms, id));
                }
                open.extend(Functor::of(terms, id));
            }
        }
    }
    None
}

/// Returns the goal in a clause that disables `assertion/1`.
fn leaves_out_assertions(terms: &Terms, root: TermId) -> Option<SmolStr> {
    let mut below = terms.subterms(root).into_iter();
    let by = below.find(|&id| flag_set(terms, id) == Some(FlagEffect::Assertions))?;
    Some(text(terms, by))
}

/// Returns whether a goal declares an operator that SWI-Prolog already has: `op(700, xfx, =@=)`.
fn is_there_already(terms: &Terms, [priority, kind, name]: OperatorGoal) -> bool {
    let (Term::Integer(priority), Some(kind), Some(name)) = (
        terms.get(priority),
        terms.as_atom(kind),
        terms.as_atom(name),
    ) else {
        return false;
    };
    OperatorType::from_name(kind).is_some_and(|kind| {
        let known = Operators::swi().get(name, kind.position());
        known.is_some_and(|(p, k)| k == kind && *priority == p.into())
    })
}

/// Returns true for goals that change how the following text is read if the reader follows them.
fn changes_reading(terms: &Terms, goal: TermId) -> bool {
    match reading_goal(terms, goal) {
        Some(ReadingGoal::Declare(all)) => !all.iter().all(|&op| is_there_already(terms, op)),
        Some(ReadingGoal::Push(..) | ReadingGoal::Pop) => true,
        Some(ReadingGoal::Flags(_)) => sets_quotes(terms, goal),
        // The reader does not follow some forms of the other goals.
        None => terms.matches(goal, "push_operators", 1).is_some(),
    }
}

/// Returns true for goals that change the meaning of quoted text.
fn sets_quotes(terms: &Terms, goal: TermId) -> bool {
    let Some(ReadingGoal::Flags(all)) = reading_goal(terms, goal) else {
        return false;
    };
    let mut all = all.into_iter();
    all.any(|(flag, value)| effect_of(terms, flag, value) == Some(FlagEffect::Quotes))
}

/// Returns the effect of setting a flag to a value.
fn effect_of(terms: &Terms, flag: TermId, value: TermId) -> Option<FlagEffect> {
    let value = terms.as_atom(value);
    let flag = terms.as_atom(without_module(terms, flag))?;
    flag_effect(flag, value.map(SmolStr::as_str))
}

/// Returns the effect of a goal that sets one or more flags.
fn flag_set(terms: &Terms, goal: TermId) -> Option<FlagEffect> {
    if let Some(&[flag, value, _]) = terms.matches(goal, "create_prolog_flag", 3) {
        return effect_of(terms, flag, value);
    }
    let Some(ReadingGoal::Flags(all)) = reading_goal(terms, goal) else {
        return None;
    };
    all.into_iter()
        .find_map(|(flag, value)| effect_of(terms, flag, value))
}

/// Returns whether a goal, in a directive or in the body of a clause, alters the whole program.
fn alters(terms: &Terms, goal: TermId, in_directive: bool) -> bool {
    let Some((name, arity)) = terms.functor(goal) else {
        return false;
    };
    let is_set = name != "create_prolog_flag";
    match flag_set(terms, goal) {
        Some(FlagEffect::Running) => {
            // The effects of directives on autoloading are known (`directives::acts`).
            let is_autoload = terms
                .as_atom(terms.args(goal)[0])
                .is_some_and(|f| f == "autoload");
            return !(is_autoload && is_set && in_directive);
        }
        Some(FlagEffect::Assertions) => return false,
        // A clause that runs later affects only text that is read after it runs.
        Some(FlagEffect::Reading) => return in_directive,
        Some(FlagEffect::Quotes) => return in_directive && !is_set,
        None => {}
    }
    if name == "$set_source_module" {
        return in_directive;
    }
    alters_programs(name, arity)
        || in_directive
            && opening(name, arity).is_some()
            && terms
                .args(goal)
                .iter()
                .any(|&what| is_computed(terms, what))
}

/// Returns whether the predicates of a declaration are computed at run time: `dynamic(N/1)`, `dynamic(L)`.
fn is_computed(terms: &Terms, what: TermId) -> bool {
    let mut stack = vec![what];
    while let Some(top) = stack.pop() {
        match terms.get(top) {
            Term::Var(_) => return true,
            Term::Compound(name, _)
                if matches!(name.as_str(), "," | "/" | "//" | ":" | "[|]" | "as") =>
            {
                stack.extend(terms.args(top));
            }
            _ => {}
        }
    }
    false
}

/// Returns false for the great majority of clauses, which contain no name that alters a program.
fn may_alter(terms: &Terms) -> bool {
    let mut named = terms.ids().filter_map(|id| terms.functor(id));
    named.any(|(name, _)| names_alteration(name) || FURTHER.contains(&name.as_str()))
}

/// Names that alter a program, in addition to those of the catalogue.
const FURTHER: [&str; 3] = [EXCEPTION_HOOK, "create_prolog_flag", "set_prolog_flag"];

/// The hook that runs at every exception.
const EXCEPTION_HOOK: &str = "prolog_exception_hook";

/// Returns the alteration in a clause: a hook that runs at every exception, or a goal in the body that alters the program.
fn in_clause(terms: &Arc<Terms>, root: TermId) -> Option<SmolStr> {
    let functor = match qualified_head(terms, root) {
        Some((_, functor)) => functor,
        None => Clause::of(terms, root)?.0,
    };
    if functor.name == EXCEPTION_HOOK && matches!(functor.arity, 4 | 5) {
        return Some(functor.to_string().into());
    }
    let arrows = [":-", "-->", "=>"].iter();
    let body = { arrows }.find_map(|arrow| terms.matches(root, arrow, 2)?.last().copied())?;
    let mut below = terms.subterms(body).into_iter();
    Some(text(terms, below.find(|&id| alters(terms, id, false))?))
}

/// Returns a goal as text, with its variables as `_`.
fn text(terms: &Terms, goal: TermId) -> SmolStr {
    write_term(terms, goal, None).into()
}
