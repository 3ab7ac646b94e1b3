//! The objects of ALLOCATE and DEALLOCATE: their attributes, types, lengths, ranks and shapes.

use crate::check::Checked;
use crate::check::statements::Statements;
use crate::scope::symbol::{Extent, SymbolKind};
use crate::typed::Typed;
use crate::typed::call::Site;
use trueline_diag::Diagnostic;
use trueline_syntax::ast::{AllocOption, Allocate, Arg, ArgValue, BaseType, ExprId, ExprKind, TypeSpec};

impl Statements<'_, '_> {
    /// Reports objects that cannot be allocated like this.
    pub fn allocated_objects(&mut self, a: &Allocate) {
        for &x in self.ast.list(a.objects) {
            let checked = self.site().check_allocated(a, x);
            self.passes(checked);
        }
    }

    /// Reports objects that cannot be deallocated.
    pub fn deallocated_objects(&mut self, a: &Allocate) {
        for &x in self.ast.list(a.objects) {
            let checked = self.site().check_deallocated(x);
            self.passes(checked);
        }
    }
}

impl<'a> Site<'_, 'a> {
    /// The name of the variable that the object is or is part of; none if it is wrong in itself.
    fn object(&mut self, x: ExprId) -> Result<Option<&'a str>, Diagnostic> {
        let span = self.ast.span(x);
        let Some(id) = self.typing.root_of(x) else {
            return Err(Diagnostic::error("T0617", span, "This is not an ALLOCATABLE variable"));
        };
        let s = self.symbol(id);
        if s.kind == SymbolKind::Error {
            return Ok(None);
        }
        if self.typing.indirection(x).is_some() {
            return Ok(Some(&s.name));
        }
        let message = match self.ast.expr(x).kind {
            ExprKind::Component { .. } if self.typing.of(x).is_none() => return Ok(None),
            ExprKind::Component { name, .. } => {
                format!("The component '{}' is neither ALLOCATABLE nor a POINTER", self.ast.name(name))
            }
            _ => format!("'{}' is neither ALLOCATABLE nor a POINTER", s.name),
        };
        Err(Diagnostic::error("T0617", span, message).because(s.span, "declared here"))
    }

    fn check_deallocated(&mut self, x: ExprId) -> Checked {
        if let ExprKind::Call { base, .. } = self.ast.expr(x).kind
            && matches!(self.ast.expr(base).kind, ExprKind::Name(_) | ExprKind::Component { .. })
        {
            let name = self.typing.root_of(x).map_or("", |id| self.symbol(id).name.as_str());
            let message = format!("DEALLOCATE frees '{name}' as a whole: it takes no subscripts");
            return Err(Diagnostic::error("T0619", self.ast.span(x), message));
        }
        if self.object(x)?.is_some() {
            self.check_definable(x, "deallocated")?;
        }
        Ok(())
    }

    fn check_allocated(&mut self, a: &Allocate, x: ExprId) -> Checked {
        let ast = self.ast;
        let (object, args): (ExprId, &[Arg]) = match ast.expr(x).kind {
            ExprKind::Call { base, args } => (base, ast.args(args)),
            _ => (x, &[]),
        };
        let Some(name) = self.object(object)? else { return Ok(()) };
        self.check_definable(object, "allocated")?;
        let Some(own) = self.typing.of(object) else { return Ok(()) };
        if let Some(spec) = &a.ty {
            self.check_type_before(spec, x, &own)?;
        }
        let option = |o: AllocOption| a.options.iter().find(|given| given.0 == o).map(|given| given.2);
        let (source, mold) = (option(AllocOption::Source), option(AllocOption::Mold));
        let like = source.or(mold);
        if a.ty.is_none() && like.is_none() && self.has_deferred_length(object) {
            let message =
                format!("'{name}' has the length ':', so ALLOCATE must say which: CHARACTER(…) ::, or SOURCE=");
            return Err(Diagnostic::error("T0618", ast.span(x), message));
        }
        let typed = match like {
            Some(x) => match self.typing.of(x) {
                Some(t) => Some(t),
                None => return Ok(()),
            },
            None => None,
        };
        if let Some(t) = &typed {
            self.check_like(x, name, &own, t)?;
        }
        let rank = own.rank();
        let from_like = args.is_empty() && rank > 0;
        if args.len() != rank && !(from_like && typed.as_ref().is_some_and(|t| t.rank() == rank)) {
            let message = format!("'{name}' has rank {rank}, but {} extents are given", args.len());
            return Err(self.about(Diagnostic::error("T0618", ast.span(x), message), x));
        }
        match typed.filter(|_| source.is_some() && !from_like) {
            Some(t) => self.check_source_shape(x, args, &t),
            None => Ok(()),
        }
    }

    /// A diagnostic about `x`, with the declaration of the variable that it is part of.
    pub fn about(&self, d: Diagnostic, x: ExprId) -> Diagnostic {
        match self.typing.root_of(x) {
            Some(id) => d.because(self.symbol(id).span, "declared here"),
            None => d,
        }
    }

    fn has_deferred_length(&mut self, x: ExprId) -> bool {
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => self.typing.resolve(name).is_some_and(|id| self.symbol(id).len == Extent::Deferred),
            ExprKind::Component { base, name } => {
                let structure = self.typing.of(base).and_then(|t| t.structure);
                structure.and_then(|s| self.typing.found(s, name)).is_some_and(|c| c.len_offset.is_some())
            }
            _ => false,
        }
    }

    /// An error unless the type before the objects is that of the object `x`.
    fn check_type_before(&mut self, spec: &TypeSpec, x: ExprId, own: &Typed) -> Checked {
        let (decls, scope, span) = (self.decls, self.typing.scope, self.ast.span(x));
        let base = TypeSpec { len: None, ..spec.clone() };
        let Ok((ty, _)) = decls.constant_type(scope, &base) else { return Ok(()) };
        let same = match (own.structure, decls.structure_of(scope, spec)) {
            (None, None) => own.ty == ty,
            (Some(a), Some(b)) => decls.same_type(a, b),
            _ => false,
        };
        if !same {
            let own = self.type_words(own.ty, own.structure);
            let message = format!("The type before the objects is not that of this one, {own}");
            return Err(Diagnostic::error("T0635", span, message));
        }
        let length = decls.constant_type(scope, spec).ok().and_then(|(_, len)| len);
        match (own.len, length) {
            (Some(own), Some(n)) if spec.base == BaseType::Character && own != n as i64 => {
                let message = format!("The length before the objects, {n}, is not that of this one, {own}");
                Err(Diagnostic::error("T0635", span, message))
            }
            _ => Ok(()),
        }
    }

    /// An error unless SOURCE= or MOLD= has the type of the object, and its rank or none.
    fn check_like(&self, x: ExprId, name: &str, own: &Typed, t: &Typed) -> Checked {
        let same_type = match (own.structure, t.structure) {
            (None, None) => own.ty == t.ty,
            (Some(a), Some(b)) => self.decls.same_type(a, b),
            _ => false,
        };
        let (rank, have) = (own.rank(), t.rank());
        let message = if !same_type {
            let [own, given] = [own, t].map(|t| self.type_words(t.ty, t.structure));
            format!("'{name}' is {own}, but SOURCE= or MOLD= is {given}")
        } else if have > 0 && have != rank {
            format!("'{name}' has rank {rank}, but SOURCE= or MOLD= has rank {have}")
        } else {
            return Ok(());
        };
        Err(self.about(Diagnostic::error("T0635", self.ast.span(x), message), x))
    }

    /// An error if the extents that are given and those of SOURCE= are known to differ.
    fn check_source_shape(&mut self, x: ExprId, args: &[Arg], source: &Typed) -> Checked {
        if source.rank() == 0 || source.rank() != args.len() {
            return Ok(());
        }
        for (k, (have, arg)) in source.extents.iter().zip(args).enumerate() {
            let want = match arg.value {
                ArgValue::Expr(hi) => self.typing.integer(hi),
                ArgValue::Section { lo, hi, .. } => {
                    let lo = lo.expand().map_or(Some(1), |x| self.typing.integer(x));
                    let hi = hi.expand().and_then(|x| self.typing.integer(x));
                    lo.zip(hi).and_then(|(lo, hi)| hi.checked_sub(lo)?.checked_add(1))
                }
                ArgValue::AltReturn(_) | ArgValue::Star => None,
            };
            if let (Some(want), Some(have)) = (want.map(|n| n.max(0)), *have)
                && want != have
            {
                let message = format!("SOURCE= has {have} elements in dimension {}, but the object has {want}", k + 1);
                return Err(Diagnostic::error("T0635", self.ast.span(x), message));
            }
        }
        Ok(())
    }
}
