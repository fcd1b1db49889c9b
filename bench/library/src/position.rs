use std::sync::{Arc, Mutex, PoisonError};

use pictures::{Options, Pixels, Theme};
use play::picture::Picture;
use play::{Job, Percepts, Player, Rng, Scores, Search, SearchSettings, Tally, Turn, settle};

use crate::error::{Error, ErrorKind};
use crate::game::Game;

/// A position of a game, with what led to it. Forced passes (a lone legal action that is a pass)
/// are played by themselves and are no plies.
pub struct Position {
    game: Game,
    now: Inner,
    before: Vec<Arc<Past>>,
    chance: Rng,
}

type Inner = Box<dyn play::Position>;

/// A ply of the past, which copies share.
struct Past {
    then: Mutex<Inner>,
    /// The action that was played.
    label: String,
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Position of {} after {} plies\n{}", self.game.id(), self.plies(), self.draw())
    }
}

impl Clone for Position {
    fn clone(&self) -> Position {
        Position {
            game: self.game.clone(),
            now: self.now.copy(),
            before: self.before.clone(),
            chance: self.chance.clone(),
        }
    }
}

impl Game {
    /// The initial position. What chance does there and later depends on the seed.
    pub fn open(&self, seed: u64) -> Position {
        let mut chance = Rng::stream(seed, 0);
        let mut start = self.inner().open(&mut chance);
        settle(&mut *start, &mut chance);
        Position::new(self.clone(), start, chance)
    }
}

impl Position {
    fn new(game: Game, now: Inner, chance: Rng) -> Position {
        Position { game, now, before: Vec::new(), chance }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The number of the player who chooses, from 0; `None` when the game is over.
    pub fn turn(&self) -> Option<usize> {
        match self.now.turn() {
            Turn::Over => None,
            Turn::Move(Player(player)) => Some(player.into()),
        }
    }

    /// True if the game is over by its rules.
    pub fn is_over(&self) -> bool {
        self.turn().is_none()
    }

    /// Plies since the start.
    pub fn plies(&self) -> usize {
        self.before.len()
    }

    /// The labels of the actions that led here.
    pub fn history(&self) -> impl Iterator<Item = &str> {
        self.before.iter().map(|past| past.label.as_str())
    }

    /// The number of legal actions, which are numbered from 0.
    pub fn actions(&self) -> usize {
        self.now.actions()
    }

    /// The labels of all legal actions, in the order of their numbers.
    pub fn legal(&self) -> Vec<String> {
        self.now.labels()
    }

    /// The codes of all legal actions: their places in [`Encoding::actions`](play::Encoding).
    /// `None` where the engine has no encoding of the game.
    pub fn codes(&self) -> Option<Vec<u32>> {
        self.now.codes()
    }

    /// Plays a legal action by its number.
    pub fn apply(&mut self, action: usize) -> Result<(), Error> {
        let label = self.now.label(action);
        let then = Mutex::new(self.now.copy());
        self.now.play(action, &mut self.chance)?;
        settle(&mut *self.now, &mut self.chance);
        self.before.push(Arc::new(Past { then, label }));
        Ok(())
    }

    /// Plays a legal action by its label.
    pub fn apply_label(&mut self, label: &str) -> Result<(), Error> {
        let labels = self.legal();
        match labels.iter().position(|l| l == label) {
            Some(action) => self.apply(action),
            None => Err(Error::usage(illegal(&format!("action `{label}`"), &labels))),
        }
    }

    /// Plays a legal action by its code.
    pub fn apply_code(&mut self, code: u32) -> Result<(), Error> {
        let Some(codes) = self.codes() else {
            return Err(Error::usage(format!(
                "{} has no codes of actions on {}: play by label or number",
                self.game.id(),
                self.game.engine()
            )));
        };
        match codes.iter().position(|&c| c == code) {
            Some(action) => self.apply(action),
            None => Err(Error::usage(illegal(&format!("code {code}"), &self.legal()))),
        }
    }

    /// Takes the last action back; false at the start. Chance does not draw the same again.
    pub fn undo(&mut self) -> bool {
        let Some(past) = self.before.pop() else { return false };
        self.now = past.then.lock().unwrap_or_else(PoisonError::into_inner).copy();
        true
    }

    /// The scores when the game is over: by convention 100 for a win, 50 for a draw, 0 for a loss.
    pub fn scores(&self) -> Option<Scores> {
        self.now.scores()
    }

    /// The scores as utilities, `score / 50 - 1`: 1 for a win, 0 for a draw, -1 for a loss. All 0
    /// while the game goes on.
    pub fn returns(&self) -> Vec<f64> {
        match self.scores() {
            Some(scores) => scores.iter().map(|score| f64::from(score) / 50.0 - 1.0).collect(),
            None => vec![0.0; self.game.players()],
        }
    }

    /// The percepts of a player in the last ply, in games of hidden information; else empty.
    pub fn percepts(&self, player: usize) -> &[String] {
        let player = u8::try_from(player).map_or(Player(u8::MAX), Player);
        let percepts: &Percepts = self.now.percepts();
        percepts.of(player)
    }

    /// The position drawn in text.
    pub fn draw(&self) -> String {
        self.now.draw()
    }

    /// What the position looks like, as a value: cells, what lies on them and beside the board.
    pub fn picture(&self) -> Picture {
        self.now.picture()
    }

    /// The position as SVG, with the last action marked, in the colours (light or dark) that the
    /// reader's system asks for.
    pub fn svg(&self) -> String {
        self.svg_with(&Options::default())
    }

    /// The same with these options; a title and the last action are added where they have none.
    pub fn svg_with(&self, options: &Options<'_>) -> String {
        let last = self.before.last().map(|past| past.label.as_str());
        let title = if options.title.is_empty() { self.game.id() } else { options.title };
        let options = Options { last: options.last.or(last), title, ..options.clone() };
        pictures::svg(&self.now.picture(), &options)
    }

    /// The position in pixels, so many to a row, with light colours, as a player sees it or as
    /// somebody does who sees what any player sees. Fails where the picture is too large.
    pub fn pixels(&self, width: u32, viewer: Option<Player>) -> Result<Pixels, Error> {
        let svg = self.svg_with(&Options { viewer, theme: Theme::Light, ..Options::default() });
        pictures::pixels(&svg, width).map_err(|text| Error::new(ErrorKind::TooLarge, text))
    }

    /// Writes what a player sees, as the planes of [`Encoding`](play::Encoding), into so many
    /// bytes: one for each kind and site. In games of full information that is the same for all
    /// players. False, and nothing written, where there is no encoding, no such player, or the size
    /// is another.
    pub fn planes(&self, player: usize, planes: &mut [u8]) -> bool {
        let fits = self.game.encoding().is_some_and(|e| e.plane_bytes() == planes.len());
        let seer = u8::try_from(player).ok().filter(|_| fits && player < self.game.players());
        if let Some(player) = seer {
            self.now.planes(Player(player), planes);
        }
        seer.is_some()
    }

    /// Writes what whoever chooses sees as [`Position::planes`] does, with the board turned if that
    /// is the second player: as [`Batch::turned`](crate::Batch::turned) shows it. False, and
    /// nothing of use written, where there is no such view.
    pub fn turned_planes(&self, planes: &mut [u8]) -> bool {
        let player = self.turn().unwrap_or(0);
        if !self.planes(player, planes) {
            return false;
        }
        let Some(turned) = self.game.turned() else { return false };
        if player == 1 {
            let seen = planes.to_vec();
            turned.turn_planes(&seen, planes);
        }
        true
    }

    /// The code that an action has on the board as whoever chooses sees it, see
    /// [`Position::turned_planes`], or the other way round. Where nothing is turned it is the same.
    pub fn turned_code(&self, code: u32) -> u32 {
        let is_turned = self.turn() == Some(1);
        let turned = self.game.turned().filter(|_| is_turned);
        turned.and_then(|turned| turned.actions.get(code as usize)).map_or(code, |&c| c as u32)
    }

    /// A search tree with this position at its root, grown over the engine's own states. `None` in
    /// games of chance or hidden information.
    pub fn search(&self, settings: SearchSettings) -> Option<Box<dyn Search>> {
        let seen = !self.game.facts().hidden;
        if seen { self.now.search(settings) } else { None }
    }

    /// Plays random playouts from here, which stays: those with ids from `first` on.
    pub fn rollouts(&self, first: u64, count: u64, seed: u64) -> Tally {
        let (mut tally, mut ends) = (Tally::default(), Vec::new());
        let count = count.min(u64::MAX - first);
        for job in (Job { seed, first, count, cap: self.game.cap() }).in_parts(AT_ONCE) {
            ends.clear();
            self.now.playouts(&job, &mut ends);
            job.ids().zip(&ends).for_each(|(id, &end)| tally.record(id, end));
        }
        tally
    }
}

/// Playouts whose ends are kept at a time.
const AT_ONCE: u64 = 1 << 14;

/// The message about an action that is not legal.
fn illegal(what: &str, legal: &[String]) -> String {
    match legal.len() {
        0 => format!("{what} is not legal: the game is over"),
        count => {
            let shown = legal.iter().take(12).map(String::as_str).collect::<Vec<_>>();
            let more = if count > shown.len() { ", ..." } else { "" };
            format!("{what} is not legal; expected one of {count}: {}{more}", shown.join(", "))
        }
    }
}
