//! Deferred actions: they wait until an effect has been evaluated.

use std::collections::BTreeSet;

use kernel::ir::{Expr, Local};

use crate::ir::Layer;

/// The number of numbers of a deferred action: its kind, and three more.
pub(super) const OF_ACT: usize = 4;

/// The number for no local state.
pub(super) const NOT_GIVEN: i32 = i32::MIN;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident,)*) => {
        /// The kind of an action, with its numbers.
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
    /// 1 if all dice show the same.
    SetEqual,
    /// The number of the consequences.
    Then,
    /// The number under which the evaluator has kept the actions of an effect.
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

    /// The places of the numbers of such an action that are its origin and its destination.
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

/// The deferred actions of an effect while its code is written.
pub(super) struct DeferredActions {
    /// The number of open blocks where the effect begins.
    pub(super) depth: usize,
    /// The number of loops where the effect begins.
    pub(super) loops: u32,
    /// The place in the array `acts` of the next action of a loop.
    pub(super) at: Local,
    /// The place in the array `acts` behind the last action that is in `list`.
    pub(super) listed: Local,
    /// The kinds of all actions of loops.
    pub(super) kinds: ActionKinds,
    /// True if the array `acts` may have actions that are not yet in `list`.
    pub(super) unlisted: bool,
    /// A number that grows with every move.
    pub(super) given: Local,
    /// The actions of the prelude of each move.
    pub(super) before_each: Vec<Deferred>,
    pub(super) list: Vec<Deferred>,
}

/// Kinds of actions, with the number of the effect for consequences.
pub(super) type ActionKinds = BTreeSet<(Kind, i32)>;

/// A deferred action, or several.
#[derive(Clone)]
pub(super) enum Deferred {
    /// An action, which is carried out if a flag is set.
    Act(Option<Local>, Kind, [Expr; 3]),
    /// The actions of these kinds in the array `acts`, from one place to another.
    Listed(Local, Local, ActionKinds),
}
