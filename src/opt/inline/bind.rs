//! The binding of each dummy argument in the caller.

use super::Target;
use crate::alias::memory_of;
use crate::elements::components::{length, structure};
use crate::linear::is_integer;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::{
    Access, BinaryOp, Dim, Editor, Expr, ExprData, Head, Intrinsic, Stmt, Storage, Sym, SymData, Type, Unit,
};

/// The binding of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Binding {
    /// By value: a register takes the argument.
    Value(Expr),
    /// By reference: the place itself.
    Place(Target),
    /// By reference: static memory at an offset, with the dummy's shape.
    View {
        /// The symbol whose memory it is.
        of: Sym,
        /// Bytes from the start of that symbol.
        offset: u64,
        /// The dummy's bounds.
        bounds: Vec<(i64, Option<i64>)>,
    },
}

/// Registers of the caller that hold one constant from their only definition on.
pub(crate) struct Constants(FxHashMap<Sym, i64>);

impl Constants {
    pub(crate) fn of(u: &Unit) -> Constants {
        let mut found: FxHashMap<Sym, i64> = FxHashMap::default();
        let mut changed: FxHashSet<Sym> = FxHashSet::default();
        for s in u.walk() {
            let head = u.head(s);
            if head.is_invisible() {
                continue;
            }
            for v in u.may_define(head) {
                let constant = match head {
                    Head::Assign { value, .. } => u.pool().as_int(value),
                    _ => None,
                };
                match constant {
                    Some(k) if !found.contains_key(&v) => {
                        found.insert(v, k);
                    }
                    _ => {
                        changed.insert(v);
                    }
                }
            }
        }
        found.retain(|v, _| !changed.contains(v));
        Constants(found)
    }
}

/// Whether the procedure may write its dummy argument, itself or by passing it on.
pub(crate) fn is_written(callee: &Unit, dummy: Sym) -> bool {
    callee.walk().into_iter().any(|s| {
        let head = callee.head(s);
        let assigned = match head {
            Head::Assign { place, .. } => memory_of(callee, place) == Some(dummy),
            _ => false,
        };
        assigned
            || callee
                .references(head)
                .iter()
                .any(|(access, p)| *access != Access::In && memory_of(callee, *p) == Some(dummy))
    })
}

/// The bindings of the parameters of `callee` by `call`, if all can be bound.
pub(crate) fn bindings(u: &Unit, call: Stmt, callee: &Unit, constants: &Constants) -> Option<Vec<Binding>> {
    let Head::Call { args, result, .. } = u.head(call) else { return None };
    let args = u.list(args);
    if args.len() != callee.params().len() || (result.is_some() && callee.result().is_none()) {
        return None;
    }
    if let (Some(to), Some(from)) = (result.expand(), callee.result())
        && u.sym(to).ty != callee.sym(from).ty
    {
        return None;
    }
    let known = Known { u, callee, args, constants };
    args.iter().zip(callee.params()).map(|(&arg, &param)| known.bind(call, arg, param)).collect()
}

/// The values in the callee that are known at this call.
struct Known<'a> {
    u: &'a Unit,
    callee: &'a Unit,
    args: &'a [Expr],
    constants: &'a Constants,
}

impl Known<'_> {
    fn bind(&self, call: Stmt, arg: Expr, param: Sym) -> Option<Binding> {
        let (u, data) = (self.u, self.callee.sym(param));
        match (data.storage, u.expr(arg)) {
            (Storage::Value { .. }, ExprData::AddrOf(..) | ExprData::ProcAddr(_) | ExprData::Null) => None,
            (Storage::Value { .. }, _) => (u.ty(arg) == data.ty).then_some(Binding::Value(arg)),
            (Storage::Dummy { .. }, ExprData::AddrOf(_, place)) => {
                if data.ty == Type::Char && data.dims.is_empty() {
                    return self.structure(place, param);
                }
                if data.ty == Type::Char || u.ty(place) != data.ty {
                    return None;
                }
                if data.dims.is_empty() { self.scalar(call, place, param) } else { self.array(place, data) }
            }
            _ => None,
        }
    }

    fn scalar(&self, call: Stmt, place: Expr, param: Sym) -> Option<Binding> {
        let u = self.u;
        match u.expr(place) {
            ExprData::Var(v) if !u.sym(v).dims.is_empty() => None,
            ExprData::Var(_) if trueline_ir::fault("inline_by_value") => Some(Binding::Value(place)),
            ExprData::Var(v) => {
                let active = u.ancestors(call).any(|a| u.defines(u.head(a)) == Some(v));
                let is_input = matches!(u.sym(v).storage, Storage::Value { .. });
                ((!active && !is_input) || !is_written(self.callee, param))
                    .then_some(Binding::Place(Target::Scalar(place)))
            }
            ExprData::Elem(..) => Some(Binding::Place(Target::Scalar(place))),
            _ => None,
        }
    }

    /// A structure, or a string of constant length.
    fn structure(&self, place: Expr, param: Sym) -> Option<Binding> {
        let (v, _) = structure(self.u, place)?;
        let is_same = length(self.u, v) == length(self.callee, param);
        is_same.then_some(Binding::Place(Target::Scalar(place)))
    }

    fn array(&self, place: Expr, dummy: &SymData) -> Option<Binding> {
        let u = self.u;
        let (array, start): (Sym, Vec<Expr>) = match u.expr(place) {
            ExprData::Var(a) => (a, u.sym(a).dims.iter().map(|d| d.lower).collect()),
            ExprData::Elem(a, subs) => (a, u.list(subs).to_vec()),
            _ => return None,
        };
        let dims = &u.sym(array).dims;
        // A dummy with distances of its own is not laid out as the actual array is.
        if dims.is_empty() || dummy.dims.iter().any(|d| d.stride.is_some()) {
            return None;
        }
        if let Some(lower) = self.lines_up(dims, &start, &dummy.dims) {
            return Some(Binding::Place(Target::Elements { array, start, lower }));
        }
        self.view(array, &start, dummy)
    }

    /// The lower bounds of the dummy, if its elements are elements of the actual array in the leading dimensions, address by
    /// address, and within the bounds of all but the last.
    fn lines_up(&self, dims: &[Dim], start: &[Expr], dummy: &[Dim]) -> Option<Vec<i64>> {
        let (rank, last) = (dims.len(), dummy.len() - 1);
        if dummy.len() > rank {
            return None;
        }
        let mut lower = Vec::new();
        for (k, d) in dummy.iter().enumerate() {
            let lo = self.value(d.lower)?;
            lower.push(lo);
            if k == last && last + 1 == rank {
                break;
            }
            // The dummy's extent here must be the actual's, or, in its last dimension, not reach beyond it.
            let extent = self.value(d.upper.expand()?)?.checked_sub(lo)?.checked_add(1)?.max(0);
            let own = |e: Expr| self.u.pool().as_int(e);
            let (first, upper) = (own(dims[k].lower)?, own(dims[k].upper.expand()?)?);
            let (own_extent, begin) = (upper.checked_sub(first)?.checked_add(1)?.max(0), own(start[k])?);
            let fits = if k == last {
                begin >= first && begin.checked_sub(first)?.checked_add(extent)? <= own_extent
            } else {
                begin == first && extent == own_extent
            };
            if !fits {
                return None;
            }
        }
        Some(lower)
    }

    /// Static memory can be given another shape.
    fn view(&self, array: Sym, start: &[Expr], dummy: &SymData) -> Option<Binding> {
        let (u, data) = (self.u, self.u.sym(array));
        if !matches!(data.storage, Storage::Static { .. }) || data.dims.iter().any(|d| d.stride.is_some()) {
            return None;
        }
        let mut offset: i64 = 0;
        let mut stride = data.ty.size() as i64;
        for (k, d) in data.dims.iter().enumerate() {
            let (lo, at) = (u.pool().as_int(d.lower)?, u.pool().as_int(start[k])?);
            offset = offset.checked_add(at.checked_sub(lo)?.checked_mul(stride)?)?;
            let hi = u.pool().as_int(d.upper.expand()?)?;
            stride = stride.checked_mul(hi.checked_sub(lo)?.checked_add(1)?.max(0))?;
        }
        let offset = u64::try_from(offset).ok()?;
        let whole = u64::try_from(stride).ok()?;
        let mut size = dummy.ty.size() as u64;
        let mut bounds = Vec::new();
        for d in &dummy.dims {
            let lo = self.value(d.lower)?;
            // The last dimension of an assumed-size dummy ends where the actual array does.
            let hi = match d.upper.expand() {
                Some(e) => self.value(e)?,
                None => {
                    lo.checked_add(i64::try_from(whole.checked_sub(offset)? / size.max(1)).ok()?)?.checked_sub(1)?
                }
            };
            size = size.checked_mul(u64::try_from(hi.checked_sub(lo)?.checked_add(1)?).unwrap_or(0))?;
            bounds.push((lo, Some(hi)));
        }
        (offset.checked_add(size)? <= whole).then_some(Binding::View { of: array, offset, bounds })
    }

    /// The value of an integer expression of the callee's entry, if it is known at this call.
    fn value(&self, e: Expr) -> Option<i64> {
        self.value_to(e, 0)
    }

    fn value_to(&self, e: Expr, depth: u32) -> Option<i64> {
        let c = self.callee;
        if depth > 20 || !is_integer(c.ty(e)) {
            return None;
        }
        let at = |e: Expr| self.value_to(e, depth + 1);
        let fits = |k: i64| match c.ty(e) {
            Type::I8 => Some(k),
            _ => i32::try_from(k).ok().map(i64::from),
        };
        match c.expr(e) {
            ExprData::Int(_, k) => Some(k),
            ExprData::Convert(_, x) if is_integer(c.ty(x)) => at(x).and_then(fits),
            ExprData::Binary(op, x, y) => {
                let (x, y) = (at(x)?, at(y)?);
                match op {
                    BinaryOp::Add => x.checked_add(y),
                    BinaryOp::Sub => x.checked_sub(y),
                    BinaryOp::Mul => x.checked_mul(y),
                    BinaryOp::Div => x.checked_div(y),
                    _ => None,
                }
                .and_then(fits)
            }
            ExprData::Intrinsic(i @ (Intrinsic::Max | Intrinsic::Min), l) => {
                let (x, y) = (at(c.list(l)[0])?, at(c.list(l)[1])?);
                Some(if i == Intrinsic::Max { x.max(y) } else { x.min(y) })
            }
            ExprData::Var(v) => self.variable(v, depth),
            _ => None,
        }
    }

    fn variable(&self, v: Sym, depth: u32) -> Option<i64> {
        let c = self.callee;
        match c.sym(v).storage {
            Storage::Value { index } => {
                let defined = c.walk().into_iter().any(|s| c.may_define(c.head(s)).contains(&v));
                if defined { None } else { self.actual(self.args[index as usize]) }
            }
            Storage::Dummy { index } if c.sym(v).dims.is_empty() && !is_written(c, v) => {
                match self.u.expr(self.args[index as usize]) {
                    ExprData::AddrOf(_, place) => self.actual(place),
                    _ => None,
                }
            }
            Storage::Register => {
                let mut definitions =
                    c.walk().into_iter().filter(|&s| !c.head(s).is_invisible() && c.may_define(c.head(s)).contains(&v));
                let (first, None) = (definitions.next()?, definitions.next()) else { return None };
                match c.head(first) {
                    Head::Assign { value, .. } if c.parent(first) == Some(c.body()) => self.value_to(value, depth + 1),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn actual(&self, e: Expr) -> Option<i64> {
        match self.u.expr(e) {
            ExprData::Int(_, k) => Some(k),
            ExprData::Convert(_, x) if is_integer(self.u.ty(x)) => self.actual(x),
            ExprData::Var(v) => self.constants.0.get(&v).copied(),
            _ => None,
        }
    }
}

/// The symbol of a view.
pub(crate) fn view(ed: &mut Editor<'_>, of: Sym, offset: u64, bounds: &[(i64, Option<i64>)], dummy: &SymData) -> Sym {
    let mut dims: SmallVec<[Dim; 2]> = SmallVec::new();
    for &(lo, hi) in bounds {
        let lower = ed.int(Type::I8, lo);
        let upper = hi.map(|k| ed.int(Type::I8, k));
        dims.push(Dim::new(lower, upper));
    }
    let Storage::Static { area, offset: start } = ed.sym(of).storage else {
        unreachable!("views are of static memory");
    };
    let storage = Storage::Static { area, offset: start + offset };
    ed.new_sym(SymData { dims, storage, len: None.into(), from_source: false, mapping: None.into(), ..dummy.clone() })
}
