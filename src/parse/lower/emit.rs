//! Making IR: expressions with the little folding that keeps VH readable, statements at a cursor, and
//! temporaries that live for one source statement.
//!
//! **Invariant:** every statement pushed carries the set of the source statement being lowered
//! ([`Emit::set_source`]); nothing here chooses a set.
//!
//! Only integer arithmetic and conversions of constants are folded: it gives subscripts, extents and
//! steps the form that dependence analysis reads. Everything else is the optimizer's business.

use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_diag::{SourceMap, Span};
use trueline_ir::{
    Access, BinaryOp, Block, Builder, Callee, Dim, Expr, ExprData, Head, Intrinsic, Quad, Rt, Storage, Sym, SymData,
    Type, UnaryOp, Unit,
};
use trueline_provenance::{Serial, SetId, Stmt};

/// Largest temporary on the stack, in bytes (the IR's limit for `Frame` arrays).
const FRAME_LIMIT: i64 = 64 * 1024;

/// The properties that make two temporaries on the stack interchangeable: type, bytes of an element, extents, and of a structure the
/// number of its derived type.
type FrameKey = (Type, i64, SmallVec<[i64; 2]>, Option<u32>);

/// A unit being written.
pub(crate) struct Emit<'a> {
    pub(crate) b: Builder,
    map: &'a SourceMap,
    at: Block,
    serial: Option<Serial>,
    set: SetId,
    temps: u32,
    /// The start of the source statement; `location` is its text, made on demand.
    place: Option<Span>,
    location: Option<Expr>,
    live: Vec<Temp>,
    spare: FxHashMap<FrameKey, Vec<Sym>>,
    /// The derived types of symbols.
    pub(crate) structures: FxHashMap<Sym, trueline_sema::types::structure::StructureId>,
    /// Temporaries that own the targets of their components, until these are handed over.
    pub(crate) structure_temps: rustc_hash::FxHashSet<Sym>,
    /// Flags that are certainly set: in the block, behind the statement.
    certain: FxHashMap<Sym, (Block, Stmt)>,
    /// Flags that are set before the first jump of the procedure: every way through their block sets them.
    steady: FxHashMap<Sym, (Block, Stmt)>,
    has_jumped: bool,
    /// Registers that say of an address whether its target may be gone, by the register of the address.
    asked: FxHashMap<Sym, Sym>,
    /// Flags that are taken back.
    uncertain: rustc_hash::FxHashSet<Sym>,
    /// Character constants that stand in memory.
    pub(crate) constants: FxHashMap<Expr, Sym>,
}

/// A temporary in memory, to be given back at the end of its scope.
enum Temp {
    Frame(FrameKey, Sym),
    /// The register that holds the address.
    Heap(Sym),
}

/// A scope of temporaries.
#[derive(Clone, Copy)]
pub(crate) struct TempScope(usize);

impl TempScope {
    /// The scope of the whole procedure.
    pub(crate) const ALL: TempScope = TempScope(0);
}

impl std::ops::Deref for Emit<'_> {
    type Target = Unit;
    fn deref(&self) -> &Unit {
        &self.b
    }
}

/// Statements.
impl<'a> Emit<'a> {
    /// Starts at the body of the unit under construction.
    pub(crate) fn new(b: Builder, map: &'a SourceMap) -> Emit<'a> {
        let at = b.body();
        Emit {
            b,
            map,
            at,
            serial: None,
            set: SetId::EMPTY,
            temps: 0,
            place: None,
            location: None,
            live: Vec::new(),
            spare: FxHashMap::default(),
            structures: FxHashMap::default(),
            structure_temps: rustc_hash::FxHashSet::default(),
            certain: FxHashMap::default(),
            steady: FxHashMap::default(),
            has_jumped: false,
            asked: FxHashMap::default(),
            uncertain: rustc_hash::FxHashSet::default(),
            constants: FxHashMap::default(),
        }
    }

    /// From now on statements stand for the source statement `serial`, which begins at `place`, and for the FORALL and WHERE
    /// constructs `around` it: its code may stand outside of theirs.
    pub(crate) fn set_source(&mut self, serial: Serial, place: Span, around: &[Serial]) {
        if self.serial != Some(serial) {
            let all: Vec<Serial> = around.iter().copied().chain([serial]).collect();
            (self.serial, self.set) = (Some(serial), self.b.set_of(&all));
        }
        if self.place != Some(place) {
            (self.place, self.location) = (Some(place), None);
        }
    }

    /// The place in the source, `file:line`, as the runtime wants it.
    pub(crate) fn location(&mut self) -> Expr {
        if let Some(location) = self.location {
            return location;
        }
        let location = match self.place {
            Some(place) => {
                let text = format!("{}:{}\0", self.map.file(place.file).name(), self.map.start(place).line);
                let text = self.b.text(text.as_bytes());
                self.address(Access::In, text)
            }
            None => self.b.make(ExprData::Null),
        };
        self.location = Some(location);
        location
    }

    /// The place of a fault, `file:line.column`: that of the expression it is in.
    pub(crate) fn location_at(&mut self, span: Span) -> Expr {
        let text = format!("{}\0", self.place_of(span));
        let text = self.b.text(text.as_bytes());
        self.address(Access::In, text)
    }

    /// `file:line.column`.
    pub(crate) fn place_of(&self, span: Span) -> String {
        let start = self.map.start(span);
        format!("{}:{}.{}", self.map.file(span.file).name(), start.line, start.column)
    }

    /// The source statement, but for where it ends.
    pub(crate) fn statement(&self) -> Option<Span> {
        self.place
    }

    /// The block that the next statement is added to.
    pub(crate) fn block(&self) -> Block {
        self.at
    }

    /// Moves the cursor to the end of `block`; gives the old place.
    pub(crate) fn enter(&mut self, block: Block) -> Block {
        std::mem::replace(&mut self.at, block)
    }

    /// Appends a statement.
    pub(crate) fn push(&mut self, head: Head) -> Stmt {
        if let (Head::Label(_), at) = (head, self.at) {
            // A jump from this block may have left out any statement of it that is behind the first jump.
            let steady = &self.steady;
            self.certain.retain(|flag, set| set.0 != at || steady.get(flag) == Some(set));
        }
        self.has_jumped |= head.is_jump() || matches!(head, Head::GotoTable { .. });
        self.forget_asked(head);
        self.b.push(self.at, head, self.set, 0)
    }

    /// Appends a SELECT CASE with `arity` blocks.
    pub(crate) fn push_select(&mut self, head: Head, arity: usize) -> Stmt {
        self.b.push(self.at, head, self.set, arity)
    }

    /// Appends `place = value`, converting the value to the place's type.
    pub(crate) fn assign(&mut self, place: Expr, value: Expr) {
        let value = self.convert(self.ty(place), value);
        if self.pool().rank(place) > 0 {
            self.push(Head::ArrayAssign { place, value });
        } else {
            self.push(Head::Assign { place, value });
        }
    }

    /// Appends `register = value`.
    pub(crate) fn set(&mut self, register: Sym, value: Expr) {
        let place = self.var(register);
        self.assign(place, value);
    }

    /// Whether the flag has been set on all ways that lead here.
    pub(crate) fn is_certain(&self, flag: Sym) -> bool {
        let Some(&(block, set)) = self.certain.get(&flag) else { return false };
        let (mut at, mut around) = (self.at, None);
        while at != block {
            let Some(owner) = self.owner(at) else { return false };
            let Some(outer) = self.parent(owner) else { return false };
            (at, around) = (outer, Some(owner));
        }
        around.is_none_or(|s| s > set)
    }

    /// Keeps those of `flags` that are certainly set here too, or all if control does not come here. None are all flags.
    pub(crate) fn keep_certain(&self, flags: &mut Option<Vec<Sym>>) {
        if self.certain.is_empty() && flags.is_none() {
            *flags = Some(Vec::new());
        }
        if self.stmts(self.at).next_back().is_some_and(|s| self.head(s).is_jump()) {
            return;
        }
        match flags {
            Some(flags) => flags.retain(|&flag| self.is_certain(flag)),
            None => {
                let mut all: Vec<Sym> = self.certain.keys().copied().filter(|&flag| self.is_certain(flag)).collect();
                all.sort_unstable();
                *flags = Some(all);
            }
        }
    }

    /// From here on the flag is set, as the last statement has done or found.
    pub(crate) fn make_certain(&mut self, flag: Sym) {
        let last = self.stmts(self.at).next_back();
        if let Some(last) = last.filter(|_| !self.uncertain.contains(&flag)) {
            self.certain.insert(flag, (self.at, last));
            if !self.has_jumped {
                self.steady.insert(flag, (self.at, last));
            }
        }
    }

    /// A statement may deallocate a target, or change an address.
    fn forget_asked(&mut self, head: Head) {
        match head {
            _ if self.asked.is_empty() => {}
            Head::Call { callee: Callee::Proc(_) | Callee::Dummy(_), .. } => self.asked.clear(),
            Head::Call { callee: Callee::Rt(Rt::Deallocate | Rt::ReleaseTarget | Rt::FreeOwned), .. } => {
                self.asked.clear()
            }
            Head::Call { result, .. } => {
                if let Some(address) = result.expand() {
                    self.asked.remove(&address);
                }
            }
            Head::Assign { place, .. } => {
                if let ExprData::Var(address) = self.expr(place) {
                    self.asked.remove(&address);
                }
            }
            _ => {}
        }
    }

    /// The register that says whether the target at an address may be gone, if it has been asked for on all ways that lead here.
    pub(crate) fn asked(&self, address: Sym) -> Option<Sym> {
        self.asked.get(&address).copied().filter(|&answer| self.is_certain(answer))
    }

    /// It has just been asked for.
    pub(crate) fn note_asked(&mut self, address: Sym, answer: Sym) {
        self.make_certain(answer);
        self.asked.insert(address, answer);
    }

    /// Nothing is known of targets from here on.
    pub(crate) fn forget_targets(&mut self) {
        self.asked.clear();
    }

    /// The flag may be taken back anywhere.
    pub(crate) fn is_never_certain(&mut self, flag: Sym) {
        self.uncertain.insert(flag);
    }

    /// Sets the flag, unless it is.
    pub(crate) fn set_flag(&mut self, flag: Sym) {
        if !self.is_certain(flag) {
            let (place, one) = (self.var(flag), self.int(Type::I4, 1));
            self.assign(place, one);
            self.make_certain(flag);
        }
    }

    /// Calls a function of the runtime.
    pub(crate) fn call_rt(&mut self, f: Rt, args: &[Expr]) {
        let args = self.b.list(args);
        self.push(Head::Call { callee: Callee::Rt(f), args, result: None.into() });
    }

    /// Calls a function of the runtime for its result, of type `ty`.
    pub(crate) fn call_rt_value(&mut self, f: Rt, args: &[Expr], ty: Type) -> Expr {
        let result = self.register("t", ty);
        let args = self.b.list(args);
        self.push(Head::Call { callee: Callee::Rt(f), args, result: result.into() });
        self.var(result)
    }

    /// `DO var = lo, hi` with step one; the cursor enters the body. Ends with [`Emit::enter`] of the result.
    pub(crate) fn open_do(&mut self, var: Sym, lo: Expr, hi: Expr, step: Expr) -> Block {
        let ty = self.sym(var).ty;
        let [lo, hi, step] = [lo, hi, step].map(|e| {
            let e = self.convert(ty, e);
            self.simple(e)
        });
        let s = self.push(Head::Do { var, lo, hi, step });
        let body = self.blocks(s)[0];
        self.enter(body)
    }

    /// A counting loop over a new register from 1 to `n`; gives the register's value and the outer block.
    pub(crate) fn open_count(&mut self, n: Expr) -> (Expr, Block) {
        let var = self.register("k", Type::I8);
        let one = self.int8(1);
        let outer = self.open_do(var, one, n, one);
        (self.var(var), outer)
    }

    /// IF; the cursor enters the THEN block. Gives the outer block and the ELSE block.
    pub(crate) fn open_if(&mut self, cond: Expr) -> (Block, Block) {
        let s = self.push(Head::If { cond });
        let (then, otherwise) = (self.blocks(s)[0], self.blocks(s)[1]);
        (self.enter(then), otherwise)
    }

    /// `e` as DO bounds allow it: constants, registers and sums, differences and products of them; else
    /// a register that is assigned it.
    pub(crate) fn simple(&mut self, e: Expr) -> Expr {
        if self.is_simple(e, 16) { e } else { self.in_register(e) }
    }

    fn is_simple(&self, e: Expr, depth: u32) -> bool {
        match self.expr(e) {
            ExprData::Int(..) => true,
            ExprData::Var(v) => self.sym(v).is_register(),
            ExprData::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) if depth > 0 => {
                self.is_simple(a, depth - 1) && self.is_simple(b, depth - 1)
            }
            _ => false,
        }
    }

    /// A register that holds the value of the scalar `e` as it is now. Constants stay.
    pub(crate) fn in_register(&mut self, e: Expr) -> Expr {
        if self.pool().is_constant(e) {
            return e;
        }
        let t = self.register("t", self.ty(e));
        self.set(t, e);
        self.var(t)
    }
}

/// Symbols.
impl Emit<'_> {
    /// A new register of the compiler.
    pub(crate) fn register(&mut self, name: &str, ty: Type) -> Sym {
        let name = self.fresh(name);
        self.b.sym(SymData::scalar(name, ty, Storage::Register))
    }

    fn fresh(&mut self, name: &str) -> String {
        self.temps += 1;
        format!("{name}.{}", self.temps)
    }

    /// A new linker symbol for static memory of the compiler.
    pub(crate) fn fresh_area(&mut self) -> String {
        let unit = self.symbol().to_owned();
        self.fresh(&format!("{unit}.constant"))
    }

    /// Opens a scope of temporaries.
    pub(crate) fn open_temps(&self) -> TempScope {
        TempScope(self.live.len())
    }

    /// Whether memory was taken since `scope`.
    pub(crate) fn has_temps(&self, scope: TempScope) -> bool {
        self.live.len() > scope.0
    }

    /// Before a jump: frees the memory taken since `scope`, which stays taken on the way that does not jump.
    pub(crate) fn free_temps(&mut self, scope: TempScope) {
        for k in (scope.0..self.live.len()).rev() {
            if let Temp::Heap(base) = self.live[k] {
                let base = self.var(base);
                self.call_rt(Rt::Deallocate, &[base]);
            }
        }
    }

    /// Gives the memory taken since `scope` back.
    pub(crate) fn close_temps(&mut self, scope: TempScope) {
        while self.live.len() > scope.0 {
            match self.live.pop() {
                Some(Temp::Heap(base)) => {
                    let base = self.var(base);
                    self.call_rt(Rt::Deallocate, &[base]);
                }
                Some(Temp::Frame(key, sym)) => self.spare.entry(key).or_default().push(sym),
                None => {}
            }
        }
    }

    /// Lets the memory at `base` be freed with the temporaries of the current scope.
    pub(crate) fn frees(&mut self, base: Sym) {
        self.live.push(Temp::Heap(base));
    }

    /// An array (or, without extents, a scalar in memory) for the time of the current scope. `len` is
    /// the length of a CHARACTER.
    pub(crate) fn memory(&mut self, ty: Type, len: Option<Expr>, extents: &[Expr]) -> Sym {
        self.memory_of(ty, len, extents, None)
    }

    /// The same for structures of a derived type, whose temporaries are nothing else.
    pub(crate) fn memory_of(&mut self, ty: Type, len: Option<Expr>, extents: &[Expr], structure: Option<u32>) -> Sym {
        let bytes = len.map_or(Some(1), |l| self.pool().as_int(l));
        let fixed: Option<SmallVec<[i64; 2]>> = extents.iter().map(|&e| self.pool().as_int(e)).collect();
        if let (Some(bytes), Some(fixed)) = (bytes, fixed) {
            let size = fixed.iter().try_fold(bytes.saturating_mul(ty.size() as i64), |n, &e| n.checked_mul(e));
            if size.is_some_and(|n| n <= FRAME_LIMIT) {
                return self.frame((ty, bytes, fixed, structure), len);
            }
        }
        self.heap(ty, len, extents)
    }

    fn frame(&mut self, key: FrameKey, len: Option<Expr>) -> Sym {
        let sym = match self.spare.get_mut(&key).and_then(Vec::pop) {
            Some(sym) => {
                // Its use before says nothing about its use now.
                self.structures.remove(&sym);
                self.structure_temps.remove(&sym);
                sym
            }
            None => {
                let name = self.fresh("t");
                let extents: SmallVec<[Expr; 2]> = key.2.iter().map(|&n| self.int8(n)).collect();
                let dims = self.dims(&extents);
                let len: PackedOption<Expr> = len.into();
                self.b.sym(SymData { len, dims, ..SymData::scalar(name, key.0, Storage::Frame) })
            }
        };
        self.live.push(Temp::Frame(key, sym));
        sym
    }

    fn heap(&mut self, ty: Type, len: Option<Expr>, extents: &[Expr]) -> Sym {
        let extents: SmallVec<[Expr; 2]> = extents.iter().map(|&e| self.frozen(e)).collect();
        let len = len.map(|l| self.frozen(l));
        let mut size = self.int8(ty.size() as i64);
        for e in len.iter().chain(&extents).copied() {
            size = self.mul(size, e);
        }
        let base = self.register("base", Type::I8);
        let location = self.location();
        let args = self.b.list(&[size, location]);
        self.push(Head::Call { callee: Callee::Rt(Rt::Allocate), args, result: base.into() });
        let name = self.fresh("t");
        let dims = self.dims(&extents);
        self.live.push(Temp::Heap(base));
        self.b.sym(SymData { len: len.into(), dims, ..SymData::scalar(name, ty, Storage::Pointer { base }) })
    }

    /// A constant or a register of the compiler's own that nothing assigns again.
    fn frozen(&mut self, e: Expr) -> Expr {
        if self.pool().is_constant(e) {
            return e;
        }
        let t = self.register("n", Type::I8);
        self.set(t, e);
        self.var(t)
    }

    fn dims(&mut self, extents: &[Expr]) -> SmallVec<[Dim; 2]> {
        let one = self.int8(1);
        extents.iter().map(|&e| Dim::new(one, e)).collect()
    }
}

/// Expressions.
impl Emit<'_> {
    /// An expression as it stands.
    pub(crate) fn make(&mut self, data: ExprData) -> Expr {
        self.b.make(data)
    }

    /// The value of an expression that must be an integer constant.
    pub(crate) fn known(&self, e: Expr) -> Option<i64> {
        self.pool().as_int(e)
    }

    /// The rank of `e`.
    pub(crate) fn rank(&self, e: Expr) -> usize {
        self.pool().rank(e) as usize
    }

    /// The value of a variable.
    pub(crate) fn var(&mut self, v: Sym) -> Expr {
        self.make(ExprData::Var(v))
    }

    /// An integer constant.
    pub(crate) fn int(&mut self, ty: Type, v: i64) -> Expr {
        self.make(ExprData::Int(ty, wrap(ty, v)))
    }

    /// An `INTEGER(4)` constant.
    pub(crate) fn int4(&mut self, v: i64) -> Expr {
        self.int(Type::I4, v)
    }

    /// An `INTEGER(8)` constant.
    pub(crate) fn int8(&mut self, v: i64) -> Expr {
        self.int(Type::I8, v)
    }

    /// A truth value of default kind.
    pub(crate) fn logical(&mut self, v: bool) -> Expr {
        self.make(ExprData::Logical(Type::L4, v))
    }

    /// The address of `place`.
    pub(crate) fn address(&mut self, access: Access, place: Expr) -> Expr {
        self.make(ExprData::AddrOf(access, place))
    }

    /// The address of a place that a call writes.
    pub(crate) fn written(&mut self, place: Expr) -> Expr {
        self.address(Access::Out, place)
    }

    /// An element.
    pub(crate) fn elem(&mut self, array: Sym, subscripts: &[Expr]) -> Expr {
        let list = self.b.list(subscripts);
        self.make(ExprData::Elem(array, list))
    }

    /// An intrinsic function.
    pub(crate) fn intrinsic(&mut self, i: Intrinsic, args: &[Expr]) -> Expr {
        let list = self.b.list(args);
        self.make(ExprData::Intrinsic(i, list))
    }

    /// A binary operation; integer constants are folded.
    pub(crate) fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        if let (ExprData::Int(ty, x), ExprData::Int(_, y)) = (self.expr(a), self.expr(b))
            && let Some(v) = fold_int(op, x, y)
        {
            return self.int(ty, v);
        }
        self.make(ExprData::Binary(op, a, b))
    }

    /// `a + b` of integers.
    pub(crate) fn add(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.pool().as_int(a), self.pool().as_int(b)) {
            (_, Some(0)) => a,
            (Some(0), _) => b,
            _ => self.binary(BinaryOp::Add, a, b),
        }
    }

    /// `a - b` of integers.
    pub(crate) fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        match self.pool().as_int(b) {
            Some(0) => a,
            _ if a == b => self.int(self.ty(a), 0),
            _ => self.binary(BinaryOp::Sub, a, b),
        }
    }

    /// `a * b` of integers.
    pub(crate) fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.pool().as_int(a), self.pool().as_int(b)) {
            (_, Some(1)) => a,
            (Some(1), _) => b,
            _ => self.binary(BinaryOp::Mul, a, b),
        }
    }

    /// `max(e, 0)` of `INTEGER(8)`.
    pub(crate) fn at_least_zero(&mut self, e: Expr) -> Expr {
        match self.pool().as_int(e) {
            Some(v) => self.int8(v.max(0)),
            None => {
                let zero = self.int8(0);
                self.intrinsic(Intrinsic::Max, &[e, zero])
            }
        }
    }

    /// `upper - lower + 1`, at least zero.
    pub(crate) fn count(&mut self, lower: Expr, upper: Expr) -> Expr {
        let one = self.int8(1);
        let less = self.sub(lower, one);
        let n = self.sub(upper, less);
        self.at_least_zero(n)
    }

    /// `dims` with the distances in bytes between the elements, which have `size` bytes.
    pub(crate) fn strided(&mut self, dims: &[Dim], size: i64) -> SmallVec<[Dim; 2]> {
        let mut distance = self.int8(size);
        let mut strided = SmallVec::new();
        for d in dims {
            let stride = d.stride.expand().unwrap_or(distance);
            strided.push(Dim { stride: stride.into(), ..*d });
            if let Some(upper) = d.upper.expand() {
                let n = self.count(d.lower, upper);
                distance = self.mul(distance, n);
            }
        }
        strided
    }

    /// The negation of `e`.
    pub(crate) fn neg(&mut self, e: Expr) -> Expr {
        match self.expr(e) {
            ExprData::Int(ty, v) => self.int(ty, v.wrapping_neg()),
            ExprData::Real(Type::R4, v) => self.make(ExprData::Real(Type::R4, v ^ (1 << 31))),
            ExprData::Real(ty, v) => self.make(ExprData::Real(ty, v ^ (1 << 63))),
            ExprData::Quad(v) => self.make(ExprData::Quad(-v)),
            _ => self.make(ExprData::Unary(UnaryOp::Neg, e)),
        }
    }

    /// `.NOT. e`
    pub(crate) fn not(&mut self, e: Expr) -> Expr {
        match self.expr(e) {
            ExprData::Logical(ty, v) => self.make(ExprData::Logical(ty, !v)),
            _ => self.make(ExprData::Unary(UnaryOp::Not, e)),
        }
    }

    /// `e` as a value of type `ty`; constants are converted here.
    pub(crate) fn convert(&mut self, ty: Type, e: Expr) -> Expr {
        if self.ty(e) == ty || ty == Type::Char {
            return e;
        }
        if ty == Type::C16 && self.ty(e).part() == self.ty(e) && self.pool().is_constant(e) {
            let (re, im) = (self.convert(Type::R16, e), self.make(ExprData::Quad(Quad::ZERO)));
            return self.intrinsic(Intrinsic::Cmplx, &[re, im]);
        }
        match fold_convert(ty, self.expr(e)) {
            Some(data) => self.make(data),
            None => self.make(ExprData::Convert(ty, e)),
        }
    }

    /// A real constant of type `ty`.
    pub(crate) fn real(&mut self, ty: Type, v: f64) -> Expr {
        self.make(ExprData::real(ty, v))
    }
}

/// `v` as an integer of type `ty` holds it.
pub(crate) fn wrap(ty: Type, v: i64) -> i64 {
    match ty {
        Type::I1 => i64::from(v as i8),
        Type::I2 => i64::from(v as i16),
        Type::I4 => i64::from(v as i32),
        _ => v,
    }
}

fn fold_int(op: BinaryOp, x: i64, y: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => Some(x.wrapping_add(y)),
        BinaryOp::Sub => Some(x.wrapping_sub(y)),
        BinaryOp::Mul => Some(x.wrapping_mul(y)),
        BinaryOp::Div if y != 0 => Some(x.wrapping_div(y)),
        _ => None,
    }
}

/// To or from kind 16.
fn fold_long(ty: Type, from: ExprData) -> Option<ExprData> {
    Some(match (ty, from) {
        (Type::R16, ExprData::Int(_, v)) => ExprData::Quad(Quad::from_int(v.into())),
        (Type::R16, ExprData::Real(Type::R4, bits)) => ExprData::Quad(f32::from_bits(bits as u32).into()),
        (Type::R16, ExprData::Real(_, bits)) => ExprData::Quad(f64::from_bits(bits).into()),
        (Type::R4, ExprData::Quad(v)) => ExprData::Real(ty, v.to_f32().to_bits().into()),
        (Type::R8, ExprData::Quad(v)) => ExprData::Real(ty, v.to_f64().to_bits()),
        _ => return None,
    })
}

fn fold_convert(ty: Type, from: ExprData) -> Option<ExprData> {
    let real = |ty: Type, v: f64, narrow: f32| match ty {
        Type::R4 => u64::from(narrow.to_bits()),
        _ => v.to_bits(),
    };
    if let (Type::R4 | Type::R8, ExprData::Quad(_)) | (Type::R16, ExprData::Int(..) | ExprData::Real(..)) = (ty, from) {
        return fold_long(ty, from);
    }
    Some(match (ty, from) {
        (Type::I1 | Type::I2 | Type::I4 | Type::I8, ExprData::Int(_, v)) => ExprData::Int(ty, wrap(ty, v)),
        (Type::R4 | Type::R8, ExprData::Int(_, v)) => ExprData::Real(ty, real(ty, v as f64, v as f32)),
        (Type::R8, ExprData::Real(Type::R4, bits)) => {
            ExprData::Real(ty, f64::from(f32::from_bits(bits as u32)).to_bits())
        }
        (Type::R4, ExprData::Real(Type::R8, bits)) => {
            ExprData::Real(ty, u64::from((f64::from_bits(bits) as f32).to_bits()))
        }
        (Type::L1 | Type::L2 | Type::L4 | Type::L8, ExprData::Logical(_, v)) => ExprData::Logical(ty, v),
        (Type::C4 | Type::C8, ExprData::Int(..) | ExprData::Real(..) | ExprData::Quad(_)) => {
            let part = ty.part();
            let bits = match fold_convert(part, from) {
                Some(ExprData::Real(_, bits)) => bits,
                _ => match from {
                    ExprData::Real(_, bits) => bits,
                    _ => return None,
                },
            };
            ExprData::Complex(ty, bits, 0)
        }
        _ => return None,
    })
}
