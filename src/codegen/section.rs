//! A section of the object that gimli writes, with the places that the linker has to fill in.

use gimli::write::{Address, EndianVec, Error, Result, Writer};
use gimli::{RunTimeEndian, SectionId};

/// The target of a relocation.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// A function or datum of the object, by its number.
    Symbol(usize),
    /// The start of a section.
    Section(SectionId),
}

/// The section.
#[derive(Clone)]
pub(crate) struct Section {
    /// The bytes written so far.
    pub(crate) bytes: EndianVec<RunTimeEndian>,
    /// Offset, target, size, addend.
    pub(crate) relocations: Vec<(u64, Target, u8, i64)>,
}

impl Section {
    /// An empty section.
    pub(crate) fn new() -> Section {
        Section { bytes: EndianVec::new(RunTimeEndian::Little), relocations: Vec::new() }
    }
}

impl Writer for Section {
    type Endian = RunTimeEndian;

    fn endian(&self) -> RunTimeEndian {
        RunTimeEndian::Little
    }

    fn len(&self) -> usize {
        self.bytes.len()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes.write(bytes)
    }

    fn write_at(&mut self, offset: usize, bytes: &[u8]) -> Result<()> {
        self.bytes.write_at(offset, bytes)
    }

    fn write_address(&mut self, address: Address, size: u8) -> Result<()> {
        match address {
            Address::Constant(value) => self.write_udata(value, size),
            Address::Symbol { symbol, addend } => {
                self.relocations.push((self.len() as u64, Target::Symbol(symbol), size, addend));
                self.write_udata(0, size)
            }
        }
    }

    fn write_offset(&mut self, value: usize, section: SectionId, size: u8) -> Result<()> {
        self.relocations.push((self.len() as u64, Target::Section(section), size, value as i64));
        self.write_udata(0, size)
    }

    fn write_offset_at(&mut self, offset: usize, value: usize, section: SectionId, size: u8) -> Result<()> {
        self.relocations.push((offset as u64, Target::Section(section), size, value as i64));
        self.write_udata_at(offset, 0, size)
    }

    fn write_eh_pointer(&mut self, address: Address, encoding: gimli::DwEhPe, _size: u8) -> Result<()> {
        let Address::Symbol { symbol, addend } = address else { return Err(Error::InvalidAddress) };
        if encoding.application() != gimli::DW_EH_PE_pcrel || encoding.format() != gimli::DW_EH_PE_sdata4 {
            return Err(Error::UnsupportedPointerEncoding(encoding));
        }
        self.relocations.push((self.len() as u64, Target::Symbol(symbol), 4, addend));
        self.write_udata(0, 4)
    }
}
