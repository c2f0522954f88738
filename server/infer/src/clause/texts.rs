//! Built-ins that split and join texts: the numbers of parts and their lengths.
//!
//! ```prolog
//! digits("", []).
//! digits(S, [C|Cs]) :- string_code(1, S, C), sub_string(S, 1, _, 0, Rest), digits(Rest, Cs).   % Rest has one character less than S
//! ```

use costlens_algebra::linear::Region;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat};
use costlens_body::Comparison;
use costlens_catalog::Relation;
use costlens_syntax::term::{Term, TermId, Terms};

use super::Runner;
use super::calls::forget_shared;
use super::generators::generator;
use super::point::Point;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, TextType, Type};
use crate::state::comparisons::by_size;
use crate::tree::Step;
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    /// Runs a built-in on texts. Returns `None` for inputs of other types.
    pub(super) fn text_builtin(
        &self,
        point: &mut Point,
        terms: &Terms,
        goal: TermId,
        relation: Relation,
        args: &[TermId],
    ) -> Result<Option<Truth>, Split> {
        let mut data: Vec<Datum> = args.iter().map(|&a| point.state.datum(terms, a)).collect();
        forget_shared(&point.state, terms, args, &mut data);
        let (output, made) = match (relation, args) {
            (Relation::Split, &[_, separators, _, parts]) => {
                if !point.state.takes_list(terms, parts) {
                    self.errors.set(true);
                }
                (parts, self.split_text(terms, &data, point, separators))
            }
            (Relation::Joined, &[_, whole]) => (whole, self.joined(&data, None)),
            (Relation::JoinedBy, &[parts, _, whole]) => match self.joined(&data, Some(&data[1])) {
                None => (parts, self.split_at(&data)),
                joined => (whole, joined),
            },
            (Relation::AtomPart, &[_, before, length, after, part]) => {
                let args = [before, length, after, part];
                return self.part_of_text(point, terms, goal, args, &data, Type::Atom);
            }
            (Relation::StringPart, &[_, before, length, after, part]) => {
                let (args, string) = ([before, length, after, part], Type::Text(TextType::String));
                return self.part_of_text(point, terms, goal, args, &data, string);
            }
            _ => return Ok(None),
        };
        let Some(made) = made else {
            return Ok(None);
        };
        let is_param = |e: &Expr| self.is_param(e);
        let scope = self.scope(terms, &is_param);
        let before = point.state.datum(terms, output).ty;
        let truth = point.state.unify_datum(&scope, &made, output)?.0;
        point.state.pure &= before.is_ground() || before == Type::Free;
        Ok(Some(truth))
    }

    /// Runs `split_string(Text, Separators, Pad, Parts)`: the number of parts is one more than the number of separators, and no part is
    /// longer than the text.
    fn split_text(
        &self,
        terms: &Terms,
        data: &[Datum],
        point: &Point,
        separators: TermId,
    ) -> Option<Datum> {
        data[0].ty.text()?;
        self.expect_texts(&data[1..3]);
        let chars = data[0].measured(Metric::Chars).upper;
        let is_split = match terms.get(point.state.resolve(terms, separators)) {
            Term::String(s) | Term::Atom(s) => !s.is_empty(),
            _ => true,
        };
        let one = Expr::int(1);
        let count = Size {
            lower: Some(one.clone()),
            upper: match is_split {
                true => chars.as_ref().map(|e| e + &one),
                false => Some(one),
            },
        };
        let parts = Type::list(Type::Text(TextType::String));
        Some(Datum::sized(parts, count).with_element(chars))
    }

    /// Runs `atomic_list_concat(Parts, Separator, Whole)` with known parts.
    fn joined(&self, data: &[Datum], separator: Option<&Datum>) -> Option<Datum> {
        let (parts, whole) = (data.first()?, data.last()?);
        let Type::List(element) = &parts.ty else {
            return None;
        };
        if element.text().is_none() && **element != Type::None
            || !whole.ty.is_ground() && whole.ty != Type::Free
        {
            return None;
        }
        let between = match separator {
            None => Some(Expr::zero()),
            Some(d) => {
                self.expect_texts(std::slice::from_ref(d));
                d.measured(Metric::Chars).upper
            }
        };
        let each = parts.element_bound(Metric::Chars);
        let most = || Some(parts.size.upper.as_ref()? * &(&each? + &between?));
        Some(Datum {
            size: Size {
                lower: Some(Expr::zero()),
                upper: most(),
            },
            ..Datum::from_type(Type::Atom)
        })
    }

    /// Runs `atomic_list_concat(Parts, Separator, Whole)` when it splits a text.
    fn split_at(&self, data: &[Datum]) -> Option<Datum> {
        let [parts, separator, whole] = data else {
            return None;
        };
        whole.ty.text().filter(|_| parts.ty == Type::Free)?;
        self.expect_texts(std::slice::from_ref(separator));
        let at = separator.measured(Metric::Chars).shifted(-1);
        if !at.is_nonnegative(self.world.region()) {
            // An empty separator is an error.
            self.errors.set(true);
        }
        let chars = whole.measured(Metric::Chars).upper;
        let count = Size {
            lower: Some(Expr::int(1)),
            upper: chars.as_ref().map(|e| e + &Expr::int(1)),
        };
        let parts = Type::list(Type::Text(TextType::Atom));
        Some(Datum::sized(parts, count).with_element(chars))
    }

    /// Runs `sub_atom(Text, Before, Length, After, Part)`. Two of the three numbers determine the third; otherwise there is one solution
    /// per position.
    fn part_of_text(
        &self,
        point: &mut Point,
        terms: &Terms,
        goal: TermId,
        [before, length, after, part]: [TermId; 4],
        data: &[Datum],
        ty: Type,
    ) -> Result<Option<Truth>, Split> {
        let Some(cut) = Cut::from_data(data) else {
            return Ok(None);
        };
        let region = self.world.region();
        if cut.may_raise(region) {
            self.errors.set(true);
        }
        let room = self.has_room(terms, &cut)?;
        if room == Truth::False {
            return Ok(Some(Truth::False));
        }
        let has_room = room == Truth::True;
        for (i, place) in [before, length, after].into_iter().enumerate() {
            if cut.places[i].ty == Type::Free {
                let number = Datum::sized(Type::Int, cut.place(i, has_room));
                self.learn(&mut point.state, terms, place, &number);
            }
        }
        let is_searched = cut.part.ty != Type::Free;
        if is_searched {
            point.state.pure &= cut.places.iter().all(|d| d.ty == Type::Int);
        } else {
            let size = match &point.state.datum(terms, length) {
                // If the part occurs, its length is non-negative.
                d if !d.size.is_nonnegative(region) => Size::between_zero_and(&d.size.upper),
                d => d.size.clone(),
            };
            let made = Datum {
                size,
                ..Datum::from_type(ty)
            };
            self.learn(&mut point.state, terms, part, &made);
        }
        if cut.given().count() >= 2 {
            let is_told = !is_searched && cut.given().count() == 2;
            return Ok(Some(if is_told { room } else { Truth::Maybe }));
        }
        let mut count = cut.solutions(has_room, region);
        let is_sure = has_room && !is_searched;
        if !is_sure {
            count.lower = Some(Expr::zero());
        }
        point.sure &= is_sure;
        point
            .steps
            .push(Step::Solutions(count, generator(terms, goal)));
        Ok(Some(Truth::True))
    }

    /// Returns whether the given numbers and part fit into the text and are non-negative.
    fn has_room(&self, terms: &Terms, cut: &Cut<'_>) -> Result<Truth, Split> {
        let is_param = |e: &Expr| self.is_param(e);
        let scope = self.scope(terms, &is_param);
        let (zero, rest) = (Size::exact(Expr::zero()), cut.rest());
        for needed in cut.given().map(|d| &d.size).chain([&rest]) {
            let truth = by_size(&scope, Comparison::GreaterOrEqual, needed, &zero)?;
            if truth != Truth::True {
                return Ok(truth);
            }
        }
        Ok(Truth::True)
    }

    /// Records a possible type error for arguments that must be texts.
    fn expect_texts(&self, data: &[Datum]) {
        if data.iter().any(|d| d.ty.text().is_none()) {
            self.errors.set(true);
        }
    }
}

/// The facts about a call `sub_atom(Text, Before, Length, After, Part)`.
struct Cut<'a> {
    /// The number of characters in the text.
    chars: Size,
    /// `Before`, `Length` and `After`, each an integer or unbound.
    places: &'a [Datum],
    /// The part, a text or unbound.
    part: &'a Datum,
}

impl<'a> Cut<'a> {
    /// Returns `None` for arguments of other types.
    fn from_data(data: &'a [Datum]) -> Option<Self> {
        let [text, places @ .., part] = data else {
            return None;
        };
        let is_place = |d: &Datum| matches!(d.ty, Type::Int | Type::Free);
        let is_part = part.ty.text().is_some() || part.ty == Type::Free;
        (text.ty.text().is_some() && is_part && places.iter().all(is_place)).then(|| Cut {
            chars: text.measured(Metric::Chars),
            places,
            part,
        })
    }

    /// Returns the numbers that are bound at the call.
    fn given(&self) -> impl Iterator<Item = &Datum> {
        self.places.iter().filter(|d| d.ty == Type::Int)
    }

    /// Returns the length of a bound part if `Length` is unbound.
    fn searched(&self) -> Option<Size> {
        let is_it = self.part.ty != Type::Free && self.places[1].ty == Type::Free;
        is_it.then(|| self.part.measured(Metric::Chars))
    }

    /// Returns the number of characters of the text that the bound numbers and the bound part do not account for.
    fn rest(&self) -> Size {
        let numbers = self.given().map(|d| d.size.clone());
        numbers
            .chain(self.searched())
            .fold(self.chars.clone(), |rest, size| rest.plus(&size.negated()))
    }

    /// Returns whether a number may raise an exception: a negative number, or one larger than any text, as in `sub_atom(A, N, _, _, _)` for
    /// N = 10²⁰.
    fn may_raise(&self, region: &Region) -> bool {
        let largest = Expr::int(i64::from(i32::MAX));
        let is_fine = |d: &Datum| {
            let within = |most: &Expr| {
                (d.size.upper.as_ref()).is_some_and(|size| nonnegative(&(most - size), region))
            };
            d.size.is_nonnegative(region)
                && (within(&largest) || self.chars.upper.as_ref().is_some_and(within))
        };
        !self.given().all(is_fine)
    }

    /// Returns the value of an unbound number on success.
    fn place(&self, i: usize, has_room: bool) -> Size {
        let searched = self.searched().filter(|s| i == 1 && s.upper.is_some());
        match (searched, has_room) {
            (Some(length), _) => length,
            (None, true) if self.given().count() == 2 => self.rest(),
            (None, true) => Size::between_zero_and(&self.rest().upper),
            (None, false) => Size::between_zero_and(&self.chars.upper),
        }
    }

    /// Returns the number of solutions if at most one number is bound: one per position or, if neither a number nor the part is bound, one
    /// per pair of positions.
    fn solutions(&self, has_room: bool, region: &Region) -> Size {
        let (rest, one) = (self.rest(), Expr::int(1));
        let is_pairs = self.given().next().is_none() && self.part.ty == Type::Free;
        if !has_room {
            let most = |n: &Expr| match is_pairs {
                true => &(n + &one) * &(n + &Expr::int(2)),
                false => n + &one,
            };
            return Size::between_zero_and(&self.chars.upper.as_ref().map(most));
        }
        let one_more = rest.shifted(1);
        match self.searched() {
            Some(_) if self.given().next().is_some() => Size::exact(one),
            _ if is_pairs => {
                (one_more.times(&rest.shifted(2), region)).scaled(&Rat::new(1.into(), 2.into()))
            }
            _ => one_more,
        }
    }
}
