//! Lowering of graph calls to [`Shape`]s: arithmetic of constants, checks of sizes, coordinates as
//! 32-bit floats.

use crate::board::{
    Additions, Diagonals, NumberedEdge, Outline, Point, Polygon, Removals, Rings, Shape,
    SquareOutline, Tiling,
};
use crate::front::{Arg, Call, Label, Name, Value, Word};
use crate::limits::MAX_DIM;

use super::places::{all, need, need_call};
use super::{Lowered, Problem, unsupported};

/// Lowers a call of kind `Graph`.
pub(super) fn shape(call: &Call) -> Lowered<Shape> {
    use Name::*;
    match call.name() {
        Square => square(call),
        Rectangle => {
            let rows = size(call, Label::Rows)?;
            let columns = optional_size(call, Label::Columns)?.unwrap_or(rows);
            Ok(Shape::Rectangle { rows, columns, diagonals: diagonals(call)? })
        }
        Hex => six_sided(call, Shape::Hex, Shape::HexSides, Shape::HexPolygon, Outline::Hexagon),
        Tri => six_sided(call, Shape::Tri, Shape::TriSides, Shape::TriPolygon, Outline::Triangle),
        Concentric => concentric(call),
        Wedge => Ok(Shape::Wedge(
            size(call, Label::Rows)?,
            optional_size(call, Label::Columns)?.unwrap_or(3),
        )),
        Regular => {
            Ok(Shape::Regular { corners: size(call, Label::Sides)?, star: call.has(Label::Shape) })
        }
        Spiral => Ok(Shape::Spiral {
            turns: size(call, Label::Turns)?,
            sites: size(call, Label::Sites)?,
            clockwise: call.flag(Label::Clockwise).unwrap_or(true),
        }),
        Repeat => repeat(call),
        Tiling => tiling(call),
        Brick => bricks(call),
        Celtic => {
            let rows = size(call, Label::Rows)?;
            Ok(Shape::Celtic(rows, optional_size(call, Label::Columns)?.unwrap_or(rows)))
        }
        // The specification does not tell how a board is divided into thirds.
        Quadhex if call.flag(Label::Thirds).unwrap_or(false) => Err(unsupported(call)),
        Quadhex => Ok(Shape::Quadhex(size(call, Label::Layers)?)),
        Graph => Ok(Shape::Graph {
            vertices: points(call, Label::Vertices)?,
            edges: numbered_edges(call)?,
        }),
        Shift => {
            let offset = vector(call, [Label::Dx, Label::Dy, Label::Dz], [0.0; 3])?;
            Ok(Shape::Shift(offset, child(call)?))
        }
        Rotate => Ok(Shape::Rotate(float(need(call, Label::Degrees)?)?, child(call)?)),
        Scale => {
            let x = float(need(call, Label::Sx)?)?;
            Ok(Shape::Scale(
                vector(call, [Label::Sx, Label::Sy, Label::Sz], [x, x, 1.0])?,
                child(call)?,
            ))
        }
        Skew => Ok(Shape::Skew(float(need(call, Label::Amount)?)?, child(call)?)),
        Merge => Ok(Shape::Merge(children(call)?, call.flag(Label::Connect).unwrap_or(false))),
        Union => Ok(Shape::Union(children(call)?, call.flag(Label::Connect).unwrap_or(false))),
        Intersect => Ok(Shape::Intersect(children(call)?)),
        Add => add(call),
        Remove => remove(call),
        Keep => Ok(Shape::Keep(child(call)?, polygon(need_call(call, Label::Poly)?)?)),
        Clip => Ok(Shape::Clip(child(call)?, polygon(need_call(call, Label::Poly)?)?)),
        Hole => Ok(Shape::Hole(child(call)?, polygon(need_call(call, Label::Poly)?)?)),
        Renumber => {
            let named: Vec<Word> = call
                .args
                .iter()
                .filter(|a| a.label == Label::Types)
                .filter_map(Arg::as_constant)
                .collect();
            let which = [Word::Vertex, Word::Edge, Word::Cell]
                .map(|t| named.is_empty() || named.contains(&t));
            Ok(Shape::Renumber(child(call)?, which))
        }
        SplitCrossings => Ok(Shape::SplitCrossings(child(call)?)),
        Dual => Ok(Shape::Dual(child(call)?)),
        Trim => Ok(Shape::Trim(child(call)?)),
        Layers => Ok(Shape::Layers(size(call, Label::Layers)?, child(call)?)),
        MakeFaces => Ok(Shape::MakeFaces(child(call)?)),
        Recoordinate => child(call).map(|c| *c),
        Subdivide => {
            Ok(Shape::Subdivide(child(call)?, optional_size(call, Label::Min)?.unwrap_or(1)))
        }
        Complete => Ok(Shape::Complete(child(call)?, call.flag(Label::EachCell).unwrap_or(false))),
        _ => Err(unsupported(call)),
    }
}

/// Bricks in rows: the same number in each row, or one more or less from row to row, as the outline
/// demands.
fn bricks(call: &Call) -> Lowered<Shape> {
    // No board has more rows than this.
    let most = crate::board::MAX_VERTICES;
    let a = size(call, Label::Size)?.min(most);
    let b = optional_size(call, Label::Second)?.map(|b| b.min(most));
    let trim = call.flag(Label::Trim).unwrap_or(false);
    // Every other row has one brick less, and half a brick at both ends instead.
    let straight = |rows: usize, columns: usize| {
        let row = |y: usize| (columns.saturating_sub(y % 2), (y % 2) as i64);
        Shape::Bricks { rows: (0..rows).map(row).collect(), halves: !trim }
    };
    // Rows grow from the bottom to the middle by a brick each, and shrink again.
    let pointed = |side: usize, least: usize| {
        let more = |y: usize| y.min(2 * side.saturating_sub(1) - y);
        let row = |y: usize| (least + more(y), side as i64 - more(y) as i64);
        let rows = (0..(2 * side).saturating_sub(1)).map(row).collect();
        Shape::Bricks { rows, halves: false }
    };
    Ok(match call.constant(Label::Shape) {
        None | Some(Word::Square | Word::Rectangle) => straight(a, b.unwrap_or(a)),
        Some(Word::Limping) => straight(a, a + 1),
        Some(Word::Diamond) => pointed(a, 1),
        Some(Word::Prism) => pointed(a, b.unwrap_or(a)),
        Some(_) => return Err(unsupported(call)),
    })
}

/// The rows of holes of a `mancalaBoard`.
pub(super) fn mancala(call: &Call) -> Lowered<Shape> {
    if matches!(call.constant(Label::Store), Some(Word::Inner)) || call.has(Label::NumStores) {
        return Err(unsupported(call));
    }
    let stores = call.constant(Label::Store) != Some(Word::None);
    Ok(Shape::Mancala {
        rows: size(call, Label::Rows)?,
        columns: size(call, Label::Columns)?,
        stores,
    })
}

/// The plane that a `boardless` game is played on, a large board.
pub(super) fn boardless(call: &Call) -> Lowered<Shape> {
    let dim = |default: usize| Ok(optional_size(call, Label::Size)?.unwrap_or(default));
    Ok(match call.constant(Label::Shape) {
        Some(Word::Square) => {
            let (outline, dim) = (SquareOutline::Square, dim(41)?);
            Shape::Square { outline, dim, diagonals: Diagonals::None, pyramidal: false }
        }
        Some(Word::Hexagonal) => dim(21).map(|n| Shape::Hex(Outline::Hexagon, n, n))?,
        Some(Word::Triangular) => dim(41).map(|n| Shape::Tri(Outline::Triangle, n, n))?,
        _ => return Err(unsupported(call)),
    })
}

fn child(call: &Call) -> Lowered<Box<Shape>> {
    match call.call(Label::Graph) {
        Some(graph) => Ok(Box::new(shape(graph)?)),
        // `add` may stand without a graph.
        None => Ok(Box::new(Shape::Graph { vertices: Vec::new(), edges: Vec::new() })),
    }
}

fn children(call: &Call) -> Lowered<Vec<Shape>> {
    all(call, Label::Graphs).filter_map(Arg::as_call).map(shape).collect()
}

fn invalid(arg: &Arg, message: &str) -> Problem {
    Problem::Invalid(arg.place.error("wrong-number", message))
}

/// A whole number: a literal, or constant arithmetic.
pub(super) fn dim(arg: &Arg) -> Lowered<i64> {
    let value = match &arg.value {
        Value::Int(value) => i64::from(*value),
        Value::Call(call) => {
            let operands: Vec<i64> =
                call.args.iter().flat_map(Arg::items).map(dim).collect::<Lowered<_>>()?;
            let (a, b) =
                (operands.first().copied().unwrap_or(0), operands.get(1).copied().unwrap_or(0));
            let value = match call.name() {
                Name::OpAdd => operands.iter().try_fold(0i64, |s, &v| s.checked_add(v)),
                Name::OpMul => operands.iter().try_fold(1i64, |s, &v| s.checked_mul(v)),
                Name::OpSub => a.checked_sub(b),
                Name::OpDiv => a.checked_div(b),
                Name::OpMod => a.checked_rem(b),
                Name::OpPow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
                Name::Max => operands.iter().copied().max(),
                Name::Min => operands.iter().copied().min(),
                Name::Abs => a.checked_abs(),
                _ => return Err(unsupported(call)),
            };
            value.ok_or_else(|| invalid(arg, "this size cannot be computed"))?
        }
        _ => return Err(invalid(arg, "a whole number is wanted here")),
    };
    if value.abs() > MAX_DIM {
        return Err(Problem::TooLarge(format!("a size of {value} on the board")));
    }
    Ok(value)
}

fn size_of(arg: &Arg) -> Lowered<usize> {
    usize::try_from(dim(arg)?).map_err(|_| invalid(arg, "a size cannot be negative"))
}

fn size(call: &Call, label: Label) -> Lowered<usize> {
    size_of(need(call, label)?)
}

fn optional_size(call: &Call, label: Label) -> Lowered<Option<usize>> {
    call.arg(label).map(size_of).transpose()
}

/// A real number in 32-bit precision, as the language computes with them.
fn float(arg: &Arg) -> Lowered<f64> {
    fn value(arg: &Arg) -> Lowered<f32> {
        match &arg.value {
            Value::Float(value) => Ok(*value),
            Value::Int(value) => Ok(*value as f32),
            Value::Call(call) => {
                let operands: Vec<f32> =
                    call.args.iter().flat_map(Arg::items).map(value).collect::<Lowered<_>>()?;
                let a = operands.first().copied().unwrap_or(0.0);
                let b = operands.get(1).copied().unwrap_or(0.0);
                Ok(match call.name() {
                    Name::OpAdd => operands.iter().sum(),
                    Name::OpMul => operands.iter().product(),
                    Name::OpSub => a - b,
                    Name::OpDiv => a / b,
                    Name::OpPow => a.powf(b),
                    Name::Max => operands.iter().copied().fold(f32::MIN, f32::max),
                    Name::Min => operands.iter().copied().fold(f32::MAX, f32::min),
                    Name::Abs => a.abs(),
                    Name::Sqrt => a.sqrt(),
                    Name::Sin => a.sin(),
                    Name::Cos => a.cos(),
                    Name::Tan => a.tan(),
                    _ => return Err(unsupported(call)),
                })
            }
            _ => Err(invalid(arg, "a number is wanted here")),
        }
    }
    let value = value(arg)?;
    if value.is_finite() && value.abs() < 1e6 {
        Ok(f64::from(value))
    } else {
        Err(invalid(arg, "this number is too large for a board"))
    }
}

fn vector(call: &Call, labels: [Label; 3], default: [f64; 3]) -> Lowered<Point> {
    let mut v = default;
    for (value, label) in v.iter_mut().zip(labels) {
        if let Some(arg) = call.arg(label) {
            *value = float(arg)?;
        }
    }
    Ok(Point { x: v[0], y: v[1], z: v[2] })
}

fn point(arg: &Arg) -> Lowered<Point> {
    let items: Vec<f64> = arg.items().iter().map(float).collect::<Lowered<_>>()?;
    match items[..] {
        [x, y] => Ok(Point { x, y, z: 0.0 }),
        [x, y, z] => Ok(Point { x, y, z }),
        _ => Err(invalid(arg, "a position has two or three coordinates")),
    }
}

fn points(call: &Call, label: Label) -> Lowered<Vec<Point>> {
    call.items(label).iter().map(point).collect()
}

fn point_list(arg: &Arg) -> Lowered<Vec<Point>> {
    arg.items().iter().map(point).collect()
}

fn fixed<T: Copy, const N: usize>(arg: &Arg, list: &[T]) -> Lowered<[T; N]> {
    list.try_into().map_err(|_| invalid(arg, &format!("{N} items are wanted here")))
}

/// A literal index; negative ones lie outside every graph.
fn index(arg: &Arg) -> usize {
    arg.as_int().and_then(|i| usize::try_from(i).ok()).unwrap_or(usize::MAX)
}

fn indices(arg: &Arg) -> Vec<usize> {
    arg.items().iter().map(index).collect()
}

fn index_pairs(call: &Call, label: Label) -> Lowered<Vec<[usize; 2]>> {
    call.items(label).iter().map(|arg| fixed(arg, &indices(arg))).collect()
}

fn numbered_edges(call: &Call) -> Lowered<Vec<NumberedEdge>> {
    let pairs = index_pairs(call, Label::Edges)?;
    let places = call.items(Label::Edges).iter().map(|arg| arg.place.span.start);
    Ok(pairs
        .into_iter()
        .zip(places)
        .map(|(ends, written_at)| NumberedEdge { ends, written_at })
        .collect())
}

/// The problem of an edge of a graph that leads to none of its vertices.
pub(super) fn no_vertex(graph: &Call, written_at: u32, vertices: usize) -> Problem {
    let edges = graph.all().filter_map(|call| call.find(Label::Edges)).flat_map(Arg::items);
    let edge = edges.filter(|arg| arg.place.span.start == written_at).last();
    let place = edge.map_or(&graph.place, |edge| &edge.place);
    let vertices_of_graph = match vertices {
        0 => "this graph has no vertices".to_owned(),
        1 => "the only vertex of this graph is 0".to_owned(),
        _ => format!("the vertices of this graph are 0 to {}", vertices - 1),
    };
    let error = place.error("no-such-vertex", "an edge leads to a vertex that does not exist");
    Problem::Invalid(error.label(vertices_of_graph).help("list the vertex, or leave the edge out"))
}

/// True if the items of a slot are written with coordinates (`{{{0 1} ..} ..}`, or at one level
/// less for vertices) rather than with indices.
fn nested(call: &Call, label: Label, depth: usize) -> bool {
    let mut items = call.items(label);
    for _ in 0..depth {
        match items.first() {
            Some(first) if first.is_array() => items = first.items(),
            _ => return false,
        }
    }
    true
}

fn polygon(call: &Call) -> Lowered<Polygon> {
    let polygon = Polygon::new(points(call, Label::Points)?);
    Ok(match call.arg(Label::Rotns) {
        Some(arg) => polygon.rotations(dim(arg)?.clamp(-64, 64) as i32),
        None => polygon,
    })
}

fn diagonals(call: &Call) -> Lowered<Diagonals> {
    Ok(match call.constant(Label::Diagonals) {
        None | Some(Word::Implied) => Diagonals::None,
        Some(Word::Alternating) => Diagonals::Alternating,
        Some(Word::Solid) => Diagonals::Solid,
        Some(Word::SolidNoSplit) => Diagonals::SolidNoSplit,
        Some(Word::Concentric) => Diagonals::Concentric,
        Some(Word::Radiating) => Diagonals::Radiating,
        Some(_) => return Err(unsupported(call)),
    })
}

fn square(call: &Call) -> Lowered<Shape> {
    if let Some(arg) = call.arg(Label::Sides) {
        let diagonals = diagonals(call)?;
        return Ok(match arg.as_call() {
            Some(poly) => Shape::SquarePolygon(polygon(poly)?, diagonals),
            None => Shape::SquareSides(side_list(arg)?, diagonals),
        });
    }
    let outline = match call.constant(Label::Shape) {
        None | Some(Word::Square) => SquareOutline::Square,
        Some(Word::Limping) => SquareOutline::Limping,
        Some(Word::Diamond) => SquareOutline::Diamond,
        Some(_) => return Err(unsupported(call)),
    };
    Ok(Shape::Square {
        outline,
        dim: size(call, Label::Size)?,
        diagonals: diagonals(call)?,
        pyramidal: call.flag(Label::Pyramidal).unwrap_or(false),
    })
}

fn side_list(arg: &Arg) -> Lowered<Vec<i32>> {
    arg.items().iter().map(|side| Ok(dim(side)?.clamp(-4096, 4096) as i32)).collect()
}

/// Boards of hexagons or triangles, which are written alike.
fn six_sided(
    call: &Call,
    outlined: fn(Outline, usize, usize) -> Shape,
    sides: fn(Vec<i32>) -> Shape,
    inside: fn(Polygon) -> Shape,
    default: Outline,
) -> Lowered<Shape> {
    if let Some(arg) = call.arg(Label::Sides) {
        return Ok(match arg.as_call() {
            Some(poly) => inside(polygon(poly)?),
            None => sides(side_list(arg)?),
        });
    }
    let a = size(call, Label::Size)?;
    let b = optional_size(call, Label::Second)?;
    let outline = match call.constant(Label::Shape) {
        None if b.is_some() && default == Outline::Hexagon => {
            return Ok(sides([a, b.unwrap_or(a)].map(|n| n.min(4096) as i32).to_vec()));
        }
        None => default,
        Some(Word::Hexagon) => Outline::Hexagon,
        Some(Word::Triangle) => Outline::Triangle,
        Some(Word::Diamond) => Outline::Diamond,
        Some(Word::Prism) => Outline::Prism,
        Some(Word::Star) => Outline::Star,
        Some(Word::Limping) => Outline::Limping,
        Some(Word::Rectangle | Word::Square) => Outline::Rectangle,
        Some(_) => return Err(unsupported(call)),
    };
    Ok(outlined(outline, a, b.unwrap_or(a)))
}

fn concentric(call: &Call) -> Lowered<Shape> {
    let flag = |label: Label, default: bool| call.flag(label).unwrap_or(default);
    if call.has(Label::Counts) {
        let counts = call.items(Label::Counts).iter();
        return Ok(Shape::Concentric {
            counts: counts.map(|n| Ok(dim(n)? as i32)).collect::<Lowered<_>>()?,
            stagger: flag(Label::Stagger, false),
        });
    }
    let sides = match call.constant(Label::Shape) {
        Some(Word::Triangle) => 3,
        Some(Word::Square) => 4,
        Some(Word::Hexagon) => 6,
        Some(_) => return Err(unsupported(call)),
        None => size(call, Label::Sides)?,
    };
    Ok(Shape::Rings(Rings {
        sides,
        rings: optional_size(call, Label::Rings)?.unwrap_or(1),
        midpoints: flag(Label::Midpoints, true),
        join_midpoints: flag(Label::JoinMidpoints, true),
        join_corners: flag(Label::JoinCorners, false),
    }))
}

fn repeat(call: &Call) -> Lowered<Shape> {
    let steps = points(call, Label::Step)?;
    let arg = need(call, Label::Step)?;
    let [column_step, row_step] = fixed(arg, &steps)?;
    let polygons = call.items(Label::Polys).iter().filter_map(Arg::as_call).map(polygon);
    Ok(Shape::Repeat {
        rows: size(call, Label::Rows)?,
        columns: size(call, Label::Columns)?,
        column_step,
        row_step,
        polygons: polygons.collect::<Lowered<_>>()?,
    })
}

fn tiling(call: &Call) -> Lowered<Shape> {
    let tiling = match call.constant(Label::Tiling) {
        Some(Word::T3464) => Tiling::T3464,
        Some(Word::T33434) => Tiling::T33434,
        Some(Word::T3636) => Tiling::T3636,
        Some(Word::T488) => Tiling::T488,
        Some(Word::T31212) => Tiling::T31212,
        Some(Word::T4612) => Tiling::T4612,
        Some(Word::T33336) => Tiling::T33336,
        Some(Word::T33344) => Tiling::T33344,
        _ => return Err(unsupported(call)),
    };
    match call.arg(Label::Sides) {
        Some(arg) => match arg.as_call() {
            Some(poly) if tiling == Tiling::T33434 => {
                Ok(Shape::Keep(Box::new(Shape::Tiling(tiling, 5, None)), polygon(poly)?))
            }
            _ => Err(unsupported(call)),
        },
        None => {
            Ok(Shape::Tiling(tiling, size(call, Label::Size)?, optional_size(call, Label::Second)?))
        }
    }
}

fn add(call: &Call) -> Lowered<Shape> {
    let mut additions = Additions {
        vertices: points(call, Label::Vertices)?,
        connect: call.flag(Label::Connect).unwrap_or(false),
        ..Additions::default()
    };
    for arg in call.items(Label::EdgesCurved) {
        additions.curves.push(fixed(arg, &point_list(arg)?)?);
    }
    if nested(call, Label::Edges, 2) {
        for arg in call.items(Label::Edges) {
            additions.edges.push(fixed(arg, &point_list(arg)?)?);
        }
    } else {
        additions.edges_by_id = numbered_edges(call)?;
    }
    for arg in call.items(Label::Cells) {
        if nested(call, Label::Cells, 2) {
            additions.cells.push(point_list(arg)?);
        } else {
            additions.cells_by_id.push(indices(arg));
        }
    }
    Ok(Shape::Add(child(call)?, Box::new(additions)))
}

fn remove(call: &Call) -> Lowered<Shape> {
    let mut removals = Removals {
        trim_edges: call.flag(Label::TrimEdges).unwrap_or(true),
        inside: call.call(Label::Poly).map(polygon).transpose()?,
        ..Removals::default()
    };
    if nested(call, Label::Cells, 2) {
        for arg in call.items(Label::Cells) {
            removals.cells_at.push(point_list(arg)?);
        }
    } else {
        removals.cells = call.items(Label::Cells).iter().map(index).collect();
    }
    if nested(call, Label::Edges, 2) {
        for arg in call.items(Label::Edges) {
            removals.edges_at.push(fixed(arg, &point_list(arg)?)?);
        }
    } else {
        removals.edges = index_pairs(call, Label::Edges)?;
    }
    if nested(call, Label::Vertices, 1) {
        removals.vertices_at = points(call, Label::Vertices)?;
    } else {
        removals.vertices = call.items(Label::Vertices).iter().map(index).collect();
    }
    Ok(Shape::Remove(child(call)?, Box::new(removals)))
}
