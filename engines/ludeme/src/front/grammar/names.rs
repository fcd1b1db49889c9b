//! The names in the tables of the grammar as enums, which the build script writes. Code that uses a
//! name that no table has does not compile.

use std::fmt;

/// Declares an enum of names from rows in the order of their texts.
macro_rules! table {
    ($(#[$doc:meta])* $table:ident: $($variant:ident $text:literal)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $table {
            $(#[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl $table {
            const ALL: &[$table] = &[$($table::$variant),*];
            const TEXTS: &[&str] = &[$($text),*];

            /// The name as it is written.
            pub fn as_str(self) -> &'static str {
                Self::TEXTS[self as usize]
            }

            /// The name with this text, if there is one.
            pub fn named(text: &str) -> Option<$table> {
                Self::TEXTS.binary_search(&text).ok().map(|index| Self::ALL[index])
            }
        }

        impl AsRef<str> for $table {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl fmt::Display for $table {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

impl Name {
    /// The words behind the keyword, if there are any: `Line` of `is Line`.
    pub fn selector(self) -> Option<&'static str> {
        self.as_str().split_once(' ').map(|(_, selector)| selector)
    }

    /// The name of a decision as an effect, `hop` for `move Hop`; any other name is its own effect.
    #[must_use]
    pub fn as_effect(self) -> Name {
        let effect = self.as_str().strip_prefix("move ").and_then(|effect| {
            let (first, rest) = effect.split_at_checked(1)?;
            Name::named(&(first.to_lowercase() + rest))
        });
        effect.unwrap_or(self)
    }
}

include!(concat!(env!("OUT_DIR"), "/names.rs"));
