//! Questions to the world around, whose answers differ between ranks: the first rank asks, and the others get the answer.

use super::Code;
use trueline_ir::{Access, BinaryOp, Callee, ExpandKind, Expr, ExprData, Head, Place, Rt, Type};

/// Procedures of the runtime library that ask or change the world, by their names behind `trueline_lib_`; a `_sub` at the end is
/// left out. The number is that of the elements of an array that they define, 1 for scalars.
const LIBRARY: [(&str, i64); 46] = [
    ("access", 1),
    ("chdir", 1),
    ("chmod", 1),
    ("ctime", 1),
    ("dtime", 2),
    ("etime", 2),
    ("fdate", 1),
    ("fget", 1),
    ("fgetc", 1),
    ("fnum", 1),
    ("fput", 1),
    ("fputc", 1),
    ("fseek", 1),
    ("fstat", 13),
    ("ftell", 1),
    ("gerror", 1),
    ("getcwd", 1),
    ("getgid", 1),
    ("getlog", 1),
    ("getpid", 1),
    ("getuid", 1),
    ("gmtime", 9),
    ("hostnm", 1),
    ("idate", 3),
    ("ierrno", 1),
    ("isatty", 1),
    ("itime", 3),
    ("kill", 1),
    ("link", 1),
    ("lstat", 13),
    ("ltime", 9),
    ("mclock", 1),
    ("mclock8", 1),
    ("perror", 1),
    ("rename", 1),
    ("second", 1),
    ("secnds", 1),
    ("sleep", 1),
    ("stat", 13),
    ("symlnk", 1),
    ("system", 1),
    ("time", 1),
    ("time8", 1),
    ("ttynam", 1),
    ("umask", 1),
    ("unlink", 1),
];

/// The number of elements of the VALUES of DATE_AND_TIME.
const VALUES: i64 = 8;

/// The most elements of an array that a call of the world around defines; none if it is no such call.
fn elements(code: &Code<'_, '_, '_>, callee: Callee) -> Option<i64> {
    match callee {
        Callee::Rt(Rt::DateAndTime) => Some(VALUES),
        Callee::Rt(Rt::CpuTime | Rt::SystemClock | Rt::EnvironmentGet) => Some(1),
        Callee::Rt(Rt::CommandRun | Rt::PauseInt | Rt::PauseText) => Some(1),
        Callee::Proc(p) => {
            let name = code.ed.proc(p).symbol.strip_prefix("trueline_lib_")?;
            let name = name.strip_suffix("_sub").unwrap_or(name);
            LIBRARY.iter().find(|(known, _)| *known == name).map(|&(_, n)| n)
        }
        _ => None,
    }
}

/// Whether a call asks the world around, and uses no memory of the program but its arguments.
pub(super) fn is_asked(code: &Code<'_, '_, '_>, callee: Callee) -> bool {
    elements(code, callee).is_some()
}

/// Lets the first rank alone make the call of the statement, if it is one of the world around, and gives all ranks the values that it defined.
pub(super) fn ask_first(code: &mut Code<'_, '_, '_>, head: Head) {
    let Head::Call { callee, result, .. } = head else { return };
    let Some(most) = elements(code, callee) else { return };
    let first = code.ask(Rt::RanksFirst, &[], Type::I4);
    let cond = code.is_set(first);
    let around = code.ed.expand_around(code.from, Head::If { cond }, 0, ExpandKind::Lower);
    let before = std::mem::replace(&mut code.at, Place::After(around));
    for (access, place) in code.ed.references(head) {
        if access != Access::In {
            let bytes = size(code, place, most);
            share(code, place, bytes);
        }
    }
    if let Some(result) = result.expand() {
        let bytes = code.ed.int(Type::I8, code.ed.sym(result).ty.size() as i64);
        let place = code.ed.var(result);
        share(code, place, bytes);
    }
    code.at = before;
}

fn share(code: &mut Code<'_, '_, '_>, place: Expr, bytes: Expr) {
    let place = code.ed.make(ExprData::AddrOf(Access::InOut, place));
    let location = code.location();
    code.call(Rt::RanksShare, &[place, bytes, location]);
}

/// The bytes of a variable that is defined: characters have their length, arrays `most` elements.
fn size(code: &mut Code<'_, '_, '_>, place: Expr, most: i64) -> Expr {
    let (sym, is_array) = match code.ed.expr(place) {
        ExprData::Substr(_, lo, hi) => {
            let one = code.ed.int(Type::I8, 1);
            let difference = code.ed.binary(BinaryOp::Sub, hi, lo);
            return code.ed.binary(BinaryOp::Add, difference, one);
        }
        ExprData::Elem(s, _) => (s, true),
        ExprData::Var(s) => (s, !code.ed.sym(s).dims.is_empty()),
        _ => return code.ed.int(Type::I8, 0),
    };
    match code.ed.sym(sym).len.expand() {
        Some(len) => len,
        None => {
            let bytes = code.ed.sym(sym).ty.size() as i64;
            code.ed.int(Type::I8, if is_array { bytes * most } else { bytes })
        }
    }
}
