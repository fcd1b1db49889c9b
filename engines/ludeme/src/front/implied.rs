//! The rules of a description without rules, which are those of tic-tac-toe.

use text::{Bracket, Diagnostic, Flavour, Source, read};

use super::place::Place;
use super::token::{Token, TokenKind, closing, flatten};

const RULES: &str =
    "(rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win))))";
const PIECES: &str = r#"(piece "Disc" Each)"#;

/// Adds the rules of tic-tac-toe to a game that ends after its equipment, and a piece for each
/// player if the equipment has none. So an author can look at an unfinished description from its
/// board on. A game with anything else in it, or beside it, lacks its rules by mistake.
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

/// Index of the equipment of a game that has only players and equipment.
fn lonely_equipment(tokens: &[Token]) -> Option<usize> {
    let is_game = tokens.first()?.kind == TokenKind::Open(Bracket::Round)
        && tokens.get(1)?.word() == Some("game")
        && closing(tokens, 0) + 1 == tokens.len();
    let (mut players, mut equipment, mut index) = (false, None, 2);
    while is_game && index + 1 < tokens.len() {
        if tokens[index].is_open() {
            match tokens[index + 1].word()? {
                "players" => players = true,
                "equipment" => equipment = Some(index),
                _ => return None,
            }
            index = closing(tokens, index);
        }
        index += 1;
    }
    equipment.filter(|_| players)
}

/// The keywords of the items of an equipment.
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

/// The tokens of a text, with a place of the description as their place.
fn written(text: &str, place: &Place) -> Vec<Token> {
    let nodes = read(&Source::new("implied", text), Flavour::LUD).nodes;
    flatten(&nodes).into_iter().map(|token| Token { place: place.clone(), ..token }).collect()
}
