package io.asynq.server;

import java.time.Duration;
import java.time.Instant;

import io.asynq.TaskOptions;
import io.asynq.broker.TaskMessage;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * When an attempt began, when it must end, and its place in the order of all attempts.
 *
 * @param sequence rises with every attempt of a server
 * @param startedAt since when
 * @param deadline until when, in whole seconds
 * @param endNanos the nano time at which the deadline comes, whatever is done to the
 * clock meanwhile
 */
record AttemptTimes(long sequence, Instant startedAt, Instant deadline, long endNanos) {

	/** Longer than anything runs, and less than what nano times can tell apart. */
	private static final Duration LONGEST = Duration.ofDays(36_500);

	private static final Logger logger = OneLineLogger.of(AttemptTimes.class);

	/**
	 * Works out the deadline (asynq D04–D06): every attempt has the full timeout.
	 * @param message the task
	 * @param sequence the attempt's place
	 * @param now the present
	 * @return the times
	 */
	static AttemptTimes of(TaskMessage message, long sequence, Instant now) {
		long timeout = message.timeoutSeconds();
		long deadline = message.deadlineSeconds();
		if (timeout == 0 && deadline == 0) {
			logger.error("Task {} (type '{}', queue '{}') has neither timeout nor deadline: it gets {}", message.id(),
					message.type(), message.queue(), TaskOptions.DEFAULT_TIMEOUT);
			timeout = TaskOptions.DEFAULT_TIMEOUT.toSeconds();
		}
		long end = (timeout != 0) ? saturatedAdd(now.getEpochSecond(), timeout) : Long.MAX_VALUE;
		if (deadline != 0) {
			end = Math.min(end, deadline);
		}
		long latest = Instant.MAX.getEpochSecond();
		Instant until = Instant.ofEpochSecond(Math.max(-latest, Math.min(end, latest)));
		return new AttemptTimes(sequence, now, until, System.nanoTime() + left(now, until).toNanos());
	}

	/**
	 * Returns how long the attempt may still go on.
	 * @param nanoTime the present
	 * @return the time, zero or less if it is over
	 */
	Duration left(long nanoTime) {
		return Duration.ofNanos(this.endNanos - nanoTime);
	}

	private static Duration left(Instant now, Instant until) {
		Duration left = Duration.between(now, until);
		return (left.compareTo(LONGEST) > 0) ? LONGEST : left.isNegative() ? Duration.ZERO : left;
	}

	private static long saturatedAdd(long a, long b) {
		long sum = a + b;
		return (((a ^ sum) & (b ^ sum)) < 0) ? Long.MAX_VALUE : sum;
	}

}
