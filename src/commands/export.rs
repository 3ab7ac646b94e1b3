//! `export`: profiles for other tools.

use super::report::{code, deliver, load_all};
use super::{complain, tell};
use crate::cli::Export;
use crate::driver::Failure;
use crate::{exit, runtime};
use object::{Object, ObjectSymbol};
use std::path::Path;
use trueline_report::{Format, Index, Symbols};

/// `trueline export`.
pub fn export(args: &Export) -> i32 {
    let Some(format) = Format::by_name(&args.format) else {
        complain(&format!("There is no format '{}'", args.format));
        return exit::USAGE;
    };
    code(load_all(&args.profiles).and_then(|profile| {
        let symbols = args.exe.as_deref().map(symbols).transpose()?;
        let bytes = trueline_report::export(&Index::new(&profile), format, symbols.as_ref()).map_err(Failure::User)?;
        if profile.constructs.is_empty() {
            tell("trueline: warning: the profile has no constructs\n");
        }
        deliver(args.output.as_deref(), &bytes)?;
        Ok(exit::OK)
    }))
}

/// The procedures of an executable, by symbol.
fn symbols(path: &Path) -> Result<Symbols, Failure> {
    let bytes = runtime::read(path).map_err(|e| Failure::User(format!("Cannot read '{}': {e}", path.display())))?;
    let file = object::File::parse(&*bytes).map_err(|e| Failure::User(format!("'{}': {e}", path.display())))?;
    let named = |s: object::Symbol<'_, '_>| Some((s.name().ok()?.to_owned(), (s.address(), s.size())));
    Ok(file.symbols().filter(|s| s.kind() == object::SymbolKind::Text).filter_map(named).collect())
}
