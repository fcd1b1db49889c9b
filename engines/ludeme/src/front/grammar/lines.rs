//! The lines of the table, split into parts. The build script reads them, too, for the names in
//! them.

/// First words of lines that are no signatures.
pub(crate) const DECLARATIONS: [&str; 7] =
    ["kind", "text", "enum", "alias", "synonym", "unsupported", "former"];

/// The lines of a file without empty ones and comments.
pub(crate) fn lines(file: &str) -> impl Iterator<Item = &str> {
    let said = |line: &&str| !line.is_empty() && !line.starts_with("# ") && *line != "#";
    file.lines().map(str::trim).filter(said)
}

/// The first word, and the text behind it.
pub(crate) fn split(text: &str) -> (&str, &str) {
    text.split_once(' ').map_or((text, ""), |(first, rest)| (first, rest.trim()))
}

/// The first word of a declaration, and the text behind it.
pub(crate) fn declaration(line: &str) -> Option<(&str, &str)> {
    Some(split(line)).filter(|(first, _)| DECLARATIONS.contains(first))
}

/// Name and description of an enumeration, and its constants.
pub(crate) fn enumeration(rest: &str) -> (&str, impl Iterator<Item = &str>) {
    let (head, constants) = rest.split_once(':').unwrap_or_else(|| panic!("no constants: {rest}"));
    (head, constants.split_whitespace())
}

/// The names of the calls in the line of a signature, as words, and the words of the slots.
///
/// `move Step / step` has two calls with the same slots; so has `count Rows|Columns`.
pub(crate) fn signature(line: &str) -> (Vec<Vec<&str>>, Vec<&str>) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_name = |word: &&&str| {
        !word.starts_with(['[', '('])
            && (!word.contains(['=', ':']) || word.starts_with(['=', '!', '<', '>']))
    };
    let (names, slots) = words.split_at(words.iter().take_while(is_name).count());
    (names.split(|&word| word == "/").flat_map(combinations).collect(), slots.to_vec())
}

/// All combinations of one alternative of each word: `is Even|Odd` gives `is Even` and `is Odd`.
pub(crate) fn combinations<'a>(words: &[&'a str]) -> Vec<Vec<&'a str>> {
    words.iter().fold(vec![Vec::new()], |fronts, word| {
        let with = |front: &Vec<&'a str>| -> Vec<Vec<&'a str>> {
            word.split('|').map(|word| [front.as_slice(), &[word]].concat()).collect()
        };
        fronts.iter().flat_map(with).collect()
    })
}

/// The label of a choice for a slot, true if the label must be written, and the types of the
/// argument.
pub(crate) fn choice(text: &str) -> Option<(&str, bool, &str)> {
    let index = text.find(['=', ':'])?;
    Some((&text[..index], text.as_bytes()[index] == b':', &text[index + 1..]))
}

/// The words of a slot without the brackets around it, and without the bars between them.
pub(crate) fn bare(word: &str) -> Option<&str> {
    (word != "|").then(|| word.trim_start_matches(['[', '(']).trim_end_matches([']', ')']))
}
