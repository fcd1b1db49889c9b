//! A compiled game as the harness plays it.

use std::sync::OnceLock;

use play::automaton::{Automaton, Bounds};
use play::{Chance, Facts, Job, Mechanics, Scores, Tally, Turn};

use crate::eval::{Action, Door, Sort};
use crate::fast::Plan;
use crate::game::Game;
use crate::ir::LeafKind;
use crate::state::State;

/// A compiled game whose sites fit into `W` words.
pub(crate) struct Ludemes<const W: usize> {
    game: Game<W>,
    /// How to play it fast; `None` where moves have to be listed to find duplicates.
    plan: Option<Plan<W>>,
    /// All positions, where there are few: found by the first job that is long enough to pay for it.
    automaton: OnceLock<Option<Automaton>>,
}

/// Playouts of a job for which it is worth looking whether there are few positions.
const LONG_JOB: u64 = 1000;

/// A fraction of a second to find, and a table that stays in the cache of a core.
const SMALL_GAME: Bounds = Bounds { positions: 16_384, actions: 65_536 };

impl<const W: usize> Ludemes<W> {
    pub(crate) fn new(game: Game<W>) -> Ludemes<W> {
        let plan = (!game.overlaps && !game.eager).then(|| Plan::new(&game));
        Ludemes { game, plan, automaton: OnceLock::new() }
    }

    /// The game as an automaton, where that seems small enough to try and is.
    fn automaton(&self) -> Option<&Automaton> {
        let explore = || {
            let (sites, components) = (self.game.world.sites(), self.game.world.components.len());
            let pieces: i32 = (0..sites).map(|site| self.game.initial.count(site)).sum();
            // Pieces that are there move about, else sites are filled: so many bits, very roughly.
            let bits = match pieces {
                0 => sites as f64 * (components as f64).log2(),
                _ => f64::from(pieces) * (sites as f64).log2(),
            };
            let small = !self.game.eager && bits <= (SMALL_GAME.positions as f64).log2() + 1.0;
            small.then(|| Automaton::explore(self, State::key, SMALL_GAME)).flatten()
        };
        self.automaton.get_or_init(explore).as_ref()
    }

    /// What a move is called, whatever else is legal.
    fn plain_label(&self, action: Action) -> String {
        let site = |site: i16| match usize::try_from(site) {
            Ok(site) => self.game.world.site_label(site),
            Err(_) => String::new(),
        };
        let text = || self.game.texts.get(action.piece as usize).map_or("", String::as_str);
        match action.sort() {
            Some(Sort::Swap) => return "swap".to_owned(),
            Some(Sort::Pass) => return "pass".to_owned(),
            Some(Sort::Propose) => return format!("propose:{}", text()),
            Some(Sort::Vote) => return format!("vote:{}", text()),
            _ => {}
        }
        let two = || site(action.from) + &site(action.to);
        let Some(leaf) = self.game.leaf(action) else {
            return match action.sort() {
                None => "pass".to_owned(),
                Some(_) if action.from == action.to => site(action.from),
                Some(_) => two(),
            };
        };
        match &leaf.kind {
            LeafKind::Pass => "pass".to_owned(),
            LeafKind::Add { pieces, .. } if pieces.len() > 1 => {
                format!("{}={}", site(action.to), self.piece_name(action.piece))
            }
            LeafKind::Promote { .. } => {
                format!("{}={}", site(action.to), self.piece_name(action.piece))
            }
            LeafKind::SetNextPlayer(_) => format!("next{}", action.piece),
            _ if action.from == action.to => site(action.to),
            _ => two(),
        }
    }

    fn piece_name(&self, component: i16) -> String {
        let component = usize::try_from(component).ok();
        let component = component.and_then(|c| self.game.world.components.get(c));
        component.map_or(String::new(), |c| c.name.to_lowercase())
    }
}

impl<const W: usize> Mechanics for Ludemes<W> {
    type State = State<W>;
    type Action = Action;

    fn facts(&self) -> &Facts {
        &self.game.facts
    }

    fn initial<C: Chance + ?Sized>(&self, mut chance: &mut C) -> State<W> {
        let door = Door::new(&mut chance);
        let mut state = self.game.initial_state(Some(&door));
        if self.game.chance {
            self.game.list_distinct(&mut state, Some(&door));
        }
        state
    }

    fn expand(&self, state: &mut State<W>, legal: &mut Vec<Action>) -> Turn {
        if !self.game.eager {
            return self.game.legal(state, legal);
        }
        if state.head.over {
            return Turn::Over;
        }
        if state.made.is_empty() {
            self.game.list_distinct(state, None);
        }
        legal.extend(state.made.iter().enumerate().map(|(i, made)| Action::made(i, made)));
        let mover = self.game.chooser(state).unwrap_or(state.head.turns.mover);
        let seat = state.head.record.seats[usize::from(mover)];
        Turn::Move(play::Player(seat.saturating_sub(1)))
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut State<W>, action: Action, mut chance: &mut C) {
        if !self.game.eager {
            self.game.play(state, action);
            return;
        }
        let mut all = std::mem::take(&mut state.made);
        if action.index() >= all.len() {
            return;
        }
        let made = all.swap_remove(action.index());
        let door = Door::new(&mut chance);
        self.game.advance(state, &made, Some(&door));
        // Chance that decides what is legal falls when the turn begins.
        if self.game.chance && !state.head.over {
            self.game.list_distinct(state, Some(&door));
        }
    }

    fn scores(&self, state: &State<W>) -> Scores {
        self.game.scores_of(state)
    }

    fn label(&self, state: &State<W>, action: Action) -> String {
        let label = self.plain_label(action);
        // Different moves can go by the same sites: then the later ones are numbered.
        let mut legal = Vec::new();
        self.expand(&mut state.clone(), &mut legal);
        let before = legal.iter().take_while(|&&a| a != action);
        match before.filter(|&&a| self.plain_label(a) == label).count() {
            0 => label,
            n => format!("{label}#{}", n + 1),
        }
    }

    fn is_pass(&self, _: &State<W>, action: Action) -> bool {
        if self.game.eager { action.sort() == Some(Sort::Pass) } else { self.game.is_pass(action) }
    }

    fn draw(&self, state: &State<W>) -> String {
        crate::draw::draw(&self.game, state)
    }

    fn run(&self, job: &Job) -> Tally {
        let automaton = if job.count < LONG_JOB { None } else { self.automaton() };
        match (automaton, &self.plan) {
            (Some(automaton), _) => automaton.run(job),
            (None, Some(plan)) => plan.run(&self.game, job),
            (None, None) => play::reference::run(self, job),
        }
    }
}
