package io.asynq.internal.enqueue;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * On a cluster callers share calls by queue, so that a node that hangs holds up its own
 * queues only.
 */
final class Lines {

	/** While Redis works for the one, the answers of the other are given out. */
	private static final int CALLS_AT_ONCE = 2;

	/** A call takes a thousandth of that, unless Redis or this process stands still. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	/** Those that connect every thread to the same Redis as the same user. */
	private static final Set<String> FACTORIES = Set.of(
			"org.springframework.data.redis.connection.jedis.JedisConnectionFactory",
			"org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory");

	private final StoreCalls calls;

	private final boolean sameForAll;

	/** Its threads end when there has been nothing to do for a while. */
	private final ExecutorService senders;

	private final SharedCalls common;

	private final Map<String, SharedCalls> byQueue = new ConcurrentHashMap<>();

	Lines(StoreCalls calls, RedisConnectionFactory connections) {
		this.calls = calls;
		this.sameForAll = FACTORIES.contains(connections.getClass().getName());
		AtomicInteger count = new AtomicInteger();
		this.senders = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(),
				(work) -> {
					// Of what the present caller's thread inherits, others must see
					// nothing
					Thread thread = new Thread(null, work, "asynq-enqueue-" + count.incrementAndGet(), 0, false);
					thread.setDaemon(true);
					return thread;
				});
		this.common = line();
	}

	/** Calls are not shared if the factory may choose by the thread. */
	boolean areOpen() {
		return this.sameForAll;
	}

	SharedCalls of(String queue) {
		return this.calls.maySpanQueues() ? this.common : this.byQueue.computeIfAbsent(queue, (name) -> line());
	}

	void close() {
		this.senders.shutdown();
	}

	private SharedCalls line() {
		return new SharedCalls(this.calls, CALLS_AT_ONCE, this.senders, PATIENCE);
	}

}
