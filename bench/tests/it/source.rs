//! Rust sources as names and signs, for tests that read them.

/// The names and signs of a source, without comments, texts and unit tests.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let mut all = words(text);
    let test = ["#", "[", "cfg", "(", "test", ")", "]"];
    while let Some(start) = all.windows(test.len()).position(|window| window == test) {
        let rest = &all[start + test.len()..];
        let end =
            rest.iter().position(|token| token == "{" || token == ";").map_or(rest.len(), |at| {
                let mut depth = 0;
                let close = rest[at..].iter().position(|token| {
                    depth += i32::from(token == "{") - i32::from(token == "}");
                    depth == 0
                });
                close.map_or(rest.len(), |close| at + close + 1)
            });
        all.drain(start..start + test.len() + end);
    }
    all
}

/// True if a token is a name or a keyword.
pub(crate) fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The names and signs of a source, without comments and texts.
fn words(text: &str) -> Vec<String> {
    let (mut all, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let after = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
        let length = if rest.starts_with("//") {
            after("\n")
        } else if rest.starts_with("/*") {
            after("*/")
        } else if rest.starts_with("r#\"") {
            after("\"#")
        } else if let Some(raw) = rest.strip_prefix("r\"") {
            raw.find('"').map_or(rest.len(), |at| at + 3)
        } else if first == '"' {
            let mut escaped = false;
            let inside = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            inside.map_or(rest.len(), |at| at + 2)
        } else if ["'\"'", "'{'", "'}'"].iter().any(|quoted| rest.starts_with(quoted)) {
            3
        } else if is_name(rest) {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            all.push(rest[..end].to_owned());
            end
        } else if rest.starts_with("::") {
            all.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                all.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    all
}
