//! Types of expressions: from the syntax tree and the symbols of the scope, without making anything.
//!
//! ```text
//! a(2:n)%c // 'x'     CHARACTER, rank 1, length and extent known at run time only
//! f(x) .op. [1, 2]    the type, rank and derived type of the result of the function that the interface names
//! ```
//!
//! **Invariants:** nothing is reported here: an expression without a type has an error in it, which the checks find and
//! report. The type of an expression does not depend on where it is asked for, so each expression is typed once. Lowering
//! makes values of the same type, rank and derived type, and of no other constant length or extent; a test compares
//! both for every expression of every program.

pub mod call;
mod designator;
mod generic;
mod intrinsic;
pub mod needs;
mod operation;
mod reference;

pub use reference::component_typed;

use crate::constant::Const;
use crate::constant::eval::const_eval;
use crate::scope::symbol::{Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId};
use crate::types::kinds::common_type;
use crate::types::structure::StructureId;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};
use trueline_ir::{Intrinsic as Ir, Type};
use trueline_syntax::Name;
use trueline_syntax::ast::{Ast, BaseType, ExprId, ExprKind, ExprList, TypeSpec};

/// The number of elements in each dimension, where it is constant.
pub type Extents = SmallVec<[Option<i64>; 2]>;

/// The type of an expression.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Typed {
    /// The intrinsic type; `Char` of a structure.
    pub ty: Type,
    /// The derived type, if it is of one.
    pub structure: Option<StructureId>,
    /// The length of a `CHARACTER`, where it is constant.
    pub len: Option<i64>,
    /// The extents, one for each dimension.
    pub extents: Extents,
    /// The function that is called, if the expression is a call of one of the program, by name or as a defined operation.
    pub callee: Option<SymbolId>,
}

// A small vector of its own accord is copied element by element.
impl Clone for Typed {
    fn clone(&self) -> Typed {
        Typed { extents: Extents::from_slice(&self.extents), ..*self }
    }
}

impl Typed {
    /// A scalar of intrinsic type.
    pub fn scalar(ty: Type) -> Typed {
        Typed { ty, structure: None, len: None, extents: Extents::new(), callee: None }
    }

    /// A value of intrinsic type with these extents.
    fn of(ty: Type, extents: Extents) -> Typed {
        Typed { extents, ..Typed::scalar(ty) }
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.extents.len()
    }

    /// Whether it is of type CHARACTER.
    fn is_text(&self) -> bool {
        self.ty == Type::Char && self.structure.is_none()
    }

    /// Whether it is of an intrinsic type that is not CHARACTER.
    fn is_plain(&self) -> bool {
        self.ty != Type::Char && self.structure.is_none()
    }

    /// An array of `rank` dimensions whose extents are known at run time only.
    pub fn with_rank(self, rank: usize) -> Typed {
        Typed { extents: smallvec![None; rank], ..self }
    }
}

/// Types by file and expression; none for an expression with an error in it. Expressions are many, and types few: each expression has the number of its
/// type.
#[derive(Default)]
pub struct Types {
    /// The file and the first expression of a run of expressions, those of a procedure's body, which follow one another.
    first: Option<(usize, u32)>,
    /// One more than the number of the type of each expression of the run; 0 where it is not known.
    run: Vec<u32>,
    /// The numbers of other expressions, of constants elsewhere.
    others: FxHashMap<(usize, ExprId), u32>,
    all: IndexSet<Option<Typed>, FxBuildHasher>,
}

/// The most expressions between one of the run and the next.
const GAP: usize = 4096;

impl Types {
    /// The place of an expression in the run, if it is one that the run has or may get.
    fn place(&self, file: usize, x: ExprId) -> Option<usize> {
        let (of, first) = self.first?;
        let place = x.as_u32().checked_sub(first)? as usize;
        (of == file && place < self.run.len() + GAP).then_some(place)
    }

    fn get(&self, file: usize, x: ExprId) -> Option<&Option<Typed>> {
        let of_run = self.place(file, x).and_then(|place| self.run.get(place)?.checked_sub(1));
        // One that was too far ahead may have come into the run since.
        let number = of_run.or_else(|| self.others.get(&(file, x)).copied())?;
        self.all.get_index(number as usize)
    }

    /// Notes the type of an expression; none if there is an error in it.
    pub fn insert(&mut self, file: usize, x: ExprId, ty: Option<Typed>) {
        // The first types are those of most expressions.
        let known = self.all.iter().take(4).position(|t| *t == ty).or_else(|| self.all.get_index_of(&ty));
        let number = known.unwrap_or_else(|| self.all.insert_full(ty).0) as u32;
        self.first.get_or_insert((file, x.as_u32()));
        match self.place(file, x) {
            Some(place) => {
                if place >= self.run.len() {
                    self.run.resize(place + 1, 0);
                }
                self.run[place] = number + 1;
            }
            None => drop(self.others.insert((file, x), number)),
        }
    }
}

/// The question for types in one scope.
pub struct Typing<'k, 'a> {
    decls: &'a Declarations<'a>,
    ast: &'a Ast,
    /// The scope that gives names their meaning.
    pub scope: ScopeId,
    /// The statement function in whose body the expression stands: its arguments hide other names.
    function: Option<SymbolId>,
    known: &'k mut Types,
}

impl<'k, 'a> Typing<'k, 'a> {
    /// Types of expressions that stand in `scope`, or in the body of a statement function of it.
    pub fn new(decls: &'a Declarations<'a>, scope: ScopeId, function: Option<SymbolId>, known: &'k mut Types) -> Self {
        Typing { decls, ast: decls.ast(scope), scope, function, known }
    }

    /// The type of an expression; none if there is an error in it.
    pub fn of(&mut self, x: ExprId) -> Option<Typed> {
        let ast = self.ast;
        match &ast.expr(x).kind {
            // These cost no more than looking them up.
            ExprKind::Name(name) => return self.name(*name),
            ExprKind::Paren(inner) => return self.of(*inner).map(|t| Typed { callee: None, ..t }),
            ExprKind::ImpliedDo(_) | ExprKind::Error => return None,
            _ => {}
        }
        let file = self.decls.scopes[self.scope].ast;
        if let Some(known) = self.known.get(file, x) {
            return known.clone();
        }
        let found = self.find(x);
        self.known.insert(file, x, found.clone());
        found
    }

    /// Whether an operation has a type: whether there is no error in it.
    pub fn has_type(&mut self, operation: ExprId) -> bool {
        match self.known.get(self.decls.scopes[self.scope].ast, operation) {
            Some(known) => known.is_some(),
            None => self.of(operation).is_some(),
        }
    }

    fn find(&mut self, x: ExprId) -> Option<Typed> {
        let ast = self.ast;
        match ast.expr(x).kind {
            ExprKind::Complex { re, im } => self.complex(re, im),
            ExprKind::Call { base, args } => self.applied(base, args),
            ExprKind::Component { base, name } => self.component(base, name),
            ExprKind::Unary { op, operand } => self.unary(x, op, operand),
            ExprKind::Binary { op, left, right } => self.binary(x, op, left, right),
            ExprKind::ArrayConstructor { ref ty, items } => self.constructor(ty.as_deref(), items),
            _ => self.literal(x),
        }
    }

    fn literal(&mut self, x: ExprId) -> Option<Typed> {
        let value = const_eval(self.decls, self.scope, x).ok()?;
        // The bits of a BOZ constant are an integer where nothing gives them another type.
        let ty = if matches!(self.ast.expr(x).kind, ExprKind::Boz { .. }) { Type::I8 } else { value.ty() };
        let len = (ty == Type::Char).then(|| value.char_len() as i64);
        Some(Typed { len, ..Typed::scalar(ty) })
    }

    fn complex(&mut self, re: ExprId, im: ExprId) -> Option<Typed> {
        let (a, b) = (self.of(re)?, self.of(im)?);
        if !(a.is_plain() && b.is_plain() && a.rank() == 0 && b.rank() == 0) {
            return None;
        }
        let part = [Type::R16, Type::R8].into_iter().find(|&ty| a.ty == ty || b.ty == ty).unwrap_or(Type::R4);
        Some(Typed::scalar(Ir::Cmplx.result(part)))
    }

    /// Resolves a name: in the body of a statement function to an argument, else to the symbol that the scope sees. A name of
    /// an intrinsic that nobody declares is the intrinsic's.
    pub fn resolve(&self, name: Name) -> Option<SymbolId> {
        let decls = self.decls;
        if let Some(function) = self.function
            && let SymbolKind::StatementFunction { dummies, .. } = &decls.symbols[function].kind
            && let Some(&dummy) = dummies.iter().find(|&&d| decls.symbols[d].name == self.ast.name(name))
        {
            return Some(dummy);
        }
        decls.visible(self.scope, name)
    }

    fn symbol(&self, id: SymbolId) -> &'a Symbol {
        &self.decls.symbols[id]
    }

    fn name(&mut self, name: Name) -> Option<Typed> {
        let id = self.resolve(name)?;
        let s = self.symbol(id);
        match &s.kind {
            SymbolKind::Variable if s.attrs.assumed_type => None,
            SymbolKind::Variable => self.variable(id),
            SymbolKind::Parameter => constant(s),
            _ => None,
        }
    }

    /// A variable, or the selector of an associate name.
    fn variable(&mut self, id: SymbolId) -> Option<Typed> {
        let s = self.symbol(id);
        match s.ty {
            Some(ty) => {
                let len = s.len.known().filter(|_| ty == Type::Char && s.structure.is_none());
                let extents = s.shape.iter().map(|b| b.size()).collect();
                Some(Typed { structure: s.structure, len, extents, ..Typed::scalar(ty) })
            }
            None if s.attrs.associate => self.selector(s),
            None => None,
        }
    }

    /// The selector of the ASSOCIATE that a name stands in, which stands in the scope around it.
    fn selector(&mut self, s: &Symbol) -> Option<Typed> {
        let (scope, x) = self.decls.selector_of(s)?;
        let found = Typing::new(self.decls, scope, None, self.known).of(x)?;
        Some(Typed { callee: None, ..found })
    }

    fn constructor(&mut self, spec: Option<&TypeSpec>, items: ExprList) -> Option<Typed> {
        let mut values: Vec<Typed> = Vec::new();
        let mut count = Some(0);
        self.items(items, &mut values, &mut count)?;
        let mut of = match spec {
            Some(spec) => self.declared(spec)?,
            None => self.common_items(&values)?,
        };
        of.extents = smallvec![count];
        Some(of)
    }

    /// The type that `[type :: …]` says.
    fn declared(&self, spec: &TypeSpec) -> Option<Typed> {
        let structure = self.decls.structure_of(self.scope, spec);
        match self.decls.constant_type(self.scope, spec) {
            Ok((ty, len)) => {
                let len = len.filter(|_| structure.is_none()).map(|n| n as i64);
                Some(Typed { structure, len, ..Typed::scalar(ty) })
            }
            Err(why) if why.is_runtime() && spec.base == BaseType::Character && spec.kind.is_none() => {
                Some(Typed::scalar(Type::Char))
            }
            Err(_) => None,
        }
    }

    /// The types of the items of an array constructor, those of a loop once, and the number of elements.
    fn items(&mut self, items: ExprList, values: &mut Vec<Typed>, count: &mut Option<i64>) -> Option<()> {
        let ast = self.ast;
        for &item in ast.list(items) {
            if let ExprKind::ImpliedDo(d) = &ast.expr(item).kind {
                self.items(d.items, values, count)?;
                *count = None;
                continue;
            }
            let t = self.of(item)?;
            let n = t.extents.iter().try_fold(1i64, |n, e| n.checked_mul((*e)?));
            *count = count.zip(n).and_then(|(a, b)| a.checked_add(b));
            values.push(t);
        }
        Some(())
    }

    /// The type that all items have; numeric ones of different types are brought to the highest.
    fn common_items(&self, values: &[Typed]) -> Option<Typed> {
        let first = values.first()?;
        let ty = values.iter().try_fold(first.ty, |ty, v| common_type(ty, v.ty))?;
        let fits = |v: &Typed| match (first.structure, v.structure) {
            (Some(a), Some(b)) => self.decls.same_type(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let structure = first.structure;
        values.iter().all(fits).then(|| Typed { structure, len: first.len, ..Typed::scalar(ty) })
    }
}

/// A named constant; none after an error in its value.
fn constant(s: &Symbol) -> Option<Typed> {
    let value = s.value.as_ref()?;
    let ty = if s.structure.is_some() { Type::Char } else { value.ty() };
    let len = (ty == Type::Char && s.structure.is_none()).then(|| value.char_len() as i64);
    let extents = match value {
        Const::Array(a) => a.shape.iter().map(|&(_, extent)| Some(extent)).collect(),
        Const::Scalar(_) => Extents::new(),
    };
    Some(Typed { structure: s.structure, len, extents, ..Typed::scalar(ty) })
}
