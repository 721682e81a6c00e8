package io.asynq.broker.redis;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Values as Redis keeps them.
 */
final class Text {

	private Text() {
	}

	static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	static String of(Object bytes) {
		return new String((byte[]) bytes, StandardCharsets.UTF_8);
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

	static String queue(String queue) {
		return "queue '" + queue + "'";
	}

}
