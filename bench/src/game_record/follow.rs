//! Following a recorded game on an engine by the labels of its legal actions.

use std::collections::BTreeSet;

use play::{Game, NoChance, Position, Turn, settle};
use text::{Diagnostic, Source, Span};

use super::san::Board;
use super::{Claim, GameRecord, Move, Said};

/// The label of a pass.
const PASS: &str = "pass";

/// Most positions that are kept while a record can mean several.
const MOST_READINGS: usize = 16;

/// Most plies that are tried for one recorded move.
const MOST_TRIED: usize = 4096;

/// Most legal actions that a message lists.
const MOST_LISTED: usize = 16;

/// The result of following a record on an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It was followed to the end of the game, with the recorded result.
    Ended {
        /// The plies that were played.
        plies: u64,
        /// The reason why the result was not compared, if it was not.
        remark: Option<String>,
    },
    /// It was followed to the end of the record, and the game goes on: somebody resigned, or a draw
    /// was agreed.
    Stopped {
        /// The plies that were played.
        plies: u64,
    },
    /// The game was drawn, or reached its ply cap, before the end of the record: a difference of
    /// rules.
    EndedEarlier {
        /// The plies that were played.
        plies: u64,
        /// The end, with the place of the next recorded move.
        diagnostic: Diagnostic,
    },
    /// The record differs from the game.
    Wrong {
        /// The plies that were played before.
        plies: u64,
        /// The first difference.
        diagnostic: Diagnostic,
    },
    /// It could not be followed, for this reason, and says nothing of the engine.
    NotFollowed(String),
}

/// Follows the moves of a record on an engine, whose game begins where the record does. `cap` is
/// the number of plies after which the rules of the game may end it whatever the position.
pub fn follow(
    game: &dyn Game,
    cap: u32,
    source: &Source,
    record: &GameRecord,
    moves: &[Move],
) -> Finding {
    if game.facts().chance {
        return Finding::NotFollowed("the record does not have the draws of chance".to_owned());
    }
    let board = match &record.set_up {
        Some(set_up) => Board::of_fen(&set_up.text),
        None => Board::start(),
    };
    let mut position = game.open(&mut NoChance);
    settle(&mut *position, &mut NoChance);
    let first = Reading { position, board, last: None, plies: 0 };
    let mut readings = vec![first];
    for (number, recorded) in moves.iter().enumerate() {
        let is_over = |reading: &Reading| reading.position.turn() == Turn::Over;
        if recorded.said != Said::Pass && readings.iter().all(is_over) {
            return ended_before(&readings[0], cap, recorded);
        }
        let next = moves.get(number + 1);
        let (mut after, mut fault) = (Vec::new(), None);
        for reading in &readings {
            match reading.step(source, recorded, next) {
                Ok(positions) => after.extend(positions),
                Err(diagnostic) => fault = fault.or(Some((reading.plies, diagnostic))),
            }
        }
        if let Some((plies, diagnostic)) = fault.filter(|_| after.is_empty()) {
            return Finding::Wrong { plies, diagnostic };
        }
        after.truncate(MOST_READINGS);
        readings = after;
    }
    let mut findings: Vec<Finding> = readings.iter().map(|reading| reading.end(record)).collect();
    let sound = findings.iter().position(|finding| !matches!(finding, Finding::Wrong { .. }));
    findings.swap_remove(sound.unwrap_or_default())
}

/// A game that was drawn, capped or won though the record goes on.
fn ended_before(reading: &Reading, cap: u32, next: &Move) -> Finding {
    let plies = reading.plies;
    let scores = reading.scores();
    let why = if plies >= u64::from(cap) {
        Some(format!("ended earlier: {plies} plies are the most of this game"))
    } else if scores.windows(2).all(|pair| pair[0] == pair[1]) {
        Some(format!("ended earlier: a draw by the rules of this game after {plies} plies"))
    } else {
        None
    };
    if let Some(why) = why {
        let diagnostic = Diagnostic::warning("ended-earlier", next.span, why);
        return Finding::EndedEarlier { plies, diagnostic };
    }
    let message = format!("the record goes on after ply {plies}, where the game is over");
    let diagnostic = Diagnostic::error("wrong-end", next.span, message)
        .help(format!("the scores are {}", list(&scores)));
    Finding::Wrong { plies, diagnostic }
}

fn list(scores: &[i32]) -> String {
    scores.iter().map(i32::to_string).collect::<Vec<String>>().join(" to ")
}

/// A position that the record may have reached.
struct Reading {
    position: Box<dyn Position>,
    board: Board,
    /// The player of the last ply.
    last: Option<u8>,
    plies: u64,
}

impl Reading {
    fn mover(&self) -> Option<u8> {
        match self.position.turn() {
            Turn::Over => None,
            Turn::Move(player) => Some(player.0),
        }
    }

    fn scores(&self) -> Vec<i32> {
        self.position.scores().map(|scores| scores.iter().collect()).unwrap_or_default()
    }

    fn copy(&self) -> Reading {
        let Reading { position, board, last, plies } = self;
        Reading { position: position.copy(), board: board.clone(), last: *last, plies: *plies }
    }

    /// The position after an action, forced passes included.
    fn after(&self, action: usize, label: &str) -> Reading {
        let mut after = self.copy();
        after.last = self.mover();
        // Only listed actions come here, and those are legal.
        if after.position.play(action, &mut NoChance).is_ok() {
            settle(&mut *after.position, &mut NoChance);
        }
        after.board.play(label);
        after.plies += 1;
        after
    }

    /// The positions after a recorded move.
    fn step(
        &self,
        source: &Source,
        recorded: &Move,
        next: Option<&Move>,
    ) -> Result<Vec<Reading>, Diagnostic> {
        let Some(mover) = self.mover() else {
            let passes = (recorded.said == Said::Pass).then(|| self.copy());
            return Ok(passes.into_iter().collect());
        };
        if let Some(player) = recorded.player.filter(|player| *player != mover) {
            // The game has passed for a player who could not move.
            if recorded.said == Said::Pass {
                return Ok(vec![self.copy()]);
            }
            let message = format!("player {} moves here, not player {}", mover + 1, player + 1);
            return Err(Diagnostic::error("wrong-turn", recorded.span, message));
        }
        let labels = self.position.labels();
        let text = source.slice(recorded.span);
        let found = match &recorded.said {
            Said::Label(label) => self.named(&labels, label),
            Said::Text => match self.named(&labels, &plain(text)) {
                found if !found.is_empty() => found,
                _ => self.meant(&labels, text, recorded.span)?,
            },
            Said::Pass if labels.iter().any(|label| label == PASS) => self.named(&labels, PASS),
            Said::Pass if self.last == Some(mover) => vec![self.copy()],
            Said::Pass => Vec::new(),
            Said::Path(squares) => self.along(squares, next),
        };
        if found.is_empty() { Err(illegal(&labels, text, recorded)) } else { Ok(found) }
    }

    fn named(&self, labels: &[String], wanted: &str) -> Vec<Reading> {
        let action = labels.iter().position(|label| label == wanted);
        action.map(|action| self.after(action, wanted)).into_iter().collect()
    }

    /// The position after the one move that a text in standard algebraic notation means.
    fn meant(&self, labels: &[String], text: &str, at: Span) -> Result<Vec<Reading>, Diagnostic> {
        match self.board.meant(text, labels)[..] {
            [] => Ok(Vec::new()),
            [label] => Ok(self.named(labels, label)),
            ref all => {
                let all: Vec<&str> = all.iter().map(|label| label.as_str()).collect();
                let message = format!("`{text}` can be {} of the legal moves here", all.len());
                Err(Diagnostic::error("ambiguous-move", at, message)
                    .help(format!("it may mean {}", all.join(" or "))))
            }
        }
    }

    /// The positions after a piece has gone by these squares, and perhaps others between, in one or
    /// more plies of the same player.
    fn along(&self, squares: &[String], next: Option<&Move>) -> Vec<Reading> {
        let goes_on_at = match next.map(|next| &next.said) {
            Some(Said::Path(squares)) => squares.first(),
            _ => None,
        };
        let [first, others @ ..] = squares else { return Vec::new() };
        let mut open = vec![(self.copy(), first.clone(), others)];
        let (mut found, mut tried) = (Vec::new(), 0);
        while let Some((reading, at, others)) = open.pop() {
            for (action, label) in reading.position.labels().iter().enumerate() {
                let Some(to) = label.strip_prefix(&at).filter(|to| is_square(to)) else { continue };
                tried += 1;
                if tried > MOST_TRIED {
                    return found;
                }
                let after = reading.after(action, label);
                let left = match others {
                    [square, left @ ..] if square == to => left,
                    _ => others,
                };
                let same_player = after.mover().is_some() && after.mover() == reading.mover();
                if left.is_empty() && (!same_player || goes_on_at.is_some_and(|at| at == to)) {
                    found.push(after);
                } else if same_player {
                    // A way round may come through its last square before its end.
                    let left = if left.is_empty() { others } else { left };
                    open.push((after, to.to_owned(), left));
                }
            }
        }
        found
    }

    /// Compares the end of the record with the position.
    fn end(&self, record: &GameRecord) -> Finding {
        let plies = self.plies;
        let wrong = |code, span, message: String, help: String| {
            let diagnostic = Diagnostic::error(code, span, message).help(help);
            Finding::Wrong { plies, diagnostic }
        };
        if self.mover().is_some() {
            let Some(span) = record.over else { return Finding::Stopped { plies } };
            let help = format!("legal here: {}", listed(&self.position.labels(), ""));
            return wrong(
                "wrong-end",
                span,
                "the record ends the game, which goes on".into(),
                help,
            );
        }
        let Some(claim) = &record.claim else {
            return Finding::Ended { plies, remark: Some("the record has no result".to_owned()) };
        };
        if let Some(why) = &claim.incomparable {
            return Finding::Ended { plies, remark: Some(why.clone()) };
        }
        let scores = self.scores();
        if agrees(claim, &scores) {
            return Finding::Ended { plies, remark: None };
        }
        let says = claim.winner.map_or_else(
            || "a draw".to_owned(),
            |winner| format!("that player {} has won", winner + 1),
        );
        let message = format!("the record says {says}; the game ended {}", list(&scores));
        let help = "scores are in the order in which players move first".to_owned();
        wrong("wrong-result", claim.span, message, help)
    }
}

/// True if scores are of the claimed result.
fn agrees(claim: &Claim, scores: &[i32]) -> bool {
    let best = scores.iter().max();
    let mut winners = (0u8..).zip(scores).filter(|(_, score)| Some(*score) == best);
    match claim.winner {
        None => scores.windows(2).all(|pair| pair[0] == pair[1]),
        Some(winner) => {
            winners.next().is_some_and(|(player, _)| player == winner) && winners.next().is_none()
        }
    }
}

fn is_square(text: &str) -> bool {
    let mut rest = text.chars();
    rest.next().is_some_and(|c| c.is_ascii_lowercase())
        && !rest.as_str().is_empty()
        && rest.all(|c| c.is_ascii_digit())
}

/// A move in coordinates as labels have it: `e7-e8=Q+` is `e7e8q`.
fn plain(text: &str) -> String {
    let text = text.trim_end_matches(['+', '#']);
    let text = text.replace(['-', 'x', ':', '='], "");
    text.to_lowercase()
}

fn illegal(labels: &[String], text: &str, recorded: &Move) -> Diagnostic {
    let meant = match &recorded.said {
        Said::Label(label) => format!("`{text}`, here `{label}`,"),
        Said::Path(squares) => format!("`{text}`, here {},", squares.join(" to ")),
        Said::Text | Said::Pass => format!("`{text}`"),
    };
    let message = format!("{meant} is none of the {} legal moves", labels.len());
    let near = match &recorded.said {
        Said::Label(label) => label.clone(),
        Said::Path(squares) => squares.first().cloned().unwrap_or_default(),
        Said::Text | Said::Pass => plain(text),
    };
    let diagnostic = Diagnostic::error("illegal-move", recorded.span, message)
        .help(format!("legal here: {}", listed(labels, &near)));
    match &recorded.said {
        Said::Path(squares) if labels.contains(&squares[..squares.len().min(2)].concat()) => {
            diagnostic.help("the piece has to go on from there, or goes another way")
        }
        _ => diagnostic,
    }
}

/// Some legal actions: those that share a square with a text, or else the first.
fn listed(labels: &[String], text: &str) -> String {
    let pairs = |text: &str| -> BTreeSet<String> {
        let chars: Vec<char> = text.chars().collect();
        chars
            .windows(2)
            .map(|pair| pair.iter().collect())
            .filter(|s: &String| is_square(s))
            .collect()
    };
    let wanted = pairs(text);
    let near: Vec<&str> = labels
        .iter()
        .filter(|label| !wanted.is_disjoint(&pairs(label)))
        .map(String::as_str)
        .collect();
    let all = if near.is_empty() { labels.iter().map(String::as_str).collect() } else { near };
    let more = labels.len() - all.len().min(MOST_LISTED);
    let shown = all[..all.len().min(MOST_LISTED)].join(" ");
    if more > 0 { format!("{shown}, and {more} more") } else { shown }
}
