//! The end of moves: they are listed in memory, and one of them is made.
//!
//! An entry of the list is a move, or one move for each element of a set; it has the number of the
//! function that makes it, the number of its moves, and the arguments of that function.

use kernel::build::CodeBuilder;
use kernel::ir::{Expr as Code, FunctionId, Local, Type};

use super::arrays::{
    ENTRY_LENGTH, FRAME, HEADS, LISTED, LISTED_SETS, MOST_HEADS, MOST_LISTED, MOST_SEEN, MOST_TAGS,
    SEEN, Slot as Entry, TAGS, TOLD,
};
use super::conditions::code_of;
use super::terms::{Env, EnvKey, Said, Term, is_identity};
use super::turns::branch;
use super::walk::{Compiler, Goal, Stop, frame};
use super::writer::{Argument, Found, Writer};
use crate::automaton::NodeId;

/// The numbers of an entry before the arguments.
const ARGUMENTS: usize = 2;

/// A function that makes a move.
pub(super) struct Maker {
    pub(super) function: FunctionId,
    arguments: usize,
    /// True if the first argument is an element of the set of the entry.
    has_element: bool,
    /// The turn that it leads to.
    pub(super) turn: usize,
}

/// The key of a maker: equal keys share one function that makes moves.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct MakerKey {
    turn: usize,
    env: EnvKey,
}

impl Compiler<'_> {
    /// Writes the end of a move: it is listed, unless one with the same tags has been.
    pub(super) fn finish_move(
        &mut self,
        w: &mut Writer,
        to: NodeId,
        env: &mut Env,
    ) -> Result<(), Stop> {
        if self.dedupes {
            self.go_through(w, env);
            env.tell(w)?;
            let is_new = self.is_new();
            w.open_if(is_new.call(vec![code_of(&env.told)?]));
        }
        let known = env.assigned.iter().filter_map(|(&slot, term)| match term {
            Term::Constant(number) if self.control[slot] => Some((slot, *number)),
            _ => None,
        });
        let turn = self.turn(to, known.collect());
        let is_pass = env.said != Said::Something;
        // A move is made without its tags.
        env.settle(w);
        let mut made = self.trimmed(to, env, &Goal::Reach(to));
        let kept = if w.keeps_moves() { self.without_elements(&mut made) } else { Vec::new() };
        let maker = self.maker(to, &made, turn)?;
        let arguments = made.locals();
        if arguments.len() + ARGUMENTS > ENTRY_LENGTH {
            return Err(Stop::Unsupported("a move of very many values"));
        }
        let count = match &env.elements {
            Some(elements) => {
                let count = w.var(Type::Int, elements.set.get().len());
                w.open_if(count.get());
                Some(count)
            }
            None => None,
        };
        let [moves, entries] = match &mut w.found {
            Found::Listed(counts) => *counts,
            Found::Kept(_) => return w.keep(env, count, maker, kept, is_pass),
            Found::Nothing => {
                return Err(Stop::Unsupported("a test that goes on behind the end of a move"));
            }
        };
        let entry = w.var(Type::Int, entries);
        let at = w.var(Type::Int, entry.get() * ENTRY_LENGTH as i32);
        w.store(LISTED, at, maker as i32);
        w.store(LISTED, at.get() + 1, count.map_or(Code::Int(1), Local::get));
        for (number, argument) in (ARGUMENTS as i32..).zip(&arguments) {
            w.store(LISTED, at.get() + number, *argument);
        }
        if let Some(elements) = &env.elements {
            w.store_set(LISTED_SETS, entry, elements.set);
        }
        if is_pass {
            w.store(FRAME, Entry::Pass as i32, 1);
        }
        let tags = env.tags_alone();
        let teller = self.teller(to, &tags)?;
        let tags = tags.locals();
        w.when(frame(Entry::Asked).equals(entry), |w| {
            let elements = env.elements.as_ref().map(|elements| elements.set.get());
            let element = elements.map(|elements| elements.nth(frame(Entry::AskedElement)));
            let arguments = element.into_iter().chain(tags.into_iter().map(Local::get));
            w.eval(teller.call(arguments.collect()));
        });
        w.set(moves, moves.get() + count.map_or(Code::Int(1), Local::get));
        w.set(entries, entry.get() + 1);
        Ok(())
    }

    /// Makes what depends on elements parameters, as variables of the code are; the arguments.
    fn without_elements(&mut self, env: &mut Env) -> Vec<Argument> {
        env.elements = None;
        let (tables, program) = (&mut self.tables, &mut self.program);
        let mut arguments = Vec::new();
        env.each_term(&mut |term| {
            arguments.push(match term {
                Term::OfElement(function) if is_identity(function) => Argument::Element,
                Term::OfElement(function) => Argument::OfElement(tables.ints(program, function)),
                Term::Local(local) => Argument::Value(*local),
                Term::Constant(_) | Term::Entry(..) => return,
            });
            *term = Term::Local(Local(0));
        });
        arguments
    }

    /// The number of the function that makes a move which leads to a turn.
    fn maker(&mut self, to: NodeId, env: &Env, turn: usize) -> Result<usize, Stop> {
        let key = MakerKey { turn, env: env.key() };
        if let Some(&number) = self.maker_numbers.get(&key) {
            return Ok(number);
        }
        let (mut w, env) = self.begin_with_element(to, env);
        self.write_all(&mut w, &env, to)?;
        w.store(FRAME, Entry::Turn as i32, turn as i32);
        w.give(0);
        let function = self.program.function(w.finish());
        let has_element = key.env.has_elements();
        let arguments = key.env.parameters();
        self.makers.push(Maker { function, arguments, has_element, turn });
        self.maker_numbers.insert(key, self.makers.len() - 1);
        Ok(self.makers.len() - 1)
    }

    /// The function that writes the tags of a move to where whoever asked for them reads them.
    fn teller(&mut self, to: NodeId, env: &Env) -> Result<FunctionId, Stop> {
        let key = env.key();
        if let Some(&function) = self.tellers.get(&key) {
            return Ok(function);
        }
        let (mut w, mut env) = self.begin_with_element(to, env);
        env.tell(&mut w)?;
        let told = code_of(&env.told)?;
        w.store(FRAME, Entry::Tags as i32, told.clone().min(MOST_TAGS as i32));
        w.count(0, told, |w, number| w.store(TOLD, number, TAGS.at(number)));
        w.give(0);
        let function = self.program.function(w.finish());
        self.tellers.insert(key, function);
        Ok(function)
    }

    /// A function with parameters for what an environment has, its element in place of the set.
    fn begin_with_element(&mut self, to: NodeId, env: &Env) -> (Writer, Env) {
        let has_element = env.elements.is_some();
        let mut inner = env.clone();
        inner.elements = None;
        let mut params = vec![Type::Int; usize::from(has_element)];
        inner.become_parameters(&mut params);
        let automaton = &self.rules.automaton;
        let name = format!("to {}", automaton.name(automaton.nodes[to].name));
        let mut w = Writer::new(name, &params, Some(Type::Int));
        if has_element {
            self.choose_element(&mut w, &mut inner, Local(0));
        }
        (w, inner)
    }

    /// Writes the function that makes the move of a number in the list.
    pub(super) fn make(&mut self) -> FunctionId {
        let mut w = Writer::new("make".to_owned(), &[Type::Int], Some(Type::Int));
        let number = Local(0);
        let entry = w.var(Type::Int, number);
        let rest = w.var(Type::Int, 0);
        let has_sets = frame(Entry::Entries).differs(frame(Entry::Count));
        w.when(has_sets, |w| {
            w.set(rest, number);
            w.set(entry, 0);
            let count = w.var(Type::Int, LISTED.at(1));
            w.repeat(rest.get().at_least(count), |w| {
                w.set(rest, rest.get() - count.get());
                w.set(entry, entry.get() + 1);
                w.set(count, LISTED.at(entry.get() * ENTRY_LENGTH as i32 + 1));
            });
        });
        let at = w.var(Type::Int, entry.get() * ENTRY_LENGTH as i32);
        let maker = w.var(Type::Int, LISTED.at(at));
        let makers: Vec<(i32, &Maker)> = (0..).zip(&self.makers).collect();
        branch(&mut w, &maker.get(), &makers, &|w, maker| {
            let element = maker.has_element.then(|| LISTED_SETS.at(entry).nth(rest));
            let arguments = (0..maker.arguments as i32)
                .map(|number| LISTED.at(at.get() + (ARGUMENTS as i32 + number)));
            w.eval(maker.function.call(element.into_iter().chain(arguments).collect()));
        });
        w.give(0);
        self.program.function(w.finish())
    }

    /// Writes the beginning of a list.
    pub(super) fn begin_list(&self, w: &mut Writer) {
        w.found = Found::Listed([w.var(Type::Int, 0), w.var(Type::Int, 0)]);
        w.store(FRAME, Entry::Pass as i32, 0);
        if self.dedupes {
            w.store(FRAME, Entry::Stamp as i32, frame(Entry::Stamp) + 1);
            w.store(FRAME, Entry::Seen as i32, 0);
        }
    }

    /// The function that says if no move with the tags in memory, of which there are so many, has
    /// been gone through, and keeps them: a hash table with linear probing (Knuth, *The Art of
    /// Computer Programming* 3, 6.4).
    fn is_new(&mut self) -> FunctionId {
        if let Some(function) = self.is_new {
            return function;
        }
        let mut w = Writer::new("is_new".to_owned(), &[Type::Int], Some(Type::Int));
        let count = Local(0);
        let hash = w.var(Type::Int, count.get());
        let number = w.open_count(count.get());
        w.set(hash, (hash.get() + TAGS.at(number)) * 0x2545_f491 + 1);
        w.close_to(0);
        w.set(hash, hash.get().xor_bits(hash.get().shifted_right(15)));
        w.open_while(Code::Int(1));
        w.set(hash, hash.get().and_bits(MOST_HEADS as i32 - 1));
        let head = w.var(Type::Int, HEADS.at(hash));
        let is_old = head.get().quotient(MOST_SEEN as i32).equals(frame(Entry::Stamp));
        w.when(!is_old, |w| {
            let seen = w.var(Type::Int, frame(Entry::Seen));
            let end = w.var(Type::Int, seen.get() + count.get() + 1);
            w.when(end.get().greater(MOST_SEEN as i32), |w| {
                w.store(FRAME, Entry::Lost as i32, 1);
                w.give(1);
            });
            w.store(HEADS, hash, frame(Entry::Stamp) * MOST_SEEN as i32 + seen.get());
            w.store(FRAME, Entry::Seen as i32, end);
            w.store(SEEN, seen, count);
            w.count(0, count, |w, number| {
                w.store(SEEN, seen.get() + number.get() + 1, TAGS.at(number));
            });
            w.give(1);
        });
        let at = w.var(Type::Int, head.get().rest(MOST_SEEN as i32));
        let is_same = w.var(Type::Int, SEEN.at(at).equals(count));
        let depth = w.depth();
        w.open_if(is_same.get());
        let number = w.open_count(count.get());
        let differs = SEEN.at(at.get() + number.get() + 1).differs(TAGS.at(number));
        w.when(differs, |w| {
            w.set(is_same, 0);
            w.leave(1);
        });
        w.close_to(depth);
        w.when(is_same, |w| w.give(0));
        w.set(hash, hash.get() + 1);
        w.close_to(0);
        w.give(1);
        let function = self.program.function(w.finish());
        self.is_new = Some(function);
        function
    }

    /// Reads how much is listed from memory, where other functions leave it.
    pub(super) fn read_counts(w: &mut Writer) {
        let counts = [Entry::Count, Entry::Entries];
        match w.found {
            Found::Listed(locals) => {
                locals.iter().zip(counts).for_each(|(&local, slot)| w.set(local, frame(slot)));
            }
            _ => w.found = Found::Listed(counts.map(|slot| w.var(Type::Int, frame(slot)))),
        }
    }

    /// The condition that the list was too short for all moves.
    pub(super) fn is_lost() -> Code {
        frame(Entry::Lost).or(frame(Entry::Entries).greater(MOST_LISTED as i32))
    }
}
