//! Exact values of a system at small points, computed by unfolding with memoisation. The values are only used for guesses.
//!
//! The evaluation is iterative: a point whose calls are not known yet is postponed until they are. A point has no value if it depends on
//! itself or if the counted steps do not suffice.

use std::cell::OnceCell;

use costlens_algebra::linear::fraction::Fraction;
use costlens_algebra::{Var, work};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::graph::{CellId, RESULT_LIMIT};
use crate::system::{Direction, Function, SolvedPiece, System, Value};
use crate::values::compiled::{Compiled, CompiledRegion, Points, Slots};

/// The maximum number of points waiting for each other.
const WAITING: usize = 4_000;

/// The maximum number of choices of locals per alternative and point.
const CHOICES: usize = 400;

/// The number of locals up to which all choices are evaluated. With more locals (two trees traversed together have six), only the corners
/// and a few other choices are evaluated.
const FEW_LOCALS: usize = 3;

/// The number of choices for many locals in addition to the corners.
const MANY_CHOICES: usize = 40;

/// The number of values tried for a local without an upper bound.
const WINDOW: i128 = 6;

/// The arguments of a function; as there are usually few, they need no allocation.
pub(crate) type Point = SmallVec<[i64; 4]>;

/// A function at a point whose value is needed.
type Need = (usize, Point);

/// Values of an alternative's sizes, locals and results.
type Values = SmallVec<[Fraction; 6]>;

#[derive(Debug)]
struct CompiledAlternative {
    locals: Option<Points>,
    calls: Vec<(usize, Vec<Compiled>)>,
    /// The value; `None` if the alternative has none.
    value: Option<Compiled>,
    width: usize,
    /// False if the alternative cannot be evaluated, because a number or a variable was out of range.
    usable: bool,
}

/// A cell that is compiled on first use, since many cells need no evaluation.
#[derive(Debug)]
struct CompiledCell {
    region: Option<CompiledRegion>,
    alternatives: Vec<OnceCell<CompiledAlternative>>,
    exhaustive: bool,
}

#[derive(Debug)]
struct CompiledPiece {
    region: CompiledRegion,
    value: PieceValue,
}

#[derive(Debug)]
enum PieceValue {
    Known(Compiled),
    Infinite,
    Unknown,
}

#[derive(Debug)]
struct CompiledFunction {
    arity: usize,
    cells: Vec<CompiledCell>,
    solved: Vec<CompiledPiece>,
}

/// The value at a point, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Worth {
    Finite(Fraction),
    /// The value depends on itself, or is proved infinite.
    Infinite,
    /// The value depends on something unknown.
    Unknown,
    /// The point does not occur ([`crate::system::Cell::exhaustive`]).
    Absent,
    /// The value is being computed.
    Open,
}

/// An evaluator for a system, which uses closed forms where they are already known.
#[derive(Debug)]
pub(crate) struct Evaluator<'a> {
    system: &'a System,
    functions: Vec<CompiledFunction>,
    direction: Direction,
    memory: FxHashMap<Need, Worth>,
    pub(crate) fuel: u64,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(system: &'a System, direction: Direction, fuel: u64) -> Self {
        Self {
            system,
            functions: system.functions.iter().map(compile).collect(),
            direction,
            memory: FxHashMap::default(),
            fuel,
        }
    }

    /// Registers a solved piece, which is used instead of unfolding from now on.
    pub(crate) fn solved(&mut self, function: usize, params: &[Var], piece: &SolvedPiece) {
        let slots = Slots::new(params.to_vec());
        let Some(region) = CompiledRegion::new(&piece.region, &slots) else {
            return;
        };
        let value = match &piece.value {
            Value::Known(e) => match Compiled::new(e, &slots) {
                Some(e) => PieceValue::Known(e),
                None => PieceValue::Unknown,
            },
            Value::Diverges => PieceValue::Infinite,
            Value::Unknown(_) => PieceValue::Unknown,
        };
        self.functions[function]
            .solved
            .push(CompiledPiece { region, value });
    }

    /// Clears the values computed by unfolding.
    pub(crate) fn forget(&mut self) {
        self.memory.clear();
    }

    /// Returns the value at a point.
    pub(crate) fn value_at(&mut self, function: usize, point: &[i64]) -> Option<Fraction> {
        let mut stack: Vec<Need> = vec![(function, point.into())];
        while let Some(waiting) = stack.last() {
            match self.memory.get(waiting) {
                Some(Worth::Open) | None => {}
                Some(_) => {
                    stack.pop();
                    continue;
                }
            }
            let mut missing = Vec::new();
            let worth = self.unfold(waiting, &mut missing);
            if missing.is_empty() {
                self.memory.extend(stack.pop().map(|place| (place, worth)));
                continue;
            }
            self.memory.insert(waiting.clone(), Worth::Open);
            if self.fuel == 0 || stack.len() + missing.len() > WAITING {
                for waiting in stack {
                    if self.memory.get(&waiting) == Some(&Worth::Open) {
                        self.memory.insert(waiting, Worth::Unknown);
                    }
                }
                return None;
            }
            stack.extend(missing);
        }
        match self.memory.get(&(function, point.into())) {
            Some(Worth::Finite(value)) => Some(*value),
            _ => None,
        }
    }

    /// Returns the cell of a function that contains a point.
    pub(crate) fn cell_of(&self, function: usize, point: &[i64]) -> Option<usize> {
        let small: SmallVec<[i128; 4]> = point.iter().map(|&x| x.into()).collect();
        self.functions[function]
            .cells
            .iter()
            .position(|c| c.region.as_ref().is_some_and(|r| r.contains(&small)))
    }

    /// Returns the choices of the locals of an alternative at a point: rows of values with room for the results.
    pub(crate) fn choices(
        &self,
        (function, cell): CellId,
        alternative: usize,
        point: &[i128],
        limit: usize,
    ) -> Option<Vec<Vec<Fraction>>> {
        let a = self.alternative((function, cell), alternative);
        if !a.usable {
            return None;
        }
        let mut values = vec![0i128; a.width];
        values[..point.len()].copy_from_slice(point);
        let mut found: Vec<Vec<Fraction>> = Vec::new();
        let locals = a.locals.as_ref()?;
        let mut add = |p: &[i128]| found.push(p.iter().map(|&x| Fraction::int(x)).collect());
        let many = locals.len() > FEW_LOCALS;
        let limit = if many { limit.min(MANY_CHOICES) } else { limit };
        let complete = locals.visit(&mut values, WINDOW, limit, &mut add);
        if !complete {
            locals.corners(&mut values, WINDOW, &mut add);
        }
        if many {
            let mut seen: FxHashSet<Vec<Fraction>> = FxHashSet::default();
            found.retain(|choice| seen.insert(choice.clone()));
        }
        Some(found)
    }

    /// Returns the callee, the arguments and the result slot of the `i`-th call of an alternative.
    pub(crate) fn call(
        &self,
        (function, cell): CellId,
        alternative: usize,
        i: usize,
        values: &[Fraction],
    ) -> Option<(usize, Point, usize)> {
        let a = self.alternative((function, cell), alternative);
        let (callee, args) = a.calls.get(i)?;
        let args = args
            .iter()
            .map(|a| i64::try_from(a.eval(values)?.to_integer()?).ok())
            .collect::<Option<Point>>()?;
        let arity = self.functions.get(*callee)?.arity;
        (args.len() == arity).then_some((*callee, args, a.width - a.calls.len() + i))
    }

    /// Returns the value of an alternative.
    pub(crate) fn value(
        &self,
        cell: CellId,
        alternative: usize,
        values: &[Fraction],
    ) -> Option<Fraction> {
        self.alternative(cell, alternative)
            .value
            .as_ref()?
            .eval(values)
    }

    fn alternative(&self, (f, c): CellId, alternative: usize) -> &CompiledAlternative {
        let known = &self.functions[f].cells[c].alternatives[alternative];
        known.get_or_init(|| compile_alternative(self.system, (f, c), alternative))
    }

    /// Evaluates a point.
    pub(crate) fn worth(&mut self, function: usize, point: &[i64]) -> Worth {
        self.value_at(function, point);
        self.memory
            .get(&(function, point.into()))
            .copied()
            .unwrap_or(Worth::Unknown)
    }

    /// Unfolds a point once. Calls whose values are not known yet are added to `missing`; in that case the result is meaningless.
    fn unfold(&mut self, (f, point): &Need, missing: &mut Vec<Need>) -> Worth {
        let f = *f;
        let Self {
            system,
            functions,
            direction,
            memory,
            fuel,
        } = self;
        let function = &functions[f];
        let small: SmallVec<[i128; 4]> = point.iter().map(|&x| x.into()).collect();
        for piece in &function.solved {
            if piece.region.contains(&small) {
                return match &piece.value {
                    PieceValue::Known(e) => {
                        let values: Values = small.iter().map(|&x| Fraction::int(x)).collect();
                        match e.eval(&values) {
                            Some(value) => Worth::Finite(value),
                            None => Worth::Unknown,
                        }
                    }
                    PieceValue::Infinite => Worth::Infinite,
                    PieceValue::Unknown => Worth::Unknown,
                };
            }
        }
        let inside = |c: &CompiledCell| c.region.as_ref().is_some_and(|r| r.contains(&small));
        let Some((c, cell)) = (function.cells.iter().enumerate()).find(|(_, cell)| inside(cell))
        else {
            return Worth::Unknown;
        };
        if cell.alternatives.is_empty() {
            return Worth::Finite(Fraction::ZERO);
        }
        let mut combined = Combined::new(*direction);
        for (a, alternative) in cell.alternatives.iter().enumerate() {
            let alternative = alternative.get_or_init(|| compile_alternative(system, (f, c), a));
            let (true, Some(locals)) = (alternative.usable, &alternative.locals) else {
                combined.push(Worth::Unknown);
                continue;
            };
            let mut values: SmallVec<[i128; 6]> = smallvec![0; alternative.width];
            values[..small.len()].copy_from_slice(&small);
            let mut choices = 0;
            locals.visit(&mut values, WINDOW, CHOICES, &mut |values| {
                choices += 1;
                *fuel = fuel.saturating_sub(1);
                if choices > CHOICES || *fuel == 0 {
                    combined.push(Worth::Unknown);
                    return;
                }
                combined.push(choose(
                    alternative,
                    values,
                    *direction,
                    memory,
                    functions,
                    missing,
                ));
            });
        }
        combined.worth(cell.exhaustive)
    }
}

/// Returns the value of an alternative for one choice of locals.
fn choose(
    alternative: &CompiledAlternative,
    point: &[i128],
    direction: Direction,
    memory: &FxHashMap<Need, Worth>,
    functions: &[CompiledFunction],
    missing: &mut Vec<Need>,
) -> Worth {
    let Some(value) = &alternative.value else {
        return Worth::Unknown;
    };
    work::add(10 + 10 * alternative.calls.len());
    let mut values: Values = point.iter().map(|&x| Fraction::int(x)).collect();
    let first_result = alternative.width - alternative.calls.len();
    let mut absent: Vec<usize> = Vec::new();
    for (i, (callee, args)) in alternative.calls.iter().enumerate() {
        if absent
            .iter()
            .any(|&slot| args.iter().any(|a| a.mentions(slot)))
        {
            return Worth::Unknown; // a later pass will evaluate this point again
        }
        let args: Option<Point> = args
            .iter()
            .map(|a| i64::try_from(a.eval(&values)?.to_integer()?).ok())
            .collect();
        let (Some(args), Some(function)) = (args, functions.get(*callee)) else {
            return Worth::Unknown;
        };
        if args.len() != function.arity {
            return Worth::Unknown;
        }
        let key = (*callee, args);
        match memory.get(&key) {
            Some(Worth::Finite(x)) => values[first_result + i] = *x,
            Some(Worth::Absent) => return Worth::Absent,
            Some(Worth::Infinite | Worth::Open) => return Worth::Infinite,
            Some(Worth::Unknown) if direction == Direction::Lower => {}
            Some(Worth::Unknown) => return Worth::Unknown,
            None => {
                missing.push(key);
                absent.push(first_result + i);
            }
        }
    }
    match value.eval(&values) {
        Some(x) if x.is_negative() => Worth::Finite(Fraction::ZERO),
        Some(x) => Worth::Finite(x),
        None => Worth::Unknown,
    }
}

/// The maximum or minimum so far.
struct Combined {
    direction: Direction,
    best: Option<Fraction>,
    infinite: bool,
    unknown: bool,
}

impl Combined {
    fn new(direction: Direction) -> Self {
        Self {
            direction,
            best: None,
            infinite: false,
            unknown: false,
        }
    }

    fn push(&mut self, worth: Worth) {
        match worth {
            Worth::Finite(x) => {
                let better = match (&self.best, self.direction) {
                    (None, _) => Some(true),
                    (Some(b), Direction::Upper) => b.less(x),
                    (Some(b), Direction::Lower) => x.less(*b),
                };
                match better {
                    Some(true) => self.best = Some(x),
                    Some(false) => {}
                    None => self.unknown = true,
                }
            }
            Worth::Absent => {}
            Worth::Infinite => self.infinite = true,
            Worth::Unknown | Worth::Open => self.unknown = true,
        }
    }

    fn worth(&self, exhaustive: bool) -> Worth {
        if exhaustive && self.best.is_none() && !self.infinite && !self.unknown {
            return Worth::Absent;
        }
        match self.direction {
            Direction::Upper if self.unknown => Worth::Unknown,
            Direction::Upper if self.infinite => Worth::Infinite,
            // The value of an unknown alternative is at least 0.
            Direction::Lower if self.unknown => Worth::Finite(Fraction::ZERO),
            Direction::Lower if self.best.is_none() && self.infinite => Worth::Infinite,
            _ => Worth::Finite(self.best.unwrap_or(Fraction::ZERO)),
        }
    }
}

fn compile(function: &Function) -> CompiledFunction {
    let slots = Slots::new(function.params.clone());
    CompiledFunction {
        arity: function.params.len(),
        cells: function
            .cells
            .iter()
            .map(|cell| CompiledCell {
                region: CompiledRegion::new(&cell.region, &slots),
                alternatives: cell.alternatives.iter().map(|_| OnceCell::new()).collect(),
                exhaustive: cell.exhaustive,
            })
            .collect(),
        solved: Vec::new(),
    }
}

fn compile_alternative(system: &System, (f, c): CellId, alternative: usize) -> CompiledAlternative {
    let function = &system.functions[f];
    let cell = &function.cells[c];
    let alternative = &cell.alternatives[alternative];
    if alternative.results.len() > RESULT_LIMIT {
        return CompiledAlternative {
            locals: None,
            calls: Vec::new(),
            value: None,
            width: function.params.len(),
            usable: false,
        };
    }
    let mut vars = function.params.clone();
    vars.extend(&alternative.locals);
    vars.extend(alternative.results.iter().map(|r| r.var));
    let slots = Slots::new(vars);
    let on = cell.region.and_all(&alternative.constraints);
    let mut usable = true;
    let calls = alternative
        .results
        .iter()
        .map(|r| {
            let args: Option<Vec<Compiled>> =
                r.args.iter().map(|a| Compiled::new(a, &slots)).collect();
            usable = usable && args.is_some();
            (r.function, args.unwrap_or_default())
        })
        .collect();
    let value = alternative
        .value
        .as_ref()
        .and_then(|v| Compiled::new(v, &slots));
    CompiledAlternative {
        locals: Points::new(&on, &slots, &alternative.locals),
        calls,
        value,
        width: slots.len(),
        usable,
    }
}
