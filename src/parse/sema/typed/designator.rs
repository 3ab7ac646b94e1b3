//! Designators: whether an expression is a variable or part of one, and which kind of part.

use crate::scope::symbol::{SymbolId, has_strides};
use crate::typed::Typing;
use trueline_ir::Type;
use trueline_syntax::ast::{ArgValue, ExprId, ExprKind};

impl Typing<'_, '_> {
    /// The expression inside of parentheses.
    pub fn unparen(&self, mut x: ExprId) -> ExprId {
        while let ExprKind::Paren(inner) = self.ast.expr(x).kind {
            x = inner;
        }
        x
    }

    /// Whether an expression is NULL().
    pub fn is_null(&self, x: ExprId) -> bool {
        let ExprKind::Call { base, .. } = self.ast.expr(self.unparen(x)).kind else { return false };
        matches!(self.ast.expr(base).kind, ExprKind::Name(n) if self.ast.name(n) == "null" && self.resolve(n).is_none())
    }

    /// Whether `x` is a variable, element, section or substring, as opposed to an expression. The names among `values`
    /// stand for values: indices of FORALL and implied DO, arguments of statement functions.
    pub fn is_place(&self, x: ExprId, values: &[SymbolId]) -> bool {
        let Some(root) = self.root_of(x) else { return false };
        let s = self.symbol(root);
        // A name is associated with a value, or else `root_of` finds the variable.
        s.is_variable() && !(s.attrs.associate && s.ty.is_none()) && !values.contains(&root)
    }

    /// Whether `x` names a pointer: INTENT(IN) and PROTECTED keep its association, not its target.
    pub fn is_whole_pointer(&self, x: ExprId) -> bool {
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => self.resolve(name).is_some_and(|id| self.symbol(id).attrs.pointer),
            _ => false,
        }
    }

    /// Whether `x` is a component with POINTER: uses of it change its target.
    pub fn is_pointer_component(&mut self, x: ExprId) -> bool {
        let ExprKind::Component { base, name } = self.ast.expr(x).kind else { return false };
        let structure = self.of(base).and_then(|t| t.structure);
        structure.and_then(|s| self.found(s, name)).is_some_and(|c| c.pointer)
    }

    /// Whether `x` names the target of a pointer, which INTENT(IN) of the pointer does not protect.
    pub fn goes_through_pointer(&mut self, x: ExprId) -> bool {
        let mut at = x;
        loop {
            match self.ast.expr(at).kind {
                ExprKind::Component { base, .. } => {
                    if at != x && self.is_pointer_component(at) {
                        return true;
                    }
                    at = base;
                }
                ExprKind::Call { base, .. } => at = base,
                ExprKind::Name(_) => return at != x && self.is_whole_pointer(at),
                _ => return false,
            }
        }
    }

    /// Whether `x` is a section by a vector.
    pub fn has_vector_subscript(&mut self, x: ExprId) -> bool {
        let ExprKind::Call { args, .. } = self.ast.expr(x).kind else { return false };
        self.ast.args(args).iter().any(|a| match a.value {
            ArgValue::Expr(x) => self.of(x).is_some_and(|t| t.rank() > 0),
            _ => false,
        })
    }

    /// Whether the whole variable or component `x` is a POINTER or ALLOCATABLE: true of a POINTER, false of an ALLOCATABLE.
    pub fn indirection(&mut self, x: ExprId) -> Option<bool> {
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => {
                let s = self.symbol(self.resolve(name)?);
                (s.is_variable() && s.is_indirect()).then_some(s.attrs.pointer)
            }
            ExprKind::Component { base, name } => {
                let structure = self.of(base)?.structure?;
                let c = self.found(structure, name)?;
                c.is_indirect().then_some(c.pointer)
            }
            _ => None,
        }
    }

    /// Whether `x` is an element of an array, part of one, or a substring of one.
    pub fn is_element(&mut self, x: ExprId) -> bool {
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => {
                let Some(id) = self.resolve(name) else { return false };
                let s = self.symbol(id);
                if !(s.attrs.associate && s.ty.is_none()) {
                    return false;
                }
                let Some((scope, selector)) = self.decls.selector_of(s) else { return false };
                Typing::new(self.decls, scope, None, self.known).is_element(selector)
            }
            ExprKind::Component { base, .. } => self.indirection(x).is_none() && self.is_element(base),
            ExprKind::Call { base, .. } => match self.of(base).map(|t| t.rank()) {
                Some(0) => self.is_element(base),
                Some(_) => self.of(x).is_some_and(|t| t.rank() == 0),
                None => false,
            },
            _ => false,
        }
    }

    /// Whether more elements may follow the scalar `x` in memory: it is an element of an array without gaps, or a substring.
    pub fn lies_in_array(&mut self, x: ExprId) -> bool {
        let ExprKind::Call { base, .. } = self.ast.expr(x).kind else { return false };
        let Some(whole) = self.of(base) else { return false };
        if whole.rank() == 0 {
            return whole.ty == Type::Char && whole.structure.is_none();
        }
        if self.of(x).is_none_or(|t| t.rank() > 0) || self.indirection(base) == Some(true) {
            return false;
        }
        match self.ast.expr(base).kind {
            ExprKind::Name(name) => self.resolve(name).is_some_and(|id| {
                let s = self.symbol(id);
                s.is_variable() && !has_strides(s)
            }),
            ExprKind::Component { .. } => true,
            _ => false,
        }
    }

    /// The procedure with the interface of the procedure pointer that `x` names, if it names one.
    pub fn procedure_pointer(&mut self, x: ExprId) -> Option<SymbolId> {
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => {
                let s = self.symbol(self.resolve(name)?);
                s.interface.filter(|_| s.is_variable())
            }
            ExprKind::Component { base, name } => {
                let structure = self.of(base)?.structure?;
                self.found(structure, name)?.interface
            }
            _ => None,
        }
    }

    /// Whether `x` is a reference of a function whose result is a procedure pointer.
    pub fn gives_procedure(&mut self, x: ExprId) -> bool {
        let ExprKind::Call { base, .. } = self.ast.expr(x).kind else { return false };
        let function = match (self.procedure_pointer(base), &self.ast.expr(base).kind) {
            (Some(interface), _) => Some(interface),
            (None, ExprKind::Name(name)) => self.resolve(*name),
            (None, _) => None,
        };
        function.map(|f| self.symbol(f)).is_some_and(|f| f.interface.is_some() && f.procedure().is_some())
    }

    /// Whether `x` calls a function whose result is a POINTER: the target of the result is a variable.
    pub fn is_pointer_result(&mut self, x: ExprId) -> bool {
        if !matches!(self.ast.expr(x).kind, ExprKind::Call { .. }) {
            return false;
        }
        let Some(function) = self.of(x).and_then(|t| t.callee).map(|id| self.symbol(id)) else { return false };
        function.procedure().and_then(|p| p.result).map_or(function, |r| self.symbol(r)).attrs.pointer
    }
}
