//! Chooses the cases of a program.

use super::roots::{self, Actual};
use super::{Argument, Callee, Case, Form, Home, Intent, Program, Ty};
use crate::rng::Rng;
use std::collections::BTreeSet;

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0xa46_0511);
    let home = rng.pick(&[Home::Module, Home::Program, Home::Procedure]);
    let count = rng.range(4, 10) as usize;
    let cases = (1..=count).map(|number| case(&mut rng, home, number)).collect();
    Program { seed, home, cases }
}

fn case(rng: &mut Rng, home: Home, number: usize) -> Case {
    let callees = [
        Callee::Module,
        Callee::Internal,
        Callee::Internal,
        Callee::External,
        Callee::Entry,
        Callee::PassedModule,
        Callee::PassedInternal,
    ];
    let callee = rng.pick(&callees);
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut arguments = Vec::new();
    let wanted = rng.range(1, 6) as usize;
    for _ in 0..40 {
        if arguments.len() == wanted {
            break;
        }
        let name = format!("d{}", arguments.len() + 1);
        let Some(a) = argument(rng, &name, &used) else { continue };
        let fits = match callee {
            Callee::External => a.plain,
            Callee::Entry | Callee::PassedModule | Callee::PassedInternal => a.passed_on,
            _ => true,
        };
        // gfortran 12 takes an optional value for absent beside a string with its length.
        let is_lost = |a: &Argument| a.declaration.contains("value, optional");
        let has_length = |a: &Argument| a.declaration.starts_with("character(*)");
        let among = |is: fn(&Argument) -> bool| is(&a) || arguments.iter().any(is);
        let is_lost = among(is_lost) && among(has_length);
        if fits && !is_lost {
            if a.declaration.contains(", pointer") && !a.declaration.contains("intent(out)") {
                used.insert(pointed(&a.root));
            }
            used.insert(a.root.clone());
            arguments.push(a);
        }
    }
    let reaches = match callee {
        Callee::Internal | Callee::PassedInternal => true,
        _ => home == Home::Module && callee != Callee::External,
    };
    let host = if reaches { host(rng, &used) } else { Vec::new() };
    // In references of functions gfortran 12 loses deferred lengths.
    let may_be_function = callee != Callee::External && callee != Callee::Entry;
    let has_result = rng.chance(35) && may_be_function && arguments.iter().all(|a| a.passed_on);
    let result = has_result.then(|| result(rng, &arguments));
    let keywords =
        if callee != Callee::External && rng.chance(35) { rng.below(arguments.len() + 1) } else { usize::MAX };
    Case { number, callee, arguments, host, result, keywords }
}

fn host(rng: &mut Rng, used: &BTreeSet<String>) -> Vec<String> {
    let statements = roots::host_statements();
    let count = rng.below(5);
    let chosen = (0..count).map(|_| rng.pick(&statements));
    let free = chosen.filter(|(root, _)| !used.contains(*root));
    free.map(|(_, statement)| statement.to_owned()).collect()
}

/// The declaration of the result, and the statements that give it a value.
fn result(rng: &mut Rng, arguments: &[Argument]) -> (String, Vec<String>) {
    let ty = rng.pick(&Ty::ALL);
    let l = ty.letter();
    let spec = spec(ty, "4");
    let shaped = arguments.iter().find(|a| a.declaration.contains("(:)") && !a.declaration.contains("optional"));
    let size = shaped.filter(|a| !is_indirect(a)).map_or_else(|| "n3".to_owned(), |a| format!("size({})", a.name));
    match rng.below(5) {
        0 => (format!("{spec} :: r"), vec![format!("r = m{l}o")]),
        1 => (format!("{spec} :: r({size})"), vec![format!("r = m{l}o"), format!("if (size(r) > 1) r(2) = m{l}(1)")]),
        2 => (format!("{spec}, allocatable :: r(:)"), vec![format!("r = m{l}(n1:n2)")]),
        3 => (format!("{spec}, pointer :: r(:)"), vec![format!("r(0:) => m{l}(n2:1:-n1)")]),
        _ => (format!("{spec}, pointer :: r"), vec![format!("r => m{l}(n3)")]),
    }
}

fn is_indirect(a: &Argument) -> bool {
    a.declaration.contains("allocatable") || a.declaration.contains("pointer")
}

fn spec(ty: Ty, len: &str) -> String {
    match ty {
        Ty::Int => "integer".to_owned(),
        Ty::Real => "real(8)".to_owned(),
        Ty::Text => format!("character({len})"),
        Ty::Pair => "type(pair)".to_owned(),
        Ty::Deferred => "character(:)".to_owned(),
    }
}

/// The choices about a dummy argument before its body.
struct Choice {
    ty: Ty,
    rank: usize,
    form: Form,
    intent: Intent,
    optional: bool,
    value: bool,
    absent: bool,
}

fn argument(rng: &mut Rng, name: &str, used: &BTreeSet<String>) -> Option<Argument> {
    let mut c = Choice {
        ty: rng.pick(&Ty::ALL),
        rank: 0,
        form: Form::Scalar,
        intent: rng.pick(&[Intent::None, Intent::In, Intent::Out, Intent::InOut]),
        optional: rng.chance(20),
        value: false,
        absent: false,
    };
    c.absent = c.optional && rng.chance(45);
    let forms = [Form::Scalar, Form::Explicit, Form::AssumedSize, Form::AssumedShape, Form::Allocatable, Form::Pointer];
    c.form = forms[rng.weighted(&[3, 2, 2, 4, 2, 4])];
    match c.form {
        // gfortran 12 is wrong about characters by value, and fails at values that are optional and no numbers.
        Form::Scalar => c.value = rng.chance(20) && c.ty != Ty::Text && !(c.optional && c.ty == Ty::Pair),
        Form::AssumedSize => c.rank = 1,
        Form::Allocatable | Form::Pointer => {
            c.rank = rng.below(3);
            if c.rank == 0 && rng.chance(30) {
                c.ty = Ty::Deferred;
            }
        }
        _ => c.rank = 1 + rng.below(2),
    }
    match c.form {
        Form::Allocatable | Form::Pointer => indirect(rng, name, &c, used),
        _ => direct(rng, name, &c, used),
    }
}

/// An argument of a dummy argument that is neither ALLOCATABLE nor POINTER.
fn direct(rng: &mut Rng, name: &str, c: &Choice, used: &BTreeSet<String>) -> Option<Argument> {
    let is_sequence = matches!(c.form, Form::Explicit | Form::AssumedSize);
    // The elements of a sequence may come from an array of any rank, or from an element on.
    let of_rank = if is_sequence { rng.pick(&[1, 1, 2]) } else { c.rank };
    let mut pool = roots::actuals(c.ty, of_rank);
    if is_sequence && rng.chance(25) {
        pool = elements(c.ty);
    }
    let changes = !c.value && matches!(c.intent, Intent::Out | Intent::InOut);
    pool.retain(|a| !used.contains(&a.root) && (a.is_place || !changes) && (!is_sequence || a.count > 0));
    if pool.is_empty() {
        return None;
    }
    let actual = rng.pick(&pool);
    // gfortran copies no section in for INTENT(OUT), so elements behind those of the dummy argument are lost.
    let is_section = is_sequence && actual.text.contains([':', '%']);
    let intent = if is_section && matches!(c.intent, Intent::Out) { Intent::InOut } else { c.intent };
    let c = &Choice { intent, ..*c };
    let may_change = changes || c.value || (c.intent == Intent::None && actual.is_place);
    let (shape, whole) = shape(rng, name, c, &actual);
    let star = c.ty == Ty::Text && !c.value && rng.chance(50);
    let mut attributes = attributes(c);
    if c.form == Form::AssumedShape && rng.chance(15) && actual.is_place {
        attributes += ", target";
    }
    let declaration = format!("{}{attributes} :: {name}{shape}", spec(c.ty, if star { "*" } else { "4" }));
    let mut body = Vec::new();
    if c.intent != Intent::Out || c.value {
        body.push(format!("call show('{name}', {whole})"));
    }
    if c.form == Form::AssumedShape {
        body.push(format!("call show('{name}', [lbound({name}), ubound({name})])"));
    }
    if c.intent == Intent::Out && !c.value {
        body.push(set(c, &whole));
    }
    if may_change {
        let count = 1 + rng.below(2);
        body.extend((0..count).map(|_| change(rng, c, name, &whole)));
        body.push(format!("call show('{name}', {whole})"));
    } else if c.form != Form::Scalar && rng.chance(30) {
        body.push(format!("call show('{name}', [size({whole}), n3])"));
    }
    let plain = !c.optional && !c.value && !attributes.contains("target") && c.form != Form::AssumedShape;
    Some(finish(name, c, declaration, &actual, body, plain))
}

/// Elements of arrays, with the number of elements from each on.
fn elements(ty: Ty) -> Vec<Actual> {
    let l = ty.letter();
    let all = [("a(3)", "a", 4), ("b(n1)", "b", 4), ("l(4)", "l", 3), ("m(2, 2)", "m", 7), ("k(3, n1)", "k", 5)];
    let make = |(text, root, count): (&str, &str, usize)| Actual {
        text: format!("{l}{text}"),
        root: format!("{l}{root}"),
        count,
        is_place: true,
    };
    all.into_iter().map(make).collect()
}

/// The bounds of a dummy argument, and all of it.
fn shape(rng: &mut Rng, name: &str, c: &Choice, actual: &Actual) -> (String, String) {
    match (c.form, c.rank) {
        (Form::Scalar, _) => (String::new(), name.to_owned()),
        (Form::AssumedShape, 1) => (rng.pick(&["(:)", "(0:)", "(n1:)", "(-3:)"]).to_owned(), name.to_owned()),
        (Form::AssumedShape, _) => (rng.pick(&["(:, :)", "(0:, :)", "(n3:, -1:)"]).to_owned(), name.to_owned()),
        (Form::AssumedSize, _) if actual.count >= 4 && rng.chance(30) => {
            ("(2, *)".to_owned(), format!("{name}(:, :{})", actual.count / 2))
        }
        (Form::AssumedSize, _) if rng.chance(50) => ("(*)".to_owned(), format!("{name}(:{})", actual.count)),
        (Form::AssumedSize, _) => ("(0:*)".to_owned(), format!("{name}(0:{})", actual.count - 1)),
        (_, 1) => {
            let n = rng.range(1, actual.count as i64);
            let bounds = [format!("({n})"), format!("(0:{})", n - 1), format!("(n1:{} + n1)", n - 1)];
            (rng.pick(&bounds), name.to_owned())
        }
        _ => {
            let n = rng.range(1, actual.count as i64);
            let m = actual.count as i64 / n;
            (format!("({n}, {m})"), name.to_owned())
        }
    }
}

fn attributes(c: &Choice) -> String {
    let mut out = match (c.value, c.intent) {
        (true, _) => ", value".to_owned(),
        (_, Intent::None) => String::new(),
        (_, Intent::In) => ", intent(in)".to_owned(),
        (_, Intent::Out) => ", intent(out)".to_owned(),
        (_, Intent::InOut) => ", intent(inout)".to_owned(),
    };
    if c.optional {
        out += ", optional";
    }
    out
}

fn set(c: &Choice, whole: &str) -> String {
    match c.ty {
        Ty::Int => format!("{whole} = 41"),
        Ty::Real => format!("{whole} = 4.25d0"),
        Ty::Text | Ty::Deferred => format!("{whole} = 'sett'"),
        Ty::Pair => format!("{whole} = pair(4, 2.5d0)"),
    }
}

/// A statement that changes a dummy argument, by itself or by passing it on.
fn change(rng: &mut Rng, c: &Choice, name: &str, whole: &str) -> String {
    let l = c.ty.letter();
    let is_vector = c.rank == 1 && whole == name;
    match rng.below(4) {
        0 => match c.ty {
            Ty::Int => format!("{whole} = 2*{whole} + 1"),
            Ty::Real => format!("{whole} = {whole} - 0.5d0"),
            Ty::Text | Ty::Deferred => format!("{whole} = turned({whole})"),
            Ty::Pair => format!("{}%a = {}%a + 1", whole, whole),
        },
        1 if is_vector => format!("{name} = {name}(ubound({name}, 1):lbound({name}, 1):-1)"),
        2 if c.rank > 0 => format!("call flat_{l}({whole}, size({whole}))"),
        3 if c.rank == 1 && c.form == Form::AssumedShape => format!("call bump({name}(::2))"),
        _ => format!("call bump({whole})"),
    }
}

/// An argument of an ALLOCATABLE or POINTER dummy argument.
fn indirect(rng: &mut Rng, name: &str, c: &Choice, used: &BTreeSet<String>) -> Option<Argument> {
    let l = c.ty.letter();
    let is_pointer = c.form == Form::Pointer;
    let own: Vec<(String, String)> = match (c.ty, is_pointer, c.rank) {
        (Ty::Deferred, false, _) => vec![("cd".to_owned(), "cd".to_owned())],
        (Ty::Deferred, true, _) => vec![("ce".to_owned(), "ce".to_owned())],
        (_, false, 0) => vec![(format!("{l}x"), format!("{l}x"))],
        (_, false, 1) => vec![(format!("{l}l"), format!("{l}l")), (format!("{l}u"), format!("{l}u"))],
        (_, false, _) => vec![(format!("{l}k"), format!("{l}k"))],
        (_, true, 0) => vec![(format!("{l}o"), format!("{l}o"))],
        (_, true, 1) => vec![(format!("{l}p"), format!("{l}p")), (format!("{l}n"), format!("{l}n"))],
        (_, true, _) => vec![(format!("{l}q"), format!("{l}q"))],
    };
    let mut pool = own;
    if c.ty == Ty::Int && c.rank == 1 {
        let part = if is_pointer { "p" } else { "al" };
        pool.extend([(format!("h%{part}"), "h".to_owned()), (format!("hs(n1)%{part}"), "hs".to_owned())]);
    }
    let in_target = is_pointer && c.intent == Intent::In && c.ty != Ty::Deferred;
    if in_target && c.rank == 1 {
        pool.extend([(format!("{l}t"), format!("{l}p")), (format!("{l}t(7:2:-n1)"), format!("{l}p"))]);
    }
    // A pointer may be passed twice, if it is to a POINTER both times and neither makes it undefined.
    let may_be_second = is_pointer && !in_target && c.intent != Intent::Out;
    let is_pointed = |root: &str| root.len() == 2 && used.contains(&pointed(root));
    pool.retain(|(_, root)| !used.contains(root) || (may_be_second && is_pointed(root) && rng.chance(50)));
    if pool.is_empty() {
        return None;
    }
    let (text, root) = rng.pick(&pool);
    let word = if is_pointer { "pointer" } else { "allocatable" };
    let shape = ["", "(:)", "(:, :)"][c.rank];
    let declaration = format!("{}, {word}{} :: {name}{shape}", spec(c.ty, "4"), attributes(c));
    let there = if is_pointer { "associated" } else { "allocated" };
    let mut look = vec![format!("if ({there}({name})) call show('{name}', {name})")];
    if c.rank > 0 {
        look.push(format!("if ({there}({name})) call show('{name}', [lbound({name}), ubound({name})])"));
    }
    let mut body = if c.intent == Intent::Out { Vec::new() } else { look.clone() };
    if c.intent == Intent::Out && is_pointer {
        body.push(format!("nullify({name})"));
    }
    if c.intent != Intent::In {
        body.push(move_elsewhere(rng, c, name));
        if rng.chance(40) {
            body.push(format!("if ({there}({name})) call bump({name})"));
        }
        body.extend(look);
    } else if is_pointer && rng.chance(50) {
        body.push(format!("if (associated({name})) call bump({name})"));
    }
    let actual = Actual { text, root, count: 0, is_place: true };
    Some(finish(name, c, declaration, &actual, body, false))
}

/// The mark of a root that only dummy POINTERs have so far that do not make it undefined.
fn pointed(root: &str) -> String {
    format!("=>{root}")
}

/// A statement that gives an ALLOCATABLE or POINTER another memory.
fn move_elsewhere(rng: &mut Rng, c: &Choice, name: &str) -> String {
    let l = c.ty.letter();
    let is_pointer = c.form == Form::Pointer;
    let kinds: Vec<String> = match (c.ty, is_pointer, c.rank) {
        (Ty::Deferred, false, _) => vec![format!("{name} = 'longer than that'"), format!("{name} = mco(2:3)")],
        (Ty::Deferred, true, _) => vec![format!("{name} => mco(2:4)"), format!("nullify({name})")],
        (_, false, 0) => vec![format!("if (allocated({name})) deallocate({name})"), format!("{name} = m{l}o")],
        (_, false, 1) => vec![
            format!("if (allocated({name})) deallocate({name})"),
            format!("{name} = m{l}(n1:n2)"),
            format!("if (allocated({name})) {name} = {name}([1, 1, 2] + lbound({name}, 1) - 1)"),
            format!("if (.not. allocated({name})) allocate({name}(-1:1), source=m{l}(:3))"),
        ],
        (_, false, _) => {
            vec![format!("if (allocated({name})) deallocate({name})"), format!("{name} = reshape(m{l}, [n1, n3])")]
        }
        (_, true, 0) => vec![format!("{name} => m{l}o"), format!("nullify({name})"), format!("{name} => m{l}(n3)")],
        (_, true, 1) => vec![
            format!("{name} => m{l}"),
            format!("nullify({name})"),
            format!("if (associated({name})) {name} => {name}(ubound({name}, 1):lbound({name}, 1):-1)"),
            format!("{name}(n3:) => m{l}(6:1:-n1)"),
            format!("allocate({name}(0:2), source=m{l}(:3))"),
        ],
        (_, true, _) => vec![
            format!("{name}(1:2, 0:2) => m{l}"),
            // gfortran 12 is wrong about sections of such a pointer that it gets itself.
            format!("nullify({name})"),
        ],
    };
    rng.pick(&kinds)
}

fn finish(
    name: &str,
    c: &Choice,
    declaration: String,
    actual: &Actual,
    mut body: Vec<String>,
    plain: bool,
) -> Argument {
    if c.optional {
        body.insert(0, format!("if (present({name})) then"));
        body.extend(["else".to_owned(), format!("  print *, '{name} is absent'"), "end if".to_owned()]);
    }
    Argument {
        name: name.to_owned(),
        declaration,
        actual: (!c.absent).then(|| actual.text.clone()),
        root: if c.absent || c.value { String::new() } else { actual.root.clone() },
        body,
        plain,
        // gfortran 12 fails at deferred lengths there, and takes optional values for absent.
        passed_on: c.ty != Ty::Deferred && !(c.value && c.optional),
    }
}
