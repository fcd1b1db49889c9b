use std::cell::RefCell;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Parameters of an agent as they follow its name: `uct:c=0.7,plies=200`.
pub(crate) struct Params<'a> {
    agent: &'a str,
    given: Vec<(&'a str, &'a str)>,
    /// The parameters that were asked for, to name them if something else was given.
    known: RefCell<Vec<Parameter>>,
}

/// A parameter that an agent has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub key: &'static str,
    /// Its value if none is given.
    pub default: String,
    /// Its possible values: `0 to 100`, `playouts or uct`.
    pub values: String,
}

impl<'a> Params<'a> {
    /// Splits a text into the agent's name and its parameters.
    pub(crate) fn parse(text: &'a str) -> Result<(&'a str, Params<'a>), String> {
        let (agent, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut given: Vec<(&str, &str)> = Vec::new();
        for one in rest.split(',').filter(|one| !one.is_empty()) {
            let (key, value) = one.split_once('=').ok_or_else(|| {
                format!("agent `{text}`: expected `key=value` after the colon, not `{one}`")
            })?;
            if given.iter().any(|&(k, _)| k == key) {
                return Err(format!("agent `{text}`: `{key}` is given twice"));
            }
            given.push((key, value));
        }
        Ok((agent, Params { agent, given, known: RefCell::default() }))
    }

    fn value(&self, key: &'static str, default: String, values: String) -> Option<&'a str> {
        self.known.borrow_mut().push(Parameter { key, default, values });
        self.given.iter().find(|&&(k, _)| k == key).map(|&(_, value)| value)
    }

    /// A number within bounds.
    pub(crate) fn number<T: FromStr + PartialOrd + Display>(
        &self,
        key: &'static str,
        default: T,
        bounds: RangeInclusive<T>,
    ) -> Result<T, String> {
        let values = format!("{} to {}", bounds.start(), bounds.end());
        let Some(text) = self.value(key, default.to_string(), values) else { return Ok(default) };
        text.parse().ok().filter(|value| bounds.contains(value)).ok_or_else(|| {
            let (agent, low, high) = (self.agent, bounds.start(), bounds.end());
            format!("agent `{agent}`: `{key}={text}`: expected a number from {low} to {high}")
        })
    }

    /// One of some words; the first if none is given. Its number.
    pub(crate) fn word(&self, key: &'static str, words: &[&str]) -> Result<usize, String> {
        let default = words.first().copied().unwrap_or_default().to_owned();
        let Some(text) = self.value(key, default, words.join(" or ")) else { return Ok(0) };
        words.iter().position(|&word| word == text).ok_or_else(|| {
            format!("agent `{}`: `{key}={text}`: expected {}", self.agent, words.join(" or "))
        })
    }

    /// Fails if a parameter was given that nobody asked for.
    pub(crate) fn finish(&self) -> Result<(), String> {
        let known: Vec<&str> = self.known.borrow().iter().map(|parameter| parameter.key).collect();
        let Some((key, _)) = self.given.iter().find(|(key, _)| !known.contains(key)) else {
            return Ok(());
        };
        let has = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let hint = text::did_you_mean(key, known);
        Err(format!("agent `{}` has no parameter `{key}`: it has {has}{hint}", self.agent))
    }

    /// All that was asked for.
    pub(crate) fn known(&self) -> Vec<Parameter> {
        self.known.borrow().clone()
    }
}
