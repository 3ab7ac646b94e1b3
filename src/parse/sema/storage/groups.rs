//! COMMON and EQUIVALENCE: which variables share memory, and at which offsets.
//!
//! A union-find over the variables of one scope, with the distance in bytes to the root. Each COMMON
//! block is a root of its own to which its members are joined in sequence; EQUIVALENCE joins the rest. A
//! set that is joined to no block becomes a piece of local static memory.

use crate::constant::eval::Evaluator;
use crate::scope::symbol::{Home, Overlay, StaticId, Symbol, SymbolId};
use crate::scope::{Declarations, ScopeId, ScopeKind};
use crate::storage::data::locate;
use crate::storage::{area_alignment, new_static, size_of, too_large};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_ir::Linkage;
use trueline_syntax::ast::{Ast, ExprList, SaveItem, StmtKind};

/// A node: a variable or a block, and where it lies relative to its parent.
#[derive(Clone, Copy)]
struct Node {
    parent: usize,
    /// Address of this minus address of the parent.
    distance: i64,
}

/// A block as one scope sees it.
struct Block {
    /// The name, empty for blank COMMON.
    name: String,
    node: usize,
    span: Span,
    members: Vec<SymbolId>,
}

#[derive(Default)]
struct Groups {
    nodes: Vec<Node>,
    of_symbol: FxHashMap<SymbolId, usize>,
    /// Variables in the order of joining.
    symbols: Vec<SymbolId>,
    blocks: Vec<Block>,
    block_nodes: FxHashSet<usize>,
    /// The places where EQUIVALENCE names a variable.
    named: FxHashMap<SymbolId, Span>,
}

impl Groups {
    fn node(&mut self) -> usize {
        self.nodes.push(Node { parent: self.nodes.len(), distance: 0 });
        self.nodes.len() - 1
    }

    fn of(&mut self, id: SymbolId) -> usize {
        if let Some(&n) = self.of_symbol.get(&id) {
            return n;
        }
        let n = self.node();
        self.of_symbol.insert(id, n);
        self.symbols.push(id);
        n
    }

    /// The root of a node, and the address of the node minus that of the root.
    fn find(&mut self, n: usize) -> (usize, i64) {
        let (mut root, mut total) = (n, 0);
        while self.nodes[root].parent != root {
            total += self.nodes[root].distance;
            root = self.nodes[root].parent;
        }
        // Path compression, with the distances that are left.
        let (mut at, mut left) = (n, total);
        while self.nodes[at].parent != at {
            let next = self.nodes[at];
            self.nodes[at] = Node { parent: root, distance: left };
            left -= next.distance;
            at = next.parent;
        }
        (root, total)
    }

    fn is_block(&self, root: usize) -> bool {
        self.block_nodes.contains(&root)
    }

    /// Lays `b` at `distance` from `a`, or gives the reason why it cannot be there.
    fn join(&mut self, a: usize, b: usize, distance: i64) -> Result<(), &'static str> {
        let ((ra, da), (rb, db)) = (self.find(a), self.find(b));
        // addr(rb) - addr(ra)
        let between = da + distance - db;
        if ra == rb {
            return if between == 0 { Ok(()) } else { Err("this contradicts what COMMON and EQUIVALENCE say before") };
        }
        match (self.is_block(ra), self.is_block(rb)) {
            (true, true) => return Err("this joins two COMMON blocks"),
            (false, true) => self.nodes[ra] = Node { parent: rb, distance: -between },
            _ => self.nodes[rb] = Node { parent: ra, distance: between },
        }
        Ok(())
    }
}

/// Places the COMMON and EQUIVALENCE variables of a scope. `known` are the blocks of the compilation.
pub fn place(
    decls: &mut Declarations<'_>,
    scope: ScopeId,
    known: &mut FxHashMap<String, StaticId>,
    diags: &mut Diagnostics,
) {
    let ast = decls.ast(scope);
    let Some(unit) = decls.scopes[scope].unit else { return };
    let spec = &ast.units[unit].spec;
    let mut groups = Groups::default();
    commons(decls, scope, &mut groups);
    layout(decls, &mut groups, diags);
    for &s in spec {
        if let StmtKind::Equivalence(sets) = &ast.stmt(s).kind {
            sets.iter().for_each(|&set| equivalence(decls, scope, &mut groups, set, diags));
        }
    }
    for &s in spec {
        if let StmtKind::Save(items) = &ast.stmt(s).kind {
            saved_blocks(ast, items, &groups, diags);
        }
    }
    assign(decls, scope, &mut groups, known, diags);
}

/// SAVE /block/: the block must be there. (It is saved anyway.)
fn saved_blocks(ast: &Ast, items: &[SaveItem], groups: &Groups, diags: &mut Diagnostics) {
    for item in items {
        if let SaveItem::Common(ident) = item {
            let name = ast.name(ident.name);
            if !groups.blocks.iter().any(|b| b.name == name) {
                let message = format!("There is no COMMON block '{name}' to SAVE");
                diags.push(Diagnostic::error("T0277", ident.span, message));
            }
        }
    }
}

/// The blocks of a scope and their members, in order.
fn commons(decls: &Declarations<'_>, scope: ScopeId, groups: &mut Groups) {
    let ast = decls.ast(scope);
    let Some(unit) = decls.scopes[scope].unit else { return };
    let mut index: FxHashMap<&str, usize> = FxHashMap::default();
    for &s in &ast.units[unit].spec {
        let StmtKind::Common(blocks) = &ast.stmt(s).kind else { continue };
        for block in blocks {
            let (name, span) = match block.name {
                Some(ident) => (ast.name(ident.name), ident.span),
                None => ("", ast.stmt(s).span),
            };
            let at = *index.entry(name).or_insert_with(|| {
                let node = groups.node();
                groups.block_nodes.insert(node);
                groups.blocks.push(Block { name: name.to_owned(), node, span, members: Vec::new() });
                groups.blocks.len() - 1
            });
            for item in &block.items {
                let id = decls.lookup_local(scope, ast.name(item.name.name));
                let member = id.filter(|&id| {
                    let symbol = &decls.symbols[id];
                    symbol.scope == scope && symbol.is_variable() && symbol.attrs.common
                });
                // Listed twice: reported when it was declared.
                if let Some(id) = member.filter(|id| !groups.of_symbol.contains_key(id)) {
                    groups.of(id);
                    groups.blocks[at].members.push(id);
                }
            }
        }
    }
}

/// The bytes that a member takes: for a POINTER those of its descriptor.
fn stored_size(symbol: &Symbol) -> Option<i64> {
    if symbol.attrs.pointer { Some(crate::storage::descriptor_size(symbol)) } else { size_of(symbol) }
}

/// The alignment of a member.
fn stored_alignment(decls: &Declarations<'_>, symbol: &Symbol) -> u32 {
    if symbol.attrs.pointer { 8 } else { crate::storage::alignment_of(decls, symbol) }
}

/// Joins the members of each block one after the other, aligned as gfortran aligns them.
fn layout(decls: &Declarations<'_>, groups: &mut Groups, diags: &mut Diagnostics) {
    for k in 0..groups.blocks.len() {
        let mut offset = 0i64;
        let block = groups.blocks[k].node;
        for id in groups.blocks[k].members.clone() {
            let symbol = &decls.symbols[id];
            if symbol.attrs.allocatable {
                let message = format!("'{}' is ALLOCATABLE and cannot be in COMMON", symbol.name);
                diags.push(Diagnostic::error("T0275", symbol.span, message));
                continue;
            }
            let align = i64::from(stored_alignment(decls, symbol));
            let padding = (align - offset % align) % align;
            if padding > 0 {
                let name = if groups.blocks[k].name.is_empty() { "blank COMMON" } else { &groups.blocks[k].name };
                let message = format!("{padding} bytes of padding stand before '{}' in COMMON '{name}'", symbol.name);
                diags.push(
                    Diagnostic::warning("T0270", symbol.span, message)
                        .help("Put the variables with the largest elements first"),
                );
            }
            offset += padding;
            let node = groups.of(id);
            // A fresh node: it can be joined.
            let _ = groups.join(block, node, offset);
            let size = stored_size(symbol);
            match size {
                Some(size) if size <= crate::storage::STATIC_LIMIT => offset += size,
                _ => diags.push(too_large(symbol)),
            }
        }
    }
}

fn equivalence(decls: &Declarations<'_>, scope: ScopeId, groups: &mut Groups, set: ExprList, diags: &mut Diagnostics) {
    let ast = decls.ast(scope);
    let mut first: Option<(usize, i64, SymbolId)> = None;
    if let [one] = ast.list(set) {
        diags.push(Diagnostic::error("T0278", ast.span(*one), "EQUIVALENCE of one variable says nothing"));
    }
    for &x in ast.list(set) {
        let span = ast.span(x);
        let place = match locate(&mut Evaluator::new(decls, scope), x) {
            Ok(place) => place,
            Err(why) => {
                if let Some(d) = why.report("A subscript in EQUIVALENCE") {
                    diags.push(d);
                }
                continue;
            }
        };
        let symbol = &decls.symbols[place.symbol];
        let plain = symbol.is_variable() && symbol.scope == scope && symbol.home == Home::None;
        if !plain || symbol.attrs.result || symbol.is_indirect() || size_of(symbol).is_none() {
            let message = format!("'{}' cannot be in EQUIVALENCE", symbol.name);
            let d = Diagnostic::error("T0271", span, message).because(symbol.span, "declared here");
            diags.push(d.note("only variables of constant size that are neither arguments nor imported can"));
            continue;
        }
        if let Some(s) = symbol.structure.map(|s| &decls.structures[s]).filter(|s| s.owns || !s.sequence) {
            let why = if s.owns { "has ALLOCATABLE components" } else { "is no SEQUENCE type" };
            let message = format!("'{}' cannot be in EQUIVALENCE: '{}' {why}", symbol.name, s.name);
            diags.push(Diagnostic::error("T0271", span, message).because(symbol.span, "declared here"));
        }
        if symbol.attrs.target {
            let message = format!("'{}' is a TARGET and cannot be in EQUIVALENCE", symbol.name);
            diags.push(Diagnostic::error("T0271", span, message).because(symbol.span, "declared here"));
        }
        let (node, offset) = (groups.of(place.symbol), place.offset);
        groups.named.entry(place.symbol).or_insert(span);
        match first {
            None => first = Some((node, offset, place.symbol)),
            Some((other, at, with)) => {
                if let Err(why) = groups.join(other, node, at - offset) {
                    let message =
                        format!("'{}' and '{}' cannot be equivalenced", decls.symbols[with].name, symbol.name);
                    diags.push(Diagnostic::error("T0272", span, message).label(why));
                }
            }
        }
    }
}

/// The extent of one set of joined variables.
#[derive(Clone, Copy)]
struct Range {
    low: i64,
    high: i64,
    align: u32,
}

fn assign(
    decls: &mut Declarations<'_>,
    scope: ScopeId,
    groups: &mut Groups,
    known: &mut FxHashMap<String, StaticId>,
    diags: &mut Diagnostics,
) {
    let mut ranges: FxHashMap<usize, Range> = FxHashMap::default();
    let placed: Vec<(SymbolId, usize, i64)> = groups
        .symbols
        .clone()
        .into_iter()
        .map(|id| {
            let node = groups.of(id);
            let (root, at) = groups.find(node);
            (id, root, at)
        })
        .collect();
    for &(id, root, at) in &placed {
        let symbol = &decls.symbols[id];
        let size = stored_size(symbol).unwrap_or(0).min(crate::storage::STATIC_LIMIT);
        let r = ranges.entry(root).or_insert(Range { low: at, high: at, align: 1 });
        r.low = r.low.min(at);
        r.high = r.high.max(at + size);
        r.align = r.align.max(stored_alignment(decls, symbol));
    }
    let mut areas: FxHashMap<usize, (StaticId, i64)> = FxHashMap::default();
    for block in &groups.blocks {
        let r = ranges.get(&block.node).copied().unwrap_or(Range { low: 0, high: 0, align: 1 });
        if r.low < 0 {
            let lowest = placed.iter().filter(|p| p.1 == block.node).min_by_key(|p| p.2);
            let at = lowest.and_then(|p| groups.named.get(&p.0)).copied().unwrap_or(block.span);
            let message = format!("EQUIVALENCE extends COMMON '{}' before its first member", block.name);
            diags.push(Diagnostic::error("T0273", at, message).because(block.span, "the block"));
        }
        let area = common_area(decls, scope, block, r, known, diags);
        areas.insert(block.node, (area, 0));
    }
    let on_stack = overlays(decls, scope, &placed, &ranges);
    for (id, root, at) in placed {
        if let (Some(&first), Some(r), None) = (on_stack.get(&root), ranges.get(&root), areas.get(&root)) {
            let offset = u64::try_from(at - r.low).unwrap_or(0);
            let size = u64::try_from(r.high - r.low).unwrap_or(0);
            decls.symbols[id].home = Home::Frame;
            decls.symbols[id].overlay = Some(Overlay { first, offset, size });
            continue;
        }
        let (area, base) = match areas.get(&root) {
            Some(&found) => found,
            None => {
                let Some(&r) = ranges.get(&root) else { continue };
                let size = r.high - r.low;
                if size > crate::storage::STATIC_LIMIT {
                    diags.push(too_large(&decls.symbols[id]));
                }
                let align = r.align.max(area_alignment(size));
                let (name, linkage) = equivalence_symbol(decls, scope, areas.len());
                let area = new_static(decls, name, size as u64, align, linkage, scope);
                areas.insert(root, (area, r.low));
                (area, r.low)
            }
        };
        decls.symbols[id].home = Home::Static { area, offset: u64::try_from(at - base).unwrap_or(0) };
    }
}

/// The sets that every activation of a procedure has of its own, with one variable of each: several may be active at a time, or
/// AUTOMATIC says so.
fn overlays(
    decls: &Declarations<'_>,
    scope: ScopeId,
    placed: &[(SymbolId, usize, i64)],
    ranges: &FxHashMap<usize, Range>,
) -> FxHashMap<usize, SymbolId> {
    let mut out = FxHashMap::default();
    if decls.scopes[scope].kind != ScopeKind::Procedure || decls.scopes[scope].save_all {
        return out;
    }
    let is_recursive = crate::storage::is_recursive(decls, scope);
    let mut others = FxHashSet::default();
    for &(id, root, _) in placed {
        let s = &decls.symbols[id];
        let is_large = ranges.get(&root).is_none_or(|r| r.high - r.low > crate::storage::FRAME_LIMIT);
        if s.attrs.save || s.attrs.initialised || s.attrs.common || is_large {
            others.insert(root);
        }
        if is_recursive || s.attrs.automatic {
            out.entry(root).or_insert(id);
        }
    }
    out.retain(|root, _| !others.contains(root));
    out
}

/// The linker symbol of equivalenced memory. Users of a module from a module file count its sets like the module itself.
fn equivalence_symbol(decls: &Declarations<'_>, scope: ScopeId, count: usize) -> (String, Linkage) {
    if decls.scopes[scope].kind != ScopeKind::Module {
        let linkage = crate::storage::linkage_of_procedure(decls, scope);
        return (format!("equiv.{}", decls.statics.len()), linkage);
    }
    let module = decls.scopes[scope].symbol.map_or("", |m| &decls.symbols[m].name);
    (format!("__{module}_MOD_equiv.{count}"), crate::storage::linkage_of_module(decls, scope))
}

/// The memory of a COMMON block, which grows to the largest of its declarations.
fn common_area(
    decls: &mut Declarations<'_>,
    scope: ScopeId,
    block: &Block,
    r: Range,
    known: &mut FxHashMap<String, StaticId>,
    diags: &mut Diagnostics,
) -> StaticId {
    let size = r.high.max(0);
    if size > crate::storage::STATIC_LIMIT {
        let message = format!("COMMON '{}' is too large: static memory ends at 2 GiB", block.name);
        diags.push(Diagnostic::error("T0276", block.span, message));
    }
    let is_named = !block.name.is_empty() && !decls.scopes[scope].common_labels.contains_key(block.name.as_str());
    if let Some(other) = decls.lookup_global(&block.name).filter(|_| is_named) {
        let other = &decls.symbols[other];
        let message = format!("'{}' is the name of a COMMON block and of something else", block.name);
        diags.push(Diagnostic::error("T0279", block.span, message).because(other.span, "defined here"));
    }
    let label = decls.scopes[scope].common_labels.get(block.name.as_str()).cloned();
    let linker = match label {
        Some(label) => label,
        None if block.name.is_empty() => "__BLNK__".to_owned(),
        None => format!("{}_", block.name),
    };
    let align = r.align.max(area_alignment(size));
    if let Some(&area) = known.get(&linker) {
        let data = &mut decls.statics[area];
        if data.size != size.max(1) as u64 && !block.name.is_empty() {
            let message = format!("COMMON '{}' has {size} bytes here, and {} elsewhere", block.name, data.size);
            diags.push(Diagnostic::warning("T0274", block.span, message));
        }
        data.size = data.size.max(size as u64);
        data.align = data.align.max(align);
        return area;
    }
    let area = new_static(decls, linker.clone(), size as u64, align, Linkage::Common, scope);
    known.insert(linker, area);
    area
}
