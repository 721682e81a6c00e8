package io.asynq.server;

import java.time.Instant;

import io.asynq.TaskOptions;
import io.asynq.broker.TaskMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When an attempt began, when it must end, and its place in the order of all attempts.
 *
 * @param sequence rises with every attempt of a server
 * @param startedAt since when
 * @param deadline until when, in whole seconds
 */
record AttemptTimes(long sequence, Instant startedAt, Instant deadline) {

	private static final Logger logger = LoggerFactory.getLogger(AttemptTimes.class);

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
		return new AttemptTimes(sequence, now, Instant.ofEpochSecond(Math.max(-latest, Math.min(end, latest))));
	}

	private static long saturatedAdd(long a, long b) {
		long sum = a + b;
		return (((a ^ sum) & (b ^ sum)) < 0) ? Long.MAX_VALUE : sum;
	}

}
