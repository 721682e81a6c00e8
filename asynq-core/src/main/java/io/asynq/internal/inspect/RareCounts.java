package io.asynq.internal.inspect;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

/** Counts very many parts of queues, such as groups, at most every thirty seconds. */
public final class RareCounts {

	/** Up to so many parts are counted with everything else in one call. */
	public static final int FEW = 1000;

	private static final Duration MAX_AGE = Duration.ofSeconds(30);

	private final ToLongFunction<String> counter;

	private final Map<String, Sum> sums = new ConcurrentHashMap<>();

	/** By queue: another may lie on another node. */
	private final Map<String, Lock> counting = new ConcurrentHashMap<>();

	RareCounts(ToLongFunction<String> counter) {
		this.counter = counter;
	}

	Sum sum(String queue, long now) {
		Sum known = this.sums.get(queue);
		if (known == null || now - known.atNanos() > MAX_AGE.toNanos()) {
			known = countOnce(queue, known, now);
		}
		// Another thread may have counted since
		return (known.atNanos() - now > 0) ? new Sum(known.tasks(), now) : known;
	}

	/** Who comes while another counts takes what that has counted. */
	private Sum countOnce(String queue, @Nullable Sum outdated, long now) {
		Lock counting = this.counting.computeIfAbsent(queue, (key) -> new ReentrantLock());
		counting.lock();
		try {
			Sum known = this.sums.get(queue);
			if (known == null || known == outdated) {
				known = new Sum(this.counter.applyAsLong(queue), now);
				this.sums.put(queue, known);
			}
			return known;
		}
		finally {
			counting.unlock();
		}
	}

	record Sum(long tasks, long atNanos) {
	}

}
