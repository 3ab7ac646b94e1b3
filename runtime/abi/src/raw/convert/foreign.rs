//! Constructs of callers in other languages, which are known by their records only.

use super::{Measured, RawError, ns, text};
use crate::profile::{Construct, Counts, Profile, Status, Time};
use crate::raw::{CALIBRATION_RECORD, FILTERED, Kind, RecordEntry, Slot, THROTTLED};
use std::collections::HashMap;

/// Adds the constructs to `out`; returns the serials of all records.
pub(super) fn collect(
    bytes: &[u8],
    records: &[RecordEntry],
    measured: &Measured,
    mut serials: HashMap<u64, u32>,
    out: &mut Profile,
) -> Result<HashMap<u64, u32>, RawError> {
    let mut serial = out.constructs.iter().map(|c| c.serial.saturating_add(1)).max().unwrap_or(0);
    for (i, r) in records.iter().enumerate() {
        let number = i as u64 + 1;
        if r.object != 0 || number == CALIBRATION_RECORD {
            continue;
        }
        let slot = measured.slots.get(&number).copied().unwrap_or_default();
        let place = Place::of(&text(bytes, r.name, r.name_len)?);
        let kind = Kind::of(r.kind);
        let counted_only = matches!(kind, Some(Kind::LogicalIf | Kind::ArithmeticIf));
        let filtered = r.flags & FILTERED != 0;
        let [inclusive_ns, exclusive_ns] = [slot.inclusive, slot.exclusive].map(|t| ns(t, &out.clock));
        let time = Time { inclusive_ns, exclusive_ns, ..Time::default() };
        out.constructs.push(Construct {
            serial,
            kind: word(kind).to_owned(),
            procedure: place.text.clone(),
            file: place.file,
            line: place.line,
            end_line: place.line,
            text: place.text,
            status: Status::Exact,
            counts_exact: true,
            counts: counts(kind, &slot),
            time: (!counted_only && !filtered).then_some(time),
            untimed: if filtered {
                Some("filtered".to_owned())
            } else {
                ((slot.flags | r.flags) & THROTTLED != 0).then(|| "throttled".to_owned())
            },
            ..Construct::default()
        });
        serials.insert(number, serial);
        serial = serial.saturating_add(1);
    }
    Ok(serials)
}

fn word(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::Procedure) => "procedure",
        Some(Kind::Loop) => "do",
        Some(Kind::LogicalIf) => "if_log",
        Some(Kind::ArithmeticIf) => "if_arith",
        Some(Kind::Region) | None => "region",
    }
}

fn counts(kind: Option<Kind>, slot: &Slot) -> Counts {
    match kind {
        Some(Kind::LogicalIf) => Counts {
            evaluations: Some(slot.evaluations),
            taken: Some(vec![slot.taken_0, slot.evaluations.saturating_sub(slot.taken_0)]),
            ..Counts::default()
        },
        Some(Kind::ArithmeticIf) => Counts {
            evaluations: Some(slot.evaluations),
            taken: Some(vec![slot.taken_0, slot.taken_1, slot.taken_2]),
            ..Counts::default()
        },
        Some(Kind::Loop) => Counts {
            invocations: Some(slot.invocations),
            iterations: Some(slot.iterations),
            min_trips: slot.min_trips.checked_sub(1),
            max_trips: (slot.min_trips > 0).then_some(slot.max_trips),
            zero_trips: (slot.min_trips > 0).then_some(slot.zero_trips),
            ..Counts::default()
        },
        _ => Counts {
            invocations: Some(slot.invocations),
            iterations: (slot.iterations > 0).then_some(slot.iterations),
            ..Counts::default()
        },
    }
}

/// A name of the form `file:line: text`, or any other text.
struct Place {
    file: String,
    line: u32,
    text: String,
}

impl Place {
    fn of(name: &str) -> Place {
        let whole = || Place { file: String::new(), line: 0, text: name.to_owned() };
        let Some((place, text)) = name.split_once(": ") else { return whole() };
        let Some((file, line)) = place.rsplit_once(':') else { return whole() };
        match line.parse() {
            Ok(line) => Place { file: file.to_owned(), line, text: text.to_owned() },
            Err(_) => whole(),
        }
    }
}
