//! The items of a text that concern the machine: clauses, declarations, goals.

use std::sync::Arc;

use costlens_program::language::grammar_rule;
use costlens_syntax::term::{QUASI_QUOTATION, Term, TermId, Terms};
use costlens_syntax::{Operator, OperatorType, ReadClause, is_profiling_word};
use smol_str::SmolStr;

use super::LoadError;

/// A clause of a predicate that is being loaded.
pub(super) struct Loaded {
    pub(super) terms: Arc<Terms>,
    pub(super) head: TermId,
    pub(super) guard: Option<TermId>,
    pub(super) body: Option<TermId>,
    pub(super) single_sided: bool,
    pub(super) line: usize,
}

pub(super) type Functor = (SmolStr, usize);

/// An item that a clause of a text represents.
pub(super) enum Item {
    Clause(Functor, Loaded),
    /// A declaration that makes these predicates dynamic.
    Dynamic(Vec<Functor>),
    Operators(Vec<Operator>),
    /// A directive to run immediately or, for `initialization/1`, after loading.
    Goal {
        goal: TermId,
        late: bool,
    },
}

/// Goals with two arguments that SWI-Prolog expands, and the machine cannot run.
const NOT_RUN: [(&str, &str); 2] = [
    (
        QUASI_QUOTATION,
        "only its syntax knows what a quasi-quotation stands for, and syntaxes are not run here",
    ),
    // `N = D.a`
    (".", "functional notation on dicts is not run here"),
];

/// Returns the items of a clause, in order. A directive may be a conjunction of declarations.
pub(super) fn items(clause: &ReadClause, line: usize) -> Result<Vec<Item>, LoadError> {
    let terms = &clause.terms;
    for (name, message) in NOT_RUN {
        if { terms.ids() }.any(|id| terms.matches(id, name, 2).is_some()) {
            let message = format!("{message}: the clause is not read");
            return Err(LoadError::Clause { line, message });
        }
    }
    if let Some(error) = &clause.error {
        let message = error.message.clone();
        return Err(LoadError::Syntax { line, message });
    }
    let (terms, root) = (&clause.terms, clause.root);
    let directive = (terms.matches(root, ":-", 1)).or_else(|| terms.matches(root, "?-", 1));
    if let Some(&[goal]) = directive {
        let parts: Vec<Option<Item>> = (terms.chain(goal, ",").into_iter())
            .map(|part| directive_item(terms, part))
            .collect();
        // If one part is a goal, the whole conjunction is one goal, because parts may share variables.
        let is_goal = |part: &Option<Item>| matches!(part, Some(Item::Goal { late: false, .. }));
        if parts.iter().any(is_goal) {
            return Ok(vec![Item::Goal { goal, late: false }]);
        }
        return Ok(parts.into_iter().flatten().collect());
    }
    let rule = |head, guard, body, single_sided| Loaded {
        terms: Arc::clone(terms),
        head,
        guard,
        body,
        single_sided,
        line,
    };
    let loaded = match (terms.functor(root), terms.args(root)) {
        (Some((name, 2)), &[head, body]) if name == ":-" => rule(head, None, Some(body), false),
        (Some((name, 2)), &[head, body]) if name == "=>" => {
            let (head, guard) = match terms.matches(head, ",", 2) {
                Some(&[head, guard]) => (head, Some(guard)),
                _ => (head, None),
            };
            rule(head, guard, Some(body), true)
        }
        (Some((name, 2)), &[head, body]) if name == "-->" => {
            let message = || "no grammar rule".to_owned();
            let rule = grammar_rule::translate(terms, head, body).ok_or_else(|| {
                let message = message();
                LoadError::Clause { line, message }
            })?;
            Loaded {
                terms: rule.terms,
                head: rule.head,
                guard: None,
                body: Some(rule.body),
                single_sided: false,
                line,
            }
        }
        _ => rule(root, None, None, false),
    };
    named(loaded).map(|item| vec![item])
}

fn named(mut loaded: Loaded) -> Result<Item, LoadError> {
    // `M:Head :- Body`
    while let Some(&[_, inner]) = loaded.terms.matches(loaded.head, ":", 2) {
        loaded.head = inner;
    }
    let Some((name, arity)) = loaded.terms.functor(loaded.head) else {
        return Err(LoadError::Clause {
            line: loaded.line,
            message: "the head is no callable term".to_owned(),
        });
    };
    Ok(Item::Clause((name.clone(), arity), loaded))
}

/// Returns the item of a directive. Returns `None` for directives that the reader handles, or that have no meaning in a single program.
fn directive_item(terms: &Terms, goal: TermId) -> Option<Item> {
    let (Some((name, arity)), arguments) = (terms.functor(goal), terms.args(goal)) else {
        return Some(Item::Goal { goal, late: false });
    };
    match (name.as_str(), arity) {
        ("dynamic" | "thread_local", 1) => Some(Item::Dynamic(indicators(terms, arguments[0]))),
        ("op", 3) => Some(Item::Operators(operators(terms, arguments))),
        ("initialization", 1 | 2) => Some(Item::Goal {
            goal: arguments[0],
            late: true,
        }),
        ("discontiguous", 1)
        | (
            "module"
            | "use_module"
            | "use_package"
            | "ensure_loaded"
            | "consult"
            | "load_files"
            | "include"
            | "autoload"
            | costlens_syntax::term::CONS
            | "set_prolog_flag"
            | "style_check"
            | "multifile"
            | "table"
            | "det"
            | "license"
            | "encoding"
            | "meta_predicate"
            | "module_transparent"
            | "public"
            | "mode"
            | "pred"
            | "entry"
            | "check"
            | "trust"
            | "true"
            | "checked"
            | "prop"
            | "regtype"
            | "doc"
            | "resource"
            | "reexport"
            | "obs"
            | "false",
            _,
        ) => None,
        (word, _) if is_profiling_word(word) => None,
        _ => Some(Item::Goal { goal, late: false }),
    }
}

/// Returns the operators that `op(700, xfx, [===, =/=])` declares.
fn operators(terms: &Terms, arguments: &[TermId]) -> Vec<Operator> {
    let &[priority, kind, names] = arguments else {
        return Vec::new();
    };
    let priority = match terms.get(priority) {
        Term::Integer(n) => u16::try_from(n).ok(),
        _ => None,
    };
    let kind = terms
        .as_atom(kind)
        .and_then(|name| OperatorType::from_name(name));
    let (mut names_of, rest) = terms.list(names);
    if names_of.is_empty() {
        names_of.push(rest);
    }
    let (Some(priority), Some(kind)) = (priority, kind) else {
        return Vec::new();
    };
    names_of
        .into_iter()
        .filter_map(|name| terms.as_atom(name))
        .map(|name| Operator {
            priority,
            kind,
            name: name.clone(),
        })
        .collect()
}

/// Returns the predicates that `p/1, q//2` or `[p/1, q/2]` name.
fn indicators(terms: &Terms, id: TermId) -> Vec<Functor> {
    let (mut found, mut stack) = (Vec::new(), vec![id]);
    while let Some(top) = stack.pop() {
        let Some((name, _)) = terms.functor(top) else {
            continue;
        };
        match (name.as_str(), terms.args(top)) {
            ("," | costlens_syntax::term::CONS, &[left, right]) => stack.extend([right, left]),
            ("as", &[inner, _]) | (":", &[_, inner]) => stack.push(inner),
            ("/" | "//", &[name_id, arity]) => {
                let hidden = if name == "//" { 2 } else { 0 };
                if let (Some(name), Term::Integer(n)) = (terms.as_atom(name_id), terms.get(arity))
                    && let Ok(arity) = usize::try_from(n)
                {
                    found.push((name.clone(), arity + hidden));
                }
            }
            _ => {}
        }
    }
    found
}

/// Computes line numbers of byte offsets; offsets must be requested in increasing order.
pub(super) struct LineCounter<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> LineCounter<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
        }
    }

    pub(super) fn line(&mut self, byte: usize) -> usize {
        if let Some(between) = self.text.as_bytes().get(self.at..byte) {
            self.line += between.iter().filter(|&&b| b == b'\n').count();
            self.at = byte;
        }
        self.line
    }
}
