//! The clauses of a file as compiled by the model, and by GNU Prolog.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use costlens_compile::code::ClauseText;
use costlens_compile::gnu::{Code, Instruction, compile, index};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::{Term, TermId, Terms, read_text};

/// Counts of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    files: usize,
    /// The clauses that GNU Prolog compiles, and how many of them have the same instructions.
    pub(crate) clauses: usize,
    same: usize,
    /// The predicates of several clauses, and how many of them have the same instructions between these.
    predicates: usize,
    same_index: usize,
    /// The clauses that the model has code for but GNU Prolog refuses.
    pub(crate) more: usize,
    /// The others by cause.
    causes: BTreeMap<String, Vec<String>>,
}

impl Tally {
    pub(crate) fn share(&self) -> f64 {
        self.same as f64 / self.clauses.max(1) as f64
    }

    pub(crate) fn share_of_indexes(&self) -> f64 {
        self.same_index as f64 / self.predicates.max(1) as f64
    }

    #[expect(clippy::print_stderr, reason = "prints figures next to the result")]
    pub(crate) fn tell(&self, what: &str) {
        eprintln!(
            "{what}: {} files; {} of {} clauses agree ({:.2}%), {} of {} indexes ({:.2}%); refused by GNU Prolog alone {}",
            self.files,
            self.same,
            self.clauses,
            100.0 * self.share(),
            self.same_index,
            self.predicates,
            100.0 * self.share_of_indexes(),
            self.more,
        );
        let shown = std::env::var("GNU_CODE_SHOW");
        let shown = shown.ok().and_then(|n| n.parse().ok()).unwrap_or(0);
        let mut causes: Vec<_> = self.causes.iter().collect();
        causes.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
        for (cause, places) in causes {
            eprintln!("  {:5} {cause}", places.len());
            for place in places.iter().take(shown) {
                eprintln!("        {place}");
            }
        }
    }

    fn differs(&mut self, cause: &str, place: String) {
        self.causes.entry(cause.to_owned()).or_default().push(place);
    }
}

/// Compares the clauses of a file.
pub(crate) fn compare(file: &Path, tally: &mut Tally) {
    tally.files += 1;
    let source = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
    let mut predicates: Vec<Vec<Clause>> = Vec::new();
    let mut places: BTreeMap<(String, usize), usize> = BTreeMap::new();
    // The original syntax of a clause does not matter: it is written from its term.
    for read in read_text(&source).clauses {
        let Some((_, clause)) = Clause::of_module(&read.terms, read.root, &|_| true) else {
            continue;
        };
        if matches!(clause.kind, ClauseKind::Dcg | ClauseKind::SingleSided) {
            continue;
        }
        let (name, arity) = clause.terms.functor(clause.head).unwrap();
        let place = *places.entry((name.to_string(), arity)).or_insert_with(|| {
            predicates.push(Vec::new());
            predicates.len() - 1
        });
        predicates[place].push(clause);
    }
    let listing = listing(&mut predicates, tally);
    for (number, clauses) in predicates.iter().enumerate().filter(|(_, c)| !c.is_empty()) {
        judge(file, number, clauses, &listing, tally);
    }
}

/// A predicate of a listing: the code of its clauses, and the instructions before them.
#[derive(Default)]
struct Listed {
    clauses: Vec<Vec<String>>,
    /// The predicates for disjunctions that the clauses call, in order.
    called: Vec<Vec<String>>,
    chain: Vec<String>,
    keeps_choice: bool,
}

impl Listed {
    fn begin(&mut self) {
        self.clauses.push(Vec::new());
        self.called.push(Vec::new());
    }

    /// Returns the predicates for disjunctions of a clause, each before those inside of it.
    fn inside<'l>(&self, clause: usize, all: &'l BTreeMap<String, Listed>) -> Vec<&'l Listed> {
        let mut found = Vec::new();
        for name in self.called.get(clause).into_iter().flatten() {
            let Some(other) = all.get(name) else { continue };
            found.push(other);
            found.extend((0..other.clauses.len()).flat_map(|i| other.inside(i, all)));
        }
        found
    }
}

/// Returns the predicates that GNU Prolog compiles clauses to, by name. Clauses that it refuses are removed.
fn listing(predicates: &mut [Vec<Clause>], tally: &mut Tally) -> BTreeMap<String, Listed> {
    let folder = tempfile::tempdir().unwrap();
    let [text, wam] = ["clauses.pl", "clauses.wam"].map(|name| folder.path().join(name));
    loop {
        let (mut lines, mut of_line) = (String::new(), Vec::new());
        for (number, clauses) in predicates.iter().enumerate() {
            for (at, clause) in clauses.iter().enumerate() {
                write_clause(&mut lines, number, clause);
                of_line.push((number, at));
            }
        }
        std::fs::write(&text, lines).unwrap();
        let mut command = Command::new("pl2wam");
        command.args(["--no-susp-warn", "--no-singl-warn", "-W", "-o"]);
        // Large files need larger stacks, in KiB.
        command.envs(["GLOBALSZ", "LOCALSZ", "TRAILSZ"].map(|stack| (stack, "200000")));
        let output = command.arg(&wam).arg(&text).output().unwrap();
        if output.status.success() {
            break;
        }
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        let refused: BTreeSet<usize> = said.lines().filter_map(refused_line).collect();
        if refused.is_empty() {
            tally.differs("the compiler ends", said);
            predicates.iter_mut().for_each(Vec::clear);
            return BTreeMap::new();
        }
        for line in refused.into_iter().rev() {
            let (number, at) = of_line[line - 1];
            let clause = predicates[number].remove(at);
            tally.more += usize::from(compile(&text_of(&clause)).is_ok());
        }
    }
    listed(&String::from_utf8_lossy(&std::fs::read(&wam).unwrap()))
}

/// Reads `…/clauses.pl:12: fatal error: …`, or `…:12:5: syntax error`.
fn refused_line(line: &str) -> Option<usize> {
    let (_, rest) = line.split_once("clauses.pl:")?;
    if line.contains("warning:") {
        return None;
    }
    rest.split(':').next()?.split('-').next()?.parse().ok()
}

fn listed(text: &str) -> BTreeMap<String, Listed> {
    let mut found: BTreeMap<String, Listed> = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("predicate(") {
            name = rest.split(',').next().unwrap().replace('\'', "");
            found.insert(name.clone(), Listed::default());
            continue;
        }
        let Some(instruction) = line.strip_prefix("    ") else {
            continue;
        };
        let Some(own) = found.get_mut(&name) else {
            continue;
        };
        // Long tables continue on further lines.
        let (Some(end), true) = (
            instruction.find(['(', ',', ']']),
            instruction.starts_with(|c: char| c.is_ascii_lowercase()),
        ) else {
            continue;
        };
        let opcode = &instruction[..end];
        match opcode {
            "pragma_arity" => own.keeps_choice = true,
            "get_current_choice"
                if own.keeps_choice && own.chain.is_empty() && own.clauses.is_empty() =>
            {
                own.begin();
            }
            _ if opcode.contains("try")
                || opcode.contains("trust")
                || opcode.contains("switch") =>
            {
                own.chain.push(opcode.to_owned());
                if own.clauses.last().is_none_or(|c| !c.is_empty()) {
                    own.begin();
                }
            }
            _ => {
                if own.clauses.is_empty() {
                    own.begin();
                }
                let text = match opcode {
                    "call_c" => {
                        let function = instruction.split('\'').nth(1).unwrap();
                        format!("call_c({function})")
                    }
                    _ => opcode.to_owned(),
                };
                own.clauses.last_mut().unwrap().push(text);
                if let (true, Some(called)) = (
                    instruction.contains("_$aux"),
                    instruction
                        .split(['(', '\''])
                        .find(|part| part.starts_with('$')),
                ) {
                    let (_, arity) = instruction.rsplit_once("'/").unwrap();
                    let arity: String = arity.chars().take_while(char::is_ascii_digit).collect();
                    own.called
                        .last_mut()
                        .unwrap()
                        .push(format!("{called}/{arity}"));
                }
            }
        }
    }
    found
}

fn text_of(clause: &Clause) -> ClauseText<'_> {
    ClauseText::rule(&clause.terms, clause.head, clause.body)
}

fn judge(
    file: &Path,
    number: usize,
    clauses: &[Clause],
    listing: &BTreeMap<String, Listed>,
    tally: &mut Tally,
) {
    let (name, arity) = clauses[0].terms.functor(clauses[0].head).unwrap();
    let place = format!("{} {name}/{arity}", file.display());
    let Some(theirs) = listing.get(&format!("p{number}/{arity}")) else {
        tally.clauses += clauses.len();
        tally.differs("not in the listing", place);
        return;
    };
    let mut codes: Vec<Code> = Vec::new();
    for (at, clause) in clauses.iter().enumerate() {
        tally.clauses += 1;
        let place = format!("{place} clause {}", at + 1);
        let code = match compile(&text_of(clause)) {
            Ok(code) => code,
            Err(refusal) => {
                tally.differs(&format!("refused: {refusal}"), place);
                return;
            }
        };
        let mut others = theirs.inside(at, listing).into_iter();
        let mut mine: Vec<(String, String)> = vec![(
            written(&code.own),
            theirs
                .clauses
                .get(at)
                .map_or_else(String::new, |c| c.join(" ")),
        )];
        for own in &code.others {
            let Some(other) = others.next() else {
                tally.differs("predicates of disjunctions", place);
                return;
            };
            let codes: Vec<String> = own.clauses.iter().map(|c| written(c)).collect();
            let theirs: Vec<String> = other.clauses.iter().map(|c| c.join(" ")).collect();
            let choice = |keeps: bool| if keeps { "choice " } else { "" };
            mine.push((
                choice(own.keeps_choice).to_owned() + &codes.join(" | "),
                choice(other.keeps_choice).to_owned() + &theirs.join(" | "),
            ));
            let own: Vec<(&Terms, &[Instruction])> = own
                .clauses
                .iter()
                .map(|c| (&*clause.terms, &c[..]))
                .collect();
            judge_index(&own, other, &place, tally);
        }
        match mine.iter().find(|(mine, theirs)| mine != theirs) {
            None => tally.same += 1,
            Some((mine, theirs)) => {
                let mut text = String::new();
                write_clause(&mut text, number, clause);
                let cause = cause(mine, theirs);
                tally.differs(
                    &cause,
                    format!("{place}\n      {text}        {mine}\n        {theirs}"),
                );
            }
        }
        codes.push(code);
    }
    let own: Vec<(&Terms, &[Instruction])> = (clauses.iter().zip(&codes))
        .map(|(clause, code)| (&*clause.terms, &code.own[..]))
        .collect();
    judge_index(&own, theirs, &place, tally);
}

fn judge_index(
    clauses: &[(&Terms, &[Instruction])],
    theirs: &Listed,
    place: &str,
    tally: &mut Tally,
) {
    if clauses.len() < 2 {
        return;
    }
    tally.predicates += 1;
    let mine: Vec<String> = index(clauses).iter().map(ToString::to_string).collect();
    if mine == theirs.chain {
        tally.same_index += 1;
    } else {
        let differing = format!(
            "{place}\n        {}\n        {}",
            mine.join(" "),
            theirs.chain.join(" ")
        );
        tally.differs("index", differing);
    }
}

/// Returns the first differing instruction, and whether the same instructions exist in another order.
fn cause(mine: &str, theirs: &str) -> String {
    let sorted = |text: &str| {
        let mut all: Vec<String> = text.split(' ').map(ToOwned::to_owned).collect();
        all.sort();
        all
    };
    if sorted(mine) == sorted(theirs) {
        return "the same in another order".to_owned();
    }
    let differing = mine.split(' ').zip(theirs.split(' ')).find(|(m, t)| m != t);
    match differing {
        Some((mine, theirs)) => format!("{mine} for {theirs}"),
        None => "more or fewer".to_owned(),
    }
}

fn written(code: &[Instruction]) -> String {
    let all: Vec<String> = code.iter().map(ToString::to_string).collect();
    all.join(" ")
}

/// Writes a clause on a single line, with the number as the name of its predicate.
fn write_clause(out: &mut String, number: usize, clause: &Clause) {
    let terms = &clause.terms;
    write!(out, "p{number}").unwrap();
    write_arguments(out, terms, terms.args(clause.head));
    if let Some(body) = clause.body {
        out.push_str(" :- ");
        write_term(out, terms, body);
    }
    out.push_str(".\n");
}

fn write_arguments(out: &mut String, terms: &Terms, arguments: &[TermId]) {
    for (at, &argument) in arguments.iter().enumerate() {
        out.push(if at == 0 { '(' } else { ',' });
        write_term(out, terms, argument);
    }
    if !arguments.is_empty() {
        out.push(')');
    }
}

/// Writes a term that any Prolog system can read, with strings as lists of codes.
fn write_term(out: &mut String, terms: &Terms, term: TermId) {
    let (elements, rest) = terms.list(term);
    if !elements.is_empty() {
        for (at, &element) in elements.iter().enumerate() {
            out.push(if at == 0 { '[' } else { ',' });
            write_term(out, terms, element);
        }
        if terms.as_atom(rest).is_none_or(|a| a != "[]") {
            out.push('|');
            write_term(out, terms, rest);
        }
        out.push(']');
        return;
    }
    match terms.get(term) {
        Term::Var(v) => write!(out, "V{v}").unwrap(),
        Term::Atom(name) => write_atom(out, name),
        Term::Integer(n) => write!(out, "{n}").unwrap(),
        Term::Float(bits) => write!(out, "{:.17e}", f64::from_bits(*bits)).unwrap(),
        Term::String(text) => {
            let codes: Vec<String> = text.chars().map(|c| u32::from(c).to_string()).collect();
            write!(out, "[{}]", codes.join(",")).unwrap();
        }
        Term::Compound(name, _) if terms.args(term).is_empty() => {
            write!(out, "no_such_term(()").unwrap();
            write_atom(out, name);
        }
        Term::Compound(name, _) => {
            write_atom(out, name);
            write_arguments(out, terms, terms.args(term));
        }
        Term::Rational(_) | Term::Error => out.push_str("no_such_term(()"),
    }
}

fn write_atom(out: &mut String, name: &str) {
    if matches!(name, "[]" | "'[]'") {
        out.push_str("[]");
        return;
    }
    out.push('\'');
    for c in name.chars() {
        match c {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => write!(out, "\\x{:x}\\", u32::from(c)).unwrap(),
            c => out.push(c),
        }
    }
    out.push('\'');
}
