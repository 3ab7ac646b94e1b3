//! The address map of a profiled object: which construct each instruction belongs to.
//!
//! The compiler writes one map an object ([`encode`]); samples of the program counter are credited by it at the end of the
//! run ([`AddressMap::decode`]). All offsets count from the beginning of the object's code.
//!
//! ```text
//! magic and version, count of functions, length and checksum of the bytes behind the functions, count of ranges
//! functions: start, end, frame               as they are, so that a running program reads them in place
//! a zlib stream of LEB128 numbers            owners, names, sites, lanes, ranges and calls of each function, delta coded
//! ```

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// The first bytes of a map: the letters `TLAMAP` and the version of this layout.
pub const MAP_MAGIC: u64 = u64::from_le_bytes(*b"TLAMAP\0\x04");

/// Bytes before the table of functions.
pub const MAP_HEADER: usize = 32;
/// Bytes of an entry of the table of functions.
pub const FUNCTION_SIZE: usize = 12;
/// [`Function::frame`] of a function whose frame is not known.
pub const UNKNOWN_FRAME: u32 = u32::MAX;

/// The most bytes that the unpacked part may have.
const LIMIT: usize = 1 << 28;

/// The constructs that an instruction belongs to, by their indices in the object's metadata.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Owner {
    /// The innermost construct; several if the instruction serves several that were merged; none if it is in no construct.
    pub members: Vec<u32>,
    /// The index of the [`Site`] of the call that inlined code came through.
    pub site: Option<u32>,
}

/// Instructions from `start` to the start of the next range, or the end of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The offset of the first byte.
    pub start: u32,
    /// The index of the [`Owner`].
    pub owner: u32,
}

/// A call of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Site {
    /// The innermost construct around the call, in the procedure that it was written in, by its index in the metadata.
    pub construct: u32,
    /// The line of the call.
    pub line: u32,
    /// If that procedure was inlined: the index of the site of the call by which it was, an earlier one.
    pub via: Option<u32>,
}

/// A call, by the address it returns to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// The offset of the instruction behind the call.
    pub returns_to: u32,
    /// The index of the callee's name; none if it is called by its address.
    pub callee: Option<u32>,
    /// The index of the [`Site`]; none if it is no call of the source.
    pub site: Option<u32>,
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Function {
    /// The offset of its first byte.
    pub start: u32,
    /// The offset behind its last byte.
    pub end: u32,
    /// Bytes from the stack pointer at calls up to the saved frame pointer, or [`UNKNOWN_FRAME`].
    pub frame: u32,
    /// The ranges in the order of their addresses; none overlap, and the first begins at `start`.
    pub ranges: Vec<Range>,
    /// The calls in the order of their addresses.
    pub calls: Vec<Call>,
}

/// The map of an object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AddressMap {
    /// The owners that ranges name.
    pub owners: Vec<Owner>,
    /// The linker symbols that calls name.
    pub names: Vec<String>,
    /// The calls of the source that calls in the code stand for.
    pub sites: Vec<Site>,
    /// Constructs with operations on vectors, in order, and how many elements a vector has at most.
    pub lanes: Vec<(u32, u32)>,
    /// The functions in the order of their addresses.
    pub functions: Vec<Function>,
}

/// The map as bytes.
pub fn encode(map: &AddressMap) -> Vec<u8> {
    let mut body = Vec::new();
    put(&mut body, map.owners.len() as u64);
    for owner in &map.owners {
        put(&mut body, owner.members.len() as u64);
        let mut last = 0;
        for &m in &owner.members {
            put(&mut body, u64::from(m - last));
            last = m;
        }
        put(&mut body, owner.site.map_or(0, |s| u64::from(s) + 1));
    }
    put(&mut body, map.names.len() as u64);
    for name in &map.names {
        put(&mut body, name.len() as u64);
        body.extend(name.bytes());
    }
    put(&mut body, map.sites.len() as u64);
    for site in &map.sites {
        put(&mut body, u64::from(site.construct));
        put(&mut body, u64::from(site.line));
        put(&mut body, site.via.map_or(0, |s| u64::from(s) + 1));
    }
    put(&mut body, map.lanes.len() as u64);
    let mut last = 0;
    for &(construct, lanes) in &map.lanes {
        put(&mut body, u64::from(construct - last));
        put(&mut body, u64::from(lanes));
        last = construct;
    }
    for f in &map.functions {
        put(&mut body, f.ranges.len() as u64);
        let mut last = f.start;
        for r in &f.ranges {
            put(&mut body, u64::from(r.start - last));
            put(&mut body, u64::from(r.owner));
            last = r.start;
        }
        put(&mut body, f.calls.len() as u64);
        let mut last = f.start;
        for c in &f.calls {
            put(&mut body, u64::from(c.returns_to - last));
            put(&mut body, c.callee.map_or(0, |n| u64::from(n) + 1));
            put(&mut body, c.site.map_or(0, |n| u64::from(n) + 1));
            last = c.returns_to;
        }
    }
    let packed = compress_to_vec_zlib(&body, 6);
    let table: Vec<u8> =
        map.functions.iter().flat_map(|f| [f.start, f.end, f.frame]).flat_map(u32::to_le_bytes).collect();
    let ranges: usize = map.functions.iter().map(|f| f.ranges.len()).sum();
    let mut out = MAP_MAGIC.to_le_bytes().to_vec();
    for n in [map.functions.len() as u32, packed.len() as u32, checksum(&table, &packed), ranges as u32, 0, 0] {
        out.extend(n.to_le_bytes());
    }
    out.extend(table);
    out.extend(packed);
    out
}

fn checksum(table: &[u8], packed: &[u8]) -> u32 {
    miniz_oxide::mz_adler32_oxide(miniz_oxide::mz_adler32_oxide(1, table), packed)
}

fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// The parts of a map that can be read without unpacking it.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The table of functions: [`FUNCTION_SIZE`] bytes each.
    pub functions: &'a [u8],
    /// The number of ranges of all functions together.
    pub ranges: u32,
    checksum: u32,
    packed: &'a [u8],
}

impl<'a> Head<'a> {
    /// Reads it; none if these bytes are no map of this version. The table of functions is then in the order of its
    /// addresses.
    pub fn read(bytes: &'a [u8]) -> Option<Head<'a>> {
        if bytes.get(..8)? != MAP_MAGIC.to_le_bytes() {
            return None;
        }
        let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let table = (number(8)? as usize).checked_mul(FUNCTION_SIZE)?;
        let rest = bytes.get(MAP_HEADER..)?;
        let (functions, packed) = (rest.get(..table)?, rest.get(table..table.checked_add(number(12)? as usize)?)?);
        let head = Head { functions, ranges: number(20)?, checksum: number(16)?, packed };
        let mut last = 0;
        for (start, end, _) in head.functions() {
            if start < last || end < start {
                return None;
            }
            last = end;
        }
        Some(head)
    }

    /// Start, end and frame of each function.
    pub fn functions(self) -> impl Iterator<Item = (u32, u32, u32)> + 'a {
        let number = |f: &[u8], at: usize| u32::from_le_bytes([f[at], f[at + 1], f[at + 2], f[at + 3]]);
        self.functions.chunks_exact(FUNCTION_SIZE).map(move |f| (number(f, 0), number(f, 4), number(f, 8)))
    }
}

impl AddressMap {
    /// Reads a map; none if it is damaged, or of another version.
    pub fn decode(bytes: &[u8]) -> Option<AddressMap> {
        let head = Head::read(bytes)?;
        if checksum(head.functions, head.packed) != head.checksum {
            return None;
        }
        let body = decompress_to_vec_zlib_with_limit(head.packed, LIMIT).ok()?;
        let mut input = Input { bytes: &body, at: 0 };
        let mut out = AddressMap::default();
        for _ in 0..input.count()? {
            let mut owner = Owner::default();
            let mut last = 0u32;
            for _ in 0..input.count()? {
                last = last.checked_add(input.number()?)?;
                owner.members.push(last);
            }
            owner.site = input.number()?.checked_sub(1);
            out.owners.push(owner);
        }
        for _ in 0..input.count()? {
            let len = input.count()?;
            let name = input.bytes.get(input.at..input.at.checked_add(len)?)?;
            input.at += len;
            out.names.push(String::from_utf8_lossy(name).into_owned());
        }
        for i in 0..input.count()? {
            let (construct, line) = (input.number()?, input.number()?);
            let via = input.number()?.checked_sub(1);
            if via.is_some_and(|v| v as usize >= i) {
                return None;
            }
            out.sites.push(Site { construct, line, via });
        }
        if out.owners.iter().filter_map(|o| o.site).any(|s| s as usize >= out.sites.len()) {
            return None;
        }
        let mut last = 0u32;
        for _ in 0..input.count()? {
            last = last.checked_add(input.number()?)?;
            out.lanes.push((last, input.number()?));
        }
        for (start, end, frame) in head.functions() {
            let mut f = Function { start, end, frame, ..Function::default() };
            let mut last = start;
            for _ in 0..input.count()? {
                last = last.checked_add(input.number()?)?;
                let owner = input.number()?;
                if last >= end.max(start + 1) || owner as usize >= out.owners.len() {
                    return None;
                }
                f.ranges.push(Range { start: last, owner });
            }
            let mut last = start;
            for _ in 0..input.count()? {
                last = last.checked_add(input.number()?)?;
                let callee = input.number()?.checked_sub(1);
                let site = input.number()?.checked_sub(1);
                let is_there = |index: Option<u32>, len: usize| index.is_none_or(|n| (n as usize) < len);
                if last > end || !is_there(callee, out.names.len()) || !is_there(site, out.sites.len()) {
                    return None;
                }
                f.calls.push(Call { returns_to: last, callee, site });
            }
            out.functions.push(f);
        }
        (input.at == body.len()).then_some(out)
    }

    /// The function that `offset` lies in.
    pub fn function(&self, offset: u32) -> Option<&Function> {
        let after = self.functions.partition_point(|f| f.start <= offset);
        self.functions[..after].last().filter(|f| offset < f.end)
    }
}

impl Function {
    /// The index of the owner of the instruction at `offset`.
    pub fn owner(&self, offset: u32) -> Option<u32> {
        let after = self.ranges.partition_point(|r| r.start <= offset);
        self.ranges[..after].last().map(|r| r.owner)
    }

    /// The call that returns to `offset`.
    pub fn call(&self, offset: u32) -> Option<&Call> {
        self.calls.binary_search_by_key(&offset, |c| c.returns_to).ok().map(|i| &self.calls[i])
    }
}

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Input<'_> {
    fn number(&mut self) -> Option<u32> {
        let mut n = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(n).ok();
            }
        }
        None
    }

    /// A count of things that take a byte each at least.
    fn count(&mut self) -> Option<usize> {
        let n = self.number()? as usize;
        (n <= self.bytes.len() - self.at).then_some(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> AddressMap {
        let range = |start, owner| Range { start, owner };
        AddressMap {
            owners: vec![
                Owner { members: vec![0], site: None },
                Owner { members: vec![3, 700], site: None },
                Owner { members: vec![5], site: Some(1) },
                Owner::default(),
            ],
            names: vec!["sin".to_owned(), "work_".to_owned()],
            sites: vec![Site { construct: 0, line: 7, via: None }, Site { construct: 5, line: 300, via: Some(0) }],
            lanes: vec![(3, 2), (700, 4)],
            functions: vec![
                Function {
                    start: 64,
                    end: 400,
                    frame: 32,
                    ranges: vec![range(64, 0), range(80, 1), range(300, 2)],
                    calls: vec![
                        Call { returns_to: 90, callee: Some(0), site: None },
                        Call { returns_to: 310, callee: None, site: Some(0) },
                        Call { returns_to: 400, callee: Some(1), site: Some(1) },
                    ],
                },
                Function { start: 448, end: 500, frame: UNKNOWN_FRAME, ranges: vec![range(448, 3)], calls: vec![] },
            ],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let map = sample();
        assert_eq!(AddressMap::decode(&encode(&map)), Some(map.clone()));
        let owner = |at| map.function(at).and_then(|f| f.owner(at));
        assert_eq!(
            [63, 64, 79, 80, 399, 400, 448, 499, 500].map(owner),
            [None, Some(0), Some(0), Some(1), Some(2), None, Some(3), Some(3), None]
        );
        assert_eq!(map.functions[0].call(310), Some(&Call { returns_to: 310, callee: None, site: Some(0) }));
        assert_eq!(map.functions[0].call(311), None);
        assert_eq!(AddressMap::decode(&encode(&AddressMap::default())), Some(AddressMap::default()));
    }

    #[test]
    fn a_site_in_a_later_one_is_refused() {
        let mut map = sample();
        map.sites[0].via = Some(1);
        assert_eq!(AddressMap::decode(&encode(&map)), None);
        map = sample();
        map.functions[0].calls[1].site = Some(2);
        assert_eq!(AddressMap::decode(&encode(&map)), None);
    }

    #[test]
    fn a_damaged_map_is_refused() {
        let bytes = encode(&sample());
        for i in 0..bytes.len() {
            // The count of ranges, which is a hint, and unused bytes are not covered.
            if (20..MAP_HEADER).contains(&i) {
                continue;
            }
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[i] ^= 1 << bit;
                assert_eq!(AddressMap::decode(&damaged), None, "bit {bit} of byte {i}");
            }
            assert_eq!(AddressMap::decode(&bytes[..i]), None, "cut at {i}");
        }
    }
}
