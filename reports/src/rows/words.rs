//! The closed vocabularies of a row: verdict, phase and the way the playouts were run.

use serde::{Deserialize, Serialize};

/// A closed set of words: an enum whose variants are printed and read as fixed strings.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal {
        $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            /// Every value, in declaration order.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The word as it stands in files and tables.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                Self::ALL.iter().copied().find(|value| value.word() == text).ok_or_else(|| {
                    let known: Vec<_> = Self::ALL.iter().map(|value| value.word()).collect();
                    format!("{text:?} is no {}; expected one of: {}", $what, known.join(", "))
                })
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(self.word())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

words! {
    /// The verdict on a pair of game and engine. Declared from best to worst: if rows of a pair
    /// differ, the last in this order holds.
    Verdict, "verdict" {
        /// The proof went through: the engine plays the game correctly as far as it was checked.
        Ok = "ok",
        /// Measured, but nothing was there to check it against, or checking was switched off.
        Unchecked = "unchecked",
        /// Every playout ran into the ply cap: the figure says how fast the cap is reached, not how
        /// fast the game is played.
        Capped = "capped",
        /// The engine does not read some part of the rules: its gap, not the author's fault.
        Unsupported = "unsupported",
        /// The rules are faulty: the author's fault.
        Invalid = "invalid",
        /// A budget for size or memory was exhausted.
        TooLarge = "too large",
        /// A budget for time was exhausted.
        Timeout = "timeout",
        /// The worker died.
        Crashed = "crashed",
        /// The engine and others play different games, and nothing decides which of them is right;
        /// the reason names them and holds a counterexample.
        Disputed = "disputed",
        /// The engine does not play the game that the others play; the reason holds a
        /// counterexample.
        Wrong = "WRONG",
    }
}

impl Verdict {
    /// True if figures under this verdict may enter rankings, ratios and charts.
    /// `unchecked` may, and is marked wherever it is shown; everything past it may not.
    pub fn is_ranked(self) -> bool {
        matches!(self, Self::Ok | Self::Unchecked)
    }

    /// True if what failed may do better another time, because the machine or a limit was in its
    /// way: a run that goes on tries it again. Everything else is decided.
    pub fn may_be_accident(self) -> bool {
        matches!(self, Self::Crashed | Self::Timeout | Self::TooLarge)
    }

    /// True if this verdict should make a command fail: the engine is wrong, died or hung.
    /// `unsupported`, `invalid`, `too large` and `capped` are answers.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Wrong | Self::Disputed | Self::Crashed | Self::Timeout)
    }
}

words! {
    /// The phase of a run that a row belongs to.
    Phase, "phase" {
        /// Measured while the rate still drifted; kept, never counted.
        Warmup = "warmup",
        /// A measurement.
        Sample = "sample",
        /// No measurement: the pair failed, and this row says why.
        None = "none",
    }
}

words! {
    /// The loop of an engine that ran the playouts.
    Via, "way to run playouts" {
        /// The engine's own playout loop.
        Fast = "fast",
        /// The generic loop that lists all legal moves and draws one.
        Reference = "reference",
        /// Many playouts side by side (lanes, vectors, a device).
        Batch = "batch",
        /// The engine's quickest way without machine code made for the game.
        Interpreted = "interpreted",
        /// Whichever loop of the engine lists all legal moves of every position: the way in which
        /// published figures were measured.
        Listed = "listed",
        /// Searches by UCT: each simulation has one playout.
        Uct = "uct",
    }
}

words! {
    /// The method by which a loop gets from one position to the next, which gives its rate a
    /// meaning.
    Method, "method" {
        /// All legal actions of every position are listed, and one is drawn.
        Listed = "listed",
        /// An action is drawn by its number; all are counted, and only the drawn one is made.
        Counted = "counted",
        /// An action is drawn without counting all, by rejection.
        Sampled = "sampled",
        /// Results are carried over from one playout to the next; never compared with the others
        /// without saying so.
        Tabled = "tabled",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip_and_unknown_words_list_the_known() {
        for &verdict in Verdict::ALL {
            assert_eq!(verdict.word().parse(), Ok(verdict));
        }
        assert_eq!(
            "Fast".parse::<Via>(),
            Err("\"Fast\" is no way to run playouts; expected one of: fast, reference, batch, \
                interpreted, listed, uct"
                .to_owned())
        );
    }

    #[test]
    fn the_worst_verdict_is_the_greatest() {
        assert_eq!(Verdict::ALL.iter().max(), Some(&Verdict::Wrong));
        assert_eq!(Verdict::ALL.iter().filter(|v| v.is_ranked()).count(), 2);
        assert!(Verdict::ALL.iter().all(|v| !(v.is_ranked() && v.is_failure())));
    }
}
