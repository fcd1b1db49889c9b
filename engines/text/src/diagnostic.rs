use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::excerpt::excerpts;
use crate::source::{Source, Span};

/// More messages than anybody reads; front ends count the rest.
pub const MAX_DIAGNOSTICS: usize = 100;

/// The most bytes of a message, a label, a note or a line of help; what it quotes may have any
/// length.
const MAX_MESSAGE: usize = 1000;

/// The severity of a diagnostic. Errors stop a compilation; warnings do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The text is accepted, but probably does not say what its author means.
    Warning,
    /// The text is not accepted.
    Error,
}

/// An error if a description is longer than a front end reads, in bytes.
pub fn too_large(source: &Source, most: usize) -> Option<Diagnostic> {
    let bytes = source.text().len();
    let message = format!("a description of {bytes} bytes");
    let diagnostic = Diagnostic::error("too-large", Span::at(0), message);
    (bytes > most).then(|| diagnostic.label(format!("expected at most {most}")))
}

/// A second place that explains the first, with what it has to do with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The place in the source.
    pub span: Span,
    /// A description of the text at this place.
    pub text: String,
}

/// One message about a source text: what is wrong, where, what was expected, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Stable short code such as `unsafe-rule`, for tests and for looking things up.
    pub code: &'static str,
    /// The place of the problem.
    pub span: Span,
    /// The problem, in one sentence without a full stop.
    pub message: String,
    /// The words under the caret; often what was expected.
    pub label: String,
    /// Other places that belong to it.
    pub notes: Vec<Note>,
    /// Suggestions for a repair.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            span,
            message: shorten(message.into()),
            label: String::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Sets the words under the caret.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.label = shorten(text.into());
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn note(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.notes.push(Note { span, text: shorten(text.into()) });
        self
    }

    /// Adds a line on what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(shorten(text.into()));
        self
    }

    /// Adds "did you mean" when some candidate is close to `found`.
    #[must_use]
    pub fn suggest<'a>(
        self,
        found: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Diagnostic {
        match near_miss(found, candidates) {
            Some(candidate) => {
                let text = format!("did you mean `{candidate}`?");
                self.help(text)
            }
            None => self,
        }
    }

    /// True if this stops a compilation.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// `file:line:column: error[code]: message`, for logs and for one-line reasons.
    pub fn one_line(&self, source: &Source) -> String {
        let position = source.position(self.span.start);
        format!("{}:{position}: {}[{}]: {}", source.name(), self.severity, self.code, self.message)
    }

    /// The full form: message, file:line:column, the line with a caret, notes and help; no colours.
    pub fn render(&self, source: &Source) -> String {
        self.render_with(source, &Renderer::plain())
    }

    /// Like [`Diagnostic::render`], with terminal colours.
    pub fn render_coloured(&self, source: &Source) -> String {
        self.render_with(source, &Renderer::styled())
    }

    fn render_with(&self, source: &Source, renderer: &Renderer) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let spans: Vec<Span> =
            std::iter::once(self.span).chain(self.notes.iter().map(|note| note.span)).collect();
        let mut kinds = std::iter::once((AnnotationKind::Primary, self.label.as_str()))
            .chain(self.notes.iter().map(|note| (AnnotationKind::Context, note.text.as_str())));
        let mut group: Group<'_> =
            Group::with_title(level.primary_title(self.message.as_str()).id(self.code));
        let mut columns = Vec::new();
        for excerpt in excerpts(source, &spans) {
            let header = |column| format!("{}:{}:{column}", source.name(), excerpt.line);
            columns.extend(excerpt.columns.map(|columns| columns.map(header)));
            let mut snippet =
                Snippet::source(excerpt.text).path(source.name()).line_start(excerpt.line);
            for (place, (kind, label)) in excerpt.places.into_iter().zip(&mut kinds) {
                let here = kind.span(place);
                let labelled = !label.is_empty() || kind == AnnotationKind::Context;
                snippet = snippet.annotation(if labelled { here.label(label) } else { here });
            }
            group = group.element(snippet);
        }
        for help in &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let mut text = renderer.render(&[group]);
        // The renderer counts columns from where a line was cut.
        let mut at = 0;
        for [cut, whole] in columns {
            if let Some(found) = text[at..].find(&cut).map(|found| at + found) {
                text.replace_range(found..found + cut.len(), &whole);
                at = found + whole.len();
            }
        }
        text
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// Keeps the first [`MAX_DIAGNOSTICS`] by position, errors before warnings, and says in the last of
/// them how many others there are; they stay sorted by position.
pub fn keep_first(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by_key(|d| (d.severity == Severity::Warning, d.span.start, d.span.end));
    let unsaid = diagnostics.len().saturating_sub(MAX_DIAGNOSTICS);
    diagnostics.truncate(MAX_DIAGNOSTICS);
    note_unsaid(diagnostics, unsaid);
    diagnostics.sort_by_key(|d| (d.span.start, d.span.end));
}

/// Says in the last message how many others there would be.
pub(crate) fn note_unsaid(diagnostics: &mut [Diagnostic], unsaid: usize) {
    if let Some(last) = diagnostics.last_mut().filter(|_| unsaid > 0) {
        last.help.push(format!("{unsaid} further messages are not shown"));
    }
}

/// A text as it is, or its beginning and its end.
fn shorten(text: String) -> String {
    if text.len() <= MAX_MESSAGE {
        return text;
    }
    let front = text.floor_char_boundary(MAX_MESSAGE / 2);
    let back = text.ceil_char_boundary(text.len() - MAX_MESSAGE / 4);
    [&text[..front], "...", &text[back..]].concat()
}

/// The end of a message about a name that is none of the candidates: `; did you mean ..?` if one is
/// close, else nothing.
pub fn did_you_mean<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    near_miss(found, candidates)
        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// The candidate closest to `found`, if it is close enough to be what was meant: one slip in three
/// characters by Damerau-Levenshtein distance, or a difference of case only.
pub fn near_miss<'a>(
    found: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // Quadratic in the length; nobody misspells words this long by accident.
    if found.len() > 64 {
        return None;
    }
    let lower = found.to_lowercase();
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= 64)
        .map(|candidate| {
            (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate)
        })
        .filter(|&(distance, candidate)| {
            distance <= candidate.chars().count().max(lower.chars().count()).div_ceil(3).min(3)
        })
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn rendering_shows_place_line_caret_label_and_help() {
        let source = Source::new("games/x.lud", "(game \"X\"\n  (playerz 2)\n)");
        let diagnostic =
            Diagnostic::error("unknown-ludeme", Span::new(13, 20), "no ludeme `playerz`")
                .label("expected `players`")
                .note(Span::new(1, 5), "in this call")
                .suggest("playerz", ["players", "equipment"]);
        expect![[r#"
            error[unknown-ludeme]: no ludeme `playerz`
             --> games/x.lud:2:4
              |
            1 | (game "X"
              |  ---- in this call
            2 |   (playerz 2)
              |    ^^^^^^^ expected `players`
              |
              = help: did you mean `players`?"#]]
        .assert_eq(&diagnostic.render(&source));
        assert_eq!(
            diagnostic.one_line(&source),
            "games/x.lud:2:4: error[unknown-ludeme]: no ludeme `playerz`"
        );
    }

    #[test]
    fn spans_beyond_the_text_or_inside_a_character_render() {
        let source = Source::new("t", "é");
        for span in [Span::new(1, 2), Span::new(5, 9), Span::at(2)] {
            assert!(Diagnostic::error("x", span, "m").render(&source).contains("t:1:"));
        }
        assert!(
            Diagnostic::error("x", Span::at(0), "m").render(&Source::new("t", "")).contains("t:")
        );
    }

    #[test]
    fn a_message_is_short_however_long_the_text_is() {
        let long = "é".repeat(100_000);
        let source = Source::new("t", format!("{long}\n{}\n{long} x", "\n".repeat(10_000)));
        let end = source.text().len();
        let diagnostic = Diagnostic::error("odd", Span::new(0, end), format!("no {long} here"))
            .label(&long)
            .note(Span::new(end - 1, end), format!("an x after {long}"))
            .help(&long);
        let rendered = diagnostic.render(&source);
        assert!(rendered.len() < 6000, "{rendered}");
        for part in ["no éé", "éé here", "--> t:1:1\n", "::: t:10003:100002\n", "...éé", "é x\n"]
        {
            assert!(rendered.contains(part), "{part}: {rendered}");
        }
        assert!(diagnostic.one_line(&source).len() < 1100);
    }

    #[test]
    fn errors_are_kept_before_warnings_and_the_rest_is_counted() {
        let at = |at: usize| Diagnostic::warning("w", Span::at(at), "m");
        let mut all: Vec<Diagnostic> = (0..MAX_DIAGNOSTICS + 7).map(at).collect();
        all.push(Diagnostic::error("e", Span::at(2000), "m"));
        keep_first(&mut all);
        assert_eq!(all.len(), MAX_DIAGNOSTICS);
        assert_eq!(all.last().map(|d| d.code), Some("e"));
        let help = &all[MAX_DIAGNOSTICS - 2].help;
        assert_eq!(help[..], ["8 further messages are not shown"]);
        let mut few = all[..3].to_vec();
        keep_first(&mut few);
        assert_eq!(few, all[..3]);
    }

    #[test]
    fn colours_are_all_that_colours_add() {
        let source = Source::new("t", "(a b)");
        let warning = Diagnostic::warning("odd", Span::new(1, 2), "nobody does that")
            .label("here")
            .suggest("xyzzy", ["Board"]);
        let plain = warning.render(&source);
        assert!(!warning.is_error() && plain.starts_with("warning[odd]: nobody does that\n"));
        // Nothing is near, so nothing is suggested.
        assert!(!plain.contains("help"), "{plain}");
        let coloured = warning.render_coloured(&source);
        let mut parts = coloured.split('\u{1b}');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            text += part.split_once('m').expect("an escape sequence ends").1;
        }
        assert_ne!(coloured, plain);
        assert_eq!(text, plain);
    }

    #[test]
    fn near_misses_are_near() {
        assert_eq!(near_miss("Emtpy", ["Empty", "Board"]), Some("Empty"));
        assert_eq!(near_miss("mark", ["Mark", "park"]), Some("Mark"));
        assert_eq!(near_miss("xyzzy", ["Empty", "Board"]), None);
    }
}
