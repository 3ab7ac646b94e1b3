//! Procedures and their calls in objects that were compiled apart: before a link each call is compared with the procedure that
//! the program will have.
//!
//! ```text
//! a.f90:2:10   call s(1.5)                     '1.5' is REAL(4)
//! b.f90:2:14   integer :: k                    the argument 'k' of 's' is INTEGER(4)
//! ```
//!
//! Objects of other compilers tell nothing, and nothing is said of them. Of an archive only the members count that the linker
//! takes, in its order: each defines a symbol which is needed by then.

use super::files;
use crate::driver::Session;
use crate::runtime;
use object::read::archive::ArchiveFile;
use object::read::{Object as _, ObjectSymbol as _};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::process::Command;
use trueline_codegen::tables::interfaces::of_object;
use trueline_diag::{Diagnostic, FileId, Span};
use trueline_ir::interface::{Argument, Interface, Invoked, Role};

/// An object of the link, or a member of an archive.
struct Member {
    interfaces: Vec<Interface>,
    defines: BTreeSet<String>,
    needs: BTreeSet<String>,
    is_linked: bool,
}

/// A difference between a call, or an interface block, and the procedure.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Difference {
    at: (u32, u32),
    message: String,
    /// The place in the procedure.
    because: (u32, u32),
}

/// Compares the interfaces of all objects of a link command. Differences are put into the session's diagnostics, as errors if the
/// program `is_checked`.
pub fn check(command: &Command, session: &mut Session, is_checked: bool) {
    // The runtime library is no Fortran.
    let is_ours = |p: &Path| p.file_name().is_some_and(|name| name == runtime::NAME);
    let mut members: Vec<Member> = files(command).iter().filter(|p| !is_ours(p)).flat_map(|p| read(p)).collect();
    take_needed(&mut members);
    let linked = || members.iter().filter(|m| m.is_linked);
    let mut definitions: BTreeMap<&str, &Interface> = BTreeMap::new();
    for i in linked().flat_map(|m| &m.interfaces).filter(|i| i.role == Role::Definition) {
        definitions.entry(&i.symbol).or_insert(i);
    }
    let mut found: BTreeSet<(&Interface, Difference, &str)> = BTreeSet::new();
    for member in linked() {
        let is_use = |i: &&Interface| matches!(i.role, Role::Call | Role::Declaration);
        let uses = member.interfaces.iter().filter(is_use).filter(|i| member.needs.contains(&i.symbol));
        for used in uses {
            let Some(definition) = definitions.get(used.symbol.as_str()) else { continue };
            found.extend(differences(used, definition).into_iter().map(|d| (used, d, definition.file.as_str())));
        }
    }
    for (used, difference, file) in &found {
        let diagnostic = diagnostic(session, &used.file, difference, file, is_checked);
        session.diagnostics.push(diagnostic);
    }
}

/// The objects of a file. An archive without interfaces has none.
fn read(path: &Path) -> Vec<Member> {
    let Ok(bytes) = runtime::read(path) else { return Vec::new() };
    if !bytes.starts_with(&object::archive::MAGIC) {
        return member(&bytes, true).into_iter().collect();
    }
    let Ok(archive) = ArchiveFile::parse(&*bytes) else { return Vec::new() };
    let members = archive.members().map_while(Result::ok).filter_map(|m| m.data(&*bytes).ok());
    let members: Vec<Member> = members.filter_map(|data| member(data, false)).collect();
    if members.iter().all(|m| m.interfaces.is_empty()) { Vec::new() } else { members }
}

fn member(bytes: &[u8], is_linked: bool) -> Option<Member> {
    let file = object::read::File::parse(bytes).ok()?;
    let (mut defines, mut needs) = (BTreeSet::new(), BTreeSet::new());
    for symbol in file.symbols().filter(object::ObjectSymbol::is_global) {
        // A procedure by our own convention is the same procedure.
        let name = symbol.name().unwrap_or_default();
        let name = name.strip_suffix(trueline_ir::DIRECT).unwrap_or(name).to_owned();
        if symbol.is_undefined() {
            needs.insert(name);
        } else {
            defines.insert(name);
        }
    }
    Some(Member { interfaces: of_object(&file), defines, needs, is_linked })
}

/// Takes the members of archives that define needed symbols, and the members that these need in turn.
fn take_needed(members: &mut [Member]) {
    let mut definers: HashMap<&str, usize> = HashMap::new();
    let numbered = || members.iter().enumerate();
    // Objects come first: the linker has them in any case.
    for (k, m) in numbered().filter(|(_, m)| m.is_linked).chain(numbered().filter(|(_, m)| !m.is_linked)) {
        m.defines.iter().for_each(|d| _ = definers.entry(d).or_insert(k));
    }
    let mut taken: Vec<bool> = members.iter().map(|m| m.is_linked).collect();
    let mut todo: Vec<usize> = numbered().filter(|(_, m)| m.is_linked).map(|(k, _)| k).collect();
    while let Some(k) = todo.pop() {
        for &definer in members[k].needs.iter().filter_map(|n| definers.get(n.as_str())) {
            if !std::mem::replace(&mut taken[definer], true) {
                todo.push(definer);
            }
        }
    }
    members.iter_mut().zip(taken).for_each(|(m, taken)| m.is_linked = taken);
}

/// The differences between a call or an interface block and the procedure.
fn differences(used: &Interface, own: &Interface) -> Vec<Difference> {
    let name = &own.name;
    let whole = |message: String| vec![Difference { at: used.place, message, because: own.place }];
    match (used.invoked, own.invoked) {
        (Invoked::Function, Invoked::Subroutine) => {
            return whole(format!("'{name}' is a subroutine, but is used as a function here"));
        }
        (Invoked::Subroutine, Invoked::Function) => {
            return whole(format!("'{name}' is a function, but is called as a subroutine"));
        }
        _ => {}
    }
    let is_call = used.role == Role::Call;
    let asks = own.result.iter().chain(&own.arguments).find(|a| !a.explicit.is_empty());
    if let Some(a) = asks.filter(|_| is_call) {
        let message = format!("A call of '{name}' needs its explicit interface: {}", a.explicit);
        return vec![Difference { at: used.place, message, because: a.place }];
    }
    let (n, m) = (used.arguments.len(), own.arguments.len());
    if n != m {
        let words = if is_call { "is called with" } else { "is declared with" };
        return whole(format!("'{name}' {words} {n} argument(s), but has {m}"));
    }
    let mut out = Vec::new();
    if let (Some(a), Some(b)) = (&used.result, &own.result) {
        out.extend(of_results(name, a, b).map(|message| Difference { at: used.place, message, because: b.place }));
    }
    for (a, b) in used.arguments.iter().zip(&own.arguments) {
        let message = if is_call { of_arguments(name, a, b) } else { of_dummies(name, a, b) };
        out.extend(message.map(|message| Difference { at: a.place, message, because: b.place }));
    }
    out
}

fn of_results(name: &str, a: &Argument, b: &Argument) -> Option<String> {
    if !types_agree(a, b) {
        return Some(format!("'{name}' is declared as {} here, but is a function of {}", a.ty, b.ty));
    }
    match (a.length, b.length) {
        (Some(m), Some(n)) if m != n => {
            Some(format!("'{name}' has the length {m} here, but is a function of the length {n}"))
        }
        _ => None,
    }
}

fn types_agree(a: &Argument, b: &Argument) -> bool {
    a.ty.is_empty() || b.ty.is_empty() || a.ty == b.ty
}

/// The reason why the actual argument `a` does not fit the dummy argument `b`.
fn of_arguments(name: &str, a: &Argument, b: &Argument) -> Option<String> {
    if a.ty.is_empty() || b.ty.is_empty() {
        return None;
    }
    let dummy = &b.name;
    if a.ty != b.ty {
        return Some(format!("The argument '{dummy}' of '{name}' is {}, but {} is passed", b.ty, a.ty));
    }
    let is_array = |n: u32| if n == 0 { "a scalar".to_owned() } else { format!("an array of rank {n}") };
    if a.rank > 0 && b.rank == 0 || b.rank > 0 && a.rank == 0 && !a.in_sequence {
        let (want, have) = (is_array(b.rank), is_array(a.rank));
        return Some(format!("The argument '{dummy}' of '{name}' is {want}, but {have} is passed"));
    }
    if b.changes && !a.changes {
        return Some(format!("The argument '{dummy}' of '{name}' is changed, but what is passed is not a variable"));
    }
    if let (Some(have), Some(want), 0, 0) = (a.length, b.length, a.rank, b.rank)
        && have < want
    {
        return Some(format!("The argument '{dummy}' of '{name}' has the length {want}, but {have} is passed"));
    }
    // The elements of characters follow each other whatever their length.
    let unit = |x: &Argument| if x.ty == "CHARACTER" { x.length } else { Some(1) };
    let have = a.elements.and_then(|n| n.checked_mul(unit(a)?))?;
    let want = b.elements.and_then(|n| n.checked_mul(unit(b)?))?;
    let word = if a.ty == "CHARACTER" { "characters" } else { "elements" };
    (have < want).then(|| format!("The argument '{dummy}' of '{name}' has {want} {word}, but {have} are passed"))
}

/// The reason why the dummy argument `a` of an interface block is not `b` of the procedure.
fn of_dummies(name: &str, a: &Argument, b: &Argument) -> Option<String> {
    if a.ty.is_empty() || b.ty.is_empty() {
        return None;
    }
    let dummy = &b.name;
    if a.ty != b.ty {
        return Some(format!("The argument '{dummy}' of '{name}' is {}, but {} is declared", b.ty, a.ty));
    }
    let by_descriptor = |x: &Argument| x.rank > 0 && !x.in_sequence;
    if by_descriptor(a) != by_descriptor(b) || (a.rank == 0) != (b.rank == 0) || by_descriptor(a) && a.rank != b.rank {
        let form = |x: &Argument| match (x.rank, x.in_sequence) {
            (0, _) => "a scalar".to_owned(),
            (n, true) => format!("an array of rank {n}"),
            (n, false) => format!("an array of rank {n} without bounds of its own"),
        };
        return Some(format!("The argument '{dummy}' of '{name}' is {}, but {} is declared", form(b), form(a)));
    }
    None
}

fn diagnostic(session: &mut Session, file: &str, d: &Difference, own: &str, is_error: bool) -> Diagnostic {
    let (at, because) = (span(session, file, d.at), span(session, own, d.because));
    let place = |file: &str, at: (u32, u32)| format!("{file}:{}:{}", at.0, at.1);
    let out = match at {
        Some(at) if is_error => Diagnostic::error("T0031", at, d.message.clone()),
        Some(at) => Diagnostic::warning("T0031", at, d.message.clone()),
        None if is_error => Diagnostic::global_error("T0031", format!("{}: {}", place(file, d.at), d.message)),
        None => Diagnostic::global_warning("T0031", format!("{}: {}", place(file, d.at), d.message)),
    };
    let out = match because.filter(|_| out.primary.is_some()) {
        Some(because) => out.because(because, "as it is compiled"),
        None => out.note(format!("as it is compiled, {}", place(own, d.because))),
    };
    out.help("Correct one of the two and compile its file anew; -fallow-argument-mismatch compiles a file without this check")
}

/// The text at a place up to the end of the argument that begins there.
fn span(session: &mut Session, path: &str, (line, column): (u32, u32)) -> Option<Span> {
    let file: FileId = super::source(session, path)?;
    let source = session.map.file(file);
    let range = source.line_range(line);
    let start = range.start + (column as usize).checked_sub(1)?;
    let text = source.bytes().get(start..range.end)?;
    let mut depth = 0usize;
    let end = text.iter().position(|&b| {
        match b {
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b')' | b',' if depth == 0 => return true,
            b'!' | b'&' | b';' => return true,
            _ => {}
        }
        false
    });
    let len = text[..end.unwrap_or(text.len())].trim_ascii_end().len();
    (len > 0).then(|| Span::new(file, start as u32, (start + len) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object, then an archive of which one member is needed by the other.
    #[test]
    fn members_that_are_needed() {
        let member = |defines: &[&str], needs: &[&str], is_linked| {
            let set = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect();
            Member { interfaces: Vec::new(), defines: set(defines), needs: set(needs), is_linked }
        };
        let mut all = [
            member(&["c"], &["e"], false),
            member(&["b"], &["c"], false),
            member(&["main", "e"], &["b"], true),
            member(&["b"], &["d"], false),
            member(&["d", "e"], &[], false),
        ];
        take_needed(&mut all);
        assert_eq!(all.map(|m| m.is_linked), [true, true, true, false, false]);
    }

    fn argument(name: &str, ty: &str, rank: u32) -> Argument {
        Argument { name: name.into(), ty: ty.into(), rank, in_sequence: rank > 0, changes: true, ..Argument::default() }
    }

    fn interface(role: Role, invoked: Invoked, arguments: Vec<Argument>) -> Interface {
        let (symbol, name, file) = ("s_".to_owned(), "s".to_owned(), "a.f90".to_owned());
        Interface { symbol, name, role, invoked, file, place: (1, 1), result: None, arguments }
    }

    fn told(a: Argument, b: Argument) -> Vec<String> {
        let call = interface(Role::Call, Invoked::Subroutine, vec![a]);
        let own = interface(Role::Definition, Invoked::Subroutine, vec![b]);
        differences(&call, &own).into_iter().map(|d| d.message).collect()
    }

    #[test]
    fn arguments_that_do_not_fit() {
        let x = |ty, rank| argument("x", ty, rank);
        assert_eq!(
            told(x("REAL(4)", 0), x("INTEGER(4)", 0)),
            ["The argument 'x' of 's' is INTEGER(4), but REAL(4) is passed"]
        );
        assert_eq!(told(x("REAL(4)", 2), x("REAL(4)", 0)).len(), 1);
        let scalar = Argument { in_sequence: false, ..x("REAL(4)", 0) };
        assert_eq!(told(scalar, x("REAL(4)", 1)).len(), 1);
        let sized = |n| Argument { elements: Some(n), ..x("REAL(4)", 1) };
        assert_eq!(told(sized(3), sized(4)), ["The argument 'x' of 's' has 4 elements, but 3 are passed"]);
        let text = |n| Argument { length: Some(n), ..x("CHARACTER", 0) };
        assert_eq!(told(text(3), text(4)), ["The argument 'x' of 's' has the length 4, but 3 is passed"]);
        let constant = Argument { changes: false, ..x("REAL(4)", 0) };
        assert_eq!(told(constant, x("REAL(4)", 0)).len(), 1);
        let optional = Argument { explicit: "the dummy argument is OPTIONAL".into(), ..x("REAL(4)", 0) };
        assert_eq!(
            told(x("REAL(4)", 0), optional),
            ["A call of 's' needs its explicit interface: the dummy argument is OPTIONAL"]
        );
    }

    #[test]
    fn arguments_that_fit() {
        let x = |ty, rank| argument("x", ty, rank);
        let sized = |n| Argument { elements: Some(n), ..x("REAL(4)", 1) };
        let element = Argument { in_sequence: true, ..x("REAL(4)", 0) };
        let constant = Argument { changes: false, ..x("REAL(4)", 0) };
        let is_read = Argument { changes: false, ..x("REAL(4)", 0) };
        for (a, b) in [
            (x("REAL(4)", 2), x("REAL(4)", 1)),
            (element, x("REAL(4)", 1)),
            (sized(5), sized(4)),
            (x("", 0), x("REAL(4)", 1)),
            (x("REAL(4)", 1), x("", 0)),
            (constant, is_read),
        ] {
            assert_eq!(told(a.clone(), b.clone()), Vec::<String>::new(), "{a:?} {b:?}");
        }
    }

    #[test]
    fn procedures_that_are_something_else() {
        let own = interface(Role::Definition, Invoked::Subroutine, Vec::new());
        let of = |role, invoked, n| {
            let used = interface(role, invoked, vec![argument("", "REAL(4)", 0); n]);
            differences(&used, &own).into_iter().map(|d| d.message).collect::<Vec<_>>()
        };
        assert_eq!(of(Role::Call, Invoked::Function, 0), ["'s' is a subroutine, but is used as a function here"]);
        assert_eq!(of(Role::Call, Invoked::Subroutine, 1), ["'s' is called with 1 argument(s), but has 0"]);
        assert_eq!(of(Role::Declaration, Invoked::Subroutine, 2), ["'s' is declared with 2 argument(s), but has 0"]);
        assert_eq!(of(Role::Call, Invoked::Subroutine, 0), Vec::<String>::new());
    }
}
