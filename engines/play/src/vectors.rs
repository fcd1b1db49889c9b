//! Work compiled for the vector instructions that the processor has: the build is for the baseline
//! of its architecture.
#![expect(unsafe_code, reason = "calls code compiled for instructions that were detected")]

/// Work whose result is the same with any instructions. `run`, and all that it calls in loops, must
/// be `#[inline(always)]`: what stays a call of its own is compiled for the baseline.
pub(crate) trait Task {
    /// The result of the work.
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

/// Sets of instructions of x86-64, each with all before it, that code may be compiled for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Instructions {
    /// The instructions that every machine of the architecture has.
    Baseline,
    /// BMI1, BMI2, LZCNT and POPCNT.
    Bmi2,
    /// AVX2.
    Avx2,
    /// AVX-512: F, BW, DQ and VL.
    Avx512,
}

impl Instructions {
    /// The largest set that this machine has.
    pub fn detect() -> Instructions {
        #[cfg(target_arch = "x86_64")]
        {
            let bmi2 = is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let avx2 = bmi2 && is_x86_feature_detected!("avx2");
            let avx512 = avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            if avx512 {
                return Instructions::Avx512;
            }
            if avx2 {
                return Instructions::Avx2;
            }
            if bmi2 {
                return Instructions::Bmi2;
            }
        }
        Instructions::Baseline
    }
}

/// Instructions that tasks are compiled for, each value only where they were detected.
#[derive(Clone, Copy)]
enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The widest of this machine.
    fn best() -> Level {
        match Instructions::detect() {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => Level::Avx512,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => Level::Avx2,
            _ => Level::Portable,
        }
    }

    /// All of this machine, the plainest first.
    #[cfg(test)]
    fn available() -> &'static [Level] {
        match Level::best() {
            Level::Portable => &[Level::Portable],
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => &[Level::Portable, Level::Avx2],
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => &[Level::Portable, Level::Avx2, Level::Avx512],
        }
    }

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn by_avx512<T: Task>(task: T) -> T::Output {
            task.run()
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn by_avx2<T: Task>(task: T) -> T::Output {
            task.run()
        }
        match self {
            Level::Portable => task.run(),
            // SAFETY: all these features were detected.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { by_avx2(task) },
            // SAFETY: all these features were detected.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { by_avx512(task) },
        }
    }
}

/// Does a task with the widest vectors that there are.
pub(crate) fn run<T: Task>(task: T) -> T::Output {
    Level::best().run(task)
}

/// Does a task with all instructions that there are, the plainest first.
#[cfg(test)]
pub(crate) fn run_on_each<T: Task>(task: impl Fn() -> T) -> Vec<T::Output> {
    Level::available().iter().map(|level| level.run(task())).collect()
}
