//! Which graphs call which.

use rustc_hash::FxHashSet;
use text::{Diagnostic, Span};

use super::context::Context;
use super::expressions::as_name;
use super::tree::{Block, Expr, ExprKind, Jump, StatementKind};
use crate::syntax::Name;

/// What is known of calls.
pub(super) struct Calls {
    /// Pairs of caller and called graph that would make the expansion endless.
    pub(super) endless: FxHashSet<(usize, usize)>,
    /// For each graph true if a walk through it can meet `end()`, in it or in graphs that it calls.
    pub(super) ends: Vec<bool>,
}

/// The calls of a graph.
#[derive(Default)]
struct Found {
    /// Names of graphs; true for those that are only tested.
    calls: Vec<(Name, bool)>,
    ends: bool,
}

/// How far a graph is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    New,
    Begun,
    Done,
}

impl Calls {
    /// Finds the calls of all graphs, and reports graphs that call themselves.
    pub(super) fn find(context: &mut Context<'_>) -> Calls {
        let program = context.program;
        let count = program.graphs.len();
        let found: Vec<Found> = program
            .graphs
            .iter()
            .map(|graph| {
                let mut found = Found::default();
                found.block(&graph.body, context);
                found
            })
            .collect();
        let mut calls = Calls {
            endless: FxHashSet::default(),
            ends: found.iter().map(|found| found.ends).collect(),
        };
        let mut progress = vec![Progress::New; count];
        for root in 0..count {
            if progress[root] == Progress::New {
                calls.visit(root, &found, &mut progress, context);
            }
        }
        calls
    }

    /// Follows all calls from a graph.
    fn visit(
        &mut self,
        root: usize,
        found: &[Found],
        progress: &mut [Progress],
        context: &mut Context<'_>,
    ) {
        // Graphs that wait, each with the number of calls that were followed.
        let mut waiting = vec![(root, 0)];
        progress[root] = Progress::Begun;
        while let Some((graph, place)) = waiting.last_mut() {
            let graph = *graph;
            let Some(&(name, tested)) = found[graph].calls.get(*place) else {
                progress[graph] = Progress::Done;
                waiting.pop();
                continue;
            };
            let Some(&other) = context.graphs.get(&name.symbol) else {
                *place += 1;
                continue;
            };
            match progress[other] {
                // The call is looked at again when the other graph is done.
                Progress::New => {
                    progress[other] = Progress::Begun;
                    waiting.push((other, 0));
                    continue;
                }
                Progress::Done => self.ends[graph] |= self.ends[other] && !tested,
                Progress::Begun => {
                    self.endless.insert((graph, other));
                    let from = waiting.iter().position(|(begun, _)| *begun == other);
                    let cycle: Vec<usize> =
                        waiting[from.unwrap_or(0)..].iter().map(|(graph, _)| *graph).collect();
                    report(&cycle, name.span, context);
                }
            }
            if let Some((_, place)) = waiting.last_mut() {
                *place += 1;
            }
        }
    }
}

/// Reports graphs that call each other in a circle.
fn report(cycle: &[usize], span: Span, context: &mut Context<'_>) {
    let names: Vec<&str> = cycle
        .iter()
        .chain(cycle.first())
        .map(|graph| context.text(context.program.graphs[*graph].name))
        .collect();
    let message = format!("graphs call each other without end: {}", names.join(" > "));
    let diagnostic = Diagnostic::error("recursion", span, message)
        .label("expected a graph that does not lead back here")
        .help("calls are expanded in place; use `loop` or `while` to do something again");
    context.report(diagnostic);
}

impl Found {
    fn block(&mut self, block: &Block, context: &Context<'_>) {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Call(name, _) => self.calls.push((*name, false)),
                StatementKind::Jump(jump) => self.ends |= *jump == Jump::End,
                StatementKind::Check(condition) => self.condition(condition, context),
                StatementKind::While(condition, block) => {
                    self.condition(condition, context);
                    self.block(block, context);
                }
                StatementKind::Branch(blocks) => {
                    blocks.iter().for_each(|block| self.block(block, context));
                }
                StatementKind::BranchIn(_, _, block)
                | StatementKind::RepeatIn(_, _, block)
                | StatementKind::Repeat(_, block)
                | StatementKind::Loop(block) => self.block(block, context),
                StatementKind::If(arms, otherwise) => {
                    for (condition, block) in arms {
                        self.condition(condition, context);
                        self.block(block, context);
                    }
                    otherwise.iter().for_each(|block| self.block(block, context));
                }
                _ => {}
            }
        }
    }

    fn condition(&mut self, condition: &Expr, context: &Context<'_>) {
        match &condition.kind {
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                parts.iter().for_each(|part| self.condition(part, context));
            }
            ExprKind::Apply(head, groups) => {
                let word = as_name(head).map(|name| context.text(name));
                let Some(inner) = groups[0].values.first() else { return };
                match (word, &inner.kind) {
                    (Some("not"), _) => self.condition(inner, context),
                    (Some("reachable"), ExprKind::Apply(head, _)) => {
                        self.calls.extend(as_name(head).map(|name| (name, true)));
                    }
                    (Some("reachable"), ExprKind::Compound(name, _)) => {
                        self.calls.push((*name, true));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}
