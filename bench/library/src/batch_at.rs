//! Batches whose positions begin where a list says.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use bench::entry::Entry;
use play::{End, IllegalStep, Job, Language, Lockstep, LockstepJob, Method, Progress, Views};

use crate::batch::{Batch, check_size, split, turned_of, without_numbers};
use crate::error::{Error, ErrorKind};
use crate::game::Game;
use crate::load::Loader;

/// How the positions of a batch are made.
#[derive(Clone, Copy, Debug)]
pub struct BatchSettings {
    /// What chance does, and what is drawn, depends on it.
    pub seed: u64,
    /// The threads that share the work.
    pub threads: usize,
    /// True if boards are turned to whoever chooses, see [`Batch::turned`].
    pub turned: bool,
}

/// A place to begin at: a game from a position in a notation, or the plies from its start.
struct Place {
    game: Game,
    /// The plies, by code.
    plies: Arc<[i32]>,
}

impl Loader {
    /// A batch with a position for each text, which begins there, and is begun anew there: after
    /// these plies, by their labels, or at a position in the notation that the game's manifest
    /// names; an empty text is the start. With [`Loader::position`] plies go on from there.
    ///
    /// Plies that lead to a position count for the cap as those that follow. No plies lead to a
    /// position of a game of chance.
    ///
    /// ```
    /// use ggpbench::{BatchSettings, Loader};
    /// let settings = BatchSettings { seed: 1, threads: 1, turned: false };
    /// let places = ["", "b2 a1", "x.o/.x./..o"];
    /// let mut batch = Loader::new("tic-tac-toe-3x3").batch_at(&places, settings)?;
    /// let mut buffers = batch.buffers();
    /// batch.restart(&mut buffers.views());
    /// let legal = buffers.views().mask.chunks(9).map(|row| row.iter().sum()).collect::<Vec<u8>>();
    /// assert_eq!(legal, [9, 7, 5]);
    /// # Ok::<(), ggpbench::Error>(())
    /// ```
    pub fn batch_at(
        &self,
        positions: &[impl AsRef<str>],
        settings: BatchSettings,
    ) -> Result<Batch, Error> {
        self.batch_of(self.whole()?, positions, settings)
    }

    /// The same of rules that are a text rather than a file.
    pub fn batch_of_text_at(
        &self,
        (language, name, text): (Language, &str, &str),
        positions: &[impl AsRef<str>],
        settings: BatchSettings,
    ) -> Result<Batch, Error> {
        self.batch_of(self.entry_of_text(language, name, text), positions, settings)
    }

    /// On the first engine that has all of the positions in numbers.
    fn batch_of(
        &self,
        whole: Entry,
        positions: &[impl AsRef<str>],
        settings: BatchSettings,
    ) -> Result<Batch, Error> {
        let base = self.placed(whole.clone())?;
        let mut entries: BTreeMap<&str, Entry> = BTreeMap::new();
        for (number, position) in positions.iter().enumerate() {
            let text = position.as_ref().trim();
            if entries.contains_key(text) {
                continue;
            }
            let entry = if text.is_empty() {
                Ok(base.clone())
            } else {
                match whole.clone().at(text) {
                    Ok(entry) if start_of(&entry).is_empty() => Ok(entry),
                    _ => from(&base, text),
                }
            };
            let entry = entry.map_err(|why| Error::usage(format!("position {number}: {why}")))?;
            entries.insert(text, entry);
        }
        let texts: Vec<&str> = positions.iter().map(|position| position.as_ref().trim()).collect();
        let mut refused = None;
        for (engine, _) in self.pairs(&base)? {
            let on = self.clone().engine(engine.id());
            if !entries.values().all(|entry| on.pairs(entry).is_ok()) {
                continue;
            }
            match on.batch_on(&unplayed(base.clone()), &entries, &texts, settings) {
                Ok(batch) => return Ok(batch),
                Err(error) if error.kind() == ErrorKind::Usage => return Err(error),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        Err(refused.unwrap_or_else(|| {
            let engine = self.engine_name().unwrap_or("engine");
            let text = format!("no {engine} begins {} at all of these positions", whole.id);
            Error::new(ErrorKind::Unsupported, text)
        }))
    }

    /// The batch on this loader's engine.
    fn batch_on(
        &self,
        base: &Entry,
        entries: &BTreeMap<&str, Entry>,
        positions: &[&str],
        settings: BatchSettings,
    ) -> Result<Batch, Error> {
        let game = self.first(base)?;
        let encoding = game.encoding().ok_or_else(|| without_numbers(&game))?;
        check_size(&game, positions.len())?;
        let mut places: BTreeMap<&str, Place> = BTreeMap::new();
        for (number, &text) in positions.iter().enumerate() {
            if places.contains_key(text) {
                continue;
            }
            let entry = &entries[text];
            let plies = start_of(entry);
            let place = if plies.is_empty() {
                let game = if text.is_empty() { game.clone() } else { self.first(entry)? };
                if game.encoding() != Some(encoding) {
                    return Err(without_numbers(&game));
                }
                Ok(Place { game, plies: [].into() })
            } else {
                after(&game, plies).map(|plies| Place { game: game.clone(), plies })
            };
            let place =
                place.map_err(|why| Error::new(why.kind(), format!("position {number}: {why}")))?;
            places.insert(text, place);
        }
        let BatchSettings { seed, threads, turned } = settings;
        let turned = turned.then(|| turned_of(&game)).transpose()?;
        let count = positions.len();
        let member = |i: usize| {
            let (first, stride) = (i as u64, count as u64);
            let job = LockstepJob { seed, first, count: 1, stride, cap: game.cap() };
            places[positions[i]].lockstep(&job)
        };
        let part = |members: Range<usize>| -> Option<Box<dyn Lockstep>> {
            let members: Option<Vec<_>> = members.map(member).collect();
            Some(Box::new(Joined(members?)))
        };
        Batch::of_parts(&game, count, threads, turned, part)
    }
}

/// The labels of the plies that an entry begins with.
fn start_of(entry: &Entry) -> &[String] {
    entry.descriptions.first().map_or(&[], |rules| &rules.start)
}

/// The game without the plies that it begins with.
fn unplayed(mut entry: Entry) -> Entry {
    entry.descriptions.iter_mut().for_each(|rules| rules.start.clear());
    entry
}

/// The game from a position on that plies lead to from where it begins.
fn from(base: &Entry, text: &str) -> Result<Entry, String> {
    let mut entry = base.clone().at(text)?;
    let more = start_of(&entry).to_vec();
    let all: Vec<String> = start_of(base).iter().cloned().chain(more).collect();
    entry.descriptions.iter_mut().for_each(|rules| rules.start.clone_from(&all));
    Ok(entry)
}

/// The codes of plies from the start of a game, after which it goes on.
fn after(game: &Game, plies: &[String]) -> Result<Arc<[i32]>, Error> {
    if game.facts().chance {
        let text = format!("{} is a game of chance: plies lead to no position of it", game.id());
        return Err(Error::new(ErrorKind::Unsupported, text));
    }
    let mut position = game.open(0);
    let mut codes = Vec::with_capacity(plies.len());
    for label in plies {
        let place = position.legal().iter().position(|legal| legal == label);
        let code = place.and_then(|place| position.codes()?.get(place).copied());
        // Where it is not legal, this says which labels are.
        position.apply_label(label)?;
        codes.push(code.ok_or_else(|| without_numbers(game))? as i32);
    }
    if position.is_over() || plies.len() >= game.cap() as usize {
        return Err(Error::usage("the game is over there"));
    }
    Ok(codes.into())
}

impl Place {
    /// One position that begins here.
    fn lockstep(&self, job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        let lockstep = self.game.inner().lockstep(job)?;
        if self.plies.is_empty() {
            return Some(lockstep);
        }
        let ended = vec![0; self.game.players()].into();
        let plies = Arc::clone(&self.plies);
        Some(Box::new(Opened { lockstep, plies, is_going: false, ended }))
    }
}

/// A position that begins after some plies.
struct Opened {
    lockstep: Box<dyn Lockstep>,
    plies: Arc<[i32]>,
    /// True if it goes on.
    is_going: bool,
    /// Room for the scores of a position that ended.
    ended: Box<[i32]>,
}

impl Opened {
    /// Plays the plies from the start.
    fn open(&mut self, views: &mut Views<'_>) {
        for &ply in &*self.plies {
            // They have been played before, so that each is legal.
            if self.lockstep.step(&[ply], false, views).is_err() {
                break;
            }
        }
        self.is_going = views.progress[0] == Progress::Going as u8;
    }
}

impl Lockstep for Opened {
    fn len(&self) -> usize {
        1
    }

    fn method(&self) -> Method {
        self.lockstep.method()
    }

    fn restart(&mut self, views: &mut Views<'_>) {
        self.lockstep.restart(views);
        self.open(views);
    }

    fn check(&self, actions: &[i32]) -> Result<(), IllegalStep> {
        self.lockstep.check(actions)
    }

    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep> {
        self.lockstep.step(actions, anew, views)?;
        let ended = views.progress[0];
        let has_ended = self.is_going && ended != Progress::Going as u8;
        self.is_going &= !has_ended;
        if has_ended && anew {
            self.ended.copy_from_slice(views.scores);
            self.open(views);
            views.scores.copy_from_slice(&self.ended);
            views.progress[0] = ended;
        }
        Ok(())
    }

    fn draw(&mut self, actions: &mut [i32]) {
        self.lockstep.draw(actions);
    }

    fn playouts(&self, position: usize, job: &Job, ends: &mut Vec<End>) {
        self.lockstep.playouts(position, job, ends);
    }

    fn copy(&self) -> Box<dyn Lockstep> {
        let Opened { lockstep, plies, is_going, ended } = self;
        Box::new(Opened {
            lockstep: lockstep.copy(),
            plies: Arc::clone(plies),
            is_going: *is_going,
            ended: ended.clone(),
        })
    }

    fn save(&self) -> Vec<u64> {
        self.lockstep.save()
    }

    fn resume(&mut self, saved: &[u64], views: &mut Views<'_>) -> bool {
        let same = self.lockstep.resume(saved, views);
        self.is_going = views.progress[0] == Progress::Going as u8;
        same
    }
}

/// Positions of their own that go on together.
struct Joined(Vec<Box<dyn Lockstep>>);

impl Joined {
    /// Each position with its views.
    fn each<'j>(
        &'j mut self,
        views: &'j mut Views<'_>,
    ) -> impl Iterator<Item = (&'j mut Box<dyn Lockstep>, Views<'j>)> {
        let views = split(views, &vec![1; self.0.len()]);
        self.0.iter_mut().zip(views)
    }
}

impl Lockstep for Joined {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn method(&self) -> Method {
        self.0.first().map_or(Method::Listed, |member| member.method())
    }

    fn restart(&mut self, views: &mut Views<'_>) {
        self.each(views).for_each(|(member, mut views)| member.restart(&mut views));
    }

    fn check(&self, actions: &[i32]) -> Result<(), IllegalStep> {
        assert_eq!(actions.len(), self.len());
        self.0.iter().zip(actions).enumerate().try_for_each(|(position, (member, &action))| {
            member.check(&[action]).map_err(|illegal| IllegalStep { position, ..illegal })
        })
    }

    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep> {
        self.check(actions)?;
        self.each(views)
            .zip(actions)
            .try_for_each(|((member, mut views), &action)| member.step(&[action], anew, &mut views))
    }

    fn draw(&mut self, actions: &mut [i32]) {
        for (member, action) in self.0.iter_mut().zip(actions) {
            member.draw(std::slice::from_mut(action));
        }
    }

    fn playouts(&self, position: usize, job: &Job, ends: &mut Vec<End>) {
        self.0[position].playouts(0, job, ends);
    }

    fn copy(&self) -> Box<dyn Lockstep> {
        Box::new(Joined(self.0.iter().map(|member| member.copy()).collect()))
    }

    /// Of each position the number of words, and these.
    fn save(&self) -> Vec<u64> {
        let words = self.0.iter().flat_map(|member| {
            let saved = member.save();
            std::iter::once(saved.len() as u64).chain(saved)
        });
        words.collect()
    }

    fn resume(&mut self, saved: &[u64], views: &mut Views<'_>) -> bool {
        let (mut rest, mut same) = (saved, true);
        for (member, mut views) in self.each(views) {
            let words = rest
                .split_first()
                .and_then(|(&length, words)| words.split_at_checked(usize::try_from(length).ok()?));
            let (words, others) = words.unwrap_or_default();
            same &= member.resume(words, &mut views);
            rest = others;
        }
        same && rest.is_empty()
    }
}
