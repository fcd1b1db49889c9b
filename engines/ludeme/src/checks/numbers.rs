//! Moves made by their numbers beside the full list of moves, at positions of random walks.

use play::{Language, Rng, Rules};

use super::WORDS;
use crate::checks::files::catalogue;
use crate::eval::{HarnessChance, Legality, Listed, MaybeChance, Replayed};
use crate::game::Game;
use crate::moves::Move;
use crate::{front, lower};

/// Games whose moves are tested, compared, put together from parts, or passed over.
pub(super) const GAMES: [(&str, &str); 30] = [
    (
        "positions that come back end the game",
        r#"(game "Again" (players 2)
            (equipment {
                (board (square 4))
                (piece "Disc" Each (move Step (to if:(is Empty (to)))))
            })
            (rules
                (start {(place "Disc1" {0 3}) (place "Disc2" {12 15})})
                (play (forEach Piece))
                (end (if (is Repeat Positional) (result Mover Loss)))))"#,
    ),
    (
        "choices at once: what one does is not seen by another, some wait, and some have no move",
        r#"(define "Go" (move (from (sites Occupied by:#1))
                (to (sites Around (from) Orthogonal) if:(!= #2 (who at:(to))) (apply (and {
                    (if (is Occupied (to)) (set Score #1 (+ (score #1) 1)))
                    (set Value #1 (+ (count Pieces) (to)))
                })))
                copy:#3 #1
                (then (and (set Var (+ (var) (last To))) (if (is Even (var)) (remove (last To)))))))
            (game "Crowd" (players 3) (mode Simultaneous)
            (equipment {(board (square 4)) (piece "Rider" Each)})
            (rules
                (start {(place "Rider1" {0 1}) (place "Rider2" {3 7}) (place "Rider3" {12 13})})
                (play (or {
                    ("Go" P1 1 True)
                    (or {("Go" P2 2 False)} (then (set Score P3 (+ (var) (score P3)))
                        applyAfterAllMoves:True))
                    ("Go" P3 3 True)
                }))
                (end {
                    (if (> (score P1) 6) (result P1 Win))
                    (if (> (value Player P2) 24) (result P2 Loss))
                    (if (> (count Moves) 30) (byScore))
                })))"#,
    ),
    (
        "sites that an effect changes each by itself, and in the order of a list",
        r#"(game "Each" (players 2)
            (equipment {(board (square 4)) (piece "Disc" Each) (piece "Stone" Neutral)})
            (rules
                (play (move Add (to (sites Empty)) (then (and {
                    (set Value Mover (count Sites in:(sites Occupied by:All)))
                    (set Var (count Pieces) (then (forEach Site (sites Around (last To))
                        (if (and (is Empty (site)) (is Even (site)))
                            (add (piece "Stone0") (to (site)))
                            (if (!= (who at:(site)) (mover)) (remove (site)))))))
                    (if (= 0 (% (last To) 3)) (forEach Site (sites Occupied by:Next)
                        (and (set State at:(site) (% (site) 4)) (set Value at:(site) (var)))))
                }))))
                (end {
                    (if (> (count Moves) 40) (byScore))
                    (if (= 7 (count Sites in:(sites State 3))) (result Mover Win))
                })))"#,
    ),
    (
        "sites that an effect changes by what stands there and nothing else",
        r#"(game "Outcomes" (players 2)
            (equipment {
                (board (square 4)) (piece "Disc" Each) (piece "Ring" Each) (piece "Stone" Neutral)
            })
            (rules
                (play (or
                    (move Add (piece "Ring1") (to (sites Empty))
                        (then (forEach Site (sites Around (last To) includeSelf:True)
                            (if (is Empty (site))
                                (add (piece "Stone0") (to (site)))
                                (and {(remove (site)) (add (piece "Disc1") (to (site)))})))))
                    (move Remove (sites Occupied by:Neutral)
                        (then (forEach Site (union (sites Corners) (sites {(last To)}))
                            (if (or (is Empty (site)) (not (is Occupied (site))))
                                (add (piece "Ring2") (to (site)))
                                (promote (site) (piece "Stone0"))))))))
                (end {
                    (if (> (count Moves) 20) (byScore {
                        (score P1 (count Sites in:(sites Occupied by:P1)))
                        (score P2 (count Pieces P2 "Ring"))}))
                    (if (= 9 (count Sites in:(sites Occupied by:Neutral))) (result Next Win))
                })))"#,
    ),
    (
        "steps over several distances that are gathered together, and some that repeat them",
        r#"(game "Rows" (players 2)
            (equipment {(board (hex 3)) (piece "Disc" Each (or
                (move Step (to if:(not (is Friend (who at:(to)))) (apply (remove (to)))))
                (if (is Even (from)) (move Step Forward (to if:(is Empty (to)))))))})
            (rules
                (start {(place "Disc1" {0 1 2 3 4 5 6 8 9}) (place "Disc2" {14 15 16 17 18})})
                (play (forEach Piece))
                (end {
                    (if (no Pieces Next) (result Mover Win))
                    (if (> (count Moves) 30) (byScore))
                })))"#,
    ),
    (
        "moves that repeat another one and may turn out to be illegal, after others of one run",
        r#"(game "Again" (players 2)
            (equipment {(board (square 4)) (piece "Disc" Each) (piece "Stone" Neutral)})
            (rules
                (play (do (or {
                        (move Add (piece (mover)) (to (sites Empty)))
                        (move Add (piece "Stone0") (to (sites Empty)))
                        (move Add (piece "Stone0") (to (sites Empty) if:(is Even (to))))
                    })
                    ifAfterwards:(> 2 (count Sites in:(intersection
                        (sites Around (last To) Orthogonal) (sites Occupied by:All))))))
                (end (if (> (count Moves) 12) (byScore)))))"#,
    ),
    (
        "sums, products and extremes over pairs of sites, and steps to the nearest of several",
        r#"(game "Pairs" (players 2)
            (equipment {(board (square 5)) (piece "Disc" Each)})
            (rules
                (play (move Add (to (sites Empty) if:(<=
                    (+ (results from:(sites {(to)}) to:(sites Around (from) Orthogonal)
                        (if (is Empty (to)) 0 (if (is Friend (who at:(to))) 1 -1))))
                    (+ (count Steps Orthogonal (to) (sites Perimeter))
                        (max (results from:(to) to:(sites Occupied by:Next) (% (* (to) 7) 5))))))
                    (then (and {
                        (set Score Mover (+ (score Mover)
                            (count Steps All (last To) (sites Occupied by:Next))))
                        (set Var (min (results from:(sites Occupied by:Mover)
                            to:(sites Around (from)) (- (* (to) (from)) (site)))))
                        (set Value Mover (* (results from:(sites Occupied by:Next)
                            to:(sites {1 2}) (+ 1 (% (+ (from) (to)) 3)))))
                    }))))
                (end {
                    (if (> (count Moves) 30) (byScore))
                    (if (no Moves Next) (result Mover Win))
                })))"#,
    ),
    (
        "numbers drawn from ranges that are known, depend on the position, or are empty",
        r#"(game "Draws" (players 2)
            (equipment {(board (square 5)) (piece "Disc" Each)})
            (rules
                (start (set Score P1 (value Random (range 2 5))))
                (play (move Add (to (sites Empty)) (then (and {
                    (set Var "Low"
                        (+ (value Random (range -3 4)) (value Random (range 0 (last To)))))
                    (set Score Mover (value Random (range (var "Low") (+ 9 (var "Low")))))
                    (set Var "High" (value Random (range 3 (var "Low")))
                        (then (set Score Next (- (var "High") (value Random (range 1 1))))))
                    (if (= 0 (value Random (range 0 2))) (moveAgain))
                }))))
                (end (if (is Full) (byScore)))))"#,
    ),
    (
        "payoffs of rules one after the other, some of which pay nothing",
        r#"(game "Pays" (players 3)
            (equipment {(board (square 4)) (piece "Disc" Each)})
            (rules
                (play (move Add (to (sites Empty)) (then
                    (set Value Mover (+ (last To) (value Random (range -2 2)))))))
                (end {
                    (if (= (value Player P1) 3) {
                        (if (= (value Player P2) 9) (payoffs {(payoff P1 5) (payoff P2 0.5)}))
                        (if (> (value Player P2) 9) (payoffs {(payoff P3 (- 0 7)) (payoff P1 7)}))
                    })
                    (if (> (value Player P2) 11)
                        (payoffs {(payoff P1 (toFloat (value Player P1)))
                            (payoff P2 (toFloat (- 0 (value Player P2))))}))
                    (if (= (value Player P2) 13) (payoffs {(payoff P1 (/ 1 4)) (payoff P3 -2)}))
                    (if (= (value Player P2) 14) (result P2 Win))
                    (if (= (value Player P3) 15)
                        (payoffs {(payoff P2 16777217) (payoff P1 16777216)}))
                    (if (is Full) (result All Draw))
                })))"#,
    ),
    (
        "throws before the moves, and what follows from all of these, a pass too",
        r#"(game "Throw" (players 2)
            (equipment {(board (rectangle 1 8) (track "Way" "0,E" directed:True))
                (dice d:3 num:2) (piece "Disc" Each (move (from (from))
                    (to (trackSite Move from:(from) steps:(count Pips)) if:(is Empty (to)))))})
            (rules (start {(place "Disc1" {0 2}) (place "Disc2" {1 3})})
                (play (do (if (= (var "Thrown") 0) (roll)) next:(forEach Piece) (then
                    (if (= (count Pips) 2)
                        (and (moveAgain) (set Var "Thrown" 1))
                        (set Var "Thrown" 0)))))
                (end (if (all Passed) (result Mover Win)))))"#,
    ),
    (
        "moves that are tested in a part that comes first",
        r#"(game "Shy" (players 2)
            (equipment {(board (square 5))
                (piece "Pawn" Each (or
                    (move Step Orthogonal (to if:(is Empty (to))))
                    (move Hop Orthogonal (between if:(is Enemy (who at:(between)))
                        (apply (remove (between)))) (to if:(is Empty (to))))))})
            (rules (start {(place "Pawn1" (sites Bottom)) (place "Pawn2" (sites Top))})
                (play (priority {
                    (do (forEach Piece) ifAfterwards:(< (count Pieces Next) 5))
                    (do (forEach Piece) ifAfterwards:(is Even (count Sites in:(intersection
                        (sites Occupied by:Mover) (sites Bottom)))))
                    (move Pass)}))
                (end (if (no Pieces Next) (result Mover Win)))))"#,
    ),
    (
        "who has no move, asked by tests and by what moves do",
        r#"(game "Stuck" (players 2)
            (equipment {(board (square 3))
                (piece "Disc" Each (move Step Orthogonal (to if:(is Empty (to)))))
                (piece "Ring" Each (move Step (to if:(is Empty (to)))
                    (then (if (no Moves Next) (and (set Pending) (moveAgain))))))})
            (rules (start {(place "Ring1" {0 2}) (place "Disc1" {1 5}) (place "Ring2" {6 8})
                    (place "Disc2" 7)})
                (play (if (is Pending)
                    (move Remove (sites Occupied by:All))
                    (or (do (forEach Piece "Disc") ifAfterwards:(not (no Moves Next)))
                        (forEach Piece "Ring"))))
                (end (if (or (no Moves Next) (no Pieces Mover)) (result Mover Win)))))"#,
    ),
    (
        "second parts, and positions that must not come again",
        r#"(game "Again" (players 2)
            (equipment {(board (square 3)) (piece "Pawn" Each
                (do (move Remove (sites Occupied by:Neutral))
                    next:(move Step (to if:(is Empty (to))))))
                (piece "Stone" Neutral)})
            (rules (meta (no Repeat Positional))
                (start {(place "Pawn1" {0 1}) (place "Pawn2" {7 8}) (place "Stone0" 4)})
                (play (or (forEach Piece)
                    (move Add (piece "Stone0") (to (sites Empty)))))
                (end (if (no Moves Next) (result Mover Win)))))"#,
    ),
    (
        "the longest turns, and long jumps",
        r#"(game "Long" (players 2)
            (equipment {(board (square 6)) (piece "Counter" Each
                (max Moves (move Hop (from) Orthogonal
                    (between before:2 after:2 if:(is Enemy (who at:(between)))
                        (apply (remove (between))))
                    (to if:(is Empty (to)))
                    (then (if (can Move (move Hop (from (last To)) Orthogonal
                        (between if:(is Enemy (who at:(between)))) (to if:(is Empty (to)))))
                        (moveAgain))))))})
            (rules (start {
                (place "Counter1" (expand (sites Bottom))) (place "Counter2" (sites Top))})
                (play (priority {(forEach Piece)
                    (forEach Site (sites Occupied by:Mover)
                        (move Step (from (site)) Orthogonal (to if:(is Empty (to)))))}))
                (end (if (no Moves Next) (result Mover Win)))))"#,
    ),
    (
        "the same move twice, and sites without any",
        r#"(game "Twice" (players 2)
            (equipment {(board (rectangle 1 6)) (piece "Disc" Each)})
            (rules (meta (swap))
                (play (forEach Site (sites Empty)
                    (or (move Add (to (site))) (if (is Even (site)) (move Add (to (site)))))
                    noMoveYet:(move Pass)))
                (end (if (is Full) (result Mover Win)))))"#,
    ),
    (
        "seeds that are sown and what they take",
        r#"(game "Sow" (players 2)
            (equipment {(mancalaBoard 2 4 store:None (track "T" "0,E,N,W" loop:True))
                (piece "Seed" Shared) (regions P1 (sites Bottom)) (regions P2 (sites Top))})
            (rules (start (set Count 3 to:(sites Track)))
                (play (do (move Select (from (sites Mover) if:(> (count at:(from)) 1)) (then (sow)))
                    ifAfterwards:(> (count at:0) 0)))
                (end (if (no Moves Next) (result Mover Win)))))"#,
    ),
    (
        "captures that are moves by themselves",
        r#"(game "Taken" (players 2)
            (equipment {(board (square 5)) (piece "Disc" Each)})
            (rules (meta (swap))
                (start {(place "Disc1" {0 4 6}) (place "Disc2" {1 9 12})})
                (play (or
                    (forEach Piece (move Step Orthogonal (to if:(is Empty (to)))))
                    (custodial (from (last To)) Orthogonal
                        (between (max 2) if:(is Enemy (who at:(between)))
                            (apply (set Var "Taken" (between))))
                        (to if:(is Friend (who at:(to)))))))
                (end (if (= (var "Taken") 12) (result Mover Win)))))"#,
    ),
    (
        "throws of dice, and moves that go by them",
        r#"(game "Throw" (players 2)
            (equipment {(board (rectangle 1 8) (track "Way" "0,E" directed:True))
                (dice d:3 num:2) (piece "Disc" Each)})
            (rules (start {(place "Disc1" 0) (place "Disc2" 1)})
                (play (do (roll) next:(forEach Die combined:True
                    (forEach Piece (move (from) (to (trackSite Move steps:(pips)) if:(not (is Friend
                        (who at:(to)))))
                        (then (if (all DiceUsed) (set Score Mover 1) (moveAgain))))))))
                (end (if (no Pieces Next) (result Mover Win)))))"#,
    ),
    (
        "dice that are shown again, and moves that can be made by several of them",
        r#"(game "Again" (players 2)
            (equipment {(board (rectangle 1 12) (track "Way" "0,E" directed:True))
                (dice d:2 num:3) (piece "Disc" Each)})
            (rules (start {(place "Disc1" {0 1}) (place "Disc2" {2 3})})
                (play (do (if (not (is Prev Mover)) (roll)) next:(or
                    (forEach Die replayDouble:True if:(!= (pips) 0)
                        (move (from (count Pieces Mover)) (to (trackSite Move
                            from:(count Pieces Mover) steps:(pips)) if:(is Empty (to)))))
                    (forEach Die if:(!= (pips) 0) (forEach Site (sites Occupied by:Mover)
                        (move (from (site)) (to (trackSite Move from:(site) steps:(pips))
                            if:(not (is Friend (who at:(to))))))))
                    (then (if (not (all DiceUsed)) (moveAgain))))))
                (end (if (all Passed) (result Mover Win)))))"#,
    ),
    (
        "passes beside moves that are tested, and an end that waits for the next turn",
        r#"(game "Wary" (players 2)
            (equipment {(board (square 3)) (piece "King" Each (move Step (to if:(is Empty (to)))))})
            (rules (start {(place "King1" {0 1}) (place "King2" {7 8})})
                (play (or (move Pass) (do (forEach Piece) ifAfterwards:(is Empty 4))))
                (end (if (no Moves Next) (result Mover Win)))))"#,
    ),
    (
        "pieces that are turned over by a piece that is put beside them",
        r#"(game "Turn" (players 2)
            (equipment {(board (square 5)) (piece "Disc" Neutral (flips 1 2))})
            (rules (start {(place "Disc0" {6 12} state:1) (place "Disc0" {7 11} state:2)})
                (play (forEach Site (sites Empty) (append (custodial (from (site))
                    (between if:(is Enemy (state at:(between))) (apply (allCombinations
                        (add (piece "Disc0" state:(mover)) (to (site))) (flip (between)))))
                    (to if:(is Friend (state at:(to))))))))
                (end (if (all Passed) (result Mover Win)))))"#,
    ),
    (
        "the longest turns by dice",
        r#"(game "Far" (players 2)
            (equipment {(board (rectangle 1 8) (track "Way" "0,E" directed:True))
                (dice d:3 num:2) (piece "Disc" Each)})
            (rules (start {(place "Disc1" {0 2}) (place "Disc2" {1 4})})
                (play (max Moves (do (if (not (is Prev Mover)) (roll)) next:(forEach Die
                    if:(!= (pips) 0) (forEach Piece (move (from) (to (trackSite Move steps:(pips))
                        if:(is Empty (to))) (then (if (not (all DiceUsed)) (moveAgain)))))))))
                (end (if (all Passed) (result Mover Win)))))"#,
    ),
    (
        "a loop over levels, which leaves the last one bound",
        r#"(game "Tower" (players 2)
            (equipment {(board (rectangle 2 4)) (piece "Disc" Each
                (move Step (to if:(and (is Empty (to)) (if (is In (to) (sites To
                    (forEach Level (from) FromTop
                        (step (from (from) level:(level)) (to if:(is Empty (to)))))))
                    (= 0 (level)))))))})
            (rules (start {(place Stack "Disc1" 0 count:3) (place Stack "Disc2" 7 count:4)})
                (play (forEach Piece))
                (end (if (> (count Turns) 60) (result Mover Win)))))"#,
    ),
    (
        "something set before the moves, and asked for beside them",
        r#"(game "Marks" (players 2)
            (equipment {(board (square 5)) (piece "Pawn" Each
                (move Step (to if:(and (is Empty (to)) (!= (to) (+ 1 (var "Shut")))))
                    (then (if (is In (last To) (expand (sites Pending))) (moveAgain)))))})
            (rules (start {(place "Pawn1" (sites Bottom)) (place "Pawn2" (sites Top))})
                (play (or
                    (do (and (set Var "Shut" (last To)) (set Pending (sites Occupied by:Next)))
                        next:(forEach Piece))
                    (move Select (from (sites Occupied by:Next) if:(= (from) (var "Shut")))
                        (then (remove (last To))))))
                (end (if (no Pieces Next) (result Mover Win)))))"#,
    ),
    (
        "dice, and pieces in the order of placing",
        r#"(game "Queue" (players 2)
            (equipment {(board (rectangle 1 9) (track "Way" "0,E" directed:True)) (dice d:3 num:2)
                (piece "Disc" Each (move (from (from))
                    (to (trackSite Move from:(from) steps:(count Pips)) if:(is Empty (to)))))})
            (rules (start {(place "Disc2" {1 3}) (place "Disc1" {2 0})})
                (play (do (roll) next:(forEach Piece)))
                (end (if (= (where "Disc" 1) 8) (result P1 Win)))))"#,
    ),
    (
        "pieces of a partner, whose turn it is meanwhile",
        r#"(game "Partners" (players 4)
            (equipment {(board (square 5)) (piece "Disc" P1 (move Step Orthogonal
                (to if:(not (is Mover (who at:(to)))) (apply (and
                    (set Score Mover (+ 1 (score Mover)))
                    (if (is Occupied (to)) (set Score Next (- (score Next) 2))))))
                (then (if (is Mover P3) (set Score P4 (- (score P4) 1))))))
                (piece "Disc" P2 (move Hop All (between if:(is Enemy (who at:(between)))
                    (apply (remove (between)))) (to if:(is Empty (to)))))})
            (rules (start {(set Team 1 {P1 P3}) (set Team 2 {P2 P4})
                    (place "Disc1" (sites Bottom)) (place "Disc2" (sites Row 2))})
                (play (if (or (is Mover P1) (is Mover P3)) (forEach Piece P1) (forEach Piece P2)))
                (end (if (> (count Moves) 30) (byScore)))))"#,
    ),
    (
        "the first of several pieces in the order of placing, which changes",
        r#"(game "Firsts" (players 2)
            (equipment {(board (square 5)) (piece "Pawn" Each (move Step Forward
                (to if:(is Empty (to))) (then (if (is Even (last To))
                    (promote (last To) (piece "King") Mover)))))
                (piece "King" Each (move Step (to if:(not (is Friend (who at:(to))))
                    (apply (if (is Enemy (who at:(to))) (remove (to)))))
                    (then (if (is Even (last From))
                        (promote (where "King" Mover) (piece "King") Mover)
                        (set Score Mover (where "Flag" Mover))))))
                (piece "Flag" P1)})
            (rules (start {(place "Pawn1" (sites Bottom)) (place "Pawn2" (sites Top))
                    (place "King1" {5 7}) (place "King2" {17 19}) (place "Flag1" {10 14})})
                (play (do (or (forEach Piece)
                        (move Step (from (where "King" Mover)) Diagonal (to if:(is Empty (to)))))
                    ifAfterwards:(!= 12 (where "King" Next))))
                (end {(if (= (where "King" Next) (+ 1 (where "King" Mover))) (result Mover Win))
                    (if (> (count Moves) 40) (byScore))})))"#,
    ),
    (
        "sites without moves, the last of which stays bound",
        r#"(game "Otherwise" (players 2)
            (equipment {(board (square 4)) (piece "Disc" Each)})
            (rules (start {(place "Disc1" {0 5}) (place "Disc2" {10 15})})
                (play (forEach Site (sites Around (last To) Orthogonal)
                    (if (is Empty (site)) (move Add (to (site) if:(is Even (site)))))
                    noMoveYet:(or (move Add (to (sites Empty) if:(!= (to) (site))))
                        (if (is Enemy (who at:(site))) (move Remove (site))))))
                (end (if (> (count Moves) 14) (byScore)))))"#,
    ),
    (
        "something set before the moves in every round of a loop",
        r#"(game "Rounds" (players 2)
            (equipment {(board (square 5)) (piece "Disc" Each)})
            (rules (start {(place "Disc1" {0 6}) (place "Disc2" {18 24})})
                (play (or (forEach Value min:1 max:3 (do (set Var "Far" (value))
                        next:(move Add (to (sites Empty) if:(= (var "Far") (count Steps All (to)
                            (sites Occupied by:Mover))))
                            (then (set Score Mover (+ (score Mover) (var "Far")))))))
                    (forEach Piece (do (set Var "Far" (from)) next:(move Slide Orthogonal
                        (to if:True (apply (set Score Next (var "Far")))))))))
                (end (if (> (count Moves) 16) (byScore)))))"#,
    ),
    (
        "destinations of other pieces, level by level, the last of which stays bound",
        r#"(game "Joint" (players 2)
            (equipment {(board (square 5))
                (piece "Disc" Each (move Step (to if:(or (is Empty (to))
                    (and (is Enemy (who at:(to)))
                    (!= 0 (count Sites in:(forEach (sites Occupied by:Mover) if:(and {
                        (!= (from) (site))
                        (is In (to) (sites To (forEach Level (site) FromBottom
                            (if (= (what at:(site) level:(level)) (id "Disc" Mover))
                                (move Slide (from (site) level:(level)) Orthogonal
                                    (between if:(is Empty (between)))
                                    (to if:(is Enemy (who at:(to)))))
                                (move Step (from (site) level:(level)) Diagonal (to if:True))))))
                        (<= (level) (size Stack at:(to)))})))))))))})
            (rules (start {(place "Disc1" (sites Bottom)) (place "Disc2" (sites Top))
                (place Stack items:{"Disc1" "Disc2"} (sites {10 14}))})
                (play (forEach Piece))
                (end (if (is Even (count Sites in:(intersection (sites Bottom)
                    (sites To (forEach Piece)))))
                    (if (> (count Moves) 40) (result Mover Win))))))"#,
    ),
];

/// The rules, with moves put together as they are made; `None` if that does not fit the game.
fn compiled(name: &str, text: &str) -> Option<Game<WORDS>> {
    let rules = Rules::new(Language::Lud, name, text);
    let parsed =
        front::parse(&rules).unwrap_or_else(|e| panic!("{name}: {}", e.one_line(&rules.source)));
    let lowered = lower::lower(&parsed.root);
    let lowered = lowered.unwrap_or_else(|e| panic!("{name}: {}", e.one_line(&rules.source)));
    let fits = lowered.world.sites() <= 64 * WORDS;
    fits.then(|| Game::new(lowered))
}

/// Compares moves in a number of plies. Returns the number of compared moves, and that of drawn
/// moves which failed a test.
fn walk(name: &str, game: &Game<WORDS>, seed: u64, plies: u32) -> (usize, usize) {
    let mut rng = Rng::stream(seed, 0);
    let mut state = game.initial.clone();
    let mut found = Listed::default();
    let (mut compared, mut refused) = (0, 0);
    for _ in 0..plies {
        // The outcomes of chance for a list are the same for all who make its moves.
        let source = HarnessChance::new(&mut rng);
        let chance: MaybeChance<'_> = if game.chance { Some(&source) } else { None };
        game.list_all(&mut state, true, chance, &mut found);
        let Listed { list, draws, .. } = &found;
        let listed = game.list(&mut state, Some(&Replayed::new(draws, None)));
        let Some(last) = listed.len().checked_sub(1) else { break };
        let forced = last == 0 && listed[0].is_pass();
        let make = |state: &mut _, id| game.make_listed(state, draws, id, Legality::Known, None);
        let made: Option<Vec<Move>> = list.iter().map(|&id| make(&mut state, id)).collect();
        let made = made.unwrap_or_else(|| panic!("{name}: a move is refused"));
        assert!(made == *listed || forced && made.is_empty(), "{name}: {made:?} {listed:?}");
        compared += listed.len();
        if !game.chance {
            game.list_all(&mut state, false, None, &mut found);
            let Listed { list, draws, .. } = &found;
            let make = |&id| game.make_listed(&mut state, draws, id, Legality::Open, None);
            let drawn: Vec<Move> = list.iter().filter_map(make).collect();
            assert_eq!(made, drawn, "{name}: drawn");
            refused += list.len() - drawn.len();
        }
        let made = &listed[rng.below(last as u32 + 1) as usize];
        let source = HarnessChance::new(&mut rng);
        game.advance(&mut state, made, if game.chance { Some(&source) } else { None });
    }
    (compared, refused)
}

#[test]
fn moves_made_by_their_numbers_are_those_of_the_list() {
    let mut tested = 0;
    for (name, text) in GAMES {
        let game = compiled(name, text).expect("a small game");
        let walks = (0..8).map(|seed| walk(name, &game, seed, 60));
        let (compared, refused) = walks.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        assert!(compared > 60, "{name}: {compared}");
        tested += usize::from(refused > 0);
    }
    assert!(tested >= 3, "moves are refused in {tested} games");
}

#[test]
fn moves_of_the_catalogue_made_by_their_numbers_are_those_of_the_list() {
    let mut games = 0;
    for rules in catalogue() {
        let name = rules.source.name();
        if let Some(game) = compiled(name, rules.source.text()) {
            walk(name, &game, 1, 12);
            games += 1;
        }
    }
    assert!(games > 25, "only {games} games");
}
