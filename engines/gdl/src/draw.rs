//! States drawn in text, whatever the game: facts that look like a board as a board, the rest as
//! they are.
//!
//! Nothing in a sheet says what a board is. What is taken for one: facts two neighbouring arguments
//! of which are coordinates, numbers or single letters. Drawings are bounded, whatever the sheet
//! says.

mod board;
mod letters;
mod lines;

use std::collections::{BTreeMap, BTreeSet};

use play::picture::{Picture, PieceWords, fold};

use crate::symbols::{Symbol, Symbols};
use crate::terms::{TermId, Terms};

use board::{Board, Layer, boards};
use lines::filled;

/// Most boards of one drawing; what would be more is listed.
const MAX_BOARDS: usize = 8;
/// Most facts that are listed.
const MAX_FACTS: usize = 500;
/// Longest fact that is listed, in characters; longer ones are cut.
const MAX_FACT: usize = 200;

/// The terms that can stand in facts: the constants of each argument, as far as an engine knows.
/// Drawings have the squares that could be occupied, so that they do not shrink as men leave them.
#[derive(Clone, Debug, Default)]
pub struct Reach(BTreeMap<(Symbol, usize), Vec<BTreeSet<Symbol>>>);

impl Reach {
    /// Of these facts, which are all that can ever hold.
    pub fn of(terms: &Terms, facts: &[TermId]) -> Reach {
        let mut reach = Reach::default();
        for &fact in facts {
            let args = terms.args(fact);
            let known = reach.relation(terms.functor(fact), args.len());
            for (known, &arg) in known.iter_mut().zip(args) {
                if terms.args(arg).is_empty() {
                    known.insert(terms.functor(arg));
                }
            }
        }
        reach
    }

    /// The constants of each argument of a relation, to be added to.
    pub fn relation(&mut self, functor: Symbol, arity: usize) -> &mut [BTreeSet<Symbol>] {
        self.0.entry((functor, arity)).or_insert_with(|| vec![BTreeSet::new(); arity])
    }
}

/// Draws a set of true facts: those that look like boards as boards with coordinates and a legend,
/// then all others, sorted.
pub fn draw(symbols: &Symbols, terms: &Terms, facts: &[TermId], reach: &Reach) -> String {
    let Sorted { boards, rest } = sorted(symbols, terms, facts, reach);
    let titles = boards.len() > 1;
    let mut out: String = boards.iter().map(|board| board.draw(titles)).collect();
    out += &filled(&rest, "  ");
    out
}

/// The same as a picture, boards beside each other; `players` are those whose pieces may be there.
pub fn picture(
    symbols: &Symbols,
    terms: &Terms,
    facts: &[TermId],
    reach: &Reach,
    players: &[&str],
) -> Picture {
    let Sorted { boards, rest } = sorted(symbols, terms, facts, reach);
    let words = PieceWords::new(players);
    let mut picture = Picture::default();
    let mut left = 0.0;
    for (number, board) in boards.iter().enumerate() {
        let mut cells = board.cells(&words, left, number == 0);
        fold(&mut cells);
        left = cells.iter().map(|cell| cell.x).fold(left, f32::max) + 2.0;
        picture.cells.extend(cells);
        if boards.len() > 1 {
            picture.notes.push(format!("board {}: {}", number + 1, board.name()));
        }
    }
    picture.with_notes(&filled(&rest, "  "))
}

/// True facts: on boards, and all others in order.
struct Sorted {
    boards: Vec<Board>,
    rest: Vec<String>,
}

fn sorted(symbols: &Symbols, terms: &Terms, facts: &[TermId], reach: &Reach) -> Sorted {
    let mut groups: BTreeMap<(&str, Symbol, usize), Vec<TermId>> = BTreeMap::new();
    for &(functor, arity) in reach.0.keys() {
        groups.insert((symbols.lower(functor), functor, arity), Vec::new());
    }
    for &fact in facts {
        let functor = terms.functor(fact);
        let key = (symbols.lower(functor), functor, terms.args(fact).len());
        groups.entry(key).or_default().push(fact);
    }
    let (mut layers, mut rest) = (Vec::new(), Vec::new());
    for ((_, functor, arity), mut group) in groups {
        group.sort_unstable();
        group.dedup();
        let known = reach.0.get(&(functor, arity)).map_or(&[][..], Vec::as_slice);
        match Layer::new(symbols, terms, functor, known, &group) {
            Some(layer) => layers.push(layer),
            None => rest.extend(group),
        }
    }
    let mut drawn = boards(layers);
    for board in drawn.split_off(drawn.len().min(MAX_BOARDS)) {
        rest.extend(board.facts());
    }
    // A lone relation of two arguments may be anything; over a board it is what is there.
    let (drawn, doubtful): (Vec<_>, Vec<_>) = drawn.into_iter().partition(Board::is_certain);
    rest.extend(doubtful.iter().flat_map(Board::facts));
    let mut rest: Vec<String> = rest.iter().map(|&fact| cut(terms.show(symbols, fact))).collect();
    rest.sort_unstable();
    let more = rest.len().saturating_sub(MAX_FACTS);
    rest.truncate(MAX_FACTS);
    if more > 0 {
        rest.push(format!("and {more} more"));
    }
    Sorted { boards: drawn, rest }
}

fn cut(fact: String) -> String {
    if fact.chars().count() <= MAX_FACT {
        return fact;
    }
    fact.chars().take(MAX_FACT).chain("...".chars()).collect()
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
        expected.assert_eq(&draw(&program.symbols, &terms, &facts, &Reach::default()));
    }

    #[test]
    fn boards_stand_first_and_other_facts_follow() {
        check(
            "(init (control white)) (init (cell a 1 white)) (init (cell c 2 blank))
             (init (cell b 3 black)) (init (step 1))",
            expect![[r#"
                3   b
                2     .
                1 w
                  a b c
                w white, b black
                (control white)  (step 1)"#]],
        );
    }

    #[test]
    fn what_is_no_board_is_listed() {
        check(
            "(init (on x y z)) (init (at 1 1 p)) (init (at 1 1 q)) (init over) (init (on a b))
             (init (score 3 7)) (init (pair 1 2 p)) (init (pair 1 2 q)) (init (pair 2 1 q))",
            expect![[r#"
                (at 1 1 p)  (at 1 1 q)  (on a b)  (on x y z)  (pair 1 2 p)  (pair 1 2 q)
                (pair 2 1 q)  (score 3 7)  over"#]],
        );
    }

    #[test]
    fn contents_of_two_words_are_letters_of_two_cases() {
        check(
            "(role white) (role black) (init (cell a 1 white king)) (init (cell b 1 white knight))
             (init (cell b 2 black king)) (init (at white a 2)) (init (trail b 2)) (init \
             (trail a 1))",
            expect![[r#"
                2 .  kt
                1 Kt N
                  a  b
                K white king, N white knight, k black king, t trail
                (at white a 2)"#]],
        );
    }

    #[test]
    fn squares_that_can_be_occupied_are_drawn() {
        let mut symbols = Symbols::default();
        let mut terms = Terms::default();
        let mut constant = |name: &str| terms.constant(symbols.intern(name));
        let [cell, queen, a, b, one, two, x] =
            ["cell", "queen", "a", "b", "1", "2", "x"].map(&mut constant);
        let mut fact = |functor, args: &[TermId]| {
            let functor = terms.functor(functor);
            terms.compound(functor, args)
        };
        let all = [fact(cell, &[a, one, x]), fact(cell, &[b, two, x]), fact(queen, &[a, one])];
        let reach = Reach::of(&terms, &all);
        expect![[r#"
            2 . .
            1 . .
              a b
            (queen a 1)"#]]
        .assert_eq(&draw(&symbols, &terms, &all[2..], &reach));
    }

    #[test]
    fn letters_are_files_wherever_they_stand() {
        check(
            "(init (cell 1 a x)) (init (cell 2 c o)) (init (cell 2 a b))",
            expect![[r#"
            2 .   o
            1 x
              a b c
        "#]],
        );
    }

    #[test]
    fn drawings_are_bounded() {
        let facts: String = (0..3000).map(|n| format!("(init (cell {n} {n} (f{n} x)))")).collect();
        let deep = format!("(init {}x{})", "(f ".repeat(40), ")".repeat(40));
        let many: String = (0..40)
            .flat_map(|r| [1, 40].map(|n| format!("(init (p{r} {n} {n} x)) (init (p{r} 1 40 o))")))
            .collect();
        for sheet in [facts, deep, many] {
            let source = text::Source::new("t.kif", format!("(role r) (legal r noop) {sheet}"));
            let program: Program = crate::check(&source).program.unwrap();
            let mut terms = Terms::default();
            let init = program.facts.iter().filter(|fact| fact.relation == RelId::INIT);
            let facts: Vec<TermId> = init.filter_map(|f| terms.intern(&f.args[0])).collect();
            let drawn = draw(&program.symbols, &terms, &facts, &Reach::default());
            assert!(drawn.len() < 40_000, "{}", drawn.len());
            assert!(drawn.lines().all(|line| line.chars().count() < 250), "{drawn}");
        }
    }
}
