//! Tokens inside a term: names, numbers, texts, variables, and opening brackets.

use smol_str::SmolStr;

use super::{Failure, FrameKind, Pass, WrittenName, failure};
use crate::dialect::QuotedAs;
use crate::leaves::{Bracket, Leaf, LeafKind};
use crate::term::{NIL, QUOTED_NIL, Term, TermId};
use crate::tokens;

impl Pass<'_> {
    /// Reads one token or bracket inside a term.
    pub(super) fn item(&mut self, leaf: Leaf) -> Result<(), Failure> {
        let complete = self.complete();
        if let Some(name) = self.name(leaf)? {
            return self.named(leaf, name, complete);
        }
        match leaf.kind {
            LeafKind::Comma | LeafKind::Bar => {
                let name = WrittenName {
                    text: leaf.text(self.text).into(),
                    start: leaf.start(),
                    end: leaf.end(),
                    leaves: 1,
                    quoted: false,
                };
                if self.operator_between(&name) {
                    self.at += 1;
                    return Ok(());
                }
                return Err(if self.complete() {
                    self.operator_expected(leaf)
                } else {
                    failure(
                        &leaf,
                        format!(
                            "unexpected `{}`: an operand is missing",
                            leaf.text(self.text)
                        ),
                    )
                });
            }
            LeafKind::End => return Err(failure(&leaf, "unexpected end of clause")),
            LeafKind::Close(_) => {
                return Err(failure(
                    &leaf,
                    format!(
                        "unexpected `{}`: an operand is missing",
                        leaf.text(self.text)
                    ),
                ));
            }
            _ => {}
        }
        if complete {
            return Err(self.operator_expected(leaf));
        }
        self.at += 1;
        match leaf.kind {
            LeafKind::Open(Bracket::Paren) => self.open(FrameKind::Paren, leaf.start()),
            LeafKind::Open(Bracket::List) => self.open(FrameKind::List, leaf.start()),
            LeafKind::Open(Bracket::Curly) => self.open(FrameKind::Curly, leaf.start()),
            LeafKind::Variable => {
                let id = self.variable(leaf);
                let next = self.leaves.get(self.at);
                if self.flags.syntax.dicts
                    && next.is_some_and(|n| {
                        n.start() == leaf.end() && n.kind == LeafKind::Open(Bracket::Curly)
                    })
                {
                    self.open_dict(id, leaf.start())?;
                } else {
                    self.operand(id);
                }
            }
            LeafKind::Number => self.number(leaf.start(), leaf, false)?,
            LeafKind::String => self.quoted(leaf, self.flags.double_quotes)?,
            LeafKind::BackQuoted => self.quoted(leaf, self.flags.back_quotes)?,
            LeafKind::QuasiQuotation => self.quasi_quotation(leaf)?,
            _ => return Err(failure(&leaf, "unexpected token")),
        }
        Ok(())
    }

    /// Reads an item that starts with a name: an operator, a signed number, a compound, a dict or an atom.
    fn named(&mut self, leaf: Leaf, name: WrittenName, complete: bool) -> Result<(), Failure> {
        let next = self.leaves.get(self.at + name.leaves).copied();
        let touching = next.filter(|n| n.start() == name.end).map(|n| n.kind);
        let functor = touching == Some(LeafKind::Open(Bracket::Paren));
        let tag = touching == Some(LeafKind::Open(Bracket::Curly)) && self.flags.syntax.dicts;
        let number = if self.flags.syntax.minus_before_layout {
            next.map(|n| n.kind)
        } else if name.quoted {
            None
        } else {
            touching
        };
        // `-٣` is `-(3)`.
        let is_ascii = next
            .is_some_and(|n| n.text(self.text).is_ascii() || n.text(self.text).starts_with("0'"));
        if !complete && name.text == "-" && number == Some(LeafKind::Number) && is_ascii {
            self.at += 2;
            if let Some(number) = next {
                self.number(leaf.start(), number, true)?;
            }
            return Ok(());
        }
        let operator = !(name.quoted && self.never_operator(&name.text));
        if operator && (complete || !(functor || tag)) && self.operator(&name) {
            self.at += name.leaves;
            return Ok(());
        }
        // A preceding prefix operator may have been read as an operand.
        if self.complete() {
            return Err(self.operator_expected(leaf));
        }
        self.at += name.leaves;
        if functor {
            self.at += 1;
            self.open(FrameKind::Arguments(name.text), name.start);
            if let Some(close) = self.next_is(LeafKind::Close(Bracket::Paren)) {
                return self.no_arguments(close);
            }
        } else {
            let id = self.terms.atom(name.text);
            self.place(id, name.start, name.end);
            if tag {
                self.open_dict(id, name.start)?
            } else {
                self.operand(id)
            }
        }
        Ok(())
    }

    /// Returns the name that starts at this leaf, if any.
    pub(super) fn name(&self, leaf: Leaf) -> Result<Option<WrittenName>, Failure> {
        let pair = |bracket, text: &'static str| {
            let close = self
                .leaves
                .get(self.at + 1)
                .filter(|c| c.kind == LeafKind::Close(bracket))?;
            Some(WrittenName {
                text: text.into(),
                start: leaf.start(),
                end: close.end(),
                leaves: 2,
                quoted: false,
            })
        };
        Ok(match leaf.kind {
            LeafKind::Atom | LeafKind::Symbol | LeafKind::Solo => Some(WrittenName {
                text: leaf.text(self.text).into(),
                start: leaf.start(),
                end: leaf.end(),
                leaves: 1,
                quoted: false,
            }),
            LeafKind::QuotedAtom => Some(WrittenName {
                text: match self.unquoted(leaf)? {
                    nil if nil == NIL && self.flags.syntax.dicts => QUOTED_NIL.into(),
                    text => text.into(),
                },
                start: leaf.start(),
                end: leaf.end(),
                leaves: 1,
                quoted: true,
            }),
            LeafKind::Open(Bracket::List) => pair(Bracket::List, NIL),
            LeafKind::Open(Bracket::Curly) => pair(Bracket::Curly, "{}"),
            _ => None,
        })
    }

    /// Returns whether this quoted atom is never an operator, whatever the operator table.
    fn never_operator(&self, text: &str) -> bool {
        !self.flags.syntax.quoted_operators && !crate::write::needs_quotes(text)
    }

    fn unquoted(&self, leaf: Leaf) -> Result<String, Failure> {
        tokens::unquote(leaf.text(self.text), !self.flags.syntax.skips_indentation)
            .map_err(|m| failure(&leaf, m))
    }

    pub(super) fn variable(&mut self, leaf: Leaf) -> TermId {
        let name = leaf.text(self.text);
        let fresh = u32::try_from(self.spans.variables.len()).unwrap_or(u32::MAX);
        let number = if name == "_" {
            fresh
        } else {
            *self.variables.entry(name).or_insert(fresh)
        };
        if number == fresh {
            self.spans.variables.push(name.into());
        }
        let id = self.terms.push(Term::Var(number));
        self.place(id, leaf.start(), leaf.end());
        id
    }

    fn number(&mut self, start: usize, leaf: Leaf, negative: bool) -> Result<(), Failure> {
        let value =
            tokens::number(leaf.text(self.text), negative).map_err(|m| failure(&leaf, m))?;
        let id = self.terms.push(value);
        self.place(id, start, leaf.end());
        self.operand(id);
        Ok(())
    }

    /// Reads a double-quoted or back-quoted item.
    fn quoted(&mut self, leaf: Leaf, stands_for: QuotedAs) -> Result<(), Failure> {
        let text = self.unquoted(leaf)?;
        let id = match stands_for {
            QuotedAs::String => self.terms.push(Term::String(text.into())),
            QuotedAs::Atom if text == NIL && self.flags.syntax.dicts => self.terms.atom(QUOTED_NIL),
            QuotedAs::Atom => self.terms.atom(text),
            QuotedAs::Codes | QuotedAs::Chars => {
                for c in text.chars() {
                    let element = match stands_for {
                        QuotedAs::Codes => Term::Integer(u32::from(c).into()),
                        _ => Term::Atom(SmolStr::new(c.encode_utf8(&mut [0; 4]))),
                    };
                    let element = self.terms.push(element);
                    self.place(element, leaf.start(), leaf.end());
                    self.parts.push(element);
                }
                let first = self.parts.len() - text.chars().count();
                self.list(first, None, leaf.start(), leaf.end())
            }
        };
        self.place(id, leaf.start(), leaf.end());
        self.operand(id);
        Ok(())
    }
}
