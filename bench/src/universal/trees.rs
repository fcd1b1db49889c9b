//! Random game trees.

use play::toy::Toy;
use play::{Game, Rng};

/// A game whose tree is drawn: one to four players in any order, up to four actions, ends at any
/// depth up to six, and payoffs between -100 and 100, many of them plain wins, draws and losses.
/// The same for the same seed and id.
pub fn random_tree(seed: u64, id: u64) -> Box<dyn Game> {
    let players = 1 + (id % 4) as u32;
    let tree = grown(players, &mut Rng::stream(seed, id), 0);
    Toy::parse(&tree).expect("a tree in the words of toys").boxed()
}

const DEEPEST: u32 = 6;

/// A tree as [`Toy`] reads it. What only an end or only a choice needs is drawn at each.
fn grown(players: u32, rng: &mut Rng, depth: u32) -> String {
    let plain = rng.below(2) == 0;
    let score = |rng: &mut Rng| {
        if plain { [0, 50, 100][rng.below(3) as usize] } else { rng.below(201) as i32 - 100 }
    };
    let scores: Vec<String> = (0..players).map(|_| score(rng).to_string()).collect();
    let mover = 1 + rng.below(players);
    if depth == DEEPEST || (depth > 1 && rng.below(4) == 0) {
        return format!("={}", scores.join(","));
    }
    let actions = 1 + rng.below(4);
    let children: Vec<String> = (0..actions).map(|_| grown(players, rng, depth + 1)).collect();
    format!("{mover}({})", children.join(" "))
}
