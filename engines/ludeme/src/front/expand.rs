//! The way from the text to the expanded tree: options, macros, ranges.

use crate::limits::MAX_MACRO_ROUNDS;
use text::{Bracket, Diagnostic, Flavour, Node, NodeKind, Source, Span, read};

use super::define::{Expander, Macros, library, too_large};
use super::grammar::{Kind, grammar};
use super::implied::complete;
use super::metadata;
use super::options::Options;
use super::place::{Place, Replaced};
use super::range::{expand_ranges, join_words};
use super::token::{Budget, Token, flatten};
use super::tree::{NodeId, Tree, build};

/// A description without options, macros and ranges.
#[derive(Debug)]
pub(super) struct Expanded {
    pub(super) tree: Tree,
    pub(super) options: Options,
    /// The macros that the description defines.
    pub(super) macros: Macros,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// True if brackets are missing or too many, so that the tree is guesswork.
    pub(super) broken: bool,
    /// True if the expansion was given up, so that there is no tree.
    pub(super) given_up: bool,
}

/// Expands a description, with the given options instead of its defaults.
pub(super) fn expand(source: &Source, selected: &[String]) -> Expanded {
    let mut read = read(source, Flavour::LUD);
    if let Some(better) = without_surplus(source, &read.diagnostics) {
        read = better;
    }
    let mut diagnostics = read.diagnostics;
    // If one bracket is left out, the others are right.
    let broken = diagnostics.iter().any(|d| d.is_error() && d.code != SURPLUS_LEFT_OUT);
    let all_tokens = flatten(&read.nodes);

    let mut apart = Vec::new();
    let mut nodes = read.nodes;
    set_apart(&mut nodes, &mut apart);
    if !broken {
        let about = apart.iter().filter(|node| node.head() == Some("metadata"));
        about.for_each(|node| metadata::check(node, &mut diagnostics));
    }
    let options =
        Options::read(source, &apart.iter().collect::<Vec<_>>(), selected, &mut diagnostics);

    let mut budget = Budget::new();
    let mut tokens =
        options.substitute(&all_tokens, flatten(&nodes), &mut budget, &mut diagnostics);
    let mut macros = Macros::default();
    tokens = replace_macros(tokens, &mut macros, &mut budget, &mut diagnostics);
    tokens = expand_ranges(join_words(tokens), &mut budget, &mut diagnostics);
    if !broken {
        tokens = complete(tokens, &mut diagnostics);
    }
    let given_up = budget.is_spent();
    if given_up {
        // The step that used up the budget has reported it, unless strings and ranges did.
        if !diagnostics.iter().any(|d| matches!(d.code, "recursive-macro" | "expansion-too-large"))
        {
            diagnostics.extend(tokens.last().map(|token| too_large(&token.place)));
        }
        tokens.clear();
    }
    let mut unbalanced = Vec::new();
    let tree = build(source, tokens, &options, &mut unbalanced);
    if broken {
        unbalanced.retain(|diagnostic| diagnostic.code != "unbalanced-expansion");
        blame_brackets(source, &nodes, &mut diagnostics);
    }
    diagnostics.append(&mut unbalanced);
    Expanded { tree, options, macros, diagnostics, broken, given_up }
}

/// The code of a bracket that was left out, so that the rest can be understood.
const SURPLUS_LEFT_OUT: &str = "surplus-bracket-inside";

/// The text read without its first bracket that closes nothing, if all others match then. In that
/// case this bracket was too many, and the errors about the others only followed from it.
fn without_surplus(source: &Source, found: &[Diagnostic]) -> Option<text::Tree> {
    let first = found.iter().find(|d| d.is_error() && d.code == "mismatched-bracket")?;
    let (start, end) = (first.span.start as usize, first.span.end as usize);
    let mut text = source.text().to_owned();
    text.replace_range(start..end, &" ".repeat(end - start));
    let mut better = read(&Source::new(source.name(), text), Flavour::LUD);
    if better.diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let mut surplus = first.clone().help("delete it: all other brackets match without it");
    surplus.code = SURPLUS_LEFT_OUT;
    better.diagnostics.push(surplus);
    Some(better)
}

/// Improves the errors of the bracket reader with knowledge of the language.
fn blame_brackets(source: &Source, nodes: &[Node], diagnostics: &mut Vec<Diagnostic>) {
    // A string without an end swallows brackets, so they are not to blame.
    if diagnostics.iter().any(|diagnostic| diagnostic.code == "unclosed-string") {
        diagnostics.retain(|diagnostic| !diagnostic.code.ends_with("-bracket"));
        return;
    }
    // If text follows the game, one bracket too many inside has ended the game early.
    let game = nodes.iter().position(|node| matches!(node.head(), Some("game" | "match")));
    let Some(game) = game.filter(|&game| game + 1 < nodes.len()) else { return };
    let follows = nodes[game + 1..].iter().any(|node| {
        node.head().is_none_or(|head| {
            grammar().with_keyword(head).any(|ludeme| ludeme.kind() != Kind::Game)
        }) && node.head() != Some("define")
    });
    let end = nodes[game].span.end as usize;
    if let Some(diagnostic) =
        diagnostics.iter_mut().find(|d| d.code == "surplus-bracket" && follows)
    {
        let bracket = Span::new(end.saturating_sub(1), end);
        diagnostic.notes = Vec::new();
        *diagnostic = diagnostic.clone().note(bracket, "the game ends here already").help(format!(
            "look for a bracket too many before {}:{}",
            source.name(),
            source.position(end as u32)
        ));
    }
}

/// Takes the lists that do not belong to the game out of `nodes`, at any depth at which a missing
/// bracket may have left them, into `apart`: options, rulesets and metadata.
fn set_apart(nodes: &mut Vec<Node>, apart: &mut Vec<Node>) {
    let mut index = 0;
    while index < nodes.len() {
        match nodes[index].head() {
            Some("option" | "rulesets" | "metadata") => apart.push(nodes.remove(index)),
            _ => {
                if let NodeKind::List(_, items) = &mut nodes[index].kind {
                    set_apart(items, apart);
                }
                index += 1;
            }
        }
    }
}

fn replace_macros(
    mut tokens: Vec<Token>,
    macros: &mut Macros,
    budget: &mut Budget,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    for _ in 0..MAX_MACRO_ROUNDS {
        // Definitions may come out of options and of other macros.
        let defined;
        (tokens, defined) = macros.extract(tokens, diagnostics);
        let local;
        (tokens, local) =
            Expander { macros, what: Replaced::Macro, budget, diagnostics }.run(tokens);
        let foreign;
        (tokens, foreign) =
            Expander { macros: library(), what: Replaced::LibraryMacro, budget, diagnostics }
                .run(tokens);
        if !(defined || local || foreign) || budget.is_spent() {
            break;
        }
    }
    tokens
}

impl Expanded {
    /// The call of the game, or of the match. Reports its absence, and all text outside of it.
    pub(super) fn root(
        &self,
        source: &Source,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<NodeId> {
        let tree = &self.tree;
        let is_call = |id: NodeId| {
            matches!(tree.node(id).kind, super::tree::NodeKind::List(Bracket::Round, _))
        };
        let top = || tree.top.iter().copied();
        let root = top()
            .find(|&id| matches!(tree.keyword(id), Some("game" | "match")))
            .or_else(|| top().find(|&id| is_call(id)));
        if root.is_none() {
            let place = tree.top.first().map_or_else(
                || Place::new(Span::at(source.text().trim_end().len())),
                |&id| tree.node(id).place.clone(),
            );
            diagnostics.push(place.error("no-game", "the description has no game").help(
                "a game is written (game \"Name\" (players 2) (equipment { .. }) (rules ..))",
            ));
        }
        let is_game = root.is_some_and(|id| matches!(tree.keyword(id), Some("game" | "match")));
        for id in top().filter(|&id| Some(id) != root) {
            let place = &tree.node(id).place;
            diagnostics.push(match tree.keyword(id) {
                Some("game" | "match") if is_game => place
                    .warning("second-game", "a file describes one game, its first")
                    .label("this one is left out")
                    .help("put each game into a file of its own"),
                // The reference reads the game alone. If a surplus bracket has closed it, the
                // missing parts are reported inside the game.
                _ if is_game => place
                    .warning("stray-text", "this stands outside the game")
                    .label("it is left out")
                    .help(
                        "move it into the game, or delete it; a bracket too many may have \
                        closed the game early",
                    ),
                _ => place.error("stray-text", "this stands outside the game").help(
                    "move it into the game, or delete it; a bracket too many may have \
                        closed the game early",
                ),
            });
        }
        root
    }

    /// Names of all macros that may be called, sorted.
    pub(super) fn macro_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.macros.names().chain(library().names()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The errors about ludemes that the language has and the grammar lacks.
    pub(super) fn unsupported(&self) -> Vec<Diagnostic> {
        let nodes = self.tree.ids();
        nodes
            .filter_map(|id| {
                let keyword =
                    self.tree.keyword(id).filter(|keyword| grammar().is_unsupported(keyword))?;
                Some(self.tree.node(id).place.error(
                    "unsupported-ludeme",
                    format!("the ludeme `{keyword}` is not supported"),
                ))
            })
            .collect()
    }
}
