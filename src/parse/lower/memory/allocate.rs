//! ALLOCATE and DEALLOCATE.

use crate::expr::Exprs;
use crate::stmt::Stmts;
use crate::values::{Checked, Descriptor, Str, Val, refused};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_ir::{BinaryOp, Expr, ExprData, Rt, Sym};
use trueline_sema::types::kinds::Category;
use trueline_syntax::ast::{AllocOption, Allocate, Arg, ArgValue, CharLen, ExprId, ExprKind, TypeSpec};

/// gfortran's status of an object that is allocated already, and when there is no memory.
const ALREADY: i64 = 5014;
const NO_MEMORY: i64 = 5020;

/// The options of an ALLOCATE.
#[derive(Default, Clone, Copy)]
struct Options {
    stat: Option<Expr>,
    errmsg: Option<Str>,
    source: Option<Val>,
    mold: Option<Val>,
    len: Option<Expr>,
}

impl Stmts<'_> {
    fn options(&mut self, a: &Allocate) -> Options {
        let mut out = Options::default();
        for &(option, _, x) in &a.options {
            match option {
                AllocOption::Stat => {
                    let place = self.assignable(x);
                    self.check_not_fixed(x);
                    self.must_be_scalar(place.e);
                    self.must_be(place.e, Category::Integer);
                    out.stat = Some(place.e);
                }
                AllocOption::Errmsg => {
                    let place = self.assignable(x);
                    self.check_not_fixed(x);
                    self.must_be_scalar(place.e);
                    self.must_be(place.e, Category::Character);
                    out.errmsg = self.as_str(place);
                }
                AllocOption::Source => {
                    let v = self.expr(x);
                    let stored =
                        matches!(self.e.expr(v.e), ExprData::Var(_) | ExprData::Elem(..) | ExprData::Section(..));
                    let plain = stored || self.structure_at(v.e).is_some() || v.len.is_some();
                    out.source = Some(if plain { v } else { self.settled(v) });
                }
                AllocOption::Mold => out.mold = Some(self.designator(x)),
            }
        }
        if let Some(spec) = &a.ty {
            out.len = self.spec_length(spec);
        }
        out
    }

    /// A value that is evaluated once.
    fn settled(&mut self, v: Val) -> Val {
        if self.rank(v.e) > 0 { Val::plain(self.in_memory(v.e)) } else { Val::plain(self.in_register(v.e)) }
    }

    /// The length that `CHARACTER(len) ::` gives.
    fn spec_length(&mut self, spec: &TypeSpec) -> Option<Expr> {
        match spec.len {
            Some(CharLen::Expr(x)) => {
                let n = self.integer(x);
                let n = self.at_least_zero(n);
                Some(self.in_register(n))
            }
            _ => None,
        }
    }

    /// The descriptor of an object, and the name of the variable.
    fn object(&mut self, x: ExprId) -> (Sym, Descriptor, String) {
        let root = self.root_of(x);
        if let (None, ExprKind::Name(name)) = (root, &self.ast.expr(x).kind) {
            self.resolve_at(*name);
        }
        let name = self.symbol(root.checked()).name.clone();
        let (sym, d) = self.descriptor_at(x).checked();
        (sym, d, name)
    }

    pub(crate) fn allocate_statement(&mut self, a: &Allocate) {
        let options = self.options(a);
        let objects = self.ast.list(a.objects);
        // A temporary source hands over the memory that it owns to the last object; the others get copies.
        let source = options.source.and_then(|v| match self.e.expr(v.e) {
            ExprData::Var(sym) => Some(sym).filter(|s| self.structure_temps.contains(s)),
            _ => None,
        });
        // With STAT each object is allocated where those before it could be.
        let outer = self.block();
        for (k, &x) in objects.iter().enumerate() {
            if let Some(sym) = source {
                if k + 1 < objects.len() {
                    self.structure_temps.remove(&sym);
                } else {
                    self.structure_temps.insert(sym);
                }
            }
            self.allocate_object(x, options);
        }
        self.enter(outer);
    }

    fn allocate_object(&mut self, x: ExprId, options: Options) {
        let (object, args) = match self.ast.expr(x).kind {
            ExprKind::Call { base, args } => (base, self.ast.args(args).to_vec()),
            _ => (x, Vec::new()),
        };
        let (sym, d, name) = self.object(object);
        let rank = d.bounds.len() / 2;
        let like = options.source.or(options.mold);
        let from_like = args.is_empty() && rank > 0;
        if args.len() != rank && !(from_like && like.is_some_and(|v| self.rank(v.e) == rank)) {
            refused();
        }
        let bounds = match like.filter(|_| from_like) {
            Some(v) => self.bounds_like(v),
            None => self.given_bounds(&args),
        };
        let len = options.len.or(like.and_then(|v| v.len)).filter(|_| d.len.is_some());
        self.allocate_checked(sym, &d, (x, &name), &bounds, len, options)
    }

    fn given_bounds(&mut self, args: &[Arg]) -> SmallVec<[Expr; 8]> {
        let mut bounds = SmallVec::new();
        for a in args {
            let one = self.int8(1);
            let (lo, hi) = match a.value {
                ArgValue::Expr(x) => (one, self.index(x)),
                ArgValue::Section { lo, hi, .. } => {
                    let lo = lo.expand().map(|x| self.index(x));
                    let Some(hi) = hi.expand() else {
                        refused();
                    };
                    (lo.unwrap_or(one), self.index(hi))
                }
                _ => refused(),
            };
            bounds.extend([self.in_register(lo), self.in_register(hi)]);
        }
        bounds
    }

    /// Allocates unless it is allocated already, which is an error of the program or a status.
    fn allocate_checked(
        &mut self,
        sym: Sym,
        d: &Descriptor,
        (x, name): (ExprId, &str),
        bounds: &[Expr],
        len: Option<Expr>,
        options: Options,
    ) {
        let mut after = None;
        if !d.is_pointer {
            let taken = self.is_there(d);
            let (end, free) = self.open_if(taken);
            match options.stat {
                Some(stat) => self.fails(stat, ALREADY, options.errmsg, "Attempt to allocate an allocated object"),
                None => self.object_error(x, &format!("Attempting to allocate already allocated variable '{name}'")),
            }
            self.enter(free);
            after = Some(end);
        }
        let size = self.allocate_target(sym, d, bounds, len, options.stat.is_some());
        let object = match self.ast.expr(x).kind {
            ExprKind::Call { base, .. } => base,
            _ => x,
        };
        let (at, full_name) = (self.ast.span(object), self.name_at(object));
        self.note_target(sym, d, Some(at), &full_name, size);
        self.note_allocated(sym, d, options.source.is_some());
        let zero = self.int8(0);
        let mut guard = None;
        if let Some(stat) = options.stat {
            let base = self.var(d.base);
            let failed = self.make(ExprData::Binary(BinaryOp::Eq, base, zero));
            let (end, fine) = self.open_if(failed);
            self.fails(stat, NO_MEMORY, options.errmsg, "Insufficient virtual memory");
            self.enter(fine);
            self.status_is(stat, 0);
            guard = Some(end);
        }
        self.initial_target(sym);
        if let Some(v) = options.source {
            self.fill_from_source(sym, d, len, v)
        };
        if let Some(block) = after.or(guard).filter(|_| options.stat.is_none()) {
            self.enter(block);
        }
    }

    fn fill_from_source(&mut self, sym: Sym, d: &Descriptor, len: Option<Expr>, v: Val) {
        let place = self.whole_symbol(sym);
        let place = if d.len.is_some() { Val { len, ..place } } else { place };
        let v = if v.len.is_none() && self.structure_at(v.e).is_none() {
            let ty = self.ty(place.e);
            Val::plain(self.convert_numeric(ty, v.e))
        } else {
            v
        };
        self.store(place, v);
    }

    fn status_is(&mut self, stat: Expr, code: i64) {
        let own = self.ty(stat);
        let value = self.e.int(own, code);
        self.assign(stat, value);
    }

    fn fails(&mut self, stat: Expr, code: i64, errmsg: Option<Str>, message: &str) {
        self.status_is(stat, code);
        if let Some(to) = errmsg {
            let from = self.text(message.as_bytes());
            self.assign_str(to, from);
        }
    }

    pub(crate) fn deallocate_statement(&mut self, a: &Allocate) {
        let options = self.options(a);
        let outer = self.block();
        for &x in self.ast.list(a.objects) {
            self.deallocate_object(x, options);
        }
        self.enter(outer);
    }

    /// Frees an object; with STAT the cursor stays where that has succeeded.
    fn deallocate_object(&mut self, x: ExprId, options: Options) {
        if let ExprKind::Call { base, .. } = self.ast.expr(x).kind
            && matches!(self.ast.expr(base).kind, ExprKind::Name(_) | ExprKind::Component { .. })
        {
            refused();
        }
        let (sym, d, name) = self.object(x);
        let (base, zero) = (self.var(d.base), self.int8(0));
        let missing = self.make(ExprData::Binary(BinaryOp::Eq, base, zero));
        let (after, there) = self.open_if(missing);
        match options.stat {
            Some(stat) => self.fails(stat, 1, options.errmsg, "Attempt to deallocate an unallocated object"),
            None => self.object_error(x, &format!("Attempt to DEALLOCATE unallocated '{name}'")),
        }
        self.enter(there);
        if d.is_pointer {
            let (at, name) = (self.ast.span(x), self.name_at(x));
            self.release_target(sym, &d, Some((at, &name)));
        }
        self.free_target(sym, &d);
        if let Some(stat) = options.stat {
            self.status_is(stat, 0);
        } else {
            self.enter(after);
        }
    }
}

impl Exprs<'_> {
    /// Whether a function returned the array behind a descriptor.
    pub(crate) fn is_result(&self, sym: Sym) -> bool {
        self.descriptors.get(&sym).is_some_and(|d| d.is_result)
    }

    /// The bounds of a whole array, else from 1.
    pub(crate) fn bounds_like(&mut self, v: Val) -> SmallVec<[Expr; 8]> {
        let one = self.int8(1);
        // Only assignment converts a whole array: the functions that do so give values with bounds of their own.
        let whole = match self.e.expr(v.e) {
            ExprData::Convert(_, inner) => inner,
            _ => v.e,
        };
        if let ExprData::Var(sym) = self.e.expr(whole)
            && !self.is_result(sym)
        {
            let dims = self.sym(sym).dims.clone();
            return dims
                .iter()
                .flat_map(|d| [d.lower, d.upper.expand().unwrap_or(d.lower)])
                .map(|e| self.in_register(e))
                .collect();
        }
        let shape = self.shape(v.e);
        shape.into_iter().flat_map(|n| [one, n]).map(|e| self.in_register(e)).collect()
    }

    /// Gives a descriptor new memory; returns its bytes.
    pub(crate) fn allocate_target(
        &mut self,
        sym: Sym,
        d: &Descriptor,
        bounds: &[Expr],
        len: Option<Expr>,
        stat: bool,
    ) -> Expr {
        let own = self.e.sym(sym).len.expand();
        let bytes = self.sym(sym).ty.size() as i64;
        let mut size = self.int8(bytes);
        if let Some(len) = len.or(own) {
            size = self.mul(size, len);
        }
        let mut stride = self.int8(1);
        let mut strides: SmallVec<[Expr; 4]> = SmallVec::new();
        for pair in bounds.chunks(2) {
            let n = self.count(pair[0], pair[1]);
            strides.push(stride);
            stride = self.mul(stride, n);
            size = self.mul(size, n);
        }
        self.allocate(d.base, size, stat);
        for (&register, &bound) in d.bounds.iter().zip(bounds) {
            self.e.set(register, bound);
        }
        if let (Some(register), Some(len)) = (d.len, len) {
            self.e.set(register, len);
        }
        for (&register, value) in d.strides.iter().zip(strides) {
            self.e.set(register, value);
        }
        if let Some(span) = d.span {
            let bytes = match d.len {
                Some(len) => self.var(len),
                None => d.size,
            };
            self.e.set(span, bytes);
        }
        self.store_descriptor(d);
        size
    }

    /// The default content of new structures.
    pub(crate) fn initial_target(&mut self, sym: Sym) {
        if let Some(&id) = self.structures.get(&sym) {
            let place = self.var(sym);
            self.set_defaults(place, id);
        }
    }
}

impl Variables<'_> {
    /// Ends the program with a message that names the source line.
    pub(crate) fn run_time_error(&mut self, message: &str) {
        let text = self.text(message.as_bytes());
        let [text, len] = self.read_str(text);
        let location = self.location();
        self.call_rt(Rt::RuntimeError, &[location, text, len]);
    }
}
