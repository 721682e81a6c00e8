package io.asynq.broker.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.asynq.broker.GroupInfo;
import org.jspecify.annotations.Nullable;

/**
 * Counts the tasks of queues with very many groups: a slice of the groups per call, so
 * that Redis is never blocked for long, and at most every thirty seconds.
 */
final class GroupSizes {

	/** Up to so many groups are counted with everything else in one call. */
	static final int FEW = 1000;

	private static final int SLICE = 500;

	private static final Duration MAX_AGE = Duration.ofSeconds(30);

	private final ScriptRunner scripts;

	private final Map<String, Sum> sums = new ConcurrentHashMap<>();

	/** By queue: another may lie on another node. */
	private final Map<String, Lock> counting = new ConcurrentHashMap<>();

	GroupSizes(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	/**
	 * Counts the tasks in all groups of a queue, or remembers what it has counted.
	 * @param queue the queue
	 * @param now the present, in nano time
	 * @return their number, and when it was counted
	 */
	Sum sum(String queue, long now) {
		Sum known = this.sums.get(queue);
		if (known == null || now - known.atNanos() > MAX_AGE.toNanos()) {
			known = countOnce(queue, known, now);
		}
		// Another may have counted since
		return (known.atNanos() - now > 0) ? new Sum(known.tasks(), now) : known;
	}

	/**
	 * Lists the groups of a queue.
	 * @param queue the queue
	 * @return the groups by name
	 */
	List<GroupInfo> list(String queue) {
		Keys keys = Keys.of(queue);
		Map<String, GroupInfo> groups = new TreeMap<>();
		String cursor = "0";
		do {
			List<Object> answer = this.scripts.runList(LuaScript.READ_GROUPS, Text.queue(queue), List.of(keys.groups()),
					cursor, keys.groupPrefix(), SLICE);
			cursor = Text.of(answer.get(0));
			// A name may come twice
			for (int i = 1; i < answer.size(); i += 2) {
				String name = Text.of(answer.get(i));
				groups.put(name, new GroupInfo(name, (Long) answer.get(i + 1)));
			}
		}
		while (!cursor.equals("0"));
		return List.copyOf(groups.values());
	}

	/**
	 * Who comes while another counts takes what that has counted.
	 */
	private Sum countOnce(String queue, @Nullable Sum outdated, long now) {
		Lock counting = this.counting.computeIfAbsent(queue, (key) -> new ReentrantLock());
		counting.lock();
		try {
			Sum known = this.sums.get(queue);
			if (known == null || known == outdated) {
				known = new Sum(count(queue), now);
				this.sums.put(queue, known);
			}
			return known;
		}
		finally {
			counting.unlock();
		}
	}

	private long count(String queue) {
		Keys keys = Keys.of(queue);
		String cursor = "0";
		long tasks = 0;
		do {
			List<Object> answer = this.scripts.runList(LuaScript.READ_GROUP_SIZES, Text.queue(queue),
					List.of(keys.groups()), cursor, keys.groupPrefix(), SLICE);
			cursor = Text.of(answer.get(0));
			tasks += (Long) answer.get(1);
		}
		while (!cursor.equals("0"));
		return tasks;
	}

	/**
	 * What was counted.
	 *
	 * @param tasks number of tasks
	 * @param atNanos when, in nano time
	 */
	record Sum(long tasks, long atNanos) {
	}

}
