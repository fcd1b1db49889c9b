//! The language reference: the meaning and the form of each ludeme of the grammar, with its status.
//!
//! Signatures are those of the grammar. Meanings and examples are in `ludemes.txt`, and the games
//! around examples in `games.txt`; an example that is not written there is made from the signature.
//! The status of a ludeme is not written anywhere: its example is lowered. The number of public
//! descriptions that use it is in `uses.txt`; a test counts them again if they are present.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use play::{Language, Rules};
use text::{Diagnostic, Source};

use crate::front;
use crate::front::grammar::{Kind, Ludeme, Name, Type, TypeId, combinations, grammar};

/// The extent to which a ludeme is supported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// Its example is played.
    Plays,
    /// It is read and checked, and games with it are refused as not supported.
    ReadsOnly,
    /// It is part of the language, but not of the grammar.
    NotYet,
}

impl Status {
    /// The status as tables show it.
    pub fn words(self) -> &'static str {
        match self {
            Status::Plays => "plays",
            Status::ReadsOnly => "reads only",
            Status::NotYet => "not yet",
        }
    }
}

/// A ludeme in the reference.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Keyword and selectors, such as `is Line`.
    pub name: &'static str,
    /// The kind of its result, in words.
    pub gives: &'static str,
    /// Its forms, a line for each.
    pub usages: Vec<String>,
    /// Its meaning, in one line.
    pub meaning: &'static str,
    /// An example as it is written; empty if every game shows it.
    pub example: String,
    /// A whole game with the example, if there is one.
    pub game: Option<String>,
    /// The extent to which it is supported.
    pub status: Status,
    /// Number of [`public_files`] that use it.
    pub uses: u32,
}

impl Entry {
    /// The game with the example in it, as an engine reads it.
    pub fn rules(&self) -> Option<Rules> {
        self.game.as_deref().map(rules)
    }
}

/// The written description of a ludeme.
struct Line {
    meaning: &'static str,
    example: Option<String>,
    game: Option<&'static str>,
}

/// The ludemes whose names have all the words of `wanted`, in any case of letters, in the order of
/// the grammar. All of them, if it is empty.
pub fn ludemes(wanted: &str) -> Vec<Entry> {
    let words: Vec<String> = wanted.split_whitespace().map(str::to_lowercase).collect();
    let fits = |name: &str| {
        let name = name.to_lowercase();
        words.iter().all(|word| name.split(' ').any(|part| part == word))
    };
    let contains = |name: &str| {
        let name = name.to_lowercase();
        words.iter().all(|word| name.contains(word.as_str()))
    };
    let exact = entries(&fits);
    // Parts of words are accepted if no name has the whole words.
    if exact.is_empty() { entries(&contains) } else { exact }
}

fn entries(wanted: &dyn Fn(&str) -> bool) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for ludeme in grammar().ludemes().filter(|ludeme| wanted(ludeme.name().as_str())) {
        let gives = grammar().kind(ludeme.kind()).words;
        let usage = ludeme.signature().usage();
        match entries.iter_mut().find(|e| e.name == ludeme.name().as_str() && e.gives == gives) {
            Some(entry) => entry.usages.push(usage),
            None => entries.push(entry(ludeme, usage)),
        }
    }
    for keyword in grammar().unsupported().filter(|keyword| wanted(keyword)) {
        entries.push(Entry {
            name: keyword,
            gives: "",
            usages: Vec::new(),
            meaning: "",
            example: String::new(),
            game: None,
            status: Status::NotYet,
            uses: 0,
        });
    }
    entries
}

fn entry(ludeme: Ludeme, usage: String) -> Entry {
    let (kind, name) = (ludeme.kind(), ludeme.name().as_str());
    let line = lines().get(&(kind.as_str(), name));
    let example = match line.and_then(|line| line.example.clone()) {
        Some(example) => example,
        None => made_up(ludeme),
    };
    let example = if example == "-" { String::new() } else { example };
    let around = line.and_then(|line| line.game).unwrap_or(kind.as_str());
    let game = games().get(around).filter(|_| !example.is_empty());
    let game = game.map(|game| game.replace('@', &example));
    let status = game.as_deref().map_or(Status::Plays, status);
    Entry {
        name,
        gives: grammar().kind(kind).words,
        usages: vec![usage],
        meaning: line.map_or("", |line| line.meaning),
        example,
        game,
        status,
        uses: uses().get(&(kind.as_str(), name)).copied().unwrap_or(0),
    }
}

/// Number of the public descriptions among which uses of ludemes are counted.
pub fn public_files() -> u32 {
    let number = uses().get(&("", "files"));
    number.copied().unwrap_or(0)
}

/// Number of descriptions that use each ludeme, by the kind of its result and by its name.
fn uses() -> &'static BTreeMap<(&'static str, &'static str), u32> {
    static USES: OnceLock<BTreeMap<(&'static str, &'static str), u32>> = OnceLock::new();
    USES.get_or_init(|| {
        let mut uses = BTreeMap::new();
        let mut kind = "";
        for line in include_str!("uses.txt").lines().filter(|line| !line.starts_with('#')) {
            if let Some(next) = line.strip_prefix("== ") {
                kind = next;
            } else if let Some((name, number)) = line.rsplit_once(": ") {
                uses.insert((kind, name), number.parse().unwrap_or(0));
            }
        }
        uses
    })
}

/// The status of the ludeme whose example a game has. Wrong examples count as read only; a test
/// finds them.
fn status(game: &str) -> Status {
    let refused = crate::check(&rules(game)).iter().any(Diagnostic::is_error);
    if refused { Status::ReadsOnly } else { Status::Plays }
}

/// A game with an example as a description, with the one game that examples of matches have.
fn rules(game: &str) -> Rules {
    let mut rules = Rules::new(Language::Lud, "example.lud", game);
    for name in front::subgames(&rules) {
        let source = Source::new("game.lud", games()["game of a match"]);
        rules.parts.insert(name, source);
    }
    rules
}

/// An example made from the signature, with its mandatory parts.
fn made_up(ludeme: Ludeme) -> String {
    let signature = ludeme.signature();
    let mut text = format!("({}", signature.name);
    for slot in signature.slots.iter().filter(|slot| !slot.optional) {
        let choice = &slot.choices[0];
        let name = if choice.named { format!("{}:", choice.label) } else { String::new() };
        text += &format!(" {name}{}", sample(choice.ty));
    }
    text + ")"
}

fn sample(ty: TypeId) -> String {
    let table = grammar();
    match table.ty(ty) {
        Type::Kind(kind) => match kind {
            Kind::Bool => "(is Full)".to_owned(),
            Kind::Int => "1".to_owned(),
            Kind::Region => "(sites Bottom)".to_owned(),
            Kind::Dim => "3".to_owned(),
            Kind::PieceRef => "(piece \"Disc1\")".to_owned(),
            Kind::PlayerRef => "(player 1)".to_owned(),
            Kind::Graph => "(square 4)".to_owned(),
            Kind::Poly => "(poly {{-1 -1} {-1 2} {2 2} {2 -1}})".to_owned(),
            Kind::Directions => "(directions {FL FR})".to_owned(),
            _ => table.example(ty).unwrap_or_default(),
        },
        Type::Enum(id) => match table.enumeration(*id).name {
            "Role" => "Mover".to_owned(),
            _ => table.example(ty).unwrap_or_default(),
        },
        Type::Array(items) => {
            format!("{{{}}}", items.first().map_or(String::new(), |&i| sample(i)))
        }
        _ => table.example(ty).unwrap_or_default(),
    }
}

/// The written descriptions, by the kind of the result of a ludeme and by its name.
fn lines() -> &'static BTreeMap<(&'static str, &'static str), Line> {
    static LINES: OnceLock<BTreeMap<(&'static str, &'static str), Line>> = OnceLock::new();
    LINES.get_or_init(|| {
        let mut lines = BTreeMap::new();
        let mut kind = "";
        for line in include_str!("ludemes.txt").lines() {
            if let Some(next) = line.strip_prefix("== ") {
                kind = next;
            } else if !line.is_empty() && !line.starts_with("# ") {
                read(kind, line, &mut lines);
            }
        }
        lines
    })
}

/// Reads a line, which may describe several ludemes.
fn read(
    kind: &'static str,
    line: &'static str,
    lines: &mut BTreeMap<(&'static str, &'static str), Line>,
) {
    // The game around the example comes last.
    let (line, game) = match line.rsplit_once("@ ") {
        Some((line, game)) => (line, Some(game)),
        None => (line, None),
    };
    let mut parts = line.splitn(3, "::").map(str::trim);
    let mut part = || parts.next().unwrap_or_default();
    let (names, meaning, example) = (part(), part(), part());
    let examples: Vec<&str> = example.split(" / ").filter(|example| !example.is_empty()).collect();
    // "move Step / step" has as many examples, and "is Even|Odd" one for the first.
    let heads: Vec<&str> = names.split(" / ").collect();
    let mut described = Vec::new();
    for (index, head) in heads.iter().enumerate() {
        let written =
            if heads.len() == examples.len() { examples.get(index) } else { examples.first() };
        let mut first = None;
        for name in combinations(&head.split(' ').collect::<Vec<_>>()) {
            let name = name.join(" ");
            let Some(name) = Name::named(&name).map(Name::as_str) else {
                panic!("the reference has {name} of {kind}, and the grammar has not");
            };
            let first = *first.get_or_insert(name);
            let example = written
                .map(|example| example.replacen(&format!("({first}"), &format!("({name}"), 1));
            described.push((name, example));
        }
    }
    for (name, example) in described {
        lines.entry((kind, name)).or_insert(Line { meaning, example, game });
    }
}

/// The games around examples.
fn games() -> &'static BTreeMap<&'static str, &'static str> {
    static GAMES: OnceLock<BTreeMap<&'static str, &'static str>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let lines = include_str!("games.txt").lines();
        lines
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once(": "))
            .collect()
    })
}
