use super::PASS;
use crate::{Context, OptLevel};
use std::path::Path;
use trueline_ir::testing::check_dir;

#[test]
fn cases() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("scalarize/cases");
    check_dir(&dir, "scalarize", &|ed| (PASS.run)(ed, &Context::alone(OptLevel::O2)));
}
