//! Whether work takes time in proportion to its input, measured as the CPU time of the thread. A quadratic scan allocates
//! nothing, so no count of allocations shows it.

use std::fs;
use std::time::Duration;

/// Sizes of the inputs, in bytes: each is sixteen times the one before, so that linear and quadratic work differ by more than
/// a busy machine adds.
const SMALLEST: usize = 4 * 1024;
const SIZES: [usize; 2] = [64 * 1024, 1024 * 1024];

/// Sixteen times the input may take 64 times as long. Linear work takes 16 times as long, quadratic work 256.
const FACTOR: u32 = 64;

/// Shorter times are counted as this one.
const SHORTEST: Duration = Duration::from_millis(3);

/// After work that takes as long, more input is not needed: its growth was measured.
const LONG: Duration = Duration::from_millis(500);

/// How often work that seems to grow too fast is measured. The shortest time counts.
const RUNS: usize = 3;

/// Measures work on inputs of growing sizes.
///
/// # Errors
/// The times between which it grew too fast.
pub(crate) fn grows_linearly(input: impl Fn(usize) -> Vec<u8>, work: impl Fn(&[u8])) -> Result<(), String> {
    let time = |size: usize| -> Result<Duration, String> {
        let bytes = input(size);
        let start = cpu_time()?;
        work(&bytes);
        Ok(cpu_time()?.saturating_sub(start))
    };
    // What the work takes without input.
    let least = time(0)?.min(time(0)?);
    let time = |size| time(size).map(|taken| taken.saturating_sub(least).max(SHORTEST));
    let mut before = time(SMALLEST)?;
    for size in SIZES {
        let mut now = time(size)?;
        for _ in 1..RUNS {
            if now > before * FACTOR {
                now = now.min(time(size)?);
            }
        }
        if now > before * FACTOR {
            return Err(format!("{size} bytes take {now:?}, a sixteenth of them {before:?}"));
        }
        if now > LONG {
            break;
        }
        before = now;
    }
    Ok(())
}

/// The CPU time of this thread, in nanoseconds, is the first number of the file. The kernel adds to it when the thread stops.
#[expect(clippy::disallowed_methods, reason = "the file is the clock of the thread")]
fn cpu_time() -> Result<Duration, String> {
    const CLOCK: &str = "/proc/thread-self/schedstat";
    std::thread::yield_now();
    let text = fs::read_to_string(CLOCK).map_err(|error| format!("{CLOCK}: {error}"))?;
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    Ok(Duration::from_nanos(nanoseconds.ok_or("no CPU time")?))
}
