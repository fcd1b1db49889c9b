//! A position with its legal actions and their codes, forced passes played: what lock-step shows.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::any_state::AnyState;
use crate::chance::Chance;
use crate::code_book::CodeBook;
use crate::encoding::write_set;
use crate::lockstep::Progress;
use crate::numbers::{Numbers, PerceivedSites};
use crate::percepts::Percepts;
use crate::position::MAX_FORCED_PASSES;
use crate::scores::{Player, Turn};
use crate::site_list::{SiteList, SiteTurn};

/// One position of a game.
pub(crate) struct CodedPosition {
    pub(crate) state: Box<dyn AnyState>,
    /// The codes of the legal actions, in their order; none where it does not go on, or where they
    /// are sites.
    pub(crate) codes: Vec<u32>,
    /// The legal actions as sites, if `is_by_sites`, else memory.
    sites: SiteList,
    is_by_sites: bool,
    turn: Turn,
    pub(crate) progress: Progress,
    is_hidden: bool,
    /// Empty where nothing is hidden.
    seen: PerceivedSites,
}

/// Memory that positions share as they go on.
#[derive(Clone)]
pub(crate) struct CodingBuffers {
    /// The percepts of a ply, until they are noted.
    told: Percepts,
    book: CodeBook,
    /// The code of the first site for each family of actions on sites; `None` where the others do
    /// not follow it.
    bases: Vec<(u32, Option<u32>)>,
    /// Lists of sites are asked for as long as this is not 0: where there is none it gets less.
    trust: u32,
}

impl CodingBuffers {
    pub(crate) fn new(numbers: &Numbers) -> CodingBuffers {
        CodingBuffers {
            told: Percepts::on_sites(Arc::clone(&numbers.sites)),
            book: CodeBook::new(numbers.encoding.actions.len()),
            bases: Vec::new(),
            trust: 0,
        }
    }

    /// The most trust in lists of sites, and what one of them adds to it and a missing one takes.
    const TRUST: u32 = 64;
    const FOUND: u32 = 1;
    const MISSED: u32 = 4;

    /// The same for positions whose actions may be listed as sites.
    #[must_use]
    pub(crate) fn with_sites(mut self, state: &dyn AnyState) -> CodingBuffers {
        let facts = state.facts();
        self.trust = if facts.hidden || facts.chance { 0 } else { CodingBuffers::TRUST };
        self
    }

    /// The code of the first site of a family of actions, which the others follow.
    fn base(&mut self, numbers: &Numbers, state: &dyn AnyState, family: u32) -> Option<u32> {
        if let Some(&(_, base)) = self.bases.iter().find(|(known, _)| *known == family) {
            return base;
        }
        let code = |site: usize| numbers.code(&state.site_label(family, site as u32));
        let first = code(0);
        let follows = |site: usize| u64::from(code(site)) == u64::from(first) + site as u64;
        let base = (0..numbers.encoding.sites.len()).all(follows).then_some(first);
        self.bases.push((family, base));
        base
    }
}

impl Clone for CodedPosition {
    fn clone(&self) -> CodedPosition {
        let CodedPosition { state, codes, sites, seen, .. } = self;
        let (state, codes, seen) = (state.copy(), codes.clone(), seen.clone());
        let CodedPosition { is_by_sites, turn, progress, is_hidden, .. } = *self;
        let sites = sites.clone();
        CodedPosition { state, codes, sites, is_by_sites, turn, progress, is_hidden, seen }
    }
}

impl CodedPosition {
    /// One that is over, to [begin](CodedPosition::begin) in, with any state of the game.
    pub(crate) fn new(state: Box<dyn AnyState>, numbers: &Numbers) -> CodedPosition {
        CodedPosition {
            codes: Vec::new(),
            sites: SiteList::default(),
            is_by_sites: false,
            turn: Turn::Over,
            progress: Progress::Over,
            is_hidden: state.facts().hidden,
            seen: PerceivedSites::new(numbers, state.facts().perceiving()),
            state,
        }
    }

    /// Begins a playout, which may be at the cap at once.
    pub(crate) fn begin(
        &mut self,
        numbers: &Numbers,
        chance: &mut dyn Chance,
        at_cap: bool,
        buffers: &mut CodingBuffers,
    ) {
        self.state.restart(chance);
        if self.is_hidden {
            self.seen.clear();
            buffers.told.clear();
            self.state.start_percepts(&mut buffers.told);
            self.seen.note(&buffers.told);
        }
        if !self.lists_sites(numbers, at_cap, buffers) {
            self.look(numbers, chance, at_cap, buffers);
        }
    }

    /// Plays the legal action of a place in the list, after which the cap may be reached.
    pub(crate) fn play(
        &mut self,
        numbers: &Numbers,
        place: usize,
        chance: &mut dyn Chance,
        at_cap: bool,
        buffers: &mut CodingBuffers,
    ) {
        if let (Turn::Move(player), true) = (self.turn, self.is_hidden) {
            self.seen.chose(numbers, player, self.codes[place] as usize);
        }
        let are_listed = if self.is_by_sites {
            let CodedPosition { state, sites, .. } = self;
            let (family, site) = (sites.family, sites.site(place));
            let turn = state.apply_site([family, site, place as u32], &mut sites.words);
            self.takes_sites(turn, numbers, at_cap, buffers)
        } else {
            self.apply(place, chance, buffers);
            self.lists_sites(numbers, at_cap, buffers)
        };
        if !are_listed {
            self.look(numbers, chance, at_cap, buffers);
        }
    }

    /// Lists what is legal as sites; false where that is something else.
    fn lists_sites(
        &mut self,
        numbers: &Numbers,
        at_cap: bool,
        buffers: &mut CodingBuffers,
    ) -> bool {
        if buffers.trust == 0 {
            self.is_by_sites = false;
            return false;
        }
        let turn = self.state.list_sites(&mut self.sites.words);
        self.takes_sites(turn, numbers, at_cap, buffers)
    }

    /// Takes over what has been listed as sites; false where nothing has been.
    fn takes_sites(
        &mut self,
        listed: Option<SiteTurn>,
        numbers: &Numbers,
        at_cap: bool,
        buffers: &mut CodingBuffers,
    ) -> bool {
        self.is_by_sites = false;
        let is_over = |listed: &SiteTurn| listed.turn == Turn::Over;
        let base = listed
            .filter(|listed| !is_over(listed))
            .and_then(|SiteTurn { family, .. }| buffers.base(numbers, &*self.state, family));
        let Some(SiteTurn { turn, family }) = listed.filter(|it| is_over(it) || base.is_some())
        else {
            buffers.trust = buffers.trust.saturating_sub(CodingBuffers::MISSED);
            return false;
        };
        buffers.trust = (buffers.trust + CodingBuffers::FOUND).min(CodingBuffers::TRUST);
        self.codes.clear();
        self.turn = turn;
        self.progress = match base {
            None => Progress::Over,
            Some(_) if at_cap => Progress::Capped,
            Some(base) => {
                self.sites.take(family, base, numbers.encoding.sites.len());
                self.is_by_sites = true;
                Progress::Going
            }
        };
        true
    }

    /// The number of legal actions.
    #[inline]
    pub(crate) fn legal(&self) -> usize {
        if self.is_by_sites { self.sites.len() } else { self.codes.len() }
    }

    /// The code of the legal action of a place in the list.
    #[inline]
    pub(crate) fn code(&self, place: usize) -> u32 {
        if self.is_by_sites { self.sites.code(place) } else { self.codes[place] }
    }

    /// The part of a mask that shows all that is legal, if actions are sites: it is written as a
    /// whole.
    pub(crate) fn shown_part(&self) -> Option<Range<usize>> {
        self.is_by_sites.then(|| self.sites.part())
    }

    /// Plays a ply or a forced pass.
    fn apply(&mut self, place: usize, chance: &mut dyn Chance, buffers: &mut CodingBuffers) {
        if !self.is_hidden {
            return self.state.apply(place, chance, None);
        }
        buffers.told.clear();
        self.state.apply(place, chance, Some(&mut buffers.told));
        self.seen.note(&buffers.told);
    }

    /// Lists and codes what is legal, forced passes played.
    fn look(
        &mut self,
        numbers: &Numbers,
        chance: &mut dyn Chance,
        at_cap: bool,
        buffers: &mut CodingBuffers,
    ) {
        self.list(chance, at_cap, buffers);
        self.codes.clear();
        if self.progress == Progress::Going {
            numbers.codes_by_keys(&*self.state, &mut buffers.book, &mut self.codes);
            if self.seen.is_lost || self.codes.contains(&u32::MAX) {
                self.codes.clear();
                self.progress = Progress::Uncoded;
            }
        }
    }

    fn list(&mut self, chance: &mut dyn Chance, at_cap: bool, buffers: &mut CodingBuffers) {
        for passes in 0..=MAX_FORCED_PASSES {
            self.turn = self.state.list();
            self.progress = match (self.turn, self.state.actions()) {
                (Turn::Over, _) => Progress::Over,
                (_, 0) => Progress::Stuck,
                (_, 1) if self.state.is_pass(0) => {
                    if passes == MAX_FORCED_PASSES {
                        break;
                    }
                    self.apply(0, chance, buffers);
                    continue;
                }
                _ if at_cap => Progress::Capped,
                _ => Progress::Going,
            };
            return;
        }
        self.progress = Progress::Capped;
    }

    /// The player who chooses, or -1.
    pub(crate) fn turn(&self) -> i8 {
        match self.turn {
            Turn::Move(player) if self.progress == Progress::Going => player.0 as i8,
            _ => -1,
        }
    }

    /// A hash by which positions are told apart that have another future, or show something else.
    pub(crate) fn key_hash(&self) -> u64 {
        FxBuildHasher.hash_one((self.state.key_hash(), &self.seen))
    }

    /// True if another position has the same future, and shows the same.
    pub(crate) fn is_like(&self, other: &CodedPosition) -> bool {
        self.seen == other.seen && self.state.has_key_of(other.state.state())
    }

    /// The place in the list of the legal action that has a code.
    #[inline]
    pub(crate) fn place(&self, code: i32) -> Option<usize> {
        if self.is_by_sites {
            return self.sites.place(code);
        }
        self.codes.iter().position(|&legal| i64::from(legal) == i64::from(code))
    }

    /// Writes what whoever chooses sees.
    #[inline]
    pub(crate) fn write_planes(&self, numbers: &Numbers, planes: &mut [u8]) {
        if !self.is_hidden {
            self.state.planes(planes);
        } else if let Ok(player) = u8::try_from(self.turn()) {
            self.seen.write(numbers, Player(player), planes);
        } else {
            planes.fill(0);
        }
    }

    /// Writes what is legal into a row that shows nothing else.
    #[inline]
    pub(crate) fn write_mask(&self, mask: &mut [u8]) {
        match self.shown_part().and_then(|part| mask.get_mut(part)) {
            Some(part) => write_set(&self.sites.words, part),
            None => write_mask(&self.codes, mask),
        }
    }
}

/// Writes codes of legal actions into a row that shows nothing else.
#[inline]
pub(crate) fn write_mask(codes: &[u32], mask: &mut [u8]) {
    for &code in codes {
        if let Some(entry) = mask.get_mut(code as usize) {
            *entry = 1;
        }
    }
}
