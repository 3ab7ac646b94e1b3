//! The object that a link adds to a program: the first content of flags which all objects of the program have in common.

use cranelift_object::object::write::{Object, StandardSection, Symbol, SymbolSection};
use cranelift_object::object::{
    Architecture, BinaryFormat, Endianness, Object as _, SectionKind, SymbolFlags, SymbolKind, SymbolScope, read,
};

/// An object for the processor of the object `like`, which defines each of the symbols, four bytes with that content. None if `like` is no
/// object.
pub fn object(like: &[u8], symbols: &[String], content: i32) -> Option<Vec<u8>> {
    let like = read::File::parse(like).ok()?;
    let (format, processor): (BinaryFormat, Architecture) = (like.format(), like.architecture());
    let mut object = Object::new(format, processor, Endianness::Little);
    let data = object.section_id(StandardSection::Data);
    for name in symbols {
        let value = object.append_section_data(data, &content.to_le_bytes(), 4);
        object.add_symbol(Symbol {
            name: name.as_bytes().to_vec(),
            value,
            size: 4,
            kind: SymbolKind::Data,
            scope: SymbolScope::Linkage,
            weak: false,
            section: SymbolSection::Section(data),
            flags: SymbolFlags::None,
        });
    }
    // The stack of the program is not executable.
    object.add_section(Vec::new(), b".note.GNU-stack".to_vec(), SectionKind::Other);
    object.write().ok()
}
