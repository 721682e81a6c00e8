package io.asynq.internal.worker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.asynq.internal.redis.TaskMessage;

/**
 * Tasks that are postponed again and again must not come back all at once, since Redis
 * would do nothing else: of each type in each queue, ten per second come back to this
 * server.
 */
final class PostponePace {

	private static final Duration SHORT = Duration.ofSeconds(5);

	private static final long STEP = Duration.ofMillis(100).toNanos();

	/** How many come back when they are to, after a pause. */
	private static final int FREE = 32;

	private static final int MOST_TYPES = 1000;

	private final LongSupplier nanoTime;

	private final Map<Type, Long> next = new ConcurrentHashMap<>();

	PostponePace(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	Duration stretched(TaskMessage task, Duration asked) {
		if (asked.compareTo(SHORT) > 0) {
			return asked;
		}
		long now = this.nanoTime.getAsLong();
		if (this.next.size() >= MOST_TYPES) {
			this.next.values().removeIf((moment) -> moment - now < 0);
		}
		long moment = this.next.merge(new Type(task.queue(), task.type()), now - FREE * STEP,
				(last, fresh) -> Math.max(last - fresh, 0) + fresh + STEP);
		Duration wait = Duration.ofNanos(Math.max(0, moment - now));
		return (wait.compareTo(asked) > 0) ? wait : asked;
	}

	private record Type(String queue, String name) {
	}

}
