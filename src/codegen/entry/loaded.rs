//! Arguments that the entry of a procedure loads.
//!
//! ```text
//! name:  mov (%rdi), %edi        callers that only know the symbol pass the address of n
//!        mov %rdx, %rsi          the other arguments, in the registers that the code has for them
//! code:  cmp $2, %edi …          calls in the same object pass the value, and pass by the entry
//! ```
//!
//! The optimizer says which arguments these are ([`trueline_ir::SymData::is_loaded`]).

use crate::Error;
use rustc_hash::FxHashMap;
use target_lexicon::{Architecture, Triple};
use trueline_ir::{ExprData, Storage, Type, Unit};

/// An instruction of an entry; registers are numbered as arguments are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Move {
    /// An address, or a number by value, that has another register in the code.
    Copy { from: usize, to: usize },
    /// Loads this many bytes.
    Int { bytes: usize, from: usize, to: usize },
    /// The same into a register for real numbers.
    Real { bytes: usize, from: usize, to: usize },
}

/// The procedures of the object with such arguments.
#[derive(Default)]
pub(crate) struct Loaded {
    by_symbol: FxHashMap<String, Vec<usize>>,
}

impl Loaded {
    pub(crate) fn of(units: &[Unit]) -> Loaded {
        let positions = |u: &Unit| {
            let positions: Vec<usize> =
                (0..).zip(u.params()).filter(|(_, p)| u.sym(**p).is_loaded).map(|x| x.0).collect();
            (!positions.is_empty()).then(|| (u.symbol().to_owned(), positions))
        };
        Loaded { by_symbol: units.iter().filter_map(positions).collect() }
    }

    /// The symbols of the procedures.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = &String> {
        self.by_symbol.keys()
    }

    /// Whether a call of `symbol` in `unit` passes the values.
    pub(crate) fn is_direct(&self, unit: &Unit, symbol: &str, args: &[trueline_ir::Expr]) -> bool {
        let passed =
            |k: &usize| args.get(*k).is_some_and(|&a| !matches!(unit.expr(a), ExprData::AddrOf(..) | ExprData::Null));
        self.by_symbol.get(symbol).is_some_and(|all| all.iter().all(passed))
    }
}

/// The instructions that bring the arguments of `unit` to where its code has them.
///
/// # Errors
/// If there is no register for one of them, which the optimizer excludes.
pub(crate) fn code(unit: &Unit, triple: &Triple) -> Result<Vec<u8>, Error> {
    let of_x86 = triple.architecture == Architecture::X86_64;
    let moves = moves(unit, if of_x86 { X86_64.len() } else { 8 });
    let moves = moves.ok_or_else(|| Error::internal("an entry cannot load an argument"))?;
    let mut out = Vec::new();
    for m in moves {
        if of_x86 { x86_64(m, &mut out) } else { out.extend(aarch64(m).to_le_bytes()) }
    }
    Ok(out)
}

/// A register's number never grows from the entry to the code, so in their order no move destroys what a later one needs.
fn moves(unit: &Unit, registers: usize) -> Option<Vec<Move>> {
    let (mut ints, mut reals) = (0, 0);
    let mut out = Vec::new();
    if unit.params().len() > registers || unit.returned().is_some() {
        return None;
    }
    for (from, &p) in unit.params().iter().enumerate() {
        let sym = unit.sym(p);
        let (is_value, bytes) = (matches!(sym.storage, Storage::Value { .. }), sym.ty.size());
        match sym.ty {
            Type::R4 | Type::R8 if sym.is_loaded => {
                out.push(Move::Real { bytes, from, to: reals });
                reals += 1;
                continue;
            }
            Type::I4 | Type::I8 | Type::L4 | Type::L8 if sym.is_loaded => out.push(Move::Int { bytes, from, to: ints }),
            ty if sym.is_loaded || is_value && (ty.is_real() || ty.is_complex() || bytes > 8) => return None,
            _ if from != ints => out.push(Move::Copy { from, to: ints }),
            _ => {}
        }
        ints += 1;
    }
    Some(out)
}

/// The numbers in instructions of the registers for arguments.
const X86_64: [u8; 6] = [7, 6, 2, 1, 8, 9];

fn x86_64(m: Move, out: &mut Vec<u8>) {
    let encode = |out: &mut Vec<u8>, wide: bool, opcode: &[u8], mode: u8, reg: u8, rm: u8| {
        let rex = u8::from(wide) << 3 | (reg >> 3) << 2 | rm >> 3;
        out.extend((rex != 0).then_some(0x40 | rex));
        out.extend(opcode);
        out.push(mode << 6 | (reg & 7) << 3 | rm & 7);
    };
    match m {
        Move::Copy { from, to } => encode(out, true, &[0x8b], 3, X86_64[to], X86_64[from]),
        Move::Int { bytes, from, to } => encode(out, bytes == 8, &[0x8b], 0, X86_64[to], X86_64[from]),
        Move::Real { bytes, from, to } => {
            out.push(if bytes == 8 { 0xf2 } else { 0xf3 });
            encode(out, false, &[0x0f, 0x10], 0, to as u8, X86_64[from]);
        }
    }
}

fn aarch64(m: Move) -> u32 {
    match m {
        Move::Copy { from, to } => 0xaa00_03e0 | (from as u32) << 16 | to as u32,
        Move::Int { bytes, from, to } => {
            (if bytes == 8 { 0xf940_0000 } else { 0xb940_0000 }) | (from as u32) << 5 | to as u32
        }
        Move::Real { bytes, from, to } => {
            (if bytes == 8 { 0xfd40_0000 } else { 0xbd40_0000 }) | (from as u32) << 5 | to as u32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> Unit {
        let text = "subroutine s(a, x, n, b, m) l\nr8 a(10), b(10)\nr8 x value loaded\ni4 n value loaded\ni8 m value loaded\nreturn @1";
        trueline_ir::parse_program(text).unwrap().units.remove(0)
    }

    #[test]
    fn arguments_move_to_the_registers_of_the_code() {
        let x86: Triple = "x86_64-unknown-linux-gnu".parse().unwrap();
        // movsd (%rsi), %xmm0; mov (%rdx), %esi; mov %rcx, %rdx; mov (%r8), %rcx
        let bytes = [0xf2, 0x0f, 0x10, 0x06, 0x8b, 0x32, 0x48, 0x8b, 0xd1, 0x49, 0x8b, 0x08];
        assert_eq!(code(&unit(), &x86).unwrap(), bytes);
        let arm: Triple = "aarch64-unknown-linux-gnu".parse().unwrap();
        // ldr d0, [x1]; ldr w1, [x2]; mov x2, x3; ldr x3, [x4]
        let words = [0xfd40_0020u32, 0xb940_0041, 0xaa03_03e2, 0xf940_0083];
        assert_eq!(code(&unit(), &arm).unwrap(), words.map(u32::to_le_bytes).concat());
    }
}
