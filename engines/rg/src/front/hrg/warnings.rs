//! Warnings of graphs that are accepted, but hardly say what their author means.

use text::Diagnostic;

use super::context::Context;
use super::tree::{Block, Graph, Statement, StatementKind};
use crate::limits::MAX_EXPANSION_DEPTH;
use crate::syntax::Name;

/// Warns of statements that are never reached, and of parameters that are named like an element of
/// their domain.
pub(super) fn warn_of_graphs(context: &mut Context<'_>) {
    let graphs = &context.program.graphs;
    let mut reader = Reader { context, passing: vec![None; graphs.len()], depth: 0 };
    for graph in graphs {
        reader.parameters(graph);
        reader.block(&graph.body);
    }
}

/// A walk through the statements of all graphs.
struct Reader<'c, 'a> {
    context: &'c mut Context<'a>,
    /// For each graph, where it is known: true if the walk may go on behind a call.
    passing: Vec<Option<bool>>,
    /// The number of graphs and blocks that are being asked whether they pass.
    depth: usize,
}

impl<'a> Reader<'_, 'a> {
    fn parameters(&mut self, graph: &'a Graph) {
        for (name, ty) in &graph.parameters {
            let Some(shape) = self.context.shape(ty).filter(|shape| shape.keys.is_empty()) else {
                continue;
            };
            let set = &self.context.sets[shape.end];
            if set.symbols.contains(&name.symbol) {
                let (text, domain) = (self.context.text(*name), &set.text);
                let message = format!("the parameter `{text}` hides the element of `{domain}`");
                let diagnostic = Diagnostic::warning("hidden-symbol", name.span, message)
                    .label("expected another name")
                    .help(format!("rename it; `{text}` means the parameter in this graph"));
                self.context.report(diagnostic);
            }
        }
    }

    fn block(&mut self, block: &'a Block) {
        let mut reached = true;
        for (place, statement) in block.statements.iter().enumerate() {
            blocks(&statement.kind).into_iter().for_each(|block| self.block(block));
            if !reached || self.passes(statement) {
                continue;
            }
            reached = false;
            let Some(next) = block.statements.get(place + 1) else { continue };
            let message = "this statement is never reached";
            let diagnostic = Diagnostic::warning("unreachable", next.span, message)
                .label("the walk never goes on to here")
                .note(statement.span, why(statement))
                .help("put it before, or `break()` into the loop");
            self.context.report(diagnostic);
        }
    }

    /// True if the walk may go on behind a statement.
    fn passes(&mut self, statement: &'a Statement) -> bool {
        if self.depth == MAX_EXPANSION_DEPTH {
            return true;
        }
        self.depth += 1;
        let passes = match &statement.kind {
            StatementKind::Jump(_) => false,
            StatementKind::Loop(block) => leaves(block, "break", true),
            StatementKind::Branch(arms) => arms.iter().any(|arm| self.all_pass(arm)),
            StatementKind::If(arms, Some(otherwise)) => {
                arms.iter().any(|arm| self.all_pass(&arm.1)) || self.all_pass(otherwise)
            }
            StatementKind::Call(name, _) => self.call_passes(*name),
            _ => true,
        };
        self.depth -= 1;
        passes
    }

    /// True if the walk may go on behind a call of a graph.
    fn call_passes(&mut self, name: Name) -> bool {
        let Some(&graph) = self.context.graphs.get(&name.symbol) else { return true };
        if let Some(known) = self.passing[graph] {
            return known;
        }
        let body = &self.context.program.graphs[graph].body;
        let passes = leaves(body, "return", false) || self.all_pass(body);
        self.passing[graph] = Some(passes);
        passes
    }

    /// True if the walk may go on behind a block.
    fn all_pass(&mut self, block: &'a Block) -> bool {
        block.statements.iter().all(|statement| self.passes(statement))
    }
}

/// The blocks of a statement.
fn blocks(kind: &StatementKind) -> Vec<&Block> {
    match kind {
        StatementKind::Branch(arms) => arms.iter().collect(),
        StatementKind::If(arms, otherwise) => {
            arms.iter().map(|arm| &arm.1).chain(otherwise).collect()
        }
        StatementKind::BranchIn(_, _, block)
        | StatementKind::Repeat(_, block)
        | StatementKind::RepeatIn(_, _, block)
        | StatementKind::Loop(block)
        | StatementKind::While(_, block) => vec![block],
        _ => Vec::new(),
    }
}

/// True if a jump of this name stands in a block, that of loops in it apart if they catch it.
fn leaves(block: &Block, jump: &str, caught: bool) -> bool {
    block.statements.iter().any(|statement| {
        let is_round = matches!(
            statement.kind,
            StatementKind::Loop(_)
                | StatementKind::While(..)
                | StatementKind::Repeat(..)
                | StatementKind::RepeatIn(..)
        );
        matches!(statement.kind, StatementKind::Jump(found) if found == jump)
            || !(is_round && caught)
                && blocks(&statement.kind).into_iter().any(|block| leaves(block, jump, caught))
    })
}

/// The reason why the walk does not go on behind a statement.
fn why(statement: &Statement) -> &'static str {
    match statement.kind {
        StatementKind::Loop(_) => "this `loop` has no `break()`",
        StatementKind::Call(..) => "this call does not come back",
        _ => "all ways through this lead elsewhere",
    }
}
