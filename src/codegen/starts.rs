//! The code by which probes start timers, behind the code of the procedure: it passes the arguments that the runtime
//! needs.
//!
//! ```text
//! …          call start                 in the procedure; rarely executed
//! …
//! start:     call trueline_start_region_at
//!            lea  trueline.records+16*k(%rip), %rsi
//!            lea  trueline.counters+8*cell(%rip), %r8      or no cell: xor %r8d, %r8d
//!            mov  $entry, %edx
//!            ret
//! ```
//!
//! Arguments have registers of their own. If the procedure passed them, it would have to keep its values elsewhere at
//! each probe, and the allocator would move them there in the loop before it. So the call there has no arguments. The
//! routine saves all registers first, then calls the code behind the call, which loads the arguments, and returns to
//! the procedure.

use crate::symbols::{COUNTERS, RECORDS, Symbols};
use crate::{Error, probe_function};
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{ExtFuncData, ExternalName, FuncRef, Function, Signature, UserExternalName};
use cranelift_codegen::isa::CallConv;
use cranelift_module::{Linkage, ModuleReloc, ModuleRelocTarget};
use cranelift_object::ObjectModule;
use trueline_abi::record::{AT, RECORD_SIZE};
use trueline_ir::ProbeOp;

/// The first namespace of their names: each has one, whose index is the number of the record.
const NAMESPACE: u32 = 2;

const OPERATIONS: [ProbeOp; 3] = [ProbeOp::StartProcedure, ProbeOp::StartLoop, ProbeOp::StartRegion];

/// A start of a timer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Start {
    pub(crate) op: ProbeOp,
    /// The number of the record.
    pub(crate) record: u32,
    /// Whether invocations are counted down: in the cell behind the counters with the number of the record.
    pub(crate) counts_down: bool,
    /// Whether starting is an invocation.
    pub(crate) is_entry: bool,
}

impl Start {
    fn name(self) -> Option<UserExternalName> {
        let op = OPERATIONS.iter().position(|op| *op == self.op)? as u32;
        let namespace = NAMESPACE + 4 * op + 2 * u32::from(self.counts_down) + u32::from(self.is_entry);
        Some(UserExternalName::new(namespace, self.record))
    }

    fn named(name: &ModuleRelocTarget) -> Option<Start> {
        let &ModuleRelocTarget::User { namespace, index: record } = name else { return None };
        let kind = namespace.checked_sub(NAMESPACE)?;
        let op = *OPERATIONS.get(kind as usize / 4)?;
        Some(Start { op, record, counts_down: kind & 2 != 0, is_entry: kind & 1 != 0 })
    }

    /// The function to be called; none for other operations.
    pub(crate) fn reference(self, func: &mut Function) -> Option<FuncRef> {
        let name = func.declare_imported_user_function(self.name()?);
        let signature = func.import_signature(Signature::new(CallConv::PreserveAll));
        let name = ExternalName::user(name);
        Some(func.import_function(ExtFuncData { name, signature, colocated: true, patchable: false }))
    }
}

/// Declares the routines.
pub(crate) fn declare(module: &mut ObjectModule, symbols: &mut Symbols) -> Result<(), Error> {
    for op in OPERATIONS {
        symbols.function(module, &routine(op), Linkage::Import)?;
    }
    Ok(())
}

fn routine(op: ProbeOp) -> String {
    format!("{}{AT}", probe_function(op).signature().symbol)
}

/// The code of the starts that the procedure `code` calls, which follows it. The calls are led there and taken out of `relocs`; those
/// of the starts are added.
pub(crate) fn append(
    symbols: &Symbols,
    counters: usize,
    code: &mut [u8],
    relocs: &mut Vec<ModuleReloc>,
) -> Result<Vec<u8>, Error> {
    let mut calls: Vec<(Start, u32, i64)> = Vec::new();
    relocs.retain(|r| {
        let start = Start::named(&r.name);
        calls.extend(start.map(|s| (s, r.offset, r.addend)));
        start.is_none()
    });
    let (mut out, mut places) = (Vec::new(), Vec::<(Start, usize)>::new());
    for (start, at, addend) in calls {
        let known = places.iter().find(|(s, _)| *s == start).map(|p| p.1);
        let target = match known {
            Some(target) => target,
            None => {
                let target = code.len() + out.len();
                write(symbols, counters, start, &mut out, &mut |at, name, kind, addend| {
                    relocs.push(ModuleReloc { offset: (code.len() + at) as u32, kind, name, addend });
                })?;
                places.push((start, target));
                target
            }
        };
        let displacement = i32::try_from(target as i64 - i64::from(at) + addend);
        let displacement = displacement.map_err(|_| Error::internal("a procedure has more than two gigabytes"))?;
        let place = code.get_mut(at as usize..at as usize + 4).ok_or_else(|| Error::internal("a call is cut"))?;
        place.copy_from_slice(&displacement.to_le_bytes());
    }
    Ok(out)
}

/// The code of one start; `relocate` adds a relocation.
fn write(
    symbols: &Symbols,
    counters: usize,
    start: Start,
    out: &mut Vec<u8>,
    relocate: &mut dyn FnMut(usize, ModuleRelocTarget, Reloc, i64),
) -> Result<(), Error> {
    let missing = || Error::internal("there are no counters");
    let data = |name| symbols.data_id(name).map(|id| ModuleRelocTarget::user(1, id.as_u32())).ok_or_else(missing);
    let routine = symbols.function_id(&routine(start.op)).ok_or_else(missing)?;
    let record = i64::from(start.record);
    out.push(0xe8);
    relocate(out.len(), ModuleRelocTarget::user(0, routine.as_u32()), Reloc::X86CallPCRel4, -4);
    out.extend([0, 0, 0, 0, 0x48, 0x8d, 0x35]);
    relocate(out.len(), data(RECORDS)?, Reloc::X86PCRel4, record * RECORD_SIZE as i64 - 4);
    out.extend([0; 4]);
    if start.counts_down {
        out.extend([0x4c, 0x8d, 0x05]);
        relocate(out.len(), data(COUNTERS)?, Reloc::X86PCRel4, (counters as i64 + record) * 8 - 4);
        out.extend([0; 4]);
    } else {
        out.extend([0x45, 0x31, 0xc0]);
    }
    out.extend([0xba, u8::from(start.is_entry), 0, 0, 0, 0xc3]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_have_names() {
        for op in OPERATIONS {
            for (counts_down, is_entry) in [(false, false), (false, true), (true, false), (true, true)] {
                let start = Start { op, record: 7, counts_down, is_entry };
                let name = start.name().unwrap();
                assert_eq!(Start::named(&ModuleRelocTarget::user(name.namespace, name.index)), Some(start));
            }
        }
        let end = Start { op: ProbeOp::EndLoop, record: 0, counts_down: false, is_entry: false };
        assert_eq!(end.name(), None);
        assert_eq!([0, 1, 14].map(|n| Start::named(&ModuleRelocTarget::user(n, 0))), [None; 3]);
    }
}
