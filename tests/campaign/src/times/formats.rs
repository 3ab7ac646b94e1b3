//! Reads the times back from other tools' formats, as far as it takes to compare them.

use std::collections::BTreeMap;

/// Stacks, the outermost frame first, with nanoseconds of their own. A frame is a name, or `#` and a serial.
pub type Stacks = Vec<(Vec<String>, f64)>;

/// Folded stacks.
pub fn folded(text: &str) -> Option<Stacks> {
    let stack = |l: &str| {
        let (frames, ns) = l.rsplit_once(' ')?;
        Some((frames.split(';').map(str::to_owned).collect(), ns.parse().ok()?))
    };
    text.lines().map(stack).collect()
}

/// The one profile of speedscope's format.
pub fn speedscope(text: &str) -> Option<Stacks> {
    let json: serde_json::Value = serde_json::from_str(text).ok()?;
    let names: Vec<&str> = json["shared"]["frames"].as_array()?.iter().filter_map(|f| f["name"].as_str()).collect();
    let profile = &json["profiles"][0];
    let samples = profile["samples"].as_array()?.iter().zip(profile["weights"].as_array()?);
    let stack = |(frames, weight): (&serde_json::Value, &serde_json::Value)| {
        let name = |f: &serde_json::Value| Some((*names.get(usize::try_from(f.as_u64()?).ok()?)?).to_owned());
        Some((frames.as_array()?.iter().map(name).collect::<Option<_>>()?, weight.as_f64()?))
    };
    samples.map(stack).collect()
}

/// The slices of the calling tree in Chrome's format; each lies in the one that it stands in.
pub fn chrome(text: &str) -> Option<Stacks> {
    let json: serde_json::Value = serde_json::from_str(text).ok()?;
    let mut out = Stacks::new();
    let mut open: Vec<(String, f64)> = vec![];
    for e in json["traceEvents"].as_array()?.iter().filter(|e| e["ph"] == "X" && e["tid"] == 1) {
        let (start, length) = (e["ts"].as_f64()?, e["dur"].as_f64()?);
        // A slice ends where the next begins, but for rounding.
        while open.last().is_some_and(|(_, end)| *end <= start + 1e-6) {
            open.pop();
        }
        if open.last().is_some_and(|(_, end)| start + length > end + 1e-3) {
            return None;
        }
        open.push((e["name"].as_str()?.to_owned(), start + length));
        let own = e["args"]["own_ns"].as_f64()?;
        out.push((open.iter().map(|(name, _)| name.clone()).collect(), own));
    }
    Some(out)
}

/// The samples of pprof's format.
pub fn pprof(bytes: &[u8]) -> Option<Stacks> {
    let body = bytes.get(10..bytes.len().checked_sub(8)?)?;
    let message = miniz_oxide::inflate::decompress_to_vec_with_limit(body, 64 << 20).ok()?;
    let mut out = Stacks::new();
    for (_, sample) in fields(&message)?.into_iter().filter(|(field, _)| *field == 2) {
        let packed = |wanted: u64| {
            let all = fields(sample)?;
            let (_, bytes) = all.into_iter().find(|(field, _)| *field == wanted)?;
            numbers(bytes)
        };
        let (mut locations, values) = (packed(1)?, packed(2)?);
        locations.reverse();
        let ns = *values.get(1)? as f64;
        if ns > 0.0 {
            out.push((locations.iter().map(|l| format!("#{}", l.wrapping_sub(1))).collect(), ns));
        }
    }
    Some(out)
}

/// A number of protocol buffers, and the bytes behind it.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (k, &b) in bytes.iter().enumerate().take(10) {
        value |= u64::from(b & 0x7f) << (7 * k);
        if b < 0x80 {
            return Some((value, &bytes[k + 1..]));
        }
    }
    None
}

fn numbers(mut bytes: &[u8]) -> Option<Vec<u64>> {
    let mut out = vec![];
    while !bytes.is_empty() {
        let (n, rest) = varint(bytes)?;
        out.push(n);
        bytes = rest;
    }
    Some(out)
}

/// The fields of a message that have bytes.
fn fields(mut bytes: &[u8]) -> Option<Vec<(u64, &[u8])>> {
    let mut out = vec![];
    while !bytes.is_empty() {
        let (key, rest) = varint(bytes)?;
        let (value, rest) = varint(rest)?;
        bytes = rest;
        if key & 7 == 2 {
            let size = usize::try_from(value).ok()?;
            out.push((key >> 3, bytes.get(..size)?));
            bytes = bytes.get(size..)?;
        }
    }
    Some(out)
}

/// Nanoseconds of callgrind's format: all, and by function.
pub fn callgrind(text: &str) -> Option<(f64, BTreeMap<String, f64>)> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut of: BTreeMap<String, f64> = BTreeMap::new();
    let (mut function, mut after_call, mut all) = (String::new(), false, 0.0);
    let mut name = |text: &str| {
        let (number, name) = text.split_once(' ').unwrap_or((text, ""));
        let known = names.entry(number.to_owned()).or_insert_with(|| name.to_owned());
        known.clone()
    };
    for line in text.lines() {
        if let Some(f) = line.strip_prefix("fn=") {
            function = name(f);
        } else if let Some(f) = line.strip_prefix("cfn=") {
            name(f);
        } else if line.starts_with("calls=") {
            after_call = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            let ns: f64 = line.split(' ').nth(3)?.parse().ok()?;
            if !std::mem::take(&mut after_call) {
                *of.entry(function.clone()).or_default() += ns;
                all += ns;
            }
        }
    }
    Some((all, of))
}

/// Seconds in the histogram of gprof's format.
pub fn gmon_seconds(bytes: &[u8]) -> Option<f64> {
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    // The header has 20 bytes; the histogram is the first record.
    if bytes.get(..4)? != b"gmon" || *bytes.get(20)? != 0 {
        return None;
    }
    let (bins, rate) = (word(37)? as usize, word(41)?);
    let counts = bytes.get(61..61 + 2 * bins)?.chunks_exact(2);
    let sum: f64 = counts.map(|b| f64::from(u16::from_le_bytes([b[0], b[1]]))).sum();
    Some(sum / f64::from(rate.max(1)))
}

/// Seconds of the metric `time` in Cube's format: its values are the second data member of the tar file.
pub fn cube_seconds(bytes: &[u8]) -> Option<f64> {
    let mut at = 0;
    loop {
        let header = bytes.get(at..at + 512)?;
        let name = header.split(|&b| b == 0).next()?;
        let digits = std::str::from_utf8(&header[124..135]).ok()?;
        let size = usize::from_str_radix(digits.trim_matches(['\0', ' ']), 8).ok()?;
        let data = bytes.get(at + 512..at + 512 + size)?;
        if name == b"1.data" {
            let values = data.strip_prefix(b"CUBEX.DATA")?.chunks_exact(8);
            return Some(values.filter_map(|b| b.try_into().ok()).map(f64::from_le_bytes).sum());
        }
        at += 512 + size.div_ceil(512) * 512;
    }
}
