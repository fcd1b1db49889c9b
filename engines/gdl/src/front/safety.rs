//! Safety: each variable of the head, of a negative literal and of `distinct` must occur in a
//! positive literal of the body, so that evaluation only ever compares ground terms.

use text::{Diagnostic, Severity, Span};

use crate::program::{Literal, Program, RelId, Rule, Var};

/// Reports each unsafe variable once a rule, with the literal that needs it. Rules for `base` and
/// `input` only describe the game, which can be played without them: unsafe ones are left out.
pub(super) fn check(program: &mut Program, diagnostics: &mut Vec<Diagnostic>) {
    program.rules.retain(|rule| {
        if !matches!(rule.head.relation, RelId::BASE | RelId::INPUT) {
            return true;
        }
        let mut faults = Vec::new();
        check_rule(rule, &mut faults);
        let sound = faults.is_empty();
        for mut fault in faults {
            fault.severity = Severity::Warning;
            diagnostics.push(fault.help("the rule is left out, as nothing needs it"));
        }
        sound
    });
    let mut last = None;
    for rule in &program.rules {
        // The cases of one rule with `or` have the same faults.
        let before = diagnostics.len();
        check_rule(rule, diagnostics);
        if last == Some(rule.span) {
            let (earlier, new) = diagnostics.split_at(before);
            let fresh: Vec<Diagnostic> =
                new.iter().filter(|d| !earlier.contains(d)).cloned().collect();
            diagnostics.truncate(before);
            diagnostics.extend(fresh);
        }
        last = Some(rule.span);
    }
}

fn check_rule(rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    let mut bound = vec![false; rule.variables.len()];
    for literal in &rule.body {
        if let Literal::Positive(atom) = literal {
            atom.for_each_variable(&mut |var, _| bound[var.index()] = true);
        }
    }
    let mut report = |var: Var, span: Span, needs: &str, whole: Span| {
        if std::mem::replace(&mut bound[var.index()], true) {
            return;
        }
        let name = &rule.variables[var.index()].name;
        if rule.body.is_empty() {
            diagnostics.push(
                Diagnostic::error(
                    "unsafe-fact",
                    span,
                    format!("the fact has a variable, `{name}`"),
                )
                .label("can stand for anything")
                .help("write one fact for each value, or a rule that says which there are"),
            );
            return;
        }
        let mut diagnostic = Diagnostic::error(
            "unsafe-rule",
            span,
            format!("the variable `{name}` is not bound by any positive literal of the body"),
        )
        .label(format!("needed for {needs}"));
        if whole != span && !needs.starts_with("the head") {
            diagnostic = diagnostic.note(whole, "this can only be tested, it finds no values");
        }
        // Names such as `?x1` and `?x2` are near on purpose.
        let telling = |name: &str| name.len() >= 4 && !name.contains(|c: char| c.is_ascii_digit());
        if telling(name) {
            let others = rule.variables.iter().map(|v| &*v.name);
            diagnostic = diagnostic.suggest(name, others.filter(|v| *v != &**name && telling(v)));
        }
        diagnostics.push(
            diagnostic.help(format!(
                "add a literal to the body that says which values `{name}` can have"
            )),
        );
    };
    rule.head.for_each_variable(&mut |var, span| report(var, span, "the head", rule.head.span));
    for literal in &rule.body {
        match literal {
            Literal::Positive(_) => {}
            Literal::Negative(atom) => atom.for_each_variable(&mut |var, span| {
                report(var, span, "this negative literal", atom.span);
            }),
            Literal::Distinct(..) => literal.for_each_variable(&mut |var, span| {
                report(var, span, "`distinct`", literal.span());
            }),
        }
    }
}
