package io.asynq.operations.survey;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.asynq.AsynqException;
import io.asynq.Broker;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.inspect.ManyQueues;

/**
 * Few calls: one script reads 128 queues.
 */
public final class QueueBoard {

	private final ManyQueues queues;

	private final Clock clock;

	public QueueBoard(Broker broker, Clock clock) {
		this.queues = RedisBroker.of(broker).manyQueues();
		this.clock = clock;
	}

	/**
	 * A queue that cannot be read hides no other.
	 * @throws BrokerUnavailableException if none could be read, because Redis is away
	 */
	public Board read() {
		return read(this.queues.names());
	}

	/** A queue that does not exist is empty. */
	public Board read(Collection<String> names) {
		ManyQueues.Answer<QueueStats> answer = this.queues.stats(names);
		Instant now = this.clock.instant();
		Map<String, QueueInfo> infos = new TreeMap<>();
		answer.values().forEach((name, stats) -> infos.put(name, new QueueInfo(name, stats, now)));
		Map<String, String> unreadable = new LinkedHashMap<>();
		for (Map.Entry<String, AsynqException> error : answer.errors().entrySet()) {
			if (infos.isEmpty() && error.getValue() instanceof BrokerUnavailableException away) {
				throw away;
			}
			unreadable.put(error.getKey(), String.valueOf(error.getValue().getMessage()));
		}
		return new Board(now, new ArrayList<>(infos.values()), unreadable);
	}

	/** Bytes, estimated; queues that cannot be read are left out. */
	public Map<String, Long> memory(Collection<QueueInfo> queues) {
		Map<String, QueueStats> stats = new LinkedHashMap<>();
		queues.forEach((queue) -> stats.put(queue.queue(), queue.stats()));
		return this.queues.memoryUsage(stats).values();
	}

	public record Board(Instant at, List<QueueInfo> queues, Map<String, String> unreadable) {

		public Map<TaskState, Long> totals() {
			Map<TaskState, Long> totals = new EnumMap<>(TaskState.class);
			TaskState.stored().forEach((state) -> totals.put(state, 0L));
			this.queues
				.forEach((queue) -> queue.sizes().forEach((state, size) -> totals.merge(state, size, Long::sum)));
			return totals;
		}

	}

}
