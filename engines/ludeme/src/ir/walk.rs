//! The declaration of the tree of rules: the parts of each node, with its facts.
//!
//! [`nodes!`] declares the types of the tree. Each variant of an expression states what it reads of
//! the state, each action what it writes, and both what they bind; the macro makes the walk from
//! the declaration. So there is no list of parts beside the types, and no variant without facts.

use std::ops::BitOr;

use super::Iter;

/// Kinds of what rules read while they are evaluated: aspects of the state, and variables that are
/// bound. A set of them, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Aspects(u32);

impl Aspects {
    pub(crate) const NONE: Aspects = Aspects(0);
    /// The contents of the sites that the parts of a node name.
    pub(crate) const HERE: Aspects = Aspects(1 << 10);
    /// The set of empty sites.
    pub(crate) const EMPTY: Aspects = Aspects(1 << 11);
    /// The contents of any site, with all numbers that the state has for it.
    pub(crate) const BOARD: Aspects = Aspects(1 << 12);
    /// The local states, rotations and values of pieces.
    pub(crate) const LAYERS: Aspects = Aspects(1 << 13);
    /// The player whose turn it is.
    pub(crate) const TURN: Aspects = Aspects(1 << 14);
    /// The players who are still in, and all that the state has of players beside scores and
    /// values.
    pub(crate) const PLAYERS: Aspects = Aspects(1 << 15);
    /// Scores and values of players.
    pub(crate) const SCORES: Aspects = Aspects(1 << 16);
    /// Variables and the counter.
    pub(crate) const VARS: Aspects = Aspects(1 << 17);
    /// Remembered values.
    pub(crate) const LISTS: Aspects = Aspects(1 << 18);
    /// The pending sites and values.
    pub(crate) const PENDING: Aspects = Aspects(1 << 19);
    pub(crate) const DICE: Aspects = Aspects(1 << 20);
    /// Moves, turns and positions before.
    pub(crate) const HISTORY: Aspects = Aspects(1 << 21);
    /// The sites of the last move.
    pub(crate) const LAST: Aspects = Aspects(1 << 22);
    /// The moves that there would be, or how the game would end.
    pub(crate) const RULES: Aspects = Aspects(1 << 23);
    pub(crate) const CHANCE: Aspects = Aspects(1 << 24);
    /// The region that an enclosing construct iterates over.
    pub(crate) const ITERATED: Aspects = Aspects(1 << 25);
    /// The sites that are hidden from players.
    pub(crate) const HIDDEN: Aspects = Aspects(1 << 26);
    /// The player that an enclosing construct iterates over.
    pub(crate) const PLAYER: Aspects = Aspects::of(Iter::Player);
    /// All variables.
    pub(crate) const VARIABLES: Aspects = Aspects((1 << 10) - 1);
    /// The origin and the destination of a move.
    pub(crate) const ENDS: Aspects = Aspects::of(Iter::From).with(Aspects::of(Iter::To));

    /// The aspect of the value that a variable is bound to.
    pub(crate) const fn of(variable: Iter) -> Aspects {
        Aspects(1 << variable as u32)
    }

    /// True if the two sets have an aspect in common.
    pub(crate) fn has(self, others: Aspects) -> bool {
        self.0 & others.0 != 0
    }

    /// True if all aspects of it are in `others`.
    pub(crate) fn is_within(self, others: Aspects) -> bool {
        self.0 & !others.0 == 0
    }

    /// The union of both sets.
    pub(super) const fn with(self, others: Aspects) -> Aspects {
        Aspects(self.0 | others.0)
    }
}

impl BitOr for Aspects {
    type Output = Aspects;

    fn bitor(self, other: Aspects) -> Aspects {
        self.with(other)
    }
}

/// Declares types of the tree of rules, and implements the walk through their parts.
///
/// There are three sorts of types with facts. `enum X as Y` is the part `Y` of the node that holds
/// it, `enum X as mut Y` is one that can be replaced there, and `enum X with facts` is no part
/// itself. Their variants are followed by what they read, write and bind. A field of generators
/// marked `as effect` holds effects, whose moves the node does not pass on.
macro_rules! nodes {
    () => {};
    ($(#[$meta:meta])* pub(crate) enum $name:ident as mut $part:ident {$($body:tt)*} $($rest:tt)*)
    => {
        nodes!(@enum [$(#[$meta])*] $name facts [changed $part] {$($body)*});
        nodes!($($rest)*);
    };
    ($(#[$meta:meta])* pub(crate) enum $name:ident as $part:ident {$($body:tt)*} $($rest:tt)*) => {
        nodes!(@enum [$(#[$meta])*] $name facts [kept $part] {$($body)*});
        nodes!($($rest)*);
    };
    ($(#[$meta:meta])* pub(crate) enum $name:ident with facts {$($body:tt)*} $($rest:tt)*) => {
        nodes!(@enum [$(#[$meta])*] $name facts [] {$($body)*});
        nodes!($($rest)*);
    };
    ($(#[$meta:meta])* pub(crate) enum $name:ident {$($body:tt)*} $($rest:tt)*) => {
        nodes!(@enum [$(#[$meta])*] $name plain [] {$($body)*});
        nodes!($($rest)*);
    };
    (
        @enum [$($meta:tt)*] $name:ident $has:ident [$($how:ident $part:ident)?] {$(
            $(#[$about:meta])*
            $variant:ident
            $(($($type:ty),+ $(,)?))?
            $({$(
                $(#[$about_field:meta])* $field:ident: $field_type:ty $(as $role:ident)?
            ),+ $(,)?})?
            $(=> $($fact:ident [$($aspect:ident)*])+)?
        ),+ $(,)?}
    ) => {
        $($meta)*
        pub(crate) enum $name {$(
            $(#[$about])*
            $variant $(($($type),+))? $({$($(#[$about_field])* $field: $field_type),+})?
        ),+}

        impl $crate::ir::Walk for $name {
            fn each_part<'a>(&'a self, look: &mut dyn FnMut($crate::ir::Part<'a>)) {
                match self {$(
                    pattern!($name::$variant [a b c] $(($($type),+))? $({$($field)+})?) => {
                        fact!(look $has $(=> $($fact [$($aspect)*])+)?);
                        visit!(as_part look [a b c]
                            $(($($type),+))? $({$($field $(as $role)?),+})?);
                    }
                )+}
            }

            fn each_part_mut(&mut self, look: &mut dyn FnMut($crate::ir::PartMut<'_>)) {
                let _ = &look;
                match self {$(
                    pattern!($name::$variant [a b c] $(($($type),+))? $({$($field)+})?) => {
                        visit!(as_part_mut look [a b c]
                            $(($($type),+))? $({$($field $(as $role)?),+})?);
                    }
                )+}
            }

            $(
                fn as_part<'a>(&'a self, look: &mut dyn FnMut($crate::ir::Part<'a>)) {
                    look($crate::ir::Part::$part(self));
                }

                fn as_part_mut(&mut self, look: &mut dyn FnMut($crate::ir::PartMut<'_>)) {
                    fact!(look, $how $part self);
                }
            )?
        }
    };
    (
        $(#[$meta:meta])*
        pub(crate) struct $name:ident {$(
            $(#[$about_field:meta])* pub(crate) $field:ident: $field_type:ty $(as $role:ident)?
        ),+ $(,)?}
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        pub(crate) struct $name {$($(#[$about_field])* pub(crate) $field: $field_type),+}

        impl $crate::ir::Walk for $name {
            fn each_part<'a>(&'a self, look: &mut dyn FnMut($crate::ir::Part<'a>)) {
                let $name {$($field),+} = self;
                visit!(as_part look [] {$($field $(as $role)?),+});
            }

            fn each_part_mut(&mut self, look: &mut dyn FnMut($crate::ir::PartMut<'_>)) {
                let $name {$($field),+} = self;
                visit!(as_part_mut look [] {$($field $(as $role)?),+});
            }
        }

        nodes!($($rest)*);
    };
}

/// The pattern of a variant, with a name for each field.
macro_rules! pattern {
    ($name:ident::$variant:ident [$($names:ident)*]) => { $name::$variant };
    ($name:ident::$variant:ident [$a:ident $b:ident $c:ident] ($ta:ty)) => {
        $name::$variant($a)
    };
    ($name:ident::$variant:ident [$a:ident $b:ident $c:ident] ($ta:ty, $tb:ty)) => {
        $name::$variant($a, $b)
    };
    ($name:ident::$variant:ident [$a:ident $b:ident $c:ident] ($ta:ty, $tb:ty, $tc:ty)) => {
        $name::$variant($a, $b, $c)
    };
    ($name:ident::$variant:ident [$($names:ident)*] {$($field:ident)+}) => {
        $name::$variant {$($field),+}
    };
}

/// Visits each field of a variant, under the names of its pattern.
macro_rules! visit {
    ($as_part:ident $look:ident [$($names:ident)*]) => {};
    ($as_part:ident $look:ident [$a:ident $b:ident $c:ident] ($ta:ty)) => {
        $a.$as_part($look)
    };
    ($as_part:ident $look:ident [$a:ident $b:ident $c:ident] ($ta:ty, $tb:ty)) => {{
        $a.$as_part($look);
        $b.$as_part($look);
    }};
    ($as_part:ident $look:ident [$a:ident $b:ident $c:ident] ($ta:ty, $tb:ty, $tc:ty)) => {{
        $a.$as_part($look);
        $b.$as_part($look);
        $c.$as_part($look);
    }};
    ($as_part:ident $look:ident [$($names:ident)*] {$($field:ident $(as $role:ident)?),+}) => {{
        $(visit!(field $as_part $look $field $($role)?);)+
    }};
    (field $as_part:ident $look:ident $field:ident) => { $field.$as_part($look) };
    (field as_part $look:ident $field:ident effect) => {
        $field.as_part(&mut |part| $look(part.into_effect()))
    };
    (field as_part_mut $look:ident $field:ident effect) => { $field.as_part_mut($look) };
}

/// Visits the facts of a variant, if its type has facts.
macro_rules! fact {
    ($look:ident plain) => {};
    ($look:ident facts => $($fact:ident [$($aspect:ident)*])+) => {
        $(fact!($look, $fact $($aspect)*);)+
    };
    ($look:ident, kept $part:ident $node:ident) => { let _ = $look; };
    ($look:ident, changed $part:ident $node:ident) => { $look($crate::ir::PartMut::$part($node)) };
    ($look:ident, $fact:ident) => {};
    ($look:ident, reads $($aspect:ident)+) => {
        $look($crate::ir::Part::Reads(
            const { $crate::ir::Aspects::NONE$(.with($crate::ir::Aspects::$aspect))+ },
        ))
    };
    ($look:ident, writes $($aspect:ident)+) => {
        $look($crate::ir::Part::Writes(
            const { $crate::ir::Aspects::NONE$(.with($crate::ir::Aspects::$aspect))+ },
        ))
    };
    ($look:ident, binds $($iter:ident)+) => {
        $look($crate::ir::Part::Binds(&[$($crate::ir::Iter::$iter),+]))
    };
}

pub(super) use {fact, nodes, pattern, visit};
