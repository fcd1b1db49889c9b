//! Players, boards, containers, components, regions, maps and tracks.

use crate::board::{BoardError, Direction, MAX_VERTICES, Shape, SiteType, Topology};
use crate::front::{Arg, Call, Value};
use crate::world::{Component, Container, ContainerKind, NamedMap, NamedRegion, Track, World};

use super::features::Features;
use super::{Lower, Lowered, Problem, invalid, missing, shape, unsupported, unsupported_use};

/// Sites of all containers beyond which a game is refused.
pub(crate) const MAX_SITES: usize = 2048;

/// Most components of a game.
const MAX_COMPONENTS: usize = 4096;

pub(super) struct Equipment<'c> {
    pub(super) world: World,
    /// The generator of each component.
    pub(super) generators: Vec<Option<&'c Call>>,
}

/// Everything but regions and maps, which need the language of rules.
pub(super) fn equipment<'c>(root: &'c Call, features: &Features) -> Lowered<Equipment<'c>> {
    let facings = players(root)?;
    let players = facings.len();
    let items: Vec<&Call> = root
        .call("equipment")
        .ok_or_else(|| missing(root, "equipment"))?
        .items("items")
        .iter()
        .filter_map(Arg::as_call)
        .collect();
    for item in &items {
        if !matches!(
            item.name(),
            "board" | "mancalaBoard" | "boardless" | "hand" | "regions" | "map" | "piece"
        ) {
            return Err(unsupported(item));
        }
    }
    let boards: Vec<&&Call> = items
        .iter()
        .filter(|i| ["board", "mancalaBoard", "boardless"].contains(&i.name()))
        .collect();
    let topology = match boards[..] {
        [] => build(
            root,
            &Shape::Rectangle { rows: 3, columns: 3, diagonals: crate::board::Diagonals::None },
            SiteType::Cell,
        )?,
        [board] => board_topology(board)?,
        [_, second, ..] => return Err(unsupported(second)),
    };
    let mut world = World {
        teams: teams(root, players),
        topology,
        players,
        containers: Vec::new(),
        components: Vec::new(),
        regions: Vec::new(),
        maps: Vec::new(),
        tracks: Vec::new(),
    };
    containers(&mut world, &items)?;
    if world.sites() > MAX_SITES {
        return Err(Problem::TooLarge(format!(
            "{} sites; at most {MAX_SITES} are supported",
            world.sites()
        )));
    }
    if let Some(board) = boards.first() {
        tracks(&mut world, board)?;
    }
    let generators = components(&mut world, &items, &facings)?;
    if features.layers.rotation {
        // Relative directions would depend on the state.
        let turned = items.iter().find(|i| i.name() == "piece");
        return Err(turned.map_or_else(
            || unsupported(root),
            |piece| {
                Problem::Unsupported(piece.place.error(
                    "unsupported-ludeme",
                    "pieces that turn (`rotation`) are not supported yet",
                ))
            },
        ));
    }
    Ok(Equipment { world, generators })
}

fn players(root: &Call) -> Lowered<Vec<Option<Direction>>> {
    let call = root.call("players").ok_or_else(|| missing(root, "players"))?;
    let arg = call.arg("count").ok_or_else(|| missing(call, "count"))?;
    let facings: Vec<Option<Direction>> = match &arg.value {
        Value::Array(seats) => seats
            .iter()
            .filter_map(Arg::as_call)
            .map(|seat| seat.constant("direction").and_then(Direction::named))
            .collect(),
        _ => vec![None; usize::try_from(shape::dim(arg)?).unwrap_or(0)],
    };
    match facings.len() {
        0 => Err(unsupported_use(arg, "a game without players")),
        n if n > play::MAX_PLAYERS => {
            Err(invalid(arg, "too-many-players", "a game has at most 16 players"))
        }
        _ => Ok(facings),
    }
}

/// The teams that the start rules make, if any.
fn teams(root: &Call, players: usize) -> Option<Vec<u8>> {
    let start = root.call("rules")?.call("start")?;
    let mut teams: Option<Vec<u8>> = None;
    for rule in start.items("rules").iter().filter_map(Arg::as_call) {
        if rule.name() != "set Team" {
            continue;
        }
        let teams = teams.get_or_insert_with(|| (0..=players as u8).collect());
        let number = rule.int("number").unwrap_or(0);
        for member in rule.items("members").iter().filter_map(Arg::as_constant) {
            let player = member.strip_prefix('P').and_then(|n| n.parse::<usize>().ok());
            if let Some(slot) = player.and_then(|p| teams.get_mut(p)) {
                *slot = number.clamp(0, 255) as u8;
            }
        }
    }
    teams
}

fn build(call: &Call, shape: &Shape, site: SiteType) -> Lowered<Topology> {
    Topology::new(shape, site).map_err(|BoardError::TooLarge| {
        let _ = call;
        Problem::TooLarge(format!("the board has more than {MAX_VERTICES} vertices"))
    })
}

fn board_topology(board: &Call) -> Lowered<Topology> {
    if board.name() == "board" {
        if let Some(values) = board.arg("values") {
            return Err(unsupported_use(values, "a deduction puzzle"));
        }
        let graph = board.call("graph").ok_or_else(|| missing(board, "graph"))?;
        let site = board.constant("use").and_then(SiteType::named).unwrap_or(SiteType::Cell);
        return build(board, &shape::shape(graph)?, site);
    }
    if board.name() == "boardless" {
        return Err(unsupported(board));
    }
    let size = |label: &str| {
        board.int(label).and_then(|n| usize::try_from(n).ok()).ok_or_else(|| missing(board, label))
    };
    if matches!(board.constant("store"), Some("Inner")) || board.has("numStores") {
        return Err(unsupported(board));
    }
    let stores = board.constant("store") != Some("None");
    let shape = Shape::Mancala { rows: size("rows")?, columns: size("columns")?, stores };
    build(board, &shape, SiteType::Vertex)
}

/// Owners of the copies of an item of some role.
fn owners(role: Option<&str>, default: &str, players: usize) -> Vec<u8> {
    match role.unwrap_or(default) {
        "Each" => (1..=players as u8).collect(),
        role => vec![owner(role, players)],
    }
}

fn owner(role: &str, players: usize) -> u8 {
    let number = |prefix: &str| role.strip_prefix(prefix).and_then(|n| n.parse::<u8>().ok());
    match role {
        "Shared" | "All" => players as u8 + 1,
        _ => number("P").or_else(|| number("Team")).unwrap_or(0),
    }
}

fn containers(world: &mut World, items: &[&Call]) -> Lowered<()> {
    let extent = world.topology.extent();
    world.containers.push(Container {
        name: "Board".to_owned(),
        kind: ContainerKind::Board,
        owner: 0,
        first: 0,
        size: extent,
    });
    for hand in items.iter().filter(|i| i.name() == "hand") {
        let size = match hand.int("size") {
            None => 1,
            Some(n) => usize::try_from(n).unwrap_or(0).min(MAX_SITES + 1),
        };
        for owner in owners(hand.constant("role"), "Each", world.players) {
            // The name has the number of the role, and those of groups have none.
            let number = if usize::from(owner) > world.players { 0 } else { owner };
            let first = world.sites();
            world.containers.push(Container {
                name: format!("Hand{number}"),
                kind: ContainerKind::Hand,
                owner,
                first,
                size,
            });
            if world.sites() > MAX_SITES {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn components<'c>(
    world: &mut World,
    items: &[&'c Call],
    facings: &[Option<Direction>],
) -> Lowered<Vec<Option<&'c Call>>> {
    let players = world.players;
    world.components.push(Component { name: "Disc".to_owned(), owner: 0, facing: None });
    let mut generators = vec![None];
    for piece in items.iter().filter(|i| i.name() == "piece") {
        for label in ["flips", "maxState", "maxCount", "maxValue"] {
            if let Some(arg) = piece.arg(label)
                && label == "flips"
            {
                return Err(unsupported_use(arg, "`flips`"));
            }
        }
        let name = piece.text("name").ok_or_else(|| missing(piece, "name"))?;
        let role = piece.constant("role");
        for owner in owners(role, "Each", players) {
            let suffix = match role.unwrap_or("Each") {
                "Neutral" => "0".to_owned(),
                "Shared" | "All" => String::new(),
                _ if players == 1 || name.contains("Die") || name.contains("Domino") => {
                    String::new()
                }
                _ => owner.to_string(),
            };
            let own = facings.get(usize::from(owner).wrapping_sub(1)).copied().flatten();
            let facing = own.or_else(|| piece.constant("facing").and_then(Direction::named));
            world.components.push(Component { name: format!("{name}{suffix}"), owner, facing });
            generators.push(piece.call("moves"));
        }
        if world.components.len() > MAX_COMPONENTS {
            return Err(Problem::TooLarge(format!("more than {MAX_COMPONENTS} kinds of pieces")));
        }
    }
    if world.components.len() == 1 {
        for player in 1..=players as u8 {
            world.components.push(Component {
                name: format!("Ball{player}{player}"),
                owner: player,
                facing: facings[usize::from(player) - 1],
            });
            generators.push(None);
        }
    }
    Ok(generators)
}

/// Regions and maps, whose parts are written in the language of rules.
pub(super) fn regions_and_maps<'c>(lower: &mut Lower<'c>, root: &'c Call) -> Lowered<()> {
    let items = root.call("equipment").map_or(&[][..], |e| e.items("items"));
    for item in items.iter().filter_map(Arg::as_call) {
        match item.name() {
            "regions" => regions(lower, item)?,
            "map" => map(lower, item)?,
            _ => {}
        }
    }
    Ok(())
}

fn regions<'c>(lower: &mut Lower<'c>, item: &'c Call) -> Lowered<()> {
    let role = item.constant("role");
    let owner = role.map_or(0, |r| owner(r, lower.world.players));
    let name = match item.text("name") {
        Some(name) => name.to_owned(),
        None => format!("Region{}", role.unwrap_or("P1")),
    };
    let arg = item.arg("regions").ok_or_else(|| missing(item, "regions"))?;
    let mut parts = Vec::new();
    match &arg.value {
        Value::Array(list) if list.iter().all(|i| i.as_call().is_none()) => {
            if list.iter().any(|i| i.as_int().is_none()) {
                return Err(unsupported_use(arg, "a family of regions"));
            }
            let sites = list.iter().filter_map(Arg::as_int).filter_map(|s| u16::try_from(s).ok());
            parts.push(sites.collect());
        }
        Value::Array(list) => {
            for part in list {
                parts.push(lower.static_region(part)?);
            }
        }
        Value::Constant(_) => return Err(unsupported_use(arg, "a family of regions")),
        _ => parts.push(lower.static_region(arg)?),
    }
    for part in &mut parts {
        part.sort_unstable();
        part.dedup();
    }
    lower.world.regions.push(NamedRegion { name, owner, parts });
    Ok(())
}

fn map<'c>(lower: &mut Lower<'c>, item: &'c Call) -> Lowered<()> {
    let name = item.text("name").unwrap_or("Map").to_owned();
    let mut found: Vec<(i32, i32)> = Vec::new();
    let mut add = |key: i32, value: i32| {
        if key != -1 && value != -1 {
            match found.iter_mut().find(|(k, _)| *k == key) {
                Some(pair) => pair.1 = value,
                None => found.push((key, value)),
            }
        }
    };
    if item.has("pairs") {
        for pair in item.items("pairs").iter().filter_map(Arg::as_call) {
            let key = lower.map_number(pair.arg("key").ok_or_else(|| missing(pair, "key"))?)?;
            let value =
                lower.map_number(pair.arg("value").ok_or_else(|| missing(pair, "value"))?)?;
            add(key, value);
        }
    } else {
        for (key, value) in item.items("keys").iter().zip(item.items("values")) {
            let key = lower.map_number(key)?;
            let value = lower.map_number(value)?;
            add(key, value);
        }
    }
    found.sort_unstable();
    lower.world.maps.push(NamedMap { name, pairs: found });
    Ok(())
}

impl<'c> Lower<'c> {
    /// A number in a map: an integer, a player, a coordinate, a landmark or a piece.
    fn map_number(&mut self, arg: &'c Arg) -> Lowered<i32> {
        match &arg.value {
            Value::Text(text) => {
                let site = self.coordinate(text, None);
                let piece = self.world.component(text).map(i32::from);
                site.map(|s| s as i32).or(piece).ok_or_else(|| {
                    invalid(arg, "unknown-name", format!("\"{text}\" is no site and no piece"))
                })
            }
            Value::Constant(constant) => match constant.name() {
                "FirstSite" => Ok(0),
                "LastSite" => Ok(self.world.topology.extent() as i32 - 1),
                name => match self.role_number(name) {
                    Some(number) => Ok(number),
                    None => Err(unsupported_use(arg, &format!("`{name}` in a map"))),
                },
            },
            _ => {
                let number = self.int(arg)?;
                self.constant(&number).ok_or_else(|| {
                    invalid(arg, "not-constant", "a map is fixed: this must not depend on the game")
                })
            }
        }
    }
}

fn tracks(world: &mut World, board: &Call) -> Lowered<()> {
    for track in board.items("tracks").iter().filter_map(Arg::as_call) {
        let steps = track.arg("steps").ok_or_else(|| missing(track, "steps"))?;
        let sites = match &steps.value {
            Value::Text(text) => track_from_text(world, steps, text)?,
            _ => {
                let mut sites = Vec::new();
                for item in steps.items() {
                    let site = shape::dim(item)?;
                    sites.push(site.clamp(-2, i64::from(u16::MAX)) as i32);
                }
                sites
            }
        };
        let mut collapsed: Vec<i32> = Vec::new();
        for site in sites {
            if collapsed.last() != Some(&site) {
                collapsed.push(site);
            }
        }
        let role = track.arg("owner");
        let owner = match role.map(|r| &r.value) {
            Some(Value::Int(n)) => (*n).clamp(0, 255) as u8,
            Some(Value::Constant(c)) => match c.name() {
                "Shared" | "All" | "Each" => 0,
                name => owner(name, world.players),
            },
            _ => 0,
        };
        world.tracks.push(Track {
            name: track.text("name").unwrap_or_default().to_owned(),
            owner,
            looped: track.flag("loop").unwrap_or(false),
            sites: collapsed,
        });
    }
    Ok(())
}

/// Expands a track written as a start and directions, such as `"0,E,N,W"`.
fn track_from_text(world: &World, arg: &Arg, text: &str) -> Lowered<Vec<i32>> {
    const MAX_LENGTH: usize = 100_000;
    let wrong = |token: &str| {
        invalid(arg, "track-step", format!("`{token}` is no site, direction or `End`"))
    };
    let mut sites: Vec<i32> = Vec::new();
    for token in text.split(',').map(str::trim) {
        if let Ok(site) = token.parse::<i32>() {
            sites.push(site);
        } else if token == "End" {
            sites.push(-2);
        } else {
            let letters = token.trim_end_matches(|c: char| c.is_ascii_digit());
            let count = token[letters.len()..].parse::<usize>().ok();
            let direction = Direction::named(letters).filter(|d| d.is_facing());
            let direction = direction.ok_or_else(|| wrong(token))?;
            let current = sites.last().and_then(|&s| usize::try_from(s).ok());
            let current = current.filter(|&s| s < world.topology.sites());
            let radials = current.map_or(&[][..], |s| world.topology.radials(s, direction));
            for radial in radials {
                let steps = &radial.path[1..];
                let taken = &steps[..count.unwrap_or(steps.len()).min(steps.len())];
                sites.extend(taken.iter().map(|&s| i32::from(s)));
            }
        }
        if sites.len() > MAX_LENGTH {
            return Err(Problem::TooLarge("a track of more than 100,000 sites".to_owned()));
        }
    }
    Ok(sites)
}
