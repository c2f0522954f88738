//! Quasi-quotations: `{|Syntax||text|}`.

use super::{Failure, Pass, ReadOutcome, failure};
use crate::leaves::{self, Leaf};
use crate::parsed::Parsed;
use crate::term::{Comment, QUASI_QUOTATION, Term, TermId, Terms};

/// Stores the leaves of a text's only clause.
#[derive(Default)]
struct Only(Vec<Leaf>);

impl leaves::Reader for Only {
    fn unclosed_comment(&mut self, _start: usize) {}

    fn known(&mut self, _text: &str, _start: usize) -> Option<Vec<Comment>> {
        None
    }

    fn clause(&mut self, leaves: &[Leaf], _node: Option<(usize, usize)>, _comments: &[Comment]) {
        self.0.extend(leaves);
    }
}

impl Pass<'_> {
    /// Reads a quasi-quotation. Only the syntax's parser knows its meaning. It is represented as `'{||}'(Syntax, Text)`: the syntax is a
    /// term of the clause, whose variables the parser may use, and the text is a string.
    pub(super) fn quasi_quotation(&mut self, leaf: Leaf) -> Result<(), Failure> {
        let inside = leaf
            .text(self.text)
            .trim_start_matches("{|")
            .trim_end_matches("|}");
        let (written, content) = inside.split_once("||").unwrap_or((inside, ""));
        let syntax = self.syntax(leaf, written)?;
        let Some((name, _)) = self.terms.functor(syntax) else {
            return Err(failure(
                &leaf,
                "the syntax of a quasi-quotation is an atom or a compound",
            ));
        };
        if let Some(known) = &self.flags.quasi_quotations
            && !known.contains(name)
        {
            return Err(failure(
                &leaf,
                format!(
                    "`{name}` is no syntax of quasi-quotations here: declare it with `:- quasi_quotation_syntax({name})`"
                ),
            ));
        }
        let text = self.terms.push(Term::String(content.into()));
        self.place(text, leaf.start(), leaf.end());
        let id = self.terms.compound(QUASI_QUOTATION, &[syntax, text]);
        self.place(id, leaf.start(), leaf.end());
        self.operand(id);
        Ok(())
    }

    /// Reads the term before the text, with the clause's variables.
    fn syntax(&mut self, leaf: Leaf, written: &str) -> Result<TermId, Failure> {
        let parsed = Parsed::new(format!("{written} ."));
        let mut only = Only::default();
        leaves::clauses(&parsed, &mut only);
        let read = super::clause(&parsed.text, &only.0, self.operators, self.flags);
        if let Some(error) = read.error {
            return Err(failure(&leaf, error.message));
        }
        let first = only.0.first().map_or(0, |l| l.start());
        let base = leaf.start() + "{|".len() + first;
        let mut copies: Vec<TermId> = Vec::with_capacity(read.terms.len());
        // The arguments of a term precede it.
        for id in read.terms.ids() {
            let (from, to) = read.spans.range(id);
            let (from, to) = (base + from, base + to);
            let copy = match read.terms.get(id) {
                Term::Var(_) => {
                    let named = Leaf::new(leaf.kind, from, to);
                    self.variable(named)
                }
                Term::Compound(name, _) => {
                    let arguments = read.terms.args(id).iter();
                    let arguments: Vec<TermId> = arguments.map(|a| copies[a.index()]).collect();
                    self.terms.compound(name.clone(), &arguments)
                }
                other => self.terms.push(other.clone()),
            };
            self.place(copy, from, to);
            copies.push(copy);
        }
        Ok(copies[read.root.index()])
    }
}

/// Returns whether a clause, or a directive's goal, is a quasi-quotation, which may denote any clause or goal.
pub(super) fn is_whole(terms: &Terms, root: TermId) -> bool {
    let is_one = |t: TermId| terms.matches(t, QUASI_QUOTATION, 2).is_some();
    let head = [":-", "-->", "=>"].iter();
    let head = { head }.find_map(|neck| terms.matches(root, neck, 2));
    let goal = terms.matches(root, ":-", 1);
    is_one(root) || head.or(goal).is_some_and(|args| is_one(args[0]))
}

/// Returns the clause as a clause with a syntax error.
pub(super) fn unknown_clause(text: &str, leaves: &[Leaf], outcome: ReadOutcome) -> ReadOutcome {
    if outcome.error.is_some() || !is_whole(&outcome.terms, outcome.root) {
        return outcome;
    }
    let (start, end) = (
        leaves.first().map_or(0, |l| l.start()),
        leaves.last().map_or(0, |l| l.end()),
    );
    let unknown = Failure {
        message: "a quasi-quotation stands for the clause: only its syntax knows which one"
            .to_owned(),
        start,
        end,
    };
    super::failed(text, leaves, unknown)
}
