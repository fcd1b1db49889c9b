use std::collections::BTreeMap;

use play::{Language, MAX_PLAYERS, Words};
use text::{Diagnostic, Source, Span};
use toml::de::DeTable;

use crate::entry::{Description, GameEntry, PaperRow, Perft, Playouts, Recorded};
use crate::fields::{Fields, Problems, Value, list, span};
use crate::folder::{Folder, Kind};
use crate::problem::Problem;
use crate::setting::{read_counts, read_positions, read_setup};
use crate::unsaid::read_unsaid;
use crate::words::read_words;

/// Name of the file in each game's folder that says what the rest is.
pub(crate) const MANIFEST: &str = "game.toml";

/// A checked game with what is needed to compare it with the others.
pub(crate) struct Manifest {
    pub(crate) entry: GameEntry,
    pub(crate) source: Source,
    pub(crate) title_span: Span,
    /// One for each of `entry.paper`.
    pub(crate) paper_spans: Vec<Span>,
}

/// Reads the folder of the game `id`; adds to `problems` and returns nothing if anything is wrong.
pub(crate) fn read(id: &str, folder: &Folder, problems: &mut Vec<Problem>) -> Option<Manifest> {
    let shown = folder.shown_child(MANIFEST);
    let text = match folder.read(MANIFEST) {
        Ok(text) => text,
        Err(why) => {
            let message = format!("cannot read `{MANIFEST}`: {why}");
            let diagnostic = Diagnostic::error("no-manifest", Span::at(0), message)
                .help("every folder of a catalogue is a game and says so in its manifest");
            problems.push(Problem { source: Source::new(shown, ""), diagnostic });
            return None;
        }
    };
    let source = Source::new(shown, text);
    let found = Problems::default();
    let read = read_text(id, folder, &source, &found);
    let mut found = found.into_inner();
    // Errors in the order of the file, whatever order the keys were asked for.
    found.sort_by_key(|diagnostic| diagnostic.span);
    let good = found.is_empty();
    problems
        .extend(found.into_iter().map(|diagnostic| Problem { source: source.clone(), diagnostic }));
    let (entry, title_span, paper_spans) = read.filter(|_| good)?;
    Some(Manifest { entry, source, title_span, paper_spans })
}

fn read_text(
    id: &str,
    folder: &Folder,
    source: &Source,
    problems: &Problems,
) -> Option<(GameEntry, Span, Vec<Span>)> {
    let (root, errors) = DeTable::parse_recoverable(source.text());
    if !errors.is_empty() {
        problems.borrow_mut().extend(errors.iter().map(|error| {
            let place = span(error.span().unwrap_or_default());
            Diagnostic::error("toml-syntax", place, error.message().trim().replace('\n', ", "))
        }));
        // What recovery made of the rest would only add false errors.
        return None;
    }
    let fields = Fields::new("the manifest", root.get_ref(), Span::at(0), problems);

    let title_value = fields.require("title");
    let title = title_value.and_then(|v| fields.text(v));
    let players = fields.require("players").and_then(|v| fields.integer(v, 1..=MAX_PLAYERS as i64));
    let cap = fields.require("cap").and_then(|v| fields.integer(v, 1..=i64::from(u32::MAX)));
    let teams = fields.find("teams").map(|v| read_teams(&fields, v, players)).unwrap_or_default();
    let paper = fields.find("paper").map(|v| read_paper(&fields, v)).unwrap_or_default();
    let rules = fields.require("rules").and_then(|v| fields.text(v));
    let sources = fields.require("sources").and_then(|v| fields.text(v));
    let mut descriptions = fields
        .require("descriptions")
        .and_then(|v| fields.fields("[descriptions]", v))
        .map(|table| read_descriptions(folder, source.name(), &table))
        .unwrap_or_default();
    let table = |key, what| fields.find(key).and_then(|value| fields.fields(what, value));
    if let Some(table) = table("words", "[words]") {
        read_words(&table, &mut descriptions);
    }
    let perft = table("perft", "[perft]").and_then(read_perft);
    let playouts =
        table("playouts", "[playouts]").and_then(|table| read_playouts(table, players, cap));
    let recorded = table("recorded", "[recorded]").and_then(read_recorded);
    let setup = table("setup", "[setup]").and_then(|t| read_setup(t, &descriptions));
    let unsaid =
        table("unsaid", "[unsaid]").map(|t| read_unsaid(&t, &descriptions)).unwrap_or_default();
    fields.finish();

    let (paper, paper_spans) = paper.into_iter().unzip();
    let entry = GameEntry {
        id: id.to_owned(),
        title: title?,
        players: players? as u8,
        teams,
        cap: cap? as u32,
        paper,
        rules: rules?,
        sources: sources?,
        perft,
        playouts,
        recorded,
        setup,
        descriptions,
        unsaid,
    };
    Some((entry, span(title_value?.span()), paper_spans))
}

/// Lists of players, who count from 1 in manifests; none of them in two lists.
fn read_teams(fields: &Fields<'_>, value: Value<'_>, players: Option<i64>) -> Vec<Vec<u8>> {
    let last = players.unwrap_or(MAX_PLAYERS as i64);
    let mut seen = Vec::new();
    let mut teams = Vec::new();
    for team in fields.array(value).unwrap_or_default() {
        let mut members = Vec::new();
        for element in fields.array(team).unwrap_or_default() {
            let Some(player) = fields.integer(element, 1..=last) else { continue };
            if seen.contains(&player) {
                let place = span(element.span());
                let message = "this player is in a team already";
                fields.note(Diagnostic::error("bad-team", place, message));
            }
            seen.push(player);
            members.push(player as u8 - 1);
        }
        teams.push(members);
    }
    teams
}

fn read_paper<'a>(fields: &Fields<'a>, value: Value<'a>) -> Vec<(PaperRow, Span)> {
    let mut rows = Vec::new();
    for element in fields.array(value).unwrap_or_default() {
        let Some(text) = fields.text(element) else { continue };
        let place = span(element.span());
        match text.split_once('/') {
            Some((table, row)) if is_id(table) && !row.trim().is_empty() => {
                rows.push((PaperRow { table: table.to_owned(), row: row.to_owned() }, place));
            }
            _ => fields.note(
                Diagnostic::error("bad-paper-row", place, "this names no row of a table")
                    .label("expected `table/row`")
                    .help("for example `table1/Connect 4 (6x7)`"),
            ),
        }
    }
    rows
}

fn read_descriptions(
    folder: &Folder,
    manifest: &str,
    fields: &Fields<'_>,
) -> BTreeMap<Language, Description> {
    let mut descriptions = BTreeMap::new();
    let children = match folder.children() {
        Ok(children) => children,
        Err(why) => {
            let message = format!("cannot list the folder: {why}");
            fields.note(Diagnostic::error("unreadable", fields.span(), message));
            return descriptions;
        }
    };
    if fields.table().is_empty() {
        let problem = Diagnostic::error("blank", fields.span(), "the game has no description");
        fields.note(problem.help("name at least one rule file, such as `lud = \"rules.lud\"`"));
    }
    let mut used = vec![MANIFEST.to_owned()];
    for (key, value) in fields.table() {
        let Ok(language) = key.get_ref().parse::<Language>() else {
            let names = Language::ALL.map(Language::name);
            let name = key.get_ref().as_ref();
            fields.note(
                Diagnostic::error(
                    "unknown-language",
                    span(key.span()),
                    format!("no language `{name}`"),
                )
                .label(format!("expected {}", list(&names)))
                .suggest(name, names),
            );
            // What an unknown language claims is not reported a second time.
            used.extend(value.get_ref().as_str().map(str::to_owned));
            continue;
        };
        let Some(name) = fields.text(value) else { continue };
        used.push(name.clone());
        let place = span(value.span());
        let description = if language == Language::Bitboard {
            if is_id(&name) {
                let words = Words { shared: true, ..Words::default() };
                Some(Description { name: manifest.to_owned(), text: name, words })
            } else {
                let message = format!("`{name}` is no name of a hand-written module");
                fields.note(Diagnostic::error("bad-module", place, message).label(ID_SHAPE));
                None
            }
        } else {
            read_file(folder, fields, language, &name, place, &children)
        };
        descriptions.extend(description.map(|description| (language, description)));
    }
    for (name, kind) in &children {
        if *kind == Kind::File && used.contains(name) {
            continue;
        }
        let (what, help) = match kind {
            Kind::Folder => ("folder", "the folder of a game holds files only"),
            _ => ("file", "name it under [descriptions], or remove it"),
        };
        fields.note(
            Diagnostic::error(
                "unused-file",
                fields.span(),
                format!("the {what} `{name}` is not used"),
            )
            .label("not named here")
            .help(help),
        );
    }
    descriptions
}

/// Reads one rule file that the manifest names at `place`.
fn read_file(
    folder: &Folder,
    fields: &Fields<'_>,
    language: Language,
    name: &str,
    place: Span,
    children: &[(String, Kind)],
) -> Option<Description> {
    let fail = |diagnostic: Diagnostic| {
        fields.note(diagnostic);
        None
    };
    if !children.iter().any(|(child, kind)| child == name && *kind == Kind::File) {
        // This also refuses paths: a description lives in its game's folder.
        let files = children.iter().map(|(child, _)| child.as_str());
        return fail(
            Diagnostic::error("missing-file", place, format!("there is no file `{name}` here"))
                .label(format!("not in `{}`", folder.shown()))
                .suggest(name, files.filter(|file| *file != MANIFEST)),
        );
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if Language::of_extension(extension) != Some(language) {
        let message = format!("`{name}` is no `{language}` file by its name");
        return fail(
            Diagnostic::error("wrong-extension", place, message)
                .label(format!("expected a name that ends in `.{language}`")),
        );
    }
    match folder.read(name) {
        Err(why) => {
            fail(Diagnostic::error("unreadable", place, format!("cannot read `{name}`: {why}")))
        }
        Ok(text) if text.trim().is_empty() => {
            fail(Diagnostic::error("blank", place, format!("`{name}` is blank")))
        }
        Ok(text) => {
            let words = Words { shared: true, ..Words::default() };
            Some(Description { name: folder.shown_child(name), text, words })
        }
    }
}

fn read_perft(fields: Fields<'_>) -> Option<Perft> {
    let counts = read_counts(&fields);
    let source = fields.require("source").and_then(|v| fields.text(v));
    let positions =
        fields.find("positions").map(|v| read_positions(&fields, v)).unwrap_or_default();
    fields.finish();
    Some(Perft { counts, source: source?, positions })
}

fn read_playouts(fields: Fields<'_>, players: Option<i64>, cap: Option<i64>) -> Option<Playouts> {
    let longest = cap.unwrap_or(i64::from(u32::MAX)) as f64;
    let mean_plies = fields.require("mean_plies").and_then(|v| fields.number(v, 1.0..=longest));
    let exact = fields.find("exact").and_then(|v| fields.flag(v)).unwrap_or(false);
    let tolerance = fields.require("tolerance").and_then(|v| {
        let tolerance = fields.number(v, 0.0..=mean_plies.unwrap_or(longest))?;
        if tolerance == 0.0 && !exact {
            fields.note(
                Diagnostic::error("bad-tolerance", span(v.span()), "a sampled mean is uncertain")
                    .label("expected more than 0")
                    .help("four standard errors are usual; computed means say `exact = true`"),
            );
        }
        Some(tolerance)
    });
    let mean_scores = fields.find("mean_scores").and_then(|v| {
        let elements = fields.array(v)?;
        if let Some(players) = players.filter(|&players| players != elements.len() as i64) {
            let message = format!("{} mean scores for {players} players", elements.len());
            fields.note(
                Diagnostic::error("wrong-count", span(v.span()), message)
                    .label("expected one for each player"),
            );
        }
        elements
            .into_iter()
            .map(|e| fields.number(e, f64::from(i32::MIN)..=f64::from(i32::MAX)))
            .collect()
    });
    let source = fields.require("source").and_then(|v| fields.text(v));
    fields.finish();
    Some(Playouts {
        mean_plies: mean_plies?,
        tolerance: tolerance?,
        mean_scores,
        exact,
        source: source?,
    })
}

/// Games as lines of labels with blanks between them. Whether they are legal is for engines to say.
fn read_recorded(fields: Fields<'_>) -> Option<Recorded> {
    let games = fields.require("games").and_then(|v| fields.text(v));
    let source = fields.require("source").and_then(|v| fields.text(v));
    fields.finish();
    let labels = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    let games = games?.lines().map(labels).filter(|game: &Vec<String>| !game.is_empty()).collect();
    Some(Recorded { games, source: source? })
}

/// The form of names of games and modules, for messages.
pub(crate) const ID_SHAPE: &str = "expected lower-case letters, digits and single hyphens";

/// True if a text can name a game, a module or a table.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() <= 40
        && text.split('-').all(|part| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}
