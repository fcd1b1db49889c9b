use play::{Language, Rules};
fn main() {
    for dir in std::env::args().skip(1) {
        let count = |file: &str, language| {
            let text = std::fs::read_to_string(format!("{dir}/{file}")).ok()?;
            roster::tokens(&Rules::new(language, file, text))
        };
        println!(
            "{dir}\t{:?}\t{:?}",
            count("rules.lud", Language::Lud),
            count("rules.kif", Language::Kif)
        );
    }
}
