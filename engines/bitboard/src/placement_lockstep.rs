//! Positions that go on together, of games in which every action puts a man on a square. What is
//! legal and what lies where are sets of squares, so that nothing has to be listed; of the rows
//! that a program sees, only what a ply has changed is written.

use std::sync::Arc;

use play::{
    Encoding, End, IllegalStep, Job, Lockstep, LockstepJob, Mechanics, Method, Progress, Rng, Views,
};

use crate::bits::Bits;
use crate::rules::handmade::{Handmade, instructions};
use crate::rules::{Rules, draw};
use crate::select::Select;
use crate::sides::Sides;
use cpu::{Cpu, Instructions, Portable, Task};

/// Rules of two players who put men on squares, with forced passes at most besides. Codes are the
/// places of squares among the sites of the encoding, which has a plane for each side.
pub(crate) trait PlacementRules<const W: usize>:
    Rules<State = Sides<W>, Action = u32>
{
    /// The squares of the board.
    const BOARD: Bits<W>;

    /// The squares on which whoever moves may put a man, in the order of [`Rules::expand`], after
    /// forced passes; `None` where the game is over. It was not over before the last ply. Must be
    /// `#[inline(always)]`.
    fn open<C: Cpu>(&self, cpu: C, state: &mut Sides<W>) -> Option<Bits<W>>;

    /// Puts a man on an open square. Must be `#[inline(always)]`.
    #[inline(always)]
    fn place<C: Cpu>(&self, _: C, state: &mut Sides<W>, square: u32) {
        state.place(square);
    }
}

/// The positions, each array by position.
struct Placing<R: PlacementRules<W>, const W: usize> {
    game: Arc<Handmade<R>>,
    job: LockstepJob,
    board: Board,
    start: Position<W>,
    /// The open sites at the start.
    first: Bits<W>,
    now: Vec<Position<W>>,
    /// The open sites of each position; none if the position is not going on.
    open: Vec<Bits<W>>,
    streams: Vec<Rng>,
    /// Ids of the next playouts.
    next: Vec<u64>,
    /// The squares of the actions of a step.
    chosen: Vec<u32>,
}

/// The rows of the start, and how squares are numbered.
#[derive(Clone)]
struct Board {
    /// By square.
    codes: Vec<u16>,
    /// By code.
    squares: Vec<u32>,
    mask: Vec<u8>,
    planes: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Position<const W: usize> {
    state: Sides<W>,
    plies: u32,
}

/// Such positions of a game.
pub(crate) fn boxed<R: PlacementRules<W>, const W: usize>(
    game: &Arc<Handmade<R>>,
    job: &LockstepJob,
) -> Option<Box<dyn Lockstep>> {
    let Encoding { sites, kinds, actions, .. } = game.encoding()?;
    let rules = &game.rules;
    let mut state = rules.start();
    let first = rules.open(Portable, &mut state)?;
    let mut board = Board {
        codes: vec![0; Bits::<W>::ROOM],
        squares: vec![0; sites.len()],
        mask: vec![0; actions.len()],
        planes: vec![0; kinds.len() * sites.len()],
    };
    for square in R::BOARD {
        let code = rules.code(&state, square);
        board.codes[square as usize] = code as u16;
        board.squares[code as usize] = square;
        board.mask[code as usize] = u8::from(first.contains(square));
    }
    rules.planes(&state, &mut board.planes);
    let count = job.count;
    let start = Position { state, plies: 0 };
    Some(Box::new(Placing {
        game: Arc::clone(game),
        job: *job,
        board,
        start,
        first,
        now: vec![start; count],
        open: vec![Bits::EMPTY; count],
        streams: (0..count as u64).map(|i| Rng::stream(job.seed, i)).collect(),
        next: (0..count as u64).map(|i| job.first.wrapping_add(i)).collect(),
        chosen: vec![0; count],
    }))
}

impl<R: PlacementRules<W>, const W: usize> Placing<R, W> {
    /// The squares of these codes.
    #[inline(always)]
    fn find(&mut self, actions: &[i32]) -> Result<(), IllegalStep> {
        let squares = &self.board.squares;
        let mut legal = true;
        for ((&action, open), chosen) in actions.iter().zip(&self.open).zip(&mut self.chosen) {
            // A code that there is not becomes a square that is not open.
            let square = match squares.get(action as usize) {
                Some(&square) => square,
                None => u32::MAX,
            };
            *chosen = square;
            legal &= open.is_empty() | open.contains(square);
        }
        if legal { Ok(()) } else { self.check(actions) }
    }
}

impl<R: PlacementRules<W>, const W: usize> Lockstep for Placing<R, W> {
    fn len(&self) -> usize {
        self.now.len()
    }

    fn method(&self) -> Method {
        Method::Counted
    }

    fn restart(&mut self, views: &mut Views<'_>) {
        let job = self.job;
        // At a cap of no plies nothing ever goes on.
        let goes_on = job.cap > 0;
        let progress = if goes_on { Progress::Going } else { Progress::Capped };
        for i in 0..self.now.len() {
            self.streams[i] = Rng::stream(job.seed, self.next[i]);
            self.next[i] = self.next[i].wrapping_add(job.stride);
        }
        self.now.fill(self.start);
        self.open.fill(if goes_on { self.first } else { Bits::EMPTY });
        views.mask.fill(0);
        for row in views.mask.chunks_exact_mut(self.board.mask.len()).filter(|_| goes_on) {
            row.copy_from_slice(&self.board.mask);
        }
        for row in views.planes.chunks_exact_mut(self.board.planes.len()) {
            row.copy_from_slice(&self.board.planes);
        }
        views.turns.fill(if goes_on { self.start.state.mover().0 as i8 } else { -1 });
        views.scores.fill(0);
        views.progress.fill(progress as u8);
    }

    fn check(&self, actions: &[i32]) -> Result<(), IllegalStep> {
        assert_eq!(actions.len(), self.now.len());
        for (position, (&action, open)) in actions.iter().zip(&self.open).enumerate() {
            let square = usize::try_from(action).ok().and_then(|code| self.board.squares.get(code));
            if !open.is_empty() && !square.is_some_and(|&square| open.contains(square)) {
                return Err(IllegalStep { position, action, legal: open.len() as usize });
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep> {
        assert_eq!(actions.len(), self.now.len());
        assert_eq!(views.mask.len(), self.now.len() * self.board.mask.len());
        assert_eq!(views.planes.len(), self.now.len() * self.board.planes.len());
        assert_eq!(views.scores.len(), self.now.len() * 2);
        self.find(actions)?;
        self.game.level.call(Step { placing: &mut *self, anew, views });
        Ok(())
    }

    fn draw(&mut self, actions: &mut [i32]) {
        self.game.level.call(Draw {
            open: &self.open,
            streams: &mut self.streams,
            codes: &self.board.codes,
            actions,
        });
    }

    fn playouts(&self, position: usize, job: &Job, ends: &mut Vec<End>) {
        let cap = if self.open[position].is_empty() { 0 } else { job.cap };
        self.game.playouts(&self.now[position].state, &Job { cap, ..*job }, ends);
    }

    fn copy(&self) -> Box<dyn Lockstep> {
        let Placing { game, board, now, open, streams, next, chosen, .. } = self;
        Box::new(Placing {
            game: Arc::clone(game),
            board: board.clone(),
            now: now.clone(),
            open: open.clone(),
            streams: streams.clone(),
            next: next.clone(),
            chosen: chosen.clone(),
            ..*self
        })
    }

    fn save(&self) -> Vec<u64> {
        let mut saved = Vec::with_capacity(self.now.len() * Self::SAVED);
        for i in 0..self.now.len() {
            let Position { state, plies } = self.now[i];
            for squares in [state.men[0], state.men[1], self.open[i]] {
                saved.extend(squares.words);
            }
            saved.extend([state.mover().0.into(), plies.into(), self.next[i]]);
            let mut words = [0; Rng::WORDS];
            self.streams[i].store(&mut words);
            saved.extend(words);
        }
        saved
    }

    fn resume(&mut self, saved: &[u64], views: &mut Views<'_>) -> bool {
        let count = self.now.len();
        if saved.len() != count * Self::SAVED {
            return false;
        }
        let mut saved = saved.chunks_exact(Self::SAVED).enumerate();
        let all = saved.all(|(i, words)| self.resume_one(i, words).is_some());
        if all {
            views.scores.fill(0);
            (0..count).for_each(|i| self.show(i, views));
        }
        all
    }
}

impl<R: PlacementRules<W>, const W: usize> Placing<R, W> {
    /// Words of what is saved of a position.
    const SAVED: usize = 3 * W + 3 + Rng::WORDS;

    /// Becomes what was saved of a position; `None` where that is none of the game.
    fn resume_one(&mut self, i: usize, words: &[u64]) -> Option<()> {
        let mut sets = words.chunks_exact(W).map(|words| words.try_into().ok());
        let mut set = || sets.next()?.map(Bits::from_words).filter(|&set| set & R::BOARD == set);
        let (men, open) = ([set()?, set()?], set()?);
        let (&[mover, plies, next], stream) = words[3 * W..].split_first_chunk()?;
        let state = Sides::placed(men, mover.try_into().ok()?)?;
        self.now[i] = Position { state, plies: plies.try_into().ok()? };
        self.open[i] = Some(open).filter(|&open| !open.intersects(state.occupied()))?;
        (self.next[i], self.streams[i]) = (next, Rng::load(stream));
        Some(())
    }

    /// Writes all rows of a position but its scores.
    fn show(&self, i: usize, views: &mut Views<'_>) {
        let (Position { mut state, .. }, open) = (self.now[i], self.open[i]);
        let (mover, sites) = (state.mover().0 as i8, self.board.squares.len());
        let actions = self.board.mask.len();
        let mask = &mut views.mask[i * actions..(i + 1) * actions];
        let planes = &mut views.planes[i * 2 * sites..(i + 1) * 2 * sites];
        let codes = &self.board.codes;
        for (row, set) in [mask].into_iter().chain(planes.chunks_exact_mut(sites)).zip([
            open,
            state.men[0],
            state.men[1],
        ]) {
            row.fill(0);
            write(row, codes, set, set);
        }
        let goes_on = !open.is_empty();
        views.turns[i] = if goes_on { mover } else { -1 };
        views.progress[i] = match goes_on {
            true => Progress::Going,
            false if self.game.rules.open(Portable, &mut state).is_none() => Progress::Over,
            false => Progress::Capped,
        } as u8;
    }
}

/// Plays the chosen squares.
struct Step<'a, 'v, R: PlacementRules<W>, const W: usize> {
    placing: &'a mut Placing<R, W>,
    anew: bool,
    views: &'a mut Views<'v>,
}

impl<R: PlacementRules<W>, const W: usize> Task for Step<'_, '_, R, W> {
    type Output = ();

    const COMPILED_FOR: &'static [Instructions] = instructions(false, false);

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Step { placing, anew, views } = self;
        let Placing { game, job, board, start, first, now, open, streams, next, chosen } = placing;
        let rules = &game.rules;
        let sites = board.squares.len();
        let rows = (views.mask.chunks_exact_mut(board.mask.len()))
            .zip(views.planes.chunks_exact_mut(board.planes.len()))
            .zip(views.scores.as_chunks_mut::<2>().0)
            .zip(&mut *views.turns)
            .zip(&mut *views.progress);
        let heads = now.iter_mut().zip(open).zip(&*chosen).enumerate();
        for ((i, ((now, open), &square)), ((((mask, planes), scores), turn), progress)) in
            heads.zip(rows)
        {
            *scores = [0, 0];
            if open.is_empty() {
                continue;
            }
            let before = now.state.men;
            rules.place(cpu, &mut now.state, square);
            now.plies += 1;
            let found = rules.open(cpu, &mut now.state);
            let goes_on = found.is_some() && now.plies < job.cap;
            *progress = Progress::Going as u8;
            let after = match found {
                Some(open) if goes_on => open,
                _ => Bits::EMPTY,
            };
            if !goes_on {
                let over = found.is_none();
                *progress = if over { Progress::Over } else { Progress::Capped } as u8;
                if over {
                    rules.scores(&now.state).write_to(scores);
                }
                if anew {
                    streams[i] = Rng::stream(job.seed, next[i]);
                    next[i] = next[i].wrapping_add(job.stride);
                    *now = *start;
                    *open = *first;
                    mask.copy_from_slice(&board.mask);
                    planes.copy_from_slice(&board.planes);
                    *turn = start.state.mover().0 as i8;
                    continue;
                }
            }
            write(mask, &board.codes, *open ^ after, after);
            *open = after;
            let (first_plane, second_plane) = planes.split_at_mut(sites);
            let [first_men, second_men] = now.state.men;
            write(first_plane, &board.codes, first_men ^ before[0], first_men);
            write(second_plane, &board.codes, second_men ^ before[1], second_men);
            *turn = if goes_on { now.state.mover().0 as i8 } else { -1 };
        }
    }
}

/// Writes which squares are in a set, of those that may have changed.
#[inline(always)]
fn write<const W: usize>(row: &mut [u8], codes: &[u16], changed: Bits<W>, set: Bits<W>) {
    for (base, mut word) in (0..).step_by(64).zip(changed.words) {
        while word != 0 {
            let square = base + word.trailing_zeros();
            word &= word - 1;
            if let Some(&code) = codes.get(square as usize)
                && let Some(out) = row.get_mut(usize::from(code))
            {
                *out = u8::from(set.contains(square));
            }
        }
    }
}

/// Draws an open square of each position.
struct Draw<'a, const W: usize> {
    open: &'a [Bits<W>],
    streams: &'a mut [Rng],
    codes: &'a [u16],
    actions: &'a mut [i32],
}

impl<const W: usize> Task for Draw<'_, W> {
    type Output = ();

    const COMPILED_FOR: &'static [Instructions] = instructions(false, false);

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Draw { open, streams, codes, actions } = self;
        for ((out, open), stream) in actions.iter_mut().zip(open).zip(streams) {
            let count = open.len();
            *out = if count == 0 {
                -1
            } else {
                let square = open.select(cpu, draw(stream, count));
                match codes.get(square as usize) {
                    Some(&code) => i32::from(code),
                    None => -1,
                }
            };
        }
    }
}
