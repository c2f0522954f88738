//! Built-ins over texts: SWI-Prolog's treatment of atoms, strings, numbers and lists of characters. Runs with unusual mixtures are abandoned
//! rather than guessed.

use costlens_syntax::term::NIL;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use smol_str::SmolStr;

use crate::builtins::Answer;
use crate::heap::{Cell, Ref};
use crate::machine::{Machine, Stop};
use crate::write;

impl Machine {
    /// Returns the characters of an atomic argument.
    pub(crate) fn text(&mut self, at: Ref) -> Result<String, Stop> {
        match self.heap.value(at).clone() {
            Cell::Atom(name) if name == NIL => Err(self.type_error("atom", at)),
            Cell::Atom(text) | Cell::Str(text) => Ok(text.to_string()),
            Cell::Int(_) | Cell::Float(_) => Ok(write::write(&mut self.heap, at, false)),
            Cell::Var(_) => Err(self.instantiation_error()),
            Cell::Compound(..) => Err(self.type_error("text", at)),
        }
    }

    /// Returns the name of a global variable.
    pub(crate) fn key(&mut self, at: Ref) -> Result<String, Stop> {
        match self.heap.value(at).clone() {
            Cell::Atom(name) => Ok(name.to_string()),
            Cell::Var(_) => Err(self.instantiation_error()),
            _ => Err(self.type_error("atom", at)),
        }
    }

    /// Runs `atom_length/2` and `string_length/2`, which also accept lists of characters and codes.
    pub(crate) fn text_length(&mut self, text: Ref, out: Ref) -> Answer {
        if !self.heap.is_unbound(out) {
            self.integer(out)?;
        }
        let (elements, rest) = self.heap.elements(text)?;
        let is_list =
            self.heap.is_atom(rest, NIL) && (rest == self.heap.deref(text) || !elements.is_empty());
        let length = if is_list {
            match self.text_of_list(text) {
                Ok(text) => text.chars().count(),
                Err(Stop::Throw(_)) => return Err(self.type_error("text", text)),
                Err(stop) => return Err(stop),
            }
        } else {
            self.text(text)?.chars().count()
        };
        let length = self.heap.int(length);
        Ok(self.heap.unify(out, length)?)
    }

    /// Returns the characters of a list of one-character atoms or codes.
    fn text_of_list(&mut self, list: Ref) -> Result<String, Stop> {
        let mut text = String::new();
        for element in self.proper_list(list)? {
            match self.heap.value(element).clone() {
                Cell::Var(_) => return Err(self.instantiation_error()),
                Cell::Atom(c) if c.chars().count() == 1 => text.push_str(&c),
                Cell::Int(code) => match code.to_u32().and_then(char::from_u32) {
                    Some(c) => text.push(c),
                    None => return Err(self.type_error("character_code", element)),
                },
                _ => return Err(self.type_error("character", element)),
            }
        }
        Ok(text)
    }

    /// Returns the number that a text denotes. Returns `None` if it does not begin like a number. A possible number of an unusual kind is not
    /// supported.
    fn number_from(&mut self, text: &str) -> Result<Option<Ref>, Stop> {
        if let Ok(value) = text.parse::<BigInt>()
            && !text.contains('_')
        {
            return Ok(Some(self.heap.int(value)));
        }
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let plain = digits.split_once('.').is_some_and(|(whole, rest)| {
            let all = |t: &str| !t.is_empty() && t.chars().all(|c| c.is_ascii_digit());
            all(whole) && all(rest)
        });
        if plain && let Ok(value) = text.parse::<f64>() {
            return Ok(Some(self.heap.push(Cell::Float(value))));
        }
        if digits.starts_with(|c: char| c.is_ascii_digit()) || digits.starts_with(['i', 'n', 'e']) {
            return Err(Stop::Unsupported("the text of an unusual number".into()));
        }
        Ok(None)
    }

    /// Returns the text of the second argument of a conversion, if the first is unbound.
    fn converted(&mut self, name: &str, b: Ref) -> Result<String, Stop> {
        let is_text = match self.heap.value(b).clone() {
            Cell::Str(_) => true,
            Cell::Atom(name) if name == NIL => false,
            Cell::Atom(_) | Cell::Int(_) | Cell::Float(_) => {
                if !matches!(name, "atom_string" | "string_to_atom") {
                    return Err(self.type_error("list", b));
                }
                true
            }
            Cell::Var(_) => return Err(self.instantiation_error()),
            Cell::Compound(..) => false,
        };
        match is_text {
            true => self.text(b),
            false if matches!(name, "atom_string" | "string_to_atom" | "number_string") => {
                Err(Stop::Unsupported(format!("{name}/2 of a list")))
            }
            false => self.text_of_list(b),
        }
    }

    pub(crate) fn convert(&mut self, name: &str, a: Ref, b: Ref) -> Answer {
        if name == "term_to_atom" {
            return Err(Stop::Unsupported("term_to_atom/2".into()));
        }
        if !self.heap.is_unbound(a) {
            return self.convert_from(name, a, b);
        }
        if name == "char_code" {
            let code = self.integer(b)?.to_u32().and_then(char::from_u32);
            let Some(c) = code else {
                return Err(self.type_error("character_code", b));
            };
            let atom = self.heap.atom(c.encode_utf8(&mut [0; 4]));
            return Ok(self.heap.unify(a, atom)?);
        }
        let text = self.converted(name, b)?;
        let out = match name {
            "number_codes" | "number_string" => {
                let found = self.number_from(text.trim_start())?;
                match found {
                    Some(number) => number,
                    None if name == "number_string" => return Ok(false),
                    None => {
                        let what = self.heap.atom("illegal_number");
                        let formal = self.heap.compound("syntax_error", &[what]);
                        return Err(self.error(formal));
                    }
                }
            }
            "string_chars" | "string_codes" | "string_to_atom" => {
                self.heap.push(Cell::Str(SmolStr::new(text)))
            }
            _ => self.heap.atom(&text),
        };
        Ok(self.heap.unify(a, out)?)
    }

    /// Converts a bound first argument.
    fn convert_from(&mut self, name: &str, a: Ref, b: Ref) -> Answer {
        let cell = self.heap.value(a).clone();
        let is_number = matches!(cell, Cell::Int(_) | Cell::Float(_));
        match (name, &cell) {
            ("number_codes" | "number_string", _) if !is_number => {
                return Err(self.type_error("number", a));
            }
            ("char_code", Cell::Atom(c)) if c.chars().count() == 1 => {}
            ("char_code", _) => return Err(self.type_error("character", a)),
            _ => {}
        }
        if matches!(cell, Cell::Compound(..))
            || self.heap.is_atom(a, NIL)
                && matches!(
                    name,
                    "atom_string" | "string_chars" | "string_codes" | "string_to_atom"
                )
        {
            return Err(Stop::Unsupported(format!("{name}/2 of a list")));
        }
        let text = self.text(a)?;
        let makes_list = matches!(
            name,
            "atom_codes" | "number_codes" | "string_codes" | "atom_chars" | "string_chars"
        );
        if makes_list {
            match self.heap.value(b) {
                Cell::Str(_) => return Err(Stop::Unsupported(format!("{name}/2 with a string"))),
                _ => self.partial_list(b)?,
            }
        } else if !self.heap.is_unbound(b) && name != "char_code" {
            return Err(Stop::Unsupported(format!("{name}/2 of two texts")));
        }
        let out = match name {
            "atom_codes" | "number_codes" | "string_codes" => {
                let codes: Vec<Ref> = (text.chars())
                    .map(|c| self.heap.int(u32::from(c)))
                    .collect();
                self.heap.list(&codes, None)
            }
            "atom_chars" | "string_chars" => {
                let chars: Vec<Ref> = text
                    .chars()
                    .map(|c| self.heap.atom(c.encode_utf8(&mut [0; 4])))
                    .collect();
                self.heap.list(&chars, None)
            }
            "char_code" => self.heap.int(text.chars().next().map_or(0, u32::from)),
            "string_to_atom" => self.heap.atom(&text),
            _ => self.heap.push(Cell::Str(SmolStr::new(text))),
        };
        Ok(self.heap.unify(b, out)?)
    }

    pub(crate) fn atom_number(&mut self, a: Ref, b: Ref) -> Answer {
        if self.heap.is_unbound(a) {
            let text = match self.heap.value(b) {
                Cell::Int(_) | Cell::Float(_) => self.text(b)?,
                Cell::Var(_) => return Err(self.instantiation_error()),
                _ => return Err(self.type_error("number", b)),
            };
            let atom = self.heap.atom(&text);
            return Ok(self.heap.unify(a, atom)?);
        }
        if matches!(self.heap.value(a), Cell::Int(_) | Cell::Float(_)) {
            return Err(self.type_error("atom", a));
        }
        let text = self.text(a)?;
        match self.number_from(&text)? {
            Some(number) => Ok(self.heap.unify(b, number)?),
            None => Ok(false),
        }
    }

    pub(crate) fn concat(&mut self, name: &str, a: Ref, b: Ref, out: Ref) -> Answer {
        if self.heap.is_unbound(a) || self.heap.is_unbound(b) {
            return Err(Stop::Unsupported(format!("{name}/3 backwards")));
        }
        let text = self.text(a)? + &self.text(b)?;
        if matches!(self.heap.value(out), Cell::Compound(..)) {
            return Err(self.type_error("atomic", out));
        }
        let built = if name == "atom_concat" {
            self.heap.atom(&text)
        } else {
            self.heap.push(Cell::Str(SmolStr::new(text)))
        };
        Ok(self.heap.unify(out, built)?)
    }
}
