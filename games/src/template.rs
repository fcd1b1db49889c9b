//! Templates of rules, with bounds: they come with folders of others.

use minijinja::{Environment, UndefinedBehavior, Value};

/// Steps that one template may take; the largest of ours takes some thousands.
const FUEL: u64 = 2_000_000;

/// Bytes that the rules of one game may have. A step of a template can double what it has so far,
/// so that steps alone are no limit.
const LONGEST: usize = 4 << 20;

/// The text of a template with these names in it. The error says what is wrong, and where.
pub(crate) fn render(name: &str, template: &str, names: Value) -> Result<String, String> {
    let mut out = Bounded(Vec::new());
    let environment = environment();
    let result = environment
        .template_from_named_str(name, template)
        .and_then(|template| template.render_captured_to(names, &mut out).map(drop));
    if out.0.len() >= LONGEST {
        return Err(format!("{name} makes more than {} MiB", LONGEST >> 20));
    }
    result.map_err(|error| {
        let line = error.line().map_or_else(String::new, |line| format!(":{line}"));
        let what = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
        format!("{name}{line}: {what}")
    })?;
    String::from_utf8(out.0).map_err(|error| format!("{name}: {error}"))
}

/// Takes no more than [`LONGEST`] bytes.
struct Bounded(Vec<u8>);

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = LONGEST - self.0.len();
        let taken = bytes.len().min(room);
        self.0.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The settings of all templates.
pub(crate) fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    environment.set_fuel(Some(FUEL));
    environment
}

#[cfg(test)]
mod tests {
    use super::*;
    use minijinja::context;

    #[test]
    fn templates_have_bounds() {
        let fault = |template: &str| render("x.lud", template, context! { n => 3 }).unwrap_err();
        let endless =
            "{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}";
        assert!(fault(endless).contains("fuel"), "{}", fault(endless));
        let long = "{% for a in range(99999) %}{{ 'x' * 9999 }}{% endfor %}";
        assert!(fault(long).contains("MiB") || fault(long).contains("x.lud:1"), "{}", fault(long));
        assert_eq!(fault("\n{{ m }}"), "x.lud:2: undefined value");
    }
}
