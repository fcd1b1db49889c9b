//! The answers that a person may type at the prompt.

use text::near_miss;

/// The meaning of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Action(usize),
    List,
    Undo,
    Hint,
    Why,
    Rules,
    Clock,
    /// A new game, and who plays each role, if that is said.
    New(Vec<String>),
    /// Agents stop, go on, play one ply, or take so many seconds for each.
    Pause,
    Go,
    Step,
    Pace(String),
    Help,
    Quit,
}

/// The text that `help` prints.
pub(super) const HELP: &str = "\
  a move     by its label, by the beginning of a label that no other has, or by its number
  ?          lists the legal moves with their numbers (so does the return key)
  undo, u    takes back your last move and what came after it
  hint, h    what an agent would do, and what it thinks of the moves
  why        the same of the agent that moved last
  rules      the rules in words
  clock      the time that each player has used
  new        a new game; `new person uct` also says who plays each role
  pause, go, step, pace 0.5
             where only agents play: stop, go on, one ply, seconds for each ply
  help       this
  quit, q    ends the game (so does Ctrl-D)";

/// Reads an answer; where it means nothing, what to do. A label comes before a command, and a label
/// before a number.
pub(super) fn read(line: &str, labels: &[String]) -> Result<Answer, String> {
    let line = line.trim();
    let plain = |text: &str| text.replace(['-', ' '], "").to_lowercase();
    let wanted = plain(line);
    let exact = |label: &&String| label.as_str() == line;
    if let Some(label) = labels.iter().find(exact) {
        return Ok(Answer::Action(labels.iter().position(|l| l == label).unwrap_or(0)));
    }
    if !wanted.is_empty() {
        let same: Vec<usize> = (0..labels.len()).filter(|&i| plain(&labels[i]) == wanted).collect();
        if let [action] = same[..] {
            return Ok(Answer::Action(action));
        }
    }
    match line {
        "" | "?" => return Ok(Answer::List),
        "undo" | "u" => return Ok(Answer::Undo),
        "hint" | "h" => return Ok(Answer::Hint),
        "why" => return Ok(Answer::Why),
        "rules" => return Ok(Answer::Rules),
        "clock" => return Ok(Answer::Clock),
        "new" => return Ok(Answer::New(Vec::new())),
        "help" => return Ok(Answer::Help),
        "quit" | "q" | "exit" => return Ok(Answer::Quit),
        _ => {}
    }
    // Whoever may choose from labels does not only watch.
    if labels.is_empty()
        && let Some(answer) = of_pace(line)
    {
        return Ok(answer);
    }
    if let Some(players) = line.strip_prefix("new ") {
        return match shlex::split(players) {
            Some(names) => Ok(Answer::New(names)),
            None => Err(format!("{players} has a quotation mark without its partner")),
        };
    }
    if wanted.bytes().all(|byte| byte.is_ascii_digit()) {
        return match wanted.parse::<usize>() {
            Ok(number) if (1..=labels.len()).contains(&number) => Ok(Answer::Action(number - 1)),
            _ => {
                Err(format!("there is no move {line}: they have the numbers 1 to {}", labels.len()))
            }
        };
    }
    let begin: Vec<usize> =
        (0..labels.len()).filter(|&i| plain(&labels[i]).starts_with(&wanted)).collect();
    match begin[..] {
        [action] if !wanted.is_empty() => Ok(Answer::Action(action)),
        [_, _, ..] => {
            let some: Vec<&str> = begin.iter().take(8).map(|&i| labels[i].as_str()).collect();
            let more = if begin.len() > 8 { ", ..." } else { "" };
            Err(format!("{line} may be {}{more}: type more of it", some.join(", ")))
        }
        _ => {
            let near = near_miss(&wanted, labels.iter().map(String::as_str))
                .map_or_else(String::new, |near| format!("; did you mean {near}?"));
            Err(format!("{line} is not legal{near} (? lists the legal moves, help says more)"))
        }
    }
}

/// The meaning of what somebody says who watches.
fn of_pace(line: &str) -> Option<Answer> {
    Some(match line {
        "pause" => Answer::Pause,
        "go" => Answer::Go,
        "step" => Answer::Step,
        _ => {
            let time = line.strip_prefix("pace")?;
            let is_word = time.is_empty() || time.starts_with(' ');
            is_word.then(|| Answer::Pace(time.trim().to_owned()))?
        }
    })
}

/// The labels with their numbers, in lines of at most `width` columns.
pub(super) fn list(labels: &[String], width: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for (number, label) in (1..).zip(labels) {
        let item = format!("{number} {label}");
        let length = item.chars().count() + 3;
        if column > 0 && column + length > width {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push_str("   ");
        }
        out.push_str(&item);
        column += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(all: &[&str]) -> Vec<String> {
        all.iter().map(|&label| label.to_owned()).collect()
    }

    #[test]
    fn moves_are_named_in_several_ways() {
        let all = labels(&["a2a3", "a2b3", "b2b3", "hint", "3", "Pass"]);
        for (typed, action) in [
            ("a2-a3", 0),
            ("A2B3", 1),
            ("b", 2),
            ("hint", 3),
            ("3", 4),
            ("2", 1),
            ("pass", 5),
            ("p", 5),
        ] {
            assert_eq!(read(typed, &all), Ok(Answer::Action(action)), "{typed}");
        }
        assert_eq!(read("h", &labels(&["a1"])), Ok(Answer::Hint));
        assert_eq!(read(" ", &all), Ok(Answer::List));
        assert_eq!(read("new", &all), Ok(Answer::New(Vec::new())));
        let names = ["person", "program:./a b"].map(str::to_owned).to_vec();
        assert_eq!(read("new person 'program:./a b'", &all), Ok(Answer::New(names)));
        assert!(read("new 'a", &all).unwrap_err().contains("quotation mark"));
        assert!(read("a2", &all).unwrap_err().contains("a2a3, a2b3"));
        assert!(read("7", &all).unwrap_err().contains("1 to 6"));
        assert!(read("a2a2", &all).unwrap_err().contains("did you mean"));
        assert!(read("-", &all).is_err());
    }

    #[test]
    fn who_watches_says_how_fast() {
        for (typed, answer) in [
            ("pause", Answer::Pause),
            ("go", Answer::Go),
            ("step", Answer::Step),
            ("pace 0.5", Answer::Pace("0.5".to_owned())),
            ("pace", Answer::Pace(String::new())),
        ] {
            assert_eq!(read(typed, &[]), Ok(answer), "{typed}");
        }
        assert!(read("paces", &[]).is_err());
        // They are no words where somebody plays.
        assert_eq!(read("go", &labels(&["gold"])), Ok(Answer::Action(0)));
    }

    #[test]
    fn lists_break_at_the_width() {
        assert_eq!(list(&labels(&["a1", "b1", "c1"]), 16), "1 a1   2 b1\n3 c1");
    }
}
