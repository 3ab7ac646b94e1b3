//! `-finit-real=` and its kin: what local variables hold that nobody gave a value.

use crate::lower::Lower;
use crate::sema::scope::symbol::{Extent, Home, Symbol, SymbolId};
use crate::sema::scope::{Declarations, ScopeId, ScopeKind};
use crate::sema::types::kinds::Category;
use trueline_ir::{Expr, ExprData, Rt, Type};

/// What `-finit-real=` says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum InitialReal {
    Zero,
    Infinity,
    MinusInfinity,
    QuietNan,
    SignallingNan,
}

impl InitialReal {
    /// The bits, of an `R4` the low 32.
    fn bits(self, ty: Type) -> u128 {
        // Sign, exponent and the first bits of the fraction; the others are zero.
        let top = |short: u32, long: u64, longest: u16| match ty {
            Type::R4 => short.into(),
            Type::R16 => u128::from(longest) << 112 | u128::from(long & 0x000f_ffff_ffff_ffff) << 60,
            _ => u128::from(long),
        };
        match self {
            InitialReal::Zero => 0,
            InitialReal::Infinity => top(0x7f80_0000, 0x7ff0_0000_0000_0000, 0x7fff),
            InitialReal::MinusInfinity => top(0xff80_0000, 0xfff0_0000_0000_0000, 0xffff),
            InitialReal::QuietNan => top(0x7fc0_0000, 0x7ff8_0000_0000_0000, 0x7fff),
            InitialReal::SignallingNan => top(0x7fa0_0000, 0x7ff4_0000_0000_0000, 0x7fff),
        }
    }
}

/// Longer character values are left as they are: initial values have limits.
const MOST_CHARACTERS: i64 = 1 << 28;

/// The initial values by type; none: whatever is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Initial {
    /// REAL and both parts of COMPLEX.
    pub real: Option<InitialReal>,
    /// INTEGER
    pub integer: Option<i64>,
    /// LOGICAL
    pub logical: Option<bool>,
    /// CHARACTER: the code of every character.
    pub character: Option<u8>,
    /// `-finit-derived`: components of derived types, too.
    pub derived: bool,
}

impl Initial {
    /// Applies `NAME` or `NAME=VALUE` after `-finit-`; false if it is none of them.
    pub fn apply(&mut self, flag: &str) -> bool {
        let (name, value) = flag.split_once('=').unwrap_or((flag, ""));
        let value = value.to_ascii_lowercase();
        let value = value.as_str();
        match (name, value) {
            ("local-zero", "") => {
                *self = Initial {
                    real: Some(InitialReal::Zero),
                    integer: Some(0),
                    logical: Some(false),
                    character: Some(0),
                    derived: self.derived,
                };
            }
            ("derived", "") => self.derived = true,
            ("real", "zero") => self.real = Some(InitialReal::Zero),
            ("real", "inf") => self.real = Some(InitialReal::Infinity),
            ("real", "-inf") => self.real = Some(InitialReal::MinusInfinity),
            ("real", "nan") => self.real = Some(InitialReal::QuietNan),
            ("real", "snan") => self.real = Some(InitialReal::SignallingNan),
            ("integer", n) => match n.parse() {
                Ok(n) => self.integer = Some(n),
                Err(_) => return false,
            },
            ("character", n) => match n.parse::<u8>() {
                Ok(n) if n < 128 => self.character = Some(n),
                _ => return false,
            },
            ("logical", "true") => self.logical = Some(true),
            ("logical", "false") => self.logical = Some(false),
            _ => return false,
        }
        true
    }
}

impl Initial {
    /// What a scalar in static memory or in a structure holds that nobody gave a value; of a character value with its length.
    pub(crate) fn bytes(self, ty: Type, len: Extent) -> Option<Vec<u8>> {
        let size = ty.size();
        let real = |ty: Type| Some(self.real?.bits(ty).to_le_bytes()[..ty.size()].to_vec());
        Some(match Category::of(ty) {
            Category::Integer => self.integer?.to_le_bytes()[..size].to_vec(),
            Category::Logical => i64::from(self.logical?).to_le_bytes()[..size].to_vec(),
            Category::Real => real(ty)?,
            Category::Complex => real(ty.part())?.repeat(2),
            _ => match (self.character, len) {
                (Some(code), Extent::Known(n)) if ty == Type::Char && n <= MOST_CHARACTERS => {
                    vec![code; usize::try_from(n).ok()?]
                }
                _ => return None,
            },
        })
    }
}

/// Variables that keep their values begin with what `-finit-…` says, if nothing else is said of them.
pub(crate) fn preset_kept(decls: &mut Declarations<'_>, scope: ScopeId) {
    let initial = decls.options.initial;
    let s = &decls.scopes[scope];
    if initial == Initial::default() || matches!(s.kind, ScopeKind::Module | ScopeKind::BlockData | ScopeKind::Program)
    {
        return;
    }
    for id in s.own.clone() {
        let symbol = &decls.symbols[id];
        let Home::Static { area, offset } = symbol.home else { continue };
        let a = &symbol.attrs;
        let other = a.initialised || a.common || a.equivalenced || symbol.is_indirect() || symbol.structure.is_some();
        if other || !symbol.is_variable() || !is_kept(decls, scope, symbol) {
            continue;
        }
        let one = symbol.ty.and_then(|ty| initial.bytes(ty, symbol.len));
        let Some((one, count)) = one.zip(symbol.element_count()) else { continue };
        crate::sema::storage::data::put_content(decls, scope, (area, offset), &one, count);
    }
}

/// Whether a local variable of `scope` keeps its value when the procedure ends.
fn is_kept(decls: &Declarations<'_>, scope: ScopeId, symbol: &Symbol) -> bool {
    let all = decls.options.no_automatic && !crate::sema::storage::is_recursive(decls, scope);
    symbol.attrs.save || decls.scopes[scope].save_all || all
}

impl Lower<'_, '_> {
    /// At entry: the variables that have no value yet.
    pub(crate) fn preset_locals(&mut self) {
        let initial = self.cx.decls.options.initial;
        let scope = &self.cx.decls.scopes[self.home];
        if initial == Initial::default() || matches!(scope.kind, ScopeKind::Module | ScopeKind::BlockData) {
            return;
        }
        for &id in &scope.own {
            let s = self.symbol(id);
            let automatic = matches!(s.home, Home::Automatic) && s.is_variable();
            if !automatic && !self.is_new_at_entry(s) {
                continue;
            }
            if let Some(code) = initial.character.filter(|_| s.ty == Some(Type::Char) && s.structure.is_none()) {
                self.preset_characters(id, code);
                continue;
            }
            let Some(value) = s.ty.and_then(|ty| self.preset(initial, ty)) else { continue };
            if let Ok(place) = self.variable(id, s.span) {
                self.assign(place.e, value);
            }
        }
    }

    /// Whether `s` is a variable of this procedure that is new at every entry and has no value.
    pub(crate) fn is_new_at_entry(&self, s: &Symbol) -> bool {
        let decls = self.cx.decls;
        let scope = &decls.scopes[self.home];
        let a = &s.attrs;
        let kept = is_kept(decls, self.home, s) && scope.kind != ScopeKind::Program;
        let local = matches!(s.home, Home::Register | Home::Frame | Home::Static { .. });
        s.is_variable()
            && local
            && !kept
            && !(a.initialised || a.common || a.equivalenced || a.allocatable || a.pointer)
    }

    fn preset_characters(&mut self, id: SymbolId, code: u8) {
        let span = self.symbol(id).span;
        let Some(to) = self.variable(id, span).ok().and_then(|v| self.as_str(v)) else { return };
        let one = self.text(&[code]);
        let [text, _] = self.read_str(one);
        let room = self.str_temp(to.len, &[]);
        let (count, len) = (to.len, self.int8(1));
        let [address, _] = self.write_str(room);
        self.call_rt(Rt::CharRepeat, &[address, text, len, count]);
        self.assign_str(to, room);
    }

    fn preset(&mut self, initial: Initial, ty: Type) -> Option<Expr> {
        let data = match Category::of(ty) {
            Category::Integer => ExprData::Int(ty, crate::lower::emit::wrap(ty, initial.integer?)),
            Category::Real => ExprData::real_bits(ty, initial.real?.bits(ty)),
            Category::Complex => {
                let part = ty.part();
                let bits = self.make(ExprData::real_bits(part, initial.real?.bits(part)));
                return Some(self.complex_of(bits, bits, part));
            }
            Category::Logical => ExprData::Logical(ty, initial.logical?),
            _ => return None,
        };
        Some(self.make(data))
    }
}
