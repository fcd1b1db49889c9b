//! The part of a page that shows values: where they stand, and the lines of the axes.

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::cartesian::Cartesian2d;
use plotters_backend::text_anchor::HPos;

use super::axis::{Axis, Coordinate};
use super::page::{Area, Drawn, GRID, INK, REMARK, Type, WIDTH, dots, line, pixels, write};

const TICK: Type = Type { size: 11.5, ..REMARK };

/// A rectangle of the page with two axes.
pub(super) struct Frame<'p, 'b> {
    area: &'p Area<'b>,
    chart: ChartContext<'p, super::backend::Both<'b>, Cartesian2d<Coordinate, Coordinate>>,
    across: &'p Axis,
    up: &'p Axis,
    /// Left and right edge, pixels.
    pub(super) sides: (f64, f64),
    /// Upper and lower edge.
    pub(super) ends: (f64, f64),
}

impl<'p, 'b> Frame<'p, 'b> {
    /// Lays axes over a rectangle; between its sides and the ends of the horizontal axis stays room
    /// of `inset` pixels, so that marks there are whole.
    pub(super) fn new(
        area: &'p Area<'b>,
        (left, right): (f64, f64),
        (top, bottom): (f64, f64),
        inset: f64,
        across: &'p Axis,
        up: &'p Axis,
    ) -> Result<Self, plotters::drawing::DrawingAreaErrorKind<std::io::Error>> {
        let height = area.dim_in_pixel().1 as i32;
        let chart = ChartBuilder::on(area)
            .margin_left(dots(left + inset))
            .margin_right(dots(WIDTH - right + inset))
            .margin_top(dots(top))
            .margin_bottom(height - dots(bottom))
            .build_cartesian_2d(across.coordinate(), up.coordinate())?;
        Ok(Self { area, chart, across, up, sides: (left, right), ends: (top, bottom) })
    }

    /// The position of a point, in pixels of the page; at an edge if it lies outside.
    pub(super) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        pixels(self.chart.backend_coord(&(self.across.place(x), self.up.place(y))))
    }

    /// The position of a value on the horizontal axis.
    pub(super) fn x(&self, value: f64) -> f64 {
        self.at(value, f64::NAN).0
    }

    /// Vertical lines of the horizontal axis, and their names at these heights where there is room.
    pub(super) fn draw_across(&self, heights: &[f64]) -> Drawn {
        let mut free = 0.0;
        for (value, name) in self.across.ticks() {
            let x = self.x(value);
            line(self.area, (x, self.ends.0), (x, self.ends.1), 1.0, GRID)?;
            let half = TICK.width(&name) / 2.0;
            if x - half > free && x + half < WIDTH {
                for &height in heights {
                    write(self.area, (x, height), HPos::Center, TICK, &name)?;
                }
                free = x + half + 7.0;
            }
        }
        line(self.area, (self.sides.0, self.ends.1), (self.sides.1, self.ends.1), 1.5, INK)
    }

    /// Horizontal lines of the vertical axis, and their names before them where there is room.
    pub(super) fn draw_up(&self) -> Drawn {
        let mut free = f64::INFINITY;
        for (value, name) in self.up.ticks() {
            let y = self.at(f64::NAN, value).1;
            line(self.area, (self.sides.0, y), (self.sides.1, y), 1.0, GRID)?;
            if y + 7.0 < free {
                write(self.area, (self.sides.0 - 8.0, y), HPos::Right, TICK, &name)?;
                free = y - 7.0;
            }
        }
        line(self.area, (self.sides.0, self.ends.0), (self.sides.0, self.ends.1), 1.5, INK)
    }
}
