//! The walks of the source's loops through memory.
//!
//! ```text
//! do i = 1, n
//!   do j = 1, n
//!     a(i, j) = b(j) + c(k(j)) + s      a: constant (a column on), b: unit, c: irregular; i innermost: a unit
//! ```
//!
//! For every array element that is read or written in the body of an innermost loop: the distance to the element of the
//! next iteration. This describes the source, at VH; the stories of the loops have the optimizer's changes of their
//! order.

use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{BinaryOp, Expr, ExprData, Head, List, Program, Stmt, Storage, Sym, UnaryOp, Unit, UnitKind};
use trueline_provenance::Serial;

/// The accesses of a loop, and an order that would serve them better.
#[derive(Clone, Default, Debug)]
pub struct Accesses {
    /// In the order of the source, each once: `a(i, j) written: constant stride, 2056 bytes`.
    pub list: Vec<String>,
    /// The most bytes that an iteration touches and the one before did not.
    pub touched: u64,
    /// Another loop of the nest that should be the innermost one.
    pub advice: Option<String>,
    /// Values that an iteration needs from the one before.
    pub carried: Vec<String>,
}

/// The distance to the next iteration's element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stride {
    /// The same element.
    Uniform,
    /// The next one in memory.
    Unit,
    /// A constant distance.
    Constant,
    /// A distance that depends on values.
    Irregular,
}

impl Stride {
    fn words(self) -> &'static str {
        match self {
            Stride::Uniform => "uniform",
            Stride::Unit => "unit stride",
            Stride::Constant => "constant stride",
            Stride::Irregular => "irregular",
        }
    }
}

/// Expressions nested deeper than this are not examined.
const MOST_DEPTH: u32 = 64;
/// The most accesses of a loop that are reported.
const MOST_ACCESSES: usize = 32;

/// The accesses of the innermost loops. The units must be at VH.
pub fn accesses(program: &Program) -> FxHashMap<Serial, Accesses> {
    let mut out = FxHashMap::default();
    for unit in program.units.iter().filter(|u| u.kind() != UnitKind::Data) {
        let describing = describing(unit);
        for s in unit.walk() {
            let (Some(own), Head::Do { .. }) = (unit.own_source(s), unit.head(s)) else { continue };
            let Some(walk) = Walk::new(unit, &describing, s) else { continue };
            let (list, touched) = walk.all();
            let carried = crate::carried::carried(&walk);
            if !list.is_empty() || !carried.is_empty() {
                let advice = advice(program, unit, s, &walk);
                out.insert(own, Accesses { list, touched, advice, carried });
            }
        }
    }
    out
}

/// The registers that say where variables are, and how large.
fn describing(unit: &Unit) -> FxHashSet<Sym> {
    let mut out = Vec::new();
    unit.syms().for_each(|(v, _)| unit.registers_of(v, &mut out));
    out.into_iter().collect()
}

/// The walk of an innermost loop, or one around it, through the elements in a body.
pub(crate) struct Walk<'a> {
    pub(crate) unit: &'a Unit,
    /// See [`describing`].
    describing: &'a FxHashSet<Sym>,
    /// The loop.
    pub(crate) of: Stmt,
    var: Sym,
    /// The registers that are copies of its variable, as in loops whose variables are checked.
    copies: FxHashSet<Sym>,
    /// The growth of its variable in an iteration, if it is known.
    pub(crate) step: Option<i64>,
    /// The registers that the loop changes.
    changed: FxHashSet<Sym>,
    /// The statements of the innermost loop.
    pub(crate) body: Vec<Stmt>,
}

impl<'a> Walk<'a> {
    /// `s` as an innermost loop.
    fn new(unit: &'a Unit, describing: &'a FxHashSet<Sym>, s: Stmt) -> Option<Walk<'a>> {
        let body: Vec<Stmt> = unit.walk_stmt(s).into_iter().skip(1).collect();
        let is_loop = |&x: &Stmt| matches!(unit.head(x), Head::Do { .. } | Head::DoWhile { .. });
        if body.iter().any(is_loop) { None } else { Walk::around(unit, describing, s, body) }
    }

    /// The loop `s`, with the `body` of an innermost loop in it.
    fn around(unit: &'a Unit, describing: &'a FxHashSet<Sym>, s: Stmt, body: Vec<Stmt>) -> Option<Walk<'a>> {
        let Head::Do { var, step, .. } = unit.head(s) else { return None };
        let inside = unit.walk_stmt(s);
        let mut changed: FxHashSet<Sym> = inside.iter().flat_map(|&x| unit.may_define(unit.head(x))).collect();
        // The ranges of the loops inside stay the same when only this one goes on.
        for &x in &inside {
            if let Head::Do { var, .. } = unit.head(x) {
                changed.remove(&var);
            }
        }
        let mut copies = FxHashSet::default();
        for (copy, original) in copied(unit, &inside) {
            changed.remove(&copy);
            if original == var {
                copies.insert(copy);
            }
        }
        Some(Walk { unit, describing, of: s, var, copies, step: unit.pool().as_int(step), changed, body })
    }

    /// The elements in the body, and whether they are written.
    pub(crate) fn elements(&self) -> Vec<(Sym, List, bool)> {
        let mut out = Vec::new();
        for &s in &self.body {
            let head = self.unit.head(s);
            if head.is_invisible() || self.is_descriptor(head) {
                continue;
            }
            let written = match head {
                Head::Assign { place, .. } => Some(place),
                _ => None,
            };
            let mut look = |e: Expr, writes: bool| {
                let mut found = Vec::new();
                self.unit.visit_expr(e, &mut |x| {
                    if let ExprData::Elem(array, subscripts) = self.unit.expr(x) {
                        found.push((array, subscripts, writes && x == e));
                    }
                });
                // The last operand is visited first.
                for access in found.into_iter().rev() {
                    if !out.contains(&access) && out.len() < MOST_ACCESSES {
                        out.push(access);
                    }
                }
            };
            for e in self.unit.values(head) {
                look(e, false);
            }
            if let Some(place) = written {
                look(place, true);
            }
        }
        out
    }

    /// Whether a statement reads a word of a descriptor, which the source has not, into its register.
    fn is_descriptor(&self, head: Head) -> bool {
        let Head::Assign { place, value } = head else { return false };
        match (self.unit.expr(place), self.unit.expr(value)) {
            (ExprData::Var(v), ExprData::Elem(..)) => self.describing.contains(&v) && !self.unit.sym(v).from_source,
            _ => false,
        }
    }

    fn all(&self) -> (Vec<String>, u64) {
        let mut touched = 0;
        let all = self.elements();
        let of = |&(array, subscripts, writes): &(Sym, List, bool)| {
            let (stride, bytes) = self.stride(array, subscripts);
            let is_read_too = writes && all.contains(&(array, subscripts, false));
            if stride != Stride::Uniform && !is_read_too {
                touched += self.size(array).unwrap_or(0) as u64;
            }
            let how = match (writes, is_read_too) {
                (false, _) if all.contains(&(array, subscripts, true)) => return None,
                (false, _) => "read",
                (true, true) => "read and written",
                (true, false) => "written",
            };
            let bytes = bytes.filter(|_| stride != Stride::Uniform).map_or(String::new(), |b| format!(", {b} bytes"));
            Some(format!("{} {how}: {}{bytes}", text(self.unit, array, subscripts), stride.words()))
        };
        (all.iter().filter_map(of).collect(), touched)
    }

    /// The bytes of an element.
    fn size(&self, array: Sym) -> Option<i64> {
        let data = self.unit.sym(array);
        let len = data.len.expand().map_or(Some(1), |e| self.unit.pool().as_int(e))?;
        len.checked_mul(data.ty.size() as i64)
    }

    /// The distance to the next iteration's element: its class, and the bytes if they are known.
    fn stride(&self, array: Sym, subscripts: List) -> (Stride, Option<i64>) {
        let data = self.unit.sym(array);
        let size = self.size(array);
        let mut total = Some(0i64);
        let mut extent = Some(1i64);
        let (mut first, mut others) = (0, false);
        for (k, &e) in self.unit.list(subscripts).iter().enumerate() {
            let Some(c) = self.coefficient(e, 0) else { return (Stride::Irregular, None) };
            if k == 0 {
                first = c;
            } else {
                others |= c != 0;
            }
            if c != 0 {
                let part = self.step.zip(extent).and_then(|(step, n)| c.checked_mul(step)?.checked_mul(n));
                total = total.zip(part).and_then(|(a, b)| a.checked_add(b));
            }
            let own = data.dims.get(k).and_then(|d| {
                let (lo, hi) = (self.unit.pool().as_int(d.lower)?, self.unit.pool().as_int(d.upper.expand()?)?);
                hi.checked_sub(lo)?.checked_add(1)
            });
            extent = extent.zip(own).and_then(|(a, b)| a.checked_mul(b));
        }
        let bytes = total.zip(size).and_then(|(n, size)| n.checked_mul(size));
        match (first, others) {
            (0, false) => (Stride::Uniform, Some(0)),
            (c, false)
                if data.is_contiguous() && self.step.is_some_and(|s| matches!(c.checked_mul(s), Some(1 | -1))) =>
            {
                (Stride::Unit, bytes)
            }
            _ => (Stride::Constant, bytes),
        }
    }

    /// The change of `e` when the DO variable grows by one; none if it is not constant.
    pub(crate) fn coefficient(&self, e: Expr, depth: u32) -> Option<i64> {
        if depth > MOST_DEPTH {
            return None;
        }
        let of = |e| self.coefficient(e, depth + 1);
        match self.unit.expr(e) {
            ExprData::Int(..) => Some(0),
            ExprData::Var(v) if v == self.var || self.copies.contains(&v) => Some(1),
            ExprData::Var(v) => (!self.changed.contains(&v)).then_some(0),
            ExprData::Convert(_, e) => of(e),
            ExprData::Unary(UnaryOp::Neg, e) => of(e)?.checked_neg(),
            ExprData::Binary(BinaryOp::Add, a, b) => of(a)?.checked_add(of(b)?),
            ExprData::Binary(BinaryOp::Sub, a, b) => of(a)?.checked_sub(of(b)?),
            ExprData::Binary(BinaryOp::Mul, a, b) => match (of(a)?, of(b)?) {
                (0, 0) => Some(0),
                (c, 0) => c.checked_mul(self.unit.pool().as_int(b)?),
                (0, c) => c.checked_mul(self.unit.pool().as_int(a)?),
                _ => None,
            },
            _ => self.is_fixed(e).then_some(0),
        }
    }

    /// Whether `e` is the same in all iterations, as far as its names tell.
    fn is_fixed(&self, e: Expr) -> bool {
        let mut fixed = true;
        self.unit.visit_expr(e, &mut |x| {
            fixed &= match self.unit.expr(x) {
                ExprData::Var(v) => v != self.var && !self.copies.contains(&v) && !self.changed.contains(&v),
                ExprData::Elem(..) | ExprData::Section(..) | ExprData::Wide(..) => false,
                _ => true,
            };
        });
        fixed
    }

    /// The number of elements next to the last iteration's, or the same; and the number of all.
    fn near(&self) -> (usize, usize) {
        let mut all = self.elements();
        let mut seen = FxHashSet::default();
        all.retain(|(a, l, _)| seen.insert((*a, *l)));
        let near = all.iter().filter(|(a, l, _)| matches!(self.stride(*a, *l).0, Stride::Uniform | Stride::Unit));
        (near.count(), all.len())
    }
}

/// The registers that these statements define as copies of one DO variable of theirs each, and in no other way.
fn copied(unit: &Unit, stmts: &[Stmt]) -> Vec<(Sym, Sym)> {
    let variable = |&s: &Stmt| if let Head::Do { var, .. } = unit.head(s) { Some(var) } else { None };
    let variables: FxHashSet<Sym> = stmts.iter().filter_map(variable).collect();
    let mut of: FxHashMap<Sym, Option<Sym>> = FxHashMap::default();
    for &s in stmts {
        let head = unit.head(s);
        let original = match head {
            Head::Assign { value, .. } => match unit.expr(value) {
                ExprData::Var(v) if variables.contains(&v) => Some(v),
                _ => None,
            },
            _ => None,
        };
        for v in unit.may_define(head) {
            let known = of.entry(v).or_insert(original);
            if *known != original {
                *known = None;
            }
        }
    }
    of.into_iter().filter_map(|(copy, original)| Some((copy, original?))).collect()
}

/// The loop around the innermost one that would serve better in its place.
fn advice(program: &Program, unit: &Unit, innermost: Stmt, walk: &Walk<'_>) -> Option<String> {
    let (near, all) = walk.near();
    let mut best: Option<(usize, Stmt)> = None;
    for s in unit.ancestors(innermost).take_while(|&s| matches!(unit.head(s), Head::Do { .. })) {
        let Some(other) = Walk::around(unit, walk.describing, s, walk.body.clone()) else { continue };
        let (better, _) = other.near();
        if better > best.map_or(near, |b| b.0) {
            best = Some((better, s));
        }
    }
    let (better, s) = best?;
    let loop_of = unit.own_source(s)?;
    let line = program.infos.stmts[loop_of].line;
    Some(format!(
        "with the loop of line {line} innermost, {better} of {all} accesses would be next to one another, not {near}"
    ))
}

/// An element as the source may have it.
pub(crate) fn text(unit: &Unit, array: Sym, subscripts: List) -> String {
    let of: Vec<String> = unit.list(subscripts).iter().map(|&e| subscript(unit, e, 0)).collect();
    element(unit, array, &of)
}

/// The same with the text of each subscript. Components of the elements of an array have those of the array behind their own: `g(i)%u(k)` is `g%u(k, i)`.
fn element(unit: &Unit, array: Sym, subscripts: &[String]) -> String {
    let with = |name: &str, subscripts: &[String]| match subscripts {
        [] => name.to_owned(),
        _ => format!("{name}({})", subscripts.join(", ")),
    };
    let name = &unit.sym(array).name;
    if let Some((outer, component)) = name.rsplit_once('%')
        && let Some(whole) = whole(unit, array, outer)
    {
        let own = subscripts.len().saturating_sub(unit.sym(whole).dims.len());
        let (own, others) = subscripts.split_at(own);
        return format!("{}%{}", element(unit, whole, others), with(component, own));
    }
    with(name, subscripts)
}

/// The structures of that name that `component` lies in.
fn whole(unit: &Unit, component: Sym, name: &str) -> Option<Sym> {
    let storage = unit.sym(component).storage;
    let holds = |s: Sym, of: Storage| match (storage, of) {
        (Storage::Static { area, .. }, Storage::Static { area: other, .. }) => area == other,
        (Storage::Within { root, .. }, Storage::Within { root: other, .. }) => root == other,
        (Storage::Within { root, .. }, _) => root == s,
        _ => false,
    };
    unit.syms().find(|&(s, data)| data.name == name && holds(s, data.storage)).map(|(s, _)| s)
}

/// A subscript as the source may have it.
fn subscript(unit: &Unit, e: Expr, depth: u32) -> String {
    if depth > 3 {
        return "…".to_owned();
    }
    let of = |e| subscript(unit, e, depth + 1);
    match unit.expr(e) {
        ExprData::Int(_, n) => n.to_string(),
        ExprData::Var(v) => unit.sym(v).name.clone(),
        ExprData::Convert(_, e) => of(e),
        ExprData::Binary(BinaryOp::Add, a, b) => format!("{} + {}", of(a), of(b)),
        ExprData::Binary(BinaryOp::Sub, a, b) => format!("{} - {}", of(a), of(b)),
        ExprData::Binary(BinaryOp::Mul, a, b) => format!("{} * {}", of(a), of(b)),
        ExprData::Elem(array, subscripts) if depth < 3 => text(unit, array, subscripts),
        _ => "…".to_owned(),
    }
}
