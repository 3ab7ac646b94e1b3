//! Procedures with ENTRY statements: a unit for the body, and one for each name it is called by.
//!
//! ```text
//! subroutine a(x)             a.entries(which, x, n)           a(x):  call a.entries(0, &x, &unused)
//!   …                     =>    goto (10), which
//! entry b(n)                    …
//!   …                        10 …                              b(n):  call a.entries(1, &unused, &n)
//! ```
//!
//! The unit of a name passes on its own arguments, and unused memory in place of the arguments of other names.

use crate::control::Body;
use crate::expr::Exprs;
use crate::symbols::{Extra, extras};
use crate::values::{Binding, Descriptor, refused};
use crate::variables::Variables;
use crate::{Context, Lower};
use trueline_ir::{
    Access, BinaryOp, Builder, Callee, Expr, ExprData, Head, Intent, ProcData, Storage, Sym, Type, UnitKind,
};
use trueline_provenance::Serial;
use trueline_sema::declare::entry;
use trueline_sema::scope::symbol::{Extent, Home, Procedure, ProcedureKind, Symbol, SymbolId, SymbolKind};
use trueline_sema::scope::{Declarations, ScopeId};
use trueline_sema::storage::results::{self, Sharing, names};
use trueline_sema::typed::Types;
use trueline_sema::types::kinds::Category;
use trueline_syntax::ast::{ExprId, ExprKind, StmtId, UnitId};

/// The names of a procedure that a unit may be called by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CalledBy {
    /// All of them: the procedure has no ENTRY statements.
    Any,
    /// One, by its number: the unit of a name.
    One(usize),
    /// The one whose number this parameter has: the body.
    Selected(Sym),
}

/// The linker symbol of the body.
pub(crate) fn body_symbol(p: &Procedure) -> String {
    format!("{}.entries", p.linker)
}

/// The kind of the body: results of several types are in static memory, and it returns none.
pub(crate) fn body_kind(decls: &Declarations<'_>, scope: ScopeId) -> UnitKind {
    match results::sharing(decls, scope) {
        Sharing::Register | Sharing::Caller => UnitKind::Function,
        Sharing::None | Sharing::Static => UnitKind::Subroutine,
    }
}

/// The units of the names of a procedure with ENTRY statements; none for others.
pub(crate) fn entry_points(cx: &Context<'_>, scope: ScopeId, id: UnitId) -> Vec<trueline_ir::Unit> {
    let s = &cx.decls.scopes[scope];
    if s.entries.is_empty() {
        return Vec::new();
    }
    let header = s.symbol.and_then(|own| Some((own, cx.serials.of_header(s.ast, id)?)));
    let further = s.entries.iter().filter_map(|&(stmt, own)| Some((own, cx.serials.of_stmt(s.ast, stmt)?)));
    header
        .into_iter()
        .chain(further)
        .enumerate()
        .filter_map(|(k, (own, serial))| entry_point(cx, scope, id, own, k, serial))
        .collect()
}

fn entry_point(
    cx: &Context<'_>,
    scope: ScopeId,
    id: UnitId,
    own: SymbolId,
    number: usize,
    serial: Serial,
) -> Option<trueline_ir::Unit> {
    let own = &cx.decls.symbols[own];
    let p = own.procedure()?;
    let kind = match p.kind {
        ProcedureKind::Function => UnitKind::Function,
        _ => UnitKind::Subroutine,
    };
    let builder = Builder::new(&own.name, &p.linker, kind, serial);
    let mut lower = Lower::new(cx, scope, id, builder, Types::default());
    lower.set_source_at(serial, own.span);
    lower.called_by = CalledBy::One(number);
    lower.declare_parameters(own);
    lower.take_notes(own);
    lower.pass_on(own, p, number);
    lower.e.push(Head::Return);
    Some(lower.finish())
}

/// The body.
impl Lower<'_> {
    /// The parameters of a body with entries; gives the one that says where to begin. None without entries.
    pub(crate) fn declare_entries(&mut self, own: &Symbol) -> Option<Sym> {
        let decls = self.cx.decls;
        if decls.scopes[self.home].entries.is_empty() {
            return None;
        }
        let selector =
            self.e.b.sym(trueline_ir::SymData::scalar("entry".to_owned(), Type::I4, Storage::Value { index: 0 }));
        self.e.b.push_param(selector);
        self.called_by = CalledBy::Selected(selector);
        let mut all = own.clone();
        if let SymbolKind::Procedure(p) = &mut all.kind {
            p.dummies = entry::all_dummies(decls, self.home);
        }
        self.declare_parameters(&all);
        self.share_result();
        Some(selector)
    }

    /// Makes the results of all names one variable, unless they are in static memory.
    fn share_result(&mut self) {
        let decls = self.cx.decls;
        let results = results::results(decls, self.home);
        let Some(&first) = results.first() else { return };
        if results::sharing(decls, self.home) == Sharing::Static {
            return;
        }
        let s = self.symbol(first);
        if s.is_indirect() && !self.bindings.contains_key(&first) {
            self.declare_allocatable(first);
        }
        let binding = self.binding(first, s.span);
        for &r in &results[1..] {
            let own = self.same_memory(r, binding.clone());
            self.bindings.insert(r, own);
        }
    }

    /// The result `id` in the memory of that of the function: a CHARACTER one may have another length.
    fn same_memory(&mut self, id: SymbolId, of: Binding) -> Binding {
        let s = self.symbol(id);
        let data = self.e.sym(of.sym);
        if !s.is_character()
            || of.descriptor.is_some()
            || data.len.expand().and_then(|e| self.known(e)) == s.len.known()
        {
            return of;
        }
        let mut data = data.clone();
        let len = match s.len.known() {
            Some(n) => self.int8(n),
            None => self.hidden_length(),
        };
        data.storage = crate::expr::component::part_storage(of.sym, data.storage, 0);
        data.name.clone_from(&s.name);
        data.len = Some(len).into();
        Binding { sym: self.e.b.sym(data), descriptor: None }
    }

    /// Begins at the entry that the call names.
    pub(crate) fn jump_to_entry(&mut self, selector: Sym) {
        let entries: Vec<StmtId> = self.cx.decls.scopes[self.home].entries.iter().map(|e| e.0).collect();
        let mut labels = Vec::with_capacity(entries.len());
        for s in entries {
            let label = self.b.label();
            self.entries.insert(s, label);
            labels.push(label);
        }
        let table = self.b.jump_table(&labels);
        let index = self.var(selector);
        self.push(Head::GotoTable { index, table });
        // An ENTRY between the declarations begins where the body does.
        for &s in &self.ast.units[self.unit].spec {
            if let Some(&label) = self.entries.get(&s) {
                self.push(Head::Label(label));
            }
        }
    }
}

/// Bounds and lengths that mention arguments of some names only.
impl Exprs<'_> {
    /// The value of a bound or a length of a declaration. It is 1 where the procedure is called by a name without the
    /// arguments that `x` mentions: the variable must not be used then.
    pub(crate) fn bound_at_entry(&mut self, x: ExprId) -> Expr {
        if self.called_by == CalledBy::Any {
            return self.integer(x);
        }
        let numbers = self.names_that_pass(x);
        match self.called_by {
            CalledBy::One(own) if !numbers.contains(&own) => self.int8(1),
            CalledBy::Selected(selector) if numbers.len() < names(self.cx.decls, self.home).len() => {
                self.bound_by_name(x, selector, &numbers)
            }
            _ => self.integer(x),
        }
    }

    /// The value of `x` if the procedure is called by one of the names with these `numbers`, else 1.
    fn bound_by_name(&mut self, x: ExprId, selector: Sym, numbers: &[usize]) -> Expr {
        let bound = self.register("bound", Type::I8);
        let one = self.int8(1);
        self.e.set(bound, one);
        let mut is_passed = None;
        for &k in numbers {
            let (which, number) = (self.var(selector), self.int4(k as i64));
            let is_own = self.make(ExprData::Binary(BinaryOp::Eq, which, number));
            is_passed = Some(match is_passed {
                Some(earlier) => self.make(ExprData::Binary(BinaryOp::Or, earlier, is_own)),
                None => is_own,
            });
        }
        if let Some(cond) = is_passed {
            let (outer, _) = self.open_if(cond);
            let temps = self.open_temps();
            let value = self.integer(x);
            self.e.set(bound, value);
            self.close_temps(temps);
            self.enter(outer);
        }
        self.var(bound)
    }
}

/// The names of bounds.
impl Variables<'_> {
    /// Whether the name that the unit stands for passes all arguments that the bounds of `s` mention, so that they are not 1 in place of their values.
    pub(crate) fn has_known_bounds(&self, s: &Symbol) -> bool {
        let CalledBy::One(own) = self.called_by else { return true };
        let extents = s.shape.iter().flat_map(|b| [b.lower, b.upper]);
        extents.into_iter().all(|e| match e {
            Extent::Entry(x) => self.names_that_pass(x).contains(&own),
            _ => true,
        })
    }

    /// The numbers of the names that pass all dummy arguments that `x` mentions. In the body a number that is not passed
    /// is there as well ([`Lower::pass_nothing`]).
    fn names_that_pass(&self, x: ExprId) -> Vec<usize> {
        let (decls, scope, home) = (self.cx.decls, self.scope, self.home);
        let is_body = matches!(self.called_by, CalledBy::Selected(_));
        let ast = decls.ast(scope);
        let mut needed: Vec<SymbolId> = Vec::new();
        trueline_sema::visit::expressions(ast, x, &mut |x| {
            if let ExprKind::Name(name) = ast.expr(x).kind {
                needed.extend(decls.named(scope, name).filter(|&id| {
                    let s = &decls.symbols[id];
                    let is_dummy = s.scope == home && (s.procedure().is_some() || matches!(s.home, Home::Dummy { .. }));
                    is_dummy && !(is_body && is_plain_integer(s))
                }));
            }
        });
        let all = entry::all_dummies(decls, home);
        needed.retain(|&id| all.contains(&Some(id)));
        let passes = |id: &SymbolId| {
            let p = decls.symbols[*id].procedure();
            p.is_some_and(|p| needed.iter().all(|&d| p.dummies.contains(&Some(d))))
        };
        let names = names(decls, home);
        (0..names.len()).filter(|&k| passes(&names[k])).collect()
    }
}

/// Whether a dummy argument is a number that bounds may be computed of without looking who calls.
fn is_plain_integer(s: &Symbol) -> bool {
    let is_scalar = s.procedure().is_none() && s.shape.is_empty() && !s.is_indirect();
    is_scalar && s.ty.is_some_and(|ty| Category::of(ty) == Category::Integer)
}

/// The unit of a name.
impl Lower<'_> {
    /// Calls the body with the arguments of this name, and passes its result on.
    fn pass_on(&mut self, own: &Symbol, p: &Procedure, number: usize) {
        let decls = self.cx.decls;
        let sharing = results::sharing(decls, self.home);
        let mut out = crate::call::Arguments::default();
        out.list.push(self.int4(number as i64));
        if let (Sharing::Caller, Some(result)) = (sharing, p.result) {
            let binding = self.binding(result, own.span);
            let place = match &binding.descriptor {
                Some(d) => self.first_word(d, self.symbol(result).rank()),
                None => self.var(binding.sym),
            };
            let address = self.address(if binding.descriptor.is_some() { Access::InOut } else { Access::Out }, place);
            out.list.push(address);
            if self.symbol(result).is_character() {
                let len = match binding.descriptor.and_then(|d| d.len.and(d.memory.last().copied())) {
                    Some(place) => self.address(Access::InOut, place),
                    None => self.hidden_length(),
                };
                out.list.push(len);
            }
        }
        let dummies = entry::all_dummies(decls, self.home);
        let mut alternate = false;
        for dummy in dummies {
            match dummy {
                Some(d) if p.dummies.contains(&Some(d)) => self.pass_dummy(d, &mut out),
                Some(d) => self.pass_nothing(d, &mut out),
                None => alternate = true,
            }
        }
        out.list.append(&mut out.lengths);
        out.list.append(&mut out.further);
        self.call_body(p, out.list, sharing, alternate)
    }

    /// The length that the caller passes of a CHARACTER result: the parameter after the memory of the result, before which
    /// the body has the one that says where to begin.
    fn hidden_length(&mut self) -> trueline_ir::Expr {
        let at = if self.e.b.params().first().is_some_and(|&p| self.e.sym(p).ty == Type::I4) { 2 } else { 1 };
        let sym = self.e.b.params()[at];
        self.var(sym)
    }

    /// The first word of a descriptor in memory.
    fn first_word(&mut self, d: &Descriptor, rank: usize) -> trueline_ir::Expr {
        match d.words.clone() {
            Some(words) => self.word(&words, 0, rank),
            None => self.var(d.base),
        }
    }

    fn call_body(&mut self, p: &Procedure, args: Vec<trueline_ir::Expr>, sharing: Sharing, alternate: bool) {
        let decls = self.cx.decls;
        let header = decls.scopes[self.home].symbol.map(|id| &decls.symbols[id]);
        let Some(body) = header.and_then(|h| h.procedure()) else { refused() };
        let own = match p.result {
            Some(r) if matches!(sharing, Sharing::Register | Sharing::Static) => {
                let s = self.symbol(r);
                let ty = if s.is_indirect() { Type::I8 } else { s.ty.unwrap_or(Type::I4) };
                Some(self.register(&s.name, ty))
            }
            _ => alternate.then(|| self.register("alternate", Type::I4)),
        };
        let result = own.filter(|_| sharing != Sharing::Static);
        let data = ProcData {
            symbol: body_symbol(body),
            name: header.map_or_else(String::new, |h| h.name.clone()),
            result: result.map(|r| self.e.sym(r).ty),
            is_pure: false,
            always_returns: self.cx.facts.always_returns(self.home),
            is_libm: false,
        };
        let callee = self.b.proc(data);
        let args = self.b.list(&args);
        self.push(Head::Call { callee: Callee::Proc(callee), args, result: result.into() });
        let Some(register) = own else { return };
        if let (Sharing::Static, Some(r)) = (sharing, p.result) {
            let span = self.symbol(r).span;
            let place = self.binding(r, span).sym;
            let value = self.var(place);
            self.set(register, value);
        }
        // A subroutine passes a code on only if its caller looks at one.
        if p.result.is_some() || p.dummies.iter().any(Option::is_none) {
            self.b.set_result(register);
        }
    }

    /// A dummy argument of this name.
    fn pass_dummy(&mut self, id: SymbolId, out: &mut crate::call::Arguments) {
        let s = self.symbol(id);
        let binding = self.binding(id, s.span);
        let v = self.whole_symbol(binding.sym);
        if self.pass_value(id, v, out) {
            self.pass_extras(id, binding.sym, out);
            return;
        }
        if let Some(d) = binding.descriptor {
            self.pass_descriptor(id, binding.sym, &d, out);
            return;
        }
        let sym = binding.sym;
        let place = self.var(sym);
        if s.procedure().is_some() || s.ty.is_none() || (s.attrs.value && s.shape.is_empty()) {
            out.list.push(place);
            self.pass_extras(id, sym, out);
            return;
        }
        let access = match s.intent {
            Intent::In => Access::In,
            Intent::Out if s.shape.is_empty() => Access::Out,
            _ => Access::InOut,
        };
        let address = self.address(access, place);
        out.list.push(address);
        if s.is_character() {
            let zero = self.int8(0);
            let len = self.e.sym(sym).len.expand().unwrap_or(zero);
            out.lengths.push(len);
        }
        self.pass_extras(id, sym, out);
    }

    /// The parts of a dummy argument that are passed beside its address or value.
    fn pass_extras(&mut self, id: SymbolId, sym: Sym, out: &mut crate::call::Arguments) {
        let s = self.symbol(id);
        if s.procedure().is_some() || s.ty.is_none() {
            return;
        }
        let place = self.var(sym);
        let shape = self.shape(place);
        for extra in extras(s) {
            let e = match extra {
                Extra::Extent(k) => shape.get(k).copied().unwrap_or_else(|| self.int8(0)),
                Extra::Stride(k) => {
                    let zero = self.int8(0);
                    self.e.sym(sym).dims[k].stride.expand().unwrap_or(zero)
                }
                Extra::Present => match self.present.get(&id).copied() {
                    Some(flag) => self.var(flag),
                    None => self.int8(1),
                },
            };
            out.further.push(e);
        }
    }

    /// A POINTER or ALLOCATABLE dummy argument: its descriptor is the caller's.
    fn pass_descriptor(&mut self, id: SymbolId, sym: Sym, d: &Descriptor, out: &mut crate::call::Arguments) {
        let s = self.symbol(id);
        let place = self.first_word(d, s.rank());
        let address = self.address(Access::InOut, place);
        out.list.push(address);
        if s.is_character() {
            let len = match d.len.and(d.memory.last().copied()) {
                Some(place) => self.address(Access::InOut, place),
                None => self.e.sym(sym).len.expand().unwrap_or(d.size),
            };
            out.lengths.push(len);
        }
        if let Some(&flag) = self.present.get(&id) {
            let flag = self.var(flag);
            out.further.push(flag);
        }
    }

    /// Zeros for all that is passed of a dummy argument beside its address or value: it is not there.
    fn pass_no_extras(&mut self, s: &Symbol, out: &mut crate::call::Arguments) {
        for _ in extras(s) {
            let zero = self.int8(0);
            out.further.push(zero);
        }
    }

    /// A dummy argument of other names only. Bounds may be computed of it: a number is 1.
    fn pass_nothing(&mut self, id: SymbolId, out: &mut crate::call::Arguments) {
        let s = self.symbol(id);
        if s.procedure().is_some() || s.ty.is_none() {
            let zero = self.int8(0);
            out.list.push(zero);
            return;
        }
        if s.attrs.value && s.ty == Some(Type::Char) && self.absent_value(s, out) {
            let zero = self.int8(0);
            out.lengths.extend(s.is_character().then_some(zero));
            return self.pass_no_extras(s, out);
        }
        let plain = s.shape.is_empty() && !s.is_indirect();
        match s.ty {
            Some(ty) if is_plain_integer(s) => {
                let one = self.int(ty, 1);
                if s.attrs.value {
                    out.list.push(one);
                    return self.pass_no_extras(s, out);
                }
                let memory = self.memory(ty, None, &[]);
                let place = self.var(memory);
                self.assign(place, one);
                let address = self.address(Access::InOut, place);
                out.list.push(address);
                self.pass_no_extras(s, out);
            }
            _ if plain && s.structure.is_some() && !s.attrs.value => {
                // The body gives it its defaults.
                let Some(structure) = s.structure else { return };
                let temp = self.structure_temp(structure, &[]);
                let place = self.var(temp);
                self.set_defaults(place, structure);
                let address = self.address(Access::InOut, place);
                out.list.push(address);
                self.pass_no_extras(s, out);
            }
            _ if plain && s.attrs.value && s.ty != Some(Type::Char) => {
                let (ty, zero) = (s.ty.unwrap_or(Type::I4), self.int4(0));
                let zero = self.convert(ty, zero);
                out.list.push(zero);
                self.pass_no_extras(s, out);
            }
            _ => self.absent(Some(id), out),
        }
    }
}

impl Body<'_> {
    /// An ENTRY among the statements.
    pub(crate) fn entry_statement(&mut self, s: StmtId) {
        let span = self.ast.stmt(s).span;
        let Some(&label) = self.entries.get(&s) else {
            refused();
        };
        // As a statement it stands for the call of the body; here it is a place of the procedure.
        if let Some(serial) = self.cx.serials.of_unit(self.cx.decls.scopes[self.home].ast, self.unit) {
            self.set_source_at(serial, span);
        }
        self.push(Head::Label(label));
    }
}
