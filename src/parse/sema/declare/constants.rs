//! Named constants: PARAMETER, and the conversion of a value to the declared type.

use crate::constant::eval::const_eval;
use crate::constant::{Const, ConstArray, MAX_BYTES, Scalar, convert, resize_text};
use crate::declare::Declare;
use crate::scope::ScopeId;
use crate::scope::symbol::{Extent, Home, SymbolId, SymbolKind};
use crate::types::kinds::{Category, type_name};
use std::sync::Arc;
use trueline_diag::Span;
use trueline_ir::Type;
use trueline_syntax::ast::{EnumDef, ExprId, ExprKind, Ident};

impl Declare<'_, '_> {
    /// PARAMETER (name = value, …)
    pub fn parameters(&mut self, scope: ScopeId, items: &[(Ident, ExprId)]) {
        for &(ident, x) in items {
            if let Some(id) = self.declared(scope, ident) {
                self.set_parameter(scope, id, x, ident.span);
            }
        }
    }

    /// Makes the symbol a named constant with the value of `x`.
    pub fn set_parameter(&mut self, scope: ScopeId, id: SymbolId, x: ExprId, span: Span) {
        let symbol = &self.decls.symbols[id];
        let fresh = matches!(symbol.kind, SymbolKind::Unknown | SymbolKind::Variable)
            && symbol.home == Home::None
            && !symbol.attrs.common
            && !symbol.attrs.result;
        if !fresh {
            if symbol.kind != SymbolKind::Error {
                self.twice(id, span, "cannot be a named constant: it is declared as something else");
            }
            return;
        }
        if symbol.ty.is_none() {
            match self.decls.implied(scope, &symbol.name) {
                Some(implied) => implied.give(&mut self.decls.symbols[id]),
                None => {
                    let message = format!("The named constant '{}' has no type", self.decls.symbols[id].name);
                    self.error("T0229", span, message);
                    self.decls.symbols[id].kind = SymbolKind::Error;
                    return;
                }
            }
        }
        let value = match const_eval(&self.decls, scope, x) {
            Ok(v) if self.decls.is_number_text(scope, x) => {
                let ty = self.decls.symbols[id].ty.unwrap_or(Type::I4);
                let v = v.map(|s| Ok::<_, ()>(crate::constant::math::text_as(s, ty).unwrap_or_else(|| s.clone())));
                v.ok().and_then(|v| self.as_declared(id, &v, self.ast(scope).span(x)))
            }
            Ok(v) => self.as_declared(id, &v, self.ast(scope).span(x)),
            Err(why) => {
                let what = format!("The value of '{}'", self.decls.symbols[id].name);
                self.unfolded(&why, &what);
                None
            }
        };
        let symbol = &mut self.decls.symbols[id];
        symbol.kind = SymbolKind::Parameter;
        symbol.value = value;
    }

    /// A value converted to the type, length and shape of a symbol; lengths and bounds written as `*` are
    /// taken from the value.
    fn as_declared(&mut self, id: SymbolId, v: &Const, span: Span) -> Option<Const> {
        let symbol = &self.decls.symbols[id];
        let (name, ty) = (symbol.name.clone(), symbol.ty?);
        let len = match symbol.len {
            Extent::Known(n) => n as usize,
            _ => v.char_len(),
        };
        if ty == Type::Char && len.saturating_mul(v.elements().len().max(1)) > MAX_BYTES {
            self.error("T0234", span, format!("The constant '{name}' is too large"));
            return None;
        }
        let free = self.decls.options.no_range_check;
        let convert = |s: &Scalar, ty: Type| match (convert(s, ty), s) {
            (None, Scalar::Int(_, n)) if free && Category::of(ty) == Category::Integer => {
                Some(Scalar::Int(ty, crate::constant::ops::wrapped(i128::from(*n), ty)))
            }
            (v, s) => v.filter(|_| free || crate::constant::ops::fits(s, ty)),
        };
        let converted =
            v.map(|s| convert(s, ty).map(|s| if ty == Type::Char { resize_text(&s, len) } else { s }).ok_or(()));
        let Ok(converted) = converted else {
            let from = type_name(v.ty());
            let why = if crate::types::kinds::Category::of(v.ty()).is_numeric()
                && crate::types::kinds::Category::of(ty).is_numeric()
            {
                format!("The value does not fit into the type of '{name}', {}", type_name(ty))
            } else {
                format!("The value of '{name}' is {from}, but its type is {}", type_name(ty))
            };
            self.error("T0230", span, why);
            return None;
        };
        if ty == Type::Char {
            self.decls.symbols[id].len = Extent::Known(len as i64);
        }
        self.shaped(id, converted, span)
    }

    fn shaped(&mut self, id: SymbolId, v: Const, span: Span) -> Option<Const> {
        let symbol = &mut self.decls.symbols[id];
        let name = symbol.name.clone();
        if symbol.shape.is_empty() {
            if v.rank() > 0 {
                self.error("T0231", span, format!("'{name}' is a scalar, but its value is an array"));
                return None;
            }
            return Some(v);
        }
        let extents = v.extents();
        if v.rank() == symbol.shape.len() {
            for (bounds, n) in symbol.shape.iter_mut().zip(&extents) {
                if let (Some(lo), Extent::Assumed) = (bounds.lower.known(), bounds.upper) {
                    bounds.upper = Extent::Known(lo + n - 1);
                }
            }
        }
        let shape: Option<Vec<(i64, i64)>> = symbol.shape.iter().map(|b| b.lower.known().zip(b.size())).collect();
        let Some(shape) = shape else {
            self.error("T0232", span, format!("The bounds of the named constant '{name}' must be constant"));
            return None;
        };
        let count = shape.iter().try_fold(1i64, |n, d| n.checked_mul(d.1)).unwrap_or(i64::MAX);
        if v.rank() > 0 && shape.iter().map(|d| d.1).ne(extents.iter().copied()) {
            self.error("T0233", span, format!("The shape of the value differs from that of '{name}'"));
            return None;
        }
        if count > crate::constant::MAX_ELEMENTS as i64 {
            self.error("T0234", span, format!("The constant '{name}' is too large"));
            return None;
        }
        let values: Vec<Scalar> = match &v {
            Const::Scalar(s) => vec![s.clone(); count as usize],
            Const::Array(a) => a.values.clone(),
        };
        let array = ConstArray { ty: v.ty(), len: v.char_len(), shape, values };
        Some(Const::Array(Arc::new(array)))
    }
}

impl crate::scope::Declarations<'_> {
    /// Whether `x` is a constant of characters that may be a number: a Hollerith constant.
    pub fn is_number_text(&self, scope: ScopeId, x: ExprId) -> bool {
        match self.ast(scope).expr(x).kind {
            ExprKind::Hollerith(_) => true,
            ExprKind::Char { .. } => self.options.text_numbers,
            ExprKind::Paren(inner) => self.is_number_text(scope, inner),
            _ => false,
        }
    }
}

/// ENUM.
impl Declare<'_, '_> {
    /// The enumerators: named constants, each one more than the one before unless it has a value.
    pub fn enumeration(&mut self, scope: ScopeId, e: &EnumDef) {
        let mut next = 0;
        for &(name, value) in &e.items {
            if let Some(x) = value {
                next = self.constant_int(scope, x, "The value of an enumerator").unwrap_or(next);
            }
            let Some(id) = self.declared(scope, name) else { continue };
            if self.decls.symbols[id].kind != SymbolKind::Unknown {
                self.twice(id, name.span, "is already declared");
                continue;
            }
            let symbol = &mut self.decls.symbols[id];
            symbol.kind = SymbolKind::Parameter;
            symbol.ty = Some(Type::I4);
            symbol.attrs.typed = true;
            symbol.value = Some(Scalar::int(next).into());
            next += 1;
        }
    }
}
