//! docs/profile.schema.json, the JSON schema of profiles: the profiles that programs write follow it, and it knows every field.

use crate::build::{build_and_run, options, root};
use serde_json::Value;
use std::collections::BTreeSet;
use trueline_instrument::TimeMode;

/// Checks `value` against `rule`; the words of JSON Schema that the file uses, no others.
fn check(schema: &Value, rule: &Value, value: &Value, at: &str, seen: &mut BTreeSet<String>) -> Result<(), String> {
    if let Some(name) = rule["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap_or("");
        return check(schema, &schema["$defs"][name], value, at, seen);
    }
    if let Some(choices) = rule["anyOf"].as_array() {
        let mut errors = choices.iter().map(|c| check(schema, c, value, at, seen));
        return if errors.any(|e| e.is_ok()) { Ok(()) } else { Err(format!("{at} is none of {choices:?}")) };
    }
    if let Some(words) = rule["enum"].as_array() {
        return if words.contains(value) { Ok(()) } else { Err(format!("{at}: {value} is not among {words:?}")) };
    }
    let is_right = match rule["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        other => return Err(format!("{at}: the schema has the type {other:?}")),
    };
    if !is_right {
        return Err(format!("{at}: {value} is no {}", rule["type"]));
    }
    for required in rule["required"].as_array().into_iter().flatten() {
        if value.get(required.as_str().unwrap_or("")).is_none() {
            return Err(format!("{at}: {required} is missing"));
        }
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let place = format!("{at}.{name}");
        match rule["properties"].get(name) {
            Some(rule) => {
                seen.insert(name.clone());
                check(schema, rule, member, &place, seen)?;
            }
            None if rule["additionalProperties"].is_object() => {
                check(schema, &rule["additionalProperties"], member, &place, seen)?;
            }
            None => return Err(format!("{place} is not in the schema")),
        }
    }
    for (k, item) in value.as_array().into_iter().flatten().enumerate() {
        let rule = rule["prefixItems"].get(k).unwrap_or(&rule["items"]);
        check(schema, rule, item, &format!("{at}[{k}]"), seen)?;
    }
    Ok(())
}

#[test]
fn profiles_follow_the_schema() {
    let text = std::fs::read_to_string(root().join("docs/profile.schema.json")).expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let mut seen = BTreeSet::new();
    for name in ["examples/hpf/tomcatv.f90", "examples/hpf/teaching.f90", "examples/hpf/triangular.f90"] {
        for (level, mode) in [(0, TimeMode::All), (3, TimeMode::Outer), (3, TimeMode::None)] {
            let file = root().join(name);
            let ran = build_and_run(&file, &options(&file, level, Some(mode))).expect("it runs");
            let profile: Value = serde_json::from_str(&ran.profile.expect("a profile")).expect("JSON");
            if let Err(e) = check(&schema, &schema, &profile, "", &mut seen) {
                panic!("{name} at -O{level}: {e}");
            }
        }
    }
    for field in ["constructs", "story", "status", "merged_with", "trips", "samples", "call_tree"] {
        assert!(seen.contains(field), "no profile has the field {field}: {seen:?}");
    }
}

#[test]
fn the_schema_knows_no_other_field() {
    let text = std::fs::read_to_string(root().join("docs/profile.schema.json")).expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let rules = std::iter::once(&schema).chain(schema["$defs"].as_object().into_iter().flat_map(|d| d.values()));
    let source: String = ["profile.rs", "profile/overhead.rs", "profile/ranks.rs", "profile/samples.rs", "cost.rs"]
        .iter()
        .map(|f| std::fs::read_to_string(root().join("runtime/abi/src").join(f)).expect("a source"))
        .collect();
    for (name, rule) in rules.flat_map(|r| r["properties"].as_object().into_iter().flatten()) {
        // The seal is added when the profile is written.
        assert!(name == "checksum" || source.contains(&format!("pub {name}: ")), "{name} is no field");
        assert!(rule["description"].as_str().is_some_and(|d| !d.is_empty()), "{name} has no description");
    }
}

/// The examples of docs/ir.md are read, pass the verifier, and are printed as a text that reads back the same.
#[test]
fn the_examples_of_the_ir_are_read() {
    let text = std::fs::read_to_string(root().join("docs/ir.md")).expect("the document");
    let examples: Vec<&str> =
        text.split("```ir\n").skip(1).map(|rest| rest.split("```").next().unwrap_or("")).collect();
    assert!(examples.len() >= 2);
    for example in examples {
        let unit = trueline_ir::parse_unit(example).unwrap_or_else(|e| panic!("{e}\n{example}"));
        let broken = trueline_ir::verify(&unit);
        assert!(broken.is_empty(), "{}\n{example}", broken[0]);
        let printed = unit.to_string();
        let again = trueline_ir::parse_unit(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
        assert_eq!(again.to_string(), printed);
    }
}
