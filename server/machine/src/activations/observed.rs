//! The calls that an observer is told of.

use std::sync::{Arc, Mutex};

use crate::centres::Leave;
use crate::machine::Machine;
use crate::observer::{Observer, Shared};

impl Machine {
    /// Tells an observer of the calls of centres of the plan that a profile is taken by.
    pub fn observe(&mut self, observer: Arc<Mutex<dyn Observer>>) {
        self.observer = Some(Shared::new(observer));
    }

    /// The number by which an observer knows the call of a centre that is about to be entered, for its activation.
    pub(crate) fn call_observed(&mut self, centre: u32) -> u32 {
        let Some(observer) = self.observer.clone() else {
            return 0;
        };
        let Some(&(predicate, arity)) = self.centres.observed.get(&centre) else {
            return 0;
        };
        // More arguments than registers are on the stack: such calls are not observed.
        let Some(arguments) = self.x.get(..arity) else {
            return 0;
        };
        observer.with(|o| {
            let text = |cell| self.text_of(cell, &[]);
            o.called(&self.store, predicate, arguments, &text, &self.centres.live)
        })
    }

    /// A call that is observed is redone.
    #[cold]
    pub(crate) fn redo_observed(&self, call: u32) {
        if let Some(observer) = &self.observer {
            observer.with(|o| o.redone(call, &self.centres.live));
        }
    }

    /// A call that is observed is left: that of an activation.
    #[cold]
    pub(crate) fn leave_observed(&self, call: u32, activation: u32, by: Leave) {
        // Choice points in an activation lie in it or in one that stands higher on the stack.
        let choice = self.choices.last();
        let is_last = by != Leave::Exit || choice.is_none_or(|c| c.activation < activation);
        if let Some(observer) = &self.observer {
            observer.with(|o| o.left(call, by, is_last, &self.centres.live));
        }
    }
}
