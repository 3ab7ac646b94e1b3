//! Whole WRITE statements against gfortran: groups, reversion, tabs, and several items.

use super::differential::reference;
use super::program::{Datum, Fortran, Random, Statement};
use trueline_abi::io::{IoOp, IoSpec};

/// An item as Fortran source and as a value.
struct Item {
    source: String,
    datum: Datum,
}

/// The items that a format can edit, so that its descriptors fit.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Integers,
    Reals,
    Characters,
    Mixed,
}

fn item(random: &mut Random, kind: Kind) -> Item {
    let kind =
        if kind == Kind::Mixed { *random.pick(&[Kind::Integers, Kind::Reals, Kind::Characters, kind]) } else { kind };
    let eighths = random.below(20_000) as i64 - 10_000;
    match kind {
        Kind::Integers => Item { source: eighths.to_string(), datum: (eighths as i32).datum() },
        Kind::Reals if random.below(2) == 0 => {
            let x = eighths as f64 / 8.0;
            Item { source: format!("{x:?}d0"), datum: x.datum() }
        }
        Kind::Reals => {
            let x = eighths as f32 / 8.0;
            Item { source: format!("{x:?}"), datum: x.datum() }
        }
        Kind::Characters => {
            let text = &"abc de'f\"g"[..random.below(11) as usize];
            Item { source: format!("'{}'", text.replace('\'', "''")), datum: text.datum() }
        }
        Kind::Mixed => {
            let value = eighths % 2 == 0;
            Item { source: format!(".{value}."), datum: value.datum() }
        }
    }
}

fn edit(random: &mut Random, kind: Kind) -> String {
    let (w, d) = (1 + random.below(14), random.below(5));
    let repeat = if random.below(3) == 0 { (1 + random.below(3)).to_string() } else { String::new() };
    let edit = match (kind, random.below(4)) {
        (Kind::Integers, 0) => format!("I{}.{}", w + 2, d),
        (Kind::Integers, 1) => format!("Z{w}"),
        (Kind::Integers, 2) => "I0".to_owned(),
        (Kind::Integers, _) => format!("I{w}"),
        (Kind::Reals, 0) => format!("E{}.{}", w + 7, d + 1),
        (Kind::Reals, 1) => format!("ES{}.{}", w + 7, d),
        (Kind::Reals, 2) => format!("G{}.{}", w + 7, d + 1),
        (Kind::Reals, _) => format!("F{w}.{d}"),
        (Kind::Characters, 0) => format!("A{w}"),
        (Kind::Characters, _) => "A".to_owned(),
        (Kind::Mixed, 0) => "G0".to_owned(),
        (Kind::Mixed, _) => format!("G{}.{}", w + 7, d + 1),
    };
    repeat + &edit
}

fn format(random: &mut Random, kind: Kind, depth: u32) -> String {
    let count = 1 + random.below(4);
    let mut pieces: Vec<String> = (0..count).map(|_| piece(random, kind, depth)).collect();
    // A data descriptor at the end, so that reversion makes progress.
    pieces.push(edit(random, kind));
    pieces.join(",")
}

fn piece(random: &mut Random, kind: Kind, depth: u32) -> String {
    let n = 1 + random.below(6);
    match random.below(16) {
        0 => format!("{n}X"),
        // Not `T` and `TL`: libgfortran loses characters when one to the left follows another tab.
        1 | 2 => format!("{n}X"),
        3 => format!("TR{n}"),
        4 => "/".to_owned(),
        5 => ":".to_owned(),
        6 => "'t''x'".replace('\'', "''"),
        7 => (*random.pick(&["SP", "SS", "S", "1P", "0P"])).to_owned(),
        8 | 9 if depth > 0 => {
            format!("{}({})", if n > 3 { String::new() } else { n.to_string() }, format(random, kind, depth - 1))
        }
        _ => edit(random, kind),
    }
}

#[test]
#[cfg_attr(miri, ignore = "runs gfortran")]
fn statements_equal_gfortran() {
    let mut random = Random(6);
    let name = std::env::temp_dir().join(format!("trueline-statements-{}", std::process::id()));
    let file = name.to_str().unwrap().as_bytes().to_vec();
    let mut source = String::from("program statements\n");
    let mut cases = Vec::new();
    assert_eq!(Statement::new(IoOp::Open).unit(120).text(IoSpec::File, &file).finish().iostat, 0);
    for case in 0..300 {
        let kind = *random.pick(&[Kind::Integers, Kind::Reals, Kind::Characters, Kind::Mixed]);
        let list = random.below(4) == 0;
        let stays = !list && random.below(5) == 0;
        let format = if list { "*".to_owned() } else { format!("({})", format(&mut random, kind, 2)) };
        let items: Vec<Item> = (0..random.below(9)).map(|_| item(&mut random, kind)).collect();
        let sources: Vec<&str> = items.iter().map(|item| item.source.as_str()).collect();
        let quoted = if list { format.clone() } else { format!("'{format}'") };
        let advance = if stays { ",advance='no'" } else { "" };
        let line = format!("write (6,{quoted}{advance}) {}\n", sources.join(","));
        source += &line;
        source += &format!("write (6,'(a)') '#{case}'\n");
        let mut statement = Statement::new(IoOp::Write).unit(120).format(&format.replace("''", "'"));
        if stays {
            statement = statement.text(IoSpec::Advance, b"NO");
        }
        let outcome = items.iter().fold(statement, |s, item| s.put(&item.datum)).finish();
        assert_eq!(outcome.iostat, 0, "{line}{outcome:?}");
        let mark =
            Statement::new(IoOp::Write).unit(120).format("(A)").put(&format!("#{case}").as_str().datum()).finish();
        assert_eq!(mark.iostat, 0);
        cases.push(line);
    }
    source += "end program\n";
    assert_eq!(Statement::new(IoOp::Close).unit(120).finish().iostat, 0);
    let ours = std::fs::read_to_string(&name).unwrap();
    std::fs::remove_file(&name).unwrap();
    let Some(theirs) = reference("statements", &source, "") else { return };
    let split = |text: &str| {
        let mut rest = text;
        let mut parts = Vec::new();
        for case in 0..cases.len() {
            let mark = format!("#{case}\n");
            let (part, after) = rest.split_once(&mark).unwrap_or((rest, ""));
            parts.push(part.to_owned());
            rest = after;
        }
        parts
    };
    let (ours, theirs) = (split(&ours), split(&theirs));
    let different: Vec<String> = (0..cases.len())
        .filter(|&i| ours[i] != theirs[i])
        .map(|i| format!("{}ours\n{}\ntheirs\n{}", cases[i], ours[i], theirs[i]))
        .collect();
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different[..different.len().min(20)].join("\n"));
}
