//! Graph calls to [`Shape`]s: constant arithmetic, sizes checked, coordinates as 32-bit floats.

use crate::board::{
    Additions, Diagonals, Outline, Point, Polygon, Removals, Rings, Shape, SquareOutline, Tiling,
};
use crate::front::{Arg, Call, Value};
use crate::limits::MAX_DIM;

use super::{Lowered, Problem, missing, unsupported};

/// Lowers a call of kind `Graph`.
pub(super) fn shape(call: &Call) -> Lowered<Shape> {
    match call.name() {
        "square" => square(call),
        "rectangle" => {
            let rows = size(call, "rows")?;
            let columns = optional_size(call, "columns")?.unwrap_or(rows);
            Ok(Shape::Rectangle { rows, columns, diagonals: diagonals(call)? })
        }
        "hex" => six_sided(call, Shape::Hex, Shape::HexSides, Shape::HexPolygon, Outline::Hexagon),
        "tri" => six_sided(call, Shape::Tri, Shape::TriSides, Shape::TriPolygon, Outline::Triangle),
        "concentric" => concentric(call),
        "wedge" => {
            Ok(Shape::Wedge(size(call, "rows")?, optional_size(call, "columns")?.unwrap_or(3)))
        }
        "regular" => Ok(Shape::Regular { corners: size(call, "sides")?, star: call.has("shape") }),
        "spiral" => Ok(Shape::Spiral {
            turns: size(call, "turns")?,
            sites: size(call, "sites")?,
            clockwise: call.flag("clockwise").unwrap_or(true),
        }),
        "repeat" => repeat(call),
        "tiling" => tiling(call),
        "brick" => bricks(call),
        "celtic" => {
            let rows = size(call, "rows")?;
            Ok(Shape::Celtic(rows, optional_size(call, "columns")?.unwrap_or(rows)))
        }
        // How a board falls apart into thirds nobody says.
        "quadhex" if call.flag("thirds").unwrap_or(false) => Err(unsupported(call)),
        "quadhex" => Ok(Shape::Quadhex(size(call, "layers")?)),
        "graph" => Ok(Shape::Graph {
            vertices: points(call, "vertices")?,
            edges: index_pairs(call, "edges")?,
        }),
        "shift" => {
            let by = vector(call, ["dx", "dy", "dz"], [0.0; 3])?;
            Ok(Shape::Shift(by, child(call)?))
        }
        "rotate" => Ok(Shape::Rotate(float(required(call, "degrees")?)?, child(call)?)),
        "scale" => {
            let x = float(required(call, "sx")?)?;
            Ok(Shape::Scale(vector(call, ["sx", "sy", "sz"], [x, x, 1.0])?, child(call)?))
        }
        "skew" => Ok(Shape::Skew(float(required(call, "amount")?)?, child(call)?)),
        "merge" => Ok(Shape::Merge(children(call)?, call.flag("connect").unwrap_or(false))),
        "union" => Ok(Shape::Union(children(call)?, call.flag("connect").unwrap_or(false))),
        "intersect" => Ok(Shape::Intersect(children(call)?)),
        "add" => add(call),
        "remove" => remove(call),
        "keep" => Ok(Shape::Keep(child(call)?, polygon(required_call(call, "poly")?)?)),
        "clip" => Ok(Shape::Clip(child(call)?, polygon(required_call(call, "poly")?)?)),
        "hole" => Ok(Shape::Hole(child(call)?, polygon(required_call(call, "poly")?)?)),
        "renumber" => {
            let named: Vec<&str> = call
                .args
                .iter()
                .filter(|a| a.label == "types")
                .filter_map(Arg::as_constant)
                .collect();
            let which = ["Vertex", "Edge", "Cell"].map(|t| named.is_empty() || named.contains(&t));
            Ok(Shape::Renumber(child(call)?, which))
        }
        "splitCrossings" => Ok(Shape::SplitCrossings(child(call)?)),
        "dual" => Ok(Shape::Dual(child(call)?)),
        "trim" => Ok(Shape::Trim(child(call)?)),
        "layers" => Ok(Shape::Layers(size(call, "layers")?, child(call)?)),
        "makeFaces" => Ok(Shape::MakeFaces(child(call)?)),
        "recoordinate" => child(call).map(|c| *c),
        "subdivide" => Ok(Shape::Subdivide(child(call)?, optional_size(call, "min")?.unwrap_or(1))),
        "complete" => Ok(Shape::Complete(child(call)?, call.flag("eachCell").unwrap_or(false))),
        _ => Err(unsupported(call)),
    }
}

/// Bricks in rows: as many in each, or as many more or fewer as form the outline.
fn bricks(call: &Call) -> Lowered<Shape> {
    // No board has as many rows.
    let most = crate::board::MAX_VERTICES;
    let a = size(call, "size")?.min(most);
    let b = optional_size(call, "second")?.map(|b| b.min(most));
    let trim = call.flag("trim").unwrap_or(false);
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
    Ok(match call.constant("shape") {
        None | Some("Square" | "Rectangle") => straight(a, b.unwrap_or(a)),
        Some("Limping") => straight(a, a + 1),
        Some("Diamond") => pointed(a, 1),
        Some("Prism") => pointed(a, b.unwrap_or(a)),
        Some(_) => return Err(unsupported(call)),
    })
}

/// The rows of holes of a `mancalaBoard`.
pub(super) fn mancala(call: &Call) -> Lowered<Shape> {
    if matches!(call.constant("store"), Some("Inner")) || call.has("numStores") {
        return Err(unsupported(call));
    }
    let stores = call.constant("store") != Some("None");
    Ok(Shape::Mancala { rows: size(call, "rows")?, columns: size(call, "columns")?, stores })
}

/// The plane that a `boardless` game is played on, which is only large.
pub(super) fn boardless(call: &Call) -> Lowered<Shape> {
    let dim = |default: usize| Ok(optional_size(call, "size")?.unwrap_or(default));
    Ok(match call.constant("shape") {
        Some("Square") => {
            let (outline, dim) = (SquareOutline::Square, dim(41)?);
            Shape::Square { outline, dim, diagonals: Diagonals::None, pyramidal: false }
        }
        Some("Hexagonal") => dim(21).map(|n| Shape::Hex(Outline::Hexagon, n, n))?,
        Some("Triangular") => dim(41).map(|n| Shape::Tri(Outline::Triangle, n, n))?,
        _ => return Err(unsupported(call)),
    })
}

fn required<'c>(call: &'c Call, label: &str) -> Lowered<&'c Arg> {
    call.arg(label).ok_or_else(|| missing(call, label))
}

fn required_call<'c>(call: &'c Call, label: &str) -> Lowered<&'c Call> {
    call.call(label).ok_or_else(|| missing(call, label))
}

fn child(call: &Call) -> Lowered<Box<Shape>> {
    match call.call("graph") {
        Some(graph) => Ok(Box::new(shape(graph)?)),
        // `add` may stand alone.
        None => Ok(Box::new(Shape::Graph { vertices: Vec::new(), edges: Vec::new() })),
    }
}

fn children(call: &Call) -> Lowered<Vec<Shape>> {
    call.args
        .iter()
        .filter(|a| a.label == "graphs")
        .flat_map(Arg::items)
        .filter_map(Arg::as_call)
        .map(shape)
        .collect()
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
                "+" => operands.iter().try_fold(0i64, |s, &v| s.checked_add(v)),
                "*" => operands.iter().try_fold(1i64, |s, &v| s.checked_mul(v)),
                "-" => a.checked_sub(b),
                "/" => a.checked_div(b),
                "%" => a.checked_rem(b),
                "^" => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
                "max" => operands.iter().copied().max(),
                "min" => operands.iter().copied().min(),
                "abs" => a.checked_abs(),
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

fn size(call: &Call, label: &str) -> Lowered<usize> {
    size_of(required(call, label)?)
}

fn optional_size(call: &Call, label: &str) -> Lowered<Option<usize>> {
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
                    "+" => operands.iter().sum(),
                    "*" => operands.iter().product(),
                    "-" => a - b,
                    "/" => a / b,
                    "^" => a.powf(b),
                    "max" => operands.iter().copied().fold(f32::MIN, f32::max),
                    "min" => operands.iter().copied().fold(f32::MAX, f32::min),
                    "abs" => a.abs(),
                    "sqrt" => a.sqrt(),
                    "sin" => a.sin(),
                    "cos" => a.cos(),
                    "tan" => a.tan(),
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

fn vector(call: &Call, labels: [&str; 3], default: [f64; 3]) -> Lowered<Point> {
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

fn points(call: &Call, label: &str) -> Lowered<Vec<Point>> {
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

fn index_pairs(call: &Call, label: &str) -> Lowered<Vec<[usize; 2]>> {
    call.items(label).iter().map(|arg| fixed(arg, &indices(arg))).collect()
}

/// Whether the items of a slot are written with coordinates (`{{{0 1} ..} ..}`, or at one level
/// less for vertices) rather than with indices.
fn nested(call: &Call, label: &str, depth: usize) -> bool {
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
    let polygon = Polygon::new(points(call, "points")?);
    Ok(match call.arg("rotns") {
        Some(arg) => polygon.rotations(dim(arg)?.clamp(-64, 64) as i32),
        None => polygon,
    })
}

fn diagonals(call: &Call) -> Lowered<Diagonals> {
    Ok(match call.constant("diagonals") {
        None | Some("Implied") => Diagonals::None,
        Some("Alternating") => Diagonals::Alternating,
        Some("Solid") => Diagonals::Solid,
        Some("SolidNoSplit") => Diagonals::SolidNoSplit,
        Some("Concentric") => Diagonals::Concentric,
        Some("Radiating") => Diagonals::Radiating,
        Some(_) => return Err(unsupported(call)),
    })
}

fn square(call: &Call) -> Lowered<Shape> {
    if let Some(arg) = call.arg("sides") {
        let diagonals = diagonals(call)?;
        return Ok(match arg.as_call() {
            Some(poly) => Shape::SquarePolygon(polygon(poly)?, diagonals),
            None => Shape::SquareSides(side_list(arg)?, diagonals),
        });
    }
    let outline = match call.constant("shape") {
        None | Some("Square") => SquareOutline::Square,
        Some("Limping") => SquareOutline::Limping,
        Some("Diamond") => SquareOutline::Diamond,
        Some(_) => return Err(unsupported(call)),
    };
    Ok(Shape::Square {
        outline,
        dim: size(call, "size")?,
        diagonals: diagonals(call)?,
        pyramidal: call.flag("pyramidal").unwrap_or(false),
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
    if let Some(arg) = call.arg("sides") {
        return Ok(match arg.as_call() {
            Some(poly) => inside(polygon(poly)?),
            None => sides(side_list(arg)?),
        });
    }
    let a = size(call, "size")?;
    let b = optional_size(call, "second")?;
    let outline = match call.constant("shape") {
        None if b.is_some() && default == Outline::Hexagon => {
            return Ok(sides([a, b.unwrap_or(a)].map(|n| n.min(4096) as i32).to_vec()));
        }
        None => default,
        Some("Hexagon") => Outline::Hexagon,
        Some("Triangle") => Outline::Triangle,
        Some("Diamond") => Outline::Diamond,
        Some("Prism") => Outline::Prism,
        Some("Star") => Outline::Star,
        Some("Limping") => Outline::Limping,
        Some("Rectangle" | "Square") => Outline::Rectangle,
        Some(_) => return Err(unsupported(call)),
    };
    Ok(outlined(outline, a, b.unwrap_or(a)))
}

fn concentric(call: &Call) -> Lowered<Shape> {
    let flag = |label: &str, default: bool| call.flag(label).unwrap_or(default);
    if call.has("counts") {
        let counts = call.items("counts").iter();
        return Ok(Shape::Concentric {
            counts: counts.map(|n| Ok(dim(n)? as i32)).collect::<Lowered<_>>()?,
            stagger: flag("stagger", false),
        });
    }
    let sides = match call.constant("shape") {
        Some("Triangle") => 3,
        Some("Square") => 4,
        Some("Hexagon") => 6,
        Some(_) => return Err(unsupported(call)),
        None => size(call, "sides")?,
    };
    Ok(Shape::Rings(Rings {
        sides,
        rings: optional_size(call, "rings")?.unwrap_or(1),
        midpoints: flag("midpoints", true),
        join_midpoints: flag("joinMidpoints", true),
        join_corners: flag("joinCorners", false),
    }))
}

fn repeat(call: &Call) -> Lowered<Shape> {
    let steps = points(call, "step")?;
    let arg = required(call, "step")?;
    let [column_step, row_step] = fixed(arg, &steps)?;
    let polygons = call.items("polys").iter().filter_map(Arg::as_call).map(polygon);
    Ok(Shape::Repeat {
        rows: size(call, "rows")?,
        columns: size(call, "columns")?,
        column_step,
        row_step,
        polygons: polygons.collect::<Lowered<_>>()?,
    })
}

fn tiling(call: &Call) -> Lowered<Shape> {
    let tiling = match call.constant("tiling") {
        Some("T3464") => Tiling::T3464,
        Some("T33434") => Tiling::T33434,
        Some("T3636") => Tiling::T3636,
        Some("T488") => Tiling::T488,
        Some("T31212") => Tiling::T31212,
        Some("T4612") => Tiling::T4612,
        Some("T33336") => Tiling::T33336,
        Some("T33344") => Tiling::T33344,
        _ => return Err(unsupported(call)),
    };
    match call.arg("sides") {
        Some(arg) => match arg.as_call() {
            Some(poly) if tiling == Tiling::T33434 => {
                Ok(Shape::Keep(Box::new(Shape::Tiling(tiling, 5, None)), polygon(poly)?))
            }
            _ => Err(unsupported(call)),
        },
        None => Ok(Shape::Tiling(tiling, size(call, "size")?, optional_size(call, "second")?)),
    }
}

fn add(call: &Call) -> Lowered<Shape> {
    let mut additions = Additions {
        vertices: points(call, "vertices")?,
        connect: call.flag("connect").unwrap_or(false),
        ..Additions::default()
    };
    for arg in call.items("edgesCurved") {
        additions.curves.push(fixed(arg, &point_list(arg)?)?);
    }
    if nested(call, "edges", 2) {
        for arg in call.items("edges") {
            additions.edges.push(fixed(arg, &point_list(arg)?)?);
        }
    } else {
        additions.edges_by_id = index_pairs(call, "edges")?;
    }
    for arg in call.items("cells") {
        if nested(call, "cells", 2) {
            additions.cells.push(point_list(arg)?);
        } else {
            additions.cells_by_id.push(indices(arg));
        }
    }
    Ok(Shape::Add(child(call)?, Box::new(additions)))
}

fn remove(call: &Call) -> Lowered<Shape> {
    let mut removals = Removals {
        trim_edges: call.flag("trimEdges").unwrap_or(true),
        inside: call.call("poly").map(polygon).transpose()?,
        ..Removals::default()
    };
    if nested(call, "cells", 2) {
        for arg in call.items("cells") {
            removals.cells_at.push(point_list(arg)?);
        }
    } else {
        removals.cells = call.items("cells").iter().map(index).collect();
    }
    if nested(call, "edges", 2) {
        for arg in call.items("edges") {
            removals.edges_at.push(fixed(arg, &point_list(arg)?)?);
        }
    } else {
        removals.edges = index_pairs(call, "edges")?;
    }
    if nested(call, "vertices", 1) {
        removals.vertices_at = points(call, "vertices")?;
    } else {
        removals.vertices = call.items("vertices").iter().map(index).collect();
    }
    Ok(Shape::Remove(child(call)?, Box::new(removals)))
}
