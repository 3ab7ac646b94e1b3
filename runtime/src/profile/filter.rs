//! The filter of `TRUELINE_FILTER_FILE`: constructs that a run does not time, without compiling again.

use std::sync::Mutex;
use trueline_abi::filter::{Filter, Subject};
use trueline_abi::profile::ObjectMeta;
use trueline_abi::record::{MASKED, ObjectHeader};

/// The largest filter, in bytes.
const MOST: u64 = 4 << 20;

/// The filter of this run, for callers in other languages, whose records come one by one.
static FILTER: Mutex<Option<Filter>> = Mutex::new(None);

/// Reads the filter, if one is named, and masks the records that it excludes.
pub(crate) fn apply(headers: &[ObjectHeader]) {
    let Some(path) = std::env::var_os("TRUELINE_FILTER_FILE").filter(|p| !p.is_empty()) else { return };
    // The name may be anything: it is escaped for a terminal.
    let name = std::os::unix::ffi::OsStrExt::as_bytes(&*path).escape_ascii().to_string();
    let read = super::settings::read(std::path::Path::new(&path), MOST);
    let parsed = read.and_then(|b| Filter::parse(&String::from_utf8_lossy(&b)).map_err(|e| e.to_string()));
    let filter = match parsed {
        Ok(filter) => filter,
        Err(error) => {
            crate::exit::tell(format!("trueline: the filter '{name}' is not applied: {error}\n").as_bytes());
            return;
        }
    };
    for h in headers {
        mask(&filter, h);
    }
    if let Ok(mut kept) = FILTER.lock() {
        *kept = Some(filter);
    }
}

/// Masks the records of an object.
fn mask(filter: &Filter, h: &ObjectHeader) {
    // SAFETY: the header was made by the compiler: `meta_len` bytes stand there.
    let packed = unsafe { std::slice::from_raw_parts(h.meta, h.meta_len as usize) };
    let Ok(json) = miniz_oxide::inflate::decompress_to_vec_zlib(packed) else { return };
    let Ok(meta) = serde_json::from_slice::<ObjectMeta>(&json) else { return };
    for c in &meta.constructs {
        let subject = Subject {
            procedure: &c.construct.procedure,
            symbol: c.symbol.as_deref().unwrap_or(""),
            file: &c.construct.file,
            line: c.construct.line,
            kind: &c.construct.kind,
        };
        if filter.excludes(&subject) {
            // A record that measures several constructs is the first one's.
            let first = |r: &&u32| {
                let timer = meta.timers.get(**r as usize);
                timer.is_none_or(|t| t.constructs.first().is_none_or(|&s| s == c.construct.serial))
            };
            for &record in c.records.iter().filter(|&&r| u64::from(r) < h.record_count).filter(first) {
                // SAFETY: the object has that many records; nothing is measured yet.
                unsafe { (*h.records.add(record as usize)).id |= MASKED };
            }
        }
    }
}

/// Whether the filter excludes a construct that is known by its text alone.
pub(crate) fn masks_text(text: &[u8]) -> bool {
    let Ok(filter) = FILTER.lock() else { return false };
    let Some(filter) = filter.as_ref() else { return false };
    let text = String::from_utf8_lossy(text);
    let (file, line, name) = split(&text);
    filter.excludes(&Subject { procedure: name, symbol: name, file, line, kind: "procedure" })
}

/// `file:line: name`, or a name.
fn split(text: &str) -> (&str, u32, &str) {
    let parts = text.split_once(": ").and_then(|(place, name)| {
        let (file, line) = place.rsplit_once(':')?;
        Some((file, line.parse().ok()?, name))
    });
    parts.unwrap_or(("", 0, text))
}
