//! The registers of structures that go by value: the C ABI of each target.
//!
//! ```text
//! type, bind(c) :: t                 x86-64    i8, r8        each eight bytes, by all that lies in them
//!   integer(4) n, k                  AArch64   i8, i8        eight bytes each
//!   real(8) z
//! end type
//! type, bind(c) :: u                 x86-64    r8, r8        two numbers in one register
//!   real(4) x, y, z                  AArch64   r4, r4, r4    up to four equal numbers: one in each register
//! end type
//! ```

use smallvec::SmallVec;
use trueline_ir::{Returned, Type};

pub mod arrange;

/// A part that goes in one register: the offset of its bytes, and the type that they travel as.
pub type Piece = (u64, Type);

/// The most numbers that AArch64 passes in registers of their own.
const MOST_NUMBERS: usize = 4;

/// The most bytes of a structure that is passed on the stack.
pub const MOST_ON_STACK: u64 = 4096;

/// The rules of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Convention {
    /// System V's for x86-64.
    SystemV,
    /// Arm's for AArch64.
    Aapcs64,
}

impl Default for Convention {
    /// The convention of the machine that compiles.
    fn default() -> Convention {
        if cfg!(target_arch = "aarch64") { Convention::Aapcs64 } else { Convention::SystemV }
    }
}

impl Convention {
    /// The registers of a structure of `size` bytes with `fields`: the offset of each number in it, and its type if it is a
    /// real one. None if it goes through memory.
    pub fn registers(self, size: u64, fields: &[(u64, Option<Type>)]) -> Option<SmallVec<[Piece; 2]>> {
        match self {
            Convention::Aapcs64 => equal_numbers(size, fields, MOST_NUMBERS).or_else(|| words(size, |_| true)),
            Convention::SystemV if fields == [(0, Some(Type::R16))] => Some(SmallVec::from_slice(&[(0, Type::R16)])),
            Convention::SystemV => {
                words(size, |k| fields.iter().any(|&(at, ty)| at / 8 == k && ty.is_none_or(|ty| ty == Type::R16)))
            }
        }
    }

    /// The words of a structure of `size` bytes that is too large for registers and lies among the arguments on the stack; none
    /// if the caller passes the address of a copy.
    pub fn on_stack(self, size: u64) -> Option<SmallVec<[Piece; 2]>> {
        let fits = self == Convention::SystemV && (1..=MOST_ON_STACK).contains(&size);
        fits.then(|| (0..size.div_ceil(8)).map(|k| (8 * k, Type::I8)).collect())
    }

    /// The way in which a structure of `size` bytes with `fields` is a function's result.
    pub fn returned(self, size: u64, fields: &[(u64, Option<Type>)]) -> Option<Returned> {
        if size == 0 {
            return None;
        }
        let Some(pieces) = self.registers(size, fields) else { return Some(Returned::MEMORY) };
        let types: SmallVec<[Type; 4]> = pieces.iter().map(|p| p.1).collect();
        Returned::in_registers(&types, size)
    }

    /// Whether the caller of a function with a result of this type passes the address of memory for it.
    pub fn is_in_memory(self, ty: Type) -> bool {
        self == Convention::SystemV && ty == Type::C16
    }

    /// The type of a result in these registers, if the IR has one of it.
    pub fn together(self, pieces: &[Piece]) -> Option<Type> {
        match (self, pieces) {
            (_, &[(_, ty)]) => Some(ty),
            (_, [(_, Type::R8), (_, Type::R8)]) => Some(Type::C8),
            (Convention::Aapcs64, [(_, Type::R4), (_, Type::R4)]) => Some(Type::C4),
            (Convention::Aapcs64, [(_, Type::R16), (_, Type::R16)]) => Some(Type::C16),
            _ => None,
        }
    }
}

/// The numbers, if there are at most so many, all of one real type and nothing else.
fn equal_numbers(size: u64, fields: &[(u64, Option<Type>)], most: usize) -> Option<SmallVec<[Piece; 2]>> {
    let ty = fields.first()?.1?;
    let fits = fields.len() <= most && size == (fields.len() * ty.size()) as u64;
    (fits && fields.iter().all(|f| f.1 == Some(ty))).then(|| fields.iter().map(|f| (f.0, ty)).collect())
}

/// At most two words; in those of which `is_integer` is not true lie floating-point numbers.
fn words(size: u64, is_integer: impl Fn(u64) -> bool) -> Option<SmallVec<[Piece; 2]>> {
    let ty = |k| if is_integer(k) { Type::I8 } else { Type::R8 };
    (1..=16).contains(&size).then(|| (0..size.div_ceil(8)).map(|k| (8 * k, ty(k))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(convention: Convention, size: u64, fields: &[(u64, Option<Type>)]) -> Option<Vec<Piece>> {
        convention.registers(size, fields).map(|p| p.to_vec())
    }

    #[test]
    fn system_v() {
        let of = |size, fields: &[_]| of(Convention::SystemV, size, fields);
        let (r4, r8) = (Some(Type::R4), Some(Type::R8));
        assert_eq!(of(16, &[(0, None), (4, None), (8, r8)]), Some(vec![(0, Type::I8), (8, Type::R8)]));
        assert_eq!(of(12, &[(0, r4), (4, r4), (8, r4)]), Some(vec![(0, Type::R8), (8, Type::R8)]));
        assert_eq!(of(8, &[(0, r4), (4, None)]), Some(vec![(0, Type::I8)]), "one integer makes a word one");
        assert_eq!(of(16, &[(0, Some(Type::R16))]), Some(vec![(0, Type::R16)]));
        assert_eq!(of(24, &[(0, r8), (8, r8), (16, r8)]), None);
        assert_eq!(of(0, &[]), None);
    }

    #[test]
    fn aapcs64() {
        let of = |size, fields: &[_]| of(Convention::Aapcs64, size, fields);
        let (r4, r8) = (Some(Type::R4), Some(Type::R8));
        assert_eq!(of(16, &[(0, None), (4, None), (8, r8)]), Some(vec![(0, Type::I8), (8, Type::I8)]));
        assert_eq!(of(12, &[(0, r4), (4, r4), (8, r4)]), Some(vec![(0, Type::R4), (4, Type::R4), (8, Type::R4)]));
        assert_eq!(of(32, &[(0, r8), (8, r8), (16, r8), (24, r8)]).map(|p| p.len()), Some(4));
        assert_eq!(of(40, &[(0, r8), (8, r8), (16, r8), (24, r8), (32, r8)]), None);
        assert_eq!(of(16, &[(0, r4), (8, r8)]), Some(vec![(0, Type::I8), (8, Type::I8)]), "unequal numbers");
        assert_eq!(of(16, &[(0, r4), (4, r4), (8, r4), (12, None)]), Some(vec![(0, Type::I8), (8, Type::I8)]));
        assert_eq!(of(20, &[(0, r4), (4, r4), (8, r4), (12, r4), (16, r4)]), None);
    }

    #[test]
    fn results() {
        let two = |ty| [(0, ty), (8, ty)];
        assert_eq!(Convention::SystemV.together(&two(Type::R8)), Some(Type::C8));
        assert_eq!(Convention::SystemV.together(&two(Type::I8)), None);
        assert_eq!(Convention::SystemV.together(&[(0, Type::R4), (4, Type::R4)]), None, "they share a register");
        assert_eq!(Convention::Aapcs64.together(&[(0, Type::R4), (4, Type::R4)]), Some(Type::C4));
        assert_eq!(Convention::Aapcs64.together(&[(0, Type::I8)]), Some(Type::I8));
    }
}
