package io.asynq.internal.redis;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

public final class Text {

	private static final long EARLIEST = -62_135_596_800L;

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
	 * Limited to years 1 to 9999, as timestamps in protobuf, so adding cannot overflow.
	 */
	public static Instant instant(long seconds) {
		return Instant.ofEpochSecond(Math.max(EARLIEST, Math.min(seconds, LATEST)));
	}

	/** Rounds up to whole seconds. */
	public static Instant instant(String score) {
		// The cast cuts infinities to the range of long
		return instant((long) Math.ceil(Double.parseDouble(score.replace("inf", "Infinity"))));
	}

	public static long seconds(Instant instant) {
		return instant.getEpochSecond();
	}

	/** The unit of {@code pending_since}. */
	public static long nanos(Instant instant) {
		return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
	}

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
