//! HRG, the high-level form: domains, functions and graphs, expanded to RG.

mod conditions;
mod context;
mod domains;
mod elements;
mod evaluate;
mod functions;
mod graphs;
mod lists;
mod parse;
mod terms;
#[cfg(test)]
mod tests;
mod tree;
mod values;
mod warnings;

use text::{Diagnostic, Source, Span};

use super::cursor::Cursor;
use super::lex::lex;
use crate::limits::Bounds;
use crate::symbols::Symbols;
use crate::syntax::{Declarations, Type, TypeDeclaration};
use context::Context;

/// The declarations in RG that a description in HRG stands for; none if it has a fault.
pub(crate) fn expand(
    source: &Source,
    bounds: &Bounds,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Declarations> {
    let mut symbols = Symbols::default();
    let mut said = Vec::new();
    let tokens = lex(source, &mut symbols, &mut said);
    let end = Span::at(source.text().len());
    let mut cursor = Cursor::new(&tokens, end, &mut symbols, &mut said);
    cursor.hints = &parse::HINTS;
    let program = parse::program(&mut cursor, source.text());
    let sound = said.is_empty();
    diagnostics.append(&mut said);
    let program = program?;
    let mut context = Context::new(&program, symbols, *bounds, diagnostics);
    let declarations = declarations(&mut context, sound);
    (sound && !context.failed).then_some(declarations)
}

fn declarations(context: &mut Context<'_>, sound: bool) -> Declarations {
    for graph in &context.program.graphs {
        let name = context.text(graph.name);
        if name == "check" || parse::JUMPS.contains(&name) {
            let message = format!("no graph can be called `{name}`, which is a statement");
            let texts = [&message, "expected another name", ""];
            context.fault("reserved", graph.name.span, texts);
        }
    }
    domains::resolve(context);
    let constants = functions::tables(context);
    let mut variables = values::variables(context);
    let (edges, of_graphs, mut artificial) = graphs::expand(context);
    let internal = of_graphs.iter().map(|variable| variable.name.symbol).collect();
    variables.extend(of_graphs);
    if sound && !context.failed {
        functions::warn_of_idle_cases(context);
        warnings::warn_of_graphs(context);
    }
    artificial.sort_unstable();
    artificial.dedup();
    let domains = context.program.domains.iter().zip(&context.sets);
    let types = domains.map(|((name, _), set)| {
        let members = set.members.iter().map(|member| member.1).collect();
        TypeDeclaration { name: *name, ty: Type::Set(members, name.span) }
    });
    let types = types.collect();
    let symbols = std::mem::take(&mut context.terms.symbols);
    let unread = Vec::new();
    Declarations { symbols, types, constants, variables, edges, artificial, internal, unread }
}
