package io.asynq.broker.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lists queues in {@code asynq:queues} before they are used (asynq C14), again every ten
 * seconds: somebody may have deleted the queue meanwhile. Safe for concurrent use.
 */
final class PublishedQueues {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	/** Nano times by queue. */
	private final Map<String, Long> published;

	private final AtomicLong forgotten;

	PublishedQueues(ScriptRunner scripts, ScriptTime time) {
		this(scripts, time, new ConcurrentHashMap<>(), new AtomicLong());
	}

	private PublishedQueues(ScriptRunner scripts, ScriptTime time, Map<String, Long> published, AtomicLong forgotten) {
		this.scripts = scripts;
		this.time = time;
		this.published = published;
		this.forgotten = forgotten;
	}

	/**
	 * Returns the same over other connections: callers must not wait for each other's.
	 * @param others the connections
	 * @return what knows of the same queues
	 */
	PublishedQueues over(ScriptRunner others) {
		return new PublishedQueues(others, this.time, this.published, this.forgotten);
	}

	void publish(String queue) {
		long now = this.time.nanoTime();
		Long last = this.published.get(queue);
		if (last != null && now - last < INTERVAL.toNanos()) {
			return;
		}
		long before = this.forgotten.get();
		this.scripts.run("SADD", "queue '" + queue + "'",
				(template) -> template.opsForSet().add(Keys.QUEUES, Text.utf8(queue)));
		// Deleted meanwhile, it may not be listed any more
		this.published.compute(queue, (name, known) -> (this.forgotten.get() == before) ? now : known);
	}

	/**
	 * Has a queue listed again before it is next used.
	 * @param queue the queue
	 */
	void forget(String queue) {
		this.forgotten.incrementAndGet();
		this.published.remove(queue);
	}

}
