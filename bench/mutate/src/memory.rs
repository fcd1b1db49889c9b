//! An allocator that counts bytes, and that can put each allocation between pages that nobody may
//! touch, so that machine code that goes beyond an array ends the process.
#![expect(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

const PAGE: usize = 4096;
/// Addresses for guarded allocations. None is used twice while another one is live.
pub(crate) const REGION: usize = 32 << 30;

/// Bytes that are allocated, and the most that were since the last [`reset`].
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static GUARDED: AtomicBool = AtomicBool::new(false);
/// The start of the region, the bytes of it in use, and the number of allocations there are in it.
static BASE: AtomicUsize = AtomicUsize::new(0);
static USED: AtomicUsize = AtomicUsize::new(PAGE);
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Bytes that are allocated now.
pub(crate) fn live() -> usize {
    LIVE.load(Relaxed)
}

/// The most bytes that were allocated at a time since the last [`reset`].
pub(crate) fn peak() -> usize {
    PEAK.load(Relaxed)
}

/// Forgets what was the most.
pub(crate) fn reset() {
    PEAK.store(live(), Relaxed);
}

/// Does something with all its allocations guarded.
pub(crate) fn guarded<T>(act: impl FnOnce() -> T) -> T {
    struct Off;
    impl Drop for Off {
        fn drop(&mut self) {
            GUARDED.store(false, Relaxed);
        }
    }
    if COUNT.load(Relaxed) == 0 {
        USED.store(PAGE, Relaxed);
    }
    GUARDED.store(true, Relaxed);
    let _off = Off;
    act()
}

/// The allocator of this program.
pub(crate) struct Memory;

// SAFETY: what the system's allocator does, or pages of their own for each allocation: as many
// bytes as are asked for, aligned, and nobody else's until they are given back.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let mut pointer = null_mut();
        if GUARDED.load(Relaxed) {
            pointer = guarded_pages(layout);
        }
        if pointer.is_null() {
            // SAFETY: the caller's promise.
            pointer = unsafe { System.alloc(layout) };
        }
        if !pointer.is_null() {
            let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
            PEAK.fetch_max(live, Relaxed);
        }
        pointer
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        let base = BASE.load(Relaxed);
        if base == 0 || !(base..base + REGION).contains(&pointer.addr()) {
            // SAFETY: it came from there, by the caller's promise.
            unsafe { System.dealloc(pointer, layout) };
            return;
        }
        let first = pointer.addr() / PAGE * PAGE;
        let pages = (pointer.addr() + layout.size()).next_multiple_of(PAGE) - first;
        // SAFETY: these pages hold this allocation alone. Whoever uses them from now on is stopped.
        unsafe {
            let first = pointer.sub(pointer.addr() - first).cast();
            libc::madvise(first, pages, libc::MADV_DONTNEED);
            libc::mprotect(first, pages, libc::PROT_NONE);
        }
        COUNT.fetch_sub(1, Relaxed);
    }
}

/// Pages of their own, with one before and one behind that nobody may touch; the allocation ends
/// where the last page does, as near as its alignment lets it. Null where there are none.
fn guarded_pages(layout: Layout) -> *mut u8 {
    if layout.align() > PAGE || layout.size() > REGION / 4 {
        return null_mut();
    }
    if BASE.load(Relaxed) == 0 {
        // SAFETY: new addresses, which nobody uses.
        let region = unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            libc::mmap(null_mut(), REGION, libc::PROT_NONE, flags, -1, 0)
        };
        if region == libc::MAP_FAILED {
            return null_mut();
        }
        // Two threads may be here at a time: the region of the second one is given back.
        if BASE.compare_exchange(0, region.expose_provenance(), Relaxed, Relaxed).is_err() {
            // SAFETY: these addresses are this call's alone.
            unsafe { libc::munmap(region, REGION) };
        }
    }
    let pages = layout.size().next_multiple_of(PAGE);
    let start = USED.fetch_add(pages + PAGE, Relaxed);
    if start + pages + PAGE > REGION {
        return null_mut();
    }
    let first = BASE.load(Relaxed) + start;
    let pointer = std::ptr::with_exposed_provenance_mut::<u8>(first);
    // SAFETY: these pages are in the region, and nobody has them.
    let opened =
        unsafe { libc::mprotect(pointer.cast(), pages, libc::PROT_READ | libc::PROT_WRITE) == 0 };
    if !opened {
        return null_mut();
    }
    COUNT.fetch_add(1, Relaxed);
    // SAFETY: within the pages.
    unsafe { pointer.add((pages - layout.size()) / layout.align() * layout.align()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other tests allocate at the same time, in the same region.
    #[test]
    fn bytes_are_counted_and_guarded_arrays_end_where_their_pages_do() {
        let array = guarded(|| vec![7u32; 1000]);
        let end = array.as_ptr_range().end.addr();
        assert_eq!(end % PAGE, 0);
        assert_eq!(array.iter().sum::<u32>(), 7000);
        drop(array);
        reset();
        let before = live();
        let array = vec![1u8; 1 << 22];
        assert!(peak() >= before + array.len());
    }
}
