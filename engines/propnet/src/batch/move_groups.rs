//! Groups of moves that are counted together: those of a role, or those of two roles that take
//! turns.
//!
//! In most games always one of two roles has the turn, and the other one has to pass. Then their
//! moves share a move set: its first move is the first one of whoever has the turn, and so on. That
//! halves what has to be counted and chosen from, and the draws are the same.

use rustc_hash::FxHashMap;

use super::fold::Fold;
use crate::circuit::Circuit;
use crate::graph::{Graph, Lit, Node};
use crate::implied::{Cofactor, implied};
use crate::network::Network;
use crate::plain_evaluator::Roles;

/// A network whose moves are the choices of move groups.
pub(super) struct MoveGroups {
    pub(super) graph: Graph,
    pub(super) all: Vec<MoveGroup>,
    /// By base, its next value.
    pub(super) next: Vec<Lit>,
}

/// A set of moves that are drawn from together.
pub(super) struct MoveGroup {
    /// In the order of drawing. The moves of the graph are those of all move groups in their order.
    pub(super) choices: Vec<Choice>,
    pub(super) seats: Vec<Seat>,
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    pub(super) legal: Lit,
    /// True if it is legal and only hands on the turn.
    pub(super) pass: Lit,
}

/// A role of a move group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seat {
    /// True if the role is a player rather than nature.
    pub(super) player: bool,
    /// True while the role chooses from the move group.
    pub(super) turn: Lit,
}

/// Consequences of a move's legality that are looked at.
const LOOK: usize = 64;

impl MoveGroups {
    /// The possible divisions of the moves into groups: a move group for each role, and if two
    /// roles take turns, also one move group for both.
    pub(super) fn ways(network: &Network) -> Vec<MoveGroups> {
        let roles = Roles::new(network);
        let shared = MoveGroups::in_turn(network, &roles);
        shared.into_iter().chain([MoveGroups::by_role(network, &roles)]).collect()
    }

    /// Number of moves.
    pub(super) fn moves(&self) -> usize {
        self.all.iter().map(|move_group| move_group.choices.len()).sum()
    }

    /// A move group for each role.
    fn by_role(network: &Network, roles: &Roles) -> MoveGroups {
        let move_groups = roles.all.iter().map(|role| {
            let choices = network.moves[role.moves.start as usize..role.moves.end as usize].iter();
            let choices = choices.map(|m| Choice {
                legal: m.legal,
                pass: if m.pass { m.legal } else { Lit::FALSE },
            });
            let seat = Seat { player: role.player.is_some(), turn: Lit::TRUE };
            MoveGroup { choices: choices.collect(), seats: vec![seat] }
        });
        MoveGroups {
            all: move_groups.collect(),
            graph: network.graph.clone(),
            next: network.bases.iter().map(|base| base.next).collect(),
        }
    }

    /// One move group for two players who take turns; `None` where that is not known of them.
    fn in_turn(network: &Network, roles: &Roles) -> Option<MoveGroups> {
        let [one, other] = &roles.all[..] else { return None };
        one.player.and(other.player)?;
        let roles = [one, other].map(|role| role.moves.clone());
        let mut graph = network.graph.clone();
        let legal = |m: u32| network.moves[m as usize].legal;
        let is_pass = |m: u32| network.moves[m as usize].pass;
        // What all moves of a role imply, passes apart.
        let common = roles.clone().map(|moves| {
            let mut acts = moves.filter(|&m| !is_pass(m));
            let mut common = acts.next().map(|m| implied(&graph, legal(m), LOOK));
            for m in acts {
                let all = implied(&graph, legal(m), LOOK);
                common.iter_mut().for_each(|c| c.retain(|l| all.binary_search(l).is_ok()));
            }
            common.unwrap_or_default()
        });
        let [mine, theirs] = &common;
        for &turn in mine.iter().filter(|&&l| theirs.binary_search(&!l).is_ok()) {
            let turns = [turn, !turn];
            // By role, the pass that it is left with while it does not have the turn.
            let mut waits = [None, None];
            for ((moves, turn), waits) in roles.iter().zip(turns).zip(&mut waits) {
                let mut without = Cofactor::new(&[!turn]);
                let mut left = moves
                    .clone()
                    .filter(|&m| is_pass(m) && without.of(&mut graph, legal(m)) != Lit::FALSE);
                let pass = left.next().filter(|_| left.next().is_none());
                drop(left);
                *waits = pass.filter(|&m| without.of(&mut graph, legal(m)) == Lit::TRUE);
            }
            if let [Some(first), Some(second)] = waits {
                let merged = [true, false].map(|deep| {
                    merged(network, graph.clone(), &roles, turns, [first, second], deep)
                });
                return merged
                    .into_iter()
                    .flatten()
                    .min_by_key(|move_groups| move_groups.gates(network));
            }
        }
        None
    }

    /// The number of gates that it takes, roughly.
    fn gates(&self, network: &Network) -> usize {
        let choices = self.all.iter().flat_map(|move_group| &move_group.choices);
        let roots = choices.flat_map(|choice| [choice.legal, choice.pass]);
        let roots = roots.chain(self.next.iter().copied());
        Circuit::new(&self.graph, [roots], network.bases.len(), self.moves()).small_gates()
    }
}

/// Two roles as one: each has the turn while its literal of `turns` holds, and otherwise nothing
/// but one of `waits`. What both sides have in common is looked for only at the top unless `deep`.
fn merged(
    network: &Network,
    mut graph: Graph,
    roles: &[std::ops::Range<u32>; 2],
    turns: [Lit; 2],
    waits: [u32; 2],
    deep: bool,
) -> Option<MoveGroups> {
    // By role, the moves that it may have in its turn.
    let mut own: [Vec<(u32, Lit)>; 2] = Default::default();
    for ((moves, &turn), own) in roles.iter().zip(&turns).zip(&mut own) {
        let mut within = Cofactor::new(&[turn]);
        let lits =
            moves.clone().map(|m| (m, within.of(&mut graph, network.moves[m as usize].legal)));
        *own = lits.filter(|&(_, lit)| lit != Lit::FALSE).collect();
    }
    let size = own[0].len().max(own[1].len());
    let mut choices = Vec::with_capacity(size);
    let mut fold = Fold::new(turns[0], deep);
    let mut made = Made { turns, chosen: FxHashMap::default(), waits, waiting: [Lit::FALSE; 2] };
    for at in 0..size {
        let chosen = graph.does(at as u32);
        let mut choice = [Lit::FALSE; 2];
        let mut pass = [Lit::FALSE; 2];
        for role in 0..2 {
            let Some(&(action, lit)) = own[role].get(at) else { continue };
            choice[role] = lit;
            made.chosen.insert(action, (chosen, role));
            if network.moves[action as usize].pass {
                pass[role] = lit;
            }
        }
        let [legal, pass] =
            [choice, pass].map(|[first, second]| fold.either(&mut graph, first, second));
        choices.push(Choice { legal, pass });
    }
    for role in 0..2 {
        let chosen = made.in_turn(&mut graph, waits[role]);
        made.waiting[role] = graph.or([chosen, !turns[role]]);
    }
    let next = rewritten(network, &mut graph, &made)?;
    let seats = turns.map(|turn| Seat { player: true, turn }).to_vec();
    Some(MoveGroups { graph, all: vec![MoveGroup { choices, seats }], next })
}

/// The moves of two roles that take turns in terms of the choices that they share.
struct Made {
    turns: [Lit; 2],
    /// By move, the choice and the role, if it may be made in the role's turn.
    chosen: FxHashMap<u32, (Lit, usize)>,
    /// By role, the move that it makes out of turn, and what says that it is made.
    waits: [u32; 2],
    waiting: [Lit; 2],
}

impl Made {
    /// The literal that a move is made in the turn of its role.
    fn in_turn(&self, graph: &mut Graph, action: u32) -> Lit {
        let Some(&(chosen, role)) = self.chosen.get(&action) else { return Lit::FALSE };
        graph.and([chosen, self.turns[role]])
    }

    /// The literal that a move is made.
    fn lit(&self, graph: &mut Graph, action: u32) -> Lit {
        match self.waits.iter().position(|&wait| wait == action) {
            Some(role) => self.waiting[role],
            None => self.in_turn(graph, action),
        }
    }

    /// Literals that all hold if none of these moves is made. The turn is asked for once for all
    /// moves of a role, and not at all if a choice counts for both roles.
    fn none(&self, graph: &mut Graph, actions: &[u32]) -> Vec<Lit> {
        let mut all = Vec::new();
        let mut chosen: [Vec<Lit>; 2] = Default::default();
        for &action in actions {
            match self.chosen.get(&action) {
                Some(&(choice, role)) if !self.waits.contains(&action) => chosen[role].push(choice),
                _ => all.push(!self.lit(graph, action)),
            }
        }
        chosen.iter_mut().for_each(|chosen| chosen.sort_unstable());
        let [one, other] = &chosen;
        let both: Vec<Lit> =
            one.iter().filter(|l| other.binary_search(l).is_ok()).copied().collect();
        for (chosen, turn) in chosen.iter_mut().zip(self.turns) {
            chosen.retain(|l| both.binary_search(l).is_err());
            if !chosen.is_empty() {
                let any = graph.or(chosen.iter().copied());
                all.push(!graph.and([any, turn]));
            }
        }
        all.extend(both.into_iter().map(|l| !l));
        all
    }
}

/// The next values of all bases in terms of the choices. `None` where loops depend on moves.
fn rewritten(network: &Network, graph: &mut Graph, made: &Made) -> Option<Vec<Lit>> {
    let mut found: FxHashMap<u32, Lit> = FxHashMap::default();
    for node in 0..network.graph.len() as u32 {
        match network.graph.node(node) {
            Node::Does(action) => {
                let lit = made.lit(graph, action);
                found.insert(node, lit);
            }
            Node::And(inputs) if inputs.iter().any(|l| found.contains_key(&l.node())) => {
                let mut not_made = Vec::new();
                let mut all = Vec::with_capacity(inputs.len());
                for &lit in inputs {
                    match network.graph.node(lit.node()) {
                        Node::Does(action) if lit.is_negative() => not_made.push(action),
                        _ => all.push(
                            found.get(&lit.node()).map_or(lit, |to| to.flip(lit.is_negative())),
                        ),
                    }
                }
                all.extend(made.none(graph, &not_made));
                found.insert(node, graph.and(all));
            }
            _ => {}
        }
    }
    // Definitions lead upwards, so a loop that depends on moves shows only now.
    for node in 0..network.graph.len() as u32 {
        if let Node::Feedback(feedback) = network.graph.node(node)
            && found.contains_key(&network.graph.definition(feedback).node())
        {
            return None;
        }
    }
    let next = network.bases.iter().map(|base| {
        found.get(&base.next.node()).map_or(base.next, |to| to.flip(base.next.is_negative()))
    });
    Some(next.collect())
}

#[cfg(test)]
mod tests {
    use ::play::Limits;

    use super::*;
    use crate::passes::{Reduced, reduce};

    fn reduced(rules: &str) -> Reduced {
        let program = gdl::check(&text::Source::new("t.kif", rules)).program.expect("sound");
        let ground = gdl::ground::ground(&program, &Limits::default()).expect("small");
        reduce(Network::of_program(&ground.program), u64::MAX)
    }

    #[test]
    fn players_in_turn_share_a_move_set() {
        let reduced = reduced(include_str!("../../tests/marks.kif"));
        let move_groups = MoveGroups::in_turn(&reduced.network, &Roles::new(&reduced.network))
            .expect("they take turns");
        let [move_group] = &move_groups.all[..] else { panic!("one move set for both") };
        // The five odd cells and the pass share places with cells of the other one.
        assert_eq!((move_group.choices.len(), move_group.seats.len()), (9, 2));
        assert_eq!(move_group.seats[0].turn, !move_group.seats[1].turn);
        assert_eq!(move_group.choices.iter().filter(|c| c.pass != Lit::FALSE).count(), 1);
    }

    #[test]
    fn others_have_move_sets_of_their_own() {
        for rules in [
            // At the same time.
            "(role a) (role b) (legal a x) (legal a y) (legal b x) (legal b y)
             (<= (next (on ?m)) (does a ?m)) (<= terminal (true (on x)))
             (goal a 50) (goal b 50)",
            // One may act at any time.
            "(role a) (role b) (init (turn a)) (legal a x) (legal a y)
             (<= (legal b x) (true (turn b))) (<= (legal b y) (true (turn b)))
             (<= (legal b noop) (true (turn a)))
             (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
             (<= (next (on ?m)) (does a ?m) (does b x)) (<= terminal (true (on x)))
             (goal a 50) (goal b 50)",
        ] {
            let reduced = reduced(rules);
            let ways = MoveGroups::ways(&reduced.network);
            let [move_groups] = &ways[..] else { panic!("no turns") };
            assert!(move_groups.all.iter().all(|move_group| move_group.seats.len() == 1));
            assert_eq!(move_groups.all.len(), 2);
        }
    }
}
