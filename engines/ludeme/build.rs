//! Makes enums of the names in the tables of the grammar, so that the compiler finds a slip in one.

#[path = "src/front/grammar/lines.rs"]
mod lines;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

const FOLDER: &str = "src/front/grammar";

/// Names of a table, each with the variant that stands for it.
type Names = BTreeMap<String, String>;

fn main() {
    println!("cargo::rerun-if-changed={FOLDER}");
    let files = fs::read_dir(FOLDER).expect("the folder of the grammar");
    let paths = files.map(|file| file.expect("a file of the grammar").path());
    let tables = paths.filter(|path| path.extension().is_some_and(|e| e == "ludemes"));
    let text: String = tables.map(|path| fs::read_to_string(path).expect("a table")).collect();

    let [mut kinds, mut names, mut labels, mut words] = [const { Names::new() }; 4];
    let mut operators = Vec::new();
    for line in lines::lines(&text).filter(|line| !line.starts_with("== ")) {
        match lines::declaration(line) {
            Some(("kind", rest)) => add(&mut kinds, lines::split(rest).0),
            Some(("enum", rest)) => {
                lines::enumeration(rest).1.for_each(|constant| add(&mut words, constant));
            }
            Some(("synonym", rest)) => operators.push(lines::split(rest)),
            Some(_) => {}
            None => {
                let (calls, slots) = lines::signature(line);
                calls.iter().for_each(|call| add(&mut names, &call.join(" ")));
                let choices = slots.iter().filter_map(|word| lines::choice(lines::bare(word)?));
                choices.for_each(|choice| add(&mut labels, choice.0));
            }
        }
    }
    // An operator goes by its second spelling; `add` alone places a piece.
    for (word, operator) in operators {
        names.insert(operator.to_owned(), format!("Op{}", variant(word)));
    }

    let mut out = String::new();
    for (table, doc, names) in [
        ("Kind", "What a ludeme gives, such as `Moves`.", kinds),
        ("Name", "What a call is called: its keyword and selectors, such as `is Line`.", names),
        ("Label", "What an argument is called.", labels),
        ("Word", "The spelling of a constant.", words),
    ] {
        let rows = names.iter().map(|(text, variant)| format!("    {variant} {text:?}\n"));
        let rows: String = rows.collect();
        let _ = writeln!(out, "table! {{\n    #[doc = {doc:?}]\n    {table}:\n{rows}}}");
    }
    let folder = env::var_os("OUT_DIR").expect("cargo says where");
    fs::write(Path::new(&folder).join("names.rs"), out).expect("cargo's folder can be written to");
}

fn add(names: &mut Names, text: &str) {
    names.insert(text.to_owned(), variant(text));
}

/// `IsLine` for `is Line`.
fn variant(text: &str) -> String {
    let capitalised = |word: &str| word[..1].to_uppercase() + &word[1..];
    text.split(' ').map(capitalised).collect()
}
