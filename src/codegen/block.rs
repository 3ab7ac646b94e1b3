//! The thread's block: where compiled code finds the counters of the thread that runs it.
//!
//! The runtime lays each block out as the linker lays out the section of the counters of all objects, and keeps in a thread-local
//! word how far the section is away from the block (`trueline_abi::record::BLOCK_DISTANCE`). So the counters of an object are at
//!
//! ```text
//! mov  trueline_block_distance@gottpoff(%rip), %a     a constant in executables
//! lea  trueline.counters(%rip), %b
//! sub  %fs:(%a), %b
//! ```
//!
//! in programs and in shared libraries, also in libraries that are loaded while threads run. Cranelift's `tls_value` is
//! a call that clobbers registers. So Cranelift gets an ordinary `symbol_value`, a load from the table of global
//! offsets, and an ordinary load behind that. The relocation of the first becomes one for the offset from the thread
//! pointer; the second, known by its trap code, gets a prefix in place of its displacement
//! ([`address_from_thread_pointer`]).
//!
//! It is a subtraction, not an addition: Cranelift would make an index of an addend, which takes a register of its own
//! in a loop.
//!
//! The entry of the object's code checks whether the thread has a block at all: see [`crate::entry`].

use crate::Error;
use crate::expr::Translator;
use crate::symbols::{ADDRESS, COUNTERS, Symbols};
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{
    ExternalName, Function, GlobalValue, GlobalValueData, InstBuilder, MemFlagsData, TrapCode, UserExternalName, Value,
};
use cranelift_module::{DataId, FuncId, Linkage, Module, ModuleReloc, ModuleRelocTarget};
use cranelift_object::object::{self, write::Relocation};
use cranelift_object::{ObjectModule, ObjectProduct};
use target_lexicon::{Architecture, Triple};
use trueline_abi::record::{BLOCK_DISTANCE, TAKE_BLOCK};

/// The displacement of a load that will be one from the thread pointer: too large for one byte.
const DISPLACEMENT: i32 = 0x7fff_fff0;

/// The trap code that tells where such loads are in the code. They never trap.
pub(crate) fn mark() -> TrapCode {
    TrapCode::unwrap_user(200)
}

/// Whether each thread has a block of counters on the target.
pub(crate) fn has_blocks(triple: &Triple) -> bool {
    matches!(triple.architecture, Architecture::X86_64)
}

/// Declares the thread-local word and the routine of the runtime.
pub(crate) fn declare(module: &mut ObjectModule, symbols: &mut Symbols) -> Result<(), Error> {
    if has_blocks(module.isa().triple()) {
        symbols.thread_local(module, BLOCK_DISTANCE)?;
        symbols.function(module, TAKE_BLOCK, Linkage::Import)?;
    }
    Ok(())
}

/// The address of the object's counters: the calling thread's where each has its own.
pub(crate) fn counters(t: &mut Translator<'_, '_>) -> Value {
    let section = t.global(COUNTERS);
    if !has_blocks(t.shared.triple) {
        return section;
    }
    let word = distance(t.shared.symbols, t.b.func);
    let word = t.b.ins().symbol_value(ADDRESS, word);
    let flags = MemFlagsData::new().with_aligned().with_readonly().with_trap_code(Some(mark()));
    let distance = t.b.ins().load(ADDRESS, flags, word, DISPLACEMENT);
    t.b.ins().isub(section, distance)
}

/// The word as Cranelift sees it: a datum of another object.
fn distance(symbols: &Symbols, func: &mut Function) -> GlobalValue {
    let id = symbols.data_id(BLOCK_DISTANCE).expect("declared with the counters");
    let name = func.declare_imported_user_function(UserExternalName::new(1, id.as_u32()));
    func.create_global_value(GlobalValueData::Symbol {
        name: ExternalName::user(name),
        offset: 0.into(),
        colocated: false,
        tls: false,
    })
}

/// Makes the marked loads in the machine code, which are at `loads`, ones from the thread pointer. Returns whether there are any.
pub(crate) fn address_from_thread_pointer(code: &mut [u8], loads: impl Iterator<Item = u32>) -> Result<bool, Error> {
    let mut found = false;
    for at in loads {
        let rest = code.get_mut(at as usize..).unwrap_or_default();
        prefix(rest).ok_or_else(|| Error::internal("the load of a thread-local word has an unknown form"))?;
        found = true;
    }
    Ok(found)
}

/// `mov` or `sub` of 64 bits with a displacement of four bytes becomes the same from `%fs`, with one of one byte: as
/// long, since prefixes without effect are before it.
fn prefix(code: &mut [u8]) -> Option<()> {
    let &[rex, opcode, form, ..] = &*code else { return None };
    let has_index_byte = form & 7 == 4;
    let at = if has_index_byte { 4 } else { 3 };
    let displacement: [u8; 4] = code.get(at..at + 4)?.try_into().ok()?;
    let known = rex & 0xf8 == 0x48 && matches!(opcode, 0x8b | 0x2b) && form >> 6 == 2;
    // An index byte only because of the base register: it names no index.
    let is_base_only = !has_index_byte || (code[3] >> 3 & 7 == 4 && rex & 2 == 0);
    if !known || !is_base_only || displacement != DISPLACEMENT.to_le_bytes() {
        return None;
    }
    let (form, index) = (form & 0x3f | 0x40, code[3]);
    code[..6].copy_from_slice(&[0x66, 0x66, 0x64, rex, opcode, form]);
    if has_index_byte {
        code[6] = index;
    }
    code[at + 3] = 0;
    Some(())
}

/// A place in a procedure that the linker fills with the offset of the word from the thread pointer.
#[derive(Clone, Copy)]
pub(crate) struct Offset {
    function: FuncId,
    at: u32,
    addend: i64,
}

impl Offset {
    /// The load relative to the program counter whose four bytes are at `at`.
    pub(crate) fn new(function: FuncId, at: u32) -> Offset {
        Offset { function, at, addend: -4 }
    }
}

/// Takes the relocations of the word out of `relocs`: Cranelift has no kind for them.
pub(crate) fn take_offsets(relocs: &mut Vec<ModuleReloc>, function: FuncId, symbols: &Symbols) -> Vec<Offset> {
    let Some(word) = symbols.data_id(BLOCK_DISTANCE) else { return Vec::new() };
    let is_word = |r: &ModuleReloc| {
        let name = matches!(r.name, ModuleRelocTarget::User { namespace: 1, index } if index == word.as_u32());
        name && r.kind == Reloc::X86GOTPCRel4
    };
    let out = relocs.iter().filter(|r| is_word(r)).map(|r| Offset { function, at: r.offset, addend: r.addend });
    let out = out.collect();
    relocs.retain(|r| !is_word(r));
    out
}

/// Writes such relocations, and makes the word one of the executable or library itself.
pub(crate) fn write_offsets(product: &mut ObjectProduct, offsets: &[Offset], symbols: &Symbols) -> Result<(), Error> {
    let Some(word) = symbols.data_id(BLOCK_DISTANCE) else { return Ok(()) };
    let symbol = hide(product, word);
    let flags = object::RelocationFlags::Elf { r_type: object::elf::R_X86_64_GOTTPOFF };
    for offset in offsets {
        let function = product.function_symbol(offset.function);
        let function = product.object.symbol(function);
        let (start, section) = (function.value, function.section.id());
        let section = section.ok_or_else(|| Error::internal("a procedure is not defined"))?;
        let place = Relocation { offset: start + u64::from(offset.at), symbol, addend: offset.addend, flags };
        product.object.add_relocation(section, place).map_err(|e| Error::Internal(e.to_string()))?;
    }
    Ok(())
}

fn hide(product: &mut ObjectProduct, word: DataId) -> object::write::SymbolId {
    let id = product.data_symbol(word);
    let st_info = (object::elf::STB_GLOBAL << 4) | object::elf::STT_TLS;
    product.object.symbol_mut(id).flags = object::SymbolFlags::Elf { st_info, st_other: object::elf::STV_HIDDEN };
    id
}

#[cfg(test)]
mod tests {
    use super::prefix;

    fn prefixed(code: &[u8]) -> Option<Vec<u8>> {
        let mut code = code.to_vec();
        prefix(&mut code).map(|()| code)
    }

    #[test]
    fn loads_of_any_register_get_the_prefix() {
        // sub 0x7ffffff0(%rcx), %rax; mov 0x7ffffff0(%r12), %r9
        assert_eq!(
            prefixed(&[0x48, 0x2b, 0x81, 0xf0, 0xff, 0xff, 0x7f]).unwrap(),
            [0x66, 0x66, 0x64, 0x48, 0x2b, 0x41, 0x00]
        );
        assert_eq!(
            prefixed(&[0x4d, 0x8b, 0x8c, 0x24, 0xf0, 0xff, 0xff, 0x7f]).unwrap(),
            [0x66, 0x66, 0x64, 0x4d, 0x8b, 0x4c, 0x24, 0x00]
        );
    }

    #[test]
    fn anything_else_is_refused() {
        // Another displacement, another instruction, an index, 32 bits, and less than an instruction.
        for code in [
            &[0x48, 0x2b, 0x81, 0xf0, 0xff, 0xff, 0x7e][..],
            &[0x48, 0x03, 0x81, 0xf0, 0xff, 0xff, 0x7f],
            &[0x48, 0x8b, 0x84, 0x08, 0xf0, 0xff, 0xff, 0x7f],
            &[0x4a, 0x8b, 0x84, 0x20, 0xf0, 0xff, 0xff, 0x7f],
            &[0x40, 0x8b, 0x81, 0xf0, 0xff, 0xff, 0x7f],
            &[0x48, 0x8b, 0x81],
            &[],
        ] {
            assert_eq!(prefixed(code), None, "{code:x?}");
        }
    }
}
