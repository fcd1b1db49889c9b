use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use play::{Buffers, Lockstep, LockstepJob, Method, RecodedLockstep, Turned, Views};

use crate::error::{Error, ErrorKind};
use crate::game::Game;

/// Many positions of one game that go on together, shared out to threads.
///
/// Position `i` begins as the start that the stream of `i` gives; one that is begun anew goes on
/// with a stream of its own. Results depend on the seed alone, not on the number of threads.
pub struct Batch {
    game: Game,
    /// One for each thread.
    parts: Vec<Box<dyn Lockstep>>,
    count: usize,
}

/// More positions than this are refused.
const MOST: usize = 1 << 24;

/// Views, and ends of playouts, of more bytes than this are refused.
pub(crate) const MOST_BYTES: usize = 16 << 30;

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Batch of {} positions of {:?}", self.count, self.game)
    }
}

impl Clone for Batch {
    /// Positions that go on as these would, with the same chance.
    fn clone(&self) -> Batch {
        let parts = self.parts.iter().map(|part| part.copy()).collect();
        Batch { game: self.game.clone(), parts, count: self.count }
    }
}

impl Batch {
    /// So many positions. [`Batch::restart`] begins them.
    ///
    /// [`ErrorKind::Unsupported`] where the engine does not write this game in numbers.
    pub fn new(game: &Game, count: usize, seed: u64, threads: usize) -> Result<Batch, Error> {
        Batch::seen(game, count, seed, threads, None)
    }

    /// The same as whoever chooses sees them: in positions in which the second player does, the
    /// board is turned and the kinds of men are exchanged, and actions are those of the turned
    /// board.
    ///
    /// [`ErrorKind::Unsupported`] where the engine does not know that the sides are equal.
    pub fn turned(game: &Game, count: usize, seed: u64, threads: usize) -> Result<Batch, Error> {
        Batch::seen(game, count, seed, threads, Some(turned_of(game)?))
    }

    fn seen(
        game: &Game,
        count: usize,
        seed: u64,
        threads: usize,
        turned: Option<&Arc<Turned>>,
    ) -> Result<Batch, Error> {
        check_size(game, count)?;
        let part = |positions: Range<usize>| {
            let (first, stride) = (positions.start as u64, count as u64);
            let job = LockstepJob { seed, first, count: positions.len(), stride, cap: game.cap() };
            game.inner().lockstep(&job)
        };
        Batch::of_parts(game, count, threads, turned, part)
    }

    /// So many positions, shared out to threads: `part` makes those of a range.
    pub(crate) fn of_parts(
        game: &Game,
        count: usize,
        threads: usize,
        turned: Option<&Arc<Turned>>,
        part: impl Fn(Range<usize>) -> Option<Box<dyn Lockstep>>,
    ) -> Result<Batch, Error> {
        let threads = threads.clamp(1, 1024).min(count);
        let bound = |thread: usize| count * thread / threads;
        let parts = (0..threads).map(|thread| {
            let part = part(bound(thread)..bound(thread + 1))?;
            Some(match turned {
                Some(turned) => RecodedLockstep::boxed(part, Arc::clone(turned)),
                None => part,
            })
        });
        let parts: Option<Vec<_>> = parts.collect();
        let parts = parts.ok_or_else(|| without_numbers(game))?;
        Ok(Batch { game: game.clone(), parts, count })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The method by which a step gets from one ply to the next. For [`Method::Tabled`] all
    /// positions of the game were found when its first batch was made, and are looked up.
    pub fn method(&self) -> Method {
        self.parts.first().map_or(Method::Listed, |part| part.method())
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Never.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Memory for the views of this batch.
    pub fn buffers(&self) -> Buffers {
        let encoding = self.game.encoding().cloned().unwrap_or_default();
        Buffers::new(&encoding, self.game.players(), self.count, 0)
    }

    /// Begins all positions anew.
    ///
    /// # Panics
    /// Where the views have another size than those of [`Batch::buffers`].
    pub fn restart(&mut self, views: &mut Views<'_>) {
        let counts = self.counts();
        let parts = self.parts.iter_mut().zip(split(views, &counts));
        on_threads(parts, |(part, mut views)| part.restart(&mut views));
    }

    /// Plays one action, by code, in every position that goes on, see [`Lockstep::step`]. If one of
    /// them is not legal, nothing is played at all.
    ///
    /// # Panics
    /// Where the views have another size than those of [`Batch::buffers`].
    pub fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), Error> {
        if actions.len() != self.count {
            let text = format!("{} actions for {} positions", actions.len(), self.count);
            return Err(Error::usage(text));
        }
        if let [part] = &mut self.parts[..] {
            return Ok(part.step(actions, anew, views)?);
        }
        let counts = self.counts();
        let mut rest = actions;
        let chosen: Vec<&[i32]> = counts
            .iter()
            .map(|&count| {
                let (here, others) = rest.split_at(count);
                rest = others;
                here
            })
            .collect();
        let mut first = 0;
        for (part, actions) in self.parts.iter().zip(&chosen) {
            part.check(actions).map_err(|mut error| {
                error.position += first;
                error
            })?;
            first += part.len();
        }
        let parts = self.parts.iter_mut().zip(chosen).zip(split(views, &counts));
        on_threads(parts, |((part, actions), mut views)| {
            // They are legal.
            let _ = part.step(actions, anew, &mut views);
        });
        Ok(())
    }

    /// All that [`Batch::resume`] has to know, as numbers for each thread.
    pub fn save(&self) -> Vec<Vec<u64>> {
        self.parts.iter().map(|part| part.save()).collect()
    }

    /// Becomes what was [saved](Batch::save) of a batch of the same game on the same engine, with
    /// the same number of positions and threads and the same seed, by the same version of this
    /// library. Of scores nothing was saved. After an error the batch has to be restarted.
    ///
    /// ```
    /// use ggpbench::Batch;
    /// let game = ggpbench::load("connect-4-6x7")?;
    /// let mut batch = Batch::new(&game, 2, 1, 1)?;
    /// let mut buffers = batch.buffers();
    /// batch.restart(&mut buffers.views());
    /// batch.step(&[3, 4], false, &mut buffers.views())?;
    /// let mut again = Batch::new(&game, 2, 1, 1)?;
    /// let mut seen = again.buffers();
    /// again.resume(&batch.save(), &mut seen.views())?;
    /// assert_eq!(seen, buffers);
    /// # Ok::<(), ggpbench::Error>(())
    /// ```
    ///
    /// # Panics
    /// Where the views have another size than those of [`Batch::buffers`].
    pub fn resume(&mut self, saved: &[Vec<u64>], views: &mut Views<'_>) -> Result<(), Error> {
        let counts = self.counts();
        let same = AtomicBool::new(saved.len() == counts.len());
        let parts = self.parts.iter_mut().zip(saved).zip(split(views, &counts));
        on_threads(parts, |((part, saved), mut views)| {
            if !part.resume(saved, &mut views) {
                same.store(false, Ordering::Relaxed);
            }
        });
        if same.into_inner() {
            return Ok(());
        }
        Err(Error::usage("these positions were saved of another game, engine, batch or version"))
    }

    /// Draws a legal action for every position, uniformly; -1 for those that do not go on.
    pub fn draw(&mut self, actions: &mut [i32]) {
        let mut rest = actions;
        for part in &mut self.parts {
            let (here, others) = rest.split_at_mut(part.len().min(rest.len()));
            part.draw(here);
            rest = others;
        }
    }

    /// The number of positions of each thread.
    pub(crate) fn counts(&self) -> Vec<usize> {
        self.parts.iter().map(|part| part.len()).collect()
    }

    /// The positions of each thread.
    pub(crate) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Box<dyn Lockstep>> {
        self.parts.iter_mut()
    }
}

/// An error where a batch of so many positions is too small or too large.
pub(crate) fn check_size(game: &Game, count: usize) -> Result<(), Error> {
    if count == 0 || count > MOST {
        return Err(Error::usage(format!("{count} positions: expected 1 to {MOST}")));
    }
    let bytes = game.encoding().map_or(0, |e| e.actions.len() + e.plane_bytes());
    if bytes.saturating_mul(count) > MOST_BYTES {
        let most = MOST_BYTES / bytes;
        let text = format!("{count} positions of {bytes} bytes each: expected at most {most}");
        return Err(Error::usage(text));
    }
    Ok(())
}

/// How the board of a game is turned; an error where the engine does not know.
pub(crate) fn turned_of(game: &Game) -> Result<&Arc<Turned>, Error> {
    game.turned().ok_or_else(|| {
        let (id, engine) = (game.id(), game.engine());
        let text = format!("{engine} does not know how the board of {id} is turned");
        Error::new(ErrorKind::Unsupported, text)
    })
}

/// The error where a game is not written in numbers.
pub(crate) fn without_numbers(game: &Game) -> Error {
    let (id, engine) = (game.id(), game.engine());
    let text = format!(
        "{id} on {engine} has no numbers for actions and squares: choose an engine that has, or \
         play positions one by one"
    );
    Error::new(ErrorKind::Unsupported, text)
}

/// The views of each part.
pub(crate) fn split<'v>(views: &'v mut Views<'_>, counts: &[usize]) -> Vec<Views<'v>> {
    let total: usize = counts.iter().sum();
    let rows = |length: usize| length / total;
    let (actions, planes) = (rows(views.mask.len()), rows(views.planes.len()));
    let players = rows(views.scores.len());
    let Views { mask, planes: all_planes, turns, scores, progress } = views;
    let (mut mask, mut all_planes): (&mut [u8], &mut [u8]) = (mask, all_planes);
    let (mut turns, mut scores): (&mut [i8], &mut [i32]) = (turns, scores);
    let mut progress: &mut [u8] = progress;
    let part = |&count: &usize| Views {
        mask: mask.split_off_mut(..count * actions).unwrap_or_default(),
        planes: all_planes.split_off_mut(..count * planes).unwrap_or_default(),
        turns: turns.split_off_mut(..count).unwrap_or_default(),
        scores: scores.split_off_mut(..count * players).unwrap_or_default(),
        progress: progress.split_off_mut(..count).unwrap_or_default(),
    };
    counts.iter().map(part).collect()
}

/// Does something with each part, on a thread of its own where there are several.
pub(crate) fn on_threads<P: Send>(parts: impl ExactSizeIterator<Item = P>, act: impl Fn(P) + Sync) {
    if parts.len() <= 1 {
        return parts.for_each(act);
    }
    let act = &act;
    std::thread::scope(|scope| {
        for part in parts {
            scope.spawn(move || act(part));
        }
    });
}
