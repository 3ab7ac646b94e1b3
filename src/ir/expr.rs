//! Hash-consed, immutable expressions.
//!
//! An expression has no provenance and no side effect. Its type follows from its operands. User
//! functions are not expressions: the front end turns their calls into statements.

mod ids;

use crate::expr::ids::{Exprs, Ids};
use crate::{Expr, Intrinsic, List, Sym, Type};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;
use trueline_abi::Quad;

/// A unary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnaryOp {
    /// Negation.
    Neg,
    /// `.NOT.`
    Not,
}

/// A binary operator. Both operands have the same type (and rank, or one is a scalar).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Division; integers are truncated towards zero, and zero traps.
    Div,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `.AND.`; the right operand is not evaluated if the left is false (as gfortran does).
    And,
    /// `.OR.`; the right operand is not evaluated if the left is true.
    Or,
    Eqv,
    Neqv,
}

impl BinaryOp {
    /// Every operator.
    pub const ALL: [BinaryOp; 14] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Eqv,
        BinaryOp::Neqv,
    ];

    /// The comparison with its operands exchanged; none for other operators.
    pub fn mirrored(self) -> Option<BinaryOp> {
        Some(match self {
            BinaryOp::Eq | BinaryOp::Ne => self,
            BinaryOp::Lt => BinaryOp::Gt,
            BinaryOp::Le => BinaryOp::Ge,
            BinaryOp::Gt => BinaryOp::Lt,
            BinaryOp::Ge => BinaryOp::Le,
            _ => return None,
        })
    }

    /// Its Fortran spelling.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "/=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => ".and.",
            BinaryOp::Or => ".or.",
            BinaryOp::Eqv => ".eqv.",
            BinaryOp::Neqv => ".neqv.",
        }
    }

    /// Whether the result is a truth value of default kind whatever the operands are.
    pub fn is_comparison(self) -> bool {
        matches!(self, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
    }
}

/// The accesses that a callee may make to memory passed by reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Access {
    /// Read only.
    In,
    /// Written only (INTENT(OUT), a READ item).
    Out,
    /// Read and written.
    InOut,
    /// Written: the structure that the function gives, which comes in this way.
    Returned(crate::Returned),
}

impl Access {
    /// Whether the callee may read the memory.
    pub fn reads(self) -> bool {
        matches!(self, Access::In | Access::InOut)
    }

    /// Whether the callee may write the memory.
    pub fn writes(self) -> bool {
        self != Access::In
    }
}

/// The form of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExprData {
    /// An integer constant of an integer type.
    Int(Type, i64),
    /// A real constant: `R4` or `R8` and its bits (of an `R4` the low 32).
    Real(Type, u64),
    /// A complex constant: the bits of both parts.
    Complex(Type, u64, u64),
    /// A constant of type `R16`. One of type `C16` is `CMPLX` of two, so that constants stay small.
    Quad(Quad),
    /// A logical constant.
    Logical(Type, bool),
    /// A character constant, an index into [`ExprPool::text`]; a place that is only read.
    Text(u32),
    /// An absent argument of an array intrinsic.
    None,
    /// A scalar variable, or at VH a whole array. A place.
    Var(Sym),
    /// An element of an array; subscripts are `INTEGER(8)` scalars. A place. Legal at VH and H.
    Elem(Sym, List),
    /// The elements of an array from this one on along its first dimension, as many as a vector of the type has
    /// lanes. A place. Legal at H.
    Wide(Type, Sym, List),
    /// An array section; each subscript a scalar, a [`ExprData::Triplet`] or an array of rank one
    /// (vector subscript). A place. Legal at VH.
    Section(Sym, List),
    /// `lo : hi : step` in a section; all present, `INTEGER(8)`. Legal at VH.
    Triplet(Expr, Expr, Expr),
    /// Characters `lo` to `hi` (from 1, `INTEGER(8)`) of a place of type `CHARACTER`. A place.
    Substr(Expr, Expr, Expr),
    /// A unary operation.
    Unary(UnaryOp, Expr),
    /// A binary operation.
    Binary(BinaryOp, Expr, Expr),
    /// Conversion to a numeric or logical type, Fortran's rules (REAL to INTEGER truncates).
    Convert(Type, Expr),
    /// The same bits as another type of the same size (TRANSFER of scalars).
    Bitcast(Type, Expr),
    /// An intrinsic function.
    Intrinsic(Intrinsic, List),
    /// An array constructor of scalars and arrays, rank one. Legal at VH.
    Constructor(Type, List),
    /// The address of a place, as an argument of a call, with the accesses that the callee may make there.
    AddrOf(Access, Expr),
    /// The address of the first byte of a symbol in memory, `INTEGER(8)`. Legal at M and L.
    Addr(Sym),
    /// A load of `ty` at address `addr` + `offset` bytes from the memory of `sym`. Legal at M and L.
    Load {
        /// Type of the value.
        ty: Type,
        /// Address, `INTEGER(8)`.
        addr: Expr,
        /// Displacement in bytes.
        offset: i32,
        /// The symbol whose memory it is, for alias analysis.
        sym: Sym,
    },
    /// The address of a procedure, as an argument of a call.
    ProcAddr(crate::Proc),
    /// An address as a value (`INTEGER(8)`) of a place, legal at all levels before it is lowered: calls
    /// to the runtime take it as a plain number.
    Null,
}

impl ExprData {
    /// The constant of real type `ty` with these bits; for an `R4` the low 32.
    pub fn real_bits(ty: Type, bits: u128) -> ExprData {
        if ty == Type::R16 { ExprData::Quad(Quad::from_bits(bits)) } else { ExprData::Real(ty, bits as u64) }
    }

    /// The constant of real type `ty` that is `v`, rounded if it is of kind 4.
    pub fn real(ty: Type, v: f64) -> ExprData {
        match ty {
            Type::R16 => ExprData::Quad(v.into()),
            Type::R4 => ExprData::Real(ty, u64::from((v as f32).to_bits())),
            _ => ExprData::Real(ty, v.to_bits()),
        }
    }
}

/// The new ids of the expressions and lists that compaction keeps.
pub(crate) struct Renumbered {
    exprs: Vec<PackedOption<Expr>>,
    lists: Vec<PackedOption<List>>,
}

impl Renumbered {
    /// The new id of an expression that was kept.
    pub(crate) fn expr(&self, e: Expr) -> Expr {
        self.exprs[e.index()].expect("the expression was kept")
    }

    /// The new id of a list that was kept.
    pub(crate) fn list(&self, l: List) -> List {
        self.lists[l.index()].expect("the list was kept")
    }
}

impl ExprData {
    /// The list of operands, if it has one.
    fn lists(self) -> impl Iterator<Item = List> {
        let list = match self {
            ExprData::Elem(_, l)
            | ExprData::Wide(_, _, l)
            | ExprData::Section(_, l)
            | ExprData::Intrinsic(_, l)
            | ExprData::Constructor(_, l) => Some(l),
            _ => None,
        };
        list.into_iter()
    }

    /// The same form with other ids.
    fn renumbered(self, new: &Renumbered) -> ExprData {
        let (e, l) = (|e| new.expr(e), |l| new.list(l));
        match self {
            ExprData::Elem(s, i) => ExprData::Elem(s, l(i)),
            ExprData::Wide(ty, s, i) => ExprData::Wide(ty, s, l(i)),
            ExprData::Section(s, i) => ExprData::Section(s, l(i)),
            ExprData::Intrinsic(f, i) => ExprData::Intrinsic(f, l(i)),
            ExprData::Constructor(ty, i) => ExprData::Constructor(ty, l(i)),
            ExprData::Triplet(a, b, c) => ExprData::Triplet(e(a), e(b), e(c)),
            ExprData::Substr(a, b, c) => ExprData::Substr(e(a), e(b), e(c)),
            ExprData::Unary(op, a) => ExprData::Unary(op, e(a)),
            ExprData::Binary(op, a, b) => ExprData::Binary(op, e(a), e(b)),
            ExprData::Convert(ty, a) => ExprData::Convert(ty, e(a)),
            ExprData::Bitcast(ty, a) => ExprData::Bitcast(ty, e(a)),
            ExprData::AddrOf(access, a) => ExprData::AddrOf(access, e(a)),
            ExprData::Load { ty, addr, offset, sym } => ExprData::Load { ty, addr: e(addr), offset, sym },
            ExprData::Int(..)
            | ExprData::Real(..)
            | ExprData::Complex(..)
            | ExprData::Quad(_)
            | ExprData::Logical(..)
            | ExprData::Text(_)
            | ExprData::None
            | ExprData::Null
            | ExprData::Var(_)
            | ExprData::Addr(_)
            | ExprData::ProcAddr(_) => self,
        }
    }
}

/// The pool of a unit's expressions.
#[derive(Clone)]
pub struct ExprPool {
    exprs: Exprs,
    ids: Ids,
    lists: PrimaryMap<List, Box<[Expr]>>,
    list_ids: FxHashMap<Box<[Expr]>, List>,
    texts: Vec<Box<[u8]>>,
    text_ids: FxHashMap<Box<[u8]>, u32>,
}

impl Default for ExprPool {
    fn default() -> ExprPool {
        ExprPool {
            exprs: PrimaryMap::new(),
            ids: Ids::default(),
            lists: PrimaryMap::new(),
            list_ids: FxHashMap::default(),
            texts: Vec::new(),
            text_ids: FxHashMap::default(),
        }
    }
}

impl ExprPool {
    /// The form of `e`.
    pub fn data(&self, e: Expr) -> ExprData {
        self.exprs[e].0
    }

    /// The type of `e` (of its elements).
    pub fn ty(&self, e: Expr) -> Type {
        self.exprs[e].1
    }

    /// The rank of `e`: 0 for a scalar. Always 0 below VH.
    pub fn rank(&self, e: Expr) -> u8 {
        self.exprs[e].2
    }

    /// Gives back memory that the pool holds for growth.
    pub(crate) fn shrink(&mut self) {
        self.exprs.shrink_to_fit();
        self.lists.shrink_to_fit();
        self.list_ids.shrink_to_fit();
    }

    /// Keeps the expressions `roots` and the lists `lists` with their operands, numbered anew in their old order, and forgets the others.
    pub(crate) fn compact(&mut self, roots: &[Expr], lists: &[List]) -> Renumbered {
        let mut keeps = vec![false; self.exprs.len()];
        roots.iter().for_each(|&e| keeps[e.index()] = true);
        lists.iter().for_each(|&l| self.lists[l].iter().for_each(|&e| keeps[e.index()] = true));
        let mut new =
            Renumbered { exprs: vec![None.into(); self.exprs.len()], lists: vec![None.into(); self.lists.len()] };
        lists.iter().for_each(|&l| new.lists[l.index()] = l.into());
        for e in self.all().rev() {
            if keeps[e.index()] {
                self.operands(e, |x| keeps[x.index()] = true);
                self.data(e).lists().for_each(|l| new.lists[l.index()] = l.into());
            }
        }
        let kept = self.all().filter(|e| keeps[e.index()]);
        kept.enumerate().for_each(|(i, e)| new.exprs[e.index()] = Expr::new(i).into());
        let used = new.lists.iter_mut().filter(|l| l.is_some());
        used.enumerate().for_each(|(i, l)| *l = List::new(i).into());
        let mut items = PrimaryMap::new();
        for (l, old) in self.lists.iter().filter(|(l, _)| new.lists[l.index()].is_some()) {
            let at = items.push(old.iter().map(|&e| new.expr(e)).collect());
            debug_assert_eq!(at, new.list(l));
        }
        let mut exprs = PrimaryMap::new();
        for (e, &(data, ty, rank)) in self.exprs.iter().filter(|(e, _)| keeps[e.index()]) {
            let at = exprs.push((data.renumbered(&new), ty, rank));
            debug_assert_eq!(at, new.expr(e));
        }
        (self.exprs, self.lists) = (exprs, items);
        self.shrink();
        (self.ids, self.list_ids) = Default::default();
        new
    }

    /// Finds the ids by value again, if compaction forgot them.
    fn reopen(&mut self) {
        if self.ids.is_empty() && !self.exprs.is_empty() {
            self.ids = Ids::of(&self.exprs);
        }
        if self.list_ids.is_empty() && !self.lists.is_empty() {
            self.list_ids.extend(self.lists.iter().map(|(l, items)| (items.clone(), l)));
        }
    }

    /// The members of a list.
    pub fn list(&self, l: List) -> &[Expr] {
        &self.lists[l]
    }

    /// A character constant.
    pub fn text(&self, i: u32) -> &[u8] {
        &self.texts[i as usize]
    }

    /// The number of expressions; ids below it are valid, and operands have smaller ids.
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Whether there is no expression.
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// The list of `items`.
    pub fn intern_list(&mut self, items: &[Expr]) -> List {
        self.reopen();
        if let Some(&id) = self.list_ids.get(items) {
            return id;
        }
        let id = self.lists.push(items.into());
        self.list_ids.insert(items.into(), id);
        id
    }

    /// The index of a character constant.
    pub fn intern_text(&mut self, text: &[u8]) -> u32 {
        if let Some(&id) = self.text_ids.get(text) {
            return id;
        }
        let id = u32::try_from(self.texts.len()).expect("fewer than 2^32 character constants");
        self.texts.push(text.into());
        self.text_ids.insert(text.into(), id);
        id
    }

    /// The expression that is `data`; `ty` and `rank` must be as [`crate::Unit`] computes them.
    pub(crate) fn intern(&mut self, data: ExprData, ty: Type, rank: u8) -> Expr {
        self.reopen();
        self.ids.intern(&mut self.exprs, data, ty, rank)
    }

    /// The direct operands of `e`, in order.
    pub fn operands(&self, e: Expr, mut each: impl FnMut(Expr)) {
        match self.data(e) {
            ExprData::Int(..)
            | ExprData::Real(..)
            | ExprData::Complex(..)
            | ExprData::Quad(_)
            | ExprData::Logical(..)
            | ExprData::Text(_)
            | ExprData::None
            | ExprData::Null
            | ExprData::Var(_)
            | ExprData::Addr(_)
            | ExprData::ProcAddr(_) => {}
            ExprData::Elem(_, l)
            | ExprData::Wide(_, _, l)
            | ExprData::Section(_, l)
            | ExprData::Intrinsic(_, l)
            | ExprData::Constructor(_, l) => self.list(l).iter().copied().for_each(each),
            ExprData::Triplet(a, b, c) | ExprData::Substr(a, b, c) => [a, b, c].into_iter().for_each(each),
            ExprData::Unary(_, a)
            | ExprData::Convert(_, a)
            | ExprData::Bitcast(_, a)
            | ExprData::AddrOf(_, a)
            | ExprData::Load { addr: a, .. } => each(a),
            ExprData::Binary(_, a, b) => [a, b].into_iter().for_each(each),
        }
    }

    /// Whether `e` is a constant.
    pub fn is_constant(&self, e: Expr) -> bool {
        matches!(
            self.data(e),
            ExprData::Int(..)
                | ExprData::Real(..)
                | ExprData::Complex(..)
                | ExprData::Quad(_)
                | ExprData::Logical(..)
                | ExprData::Text(_)
        )
    }

    /// The value of an integer constant.
    pub fn as_int(&self, e: Expr) -> Option<i64> {
        match self.data(e) {
            ExprData::Int(_, v) => Some(v),
            _ => None,
        }
    }

    /// Every expression in the order of making.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = Expr> + use<> {
        (0..self.exprs.len()).map(Expr::new)
    }
}
