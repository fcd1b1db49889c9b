//! Random mutations of the catalogue's rule files in every language: front ends answer each with a
//! game or with diagnostics that have a place, and never panic, hang or eat the memory. Each
//! language has a longer test in its own crate.

use play::{Job, Limits, Rng, Rules, Via};

/// Mutations of all files together.
const MUTATIONS: usize = 1_000;

/// Of the texts that the front end accepts, one in so many is compiled by the engines and played.
const PLAYED: usize = 8;

/// Enough for every game of the catalogue, and small enough to run out soon.
const SMALL: Limits = Limits { bytes: 256 << 20, work: 3_000_000 };

#[test]
fn mutated_rules_are_answered() {
    let catalogue = games::Catalogue::embedded().unwrap_or_else(|error| panic!("{error}"));
    let files: Vec<Rules> = catalogue
        .games()
        .iter()
        .flat_map(|game| game.descriptions.keys().filter_map(|&language| game.rules_in(language)))
        .filter(|rules| roster::check(rules).is_some())
        .collect();
    assert!(files.len() >= 28, "only {} files with a front end", files.len());
    let engines = roster::engines();
    let (mut accepted, mut refused, mut played) = (0, 0, 0);
    for number in 0..MUTATIONS {
        let file = &files[number % files.len()];
        let mut rng = Rng::stream(0x6d75, number as u64);
        let text = mutate(file.source.text(), &mut rng);
        let rules = Rules::new(file.language, file.source.name(), text);
        let diagnostics = roster::check(&rules).expect("it has a front end");
        for diagnostic in &diagnostics {
            assert!(diagnostic.span.end as usize <= rules.source.text().len());
            assert!(diagnostic.render(&rules.source).contains(rules.source.name()));
        }
        if diagnostics.iter().any(text::Diagnostic::is_error) {
            refused += 1;
            continue;
        }
        accepted += 1;
        if accepted % PLAYED != 0 {
            continue;
        }
        for engine in engines.iter().filter(|e| e.languages().contains(&rules.language)) {
            if let Ok(compiled) = engine.compile(&rules, &SMALL) {
                let tally =
                    compiled.game.run(&Job { seed: 1, first: 0, count: 1, cap: 30 }, Via::Fast);
                assert_eq!(tally.playouts, 1);
                played += 1;
            }
        }
    }
    // Neither all nor nothing: the mutations reach both sides of the checks.
    assert!(accepted > 50 && refused > 300, "{accepted} accepted, {refused} refused");
    assert!(played > 5, "only {played} played");
}

/// A text with one to three small changes.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut text = text.to_owned();
    for _ in 0..=rng.below(3) {
        text = mutate_once(&text, rng);
    }
    text
}

fn mutate_once(text: &str, rng: &mut Rng) -> String {
    let tokens = tokens(text);
    let mut pick = || tokens[rng.below(tokens.len() as u32) as usize].clone();
    let (a, b) = (pick(), pick());
    match rng.below(8) {
        // One token for another, a token gone, a token twice.
        0 | 1 => format!("{}{}{}", &text[..a.start], &text[b], &text[a.end..]),
        2 => format!("{}{}", &text[..a.start], &text[a.end..]),
        3 => format!("{} {}", &text[..a.end], &text[a.start..]),
        // A stretch gone or moved.
        4 if a.start < b.start => format!("{}{}", &text[..a.start], &text[b.start..]),
        5 if a.end < b.start => {
            format!("{}{}{}{}", &text[..a.start], &text[b.clone()], &text[a.end..b.start], &text[a])
        }
        // A character more.
        6 => {
            let extra = [
                "(",
                ")",
                "{",
                "}",
                "\"",
                "?x",
                "~",
                "#1",
                "é",
                "99999999999",
                "-",
                ":",
                "<",
                ";",
                "//",
            ];
            let extra = extra[rng.below(extra.len() as u32) as usize];
            format!("{}{extra}{}", &text[..a.start], &text[a.start..])
        }
        // The end is missing.
        _ => text[..a.end].to_owned(),
    }
}

/// Words, brackets and quotes.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut all = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices() {
        let bracket = matches!(c, '(' | ')' | '{' | '}' | '"');
        if (bracket || c.is_whitespace())
            && let Some(start) = start.take()
        {
            all.push(start..i);
        }
        if bracket {
            all.push(i..i + 1);
        } else if !c.is_whitespace() && start.is_none() {
            start = Some(i);
        }
    }
    all.push(start.unwrap_or(text.len())..text.len());
    all
}
