//! The command line of trueline.

fn main() {
    std::process::exit(trueline::main(std::env::args_os().collect()));
}
