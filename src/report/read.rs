//! Reading a profile that anybody may have written, or cut.

use rustc_hash::FxHashSet;
use serde::Deserialize;
use trueline_abi::profile::{Profile, SCHEMA, is_damaged};

/// Why a profile cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// It is not JSON of the right shape.
    Malformed(String),
    /// It is of another version.
    Schema(String),
    /// It contradicts itself.
    Inconsistent(String),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadError::Malformed(what) => write!(f, "Not a profile: {}", crate::safe(what)),
            ReadError::Schema(found) => {
                let found = crate::flat::shortened(&crate::safe(found), 80);
                write!(f, "Profile of schema '{found}' where '{SCHEMA}' is read")
            }
            ReadError::Inconsistent(what) => write!(f, "Inconsistent profile: {}", crate::safe(what)),
        }
    }
}

impl std::error::Error for ReadError {}

/// All that must be known to say that a profile is of another version.
#[derive(Deserialize)]
struct Versioned {
    schema: Option<String>,
}

/// Reads a profile: JSON, or the raw profile that a killed program left. Memory and time are linear in the bytes.
///
/// # Errors
/// If the bytes are no profile, one of another version, or one that contradicts itself.
pub fn read(bytes: &[u8]) -> Result<Profile, ReadError> {
    if trueline_abi::raw::is_raw(bytes) {
        let profile = trueline_abi::raw::profile(bytes).map_err(|e| ReadError::Malformed(e.to_string()))?;
        check(&profile)?;
        return Ok(profile);
    }
    let profile: Profile = match serde_json::from_slice(bytes) {
        Ok(profile) => profile,
        Err(e) => {
            return Err(match serde_json::from_slice::<Versioned>(bytes) {
                Ok(Versioned { schema: Some(schema) }) if schema != SCHEMA => ReadError::Schema(schema),
                Ok(Versioned { schema: None }) => ReadError::Malformed("there is no field 'schema'".to_owned()),
                _ => ReadError::Malformed(e.to_string()),
            });
        }
    };
    if profile.schema != SCHEMA {
        return Err(ReadError::Schema(profile.schema));
    }
    if is_damaged(bytes) {
        return Err(ReadError::Malformed(
            "it was changed or cut after it was written: its checksum is another".to_owned(),
        ));
    }
    check(&profile)?;
    Ok(profile)
}

/// References that reports follow must lead somewhere.
fn check(profile: &Profile) -> Result<(), ReadError> {
    let wrong = |what: String| Err(ReadError::Inconsistent(what));
    let mut serials = FxHashSet::default();
    serials.reserve(profile.constructs.len());
    let mut last = None;
    for c in &profile.constructs {
        if !serials.insert(c.serial) {
            return wrong(format!("serial {} stands twice", c.serial));
        }
        if last.is_some_and(|l| l > c.serial) {
            return wrong(format!("construct {} stands after a later one", c.serial));
        }
        last = Some(c.serial);
    }
    for c in &profile.constructs {
        for &s in c.parent.iter().chain(&c.merged_with) {
            if !serials.contains(&s) {
                return wrong(format!("construct {} names {s}, which does not exist", c.serial));
            }
        }
        if c.parent.is_some_and(|p| p >= c.serial) {
            return wrong(format!("construct {} stands before its parent", c.serial));
        }
    }
    for e in &profile.edges {
        if let Some(s) = [e.caller, e.callee].into_iter().find(|s| !serials.contains(s)) {
            return wrong(format!("a call names {s}, which does not exist"));
        }
    }
    for p in &profile.processors {
        let named = p.statements.iter().filter_map(|s| s.serial.as_ref());
        if let Some(s) = p.constructs.keys().chain(p.own.keys()).chain(named).find(|s| !serials.contains(s)) {
            return wrong(format!("processor {} names {s}, which does not exist", p.rank));
        }
    }
    for t in &profile.traces {
        let Some(moments) = t.moments() else { return wrong(format!("the trace of thread {} is none", t.thread)) };
        if let Some(s) = moments.iter().filter_map(|m| m.entered).find(|s| !serials.contains(s)) {
            return wrong(format!("the trace of thread {} names {s}, which does not exist", t.thread));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;

    #[test]
    fn refusals() {
        assert!(matches!(read(b""), Err(ReadError::Malformed(_))));
        assert!(matches!(read(b"{}"), Err(ReadError::Malformed(_))));
        assert!(matches!(read(br#"{"schema":"trueline-profile/9"}"#), Err(ReadError::Schema(_))));
        let deep = "[".repeat(1 << 20);
        assert!(matches!(read(deep.as_bytes()), Err(ReadError::Malformed(_))));
        let profile = Profile { schema: SCHEMA.into(), ..Profile::default() };
        let json = serde_json::to_vec(&profile).unwrap();
        assert_eq!(read(&json).unwrap(), profile);
        for cut in 0..json.len() {
            assert!(read(&json[..cut]).is_err(), "a profile cut at {cut} was read");
        }
    }

    #[test]
    fn contradictions() {
        let spoiled = |change: fn(&mut Profile)| {
            let mut p = sample();
            change(&mut p);
            read(&serde_json::to_vec(&p).unwrap())
        };
        assert!(spoiled(|_| {}).is_ok());
        assert!(matches!(spoiled(|p| p.constructs[1].serial = 0), Err(ReadError::Inconsistent(_))));
        assert!(matches!(spoiled(|p| p.constructs[1].parent = Some(77)), Err(ReadError::Inconsistent(_))));
        assert!(matches!(spoiled(|p| p.constructs[0].parent = Some(1)), Err(ReadError::Inconsistent(_))));
        assert!(matches!(spoiled(|p| p.edges[0].callee = 77), Err(ReadError::Inconsistent(_))));
        assert!(matches!(spoiled(|p| p.constructs.swap(0, 1)), Err(ReadError::Inconsistent(_))));
    }

    /// Every bit of a profile flipped, and every prefix of it: an error.
    #[test]
    fn damage_is_noticed() {
        let json = trueline_abi::profile::sealed(&sample()).unwrap();
        assert_eq!(read(&json).unwrap(), sample());
        for at in 0..json.len() {
            assert!(read(&json[..at]).is_err(), "a profile cut at {at} was read");
            for bit in 0..8 {
                let mut bytes = json.clone();
                bytes[at] ^= 1 << bit;
                assert!(read(&bytes).is_err(), "bit {bit} of byte {at}: {}", String::from_utf8_lossy(&bytes));
            }
        }
    }

    /// A profile that another tool rewrote is read as it stands.
    #[test]
    fn rewritten_profiles_are_read() {
        let json: serde_json::Value =
            serde_json::from_slice(&trueline_abi::profile::sealed(&sample()).unwrap()).unwrap();
        assert!(json["checksum"].is_string());
        for text in [serde_json::to_string_pretty(&json).unwrap(), json.to_string(), json.to_string() + "\n"] {
            assert_eq!(read(text.as_bytes()).unwrap(), sample());
        }
    }

    /// Every bit of a profile without a checksum flipped: an error, or a profile that every report can show.
    #[test]
    fn every_bit_flipped() {
        let json = serde_json::to_vec(&sample()).unwrap();
        let mut readable = 0;
        for at in 0..json.len() {
            for bit in 0..8 {
                let mut bytes = json.clone();
                bytes[at] ^= 1 << bit;
                if let Ok(profile) = read(&bytes) {
                    // All reports of each would take most of a minute.
                    readable += 1;
                    if readable % 5 == 0 {
                        crate::testing::show_all(&profile);
                    }
                }
            }
        }
        assert!(readable > 1000, "{readable}");
    }
}
