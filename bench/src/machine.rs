//! The description of the machine that measurements were taken on.

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

/// The revision that this binary was built from; `unknown` outside a repository.
pub const REVISION: &str = env!("GGPBENCH_REVISION");

/// The date, the machine, the build and the settings as text, one fact a line: `machine.txt`. It is
/// asked for when a run begins.
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
    line("date", format!("{} UTC", crate::clock::utc()));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    line("cpu", cpu_field("model name"));
    line("cores available", cores.to_string());
    line("clock MHz", cpu_field("cpu MHz"));
    line("caches", caches());
    line("features", features(&cpu_field("flags")));
    line("governor", read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    line("turbo", turbo());
    line("SMT", on_or_off(&read("/sys/devices/system/cpu/smt/active")));
    line("NUMA nodes", numa_nodes());
    line("virtualisation", virtualisation(&cpu_field("flags")));
    line("CPU quota", quota());
    line("memory", memory());
    line("kernel", format!("{} {}", std::env::consts::OS, read("/proc/sys/kernel/osrelease")));
    line("host", host());
    line("load average at start", read("/proc/loadavg"));
    line("ggpbench", env!("CARGO_PKG_VERSION").to_owned());
    line("git revision", REVISION.to_owned());
    line("working tree", env!("GGPBENCH_TREE").to_owned());
    line("compiler", env!("GGPBENCH_RUSTC").to_owned());
    let (profile, flags) = (env!("GGPBENCH_PROFILE"), env!("GGPBENCH_BUILD"));
    line("build", format!("{profile} opt-level={} {flags}", roster::OPT_LEVEL));
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

/// True if this is a build without optimisation, whose figures mean nothing.
pub fn is_debug_build() -> bool {
    cfg!(debug_assertions)
}

/// True if this process, and so its workers, may run on the core of this number.
pub fn has_core(core: usize) -> bool {
    #[cfg(target_os = "linux")]
    {
        let own = nix::sched::sched_getaffinity(nix::unistd::Pid::from_raw(0));
        own.is_ok_and(|cores| cores.is_set(core).unwrap_or(false))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = core;
        false
    }
}

/// Cores that were busy over this time, on average, where the system tells; this process sleeps
/// meanwhile.
pub fn busy_cores(time: Duration) -> Option<f64> {
    let before = busy_ticks()?;
    let start = Instant::now();
    std::thread::sleep(time);
    let ticks = busy_ticks()?.saturating_sub(before);
    // `/proc/stat` counts hundredths of seconds on every Linux that there is (proc(5), USER_HZ).
    Some(ticks as f64 / 100.0 / start.elapsed().as_secs_f64())
}

/// Time that all cores were not idle so far, those of other guests of the host included.
fn busy_ticks() -> Option<u64> {
    let text = fs::read_to_string("/proc/stat").ok()?;
    let ticks: Vec<u64> =
        text.lines().next()?.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    // user, nice, system, idle, iowait, irq, softirq, steal; guests are in user.
    Some(ticks.iter().take(8).sum::<u64>() - ticks.get(3)? - ticks.get(4)?)
}

fn read(path: &str) -> String {
    fs::read_to_string(path).map_or_else(|_| String::new(), |text| text.trim().to_owned())
}

fn on_or_off(flag: &str) -> String {
    match flag {
        "1" => "on".to_owned(),
        "0" => "off".to_owned(),
        other => other.to_owned(),
    }
}

/// Tells if the processor may run faster than its base frequency: `on` or `off`, if known.
fn turbo() -> String {
    let no_turbo = read("/sys/devices/system/cpu/intel_pstate/no_turbo");
    match no_turbo.as_str() {
        "0" => "on".to_owned(),
        "1" => "off".to_owned(),
        _ => on_or_off(&read("/sys/devices/system/cpu/cpufreq/boost")),
    }
}

fn numa_nodes() -> String {
    let nodes = fs::read_dir("/sys/devices/system/node").map_or(0, |entries| {
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let number =
            |name: &String| name.strip_prefix("node").is_some_and(|n| n.parse::<u32>().is_ok());
        names.filter(number).count()
    });
    if nodes == 0 { String::new() } else { nodes.to_string() }
}

/// The layers between us and the processor, as far as they show.
fn virtualisation(flags: &str) -> String {
    let mut found = Vec::new();
    if flags.split(' ').any(|flag| flag == "hypervisor") {
        found.push("virtual machine".to_owned());
        found.extend(Some(read("/sys/class/dmi/id/sys_vendor")).filter(|name| !name.is_empty()));
        found.extend(Some(read("/sys/hypervisor/type")).filter(|name| !name.is_empty()));
    }
    if ["/.dockerenv", "/run/.containerenv"].iter().any(|file| fs::exists(file).unwrap_or(false)) {
        found.push("container".to_owned());
    }
    if found.is_empty() { "none seen".to_owned() } else { found.join(", ") }
}

/// The share of the cores that the control group of this process may use; nothing if there is no
/// limit.
fn quota() -> String {
    let of_group = fs::read_to_string("/proc/self/cgroup").ok().and_then(|text| {
        let path = text.lines().find_map(|line| line.strip_prefix("0::"))?.trim().to_owned();
        Some(read(&format!("/sys/fs/cgroup{path}/cpu.max")))
    });
    let second = of_group.filter(|text| !text.is_empty());
    let text = second.unwrap_or_else(|| read("/sys/fs/cgroup/cpu.max"));
    let mut words = text.split_whitespace().map(str::parse::<f64>);
    if let (Some(Ok(quota)), Some(Ok(period))) = (words.next(), words.next()) {
        return format!("{:.2} cores", quota / period);
    }
    // The first version of control groups has a file for each.
    let old = |file: &str| read(&format!("/sys/fs/cgroup/cpu/{file}")).parse::<f64>();
    match (old("cpu.cfs_quota_us"), old("cpu.cfs_period_us")) {
        (Ok(quota), Ok(period)) if quota > 0.0 => format!("{:.2} cores", quota / period),
        _ => "none".to_owned(),
    }
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
