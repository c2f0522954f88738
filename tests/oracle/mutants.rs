//! Generated programs: fixtures with a few random changes, so that bounds are also tested on wrong programs.

use costlens_catalog::is_leading_test;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use costlens_syntax::{read_text, write_term};
use num_bigint::BigInt;
use smol_str::SmolStr;

use crate::generate::Random;

/// Returns a text with one to three changes: clauses dropped, doubled or exchanged, constants, variables, operators and goals replaced, cuts
/// added, declared modes and types altered.
pub(crate) fn mutate(text: &str, random: &mut Random) -> String {
    let mut text = text.to_string();
    for _ in 0..=random.below(3) {
        text = if random.chance(15) {
            alter_declaration(&text, random)
        } else {
            alter_clauses(&text, random)
        };
    }
    text
}

fn alter_declaration(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let declared: Vec<usize> = (0..lines.len())
        .filter(|&i| lines[i].starts_with("%! "))
        .collect();
    if declared.is_empty() {
        return text.to_string();
    }
    let line = &mut lines[*random.pick(&declared)];
    let (Some(open), Some(close)) = (line.find('('), line.rfind(')')) else {
        return text.to_string();
    };
    let mut arguments: Vec<String> = line[open + 1..close]
        .split(", ")
        .map(str::to_string)
        .collect();
    let names = ["A", "B", "C", "D", "E", "F"];
    let at = random.below(arguments.len().min(names.len()));
    let name = names[at];
    arguments[at] = match random.below(9) {
        0 => format!("-{name}"),
        1 => format!("?{name}"),
        2 => format!("+{name}"),
        3 => format!("+{name}:ground"),
        4 => format!("+{name}:int"),
        5 => format!("+{name}:list"),
        6 => format!("+{name}:list(int)"),
        7 => format!("+{name}:num"),
        _ => format!("+{name}:list(ground)"),
    };
    let rest = line[close..].to_string();
    line.truncate(open + 1);
    line.push_str(&arguments.join(", "));
    line.push_str(&rest);
    lines.join("\n") + "\n"
}

fn alter_clauses(text: &str, random: &mut Random) -> String {
    let file = read_text(text);
    let clauses: Vec<_> = file
        .clauses
        .iter()
        .filter(|c| c.error.is_none() && c.terms.matches(c.root, ":-", 1).is_none())
        .collect();
    if clauses.is_empty() {
        return text.to_string();
    }
    let at = random.below(clauses.len());
    let (start, end) = clauses[at].range;
    let clause = &text[start..end];
    match random.below(18) {
        0 if clauses.len() > 1 => format!("{}{}", &text[..start], &text[end..]),
        1 => format!("{}\n{clause}{}", &text[..end], &text[end..]),
        2 if at > 0 => {
            let (before_start, before_end) = clauses[at - 1].range;
            format!(
                "{}{clause}{}{}{}",
                &text[..before_start],
                &text[before_end..start],
                &text[before_start..before_end],
                &text[end..]
            )
        }
        3..7 => {
            let changed = alter_body(&clauses[at].terms, clauses[at].root, random);
            format!("{}{changed}.{}", &text[..start], &text[end..])
        }
        _ => {
            let changed = alter_term(&clauses[at].terms, clauses[at].root, random);
            format!("{}{changed}.{}", &text[..start], &text[end..])
        }
    }
}

/// Returns a clause without one of its goals (a guard or a cut, if there is one), with two goals exchanged, or with a further cut.
fn alter_body(terms: &Terms, root: TermId, random: &mut Random) -> String {
    let Some(&[head, body]) = terms.matches(root, ":-", 2) else {
        return alter_term(terms, root, random);
    };
    let mut goals = terms.chain(body, ",");
    let mut terms = terms.clone();
    let decides = |terms: &Terms, g: TermId| {
        (terms.functor(g)).is_some_and(|(n, a)| n == "!" || is_leading_test(n, a))
    };
    let deciding: Vec<usize> = (0..goals.len())
        .filter(|&i| decides(&terms, goals[i]))
        .collect();
    match random.below(4) {
        0 | 1 if !deciding.is_empty() => {
            goals.remove(*random.pick(&deciding));
        }
        0 => {
            goals.remove(random.below(goals.len()));
        }
        2 if goals.len() > 1 => {
            let (i, j) = (random.below(goals.len()), random.below(goals.len()));
            goals.swap(i, j);
        }
        _ => {
            let cut = terms.atom("!");
            goals.insert(random.below(goals.len() + 1), cut);
        }
    }
    let mut rest = goals.into_iter().rev();
    let Some(last) = rest.next() else {
        return write_term(&terms, head, None);
    };
    let body = rest.fold(last, |body, goal| terms.compound(",", &[goal, body]));
    let clause = terms.compound(":-", &[head, body]);
    write_term(&terms, clause, None)
}

/// Returns the text of one predicate of a program and of its callees, with the directives that name them.
pub(crate) fn slice(text: &str, name: &str, arity: usize) -> String {
    let file = read_text(text);
    let mut wanted: Vec<(SmolStr, usize)> = vec![(name.into(), arity)];
    let mut kept = vec![false; file.clauses.len()];
    let mut at = 0;
    while let Some(key) = wanted.get(at).cloned() {
        at += 1;
        for (i, clause) in file.clauses.iter().enumerate() {
            let head = (clause.terms.matches(clause.root, ":-", 2)).map_or(clause.root, |a| a[0]);
            let is =
                |id| (clause.terms.functor(id)).is_some_and(|(n, a)| (n, a) == (&key.0, key.1));
            if clause.error.is_some() || !is(head) {
                continue;
            }
            kept[i] = true;
            for id in clause.terms.subterms(clause.root) {
                let called = clause.terms.functor(id).map(|(n, a)| (n.clone(), a));
                wanted.extend(called.filter(|c| !wanted.contains(c)));
            }
        }
    }
    // A predicate that is left out would count as undefined.
    for (i, clause) in file.clauses.iter().enumerate() {
        if let Some(&[directive]) = clause.terms.matches(clause.root, ":-", 1)
            && let Some(&entry) = clause.terms.args(directive).first()
        {
            let typed = clause.terms.matches(entry, ":", 2);
            let Some((n, a)) = (clause.terms).functor(typed.map_or(entry, |of| of[0])) else {
                continue;
            };
            kept[i] = n == name && a == arity;
        }
    }
    let mut sliced = String::new();
    for (clause, _) in file.clauses.iter().zip(kept).filter(|(_, kept)| *kept) {
        sliced.push_str(&text[clause.range.0..clause.range.1]);
        sliced.push('\n');
    }
    sliced
}

/// Returns the goals of a clause, including control constructs and their contents.
fn goals(terms: &Terms, root: TermId) -> Vec<TermId> {
    let Some(&[_, body]) = terms.matches(root, ":-", 2) else {
        return Vec::new();
    };
    let (mut found, mut stack) = (Vec::new(), vec![body]);
    while let Some(goal) = stack.pop() {
        found.push(goal);
        if let Some((name, _)) = terms.functor(goal)
            && matches!(name.as_str(), "," | ";" | "->" | "*->" | "\\+")
        {
            stack.extend(terms.args(goal));
        }
    }
    found
}

fn alter_term(terms: &Terms, root: TermId, random: &mut Random) -> String {
    let head = terms
        .matches(root, ":-", 2)
        .or_else(|| terms.matches(root, "-->", 2))
        .map_or(root, |a| a[0]);
    let goals = goals(terms, root);
    let candidates: Vec<TermId> = (terms.subterms(root).into_iter())
        .filter(|&id| id != root && id != head)
        .collect();
    if candidates.is_empty() {
        return write_term(terms, root, None);
    }
    let chosen = *random.pick(&candidates);
    let mut to = Terms::default();
    // A fresh variable beyond those of the clause.
    let unused = terms.variables();
    let mut ids: Vec<TermId> = Vec::new();
    for i in 0..terms.len() {
        let id = TermId(u32::try_from(i).unwrap());
        let arguments: Vec<TermId> = terms.args(id).iter().map(|a| ids[a.index()]).collect();
        let copy = match terms.get(id) {
            Term::Compound(name, _) => to.compound(name.clone(), &arguments),
            other => to.push(other.clone()),
        };
        ids.push(copy);
        if id == chosen {
            let goal = goals.contains(&id);
            ids[i] = replacement(&mut to, copy, &arguments, goal, unused, random);
        }
    }
    write_term(&to, ids[root.index()], None)
}

fn replacement(
    to: &mut Terms,
    id: TermId,
    arguments: &[TermId],
    goal: bool,
    unused: u32,
    random: &mut Random,
) -> TermId {
    const COMPARISONS: &[&str] = &[
        "<", ">", "=<", ">=", "=:=", "=\\=", "==", "\\==", "@<", "@>=", "=", "\\=",
    ];
    const FUNCTIONS: &[&str] = &["+", "-", "*", "//", "mod", "min", "max"];
    let term = to.get(id).clone();
    if goal && random.chance(60) {
        let other = match random.below(10) {
            0 => return to.atom("true"),
            1 => return to.atom("fail"),
            2 | 3 => to.atom("!"),
            4 => return to.compound("\\+", &[id]),
            5 => return to.compound("once", &[id]),
            6 => {
                let yes = to.atom("true");
                return to.compound(";", &[id, yes]);
            }
            7 => {
                let (yes, no) = (to.atom("true"), to.atom("fail"));
                let then = to.compound("->", &[id, yes]);
                return to.compound(";", &[then, no]);
            }
            _ => id,
        };
        return if random.chance(50) {
            to.compound(",", &[id, other])
        } else {
            to.compound(",", &[other, id])
        };
    }
    match term {
        Term::Integer(n) => {
            let n = n.to_big();
            let value = match random.below(4) {
                0 => n + 1,
                1 => n - 1,
                2 => -n,
                _ => BigInt::from(random.below(3)),
            };
            to.push(Term::Integer(value.into()))
        }
        Term::Compound(name, _) if arguments.len() == 2 && COMPARISONS.contains(&name.as_str()) => {
            to.compound(*random.pick(COMPARISONS), arguments)
        }
        Term::Compound(name, _) if arguments.len() == 2 && FUNCTIONS.contains(&name.as_str()) => {
            to.compound(*random.pick(FUNCTIONS), arguments)
        }
        Term::Compound(name, _)
            if arguments.len() == 2 && matches!(name.as_str(), "," | ";" | CONS) =>
        {
            if random.chance(30) && name != CONS {
                to.compound(if name == "," { ";" } else { "," }, arguments)
            } else if random.chance(40) {
                arguments[1]
            } else {
                to.compound(name, &[arguments[1], arguments[0]])
            }
        }
        Term::Compound(name, _) if arguments.len() > 1 => {
            let mut exchanged: Vec<TermId> = arguments.to_vec();
            let (i, j) = (random.below(exchanged.len()), random.below(exchanged.len()));
            exchanged.swap(i, j);
            to.compound(name, &exchanged)
        }
        Term::Var(_) | Term::Atom(_) => match random.below(6) {
            0 => to.atom(NIL),
            1 => to.atom("a"),
            2 => to.push(Term::Integer(random.below(3).into())),
            3 => to.push(Term::Var(unused)),
            _ if unused > 0 => to.push(Term::Var(
                u32::try_from(random.below(unused as usize)).unwrap(),
            )),
            _ => to.push(Term::Atom(SmolStr::new("b"))),
        },
        _ => id,
    }
}
