use std::collections::BTreeSet;

use super::*;

const README: &str = include_str!("../../README.md");
const JSON: &str = include_str!("../../json.md");

#[test]
fn the_command_line_is_sound() {
    Cli::command().debug_assert();
}

/// Whatever `run` can be told besides, a run that goes on keeps as it was begun.
#[test]
fn a_run_that_goes_on_takes_no_other_option_but_quiet() {
    let mut command = Cli::command();
    let run = command.find_subcommand_mut("run").expect("there is `run`");
    let resume = run.get_arguments().find(|a| a.get_id() == "resume").expect("it is there");
    let refused: Vec<&str> = run
        .get_arg_conflicts_with(resume)
        .into_iter()
        .map(|argument| argument.get_id().as_str())
        .collect();
    for argument in run.get_arguments().map(|argument| argument.get_id().as_str()) {
        let free = ["resume", "quiet", "json", "help"].contains(&argument);
        assert_eq!(refused.contains(&argument), !free, "--resume with {argument}");
    }
}

#[test]
fn faulty_rules_and_failures_make_a_command_fail() {
    use Verdict::{
        Crashed, Disputed, Invalid, Ok, Timeout, TooLarge, Unchecked, Unsupported, Wrong,
    };
    assert_eq!(Outcome::of([Ok, Unchecked, Unsupported, TooLarge]), Outcome::Fine);
    for verdict in [Invalid, Wrong, Disputed, Crashed, Timeout] {
        assert_eq!(Outcome::of([Ok, verdict]), Outcome::Failed, "{verdict}");
    }
}

/// However a run was begun, the page of its report has commands that can be typed: `reports`
/// knows which of our options take values.
#[test]
fn what_the_page_says_to_measure_again_can_be_typed() {
    let game = reports::table::GameRow {
        id: "hex-5".to_owned(),
        title: "Hex".to_owned(),
        paper: Vec::new(),
        players: 2,
        size: Some(("hex".to_owned(), 5)),
    };
    let column = reports::Column {
        engine: "rbg".to_owned(),
        via: Way::Listed,
        threads: 2,
        job: Some(8),
        tabled: false,
        control: true,
    };
    for (name, operand) in [("run", "go"), ("bench", "b/hex-5.rbg"), ("study", "hex")] {
        let command = Cli::command();
        let command = command.find_subcommand(name).expect("it is a command");
        let mut arguments = vec![name.to_owned()];
        for argument in command.get_arguments() {
            let Some(long) = argument.get_long() else { continue };
            let value = match long {
                "help" | "resume" | "suite" => continue,
                "set" => "alive=2",
                "protocol" => "2s",
                "via" => "fast,listed",
                "shard" => "1/2",
                "core" => "0",
                _ => "1",
            };
            arguments.push(format!("--{long}"));
            if argument.get_action().takes_values() {
                arguments.push(value.to_owned());
            }
        }
        arguments.push(operand.to_owned());
        let all = std::iter::once("ggpbench".to_owned()).chain(arguments.clone());
        Cli::try_parse_from(all).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
        let record = reports::Record { arguments };
        let cell = record.command_for(&game, &column, 3).expect("it fits the cell");
        let whole = record.command().expect("it can be shown");
        for line in [&cell, &whole] {
            let words = shlex::split(line).expect("it is quoted");
            Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
        for kept in ["--protocol 2s", "--processes 1", "--memory 1", "--engines-file 1"] {
            assert!(cell.contains(kept) && whole.contains(kept), "{kept}: {cell}, {whole}");
        }
        for replaced in ["--out", "--baseline", "--quiet", "--shard", "--threads 1"] {
            assert!(!cell.contains(replaced), "{replaced}: {cell}");
        }
    }
}

/// The commands that people see.
fn visible(cli: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    cli.get_subcommands().filter(|command| !command.is_hide_set())
}

/// The lines inside the code blocks of a document.
fn code(document: &str) -> impl Iterator<Item = &str> {
    document.split("```").skip(1).step_by(2).flat_map(str::lines)
}

/// The command lines that documents show, in code blocks and in the examples of `--help`, are
/// command lines that we have.
#[test]
fn what_the_documents_show_can_be_typed() {
    let documents = [
        README,
        JSON,
        include_str!("../../agents.md"),
        include_str!("../../agents/README.md"),
        include_str!("../../../README.md"),
        include_str!("../../../engines/README.md"),
        include_str!("../../../engines/peers/README.md"),
        include_str!("../../../games/README.md"),
    ];
    let mut helps = Vec::new();
    for command in std::iter::once(&mut Cli::command()).chain(Cli::command().get_subcommands_mut())
    {
        helps.extend(command.get_after_help().map(ToString::to_string));
    }
    let shown = documents.into_iter().flat_map(code);
    let helped = helps.iter().flat_map(|help| help.lines());
    let mut typed = 0;
    for line in shown.chain(helped).map(str::trim) {
        let line = line.strip_prefix("cargo ggp ").or_else(|| line.strip_prefix("ggpbench "));
        // A comment, or what `--help` says about the example, stands two blanks away.
        let Some(line) = line.and_then(|line| line.trim_start().split("  ").next()) else {
            continue;
        };
        let words = line.split(['#', '>', '|']).next().unwrap_or_default();
        let words = shlex::split(words).unwrap_or_else(|| panic!("an open quote: {words}"));
        let words: Vec<String> = std::iter::once("ggpbench".to_owned())
            .chain(words.into_iter().filter(|word| !word.starts_with('<')))
            .collect();
        if let Err(error) = Cli::try_parse_from(&words) {
            panic!("{words:?}: {error}");
        }
        typed += 1;
    }
    assert!(typed > 100, "only {typed} lines were tried");
}

#[test]
fn the_readme_has_a_line_for_every_command() {
    let (_, section) = README.split_once("\n## Commands\n").expect("it has the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let lines = code(section).filter_map(|line| line.strip_prefix("cargo ggp "));
    let shown: BTreeSet<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    for command in visible(&Cli::command()).map(clap::Command::get_name) {
        assert!(shown.contains(command), "*Commands* of bench/README.md has no line for {command}");
    }
}

#[test]
fn the_documents_list_the_commands_that_print_records() {
    let cli = Cli::command();
    let has_json = |command: &&clap::Command| {
        command.get_arguments().any(|argument| argument.get_long() == Some("json"))
    };
    let expected: BTreeSet<&str> =
        visible(&cli).filter(has_json).map(clap::Command::get_name).collect();
    let (_, for_scripts) = README.split_once("\n## For scripts\n").expect("it has the section");
    for (name, text) in [("bench/README.md", for_scripts), ("bench/json.md", JSON)] {
        let list = text.split(" print ").next().unwrap_or_default();
        let words = list.split('`').skip(1).step_by(2).filter(|word| !word.starts_with('-'));
        assert_eq!(words.collect::<BTreeSet<_>>(), expected, "the list of {name}");
    }
}
