//! Expressions that are more than one expression of the IR.
//!
//! ```text
//! a(i) + 2*b(i)          nothing before it
//! a(i) + f(b(i))         t = f(b(i)) before it: a value in a register
//! a(i) + f(b(i) + 1)     memory for the argument, too
//! ```
//!
//! FORALL and WHERE evaluate their expressions for many index values or elements. One that needs nothing can stand in
//! the IR's FORALL and WHERE as it is; the others are written out as loops.

use crate::constant::eval::const_eval;
use crate::intrinsic::{Inquiry, Intrinsic, Rule, Special};
use crate::scope::symbol::{ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind};
use crate::typed::call::{Passing, Site};
use crate::typed::{Typed, Typing};
use smallvec::SmallVec;
use trueline_ir::Type;
use trueline_syntax::Name;
use trueline_syntax::ast::{
    Arg, ArgList, ArgValue, BinaryOp, ExprId, ExprKind, ForallHeader, StmtId, StmtKind, WhereConstruct,
};

/// The code that has to run before an expression can be evaluated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Needs {
    /// None: it is one expression.
    Nothing,
    /// Calls and assignments that leave values in registers.
    Values,
    /// Code that stores into memory, or branches.
    Memory,
}

fn is_text(t: &Typed) -> bool {
    t.ty == Type::Char && t.structure.is_none()
}

impl Site<'_, '_> {
    /// The code before an assignment of `value` to `target`. `checked`: subscripts are checked at run time.
    pub fn assignment_needs(&mut self, target: ExprId, value: ExprId, checked: bool) -> Needs {
        // The extents of the two are compared at run time, unless they are known.
        let is_known = |t: Option<Typed>| t.is_none_or(|t| t.extents.iter().all(|n| n.is_some()));
        let is_array = self.typing.of(value).is_some_and(|t| t.rank() > 0);
        if checked && is_array && !(is_known(self.typing.of(target)) && is_known(self.typing.of(value))) {
            return Needs::Memory;
        }
        self.needs(target, checked).max(self.needs(value, checked))
    }

    /// Whether an assignment in a FORALL needs more for each index value than registers and calls before it. The FORALL
    /// stands here.
    pub fn forall_needs_memory(&mut self, h: &ForallHeader, body: &[StmtId], checked: bool) -> bool {
        self.in_forall(h, |inside| body.iter().any(|&s| inside.statement_needs_memory(s, checked)))
    }

    /// Whether the assignment of a FORALL, which stands here, is one of scalars that needs no code before it but checks.
    pub fn forall_needs_nothing(&mut self, h: &ForallHeader, target: ExprId, value: ExprId) -> bool {
        self.in_forall(h, |inside| {
            let is_scalar = |t: Option<Typed>| t.is_some_and(|t| t.rank() == 0 && t.is_plain());
            is_scalar(inside.typing.of(target))
                && is_scalar(inside.typing.of(value))
                && inside.typing.assigning_procedure(target, value).is_none()
                && inside.assignment_needs(target, value, false) == Needs::Nothing
        })
    }

    /// The answer to a question where the indices of a FORALL have values.
    fn in_forall<T>(&mut self, h: &ForallHeader, ask: impl FnOnce(&mut Site<'_, '_>) -> T) -> T {
        let indices = h.triplets.iter().filter_map(|t| self.typing.resolve(t.index.name));
        let values: SmallVec<[SymbolId; 8]> = self.values.iter().copied().chain(indices).collect();
        let mut inside = Site {
            decls: self.decls,
            ast: self.ast,
            home: self.home,
            values: &values,
            active: self.active,
            typing: Typing::new(self.decls, self.typing.scope, self.typing.function, self.typing.known),
        };
        ask(&mut inside)
    }

    fn statement_needs_memory(&mut self, s: StmtId, checked: bool) -> bool {
        let ast = self.ast;
        match &ast.stmt(s).kind {
            StmtKind::Assign { target, value } => {
                self.typing.assigning_procedure(*target, *value).is_some()
                    || self.assignment_needs(*target, *value, checked) == Needs::Memory
            }
            StmtKind::ForallStmt { header, body } => self.inner_needs_memory(s, header, &[*body], checked),
            StmtKind::Forall(f) => self.inner_needs_memory(s, &f.header, ast.block(f.body), checked),
            StmtKind::WhereStmt { mask, body } => !self.where_stands_alone(*mask, &[*body], checked),
            StmtKind::Where(w) => !self.construct_stands_alone(w, checked),
            // The targets of all index values are found before the first POINTER is set.
            StmtKind::PointerAssign { .. } => true,
            _ => false,
        }
    }

    /// The same of a FORALL in a FORALL, whose indices may be its own.
    fn inner_needs_memory(&mut self, s: StmtId, h: &ForallHeader, body: &[StmtId], checked: bool) -> bool {
        let file = self.decls.scopes[self.typing.scope].ast;
        let scope = self.decls.construct_scopes[file].get(&s).copied().unwrap_or(self.typing.scope);
        let mut inside = Site {
            decls: self.decls,
            ast: self.ast,
            home: self.home,
            values: self.values,
            active: self.active,
            typing: Typing::new(self.decls, scope, self.typing.function, self.typing.known),
        };
        inside.forall_needs_memory(h, body, checked)
    }

    /// Whether the statements of a WHERE need nothing before them, and assign numbers and logical values only.
    pub fn stands_alone(&mut self, body: &[StmtId], checked: bool) -> bool {
        let ast = self.ast;
        body.iter().all(|&s| match &ast.stmt(s).kind {
            StmtKind::Assign { target, value } => {
                let is_plain = self.typing.of(*target).is_none_or(|t| t.is_plain());
                is_plain
                    && !(checked && self.has_unknown_extents(*target))
                    && self.typing.assigning_procedure(*target, *value).is_none()
                    && self.assignment_needs(*target, *value, checked) == Needs::Nothing
            }
            StmtKind::WhereStmt { mask, body } => self.where_stands_alone(*mask, &[*body], checked),
            StmtKind::Where(w) => self.construct_stands_alone(w, checked),
            _ => true,
        })
    }

    /// The same of a WHERE and its mask.
    pub fn where_stands_alone(&mut self, mask: ExprId, body: &[StmtId], checked: bool) -> bool {
        // The extents of mask and targets are compared at run time.
        !(checked && self.has_unknown_extents(mask))
            && self.needs(mask, checked) == Needs::Nothing
            && self.stands_alone(body, checked)
    }

    fn has_unknown_extents(&mut self, x: ExprId) -> bool {
        self.typing.of(x).is_some_and(|t| t.extents.iter().any(|n| n.is_none()))
    }

    /// The same of a construct.
    pub fn construct_stands_alone(&mut self, w: &WhereConstruct, checked: bool) -> bool {
        let ast = self.ast;
        self.where_stands_alone(w.mask, ast.block(w.body), checked)
            && w.arms.iter().all(|arm| match ast.stmt(arm.head).kind {
                StmtKind::Elsewhere { mask: Some(x) } => self.where_stands_alone(x, ast.block(arm.body), checked),
                _ => self.stands_alone(ast.block(arm.body), checked),
            })
    }

    /// The code before the expression `x`. If `x` has an error, any answer will do.
    pub fn needs(&mut self, x: ExprId, checked: bool) -> Needs {
        let ast = self.ast;
        if checked && !self.runs_unchecked(x) {
            return Needs::Memory;
        }
        match ast.expr(x).kind {
            ExprKind::Name(name) => self.name_needs(name),
            ExprKind::Paren(inner) => self.needs(inner, checked),
            ExprKind::Complex { re, im } => self.needs(re, checked).max(self.needs(im, checked)),
            ExprKind::Component { base, name } => self.component_needs(x, base, name, checked),
            ExprKind::Call { base, args } => self.applied_needs(x, base, args, checked),
            ExprKind::Unary { operand, .. } => match self.typing.defining_procedure(x) {
                Some((id, args)) => self.call_needs(id, &args, checked),
                None => self.needs(operand, checked),
            },
            ExprKind::Binary { op, left, right } => match self.typing.defining_procedure(x) {
                Some((id, args)) => self.call_needs(id, &args, checked),
                None => self.operation_needs(op, left, right, checked),
            },
            ExprKind::ArrayConstructor { ref ty, items } => {
                if const_eval(self.decls, self.typing.scope, x).is_ok() {
                    return Needs::Nothing;
                }
                let is_plain = ty.is_none() && self.typing.of(x).is_some_and(|t| t.is_plain());
                let items = ast.list(items);
                let has_loops = items.iter().any(|&i| matches!(ast.expr(i).kind, ExprKind::ImpliedDo(_)));
                if has_loops || !is_plain {
                    return Needs::Memory;
                }
                self.all_need(items.iter().copied(), checked)
            }
            _ => Needs::Nothing,
        }
    }

    /// Whether there is nothing to be checked in the expression at run time.
    fn runs_unchecked(&mut self, x: ExprId) -> bool {
        let ast = self.ast;
        match ast.expr(x).kind {
            ExprKind::Name(name) => match self.typing.resolve(name).map(|id| self.symbol(id)) {
                Some(s) => !s.is_indirect() && !s.attrs.optional,
                None => true,
            },
            ExprKind::Paren(inner) => self.runs_unchecked(inner),
            ExprKind::Int { .. } | ExprKind::Real { .. } | ExprKind::Logical { .. } | ExprKind::Char { .. } => true,
            _ => const_eval(self.decls, self.typing.scope, x).is_ok(),
        }
    }

    fn all_need(&mut self, all: impl Iterator<Item = ExprId>, checked: bool) -> Needs {
        all.map(|x| self.needs(x, checked)).max().unwrap_or(Needs::Nothing)
    }

    fn name_needs(&self, name: Name) -> Needs {
        let Some(s) = self.typing.resolve(name).map(|id| self.symbol(id)) else { return Needs::Nothing };
        match s.kind {
            SymbolKind::Variable if s.attrs.volatile => Needs::Memory,
            SymbolKind::Variable | SymbolKind::Parameter => Needs::Nothing,
            _ => Needs::Memory,
        }
    }

    fn component_needs(&mut self, x: ExprId, base: ExprId, name: Name, checked: bool) -> Needs {
        let is_structure = self.typing.of(base).is_some_and(|t| t.structure.is_some());
        let own = match self.ast.name(name) {
            "kind" | "len" if !is_structure => Needs::Values,
            _ if self.typing.indirection(x).is_some() => Needs::Values,
            _ => Needs::Nothing,
        };
        own.max(self.needs(base, checked))
    }

    fn operation_needs(&mut self, op: BinaryOp, left: ExprId, right: ExprId, checked: bool) -> Needs {
        let (a, b) = (self.needs(left, checked), self.needs(right, checked));
        match op {
            BinaryOp::Concat => Needs::Memory,
            // The right side is evaluated where the left does not decide.
            BinaryOp::And | BinaryOp::Or if b > Needs::Nothing => Needs::Memory,
            _ => {
                let compares = self.typing.of(left).is_some_and(|t| is_text(&t));
                let own = if compares { Needs::Values } else { Needs::Nothing };
                own.max(a).max(b)
            }
        }
    }

    /// `base(args)`.
    fn applied_needs(&mut self, x: ExprId, base: ExprId, args: ArgList, checked: bool) -> Needs {
        if let Some(interface) = self.typing.procedure_pointer(base) {
            return self.call_needs(interface, self.ast.args(args), checked).max(Needs::Values);
        }
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return self.part_needs(base, args, checked) };
        let Some(id) = self.typing.resolve(name) else {
            let row = crate::intrinsic::visible(self.ast.name(name));
            return row.map_or(Needs::Nothing, |row| self.intrinsic_needs(x, row, args, checked));
        };
        let s = self.symbol(id);
        match &s.kind {
            SymbolKind::Variable => self.part_needs(base, args, checked),
            SymbolKind::Parameter if const_eval(self.decls, self.typing.scope, x).is_ok() => Needs::Nothing,
            SymbolKind::Parameter => self.part_needs(base, args, checked),
            SymbolKind::Procedure(p) if p.class == ProcedureClass::Intrinsic => {
                let row = crate::intrinsic::lookup(&s.name);
                row.map_or(Needs::Memory, |row| self.intrinsic_needs(x, row, args, checked))
            }
            SymbolKind::Procedure(_) | SymbolKind::Generic(_) | SymbolKind::Unknown => {
                let list = self.ast.args(args);
                match self.typing.specific(id, list) {
                    Some(Some(id)) => self.call_needs(id, list, checked),
                    Some(None) => {
                        let row = crate::intrinsic::lookup(&s.name);
                        row.map_or(Needs::Memory, |row| self.intrinsic_needs(x, row, args, checked))
                    }
                    None => Needs::Nothing,
                }
            }
            SymbolKind::StatementFunction { dummies, body } => self.expanded_needs(s, dummies, *body, args, checked),
            _ => Needs::Memory,
        }
    }

    /// An element, section or substring.
    fn part_needs(&mut self, base: ExprId, args: ArgList, checked: bool) -> Needs {
        let own = match self.typing.indirection(base) {
            Some(_) if self.decls.options.checks.pointer => Needs::Memory,
            _ if checked && !self.is_within(base, args) => Needs::Memory,
            _ => Needs::Nothing,
        };
        own.max(self.needs(base, checked)).max(self.arguments_need(args, checked))
    }

    /// Whether subscripts are known to be within the bounds of a variable.
    fn is_within(&mut self, base: ExprId, args: ArgList) -> bool {
        let ast = self.ast;
        let ExprKind::Name(name) = ast.expr(base).kind else { return false };
        let Some(s) = self.typing.resolve(name).map(|id| self.symbol(id)).filter(|s| s.is_array()) else {
            return false;
        };
        s.shape.iter().zip(ast.args(args)).all(|(bounds, arg)| {
            let (Some(lower), Some(upper)) = (bounds.lower.known(), bounds.upper.known()) else {
                // A vector is not checked.
                return matches!(arg.value, ArgValue::Expr(x) if self.typing.of(x).is_some_and(|t| t.rank() > 0));
            };
            let mut within = |x: ExprId| self.typing.integer(x).is_some_and(|n| (lower..=upper).contains(&n));
            match arg.value {
                ArgValue::Expr(x) => within(x) || self.typing.of(x).is_some_and(|t| t.rank() > 0),
                ArgValue::Section { lo, hi, .. } => {
                    lo.expand().is_none_or(&mut within) && hi.expand().is_none_or(&mut within)
                }
                ArgValue::AltReturn(_) | ArgValue::Star => false,
            }
        })
    }

    fn arguments_need(&mut self, args: ArgList, checked: bool) -> Needs {
        let ast = self.ast;
        let parts = ast.args(args).iter().flat_map(|a| match a.value {
            ArgValue::Expr(x) => [Some(x), None, None],
            ArgValue::Section { lo, hi, step } => [lo.expand(), hi.expand(), step.expand()],
            ArgValue::AltReturn(_) | ArgValue::Star => [None; 3],
        });
        self.all_need(parts.flatten(), checked)
    }

    /// A statement function: its arguments are values in registers.
    fn expanded_needs(
        &mut self,
        s: &Symbol,
        dummies: &[SymbolId],
        body: ExprId,
        args: ArgList,
        checked: bool,
    ) -> Needs {
        let is_number = |&id: &SymbolId| self.symbol(id).ty != Some(Type::Char);
        if s.ty == Some(Type::Char) || !dummies.iter().all(is_number) {
            return Needs::Memory;
        }
        let own = if dummies.is_empty() { Needs::Nothing } else { Needs::Values };
        let given = self.arguments_need(args, checked);
        let function = self.decls.scopes[s.scope].own.iter().copied().find(|&id| std::ptr::eq(self.symbol(id), s));
        let mut inside = Site {
            decls: self.decls,
            ast: self.decls.ast(s.scope),
            home: self.home,
            values: dummies,
            active: self.active,
            typing: Typing::new(self.decls, s.scope, function, self.typing.known),
        };
        own.max(given).max(inside.needs(body, checked))
    }

    /// A function of the program: its result is in a register if it is a number, and arguments that are variables or
    /// elements are passed as they are.
    fn call_needs(&mut self, id: SymbolId, args: &[Arg], checked: bool) -> Needs {
        let s = self.symbol(id);
        let Some(p) = s.procedure().filter(|p| p.kind == ProcedureKind::Function) else { return Needs::Memory };
        let result = p.result.map_or(s, |r| self.symbol(r));
        let in_register = result.ty.or(s.ty) != Some(Type::Char) && !result.is_array() && !result.is_indirect();
        let Ok((ordered, _)) = self.matched(id, args, self.symbol(id).span) else { return Needs::Nothing };
        if !in_register || p.class == ProcedureClass::Dummy {
            return Needs::Memory;
        }
        let explicit = self.is_explicit(p);
        let mut needs = Needs::Values;
        for (actual, dummy) in ordered.iter().zip(&p.dummies) {
            let Some(ArgValue::Expr(x)) = actual.value else { return Needs::Memory };
            let passing = self.passing(x, *dummy, explicit, false);
            let of = self.typing.of(x);
            needs = needs.max(self.needs(x, checked));
            let is_whole =
                of.as_ref().is_none_or(|t| t.rank() == 0) || !matches!(self.ast.expr(x).kind, ExprKind::Call { .. });
            let over_elements = p.is_elemental && of.as_ref().is_some_and(|t| t.rank() > 0);
            match passing {
                Ok(Passing::Place) if is_whole && !over_elements => {}
                Ok(Passing::Value { .. }) if !over_elements => {}
                // A number is in a register.
                Ok(Passing::Copy { .. }) if of.is_some_and(|t| t.rank() == 0 && t.is_plain()) => {}
                _ => return Needs::Memory,
            }
        }
        needs
    }

    fn intrinsic_needs(&mut self, x: ExprId, row: &Intrinsic, args: ArgList, checked: bool) -> Needs {
        let given = self.arguments_need(args, checked);
        let mut has_text = self.typing.of(x).is_some_and(|t| !t.is_plain());
        for a in self.ast.args(args) {
            if let ArgValue::Expr(x) = a.value {
                has_text |= self.typing.of(x).is_some_and(|t| !t.is_plain());
            }
        }
        // Functions of texts, and of the library, are called with constants, too.
        let may_be_called = has_text || matches!(row.rule, Rule::Library(_));
        if !may_be_called && const_eval(self.decls, self.typing.scope, x).is_ok() {
            return Needs::Nothing;
        }
        let own = match row.rule {
            Rule::Model(_) => return Needs::Nothing,
            Rule::Inquiry(Inquiry::Size | Inquiry::Lbound | Inquiry::Ubound | Inquiry::Shape | Inquiry::Rank) => {
                Needs::Nothing
            }
            Rule::Inquiry(Inquiry::Len | Inquiry::Present) => Needs::Nothing,
            Rule::Inquiry(_) => Needs::Memory,
            Rule::Special(Special::Index | Special::Scan | Special::Verify | Special::LenTrim) => Needs::Values,
            Rule::Special(Special::LexCompare(_)) => Needs::Values,
            Rule::Special(Special::Ichar) if self.typing.of(x).is_some_and(|t| t.rank() == 0) => Needs::Nothing,
            _ if has_text => Needs::Memory,
            Rule::Special(Special::Transfer | Special::Findloc | Special::CommandArgumentCount) => Needs::Memory,
            Rule::Special(Special::Processors | Special::ProcessorsShape) if self.decls.options.hpf => Needs::Memory,
            Rule::Library(_) | Rule::Subroutine(_) => Needs::Memory,
            _ => Needs::Nothing,
        };
        own.max(given)
    }
}
