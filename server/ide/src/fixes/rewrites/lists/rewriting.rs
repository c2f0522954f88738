//! Rewrites clauses so that their list result becomes a difference list.

use std::collections::BTreeMap;

use costlens_syntax::term::TermId;

use super::ListProgram;
use super::taking::{ListPart, ListPath};
use crate::file::Edit;
use crate::fixes::goals::variable;
use crate::fixes::rewrites::extended::Extended;
use crate::fixes::site::Site;
use crate::fixes::ways::Replaced;

/// A clause to which an argument for the rest of its list is added.
pub(super) struct Rewriting<'a> {
    pub(super) site: &'a Site<'a>,
    pub(super) kind: ListProgram,
    pub(super) number: usize,
    pub(super) result: usize,
    pub(super) extended: &'a Extended<'a>,
    pub(super) ways: Vec<&'a ListPath<'a>>,
}

/// New names in a clause.
struct NewNames {
    /// The variable for the rest of the whole list.
    rest: String,
    /// The variables for the rests of lists in joining goals, and of lists in calls that several paths share.
    inner: BTreeMap<TermId, String>,
    /// The variables for the lists of recursive calls.
    lists: BTreeMap<TermId, String>,
}

/// The place at which the list is built in the clause.
struct ListPlace {
    /// True if the whole list appears in the head, because there is a single path or the list in the head is not open.
    in_head: bool,
    /// The number of elements in the head, if the whole list is not there.
    written: usize,
    /// The tail of the list in the head.
    end: TermId,
}

impl ListPlace {
    /// Returns the number of parts of a path that appear in the head.
    fn left(&self, taken: &ListPath<'_>) -> usize {
        match self.in_head {
            true => 0,
            false => self.written.min(taken.parts.len()),
        }
    }
}

/// The new goals of a clause.
struct Goals {
    replaced: Replaced,
    /// The new unifications of each path.
    assigned: Vec<Vec<String>>,
    /// The new recursive calls.
    calls: BTreeMap<TermId, String>,
}

impl Rewriting<'_> {
    pub(super) fn edits(&self) -> Option<Vec<Edit>> {
        let (site, number) = (self.site, self.number);
        let place = self.place()?;
        let names = self.names_at(&place)?;
        let mut goals = Goals {
            replaced: Replaced::default(),
            assigned: vec![Vec::new(); self.ways.len()],
            calls: BTreeMap::new(),
        };
        let list = self.list(&place, &names, &mut goals)?;
        self.call(&place, &names, &mut goals)?;
        self.assign(&mut goals)?;
        let Goals {
            mut replaced,
            calls,
            ..
        } = goals;
        for (call, text) in calls {
            replaced.set(call, text)?;
        }
        let gone = self.gone()?;
        let mut edits = site.take_out(number, &|g| gone.contains(&g) && !replaced.has(g))?;
        let head = &site.places[number].head;
        edits.push(Edit {
            range: head.0..head.1,
            text: self.goal(site.clauses[number].head, &list, &names.rest)?,
        });
        edits.extend(replaced.edits(site, number)?);
        Some(edits)
    }

    /// Returns the list in the head.
    fn head_list(&self) -> Option<TermId> {
        let clause = &self.site.clauses[self.number];
        clause.terms.args(clause.head).get(self.result).copied()
    }

    fn place(&self) -> Option<ListPlace> {
        let terms = &self.site.clauses[self.number].terms;
        let (written, end) = terms.list(self.head_list()?);
        Some(ListPlace {
            in_head: self.ways.len() == 1 || variable(terms, end).is_none(),
            written: written.len(),
            end,
        })
    }

    /// Returns the name of the tail of the list in the head.
    fn end(&self, place: &ListPlace) -> Option<String> {
        self.name(variable(&self.site.clauses[self.number].terms, place.end)?)
    }

    /// Returns the new names. If all paths start with the list of the same call, this list gets the name of the whole list.
    fn names_at(&self, place: &ListPlace) -> Option<NewNames> {
        let mut names = self.names()?;
        for taken in &self.ways {
            if let (false, Some(ListPart::Call(call))) =
                (place.in_head, taken.parts.get(place.left(taken)))
            {
                let first_everywhere = self.ways.iter().all(|other| {
                    other.way.place(*call).is_none()
                        || other.parts.get(place.left(other)) == Some(&ListPart::Call(*call))
                });
                if first_everywhere {
                    names.lists.insert(*call, self.end(place)?);
                }
            }
        }
        let terms = &self.site.clauses[self.number].terms;
        if let (true, ListProgram::Reversed, [only]) = (place.in_head, self.kind, &self.ways[..])
            && let Some(own) = variable(terms, self.head_list()?).and_then(|v| self.name(v))
            && let Some(ListPart::Call(call)) = only.parts.first()
        {
            names.lists.insert(*call, own);
        }
        Some(names)
    }

    /// Returns the text of the list in the head. If the whole list is not there, the paths unify its tail.
    fn list(&self, place: &ListPlace, names: &NewNames, goals: &mut Goals) -> Option<String> {
        if place.in_head {
            let mut ways = self.ways.iter();
            let first = self.list_text(&ways.next()?.parts, names)?;
            for other in ways {
                (self.list_text(&other.parts, names)? == first).then_some(())?;
            }
            return Some(first);
        }
        let own = self.end(place)?;
        for (assigned, taken) in goals.assigned.iter_mut().zip(&self.ways) {
            let parts = &taken.parts[place.left(taken)..];
            let text = self.list_text(parts, names)?;
            let is_made = matches!(parts.first(), Some(ListPart::List(..)));
            if text != own && !is_made {
                assigned.push(format!("{own} = {text}"));
            }
        }
        self.site.argument(self.number, self.head_list()?)
    }

    /// Adds the goals that build lists: recursive calls, and joins of existing lists.
    fn call(&self, place: &ListPlace, names: &NewNames, goals: &mut Goals) -> Option<()> {
        let mut rests: BTreeMap<TermId, Vec<(usize, String)>> = BTreeMap::new();
        for (i, taken) in self.ways.iter().enumerate() {
            for (at, part) in taken.parts.iter().enumerate() {
                let rest = self.list_text(&taken.parts[at + 1..], names)?;
                match *part {
                    ListPart::Element(_) => {}
                    ListPart::Call(call) => rests.entry(call).or_default().push((i, rest)),
                    ListPart::List(list, goal) => {
                        let whole = match at == place.left(taken) && !place.in_head {
                            true => self.end(place)?,
                            false => names.inner.get(&goal)?.clone(),
                        };
                        let list = self.site.argument(self.number, list)?;
                        let append = taken.appends.get(&goal)?;
                        let arguments = [&*list, &*rest, &*whole];
                        let site = self.site;
                        let text = site.with_arguments(self.number, goal, append, &arguments)?;
                        goals.replaced.set(goal, text)?;
                    }
                }
            }
        }
        for (call, texts) in &rests {
            let (_, first) = texts.first()?;
            let rest = match texts.iter().all(|(_, text)| text == first) {
                true => first.clone(),
                false => {
                    let name = names.inner.get(call)?.clone();
                    for (i, text) in texts {
                        goals.assigned[*i].push(format!("{name} = {text}"));
                    }
                    name
                }
            };
            let text = self.goal(*call, names.lists.get(call)?, &rest)?;
            goals.calls.insert(*call, text);
        }
        Some(())
    }

    /// Writes the unifications of each path as a separate goal before its lists are built.
    fn assign(&self, goals: &mut Goals) -> Option<()> {
        let is_shared = |goal: TermId| {
            let with = self.ways.iter().filter(|t| t.way.place(goal).is_some());
            with.count() > 1
        };
        for (taken, texts) in self.ways.iter().zip(&goals.assigned) {
            if texts.is_empty() {
                continue;
            }
            let calls = taken.calls.iter().map(|(call, _)| call);
            let mut own: Vec<TermId> = (taken.gone.iter().chain(calls).copied())
                .filter(|&goal| !is_shared(goal) && !goals.replaced.has(goal))
                .collect();
            own.sort_by_key(|&goal| taken.way.place(goal));
            let &slot = own.first()?;
            let mut text = texts.join(", ");
            if let Some(call) = goals.calls.remove(&slot) {
                text = format!("{text}, {call}");
            }
            goals.replaced.set(slot, text)?;
        }
        Some(())
    }

    /// Returns the goals to remove. A goal removed on one path is removed on all paths that contain it.
    fn gone(&self) -> Option<Vec<TermId>> {
        let gone = self.ways.iter().flat_map(|t| t.gone.iter().copied());
        let gone: Vec<TermId> = gone.collect();
        let is_consistent = gone.iter().all(|goal| {
            let mut ways = self.ways.iter();
            ways.all(|t| t.way.place(*goal).is_none() || t.gone.contains(goal))
        });
        is_consistent.then_some(gone)
    }

    fn names(&self) -> Option<NewNames> {
        let (site, number) = (self.site, self.number);
        let rest = site.new_variable(number, self.kind.rests())?;
        let taken = &site.places[number].spans.variables;
        let mut free = (self.kind.inner_rests().iter())
            .filter(|name| **name != rest && !taken.iter().any(|v| v == **name));
        let mut names = NewNames {
            rest: rest.to_owned(),
            inner: BTreeMap::new(),
            lists: BTreeMap::new(),
        };
        for taken in &self.ways {
            for part in &taken.parts {
                let (ListPart::List(_, goal) | ListPart::Call(goal)) = *part else {
                    continue;
                };
                // Most calls need no name, and few clauses have many calls.
                if !names.inner.contains_key(&goal)
                    && let Some(name) = free.next()
                {
                    names.inner.insert(goal, (*name).to_owned());
                }
            }
            for &(call, v) in &taken.calls {
                names.lists.insert(call, self.name(v)?);
            }
        }
        Some(names)
    }

    fn name(&self, v: u32) -> Option<String> {
        let place = &self.site.places[self.number];
        let name = place.spans.variables.get(v as usize)?;
        (name != "_").then(|| name.to_string())
    }

    /// Returns the text of a list from a given part up to the list of the next goal.
    fn list_text(&self, parts: &[ListPart], names: &NewNames) -> Option<String> {
        let mut elements = Vec::new();
        let mut end = names.rest.clone();
        for part in parts {
            match part {
                ListPart::Element(e) => elements.push(self.site.argument(self.number, *e)?),
                ListPart::Call(call) => {
                    end.clone_from(names.lists.get(call)?);
                    break;
                }
                ListPart::List(_, goal) => {
                    end.clone_from(names.inner.get(goal)?);
                    break;
                }
            }
        }
        Some(match elements.is_empty() {
            true => end,
            false => format!("[{}|{end}]", elements.join(", ")),
        })
    }

    /// Returns the text of the head or a call, with an argument for the rest added after its list.
    fn goal(&self, goal: TermId, list: &str, rest: &str) -> Option<String> {
        (self.extended).changed(self.number, goal, self.result, list, rest)
    }
}
