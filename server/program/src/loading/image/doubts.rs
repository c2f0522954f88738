//! Loads that may not happen: loads by `initialization` goals in a file in which SWI-Prolog rejects an import.
//!
//! ```prolog
//! :- use_module(m1, except([p/1])).   % an error if m1 does not export p/1,
//! :- initialization([rows]).          % in m1: it may or may not run
//! ```

use smol_str::SmolStr;

use super::loader::{Doubt, Loader};
use super::state::Name;
use crate::directives::acts::{What, acts};
use crate::directives::{facts, loads};
use crate::loading::load_target::target;
use crate::workspace::{SourceFile, is_installed};

impl Loader<'_> {
    /// Postpones a load that may not happen until all other files are loaded.
    pub(super) fn doubt(&mut self, by: SourceFile, number: usize, module: SmolStr) {
        let load = loads(self.db, by).loads.get(number);
        let into = load.and_then(|load| load.into.clone()).unwrap_or(module);
        if let Some(file) = target(self.db, by, number).filter(|&f| !is_installed(self.db, f)) {
            self.doubtful.push(Doubt {
                by,
                number,
                file,
                into,
            });
        }
    }

    /// Marks everything that depends on whether a load happens as unclear.
    pub(super) fn load_perhaps(&mut self, doubt: Doubt, later: &mut Vec<SourceFile>) {
        let Doubt {
            by,
            number,
            file,
            into,
        } = doubt;
        let module = facts(self.db, file).module.clone();
        match self.loaded.get(&file).cloned() {
            Some(home) if module.is_none() && home == into => {}
            // A file without a module belongs to the module that loads it first.
            Some(home) if module.is_none() => {
                self.own_perhaps(file, &home);
                let frame = self.begin(file, into.clone(), false, None);
                self.run(frame, later);
                self.own_perhaps(file, &into);
            }
            Some(_) => {}
            None => {
                let frame = self.begin(file, into.clone(), false, None);
                self.run(frame, later);
            }
        }
        if let (Some(module), Some(load)) = (module, loads(self.db, by).loads.get(number)) {
            self.import_all(by, false, &module, &into, &load.imports);
            // Later imports may have been rejected.
            for name in self.module(&module).exports.clone() {
                if let Some(known @ Name::Imported { .. }) = self.module(&into).names.get_mut(&name)
                    && load.imports.there(&name).is_some()
                {
                    *known = Name::Unclear(by, true);
                }
            }
        }
    }

    /// Marks the definitions and declarations of a file as unclear in the module to which it may belong.
    fn own_perhaps(&mut self, file: SourceFile, module: &str) {
        for act in acts(self.db, file) {
            if let (What::Define(functor) | What::Declare(functor), None) = (&act.what, &act.module)
            {
                let names = &mut self.module(module).names;
                names.insert(functor.clone(), Name::Unclear(file, true));
            }
        }
    }
}
