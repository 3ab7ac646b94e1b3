//! The ways in which the structure that a function gives reaches its caller.
//!
//! In the IR such a function has the address of its result as its first parameter, and calls pass that of their memory. In the
//! program the C ABI of the target rules: no address may be passed at all, and the words come in registers.

use crate::Type;

/// A way: registers, or memory of the caller. In the IR's text `returned.memory`, `returned.i8.r8.16`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Returned {
    way: u8,
    bytes: u8,
}

/// The word of the IR's text for each way, and the registers in their order; none for memory.
const WAYS: [(&str, &[Type]); 17] = {
    use Type::{I8, R4, R8, R16};
    [
        ("memory", &[]),
        ("i8", &[I8]),
        ("r4", &[R4]),
        ("r8", &[R8]),
        ("r16", &[R16]),
        ("i8.i8", &[I8, I8]),
        ("i8.r8", &[I8, R8]),
        ("r8.i8", &[R8, I8]),
        ("r4.r4", &[R4, R4]),
        ("r8.r8", &[R8, R8]),
        ("r16.r16", &[R16, R16]),
        ("r4.r4.r4", &[R4, R4, R4]),
        ("r8.r8.r8", &[R8, R8, R8]),
        ("r16.r16.r16", &[R16, R16, R16]),
        ("r4.r4.r4.r4", &[R4, R4, R4, R4]),
        ("r8.r8.r8.r8", &[R8, R8, R8, R8]),
        ("r16.r16.r16.r16", &[R16, R16, R16, R16]),
    ]
};

impl Returned {
    /// In memory whose address the caller passes.
    pub const MEMORY: Returned = Returned { way: 0, bytes: 0 };

    /// The way of a structure of `bytes` bytes in registers of these types, one behind the other in memory. Of the last one
    /// not all bytes need be the structure's.
    pub fn in_registers(types: &[Type], bytes: u64) -> Option<Returned> {
        let way = WAYS.iter().position(|(_, w)| !w.is_empty() && *w == types)?;
        let (_, before) = types.split_last()?;
        let least = before.iter().map(|ty| ty.size() as u64).sum::<u64>();
        let most = types.iter().map(|ty| ty.size() as u64).sum();
        (least < bytes && bytes <= most).then_some(Returned { way: way as u8, bytes: bytes as u8 })
    }

    /// The registers; none if the result is in memory.
    pub fn registers(self) -> &'static [Type] {
        WAYS[usize::from(self.way)].1
    }

    /// The size of a structure that comes in registers.
    pub fn bytes(self) -> u32 {
        self.bytes.into()
    }

    /// The registers with the offsets of their bytes in the result.
    pub fn pieces(self) -> impl Iterator<Item = (u32, Type)> {
        self.registers().iter().scan(0, |end, &ty| {
            let at = *end;
            *end += ty.size() as u32;
            Some((at, ty))
        })
    }

    /// The word for it in the IR's text.
    pub(crate) fn word(self) -> String {
        match self {
            Returned::MEMORY => "returned.memory".to_owned(),
            _ => format!("returned.{}.{}", WAYS[usize::from(self.way)].0, self.bytes),
        }
    }

    /// The way that `word` stands for.
    pub(crate) fn by_word(word: &str) -> Option<Returned> {
        let text = word.strip_prefix("returned.")?;
        if text == "memory" {
            return Some(Returned::MEMORY);
        }
        let (name, bytes) = text.rsplit_once('.')?;
        let (_, types) = WAYS.iter().find(|(w, _)| *w == name)?;
        Returned::in_registers(types, bytes.parse().ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_has_its_own_word_and_registers() {
        for (name, types) in &WAYS[1..] {
            let bytes = types.iter().map(|ty| ty.size() as u64).sum();
            let way = Returned::in_registers(types, bytes).unwrap();
            assert_eq!(way.registers(), *types);
            assert_eq!(Returned::by_word(&way.word()), Some(way), "{name}");
            assert_eq!(Returned::in_registers(types, bytes + 1), None, "{name}");
        }
        assert_eq!(Returned::by_word(&Returned::MEMORY.word()), Some(Returned::MEMORY));
        assert_eq!(Returned::in_registers(&[Type::R4, Type::R8], 12), None);
        assert_eq!(Returned::in_registers(&[Type::I8, Type::I8], 8), None, "the second one has none of it");
        let pieces: Vec<_> = Returned::in_registers(&[Type::I8, Type::R8], 16).unwrap().pieces().collect();
        assert_eq!(pieces, [(0, Type::I8), (8, Type::R8)]);
        for wrong in ["returned", "returned.i8", "returned.i8.9", "returned.memory.8", "returned.c8.16"] {
            assert_eq!(Returned::by_word(wrong), None, "{wrong}");
        }
    }
}
