use super::Kind;

/// A set of constants, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EnumId(pub(super) u8);

/// A sort of strings, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TextId(pub(super) u8);

/// A type of arguments, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TypeId(pub(super) u16);

/// The type of an argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An integer written out; calls that compute one are not accepted.
    Integer,
    /// A number written out.
    Number,
    /// `True` or `False` written out.
    Boolean,
    /// A call that gives a kind of thing. Integers, real numbers and conditions may be written out
    /// as well.
    Kind(Kind),
    /// A constant.
    Enum(EnumId),
    /// A string.
    Text(TextId),
    /// Braces around items, each of one of these types.
    Array(Vec<TypeId>),
}
