//! Players, boards, containers and components.

use crate::board::{BoardError, Diagonals, Direction, Played, Shape, SiteType, Topology};
use crate::front::{Arg, Call, Label, Name, Value, Word};
use crate::limits::{MAX_COMPONENTS, MAX_FACES, MAX_SITES, MAX_VERTICES};
use crate::world::{Card, Component, Container, ContainerKind, Dice, Elements, World};

use super::places::{need, need_call, owner, role_number};
use super::{
    Lowered, Problem, elements, invalid, missing, shape, tracks, unsupported, unsupported_use,
};

/// The world that players and the equipment section describe.
pub(crate) struct Equipment<'c> {
    pub(crate) world: World,
    /// The generator of each component.
    pub(super) generators: Vec<Option<&'c Call>>,
}

/// Makes the equipment without regions and maps, which need the language of rules.
pub(crate) fn equipment(root: &Call) -> Lowered<Equipment<'_>> {
    let mut facings = players(root)?;
    // Nobody chooses where there are no players; one stands for all.
    facings.resize(facings.len().max(1), None);
    let players = facings.len();
    let items = items(root)?;
    let mut boards = items.iter().filter(|i| kind(i) == ItemKind::Board);
    let board = boards.next().copied();
    if let Some(second) = boards.next() {
        return Err(unsupported(second));
    }
    let topology = match board {
        None => {
            let shape = Shape::Rectangle { rows: 3, columns: 3, diagonals: Diagonals::None };
            build(root, &shape, Played::on(SiteType::Cell))?
        }
        Some(board) => board_topology(board, root)?,
    };
    let mut world = World {
        teams: teams(root, players)?,
        team_var: None,
        cards: Vec::new(),
        topology,
        players,
        containers: Vec::new(),
        elements: Vec::new(),
        components: Vec::new(),
        regions: Vec::new(),
        maps: Vec::new(),
        tracks: Vec::new(),
        crossings: Vec::new(),
        dice: None,
    };
    containers(&mut world, &items);
    // The sites of other elements are beyond all numbers of elements, so that a number is never
    // taken for a site.
    let types = [SiteType::Cell, SiteType::Vertex, SiteType::Edge];
    let numbers =
        types.into_iter().map(|site_type| world.topology.count(site_type)).max().unwrap_or(0);
    for site_type in elements::other_types(root, world.site_type()) {
        let first = world.sites().max(numbers);
        let elements = Elements { of: site_type, first, count: world.topology.count(site_type) };
        world.elements.push(elements);
        if elements::asks_steps(root, site_type) && world.sites() <= MAX_SITES {
            world.topology.add_steps(site_type, first);
        }
    }
    if world.sites() > MAX_SITES {
        return Err(too_many_sites(&world, board.unwrap_or(root)));
    }
    if let Some(board) = board {
        tracks::tracks(&mut world, board)?;
    }
    let generators = components(&mut world, &items, &facings)?;
    world.dice = dice(&world, &items)?;
    Ok(Equipment { world, generators })
}

/// The parts of the equipment that this engine cannot play yet.
pub(super) fn not_played(root: &Call) -> Lowered<Vec<Problem>> {
    use Name::*;
    let mut problems = Vec::new();
    let puzzle = super::puzzles::satisfy(root).is_some();
    for item in items(root)? {
        match item.name() {
            Board | MancalaBoard | SurakartaBoard | Hand | Regions | Map | Dice => {}
            Piece => {}
            Hints if puzzle => {}
            // `sites Playable` has the sites where pieces can be laid.
            Boardless => {}
            Tile | Deck | Dominoes => {}
            _ => problems.push(unsupported(item)),
        }
        if let Some(values) = item.find(Label::Values)
            && item.name() == Board
            && !puzzle
        {
            problems.push(unsupported_use(values, "a deduction puzzle"));
        }
    }
    Ok(problems)
}

/// Kinds of items in the order in which they are made, whatever the order in the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ItemKind {
    Board,
    Hand,
    Dice,
    Hints,
    Regions,
    Map,
    Dominoes,
    Component,
}

fn kind(item: &Call) -> ItemKind {
    use Name::*;
    match item.name() {
        Board | Boardless | MancalaBoard | SurakartaBoard => ItemKind::Board,
        Hand | Deck => ItemKind::Hand,
        Dice => ItemKind::Dice,
        Hints => ItemKind::Hints,
        Regions => ItemKind::Regions,
        Map => ItemKind::Map,
        Dominoes => ItemKind::Dominoes,
        _ => ItemKind::Component,
    }
}

fn items(root: &Call) -> Lowered<Vec<&Call>> {
    let equipment = need_call(root, Label::Equipment)?;
    let mut items: Vec<&Call> =
        equipment.items(Label::Items).iter().filter_map(Arg::as_call).collect();
    items.sort_by_key(|item| kind(item));
    Ok(items)
}

/// True if a game has no players, and so goes by itself.
pub(super) fn is_simulation(root: &Call) -> Lowered<bool> {
    Ok(players(root)?.is_empty())
}

fn players(root: &Call) -> Lowered<Vec<Option<Direction>>> {
    let call = need_call(root, Label::Players)?;
    let arg = need(call, Label::Count)?;
    let facings: Vec<Option<Direction>> = match &arg.value {
        Value::Array(seats) => seats
            .iter()
            .filter_map(Arg::as_call)
            .map(|seat| seat.constant(Label::Direction).and_then(Direction::named))
            .collect(),
        _ => {
            let count = usize::try_from(shape::dim(arg)?).unwrap_or(0);
            vec![None; count.min(play::MAX_PLAYERS + 1)]
        }
    };
    if facings.len() > play::MAX_PLAYERS {
        return Err(invalid(arg, "too-many-players", "a game has at most 16 players"));
    }
    Ok(facings)
}

/// The teams that the start rules make, if any. If there are none and play rules change teams,
/// every player is one.
fn teams(root: &Call, players: usize) -> Lowered<Option<Vec<u8>>> {
    let is_team = |call: &&Call| call.name() == Name::SetTeam;
    if !root.all().any(|call| is_team(&call)) {
        return Ok(None);
    }
    let mut teams: Vec<u8> = (0..=players as u8).collect();
    let start = root.call(Label::Rules).and_then(|rules| rules.call(Label::Start));
    let rules = start.iter().flat_map(|start| start.items(Label::Rules)).filter_map(Arg::as_call);
    for rule in rules.filter(is_team) {
        let arg = need(rule, Label::Number)?;
        let number = arg.as_int().ok_or_else(|| unsupported_use(arg, "a computed team here"))?;
        for member in rule.items(Label::Members).iter().filter_map(Arg::as_constant) {
            let player = member.as_str().strip_prefix('P').and_then(|n| n.parse::<usize>().ok());
            if let Some(slot) = player.and_then(|p| teams.get_mut(p)) {
                *slot = number.clamp(0, 255) as u8;
            }
        }
    }
    Ok(Some(teams))
}

/// Builds the board that a call asks for.
fn build(asked: &Call, shape: &Shape, played: Played) -> Lowered<Topology> {
    Topology::new(shape, played).map_err(|error| match error {
        BoardError::TooLarge => {
            let text = format!("a board of more than {} vertices", thousands(MAX_VERTICES));
            beyond(asked, text)
        }
        BoardError::NoVertex { written_at, vertices } => {
            shape::no_vertex(asked, written_at, vertices)
        }
    })
}

/// The sites of the board, of hands and dice, and of other elements are more than sets have room
/// for.
fn too_many_sites(world: &World, board: &Call) -> Problem {
    let on_board = world.containers.first().map_or(0, |board| board.size);
    let elements: usize = world.elements.iter().map(|elements| elements.count).sum();
    let parts = [
        (on_board, "of the board"),
        (world.sites() - on_board - elements, "of hands, dice and what is skipped in numbering"),
        (elements, "for its other elements, of which rules speak"),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> =
        parts.map(|(number, what)| format!("{} {what}", thousands(number))).collect();
    let text = format!("{} sites: {}", thousands(world.sites()), parts.join(", "));
    beyond(board, text)
}

/// More sites than the engine has room for.
fn beyond(place: &Call, text: String) -> Problem {
    let limit = thousands(MAX_SITES);
    let help = format!(
        "moves hold sites as numbers of 16 bits, so a game has at most {limit} sites; make the board \
         smaller"
    );
    Problem::Beyond(place.place.error("too-many-sites", text).help(help))
}

/// A number with commas between its thousands.
fn thousands(number: usize) -> String {
    match number / 1000 {
        0 => number.to_string(),
        more => format!("{},{:03}", thousands(more), number % 1000),
    }
}

fn board_topology(board: &Call, root: &Call) -> Lowered<Topology> {
    let on = |site: SiteType| Played { by_layer: asks_for_layers(root), ..Played::on(site) };
    match board.name() {
        Name::Board => {
            let graph = need_call(board, Label::Graph)?;
            let site =
                board.constant(Label::Use).and_then(SiteType::named).unwrap_or(SiteType::Cell);
            build(graph, &shape::shape(graph)?, on(site))
        }
        Name::Boardless => build(board, &shape::boardless(board)?, on(SiteType::Cell)),
        Name::SurakartaBoard => {
            let graph = need_call(board, Label::Graph)?;
            build(graph, &shape::shape(graph)?, on(SiteType::Vertex))
        }
        _ => build(board, &shape::mancala(board)?, on(SiteType::Vertex)),
    }
}

/// True if the description reads the layer of a site anywhere.
fn asks_for_layers(root: &Call) -> bool {
    root.all().any(|call| call.name() == Name::Layer)
}

/// Owners of the copies of an item for a role.
fn owners(role: Option<Word>, default: Word, players: usize) -> Vec<u8> {
    match role.unwrap_or(default) {
        Word::Each => (1..=players as u8).collect(),
        role => vec![owner(role, players)],
    }
}

/// A size from the description, cut to what is refused in any case.
fn size(item: &Call, label: Label, default: usize) -> usize {
    let asked = item.int(label).map_or(default, |n| usize::try_from(n).unwrap_or(0));
    asked.min(MAX_SITES + 1)
}

fn containers(world: &mut World, items: &[&Call]) {
    let extent = world.topology.extent();
    let players = world.players;
    let mut add = |kind: ContainerKind, name: String, owner: u8, size: usize| {
        let first = world.sites();
        world.containers.push(Container { name, kind, owner, first, size });
        world.sites() <= MAX_SITES
    };
    add(ContainerKind::Board, "Board".to_owned(), 0, extent);
    let name = |kind: &str, owner: u8| {
        // The name ends with the number of the role, which is 0 for groups.
        format!("{kind}{}", if usize::from(owner) > players { 0 } else { owner })
    };
    for item in items {
        let role = item.find(Label::Role).and_then(Arg::as_constant);
        match item.name() {
            Name::Hand => {
                for owner in owners(role, Word::Each, players) {
                    let size = size(item, Label::Size, 1);
                    if !add(ContainerKind::Hand, name("Hand", owner), owner, size) {
                        return;
                    }
                }
            }
            Name::Deck => {
                let owner = owner(role.unwrap_or(Word::Shared), players);
                if !add(ContainerKind::Deck, name("Deck", owner), owner, 1) {
                    return;
                }
            }
            _ => {}
        }
    }
    // All dice lie in one container, with the owner of the last of them.
    let dice: Vec<&&Call> = items.iter().filter(|i| i.name() == Name::Dice).collect();
    if let Some(last) = dice.last() {
        let owner = owner(last.constant(Label::Role).unwrap_or(Word::Shared), players);
        let count = dice.iter().map(|d| size(d, Label::Num, 1)).sum::<usize>().max(1);
        // Dice lie on a strip of cells like those of the board.
        let size = if world.topology.cell_edges() == 3 { 2 * count - 1 } else { count };
        let first = world.sites();
        let name = name("Dice", owner);
        let kind = ContainerKind::Dice;
        world.containers.push(Container { name, kind, owner, first, size });
    }
}

/// The values on the faces of all dice.
fn dice(world: &World, items: &[&Call]) -> Lowered<Option<Dice>> {
    let container = world.containers.iter().find(|c| c.kind == ContainerKind::Dice);
    let Some(&Container { first, owner, .. }) = container else { return Ok(None) };
    let mut faces_by_die = Vec::new();
    for item in items.iter().filter(|i| i.name() == Name::Dice) {
        let sides = item.int(Label::D).unwrap_or(6).clamp(1, MAX_FACES);
        let from = item.int(Label::From).unwrap_or(1);
        let list = |arg: &Arg| arg.items().iter().filter_map(Arg::as_int).collect::<Vec<i32>>();
        for die in 0..size(item, Label::Num, 1) {
            let own = item.items(Label::FacesByDie).get(die).map(list);
            let faces = own.or_else(|| item.arg(Label::Faces).map(list));
            let faces =
                faces.unwrap_or_else(|| (0..sides).map(|i| from.saturating_add(i)).collect());
            if faces.is_empty() {
                return Err(invalid_dice(item));
            }
            faces_by_die.push(faces);
        }
    }
    let component = world.components.iter().position(|c| c.name == "Die1").unwrap_or(0);
    Ok(Some(Dice { first, component, owner, faces: faces_by_die }))
}

fn invalid_dice(item: &Call) -> Problem {
    Problem::Invalid(item.place.error("dice-without-faces", "a die needs at least one face"))
}

/// Makes components, and collects their generators.
struct Maker<'w, 'c> {
    world: &'w mut World,
    facings: &'w [Option<Direction>],
    generators: Vec<Option<&'c Call>>,
}

impl<'c> Maker<'_, 'c> {
    fn add(&mut self, name: String, owner: u8, facing: Option<Direction>, item: Option<&'c Call>) {
        // The seat of a player decides in which direction all pieces of the player look.
        let seat = self.facings.get(usize::from(owner).wrapping_sub(1)).copied().flatten();
        let flips = item.and_then(|i| i.call(Label::Flips));
        let flips = flips.and_then(|f| Some((f.int(Label::A)?, f.int(Label::B)?)));
        let facing = seat.or(facing);
        let tile = item.filter(|i| i.name() == Name::Tile);
        let walks = tile.map_or(Vec::new(), super::tiles::walks);
        let tile =
            tile.and_then(|item| super::tile_paths::tile(item, self.world.topology.cell_edges()));
        self.world.components.push(Component {
            name,
            owner,
            facing,
            flips,
            walks,
            tile,
            pips: None,
        });
        self.generators.push(item.and_then(|i| i.call(Label::Moves)));
    }

    /// A piece or tile, one for each owner that its role stands for.
    fn pieces(&mut self, item: &'c Call, default: Word) -> Lowered<()> {
        let players = self.world.players;
        let name = item.text(Label::Name).ok_or_else(|| missing(item, Label::Name))?;
        let role = item.constant(Label::Role).unwrap_or(default);
        let facing = item.find(Label::Facing).and_then(Arg::as_constant);
        let facing = facing.and_then(Direction::named);
        for owner in owners(Some(role), default, players) {
            let suffix = match role {
                _ if name.contains("Die") || name.contains("Domino") => String::new(),
                Word::Neutral => "0".to_owned(),
                _ if players == 1 => String::new(),
                Word::Each => owner.to_string(),
                _ => role_number(role).map_or(String::new(), |n| n.to_string()),
            };
            self.add(format!("{name}{suffix}"), owner, facing, Some(item));
        }
        Ok(())
    }

    /// Cards, dice and dominoes, which are numbered over all items of their kind.
    fn numbered(&mut self, item: &'c Call, name: &str, count: usize) {
        let role = item.find(Label::Role).and_then(Arg::as_constant);
        let owner = owner(role.unwrap_or(Word::Shared), self.world.players);
        let named = |c: &&Component| {
            let number = c.name.strip_prefix(name);
            number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
        };
        let before = self.world.components.iter().filter(named).count();
        for i in before..before + count.min(MAX_COMPONENTS) {
            self.add(format!("{name}{}", i + 1), owner, None, None);
        }
    }

    /// Makes the cards of a deck, suit by suit. Suits are numbered from 1. So are ranks if the deck
    /// does not name its cards: 1 is an ace, 13 a king.
    fn deck(&mut self, item: &'c Call) {
        let suits = size(item, Label::Suits, 4).min(MAX_COMPONENTS);
        let described = item.items(Label::Cards).iter().filter_map(Arg::as_call);
        let mut cards: Vec<Card> = described
            .map(|card| {
                let number = |label: Label| card.int(label);
                let rank = number(Label::Rank).unwrap_or(0);
                let value = number(Label::Value).unwrap_or(0);
                let trump_rank = number(Label::TrumpRank).unwrap_or(rank);
                let trump_value = number(Label::TrumpValue).unwrap_or(value);
                Card { suit: 0, rank, value, trump_rank, trump_value }
            })
            .collect();
        if cards.is_empty() {
            let ranks = 1..=size(item, Label::CardsBySuit, 13).min(MAX_COMPONENTS) as i32;
            let plain = |n: i32| Card { suit: 0, rank: n, value: n, trump_rank: n, trump_value: n };
            cards = ranks.map(plain).collect();
        }
        let first = self.world.components.len();
        self.numbered(item, "Card", suits.saturating_mul(cards.len()));
        let deck =
            (1..=suits as i32).flat_map(|suit| cards.iter().map(move |c| Card { suit, ..*c }));
        self.world.cards.resize(first, Card::NONE);
        self.world.cards.extend(deck.take(self.world.components.len() - first));
    }

    fn dominoes(&mut self, item: &'c Call) {
        let shared = owner(Word::Shared, self.world.players);
        // `64 * 65 / 2` dominoes are close to the limit, and more are refused.
        let most = size(item, Label::UpTo, 6).min(90);
        for i in 0..=most {
            for j in i..=most {
                self.add(format!("Domino{i}{j}"), shared, None, None);
                if let Some(domino) = self.world.components.last_mut() {
                    domino.walks = vec![super::tiles::DOMINO.chars().collect()];
                    domino.pips = Some((i as i32, j as i32));
                }
            }
        }
    }
}

fn components<'c>(
    world: &mut World,
    items: &[&'c Call],
    facings: &[Option<Direction>],
) -> Lowered<Vec<Option<&'c Call>>> {
    let players = world.players;
    world.components.push(Component { name: "Disc".to_owned(), ..Component::default() });
    let mut maker = Maker { world, facings, generators: vec![None] };
    for item in items {
        match item.name() {
            Name::Deck => maker.deck(item),
            Name::Dice => maker.numbered(item, "Die", size(item, Label::Num, 1)),
            Name::Dominoes => maker.dominoes(item),
            Name::Piece => maker.pieces(item, Word::Each)?,
            Name::Tile => maker.pieces(item, Word::Shared)?,
            _ => {}
        }
        if maker.world.components.len() > MAX_COMPONENTS {
            return Err(Problem::TooLarge(format!("more than {MAX_COMPONENTS} kinds of pieces")));
        }
    }
    if items.iter().any(|i| i.name() == Name::Board && i.has(Label::Values)) {
        // The pieces of a deduction puzzle are the numbers that its sites can hold.
        maker.world.components.truncate(1);
        maker.generators.truncate(1);
    } else if maker.world.components.len() == 1 {
        for player in 1..=players as u8 {
            let name =
                if players == 1 { "Ball1".to_owned() } else { format!("Ball{player}{player}") };
            maker.add(name, player, None, None);
        }
    }
    Ok(maker.generators)
}
