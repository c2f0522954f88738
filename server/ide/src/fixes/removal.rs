//! Removes goals from a clause.

use costlens_syntax::term::TermId;

use super::goals::rows;
use super::site::Site;
use crate::file::Edit;

impl Site<'_> {
    /// Returns the edits that remove goals from a clause, with the commas between them. Comments on the goals are moved before the clause.
    /// If a sequence has no remaining goals, it becomes `true`; if it is the whole body, the clause becomes a fact. Returns `None` if there
    /// is anything else between the goals.
    pub(super) fn take_out(
        &self,
        number: usize,
        is_gone: &dyn Fn(TermId) -> bool,
    ) -> Option<Vec<Edit>> {
        let clause = &self.clauses[number];
        let place = self.places.get(number)?;
        let (mut edits, mut moved) = (Vec::new(), String::new());
        let mut cut = |from: usize, to: usize, text: &str| {
            let (begin, end) = (from, to);
            for comment in self.comments_between(begin, end) {
                moved.push_str(comment.text.trim_end());
                moved.push_str(self.line_end());
            }
            edits.push(Edit {
                range: begin..end,
                text: text.to_owned(),
            });
        };
        for row in rows(clause) {
            let goals = &row.goals;
            let mut i = 0;
            while i < goals.len() {
                let many = goals[i..].iter().take_while(|&&g| is_gone(g)).count();
                if many == 0 {
                    i += 1;
                    continue;
                }
                for pair in goals[i.saturating_sub(1)..(i + many + 1).min(goals.len())].windows(2) {
                    self.comma(number, pair[0], pair[1])?;
                }
                let (start, end) = (
                    place.range(goals[i])?.0,
                    place.range(goals[i + many - 1])?.1,
                );
                match (goals.get(i + many), i.checked_sub(1)) {
                    (Some(_), _) => {
                        let (comma, next) =
                            self.comma(number, goals[i + many - 1], goals[i + many])?;
                        // A comment after the comma is kept on its line.
                        match self.comments_between(comma, next).is_empty() {
                            true => cut(start, next, ""),
                            false => cut(start, self.after_blanks(comma), ""),
                        }
                    }
                    (None, Some(before)) => cut(place.range(goals[before])?.1, end, ""),
                    (None, None) => {
                        let before = self.text.get(place.head.1..start)?.trim();
                        let behind = self.text.get(end..place.range.1)?.trim();
                        match (before, behind) {
                            (":-", ".") => cut(place.head.1, end, ""),
                            _ => cut(start, end, "true"),
                        }
                    }
                }
                i += many;
            }
        }
        if !moved.is_empty() {
            let at = place.range.0;
            edits.push(Edit {
                range: at..at,
                text: moved,
            });
        }
        Some(edits)
    }

    /// Returns the end of the blanks that start at an offset.
    pub(super) fn after_blanks(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.len() - rest.trim_start_matches([' ', '\t']).len()
    }

    /// Returns the end of the comma between two goals, and the start of the second goal including its brackets. Returns `None` if anything
    /// except comments and layout is between the goals.
    fn comma(&self, number: usize, first: TermId, second: TermId) -> Option<(usize, usize)> {
        let place = self.places.get(number)?;
        let (from, to) = (place.range(first)?.1, place.range(second)?.0);
        let (mut rest, mut at) = (String::new(), from);
        let (mut comma, mut begin) = (None, to);
        let comments = self.comments_between(from, to);
        let ends = comments.iter().map(|c| c.range).chain([(to, to)]);
        for (start, end) in ends {
            let text = self.text.get(at..start)?;
            for (offset, sign) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
                match sign {
                    ',' => comma = comma.or(Some(at + offset + 1)),
                    _ if begin == to => begin = at + offset,
                    _ => {}
                }
                rest.push(sign);
            }
            at = end;
        }
        let brackets = rest.strip_prefix(',')?;
        brackets
            .bytes()
            .all(|b| b == b'(')
            .then_some((comma?, begin))
    }
}
