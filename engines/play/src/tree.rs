//! Measures of the tree below a position: perft and fingerprints, both in the neutral view (forced
//! passes skipped).

use crate::chance::Script;
use crate::mix;
use crate::position::{Position, plies_from, settle};
use crate::scores::Turn;

/// Counts the leaves at depth 1, 2, ... `depth` plies: how many sequences of that many actions
/// there are. Sequences that end earlier count nothing. In games of chance
/// ([`Facts::chance`](crate::Facts::chance)) each outcome behind a ply is a leaf of its own; chance
/// before the first ply has the first outcome of each draw.
///
/// `None` where more than `budget` positions would have to be visited.
pub fn perft(position: &dyn Position, depth: u32, budget: u64, chance: bool) -> Option<Vec<u64>> {
    let mut counts = vec![0; depth as usize];
    let mut budget = budget;
    let mut start = position.copy();
    settle(&mut *start, &mut Script::default());
    descend(&*start, &mut counts, &mut budget, chance)?;
    Some(counts)
}

fn descend(
    position: &dyn Position,
    counts: &mut [u64],
    budget: &mut u64,
    chance: bool,
) -> Option<()> {
    let Some((first, rest)) = counts.split_first_mut() else { return Some(()) };
    // Without chance the last plies are counted, and not played.
    if rest.is_empty() && !chance {
        *first += plies_from(position) as u64;
        return Some(());
    }
    for action in 0..plies_from(position) {
        for_each_outcome(position, action, budget, |_, child, budget| {
            *budget = budget.checked_sub(1)?;
            *first += 1;
            descend(child, rest, budget, chance)
        })?;
    }
    Some(())
}

/// Visits the positions that an action can lead to, settled, each with its probability. Every draw
/// on the way to one counts against the budget: forced passes that each throw dice would otherwise
/// have outcomes without end.
fn for_each_outcome(
    position: &dyn Position,
    action: usize,
    budget: &mut u64,
    mut visit: impl FnMut(f64, &dyn Position, &mut u64) -> Option<()>,
) -> Option<()> {
    let mut script = Script::default();
    loop {
        script.rewind();
        let mut child = position.copy();
        if child.play(action, &mut script).is_err() {
            return Some(());
        }
        settle(&mut *child, &mut script);
        *budget = budget.checked_sub(script.outcomes().count() as u64)?;
        visit(script.probability(), &*child, budget)?;
        if !script.advance() {
            return Some(());
        }
    }
}

/// Hash of the game tree to `depth` plies that does not look at labels:
/// `H(position) = hash(turn, scores if over, number of actions, sorted hashes of the children)`, in
/// games of hidden information with what the players perceived on the way to the position. Equal
/// fingerprints are (but for a chance of 2^-64) equal trees to that depth, whatever the engines
/// call their actions and in which order they list them.
///
/// `None` where more than `budget` positions would have to be visited.
pub fn fingerprint(position: &dyn Position, depth: u32, budget: &mut u64) -> Option<u64> {
    let mut start = position.copy();
    settle(&mut *start, &mut Script::default());
    hash(&*start, depth, budget)
}

fn hash(position: &dyn Position, depth: u32, budget: &mut u64) -> Option<u64> {
    *budget = budget.checked_sub(1)?;
    let perceived = |h: u64| match position.percepts().bits() {
        0 => h,
        bits => mix(h ^ bits),
    };
    let Turn::Move(player) = position.turn() else {
        let scores = position.scores().map_or(0, |s| mix(0x5c0e ^ mix(s.bits())));
        return Some(perceived(scores));
    };
    let actions = plies_from(position);
    let alone = perceived(mix(u64::from(player.0) << 32 | actions as u64 | 1 << 48));
    if depth == 0 {
        return Some(alone);
    }
    Some(folded(alone, action_fingerprints_settled(position, depth, budget)?))
}

/// The fingerprint of a position from that to depth 0 and those of what its actions lead to, in any
/// order.
pub fn folded(alone: u64, mut children: Vec<u64>) -> u64 {
    children.sort_unstable();
    let fold = |h: u64, child| mix(h.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ child);
    children.into_iter().fold(alone, fold)
}

/// For each legal action of a settled position, the fingerprint to `depth - 1` plies of what it
/// leads to.
pub fn action_fingerprints(
    position: &dyn Position,
    depth: u32,
    budget: &mut u64,
) -> Option<Vec<u64>> {
    if depth == 0 {
        return Some(vec![0; plies_from(position)]);
    }
    action_fingerprints_settled(position, depth, budget)
}

fn action_fingerprints_settled(
    position: &dyn Position,
    depth: u32,
    budget: &mut u64,
) -> Option<Vec<u64>> {
    let mut all = Vec::new();
    for action in 0..plies_from(position) {
        let mut outcomes = Vec::new();
        for_each_outcome(position, action, budget, |probability, child, budget| {
            outcomes.push((hash(child, depth - 1, budget)?, probability));
            Some(())
        })?;
        all.push(match outcomes[..] {
            [(h, _)] => h,
            _ => hash_distribution(outcomes),
        });
    }
    Some(all)
}

/// Hash of a distribution over hashes: equal outcomes are put together, and probabilities compared
/// to nine digits, so that it does not matter in which steps an engine drew them.
fn hash_distribution(mut outcomes: Vec<(u64, f64)>) -> u64 {
    outcomes.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut h = 0xd1ce;
    for same in outcomes.chunk_by(|a, b| a.0 == b.0) {
        let p: f64 = same.iter().map(|&(_, p)| p).sum();
        h = mix(mix(h ^ same[0].0) ^ (p * 1e9).round() as u64);
    }
    h
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoChance;
    use crate::toy::Toy;

    fn print(tree: &str, depth: u32) -> u64 {
        let game = Toy::parse(tree).unwrap().boxed();
        fingerprint(&*game.open(&mut NoChance), depth, &mut 1000).unwrap()
    }

    #[test]
    fn fingerprints_ignore_order_and_see_everything_else() {
        let tree = "1(2(=100,0 =0,100) =50,50)";
        assert_eq!(print(tree, 9), print("1(=50,50 2(=0,100 =100,0))", 9));
        assert_ne!(print(tree, 9), print("1(=50,50 2(=0,100 =0,100))", 9), "scores");
        assert_ne!(print(tree, 9), print("1(=50,50 1(=0,100 =100,0))", 9), "who moves");
        assert_ne!(print(tree, 9), print("1(=50,50 2(=0,100 =100,0 =100,0))", 9), "multiplicity");
        assert_eq!(print(tree, 1), print("1(=50,50 2(=0,100 =0,100))", 1), "only below the depth");
    }

    #[test]
    fn forced_passes_are_skipped() {
        assert_eq!(print("1(2(=100,0 =0,100))", 5), print("1(1[2(=100,0 =0,100)])", 5));
    }

    /// One player who throws a coin after each ply and must pass until it falls on the other side.
    #[derive(Clone)]
    struct Thrower {
        waits: bool,
    }

    impl Position for Thrower {
        fn turn(&self) -> Turn {
            Turn::Move(crate::Player(0))
        }

        fn actions(&self) -> usize {
            if self.waits { 1 } else { 2 }
        }

        fn label(&self, action: usize) -> String {
            action.to_string()
        }

        fn is_pass(&self, _: usize) -> bool {
            self.waits
        }

        fn play(
            &mut self,
            _: usize,
            chance: &mut dyn crate::Chance,
        ) -> Result<(), crate::IllegalAction> {
            self.waits = chance.below(2) == 0;
            Ok(())
        }

        fn scores(&self) -> Option<crate::Scores> {
            None
        }

        fn draw(&self) -> String {
            String::new()
        }

        fn playout(&self, _: &mut crate::Rng, _: u32) -> crate::End {
            crate::End { plies: 0, ending: crate::Ending::Capped }
        }

        fn copy<'a>(&self) -> Box<dyn Position + 'a> {
            Box::new(self.clone())
        }
    }

    #[test]
    fn outcomes_without_end_are_given_up_by_budget() {
        let start = Thrower { waits: false };
        assert_eq!(fingerprint(&start, 1, &mut 100_000), None);
        assert_eq!(perft(&start, 1, 100_000, true), None);
    }

    #[test]
    fn perft_counts_leaves() {
        let game = Toy::parse("1(2(=1,0 =2,0) 1(1(=3,0) =4,0) =5,0)").unwrap().boxed();
        let start = game.open(&mut NoChance);
        assert_eq!(perft(&*start, 3, 100, false).unwrap(), [3, 4, 1]);
        assert_eq!(perft(&*start, 3, 2, false), None);
    }

    /// The second action alone asks for chance.
    #[test]
    fn outcomes_are_leaves_wherever_chance_has_a_say() {
        let game = Toy::parse("1(=1 *(=2 =3 =4))").unwrap().boxed();
        assert_eq!(perft(&*game.open(&mut NoChance), 1, 100, true).unwrap(), [4]);
    }
}
