//! Lambda expressions, and the helper predicates used by the shipped library.

use num_traits::{Signed, ToPrimitive};

use crate::heap::{Cell, Ref};
use crate::machine::{Machine, Stop};

impl Machine {
    /// Returns a lambda expression with arguments as a goal: it counts one step, a copy's parameters are unified with the arguments, and the
    /// body is called with the remaining ones. Returns `None` if the term is not a lambda expression.
    pub(crate) fn apply_lambda(
        &mut self,
        lambda: Ref,
        arguments: &[Ref],
    ) -> Result<Option<Ref>, Stop> {
        if let Some([free, _]) = self.heap.matches(lambda, "/")
            && let Some(("{}", _, 0 | 1)) = (self.heap.callable(free))
                .as_ref()
                .map(|(name, start, arity)| (name.as_str(), *start, *arity))
        {
            // `{Free}/Closure` has no parameters.
            let record = self.heap.record(lambda)?;
            let copy = self.heap.restore(&record);
            let [free_copy, closure] = self.heap.matches(copy, "/").unwrap();
            if !self.heap.unify(free, free_copy)? {
                return Err(Stop::Unsupported("lambda expression".into()));
            }
            self.enter()?;
            let call = [&[closure], arguments].concat();
            return Ok(Some(self.heap.compound("call", &call)));
        }
        if self.heap.matches::<2>(lambda, ">>").is_none() {
            return Ok(None);
        }
        let record = self.heap.record(lambda)?;
        let copy = self.heap.restore(&record);
        let ([head, _], [head_copy, body]) = (
            self.heap.matches(lambda, ">>").unwrap(),
            self.heap.matches(copy, ">>").unwrap(),
        );
        let mut parameters = head_copy;
        if let Some([free, _]) = self.heap.matches(head, "/")
            && let Some([free_copy, list]) = self.heap.matches(head_copy, "/")
        {
            // Variables declared free are shared with the clause.
            if !self.heap.unify(free, free_copy)? {
                return Err(Stop::Unsupported("lambda expression".into()));
            }
            parameters = list;
        }
        self.enter()?;
        let (parameters, rest) = self.heap.elements(parameters)?;
        if !self.heap.is_atom(rest, "[]") || parameters.len() > arguments.len() {
            let culprit = self.heap.restore(&record);
            return Err(self.domain_error("lambda_parameters", culprit));
        }
        for (&parameter, &argument) in parameters.iter().zip(arguments) {
            if !self.heap.unify(parameter, argument)? {
                return Ok(Some(self.heap.atom("fail")));
            }
        }
        let mut call = vec![body];
        call.extend(&arguments[parameters.len()..]);
        Ok(Some(self.heap.compound("call", &call)))
    }

    /// Returns the goal that `phrase/3` calls: for a control construct or a list the translation of a grammar rule with that body, for
    /// anything else the nonterminal with two more arguments.
    pub(crate) fn grammar_call(&mut self, body: Ref, lists: [Ref; 2]) -> Result<Ref, Stop> {
        let is_translated = self.heap.callable(body).is_some_and(|(name, _, arity)| {
            matches!(
                (name.as_str(), arity),
                ("," | ";" | "|" | "->" | "[|]", 2) | ("\\+" | "{}", 1) | ("!" | "[]", 0)
            )
        });
        if !is_translated {
            return self.add_arguments(body, &lists);
        }
        let goal = self.grammar_body(body, lists)?;
        Ok(self.heap.compound("call", &[goal]))
    }

    fn grammar_body(&mut self, body: Ref, [from, to]: [Ref; 2]) -> Result<Ref, Stop> {
        let Some((name, start, arity)) = self.heap.callable(body) else {
            if let Cell::Str(text) = self.heap.value(body).clone() {
                let codes: Vec<Ref> = text.chars().map(|c| self.heap.int(u32::from(c))).collect();
                let list = self.heap.list(&codes, Some(to));
                return Ok(self.heap.compound("=", &[from, list]));
            }
            return match self.heap.is_unbound(body) {
                true => Ok(self.heap.compound("phrase", &[body, from, to])),
                false => Err(self.type_error("callable", body)),
            };
        };
        Ok(match (name.as_str(), arity) {
            ("," | "->" | "*->", 2) => {
                let middle = self.heap.var();
                let left = self.grammar_body(start, [from, middle])?;
                let right = self.grammar_body(start + 1, [middle, to])?;
                self.heap.compound(&name, &[left, right])
            }
            (";" | "|", 2) => {
                let left = self.grammar_body(start, [from, to])?;
                let right = self.grammar_body(start + 1, [from, to])?;
                self.heap.compound(";", &[left, right])
            }
            ("\\+", 1) => {
                let anything = self.heap.var();
                let inner = self.grammar_body(start, [from, anything])?;
                let not = self.heap.compound("\\+", &[inner]);
                let same = self.heap.compound("=", &[to, from]);
                self.heap.compound(",", &[not, same])
            }
            ("!", 0) | ("{}", 1) => {
                let goal = if arity == 0 { body } else { start };
                let same = self.heap.compound("=", &[to, from]);
                self.heap.compound(",", &[goal, same])
            }
            ("[]" | "{}", 0) => self.heap.compound("=", &[from, to]),
            ("[|]", 2) => {
                let (elements, rest) = self.heap.elements(body)?;
                if !self.heap.is_atom(rest, "[]") {
                    return Err(Stop::Unsupported("a partial list in a grammar".into()));
                }
                let list = self.heap.list(&elements, Some(to));
                self.heap.compound("=", &[from, list])
            }
            _ => self.add_arguments(body, &[from, to])?,
        })
    }

    /// Runs built-ins of the shipped library: `'$seek_list'/4`, `'$skip_list'/3`, and the checks of `must_be/2` used there.
    pub(crate) fn library_helper(
        &mut self,
        name: &str,
        arguments: &[Ref],
    ) -> Option<Result<bool, Stop>> {
        match (name, arguments) {
            ("$seek_list", &[count, list, left, rest]) => Some(self.seek(count, list, left, rest)),
            ("$skip_list", &[length, list, tail]) => Some(self.skip(length, list, tail)),
            ("must_be", &[kind, term]) => Some(self.must_be(kind, term)),
            _ => None,
        }
    }

    fn skip(&mut self, length: Ref, list: Ref, tail: Ref) -> Result<bool, Stop> {
        let (elements, end) = self.heap.elements(list)?;
        let cells = self.heap.int(elements.len());
        Ok(self.heap.unify(length, cells)? && self.heap.unify(tail, end)?)
    }

    fn seek(&mut self, count: Ref, list: Ref, left: Ref, rest: Ref) -> Result<bool, Stop> {
        let count = self.integer(count)?;
        if count.to_i64().is_none() {
            return Err(self.representation_error("int64_t"));
        }
        let (elements, end) = self.heap.elements(list)?;
        let passed = count
            .to_usize()
            .unwrap_or(if count.is_negative() { 0 } else { usize::MAX });
        let passed = passed.min(elements.len());
        let remaining = self.heap.int(count - passed);
        let tail = elements[passed..]
            .iter()
            .rev()
            .fold(end, |tail, &head| self.heap.compound("[|]", &[head, tail]));
        Ok(self.heap.unify(left, remaining)? && self.heap.unify(rest, tail)?)
    }

    fn must_be(&mut self, kind: Ref, term: Ref) -> Result<bool, Stop> {
        let (kind, is_integer) = match self.heap.callable(kind) {
            Some((kind, _, 0)) if kind == "integer" => (kind, self.integer(term).map(|_| true)),
            Some((kind, _, 0)) if kind == "list" => {
                let (_, end) = self.heap.elements(term)?;
                let is_list = self.heap.is_atom(end, "[]");
                (kind, Ok(is_list))
            }
            _ => return Err(Stop::Unsupported("must_be/2".into())),
        };
        if is_integer? {
            return Ok(true);
        }
        Err(if self.heap.is_unbound(term) {
            self.instantiation_error()
        } else {
            self.type_error(&kind, term)
        })
    }
}
