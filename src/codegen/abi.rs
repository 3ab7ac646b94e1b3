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

/// The registers of a value of `ty` that is passed by value, or returned in registers.
pub(crate) fn parts(ty: Type, triple: &Triple) -> SmallVec<[AbiParam; 2]> {
    match returned(ty, triple) {
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
    for &p in after_result(unit, &mut signature) {
        match unit.sym(p).storage {
            Storage::Value { .. } => signature.params.extend(parts(unit.sym(p).ty, triple)),
            _ => signature.params.push(AbiParam::new(types::I64)),
        }
    }
    if let Some(result) = unit.result() {
        push_result(&mut signature, unit.sym(result).ty, triple);
    }
    signature
}
