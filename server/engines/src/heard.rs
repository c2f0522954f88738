//! Parses the lines that a measuring process writes; the head of `driver.pl` documents them.

/// A measured loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MeasuredLoop {
    /// The loop of the workload with this number.
    Goal(usize),
    /// The empty loop with this many inputs.
    Empty(usize),
}

/// A parsed line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ParsedLine {
    At(MeasuredLoop),
    Time {
        work: MeasuredLoop,
        repetitions: u64,
        seconds: f64,
    },
    Error(MeasuredLoop, String),
    SetupFailed(MeasuredLoop),
    End,
}

/// Assembles lines from pieces of output. Lines that the driver did not write come from a workload.
#[derive(Default)]
pub(crate) struct LineAssembler {
    unfinished: Vec<u8>,
}

/// The maximum length of a line from the driver.
const LONGEST: usize = 1 << 16;

impl LineAssembler {
    /// Appends a piece and returns the completed lines.
    pub(crate) fn take(&mut self, piece: &[u8]) -> Vec<ParsedLine> {
        let mut said = Vec::new();
        for &byte in piece {
            if byte == b'\n' {
                said.extend(line(&String::from_utf8_lossy(&self.unfinished)));
                self.unfinished.clear();
            } else if self.unfinished.len() < LONGEST {
                self.unfinished.push(byte);
            }
        }
        said
    }
}

/// The maximum number of characters kept of an exception's text.
const LONGEST_ERROR: usize = 200;

fn line(text: &str) -> Option<ParsedLine> {
    let mut fields = text.trim_end_matches('\r').split('\t');
    if fields.next()? != "cl" {
        return None;
    }
    let verb = fields.next()?;
    if verb == "end" {
        return Some(ParsedLine::End);
    }
    let kind = fields.next()?;
    let number = fields.next()?.parse().ok()?;
    let work = match kind {
        "goal" => MeasuredLoop::Goal(number),
        "empty" => MeasuredLoop::Empty(number),
        _ => return None,
    };
    Some(match verb {
        "at" => ParsedLine::At(work),
        "setup" => ParsedLine::SetupFailed(work),
        "error" => ParsedLine::Error(work, fields.next()?.chars().take(LONGEST_ERROR).collect()),
        "time" => ParsedLine::Time {
            work,
            repetitions: fields.next()?.parse().ok().filter(|&n| n > 0)?,
            seconds: fields
                .next()?
                .parse()
                .ok()
                .filter(|s: &f64| s.is_finite())?,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_pieces_and_between_those_of_workloads() {
        let mut lines = LineAssembler::default();
        assert_eq!(lines.take(b"hello\ncl\tat\tgo"), []);
        assert_eq!(
            lines.take(b"al\t3\nworld\ncl\tat\tempty\t1\n"),
            [
                ParsedLine::At(MeasuredLoop::Goal(3)),
                ParsedLine::At(MeasuredLoop::Empty(1))
            ]
        );
        let time = ParsedLine::Time {
            work: MeasuredLoop::Goal(3),
            repetitions: 10,
            seconds: 0.25,
        };
        assert_eq!(
            lines.take(b"cl\ttime\tgoal\t3\t10\t0.25\r\ncl\tend\n"),
            [time, ParsedLine::End]
        );
        assert_eq!(
            lines.take(b"cl\terror\tgoal\t3\tfoo(a)\n"),
            [ParsedLine::Error(MeasuredLoop::Goal(3), "foo(a)".into())]
        );
    }

    #[test]
    fn a_line_that_makes_no_sense_is_a_workloads() {
        for text in [
            "cl",
            "cl\tend of it",
            "cl\tat\tgoal",
            "cl\tat\tgoal\t-1",
            "cl\ttime\tgoal\t1\t0\t1.0",
            "cl\ttime\tgoal\t1\t5\tinf",
            "",
        ] {
            assert_eq!(line(text), None, "{text}");
        }
    }
}
