//! Calls of procedures beyond the standard ([`trueline_sema::intrinsic::library`]).
//!
//! They are procedures in the ABI of the program's own, with linker symbols `trueline_lib_NAME`, as subroutines
//! `trueline_lib_NAME_sub`. A procedure of this name that the compilation defines comes first.

use crate::intrinsic::Intrinsics;
use crate::values::{Checked, Val};
use smallvec::SmallVec;
use trueline_ir::{Access, BinaryOp, Callee, Expr, ExprData, Head, ProcData, Sym, Type};
use trueline_sema::intrinsic::Actuals;
use trueline_sema::intrinsic::Intrinsic;
use trueline_sema::intrinsic::library::{Gives, Library, Pass};
use trueline_syntax::ast::{ExprId, ExprKind};

/// Arguments under way.
#[derive(Default)]
struct Passed {
    list: Vec<Expr>,
    lengths: Vec<Expr>,
    /// After the call: places, and the memory of their new values.
    results: Vec<(Expr, Expr)>,
    /// The kind that a REAL argument decides.
    kind: Option<Type>,
}

impl Intrinsics<'_, '_> {
    /// A call of a procedure of the library; gives the value of a function.
    pub(crate) fn library_call(&mut self, row: &Intrinsic, library: Library, args: &Actuals) -> Option<Val> {
        if library.is_elemental() {
            return Some(self.library_function(row, library, args));
        }
        let mut passed = Passed::default();
        let text = match library.gives {
            Gives::Text(len) => {
                let len = self.int8(len);
                let memory = self.memory(Type::Char, Some(len), &[]);
                let place = self.var(memory);
                let address = self.address(Access::Out, place);
                passed.list.extend([address, len]);
                Some(Val { e: place, len: Some(len) })
            }
            _ => None,
        };
        for (k, &pass) in library.passes.iter().enumerate() {
            match args.get(k).copied().flatten() {
                Some(x) => self.pass_to_library(row, args, (k, x), pass, &mut passed),
                None => {
                    let null = self.make(ExprData::Null);
                    passed.list.push(null);
                }
            }
        }
        passed.list.append(&mut passed.lengths);
        let kind = passed.kind.unwrap_or(Type::R4);
        let ty = match library.gives {
            Gives::Number(ty) => Some(ty),
            Gives::Real => Some(kind),
            Gives::Nothing | Gives::Text(_) => None,
        };
        let symbol = symbol(row.name, library.gives, kind);
        let result = self.push_library_call(symbol, row.name, &passed.list, ty);
        for (place, value) in passed.results {
            let ty = self.ty(place);
            let value = self.convert(ty, value);
            self.assign(place, value);
        }
        text.or_else(|| result.map(|r| Val::plain(self.e.var(r))))
    }

    /// A function of numbers, of each element of arrays.
    fn library_function(&mut self, row: &Intrinsic, library: Library, args: &Actuals) -> Val {
        let x = args.iter().flatten().next().copied().checked();
        let mut values: SmallVec<[Expr; 4]> = self.operands_of(x, row, args).into_iter().map(|v| v.e).collect();
        let deciding = library.passes.iter().position(|p| *p == Pass::Real);
        let ty = deciding.and_then(|k| values.get(k)).map_or(Type::R8, |&v| self.ty(v));
        let Some(k) = values.iter().position(|&v| self.rank(v) > 0) else {
            return Val::plain(self.library_value(row, library, &values, ty));
        };
        for v in &mut values {
            if self.rank(*v) > 0 && !self.has_elements(*v) {
                *v = self.in_memory(*v);
            }
        }
        let shape = self.shape(values[k]);
        let result = self.memory(ty, None, &shape);
        let (at, outer) = self.open_elements(&shape);
        let of_element: SmallVec<[Expr; 4]> =
            values.iter().map(|&v| if self.rank(v) > 0 { self.element(v, &at) } else { v }).collect();
        let y = self.library_value(row, library, &of_element, ty);
        let place = self.elem(result, &at);
        self.assign(place, y);
        self.enter(outer);
        Val::plain(self.var(result))
    }

    fn library_value(&mut self, row: &Intrinsic, library: Library, values: &[Expr], ty: Type) -> Expr {
        let mut passed: SmallVec<[Expr; 4]> = SmallVec::new();
        for (&pass, &v) in library.passes.iter().zip(values) {
            let to = if let Pass::In(to) = pass { to } else { ty };
            let v = self.convert(to, v);
            let memory = self.in_memory_or_register(v);
            passed.push(self.address(Access::In, memory));
        }
        self.call_library(&symbol(row.name, library.gives, ty), row.name, &passed, ty)
    }

    fn pass_to_library(
        &mut self,
        row: &Intrinsic,
        args: &Actuals,
        (k, x): (usize, ExprId),
        pass: Pass,
        out: &mut Passed,
    ) {
        match pass {
            Pass::In(_) | Pass::Real => {
                let v = self.needed(row, args, k);
                self.must_be_scalar(v);
                let ty = match pass {
                    Pass::In(ty) => ty,
                    _ => *out.kind.get_or_insert(self.ty(v)),
                };
                let v = self.convert(ty, v);
                let memory = self.in_memory_or_register(v);
                let address = self.address(Access::In, memory);
                out.list.push(address);
            }
            Pass::InText => {
                let s = self.string(x);
                let [address, len] = self.read_str(s);
                out.list.push(address);
                out.lengths.push(len);
            }
            Pass::OutText => {
                let v = self.result_place(row, args, k).checked();
                let s = self.as_str(v).checked();
                let [address, len] = self.write_str(s);
                out.list.push(address);
                out.lengths.push(len);
            }
            Pass::Out(ty) => {
                let place = self.result_place(row, args, k).checked();
                self.must_be_scalar(place.e);
                let memory = self.memory(ty, None, &[]);
                let memory = self.var(memory);
                let address = self.address(Access::Out, memory);
                out.list.push(address);
                out.results.push((place.e, memory));
            }
            Pass::Values(ty, n) => {
                let v = self.result_place(row, args, k).checked();
                let count = self.int8(n.into());
                let memory = self.memory(ty, None, &[count]);
                let values = self.var(memory);
                let address = self.address(Access::Out, values);
                out.list.push(address);
                for index in 0..i64::from(n) {
                    let index = self.int8(index);
                    let to = self.element_behind(v.e, index).checked();
                    let one = self.int8(1);
                    let subscript = self.binary(BinaryOp::Add, index, one);
                    let list = self.b.list(&[subscript]);
                    let from = self.make(ExprData::Elem(memory, list));
                    out.results.push((to, from));
                }
            }
            Pass::Place => {
                let v = match self.whole_variable(x) {
                    // An assumed-size array has an address, but no shape.
                    Some(id) => {
                        let span = self.ast.span(x);
                        self.variable(id, span)
                    }
                    None => self.result_place(row, args, k).checked(),
                };
                let address = self.address(Access::InOut, v.e);
                out.list.push(address);
            }
        }
    }
}

impl Intrinsics<'_, '_> {
    /// The assumed-size array that `x` names.
    fn whole_variable(&self, x: ExprId) -> Option<trueline_sema::scope::symbol::SymbolId> {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return None };
        let id = self.cx.decls.named(self.scope, name)?;
        let s = self.symbol(id);
        (s.is_variable() && s.is_assumed_size()).then_some(id)
    }

    /// The element that stands `distance` behind the first of an array of rank 1.
    fn element_behind(&mut self, array: Expr, distance: Expr) -> Option<Expr> {
        if self.rank(array) != 1 {
            return None;
        }
        if let ExprData::Var(sym) = self.e.expr(array) {
            let lower = self.sym(sym).dims[0].lower;
            let subscript = self.binary(BinaryOp::Add, lower, distance);
            let list = self.b.list(&[subscript]);
            return Some(self.make(ExprData::Elem(sym, list)));
        }
        let one = self.int8(1);
        let subscript = self.binary(BinaryOp::Add, distance, one);
        Some(self.composed(array, &[subscript]))
    }

    fn push_library_call(&mut self, symbol: String, name: &str, args: &[Expr], ty: Option<Type>) -> Option<Sym> {
        let data = ProcData {
            symbol,
            name: name.to_owned(),
            result: ty,
            is_pure: false,
            always_returns: false,
            is_libm: false,
        };
        let callee = Callee::Proc(self.b.proc(data));
        let args = self.b.list(args);
        let result = ty.map(|ty| self.register(name, ty));
        self.push(Head::Call { callee, args, result: result.into() });
        result
    }

    /// The value of type `ty` of a function of the runtime that takes addresses.
    pub(crate) fn call_library(&mut self, symbol: &str, name: &str, args: &[Expr], ty: Type) -> Expr {
        match self.push_library_call(symbol.to_owned(), name, args, Some(ty)) {
            Some(result) => self.e.var(result),
            None => args[0],
        }
    }
}

/// The linker symbol. The functions of DOUBLE PRECISION are those of kind 8 under another name.
fn symbol(name: &str, gives: Gives, kind: Type) -> String {
    match gives {
        Gives::Nothing => format!("trueline_lib_{name}_sub"),
        Gives::Real => format!("trueline_lib_{name}_r{}", kind.size()),
        Gives::Number(Type::R8) => format!("trueline_lib_{}_r8", &name[1..]),
        _ => format!("trueline_lib_{name}"),
    }
}
