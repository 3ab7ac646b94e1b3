//! The kind of statement of a logical line.
//!
//! Fortran has no reserved words: `IF(I)=3` assigns, `DO10I=1.10` assigns to DO10I, and `real integer` declares a variable.
//! So the first question is whether the line is an assignment, by its shape; only then whether it starts with a keyword. The
//! answer is the first token; the rest of the line follows as tokens, with the words that are keywords in this
//! statement marked as such.

use trueline_diag::Diagnostic;

use crate::ast::*;
use crate::builder::Meant;
use crate::form::Form;
use crate::parsed::{EndKind, HeaderKind};
use crate::scan::{Reported, Scanner, is_word_byte};
use crate::spelling::closest;
use crate::token::{Kw, Tok};

mod declaration;
mod directive;
mod extrinsic;
mod refused;
mod table;

pub use directive::{hpf, text_name};

/// The next step of the driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// The tokens are complete.
    Tokens,
    /// The tokens are the head of a one-line IF, WHERE or FORALL; its statement starts here.
    Tail(usize),
    /// A FORMAT, whose text starts here.
    Format(usize),
}

/// The treatment of the text after a keyword.
#[derive(Clone, Copy)]
enum Rule {
    /// It becomes tokens.
    Rest(Tok),
    /// There is none.
    Alone(Kw),
    /// It starts with a parenthesis.
    Paren(Tok),
    /// It lists entities that get the attribute.
    Attr(Kw),
    /// It may name operators.
    Generic(Tok),
    /// Lists between slashes, where a comma before a slash means nothing.
    Slashes(Kw),
    /// A function knows.
    Custom(fn(&mut Scanner<'_>) -> Result<Class, Reported>),
}

/// Classifies the text at the scanner and turns it into tokens. `name` gets the construct name in front of it.
pub fn classify(s: &mut Scanner<'_>, name: &mut Option<Ident>) -> Result<Class, Reported> {
    s.skip_blanks();
    if let Some(arrow) = assignment(s) {
        s.kw(if arrow { Kw::PointerAssignment } else { Kw::Assignment });
        s.rest()?;
        return Ok(Class::Tokens);
    }
    *name = construct_name(s);
    extrinsic::prefix(s);
    if declaration::header(s)? || declaration::type_declaration(s)? {
        return Ok(Class::Tokens);
    }
    let start = s.pos;
    let first = s.peek();
    if first == b'e'
        && let Some(result) = end_of(s)
    {
        return result;
    }
    for (word, rule) in table::STATEMENTS.iter().filter(|(word, _)| word.as_bytes()[0] == first) {
        let Some(end) = s.keyword(start, word) else { continue };
        s.pos = end;
        if let Some(result) = apply(s, *rule) {
            return result;
        }
        s.pos = start;
    }
    refused::feature(s)?;
    unknown(s)
}

/// None when the rule does not fit the text after the keyword, so that another keyword may.
fn apply(s: &mut Scanner<'_>, rule: Rule) -> Option<Result<Class, Reported>> {
    let tok = match rule {
        Rule::Alone(kw) if s.at_end() => Tok::Kw(kw),
        Rule::Alone(_) => return None,
        Rule::Paren(_) if s.peek() != b'(' => return None,
        Rule::Paren(tok) | Rule::Rest(tok) | Rule::Generic(tok) => tok,
        Rule::Attr(_) => Tok::Kw(Kw::Attribute),
        Rule::Slashes(kw) => Tok::Kw(kw),
        Rule::Custom(custom) => return Some(custom(s)),
    };
    s.marker(tok);
    if let Rule::Attr(kw) = rule {
        s.kw(kw);
    }
    let result = if matches!(rule, Rule::Generic(_)) { s.generic_rest() } else { s.rest() };
    if matches!(rule, Rule::Slashes(_)) {
        drop_commas(s);
    }
    Some(result.map(|()| Class::Tokens))
}

/// Removes the commas before slashes: `COMMON /A/ X, /B/ Y`.
fn drop_commas(s: &mut Scanner<'_>) {
    let mut kept = 0;
    for at in 0..s.out.len() {
        let next = s.out.get(at + 1).map(|token| token.1);
        if s.out[at].1 == Tok::Comma && matches!(next, Some(Tok::Slash | Tok::Slashes)) {
            continue;
        }
        s.out[kept] = s.out[at];
        kept += 1;
    }
    s.out.truncate(kept);
}

/// Whether the text has the shape `name … =` (false) or `name … =>` (true), with subscripts and components in between, and is no DO.
fn assignment(s: &Scanner<'_>) -> Option<bool> {
    let text = s.text();
    let mut at = word_end(text, s.pos)?;
    let mut plain = true;
    loop {
        at = s.blanks_end(at);
        match text.get(at)? {
            b'(' | b'[' => at = s.close(at)? + 1,
            b'%' => at = word_end(text, s.blanks_end(at + 1))?,
            b'.' if s.b.structures => at = word_end(text, s.blanks_end(at + 1))?,
            b'=' => break,
            _ => return None,
        }
        plain = false;
    }
    match text.get(at + 1) {
        Some(b'=') => None,
        Some(b'>') => Some(true),
        // DO10I=1,10 has a comma that the assignment DO10I=F(1,10) has not.
        _ if plain && s.line.form == Form::Fixed && text[s.pos..].starts_with(b"do") => {
            let comma = s.find(at + 1, |rest| rest[0] == b',');
            comma.is_none().then_some(false)
        }
        // PARAMETER A=1,B=2 without parentheses has a comma, too; with a single name only the blank decides.
        _ if plain && s.line.form == Form::Fixed && text[s.pos..].starts_with(b"parameter") => {
            let comma = s.find(at + 1, |rest| rest[0] == b',');
            let word = s.span(s.pos, s.pos + "parameter".len() + 1);
            let apart = (word.end - word.start) as usize > "parameter".len() + 1;
            (comma.is_none() && !apart).then_some(false)
        }
        _ => Some(false),
    }
}

/// The end of the word at `at`.
fn word_end(text: &[u8], at: usize) -> Option<usize> {
    if !text.get(at)?.is_ascii_lowercase() {
        return None;
    }
    Some(at + text[at..].iter().take_while(|byte| is_word_byte(**byte)).count())
}

/// `name :` in front of a construct.
fn construct_name(s: &mut Scanner<'_>) -> Option<Ident> {
    let text = s.text();
    let start = s.pos;
    let end = word_end(text, start)?;
    let colon = s.blanks_end(end);
    if text.get(colon) != Some(&b':') || text.get(colon + 1) == Some(&b':') {
        return None;
    }
    let name = s.b.ast.names.intern(std::str::from_utf8(&text[start..end]).unwrap_or_default());
    s.pos = colon + 1;
    s.skip_blanks();
    Some(Ident { name, span: s.span(start, end) })
}

/// A line that starts with no keyword.
fn unknown(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    let (text, start) = (s.text(), s.pos);
    let span = s.line.span(start, text.trim_ascii_end().len().max(start));
    let Some(end) = word_end(text, start) else {
        let what = text.get(start).filter(|byte| byte.is_ascii_graphic()).map(|byte| *byte as char);
        let message = match what {
            Some(char) => format!("A statement cannot start with '{char}'"),
            None => "Expected a statement".to_string(),
        };
        return s.fail("T0106", s.span(start, (start + 1).min(text.len())), message);
    };
    let word = std::str::from_utf8(&text[start..end.min(start + 64)]).unwrap_or_default();
    let mut diagnostic = Diagnostic::error("T0106", span, "Unrecognised statement");
    let leading = declaration::LEADING.iter().chain(&["enddo", "endif"]).copied();
    let known = table::STATEMENTS.iter().map(|(word, _)| *word).chain(leading);
    if let Some(near) = closest(word, known) {
        diagnostic = diagnostic.help(format!("Did you mean {}?", near.to_uppercase()));
        s.b.meant = meant_header(s, near, end);
    } else if s.line.form == Form::Free && end > start && text.get(end) == Some(&b' ') && s.peek() == b'c' && end == 1 {
        diagnostic = diagnostic.help("Comments in free source form start with '!'");
    }
    s.b.diags.push(diagnostic);
    Err(Reported)
}

/// The header that begins with the word `near`, if one does; its own word ends at `end`.
fn meant_header(s: &mut Scanner<'_>, near: &str, end: usize) -> Option<Meant> {
    let kind = match near {
        "subroutine" => HeaderKind::Subroutine,
        "function" => HeaderKind::Function,
        "module" => HeaderKind::Module,
        "program" => HeaderKind::Program,
        _ => return None,
    };
    let start = s.blanks_end(end);
    let text = s.text();
    let name = word_end(text, start).map(|stop| {
        let name = s.b.ast.names.intern(std::str::from_utf8(&text[start..stop]).unwrap_or_default());
        Ident { name, span: s.line.span(start, stop) }
    });
    Some(Meant::Header(kind, name))
}

fn tokens(result: Result<(), Reported>) -> Result<Class, Reported> {
    result.map(|()| Class::Tokens)
}

// Statements of the table with words or parts of their own.

fn if_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    let is_block = s.text().trim_ascii_end().ends_with(b"then");
    if s.peek() != b'(' || s.close(s.pos).is_none() {
        if is_block {
            s.kw(Kw::If);
            s.kw(Kw::Then);
        }
        if s.peek() == b'(' {
            s.must_close(s.pos)?;
        }
        return s.fail("T0107", s.span(s.pos, s.pos + 1), "Expected '(' after IF");
    }
    let close = s.must_close(s.pos)?;
    let tail = s.blanks_end(close + 1);
    let text = s.text();
    if text[tail..].trim_ascii_end() == b"then" {
        s.kw(Kw::If);
        s.lex(close + 1)?;
        s.eat_kw("then", Kw::Then);
        return Ok(Class::Tokens);
    }
    if text.get(tail).is_some_and(u8::is_ascii_digit) {
        s.kw(Kw::IfArith);
        return tokens(s.rest());
    }
    one_line(s, Kw::IfLogical, close, tail)
}

/// The head up to `close`, and the statement after it.
fn one_line(s: &mut Scanner<'_>, kw: Kw, close: usize, tail: usize) -> Result<Class, Reported> {
    if tail >= s.text().len() {
        return s.fail("T0107", s.span(close, close + 1), "Expected THEN or a statement after this parenthesis");
    }
    s.kw(kw);
    s.lex(close + 1)?;
    Ok(Class::Tail(tail))
}

/// ELSE IF (…) THEN, or an ELSE of a construct that is called IF.
fn else_if(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    if s.at_end() {
        s.kw(Kw::Else);
        s.pos = s.text().len() - 2;
        return tokens(s.rest());
    }
    s.kw(Kw::ElseIf);
    if !s.group()? {
        return s.fail("T0107", s.span(s.pos, s.pos + 1), "Expected '(' after ELSE IF");
    }
    s.eat_kw("then", Kw::Then);
    tokens(s.rest())
}

fn where_or_forall(s: &mut Scanner<'_>, construct: Kw, statement: Kw) -> Result<Class, Reported> {
    if s.peek() != b'(' {
        return unknown(s);
    }
    let close = s.must_close(s.pos)?;
    let tail = s.blanks_end(close + 1);
    let one = tail < s.text().len();
    s.kw(if one { statement } else { construct });
    forall_header(s, close)?;
    Ok(if one { Class::Tail(tail) } else { Class::Tokens })
}

/// A parenthesis up to `close` that may begin with a type and `::`.
fn forall_header(s: &mut Scanner<'_>, close: usize) -> Result<(), Reported> {
    let open = s.pos;
    if s.type_before_colons(open + 1) {
        s.lex(open + 1)?;
        s.type_spec(false)?;
    }
    s.lex(close + 1)
}

fn where_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    where_or_forall(s, Kw::Where, Kw::WhereStmt)
}

fn forall_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    where_or_forall(s, Kw::Forall, Kw::ForallStmt)
}

fn do_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    s.kw(Kw::Do);
    s.digits();
    if s.peek() == b',' {
        s.lex(s.pos + 1)?;
    }
    let at = s.pos;
    for (word, kw) in [("while", Kw::While), ("concurrent", Kw::Concurrent)] {
        if let Some(end) = s.keyword(at, word)
            && s.text().get(s.blanks_end(end)) == Some(&b'(')
        {
            s.eat_kw(word, kw);
            let open = s.blanks_end(s.pos);
            let close = s.must_close(open)?;
            s.pos = open;
            if kw == Kw::Concurrent {
                forall_header(s, close)?;
                return refused::locality(s, close + 1);
            }
        }
    }
    tokens(s.rest())
}

fn assign_label(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    s.kw(Kw::AssignLabel);
    if s.digits() {
        s.eat_kw("to", Kw::To);
    }
    tokens(s.rest())
}

fn allocate(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    s.kw(Kw::Allocate);
    if s.peek() == b'(' && s.type_before_colons(s.pos + 1) {
        s.lex(s.pos + 1)?;
        s.type_spec(false)?;
    }
    tokens(s.rest())
}

fn print_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    s.marker(Tok::IoFormat(IoKind::Print));
    tokens(s.rest())
}

fn read_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    let list = s.peek() == b'(';
    s.marker(if list { Tok::Io(IoKind::Read) } else { Tok::IoFormat(IoKind::Read) });
    tokens(s.rest())
}

/// REWIND and the like: a control list, or a unit alone.
fn positioning(s: &mut Scanner<'_>, kind: IoKind) -> Result<Class, Reported> {
    let list = s.peek() == b'(' && s.close(s.pos).is_some_and(|close| s.blanks_end(close + 1) >= s.text().len());
    s.marker(if list { Tok::Io(kind) } else { Tok::IoUnit(kind) });
    tokens(s.rest())
}

fn format_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    if s.peek() != b'(' {
        return unknown(s);
    }
    Ok(Class::Format(s.pos))
}

/// The ENDs, which may be written in one word or two.
const ENDS: &[(&str, EndKind)] = &[
    ("end associate", EndKind::Associate),
    ("end block data", EndKind::Header(HeaderKind::BlockData)),
    ("end block", EndKind::Block),
    ("end do", EndKind::Do),
    ("end enum", EndKind::Enum),
    ("end forall", EndKind::Forall),
    ("end function", EndKind::Header(HeaderKind::Function)),
    ("end if", EndKind::If),
    ("end interface", EndKind::Interface),
    ("end module", EndKind::Header(HeaderKind::Module)),
    ("end procedure", EndKind::Procedure),
    ("end program", EndKind::Header(HeaderKind::Program)),
    ("end select", EndKind::Select),
    ("end subroutine", EndKind::Header(HeaderKind::Subroutine)),
    ("end type", EndKind::Type),
    ("end where", EndKind::Where),
    ("end structure", EndKind::Structure),
    ("end union", EndKind::Union),
    ("end map", EndKind::Map),
];

/// END of a construct or unit, with the word that names its kind.
fn end_of(s: &mut Scanner<'_>) -> Option<Result<Class, Reported>> {
    if s.keyword(s.pos, "end file").is_some() {
        return None;
    }
    let is_off = !s.b.structures;
    let mut ends =
        ENDS.iter().filter(|(_, k)| !(is_off && matches!(k, EndKind::Structure | EndKind::Union | EndKind::Map)));
    let (_, kind) = ends.find(|(word, _)| s.eat(word))?;
    s.marker(Tok::End(*kind));
    Some(tokens(s.generic_rest()))
}

/// END alone, or followed by a word that it cannot end.
fn end_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    if s.at_end() {
        s.marker(Tok::End(EndKind::Unit));
        return Ok(Class::Tokens);
    }
    let start = s.pos;
    refused::end(s)?;
    let text = s.text();
    let span = s.line.span(start, text.trim_ascii_end().len());
    let mut diagnostic = Diagnostic::error("T0106", span, "Unrecognised END statement");
    // The name after it says nothing.
    let end = word_end(text, start).unwrap_or(start);
    let word = std::str::from_utf8(&text[start..end.min(start + 64)]).unwrap_or_default();
    if let Some(near) = closest(word, ENDS.iter().map(|(word, _)| &word[4..])) {
        diagnostic = diagnostic.help(format!("Did you mean END {}?", near.to_uppercase()));
        s.b.meant = ENDS.iter().find(|(word, _)| &word[4..] == near).map(|(_, kind)| Meant::End(*kind));
    }
    s.b.diags.push(diagnostic);
    Err(Reported)
}

fn entry_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    s.kw(Kw::Entry);
    declaration::name_and_params(s)?;
    tokens(declaration::suffixes(s))
}

fn use_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    s.kw(Kw::Use);
    let text = s.text();
    // Up to the comma after the module's name: past `, INTRINSIC ::` or `::`.
    let start = s.find(s.pos, |rest| rest.starts_with(b"::")).map_or(s.pos, |colons| colons + 2);
    let comma = s.find(start, |rest| rest[0] == b',');
    s.lex(comma.map_or(text.len(), |comma| comma + 1))?;
    if comma.is_some() && s.keyword(s.pos, "only").is_some_and(|end| text.get(s.blanks_end(end)) == Some(&b':')) {
        s.eat_kw("only", Kw::Only);
    }
    tokens(s.generic_rest())
}

/// `MODULE PROCEDURE a, b` of an interface block, or a module whose name begins with PROCEDURE.
fn module_procedure(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    if s.at_end() {
        return s.fail("T0107", s.line.whole(), "Expected the name of a procedure after MODULE PROCEDURE");
    }
    s.kw(Kw::ModuleProcedure);
    tokens(s.rest())
}

fn include_line(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    let span = s.line.whole();
    let message = "An INCLUDE line consists of INCLUDE and a file name in quotes, and nothing else";
    s.fail("T0108", span, message)
}

fn backspace(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    positioning(s, IoKind::Backspace)
}

fn endfile(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    positioning(s, IoKind::Endfile)
}

fn flush(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    positioning(s, IoKind::Flush)
}

fn rewind(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    positioning(s, IoKind::Rewind)
}

fn write_statement(s: &mut Scanner<'_>) -> Result<Class, Reported> {
    s.marker(Tok::Io(IoKind::Write));
    tokens(s.rest())
}

/// The words that the documentation lists, in lower case and in the order of the tables.
#[derive(Clone, Debug)]
pub struct Words {
    /// The words that statements start with.
    pub statements: Vec<&'static str>,
    /// The types.
    pub types: Vec<&'static str>,
    /// The attributes of a declaration.
    pub attributes: Vec<&'static str>,
    /// The refused features, with their origins.
    pub refused: Vec<(&'static str, &'static str)>,
}

/// The words of the tables by which statements are told apart.
pub fn words() -> Words {
    let mut refused: Vec<(&str, &str)> =
        refused::STATEMENTS.iter().chain(refused::ATTRIBUTES).map(|&(_, feature, origin)| (feature, origin)).collect();
    refused.sort_unstable();
    refused.dedup();
    Words {
        statements: table::STATEMENTS.iter().map(|row| row.0).collect(),
        types: declaration::TYPES.iter().map(|row| row.0).collect(),
        attributes: declaration::ATTRIBUTES.iter().map(|row| row.0).collect(),
        refused,
    }
}
