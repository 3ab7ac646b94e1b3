//! Text to units: the form that [`Display`](std::fmt::Display) of a unit prints, and a shorter one for tests.
//!
//! A unit is a header (`subroutine s(n, a) h @1`), declarations (`i4 n, i`, `r8 a(0:n) intent_in`), and
//! statements, each on a line and followed by its set (`@3`, `@{3,5}`, `@{}`; nothing is the empty set).
//! For tests the header may be left out (a main program at level H), `integer`, `real`, `logical` and
//! `complex` stand for `i4`, `r8`, `l4` and `c8`, a scalar is a register, an array has static memory of
//! its own, and `:` is a whole dimension. A dot in a name must not touch an operator: `i .and. j`.
//!
//! Errors name the line. No text makes the reader panic.

mod declare;
mod expr;
mod lex;
mod mapping;
#[cfg(test)]
mod tests;

use crate::builder::Builder;
use crate::entities::{Block, Expr, Label, Proc, Sym};
use crate::expr::ExprData;
use crate::head::{Callee, Head};
use crate::symbol::ProcData;
use crate::unit::{Program, Unit};
use crate::vocabulary as voc;
use crate::{Rt, Type};
use expr::{Tokens, Tree};
use lex::Token;
use rustc_hash::FxHashMap;
use trueline_provenance::{CounterInfo, FileInfo, Measure, Origin, Serial, SetId, Stmt, StmtInfo, StmtInfos, StmtKind};

/// Reads one unit.
pub fn parse_unit(text: &str) -> Result<Unit, String> {
    let mut program = parse_program(text)?;
    match (program.units.pop(), program.units.len()) {
        (Some(unit), 0) => Ok(unit),
        (None, _) => Err("there is no unit".to_owned()),
        _ => Err("there are several units".to_owned()),
    }
}

/// Reads several units, and the table of source statements (`file` and `info` lines) before them.
pub fn parse_program(text: &str) -> Result<Program, String> {
    let mut program = Program::default();
    let mut lines: Vec<Line> = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let number = n + 1;
        let tokens = lex::tokens(line).map_err(|e| format!("line {number}: {e}"))?;
        let first = match tokens.first() {
            None => continue,
            Some(Token::Word(w)) => w.as_str(),
            Some(_) => "",
        };
        let is_name = matches!(tokens.get(1), Some(Token::Word(_) | Token::Quoted(_)));
        match first {
            "file" | "info" if matches!(tokens.get(1), Some(Token::Text(_) | Token::Mark("@"))) => {
                info_line(tokens, &mut program.infos).map_err(|e| format!("line {number}: {e}"))?;
            }
            _ => {
                if voc::by_word(&voc::KINDS, first).is_some() && is_name && !lines.is_empty() {
                    program.units.push(read_unit(&lines)?);
                    lines.clear();
                }
                lines.push(Line { number, tokens });
            }
        }
    }
    if !lines.is_empty() {
        program.units.push(read_unit(&lines)?);
    }
    Ok(program)
}

/// A line that is not empty.
struct Line {
    number: usize,
    tokens: Vec<Token>,
}

impl Line {
    fn first_word(&self) -> &str {
        match self.tokens.first() {
            Some(Token::Word(w)) => w,
            _ => "",
        }
    }

    fn has_second_word(&self, word: &str) -> bool {
        matches!(self.tokens.get(1), Some(Token::Word(w)) if w == word)
    }
}

/// `file "x.f90"`, or `info @3 do 0:10-20:7 parent @1 array "do i = 1, n"`.
fn info_line(tokens: Vec<Token>, infos: &mut StmtInfos) -> Result<(), String> {
    let mut t = Tokens::new(tokens);
    if t.word()? == "file" {
        let path = String::from_utf8(t.text()?).map_err(|_| "a path is not UTF-8")?;
        infos.files.push(FileInfo { path, text: Vec::new() });
        return t.finished();
    }
    let serial = t.serial()?;
    if serial.as_u32() as usize != infos.stmts.len() {
        return Err(format!("expected the info of @{}", infos.stmts.len()));
    }
    let word = t.word()?;
    let kind = StmtKind::by_name(&word).ok_or_else(|| format!("'{word}' is no kind of statement"))?;
    let mut numbers = [0_u32; 4];
    for (to, mark) in numbers.iter_mut().zip([":", "-", ":", ""]) {
        *to = u32::try_from(t.integer()?).map_err(|_| "a line number is out of range")?;
        if !mark.is_empty() {
            t.expect(mark)?;
        }
    }
    let [file, line, end_line, column] = numbers;
    let parent: Option<Serial> = if t.eat_word("parent") { Some(t.serial()?) } else { None };
    if parent.is_some_and(|p| p >= serial) {
        return Err("the parent of a statement comes before it".to_owned());
    }
    let is_array_expr = t.eat_word("array");
    let text = String::from_utf8(t.text()?).map_err(|_| "the text is not UTF-8")?;
    infos.stmts.push(StmtInfo { file, line, end_line, column, parent: parent.into(), kind, is_array_expr, text });
    t.finished()
}

fn read_unit(lines: &[Line]) -> Result<Unit, String> {
    let (mut reader, used) = Reader::declarations(lines)?;
    let code = &lines[used..];
    let cases = count_cases(code);
    for (k, line) in code.iter().enumerate() {
        reader.line(line, cases.get(&k).copied()).map_err(|e| format!("line {}: {e}", line.number))?;
    }
    match reader.open.last() {
        None => Ok(reader.b.finish()),
        Some(open) => Err(format!("line {}: this has no 'end'", open.line)),
    }
}

/// The number of blocks of each SELECT CASE, by the number of its line: known at its end, needed at its
/// beginning.
fn count_cases(code: &[Line]) -> FxHashMap<usize, usize> {
    let mut out = FxHashMap::default();
    let mut open = Vec::new();
    for (k, line) in code.iter().enumerate() {
        match line.first_word() {
            "do" if line.tokens.len() == 1 => {}
            "if" | "do" | "where" | "forall" | "select" => open.push(k),
            "case" if !line.has_second_word("default") => {
                *out.entry(*open.last().unwrap_or(&0)).or_insert(1) += 1;
            }
            "end" => {
                open.pop();
            }
            _ => {}
        }
    }
    out
}

/// A statement whose `end` has not come yet.
struct Open {
    stmt: Stmt,
    /// The block that statements go to.
    block: usize,
    line: usize,
    /// The type of the value of a SELECT CASE, and the ranges so far.
    cases: Option<(Type, Vec<Expr>)>,
}

/// Reads the lines of a unit.
struct Reader {
    b: Builder,
    names: FxHashMap<String, Sym>,
    labels: FxHashMap<String, Label>,
    open: Vec<Open>,
}

/// Statements.
impl Reader {
    fn sym(&self, name: &str) -> Result<Sym, String> {
        self.names.get(name).copied().ok_or_else(|| format!("'{name}' is not declared"))
    }

    fn label(&mut self, word: &str) -> Result<Label, String> {
        if !word.strip_prefix('L').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) {
            return Err(format!("'{word}' is no label"));
        }
        if let Some(&l) = self.labels.get(word) {
            return Ok(l);
        }
        let l = self.b.label();
        self.labels.insert(word.to_owned(), l);
        Ok(l)
    }

    /// The procedure with that linker symbol, declared or not.
    fn proc(&mut self, symbol: &str, result: Option<Type>) -> Proc {
        let data: ProcData = crate::print::default_proc(symbol, result);
        self.b.proc(data)
    }

    fn block(&self) -> Block {
        match self.open.last() {
            Some(o) => self.b.blocks(o.stmt)[o.block],
            None => self.b.body(),
        }
    }

    fn line(&mut self, line: &Line, cases: Option<usize>) -> Result<(), String> {
        let mut t = Tokens::new(line.tokens.clone());
        match (line.first_word(), line.tokens.len()) {
            ("end", 1) => return self.end(),
            ("else" | "elsewhere" | "do", 1) => return self.separator(line.first_word()),
            ("case", _) => return self.case(&mut t),
            _ => {}
        }
        let (head, prepared) = self.head(&mut t)?;
        let says_nothing = t.is_mark("@");
        let set = self.set(&mut t)?;
        t.finished()?;
        let arity = cases.unwrap_or(1);
        let stmt = self.b.push(self.block(), head, set, arity);
        if set == SetId::EMPTY && says_nothing {
            self.b.made_from_nothing(stmt);
        }
        if head.arity() != Some(0) {
            if self.open.len() >= voc::MAX_NESTING {
                return Err(format!("blocks nest deeper than {}", voc::MAX_NESTING));
            }
            let cases = match head {
                Head::Select { value, .. } => Some((self.b.ty(value), Vec::new())),
                _ => None,
            };
            let block = match head {
                Head::DoWhile { .. } if !prepared => 1,
                Head::Select { .. } => usize::MAX, // no CASE yet
                _ => 0,
            };
            self.open.push(Open { stmt, block, line: line.number, cases });
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        let o = self.open.pop().ok_or("'end' without a beginning")?;
        if let (Some((_, ranges)), Head::Select { value, .. }) = (o.cases, self.b.head(o.stmt)) {
            let ranges = self.b.list(&ranges);
            self.b.set_head(o.stmt, Head::Select { value, ranges });
        }
        Ok(())
    }

    fn separator(&mut self, word: &str) -> Result<(), String> {
        let open = self.open.last_mut().ok_or_else(|| format!("'{word}' without a beginning"))?;
        let fits = open.block == 0 && crate::head::block_word(self.b.head(open.stmt), 1) == word;
        if !fits {
            return Err(format!("'{word}' does not fit here"));
        }
        open.block = 1;
        Ok(())
    }

    /// `case 1, 3:5, 7:` or `case default`.
    fn case(&mut self, t: &mut Tokens) -> Result<(), String> {
        t.word()?;
        let mut open = self.open.pop().ok_or("'case' without 'select'")?;
        let last = self.b.blocks(open.stmt).len().saturating_sub(1);
        let (ty, ranges) = open.cases.as_mut().ok_or("'case' without 'select'")?;
        if open.block == last {
            return Err("'case' after 'case default'".to_owned());
        }
        if t.eat_word("default") {
            open.block = last;
        } else {
            open.block = open.block.wrapping_add(1);
            let none = self.b.make(ExprData::None);
            let number = self.b.make(ExprData::Int(Type::I4, open.block as i64));
            while !t.at_end() {
                let (lo, hi) = match t.subscript()? {
                    Tree::Triplet(lo, hi, None) => {
                        let lo = lo.map_or(Ok(none), |e| self.value(&e, Some(*ty)))?;
                        (lo, hi.map_or(Ok(none), |e| self.value(&e, Some(*ty)))?)
                    }
                    one => {
                        let e = self.value(&one, Some(*ty))?;
                        (e, e)
                    }
                };
                ranges.extend([number, lo, hi]);
                if !t.eat(",") {
                    break;
                }
            }
        }
        self.open.push(open);
        t.finished()
    }

    /// `@7`, `@{3,7}`, `@{}`, or nothing.
    fn set(&mut self, t: &mut Tokens) -> Result<SetId, String> {
        if !t.is_mark("@") {
            return Ok(SetId::EMPTY);
        }
        if !matches!(t.peek_at(1), Some(Token::Mark("{"))) {
            let serial = t.serial()?;
            let origin = self.via(t, serial)?;
            return Ok(self.b.set_of_origins(&[origin]));
        }
        t.take();
        t.take();
        let mut members = Vec::new();
        while !t.eat("}") {
            if !members.is_empty() {
                t.expect(",")?;
            }
            let n = u32::try_from(t.integer()?).ok().filter(|&n| n < u32::MAX);
            let serial = Serial::from_u32(n.ok_or("a serial number is out of range")?);
            members.push(self.via(t, serial)?);
        }
        Ok(self.b.set_of_origins(&members))
    }

    /// `<8<4` after the number of a statement: inlined at the calls 8 and 4.
    pub(super) fn via(&mut self, t: &mut Tokens, stmt: Serial) -> Result<Origin, String> {
        let mut calls = Vec::new();
        while t.eat("<") {
            let n = u32::try_from(t.integer()?).ok().filter(|&n| n < u32::MAX);
            calls.push(Serial::from_u32(n.ok_or("a serial number is out of range")?));
        }
        Ok(self.b.inlined_at(stmt, &calls))
    }

    /// The head, and whether it is a DO WHILE with preparation.
    fn head(&mut self, t: &mut Tokens) -> Result<(Head, bool), String> {
        let keyword = match t.peek() {
            Some(Token::Word(w)) => w.clone(),
            _ => String::new(),
        };
        let head = match keyword.as_str() {
            "if" => Head::If { cond: self.after_word(t)? },
            "where" => Head::Where { mask: self.after_word(t)? },
            "select" => {
                let value = self.after_word(t)?;
                Head::Select { value, ranges: self.b.list(&[]) }
            }
            "forall" => self.forall(t)?,
            "do" => return self.do_head(t),
            "store" => self.store(t)?,
            "call" => self.call(t, None)?,
            "return" => {
                t.take();
                Head::Return
            }
            "goto" => self.goto(t)?,
            "ifarith" => {
                let value = self.after_word(t)?;
                t.expect(",")?;
                let to = self.label_list(t)?;
                Head::ArithIf { value, to: to.try_into().map_err(|_| "'ifarith' takes three labels")? }
            }
            "branch" => {
                let cond = self.after_word(t)?;
                t.expect(",")?;
                match self.label_list(t)?[..] {
                    [then, otherwise] => Head::Branch { cond, then, otherwise },
                    _ => return Err("'branch' takes two labels".to_owned()),
                }
            }
            "tally" | "tripsopen" | "tripsclose" | "trips" | "tripsspread" | "ghost" | "ghostif" | "ghostdo"
            | "ghoststore" | "ghostcall" | "probe" => self.invisible(t)?,
            _ => self.assignment(t)?,
        };
        Ok((head, false))
    }

    fn after_word(&mut self, t: &mut Tokens) -> Result<Expr, String> {
        t.word()?;
        let tree = t.tree()?;
        self.value(&tree, None)
    }

    fn label_list(&mut self, t: &mut Tokens) -> Result<Vec<Label>, String> {
        let mut out = Vec::new();
        loop {
            let word = t.word()?;
            out.push(self.label(&word)?);
            if !t.eat(",") {
                return Ok(out);
            }
        }
    }

    fn goto(&mut self, t: &mut Tokens) -> Result<Head, String> {
        t.word()?;
        if !t.eat("(") {
            let word = t.word()?;
            return Ok(Head::Goto(self.label(&word)?));
        }
        let labels = if t.is_mark(")") { Vec::new() } else { self.label_list(t)? };
        t.expect(")")?;
        t.expect(",")?;
        let tree = t.tree()?;
        let index = self.value(&tree, None)?;
        Ok(Head::GotoTable { index, table: self.b.jump_table(&labels) })
    }

    fn do_head(&mut self, t: &mut Tokens) -> Result<(Head, bool), String> {
        t.word()?;
        let next_is_while = matches!(t.peek(), Some(Token::Word(w)) if w == "while");
        if next_is_while && !matches!(t.peek_at(1), Some(Token::Mark("="))) {
            let cond = self.after_word(t)?;
            return Ok((Head::DoWhile { cond }, t.eat_word("prepared")));
        }
        let name = t.name()?;
        let var = self.sym(&name)?;
        let ty = self.b.syms[var].ty;
        t.expect("=")?;
        let lo = t.tree()?;
        t.expect(",")?;
        let hi = t.tree()?;
        let step = if t.eat(",") { t.tree()? } else { Tree::Int(1, None) };
        let [lo, hi, step] = [self.value(&lo, Some(ty))?, self.value(&hi, Some(ty))?, self.value(&step, Some(ty))?];
        Ok((Head::Do { var, lo, hi, step }, false))
    }

    fn forall(&mut self, t: &mut Tokens) -> Result<Head, String> {
        t.word()?;
        t.expect("(")?;
        let mut indices = Vec::new();
        loop {
            let name = t.name()?;
            let sym = self.sym(&name)?;
            indices.push(self.b.make(ExprData::Var(sym)));
            t.expect("=")?;
            let tree = t.subscript()?;
            indices.push(self.triplet(&tree, None)?);
            if !t.eat(",") {
                break;
            }
        }
        t.expect(")")?;
        let mask = if t.at_end() || t.is_mark("@") {
            None
        } else {
            let tree = t.tree()?;
            Some(self.value(&tree, None)?)
        };
        Ok(Head::Forall { indices: self.b.list(&indices), mask: mask.into() })
    }

    fn store(&mut self, t: &mut Tokens) -> Result<Head, String> {
        let Tree::Apply(_, _, args) = t.tree()? else {
            return Err("expected 'store(symbol, address) = value'".to_owned());
        };
        let (sym, addr, offset) = self.memory(&args)?;
        t.expect("=")?;
        let tree = t.tree()?;
        Ok(Head::Store { addr, offset, value: self.value(&tree, None)?, sym })
    }

    fn call(&mut self, t: &mut Tokens, result: Option<Sym>) -> Result<Head, String> {
        t.word()?;
        let result_type = result.map(|r| self.b.syms[r].ty);
        let callee = if t.eat("*") {
            let name = t.name()?;
            Callee::Dummy(self.sym(&name)?)
        } else {
            match t.take() {
                Some(Token::Word(w)) if w.starts_with("rt.") => {
                    let f = Rt::by_name(&w[3..]).ok_or_else(|| format!("'{w}' is no function of the runtime"))?;
                    Callee::Rt(f)
                }
                Some(Token::Word(w) | Token::Quoted(w)) => Callee::Proc(self.proc(&w, result_type)),
                _ => return Err("expected a procedure".to_owned()),
            }
        };
        t.expect("(")?;
        let mut args = Vec::new();
        while !t.eat(")") {
            if !args.is_empty() {
                t.expect(",")?;
            }
            let hint = match callee {
                Callee::Rt(f) => crate::print::rt_hint(f, args.len()),
                _ => None,
            };
            let tree = t.tree()?;
            args.push(self.value(&tree, hint)?);
        }
        Ok(Head::Call { callee, args: self.b.list(&args), result: result.into() })
    }

    fn invisible(&mut self, t: &mut Tokens) -> Result<Head, String> {
        match t.word()?.as_str() {
            "tally" => {
                let of = t.serial()?;
                let word = t.word()?;
                let measure = voc::measure_by_word(&word).ok_or_else(|| format!("'{word}' is no count"))?;
                let info = CounterInfo { of, measure };
                let of_ranks = t.eat_word("of") && t.eat_word("ranks");
                let counter = if of_ranks { self.b.counter_of_ranks(info) } else { self.b.counter(info) };
                t.expect("+=")?;
                let tree = t.tree()?;
                let amount = self.index(&tree)?;
                Ok(Head::Tally { counter, amount })
            }
            word @ ("tripsopen" | "tripsclose" | "trips" | "tripsspread") => {
                let counter = CounterInfo { of: t.serial()?, measure: Measure::Trips };
                let counter = self.b.counter(counter);
                if matches!(word, "tripsopen" | "tripsclose") {
                    return Ok(Head::Bracket { counter, opens: word == "tripsopen" });
                }
                let tree = t.tree()?;
                let trips = self.index(&tree)?;
                t.expect("times")?;
                let tree = t.tree()?;
                Ok(Head::Trips { counter, trips, times: self.index(&tree)?, spread: word == "tripsspread" })
            }
            "ghost" => {
                let name = t.name()?;
                let var = self.sym(&name)?;
                t.expect("=")?;
                let tree = t.tree()?;
                let ty = self.b.syms[var].ty;
                Ok(Head::Ghost { var, value: self.value(&tree, Some(ty))? })
            }
            "ghostif" => {
                let tree = t.tree()?;
                Ok(Head::GhostIf { cond: self.value(&tree, None)? })
            }
            "ghostdo" => {
                let tree = t.tree()?;
                Ok(Head::GhostDo { trips: self.index(&tree)? })
            }
            "ghostcall" => {
                let name = t.name()?;
                let result = self.sym(&name)?;
                t.expect("=")?;
                match self.call(t, Some(result))? {
                    Head::Call { callee, args, .. } => Ok(Head::GhostCall { callee, args, result }),
                    _ => Err("expected a call".to_owned()),
                }
            }
            "ghoststore" => {
                let tree = t.tree()?;
                let place = self.value(&tree, None)?;
                t.expect("=")?;
                let tree = t.tree()?;
                let ty = self.b.ty(place);
                Ok(Head::GhostStore { place, value: self.value(&tree, Some(ty))? })
            }
            _ => {
                let word = t.word()?;
                let op = voc::by_word(&voc::PROBES, &word).ok_or_else(|| format!("'{word}' is no probe"))?;
                let of = t.serial()?;
                let of = self.via(t, of)?;
                let record = self.record(of);
                let entry = match t.eat_word("entry") {
                    true => {
                        let tree = t.tree()?;
                        Some(self.value(&tree, None)?)
                    }
                    false => None,
                };
                Ok(Head::Probe { op, record, entry: entry.into() })
            }
        }
    }

    /// The record of an instance of a source statement, made once.
    fn record(&mut self, of: Origin) -> u32 {
        match self.b.records().iter().position(|&r| r == of) {
            Some(r) => r as u32,
            None => self.b.record(of),
        }
    }

    /// `L1:`, `place = value`, or `result = call …`.
    fn assignment(&mut self, t: &mut Tokens) -> Result<Head, String> {
        if let (Some(Token::Word(w)), Some(Token::Mark(":"))) = (t.peek().cloned(), t.peek_at(1)) {
            t.take();
            t.take();
            return Ok(Head::Label(self.label(&w)?));
        }
        let tree = t.tree()?;
        let place = self.value(&tree, None)?;
        t.expect("=")?;
        if matches!(t.peek(), Some(Token::Word(w)) if w == "call") {
            return match self.b.expr(place) {
                ExprData::Var(r) => self.call(t, Some(r)),
                _ => Err("the result of a call goes to a register".to_owned()),
            };
        }
        let tree = t.tree()?;
        let hint = self.b.ty(place);
        let value = self.value(&tree, Some(hint))?;
        Ok(match self.b.pool().rank(place) {
            0 => Head::Assign { place, value },
            _ => Head::ArrayAssign { place, value },
        })
    }
}
