//! A table at which people and agents play: who sits where, what each may see, and what words do.
//! The terminal and the page are two views of it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agents::{Agent, Choice, Fault};
use anyhow::Result;
use play::{Game, Turn};

use crate::cli::select::Usage;
use crate::seat::{PROGRAM, Setting, agent, check_name};
use crate::trial::{End, Faulty, Header, Trial};

use super::answer::{self, Answer};
use super::pace::{self, Pace};
use super::record::Record;
use super::search::Search;
use super::session::{Question, Session};

/// The name of a person among those of agents.
pub(super) const PERSON: &str = "person";

/// The one who plays a role.
pub(super) enum Seat {
    Person,
    /// An agent by its name; it is away while it thinks.
    Agent(String, Option<Box<dyn Agent>>),
}

impl Seat {
    pub(super) fn is_person(&self) -> bool {
        matches!(self, Seat::Person)
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Seat::Person => PERSON,
            Seat::Agent(name, _) => name,
        }
    }
}

/// The one who is to do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Person(u8),
    Agent(u8),
    /// Nobody: the game has ended.
    Nobody,
}

/// The effect of what a person said.
#[derive(Debug)]
pub(super) enum Said {
    /// This is to be shown, and nothing has changed.
    Text(String),
    /// It could not be done, for this reason.
    Refused(String),
    /// A ply was played.
    Played,
    /// Plies were taken back.
    TakenBack,
    /// A new game has begun.
    Begun,
    /// Agents play at another pace.
    Paced,
    /// Advice is to be had by a task.
    Advice,
    /// The person leaves.
    Left,
}

/// What the table is for, none of which changes.
pub(super) struct Setup {
    pub(super) title: String,
    /// The rules in words; empty if they are not told.
    pub(super) in_words: String,
    pub(super) game: Arc<dyn Game>,
    pub(super) setting: Setting,
    /// The agent that gives hints.
    pub(super) hints: String,
    /// True if everything is shown, also what is hidden.
    pub(super) show: bool,
    /// The pace at which agents begin where nobody else plays.
    pub(super) pace: Pace,
    /// The seed of the first game; later games have the next ones.
    pub(super) seed: u64,
}

/// A table with a game in progress.
pub(super) struct Table {
    pub(super) setup: Setup,
    pub(super) seats: Vec<Seat>,
    pub(super) session: Session,
    pub(super) pace: Pace,
    record: Record,
    /// The names of the agents that the command line named.
    named: Vec<String>,
    /// The reason why the game was broken off, if it was: whose fault, or whose position.
    broken: Option<(End, Option<Faulty>, String)>,
    /// The number of changes of the position, and of changes of those who sit there.
    moment: u64,
    sittings: u64,
    /// The state of the advice that somebody waits for, if anybody does.
    advising: Option<Advising>,
    /// The last search of an agent that moved, and the last advice, or the reason why there is none.
    pub(super) search: Option<Search>,
    pub(super) advice: Option<Result<Search, String>>,
}

/// The state of advice that is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Advising {
    /// Nobody thinks yet.
    Asked,
    /// An agent thinks.
    Thought,
}

/// The work of an agent, which may be done without the table.
pub(super) struct Task {
    question: Question,
    name: String,
    agent: Box<dyn Agent>,
    setting: Setting,
    advises: bool,
    moment: u64,
    sitting: u64,
}

/// The work of an agent, done.
pub(super) struct Done {
    task: Task,
    choice: Result<Choice, Fault>,
}

impl Task {
    pub(super) fn think(mut self) -> Done {
        let choice = self.question.put_to(&mut *self.agent, &self.setting);
        Done { task: self, choice }
    }
}

impl Table {
    /// Begins a game between these: [`PERSON`] or an agent for each role.
    pub(super) fn new(
        setup: Setup,
        names: &[String],
        header: Header,
        record: Option<&Path>,
    ) -> Result<Table> {
        let seats = seats_of(names, &setup.setting).map_err(Usage)?;
        let session = Session::new(&setup.game, setup.seed)?;
        let record = Record::new(header, record)?;
        let mut named: Vec<String> = names.iter().filter(|name| *name != PERSON).cloned().collect();
        named.push(setup.hints.clone());
        named.sort_unstable();
        named.dedup();
        Ok(Table {
            pace: setup.pace,
            setup,
            seats,
            session,
            record,
            named,
            broken: None,
            moment: 0,
            sittings: 0,
            advising: None,
            search: None,
            advice: None,
        })
    }

    pub(super) fn is_person(&self, player: u8) -> bool {
        self.seats.get(usize::from(player)).is_some_and(Seat::is_person)
    }

    /// True if everybody sees everything.
    pub(super) fn is_open(&self) -> bool {
        self.setup.show || self.is_watched() || !self.setup.game.facts().hidden
    }

    /// True if only agents play, so that people watch.
    pub(super) fn is_watched(&self) -> bool {
        !self.seats.iter().any(Seat::is_person)
    }

    /// True if advice is asked for and not there yet.
    pub(super) fn is_advising(&self) -> bool {
        self.advising.is_some()
    }

    /// The number of this game, from 1.
    pub(super) fn number(&self) -> u64 {
        self.record.games + 1
    }

    pub(super) fn header(&self) -> &Header {
        &self.record.header
    }

    /// The names of the agents that the command line named.
    pub(super) fn named(&self) -> &[String] {
        &self.named
    }

    /// The end of the game, if it has come.
    pub(super) fn end(&self) -> Option<End> {
        if let Some((end, ..)) = &self.broken {
            return Some(*end);
        }
        let cap = self.setup.setting.cap as usize;
        match self.session.turn() {
            Turn::Over => Some(End::Over),
            Turn::Move(_) if self.session.plies.len() >= cap => Some(End::Cap),
            Turn::Move(_) if self.session.position().actions() == 0 => Some(End::Stuck),
            Turn::Move(_) => None,
        }
    }

    /// The end of the game in words.
    pub(super) fn result(&self) -> Option<String> {
        if let Some((.., why)) = &self.broken {
            return Some(why.clone());
        }
        Some(match self.end()? {
            End::Over => match self.session.position().scores() {
                None => "The game is over.".to_owned(),
                Some(scores) => {
                    let scores = scores.iter().zip(1..);
                    let each =
                        scores.map(|(score, player)| format!("player {player} gets {score}"));
                    format!("The game is over: {}.", each.collect::<Vec<_>>().join(", "))
                }
            },
            End::Cap => format!("given up after {} plies", self.session.plies.len()),
            _ => format!("{} has no legal action, and the game is not over", self.whose_turn()),
        })
    }

    /// The one who is to do something.
    pub(super) fn next(&self) -> Next {
        match self.session.turn() {
            Turn::Move(player) if self.end().is_none() => {
                if self.is_person(player.0) {
                    Next::Person(player.0)
                } else {
                    Next::Agent(player.0)
                }
            }
            _ => Next::Nobody,
        }
    }

    /// The role for which somebody who sees what a role sees may choose now.
    pub(super) fn may_choose(&self, viewer: u8) -> Option<u8> {
        match self.next() {
            Next::Person(player) if self.is_open() || viewer == player => Some(player),
            _ => None,
        }
    }

    /// The legal actions that somebody may choose from.
    pub(super) fn legal(&self, viewer: u8) -> Vec<String> {
        let legal = self.may_choose(viewer).map(|_| self.session.position().labels());
        legal.unwrap_or_default()
    }

    /// True if what happens in a role is seen by somebody who sees what another one sees.
    pub(super) fn is_seen(&self, player: u8, viewer: u8) -> bool {
        self.is_open() || player == viewer && self.is_person(viewer)
    }

    fn whose_turn(&self) -> String {
        match self.session.turn() {
            Turn::Move(player) => self.shown(player.0),
            Turn::Over => "nobody".to_owned(),
        }
    }

    /// A role with the agent that plays it.
    fn shown(&self, player: u8) -> String {
        match self.seats.get(usize::from(player)) {
            Some(Seat::Agent(name, _)) => format!("player {} ({name})", player + 1),
            _ => format!("player {}", player + 1),
        }
    }

    /// The work that an agent is to do, if there is any that nobody does yet.
    pub(super) fn task(&mut self) -> Option<Task> {
        let (name, agent) = match self.next() {
            Next::Agent(player) => match self.seats.get_mut(usize::from(player))? {
                Seat::Agent(name, agent) => (name.clone(), agent.take()?),
                Seat::Person => return None,
            },
            Next::Person(_) if self.advising == Some(Advising::Asked) => {
                self.advising = Some(Advising::Thought);
                match agent(&self.setup.hints, &self.setup.setting) {
                    Ok(adviser) => (self.setup.hints.clone(), adviser),
                    Err(reason) => {
                        (self.advising, self.advice) = (None, Some(Err(reason)));
                        return None;
                    }
                }
            }
            _ => return None,
        };
        Some(Task {
            question: self.session.question()?,
            advises: matches!(self.next(), Next::Person(_)),
            name,
            agent,
            setting: self.setup.setting.clone(),
            moment: self.moment,
            sitting: self.sittings,
        })
    }

    /// True if what an agent thought is of the present position.
    pub(super) fn is_current(&self, done: &Done) -> bool {
        done.task.moment == self.moment
    }

    /// Takes what an agent thought. What is of a position that is no more is forgotten.
    pub(super) fn accept(&mut self, done: Done) {
        let Done { task, choice } = done;
        let Task { question, name, agent, advises, .. } = task;
        let player = question.player.0;
        if task.sitting == self.sittings
            && !advises
            && let Some(Seat::Agent(_, place)) = self.seats.get_mut(usize::from(player))
        {
            *place = Some(agent);
        }
        if task.moment != self.moment {
            return;
        }
        if advises {
            self.advising = None;
        }
        let at = (self.session.plies.len() + 1, player);
        let search = |choice: &Choice| Search::new(&name, at, &question.legal, choice, !advises);
        match choice {
            Ok(choice) if advises => self.advice = Some(Ok(search(&choice))),
            Err(fault) if advises => self.advice = Some(Err(fault.0)),
            Ok(choice) => {
                let search = search(&choice);
                self.play(choice.action, choice.simulations);
                self.search = Some(search);
            }
            Err(Fault(reason)) => {
                let who = self.shown(player);
                let why = format!("{who} commits a fault and has lost: {reason}");
                self.break_off(End::Fault, Some(Faulty { player, reason }), why);
            }
        }
    }

    /// Plays an action; where the rules have no way on, the game is broken off.
    fn play(&mut self, action: usize, simulations: u64) {
        self.changed();
        if let Err(error) = self.session.play(action, simulations) {
            self.break_off(End::Stuck, None, format!("The game cannot go on: {error}"));
        }
    }

    fn break_off(&mut self, end: End, fault: Option<Faulty>, why: String) {
        self.changed();
        self.broken = Some((end, fault, why));
    }

    fn changed(&mut self) {
        self.moment += 1;
        (self.advising, self.advice) = (None, None);
    }

    /// Does what a person says who sees what a role sees; lists are as wide as so many columns.
    pub(super) fn say(&mut self, viewer: u8, line: &str, width: usize) -> Result<Said> {
        let labels = self.legal(viewer);
        let answer = match answer::read(line, &labels) {
            Ok(answer) => answer,
            Err(_) if labels.is_empty() => return Ok(self.not_now()),
            Err(what) => return Ok(Said::Refused(what)),
        };
        Ok(match answer {
            Answer::Action(action) => {
                self.play(action, 0);
                Said::Played
            }
            Answer::List if labels.is_empty() => self.not_now(),
            Answer::List => Said::Text(answer::list(&labels, width)),
            Answer::Help => Said::Text(answer::HELP.to_owned()),
            Answer::Rules => Said::Text(self.rules()),
            Answer::Clock => Said::Text(self.clock(viewer)),
            Answer::Why => Said::Text(self.why(viewer)),
            Answer::Hint if labels.is_empty() => self.not_now(),
            Answer::Hint => {
                (self.advising, self.advice) = (Some(Advising::Asked), None);
                Said::Advice
            }
            Answer::Undo => self.undo(),
            Answer::New(names) => self.begin(&names)?,
            Answer::Pause => self.paced(|pace| pace.pause(true)),
            Answer::Go => self.paced(|pace| pace.pause(false)),
            Answer::Step => self.paced(Pace::step),
            Answer::Pace(time) => match pace::seconds(&time) {
                Ok(least) => self.paced(|pace| pace.least = least),
                Err(what) => Said::Refused(format!("`pace`: {what}")),
            },
            Answer::Quit => Said::Left,
        })
    }

    fn not_now(&self) -> Said {
        Said::Refused(match self.result() {
            Some(result) => format!("{result} `new` begins another, `help` says more"),
            None if self.is_open() => format!("it is the turn of {}", self.whose_turn()),
            None => "it is not your turn".to_owned(),
        })
    }

    fn paced(&mut self, change: impl FnOnce(&mut Pace)) -> Said {
        if !self.is_watched() {
            let what = "agents can be stopped where only they play: `new` with their names";
            return Said::Refused(what.to_owned());
        }
        change(&mut self.pace);
        Said::Paced
    }

    fn undo(&mut self) -> Said {
        let people: Vec<bool> = self.seats.iter().map(Seat::is_person).collect();
        if !self.session.undo(|player| people.get(usize::from(player)) == Some(&true)) {
            return Said::Refused("you have not moved yet".to_owned());
        }
        self.changed();
        (self.broken, self.search) = (None, None);
        Said::TakenBack
    }

    /// Begins a new game between these, or, where nobody is named, between those who played.
    fn begin(&mut self, names: &[String]) -> Result<Said> {
        let before: Vec<String> = self.seats.iter().map(|seat| seat.name().to_owned()).collect();
        let names = if names.is_empty() { &before } else { names };
        if names.len() != before.len() {
            let roles = before.len();
            let what = format!("`new` takes one name for each of {roles} roles, or none");
            return Ok(Said::Refused(what));
        }
        if let Some(what) = names.iter().find_map(|name| self.check(name).err()) {
            return Ok(Said::Refused(what));
        }
        let seats = match seats_of(names, &self.setup.setting) {
            Ok(seats) => seats,
            Err(what) => return Ok(Said::Refused(what)),
        };
        if !self.session.plies.is_empty() {
            self.close()?;
        }
        self.changed();
        self.sittings += 1;
        let seed = self.session.seed().wrapping_add(1);
        self.session = Session::new(&self.setup.game, seed)?;
        (self.seats, self.broken, self.search) = (seats, None, None);
        Ok(Said::Begun)
    }

    /// An error if a name is of nobody who may play.
    fn check(&self, name: &str) -> Result<(), String> {
        if name == PERSON || self.named.iter().any(|named| named == name) {
            return Ok(());
        }
        let agent = check_name(name)?;
        let elsewhere = agent.engine.is_some_and(|engine| !self.setup.setting.games.has(&engine));
        if elsewhere || agent.agent.starts_with(PROGRAM) {
            // A page must start no programs, and engines compile before the game.
            return Err(format!("`{name}` has to be named where play begins: --against '{name}'"));
        }
        Ok(())
    }

    /// The rules in words.
    pub(super) fn rules(&self) -> String {
        match self.setup.in_words.trim() {
            "" => format!(
                "The rules of {} are not told in words; they are in {}, in the language {}.",
                self.setup.title,
                self.setup.setting.rules.source.name(),
                self.setup.setting.rules.language
            ),
            words => words.to_owned(),
        }
    }

    /// The times that the players have used, as far as somebody may know.
    fn clock(&self, viewer: u8) -> String {
        let players = (0..self.seats.len() as u8).filter(|&player| self.is_seen(player, viewer));
        let each = players.map(|player| {
            let used = in_minutes(self.session.used(player));
            format!("{} has used {used}", self.shown(player))
        });
        each.collect::<Vec<_>>().join("; ")
    }

    /// The reasons of the agent that moved last, as far as somebody may know.
    fn why(&self, viewer: u8) -> String {
        match &self.search {
            Some(search) if self.is_seen(search.player, viewer) => search.to_string(),
            Some(_) => "what the others think is hidden".to_owned(),
            None => "no agent has moved yet".to_owned(),
        }
    }

    /// The game so far as a trial.
    pub(super) fn trial(&self) -> Trial {
        let fault = self.broken.as_ref().and_then(|(_, fault, _)| fault.clone());
        let names = self.seats.iter().map(|seat| seat.name().to_owned()).collect();
        let end = self.end().unwrap_or(End::Left);
        self.session.trial(self.number(), names, &self.setup.setting, end, fault)
    }

    /// Keeps the game in the record: it is not gone on with.
    pub(super) fn close(&mut self) -> Result<()> {
        let trial = self.trial();
        self.record.keep(&trial)
    }

    /// Keeps the last game, unless it is the mere beginning of another one; says where games are, if
    /// there is anything to say.
    pub(super) fn leave(&mut self) -> Result<Option<String>> {
        let begun = !self.session.plies.is_empty();
        if begun || self.record.games == 0 {
            self.close()?;
        }
        Ok(self.record.place(begun))
    }
}

/// The seats of these names, with agents that are new.
fn seats_of(names: &[String], setting: &Setting) -> Result<Vec<Seat>, String> {
    let seat = |name: &String| match name.as_str() {
        PERSON => Ok(Seat::Person),
        _ => Ok(Seat::Agent(name.clone(), Some(agent(name, setting)?))),
    };
    names.iter().map(seat).collect()
}

/// A time as `1:02.5`.
fn in_minutes(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}
