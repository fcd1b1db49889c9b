//! A network laid out for lanes: first as values, then with slots of a width.

use play::BuildFact;
use std::ops::Range;

use super::choice::{MoveSet, Planes, Seat};
use super::complement::complemented;
use super::gates::Program;
use super::lanes::{is_doubled, lanes};
use super::memory::Memories;
use super::move_groups::{MoveGroup, MoveGroups};
use super::pack::packed;
use super::segments::{
    FALSE, Gate, Places, ProgramPoint, Segment, SegmentBuilder, Signed, TRUE, Value, in_runs,
    places,
};
use super::share::{most_pairs, shared};
use super::slots::Index;
use crate::circuit::Circuit;
use crate::graph::Lit;
use crate::network::Network;
use crate::plain_evaluator::PlainEvaluator;

/// The programs and the slots of a step.
pub(crate) struct Layout<I> {
    /// From the state to what is legal, and whether it is over.
    pub(super) legal: Program<I>,
    /// From there to the goals.
    pub(super) goals: Program<I>,
    /// From the same and the moves to the next state.
    pub(super) next: Program<I>,
    /// The slot that is always true.
    pub(super) always: I,
    /// The slot that says that the playout is over, perhaps negated.
    pub(super) terminal: (I, bool),
    /// By player, what it may get besides nothing, the most first: if this holds, perhaps negated.
    pub(super) outcomes: Vec<Vec<(i32, I, bool)>>,
    /// Bases, with the numbers that states know them by.
    pub(super) bases: Vec<(I, u32)>,
    /// The bases that change, with their next values.
    pub(super) changes: Vec<Change<I>>,
    /// The sets of moves that are chosen from, with the roles that choose, in their order.
    pub(super) move_sets: Vec<MoveSet<I>>,
    /// The number of players who choose.
    pub(super) players: u32,
    /// Planes for what the roles that draw choose from, and for what is drawn.
    pub(super) bounds: Planes,
    pub(super) drawn: Planes,
    pub(super) slots: u32,
    pub(super) planes: u32,
    /// True if long jobs are played on doubled lanes.
    pub(super) doubled: bool,
    pub(super) memory: Memories,
}

/// The next value of a base.
#[derive(Clone, Copy)]
pub(super) struct Change<I> {
    pub(super) base: I,
    /// The number that states know the base by.
    pub(super) number: u32,
    /// Its next value, perhaps negated.
    pub(super) next: (I, bool),
}

impl<I: Index> Layout<I> {
    pub(super) fn new(
        sketch: &UnsizedLayout,
        network: &Network,
        plain: &PlainEvaluator,
    ) -> Layout<I> {
        let slot = |value: u32| I::of(sketch.places.slots[value as usize]);
        let signed = |(value, negated): (u32, bool)| (slot(value), negated);
        let base = |base: usize| slot(sketch.builder.base(base));
        let number = |base: usize| network.bases[base].number;
        let changes = sketch.next.iter().map(|&(changing, next)| Change {
            base: base(changing),
            number: number(changing),
            next: signed(next),
        });
        let nothing = [slot(FALSE), I::of(sketch.nowhere)];
        let mut planes = 0;
        let mut first = 0;
        let move_sets: Vec<MoveSet<I>> = sketch
            .move_groups
            .iter()
            .map(|move_group| {
                let choices = first..first + move_group.choices;
                first = choices.end;
                let does = |m: usize| {
                    if sketch.needs_does[m] { slot(sketch.builder.does(m)) } else { nothing[1] }
                };
                let pairs: Vec<(I, I)> =
                    choices.map(|m| (slot(sketch.legal[m]), does(m))).collect();
                let seat =
                    |&(player, turn): &(bool, (u32, bool))| Seat { player, turn: signed(turn) };
                let seats = move_group.seats.iter().map(seat).collect();
                let passes = move_group.passes.iter().map(|&pass| signed(pass)).collect();
                MoveSet::new(seats, &pairs, passes, nothing, &mut planes)
            })
            .collect();
        let width = move_sets.iter().map(|b| b.count().len).max().unwrap_or(0);
        let outcomes = (0..plain.roles.all.len())
            .filter(|&role| plain.roles.all[role].player.is_some())
            .map(|role| {
                let own = network.goals.iter().zip(&sketch.goals);
                let own = own.filter(|(goal, _)| goal.role == role);
                let mut own: Vec<(i32, I, bool)> =
                    own.map(|(goal, &held)| (goal.value, signed(held).0, held.1)).collect();
                own.sort_by_key(|&(value, ..)| std::cmp::Reverse(value));
                // Who reaches no goal has 0, too.
                if own.last().is_some_and(|&(least, ..)| least >= 0) {
                    own.retain(|&(value, ..)| value > 0);
                }
                own
            })
            .collect();
        let [legal, goals, next] = &sketch.segments;
        let program = |segments: &[Segment]| Program::new(segments, &sketch.places.slots);
        Layout {
            legal: program(legal),
            goals: program(goals),
            next: program(next),
            always: slot(TRUE),
            terminal: signed(sketch.terminal),
            outcomes,
            bases: (0..network.bases.len()).map(|b| (base(b), number(b))).collect(),
            changes: changes.collect(),
            players: move_sets.iter().flat_map(|b| &b.seats).filter(|s| s.player).count() as u32,
            move_sets,
            bounds: Planes::new(width, &mut planes),
            drawn: Planes::new(width, &mut planes),
            slots: sketch.places.count,
            planes,
            doubled: I::FEW && is_doubled(plain),
            memory: Memories::default(),
        }
    }

    pub(super) fn statistics(&self) -> Vec<(BuildFact, u64)> {
        let programs = [&self.legal, &self.goals, &self.next];
        vec![
            (BuildFact::BatchGates, programs.map(Program::gates).iter().sum()),
            (BuildFact::BatchOperands, programs.map(Program::operands).iter().sum()),
            (BuildFact::BatchRuns, programs.map(Program::runs).iter().sum()),
            (BuildFact::BatchSlots, u64::from(self.slots)),
            (BuildFact::BatchPlanes, u64::from(self.planes)),
            (BuildFact::BatchMoveSets, self.move_sets.len() as u64),
            (BuildFact::Lanes, lanes(self.doubled) as u64),
        ]
    }

    pub(super) fn state_bytes(&self) -> usize {
        // A bit of each slot and plane; the random stream, the id, the clock and the passes.
        (self.slots + self.planes).div_ceil(8) as usize + 32 + 8 + 4 + 4
    }
}

/// The layout before slots have numbers of a width.
pub(super) struct UnsizedLayout {
    pub(super) places: Places,
    nowhere: u32,
    builder: SegmentBuilder,
    terminal: (u32, bool),
    goals: Vec<(u32, bool)>,
    /// Bases that may change, with what they become.
    next: Vec<(usize, (u32, bool))>,
    /// By choice of all move groups, the value that says whether it is legal.
    legal: Vec<u32>,
    /// By choice, whether anything depends on it.
    needs_does: Vec<bool>,
    /// By move group, what says that there are passes to choose, and whose turn it is.
    move_groups: Vec<UnsizedGroup>,
    /// The programs: what is legal, the goals, what is next.
    segments: [Vec<Segment>; 3],
}

/// The parts of a [`MoveSet`], besides the moves.
struct UnsizedGroup {
    choices: usize,
    passes: Vec<(u32, bool)>,
    /// By role, true if it is a player, and the value that says that it has the turn.
    seats: Vec<(bool, (u32, bool))>,
}

impl UnsizedGroup {
    /// A move group; `signed` gives the value of a literal.
    fn new(move_group: &MoveGroup, signed: impl Fn(Lit) -> Signed) -> UnsizedGroup {
        let passes = move_group.choices.iter().map(|c| c.pass).filter(|&l| l != Lit::FALSE);
        UnsizedGroup {
            choices: move_group.choices.len(),
            passes: passes.map(&signed).collect(),
            seats: move_group.seats.iter().map(|s| (s.player, signed(s.turn))).collect(),
        }
    }
}

/// To count a move and to choose from it takes as long as it takes to read or write so many values.
const MOVE: usize = 7;

impl UnsizedLayout {
    /// Values that are read and written in a step, or what takes as long.
    pub(super) fn cost(&self) -> usize {
        let [legal, _, next] = &self.segments;
        let gates = legal.iter().chain(next).flat_map(Segment::gates);
        gates.map(|gate| 1 + gate.shape().width()).sum::<usize>() + MOVE * self.legal.len()
    }
}

/// Writes the programs of a network and finds places for their values.
pub(super) fn sketch(network: &Network, move_groups: MoveGroups, bytes: u64) -> UnsizedLayout {
    let (bases, moves) = (network.bases.len(), move_groups.moves());
    let choices = || move_groups.all.iter().flat_map(|move_group| &move_group.choices);
    let legal = || {
        let seats = move_groups.all.iter().flat_map(|move_group| &move_group.seats);
        let passes = choices().map(|choice| choice.pass);
        let whose = passes.chain(seats.map(|seat| seat.turn));
        std::iter::once(network.terminal).chain(choices().map(|choice| choice.legal)).chain(whose)
    };
    let goals: Vec<Lit> = network.goals.iter().map(|g| g.lit).collect();
    let for_goals = Circuit::new(&move_groups.graph, [legal().collect(), goals], bases, moves);
    let for_next = Circuit::new(
        &move_groups.graph,
        [legal().collect(), move_groups.next.clone()],
        bases,
        moves,
    );
    let lit = |circuit: &Circuit, lit: Lit| circuit.lit(lit).unwrap_or(Lit::FALSE);

    let mut builder = SegmentBuilder::new(bases, moves, most_pairs(bytes));
    let fixed = builder.values();
    let mut legal_segments = builder.section(&for_goals, for_goals.stage(0));
    let terminal = builder.signed(lit(&for_goals, network.terminal));
    let legal: Vec<u32> = choices()
        .map(|choice| {
            let signed = builder.signed(lit(&for_goals, choice.legal));
            builder.plain(signed, &mut legal_segments)
        })
        .collect();
    let sketched: Vec<UnsizedGroup> = move_groups
        .all
        .iter()
        .map(|move_group| {
            UnsizedGroup::new(move_group, |l: Lit| builder.signed(lit(&for_goals, l)))
        })
        .collect();
    let common = builder.nodes();
    let goal_segments = builder.section(&for_goals, for_goals.stage(1));
    let goals: Vec<(u32, bool)> =
        network.goals.iter().map(|g| builder.signed(lit(&for_goals, g.lit))).collect();
    builder.forget(common);
    let mut next_segments = builder.section(&for_next, for_next.stage(1));
    let next = changes(&mut builder, &for_next, &move_groups.next, &mut next_segments);

    let values = |signed: &mut dyn Iterator<Item = (u32, bool)>| -> Vec<u32> {
        signed.map(|(value, _)| value).collect()
    };
    let goal_values = values(&mut goals.iter().copied());
    let next_values = values(&mut next.iter().map(|&(_, signed)| signed));
    let read = sketched.iter().flat_map(|move_group| {
        move_group
            .passes
            .iter()
            .chain(move_group.seats.iter().map(|(_, turn)| turn))
            .map(|&(value, _)| value)
    });
    let choice: Vec<u32> = legal.iter().copied().chain([terminal.0]).chain(read).collect();
    let mut end = builder.does(0);
    let made: Vec<Range<Value>> = sketched
        .iter()
        .map(|move_group| {
            end += move_group.choices as Value;
            end - move_group.choices as Value..end
        })
        .collect();
    let read = choice.iter().chain(&goal_values).chain(&next_values).copied();
    let segments = [legal_segments, goal_segments, next_segments];
    let [legal_segments, goal_segments, next_segments] =
        reduced(segments, &made, read, &mut builder);
    let mut needed = vec![false; builder.values()];
    let gates = next_segments.iter().flat_map(Segment::gates);
    for value in gates.flat_map(Gate::values).chain(next_values.iter().copied()) {
        needed[value as usize] = true;
    }
    let points = [
        ProgramPoint::Run(&legal_segments),
        ProgramPoint::Read(&[terminal.0]),
        ProgramPoint::Run(&goal_segments),
        ProgramPoint::Read(&goal_values),
        ProgramPoint::Read(&choice),
        ProgramPoint::Run(&next_segments),
        ProgramPoint::Read(&next_values),
    ];
    let mut places = places(&points, builder.values(), fixed);
    let nowhere = places.count;
    places.count += 1;
    UnsizedLayout {
        places,
        nowhere,
        terminal,
        goals,
        next,
        legal,
        needs_does: (0..moves).map(|m| needed[builder.does(m) as usize]).collect(),
        builder,
        move_groups: sketched,
        segments: [legal_segments, goal_segments, next_segments],
    }
}

/// The same with fewer gates and in runs of one shape; `made` are the values of the moves of each
/// move group, `read` those that others read.
fn reduced(
    segments: [Vec<Segment>; 3],
    made: &[Range<Value>],
    read: impl IntoIterator<Item = Value>,
    builder: &mut SegmentBuilder,
) -> [Vec<Segment>; 3] {
    let segments = segments.map(|segments| {
        let segments = segments.into_iter().map(|segment| match segment {
            Segment::Straight(gates) => {
                let gates = complemented(gates, made, builder);
                Segment::Straight(shared(gates, builder))
            }
            closed @ Segment::Loop { .. } => closed,
        });
        segments.collect()
    });
    packed(segments, read, builder).map(in_runs)
}

/// Bases that may change, with what they become.
fn changes(
    builder: &mut SegmentBuilder,
    circuit: &Circuit,
    next: &[Lit],
    segments: &mut Vec<Segment>,
) -> Vec<(usize, Signed)> {
    let mut changes = Vec::with_capacity(next.len());
    for (base, &to) in next.iter().enumerate() {
        let signed = builder.signed(circuit.lit(to).unwrap_or(Lit::FALSE));
        if signed == (builder.base(base), false) {
            continue;
        }
        // Bases change one after another.
        let signed = if builder.is_base(signed.0) {
            (builder.copy(signed, segments), false)
        } else {
            signed
        };
        changes.push((base, signed));
    }
    changes
}
