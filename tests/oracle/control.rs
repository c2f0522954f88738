//! Control constructs of the counting interpreter, meta-calls, and the errors that built-ins throw.

use costlens_catalog::is_control_construct;
use smol_str::SmolStr;

use crate::heap::Ref;
use crate::machine::{Aggregate, ChoiceKind, FrameId, FrameKind, Machine, Next, Stop};
use crate::program::Key;

impl Machine {
    pub(crate) fn control(
        &mut self,
        name: &str,
        arguments: &[Ref],
        cut: usize,
        next: FrameId,
    ) -> Result<Option<Next>, Stop> {
        let height = self.choices.len();
        Ok(Some(match (name, arguments) {
            ("true" | "otherwise", []) => Next::Frame(next),
            ("fail" | "false", []) => Next::Fail,
            ("!", []) => {
                self.choices.truncate(cut);
                Next::Frame(next)
            }
            (",", &[a, b]) => {
                let after = self.frame(FrameKind::Goal(b, cut), next);
                Next::Frame(self.frame(FrameKind::Goal(a, cut), after))
            }
            (";" | "|", &[a, b]) => {
                if let Some([condition, then]) = self.heap.matches(a, "->") {
                    self.choice(ChoiceKind::Goal(b, cut), next);
                    self.condition(condition, FrameKind::CutTo(height), then, cut, next)
                } else if let Some([condition, then]) = self.heap.matches(a, "*->") {
                    self.choice(ChoiceKind::Goal(b, cut), next);
                    self.condition(condition, FrameKind::SoftCut(height), then, cut, next)
                } else {
                    self.choice(ChoiceKind::Goal(b, cut), next);
                    Next::Frame(self.frame(FrameKind::Goal(a, cut), next))
                }
            }
            ("->", &[condition, then]) => {
                self.choice(ChoiceKind::Dead, next);
                self.condition(condition, FrameKind::CutTo(height), then, cut, next)
            }
            ("*->", &[condition, then]) => {
                let after = self.frame(FrameKind::Goal(then, cut), next);
                Next::Frame(self.frame(FrameKind::Goal(condition, height), after))
            }
            ("\\+", &[goal]) => {
                self.check_body(goal)?;
                self.choice(ChoiceKind::Continue, next);
                let after = self.frame(FrameKind::NotExit(height), next);
                Next::Frame(self.frame(FrameKind::Goal(goal, height + 1), after))
            }
            ("call", &[goal]) | ("cost_center", &[_, goal]) => {
                self.check_body(goal)?;
                Next::Frame(self.frame(FrameKind::Goal(goal, height), next))
            }
            ("call", &[goal, ref more @ ..]) => {
                let goal = self.add_arguments(goal, more)?;
                Next::Frame(self.frame(FrameKind::Goal(goal, height), next))
            }
            ("not", &[goal]) if !self.defines("not", 1) => {
                let goal = self.heap.compound("\\+", &[goal]);
                Next::Frame(self.frame(FrameKind::Goal(goal, height), next))
            }
            ("once", &[goal]) => {
                self.check_body(goal)?;
                self.choice(ChoiceKind::Dead, next);
                let after = self.frame(FrameKind::CutTo(height), next);
                Next::Frame(self.frame(FrameKind::Goal(goal, height + 1), after))
            }
            ("ignore", &[goal]) if !self.defines("ignore", 1) => {
                self.check_body(goal)?;
                self.choice(ChoiceKind::Continue, next);
                let after = self.frame(FrameKind::CutTo(height), next);
                Next::Frame(self.frame(FrameKind::Goal(goal, height + 1), after))
            }
            ("forall", &[condition, action]) if !self.defines("forall", 2) => {
                let not = self.heap.compound("\\+", &[action]);
                let both = self.heap.compound(",", &[condition, not]);
                let goal = self.heap.compound("\\+", &[both]);
                Next::Frame(self.frame(FrameKind::Goal(goal, height), next))
            }
            ("catch", &[goal, catcher, recovery]) => {
                self.catches += 1;
                let id = self.catches;
                self.choice(ChoiceKind::Catch(id, catcher, recovery), next);
                let after = self.frame(FrameKind::PopCatch(id), next);
                let call = self.heap.compound("call", &[goal]);
                Next::Frame(self.frame(FrameKind::Goal(call, height + 1), after))
            }
            ("throw", &[ball]) => {
                if self.heap.is_unbound(ball) {
                    return Err(self.instantiation_error());
                }
                return Err(Stop::Throw(ball));
            }
            ("findall", &[template, goal, out]) => {
                self.findall(template, goal, out, None, (Aggregate::List, false), next)?
            }
            ("findall", &[template, goal, out, tail]) => self.findall(
                template,
                goal,
                out,
                Some(tail),
                (Aggregate::List, false),
                next,
            )?,
            // A lambda expression as a goal.
            (">>" | "/", &[parameters, body, ref more @ ..])
                if !self.defines(name, arguments.len()) =>
            {
                let lambda = self.heap.compound(name, &[parameters, body]);
                let goal = self.add_arguments(lambda, more)?;
                Next::Frame(self.frame(FrameKind::Goal(goal, height), next))
            }
            (":", &[module, _]) if self.heap.is_unbound(module) => {
                return Err(self.instantiation_error());
            }
            (":", &[_, goal]) => Next::Frame(self.frame(FrameKind::Goal(goal, cut), next)),
            _ => return Ok(None),
        }))
    }

    fn condition(
        &mut self,
        condition: Ref,
        exit: FrameKind,
        then: Ref,
        cut: usize,
        next: FrameId,
    ) -> Next {
        // A cut in the condition is local to it: it keeps the choice point of the else branch.
        let local = self.choices.len();
        let then = self.frame(FrameKind::Goal(then, cut), next);
        let exit = self.frame(exit, then);
        Next::Frame(self.frame(FrameKind::Goal(condition, local), exit))
    }

    pub(crate) fn findall(
        &mut self,
        template: Ref,
        goal: Ref,
        out: Ref,
        tail: Option<Ref>,
        (aggregate, is_distinct): (Aggregate, bool),
        next: FrameId,
    ) -> Result<Next, Stop> {
        if aggregate == Aggregate::List && !is_distinct {
            let (_, rest) = self.heap.elements(out)?;
            if !self.heap.is_unbound(rest) && !self.heap.is_atom(rest, "[]") {
                return Err(self.type_error("list", out));
            }
        }
        let height = self.choices.len();
        self.choice(
            ChoiceKind::Findall(Vec::new(), out, tail, (aggregate, is_distinct)),
            next,
        );
        let collect = self.frame(FrameKind::Collect(height, template), next);
        let call = self.heap.compound("call", &[goal]);
        Ok(Next::Frame(
            self.frame(FrameKind::Goal(call, height + 1), collect),
        ))
    }

    /// Returns whether the program has its own clauses for a predicate that is also a built-in.
    fn defines(&self, name: &str, arity: usize) -> bool {
        self.program
            .predicates
            .contains_key(&(SmolStr::new(name), arity))
    }

    /// `call/1` checks the whole control structure before it runs any of it.
    fn check_body(&mut self, goal: Ref) -> Result<(), Stop> {
        let mut stack = vec![goal];
        while let Some(part) = stack.pop() {
            let part = self.heap.deref(part);
            if self.heap.is_unbound(part) {
                if part == self.heap.deref(goal) {
                    return Err(self.instantiation_error());
                }
                continue;
            }
            match self.heap.callable(part) {
                Some((name, start, arity)) if is_control_construct(&name, arity) => {
                    stack.extend(start..start + arity);
                }
                Some((name, start, 2)) if name == ":" => {
                    let module = self.heap.deref(start);
                    let is_atom = matches!(self.heap.callable(module), Some((_, _, 0)));
                    if !is_atom && !self.heap.is_unbound(module) {
                        return Err(self.type_error("callable", goal));
                    }
                    stack.push(start + 1);
                }
                Some(_) => {}
                None => return Err(self.type_error("callable", goal)),
            }
        }
        Ok(())
    }

    pub(crate) fn not_callable(&mut self, goal: Ref) -> Stop {
        if self.heap.is_unbound(goal) {
            self.instantiation_error()
        } else {
            self.type_error("callable", goal)
        }
    }

    pub(crate) fn add_arguments(&mut self, goal: Ref, more: &[Ref]) -> Result<Ref, Stop> {
        let mut goal = self.heap.deref(goal);
        while let Some([_, inner]) = self.heap.matches(goal, ":") {
            goal = self.heap.deref(inner);
        }
        let Some((name, start, arity)) = self.heap.callable(goal) else {
            return Err(self.not_callable(goal));
        };
        if let Some(goal) = self.apply_lambda(goal, more)? {
            return Ok(goal);
        }
        if matches!(name.as_str(), ">>" | "/") && arity == 2 {
            return Err(Stop::Unsupported("lambda expression".into()));
        }
        let arguments: Vec<Ref> = (start..start + arity).chain(more.iter().copied()).collect();
        Ok(self.heap.compound(&name, &arguments))
    }

    /// Throws `error(existence_error(procedure, Name/Arity), _)`.
    pub(crate) fn unknown_procedure(&mut self, key: &Key) -> Stop {
        let (name, arity) = (self.heap.atom(&key.0), self.heap.int(key.1));
        let indicator = self.heap.compound("/", &[name, arity]);
        let procedure = self.heap.atom("procedure");
        let formal = self
            .heap
            .compound("existence_error", &[procedure, indicator]);
        self.error(formal)
    }

    /// Throws `error(existence_error(matching_rule, Goal), _)`.
    pub(crate) fn no_matching_rule(&mut self, goal: Ref) -> Stop {
        let kind = self.heap.atom("matching_rule");
        let formal = self.heap.compound("existence_error", &[kind, goal]);
        self.error(formal)
    }

    /// Throws `error(Formal, _)`.
    pub(crate) fn error(&mut self, formal: Ref) -> Stop {
        let context = self.heap.var();
        Stop::Throw(self.heap.compound("error", &[formal, context]))
    }

    pub(crate) fn instantiation_error(&mut self) -> Stop {
        let formal = self.heap.atom("instantiation_error");
        self.error(formal)
    }

    pub(crate) fn type_error(&mut self, expected: &str, culprit: Ref) -> Stop {
        let expected = self.heap.atom(expected);
        let formal = self.heap.compound("type_error", &[expected, culprit]);
        self.error(formal)
    }

    pub(crate) fn domain_error(&mut self, domain: &str, culprit: Ref) -> Stop {
        let domain = self.heap.atom(domain);
        let formal = self.heap.compound("domain_error", &[domain, culprit]);
        self.error(formal)
    }

    pub(crate) fn representation_error(&mut self, what: &str) -> Stop {
        let what = self.heap.atom(what);
        let formal = self.heap.compound("representation_error", &[what]);
        self.error(formal)
    }
}
