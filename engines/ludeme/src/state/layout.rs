//! The layout of states: offsets of their numbers and sets, fixed when a game is compiled.

use super::Bodies;
use crate::limits::MAX_ORDERED;

/// The further layers of a site, beside the component and the number of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Extra {
    pub(crate) state: i32,
    pub(crate) rotation: i32,
    pub(crate) value: i32,
}

/// The number and order of the pieces that a site can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Occupancy {
    /// One piece a site.
    Flat,
    /// A number of equal pieces a site.
    Counting,
    /// A stack of pieces a site.
    Stacking,
}

/// The further layers that the sites of a game have, because rules use them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Layers {
    pub(crate) state: bool,
    pub(crate) rotation: bool,
    pub(crate) value: bool,
}

/// The dimensions of a game.
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
    /// True if the state has the sites of the pieces after the set-up.
    pub(crate) starts: bool,
    /// True if the state has the properties that are hidden from players.
    pub(crate) hidden: bool,
    /// Number of local states, from 0 on, of which the state has sets of sites.
    pub(crate) local_states: usize,
}

/// Offsets of the numbers of a state. Numbers that the state lacks have offset 0, that of the
/// components.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Offsets {
    /// Number of sites of all containers; their components lie at 0.
    pub(crate) sites: usize,
    pub(crate) words: usize,
    /// Number of pieces on each site, if pieces are counted.
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
    /// The first unused level; each refers to the next one in its place for the level below.
    pub(crate) free: usize,
    /// Levels of stacks, from here to the end.
    pub(crate) pool: usize,
}

/// The layout of a state, fixed by the equipment and by the parts of states that the rules use.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The number and order of the pieces that a site can hold.
    pub(crate) occupancy: Occupancy,
    /// Owner of each component, 0 being the empty one.
    pub(crate) owner: Box<[u8]>,
    /// The dimensions of the game.
    pub(crate) sizes: Sizes,
    /// Index of the set of sites of each component.
    pub(crate) piece_set: Box<[u16]>,
    /// Offsets of the two sets that contain a site with a component: that of the component and that
    /// of its owner, which may be the same.
    pub(super) members: Box<[[usize; 2]]>,
    /// Number of sets that follow from the pieces on the sites.
    pub(crate) sets: usize,
    /// The form in which the state keeps the order of placing.
    order: PlacingOrder,
    /// The offsets of the numbers.
    pub(crate) at: Offsets,
    /// The cells that pieces cover, if some cover several.
    pub(crate) bodies: Option<Bodies>,
}

/// The form in which a state keeps the order in which pieces of a component were placed.
#[derive(Clone, PartialEq, Eq, Debug)]
enum PlacingOrder {
    /// The order is not kept, because nobody reads it.
    Unkept,
    /// Lists, for stacks, and if there would be too many numbers.
    Lists,
    /// Numbers: by component the offset of the number of its sites, which the sites follow; 0 for
    /// components without an order.
    Numbers(Box<[usize]>),
}

/// Index of the set of empty sites; that of owner `o` is `1 + o`.
pub(crate) const EMPTY: usize = 0;

/// Number of properties of a site that can be hidden.
pub(super) const KINDS: usize = 7;

/// Numbers in a level of a stack: component, level below, state, rotation and value.
pub(super) const LEVEL: usize = 5;

impl Layout {
    /// A layout for components with these owners, some of which have their order of placing kept.
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
                // The only component of an owner shares the set of the owner.
                let alone = owner.iter().skip(1).filter(|&&of_other| of_other == o).count() == 1;
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
            let offset = end;
            end += if used { size } else { 0 };
            if used { offset } else { 0 }
        };
        let mut at = Offsets {
            sites: sizes.sites,
            words: sizes.words,
            count: next(occupancy == Occupancy::Counting, sizes.sites),
            extra: next(layers && !stacking, 3 * sizes.sites),
            ..Offsets::default()
        };
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
        let bodies = None;
        let mut layout =
            Layout { occupancy, owner, sizes, piece_set, members, sets, order, at, bodies };
        // Dice have states, too, which do not belong to the position on the board.
        if at.extra != 0 && sizes.dice == 0 {
            layout.at.first_state = layout.remembered(sizes.lists);
            layout.at.states = sizes.local_states;
        }
        layout
    }

    /// True if code can hold the sets of the game.
    pub(crate) fn fits_code(&self) -> bool {
        self.sizes.words <= kernel::MAX_NATIVE_WORDS
    }

    /// True if the state keeps the order in which pieces of a component were placed.
    pub(crate) fn is_ordered(&self) -> bool {
        self.order != PlacingOrder::Unkept
    }

    /// True if that order is kept in lists.
    pub(crate) fn has_order_lists(&self) -> bool {
        self.order == PlacingOrder::Lists
    }

    /// Offset of that order among the numbers, by component: the number of sites, followed by the
    /// sites. It is 0 for components without an order; empty if the order is in no numbers at all.
    pub(crate) fn orders(&self) -> &[usize] {
        match &self.order {
            PlacingOrder::Numbers(orders) => orders,
            PlacingOrder::Unkept | PlacingOrder::Lists => &[],
        }
    }

    /// Offset of the order of one component, if it has one.
    pub(super) fn order(&self, component: usize) -> Option<usize> {
        self.orders().get(component).copied().filter(|&offset| offset > 0)
    }

    /// Stops keeping the order of placing.
    pub(crate) fn forget_order(&mut self) {
        self.order = PlacingOrder::Unkept;
    }

    /// Number of numbers before anything is placed.
    pub(super) fn numbers(&self) -> usize {
        let orders = self.orders().iter().filter(|&&offset| offset > 0).count();
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

    /// Index of the set of sites of a component after the set-up, if the state has these sets.
    pub(crate) fn start(&self, component: usize) -> usize {
        self.sets + 2 + component
    }

    /// Index of the set of sites of which a property is hidden from a player, if the state has
    /// these sets. `kind` is the number of the bit of a
    /// [`HiddenData`](crate::percepts::HiddenData).
    pub(crate) fn hidden(&self, kind: u32, player: usize) -> usize {
        self.start(self.starts()) + kind as usize * self.sizes.players + player - 1
    }

    /// Index of the set of remembered values of a list that are numbers of sites.
    pub(crate) fn remembered(&self, list: usize) -> usize {
        let hidden = if self.sizes.hidden { KINDS * self.sizes.players } else { 0 };
        self.start(self.starts()) + hidden + list
    }

    /// Number of sets of the sites of components after the set-up.
    fn starts(&self) -> usize {
        if self.sizes.starts { self.owner.len() } else { 0 }
    }

    /// Number of all sets. Beside those that follow from the pieces there are the pending sites,
    /// those visited in a turn, those of each component after the set-up, those hidden from each
    /// player, remembered values, and the sites in each local state.
    pub(super) fn all_sets(&self) -> usize {
        self.remembered(self.sizes.lists) + self.at.states
    }

    /// Index of the set of sites in local state 0, and the number of such sets, one for each state.
    pub(crate) fn local_states(&self) -> (usize, usize) {
        (self.at.first_state, self.at.states)
    }
}
