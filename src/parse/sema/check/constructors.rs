//! Constructors: the types and lengths of the items of an array, and the values of components.

use crate::check::Checked;
use crate::check::statements::Statements;
use crate::constant::eval::const_eval;
use crate::declare::structures::constructor_order;
use crate::scope::symbol::SymbolKind;
use crate::typed::Typed;
use crate::typed::call::Site;
use crate::types::kinds::{Category, common_type, type_name};
use crate::types::structure::StructureId;
use trueline_diag::Diagnostic;
use trueline_ir::Type;
use trueline_syntax::ast::{Arg, ArgList, ArgValue, ExprId, ExprKind, ExprList, Ident, TypeSpec};

/// An item of an array constructor, and its type.
type Item = (ExprId, Typed);

impl Statements<'_, '_> {
    /// Reports the fault of the array constructor `x`.
    pub fn array_constructor(&mut self, x: ExprId, spec: Option<&TypeSpec>, items: ExprList) {
        let mut all: Vec<Item> = Vec::new();
        if !self.constructor_items(items, &mut all) {
            return;
        }
        let declared = match spec {
            None => None,
            Some(spec) => match self.site().typing.of(x) {
                Some(t) => Some(t),
                None => {
                    let why = self.decls.constant_type(self.scope, spec).err();
                    why.and_then(|why| why.report("The type")).into_iter().for_each(|d| self.diags.push(d));
                    return;
                }
            },
        };
        let checked = match declared {
            None => self.site().common_items(x, &all).map(Some),
            Some(t) => self.site().check_structures(x, t.structure, &all).map(|()| Some(t)),
        };
        let of = match checked {
            Ok(of) => of,
            Err(d) => return self.diags.push(d),
        };
        let Some(of) = of.filter(|t| t.structure.is_none()) else { return };
        for (item, t) in &all {
            let checked = match of.ty == Type::Char && t.ty != Type::Char {
                true => Err(Diagnostic::error("T0540", self.ast.span(x), "The array constructor mixes types")),
                false => self.site().check_conversion(*item, t.ty, of.ty),
            };
            if !self.passes(checked) {
                return;
            }
        }
    }

    /// The items with their types, those of a loop once. False if one is wrong in itself.
    fn constructor_items(&mut self, items: ExprList, all: &mut Vec<Item>) -> bool {
        let ast = self.ast;
        ast.list(items).iter().all(|&item| match &ast.expr(item).kind {
            ExprKind::ImpliedDo(d) => self.constructor_items(d.items, all),
            _ => {
                let typed = self.site().typing.of(item);
                typed.map(|t| all.push((item, t))).is_some()
            }
        })
    }

    /// Reports an index that is no scalar integer.
    pub fn index_variable(&mut self, var: Ident) {
        let Some(s) = self.site().typing.resolve(var.name).map(|id| &self.decls.symbols[id]) else { return };
        let is_integer = s.ty.is_none_or(|ty| Category::of(ty) == Category::Integer);
        if s.kind == SymbolKind::Error || is_integer && !s.is_array() {
            return;
        }
        let message = format!("The index '{}' must be a scalar INTEGER variable", s.name);
        self.diags.push(Diagnostic::error("T0543", var.span, message));
    }

    /// Reports the faults of the structure constructor `x`, if `base(args)` is one.
    pub fn structure_constructor(&mut self, x: ExprId, base: ExprId, args: ArgList) {
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return };
        let Some(id) = self.site().typing.resolve(name) else { return };
        let SymbolKind::DerivedType(id) = self.decls.symbols[id].kind else { return };
        let (ast, functions) = (self.ast, &self.decls.structures[id].constructors);
        if self.site().typing.fitting(functions, ast.args(args)).is_some()
            || const_eval(self.decls, self.scope, x).is_ok()
        {
            return;
        }
        let order = match constructor_order(self.decls, self.scope, id, args, self.ast.span(x)) {
            Ok(order) => order,
            Err(why) => return why.report("").into_iter().for_each(|d| self.diags.push(d)),
        };
        for (k, value) in order.into_iter().enumerate() {
            let Some(value) = value else { continue };
            let checked = self.site().check_component_value(id, k, value);
            if !self.goes_on(checked) {
                return;
            }
            self.warn_component(id, k, value);
        }
    }
}

impl Site<'_, '_> {
    /// The type that all items have; numeric ones of different types are brought to the highest.
    fn common_items(&mut self, x: ExprId, items: &[Item]) -> Result<Typed, Diagnostic> {
        let span = self.ast.span(x);
        let Some((_, first)) = items.first() else {
            return Err(Diagnostic::error("T0541", span, "An empty array constructor needs a type: [INTEGER ::]"));
        };
        let mut ty = first.ty;
        for (_, t) in items {
            let Some(both) = common_type(ty, t.ty) else {
                let message = format!("The array constructor mixes {} and {}", type_name(ty), type_name(t.ty));
                return Err(Diagnostic::error("T0540", span, message));
            };
            ty = both;
        }
        let structure = items.iter().find_map(|(_, t)| t.structure);
        self.check_structures(x, structure, items)?;
        if ty == Type::Char && structure.is_none() {
            self.check_equal_lengths(x, items)?;
        }
        Ok(Typed { structure, ..Typed::scalar(ty) })
    }

    fn check_structures(&self, x: ExprId, of: Option<StructureId>, items: &[Item]) -> Checked {
        let fits = |t: &Typed| match (of, t.structure) {
            (Some(a), Some(b)) => self.decls.same_type(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        match items.iter().all(|(_, t)| fits(t)) {
            true => Ok(()),
            false => Err(Diagnostic::error("T0540", self.ast.span(x), "The array constructor mixes types")),
        }
    }

    /// An error if the lengths of characters differ: a constructor without a type has none. As gfortran does, only constants
    /// without names, and substrings of variables, are looked at.
    fn check_equal_lengths(&self, x: ExprId, items: &[Item]) -> Checked {
        let mut lengths = items.iter().filter(|(item, _)| self.shows_length(*item)).filter_map(|(_, t)| t.len);
        let first = lengths.next();
        let Some((a, b)) = first.and_then(|a| lengths.find(|&b| b != a).map(|b| (a, b))) else { return Ok(()) };
        let message = format!("The elements of the array constructor differ in length: {a} and {b}");
        let d = Diagnostic::error("T0540", self.ast.span(x), message);
        Err(d.help(format!("Say which one they have: [CHARACTER({}) :: …]", a.max(b))))
    }

    fn shows_length(&self, x: ExprId) -> bool {
        let ast = self.ast;
        if let ExprKind::Call { base, args } = ast.expr(x).kind
            && let ExprKind::Name(name) = ast.expr(base).kind
            && let Some(id) = self.typing.resolve(name)
        {
            let is_range = matches!(ast.args(args), [Arg { value: ArgValue::Section { .. }, .. }]);
            return is_range && self.symbol(id).is_variable() && !self.symbol(id).is_array();
        }
        let mut has_name = false;
        crate::visit::expressions(ast, x, &mut |x| {
            if let ExprKind::Name(name) = ast.expr(x).kind {
                has_name |= self.typing.resolve(name).is_some();
            }
        });
        !has_name && const_eval(self.decls, self.typing.scope, x).is_ok()
    }

    /// The fault of `value` as that of component `k` in a structure constructor.
    fn check_component_value(&mut self, id: StructureId, k: usize, value: ExprId) -> Checked {
        self.must_be_accessible(id, k, self.ast.span(value))?;
        let c = &self.decls.structures[id].components[k];
        if c.interface.is_some() {
            if self.gives_address(value) {
                return Ok(());
            }
            let message = format!("The component '{}' is a procedure pointer", c.name);
            return Err(Diagnostic::error("T0687", self.ast.span(value), message));
        }
        let own = crate::typed::component_typed(c);
        if c.is_indirect() && self.typing.is_null(value) {
            return Ok(());
        }
        if c.pointer {
            return self.check_points(&own, value, None);
        }
        if let Some(d) = self.no_value(value, false).or_else(|| self.no_shape(value)) {
            return Err(d);
        }
        let Some(t) = self.typing.of(value) else { return Ok(()) };
        if t.rank() > 0 && t.rank() != own.rank() {
            let message =
                format!("The component '{}' has rank {}, but the value has rank {}", c.name, own.rank(), t.rank());
            return Err(Diagnostic::error("T0600", self.ast.span(value), message).because(c.span, "declared here"));
        }
        self.check_assigned(value, value, &own, &t)
    }
}
