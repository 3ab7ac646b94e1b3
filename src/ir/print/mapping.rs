//! Mappings as text.

use super::Printer;
use crate::mapping::{Axis, Extents, Format, Grid, GridExtent, Linear, Origin, Other, Size, Values};
use crate::vocabulary as voc;

impl Printer<'_> {
    /// `mapping 0 @3 prescribed grid p(2, ranks) dims (block of 1:16 on 1 at 2 * i - 1, *) rest (2 copies)`.
    pub(super) fn mappings(&mut self) -> String {
        for (id, m) in self.u.mappings() {
            let serial = m.serial.map_or(String::new(), |serial| format!("{serial} "));
            self.out.push_str(&format!("mapping {} {serial}{}", id.as_u32(), voc::word(&voc::ORIGINS, m.origin)));
            self.out.push_str(if m.dynamic { " dynamic" } else { "" });
            if m.origin != Origin::Inherited
                || !m.axes.is_empty()
                || !m.grid.extents.is_empty()
                || m.grid.name.is_some()
            {
                self.grid(&m.grid);
                self.out.push_str(" dims (");
                for (k, axis) in m.axes.iter().enumerate() {
                    self.out.push_str(if k > 0 { ", " } else { "" });
                    self.axis(axis);
                }
                self.out.push(')');
            }
            if !m.others.is_empty() {
                self.out.push_str(" rest (");
                for (k, (d, other)) in m.others.iter().enumerate() {
                    self.out.push_str(if k > 0 { ", " } else { "" });
                    self.other(*d, other);
                }
                self.out.push(')');
            }
            if !m.shadow.is_empty() {
                let widths: Vec<String> = m.shadow.iter().map(|(lo, hi)| format!("{lo}:{hi}")).collect();
                self.out.push_str(&format!(" shadow ({})", widths.join(", ")));
            }
            self.out.push('\n');
        }
        std::mem::take(&mut self.out)
    }

    fn grid(&mut self, grid: &Grid) {
        self.out.push_str(" grid ");
        if let Some(name) = &grid.name {
            self.out.push_str(&voc::quoted(name, true));
        }
        self.out.push('(');
        let extent = |x: &GridExtent| match x {
            GridExtent::Known(n) => n.to_string(),
            GridExtent::Ranks(1) => "ranks".to_owned(),
            GridExtent::Ranks(by) => format!("ranks / {by}"),
            GridExtent::Free => "free".to_owned(),
            GridExtent::Unknown => "unknown".to_owned(),
        };
        let extents: Vec<String> = grid.extents.iter().map(extent).collect();
        self.out.push_str(&format!("{})", extents.join(", ")));
    }

    fn axis(&mut self, axis: &Axis) {
        let Axis::On { grid_dim, place, format, template } = axis else {
            self.out.push('*');
            return;
        };
        self.dealt(format, *template);
        self.out.push_str(&format!(" on {}", u32::from(*grid_dim) + 1));
        if *place != (Linear { stride: Some(1), offset: Some(0) }) {
            let part = |x: Option<i64>| x.map_or("unknown".to_owned(), |n| n.to_string());
            self.out.push_str(&format!(" at {} * i + {}", part(place.stride), part(place.offset)));
        }
    }

    fn other(&mut self, d: u8, other: &Other) {
        self.out.push_str(&format!("{} ", u32::from(d) + 1));
        match other {
            Other::Replicated => self.out.push_str("copies"),
            Other::Fixed { position, format, template } => {
                self.dealt(format, *template);
                let position = position.map_or("unknown".to_owned(), |n| n.to_string());
                self.out.push_str(&format!(" fixed {position}"));
            }
        }
    }

    fn dealt(&mut self, format: &Format, template: Extents) {
        match format {
            Format::Block(size) | Format::Cyclic(size) => {
                self.out.push_str(if matches!(format, Format::Block(_)) { "block" } else { "cyclic" });
                match size {
                    Size::Default => {}
                    Size::Known(n) => self.out.push_str(&format!("({n})")),
                    Size::Of(s) => {
                        self.out.push_str("(of ");
                        self.sym(*s);
                        self.out.push(')');
                    }
                    Size::Unknown => self.out.push_str("(unknown)"),
                }
            }
            Format::GenBlock(values) | Format::Indirect(values) => {
                self.out.push_str(if matches!(format, Format::GenBlock(_)) { "gen_block" } else { "indirect" });
                self.out.push('(');
                match values {
                    Values::Known(v) => {
                        let v: Vec<String> = v.iter().map(i64::to_string).collect();
                        self.out.push_str(&format!("[{}]", v.join(", ")));
                    }
                    Values::Of(s) => self.sym(*s),
                    Values::Unknown => self.out.push('*'),
                }
                self.out.push(')');
            }
        }
        self.out.push_str(" of ");
        match template {
            Extents::Known(lo, hi) => self.out.push_str(&format!("{lo}:{hi}")),
            Extents::Of(s, d) => {
                self.out.push_str("dim ");
                self.sym(s);
                self.out.push_str(&format!(" {}", u32::from(d) + 1));
            }
            Extents::Unknown => self.out.push_str("unknown"),
        }
    }
}
