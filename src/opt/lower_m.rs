//! Lower H to M: make addresses explicit.
//!
//! ```text
//! x = a(i,j) + 1.0      @3          x = load r8 [&a + j*800 + i*8 - 808] + 1.0      @3
//! call f(n)             @4    =>    [&slot] = n                                     @4
//!                                   call f(address of slot)                         @4
//!                                   n = load i4 [&slot]                             @4
//! ```
//!
//! An element's address is the sum of the array's address, one term for each subscript (the slowest first, so that the
//! terms that are invariant in the inner loop stand together) and a constant displacement. Static symbols are addressed
//! from the start of their area: all arrays of a COMMON block then share one pointer in a loop, which is worth up to 2x
//! (register pressure).
//!
//! A register passed by reference is stored to a slot before the call and loaded back after it. Elsewhere the local
//! scalar lives in a machine register: Fortran forbids the callee to keep the address.

use crate::{Context, OptLevel, Pass};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_ir::{
    Access, Area, BinaryOp, Editor, ExpandKind, Expr, ExprData, ExprMap, Head, Intent, Level, Place, Stmt, Storage,
    Sym, SymData, Type, UnaryOp, Why,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O0,
    lowers_to: Some(Level::M),
    ..Pass::new("lower_m", "make addresses explicit (H to M)", run)
};

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let mut lower = Lower { slots: FxHashMap::default(), anchors: FxHashMap::default() };
    for s in ed.walk() {
        lower.stmt(ed, s);
    }
    ed.lower_to(Level::M);
}

/// The symbols made so far.
struct Lower {
    /// The stack slot of a register that is passed by reference.
    slots: FxHashMap<Sym, Sym>,
    /// The symbol that stands for the start of a static area.
    anchors: FxHashMap<Area, Sym>,
}

/// An address: `addr + offset` into the memory of `sym`.
#[derive(Clone, Copy)]
struct Address {
    addr: Expr,
    offset: i32,
    sym: Sym,
}

impl Lower {
    fn stmt(&mut self, ed: &mut Editor<'_>, s: Stmt) {
        let head = ed.head(s);
        let new = match head {
            Head::Assign { place, value } => {
                let value = self.value(ed, value);
                match self.memory(ed, place) {
                    Some(a) => Head::Store { addr: a.addr, offset: a.offset, value, sym: a.sym },
                    None => Head::Assign { place, value },
                }
            }
            Head::Call { callee, args, result } => {
                let args: SmallVec<[Expr; 8]> = ed.list(args).iter().copied().collect();
                let args: SmallVec<[Expr; 8]> = args.into_iter().map(|a| self.argument(ed, s, a)).collect();
                Head::Call { callee, args: ed.make_list(&args), result }
            }
            Head::GhostCall { callee, args, result } => {
                let args: SmallVec<[Expr; 8]> = ed.list(args).iter().copied().collect();
                let args: SmallVec<[Expr; 8]> = args.into_iter().map(|a| self.argument(ed, s, a)).collect();
                Head::GhostCall { callee, args: ed.make_list(&args), result }
            }
            Head::GhostStore { place, value } => {
                let value = self.value(ed, value);
                Head::GhostStore { place: self.place(ed, place), value }
            }
            other => self.map(ed, other),
        };
        ed.expand_in_place(s, new);
    }

    /// An argument of the call `s`; registers passed by reference go through their slot.
    fn argument(&mut self, ed: &mut Editor<'_>, s: Stmt, arg: Expr) -> Expr {
        let ExprData::AddrOf(access, place) = ed.expr(arg) else { return self.value(ed, arg) };
        let ExprData::Var(v) = ed.expr(place) else {
            let place = self.place(ed, place);
            return ed.make(ExprData::AddrOf(access, place));
        };
        if !ed.sym(v).is_register() {
            let place = self.place(ed, place);
            return ed.make(ExprData::AddrOf(access, place));
        }
        let slot = self.slot(ed, v);
        let addr = ed.make(ExprData::Addr(slot));
        let load = ed.make(ExprData::Load { ty: ed.sym(v).ty, addr, offset: 0, sym: slot });
        // Stored even when the access is Out: a callee may leave the variable as it was.
        let value = ed.var(v);
        if ed.head(s).is_invisible() {
            ed.null(Head::GhostStore { place: load, value }, Place::Before(s), Why::Shadow);
            return ed.make(ExprData::AddrOf(access, load));
        }
        let store = Head::Store { addr, offset: 0, value, sym: slot };
        ed.expand(s, store, Place::Before(s), ExpandKind::Lower);
        if access != Access::In && !trueline_ir::fault("lower_argument") {
            ed.expand(s, Head::Assign { place: value, value: load }, Place::After(s), ExpandKind::Lower);
        }
        ed.make(ExprData::AddrOf(access, load))
    }

    fn slot(&mut self, ed: &mut Editor<'_>, v: Sym) -> Sym {
        if let Some(&slot) = self.slots.get(&v) {
            return slot;
        }
        let data = SymData {
            name: format!("slot.{}", ed.sym(v).name),
            storage: Storage::Frame,
            intent: Intent::Unknown,
            from_source: false,
            mapping: None.into(),
            owner: None.into(),
            is_loaded: false,
            ..ed.sym(v).clone()
        };
        let slot = ed.new_sym(data);
        self.slots.insert(v, slot);
        slot
    }

    fn map(&mut self, ed: &mut Editor<'_>, head: Head) -> Head {
        let mut places: Vec<(Expr, Expr)> = Vec::new();
        for e in ed.values(head) {
            let new = self.value(ed, e);
            places.push((e, new));
        }
        ed.map_head(head, &mut |_, e| places.iter().find(|(old, _)| *old == e).map(|(_, new)| *new))
    }

    /// `e` with every reference to memory made a load.
    fn value(&mut self, ed: &mut Editor<'_>, e: Expr) -> Expr {
        let mut memo = ExprMap::default();
        self.value_memo(ed, e, &mut memo)
    }

    fn value_memo(&mut self, ed: &mut Editor<'_>, e: Expr, memo: &mut ExprMap<Expr>) -> Expr {
        if let Some(done) = memo.get(e) {
            return done;
        }
        let new = match ed.expr(e) {
            ExprData::Var(_) | ExprData::Elem(..) | ExprData::Wide(..) | ExprData::Substr(..) => self.place(ed, e),
            ExprData::AddrOf(access, place) => {
                let place = self.place(ed, place);
                ed.make(ExprData::AddrOf(access, place))
            }
            ExprData::Unary(op, a) => {
                let a = self.value_memo(ed, a, memo);
                ed.make(ExprData::Unary(op, a))
            }
            ExprData::Convert(ty, a) => {
                let a = self.value_memo(ed, a, memo);
                ed.make(ExprData::Convert(ty, a))
            }
            ExprData::Bitcast(ty, a) => {
                let a = self.value_memo(ed, a, memo);
                ed.make(ExprData::Bitcast(ty, a))
            }
            ExprData::Binary(op, a, b) => {
                let (a, b) = (self.value_memo(ed, a, memo), self.value_memo(ed, b, memo));
                ed.make(ExprData::Binary(op, a, b))
            }
            ExprData::Intrinsic(i, l) => {
                let args: SmallVec<[Expr; 4]> = ed.list(l).iter().copied().collect();
                let args: SmallVec<[Expr; 4]> = args.into_iter().map(|a| self.value_memo(ed, a, memo)).collect();
                let l = ed.make_list(&args);
                ed.make(ExprData::Intrinsic(i, l))
            }
            _ => e,
        };
        memo.insert(e, new);
        new
    }

    /// A place as a load (which under `AddrOf` stands for its address); registers stay.
    fn place(&mut self, ed: &mut Editor<'_>, place: Expr) -> Expr {
        let ty = ed.ty(place);
        match self.memory(ed, place) {
            Some(a) => ed.make(ExprData::Load { ty, addr: a.addr, offset: a.offset, sym: a.sym }),
            None => place,
        }
    }

    /// The address of a place in memory; none for a register (or a character constant).
    fn memory(&mut self, ed: &mut Editor<'_>, place: Expr) -> Option<Address> {
        match ed.expr(place) {
            ExprData::Var(v) if ed.sym(v).is_register() => None,
            ExprData::Var(v) => Some(self.address(ed, v, Sum::default())),
            ExprData::Elem(v, subs) | ExprData::Wide(_, v, subs) => {
                let subs: SmallVec<[Expr; 4]> = ed.list(subs).iter().copied().collect();
                let index = self.index(ed, v, &subs);
                Some(self.address(ed, v, index))
            }
            ExprData::Substr(base, lo, _) => {
                let base = self.memory(ed, base)?;
                let mut sum = Sum { constant: -1, ..Sum::default() };
                let lo = self.value(ed, lo);
                sum.add(ed, lo, 1);
                Some(finish(ed, base, sum))
            }
            _ => None,
        }
    }

    /// The byte offset of an element from the start of its array.
    fn index(&mut self, ed: &mut Editor<'_>, v: Sym, subs: &[Expr]) -> Sum {
        let dims = ed.sym(v).dims.clone();
        let (size, len) = (ed.sym(v).ty.size() as i64, ed.sym(v).len.expand());
        let mut stride = Stride { constant: size, factors: SmallVec::new() };
        if let Some(len) = len {
            stride.multiply(ed, len);
        }
        let mut terms = Vec::with_capacity(subs.len());
        for (k, (&sub, dim)) in subs.iter().zip(&dims).enumerate() {
            let sub = self.value(ed, sub);
            if let Some(bytes) = dim.stride.expand() {
                stride = Stride { constant: 1, factors: SmallVec::new() };
                stride.multiply(ed, bytes);
            }
            terms.push((sub, dim.lower, stride.clone()));
            if let Some(upper) = dim.upper.expand()
                && k + 1 < subs.len()
            {
                let extent = extent(ed, dim.lower, upper);
                stride.multiply(ed, extent);
            }
        }
        let mut sum = Sum::default();
        for (sub, lower, stride) in terms.into_iter().rev() {
            sum.add_scaled(ed, sub, 1, &stride);
            sum.add_scaled(ed, lower, -1, &stride);
        }
        sum
    }

    /// The address of `sum` bytes into the memory of `v`.
    fn address(&mut self, ed: &mut Editor<'_>, v: Sym, mut sum: Sum) -> Address {
        let mut whole = v;
        if let Storage::Within { root, offset } = ed.sym(v).storage {
            sum.constant += offset as i64;
            whole = root;
        }
        let addr = match ed.sym(whole).storage {
            Storage::Pointer { base } => ed.var(base),
            Storage::Static { area, offset } => {
                sum.constant += offset as i64;
                let anchor = self.anchor(ed, area);
                ed.make(ExprData::Addr(anchor))
            }
            _ => ed.make(ExprData::Addr(whole)),
        };
        finish(ed, Address { addr, offset: 0, sym: v }, sum)
    }

    fn anchor(&mut self, ed: &mut Editor<'_>, area: Area) -> Sym {
        if let Some(&sym) = self.anchors.get(&area) {
            return sym;
        }
        let sym = ed.new_sym(SymData::scalar(
            format!("area.{}", ed.area(area).symbol),
            Type::I1,
            Storage::Static { area, offset: 0 },
        ));
        self.anchors.insert(area, sym);
        sym
    }
}

/// `base` plus `sum`, the constant part in the displacement as far as it fits.
fn finish(ed: &mut Editor<'_>, base: Address, sum: Sum) -> Address {
    let mut addr = base.addr;
    for (term, factor) in sum.terms {
        let scaled = scale(ed, term, factor);
        addr = ed.binary(BinaryOp::Add, addr, scaled);
    }
    let offset = i64::from(base.offset) + sum.constant;
    match i32::try_from(offset) {
        Ok(offset) => Address { addr, offset, sym: base.sym },
        Err(_) => {
            let constant = ed.int(Type::I8, offset);
            Address { addr: ed.binary(BinaryOp::Add, addr, constant), offset: 0, sym: base.sym }
        }
    }
}

fn scale(ed: &mut Editor<'_>, e: Expr, factor: i64) -> Expr {
    if factor == 1 {
        return e;
    }
    let factor = ed.int(Type::I8, factor);
    ed.binary(BinaryOp::Mul, e, factor)
}

/// `upper - lower + 1`.
fn extent(ed: &mut Editor<'_>, lower: Expr, upper: Expr) -> Expr {
    match (ed.pool().as_int(lower), ed.pool().as_int(upper)) {
        (Some(l), Some(u)) => ed.int(Type::I8, (u - l + 1).max(0)),
        (Some(1), None) => upper,
        _ => {
            let diff = ed.binary(BinaryOp::Sub, upper, lower);
            let one = ed.int(Type::I8, 1);
            ed.binary(BinaryOp::Add, diff, one)
        }
    }
}

/// The distance in bytes between neighbours in a dimension.
#[derive(Clone)]
struct Stride {
    constant: i64,
    factors: SmallVec<[Expr; 2]>,
}

impl Stride {
    fn multiply(&mut self, ed: &Editor<'_>, by: Expr) {
        match ed.pool().as_int(by) {
            Some(k) => self.constant = self.constant.wrapping_mul(k),
            None => self.factors.push(by),
        }
    }
}

/// A sum of `INTEGER(8)` terms with constant factors, in the order of their making.
#[derive(Clone, Default)]
struct Sum {
    constant: i64,
    terms: Vec<(Expr, i64)>,
}

impl Sum {
    /// Adds `e * factor`, taking sums, differences and products with constants apart.
    fn add(&mut self, ed: &mut Editor<'_>, e: Expr, factor: i64) {
        let pool = ed.pool();
        match ed.expr(e) {
            ExprData::Int(_, k) => self.constant = self.constant.wrapping_add(k.wrapping_mul(factor)),
            ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                self.add(ed, a, factor);
                self.add(ed, b, if op == BinaryOp::Add { factor } else { factor.wrapping_neg() });
            }
            ExprData::Binary(BinaryOp::Mul, a, b) => match (pool.as_int(a), pool.as_int(b)) {
                (Some(k), _) => self.add(ed, b, factor.wrapping_mul(k)),
                (_, Some(k)) => self.add(ed, a, factor.wrapping_mul(k)),
                _ => self.term(e, factor),
            },
            ExprData::Unary(UnaryOp::Neg, a) => self.add(ed, a, factor.wrapping_neg()),
            // Subscript arithmetic in a narrower type does not overflow in a correct program.
            ExprData::Convert(Type::I8, a) => self.add_widened(ed, e, a, factor),
            _ => self.term(e, factor),
        }
    }

    fn add_widened(&mut self, ed: &mut Editor<'_>, whole: Expr, inner: Expr, factor: i64) {
        match widened(ed, inner) {
            Some(wide) => self.add(ed, wide, factor),
            None => self.term(whole, factor),
        }
    }

    fn add_scaled(&mut self, ed: &mut Editor<'_>, e: Expr, sign: i64, stride: &Stride) {
        let factor = sign.wrapping_mul(stride.constant);
        if stride.factors.is_empty() {
            return self.add(ed, e, factor);
        }
        let mut inner = Sum::default();
        inner.add(ed, e, 1);
        let product = stride.factors.iter().copied().reduce(|a, b| ed.binary(BinaryOp::Mul, a, b));
        let Some(product) = product else { return };
        for (term, k) in inner.terms {
            let scaled = ed.binary(BinaryOp::Mul, term, product);
            self.term(scaled, factor.wrapping_mul(k));
        }
        if inner.constant != 0 {
            self.term(product, factor.wrapping_mul(inner.constant));
        }
    }

    fn term(&mut self, e: Expr, factor: i64) {
        match self.terms.iter_mut().find(|(x, _)| *x == e) {
            Some((_, f)) => *f = f.wrapping_add(factor),
            None => self.terms.push((e, factor)),
        }
        self.terms.retain(|(_, f)| *f != 0);
    }
}

/// Arithmetic of a narrower type as one of `INTEGER(8)` with operands that are widened.
pub(crate) fn widened(ed: &mut Editor<'_>, e: Expr) -> Option<Expr> {
    if !matches!(ed.ty(e), Type::I1 | Type::I2 | Type::I4) {
        return None;
    }
    match ed.expr(e) {
        ExprData::Int(_, k) => Some(ed.int(Type::I8, k)),
        ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
            let (a, b) = (ed.widen(a), ed.widen(b));
            Some(ed.binary(op, a, b))
        }
        _ => None,
    }
}
