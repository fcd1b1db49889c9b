//! What the measurements were taken on.

use std::fmt::Write as _;
use std::fs;

/// The revision that this binary was built from; `unknown` outside a repository.
pub const REVISION: &str = env!("GGPBENCH_REVISION");

/// The machine, the build and the settings as text, one fact a line: `machine.txt`.
/// `engines` are external ones with their versions.
pub fn describe(seed: u64, engines: &[(String, String)]) -> String {
    let mut out = String::new();
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(out, "{name}: {value}");
        }
    };
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu_field = |field: &str| {
        let line = cpuinfo.lines().find(|l| l.split(':').next().is_some_and(|k| k.trim() == field));
        line.and_then(|l| l.split_once(':')).map_or_else(String::new, |(_, v)| v.trim().to_owned())
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    line("cpu", cpu_field("model name"));
    line("cores available", cores.to_string());
    line("clock MHz", cpu_field("cpu MHz"));
    line("caches", caches());
    line("features", features(&cpu_field("flags")));
    line("governor", read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    line("memory", memory());
    line("kernel", format!("{} {}", std::env::consts::OS, read("/proc/sys/kernel/osrelease")));
    line("host", host());
    line("load average at start", read("/proc/loadavg"));
    line("ggpbench", env!("CARGO_PKG_VERSION").to_owned());
    line("git revision", REVISION.to_owned());
    line("compiler", env!("GGPBENCH_RUSTC").to_owned());
    line("build", env!("GGPBENCH_BUILD").to_owned());
    line("random generator", play::Rng::NAME.to_owned());
    line("seed", seed.to_string());
    for (engine, version) in engines {
        line(&format!("engine {engine}"), version.clone());
    }
    out
}

/// Name of this machine.
pub fn host() -> String {
    read("/proc/sys/kernel/hostname")
}

/// Whether this is a build without optimisation, whose figures mean nothing.
pub fn is_debug_build() -> bool {
    cfg!(debug_assertions)
}

/// Tasks that are running or want to, this one included, where the system tells.
pub fn running_tasks() -> Option<u32> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split_whitespace().nth(3)?.split('/').next()?.parse().ok()
}

fn read(path: &str) -> String {
    fs::read_to_string(path).map_or_else(|_| String::new(), |text| text.trim().to_owned())
}

fn caches() -> String {
    let mut all = Vec::new();
    for index in 0..8 {
        let at =
            |file: &str| read(&format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{file}"));
        let (level, kind, size) = (at("level"), at("type"), at("size"));
        if !level.is_empty() {
            let kind = match kind.as_str() {
                "Data" => "d",
                "Instruction" => "i",
                _ => "",
            };
            all.push(format!("L{level}{kind} {size}"));
        }
    }
    all.join(", ")
}

fn features(flags: &str) -> String {
    let wanted = ["popcnt", "bmi1", "bmi2", "avx2", "avx512f", "avx512bw", "avx512_vpopcntdq"];
    let have: Vec<&str> =
        wanted.into_iter().filter(|w| flags.split(' ').any(|f| f == *w)).collect();
    have.join(" ")
}

fn memory() -> String {
    let info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = info.lines().find_map(|l| l.strip_prefix("MemTotal:"));
    total.map_or_else(String::new, |t| t.trim().to_owned())
}
