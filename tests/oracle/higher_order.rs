//! Lambda expressions, and the helpers that the shipped library is written with.

use num_traits::{Signed, ToPrimitive};

use crate::heap::Ref;
use crate::machine::{Machine, Stop};

impl Machine {
    /// A lambda expression with arguments, as a goal: parameters are unified with a copy's, which counts one step where it
    /// succeeds, and the body is called with what is left. None for what is no lambda expression.
    pub(crate) fn apply_lambda(
        &mut self,
        lambda: Ref,
        arguments: &[Ref],
    ) -> Result<Option<Ref>, Stop> {
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
            // What is declared free is shared with the clause.
            if !self.heap.unify(free, free_copy)? {
                return Err(Stop::Unsupported("lambda expression".into()));
            }
            parameters = list;
        }
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
        self.enter()?;
        let mut call = vec![body];
        call.extend(&arguments[parameters.len()..]);
        Ok(Some(self.heap.compound("call", &call)))
    }

    /// Built-ins of the shipped library: `'$skip_elements'/3`, and `must_be/2` for what it checks there.
    pub(crate) fn library_helper(
        &mut self,
        name: &str,
        arguments: &[Ref],
    ) -> Option<Result<bool, Stop>> {
        match (name, arguments) {
            ("$skip_elements", &[count, list, rest]) => Some(self.skip(count, list, rest)),
            ("must_be", &[kind, term]) => Some(self.must_be(kind, term)),
            _ => None,
        }
    }

    fn skip(&mut self, count: Ref, list: Ref, rest: Ref) -> Result<bool, Stop> {
        let count = self.integer(count)?;
        let (elements, end) = self.heap.elements(list)?;
        if count.is_negative() {
            return Ok(false);
        }
        if !self.heap.is_atom(end, "[]") {
            return Err(Stop::Unsupported("skipping in a partial list".into()));
        }
        let from = count.to_usize().unwrap_or(usize::MAX).min(elements.len());
        let nil = self.heap.atom("[]");
        let left = elements[from..]
            .iter()
            .rev()
            .fold(nil, |tail, &head| self.heap.compound("[|]", &[head, tail]));
        Ok(self.heap.unify(rest, left)?)
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
