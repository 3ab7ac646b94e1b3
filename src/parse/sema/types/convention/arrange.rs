//! The order of arguments among which structures go by value, so that each is where C expects it.
//!
//! The code generator gives each value the next register of its kind, or a place on the stack if there is none left. C does not
//! divide a structure between both:
//!
//! ```text
//! f(i, j, k, l, m, t, n)        t: two words, one register left
//!   x86-64    i j k l m n t1 t2           t goes to the stack, n still has the register
//!   AArch64   … t1 t2 n                   nothing after t has a register: the last one is filled with a zero before it
//! ```

use super::Convention;
use smallvec::SmallVec;
use trueline_ir::Type;

/// Registers of both kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Registers {
    integers: usize,
    numbers: usize,
}

/// An argument: a value, or a structure of several.
#[derive(Clone, Debug, Default)]
pub struct Argument {
    registers: Registers,
    /// The words that it takes on the stack.
    words: usize,
    /// Whether it is on the stack whatever registers are left.
    on_stack: bool,
    /// Whether it begins at an even word of the stack.
    is_even: bool,
    /// Whether its values would lie otherwise on the stack than in the structure.
    is_packed: bool,
}

/// A value that is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// The argument with this number.
    Own(usize),
    /// The argument with this number, as words of eight bytes.
    Words(usize),
    /// A zero that nobody reads.
    Filler(Type),
}

impl Argument {
    /// One value.
    pub fn value(convention: Convention, ty: Type) -> Argument {
        let (integers, numbers, words) = match (ty, convention) {
            (Type::R4 | Type::R8, _) => (0, 1, 1),
            (Type::R16, _) => (0, 1, 2),
            (Type::C8, _) => (0, 2, 2),
            (Type::C4, Convention::SystemV) => (0, 1, 1),
            (Type::C4, Convention::Aapcs64) => (0, 2, 1),
            (Type::C16, Convention::SystemV) => (0, 0, 4),
            (Type::C16, Convention::Aapcs64) => (0, 2, 4),
            _ => (1, 0, 1),
        };
        let is_even = matches!(ty, Type::R16 | Type::C16);
        let on_stack = integers + numbers == 0;
        Argument { registers: Registers { integers, numbers }, words, on_stack, is_even, is_packed: false }
    }

    /// The address of the memory of a result.
    pub fn result(convention: Convention, is_memory: bool) -> Argument {
        let integers = usize::from(is_memory && convention == Convention::SystemV);
        Argument { registers: Registers { integers, numbers: 0 }, ..Argument::default() }
    }

    /// A structure in these registers, or on the stack in these words.
    pub fn structure(convention: Convention, types: &[Type], on_stack: bool, is_even: bool) -> Argument {
        let mut out = Argument { on_stack, is_even, ..Argument::default() };
        let mut bytes = 0;
        for &ty in types {
            let one = Argument::value(convention, ty);
            out.registers.integers += one.registers.integers;
            out.registers.numbers += one.registers.numbers;
            bytes += ty.size();
        }
        out.words = bytes.div_ceil(8);
        out.is_packed = types.contains(&Type::R4);
        out
    }
}

impl Convention {
    /// The arguments in the order in which the code generator puts each where C expects it; none if that is their own.
    pub fn arrange(self, arguments: &[Argument]) -> Option<Vec<Slot>> {
        let out = match self {
            Convention::SystemV => system_v(arguments),
            Convention::Aapcs64 => aapcs64(arguments),
        };
        let is_own = out.iter().enumerate().all(|(k, &slot)| slot == Slot::Own(k));
        (!is_own).then_some(out)
    }
}

/// First those in registers, then those on the stack: both keep their order, and no register is left for the latter.
fn system_v(arguments: &[Argument]) -> Vec<Slot> {
    const ALL: Registers = Registers { integers: 6, numbers: 8 };
    let mut used = Registers::default();
    let mut on_stack: SmallVec<[usize; 8]> = SmallVec::new();
    let mut out = Vec::new();
    // Whether each would be where it belongs without any of this.
    let (mut next, mut is_natural) = (Registers::default(), true);
    let mut end = 0;
    for (k, a) in arguments.iter().enumerate() {
        let after =
            Registers { integers: used.integers + a.registers.integers, numbers: used.numbers + a.registers.numbers };
        let fits = !a.on_stack && after.integers <= ALL.integers && after.numbers <= ALL.numbers;
        let free = |all: usize, next: usize, wanted: usize| wanted.min(all.saturating_sub(next));
        let taken = Registers {
            integers: free(ALL.integers, next.integers, a.registers.integers),
            numbers: free(ALL.numbers, next.numbers, a.registers.numbers),
        };
        next.integers += taken.integers;
        next.numbers += taken.numbers;
        is_natural &= taken == if fits { a.registers } else { Registers::default() };
        if fits {
            used = after;
            out.push(Slot::Own(k));
        } else {
            is_natural &= !a.is_even || end % 2 == 0 || a.words == 2 && a.registers.numbers == 1;
            end += usize::from(a.is_even && end % 2 == 1) + a.words;
            on_stack.push(k);
        }
    }
    if is_natural {
        return (0..arguments.len()).map(Slot::Own).collect();
    }
    out.extend((used.integers..ALL.integers).map(|_| Slot::Filler(Type::I8)));
    out.extend((used.numbers..ALL.numbers).map(|_| Slot::Filler(Type::R8)));
    let mut end = 0;
    for k in on_stack {
        if arguments[k].is_even && end % 2 == 1 {
            out.push(Slot::Filler(Type::I8));
            end += 1;
        }
        out.push(Slot::Own(k));
        end += arguments[k].words;
    }
    out
}

/// A structure that does not fit leaves no register of its kind to those after it.
fn aapcs64(arguments: &[Argument]) -> Vec<Slot> {
    const ALL: usize = 8;
    let mut used = Registers::default();
    let mut out = Vec::new();
    for (k, a) in arguments.iter().enumerate() {
        let mut slot = Slot::Own(k);
        for (used, wanted, ty) in
            [(&mut used.integers, a.registers.integers, Type::I8), (&mut used.numbers, a.registers.numbers, Type::R8)]
        {
            if wanted == 0 || *used + wanted <= ALL {
                *used += wanted;
                continue;
            }
            out.extend((*used..ALL).map(|_| Slot::Filler(ty)));
            *used = ALL;
            if a.is_packed {
                slot = Slot::Words(k);
            }
        }
        out.push(slot);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use Slot::{Filler, Own, Words};

    fn arranged(convention: Convention, of: &[&[Type]]) -> Option<Vec<Slot>> {
        let all: Vec<Argument> = of
            .iter()
            .map(|types| match *types {
                [one] => Argument::value(convention, *one),
                many => Argument::structure(convention, many, many.len() > 4, false),
            })
            .collect();
        convention.arrange(&all)
    }

    const I: &[Type] = &[Type::I8];
    const R: &[Type] = &[Type::R8];
    const II: &[Type] = &[Type::I8, Type::I8];
    const FFF: &[Type] = &[Type::R4, Type::R4, Type::R4];

    #[test]
    fn a_structure_is_not_divided_on_x86_64() {
        let of = |all: &[&[Type]]| arranged(Convention::SystemV, all);
        assert_eq!(of(&[I, I, I, I, II, R, R]), None);
        assert_eq!(of(&[I, R, I, I, I, I, I, I, R]), None, "values go to the stack as they come");
        let mut expected: Vec<Slot> = [0, 1, 2, 3, 4, 6].map(Own).to_vec();
        expected.extend([Filler(Type::R8); 8]);
        expected.push(Own(5));
        assert_eq!(of(&[I, I, I, I, I, II, I]), Some(expected), "the last register is for the value after it");
    }

    #[test]
    fn a_large_structure_is_on_the_stack_on_x86_64() {
        let five = [Type::I8; 5];
        let out = arranged(Convention::SystemV, &[I, &five, R]).unwrap();
        assert_eq!(out[..2], [Own(0), Own(2)]);
        assert_eq!(out[2..].iter().filter(|s| matches!(s, Filler(_))).count(), 5 + 7);
        assert_eq!(out.last(), Some(&Own(1)));
    }

    #[test]
    fn an_even_place_on_the_stack() {
        let quads = [Type::C16];
        let seven = [I, I, I, I, I, I, I, &quads];
        let out = arranged(Convention::SystemV, &seven).unwrap();
        assert_eq!(out[out.len() - 3..], [Own(6), Filler(Type::I8), Own(7)]);
        assert_eq!(arranged(Convention::SystemV, &seven[1..]), None);
    }

    #[test]
    fn nothing_after_a_structure_has_a_register_on_aarch64() {
        let of = |all: &[&[Type]]| arranged(Convention::Aapcs64, all);
        let seven = [I; 7];
        let mut all = seven.to_vec();
        all.extend([II, I, R]);
        let mut expected: Vec<Slot> = (0..7).map(Own).collect();
        expected.extend([Filler(Type::I8), Own(7), Own(8), Own(9)]);
        assert_eq!(of(&all), Some(expected));
        assert_eq!(of(&[R, R, R, R, R, FFF, R]), None);
        let out = of(&[R, R, R, R, R, R, FFF, R]).unwrap();
        assert_eq!(out[6..], [Filler(Type::R8), Filler(Type::R8), Words(6), Own(7)]);
    }
}
