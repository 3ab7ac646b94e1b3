//! Expressions to CLIF.

mod bases;
mod compare;
mod complex_lanes;
mod convert;
mod convert_lanes;
mod gather;
mod lanes;
mod power;
pub(crate) mod quad;
mod room;
pub(crate) mod round;
pub(crate) mod truncate;

use crate::debug::values::Trace;
use crate::function::facts::{Facts, read_first};
use crate::function::frame::{Layout, Room};
use crate::homes::Slots;
use crate::shared::Shared;
use crate::symbols::ADDRESS;
use crate::types::{Val, clif_type, is_complex, is_real, part};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::immediates::{Ieee32, Ieee64};
use cranelift_codegen::ir::{
    AliasRegion, AliasRegionData, GlobalValue, InstBuilder, MemFlagsData, SourceLoc, StackSlotData, StackSlotKind,
    Type as ClifType, Value, types,
};
use cranelift_entity::EntityRef;
use cranelift_frontend::{FunctionBuilder, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::{BinaryOp, Expr, ExprData, Stmt, Storage, Sym, Type, UnaryOp, Unit};

/// The number of the alias region of the counters.
pub(crate) const COUNTER_REGION: u32 = 0;
/// Independent symbols that have an alias region of their own.
const MOST_REGIONS: usize = 20_000;

/// A unit on its way to CLIF.
pub(crate) struct Translator<'a, 'b> {
    pub(crate) unit: &'a Unit,
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) b: FunctionBuilder<'b>,
    pub(crate) facts: &'a Facts,
    /// The frame of the unit, of which this function is a stretch.
    pub(crate) frame: Option<(&'a Layout, Value)>,
    variables: FxHashMap<Sym, SmallVec<[Variable; 2]>>,
    /// The places of variables on the stack.
    pub(crate) slots: Slots,
    globals: FxHashMap<String, GlobalValue>,
    regions: FxHashMap<Sym, AliasRegion>,
    /// The pointers that are held with constants added, and the variables for all but the first constant.
    pointers: FxHashMap<Sym, (bases::Constants, SmallVec<[Variable; 2]>)>,
    last_region: Option<AliasRegion>,
    /// The places that record whether a timer was started, by its record's place.
    pub(crate) started: FxHashMap<u32, Room>,
    /// Whether the probes of the unit count down.
    pub(crate) counts_down: bool,
    /// The address for the result that the caller passes, if it is not returned in registers.
    pub(crate) result_address: Option<Value>,
    /// The addresses of dummies.
    pub(crate) addresses: FxHashMap<Sym, Value>,
    /// The bytes of the longest registers: longer vectors have several.
    pub(crate) register_bytes: usize,
    /// Whether the current instructions are operations on such registers.
    pub(crate) in_wide: bool,
    /// Whether the upper halves of registers may be used since they were cleared.
    pub(crate) upper_is_used: bool,
    /// The vector of 32 bytes that was stored last for its lanes in the current statement, and where.
    pub(crate) laid_out: Option<(Value, Value)>,
    /// Values of expressions already evaluated in the current statement.
    memo: FxHashMap<Expr, Val>,
    /// The notes that debug information is made of; none if there will not be any, or the registers have homes.
    pub(crate) trace: Option<Trace>,
}

/// The registers that are kept on the stack.
pub(crate) enum Kept {
    None,
    Some(FxHashSet<Sym>),
    All,
}

/// From this many statements on registers are kept on the stack.
const LONG: usize = 40_000;

/// Whether the registers of `unit` are kept on the stack. Counting code has no influence.
pub(crate) fn is_long(unit: &Unit) -> bool {
    unit.real_stmts(unit.body()).count() >= LONG
}

impl<'a, 'b> Translator<'a, 'b> {
    pub(crate) fn new(
        unit: &'a Unit,
        shared: &'a Shared<'a>,
        b: FunctionBuilder<'b>,
        facts: &'a Facts,
    ) -> Translator<'a, 'b> {
        let constants = match facts.kept {
            Kept::None => bases::constants(unit, shared.triple),
            Kept::Some(_) | Kept::All => FxHashMap::default(),
        };
        Translator {
            unit,
            shared,
            b,
            facts,
            frame: None,
            variables: FxHashMap::default(),
            pointers: constants.into_iter().map(|(p, constants)| (p, (constants, SmallVec::new()))).collect(),
            slots: Slots::default(),
            globals: FxHashMap::default(),
            regions: FxHashMap::default(),
            last_region: None,
            started: FxHashMap::default(),
            counts_down: false,
            result_address: None,
            addresses: FxHashMap::default(),
            register_bytes: crate::wide::SHORT,
            in_wide: false,
            upper_is_used: false,
            laid_out: None,
            memo: FxHashMap::default(),
            trace: shared.debug.is_some().then(Trace::default),
        }
    }

    /// Values do not outlive their statement: registers and memory may change.
    pub(crate) fn begin_stmt(&mut self) {
        self.forget();
    }

    /// A new block begins: values computed so far may not dominate it.
    pub(crate) fn forget(&mut self) {
        self.laid_out = None;
        self.memo.clear();
    }

    fn variable(&mut self, v: Sym) -> SmallVec<[Variable; 2]> {
        let v = self.facts.holders.get(&v).copied().unwrap_or(v);
        if let Some(parts) = self.variables.get(&v) {
            return parts.clone();
        }
        let ty = clif_type(self.unit.sym(v).ty);
        let parts: SmallVec<[Variable; 2]> = (0..self.parts_of(v)).map(|_| self.b.declare_var(ty)).collect();
        self.variables.insert(v, parts.clone());
        parts
    }

    /// The place of a register on the stack, if it is kept there. The imaginary part is behind the real one.
    fn place_of(&mut self, v: Sym) -> Option<Room> {
        match &self.facts.kept {
            Kept::None => return None,
            Kept::Some(registers) if !registers.contains(&v) => return None,
            Kept::Some(_) | Kept::All => {}
        }
        if let Some((layout, address)) = self.frame {
            return Some(Room::Shared(address, layout.registers[&v]));
        }
        if let Some(&(slot, offset)) = self.slots.registers.get(&v) {
            return Some(Room::Slot(slot, offset));
        }
        let (size, align) = register_size(self.unit, v);
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, align));
        self.slots.registers.insert(v, (slot, 0));
        Some(Room::Slot(slot, 0))
    }

    /// The offset of part `k` of `v` on the stack.
    fn place_of_part(&self, v: Sym, k: usize) -> i32 {
        clif_type(self.unit.sym(v).ty).bytes() as i32 * k as i32
    }

    /// Initialises registers that are kept for debuggers with zeros, as others are without a definition, and stores the
    /// addresses of dummy arguments on the stack.
    pub(crate) fn settle(&mut self) {
        let is_local = |v: &Sym| !matches!(self.unit.sym(*v).storage, Storage::Value { .. });
        let mut registers: Vec<Sym> = match &self.facts.kept {
            Kept::None => return,
            Kept::Some(registers) => registers.iter().copied().filter(is_local).collect(),
            Kept::All => read_first(self.unit),
        };
        registers.sort_unstable();
        for v in registers {
            let ty = self.unit.sym(v).ty;
            let zero = match clif_type(ty) {
                types::F32 => self.b.ins().f32const(0.0),
                types::F64 => self.b.ins().f64const(0.0),
                types::F128 | types::I128 => continue,
                int => self.b.ins().iconst(int, 0),
            };
            let value = Val::of(&[zero; 4][..self.parts_of(v)]);
            self.define(v, value);
        }
        if matches!(self.facts.kept, Kept::All) {
            return;
        }
        let mut addresses: Vec<(Sym, Value)> = self.addresses.iter().map(|(&v, &address)| (v, address)).collect();
        addresses.sort_unstable();
        for (v, address) in addresses {
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3);
            let slot = self.b.create_sized_stack_slot(data);
            self.b.ins().stack_store(ADDRESS, address, slot, 0);
            self.slots.addresses.insert(v, (slot, 0));
        }
    }

    /// The value of a register.
    pub(crate) fn use_register(&mut self, v: Sym) -> Val {
        if let Some(room) = self.place_of(v) {
            let ty = clif_type(self.unit.sym(v).ty);
            let load = |t: &mut Self, k: usize| t.load_room(ty, room, t.place_of_part(v, k));
            let parts: SmallVec<[Value; 4]> = (0..self.parts_of(v)).map(|k| load(self, k)).collect();
            return Val::of(&parts);
        }
        match self.variable(v)[..] {
            [a] => {
                let value = self.b.use_var(a);
                let constant = self.pointers.get(&v).map_or(0, |(constants, _)| constants[0]);
                Val::One(if constant == 0 { value } else { self.b.ins().iadd_imm_s(value, constant.wrapping_neg()) })
            }
            ref parts => Val::of(&parts.iter().map(|&a| self.b.use_var(a)).collect::<SmallVec<[Value; 4]>>()),
        }
    }

    /// Notes for debug information that a statement begins.
    pub(crate) fn note(&mut self, s: Option<Stmt>) {
        if let Some(trace) = &mut self.trace {
            trace.begin(self.b.current_block(), s);
        }
    }

    /// Notes for debug information that the current statement gives a register a value that is not computed.
    pub(crate) fn note_unneeded(&mut self, v: Sym, value: Expr) {
        if let Some(trace) = &mut self.trace {
            trace.skip(self.b.current_block(), v, self.unit.expr(value));
        }
    }

    /// Defines a register.
    pub(crate) fn define(&mut self, v: Sym, value: Val) {
        if let Some(trace) = &mut self.trace {
            trace.define(self.b.current_block(), v, Some(value));
        }
        if let Some(room) = self.place_of(v) {
            for k in 0..self.parts_of(v) {
                self.store_room(value.part(k), room, self.place_of_part(v, k));
            }
            return;
        }
        match self.variable(v)[..] {
            [a] => {
                let value = self.hold_pointer(v, value.one());
                self.b.def_var(a, value);
            }
            ref parts => parts.iter().enumerate().for_each(|(k, &a)| self.b.def_var(a, value.part(k))),
        }
    }

    /// The address of a datum of the object.
    pub(crate) fn global(&mut self, name: &str) -> Value {
        let global = match self.globals.get(name) {
            Some(&g) => g,
            None => {
                let g = self.shared.symbols.global(self.b.func, name);
                self.globals.insert(name.to_owned(), g);
                g
            }
        };
        self.b.ins().symbol_value(ADDRESS, global)
    }

    /// The address of the first byte of a symbol in memory.
    pub(crate) fn address_of(&mut self, v: Sym) -> Value {
        match self.unit.sym(v).storage {
            Storage::Static { area, offset } => {
                let name = self.unit.area(area).symbol.clone();
                let base = self.global(&name);
                if offset == 0 { base } else { self.b.ins().iadd_imm_s(base, offset as i64) }
            }
            Storage::Frame => {
                let room = self.memory_of(v);
                self.room_address(room)
            }
            Storage::Dummy { .. } => match self.frame {
                Some((layout, address)) => self.load_room(ADDRESS, Room::Shared(address, layout.addresses[&v]), 0),
                None => self.addresses[&v],
            },
            Storage::Pointer { base } => self.use_register(base).one(),
            Storage::Within { root, offset } => {
                let whole = self.address_of(root);
                self.b.ins().iadd_imm_s(whole, offset as i64)
            }
            Storage::Register | Storage::Value { .. } => unreachable!("a register has no address"),
        }
    }

    /// The place of a variable that lives in the frame.
    fn memory_of(&mut self, v: Sym) -> Room {
        if let Some((layout, address)) = self.frame {
            return Room::Shared(address, layout.memory[&v]);
        }
        if let Some(&(slot, offset)) = self.slots.memory.get(&v) {
            return Room::Slot(slot, offset);
        }
        let size = frame_size(self.unit, v);
        let align = if size >= 16 { 4 } else { 3 };
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, align));
        self.slots.memory.insert(v, (slot, 0));
        Room::Slot(slot, 0)
    }

    /// The alias region of the memory of `v`: one an independent symbol, so that Cranelift may keep
    /// loads of one array across stores to another. Symbols that overlap share one.
    fn flags(&mut self, v: Sym) -> MemFlagsData {
        let key = self.facts.region_keys.get(&v).copied().unwrap_or(v);
        let region = match self.regions.get(&key) {
            Some(&r) => r,
            // Cranelift has 16 bits for combinations of flags: later symbols share the region of the symbol that took
            // the last one.
            None if self.regions.len() >= MOST_REGIONS => return self.with_region(self.last_region),
            None => {
                let data = AliasRegionData { user_id: key.index() as u32 + 1, description: "symbol".into() };
                let r = self.b.func.dfg.alias_regions.insert(data);
                self.regions.insert(key, r);
                self.last_region = Some(r);
                r
            }
        };
        self.with_region(Some(region))
    }

    /// The flags of accesses to a place as lowered to M.
    pub(crate) fn flags_of(&mut self, place: Expr) -> MemFlagsData {
        match self.unit.expr(place) {
            ExprData::Load { sym, .. } | ExprData::Var(sym) => self.flags(sym),
            _ => self.with_region(None),
        }
    }

    pub(crate) fn with_region(&self, region: Option<AliasRegion>) -> MemFlagsData {
        MemFlagsData::new().with_notrap().with_alias_region(region)
    }

    /// The alias region of the counters.
    pub(crate) fn counter_region(&mut self) -> AliasRegion {
        self.b
            .func
            .dfg
            .alias_regions
            .insert(AliasRegionData { user_id: COUNTER_REGION, description: "counters".into() })
    }

    /// Stores a value.
    pub(crate) fn store(&mut self, ty: Type, value: Val, addr: Value, offset: i32, v: Sym) {
        let flags = self.flags(v);
        let location = self.mark();
        match value {
            Val::Two(re, im) if is_complex(ty) => {
                self.b.ins().store(flags, re, addr, offset);
                self.b.ins().store(flags, im, addr, offset + part(ty).size() as i32);
            }
            value => {
                let value = self.lanes_to_memory(ty, value);
                let (count, bytes) = self.registers_of(ty);
                for k in 0..count {
                    let offset = offset + (k * bytes) as i32;
                    self.in_register(bytes, |t| _ = t.b.ins().store(flags, value.part(k), addr, offset));
                }
            }
        }
        self.b.set_srcloc(location);
    }

    /// Marks the next instructions as writing a variable, for debug information. Returns the location to restore.
    pub(crate) fn mark(&mut self) -> SourceLoc {
        let location = self.b.srcloc();
        if self.trace.is_some() && !location.is_default() {
            self.b.set_srcloc(SourceLoc::new(location.bits() | crate::locate::EFFECT));
        }
        location
    }

    fn load(&mut self, ty: Type, addr: Value, offset: i32, v: Sym) -> Val {
        let flags = self.flags(v);
        let clif = clif_type(ty);
        if is_complex(ty) {
            let re = self.b.ins().load(clif, flags, addr, offset);
            let im = self.b.ins().load(clif, flags, addr, offset + part(ty).size() as i32);
            return Val::Two(re, im);
        }
        let (count, bytes) = self.registers_of(ty);
        let load = |t: &mut Self, k: usize| t.b.ins().load(clif, flags, addr, offset + (k * bytes) as i32);
        let parts: SmallVec<[Value; 4]> = (0..count).map(|k| self.in_register(bytes, |t| load(t, k))).collect();
        self.lanes_of_memory(ty, Val::of(&parts))
    }

    /// The address of a place as lowered to M: a load stands for where it loads from.
    pub(crate) fn place_address(&mut self, place: Expr) -> Value {
        match self.unit.expr(place) {
            ExprData::Load { addr, offset, .. } => {
                let addr = self.expr(addr).one();
                if offset == 0 { addr } else { self.b.ins().iadd_imm_s(addr, i64::from(offset)) }
            }
            ExprData::Text(i) => self.global(&crate::text_symbol(self.unit.pool().text(i))),
            ExprData::Var(v) => self.address_of(v),
            other => unreachable!("{other:?} has no address"),
        }
    }

    /// Evaluates `e`.
    pub(crate) fn expr(&mut self, e: Expr) -> Val {
        if let Some(&v) = self.memo.get(&e) {
            return v;
        }
        let value = self.evaluate(e);
        self.memo.insert(e, value);
        value
    }

    fn evaluate(&mut self, e: Expr) -> Val {
        let ty = self.unit.ty(e);
        match self.unit.expr(e) {
            ExprData::Int(ty, k) => Val::One(self.int(clif_type(ty), k)),
            ExprData::Logical(ty, k) => Val::One(self.int(clif_type(ty), i64::from(k))),
            ExprData::Real(ty, bits) => Val::One(self.real(ty, bits)),
            ExprData::Quad(v) => Val::One(self.quad_constant(v)),
            ExprData::Complex(ty, re, im) => Val::Two(self.real(part(ty), re), self.real(part(ty), im)),
            ExprData::Var(v) if self.unit.sym(v).is_register() => self.use_register(v),
            ExprData::Var(v) => {
                let addr = self.address_of(v);
                self.load(ty, addr, 0, v)
            }
            ExprData::Load { ty, addr, offset, sym } => {
                let (addr, offset) = self.pointer(addr, offset, ty);
                self.load(ty, addr, offset, sym)
            }
            ExprData::Addr(v) => Val::One(self.address_of(v)),
            ExprData::AddrOf(_, place) => Val::One(self.place_address(place)),
            ExprData::Null => Val::One(self.int(types::I64, 0)),
            ExprData::Unary(op, a) => self.unary(op, a),
            ExprData::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if !ty.is_vector() && self.unit.may_trap(b) => {
                self.short_circuit(op, a, b)
            }
            ExprData::Binary(op, a, b) => self.binary(op, a, b),
            ExprData::Convert(to, a) => self.convert(to, a),
            ExprData::Bitcast(to, a) => self.bitcast(to, a),
            ExprData::Intrinsic(i, l) => {
                let args: Vec<Expr> = self.unit.list(l).to_vec();
                self.intrinsic(i, ty, &args)
            }
            other => unreachable!("{other:?} is not legal at L"),
        }
    }

    pub(crate) fn int(&mut self, ty: ClifType, k: i64) -> Value {
        let masked = if ty.bits() == 64 { k } else { k & ((1 << ty.bits()) - 1) };
        self.b.ins().iconst(ty, masked)
    }

    /// A real constant. Optimized code loads it from read-only memory, which Cranelift moves out of
    /// loops; an immediate it would make anew in every block, at two instructions each.
    pub(crate) fn real(&mut self, ty: Type, bits: u64) -> Value {
        if bits != 0
            && let Some(&slot) = self.shared.reals.get(&bits)
        {
            let base = self.global(crate::REALS);
            let flags = MemFlagsData::new().with_notrap().with_aligned().with_readonly().with_can_move();
            return self.b.ins().load(clif_type(ty), flags, base, (slot * 8) as i32);
        }
        match ty {
            Type::R4 | Type::C4 => self.b.ins().f32const(Ieee32::with_bits(bits as u32)),
            _ => self.b.ins().f64const(Ieee64::with_bits(bits)),
        }
    }

    fn unary(&mut self, op: UnaryOp, a: Expr) -> Val {
        let ty = self.unit.ty(a);
        let value = self.expr(a);
        match (op, value) {
            (op, v) if ty.is_vector() => self.lanewise(ty, [v], |t, ty, [v]| t.unary_lanes(op, ty, v)),
            (UnaryOp::Neg, Val::Two(re, im)) => Val::Two(self.fneg(re), self.fneg(im)),
            (UnaryOp::Neg, v) if is_real(ty) => Val::One(self.fneg(v.one())),
            (UnaryOp::Neg, v) => Val::One(self.b.ins().ineg(v.one())),
            (UnaryOp::Not, v) => Val::One(self.b.ins().bxor_imm_u(v.one(), 1)),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Val {
        let ty = self.unit.ty(a);
        let (x, y) = (self.expr(a), self.expr(b));
        if is_complex(ty) {
            return self.complex_binary(op, x, y);
        }
        let (mut x, mut y) = (x, y);
        // An operation overwrites its left operand, so a constant there would have to be copied first.
        if matches!(op, BinaryOp::Add | BinaryOp::Mul) && self.is_number(a) && !self.is_number(b) {
            std::mem::swap(&mut x, &mut y);
        }
        if ty.is_vector() {
            let short = match op {
                BinaryOp::Mul if is_complex(ty.lane()) => Some(self.complex_products(ty, x, y)),
                BinaryOp::Mul => self.multiple_lanes(ty, [a, b]),
                BinaryOp::Add | BinaryOp::Sub => self.counted_lanes(op, ty, x, b),
                _ => None,
            };
            return short.unwrap_or_else(|| self.lanewise(ty, [x, y], |t, ty, [x, y]| t.binary_lanes(op, ty, x, y)));
        }
        let (x, y) = (x.one(), y.one());
        let i = |t: &mut Self| t.b.ins().iadd(x, y);
        Val::One(match op {
            BinaryOp::Add if is_real(ty) => self.fadd(x, y),
            BinaryOp::Sub if is_real(ty) => self.fsub(x, y),
            BinaryOp::Mul if is_real(ty) => self.fmul(x, y),
            BinaryOp::Div if is_real(ty) => self.fdiv(x, y),
            BinaryOp::Add => i(self),
            BinaryOp::Sub => self.b.ins().isub(x, y),
            BinaryOp::Mul => self.b.ins().imul(x, y),
            BinaryOp::Div => self.b.ins().sdiv(x, y),
            BinaryOp::And => self.b.ins().band(x, y),
            BinaryOp::Or => self.b.ins().bor(x, y),
            BinaryOp::Neqv => self.b.ins().bxor(x, y),
            BinaryOp::Eqv => {
                let differ = self.b.ins().bxor(x, y);
                self.b.ins().bxor_imm_u(differ, 1)
            }
            _ => {
                let truth = self.compare(op, ty, x, y);
                self.b.ins().uextend(types::I32, truth)
            }
        })
    }

    /// Whether `e` is a real constant and not a NaN. If it were, the left operand's NaN would be the result.
    fn is_number(&self, e: Expr) -> bool {
        match self.unit.expr(e) {
            ExprData::Real(Type::R4, bits) => !f32::from_bits(bits as u32).is_nan(),
            ExprData::Real(_, bits) => !f64::from_bits(bits).is_nan(),
            ExprData::Convert(ty, a) => ty.is_vector() && self.is_number(a),
            _ => false,
        }
    }

    fn short_circuit(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Val {
        let ty = clif_type(self.unit.ty(a));
        let (second, end) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(end, ty);
        let first = self.expr(a).one();
        match op {
            BinaryOp::And => self.b.ins().brif(first, second, &[], end, &[first.into()]),
            _ => self.b.ins().brif(first, end, &[first.into()], second, &[]),
        };
        let kept = std::mem::take(&mut self.memo);
        self.b.seal_block(second);
        self.b.switch_to_block(second);
        self.memo.clone_from(&kept);
        let value = self.expr(b).one();
        self.b.ins().jump(end, &[value.into()]);
        self.b.seal_block(end);
        self.b.switch_to_block(end);
        // Values known before the branch dominate the end; values computed in between do not.
        self.memo = kept;
        Val::One(result)
    }

    fn complex_binary(&mut self, op: BinaryOp, x: Val, y: Val) -> Val {
        let ((a, b), (c, d)) = (x.two(), y.two());
        match op {
            BinaryOp::Add => Val::Two(self.fadd(a, c), self.fadd(b, d)),
            BinaryOp::Sub => Val::Two(self.fsub(a, c), self.fsub(b, d)),
            BinaryOp::Mul => {
                let (ac, bd) = (self.fmul(a, c), self.fmul(b, d));
                let (ad, bc) = (self.fmul(a, d), self.fmul(b, c));
                Val::Two(self.fsub(ac, bd), self.fadd(ad, bc))
            }
            BinaryOp::Div => self.complex_division(a, b, c, d),
            BinaryOp::Eq | BinaryOp::Ne => {
                let (re, im) = (self.fcmp(FloatCC::Equal, a, c), self.fcmp(FloatCC::Equal, b, d));
                let both = self.b.ins().band(re, im);
                let truth = if op == BinaryOp::Eq { both } else { self.b.ins().bxor_imm_u(both, 1) };
                Val::One(self.b.ins().uextend(types::I32, truth))
            }
            other => unreachable!("{other:?} of complex numbers"),
        }
    }

    /// Smith's method, as gfortran's -fcx-fortran-rules.
    pub(crate) fn complex_division(&mut self, a: Value, b: Value, c: Value, d: Value) -> Val {
        let (abs_c, abs_d) = (self.fabs(c), self.fabs(d));
        let small_c = self.fcmp(FloatCC::LessThan, abs_c, abs_d);
        let big = self.b.ins().select(small_c, d, c);
        let small = self.b.ins().select(small_c, c, d);
        let ratio = self.fdiv(small, big);
        let scaled = self.fmul(small, ratio);
        let divisor = self.fadd(scaled, big);
        let (ar, br) = (self.fmul(a, ratio), self.fmul(b, ratio));
        let (re1, re2) = (self.fadd(ar, b), self.fadd(br, a));
        let (im1, im2) = (self.fsub(br, a), self.fsub(b, ar));
        let re = self.b.ins().select(small_c, re1, re2);
        let im = self.b.ins().select(small_c, im1, im2);
        Val::Two(self.fdiv(re, divisor), self.fdiv(im, divisor))
    }
}

/// The bytes of a register on the stack, and the power of two that they stand on.
pub(crate) fn register_size(unit: &Unit, v: Sym) -> (u32, u8) {
    let ty = unit.sym(v).ty;
    let size = if crate::wide::short(ty).is_some() { ty.size() as u32 } else { clif_type(ty).bytes() };
    let size = if is_complex(ty) { 2 * size } else { size };
    (size, if size > 8 { 4 } else { 3 })
}

/// The bytes of a symbol on the stack.
pub(crate) fn frame_size(unit: &Unit, v: Sym) -> u32 {
    let data = unit.sym(v);
    let mut size = data.ty.size() as i64;
    if let Some(len) = data.len.expand() {
        size *= unit.pool().as_int(len).unwrap_or(1).max(0);
    }
    for dim in &data.dims {
        let (lo, hi) = (unit.pool().as_int(dim.lower), dim.upper.expand().and_then(|u| unit.pool().as_int(u)));
        if let (Some(lo), Some(hi)) = (lo, hi) {
            size *= (hi - lo + 1).max(0);
        }
    }
    u32::try_from(size.max(8)).unwrap_or(u32::MAX)
}

/// The symbol whose alias region each symbol in memory uses: itself, or of symbols that may overlap (EQUIVALENCE,
/// several views of one COMMON block, components) the first that is part of the same memory. Whatever may be a
/// target, and the memory it is part of, has the region of the first such symbol.
pub(crate) fn region_keys(unit: &Unit) -> FxHashMap<Sym, Sym> {
    let whole = |s: Sym| match unit.sym(unit.root(s)).storage {
        Storage::Static { area, .. } => (Some(area), None),
        Storage::Pointer { base } => (None, Some(base)),
        _ => (None, Some(unit.root(s))),
    };
    let in_memory = || unit.syms().filter(|(_, d)| !d.is_register());
    let mut first = FxHashMap::default();
    let target = in_memory().find(|(_, d)| d.may_alias).map(|(s, _)| s);
    for (s, data) in in_memory() {
        match target.filter(|_| data.may_alias) {
            Some(target) => first.insert(whole(s), target),
            None => Some(*first.entry(whole(s)).or_insert(s)),
        };
    }
    in_memory().map(|(s, _)| (s, first[&whole(s)])).collect()
}
