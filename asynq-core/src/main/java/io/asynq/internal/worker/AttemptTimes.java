package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;

import io.asynq.TaskOptions;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * @param endNanos the deadline in nano time, so that it holds even if the clock is set
 */
public record AttemptTimes(long sequence, Instant startedAt, Instant deadline, long endNanos) {

	/** Longer than any task runs, and short enough for nano times. */
	private static final Duration LONGEST = Duration.ofDays(36_500);

	private static final Logger logger = OneLineLogger.of(AttemptTimes.class);

	/**
	 * No attempt lasts beyond the task's deadline (docs/compatibility.md, D04 and D05).
	 */
	public static AttemptTimes of(TaskMessage message, long sequence, Instant now) {
		long timeout = message.timeoutSeconds();
		long deadline = message.deadlineSeconds();
		if (timeout == 0 && deadline == 0) {
			TaskMdc.during(message,
					() -> logger.error(
							"Task {} ({}) in queue {} has neither a timeout nor a deadline: a timeout of {} is used",
							message.id(), message.type(), message.queue(), TaskOptions.DEFAULT_TIMEOUT));
			timeout = TaskOptions.DEFAULT_TIMEOUT.toSeconds();
		}
		Instant until = (timeout != 0) ? plus(now, timeout) : Instant.MAX;
		if (deadline != 0) {
			Instant latest = plus(Instant.EPOCH, deadline);
			until = latest.isBefore(until) ? latest : until;
		}
		return new AttemptTimes(sequence, now, until, System.nanoTime() + left(now, until).toNanos());
	}

	public Duration left(long nanoTime) {
		return Duration.ofNanos(this.endNanos - nanoTime);
	}

	private static Duration left(Instant now, Instant until) {
		Duration left = Duration.between(now, until);
		return (left.compareTo(LONGEST) > 0) ? LONGEST : left.isNegative() ? Duration.ZERO : left;
	}

	private static Instant plus(Instant begin, long seconds) {
		long furthest = Instant.MAX.getEpochSecond() - begin.getEpochSecond();
		return begin.plusSeconds(Math.max(-furthest, Math.min(seconds, furthest - 1)));
	}

}
