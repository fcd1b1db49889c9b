//! Positions continued by code, compared with those continued by the search alone.

use std::path::{Path, PathBuf};

use super::*;
use crate::searched::SearchedPosition;

/// Number of moves of a position that are tried.
const TRIED: u32 = 3;
/// Most moves whose labels are compared in a position, and most moves of the walks of a game.
const NAMED: usize = 500;
const MET: usize = 20_000;

/// Counts of what occurred on the walks of a game.
#[derive(Clone, Copy, Default, Debug)]
struct Met {
    positions: u32,
    /// Number of positions whose moves code listed.
    by_code: u32,
    passes: u32,
}

/// Walks through a game at random in both ways.
struct Walks<'w> {
    name: &'w str,
    description: &'w Description,
    limits: Limits,
    /// Number of walks, and most plies of each.
    count: u64,
    plies: u32,
}

impl Visit<Met> for Walks<'_> {
    fn visit<const W: usize>(self, program: Program<W>, layout: Layout) -> Met {
        let game = RbgGame::new(program, self.description, layout, &self.limits);
        let (mut met, mut left) = (Met::default(), MET);
        for walk in 0..self.count {
            let mut rng = Rng::stream(5, walk);
            let mut position = game.initial(&mut rng);
            let mut searched = game.searched.initial(&mut rng);
            // The moves of a position are forgotten in some positions and kept in others.
            let mut copy = position.clone();
            for _ in 0..self.plies {
                let legal = game.legal(&mut position);
                assert_eq!(legal, game.searched.legal(&mut searched), "{}", self.at(&game, &copy));
                met.positions += 1;
                met.by_code += u32::from(matches!(position.known, Some(Known::Legal(_))));
                let mut moves = Vec::new();
                game.expand(&mut position, &mut moves);
                if moves.is_empty() || left < moves.len() {
                    break;
                }
                left -= moves.len();
                if moves.len() <= NAMED {
                    let plain = game.searched.all_labels(searched.state.clone());
                    assert_eq!(game.labels(&position, &moves), plain);
                }
                met.passes += u32::from(legal == Legal::Pass);
                for _ in 0..TRIED {
                    let number = rng.below(moves.len() as u32);
                    copy.clone_from(&position);
                    let (mut after, mut expected) = (position.clone(), searched.clone());
                    game.apply(&mut after, moves[number as usize], &mut rng);
                    game.searched.make(&mut expected, number);
                    self.compare(&game, &after, &expected, &copy);
                }
                let number = rng.below(moves.len() as u32);
                copy.clone_from(&position);
                if rng.below(2) == 0 {
                    position.known = None;
                }
                game.apply(&mut position, moves[number as usize], &mut rng);
                game.searched.make(&mut searched, number);
                self.compare(&game, &position, &searched, &copy);
            }
        }
        met
    }
}

impl Walks<'_> {
    fn compare<const W: usize>(
        &self,
        game: &RbgGame<W>,
        position: &Position<W>,
        searched: &SearchedPosition<W>,
        before: &Position<W>,
    ) {
        let (state, expected) = (position.state(&game.searched.start), &searched.state);
        assert_eq!(
            state.standing().or_over(),
            expected.standing().or_over(),
            "{}",
            self.at(game, before)
        );
        assert_eq!(state.board, expected.board, "{}", self.at(game, before));
        assert_eq!(state.bits, expected.bits, "{}", self.at(game, before));
        assert_eq!(state.vars, expected.vars, "{}", self.at(game, before));
        assert!(position.key() == Position::new(expected, None).key(), "{}", self.at(game, before));
    }

    fn at<const W: usize>(&self, game: &RbgGame<W>, position: &Position<W>) -> String {
        format!("{}:\n{}", self.name, game.draw(position))
    }
}

/// Walks through the game of a file; `None` if it is refused.
fn walk(file: &Path, count: u64, plies: u32) -> Option<Met> {
    let text = std::fs::read_to_string(file).ok()?;
    walk_text(&file.to_string_lossy(), &text, count, plies)
}

fn walk_text(name: &str, text: &str, count: u64, plies: u32) -> Option<Met> {
    let (description, _) = front::read(&Source::new(name, text));
    let (description, limits) = (&description?, Limits::default());
    with_program(description, &limits, Walks { name, description, limits, count, plies }).ok()
}

/// The rules of the catalogue.
fn catalogue() -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/catalogue"));
    let games = std::fs::read_dir(root).unwrap().flatten();
    let mut files: Vec<PathBuf> = games.map(|game| game.path().join("rules.rbg")).collect();
    files.retain(|file| file.exists());
    files.sort();
    files
}

#[test]
fn code_lists_and_makes_the_moves_of_the_search() {
    let (mut by_code, mut passes) = (0, 0);
    let files = catalogue();
    for file in &files {
        let met = walk(file, 12, 300).unwrap_or_else(|| panic!("{} is right", file.display()));
        assert!(met.positions > 0);
        by_code += u32::from(met.by_code == met.positions);
        passes += met.passes;
    }
    assert!(by_code > files.len() as u32 / 2 && passes > 0, "{by_code} {passes}");
}

#[test]
fn code_lists_and_makes_the_moves_of_public_descriptions() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/rbg"));
    let Ok(files) = std::fs::read_dir(root) else {
        eprintln!("skipped: no ../shared/corpus/rbg");
        return;
    };
    let mut files: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let met: Vec<Met> = files.iter().filter_map(|file| walk(file, 2, 100)).collect();
    let by_code = met.iter().filter(|met| met.by_code > 0).count();
    assert!(by_code > met.len() / 2, "{by_code} of {}", met.len());
}

/// Slides, hops, repeated steps, pieces that are put on the way, numbers, promotions, pieces that
/// must not be left attacked, and chains of captures.
#[test]
fn moves_that_must_not_bring_a_pattern_about() {
    let rules = "
            #players = white(100), black(100)
            #pieces = e, k, r, p, K, R, P
            #variables = moved(1), passed(1)
            #board = rectangle(up,down,left,right,
                [R,e,K,e,R][P,P,e,P,P][e,e,e,e,e][p,p,e,p,p][r,e,k,e,r])
            #any = (up* + down*)(left* + right*)
            #lines(more) = (more~up + more~down + more~left + more~right)
            #line(d) = (d {e})* d
            #straight = (line(up) + line(down) + line(left) + line(right))
            #around = (up + down + left + right + (up + down)(left + right))
            #attacked(r; k; p; forth) = (up ({e} up)* {r} + down ({e} down)* {r} + left \
            ({e} left)* {r}
                + right ({e} right)* {r} + around {k} + forth (left + right) {p})
            #to(mine; theirs) = ({e} + {theirs} [$ passed=0]) [mine]
            #turn(me; forth; k; r; p; K; R; P) =
                ->me (
                    [$ passed=0] any (
                        {r} [e] straight to(r; K, R, P)
                      + {k} [e] (around to(k; K, R, P)
                          + {$ moved==0} left {e} [k] left {r} [e] right^2 [r]) [$ moved=1]
                      + {p} [e] ((forth {e} + forth (left + right) {K, R, P})
                          ({? forth} [p] + {! forth} ([r] + [k]))
                          + (forth {e})^2 [p] [$ passed=1])
                      + {p} [e] (up {K, R, P} [e] up {e} + down {K, R, P} [e] down {e})
                          (left {e} [P] + right {e} [e] left [p]))
                  + {$ passed==1} any {p} [e] up up {e} [r] [$ passed=0]
                ) {! any {k} attacked(R; K; P; forth)}
                ->> [$ me=100]
            #rules = (turn(white; up; k; r; p; K; R; P) turn(black; down; K; R; P; k; r; p))*";
    let met = walk_text("forbidden.rbg", rules, 40, 200).expect("it is right");
    assert!(met.positions > 1000 && met.by_code == met.positions, "{met:?}");
}

/// Pieces are put at cells that two walks lead to, each to a set: moves are listed cell by cell or
/// step by step, in code and in the search alike.
#[test]
fn walks_that_meet_before_a_piece_is_put() {
    let text = "
        #players = white(100), black(100)
        #pieces = e, w, b
        #variables =
        #board = rectangle(up, down, left, right, [b, b, b] [e, e, e] [w, w, w])
        #turn(me; forward) = ->me (up* + down*) (->>* + right*) [e] (forward forward + forward) ->>
        #rules = (turn(white; up) turn(black; down))*";
    let met = walk_text("walks.rbg", text, 40, 60).expect("it is right");
    assert!(met.positions > 40 && met.by_code > 0, "{met:?}");
}
