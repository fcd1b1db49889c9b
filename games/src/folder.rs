use std::fs;
use std::io::Read;
use std::path::PathBuf;

use include_dir::Dir;

/// Longest file that is read. The largest rule files in circulation have a few megabytes.
const MAX_BYTES: u64 = 16 << 20;

/// A folder of a catalogue, embedded in the program or on disk. Files are read when asked for.
pub(crate) struct Folder {
    place: Place,
    shown: String,
}

enum Place {
    Embedded(&'static Dir<'static>),
    Disk(PathBuf),
}

/// The sort of thing that a folder holds under a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    File,
    Folder,
    /// A pipe, a device, or a link that leads nowhere.
    Other,
}

impl Folder {
    /// An embedded folder, and the path that messages show for it.
    pub(crate) fn embedded(dir: &'static Dir<'static>, shown: &str) -> Folder {
        Folder { place: Place::Embedded(dir), shown: shown.to_owned() }
    }

    /// A folder on disk.
    pub(crate) fn disk(path: PathBuf) -> Folder {
        let shown = path.display().to_string();
        Folder { place: Place::Disk(path), shown }
    }

    /// The path that messages show.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// The path that messages show for something in this folder.
    pub(crate) fn shown_child(&self, name: &str) -> String {
        format!("{}/{name}", self.shown.trim_end_matches('/'))
    }

    /// Names and kinds of what is in the folder, sorted by name, without hidden files.
    pub(crate) fn children(&self) -> Result<Vec<(String, Kind)>, String> {
        let mut children = Vec::new();
        match &self.place {
            Place::Embedded(dir) => {
                for entry in dir.entries() {
                    let name = entry.path().file_name().unwrap_or_default();
                    let kind = if entry.as_dir().is_some() { Kind::Folder } else { Kind::File };
                    children.push((name.to_string_lossy().into_owned(), kind));
                }
            }
            Place::Disk(path) => {
                for entry in fs::read_dir(path).map_err(|e| e.to_string())? {
                    let entry = entry.map_err(|e| e.to_string())?;
                    // Links count as what they lead to.
                    let kind = match fs::metadata(entry.path()) {
                        Ok(data) if data.is_dir() => Kind::Folder,
                        Ok(data) if data.is_file() => Kind::File,
                        _ => Kind::Other,
                    };
                    children.push((entry.file_name().to_string_lossy().into_owned(), kind));
                }
            }
        }
        children.retain(|(name, _)| !name.starts_with('.'));
        children.sort();
        Ok(children)
    }

    /// A folder in this folder.
    pub(crate) fn folder(&self, name: &str) -> Option<Folder> {
        let place = match &self.place {
            Place::Embedded(dir) => Place::Embedded(dir.get_dir(dir.path().join(name))?),
            Place::Disk(path) => Place::Disk(path.join(name)),
        };
        Some(Folder { place, shown: self.shown_child(name) })
    }

    /// The text of a file in this folder, or why there is none.
    pub(crate) fn read(&self, name: &str) -> Result<String, String> {
        let bytes = match &self.place {
            Place::Embedded(dir) => dir
                .get_file(dir.path().join(name))
                .map(|file| file.contents().to_vec())
                .ok_or_else(|| "there is no such file".to_owned())?,
            Place::Disk(path) => {
                let file = fs::File::open(path.join(name)).map_err(|e| e.to_string())?;
                let mut bytes = Vec::new();
                file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
                bytes
            }
        };
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("it is longer than {} MiB", MAX_BYTES >> 20));
        }
        String::from_utf8(bytes)
            .map(text::with_line_feeds)
            .map_err(|e| format!("byte {} is not UTF-8 text", e.utf8_error().valid_up_to()))
    }
}
