//! `--format github`: workflow commands that GitHub turns into annotations.
//!
//! ```text
//! ::error file=src/a.pl,line=6,col=10,endLine=6,endColumn=36,title=assertion-false::an assertion about `nrev/2` is false …
//! ```

use costlens_ide::diagnostics::Severity;

use super::finding::Finding;

/// Formats the unsuppressed findings as commands, one per line.
pub(super) fn commands(findings: &[Finding]) -> String {
    let told = findings.iter().filter(|f| !f.is_suppressed);
    let lines = told.map(|finding| {
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let place = &finding.place;
        let mut message = finding.message.clone();
        for (at, text) in &finding.related {
            message.push_str(&format!("\n{}:{}: {text}", at.file, at.start.0));
        }
        format!(
            "::{level} file={},line={},col={},endLine={},endColumn={},title={}::{}\n",
            property(place.file.trim_start_matches("./")),
            place.start.0,
            place.start.1,
            place.end.0,
            place.end.1,
            property(finding.rule.id()),
            escaped(&message),
        )
    });
    lines.collect()
}

/// Escapes line ends and the escape character in a message.
fn escaped(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property value, which would end at a comma or colon.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_separators_are_escaped() {
        assert_eq!(escaped("10% of\nthis: a, b"), "10%25 of%0Athis: a, b");
        assert_eq!(property("a,b:c.pl"), "a%2Cb%3Ac.pl");
    }
}
