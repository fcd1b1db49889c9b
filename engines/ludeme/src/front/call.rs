use super::grammar::{Constant, Label, Ludeme, Name, Word};
use super::place::Place;

/// A ludeme call whose overload has been resolved: which signature it is, and what fills its slots.
///
/// Every mandatory slot of the signature is filled, every argument has the type that the slot asks
/// for, and arguments stand in the order of the slots.
#[derive(Clone, Debug)]
pub struct Call {
    /// The signature.
    pub ludeme: Ludeme,
    /// Where the call is written.
    pub place: Place,
    /// The filled slots.
    pub args: Vec<Arg>,
}

/// What fills a slot.
#[derive(Clone, Debug)]
pub struct Arg {
    /// The label of the slot in the grammar; for items of an array, that of the array's slot.
    pub label: Label,
    /// Where the argument is written.
    pub place: Place,
    /// The argument.
    pub value: Value,
}

/// An argument that has been given its type.
#[derive(Clone, Debug)]
pub enum Value {
    /// A literal integer, or a named one such as `Off`.
    Int(i32),
    /// A literal number where a real number is wanted; integer literals arrive here too.
    Float(f32),
    /// `True` or `False`.
    Bool(bool),
    /// A quoted string, without its quotes.
    Text(String),
    /// A constant of one of the grammar's enumerations.
    Constant(Constant),
    /// A call.
    Call(Box<Call>),
    /// An array literal.
    Array(Vec<Arg>),
}

impl Call {
    /// The name of the signature: the keyword and the selecting constant, such as `is Line`,
    /// `move Add`, `sites Around` or `equipment`. Unique among the signatures of one result kind up
    /// to overloads that differ in their arguments only.
    pub fn name(&self) -> Name {
        self.ludeme.name()
    }

    /// What fills the slot with this label, if anything does.
    ///
    /// # Panics
    ///
    /// In unit tests and debug builds, if no signature of this name has such a slot: a slip of the
    /// caller, who would never find it. No description may make a release build panic.
    pub fn arg(&self, label: Label) -> Option<&Arg> {
        if cfg!(any(test, debug_assertions)) {
            let name = self.ludeme.name();
            assert!(self.ludeme.has_label(label), "`{name}` has no slot labelled `{label}`");
        }
        self.find(label)
    }

    /// As [`Call::arg`], where not every ludeme that is asked has such a slot.
    pub fn find(&self, label: Label) -> Option<&Arg> {
        self.args.iter().find(|arg| arg.label == label)
    }

    /// True if the slot is filled.
    pub fn has(&self, label: Label) -> bool {
        self.arg(label).is_some()
    }

    /// The call that fills the slot.
    pub fn call(&self, label: Label) -> Option<&Call> {
        self.arg(label)?.as_call()
    }

    /// The literal integer that fills the slot.
    pub fn int(&self, label: Label) -> Option<i32> {
        self.arg(label)?.as_int()
    }

    /// The literal truth value that fills the slot.
    pub fn flag(&self, label: Label) -> Option<bool> {
        self.arg(label)?.as_bool()
    }

    /// The string that fills the slot.
    pub fn text(&self, label: Label) -> Option<&str> {
        self.arg(label)?.as_text()
    }

    /// The constant that fills the slot.
    pub fn constant(&self, label: Label) -> Option<Word> {
        self.arg(label)?.as_constant()
    }

    /// What fills a slot that takes one item or an array of them: the array's items, the one item,
    /// or nothing when the slot is empty.
    pub fn items(&self, label: Label) -> &[Arg] {
        self.arg(label).map_or(&[], Arg::items)
    }

    /// The call itself and all calls inside of it, in no order that matters.
    pub fn all(&self) -> impl Iterator<Item = &Call> {
        let mut pending = vec![self];
        std::iter::from_fn(move || {
            let call = pending.pop()?;
            pending.extend(call.args.iter().flat_map(Arg::calls));
            Some(call)
        })
    }
}

impl Arg {
    /// The calls directly in it: itself, or those in an array.
    pub fn calls(&self) -> Vec<&Call> {
        match &self.value {
            Value::Call(call) => vec![call],
            Value::Array(items) => items.iter().flat_map(Arg::calls).collect(),
            _ => Vec::new(),
        }
    }

    /// The call, if it is one.
    pub fn as_call(&self) -> Option<&Call> {
        match &self.value {
            Value::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The literal integer, if it is one.
    pub fn as_int(&self) -> Option<i32> {
        match self.value {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The literal truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The constant, if it is one.
    pub fn as_constant(&self) -> Option<Word> {
        match self.value {
            Value::Constant(constant) => Some(constant.word()),
            _ => None,
        }
    }

    /// The items of an array literal; anything else is a list of itself.
    pub fn items(&self) -> &[Arg] {
        match &self.value {
            Value::Array(items) => items,
            _ => std::slice::from_ref(self),
        }
    }

    /// True if it is an array literal.
    pub fn is_array(&self) -> bool {
        matches!(self.value, Value::Array(_))
    }
}
