package io.asynq.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

import io.asynq.internal.text.GoDuration;
import org.jspecify.annotations.Nullable;

/** Times as Go's program prints them, in the zone of the clock. */
final class GoTimes {

	private final Clock clock;

	GoTimes(Clock clock) {
		this.clock = clock;
	}

	/** Such as {@code in 59m59s}. */
	String until(@Nullable Instant time) {
		Duration left = left(time);
		return left.isNegative() ? "right now" : "in " + rounded(left);
	}

	/** Such as {@code Sun Nov 22 02:29:25 UTC 2026 (in 59m59s)}. */
	String next(@Nullable Instant time) {
		if (time == null || time.getEpochSecond() == 0) {
			return "n/a";
		}
		Duration left = left(time);
		return left.isNegative() ? "now" : date(time) + " (in " + rounded(left) + ")";
	}

	/** Such as {@code Sun Nov 22 02:29:25 UTC 2026}, or nothing. */
	String date(@Nullable Instant time) {
		if (time == null || time.getEpochSecond() == 0) {
			return "";
		}
		return DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss zzz yyyy", Locale.ENGLISH).format(zoned(time));
	}

	/** Such as {@code In 30m35s}. */
	String fire(@Nullable Instant next) {
		if (next == null) {
			return "N/A";
		}
		Duration left = left(next);
		return left.isNegative() ? "Now" : "In " + rounded(left);
	}

	/** Such as {@code 7s ago}. */
	String ago(@Nullable Instant time) {
		return (time != null) ? rounded(left(time).negated()) + " ago" : "N/A";
	}

	/** Such as {@code 2026-11-22 01:29:25 +0000 UTC}. */
	String stamp(Instant time) {
		return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xx zzz", Locale.ENGLISH).format(zoned(time));
	}

	/** Such as {@code 2026-11-22}, in UTC. */
	static String day(Instant time) {
		return time.atZone(ZoneOffset.UTC).toLocalDate().toString();
	}

	/** Such as {@code 9.09%}. */
	static String errorRate(long processed, long failed) {
		return (processed == 0) ? "N/A" : String.format(Locale.ROOT, "%.2f%%", 100.0 * failed / processed);
	}

	/** An offset of zero would be called Z. */
	private ZonedDateTime zoned(Instant time) {
		ZoneId zone = this.clock.getZone();
		return time.atZone((zone instanceof ZoneOffset) ? ZoneId.ofOffset("UTC", (ZoneOffset) zone) : zone);
	}

	private Duration left(@Nullable Instant time) {
		return Duration.between(this.clock.instant(), (time != null) ? time : Instant.EPOCH);
	}

	/** Such as {@code 1m30s}. */
	static String rounded(Duration duration) {
		return GoDuration.format(Duration.ofSeconds(Math.round(duration.toMillis() / 1000.0)));
	}

}
