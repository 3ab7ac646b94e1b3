//! The header and the declarations of a unit.

use super::expr::{Tokens, Tree};
use super::lex::Token;
use super::{Line, Reader};
use crate::builder::Builder;
use crate::entities::{Mapping, Sym};
use crate::expr::ExprData;
use crate::symbol::{AreaData, Dim, Intent, ProcData, Storage, SymData};
use crate::unit::{Directive, UnitKind};
use crate::vocabulary as voc;
use crate::{Level, Returned, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_provenance::{CounterInfo, Serial};

/// The memory of an array in a test whose bounds are not constant and that does not say where it lives.
const DEFAULT_SIZE: u64 = 65536;

/// A symbol as declared.
#[derive(Default)]
struct Entity {
    name: String,
    ty: Option<Type>,
    dims: Vec<DimTree>,
    len: Option<Tree>,
    attributes: Vec<Attribute>,
    line: usize,
}

/// A dimension as written.
#[derive(Default)]
struct DimTree {
    lower: Option<Tree>,
    upper: Option<Tree>,
    stride: Option<Tree>,
}

enum Attribute {
    Register,
    Frame,
    Static(String, u64),
    Dummy(u32),
    Value(Option<u32>),
    Pointer(String),
    Within(String, u64),
    Intent(Intent),
    Alias,
    Loaded,
    FromSource(bool),
    Mapped(Mapping),
    Owner(String),
}

struct Header {
    kind: UnitKind,
    name: String,
    params: Vec<String>,
    result: Option<String>,
    returned: Option<Returned>,
    level: Level,
    serial: Serial,
    symbol: Option<String>,
    exported: bool,
}

impl Default for Header {
    fn default() -> Header {
        Header {
            kind: UnitKind::Program,
            name: "main".to_owned(),
            params: Vec::new(),
            result: None,
            returned: None,
            level: Level::H,
            serial: Serial::from_u32(0),
            symbol: None,
            exported: true,
        }
    }
}

impl Reader {
    /// Reads the declarations at the beginning of `lines`; returns how many lines they are.
    pub(super) fn declarations(lines: &[Line]) -> Result<(Reader, usize), String> {
        let at = |line: &Line, e: String| format!("line {}: {e}", line.number);
        let mut used = 0;
        let header = match lines.first() {
            Some(line) if is_header(line) => {
                used = 1;
                read_header(Tokens::new(line.tokens.clone())).map_err(|e| at(line, e))?
            }
            _ => Header::default(),
        };
        let mut reader = Reader::new(&header);
        let mut entities: Vec<Entity> = Vec::new();
        let mut later: Vec<&Line> = Vec::new();
        for line in &lines[used..] {
            let mut t = Tokens::new(line.tokens.clone());
            if line.first_word() == "area" && !is_assignment(line) {
                reader.area_line(&mut t).map_err(|e| at(line, e))?;
            } else if matches!(line.first_word(), "proc" | "counter" | "record" | "directive" | "mapping")
                && !is_assignment(line)
            {
                later.push(line);
            } else if let Some(ty) = declared_type(line, &mut t) {
                read_entities(&mut t, ty, line.number, &mut entities).map_err(|e| at(line, e))?;
            } else {
                break;
            }
            used += 1;
        }
        reader.declare(&header, &entities)?;
        for line in later {
            reader.other_line(&mut Tokens::new(line.tokens.clone())).map_err(|e| at(line, e))?;
        }
        Ok((reader, used))
    }

    fn new(header: &Header) -> Reader {
        let symbol = header.symbol.clone().unwrap_or_else(|| voc::default_symbol(header.kind, &header.name));
        let mut b = Builder::new(&header.name, &symbol, header.kind, header.serial);
        b.set_level(header.level);
        b.set_exported(header.exported);
        Reader { b, names: FxHashMap::default(), labels: FxHashMap::default(), open: Vec::new() }
    }

    /// Makes the symbols: first all names and ranks, then their bounds and storage.
    fn declare(&mut self, header: &Header, entities: &[Entity]) -> Result<(), String> {
        let one = self.b.make(ExprData::Int(Type::I8, 1));
        for e in entities {
            let dims: SmallVec<[Dim; 2]> = e.dims.iter().map(|_| Dim::new(one, None)).collect();
            let sym = self.b.sym(SymData {
                name: source_name(&e.name).to_owned(),
                ty: e.ty.unwrap_or(Type::I4),
                len: None.into(),
                dims,
                storage: Storage::Register,
                intent: Intent::Unknown,
                may_alias: false,
                is_loaded: false,
                from_source: !e.name.contains('.'),
                mapping: None.into(),
                owner: None.into(),
            });
            if self.names.insert(e.name.clone(), sym).is_some() {
                return Err(format!("line {}: '{}' is declared twice", e.line, e.name));
            }
        }
        for p in &header.params {
            let sym = self.sym(p)?;
            self.b.push_param(sym);
        }
        if let Some(r) = &header.result {
            let sym = self.sym(r)?;
            self.b.set_result(sym);
        }
        if let Some(way) = header.returned {
            self.b.set_returned(way);
        }
        for e in entities {
            self.complete(e).map_err(|m| format!("line {}: {m}", e.line))?;
        }
        Ok(())
    }

    fn complete(&mut self, e: &Entity) -> Result<(), String> {
        let sym = self.sym(&e.name)?;
        for (k, d) in e.dims.iter().enumerate() {
            let lower = match &d.lower {
                Some(t) => self.index(t)?,
                None => self.b.make(ExprData::Int(Type::I8, 1)),
            };
            let upper = d.upper.as_ref().map(|t| self.index(t)).transpose()?;
            let stride = d.stride.as_ref().map(|t| self.index(t)).transpose()?;
            self.b.sym_mut(sym).dims[k] = Dim { lower, upper: upper.into(), stride: stride.into() };
        }
        if let Some(len) = &e.len {
            let len = self.index(len)?;
            self.b.sym_mut(sym).len = Some(len).into();
        }
        let mut storage = None;
        for a in &e.attributes {
            match a {
                Attribute::Register => storage = Some(Storage::Register),
                Attribute::Frame => storage = Some(Storage::Frame),
                Attribute::Static(area, offset) => {
                    let found = self.b.areas().find(|(_, data)| data.symbol == *area).map(|(id, _)| id);
                    let area = found.ok_or_else(|| format!("area '{area}' is not declared"))?;
                    storage = Some(Storage::Static { area, offset: *offset });
                }
                Attribute::Dummy(index) => storage = Some(Storage::Dummy { index: *index }),
                Attribute::Value(Some(index)) => storage = Some(Storage::Value { index: *index }),
                Attribute::Value(None) => {
                    let index = self.param_index(sym).ok_or("'value' is for parameters")?;
                    storage = Some(Storage::Value { index });
                }
                Attribute::Pointer(base) => storage = Some(Storage::Pointer { base: self.sym(base)? }),
                Attribute::Within(root, offset) => {
                    storage = Some(Storage::Within { root: self.sym(root)?, offset: *offset });
                }
                Attribute::Intent(intent) => self.b.sym_mut(sym).intent = *intent,
                Attribute::Alias => self.b.sym_mut(sym).may_alias = true,
                Attribute::Loaded => self.b.sym_mut(sym).is_loaded = true,
                Attribute::FromSource(yes) => self.b.sym_mut(sym).from_source = *yes,
                Attribute::Owner(words) => self.b.sym_mut(sym).owner = Some(self.sym(words)?).into(),
                Attribute::Mapped(m) => self.b.sym_mut(sym).mapping = Some(*m).into(),
            }
        }
        let storage = storage.unwrap_or_else(|| self.default_storage(sym, &e.name));
        self.b.sym_mut(sym).storage = storage;
        Ok(())
    }

    fn param_index(&self, sym: Sym) -> Option<u32> {
        self.b.params().iter().position(|&p| p == sym).map(|k| k as u32)
    }

    fn default_storage(&mut self, sym: Sym, name: &str) -> Storage {
        if let Some(index) = self.param_index(sym) {
            return Storage::Dummy { index };
        }
        let data = &self.b.syms[sym];
        if data.dims.is_empty() && data.ty != Type::Char {
            return Storage::Register;
        }
        let size = self.b.constant_size(sym).unwrap_or(DEFAULT_SIZE);
        let area = self.b.area(crate::print::default_area(name, size));
        Storage::Static { area, offset: 0 }
    }

    /// `area name size 800 align 16 local init 0x00ff address 8 of other 16`.
    fn area_line(&mut self, t: &mut Tokens) -> Result<(), String> {
        t.word()?;
        let symbol = t.name()?;
        let mut data = AreaData { symbol, ..crate::print::default_area("", 0) };
        while !t.at_end() {
            match t.word()?.as_str() {
                "size" => data.size = u64::try_from(t.integer()?).map_err(|_| "a size is not negative")?,
                "align" => data.align = u32::try_from(t.integer()?).map_err(|_| "the alignment is out of range")?,
                "init" => match t.take() {
                    Some(Token::Number(hex, None)) => data.init = bytes(&hex)?,
                    _ => return Err("expected '0x' and bytes".to_owned()),
                },
                "address" => {
                    let at = u64::try_from(t.integer()?).map_err(|_| "an offset is not negative")?;
                    if t.word()? != "of" {
                        return Err("expected 'of' and an area".to_owned());
                    }
                    let of = t.name()?;
                    data.addresses.push((at, of, t.integer()?));
                }
                word => {
                    let found = voc::by_word(&voc::LINKAGES, word);
                    data.linkage = found.ok_or_else(|| format!("unexpected '{word}'"))?;
                }
            }
        }
        if !data.init.is_empty() {
            let size = usize::try_from(data.size).unwrap_or(usize::MAX);
            if data.init.len() > size || size > 1 << 30 {
                return Err("the initial content does not fit the size".to_owned());
            }
            data.init.resize(size, 0);
        }
        if data.addresses.iter().any(|(at, ..)| at.checked_add(8).is_none_or(|end| end > data.init.len() as u64)) {
            return Err("an address does not fit the content".to_owned());
        }
        self.b.area(data);
        Ok(())
    }

    fn other_line(&mut self, t: &mut Tokens) -> Result<(), String> {
        match t.word()?.as_str() {
            "proc" => self.proc_line(t),
            "mapping" => self.mapping_line(t),
            "counter" => {
                let of = t.serial()?;
                let word = t.word()?;
                let measure = voc::measure_by_word(&word).ok_or_else(|| format!("'{word}' is no count"))?;
                self.b.counter(CounterInfo { of, measure });
                t.finished()
            }
            "record" => {
                let of = t.serial()?;
                let of = self.via(t, of)?;
                self.record(of);
                t.finished()
            }
            _ => self.directive_line(t),
        }
    }

    /// `proc f_ name f result r8 pure returns libm`.
    fn proc_line(&mut self, t: &mut Tokens) -> Result<(), String> {
        let symbol = t.name()?;
        let mut data: ProcData = crate::print::default_proc(&symbol, None);
        while !t.at_end() {
            match t.word()?.as_str() {
                "name" => data.name = t.name()?,
                "result" => {
                    let word = t.word()?;
                    data.result = Some(voc::by_word(&voc::TYPES, &word).ok_or_else(|| format!("'{word}' is no type"))?);
                }
                "pure" => data.is_pure = true,
                "returns" => data.always_returns = true,
                "libm" => data.is_libm = true,
                word => return Err(format!("unexpected '{word}'")),
            }
        }
        self.b.proc(data);
        Ok(())
    }

    /// `directive independent @4 loop @5 a b "independent, new(a)"`.
    fn directive_line(&mut self, t: &mut Tokens) -> Result<(), String> {
        let kind = t.name()?;
        let serial = t.serial()?;
        let of_loop = if t.eat_word("loop") { Some(t.serial()?) } else { None };
        let mut syms = Vec::new();
        while !matches!(t.peek(), Some(Token::Text(_)) | None) {
            let name = t.name()?;
            syms.push(self.sym(&name)?);
        }
        let text = String::from_utf8(t.text()?).map_err(|_| "the text is not UTF-8")?;
        self.b.directive(Directive { serial, kind, text, syms, of_loop });
        t.finished()
    }
}

fn is_header(line: &Line) -> bool {
    voc::by_word(&voc::KINDS, line.first_word()).is_some()
        && matches!(line.tokens.get(1), Some(Token::Word(_) | Token::Quoted(_)))
}

/// Whether a line that begins with the word of a declaration uses it as a variable.
fn is_assignment(line: &Line) -> bool {
    matches!(line.tokens.get(1), Some(Token::Mark("=" | "(")))
}

/// `subroutine s(a, n) h @1 symbol s_ internal`.
fn read_header(mut t: Tokens) -> Result<Header, String> {
    let kind = voc::by_word(&voc::KINDS, &t.word()?).ok_or("expected a unit")?;
    let mut h = Header { kind, name: t.name()?, ..Header::default() };
    if t.eat("(") {
        while !t.eat(")") {
            if !h.params.is_empty() {
                t.expect(",")?;
            }
            h.params.push(t.name()?);
        }
    }
    while !t.at_end() {
        if t.is_mark("@") {
            h.serial = t.serial()?;
            continue;
        }
        match t.word()?.as_str() {
            "result" => h.result = Some(t.name()?),
            "symbol" => h.symbol = Some(t.name()?),
            "internal" => h.exported = false,
            word if word.starts_with("returned.") => {
                h.returned = Some(Returned::by_word(word).ok_or_else(|| format!("unexpected '{word}'"))?);
            }
            word => h.level = voc::by_word(&voc::LEVELS, word).ok_or_else(|| format!("unexpected '{word}'"))?,
        }
    }
    Ok(h)
}

/// The type that `line` declares symbols of; `t` then stands after it.
fn declared_type(line: &Line, t: &mut Tokens) -> Option<Type> {
    let word = line.first_word();
    let kind = match line.tokens.get(1..4) {
        Some([Token::Mark("("), Token::Number(n, None), Token::Mark(")")]) => n.parse::<u32>().ok(),
        _ => None,
    };
    let ty = match (word, kind) {
        ("integer", None | Some(4)) => Type::I4,
        ("integer", Some(1)) => Type::I1,
        ("integer", Some(2)) => Type::I2,
        ("integer", Some(8)) => Type::I8,
        ("real", Some(4)) => Type::R4,
        ("real", None | Some(8)) => Type::R8,
        ("real", Some(16)) => Type::R16,
        ("complex", Some(16)) => Type::C16,
        ("complex", Some(4)) => Type::C4,
        ("complex", None | Some(8)) => Type::C8,
        ("logical", None | Some(4)) => Type::L4,
        ("logical", Some(1)) => Type::L1,
        ("logical", Some(2)) => Type::L2,
        ("logical", Some(8)) => Type::L8,
        (_, None) => voc::by_word(&voc::TYPES, word)?,
        _ => return None,
    };
    let skip = if kind.is_some() { 4 } else { 1 };
    if !matches!(line.tokens.get(skip), Some(Token::Word(_) | Token::Quoted(_))) {
        return None;
    }
    for _ in 0..skip {
        t.take();
    }
    Some(ty)
}

fn read_entities(t: &mut Tokens, ty: Type, line: usize, out: &mut Vec<Entity>) -> Result<(), String> {
    loop {
        let mut e = Entity { name: t.name()?, ty: Some(ty), line, ..Entity::default() };
        if t.eat("(") {
            while !t.eat(")") {
                if !e.dims.is_empty() {
                    t.expect(",")?;
                }
                let mut d = dim(t)?;
                if t.eat_word("by") {
                    d.stride = Some(t.tree()?);
                }
                e.dims.push(d);
            }
        }
        if e.dims.len() > voc::MAX_RANK {
            return Err(format!("'{}' has too many dimensions", e.name));
        }
        if t.eat("*") {
            e.len = Some(if t.eat("(") {
                let tree = t.tree()?;
                t.expect(")")?;
                tree
            } else {
                Tree::Int(t.integer()?, None)
            });
        }
        while !t.at_end() && !t.is_mark(",") {
            e.attributes.push(attribute(t)?);
        }
        out.push(e);
        if !t.eat(",") {
            return t.finished();
        }
    }
}

/// `100`, `0:n`, `*`, `0:*`.
fn dim(t: &mut Tokens) -> Result<DimTree, String> {
    if t.eat("*") {
        return Ok(DimTree::default());
    }
    let first = Some(t.tree()?);
    if !t.eat(":") {
        return Ok(DimTree { upper: first, ..DimTree::default() });
    }
    let upper = if t.eat("*") { None } else { Some(t.tree()?) };
    Ok(DimTree { lower: first, upper, stride: None })
}

fn attribute(t: &mut Tokens) -> Result<Attribute, String> {
    let index = |t: &mut Tokens| u32::try_from(t.integer()?).map_err(|_| "the index is out of range".to_owned());
    Ok(match t.word()?.as_str() {
        "register" => Attribute::Register,
        "frame" => Attribute::Frame,
        word @ ("static" | "within") => {
            let name = t.name()?;
            let offset = if t.eat("+") { t.integer()? } else { 0 };
            let offset = u64::try_from(offset).map_err(|_| "the offset is out of range")?;
            if word == "static" { Attribute::Static(name, offset) } else { Attribute::Within(name, offset) }
        }
        "dummy" => Attribute::Dummy(index(t)?),
        "value" if matches!(t.peek(), Some(Token::Number(..))) => Attribute::Value(Some(index(t)?)),
        "value" => Attribute::Value(None),
        "pointer" => Attribute::Pointer(t.name()?),
        "intent_in" => Attribute::Intent(Intent::In),
        "intent_out" => Attribute::Intent(Intent::Out),
        "intent_inout" => Attribute::Intent(Intent::InOut),
        "alias" => Attribute::Alias,
        "loaded" => Attribute::Loaded,
        "owner" => Attribute::Owner(t.name()?),
        "mapped" => Attribute::Mapped(Mapping::from_u32(index(t)?)),
        "made" => Attribute::FromSource(false),
        "source" => Attribute::FromSource(true),
        word => return Err(format!("unexpected '{word}'")),
    })
}

/// The name of a symbol that is called `text` in the text: `x#2` is a second `x`.
fn source_name(text: &str) -> &str {
    match text.rsplit_once('#') {
        Some((name, copy)) if !name.is_empty() && copy.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => text,
    }
}

fn bytes(hex: &str) -> Result<Vec<u8>, String> {
    let digits = hex.strip_prefix("0x").filter(|d| d.len() % 2 == 0).ok_or("expected '0x' and whole bytes")?;
    (0..digits.len() / 2)
        .map(|k| u8::from_str_radix(&digits[2 * k..2 * k + 2], 16).map_err(|_| "bad byte".to_owned()))
        .collect()
}
