package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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

	private final Clock clock;

	private final Map<String, Instant> published;

	private final AtomicLong forgotten;

	PublishedQueues(ScriptRunner scripts, Clock clock) {
		this(scripts, clock, new ConcurrentHashMap<>(), new AtomicLong());
	}

	private PublishedQueues(ScriptRunner scripts, Clock clock, Map<String, Instant> published, AtomicLong forgotten) {
		this.scripts = scripts;
		this.clock = clock;
		this.published = published;
		this.forgotten = forgotten;
	}

	/**
	 * Returns the same over other connections: callers must not wait for each other's.
	 * @param others the connections
	 * @return what knows of the same queues
	 */
	PublishedQueues over(ScriptRunner others) {
		return new PublishedQueues(others, this.clock, this.published, this.forgotten);
	}

	void publish(String queue) {
		Instant now = this.clock.instant();
		Instant last = this.published.get(queue);
		if (last != null && now.isBefore(last.plus(INTERVAL)) && !now.isBefore(last)) {
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
