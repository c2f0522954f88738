//! Reports calls to an observer.

use std::sync::{Arc, Mutex};

use crate::centres::Leave;
use crate::machine::Machine;
use crate::observer::{Observer, Shared};

impl Machine {
    /// Sets an observer for calls of the centres in the profile's plan.
    pub fn observe(&mut self, observer: Arc<Mutex<dyn Observer>>) {
        self.observer = Some(Shared::new(observer));
    }

    /// Reports the call of a centre that is about to be entered. Returns the observer's number for the call, which is stored in the
    /// activation.
    pub(crate) fn call_observed(&mut self, centre: u32) -> u32 {
        let Some(observer) = self.observer.clone() else {
            return 0;
        };
        let Some(&(predicate, arity)) = self.centres.observed.get(&centre) else {
            return 0;
        };
        // Arguments beyond the registers are on the stack. Calls with that many arguments are not observed.
        let Some(arguments) = self.x.get(..arity) else {
            return 0;
        };
        observer.with_observer(|o| {
            let text = |cell| self.text_of(cell, &[]);
            o.called(&self.store, predicate, arguments, &text, &self.centres.live)
        })
    }

    /// Reports the redo of an observed call.
    #[cold]
    pub(crate) fn redo_observed(&self, call: u32) {
        if let Some(observer) = &self.observer {
            observer.with_observer(|o| o.redone(call, &self.centres.live));
        }
    }

    /// Reports that the observed call of an activation is left.
    #[cold]
    pub(crate) fn leave_observed(&self, call: u32, activation: u32, by: Leave) {
        // The activation of a choice point inside an activation is this activation, or an activation higher on the stack.
        let choice = self.choices.last();
        let is_last = by != Leave::Exit || choice.is_none_or(|c| c.activation < activation);
        if let Some(observer) = &self.observer {
            observer.with_observer(|o| o.left(call, by, is_last, &self.centres.live));
        }
    }
}
