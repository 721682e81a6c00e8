package io.asynq.broker.redis;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Values as Redis keeps them.
 */
final class Text {

	/** 0001-01-01T00:00:00Z. */
	private static final long EARLIEST = -62_135_596_800L;

	/** 9999-12-31T23:59:59Z. */
	private static final long LATEST = 253_402_300_799L;

	private Text() {
	}

	static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	static String of(Object bytes) {
		return new String((byte[]) bytes, StandardCharsets.UTF_8);
	}

	/**
	 * Returns the time that a number of seconds stands for. What lies outside of the
	 * years 1 to 9999 becomes the first or last moment of these: protocol buffers' times
	 * end there as well, and nothing that adds to such a time can overflow.
	 * @param seconds seconds since the epoch
	 * @return the time
	 */
	static Instant instant(long seconds) {
		return Instant.ofEpochSecond(Math.max(EARLIEST, Math.min(seconds, LATEST)));
	}

	/**
	 * Returns the time that a score stands for.
	 * @param score a sorted set's score as Redis writes it, infinities included
	 * @return the first whole second that is not before it
	 */
	static Instant instant(String score) {
		// The cast cuts infinities to the range of long
		return instant((long) Math.ceil(Double.parseDouble(score.replace("inf", "Infinity"))));
	}

	static long seconds(Instant instant) {
		return instant.getEpochSecond();
	}

	/**
	 * Returns nanoseconds since the epoch, the unit of {@code pending_since}.
	 * @param instant the instant
	 * @return nanoseconds
	 */
	static long nanos(Instant instant) {
		return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
	}

	/**
	 * Returns the time that scripts answer with.
	 * @param nanos nanoseconds since the epoch, as digits
	 * @return the time
	 */
	static Instant ofNanos(Object nanos) {
		return Instant.ofEpochSecond(0, Long.parseLong(of(nanos)));
	}

	static String queue(String queue) {
		return "queue '" + queue + "'";
	}

}
