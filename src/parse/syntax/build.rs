//! Generates the statement parser from its grammar.

fn main() {
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let result =
        lalrpop::Configuration::new().set_out_dir(out).emit_rerun_directives(true).process_file("grammar.lalrpop");
    if let Err(error) = result {
        panic!("grammar.lalrpop: {error}");
    }
}
