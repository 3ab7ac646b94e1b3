//! The objects of an ALLOCATE statement: type and shape.

use crate::lower::source::Source;
use crate::lower::values::Lowered;
use trueline_ir::{Expr, Sym};
use trueline_syntax::ast::{BaseType, ExprId, TypeSpec};

impl Source<'_, '_> {
    /// An error unless the type before the objects is that of the object `x`, of memory `sym`.
    pub(crate) fn check_type_before(&mut self, spec: &TypeSpec, x: ExprId, sym: Sym) -> Lowered<()> {
        let own = self.whole_symbol(sym);
        let decls = self.cx.decls;
        let base = TypeSpec { len: None, ..spec.clone() };
        let Ok((ty, _)) = decls.constant_type(self.scope, &base) else { return Ok(()) };
        let same = match (self.structure_at(own.e), decls.structure_of(self.scope, spec)) {
            (None, None) => self.ty(own.e) == ty,
            (Some(a), Some(b)) => self.same_type(a, b),
            _ => false,
        };
        if !same {
            let message = format!("The type before the objects is not that of this one, {}", self.type_of_value(own.e));
            return Err(self.error_at("T0635", x, message));
        }
        let length = decls.constant_type(self.scope, spec).ok().and_then(|(_, len)| len);
        match (self.pointer_length(sym), length) {
            (Some(own), Some(n)) if spec.base == BaseType::Character && own != n as i64 => {
                let message = format!("The length before the objects, {n}, is not that of this one, {own}");
                Err(self.error_at("T0635", x, message))
            }
            _ => Ok(()),
        }
    }

    /// An error if the extents that are given and those of SOURCE= are known to differ.
    pub(crate) fn check_source_shape(&mut self, x: ExprId, bounds: &[Expr], source: Expr) -> Lowered<()> {
        if self.rank(source) == 0 || 2 * self.rank(source) != bounds.len() {
            return Ok(());
        }
        let shape = self.shape(source);
        for (k, (&have, pair)) in shape.iter().zip(bounds.chunks(2)).enumerate() {
            let want = self.known(pair[1]).zip(self.known(pair[0])).map(|(hi, lo)| (hi - lo + 1).max(0));
            if let (Some(want), Some(have)) = (want, self.known(have))
                && want != have
            {
                let message = format!("SOURCE= has {have} elements in dimension {}, but the object has {want}", k + 1);
                return Err(self.error_at("T0635", x, message));
            }
        }
        Ok(())
    }
}
