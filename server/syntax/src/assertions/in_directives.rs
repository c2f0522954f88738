//! Assertions in directives: `:- check pred nrev(A,B) : list(A) => list(B) + (steps_ub(length(A)), is_det) # "…".`

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use super::properties::{Property, read_property};
use super::resources::read_rule;
use super::types::{DEEPEST_TYPE, DeclaredType, Mode, SizeLimit, SizeMetric};
use super::words::{PROPERTIES, did_you_mean};
use super::{
    Argument, Assertion, AssertionError, AssertionKind, AssertionPlace, Assertions, Ignored,
    Origin, StatedProperty, Status, without_layout,
};
use crate::comparisons::turned;
use crate::operators::is_assertion_kind;
use crate::term::{ReadClause, Term, TermId, Terms};

/// Parses the assertion in a directive, if it contains one.
pub(super) fn read_directive(
    text: &str,
    clause: &ReadClause,
    items: &mut Vec<(Assertion, AssertionPlace)>,
    found: &mut Assertions,
) {
    let terms = &*clause.terms;
    let Some(&[directive]) = terms.matches(clause.root, ":-", 1) else {
        return;
    };
    let reader = DeclarationReader {
        text,
        clause,
        terms,
    };
    if let Some(&[name, field]) = terms.matches(directive, "+", 2)
        && terms.as_atom(name).is_some_and(|a| a == "trust_default")
    {
        let mut defaults = Vec::new();
        reader.properties(
            field,
            &FxHashMap::default(),
            &mut defaults,
            &mut Vec::new(),
            found,
        );
        found.defaults = defaults;
        return;
    }
    if let Some(&[names]) = terms.matches(directive, "resource", 1) {
        let names = terms.chain(names, ",").into_iter();
        found
            .resources
            .extend(names.filter_map(|name| terms.as_atom(name).cloned()));
        return;
    }
    match read_rule(terms, directive) {
        Some(Ok(rule)) => return found.resource_rules.push(rule),
        Some(Err((at, message))) => return reader.report(found, at, message, Ignored::Assertion),
        None => {}
    }
    let Some((status, kind, body)) = opening(terms, directive) else {
        if let Some(kind) = unread(terms, directive) {
            let message = format!(
                "`{kind}` assertions are not verified: write `pred`, `success`, `calls` or `comp`"
            );
            reader.report(found, directive, message, Ignored::Property);
        }
        return;
    };
    match kind {
        Opening::Regtype => {
            if let Some(&[name, arity]) = terms.matches(body, "/", 2)
                && let (Some(name), Term::Integer(arity)) = (terms.as_atom(name), terms.get(arity))
                && let Ok(arity) = usize::try_from(arity)
            {
                found.regtypes.push((name.clone(), arity));
            }
        }
        Opening::Assertion(kind) => {
            if let Some((mut assertion, mut place)) = reader.assertion(status, kind, body, found) {
                if status == Status::Trust {
                    let added = assertion.add(&found.defaults);
                    let range = place.range;
                    place.properties.extend((0..added).map(|_| range));
                }
                items.push((assertion, place));
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Opening {
    Assertion(AssertionKind),
    Regtype,
}

/// Returns the status, the kind and the rest of an assertion, or `None` for other directives. `check pred …` is read as `check(pred(…))` or
/// as `pred(check, …)`, depending on the operators in force.
fn opening(terms: &Terms, directive: TermId) -> Option<(Status, Opening, TermId)> {
    let kind = |name: &str| {
        Some(match name {
            "pred" => Opening::Assertion(AssertionKind::Pred),
            "entry" => Opening::Assertion(AssertionKind::Entry),
            "calls" => Opening::Assertion(AssertionKind::Calls),
            "success" => Opening::Assertion(AssertionKind::Success),
            "comp" => Opening::Assertion(AssertionKind::Comp),
            "regtype" | "prop" => Opening::Regtype,
            _ => return None,
        })
    };
    let (name, _) = terms.functor(directive)?;
    match *terms.args(directive) {
        [inner] => {
            if let Some(kind) = kind(name) {
                return Some((Status::Check, kind, inner));
            }
            let status = status(name)?;
            let (name, _) = terms.functor(inner)?;
            match terms.args(inner) {
                &[body] => Some((status, kind(name)?, body)),
                _ => None,
            }
        }
        [left, body] => Some((status(terms.as_atom(left)?)?, kind(name)?, body)),
        _ => None,
    }
}

/// Returns an unknown word in place of the kind, which [`opening`] does not recognise: `exit` in `:- check exit p(A) : int(A) + fails`.
fn unread(terms: &Terms, directive: TermId) -> Option<&str> {
    let name = |of: TermId| Some(terms.functor(of)?.0.as_str());
    let (status, kind) = match *terms.args(directive) {
        [inner] if terms.args(inner).len() == 1 => (name(directive)?, name(inner)?),
        [left, _] => (terms.as_atom(left)?.as_str(), name(directive)?),
        _ => return None,
    };
    let is_told = matches!(status, "check" | "checked") && is_assertion_kind(kind);
    is_told.then_some(kind)
}

fn status(name: &str) -> Option<Status> {
    Some(match name {
        "check" => Status::Check,
        "trust" => Status::Trust,
        "true" => Status::True,
        "checked" => Status::Checked,
        "false" => Status::False,
        "obs" => Status::Obs,
        _ => return None,
    })
}

struct DeclarationReader<'a> {
    text: &'a str,
    clause: &'a ReadClause,
    terms: &'a Terms,
}

impl DeclarationReader<'_> {
    fn range(&self, id: TermId) -> super::Range {
        let (from, to) = self.clause.spans.range(id);
        (self.clause.range.0 + from, self.clause.range.0 + to)
    }

    fn name(&self, variable: u32) -> SmolStr {
        let name = self.clause.spans.variables.get(variable as usize);
        name.cloned().unwrap_or_else(|| "_".into())
    }

    fn report(&self, found: &mut Assertions, at: TermId, message: String, ignored: Ignored) {
        found.errors.push(AssertionError {
            message,
            range: self.range(at),
            ignored,
        });
    }

    fn assertion(
        &self,
        status: Status,
        kind: AssertionKind,
        body: TermId,
        found: &mut Assertions,
    ) -> Option<(Assertion, AssertionPlace)> {
        let fields = fields(self.terms, body);
        let head = fields.first()?.1;
        let (name, mut arguments, variables) = self.head(head, found)?;
        let arity = arguments.len();
        let mut limits = Vec::new();
        let (mut stated, mut ranges) = (Vec::new(), Vec::new());
        let mut unknown_precondition = false;
        let mut documentation = None;
        for &(operator, field) in &fields[1..] {
            match operator {
                ":" => {
                    unknown_precondition |= !self.conditions(
                        field,
                        &variables,
                        &mut arguments,
                        Some(&mut limits),
                        found,
                    );
                }
                // The compatibility of arguments is read as a success type.
                "::" => {
                    self.conditions(field, &variables, &mut arguments, None, found);
                }
                "=>" => {
                    self.conditions(field, &variables, &mut arguments, None, found);
                    self.postconditions(field, &variables, arity, &mut stated, &mut ranges);
                }
                "+" => self.properties(field, &variables, &mut stated, &mut ranges, found),
                _ => documentation = self.documentation(field),
            }
        }
        if kind == AssertionKind::Calls {
            for &(_, field) in fields[1..].iter().filter(|(before, _)| *before == ":") {
                let range = self.range(field);
                stated.push(StatedProperty {
                    property: Property::NotVerified("calls".into()),
                    text: format!(": {}", self.written(range)),
                });
                ranges.push(range);
            }
        }
        Some((
            Assertion {
                status,
                kind,
                name,
                arity,
                arguments,
                limits,
                unknown_precondition,
                properties: stated,
                documentation,
                origin: Origin::Directive,
            },
            AssertionPlace {
                range: self.clause.range,
                properties: ranges,
            },
        ))
    }

    /// Returns the name and arguments of the head, and the argument index that each variable names.
    fn head(
        &self,
        head: TermId,
        found: &mut Assertions,
    ) -> Option<(SmolStr, Vec<Argument>, FxHashMap<u32, usize>)> {
        let terms = self.terms;
        let mut variables = FxHashMap::default();
        // `nrev/2`
        if let Some(&[name, arity]) = terms.matches(head, "/", 2)
            && let (Some(name), Term::Integer(n)) = (terms.as_atom(name), terms.get(arity))
            && let Some(n) = usize::try_from(n).ok().filter(|&n| n < 1024)
        {
            return Some((name.clone(), vec![Argument::default(); n], variables));
        }
        let Some((name, _)) = terms.functor(head) else {
            self.report(
                found,
                head,
                "an assertion begins with the head of a predicate, such as nrev(A,B)".into(),
                Ignored::Assertion,
            );
            return None;
        };
        let mut arguments = Vec::new();
        for (position, &given) in terms.args(head).iter().enumerate() {
            let (mut argument, inner) = moded(terms, given);
            // `p(+N:nat + cost(ub, steps, 3))`: a misplaced bracket.
            if let Some(DeclaredType::Named(name)) = &argument.call
                && !name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            {
                let message = format!("a type is expected, and `{name}` is none");
                self.report(found, given, message, Ignored::Assertion);
                return None;
            }
            match terms.get(inner) {
                Term::Var(v) => {
                    if variables.insert(*v, position).is_some() {
                        let message = format!(
                            "{} stands twice: the arguments of an assertion's head are distinct variables",
                            self.name(*v)
                        );
                        self.report(found, inner, message, Ignored::Assertion);
                        return None;
                    }
                    argument.name = Some(self.name(*v)).filter(|n| n != "_");
                }
                // `test(+, -)`
                Term::Atom(mode)
                    if argument.mode.is_none() && Mode::from_prefix(mode).is_some() =>
                {
                    argument.mode = Mode::from_prefix(mode);
                }
                // `nrev(+list, -list)`, `transpose(+list(list), -)`
                Term::Atom(_) | Term::Compound(..)
                    if argument.mode.is_some()
                        && argument.call.is_none()
                        && is_closed(terms, inner) =>
                {
                    argument.call = Some(declared_type(terms, inner, 0));
                    argument.narrower = !is_exact(terms, inner, 0);
                }
                _ => {
                    self.report(
                        found,
                        inner,
                        "the arguments of an assertion's head are distinct variables, perhaps with modes (+A, -B)".into(),
                        Ignored::Assertion,
                    );
                    return None;
                }
            }
            arguments.push(argument);
        }
        Some((name.clone(), arguments, variables))
    }

    /// Adds conditions on arguments to their types: to call types if `limits` is given, otherwise to success types. Returns whether all
    /// conditions were understood.
    fn conditions(
        &self,
        field: TermId,
        variables: &FxHashMap<u32, usize>,
        arguments: &mut [Argument],
        mut limits: Option<&mut Vec<SizeLimit>>,
        found: &mut Assertions,
    ) -> bool {
        let terms = self.terms;
        let call = limits.is_some();
        if self.compact(field, arguments, call) {
            return true;
        }
        let mut understood = true;
        let field = match terms.matches(field, "{}", 1) {
            Some(&[inner]) => inner,
            _ => field,
        };
        for condition in terms.chain(field, ",") {
            if terms.as_atom(condition).is_some_and(|a| a == "true") {
                continue;
            }
            let read = limits
                .as_deref_mut()
                .is_some_and(|limits| size_limit(terms, condition, variables, limits))
                || type_condition(terms, condition, variables, arguments, call);
            // Any predicate may be a property of the result; unknown properties have no effect.
            let is_property = !call
                && terms.functor(condition).is_some_and(|(name, arity)| {
                    arity > 0 && name.starts_with(|c: char| c.is_alphabetic())
                });
            understood &= read;
            if !read && !is_property {
                let message = if call {
                    "this condition is not understood; the assertion is read without it, so for more calls than it names, and is not refuted"
                } else {
                    "this condition is not understood"
                };
                self.report(found, condition, message.into(), Ignored::Property);
            }
        }
        understood
    }

    /// Converts each condition on success to a property.
    fn postconditions(
        &self,
        field: TermId,
        variables: &FxHashMap<u32, usize>,
        arity: usize,
        stated: &mut Vec<StatedProperty>,
        ranges: &mut Vec<super::Range>,
    ) {
        let terms = self.terms;
        let field = match terms.matches(field, "{}", 1) {
            Some(&[inner]) => inner,
            _ => field,
        };
        let mut state = |property: Property, at: TermId| {
            let range = self.range(at);
            stated.push(StatedProperty {
                property,
                text: format!("=> {}", self.written(range)),
            });
            ranges.push(range);
        };
        if let Some(types) = self.compact_types(field, arity) {
            for (argument, of) in types.into_iter().enumerate() {
                let exact = is_exact(terms, of, 0);
                let declared = declared_type(terms, of, 0);
                state(Property::Success(argument, declared, exact), of);
            }
            return;
        }
        for condition in terms.chain(field, ",") {
            let Some((name, arity)) = terms.functor(condition) else {
                continue;
            };
            if name == "true" && arity == 0 {
                continue;
            }
            let of = terms
                .args(condition)
                .iter()
                .find_map(|&a| match terms.get(a) {
                    Term::Var(v) => variables.get(v).copied(),
                    _ => None,
                });
            let read = of.and_then(|argument| {
                let mut arguments = vec![Argument::default(); argument + 1];
                match type_condition(terms, condition, variables, &mut arguments, false) {
                    true => Some((argument, arguments[argument].success.take()?)),
                    false if arity == 1 => Some((argument, DeclaredType::Named(name.clone()))),
                    false => None,
                }
            });
            match read {
                Some((argument, of)) => {
                    let parameters = terms.args(condition);
                    let exact = DeclaredType::is_exact(name, parameters.len() - 1)
                        && parameters.iter().all(|&p| {
                            matches!(terms.get(p), Term::Var(_)) || is_exact(terms, p, 1)
                        });
                    state(Property::Success(argument, of, exact), condition);
                }
                None => state(
                    Property::NotVerified(smol_str::format_smolstr!("{name}/{arity}")),
                    condition,
                ),
            }
        }
    }

    /// Returns the text in a range, without layout.
    fn written(&self, range: super::Range) -> String {
        without_layout(self.text.get(range.0..range.1).unwrap_or_default())
    }

    /// Parses Ciao's compact form: `list * var` contains the types of the arguments in order.
    fn compact(&self, field: TermId, arguments: &mut [Argument], call: bool) -> bool {
        let Some(types) = self.compact_types(field, arguments.len()) else {
            return false;
        };
        for (argument, of) in arguments.iter_mut().zip(types) {
            argument.inexact |= call && !is_exact(self.terms, of, 0);
            argument.narrower |= argument.inexact;
            let of = declared_type(self.terms, of, 0);
            if call {
                argument.also.extend(argument.call.take());
            }
            *(if call {
                &mut argument.call
            } else {
                &mut argument.success
            }) = Some(of);
        }
        true
    }

    /// Returns the types in the compact form, one for each argument.
    fn compact_types(&self, field: TermId, arity: usize) -> Option<Vec<TermId>> {
        let types = self.terms.chain(field, "*");
        let plain = types.iter().all(|&t| match self.terms.get(t) {
            Term::Atom(a) => a != "true",
            // `list(int)` is a type; `list(A)` is a condition.
            Term::Compound(..) => is_closed(self.terms, t),
            _ => false,
        });
        (plain && types.len() == arity).then_some(types)
    }

    fn properties(
        &self,
        field: TermId,
        variables: &FxHashMap<u32, usize>,
        stated: &mut Vec<StatedProperty>,
        ranges: &mut Vec<super::Range>,
        found: &mut Assertions,
    ) {
        let field = match self.terms.matches(field, "{}", 1) {
            Some(&[inner]) => inner,
            _ => field,
        };
        for id in self.terms.chain(field, ",") {
            let argument = |v: u32| variables.get(&v).copied();
            match read_property(self.terms, id, &argument, &|v| self.name(v).to_string()) {
                Ok(properties) => {
                    let range = self.range(id);
                    let text = without_layout(self.text.get(range.0..range.1).unwrap_or_default());
                    for property in properties {
                        if let Property::Unknown(name, arity) = &property {
                            self.report(found, id, format!("{name}/{arity} is no property that Costlens knows; it is ignored{}", did_you_mean(name, &PROPERTIES)), Ignored::Property);
                        }
                        stated.push(StatedProperty {
                            property,
                            text: text.clone(),
                        });
                        ranges.push(range);
                    }
                }
                Err(e) => self.report(found, e.at, e.message, Ignored::Assertion),
            }
        }
    }

    fn documentation(&self, field: TermId) -> Option<String> {
        match self.terms.get(field) {
            Term::String(text) | Term::Atom(text) => Some(text.to_string()),
            _ => None,
        }
    }
}

/// Splits an assertion into its fields, each with the preceding operator; only the head has no operator. The operators' priorities differ
/// between dialects, so the tree is flattened in text order: `a : b + c` yields `a`, `: b`, `+ c` whether it was read as `(a : b) + c` or
/// as `a : (b + c)`.
fn fields(terms: &Terms, body: TermId) -> Vec<(&'static str, TermId)> {
    let (mut found, mut stack) = (Vec::new(), vec![("", body)]);
    while let Some((before, id)) = stack.pop() {
        let operator = ["::", ":", "=>", "+", "#"]
            .into_iter()
            .find_map(|name| terms.matches(id, name, 2).map(|args| (name, args)));
        match operator {
            Some((name, &[left, right])) => stack.extend([(name, right), (before, left)]),
            _ => found.push((before, id)),
        }
    }
    found
}

/// Parses `list(A)`, `list(A, int)`, `var(B)`, `A = list`.
fn type_condition(
    terms: &Terms,
    condition: TermId,
    variables: &FxHashMap<u32, usize>,
    arguments: &mut [Argument],
    call: bool,
) -> bool {
    let Some((name, _)) = terms.functor(condition) else {
        return false;
    };
    let given = terms.args(condition);
    let is_variable = |t: &TermId| matches!(terms.get(*t), Term::Var(_));
    // `list(int, A)`, an earlier notation of Ciao.
    let is_turned =
        name == "list" && given.len() == 2 && is_variable(&given[1]) && !is_variable(&given[0]);
    let turned: Vec<TermId> = match is_turned {
        true => given.iter().rev().copied().collect(),
        false => given.to_vec(),
    };
    let Some((&of, parameters)) = turned.split_first() else {
        return false;
    };
    let Term::Var(v) = terms.get(of) else {
        return false;
    };
    let Some(argument) = variables.get(v).and_then(|&a| arguments.get_mut(a)) else {
        return false;
    };
    let types = parameters.iter().map(|&p| declared_type(terms, p, 1));
    let of = DeclaredType::from_name(name, types.collect());
    // An unknown name may be a type with one parameter that the program defines.
    let named = matches!(of, DeclaredType::Named(_));
    if named && (!call || turned.len() > 1 || argument.call.is_some()) {
        return false;
    }
    // If an argument has two conditions, the last condition is kept.
    let exact = DeclaredType::is_exact(name, parameters.len())
        && parameters.iter().all(|&p| is_exact(terms, p, 1));
    argument.inexact |= call && !exact;
    argument.narrower |= call && (argument.call.is_some() || !exact);
    if call {
        argument.also.extend(argument.call.take());
    }
    *(if call {
        &mut argument.call
    } else {
        &mut argument.success
    }) = Some(of);
    true
}

/// Returns true for a term without variables, numbers and strings.
fn is_closed(terms: &Terms, id: TermId) -> bool {
    let all = terms.subterms(id);
    all.iter()
        .all(|&t| matches!(terms.get(t), Term::Atom(_) | Term::Compound(..)))
}

/// Returns whether [`declared_type`] reads a type term without loss, as a type with the same values; depth-bounded.
fn is_exact(terms: &Terms, id: TermId, depth: usize) -> bool {
    if depth > DEEPEST_TYPE {
        return false;
    }
    let parameters = terms.args(id);
    if matches!(terms.get(id), Term::Var(_)) {
        return true;
    }
    terms.functor(id).is_some_and(|(name, _)| {
        DeclaredType::is_exact(name, parameters.len())
            && parameters.iter().all(|&p| is_exact(terms, p, depth + 1))
    })
}

/// Parses a type term: `list(list(int))`; depth-bounded.
pub(super) fn declared_type(terms: &Terms, id: TermId, depth: usize) -> DeclaredType {
    if depth > DEEPEST_TYPE {
        return DeclaredType::Any;
    }
    if let Term::Var(v) = terms.get(id) {
        return DeclaredType::Parameter(format_smolstr!("{v}"));
    }
    match terms.functor(id) {
        Some((name, _)) => {
            let parameters = terms
                .args(id)
                .iter()
                .map(|&p| declared_type(terms, p, depth + 1))
                .collect();
            DeclaredType::from_name(name, parameters)
        }
        None => DeclaredType::Any,
    }
}

/// Splits a head argument into its mode, type and variable: `+A`, `+(A, list)`, `+A:list`, `A:list`.
fn moded(terms: &Terms, given: TermId) -> (Argument, TermId) {
    let mut argument = Argument::default();
    let mut inner = given;
    if let Some((prefix, 1 | 2)) = terms.functor(given)
        && let Some(mode) = Mode::from_prefix(prefix)
        && !(prefix == ":" && terms.args(given).len() == 2)
    {
        argument.mode = Some(mode);
        inner = terms.args(given)[0];
        // `+(A, list)`
        if let Some(&of) = terms.args(given).get(1) {
            argument.call = Some(declared_type(terms, of, 0));
            argument.narrower = !is_exact(terms, of, 0);
        }
    }
    // `+A:list`, `A:list`
    if let Some(&[variable, of]) = terms.matches(inner, ":", 2) {
        argument.call = Some(declared_type(terms, of, 0));
        argument.narrower = !is_exact(terms, of, 0);
        inner = variable;
        if let Some((prefix, 1)) = terms.functor(inner)
            && let Some(mode) = Mode::from_prefix(prefix)
        {
            argument.mode = Some(mode);
            inner = terms.args(inner)[0];
        }
    }
    (argument, inner)
}

/// Parses `length(A) =< 1000`, `0 =< N`, `intervals(int(N), [i(1,12)])`.
pub(super) fn size_limit(
    terms: &Terms,
    condition: TermId,
    variables: &FxHashMap<u32, usize>,
    limits: &mut Vec<SizeLimit>,
) -> bool {
    let Some((name, _)) = terms.functor(condition) else {
        return false;
    };
    let measured = |id: TermId| -> Option<(usize, Option<SizeMetric>)> {
        let (variable, metric) = match terms.functor(id) {
            Some((name, 1)) => (terms.args(id)[0], Some(SizeMetric::from_name(name)?)),
            _ => (id, None),
        };
        match terms.get(variable) {
            Term::Var(v) => Some((*variables.get(v)?, metric)),
            _ => None,
        }
    };
    let number = |id: TermId| integer(terms, id);
    let &[left, right] = terms.args(condition) else {
        return false;
    };
    if name == "intervals" {
        let limit = measured(left)
            .and_then(|(argument, metric)| interval_limit(terms, argument, metric, right));
        let found = limit.is_some();
        limits.extend(limit);
        return found;
    }
    // `E op K`, or `K op E` with swapped sides.
    let (place, bound, operator) =
        match (measured(left), number(right), number(left), measured(right)) {
            (Some(place), Some(bound), _, _) => (place, bound, name.as_str()),
            (_, _, Some(bound), Some(place)) => (place, bound, turned(name).unwrap_or(name)),
            _ => return false,
        };
    let one = BigInt::from(1);
    let (at_least, at_most) = match operator {
        "=<" => (None, Some(bound)),
        "<" => (None, Some(bound - one)),
        ">=" => (Some(bound), None),
        ">" => (Some(bound + one), None),
        "=" | "=:=" | "==" => (Some(bound.clone()), Some(bound)),
        _ => return false,
    };
    limits.push(SizeLimit {
        argument: place.0,
        metric: place.1,
        at_least,
        at_most,
    });
    true
}

/// Parses the limit in `intervals(int(N), [i(1,12)])`. A single interval is a limit; several intervals are not.
fn interval_limit(
    terms: &Terms,
    argument: usize,
    metric: Option<SizeMetric>,
    intervals: TermId,
) -> Option<SizeLimit> {
    let (intervals, _) = terms.list(intervals);
    let &[interval] = &intervals[..] else {
        return None;
    };
    let &[low, high] = terms.matches(interval, "i", 2)? else {
        return None;
    };
    let (at_least, at_most) = (integer(terms, low), integer(terms, high));
    let is_open = |end: TermId| terms.as_atom(end).is_some();
    ((at_least.is_some() || is_open(low)) && (at_most.is_some() || is_open(high))).then_some(
        SizeLimit {
            argument,
            metric,
            at_least,
            at_most,
        },
    )
}

fn integer(terms: &Terms, id: TermId) -> Option<BigInt> {
    match terms.get(id) {
        Term::Integer(n) => Some(n.to_big()),
        _ => None,
    }
}
