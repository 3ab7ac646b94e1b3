//! V20: rules about mappings.

use super::Verifier;
use crate::Sym;
use crate::mapping::{Axis, Extents, Format, GridExtent, MappingData, Other, Size, Values};

impl Verifier<'_> {
    pub(super) fn mappings(&mut self) {
        let u = self.u;
        for (id, data) in u.mappings() {
            if let Err(text) = self.mapping(data) {
                self.report(20, format!("{id} {text}"));
            }
        }
        for (_, data) in u.syms() {
            let Some(m) = data.mapping.expand() else { continue };
            let name = &data.name;
            if !u.mappings.is_valid(m) {
                self.report(20, format!("'{name}' has {m}, which is not there"));
                continue;
            }
            let of = u.mapping(m);
            let inherited = of.is_inherited();
            let fits = inherited || of.axes.len() == data.dims.len();
            self.check(20, fits, format_args!("'{name}' has {m}, which has another rank"));
            let shadow = of.shadow.is_empty() || of.shadow.len() == data.dims.len();
            self.check(20, shadow, format_args!("'{name}' has {m}, whose shadow has another rank"));
        }
    }

    fn mapping(&self, m: &MappingData) -> Result<(), &'static str> {
        let rank = m.grid.extents.len();
        let positive = |x: &GridExtent| {
            matches!(x, GridExtent::Known(1..) | GridExtent::Ranks(1..) | GridExtent::Free | GridExtent::Unknown)
        };
        if !m.grid.extents.iter().all(positive) {
            return Err("has an empty grid");
        }
        let mut used = vec![0u32; rank];
        for axis in &m.axes {
            let Axis::On { grid_dim, place, format, template } = axis else { continue };
            *used.get_mut(usize::from(*grid_dim)).ok_or("is on a dimension that its grid has not")? += 1;
            if place.stride == Some(0) {
                return Err("has a stride of zero");
            }
            self.format(format)?;
            self.extents(*template)?;
        }
        let mut before = None;
        for (d, other) in &m.others {
            *used.get_mut(usize::from(*d)).ok_or("names a dimension that its grid has not")? += 1;
            if before.replace(*d) >= Some(*d) {
                return Err("names dimensions of its grid out of order");
            }
            if let Other::Fixed { format, template, .. } = other {
                self.format(format)?;
                self.extents(*template)?;
            }
        }
        let inherited = m.is_inherited();
        if !inherited && used.iter().any(|&n| n != 1) {
            return Err("does not say of each dimension of its grid once who is on it");
        }
        Ok(())
    }

    fn format(&self, format: &Format) -> Result<(), &'static str> {
        match format {
            Format::Block(Size::Known(0)) | Format::Cyclic(Size::Known(0)) => Err("has blocks of size zero"),
            Format::Block(Size::Of(s)) | Format::Cyclic(Size::Of(s)) => self.scalar(*s),
            Format::GenBlock(Values::Of(s)) | Format::Indirect(Values::Of(s)) => self.array(*s),
            Format::GenBlock(Values::Known(v)) | Format::Indirect(Values::Known(v)) if v.iter().any(|&n| n < 0) => {
                Err("has a negative size or coordinate")
            }
            _ => Ok(()),
        }
    }

    fn extents(&self, x: Extents) -> Result<(), &'static str> {
        let Extents::Of(s, d) = x else { return Ok(()) };
        self.array(s)?;
        let has = self.u.sym(s).dims.len() > usize::from(d);
        if has { Ok(()) } else { Err("names a dimension that an array has not") }
    }

    fn scalar(&self, s: Sym) -> Result<(), &'static str> {
        let is = self.u.syms.get(s).is_some_and(|d| d.dims.is_empty() && super::expr::is_integer(d.ty));
        if is { Ok(()) } else { Err("names a size that is no scalar of type integer") }
    }

    fn array(&self, s: Sym) -> Result<(), &'static str> {
        let is = self.u.syms.get(s).is_some_and(|d| !d.dims.is_empty());
        if is { Ok(()) } else { Err("names an array that is not there") }
    }
}
