//! The pointers of a target whose loads and stores reach only near addresses.
//!
//! ```text
//! p = &a + 16                      x5 = -2048, q1 = [x4, x5]        x4 = &a + 16 - 2056
//! loop                             x5 = -2056, [x15, x5] = q1   =>
//!   [p - 2056] = … [p - 2040] …    …                                q1 = [x4], q2 = [x4, 16]
//!   p = p + 32                     x4 = x4 + 32                     x4 = x4 + 32
//! ```
//!
//! On AArch64 a displacement is part of the instruction if it is a multiple of the size of the memory, and not negative, or
//! within 256 bytes; any other takes an instruction that makes it, each time. So a register that only loads and stores are
//! addressed from is held with a constant added to it, by which most of its displacements are near. If many are left, a second
//! register holds it with another constant. The IR is the same for all targets.

use crate::expr::{Kept, Translator};
use crate::symbols::ADDRESS;
use crate::types::{is_complex, part};
use cranelift_codegen::ir::{InstBuilder, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use target_lexicon::{Architecture, Triple};
use trueline_ir::{BinaryOp, Callee, Expr, ExprData, Head, Storage, Sym, Type, Unit};

/// Registers that hold one pointer.
const MOST: usize = 3;
/// Different displacements among which constants are chosen; with more of them a pointer stays as it is.
const MOST_DISPLACEMENTS: usize = 200;

/// The constants that are added to a pointer, each in a register of its own.
pub(super) type Constants = SmallVec<[i64; MOST]>;

impl Translator<'_, '_> {
    /// The value that the first variable of `v` gets; the further ones of a pointer get theirs.
    pub(super) fn hold_pointer(&mut self, v: Sym, value: Value) -> Value {
        let Some((constants, further)) = self.pointers.get_mut(&v) else { return value };
        while further.len() + 1 < constants.len() {
            further.push(self.b.declare_var(ADDRESS));
        }
        for (&variable, &constant) in further.iter().zip(&constants[1..]) {
            let held = self.b.ins().iadd_imm_s(value, constant);
            self.b.def_var(variable, held);
        }
        self.b.ins().iadd_imm_s(value, constants[0])
    }

    /// The address that `offset` is added to for a value of `ty`, and the offset.
    pub(crate) fn pointer(&mut self, addr: Expr, offset: i32, ty: Type) -> (Value, i32) {
        if let ExprData::Var(p) = self.unit.expr(addr)
            && let Some((constants, further)) = self.pointers.get(&p)
        {
            let (number, constant) = nearest(constants, offset, ty);
            let variable = number.checked_sub(1).and_then(|k| further.get(k).copied());
            if let (true, Ok(offset)) = (number == 0 || variable.is_some(), i32::try_from(i64::from(offset) - constant))
            {
                let variable = variable.unwrap_or_else(|| self.variable(p)[0]);
                return (self.b.use_var(variable), offset);
            }
        }
        if let ExprData::Binary(BinaryOp::Add, a, b) = self.unit.expr(addr)
            && matches!(self.facts.kept, Kept::None)
            && takes_constant(offset, ty, self.shared.triple)
        {
            // Both stand in the instruction if only one of them is a sum.
            let (base, index) = if self.is_index(a) { (b, a) } else { (a, b) };
            let (base, index) = (self.expr(base).one(), self.expr(index).one());
            let base = self.b.ins().iadd_imm_s(base, i64::from(offset));
            return (self.b.ins().iadd(base, index), 0);
        }
        (self.expr(addr).one(), offset)
    }

    /// Whether an address has `e` as its index: a product, or a number that is made wider.
    pub(super) fn is_index(&self, e: Expr) -> bool {
        matches!(self.unit.expr(e), ExprData::Binary(BinaryOp::Mul, ..) | ExprData::Convert(..))
    }
}

/// The displacements of a register, each with the size of the memory.
#[derive(Default)]
struct Uses {
    displacements: Vec<(i64, i64)>,
    /// Whether it is read for anything but addresses and the next value of itself.
    is_read: bool,
}

/// The constants of the pointers of `unit` that are held with others than zero.
pub(super) fn constants(unit: &Unit, triple: &Triple) -> FxHashMap<Sym, Constants> {
    if !matches!(triple.architecture, Architecture::Aarch64(_)) {
        return FxHashMap::default();
    }
    let mut all: FxHashMap<Sym, Uses> = FxHashMap::default();
    // Profiled code is held as plain code is: counting has no influence.
    for s in unit.walk().into_iter().filter(|&s| !unit.head(s).is_invisible()) {
        collect(unit, unit.head(s), &mut all);
    }
    for (_, data) in unit.syms() {
        if let Storage::Pointer { base } = data.storage {
            all.entry(base).or_default().is_read = true;
        }
    }
    let chosen = all.into_iter().filter_map(|(v, uses)| {
        let data = unit.sym(v);
        // A debugger shows the user's variables as they are.
        let may =
            !uses.is_read && !data.from_source && data.ty == Type::I8 && matches!(data.storage, Storage::Register);
        let constants = choose(&uses.displacements);
        (may && constants.as_slice() != [0]).then_some((v, constants))
    });
    chosen.collect()
}

fn collect(unit: &Unit, head: Head, all: &mut FxHashMap<Sym, Uses>) {
    let pointer = |addr: Expr| match unit.expr(addr) {
        ExprData::Var(p) if unit.sym(p).is_register() => Some(p),
        _ => None,
    };
    // `p = p + 8`.
    if let Head::Assign { place, value } = head
        && let ExprData::Binary(BinaryOp::Add | BinaryOp::Sub, from, by) = unit.expr(value)
        && from == place
        && unit.pool().as_int(by).is_some()
    {
        return;
    }
    let mut todo: SmallVec<[Expr; 16]> = SmallVec::new();
    match head {
        Head::Store { addr, offset, value, .. } => {
            match pointer(addr) {
                Some(p) => all.entry(p).or_default().displacements.push((i64::from(offset), size(unit.ty(value)))),
                None => todo.push(addr),
            }
            todo.push(value);
        }
        _ => todo.extend(unit.values(head)),
    }
    if let Head::Call { callee: Callee::Dummy(v), .. } = head {
        all.entry(v).or_default().is_read = true;
    }
    let mut seen = FxHashSet::default();
    while let Some(e) = todo.pop() {
        if !seen.insert(e) {
            continue;
        }
        match unit.expr(e) {
            ExprData::Load { ty, addr, offset, .. } if pointer(addr).is_some() => {
                let uses = pointer(addr).map(|p| all.entry(p).or_default());
                uses.into_iter().for_each(|uses| uses.displacements.push((i64::from(offset), size(ty))));
            }
            ExprData::Var(v) => all.entry(v).or_default().is_read = true,
            _ => unit.pool().operands(e, |o| todo.push(o)),
        }
    }
}

/// The size of the memory that one instruction loads or stores.
fn size(ty: Type) -> i64 {
    let one = if is_complex(ty) { part(ty) } else { ty };
    one.size() as i64
}

/// Whether `displacement` is part of an instruction for memory of `size` bytes.
fn is_near(displacement: i64, size: i64) -> bool {
    let is_scaled = displacement % size == 0 && (0..4096).contains(&(displacement / size));
    is_scaled || (-256..256).contains(&displacement)
}

/// Whether a load or store by a sum of two numbers takes instructions for `displacement`, each time: no sum of three numbers is part
/// of one. The displacement is added to a number of the sum then, once for all references of a block with the same one.
pub(super) fn takes_constant(displacement: i32, ty: Type, triple: &Triple) -> bool {
    let (at, size) = (i64::from(displacement), size(ty));
    let is_scaled = at % size == 0 && (0..4096).contains(&(at / size));
    matches!(triple.architecture, Architecture::Aarch64(_)) && !is_complex(ty) && !is_scaled
}

/// The constants by which most displacements are near. A further one takes an instruction wherever the pointer changes, so it must
/// save two.
fn choose(displacements: &[(i64, i64)]) -> Constants {
    let near = |c: i64, of: &[(i64, i64)]| of.iter().filter(|&&(at, size)| is_near(at - c, size)).count();
    let mut candidates: Vec<i64> = displacements.iter().map(|d| d.0).collect();
    candidates.sort_unstable();
    candidates.dedup();
    let mut out: Constants = smallvec![0];
    if candidates.len() > MOST_DISPLACEMENTS {
        return out;
    }
    // The lowest of equally good ones is taken, and none if zero is as good.
    let best = |of: &[(i64, i64)]| candidates.iter().map(|&c| (near(c, of), c)).rev().max_by_key(|&(n, _)| n);
    if let Some((n, c)) = best(displacements)
        && n > near(0, displacements)
    {
        out[0] = c;
    }
    let mut left = displacements.to_vec();
    while out.len() < MOST {
        left.retain(|&(at, size)| out.last().is_some_and(|c| !is_near(at - c, size)));
        match best(&left) {
            Some((n, c)) if n > 1 => out.push(c),
            _ => break,
        }
    }
    out
}

/// The constant of the register from which `displacement` is near, and its number; the first one if none is.
pub(super) fn nearest(constants: &[i64], displacement: i32, ty: Type) -> (usize, i64) {
    let size = size(ty);
    let near = constants.iter().position(|c| is_near(i64::from(displacement) - c, size)).unwrap_or(0);
    (near, constants[near])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displacements_of_an_instruction() {
        for (displacement, size, expected) in [
            (0, 8, true),
            (32760, 8, true),
            (32768, 8, false),
            (2041, 8, false),
            (255, 8, true),
            (-256, 8, true),
            (-257, 8, false),
        ] {
            assert_eq!(is_near(displacement, size), expected, "{displacement} of {size}");
        }
    }

    #[test]
    fn the_lowest_displacement_is_the_constant() {
        assert_eq!(choose(&[(-2056, 16), (-2040, 16)]).as_slice(), [-2056]);
        assert_eq!(choose(&[(8, 8), (1600, 8), (-8, 8)]).as_slice(), [0], "all are near");
        assert_eq!(choose(&[]).as_slice(), [0]);
    }

    #[test]
    fn a_second_register_saves_two_instructions() {
        let stencil = [(-4104, 16), (-4088, 16), (-8, 16), (8, 16), (-2064, 16), (-2048, 16), (-2032, 16)];
        assert_eq!(choose(&stencil).as_slice(), [-4104, -2064]);
        assert_eq!(choose(&stencil[..5]).as_slice(), [-4104], "one is not worth it");
        assert_eq!(nearest(&[-4104, -2064], -2048, Type::R8), (0, -4104), "2056 is a multiple of 8");
    }
}
