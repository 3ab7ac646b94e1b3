//! gfortran's object ABI for procedures, and the C ABI for the runtime.
//!
//! Arguments by reference are addresses; results of functions come back in registers: a
//! `COMPLEX(8)` as two doubles, a `COMPLEX(4)` on x86-64 as both floats in one register, on AArch64 in two.

use crate::types::{clif_type, is_complex};
use cranelift_codegen::ir::{AbiParam, ArgumentPurpose, Signature, Type as ClifType, types};
use cranelift_codegen::isa::CallConv;
use smallvec::{SmallVec, smallvec};
use target_lexicon::{Architecture, Triple};
use trueline_abi::Abi;
use trueline_ir::{Storage, Type, Unit};

/// The CLIF type of a runtime function's argument.
pub(crate) fn clif(abi: Abi) -> ClifType {
    match abi {
        Abi::I32 => types::I32,
        Abi::F32 => types::F32,
        Abi::F64 => types::F64,
        Abi::I64 | Abi::In | Abi::Out | Abi::Opaque => types::I64,
    }
}

/// The form in which a function returns its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Returned {
    /// One value in a register.
    One(ClifType),
    /// Two values in two registers.
    Two(ClifType),
    /// In memory whose address is passed first and returned (x86-64, `COMPLEX(16)`).
    Memory,
    /// Two floats in the halves of one register (x86-64, `COMPLEX(4)`).
    Packed,
}

/// The form in which a value of `ty` is returned on `triple`.
pub(crate) fn returned(ty: Type, triple: &Triple) -> Returned {
    match ty {
        Type::C4 if triple.architecture == Architecture::X86_64 => Returned::Packed,
        Type::C16 if triple.architecture == Architecture::X86_64 => Returned::Memory,
        ty if is_complex(ty) => Returned::Two(clif_type(ty)),
        ty => Returned::One(clif_type(ty)),
    }
}

/// The registers of a value of `ty` that is passed by value before others, or returned in registers.
pub(crate) fn parts(ty: Type, triple: &Triple) -> SmallVec<[AbiParam; 2]> {
    in_form(ty, returned(ty, triple))
}

/// The forms of values that are passed one after the other.
pub(crate) struct Forms<'t> {
    triple: &'t Triple,
    /// The registers for numbers that those before have.
    numbers: usize,
}

impl<'t> Forms<'t> {
    /// The forms of the arguments of one procedure.
    pub(crate) fn new(triple: &'t Triple) -> Forms<'t> {
        Forms { triple, numbers: 0 }
    }

    /// The form of the next value. On AArch64 both parts of a `COMPLEX(4)` lie in one word of the stack.
    pub(crate) fn next(&mut self, ty: Type) -> Returned {
        const REGISTERS: usize = 8;
        let form = returned(ty, self.triple);
        let is_aarch64 = matches!(self.triple.architecture, Architecture::Aarch64(_));
        if is_aarch64 && ty == Type::C4 && self.numbers >= REGISTERS {
            return Returned::Packed;
        }
        self.numbers += match form {
            Returned::One(t) if t.is_float() => 1,
            Returned::Two(_) => 2,
            _ => 0,
        };
        form
    }

    /// The parameters of the next value.
    pub(crate) fn parts(&mut self, ty: Type) -> SmallVec<[AbiParam; 2]> {
        in_form(ty, self.next(ty))
    }
}

/// The parameters, or results in registers, of a value of `ty` in this form.
pub(crate) fn in_form(ty: Type, form: Returned) -> SmallVec<[AbiParam; 2]> {
    match form {
        Returned::One(t) => smallvec![AbiParam::new(t)],
        Returned::Two(t) => smallvec![AbiParam::new(t), AbiParam::new(t)],
        Returned::Packed => smallvec![AbiParam::new(types::F64)],
        // A copy on the stack.
        Returned::Memory => {
            smallvec![AbiParam::special(types::I64, ArgumentPurpose::StructArgument(ty.size() as u32))]
        }
    }
}

/// Adds the results for a function value of `ty`.
pub(crate) fn push_result(signature: &mut Signature, ty: Type, triple: &Triple) {
    if returned(ty, triple) == Returned::Memory {
        signature.params.insert(0, AbiParam::new(types::I64));
        signature.returns.push(AbiParam::new(types::I64));
        return;
    }
    signature.returns.extend(parts(ty, triple));
}

/// Adds the way in which the structure that `unit` gives reaches the caller; gives the parameters after its address.
pub(crate) fn after_result<'u>(unit: &'u Unit, signature: &mut Signature) -> &'u [trueline_ir::Sym] {
    match unit.returned() {
        None => unit.params(),
        Some(way) => {
            push_structure(signature, way);
            &unit.params()[1..]
        }
    }
}

/// Adds a structure that comes in this way: registers, or memory whose address is where the target has it (on AArch64 in a
/// register of its own).
pub(crate) fn push_structure(signature: &mut Signature, way: trueline_ir::Returned) {
    if way == trueline_ir::Returned::MEMORY {
        signature.params.push(AbiParam::special(types::I64, ArgumentPurpose::StructReturn));
    }
    signature.returns.extend(way.registers().iter().map(|&ty| AbiParam::new(clif_type(ty))));
}

/// The signature of a unit.
pub(crate) fn unit_signature(unit: &Unit, triple: &Triple) -> Signature {
    let mut signature = Signature::new(CallConv::triple_default(triple));
    let mut forms = Forms::new(triple);
    for &p in after_result(unit, &mut signature) {
        match unit.sym(p).storage {
            Storage::Value { .. } => signature.params.extend(forms.parts(unit.sym(p).ty)),
            _ => signature.params.push(AbiParam::new(types::I64)),
        }
    }
    if let Some(result) = unit.result() {
        push_result(&mut signature, unit.sym(result).ty, triple);
    }
    signature
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complex_4_on_the_stack_is_one_word_on_aarch64() {
        let arm: Triple = "aarch64-unknown-linux-gnu".parse().unwrap();
        let mut forms = Forms::new(&arm);
        for _ in 0..3 {
            assert_eq!(forms.next(Type::C8), Returned::Two(types::F64));
        }
        forms.next(Type::I8);
        assert_eq!(forms.next(Type::C4), Returned::Two(types::F32), "the last two registers");
        assert_eq!(forms.next(Type::C4), Returned::Packed);
        assert_eq!(forms.next(Type::C8), Returned::Two(types::F64));
        let x86: Triple = "x86_64-unknown-linux-gnu".parse().unwrap();
        let mut forms = Forms::new(&x86);
        assert!((0..9).all(|_| forms.next(Type::C4) == Returned::Packed));
    }
}
