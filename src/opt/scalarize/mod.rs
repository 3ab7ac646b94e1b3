//! Array statements become loops (VH to H).
//!
//! ```text
//! a(2:n) = b(1:n-1) + sum(c)   @5        s = 0                        @5
//!                                        do j = 1, m                  @5
//!                                          s = s + c(j)               @5
//!                                        end
//!                                  =>    do i = 2, n                  @5
//!                                          a(i) = b(i - 1) + s        @5
//!                                        end
//! where (a > 0) b = 1 / a      @7,@8     do i = 1, n                  @7
//!                                          if (a(i) > 0)              @7
//!                                            b(i) = 1 / a(i)          @8
//! ```
//!
//! Everything made from a statement is expand Lower of it: it has that statement's set (docs/provenance.md, rows
//! 19-22). Loops run in array element order, the leftmost subscript innermost. The right side is stored
//! to a temporary first only if an element that the loops have written could be read by a later
//! iteration, in either direction of the loops (`overlap`).
//!
//! The files: `assign` array assignments, `masked` WHERE, `forall` and `forall_stored` FORALL; `prepare` brings an
//! expression into a form whose elements can be computed one by one, with `reduce` and `rearrange` for the functions
//! that need loops of their own; `element` makes an element of an expression; `overlap` decides on temporaries;
//! `linear` simplifies subscripts.

mod assign;
mod element;
mod forall;
mod forall_stored;
mod masked;
mod overlap;
mod prepare;
mod rearrange;
mod reduce;
mod temporaries;
#[cfg(test)]
mod tests;

use crate::linear::{difference, is_integer, product};
use crate::{Context, OptLevel, Pass};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_ir::{
    Access, BinaryOp, Block, Callee, Dim, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Level, Mapping, Place,
    Rt, Stmt, Storage, Sym, SymData, Type, UnaryOp, Why,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    at: &[Level::Vh],
    from: OptLevel::O0,
    lowers_to: Some(Level::H),
    ..Pass::new("scalarize", "turn array assignments, WHERE and FORALL into loops", run)
};

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    if context.hpf {
        temporaries::map(ed);
    }
    for s in ed.walk() {
        if ed.parent(s).is_none() {
            continue; // Was part of a WHERE or FORALL.
        }
        let head = ed.head(s);
        let at = Place::Before(s);
        let mut low = Lowering { ed, context, from: s, at, ready: FxHashMap::default(), frees: Vec::new() };
        match head {
            Head::ArrayAssign { place, value } => {
                let before = low.ed.prev(s);
                low.array_assign(place, value, None);
                // An array without elements leaves nothing.
                match low.ed.prev(s) == before {
                    true => low.ed.eliminate(s, Why::Dead),
                    false => low.ed.expanded(s),
                }
            }
            Head::Where { .. } => low.where_statement(s),
            Head::Forall { .. } => low.forall_statement(s),
            _ => low.scalar_statement(s, head),
        }
    }
    ed.lower_to(Level::H);
}

/// The largest temporary that goes on the stack, in bytes.
const FRAME_LIMIT: i64 = 64 * 1024;

/// One dimension of an iteration space: a loop from `lo` to `hi` by one, both simple.
#[derive(Clone, Copy, Debug)]
struct Axis {
    lo: Expr,
    hi: Expr,
}

/// The statement being lowered, and where its code goes.
struct Lowering<'e, 'u, 'c> {
    ed: &'e mut Editor<'u>,
    context: &'c Context<'c>,
    /// The statement that all emitted statements are expanded from.
    from: Stmt,
    /// The place of the next statement.
    at: Place,
    /// Expressions already prepared, as long as no memory has changed.
    ready: FxHashMap<Expr, Expr>,
    /// Addresses of temporaries to be freed.
    frees: Vec<Sym>,
}

/// Emitting statements.
impl Lowering<'_, '_, '_> {
    fn emit(&mut self, head: Head) -> Stmt {
        self.ed.expand(self.from, head, self.at, ExpandKind::Lower)
    }

    /// `v = value`.
    fn set(&mut self, v: Sym, value: Expr) {
        let place = self.ed.var(v);
        self.emit(Head::Assign { place, value });
    }

    /// A new register with the value `e`.
    fn register(&mut self, name: &str, e: Expr) -> Sym {
        let v = self.ed.new_register(name, self.ed.ty(e));
        self.set(v, e);
        v
    }

    /// `e`, evaluated here: itself if it is a sum of constants and registers, else a new register.
    fn simple(&mut self, e: Expr) -> Expr {
        if is_simple(self.ed, e) {
            return e;
        }
        let v = self.register("t", e);
        self.ed.var(v)
    }

    /// `e` as the bound of an array, which must be a constant or a register.
    fn bound(&mut self, e: Expr) -> Expr {
        if self.ed.pool().is_constant(e) {
            return e;
        }
        let v = self.register("t", e);
        self.ed.var(v)
    }

    /// Opens a block of a statement with `head`; statements go there until `self.at` is set back.
    fn open(&mut self, head: Head) -> Block {
        let s = self.emit(head);
        let b = self.ed.blocks(s)[0];
        self.at = Place::End(b);
        b
    }

    /// Opens the loops over `axes`, the last outermost; returns the ordinal (from 0) along each.
    fn open_nest(&mut self, axes: &[Axis]) -> SmallVec<[Expr; 4]> {
        let vars: SmallVec<[Sym; 4]> = axes.iter().map(|_| self.ed.new_register("i", Type::I8)).collect();
        self.open_planned(axes, &vars, &[]);
        (0..axes.len())
            .map(|d| {
                let var = self.ed.var(vars[d]);
                difference(self.ed, var, axes[d].lo)
            })
            .collect()
    }

    /// As [`Lowering::open_nest`], with the variables given; loop `d` runs down if `down[d]`.
    fn open_planned(&mut self, axes: &[Axis], vars: &[Sym], down: &[bool]) {
        for (d, axis) in axes.iter().enumerate().rev() {
            let down = down.get(d).copied().unwrap_or(false);
            let step = self.ed.int(Type::I8, if down { -1 } else { 1 });
            let (lo, hi) = if down { (axis.hi, axis.lo) } else { (axis.lo, axis.hi) };
            self.open(Head::Do { var: vars[d], lo, hi, step });
        }
    }

    /// `place = value`, elements. Characters are assigned by the runtime; a MERGE of them is an IF.
    fn assign(&mut self, place: Expr, value: Expr) {
        if self.ed.ty(place) != Type::Char {
            self.emit(Head::Assign { place, value });
            return;
        }
        if let ExprData::Intrinsic(Intrinsic::Merge, l) = self.ed.expr(value) {
            let [yes, no, cond] = *self.ed.list(l) else { unreachable!("MERGE has three arguments") };
            let at = self.at;
            let s = self.emit(Head::If { cond });
            let [then, otherwise] = *self.ed.blocks(s) else { unreachable!("IF has two blocks") };
            self.at = Place::End(then);
            self.assign(place, yes);
            self.at = Place::End(otherwise);
            self.assign(place, no);
            self.at = at;
            return;
        }
        let (to_len, from_len) = (self.char_len(place), self.char_len(value));
        let to = self.ed.make(ExprData::AddrOf(Access::Out, place));
        let from = self.ed.make(ExprData::AddrOf(Access::In, value));
        let args = self.ed.make_list(&[to, to_len, from, from_len]);
        self.emit(Head::Call { callee: Callee::Rt(Rt::CharAssign), args, result: None.into() });
    }

    /// The length of a place of type `CHARACTER`.
    fn char_len(&mut self, place: Expr) -> Expr {
        let one = self.ed.int(Type::I8, 1);
        match self.ed.expr(place) {
            ExprData::Text(i) => {
                let len = self.ed.pool().text(i).len() as i64;
                self.ed.int(Type::I8, len)
            }
            ExprData::Var(v) | ExprData::Elem(v, _) | ExprData::Section(v, _) => {
                self.ed.sym(v).len.expand().unwrap_or(one)
            }
            ExprData::Substr(_, lo, hi) => {
                let zero = self.ed.int(Type::I8, 0);
                let len = difference(self.ed, hi, lo);
                let len = crate::linear::add_scaled(self.ed, len, one, 1);
                match self.ed.pool().as_int(len) {
                    Some(n) => self.ed.int(Type::I8, n.max(0)),
                    None => self.ed.intrinsic(Intrinsic::Max, &[len, zero]),
                }
            }
            ExprData::Intrinsic(_, l) | ExprData::Constructor(_, l) => {
                let first = self.ed.list(l).first().copied();
                first.map_or(one, |e| self.char_len(e))
            }
            _ => one,
        }
    }
}

/// Temporaries.
impl Lowering<'_, '_, '_> {
    /// The number of elements along `axis`, which can be negative for none.
    fn extent(&mut self, axis: Axis) -> Expr {
        let n = difference(self.ed, axis.hi, axis.lo);
        let one = self.ed.int(Type::I8, 1);
        crate::linear::add_scaled(self.ed, n, one, 1)
    }

    /// As [`Lowering::extent`], never negative.
    fn size_along(&mut self, axis: Axis) -> Expr {
        let n = self.extent(axis);
        match self.ed.pool().as_int(n) {
            Some(n) => self.ed.int(Type::I8, n.max(0)),
            None => {
                let zero = self.ed.int(Type::I8, 0);
                self.ed.intrinsic(Intrinsic::Max, &[n, zero])
            }
        }
    }

    /// The number of elements of the iteration space.
    fn size(&mut self, axes: &[Axis]) -> Expr {
        let mut total = self.ed.int(Type::I8, 1);
        for &axis in axes {
            let n = self.size_along(axis);
            total = product(self.ed, total, n);
        }
        total
    }

    /// A temporary array like `like` with the bounds of `axes`: on the stack if it is small, else
    /// allocated; [`Lowering::free_to`] gives it back.
    fn temporary(&mut self, like: Expr, axes: &[Axis]) -> Sym {
        self.temporary_beside(like, axes, None)
    }

    /// A temporary as [`Lowering::temporary`] makes it. On ranks its elements are where those of the first mapped array in `beside` are, since its
    /// subscripts are mostly that array's.
    fn temporary_beside(&mut self, like: Expr, axes: &[Axis], beside: Option<Expr>) -> Sym {
        let ty = self.ed.ty(like);
        let is_shared = self.context.hpf && ty != Type::Char;
        let mapping = beside.filter(|_| is_shared).and_then(|e| mapping_in(self.ed, e, axes.len()));
        let dims = axes.iter().map(|&a| self.temporary_dim(a)).collect();
        let (len, item) = if ty == Type::Char {
            let len = self.char_len(like);
            let len = self.bound(len);
            (Some(len), len)
        } else {
            (None, self.ed.int(Type::I8, ty.size() as i64))
        };
        let count = self.size(axes);
        let bytes = product(self.ed, count, item);
        // Without elements along one axis there are no elements at all, whatever the bounds of the others.
        let fixed = axes.iter().all(|&a| {
            let n = self.extent(a);
            self.ed.pool().is_constant(n)
        });
        let storage = match self.ed.pool().as_int(bytes) {
            Some(n) if fixed && n <= FRAME_LIMIT => Storage::Frame,
            _ => self.allocate(bytes),
        };
        let name = format!("temp.{}", self.ed.syms().count());
        self.ed.new_sym(SymData {
            len: len.into(),
            dims,
            mapping: mapping.into(),
            ..SymData::scalar(name, ty, storage)
        })
    }

    /// The bounds of `axis`; from 1 if they are not constant, but the extent is.
    fn temporary_dim(&mut self, axis: Axis) -> Dim {
        let n = self.extent(axis);
        let constant = |e: Expr| self.ed.pool().is_constant(e);
        if !(constant(axis.lo) && constant(axis.hi)) && constant(n) {
            let one = self.ed.int(Type::I8, 1);
            return Dim::new(one, n);
        }
        Dim::new(self.bound(axis.lo), self.bound(axis.hi))
    }

    fn allocate(&mut self, bytes: Expr) -> Storage {
        let bytes = self.bound(bytes);
        let base = self.ed.new_register("base", Type::I8);
        let location = self.location();
        let args = self.ed.make_list(&[bytes, location]);
        self.emit(Head::Call { callee: Callee::Rt(Rt::Allocate), args, result: base.into() });
        self.frees.push(base);
        Storage::Pointer { base }
    }

    /// `file:line` of the statement, NUL-terminated, as an argument.
    fn location(&mut self) -> Expr {
        let origin = self.ed.sources(self.from).next();
        let text = origin.and_then(|o| self.context.location(o)).unwrap_or_default();
        let text = self.ed.make_text(format!("{text}\0").as_bytes());
        self.ed.make(ExprData::AddrOf(Access::In, text))
    }

    /// Frees the temporaries made since there were `mark` of them.
    fn free_to(&mut self, mark: usize) {
        for base in self.frees.split_off(mark).into_iter().rev() {
            let base = self.ed.var(base);
            let args = self.ed.make_list(&[base]);
            self.emit(Head::Call { callee: Callee::Rt(Rt::Deallocate), args, result: None.into() });
        }
    }
}

/// The mapping of the first array in `e` that has this rank and owners which are known where the unit is compiled.
fn mapping_in(ed: &Editor<'_>, e: Expr, rank: usize) -> Option<Mapping> {
    let mut found = None;
    ed.visit_expr(e, &mut |x| {
        let mapping = overlap::base_of(ed, x).and_then(|s| ed.sym(s).mapping.expand());
        let fits = |m: &Mapping| ed.mapping(*m).axes.len() == rank && !ed.mapping(*m).dynamic;
        found = found.or(mapping.filter(fits));
    });
    found
}

/// Whether `e` is a sum or product of constants and registers.
fn is_simple(ed: &Editor<'_>, e: Expr) -> bool {
    let mut simple = true;
    ed.visit_expr(e, &mut |x| {
        simple &= match ed.expr(x) {
            ExprData::Int(..) => true,
            ExprData::Var(v) => ed.sym(v).is_register(),
            ExprData::Unary(UnaryOp::Neg, _)
            | ExprData::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..)
            | ExprData::Convert(..) => is_integer(ed.ty(x)),
            _ => false,
        }
    });
    simple
}
