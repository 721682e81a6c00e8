package io.asynq.internal.inspect;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import io.asynq.inspect.DailyStats;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.Listing;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;
import io.asynq.internal.redis.UsableRedis;
import org.jspecify.annotations.Nullable;

/** No call costs more when there are more tasks. */
public class QueueReader {

	private final ScriptRunner scripts;

	private final QueueNumbers numbers;

	private final UsableRedis usable;

	public QueueReader(ScriptRunner scripts, ScriptTime time, UsableRedis usable) {
		this.scripts = scripts;
		this.usable = usable;
		this.numbers = new QueueNumbers(scripts, time);
	}

	public Set<String> queues() {
		return this.numbers.names();
	}

	public Optional<QueueStats> stats(String queue) {
		QueueStats own = ofCluster(queue);
		if (own != null) {
			return Optional.of(own);
		}
		return isListed(queue) ? Optional.of(read(queue)) : Optional.empty();
	}

	public boolean exists(String queue) {
		return ofCluster(queue) != null || isListed(queue);
	}

	/** The master that has the names of all queues may hang. */
	private @Nullable QueueStats ofCluster(String queue) {
		QueueStats stats = this.scripts.seesCluster() ? read(queue) : null;
		boolean used = stats != null && (stats.paused() || stats.total().processed() > 0
				|| stats.sizes().values().stream().anyMatch((size) -> size > 0));
		return used ? stats : null;
	}

	private boolean isListed(String queue) {
		return this.scripts.run("SISMEMBER", Text.queue(queue),
				(template) -> Boolean.TRUE.equals(template.opsForSet().isMember(Keys.QUEUES, Text.utf8(queue))));
	}

	public List<DailyStats> history(String queue, LocalDate last, int days) {
		Keys keys = Keys.of(queue);
		List<String> counters = new ArrayList<>(2 * days);
		for (int i = 0; i < days; i++) {
			counters.add(keys.processed(last.minusDays(i)));
			counters.add(keys.failed(last.minusDays(i)));
		}
		List<Object> answer = this.scripts.runList(LuaScript.READ_TEXTS, Text.queue(queue), counters);
		List<DailyStats> history = new ArrayList<>(days);
		for (int i = 0; i < days; i++) {
			history.add(new DailyStats(queue, last.minusDays(i), QueueNumbers.number(answer.get(2 * i)),
					QueueNumbers.number(answer.get(2 * i + 1))));
		}
		return history;
	}

	public List<GroupInfo> groups(String queue) {
		Map<String, GroupInfo> groups = new TreeMap<>();
		new GroupWalk(this.scripts, queue).tell(GroupWalk.Which.ALL,
				(name, tasks) -> groups.put(name, new GroupInfo(name, tasks)));
		return List.copyOf(groups.values());
	}

	/** In no order; a group may be listed twice while groups come and go. */
	public Listing<GroupInfo> groups(String queue, @Nullable String cursor, int size) {
		List<GroupInfo> groups = new ArrayList<>();
		String next = new GroupWalk(this.scripts, queue).tellSome(GroupWalk.Which.ALL, (cursor != null) ? cursor : "0",
				size, (name, tasks) -> groups.add(new GroupInfo(name, tasks)));
		return new Listing<>(groups, next.equals("0") ? null : next);
	}

	public long groupSize(String queue, String group) {
		Long size = this.scripts.run("ZCARD", "group '" + group + "' of " + Text.queue(queue),
				(template) -> template.opsForZSet().zCard(Keys.of(queue).group(group)));
		return (size != null) ? size : 0;
	}

	/** An estimate in bytes from a few tasks of each state. */
	public long memoryUsage(String queue) {
		return this.numbers.memory(Map.of(queue, read(queue))).get(queue);
	}

	/**
	 * Also fails if Redis is too old, refuses its user, or is a single node of a cluster.
	 */
	public void ping() {
		this.usable.ping();
	}

	private QueueStats read(String queue) {
		return this.numbers.stats(List.of(queue)).get(queue);
	}

}
