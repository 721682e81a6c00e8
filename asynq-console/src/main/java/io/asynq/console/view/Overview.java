package io.asynq.console.view;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.TaskState;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.inspect.QueueInfo;
import io.asynq.operations.attention.Attention;
import io.asynq.operations.preflight.StoreSurvey;
import org.jspecify.annotations.Nullable;

record Overview(Instant asOf, Map<TaskState, Long> totals, long waitingForLimit, int queueCount, List<Line> queues,
		@Nullable String next, Map<String, String> unreadable, int servers, int schedulerEntries,
		List<Attention> attention, List<TaskLine> newestFailures, boolean newestFailuresExact, RateHistory.Rates rates,
		@Nullable RedisLine redis) {

	static final int PART = 200;

	public static Overview of(State state, RateHistory.Rates rates, Payloads payloads, ConsoleCaller viewer,
			@Nullable String cursor) {
		Set<String> covered = state.situation().covered();
		List<QueueInfo> seen = state.board().queues().stream().filter((queue) -> viewer.sees(queue.queue())).toList();
		Map<TaskState, Long> totals = new EnumMap<>(TaskState.class);
		TaskState.stored().forEach((each) -> totals.put(each, 0L));
		seen.forEach((queue) -> queue.sizes().forEach((each, size) -> totals.merge(each, size, Long::sum)));
		List<QueueInfo> rest = seen.stream()
			.filter((queue) -> cursor == null || queue.queue().compareTo(cursor) > 0)
			.toList();
		List<QueueInfo> part = rest.subList(0, Math.min(PART, rest.size()));
		Map<String, String> unreadable = new LinkedHashMap<>();
		state.board().unreadable().forEach((queue, reason) -> {
			if (viewer.sees(queue)) {
				unreadable.put(queue, reason);
			}
		});
		return new Overview(state.board().at(), totals, seen.stream().mapToLong(QueueInfo::waitingForLimit).sum(),
				seen.size(), part.stream().map((queue) -> Line.of(queue, covered.contains(queue.queue()))).toList(),
				(part.size() < rest.size()) ? part.get(part.size() - 1).queue() : null, unreadable,
				state.fleet().live().size(), state.situation().schedulerEntries(),
				state.situation().attention(viewer::sees),
				state.newest()
					.stream()
					.filter((task) -> viewer.sees(task.queue()))
					.map((task) -> payloads.line(task, ConsoleCaller.ANYBODY))
					.toList(),
				false, rates, RedisLine.of(state.nodes()));
	}

	public record Line(String queue, long size, Map<TaskState, Long> sizes, Duration latency, boolean paused,
			long processed, long failed, long groups, long waitingForLimit, boolean hasConsumer) {

		static Line of(QueueInfo queue, boolean hasConsumer) {
			return new Line(queue.queue(), queue.size(), queue.sizes(), queue.latency(), queue.paused(),
					queue.processed(), queue.failed(), queue.groups(), queue.waitingForLimit(), hasConsumer);
		}

	}

	public record RedisLine(long usedMemory, long maxMemory, String version) {

		static @Nullable RedisLine of(List<StoreSurvey.Node> nodes) {
			if (nodes.isEmpty()) {
				return null;
			}
			long used = 0;
			long max = 0;
			for (StoreSurvey.Node node : nodes) {
				used += number(node, "used_memory");
				max += number(node, "maxmemory");
			}
			return new RedisLine(used, max, nodes.get(0).info().getOrDefault("redis_version", ""));
		}

		private static long number(StoreSurvey.Node node, String name) {
			String text = node.info().getOrDefault(name, "0");
			return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
		}

	}

}
