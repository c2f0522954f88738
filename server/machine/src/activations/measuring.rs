//! Predicates with which a program controls the measured part of its run (Mera et al. 2010, Section 5 and Appendix B): `profile/1`,
//! `profile_reset/0` and `profile_dump/0`.
//!
//! In a run that calls `profile/1`, use outside these calls is charged to no centre, and ports are not counted outside them. If a centre is
//! entered and left outside, its use inside these calls is still shown.

use std::sync::{Arc, Mutex};

use crate::centres::{Amounts, ENTERED, Enter, Measured};
use crate::machine::Machine;
use crate::observer::{Every, Looker, Looks};

impl Machine {
    /// Sets the function that formats the profile for `profile_dump/0`. Without a function, `profile_dump/0` writes nothing.
    pub fn dump_as(&mut self, text: fn(&Measured) -> String) {
        self.dump = Some(text);
    }

    /// Implements `profile_reset/0`: discards the measurements so far. Open calls count as entered at this moment.
    pub(crate) fn reset_profile(&mut self) {
        if self.centres.clock.is_none() {
            return;
        }
        self.give();
        let (mut open, measured) = (self.activation, self.centres.measured());
        while open != 0 {
            self.forget_pending(open, measured);
            open = self.parent(open);
        }
        let centres = &mut self.centres;
        centres.nobodys = centres.given;
        for edge in &mut centres.edges {
            edge.ports = Default::default();
        }
        for node in &mut centres.nodes {
            node.used = Amounts::default();
        }
        for centre in &mut centres.centres {
            centre.forget();
        }
        centres.heads.forget();
    }

    /// Begins measuring when `profile/1` is called or redone. The first call discards the earlier measurements.
    pub(crate) fn enter_measured(&mut self) {
        if self.centres.clock.is_none() {
            return;
        }
        match self.centres.inside {
            None => {
                self.reset_profile();
                self.centres.inside = Some(1);
            }
            Some(inside) => {
                self.give();
                self.centres.inside = Some(inside + 1);
            }
        }
    }

    /// Handles leaving `profile/1`.
    pub(crate) fn leave_measured(&mut self) {
        if let Some(inside) = self.centres.inside {
            self.give();
            self.centres.inside = Some(inside.saturating_sub(1));
        }
    }

    /// Returns the text of `profile_dump/0`, or `None` if no profile is taken.
    pub(crate) fn dumped(&mut self) -> Option<String> {
        let text = self.dump?;
        self.give();
        Some(text(&self.measured_so_far()?))
    }

    /// Shows the profile so far to a looker when a centre of the plan is called, at most once per `every`.
    pub fn look_at(&mut self, every: Every, looker: Arc<Mutex<dyn Looker>>) {
        let at = self.centres.clock.map_or(0, |clock| clock());
        self.looks = Some(Looks::new(looker, every, at));
    }

    /// After a call of a centre in the plan, shows the profile to the looker if the interval has passed.
    #[cold]
    pub(crate) fn look(&mut self) {
        let now = self.centres.at;
        let Some(looks) = &mut self.looks else {
            return;
        };
        let Some(looker) = looks.called(now) else {
            return;
        };
        if let Some(measured) = self.measured_so_far() {
            looker(&measured);
        }
        self.resume_profile();
    }

    /// Returns the profile so far. All use must already be charged. Open calls have the exit port `Open`.
    fn measured_so_far(&mut self) -> Option<Measured> {
        let mut measured = self.measured()?;
        let mut open = self.activation;
        while open != 0 {
            let (edge, pending) = self.pending(open);
            let enter = match *self.word(open, ENTERED) {
                0 => Enter::Call,
                _ => Enter::Redo,
            };
            let centre = measured.edges.get(edge).map(|edge| edge.to);
            if let Some(edge) = measured.edges.get_mut(edge) {
                edge.ports.add_open(enter, &pending);
            }
            if let Some(centre) = centre.and_then(|n| measured.centres.get_mut(n)) {
                centre.close_now(&measured.total);
            }
            open = self.parent(open);
        }
        Some(measured)
    }
}
