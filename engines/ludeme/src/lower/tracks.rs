//! Tracks: named sequences of sites on a board.

use crate::board::{Direction, SiteType, Topology};
use crate::front::{Arg, Call, Label, Name, Value, Word};
use crate::ir::{Int, Iter, TrackChoice};
use crate::limits::MAX_TRACK;
use crate::world::{Crossing, Track, World};

use super::places::{need, owner};
use super::{Lower, Lowered, Problem, invalid, missing, shape, unsupported};

/// All tracks of a board, in the order of the text.
pub(super) fn tracks(world: &mut World, board: &Call) -> Lowered<()> {
    if board.name() == Name::SurakartaBoard {
        return surakarta(world, board);
    }
    if board.name() == Name::Boardless {
        return Ok(());
    }
    for track in board.items(Label::Tracks).iter().filter_map(Arg::as_call) {
        let steps = need(track, Label::Steps)?;
        let sites = match &steps.value {
            Value::Text(text) => track_from_text(world, steps, text)?,
            _ => {
                let mut sites = Vec::new();
                for item in steps.items() {
                    let site = shape::dim(item)?;
                    sites.push(site.clamp(-2, i64::from(u16::MAX)) as i32);
                }
                sites
            }
        };
        let role = track.arg(Label::Owner);
        let owner = match role.map(|r| &r.value) {
            Some(Value::Int(n)) => (*n).clamp(0, 255) as u8,
            Some(Value::Constant(c)) => match c.word() {
                Word::Shared | Word::All | Word::Each => 0,
                name => owner(name, world.players),
            },
            _ => 0,
        };
        let name = track.text(Label::Name).unwrap_or_default().to_owned();
        let looped = track.flag(Label::Loop).unwrap_or(false);
        world.tracks.push(made(name, owner, looped, sites));
    }
    Ok(())
}

/// A track over these sites, of which repetitions in a row become one.
fn made(name: String, owner: u8, looped: bool, mut sites: Vec<i32>) -> Track {
    let written = sites.len();
    let bends = sites.chunk_by(|a, b| a == b).map(|same| same.len() > 1).collect();
    sites.dedup();
    let mut sorted = sites.clone();
    sorted.sort_unstable();
    let internal = sites.len() == written && sorted.windows(2).any(|w| w[0] == w[1]);
    Track::new(name, owner, looped, internal, sites, bends)
}

/// Makes the loops of a Surakarta board, each in both directions: along a row, up a column, back
/// along a row and down a column, through arcs outside of the board.
fn surakarta(world: &mut World, board: &Call) -> Lowered<()> {
    let vertex = SiteType::Vertex;
    let topology = &world.topology;
    let extent = |value: fn(&Topology, SiteType, usize) -> Option<i32>| {
        (0..topology.sites()).filter_map(|s| value(topology, vertex, s)).max().unwrap_or(-1) + 1
    };
    let (rows, columns) = (extent(Topology::row), extent(Topology::column));
    if rows * columns != topology.sites() as i32 {
        return Err(unsupported(board));
    }
    let first = board.int(Label::From).unwrap_or(1);
    let loops = board.int(Label::Loops).unwrap_or((rows.min(columns) - 2) / 2);
    let within = 0..rows.min(columns);
    if !within.contains(&first) || !(0..=rows.min(columns) - first).contains(&loops) {
        return Err(missing(board, Label::Loops));
    }
    for n in first..first + loops {
        let row = |y: i32| (0..columns).map(move |x| y * columns + x);
        let column = |x: i32| (0..rows).map(move |y| y * columns + x);
        let segments: [Vec<i32>; 4] = [
            row(n).collect(),
            column(columns - 1 - n).collect(),
            row(rows - 1 - n).rev().collect(),
            column(n).rev().collect(),
        ];
        // The end of each segment is passed twice: before the arc and after it.
        let joined = |segments: &mut dyn Iterator<Item = Vec<i32>>| -> Vec<i32> {
            segments
                .flat_map(|mut segment| {
                    segment.extend(segment.last().copied());
                    segment
                })
                .collect()
        };
        let forward = joined(&mut segments.iter().cloned());
        let reversed = segments.iter().rev().map(|s| s.iter().rev().copied().collect());
        let backward = joined(&mut { reversed });
        for (letter, sites) in [("F", forward), ("B", backward)] {
            world.tracks.push(made(format!("Track{n}{letter}"), 0, true, sites));
        }
    }
    Ok(())
}

/// Expands a track written as a start and directions, such as `"0,E,N,W"`.
fn track_from_text(world: &World, arg: &Arg, text: &str) -> Lowered<Vec<i32>> {
    let wrong = |token: &str| {
        invalid(arg, "track-step", format!("`{token}` is no site, direction or `End`"))
    };
    let mut sites: Vec<i32> = Vec::new();
    let text = text.trim_end_matches(',');
    for token in text.split(',').map(str::trim) {
        if let Ok(site) = token.parse::<i32>() {
            sites.push(site);
        } else if token == "End" {
            sites.push(-2);
        } else {
            let letters = token.trim_end_matches(|c: char| c.is_ascii_digit());
            let count = token[letters.len()..].parse::<usize>().ok();
            let direction = Direction::named(letters).filter(|d| d.is_facing());
            let direction = direction.ok_or_else(|| wrong(token))?;
            let current = sites.last().and_then(|&s| usize::try_from(s).ok());
            let current = current.filter(|&s| s < world.topology.sites());
            let radials = current.map_or(&[][..], |s| world.topology.radials(s, direction));
            for radial in radials {
                let steps = &radial.path[1..];
                let taken = &steps[..count.unwrap_or(steps.len()).min(steps.len())];
                sites.extend(taken.iter().map(|&s| i32::from(s)));
            }
        }
        if sites.len() > MAX_TRACK {
            return Err(Problem::TooLarge("a track of more than 100,000 sites".to_owned()));
        }
    }
    Ok(sites)
}

/// A choice among tracks by a player.
fn by_player(world: &World, player: Int, track: impl Fn(u8) -> Option<usize>) -> TrackChoice {
    let tracks = || (0..=world.players as u8 + 1).map(&track).collect();
    match (player.constant(), player) {
        (Some(p), _) => TrackChoice::One(track(p.clamp(0, 255) as u8)),
        (None, Int::Mover) => TrackChoice::ByMover(tracks()),
        (None, player) => TrackChoice::Of(Box::new(player), tracks()),
    }
}

/// The first track of a name and an owner, each only if it is given. With a name, owner 0
/// stands for any owner; without one, players without a track get that of owner 0.
pub(super) fn first_track(world: &World, name: Option<&str>, player: Option<Int>) -> TrackChoice {
    let tracks = &world.tracks;
    let find = |owner: Option<u8>| {
        tracks.iter().position(|t| {
            name.is_none_or(|n| t.name.contains(n)) && owner.is_none_or(|o| t.owner == o)
        })
    };
    match (name, player) {
        (_, None) => TrackChoice::One(find(None)),
        (Some(_), Some(player)) => by_player(world, player, |p| find(Some(p).filter(|&p| p != 0))),
        (None, Some(player)) => {
            by_player(world, player, |p| find(Some(p)).or_else(|| find(Some(0))))
        }
    }
}

impl<'c> Lower<'c> {
    pub(super) fn track_site(&mut self, call: &'c Call) -> Lowered<Int> {
        let who = call.find(Label::Who);
        let name = who.and_then(Arg::as_text).or_else(|| {
            call.args.iter().filter(|a| a.label == Label::Track).find_map(Arg::as_text)
        });
        let player = match who {
            Some(arg) if arg.as_text().is_none() => Some(self.who(arg)?),
            _ => None,
        };
        if call.name() == Name::TrackSiteEndSite {
            return Ok(Int::TrackEnd { tracks: first_track(&self.world, name, player) });
        }
        if call.name() == Name::TrackSiteFirstSite {
            return Ok(Int::TrackFirst {
                tracks: first_track(&self.world, name, player),
                from: self.int_opt(call, Label::From)?.map(Box::new),
                condition: self.condition(call, Label::If)?,
            });
        }
        let player = player.unwrap_or(Int::Mover);
        let tracks = &self.world.tracks;
        let named = |owner: Option<u8>| {
            tracks.iter().position(|t| {
                name.is_none_or(|n| t.name.contains(n)) && owner.is_none_or(|o| t.owner == o)
            })
        };
        let of_player = |p: u8| match name {
            Some(_) => named(Some(p)).or_else(|| named(None)),
            None => named(Some(p)).or_else(|| named(Some(0))),
        };
        let choice = by_player(&self.world, player, of_player);
        self.follow_crossings()?;
        let from = Box::new(self.int_or(call, Label::From, Int::Iter(Iter::From))?);
        Ok(Int::TrackMove {
            tracks: choice,
            from,
            steps: Box::new(self.int_at(call, Label::Steps)?),
        })
    }

    /// Makes the variables with the places of pieces on tracks that cross themselves.
    fn follow_crossings(&mut self) -> Lowered<()> {
        const MOST: usize = 20_000;
        if !self.world.crossings.is_empty() {
            return Ok(());
        }
        for track in 0..self.world.tracks.len() {
            let Track { internal, looped, .. } = self.world.tracks[track];
            if !internal || looped {
                continue;
            }
            let crossing = Crossing::new(&self.world, track, self.rules.names.vars.len());
            let count = crossing.slot_count * crossing.components.len();
            if self.rules.names.vars.len() + count > MOST {
                let text = "too many pieces on tracks that cross themselves";
                return Err(Problem::TooLarge(text.to_owned()));
            }
            self.rules.names.vars.extend((0..count).map(|_| Crossing::VAR.to_owned()));
            self.world.crossings.push(crossing);
        }
        Ok(())
    }

    /// The track that a ludeme names exactly, or by a part of its name and an owner.
    pub(super) fn track_choice(&self, name: Option<&str>, owner: Option<Int>) -> TrackChoice {
        let tracks = &self.world.tracks;
        match (name, owner) {
            (None, None) => TrackChoice::One((!tracks.is_empty()).then_some(0)),
            (Some(name), None) => TrackChoice::One(tracks.iter().position(|t| t.name == name)),
            (name, Some(owner)) => by_player(&self.world, owner, |p| {
                let fits = |n: &str| name.is_none_or(|wanted| n.contains(wanted));
                tracks.iter().position(|t| t.owner == p && fits(&t.name))
            }),
        }
    }
}
