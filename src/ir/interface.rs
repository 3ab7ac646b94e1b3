//! Interfaces of procedures that an object defines or calls, as it tells them to the link.
//!
//! They say nothing about code, and no pass looks at them.

/// The flag of a variable in memory of many objects that has no value yet, if all of them note the values it gets. With other
/// contents of the flag it may have one.
pub const WATCHED: i32 = 2;

/// The start of the names of the memory that says whether the variable has a value which is `offset` bytes behind `symbol`.
pub fn flags_of(symbol: &str, offset: u64) -> String {
    format!("{symbol}.{offset}")
}

/// The relation of an object to a procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// It has the procedure's code.
    Definition,
    /// It calls the procedure, whose interface is implicit there: the arguments are the actual ones.
    Call,
    /// It has an interface block for the procedure.
    Declaration,
    /// It names a COMMON block or the variable of a module, and notes each value that the variables there get. The arguments are
    /// these variables: `elements` of the type, `length` bytes behind the start of the memory.
    Storage,
}

/// The way of invoking a procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Invoked {
    /// By CALL.
    Subroutine,
    /// In an expression.
    Function,
    /// The source does not say.
    Unknown,
}

/// An interface, or a call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Interface {
    /// The linker symbol.
    pub symbol: String,
    /// The name in the source.
    pub name: String,
    /// The relation to the procedure.
    pub role: Role,
    /// The way of invoking it.
    pub invoked: Invoked,
    /// The path of the source file, as the compiler was given it.
    pub file: String,
    /// Line and column of the call or the declaration.
    pub place: (u32, u32),
    /// The value of a function.
    pub result: Option<Argument>,
    /// The arguments in order.
    pub arguments: Vec<Argument>,
}

/// An argument, actual or dummy, or a result.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Argument {
    /// The name of a dummy argument.
    pub name: String,
    /// The type as a message has it; empty if it is not compared: a procedure, a label, any type.
    pub ty: String,
    /// The number of dimensions.
    pub rank: u32,
    /// The number of elements, or of elements from an element of an array to the array's end, if it is known.
    pub elements: Option<i64>,
    /// The length of characters, if it is known.
    pub length: Option<i64>,
    /// Whether elements of an array may follow an actual scalar; whether a dummy array may be passed such a scalar; whether other
    /// variables of the object are in the memory of a variable.
    pub in_sequence: bool,
    /// Whether an actual argument is a variable; whether the procedure gives a dummy argument a value; whether a variable in
    /// memory is asked for its value.
    pub changes: bool,
    /// The reason why a dummy argument asks for an explicit interface; why values of a variable in memory are not noted.
    pub explicit: String,
    /// Line and column.
    pub place: (u32, u32),
}

impl Interface {
    /// The lines of the text that [`Interface::read`] takes: the procedure, then its result and its arguments.
    pub fn write(&self, out: &mut String) {
        let (line, column) = self.place;
        let role = match self.role {
            Role::Definition => "defines",
            Role::Call => "calls",
            Role::Declaration => "declares",
            Role::Storage => "stores",
        };
        let invoked = match self.invoked {
            Invoked::Subroutine => "subroutine",
            Invoked::Function => "function",
            Invoked::Unknown => "procedure",
        };
        let fields = [role, invoked, &self.symbol, &self.name, &self.file, &line.to_string(), &column.to_string()];
        push_line(out, &fields);
        let items = self.result.iter().map(|r| ("result", r)).chain(self.arguments.iter().map(|a| ("argument", a)));
        for (word, a) in items {
            let number = |n: Option<i64>| n.map_or_else(String::new, |n| n.to_string());
            let flag = |on: bool| if on { "1" } else { "0" };
            let (line, column) = (a.place.0.to_string(), a.place.1.to_string());
            let (rank, elements, length) = (a.rank.to_string(), number(a.elements), number(a.length));
            push_line(
                out,
                &[
                    word,
                    &a.name,
                    &a.ty,
                    &rank,
                    &elements,
                    &length,
                    flag(a.in_sequence),
                    flag(a.changes),
                    &a.explicit,
                    &line,
                    &column,
                ],
            );
        }
    }

    /// Reads such text. It may come from any file: lines that are damaged are left out.
    pub fn read(text: &str) -> Vec<Interface> {
        let mut out: Vec<Interface> = Vec::new();
        for line in text.lines() {
            let fields: Vec<&str> = line.trim_start_matches('\0').split('\t').collect();
            if let Some(interface) = procedure(&fields) {
                out.push(interface);
            } else if let (Some((word, a)), Some(last)) = (argument(&fields), out.last_mut()) {
                match word {
                    "result" => last.result = Some(a),
                    _ => last.arguments.push(a),
                }
            }
        }
        out
    }
}

fn push_line(out: &mut String, fields: &[&str]) {
    for (k, field) in fields.iter().enumerate() {
        if k > 0 {
            out.push('\t');
        }
        out.extend(field.chars().map(|c| if c.is_control() { ' ' } else { c }));
    }
    out.push('\n');
}

fn procedure(fields: &[&str]) -> Option<Interface> {
    let &[role, invoked, symbol, name, file, line, column] = fields else { return None };
    let role = match role {
        "defines" => Role::Definition,
        "calls" => Role::Call,
        "declares" => Role::Declaration,
        "stores" => Role::Storage,
        _ => return None,
    };
    let invoked = match invoked {
        "subroutine" => Invoked::Subroutine,
        "function" => Invoked::Function,
        _ => Invoked::Unknown,
    };
    Some(Interface {
        symbol: symbol.to_owned(),
        name: name.to_owned(),
        role,
        invoked,
        file: file.to_owned(),
        place: (line.parse().ok()?, column.parse().ok()?),
        result: None,
        arguments: Vec::new(),
    })
}

fn argument<'t>(fields: &[&'t str]) -> Option<(&'t str, Argument)> {
    let &[word, name, ty, rank, elements, length, in_sequence, changes, explicit, line, column] = fields else {
        return None;
    };
    let number = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
    let argument = Argument {
        name: name.to_owned(),
        ty: ty.to_owned(),
        rank: rank.parse().ok()?,
        elements: number(elements)?,
        length: number(length)?,
        in_sequence: in_sequence == "1",
        changes: changes == "1",
        explicit: explicit.to_owned(),
        place: (line.parse().ok()?, column.parse().ok()?),
    };
    matches!(word, "result" | "argument").then_some((word, argument))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interfaces_are_read_as_they_were_written() {
        let a = Argument { name: "x".into(), ty: "REAL(4)".into(), rank: 1, elements: Some(3), ..Argument::default() };
        let all = [
            Interface {
                symbol: "f_".into(),
                name: "f".into(),
                role: Role::Definition,
                invoked: Invoked::Function,
                file: "a b.f90".into(),
                place: (3, 7),
                result: Some(Argument { ty: "CHARACTER".into(), length: Some(5), ..Argument::default() }),
                arguments: vec![a.clone(), Argument { in_sequence: true, changes: true, ..a }],
            },
            Interface {
                symbol: "s_".into(),
                name: "s".into(),
                role: Role::Call,
                invoked: Invoked::Subroutine,
                file: "c.f90".into(),
                place: (1, 1),
                result: None,
                arguments: Vec::new(),
            },
        ];
        let mut text = String::new();
        all.iter().for_each(|i| i.write(&mut text));
        assert_eq!(Interface::read(&text), all);
        for end in 0..text.len() {
            assert!(Interface::read(&text[..end]).len() <= 2);
        }
        assert_eq!(Interface::read("argument\tx\n"), []);
    }
}
