//! The parts of the past that the rules can read, as far as the ludemes in them tell. States that
//! differ only in parts that no rule reads have the same future.

use crate::front::{Arg, Call, Name, Value};
use crate::ir::HistoryDependence;

/// The dependence of rules that may read everything.
const ALL: HistoryDependence = HistoryDependence { moves: None, turns: true, last: true };

/// The parts of the past that the rules of a description can read.
pub(super) fn history_dependence(root: &Call) -> HistoryDependence {
    let mut past = HistoryDependence { moves: Some(0), turns: false, last: false };
    look(&mut past, root, false);
    past
}

/// Adds the parts that a call can read. `after` is true in rules that are evaluated when a move has
/// just been made.
fn look(past: &mut HistoryDependence, call: &Call, after: bool) {
    use Name::*;
    match call.name() {
        // These are evaluated once, before the first move.
        Board | Start | Players => return,
        name if counts_moves(name) => {
            *past = ALL;
            return;
        }
        OpLt | OpLe | OpGt | OpGe | OpEquals | OpNotEqual => {
            if let Some(bound) = compared(call) {
                past.moves = past.moves.map(|moves| moves.max(bound));
                return;
            }
        }
        // These do not read the past.
        Game | Equipment | Piece | Regions | Rules | Play | End | Then | If | Result | And | Or
        | Not | ForEachPiece | MoveStep | MoveLeap | MoveSlide | MoveAdd | To | From | Between
        | Site | Mover | Next | IsEmpty | IsOccupied | IsEnemy | IsFriend | IsIn | IsFull
        | AllSites | NoPieces | NoMoves | CountPieces | CountSites | CentrePoint | Sites
        | SitesEmpty | SitesOccupied | SitesAround | SitesBoard | SitesBottom | SitesTop
        | SitesLeft | SitesRight | SitesCentre | SitesCorners | SitesOuter | SitesInner => {}
        // These read the last move.
        IsLine | IsConnected | LastTo | LastFrom => past.last |= !after,
        MoveAgain => {}
        _ => {
            *past = ALL;
            return;
        }
    }
    let after = after || matches!(call.name(), Then | End);
    for arg in &call.args {
        look_in(past, arg, after);
    }
}

fn look_in(past: &mut HistoryDependence, arg: &Arg, after: bool) {
    match &arg.value {
        Value::Call(call) => look(past, call, after),
        Value::Array(items) => items.iter().for_each(|item| look_in(past, item, after)),
        _ => {}
    }
}

/// True if a call reads a number of moves or turns, or the counter.
pub(super) fn counts_moves(name: Name) -> bool {
    matches!(name, Name::CountMoves | Name::CountMovesThisTurn | Name::CountTurns | Name::Counter)
}

/// The number of moves from which on a comparison of it with a constant has the same answer.
fn compared(call: &Call) -> Option<u32> {
    let is_moves = |arg: &Arg| arg.as_call().is_some_and(|c| c.name() == Name::CountMoves);
    let bound = match &call.args[..] {
        [a, b] if is_moves(a) => b.as_int()?,
        [a, b] if is_moves(b) => a.as_int()?,
        _ => return None,
    };
    u32::try_from(bound.checked_add(1)?.max(0)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front;
    use play::{Language, Rules};

    fn past(play: &str, end: &str) -> HistoryDependence {
        let text = format!(
            "(game \"G\" (players 2)
                (equipment {{ (board (square 3)) (piece \"A\" Each (move Step (to if:(is Empty \
                (to))))) }})
                (rules (start (place \"A1\" 0)) (play {play}) (end {end})))"
        );
        let rules = Rules::new(Language::Lud, "G", text);
        let parsed =
            front::parse(&rules).unwrap_or_else(|e| panic!("{}", e.one_line(&rules.source)));
        history_dependence(&parsed.root)
    }

    #[test]
    fn what_nobody_asks_for_is_not_kept() {
        let line = "(if (is Line 3) (result Mover Win))";
        let nothing = HistoryDependence { moves: Some(0), turns: false, last: false };
        assert_eq!(past("(forEach Piece)", line), nothing);
        let placing = "(if (< (count Moves) 6) (move Add (to (sites Empty))) (forEach Piece))";
        assert_eq!(past(placing, line), HistoryDependence { moves: Some(7), ..nothing });
        let near = "(move Add (to (sites Around (last To))))";
        assert_eq!(past(near, line), HistoryDependence { last: true, ..nothing });
        for asks in ["(= (count Turns) 5)", "(is Even (count Moves))", "(is Prev Mover)"] {
            let play = format!("(if {asks} (move Add (to (sites Empty))) (forEach Piece))");
            assert_eq!(past(&play, line), ALL, "{asks}");
        }
        assert_eq!(past("(or (forEach Piece) (move Pass))", line), ALL);
    }
}
