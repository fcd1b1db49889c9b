//! Control groups of Linux (cgroups(7)): what a process of a group starts belongs to it, whatever
//! session and environment it chooses, and the kernel counts the CPU time of all of them, those
//! that have ended included.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

/// The prefix of the names of our groups; the id of the harness's process and a number follow.
const PREFIX: &str = "ggpbench-";

/// A control group for one worker, below the group that this process is in.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    folder: PathBuf,
    version: Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    V1,
    V2,
}

impl ControlGroup {
    /// Makes a group, if the system has them and lets us.
    pub(crate) fn make() -> Option<ControlGroup> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}", std::process::id());
        [Version::V2, Version::V1].into_iter().find_map(|version| {
            let own = own_folder(version, &groups, &mounts)?;
            remove_left_behind(&own);
            let folder = own.join(&name);
            fs::create_dir(&folder).ok()?;
            let group = ControlGroup { folder, version };
            group.cpu_ns().is_some().then_some(group)
        })
    }

    /// Its folder in the file system.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// CPU time of all that were ever in it, in nanoseconds. What runs at this moment is counted up
    /// to the last tick of the scheduler, a few milliseconds ago at most.
    pub(super) fn cpu_ns(&self) -> Option<u64> {
        let read = |name: &str| fs::read_to_string(self.folder.join(name)).ok();
        match self.version {
            Version::V1 => read("cpuacct.usage")?.trim().parse().ok(),
            Version::V2 => {
                let text = read("cpu.stat")?;
                let word = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
                Some(word.trim().parse::<u64>().ok()?.saturating_mul(1000))
            }
        }
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        // One that is not empty yet is removed by a later run.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Moves this process into a group. Where that is refused, its CPU time is found by its processes.
pub(crate) fn join(folder: &Path) {
    let _ = fs::write(folder.join("cgroup.procs"), "0");
}

/// The folder of the group that this process is in, by the texts of `/proc/self/cgroup` and
/// `/proc/self/mountinfo` (proc(5)).
fn own_folder(version: Version, groups: &str, mounts: &str) -> Option<PathBuf> {
    let has_counter = |list: &str| list.split(',').any(|name| name == "cpuacct");
    let path = groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let is_it = match version {
            Version::V1 => has_counter(controllers),
            Version::V2 => number == "0" && controllers.is_empty(),
        };
        is_it.then_some(path)
    })?;
    mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut place = place.split(' ').skip(3);
        let (root, mount) = (place.next()?, place.next()?);
        let mut kind = kind.split(' ');
        let is_it = match (version, kind.next()?) {
            (Version::V1, "cgroup") => has_counter(kind.nth(1)?),
            (Version::V2, "cgroup2") => true,
            _ => false,
        };
        let below = Path::new(path).strip_prefix(root).ok()?;
        // A group outside of what this mount shows begins with "..".
        (is_it && !path.contains("..")).then(|| Path::new(mount).join(below))
    })
}

/// Removes what processes left behind that were killed, once.
fn remove_left_behind(own: &Path) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for entry in fs::read_dir(own).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else {
                continue;
            };
            let maker = rest.split('-').next().unwrap_or_default();
            if !Path::new("/proc").join(maker).exists() {
                let _ = fs::remove_dir(entry.path());
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
41 31 0:38 /docker/1 /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
";

    fn folder(version: Version, groups: &str) -> Option<String> {
        own_folder(version, groups, MOUNTS).map(|path| path.to_string_lossy().into_owned())
    }

    #[test]
    fn the_own_group_is_found_below_its_mount() {
        let groups = "4:memory:/m\n3:cpu,cpuacct:/user/a:b\n0::/docker/1/x\n";
        assert_eq!(
            folder(Version::V1, groups).as_deref(),
            Some("/sys/fs/cgroup/cpu,cpuacct/user/a:b")
        );
        assert_eq!(folder(Version::V2, groups).as_deref(), Some("/sys/fs/cgroup/unified/x"));
    }

    #[test]
    fn groups_out_of_sight_are_none() {
        for groups in ["", "4:memory:/m\n", "0::/../x\n", "0::/elsewhere\n"] {
            assert_eq!(folder(Version::V1, groups), None, "{groups}");
            assert_eq!(folder(Version::V2, groups), None, "{groups}");
        }
    }

    #[test]
    fn a_group_is_removed_with_its_owner() {
        let Some(group) = ControlGroup::make() else {
            eprintln!("skipped: no control group can be made here");
            return;
        };
        let folder = group.folder().to_owned();
        assert_eq!(group.cpu_ns(), Some(0));
        drop(group);
        assert!(!folder.exists());
    }
}
