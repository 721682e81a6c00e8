package io.asynq.reliability.soak;

import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** As many as are processed, or a fixed number a second. */
final class Feed implements Runnable {

	static final String QUEUE = "soak";

	static final String TYPE = "soak";

	private static final int BATCH = 500;

	private static final int BACKLOG = 20_000;

	private static final long SHORT_PAUSE_NANOS = 20_000_000;

	private static final long SECOND_NANOS = 1_000_000_000;

	private final AsynqClient client;

	private final AsynqInspector inspector;

	private final boolean full;

	private final TaskOptions options = TaskOptions.of((options) -> options.queue(QUEUE));

	private long acknowledged;

	private volatile boolean stopped;

	Feed(RedisConnectionFactory connections, boolean full) {
		Clock clock = Clock.systemUTC();
		RedisBroker broker = new RedisBroker(connections, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		this.client = AsynqClient.create(broker, ClientOptions.builder().clock(clock).build());
		this.inspector = AsynqInspector.create(broker, clock);
		this.full = full;
	}

	@Override
	public void run() {
		List<Task> batch = Collections.nCopies(this.full ? BATCH : 1, Task.of(TYPE, "{\"n\":1}"));
		while (!this.stopped) {
			boolean enough = feed(batch);
			LockSupport.parkNanos(!this.full ? SECOND_NANOS : enough ? SHORT_PAUSE_NANOS : 0);
		}
	}

	void stop() {
		this.stopped = true;
	}

	/**
	 * Returns how many tasks Redis has confirmed, once the thread that runs this has
	 * ended.
	 */
	long acknowledged() {
		return this.acknowledged;
	}

	Progress progress() {
		var queue = this.inspector.queueInfo(QUEUE);
		return new Progress(queue.processedTotal(), queue.failedTotal(), queue.size());
	}

	private boolean feed(List<Task> batch) {
		try {
			this.acknowledged += this.client.enqueueAll(batch, this.options)
				.stream()
				.filter((attempt) -> attempt.info() != null)
				.count();
			return this.inspector.queueInfo(QUEUE).size(TaskState.PENDING) > BACKLOG;
		}
		catch (AsynqException ex) {
			// Redis is slow on purpose
			return true;
		}
	}

	/** The progress of a queue. */
	record Progress(long processed, long failed, long left) {

	}

}
