//! Words for what stands on a board, put where a language has the board, the player to move and
//! the counter of plies.

use std::collections::BTreeMap;
use std::ops::Range;

use play::Language;

use super::board::{Board, Square};
use super::drawing::{rows_of, split};

/// The words of one language for a board.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BoardWords {
    /// The word of each sign; that of `.` is for empty squares.
    pub signs: BTreeMap<char, String>,
    /// The word of all other signs, with `{}` where the sign stands.
    pub each: Option<String>,
    /// RBG: the turn of the second player, which comes first where that player is to move. RG:
    /// `pieces` where pieces of the rules say who moves.
    pub turn: Option<String>,
    /// KIF and RBG: the counter.
    pub count: Option<String>,
}

/// The keys of [`BoardWords`] that are no signs.
pub(crate) const KEYS: [&str; 3] = ["each", "turn", "count"];

/// A position, as words are put in.
pub(crate) struct Placed<'p> {
    /// The board, and who moves.
    pub(crate) board: &'p Board,
    /// The sign where there is no square.
    pub(crate) off: Option<char>,
    /// What was counted.
    pub(crate) count: u32,
}

/// A text in place of some bytes of the rules.
pub(crate) type Part = (Range<usize>, String);

impl Placed<'_> {
    /// What is on a square.
    fn sign(&self, Square { file, rank }: Square) -> Option<char> {
        let row = self.board.rows.len().checked_sub(rank + 1)?;
        self.board.rows[row].get(file).map(|sign| sign.unwrap_or('.'))
    }

    /// The squares from the top left on, with what is on them.
    fn squares(&self) -> impl Iterator<Item = (Square, char)> {
        let height = self.board.rows.len();
        self.board.rows.iter().enumerate().flat_map(move |(row, cells)| {
            let square = move |(file, sign): (usize, &Option<char>)| {
                let square = Square { file, rank: height - 1 - row };
                (*sign != self.off || sign.is_none()).then_some((square, sign.unwrap_or('.')))
            };
            cells.iter().enumerate().filter_map(square)
        })
    }
}

impl BoardWords {
    /// The word of a sign.
    pub(crate) fn word(&self, man: char) -> Option<String> {
        let (sign, way) = split(man);
        let each = || self.each.as_ref().filter(|_| sign != '.');
        let own = self.signs.get(&sign).cloned();
        let word = own.or_else(|| Some(each()?.replace("{}", &sign.to_string())))?;
        Some(way.map_or(word.clone(), |way| word.replace("?w", &way.to_string())))
    }

    /// The parts of rules that say a position. The error says what the rules lack.
    pub(crate) fn fill(
        &self,
        language: Language,
        rules: &str,
        placed: &Placed<'_>,
    ) -> Result<Vec<Part>, String> {
        let has_word = |sign: char| sign == '.' || self.word(sign).is_some();
        let lacking = placed.squares().find(|&(_, sign)| !has_word(sign));
        if let Some((_, sign)) = lacking.filter(|_| language != Language::Bitboard) {
            return Err(format!("no word for `{}`", split(sign).0));
        }
        match language {
            Language::Lud => self.fill_ludemes(rules, placed),
            Language::Kif => Ok(self.fill_facts(rules, placed)),
            Language::Rbg => self.fill_rbg(rules, placed),
            Language::Rg => self.fill_rg(rules, placed),
            Language::Bitboard => {
                let Placed { board, count, .. } = placed;
                let (rows, mover) = (rows_of(board), board.mover);
                let text = format!("{} {rows} {mover} {count}", rules.trim());
                Ok(vec![(0..rules.len(), text)])
            }
        }
    }

    /// Men are put down by the rules of the start; the second player moves first after a pass.
    fn fill_ludemes(&self, rules: &str, placed: &Placed<'_>) -> Result<Vec<Part>, String> {
        let code = without_comments(rules, "//");
        let mut parts = Vec::new();
        let place = |(square, sign): (Square, char)| {
            let name = square.name().to_uppercase();
            let rotation = split(sign).1.map_or_else(String::new, |way| format!(" rotation:{way}"));
            let piece = self.word(sign)?;
            Some(format!("\n            (place \"{piece}\" coord:\"{name}\"{rotation})"))
        };
        let men: String = placed.squares().filter_map(place).collect();
        let start = match men.is_empty() {
            false => format!("(start {{{men}\n        }})"),
            // The first pass of a game without men at the start ends it, as if all had passed.
            true if placed.board.mover > 0 => "(meta (passEnd NoEnd))".to_owned(),
            true => men,
        };
        let play = form(&code, "(play").ok_or("the rules have no `(play ...)`")?;
        match form(&code, "(start") {
            Some(old) => parts.push((old, start)),
            None => {
                let phases = code.find("phases:").filter(|&at| at < play.start);
                let at = phases.unwrap_or(play.start);
                parts.push((at..at, start + "\n        "));
            }
        }
        if placed.board.mover == 0 {
            return Ok(parts);
        }
        let mut from = 0;
        while let Some(play) = form(&code[from..], "(play") {
            let (start, end) = (from + play.start + "(play".len(), from + play.end - 1);
            parts.push((start..start, " (if (= (count Moves) 0) (move Pass)".to_owned()));
            parts.push((end..end, ")".to_owned()));
            from = end;
        }
        Ok(parts)
    }

    /// A word of GDL is the content of a cell, or facts with `?f` and `?r` for file and rank.
    fn facts(&self, square: Square, sign: char) -> Option<Vec<String>> {
        let word = self.word(sign)?;
        let name = square.name();
        let (file, rank) = name.split_at(1);
        if !word.starts_with('(') {
            return Some(vec![format!("(cell {file} {rank} {word})")]);
        }
        let filled = word.replace("?f", file).replace("?r", rank);
        Some(forms(&filled).map(|range| filled[range].to_owned()).collect())
    }

    /// Facts of the start take the place of those with the same relations.
    fn fill_facts(&self, rules: &str, placed: &Placed<'_>) -> Vec<Part> {
        let code = without_comments(rules, ";");
        let facts = placed.squares().filter_map(|(square, sign)| self.facts(square, sign));
        let mut facts: Vec<String> = facts.flatten().collect();
        let anywhere = Square { file: 0, rank: 0 };
        let all = self.signs.keys().copied().chain(self.each.iter().map(|_| '1'));
        let mut relations: Vec<String> = all
            .filter_map(|sign| self.facts(anywhere, sign))
            .flatten()
            .map(|fact| relation(&fact).to_owned())
            .collect();
        if let Some(count) = &self.count {
            facts.push(format!("({})", count.replace("?n", &placed.count.to_string())));
            relations.push(relation(count).to_owned());
        }
        let roles: Vec<&str> = forms(&code)
            .filter_map(|range| code[range].strip_prefix("(role "))
            .map(|role| role.trim_end_matches(')').trim())
            .collect();
        let mover = roles.get(usize::from(placed.board.mover));
        if let Some(mover) = mover.filter(|_| placed.board.mover > 0) {
            facts.push(format!("(control {mover})"));
            relations.push("control".to_owned());
        }
        let mut parts: Vec<Part> = forms(&code)
            .filter(|range| {
                let form = &code[range.clone()];
                let fact = form.strip_prefix("(<= ").unwrap_or(form);
                let fact = fact.strip_prefix("(init ");
                fact.is_some_and(|fact| relations.iter().any(|name| name == relation(fact)))
            })
            .map(|range| (range, String::new()))
            .collect();
        let at = parts.first().map(|(range, _)| range.start);
        let at = at.or_else(|| code.find("(init ")).unwrap_or(code.len());
        let facts: String = facts.iter().map(|fact| format!("(init {fact})\n")).collect();
        parts.insert(0, (at..at, facts));
        parts
    }

    /// The pieces of the board are replaced one by one, from the top left on.
    fn fill_rbg(&self, rules: &str, placed: &Placed<'_>) -> Result<Vec<Part>, String> {
        let code = without_comments(rules, "//");
        let section = |name: &str| {
            let at = code.find(name).ok_or_else(|| lacking(name))?;
            let start = at + name.len();
            let end = code[start..].find("\n#").map_or(code.len(), |end| start + end);
            Ok::<_, String>(start..end)
        };
        let mut parts = Vec::new();
        let board = section("#board")?;
        let mut squares = placed.squares().peekable();
        let mut at = board.start;
        while let Some(open) = code[at..board.end].find('[') {
            let start = at + open + 1;
            let end = start + code[start..board.end].find(']').ok_or_else(|| lacking("]"))?;
            // A point has its name before its piece.
            let before = code[at..start - 1].split_whitespace().next_back();
            let named = before.and_then(Square::named);
            let word = |old: &str| {
                if old.trim().is_empty() {
                    return Ok(String::new());
                }
                let next = squares.next().ok_or("the board of the rules is larger")?;
                let sign = match named {
                    None => next.1,
                    Some(square) => placed.sign(square).ok_or("the board has no such square")?,
                };
                self.word(sign).ok_or(format!("no word for `{sign}`"))
            };
            let words: Result<Vec<String>, String> =
                code[start..end].split(',').map(word).collect();
            parts.push((start..end, words?.join(",")));
            at = end;
        }
        if squares.peek().is_some() {
            return Err("the board of the rules is smaller".to_owned());
        }
        // Behind what is assigned first, such as the scores of a draw.
        let body = section("#rules")?;
        let mut start = body.start + code[body.clone()].find('=').map_or(0, |at| at + 1);
        while code[start..body.end].trim_start().starts_with("[$") {
            start += code[start..].find(']').map_or(0, |at| at + 1);
        }
        let count = self.count.as_ref().map(|count| format!(" [$ {count} = {}]", placed.count));
        let turn =
            self.turn.as_ref().filter(|_| placed.board.mover > 0).map(|turn| format!(" {turn}"));
        parts.push((start..start, count.into_iter().chain(turn).collect()));
        Ok(parts)
    }

    /// Squares are `P(file, rank)`.
    fn fill_rg(&self, rules: &str, placed: &Placed<'_>) -> Result<Vec<Part>, String> {
        let code = without_comments(rules, "//");
        let at = code.find("\nboard: ").ok_or_else(|| lacking("board: "))? + 1;
        let line = at + code[at..].find('\n').unwrap_or(0);
        let open = code[at..line].find('{');
        let (start, end) = match open {
            Some(open) => (at + open, block(&code, at + open).ok_or_else(|| lacking("}"))?),
            None => (line, line),
        };
        let outside = code[start..end].find("outside = ").map(|at| {
            let rest = &code[start + at..end];
            &rest[..rest.find([';', '}', '\n']).unwrap_or(rest.len())]
        });
        let empty = self.word('.').unwrap_or_else(|| "empty".to_owned());
        let outside = outside.map(|outside| format!("; {}", outside.trim()));
        let man = |(Square { file, rank }, sign): (Square, char)| {
            let word = self.word(sign).filter(|_| sign != '.')?;
            Some(format!(";\n  P({}, {}) = {word}", file + 1, rank + 1))
        };
        let entries = outside.into_iter().chain(placed.squares().filter_map(man));
        let map = format!("{{:{empty}{}}}", entries.collect::<String>());
        let is_new = if open.is_some() { "" } else { " = " };
        let mut parts = vec![(start..end, format!("{is_new}{map}"))];
        if placed.board.mover > 0 && self.turn.as_deref() != Some("pieces") {
            parts.extend(second_turn(rules, &code)?);
        }
        Ok(parts)
    }
}

/// RG: a turn of the second player before the rounds of both.
fn second_turn(rules: &str, code: &str) -> Result<[Part; 2], String> {
    const ROUND: &str = "repeat me in Player {";
    let player = code.split("domain Player =").nth(1).and_then(|all| all.split('|').nth(1));
    let player = player.and_then(|player| player.split_whitespace().next());
    let player = player.ok_or_else(|| lacking("domain Player = A | B"))?;
    let graph = code.find("graph rules()").ok_or_else(|| lacking("graph rules()"))?;
    let round = code.rfind(ROUND).ok_or_else(|| lacking(ROUND))?;
    let from = code[..round].rfind("loop {").ok_or_else(|| lacking("loop {"))?;
    let end = block(code, from + "loop ".len()).ok_or_else(|| lacking("}"))?;
    let body = round + ROUND.len() - 1;
    let body = body..block(code, body).ok_or_else(|| lacking("}"))?;
    let mut name = "turn".to_owned();
    while code.contains(&format!("graph {name}(")) {
        name.push('s');
    }
    let turn = format!("graph {name}(me: Player) {}\n\n", &rules[body]);
    let rounds = format!("{name}({player})\n  loop {{\n    {ROUND} {name}(me) }}\n  }}");
    Ok([(graph..graph, turn), (from..end, rounds)])
}

/// What is said of rules without something.
fn lacking(what: &str) -> String {
    format!("the rules have no `{what}`")
}

/// The text with blanks in place of its comments, which go from a mark to the end of a line.
fn without_comments(text: &str, mark: &str) -> String {
    let line = |line: &str| {
        let end = line.find(mark).unwrap_or(line.len());
        let blanks = line[end..].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' });
        line[..end].chars().chain(blanks).collect::<String>()
    };
    text.split_inclusive('\n').map(line).collect()
}

/// The name of the relation of a fact.
fn relation(fact: &str) -> &str {
    let fact = fact.trim_start_matches('(');
    &fact[..fact.find([' ', ')']).unwrap_or(fact.len())]
}

/// The first form that begins so, up to its last parenthesis.
fn form(code: &str, begin: &str) -> Option<Range<usize>> {
    let is_word = |at: usize| {
        let next = code[at + begin.len()..].chars().next();
        next.is_some_and(|next| !next.is_alphanumeric())
    };
    let (start, _) = code.match_indices(begin).find(|&(at, _)| is_word(at))?;
    Some(start..closing(code, start, ['(', ')'])?)
}

/// The forms of a text that are in no other.
fn forms(code: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + code[at..].find('(')?;
        at = closing(code, start, ['(', ')'])?;
        Some(start..at)
    })
}

/// The end of a block that begins with a brace.
fn block(code: &str, start: usize) -> Option<usize> {
    closing(code, start, ['{', '}'])
}

/// The end of what a bracket begins.
fn closing(code: &str, start: usize, [open, close]: [char; 2]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, sign) in code[start..].char_indices() {
        if sign == open {
            depth += 1;
        } else if sign == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(start + at + 1);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::rules::replaced;

    /// Rules in a language at a position of two rows, with these words.
    fn fill(language: Language, rules: &str, words: &[(char, &str)], mover: u8) -> String {
        let signs = words.iter().map(|&(sign, word)| (sign, word.to_owned())).collect();
        let turn = Some("second".to_owned());
        let words = BoardWords { signs, turn, count: Some("n".to_owned()), each: None };
        let rows = vec![vec![Some('x'), None], vec![Some('+'), Some('o')]];
        let board = Board { rows, mover };
        let placed = Placed { board: &board, off: Some('+'), count: 7 };
        let filled = replaced(rules, words.fill(language, rules, &placed).unwrap()).unwrap();
        filled.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn men_are_placed_and_the_second_player_moves_after_a_pass() {
        let rules = "(rules // (start {
            (start (place \"M\" 0)) (play (forEach Piece)))";
        let words = [('x', "M"), ('o', "N")];
        let men = "(start { (place \"M\" coord:\"A2\") (place \"N\" coord:\"B1\") })";
        let first = fill(Language::Lud, rules, &words, 0);
        assert_eq!(first, format!("(rules // (start {{ {men} (play (forEach Piece)))"));
        let board = Board { rows: vec![vec![None]], mover: 1 };
        let empty = Placed { board: &board, off: None, count: 0 };
        let parts = BoardWords::default().fill(Language::Lud, "(rules (play (move)))", &empty);
        let empty = replaced("(rules (play (move)))", parts.unwrap()).unwrap();
        assert!(empty.starts_with("(rules (meta (passEnd NoEnd))\n        (play (if"), "{empty}");
        let second = fill(Language::Lud, &rules.replace("(start (place \"M\" 0))", ""), &words, 1);
        let play = "(play (if (= (count Moves) 0) (move Pass) (forEach Piece)))";
        assert_eq!(second, format!("(rules // (start {{ {men} {play})"));
    }

    #[test]
    fn facts_take_the_place_of_those_of_the_same_relations() {
        let rules = "(role a) (role b) (init (cell a 1 z)) (<= (init (cell ?f 2 z)) (f ?f))
            ; (init (cell c 1 z))
            (init (control a)) (init (n 0)) (init (phase 1)) (next (cell a 1 z))";
        let filled =
            fill(Language::Kif, rules, &[('x', "x"), ('o', "o"), ('.', "(hole ?f ?r)")], 1);
        let facts = "(role a) (role b) (init (cell a 2 x)) (init (hole b 2)) (init (cell b 1 o)) \
            (init (n)) (init (control b)) ; (init (cell c 1 z)) (init (phase 1)) \
            (next (cell a 1 z))";
        assert_eq!(filled, facts);
    }

    #[test]
    fn pieces_stand_on_boards_of_squares_and_of_points() {
        let words = [('x', "p"), ('o', "q"), ('.', "e")];
        let squares =
            "#board = rectangle(up,down,left,right,\n[e,p]\n[,p])\n#rules = [$ p = 1] (a b)*";
        let filled =
            "#board = rectangle(up,down,left,right, [p,e] [,q]) #rules = [$ p = 1] [$ n = 7]";
        assert_eq!(fill(Language::Rbg, squares, &words, 0), format!("{filled} (a b)*"));
        assert_eq!(fill(Language::Rbg, squares, &words, 1), format!("{filled} second (a b)*"));
        let points = "#board =\n b2[e]{d: b1} a2[e]{r: b2}\n b1[e]{u: b2}\n#rules = ->a";
        let filled = "#board = b2[e]{d: b1} a2[p]{r: b2} b1[q]{u: b2} #rules = [$ n = 7]";
        assert_eq!(fill(Language::Rbg, points, &words, 0), format!("{filled} ->a"));
    }

    #[test]
    fn the_board_is_a_map_and_the_turn_of_the_second_player_comes_first() {
        let rules = "domain Player = one | two\nboard: Site -> Man = {:none; outside = wall}\n\
            graph rules() {\n  loop {\n    repeat me in Player { put(me) }\n  }\n}\n";
        let words = [('x', "one"), ('o', "two"), ('.', "none")];
        let board = "domain Player = one | two board: Site -> Man = \
            {:none; outside = wall; P(1, 2) = one; P(2, 1) = two}";
        let first = fill(Language::Rg, rules, &words, 0);
        assert_eq!(
            first,
            format!("{board} graph rules() {{ loop {{ repeat me in Player {{ put(me) }} }} }}")
        );
        let second = fill(Language::Rg, rules, &words, 1);
        let turns = "graph turn(me: Player) { put(me) } graph rules() { turn(two) loop \
            { repeat me in Player { turn(me) } } }";
        assert_eq!(second, format!("{board} {turns}"));
        let more = fill(Language::Rg, &format!("{rules}graph turn() {{}}"), &words, 1);
        assert!(more.contains("turns(two) loop { repeat me in Player { turns(me) } }"), "{more}");
        let plain = fill(Language::Rg, &rules.replace(" = {:none; outside = wall}", ""), &words, 0);
        assert!(plain.contains("-> Man = {:none; P(1, 2) = one;"), "{plain}");
    }
}
