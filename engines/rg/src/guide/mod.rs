//! The language reference: the form and the meaning of each construct of HRG and RG, with an
//! example.
//!
//! All is written in `constructs.txt`. An example is a part of a game, `game.hrg` or `game.rg`, and
//! a test reads each of them there.

use play::{Language, Rules};

/// A construct in the reference.
#[derive(Clone, Debug)]
pub struct Construct {
    /// The form of the language that has it: `HRG` or `RG`.
    pub form: &'static str,
    /// The part of a description that it is: a declaration, a statement, a condition or a label.
    pub kind: &'static str,
    /// Its name, such as `branch in`, or the characters that it is known by.
    pub name: &'static str,
    /// Other words for it, by which it is found as by its name.
    pub words: &'static str,
    /// Its forms, a line for each.
    pub usages: Vec<&'static str>,
    /// Its meaning, in sentences.
    pub meaning: String,
    /// An example as it is written, perhaps in several lines; empty if there is nothing to write.
    pub example: String,
}

impl Construct {
    /// A whole game with the example in it, as the engine reads it.
    pub fn rules(&self) -> Rules {
        let (name, game) = match self.form {
            "HRG" => ("example.hrg", include_str!("game.hrg")),
            _ => ("example.rg", include_str!("game.rg")),
        };
        let (inside, behind) = match self.kind {
            "declaration" => ("", self.example.as_str()),
            _ => (self.example.as_str(), ""),
        };
        let inside = match self.kind {
            "condition" => format!("check({inside})"),
            _ => inside.to_owned(),
        };
        Rules::new(Language::Rg, name, game.replace('@', &inside) + behind)
    }
}

/// True if a construct fits a word.
type Fits<'f> = dyn Fn(&Construct, &str) -> bool + 'f;

/// The constructs whose names have all the words of `wanted`, or else parts of their names, or
/// else something of their forms and meanings; in any case of letters, in the order of the
/// reference. All of them, if it is empty.
pub fn constructs(wanted: &str) -> Vec<Construct> {
    let words: Vec<String> = wanted.split_whitespace().map(str::to_lowercase).collect();
    let fitting = |fits: &Fits<'_>| -> Vec<Construct> {
        let fits = |construct: &Construct| words.iter().all(|word| fits(construct, word));
        all().filter(fits).collect()
    };
    let tries: [&Fits<'_>; 3] = [
        &|construct, word| {
            let names = [construct.name, construct.words].map(str::to_lowercase);
            names.iter().any(|names| names.split([' ', ',']).any(|name| name == word))
        },
        &|construct, word| construct.name.to_lowercase().contains(word),
        &|construct, word| {
            let text =
                [&construct.usages.join(" "), &construct.meaning].map(|it| it.to_lowercase());
            text.iter().any(|text| text.contains(word))
        },
    ];
    let found = tries.into_iter().map(fitting).find(|found| !found.is_empty());
    found.unwrap_or_default()
}

fn all() -> impl Iterator<Item = Construct> {
    include_str!("constructs.txt").split("\n== ").skip(1).map(construct)
}

/// A construct of its lines in the reference.
fn construct(text: &'static str) -> Construct {
    let (title, text) = text.split_once('\n').unwrap_or((text, ""));
    let (place, name) = title.split_once(": ").unwrap_or((title, ""));
    let (name, words) = match name.split_once(" (").filter(|_| name.ends_with(')')) {
        Some((name, words)) => (name, words.trim_end_matches(')')),
        None => (name, ""),
    };
    let (form, kind) = place.split_once(' ').unwrap_or((place, ""));
    let is_meaning = |line: &&str| line.starts_with("> ");
    let meaning: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let example: Vec<&str> =
        text.lines().skip_while(|line| !is_meaning(line)).skip_while(is_meaning).collect();
    Construct {
        form,
        kind,
        name,
        words,
        usages: text.lines().take_while(|line| !is_meaning(line)).collect(),
        meaning: meaning.join(" "),
        example: example.join("\n").trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front;

    #[test]
    fn examples_are_read_without_a_remark() {
        for construct in constructs("") {
            let rules = construct.rules();
            let (automaton, mut diagnostics) = front::read(&rules.source);
            // An example declares what its game does not use.
            diagnostics.retain(|found| found.code != "unread");
            let said: Vec<String> =
                diagnostics.iter().map(|found| found.render(&rules.source)).collect();
            assert!(
                automaton.is_some() && said.is_empty(),
                "{}\n{}",
                construct.name,
                said.join("")
            );
        }
    }

    #[test]
    fn entries_are_whole() {
        let all = constructs("");
        assert!(all.len() > 50, "{}", all.len());
        for construct in &all {
            let Construct { form, kind, name, usages, meaning, example, .. } = construct;
            assert!(["HRG", "RG"].contains(form), "{form}");
            assert!(["declaration", "statement", "condition", "label"].contains(kind), "{kind}");
            assert!(!name.is_empty() && !usages.is_empty(), "{construct:?}");
            assert!(meaning.ends_with('.'), "{name}: {meaning}");
            assert!(!example.is_empty() || *name == "skip", "{name}");
        }
    }

    #[test]
    fn constructs_are_found_by_words() {
        let names = |wanted: &str| -> Vec<&str> {
            constructs(wanted).iter().map(|construct| construct.name).collect()
        };
        assert_eq!(names("While"), ["while"]);
        assert_eq!(names("branch in"), ["branch in"]);
        assert_eq!(names("(*)"), ["(*)", "(*)"]);
        assert_eq!(names("reach"), ["reachable"]);
        assert_eq!(names("dice"), ["dice"]);
        assert_eq!(names("roll"), ["dice"]);
        assert_eq!(names("comment"), ["comment"]);
        assert_eq!(names("arithmetic"), ["counter", "+ - %"]);
        assert_eq!(names("drawing"), ["drawing"]);
        assert_eq!(names("score"), ["Player, Score", "goals"]);
        assert_eq!(names("counter"), ["counter"]);
        assert!(names("percept").contains(&"visible"));
        assert!(names("nonsense").is_empty());
    }
}
