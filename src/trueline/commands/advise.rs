//! `advise`: advice on the hottest constructs, and on distributions ([`what_if`]).

use super::report::{code, load_all, style};
use super::{build, complain, finish, options, print, print_json, time_mode, what_if};
use crate::cli::Advise;
use crate::driver::{Failure, Session};
use crate::exit;
use std::path::Path;
use trueline_abi::profile::Profile;
use trueline_report::Index;

/// `trueline advise`: of profiles, or of a program that is compiled and run.
pub fn advise(args: &Advise) -> i32 {
    let profiles = args.compile.files.iter().filter(|f| is_profile(f)).count();
    if profiles > 0 && what_if::is_wanted(args) {
        complain("A run on ranks is foretold for sources, not for profiles");
        return exit::USAGE;
    }
    if profiles == args.compile.files.len() {
        return code(load_all(&args.compile.files).map(|profile| show(args, &profile)));
    }
    if profiles > 0 {
        complain("'advise' takes profiles, or sources to compile and run, not both");
        return exit::USAGE;
    }
    let mut options = match options(&args.compile) {
        Ok(options) => options,
        Err(text) => {
            complain(&text);
            return exit::USAGE;
        }
    };
    if what_if::is_wanted(args) {
        return what_if::what_if(args, options);
    }
    options.profile = Some(time_mode(&args.compile.time));
    let mut session = Session::default();
    let result = build::measured(&mut session, &options, &args.compile, &args.args, |code, profile| {
        if !args.compile.json {
            print("\n");
        }
        show(args, &profile);
        Ok::<i32, Failure>(code)
    });
    finish(session, args.compile.json, result)
}

/// Whether the file is a profile by its name: sources have a suffix.
fn is_profile(path: &Path) -> bool {
    path.extension().is_none_or(|e| e == "json")
}

fn show(args: &Advise, profile: &Profile) -> i32 {
    let index = Index::new(profile);
    let advice = trueline_report::advice(&index, args.limit, trueline_report::WORTH_ASKING);
    if args.compile.json {
        let json = serde_json::to_string_pretty(&trueline_report::advice_json(&advice)).unwrap_or_default();
        print_json(&(json + "\n"));
    } else if advice.is_empty() {
        print("No construct has a hundredth of the time that was measured: there is nothing to advise.\n");
    } else {
        print(&trueline_report::advice_text(&advice, style()));
    }
    exit::OK
}
