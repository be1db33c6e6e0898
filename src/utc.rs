//! Times as text, in UTC.

use std::time::{Duration, UNIX_EPOCH};

/// A time to the second, such as `2026-11-23T08:30:00Z`. Later times than the year 9999 are its end.
pub(crate) fn seconds(ms: u64) -> String {
    let since = Duration::from_secs((ms / 1000).min(LAST));
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}

/// A day, such as `2026-11-23`.
pub(crate) fn day(ms: u64) -> String {
    seconds(ms).chars().take("2026-11-23".len()).collect()
}

/// A time to the minute, such as `2026-11-23 08:30Z`.
pub(crate) fn minutes(ms: u64) -> String {
    let text = seconds(ms).replace('T', " ");
    format!("{}Z", text.get(.."2026-11-23 08:30".len()).unwrap_or_default())
}

/// The last second that the library formats.
const LAST: u64 = 253_402_300_799;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_utc_and_end_with_the_year_9999() {
        assert_eq!(seconds(1_771_000_000_999), "2026-02-13T16:26:40Z");
        assert_eq!(day(1_771_000_000_999), "2026-02-13");
        assert_eq!(minutes(1_771_000_000_999), "2026-02-13 16:26Z");
        assert_eq!(minutes(951_825_599_000), "2000-02-29 11:59Z");
        assert_eq!((seconds(0).as_str(), seconds(u64::MAX).as_str()), ("1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"));
    }
}
