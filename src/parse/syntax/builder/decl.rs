//! Headers and declarations.

use trueline_diag::Diagnostic;

use super::Builder;
use crate::ast::*;
use crate::parsed::{Header, HeaderKind, PrefixItem, Suffix};

impl Builder {
    /// A type.
    pub fn type_spec(
        &mut self,
        l: u32,
        base: BaseType,
        kind: Option<KindSelector>,
        len: Option<CharLen>,
        r: u32,
    ) -> TypeSpec {
        TypeSpec { base, kind, len, span: self.span(l, r) }
    }

    /// A derived type by its name alone, as before `::` in ALLOCATE.
    pub fn derived_type(&mut self, name: Ident) -> TypeSpec {
        TypeSpec { base: BaseType::Derived(name), kind: None, len: None, span: name.span }
    }

    /// `( word = value )` after a numeric type.
    pub fn kind_selector(&mut self, word: Ident, value: ExprId) -> KindSelector {
        if self.word(word.name) != "kind" {
            let message = format!("Unknown type parameter '{}'", self.word(word.name));
            self.diags.push(Diagnostic::error("T0126", word.span, message).help("The only one here is KIND"));
        }
        KindSelector::Expr(value)
    }

    /// The parentheses after CHARACTER.
    pub fn char_selector(
        &mut self,
        first: (Option<Ident>, CharLen),
        second: Option<(Option<Ident>, CharLen)>,
    ) -> (Option<CharLen>, Option<KindSelector>) {
        let (mut len, mut kind) = (None, None);
        for (position, (word, value)) in [Some(first), second].into_iter().flatten().enumerate() {
            let is_kind = match word.map(|word| self.word(word.name)) {
                Some("kind") => true,
                Some("len") => false,
                Some(other) => {
                    let message = format!("Unknown type parameter '{other}'");
                    let span = word.map(|word| word.span).unwrap_or_else(|| self.span(0, 0));
                    self.diags.push(Diagnostic::error("T0126", span, message).help("CHARACTER has LEN and KIND"));
                    continue;
                }
                None => position == 1,
            };
            match (is_kind, value) {
                (false, value) => len = Some(value),
                (true, CharLen::Expr(value)) => kind = Some(KindSelector::Expr(value)),
                (true, _) => {
                    let span = word.map_or_else(|| self.span(0, 0), |word| word.span);
                    self.error("T0126", span, "A kind must be a constant");
                }
            }
        }
        (len, kind)
    }

    /// A declared entity that ends at `r`.
    pub fn entity(&mut self, name: Ident, dims: Option<ArraySpec>, len: Option<CharLen>, init: Init, r: u32) -> Entity {
        let span = self.span(name.span.start, r);
        Entity { name, dims, len, init, span }
    }

    /// The name of a STRUCTURE: in a world of its own, but that of derived types can be named like it.
    pub fn structure_name(&mut self, name: Ident) -> Ident {
        let text = format!("{}/", self.word(name.name));
        Ident { name: self.ast.names.intern(&text), span: name.span }
    }

    /// That of one that only components have.
    pub fn unnamed_structure(&mut self, fields: &[Entity]) -> Ident {
        let span = fields.first().map_or_else(|| self.span(0, 0), |f| f.name.span);
        let text = format!("{}/", self.ast.stmts.len());
        Ident { name: self.ast.names.intern(&text), span }
    }

    /// The type of a RECORD.
    pub fn record_type(&mut self, name: Ident) -> TypeSpec {
        let name = self.structure_name(name);
        TypeSpec { base: BaseType::Derived(name), kind: None, len: None, span: name.span }
    }

    /// `%FILL`
    pub fn filler(&mut self, name: Ident, dims: Option<ArraySpec>, r: u32) -> Entity {
        if self.word(name.name) != "fill" {
            self.error("T0127", name.span, "Expected %FILL");
        }
        let text = format!("%fill{}", name.span.start);
        let name = Ident { name: self.ast.names.intern(&text), span: name.span };
        self.entity(name, dims, None, Init::None, r)
    }

    /// A declared entity with values between slashes: they become a DATA statement after the declaration.
    pub fn entity_with_data(
        &mut self,
        name: Ident,
        dims: Option<ArraySpec>,
        len: Option<CharLen>,
        values: Vec<DataValue>,
        r: u32,
    ) -> Entity {
        let target = self.leaf(ExprKind::Name(name.name), name.span);
        self.push_item(target);
        let targets = self.take_items(1);
        let entity = self.entity(name, dims, len, Init::None, r);
        self.old_style_data.push(DataGroup { targets, values, span: entity.span });
        entity
    }

    /// BIND(C), BIND(C, NAME=…)
    pub fn bind(&mut self, l: u32, language: Ident, name: Option<(Ident, ExprId)>, r: u32) -> Bind {
        if self.word(language.name) != "c" {
            self.error("T0127", language.span, "The only language of BIND is C");
        }
        if let Some((word, _)) = name
            && self.word(word.name) != "name"
        {
            self.error("T0127", word.span, "Expected NAME= in BIND");
        }
        Bind { name: name.map(|(_, value)| value), span: self.span(l, r) }
    }

    /// The header of a procedure.
    pub fn header(
        &mut self,
        kind: HeaderKind,
        items: Vec<PrefixItem>,
        name: Ident,
        params: Option<Vec<Param>>,
        suffixes: Vec<Suffix>,
    ) -> Header {
        let mut prefix = Prefix::default();
        for item in items {
            let (word, flag) = match &item {
                PrefixItem::Recursive => ("RECURSIVE", Some(&mut prefix.recursive)),
                PrefixItem::Pure => ("PURE", Some(&mut prefix.pure)),
                PrefixItem::Elemental => ("ELEMENTAL", Some(&mut prefix.elemental)),
                PrefixItem::Impure => ("IMPURE", Some(&mut prefix.impure)),
                PrefixItem::Type(_) => ("", None),
            };
            if flag.is_some_and(|flag| std::mem::replace(flag, true)) {
                self.error("T0128", name.span, format!("{word} is given twice for '{}'", self.word(name.name)));
            }
            match item {
                PrefixItem::Type(ty) if prefix.ty.is_some() || kind == HeaderKind::Subroutine => {
                    let message = if kind == HeaderKind::Subroutine {
                        "A SUBROUTINE has no type"
                    } else {
                        "A FUNCTION has one type only"
                    };
                    self.error("T0128", ty.span, message);
                }
                PrefixItem::Type(ty) => prefix.ty = Some(ty),
                _ => {}
            }
        }
        if prefix.pure && prefix.impure {
            let message = format!("PURE and IMPURE exclude each other, but '{}' has both", self.word(name.name));
            self.error("T0128", name.span, message);
        }
        let (result, bind) = self.suffixes(suffixes, kind == HeaderKind::Function);
        Header { kind, name: Some(name), prefix, params: params.unwrap_or_default(), result, bind }
    }

    /// ENTRY
    pub fn entry(&mut self, name: Ident, params: Option<Vec<Param>>, suffixes: Vec<Suffix>) -> StmtKind {
        let (result, bind) = self.suffixes(suffixes, true);
        StmtKind::Entry(Box::new(Entry { name, params: params.unwrap_or_default(), result, bind }))
    }

    fn suffixes(&mut self, suffixes: Vec<Suffix>, is_function: bool) -> (Option<Ident>, Option<Bind>) {
        let (mut result, mut bind) = (None, None);
        for suffix in suffixes {
            match suffix {
                Suffix::Result(name) if is_function => result = Some(name),
                Suffix::Result(name) => self.error("T0128", name.span, "A SUBROUTINE has no RESULT"),
                Suffix::Bind(one) => bind = Some(one),
            }
        }
        (result, bind)
    }

    /// One letter or a range of letters in IMPLICIT.
    pub fn letters(&mut self, first: Ident, last: Option<Ident>) -> (u8, u8) {
        let letter = |ident: Ident| match self.word(ident.name).as_bytes() {
            [one] => Some(*one),
            _ => None,
        };
        let last = last.unwrap_or(first);
        match (letter(first), letter(last)) {
            (Some(from), Some(to)) if from <= to => (from, to),
            (Some(from), Some(_)) => {
                let span = first.span.to(last.span);
                self.error("T0129", span, "The letters of a range must be in alphabetical order");
                (from, from)
            }
            (from, _) => {
                let span = if from.is_none() { first.span } else { last.span };
                self.error("T0129", span, "Expected a single letter");
                (b'a', b'a')
            }
        }
    }

    /// USE
    pub fn use_stmt(&mut self, nature: Option<Ident>, module: Ident, (only, items): (bool, Vec<UseItem>)) -> StmtKind {
        let intrinsic = nature.and_then(|word| match self.word(word.name) {
            "intrinsic" => Some(true),
            "non_intrinsic" => Some(false),
            _ => {
                self.error("T0130", word.span, "Expected INTRINSIC or NON_INTRINSIC");
                None
            }
        });
        StmtKind::Use(Box::new(Use { module, intrinsic, only, items }))
    }
}
