//! The set-up of a game.

use crate::buffer::Buffer;
use crate::eval::{Around, Eval, MaybeChance, Recorder, Replayed};
use crate::game::Game;
use crate::ir::{Bool, Int, Iter, Repeats, StartRule, StartSites};
use crate::limits::MAX_SHUFFLED;
use crate::lower::Feature;
use crate::meter;
use crate::moves::Act;
use crate::state::{EMPTY, PieceValues, State};

/// Bytes that a piece in a stack takes, and its place in the record.
const OF_PIECE: usize = 64;

/// The variables that the rules around a start rule have bound.
#[derive(Clone, Copy, Default)]
struct Bound {
    site: Option<i32>,
    value: Option<i32>,
    player: Option<i32>,
}

impl Game {
    /// Runs the start rules on an empty state.
    pub(crate) fn set_up(&self, state: &mut State, chance: MaybeChance<'_>) {
        self.place_dice(state);
        for player in 1..=self.world.players {
            let first = self
                .phases
                .iter()
                .position(|p| p.owner.is_none_or(|owner| usize::from(owner) == player));
            state.head.phase[player] = first.unwrap_or(0) as u8;
        }
        for rule in &self.start {
            self.start_rule(state, rule, Bound::default(), chance);
        }
        self.begin_crossings(state);
        if matches!(self.repeats, Some(Repeats::Positional | Repeats::PositionalInTurn)) {
            let hash = state.position_hash();
            state.remember_hash(hash);
        }
        if self.has(Feature::Starts) {
            state.keep_start(&self.layout, &self.board);
        }
    }

    fn eval<'s>(&'s self, state: &'s State, bound: Bound, chance: MaybeChance<'s>) -> Eval<'s> {
        let mut eval = Eval::new(self, state).amid(Around { chance, ..Around::NOTHING });
        for (iter, value) in
            [(Iter::Site, bound.site), (Iter::Value, bound.value), (Iter::Player, bound.player)]
        {
            if let Some(value) = value {
                eval.set(iter, value);
            }
        }
        eval
    }

    fn start_rule(
        &self,
        state: &mut State,
        rule: &StartRule,
        bound: Bound,
        chance: MaybeChance<'_>,
    ) {
        if !meter::work(1) {
            return;
        }
        match rule {
            StartRule::Nothing => {}
            // Where rules do not ask for it, it is worked out when somebody looks: `start_senses`.
            StartRule::Hide(hide) if self.has(Feature::AsksHidden) => {
                let mut acts = Buffer::new();
                self.eval(state, bound, chance).hide(hide, &mut acts);
                acts.iter().for_each(|&act| state.act(&self.layout, act));
            }
            StartRule::Hide(_) => {}
            StartRule::All(rules) => {
                for rule in rules {
                    self.start_rule(state, rule, bound, chance);
                }
            }
            StartRule::Place { .. } => self.place_pieces(state, rule, bound, chance),
            StartRule::SetCount { component, count, at } => {
                let count = self.eval(state, bound, chance).small(count);
                for site in self.start_sites(state, at, bound, chance) {
                    let what = usize::from(*component);
                    let given = PieceValues::default();
                    state.change_bodies(&self.layout, [site; 2], |state| {
                        state.remove(&self.layout, site);
                        if count > 0 {
                            state.add(&self.layout, site, what, count, given);
                        }
                    });
                    record_placement(state, site);
                }
            }
            StartRule::SetScore { players, value } => {
                let value = self.eval(state, bound, chance).int(value);
                for &player in players {
                    state.set_score(usize::from(player), value);
                }
            }
            StartRule::SetVar { var, value } => {
                let value = self.eval(state, bound, chance).int(value);
                state.set_var(*var, value);
            }
            StartRule::Shuffle { .. } => self.shuffle(state, rule, bound, chance),
            StartRule::Remember { list, values, unique } => {
                let mut eval = self.eval(state, bound, chance);
                for value in eval.numbers(values) {
                    if !*unique || !state.remembered()[*list].contains(&value) {
                        state.remember(&self.layout, *list, value);
                    }
                }
            }
            StartRule::PlaceRandom { .. } => self.place_at_random(state, rule, bound, chance),
            StartRule::Deal(deal) => {
                for act in self.eval(state, bound, chance).dealt(deal) {
                    state.act(&self.layout, act);
                    if let Some((_, to)) = act.sites() {
                        record_placement(state, usize::from(to));
                    }
                }
            }
            StartRule::ForEachSite { region, condition, rule } => {
                for site in self.eval(state, bound, chance).region(region).iter() {
                    let bound = Bound { site: Some(site as i32), ..bound };
                    if self.holds(state, condition, bound, chance) {
                        self.start_rule(state, rule, bound, chance);
                    }
                }
            }
            StartRule::ForEachValue { values, rule } => {
                for value in self.eval(state, bound, chance).ints(values) {
                    self.start_rule(state, rule, Bound { value: Some(value), ..bound }, chance);
                }
            }
            StartRule::ForEachPlayer { players, rule } => {
                for player in self.eval(state, bound, chance).ints(players) {
                    self.start_rule(state, rule, Bound { player: Some(player), ..bound }, chance);
                }
            }
        }
    }

    /// Puts pieces on sites: in a stack each is an action of its own, elsewhere the count is one.
    fn place_pieces(
        &self,
        state: &mut State,
        rule: &StartRule,
        bound: Bound,
        chance: MaybeChance<'_>,
    ) {
        let StartRule::Place { components, at, count, state: local, rotation, value, stack } = rule
        else {
            return;
        };
        let mut eval = self.eval(state, bound, chance);
        let count = eval.small(count);
        let mut number = |int: &Option<Int>| int.as_ref().map(|i| eval.int(i));
        let given =
            PieceValues { state: number(local), rotation: number(rotation), value: number(value) };
        for site in self.start_sites(state, at, bound, chance) {
            for &component in components {
                // In a stack one piece is one action; elsewhere the count is.
                let times = if *stack { count } else { 1 };
                let each = if *stack || self.stacking() { 1 } else { count };
                for _ in 0..times {
                    if !(meter::work(4) && meter::bytes(OF_PIECE)) {
                        return;
                    }
                    state.place(&self.layout, site, usize::from(component), each, given);
                    record_placement(state, site);
                }
            }
        }
    }

    /// Puts shuffled pieces on a site.
    fn shuffle(&self, state: &mut State, rule: &StartRule, bound: Bound, chance: MaybeChance<'_>) {
        let StartRule::Shuffle { pieces, site, state: local, value } = rule else { return };
        let mut eval = self.eval(state, bound, chance);
        let mut number = |int: &Option<Int>| int.as_ref().map(|i| eval.int(i));
        let given = PieceValues { state: number(local), rotation: None, value: number(value) };
        let Some(site) = eval.site(site) else { return };
        let mut all: Buffer<u16> = Buffer::new();
        for (component, count) in pieces {
            let count = eval.int(count).clamp(0, MAX_SHUFFLED) as usize;
            all.extend(std::iter::repeat_n(*component, count));
        }
        for left in (1..=all.len() as u32).rev() {
            if !(meter::work(1 + u64::from(left) / 64) && meter::bytes(OF_PIECE)) {
                return;
            }
            let at = chance.map_or(0, |l| l.below(left).min(left - 1)) as usize;
            let component = usize::from(all.remove(at));
            state.place(&self.layout, site, component, 1, given);
            record_placement(state, site);
        }
    }

    /// Puts pieces on empty sites that are drawn.
    fn place_at_random(
        &self,
        state: &mut State,
        rule: &StartRule,
        bound: Bound,
        chance: MaybeChance<'_>,
    ) {
        let StartRule::PlaceRandom { components, region, count, state: local, value } = rule else {
            return;
        };
        let mut eval = self.eval(state, bound, chance);
        let mut number = |int: &Option<Int>| int.as_ref().map(|i| eval.int(i));
        let given = PieceValues { state: number(local), rotation: None, value: number(value) };
        for &component in components {
            let region = self.eval(state, bound, chance).region(region);
            let mut free = region & state.set(EMPTY);
            // How many there are is asked again before each.
            let mut placed = 0;
            while !free.is_empty() && placed < self.eval(state, bound, chance).int(count) {
                placed += 1;
                let rank = chance.map_or(0, |l| l.below(free.len()).min(free.len() - 1));
                let Some(site) = free.nth(rank) else { break };
                free.remove(site);
                state.place(&self.layout, site, usize::from(component), 1, given);
                // It may cover more sites than its own.
                free &= state.set(EMPTY);
                record_placement(state, site);
            }
        }
    }

    /// The actions by which the start rules hide sites, in a state in which all pieces have been
    /// placed.
    pub(crate) fn start_hides(&self, state: &State) -> Buffer<Act> {
        let mut acts = Buffer::new();
        for rule in &self.start {
            self.hides_in(state, rule, Bound::default(), &mut acts);
        }
        acts
    }

    fn hides_in(&self, state: &State, rule: &StartRule, bound: Bound, acts: &mut Buffer<Act>) {
        match rule {
            StartRule::Hide(hide) => self.eval(state, bound, None).hide(hide, acts),
            StartRule::All(rules) => {
                rules.iter().for_each(|rule| self.hides_in(state, rule, bound, acts));
            }
            StartRule::ForEachSite { region, condition, rule } => {
                for site in self.eval(state, bound, None).region(region).iter() {
                    let bound = Bound { site: Some(site as i32), ..bound };
                    if self.holds(state, condition, bound, None) {
                        self.hides_in(state, rule, bound, acts);
                    }
                }
            }
            StartRule::ForEachValue { values, rule } => {
                for value in self.eval(state, bound, None).ints(values) {
                    self.hides_in(state, rule, Bound { value: Some(value), ..bound }, acts);
                }
            }
            StartRule::ForEachPlayer { players, rule } => {
                for player in self.eval(state, bound, None).ints(players) {
                    self.hides_in(state, rule, Bound { player: Some(player), ..bound }, acts);
                }
            }
            _ => {}
        }
    }

    fn holds(
        &self,
        state: &State,
        condition: &Bool,
        bound: Bound,
        chance: MaybeChance<'_>,
    ) -> bool {
        self.eval(state, bound, chance).test(condition)
    }

    fn start_sites(
        &self,
        state: &State,
        at: &StartSites,
        bound: Bound,
        chance: MaybeChance<'_>,
    ) -> Buffer<usize> {
        let mut eval = self.eval(state, bound, chance);
        match at {
            StartSites::List(list) => list.iter().filter_map(|s| eval.site(s)).collect(),
            StartSites::Region(region) => eval.region(region).iter().collect(),
            StartSites::FirstEmpty(region) => {
                (eval.region(region) & state.set(EMPTY)).first().into_iter().collect()
            }
        }
    }
}

impl Game {
    /// Puts the dice where they lie, each showing its first face.
    fn place_dice(&self, state: &mut State) {
        let Some(dice) = &self.world.dice else { return };
        for (die, faces) in dice.faces.iter().enumerate() {
            state.add(
                &self.layout,
                dice.first + die,
                dice.component + die,
                1,
                PieceValues::default(),
            );
            state.set_die(die, faces.first().copied().unwrap_or(0));
        }
        self.sum_dice(state);
    }

    /// True if an empty state is set up by lot. What draws no lots does so never: nothing else can
    /// differ.
    pub(crate) fn draws_to_set_up(&self, blank: &State) -> bool {
        let (mut state, mut draws) = (blank.clone(), Vec::new());
        let first = Replayed::new(&[], None);
        self.set_up(&mut state, Some(&Recorder::new(&first, &mut draws)));
        !draws.is_empty()
    }

    /// A state to start a playout from.
    pub(crate) fn initial_state(&self, chance: MaybeChance<'_>) -> State {
        let mut state = self.initial.clone();
        if self.is_random_start() {
            self.restart(&mut state, chance);
        }
        state
    }

    /// Makes a state one to start a playout from.
    pub(crate) fn restart(&self, state: &mut State, chance: MaybeChance<'_>) {
        match &self.blank {
            Some(blank) => {
                state.clone_from(blank);
                self.set_up(state, chance);
            }
            None => state.clone_from(&self.initial),
        }
    }
}

/// Enters a piece of the set-up into the record, where it is a move of nobody.
fn record_placement(state: &mut State, site: usize) {
    state.history.push(0);
    let site = site as i16;
    (state.head.last_from, state.head.last_to) = (site, site);
    (state.head.record.from_after, state.head.record.to_after) = (site, site);
}
