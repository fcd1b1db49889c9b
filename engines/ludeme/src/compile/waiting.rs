//! Actions that wait until an effect has been evaluated, and their kinds.

use std::collections::BTreeSet;

use kernel::ir::{Expr, Local};

use crate::ir::Layer;

/// Numbers of an action that waits: its kind, and three more.
pub(super) const OF_ACT: usize = 4;

/// A local state that is not given.
pub(super) const NOT_GIVEN: i32 = i32::MIN;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident,)*) => {
        /// Actions of which code is made, with the numbers that they have.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub(super) enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            pub(super) const ALL: &[Kind] = &[$(Kind::$kind),*];
        }
    };
}

kinds! {
    /// Site, component, local state or [`NOT_GIVEN`].
    Add,
    /// Site.
    Remove,
    /// Site and level.
    RemoveLevel,
    /// Site.
    Defer,
    /// Origin and destination.
    MoveTop,
    /// Origin and destination; in stacks the piece keeps its further layers.
    MoveKeeping,
    MoveStack,
    /// Origin, destination, level; without a level, which is negative then, the top piece.
    MoveLevel,
    Copy,
    /// Origin, destination, number of pieces.
    MoveCount,
    /// Origin, destination, number of seeds.
    Seed,
    /// Site and component.
    Promote,
    /// Player.
    SetNext,
    /// Variable and value.
    SetVar,
    /// Value.
    SetCounter,
    /// Player and value.
    SetScore,
    AddScore,
    SetPlayerValue,
    /// Site.
    PendSite,
    /// Value.
    PendNumber,
    /// Site and value.
    SetState,
    SetRotation,
    SetValue,
    SetCount,
    /// Site.
    Flip,
    /// Player.
    Trigger,
    /// List and value.
    Remember,
    Forget,
    /// List.
    ForgetAll,
    /// Die and face.
    RollDie,
    /// Die.
    UseDie,
    /// Whether all dice show the same.
    SetEqual,
    /// Consequences, by their number.
    Then,
    /// What the evaluator found, by the number that it gave.
    Found,
}

impl Kind {
    /// The kind that sets a layer.
    pub(super) fn of_layer(layer: Layer) -> Kind {
        match layer {
            Layer::State => Kind::SetState,
            Layer::Rotation => Kind::SetRotation,
            _ => Kind::SetValue,
        }
    }

    /// The site that such an action starts from and the one that it ends at, by the places of their
    /// numbers.
    pub(super) fn sites(self) -> Option<(usize, usize)> {
        match self {
            Kind::Add
            | Kind::Remove
            | Kind::RemoveLevel
            | Kind::Defer
            | Kind::Promote
            | Kind::SetState
            | Kind::SetRotation
            | Kind::SetValue
            | Kind::SetCount => Some((0, 0)),
            Kind::MoveTop
            | Kind::MoveKeeping
            | Kind::MoveStack
            | Kind::MoveLevel
            | Kind::Copy
            | Kind::MoveCount
            | Kind::Seed => Some((0, 1)),
            _ => None,
        }
    }
}

/// What waits until an effect has been evaluated.
pub(super) struct DeferredActions {
    /// How many blocks were open where it began, and loops.
    pub(super) depth: usize,
    pub(super) loops: u32,
    /// Where the next action of a loop is put.
    pub(super) at: Local,
    /// Up to where those in `list` reach.
    pub(super) listed: Local,
    /// The kinds of all of them, with the number of the effect where it is a consequence.
    pub(super) kinds: ActionKinds,
    /// True if any may lie behind those that are listed.
    pub(super) unlisted: bool,
    /// A number that grows with every action.
    pub(super) given: Local,
    /// What is done before each move that is given.
    pub(super) before_each: Vec<LateEffect>,
    pub(super) list: Vec<LateEffect>,
}

pub(super) type ActionKinds = BTreeSet<(Kind, i32)>;

/// What is carried out later.
#[derive(Clone)]
pub(super) enum LateEffect {
    /// An action, if a flag is set.
    Act(Option<Local>, Kind, [Expr; 3]),
    /// Those in the array `acts` from one place to another, of these kinds.
    Listed(Local, Local, ActionKinds),
}
