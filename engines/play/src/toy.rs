//! A game whose truth is visible: its whole tree is written in the test.

use std::hash::Hash;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::adapted::Adapted;
use crate::bounds::Bounds;
use crate::chance::Chance;
use crate::encoding::Encoding;
use crate::game::{Facts, Game};
use crate::mechanics::Mechanics;
use crate::scores::{MAX_PLAYERS, Player, Scores, Turn};

/// A game tree read from text: `1(a b)` is a position where player 1 chooses between `a` and `b`,
/// `1[a]` one where player 1 must pass, `*(a b)` one where chance chooses, `=100,0` an end with its
/// scores, and `1()` a position that the rules leave undefined.
///
/// ```
/// use play::{NoChance, toy::Toy};
/// let game = Toy::parse("1(=100,0 2(=0,100 =50,50))").unwrap().boxed();
/// assert_eq!(game.open(&mut NoChance).actions(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Toy {
    nodes: Vec<Node>,
    facts: Facts,
}

/// Trees with passes, an end at once, an undefined position, and equal positions under several
/// numbers.
#[cfg(test)]
pub(crate) const TREES: [&str; 4] = [
    "1(=100,0 2(=0,100 =50,50))",
    "1(2[1(=100,0 2[=0,100])] 1[2[=50,50]] 2())",
    "1(1(1(=100,0 =0,100) =50,50) 2(=0,100 2(=100,0 =50,50 =0,100)))",
    "=50,50",
];

#[derive(Clone, Debug)]
enum Node {
    Choice { player: u8, children: Vec<usize> },
    Pass { player: u8, child: usize },
    Nature { children: Vec<usize> },
    End(Scores),
}

impl Toy {
    /// Reads a tree; the error names what was expected and the byte where.
    pub fn parse(text: &str) -> Result<Toy, String> {
        let mut toy = Toy { nodes: Vec::new(), facts: Facts::default() };
        let mut parser = Parser { text: text.as_bytes(), at: 0 };
        parser.node(&mut toy, 0)?;
        parser.skip_blanks();
        if parser.at < parser.text.len() {
            return Err(format!("expected the end at byte {}", parser.at));
        }
        toy.facts.state_bytes = size_of::<usize>();
        Ok(toy)
    }

    /// Says that a state takes so many bytes.
    #[cfg(test)]
    pub(crate) fn take_bytes(&mut self, bytes: usize) {
        self.facts.state_bytes = bytes;
    }

    /// The toy game behind the interface of games.
    pub fn boxed(self) -> Box<dyn Game> {
        Adapted::boxed(self)
    }

    fn settle<C: Chance + ?Sized>(&self, mut at: usize, chance: &mut C) -> usize {
        while let Node::Nature { children } = &self.nodes[at] {
            at = children[chance.below(children.len() as u32) as usize];
        }
        at
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn skip_blanks(&mut self) {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn number<N: FromStr>(&mut self) -> Result<N, String> {
        let is_part = |b: &&u8| b.is_ascii_digit() || **b == b'-';
        let digits = self.text[self.at..].iter().take_while(is_part).count();
        let word = String::from_utf8_lossy(&self.text[self.at..self.at + digits]);
        let value = word.parse().map_err(|_| format!("expected a number at byte {}", self.at))?;
        self.at += digits;
        Ok(value)
    }

    /// Reads a node and returns its index.
    fn node(&mut self, toy: &mut Toy, depth: usize) -> Result<usize, String> {
        if depth > 64 {
            return Err("the tree is too deep".to_owned());
        }
        let index = toy.nodes.len();
        toy.nodes.push(Node::End(Scores::single(0)));
        toy.nodes[index] = if self.eat(b'=') {
            let mut scores = vec![self.number::<i32>()?];
            while self.eat(b',') {
                scores.push(self.number()?);
            }
            toy.facts.players = toy.facts.players.max(scores.len().min(MAX_PLAYERS) as u8);
            Node::End(Scores::new(scores))
        } else if self.eat(b'*') {
            toy.facts.chance = true;
            let children = self.list(toy, depth)?;
            if children.is_empty() {
                return Err("chance needs something to choose from".to_owned());
            }
            Node::Nature { children }
        } else {
            let player = self.number::<u8>()?.checked_sub(1).ok_or("players count from 1")?;
            if self.eat(b'[') {
                let child = self.node(toy, depth + 1)?;
                if !self.eat(b']') {
                    return Err(format!("expected `]` at byte {}", self.at));
                }
                Node::Pass { player, child }
            } else {
                Node::Choice { player, children: self.list(toy, depth)? }
            }
        };
        Ok(index)
    }

    fn list(&mut self, toy: &mut Toy, depth: usize) -> Result<Vec<usize>, String> {
        if !self.eat(b'(') {
            return Err(format!("expected `(` at byte {}", self.at));
        }
        let mut children = Vec::new();
        while !self.eat(b')') {
            children.push(self.node(toy, depth + 1)?);
        }
        Ok(children)
    }
}

impl Mechanics for Toy {
    type State = usize;
    type Action = usize;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> usize {
        self.settle(0, chance)
    }

    fn expand(&self, state: &mut usize, legal: &mut Vec<usize>) -> Turn {
        match &self.nodes[*state] {
            Node::Choice { player, children } => {
                legal.extend(children);
                Turn::Move(Player(*player))
            }
            Node::Pass { player, child } => {
                legal.push(*child);
                Turn::Move(Player(*player))
            }
            Node::Nature { .. } | Node::End(_) => Turn::Over,
        }
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut usize, action: usize, chance: &mut C) {
        *state = self.settle(action, chance);
    }

    fn scores(&self, state: &usize) -> Scores {
        match self.nodes[*state] {
            Node::End(scores) => scores,
            _ => Scores::new([0; 0]),
        }
    }

    fn label(&self, _state: &usize, action: usize) -> String {
        format!("n{action}")
    }

    fn is_pass(&self, state: &usize, _action: usize) -> bool {
        matches!(self.nodes[*state], Node::Pass { .. })
    }

    fn draw(&self, state: &usize) -> String {
        format!("node {state}: {:?}", self.nodes[*state])
    }

    fn side_by_side(&self) -> Option<RangeInclusive<usize>> {
        Some(2..=8)
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(Bounds::SMALL)
    }

    fn key(&self, state: &usize) -> impl Hash + Eq + use<> {
        *state
    }

    /// Every node is a site, and to go there an action.
    fn encoding(&self) -> Option<Encoding> {
        let nodes = (0..self.nodes.len()).map(|node| format!("n{node}"));
        Some(Encoding::placements(nodes.collect(), &["here"]))
    }

    fn code(&self, _state: &usize, action: usize) -> u32 {
        action as u32
    }

    fn planes(&self, state: &usize, planes: &mut [u8]) {
        planes.fill(0);
        planes[*state] = 1;
    }
}
