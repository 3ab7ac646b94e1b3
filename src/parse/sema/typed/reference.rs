//! Types of references: elements, sections, substrings, components, calls of functions.

use crate::constant::eval::{Evaluator, const_eval};
use crate::scope::symbol::{Bounds, Extent, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind};
use crate::typed::{Extents, Typed, Typing, constant};
use crate::types::kinds::Category;
use crate::types::structure::{Component, StructureId};
use trueline_diag::Span;
use trueline_ir::Type;
use trueline_syntax::Name;
use trueline_syntax::ast::{Arg, ArgList, ArgValue, BinaryOp, ExprId, ExprKind};

impl<'a> Typing<'_, 'a> {
    /// `base(args)`.
    pub(super) fn applied(&mut self, base: ExprId, args: ArgList) -> Option<Typed> {
        match self.ast.expr(base).kind {
            ExprKind::Component { base: inner, name } => self.subscripted_component(base, (inner, name), args),
            ExprKind::Name(name) => self.named_with(name, self.ast.span(base), args),
            _ => {
                let string = self.of(base)?;
                self.substring(string, args)
            }
        }
    }

    /// `name(args)`.
    fn named_with(&mut self, name: Name, span: Span, args: ArgList) -> Option<Typed> {
        let text = self.ast.name(name);
        let Some(id) = self.resolve(name) else {
            return self.intrinsic(crate::intrinsic::visible(text)?, args, span);
        };
        let s = self.symbol(id);
        let list = self.ast.args(args);
        match &s.kind {
            SymbolKind::Variable if let Some(interface) = s.interface => self.result(interface, list),
            SymbolKind::Variable if s.attrs.assumed_type => None,
            SymbolKind::Variable | SymbolKind::Parameter => {
                let whole = match s.kind {
                    SymbolKind::Parameter => constant(s)?,
                    _ => self.variable(id)?,
                };
                if whole.rank() > 0 {
                    self.subscripted(whole, fixed(s.is_indirect(), &s.shape), args)
                } else {
                    self.substring(whole, args)
                }
            }
            SymbolKind::DerivedType(structure) => {
                match self.fitting(&self.decls.structures[*structure].constructors, list) {
                    Some(function) => self.result(function, list),
                    None => Some(Typed { structure: Some(*structure), ..Typed::scalar(Type::Char) }),
                }
            }
            SymbolKind::Procedure(p) if p.class == ProcedureClass::Intrinsic => {
                self.intrinsic(crate::intrinsic::lookup(&s.name)?, args, span)
            }
            SymbolKind::Procedure(_) | SymbolKind::Generic(_) | SymbolKind::Unknown => {
                match self.specific(id, list)? {
                    Some(id) => self.result(id, list),
                    None => self.intrinsic(crate::intrinsic::lookup(&s.name)?, args, span),
                }
            }
            SymbolKind::StatementFunction { .. } => {
                let len = s.len.known().filter(|_| s.ty == Some(Type::Char) && s.structure.is_none());
                Some(Typed { structure: s.structure, len, ..Typed::scalar(s.ty?) })
            }
            _ => None,
        }
    }

    /// `string(lo:hi)`.
    fn substring(&mut self, string: Typed, args: ArgList) -> Option<Typed> {
        let [Arg { keyword: None, value: ArgValue::Section { lo, hi, step }, .. }] = *self.ast.args(args) else {
            return None;
        };
        if !string.is_text() || step.is_some() {
            return None;
        }
        let distance = match (lo.expand(), hi.expand()) {
            (Some(lo), Some(hi)) => self.distance(lo, hi),
            (Some(lo), None) => string.len.zip(self.integer(lo)).and_then(|(n, lo)| n.checked_sub(lo)),
            (None, Some(hi)) => self.integer(hi).and_then(|hi| hi.checked_sub(1)),
            (None, None) => string.len.and_then(|n| n.checked_sub(1)),
        };
        let len = distance.and_then(|n| n.checked_add(1)).map(|n| n.max(0));
        Some(Typed { len, callee: None, ..string })
    }

    /// The constant distance between two integers, if there is one: `i` and `i + 2`.
    fn distance(&self, from: ExprId, to: ExprId) -> Option<i64> {
        let ((a, m), (b, n)) = (self.offset(from)?, self.offset(to)?);
        if a == b { n.checked_sub(m) } else { None }
    }

    /// An integer as a variable, if it has one, and a constant that is added to it.
    fn offset(&self, x: ExprId) -> Option<(Option<SymbolId>, i64)> {
        if let Some(n) = self.integer(x) {
            return Some((None, n));
        }
        match self.ast.expr(x).kind {
            ExprKind::Paren(inner) => self.offset(inner),
            ExprKind::Name(name) => {
                let id = self.resolve(name)?;
                let s = self.symbol(id);
                (s.is_variable() && !s.attrs.volatile).then_some((Some(id), 0))
            }
            ExprKind::Binary { op: BinaryOp::Add, left, right } => match (self.integer(left), self.integer(right)) {
                (Some(n), _) => self.offset(right).and_then(|(id, m)| Some((id, m.checked_add(n)?))),
                (_, Some(n)) => self.offset(left).and_then(|(id, m)| Some((id, m.checked_add(n)?))),
                _ => None,
            },
            ExprKind::Binary { op: BinaryOp::Sub, left, right } => {
                let n = self.integer(right)?;
                self.offset(left).and_then(|(id, m)| Some((id, m.checked_sub(n)?)))
            }
            _ => None,
        }
    }

    /// The value of a constant integer.
    pub fn integer(&self, x: ExprId) -> Option<i64> {
        // Most subscripts are variables; to ask why one is no constant costs more than to see that it is none.
        if let ExprKind::Name(name) = self.ast.expr(x).kind
            && self.decls.visible(self.scope, name).is_some_and(|id| self.symbol(id).is_variable())
        {
            return None;
        }
        const_eval(self.decls, self.scope, x).ok()?.as_int()
    }

    /// An element or section of an array, which is declared with these bounds, if any.
    fn subscripted(&mut self, array: Typed, bounds: &[Bounds], args: ArgList) -> Option<Typed> {
        let extents = self.subscripts(&array.extents, bounds, args)?;
        Some(Typed { extents, callee: None, ..array })
    }

    /// The extents of the part that the subscripts select of an array with the extents `of`.
    fn subscripts(&mut self, of: &Extents, bounds: &[Bounds], args: ArgList) -> Option<Extents> {
        if args.len() != of.len() {
            return None;
        }
        let ast = self.ast;
        let mut extents = Extents::new();
        for (k, (arg, &extent)) in ast.args(args).iter().zip(of).enumerate() {
            if arg.keyword.is_some() {
                return None;
            }
            match arg.value {
                ArgValue::Expr(x) => {
                    let t = self.of(x)?;
                    let is_index = matches!(Category::of(t.ty), Category::Integer | Category::Real);
                    if !is_index || t.rank() > 1 {
                        return None;
                    }
                    extents.extend(t.extents);
                }
                ArgValue::Section { lo, hi, step } => {
                    let all = lo.is_none() && hi.is_none() && step.is_none();
                    let parts = [lo, hi, step].map(|x| x.expand());
                    extents.push(if all { extent } else { self.section(parts, bounds.get(k)) });
                }
                ArgValue::AltReturn(_) | ArgValue::Star => return None,
            }
        }
        Some(extents)
    }

    /// The number of elements of `lo:hi:step`; `bounds` stand for an end that is left out.
    fn section(&self, [lo, hi, step]: [Option<ExprId>; 3], bounds: Option<&Bounds>) -> Option<i64> {
        let step = step.map_or(Some(1), |x| self.integer(x))?;
        let (first, last) = (|| bounds?.lower.known(), || bounds?.upper.known());
        let distance = match (lo, hi) {
            (Some(lo), Some(hi)) => self.distance(lo, hi)?,
            (Some(lo), None) => last()?.checked_sub(self.integer(lo)?)?,
            (None, Some(hi)) => self.integer(hi)?.checked_sub(first()?)?,
            (None, None) => last()?.checked_sub(first()?)?,
        };
        Some(distance.checked_add(step)?.checked_div(step)?.max(0))
    }

    /// `base%name`.
    pub(super) fn component(&mut self, base: ExprId, name: Name) -> Option<Typed> {
        let of = self.of(base)?;
        let Some(structure) = of.structure else { return self.part(of, name) };
        let c = self.found(structure, name)?;
        let own = own_extents(c);
        let extents = self.placed(c, &of.extents, own)?;
        Some(component_type(c, extents))
    }

    /// `%re`, `%im`, `%kind` and `%len`.
    fn part(&self, of: Typed, name: Name) -> Option<Typed> {
        match self.ast.name(name) {
            "kind" => Some(Typed::scalar(Type::I4)),
            "len" if of.is_text() => Some(Typed::scalar(Type::I4)),
            "re" | "im" if Category::of(of.ty) == Category::Complex => Some(Typed::of(of.ty.part(), of.extents)),
            _ => None,
        }
    }

    /// The component of this name.
    pub fn found(&self, structure: StructureId, name: Name) -> Option<&'a Component> {
        let structure = &self.decls.structures[structure];
        Some(&structure.components[structure.find(self.ast.name(name))?])
    }

    /// The extents of a selected component: those of the structures around it, or its own; only one part may be an array.
    fn placed(&self, c: &Component, outer: &Extents, own: Extents) -> Option<Extents> {
        match (outer.is_empty(), own.is_empty()) {
            (false, _) if c.is_indirect() => None,
            (false, false) => None,
            (false, true) => Some(outer.clone()),
            (true, _) => Some(own),
        }
    }

    /// `base%name(args)`.
    fn subscripted_component(&mut self, whole: ExprId, (base, name): (ExprId, Name), args: ArgList) -> Option<Typed> {
        let of = self.of(base)?;
        let Some(structure) = of.structure else {
            let part = self.of(whole)?;
            return if part.rank() > 0 { self.subscripted(part, &[], args) } else { None };
        };
        let c = self.found(structure, name)?;
        if let Some(interface) = c.interface {
            return self.result(interface, self.ast.args(args));
        }
        if c.shape.is_empty() {
            let string = self.of(whole)?;
            return self.substring(string, args);
        }
        let own = self.subscripts(&own_extents(c), fixed(c.is_indirect(), &c.shape), args)?;
        let extents = self.placed(c, &of.extents, own)?;
        Some(component_type(c, extents))
    }

    /// The variable that a reference is part of; where a name is associated with one, that variable.
    pub fn root_of(&self, mut x: ExprId) -> Option<SymbolId> {
        loop {
            match self.ast.expr(x).kind {
                ExprKind::Name(name) => return self.resolve(name).map(|id| self.decls.associated_with(id)),
                ExprKind::Call { base, .. } | ExprKind::Component { base, .. } => x = base,
                _ => return None,
            }
        }
    }

    /// Whether an expression is a variable or part of one that holds data: no value, no procedure pointer.
    pub fn is_data_reference(&mut self, x: ExprId) -> bool {
        let is_pointer = match self.ast.expr(x).kind {
            ExprKind::Name(name) => self.resolve(name).is_some_and(|id| self.symbol(id).interface.is_some()),
            ExprKind::Component { base, name } => {
                let structure = self.of(base).and_then(|t| t.structure);
                structure.and_then(|s| self.found(s, name)).is_some_and(|c| c.interface.is_some())
            }
            _ => false,
        };
        let root = self.root_of(x).map(|id| self.symbol(id));
        !is_pointer && root.is_some_and(|s| s.is_variable() && !(s.attrs.associate && s.ty.is_none()))
    }

    /// The extents of the result of a call, as far as constant arguments tell them.
    fn extents_of_call(&mut self, id: SymbolId, result: &Symbol, args: &[Arg]) -> Option<Extents> {
        let p = self.symbol(id).procedure()?;
        let mut callee = Evaluator::new(self.decls, p.scope?);
        for (k, a) in args.iter().enumerate() {
            let ArgValue::Expr(x) = a.value else { continue };
            let dummy = |d: &&SymbolId| match a.keyword {
                Some(keyword) => self.symbol(**d).name == self.ast.name(keyword.name),
                None => p.dummies.get(k) == Some(&Some(**d)),
            };
            let Some(d) = p.dummies.iter().flatten().find(dummy).map(|&d| self.symbol(d)) else { continue };
            let is_number = !d.is_array() && d.ty.map(Category::of) == Some(Category::Integer);
            if let (true, Some(name)) = (is_number, callee.ast.names.lookup(&d.name))
                && let Some(value) = self.integer(x)
            {
                callee.bindings.push((name, value));
            }
        }
        let mut known = |e: Extent| match e {
            Extent::Known(n) => Some(n),
            Extent::Entry(x) => callee.eval(x).ok()?.scalar()?.as_int(),
            _ => None,
        };
        let size = |b: &Bounds| {
            let (lower, upper) = (known(b.lower)?, known(b.upper)?);
            Some(upper.checked_sub(lower)?.checked_add(1)?.max(0))
        };
        Some(result.shape.iter().map(size).collect())
    }

    /// The result of a function of the program.
    pub(super) fn result(&mut self, id: SymbolId, args: &[Arg]) -> Option<Typed> {
        let s = self.symbol(id);
        let p = s.procedure();
        if p.is_some_and(|p| p.kind == ProcedureKind::Subroutine) {
            return None;
        }
        let result = p.and_then(|p| p.result).map_or(s, |r| self.symbol(r));
        let ty = result.ty.or(s.ty)?;
        let mut extents: Extents = result.shape.iter().map(|b| b.size()).collect();
        if extents.contains(&None) && !result.is_indirect() {
            extents = self.extents_of_call(id, result, args).unwrap_or(extents);
        }
        if p.is_some_and(|p| p.is_elemental) {
            let over = args.iter().find_map(|a| match a.value {
                ArgValue::Expr(x) if !self.is_null(x) => self.of(x).map(|t| t.extents).filter(|e| !e.is_empty()),
                _ => None,
            });
            extents = over.unwrap_or(extents);
        }
        let len = result.len.known().filter(|_| ty == Type::Char && result.structure.is_none());
        Some(Typed { structure: result.structure, len, callee: Some(id), ..Typed::of(ty, extents) })
    }
}

/// The declared bounds, unless the array gets others when it is allocated or associated.
fn fixed(is_indirect: bool, bounds: &[Bounds]) -> &[Bounds] {
    if is_indirect { &[] } else { bounds }
}

fn own_extents(c: &Component) -> Extents {
    c.shape.iter().map(|b| b.size().filter(|_| !c.is_indirect())).collect()
}

/// The type of a component by itself.
pub fn component_typed(c: &Component) -> Typed {
    component_type(c, own_extents(c))
}

fn component_type(c: &Component, extents: Extents) -> Typed {
    let len = c.len.known().filter(|_| c.ty == Type::Char && c.structure.is_none());
    Typed { structure: c.structure, len, ..Typed::of(c.ty, extents) }
}
