//! The clauses of a file as compiled by the model, and by SWI-Prolog.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use costlens_compile::code::ClauseText;
use costlens_compile::swi::{Instruction, Operand, Settings, compile as model};
use costlens_program::language::grammar_rule::translate;
use costlens_program::{Clause, ClauseKind, Closures};
use costlens_syntax::{ReadClause, TermId, Terms};

use crate::imported::read_with_imports;

/// Counts of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) files: usize,
    /// The clauses that SWI-Prolog has, and how many of them have the same instructions.
    pub(crate) all: usize,
    same: usize,
    /// The clauses in the text: hooks and the system generate others.
    written: usize,
    /// Those that also have the same slots, arities, counts and jump targets.
    pub(crate) same_operands: usize,
    /// The clauses that SWI-Prolog compiles as it reads them, and how many of them have the same instructions.
    pub(crate) unaltered: usize,
    same_unaltered: usize,
    /// The clauses that the model has code for and SWI-Prolog lacks; some are skipped by conditional compilation.
    pub(crate) more: usize,
    /// The others by cause.
    causes: BTreeMap<String, Vec<String>>,
}

impl Tally {
    /// Returns the share of identical ones among the clauses that are compiled as they were read.
    pub(crate) fn share(&self) -> f64 {
        self.same_unaltered as f64 / self.unaltered.max(1) as f64
    }

    #[expect(clippy::print_stderr, reason = "prints figures next to the result")]
    pub(crate) fn tell(&self, what: &str) {
        let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
        eprintln!(
            "{what}: {} files, {} clauses, {} of them in the text; of these {} agree ({:.2}%), with operands {}; of those compiled as they \
             were read {} of {} ({:.2}%)",
            self.files,
            self.all,
            self.written,
            self.same,
            share(self.same, self.written),
            self.same_operands,
            self.same_unaltered,
            self.unaltered,
            share(self.same_unaltered, self.unaltered),
        );
        let shown = std::env::var("SWI_CODE_SHOW")
            .ok()
            .and_then(|n| n.parse().ok());
        for (cause, places) in &self.causes {
            eprintln!("  {:5} {cause}", places.len());
            for place in places.iter().take(shown.unwrap_or(0)) {
                eprintln!("        {place}");
            }
        }
    }

    fn differs(&mut self, cause: &str, place: String) {
        self.causes.entry(cause.to_owned()).or_default().push(place);
    }
}

/// A clause of SWI-Prolog.
struct Theirs<'a> {
    line: usize,
    /// The module of the text and that of the predicate.
    modules: [&'a str; 2],
    functor: (&'a str, usize),
    is_dynamic: bool,
    sets_context: bool,
    is_rewritten: bool,
    /// Names, and names with operands.
    code: Vec<&'a str>,
}

fn theirs(line: &str) -> Option<Theirs<'_>> {
    let mut fields = line.split('\t');
    if fields.next() != Some("clause") {
        return None;
    }
    let mut field = || fields.next();
    Some(Theirs {
        line: field()?.parse().ok()?,
        modules: [field()?, field()?],
        functor: (field()?, field()?.parse().ok()?),
        is_dynamic: false,
        sets_context: false,
        is_rewritten: false,
        code: Vec::new(),
    })
    .map(|theirs| {
        let marks = fields.next().unwrap_or_default();
        Theirs {
            is_dynamic: marks.contains('d'),
            sets_context: marks.contains('c'),
            is_rewritten: marks.contains('r'),
            code: fields.collect(),
            ..theirs
        }
    })
}

/// Compares the clauses of a file.
pub(crate) fn compare(file: &Path, optimise: bool, tally: &mut Tally) {
    let dump = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/swi_code/dump.pl");
    let mut command = Command::new("timeout");
    command.args(["120", "swipl", "-q", "-f", "none", "-t", "halt"]);
    if optimise {
        command.arg("-O");
    }
    let output = command.arg(dump).arg("--").arg(file).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    tally.files += 1;
    let source = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
    let mut ours = ours(file, &source);
    for line in text.lines() {
        if let Some(theirs) = theirs(line) {
            judge(file, &theirs, optimise, &mut ours, tally);
        }
    }
    let settings = Settings {
        optimise,
        ..Settings::of_module("user")
    };
    for source in ours.values().flatten() {
        tally.more += usize::from(model(&source.clause.text(), &settings).is_ok());
    }
}

/// A clause of the text.
struct Source {
    clause: Clause,
    /// The module qualifier of the whole clause.
    module: Option<String>,
    /// The value that a directive above has set for the flag `optimise`.
    optimise: Option<bool>,
}

/// Clauses by line, name and arity, the last first.
type Ours = BTreeMap<(usize, String, usize), Vec<Source>>;

fn ours(file: &Path, source: &str) -> Ours {
    let (mut found, mut line, mut at) = (Ours::new(), 1, 0);
    let mut optimise = None;
    for read in read_with_imports(file, source) {
        let before = &source.as_bytes()[at..read.range.0];
        line += before.iter().filter(|b| **b == b'\n').count();
        at = read.range.0;
        optimise = optimise_flag(&read.terms, read.root).or(optimise);
        let Some(clause) = clause_of(&read) else {
            continue;
        };
        let (name, arity) = clause.terms.functor(clause.head).unwrap();
        let key = (line, name.to_string(), arity);
        let qualified = read.terms.matches(read.root, ":", 2);
        let module = qualified.and_then(|parts| read.terms.as_atom(parts[0]));
        let module = module.map(ToString::to_string);
        let source = Source {
            clause,
            module,
            optimise,
        };
        found.entry(key).or_default().push(source);
    }
    for clauses in found.values_mut() {
        clauses.reverse();
    }
    found
}

/// Reads `:- set_prolog_flag(optimise, true).`
fn optimise_flag(terms: &Terms, root: TermId) -> Option<bool> {
    let &[directive] = terms.matches(root, ":-", 1)? else {
        return None;
    };
    let &[flag, value] = terms.matches(directive, "set_prolog_flag", 2)? else {
        return None;
    };
    (terms.as_atom(flag)? == "optimise").then(|| terms.as_atom(value).is_some_and(|v| v == "true"))
}

fn clause_of(read: &ReadClause) -> Option<Clause> {
    let terms = &read.terms;
    let of_other_module = |&[head, body]: &[TermId; 2]| {
        // `m:p --> q.` is translated with its module.
        let translated = translate(terms, head, body)?;
        let &[_, head] = translated.terms.matches(translated.head, ":", 2)? else {
            return None;
        };
        Some(Clause {
            terms: translated.terms,
            head,
            guard: None,
            body: Some(translated.body),
            kind: ClauseKind::Rule,
            grammar_rule: true,
            closures: Closures::default(),
        })
    };
    let rule = terms.matches(read.root, "-->", 2);
    if let Some(clause) = rule.and_then(|parts| of_other_module(parts.first_chunk()?)) {
        return Some(clause);
    }
    let (_, clause) = Clause::of_module(terms, read.root, &|_| true)?;
    (clause.kind != ClauseKind::Dcg).then_some(clause)
}

trait Text {
    fn text(&self) -> ClauseText<'_>;
}

impl Text for Clause {
    fn text(&self) -> ClauseText<'_> {
        ClauseText {
            terms: &self.terms,
            head: self.head,
            guard: self.guard,
            body: self.body,
            single_sided: self.kind == ClauseKind::SingleSided,
        }
    }
}

fn judge(file: &Path, theirs: &Theirs<'_>, optimise: bool, ours: &mut Ours, tally: &mut Tally) {
    tally.all += 1;
    tally.unaltered += usize::from(!theirs.is_rewritten);
    let (name, arity) = theirs.functor;
    let place = format!("{}:{} {name}/{arity}", file.display(), theirs.line);
    let key = (theirs.line, name.to_owned(), arity);
    let Some(source) = ours.get_mut(&key).and_then(Vec::pop) else {
        let cause = match theirs.is_rewritten {
            true => "made: no such clause is in the text",
            false => "the clause is not read",
        };
        tally.written += usize::from(!theirs.is_rewritten);
        tally.differs(cause, place);
        return;
    };
    tally.written += 1;
    let [module, head_module] = theirs.modules;
    let clause = &source.clause;
    let settings = Settings {
        module: source.module.as_deref().unwrap_or(module),
        head_module,
        optimise: source.optimise.unwrap_or(optimise),
        moves_unifications: !theirs.is_dynamic,
        sets_context: theirs.sets_context,
    };
    let code = match model(&clause.text(), &settings) {
        Ok(code) => code,
        Err(refusal) => {
            tally.differs(&format!("refused: {refusal}"), place);
            return;
        }
    };
    let mine: Vec<String> = code.instructions.iter().map(written).collect();
    let names = |code: &str| code.split(':').next().unwrap_or_default().to_owned();
    let is_same = mine.len() == theirs.code.len()
        && mine
            .iter()
            .zip(&theirs.code)
            .all(|(m, t)| names(m) == names(t));
    let is_same_with_operands = is_same && mine.iter().zip(&theirs.code).all(|(m, t)| m == t);
    tally.same += usize::from(is_same);
    tally.same_unaltered += usize::from(is_same && !theirs.is_rewritten);
    tally.same_operands += usize::from(is_same_with_operands);
    if is_same_with_operands {
        return;
    }
    let cause = match (is_same, theirs.is_rewritten) {
        (true, _) => "the same but for operands".to_owned(),
        (false, true) => "rewritten".to_owned(),
        (false, false) => {
            let at = (mine.iter().zip(&theirs.code)).position(|(m, t)| names(m) != names(t));
            let at = at.unwrap_or(mine.len().min(theirs.code.len()));
            let mine = mine.get(at).map_or_else(String::new, |m| names(m));
            let theirs = theirs.code.get(at).map_or_else(String::new, |t| names(t));
            format!("{mine} for {theirs}")
        }
    };
    let differing = format!(
        "{place}\n          {}\n          {}",
        mine.join(" "),
        theirs.code.join(" ")
    );
    tally.differs(&cause, differing);
}

/// Formats an instruction like `dump.pl`.
fn written(instruction: &Instruction) -> String {
    let mut text = instruction.opcode.name().to_lowercase();
    let is_function = text.starts_with("a_func");
    let takes_functor = text.ends_with("functor");
    for operand in &instruction.operands {
        match operand {
            Operand::Slot(slot) => text += &format!(":{slot}"),
            Operand::Skip(number) => text += &format!(":{number}"),
            Operand::Number(number) => text += &format!(":{number}"),
            Operand::Functor(_, arity) if takes_functor && !is_function => {
                text += &format!(":{arity}")
            }
            _ => {}
        }
    }
    text
}
