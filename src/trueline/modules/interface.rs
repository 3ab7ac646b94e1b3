//! The interface of a module, and its form in a module file.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use trueline_diag::Prepared;
use trueline_syntax::SourceForm;

/// The deepest nesting of texts and modules in a module file.
const DEPTH: u32 = 64;

/// The interface of one module.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The module, in lower case.
    pub name: String,
    /// The text.
    pub(super) source: Prepared,
    /// The source form of the text.
    pub(super) form: SourceForm,
    pub(super) line_length: Option<u32>,
    pub(super) d_lines: bool,
    /// Sizes of default kinds that it was compiled with.
    pub(super) defaults: String,
    /// The modules that it uses directly.
    pub(super) uses: Vec<Arc<Interface>>,
}

/// Interfaces at hand without looking for files, by name.
pub type Store = BTreeMap<String, Arc<Interface>>;

pub(super) fn to_json(i: &Interface) -> Value {
    json!({
        "module": i.name,
        "form": if i.form == SourceForm::Fixed { "fixed" } else { "free" },
        "line_length": i.line_length,
        "d_lines": i.d_lines,
        "defaults": i.defaults,
        "source": source_to_json(&i.source),
        "uses": i.uses.iter().map(|u| to_json(u)).collect::<Vec<_>>(),
    })
}

/// Bytes that are not UTF-8 are taken for Latin-1, a character a byte.
fn source_to_json(p: &Prepared) -> Value {
    let (text, latin) = match std::str::from_utf8(&p.text) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (p.text.iter().map(|&b| char::from(b)).collect(), true),
    };
    let includes: Vec<Value> = p.includes.iter().map(|(line, inner)| json!([line, source_to_json(inner)])).collect();
    json!({ "name": p.name, "text": text, "latin": latin, "includes": includes })
}

pub(super) fn from_json(v: &Value, depth: u32) -> Option<Interface> {
    let form = match v["form"].as_str()? {
        "fixed" => SourceForm::Fixed,
        "free" => SourceForm::Free,
        _ => return None,
    };
    let uses = v["uses"].as_array()?;
    if depth > 1 {
        return None;
    }
    Some(Interface {
        name: v["module"].as_str()?.to_owned(),
        source: source_from_json(&v["source"], 0)?,
        form,
        line_length: v["line_length"].as_u64().map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
        d_lines: v["d_lines"].as_bool().unwrap_or(false),
        defaults: v["defaults"].as_str()?.to_owned(),
        uses: uses.iter().map(|u| from_json(u, depth + 1).map(Arc::new)).collect::<Option<_>>()?,
    })
}

fn source_from_json(v: &Value, depth: u32) -> Option<Prepared> {
    if depth > DEPTH {
        return None;
    }
    let text = v["text"].as_str()?;
    let text = match v["latin"].as_bool()? {
        true => text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect::<Option<_>>()?,
        false => text.as_bytes().to_vec(),
    };
    let include = |pair: &Value| Some((u32::try_from(pair[0].as_u64()?).ok()?, source_from_json(&pair[1], depth + 1)?));
    let includes = v["includes"].as_array()?.iter().map(include).collect::<Option<_>>()?;
    Some(Prepared { name: v["name"].as_str()?.to_owned(), text, original: None, includes })
}
