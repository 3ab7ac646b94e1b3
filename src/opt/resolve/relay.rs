//! Relays: sums over arrays that are divided into blocks along the outermost loop. The ranks compute them one after the other, in the order of the
//! source, so the result is that of one rank, and nothing but the scalar travels.
//!
//! ```text
//!                              call nest(…)                its own j
//! do j = 1, n                  call relay(s)               waits for s of the rank before
//!   do i = 1, n          =>    do j, do i
//!     s = s + a(i, j)            s = s + a(i, j)
//!                              call relayed(s)             sends s on; all ranks get that of the last one
//! ```
//!
//! Nothing else may be in such a nest, for it would have to wait, too.

use super::element_of;
use super::nest::Scan;
use trueline_abi::nest::{Element, Executed, Subscript};
use trueline_ir::mapping::{Axis, Format, Values};
use trueline_ir::{Expr, ExprData, Head, Sym, Type};

impl Scan<'_> {
    /// Whether all statements of the nest are such sums; then their owners execute them.
    pub(super) fn relays(&mut self) -> bool {
        if self.found.roots.len() != 1 {
            return false;
        }
        let all: Option<Vec<_>> = (0..self.found.works.len()).map(|k| self.relay(k)).collect();
        let Some(all) = all.filter(|all| !all.is_empty()) else { return false };
        for (k, (scalar, array, e, of)) in all.into_iter().enumerate() {
            self.found.nest.statements[k].executed = Executed::ByOwners { of, writes: false };
            self.found.works[k].decides = Some((array, e));
            self.found.relays.push((k, scalar));
        }
        true
    }

    /// The scalar of statement `k`, and an element whose owners compute it one after the other.
    fn relay(&mut self, k: usize) -> Option<(Sym, usize, Expr, Element)> {
        let s = self.found.works[k].stmt;
        let Head::Assign { place, value } = self.u.head(s) else { return None };
        let ExprData::Var(v) = self.u.expr(place) else { return None };
        let ty = self.u.sym(v).ty;
        let is_number = ty.is_real() || ty.is_complex() || matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8);
        let is_sum = self.u.sym(v).is_register()
            && self.u.sym(v).dims.is_empty()
            && is_number
            && self.u.registers_in(value).contains(&v);
        let root = self.found.roots[0];
        let mut around = self.u.ancestors(s).take_while(|&a| a != root);
        let inner = self.found.nest.statements[k].inner;
        let outermost = self.chain(inner).last().copied()?;
        if !is_sum || around.any(|a| !matches!(self.u.head(a), Head::Do { .. })) || !self.is_alone(s, place, Vec::new())
        {
            return None;
        }
        self.found.works[k].reads.clone().into_iter().find_map(|e| {
            let array = element_of(self.u, self.arrays, e)?;
            let of = self.element(e, inner);
            self.is_in_order(array, &of, outermost).then_some((v, array, e, of))
        })
    }

    /// Whether one rank after the other owns the element while loop `l` goes on, and none comes again.
    fn is_in_order(&self, array: usize, of: &Element, l: usize) -> bool {
        let Some(mapping) = self.mapping(array) else { return false };
        if mapping.grid.extents.len() != 1 || !mapping.others.is_empty() {
            return false;
        }
        let mut on = mapping.axes.iter().zip(&of.subscripts).filter(|(axis, _)| matches!(axis, Axis::On { .. }));
        let (Some((Axis::On { format, .. }, Subscript::Of(a))), None) = (on.next(), on.next()) else { return false };
        matches!(format, Format::Block(_) | Format::GenBlock(Values::Known(_)))
            && matches!(a.terms.as_slice(), [(of, 1 | -1)] if *of == l)
    }
}
