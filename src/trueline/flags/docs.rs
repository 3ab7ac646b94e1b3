//! The texts made from the table of options: the help of `fc`, docs/flags.md, the man page and the completions.

use super::table::{Action, FLAGS, Flag, Group, Taken};
use super::{KNOWN_WARNINGS, WITHOUT_EFFECT};
use clap::CommandFactory;
use std::fmt::Write;

impl Flag {
    /// The option with its value, as documentation writes it.
    fn shown(&self) -> String {
        let needs_blank =
            !self.value.is_empty() && !self.name.ends_with(['=', '-', ',']) && !self.value.starts_with('[');
        format!("{}{}{}", self.name, if needs_blank && self.name.len() <= 3 { " " } else { "" }, self.value)
    }

    /// Its negation, if it has one.
    fn negation(&self) -> Option<String> {
        matches!(self.action, Action::Switch(_)).then(|| format!("-fno-{}", &self.name[2..]))
    }
}

fn of(group: Group) -> impl Iterator<Item = &'static Flag> {
    FLAGS.iter().filter(move |f| f.group == group)
}

/// The text of `trueline fc --help`.
pub fn fc_help() -> String {
    let mut out = String::from(
        "Usage: trueline fc [options] file...\n\
         Compiles and links Fortran as gfortran does, with its options. Objects, archives, libraries, C and assembler\n\
         sources go to cc. A program that is built with -fprofile-trueline writes its profile when it ends, into the file\n\
         that TRUELINE_PROFILE_FILE names.\n",
    );
    for (group, heading) in Group::ALL {
        let _ = write!(out, "\n{heading}:\n");
        for f in of(group) {
            let _ = writeln!(out, "  {:<26} {}", f.shown(), f.summary.replace('`', ""));
        }
    }
    out
}

/// docs/flags.md.
pub fn markdown() -> String {
    let mut out = String::from(
        "# Options\n\nGenerated from the table of options; `BLESS=1 cargo test --test all tables::` rewrites it.\n\n\
         These are the options that `fc` shares with gfortran. `build`, `run`, `profile`, `explain`, `map`, `dump`, `score` and\n\
         `advise` take them as well, except those marked *fc*. Each command has further options of its own: `trueline COMMAND\n\
         --help`.\n",
    );
    for (group, heading) in Group::ALL {
        let _ = write!(out, "\n## {heading}\n\n| option | effect |\n|---|---|\n");
        for f in of(group) {
            let negation = f.negation().map_or(String::new(), |n| format!(", `{n}`"));
            let only = if f.taken == Taken::ByFc { " (*fc*)" } else { "" };
            let _ = writeln!(
                out,
                "| `{}`{negation} | {}{only} |",
                f.shown().replace('|', "\\|"),
                f.summary.replace('|', "\\|")
            );
        }
    }
    out.push_str("\n## Warnings by name\n\n");
    let list = trueline_sema::Warnings::names();
    for (group, text) in [(1, "`-Wall` has"), (2, "`-Wextra` has"), (0, "Only their own options give")] {
        let names: Vec<String> = list.iter().filter(|(_, g)| *g == group).map(|(n, _)| format!("`{n}`")).collect();
        let _ = write!(out, "{text} {}.\n\n", names.join(", "));
    }
    let names: Vec<String> = KNOWN_WARNINGS.iter().filter(|n| !n.is_empty()).map(|n| format!("`{n}`")).collect();
    let _ = write!(out, "Accepted without effect: {}.\n\n", names.join(", "));
    out.push_str("## Accepted without effect\n\n");
    out.push_str(
        "gfortran's options that cannot change the result of a right program, or ask for something that is always so here\n\
         (position-independent code, no reassociation). A name with a hyphen at its end stands for all options that begin so.\n\n",
    );
    let names: Vec<String> = WITHOUT_EFFECT.iter().map(|n| format!("`-f{n}`")).collect();
    let _ = writeln!(out, "{}", names.join(", "));
    out.push_str(
        "\nAnother option that begins with `-f`, `-m` or `-W` is a warning, any other unknown option an error.\n",
    );
    out
}

/// The man page `trueline.1`.
pub fn man() -> String {
    let roff = |text: &str| text.replace('`', "").replace('\\', "\\e").replace('-', "\\-");
    let mut out = String::from(
        ".TH TRUELINE 1\n.SH NAME\ntrueline \\- a Fortran compiler that profiles the optimized program on its true source lines\n\
         .SH SYNOPSIS\n.B trueline\n.I COMMAND\n.RI [ OPTION \"]... \" FILE ...\n.SH COMMANDS\n",
    );
    for command in crate::cli::Cli::command().get_subcommands() {
        let about = command.get_about().map_or(String::new(), ToString::to_string);
        let _ = write!(out, ".TP\n.B {}\n{}\n", command.get_name(), roff(&about));
    }
    out.push_str(
        ".SH OPTIONS\nThe options that the compiling commands share. Those marked (fc) are of the command fc alone.\n",
    );
    for (group, heading) in Group::ALL {
        let _ = writeln!(out, ".SS {heading}");
        for f in of(group) {
            let only = if f.taken == Taken::ByFc { " (fc)" } else { "" };
            let _ = write!(out, ".TP\n.B {}\n{}{only}\n", roff(&f.shown()), roff(f.summary));
        }
    }
    for command in crate::cli::Cli::command().get_subcommands() {
        let own: Vec<_> = command.get_arguments().filter(|a| a.get_long().is_some() && !a.is_hide_set()).collect();
        if own.is_empty() {
            continue;
        }
        let _ = writeln!(out, ".SH OPTIONS OF {}", command.get_name().to_uppercase());
        for a in own {
            let help = a.get_help().map_or(String::new(), ToString::to_string);
            let _ = write!(out, ".TP\n.B \\-\\-{}\n{}\n", roff(a.get_long().unwrap_or("")), roff(&help));
        }
    }
    out.push_str(
        ".SH EXIT STATUS\n0 fine, 1 the source or input is wrong, 2 usage, 3 the link failed, 101 a bug of the compiler; run and\n\
         profile pass on that of the program.\n",
    );
    out
}

/// The words that complete a command: its own options, and the options that it shares with `fc`.
fn words(command: &clap::Command) -> Vec<String> {
    let mut out: Vec<String> = command.get_arguments().filter_map(|a| a.get_long()).map(|l| format!("--{l}")).collect();
    let compiles = command.get_name() == "fc" || command.get_arguments().any(|a| a.get_id() == "include");
    if compiles {
        let is_fc = command.get_name() == "fc";
        for f in FLAGS.iter().filter(|f| is_fc || f.taken == Taken::ByAll) {
            out.push(f.name.to_owned());
            out.extend(f.negation());
        }
    }
    out.sort();
    out.dedup();
    out
}

/// Completions for a shell: `bash`, `zsh` or `fish`; none for others.
pub fn completions(shell: &str) -> Option<String> {
    let cli = crate::cli::Cli::command();
    let commands: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    let mut out = String::new();
    match shell {
        "bash" | "zsh" => {
            if shell == "zsh" {
                out.push_str("#compdef trueline\nautoload -U +X bashcompinit && bashcompinit\n");
            }
            out.push_str("_trueline() {\n  local words cur=${COMP_WORDS[COMP_CWORD]}\n  case ${COMP_WORDS[1]} in\n");
            for command in cli.get_subcommands() {
                let _ = writeln!(out, "    {}) words='{}' ;;", command.get_name(), words(command).join(" "));
            }
            let _ = write!(out, "    *) words='{} --help --version' ;;\n  esac\n", commands.join(" "));
            out.push_str("  if [ \"$COMP_CWORD\" = 1 ]; then words='");
            let _ = writeln!(out, "{} --help --version'; fi", commands.join(" "));
            out.push_str(
                "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o default -F _trueline trueline\n",
            );
        }
        "fish" => {
            for command in cli.get_subcommands() {
                let about = command.get_about().map_or(String::new(), ToString::to_string).replace('\'', "");
                let name = command.get_name();
                let _ = writeln!(out, "complete -c trueline -n __fish_use_subcommand -a {name} -d '{about}'");
                for word in words(command) {
                    let _ = writeln!(out, "complete -c trueline -n '__fish_seen_subcommand_from {name}' -a '{word}'");
                }
            }
        }
        _ => return None,
    }
    Some(out)
}
