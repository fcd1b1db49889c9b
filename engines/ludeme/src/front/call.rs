use super::grammar::{Constant, Label, Ludeme, Name, Word};
use super::place::Place;

/// A ludeme call whose overload has been resolved: its signature and the arguments in its slots.
///
/// Every mandatory slot of the signature is filled, every argument has the type that the slot asks
/// for, and arguments stand in the order of the slots.
#[derive(Clone, Debug)]
pub struct Call {
    /// The signature.
    pub ludeme: Ludeme,
    /// The place of the call in the text.
    pub place: Place,
    /// The filled slots.
    pub args: Vec<Arg>,
}

/// An argument in a slot.
#[derive(Clone, Debug)]
pub struct Arg {
    /// The label of the slot in the grammar; for items of an array, that of the array's slot.
    pub label: Label,
    /// The place of the argument in the text.
    pub place: Place,
    /// The argument.
    pub value: Value,
}

/// An argument with its type.
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
    /// The name of the signature: the keyword and the selecting constant, such as `is Line`, `move
    /// Add`, `sites Around` or `equipment`. It is unique among the signatures of one result kind,
    /// up to overloads that differ only in their arguments.
    pub fn name(&self) -> Name {
        self.ludeme.name()
    }

    /// The argument in the slot with this label, if the slot is filled.
    ///
    /// # Panics
    ///
    /// In unit tests and debug builds, if no signature of this name has such a slot: a mistake of
    /// the caller that would not be noticed otherwise. No description may make a release build
    /// panic.
    pub fn arg(&self, label: Label) -> Option<&Arg> {
        if cfg!(any(test, debug_assertions)) {
            let name = self.ludeme.name();
            assert!(self.ludeme.has_label(label), "`{name}` has no slot labelled `{label}`");
        }
        self.find(label)
    }

    /// As [`Call::arg`], for callers that ask ludemes without such a slot as well.
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

    /// The arguments in a slot that takes one item or an array of them: the items of the array, the
    /// one item, or none if the slot is empty.
    pub fn items(&self, label: Label) -> &[Arg] {
        self.arg(label).map_or(&[], Arg::items)
    }

    /// The call itself and all calls inside, in no particular order.
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
    /// The calls directly in the argument: itself, or those in an array.
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

    /// The items of an array literal; any other argument is a list of itself.
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
