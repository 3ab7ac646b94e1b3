//! Structures and characters that go by value, as the C ABI of the target has it ([`crate::sema::types::convention`]).
//!
//! A structure that is passed in registers is put together in memory again within the procedure. One that takes too many, or
//! is without a form in C, is copied by the caller, who passes the address of the copy.

use crate::lower::call::Arguments;
use crate::lower::expr::Exprs;
use crate::lower::source::Source;
use crate::lower::values::{Binding, Lowered, Val};
use crate::lower::variables::Variables;
use crate::sema::scope::Declarations;
use crate::sema::scope::symbol::{Extent, Symbol, SymbolId};
use crate::sema::types::convention::Piece;
use crate::sema::types::kinds::Category;
use crate::sema::types::structure::StructureId;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{Access, Expr, Storage, Sym, Type};
use trueline_syntax::ast::{Arg, ExprId};

/// A larger structure is never passed in registers.
const MOST_BYTES: u64 = 64;

/// The registers that a dummy argument with VALUE, or a result, takes instead of memory; none for numbers and
/// logicals, which are one value anyway, and for arguments by address.
pub(crate) fn pieces(decls: &Declarations<'_>, s: &Symbol, is_c: bool) -> Option<SmallVec<[Piece; 2]>> {
    if s.ty != Some(Type::Char) || s.is_array() || s.is_indirect() {
        return None;
    }
    let Some(id) = s.structure else {
        return (s.len == Extent::Known(1)).then(|| SmallVec::from_slice(&[(0, Type::I1)]));
    };
    let is_address = decls.c_types.is_some_and(|(data, code)| id == data || id == code);
    if !(is_c || is_address) {
        return None;
    }
    let size = u64::try_from(decls.structures[id].size).ok()?;
    let mut fields = Vec::new();
    if size <= MOST_BYTES {
        numbers(decls, id, 0, &mut fields);
    }
    decls.options.convention.registers(size, &fields)
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
                    _ => out.push((offset as u64, None)),
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
    if !is_c && result.structure.is_none() {
        return None;
    }
    let pieces = pieces(decls, result, is_c)?;
    let ty = decls.options.convention.together(&pieces)?;
    Some((pieces, ty))
}

impl Variables<'_, '_> {
    /// Memory for the pieces of a value, the value in it, and the pieces.
    fn value_memory(&mut self, s: &Symbol, name: &str, pieces: &[Piece]) -> (Sym, SmallVec<[Sym; 2]>) {
        let end = pieces.last().map_or(0, |&(at, ty)| at + ty.size() as u64);
        let bytes = if s.structure.is_some() { end.next_multiple_of(8) as i64 } else { 1 };
        let bytes = self.int8(bytes);
        let root = self.e.memory(Type::Char, Some(bytes), &[]);
        let len = self.int8(s.element_size().unwrap_or(1));
        let part = |l: &mut Self, name: String, ty: Type, offset: u64| {
            let storage = crate::lower::expr::component::part_storage(root, l.e.sym(root).storage, offset);
            let mut data = crate::lower::emit::scalar(name, ty, storage);
            data.len = (ty == Type::Char).then_some(len).into();
            l.e.b.sym(data)
        };
        let whole = part(self, name.to_owned(), Type::Char, 0);
        if let Some(id) = s.structure {
            self.structures.insert(whole, id);
        }
        let words = pieces.iter().map(|&(offset, ty)| part(self, format!("{name}.{offset}"), ty, offset)).collect();
        (whole, words)
    }

    /// Declares a dummy argument that comes in registers; false if it does not.
    pub(crate) fn declare_in_pieces(&mut self, id: SymbolId, is_c: bool) -> bool {
        let s = self.symbol(id);
        let Some(pieces) = self.pieces(s, is_c).filter(|_| s.attrs.value) else { return false };
        let (whole, words) = self.value_memory(s, &s.name, &pieces);
        self.e.b.sym_mut(whole).from_source = true;
        self.e.b.sym_mut(whole).may_alias = s.attrs.target;
        for (k, (&word, &(_, ty))) in words.iter().zip(&pieces).enumerate() {
            let storage = Storage::Value { index: self.e.b.next_param() };
            let param = self.e.b.sym(crate::lower::emit::scalar(format!("{}.value{k}", s.name), ty, storage));
            self.e.b.push_param(param);
            let (to, value) = (self.e.var(word), self.e.var(param));
            self.e.assign(to, value);
        }
        self.bindings.insert(id, Binding { sym: whole, descriptor: None });
        true
    }

    /// Passes `v` by value to the dummy argument; false if it is a number, or goes by reference.
    pub(crate) fn pass_value(&mut self, dummy: SymbolId, is_c: bool, v: Val, out: &mut Arguments) -> Lowered<bool> {
        let d = self.symbol(dummy);
        if !d.attrs.value || d.is_array() || d.ty != Some(Type::Char) {
            return Ok(false);
        }
        if let Some(pieces) = self.pieces(d, is_c) {
            let (whole, words) = self.value_memory(d, "value", &pieces);
            let to = self.whole_symbol(whole);
            self.store(to, v);
            for word in words {
                let value = self.var(word);
                let value = self.in_register(value);
                out.list.push(value);
            }
        } else {
            let from = match self.structure_at(v.e) {
                Some(id) => self.bytes_of(v.e, id),
                None => self.as_str(v).ok_or(crate::lower::values::Failed)?,
            };
            let copy = self.copy_of(from);
            let address = self.address(Access::InOut, copy);
            out.list.push(address);
        }
        out.lengths.extend(v.len);
        Ok(true)
    }

    /// A copy of scalar characters.
    fn copy_of(&mut self, from: crate::lower::values::Str) -> Expr {
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
        let (whole, words) = self.value_memory(s, &s.name.clone(), pieces);
        if ty == words.first().map_or(ty, |&w| self.e.sym(w).ty) {
            return (whole, words[0]);
        }
        let storage = self.e.sym(whole).storage;
        let pair = self.e.b.sym(crate::lower::emit::scalar(format!("{}.pair", s.name), ty, storage));
        (whole, pair)
    }

    /// An optional argument with VALUE that is not given.
    pub(crate) fn absent_value(&mut self, d: &Symbol, out: &mut Arguments) -> bool {
        if let Some(pieces) = self.pieces(d, false).filter(|_| d.attrs.value) {
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
    pub(crate) fn number_value(&mut self, x: ExprId, dummy: SymbolId, v: Val) -> Lowered<Expr> {
        let ty = self.symbol(dummy).ty.unwrap_or_else(|| self.ty(v.e));
        self.converted_at(x, ty, v.e)
    }
}

impl Exprs<'_, '_> {
    /// A call of a function that returns a structure or character in a register; none if it does not.
    pub(crate) fn call_for_register(
        &mut self,
        id: SymbolId,
        span: Span,
        result: &Symbol,
        args: &[Arg],
    ) -> Lowered<Option<Val>> {
        let is_c = self.symbol(id).procedure().is_some_and(|p| p.is_c);
        let Some((pieces, ty)) = self.result_pieces(result, is_c) else { return Ok(None) };
        let mut out = self.new_arguments();
        self.arguments(id, span, args, &mut out)?;
        let register = self.register("f", ty);
        self.emit_call(id, span, out, Some(register))?;
        let (whole, word) = self.result_memory(result, &pieces, ty);
        let (to, value) = (self.var(word), self.var(register));
        self.assign(to, value);
        Ok(Some(self.whole_symbol(whole)))
    }
}

impl Source<'_, '_> {
    fn pieces(&self, s: &Symbol, is_c: bool) -> Option<SmallVec<[Piece; 2]>> {
        pieces(self.cx.decls, s, is_c)
    }

    fn result_pieces(&self, result: &Symbol, is_c: bool) -> Option<(SmallVec<[Piece; 2]>, Type)> {
        result_pieces(self.cx.decls, result, is_c)
    }

    /// Whether C returns the structure in a way that is not supported: in several registers that no type of the IR has
    /// together.
    pub(crate) fn is_mixed_result(&self, result: &Symbol) -> bool {
        result.structure.is_some() && self.pieces(result, true).is_some() && self.result_pieces(result, true).is_none()
    }
}
