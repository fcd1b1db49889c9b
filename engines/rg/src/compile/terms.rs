//! What is known of values while code is written: the variables of a walk as terms.
//!
//! A walk changes nothing in memory until it is chosen: its assignments are kept as terms, and
//! written when it is made. So nothing has to be taken back.

use std::collections::BTreeMap;
use std::rc::Rc;

use kernel::build::CodeBuilder;
use kernel::ir::{Local, Table, Type};

use super::writer::Writer;
use crate::automaton::Slot;

/// A function of one element, by the numbers of elements and values; -1 for numbers that are no
/// elements.
pub(crate) type Function = Rc<[i32]>;

/// A value, as a number.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Term {
    Constant(i32),
    /// A variable of the code.
    Local(Local),
    /// A function of a variable of the code, and its table.
    Entry(Local, Function, Table),
    /// A value for each element of the set that is gone through.
    OfElement(Function),
}

/// Elements that are gone through at once: each of them is a walk of its own.
#[derive(Clone, Debug)]
pub(crate) struct Elements {
    /// The variable of the code that has the set of those for which the walk goes on.
    pub(crate) set: Local,
    /// The numbers that may be in it.
    pub(crate) domain: Rc<[i32]>,
}

/// A cell of a map that a walk writes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Write {
    pub(crate) slot: Slot,
    pub(crate) keys: Vec<Term>,
    pub(crate) value: Term,
    /// True if the keys are certain to be keys of the map.
    pub(crate) is_inside: bool,
}

/// A map that a variable was given as a whole: another name for it, as long as the walk lasts.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Alias {
    pub(crate) source: Source,
    /// The keys that lead to the map in its source.
    pub(crate) keys: Vec<Term>,
    /// The writes of the walk that were there when it was named; later ones do not count.
    pub(crate) writes: usize,
}

/// A tag, or those of a [slide](super::slides).
#[derive(Clone, Debug)]
pub(crate) enum Tag {
    One(Term),
    /// The tags of the walk from one number to another.
    Slide(Rc<SlideTags>, [Term; 2]),
}

/// The tags of walks that are told apart by their beginning and their end.
#[derive(Debug)]
pub(crate) struct SlideTags {
    /// The number that tells it from others.
    pub(crate) number: usize,
    /// The walk from each number to each other, by rows of so many entries.
    pub(crate) walks: Table,
    pub(crate) width: usize,
    /// The number of tags of each walk, and the tags, by rows of so many.
    pub(crate) lengths: Table,
    pub(crate) tags: Table,
    pub(crate) longest: usize,
}

impl Default for Term {
    fn default() -> Term {
        Term::Constant(0)
    }
}

/// The part of a move's tags that a player perceives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum Said {
    #[default]
    Nothing,
    /// The one tag `pass`.
    Pass,
    Something,
}

/// A variable or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    Variable(Slot),
    Constant(Slot),
}

/// The writes, tags and facts of a walk so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    /// The values of variables without keys that were assigned.
    pub(crate) assigned: BTreeMap<Slot, Term>,
    /// The values that others were found to have in memory.
    pub(crate) loaded: BTreeMap<Slot, Local>,
    /// The values that cells were found to have, after so many writes of the walk.
    pub(crate) cells: Vec<(Slot, Vec<Term>, usize, Term)>,
    /// The maps that variables were given.
    pub(crate) aliases: BTreeMap<Slot, Alias>,
    /// The cells that are written, in their order.
    pub(crate) writes: Vec<Write>,
    /// The tags that are not in memory yet.
    pub(crate) tags: Vec<Tag>,
    /// The number of those that are.
    pub(crate) told: Term,
    pub(crate) said: Said,
    pub(crate) elements: Option<Elements>,
}

/// The key of an environment: for environments of one key the same code will do, which takes the
/// values of its variables as parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct EnvKey {
    terms: Vec<TermKey>,
    slots: Vec<Slot>,
    aliases: Vec<(Slot, Source, usize, usize)>,
    writes: Vec<(Slot, usize, bool)>,
    /// For each tag the number of the slide that it stands for, if it does.
    tags: Vec<Option<usize>>,
    said: Said,
    domain: Option<Rc<[i32]>>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum TermKey {
    Constant(i32),
    Parameter,
    OfElement(Function),
}

impl EnvKey {
    /// True if there are elements that are gone through at once.
    pub(crate) fn has_elements(&self) -> bool {
        self.domain.is_some()
    }

    /// The number of variables of the code that the environment has.
    pub(crate) fn parameters(&self) -> usize {
        self.terms.iter().filter(|term| **term == TermKey::Parameter).count()
    }
}

impl Env {
    /// Calls `visit` with all terms, in an order that the [key](Env::key) determines.
    pub(crate) fn each_term(&mut self, visit: &mut impl FnMut(&mut Term)) {
        self.assigned.values_mut().for_each(&mut *visit);
        self.aliases.values_mut().flat_map(|alias| &mut alias.keys).for_each(&mut *visit);
        for write in &mut self.writes {
            write.keys.iter_mut().for_each(&mut *visit);
            visit(&mut write.value);
        }
        for tag in &mut self.tags {
            match tag {
                Tag::One(term) => visit(term),
                Tag::Slide(_, ends) => ends.iter_mut().for_each(&mut *visit),
            }
        }
        visit(&mut self.told);
    }

    /// Gives each function of a variable a variable of its own, for code that knows only those.
    pub(crate) fn settle(&mut self, w: &mut Writer) {
        self.each_term(&mut |term| {
            if let Term::Entry(local, _, table) = term {
                *term = Term::Local(w.var(Type::Int, table.at(*local)));
            }
        });
    }

    /// Makes the variables of the code parameters of a function, behind those that it has.
    pub(crate) fn become_parameters(&mut self, params: &mut Vec<Type>) {
        // What was found in memory stands in variables of another function.
        self.loaded.clear();
        self.cells.clear();
        self.each_term(&mut |term| {
            if let Term::Local(local) = term {
                *local = Local(params.len() as u32);
                params.push(Type::Int);
            }
        });
    }

    /// The tags alone, with the elements that they may depend on.
    pub(crate) fn tags_alone(&self) -> Env {
        Env {
            tags: self.tags.clone(),
            told: self.told.clone(),
            said: self.said,
            elements: self.elements.clone(),
            ..Env::default()
        }
    }

    /// The key of the environment, which has been [settled](Env::settle).
    pub(crate) fn key(&self) -> EnvKey {
        let mut terms = Vec::new();
        self.clone().each_term(&mut |term| {
            terms.push(match term {
                Term::Constant(number) => TermKey::Constant(*number),
                Term::Local(_) | Term::Entry(..) => TermKey::Parameter,
                Term::OfElement(function) => TermKey::OfElement(Rc::clone(function)),
            });
        });
        EnvKey {
            terms,
            slots: self.assigned.keys().copied().collect(),
            aliases: self
                .aliases
                .iter()
                .map(|(&slot, Alias { source, keys, writes })| (slot, *source, keys.len(), *writes))
                .collect(),
            writes: self
                .writes
                .iter()
                .map(|write| (write.slot, write.keys.len(), write.is_inside))
                .collect(),
            tags: self.tags.iter().map(Tag::slide).collect(),
            said: self.said,
            domain: self.elements.as_ref().map(|elements| Rc::clone(&elements.domain)),
        }
    }

    /// The variables of the code that the environment has, in the order of the key.
    pub(crate) fn locals(&self) -> Vec<Local> {
        let mut locals = Vec::new();
        self.clone().each_term(&mut |term| {
            if let Term::Local(local) = term {
                locals.push(*local);
            }
        });
        locals
    }
}

impl Tag {
    /// The number of the slide that it stands for.
    fn slide(&self) -> Option<usize> {
        match self {
            Tag::One(_) => None,
            Tag::Slide(tags, _) => Some(tags.number),
        }
    }
}

/// True if a function takes each element to itself.
pub(crate) fn is_identity(function: &Function) -> bool {
    function.iter().zip(0..).all(|(&to, element)| to == element || to < 0)
}
