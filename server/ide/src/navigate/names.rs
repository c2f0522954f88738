//! The places in a file at which predicates are named: in heads, bodies and directives.

use std::ops::Range;
use std::sync::Arc;

use costlens_body::conjuncts;
use costlens_catalog::{clause_change, find};
use costlens_program::calls::calls_in;
use costlens_program::language::{calls, directive, file_spec, join, option};
use costlens_program::loading::home_module;
use costlens_program::positions::positions;
use costlens_program::workspace::terms;
use costlens_program::{ClauseKind, Functor, SourceFile, predicates};
use costlens_syntax::FileSpec;
use costlens_syntax::operators::{is_assertion_kind, is_assertion_status};
use costlens_syntax::term::{ReadClause, Term, TermId, Terms};

use crate::db::Db;

/// The role of a name at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRole {
    /// The head of a clause: `nrev([], []).`
    Head,
    /// A goal or a closure in a body: `maplist(double, Xs, Ys)` names `maplist/3` and `double/2`.
    Call,
    /// A goal in a directive: `:- initialization(main).`
    Directive,
    /// An update of the predicate's clauses: `assertz(seen(X))`.
    Update,
    /// A declaration: `:- dynamic seen/1.`, an export list, an import list, the head of an assertion.
    Declaration,
}

/// A place at which a predicate is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The range of the name alone.
    pub range: Range<usize>,
    /// The predicate, as far as the name determines it.
    pub functor: Functor,
    /// The role of the name.
    pub role: NameRole,
    /// The range of the enclosing clause or directive. Its index among [`costlens_syntax::FileTerms::clauses`] is not stored.
    pub clause: Range<usize>,
    /// The predicate to which the enclosing clause belongs. `None` in directives.
    pub owner: Option<Functor>,
    /// The imported file, for a name in an import list. The name is then the name used in that file.
    pub listed_of: Option<FileSpec>,
}

/// Returns true for control constructs and the cut, which users regard as punctuation rather than as predicates.
fn is_punctuation(callee: &Functor) -> bool {
    find(&callee.name, callee.arity).is_some_and(|p| p.control.is_some())
}

/// Returns the names in a file, in textual order. Parenthesised names, and names that a grammar rule only implies, are left out.
///
/// *Invalidated* by every edit.
#[salsa::tracked(returns(clone), no_eq, lru = 128)]
pub(crate) fn names(db: &dyn Db, file: SourceFile) -> Arc<[Name]> {
    let text = &*file.parsed(db).text;
    let mut found = Vec::new();
    for (p, &predicate) in positions(db, file).iter().zip(predicates(db, file)) {
        for (place, clause) in p.clauses.iter().zip(predicate.clauses(db).iter()) {
            let mut add = |range: Option<Range<usize>>, functor: Functor, role: NameRole| {
                found.extend(range.map(|range| Name {
                    range,
                    functor,
                    role,
                    clause: place.range.0..place.range.1,
                    owner: Some(p.functor.clone()),
                    listed_of: None,
                }));
            };
            let of = |id: TermId| place.range(id);
            let head = name_range(&clause.terms, clause.head, &of, text)
                .or(Some(place.name.0..place.name.1));
            add(head, p.functor.clone(), NameRole::Head);
            let bodies = clause.guard.into_iter().chain(clause.body);
            for call in bodies.flat_map(|body| calls_in(db, file, &clause.terms, body)) {
                let mut callee = call.callee;
                if is_punctuation(&callee) {
                    continue;
                }
                // Only untranslatable grammar rules need this. In other grammar rules, the two arguments already exist.
                if clause.kind == ClauseKind::Dcg {
                    callee.arity += 2;
                }
                let range = name_range(&clause.terms, call.goal, &of, text);
                add(range, callee, NameRole::Call);
                if let Some((id, functor)) = updated(&clause.terms, call.goal) {
                    let range = name_range(&clause.terms, id, &of, text);
                    add(range, functor, NameRole::Update);
                }
            }
        }
    }
    for read in &terms(db, file).clauses {
        match directive(&read.terms, read.root) {
            Some(goal) => in_directive(read, goal, text, &mut found),
            None => in_clause_of_another_module(db, file, read, text, &mut found),
        }
    }
    found.sort_by_key(|name| (name.range.start, name.range.end));
    found.into()
}

/// Returns the name at an offset. If two names touch at the offset, returns the second.
pub(crate) fn name_at(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Name> {
    let names = names(db, file);
    let after = names.partition_point(|name| name.range.start <= offset);
    let mut before = names[..after].iter().rev();
    before.find(|name| offset <= name.range.end).cloned()
}

/// Returns the range of a term in the file.
fn place_in(read: &ReadClause, id: TermId) -> Option<(usize, usize)> {
    let &(from, to) = read.spans.ranges.get(id.index()).filter(|(a, b)| a < b)?;
    Some((read.range.0 + from as usize, read.range.0 + to as usize))
}

/// Collects the names in clauses such as `user:portray(X) :- goal(X).`: the head belongs to a predicate of another module, whereas the body
/// runs in this module.
fn in_clause_of_another_module(
    db: &dyn Db,
    file: SourceFile,
    read: &ReadClause,
    text: &str,
    found: &mut Vec<Name>,
) {
    let terms = &read.terms;
    let (arrow, head, body) = match (terms.functor(read.root), terms.args(read.root)) {
        (Some((arrow, 2)), &[head, body]) if [":-", "-->", "=>"].contains(&arrow.as_str()) => {
            (arrow.as_str(), head, Some(body))
        }
        _ => ("", read.root, None),
    };
    let Some(&[module, inner]) = terms.matches(head, ":", 2) else {
        return;
    };
    let (Some(module), Some((name, arity))) = (terms.as_atom(module), terms.functor(inner)) else {
        return;
    };
    // Predicates of the file's own module are handled elsewhere.
    if home_module(db, file).as_ref() == Some(module) {
        return;
    }
    let arity = arity + if arrow == "-->" { 2 } else { 0 };
    let Some(owner) = join(module, name).map(|joined| Functor::new(joined, arity)) else {
        return;
    };
    let of = |id: TermId| place_in(read, id);
    let mut add = |id: TermId, functor: Functor, role: NameRole| {
        found.extend(name_range(terms, id, &of, text).map(|range| Name {
            range,
            functor,
            role,
            clause: read.range.0..read.range.1,
            owner: Some(owner.clone()),
            listed_of: None,
        }));
    };
    add(inner, owner.clone(), NameRole::Head);
    for call in (body.into_iter()).flat_map(|body| calls_in(db, file, terms, body)) {
        if arrow != "-->" && !is_punctuation(&call.callee) {
            add(call.goal, call.callee, NameRole::Call);
        }
        if let Some((id, functor)) = updated(terms, call.goal) {
            add(id, functor, NameRole::Update);
        }
    }
}

/// Returns the head of the clause that a goal such as `assertz(p(X) :- q(X))` or `retract(p(_))` changes.
fn updated(terms: &Terms, goal: TermId) -> Option<(TermId, Functor)> {
    let (name, arity) = terms.functor(goal)?;
    clause_change(name, arity)?;
    let &clause = terms.args(goal).first()?;
    let head = match terms.matches(clause, ":-", 2) {
        Some(&[head, _]) => head,
        _ => clause,
    };
    match terms.matches(head, ":", 2) {
        Some(&[module, inner]) => {
            let (name, arity) = terms.functor(inner)?;
            let joined = join(terms.as_atom(module)?, name)?;
            Some((inner, Functor::new(joined, arity)))
        }
        _ => {
            let (name, arity) = terms.functor(head)?;
            Some((head, Functor::new(name.clone(), arity)))
        }
    }
}

fn in_directive(read: &ReadClause, goal: TermId, text: &str, found: &mut Vec<Name>) {
    let terms = &read.terms;
    let of = |id: TermId| place_in(read, id);
    let mut add_of = |id: TermId, functor: Functor, role: NameRole, listed_of: Option<FileSpec>| {
        found.extend(name_range(terms, id, &of, text).map(|range| Name {
            range,
            functor,
            role,
            clause: read.range.0..read.range.1,
            owner: None,
            listed_of,
        }));
    };
    for goal in conjuncts(terms, goal) {
        let Some((name, _)) = terms.functor(goal) else {
            continue;
        };
        let arguments = terms.args(goal);
        if let Some((spec, list)) = import_list(terms, name, arguments) {
            for (id, functor, spec) in imports(terms, list, &spec) {
                add_of(id, functor, NameRole::Declaration, spec);
            }
            continue;
        }
        let mut add =
            |id: TermId, functor: Functor, role: NameRole| add_of(id, functor, role, None);
        match (name.as_str(), arguments) {
            (
                "dynamic" | "discontiguous" | "multifile" | "table" | "module" | "use_module"
                | "reexport" | "autoload" | "export" | "import" | "public" | "det" | "volatile"
                | "thread_local" | "module_transparent" | "non_terminal" | "noprofile" | "tnot",
                [_, ..],
            ) => {
                for (id, functor) in arguments.iter().flat_map(|&a| indicators(terms, a)) {
                    add(id, functor, NameRole::Declaration);
                }
            }
            ("meta_predicate" | "mode", &[heads]) => {
                for head in terms.chain(heads, ",") {
                    if let Some((name, arity)) = terms.functor(head) {
                        add(
                            head,
                            Functor::new(name.clone(), arity),
                            NameRole::Declaration,
                        );
                    }
                }
            }
            ("initialization", &[inner] | &[inner, _]) => {
                for call in calls(terms, inner) {
                    add(call.goal, call.callee, NameRole::Directive);
                    if let Some((id, functor)) = updated(terms, call.goal) {
                        add(id, functor, NameRole::Update);
                    }
                }
            }
            (kind, _) if is_assertion_kind(kind) || is_assertion_status(kind) => {
                if let Some(head) = asserted(terms, goal)
                    && let Some((name, arity)) = terms.functor(head)
                {
                    add(
                        head,
                        Functor::new(name.clone(), arity),
                        NameRole::Declaration,
                    );
                }
            }
            _ => {
                for call in calls(terms, goal) {
                    if !is_punctuation(&call.callee) {
                        add(call.goal, call.callee, NameRole::Directive);
                    }
                    if let Some((id, functor)) = updated(terms, call.goal) {
                        add(id, functor, NameRole::Update);
                    }
                }
            }
        }
    }
}

/// Returns the file and the import list of a directive such as `:- use_module(tables, [row/2])`.
fn import_list(terms: &Terms, name: &str, arguments: &[TermId]) -> Option<(FileSpec, TermId)> {
    let &[file, list] = arguments else {
        return None;
    };
    let list = match name {
        "use_module" | "reexport" | "autoload" => list,
        "load_files" => option(terms, list, "imports")?,
        _ => return None,
    };
    Some((file_spec(terms, file)?, list))
}

/// Collects the names in an import list. The names refer to the imported file, except that `line` in `row/2 as line` is a name in this file.
fn imports(
    terms: &Terms,
    list: TermId,
    spec: &FileSpec,
) -> Vec<(TermId, Functor, Option<FileSpec>)> {
    let mut found: Vec<_> = (indicators(terms, list).into_iter())
        .map(|(id, functor)| (id, functor, Some(spec.clone())))
        .collect();
    for part in terms.subterms(list) {
        if let Some(&[there, here]) = terms.matches(part, "as", 2)
            && let Some(name) = terms.as_atom(here)
            && let Some((_, there)) = indicators(terms, there).into_iter().next()
        {
            found.push((here, Functor::new(name.clone(), there.arity), None));
        }
    }
    found
}

/// Returns the indicators, such as `p/1` and `q//2`, below a term, each with the subterm that is the name.
fn indicators(terms: &Terms, id: TermId) -> Vec<(TermId, Functor)> {
    let mut found = Vec::new();
    for part in terms.subterms(id) {
        let Some((slash @ ("/" | "//"), _)) = terms.functor(part).map(|(n, a)| (n.as_str(), a))
        else {
            continue;
        };
        if let &[name, arity] = terms.args(part)
            && let (Term::Atom(text), Term::Integer(arity)) = (terms.get(name), terms.get(arity))
            && let Ok(arity) = usize::try_from(arity)
        {
            let hidden = if slash == "//" { 2 } else { 0 };
            found.push((name, Functor::new(text.clone(), arity + hidden)));
        }
    }
    found
}

/// Returns the head in an assertion such as `:- check pred p(X) : list(X) => … + …`.
fn asserted(terms: &Terms, goal: TermId) -> Option<TermId> {
    let mut at = goal;
    while let Some((name, _)) = terms.functor(at) {
        at = match (name.as_str(), terms.args(at)) {
            (":" | "=>" | "+" | "#" | "::", &[head, _]) => head,
            (word, &[inner]) if is_assertion_kind(word) || is_assertion_status(word) => inner,
            _ => return Some(at),
        };
    }
    None
}

/// Returns the range of a goal's name: before the opening bracket of its arguments, or at the operator.
fn name_range(
    terms: &Terms,
    goal: TermId,
    place: &dyn Fn(TermId) -> Option<(usize, usize)>,
    text: &str,
) -> Option<Range<usize>> {
    let (name, _) = terms.functor(goal)?;
    let (from, to) = place(goal)?;
    let first = terms.args(goal).first().and_then(|&a| place(a));
    let places = [Some(from), first.map(|(_, end)| end)];
    places
        .into_iter()
        .flatten()
        .filter_map(|at| token_at(text, at, to))
        .find(|token| spells(&text[token.clone()], name))
}

/// Returns the first token after layout, comments and brackets.
fn token_at(text: &str, from: usize, to: usize) -> Option<Range<usize>> {
    let mut rest = text.get(from..to)?;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
        rest = if rest.starts_with('%') {
            rest.split_once('\n')?.1
        } else if rest.starts_with("/*") {
            rest.split_once("*/")?.1
        } else {
            break;
        };
    }
    let first = rest.chars().next()?;
    let is_symbol = |c: char| {
        "+-*/\\^<>=~:.?@#&$".contains(c)
            || (!c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace())
    };
    let length = if first == '\'' {
        quoted_length(rest)
    } else if first.is_alphanumeric() {
        rest.find(|c: char| !c.is_alphanumeric() && c != '_')
    } else if is_symbol(first) {
        rest.find(|c: char| !is_symbol(c))
    } else {
        Some(first.len_utf8())
    };
    let start = to - rest.len();
    Some(start..start + length.unwrap_or(rest.len()))
}

/// Returns the length of a quoted token up to its closing quote, in bytes.
fn quoted_length(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '\'' if chars.peek().is_some_and(|(_, next)| *next == '\'') => drop(chars.next()),
            '\'' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Returns true for a token that denotes this atom. A quoted token with escapes is assumed to match, because the term at this place has this
/// name.
fn spells(token: &str, name: &str) -> bool {
    match token.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
        Some(inner) => inner.contains('\\') || inner.replace("''", "'") == name,
        None => token == name,
    }
}
