//! Initial content, by `-finit-real=` and its kin, of local variables without an initial value.

use crate::Lower;
use crate::variables::Variables;
use trueline_ir::{Expr, ExprData, Rt, Type};
use trueline_sema::Initial;
use trueline_sema::scope::ScopeKind;
use trueline_sema::scope::symbol::{Home, Symbol, SymbolId};
use trueline_sema::storage::initial::is_kept;
use trueline_sema::types::kinds::Category;

impl Lower<'_> {
    /// At entry: the variables that have no value yet.
    pub(crate) fn preset_locals(&mut self) {
        let initial = self.cx.decls.options.initial;
        let scope = &self.cx.decls.scopes[self.home];
        if initial == Initial::default() || matches!(scope.kind, ScopeKind::Module | ScopeKind::BlockData) {
            return;
        }
        for &id in &scope.own {
            let s = self.symbol(id);
            let automatic = matches!(s.home, Home::Automatic) && s.is_variable();
            if !automatic && !self.is_new_at_entry(s) {
                continue;
            }
            if let Some(code) = initial.character.filter(|_| s.ty == Some(Type::Char) && s.structure.is_none()) {
                self.preset_characters(id, code);
                continue;
            }
            let Some(value) = s.ty.and_then(|ty| self.preset(initial, ty)) else { continue };
            let place = self.variable(id, s.span);
            self.assign(place.e, value);
        }
    }

    fn preset_characters(&mut self, id: SymbolId, code: u8) {
        let span = self.symbol(id).span;
        let to = self.variable(id, span);
        let Some(to) = self.as_str(to) else { return };
        let one = self.text(&[code]);
        let [text, _] = self.read_str(one);
        let room = self.str_temp(to.len, &[]);
        let (count, len) = (to.len, self.int8(1));
        let [address, _] = self.write_str(room);
        self.call_rt(Rt::CharRepeat, &[address, text, len, count]);
        self.assign_str(to, room);
    }

    fn preset(&mut self, initial: Initial, ty: Type) -> Option<Expr> {
        let data = match Category::of(ty) {
            Category::Integer => ExprData::Int(ty, crate::emit::wrap(ty, initial.integer?)),
            Category::Real => ExprData::real_bits(ty, initial.real?.bits(ty)),
            Category::Complex => {
                let part = ty.part();
                let bits = self.make(ExprData::real_bits(part, initial.real?.bits(part)));
                return Some(self.complex_of(bits, bits, part));
            }
            Category::Logical => ExprData::Logical(ty, initial.logical?),
            _ => return None,
        };
        Some(self.make(data))
    }
}

impl Variables<'_> {
    /// Whether `s` is a variable of this procedure that is new at every entry and has no value.
    pub(crate) fn is_new_at_entry(&self, s: &Symbol) -> bool {
        let decls = self.cx.decls;
        let scope = &decls.scopes[self.home];
        let a = &s.attrs;
        let kept = is_kept(decls, self.home, s) && scope.kind != ScopeKind::Program;
        let local = matches!(s.home, Home::Register | Home::Frame | Home::Static { .. });
        s.is_variable()
            && local
            && !kept
            && !(a.initialised || a.common || a.equivalenced || a.allocatable || a.pointer)
    }
}
