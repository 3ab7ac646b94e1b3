//! Return addresses: from an address to the call of the source.

use super::source::Source;
use super::{Found, Way};
use crate::address_map::{AddressMap, Function, Site};
use crate::raw::convert::slice;
use crate::raw::samples::{ObjectMap, Sampling};
use crate::raw::{Header, ObjectEntry};

/// The place of a call, as far as it is known.
pub(super) enum Answer {
    /// The way to it, and its line.
    Known(Way, u32),
    /// The caller is not our code.
    Elsewhere,
    /// No map shows it.
    Unknown,
}

/// The address map of an object, and the position of the object's first construct.
struct Map {
    code: u64,
    map: AddressMap,
    first: usize,
}

/// The address maps of all objects, by the addresses of their code.
#[derive(Default)]
pub(super) struct Sites {
    maps: Vec<Map>,
    /// Whether all maps are there.
    is_whole: bool,
    constructs: usize,
}

impl Sites {
    /// Reads the maps. Damaged ones are left out.
    pub(super) fn read(bytes: &[u8], header: &Header, found: &Found, constructs: usize) -> Sites {
        let mut out = Sites { constructs, ..Sites::default() };
        let sampling = Sampling::read(bytes, header.sampling).filter(|_| header.sampling != 0);
        let Some(sampling) = sampling.filter(|s| s.map_count <= bytes.len() as u64 / ObjectEntry::SIZE) else {
            return out;
        };
        out.is_whole = true;
        for i in 0..sampling.map_count {
            let entry = sampling.maps.checked_add(i * ObjectMap::SIZE).and_then(|at| ObjectMap::read(bytes, at));
            let first = |e: ObjectMap| found.firsts.get(usize::try_from(e.object.checked_sub(1)?).ok()?).copied();
            let map = |e: ObjectMap| AddressMap::decode(slice(bytes, e.map, e.map_len).ok()?);
            match entry.and_then(|e| Some(Map { code: e.code, map: map(e)?, first: first(e)? })) {
                Some(map) => out.maps.push(map),
                None => out.is_whole = false,
            }
        }
        out.maps.sort_by_key(|m| m.code);
        out
    }

    /// The call that returns to `address` and called `procedure`.
    pub(super) fn find(&self, address: u64, source: &Source<'_>, procedure: usize) -> Answer {
        if address == 0 {
            return Answer::Unknown;
        }
        let Some((map, function, offset)) = self.function(address) else {
            return if self.is_whole { Answer::Elsewhere } else { Answer::Unknown };
        };
        let Some(call) = function.call(offset) else { return Answer::Unknown };
        // A procedure that was inlined with its timer returns to the address of the procedure around it.
        let name = call.callee.and_then(|n| map.map.names.get(n as usize));
        let symbol = source.constructs[procedure].symbol.as_deref();
        let plain = |s: &str| s.strip_suffix(".direct").unwrap_or(s).to_owned();
        if let (Some(name), Some(symbol)) = (name, symbol)
            && plain(name) != plain(symbol)
        {
            return Answer::Unknown;
        }
        let way = call.site.and_then(|s| self.way(map, s, source));
        way.map_or(Answer::Unknown, |(way, line)| Answer::Known(way, line))
    }

    /// The function that has called, by the address that the call returns to, which may be just behind it.
    fn function(&self, address: u64) -> Option<(&Map, &Function, u32)> {
        let after = self.maps.partition_point(|m| m.code < address);
        let map = self.maps[..after].last()?;
        let offset = u32::try_from(address - map.code).ok()?;
        Some((map, map.map.function(offset - 1)?, offset))
    }

    /// The way to a call, and its line.
    fn way(&self, map: &Map, site: u32, source: &Source<'_>) -> Option<(Way, u32)> {
        let at = |index: u32| map.map.sites.get(index as usize).copied();
        let mut chain: Vec<Site> = std::iter::successors(at(site), |s| at(s.via?)).collect();
        chain.reverse();
        let position = |s: &Site| Some(map.first + s.construct as usize).filter(|&c| c < self.constructs);
        let mut way = Way { host: source.procedure_of(position(chain.first()?)?), ..Way::default() };
        let mut line = 0;
        for (i, site) in chain.iter().enumerate() {
            let construct = position(site)?;
            if i > 0 {
                way.steps.push((source.procedure_of(construct), line));
            }
            way.steps.extend(source.nodes_around(construct).into_iter().map(|c| (c, 0)));
            line = site.line;
        }
        Some((way, line))
    }
}
