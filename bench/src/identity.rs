//! The identity of what was measured: hashes of the rules as an engine read them, and of the
//! program that read them. Rows carry both, so that figures of different games or builds are told
//! apart.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use play::Rules;
use sha2::{Digest, Sha256};

use crate::client::Program;

/// Largest file of a program that is hashed.
const LARGEST: u64 = 1 << 30;

/// Hash of the rules with their options chosen and their macros replaced: 16 hexadecimal digits.
/// What cannot be expanded is hashed as it stands.
pub fn of_rules(rules: &Rules) -> String {
    let text = match roster::expand(rules) {
        Some((text, _)) => text,
        None => rules.source.text().to_owned(),
    };
    let mut hash = Sha256::new();
    hash.update(rules.language.name());
    hash.update([0]);
    // Options of a language without macros can only be told apart by their words.
    for option in &rules.options {
        hash.update(option);
        hash.update([0]);
    }
    hash.update(text);
    // The same rules from another position are another game.
    for ply in &rules.start {
        hash.update([0, 0]);
        hash.update(ply);
    }
    for (name, part) in &rules.parts {
        hash.update([0]);
        hash.update(name);
        hash.update([0]);
        hash.update(part.text());
    }
    digits(hash)
}

/// Hash of a program: of its executable, and of its arguments, files among them by what they hold.
/// 16 hexadecimal digits.
pub fn of_program(program: &Program) -> String {
    let mut hash = Sha256::new();
    for (number, word) in program.command.iter().enumerate() {
        let path = if number == 0 { executable(word) } else { Some(PathBuf::from(word)) };
        match path.filter(|path| path.is_file()) {
            Some(path) => hash.update(of_file(&path)),
            None => hash.update(word),
        }
        hash.update([0]);
    }
    digits(hash)
}

/// The file of a program, as the shell would find it.
fn executable(word: &str) -> Option<PathBuf> {
    if word.contains('/') {
        return Some(PathBuf::from(word));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(word)).find(|file| file.is_file())
}

/// Hash of what a file holds, worked out once: our own program is that of many engines.
fn of_file(path: &Path) -> Vec<u8> {
    type Key = (PathBuf, Option<SystemTime>);
    static KNOWN: Mutex<BTreeMap<Key, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let changed = path.metadata().and_then(|about| about.modified()).ok();
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let hash = || {
        let mut hash = Sha256::new();
        let mut part = vec![0; 1 << 20];
        if let Ok(file) = File::open(path) {
            let mut file = file.take(LARGEST);
            while let Ok(read @ 1..) = file.read(&mut part) {
                hash.update(&part[..read]);
            }
        }
        hash.finalize().to_vec()
    };
    known.entry((path.to_owned(), changed)).or_insert_with(hash).clone()
}

/// SHA-256 of a text in hexadecimal digits, as records name rule files.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digits(hash: Sha256) -> String {
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use play::Language;

    use super::*;

    #[test]
    fn rules_are_told_apart_by_what_they_say_and_not_by_their_name() {
        let rules = |name: &str, text: &str| Rules::new(Language::Kif, name, text);
        let one = of_rules(&rules("a.kif", "(role x)"));
        assert_eq!(one.len(), 16);
        assert_eq!(one, of_rules(&rules("b.kif", "(role x)")));
        assert_ne!(one, of_rules(&rules("a.kif", "(role y)")));
        assert_ne!(one, of_rules(&Rules::new(Language::Rbg, "a.kif", "(role x)")));
    }

    #[test]
    fn the_position_at_which_a_game_begins_is_part_of_the_rules() {
        let mut rules = Rules::new(Language::Kif, "a.kif", "(role x)");
        let mut hashes = vec![of_rules(&rules)];
        for start in [&["a1"][..], &["a1", "b2"], &["a1b2"]] {
            rules.start = start.iter().map(|&ply| ply.to_owned()).collect();
            hashes.push(of_rules(&rules));
        }
        assert!((1..4).all(|i| !hashes[..i].contains(&hashes[i])), "{hashes:?}");
    }

    #[test]
    fn options_are_part_of_the_rules() {
        let text = r#"(game "G" (players 2)
            (equipment {(board (square <Board:size>)) (piece "Disc" Each)})
            (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
            (option "Board" <Board> args:{<size>} {
                (item "3x3" <3> "Three.")** (item "5x5" <5> "Five.")})"#;
        let mut rules = Rules::new(Language::Lud, "g.lud", text);
        let plain = of_rules(&rules);
        rules.options = vec!["Board/5x5".to_owned()];
        assert_ne!(plain, of_rules(&rules));
    }

    #[test]
    fn programs_are_told_apart_by_the_files_that_they_name() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("engine.py");
        let program = Program {
            engine: "x".to_owned(),
            lineage: "x".to_owned(),
            command: vec!["sh".to_owned(), script.to_string_lossy().into_owned()],
            languages: Vec::new(),
            version: Vec::new(),
        };
        std::fs::write(&script, "one").unwrap();
        let one = of_program(&program);
        std::fs::write(&script, "two").unwrap();
        assert_ne!(one, of_program(&program));
        assert_eq!(of_program(&program), of_program(&program));
    }
}
