//! Line numbers of text positions.

/// Converts positions in one text to line numbers. For positions in text order, all conversions together take one pass over the text.
#[derive(Debug, Default)]
pub struct Lines {
    at: usize,
    /// The number of lines that end before `at`.
    before: usize,
}

impl Lines {
    /// Returns the line of a byte, from 1. A line ends at `\n`, `\r\n` or `\r`.
    pub fn line(&mut self, text: &str, at: usize) -> usize {
        if at < self.at {
            *self = Self::default();
        }
        let bytes = text.as_bytes();
        for i in self.at..at.min(bytes.len()) {
            let ends = bytes[i] == b'\n' || bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n');
            self.before += usize::from(ends);
        }
        self.at = at;
        self.before + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_forwards_and_backwards() {
        let text = "a\nb\r\nc\rd";
        let mut lines = Lines::default();
        let of = |at: usize, lines: &mut Lines| lines.line(text, at);
        let found = [0, 2, 5, 7, 2].map(|at| of(at, &mut lines));
        assert_eq!(found, [1, 2, 3, 4, 2]);
    }
}
