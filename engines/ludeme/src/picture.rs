//! Pictures of states.

use play::Player;
use play::picture::{Cell, Cover, Outline, Picture, Piece, PieceWords, Tray, fold};

use crate::board::{Direction, SiteType, Topology};
use crate::game::Game;
use crate::signs::{stack, stakes, symbols};
use crate::state::{Occupancy, State};
use crate::world::{Component, Container, ContainerKind};

/// Boards with more sites than this are not measured: a site is as large as the language says.
const MAX_MEASURED: usize = 1000;

/// The board, then hands, dice, stakes and scores.
pub(crate) fn picture(game: &Game, state: &State) -> Picture {
    let mut picture = board(game, state);
    fold(&mut picture.cells);
    let containers = game.world.containers.iter();
    for container in containers.filter(|it| it.kind == ContainerKind::Hand) {
        picture.trays.push(hand(game, state, container));
    }
    if let Some(dice) = &game.world.dice {
        let shown = (0..dice.faces.len()).filter_map(|die| state.dice().get(die));
        let pieces = shown.filter(|&&face| face != 0);
        picture.trays.push(Tray {
            title: "dice".to_owned(),
            pieces: pieces.map(|face| Piece::new(None, format!("die {face}"))).collect(),
            ..Tray::default()
        });
    }
    picture.notes.extend(stakes(game, state));
    if state.scores().iter().any(|&score| score != 0) {
        let scores: Vec<String> =
            (1..=game.world.players).map(|player| state.scores()[player].to_string()).collect();
        picture.notes.push(format!("scores: {}", scores.join(" ")));
    }
    picture
}

/// The board alone.
pub(crate) fn board(game: &Game, state: &State) -> Picture {
    let world = &game.world;
    let topology = &world.topology;
    let site_type = topology.site_type();
    let (unit, symbols) = (unit(topology), symbols(game));
    let is_mancala = is_mancala(game);
    let mut picture = Picture::default();
    for site in 0..topology.sites() {
        let Some(at) = topology.point(site_type, site) else { continue };
        let at = [(at.x / unit) as f32, (at.y / unit) as f32];
        let outline = if is_mancala { Outline::House } else { outline(topology, site, unit, at) };
        let mut cell = Cell::new(world.site_label(site), at, outline);
        cell.pieces = pieces(game, state, site);
        cell.sign = stack(state, site, &symbols);
        cell.cover = cover(game, state, site);
        if matches!(cell.outline, Outline::House) && cell.pieces.is_empty() {
            cell.pieces.push(Piece::new(None, "seeds").times(0));
        }
        picture.cells.push(cell);
    }
    let is_whole = picture.cells.len() == topology.sites();
    if site_type == SiteType::Vertex && is_whole {
        let edges = 0..topology.count(SiteType::Edge);
        let ends = edges.filter_map(|edge| topology.edge_ends(edge));
        picture.links = ends.map(|ends| ends.map(usize::from)).collect();
    }
    picture
}

/// True if all pieces are alike and of nobody, and lie in heaps: houses with seeds.
fn is_mancala(game: &Game) -> bool {
    let dice = game.world.dice.as_ref();
    let is_die =
        |at: &usize| dice.is_some_and(|d| (0..d.faces.len()).any(|n| d.component + n == *at));
    let mut pieces = (1..game.world.components.len()).filter(|at| !is_die(at));
    let is_common = |at: usize| {
        let owner = usize::from(game.world.components[at].owner);
        owner == 0 || owner > game.world.players
    };
    let only = pieces.next().filter(|_| game.layout.occupancy == Occupancy::Counting);
    only.is_some_and(is_common) && pieces.next().is_none()
}

/// What lies on a site, from the bottom to the top.
fn pieces(game: &Game, state: &State, site: usize) -> Vec<Piece> {
    let height = state.height(site);
    if height > 1 && state.what_at(site, 0) != 0 && game.stacking() {
        return (0..height).filter_map(|level| piece(game, state, site, Some(level))).collect();
    }
    let piece = piece(game, state, site, None);
    piece.map(|piece| piece.times(state.count(site).max(1) as u32)).into_iter().collect()
}

fn piece(game: &Game, state: &State, site: usize, level: Option<usize>) -> Option<Piece> {
    let what = level.map_or_else(|| state.what(site), |level| state.what_at(site, level));
    let component = game.world.components.get(what).filter(|_| what != 0)?;
    let bare = component.name.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let named = if bare.is_empty() { &component.name } else { bare };
    let mut kind = PieceWords::default().piece(named).kind;
    // Pieces of one owner that differ only in a number are told apart by it.
    let number = &component.name[bare.len()..];
    let is_alike = |other: &Component| {
        let rest = other.name.strip_prefix(bare).filter(|_| other.owner == component.owner);
        rest.is_some_and(|rest| rest != number && rest.bytes().all(|sign| sign.is_ascii_digit()))
    };
    if !bare.is_empty() && game.world.components.iter().skip(1).any(is_alike) {
        kind = format!("{kind} {number}");
    }
    let owner = component
        .owner
        .checked_sub(1)
        .filter(|&owner| usize::from(owner) < game.world.players && game.puzzle.is_none());
    let mut piece = Piece::new(owner.map(Player), kind);
    if let Some(facing) = component.facing.filter(|_| game.features.layers.rotation) {
        let supported = game.world.topology.supported(Direction::Adjacent);
        let turns = state.extra(site, level).rotation;
        let turned = supported
            .iter()
            .position(|&way| way == facing)
            .and_then(|place| supported.get(Topology::turned(supported, place, turns)).copied());
        piece.directions.extend(degrees(turned.unwrap_or(facing)));
    }
    Some(piece)
}

/// A direction of the compass, clockwise from the north.
fn degrees(direction: Direction) -> Option<u16> {
    let sixteenths = (direction as u16).checked_sub(Direction::N as u16)?;
    (sixteenths < 16).then_some((sixteenths * 45).div_ceil(2))
}

/// Who does not see what lies on a site.
fn cover(game: &Game, state: &State, site: usize) -> Cover {
    if !game.layout.sizes.hidden {
        return Cover::Open;
    }
    // A site is hidden whole, or what lies there, or whose it is.
    let hides = |player: usize| {
        (0..3).any(|kind| state.view(game.layout.hidden(kind, player)).contains(site))
    };
    let players: Vec<Player> = (1..=game.world.players)
        .filter(|&player| hides(player))
        .map(|player| Player(player as u8 - 1))
        .collect();
    if players.is_empty() { Cover::Open } else { Cover::From(players) }
}

fn hand(game: &Game, state: &State, container: &Container) -> Tray {
    let sites = container.first..container.first + container.size;
    // A hand of one site has the name of that site, and in others each piece has that of its own.
    let is_one = container.size == 1;
    let name = if is_one { container.name.to_lowercase() } else { String::new() };
    let on = |site: usize| {
        let place = if is_one { String::new() } else { game.world.site_label(site) };
        pieces(game, state, site).into_iter().map(move |piece| piece.at(place.clone()))
    };
    let owner = container.owner.checked_sub(1).filter(|&o| usize::from(o) < game.world.players);
    Tray {
        title: "hand".to_owned(),
        name,
        owner: owner.map(Player),
        pieces: sites.clone().flat_map(on).collect(),
        cover: sites.map(|site| cover(game, state, site)).next().unwrap_or_default(),
    }
}

/// The distance that is 1 in a picture: the least between two sites.
fn unit(topology: &Topology) -> f64 {
    let site_type = topology.site_type();
    let points: Vec<_> =
        (0..topology.sites()).filter_map(|site| topology.point(site_type, site)).collect();
    if points.len() > MAX_MEASURED {
        return 1.0;
    }
    let pairs = points.iter().enumerate();
    let distances = pairs
        .flat_map(|(at, a)| points[at + 1..].iter().map(move |b| (a.x - b.x).hypot(a.y - b.y)));
    let least = distances.filter(|&away| away > 0.05).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

fn outline(topology: &Topology, site: usize, unit: f64, at: [f32; 2]) -> Outline {
    let corner = |vertex: u16| {
        let point = topology.point(SiteType::Vertex, vertex.into())?;
        Some([(point.x / unit) as f32, (point.y / unit) as f32])
    };
    match topology.site_type() {
        SiteType::Vertex => Outline::Vertex,
        SiteType::Edge => match topology.edge_ends(site).map(|ends| ends.map(corner)) {
            Some([Some(a), Some(b)]) => Outline::Polygon(bar(a, b)),
            _ => Outline::Vertex,
        },
        SiteType::Cell => {
            let corners: Vec<[f32; 2]> =
                topology.cell_vertices(site).into_iter().filter_map(corner).collect();
            let is_square = corners.len() == 4
                && corners.iter().all(|[x, y]| {
                    ((x - at[0]).abs() - 0.5).abs() < 0.02 && ((y - at[1]).abs() - 0.5).abs() < 0.02
                });
            match corners.len() {
                0..3 => Outline::Vertex,
                _ if is_square => Outline::Square,
                _ => Outline::Polygon(corners),
            }
        }
    }
}

/// A bar between two points.
fn bar(a: [f32; 2], b: [f32; 2]) -> Vec<[f32; 2]> {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let [nx, ny] = [-dy * 0.12, dx * 0.12];
    let end =
        |along: f32, side: f32| [a[0] + along * dx + side * nx, a[1] + along * dy + side * ny];
    vec![end(0.1, 1.0), end(0.9, 1.0), end(0.9, -1.0), end(0.1, -1.0)]
}
