package io.asynq.broker.redis.queue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.asynq.broker.redis.ScriptRunner;
import io.asynq.info.GroupInfo;
import org.jspecify.annotations.Nullable;

/**
 * Counts the grouped tasks of queues with very many groups, at most every thirty seconds.
 */
public final class GroupSizes {

	/** Up to so many groups are counted with everything else in one call. */
	public static final int FEW = 1000;

	private static final Duration MAX_AGE = Duration.ofSeconds(30);

	private final ScriptRunner scripts;

	private final Map<String, Sum> sums = new ConcurrentHashMap<>();

	/** By queue: another may lie on another node. */
	private final Map<String, Lock> counting = new ConcurrentHashMap<>();

	GroupSizes(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	/**
	 * Counts the tasks in all groups of a queue, or returns the last count.
	 * @param now the present, in nano time
	 * @return the number, and when it was counted
	 */
	Sum sum(String queue, long now) {
		Sum known = this.sums.get(queue);
		if (known == null || now - known.atNanos() > MAX_AGE.toNanos()) {
			known = countOnce(queue, known, now);
		}
		// Another thread may have counted since
		return (known.atNanos() - now > 0) ? new Sum(known.tasks(), now) : known;
	}

	/** Lists the groups of a queue. */
	public List<GroupInfo> list(String queue) {
		Map<String, GroupInfo> groups = new TreeMap<>();
		new GroupWalk(this.scripts, queue).tell(GroupWalk.Which.ALL,
				(name, tasks) -> groups.put(name, new GroupInfo(name, tasks)));
		return List.copyOf(groups.values());
	}

	/** Who comes while another counts takes what that has counted. */
	private Sum countOnce(String queue, @Nullable Sum outdated, long now) {
		Lock counting = this.counting.computeIfAbsent(queue, (key) -> new ReentrantLock());
		counting.lock();
		try {
			Sum known = this.sums.get(queue);
			if (known == null || known == outdated) {
				known = new Sum(new GroupWalk(this.scripts, queue).tell(GroupWalk.Which.NONE, (name, tasks) -> {
				}), now);
				this.sums.put(queue, known);
			}
			return known;
		}
		finally {
			counting.unlock();
		}
	}

	/**
	 * A count.
	 *
	 * @param atNanos when, in nano time
	 */
	record Sum(long tasks, long atNanos) {
	}

}
