//! Structures and characters that go by value, as the C ABI of the target has it ([`trueline_sema::types::convention`]).
//!
//! A structure that is passed in registers is put together in memory again within the procedure. One that takes too many, or
//! is without a form in C, is copied by the caller, who passes the address of the copy.

use crate::call::Arguments;
use crate::expr::Exprs;
use crate::source::Source;
use crate::values::{Binding, Checked, Val};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{Access, Expr, ExprData, Returned, Storage, Sym, Type};
use trueline_sema::scope::Declarations;
use trueline_sema::scope::symbol::{Extent, Procedure, ProcedureKind, Symbol, SymbolId, is_internal};
use trueline_sema::types::convention::Piece;
use trueline_sema::types::convention::arrange::{Argument, Slot};
use trueline_sema::types::kinds::Category;
use trueline_sema::types::structure::StructureId;
use trueline_syntax::ast::{Arg, ExprId};

/// A larger structure is never passed in registers.
const MOST_BYTES: u64 = 64;

/// A structure among the arguments of a call.
pub(crate) struct Group {
    /// The number of its first value.
    pub(crate) at: usize,
    pub(crate) memory: Sym,
    pub(crate) pieces: SmallVec<[Piece; 2]>,
    pub(crate) argument: Argument,
}

/// The values that a dummy argument with VALUE takes instead of memory; none for numbers and logicals, which are one value
/// anyway, and for arguments by address.
pub(crate) fn values(decls: &Declarations<'_>, s: &Symbol) -> Option<SmallVec<[Piece; 2]>> {
    pieces(decls, s).or_else(|| {
        let is_structure = s.ty == Some(Type::Char) && !s.is_array() && !s.is_indirect();
        let id = s.structure.filter(|_| is_structure)?;
        decls.options.convention.on_stack(u64::try_from(decls.structures[id].size).ok()?)
    })
}

/// The registers of a dummy argument with VALUE, or a result; none if it takes none, or is one value anyway.
fn pieces(decls: &Declarations<'_>, s: &Symbol) -> Option<SmallVec<[Piece; 2]>> {
    if s.ty != Some(Type::Char) || s.is_array() || s.is_indirect() {
        return None;
    }
    let Some(id) = s.structure else {
        return (s.len == Extent::Known(1)).then(|| SmallVec::from_slice(&[(0, Type::I1)]));
    };
    let (size, fields) = form(decls, id)?;
    decls.options.convention.registers(size, &fields)
}

/// The numbers in a structure: the offset of each, and its type if it is a real one.
type Fields = Vec<(u64, Option<Type>)>;

/// The size of a structure, and the numbers in it unless it is large.
fn form(decls: &Declarations<'_>, id: StructureId) -> Option<(u64, Fields)> {
    let size = u64::try_from(decls.structures[id].size).ok()?;
    let mut fields = Fields::new();
    if size <= MOST_BYTES {
        numbers(decls, id, 0, &mut fields);
    }
    Some((size, fields))
}

/// The way in which the structure that a function gives reaches the caller; none for results of other types, those in one value
/// of the IR, and where a bridge or the procedure around is the only caller.
pub(crate) fn returned(decls: &Declarations<'_>, function: &Symbol, p: &Procedure) -> Option<Returned> {
    let way = structure_result(decls, function, p)?;
    (!is_called_by_name(decls, function) && crate::bridges::through(decls, function).is_none()).then_some(way)
}

/// The way in which the structure that a function gives reaches callers who follow the target's C ABI; none for results of other
/// types, and those in one value of the IR.
pub(crate) fn structure_result(decls: &Declarations<'_>, function: &Symbol, p: &Procedure) -> Option<Returned> {
    let result = p.result.map_or(function, |r| &decls.symbols[r]);
    let id = result.structure?;
    let is_value = p.kind == ProcedureKind::Function && !result.is_array() && !result.is_indirect();
    // The runtime library has some, and is given the address.
    let is_ours = p.linker.starts_with("__ieee_");
    if !is_value || is_ours || result_pieces(decls, result, p.is_c).is_some() {
        return None;
    }
    let (size, fields) = form(decls, id)?;
    decls.options.convention.returned(size, &fields)
}

/// Whether a procedure is internal, and its host calls it by name alone: one that is passed on has callers that know nothing of it.
fn is_called_by_name(decls: &Declarations<'_>, s: &Symbol) -> bool {
    let own = s.procedure().and_then(|p| p.scope).and_then(|scope| decls.scopes[scope].symbol);
    is_internal(s) && !own.is_some_and(|id| decls.closures.contains(&id))
}

/// Adds the numbers of a structure: the offset and the type if it is a real one.
fn numbers(decls: &Declarations<'_>, id: StructureId, at: i64, out: &mut Vec<(u64, Option<Type>)>) {
    for c in &decls.structures[id].components {
        for k in 0..c.count().min(MOST_BYTES as i64) {
            let offset = at + c.offset + k * c.element_size();
            match c.structure {
                Some(inner) if !c.is_indirect() => numbers(decls, inner, offset, out),
                _ if c.is_indirect() => out.push((offset as u64, None)),
                _ => match Category::of(c.ty) {
                    Category::Real => out.push((offset as u64, Some(c.ty))),
                    Category::Complex => {
                        let part = c.ty.part();
                        out.extend([offset as u64, offset as u64 + part.size() as u64].map(|at| (at, Some(part))));
                    }
                    // Characters may reach into the next word.
                    _ => out.extend((0..c.element_size().max(1)).step_by(4).map(|k| ((offset + k) as u64, None))),
                },
            }
        }
    }
}

/// The pieces of a function's result that comes in registers, and the type of them together.
pub(crate) fn result_pieces(
    decls: &Declarations<'_>,
    result: &Symbol,
    is_c: bool,
) -> Option<(SmallVec<[Piece; 2]>, Type)> {
    let is_address = decls.c_types.is_some_and(|(data, code)| result.structure.is_some_and(|s| s == data || s == code));
    if !is_c && !is_address {
        return None;
    }
    let pieces = pieces(decls, result)?;
    let ty = decls.options.convention.together(&pieces)?;
    Some((pieces, ty))
}

/// The form of a dummy argument with VALUE that takes these values.
pub(crate) fn argument(decls: &Declarations<'_>, s: &Symbol, pieces: &[Piece]) -> Argument {
    let types: SmallVec<[Type; 4]> = pieces.iter().map(|p| p.1).collect();
    let align = s.structure.map_or(1, |id| decls.structures[id].align);
    let on_stack = s.structure.is_some() && pieces_in_registers(decls, s) == 0;
    Argument::structure(decls.options.convention, &types, on_stack, align > 8)
}

impl Variables<'_> {
    /// Memory for the pieces of a value, the value in it, and the pieces.
    fn value_memory(&mut self, s: &Symbol, name: &str, pieces: &[Piece]) -> Sym {
        let end = pieces.last().map_or(0, |&(at, ty)| at + ty.size() as u64);
        let bytes = if s.structure.is_some() { end.next_multiple_of(8) as i64 } else { 1 };
        let bytes = self.int8(bytes);
        let root = self.e.memory(Type::Char, Some(bytes), &[]);
        let len = self.int8(s.element_size().unwrap_or(1));
        let storage = crate::expr::component::part_storage(root, self.e.sym(root).storage, 0);
        let mut data = trueline_ir::SymData::scalar(name.to_owned(), Type::Char, storage);
        data.len = Some(len).into();
        let whole = self.e.b.sym(data);
        if let Some(id) = s.structure {
            self.structures.insert(whole, id);
        }
        whole
    }

    /// The parts of the value in `memory`.
    fn parts_of(&mut self, memory: Sym, pieces: &[Piece]) -> SmallVec<[Sym; 2]> {
        let data = self.e.sym(memory);
        let (name, storage) = (data.name.clone(), data.storage);
        let one = |&(offset, ty): &Piece| {
            let storage = crate::expr::component::part_storage(memory, storage, offset);
            self.e.b.sym(trueline_ir::SymData::scalar(format!("{name}.{offset}"), ty, storage))
        };
        pieces.iter().map(one).collect()
    }

    /// Declares a dummy argument that comes in registers; false if it does not.
    pub(crate) fn declare_in_pieces(&mut self, id: SymbolId, groups: &mut Vec<Group>) -> bool {
        let s = self.symbol(id);
        let Some(pieces) = values(self.cx.decls, s).filter(|_| s.attrs.value) else { return false };
        let memory = self.value_memory(s, &s.name, &pieces);
        self.e.b.sym_mut(memory).from_source = true;
        self.e.b.sym_mut(memory).may_alias = s.attrs.target;
        groups.push(self.group(s, self.e.b.next_param() as usize, memory, pieces));
        for &(offset, ty) in &groups[groups.len() - 1].pieces {
            let param = self.piece_param(format!("{}.value{}", s.name, offset), ty);
            self.e.b.push_param(param);
        }
        self.bindings.insert(id, Binding { sym: memory, descriptor: None });
        true
    }

    fn piece_param(&mut self, name: String, ty: Type) -> Sym {
        let storage = Storage::Value { index: self.e.b.next_param() };
        self.e.b.sym(trueline_ir::SymData::scalar(name, ty, storage))
    }

    fn group(&self, s: &Symbol, at: usize, memory: Sym, pieces: SmallVec<[Piece; 2]>) -> Group {
        let argument = argument(self.cx.decls, s, &pieces);
        Group { at, memory, pieces, argument }
    }

    /// Puts the parameters in the order of the target's C, if structures among them ask for it, and the structures together in
    /// memory. The body behind ENTRY points (`is_body`) is called by these alone, which pass the values as they are declared.
    pub(crate) fn assemble(&mut self, own: &Symbol, groups: &[Group], is_body: bool) {
        let before = self.e.b.params().to_vec();
        let mut after = before.clone();
        let order = self.order_of_values(own, groups, before.len(), |l, k| {
            let data = l.e.sym(before[k]);
            let is_structure = k == 0 && l.e.b.returned().is_some();
            let ty = if matches!(data.storage, Storage::Value { .. }) { data.ty } else { Type::I8 };
            match l.e.b.returned().filter(|_| is_structure) {
                Some(way) => Argument::result(l.cx.decls.options.convention, way == Returned::MEMORY),
                None => Argument::value(l.cx.decls.options.convention, ty),
            }
        });
        let order = order.filter(|_| !is_body);
        let mut stored: Vec<(usize, SmallVec<[Piece; 2]>, Vec<Sym>)> = Vec::new();
        let own_pieces =
            |k: usize| (k, groups[k].pieces.clone(), before[groups[k].at..][..groups[k].pieces.len()].to_vec());
        match order {
            None => stored.extend((0..groups.len()).map(own_pieces)),
            Some(order) => {
                after.clear();
                for value in order {
                    match value {
                        Passed::Value(k) => after.push(before[k]),
                        Passed::Filler(ty) => {
                            let filler = self.piece_param("filler".to_owned(), ty);
                            after.push(filler);
                        }
                        Passed::Group(k) => {
                            let own = own_pieces(k);
                            after.extend_from_slice(&own.2);
                            stored.push(own);
                        }
                        Passed::Words(k) => {
                            let words = words(&groups[k].pieces);
                            let params: Vec<Sym> =
                                words.iter().map(|&(_, ty)| self.piece_param("word".to_owned(), ty)).collect();
                            after.extend_from_slice(&params);
                            stored.push((k, words, params));
                        }
                    }
                }
                self.e.b.replace_params(0, &after);
            }
        }
        for (k, pieces, params) in stored {
            let parts = self.parts_of(groups[k].memory, &pieces);
            for (part, param) in parts.into_iter().zip(params) {
                let (to, value) = (self.e.var(part), self.e.var(param));
                self.e.assign(to, value);
            }
        }
    }

    /// The order in which C has the arguments of `procedure`, whose values are numbered, if it is another one.
    fn order_of_values(
        &self,
        procedure: &Symbol,
        groups: &[Group],
        count: usize,
        argument: impl Fn(&Self, usize) -> Argument,
    ) -> Option<Vec<Passed>> {
        if is_called_by_name(self.cx.decls, procedure) || crate::bridges::through(self.cx.decls, procedure).is_some() {
            return None;
        }
        let convention = self.cx.decls.options.convention;
        let (mut all, mut passed, mut k) = (Vec::new(), Vec::new(), 0);
        // Code generation passes this address before all others.
        let first = usize::from(result_type(self.cx.decls, procedure).is_some_and(|ty| convention.is_in_memory(ty)));
        all.extend((0..first).map(|_| Argument::result(convention, true)));
        while k < count {
            match groups.iter().position(|g| g.at == k && !g.pieces.is_empty()) {
                Some(g) => {
                    all.push(groups[g].argument.clone());
                    passed.push(Passed::Group(g));
                    k += groups[g].pieces.len();
                }
                None => {
                    all.push(argument(self, k));
                    passed.push(Passed::Value(k));
                    k += 1;
                }
            }
        }
        let order = convention.arrange(&all)?;
        let slot = |slot| match slot {
            Slot::Own(k) => passed[k - first],
            Slot::Filler(ty) => Passed::Filler(ty),
            Slot::Words(k) => match passed[k - first] {
                Passed::Group(g) => Passed::Words(g),
                other => other,
            },
        };
        let is_result = |slot: &Slot| first == 1 && *slot == Slot::Own(0);
        Some(order.into_iter().filter(|slot| !is_result(slot)).map(slot).collect())
    }

    /// Puts the arguments of a call in the order of the target's C, if structures among them ask for it.
    pub(crate) fn arrange(&mut self, procedure: &Symbol, out: &mut Arguments) {
        let convention = self.cx.decls.options.convention;
        let by_value = |l: &Self, e: Expr| match l.e.expr(e) {
            ExprData::AddrOf(Access::Returned(way), _) => Argument::result(convention, way == Returned::MEMORY),
            ExprData::AddrOf(..) | ExprData::ProcAddr(_) | ExprData::Null => Argument::value(convention, Type::I8),
            _ => Argument::value(convention, l.ty(e)),
        };
        let is_pair = |&e: &Expr| {
            let is_address = matches!(self.e.expr(e), ExprData::AddrOf(..) | ExprData::ProcAddr(_) | ExprData::Null);
            !is_address && Category::of(self.ty(e)) == Category::Complex
        };
        if out.groups.is_empty() && !out.list.iter().any(is_pair) {
            return;
        }
        let before = out.list.clone();
        let groups = std::mem::take(&mut out.groups);
        let Some(order) = self.order_of_values(procedure, &groups, before.len(), |l, k| by_value(l, before[k])) else {
            return;
        };
        out.list.clear();
        for value in order {
            match value {
                Passed::Value(k) => out.list.push(before[k]),
                Passed::Group(g) => out.list.extend_from_slice(&before[groups[g].at..][..groups[g].pieces.len()]),
                Passed::Filler(ty) => {
                    let zero = self.int8(0);
                    let zero = self.convert(ty, zero);
                    out.list.push(zero);
                }
                Passed::Words(g) => {
                    for part in self.parts_of(groups[g].memory, &words(&groups[g].pieces)) {
                        let value = self.var(part);
                        let value = self.in_register(value);
                        out.list.push(value);
                    }
                }
            }
        }
    }

    /// Passes `v` by value to the dummy argument; false if it is a number, or goes by reference.
    pub(crate) fn pass_value(&mut self, dummy: SymbolId, v: Val, out: &mut Arguments) -> bool {
        let d = self.symbol(dummy);
        if !d.attrs.value || d.is_array() || d.ty != Some(Type::Char) {
            return false;
        }
        if let Some(pieces) = values(self.cx.decls, d) {
            let memory = self.value_memory(d, "value", &pieces);
            let to = self.whole_symbol(memory);
            self.store(to, v);
            let at = out.list.len();
            for part in self.parts_of(memory, &pieces) {
                let value = self.var(part);
                let value = self.in_register(value);
                out.list.push(value);
            }
            out.groups.push(self.group(d, at, memory, pieces));
        } else {
            let from = match self.structure_at(v.e) {
                Some(id) => self.bytes_of(v.e, id),
                None => self.as_str(v).checked(),
            };
            let copy = self.copy_of(from);
            let address = self.address(Access::InOut, copy);
            out.list.push(address);
        }
        out.lengths.extend(v.len);
        true
    }

    /// A copy of scalar characters.
    fn copy_of(&mut self, from: crate::values::Str) -> Expr {
        let to = self.str_temp(from.len, &[]);
        self.assign_str(to, from);
        to.place
    }

    /// Declares the result variable of a function that returns it in a register; false if it does not.
    pub(crate) fn declare_register_result(&mut self, id: SymbolId, is_c: bool) -> bool {
        let s = self.symbol(id);
        let Some((pieces, ty)) = self.result_pieces(s, is_c) else { return false };
        let (whole, word) = self.result_memory(s, &pieces, ty);
        self.e.b.sym_mut(whole).from_source = true;
        let register = self.e.register(&format!("result.{}", s.name), ty);
        self.e.b.set_result(register);
        self.result_copy = Some((register, word));
        self.bindings.insert(id, Binding { sym: whole, descriptor: None });
        true
    }

    fn result_memory(&mut self, s: &Symbol, pieces: &[Piece], ty: Type) -> (Sym, Sym) {
        let whole = self.value_memory(s, &s.name.clone(), pieces);
        if let [(_, own)] = *pieces
            && own == ty
        {
            return (whole, self.parts_of(whole, pieces)[0]);
        }
        let storage = self.e.sym(whole).storage;
        let pair = self.e.b.sym(trueline_ir::SymData::scalar(format!("{}.pair", s.name), ty, storage));
        (whole, pair)
    }

    /// An optional argument with VALUE that is not given.
    pub(crate) fn absent_value(&mut self, d: &Symbol, out: &mut Arguments) -> bool {
        if let Some(pieces) = values(self.cx.decls, d).filter(|_| d.attrs.value) {
            for (_, ty) in pieces {
                let zero = self.int8(0);
                let zero = self.convert(ty, zero);
                out.list.push(zero);
            }
            return true;
        }
        let numeric = d.ty.filter(|&ty| ty != Type::Char);
        let Some(ty) = numeric.filter(|_| d.attrs.value && !d.is_array()) else { return false };
        let zero = match Category::of(ty) {
            Category::Logical => self.make(trueline_ir::ExprData::Logical(ty, false)),
            _ => {
                let zero = self.int4(0);
                self.convert(ty, zero)
            }
        };
        out.list.push(zero);
        true
    }

    /// The value of an argument with VALUE that is a number.
    pub(crate) fn number_value(&mut self, x: ExprId, dummy: SymbolId, v: Val) -> Expr {
        let ty = self.symbol(dummy).ty.unwrap_or_else(|| self.ty(v.e));
        self.converted_at(x, ty, v.e)
    }
}

impl Exprs<'_> {
    /// A call of a function that returns a structure or character in a register; none if it does not.
    pub(crate) fn call_for_register(&mut self, id: SymbolId, span: Span, result: &Symbol, args: &[Arg]) -> Option<Val> {
        let is_c = self.symbol(id).procedure().is_some_and(|p| p.is_c);
        let (pieces, ty) = self.result_pieces(result, is_c)?;
        let mut out = self.new_arguments();
        self.arguments(id, span, args, &mut out);
        let register = self.register("f", ty);
        self.emit_call(id, span, out, Some(register));
        let (whole, word) = self.result_memory(result, &pieces, ty);
        let (to, value) = (self.var(word), self.var(register));
        self.assign(to, value);
        Some(self.whole_symbol(whole))
    }
}

impl Source<'_> {
    fn result_pieces(&self, result: &Symbol, is_c: bool) -> Option<(SmallVec<[Piece; 2]>, Type)> {
        result_pieces(self.cx.decls, result, is_c)
    }
}

/// Something that is passed, by the number of the value or the structure.
#[derive(Clone, Copy)]
enum Passed {
    Value(usize),
    Group(usize),
    Words(usize),
    Filler(Type),
}

/// The type of a function's result if it is one value.
fn result_type(decls: &Declarations<'_>, s: &Symbol) -> Option<Type> {
    let p = s.procedure().filter(|p| p.kind == ProcedureKind::Function)?;
    let result = p.result.map_or(s, |r| &decls.symbols[r]);
    result.ty.filter(|_| !result.is_array() && !result.is_indirect())
}

/// The bytes of these pieces as words that go to the stack.
fn words(pieces: &[Piece]) -> SmallVec<[Piece; 2]> {
    let end = pieces.last().map_or(0, |&(at, ty)| at + ty.size() as u64);
    (0..end.div_ceil(8)).map(|k| (8 * k, Type::R8)).collect()
}

/// The number of registers that the structure takes; none if it is on the stack.
fn pieces_in_registers(decls: &Declarations<'_>, s: &Symbol) -> usize {
    pieces(decls, s).map_or(0, |p| p.len())
}
