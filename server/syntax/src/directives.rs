//! What directives do to the reading of the clauses behind them.

use num_traits::ToPrimitive as _;
use smol_str::SmolStr;

use crate::libraries;
use crate::operators::{MAX_PRIORITY, Operator, OperatorType, Operators};
use crate::read::{Flags, QuotedAs};
use crate::term::{Term, TermId, Terms};

/// What directives say to other files.
#[derive(Default)]
pub(crate) struct Effects {
    /// The operators in the export list.
    pub(crate) exported: Vec<Operator>,
    /// The files (no libraries) whose operators are imported, as written.
    pub(crate) imported: Vec<SmolStr>,
}

/// Applies a clause, if it is a directive that changes operators or flags. Whether it is a directive.
pub(crate) fn apply(
    terms: &Terms,
    clause: TermId,
    operators: &mut Operators,
    flags: &mut Flags,
    effects: &mut Effects,
) -> bool {
    let Some(&[body]) = terms
        .matches(clause, ":-", 1)
        .or_else(|| terms.matches(clause, "?-", 1))
    else {
        return false;
    };
    for goal in terms.chain(body, ",") {
        let Some((name, _)) = terms.functor(goal) else {
            continue;
        };
        match (name.as_str(), terms.args(goal)) {
            ("op", &[p, t, n]) => declared(terms, p, t, n)
                .into_iter()
                .for_each(|op| operators.add(op)),
            ("module", &[_, exports, ..]) => {
                let found = listed(terms, exports);
                effects.exported.extend(found.iter().cloned());
                found.into_iter().for_each(|op| operators.add(op));
            }
            ("set_prolog_flag", &[flag, value]) => set_flag(terms, flag, value, flags),
            ("use_module" | "ensure_loaded" | "reexport", &[file]) => {
                import(terms, file, operators, &mut effects.imported)
            }
            ("use_module" | "reexport", &[file, imports]) => {
                // An import list brings the library's operators only if it speaks of operators.
                let (elements, rest) = terms.list(imports);
                let is_list = terms.as_atom(rest).is_some_and(|a| a == crate::term::NIL);
                if !is_list
                    || elements
                        .iter()
                        .any(|&e| terms.matches(e, "op", 3).is_some())
                {
                    import(terms, file, operators, &mut effects.imported);
                }
            }
            _ => {}
        }
    }
    true
}

/// The operators among the elements of an export list.
fn listed(terms: &Terms, list: TermId) -> Vec<Operator> {
    let mut found = Vec::new();
    for element in terms.list(list).0 {
        if let Some(&[p, t, n]) = terms.matches(element, "op", 3) {
            found.extend(declared(terms, p, t, n));
        }
    }
    found
}

/// What `op(P, T, N)` declares: N is an atom, or a list of atoms, perhaps with a module before it.
fn declared(terms: &Terms, priority: TermId, kind: TermId, names: TermId) -> Vec<Operator> {
    let Term::Integer(priority) = terms.get(priority) else {
        return Vec::new();
    };
    let Some(priority) = priority.to_u16().filter(|p| *p <= MAX_PRIORITY) else {
        return Vec::new();
    };
    let Some(kind) = terms.as_atom(kind).and_then(|k| OperatorType::from_name(k)) else {
        return Vec::new();
    };
    let unqualified = |mut id: TermId| {
        while let Some(&[_, name]) = terms.matches(id, ":", 2) {
            id = name;
        }
        id
    };
    let names = unqualified(names);
    let names = match terms.as_atom(names) {
        Some(name) if name != crate::term::NIL => vec![names],
        _ => terms.list(names).0,
    };
    names
        .into_iter()
        .filter_map(|n| terms.as_atom(unqualified(n)))
        // `op/3` refuses these.
        .filter(|n| {
            *n != "," && *n != "[]" && *n != "{}" && (*n != "|" || priority == 0 || priority > 1000)
        })
        .map(|name| Operator {
            priority,
            kind,
            name: name.clone(),
        })
        .collect()
}

fn set_flag(terms: &Terms, flag: TermId, value: TermId, flags: &mut Flags) {
    let value = match terms.as_atom(value).map(SmolStr::as_str) {
        Some("codes") => QuotedAs::Codes,
        Some("chars") => QuotedAs::Chars,
        Some("atom") => QuotedAs::Atom,
        Some("string") => QuotedAs::String,
        _ => return,
    };
    match terms.as_atom(flag).map(SmolStr::as_str) {
        Some("double_quotes") => flags.double_quotes = value,
        Some("back_quotes") => flags.back_quotes = value,
        _ => {}
    }
}

/// The operators that a library (or each of a list of libraries) exports.
fn import(terms: &Terms, files: TermId, operators: &mut Operators, others: &mut Vec<SmolStr>) {
    let (elements, _) = terms.list(files);
    let files = if elements.is_empty() {
        vec![files]
    } else {
        elements
    };
    for file in files {
        if let Some(&[path]) = terms.matches(file, "library", 1)
            && let Some(path) = path_of(terms, path)
        {
            operators.add_all(libraries::operators_of(&path));
        } else if let Some(path) = path_of(terms, file) {
            others.push(path.into());
        }
    }
}

/// `http/html_write`, as text.
fn path_of(terms: &Terms, path: TermId) -> Option<String> {
    let parts: Option<Vec<&str>> = terms
        .chain(path, "/")
        .into_iter()
        .map(|p| terms.as_atom(p).map(SmolStr::as_str))
        .collect();
    Some(parts?.join("/"))
}
