//! What a description means that says nothing of its rules: they are those of tic-tac-toe.

use text::{Bracket, Diagnostic, Flavour, Source, read};

use super::place::Place;
use super::token::{Token, TokenKind, closing, flatten};

const RULES: &str =
    "(rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win))))";
const PIECES: &str = r#"(piece "Disc" Each)"#;

/// Adds the rules of tic-tac-toe to a game that ends after its equipment, and a piece for each
/// player where the equipment has none: a description that is being written can be looked at from
/// its board on. A game with anything else in it, or beside it, lacks its rules by mistake.
pub(super) fn complete(mut tokens: Vec<Token>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let Some(equipment) = lonely_equipment(&tokens) else { return tokens };
    let game = tokens[1].place.clone();
    diagnostics.push(
        game.warning("no-rules", "`game` has no `rules`: those of tic-tac-toe hold")
            .help("write for example (rules (play ..) (end ..))"),
    );
    tokens.splice(tokens.len() - 1..tokens.len() - 1, written(RULES, &game));
    let end = closing(&tokens, equipment);
    let has_pieces = calls(&tokens[equipment..end]).any(|name| matches!(name, "piece" | "tile"));
    if !has_pieces && tokens[end - 1].kind == TokenKind::Close(Bracket::Curly) {
        tokens.splice(end - 1..end - 1, written(PIECES, &game));
    }
    tokens
}

/// Where the equipment of a game begins that has players and equipment and nothing else.
fn lonely_equipment(tokens: &[Token]) -> Option<usize> {
    let is_game = tokens.first()?.kind == TokenKind::Open(Bracket::Round)
        && tokens.get(1)?.word() == Some("game")
        && closing(tokens, 0) + 1 == tokens.len();
    let (mut players, mut equipment, mut at) = (false, None, 2);
    while is_game && at + 1 < tokens.len() {
        if tokens[at].is_open() {
            match tokens[at + 1].word()? {
                "players" => players = true,
                "equipment" => equipment = Some(at),
                _ => return None,
            }
            at = closing(tokens, at);
        }
        at += 1;
    }
    equipment.filter(|_| players)
}

/// The items of an equipment by their keywords.
fn calls(equipment: &[Token]) -> impl Iterator<Item = &str> {
    const LIST: usize = 2;
    let mut depth = 0;
    equipment.windows(2).filter_map(move |pair| {
        depth += usize::from(pair[0].is_open());
        let item = pair[0].is_open() && depth == LIST + 1;
        depth -= usize::from(pair[0].is_close());
        item.then(|| pair[1].word()).flatten()
    })
}

/// A text of our own, as if it stood in a place of the description.
fn written(text: &str, place: &Place) -> Vec<Token> {
    let nodes = read(&Source::new("implied", text), Flavour::LUD).nodes;
    flatten(&nodes).into_iter().map(|token| Token { place: place.clone(), ..token }).collect()
}
