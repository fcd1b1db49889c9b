//! States drawn in text, whatever the game: facts that look like a board as a board, the rest as
//! they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::symbols::{Symbol, Symbols};
use crate::terms::{TermId, Terms};

/// Boards with more files or ranks than this are listed instead.
const MAX_SIDE: usize = 40;
/// And those with more squares a fact.
const MAX_SPARSE: usize = 40;

/// Draws a set of true facts: relations with three arguments that look like a board (a file, a rank
/// and what is there), then all other facts, sorted.
pub fn draw(symbols: &Symbols, terms: &Terms, facts: &[TermId]) -> String {
    let mut groups: BTreeMap<(&str, usize), Vec<TermId>> = BTreeMap::new();
    for &fact in facts {
        let key = (symbols.lower(terms.functor(fact)), terms.args(fact).len());
        groups.entry(key).or_default().push(fact);
    }
    let (mut boards, mut rest) = (String::new(), Vec::new());
    for group in groups.values() {
        match Board::new(symbols, terms, group) {
            Some(board) => boards += &board.draw(),
            None => rest.extend(group.iter().map(|&fact| terms.show(symbols, fact))),
        }
    }
    rest.sort_unstable();
    rest.dedup();
    boards + &rest.join("\n")
}

struct Board {
    /// From left to right.
    files: Vec<String>,
    /// From bottom to top.
    ranks: Vec<String>,
    cells: BTreeMap<(usize, usize), String>,
}

impl Board {
    /// The facts as a board, if they look like one: three constants each, the first two of which
    /// name at least two files and two ranks (numbers or single letters), no square twice.
    fn new(symbols: &Symbols, terms: &Terms, facts: &[TermId]) -> Option<Board> {
        let mut cells: BTreeMap<(Symbol, Symbol), &str> = BTreeMap::new();
        for &fact in facts {
            let &[file, rank, content] = terms.args(fact) else { return None };
            if [file, rank, content].iter().any(|&arg| !terms.args(arg).is_empty()) {
                return None;
            }
            let square = (terms.functor(file), terms.functor(rank));
            let content = symbols.lower(terms.functor(content));
            if cells.insert(square, content).is_some() {
                return None;
            }
        }
        let files = coordinates(symbols, cells.keys().map(|square| square.0))?;
        let ranks = coordinates(symbols, cells.keys().map(|square| square.1))?;
        if files.len() * ranks.len() > MAX_SPARSE * cells.len() {
            return None;
        }
        let place = |list: &[String], symbol| list.iter().position(|n| n == symbols.lower(symbol));
        let cells = cells.into_iter().filter_map(|((file, rank), content)| {
            Some(((place(&ranks, rank)?, place(&files, file)?), content.to_owned()))
        });
        let cells = cells.collect();
        Some(Board { files, ranks, cells })
    }

    fn draw(&self) -> String {
        let width = self.cells.values().map(|c| c.chars().count()).max().unwrap_or(1).min(8);
        let width = width.max(self.files.iter().map(|f| f.chars().count()).max().unwrap_or(1));
        let margin = self.ranks.iter().map(|r| r.chars().count()).max().unwrap_or(1);
        let mut out = String::new();
        for (r, rank) in self.ranks.iter().enumerate().rev() {
            let _ = write!(out, "{rank:>margin$}");
            for f in 0..self.files.len() {
                let content = self.cells.get(&(r, f)).map_or(".", |c| blank(c));
                let cut: String = content.chars().take(width).collect();
                let _ = write!(out, " {cut:<width$}");
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
        out += &" ".repeat(margin);
        for file in &self.files {
            let _ = write!(out, " {file:<width$}");
        }
        out.truncate(out.trim_end().len());
        out + "\n"
    }
}

/// What stands for an empty square in common sheets.
fn blank(content: &str) -> &str {
    if matches!(content, "b" | "blank" | "empty") { "." } else { content }
}

/// The names of files or ranks in order, from the first to the last; at least two. Gaps between
/// numbers, and between letters, are filled, since empty squares may have no fact.
fn coordinates(symbols: &Symbols, names: impl Iterator<Item = Symbol>) -> Option<Vec<String>> {
    let names: BTreeSet<&str> = names.map(|n| symbols.lower(n)).collect();
    let numbers: Option<BTreeSet<u32>> = names.iter().map(|n| n.parse().ok()).collect();
    let all: Vec<String> = if let Some(numbers) = numbers {
        let (&first, &last) = (numbers.first()?, numbers.last()?);
        if last - first > MAX_SIDE as u32 {
            return None;
        }
        (first.min(1)..=last).map(|n| n.to_string()).collect()
    } else {
        let letter = |n: &&str| (n.len() == 1).then(|| n.as_bytes()[0]);
        let letters: Option<BTreeSet<u8>> = names.iter().map(letter).collect();
        let letters = letters.filter(|l| l.iter().all(u8::is_ascii_lowercase))?;
        let (_, &last) = (letters.first()?, letters.last()?);
        (b'a'..=last).map(|c| char::from(c).to_string()).collect()
    };
    (all.len() >= 2 && all.len() <= MAX_SIDE).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Program, RelId};
    use expect_test::{Expect, expect};

    fn check(sheet: &str, expected: Expect) {
        let source = text::Source::new("t.kif", format!("(role r) (legal r noop) {sheet}"));
        let program: Program = crate::check(&source).program.unwrap();
        let mut terms = Terms::default();
        let init = program.facts.iter().filter(|fact| fact.relation == RelId::INIT);
        let facts: Vec<TermId> = init.filter_map(|f| terms.intern(&f.args[0])).collect();
        expected.assert_eq(&draw(&program.symbols, &terms, &facts));
    }

    #[test]
    fn boards_stand_first_and_other_facts_follow() {
        check(
            "(init (control white)) (init (cell a 1 white)) (init (cell c 2 blank))
             (init (cell b 3 black)) (init (step 1))",
            expect![[r#"
                3 .     black .
                2 .     .     .
                1 white .     .
                  a     b     c
                (control white)
                (step 1)"#]],
        );
    }

    #[test]
    fn what_is_no_board_is_listed() {
        check(
            "(init (on x y z)) (init (at 1 1 p)) (init (at 1 1 q)) (init over)",
            expect![[r#"
                (at 1 1 p)
                (at 1 1 q)
                (on x y z)
                over"#]],
        );
    }
}
