//! Following a recorded game on an engine, ply by ply.

use std::fmt;

use play::{Chance, Game, Position, Rng, Script, Turn, settle};

use super::{End, Header, Trial};

/// Transitions that the search for outcomes of chance may try in one trial: half of them drawn, the
/// rest in order.
const SEARCH: u32 = 50_000;

/// Most outcomes that are drawn for one transition before the search begins anew.
const TRIES: f64 = 4096.0;

/// The result of replaying a trial on an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Every turn, label, percept and the scores are the same.
    Agrees,
    /// Something differs.
    Differs(Difference),
    /// The engine draws chance otherwise, and what it would have to draw was not found; the reason.
    NotFollowed(String),
}

/// The first point at which a game differs from its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Plies before it.
    pub plies: usize,
    /// The value in the record.
    pub recorded: String,
    /// The value of the engine.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.plies {
            0 => "at the start".to_owned(),
            plies => format!("after ply {plies}"),
        };
        write!(f, "{place}: the record says {}, the engine {}", self.recorded, self.found)
    }
}

/// A followed trial.
pub struct Followed<'g> {
    /// The result.
    pub agreement: Agreement,
    /// The positions, the initial one first, as far as it could be followed.
    pub positions: Vec<Box<dyn Position + 'g>>,
}

/// Plays a trial again. Chance draws what the record says, which holds for the engine that recorded
/// it: `drawn`. On others that may fit as well, or else outcomes are searched for that fit labels
/// and percepts. The positions are kept where the caller asks for them: long games of large states
/// fill the memory.
pub fn follow<'g>(
    game: &'g dyn Game,
    header: &Header,
    trial: &Trial,
    drawn: bool,
    keep: bool,
) -> Followed<'g> {
    let facts = game.facts();
    if facts.players != header.players {
        let difference = Difference {
            plies: 0,
            recorded: format!("{} players", header.players),
            found: format!("{}", facts.players),
        };
        return Followed { agreement: Agreement::Differs(difference), positions: Vec::new() };
    }
    let mut walk =
        Walk { game, header, trial, keep, left: SEARCH, positions: Vec::new(), furthest: None };
    let by_record = walk.by_record();
    if drawn || !facts.chance || by_record == Agreement::Agrees {
        return Followed { agreement: by_record, positions: walk.positions };
    }
    let found = walk.draw() || walk.search();
    let agreement = if found {
        Agreement::Agrees
    } else if walk.left == 0 {
        Agreement::NotFollowed(format!(
            "it draws chance in an order of its own, and among {SEARCH} outcomes none fits the \
             record"
        ))
    } else {
        walk.furthest.map_or_else(
            || Agreement::NotFollowed("no outcome of chance fits".to_owned()),
            Agreement::Differs,
        )
    };
    Followed { agreement, positions: walk.positions }
}

struct Walk<'g, 't> {
    game: &'g dyn Game,
    header: &'t Header,
    trial: &'t Trial,
    /// True if positions before the last are wanted.
    keep: bool,
    /// Transitions that may still be tried.
    left: u32,
    positions: Vec<Box<dyn Position + 'g>>,
    /// The difference after the most plies, among all outcomes that were tried.
    furthest: Option<Difference>,
}

impl<'g> Walk<'g, '_> {
    fn by_record(&mut self) -> Agreement {
        let mut chance = Recorded { drawn: &self.trial.chance, at: 0, wrong: None };
        let mut agreement = Agreement::Agrees;
        for plies in 0..=self.trial.plies.len() {
            let Some(position) = self.step(plies, &mut chance) else { break };
            let difference = match chance.wrong.take() {
                Some(found) => {
                    Some(Difference { plies, recorded: "what chance drew".to_owned(), found })
                }
                None => self.differs(plies, &*position),
            };
            if !self.keep {
                self.positions.clear();
            }
            self.positions.push(position);
            if let Some(difference) = difference {
                agreement = Agreement::Differs(difference);
                break;
            }
        }
        if agreement == Agreement::Agrees && chance.at < self.trial.chance.len() {
            agreement = Agreement::Differs(Difference {
                plies: self.trial.plies.len(),
                recorded: format!("{} draws of chance", self.trial.chance.len()),
                found: format!("made {}", chance.at),
            });
        }
        agreement
    }

    /// Draws outcomes of each step until one fits, and begins anew where none seems to: what fits
    /// the whole record is often one of very many starts, which come in no order.
    fn draw(&mut self) -> bool {
        let mut rng = Rng::stream(self.trial.seed, 1);
        while self.left > SEARCH / 2 {
            self.positions.clear();
            for plies in 0..=self.trial.plies.len() {
                if !self.draw_step(plies, &mut rng) {
                    break;
                }
                if plies == self.trial.plies.len() {
                    return true;
                }
            }
        }
        false
    }

    fn draw_step(&mut self, plies: usize, rng: &mut Rng) -> bool {
        let mut tries = 0.0;
        loop {
            let mut chance = Drawing { rng, outcomes: 1.0 };
            let position = self.step(plies, &mut chance);
            let most = (8.0 * chance.outcomes).min(TRIES);
            if self.fits(plies, position) {
                return true;
            }
            (self.left, tries) = (self.left.saturating_sub(1), tries + 1.0);
            if most <= 8.0 || tries >= most || self.left <= SEARCH / 2 {
                return false;
            }
        }
    }

    /// Keeps a position that fits the record after so many plies.
    fn fits(&mut self, plies: usize, position: Option<Box<dyn Position + 'g>>) -> bool {
        let Some(position) = position else { return false };
        match self.differs(plies, &*position) {
            None => {
                self.positions.push(position);
                true
            }
            Some(difference) => {
                if self.furthest.as_ref().is_none_or(|furthest| furthest.plies <= plies) {
                    self.furthest = Some(difference);
                }
                false
            }
        }
    }

    /// Depth first over all outcomes of chance that fit; without recursion, since records may be
    /// long.
    fn search(&mut self) -> bool {
        let mut scripts = vec![Script::default()];
        while let Some(script) = scripts.last_mut() {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            script.rewind();
            let plies = scripts.len() - 1;
            self.positions.truncate(plies);
            let script = &mut scripts[plies];
            let position = self.step(plies, script);
            if self.fits(plies, position) {
                if plies == self.trial.plies.len() {
                    return true;
                }
                scripts.push(Script::default());
                continue;
            }
            while scripts.last_mut().is_some_and(|script| !script.advance()) {
                scripts.pop();
            }
        }
        false
    }

    /// The position after so many plies, from the one before.
    fn step(&self, plies: usize, chance: &mut dyn Chance) -> Option<Box<dyn Position + 'g>> {
        let mut position = match plies.checked_sub(1) {
            None => self.game.open(chance),
            Some(before) => {
                let label = &self.trial.plies[before].label;
                let before = self.positions.last()?;
                let action = before.labels().iter().position(|l| l == label)?;
                let mut position = before.copy();
                position.play(action, chance).ok()?;
                position
            }
        };
        settle(&mut *position, chance);
        Some(position)
    }

    /// The difference in the position after so many plies: percepts, who is to act, whether the
    /// recorded action is legal, the scores.
    fn differs(&self, plies: usize, position: &dyn Position) -> Option<Difference> {
        let differ = |recorded: String, found: String| Some(Difference { plies, recorded, found });
        if self.header.hidden {
            let recorded = match plies.checked_sub(1) {
                None => &self.trial.start,
                Some(before) => &self.trial.plies[before].percepts,
            };
            let found = position.percepts().all(self.header.players);
            for (player, (recorded, found)) in (1..).zip(recorded.iter().zip(&found)) {
                let mut recorded = recorded.clone();
                recorded.sort_unstable();
                if recorded != *found {
                    return differ(
                        format!("that player {player} perceives {}", listed(&recorded)),
                        listed(found),
                    );
                }
            }
        }
        let turn = match position.turn() {
            Turn::Over => None,
            Turn::Move(player) => Some(player.0),
        };
        if let Some(ply) = self.trial.plies.get(plies) {
            if turn != Some(ply.player) {
                return differ(format!("that player {} acts", ply.player + 1), whose(turn));
            }
            let labels = position.labels();
            if !labels.contains(&ply.label) {
                let legal = labels.len();
                return differ(
                    format!("{:?}", ply.label),
                    format!("that this is none of its {legal} legal actions"),
                );
            }
            if ply.legal.as_ref().is_some_and(|legal| *legal != agents::digest(&labels)) {
                return differ(
                    "other legal actions".to_owned(),
                    format!("the {} actions {}", labels.len(), labels.join(" ")),
                );
            }
            return None;
        }
        let found = position.scores().map(|scores| scores.iter().collect::<Vec<i32>>());
        match (self.trial.end, turn) {
            (End::Over, Some(_)) => differ("that the game is over".to_owned(), whose(turn)),
            (End::Over, None) if found != self.trial.scores => {
                differ(scored(self.trial.scores.as_ref()), scored(found.as_ref()))
            }
            (End::Cap | End::Stuck | End::Fault, None) => {
                differ("that the game goes on".to_owned(), whose(turn))
            }
            (End::Stuck, Some(_)) if position.actions() > 0 => differ(
                "that there is no legal action".to_owned(),
                format!("{} actions", position.actions()),
            ),
            _ => None,
        }
    }
}

fn whose(turn: Option<u8>) -> String {
    turn.map_or_else(
        || "that the game is over".to_owned(),
        |player| format!("that player {} acts", player + 1),
    )
}

fn scored(scores: Option<&Vec<i32>>) -> String {
    format!("the scores {:?}", scores.map_or(&[][..], Vec::as_slice))
}

fn listed(percepts: &[String]) -> String {
    if percepts.is_empty() { "nothing".to_owned() } else { format!("`{}`", percepts.join("`, `")) }
}

/// Chance as it is drawn, with the number of outcomes that there were.
struct Drawing<'r> {
    rng: &'r mut Rng,
    outcomes: f64,
}

impl Chance for Drawing<'_> {
    fn below(&mut self, n: u32) -> u32 {
        self.outcomes *= f64::from(n);
        self.rng.below(n)
    }
}

/// Chance as it was recorded.
struct Recorded<'t> {
    drawn: &'t [u32],
    at: usize,
    /// A draw that the record does not have, or that cannot be.
    wrong: Option<String>,
}

impl Chance for Recorded<'_> {
    fn below(&mut self, n: u32) -> u32 {
        let outcome = self.drawn.get(self.at).copied();
        let number = self.at + 1;
        match outcome {
            Some(outcome) if outcome < n => {
                self.at += 1;
                return outcome;
            }
            Some(outcome) => {
                self.at += 1;
                self.wrong.get_or_insert(format!(
                    "cannot draw {outcome} as draw {number}, which has {n} outcomes"
                ));
            }
            None => {
                self.wrong.get_or_insert(format!("makes draw {number}, which is not recorded"));
            }
        }
        0
    }
}
