use play::{Drawn, Game, Player, Rng, Scores, Turn, mix, settle};

use crate::{Agent, Budget, Fault, Observation, ObservedPly};

/// A game that agents played.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The percepts of the roles at the start.
    pub start: Vec<Vec<String>>,
    /// All plies.
    pub plies: Vec<Ply>,
    /// The draws of chance, in their order.
    pub chance: Vec<u32>,
    /// The scores; `None` if the game was given up at the ply cap, ended where the rules are
    /// undefined, or by a fault.
    pub scores: Option<Scores>,
    /// The fault that ended it, and whose it was.
    pub fault: Option<(Player, Fault)>,
}

/// One ply of a played game.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The player who acted.
    pub player: Player,
    /// The action.
    pub label: String,
    /// The [`digest`] of the legal actions, in games of chance in which nothing is hidden.
    pub legal: Option<String>,
    /// The percepts of each role; empty in games of full information.
    pub percepts: Vec<Vec<String>>,
    /// Simulations of the agent before it.
    pub simulations: u64,
}

/// Plays a game: agent `i` plays role `i`. Chance and agents draw from streams of `seed`; the game
/// is given up after `cap` plies.
pub fn play_out(
    game: &dyn Game,
    agents: &mut [Box<dyn Agent>],
    budget: Budget,
    seed: u64,
    cap: u32,
) -> Played {
    let facts = game.facts();
    let mut chance = Drawn::new(Rng::stream(seed, 0));
    let mut position = game.open(&mut chance);
    settle(&mut *position, &mut chance);
    let start = position.percepts().all_as_told(facts.perceiving());
    let mut played = Played { start: start.clone(), ..Played::default() };
    let mut pasts: Vec<Vec<ObservedPly>> = vec![Vec::new(); usize::from(facts.players)];
    note(&mut pasts, &start, None);
    let mut moves = Vec::new();
    while let Turn::Move(player) = position.turn() {
        let labels = position.labels();
        let role = usize::from(player.0);
        if labels.is_empty() || played.plies.len() >= cap as usize {
            break;
        }
        let obs = Observation {
            game,
            player,
            legal: &labels,
            past: &pasts[role],
            position: (!facts.hidden).then_some(&*position),
            moves: &moves,
            seed: Observation::seed_of(seed, player),
        };
        let chosen = agents[role].choose(&obs, budget);
        let choice = match chosen.and_then(|choice| choice.legal_in(&obs)) {
            Ok(choice) => choice,
            Err(fault) => {
                played.fault = Some((player, fault));
                break;
            }
        };
        if position.play(choice.action, &mut chance).is_err() {
            break;
        }
        let label = labels[choice.action].clone();
        settle(&mut *position, &mut chance);
        let percepts = position.percepts().all_as_told(facts.perceiving());
        note(&mut pasts, &percepts, Some((role, &label)));
        if !facts.hidden {
            moves.push(label.clone());
        }
        let legal = (facts.chance && !facts.hidden).then(|| digest(&labels));
        played.plies.push(Ply { player, label, legal, percepts, simulations: choice.simulations });
    }
    played.scores = position.scores();
    played.chance = chance.outcomes;
    played
}

/// A hash of labels, whatever their order: 16 hexadecimal digits that tell the legal actions of two
/// positions apart.
pub fn digest(labels: &[String]) -> String {
    let mut sorted: Vec<&String> = labels.iter().collect();
    sorted.sort_unstable();
    let of_text = |text: &String| {
        text.bytes().fold(0, |h: u64, byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    let hash = sorted.into_iter().fold(0, |hash, text| mix(mix(hash) ^ of_text(text)));
    format!("{hash:016x}")
}

/// Adds to the past of each role what it knows of a ply.
fn note(pasts: &mut [Vec<ObservedPly>], percepts: &[Vec<String>], acted: Option<(usize, &String)>) {
    for (role, past) in pasts.iter_mut().enumerate() {
        let own = acted.filter(|&(who, _)| who == role).map(|(_, label)| label.as_str());
        past.extend(ObservedPly::of(role, own, percepts));
    }
}
