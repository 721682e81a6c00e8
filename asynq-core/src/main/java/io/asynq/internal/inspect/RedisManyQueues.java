package io.asynq.internal.inspect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.asynq.inspect.QueueStats;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/** Scripts instead of a pipeline: one command for a batch, and all drivers can do it. */
public final class RedisManyQueues implements ManyQueues {

	/** Their numbers take Redis about 3 ms, unless they have groups. */
	private static final int NUMBERS_AT_ONCE = 128;

	/** For each, up to 240 keys are looked at: some 10 ms at most. */
	private static final int MEMORY_AT_ONCE = 32;

	private final ScriptRunner scripts;

	private final QueueNumbers numbers;

	private final Function<Collection<String>, Map<String, String>> masters;

	private final Supplier<Map<String, Long>> consumers;

	public RedisManyQueues(ScriptRunner scripts, ScriptTime time,
			Function<Collection<String>, Map<String, String>> masters, Supplier<Map<String, Long>> consumers) {
		this.scripts = scripts;
		this.numbers = new QueueNumbers(scripts, time);
		this.masters = masters;
		this.consumers = consumers;
	}

	@Override
	public Set<String> names() {
		return this.numbers.names();
	}

	@Override
	public Answer<QueueStats> stats(Collection<String> queues) {
		return read(queues, NUMBERS_AT_ONCE, this.numbers::stats);
	}

	@Override
	public Map<String, Long> consumers() {
		return this.consumers.get();
	}

	@Override
	public Answer<Long> memoryUsage(Map<String, QueueStats> queues) {
		return read(queues.keySet(), MEMORY_AT_ONCE, (batch) -> {
			Map<String, QueueStats> stats = new LinkedHashMap<>();
			batch.forEach((queue) -> stats.put(queue, queues.get(queue)));
			return this.numbers.memory(stats);
		});
	}

	private <T> Answer<T> read(Collection<String> queues, int atOnce, Function<List<String>, Map<String, T>> reader) {
		if (queues.isEmpty()) {
			return new Answer<>(Map.of(), Map.of());
		}
		boolean cluster = this.scripts.seesCluster();
		ReadableQueues<T> readable = new ReadableQueues<>(queues, reader, cluster ? this.masters : (all) -> Map.of());
		batches(queues, cluster, atOnce).forEach(readable::read);
		return readable.answer();
	}

	private static List<List<String>> batches(Collection<String> queues, boolean cluster, int atOnce) {
		Collection<List<String>> together = cluster
				? queues.stream().collect(Collectors.groupingBy(RedisManyQueues::slot)).values()
				: List.of(List.copyOf(queues));
		List<List<String>> batches = new ArrayList<>();
		for (List<String> all : together) {
			for (int from = 0; from < all.size(); from += atOnce) {
				batches.add(all.subList(from, Math.min(from + atOnce, all.size())));
			}
		}
		return batches;
	}

	private static int slot(String queue) {
		return ClusterSlotHashUtil.calculateSlot(Text.utf8(Keys.of(queue).pending()));
	}

}
