//! The operator pass: the leaves of one clause, under an operator table, to one term.
//!
//! Operators and operands wait on two stacks (`side` and `out`) until priorities decide, as SWI-Prolog's reader does it;
//! brackets open a frame each. Nothing recurses.
//!
//! Where the standard leaves room, SWI-Prolog 9 is followed: arguments may have priorities up to 1200; quoted atoms are
//! no operators unless they must be quoted; a prefix operator before an infix one is an atom (`- = x`) if its operand
//! could not have that priority; `-` and a number make a negative number only if nothing stands between them and an
//! operand is due.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::dialect::QuotedAs;
use crate::flags::Flags;
use crate::leaves::{Bracket, Leaf, LeafKind};
use crate::operators::{MAX_PRIORITY, Operators, Position};
use crate::term::{CONS, NIL, QUOTED_NIL, ReadError, Spans, Term, TermId, Terms};
use crate::tokens;

/// Higher than any operator: what may stand in brackets and arguments.
const ANY_PRIORITY: u16 = MAX_PRIORITY + 1;

/// The result of reading a clause's leaves.
pub(crate) struct Outcome {
    pub(crate) terms: Terms,
    pub(crate) root: TermId,
    pub(crate) spans: Spans,
    pub(crate) error: Option<ReadError>,
}

/// Reads a clause. `leaves` end with an end token, or are damaged.
pub(crate) fn clause(text: &str, leaves: &[Leaf], operators: &Operators, flags: &Flags) -> Outcome {
    let base = leaves.first().map_or(0, |l| l.start);
    let mut pass = Pass {
        text,
        leaves,
        base,
        operators,
        flags,
        at: 0,
        terms: Terms::default(),
        spans: Spans::default(),
        variables: FxHashMap::default(),
        out: Vec::new(),
        side: Vec::new(),
        parts: Vec::new(),
        frames: Vec::new(),
    };
    match damage(text, leaves).map_or_else(|| pass.run(), Err) {
        Ok(root) => Outcome {
            terms: pass.terms,
            root,
            spans: pass.spans,
            error: None,
        },
        Err(failure) => {
            let mut terms = Terms::default();
            let root = terms.push(Term::Error);
            let whole = relative(base, base, leaves.last().map_or(base, |l| l.end));
            Outcome {
                terms,
                root,
                spans: Spans {
                    ranges: vec![whole],
                    variables: Vec::new(),
                },
                error: Some(ReadError {
                    message: failure.message,
                    range: relative(base, failure.start, failure.end),
                    heads: crate::heads::possible(text, leaves),
                }),
            }
        }
    }
}

/// Why a clause is no term, and where in the file.
struct Failure {
    message: String,
    start: usize,
    end: usize,
}

fn failure(leaf: &Leaf, message: impl Into<String>) -> Failure {
    Failure {
        message: message.into(),
        start: leaf.start,
        end: leaf.end,
    }
}

fn missing_operand(op: &Waiting) -> Failure {
    Failure {
        message: format!("an operand of `{}` is missing", op.name),
        start: op.start,
        end: op.end,
    }
}

fn relative(base: usize, start: usize, end: usize) -> (u32, u32) {
    let of = |at: usize| u32::try_from(at.saturating_sub(base)).unwrap_or(u32::MAX);
    (of(start), of(end))
}

/// The first leaf that shows that brackets, quotes, characters or the end are wrong.
fn damage(text: &str, leaves: &[Leaf]) -> Option<Failure> {
    let mut open: Vec<&Leaf> = Vec::new();
    for leaf in leaves {
        match leaf.kind {
            LeafKind::Open(_) => open.push(leaf),
            LeafKind::Close(_) => {
                open.pop();
            }
            LeafKind::Unclosed => {
                // The innermost bracket is the one to name: those around it are unclosed because of it.
                let opener = open.pop().unwrap_or(leaf);
                return Some(failure(opener, format!("unclosed `{}`", opener.text(text))));
            }
            LeafKind::UnclosedQuote => {
                let quote = leaf.text(text).chars().next().unwrap_or('\'');
                return Some(Failure {
                    message: format!("unclosed quote {quote}"),
                    start: leaf.start,
                    end: leaf.start + quote.len_utf8(),
                });
            }
            LeafKind::Stray => {
                return Some(failure(
                    leaf,
                    format!("`{}` closes no bracket", leaf.text(text)),
                ));
            }
            LeafKind::Illegal => return Some(failure(leaf, "illegal character")),
            LeafKind::NoEnd => return Some(failure(leaf, "the clause has no end: `.` expected")),
            _ => {}
        }
    }
    None
}

/// An operand, with the priority of its operator.
struct Operand {
    term: TermId,
    priority: u16,
}

/// An operator that waits for its right operand.
struct Waiting {
    name: SmolStr,
    position: Position,
    priority: u16,
    left: u16,
    right: u16,
    start: usize,
    end: usize,
}

enum FrameKind {
    /// The whole clause.
    Clause,
    Paren,
    Curly,
    /// `name(`…; arguments wait in `parts`.
    Arguments(SmolStr),
    /// Elements wait in `parts`.
    List,
    /// Behind the bar of a list.
    Tail,
    /// `tag{`…; tag, keys and values wait in `parts`.
    Dict,
}

struct Frame {
    kind: FrameKind,
    /// Where it begins in the file.
    start: usize,
    /// The sizes of the stacks below it.
    out: usize,
    side: usize,
    parts: usize,
    /// An operand stands to the left, so that an infix operator or the end is due.
    complete: bool,
}

struct Pass<'a> {
    text: &'a str,
    leaves: &'a [Leaf],
    base: usize,
    operators: &'a Operators,
    flags: &'a Flags,
    at: usize,
    terms: Terms,
    spans: Spans,
    variables: FxHashMap<&'a str, u32>,
    out: Vec<Operand>,
    side: Vec<Waiting>,
    parts: Vec<TermId>,
    frames: Vec<Frame>,
}

/// A token that names an atom: an atom, symbols, `[]`, `{}`.
struct WrittenName {
    text: SmolStr,
    start: usize,
    end: usize,
    /// How many leaves it takes.
    leaves: usize,
    quoted: bool,
}

impl<'a> Pass<'a> {
    fn run(&mut self) -> Result<TermId, Failure> {
        self.open(FrameKind::Clause, self.base);
        loop {
            let Some(&leaf) = self.leaves.get(self.at) else {
                let last = self.leaves.last().copied().unwrap_or(Leaf {
                    kind: LeafKind::NoEnd,
                    start: 0,
                    end: 0,
                });
                return Err(failure(&last, "the clause has no end: `.` expected"));
            };
            if self.ends_term(leaf) {
                let value = self.finish_term(leaf)?;
                self.at += 1;
                if let Some(root) = self.continue_frame(value, leaf)? {
                    return Ok(root);
                }
                continue;
            }
            self.item(leaf)?;
        }
    }

    // ---- Items ----------------------------------------------------------------------------------------------------

    /// Reads one token or bracket inside a term.
    fn item(&mut self, leaf: Leaf) -> Result<(), Failure> {
        let complete = self.complete();
        if let Some(name) = self.name(leaf)? {
            return self.named(leaf, name, complete);
        }
        match leaf.kind {
            LeafKind::Comma | LeafKind::Bar => {
                let name = WrittenName {
                    text: leaf.text(self.text).into(),
                    start: leaf.start,
                    end: leaf.end,
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
            LeafKind::Open(Bracket::Paren) => self.open(FrameKind::Paren, leaf.start),
            LeafKind::Open(Bracket::List) => self.open(FrameKind::List, leaf.start),
            LeafKind::Open(Bracket::Curly) => self.open(FrameKind::Curly, leaf.start),
            LeafKind::Variable => {
                let id = self.variable(leaf);
                let next = self.leaves.get(self.at);
                if self.flags.syntax.dicts
                    && next.is_some_and(|n| {
                        n.start == leaf.end && n.kind == LeafKind::Open(Bracket::Curly)
                    })
                {
                    self.open_dict(id, leaf.start)?;
                } else {
                    self.operand(id);
                }
            }
            LeafKind::Number => self.number(leaf.start, leaf, false)?,
            LeafKind::String => self.quoted(leaf, self.flags.double_quotes)?,
            LeafKind::BackQuoted => self.quoted(leaf, self.flags.back_quotes)?,
            LeafKind::QuasiQuotation => self.quasi_quotation(leaf),
            _ => return Err(failure(&leaf, "unexpected token")),
        }
        Ok(())
    }

    /// Reads an item that begins with a name: an operator, a number with its sign, a compound, a dict or an atom.
    fn named(&mut self, leaf: Leaf, name: WrittenName, complete: bool) -> Result<(), Failure> {
        let next = self.leaves.get(self.at + name.leaves).copied();
        let touching = next.filter(|n| n.start == name.end).map(|n| n.kind);
        let functor = touching == Some(LeafKind::Open(Bracket::Paren));
        let tag = touching == Some(LeafKind::Open(Bracket::Curly)) && self.flags.syntax.dicts;
        let number = if self.flags.syntax.minus_before_layout {
            next.map(|n| n.kind)
        } else if name.quoted {
            None
        } else {
            touching
        };
        if !complete && name.text == "-" && number == Some(LeafKind::Number) {
            self.at += 2;
            if let Some(number) = next {
                self.number(leaf.start, number, true)?;
            }
            return Ok(());
        }
        let operator = !(name.quoted && self.never_operator(&name.text));
        if operator && (complete || !(functor || tag)) && self.operator(&name) {
            self.at += name.leaves;
            return Ok(());
        }
        // A prefix operator may just have turned out to be an operand.
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

    /// The name that begins at this leaf, if one does.
    fn name(&self, leaf: Leaf) -> Result<Option<WrittenName>, Failure> {
        let pair = |bracket, text: &'static str| {
            let close = self
                .leaves
                .get(self.at + 1)
                .filter(|c| c.kind == LeafKind::Close(bracket))?;
            Some(WrittenName {
                text: text.into(),
                start: leaf.start,
                end: close.end,
                leaves: 2,
                quoted: false,
            })
        };
        Ok(match leaf.kind {
            LeafKind::Atom | LeafKind::Symbol | LeafKind::Solo => Some(WrittenName {
                text: leaf.text(self.text).into(),
                start: leaf.start,
                end: leaf.end,
                leaves: 1,
                quoted: false,
            }),
            LeafKind::QuotedAtom => Some(WrittenName {
                text: match self.unquoted(leaf)? {
                    nil if nil == NIL && self.flags.syntax.dicts => QUOTED_NIL.into(),
                    text => text.into(),
                },
                start: leaf.start,
                end: leaf.end,
                leaves: 1,
                quoted: true,
            }),
            LeafKind::Open(Bracket::List) => pair(Bracket::List, NIL),
            LeafKind::Open(Bracket::Curly) => pair(Bracket::Curly, "{}"),
            _ => None,
        })
    }

    /// Returns whether this quoted atom is no operator whatever the table says.
    fn never_operator(&self, text: &str) -> bool {
        !self.flags.syntax.quoted_operators && !crate::write::needs_quotes(text)
    }

    fn unquoted(&self, leaf: Leaf) -> Result<String, Failure> {
        tokens::unquote(leaf.text(self.text), !self.flags.syntax.skips_indentation)
            .map_err(|m| failure(&leaf, m))
    }

    fn variable(&mut self, leaf: Leaf) -> TermId {
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
        self.place(id, leaf.start, leaf.end);
        id
    }

    fn number(&mut self, start: usize, leaf: Leaf, negative: bool) -> Result<(), Failure> {
        let value =
            tokens::number(leaf.text(self.text), negative).map_err(|m| failure(&leaf, m))?;
        let id = self.terms.push(value);
        self.place(id, start, leaf.end);
        self.operand(id);
        Ok(())
    }

    /// A double-quoted or back-quoted item.
    fn quoted(&mut self, leaf: Leaf, stands_for: QuotedAs) -> Result<(), Failure> {
        let text = self.unquoted(leaf)?;
        let id = match stands_for {
            QuotedAs::String => self.terms.push(Term::String(text.into())),
            QuotedAs::Atom => self.terms.atom(text),
            QuotedAs::Codes | QuotedAs::Chars => {
                for c in text.chars() {
                    let element = match stands_for {
                        QuotedAs::Codes => Term::Integer(u32::from(c).into()),
                        _ => Term::Atom(SmolStr::new(c.encode_utf8(&mut [0; 4]))),
                    };
                    let element = self.terms.push(element);
                    self.place(element, leaf.start, leaf.end);
                    self.parts.push(element);
                }
                let first = self.parts.len() - text.chars().count();
                self.list(first, None, leaf.start, leaf.end)
            }
        };
        self.place(id, leaf.start, leaf.end);
        self.operand(id);
        Ok(())
    }

    /// `{|Syntax||text|}`: what it stands for, only the syntax's parser knows; so it is kept as `'{||}'(Syntax, Text)`,
    /// both strings.
    fn quasi_quotation(&mut self, leaf: Leaf) {
        let inside = leaf
            .text(self.text)
            .trim_start_matches("{|")
            .trim_end_matches("|}");
        let (syntax, content) = inside.split_once("||").unwrap_or((inside, ""));
        let parts = [syntax.trim(), content].map(|part| {
            let id = self.terms.push(Term::String(part.into()));
            self.place(id, leaf.start, leaf.end);
            id
        });
        let id = self.terms.compound("{||}", &parts);
        self.place(id, leaf.start, leaf.end);
        self.operand(id);
    }

    // ---- Operators ------------------------------------------------------------------------------------------------

    /// Takes the name as an operator, if it is one here.
    fn operator(&mut self, name: &WrittenName) -> bool {
        if !self.complete()
            && self
                .waiting(name, Position::Prefix)
                .is_some_and(|op| self.push(op))
        {
            return true;
        }
        self.operator_between(name)
    }

    /// Takes the name as an infix or postfix operator, if it is one and an operand is to its left.
    fn operator_between(&mut self, name: &WrittenName) -> bool {
        for position in [Position::Infix, Position::Postfix] {
            if let Some(op) = self.waiting(name, position) {
                self.settle(op.left);
                if self.complete() {
                    // No clash is reported here: what cannot be reduced now is found when the term ends.
                    self.reduce(op.left);
                    self.set_complete(position == Position::Postfix);
                    return self.push(op);
                }
            }
        }
        false
    }

    fn waiting(&self, name: &WrittenName, position: Position) -> Option<Waiting> {
        let (priority, kind) = self.operators.get(&name.text, position)?;
        let (left, right) = kind.operand_priorities(priority);
        Some(Waiting {
            name: name.text.clone(),
            position,
            priority,
            left,
            right,
            start: name.start,
            end: name.end,
        })
    }

    fn push(&mut self, op: Waiting) -> bool {
        self.side.push(op);
        true
    }

    /// Where an operand is still due: a waiting prefix operator that cannot take one of this priority is an atom, and
    /// an infix operator that is also a postfix operator is that.
    fn settle(&mut self, priority: u16) {
        let (out_base, side_base) = self.bases();
        if self.complete() || self.side.len() == side_base {
            return;
        }
        let Some(op) = self.side.last_mut().filter(|op| priority > op.right) else {
            return;
        };
        match op.position {
            Position::Prefix => {
                if let Some(op) = self.side.pop() {
                    let id = self.terms.atom(op.name);
                    self.place(id, op.start, op.end);
                    self.operand(id);
                }
            }
            Position::Infix if self.out.len() > out_base => {
                if let Some((priority, kind)) = self.operators.get(&op.name, Position::Postfix) {
                    op.position = Position::Postfix;
                    op.priority = priority;
                    (op.left, op.right) = kind.operand_priorities(priority);
                    self.build();
                    self.set_complete(true);
                }
            }
            _ => {}
        }
    }

    /// Builds the terms of waiting operators that bind at least as tightly as `priority`. Stops at one whose operands
    /// do not fit and gives its place in `side`.
    fn reduce(&mut self, priority: u16) -> Option<usize> {
        let (out_base, side_base) = self.bases();
        while self.side.len() > side_base {
            let op = self.side.last()?;
            if op.priority > priority {
                return None;
            }
            let operands = &self.out[out_base..];
            let fits = match (op.position, operands) {
                (Position::Prefix, [.., a]) => op.right >= a.priority,
                (Position::Postfix, [.., a]) => op.left >= a.priority,
                (Position::Infix, [.., a, b]) => op.left >= a.priority && op.right >= b.priority,
                _ => return None,
            };
            if !fits {
                return Some(self.side.len() - 1);
            }
            self.build();
        }
        None
    }

    /// Makes a term of the last waiting operator and its operands.
    fn build(&mut self) {
        let Some(op) = self.side.pop() else { return };
        let arity = if op.position == Position::Infix { 2 } else { 1 };
        let first = self.out.len().saturating_sub(arity);
        let arguments: Vec<TermId> = self.out.drain(first..).map(|o| o.term).collect();
        let (mut start, mut end) = (op.start, op.end);
        for &argument in &arguments {
            let (s, e) = self.spans.of(argument);
            start = start.min(self.base + s);
            end = end.max(self.base + e);
        }
        let id = self.terms.compound(op.name, &arguments);
        self.place(id, start, end);
        self.out.push(Operand {
            term: id,
            priority: op.priority,
        });
    }

    // ---- Frames ---------------------------------------------------------------------------------------------------

    fn open(&mut self, kind: FrameKind, start: usize) {
        self.frames.push(Frame {
            kind,
            start,
            out: self.out.len(),
            side: self.side.len(),
            parts: self.parts.len(),
            complete: false,
        });
    }

    /// Returns whether the term in the innermost bracket ends before this leaf.
    fn ends_term(&self, leaf: Leaf) -> bool {
        let Some(frame) = self.frames.last() else {
            return true;
        };
        // Nothing read yet: what would end the term is an error, or an item of its own.
        if self.out.len() == frame.out && self.side.len() == frame.side {
            return false;
        }
        use LeafKind::{Bar, Close, Comma, End};
        match frame.kind {
            FrameKind::Clause => leaf.kind == End,
            FrameKind::Paren => leaf.kind == Close(Bracket::Paren),
            FrameKind::Curly => leaf.kind == Close(Bracket::Curly),
            FrameKind::Arguments(_) => matches!(leaf.kind, Comma | Close(Bracket::Paren)),
            FrameKind::List | FrameKind::Tail => {
                leaf.kind == Bar && leaf.end - leaf.start == 1
                    || matches!(leaf.kind, Comma | Close(Bracket::List))
            }
            FrameKind::Dict => matches!(leaf.kind, Comma | Close(Bracket::Curly)),
        }
    }

    /// Settles what waits in the innermost bracket; gives the one term that remains.
    fn finish_term(&mut self, leaf: Leaf) -> Result<TermId, Failure> {
        self.settle(ANY_PRIORITY);
        let (out_base, side_base) = self.bases();
        let (operands, waiting) = (self.out.len() - out_base, self.side.len() - side_base);
        if let Some(op) = self
            .side
            .last()
            .filter(|_| !self.complete() && waiting > 0 && (operands, waiting) != (0, 1))
        {
            return Err(missing_operand(op));
        }
        if let Some(clash) = self.reduce(ANY_PRIORITY) {
            let op = &self.side[clash];
            return Err(Failure {
                message: format!(
                    "operator priority clash: the operands of `{}` need parentheses",
                    op.name
                ),
                start: op.start,
                end: op.end,
            });
        }
        match (self.out.len() - out_base, self.side.len() - side_base) {
            (1, 0) => {}
            (0, 1) => {
                if let Some(op) = self.side.pop() {
                    let id = self.terms.atom(op.name);
                    self.place(id, op.start, op.end);
                    self.operand(id);
                }
            }
            _ => {
                return Err(self
                    .side
                    .last()
                    .map_or_else(|| failure(&leaf, "unbalanced operators"), missing_operand));
            }
        }
        self.set_complete(false);
        self.out
            .pop()
            .map(|o| o.term)
            .ok_or_else(|| failure(&leaf, "an operand is missing"))
    }

    /// Gives a finished term to its bracket, whose token `leaf` (already passed) ended it; the root, if it was the
    /// clause.
    fn continue_frame(&mut self, value: TermId, leaf: Leaf) -> Result<Option<TermId>, Failure> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(Some(value));
        };
        let closed = matches!(leaf.kind, LeafKind::Close(_));
        match frame.kind {
            FrameKind::Clause => return Ok(Some(value)),
            FrameKind::Paren => {
                self.frames.pop();
                self.operand(value);
            }
            FrameKind::Curly => {
                let start = frame.start;
                self.frames.pop();
                let id = self.terms.compound("{}", &[value]);
                self.place(id, start, leaf.end);
                self.operand(id);
            }
            FrameKind::Arguments(_) => {
                self.parts.push(value);
                if closed {
                    self.close_arguments(leaf);
                }
            }
            FrameKind::List => {
                self.parts.push(value);
                if leaf.kind == LeafKind::Bar {
                    frame.kind = FrameKind::Tail;
                } else if closed {
                    self.close_list(None, leaf);
                }
            }
            FrameKind::Tail if closed => self.close_list(Some(value), leaf),
            FrameKind::Tail => {
                return Err(failure(&leaf, "`]` expected behind the tail of a list"));
            }
            FrameKind::Dict => {
                self.parts.push(value);
                if closed {
                    self.close_dict(leaf)?
                } else {
                    self.dict_key()?
                }
            }
        }
        Ok(None)
    }

    fn close_arguments(&mut self, close: Leaf) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if let FrameKind::Arguments(name) = frame.kind {
            let id = self.terms.compound(name, &self.parts[frame.parts..]);
            self.parts.truncate(frame.parts);
            self.place(id, frame.start, close.end);
            self.operand(id);
        }
    }

    fn no_arguments(&mut self, close: Leaf) -> Result<(), Failure> {
        if !self.flags.syntax.empty_arguments {
            return Err(failure(&close, "an argument is missing"));
        }
        self.at += 1;
        self.close_arguments(close);
        Ok(())
    }

    fn close_list(&mut self, tail: Option<TermId>, close: Leaf) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let id = self.list(frame.parts, tail, frame.start, close.end);
        self.operand(id);
    }

    /// The list of the parts from `first` on.
    fn list(&mut self, first: usize, tail: Option<TermId>, start: usize, end: usize) -> TermId {
        let mut list = tail.unwrap_or_else(|| {
            let nil = self.terms.atom(NIL);
            self.place(nil, end.saturating_sub(1).max(start), end);
            nil
        });
        while self.parts.len() > first {
            let Some(element) = self.parts.pop() else {
                break;
            };
            let cell_start = if self.parts.len() == first {
                start
            } else {
                self.base + self.spans.of(element).0
            };
            list = self.terms.compound(CONS, &[element, list]);
            self.place(list, cell_start, end);
        }
        list
    }

    fn open_dict(&mut self, tag: TermId, start: usize) -> Result<(), Failure> {
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

    /// `key:` in a dict.
    fn dict_key(&mut self) -> Result<(), Failure> {
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
        self.place(id, leaf.start, leaf.end);
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

    /// `dict(Tag, Key1, Value1, …)`, in the standard order of the keys.
    fn close_dict(&mut self, close: Leaf) -> Result<(), Failure> {
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
        // Integers before atoms.
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
        self.place(id, frame.start, close.end);
        self.operand(id);
        Ok(())
    }

    // ---- Small things ---------------------------------------------------------------------------------------------

    fn bases(&self) -> (usize, usize) {
        self.frames.last().map_or((0, 0), |f| (f.out, f.side))
    }

    fn complete(&self) -> bool {
        self.frames.last().is_some_and(|f| f.complete)
    }

    fn set_complete(&mut self, complete: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.complete = complete;
        }
    }

    fn operand(&mut self, term: TermId) {
        self.out.push(Operand { term, priority: 0 });
        self.set_complete(true);
    }

    fn next_is(&self, kind: LeafKind) -> Option<Leaf> {
        self.leaves.get(self.at).filter(|l| l.kind == kind).copied()
    }

    fn place(&mut self, id: TermId, start: usize, end: usize) {
        let range = relative(self.base, start, end);
        if let Some(slot) = self.spans.ranges.get_mut(id.index()) {
            *slot = range;
        } else {
            // Every node is placed as it is made, so this is the next one.
            self.spans.ranges.push(range);
        }
    }

    fn operator_expected(&self, leaf: Leaf) -> Failure {
        let text = leaf.text(self.text);
        let shown: String = text.chars().take(30).collect();
        match leaf.kind {
            LeafKind::Atom | LeafKind::Symbol => failure(
                &leaf,
                format!("operator expected: `{shown}` is no operator here"),
            ),
            _ => failure(&leaf, format!("operator expected before `{shown}`")),
        }
    }
}
