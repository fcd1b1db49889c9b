//! The names of agents.

use super::PROGRAM;

/// An agent as somebody named it: `[NAME=]AGENT[@ENGINE][:PARAMETERS]`, or
/// `[NAME=]program:COMMAND`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentName {
    /// Its name in tables: its own name, or else all that was written.
    pub shown: String,
    /// The agent with its parameters, or the program.
    pub agent: String,
    /// The engine that it thinks on; without one, it thinks on the one that keeps the rules.
    pub engine: Option<String>,
}

impl AgentName {
    /// Reads a name.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    pub fn parse(text: &str) -> Result<AgentName, String> {
        let (own, rest) = match text.find(['=', ':', '@']) {
            Some(at) if text[at..].starts_with('=') => (Some(&text[..at]), &text[at + 1..]),
            _ => (None, text),
        };
        if own.is_some_and(|own| own.is_empty() || own.contains(char::is_whitespace)) {
            return Err(format!(
                "`{text}` begins with no name; write a word before `=`, as in `fast=uct@bitboard`"
            ));
        }
        let shown = own.unwrap_or(text).to_owned();
        if rest.starts_with(PROGRAM) {
            return Ok(AgentName { shown, agent: rest.to_owned(), engine: None });
        }
        let (head, parameters) = match rest.find(':') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let (agent, engine) = match head.split_once('@') {
            Some((agent, engine)) => (agent, Some(engine.to_owned())),
            None => (head, None),
        };
        Ok(AgentName { shown, agent: format!("{agent}{parameters}"), engine })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, String, Option<String>) {
        let AgentName { shown, agent, engine } = AgentName::parse(text).unwrap();
        (shown, agent, engine)
    }

    #[test]
    fn all_parts_are_read() {
        let text = |text: &str| text.to_owned();
        for (name, shown, agent, engine) in [
            ("uct", "uct", "uct", None),
            ("uct:c=0.7", "uct:c=0.7", "uct:c=0.7", None),
            ("uct@rbg", "uct@rbg", "uct", Some("rbg")),
            ("uct@rbg:c=0.7,leaves=2", "uct@rbg:c=0.7,leaves=2", "uct:c=0.7,leaves=2", Some("rbg")),
            ("fast=uct@bitboard:c=0.7", "fast", "uct:c=0.7", Some("bitboard")),
            ("two=uct", "two", "uct", None),
            ("mine=program:./a --x=1@b", "mine", "program:./a --x=1@b", None),
            ("program:./a --x=1", "program:./a --x=1", "program:./a --x=1", None),
        ] {
            assert_eq!(read(name), (text(shown), text(agent), engine.map(text)), "{name}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for name in ["=uct", "my agent=uct"] {
            assert!(AgentName::parse(name).unwrap_err().contains("word before `=`"), "{name}");
        }
    }
}
