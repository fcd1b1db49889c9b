//! Pictures in pixels.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

/// The most pixels of a picture on either side.
const MAX_SIDE: u32 = 8192;

/// The fonts, which do not depend on the machine.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_source(fontdb::Source::Binary(Arc::new(notosans::REGULAR_TTF)));
    fonts.load_font_source(fontdb::Source::Binary(Arc::new(notosans::BOLD_TTF)));
    fonts.set_sans_serif_family("Noto Sans");
    fonts.set_monospace_family("Noto Sans");
    fonts.set_serif_family("Noto Sans");
    Arc::new(fonts)
});

/// A picture in pixels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pixels {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue and opacity of each pixel, row by row from the top.
    pub rgba: Vec<u8>,
}

/// Renders what [`svg`](crate::svg) drew in [`Theme::Light`](crate::Theme::Light) or
/// [`Theme::Dark`](crate::Theme::Dark), so many pixels wide. Fails with a reason.
pub fn pixels(svg: &str, width: u32) -> Result<Pixels, String> {
    let (width, height, pixmap) = rendered(svg, width)?;
    Ok(Pixels { width, height, rgba: pixmap.take_demultiplied() })
}

/// The same as a PNG.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, String> {
    rendered(svg, width)?.2.encode_png().map_err(|error| error.to_string())
}

fn rendered(svg: &str, width: u32) -> Result<(u32, u32, Pixmap), String> {
    let options = usvg::Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "Noto Sans".to_owned(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let width = width.clamp(1, MAX_SIDE);
    let scale = width as f32 / tree.size().width();
    let height = ((tree.size().height() * scale).ceil() as u32).clamp(1, MAX_SIDE);
    let mut pixmap = Pixmap::new(width, height).ok_or("the picture is too large")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok((width, height, pixmap))
}
