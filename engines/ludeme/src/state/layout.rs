//! Where a state keeps what: offsets that are fixed when a game is compiled.

use crate::limits::MAX_ORDERED;

/// What a site holds beside the component and its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Extra {
    pub(crate) state: i32,
    pub(crate) rotation: i32,
    pub(crate) value: i32,
}

/// How sites hold pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Occupancy {
    /// One piece a site.
    Flat,
    /// A number of equal pieces a site.
    Counting,
    /// A stack of pieces a site.
    Stacking,
}

/// The layers beside the component that sites have, where the rules use them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Layers {
    pub(crate) state: bool,
    pub(crate) rotation: bool,
    pub(crate) value: bool,
}

/// How much of everything a game has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes {
    pub(crate) players: usize,
    pub(crate) sites: usize,
    /// Words of a set of sites.
    pub(crate) words: usize,
    pub(crate) vars: usize,
    pub(crate) dice: usize,
    /// Lists of remembered values.
    pub(crate) lists: usize,
    /// True if the places of the pieces after the set-up are kept.
    pub(crate) starts: bool,
    /// True if what is hidden from whom is kept.
    pub(crate) hidden: bool,
    /// Local states of which the sites are kept as sets, from 0 on.
    pub(crate) local_states: usize,
    /// True if the hash of what stands on the sites is kept up to date.
    pub(crate) hashed: bool,
}

/// Where the numbers of a state lie. What is not kept has the offset 0, where the components are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Offsets {
    /// Sites of all containers; their components lie at 0.
    pub(crate) sites: usize,
    pub(crate) words: usize,
    /// Pieces on each site, where they are counted.
    pub(crate) count: usize,
    /// State, rotation and value of each site, one after the other.
    pub(crate) extra: usize,
    /// The set of the sites in local state 0, and how many more follow it: a set for each state.
    pub(super) first_state: usize,
    pub(super) states: usize,
    pub(crate) scores: usize,
    pub(crate) values: usize,
    pub(crate) vars: usize,
    pub(crate) dice: usize,
    /// Height of the stack on each site.
    pub(crate) height: usize,
    /// Topmost level of each stack: an offset, or 0 for none.
    pub(crate) top: usize,
    /// The first level that is not used, and so on by the level below.
    pub(crate) free: usize,
    /// Levels of stacks, from here to the end.
    pub(crate) pool: usize,
    /// Numbers below this one are part of the position: its hash is kept up to date.
    pub(crate) hashed: usize,
}

/// How a state is laid out: fixed by the equipment and by what the rules use.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// How sites hold pieces.
    pub(crate) occupancy: Occupancy,
    /// Owner of each component, 0 being the empty one.
    pub(crate) owner: Box<[u8]>,
    /// How much there is of everything.
    pub(crate) sizes: Sizes,
    /// Index of the set of sites of each component.
    pub(crate) piece_set: Box<[u16]>,
    /// Where the sets begin that a site is in that holds a component: the set of the component and
    /// that of its owner, which may be the same.
    pub(super) members: Box<[[usize; 2]]>,
    /// Number of sets that follow from what stands on the sites.
    pub(crate) sets: usize,
    /// How the order is kept in which pieces of a component were placed.
    order: PlacingOrder,
    /// Where the numbers lie.
    pub(crate) at: Offsets,
}

/// How the order is kept in which pieces of a component were placed.
#[derive(Clone, PartialEq, Eq, Debug)]
enum PlacingOrder {
    /// Nobody asks for it.
    Unkept,
    /// In lists: of stacks, and where it would be too many numbers.
    Lists,
    /// Among the numbers. By component, where how many sites there are is followed by these; 0 for
    /// one of which it is not kept.
    Numbers(Box<[usize]>),
}

/// Index of the set of empty sites; that of owner `o` is `1 + o`.
pub(crate) const EMPTY: usize = 0;

/// Kinds of what can be hidden of a site.
pub(super) const KINDS: usize = 7;

/// Numbers that a level of a stack takes: component, level below, state, rotation and value.
pub(super) const LEVEL: usize = 5;

impl Layout {
    /// A layout for components with these owners, of which some are kept in order.
    pub(crate) fn new(
        owner: &[u8],
        occupancy: Occupancy,
        layers: Layers,
        in_order: &[u16],
        sizes: Sizes,
    ) -> Layout {
        let owners = sizes.players + 2;
        let mut sets = 1 + owners;
        let piece_set = owner
            .iter()
            .enumerate()
            .map(|(c, &o)| {
                // The only component of an owner shares the owner's set.
                let alone = owner.iter().skip(1).filter(|&&other| other == o).count() == 1;
                if c == 0 {
                    EMPTY as u16
                } else if alone {
                    1 + u16::from(o)
                } else {
                    sets += 1;
                    sets as u16 - 1
                }
            })
            .collect::<Box<[u16]>>();
        let members =
            owner.iter().zip(&piece_set).enumerate().map(|(component, (&owner, &piece))| {
                let owner =
                    if component == 0 { EMPTY } else { Layout::owner_set(usize::from(owner)) };
                [usize::from(piece) * sizes.words, owner * sizes.words]
            });
        let members = members.collect();
        let stacking = occupancy == Occupancy::Stacking;
        let layers = layers.state || layers.rotation || layers.value;
        let mut end = sizes.sites;
        let mut next = |used: bool, size: usize| {
            let at = end;
            end += if used { size } else { 0 };
            if used { at } else { 0 }
        };
        let mut at = Offsets {
            sites: sizes.sites,
            words: sizes.words,
            count: next(occupancy == Occupancy::Counting, sizes.sites),
            extra: next(layers && !stacking, 3 * sizes.sites),
            ..Offsets::default()
        };
        let of_sites = next(true, 0);
        at.hashed = if sizes.hashed && !stacking { of_sites } else { 0 };
        at.scores = next(true, owners);
        at.values = next(true, owners);
        at.vars = next(true, sizes.vars);
        at.dice = next(true, sizes.dice);
        at.height = next(stacking, sizes.sites);
        at.top = next(stacking, sizes.sites);
        at.free = next(stacking, 1);
        at.pool = next(true, 0);
        let order = if in_order.is_empty() {
            PlacingOrder::Unkept
        } else if stacking || in_order.len() * sizes.sites > MAX_ORDERED {
            PlacingOrder::Lists
        } else {
            let is_kept = |c: u16| c > 0 && in_order.contains(&c);
            let components = 0..owner.len() as u16;
            PlacingOrder::Numbers(components.map(|c| next(is_kept(c), 1 + sizes.sites)).collect())
        };
        let owner = owner.into();
        let mut layout = Layout { occupancy, owner, sizes, piece_set, members, sets, order, at };
        // Dice have states, too, which are no part of the board.
        if at.extra != 0 && sizes.dice == 0 {
            layout.at.first_state = layout.remembered(sizes.lists);
            layout.at.states = sizes.local_states;
        }
        layout
    }

    /// True if the order in which pieces of a component were placed is kept.
    pub(crate) fn is_ordered(&self) -> bool {
        self.order != PlacingOrder::Unkept
    }

    /// True if that order is kept in lists.
    pub(crate) fn has_order_lists(&self) -> bool {
        self.order == PlacingOrder::Lists
    }

    /// Where that order begins among the numbers, by component: how many sites there are, and then
    /// these; 0 where it is not there, and nothing where it is not for any.
    pub(crate) fn orders(&self) -> &[usize] {
        match &self.order {
            PlacingOrder::Numbers(orders) => orders,
            PlacingOrder::Unkept | PlacingOrder::Lists => &[],
        }
    }

    /// The same of one component, if it is there.
    pub(super) fn order(&self, component: usize) -> Option<usize> {
        self.orders().get(component).copied().filter(|&at| at > 0)
    }

    /// Keeps no order of placing from now on.
    pub(crate) fn forget_order(&mut self) {
        self.order = PlacingOrder::Unkept;
    }

    /// How many numbers there are before anything is placed.
    pub(super) fn numbers(&self) -> usize {
        let orders = self.orders().iter().filter(|&&at| at > 0).count();
        self.at.pool + orders * (1 + self.at.sites)
    }

    /// Index of the set of sites of an owner.
    #[inline(always)]
    pub(crate) fn owner_set(owner: usize) -> usize {
        1 + owner
    }

    /// Index of the set of pending sites.
    pub(crate) fn pending(&self) -> usize {
        self.sets
    }

    /// Index of the set of sites visited in a turn.
    pub(crate) fn visited(&self) -> usize {
        self.sets + 1
    }

    /// Index of the set of sites of a component after the set-up, where that is kept.
    pub(crate) fn start(&self, component: usize) -> usize {
        self.sets + 2 + component
    }

    /// Index of the set of sites of which something is hidden from a player, where that is kept: by
    /// the number of the bit of a [`HiddenData`](crate::percepts::HiddenData).
    pub(crate) fn hidden(&self, kind: u32, player: usize) -> usize {
        self.start(self.starts()) + kind as usize * self.sizes.players + player - 1
    }

    /// Index of the set of remembered values of a list that are numbers of sites.
    pub(crate) fn remembered(&self, list: usize) -> usize {
        let hidden = if self.sizes.hidden { KINDS * self.sizes.players } else { 0 };
        self.start(self.starts()) + hidden + list
    }

    /// Number of sets of the places of components after the set-up.
    fn starts(&self) -> usize {
        if self.sizes.starts { self.owner.len() } else { 0 }
    }

    /// Number of sets, those included that are set by the rules: the pending sites, those visited
    /// in a turn, those of each component after the set-up, those hidden from each player,
    /// remembered values, and those in each local state.
    pub(super) fn all_sets(&self) -> usize {
        self.remembered(self.sizes.lists) + self.at.states
    }

    /// Index of the set of sites in local state 0, and how many such sets there are, by state.
    pub(crate) fn local_states(&self) -> (usize, usize) {
        (self.at.first_state, self.at.states)
    }
}
