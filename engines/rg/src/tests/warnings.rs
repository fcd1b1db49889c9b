//! Warnings of whole descriptions: of sound ones there are none but those that are true.

use std::path::{Path, PathBuf};

use expect_test::expect_file;
use text::Source;

use super::{rules, shared, source};

/// The descriptions of the catalogue, named after their games.
fn catalogue() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/catalogue");
    let folders = std::fs::read_dir(root).expect("the catalogue");
    let mut folders: Vec<PathBuf> = folders.filter_map(|it| Some(it.ok()?.path())).collect();
    folders.sort();
    let rules = folders.iter().map(|folder| folder.join("rules.hrg")).filter(|it| it.exists());
    let named = |file: PathBuf| {
        let game = file.parent().and_then(Path::file_name).expect("a folder").to_string_lossy();
        Source::new(format!("{game}.hrg"), source(&file).text())
    };
    rules.map(named).collect()
}

/// All warnings of the corpus and of the catalogue; each of them is true.
const TRUE: &str = "\
bombardment.hrg:74:7: warning[foreign-pattern]: no element of `Position` fits `null`
bombardment.hrg:79:9: warning[foreign-pattern]: no element of `Position` fits `null`
bombardment.hrg:84:9: warning[foreign-pattern]: no element of `Position` fits `null`
bombardment.hrg:89:10: warning[foreign-pattern]: no element of `Position` fits `null`
bombardment.hrg:95:11: warning[foreign-pattern]: no element of `Position` fits `null`
bombardment.hrg:99:12: warning[foreign-pattern]: no element of `Position` fits `null`
bombardment.hrg:103:14: warning[foreign-pattern]: no element of `Position` fits `null`
bombardment.hrg:107:13: warning[foreign-pattern]: no element of `Position` fits `null`
foxAndGeese.hrg:146:1: warning[unread]: the variable `me` is never read
foxAndGeese_lud.hrg:145:1: warning[unread]: the variable `me` is never read
simpleApplyTest0.rg:5:5: warning[unread]: the variable `key` is never read
g02_race.hrg:13:1: warning[unread]: the variable `rounds` is never read
h02_first_case.hrg:11:1: warning[covered-case]: no arguments ever come to this case
h12_in_test.hrg:9:24: warning[unknown-domain]: there is no domain `Nowhere`, so that this never \
holds
r04_same_tags_other_values.rg:5:5: warning[unread]: the variable `x` is never read
r05_goals_not_in_key.rg:5:1: warning[equal-tags]: moves with equal tags have different results, \
and only the first is played
r11_keeper_choice.rg:8:10: warning[keeper-chooses]: the keeper has more than one move
r17_symbol_shadowing.rg:10:14: warning[hidden-symbol]: `x` is the variable here, and hides the \
symbol of its name
r20_pragma_repeat_lie.rg:6:5: warning[unread]: the variable `x` is never read
";

#[test]
fn sound_descriptions_have_no_warnings_but_true_ones() {
    let sources = [shared("rg"), shared("rg-micro"), catalogue()].concat();
    let said = |source: &Source| -> Vec<String> {
        let said = crate::check(&rules(source));
        let warnings = said.iter().filter(|found| !found.is_error());
        warnings.map(|found| found.one_line(source)).collect()
    };
    let found: Vec<String> = sources.iter().flat_map(said).collect();
    let is_there =
        |line: &&str| sources.iter().any(|source| line.starts_with(&format!("{}:", source.name())));
    let expected: Vec<&str> = TRUE.lines().filter(is_there).collect();
    assert_eq!(found, expected);
}

#[test]
fn plays_bring_mistakes_to_light() {
    let answered = text::cases::answered(include_str!("warnings.txt"), |text| {
        let name = if text.contains("graph") { "t.hrg" } else { "t.rg" };
        let source = Source::new(name, text);
        let said = crate::check(&rules(&source));
        let shown: Vec<String> = said.iter().map(|found| found.render(&source)).collect();
        shown.join("\n")
    });
    expect_file!["warnings.txt"].assert_eq(&answered);
}
