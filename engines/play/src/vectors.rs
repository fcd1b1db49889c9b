//! Work compiled for the vector instructions that the processor has: the build is for the baseline of its
//! architecture.
#![expect(unsafe_code, reason = "calls code compiled for instructions that were detected")]

/// Work whose result is the same with any instructions. `run`, and all that it calls in loops, must be
/// `#[inline(always)]`: what stays a call of its own is compiled for the baseline.
pub(crate) trait Task {
    /// What the work results in.
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

/// Does a task with the widest vectors that there are.
pub(crate) fn run<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn by_avx512<T: Task>(task: T) -> T::Output {
            task.run()
        }
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn by_avx2<T: Task>(task: T) -> T::Output {
            task.run()
        }
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        let avx512 = avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        if avx512 {
            // SAFETY: all these features were detected.
            return unsafe { by_avx512(task) };
        }
        if avx2 {
            // SAFETY: all these features were detected.
            return unsafe { by_avx2(task) };
        }
    }
    task.run()
}
