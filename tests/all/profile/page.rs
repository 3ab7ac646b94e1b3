//! The page in a browser: its content, and the effects of clicks and keys.

use crate::profile::exports::{has, profiled, trueline};
use data_encoding::BASE64;
use serde_json::Value;
use sha2::Digest;
use std::path::Path;
use std::process::Command;

const DRIVER: &str = include_str!("page-driver.js");

/// Opens the page with the driver in it and returns the driver's observations; none without a browser.
pub fn drive(directory: &Path, page: &str, only: Option<&[&str]>) -> Option<Value> {
    if !has("chromium") {
        return None;
    }
    let html = std::fs::read_to_string(directory.join(page)).unwrap();
    let only = only.map_or(String::new(), |o| format!("window.onlySteps = {};", serde_json::json!(o)));
    let end = html.rfind("</body>").unwrap();
    // The page's policy knows its own script only; the driver's is added here.
    let script = format!("{only}{DRIVER}");
    let hash = BASE64.encode(&sha2::Sha256::digest(&script));
    let driven = format!("{}<script>{script}</script>{}", &html[..end], &html[end..]);
    let driven = driven.replacen("script-src ", &format!("script-src 'sha256-{hash}' "), 1);
    std::fs::write(directory.join("driven.html"), driven).unwrap();
    let out = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,800", "--dump-dom"])
        .arg("--virtual-time-budget=60000")
        .arg(format!("--user-data-dir={}", directory.join("browser").display()))
        .arg(format!("file://{}", directory.join("driven.html").display()))
        .output()
        .expect("the browser runs");
    let dom = String::from_utf8_lossy(&out.stdout).into_owned();
    let from = dom.find("<pre id=\"seen\">").unwrap_or_else(|| panic!("the driver did not finish: {dom}")) + 15;
    let to = from + dom[from..].find('<').unwrap();
    Some(serde_json::from_slice(&BASE64.decode(dom[from..to].trim().as_bytes()).unwrap()).unwrap())
}

#[test]
fn a_profile_is_looked_at() {
    let dir = profiled();
    trueline(dir.path(), &["merge", "-o", "sum.json", "p.json", "p.json"]);
    trueline(dir.path(), &["report", "--html", "page.html", "sum.json"]);
    let Some(seen) = drive(dir.path(), "page.html", None) else { return };
    assert_eq!(seen["errors"], serde_json::json!([]));
    let s = &seen["steps"];
    assert_eq!(s["ready"], "yes");
    assert_eq!(s["title"], "calls");
    assert_eq!(s["requests"], 0);
    assert_eq!(s["gutter"], "1,206,000");
    let detail = s["detail"].as_str().unwrap();
    assert!(detail.contains("1,206,000") && detail.contains("EXACT") && detail.contains("calls.f90:21"), "{detail}");
    assert_eq!(s["down"], "22");
    assert!(s["bars"].as_str().unwrap().contains("arm 1: "), "{s}");
    assert_eq!(s["hot"], "do k = 1, 3000");
    assert_eq!(s["search"][0], true);
    assert_eq!(s["search"][1], true);
    assert_eq!(s["search"][2], 2, "lines with 'outer'");
    assert_eq!(s["unsearch"], 0);
    assert_eq!(s["constructs"], 7);
    assert!(s["sorted"][0].as_str().unwrap().contains("if (x < 100.0)"), "{s}");
    assert!(s["sorted"][1].as_str().unwrap().contains("calls.f90:"), "{s}");
    let tree: Vec<&str> = s["tree"].as_array().unwrap().iter().map(|r| r.as_str().unwrap()).collect();
    assert_eq!(tree.len(), 8, "{tree:?}");
    assert!(tree[4].contains("400") && tree[4].ends_with("inner (line 15)"), "{tree:?}");
    assert_eq!(s["collapse"], 1);
    assert_eq!(s["flame"], serde_json::json!(["do i = 1, 40", true]));
    let calls = s["calls"].as_str().unwrap();
    assert!(calls.contains("402 calls") && calls.contains("outer") && calls.contains("Conditional profile"), "{calls}");
    assert_eq!(s["link"][0], "source");
    assert!(s["processors"].as_str().unwrap().contains("2 processors"), "{s}");
    assert_eq!(s["theme"], true);
    assert_eq!(s["help"], true);
}

/// Twenty thousand lines: the page holds a screenful of rows.
#[test]
fn a_long_source_is_drawn_in_part() {
    let dir = tempfile::tempdir().unwrap();
    let template = include_str!("injection.json");
    let long = "x = x + 1\\n".repeat(20_000);
    std::fs::write(dir.path().join("p.json"), template.replace("\"PAYLOAD\\n\"", &format!("\"{long}\""))).unwrap();
    trueline(dir.path(), &["report", "--html", "page.html", "p.json"]);
    let Some(seen) = drive(dir.path(), "page.html", Some(&["ready", "rows", "requests"])) else { return };
    assert_eq!(seen["errors"], serde_json::json!([]));
    assert_eq!(seen["steps"]["ready"], "yes");
    let rows = seen["steps"]["rows"].as_u64().unwrap();
    assert!((30..200).contains(&rows), "{rows} rows");
}

/// A loop that was fused and vectorized, at every level and through the passes.
#[test]
fn a_lesson_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::copy(crate::build::root().join("examples/hpf/teaching.f90"), dir.path().join("t.f90")).unwrap();
    trueline(dir.path(), &["explain", "t.f90:34", "--html", "page.html"]);
    let only = ["ready", "levels", "marked", "copies", "slide", "requests"];
    let Some(seen) = drive(dir.path(), "page.html", Some(&only)) else { return };
    assert_eq!(seen["errors"], serde_json::json!([]));
    let s = &seen["steps"];
    let levels = serde_json::json!(["source", "VH", "H, optimized", "M, optimized", "L", "CLIF", "assembly"]);
    assert_eq!(s["levels"], levels);
    for (level, n) in s["levels"].as_array().unwrap().iter().zip(s["marked"].as_array().unwrap()) {
        assert!(n.as_u64().unwrap() > 0, "nothing is marked at {level}: {s}");
    }
    assert!(s["copies"].as_array().unwrap()[..5].iter().all(|n| n.as_u64().unwrap() > 0), "{s}");
    let slides = s["slide"].as_array().unwrap();
    assert!(slides.iter().any(|x| x[0].as_str().unwrap().contains("fuse")), "{s}");
    assert!(slides.iter().any(|x| x[0].as_str().unwrap().contains("vectorize")), "{s}");
    for slide in slides {
        assert!(slide[1].as_u64().unwrap() > 0 && slide[2].as_u64().unwrap() > 0, "{slide}");
    }
}
