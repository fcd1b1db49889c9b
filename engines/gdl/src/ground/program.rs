//! The result of the grounder: rules over numbered atoms, without variables and without terms.

/// An atom of a [`GroundProgram`], numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AtomId(pub u32);

impl AtomId {
    /// The atom as an index into tables by atom.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that says that it holds.
    pub fn positive(self) -> GroundLiteral {
        GroundLiteral(self.0 << 1)
    }

    /// The literal that says that it does not hold.
    pub fn negative(self) -> GroundLiteral {
        GroundLiteral(self.0 << 1 | 1)
    }
}

/// An atom or its negation, in 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GroundLiteral(u32);

impl GroundLiteral {
    /// The atom.
    pub fn atom(self) -> AtomId {
        AtomId(self.0 >> 1)
    }

    /// True if it is negated.
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Rules, one after the other in flat arrays.
#[derive(Clone, Debug, Default)]
pub struct GroundRules {
    heads: Vec<AtomId>,
    /// The end of the body of each rule in `literals`.
    ends: Vec<u32>,
    literals: Vec<GroundLiteral>,
}

impl GroundRules {
    /// Adds a rule; an empty body says that the head always holds.
    pub fn push(&mut self, head: AtomId, body: impl IntoIterator<Item = GroundLiteral>) {
        self.heads.push(head);
        self.literals.extend(body);
        self.ends.push(self.literals.len() as u32);
    }

    /// The number of rules.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Bytes that they take.
    pub(super) fn bytes(&self) -> u64 {
        4 * (2 * self.heads.capacity() + self.literals.capacity()) as u64
    }

    /// Adds all of others.
    pub(super) fn extend(&mut self, others: &GroundRules) {
        let before = self.literals.len() as u32;
        self.heads.extend_from_slice(&others.heads);
        self.ends.extend(others.ends.iter().map(|end| before + end));
        self.literals.extend_from_slice(&others.literals);
    }

    /// The number of literals of their bodies together.
    pub fn literals(&self) -> usize {
        self.literals.len()
    }

    /// The head and the body of a rule.
    pub fn get(&self, rule: usize) -> (AtomId, &[GroundLiteral]) {
        let start = if rule == 0 { 0 } else { self.ends[rule - 1] };
        (self.heads[rule], &self.literals[start as usize..self.ends[rule] as usize])
    }

    /// All rules in order.
    pub fn iter(&self) -> impl Iterator<Item = (AtomId, &[GroundLiteral])> + '_ {
        (0..self.len()).map(|rule| self.get(rule))
    }
}

/// A role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundRole {
    /// Its name.
    pub name: String,
    /// True if it is nature, which chooses by chance and is no player.
    pub nature: bool,
}

/// A proposition of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundBase {
    /// It holds now: an atom without rules, given by the state.
    pub now: AtomId,
    /// It will hold in the next state; `None` if no rule can say so.
    pub next: Option<AtomId>,
    /// True if it holds in the initial state.
    pub initially: bool,
    /// The proposition as text, for drawings.
    pub text: String,
}

/// An action that a role may at some time take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundMove {
    /// Index of the role.
    pub role: usize,
    /// The role takes it now: an atom without rules, given by the choice.
    pub does: AtomId,
    /// The role may take it.
    pub legal: AtomId,
    /// True if it only hands on the turn, see [`Program::is_pass`](crate::Program::is_pass).
    pub pass: bool,
    /// In neutral notation; not unique, see [`labels`](crate::labels).
    pub label: String,
    /// The action as KIF text, lower case.
    pub text: String,
}

/// A value that a role may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundGoal {
    /// Index of the role.
    pub role: usize,
    /// The value.
    pub value: i32,
    /// The role has it.
    pub atom: AtomId,
}

/// Something that a player may perceive of a step: it depends on the state before, and on what all
/// roles do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundPercept {
    /// Index of the role.
    pub role: usize,
    /// The role perceives it.
    pub atom: AtomId,
    /// The percept, in words, see [`Terms::words`](crate::Terms::words).
    pub text: String,
}

/// Everything that can ever hold, and from what it follows.
///
/// The meaning is that of the rulesheet: the least model of the rules over the atoms given by the
/// state and the choices, negation stratified. Atoms without rules that are neither `now` nor
/// `does` never hold.
#[derive(Clone, Debug, Default)]
pub struct GroundProgram {
    /// Number of atoms.
    pub atoms: u32,
    /// The rules, grouped by the rules of the sheet that they are instances of, in its order.
    pub rules: GroundRules,
    /// The roles in the order of the sheet.
    pub roles: Vec<GroundRole>,
    /// The propositions that a state consists of.
    pub bases: Vec<GroundBase>,
    /// The actions, those of one role together, roles in order.
    pub moves: Vec<GroundMove>,
    /// The values of all roles.
    pub goals: Vec<GroundGoal>,
    /// The state is terminal; `None` if no rule can say so.
    pub terminal: Option<AtomId>,
    /// All percepts that can occur.
    pub percepts: Vec<GroundPercept>,
}

impl GroundProgram {
    /// A new atom.
    pub fn atom(&mut self) -> AtomId {
        self.atoms += 1;
        AtomId(self.atoms - 1)
    }
}
