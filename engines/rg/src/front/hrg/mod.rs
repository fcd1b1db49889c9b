//! HRG, the high-level form: domains, functions and graphs, expanded to RG.

mod calls;
mod conditions;
mod context;
mod domains;
mod evaluate;
mod expressions;
mod functions;
mod graphs;
mod parse;
mod terms;
#[cfg(test)]
mod tests;
mod tree;
mod values;

use text::{Diagnostic, Source, Span};

use super::cursor::Cursor;
use super::lex::lex;
use crate::symbols::Symbols;
use crate::syntax::{Declarations, Type, TypeDeclaration};
use context::Context;

/// Names that call no graph.
const RESERVED: [&str; 5] = ["check", "end", "break", "continue", "return"];

/// The declarations in RG that a description in HRG stands for. There are none exactly if an error
/// was reported.
pub(crate) fn expand(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Option<Declarations> {
    let mut symbols = Symbols::default();
    let mut said = Vec::new();
    let tokens = lex(source, &mut symbols, &mut said);
    let end = Span::at(source.text().len());
    let mut cursor = Cursor::new(&tokens, end, &mut symbols, &mut said);
    let program = parse::program(&mut cursor, source.text());
    let sound = !said.iter().any(Diagnostic::is_error);
    diagnostics.append(&mut said);
    let program = program?;
    let mut context = Context::new(&program, symbols, diagnostics);
    let declarations = declarations(&mut context);
    (sound && !context.failed()).then_some(declarations)
}

fn declarations(context: &mut Context<'_>) -> Declarations {
    domains::resolve(context);
    functions::declare(context);
    declare_variables(context);
    declare_graphs(context);
    let constants = functions::tables(context);
    let mut variables = values::variables(context);
    let (edges, of_graphs, mut artificial) = graphs::expand(context);
    variables.extend(of_graphs);
    artificial.sort_unstable();
    artificial.dedup();
    let mut types = Vec::new();
    for (domain, set) in context.program.domains.iter().zip(&context.sets) {
        let members = set.members.iter().map(|member| member.1).collect();
        let ty = Type::Set(members, domain.name.span);
        types.push(TypeDeclaration { name: domain.name, ty });
    }
    let symbols = std::mem::take(&mut context.terms.symbols);
    Declarations { symbols, types, constants, variables, edges, artificial, unread: Vec::new() }
}

/// Enters the names of variables.
fn declare_variables(context: &mut Context<'_>) {
    for variable in &context.program.variables {
        let name = variable.name;
        let before = context.variables.get(&name.symbol).copied();
        context.declare(name, "variable", before);
        context.variables.entry(name.symbol).or_insert(name);
        if let Some(function) = context.functions.get(&name.symbol) {
            let function = context.program.functions[*function].name;
            context.declare(name, "function", Some(function));
        }
    }
    for name in ["goals", "player", "visible"] {
        let symbol = context.terms.symbols.intern(name);
        context
            .variables
            .entry(symbol)
            .or_insert(crate::syntax::Name { symbol, span: Span::at(0) });
    }
}

/// Enters the names of graphs.
fn declare_graphs(context: &mut Context<'_>) {
    for (index, graph) in context.program.graphs.iter().enumerate() {
        let before = context.graphs.get(&graph.name.symbol);
        let before = before.map(|before| context.program.graphs[*before].name);
        context.declare(graph.name, "graph", before);
        context.graphs.entry(graph.name.symbol).or_insert(index);
        let name = context.text(graph.name);
        if RESERVED.contains(&name) {
            let message = format!("no graph can be called `{name}`");
            let help = "it is a statement of its own";
            let label = "expected another name";
            context.fault("reserved", graph.name.span, [&message, label, help]);
        }
    }
}
