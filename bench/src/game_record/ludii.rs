//! Trials of Ludii in its text form: a name of the game, its options, and a line for each move.

use play::Language;
use serde_json::{Value, json};
use text::{Diagnostic, Source, Span};

use super::{Claim, Course, GameRecord, Named, syntax, trace};

pub(super) fn read(source: &Source) -> Result<GameRecord, Diagnostic> {
    let (mut game, mut options, mut in_options) = (None, Vec::new(), false);
    let (mut moves, mut placed) = (Vec::new(), 0usize);
    let (mut winner, mut ranking, mut over) = (None, None, None);
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let (text, span) = (line.trim(), Span::new(at, at + line.trim_end().len()));
        at += line.len();
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        match name.trim() {
            "START GAME OPTIONS" => in_options = true,
            "END GAME OPTIONS" => in_options = false,
            _ if in_options => options.push(text.to_owned()),
            "game" => game = Some(value.trim().to_owned()),
            "NUM INITIAL PLACEMENT MOVES" | "numInitialPlacementMoves" => {
                let number = value.trim().parse();
                placed = number.map_err(|_| syntax(span, format!("`{value}` is no number")))?;
            }
            "Move" => {
                let key = key(value);
                let no_key = || syntax(span, "a move without `from`, `to` or an action");
                moves.push((key.ok_or_else(no_key)?, span));
            }
            "winner" => winner = value.trim().parse::<i64>().ok(),
            "rankings" => {
                let places = value.split(',').map(|place| place.trim().parse::<f64>());
                let places: Result<Vec<f64>, _> = places.collect();
                let places = places.map_err(|_| syntax(span, "`rankings` are no numbers"))?;
                // The first is nobody's.
                ranking = Some(places.into_iter().skip(1).collect::<Vec<f64>>());
                over = Some(span);
            }
            _ => {}
        }
    }
    let Some(game) = game else {
        let message = "no trial of Ludii: there is no line `game=`";
        return Err(syntax(Span::at(0), message));
    };
    // The moves that put pieces at the start are of the set-up.
    let moves = moves.get(placed..).unwrap_or_default();
    // Before the end all places are 0.
    let ranking = ranking.filter(|places| places.iter().any(|place| *place != 0.0));
    let plies = moves.len();
    let lines = moves.iter().enumerate().map(|(p, (key, _))| json!({"p": p, "play": key}));
    let over = over.filter(|_| ranking.is_some());
    let end: Value = match ranking {
        Some(ranking) => {
            json!({"end": "over", "plies": plies, "winner": winner, "ranking": ranking})
        }
        None => json!({"end": "cut", "plies": plies}),
    };
    let text = trace::text_of(lines, &end);
    let steps = moves.iter().map(|(_, span)| *span).collect();
    let name = game.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let claim = over.map(|span| Claim { span, winner: None, incomparable: None });
    let course = Course::Trace { language: Language::Lud, options, text, steps };
    let span = Span::new(0, source.text().len().min(1));
    Ok(GameRecord { span, game: Named::File(name), set_up: None, course, claim, over })
}

/// The key of a move in traces: what it is, or the sites that it goes by.
fn key(text: &str) -> Option<String> {
    let head = text.split("actions=").next().unwrap_or_default();
    let named = [("[Pass", "pass"), ("[Swap", "swap"), ("[Forfeit", "forfeit")];
    if let Some((_, key)) = named.iter().find(|(action, _)| text.contains(action)) {
        return Some((*key).to_owned());
    }
    let field = |name: &str| {
        let mut fields = head.split(['[', ',', ']']);
        fields.find_map(|field| field.trim().strip_prefix(name))
    };
    let site = |text: &str| match text.trim().parse::<i32>().ok()? {
        -1 => Some("-".to_owned()),
        site => Some(site.to_string()),
    };
    let to = field("to=").and_then(site)?;
    let from = field("from=").and_then(site).unwrap_or_else(|| to.clone());
    Some(format!("{from}>{to}"))
}
