//! Variables of COMMON and of modules, which objects that were compiled apart share: for `-fcheck=undefined` the link finds out
//! whether all objects of the program note the values that a variable gets. If so, its flag says at the beginning that it has none.
//!
//! ```text
//! a.o: names c_, notes x, y                     c_.0.defined = 2
//! b.o: names c_, notes x, y; y is initialised   c_.4.defined stays 0: nothing is said of y
//! c.o, of another compiler: names c_            both stay 0
//! ```

use crate::runtime;
use object::read::archive::ArchiveFile;
use object::read::{Object as _, ObjectSection as _, ObjectSymbol as _};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use trueline_codegen::tables::{flags, interfaces};
use trueline_ir::interface::{Argument, Interface, Role, WATCHED, flags_of};

/// Libraries of the system, which name no variable of Fortran.
const OF_SYSTEM: [&str; 9] = ["c", "m", "dl", "pthread", "rt", "gcc", "gcc_s", "util", "stdc++"];

/// An object of the link, or a member of an archive.
struct Member {
    storage: Vec<Interface>,
    /// The global symbols that it defines or needs.
    names: BTreeSet<String>,
    /// Whether its symbols do not tell all that its code names.
    is_opaque: bool,
}

/// The object with the flags of all variables that are watched by the whole program; none if there are none.
pub fn flags(command: &Command) -> Option<Vec<u8>> {
    let mut like = None;
    let mut members = Vec::new();
    for path in super::files(command) {
        // The runtime library is no Fortran.
        if path.file_name().is_some_and(|name| name == runtime::NAME) {
            continue;
        }
        let Ok(bytes) = runtime::read(&path) else { continue };
        members.extend(members_of(&bytes));
        if like.is_none() && object::read::File::parse(&*bytes).is_ok() {
            like = Some(bytes);
        }
    }
    if members.iter().all(|m| m.storage.is_empty()) || is_open(command) || members.iter().any(|m| m.is_opaque) {
        return None;
    }
    let symbols = watched(&members);
    if symbols.is_empty() { None } else { flags::object(&like?, &symbols, WATCHED) }
}

fn members_of(bytes: &[u8]) -> Vec<Member> {
    if !bytes.starts_with(&object::archive::MAGIC) {
        return member(bytes).into_iter().collect();
    }
    let Ok(archive) = ArchiveFile::parse(bytes) else { return Vec::new() };
    let members = archive.members().map_while(Result::ok).filter_map(|m| m.data(bytes).ok());
    // All of them count, whether the linker takes them or not.
    members.filter_map(member).collect()
}

fn member(bytes: &[u8]) -> Option<Member> {
    let file = object::read::File::parse(bytes).ok()?;
    let storage = interfaces::of_object(&file).into_iter().filter(|i| i.role == Role::Storage).collect();
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let names = symbols.filter(|s| s.is_global()).filter_map(|s| s.name().ok().map(str::to_owned)).collect();
    let is_opaque = file.sections().any(|s| s.name().is_ok_and(|name| name.starts_with(".gnu.lto_")));
    Some(Member { storage, names, is_opaque })
}

/// Whether code that is not among the files of the command may name the variables of the program.
fn is_open(command: &Command) -> bool {
    let words: Vec<String> = command.get_args().map(|w| w.to_string_lossy().into_owned()).collect();
    let files = super::files(command);
    let is_found = |name: &str| {
        let archive = format!("lib{name}.a");
        files.iter().any(|f| f.file_name().is_some_and(|n| n == archive.as_str()) && f.exists())
    };
    let exports = ["-shared", "-r", "-rdynamic", "-Wl,-r", "-Wl,-E", "-Wl,--export-dynamic", "-Wl,-shared"];
    words.iter().any(|word| {
        let library = word.strip_prefix("-l").is_some_and(|name| !OF_SYSTEM.contains(&name) && !is_found(name));
        let names_files = word.starts_with('@') || word.starts_with("-Wl,") && has_file(word);
        library || names_files || exports.contains(&word.as_str())
    })
}

/// Whether an option for the linker may have a file in it.
fn has_file(word: &str) -> bool {
    word.split(',')
        .any(|w| w.starts_with("-l") || w.starts_with('@') || [".o", ".a", ".so"].iter().any(|e| w.ends_with(e)))
}

/// The flags of the variables whose values all members note.
fn watched(members: &[Member]) -> Vec<String> {
    let mut blocks: BTreeMap<&str, Vec<&Interface>> = BTreeMap::new();
    for i in members.iter().flat_map(|m| &m.storage) {
        blocks.entry(&i.symbol).or_default().push(i);
    }
    let mut out = Vec::new();
    for (symbol, all) in blocks {
        let is_known = |m: &Member| !m.names.contains(symbol) || m.storage.iter().any(|i| i.symbol == symbol);
        // With variables in the same places, a flag means the same to all.
        let is_alike = all.iter().all(|i| i.arguments.len() == all[0].arguments.len() && places(i).eq(places(all[0])));
        let is_shared = all.iter().flat_map(|i| &i.arguments).any(|a| a.in_sequence);
        if !is_alike || is_shared || !members.iter().all(is_known) {
            continue;
        }
        for (k, variable) in all[0].arguments.iter().enumerate() {
            let is_noted = all.iter().all(|i| i.arguments[k].changes && i.arguments[k].explicit.is_empty());
            if let Some(offset) = variable.length.and_then(|at| u64::try_from(at).ok()).filter(|_| is_noted) {
                out.push(format!("{}.defined", flags_of(symbol, offset)));
            }
        }
    }
    out
}

/// Type, elements and place of each variable.
fn places(i: &Interface) -> impl Iterator<Item = (&str, Option<i64>, Option<i64>)> {
    i.arguments.iter().map(|a: &Argument| (a.ty.as_str(), a.elements, a.length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueline_ir::interface::Invoked;

    fn block(variables: &[(&str, i64)]) -> Interface {
        let variable = |&(ty, at): &(&str, i64)| Argument {
            ty: ty.into(),
            elements: Some(1),
            length: Some(at),
            changes: true,
            ..Argument::default()
        };
        Interface {
            symbol: "c_".into(),
            name: String::new(),
            role: Role::Storage,
            invoked: Invoked::Unknown,
            file: String::new(),
            place: (0, 0),
            result: None,
            arguments: variables.iter().map(variable).collect(),
        }
    }

    fn member(storage: Vec<Interface>) -> Member {
        Member { storage, names: BTreeSet::from(["c_".to_owned()]), is_opaque: false }
    }

    const PAIR: [(&str, i64); 2] = [("REAL(4)", 0), ("REAL(4)", 4)];

    #[test]
    fn variables_that_all_objects_note() {
        let pair = || member(vec![block(&PAIR)]);
        assert_eq!(watched(&[pair(), pair()]), ["c_.0.defined", "c_.4.defined"]);
        // One that another object initialises.
        let mut given = block(&PAIR);
        (given.arguments[1].changes, given.arguments[1].explicit) = (false, "it has an initial value".into());
        assert_eq!(watched(&[pair(), member(vec![given])]), ["c_.0.defined"]);
    }

    #[test]
    fn blocks_of_which_nothing_is_said() {
        let pair = || member(vec![block(&PAIR)]);
        // An object without a table, other places, and a variable with another name.
        assert!(watched(&[pair(), member(Vec::new())]).is_empty());
        assert!(watched(&[pair(), member(vec![block(&[("REAL(8)", 0)])])]).is_empty());
        let mut shared = block(&PAIR);
        shared.arguments[0].in_sequence = true;
        assert!(watched(&[pair(), member(vec![shared])]).is_empty());
    }

    #[test]
    fn links_with_code_from_elsewhere() {
        let open = |words: &[&str]| {
            let mut command = Command::new("cc");
            command.args(words);
            is_open(&command)
        };
        assert!(open(&["a.o", "-lfoo"]) && open(&["-shared", "a.o"]) && open(&["@list"]) && open(&["-Wl,b.a"]));
        assert!(!open(&["a.o", "-lm", "-Wl,--gc-sections", "-o", "x"]));
    }
}
