//! Dicts: `tag{key: value}`.

use smol_str::SmolStr;

use super::{Failure, FrameKind, Pass, failure};
use crate::leaves::{Bracket, Leaf, LeafKind};
use crate::term::{Term, TermId};
use crate::tokens;

impl Pass<'_> {
    pub(super) fn open_dict(&mut self, tag: TermId, start: usize) -> Result<(), Failure> {
        self.open(FrameKind::Dict, start);
        self.parts.push(tag);
        self.at += 1;
        match self.next_is(LeafKind::Close(Bracket::Curly)) {
            Some(close) => {
                self.at += 1;
                self.close_dict(close)
            }
            None => self.dict_key(),
        }
    }

    /// Reads `key:` in a dict.
    pub(super) fn dict_key(&mut self) -> Result<(), Failure> {
        let Some(&leaf) = self.leaves.get(self.at) else {
            return Ok(());
        };
        let id = if let Some(name) = self.name(leaf)? {
            self.at += name.leaves;
            self.terms.atom(name.text)
        } else if leaf.kind == LeafKind::Number {
            self.at += 1;
            match tokens::number(leaf.text(self.text), false) {
                Ok(key @ Term::Integer(_)) => self.terms.push(key),
                _ => return Err(failure(&leaf, "a key of a dict is an atom or an integer")),
            }
        } else {
            return Err(failure(&leaf, "a key of a dict is an atom or an integer"));
        };
        self.place(id, leaf.start(), leaf.end());
        self.parts.push(id);
        match self.leaves.get(self.at) {
            Some(colon) if colon.kind == LeafKind::Symbol && colon.text(self.text) == ":" => {
                self.at += 1;
                Ok(())
            }
            other => Err(failure(
                other.unwrap_or(&leaf),
                "`:` expected behind the key of a dict",
            )),
        }
    }

    /// Builds `dict(Tag, Key1, Value1, …)`, in the standard order of the keys.
    pub(super) fn close_dict(&mut self, close: Leaf) -> Result<(), Failure> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        let tag = self.parts[frame.parts];
        let mut pairs: Vec<(TermId, TermId)> = self.parts[frame.parts + 1..]
            .chunks_exact(2)
            .map(|p| (p[0], p[1]))
            .collect();
        self.parts.truncate(frame.parts);
        let order = |id: TermId| match self.terms.get(id) {
            Term::Integer(n) => (Some(n.clone()), SmolStr::default()),
            Term::Atom(name) => (None, name.clone()),
            _ => (None, SmolStr::default()),
        };
        // Integers come before atoms.
        pairs.sort_by_cached_key(|&(key, _)| {
            let (number, name) = order(key);
            (number.is_none(), number, name)
        });
        if pairs.windows(2).any(|w| order(w[0].0) == order(w[1].0)) {
            return Err(failure(&close, "a key stands twice in this dict"));
        }
        let mut arguments = vec![tag];
        arguments.extend(pairs.into_iter().flat_map(|(k, v)| [k, v]));
        let id = self.terms.compound("dict", &arguments);
        self.place(id, frame.start, close.end());
        self.operand(id);
        Ok(())
    }
}
