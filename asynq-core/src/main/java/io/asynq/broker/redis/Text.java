package io.asynq.broker.redis;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Converts values to and from the form in which Redis stores them.
 */
public final class Text {

	/** 0001-01-01T00:00:00Z. */
	private static final long EARLIEST = -62_135_596_800L;

	/** 9999-12-31T23:59:59Z. */
	private static final long LATEST = 253_402_300_799L;

	private Text() {
	}

	public static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	public static String of(Object bytes) {
		return new String((byte[]) bytes, StandardCharsets.UTF_8);
	}

	/**
	 * Converts seconds to an instant, limited to the years 1 to 9999: so are protocol
	 * buffers' timestamps, and adding to such a time cannot overflow.
	 * @param seconds seconds since the epoch
	 */
	public static Instant instant(long seconds) {
		return Instant.ofEpochSecond(Math.max(EARLIEST, Math.min(seconds, LATEST)));
	}

	/**
	 * Converts a score to an instant.
	 * @param score a sorted set's score as Redis writes it, infinities included
	 * @return the first whole second that is not before it
	 */
	public static Instant instant(String score) {
		// The cast cuts infinities to the range of long
		return instant((long) Math.ceil(Double.parseDouble(score.replace("inf", "Infinity"))));
	}

	public static long seconds(Instant instant) {
		return instant.getEpochSecond();
	}

	/** Returns nanoseconds since the epoch, the unit of {@code pending_since}. */
	public static long nanos(Instant instant) {
		return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
	}

	/**
	 * Converts the time in a script's answer.
	 * @param nanos nanoseconds since the epoch, as digits
	 */
	public static Instant ofNanos(Object nanos) {
		return Instant.ofEpochSecond(0, Long.parseLong(of(nanos)));
	}

	public static String task(String queue, String id) {
		return "task '" + id + "' in queue '" + queue + "'";
	}

	public static String queue(String queue) {
		return "queue '" + queue + "'";
	}

}
