//! Processes a call: of a predicate of the program, a system predicate, or a closure.

use std::collections::BTreeSet;

use costlens_analysis::report::Determinism;
use costlens_catalog::meta_arguments;
use costlens_program::Functor;
use costlens_syntax::term::TermId;

use super::builtins::{self, ArgumentMode};
use super::modes::{Exit, on_exit};
use super::summary::{Site, map};
use super::walk::{DEEPEST, Walk};
use super::{ArgumentBinding, WORLD};

/// The dependences after calls of closures.
#[derive(Clone, Copy)]
struct Called {
    /// The dependences of the values of the closures' arguments.
    out: u64,
    /// The inputs that control the closures' outcomes.
    decides: u64,
}

impl Walk<'_, '_> {
    fn deps_of_each(&self, arguments: &[TermId]) -> Vec<u64> {
        let deps = arguments.iter().map(|&a| self.state.deps_of(self.terms, a));
        deps.collect()
    }

    /// Returns how a call binds its arguments. A variable that occurs in two arguments counts as bound in the second argument, because the
    /// first may bind it.
    fn bound(&self, arguments: &[TermId]) -> Vec<ArgumentBinding> {
        let of_argument = |j: usize| {
            let others = [&arguments[..j], &arguments[j + 1..]].concat();
            self.state.bound(self.terms, arguments[j], &others)
        };
        (0..arguments.len()).map(of_argument).collect()
    }

    /// Processes a call of a predicate of the program.
    pub(super) fn call(&mut self, goal: TermId, functor: &Functor, control: u64) -> u64 {
        let (terms, arguments) = (self.terms, self.terms.args(goal));
        let deps = self.deps_of_each(arguments);
        let mut exit = on_exit(self.reached.modes, functor, &self.bound(arguments));
        let effect = self.reached.call(functor);
        let mut state = 0;
        if self.reached.program.dynamic.contains(functor) {
            state = WORLD;
            exit.determinism = None;
            exit.ground.fill(false);
        }
        let decides = match exit.determinism {
            Some(Determinism::Det) => 0,
            _ => map(effect.decides, &deps) | state,
        };
        for ((&argument, out), ground) in arguments.iter().zip(effect.out).zip(exit.ground) {
            let set = map(out, &deps) | control | state;
            self.state.assign(terms, argument, set, ground);
        }
        self.state.share(terms, arguments);
        let fails = match exit.determinism {
            Some(Determinism::Multi) => 0,
            _ => decides,
        };
        self.pass_site(Some(goal), Site::new(functor.clone(), deps, control), fails);
        control | decides
    }

    /// Processes a call of a predicate that the program does not define.
    pub(super) fn system(&mut self, goal: TermId, functor: &Functor, control: u64) -> u64 {
        let (terms, arguments) = (self.terms, self.terms.args(goal));
        let (name, arity) = (functor.name.as_str(), functor.arity);
        let is_of_world = builtins::is_of_the_world(name, arity);
        let world = if is_of_world { WORLD } else { 0 };
        let mut deps = self.state.deps_of(terms, goal) | world;
        let mut decides = deps;
        let metas = meta_arguments(name, arity);
        for closure in metas.iter().filter_map(|meta| arguments.get(meta.argument)) {
            let called = self.closure(*closure, arguments, control | deps);
            let called = called.unwrap_or_else(|| {
                self.result.opaque = true;
                Called {
                    out: WORLD,
                    decides: WORLD,
                }
            });
            deps |= called.out;
            decides |= called.decides;
        }
        let exit = self.system_exit(functor, arguments);
        if exit.determinism == Some(Determinism::Det) && metas.is_empty() {
            decides = 0;
        }
        let site = Site::new(functor.clone(), vec![deps; arity], control);
        for (&argument, ground) in arguments.iter().zip(exit.ground) {
            let ground = ground && metas.is_empty();
            self.state.assign(terms, argument, deps | control, ground);
        }
        self.state.share(terms, arguments);
        self.pass_site(Some(goal), site, decides);
        control | decides
    }

    /// Returns the modes after a call of a system predicate, from analysis and from the catalogue.
    fn system_exit(&self, functor: &Functor, arguments: &[TermId]) -> Exit {
        let (terms, state) = (self.terms, &self.state);
        let (name, arity) = (functor.name.as_str(), functor.arity);
        let mut exit = on_exit(self.reached.modes, functor, &self.bound(arguments));
        let Some(modes) = builtins::modes(name, arity) else {
            return exit;
        };
        let arguments = || arguments.iter().zip(&modes);
        let is_usual =
            arguments().all(|(a, m)| *m == ArgumentMode::Input || state.is_free(terms, *a));
        if is_usual && builtins::succeeds_once(name, arity) {
            exit.determinism = Some(Determinism::Det);
        }
        let mut inputs = arguments().filter(|(_, m)| **m == ArgumentMode::Input);
        let grounds = builtins::grounds(name, arity) || is_usual && name == "length";
        if grounds && inputs.all(|(a, _)| state.is_ground(terms, *a)) {
            exit.ground.fill(true);
        }
        exit
    }

    /// Processes a closure that a library predicate calls. Returns `None` if the callee is not known statically.
    fn closure(&mut self, closure: TermId, arguments: &[TermId], control: u64) -> Option<Called> {
        let terms = self.terms;
        let (name, own) = terms.functor(closure)?;
        let others: Vec<TermId> = { arguments.iter().copied() }
            .filter(|&a| a != closure)
            .collect();
        if let Some(&[_, body]) = terms.matches(closure, ">>", 2) {
            return Some(self.lambda(closure, body, &others, control));
        }
        // The candidates have the closure's own arguments and some additional arguments.
        let program = self.reached.program;
        let named: BTreeSet<&Functor> = { program.clauses.keys() }
            .filter(|f| f.name == *name && f.arity >= own)
            .collect();
        let deps = self.deps_of_each(arguments);
        let all = deps.into_iter().fold(0, |sum, deps| sum | deps);
        let mut called = Called {
            out: all,
            decides: if named.is_empty() { all } else { 0 },
        };
        for functor in named {
            let added = functor.arity - own;
            let mut deps = self.deps_of_each(terms.args(closure));
            // The additional arguments come from the other arguments. If these are lists, they come from their elements in order.
            match others.len() == added {
                true => deps.extend(self.deps_of_each(&others)),
                false => deps.resize(functor.arity, all),
            }
            let effect = self.reached.call(functor);
            called.decides |= map(effect.decides, &deps);
            let out = effect.out.iter().map(|set| map(*set, &deps));
            called.out = out.fold(called.out, |sum, deps| sum | deps);
            let site = Site::new(functor.clone(), deps, control);
            self.pass_site(None, site, called.decides);
        }
        Some(called)
    }

    /// Processes the body of `Parameters>>Body`. The parameters may depend on any of the other arguments.
    fn lambda(&mut self, closure: TermId, body: TermId, others: &[TermId], control: u64) -> Called {
        let terms = self.terms;
        let deps = self.deps_of_each(others);
        let deps = deps.into_iter().fold(control, |sum, deps| sum | deps);
        let before = self.state.clone();
        self.state.assign(terms, closure, deps, false);
        let decides = self.goal(body, control, DEEPEST / 2);
        let out = decides | self.state.deps_of(terms, closure);
        self.state = before;
        Called { out, decides }
    }
}
