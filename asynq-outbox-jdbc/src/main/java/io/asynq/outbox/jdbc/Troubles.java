package io.asynq.outbox.jdbc;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * One line in the log when something begins to fail, and one when it works again.
 */
final class Troubles {

	private static final Logger logger = OneLineLogger.of(Troubles.class);

	private static final long FIRST_PAUSE_MILLIS = 100;

	private static final long LONGEST_PAUSE_MILLIS = 5_000;

	private final LongSupplier nanoTime;

	private final Map<String, Trouble> present = new ConcurrentHashMap<>();

	Troubles(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * @param kind of several troubles of the same kind only the first is logged
	 * @param error what may be shown of the error
	 */
	synchronized void begin(String subject, String kind, String error) {
		Trouble before = this.present.get(subject);
		BackOffExecution pauses = (before != null) ? before.pauses() : backOff();
		if (before == null && this.present.values().stream().noneMatch((other) -> other.kind().equals(kind))) {
			logger.warn("The outbox's relay pauses, {}: {}; it goes on trying", subject, error);
		}
		long until = this.nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff());
		this.present.put(subject, new Trouble(kind, error, pauses, until));
	}

	synchronized void end(String subject) {
		Trouble before = this.present.remove(subject);
		if (before != null && this.present.values().stream().noneMatch((other) -> other.kind().equals(before.kind()))) {
			logger.info("The outbox's relay works again, {}", subject);
		}
	}

	/** Others have done what failed and is not retained. */
	void retain(Collection<String> subjects) {
		this.present.keySet().retainAll(subjects);
	}

	/** What must not be tried yet. */
	Set<String> resting() {
		long now = this.nanoTime.getAsLong();
		return this.present.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().untilNanos() - now > 0)
			.map(Map.Entry::getKey)
			.collect(Collectors.toSet());
	}

	/** How long something must not be tried yet. */
	Duration pause(String subject) {
		Trouble trouble = this.present.get(subject);
		return Duration.ofNanos((trouble != null) ? Math.max(1, trouble.untilNanos() - this.nanoTime.getAsLong()) : 1);
	}

	/** By what they are about. */
	Map<String, String> errors() {
		Map<String, String> errors = new TreeMap<>();
		this.present.forEach((subject, trouble) -> errors.put(subject, trouble.error()));
		return errors;
	}

	private static BackOffExecution backOff() {
		ExponentialBackOff backOff = new ExponentialBackOff(FIRST_PAUSE_MILLIS, 2);
		backOff.setMaxInterval(LONGEST_PAUSE_MILLIS);
		backOff.setJitter(FIRST_PAUSE_MILLIS / 2);
		return backOff.start();
	}

	private record Trouble(String kind, String error, BackOffExecution pauses, long untilNanos) {
	}

}
