//! The text of a program, and where its constructs stand in it.

use super::program::{COMMONS, Cond, Do, E, ELEMENTS, Home, Id, Program, S, Whole, Work, visit};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The elements up to this one are selected by a mask.
pub const MASKED: i64 = 3;

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A program as text.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The files; modules come before their users.
    pub files: Vec<File>,
    /// The file and the line of each construct, procedure and call.
    pub place: BTreeMap<Id, (usize, u32)>,
}

impl Text {
    /// `FILE:LINE` of a construct.
    pub fn at(&self, id: Id) -> String {
        self.place.get(&id).map_or("nowhere".to_owned(), |&(f, l)| format!("{}:{l}", self.files[f].name))
    }

    /// The text of the line.
    pub fn line(&self, id: Id) -> &str {
        let line = self.place.get(&id).and_then(|&(f, l)| self.files[f].text.lines().nth(l as usize - 1));
        line.map_or("", str::trim)
    }
}

struct Printer<'a> {
    program: &'a Program,
    scale: f64,
    targets: BTreeSet<Id>,
    out: Text,
    lines: u32,
}

/// Prints the program with all work `scale` times its weight in microseconds; each unit in a file of its own if it is to
/// be `apart`.
pub fn print(program: &Program, scale: f64, apart: bool) -> Text {
    let mut printer = Printer { program, scale, targets: BTreeSet::new(), out: Text::default(), lines: 0 };
    let mut homes: Vec<Home> = Vec::new();
    for p in &program.procs {
        if homes.last() != Some(&p.home) {
            homes.push(p.home);
        }
    }
    for home in homes {
        if apart || printer.out.files.is_empty() {
            let name = match home {
                _ if !apart => "all.f90".to_owned(),
                Home::Module(n) => format!("m{n}.f90"),
                Home::External(n) => format!("x{n}.f90"),
                Home::Main => "main.f90".to_owned(),
            };
            printer.out.files.push(File { name, text: String::new() });
            printer.lines = 0;
        }
        printer.unit(home);
    }
    printer.out
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        if let Some(f) = self.out.files.last_mut() {
            let _ = writeln!(f.text, "{:1$}{text}", "", 2 * depth);
            self.lines += 1;
        }
    }

    /// The next line is where `id` stands.
    fn here(&mut self, id: Id) {
        self.out.place.insert(id, (self.out.files.len() - 1, self.lines + 1));
    }

    fn unit(&mut self, home: Home) {
        let members: Vec<usize> =
            (0..self.program.procs.len()).filter(|&p| self.program.procs[p].home == home).collect();
        if let Home::Module(n) = home {
            self.line(0, &format!("module m{n}"));
            self.uses(1, home);
            self.line(1, "implicit none");
            self.line(0, "contains");
        }
        for p in members {
            self.procedure(p);
        }
        if let Home::Module(n) = home {
            self.line(0, &format!("end module m{n}"));
        }
    }

    /// USE of the modules that come before.
    fn uses(&mut self, depth: usize, home: Home) {
        let mut before = BTreeSet::new();
        for p in &self.program.procs {
            match p.home {
                h if h == home => break,
                Home::Module(n) => {
                    before.insert(n);
                }
                _ => {}
            }
        }
        for n in before {
            self.line(depth, &format!("use m{n}"));
        }
    }

    fn procedure(&mut self, p: usize) {
        let proc = &self.program.procs[p];
        let name = self.program.name(p);
        self.targets.clear();
        let mut paused = false;
        visit(&proc.body, &mut vec![], &mut |s, _| match &s.does {
            Do::Exit(_, to) => {
                self.targets.insert(*to);
            }
            Do::Paused(_) => paused = true,
            _ => {}
        });
        self.here(proc.id);
        let prefix = if proc.recursive { "recursive " } else { "" };
        match (proc.home, proc.is_function) {
            (Home::Main, _) => self.line(0, "program main"),
            (_, true) => self.line(0, &format!("{prefix}integer function {name}(k, m) result(r)")),
            (_, false) => self.line(0, &format!("{prefix}subroutine {name}(k, m)")),
        }
        self.declarations(p, paused);
        if proc.home == Home::Main {
            self.set_up();
        }
        if proc.is_function {
            self.line(1, "r = 0");
        }
        self.block(&proc.body, 1);
        match (proc.home, proc.is_function) {
            (Home::Main, _) => {
                self.line(1, "print *, sum(a), sum(b), sum(c), sum(d), acc");
                self.line(0, "end program");
            }
            (_, true) => self.line(0, "end function"),
            (_, false) => self.line(0, "end subroutine"),
        }
    }

    fn declarations(&mut self, p: usize, paused: bool) {
        let proc = &self.program.procs[p];
        if !matches!(proc.home, Home::Module(_)) {
            self.uses(1, proc.home);
            self.line(1, "implicit none");
        }
        if proc.home != Home::Main {
            self.line(1, "integer, intent(in) :: k, m");
        }
        let (mut depth, mut external) = (0, BTreeSet::new());
        visit(&proc.body, &mut vec![], &mut |s, _| match &s.does {
            Do::Loop { depth: d, .. } | Do::While { depth: d, .. } => depth = depth.max(*d + 1),
            Do::Call(q, _)
                if self.program.procs[*q].is_function
                    && *q != p
                    && matches!(self.program.procs[*q].home, Home::External(_)) =>
            {
                external.insert(*q);
            }
            _ => {}
        });
        for q in external {
            self.line(1, &format!("integer, external :: {}", self.program.name(q)));
        }
        let indices: String = (0..depth).map(|d| format!(", i{d}, w{d}")).collect();
        self.line(1, &format!("integer :: acc, l{indices}"));
        let commons: Vec<String> = (0..COMMONS).map(|n| format!("n{n}")).collect();
        self.line(1, &format!("integer :: {}, ix({ELEMENTS})", commons.join(", ")));
        self.line(
            1,
            &format!("real(8) :: a({ELEMENTS}), b({ELEMENTS}), c({ELEMENTS}), z({ELEMENTS}), y({ELEMENTS}), d({ELEMENTS},{ELEMENTS})"),
        );
        self.line(1, &format!("common /sizes/ {}, ix", commons.join(", ")));
        self.line(1, "common /arrays/ a, b, c, z, y, d");
        if paused {
            self.line(1, "interface");
            for word in ["pause", "resume"] {
                self.line(2, &format!("subroutine {word}_profile() bind(c, name='trueline_{word}_profile')"));
                self.line(2, "end subroutine");
            }
            self.line(1, "end interface");
        }
        self.line(1, "acc = 0");
    }

    /// The beginning of the main program.
    fn set_up(&mut self) {
        for (n, value) in self.program.commons.iter().enumerate() {
            self.line(1, &format!("call opaque(n{n}, {value})"));
        }
        self.line(1, &format!("do l = 1, {ELEMENTS}"));
        for text in
            ["ix(l) = l", "z(l) = l/64d0", "y(l) = l/4096d0", "a(l) = 0d0", "b(l) = 0d0", "c(l) = 1d0", "d(:,l) = 0d0"]
        {
            self.line(2, text);
        }
        self.line(1, "end do");
    }

    fn block(&mut self, block: &[S], depth: usize) {
        for s in block {
            self.statement(s, depth);
        }
    }

    fn cost(&self, w: Work) -> u32 {
        cost(w, self.scale)
    }

    fn gamma(&self, w: Work, subscript: &str) -> String {
        format!("gamma({}.0d0 + z({subscript}))", u64::from(w.site) * 512 + u64::from(self.cost(w)))
    }

    fn statement(&mut self, s: &S, depth: usize) {
        self.here(s.id);
        match &s.does {
            Do::Opaque(w) => self.line(depth, &format!("call work({}, {})", w.site, self.cost(*w))),
            Do::Vector { work, to, from, index } => {
                let (x, i) = (array(*to), format!("i{index}"));
                let from = from.map_or(String::new(), |f| format!(" + {}({i})", array(f)));
                let gamma = self.gamma(*work, &i);
                self.line(depth, &format!("{x}({i}) = {x}({i}){from} + {gamma}"));
            }
            Do::Matrix { work, index: [i, j] } => {
                // Some do not change in the inner loop, and may leave it.
                let index = if varies(*work) { format!(" + y(i{j})") } else { String::new() };
                let gamma = self.gamma(*work, &format!("i{i}")).replacen("))", &format!("){index})"), 1);
                self.line(depth, &format!("d(i{i}, i{j}) = d(i{i}, i{j}) + {gamma}"));
            }
            Do::Plain(i) => self.line(depth, &format!("c(i{i}) = c(i{i})*0.5d0 + a(i{i})")),
            Do::Whole { .. } => self.whole(s, depth),
            Do::Call(p, args) => {
                let args: Vec<String> = args.iter().map(expression).collect();
                let call = format!("{}({})", self.program.name(*p), args.join(", "));
                let is_function = self.program.procs[*p].is_function;
                self.line(depth, &if is_function { format!("acc = acc + {call}") } else { format!("call {call}") });
            }
            Do::Exit(c, to) => self.line(depth, &format!("if ({}) exit loop{to}", condition(c))),
            Do::Cycle(c) => self.line(depth, &format!("if ({}) cycle", condition(c))),
            Do::Return(c) => self.line(depth, &format!("if ({}) return", condition(c))),
            Do::Goto(c, to) => self.line(depth, &format!("if ({}) goto {}", condition(c), 1000 + to)),
            _ => self.construct(s, depth),
        }
    }

    fn whole(&mut self, s: &S, depth: usize) {
        let Do::Whole { kind, work, other, to, n } = &s.does else { return };
        let (x, n) = (array(*to), expression(n));
        let assign = |p: &Self, w: Work, s: &str| format!("{x}({s}) = {x}({s}) + {}", p.gamma(w, s));
        let section = format!("1:{n}");
        let first = assign(self, *work, &section);
        match kind {
            Whole::Assign => self.line(depth, &first),
            Whole::Where => self.line(depth, &format!("where (ix({section}) <= {MASKED}) {first}")),
            Whole::Elsewhere => {
                let second = assign(self, *other, &section);
                self.line(depth, &format!("where (ix({section}) <= {MASKED})"));
                self.line(depth + 1, &first);
                self.line(depth, "elsewhere");
                self.line(depth + 1, &second);
                self.line(depth, "end where");
            }
            Whole::Forall => {
                let one = assign(self, *work, "l");
                self.line(depth, &format!("forall (l = 1:{n}) {one}"));
            }
        }
    }

    fn construct(&mut self, s: &S, depth: usize) {
        let name = if self.targets.contains(&s.id) { format!("loop{}", s.id) } else { String::new() };
        let (colon, space) = if name.is_empty() { ("", "") } else { (": ", " ") };
        match &s.does {
            Do::Loop { depth: d, lo, hi, body } => {
                self.line(depth, &format!("{name}{colon}do i{d} = {}, {}", expression(lo), expression(hi)));
                self.block(body, depth + 1);
                self.line(depth, &format!("end do{space}{name}"));
            }
            Do::While { depth: d, trips, body } => {
                self.line(depth, &format!("w{d} = {}", expression(trips)));
                self.here(s.id);
                self.line(depth, &format!("{name}{colon}do while (w{d} > 0)"));
                self.line(depth + 1, &format!("w{d} = w{d} - 1"));
                self.block(body, depth + 1);
                self.line(depth, &format!("end do{space}{name}"));
            }
            Do::If { arms, otherwise } => {
                for (k, (c, body)) in arms.iter().enumerate() {
                    self.line(depth, &format!("{}if ({}) then", if k == 0 { "" } else { "else " }, condition(c)));
                    self.block(body, depth + 1);
                }
                if !otherwise.is_empty() {
                    self.line(depth, "else");
                    self.block(otherwise, depth + 1);
                }
                self.line(depth, "end if");
            }
            Do::Select { on, cases, otherwise } => {
                self.line(depth, &format!("select case ({})", expression(on)));
                for (value, body) in cases {
                    self.line(depth, &format!("case ({value})"));
                    self.block(body, depth + 1);
                }
                self.line(depth, "case default");
                self.block(otherwise, depth + 1);
                self.line(depth, "end select");
            }
            Do::Block(body) => {
                self.block(body, depth);
                self.line(0, &format!("{} continue", 1000 + s.id));
            }
            Do::Region(body) => self.between(depth, &format!("!TL$ REGION r{}", s.id), body, "!TL$ END REGION"),
            Do::Off(body) => self.between(depth, "!TL$ PROFILE OFF", body, "!TL$ PROFILE ON"),
            Do::Paused(body) => self.between(depth, "call pause_profile()", body, "call resume_profile()"),
            _ => {}
        }
    }

    fn between(&mut self, depth: usize, first: &str, body: &[S], last: &str) {
        self.line(depth, first);
        self.block(body, depth);
        self.line(depth, last);
    }
}

/// Whether the work of an element of a matrix is another one for each column.
pub fn varies(w: Work) -> bool {
    !w.site.is_multiple_of(5)
}

/// The cost of a piece of work, in microseconds.
pub fn cost(w: Work, scale: f64) -> u32 {
    (f64::from(w.weight) * scale).round().clamp(2.0, 500.0) as u32
}

fn array(n: usize) -> &'static str {
    ["a", "b", "c"][n % 3]
}

/// An expression as it is written.
pub fn expression(e: &E) -> String {
    match e {
        E::Int(n) if *n < 0 => format!("({n})"),
        E::Int(n) => n.to_string(),
        E::Index(d) => format!("i{d}"),
        E::Dummy(n) => ["k", "m"][n % 2].to_owned(),
        E::Common(n) => format!("n{n}"),
        E::Bin(op, a, b) => format!("({} {op} {})", expression(a), expression(b)),
    }
}

fn condition(c: &Cond) -> String {
    format!("{} {} {}", expression(&c.a), c.op, expression(&c.b))
}
