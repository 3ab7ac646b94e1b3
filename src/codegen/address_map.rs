//! The address map of a profiled object ([`trueline_abi::address_map`]): the construct that each instruction belongs
//! to.
//!
//! The Cranelift location of an instruction is its set, and the members of the set stand in constructs of the source:
//! this is the compiler's own knowledge, not a guess from line numbers. Four cases remain to be decided:
//!
//! - An instruction without a location (Cranelift drops those of some pure instructions, and moves of the register
//!   allocator at the ends of blocks never had one) belongs with its neighbours: a value is computed before its use, so
//!   the next located instruction of the block decides, else the one before, else a neighbouring block.
//! - A set with members in several constructs, none of which holds the others, belongs to one of them if the other
//!   instructions of the block leave only one; else to the group: those are merged loops.
//! - Code of an inlined procedure belongs to the constructs of that procedure. Its host is the innermost construct
//!   around the call in the procedure it was inlined into.
//! - Counting and timing code has empty sets; that code belongs with its neighbours, too.

use crate::step::Code;
use crate::symbols::Symbols;
use crate::{Error, ProfileData, lines, locate};
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{Function as Clif, Opcode, Value};
use cranelift_module::{FuncId, Module, ModuleReloc, ModuleRelocTarget};
use cranelift_object::object::write::{Relocation, SectionId, StandardSegment};
use cranelift_object::object::{RelocationEncoding, RelocationFlags, RelocationKind, SectionKind};
use cranelift_object::{ObjectModule, ObjectProduct};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::mem::offset_of;
use trueline_abi::address_map::{AddressMap, Call, Function, Owner, Range, Site, UNKNOWN_FRAME, encode};
use trueline_abi::record::{MAP_SECTION, ObjectHeader};
use trueline_ir::Unit;
use trueline_provenance::{Chain, Origin, Serial, StmtInfos, StmtKind};

/// The linker symbol of the object header.
pub(crate) const HEADER: &str = "trueline.header";

/// The constructs that an instruction belongs to, in source order.
type Constructs = SmallVec<[Origin; 1]>;

/// The layout of a compiled function, as far as the map needs it.
pub(crate) struct Layout {
    size: u32,
    /// The beginnings of blocks; empty at -O0.
    blocks: Vec<u32>,
    edges: Vec<(u32, u32)>,
    /// The addresses that calls return to.
    returns: Vec<u32>,
    frame: u32,
}

impl Layout {
    pub(crate) fn of(code: &Code) -> Layout {
        let mut blocks = code.compiled.bb_starts.clone();
        blocks.sort_unstable();
        blocks.dedup();
        Layout {
            size: code.size(),
            blocks,
            edges: code.compiled.bb_edges.clone(),
            returns: code.returns.clone(),
            frame: frame(&code.bytes),
        }
    }
}

/// The distance of the stack pointer below the saved frame pointer at calls, by the beginning of x86-64 code: `push
/// rbp; mov rbp, rsp; sub rsp, frame`.
fn frame(code: &[u8]) -> u32 {
    let Some(rest) = code.strip_prefix(&[0x55, 0x48, 0x89, 0xe5]) else { return UNKNOWN_FRAME };
    match *rest {
        [0x48, 0x83, 0xec, n, ..] if n < 0x80 => u32::from(n),
        [0x48, 0x81, 0xec, a, b, c, d, ..] => u32::from_le_bytes([a, b, c, d]),
        // The stack is probed first, or there is no frame and so no `sub`.
        _ => UNKNOWN_FRAME,
    }
}

/// A compiled unit in the object.
pub(crate) struct Placed<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) id: FuncId,
    /// Bytes between the symbol and the code.
    pub(crate) entry: u32,
    pub(crate) layout: Layout,
    /// Start, end, set.
    pub(crate) rows: Vec<(u32, u32, u32)>,
    /// The calls that name a function, by offset in the code, in order.
    pub(crate) called: Vec<(u32, FuncId)>,
    pub(crate) vectors: Vec<Vectors>,
}

/// Operations on vectors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Vectors {
    /// Their location.
    pub(crate) location: u32,
    /// The number of elements of a vector.
    pub(crate) lanes: u32,
}

/// The locations with operations on vectors; putting values together and taking them apart does not count.
pub(crate) fn vectors(func: &Clif) -> Vec<Vectors> {
    let mut out: Vec<Vectors> = Vec::new();
    if !func.dfg.values().any(|v| func.dfg.value_type(v).is_vector()) {
        return out;
    }
    for inst in func.layout.blocks().flat_map(|b| func.layout.block_insts(b)) {
        let is_vector = |v: &Value| func.dfg.value_type(*v).is_vector();
        let (args, results) = (func.dfg.inst_args(inst), func.dfg.inst_results(inst));
        let computes = !results.is_empty() && results.iter().all(is_vector) && args.iter().any(is_vector);
        // The stored vector may have been loaded as one, or be the same in all lanes.
        let is_whole = |v: &&Value| {
            let of = func.dfg.value_def(**v).inst().map(|i| func.dfg.insts[i].opcode());
            is_vector(v) && of.is_some_and(|o| o.can_load() || o == Opcode::Splat || o == Opcode::Vconst)
        };
        let opcode = func.dfg.insts[inst].opcode();
        let places =
            matches!(opcode, Opcode::Insertlane | Opcode::Shuffle | Opcode::Bitcast) || is_of_scalar(func, inst);
        let wide = if opcode.can_store() {
            args.iter().find(is_whole)
        } else {
            results.first().filter(|_| computes && !places)
        };
        if let Some(&v) = wide {
            out.push(Vectors {
                location: func.srcloc(inst).bits() & !locate::MARKS,
                lanes: func.dfg.value_type(v).lane_count()
                    * (crate::wide::bytes(func, inst) / crate::wide::SHORT) as u32,
            });
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Whether a scalar is truncated in a vector (`expr/truncate.rs`).
fn is_of_scalar(func: &Clif, inst: cranelift_codegen::ir::Inst) -> bool {
    let truncates = matches!(func.dfg.insts[inst].opcode(), Opcode::X86Cvtt2dq | Opcode::Snarrow);
    let of = || func.dfg.value_def(func.dfg.inst_args(inst)[0]).inst();
    truncates && of().is_some_and(|i| func.dfg.insts[i].opcode() == Opcode::Splat || is_of_scalar(func, i))
}

impl Placed<'_> {
    /// The location of the call that returns to that offset.
    fn location(&self, returns_to: u32) -> Option<u32> {
        let after = self.rows.partition_point(|r| r.0 < returns_to);
        self.rows[..after].last().filter(|r| returns_to <= r.1).map(|r| r.2)
    }
}

/// The functions that `relocs` name, which are the callees of the calls behind them. Offsets become those in the code,
/// which begins at `start`.
pub(crate) fn called(relocs: &[ModuleReloc], start: u32) -> Vec<(u32, FuncId)> {
    let function = |r: &ModuleReloc| match (&r.name, r.kind) {
        (_, Reloc::Abs8) => None,
        (&ModuleRelocTarget::User { namespace: 0, index }, _) => {
            Some((r.offset.checked_sub(start)?, FuncId::from_u32(index)))
        }
        _ => None,
    };
    let mut out: Vec<_> = relocs.iter().filter_map(function).collect();
    out.sort_unstable_by_key(|&(at, _)| at);
    out
}

/// The constructs of each statement. Only this type decides about them.
struct Attribution<'a> {
    infos: &'a StmtInfos,
    constructs: &'a FxHashMap<Serial, u32>,
    regions: &'a [(Serial, Serial)],
}

impl Attribution<'_> {
    /// The innermost construct that `o` is or stands in, in its own procedure.
    fn construct(&self, o: Origin) -> Option<Origin> {
        let mut around = std::iter::once(o.stmt).chain(self.infos.ancestors(o.stmt));
        let construct = around.find(|s| self.constructs.contains_key(s));
        // Statements stand in the source's order: if a region and a construct are both around it, the later one is inside the other.
        let holds = |&&(first, last): &&(Serial, Serial)| first < o.stmt && o.stmt < last;
        let region = self.regions.iter().rev().find(holds).map(|r| r.0).filter(|r| self.constructs.contains_key(r));
        let stmt = region.filter(|r| construct.is_some_and(|c| c < *r)).or(construct)?;
        Some(Origin { stmt, via: o.via })
    }

    /// Whether `o` stands in `c`, or was called from there and inlined.
    fn is_in(&self, unit: &Unit, o: Origin, c: Origin) -> bool {
        let region = self.regions.iter().find(|r| r.0 == c.stmt);
        let mut sites = std::iter::successors(Some(o), |at| unit.sets().site(at.via));
        unit.sets().around(self.infos, o).any(|a| a == c)
            || region.is_some_and(|&(first, last)| sites.any(|at| at.via == c.via && first < at.stmt && at.stmt < last))
    }

    /// The constructs of the members of a set: the innermost ones.
    fn of_location(&self, unit: &Unit, location: u32) -> Constructs {
        let mut out = Constructs::new();
        let Some(set) = locate::set_of(unit, location) else { return out };
        for o in lines::owners(unit, set, self.infos) {
            out.extend(self.construct(o));
        }
        out.sort_unstable();
        out.dedup();
        let all = out.clone();
        out.retain(|c| !all.iter().any(|&o| o != *c && self.is_in(unit, o, *c)));
        out
    }

    /// The call statement that a call in the code stands for: the innermost member of its set; among several, one that
    /// is a call. Statements around it are in the set only because the call left them.
    fn call(&self, unit: &Unit, location: u32) -> Option<Origin> {
        let members = lines::innermost(unit, locate::set_of(unit, location)?, self.infos);
        let is_call = |o: &&Origin| self.infos.stmts.get(o.stmt).is_some_and(|i| i.kind == StmtKind::Call);
        members.iter().find(is_call).or_else(|| members.first()).copied()
    }

    /// The index of the site of a call; calls that it was inlined through have earlier ones.
    fn site(&self, unit: &Unit, call: Origin, sites: &mut IndexSet<Site>) -> Option<u32> {
        let calls = std::iter::successors(Some(call), |o| unit.sets().site(o.via));
        let calls: SmallVec<[Origin; 8]> = calls.collect();
        let mut via = None;
        for &o in calls.iter().rev() {
            let construct = *self.constructs.get(&self.construct(o)?.stmt)?;
            let line = self.infos.stmts.get(o.stmt)?.line;
            via = Some(sites.insert_full(Site { construct, line, via }).0 as u32);
        }
        via
    }

    /// The owner of code of these constructs. Merged constructs are in the same inlined code.
    fn owner(&self, unit: &Unit, members: &Constructs, sites: &mut IndexSet<Site>) -> Owner {
        let inlined = members.first().copied().filter(|o| o.via != Chain::NONE);
        let site = inlined.and_then(|o| self.site(unit, unit.sets().site(o.via)?, sites));
        let mut members: Vec<u32> = members.iter().filter_map(|c| self.constructs.get(&c.stmt).copied()).collect();
        members.sort_unstable();
        members.dedup();
        Owner { members, site }
    }
}

/// Adjacent instructions of one block with one set.
#[derive(Clone, Debug)]
struct Piece {
    start: u32,
    /// The beginning of its block.
    block: u32,
    owners: Constructs,
}

/// The map of the functions, whose symbols are at their places in `product`; none if they do not stand in one section.
pub(crate) fn make(
    product: &ObjectProduct,
    placed: &[Placed<'_>],
    profile: &ProfileData,
    infos: &StmtInfos,
    name: impl Fn(FuncId) -> String,
) -> Option<(AddressMap, SectionId)> {
    let attribution = Attribution { infos, constructs: &profile.constructs, regions: &profile.regions };
    let mut owners: IndexSet<Owner> = IndexSet::new();
    let mut names: IndexSet<String> = IndexSet::new();
    let mut sites: IndexSet<Site> = IndexSet::new();
    let mut lanes: BTreeMap<u32, u32> = BTreeMap::new();
    let mut out = AddressMap::default();
    let mut section = None;
    for p in placed {
        let symbol = product.object.symbol(product.function_symbol(p.id));
        let within = symbol.section.id()?;
        if *section.get_or_insert(within) != within {
            return None;
        }
        let start = u32::try_from(symbol.value).ok()?;
        let code = start + p.entry;
        let mut f = Function { start, end: code + p.layout.size, frame: p.layout.frame, ..Function::default() };
        let whole: Constructs = attribution.construct(p.unit.serial().into()).into_iter().collect();
        let mut last = owners.insert_full(attribution.owner(p.unit, &whole, &mut sites)).0 as u32;
        f.ranges.push(Range { start, owner: last });
        for piece in pieces(p, &attribution) {
            let owner = owners.insert_full(attribution.owner(p.unit, &piece.owners, &mut sites)).0 as u32;
            if owner == last {
                continue;
            }
            last = owner;
            let at = code + piece.start;
            match f.ranges.last_mut().filter(|r| r.start == at) {
                Some(r) => r.owner = owner,
                None => f.ranges.push(Range { start: at, owner }),
            }
        }
        for v in &p.vectors {
            let constructs = attribution.of_location(p.unit, v.location);
            for c in constructs.iter().filter_map(|c| profile.constructs.get(&c.stmt)) {
                let most = lanes.entry(*c).or_default();
                *most = (*most).max(v.lanes);
            }
        }
        let mut before = 0;
        for &returns_to in &p.layout.returns {
            let after = p.called.partition_point(|c| c.0 < returns_to);
            // The name stands in the call, or in the load of the address directly before it.
            let callee = (after > before).then(|| names.insert_full(name(p.called[after - 1].1)).0 as u32);
            before = after;
            let site = p.location(returns_to).and_then(|l| attribution.call(p.unit, l));
            let site = site.and_then(|call| attribution.site(p.unit, call, &mut sites));
            f.calls.push(Call { returns_to: code + returns_to, callee, site });
        }
        out.functions.push(f);
    }
    out.functions.sort_by_key(|f| f.start);
    out.owners = owners.into_iter().collect();
    out.names = names.into_iter().collect();
    out.sites = sites.into_iter().collect();
    out.lanes = lanes.into_iter().collect();
    Some((out, section?))
}

/// The pieces of a function with all gaps filled.
fn pieces(p: &Placed<'_>, attribution: &Attribution<'_>) -> Vec<Piece> {
    let mut pieces = split(p, attribution);
    let blocks = block_ranges(&pieces);
    for range in &blocks {
        fill_block(&mut pieces[range.clone()]);
    }
    let loops = Loops::new(&p.layout.edges);
    fill_blocks(&mut pieces, &blocks, &p.layout, &loops, attribution.construct(p.unit.serial().into()));
    for range in &blocks {
        decide_groups(&mut pieces[range.clone()]);
    }
    pieces
}

/// The code in order, cut where the set or the block changes.
fn split(p: &Placed<'_>, attribution: &Attribution<'_>) -> Vec<Piece> {
    let mut known: FxHashMap<u32, Constructs> = FxHashMap::default();
    let mut out = Vec::new();
    let mut rows = p.rows.iter().peekable();
    let mut blocks = p.layout.blocks.iter().copied().peekable();
    let (mut at, mut block) = (0, 0);
    while at < p.layout.size {
        while let Some(b) = blocks.next_if(|&b| b <= at) {
            block = b;
        }
        while rows.next_if(|r| r.1 <= at).is_some() {}
        let (end, owners) = match rows.peek() {
            Some(&&(start, end, set)) if start <= at => {
                (end, known.entry(set).or_insert_with(|| attribution.of_location(p.unit, set)).clone())
            }
            Some(&&(start, ..)) => (start, Constructs::new()),
            None => (p.layout.size, Constructs::new()),
        };
        let end = blocks.peek().map_or(end, |&b| end.min(b)).min(p.layout.size);
        out.push(Piece { start: at, block, owners });
        at = end;
    }
    out
}

/// The pieces of each block.
fn block_ranges(pieces: &[Piece]) -> Vec<std::ops::Range<usize>> {
    let mut out: Vec<std::ops::Range<usize>> = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        match out.last_mut() {
            Some(range) if pieces[range.start].block == piece.block => range.end = i + 1,
            _ => out.push(i..i + 1),
        }
    }
    out
}

/// Gives pieces without a construct that of the next piece, or at the end of a block that of the piece before.
fn fill_block(pieces: &mut [Piece]) {
    for i in (1..pieces.len()).rev() {
        if pieces[i - 1].owners.is_empty() {
            pieces[i - 1].owners = pieces[i].owners.clone();
        }
    }
    for i in 1..pieces.len() {
        if pieces[i].owners.is_empty() {
            pieces[i].owners = pieces[i - 1].owners.clone();
        }
    }
}

/// Gives blocks without any construct that of a neighbour in the same loops: of the end of the block before, or the
/// beginning of the one behind. Remaining blocks belong to the procedure.
fn fill_blocks(
    pieces: &mut [Piece],
    blocks: &[std::ops::Range<usize>],
    layout: &Layout,
    loops: &Loops,
    procedure: Option<Origin>,
) {
    let at: FxHashMap<u32, usize> = blocks.iter().enumerate().map(|(i, r)| (pieces[r.start].block, i)).collect();
    let mut neighbours: Vec<Vec<(usize, bool)>> = vec![Vec::new(); blocks.len()];
    for (from, to) in &layout.edges {
        if let (Some(&from), Some(&to)) = (at.get(from), at.get(to)) {
            neighbours[to].push((from, true));
            neighbours[from].push((to, false));
        }
    }
    // The entry is the procedure's, whose prologue has no location.
    if let (Some(first), Some(procedure)) = (blocks.first(), procedure)
        && pieces[first.start].owners.is_empty()
    {
        pieces[first.clone()].iter_mut().for_each(|p| p.owners.push(procedure));
    }
    let mut open: Vec<usize> = (0..blocks.len()).filter(|&b| pieces[blocks[b].start].owners.is_empty()).collect();
    for same_loop in [true, false] {
        let mut progress = true;
        while progress && !open.is_empty() {
            progress = false;
            open.retain(|&b| {
                let here = loops.innermost(pieces[blocks[b].start].block);
                let found = neighbours[b].iter().find_map(|&(n, before)| {
                    let range = &blocks[n];
                    let piece = &pieces[if before { range.end - 1 } else { range.start }];
                    let fits = !same_loop || loops.innermost(piece.block) == here;
                    (fits && !piece.owners.is_empty()).then(|| piece.owners.clone())
                });
                let Some(found) = found else { return true };
                pieces[blocks[b].clone()].iter_mut().for_each(|p| p.owners = found.clone());
                progress = true;
                false
            });
        }
    }
    for b in open {
        pieces[blocks[b].clone()].iter_mut().for_each(|p| p.owners.extend(procedure));
    }
}

/// A group of constructs becomes one of them if it is the only one with instructions of its own in the block.
fn decide_groups(block: &mut [Piece]) {
    let mut alone: Constructs = block.iter().filter(|p| p.owners.len() == 1).map(|p| p.owners[0]).collect();
    alone.sort_unstable();
    alone.dedup();
    for piece in block.iter_mut().filter(|p| p.owners.len() > 1) {
        let mut candidates = piece.owners.iter().copied().filter(|c| alone.binary_search(c).is_ok());
        if let (Some(only), None) = (candidates.next(), candidates.next()) {
            piece.owners = SmallVec::from_elem(only, 1);
        }
    }
}

/// The loops of a function, as the offsets of their first and last blocks.
struct Loops {
    /// Outer constructs come before those inside.
    list: Vec<(u32, u32)>,
    /// The index of the loop around each.
    parents: Vec<Option<usize>>,
}

impl Loops {
    fn new(edges: &[(u32, u32)]) -> Loops {
        let mut ends: FxHashMap<u32, u32> = FxHashMap::default();
        for &(from, to) in edges.iter().filter(|(from, to)| to <= from) {
            let end = ends.entry(to).or_insert(from);
            *end = (*end).max(from);
        }
        let mut list: Vec<(u32, u32)> = ends.into_iter().collect();
        list.sort_unstable();
        let (mut parents, mut open) = (Vec::new(), Vec::<usize>::new());
        for (i, &(head, _)) in list.iter().enumerate() {
            while open.pop_if(|&mut l| list[l].1 < head).is_some() {}
            parents.push(open.last().copied());
            open.push(i);
        }
        Loops { list, parents }
    }

    /// The loops around a block, innermost first.
    fn around(&self, block: u32) -> impl Iterator<Item = usize> + '_ {
        let last = self.list.partition_point(|l| l.0 <= block).checked_sub(1);
        std::iter::successors(last, |&l| self.parents[l]).filter(move |&l| block <= self.list[l].1)
    }

    fn innermost(&self, block: u32) -> Option<usize> {
        self.around(block).next()
    }
}

/// Puts the map into a section of its own, and its address and that of the code into the object header.
pub(crate) fn write(
    product: &mut ObjectProduct,
    symbols: &Symbols,
    map: &AddressMap,
    code: SectionId,
) -> Result<(), Error> {
    let bytes = encode(map);
    let header = symbols.data_id(HEADER).ok_or_else(|| Error::internal("there is no object header"))?;
    let header = product.data_symbol(header);
    let header = product.object.symbol(header);
    let (Some(in_section), at) = (header.section.id(), header.value) else {
        return Err(Error::internal("the object header is not defined"));
    };
    let object = &mut product.object;
    let segment = object.segment_name(StandardSegment::Data).to_vec();
    let section = object.add_section(segment, MAP_SECTION.as_bytes().to_vec(), SectionKind::ReadOnlyData);
    object.append_section_data(section, &bytes, 8);
    let (map_symbol, code_symbol) = (object.section_symbol(section), object.section_symbol(code));
    let len_at = (at as usize) + offset_of!(ObjectHeader, map_len);
    let places = [(offset_of!(ObjectHeader, code), code_symbol), (offset_of!(ObjectHeader, map), map_symbol)];
    let data = object.section_mut(in_section).data_mut();
    let Some(len) = data.get_mut(len_at..len_at + 8) else {
        return Err(Error::internal("the object header is cut"));
    };
    len.copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    for (offset, symbol) in places {
        let flags = RelocationFlags::Generic {
            kind: RelocationKind::Absolute,
            encoding: RelocationEncoding::Generic,
            size: 64,
        };
        let relocation = Relocation { offset: at + offset as u64, symbol, addend: 0, flags };
        object.add_relocation(in_section, relocation).map_err(|e| Error::Internal(e.to_string()))?;
    }
    Ok(())
}

/// The linker name of a function.
pub(crate) fn linker_names(module: &ObjectModule) -> FxHashMap<FuncId, String> {
    let functions = module.declarations().get_functions();
    functions.map(|(id, f)| (id, f.linkage_name(id).into_owned())).collect()
}
