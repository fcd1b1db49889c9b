//! Numbers that depend on tracks.

use super::Eval;
use crate::ir::{Bool, Int, Iter, TrackChoice};

impl Eval<'_> {
    /// The first site of a track where a condition holds, from a site on; -1 without one.
    pub(super) fn first_on_track(
        &mut self,
        tracks: &TrackChoice,
        from: Option<&Int>,
        condition: Option<&Bool>,
    ) -> i32 {
        let from = from.map(|f| self.int(f));
        let game = self.game;
        let Some(track) = self.track(tracks).and_then(|t| game.world.tracks.get(t)) else {
            return -1;
        };
        let start = match from {
            None => Some(0),
            Some(from) => track.place(from),
        };
        let Some(start) = start else { return -1 };
        let old = self.get(Iter::To);
        let n = track.sites.len();
        let found = (start..start + n).map(|i| track.sites[i % n]).find(|&site| {
            self.set(Iter::To, site);
            condition.is_none_or(|c| self.test(c))
        });
        self.set(Iter::To, old);
        found.unwrap_or(-1)
    }

    /// The last site of a track.
    pub(super) fn track_end(&mut self, tracks: &TrackChoice) -> i32 {
        let track = self.track(tracks).and_then(|t| self.game.world.tracks.get(t));
        track.and_then(|t| t.sites.last()).copied().unwrap_or(-1)
    }

    /// Steps along a track from the first place of a site on to the next of another.
    pub(super) fn steps_on_track(&mut self, tracks: &TrackChoice, from: &Int, to: &Int) -> i32 {
        let (from, to) = (self.int(from), self.int(to));
        let game = self.game;
        let track = self.track(tracks).and_then(|t| game.world.tracks.get(t));
        let Some((track, start)) = track.and_then(|t| Some((t, t.place(from)?))) else { return -1 };
        let length = track.sites.len();
        let most = if track.looped { length } else { length - start };
        let steps = (0..most).find(|step| track.sites[(start + step) % length] == to);
        steps.map_or(-1, |steps| steps as i32)
    }

    /// The track meant, by index.
    pub(super) fn track(&mut self, tracks: &TrackChoice) -> Option<usize> {
        match tracks {
            TrackChoice::One(index) => *index,
            TrackChoice::ByMover(list) => *list.get(usize::from(self.turns.mover))?,
            TrackChoice::Of(who, list) => {
                let who = self.site(who)?;
                *list.get(who)?
            }
        }
    }

    pub(super) fn track_move(&mut self, tracks: &TrackChoice, from: &Int, steps: &Int) -> i32 {
        let (from, steps) = (self.int(from), self.int(steps));
        let steps = steps.max(0) as usize;
        let game = self.game;
        let Some(number) = self.track(tracks) else { return -1 };
        let Some(track) = game.world.tracks.get(number) else { return -1 };
        let n = track.sites.len();
        if n == 0 {
            return -1;
        }
        // A site that is not on the track counts as the place before the first one, one turn on.
        let at = self.place_on_track(number, from).unwrap_or(n);
        let to = at.saturating_add(steps);
        if to < n {
            track.sites[to]
        } else if track.looped {
            track.sites[to % n]
        } else {
            -1
        }
    }
}
