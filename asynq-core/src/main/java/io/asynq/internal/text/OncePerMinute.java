package io.asynq.internal.text;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets one line per subject and minute through; subjects come from outside, so only a
 * thousand are remembered, and while all of these are younger than a minute, others get
 * no line.
 */
public final class OncePerMinute {

	private static final int MOST_SUBJECTS = 1000;

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	private final LongSupplier nanoTime;

	/** When the last line about a subject was let through, oldest first. */
	private final Map<String, Long> told = new LinkedHashMap<>();

	public OncePerMinute(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	public synchronized boolean allows(String subject) {
		long now = this.nanoTime.getAsLong();
		this.told.values().removeIf((at) -> now - at >= MINUTE);
		if (this.told.size() >= MOST_SUBJECTS) {
			return false;
		}
		return this.told.putIfAbsent(subject, now) == null;
	}

}
