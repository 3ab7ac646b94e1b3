//! Structures as arguments: the components of a dummy argument are those of the actual one.
//!
//! ```text
//! call norm(q(i))                 @4         s = sqrt(q%x(i)**2 + q%y(i)**2)   @9
//! function norm(a)                @7   =>
//!   norm = sqrt(a%x**2 + a%y**2)  @9
//! ```

use super::Target;
use super::copy::Copier;
use crate::elements::components::{part, structure};
use trueline_ir::{Expr, FOR_COUNTS, Storage, Sym};

impl Copier<'_, '_, '_> {
    /// The caller's place of component `v` of a dummy structure, with these subscripts of its own; none if `v` is something else.
    pub(super) fn component(&mut self, v: Sym, subs: &[Expr]) -> Option<Expr> {
        let data = self.callee.sym(v);
        let Storage::Within { root, offset } = data.storage else { return None };
        let Some(&Target::Scalar(place)) = self.targets.get(&root) else { return None };
        let (whole, outer) = structure(self.ed, place)?;
        let new = match self.syms.get(&v) {
            Some(&known) => known,
            None => {
                let mut own = data.clone();
                own.dims = data.dims.iter().map(|d| d.map(|e| self.expr(e))).collect();
                own.len = data.len.expand().map(|e| self.expr(e)).into();
                // A build without counting code has no symbol of this name.
                if self.counting {
                    own.name = format!("{FOR_COUNTS}.{}", data.name);
                }
                let offset = if trueline_ir::fault("inline_component_first") { 0 } else { offset };
                let new = part(self.ed, whole, offset, own);
                self.syms.insert(v, new);
                new
            }
        };
        if subs.is_empty() && outer.is_empty() {
            return Some(self.ed.var(new));
        }
        // A component that is an array, as a whole, begins with its first element.
        let first = self.ed.sym(new).dims.iter().take(data.dims.len()).map(|d| d.lower);
        let own: Vec<Expr> = if subs.is_empty() { first.collect() } else { subs.to_vec() };
        let all: Vec<Expr> = own.into_iter().chain(outer).collect();
        Some(self.element_of(new, &all))
    }
}
