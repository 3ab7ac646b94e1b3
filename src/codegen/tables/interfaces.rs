//! The table of interfaces of an object, which has the procedures that the object defines or calls.
//!
//! The driver compares the tables of all objects of a link. The linker discards the section, so programs are not larger for it.

use cranelift_object::ObjectProduct;
use cranelift_object::object::{self, Object as _, ObjectSection as _, SectionKind};
use trueline_ir::interface::Interface;

/// The section of the table.
pub const SECTION: &str = ".trueline.iface";

/// Writes the table, if there are interfaces.
pub(crate) fn write(interfaces: &[Interface], product: &mut ObjectProduct) {
    if interfaces.is_empty() {
        return;
    }
    let mut text = String::new();
    interfaces.iter().for_each(|i| i.write(&mut text));
    let section = product.object.add_section(Vec::new(), SECTION.into(), SectionKind::Other);
    let excluded = u64::from(object::elf::SHF_EXCLUDE);
    product.object.section_mut(section).flags = object::SectionFlags::Elf { sh_flags: excluded };
    product.object.set_section_data(section, text.into_bytes(), 1);
}

/// The interfaces that an object says it has; none if another compiler made it.
pub fn of_object(file: &object::read::File<'_>) -> Vec<Interface> {
    let section = file.section_by_name(SECTION);
    let data = section.and_then(|s| s.uncompressed_data().ok());
    data.map_or_else(Vec::new, |data| Interface::read(&String::from_utf8_lossy(&data)))
}
