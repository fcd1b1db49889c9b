//! Tests of the encodings of all modules.

use play::kit::{self, Effort};
use play::{
    Encoding, Engine, Game, Language, Limits, NoChance, Player, Position, Rng, Rules, Turn,
};
use play::{Turned, settle};

use crate::modules::{MODULES, SET_UP};
use crate::{BitboardEngine, Level};

fn game(text: &str) -> Box<dyn Game> {
    let rules = Rules::new(Language::Bitboard, "game", text);
    let compiled = BitboardEngine::on(Level::PORTABLE).compile(&rules, &Limits::default());
    compiled.unwrap_or_else(|error| panic!("{text}: {error:?}")).game
}

#[test]
fn every_module_has_codes_that_the_kit_finds_no_fault_with() {
    for module in MODULES {
        let game = game(module.name);
        let encoding = game.encoding().unwrap_or_else(|| panic!("{} has none", module.name));
        assert!(!encoding.open, "{}", module.name);
        let effort = Effort { walks: 2, playouts: 20, ..Effort::default() };
        let faults = kit::check(&*game, &effort).faults;
        assert!(faults.is_empty(), "{}: {faults:#?}", module.name);
    }
}

/// What lies where, as the first player sees it.
fn planes(position: &dyn Position, encoding: &Encoding) -> Vec<u8> {
    let mut planes = vec![0; encoding.plane_bytes()];
    position.planes(Player(0), &mut planes);
    planes
}

/// The same with the board turned and the players exchanged.
fn turned_planes(planes: &[u8], encoding: &Encoding, turned: &Turned) -> Vec<u8> {
    let (sites, mut out) = (encoding.sites.len(), vec![0; planes.len()]);
    for (byte, &there) in planes.iter().enumerate() {
        out[turned.kinds[byte / sites] * sites + turned.sites[byte % sites]] = there;
    }
    out
}

/// The start of a game as rows from the top, with the second player to move.
fn rows(name: &str, game: &dyn Game) -> String {
    match name {
        "chess" | "skirmish-8x8" => {
            return "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1".to_owned();
        }
        "english-draughts" => {
            return ".w.w.w.w/w.w.w.w./.w.w.w.w/......../......../b.b.b.b./.b.b.b.b/b.b.b.b. 1"
                .to_owned();
        }
        _ => {}
    }
    let encoding = game.encoding().expect("it has codes");
    let grid = encoding.grid().expect("it has a grid");
    let planes = planes(&*game.open(&mut NoChance), &encoding);
    let sign = |cell: usize| {
        let site = grid.cells.iter().position(|&known| known == Some(cell))?;
        let on_site = |kind: &usize| planes[kind * encoding.sites.len() + site] == 1;
        (0..encoding.kinds.len()).find(on_site).map(|kind| encoding.kinds[kind].as_str())
    };
    let row = |rank| (0..grid.width).map(|f| sign(rank * grid.width + f).unwrap_or(".")).collect();
    let rows: Vec<String> = (0..grid.height).rev().map(row).collect();
    format!("{} 1", rows.join("/"))
}

/// Games in which men are put in turn from the first player on, so that the second player can begin
/// none.
const IN_TURN: [&str; 3] = ["dara", "nine-mens-morris", "three-mens-morris"];

/// A game that the second player begins, with turned codes, is the same game.
#[test]
fn turned_boards_play_alike() {
    let mut checked = Vec::new();
    for set_up in SET_UP.iter().filter(|set_up| !IN_TURN.contains(&set_up.name)) {
        let first = game(set_up.name);
        let encoding = first.encoding().expect("it has codes");
        let Some(turned) = encoding.turned() else {
            assert_eq!(encoding.symmetry, None, "{} cannot be turned as it says", set_up.name);
            continue;
        };
        let second = game(&format!("{} {}", set_up.name, rows(set_up.name, &*first)));
        for seed in 0..20 {
            let (mut one, mut other) = (first.open(&mut NoChance), second.open(&mut NoChance));
            let mut rng = Rng::stream(seed, 0);
            for _ in 0..80 {
                settle(&mut *one, &mut NoChance);
                settle(&mut *other, &mut NoChance);
                let name = format!("{} after\n{}\n{}", set_up.name, one.draw(), other.draw());
                let seen = planes(&*one, &encoding);
                let seen_there = planes(&*other, &encoding);
                assert_eq!(turned_planes(&seen, &encoding, &turned), seen_there, "{name}");
                let Turn::Move(Player(mover)) = one.turn() else {
                    let scores =
                        |p: &dyn Position| p.scores().map(|s| s.iter().collect::<Vec<_>>());
                    let swapped = scores(&*other).map(|s| s.into_iter().rev().collect());
                    assert_eq!(scores(&*one), swapped, "{name}");
                    break;
                };
                assert_eq!(other.turn(), Turn::Move(Player(1 - mover)), "{name}");
                let codes = one.codes().expect("it has codes");
                let there = other.codes().expect("it has codes");
                let code = |code: &u32| turned.actions[*code as usize] as u32;
                let mut sorted: [Vec<u32>; 2] = [codes.iter().map(code).collect(), there.clone()];
                sorted.iter_mut().for_each(|codes| codes.sort_unstable());
                assert_eq!(sorted[0], sorted[1], "{name}");
                let action = rng.below(codes.len() as u32) as usize;
                let same = there.iter().position(|c| *c == code(&codes[action])).expect("legal");
                one.play(action, &mut NoChance).expect("legal");
                other.play(same, &mut NoChance).expect("legal");
            }
        }
        checked.push(set_up.name);
    }
    assert!(checked.len() > 12, "{checked:?}");
}
