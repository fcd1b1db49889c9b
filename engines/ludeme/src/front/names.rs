//! Checks that the strings of a description name declared things.

use crate::limits::MAX_NEAR_NAMES;
use std::collections::{BTreeMap, BTreeSet};

use text::{Diagnostic, near_miss};

use super::call::{Arg, Call, Value};
use super::grammar::{Kind, Label, Name};
use super::place::Place;
use super::resolve::{TextUse, is_coordinate};

/// Names that exist without a declaration.
const CONTAINERS: [&str; 4] = ["Board", "Hand", "Dice", "Deck"];

/// Names declared in a description, by sort.
#[derive(Default)]
struct Declared<'a> {
    by_sort: BTreeMap<&'static str, BTreeSet<&'a str>>,
    /// Number of comparisons that may still be made; beyond them all names count as declared.
    patience: usize,
}

/// Checks the names in a description against what it declares.
pub(super) fn check(root: &Call, texts: &[TextUse], macros: &[&str]) -> Vec<Diagnostic> {
    let mut declared = Declared { by_sort: BTreeMap::new(), patience: 10_000_000 };
    for text in texts {
        if let Some(sort) = declares(text) {
            declared.by_sort.entry(sort).or_default().insert(&text.text);
        }
    }
    let mut found = Vec::new();
    for text in texts {
        found.extend(declared.check(text, macros));
        if found.len() >= super::MAX_DIAGNOSTICS {
            break;
        }
    }
    own_pieces(root, &mut found);
    found
}

/// The sort of names that a string declares, if it declares one.
fn declares(text: &TextUse) -> Option<&'static str> {
    Some(match (text.sort, text.ludeme.name()) {
        ("Title", Name::Piece | Name::Tile) => "PieceName",
        ("Title", Name::Regions) => "RegionName",
        ("Title", Name::Map) => "MapName",
        ("Title", Name::Track) => "TrackName",
        ("Title", Name::Phase) => "PhaseName",
        ("VarName", Name::SetVar) => "VarName",
        ("ListName", Name::RememberValue | Name::SetRememberValue) => "ListName",
        ("EventName", Name::Trigger) => "EventName",
        ("VoteName", Name::Propose | Name::Vote | Name::MovePropose | Name::MoveVote) => "VoteName",
        _ => return None,
    })
}

impl Declared<'_> {
    /// True if a name counts as declared. Many functions accept any part of a name, and names of
    /// pieces may end with the number of their owner.
    fn is_part(&mut self, sort: &str, name: &str) -> bool {
        let Some(names) = self.by_sort.get(sort) else { return false };
        if names.contains(name) {
            return true;
        }
        let Some(left) = self.patience.checked_sub(names.len()) else { return true };
        self.patience = left;
        let bare = without_number(name);
        names.iter().any(|&declared| {
            declared.contains(name) || (sort == "PieceName" && without_number(declared) == bare)
        })
    }

    fn is_known(&mut self, sort: &str, name: &str) -> bool {
        match sort {
            "PieceName" => {
                ["Ball", "Die", "Domino", "Card", "Bag"].iter().any(|made| name.starts_with(made))
                    || is_coordinate(name)
                    || self.is_part(sort, name)
            }
            // Regions and tracks without a name of their own have this name.
            "RegionName" => name.starts_with("Region") || self.is_part(sort, name),
            "TrackName" => {
                name.starts_with("Track") || name == "AllTracks" || self.is_part(sort, name)
            }
            "ContainerName" => CONTAINERS.contains(&without_number(name)),
            "PhaseName" | "VarName" | "ListName" | "EventName" | "VoteName" | "MapName" => {
                self.by_sort.get(sort).is_some_and(|names| names.contains(name))
            }
            _ => true,
        }
    }

    fn check(&mut self, text: &TextUse, macros: &[&str]) -> Option<Diagnostic> {
        let name: &str = &text.text;
        if self.is_known(text.sort, name) {
            return None;
        }
        let what = match text.sort {
            "PieceName" => "piece",
            "RegionName" => "region",
            "TrackName" => "track",
            "ContainerName" => "container",
            "PhaseName" => "phase",
            "VarName" => "variable",
            "ListName" => "list of remembered values",
            "EventName" => "event",
            "MapName" => "map",
            _ => "vote",
        };
        let message = format!("no {what} is called \"{name}\"");
        // Questions about undeclared things have an answer, and public descriptions ask them. To
        // place them on the board, or move there, has no meaning.
        let code = "unknown-name";
        let is_needed = text.ludeme.kind() == Kind::StartRule && text.sort == "PieceName"
            || text.sort == "PhaseName";
        let place: &Place = &text.place;
        let diagnostic =
            if is_needed { place.error(code, message) } else { place.warning(code, message) };
        let names: Vec<&str> = match text.sort {
            "ContainerName" => CONTAINERS.to_vec(),
            sort => {
                self.by_sort.get(sort).into_iter().flatten().copied().take(MAX_NEAR_NAMES).collect()
            }
        };
        Some(if let Some(near) = near_miss(name, names.iter().copied()) {
            diagnostic.help(format!("did you mean \"{near}\"?"))
        } else if let Some(near) = near_miss(name, macros.iter().copied()) {
            diagnostic.help(format!("did you mean the macro \"{near}\"?"))
        } else if names.is_empty() {
            diagnostic.help(format!("the description declares no {what}"))
        } else {
            diagnostic.help(format!("there are: {}", names[..names.len().min(20)].join(", ")))
        })
    }
}

/// The name of a piece or container without the number of its owner.
fn without_number(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Reports pieces whose own moves read the moves of all pieces, which would never end.
fn own_pieces(root: &Call, found: &mut Vec<Diagnostic>) {
    let mut todo = vec![root];
    while let Some(call) = todo.pop() {
        if matches!(call.name(), Name::Piece | Name::Tile) && call.ludeme.kind() == Kind::Item {
            if let (Some(name), Some(moves)) = (call.text(Label::Name), call.call(Label::Moves)) {
                endless_moves(name, call, moves, found);
            }
            continue;
        }
        for arg in &call.args {
            push_calls(arg, &mut todo);
        }
    }
}

fn endless_moves(name: &str, piece: &Call, moves: &Call, found: &mut Vec<Diagnostic>) {
    let mut todo = vec![moves];
    while let Some(call) = todo.pop() {
        if call.name() == Name::ForEachPiece && !call.has(Label::Moves) {
            let named = call.items(Label::Names);
            if named.is_empty() || named.iter().any(|arg| arg.as_text() == Some(name)) {
                found.push(
                    call.place
                        .error(
                            "endless-moves",
                            format!("the moves of \"{name}\" ask for the moves of \"{name}\""),
                        )
                        .label("this would never come to an end")
                        .note(piece.place.span, "in this piece")
                        .help(
                            "give `forEach Piece` the moves to make, or the names of other pieces",
                        ),
                );
            }
        }
        for arg in &call.args {
            push_calls(arg, &mut todo);
        }
    }
}

fn push_calls<'a>(arg: &'a Arg, todo: &mut Vec<&'a Call>) {
    match &arg.value {
        Value::Call(call) => todo.push(call),
        Value::Array(items) => {
            for item in items {
                push_calls(item, todo);
            }
        }
        _ => {}
    }
}
