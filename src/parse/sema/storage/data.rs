//! Initial values: DATA, and `= value` in type declarations.
//!
//! Values are laid down in the bytes of static memory. Targets and values of a DATA group are two
//! sequences that are walked side by side: neither is ever expanded, so `DATA A /1000000*0.0/` costs a
//! million steps but no million of values.

use crate::constant::eval::{Evaluator, Unfolded, WhyNot};
use crate::constant::{Const, Scalar, convert, resize_text};
use crate::scope::symbol::{Home, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId, ScopeKind};
use crate::storage::pointers::PointerItem;
use crate::types::kinds::{Category, type_name};
use crate::types::structure::Address;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_ir::Type;
use trueline_syntax::ast::{ArgList, ArgValue, DataGroup, ExprId, ExprKind, ExprList, Init, StmtKind};

/// Largest piece of static memory that can have content: it is in the compiler's memory and in the object.
const INIT_LIMIT: u64 = 1 << 28;

/// A variable or a part of it whose place is known.
pub struct Located {
    /// The variable.
    pub symbol: SymbolId,
    /// Offset of the first byte from the start of the variable.
    pub offset: i64,
    /// For each dimension of the part: how many elements, and how many bytes from one to the next.
    pub steps: Vec<(i64, i64)>,
    /// The same of the arrays of structures that it is a component of, as long as its own may get subscripts.
    around: Vec<(i64, i64)>,
    /// The bytes of an element.
    pub size: i64,
    /// The component, as if it were a variable.
    component: Option<Box<Symbol>>,
}

impl Located {
    /// The symbol or component that the place is (a part of).
    pub fn what<'d>(&'d self, decls: &'d Declarations<'_>) -> &'d Symbol {
        self.component.as_deref().unwrap_or(&decls.symbols[self.symbol])
    }
}

/// The place of `x`, a variable, array element, section or substring with constant subscripts.
pub fn locate(ev: &mut Evaluator<'_, '_>, x: ExprId) -> Result<Located, Unfolded> {
    let mut place = part(ev, x)?;
    if !place.around.is_empty() && !place.steps.is_empty() {
        return Err(Unfolded::invalid(ev.ast.span(x), "Only one part of a reference may be an array"));
    }
    place.steps.append(&mut place.around);
    Ok(place)
}

/// The same, when more of the reference follows.
fn part(ev: &mut Evaluator<'_, '_>, x: ExprId) -> Result<Located, Unfolded> {
    let ast = ev.ast;
    let span = ast.span(x);
    match ast.expr(x).kind {
        ExprKind::Name(name) => {
            let text = ast.name(name);
            let found = ev.decls.lookup(ev.scope, text);
            let Some(id) = found else { return Err(Unfolded::invalid(span, format!("'{text}' is not a variable"))) };
            let symbol = &ev.decls.symbols[id];
            if symbol.kind == SymbolKind::Error {
                return Err(Unfolded { span, why: WhyNot::Reported });
            }
            let size = symbol.element_size().filter(|_| symbol.is_variable());
            let size =
                size.ok_or_else(|| Unfolded::invalid(span, format!("'{text}' is not a variable of constant size")))?;
            Ok(Located { symbol: id, offset: 0, steps: whole(symbol, size), size, around: Vec::new(), component: None })
        }
        ExprKind::Call { base, args } => {
            let outer = part(ev, base)?;
            let symbol = outer.what(ev.decls);
            let is_whole = matches!(ast.expr(base).kind, ExprKind::Name(_) | ExprKind::Component { .. });
            if is_whole && symbol.is_array() {
                subscripts(ev, outer, args, span)
            } else if symbol.is_character() {
                substring(ev, outer, args, span)
            } else {
                Err(Unfolded::invalid(span, format!("'{}' is not an array", symbol.name)))
            }
        }
        ExprKind::Component { base, name } => {
            let outer = locate(ev, base)?;
            component(ev, outer, ast.name(name), span)
        }
        ExprKind::Error => Err(Unfolded { span, why: WhyNot::Reported }),
        _ => Err(Unfolded::invalid(span, "This is not a variable")),
    }
}

/// The component `name` of the structures at `outer`.
fn component(ev: &Evaluator<'_, '_>, outer: Located, name: &str, span: Span) -> Result<Located, Unfolded> {
    let of = outer.what(ev.decls);
    let structure = of.structure.map(|id| &ev.decls.structures[id]);
    let found = structure.and_then(|s| s.find(name).map(|k| &s.components[k]));
    let Some(c) = found else {
        return Err(Unfolded::invalid(span, format!("'{}' has no component '{name}'", of.name)));
    };
    if c.is_indirect() {
        return Err(Unfolded::invalid(span, format!("The component '{name}' is a POINTER or ALLOCATABLE")));
    }
    let mut what = of.clone();
    what.name = format!("{}%{name}", of.name);
    (what.ty, what.structure, what.len) = (Some(c.ty), c.structure, c.len);
    what.shape.clone_from(&c.shape);
    let size = c.element_size();
    Ok(Located {
        symbol: outer.symbol,
        offset: outer.offset + c.offset,
        steps: whole(&what, size),
        around: outer.steps,
        size,
        component: Some(Box::new(what)),
    })
}

fn whole(symbol: &Symbol, size: i64) -> Vec<(i64, i64)> {
    let mut stride = size;
    let mut steps = Vec::with_capacity(symbol.rank());
    for b in &symbol.shape {
        let n = b.size().unwrap_or(0);
        steps.push((n, stride));
        stride = stride.saturating_mul(n);
    }
    steps
}

fn subscripts(ev: &mut Evaluator<'_, '_>, outer: Located, args: ArgList, span: Span) -> Result<Located, Unfolded> {
    let symbol = outer.what(ev.decls).clone();
    let given = ev.ast.args(args);
    if given.len() != symbol.rank() {
        let message = format!("'{}' has rank {}, but {} subscripts are given", symbol.name, symbol.rank(), given.len());
        return Err(Unfolded::invalid(span, message));
    }
    let mut offset = outer.offset;
    let mut steps = Vec::new();
    for ((arg, bounds), &(_, stride)) in given.iter().zip(&symbol.shape).zip(&outer.steps) {
        let (Some(lower), Some(upper)) = (bounds.lower.known(), bounds.upper.known()) else {
            return Err(Unfolded::invalid(span, format!("The bounds of '{}' are not constant", symbol.name)));
        };
        let inside = |v: i64| {
            if v < lower || v > upper {
                let message = format!("The subscript {v} of '{}' is outside of {lower}:{upper}", symbol.name);
                return Err(Unfolded::invalid(arg.span, message));
            }
            Ok(v - lower)
        };
        match arg.value {
            ArgValue::Expr(x) => offset += inside(ev.index(x)?)? * stride,
            ArgValue::Section { lo, hi, step } => {
                let step = step.expand().map_or(Ok(1), |x| ev.int(x))?;
                let (first, last) = if step < 0 { (upper, lower) } else { (lower, upper) };
                let lo = lo.expand().map_or(Ok(first), |x| ev.int(x))?;
                let hi = hi.expand().map_or(Ok(last), |x| ev.int(x))?;
                let count = crate::constant::eval::trips(lo, hi, step);
                let count = count.ok_or_else(|| Unfolded::invalid(arg.span, "The stride is zero"))? as i64;
                if count > 0 {
                    offset += inside(lo)? * stride;
                    inside(lo.saturating_add((count - 1).saturating_mul(step)))?;
                }
                steps.push((count, stride.saturating_mul(step)));
            }
            ArgValue::AltReturn(_) | ArgValue::Star => {
                return Err(Unfolded::invalid(arg.span, "This is not a subscript"));
            }
        }
    }
    Ok(Located { offset, steps, ..outer })
}

fn substring(ev: &mut Evaluator<'_, '_>, outer: Located, args: ArgList, span: Span) -> Result<Located, Unfolded> {
    let [arg] = ev.ast.args(args) else { return Err(Unfolded::invalid(span, "A substring has one range")) };
    let ArgValue::Section { lo, hi, step } = arg.value else {
        return Err(Unfolded::invalid(span, "A substring is written with ':'"));
    };
    if step.is_some() {
        return Err(Unfolded::invalid(span, "A substring has no stride"));
    }
    let lo = lo.expand().map_or(Ok(1), |x| ev.int(x))?;
    let hi = hi.expand().map_or(Ok(outer.size), |x| ev.int(x))?;
    if lo <= hi && (lo < 1 || hi > outer.size) {
        return Err(Unfolded::invalid(span, format!("The substring {lo}:{hi} is outside of 1:{}", outer.size)));
    }
    if lo > hi {
        return Ok(Located { size: 0, ..outer });
    }
    Ok(Located { offset: outer.offset + lo - 1, size: hi - lo + 1, ..outer })
}

/// Lays down all initial values that a scope gives.
pub fn initialise(decls: &mut Declarations<'_>, scope: ScopeId, diags: &mut Diagnostics) {
    let ast = decls.ast(scope);
    let spec = match (decls.scopes[scope].unit, decls.scopes[scope].construct.map(|s| &ast.stmt(s).kind)) {
        (Some(unit), _) => &ast.units[unit].spec,
        (_, Some(StmtKind::Block(c))) => &c.spec,
        _ => return,
    };
    let mut done = Done::default();
    default_content(decls, scope);
    crate::storage::initial::preset_kept(decls, scope);
    for &s in spec {
        match &ast.stmt(s).kind {
            StmtKind::Data(groups) => groups.iter().for_each(|g| data_group(decls, scope, g, &mut done, diags)),
            StmtKind::TypeDecl(decl) => {
                for entity in &decl.entities {
                    let name = ast.name(entity.name.name);
                    match entity.init {
                        Init::Value(x) => declared_value(decls, scope, name, x, &mut done, diags),
                        Init::Pointer(x) => crate::storage::pointers::declared_target(decls, scope, name, x, diags),
                        Init::None => {}
                    }
                }
            }
            StmtKind::ProcedureDecl(decl) => {
                for entity in &decl.entities {
                    if let Init::Pointer(x) = entity.init {
                        crate::storage::pointers::declared_procedure(decls, scope, entity.name, x, diags);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Structures in static memory begin with the defaults of their components.
fn default_content(decls: &mut Declarations<'_>, scope: ScopeId) {
    for id in decls.scopes[scope].own.clone() {
        let symbol = &decls.symbols[id];
        let (Some(structure), Home::Static { area, offset }) = (symbol.structure, symbol.home) else { continue };
        if !symbol.is_variable() || symbol.is_indirect() {
            continue;
        }
        let Some(one) = decls.structures[structure].initial.clone() else { continue };
        let count = symbol.element_count().unwrap_or(0);
        put_content(decls, scope, (area, offset), &one, count);
        put_addresses(decls, scope, (area, offset), structure, count);
    }
}

/// The addresses in `count` structures.
fn put_addresses(
    decls: &mut Declarations<'_>,
    scope: ScopeId,
    (area, offset): (crate::scope::symbol::StaticId, u64),
    structure: crate::types::structure::StructureId,
    count: i64,
) {
    let (size, addresses) = (decls.structures[structure].size, decls.structures[structure].addresses.clone());
    let data = &mut decls.statics[area];
    if data.size > INIT_LIMIT || addresses.is_empty() {
        return;
    }
    if data.init.is_empty() {
        data.init = vec![0; data.size as usize];
        data.owner = scope;
    }
    for k in 0..count {
        let first = offset + (k * size) as u64;
        for (at, of) in &addresses {
            match of {
                Address::Memory(of, add) => data.addresses.push((first + at, *of, *add)),
                Address::Procedure(linker) => data.procedures.push((first + at, linker.clone())),
            }
        }
    }
}

/// Puts `count` times the bytes of an element into an area, if it is not too large for initial values.
pub fn put_content(
    decls: &mut Declarations<'_>,
    scope: ScopeId,
    (area, offset): (crate::scope::symbol::StaticId, u64),
    one: &[u8],
    count: i64,
) {
    let data = &mut decls.statics[area];
    if data.size > INIT_LIMIT || one.iter().all(|&b| b == 0) {
        return;
    }
    let content = crate::types::structure::repeated(one, count);
    if data.init.is_empty() {
        data.init = vec![0; data.size as usize];
        data.owner = scope;
    }
    if let Some(place) = data.init.get_mut(offset as usize..offset as usize + content.len()) {
        place.copy_from_slice(&content);
    }
}

/// `= value` in a type declaration of a variable.
fn declared_value(
    decls: &mut Declarations<'_>,
    scope: ScopeId,
    name: &str,
    x: ExprId,
    done: &mut Done,
    diags: &mut Diagnostics,
) {
    let Some(id) = decls.lookup_local(scope, name) else { return };
    let symbol = &decls.symbols[id];
    if !symbol.is_variable() || symbol.scope != scope {
        return;
    }
    let span = decls.ast(scope).span(x);
    let mut ev = Evaluator::new(decls, scope);
    let value = match ev.eval(x) {
        Ok(v) => v,
        Err(why) => {
            if let Some(d) = why.report(&format!("The initial value of '{name}'")) {
                diags.push(d);
            }
            return;
        }
    };
    if let Some(d) = cannot_initialise(decls, scope, symbol, span) {
        diags.push(d);
        return;
    }
    let mut writer = Writer::default();
    let hollerith = decls.is_number_text(scope, x);
    if let Err(d) = writer.whole(decls, id, &value, hollerith, span) {
        diags.push(*d);
    }
    writer.store(decls, scope, done, diags);
}

/// The initialised ranges of bytes of each variable, with the places in the source.
#[derive(Default)]
struct Done {
    ranges: FxHashMap<SymbolId, BTreeMap<i64, (i64, Span)>>,
}

impl Done {
    /// Whether the bytes are the first of an element of characters, and not the whole of it.
    fn is_untouched(&self, id: SymbolId, bytes: &[u8], offset: i64, symbol: &Symbol) -> bool {
        let size = symbol.element_size().unwrap_or(0);
        if !symbol.is_character() || bytes.len() as i64 >= size {
            return false;
        }
        let element = offset / size * size..offset / size * size + size;
        self.ranges.get(&id).is_none_or(|r| r.range(element).next().is_none())
    }

    /// Adds a range; the place of an earlier one that it overlaps.
    fn add(&mut self, id: SymbolId, start: i64, end: i64, span: Span) -> Option<Span> {
        let ranges = self.ranges.entry(id).or_default();
        let earlier = ranges.range(..end).next_back().filter(|r| r.1.0 > start).map(|r| r.1.1);
        ranges.insert(start, (end, span));
        earlier
    }
}

/// Bytes that are ready to be stored. They are collected first, because the evaluator borrows the
/// declarations.
#[derive(Default)]
struct Writer {
    writes: Vec<(SymbolId, i64, Vec<u8>, Span)>,
    pointers: Vec<PointerItem>,
}

impl Writer {
    fn whole(
        &mut self,
        decls: &Declarations<'_>,
        id: SymbolId,
        value: &Const,
        hollerith: bool,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let symbol = &decls.symbols[id];
        let size = symbol.element_size().unwrap_or(0);
        let count = symbol.element_count().unwrap_or(0);
        let extents: Vec<i64> = symbol.shape.iter().filter_map(|b| b.size()).collect();
        if value.rank() > 0 && value.extents() != extents {
            let message = format!("The shape of the initial value differs from that of '{}'", symbol.name);
            return Err(Box::new(Diagnostic::error("T0280", span, message).because(symbol.span, "declared here")));
        }
        let elements = value.elements();
        let ty = symbol.ty.unwrap_or(Type::I4);
        if !decls.options.no_range_check && elements.iter().any(|s| !crate::constant::ops::fits(s, ty)) {
            let message = format!("The initial value of '{}' does not fit into {}", symbol.name, type_name(ty));
            return Err(Box::new(Diagnostic::error("T0281", span, message).because(symbol.span, "declared here")));
        }
        let mut bytes = Vec::with_capacity((size * count).min(1 << 24) as usize);
        for k in 0..count {
            let v = &elements[if value.rank() == 0 { 0 } else { k as usize }];
            bytes.extend(item_bytes(v, symbol, size, hollerith, span)?);
        }
        self.writes.push((id, 0, bytes, span));
        Ok(())
    }

    fn store(self, decls: &mut Declarations<'_>, scope: ScopeId, done: &mut Done, diags: &mut Diagnostics) {
        let mut reported = false;
        let owner = decls.unit_around(scope);
        for item in &self.pointers {
            crate::storage::pointers::data_pointer(decls, scope, item, diags);
        }
        for (id, offset, bytes, span) in self.writes {
            let is_first = done.is_untouched(id, &bytes, offset, &decls.symbols[id]);
            let earlier = done.add(id, offset, offset + bytes.len() as i64, span);
            if let Some(first) = earlier.filter(|_| !reported) {
                let message = format!("'{}' is initialised twice", decls.symbols[id].name);
                reported = true;
                diags.push(Diagnostic::error("T0286", span, message).because(first, "first initialised here"));
            }
            if let (Home::Register, Some(ty)) = (decls.symbols[id].home, decls.symbols[id].ty) {
                decls.symbols[id].value = crate::constant::math::from_bytes(&bytes, ty).map(Const::Scalar);
                continue;
            }
            let Home::Static { area, offset: start } = decls.symbols[id].home else { continue };
            let data = &mut decls.statics[area];
            if data.init.is_empty() {
                // Zeros need no content, and most zeros are large arrays.
                if bytes.iter().all(|&b| b == 0) {
                    continue;
                }
                data.init = vec![0; data.size as usize];
                data.owner = owner;
            }
            if is_first {
                // The rest of an element beside a substring is blank.
                let size = decls.symbols[id].element_size().unwrap_or(1);
                let at = (start as i64 + offset / size * size) as usize;
                if let Some(element) = data.init.get_mut(at..at + size as usize) {
                    element.fill(b' ');
                }
            }
            let at = start as usize + offset as usize;
            if let Some(place) = data.init.get_mut(at..at + bytes.len()) {
                place.copy_from_slice(&bytes);
            }
        }
    }
}

/// The bytes of a value as an item of a variable, `size` bytes of characters.
fn item_bytes(v: &Scalar, symbol: &Symbol, size: i64, hollerith: bool, span: Span) -> Result<Vec<u8>, Box<Diagnostic>> {
    let ty = symbol.ty.unwrap_or(Type::I4);
    let logical = |ty| Category::of(ty) == Category::Logical;
    let converted = match (v, Category::of(ty)) {
        (Scalar::Char(_), Category::Character) => Some(resize_text(v, size as usize)),
        // A Hollerith constant in a number, as FORTRAN 66 programs have them: their bytes, padded with blanks.
        (Scalar::Char(text), _) if hollerith => {
            let mut bytes = text.to_vec();
            bytes.resize(ty.size(), b' ');
            return Ok(bytes);
        }
        (Scalar::Boz(_), _) => convert(v, ty),
        _ if logical(v.ty()) != logical(ty) => None,
        _ => convert(v, ty),
    };
    converted.and_then(|c| c.bytes(ty, size as usize)).ok_or_else(|| {
        let message =
            format!("A value of type {} does not fit '{}', {}", type_name(v.ty()), symbol.name, type_name(ty));
        Box::new(Diagnostic::error("T0281", span, message).because(symbol.span, "declared here"))
    })
}

/// The values of a DATA group, repeated as the source says.
struct Values<'g> {
    group: &'g DataGroup,
    next: usize,
    current: Option<(Const, Span)>,
    /// Elements of the current value that are used up.
    used: usize,
    /// The number of times that the current value is still to be given.
    left: i64,
    /// Whether the current value is a Hollerith constant.
    is_hollerith: bool,
    /// The target of the last pointer, and for how many more it stands.
    repeated: Option<(ExprId, i64)>,
}

impl Values<'_> {
    /// The next value; none when there are no more.
    fn next(&mut self, ev: &mut Evaluator<'_, '_>) -> Result<Option<(Scalar, Span)>, Unfolded> {
        loop {
            if self.left > 0
                && let Some((value, span)) = &self.current
            {
                let elements = value.elements();
                if let Some(v) = elements.get(self.used) {
                    self.used += 1;
                    if self.used == elements.len() {
                        self.used = 0;
                        self.left -= 1;
                    }
                    return Ok(Some((v.clone(), *span)));
                }
            }
            let Some(value) = self.group.values.get(self.next) else { return Ok(None) };
            self.next += 1;
            let span = ev.ast.span(value.value);
            self.is_hollerith = ev.decls.is_number_text(ev.scope, value.value);
            self.left = value.repeat.map_or(Ok(1), |r| ev.int(r))?;
            if self.left < 0 {
                return Err(Unfolded::invalid(span, "A repeat count must not be negative"));
            }
            self.current = Some((ev.eval(value.value)?, span));
            self.used = 0;
            if self.current.as_ref().is_some_and(|c| c.0.elements().is_empty()) {
                self.left = 0;
            }
        }
    }
}

impl Values<'_> {
    /// The next value as the target of a pointer; none if there is none, or if elements of another value are left.
    fn target(&mut self, ev: &mut Evaluator<'_, '_>) -> Result<Option<ExprId>, Unfolded> {
        if let Some((x, left)) = self.repeated.filter(|r| r.1 > 0) {
            self.repeated = Some((x, left - 1));
            return Ok(Some(x));
        }
        if self.left > 0 {
            return Ok(None);
        }
        let Some(value) = self.group.values.get(self.next) else { return Ok(None) };
        let times = value.repeat.map_or(Ok(1), |r| ev.int(r))?;
        self.next += 1;
        self.repeated = Some((value.value, times - 1));
        Ok((times > 0).then_some(value.value))
    }
}

/// Why a DATA group ends before its time.
enum Stop {
    Unfolded(Unfolded),
    Wrong(Box<Diagnostic>),
    /// Fewer values than items.
    NoValues(Span, SymbolId),
}

impl From<Unfolded> for Stop {
    fn from(why: Unfolded) -> Stop {
        Stop::Unfolded(why)
    }
}

fn data_group(
    decls: &mut Declarations<'_>,
    scope: ScopeId,
    group: &DataGroup,
    known: &mut Done,
    diags: &mut Diagnostics,
) {
    let mut values = Values { group, next: 0, current: None, used: 0, left: 0, is_hollerith: false, repeated: None };
    let mut writer = Writer::default();
    let mut ev = Evaluator::new(decls, scope);
    let done = data_items(&mut ev, group.targets, &mut values, &mut writer);
    let done = done.and_then(|()| {
        let more = values.next(&mut ev)?;
        let Some((_, span)) = more else { return Ok(()) };
        let d = Diagnostic::error("T0282", span, "DATA gives more values than there are items");
        Err(Stop::Wrong(Box::new(d.label("from here on there is nothing to initialise"))))
    });
    match done {
        Ok(()) => {}
        Err(Stop::Unfolded(why)) => why.report("A value or subscript in DATA").into_iter().for_each(|d| diags.push(d)),
        Err(Stop::Wrong(d)) => diags.push(*d),
        Err(Stop::NoValues(span, id)) => {
            let symbol = &decls.symbols[id];
            let message = format!("DATA gives fewer values than there are items: none is left for '{}'", symbol.name);
            diags.push(Diagnostic::error("T0283", span, message).because(symbol.span, "declared here"));
        }
    }
    writer.store(decls, scope, known, diags);
}

fn data_items(
    ev: &mut Evaluator<'_, '_>,
    items: ExprList,
    values: &mut Values<'_>,
    writer: &mut Writer,
) -> Result<(), Stop> {
    let ast = ev.ast;
    for &x in ast.list(items) {
        match &ast.expr(x).kind {
            ExprKind::ImpliedDo(implied) => {
                let mut stop = None;
                let run = ev.implied_do(implied, ast.span(x), |ev| {
                    data_items(ev, implied.items, values, writer).map_err(|s| {
                        stop = Some(s);
                        Unfolded { span: ast.span(x), why: WhyNot::Reported }
                    })
                });
                match (run, stop) {
                    (_, Some(stop)) => return Err(stop),
                    (Err(why), None) => return Err(why.into()),
                    (Ok(()), None) => {}
                }
            }
            _ => data_item(ev, x, values, writer)?,
        }
    }
    Ok(())
}

/// One variable, element, section or substring.
fn data_item(ev: &mut Evaluator<'_, '_>, x: ExprId, values: &mut Values<'_>, writer: &mut Writer) -> Result<(), Stop> {
    let span = ev.ast.span(x);
    if let Some((symbol, component)) = crate::storage::pointers::pointer_at(ev, x) {
        let Some(value) = values.target(ev)? else { return Err(Stop::NoValues(span, symbol)) };
        // Zeros in static memory say as much as NULL().
        if !crate::storage::pointers::is_null(ev.ast, value) {
            writer.pointers.push(PointerItem { symbol, component, value });
        }
        return Ok(());
    }
    let place = locate(ev, x)?;
    let symbol = &ev.decls.symbols[place.symbol];
    if let Some(d) = cannot_initialise(ev.decls, ev.scope, symbol, span) {
        return Err(Stop::Wrong(Box::new(d)));
    }
    if let Some(s) = symbol.structure.filter(|_| !symbol.is_indirect()).map(|s| &ev.decls.structures[s])
        && s.initial.is_some()
    {
        let message = format!("'{}' has the default initialisation of '{}' and cannot be in DATA", symbol.name, s.name);
        return Err(Stop::Wrong(Box::new(
            Diagnostic::error("T0284", span, message).because(symbol.span, "declared here"),
        )));
    }
    let count = place.steps.iter().try_fold(1i64, |n, s| n.checked_mul(s.0)).unwrap_or(i64::MAX);
    let what = place.what(ev.decls).clone();
    let size = if what.ty == Some(Type::Char) { place.size } else { what.element_size().unwrap_or(0) };
    let mut counters = vec![0i64; place.steps.len()];
    // Elements that are not adjacent are kept one by one until they are stored.
    let price = if place.steps.first().is_none_or(|s| s.1 == size) { 1 } else { 8 };
    for _ in 0..count {
        ev.spend(price, span)?;
        let Some((v, at)) = values.next(ev)? else { return Err(Stop::NoValues(span, place.symbol)) };
        let hollerith = values.is_hollerith;
        let takes_bits = ev.decls.options.any_boz
            || ev.decls.options.rules.standard >= crate::check::standard::Standard::Gnu
            || what.ty.is_some_and(|ty| Category::of(ty) == Category::Integer);
        if matches!(v, Scalar::Boz(_)) && !takes_bits {
            let message = format!("A BOZ constant is for an INTEGER, and '{}' is none", what.name);
            let d = Diagnostic::error("T0544", at, message).because(what.span, "declared here");
            return Err(Stop::Wrong(Box::new(d.help("REAL makes a number of its bits: real(z'…')"))));
        }
        let bytes = item_bytes(&v, &what, size, hollerith, at).map_err(Stop::Wrong)?;
        let offset = place.offset + counters.iter().zip(&place.steps).map(|(k, s)| k * s.1).sum::<i64>();
        writer.push(place.symbol, offset, bytes, span);
        for (k, step) in counters.iter_mut().zip(&place.steps) {
            *k += 1;
            if *k < step.0 {
                break;
            }
            *k = 0;
        }
    }
    Ok(())
}

impl Writer {
    /// Adds bytes, to the run before them if they follow it.
    fn push(&mut self, id: SymbolId, offset: i64, bytes: Vec<u8>, span: Span) {
        match self.writes.last_mut() {
            Some((last, start, run, _)) if *last == id && *start + run.len() as i64 == offset => run.extend(bytes),
            _ => self.writes.push((id, offset, bytes, span)),
        }
    }
}

fn cannot_initialise(decls: &Declarations<'_>, scope: ScopeId, symbol: &Symbol, span: Span) -> Option<Diagnostic> {
    let why = match symbol.home {
        Home::Static { .. } if symbol.scope != scope => "it belongs to another unit",
        Home::Static { .. } if symbol.is_indirect() => "it is ALLOCATABLE or a POINTER",
        Home::Static { area, .. } if decls.statics[area].size > INIT_LIMIT => "its memory is larger than 256 MiB",
        Home::Static { .. } => {
            let in_block = symbol.attrs.common || symbol.attrs.equivalenced;
            if in_block || decls.scopes[scope].kind != ScopeKind::BlockData {
                return None;
            }
            "BLOCK DATA initialises members of COMMON blocks only"
        }
        Home::Dummy { .. } => "it is a dummy argument",
        // Set at entry to the main program.
        Home::Register if decls.scopes[scope].kind == ScopeKind::Program && symbol.scope == scope => return None,
        _ => "it has no static memory",
    };
    let message = format!("'{}' cannot be initialised: {why}", symbol.name);
    Some(Diagnostic::error("T0284", span, message).because(symbol.span, "declared here"))
}
