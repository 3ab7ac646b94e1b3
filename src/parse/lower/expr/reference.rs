//! References: names, elements, sections, substrings, and which kind of thing `name(...)` is.

use crate::expr::Exprs;
use crate::source::Source;
use crate::values::{Binding, Checked, Val, refused};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{Dim, Expr, ExprData, Storage, Sym, SymData, Type};
use trueline_sema::constant::{Const, ConstArray, Scalar};
use trueline_sema::scope::symbol::{ProcedureClass, SymbolId, SymbolKind};
use trueline_syntax::ast::{ArgList, ArgValue, ExprId, ExprKind};

/// Statement functions may be expanded so often in one procedure. They can use each other, so the
/// whole can be exponential in the text.
const MAX_EXPANSIONS: usize = 100_000;

/// Statement functions may use others to this depth, each of which may be as deep as an expression.
const MAX_EXPANSION_DEPTH: usize = 50;

impl Exprs<'_> {
    /// A name, or a name with parentheses, as a value.
    pub(crate) fn reference(&mut self, x: ExprId) -> Val {
        let v = self.designator(x);
        if let ExprData::Var(sym) = self.e.expr(v.e)
            && self.sym(sym).dims.last().is_some_and(|d| d.upper.is_none())
        {
            refused();
        }
        v
    }

    /// The same where a whole assumed-size array may stand (an actual argument, an inquiry).
    pub(crate) fn designator(&mut self, x: ExprId) -> Val {
        if let Some(v) = self.found_before(x) {
            return v;
        }
        let v = self.any_designator(x);
        #[cfg(test)]
        self.compare(x, v);
        v
    }

    fn any_designator(&mut self, x: ExprId) -> Val {
        let span = self.ast.span(x);
        match self.ast.expr(x).kind.clone() {
            ExprKind::Name(name) => {
                let id = self.resolve_at(name);
                self.named(id, span)
            }
            ExprKind::Call { base, args } => self.applied(x, base, args),
            ExprKind::Component { base, name } => self.component(base, name),
            ExprKind::Char { .. } => self.expr(x),
            _ => self.expr(x),
        }
    }

    fn named(&mut self, id: SymbolId, span: Span) -> Val {
        let s = self.symbol(id);
        match &s.kind {
            SymbolKind::Variable => self.variable(id, span),
            SymbolKind::Parameter if s.structure.is_some() => self.named_structure(id),
            SymbolKind::Parameter => match &s.value {
                Some(c @ Const::Scalar(_)) => self.const_value(c),
                Some(Const::Array(a)) => {
                    let a = a.clone();
                    self.constant_array(Some(id), &a)
                }
                None => refused(),
            },
            SymbolKind::Procedure(_) if self.bindings.contains_key(&id) => self.variable(id, span),
            _ => refused(),
        }
    }

    /// `base(args)`.
    fn applied(&mut self, x: ExprId, base: ExprId, args: ArgList) -> Val {
        let span = self.ast.span(x);
        if let ExprKind::Component { base: inner, name } = self.ast.expr(base).kind {
            return self.subscripted_component(x, base, (inner, name), args);
        }
        let ExprKind::Name(name) = self.ast.expr(base).kind else {
            let string = self.string_around(base);
            return self.substring_of(x, string, args);
        };
        let text = self.ast.name(name);
        let Some(id) = self.resolve(name) else {
            if let Some(row) = trueline_sema::intrinsic::visible(text) {
                return crate::intrinsic::call(self, x, row, args);
            }
            self.resolve_at(name);
            refused();
        };
        if let Some(p) = self.procedure_pointer(base) {
            return self.call_pointer_function(span, p, args);
        }
        let s = self.symbol(id);
        if let Some(a) = self.associated(id) {
            return match a.value {
                v if self.rank(v.e) > 0 => self.subscripted(x, id, v, args),
                Val { len: Some(_), .. } if self.is_range(args) => {
                    let string = self.string(base);
                    self.substring_of(x, string, args)
                }
                _ => refused(),
            };
        }
        match &s.kind {
            SymbolKind::Variable if s.is_array() => {
                let v = self.variable(id, span);
                self.subscripted(x, id, v, args)
            }
            SymbolKind::Parameter if s.is_array() && s.structure.is_some() => {
                let v = self.named_structure(id);
                self.subscripted(x, id, v, args)
            }
            SymbolKind::Parameter if s.is_array() => self.constant_element(x, id, args),
            SymbolKind::DerivedType(structure) => {
                let ast = self.ast;
                let functions = &self.cx.decls.structures[*structure].constructors;
                match self.typing().fitting(functions, ast.args(args)) {
                    Some(function) => self.call_function(span, function, self.ast.args(args)),
                    None => self.constructor_of(x, *structure, args),
                }
            }
            SymbolKind::Variable | SymbolKind::Parameter if s.is_character() && self.is_range(args) => {
                let string = self.string_around(base);
                self.substring_of(x, string, args)
            }
            SymbolKind::Procedure(p) if p.class == ProcedureClass::Intrinsic => {
                match trueline_sema::intrinsic::lookup(&s.name) {
                    Some(row) => crate::intrinsic::call(self, x, row, args),
                    None => refused(),
                }
            }
            SymbolKind::Procedure(_) | SymbolKind::Generic(_) | SymbolKind::Unknown => {
                self.function_reference(x, id, args)
            }
            SymbolKind::StatementFunction { .. } => self.statement_function(id, args),
            _ => refused(),
        }
    }

    /// The string that a substring is part of. Whether its value is read, the substring says.
    fn string_around(&mut self, base: ExprId) -> crate::values::Str {
        if !matches!(self.ast.expr(base).kind, ExprKind::Name(_) | ExprKind::Call { .. }) {
            return self.string(base);
        }
        let v = self.reference(base);
        self.check_whole(base, v.e);
        self.as_str(v).checked()
    }

    pub(crate) fn substring_of(&mut self, x: ExprId, string: crate::values::Str, args: ArgList) -> Val {
        let Some((ArgValue::Section { lo, hi, step }, _)) = self.single_arg(args) else {
            refused();
        };
        if step.is_some() {
            refused();
        }
        let own = self.ast.span(x);
        let ends = [lo, hi].map(|end| end.expand().map_or(own, |end| self.ast.span(end)));
        let lo = lo.expand().map(|x| self.integer(x));
        let hi = hi.expand().map(|x| self.integer(x));
        let name = self.name_at(x);
        self.check_substring(&name, string, [lo, hi], ends);
        self.substring(string, lo, hi).into()
    }

    /// An element or section of an array.
    fn subscripted(&mut self, x: ExprId, id: SymbolId, array: Val, args: ArgList) -> Val {
        let e = match self.e.expr(array.e) {
            ExprData::Var(sym) => self.subscript_list(x, id, sym, args),
            ExprData::Substr(base, lo, hi) => {
                let base = self.subscripted(x, id, Val::plain(base), args).e;
                self.make(ExprData::Substr(base, lo, hi))
            }
            // A section that a name is associated with.
            ExprData::Section(..) => {
                let one = self.int8(1);
                let shape = self.shape(array.e);
                let dims: SmallVec<[Dim; 4]> = shape.iter().map(|&n| Dim::new(one, n)).collect();
                let s = self.symbol(id);
                let subs = self.subscripts(&dims, s.ty == Some(Type::Char), args);
                let base = self.array_of(x);
                self.check_within(base, &dims, args, &subs);
                self.composed(array.e, &subs)
            }
            _ => refused(),
        };
        Val { e, len: array.len }
    }

    /// The array that `x` is an element or section of.
    fn array_of(&self, x: ExprId) -> ExprId {
        match self.ast.expr(x).kind {
            ExprKind::Call { base, .. } => base,
            _ => x,
        }
    }

    fn subscript_list(&mut self, x: ExprId, id: SymbolId, sym: Sym, args: ArgList) -> Expr {
        let dims: SmallVec<[Dim; 4]> = self.sym(sym).dims.iter().copied().collect();
        let s = self.symbol(id);
        let subs = self.subscripts(&dims, s.ty == Some(Type::Char), args);
        let array = self.array_of(x);
        self.check_subscripts(array, sym, args, &subs);
        let list = self.b.list(&subs);
        let is_element = subs.iter().all(|&s| self.rank(s) == 0);
        self.make(if is_element { ExprData::Elem(sym, list) } else { ExprData::Section(sym, list) })
    }

    /// The subscripts, one for each dimension; `moves`: the array is moved element by element.
    pub(crate) fn subscripts(&mut self, dims: &[Dim], moves: bool, args: ArgList) -> SmallVec<[Expr; 4]> {
        let (rank, ast) = (dims.len(), self.ast);
        if args.len() != rank || ast.args(args).iter().any(|a| a.keyword.is_some()) {
            refused();
        }
        let mut subs: SmallVec<[Expr; 4]> = SmallVec::new();
        for (arg, &dim) in ast.args(args).iter().zip(dims) {
            let sub = self.subscript(arg.value, dim);
            // Characters are moved element by element, here.
            let moved = moves && self.rank(sub) > 0 && !self.has_elements(sub);
            subs.push(if moved { self.in_memory(sub) } else { sub });
        }
        subs
    }

    fn subscript(&mut self, value: ArgValue, dim: Dim) -> Expr {
        match value {
            ArgValue::Expr(x) => {
                let e = self.value(x);
                let e = self.as_index(e);
                if self.rank(e) > 1 { refused() } else { e }
            }
            ArgValue::Section { lo, hi, step } => {
                let lo = lo.expand().map(|x| self.index(x));
                let hi = hi.expand().map(|x| self.index(x));
                let step = step.expand().map(|x| self.index(x));
                if step.is_some_and(|e| self.known(e) == Some(0)) {
                    refused();
                }
                let hi = hi.or(dim.upper.expand()).checked();
                let one = self.int8(1);
                let step = step.unwrap_or(one);
                self.make(ExprData::Triplet(lo.unwrap_or(dim.lower), hi, step))
            }
            ArgValue::AltReturn(_) | ArgValue::Star => refused(),
        }
    }

    /// An element or section of a named constant.
    fn constant_element(&mut self, x: ExprId, id: SymbolId, args: ArgList) -> Val {
        let Some(Const::Array(a)) = self.symbol(id).value.clone() else { refused() };
        let whole = self.constant_array(Some(id), &a);
        let v = self.subscripted(x, id, whole, args);
        if let Some(c) = self.constant_at(&a, v.e) {
            return self.scalar_value(&c);
        }
        if let ExprData::Elem(_, subs) = self.e.expr(v.e)
            && self.list(subs).iter().all(|&s| self.known(s).is_some())
        {
            refused();
        }
        v
    }

    /// A statement function, expanded with its arguments in registers.
    fn statement_function(&mut self, id: SymbolId, args: ArgList) -> Val {
        let s = self.symbol(id);
        let SymbolKind::StatementFunction { dummies, body } = &s.kind else { refused() };
        if args.len() != dummies.len() {
            refused();
        }
        if self.expanding.contains(&id) {
            refused();
        }
        self.expansions += 1;
        if self.expansions > MAX_EXPANSIONS || self.expanding.len() > MAX_EXPANSION_DEPTH {
            refused();
        }
        let mut bound = Vec::new();
        for (arg, &dummy) in self.ast.args(args).to_vec().into_iter().zip(dummies) {
            let (None, ArgValue::Expr(x)) = (arg.keyword, arg.value) else {
                refused();
            };
            bound.push((dummy, self.bound_argument(x, dummy)));
        }
        let count = bound.len();
        let floor = self.hidden.close();
        self.hidden.extend(bound);
        self.expanding.push(id);
        let outer = (self.scope, self.ast);
        (self.scope, self.ast) = (s.scope, self.cx.decls.ast(s.scope));
        let v = self.expr(*body);
        (self.scope, self.ast) = outer;
        self.expanding.pop();
        self.hidden.restore(floor);
        self.hidden.drop_last(count);
        self.as_type_of(id, v)
    }

    /// An argument of a statement function as its dummy's type and length has it.
    fn bound_argument(&mut self, x: ExprId, dummy: SymbolId) -> Val {
        let v = self.expr(x);
        self.must_be_scalar(v.e);
        let v = self.as_type_of(dummy, v);
        match self.as_str(v) {
            Some(_) => v,
            None if self.structure_at(v.e).is_some() => v,
            None => Val::plain(self.in_register(v.e)),
        }
    }
}

impl Variables<'_> {
    /// A named constant of derived type: static memory.
    fn named_structure(&mut self, id: SymbolId) -> Val {
        let s = self.symbol(id);
        let (Some(structure), Some(value)) = (s.structure, s.value.clone()) else { refused() };
        if let Some(b) = self.bindings.get(&id) {
            let sym = b.sym;
            return Val::plain(self.var(sym));
        }
        let v = self.constant_structure(structure, &value);
        if let ExprData::Var(sym) = self.e.expr(v.e) {
            self.bindings.insert(id, Binding { sym, descriptor: None });
        }
        v
    }

    /// A constant array in static memory; named constants are there once.
    pub(crate) fn constant_array(&mut self, id: Option<SymbolId>, a: &ConstArray) -> Val {
        if let Some(b) = id.and_then(|id| self.bindings.get(&id)) {
            let sym = b.sym;
            let len = self.sym(sym).len.expand();
            return Val { e: self.var(sym), len };
        }
        let mut init = Vec::new();
        for v in &a.values {
            init.extend(v.bytes(a.ty, a.len).unwrap_or_default());
        }
        let area = self.constant_area(init);
        let dims = a.shape.iter().map(|&(lower, extent)| {
            let (lower, upper) = (lower, lower + extent - 1);
            Dim::new(self.e.int8(lower), self.e.int8(upper))
        });
        let dims = dims.collect();
        let len = (a.ty == Type::Char).then(|| self.int8(a.len as i64));
        let name = id.map_or_else(|| "constant".to_owned(), |id| self.symbol(id).name.clone());
        let storage = Storage::Static { area, offset: 0 };
        let sym = self.b.sym(SymData { dims, len: len.into(), ..SymData::scalar(name, a.ty, storage) });
        if let Some(id) = id {
            self.bindings.insert(id, Binding { sym, descriptor: None });
        }
        Val { e: self.var(sym), len }
    }
}

impl Source<'_> {
    /// Whether the arguments are a range as in a substring.
    fn is_range(&self, args: ArgList) -> bool {
        matches!(self.single_arg(args), Some((ArgValue::Section { .. }, _)))
    }

    fn constant_at(&self, a: &ConstArray, e: Expr) -> Option<Scalar> {
        let ExprData::Elem(_, subs) = self.e.expr(e) else { return None };
        let mut index = 0usize;
        let mut stride = 1usize;
        for (&sub, &(lower, extent)) in self.list(subs).iter().zip(&a.shape) {
            let at = usize::try_from(self.known(sub)?.checked_sub(lower)?).ok()?;
            if at as i64 >= extent {
                return None;
            }
            index += at * stride;
            stride *= extent as usize;
        }
        a.values.get(index).cloned()
    }
}

impl Variables<'_> {
    /// `v` converted to the type (and character length) of the symbol.
    fn as_type_of(&mut self, id: SymbolId, v: Val) -> Val {
        let s = self.symbol(id);
        if let (Some(a), Some(b)) = (s.structure, self.structure_at(v.e))
            && self.same_type(a, b)
        {
            return v;
        }
        let Some(ty) = s.ty else { refused() };
        match (self.as_str(v), ty) {
            (Some(from), Type::Char) => match s.len.known() {
                Some(n) if self.known(from.len) != Some(n) => {
                    let n = self.int8(n);
                    let to = self.str_temp(n, &[]);
                    self.assign_str(to, from);
                    to.into()
                }
                _ => v,
            },
            (None, ty) if ty != Type::Char => Val::plain(self.converted(ty, v.e)),
            _ => refused(),
        }
    }
}
