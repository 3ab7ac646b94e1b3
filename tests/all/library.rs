//! The profile runtime called from another language: the eleven routines of table 1.

use crate::build::counts;
use std::process::Command;

const C: &str = r#"
typedef struct { const char *name; unsigned construct, depth; unsigned long long n[9]; } record;
void trueline_start_profile(const char *, record *);
void trueline_end_profile(void);
void trueline_start_procedure(const char *, record *);
void trueline_end_procedure(void);
void trueline_start_loop(const char *, record *, int);
void trueline_end_loop(void);
void trueline_incr_loop(void);
void trueline_start_region(const char *, record *, int);
void trueline_end_region(void);
void trueline_start_log_if(const char *, record *, int);
void trueline_start_arith_if(const char *, record *, int);

static record program, solve, loop, region, test, sign;

static void work(int n) {
    trueline_start_procedure("solve", &solve);
    trueline_start_loop("loop", &loop, 1);
    for (int i = 0; i < n; i++) {
        trueline_incr_loop();
        trueline_start_log_if("test", &test, i % 3 == 0);
        trueline_start_arith_if("sign", &sign, i - 2);
    }
    trueline_end_loop();
    /* Two areas of one region: the second does not count the invocation. */
    trueline_start_region("region", &region, 1);
    trueline_end_region();
    trueline_start_region("region", &region, 0);
    trueline_end_region();
    trueline_end_procedure();
}

int main(void) {
    trueline_start_profile("program", &program);
    for (int k = 0; k < 4; k++) work(6);
    trueline_end_profile();
    return 0;
}
"#;

#[test]
fn c_calls_the_profile_runtime() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("t.c"), C).unwrap();
    let archive = trueline::runtime::archive(&target_lexicon::Triple::host(), None).unwrap();
    let built = Command::new("cc")
        .arg(path("t.c"))
        .arg(archive)
        .args(["-lm", "-ldl", "-lpthread", "-o"])
        .arg(path("t"))
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(path("t")).env("TRUELINE_PROFILE_FILE", path("p.json")).status().unwrap();
    assert!(ran.success());
    let found = counts(&std::fs::read_to_string(path("p.json")).unwrap()).unwrap();
    let get = |name: &str| found.iter().find(|(k, _)| k.ends_with(name)).map(|(_, c)| c.clone()).unwrap();
    assert_eq!(get("solve").invocations, Some(4));
    assert_eq!(get("loop").invocations, Some(4));
    assert_eq!(get("loop").iterations, Some(24));
    assert_eq!(get("region").invocations, Some(4));
    assert_eq!((get("test").evaluations, get("test").taken.unwrap()[0]), (Some(24), 8));
    assert_eq!(get("sign").taken, Some(vec![8, 4, 12]));
}
