//! The language reference says what is true.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::{expect, expect_file};
use ludeme::LudemeEngine;
use ludeme::front::{self, Call};
use ludeme::guide::{Status, ludemes};
use play::{CompileError, Engine, Job, Limits, Via};

use super::files::{descriptions, shared};

#[test]
fn every_ludeme_has_a_meaning_and_an_example() {
    let all = ludemes("");
    assert!(all.len() > 500, "{}", all.len());
    for entry in all.iter().filter(|entry| entry.status != Status::NotYet) {
        assert!(!entry.meaning.is_empty(), "{} has no meaning", entry.name);
        assert!(!entry.usages.is_empty(), "{} has no form", entry.name);
        // Without an example are only the parts that every game has.
        assert!(
            entry.game.is_some() || entry.example.is_empty(),
            "no game for the example of {}",
            entry.name
        );
    }
    let bare = all.iter().filter(|e| e.status != Status::NotYet && e.example.is_empty());
    assert_eq!(bare.map(|e| e.name).collect::<Vec<_>>(), ["game", "equipment", "rules"]);
}

/// A ludeme that is said to play is compiled and played, and one that is said to be read only is
/// not.
#[test]
fn the_status_of_each_ludeme_is_true() {
    let mut wrong = Vec::new();
    for entry in ludemes("") {
        let Some(rules) = entry.rules() else { continue };
        let compiled = LudemeEngine.compile(&rules, &Limits::default());
        match (compiled, entry.status) {
            (Ok(compiled), Status::Plays) => {
                let job = Job { seed: 1, first: 0, count: 2, cap: 20 };
                let tally = compiled.game.run(&job, Via::Reference);
                if tally.playouts != 2 {
                    wrong.push(format!("{}: {tally:?}", entry.name));
                }
            }
            (Err(CompileError::Unsupported(_)), Status::ReadsOnly) => {}
            (Err(error), _) => {
                wrong.push(format!("{}: {}", entry.example, error.one_line(&rules.source)));
            }
            (Ok(_), status) => wrong.push(format!("{}: {status:?}", entry.name)),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The ludemes that are not played yet. One that is played from now on leaves this list.
#[test]
fn what_is_not_played_is_listed() {
    let all = ludemes("");
    let named: Vec<String> = all
        .iter()
        .filter(|entry| entry.status != Status::Plays)
        .map(|entry| format!("{}, {}: {}", entry.name, entry.gives, entry.status.words()))
        .collect();
    expect![[r#"
        fan, : not yet
        mesh, : not yet"#]]
    .assert_eq(&named.join("\n"));
}

/// The text of `guide/uses.txt`, counted anew.
fn counted() -> Option<String> {
    let corpus = shared("corpus/lud")?;
    let mut uses: BTreeMap<(String, String), u32> = BTreeMap::new();
    let mut files = 0;
    for rules in descriptions(&corpus) {
        files += 1;
        let Ok(parsed) = front::parse(&rules) else { continue };
        let named = |call: &Call| (call.ludeme.kind().to_string(), call.name().to_string());
        let found: BTreeSet<_> = parsed.root.all().map(named).collect();
        for key in found {
            *uses.entry(key).or_default() += 1;
        }
    }
    let mut text = String::from(
        "# How many public descriptions use each ludeme, by the kind of what it gives. Those that \
         none\n\
         # uses are left out.\n",
    );
    text += &format!("files: {files}\n");
    let mut last = String::new();
    for ((kind, name), number) in uses {
        if kind != last {
            text += &format!("== {kind}\n");
            last = kind;
        }
        text += &format!("{name}: {number}\n");
    }
    Some(text)
}

#[test]
fn uses_in_public_descriptions_are_counted_right() {
    let Some(counted) = counted() else { return };
    expect_file!["../../../../../engines/ludeme/src/guide/uses.txt"].assert_eq(&counted);
}

#[test]
fn words_are_looked_up_in_any_case() {
    let names = |word: &str| -> Vec<&str> { ludemes(word).iter().map(|e| e.name).collect() };
    assert_eq!(names("satisfy"), ["satisfy"]);
    assert_eq!(names("is line"), ["is Line"]);
    assert!(names("line").contains(&"is Line"));
    assert!(names("thresh").is_empty() && names("threat").contains(&"is Threatened"));
    assert_eq!(ludemes("mesh")[0].status, Status::NotYet);
}
