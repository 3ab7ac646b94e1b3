//! Mappings from text.

use super::Reader;
use super::expr::Tokens;
use super::lex::Token;
use crate::mapping::{Axis, Extents, Format, Grid, GridExtent, Linear, MappingData, Origin, Other, Size, Values};
use crate::vocabulary as voc;
use smallvec::SmallVec;

impl Reader {
    /// `mapping 0 @3 prescribed dynamic grid p(2, ranks) dims (block of 1:16 on 1, *) rest (2 copies) shadow (1:1, 0:0)`.
    pub(super) fn mapping_line(&mut self, t: &mut Tokens) -> Result<(), String> {
        let number = t.integer()?;
        if usize::try_from(number) != Ok(self.b.mappings().count()) {
            return Err("mappings are numbered from 0 in ascending order".to_owned());
        }
        let serial = if t.is_mark("@") { Some(t.serial()?) } else { None };
        let word = t.word()?;
        let origin = voc::by_word(&voc::ORIGINS, &word).ok_or_else(|| format!("unexpected '{word}'"))?;
        let mut m = MappingData {
            grid: Grid::default(),
            axes: SmallVec::new(),
            others: SmallVec::new(),
            origin,
            dynamic: t.eat_word("dynamic"),
            shadow: SmallVec::new(),
            serial,
        };
        if t.eat_word("grid") {
            m.grid = grid(t)?;
            if !t.eat_word("dims") {
                return Err("expected 'dims'".to_owned());
            }
            list(t, |t| {
                m.axes.push(self.axis(t)?);
                Ok(())
            })?;
        } else if m.origin != Origin::Inherited {
            return Err("expected 'grid'".to_owned());
        }
        if t.eat_word("rest") {
            list(t, |t| {
                m.others.push(self.other(t)?);
                Ok(())
            })?;
        }
        if t.eat_word("shadow") {
            list(t, |t| {
                let below = size(t)?;
                t.expect(":")?;
                m.shadow.push((below, size(t)?));
                Ok(())
            })?;
        }
        t.finished()?;
        match i64::from(self.b.mapping(m).as_u32()) == number {
            true => Ok(()),
            false => Err("the mapping is there twice".to_owned()),
        }
    }

    fn axis(&self, t: &mut Tokens) -> Result<Axis, String> {
        if t.eat("*") {
            return Ok(Axis::Collapsed);
        }
        let (format, template) = self.dealt(t)?;
        if !t.eat_word("on") {
            return Err("expected 'on'".to_owned());
        }
        let grid_dim = dimension(t)?;
        let mut place = Linear { stride: Some(1), offset: Some(0) };
        if t.eat_word("at") {
            place.stride = part(t)?;
            t.expect("*")?;
            if !t.eat_word("i") {
                return Err("expected 'i'".to_owned());
            }
            t.expect("+")?;
            place.offset = part(t)?;
        }
        Ok(Axis::On { grid_dim, place, format, template })
    }

    fn other(&self, t: &mut Tokens) -> Result<(u8, Other), String> {
        let d = dimension(t)?;
        if t.eat_word("copies") {
            return Ok((d, Other::Replicated));
        }
        let (format, template) = self.dealt(t)?;
        if !t.eat_word("fixed") {
            return Err("expected 'fixed'".to_owned());
        }
        Ok((d, Other::Fixed { position: part(t)?, format, template }))
    }

    fn dealt(&self, t: &mut Tokens) -> Result<(Format, Extents), String> {
        let format = match t.word()?.as_str() {
            word @ ("block" | "cyclic") => {
                let size = self.block_size(t)?;
                if word == "block" { Format::Block(size) } else { Format::Cyclic(size) }
            }
            word @ ("gen_block" | "indirect") => {
                t.expect("(")?;
                let values = self.values(t)?;
                t.expect(")")?;
                if word == "gen_block" { Format::GenBlock(values) } else { Format::Indirect(values) }
            }
            word => return Err(format!("'{word}' is no format")),
        };
        if !t.eat_word("of") {
            return Err("expected 'of'".to_owned());
        }
        let template = if t.eat_word("unknown") {
            Extents::Unknown
        } else if t.eat_word("dim") {
            let name = t.name()?;
            Extents::Of(self.known(&name)?, dimension(t)?)
        } else {
            let lo = t.integer()?;
            t.expect(":")?;
            Extents::Known(lo, t.integer()?)
        };
        Ok((format, template))
    }

    fn block_size(&self, t: &mut Tokens) -> Result<Size, String> {
        if !t.eat("(") {
            return Ok(Size::Default);
        }
        let known = if t.eat_word("unknown") {
            Size::Unknown
        } else if t.eat_word("of") {
            let name = t.name()?;
            Size::Of(self.known(&name)?)
        } else {
            Size::Known(size(t)?)
        };
        t.expect(")")?;
        Ok(known)
    }

    fn values(&self, t: &mut Tokens) -> Result<Values, String> {
        if t.eat("*") {
            return Ok(Values::Unknown);
        }
        if !t.eat("[") {
            let name = t.name()?;
            return Ok(Values::Of(self.known(&name)?));
        }
        let mut v = Vec::new();
        while !t.eat("]") {
            if !v.is_empty() {
                t.expect(",")?;
            }
            v.push(t.integer()?);
        }
        Ok(Values::Known(v))
    }

    fn known(&self, name: &str) -> Result<crate::Sym, String> {
        self.names.get(name).copied().ok_or_else(|| format!("'{name}' is not declared"))
    }
}

fn grid(t: &mut Tokens) -> Result<Grid, String> {
    let name = if t.is_mark("(") { None } else { Some(t.name()?) };
    let mut extents = SmallVec::new();
    list(t, |t| {
        extents.push(match t.peek() {
            Some(Token::Number(..)) => GridExtent::Known(size(t)?),
            _ => match t.word()?.as_str() {
                "ranks" if t.eat("/") => GridExtent::Ranks(size(t)?),
                "ranks" => GridExtent::Ranks(1),
                "free" => GridExtent::Free,
                "unknown" => GridExtent::Unknown,
                word => return Err(format!("unexpected '{word}'")),
            },
        });
        Ok(())
    })?;
    Ok(Grid { name, extents })
}

/// A list in parentheses, which may be empty.
fn list(t: &mut Tokens, mut item: impl FnMut(&mut Tokens) -> Result<(), String>) -> Result<(), String> {
    t.expect("(")?;
    let mut first = true;
    while !t.eat(")") {
        if !first {
            t.expect(",")?;
        }
        first = false;
        item(t)?;
    }
    Ok(())
}

fn part(t: &mut Tokens) -> Result<Option<i64>, String> {
    if t.eat_word("unknown") { Ok(None) } else { t.integer().map(Some) }
}

fn size(t: &mut Tokens) -> Result<u64, String> {
    match t.take() {
        Some(Token::Number(n, None)) => n.parse().map_err(|_| format!("bad number '{n}'")),
        _ => Err("expected a number".to_owned()),
    }
}

/// A dimension, which counts from 1 in text.
fn dimension(t: &mut Tokens) -> Result<u8, String> {
    let n = t.integer()?;
    u8::try_from(n).ok().and_then(|n| n.checked_sub(1)).ok_or_else(|| "no dimension has that number".to_owned())
}
