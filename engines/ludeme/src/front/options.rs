use std::collections::BTreeMap;

use text::{Bracket, Diagnostic, Node, NodeKind, Source, Span};

use super::define::too_large;
use super::place::{Place, Replaced};
use super::token::{Budget, Token, TokenKind, render, within};

/// The options of a description, with the choice that was made of each.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The options, in the order of the file.
    pub blocks: Vec<OptionBlock>,
    /// Named combinations of choices, in the order of the file.
    pub rulesets: Vec<Ruleset>,
}

/// One `(option ..)`: alternatives, of which exactly one holds.
#[derive(Clone, Debug)]
pub struct OptionBlock {
    /// The subject of the choice, such as `Board Size`.
    pub heading: String,
    /// The tag of the places that the option fills.
    pub tag: String,
    /// Names of the texts of an item, in their order.
    pub args: Vec<String>,
    /// The alternatives.
    pub items: Vec<OptionItem>,
    /// Index of the chosen item.
    pub chosen: usize,
    /// The span of the block.
    pub span: Span,
}

/// One alternative of an option.
#[derive(Clone, Debug)]
pub struct OptionItem {
    /// The name of the item, such as `8x8`; it is chosen by `heading/name`.
    pub name: String,
    /// The description by its author.
    pub description: String,
    /// The strength of the recommendation; the item with the most stars is the default.
    pub stars: usize,
    /// The spans of the texts that it fills in.
    pub texts: Vec<Span>,
}

/// One `(ruleset ..)`: a named combination of choices.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// The name of the ruleset, such as `Ruleset/Modern`.
    pub name: String,
    /// The choices, as `heading/name`.
    pub choices: Vec<String>,
}

impl Options {
    /// Reads the `option` and `rulesets` lists of a description. The items named by `selected` are
    /// chosen, and the defaults otherwise.
    pub(super) fn read(
        source: &Source,
        lists: &[&Node],
        selected: &[String],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Options {
        let mut options = Options::default();
        for list in lists {
            match list.head() {
                Some("option") => match block(source, list) {
                    Ok(block) => options.blocks.push(block),
                    Err(problem) => diagnostics.push(*problem),
                },
                // Only the first block of rulesets counts.
                Some("rulesets") if options.rulesets.is_empty() => {
                    options.rulesets = rulesets(list);
                }
                _ => {}
            }
        }
        options.select(selected, diagnostics);
        options
    }

    fn select(&mut self, selected: &[String], diagnostics: &mut Vec<Diagnostic>) {
        for choice in selected {
            let wanted = in_words(choice);
            let ruleset = self.rulesets.iter().find(|ruleset| ruleset.name == wanted);
            let choices = ruleset.map_or_else(|| vec![choice.clone()], |r| r.choices.clone());
            for choice in choices {
                // Headings have no `/`, and blanks at the ends of a name are none of it.
                let (heading, name) = choice.split_once('/').unwrap_or((&choice, ""));
                let [heading, name] = [heading, name].map(in_words);
                let item = self.blocks.iter().enumerate().find_map(|(b, block)| {
                    let named = block.heading == heading;
                    let item = block.items.iter().position(|item| named && item.name == name)?;
                    Some((b, item))
                });
                match item {
                    Some((block, item)) => self.blocks[block].chosen = item,
                    None => diagnostics.push(self.no_such_choice(&choice)),
                }
            }
        }
    }

    fn no_such_choice(&self, choice: &str) -> Diagnostic {
        let choices = self.choices();
        let span = self.blocks.first().map_or(Span::at(0), |block| block.span);
        let mut diagnostic =
            Diagnostic::error("unknown-option", span, format!("there is no option `{choice}`"))
                .suggest(choice, choices.iter().map(String::as_str));
        if choices.is_empty() {
            return diagnostic.help("this description has no options");
        }
        const SHOWN: usize = 30;
        diagnostic = diagnostic
            .help(format!("the options are:\n{}", choices[..choices.len().min(SHOWN)].join("\n")));
        if choices.len() > SHOWN {
            diagnostic = diagnostic.help(format!("and {} more", choices.len() - SHOWN));
        }
        diagnostic
    }

    /// All possible choices, as `heading/name`.
    fn choices(&self) -> Vec<String> {
        let items = self.blocks.iter().flat_map(|block| {
            block.items.iter().map(move |item| format!("{}/{}", block.heading, item.name))
        });
        items.chain(self.rulesets.iter().map(|ruleset| ruleset.name.clone())).collect()
    }

    /// Replaces the tags by the chosen texts. `file` are the tokens of the whole file,
    /// `tokens` those of them outside the options.
    pub(super) fn substitute(
        &self,
        file: &[Token],
        tokens: Vec<Token>,
        budget: &mut Budget,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<Token> {
        let markers = self.markers(file);
        if markers.is_empty() {
            return tokens;
        }
        let mut out = Vec::with_capacity(tokens.len());
        // A text that an option fills in may hold tags of later options, not of earlier ones or its
        // own.
        let mut todo: Vec<(Token, usize)> = tokens.into_iter().rev().map(|t| (t, 0)).collect();
        while let Some((token, from)) = todo.pop() {
            let held = match &token.kind {
                TokenKind::Word(held) | TokenKind::Text(held) if held.contains('<') => held.clone(),
                _ => {
                    out.push(token);
                    continue;
                }
            };
            let Some(Marker { offset, name, option, fill }) = first_marker(&held, from, &markers)
            else {
                out.push(token);
                continue;
            };
            let (before, after) = (&held[..offset], &held[offset + name.len() + 2..]);
            if !budget.take(fill.len() + 1 + held.len() / 16) {
                diagnostics.push(too_large(&token.place));
                break;
            }
            if matches!(token.kind, TokenKind::Text(_)) {
                let text = format!("{before}{}{after}", render(fill));
                todo.push((token.with(TokenKind::Text(text.into()), token.glued), from));
                continue;
            }
            if !after.is_empty() {
                todo.push((token.with(TokenKind::Word(after.into()), true), from));
            }
            let via = token.place.replaced(Replaced::Tag, name.into(), None);
            for (index, filled) in fill.iter().enumerate().rev() {
                let mut filled = filled.clone();
                filled.place.via = Some(via.clone());
                if index == 0 {
                    filled.glued = if before.is_empty() { token.glued } else { true };
                }
                todo.push((filled, option + 1));
            }
            if !before.is_empty() {
                out.push(token.with(TokenKind::Word(before.into()), token.glued));
            }
        }
        out
    }

    /// The replacement of each marker, with the number of its option.
    fn markers(&self, file: &[Token]) -> Markers {
        let mut markers = BTreeMap::new();
        for (number, block) in self.blocks.iter().enumerate() {
            let Some(item) = block.items.get(block.chosen) else { continue };
            for (index, &text) in item.texts.iter().enumerate() {
                let tokens = within(file, text);
                if index == 0 {
                    markers.entry(block.tag.clone()).or_insert_with(|| (number, tokens.clone()));
                }
                if let Some(arg) = block.args.get(index) {
                    markers.entry(format!("{}:{arg}", block.tag)).or_insert((number, tokens));
                }
            }
        }
        markers
    }
}

/// Replacements of markers, with the number of the option.
type Markers = BTreeMap<String, (usize, Vec<Token>)>;

/// A marker in a text.
struct Marker<'h, 'm> {
    /// Offset of its beginning.
    offset: usize,
    name: &'h str,
    /// Number of its option.
    option: usize,
    /// Its replacement.
    fill: &'m [Token],
}

/// The first marker in `held` of an option not before `from`.
fn first_marker<'h, 'm>(
    held: &'h str,
    from: usize,
    markers: &'m Markers,
) -> Option<Marker<'h, 'm>> {
    held.match_indices('<').find_map(|(offset, _)| {
        let rest = &held[offset + 1..];
        let end = rest.find(['<', '>']).filter(|&end| rest[end..].starts_with('>'))?;
        let name = &rest[..end];
        let (option, fill) = markers.get(name)?;
        (*option >= from).then_some(Marker { offset, name, option: *option, fill })
    })
}

fn block(source: &Source, list: &Node) -> Result<OptionBlock, Box<Diagnostic>> {
    let span = head_span(source, list.span);
    let wrong = |what: &str| {
        Box::new(
            Diagnostic::error("malformed-option", span, format!("this option has no {what}")).help(
                "an option is written (option \"Heading\" <Tag> args:{ <argument> } { (item \
                    \"Name\" <text> \"Description.\")* })",
            ),
        )
    };
    let nodes = list.list(Bracket::Round).unwrap_or(&[]);
    let heading = nodes.iter().find_map(as_text).ok_or_else(|| wrong("heading"))?;
    let items_list = nodes
        .iter()
        .rev()
        .find(|node| node.list(Bracket::Curly).is_some())
        .ok_or_else(|| wrong("items"))?;
    let head = Span { start: list.span.start, end: items_list.span.start };
    let mut names =
        angles(source, head).into_iter().map(|span| source.slice(span).trim().to_owned());
    let tag = names.next().ok_or_else(|| wrong("tag"))?;
    let args = names.collect();
    let mut items: Vec<OptionItem> = Vec::new();
    for node in items_list.list(Bracket::Curly).unwrap_or(&[]) {
        match &node.kind {
            NodeKind::Word(word) if word.contains('*') => {
                if let Some(last) = items.last_mut() {
                    last.stars += word.matches('*').count();
                }
            }
            NodeKind::List(Bracket::Round, parts) => {
                let mut texts = parts.iter().filter_map(as_text);
                let name = texts.next().unwrap_or_default();
                items.push(OptionItem {
                    name,
                    description: texts.next_back().unwrap_or_default(),
                    stars: 0,
                    texts: angles(source, node.span),
                });
            }
            _ => {}
        }
    }
    if items.is_empty() {
        return Err(wrong("items"));
    }
    let most = items.iter().map(|item| item.stars).max().unwrap_or(0);
    let chosen = items.iter().position(|item| item.stars == most).unwrap_or(0);
    Ok(OptionBlock { heading, tag, args, items, chosen, span })
}

fn rulesets(list: &Node) -> Vec<Ruleset> {
    let lists = list.list(Bracket::Round).unwrap_or(&[]).iter();
    let sets = lists.filter_map(|node| node.list(Bracket::Curly)).flatten();
    sets.filter(|node| node.head() == Some("ruleset"))
        .filter_map(|node| {
            let parts = node.list(Bracket::Round)?;
            let choices = parts.iter().find_map(|part| part.list(Bracket::Curly)).unwrap_or(&[]);
            Some(Ruleset {
                name: parts.iter().find_map(as_text)?,
                choices: choices.iter().filter_map(as_text).collect(),
            })
        })
        .collect()
}

fn as_text(node: &Node) -> Option<String> {
    match &node.kind {
        NodeKind::Text(text) => Some(in_words(text)),
        _ => None,
    }
}

/// The words of a text with one blank between each.
fn in_words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The texts between `<` and `>` in a part of the source. Neither character counts in a string, in
/// a comment, or behind an opening parenthesis, where it is the name of a comparison.
fn angles(source: &Source, span: Span) -> Vec<Span> {
    let text = source.text().as_bytes();
    let end = (span.end as usize).min(text.len());
    let mut found = Vec::new();
    let mut open = None;
    let mut offset = span.start as usize;
    while offset < end {
        let behind_parenthesis = offset > 0 && text[offset - 1] == b'(';
        match text[offset] {
            b'"' => {
                offset += 1;
                while offset < end && text[offset] != b'"' {
                    offset += if text[offset] == b'\\' { 2 } else { 1 };
                }
            }
            b'/' if text.get(offset + 1) == Some(&b'/') => {
                while offset < end && text[offset] != b'\n' {
                    offset += 1;
                }
            }
            b'<' if open.is_none() && !behind_parenthesis => open = Some(offset + 1),
            b'>' if !behind_parenthesis => {
                if let Some(start) = open.take() {
                    found.push(Span::new(start, offset));
                }
            }
            _ => {}
        }
        offset += 1;
    }
    found
}

/// The first line of a span.
pub(super) fn head_span(source: &Source, span: Span) -> Span {
    let text = source.slice(span);
    let line = text.find('\n').map_or(text, |end| text[..end].trim_end());
    Span::new(span.start as usize, span.start as usize + line.len())
}

/// The name of a tag that no option filled, if the text holds one.
pub(super) fn leftover(held: &str) -> Option<&str> {
    held.match_indices('<').find_map(|(offset, _)| {
        let rest = &held[offset + 1..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | ':'))?;
        let is_tag = rest[end..].starts_with('>') && rest.starts_with(char::is_alphabetic);
        is_tag.then_some(&rest[..end])
    })
}

impl Options {
    /// The error about a tag that was not filled in.
    pub(super) fn explain_leftover(&self, tag: &str, place: &Place) -> Diagnostic {
        let (name, arg) = tag.split_once(':').map_or((tag, None), |(name, arg)| (name, Some(arg)));
        let blocks: Vec<&OptionBlock> = self.blocks.iter().filter(|b| b.tag == name).collect();
        let diagnostic =
            place.error("unexpanded-tag", format!("the option tag <{tag}> was not filled in"));
        match (blocks.as_slice(), arg) {
            ([], _) => {
                let tags: Vec<&str> = self.blocks.iter().map(|block| block.tag.as_str()).collect();
                diagnostic.label(format!("no option declares the tag <{name}>")).suggest(name, tags)
            }
            ([first, ..], Some(arg)) if !blocks.iter().any(|b| b.args.iter().any(|a| a == arg)) => {
                diagnostic
                    .label(format!("option \"{}\" has no argument `{arg}`", first.heading))
                    .note(first.span, format!("its arguments are {}", first.args.join(", ")))
                    .suggest(arg, first.args.iter().map(String::as_str))
            }
            ([first, ..], _) => diagnostic.note(
                first.span,
                format!("its item \"{}\" has no text for it", first.items[first.chosen].name),
            ),
        }
    }
}

impl OptionBlock {
    /// The chosen item, as `heading/name`.
    pub fn choice(&self) -> String {
        format!("{}/{}", self.heading, self.items[self.chosen].name)
    }
}
