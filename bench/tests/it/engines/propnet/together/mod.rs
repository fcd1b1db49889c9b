//! Two engines on one sheet, side by side.

use play::tree::fingerprint;
use play::{Game, NoChance, Position, Rng, Turn, settle};

/// Compares fingerprints to growing depths, as far as `budget` positions go; returns the depth.
pub(crate) fn same_trees(
    a: &dyn Game,
    b: &dyn Game,
    deepest: u32,
    budget: u64,
) -> Result<u32, String> {
    for depth in 1..=deepest {
        let Some(print) = fingerprint(&*a.open(&mut NoChance), depth, &mut { budget }) else {
            return Ok(depth - 1);
        };
        if fingerprint(&*b.open(&mut NoChance), depth, &mut { 2 * budget }) != Some(print) {
            return Err(format!("the trees differ at depth {depth}"));
        }
    }
    Ok(deepest)
}

fn labels(position: &dyn Position) -> Vec<(String, usize)> {
    let mut all: Vec<(String, usize)> =
        (0..position.actions()).map(|a| (position.label(a), a)).collect();
    all.sort();
    all
}

/// Walks through both games at random, by the same labels, comparing everything on the way.
/// Returns the plies walked. Not for games of chance.
pub(crate) fn walk(a: &dyn Game, b: &dyn Game, seed: u64, plies: u32) -> Result<u32, String> {
    let mut rng = Rng::stream(seed, 0);
    let (mut a, mut b) = (a.open(&mut NoChance), b.open(&mut NoChance));
    let mut path = Vec::new();
    for ply in 0..plies {
        settle(&mut *a, &mut NoChance);
        settle(&mut *b, &mut NoChance);
        let (ours, theirs) = (labels(&*a), labels(&*b));
        let names = |l: &[(String, usize)]| l.iter().map(|l| l.0.clone()).collect::<Vec<_>>();
        let seen = [a.percepts().bits(), b.percepts().bits()];
        if a.turn() != b.turn()
            || names(&ours) != names(&theirs)
            || a.scores() != b.scores()
            || seen[0] != seen[1]
        {
            return Err(format!(
                "after {path:?}: {:?} {:?} {:?} {:?} against {:?} {:?} {:?} {:?}",
                a.turn(),
                a.scores(),
                names(&ours),
                a.percepts(),
                b.turn(),
                b.scores(),
                names(&theirs),
                b.percepts()
            ));
        }
        if a.turn() == Turn::Over || ours.is_empty() {
            return Ok(ply);
        }
        let at = rng.below(ours.len() as u32) as usize;
        path.push(ours[at].0.clone());
        if a.play(ours[at].1, &mut NoChance).is_err()
            || b.play(theirs[at].1, &mut NoChance).is_err()
        {
            return Err(format!("a legal action was refused after {path:?}"));
        }
    }
    Ok(plies)
}
