//! REDISTRIBUTE and REALIGN, in programs for several ranks: a mark for each array that gets another mapping, of which `resolve` makes code.
//!
//! The mark of an object that is no array of this unit, such as a template, has a null address.

use super::Stmts;
use trueline_ir::{Access, Expr, ExprData, Mapping, Rt, Sym, Type};
use trueline_sema::mapping::{Effect, on_unit};
use trueline_sema::scope::ScopeKind;
use trueline_sema::scope::symbol::{Home, SymbolId, SymbolKind};
use trueline_syntax::ast::StmtId;

impl Stmts<'_> {
    /// The marks of a directive.
    pub(crate) fn remap(&mut self, s: StmtId) {
        let cx = self.cx;
        let ast = cx.decls.scopes[self.home].ast;
        let Some(serial) = cx.serials.of_stmt(ast, s).filter(|_| cx.decls.options.hpf) else { return };
        for effect in cx.mappings.effects(serial) {
            self.mark(effect);
        }
    }

    fn mark(&mut self, effect: &Effect) {
        let array = self.array(effect.to);
        let mut numbers = Vec::new();
        for (alternative, data) in &effect.steps {
            for of in data.syms() {
                self.array(SymbolId::from_u32(of.as_u32()));
            }
            let own = |of: SymbolId| self.bindings.get(&of).map(|b| b.sym).filter(|&s| !self.e.sym(s).dims.is_empty());
            let data = on_unit(data, own);
            let fits = array.is_some_and(|a| data.axes.is_empty() || data.axes.len() == self.e.sym(a).dims.len());
            let mapping = fits.then(|| self.e.b.mapping(data));
            numbers.extend([i64::from(*alternative), mapping.map_or(-1, |m: Mapping| m.as_u32().into())]);
        }
        let base = match array {
            Some(array) => {
                let lowers: Vec<Expr> = self.e.sym(array).dims.iter().map(|d| d.lower).collect();
                let first = self.e.elem(array, &lowers);
                self.e.address(Access::InOut, first)
            }
            None => self.e.make(ExprData::Null),
        };
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        let steps = self.e.b.text(&bytes);
        let steps = self.e.address(Access::In, steps);
        let [to, from] = [effect.to, effect.from].map(|id| self.e.int8(id.as_u32().into()));
        let count = self.e.int(Type::I8, numbers.len() as i64);
        self.e.call_rt(Rt::RanksRemap, &[base, to, from, steps, count]);
    }

    /// The array of this unit, if the object is one that it can reach.
    fn array(&mut self, id: SymbolId) -> Option<Sym> {
        let s = self.symbol(id);
        let scopes = &self.cx.decls.scopes;
        let mut hosts = std::iter::successors(Some(self.home), |&h| scopes[h].parent);
        let is_near = s.scope == self.home
            || matches!(s.home, Home::Static { .. })
                && (scopes[s.scope].kind == ScopeKind::Module || hosts.any(|h| h == s.scope));
        if !self.bindings.contains_key(&id) && is_near && s.kind == SymbolKind::Variable && s.rank() > 0 {
            self.binding(id, s.span);
        }
        let sym = self.bindings.get(&id)?.sym;
        (!self.e.sym(sym).dims.is_empty()).then_some(sym)
    }
}
